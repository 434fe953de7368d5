//! Keys: 127 bits that stand for a puzzle.
//!
//! ```text
//!     81 cells of four bits       six words   w0 ... w5
//!     key = c + k0 w0 + k1 w1 + ... + k5 w5   modulo p = 2^127 - 1
//! ```
//!
//! For two different puzzles some word differs, say w0. Whatever the other five factors are,
//! exactly one k0 of the p possible ones makes the keys equal. So with random factors any two
//! different puzzles have the same key with probability 1 / p, whoever chose the puzzles. This
//! is multilinear hashing (J. L. Carter and M. N. Wegman, *Universal classes of hash
//! functions*, 1979). Among n puzzles there are under n^2 / 2 pairs. For 10^10 puzzles the
//! probability that any two different ones share a key is under 3 * 10^-19.

use crate::{
    grid::{AnyPuzzle, BatchPuzzle, CELLS, Grid},
    name::named,
    random::Words,
    symmetry::{CanonicalGrid, CanonicalPuzzle},
};
use std::{
    fmt,
    hash::{BuildHasher, RandomState},
};

named! {
    /// When two puzzles count as the same.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Equivalence, a "way of comparing" {
        /// The cells are equal.
        Equality = "equality",
        /// A symmetry takes one to the other: the canonical forms are equal.
        Symmetry = "symmetry",
        /// A symmetry takes the solution of one to the solution of the other.
        Solution = "solution",
        /// A symmetry takes one to the other, whatever number of solutions they have: the
        /// [smallest images](CanonicalPuzzle::smallest_image) of the cells are equal.
        Minlex = "minlex",
    }
}

impl Equivalence {
    /// Its meaning.
    pub(crate) const fn about(self) -> &'static str {
        match self {
            Self::Equality => "The cells are equal",
            Self::Symmetry => "They are symmetric copies of each other, which needs one solution",
            Self::Solution => "Their solutions are symmetric copies of each other",
            Self::Minlex => "They are symmetric copies of each other, with any number of solutions",
        }
    }

    /// Returns true if the solution is needed to compare.
    pub const fn needs_solution(self) -> bool {
        !matches!(self, Self::Equality | Self::Minlex)
    }

    /// The cells that are the same exactly for puzzles that count as the same: those of the
    /// puzzle, of its canonical form, of the canonical form of its solution, or of its smallest image.
    ///
    /// ```
    /// use sudoku_batch::{Outcome, Puzzle, Solver, dataset::Equivalence, symmetry::Transformation};
    /// let puzzle: Puzzle =
    ///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
    /// let image = Transformation::numbered(123_456_789_012).puzzle(&puzzle);
    /// let form = |puzzle: &Puzzle, by: Equivalence| {
    ///     let Outcome::Unique(solution) = Solver::new().solve(puzzle) else { panic!() };
    ///     by.form(puzzle, &solution)
    /// };
    /// assert_ne!(form(&puzzle, Equivalence::Equality), form(&image, Equivalence::Equality));
    /// assert_eq!(form(&puzzle, Equivalence::Symmetry), form(&image, Equivalence::Symmetry));
    /// assert_eq!(form(&puzzle, Equivalence::Solution), form(&image, Equivalence::Solution));
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    ///
    /// Candidates that [a puzzle of 81 cells](crate::Candidates::to_puzzle) has count as that puzzle.
    ///
    /// `solution` is the only solution. A puzzle with several solutions or none has no canonical form:
    /// by symmetry and by solution it counts as the same as a puzzle with equal cells, and as no other. So
    /// does by minlex a puzzle with a digit twice in a house, and one of candidates that no 81 cells have.
    ///
    /// # Panics
    ///
    /// The grid is not a solution of the puzzle (which only those check that
    /// [need](Self::needs_solution) it).
    pub fn form<'a>(
        self,
        puzzle: impl BatchPuzzle,
        solution: impl Into<Option<&'a Grid>>,
    ) -> AnyPuzzle {
        let puzzle = puzzle.into();
        match (self, solution.into()) {
            (Self::Minlex, _) => match puzzle.simplest() {
                AnyPuzzle::Cells(puzzle) => {
                    let smallest = CanonicalPuzzle::smallest_image(&puzzle);
                    smallest.map_or(puzzle.into(), |image| image.puzzle())
                }
                candidates => candidates,
            },
            (Self::Equality, _) | (_, None) => puzzle.simplest(),
            (Self::Symmetry, Some(solution)) => CanonicalPuzzle::new(puzzle, solution).puzzle(),
            (Self::Solution, Some(solution)) => {
                AnyPuzzle::Cells(CanonicalGrid::new(solution).grid().into())
            }
        }
    }
}

const PRIME: u128 = (1 << 127) - 1;

/// Makes keys of puzzles, 127 bits each.
///
/// Equal puzzles have equal keys. Two different puzzles have the same key with probability
/// 2^-127, for random factors; among 10^10 puzzles, any two with less than 10^-18.
///
/// ```
/// use sudoku_batch::{Puzzle, dataset::PuzzleHasher};
/// let maker = PuzzleHasher::random();
/// let mut puzzle = Puzzle::EMPTY;
/// let empty = maker.key(&puzzle);
/// puzzle.set(sudoku_batch::Cell::at(8, 8), sudoku_batch::Digit::new(1));
/// assert_ne!(maker.key(&puzzle), empty);
/// assert_eq!(maker.key(&Puzzle::EMPTY), empty);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct PuzzleHasher {
    /// Both under the prime.
    factors: [u128; 6],
    constant: u128,
    /// The same for the twelve words of candidates.
    of_candidates: ([u128; 12], u128),
}

impl fmt::Debug for PuzzleHasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PuzzleHasher").finish_non_exhaustive()
    }
}

impl PuzzleHasher {
    /// Random factors: what the keys are compared for does not depend on them, and nobody can
    /// make puzzles with equal keys.
    pub fn random() -> Self {
        // The standard library has no other source of random words. It seeds its hash from
        // the system, and hashes of different numbers look random.
        let state = RandomState::new();
        let mut number = 0_u64;
        Self::from_words(|| {
            number += 1;
            state.hash_one(number)
        })
    }

    /// The factors that a seed picks: the same keys on every machine, in every version with
    /// the same major number.
    pub fn seeded(seed: u64) -> Self {
        const STREAM: u32 = 0x6b65;
        let mut words = Words::of_stream(seed, 0, STREAM);
        Self::from_words(|| words.next())
    }

    fn from_words(mut word: impl FnMut() -> u64) -> Self {
        let mut number = || loop {
            let bits = (u128::from(word()) << 64 | u128::from(word())) >> 1;
            if bits < PRIME {
                return bits;
            }
        };
        Self {
            factors: std::array::from_fn(|_| number()),
            constant: number(),
            of_candidates: (std::array::from_fn(|_| number()), number()),
        }
    }

    /// The key of a puzzle. Those of 81 cells and of candidates differ.
    ///
    /// ```
    /// use sudoku_batch::{Candidates, Puzzle, dataset::PuzzleHasher};
    /// let maker = PuzzleHasher::seeded(7);
    /// assert_ne!(maker.key(&Candidates::ALL), maker.key(&Puzzle::EMPTY));
    /// ```
    #[inline]
    pub fn key(&self, puzzle: impl BatchPuzzle) -> u128 {
        self.key_of(&puzzle.into())
    }

    /// The key of either kind. It is not inlined: the command around its driver is compiled without optimisation.
    #[inline(never)]
    fn key_of(&self, puzzle: &AnyPuzzle) -> u128 {
        match puzzle {
            AnyPuzzle::Cells(puzzle) => self.key_of_cells(puzzle.as_ascii()),
            AnyPuzzle::Candidates(candidates) => {
                let (factors, constant) = &self.of_candidates;
                key(factors, candidates.words(), *constant)
            }
        }
    }

    /// The key of cells: `1` to `9` and `.`.
    #[inline]
    pub(super) fn key_of_cells(&self, cells: &[u8; CELLS]) -> u128 {
        key(&self.factors, &words(cells), self.constant)
    }
}

/// The sum of the products, modulo the prime.
#[inline]
fn key<const N: usize>(factors: &[u128; N], words: &[u64; N], constant: u128) -> u128 {
    // The sums of the low and high halves of all products of 64 by 64 bits. Each is
    // under 2^69.
    let (mut low, mut middle, mut high) = (0_u128, 0_u128, 0_u128);
    for (factor, &word) in factors.iter().zip(words) {
        let word = u128::from(word);
        let product = (factor & u128::from(u64::MAX)) * word;
        let above = (factor >> 64) * word;
        low += product & u128::from(u64::MAX);
        middle += (product >> 64) + (above & u128::from(u64::MAX));
        high += above >> 64;
    }
    // low + middle 2^64 + high 2^128, where 2^127 is 1 modulo the prime.
    let half = u128::from(u64::MAX >> 1);
    let sum = low + ((middle & half) << 64) + (middle >> 63) + 2 * high;
    let sum = (sum & PRIME) + (sum >> 127) + constant;
    let sum = (sum & PRIME) + (sum >> 127);
    if sum >= PRIME { sum - PRIME } else { sum }
}

/// The low four bits of the cells, sixteen to a word: they distinguish all characters.
#[inline]
fn words(cells: &[u8; CELLS]) -> [u64; 6] {
    let (sixteens, rest) = cells.as_chunks::<16>();
    let mut words = [0; 6];
    for (word, cells) in words.iter_mut().zip(sixteens) {
        let (low, high) = cells.split_first_chunk::<8>().expect("8 of 16");
        let high = high.first_chunk::<8>().expect("the other 8");
        *word = nibbles(low) | nibbles(high) << 32;
    }
    words[5] = u64::from(rest[0] & 15);
    words
}

#[inline]
fn nibbles(bytes: &[u8; 8]) -> u64 {
    let word = u64::from_le_bytes(*bytes) & 0x0f0f_0f0f_0f0f_0f0f;
    let word = (word | word >> 4) & 0x00ff_00ff_00ff_00ff;
    let word = (word | word >> 8) & 0x0000_ffff_0000_ffff;
    (word | word >> 16) & 0xffff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Puzzle;

    /// `PRIME - 1` is -1 modulo the prime: the key is -1 less the sum of the words.
    #[test]
    fn the_largest_factors_do_not_overflow() {
        let maker = PuzzleHasher {
            factors: [PRIME - 1; 6],
            constant: PRIME - 1,
            of_candidates: ([0; 12], 0),
        };
        let words = [0xeeee_eeee_eeee_eeee_u128; 5].into_iter().chain([0xe]);
        let expected = PRIME - 1 - words.sum::<u128>();
        assert_eq!(maker.key(&Puzzle::EMPTY), expected);
    }
}
