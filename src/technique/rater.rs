//! Ratings of many puzzles.

use super::{
    MOST_GUESSES, Ratings,
    batch::{BatchTechniques, Found, MakeBatch},
    steps,
};
use crate::{
    grid::{CELLS, Puzzle},
    simd::{Level, LevelError},
    solve::{NotUnique, Search, Solver, search},
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
    /// What techniques tell about the puzzles of a batch.
    found: Vec<Found>,
    /// For puzzles whose solutions the reference search does not count in time.
    solver: Solver,
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
            solver: Solver::new(),
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
        self.batch.run(cells, &mut self.found);
        let found = std::mem::take(&mut self.found);
        for (cells, found) in cells.iter().zip(&found) {
            answer(self.finish(cells, *found));
        }
        self.found = found;
    }

    /// Adds what techniques do not tell.
    fn finish(&mut self, cells: &[u8; CELLS], found: Found) -> Result<Ratings, NotUnique> {
        let mut ratings = Ratings {
            er: found.er,
            ep: found.ed,
            ed: found.ed,
            guesses: None,
        };
        if found.er.is_some() && found.ed.is_some() {
            return Ok(ratings);
        }
        let puzzle = puzzle_of(cells);
        if found.er.is_none() {
            match search(&puzzle, MOST_GUESSES) {
                Some(Search { solutions: 0, .. }) => return Err(NotUnique::NoSolution),
                Some(Search {
                    solutions: 1,
                    guesses,
                }) => ratings.guesses = Some(guesses),
                Some(_) => return Err(NotUnique::Multiple),
                None => {
                    self.solver.solve_unique(&puzzle)?;
                }
            }
        }
        if found.ed.is_none() {
            // Rare: no cell can be filled by the easiest steps.
            let placed = super::first_placement(steps(&puzzle));
            (ratings.ed, ratings.ep) = placed;
        }
        Ok(ratings)
    }
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
