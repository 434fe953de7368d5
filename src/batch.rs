//! Text to text: lines of puzzles to lines of solutions, one for each record
//! and in its order, with a reason for every record that is not solved.
//!
//! ```
//! use sudoku_batch::{Batch, Question, Solver, solve::NO_SOLUTION};
//! let text = b"# two records
//! 4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8
//! 4..52.7.4
//! ";
//! let mut batch = Batch::new(Solver::new());
//! let records = batch.read(text);
//! let mut lines = vec![NO_SOLUTION; records.count()];
//! let tally = records.solve(Question::Unique, &mut lines, |reject| {
//!     assert_eq!((reject.line, reject.reason.name()), (3, "malformed"));
//!     assert_eq!(reject.record, b"4..52.7.4");
//! });
//! assert_eq!((tally.records, tally.solved(), tally.lines), (2, 1, 3));
//! assert!(lines[0].starts_with(b"496528713"));
//! assert_eq!(lines[1], NO_SOLUTION);
//! ```

use crate::{
    format::{
        ParseError,
        line::{Line, normalized, read_lines},
    },
    grid::{CELLS, Conflict, GridLine, HouseKind},
    solve::{NO_SOLUTION, Question, Solver},
};
use std::fmt;

/// Why a record is not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// It is not 81 cells.
    Malformed(ParseError),
    /// A digit stands twice in a row, column or box.
    Duplicate(Conflict),
    /// No grid fits its clues.
    NoSolution,
    /// More than one grid fits, and only one was to.
    Multiple,
}

impl Reason {
    /// How many names there are.
    pub const KINDS: usize = 6;

    /// The names, as they are spelt in every output.
    pub const NAMES: [&'static str; Self::KINDS] = [
        "malformed",
        "row-duplicate",
        "column-duplicate",
        "box-duplicate",
        "no-solution",
        "multiple",
    ];

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
        }
    }

    /// Its name.
    pub const fn name(&self) -> &'static str {
        Self::NAMES[self.kind()]
    }
}

/// The detail that the name leaves open: where a line is malformed and what
/// stood there, which digit stands twice and where. Empty for the others.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed(error) => error.fmt(f),
            Self::Duplicate(conflict) => conflict.fmt(f),
            Self::NoSolution | Self::Multiple => Ok(()),
        }
    }
}

/// A record that is not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reject<'a> {
    /// Its line in the text, from 1.
    pub line: u64,
    /// Why.
    pub reason: Reason,
    /// The line as it was read, without its end.
    pub record: &'a [u8],
}

/// Counts of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Lines, with and without a record.
    pub lines: u64,
    /// Records.
    pub records: u64,
    /// Records that are solved and have several solutions.
    pub several: u64,
    /// Records that are not solved, by [`Reason::kind`].
    pub rejected: [u64; Reason::KINDS],
}

impl Tally {
    /// Records that are solved.
    pub fn solved(&self) -> u64 {
        self.records - self.rejected.iter().sum::<u64>()
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.lines += other.lines;
        self.records += other.records;
        self.several += other.several;
        for (sum, n) in self.rejected.iter_mut().zip(other.rejected) {
            *sum += n;
        }
    }
}

/// A solver and the memory to feed it from text, used again from one text to
/// the next: make one for each thread and keep it.
#[derive(Debug)]
pub struct Batch {
    solver: Solver,
    cells: Vec<[u8; CELLS]>,
    counts: Vec<u64>,
}

impl Batch {
    /// Text to text with this solver.
    pub fn new(solver: Solver) -> Self {
        Self {
            solver,
            cells: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// The solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Finds the records of a text of whole lines.
    pub fn read<'a>(&mut self, text: &'a [u8]) -> Records<'_, 'a> {
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        let mut lines = 0;
        for (line, _) in read_lines(text) {
            lines += 1;
            match line {
                Line::Cells(record) => cells.push(*record),
                Line::Skipped => {}
                Line::Rewritten(puzzle) => cells.push(*puzzle.as_ascii()),
                Line::Malformed(_) => cells.push(UNSOLVABLE),
            }
        }
        Records {
            batch: self,
            text,
            cells,
            lines,
        }
    }
}

/// What the solver is given in place of a malformed record: it takes no search
/// to see that this has no solution.
const UNSOLVABLE: [u8; CELLS] = [b'1'; CELLS];

/// The records of a text, ready to be solved.
#[derive(Debug)]
pub struct Records<'b, 'a> {
    batch: &'b mut Batch,
    text: &'a [u8],
    cells: Vec<[u8; CELLS]>,
    lines: u64,
}

impl Records<'_, '_> {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.cells.len()
    }

    /// Solves them: the solution of record i, or 81 points, and a line feed go
    /// to `lines[i]`. A record is solved when it has a solution, and under any
    /// question but [`Question::Solution`] only one. Those that are not are handed
    /// to `on_reject`, in order.
    ///
    /// # Panics
    ///
    /// When `lines` are not as many as there are records.
    pub fn solve(
        self,
        question: Question,
        lines: &mut [GridLine],
        mut on_reject: impl FnMut(Reject<'_>),
    ) -> Tally {
        let Batch {
            solver,
            cells: spare,
            counts,
        } = self.batch;
        let cells = self.cells;
        counts.clear();
        counts.resize(cells.len(), 0);
        solver.solve_lines(question, &cells, lines, counts);
        *spare = cells;
        let mut tally = Tally {
            lines: self.lines,
            records: counts.len() as u64,
            several: 0,
            rejected: [0; Reason::KINDS],
        };
        if counts.iter().all(|&count| count == 1) {
            return tally;
        }
        // Reading the text again costs less than keeping, for all records,
        // what only rejected ones need.
        let mut solved = counts.iter().zip(lines);
        for (number, (line, record)) in read_lines(self.text).enumerate() {
            let reason = match line {
                Line::Skipped => continue,
                Line::Malformed(error) => Some(Reason::Malformed(error)),
                Line::Cells(_) | Line::Rewritten(_) => None,
            };
            let (&count, solution) = solved.next().expect("a count for each record");
            let reason = match (reason, count) {
                (Some(malformed), _) => malformed,
                (None, 1) => continue,
                (None, 0) => why_unsolvable(line),
                (None, _) if question == Question::Solution => {
                    tally.several += 1;
                    continue;
                }
                (None, _) => Reason::Multiple,
            };
            *solution = NO_SOLUTION;
            tally.rejected[reason.kind()] += 1;
            on_reject(Reject {
                line: number as u64 + 1,
                reason,
                record,
            });
        }
        tally
    }
}

/// Why a puzzle has no solution. Looked for only now: clues that contradict
/// each other need no search, but to look at all puzzles for them does.
fn why_unsolvable(line: Line<'_>) -> Reason {
    let puzzle = match line {
        Line::Cells(cells) => normalized(cells),
        Line::Rewritten(puzzle) => puzzle,
        Line::Skipped | Line::Malformed(_) => unreachable!("only puzzles are solved"),
    };
    match puzzle.conflict() {
        Some(conflict) => Reason::Duplicate(conflict),
        None => Reason::NoSolution,
    }
}
