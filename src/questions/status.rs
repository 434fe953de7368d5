//! How many solutions a record has, and why a record fails.

use super::Counts;
use crate::{
    dataset::Score,
    format::ParseError,
    grid::{AnyPuzzle, Conflict, HouseKind, Puzzle},
    name::named,
};
use std::fmt;

named! {
    /// How many solutions a record has, or why that is not known. Every summary and table uses the
    /// order of [`Status::ALL`].
    ///
    /// ```
    /// use sudoku_batch::questions::Status;
    /// assert_eq!(Status::RowDuplicate.name(), "row-duplicate");
    /// assert_eq!(Status::ALL[Status::Malformed as usize], Status::Malformed);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    pub enum Status, a "status" {
        /// Exactly one solution.
        Unique = "unique",
        /// Several solutions.
        Multiple = "multiple",
        /// The record is not 81 cells.
        Malformed = "malformed",
        /// No solution: a digit stands twice in a row.
        RowDuplicate = "row-duplicate",
        /// No solution: a digit stands twice in a column.
        ColumnDuplicate = "column-duplicate",
        /// No solution: a digit stands twice in a box.
        BoxDuplicate = "box-duplicate",
        /// No solution, which takes a search to see.
        NoSolution = "no-solution",
        /// The limit of guesses or of work ended the search.
        GaveUp = "gave-up",
    }
}

/// Why a record fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// It is not 81 cells.
    Malformed(ParseError),
    /// A digit stands twice in a row, column or box.
    Duplicate(Conflict),
    /// No grid fits its clues.
    NoSolution,
    /// More than one grid fits, and the question asks for a single solution.
    Multiple,
    /// The [reference search](crate::solve::guesses) needs more guesses than this, the most
    /// that [`Solve::with_max_guesses`](super::Solve::with_max_guesses) allows.
    GaveUp(u64),
    /// The searches for its chains need more work than this, the most that
    /// [`Rate::with_max_work`](super::Rate::with_max_work) allows.
    TooMuchWork(u64),
    /// It has this number of redundant clues.
    NotMinimal(u32),
    /// It is given by candidates, and this number of the missing ones are redundant.
    NotMinimalCandidates(u32),
    /// The answer to it is not its solution.
    WrongAnswer(Score),
    /// Its first cell does not hold the digit that is asked for.
    OtherFirstDigit,
    /// It is equal to the record with this number, counted from 1.
    Repeated(u64),
}

impl Reason {
    /// Why a puzzle without a solution has none: two clues that contradict each other, or
    /// something that takes a search to see. Looking for such clues costs time, so ask only
    /// for puzzles that are known to have no solution.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, Reason};
    /// let puzzle: Puzzle = format!("11{}", ".".repeat(79)).parse()?;
    /// assert_eq!(Reason::from_unsolvable(&puzzle).name(), "row-duplicate");
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn from_unsolvable(puzzle: &Puzzle) -> Self {
        match puzzle.conflict() {
            Some(conflict) => Self::Duplicate(conflict),
            None => Self::NoSolution,
        }
    }

    /// The same for a puzzle that is given in either way: the clues are the cells with one candidate.
    pub(super) fn from_any_unsolvable(puzzle: &AnyPuzzle) -> Self {
        Self::from_unsolvable(&puzzle.clues())
    }

    /// The status of a record that fails for this reason. The last four reasons of the enum are for
    /// records that have one solution.
    pub const fn status(&self) -> Status {
        match self {
            Self::Malformed(_) => Status::Malformed,
            Self::Duplicate(conflict) => match conflict.house {
                HouseKind::Row => Status::RowDuplicate,
                HouseKind::Column => Status::ColumnDuplicate,
                HouseKind::Box => Status::BoxDuplicate,
            },
            Self::NoSolution => Status::NoSolution,
            Self::Multiple => Status::Multiple,
            Self::GaveUp(_) | Self::TooMuchWork(_) => Status::GaveUp,
            Self::NotMinimal(_)
            | Self::NotMinimalCandidates(_)
            | Self::WrongAnswer(_)
            | Self::OtherFirstDigit
            | Self::Repeated(_) => Status::Unique,
        }
    }

    /// Its name, spelt the same in every output.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NotMinimal(_) | Self::NotMinimalCandidates(_) => "not-minimal",
            Self::WrongAnswer(_) => "wrong-answer",
            Self::OtherFirstDigit => "other-first-digit",
            Self::Repeated(_) => "repeated",
            _ => self.status().name(),
        }
    }
}

/// The detail, such as the column where a line is malformed and what stands there, or the digit
/// that stands twice and its two cells. Some reasons have none.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => error.fmt(f),
            Self::Duplicate(conflict) => conflict.fmt(f),
            Self::NoSolution | Self::Multiple | Self::OtherFirstDigit => Ok(()),
            Self::GaveUp(most) => write!(f, "it needs more than {most} guesses"),
            Self::TooMuchWork(most) => write!(f, "its chains need more work than {most}"),
            Self::NotMinimal(clues) => write!(f, "{clues} clues are redundant"),
            Self::NotMinimalCandidates(missing) => {
                write!(f, "{missing} missing candidates are redundant")
            }
            Self::WrongAnswer(score) => {
                let (wrong, changed) = (score.wrong_blanks, score.changed_clues);
                write!(f, "{wrong} wrong cells, {changed} changed clues")
            }
            Self::Repeated(first) => write!(f, "the same as record {first} of all, counted from 1"),
        }
    }
}

/// A record that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reject {
    /// Its number among the records, from 0.
    pub record: usize,
    /// Why.
    pub reason: Reason,
}

/// The statuses and rejects of a batch, as they come.
#[derive(Debug, Default)]
pub(super) struct StatusColumn {
    pub(super) statuses: Vec<Status>,
    pub(super) rejects: Vec<Reject>,
    tally: [u64; Status::ALL.len()],
}

impl StatusColumn {
    pub(super) fn clear(&mut self) {
        self.statuses.clear();
        self.rejects.clear();
        self.tally = Default::default();
    }

    /// Adds the next record: its status, or the reason why it fails.
    pub(super) fn push(&mut self, answer: Result<Status, Reason>) {
        let record = self.statuses.len();
        let reason = answer.err();
        self.rejects
            .extend(reason.map(|reason| Reject { record, reason }));
        let status = answer.unwrap_or_else(|reason| reason.status());
        self.statuses.push(status);
        self.tally[status as usize] += 1;
    }

    /// Adds a record that is counted already.
    pub(super) fn continued(&mut self, status: Status) {
        self.statuses.push(status);
    }

    pub(super) fn counts(&self) -> Counts {
        Counts::of_statuses(&self.tally, self.tally[Status::GaveUp as usize] > 0)
    }
}
