//! Sets of puzzles: which are the same, which are images of each other, how good answers
//! are, and on which side of a split a puzzle belongs.
//!
//! | question | answer |
//! |---|---|
//! | Is this puzzle in the set already? | [`DEDUP`](crate::questions::DEDUP), [`PuzzleHasher`] and [`FirstSeen`] |
//! | Which part of a split does it go to? | [`SPLIT`](crate::questions::SPLIT) |
//! | What are other puzzles like it? | [`AUGMENT`](crate::questions::AUGMENT) |
//! | And ever more of them? | [`Stream`] |
//! | What do a training and a test set consist of? | [`TrainingSets`] |
//! | Which records are a sample? | [`sample`] |
//! | How good is an answer to it? | [`CHECK`](crate::questions::CHECK), [`SCORE`](crate::questions::SCORE) |
//! | Can a clue of it be left out? | [`redundant_clues`] |
//! | What is in a set? | [`Statistics`], [`STATS`](crate::questions::STATS) |
//!
//! Two puzzles are the same by one of four things ([`Equivalence`]): the cells, the
//! [canonical form](crate::symmetry::CanonicalPuzzle) of the puzzle, that of its solution, or the minlex. A
//! puzzle without exactly one solution has no canonical form, and its cells count.
//! Nothing here knows files or threads.

mod augment;
mod check;
mod distinct;
mod key;
mod sample;
mod split;
mod statistics;
mod stream;
mod training;
mod weighted;

pub(crate) use augment::Augmenter;
pub use augment::Operation;
pub(crate) use check::Score;
pub use check::redundant_clues;
pub use distinct::{FirstSeen, MOST_RECORDS};
pub use key::{Equivalence, PuzzleHasher};
pub use sample::sample;
pub(crate) use split::Split;
pub use statistics::Statistics;
pub use stream::Stream;
#[doc(hidden)]
pub use training::{Chosen, TrainingSet, TrainingSets, vocabulary};
// For the statistics of the command.
#[doc(hidden)]
pub use weighted::Weighted;

/// Why a set cannot be divided or streamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DatasetError {
    /// A weight of a part is negative or not a number, or none is over 0.
    #[error("the weights of the parts are not numbers from 0 up with one above 0")]
    PartWeights,
    /// There are no puzzles, or more than 2^31.
    #[error("a stream has 1 to 2,147,483,648 puzzles")]
    Count,
    /// This pair, from 0, is a grid that is not the solution of the puzzle.
    #[error("solution {0}, counted from 0, is not one of its puzzle")]
    NotSolved(usize),
    /// The weights are not a number from 0 up for each puzzle, with one above 0.
    #[error("the weights are not a number from 0 up for each puzzle, with one above 0")]
    Weights,
    /// The orders in which cells are filled are not one for each puzzle, or have a number that is no cell or digit.
    #[error(
        "the pairs are not 81 for each puzzle: cells from 0 to 80 and digits, and -1 behind the end"
    )]
    Orders,
}
