//! A position as chains look at it: candidates by cell and by house, and a number for each.

use crate::{
    grid::{CELLS, HOUSES},
    technique::{
        Position,
        chain::Work,
        position::{Known, View},
    },
};

/// The numbers of the box, the row and the column of each cell.
///
/// Sudoku Explainer looks at the houses in this order. The order decides which of two
/// reasons stands for a link, and which of two links is followed first.
pub(in crate::technique) const HOUSES_OF: [[u8; 3]; CELLS] = {
    let mut houses = [[0; 3]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = (cell / 9, cell % 9);
        let box_index = row / 3 * 3 + column / 3;
        houses[cell] = [18 + box_index as u8, row as u8, 9 + column as u8];
        cell += 1;
    }
    houses
};

/// The place of each cell in its box, its row and its column.
pub(in crate::technique) const PLACES_OF: [[u8; 3]; CELLS] = {
    let mut places = [[0; 3]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (row, column) = (cell / 9, cell % 9);
        let in_box = row % 3 * 3 + column % 3;
        places[cell] = [in_box as u8, column as u8, row as u8];
        cell += 1;
    }
    places
};

/// A candidate by its number: nine times the cell, plus the index of the digit.
pub(super) type Candidate = u16;

/// How many numbers of candidates there are.
pub(super) const CANDIDATES: usize = 9 * CELLS;

pub(super) const fn candidate(cell: usize, digit: usize) -> Candidate {
    (9 * cell + digit) as Candidate
}

pub(super) const fn cell_of(candidate: Candidate) -> usize {
    candidate as usize / 9
}

pub(super) const fn digit_of(candidate: Candidate) -> usize {
    candidate as usize % 9
}

/// The positions of the bits of a candidate: those of its cell, and of its box, its row and its column.
///
/// Runs need them for each node, and a table is faster than a division by nine and two tables.
pub(super) struct Spot {
    pub(super) cell: u8,
    pub(super) digit: u8,
    /// The houses times nine plus the digit.
    pub(super) at: [u8; 3],
    /// The place in each.
    pub(super) bits: [u16; 3],
}

pub(super) static SPOTS: [Spot; CANDIDATES] = {
    const NONE: Spot = Spot {
        cell: 0,
        digit: 0,
        at: [0; 3],
        bits: [0; 3],
    };
    let mut spots = [NONE; CANDIDATES];
    let mut n = 0;
    while n < CANDIDATES {
        let (cell, digit) = (n / 9, n % 9);
        spots[n].cell = cell as u8;
        spots[n].digit = digit as u8;
        let mut side = 0;
        while side < 3 {
            spots[n].at[side] = HOUSES_OF[cell][side] * 9 + digit as u8;
            spots[n].bits[side] = 1 << PLACES_OF[cell][side];
            side += 1;
        }
        n += 1;
    }
    spots
};

/// Returns true if exactly two bits are set. (Without the instruction for it, a count of bits takes
/// longer.)
pub(super) const fn is_two(set: u16) -> bool {
    let rest = set & set.wrapping_sub(1);
    rest != 0 && rest & (rest - 1) == 0
}

/// The numbers of the bits of a set, the lowest first.
pub(super) fn bits(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        (set != 0).then(|| {
            set &= set - 1;
            bit
        })
    })
}

/// The candidates of all cells.
///
/// A filled cell has no candidates. No cell may be filled after that: a chain only strikes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The candidates of each cell: bit 0 for the digit 1.
    pub(in crate::technique) cells: [u16; CELLS],
    /// The places of each digit in each house: bit n for the n-th cell.
    pub(in crate::technique) places: [[u16; 9]; HOUSES],
    /// How many cells of each house are empty.
    pub(in crate::technique) empty: [u8; HOUSES],
    /// How often each digit stands in the filled cells.
    pub(in crate::technique) placed: [u8; 9],
}

impl State {
    /// The candidates of a position.
    pub fn new(position: &Position) -> Self {
        View::of(position, Known::NOTHING, Work::unbounded()).state()
    }

    /// Takes a candidate away.
    #[inline]
    pub(super) fn strike(&mut self, candidate: Candidate) {
        let spot = &SPOTS[usize::from(candidate)];
        self.cells[usize::from(spot.cell)] &= !(1 << spot.digit);
        let places = self.places.as_flattened_mut();
        for (&at, &bit) in spot.at.iter().zip(&spot.bits) {
            places[usize::from(at)] &= !bit;
        }
    }

    /// The digits whose places are others than in an earlier position of the puzzle, with these candidates.
    pub(super) fn digits_changed(&self, before: &[u16; CELLS]) -> u16 {
        let cells = self.cells.iter().zip(before);
        cells.fold(0, |digits, (now, before)| digits | now ^ before)
    }

    /// The candidates of an earlier position of the puzzle, cell by cell, that are none now.
    pub(super) fn gone_since(&self, before: &[u16; CELLS]) -> impl Iterator<Item = Candidate> {
        let cells = self.cells.iter().zip(before).enumerate();
        cells.flat_map(|(cell, (now, before))| {
            bits(before & !now).map(move |digit| candidate(cell, digit))
        })
    }

    /// Returns true if some of the candidates that are gone leave two candidates of a cell, or two places of a digit in a
    /// house. Without that, no forcing chain is new.
    pub(super) fn has_new_strong_link(&self, mut gone: impl Iterator<Item = Candidate>) -> bool {
        gone.any(|gone| {
            let (cell, digit) = (cell_of(gone), digit_of(gone));
            let houses = HOUSES_OF[cell].map(|house| self.places[usize::from(house)][digit]);
            is_two(self.cells[cell]) || houses.into_iter().any(is_two)
        })
    }

    /// The number of candidates.
    pub(super) fn count(&self) -> u32 {
        self.cells.iter().map(|digits| digits.count_ones()).sum()
    }

    /// All candidates, cell by cell, the digits ascending.
    pub(super) fn candidates(&self) -> impl Iterator<Item = Candidate> {
        let cells = self.cells.iter().enumerate();
        cells.flat_map(|(cell, &digits)| bits(digits).map(move |digit| candidate(cell, digit)))
    }
}
