//! The consequences of many starts at once, in any order.
//!
//! The order of the queues of a [run](super::run) decides its lengths, and what it knows when a
//! contradiction cuts it short. But whether it ends in a contradiction does not depend on the order,
//! and neither does what it knows if it does not. So all runs go at once, one bit each:
//!
//! ```text
//!     bit n         candidate n is on             on[m], off[m]: the runs in which
//!     bit half + n  candidate n is off            candidate m is on, or off
//! ```
//!
//! A *unit* is a cell, or a digit in a house. Where one member of a unit is on, the others are off.
//! If all but one are off, the last one is on. Two that are on, or none that is left, are a
//! contradiction.
//!
//! Most runs of a search lead to nothing. Those that may lead to a hint are [followed](super::run)
//! for their lengths: the ones with a contradiction, and groups with an end in common.

use super::{
    links::{Row, add, and, and_not, members, set},
    rows::Rows,
    run::Node,
    state::{CANDIDATES, Candidate, HOUSES_OF, State, bits, candidate, cell_of, digit_of},
};
use crate::{
    grid::{CELLS, HOUSE_CELLS, HOUSES},
    simd,
};

/// A cell, or a digit in a house, with two candidates or more.
///
/// (What has one from the start leads to nothing: a link to the last place needs two.)
#[derive(Clone, Copy, Debug)]
struct Unit {
    members: [u16; 9],
    count: u8,
}

/// The units of some candidates, by numbers of these.
#[derive(Clone, Debug)]
pub(super) struct Units {
    units: Vec<Unit>,
    /// Up to four units of each candidate.
    of: Vec<[u16; 4]>,
}

const NO_UNIT: u16 = u16::MAX;

impl Units {
    /// No units of this number of candidates.
    fn none(candidates: usize) -> Self {
        Self {
            units: Vec::new(),
            of: vec![[NO_UNIT; 4]; candidates],
        }
    }

    /// Adds a unit.
    #[inline(always)]
    fn push(&mut self, members: impl Iterator<Item = u16>) {
        let mut unit = Unit {
            members: [0; 9],
            count: 0,
        };
        for member in members {
            unit.members[usize::from(unit.count)] = member;
            unit.count += 1;
        }
        if unit.count < 2 {
            return;
        }
        for &member in &unit.members[..usize::from(unit.count)] {
            let of = &mut self.of[usize::from(member)];
            let free = of.iter_mut().find(|unit| **unit == NO_UNIT);
            *free.expect("a candidate has four units at most") = self.units.len() as u16;
        }
        self.units.push(unit);
    }

    /// The cells of a position, and its digits in houses.
    #[inline(always)]
    pub(super) fn of(state: &State, number: &[u16]) -> Self {
        let mut units = Self::none(state.count() as usize);
        let number_of = |cell: usize, digit: usize| number[usize::from(candidate(cell, digit))];
        for (cell, &digits) in state.cells.iter().enumerate() {
            units.push(bits(digits).map(|digit| number_of(cell, digit)));
        }
        for (house, places) in state.places.iter().enumerate() {
            for (digit, &places) in places.iter().enumerate() {
                let cells = bits(places).map(|place| HOUSE_CELLS[house][place]);
                units.push(cells.map(|cell| number_of(cell.into(), digit)));
            }
        }
        units
    }
}

/// The number of each candidate in a list.
pub(super) fn numbers(candidates: &[Candidate]) -> Vec<u16> {
    let mut number = vec![0; CANDIDATES];
    for (n, &candidate) in (0..).zip(candidates) {
        number[usize::from(candidate)] = n;
    }
    number
}

/// A set of units.
type Wanted = [u64; (CELLS + 9 * HOUSES).div_ceil(64)];

/// Runs: bit n for that from candidate n on, bit 256 + n for that from the same one off.
pub(super) type Runs = Row<8>;

/// The runs in which each candidate is on, and off.
#[derive(Clone, Debug)]
pub(super) struct Spread {
    on: Rows<8>,
    pub(super) off: Rows<8>,
    /// The runs with a contradiction. What these know is not complete.
    pub(super) broken: Runs,
    /// The units in which runs may go on.
    wanted: Wanted,
    /// The candidates that are known in more runs since this was taken.
    pub(super) changed: Row<4>,
}

impl Spread {
    /// Each candidate on in one run, and off in another one.
    #[inline(always)]
    pub(super) fn from_each(candidates: usize) -> Self {
        let (mut on, mut off) = (Rows::empty(candidates), Rows::empty(candidates));
        for n in 0..candidates {
            on[n][n / 64] |= 1 << (n % 64);
            off[n][(256 + n) / 64] |= 1 << (n % 64);
        }
        Self {
            on,
            off,
            broken: [0; 8],
            wanted: [0; _],
            changed: [0; _],
        }
    }

    /// Lets all runs go as far as they go.
    #[inline(always)]
    pub(super) fn settle(&mut self, units: &Units) {
        for n in 0..units.units.len() {
            self.wanted[n / 64] |= 1 << (n % 64);
        }
        self.go_on(units);
    }

    /// Adds what holds in the runs of a position with more candidates: those in `gone` as well, by their numbers there in
    /// descending order.
    pub(super) fn take_over(&mut self, units: &Units, old: &Self, gone: &[usize]) {
        let left = Self::left_of(old, gone);
        for (n, (on, off)) in left.on.iter().zip(left.off.iter()).enumerate() {
            if and_not(on, &self.on[n]) != [0; 8] || and_not(off, &self.off[n]) != [0; 8] {
                add(&mut self.on[n], on);
                add(&mut self.off[n], off);
                self.want(units, n);
            }
        }
        add(&mut self.broken, &left.broken);
    }

    /// The facts in the runs of a position with more candidates: those in `gone` as well, by their numbers there in
    /// descending order. Nothing leads on yet.
    #[inline(always)]
    fn left_of(old: &Self, gone: &[usize]) -> Self {
        let mut left = gone.iter().rev().peekable();
        let (mut on, mut off) = (Rows::none(), Rows::none());
        for (n, (old_on, old_off)) in old.on.iter().zip(old.off.iter()).enumerate() {
            if left.next_if_eq(&&n).is_none() {
                on.append(&[without(old_on, gone)]);
                off.append(&[without(old_off, gone)]);
            }
        }
        Self {
            on,
            off,
            broken: without(&old.broken, gone),
            wanted: [0; _],
            changed: [0; _],
        }
    }

    /// Puts a candidate off in some runs. Whether that is new in any.
    #[inline(always)]
    pub(super) fn strike(&mut self, units: &Units, candidate: usize, runs: &Runs) -> bool {
        let (on, off) = (&self.on[candidate], &mut self.off[candidate]);
        let new = and_not(&and_not(runs, &self.broken), off);
        if new == [0; 8] {
            return false;
        }
        add(off, &new);
        add(&mut self.broken, &and(&new, on));
        self.want(units, candidate);
        true
    }

    /// Notes that a candidate is known in more runs.
    #[inline(always)]
    fn want(&mut self, units: &Units, candidate: usize) {
        set(&mut self.changed, candidate as u16);
        for &unit in units.of[candidate].iter().filter(|unit| **unit != NO_UNIT) {
            self.wanted[usize::from(unit) / 64] |= 1 << (unit % 64);
        }
    }

    /// Lets all runs go on from what was struck.
    #[inline(always)]
    pub(super) fn go_on(&mut self, units: &Units) {
        let mut any = true;
        while any {
            any = false;
            for word in 0..self.wanted.len() {
                // A request that is repeated waits until all others have had their turn.
                let mut turn = std::mem::take(&mut self.wanted[word]);
                while turn != 0 {
                    let n = 64 * word + turn.trailing_zeros() as usize;
                    turn &= turn - 1;
                    any = true;
                    let unit = &units.units[n];
                    let members = &unit.members[..usize::from(unit.count)];
                    let (on, off) = (&mut self.on, &mut self.off);
                    let mut changed = settle_unit(members, on, off, &mut self.broken);
                    while changed != 0 {
                        let member = unit.members[changed.trailing_zeros() as usize];
                        changed &= changed - 1;
                        set(&mut self.changed, member);
                        for &other in &units.of[usize::from(member)] {
                            if other != NO_UNIT && usize::from(other) != n {
                                self.wanted[usize::from(other) / 64] |= 1 << (other % 64);
                            }
                        }
                    }
                }
            }
        }
    }
}

/// Lets all runs go on in one unit: those in which its members are on, and off. Returns the places of the members that
/// change.
#[inline(always)]
pub(super) fn settle_unit<const W: usize>(
    members: &[u16],
    on: &mut [Row<W>],
    off: &mut [Row<W>],
    broken: &mut Row<W>,
) -> u16 {
    let (mut any_on, mut two_on) = ([0; W], [0; W]);
    let (mut none_left, mut two_left) = ([u64::MAX; W], [0; W]);
    for &n in members {
        let (on, off) = (&on[usize::from(n)], &off[usize::from(n)]);
        add(&mut two_on, &and(&any_on, on));
        add(&mut any_on, on);
        add(
            &mut two_left,
            &and_not(&simd::array!(|w| !off[w]), &none_left),
        );
        none_left = and(&none_left, off);
    }
    add(broken, &two_on);
    add(broken, &none_left);
    let any_on = and_not(&any_on, broken);
    let last = simd::array!(|w| !(none_left[w] | two_left[w] | broken[w]));
    let mut changed = 0;
    for (place, &n) in members.iter().enumerate() {
        let (on, off) = (&mut on[usize::from(n)], &mut off[usize::from(n)]);
        let known: Row<W> = simd::array!(|w| on[w] | off[w]);
        let new_off = and_not(&any_on, &known);
        let new_on = and_not(&last, &known);
        let new: Row<W> = simd::array!(|w| new_off[w] | new_on[w]);
        if new != [0; W] {
            add(on, &new_on);
            add(off, &new_off);
            changed |= 1 << place;
        }
    }
    changed
}

/// Runs without those of some candidates, by their numbers in descending order.
#[inline(always)]
fn without(row: &Runs, gone: &[usize]) -> Runs {
    debug_assert!(gone.iter().all(|&gone| gone < 256));
    let mut row = *row;
    for &gone in gone {
        remove(&mut row[4..], gone);
        remove(&mut row[..4], gone);
    }
    row
}

/// Takes a bit out of some words: those above it move down.
#[inline(always)]
fn remove(words: &mut [u64], bit: usize) {
    let (first, low) = (bit / 64, (1 << (bit % 64)) - 1);
    let mut carry = 0;
    for word in words[first + 1..].iter_mut().rev() {
        let next = *word & 1;
        *word = *word >> 1 | carry << 63;
        carry = next;
    }
    let word = words[first];
    words[first] = word & low | (word >> 1 & !low) | carry << 63;
}

/// The consequences in a position without singles.
///
/// They hold in a later position of the puzzle too, in which singles are done again. There, all runs know the same as if they
/// began anew. A run in which a candidate that is struck since was on, or one that is placed since was off, has a
/// contradiction there: all that it can follow from has been struck, up to a unit without a place.
#[derive(Clone, Debug)]
pub(super) struct Settled {
    candidates: Vec<Candidate>,
    spread: Spread,
}

/// With more candidates that are gone, a search begins anew: it takes no longer.
const MOST_GONE: usize = 40;

impl Settled {
    /// The candidates that a later position has lost, by their numbers in descending order. `None` if it is no later one.
    fn gone(&self, state: &State, candidates: &[Candidate]) -> Option<Vec<usize>> {
        let mut left = candidates.iter().rev().peekable();
        let old = self.candidates.iter().enumerate().rev();
        let gone = old.filter(|(_, old)| left.next_if_eq(old).is_none());
        let gone: Vec<_> = gone.map(|(n, _)| n).collect();
        let is_later = left.next().is_none() && gone.len() <= MOST_GONE && is_settled(state);
        is_later.then_some(gone)
    }
}

/// Shows one of the candidates that are left in each unit of a candidate that is gone, and the place of the unit among those of
/// that candidate. There are no singles.
#[inline(always)]
fn each_unit(state: &State, gone: Candidate, mut see: impl FnMut(usize, Candidate)) {
    debug_assert!(is_settled(state));
    let (cell, digit) = (cell_of(gone), digit_of(gone));
    let digits = state.cells[cell];
    if digits != 0 {
        see(0, candidate(cell, digits.trailing_zeros() as usize));
    }
    let [of_box, row, column] = HOUSES_OF[cell].map(usize::from);
    for (place, house) in [(1, row), (2, column), (3, of_box)] {
        let places = state.places[house][digit];
        if places != 0 {
            let cell = HOUSE_CELLS[house][places.trailing_zeros() as usize];
            see(place, candidate(cell.into(), digit));
        }
    }
}

/// Returns true if no single is left.
pub(super) fn is_settled(state: &State) -> bool {
    let is_single = |set: &u16| set.is_power_of_two();
    !state.cells.iter().any(is_single) && !state.places.as_flattened().iter().any(is_single)
}

/// The consequences of each candidate of a position that is on or off, in a dynamic run.
pub(super) struct Closures {
    candidates: Vec<Candidate>,
    number: Vec<u16>,
    /// The runs with a contradiction, from off and from on.
    broken: [Row<4>; 2],
    /// The ones among these whose knowledge is open: nobody has [noted](Self::note) it.
    open: [Row<4>; 2],
    /// For runs from off and from on, the candidates that are off (four words) and on.
    known: [Rows<8>; 2],
}

impl Closures {
    /// `None` if there are too many candidates, which is rare.
    ///
    /// With `last`, the consequences in an earlier position of the same puzzle, the search goes on from there: a few strikes
    /// change little. It notes the present ones.
    pub(super) fn of(state: &State, last: Option<&mut Option<Box<Settled>>>) -> Option<Self> {
        (state.count() <= 256).then(|| simd::with_words!(|| Self::of_all(state, last)))
    }

    #[inline(always)]
    fn of_all(state: &State, last: Option<&mut Option<Box<Settled>>>) -> Self {
        let candidates: Vec<Candidate> = state.candidates().collect();
        let number = numbers(&candidates);
        let units = Units::of(state, &number);
        let before = last.as_ref().and_then(|last| last.as_deref());
        let gone = before.and_then(|before| before.gone(state, &candidates));
        let mut spread = match (before, gone) {
            (Some(before), Some(gone)) => {
                let mut spread = Spread::left_of(&before.spread, &gone);
                for &gone in &gone {
                    let gone = before.candidates[gone];
                    each_unit(state, gone, |place, one| {
                        let unit = units.of[usize::from(number[usize::from(one)])][place];
                        spread.wanted[usize::from(unit) / 64] |= 1 << (unit % 64);
                    });
                }
                spread.go_on(&units);
                spread
            }
            _ => {
                let mut spread = Spread::from_each(candidates.len());
                spread.settle(&units);
                spread
            }
        };
        let closures = Self::from(candidates.clone(), number, &spread);
        if let Some(last) = last {
            spread.changed = [0; _];
            *last = is_settled(state).then(|| Box::new(Settled { candidates, spread }));
        }
        closures
    }

    /// The knowledge of runs, by the numbers of the candidates.
    #[inline(always)]
    pub(super) fn from(candidates: Vec<Candidate>, number: Vec<u16>, spread: &Spread) -> Self {
        let [on_0, on_1, on_2, on_3, off_0, off_1, off_2, off_3] = spread.broken;
        let broken = [[off_0, off_1, off_2, off_3], [on_0, on_1, on_2, on_3]];
        Self {
            candidates,
            number,
            broken,
            open: broken,
            known: turned([&spread.off, &spread.on]),
        }
    }

    fn place(&self, (candidate, on): (Candidate, bool)) -> (usize, usize) {
        let n = self.number[usize::from(candidate)];
        (usize::from(on), usize::from(n))
    }

    /// Returns true if a run ends in a contradiction.
    pub(super) fn contradicts(&self, start: (Candidate, bool)) -> bool {
        let (on, n) = self.place(start);
        self.broken[on][n / 64] >> (n % 64) & 1 != 0
    }

    /// The candidates that are off in the end, by number.
    pub(super) fn off(&self, start: (Candidate, bool)) -> &Row<4> {
        let (on, n) = self.place(start);
        self.known[on][n]
            .first_chunk()
            .expect("a row has eight words")
    }

    /// Takes what a run has noted for what it knows.
    pub(super) fn note(&mut self, start: (Candidate, bool), nodes: &[Node]) {
        let (from, row) = self.place(start);
        let mut known = [0; 8];
        for node in nodes {
            let n = usize::from(self.number[usize::from(node.candidate)]);
            known[4 * usize::from(node.on) + n / 64] |= 1 << (n % 64);
        }
        self.known[from][row] = known;
        self.open[from][row / 64] &= !(1 << (row % 64));
    }

    /// Returns true if some runs may know anything together. One with a contradiction may know anything before it is noted.
    pub(super) fn may_meet(&self, starts: &[(Candidate, bool)]) -> bool {
        self.common_row(starts) != [0; 8]
    }

    /// The candidates that some runs may know together: those that are off, then those that are on.
    pub(super) fn common(
        &self,
        starts: &[(Candidate, bool)],
    ) -> impl Iterator<Item = (Candidate, bool)> {
        let [off_0, off_1, off_2, off_3, on_0, on_1, on_2, on_3] = self.common_row(starts);
        let of = |row: Row<4>, on| members(row).map(move |n| (self.candidates[usize::from(n)], on));
        of([off_0, off_1, off_2, off_3], false).chain(of([on_0, on_1, on_2, on_3], true))
    }

    fn common_row(&self, starts: &[(Candidate, bool)]) -> Row<8> {
        let mut common = [u64::MAX; 8];
        for &start in starts {
            let (on, n) = self.place(start);
            if self.open[on][n / 64] >> (n % 64) & 1 == 0 {
                common = and(&common, &self.known[on][n]);
            }
        }
        common
    }
}

/// Turns rows of runs by candidates (off, on) into rows of candidates (off, on) by runs (from off,
/// from on).
#[inline(always)]
fn turned(rows: [&Rows<8>; 2]) -> [Rows<8>; 2] {
    let mut known = [Rows::empty(256), Rows::empty(256)];
    for (is_on, rows) in rows.into_iter().enumerate() {
        for (w, rows) in rows.chunks(64).enumerate() {
            for word in 0..8 {
                let mut block = [0; 64];
                for (block, row) in block.iter_mut().zip(rows) {
                    *block = row[word];
                }
                transpose(&mut block);
                let known = &mut known[usize::from(word < 4)][64 * (word % 4)..];
                for (known, block) in known.iter_mut().zip(block) {
                    known[4 * is_on + w] = block;
                }
            }
        }
    }
    known
}

/// Turns 64 rows of 64 bits (Warren, Hacker's Delight, 7-3).
#[inline(always)]
fn transpose(rows: &mut [u64; 64]) {
    let mut step = 32;
    let mut mask = u64::MAX >> 32;
    while step != 0 {
        let mut row = 0;
        while row < 64 {
            for n in row..row + step {
                let other = (rows[n] >> step ^ rows[n + step]) & mask;
                rows[n] ^= other << step;
                rows[n + step] ^= other;
            }
            row += 2 * step;
        }
        step /= 2;
        mask ^= mask << step;
    }
}

#[cfg(test)]
mod tests {
    use super::{
        super::{
            links::has,
            run::{Desk, Manner, Run},
        },
        Closures, is_settled,
    };
    use crate::{
        grid::{Digits, Puzzle},
        technique::{Position, Steps, chain::state::State},
    };
    use sudoku_batch_test_support::one_of;

    /// All runs at once know what one run after the other finds out link by link.
    #[test]
    fn closures_are_those_of_runs() {
        let manner = Manner {
            cells: true,
            strikes: true,
        };
        let (mut run, mut desk) = (Run::new(), Desk::new());
        let (mut broken, mut whole) = (0, 0);
        for line in include_str!("../../../tests/support/chains.txt")
            .lines()
            .step_by(5)
        {
            let hex = |cell: usize| &line[82 + 3 * cell..85 + 3 * cell];
            let bits = |cell| u16::from_str_radix(hex(cell), 16).unwrap();
            let candidates = std::array::from_fn(|cell| Digits::from_bits(bits(cell)));
            let filled: Puzzle = line[..81].parse().unwrap();
            let state = State::new(&Position::with_candidates(&filled, &candidates));
            let closures = Closures::of(&state, None).unwrap();
            let all: Vec<_> = state.candidates().collect();
            for start in all.iter().flat_map(|&c| [(c, true), (c, false)]) {
                let rules = |_: &State, _: &State| Ok::<_, ()>(None);
                run.follow(&mut desk, &state, manner, start, u16::MAX, None, rules)
                    .unwrap();
                assert_eq!(closures.contradicts(start), run.contradiction.is_some());
                if run.contradiction.is_some() {
                    broken += 1;
                    continue;
                }
                whole += 1;
                let (on, n) = closures.place(start);
                let known = &closures.known[on][n];
                for (n, &candidate) in all.iter().enumerate() {
                    for on in [0, 1] {
                        let has = known[4 * on + n / 64] >> (n % 64) & 1 != 0;
                        let place = usize::from(candidate);
                        assert_eq!(has, run.known[on][place / 64] >> (place % 64) & 1 != 0);
                    }
                }
            }
        }
        assert!(broken > 100 && whole > 1000, "{broken}, {whole}");
    }

    /// A search that goes on from an earlier position of a puzzle finds the consequences that one from the beginning finds.
    #[test]
    fn consequences_go_on_as_they_begin() {
        let (mut later, mut with_fewer) = (0, 0);
        let rated = include_str!("../../../tests/support/rated.txt").lines();
        let rated = rated.map(|line| line.split_once(' ').unwrap());
        let hard = rated.filter(|(_, er)| er.starts_with('8') || er.starts_with('9'));
        // They have 34 positions that go on from another. More of them have rarer changes between two.
        for (puzzle, _) in hard.step_by(one_of(2)) {
            let mut position = Position::new(puzzle.parse::<Puzzle>().unwrap());
            let mut last = None;
            for step in Steps::from(position.clone()).take(60) {
                let state = State::new(&position);
                if is_settled(&state) && state.count() <= 256 {
                    let goes_on = last.is_some();
                    let on = Closures::of(&state, Some(&mut last)).unwrap();
                    let anew = Closures::of(&state, None).unwrap();
                    assert_eq!(on.broken, anew.broken, "{puzzle}");
                    for (from, broken) in anew.broken.iter().enumerate() {
                        for n in (0..on.candidates.len()).filter(|n| !has(broken, *n as u16)) {
                            assert_eq!(on.known[from][n], anew.known[from][n], "{puzzle}");
                        }
                    }
                    later += usize::from(goes_on);
                    with_fewer += usize::from(goes_on && step.place.is_none());
                }
                position.apply(&step);
            }
        }
        assert!(later > 25 && with_fewer > 20, "{later}, {with_fewer}");
    }
}
