//! Solving: one puzzle or a batch, a solution or a count.
//!
//! Three questions can be asked about a puzzle, and each gets an answer to just
//! that:
//!
//! | question | asked by | answer |
//! |---|---|---|
//! | What is its solution? | [`Solver::solve`] | an [`Outcome`]: none, the only one, or the smallest of several |
//! | Has it exactly one? | [`Solver::solve_unique`] | the solution, or why there is no single one: [`NotUnique`] |
//! | How many has it? | [`Solver::count`] | a number, at most the limit |
//!
//! **The answer depends on the puzzle alone**: not on the other puzzles of a batch,
//! the engine, the level, the number of threads or the machine. Of several
//! solutions the answer is the lexicographically smallest: the one that comes
//! first when the solutions are sorted as text of 81 digits.
//!
//! ```
//! use sudoku_batch::{Outcome, Puzzle, Solver};
//! let puzzle: Puzzle =
//!     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
//! let mut solver = Solver::new();
//! let Outcome::Unique(grid) = solver.solve(&puzzle) else { panic!("it has one solution") };
//! assert!(grid.is_solution_of(&puzzle));
//! assert_eq!(solver.solve_unique(&puzzle), Ok(grid));
//! assert_eq!(solver.count(&Puzzle::EMPTY, 1000), 1000);
//! # Ok::<(), sudoku_batch::ParseError>(())
//! ```

mod reference;
mod scalar;
mod sliced;
mod tables;

pub use reference::guesses;
#[doc(hidden)]
pub use scalar::guesses as engine_guesses;

use crate::{
    grid::{BLANK, CELLS, Cell, Digit, Grid, GridLine, Puzzle},
    simd::{Isa, Kernel, Level, LevelError},
};
use sliced::Sliced;
use std::{fmt, str::FromStr};

/// What is asked about each puzzle of a batch of text.
///
/// [`Solver`] has a method for each question about a [`Puzzle`]; this is for
/// [`Records`](crate::batch::Records), which are told what to ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Question {
    /// What is its solution? Of several it is the lexicographically smallest.
    Solution,
    /// What is its only solution?
    Unique,
    /// How many solutions has it, counted up to this limit?
    Count(u64),
}

impl Question {
    /// How many solutions are looked for before a puzzle is left: two tell the
    /// only solution from one of several.
    pub const fn limit(self) -> u64 {
        match self {
            Self::Solution | Self::Unique => 2,
            Self::Count(limit) => limit,
        }
    }
}

/// What the solution of a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// No grid fits the clues.
    NoSolution,
    /// Exactly one grid fits the clues: this one.
    Unique(Grid),
    /// Two or more grids fit the clues. This is the lexicographically smallest.
    Multiple(Grid),
}

impl Outcome {
    /// The only solution or the smallest, `None` where there is none.
    pub const fn solution(&self) -> Option<Grid> {
        match self {
            Self::NoSolution => None,
            Self::Unique(grid) | Self::Multiple(grid) => Some(*grid),
        }
    }

    /// Whether exactly one grid fits the clues.
    pub const fn is_unique(&self) -> bool {
        matches!(self, Self::Unique(_))
    }
}

/// A candidate that is struck from a puzzle: the cell does not hold the digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Strike {
    /// The cell.
    pub cell: Cell,
    /// The digit that is no candidate there. Striking the digit of a clue leaves no
    /// solution.
    pub digit: Digit,
}

/// Why a puzzle has no single solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum NotUnique {
    /// No grid fits the clues.
    #[error("no grid fits the clues")]
    NoSolution,
    /// Two or more grids fit the clues.
    #[error("several grids fit the clues")]
    Multiple,
}

/// The line of a puzzle without a solution: 81 points.
pub const NO_SOLUTION: GridLine = {
    let mut line = [BLANK; CELLS + 1];
    line[CELLS] = b'\n';
    line
};

/// A way of solving.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Engine {
    /// One puzzle at a time, on masks of candidates.
    Scalar,
    /// Hundreds of puzzles at a time, one bit each in every register.
    Sliced,
}

impl Engine {
    /// All engines.
    pub const ALL: &'static [Self] = &[Self::Scalar, Self::Sliced];

    /// Its name, as in `--engine` and the summary.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Sliced => "sliced",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Every engine at every level that this CPU has, best first: what the tests
/// compare and the benches measure. The scalar engine is the same at all levels.
#[doc(hidden)]
pub fn registry() -> impl Iterator<Item = (Engine, Level)> {
    let sliced = Level::available().map(|level| (Engine::Sliced, level));
    sliced.chain([(Engine::Scalar, Level::Portable)])
}

/// An engine that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no engine is called `{name}`")]
pub struct EngineError {
    /// The name that was asked for.
    pub name: String,
}

impl FromStr for Engine {
    type Err = EngineError;

    fn from_str(name: &str) -> Result<Self, EngineError> {
        let found = Self::ALL.iter().find(|engine| engine.name() == name);
        found
            .copied()
            .ok_or_else(|| EngineError { name: name.into() })
    }
}

/// The size of batch from which on the sliced engine is the faster one, whatever
/// the puzzles, as `cargo bench --bench crossover` tells it. Below, the lanes that
/// stay empty cost more than a search.
///
/// ns per puzzle on Zen 4, of the scalar engine and of the sliced one:
///
/// | puzzles | size | scalar | `avx512` | `avx2` | `portable` |
/// |---|---:|---:|---:|---:|---:|
/// | easy | 1 | 996 | 14,266 | 12,257 | 26,683 |
/// | | 24 | 992 | 929 | 842 | 1,960 |
/// | | 128 | 993 | 437 | 393 | 997 |
/// | | 192 | 993 | 233 | 214 | 716 |
/// | minimal | 32 | 2,138 | 2,682 | 2,445 | 5,240 |
/// | | 48 | 2,131 | 1,847 | 1,640 | 3,530 |
/// | | 128 | 2,137 | 917 | 805 | 1,736 |
/// | | 10,000 | 2,135 | 167 | 288 | 1,001 |
/// | hard | 24 | 34,627 | 36,894 | 36,476 | 40,877 |
/// | | 32 | 34,562 | 8,019 | 9,239 | 25,774 |
/// | | 10,000 | 33,303 | 4,366 | 6,132 | 19,523 |
const fn crossover(level: Level) -> usize {
    match level {
        Level::Avx512 | Level::Avx2 => 48,
        Level::Portable => 192,
    }
}

/// Solves puzzles, one or a batch at a time, with memory of its own that it
/// uses again: make one for each thread and keep it.
pub struct Solver {
    level: Level,
    engine: Option<Engine>,
    /// Made when it is first needed.
    sliced: Option<Box<dyn BatchEngine>>,
}

impl fmt::Debug for Solver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            level,
            engine,
            sliced: _,
        } = self;
        f.debug_struct("Solver")
            .field("level", level)
            .field("engine", engine)
            .finish_non_exhaustive()
    }
}

/// The sliced engine at some level.
trait BatchEngine: Send {
    /// Counts the solutions of each puzzle up to the limit, which is 1 at least,
    /// and puts one of them into its line, or 81 points. Which one may depend on
    /// the batch. Strikes are as many as puzzles, or none.
    fn count_lines(
        &mut self,
        cells: &[[u8; CELLS]],
        strikes: &[Strike],
        limit: u64,
        lines: &mut [GridLine],
        counts: &mut [u64],
    );
}

/// Makes the sliced engine at a level.
struct MakeSliced;

impl Kernel for MakeSliced {
    type Output = Box<dyn BatchEngine>;
    fn call<I: Isa>(self, isa: I) -> Self::Output {
        Box::new(Sliced::new(isa))
    }
}

impl Default for Solver {
    fn default() -> Self {
        Self::new()
    }
}

impl Solver {
    /// A solver at the best level of this CPU that chooses the engine by the
    /// size of the batch.
    pub fn new() -> Self {
        Self {
            level: Level::detect(),
            engine: None,
            sliced: None,
        }
    }

    /// A solver at a given level.
    ///
    /// # Errors
    ///
    /// When this CPU lacks the level; the error names those it has.
    pub fn with_level(level: Level) -> Result<Self, LevelError> {
        level.check()?;
        Ok(Self {
            level,
            engine: None,
            sliced: None,
        })
    }

    /// The same solver bound to one engine, whatever the batch.
    #[must_use]
    pub fn with_engine(mut self, engine: Engine) -> Self {
        self.engine = Some(engine);
        self
    }

    /// The level.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The engine that a batch of this size is given to.
    pub fn engine_for(&self, batch: usize) -> Engine {
        let by_size = if batch < crossover(self.level) {
            Engine::Scalar
        } else {
            Engine::Sliced
        };
        self.engine.unwrap_or(by_size)
    }

    /// The solution of a puzzle: the only one, or the lexicographically smallest
    /// of several.
    ///
    /// ```
    /// use sudoku_batch::{Outcome, Puzzle, Solver};
    /// let Outcome::Multiple(smallest) = Solver::new().solve(&Puzzle::EMPTY) else { panic!() };
    /// assert!(smallest.as_str().starts_with("123456789456789123789123456"));
    /// ```
    pub fn solve(&mut self, puzzle: &Puzzle) -> Outcome {
        self.solve_batch(std::slice::from_ref(puzzle))[0]
    }

    /// The solutions of a batch: outcome i is that of puzzle i, as
    /// [`solve`](Self::solve) gives it.
    pub fn solve_batch(&mut self, puzzles: &[Puzzle]) -> Vec<Outcome> {
        self.ask(Question::Solution, puzzles, |count, solution| match count {
            0 => Outcome::NoSolution,
            1 => Outcome::Unique(solution.expect("a solution was found")),
            _ => Outcome::Multiple(solution.expect("a solution was found")),
        })
    }

    /// The only solution of a puzzle.
    ///
    /// It takes less time than [`solve`](Self::solve) where a puzzle has several
    /// solutions, because none of them is asked for.
    ///
    /// # Errors
    ///
    /// The puzzle has no solution, or several.
    pub fn solve_unique(&mut self, puzzle: &Puzzle) -> Result<Grid, NotUnique> {
        self.solve_unique_batch(std::slice::from_ref(puzzle))[0]
    }

    /// The only solutions of a batch: result i is that of puzzle i, as
    /// [`solve_unique`](Self::solve_unique) gives it.
    pub fn solve_unique_batch(&mut self, puzzles: &[Puzzle]) -> Vec<Result<Grid, NotUnique>> {
        self.ask(Question::Unique, puzzles, |count, solution| match count {
            0 => Err(NotUnique::NoSolution),
            1 => Ok(solution.expect("a solution was found")),
            _ => Err(NotUnique::Multiple),
        })
    }

    /// How many solutions a puzzle has, at most `limit`.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, Solver};
    /// // The digits 1 and 2 may change places in the four blank cells.
    /// let puzzle: Puzzle =
    ///     "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642".parse()?;
    /// let mut solver = Solver::new();
    /// assert_eq!(solver.count(&puzzle, 100), 2);
    /// assert_eq!(solver.count(&Puzzle::EMPTY, 100), 100);
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn count(&mut self, puzzle: &Puzzle, limit: u64) -> u64 {
        self.count_batch(std::slice::from_ref(puzzle), limit)[0]
    }

    /// How many solutions each puzzle of a batch has, at most `limit`.
    pub fn count_batch(&mut self, puzzles: &[Puzzle], limit: u64) -> Vec<u64> {
        self.ask(Question::Count(limit), puzzles, |count, _| count)
    }

    /// How many solutions each puzzle of a batch has in which a cell does *not* hold a
    /// digit, at most `limit`: strike i belongs to puzzle i.
    ///
    /// That is a smaller question than how many solutions a puzzle has. Whoever digs
    /// holes knows the solution: a clue can go just when the puzzle without it, and with
    /// the clue's digit struck from its cell, has no solution.
    ///
    /// ```
    /// use sudoku_batch::{Cell, Digit, Puzzle, Solver, solve::Strike};
    /// // The digits 1 and 2 may change places in the four blank cells.
    /// let puzzle: Puzzle =
    ///     "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642".parse()?;
    /// let strike = |cell, digit| Strike { cell, digit: Digit::new(digit).unwrap() };
    /// let strikes = [strike(Cell::at(0, 0), 1), strike(Cell::at(0, 2), 3)];
    /// assert_eq!(Solver::new().count_struck_batch(&[puzzle; 2], &strikes, 2), [1, 0]);
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// When there are not as many strikes as puzzles.
    pub fn count_struck_batch(
        &mut self,
        puzzles: &[Puzzle],
        strikes: &[Strike],
        limit: u64,
    ) -> Vec<u64> {
        assert_eq!(puzzles.len(), strikes.len(), "a strike for each puzzle");
        let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
        let mut lines = vec![NO_SOLUTION; puzzles.len()];
        let mut counts = vec![0; puzzles.len()];
        if limit != 0 {
            self.count_lines(&cells, strikes, limit, &mut lines, &mut counts);
        }
        counts
    }

    /// Counts with the engine for the size of the batch, see [`BatchEngine`].
    fn count_lines(
        &mut self,
        cells: &[[u8; CELLS]],
        strikes: &[Strike],
        limit: u64,
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        match self.engine_for(cells.len()) {
            Engine::Scalar => scalar::count_lines(cells, strikes, limit, lines, counts),
            Engine::Sliced => {
                let make = || self.level.with(MakeSliced).expect("the level was checked");
                self.sliced
                    .get_or_insert_with(make)
                    .count_lines(cells, strikes, limit, lines, counts);
            }
        }
    }

    /// Asks about a batch: `answer` is given the count and the line's solution of
    /// each puzzle.
    fn ask<T>(
        &mut self,
        question: Question,
        puzzles: &[Puzzle],
        answer: impl Fn(u64, Option<Grid>) -> T,
    ) -> Vec<T> {
        let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
        let mut lines = vec![NO_SOLUTION; puzzles.len()];
        let mut counts = vec![0; puzzles.len()];
        self.solve_lines(question, &cells, &mut lines, &mut counts);
        let solution = |line: &GridLine| Grid::from_ascii(line.first_chunk().expect("81 of 82"));
        let answers = lines.iter().zip(counts);
        answers
            .map(|(line, count)| answer(count, solution(line)))
            .collect()
    }

    /// Asks about a batch from text to text, the fastest way. Puzzle i is the 81
    /// bytes `cells[i]`: the low four bits of a clue are 1 to 9, those of a blank
    /// are 0 or over 9.
    ///
    /// `counts[i]` becomes the number of its solutions, at most
    /// [the limit of the question](Question::limit). `lines[i]` becomes the
    /// solution that the question asks for and a line feed, or 81 points where
    /// there is none: [`Question::Count`] gets the only solution, if two were
    /// looked for.
    ///
    /// # Panics
    ///
    /// When the three slices differ in length.
    #[doc(hidden)]
    pub fn solve_lines(
        &mut self,
        question: Question,
        cells: &[[u8; CELLS]],
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        assert!(cells.len() == lines.len() && cells.len() == counts.len());
        let limit = question.limit();
        if limit == 0 {
            counts.fill(0);
            lines.fill(NO_SOLUTION);
            return;
        }
        self.count_lines(cells, &[], limit, lines, counts);
        // A line holds some solution now: the only one when the count is 1 and two
        // were looked for. Otherwise which one it is may depend on the batch.
        for ((cells, line), &count) in cells.iter().zip(lines).zip(&*counts) {
            if count > 1 || limit == 1 && count == 1 {
                match question {
                    Question::Solution => scalar::smallest(cells, line),
                    Question::Unique | Question::Count(_) => *line = NO_SOLUTION,
                }
            }
        }
    }
}
