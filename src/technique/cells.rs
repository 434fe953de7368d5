//! Sets of cells as 81 bits.

use crate::grid::{CELLS, Cell, HOUSE_CELLS, HOUSES, House, PEERS};

/// A set of cells: bit n stands for the cell with number n.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct CellSet(u128);

impl CellSet {
    pub(super) const NONE: Self = Self(0);
    pub(super) const ALL: Self = Self((1 << CELLS) - 1);

    /// The nine cells of a house.
    pub(super) const fn of_house(house: House) -> Self {
        HOUSE_SETS[house.index()]
    }

    /// The 20 cells that share a house with a cell.
    pub(super) const fn peers(cell: Cell) -> Self {
        PEER_SETS[cell.index()]
    }

    /// The cells of nine rows: bit n of a row for its n-th cell.
    #[inline(always)]
    pub(super) fn of_rows(rows: [u16; 9]) -> Self {
        let word = |rows: &[u16]| {
            let rows = rows.iter().rev();
            rows.fold(0_u64, |word, &row| word << 9 | u64::from(row))
        };
        Self(u128::from(word(&rows[..7])) | u128::from(word(&rows[7..])) << 63)
    }

    /// A cell and those before it.
    pub(super) const fn up_to(cell: Cell) -> Self {
        Self((2 << cell.index()) - 1)
    }

    pub(super) const fn insert(&mut self, cell: Cell) {
        self.0 |= 1 << cell.index();
    }

    pub(super) const fn remove(&mut self, cell: Cell) {
        self.0 &= !(1 << cell.index());
    }

    pub(super) const fn contains(self, cell: Cell) -> bool {
        self.0 >> cell.index() & 1 != 0
    }

    pub(super) const fn len(self) -> u32 {
        // Two words: a count of 128 bits is no single instruction.
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if it has two cells or more. (Without the instruction for it, a count of bits
    /// takes longer.)
    pub(super) const fn has_two(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) const fn and_not(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Takes the first cell out.
    #[inline(always)]
    pub(super) fn pop(&mut self) -> Option<Cell> {
        let cell = Cell::new(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(cell)
    }

    /// The cells in reading order.
    pub(super) fn iter(self) -> impl Iterator<Item = Cell> + Clone {
        let mut bits = self.0;
        std::iter::from_fn(move || {
            let cell = Cell::new(bits.trailing_zeros() as usize)?;
            bits &= bits - 1;
            Some(cell)
        })
    }
}

impl FromIterator<Cell> for CellSet {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::NONE;
        cells.into_iter().for_each(|cell| set.insert(cell));
        set
    }
}

/// The union of single cells.
const fn set_of(cells: &[u8]) -> CellSet {
    let (mut bits, mut n) = (0, 0);
    while n < cells.len() {
        bits |= 1 << cells[n];
        n += 1;
    }
    CellSet(bits)
}

const HOUSE_SETS: [CellSet; HOUSES] = {
    let (mut sets, mut n) = ([CellSet::NONE; HOUSES], 0);
    while n < HOUSES {
        sets[n] = set_of(&HOUSE_CELLS[n]);
        n += 1;
    }
    sets
};

const PEER_SETS: [CellSet; CELLS] = {
    let (mut sets, mut n) = ([CellSet::NONE; CELLS], 0);
    while n < CELLS {
        sets[n] = set_of(&PEERS[n]);
        n += 1;
    }
    sets
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_houses_and_peers() {
        for house in House::all() {
            let cells = CellSet::of_house(house).iter();
            assert!(cells.clone().all(|cell| house.contains(cell)));
            assert_eq!(cells.count(), 9);
        }
        for cell in Cell::all() {
            let peers = CellSet::peers(cell);
            assert_eq!((peers.len(), peers.contains(cell)), (20, false));
            let shares = |&other: &Cell| {
                House::all().any(|house| house.contains(cell) && house.contains(other))
            };
            assert!(peers.iter().all(|peer| shares(&peer)));
        }
    }

    #[test]
    fn sets_of_rows_hold_the_cells_of_rows() {
        for cell in Cell::all() {
            let mut rows = [0; 9];
            rows[cell.row()] = 1 << cell.column();
            assert_eq!(CellSet::of_rows(rows), [cell].into_iter().collect());
        }
    }

    #[test]
    fn sets_are_sets() {
        let cell = |n| Cell::new(n).unwrap();
        let mut set: CellSet = [80, 3, 70, 3].into_iter().map(cell).collect();
        assert!(set.iter().map(Cell::index).eq([3, 70, 80]));
        set.remove(cell(70));
        assert_eq!(set.len(), 2);
        let other: CellSet = [3, 4].into_iter().map(cell).collect();
        assert!(set.and(other).iter().map(Cell::index).eq([3]));
        assert!(set.and_not(other).iter().map(Cell::index).eq([80]));
        assert_eq!(set.or(other).len(), 3);
        assert!(set.has_two() && !set.and(other).has_two() && !CellSet::NONE.has_two());
        assert!(set.and_not(set).is_empty());
        assert_eq!(
            [0, 63, 64, 80].map(|n| CellSet::up_to(cell(n)).len()),
            [1, 64, 65, 81]
        );
    }
}
