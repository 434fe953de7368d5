//! Grids by number, wherever they come from.

use super::{Sequence, Uniform};
use crate::grid::{BLANK, CELLS, Grid, GridLine};
use std::sync::Arc;

/// Grids by number: a sequence, samples, or grids that someone gave.
///
/// ```
/// use sudoku_batch::generate::{Given, Grids, Sequence, Uniform};
/// let samples = Grids::Uniform(Uniform::seeded(7));
/// let sequence = Grids::Sequence(Sequence::seeded(7));
/// let given = Grids::Given(Given::new([samples.grid(5), sequence.grid(5)]));
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
    /// These grids.
    Given(Given),
}

impl Grids {
    /// How many grids there are: they have the numbers below this.
    pub fn count(&self) -> u64 {
        match self {
            Self::Sequence(sequence) => sequence.capacity(),
            Self::Uniform(_) => u64::MAX,
            Self::Given(given) => given.end(),
        }
    }

    /// The grid with a number, or `None` when there is none.
    pub fn grid(&self, number: u64) -> Option<Grid> {
        match self {
            Self::Sequence(sequence) => sequence.grid(number),
            Self::Uniform(uniform) => Some(uniform.grid(number)),
            Self::Given(given) => given.grid(number),
        }
    }

    /// Writes the grids from number `start` on, one to each line. A line of points stands
    /// for a grid that was not given.
    ///
    /// # Panics
    ///
    /// There are fewer grids.
    pub fn write_lines(&self, start: u64, lines: &mut [GridLine]) {
        match self {
            Self::Sequence(sequence) => sequence.write_lines(start, lines),
            Self::Uniform(uniform) => uniform.write_lines(start, lines),
            Self::Given(given) => {
                let end = start.checked_add(lines.len() as u64);
                assert!(end.is_some_and(|end| end <= given.end()));
                for (number, line) in (start..).zip(lines) {
                    let (cells, end) = line.split_at_mut(CELLS);
                    end[0] = b'\n';
                    match given.grid(number) {
                        Some(grid) => cells.copy_from_slice(grid.as_ascii()),
                        None => cells.fill(BLANK),
                    }
                }
            }
        }
    }
}

/// Grids that someone gave, by number. Clones share their memory.
#[derive(Clone, Debug, Default)]
pub struct Given {
    first: u64,
    grids: Arc<[Option<Grid>]>,
}

impl Given {
    /// Grids with the numbers 0, 1 and so on. A number may be left without a grid.
    pub fn new<G: Into<Option<Grid>>>(grids: impl IntoIterator<Item = G>) -> Self {
        Self {
            first: 0,
            grids: grids.into_iter().map(Into::into).collect(),
        }
    }

    /// The same grids with the numbers from `first` on, for a slice of a longer list. The
    /// numbers below have no grid.
    #[must_use]
    pub fn starting_at(self, first: u64) -> Self {
        Self { first, ..self }
    }

    fn end(&self) -> u64 {
        self.first + self.grids.len() as u64
    }

    fn grid(&self, number: u64) -> Option<Grid> {
        let place = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.grids.get(place).copied().flatten()
    }
}
