//! What is in a set of records.

use super::{Solved, Uniqueness};
use crate::{
    dataset::Statistics,
    format::Records,
    grid::{AnyPuzzle, Puzzle},
    technique::{Rater, Rating},
};

/// Asks for statistics of the records with one solution.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::Describe};
/// let mut records = Records::default();
/// let text = b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8\n11";
/// line::read(text, &mut records);
/// let mut question = Describe::default();
/// let described = question.ask(&records);
/// assert_eq!((described.statistics.puzzles, described.statistics.clues[25]), (1, 1));
/// assert_eq!(described.solved.counts.get("malformed"), 1);
/// ```
#[derive(Debug, Default)]
pub struct Describe {
    uniqueness: Uniqueness,
    rater: Rater,
    puzzles: Vec<Puzzle>,
}

/// The answer of [`Describe`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Described<'q> {
    /// The statistics. Those of batches add up to those of a set.
    pub statistics: Statistics,
    /// The statuses, rejects and counts.
    pub solved: Solved<'q>,
}

impl Describe {
    /// Takes no step with a rating over `up_to`. See [`Rater::with_max_rating`].
    #[must_use]
    pub fn up_to(mut self, up_to: Rating) -> Self {
        self.rater = self.rater.with_max_rating(up_to);
        self
    }

    /// Describes records.
    pub fn ask(&mut self, records: &Records) -> Described<'_> {
        let (solutions, solver) = self.uniqueness.ask_with_solver(records);
        let pairs = (0..records.len()).filter_map(|record| solutions.pair(records, record));
        self.puzzles.clear();
        let mut candidates = Vec::new();
        for (puzzle, _) in pairs {
            match puzzle {
                AnyPuzzle::Cells(puzzle) => self.puzzles.push(puzzle),
                AnyPuzzle::Candidates(of_puzzle) => candidates.push(of_puzzle),
            }
        }
        let mut statistics = Statistics::new(solver, &mut self.rater, &self.puzzles);
        if !candidates.is_empty() {
            statistics += Statistics::new(solver, &mut self.rater, &candidates);
        }
        Described {
            statistics,
            solved: solutions.solved,
        }
    }
}
