//! Links between candidates in one position.
//!
//! A *weak* link leads from a candidate that is on to one that is off: no cell holds two
//! digits, and no house holds a digit twice. A *strong* link leads from off to on: the cell
//! has one other candidate, or the digit has one other place in a house.
//!
//! The order of the links is that of Sudoku Explainer: the cell first, the digits
//! ascending; then the box, the row and the column, place by place. Where two rules give
//! the same link, the first stands.

use super::{
    rows::Rows,
    state::{
        CANDIDATES, Candidate, HOUSES_OF, PLACES_OF, State, candidate, cell_of, digit_of, is_two,
    },
};
use crate::{
    grid::{CELLS, HOUSE_CELLS, HOUSES},
    simd,
};

/// A set of candidates of a position, by their numbers in [`Links`].
pub(super) type Row<const W: usize> = [u64; W];

#[inline(always)]
pub(super) fn set<const W: usize>(row: &mut Row<W>, number: u16) {
    row[usize::from(number) / 64] |= 1 << (number % 64);
}

#[inline(always)]
pub(super) fn unset<const W: usize>(row: &mut Row<W>, number: u16) {
    row[usize::from(number) / 64] &= !(1 << (number % 64));
}

#[inline(always)]
pub(super) fn has<const W: usize>(row: &Row<W>, number: u16) -> bool {
    row[usize::from(number) / 64] >> (number % 64) & 1 != 0
}

#[inline(always)]
pub(super) fn add<const W: usize>(row: &mut Row<W>, other: &Row<W>) {
    for (word, other) in row.iter_mut().zip(other) {
        *word |= other;
    }
}

#[inline(always)]
pub(super) fn meet<const W: usize>(a: &Row<W>, b: &Row<W>) -> bool {
    let both = a.iter().zip(b).map(|(a, b)| a & b);
    both.fold(0, |all, word| all | word) != 0
}

#[inline(always)]
pub(super) fn and<const W: usize>(a: &Row<W>, b: &Row<W>) -> Row<W> {
    simd::array!(|w| a[w] & b[w])
}

#[inline(always)]
pub(super) fn and_not<const W: usize>(a: &Row<W>, b: &Row<W>) -> Row<W> {
    simd::array!(|w| a[w] & !b[w])
}

/// The lowest number in a set.
#[inline(always)]
pub(super) fn lowest<const W: usize>(row: &Row<W>) -> Option<u16> {
    let word = row.iter().position(|&word| word != 0)?;
    Some(64 * word as u16 + row[word].trailing_zeros() as u16)
}

/// The number in a set that has no other one.
#[inline(always)]
pub(super) fn only<const W: usize>(row: &Row<W>) -> Option<u16> {
    let count: u32 = row.iter().map(|word| word.count_ones()).sum();
    lowest(row).filter(|_| count == 1)
}

/// Shows the numbers in a set, ascending. In the innermost loops this is faster than
/// [`members`].
#[inline(always)]
pub(super) fn each<const W: usize>(row: &Row<W>, mut see: impl FnMut(usize)) {
    for (w, &word) in row.iter().enumerate() {
        let mut word = word;
        while word != 0 {
            see(64 * w + word.trailing_zeros() as usize);
            word &= word - 1;
        }
    }
}

/// The numbers in a set, ascending.
pub(super) fn members<const W: usize>(row: Row<W>) -> impl Iterator<Item = u16> {
    row.into_iter().enumerate().flat_map(|(w, mut word)| {
        std::iter::from_fn(move || {
            let bit = word.trailing_zeros() as u16;
            (word != 0).then(|| {
                word &= word - 1;
                64 * w as u16 + bit
            })
        })
    })
}

/// Shows the links to what is in two sets, and takes it out of the first, until `see` says no.
#[inline(always)]
fn take<const W: usize>(
    left: &mut Row<W>,
    row: &Row<W>,
    side: Side,
    see: &mut impl FnMut(Link) -> bool,
) -> bool {
    for w in 0..W {
        let mut word = row[w] & left[w];
        left[w] &= !row[w];
        while word != 0 {
            let to = 64 * w as u16 + word.trailing_zeros() as u16;
            word &= word - 1;
            if !see(Link { to, side }) {
                return false;
            }
        }
    }
    true
}

/// Which rule gives a link: 0 to 2 for the box, the row and the column, 3 for the cell.
pub(super) type Side = u8;

pub(super) const CELL: Side = 3;

/// A link to another candidate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Link {
    pub(super) to: u16,
    pub(super) side: Side,
}

/// Which links a search uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Links of one digit.
    X,
    /// Weak links of both sorts, strong links in cells.
    Y,
    /// All links.
    Xy,
}

/// The links of a position. Its candidates are numbered cell by cell, the digits ascending.
pub(super) struct Links<'a, const W: usize> {
    state: &'a State,
    pub(super) candidates: Vec<Candidate>,
    pub(super) number: Vec<u16>,
    /// The candidates of each cell, of each digit, and of each digit in each house.
    cells: Rows<W>,
    digits: [Row<W>; 9],
    houses: Rows<W>,
    /// The candidates that each candidate sees: with the same digit, and all.
    pub(super) same_digit: Rows<W>,
    sees: Rows<W>,
    /// The strong links of each candidate: in houses, in its cell, and all.
    in_houses: Rows<W>,
    in_cell: Rows<W>,
    strong: Rows<W>,
}

impl<'a, const W: usize> Links<'a, W> {
    #[inline(always)]
    pub(super) fn of(state: &'a State) -> Self {
        let mut number = vec![0; CANDIDATES];
        let mut cells = Rows::empty(CELLS);
        let mut houses = Rows::empty(9 * HOUSES);
        let mut digits = [[0; W]; 9];
        let mut candidates = Vec::with_capacity(64 * W);
        for (cell, &of_cell) in state.cells.iter().enumerate() {
            let mut left = of_cell;
            while left != 0 {
                let digit = left.trailing_zeros() as usize;
                left &= left - 1;
                let n = candidates.len() as u16;
                let own = candidate(cell, digit);
                number[usize::from(own)] = n;
                candidates.push(own);
                set(&mut cells[cell], n);
                set(&mut digits[digit], n);
                for house in HOUSES_OF[cell] {
                    set(&mut houses[9 * usize::from(house) + digit], n);
                }
            }
        }
        let rows = || Rows::empty(candidates.len());
        let (mut same_digit, mut sees) = (rows(), rows());
        let (mut in_houses, mut in_cell, mut strong) = (rows(), rows(), rows());
        for (n, &own) in (0..).zip(&candidates) {
            let (cell, digit) = (cell_of(own), digit_of(own));
            let (mut weak, mut two) = ([0; W], [0; W]);
            for house in HOUSES_OF[cell] {
                let house = usize::from(house);
                let row = &houses[9 * house + digit];
                add(&mut weak, row);
                let is_two = is_two(state.places[house][digit]);
                let mask = if is_two { u64::MAX } else { 0 };
                add(&mut two, &simd::array!(|w| row[w] & mask));
            }
            unset(&mut weak, n);
            unset(&mut two, n);
            let place = usize::from(n);
            same_digit[place] = weak;
            in_houses[place] = two;
            let mut others = cells[cell];
            unset(&mut others, n);
            add(&mut weak, &others);
            sees[place] = weak;
            let mask = if is_two(state.cells[cell]) {
                u64::MAX
            } else {
                0
            };
            let other = simd::array!(|w| others[w] & mask);
            add(&mut two, &other);
            in_cell[place] = other;
            strong[place] = two;
        }
        Self {
            state,
            candidates,
            number,
            cells,
            digits,
            houses,
            same_digit,
            sees,
            in_houses,
            in_cell,
            strong,
        }
    }

    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.candidates.len()
    }

    /// All candidates of the digit of a candidate, itself too.
    #[inline(always)]
    pub(super) fn digit_row(&self, of: u16) -> &Row<W> {
        &self.digits[digit_of(self.candidates[usize::from(of)])]
    }

    /// All candidates of the cell of a candidate, itself too.
    #[inline(always)]
    pub(super) fn same_cell(&self, of: u16) -> &Row<W> {
        &self.cells[cell_of(self.candidates[usize::from(of)])]
    }

    /// The first rule that gives the link between two candidates.
    pub(super) fn side_of(&self, from: u16, to: u16, is_strong: bool) -> Side {
        let [from, to] = [from, to].map(|n| self.candidates[usize::from(n)]);
        let [houses, others] = [from, to].map(|own| HOUSES_OF[cell_of(own)]);
        if cell_of(from) == cell_of(to) {
            return CELL;
        }
        let is_side = |&side: &usize| {
            let places = self.state.places[usize::from(houses[side])][digit_of(from)];
            houses[side] == others[side] && (!is_strong || is_two(places))
        };
        (0..3).find(is_side).expect("there is a link") as Side
    }

    /// Shows the weak links of a candidate to those in a set, in order, until `see` says no.
    #[inline(always)]
    pub(super) fn weak(
        &self,
        mode: Mode,
        from: u16,
        within: &Row<W>,
        mut see: impl FnMut(Link) -> bool,
    ) {
        let own = self.candidates[usize::from(from)];
        let (cell, digit) = (cell_of(own), digit_of(own));
        let mut left = *within;
        unset(&mut left, from);
        if mode != Mode::X && !take(&mut left, &self.cells[cell], CELL, &mut see) {
            return;
        }
        for (side, house) in (0..).zip(HOUSES_OF[cell]) {
            let row = &self.houses[9 * usize::from(house) + digit];
            if !take(&mut left, row, side, &mut see) {
                return;
            }
        }
    }

    /// The strong links of a candidate, in order.
    #[inline(always)]
    pub(super) fn strong(&self, mode: Mode, from: u16) -> impl Iterator<Item = Link> + use<W> {
        let own = self.candidates[usize::from(from)];
        let (cell, digit) = (cell_of(own), digit_of(own));
        let (mut list, mut count) = ([Link { to: 0, side: CELL }; 4], 0);
        let other = lowest(&self.in_cell[usize::from(from)]).filter(|_| mode != Mode::X);
        if let Some(to) = other {
            list[0].to = to;
            count = 1;
        }
        let houses = HOUSES_OF[cell].iter().zip(PLACES_OF[cell]).zip(0..);
        for ((&house, place), side) in houses.filter(|_| mode != Mode::Y) {
            let house = usize::from(house);
            let places = self.state.places[house][digit];
            if is_two(places) {
                let other = places & !(1 << place);
                let other = HOUSE_CELLS[house][other.trailing_zeros() as usize];
                let to = self.number[usize::from(candidate(other.into(), digit))];
                if list[..count].iter().all(|other| other.to != to) {
                    list[count] = Link { to, side };
                    count += 1;
                }
            }
        }
        list.into_iter().take(count)
    }

    /// The candidates that each candidate sees by weak links.
    #[inline(always)]
    pub(super) fn sees_rows(&self, mode: Mode) -> &[Row<W>] {
        match mode {
            Mode::X => &self.same_digit,
            _ => &self.sees,
        }
    }

    /// The strong links of each candidate.
    #[inline(always)]
    pub(super) fn strong_rows(&self, mode: Mode) -> &[Row<W>] {
        match mode {
            Mode::X => &self.in_houses,
            Mode::Y => &self.in_cell,
            Mode::Xy => &self.strong,
        }
    }
}
