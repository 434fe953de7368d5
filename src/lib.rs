//! Solve, check and make Sudoku in bulk.
//!
//! ```
//! use sudoku_batch::{Puzzle, Solver};
//! let puzzles: Vec<Puzzle> = [
//!     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8",
//!     "3.65.84..52........87....31..3.1..8.9..863..5.5..9.6..13....25........74..52.63..",
//! ]
//! .iter()
//! .map(|text| text.parse())
//! .collect::<Result<_, _>>()?;
//! for outcome in Solver::new().solve_batch(&puzzles) {
//!     println!("{}", outcome.solution().expect("both have a solution"));
//! }
//! # Ok::<(), sudoku_batch::ParseError>(())
//! ```

pub mod batch;
pub mod dataset;
pub mod draw;
pub mod format;
pub mod game;
pub mod generate;
pub mod grid;
pub mod guide;
#[cfg(feature = "pipeline")]
#[doc(hidden)]
pub mod pipeline;
pub mod puzzle;
mod random;
pub mod simd;
pub mod solve;
pub mod symmetry;
pub mod technique;
pub mod verify;

pub use batch::{Batch, Reason};
pub use format::ParseError;
pub use grid::{Cell, Conflict, Digit, Grid, HouseKind, Puzzle};
pub use simd::{Level, LevelError};
pub use solve::{Engine, NotUnique, Outcome, Question, Solver};
