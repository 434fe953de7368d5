//! Solve, check and make Sudoku in bulk.
//!
//! One puzzle:
//!
//! ```
//! use sudoku_batch::{Puzzle, Solver};
//! let puzzle: Puzzle =
//!     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
//! let grid = Solver::new().solve_unique(&puzzle)?;
//! assert!(grid.to_string().starts_with("496528713"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A batch, the fastest call: characters in, characters out, without a copy. The sliced engine
//! solves up to 512 puzzles at a time, so give it thousands in a call. Make one question for each
//! thread, and keep it:
//!
//! ```
//! use sudoku_batch::{questions::{Question, SolveSettings, Status}, solve::NO_SOLUTION};
//! let puzzles = [[b'.'; 81], *b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"];
//! let mut lines = [NO_SOLUTION; 2];
//! let mut question = Question::new(SolveSettings { unique: true, ..SolveSettings::default() })?;
//! let mut answer = question.empty().renewed(Some(&mut lines));
//! question.fill_cells(&puzzles, &mut answer);
//! assert_eq!(answer.statuses, [Status::Multiple, Status::Unique]);
//! assert!(lines[1].starts_with(b"496528713"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The records of a text in any format, with the line of each that fails. This needs the feature
//! `formats`:
//!
//! ```
//! # #[cfg(feature = "formats")]
//! # {
//! use sudoku_batch::{format::{Layout, Records}, questions::{Data, Question, RateSettings}};
//! let text = b"id,puzzle
//! 1,....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.
//! 2,123
//! ";
//! let found = Layout::detect(text, None, None)?;
//! let mut records = Records::default();
//! records.add_lines(found.skipped_lines);
//! found.layout.read(&text[found.skipped..], &mut records);
//! let mut question = Question::new(RateSettings::default())?;
//! let rated = question.ask(&records);
//! let Data::Ratings(er) = rated.named("er") else { unreachable!() };
//! assert_eq!(er[0].unwrap().to_string(), "2.6");
//! let reject = rated.rejects[0];
//! assert_eq!((reject.reason.name(), records.line(reject.record)), ("malformed", 3));
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Puzzles to order. Puzzle i depends on the settings and i alone, so any machine can make any part of a set:
//!
//! ```
//! use sudoku_batch::{questions::PuzzlesSettings, technique::Difficulty};
//! let settings = PuzzlesSettings { difficulty: Some(Difficulty::Medium), seed: 7, ..PuzzlesSettings::default() };
//! for (puzzle, solution) in settings.set()?.iter(0..10).flatten() {
//!     assert!(solution.is_solution_of(&puzzle));
//! }
//! # Ok::<(), sudoku_batch::questions::SettingError>(())
//! ```
//!
//! # What is where
//!
//! | module | what it has |
//! |---|---|
//! | [`grid`] | [`Puzzle`], [`Candidates`], [`Grid`], [`Cell`], [`Digit`], houses |
//! | [`solve`] | [`Solver`]: engines for one puzzle and for batches, the reference search, all solutions |
//! | [`questions`] | every question about records: solve, check, count, canonical form, augment, rate, trace; puzzles to order |
//! | [`format`](mod@format) | texts to records and back |
//! | [`generate`] | solved grids: a numbered sequence without repeats, and uniform samples |
//! | [`puzzle`] | patterns and symmetries of clues, how puzzles are made, minimal puzzles and neighbours |
//! | [`technique`] | the steps of a person and their ratings |
//! | [`symmetry`] | transformations and canonical forms |
//! | [`dataset`] | keys for equal records, images, splits, scores, statistics |
//! | [`verify`] | checks of grids and solutions that share no code with the solvers |
//! | [`simd`] | [`Level`]: the instruction sets that this CPU has |
//! | [`stop`] | an end for work that nobody wants any more |
//! | [`draw`], [`guide`] | pictures, the way to a solution |
//!
//! # Features
//!
//! | feature | what it adds |
//! |---|---|
//! | none | all of the table above; the formats of text are lines, blocks and words |
//! | `formats` | CSV, JSON lines, detection of formats, and the writer of all formats |
//! | `json` | for bindings: options as a JSON object |
//! | `serde` | puzzles, grids and candidates as strings for serde; cells as their names, digits as numbers |
//! | `rayon` | threads share a record that takes long: very many solutions, or a hard rating |
//!
//! The command is the package `sudoku-batch-cli`.

pub mod dataset;
pub mod draw;
#[doc(hidden)]
pub mod foreign;
pub mod format;
pub mod generate;
pub mod grid;
pub mod guide;
#[doc(hidden)]
pub mod name;
mod order;
pub mod puzzle;
pub mod questions;
mod random;
#[doc(hidden)]
pub mod samples;
pub mod simd;
#[doc(hidden)]
pub mod slices;
pub mod solve;
pub mod stop;
pub mod symmetry;
pub mod technique;
mod trace;
#[doc(hidden)]
pub mod unpacking;
pub mod verify;
#[doc(hidden)]
pub mod words;

pub use format::ParseError;
pub use grid::{Candidates, Cell, CellError, Conflict, Digit, Grid, HouseKind, Puzzle};
pub use name::NameError;
pub use questions::Reason;
pub use simd::Level;
pub use solve::{Engine, Goal, NotUniqueError, Outcome, Solver};
