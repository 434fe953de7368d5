//! Code shared by the commands on sets of puzzles: whether each record has one solution,
//! and which.

use super::stream::{Lot, Rows};
use std::path::PathBuf;
use sudoku_batch::{
    Batch, Grid, Puzzle, Question, Solver,
    batch::{Answers, Tally},
    grid::GridLine,
    solve::NO_SOLUTION,
};

/// A solver and the memory for its answers. Each thread keeps one.
pub(crate) struct Uniqueness {
    batch: Batch,
    lines: Vec<GridLine>,
}

impl Uniqueness {
    pub(crate) fn new() -> Self {
        Self {
            batch: Batch::new(Solver::new()),
            lines: Vec::new(),
        }
    }

    /// Which records have one solution, and which.
    pub(crate) fn of(&mut self, lot: &Lot<'_>) -> Solved<'_> {
        self.lines.resize(lot.records.len(), NO_SOLUTION);
        let answers = (self.batch).solve(lot.records, Question::Unique, &mut self.lines);
        Solved {
            answers,
            lines: &self.lines,
        }
    }
}

/// The answers to a batch.
pub(crate) struct Solved<'u> {
    pub(crate) answers: Answers<'u>,
    lines: &'u [GridLine],
}

impl Solved<'_> {
    /// The only solution of a record, if it has one.
    pub(crate) fn solution(&self, record: usize) -> Option<Grid> {
        Grid::from_ascii(self.lines[record].first_chunk().expect("81 of 82"))
    }

    /// A record with one solution, and this solution.
    pub(crate) fn pair(&self, lot: &Lot<'_>, record: usize) -> Option<(Puzzle, Grid)> {
        let solution = self.solution(record)?;
        let puzzle = lot.records.puzzle(record);
        Some((puzzle.expect("it has a solution"), solution))
    }

    /// The name of the status of a record.
    pub(crate) fn status(&self, record: usize) -> &'static str {
        self.answers.status(record).name()
    }

    /// Reports the records that do not have one solution.
    pub(crate) fn tell(&self, rows: &mut Rows<'_>) {
        for reject in self.answers.rejects() {
            rows.reject(reject.record, reject.reason.name(), reject.reason);
        }
    }
}

/// The counts of a summary: `unique`, and the reasons why other records are not.
pub(crate) fn statuses(tally: &Tally) -> Vec<(&'static str, u64)> {
    std::iter::once(("unique", tally.solved()))
        .chain(tally.rejected())
        .collect()
}

/// A destination for output that is discarded.
pub(crate) fn nowhere() -> PathBuf {
    match cfg!(windows) {
        true => "NUL",
        false => "/dev/null",
    }
    .into()
}
