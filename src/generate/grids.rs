//! Grids by number, wherever they come from.

use super::{Sequence, Uniform};
use crate::grid::{BLANK, CELLS, Cell, Digit, Grid, GridLine};
use std::sync::Arc;

/// Grids by number: a sequence of distinct grids, independent samples, or grids that someone gave.
///
/// Grid i of a seed depends on the seed and i alone, so any machine can make any slice. It is the same on every machine
/// and in every version of the same major number.
///
/// ```
/// use sudoku_batch::generate::Grids;
/// let distinct = Grids::seeded(7);
/// let grid = distinct.grid(123_456_789_012_345).expect("under the count");
/// assert!(grid.is_valid());
/// assert_eq!(distinct.position(&grid), Some(123_456_789_012_345));
/// let samples = Grids::uniform(7);
/// let given = Grids::given(0, [samples.grid(5), distinct.grid(5)]);
/// assert_eq!(given.count(), 2);
/// assert_eq!(given.grid(0), samples.grid(5));
/// assert_eq!(given.grid(2), None);
/// ```
#[derive(Clone, Debug)]
pub struct Grids {
    pub(crate) source: Source,
}

/// The source of grids.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// Distinct grids.
    Sequence(Sequence),
    /// Independent samples of all grids there are.
    Uniform(Uniform),
    /// Grids that someone gave. Clones share their memory.
    Given {
        /// The number of the first.
        first: u64,
        /// The grids. A number may be left without one.
        grids: Arc<[Option<Grid>]>,
    },
}

impl From<Source> for Grids {
    fn from(source: Source) -> Self {
        Self { source }
    }
}

impl Grids {
    /// Distinct grids in the order of their indices. Neighbours are alike: 362,880 grids at a
    /// time differ only in the names of the digits, and their first rows ascend.
    ///
    /// ```
    /// use sudoku_batch::generate::{CAPACITY, Grids};
    /// let grids = Grids::in_order();
    /// assert_eq!(grids.count(), CAPACITY);
    /// assert!(grids.grid(0).unwrap().to_string().starts_with("123456789"));
    /// ```
    pub fn in_order() -> Self {
        Source::Sequence(Sequence::in_order()).into()
    }

    /// Distinct grids in the pseudo-random order that a seed picks.
    pub fn seeded(seed: u64) -> Self {
        Source::Sequence(Sequence::seeded(seed)).into()
    }

    /// Independent uniform samples of all grids, one for each number.
    ///
    /// Two grids of n are equal with a probability of about n² / (1.33 · 10²²). Those of [`seeded`](Self::seeded) differ for
    /// sure.
    ///
    /// ```
    /// use sudoku_batch::generate::Grids;
    /// let grids = Grids::uniform(0);
    /// let grid = grids.grid(123_456_789_012_345).expect("there is one for each number");
    /// assert!(grid.is_valid());
    /// assert_eq!(grids.position(&grid), None);
    /// ```
    pub fn uniform(seed: u64) -> Self {
        Source::Uniform(Uniform::seeded(seed)).into()
    }

    /// The grids that someone gave, with the numbers from `first` on. A number may be left without a grid, and
    /// those below `first` have none.
    pub fn given(first: u64, grids: impl IntoIterator<Item = Option<Grid>>) -> Self {
        let grids = grids.into_iter().collect();
        Source::Given { first, grids }.into()
    }

    /// Only the grids with this digit in the top left cell.
    ///
    /// Distinct grids with the digit are a sequence of their own, with numbers from 0 and without gaps. Samples stay
    /// uniform: in each grid of the seed, this digit and the one that is there change their names. (Each ninth of all grids
    /// is renamed one to one to the grids with this digit, so they are equally likely too.) A grid that was given and has
    /// another digit leaves its number without a grid.
    ///
    /// ```
    /// use sudoku_batch::{Cell, Digit, generate::Grids};
    /// let five = Digit::new(5).unwrap();
    /// for grids in [Grids::seeded(0), Grids::uniform(0)] {
    ///     let grid = grids.with_first_digit(five).grid(7).unwrap();
    ///     assert_eq!(grid.get(Cell::at(0, 0)), five);
    /// }
    /// ```
    #[must_use]
    pub fn with_first_digit(self, digit: Digit) -> Self {
        match self.source {
            Source::Sequence(sequence) => Source::Sequence(sequence.with_first_digit(digit)),
            Source::Uniform(uniform) => Source::Uniform(uniform.with_first_digit(digit)),
            Source::Given { first, grids } => {
                let has_digit = |grid: &Grid| grid.get(Cell::at(0, 0)) == digit;
                let grids = grids.iter().map(|grid| grid.filter(has_digit)).collect();
                Source::Given { first, grids }
            }
        }
        .into()
    }

    /// The number of grids: they have the numbers below this. Samples have all numbers.
    pub fn count(&self) -> u64 {
        match &self.source {
            Source::Sequence(sequence) => sequence.capacity(),
            Source::Uniform(_) => u64::MAX,
            Source::Given { first, grids } => first + grids.len() as u64,
        }
    }

    /// The digit that all grids have in the top left cell, where that is asked for.
    pub(crate) fn first_digit(&self) -> Option<Digit> {
        match &self.source {
            Source::Sequence(sequence) => sequence.first_digit,
            Source::Uniform(uniform) => uniform.first_digit,
            Source::Given { .. } => None,
        }
    }

    /// The grid with a number, or `None` when there is none.
    pub fn grid(&self, number: u64) -> Option<Grid> {
        match &self.source {
            Source::Sequence(sequence) => sequence.grid(number),
            Source::Uniform(uniform) => Some(uniform.grid(number)),
            Source::Given { first, grids } => {
                let place = usize::try_from(number.checked_sub(*first)?).ok()?;
                grids.get(place).copied().flatten()
            }
        }
    }

    /// The number of a grid, or `None` if it is not among them. This is the inverse of [`grid`](Self::grid). A sample has no
    /// number: to look for it would take too long.
    pub fn position(&self, grid: &Grid) -> Option<u64> {
        match &self.source {
            Source::Sequence(sequence) => sequence.position(grid),
            Source::Uniform(_) => None,
            Source::Given { first, grids } => {
                let place = grids
                    .iter()
                    .position(|given| given.as_ref() == Some(grid))?;
                Some(first + place as u64)
            }
        }
    }

    /// Writes the grids from number `start` on, one to each line of 81 digits and a line feed. A line of dots stands
    /// for a grid that was not given. Thousands of grids at a time take the least time for each.
    ///
    /// ```
    /// use sudoku_batch::generate::Grids;
    /// let mut lines = [[0; 82]; 3];
    /// Grids::uniform(0).write_lines(100, &mut lines);
    /// assert_eq!(&lines[2][..81], Grids::uniform(0).grid(102).unwrap().as_ascii());
    /// assert_eq!(lines[2][81], b'\n');
    /// ```
    ///
    /// # Panics
    ///
    /// There are fewer grids.
    pub fn write_lines(&self, start: u64, lines: &mut [GridLine]) {
        match &self.source {
            Source::Sequence(sequence) => sequence.write_lines(start, lines),
            Source::Uniform(uniform) => uniform.write_lines(start, lines),
            Source::Given { .. } => {
                let end = start.checked_add(lines.len() as u64);
                assert!(end.is_some_and(|end| end <= self.count()));
                for (number, line) in (start..).zip(lines) {
                    let (cells, end) = line.split_at_mut(CELLS);
                    end[0] = b'\n';
                    match self.grid(number) {
                        Some(grid) => cells.copy_from_slice(grid.as_ascii()),
                        None => cells.fill(BLANK),
                    }
                }
            }
        }
    }
}
