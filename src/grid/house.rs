//! A house by its number.

use super::{Cell, HOUSE_CELLS, HOUSES, HouseKind};
use std::fmt;

/// One of the 27 houses, by its number: rows 0 to 8, columns 9 to 17, boxes 18 to 26.
///
/// ```
/// use sudoku_batch::grid::{Cell, House, HouseKind};
/// let house = House::containing(Cell::at(4, 7), HouseKind::Box);
/// assert_eq!((house.index(), house.to_string()), (23, "box 6".to_owned()));
/// assert!(house.contains(Cell::at(3, 8)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct House(u8);

impl House {
    /// The house with this number, or `None` from 27 on.
    pub const fn new(index: usize) -> Option<Self> {
        if index < HOUSES {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The house of a kind that a cell lies in.
    pub const fn containing(cell: Cell, kind: HouseKind) -> Self {
        Self(match kind {
            HouseKind::Row => cell.row(),
            HouseKind::Column => 9 + cell.column(),
            HouseKind::Box => 18 + cell.box_index(),
        } as u8)
    }

    /// All houses in the order of their numbers.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..HOUSES as u8).map(Self)
    }

    /// The nine houses of a kind.
    pub fn all_of(kind: HouseKind) -> impl ExactSizeIterator<Item = Self> {
        let first = match kind {
            HouseKind::Row => 0,
            HouseKind::Column => 9,
            HouseKind::Box => 18,
        };
        (first..first + 9).map(Self)
    }

    /// Its number, 0 to 26.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its kind.
    pub const fn kind(self) -> HouseKind {
        match self.0 {
            0..9 => HouseKind::Row,
            9..18 => HouseKind::Column,
            _ => HouseKind::Box,
        }
    }

    /// Its nine cells: a row from left to right, a column from the top down, a box in
    /// reading order.
    pub fn cells(self) -> [Cell; 9] {
        HOUSE_CELLS[self.index()].map(Cell)
    }

    /// Returns true if a cell lies in it.
    pub fn contains(self, cell: Cell) -> bool {
        Self::containing(cell, self.kind()) == self
    }
}

/// Its kind and its number among the nine of that kind, from 1: `box 6`.
impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.kind(), self.0 % 9 + 1)
    }
}
