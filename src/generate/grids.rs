//! Grids by number, wherever they come from.

use super::{Sequence, Uniform};
use crate::grid::{BLANK, CELLS, Digit, Grid, GridLine};
use std::sync::Arc;

/// Grids by number: a sequence, samples, or grids that someone gave.
///
/// ```
/// use sudoku_batch::generate::{Grids, Sequence, Uniform};
/// let samples = Grids::Uniform(Uniform::seeded(7));
/// let sequence = Grids::Sequence(Sequence::seeded(7));
/// let given = Grids::given(0, [samples.grid(5), sequence.grid(5)]);
/// assert_eq!(given.count(), 2);
/// assert_eq!(given.grid(0), samples.grid(5));
/// assert_eq!(given.grid(2), None);
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Grids {
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

impl Grids {
    /// The grids that someone gave, with the numbers from `first` on. A number may be left without a grid, and
    /// those below `first` have none.
    pub fn given(first: u64, grids: impl IntoIterator<Item = Option<Grid>>) -> Self {
        let grids = grids.into_iter().collect();
        Self::Given { first, grids }
    }

    /// The number of grids: they have the numbers below this.
    pub fn count(&self) -> u64 {
        match self {
            Self::Sequence(sequence) => sequence.capacity(),
            Self::Uniform(_) => u64::MAX,
            Self::Given { first, grids } => first + grids.len() as u64,
        }
    }

    /// The digit that all grids have in the top left cell, where that is asked for.
    pub(crate) fn first_digit(&self) -> Option<Digit> {
        match self {
            Self::Sequence(sequence) => sequence.first_digit,
            Self::Uniform(uniform) => uniform.first_digit,
            Self::Given { .. } => None,
        }
    }

    /// The grid with a number, or `None` when there is none.
    pub fn grid(&self, number: u64) -> Option<Grid> {
        match self {
            Self::Sequence(sequence) => sequence.grid(number),
            Self::Uniform(uniform) => Some(uniform.grid(number)),
            Self::Given { first, grids } => {
                let place = usize::try_from(number.checked_sub(*first)?).ok()?;
                grids.get(place).copied().flatten()
            }
        }
    }

    /// Writes the grids from number `start` on, one to each line. A line of dots stands
    /// for a grid that was not given.
    ///
    /// # Panics
    ///
    /// There are fewer grids.
    pub fn write_lines(&self, start: u64, lines: &mut [GridLine]) {
        match self {
            Self::Sequence(sequence) => sequence.write_lines(start, lines),
            Self::Uniform(uniform) => uniform.write_lines(start, lines),
            Self::Given { .. } => {
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
