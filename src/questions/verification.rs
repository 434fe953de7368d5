//! A check of answers by a method that shares no code with the one that made them.
//!
//! A [`Checker`] checks grids and solutions by [`verify`](crate::verify), and puzzles without an answer with
//! the engine that did not solve them. The command uses this module for `--verify`.
//!
//! ```
//! use sudoku_batch::{Engine, format::{Records, line}, questions::verification::{Checker, line_of}};
//! let text = b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8\n";
//! let mut records = Records::default();
//! line::read(text, &mut records);
//! // The command is about to write that there is no answer.
//! let lines = [line_of(&[b'.'; 81])];
//! let mut checker = Checker::default();
//! let wrong = checker.solved(Engine::Sliced, &records, &lines, |_, count| count == 0);
//! let wrong = wrong.unwrap_err();
//! assert_eq!(wrong.record, 0);
//! assert_eq!(wrong.what, "no answer, but the other engine finds one solution");
//! ```

mod rows;

pub use rows::{Check, Part};

use crate::{
    format::{Records, UNSOLVABLE},
    grid::{AnyPuzzle, BLANK, CELLS, Candidates, Grid, GridLine, Puzzle},
    simd::Level,
    solve::{Engine, NotUniqueError, Solver},
    verify::{grid_fault, solution_fault, wrong_grid, wrong_solution},
};
use std::fmt::Display;

/// A record that is wrong: its number in the batch, from 0, and what is wrong.
#[derive(Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The number of the record.
    pub record: usize,
    /// The error.
    pub what: String,
}

impl Wrong {
    /// Takes the number and what is wrong.
    pub fn new(record: usize, what: impl Display) -> Self {
        let what = what.to_string();
        Self { record, what }
    }
}

/// The data that a thread needs for its checks.
#[derive(Debug)]
pub struct Checker {
    level: Level,
    scalar: Solver,
    sliced: Solver,
}

impl Default for Checker {
    fn default() -> Self {
        Self {
            level: Level::detect(),
            scalar: Solver::new().with_engine(Engine::Scalar),
            sliced: Solver::new().with_engine(Engine::Sliced),
        }
    }
}

impl Checker {
    /// Checks that all lines are grids.
    ///
    /// # Errors
    ///
    /// The first record that is wrong.
    pub fn grids(&self, lines: &[GridLine]) -> Result<(), Wrong> {
        match wrong_grid(self.level, lines) {
            None => Ok(()),
            Some(at) => Err(Wrong::new(at, words(grid_fault(&lines[at])))),
        }
    }

    /// Checks that each line is a solution of its puzzle, or 81 dots.
    ///
    /// # Errors
    ///
    /// The first record that is wrong.
    pub fn solutions(&self, puzzles: &[[u8; CELLS]], lines: &[GridLine]) -> Result<(), Wrong> {
        match wrong_solution(self.level, puzzles, lines) {
            None => Ok(()),
            Some(at) => {
                let fault = solution_fault(&puzzles[at], &lines[at]);
                Err(Wrong::new(at, words(fault)))
            }
        }
    }

    /// Checks that line i is a solution of the record `of[i]`, or 81 dots. Where a record is given by
    /// candidates, each digit must be one of those of its cell.
    ///
    /// # Errors
    ///
    /// The first line that is wrong, by its number.
    pub fn solutions_of(
        &self,
        records: &Records,
        of: impl Iterator<Item = usize> + Clone,
        lines: &[GridLine],
    ) -> Result<(), Wrong> {
        if let Some(cells) = records.cells()
            && of.clone().eq(0..records.len())
        {
            return self.solutions(cells, lines);
        }
        let cells: Vec<_> = (of.clone())
            .map(|record| match records.puzzle(record) {
                Ok(puzzle) => *puzzle.clues().as_ascii(),
                Err(_) => UNSOLVABLE,
            })
            .collect();
        let solutions = self.solutions(&cells, lines);
        let is_wrong = |candidates: &Candidates, line: &GridLine| {
            let grid = Grid::from_ascii(line.first_chunk().expect("81 of 82"));
            grid.is_ok_and(|grid| !candidates.allow(&grid))
        };
        let mut lines = of.zip(lines).enumerate();
        let wrong = lines.find(|(_, (record, line))| {
            records
                .candidates(*record)
                .is_some_and(|candidates| is_wrong(candidates, line))
        });
        let of_candidates = wrong.map_or(Ok(()), |(at, _)| {
            Err(Wrong::new(at, "a digit is no candidate of its cell"))
        });
        first(solutions, of_candidates)
    }

    /// The only solution of each puzzle, from the engine that did not make it.
    pub fn solve(
        &mut self,
        made_by: Engine,
        puzzles: &[Puzzle],
    ) -> Vec<Result<Grid, NotUniqueError>> {
        self.other_than(made_by).solve_unique_batch(puzzles)
    }

    /// Checks the lines of solved records: each is a solution, or 81 dots for a record that has
    /// no answer by the other engine too (see [`unanswered`](Self::unanswered)).
    ///
    /// # Errors
    ///
    /// The first record that is wrong.
    pub fn solved(
        &mut self,
        made_by: Engine,
        records: &Records,
        lines: &[GridLine],
        has_no_answer: impl Fn(&AnyPuzzle, u64) -> bool,
    ) -> Result<(), Wrong> {
        let solutions = self.solutions_of(records, 0..records.len(), lines);
        let unsolved = (0..records.len()).filter(|&record| is_blank(&lines[record]));
        let unsolved = self.unanswered(made_by, records, unsolved, has_no_answer);
        first(solutions, unsolved)
    }

    /// Checks records for which nothing is written: by the other engine, their number of
    /// solutions (at most 2) must be one that has no answer. Records that are malformed need no
    /// check.
    ///
    /// # Errors
    ///
    /// The first record that is wrong.
    pub fn unanswered(
        &mut self,
        made_by: Engine,
        records: &Records,
        unanswered: impl Iterator<Item = usize>,
        has_no_answer: impl Fn(&AnyPuzzle, u64) -> bool,
    ) -> Result<(), Wrong> {
        let (numbers, puzzles): (Vec<_>, Vec<_>) = unanswered
            .filter_map(|record| Some((record, records.puzzle(record).ok()?)))
            .unzip();
        let counts = self.count(made_by, &puzzles);
        for ((record, puzzle), count) in numbers.into_iter().zip(&puzzles).zip(counts) {
            if !has_no_answer(puzzle, count) {
                let solutions = match count {
                    0 => "no solution",
                    1 => "one solution",
                    _ => "several solutions",
                };
                let what = format!("no answer, but the other engine finds {solutions}");
                return Err(Wrong::new(record, what));
            }
        }
        Ok(())
    }

    /// The number of solutions of each puzzle, 2 for all above, from the engine that did not make
    /// it.
    pub fn count(&mut self, made_by: Engine, puzzles: &[AnyPuzzle]) -> Vec<u64> {
        self.other_than(made_by).count_batch(puzzles, 2)
    }

    /// The solver with the engine that did not make what is checked.
    fn other_than(&mut self, made_by: Engine) -> &mut Solver {
        match made_by {
            Engine::Sliced => &mut self.scalar,
            _ => &mut self.sliced,
        }
    }
}

/// The engine that solves a batch of this size, where the command has no option for it.
pub fn usual_engine(batch: usize) -> Engine {
    Solver::new().engine_for(batch)
}

/// The earlier of two results.
///
/// # Errors
///
/// The result that names the earlier record.
pub fn first(one: Result<(), Wrong>, other: Result<(), Wrong>) -> Result<(), Wrong> {
    match (one, other) {
        (Err(one), Err(other)) if other.record < one.record => Err(other),
        (Ok(()), other) => other,
        (one, _) => one,
    }
}

/// Cells as a line. Anything but 81 characters becomes an invalid line.
pub fn line_of(cells: &[u8]) -> GridLine {
    let mut line = [0; CELLS + 1];
    if let Ok(cells) = <&[u8; CELLS]>::try_from(cells) {
        line[..CELLS].copy_from_slice(cells);
        line[CELLS] = b'\n';
    }
    line
}

/// Whether a line is that of a record without an answer.
pub fn is_blank(line: &GridLine) -> bool {
    line[0] == BLANK
}

fn words(fault: Option<String>) -> String {
    fault.unwrap_or_else(|| "the fast check and the plain check do not agree".into())
}
