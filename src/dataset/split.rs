//! Parts of a set, such as training and test, decided for each record alone.

use super::{DatasetError, PuzzleHasher};
use crate::{grid::BatchPuzzle, random::Words};

/// Divides puzzles into parts by weights. The part of a puzzle depends on its
/// [form](super::Equivalence::form), the seed and the weights alone: not on the other puzzles, their
/// order or their number. So puzzles with the same canonical form are in the same part, however many
/// files, shards or later additions there are.
#[derive(Clone, Debug)]
pub(crate) struct Split {
    maker: PuzzleHasher,
    seed: u64,
    /// The part of a hash is the first whose border is above it; the last part has no border.
    borders: Vec<u64>,
}

impl Split {
    /// A split into parts of these weights. They need not add up to anything.
    ///
    /// # Errors
    ///
    /// A weight is negative or not a finite number, or none is over 0.
    pub(crate) fn new(seed: u64, weights: &[f64]) -> Result<Self, DatasetError> {
        let sum: f64 = weights.iter().sum();
        let good = |&weight: &f64| weight >= 0.0 && weight.is_finite();
        if !weights.iter().all(good) || !sum.is_finite() || sum == 0.0 {
            return Err(DatasetError::PartWeights);
        }
        let mut below = 0.0;
        let mut borders: Vec<u64> = weights
            .iter()
            .map(|weight| {
                below += weight;
                // 2^64 times the share; the cast ends at the largest number.
                (below / sum * 18_446_744_073_709_551_616.0) as u64
            })
            .collect();
        borders.pop();
        Ok(Self {
            maker: PuzzleHasher::seeded(seed),
            seed,
            borders,
        })
    }

    /// The number of parts.
    pub(crate) fn parts(&self) -> usize {
        self.borders.len() + 1
    }

    /// The part of all puzzles with this canonical form, by its number from 0.
    pub(crate) fn part(&self, form: impl BatchPuzzle) -> usize {
        let key = self.maker.key(form);
        // A key is uniform, but keys of alike puzzles are not independent: the words are.
        let hash = Words::new(self.seed ^ (key >> 64) as u64, key as u64).next();
        self.borders.partition_point(|&border| border <= hash)
    }
}
