//! Ratings of many puzzles.

use super::{
    Rating, Ratings,
    batch::{BatchTechniques, Found, MakeBatch},
    steps,
};
use crate::{
    grid::{CELLS, GridLine, Puzzle},
    simd::{Level, LevelError},
    solve::{NO_SOLUTION, NotUnique, Question, Solver},
};
use std::fmt;

/// Rates puzzles in bulk. It keeps its memory from batch to batch.
///
/// The ratings are those of [`rate`](super::rate). They depend on the puzzle alone, not on
/// the other puzzles of a batch or the level.
///
/// ```
/// use sudoku_batch::{Puzzle, technique::Rater};
/// let puzzle: Puzzle =
///     "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.".parse()?;
/// let mut rater = Rater::new();
/// for rating in rater.rate_batch(&[puzzle, Puzzle::EMPTY]) {
///     match rating {
///         Ok(ratings) => println!("{ratings}"),
///         Err(error) => println!("{error}"),
///     }
/// }
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
pub struct Rater {
    level: Level,
    batch: Box<dyn BatchTechniques>,
    /// What techniques find about the puzzles of a batch.
    found: Vec<Found>,
    solver: Solver,
    /// The puzzles that techniques do not solve, a solution of each, and how many it has.
    unsolved: Vec<[u8; CELLS]>,
    lines: Vec<GridLine>,
    counts: Vec<u64>,
}

impl fmt::Debug for Rater {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rater")
            .field("level", &self.level)
            .finish_non_exhaustive()
    }
}

impl Default for Rater {
    fn default() -> Self {
        Self::new()
    }
}

impl Rater {
    /// A rater at the best level of this CPU.
    pub fn new() -> Self {
        Self::with_level(Level::detect()).expect("the CPU has the level that was detected")
    }

    /// A rater at a level, or an error if this CPU lacks it.
    pub fn with_level(level: Level) -> Result<Self, LevelError> {
        Ok(Self {
            level,
            batch: level.with(MakeBatch)?,
            found: Vec::new(),
            solver: Solver::with_level(level)?,
            unsolved: Vec::new(),
            lines: Vec::new(),
            counts: Vec::new(),
        })
    }

    /// Rates each puzzle of a batch, or says why it has no single solution.
    pub fn rate_batch(&mut self, puzzles: &[Puzzle]) -> Vec<Result<Ratings, NotUnique>> {
        let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
        let mut ratings = Vec::with_capacity(cells.len());
        self.rate_cells(&cells, |rating| ratings.push(rating));
        ratings
    }

    /// Rates puzzles given as text, in order. Characters other than the digits `1` to `9`
    /// are blanks.
    #[doc(hidden)]
    pub fn rate_cells(
        &mut self,
        cells: &[[u8; CELLS]],
        mut answer: impl FnMut(Result<Ratings, NotUnique>),
    ) {
        self.batch.run(cells, Rating::HARDEST, &mut self.found);
        self.count_solutions(cells);
        let mut counts = self.counts.iter();
        for (cells, found) in cells.iter().zip(&self.found) {
            // A puzzle that techniques solve has one solution.
            let count = match found.er {
                Some(_) => 1,
                None => *counts.next().expect("each of the others was counted"),
            };
            answer(match count {
                0 => Err(NotUnique::NoSolution),
                1 => Ok(ratings(cells, *found)),
                _ => Err(NotUnique::Multiple),
            });
        }
    }

    /// The ER of puzzles with one solution, in order. `None` is an ER over `most`, which is 4.4 at
    /// most. The lower it is, the less work.
    pub(crate) fn ers(
        &mut self,
        cells: &[[u8; CELLS]],
        most: Rating,
    ) -> impl Iterator<Item = Option<Rating>> {
        self.batch.run(cells, most, &mut self.found);
        self.found.iter().map(|found| found.er)
    }

    /// Counts the solutions of puzzles that techniques do not solve, up to two.
    fn count_solutions(&mut self, cells: &[[u8; CELLS]]) {
        let puzzles = cells.iter().zip(&self.found);
        let unsolved = puzzles.filter(|(_, found)| found.er.is_none());
        self.unsolved.clear();
        self.unsolved.extend(unsolved.map(|(cells, _)| *cells));
        self.lines.resize(self.unsolved.len(), NO_SOLUTION);
        self.counts.resize(self.unsolved.len(), 0);
        let (lines, counts) = (&mut self.lines, &mut self.counts);
        self.solver
            .solve_lines(Question::Count(2), &self.unsolved, lines, counts);
    }
}

/// The ratings of a puzzle with one solution.
fn ratings(cells: &[u8; CELLS], found: Found) -> Ratings {
    let (ed, ep) = match found.ed {
        Some(first) => (Some(first), Some(first)),
        // Rare: neither a last cell nor a hidden single is there at the start.
        None => super::first_placement(steps(&puzzle_of(cells))),
    };
    let er = found.er;
    Ratings { er, ep, ed }
}

fn puzzle_of(cells: &[u8; CELLS]) -> Puzzle {
    let clue_or_blank = cells.map(|c| {
        if c.is_ascii_digit() && c != b'0' {
            c
        } else {
            b'.'
        }
    });
    Puzzle::from_ascii(&clue_or_blank).expect("only digits and points are left")
}
