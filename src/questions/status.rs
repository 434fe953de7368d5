//! How many solutions a record has, and why a record fails.

use super::{Answer, Counts};
use crate::{
    dataset::Score,
    format::ParseError,
    grid::{AnyPuzzle, BatchPuzzle, Cell, Conflict, Grid, HouseKind, Puzzle},
    name::named,
    words::{counted, said},
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
        /// A valid grid, where records are checked as solved grids.
        Valid = "valid",
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
    /// that [`SolveSettings::max_guesses`](super::SolveSettings::max_guesses) allows.
    GaveUp(u64),
    /// The searches for its chains need more work than this, the most that
    /// [`RateSettings::max_work`](super::RateSettings::max_work) allows.
    TooMuchWork(u64),
    /// Its clues have more sets than this, the most that are taken out of it.
    TooManySets(u64),
    /// It has fewer clues than this, the number that is taken out of it, and this status.
    TooFewClues(u8, Status),
    /// It has this number of redundant clues.
    NotMinimal(u32),
    /// It is given by candidates, and this number of the missing ones are redundant.
    NotMinimalCandidates(u32),
    /// The answer to it is not its solution.
    WrongAnswer {
        /// The blank cells of the record that the answer does not have right.
        wrong_blanks: u32,
        /// The clues of the record that the answer does not have.
        changed_clues: u32,
    },
    /// The answer beside it is no solution of it: this cell of the answer is blank or does not fit the
    /// record. Without a cell the answer is no valid grid. Nothing says how many solutions the record has.
    OtherAnswer(Option<Cell>),
    /// The text beside it that should be its answer is not 81 cells.
    MalformedAnswer,
    /// Two answers beside it differ.
    DifferentAnswers,
    /// A text beside it, which is not named as its answer, is a solution of it.
    UnnamedAnswer,
    /// The text beside it has no grid that counts.
    NoGrid {
        /// True if it has several where there is to be one.
        several: bool,
    },
    /// Its first cell does not hold the digit that is asked for.
    OtherFirstDigit,
    /// It is equal to the record with this number, counted from 1.
    Repeated(u64),
}

impl From<Score> for Reason {
    fn from(score: Score) -> Self {
        Self::WrongAnswer {
            wrong_blanks: score.wrong_blanks,
            changed_clues: score.changed_clues,
        }
    }
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
    pub fn from_unsolvable(puzzle: impl BatchPuzzle) -> Self {
        match puzzle.into().clues().conflict() {
            Some(conflict) => Self::Duplicate(conflict),
            None => Self::NoSolution,
        }
    }

    /// Why an answer does not belong to a puzzle: the one rule for sets that people train with. It takes
    /// no solver. An answer without a digit stands for none, and gives no reason.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, Reason};
    /// let puzzle: Puzzle =
    ///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
    /// let answer = "496528713875143692132967854314289576729654381568731429687492135943815267251376948";
    /// let reason = |answer: &str| Ok::<_, sudoku_batch::ParseError>(
    ///     Reason::of_answer(&puzzle.into(), &answer.parse()?).map(|reason| reason.to_string()),
    /// );
    /// assert_eq!(reason(answer)?, None);
    /// assert_eq!(reason(&answer.replace('6', "."))?.unwrap(), "r1c3 does not fit the puzzle");
    /// assert_eq!(reason(&answer.replacen("49", "48", 1))?.unwrap(), "it breaks a rule of Sudoku");
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn of_answer(puzzle: &AnyPuzzle, answer: &Puzzle) -> Option<Self> {
        let candidates = puzzle.candidates().cells();
        let fits = |cell: &Cell| {
            let digit = answer.get(*cell);
            digit.is_some_and(|digit| candidates[cell.index()].contains(digit))
        };
        if Grid::from_ascii(answer.as_ascii()).is_ok_and(|grid| grid.is_solution_of(puzzle))
            || *answer == Puzzle::EMPTY
        {
            return None;
        }
        Some(Self::OtherAnswer(Cell::all().find(|cell| !fits(cell))))
    }

    /// The status of a record that fails for this reason. A grid with another first digit, and a
    /// repeated one, are valid grids. The other reasons from [`NotMinimal`](Self::NotMinimal) on are for
    /// records that have a solution.
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
            Self::GaveUp(_) | Self::TooMuchWork(_) | Self::TooManySets(_) => Status::GaveUp,
            Self::TooFewClues(_, status) => *status,
            Self::NotMinimal(_)
            | Self::NotMinimalCandidates(_)
            | Self::WrongAnswer { .. }
            | Self::OtherAnswer(_)
            | Self::MalformedAnswer
            | Self::DifferentAnswers
            | Self::UnnamedAnswer
            | Self::NoGrid { .. } => Status::Unique,
            Self::OtherFirstDigit | Self::Repeated(_) => Status::Valid,
        }
    }

    /// Its name, spelt the same in every output.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::TooFewClues(..) => "too-few-clues",
            Self::NotMinimal(_) | Self::NotMinimalCandidates(_) => "not-minimal",
            Self::WrongAnswer { .. }
            | Self::OtherAnswer(_)
            | Self::MalformedAnswer
            | Self::DifferentAnswers
            | Self::UnnamedAnswer => "wrong-answer",
            Self::NoGrid { .. } => "no-grid",
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
            Self::GaveUp(most) => write!(f, "it needs more than {}", counted(*most, "guesses")),
            Self::TooMuchWork(most) => write!(f, "its chains need more work than {most}"),
            Self::TooManySets(most) => {
                write!(f, "its clues have more than {}", counted(*most, "sets"))
            }
            Self::TooFewClues(drop, _) => {
                write!(f, "it has fewer than {}", counted((*drop).into(), "clues"))
            }
            Self::NotMinimal(clues) => write_redundant(f, *clues, "clues"),
            Self::NotMinimalCandidates(missing) => {
                write_redundant(f, *missing, "missing candidates")
            }
            Self::WrongAnswer {
                wrong_blanks,
                changed_clues,
            } => {
                let wrong = counted((*wrong_blanks).into(), "wrong cells");
                let changed = counted((*changed_clues).into(), "changed clues");
                write!(f, "{wrong}, {changed}")
            }
            Self::OtherAnswer(Some(cell)) => write!(f, "{cell} does not fit the puzzle"),
            Self::NoGrid { several: false } => f.write_str("the text has no grid"),
            Self::NoGrid { several: true } => f.write_str("the text has several grids"),
            Self::OtherAnswer(None) => f.write_str("it breaks a rule of Sudoku"),
            Self::MalformedAnswer => f.write_str("its answer is not 81 cells"),
            Self::UnnamedAnswer => f.write_str("its solution is in a column of other values"),
            Self::DifferentAnswers => f.write_str("it has two answers that differ"),
            Self::Repeated(first) => write!(f, "the same as record {first} of all, counted from 1"),
        }
    }
}

fn write_redundant(f: &mut fmt::Formatter<'_>, count: u32, what: &str) -> fmt::Result {
    let count = count.into();
    let (things, are) = (counted(count, what), said(count, "are"));
    write!(f, "{things} {are} redundant")
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
    /// Takes the memory of an answer that is empty.
    pub(super) fn of(answer: &mut Answer<'_>) -> Self {
        Self {
            statuses: std::mem::take(&mut answer.statuses),
            rejects: std::mem::take(&mut answer.rejects),
            tally: Default::default(),
        }
    }

    /// Gives an answer the statuses and the rejects, and takes its memory.
    pub(super) fn swap(&mut self, answer: &mut Answer<'_>) {
        std::mem::swap(&mut self.statuses, &mut answer.statuses);
        std::mem::swap(&mut self.rejects, &mut answer.rejects);
    }

    /// Gives an answer the statuses, the rejects and the counts.
    pub(super) fn give(self, answer: &mut Answer<'_>) {
        answer.counts += self.counts();
        (answer.statuses, answer.rejects) = (self.statuses, self.rejects);
    }

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

    /// The counts of records that are checked as solved grids: `valid` comes first.
    pub(super) fn counts_of_grids(&self) -> Counts {
        let mut counts = Counts::default();
        counts.add(Status::Valid.name(), self.tally[Status::Valid as usize]);
        counts += self.counts().without(&["unique", "multiple"]);
        counts
    }
}
