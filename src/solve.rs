//! Solving: one puzzle or a batch, one solution or a count.
//!
//! ```
//! use sudoku_batch::{Limit, Puzzle, Solver};
//! let puzzle: Puzzle =
//!     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
//! let outcome = Solver::new().solve(&puzzle, Limit::Unique);
//! assert!(outcome.is_unique());
//! assert!(outcome.solution.unwrap().is_solution_of(&puzzle));
//! # Ok::<(), sudoku_batch::ParseError>(())
//! ```

pub mod scalar;
mod sliced;
mod tables;

use crate::{
    grid::{BLANK, CELLS, Grid, GridLine, Puzzle},
    simd::{Isa, Kernel, Level, LevelError},
};
use sliced::Sliced;
use std::{fmt, num::NonZeroU64, str::FromStr};

/// How many solutions to look for before a puzzle is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// One: is there a solution?
    First,
    /// Two: is there exactly one?
    Unique,
    /// This many.
    UpTo(NonZeroU64),
}

impl Limit {
    /// The limit as a number: 1, 2, or what [`Limit::UpTo`] holds.
    pub const fn get(self) -> u64 {
        match self {
            Self::First => 1,
            Self::Unique => 2,
            Self::UpTo(n) => n.get(),
        }
    }
}

/// What was found out about a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The number of solutions, at most the limit.
    pub count: u64,
    /// A solution, when there is one. Which of several may differ between
    /// engines and between batches.
    pub solution: Option<Grid>,
}

impl Outcome {
    /// Whether there is exactly one solution. Needs a limit of two or more.
    pub const fn is_unique(&self) -> bool {
        self.count == 1
    }
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
    /// Solves a batch, see [`Solver::solve_lines`].
    fn solve_lines(
        &mut self,
        cells: &[&[u8; CELLS]],
        limit: Limit,
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

    /// Solves one puzzle.
    pub fn solve(&mut self, puzzle: &Puzzle, limit: Limit) -> Outcome {
        self.solve_batch(std::slice::from_ref(puzzle), limit)[0]
    }

    /// Solves a batch: outcome i is that of puzzle i.
    pub fn solve_batch(&mut self, puzzles: &[Puzzle], limit: Limit) -> Vec<Outcome> {
        let cells: Vec<_> = puzzles.iter().map(Puzzle::as_ascii).collect();
        let mut lines = vec![NO_SOLUTION; puzzles.len()];
        let mut counts = vec![0; puzzles.len()];
        self.solve_lines(&cells, limit, &mut lines, &mut counts);
        let solution = |line: &GridLine| Grid::from_ascii(line.first_chunk().expect("81"));
        let outcomes = lines.iter().zip(counts);
        outcomes
            .map(|(line, count)| Outcome {
                count,
                solution: solution(line),
            })
            .collect()
    }

    /// Solves a batch from text to text, the fastest way: puzzle i is the 81
    /// characters `cells[i]`, of which the low four bits are 1 to 9 for a clue,
    /// 0 or over 9 for a blank (as [`format::line::Line::Cells`](crate::format::line::Line) has
    /// them). Its solution, or 81 points, and a line feed go to `lines[i]`, the
    /// number of its solutions, at most the limit, to `counts[i]`.
    ///
    /// # Panics
    ///
    /// When the three slices differ in length.
    pub fn solve_lines(
        &mut self,
        cells: &[&[u8; CELLS]],
        limit: Limit,
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        assert!(cells.len() == lines.len() && cells.len() == counts.len());
        match self.engine_for(cells.len()) {
            Engine::Scalar => scalar::solve_lines(cells, limit, lines, counts),
            Engine::Sliced => {
                let make = || self.level.with(MakeSliced).expect("the level was checked");
                self.sliced
                    .get_or_insert_with(make)
                    .solve_lines(cells, limit, lines, counts);
            }
        }
    }
}
