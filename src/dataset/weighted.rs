//! Weighted means of what puzzles have, with standard errors.

use crate::{grid::CELLS, technique::Rating};
use std::ops::AddAssign;

/// Sums over puzzles with weights, for means and their standard errors. The sums of parts of a set add up to
/// those of the set, to the last bit in any order, because they are exact.
///
/// If each puzzle was drawn with a probability p, independently of the others, and has the weight 1/p, the mean of
/// the weights estimates the number of all puzzles, and weighted means estimate those of all puzzles. The records
/// of [`PuzzlesSettings::unbiased`](crate::questions::PuzzlesSettings::unbiased) are like that.
///
/// ```
/// use sudoku_batch::{dataset::Weighted, questions::{Question, StatsSettings}};
/// let cells = [
///     *b"3..6.85.7...5.....5.2........39........1.46.3.9....1..7......6..8134...9...8...21",
///     *b"..2..7...5...34..84.62.1.........7...4.....5...9.7.3.11.....5.....9284...6.3.....",
/// ];
/// let clues = cells.map(|cells| cells.iter().filter(|cell| **cell != b'.').count() as f64);
/// let mut question = Question::new(StatsSettings::default())?;
/// let weighted = Weighted::of(&question.ask_cells(&cells), &[1.0, 3.0]);
/// let (mean, _) = weighted.clues();
/// assert!((mean - (clues[0] + 3.0 * clues[1]) / 4.0).abs() < 1e-12);
/// assert_eq!((weighted.total(), weighted.effective_sample()), ((2.0, 1.0), 1.6));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weighted {
    puzzles: u64,
    weights: Sum,
    squares: Sum,
    clues: Moments,
    ratings: Moments,
    /// The puzzles without a rating.
    not_rated: u64,
    /// The sums of weights, and of their squares, of the puzzles with each number of clues.
    of_clues: Vec<(Sum, Sum)>,
}

/// The sums for a weighted mean of some f: those of w f, w² f and w² f².
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Moments([Sum; 3]);

impl Weighted {
    /// Adds a puzzle with this number of clues and this ER, which it has up to the bound of the rater. Its weight is finite
    /// and not negative.
    pub(crate) fn add(&mut self, clues: usize, er: Option<Rating>, weight: f64) {
        self.of_clues.resize(CELLS + 1, <(Sum, Sum)>::default());
        self.puzzles += 1;
        self.weights.add(weight);
        self.squares.add(weight * weight);
        self.clues.add(weight, clues as f64);
        let of_clues = &mut self.of_clues[clues];
        of_clues.0.add(weight);
        of_clues.1.add(weight * weight);
        match er {
            Some(er) => self.ratings.add(weight, er.into()),
            None => self.not_rated += 1,
        }
    }

    /// The mean of the weights, and its standard error: s / √n, with the standard deviation s of the weights.
    pub fn total(&self) -> (f64, f64) {
        let (n, sum) = (self.puzzles as f64, self.weights.value());
        let deviations = (self.squares.value() - sum * sum / n).max(0.0);
        (sum / n, (deviations / (n - 1.0) / n).sqrt())
    }

    /// The effective sample size (Σw)² / Σw²: so many puzzles with one weight would be worth as much.
    pub fn effective_sample(&self) -> f64 {
        self.weights.value().powi(2) / self.squares.value()
    }

    /// The weighted mean of the number of clues, and its standard error.
    pub fn clues(&self) -> (f64, f64) {
        self.mean(&self.clues)
    }

    /// The weighted mean of the rating (ER), and its standard error. `None` if a puzzle is over the bound of the
    /// rater.
    pub fn rating(&self) -> Option<(f64, f64)> {
        (self.not_rated == 0).then(|| self.mean(&self.ratings))
    }

    /// The weighted share of each number of clues that occurs, and its standard error.
    pub fn shares(&self) -> impl Iterator<Item = (usize, f64, f64)> {
        let found = self.of_clues.iter().enumerate();
        let found = found.filter(|(_, sums)| **sums != <(Sum, Sum)>::default());
        found.map(|(clues, (weights, squares))| {
            // The puzzles with this number have f = 1, and the others 0.
            let sums = [weights.value(), squares.value(), squares.value()];
            let (share, error) = self.ratio(sums);
            (clues, share, error)
        })
    }

    fn mean(&self, moments: &Moments) -> (f64, f64) {
        self.ratio([0, 1, 2].map(|at| moments.0[at].value()))
    }

    /// The ratio estimate r = Σwf / Σw, and its standard error by the delta method:
    /// √(n / (n - 1) · Σ w² (f - r)²) / Σw.
    fn ratio(&self, [sum, once, twice]: [f64; 3]) -> (f64, f64) {
        let (n, all) = (self.puzzles as f64, self.weights.value());
        let ratio = sum / all;
        let squares = twice - 2.0 * ratio * once + ratio * ratio * self.squares.value();
        (ratio, (squares.max(0.0) * n / (n - 1.0)).sqrt() / all)
    }
}

impl AddAssign for Weighted {
    fn add_assign(&mut self, other: Self) {
        self.puzzles += other.puzzles;
        self.not_rated += other.not_rated;
        self.weights += &other.weights;
        self.squares += &other.squares;
        for (own, others) in [
            (&mut self.clues, &other.clues),
            (&mut self.ratings, &other.ratings),
        ] {
            for (sum, other) in own.0.iter_mut().zip(&others.0) {
                *sum += other;
            }
        }
        self.of_clues.resize(CELLS + 1, <(Sum, Sum)>::default());
        for (own, others) in self.of_clues.iter_mut().zip(&other.of_clues) {
            own.0 += &others.0;
            own.1 += &others.1;
        }
    }
}

impl Moments {
    fn add(&mut self, weight: f64, value: f64) {
        let square = weight * weight;
        self.0[0].add(weight * value);
        self.0[1].add(square * value);
        self.0[2].add(square * value * value);
    }
}

/// A sum of numbers that are finite and not negative, without rounding.
///
/// ```text
///     bins[b] counts in 2^(32 b - 1074); a number of 53 bits falls into two or three of them
/// ```
///
/// So the order of the numbers does not matter. A bin has room for 2^32 of them.
///
/// Source: R. Neal, *Fast exact summation using small and large superaccumulators* (2015).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    bins: Vec<u64>,
}

/// 2046 exponents, and 53 bits above the last.
const BINS: usize = 67;

impl Sum {
    fn add(&mut self, number: f64) {
        assert!(number.is_finite() && number >= 0.0);
        self.bins.resize(BINS, 0);
        let bits = number.to_bits();
        let (exponent, fraction) = ((bits >> 52) as usize, bits & ((1 << 52) - 1));
        // Numbers below the smallest exponent have no leading bit.
        let (shift, mantissa) = match exponent {
            0 => (0, fraction),
            _ => (exponent - 1, fraction | 1 << 52),
        };
        let mut rest = u128::from(mantissa) << (shift % 32);
        for bin in &mut self.bins[shift / 32..] {
            *bin += rest as u64 & 0xffff_ffff;
            rest >>= 32;
            if rest == 0 {
                break;
            }
        }
    }

    /// The sum, rounded a few times.
    fn value(&self) -> f64 {
        let mut carry = 0;
        let digits = self.bins.iter().map(|bin| {
            let sum = u128::from(*bin) + carry;
            carry = sum >> 32;
            (sum & 0xffff_ffff) as f64
        });
        let digits: Vec<_> = digits.collect();
        let digits = (0..).zip(digits).filter(|(_, digit)| *digit > 0.0);
        // Small ones first. Halves of the power of two are numbers, even where the whole is none.
        digits.fold(0.0, |sum, (bin, digit)| {
            let power = 32 * bin - 1074;
            sum + digit * 2_f64.powi(power / 2) * 2_f64.powi(power - power / 2)
        })
    }
}

impl AddAssign<&Self> for Sum {
    fn add_assign(&mut self, other: &Self) {
        self.bins.resize(BINS, 0);
        for (bin, other) in self.bins.iter_mut().zip(&other.bins) {
            *bin += other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        random::Words,
        technique::{Rater, Rating},
    };

    /// Integers have exact sums in other ways.
    #[test]
    fn sums_are_exact_in_any_order() {
        let mut words = Words::new(1, 2);
        let numbers: Vec<u64> = (0..2000)
            .map(|_| words.next() >> 12 >> (words.next() % 50))
            .collect();
        let scale = 2_f64.powi(90);
        let expected = numbers.iter().map(|&n| u128::from(n)).sum::<u128>();
        let (mut all, mut parts) = (Sum::default(), [Sum::default(), Sum::default()]);
        for (place, &number) in numbers.iter().enumerate() {
            all.add(number as f64 * scale);
            parts[place % 2].add(number as f64 * scale);
        }
        let [mut one, other] = parts;
        one += &other;
        assert_eq!(one, all);
        assert!(expected < 1 << 64);
        let error = (all.value() / scale - expected as f64).abs() / expected as f64;
        assert!(error < 1e-15, "{error}");
        let mut ends = Sum::default();
        for number in [f64::MAX / 4.0, f64::MIN_POSITIVE / 8.0, 0.0, f64::MAX / 4.0] {
            ends.add(number);
        }
        assert_eq!(ends.value(), f64::MAX / 2.0);
    }

    /// The formulas in two passes over the puzzles.
    #[test]
    fn errors_are_those_of_the_formulas() {
        let lines = include_str!("../../data/minimal.txt").lines().take(50);
        let puzzles: Vec<crate::grid::Puzzle> =
            lines.map(|line| line[..81].parse().unwrap()).collect();
        let mut words = Words::new(7, 7);
        let weights: Vec<_> = puzzles
            .iter()
            .map(|_| (words.next() >> 40) as f64 * 1e30)
            .collect();
        let mut rater = Rater::new().with_max_rating(Rating::IN_PLANES);
        let mut sums = Weighted::default();
        for ((puzzle, ratings), &weight) in
            puzzles.iter().zip(rater.rate_batch(&puzzles)).zip(&weights)
        {
            sums.add(puzzle.clue_count(), ratings.unwrap().er, weight);
        }
        let n = 50.0;
        let all: f64 = weights.iter().sum();
        let mean = all / n;
        let variance = weights.iter().map(|w| (w - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let is_near = |(a, b): (f64, f64), (c, d): (f64, f64)| {
            assert!(
                (a / c - 1.0).abs() < 1e-9 && (b / d - 1.0).abs() < 1e-6,
                "{a} {c}, {b} {d}"
            );
        };
        is_near(sums.total(), (mean, (variance / n).sqrt()));
        let check = |found: (f64, f64), f: &dyn Fn(&crate::grid::Puzzle) -> f64| {
            let pairs = || puzzles.iter().map(f).zip(&weights);
            let ratio = pairs().map(|(f, w)| f * w).sum::<f64>() / all;
            let squares = pairs().map(|(f, w)| (w * (f - ratio)).powi(2)).sum::<f64>();
            is_near(found, (ratio, (squares * n / (n - 1.0)).sqrt() / all));
        };
        check(sums.clues(), &|puzzle| puzzle.clue_count() as f64);
        for (clues, share, error) in sums.shares() {
            check((share, error), &|puzzle| {
                f64::from(u8::from(puzzle.clue_count() == clues))
            });
        }
        // Some have no rating up to there.
        assert_eq!(sums.rating(), None);
    }
}
