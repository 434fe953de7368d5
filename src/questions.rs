//! Questions about records: typed columns and counts for a batch of
//! [`Records`](crate::format::Records).
//!
//! A question is one file here. Its [`Definition`] has its name, its help, its settings and its columns, and
//! its [`Question`] does the work: it fills an [`Answer`], a typed buffer for each column. The command, Python
//! and JavaScript walk over [`all`] definitions and know none of them by name.
//!
//! ```
//! use sudoku_batch::{format::{Records, line}, questions::{Data, EXPAND, Status}};
//! let text = b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8
//! 4..52.7.4
//! ";
//! let mut records = Records::default();
//! line::read(text, &mut records);
//! let mut asked = EXPAND.with([])?;
//! let answer = asked.ask(&records);
//! assert_eq!(answer.statuses, [Status::Unique, Status::Malformed]);
//! let Data::Numbers(added) = answer.column(1) else { unreachable!() };
//! assert_eq!(added[..], [Some(18), None]);
//! assert_eq!(answer.rejects[0].reason.name(), "malformed");
//! # Ok::<(), sudoku_batch::questions::SettingError>(())
//! ```
//!
//! | definition | what it asks |
//! |---|---|
//! | [`SOLVE`] | the solution, the only one or the smallest |
//! | [`CHECK`] | numbers of clues and of redundant clues, the score of an answer |
//! | [`COUNT`] | the number of solutions |
//! | [`CANONICAL`] | the canonical form, and the symmetry that leads to it |
//! | [`RANK`] | the number of a solved grid in a sequence |
//! | [`EXPAND`] | the puzzle with every clue that singles add |
//! | [`TRUE_CANDIDATES`] | the candidates that occur in a solution |
//! | [`RATE`] | the difficulty for a person |
//!
//! Other questions have answers of another shape: several rows or none for a record, a callback, or the sum
//! of a set. They are structs with an `ask` of their own. Make one for each thread and keep it.
//!
//! | question | what it asks |
//! |---|---|
//! | [`Solve`], [`Uniqueness`] | solutions in lines that the caller gives, the only solution |
//! | [`Check`], [`CheckGrids`] | puzzles and answers, solved grids |
//! | [`List`] | all solutions |
//! | [`Compare`] | the form: equal cells for records that count as the same |
//! | [`Split`] | the part of a training or test set |
//! | [`Augment`] | symmetric images |
//! | [`Rate`] | ratings and the steps to them |
//! | [`Trace`] | the order in which cells are filled |
//! | [`Describe`] | statistics of the batch |
//!
//! Records that are made, and not read, are columns of an [`Answer`] too: a [`GridSet`] or a [`PuzzleSet`] makes
//! those with any numbers.
//!
//! Most answers have `statuses` (a [`Status`] for each record), `rejects` (the records that fail, in order,
//! each with a [`Reason`]) and `counts` (named numbers, which add up over batches: [`Counts`]). The answer to a
//! record depends on that record alone, not on its batch. With the feature `rayon`, the threads of rayon share
//! one record that has very many solutions ([`COUNT`]). A [`Team`] shares one that takes long to rate
//! ([`RATE`]). Nothing else here uses threads.

mod answer;
mod augment;
mod canonical;
mod check;
mod compare;
mod count;
mod counts;
mod definition;
mod expand;
mod grids;
mod list;
mod rank;
mod rate;
mod sets;
mod solve;
mod split;
mod statistics;
mod status;
mod team;
mod trace;
mod true_candidates;
pub mod verification;

pub use answer::{
    Answer, Data, Entry, Lines, NO_NAME, Other, PuzzleValue, Puzzles, Row, RowTexts, Texts,
};
pub use augment::{Augment, SOLUTION_NAMES};
pub use canonical::CANONICAL;
pub use check::{AnswerCheck, CHECK, Check, Checked, accuracies};
pub use compare::Compare;
pub use count::{COUNT, SolutionCount};
pub use counts::Counts;
pub use definition::{
    Asked, Batch, Column, Definition, Doors, Fact, Kind, Outcome, Question, RowView, Setting,
    SettingError, Value, digit_of_student,
};
pub use expand::EXPAND;
pub use grids::{CheckGrids, CheckedGrids, valid_grid};
pub use list::{List, Listed};
pub use rank::RANK;
pub use rate::{MOST_GUESSES, RATE, Rate, Rated, TechniqueCounts};
pub use sets::{GridSet, MadeSet, MakeRecords, PuzzleSet};
pub use solve::{OnlySolutions, SOLVE, Solve, Solved, Uniqueness};
pub use split::{Divided, REJECTED, Split};
pub use statistics::{Describe, Described};
pub use status::{Reason, Reject, Status};
pub use team::{Busy, Team};
pub use trace::{MOST_TRACED_GUESSES, Trace, Traced, Traces};
pub use true_candidates::TRUE_CANDIDATES;

/// All questions that take a few microseconds a record or less: those of solvers.
pub static SOLVERS: &[&Definition] = &[
    &SOLVE,
    &CHECK,
    &COUNT,
    &CANONICAL,
    &RANK,
    &EXPAND,
    &TRUE_CANDIDATES,
];

/// The questions of the rater, whose code is larger than that of all others together.
pub static RATERS: &[&Definition] = &[&RATE];

/// All questions that have a definition, in the order of lists.
pub fn all() -> impl Iterator<Item = &'static Definition> {
    SOLVERS.iter().chain(RATERS).copied()
}
