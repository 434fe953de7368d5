//! Streams of distinct grids by index, seed and shard.
//!
//! A sequence, such as [`Grids::seeded`], is a one-to-one function from the numbers `0..CAPACITY` to grids. So no
//! two of its grids are the same. Grid number i is made without those before it, and any
//! machine can make any slice.
//!
//! ```
//! use sudoku_batch::generate::Grids;
//! let grids = Grids::seeded(0);
//! let grid = grids.grid(123_456_789_012_345).expect("under the capacity");
//! assert!(grid.is_valid());
//! assert_eq!(grids.position(&grid), Some(123_456_789_012_345));
//! ```
//!
//! The index of a grid is a number in mixed radix:
//!
//! ```text
//!     base grid * transposed or not * order of the rows * order of the columns * first row
//!        256    *         2         *        6^4        *         6^4          *    9!
//! ```
//!
//! All these grids differ, because no [base grid](base_grids) has an automorphism and no
//! two of them are equivalent. `docs/internals/sequence.md` has the argument, and the tests prove
//! both facts. The grids belong to 256 of the 5,472,730,538 classes of grids.

pub(crate) mod arrangement;
mod catalogue;
mod grids;
mod in_order;
mod shuffle;
mod uniform;

pub use grids::Grids;
pub(crate) use grids::Source;
pub(crate) use uniform::Uniform;

use crate::{
    grid::{CELLS, Digit, Grid, GridLine},
    random::order::Order,
    symmetry::{CanonicalGrid, LINE_ORDER, LINE_ORDERS, PLACES, Transformation, line_order_number},
};
use arrangement::{ROW_ORDERS, ROW_ORDERS_FIXED, head_and_tail, row_number};
use shuffle::{Shuffle, shuffle};
use std::ops::Range;

/// The number of base grids.
pub const BASE_GRIDS: usize = 256;

/// The number of images that one base grid has: 2 * 6^8 * 9!.
pub const IMAGES: u64 = 2 * (LINE_ORDERS * LINE_ORDERS) as u64 * ROW_ORDERS;

/// The number of distinct grids of a sequence. With a fixed first digit it has a ninth of that, see
/// [`Grids::count`].
pub const CAPACITY: u64 = BASE_GRIDS as u64 * IMAGES;

/// Shard `number` of `count` of a range, counted from 1. The lengths of the shards differ
/// by one at most, and the shards follow each other without a gap.
///
/// ```
/// use sudoku_batch::generate::shard;
/// assert_eq!([1, 2, 3].map(|number| shard(0..10, number, 3)), [0..3, 3..6, 6..10]);
/// ```
///
/// # Panics
///
/// `number` is not 1 to `count`.
pub fn shard(range: Range<u64>, number: u64, count: u64) -> Range<u64> {
    assert!((1..=count).contains(&number));
    let length = u128::from(range.end - range.start);
    let border = |shards: u64| {
        let offset = length * u128::from(shards) / u128::from(count);
        range.start + u64::try_from(offset).expect("at most the length")
    };
    border(number - 1)..border(number)
}

/// The base grids: 256 canonical forms in ascending order.
///
/// ```
/// use sudoku_batch::{generate, symmetry::CanonicalGrid};
/// assert_eq!(generate::base_grids().len(), 256);
/// let base = generate::base_grids().next().unwrap();
/// assert_eq!(CanonicalGrid::new(&base).automorphisms(), 1);
/// ```
pub fn base_grids() -> impl ExactSizeIterator<Item = Grid> {
    (0..BASE_GRIDS).map(catalogue::grid)
}

/// A sequence of distinct grids.
///
/// The same sequence gives the same grids on every machine, and in every version with the
/// same major number.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    seed: Option<u64>,
    first_digit: Option<Digit>,
    order: Option<Order>,
}

/// The number of shuffled grids that are prepared before they are written. This is enough to overlap
/// their table look-ups, and few enough to stay in the first-level cache.
const GROUP: usize = 32;

impl Sequence {
    /// The grids in the order of their indices. Neighbours are alike: 362,880 grids at a
    /// time differ only in the names of the digits, and their first rows ascend.
    pub(crate) fn in_order() -> Self {
        Self {
            seed: None,
            first_digit: None,
            order: None,
        }
    }

    /// The grids in the pseudo-random order that a seed picks.
    pub(crate) fn seeded(seed: u64) -> Self {
        let in_order = Self::in_order();
        Self {
            seed: Some(seed),
            order: Some(Order::new(in_order.capacity(), seed)),
            ..in_order
        }
    }

    /// Only the grids with this digit in the top left cell. They are a sequence of their
    /// own, with positions from 0 and without gaps.
    #[must_use]
    pub(crate) fn with_first_digit(self, digit: Digit) -> Self {
        let fixed = Self {
            first_digit: Some(digit),
            ..self
        };
        Self {
            order: fixed.seed.map(|seed| Order::new(fixed.capacity(), seed)),
            ..fixed
        }
    }

    /// The number of grids that the sequence has: [`CAPACITY`], or a ninth of it.
    pub(crate) fn capacity(&self) -> u64 {
        CAPACITY / ROW_ORDERS * self.rows()
    }

    /// The grid at a position, or `None` if the position is not below the capacity.
    pub(crate) fn grid(&self, position: u64) -> Option<Grid> {
        if position >= self.capacity() {
            return None;
        }
        let mut line = [[0; CELLS + 1]];
        self.write_lines(position, &mut line);
        Grid::from_ascii(line[0].first_chunk().expect("81 of 82")).ok()
    }

    /// The position of a grid, or `None` if the sequence does not have it. This is the
    /// inverse of [`grid`](Self::grid).
    pub(crate) fn position(&self, grid: &Grid) -> Option<u64> {
        if !grid.is_valid() {
            return None;
        }
        let first_row = grid.as_ascii().first_chunk().expect("9 of 81");
        let row = row_number(first_row).checked_sub(self.first_rows_before())?;
        if row >= self.rows() {
            return None;
        }
        let canonical = CanonicalGrid::new(grid);
        let base = catalogue::number(&canonical.grid())?;
        let Transformation {
            transposed,
            rows,
            columns,
            ..
        } = canonical.transformation().inverse();
        let [rows, columns] = [rows, columns].map(|order| line_order_number(&order));
        let block = 2 * base + usize::from(transposed);
        let block = (block * LINE_ORDERS + rows) * LINE_ORDERS + columns;
        let index = block as u64 * self.rows() + row;
        Some(match &self.order {
            Some(order) => order.position(index),
            None => index,
        })
    }

    /// Writes the grids from position `start` on, one to each line.
    ///
    /// # Panics
    ///
    /// A position is not below the capacity.
    pub(crate) fn write_lines(&self, start: u64, lines: &mut [GridLine]) {
        let end = start.checked_add(lines.len() as u64);
        assert!(end.is_some_and(|end| end <= self.capacity()));
        match &self.order {
            Some(order) => self.write_shuffled(order, start, lines),
            None => self.write_in_order(start, lines),
        }
    }

    fn write_in_order(&self, mut index: u64, mut lines: &mut [GridLine]) {
        while !lines.is_empty() {
            let (block, row) = (index / self.rows(), index % self.rows());
            let count = lines.len().min((self.rows() - row) as usize);
            let (run, rest) = lines.split_at_mut(count);
            let row = row + self.first_rows_before();
            in_order::write_run(block, row, run);
            index += count as u64;
            lines = rest;
        }
    }

    fn write_shuffled(&self, order: &Order, start: u64, lines: &mut [GridLine]) {
        for (lot, lines) in (0..).zip(lines.chunks_mut(GROUP)) {
            // Each step runs for the whole lot before the next step. A step is a chain of
            // dependent instructions, and the chains of different grids overlap.
            let start = start + lot * GROUP as u64;
            let mut indices = [0; GROUP];
            for (position, index) in (start..).zip(&mut indices[..lines.len()]) {
                *index = order.index(position);
            }
            let mut shuffles = [arranged(0, 0); GROUP];
            for (&index, place) in indices.iter().zip(&mut shuffles[..lines.len()]) {
                // A division by a constant is a multiplication.
                let (block, row) = if self.first_digit.is_some() {
                    (index / ROW_ORDERS_FIXED, index % ROW_ORDERS_FIXED)
                } else {
                    (index / ROW_ORDERS, index % ROW_ORDERS)
                };
                *place = arranged(block, row + self.first_rows_before());
            }
            shuffle(&shuffles[..lines.len()], lines);
        }
    }

    /// The number of first rows that the sequence has.
    fn rows(&self) -> u64 {
        match self.first_digit {
            Some(_) => ROW_ORDERS_FIXED,
            None => ROW_ORDERS,
        }
    }

    /// The number of first rows that are smaller than all those of the sequence.
    fn first_rows_before(&self) -> u64 {
        let smaller_digits = self.first_digit.map_or(0, Digit::index);
        smaller_digits as u64 * ROW_ORDERS_FIXED
    }
}

/// How to make a grid from a base grid. `block` is the index of the grid without the part
/// of the first row, and `row` is that part.
#[inline]
fn arranged(block: u64, row: u64) -> Shuffle<'static> {
    let orders = LINE_ORDERS as u64;
    let columns = (block % orders) as usize;
    let rows = (block / orders % orders) as usize;
    let side = catalogue::side((block / (orders * orders)) as usize);
    let (names, name_order) = head_and_tail(row);
    Shuffle {
        base: &side.rows,
        inverse: &side.inverse,
        rows: &LINE_ORDER[rows],
        columns: &LINE_ORDER[columns],
        places: &PLACES[columns],
        names,
        name_order,
    }
}
