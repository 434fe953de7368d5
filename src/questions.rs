//! Questions about records: typed columns and counts for a batch of
//! [`Records`](crate::format::Records).
//!
//! | question | columns, one value for each record |
//! |---|---|
//! | [`Solve`] | the solution, the only one or the smallest |
//! | [`Uniqueness`] | the only solution |
//! | [`Check`] | numbers of clues and of redundant clues, the score of an answer |
//! | [`CheckGrids`] | whether a solved grid is valid |
//! | [`Count`] | the number of solutions |
//! | [`List`] | all solutions |
//! | [`Canonicalize`] | the canonical form, and the symmetry that leads to it |
//! | [`Compare`] | the form: equal cells for records that count as the same |
//! | [`Split`] | the part of a training or test set |
//! | [`Augment`] | symmetric images |
//! | [`Rate`] | the difficulty for a person |
//! | [`Trace`] | the order in which cells are filled |
//! | [`Describe`] | none: statistics of the batch |
//!
//! A question is a struct with its options and the memory of a thread. Make one for each thread and
//! keep it. `ask` takes a batch and gives columns with a value for each record, in the order of the
//! records. Most answers also have these three:
//!
//! - `statuses`: a [`Status`] for each record;
//! - `rejects`: the records that fail, in order, each with a [`Reason`];
//! - `counts`: named numbers ([`Counts`]). The counts of batches add up to those of a set.
//!
//! The answer to a record depends on that record alone, not on its batch. No question knows a form
//! of output or a file. With the feature `rayon`, the threads of rayon share one record that has
//! very many solutions ([`Count`]). A [`Team`] shares one that takes long to rate ([`Rate`]). Nothing
//! else here uses threads.
//!
//! ```
//! use sudoku_batch::{
//!     format::{Records, line},
//!     questions::{Status, Uniqueness},
//! };
//! let text = b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8
//! 4..52.7.4
//! ";
//! let mut records = Records::default();
//! line::read(text, &mut records);
//! let mut question = Uniqueness::default();
//! let answer = question.ask(&records);
//! assert_eq!(answer.solved.statuses, [Status::Unique, Status::Malformed]);
//! assert!(answer.solution(0).unwrap().as_str().starts_with("496528713"));
//! assert_eq!(answer.solved.counts.get("unique"), 1);
//! let reject = answer.solved.rejects[0];
//! assert_eq!((reject.record, reject.reason.name()), (1, "malformed"));
//! ```

mod augment;
mod canonical;
mod check;
mod compare;
mod count;
mod counts;
mod grids;
mod list;
mod rate;
mod solve;
mod split;
mod statistics;
mod status;
mod team;
mod trace;
pub mod verification;

pub use augment::{Augment, SOLUTION_NAMES};
pub use canonical::{Canonicalize, Canonicalized};
pub use check::{AnswerCheck, Check, Checked, accuracies};
pub use compare::Compare;
pub use count::{Count, Counted, SolutionCount};
pub use counts::Counts;
pub use grids::{CheckGrids, CheckedGrids, valid_grid};
pub use list::{List, Listed};
pub use rate::{MOST_GUESSES, Rate, Rated};
pub use solve::{OnlySolutions, Solve, Solved, Uniqueness};
pub use split::{Divided, REJECTED, Split};
pub use statistics::{Describe, Described};
pub use status::{Reason, Reject, Status};
pub use team::{Busy, Team};
pub use trace::{MOST_TRACED_GUESSES, Trace, Traced, Traces};
