//! The makers of grids and of puzzles.

use super::{
    Line,
    corpus::{NO_BYTES, fnv, is_solution},
    figures::{CheckResult, Figures, Label},
    options::{Bench, Kind},
    process::{process, this_program},
    rounds::{Contender, rounds, timed},
};
use crate::driver::{interrupt, words::counted};
use anyhow::{Context, bail};
use std::{fs::File, io::Read, path::Path};
use sudoku_batch::{
    Puzzle, Solver,
    generate::{Grids, shard},
    grid::CELLS,
    questions::{Answer, Data, MadeSet},
};

/// Makes the lines from a number on.
type Make<'m> = Box<dyn FnMut(u64, &mut [Line]) + Send + 'm>;

/// Grids or puzzles in memory: each thread makes its part, `at_once` lines at a time, as the command
/// does. The lines made last are kept and checked: of grids always in the same few pages of memory, as
/// the command has them before it writes them.
fn in_memory<'m>(
    label: Label,
    (at_once, kept): (usize, usize),
    maker: impl Fn() -> Make<'m> + 'm,
    mut check: impl FnMut(&[Line]) -> anyhow::Result<CheckResult> + 'm,
) -> Contender<'m> {
    let (count, threads) = (label.puzzles as u64, label.threads.unwrap_or(1) as u64);
    let turn = move || {
        let part = |number| {
            let numbers = shard(0..count, number, threads);
            let length = kept.min((numbers.end - numbers.start) as usize);
            (numbers, vec![[0; CELLS + 1]; length], maker())
        };
        let mut parts: Vec<_> = (1..=threads).map(part).collect();
        let time = timed(parts.iter_mut().collect(), |(numbers, lines, make)| {
            for start in numbers.clone().step_by(at_once) {
                let from = (start - numbers.start) as usize % lines.len();
                let length = at_once.min((numbers.end - start) as usize);
                make(start, &mut lines[from..from + length]);
            }
        })?;
        let made: Vec<_> = parts.into_iter().flat_map(|part| part.1).collect();
        Ok((time, check(&made)?))
    };
    let turn = Box::new(turn);
    Contender { label, turn }
}

/// Measures the kinds of puzzles that the options name: the first ones of seed 0.
pub(super) fn puzzles(options: &Bench) -> anyhow::Result<Vec<Figures>> {
    let puzzles = options.puzzles.unwrap_or(100_000) as usize;
    let mut contenders = Vec::new();
    for &kind in &options.puzzles_of {
        for threads in options.threads() {
            let mut known = None;
            let label = label(kind.name, puzzles, "maker", threads);
            let check = move |made: &[Line]| {
                let (solved, checksum) = (puzzles as u64, fnv(NO_BYTES, made.as_flattened()));
                match known.replace(checksum) {
                    None => check_puzzles(kind, made)?,
                    Some(known) if known == checksum => {}
                    Some(_) => bail!("{} puzzles differ from round to round", kind.name),
                }
                Ok(CheckResult { solved, checksum })
            };
            contenders.push(in_memory(
                label,
                (8192, puzzles),
                move || maker(kind),
                check,
            ));
        }
    }
    let figures = rounds(contenders, options.rounds, "puzzles")?;
    Ok(Figures::compare_with_one_thread(figures))
}

fn label(corpus: &str, count: usize, engine: &str, threads: usize) -> Label {
    Label {
        engine: engine.into(),
        threads: Some(threads),
        ..Label::new(corpus, count, count * (CELLS + 1))
    }
}

fn maker(kind: Kind) -> Make<'static> {
    let set = (kind.settings)().set().expect("puzzles that can be made");
    let columns = set.columns();
    let mut answer = Answer::of(&columns);
    // No rating is computed that the maker does not need.
    answer.leave_out(|column| columns[column].name != "puzzle");
    let mut make = set.worker();
    Box::new(move |start, lines| {
        answer.begin(lines.len());
        make(start..start + lines.len() as u64, &mut answer);
        let Data::Puzzles(puzzles) = answer.named("puzzle") else {
            unreachable!("the column has puzzles")
        };
        let made = puzzles.lines(0..puzzles.len());
        lines[..made.len()].copy_from_slice(made);
    })
}

/// Checks that each puzzle was made and has one solution.
fn check_puzzles(kind: Kind, made: &[Line]) -> anyhow::Result<()> {
    let puzzles = made.iter().map(|line| {
        line.first_chunk()
            .and_then(|cells| Puzzle::from_ascii(cells).ok())
    });
    let puzzles: Vec<Puzzle> = puzzles.flatten().collect();
    let (kind, missing) = (kind.name, made.len() - puzzles.len());
    if missing > 0 {
        let all = counted(made.len() as u64, &format!("{kind} puzzles"));
        bail!("{missing} of {all} could not be made");
    }
    let solutions = Solver::new().solve_unique_batch(&puzzles);
    for (puzzle, solution) in puzzles.iter().zip(solutions) {
        if !solution.is_ok_and(|grid| is_solution(grid.as_ascii(), puzzle)) {
            bail!("a {kind} puzzle is wrong: {puzzle}");
        }
    }
    Ok(())
}

/// Measures the generator on the first `count` grids: in memory, and the command that writes
/// them to a file.
pub(super) fn grids(count: u64, options: &Bench) -> anyhow::Result<Vec<Figures>> {
    let orders = [
        ("in order", "--in-order", Grids::in_order()),
        ("shuffled", "--seed=0", Grids::seeded(0)),
        ("uniform", "--uniform", Grids::uniform(0)),
    ];
    let folder = interrupt::scratch_folder()?;
    let output = folder.path().join("grids.txt");
    let mut contenders = Vec::new();
    for (order, option, grids) in &orders {
        if count > grids.count() {
            bail!("too many grids: there are {}", grids.count());
        }
        let checked = check_all(count, |start, lines| {
            grids.write_lines(start, lines);
            Ok(())
        })?;
        let label = |engine, threads| Label {
            distinct: Some(count),
            ..label(&format!("grids {order}"), count as usize, engine, threads)
        };
        for threads in options.threads() {
            let maker = || Box::new(|start, lines: &mut [_]| grids.write_lines(start, lines)) as _;
            let check = move |lines: &[Line]| check_grids(lines).map(|()| checked);
            let label = label("memory", threads);
            contenders.push(in_memory(label, (AT_ONCE, AT_ONCE), maker, check));
        }
        for threads in options.threads() {
            let mut command = this_program()?;
            command
                .args(["generate", "--quiet", option])
                .arg(count.to_string());
            command.arg(format!("--threads={threads}"));
            command.arg("--output").arg(&output);
            let check = move |file: &Path| check_file(file, checked);
            let label = label("file", threads);
            contenders.push(process((label, command), false, &output, check));
        }
    }
    let figures = rounds(contenders, options.rounds, "grids")?;
    Ok(Figures::compare_with_one_thread(figures))
}

/// The number of grids that are made at a time, as by the command.
const AT_ONCE: usize = 4096;

/// Checks lines that are made or read one after the other: each is a grid.
fn check_all(
    count: u64,
    mut next: impl FnMut(u64, &mut [Line]) -> anyhow::Result<()>,
) -> anyhow::Result<CheckResult> {
    let mut buffer = vec![[0; CELLS + 1]; AT_ONCE];
    let mut checksum = NO_BYTES;
    for start in (0..count).step_by(AT_ONCE) {
        let lines = &mut buffer[..AT_ONCE.min((count - start) as usize)];
        next(start, lines)?;
        check_grids(lines)?;
        checksum = fnv(checksum, lines.as_flattened());
    }
    let solved = count;
    Ok(CheckResult { solved, checksum })
}

fn check_grids(lines: &[Line]) -> anyhow::Result<()> {
    for line in lines {
        if line[CELLS] != b'\n' || !is_solution(line, &Puzzle::EMPTY) {
            bail!("a grid is none: {}", String::from_utf8_lossy(line));
        }
    }
    Ok(())
}

/// Checks that a file holds the grids that were checked, and no more.
fn check_file(file: &Path, checked: CheckResult) -> anyhow::Result<CheckResult> {
    let mut file = File::open(file).context("cannot read the grids again")?;
    let read = check_all(checked.solved, |_, lines| {
        let read = file.read_exact(lines.as_flattened_mut());
        read.context("cannot read the grids again")
    })?;
    if read.checksum != checked.checksum || file.read(&mut [0])? != 0 {
        bail!("the file does not hold the grids that were made");
    }
    Ok(checked)
}
