//! Statistics of a set of puzzles.

use crate::{grid::CELLS, technique::Rating};
use std::ops::{AddAssign, RangeInclusive};

/// Counts over puzzles with one solution each. Statistics of parts of a set add up to those of
/// the set.
///
/// ```
/// use sudoku_batch::{dataset::Statistics, questions::{Question, StatsSettings}, technique::Rating};
/// let mut question = Question::new(StatsSettings::default())?;
/// let cells = b"3.65.84..52........87....31..3.1..8.9..863..5.5..9.6..13....25........74..52.63..";
/// let statistics = Statistics::of(&question.ask_cells(&[*cells]));
/// assert_eq!((statistics.puzzles, statistics.clues[32]), (1, 1));
/// assert_eq!((statistics.naked_singles, statistics.singles), (0, 1));
/// let rating = statistics.ratings.iter().position(|&count| count == 1).unwrap();
/// assert!(Statistics::rating(rating) <= Some(Rating::from_tenths(23)));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statistics {
    /// The number of puzzles.
    pub puzzles: u64,
    /// The number of puzzles with each number of clues.
    pub clues: [u64; CELLS + 1],
    /// The number of puzzles that naked singles solve.
    pub naked_singles: u64,
    /// The number of puzzles that naked and hidden singles solve.
    pub singles: u64,
    /// The number of puzzles for each number of guesses of the [reference search](crate::solve::guesses):
    /// entry 0 counts those that need none, entry i those with 2^(i-1) up to 2^i - 1.
    pub guesses: [u64; 65],
    /// All their guesses.
    pub all_guesses: u64,
    /// The most guesses of one.
    pub most_guesses: u64,
    /// The number of puzzles with each rating (ER): entry i counts those of i tenths, and the last entry
    /// those that are over the bound of the rater.
    pub ratings: [u64; RATINGS],
}

const RATINGS: usize = Rating::HARDEST.tenths() as usize + 2;

impl Default for Statistics {
    fn default() -> Self {
        Self {
            puzzles: 0,
            clues: [0; CELLS + 1],
            naked_singles: 0,
            singles: 0,
            guesses: [0; 65],
            all_guesses: 0,
            most_guesses: 0,
            ratings: [0; RATINGS],
        }
    }
}

impl Statistics {
    /// Counts the guesses of a puzzle.
    pub(crate) fn add_guesses(&mut self, guesses: u64) {
        self.guesses[(u64::BITS - guesses.leading_zeros()) as usize] += 1;
        self.all_guesses += guesses;
        self.most_guesses = self.most_guesses.max(guesses);
    }

    /// Counts the rating of a puzzle. One over the bound of the rater has none.
    pub(crate) fn add_rating(&mut self, er: Option<Rating>) {
        let tenths = er.map(|er| usize::from(er.tenths()));
        self.ratings[tenths.unwrap_or(RATINGS - 1)] += 1;
    }

    /// The rating that an entry of [`ratings`](Self::ratings) counts. The last entry gives
    /// `None`: it counts those that are over the bound of the rater.
    pub fn rating(entry: usize) -> Option<Rating> {
        let tenths = u8::try_from(entry).ok().map(Rating::from_tenths);
        tenths.filter(|rating| *rating <= Rating::HARDEST)
    }

    /// The number of puzzles with each number of clues, where there are any.
    pub fn clue_counts(&self) -> impl Iterator<Item = (usize, u64)> {
        filled(&self.clues)
    }

    /// The number of puzzles with the guesses of each [range](Self::guess_range), where there are any.
    pub fn guess_counts(&self) -> impl Iterator<Item = (RangeInclusive<u64>, u64)> {
        filled(&self.guesses).map(|(entry, count)| (Self::guess_range(entry), count))
    }

    /// The number of puzzles with each rating, where there are any; `None` is over the bound of the rater.
    pub fn rating_counts(&self) -> impl Iterator<Item = (Option<Rating>, u64)> {
        filled(&self.ratings).map(|(entry, count)| (Self::rating(entry), count))
    }

    /// The numbers of guesses that an entry of [`guesses`](Self::guesses) counts.
    pub fn guess_range(entry: usize) -> RangeInclusive<u64> {
        match entry {
            0 => 0..=0,
            64 => 1 << 63..=u64::MAX,
            entry => 1 << (entry - 1)..=(1 << entry) - 1,
        }
    }
}

/// The entries that are not 0, with their numbers.
fn filled(counts: &[u64]) -> impl Iterator<Item = (usize, u64)> {
    let counts = counts.iter().copied().enumerate();
    counts.filter(|&(_, count)| count > 0)
}

impl AddAssign for Statistics {
    fn add_assign(&mut self, other: Self) {
        let add = |sums: &mut [u64], others: &[u64]| {
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum += other;
            }
        };
        self.puzzles += other.puzzles;
        add(&mut self.clues, &other.clues);
        self.naked_singles += other.naked_singles;
        self.singles += other.singles;
        add(&mut self.guesses, &other.guesses);
        self.all_guesses += other.all_guesses;
        self.most_guesses = self.most_guesses.max(other.most_guesses);
        add(&mut self.ratings, &other.ratings);
    }
}
