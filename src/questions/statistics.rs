//! The content of a set of records.

use super::{Solved, Uniqueness};
use crate::{
    dataset::{Statistics, Weighted},
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
    /// The weighted sums, if the records have weights. Those of batches add up to those of a set.
    pub weighted: Weighted,
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
        self.ask_weighted(records, &[])
    }

    /// Describes records with weights, one for each. Without any, there are no weighted sums.
    pub fn ask_weighted(&mut self, records: &Records, weights: &[f64]) -> Described<'_> {
        let (solutions, solver) = self.uniqueness.ask_with_solver(records);
        self.puzzles.clear();
        let (mut candidates, mut of_puzzles, mut of_candidates) = (vec![], vec![], vec![]);
        for record in 0..records.len() {
            let weight = weights.get(record);
            match solutions.pair(records, record) {
                Some((AnyPuzzle::Cells(puzzle), _)) => {
                    self.puzzles.push(puzzle);
                    of_puzzles.extend(weight);
                }
                Some((AnyPuzzle::Candidates(puzzle), _)) => {
                    candidates.push(puzzle);
                    of_candidates.extend(weight);
                }
                None => {}
            }
        }
        let mut weighted = Weighted::default();
        if !weights.is_empty() {
            weighted += Weighted::new(&mut self.rater, &self.puzzles, &of_puzzles);
            weighted += Weighted::new(&mut self.rater, &candidates, &of_candidates);
        }
        let mut statistics = Statistics::new(solver, &mut self.rater, &self.puzzles);
        if !candidates.is_empty() {
            statistics += Statistics::new(solver, &mut self.rater, &candidates);
        }
        Described {
            statistics,
            weighted,
            solved: solutions,
        }
    }
}
