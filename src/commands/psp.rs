//! `sudoku-batch psp`.

use super::{
    checker::{self, Checker, usual_engine},
    generate::GridSet,
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
    Batch, Puzzle, Question, Reason, Solver,
    format::{Records, block::BlockReader},
    generate::Grids,
    grid::GridLine,
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
    let set = GridSet {
        grids: Grids::Sequence(options.sequence.sequence()),
        verify: options.verify,
    };
    let output = job.create(&options.out)?;
    set.write(&mut job, 0..count, MadeForm::Grid, &output)?;
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
        verify: options.verify,
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
    solve_with(options, path, |_| ())
}

/// Solves a file. `change` is done to solutions before they are checked: the tests let something
/// go wrong there.
fn solve_with(
    options: &Psp,
    path: &Path,
    change: impl Fn(&mut [GridLine]) + Sync,
) -> anyhow::Result<ExitCode> {
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
        || {
            let checker = options.verify.then(Checker::new);
            (Batch::new(Solver::new()), Vec::new(), checker)
        },
        |(batch, lines, checker), lot: Lot, out| {
            let Lot { begins, records } = lot;
            let count = records.len();
            lines.resize(count, NO_SOLUTION);
            let answers = batch.solve(&records, Question::Solution, lines);
            change(lines);
            if let Some(checker) = checker {
                let is_unsolved = |_: &Puzzle, count| count == 0;
                let checked = checker.solved(usual_engine(count), &records, lines, is_unsolved);
                checked.map_err(|wrong| (records.line(wrong.record), wrong.what))?;
            }
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
            Ok(done)
        },
        |report, done: Result<Done, (u64, String)>| {
            let (count, rejected, first) = done.map_err(|(line, what)| {
                let place = format_args!("{name}:{line}");
                checker::error(place, what)
            })?;
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

/// What came of puzzles: how many they are, how many are not solved, and the lines of the first
/// of these with the reasons.
type Done = (u64, u64, Vec<(u64, Reason)>);

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

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::fs;

    #[derive(Debug, clap::Parser)]
    struct Line {
        #[command(flatten)]
        psp: Psp,
    }

    /// Solves puzzles of which number 5,000, from 1, is the only blank one, with something done to
    /// the solutions. Returns the error, after a check that no file appears.
    fn fail(change: impl Fn(&mut [GridLine]) + Sync) -> String {
        let puzzle = "4 . . 5 2 . 7 . 3\n".repeat(9) + "\n";
        let text = puzzle.repeat(4999) + &". . . . . . . . .\n".repeat(9) + "\n" + &puzzle;
        let folder = tempfile::tempdir().unwrap();
        let [path, out] = ["puzzles", "out"].map(|name| folder.path().join(name));
        fs::write(&path, text).unwrap();
        let [path_, out_] = [&path, &out].map(|path| path.to_str().unwrap());
        let line = Line::parse_from(["psp", "-s", path_, "--out", out_, "--verify"]);
        let error = solve_with(&line.psp, &path, change).unwrap_err();
        assert!(!out.exists());
        let message = format!("{error:#}");
        message.strip_prefix(path_).expect(&message).to_owned()
    }

    /// The line of the blank puzzle: ten for each puzzle before it.
    const LINE: usize = 10 * 4999 + 1;

    #[test]
    fn a_wrong_solution_is_named() {
        let error = fail(|lines| {
            let solved = lines.iter_mut().filter(|line| line[0] != b'.');
            solved.for_each(|line| line[80] = b'0');
        });
        assert_eq!(
            error,
            format!(
                ":{LINE}: --verify found a wrong answer: r9c9 is not a digit; output files stay \
                 as they were"
            )
        );
        let error = fail(|lines| lines.fill(NO_SOLUTION));
        assert_eq!(
            error,
            format!(
                ":{LINE}: --verify found a wrong answer: no answer, but the other engine finds \
                 several solutions; output files stay as they were"
            )
        );
    }

    #[test]
    fn a_panic_names_the_puzzles() {
        let error = fail(|lines| {
            assert!(
                lines.iter().all(|line| line[0] == b'.'),
                "this panic is meant"
            );
        });
        let rest = error
            .strip_prefix(": a thread panicked at puzzles ")
            .expect(&error);
        let (first, rest) = rest.split_once(" to ").unwrap();
        let (last, rest) = rest.split_once(": ").unwrap();
        let [first, last] = [first, last].map(|number| number.parse::<usize>().unwrap());
        assert!((first..=last).contains(&5000) && last - first < 5000);
        assert_eq!(rest, "this panic is meant");
    }
}
