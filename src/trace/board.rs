//! One puzzle on its way, as a recorder of steps needs it: the places of each digit in each house,
//! which houses leave a digit one place, and what has changed since the last look.
//!
//! ```text
//!     places[digit]     boxes 0-8    columns 9-17    rows 18-26    (nothing)
//!                       9 bits each: the n-th cell of the house
//!     kept by r1c1      0 for box 1, column 1 and row 1; elsewhere all but what r1c1 sees
//! ```
//!
//! The houses stand in the order in which a person looks through them, so the first bit of a set of
//! houses is the house that comes first. Placing a digit is one AND over the 32 numbers of that digit,
//! which the compiler makes vectors of. The digits that the cell loses are taken out one by one: they
//! are few.

#![allow(
    clippy::needless_range_loop,
    reason = "several arrays are gone through by one number"
)]

use crate::{
    grid::{AnyPuzzle, BLANK, CELLS, PEERS},
    simd::ones,
    technique::{
        Technique,
        desk::{CELLS_OF, HOMES, is_single},
        each_hidden_single,
    },
};
use std::ops::ControlFlow;

/// Houses in the order in which they are looked through, and room for whole vectors.
const ROOM: usize = 32;

/// Cells, and room for whole vectors.
const CELL_ROOM: usize = 96;

/// The peers of each cell: all ones in their places.
static SEEN: [[u16; CELL_ROOM]; CELLS] = {
    let (mut seen, mut cell) = ([[0; CELL_ROOM]; CELLS], 0);
    while cell < CELLS {
        let mut n = 0;
        while n < 20 {
            seen[cell][PEERS[cell][n] as usize] = u16::MAX;
            n += 1;
        }
        cell += 1;
    }
    seen
};

/// The places that a digit keeps when it stands in a cell.
static KEPT: [[u16; ROOM]; CELLS] = {
    let (mut kept, mut cell) = ([[0; ROOM]; CELLS], 0);
    while cell < CELLS {
        let mut house = 0;
        while house < 27 {
            let mut n = 0;
            while n < 9 {
                let other = CELLS_OF[house][n] as usize;
                if other != cell && SEEN[cell][other] == 0 {
                    kept[cell][house] |= 1 << n;
                }
                n += 1;
            }
            house += 1;
        }
        cell += 1;
    }
    kept
};

/// The bit of each place in sixteen.
const BITS: [u16; 16] = {
    let (mut bits, mut n) = ([0; 16], 0);
    while n < 16 {
        bits[n] = 1 << n;
        n += 1;
    }
    bits
};

/// A digit, from 0, and the cell where a house leaves it its only place.
#[derive(Clone, Copy)]
pub(super) struct Single {
    pub(super) technique: Technique,
    pub(super) cell: u8,
    pub(super) digit: u8,
}

/// Why a board has no solution.
#[derive(Clone, Copy)]
pub(super) enum Contradiction {
    /// This cell has no candidate.
    Cell(u8),
    /// This digit, from 0, has no place in this house.
    Digit(u8, u8),
}

/// A puzzle on its way. Digits count from 0.
#[derive(Clone)]
#[repr(align(64))]
pub(super) struct Board {
    /// For each digit the places in each house.
    pub(super) places: [[u16; ROOM]; 9],
    /// The candidates of each empty cell.
    pub(super) candidates: [u16; CELL_ROOM],
    /// The empty cells of each house.
    empty: [u16; ROOM],
    /// For each digit the houses that leave it one place.
    single: [u32; 9],
    /// For each digit the houses where it stands.
    placed: [u32; 9],
    /// The houses with one empty cell.
    last: u32,
    /// The houses and digits whose places have changed since [`take_changes`](Self::take_changes).
    changed: u32,
    changed_digits: u16,
    pub(super) filled: [u8; CELLS],
    /// How often each digit does not stand yet.
    pub(super) missing: [u8; 9],
    /// The number of empty cells.
    pub(super) open: u8,
}

/// Two sets of houses: those that leave one place, and those without a place.
#[inline(always)]
fn narrow(places: &[u16; ROOM]) -> (u32, u32) {
    let mut sets = [[0; 2]; 2];
    for half in 0..2 {
        let [mut single, mut none] = [0; 2];
        for n in 0..16 {
            let here = places[16 * half + n];
            single |= if is_single(here) { BITS[n] } else { 0 };
            none |= if here == 0 { BITS[n] } else { 0 };
        }
        sets[half] = [u32::from(single), u32::from(none)];
    }
    let [low, high] = sets;
    (low[0] | high[0] << 16, low[1] | high[1] << 16)
}

impl Board {
    /// The board of a puzzle: its clues are filled, and the other cells have the candidates that it
    /// allows and the clues leave.
    #[inline(always)]
    pub(super) fn of(puzzle: &AnyPuzzle) -> Self {
        let mut board = Self::of_clues(puzzle.clues().as_ascii());
        if let AnyPuzzle::Candidates(candidates) = puzzle {
            for (cell, allowed) in candidates.cells().into_iter().enumerate() {
                for digit in ones((board.candidates[cell] & !allowed.bits()).into()) {
                    board.strike(cell as u8, digit as u8);
                }
            }
        }
        board
    }

    /// The board of 81 characters. All but the digits 1 to 9 are blanks.
    #[inline(always)]
    fn of_clues(cells: &[u8; CELLS]) -> Self {
        let all = {
            let mut all = [0; ROOM];
            all[..27].fill(0x1FF);
            all
        };
        let mut candidates = [0; CELL_ROOM];
        candidates[..CELLS].fill(0x1FF);
        let mut board = Self {
            places: [all; 9],
            candidates,
            empty: all,
            single: [0; 9],
            placed: [0; 9],
            last: 0,
            changed: u32::MAX >> 5,
            changed_digits: 0x1FF,
            filled: [BLANK; CELLS],
            missing: [9; 9],
            open: CELLS as u8,
        };
        for cell in 0..CELLS {
            let digit = usize::from(cells[cell].wrapping_sub(b'1'));
            if digit > 8 {
                continue;
            }
            for house in 0..ROOM {
                board.places[digit][house] &= KEPT[cell][house];
            }
            board.fill(cell, digit);
        }
        for digit in 0..9 {
            for house in 0..ROOM {
                board.places[digit][house] &= board.empty[house];
            }
            board.single[digit] = narrow(&board.places[digit]).0;
        }
        // Peers of later clues may be clues.
        for cell in 0..CELLS {
            if board.filled[cell] != BLANK {
                board.candidates[cell] = 0;
            }
        }
        board
    }

    /// Notes that a cell is filled, and takes the digit from its peers.
    #[inline(always)]
    fn fill(&mut self, cell: usize, digit: usize) {
        let bit = 1 << digit;
        for other in 0..CELL_ROOM {
            self.candidates[other] &= !(SEEN[cell][other] & bit);
        }
        for (house, n) in HOMES[cell] {
            let house = usize::from(house);
            self.empty[house] &= !(1 << n);
            let is_last = u32::from(is_single(self.empty[house]));
            self.last = self.last & !(1 << house) | is_last << house;
            self.placed[digit] |= 1 << house;
        }
        self.filled[cell] = b'1' + digit as u8;
        self.missing[digit] = self.missing[digit].saturating_sub(1);
        self.open -= 1;
    }

    /// Fills an empty cell.
    #[inline(always)]
    pub(super) fn place(&mut self, cell: u8, digit: u8) {
        let (cell, digit) = (usize::from(cell), usize::from(digit));
        let lost = self.candidates[cell] & !(1 << digit);
        self.candidates[cell] = 0;
        self.changed_digits |= lost | 1 << digit;
        for other in ones(u64::from(lost)) {
            self.remove(cell, other);
        }
        let (kept, places) = (&KEPT[cell], &mut self.places[digit]);
        let mut sets = [[0; 2]; 2];
        for half in 0..2 {
            let [mut single, mut changed] = [0; 2];
            for n in 0..16 {
                let before = places[16 * half + n];
                let after = before & kept[16 * half + n];
                places[16 * half + n] = after;
                single |= if is_single(after) { BITS[n] } else { 0 };
                changed |= if after == before { 0 } else { BITS[n] };
            }
            sets[half] = [u32::from(single), u32::from(changed)];
        }
        self.single[digit] = sets[0][0] | sets[1][0] << 16;
        self.changed |= sets[0][1] | sets[1][1] << 16;
        self.fill(cell, digit);
    }

    /// Strikes a candidate.
    #[inline(always)]
    pub(super) fn strike(&mut self, cell: u8, digit: u8) {
        self.candidates[usize::from(cell)] &= !(1 << digit);
        self.changed_digits |= 1 << digit;
        self.remove(usize::from(cell), usize::from(digit));
    }

    /// Takes a place from a digit.
    #[inline(always)]
    fn remove(&mut self, cell: usize, digit: usize) {
        for (house, n) in HOMES[cell] {
            let house = usize::from(house);
            let places = &mut self.places[digit][house];
            *places &= !(1 << n);
            let single = u32::from(is_single(*places));
            self.single[digit] = self.single[digit] & !(1 << house) | single << house;
            self.changed |= 1 << house;
        }
    }

    /// The hidden single, or last cell of a house, that a person takes first.
    #[inline(always)]
    pub(super) fn single(&self) -> Option<Single> {
        let mut first = None;
        let _ = each_hidden_single(
            &self.single,
            self.last,
            #[inline(always)]
            |technique, house, digit| {
                let n = self.places[digit][house].trailing_zeros() as usize;
                first = Some(Single {
                    technique,
                    cell: CELLS_OF[house][n],
                    digit: digit as u8,
                });
                ControlFlow::Break(())
            },
        );
        first
    }

    /// Returns true if a cell has one candidate.
    #[inline(always)]
    pub(super) fn has_naked_single(&self) -> bool {
        let any = self.candidates.iter();
        any.fold(false, |any, &candidates| any | is_single(candidates))
    }

    /// The first cell with one candidate, and this candidate.
    #[inline(always)]
    pub(super) fn naked_single(&self) -> Option<(u8, u8)> {
        if !self.has_naked_single() {
            return None;
        }
        let cell = (self.candidates.iter()).position(|&candidates| is_single(candidates))?;
        Some((cell as u8, self.candidates[cell].trailing_zeros() as u8))
    }

    /// The first cell with the fewest candidates, two or more, and these.
    pub(super) fn narrowest(&self) -> Option<(u8, u16)> {
        let open = (0..CELLS).filter(|&cell| self.candidates[cell].count_ones() > 1);
        let cell = open.min_by_key(|&cell| self.candidates[cell].count_ones())?;
        Some((cell as u8, self.candidates[cell]))
    }

    /// The first cell without a candidate, or else the first house without a place for a digit.
    pub(super) fn contradiction(&self) -> Option<Contradiction> {
        let is_dead = |&cell: &usize| self.candidates[cell] == 0 && self.filled[cell] == BLANK;
        if let Some(cell) = (0..CELLS).find(is_dead) {
            return Some(Contradiction::Cell(cell as u8));
        }
        let without = |digit: usize| narrow(&self.places[digit]).1 & !self.placed[digit];
        let without: [u32; 9] = std::array::from_fn(without);
        let houses = without.iter().fold(0, |any, houses| any | houses) & u32::MAX >> 5;
        if houses == 0 {
            return None;
        }
        let house = houses.trailing_zeros();
        let digit = (0..9).find(|&digit| without[digit] >> house & 1 != 0)?;
        Some(Contradiction::Digit(digit as u8, house as u8))
    }

    /// How many cells of a house are empty.
    #[inline(always)]
    pub(super) fn empty_count(&self, house: usize) -> u32 {
        self.empty[house].count_ones()
    }

    /// The houses and the digits whose places have changed since the last call.
    #[inline(always)]
    pub(super) fn take_changes(&mut self) -> (u32, u16) {
        let changes = (self.changed, self.changed_digits);
        (self.changed, self.changed_digits) = (0, 0);
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fills a grid cell by cell and counts everything again after each.
    #[test]
    fn a_board_knows_what_a_count_finds() {
        let grid =
            b"496528713875143692132967854314289576729654381568731429687492135943815267251376948";
        let mut cells = [BLANK; CELLS];
        let mut board = Board::of_clues(&cells);
        for step in 0..CELLS {
            let cell = step * 37 % CELLS;
            board.place(cell as u8, grid[cell] - b'1');
            cells[cell] = grid[cell];
            let fresh = Board::of_clues(&cells);
            for digit in 0..9 {
                for house in 0..27 {
                    let is_open = |&n: &usize| {
                        let cell = usize::from(CELLS_OF[house][n]);
                        let mut peers = PEERS[cell].iter();
                        cells[cell] == BLANK
                            && peers.all(|&peer| cells[usize::from(peer)] != b'1' + digit as u8)
                    };
                    let places = (0..9).filter(is_open).fold(0, |places, n| places | 1 << n);
                    assert_eq!(board.places[digit][house], places);
                    assert_eq!(fresh.places[digit][house], places);
                    let single = board.single[digit] >> house & 1 != 0;
                    assert_eq!(single, places.count_ones() == 1);
                }
            }
            assert_eq!(board.candidates, fresh.candidates);
            assert_eq!((board.open, fresh.open), (80 - step as u8, 80 - step as u8));
            assert_eq!((board.last, board.missing), (fresh.last, fresh.missing));
            assert!(board.contradiction().is_none());
        }
    }
}
