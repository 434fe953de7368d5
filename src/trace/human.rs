//! The steps of a person up to 4.4, in the order of `technique::ORDER`, found on a [`Board`].
//!
//! Each search gives the very step that the search of the same name in `technique` gives; a test
//! compares them. Those searches make a [`technique::Step`](crate::technique::Step) with its lists for
//! each step, and look at all houses again each time: 150 to 400 µs a minimal puzzle. Here a step is 24
//! bytes in a list that is kept, and a search looks only at houses that have changed since it last found
//! nothing there. Whether a set is there depends on the house alone, so a house without one stays so.
//!
//! Direct claiming is never the easiest step (`technique/direct_locking.rs` says why), so it is left out.

#![allow(
    clippy::needless_range_loop,
    reason = "several arrays are gone through by one number"
)]

use super::{
    Steps,
    board::{Board, CELLS_OF, COLUMNS, HOMES, ROWS, is_single},
};
use crate::{
    grid::{CELLS, Digits, PEERS, Puzzle},
    simd::ones,
    technique::{Placement, Rating, Step, Technique},
};

/// What is to be looked at, for each search of houses.
#[derive(Clone, Copy)]
enum Todo {
    DirectPair,
    DirectTriplet,
    Pointing,
    Claiming,
    NakedPair,
    NakedTriplet,
    HiddenPair,
    HiddenTriplet,
}

/// The cells of a box in a column of it, and in a row of it.
const DOWN: [u16; 3] = [0b001_001_001, 0b010_010_010, 0b100_100_100];
const ACROSS: [u16; 3] = [0b000_000_111, 0b000_111_000, 0b111_000_000];

/// For the places of a digit in a house, two or more: in the low half the third of three neighbours
/// that holds them all, counted from 1, and in the high half the column of a box that does.
static LOCKED: [u8; 512] = {
    let (mut locked, mut places) = ([0; 512], 0_u16);
    while places < 512 {
        if places & places.wrapping_sub(1) != 0 {
            let mut n = 0;
            while n < 3 {
                if places & !ACROSS[n] == 0 {
                    locked[places as usize] |= n as u8 + 1;
                }
                if places & !DOWN[n] == 0 {
                    locked[places as usize] |= (n as u8 + 1) << 4;
                }
                n += 1;
            }
        }
        places += 1;
    }
    locked
};

/// A recorder at work on one puzzle.
pub(super) struct Human<'r> {
    board: &'r mut Board,
    steps: &'r mut Steps,
    /// The houses that each search has to look at.
    houses: [u32; 8],
    /// The digits that X-wings and swordfish have to look at.
    digits: [u16; 2],
}

/// Shows the sets of `N` rows of a matrix that have `N` columns together, in the order of
/// `technique::subsets`, until one is taken.
#[inline(always)]
fn each_set<const N: u32>(rows: &[u16; 9], mut take: impl FnMut(u16, u16) -> bool) -> bool {
    let (mut usable, mut count) = ([0; 9], 0);
    for row in 0..9 {
        if (2..=N).contains(&rows[row].count_ones()) {
            usable[count] = row;
            count += 1;
        }
    }
    for (n, &c) in usable[..count].iter().enumerate() {
        for (m, &b) in usable[..n].iter().enumerate() {
            let columns = rows[b] | rows[c];
            if columns.count_ones() > N {
                continue;
            }
            if N == 2 && take(1 << b | 1 << c, columns) {
                return true;
            }
            for &a in usable[..m].iter().filter(|_| N == 3) {
                let columns = columns | rows[a];
                if columns.count_ones() == N && take(1 << a | 1 << b | 1 << c, columns) {
                    return true;
                }
            }
        }
    }
    false
}

/// The cells of a house that nine bits name.
#[inline(always)]
fn cells_in(house: usize, places: u16) -> impl Iterator<Item = u8> {
    ones(u64::from(places)).map(move |n| CELLS_OF[house][n])
}

impl<'r> Human<'r> {
    #[inline(always)]
    pub(super) fn new(board: &'r mut Board, steps: &'r mut Steps) -> Self {
        Self {
            board,
            steps,
            houses: [0; 8],
            digits: [0; 2],
        }
    }

    /// Takes steps until no technique up to 4.4, and up to the bound, leads on.
    #[inline(always)]
    pub(super) fn run(&mut self, up_to: Rating) {
        loop {
            while let Some(single) = self.board.single() {
                let technique = match single.house {
                    _ if single.is_last => Technique::LastCell,
                    0..COLUMNS => Technique::HiddenSingleInBox,
                    _ => Technique::HiddenSingleInLine,
                };
                if technique.rating() > up_to {
                    return;
                }
                let (cell, digit) = (single.cell, single.digit);
                self.steps.cells.push(cell);
                self.place(technique, 1 << digit, cell, digit);
            }
            if self.board.open == 0 {
                return;
            }
            let (houses, digits) = self.board.take_changes();
            self.houses.iter_mut().for_each(|todo| *todo |= houses);
            self.digits.iter_mut().for_each(|todo| *todo |= digits);
            if !self.next(up_to) {
                return;
            }
        }
    }

    /// Takes the next step where there is no hidden single. Returns whether there was one.
    #[inline(always)]
    fn next(&mut self, up_to: Rating) -> bool {
        let within = |technique: Technique| technique.rating() <= up_to;
        within(Technique::DirectPointing) && self.direct_pointing()
            || within(Technique::DirectHiddenPair) && self.direct_set::<2>(Todo::DirectPair)
            || within(Technique::NakedSingle) && self.naked_single()
            || within(Technique::DirectHiddenTriplet) && self.direct_set::<3>(Todo::DirectTriplet)
            || within(Technique::Pointing) && self.pointing()
            || within(Technique::Claiming) && self.claiming()
            || within(Technique::NakedPair) && self.naked_set::<2>(Todo::NakedPair)
            || within(Technique::XWing) && self.fish::<2>(0)
            || within(Technique::HiddenPair) && self.hidden_set::<2>(Todo::HiddenPair)
            || within(Technique::NakedTriplet) && self.naked_set::<3>(Todo::NakedTriplet)
            || within(Technique::Swordfish) && self.fish::<3>(1)
            || within(Technique::HiddenTriplet) && self.hidden_set::<3>(Todo::HiddenTriplet)
            || within(Technique::XyWing) && self.xy_wing()
            || within(Technique::XyzWing) && self.xyz_wing()
    }

    /// Notes and does a step that places a digit. Its cells are the last ones noted.
    #[inline(always)]
    fn place(&mut self, technique: Technique, digits: u16, cell: u8, digit: u8) {
        self.steps
            .end(technique, technique.rating(), digits, Some((cell, digit)));
        self.board.place(cell, digit);
    }

    /// Notes and does a step that strikes candidates, if there are any: those noted since the last
    /// step. Its cells are the last ones noted.
    #[inline(always)]
    fn strike(
        &mut self,
        technique: Technique,
        digits: u16,
        cells: impl Iterator<Item = u8>,
    ) -> bool {
        let first = self.steps.strikes_before();
        if first == self.steps.strikes.len() {
            return false;
        }
        self.steps.cells.extend(cells);
        for n in first..self.steps.strikes.len() {
            let (cell, digit) = self.steps.strikes[n];
            self.board.strike(cell, digit);
        }
        self.steps.end(technique, technique.rating(), digits, None);
        true
    }

    /// Notes strikes of a digit in places of a house.
    #[inline(always)]
    fn note(&mut self, house: usize, places: u16, digit: usize) {
        let cells = cells_in(house, places);
        self.steps
            .strikes
            .extend(cells.map(|cell| (cell, digit as u8)));
    }

    #[inline(always)]
    fn direct_pointing(&mut self) -> bool {
        for is_row in [false, true] {
            for home in 0..9 {
                for digit in 0..9 {
                    let places = self.board.places[digit][home];
                    let locked = LOCKED[usize::from(places)] >> if is_row { 0 } else { 4 } & 15;
                    if locked == 0 {
                        continue;
                    }
                    let n = usize::from(locked) - 1;
                    let line = if is_row { ACROSS[n] } else { DOWN[n] };
                    for m in 0..3 {
                        let third = if is_row {
                            home / 3 * 3 + m
                        } else {
                            home % 3 + 3 * m
                        };
                        let there = self.board.places[digit][third];
                        if third != home && there & line != 0 && is_single(there & !line) {
                            let cell = cells_in(third, there & !line).next();
                            let cell = cell.expect("one bit is set");
                            self.steps.cells.extend(cells_in(home, places));
                            self.place(Technique::DirectPointing, 1 << digit, cell, digit as u8);
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    #[inline(always)]
    fn naked_single(&mut self) -> bool {
        let Some((cell, digit)) = self.board.naked_single() else {
            return false;
        };
        self.steps.cells.push(cell);
        self.place(Technique::NakedSingle, 1 << digit, cell, digit);
        true
    }

    /// The places of all digits in a house.
    #[inline(always)]
    fn places_in(&self, house: usize) -> [u16; 9] {
        let mut rows = [0; 9];
        for digit in 0..9 {
            rows[digit] = self.board.places[digit][house];
        }
        rows
    }

    /// The candidates of all cells of a house.
    #[inline(always)]
    fn candidates_in(&self, house: usize) -> [u16; 9] {
        CELLS_OF[house].map(|cell| self.board.candidates[usize::from(cell)])
    }

    #[inline(always)]
    fn direct_set<const N: u32>(&mut self, todo: Todo) -> bool {
        let technique = match N {
            2 => Technique::DirectHiddenPair,
            _ => Technique::DirectHiddenTriplet,
        };
        for house in ones(self.houses[todo as usize].into()) {
            let rows = self.places_in(house);
            let mut found = None;
            if self.board.empty_count(house) > N {
                each_set::<N>(&rows, |set, taken| {
                    let is_left = |&digit: &usize| {
                        rows[digit] & taken != 0 && is_single(rows[digit] & !taken)
                    };
                    found = (0..9).find(is_left).map(|digit| (set, taken, digit));
                    found.is_some()
                });
            }
            if let Some((set, taken, digit)) = found {
                let cell = cells_in(house, rows[digit] & !taken).next();
                self.steps.cells.extend(cells_in(house, taken));
                self.place(technique, set, cell.expect("one bit is set"), digit as u8);
                return true;
            }
            self.houses[todo as usize] &= !(1 << house);
        }
        false
    }

    #[inline(always)]
    fn pointing(&mut self) -> bool {
        // A box stays on the list until neither kind of line is found, so that columns come first.
        let todo = self.houses[Todo::Pointing as usize] & 0x1FF;
        for is_row in [false, true] {
            for home in ones(todo.into()) {
                for digit in 0..9 {
                    let places = self.board.places[digit][home];
                    let locked = LOCKED[usize::from(places)] >> if is_row { 0 } else { 4 } & 15;
                    if locked == 0 {
                        continue;
                    }
                    let n = usize::from(locked) - 1;
                    let (other, in_home) = match is_row {
                        true => (ROWS + home / 3 * 3 + n, ACROSS[home % 3]),
                        false => (COLUMNS + home % 3 * 3 + n, ACROSS[home / 3]),
                    };
                    self.note(other, self.board.places[digit][other] & !in_home, digit);
                    if self.strike(Technique::Pointing, 1 << digit, cells_in(home, places)) {
                        return true;
                    }
                }
            }
        }
        self.houses[Todo::Pointing as usize] = 0;
        false
    }

    #[inline(always)]
    fn claiming(&mut self) -> bool {
        let todo = self.houses[Todo::Claiming as usize] & !0x1FF;
        for home in ones(todo.into()) {
            let line = home % 9;
            for digit in 0..9 {
                let places = self.board.places[digit][home];
                let locked = LOCKED[usize::from(places)] & 15;
                if locked == 0 {
                    continue;
                }
                let n = usize::from(locked) - 1;
                let (other, in_home) = match home < ROWS {
                    true => (3 * n + line / 3, DOWN[line % 3]),
                    false => (line / 3 * 3 + n, ACROSS[line % 3]),
                };
                self.note(other, self.board.places[digit][other] & !in_home, digit);
                if self.strike(Technique::Claiming, 1 << digit, cells_in(home, places)) {
                    return true;
                }
            }
            self.houses[Todo::Claiming as usize] &= !(1 << home);
        }
        false
    }

    #[inline(always)]
    fn naked_set<const N: u32>(&mut self, todo: Todo) -> bool {
        let technique = if N == 2 {
            Technique::NakedPair
        } else {
            Technique::NakedTriplet
        };
        for house in ones(self.houses[todo as usize].into()) {
            if self.board.empty_count(house) >= 2 * N {
                let rows = self.candidates_in(house);
                let found = each_set::<N>(&rows, |set, digits| {
                    for n in 0..9 {
                        let lost = if set >> n & 1 != 0 {
                            0
                        } else {
                            rows[n] & digits
                        };
                        self.steps.strike(CELLS_OF[house][n], lost);
                    }
                    self.strike(technique, digits, cells_in(house, set))
                });
                if found {
                    return true;
                }
            }
            self.houses[todo as usize] &= !(1 << house);
        }
        false
    }

    #[inline(always)]
    fn hidden_set<const N: u32>(&mut self, todo: Todo) -> bool {
        let technique = if N == 2 {
            Technique::HiddenPair
        } else {
            Technique::HiddenTriplet
        };
        for house in ones(self.houses[todo as usize].into()) {
            if self.board.empty_count(house) > 2 * N {
                let rows = self.places_in(house);
                let found = each_set::<N>(&rows, |digits, places| {
                    for cell in cells_in(house, places) {
                        let lost = self.board.candidates[usize::from(cell)] & !digits;
                        self.steps.strike(cell, lost);
                    }
                    self.strike(technique, digits, cells_in(house, places))
                });
                if found {
                    return true;
                }
            }
            self.houses[todo as usize] &= !(1 << house);
        }
        false
    }

    #[inline(always)]
    fn fish<const N: u32>(&mut self, todo: usize) -> bool {
        let technique = if N == 2 {
            Technique::XWing
        } else {
            Technique::Swordfish
        };
        // A digit stays on the list until neither kind of line is found, so that columns come first.
        for (base, cover) in [(COLUMNS, ROWS), (ROWS, COLUMNS)] {
            for digit in ones(self.digits[todo].into()) {
                if u32::from(self.board.missing[digit]) < 2 * N {
                    continue;
                }
                let mut rows = [0; 9];
                rows.copy_from_slice(&self.board.places[digit][base..base + 9]);
                let found = each_set::<N>(&rows, |set, crossing| {
                    let lines = || ones(crossing.into()).map(|n| cover + n);
                    for line in lines() {
                        self.note(line, self.board.places[digit][line] & !set, digit);
                    }
                    let places = self.board.places[digit];
                    let cells = lines().flat_map(|line| cells_in(line, places[line] & set));
                    self.strike(technique, 1 << digit, cells)
                });
                if found {
                    return true;
                }
            }
        }
        self.digits[todo] = 0;
        false
    }

    /// The peers of a cell with two candidates that `wanted` accepts.
    #[inline(always)]
    fn wings(&self, pivot: usize, wanted: impl Fn(u16) -> bool) -> ([u8; 20], usize) {
        let (mut wings, mut count) = ([0; 20], 0);
        for peer in PEERS[pivot] {
            let candidates = self.board.candidates[usize::from(peer)];
            if candidates.count_ones() == 2 && wanted(candidates) {
                wings[count] = peer;
                count += 1;
            }
        }
        (wings, count)
    }

    /// Notes what a wing strikes: a digit in the peers of its first cell that see the others.
    #[inline(always)]
    fn note_seen(&mut self, cells: &[u8], digit: u16) {
        for peer in PEERS[usize::from(cells[0])] {
            let sees = |&other: &u8| {
                let share = HOMES[usize::from(peer)]
                    .iter()
                    .zip(&HOMES[usize::from(other)]);
                peer != other && share.into_iter().any(|(a, b)| a.0 == b.0)
            };
            if self.board.candidates[usize::from(peer)] & digit != 0 && cells[1..].iter().all(sees)
            {
                self.steps
                    .strikes
                    .push((peer, digit.trailing_zeros() as u8));
            }
        }
    }

    #[inline(always)]
    fn xy_wing(&mut self) -> bool {
        for pivot in 0..CELLS {
            let xy = self.board.candidates[pivot];
            if xy.count_ones() != 2 {
                continue;
            }
            let (wings, count) = self.wings(pivot, |digits| (digits & xy).count_ones() == 1);
            for (n, &first) in wings[..count].iter().enumerate() {
                let of_first = self.board.candidates[usize::from(first)];
                let other = of_first ^ xy;
                for &second in &wings[n + 1..count] {
                    if self.board.candidates[usize::from(second)] != other {
                        continue;
                    }
                    self.note_seen(&[first, second], of_first & other);
                    let cells = [pivot as u8, first, second];
                    if self.strike(Technique::XyWing, xy | other, cells.into_iter()) {
                        return true;
                    }
                }
            }
        }
        false
    }

    #[inline(always)]
    fn xyz_wing(&mut self) -> bool {
        for pivot in 0..CELLS {
            let xyz = self.board.candidates[pivot];
            if xyz.count_ones() != 3 {
                continue;
            }
            let (wings, count) = self.wings(pivot, |digits| digits & !xyz == 0);
            for (n, &first) in wings[..count].iter().enumerate() {
                let of_first = self.board.candidates[usize::from(first)];
                for &second in &wings[n + 1..count] {
                    let of_second = self.board.candidates[usize::from(second)];
                    if of_first == of_second {
                        continue;
                    }
                    let cells = [pivot as u8, first, second];
                    self.note_seen(&cells, of_first & of_second);
                    if self.strike(Technique::XyzWing, xyz, cells.into_iter()) {
                        return true;
                    }
                }
            }
        }
        false
    }
}

impl Human<'_> {
    /// Whether no cell is empty.
    pub(super) fn is_filled(&self) -> bool {
        self.board.open == 0
    }

    /// The filled cells, and the candidates of the others.
    pub(super) fn position(&self) -> (Puzzle, [Digits; CELLS]) {
        let filled = Puzzle::from_ascii(&self.board.filled).expect("digits and points");
        let candidates = self.board.candidates.first_chunk().expect("81 of 96");
        (filled, candidates.map(Digits::from_bits))
    }

    /// Notes and does a step of the searches over 4.4.
    pub(super) fn take(&mut self, step: &Step) {
        self.steps.note(step);
        if let Some(Placement { cell, digit }) = step.place {
            self.board.place(cell.index() as u8, digit.index() as u8);
        }
        for strike in &step.strikes {
            if step.place.is_none_or(|place| place.cell != strike.cell) {
                self.board
                    .strike(strike.cell.index() as u8, strike.digit.index() as u8);
            }
        }
    }
}
