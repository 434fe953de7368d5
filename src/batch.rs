//! Records to answers: a line and a status for each record, in its order, with
//! a reason for every record that is not solved.
//!
//! ```
//! use sudoku_batch::{
//!     Batch, Question, Solver,
//!     batch::Status,
//!     format::{Records, line},
//!     solve::NO_SOLUTION,
//! };
//! let text = b"# two records
//! 4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8
//! 4..52.7.4
//! ";
//! let mut records = Records::default();
//! line::read(text, &mut records);
//! let mut lines = vec![NO_SOLUTION; records.len()];
//! let mut batch = Batch::new(Solver::new());
//! let answers = batch.solve(&records, Question::Solution, &mut lines);
//! assert_eq!((answers.tally().records, answers.tally().solved()), (2, 1));
//! assert_eq!(answers.status(0), Status::Solved);
//! assert!(lines[0].starts_with(b"496528713"));
//! let reject = answers.rejects()[0];
//! assert_eq!((reject.record, reject.reason.name()), (1, "malformed"));
//! assert_eq!((records.line(1), records.text(1)), (3, &b"4..52.7.4"[..]));
//! assert_eq!(lines[1], NO_SOLUTION);
//! ```

use crate::{
    format::{ParseError, Records, UNSOLVABLE},
    grid::{CELLS, Conflict, GridLine, HouseKind, Puzzle},
    solve::{Question, Solver, guesses, reference_answer},
};
use std::fmt;

/// Why a record is not solved.
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
    /// that [`Batch::with_max_guesses`] allows.
    GaveUp(u64),
}

impl Reason {
    /// The names, spelt the same in every output. Later versions may add names.
    pub const NAMES: &'static [&'static str] = &[
        "malformed",
        "row-duplicate",
        "column-duplicate",
        "box-duplicate",
        "no-solution",
        "multiple",
        "gave-up",
    ];

    /// Counts by [`Reason::kind`] with their names. `gave-up` is left out if there is none,
    /// because it can only come of a limit that the user sets.
    pub fn counts(counts: [u64; Self::NAMES.len()]) -> impl Iterator<Item = (&'static str, u64)> {
        let all = Self::NAMES.iter().copied().zip(counts);
        all.filter(|&(name, count)| name != "gave-up" || count > 0)
    }

    /// Why a puzzle without a solution has none: two clues that contradict each other, or
    /// something that takes a search to see. Looking for such clues costs time, so ask only
    /// for puzzles that are known to have no solution.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, Reason};
    /// let puzzle: Puzzle = format!("11{}", ".".repeat(79)).parse()?;
    /// assert_eq!(Reason::of_unsolvable(&puzzle).name(), "row-duplicate");
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn of_unsolvable(puzzle: &Puzzle) -> Self {
        match puzzle.conflict() {
            Some(conflict) => Self::Duplicate(conflict),
            None => Self::NoSolution,
        }
    }

    /// Its place in [`Reason::NAMES`].
    pub const fn kind(&self) -> usize {
        match self {
            Self::Malformed(_) => 0,
            Self::Duplicate(conflict) => match conflict.house {
                HouseKind::Row => 1,
                HouseKind::Column => 2,
                HouseKind::Box => 3,
            },
            Self::NoSolution => 4,
            Self::Multiple => 5,
            Self::GaveUp(_) => 6,
        }
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        Self::NAMES[self.kind()]
    }
}

/// The detail: the column where a line is malformed and what stands there, the digit that
/// stands twice and its two cells, or the limit of guesses. Other reasons have none.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => error.fmt(f),
            Self::Duplicate(conflict) => conflict.fmt(f),
            Self::NoSolution | Self::Multiple => Ok(()),
            Self::GaveUp(most) => write!(f, "it needs more than {most} guesses"),
        }
    }
}

/// Counts of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tally {
    /// Records.
    pub records: u64,
    /// Records that are solved and have several solutions.
    pub several: u64,
    /// Records that are not solved, by [`Reason::kind`].
    rejected: [u64; Reason::NAMES.len()],
}

impl Tally {
    /// Records that are solved.
    pub fn solved(&self) -> u64 {
        self.records - self.rejected.iter().sum::<u64>()
    }

    /// How many records are not solved for each reason, with its name, in the
    /// order of [`Reason::NAMES`]: see [`Reason::counts`].
    pub fn rejected(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Reason::counts(self.rejected)
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.several += other.several;
        for (sum, n) in self.rejected.iter_mut().zip(other.rejected) {
            *sum += n;
        }
    }
}

/// The outcome of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// It is solved, and has no other solution.
    Solved,
    /// It has several solutions, and the smallest is given.
    Several,
    /// It is not solved.
    Rejected(Reason),
}

impl Status {
    /// Its name, as it is spelt in every output: `unique`, `multiple`, or that of the
    /// [`Reason`].
    ///
    /// ```
    /// use sudoku_batch::batch::Status;
    /// assert_eq!(Status::Solved.name(), "unique");
    /// ```
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Solved => "unique",
            Self::Several => "multiple",
            Self::Rejected(reason) => reason.name(),
        }
    }
}

/// A record that is not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reject {
    /// Its number among the records, from 0.
    pub record: usize,
    /// Why.
    pub reason: Reason,
}

/// A solver and the memory for its answers. The next batch of records uses that memory
/// again, so make one for each thread and keep it.
#[derive(Debug)]
pub struct Batch {
    solver: Solver,
    max_guesses: Option<u64>,
    /// The cells to solve, if some record is given up.
    cells: Vec<[u8; CELLS]>,
    counts: Vec<u64>,
    rejects: Vec<Reject>,
}

impl Batch {
    /// Answers of this solver.
    pub fn new(solver: Solver) -> Self {
        Self {
            solver,
            max_guesses: None,
            cells: Vec::new(),
            counts: Vec::new(),
            rejects: Vec::new(),
        }
    }

    /// Gives up on each puzzle for which the reference search needs more guesses than
    /// `most`. The reference search alone decides, so the answer to a record depends neither
    /// on its neighbours nor on the engine.
    ///
    /// It bounds the time of each record: [`Question::Solution`] and [`Question::Unique`] are
    /// answered by the reference search, and no engine is asked. A puzzle that takes the
    /// reference search a few guesses can take an engine very long. The smallest of several
    /// solutions takes up to 648 more searches of `most` guesses each, and a puzzle for which
    /// one of them needs more is given up, too.
    ///
    /// ```
    /// use sudoku_batch::{Batch, Question, Solver, batch::Reason, format::{Records, line}};
    /// let mut records = Records::default();
    /// line::read(&[b'.'; 81], &mut records);
    /// let mut batch = Batch::new(Solver::new()).with_max_guesses(10);
    /// let answers = batch.solve(&records, Question::Unique, &mut [[0; 82]]);
    /// assert_eq!(answers.rejects()[0].reason, Reason::GaveUp(10));
    /// ```
    pub fn with_max_guesses(mut self, most: u64) -> Self {
        self.max_guesses = Some(most);
        self
    }

    /// The solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Solves records. `lines[i]` gets the solution of record i, or 81 points, and a line
    /// feed. With [`Question::Solution`] a record is solved if it has a solution. With any
    /// other question it must have exactly one.
    ///
    /// # Panics
    ///
    /// The number of `lines` is not the number of records.
    pub fn solve(
        &mut self,
        records: &Records,
        question: Question,
        lines: &mut [GridLine],
    ) -> Answers<'_> {
        let decided = self.decide(records, question);
        let Self {
            solver,
            max_guesses,
            cells,
            counts,
            rejects,
        } = self;
        let cells = match decided.is_empty() {
            true => records.cells(),
            false => cells,
        };
        rejects.clear();
        counts.clear();
        counts.resize(records.len(), 0);
        solver.solve_lines(question, cells, lines, counts);
        for &(record, answer) in &decided {
            if let Some((count, line)) = answer {
                (counts[record], lines[record]) = (count, line);
            }
        }
        let gave_up = decided.iter().filter(|(_, answer)| answer.is_none());
        let mut gave_up = gave_up.map(|(record, _)| *record).peekable();
        let mut tally = Tally {
            records: counts.len() as u64,
            ..Tally::default()
        };
        let mut malformed = records.malformed().iter().peekable();
        for (record, &count) in counts.iter().enumerate() {
            let reason = match count {
                1 => continue,
                0 => match malformed.next_if(|entry| entry.0 == record) {
                    Some(&(_, error)) => Reason::Malformed(error),
                    None => match (gave_up.next_if_eq(&record), *max_guesses) {
                        (Some(_), Some(most)) => Reason::GaveUp(most),
                        _ => {
                            let puzzle = records.puzzle(record);
                            Reason::of_unsolvable(&puzzle.expect("malformed ones were told apart"))
                        }
                    },
                },
                _ if question == Question::Solution => {
                    tally.several += 1;
                    continue;
                }
                _ => Reason::Multiple,
            };
            tally.rejected[reason.kind()] += 1;
            rejects.push(Reject { record, reason });
        }
        Answers {
            counts,
            rejects,
            tally,
        }
    }

    /// The records that the reference search decides, in order, with their counts and lines;
    /// those without are given up. If there are any, `self.cells` gets the cells of all
    /// records, with cells without a solution in place of those.
    fn decide(&mut self, records: &Records, question: Question) -> Vec<Decided> {
        let Some(most) = self.max_guesses else {
            return Vec::new();
        };
        let decide = |record: usize| -> Option<Decided> {
            let puzzle = records.puzzle(record).ok()?;
            match question {
                // An engine counts, and only those are decided that are given up.
                Question::Count(_) => guesses(&puzzle, most).is_none().then_some((record, None)),
                Question::Solution => Some((record, reference_answer(&puzzle, true, most))),
                Question::Unique => Some((record, reference_answer(&puzzle, false, most))),
            }
        };
        let decided: Vec<_> = (0..records.len()).filter_map(decide).collect();
        if !decided.is_empty() {
            self.cells.clear();
            self.cells.extend_from_slice(records.cells());
            for &(record, _) in &decided {
                self.cells[record] = UNSOLVABLE;
            }
        }
        decided
    }
}

/// A record, and the answer of the reference search if it has one.
type Decided = (usize, Option<(u64, GridLine)>);

/// The answers to a batch of records.
#[derive(Clone, Copy, Debug)]
pub struct Answers<'b> {
    counts: &'b [u64],
    rejects: &'b [Reject],
    tally: Tally,
}

impl<'b> Answers<'b> {
    /// The counts.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The records that are not solved, in order.
    pub fn rejects(&self) -> &'b [Reject] {
        self.rejects
    }

    /// The outcome of a record, by its number from 0.
    ///
    /// # Panics
    ///
    /// When there is no such record.
    pub fn status(&self, record: usize) -> Status {
        let count = self.counts[record];
        match self
            .rejects
            .binary_search_by_key(&record, |reject| reject.record)
        {
            Ok(at) => Status::Rejected(self.rejects[at].reason),
            Err(_) if count == 1 => Status::Solved,
            Err(_) => Status::Several,
        }
    }
}
