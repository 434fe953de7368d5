//! `sudoku-batch psp`.

use super::{
    generate,
    job::{self, Job, SHOWN, Settings},
    making::{MadeColumns, MadeWriter},
    puzzles::PuzzleSet,
    say,
    summary::Summary,
};
use crate::cli::{
    making::MadeForm,
    output::SummaryFormat,
    psp::{Kind, Psp, Task},
};
use std::{path::Path, process::ExitCode, sync::Mutex};
use sudoku_batch::{
    Batch, Question, Reason, Solver,
    format::{Records, block::BlockReader},
    generate::Grids,
    pipeline::{Error, input::Chunks},
    solve::NO_SOLUTION,
};

/// Does what the course project asks.
pub(crate) fn run(options: &Psp) -> anyhow::Result<ExitCode> {
    match options.task() {
        Ok(Task::Create(count)) => create(options, count),
        Ok(Task::Solve(path)) => solve(options, path),
        Ok(Task::Puzzles(count, kind)) => puzzles(options, count, kind),
        Err(error) => super::tell(&error),
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
    let grids = Grids::Sequence(options.sequence.sequence());
    let output = job.create(&options.out)?;
    generate::write(&mut job, &grids, 0..count, MadeForm::Grid, &output)?;
    job::deliver([], [output])?;
    Ok(ExitCode::SUCCESS)
}

fn puzzles(options: &Psp, count: u64, kind: Kind) -> anyhow::Result<ExitCode> {
    let mut job = start(false)?;
    let set = PuzzleSet {
        grids: Grids::Sequence(options.sequence.sequence()),
        seed: options.sequence.seed,
        recipe: kind.recipe(),
        difficulty: None,
        is_rated: false,
    };
    let output = job.create(&options.out)?;
    let made = set.write(&mut job, 0..count, MadeForm::Grid, &output)?;
    job::deliver([], [output])?;
    Ok(job.end(&Summary {
        total: ("puzzles", count),
        counts: Vec::new(),
        among_first: Vec::new(),
        unit: "puzzles",
        facts: Vec::new(),
        failed: count - made,
        failure: "could not be made",
    }))
}

fn solve(options: &Psp, path: &Path) -> anyhow::Result<ExitCode> {
    let mut job = start(true)?;
    let mut input = job::open_file(path)?;
    let name = input.name().to_owned();
    let output = job.create(&options.out)?;
    let columns = MadeColumns {
        cells: "grid",
        others: Vec::new(),
    };
    // A puzzle that is not solved gives points.
    let writer = MadeWriter::new(MadeForm::Grid, columns).with_points();
    let spare = Mutex::default();
    let mut blocks = Blocks {
        chunks: input.chunks(),
        reader: BlockReader::default(),
        ends: Vec::new(),
        ended: false,
        spare: &spare,
    };
    let mut failed = 0;
    job.begin("puzzles", None);
    let done = job.run(
        blocks.by_ref(),
        &output,
        || (Batch::new(Solver::new()), Vec::new()),
        |(batch, lines), lot: Lot, out| {
            let Lot { begins, records } = lot;
            let count = records.len();
            lines.resize(count, NO_SOLUTION);
            let answers = batch.solve(&records, Question::Solution, lines);
            let mut out = out.growing();
            for (at, line) in lines.iter().enumerate() {
                let begins = begins && at == 0;
                writer.record(begins, 0, line, |_, _| (), &mut Vec::new(), &mut out);
            }
            let rejects = answers.rejects();
            let first = rejects.iter().take(SHOWN);
            let first = first.map(|reject| (records.line(reject.record), reject.reason));
            let done = (count as u64, rejects.len() as u64, first.collect());
            spare.lock().expect("nobody panics with it").push(records);
            done
        },
        |report, (count, rejected, first): (u64, u64, Vec<(u64, Reason)>)| {
            for (line, reason) in first {
                report.complain(&name, line, reason.name(), &reason.to_string());
            }
            failed += rejected;
            report.advance(count, count);
            Ok(())
        },
    );
    let done = done.map_err(|error| job::with_place(error, |lot| blocks.tell(&name, lot)));
    let (puzzles, announced) = (blocks.puzzles(), blocks.reader.announced());
    drop(blocks);
    job::unless_changed(done, &input)?;
    job::deliver([input], [output])?;
    job.warn_if_empty(puzzles, "puzzles");
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
    records: Records,
}

/// The puzzles of a file, chunk by chunk.
struct Blocks<'i> {
    chunks: Chunks<'i>,
    reader: BlockReader,
    /// How many puzzles there were, up to the end of each lot.
    ends: Vec<u64>,
    ended: bool,
    /// Memory of lots that are done with.
    spare: &'i Mutex<Vec<Records>>,
}

impl Iterator for Blocks<'_> {
    type Item = Result<Lot, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let spare = self.spare.lock().expect("nobody panics with it").pop();
        let mut records = spare.unwrap_or_default();
        records.clear();
        while records.is_empty() && !self.ended {
            match self.chunks.next() {
                Some(Ok(mut chunk)) => self.reader.read(chunk.bytes(), &mut records),
                Some(Err(error)) => return Some(Err(error)),
                None => {
                    self.ended = true;
                    self.reader.finish(&mut records);
                }
            }
        }
        if records.is_empty() {
            return None;
        }
        let begins = self.ends.is_empty();
        self.ends.push(self.puzzles() + records.len() as u64);
        Some(Ok(Lot { begins, records }))
    }
}

impl Blocks<'_> {
    /// How many puzzles there were.
    fn puzzles(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// That a thread panicked, and at which puzzles: those of a lot, or those to be read.
    fn tell(&self, name: &str, lot: u64) -> String {
        let end = |lot: Option<usize>| lot.and_then(|lot| self.ends.get(lot).copied());
        let before = end((lot as usize).checked_sub(1)).unwrap_or(0);
        match end(Some(lot as usize)) {
            Some(end) => {
                let puzzles = job::numbers("puzzle", before, end - before);
                format!("{name}: a thread panicked at {puzzles}")
            }
            None => format!("{name}: a thread panicked after {before} puzzles"),
        }
    }
}
