//! `sudoku-batch psp`.

use super::{
    generate,
    job::{self, Job, SHOWN, Settings},
    say,
    summary::Summary,
};
use crate::cli::{
    generate::Format,
    output::SummaryFormat,
    psp::{Psp, Task},
};
use std::{path::Path, process::ExitCode};
use sudoku_batch::{
    Batch, Question, Reason, Solver,
    format::block::{BLOCK, BlockReader, BlockRecord, write_block},
    grid::GridLine,
    pipeline::{Error, input::Chunks},
    solve::NO_SOLUTION,
};

/// Does what the course project asks.
pub(crate) fn run(options: &Psp) -> anyhow::Result<ExitCode> {
    match options.task().unwrap_or_else(|error| error.exit()) {
        Task::Create(count) => create(options, count),
        Task::Solve(path) => solve(options, path),
    }
}

fn start(bar: bool) -> anyhow::Result<Job> {
    Job::start(Settings {
        threads: 0,
        quiet: false,
        bar,
        summary: SummaryFormat::None,
    })
}

fn create(options: &Psp, count: u64) -> anyhow::Result<ExitCode> {
    let mut job = start(false)?;
    let sequence = options.sequence.sequence();
    let output = job.create(&options.out)?;
    generate::write(&mut job, &sequence, 0..count, Format::Grid, &output)?;
    job::deliver([], [output])?;
    Ok(ExitCode::SUCCESS)
}

fn solve(options: &Psp, path: &Path) -> anyhow::Result<ExitCode> {
    let mut job = start(true)?;
    let mut input = job::open(path)?;
    let name = input.name().to_owned();
    let output = job.create(&options.out)?;
    let mut blocks = Blocks {
        chunks: input.chunks(),
        reader: BlockReader::default(),
        puzzles: 0,
        ended: false,
    };
    let mut failed = 0;
    job.begin("puzzles", None);
    job.run(
        blocks.by_ref(),
        &output,
        || Worker {
            batch: Batch::new(Solver::new()),
            text: Vec::new(),
            lines: Vec::new(),
        },
        |worker, lot: Lot, out| {
            let count = lot.blocks.len();
            let out = out.exactly(count * (BLOCK + 1) - usize::from(lot.begins));
            let rejects = worker.solve(&lot.blocks);
            let mut rest = out;
            for (i, line) in worker.lines.iter().enumerate() {
                if i > 0 || !lot.begins {
                    rest[0] = b'\n';
                    rest = &mut rest[1..];
                }
                let (block, after) = rest.split_first_chunk_mut().expect("a block");
                write_block(line.first_chunk().expect("81 of 82"), block);
                rest = after;
            }
            (count as u64, rejects)
        },
        |report, (count, rejects): (u64, Rejects)| {
            for (line, reason) in rejects.first {
                report.complain(&name, line, reason.name(), &reason.to_string());
            }
            failed += rejects.count;
            report.advance(count, count);
            Ok(())
        },
    )?;
    let (puzzles, announced) = (blocks.puzzles, blocks.reader.announced());
    drop(blocks);
    job::deliver([input], [output])?;
    let status = job.end(&Summary {
        total: ("puzzles", puzzles),
        counts: Vec::new(),
        among_first: Vec::new(),
        unit: "puzzles",
        facts: Vec::new(),
        failed,
        failure: "not solved",
    });
    match announced {
        Some(announced) if announced != puzzles => {
            say(format_args!(
                "sudoku-batch: {name} begins with {announced}, but has {puzzles} puzzles"
            ));
            Ok(ExitCode::from(1))
        }
        _ => Ok(status),
    }
}

/// Puzzles that are solved together.
struct Lot {
    /// Whether they are the first of all.
    begins: bool,
    blocks: Vec<BlockRecord>,
}

/// The puzzles of a file, chunk by chunk.
struct Blocks<'i> {
    chunks: Chunks<'i>,
    reader: BlockReader,
    /// How many there were.
    puzzles: u64,
    ended: bool,
}

impl Iterator for Blocks<'_> {
    type Item = Result<Lot, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut blocks = Vec::new();
        while blocks.is_empty() && !self.ended {
            match self.chunks.next() {
                Some(Ok(mut chunk)) => self.reader.read(chunk.bytes(), &mut blocks),
                Some(Err(error)) => return Some(Err(error)),
                None => {
                    self.ended = true;
                    self.reader.finish(&mut blocks);
                }
            }
        }
        let begins = self.puzzles == 0;
        self.puzzles += blocks.len() as u64;
        (!blocks.is_empty()).then_some(Ok(Lot { begins, blocks }))
    }
}

/// What a thread keeps.
struct Worker {
    batch: Batch,
    /// The puzzles, a line each.
    text: Vec<u8>,
    /// The solutions, or points.
    lines: Vec<GridLine>,
}

/// The puzzles that are not solved: how many, and the first of them with line
/// and reason.
#[derive(Default)]
struct Rejects {
    count: u64,
    first: Vec<(u64, Reason)>,
}

impl Rejects {
    fn push(&mut self, line: u64, reason: Reason) {
        self.count += 1;
        if self.first.len() < SHOWN {
            self.first.push((line, reason));
        }
    }
}

impl Worker {
    /// Fills `lines` with the solutions of a lot.
    fn solve(&mut self, blocks: &[BlockRecord]) -> Rejects {
        self.text.clear();
        for block in blocks {
            match &block.puzzle {
                Ok(puzzle) => self.text.extend_from_slice(puzzle.as_ascii()),
                // No puzzle as a line either, so that lines match blocks.
                Err(_) => self.text.extend_from_slice(b"malformed"),
            }
            self.text.push(b'\n');
        }
        self.lines.clear();
        self.lines.resize(blocks.len(), NO_SOLUTION);
        let mut rejects = Rejects::default();
        let records = self.batch.read(&self.text);
        records.solve(Question::Solution, &mut self.lines, |reject| {
            let block = &blocks[reject.line as usize - 1];
            let (line, reason) = match &block.puzzle {
                Ok(_) => (block.line, reject.reason),
                Err(error) => (error.line, Reason::Malformed(error.error)),
            };
            rejects.push(line, reason);
        });
        rejects
    }
}
