//! The consequences of all starts at once, with techniques inside.
//!
//! A run with [techniques inside](super::nested) takes long, and 97 of 100 have no contradiction and nothing in
//! common with others. Which these are does not depend on the order of a run: whenever nothing follows any more,
//! what is left of the position decides what techniques strike, and all their hints count. So all
//! runs go at once as in [`closure`](super::closure), and where no unit leads on, techniques do:
//!
//! - locked digits, pairs and X-wings in all runs at once, by the same bits;
//! - the chains of the level in one run after the other, by [sets](super::struck).
//!
//! All that a run knows in the end is among what it knows here. (Here each technique counts also where the
//! run has lost nothing that it needs.) So a run that is not broken here ends without a contradiction, and runs with
//! nothing in common here have no hint. The rest is followed in order, for its lengths.
//!
//! The end does not depend on where it begins, as long as that is true. So a level goes on from where the level below
//! ended in the same position.
//!
//! The bounds of Sudoku Explainer for pairs and X-wings (four empty cells, five digits that stand) are left out:
//! with fewer cells a pair strikes nothing that singles do not.

use super::{
    Search,
    closure::{Closures, Runs, Spread, Units},
    links::{Row, add, and, and_not, each, has, members},
    nested,
    rules::{crossing, pairs},
    run::Known,
    state::{Candidate, HOUSES_OF, State, bits, candidate, cell_of, digit_of},
    struck::Sights,
};
use crate::{
    grid::{CELLS, HOUSE_CELLS, HOUSES},
    simd, stop,
};
use std::{collections::HashMap, mem, sync::Arc};

/// Answers what a search strikes at most in some positions: [`Sights::struck`].
pub(super) type Ask<'a> = dyn FnMut(&Sights, Search, &[State]) -> Vec<Row<4>> + 'a;

/// All runs of a position.
#[derive(Clone, Debug)]
pub(super) struct Board {
    sights: Arc<Sights>,
    units: Units,
    spread: Spread,
    /// The candidates that were left in each run when a search inside was last asked, by search: from off, from on.
    asked: HashMap<Search, [Vec<Option<Known>>; 2]>,
    level: u8,
}

/// The closures of a level in a position with no more than 256 candidates.
pub(super) fn closures(state: &State, level: u8) -> Closures {
    let sights = Sights::of(state).expect("there are no more candidates");
    let mut board = Board::of(state, Arc::new(sights));
    board.close(state, level, &mut |sights, search, states| {
        let answer = |state| {
            stop::check();
            sights.struck(search, state)
        };
        states.iter().map(answer).collect()
    });
    board.closures()
}

impl Board {
    pub(super) fn of(state: &State, sights: Arc<Sights>) -> Self {
        let units = Units::of(state, &sights.number);
        let spread = Spread::from_each(sights.candidates.len());
        Self {
            sights,
            units,
            spread,
            asked: HashMap::new(),
            level: 0,
        }
    }

    /// The closures of the runs.
    pub(super) fn closures(&self) -> Closures {
        let (candidates, number) = (self.sights.candidates.clone(), self.sights.number.clone());
        simd::with_words!(|| Closures::from(candidates, number, &self.spread))
    }

    /// Takes over what the runs of a position with more candidates know at a level up to that which is asked for next. In both
    /// positions singles are done. A few strikes change little: most runs of a step are those of the step before.
    pub(super) fn take_over(&mut self, old: &Self) {
        let is_left =
            |candidate: &Candidate| self.sights.candidates.binary_search(candidate).is_ok();
        let old_candidates = &old.sights.candidates;
        let (left, gone): (Vec<usize>, Vec<usize>) =
            (0..old_candidates.len()).partition(|&n| is_left(&old_candidates[n]));
        let gone: Vec<usize> = gone.into_iter().rev().collect();
        self.spread.take_over(&self.units, &old.spread, &gone);
        for (&search, of_old) in &old.asked {
            let of_left = |of: &Vec<Option<Known>>| left.iter().map(|&n| of[n]).collect();
            self.asked
                .entry(search)
                .or_insert_with(|| of_old.each_ref().map(of_left));
        }
    }

    /// Lets all runs go as far as they go with the techniques of a level. The level below may have been closed before.
    pub(super) fn close(&mut self, state: &State, level: u8, ask: &mut Ask<'_>) {
        if self.level == 0 {
            let Self { spread, units, .. } = self;
            simd::with_words!(|| spread.settle(units));
            // All rules are looked at.
            self.spread.changed = [u64::MAX; _];
        }
        self.apply_rules(state);
        self.level = level;
        let chains = nested::chains_inside(level);
        while chains
            .iter()
            .any(|&search| self.apply_chains(state, search, ask))
        {
            self.apply_rules(state);
        }
    }

    /// Strikes what rules strike until they strike nothing.
    fn apply_rules(&mut self, state: &State) {
        simd::with_words!(|| {
            self.spread.go_on(&self.units);
            while self.rules(state) {
                self.spread.go_on(&self.units);
            }
        })
    }

    /// Strikes what the chains of a search strike in each run. Whether that is anything.
    fn apply_chains(&mut self, state: &State, search: Search, ask: &mut Ask<'_>) -> bool {
        let count = self.sights.candidates.len();
        let closures = self.closures();
        let asked = self.asked.remove(&search);
        let mut asked = asked.unwrap_or_else(|| [vec![None; count], vec![None; count]]);
        let mut all: Known = [0; _];
        for &candidate in &self.sights.candidates {
            all[usize::from(candidate) / 64] |= 1 << (candidate % 64);
        }
        let (mut runs, mut states) = (Vec::new(), Vec::new());
        for (n, &start) in self.sights.candidates.iter().enumerate() {
            for on in [true, false] {
                if closures.contradicts((start, on)) {
                    continue;
                }
                let (mut now, mut left) = (state.clone(), all);
                each(closures.off((start, on)), |n| {
                    let off = self.sights.candidates[n];
                    now.strike(off);
                    left[usize::from(off) / 64] &= !(1 << (off % 64));
                });
                let before = asked[usize::from(on)][n].replace(left);
                if before.is_some_and(|before| {
                    before == left
                        || search == Search::Forcing
                            && !now.has_new_strong_link(members(and_not(&before, &left)))
                }) {
                    continue;
                }
                runs.push(if on { n } else { 256 + n });
                states.push(now);
            }
        }
        self.asked.insert(search, asked);
        let struck = ask(&self.sights, search, &states);
        let mut any = false;
        for (run, struck) in runs.into_iter().zip(struck) {
            let mut runs = [0; 8];
            runs[run / 64] = 1 << (run % 64);
            each(&struck, |n| {
                any |= self.spread.strike(&self.units, n, &runs)
            });
        }
        any
    }
}

/// The cells, and the digits in each house, of candidates that have changed.
struct Changed {
    cells: [bool; CELLS],
    places: [u16; HOUSES],
}

impl Board {
    #[inline(always)]
    fn strike(&mut self, cell: usize, digit: usize, runs: &Runs) -> bool {
        let n = self.sights.number[usize::from(candidate(cell, digit))];
        self.spread.strike(&self.units, n.into(), runs)
    }

    /// The runs in which a candidate of the position is off.
    #[inline(always)]
    fn off(&self, cell: usize, digit: usize) -> &Runs {
        let n = self.sights.number[usize::from(candidate(cell, digit))];
        &self.spread.off[usize::from(n)]
    }

    /// Strikes what rules strike in all runs, by candidates that have changed. Whether that is anything.
    #[inline(always)]
    fn rules(&mut self, state: &State) -> bool {
        let changed = mem::take(&mut self.spread.changed);
        if changed == [0; 4] {
            return false;
        }
        let mut lately = Changed {
            cells: [false; CELLS],
            places: [0; HOUSES],
        };
        for (n, &candidate) in (0..).zip(&self.sights.candidates) {
            if has(&changed, n) {
                let (cell, digit) = (cell_of(candidate), digit_of(candidate));
                lately.cells[cell] = true;
                for house in HOUSES_OF[cell] {
                    lately.places[usize::from(house)] |= 1 << digit;
                }
            }
        }
        let mut any = false;
        for house in 18..HOUSES {
            for line in 0..18 {
                any |= self.locking(state, &lately, house, line);
            }
        }
        any | self.naked_pairs(state, &lately) | self.hidden_pairs_and_x_wings(state, &lately)
    }

    /// Digits whose places in a box are all in a line, and the other way.
    #[inline(always)]
    fn locking(&mut self, state: &State, lately: &Changed, of_box: usize, line: usize) -> bool {
        let (in_box, in_line) = (crossing(of_box, line), crossing(line, of_box));
        if in_box == 0 {
            return false;
        }
        let mut any = false;
        for digit in bits(lately.places[of_box] | lately.places[line]) {
            let rests = [(of_box, in_box), (line, in_line)]
                .map(|(house, crossing)| (house, state.places[house][digit] & !crossing));
            if rests.iter().any(|&(_, rest)| rest == 0) {
                continue;
            }
            // The runs in which the rest of the box, and of the line, is off.
            let empty = rests.map(|(house, rest)| {
                let mut empty = [u64::MAX; 8];
                for place in bits(rest) {
                    empty = and(&empty, self.off(HOUSE_CELLS[house][place].into(), digit));
                }
                empty
            });
            for ((house, rest), runs) in [
                (rests[1], and_not(&empty[0], &empty[1])),
                (rests[0], and_not(&empty[1], &empty[0])),
            ] {
                if runs != [0; 8] {
                    for place in bits(rest) {
                        any |= self.strike(HOUSE_CELLS[house][place].into(), digit, &runs);
                    }
                }
            }
        }
        any
    }

    /// The runs in which exactly two of some candidates are left.
    #[inline(always)]
    fn with_two(&self, of: impl Iterator<Item = Candidate>) -> Runs {
        let (mut one, mut two, mut three) = ([0; 8], [0; 8], [0; 8]);
        for candidate in of {
            let n = usize::from(self.sights.number[usize::from(candidate)]);
            let off = &self.spread.off[n];
            add(&mut three, &and_not(&two, off));
            add(&mut two, &and_not(&one, off));
            one = simd::array!(|w| one[w] | !off[w]);
        }
        and_not(&and_not(&two, &three), &self.spread.broken)
    }

    /// The runs among some in which two sets have the same members left. `of` gives the candidates of a member.
    #[inline(always)]
    fn with_same(
        &self,
        mut runs: Runs,
        (first, second): (u16, u16),
        of: impl Fn(usize) -> [Candidate; 2],
    ) -> Runs {
        let off = |candidate: Candidate| {
            let n = self.sights.number[usize::from(candidate)];
            &self.spread.off[usize::from(n)]
        };
        for n in bits(first | second) {
            let [a, b] = of(n);
            runs = match (first >> n & 1, second >> n & 1) {
                (1, 1) => {
                    let (a, b) = (off(a), off(b));
                    simd::array!(|w| runs[w] & !(a[w] ^ b[w]))
                }
                (1, _) => and(&runs, off(a)),
                _ => and(&runs, off(b)),
            };
            if runs == [0; 8] {
                break;
            }
        }
        runs
    }

    /// Two cells of a house with the same two candidates.
    #[inline(always)]
    fn naked_pairs(&mut self, state: &State, lately: &Changed) -> bool {
        let mut two = [[0; 8]; CELLS];
        for (cell, two) in two.iter_mut().enumerate() {
            let digits = state.cells[cell];
            if digits & digits.wrapping_sub(1) != 0 {
                *two = self.with_two(bits(digits).map(|digit| candidate(cell, digit)));
            }
        }
        let mut any = false;
        for cells in &HOUSE_CELLS {
            for [i, j] in pairs() {
                let [x, y] = [cells[i], cells[j]].map(usize::from);
                if !(lately.cells[x] || lately.cells[y]) {
                    continue;
                }
                let (of_x, of_y) = (state.cells[x], state.cells[y]);
                let runs = and(&two[x], &two[y]);
                if runs == [0; 8] || (of_x & of_y).count_ones() < 2 {
                    continue;
                }
                let both = |digit| [candidate(x, digit), candidate(y, digit)];
                let runs = self.with_same(runs, (of_x, of_y), both);
                if runs == [0; 8] {
                    continue;
                }
                for digit in bits(of_x & of_y) {
                    let runs = and_not(&runs, self.off(x, digit));
                    if runs == [0; 8] {
                        continue;
                    }
                    for cell in cells.iter().map(|&cell| usize::from(cell)) {
                        if cell != x && cell != y && state.cells[cell] >> digit & 1 != 0 {
                            any |= self.strike(cell, digit, &runs);
                        }
                    }
                }
            }
        }
        any
    }

    /// Two digits with the same two places in a house, and one with the same two places in two lines.
    #[inline(always)]
    fn hidden_pairs_and_x_wings(&mut self, state: &State, lately: &Changed) -> bool {
        let mut two = [[[0; 8]; 9]; HOUSES];
        for (house, two) in two.iter_mut().enumerate() {
            for (digit, two) in two.iter_mut().enumerate() {
                let places = state.places[house][digit];
                if places & places.wrapping_sub(1) != 0 {
                    let cells = bits(places).map(|place| HOUSE_CELLS[house][place]);
                    *two = self.with_two(cells.map(|cell| candidate(cell.into(), digit)));
                }
            }
        }
        let mut any = false;
        for (house, cells) in HOUSE_CELLS.iter().enumerate() {
            for [d, e] in pairs() {
                if lately.places[house] & (1 << d | 1 << e) == 0 {
                    continue;
                }
                let (of_d, of_e) = (state.places[house][d], state.places[house][e]);
                let runs = and(&two[house][d], &two[house][e]);
                if runs == [0; 8] || (of_d & of_e).count_ones() < 2 {
                    continue;
                }
                let both = |place: usize| [d, e].map(|digit| candidate(cells[place].into(), digit));
                let runs = self.with_same(runs, (of_d, of_e), both);
                if runs == [0; 8] {
                    continue;
                }
                for place in bits(of_d & of_e) {
                    let cell = usize::from(cells[place]);
                    let runs = and_not(&runs, self.off(cell, d));
                    if runs == [0; 8] {
                        continue;
                    }
                    for other in bits(state.cells[cell] & !(1 << d | 1 << e)) {
                        any |= self.strike(cell, other, &runs);
                    }
                }
            }
        }
        for (bases, covers) in [(0, 9), (9, 0)] {
            for [i, j] in pairs() {
                let (x, y) = (bases + i, bases + j);
                for digit in bits(lately.places[x] | lately.places[y]) {
                    let (of_x, of_y) = (state.places[x][digit], state.places[y][digit]);
                    let runs = and(&two[x][digit], &two[y][digit]);
                    if runs == [0; 8] || (of_x & of_y).count_ones() < 2 {
                        continue;
                    }
                    let cell = |line: usize, place: usize| usize::from(HOUSE_CELLS[line][place]);
                    let both = |place| [x, y].map(|line| candidate(cell(line, place), digit));
                    let runs = self.with_same(runs, (of_x, of_y), both);
                    if runs == [0; 8] {
                        continue;
                    }
                    for place in bits(of_x & of_y) {
                        let runs = and_not(&runs, self.off(cell(x, place), digit));
                        if runs == [0; 8] {
                            continue;
                        }
                        let own = 1 << i | 1 << j;
                        for line in bits(state.places[covers + place][digit] & !own) {
                            any |= self.strike(cell(covers + place, line), digit, &runs);
                        }
                    }
                }
            }
        }
        any
    }
}
