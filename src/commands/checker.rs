//! `--verify`: checks records before they are written, on another way than they were made.
//!
//! | what | how |
//! |---|---|
//! | grids and solutions | by [`Verifier`], from the characters that are about to be written |
//! | puzzles | solved again by the other engine |
//! | records without an answer | solved again by the other engine |
//!
//! The driver asks a command to check each batch with
//! [`RecordCommand::verify`](super::stream::RecordCommand::verify) or
//! [`Make::verify`](super::making::Make::verify). The first wrong record ends the run.

use std::fmt::Display;
use sudoku_batch::{
    Engine, Grid, Puzzle, Solver,
    format::Records,
    grid::{BLANK, CELLS, GridLine},
    solve::NotUnique,
    verify::{Fault, Verifier},
};

/// A record that is wrong: its number in the batch, from 0, and what is wrong.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) record: usize,
    pub(crate) what: String,
}

impl Wrong {
    pub(crate) fn new(record: usize, what: impl Display) -> Self {
        let what = what.to_string();
        Self { record, what }
    }
}

/// The error for a record at a place.
pub(crate) fn error(place: impl Display, what: impl Display) -> anyhow::Error {
    anyhow::anyhow!(
        "{place}: --verify found a wrong answer: {what}; output files stay as they were"
    )
}

/// What a thread needs for its checks.
pub(crate) struct Checker {
    verifier: Verifier,
    scalar: Solver,
    sliced: Solver,
}

impl Checker {
    pub(crate) fn new() -> Self {
        Self {
            verifier: Verifier::new(),
            scalar: Solver::new().with_engine(Engine::Scalar),
            sliced: Solver::new().with_engine(Engine::Sliced),
        }
    }

    /// Checks that all lines are grids.
    pub(crate) fn grids(&self, lines: &[GridLine]) -> Result<(), Wrong> {
        match self.verifier.wrong_grid(lines) {
            None => Ok(()),
            Some(at) => Err(Wrong::new(at, told(Fault::of_grid(&lines[at])))),
        }
    }

    /// Checks that each line is a solution of its puzzle, or 81 points.
    pub(crate) fn solutions(
        &self,
        puzzles: &[[u8; CELLS]],
        lines: &[GridLine],
    ) -> Result<(), Wrong> {
        match self.verifier.wrong_solution(puzzles, lines) {
            None => Ok(()),
            Some(at) => {
                let fault = Fault::of_solution(&puzzles[at], &lines[at]);
                Err(Wrong::new(at, told(fault)))
            }
        }
    }

    /// The only solution of each puzzle, from the engine that did not make it.
    pub(crate) fn solve(
        &mut self,
        made_by: Engine,
        puzzles: &[Puzzle],
    ) -> Vec<Result<Grid, NotUnique>> {
        self.other_than(made_by).solve_unique_batch(puzzles)
    }

    /// Checks the lines of solved records: each is a solution, or 81 points for a record that has
    /// no answer by the other engine too (see [`unanswered`](Self::unanswered)).
    pub(crate) fn solved(
        &mut self,
        made_by: Engine,
        records: &Records,
        lines: &[GridLine],
        has_no_answer: impl Fn(&Puzzle, u64) -> bool,
    ) -> Result<(), Wrong> {
        let solutions = self.solutions(records.cells(), lines);
        let unsolved = (0..records.len()).filter(|&record| is_blank(&lines[record]));
        let unsolved = self.unanswered(made_by, records, unsolved, has_no_answer);
        first(solutions, unsolved)
    }

    /// How many solutions each puzzle has, at most 2.
    pub(crate) fn count(&mut self, puzzles: &[Puzzle]) -> Vec<u64> {
        self.sliced.count_batch(puzzles, 2)
    }

    /// Checks records for which nothing is written: by the other engine, their number of
    /// solutions (at most 2) must be one that has no answer. Records that are malformed need no
    /// check.
    pub(crate) fn unanswered(
        &mut self,
        made_by: Engine,
        records: &Records,
        unanswered: impl Iterator<Item = usize>,
        has_no_answer: impl Fn(&Puzzle, u64) -> bool,
    ) -> Result<(), Wrong> {
        let (numbers, puzzles): (Vec<_>, Vec<_>) = unanswered
            .filter_map(|record| Some((record, records.puzzle(record).ok()?)))
            .unzip();
        let counts = self.other_than(made_by).count_batch(&puzzles, 2);
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

    /// The solver with the engine that did not make what is checked.
    fn other_than(&mut self, made_by: Engine) -> &mut Solver {
        match made_by {
            Engine::Sliced => &mut self.scalar,
            _ => &mut self.sliced,
        }
    }
}

/// The engine that solves a batch of this size, where the command has no option for it.
pub(crate) fn usual_engine(batch: usize) -> Engine {
    Solver::new().engine_for(batch)
}

/// The earlier of two results.
pub(crate) fn first(one: Result<(), Wrong>, other: Result<(), Wrong>) -> Result<(), Wrong> {
    match (one, other) {
        (Err(one), Err(other)) if other.record < one.record => Err(other),
        (Ok(()), other) => other,
        (one, _) => one,
    }
}

/// Cells as a line. What has not 81 characters becomes a line that is no grid.
pub(crate) fn line_of(cells: &[u8]) -> GridLine {
    let mut line = [0; CELLS + 1];
    if let Ok(cells) = <&[u8; CELLS]>::try_from(cells) {
        line[..CELLS].copy_from_slice(cells);
        line[CELLS] = b'\n';
    }
    line
}

/// Whether a line is that of a record without an answer.
pub(crate) fn is_blank(line: &GridLine) -> bool {
    line[0] == BLANK
}

/// How often each digit stands in some cells, in ascending order. Symmetries do not change it.
pub(crate) fn digit_counts(puzzle: &Puzzle) -> [usize; 9] {
    let mut counts = [0; 9];
    for &cell in puzzle.as_ascii() {
        if let Some(count) = counts.get_mut(usize::from(cell.wrapping_sub(b'1'))) {
            *count += 1;
        }
    }
    counts.sort_unstable();
    counts
}

fn told(fault: Option<Fault>) -> String {
    match fault {
        Some(fault) => fault.to_string(),
        None => "the fast check and the plain check do not agree".into(),
    }
}
