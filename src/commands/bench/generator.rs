//! Rounds of the generator: in order, shuffled and uniform, to memory and to a file.

use super::{
    super::{
        generate::{self, GridSet},
        interrupt,
        job::{self, Job, Settings},
        progress::Progress,
    },
    corpus::Checksum,
    figures::Figures,
    measure::timed,
};
use crate::cli::{bench::Bench, making::MadeForm, output::SummaryFormat};
use anyhow::{Context, bail};
use std::{
    fs::File,
    io::Read,
    ops::Range,
    path::Path,
    time::{Duration, Instant},
};
use sudoku_batch::{
    Grid,
    generate::{Grids, Sequence, Uniform},
    grid::{CELLS, GridLine},
};

/// How many grids are made at a time, as by the command.
const AT_ONCE: u64 = generate::AT_ONCE;

/// A way to generate that is measured.
#[derive(Clone, Copy)]
struct Contender<'s> {
    order: &'static str,
    grids: &'s Grids,
    to_file: bool,
    threads: usize,
}

/// Measures the generator on the first `count` grids.
pub(super) fn generating(count: u64, options: &Bench) -> anyhow::Result<Vec<Figures>> {
    let sequences = [
        ("grids in order", Grids::Sequence(Sequence::in_order())),
        ("grids shuffled", Grids::Sequence(Sequence::seeded(0))),
        ("grids uniform", Grids::Uniform(Uniform::seeded(0))),
    ];
    let mut contenders = Vec::new();
    let mut checksums = Vec::new();
    for (order, grids) in &sequences {
        if count > grids.count() {
            bail!("too many grids: there are {}", grids.count());
        }
        let checksum = checksum(grids, count)?;
        for to_file in [false, true] {
            for threads in super::threads(options) {
                checksums.push(checksum);
                contenders.push(Contender {
                    order,
                    grids,
                    to_file,
                    threads,
                });
            }
        }
    }
    let folder = interrupt::scratch_folder()?;
    let file = folder.path().join("grids.txt");
    let mut times = vec![Vec::new(); contenders.len()];
    let runs = u64::from(options.rounds + 1) * contenders.len() as u64;
    let mut progress = Progress::new(true, Some(runs), "grids");
    for round in 0..=options.rounds {
        for (contender, times) in contenders.iter().zip(&mut times) {
            let time = match contender.to_file {
                true => to_file(contender, count, &file)?,
                false => to_memory(contender, count)?,
            };
            if round > 0 {
                times.push(time);
            }
            progress.advance(1, count);
        }
    }
    progress.finish();
    let all = contenders.iter().zip(times).zip(checksums);
    let all = all.map(|((contender, times), checksum)| Figures {
        distinct: Some(count),
        bytes: count as usize * size_of::<GridLine>(),
        engine: if contender.to_file { "file" } else { "memory" }.into(),
        threads: Some(contender.threads),
        solved: count,
        checksum,
        ..Figures::new(contender.order, count as usize, times)
    });
    let mut all: Vec<_> = all.collect();
    Figures::compare_with_one_thread(&mut all);
    Ok(all)
}

/// The ranges of grids that are made at a time.
fn pieces(range: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let starts = range.clone().step_by(AT_ONCE as usize);
    starts.map(move |start| start..range.end.min(start + AT_ONCE))
}

/// The lines of a range, in memory that is used again.
fn make<'b>(grids: &Grids, piece: Range<u64>, buffer: &'b mut Vec<GridLine>) -> &'b [GridLine] {
    buffer.resize((piece.end - piece.start) as usize, [0; CELLS + 1]);
    grids.write_lines(piece.start, buffer);
    buffer
}

/// Makes the grids once to check that each is one; gives their checksum.
fn checksum(grids: &Grids, count: u64) -> anyhow::Result<u64> {
    let mut buffer = Vec::new();
    let mut checksum = Checksum::default();
    for piece in pieces(0..count) {
        let lines = make(grids, piece.clone(), &mut buffer);
        check(lines, piece.start)?;
        checksum.add(lines.as_flattened());
    }
    Ok(checksum.get())
}

/// Checks that lines are grids.
fn check(lines: &[GridLine], start: u64) -> anyhow::Result<()> {
    for (number, line) in (start..).zip(lines) {
        let grid = line.first_chunk().and_then(Grid::from_ascii);
        if line[CELLS] != b'\n' || !grid.is_some_and(|grid| grid.is_valid()) {
            bail!("grid {number} is none: {}", String::from_utf8_lossy(line));
        }
    }
    Ok(())
}

/// Each thread makes its part, always in the same few pages of memory: as the
/// command does before it writes them.
fn to_memory(contender: &Contender<'_>, count: u64) -> anyhow::Result<Duration> {
    let threads = contender.threads as u64;
    let part = |number| sudoku_batch::generate::shard(0..count, number, threads);
    let mut parts: Vec<_> = (1..=threads)
        .map(|number| (part(number), Vec::new()))
        .collect();
    let time = timed(parts.iter_mut().collect(), |(part, buffer)| {
        for piece in pieces(part.clone()) {
            make(contender.grids, piece, buffer);
        }
    })?;
    for (part, buffer) in &parts {
        check(buffer, part.end - buffer.len() as u64)?;
    }
    Ok(time)
}

/// The command's own work, from creating the file to its being in place.
fn to_file(contender: &Contender<'_>, count: u64, file: &Path) -> anyhow::Result<Duration> {
    let mut job = Job::start(Settings {
        threads: contender.threads,
        quiet: true,
        bar: false,
        summary: SummaryFormat::None,
    })?;
    let start = Instant::now();
    let output = job.create(file)?;
    let set = GridSet {
        grids: contender.grids.clone(),
        verify: false,
    };
    set.write(&mut job, 0..count, MadeForm::Line, &output)?;
    job::deliver([], [output])?;
    let time = start.elapsed();

    // What is in the file is what was checked.
    let mut written = File::open(file).context("cannot read the grids again")?;
    let mut buffer = Vec::new();
    let mut bytes = Vec::new();
    for piece in pieces(0..count) {
        let lines = make(contender.grids, piece, &mut buffer).as_flattened();
        bytes.resize(lines.len(), 0);
        written
            .read_exact(&mut bytes)
            .context("cannot read the grids again")?;
        if bytes != lines {
            bail!("the file does not hold the grids that were made");
        }
    }
    if written.read(&mut [0])? != 0 {
        bail!("the file holds more than the grids that were made");
    }
    Ok(time)
}
