//! `sudoku-batch solve`.

use super::{
    checker::{Checker, Wrong},
    job::SHOWN,
    stream::{self, Done, Lot, Made, RecordCommand, Rows, added},
    summary::Summary,
};
use crate::cli::solve::Solve;
use std::{ops::AddAssign, process::ExitCode};
use sudoku_batch::{
    Batch, Engine, Level, Puzzle, Question, Solver,
    batch::{Answers, Status, Tally},
    format::{Added, Layout, Values},
    solve::gives_up,
};

/// Solves files.
pub(crate) fn run(options: &Solve) -> anyhow::Result<ExitCode> {
    if let Err(error) = options.check() {
        return super::tell(&error);
    }
    stream::run(command(options), &options.records)
}

/// The command, for the driver.
pub(super) fn command(options: &Solve) -> impl RecordCommand {
    Solving { options }
}

/// The command, as the driver knows it.
struct Solving<'o> {
    options: &'o Solve,
}

/// The counts, and the engines that were used.
#[derive(Default)]
struct Total {
    tally: Tally,
    engines: Vec<Engine>,
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.tally += other.tally;
        for engine in other.engines {
            if !self.engines.contains(&engine) {
                self.engines.push(engine);
            }
        }
    }
}

impl Solving<'_> {
    fn question(&self) -> Question {
        match self.options.unique {
            true => Question::Unique,
            false => Question::Solution,
        }
    }
}

impl RecordCommand for Solving<'_> {
    type Kept = Batch;
    type Total = Total;

    fn columns(&mut self, _: &Layout) -> anyhow::Result<Vec<Added>> {
        Ok(vec![
            added(&self.options.solution.solution_column, Values::Cells),
            added(&self.options.status.status_column, Values::Text),
        ])
    }

    fn keep(&self) -> Batch {
        let batch = Batch::new(solver(self.options));
        match self.options.max_guesses {
            Some(most) => batch.with_max_guesses(most),
            None => batch,
        }
    }

    fn verifies(&self) -> bool {
        self.options.verify
    }

    fn verify(&self, checker: &mut Checker, lot: &Lot<'_>, made: &Made<'_>) -> Result<(), Wrong> {
        let engine = solver(self.options).engine_for(lot.records.len());
        let is_unsolved = |puzzle: &Puzzle, count| {
            let is_given_up = |most| gives_up(puzzle, self.question(), most);
            count == 0
                || count > 1 && self.options.unique
                || self.options.max_guesses.is_some_and(is_given_up)
        };
        checker.solved(engine, lot.records, made.lines(), is_unsolved)
    }

    fn answer(&self, batch: &mut Batch, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        let answers = batch.solve(lot.records, self.question(), rows.lines());
        for reject in answers.rejects() {
            rows.reject(reject.record, reject.reason.name(), reject.reason);
        }
        if rows.wants_values() {
            add_statuses(&answers, rows);
        }
        let tally = answers.tally();
        let engine = batch.solver().engine_for(lot.records.len());
        Total {
            tally,
            engines: Vec::from_iter((tally.records > 0).then_some(engine)),
        }
    }

    fn summary(&self, total: &Total, done: &Done) -> Summary {
        let tally = total.tally;
        let failed = tally.records - tally.solved();
        let engines: Vec<_> = total.engines.iter().map(|engine| engine.name()).collect();
        // The scalar engine has no level.
        let level = match total.engines.contains(&Engine::Sliced) {
            true => solver(self.options).level().name(),
            false => "",
        };
        let facts = [("engine", engines.join("+")), ("level", level.into())];
        Summary {
            total: ("records", tally.records),
            among_first: Vec::new(),
            counts: statuses(&tally),
            unit: "puzzles",
            facts: facts.into_iter().chain(done.facts()).collect(),
            failed,
            failure: if failed > SHOWN as u64 && !done.has_rejects {
                "not solved; --rejects FILE lists them all"
            } else {
                "not solved"
            },
        }
    }
}

/// Adds a row for each record. The solution is already there, so only the status is added.
fn add_statuses(answers: &Answers<'_>, rows: &mut Rows<'_>) {
    for record in 0..answers.tally().records as usize {
        rows.row(record).value(answers.status(record).name());
    }
}

/// How many records have each status.
fn statuses(tally: &Tally) -> Vec<(&'static str, u64)> {
    let unique = (Status::Solved.name(), tally.solved() - tally.several);
    // With `--unique` these are rejected, and without it they are solved.
    let (multiple, others): (Vec<_>, Vec<_>) = tally
        .rejected()
        .partition(|(name, _)| *name == Status::Several.name());
    let rejected: u64 = multiple.iter().map(|(_, count)| count).sum();
    let multiple = (Status::Several.name(), tally.several + rejected);
    [unique, multiple].into_iter().chain(others).collect()
}

/// The solver for the options.
fn solver(options: &Solve) -> Solver {
    let level = options.level.unwrap_or_else(Level::detect);
    let solver = Solver::with_level(level).expect("the level was checked with the flags");
    match options.engine.0 {
        Some(engine) => solver.with_engine(engine),
        None => solver,
    }
}
