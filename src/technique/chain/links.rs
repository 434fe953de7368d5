//! Links between candidates in one position.
//!
//! A *weak* link leads from a candidate that is on to one that is off: no cell holds two
//! digits, and no house holds a digit twice. A *strong* link leads from off to on: the cell
//! has one other candidate, or the digit has one other place in a house.
//!
//! The order of the links is that of Sudoku Explainer: the cell first, the digits
//! ascending; then the box, the row and the column, place by place. Where two rules give
//! the same link, the first stands.

use super::state::{CANDIDATES, Candidate, HOUSES_OF, PLACES_OF, State, bits, candidate, is_two};
use crate::grid::HOUSE_CELLS;

/// A set of candidates of a position, by their numbers in [`Links`].
pub(super) type Row<const W: usize> = [u64; W];

pub(super) fn set<const W: usize>(row: &mut Row<W>, number: u16) {
    row[usize::from(number) / 64] |= 1 << (number % 64);
}

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
    a.iter().zip(b).any(|(a, b)| a & b != 0)
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
pub(super) struct Links<const W: usize> {
    pub(super) candidates: Vec<Candidate>,
    pub(super) number: Box<[u16; CANDIDATES]>,
    weak: Vec<Link>,
    /// For each candidate, where its weak links start, those in houses, and the end.
    weak_at: Vec<[u32; 3]>,
    strong: Vec<[Link; 4]>,
    strong_count: Vec<u8>,
    /// The candidates with the same digit that a candidate sees.
    pub(super) same_digit: Vec<Row<W>>,
    /// All candidates of its cell, itself too.
    pub(super) same_cell: Vec<Row<W>>,
}

impl<const W: usize> Links<W> {
    pub(super) fn of(state: &State) -> Self {
        let candidates: Vec<_> = state.candidates().collect();
        let count = candidates.len();
        let mut number = Box::new([u16::MAX; CANDIDATES]);
        for (n, &candidate) in (0..).zip(&candidates) {
            number[usize::from(candidate)] = n;
        }
        let mut links = Self {
            weak: Vec::with_capacity(16 * count),
            weak_at: Vec::with_capacity(count),
            strong: Vec::with_capacity(count),
            strong_count: Vec::with_capacity(count),
            same_digit: Vec::with_capacity(count),
            same_cell: Vec::with_capacity(count),
            candidates,
            number,
        };
        for n in 0..count {
            links.link(state, n);
        }
        links
    }

    pub(super) fn count(&self) -> usize {
        self.candidates.len()
    }

    /// Finds the links of one candidate.
    fn link(&mut self, state: &State, n: usize) {
        let from = self.candidates[n];
        let (cell, digit) = (usize::from(from) / 9, usize::from(from) % 9);
        let (mut same_digit, mut same_cell) = ([0; W], [0; W]);
        set(&mut same_cell, n as u16);
        let none = Link { to: 0, side: CELL };
        let (mut strong, mut strong_count) = ([none; 4], 0);
        let number = |cell: usize, digit| self.number[usize::from(candidate(cell, digit))];

        let start = self.weak.len();
        let others = state.cells[cell] & !(1 << digit);
        for other in bits(others) {
            let to = number(cell, other);
            set(&mut same_cell, to);
            self.weak.push(Link { to, side: CELL });
        }
        if others != 0 && others & (others - 1) == 0 {
            strong[0] = self.weak[start];
            strong_count = 1;
        }
        let houses = self.weak.len();
        for side in 0..3 {
            let house = usize::from(HOUSES_OF[cell][side]);
            let places = state.places[house][digit];
            let two = is_two(places);
            for place in bits(places & !(1 << PLACES_OF[cell][side])) {
                let to = number(HOUSE_CELLS[house][place].into(), digit);
                let link = Link {
                    to,
                    side: side as Side,
                };
                if !has(&same_digit, to) {
                    set(&mut same_digit, to);
                    self.weak.push(link);
                }
                if two && strong[..strong_count].iter().all(|other| other.to != to) {
                    strong[strong_count] = link;
                    strong_count += 1;
                }
            }
        }
        self.weak_at
            .push([start, houses, self.weak.len()].map(|at| at as u32));
        self.strong.push(strong);
        self.strong_count.push(strong_count as u8);
        self.same_digit.push(same_digit);
        self.same_cell.push(same_cell);
    }

    /// The weak links of a candidate, in order.
    #[inline]
    pub(super) fn weak(&self, mode: Mode, from: u16) -> &[Link] {
        let [start, houses, end] = self.weak_at[usize::from(from)];
        let start = if mode == Mode::X { houses } else { start };
        &self.weak[start as usize..end as usize]
    }

    /// The strong links of a candidate, in order.
    #[inline]
    pub(super) fn strong(&self, mode: Mode, from: u16) -> &[Link] {
        let from = usize::from(from);
        let links = &self.strong[from][..self.strong_count[from].into()];
        let in_cell = usize::from(links.first().is_some_and(|link| link.side == CELL));
        match mode {
            Mode::X => &links[in_cell..],
            Mode::Y => &links[..in_cell],
            Mode::Xy => links,
        }
    }

    /// The candidates that a candidate sees by weak links.
    #[inline]
    pub(super) fn sees(&self, mode: Mode, from: u16) -> Row<W> {
        let mut row = self.same_digit[usize::from(from)];
        if mode != Mode::X {
            add(&mut row, &self.same_cell[usize::from(from)]);
            row[usize::from(from) / 64] &= !(1 << (from % 64));
        }
        row
    }
}
