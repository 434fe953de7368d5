//! Rounds of the maker of puzzles, in memory: kinds and numbers of threads in turn.

use super::{super::progress::Progress, corpus::Checksum, figures::Figures, measure::timed};
use crate::cli::bench::{Bench, PuzzlesOf};
use anyhow::bail;
use std::{ops::Range, time::Duration};
use sudoku_batch::{
    Puzzle, Solver,
    generate::{Grids, Uniform, shard},
    grid::{CELLS, GridLine},
    puzzle::{Made, Maker},
};

/// How many puzzles are made at a time, as by the command.
const AT_ONCE: usize = 8192;

/// How many puzzles of each kind a round makes if the options do not say.
const COUNT: u64 = 100_000;

/// A kind of puzzles at a number of threads.
#[derive(Clone, Copy, Debug)]
struct Contender {
    kind: PuzzlesOf,
    threads: usize,
}

/// The part of one thread.
struct Part {
    maker: Maker,
    numbers: Range<u64>,
    made: Vec<Option<Made>>,
}

/// Measures the kinds that the options name.
pub(super) fn making(options: &Bench) -> anyhow::Result<Vec<Figures>> {
    let count = options.puzzles.unwrap_or(COUNT);
    let mut contenders = Vec::new();
    let mut checksums = Vec::new();
    for &kind in &options.puzzles_of {
        for threads in super::threads(options) {
            contenders.push(Contender { kind, threads });
        }
    }
    let mut times = vec![Vec::new(); contenders.len()];
    let runs = u64::from(options.rounds + 1) * contenders.len() as u64;
    let mut progress = Progress::new(true, Some(runs), "puzzles");
    for round in 0..=options.rounds {
        for (at, (contender, times)) in contenders.iter().zip(&mut times).enumerate() {
            let (time, parts) = make(*contender, count)?;
            let made = parts.iter().flat_map(|part| &part.made);
            let made: Vec<_> = made.copied().collect();
            let checksum = checksum(&made);
            if round == 0 {
                check(contender.kind, &made)?;
                checksums.push(checksum);
            } else {
                times.push(time);
            }
            if checksum != checksums[at] {
                bail!("{} puzzles differ from round to round", contender.kind);
            }
            progress.advance(1, count);
        }
    }
    progress.finish();
    let all = contenders.into_iter().zip(times).zip(checksums);
    let all = all.map(|((contender, times), checksum)| Figures {
        distinct: None,
        bytes: count as usize * size_of::<GridLine>(),
        engine: "maker".into(),
        threads: Some(contender.threads),
        solved: count,
        checksum,
        ..Figures::new(&contender.kind.to_string(), count as usize, times)
    });
    let mut all: Vec<_> = all.collect();
    Figures::compare_with_one_thread(&mut all);
    Ok(all)
}

/// Makes the first `count` puzzles of seed 0: each thread makes its part.
fn make(contender: Contender, count: u64) -> anyhow::Result<(Duration, Vec<Part>)> {
    let threads = contender.threads as u64;
    let part = |number| {
        let numbers = shard(0..count, number, threads);
        let grids = Grids::Uniform(Uniform::seeded(0));
        let maker = Maker::new(Solver::new(), grids, 0, contender.kind.recipe());
        Part {
            maker: maker.expect("a recipe that can be made"),
            made: vec![None; (numbers.end - numbers.start) as usize],
            numbers,
        }
    };
    let mut parts: Vec<_> = (1..=threads).map(part).collect();
    let time = timed(parts.iter_mut().collect(), |part: &mut Part| {
        let starts = part.numbers.clone().step_by(AT_ONCE);
        for (start, made) in starts.zip(part.made.chunks_mut(AT_ONCE)) {
            part.maker.make_batch(start, made);
        }
    });
    Ok((time?, parts))
}

/// Checks that each puzzle was made, and that its solution is the only one.
fn check(kind: PuzzlesOf, made: &[Option<Made>]) -> anyhow::Result<()> {
    let mut solver = Solver::new();
    for made in made.chunks(AT_ONCE) {
        let all: Vec<Made> = made.iter().flatten().copied().collect();
        if all.len() < made.len() {
            bail!(
                "{} of {} {kind} puzzles could not be made",
                made.len() - all.len(),
                made.len()
            );
        }
        let puzzles: Vec<Puzzle> = all.iter().map(|made| made.puzzle).collect();
        for (made, solution) in all.iter().zip(solver.solve_unique_batch(&puzzles)) {
            if solution != Ok(made.solution) {
                bail!("a {kind} puzzle is wrong: {}", made.puzzle);
            }
        }
    }
    Ok(())
}

/// Of the lines that the command `puzzles` writes.
fn checksum(made: &[Option<Made>]) -> u64 {
    let mut checksum = Checksum::default();
    for made in made.iter().flatten() {
        let mut line: GridLine = [b'\n'; CELLS + 1];
        line[..CELLS].copy_from_slice(made.puzzle.as_ascii());
        checksum.add(&line);
    }
    checksum.get()
}
