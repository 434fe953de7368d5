//! The most that chains strike, by sets.
//!
//! Four of five looks inside [runs](super::run) find nothing, and a look in the order of Sudoku Explainer is
//! long. Which candidates chains can strike at all does not depend on an order. So sets say it first:
//!
//! - *Forcing chains*: each candidate that a strong link ends puts others off. A candidate that sees both ends of
//!   a way between two of them may be struck; one that leads to its opposite may be placed. Ways with all links are
//!   enough: those of one digit and those through cells have their links among these, and a cycle strikes
//!   nothing that no chain strikes.
//! - *Multiple chains*: what all candidates of a cell, or all places of a digit in a house, put off by such ways.
//! - *Dynamic chains*, also with techniques inside: the same with [closures](Closures), and starts with a contradiction.
//!
//! The sets leave out each condition that depends on an order or on the run around: that a hint needs
//! something that the run has lost, that a cell has three candidates, that a house is visited from its first place.
//! So they hold more than is found, never less. And they only grow when more candidates are gone: what is
//! struck in a position is struck or gone in each position with fewer candidates, once [singles](super::closure)
//! are done. [`board`](super::board) builds on that.
//!
//! (A candidate that is placed puts off the others of its cell. So sets of what is off are enough.)

use super::{
    Search, board,
    closure::{Closures, numbers},
    links::{Row, add, and, and_not, each, has, lowest, meet, set, unset},
    rows::Rows,
    state::{Candidate, HOUSES_OF, State, bits, candidate, cell_of, digit_of, is_two},
};
use crate::{
    grid::{CELLS, HOUSE_CELLS},
    simd,
};

/// The candidates of a position by number, and what each sees. The answers for positions with fewer candidates
/// have these numbers.
#[derive(Clone, Debug)]
pub(super) struct Sights {
    pub(super) candidates: Vec<Candidate>,
    pub(super) number: Vec<u16>,
    sees: Vec<Row<4>>,
}

/// The most candidates that a set has.
pub(super) const MOST: u32 = 256;

impl Sights {
    /// `None` if there are too many candidates, which is rare.
    pub(super) fn of(state: &State) -> Option<Self> {
        if state.count() > MOST {
            return None;
        }
        let candidates: Vec<Candidate> = state.candidates().collect();
        let number = numbers(&candidates);
        let sees = (0..).zip(&candidates).map(|(n, &own)| {
            let (cell, digit) = (cell_of(own), digit_of(own));
            let mut row = [0; 4];
            for other in bits(state.cells[cell]) {
                set(&mut row, number[usize::from(candidate(cell, other))]);
            }
            for house in HOUSES_OF[cell].map(usize::from) {
                for place in bits(state.places[house][digit]) {
                    let cell = usize::from(HOUSE_CELLS[house][place]);
                    set(&mut row, number[usize::from(candidate(cell, digit))]);
                }
            }
            unset(&mut row, n);
            row
        });
        let sees = sees.collect();
        Some(Self {
            candidates,
            number,
            sees,
        })
    }

    fn number_of(&self, cell: usize, digit: usize) -> usize {
        self.number[usize::from(candidate(cell, digit))].into()
    }

    /// The candidates of a position with fewer.
    #[inline(always)]
    fn left(&self, now: &State) -> Row<4> {
        let mut left = [0; 4];
        for candidate in now.candidates() {
            set(&mut left, self.number[usize::from(candidate)]);
        }
        left
    }

    /// The strong links of a position with fewer candidates.
    #[inline(always)]
    fn strong(&self, now: &State) -> Rows<4> {
        let mut strong = Rows::empty(self.candidates.len());
        let mut join = |a: usize, b: usize| {
            set(&mut strong[a], b as u16);
            set(&mut strong[b], a as u16);
        };
        for (cell, &digits) in now.cells.iter().enumerate() {
            if is_two(digits) {
                let ends = [digits.trailing_zeros(), digits.ilog2()];
                let [a, b] = ends.map(|digit| self.number_of(cell, digit as usize));
                join(a, b);
            }
        }
        for (house, places) in now.places.iter().enumerate() {
            for (digit, &places) in places.iter().enumerate() {
                if is_two(places) {
                    let ends = [places.trailing_zeros(), places.ilog2()];
                    let cells = ends.map(|place| HOUSE_CELLS[house][place as usize]);
                    let [a, b] = cells.map(|cell| self.number_of(cell.into(), digit));
                    join(a, b);
                }
            }
        }
        strong
    }

    /// The most that the chains of a search strike in a position whose candidates are among these. The singles of the
    /// position are done: what a cell with one candidate sees is gone.
    pub(super) fn struck(&self, search: Search, now: &State) -> Row<4> {
        match search {
            Search::Forcing => simd::with_words!(|| self.forcing(now)),
            Search::Multiple => simd::with_words!(|| self.multiple(now)),
            Search::Dynamic => {
                let closures = Closures::of(now, None).expect("there are no more candidates");
                self.of_closures(now, &closures)
            }
            Search::Nested(level) => {
                let closures = board::closures(now, level);
                self.of_closures(now, &closures)
            }
            Search::Nishio => unreachable!("Nishio is not inside"),
        }
    }

    /// The strikes of forcing chains.
    #[inline(always)]
    fn forcing(&self, now: &State) -> Row<4> {
        let strong = self.strong(now);
        let [mut struck, places] = Ways::of(&self.sees, &strong).opposites();
        // A candidate that holds puts off what it sees.
        each(&places, |n| add(&mut struck, &self.sees[n]));
        and(&struck, &self.left(now))
    }

    /// The strikes of cell and region chains.
    #[inline(always)]
    fn multiple(&self, now: &State) -> Row<4> {
        let (left, strong) = (self.left(now), self.strong(now));
        let ways = Ways::of(&self.sees, &strong);
        let mut after = Rows::<4>::empty(self.candidates.len());
        each(&left, |n| after[n] = ways.after(n));
        let mut struck = [0; 4];
        each_group(now, |starts| {
            let mut common = left;
            for start in starts {
                common = and(
                    &common,
                    &after[usize::from(self.number[usize::from(start)])],
                );
            }
            add(&mut struck, &common);
        });
        struck
    }

    /// The strikes of dynamic chains with these closures of a position.
    pub(super) fn of_closures(&self, now: &State, closures: &Closures) -> Row<4> {
        let own = Sights::of(now).expect("there are no more candidates");
        let mut struck = [0; 4];
        for (n, &candidate) in own.candidates.iter().enumerate() {
            if closures.contradicts((candidate, true)) {
                set(&mut struck, n as u16);
            }
            if closures.contradicts((candidate, false)) {
                add(&mut struck, &own.sees[n]);
            }
        }
        each_group(now, |starts| {
            let mut common = [u64::MAX; 4];
            let mut any = false;
            for start in starts {
                if !closures.contradicts((start, true)) {
                    common = and(&common, closures.off((start, true)));
                    any = true;
                }
            }
            if any {
                add(&mut struck, &common);
            }
        });
        for &candidate in &own.candidates {
            let starts = [(candidate, true), (candidate, false)];
            if starts.iter().all(|&start| !closures.contradicts(start)) {
                let [on, off] = starts.map(|start| closures.off(start));
                add(&mut struck, &and(on, off));
            }
        }
        let mut renumbered = [0; 4];
        each(&struck, |n| {
            set(&mut renumbered, self.number[usize::from(own.candidates[n])])
        });
        renumbered
    }
}

/// Shows the candidates of each cell, and the places of each digit in each house, where there are two or more.
#[inline(always)]
fn each_group(now: &State, mut see: impl FnMut(&mut dyn Iterator<Item = Candidate>)) {
    for cell in 0..CELLS {
        let digits = now.cells[cell];
        if digits & digits.wrapping_sub(1) != 0 {
            see(&mut bits(digits).map(|digit| candidate(cell, digit)));
        }
    }
    for (cells, places) in HOUSE_CELLS.iter().zip(&now.places) {
        for (digit, &places) in places.iter().enumerate() {
            if places & places.wrapping_sub(1) != 0 {
                let cells = bits(places).map(|place| cells[place]);
                see(&mut cells.map(|cell| candidate(cell.into(), digit)));
            }
        }
    }
}

/// The candidates that are off where an end of a strong link is off.
pub(super) struct Ways<'a, const W: usize> {
    sees: &'a [Row<W>],
    strong: &'a [Row<W>],
    ends: Row<W>,
    /// All that is off, itself too, by number.
    off: Rows<W>,
}

impl<'a, const W: usize> Ways<'a, W> {
    /// Follows all links to the end. One end is done after the other, and leads at once to all that those
    /// before it lead to.
    #[inline(always)]
    pub(super) fn of(sees: &'a [Row<W>], strong: &'a [Row<W>]) -> Self {
        let (mut ends, mut off) = ([0; W], Rows::<W>::empty(sees.len()));
        for (n, strong) in strong.iter().enumerate() {
            if *strong != [0; W] {
                set(&mut ends, n as u16);
                each(strong, |to| add(&mut off[n], &sees[to]));
            }
        }
        let mut done = [0; W];
        each(&ends, |end| {
            let mut all = off[end];
            let mut met = [0; W];
            set(&mut met, end as u16);
            while let Some(next) = lowest(&and_not(&and(&all, &ends), &met)) {
                set(&mut met, next);
                let row = off[usize::from(next)];
                add(&mut all, &row);
                if has(&done, next) {
                    // Its consequences are in its row.
                    add(&mut met, &and(&row, &ends));
                }
            }
            off[end] = all;
            set(&mut done, end as u16);
        });
        Self {
            sees,
            strong,
            ends,
            off,
        }
    }

    /// The candidates that lead from on to off, and those that lead from off to on.
    #[inline(always)]
    pub(super) fn opposites(&self) -> [Row<W>; 2] {
        let (mut strikes, mut places) = ([0; W], [0; W]);
        each(&self.ends, |end| {
            // It sees this end, and is off where it is off.
            add(&mut strikes, &and(&self.off[end], &self.sees[end]));
            if meet(&self.off[end], &self.strong[end]) {
                set(&mut places, end as u16);
            }
        });
        [strikes, places]
    }

    /// The candidates that are off where one is on.
    #[inline(always)]
    fn after(&self, on: usize) -> Row<W> {
        let sees = self.sees[on];
        let mut off = sees;
        each(&and(&sees, &self.ends), |end| add(&mut off, &self.off[end]));
        off
    }
}
