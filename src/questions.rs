//! Questions about records: typed columns and counts for a batch of
//! [`Records`](crate::format::Records).
//!
//! A question is one file here. Its settings are a struct such as [`RateSettings`]. Its [`Definition`] has its name,
//! its meaning, the table of its settings and its columns. A [`Question`] fills an [`Answer`], a typed
//! buffer for each column. [`Question::new`] takes the struct, and [`Definition::with`] takes texts, such as those of
//! a command line. The command and Python walk over [`all`] definitions and know none of them by name. JavaScript
//! walks over [`SOLVERS`] and [`RATERS`], and C over all that take no texts.
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
//! let Data::Numbers(added) = answer.named("added_clues") else { unreachable!() };
//! assert_eq!(added[..], [Some(18), None]);
//! assert_eq!(answer.rejects[0].reason.name(), "malformed");
//! # Ok::<(), sudoku_batch::questions::SettingError>(())
//! ```
//!
//! <!-- questions -->
//! | definition | what it does |
//! |---|---|
//! | [`SOLVE`] | Solve puzzles: lines, tables, JSON lines, blocks |
//! | [`CHECK`] | Check puzzles and answers to puzzles |
//! | [`SCORE`] | Score the grids that free texts have for puzzles |
//! | [`COUNT`] | Count the solutions of each puzzle |
//! | [`SOLUTIONS`] | List the solutions of puzzles |
//! | [`CANONICAL`] | Put puzzles and solved grids into canonical form |
//! | [`RANK`] | Number solved grids: the inverse of generate |
//! | [`CLASSES`] | Number the bands of solved grids, and count automorphisms |
//! | [`UNAVOIDABLE`] | Find the minimal unavoidable sets of solved grids |
//! | [`PATTERNS`] | Put the patterns of clues into canonical form |
//! | [`EXPAND`] | Add every clue that naked and hidden singles give |
//! | [`TRUE_CANDIDATES`] | Find the candidates that occur in a solution |
//! | [`CANDIDATE_COUNTS`] | Count the solutions that have each candidate |
//! | [`MINIMALS`] | List the minimal puzzles inside puzzles |
//! | [`DEDUP`] | Keep the first of each group of equivalent records |
//! | [`SPLIT`] | Split a set into parts that share nothing equivalent |
//! | [`RATE`] | Rate puzzles by the techniques that a person needs |
//! | [`BACKDOORS`] | Find the fewest cells whose digits leave only singles |
//! | [`FEATURES`] | Count the clues of rows, columns, boxes and digits, and how far singles lead |
//! | [`FILTER`] | Keep the records that meet all conditions, as they are |
//! | [`STATS`] | Describe a set of puzzles |
//! | [`TRACE`] | Write the order in which cells are filled, and why |
//! | [`TRACE_STEPS`] | List the steps of each puzzle in the order in which its cells are filled |
//! | [`EXPLAIN`] | List the steps of each puzzle, and why each holds |
//! | [`DRILLS`] | List the positions just before a step, with the step as the answer |
//! | [`AUGMENT`] | Make symmetric copies of puzzles, for training sets |
//! | [`NEAR`] | List the puzzles that differ from a puzzle in a few clues |
//! <!-- end -->
//!
//! The command and Python give the sums of the columns of [`STATS`], C gives the columns, and JavaScript both.
//!
//! Records that are made, and not read, are columns of an [`Answer`] too: the sets of [`GENERATE`] and [`PUZZLES`]
//! make those with any numbers ([`GenerateSettings::set`], [`PuzzlesSettings::set`]).
//!
//! Most answers have `statuses` (a [`Status`] for each record), `rejects` (the records that fail, in order,
//! each with a [`Reason`]) and `counts` (named numbers, which add up over batches: [`Counts`]). The answer to a
//! record depends on that record alone, not on its batch; that of [`DEDUP`] depends on the records before too
//! ([`Question::settle`]). With the feature `rayon`, the threads of rayon share
//! one record that has very many solutions ([`COUNT`]); threads that ask [`RATE`] share one that takes long
//! to rate ([`Question::share`]). Nothing else here uses threads.

#![cfg_attr(
    not(feature = "json"),
    allow(
        rustdoc::broken_intra_doc_links,
        reason = "the table names `EXPLAIN`, which needs the feature; the pages with all features check its links"
    )
)]

mod answer;
mod augment;
mod backdoors;
mod batch;
mod candidate_counts;
mod canonical;
#[cfg(feature = "json")]
mod chains;
mod check;
mod classes;
mod columns;
mod compare;
mod count;
mod counts;
mod definition;
mod drills;
mod expand;
#[cfg(feature = "json")]
mod explain;
mod features;
mod filter;
mod grammar;
mod grids;
mod listing;
mod minimals;
mod near;
#[cfg(feature = "json")]
mod options;
mod patterns;
#[cfg(feature = "formats")]
mod piece;
mod puzzles;
mod rank;
mod rate;
#[cfg(feature = "formats")]
mod rows;
mod score;
mod sets;
mod setting;
mod settings;
mod solutions;
mod solve;
mod stats;
mod status;
mod table;
mod team;
mod trace;
mod true_candidates;
mod unavoidable;
#[doc(hidden)]
pub mod verification;
mod visit;

pub use answer::{Answer, Data, NO_NAME, PuzzleValue, Puzzles, Texts};
pub use augment::{AUGMENT, AugmentSettings};
pub use backdoors::{BACKDOORS, BackdoorsSettings};
pub use batch::{Batch, GivenAnswer};
pub use candidate_counts::{CANDIDATE_COUNTS, CandidateCountsSettings};
pub use canonical::{CANONICAL, CanonicalSettings};
pub use check::{CHECK, CheckSettings};
pub use classes::CLASSES;
pub use compare::{DEDUP, DedupSettings, SPLIT, SplitSettings};
pub use count::{COUNT, CountSettings, SolutionCount};
pub use counts::Counts;
use definition::{Asked, Responder, made};
pub use definition::{Column, Definition, Question};
pub use drills::{DRILLS, DrillsSettings};
pub use expand::EXPAND;
#[cfg(feature = "json")]
pub use explain::{EXPLAIN, ExplainSettings};
pub use features::FEATURES;
pub use filter::{FILTER, FilterSettings};
pub use minimals::{MINIMALS, MinimalsSettings};
pub use near::{NEAR, NearSettings};
pub use patterns::PATTERNS;
pub use puzzles::{PUZZLES, PuzzleSet, PuzzlesSettings};
pub use rank::{RANK, RankSettings};
pub use rate::{RATE, RateSettings};
pub use score::{Extract, Reward, SCORE, ScoreSettings};
pub use sets::{GENERATE, GenerateSettings, MadeSet, SETS};
pub use setting::{Kind, Setting, SettingError};
pub use solutions::{SOLUTIONS, SolutionsSettings};
pub use solve::{SOLVE, SolveSettings};
use solve::{Solved, Uniqueness};
pub use stats::{STATS, StatsSettings};
pub use status::{Reason, Reject, Status};
pub use trace::{TRACE, TRACE_STEPS, TraceSettings};
pub use true_candidates::TRUE_CANDIDATES;
pub use unavoidable::{UNAVOIDABLE, UnavoidableSettings};

#[cfg(feature = "json")]
#[doc(hidden)]
pub use chains::chains;
#[cfg(feature = "json")]
#[doc(hidden)]
pub use options::Options;
#[cfg(feature = "formats")]
#[doc(hidden)]
pub use {
    piece::{PieceRejects, TextPiece},
    rows::RowWriter,
};

// For the command, the packages and the tests: structs behind definitions, questions of a shape that only
// one interface asks, and what an interface needs to offer a setting and to sum up a run.
#[doc(hidden)]
pub use {
    answer::RowTexts,
    check::accuracies,
    compare::REJECTED,
    definition::{RowView, RunOutcome, SummaryField},
    drills::Drills,
    grammar::{NumberError, number, range},
    grids::{check_grids, valid_grid},
    puzzles::MISSES,
    sets::{MakeRecords, SetDefinition},
    setting::{Audience, spelled},
    settings::{Settings, digit_of_student},
    solve::{solve_records, solved},
    table::{Buffer, PAIRS, STATUS_NAMES, Table, TableColumn},
    team::Team,
    visit::ColumnVisitor,
};

/// All questions that take a few microseconds a record or less: those of solvers.
pub static SOLVERS: &[&Definition] = &[
    &SOLVE,
    &CHECK,
    &SCORE,
    &COUNT,
    &SOLUTIONS,
    &CANONICAL,
    &RANK,
    &CLASSES,
    &UNAVOIDABLE,
    &PATTERNS,
    &EXPAND,
    &TRUE_CANDIDATES,
    &CANDIDATE_COUNTS,
    &MINIMALS,
    &DEDUP,
    &SPLIT,
];

/// The questions of the rater, whose code is larger than that of all others together.
pub static RATERS: &[&Definition] = &[&RATE, &BACKDOORS, &FEATURES, &FILTER, &STATS];

/// The questions that the package for JavaScript leaves out: the code of traces, of drills and of neighbours is large,
/// and the rows of images take the places of the records.
pub static OTHERS: &[&Definition] = &[
    &TRACE,
    &TRACE_STEPS,
    #[cfg(feature = "json")]
    &EXPLAIN,
    &DRILLS,
    &AUGMENT,
    &NEAR,
];

/// All questions that have a definition, in the order of lists.
pub fn all() -> impl Iterator<Item = &'static Definition> {
    let lists = [SOLVERS, RATERS, OTHERS];
    lists.into_iter().flatten().copied()
}
