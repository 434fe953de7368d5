//! The search for aligned triplets.
//!
//! Nearly all positions have none, and there are thousands of triplets. So the search asks two cells
//! first. If the first one has x and the second one y, the excluders that both see join digits z to
//! these, which no third cell can have:
//!
//! ```text
//!     excluder xz: z is joined to x           excluder yz: z is joined to y
//!     excluder xyz: z is joined to both       x and y themselves, if it sees their cells
//! ```
//!
//! x is struck only if each digit of the third cell is joined to x, or to every y. Few cells have no
//! other digits. The triplets that are left are asked with the excluders that all three cells see.
//! The combinations that strike something are then taken in the order of Sudoku Explainer.
//!
//! If the only solution is known, most twos need not be asked. The right digits of the second and the
//! third cell stand together. If both are excluded with x, one of them is excluded with x alone, or an
//! excluder with three candidates has all three. (To ask which third cell sees such an excluder leaves a quarter fewer
//! third cells, and takes as long.)

use super::{Base, at_most, partners, partners_of, seeing_any, seeing_two, step};
use crate::{
    grid::{CELLS, Candidate, Cell, Digits},
    simd,
    technique::{
        Technique,
        cells::CellSet,
        position::{Found, View},
    },
};
use std::ops::ControlFlow;

pub(in crate::technique) fn find_triplets(
    view: &View<'_>,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    let excluders = view.cells_of_size(2).or(view.cells_of_size(3));
    let base = Base::of(view, excluders);
    let search = Striking { view, base: &base };
    let striking = simd::with_words!(|| search.triplets());
    let mut triplets = Vec::new();
    for [a, b, c] in striking {
        // Each of the three may be the third one.
        for [a, b, c] in [[a, b, c], [a, c, b], [b, c, a]] {
            if let Some(place) = base.place_of_third([a, b], c) {
                triplets.push(((b, a, place), c));
            }
        }
    }
    triplets.sort_unstable();
    for ((b, a, _), c) in triplets {
        let excluders = base.common(a, b).and(base.excluders[c.index()]);
        let strikes = Joins::of(view, excluders).triplet_strikes(view, [a, b, c]);
        let technique = Technique::AlignedTriplet;
        found(step(technique, vec![a, b, c], excluders, strikes))?;
    }
    ControlFlow::Continue(())
}

impl Base {
    /// The excluders that two cells have in common.
    #[inline(always)]
    fn common(&self, a: Cell, b: Cell) -> CellSet {
        self.excluders[a.index()].and(self.excluders[b.index()])
    }

    /// When a cell is tried as the third with two others, or `None` if it is not: after the
    /// excluders of the first that come before it, or else after all of them and those of the
    /// second before it.
    fn place_of_third(&self, [a, b]: [Cell; 2], third: Cell) -> Option<(bool, usize)> {
        let (of_a, of_b) = (&self.excluders[a.index()], &self.excluders[b.index()]);
        match (of_a.contains(third), of_b.contains(third)) {
            (true, _) => Some((false, place_among_peers(a, third))),
            (_, true) => Some((true, place_among_peers(b, third))),
            _ => None,
        }
    }
}

/// The place of a cell among the peers of another: first its box, then its row, then its column.
fn place_among_peers(of: Cell, peer: Cell) -> usize {
    if of.box_index() == peer.box_index() {
        peer.index()
    } else if of.row() == peer.row() {
        CELLS + peer.column()
    } else {
        2 * CELLS + peer.row()
    }
}

/// The search for the triplets of cells that strike something, in any order.
struct Striking<'a> {
    view: &'a View<'a>,
    base: &'a Base,
}

impl Striking<'_> {
    #[inline(always)]
    fn digits(&self, cell: Cell) -> u16 {
        self.view.position().candidates(cell).bits()
    }

    #[inline(always)]
    fn triplets(self) -> Vec<[Cell; 3]> {
        let mut striking = Vec::new();
        let base = self.base;
        let at_most = at_most(self.view);
        let [_, changed] = self.view.known().changed;
        // The cells that have two excluders in common with each cell.
        let mut near = [CellSet::NONE; CELLS];
        let mut cells = base.cells;
        while let Some(cell) = cells.pop() {
            near[cell.index()] = seeing_two(base.excluders[cell.index()]).and(base.cells);
            near[cell.index()].remove(cell);
        }
        let mut cells = base.cells;
        while let Some(cell) = cells.pop() {
            let near_cell = near[cell.index()];
            // One of the other two has changed, or all three see an excluder that has. Any two are tried with a cell that has
            // changed itself.
            let is_fresh = changed.contains(cell);
            let (mut with_changed, mut seeing) = (CellSet::NONE, near_cell);
            if !is_fresh {
                let excluders = base.excluders[cell.index()];
                with_changed = near_cell.and(changed);
                seeing = near_cell.and(seeing_any(excluders.and(changed)));
            }
            if with_changed.or(seeing).is_empty() {
                continue;
            }
            let mut beside = [Beside::default(); 9];
            let mut seconds = CellSet::NONE;
            each_digit(self.digits(cell), |digit| {
                beside[digit] = self.beside(cell, digit, near_cell);
                seconds = seconds.or(beside[digit].alone).or(beside[digit].together);
            });
            let mut search = Thirds {
                striking: &mut striking,
                cell,
                beside: &beside,
                at_most: &at_most,
            };
            while let Some(second) = with_changed.pop() {
                let thirds = near_cell.and(near[second.index()]);
                self.try_thirds(&mut search, second, thirds, true);
            }
            seconds = seconds.and(seeing);
            while let Some(second) = seconds.pop() {
                let mut thirds = seeing.and(near[second.index()]);
                if !is_fresh {
                    let common = base.common(cell, second);
                    thirds = thirds.and(seeing_any(common.and(changed)));
                }
                self.try_thirds(&mut search, second, thirds, false);
            }
        }
        striking
    }

    /// Tries some third cells with a first and a second one: all that may strike something together, or only those with which
    /// the second one comes first.
    #[inline(always)]
    fn try_thirds(&self, search: &mut Thirds<'_>, second: Cell, near: CellSet, all: bool) {
        if near.is_empty() {
            return;
        }
        let cell = search.cell;
        let common = self.base.common(cell, second);
        let mut joins = None;
        let see = u16::from(CellSet::peers(cell).contains(second));
        each_digit(self.digits(cell), |digit| {
            let reach = || self.reach(cell, digit, second, common);
            let thirds = near.and(search.beside[digit].thirds(second, all, reach));
            if thirds.is_empty() {
                return;
            }
            let joins = joins.get_or_insert_with(|| Joins::of(self.view, common));
            let others = self.digits(second) & !(see << digit);
            let fit = joins.fit(digit, others);
            let mut thirds = thirds.and(search.at_most[fit.count_ones() as usize]);
            if thirds.is_empty() {
                return;
            }
            each_digit(0x1FF & !fit, |other| {
                thirds = thirds.and_not(self.view.cells_with_index(other));
            });
            while let Some(third) = thirds.pop() {
                let common = common.and(self.base.excluders[third.index()]);
                let three = [cell, second, third];
                if common.has_two() && self.excludes(three, digit, common) {
                    let mut cells = three;
                    cells.sort_unstable();
                    if !search.striking.contains(&cells) {
                        search.striking.push(cells);
                    }
                }
            }
        });
    }

    /// The second and third cells that are tried for a digit of a first one.
    #[inline(always)]
    fn beside(&self, cell: Cell, digit: usize, near: CellSet) -> Beside {
        let (view, base) = (self.view, self.base);
        if view.known().solution.is_none() {
            let (alone, together) = (near, CellSet::NONE);
            return Beside { alone, together };
        }
        let mut beside = Beside::default();
        if view.is_right(cell, digit) {
            return beside;
        }
        beside.alone = near.and(base.beside(view, cell, digit));
        let threes = view.cells_of_size(3).and(view.cells_with_index(digit));
        let mut excluders = base.excluders[cell.index()].and(threes);
        while let Some(excluder) = excluders.pop() {
            let seen = near.and(CellSet::peers(excluder));
            each_digit(self.digits(excluder) & !(1 << digit), |other| {
                beside.together = beside.together.or(seen.and(base.right[other]));
            });
        }
        beside
    }

    /// The cells that see why the right digit of a second cell cannot stand with a digit of the first.
    #[inline(always)]
    fn reach(&self, cell: Cell, digit: usize, second: Cell, common: CellSet) -> CellSet {
        let Some(right) = self.view.right(second) else {
            return CellSet::ALL;
        };
        if right == digit && CellSet::peers(cell).contains(second) {
            return CellSet::ALL;
        }
        let mut excluders = common
            .and(self.view.cells_of_size(2))
            .and(self.view.cells_with_index(digit))
            .and(self.view.cells_with_index(right));
        let mut reach = CellSet::NONE;
        while let Some(excluder) = excluders.pop() {
            reach = reach.or(CellSet::peers(excluder));
        }
        reach
    }

    /// Whether the common excluders of three cells exclude a digit of the first.
    #[inline(always)]
    fn excludes(&self, [cell, second, third]: [Cell; 3], digit: usize, common: CellSet) -> bool {
        let with_digit = self.view.cells_with_index(digit);
        let twos = common.and(self.view.cells_of_size(2));
        let out = partners_of(self.view, common, digit);
        let left = |other| {
            let same = u16::from(CellSet::peers(cell).contains(other)) << digit;
            self.digits(other) & !(out | same)
        };
        let (mut ys, zs) = (left(second), left(third));
        let see = CellSet::peers(second).contains(third);
        let threes = common.and(self.view.cells_of_size(3));
        let joining = twos.and_not(with_digit).or(threes.and(with_digit));
        // Each joins two digits, one way and the other.
        let mut same = 0;
        if see {
            same = ys & zs;
        }
        let pairs = ys.count_ones() * zs.count_ones() - same.count_ones();
        if pairs > 2 * joining.len() {
            return false;
        }
        while ys != 0 {
            let y = ys & ys.wrapping_neg();
            ys ^= y;
            let mut open = zs & !(same & y);
            let mut joining = joining;
            while let Some(excluder) = joining.pop() {
                let digits = self.digits(excluder) & !(1 << digit);
                if digits & y != 0 {
                    open &= !(digits ^ y);
                }
            }
            if open != 0 {
                return false;
            }
        }
        true
    }
}

/// The cells whose right digit cannot stand with a digit of a first cell.
#[derive(Clone, Copy, Default)]
struct Beside {
    /// One of these is enough.
    alone: CellSet,
    /// It takes two of these.
    together: CellSet,
}

impl Beside {
    /// The third cells for a second one. `reach` has those that see why the second one is beside the
    /// first. A third one does not have to if it is beside the first itself.
    #[inline(always)]
    fn thirds(&self, second: Cell, all: bool, reach: impl FnOnce() -> CellSet) -> CellSet {
        // Each two once, unless all are wanted.
        let before = match all {
            true => CellSet::NONE,
            false => CellSet::up_to(second),
        };
        if self.alone.contains(second) {
            let others = reach().or(self.alone).or(self.together);
            others.and_not(self.alone.and(before))
        } else if self.together.contains(second) {
            let alone = if all { self.alone } else { CellSet::NONE };
            self.together.and_not(before).or(alone)
        } else if all {
            self.alone
        } else {
            CellSet::NONE
        }
    }
}

/// The search for the third cells of a first one.
struct Thirds<'a> {
    /// The triplets that strike something.
    striking: &'a mut Vec<[Cell; 3]>,
    cell: Cell,
    /// The cells that are tried for each of its digits.
    beside: &'a [Beside; 9],
    /// The cells with up to this number of candidates.
    at_most: &'a [CellSet; 10],
}

/// Shows the digits of a set, by index.
#[inline(always)]
fn each_digit(mut digits: u16, mut see: impl FnMut(usize)) {
    while digits != 0 {
        see(digits.trailing_zeros() as usize);
        digits &= digits - 1;
    }
}

/// Which digits excluders join.
struct Joins {
    /// See [`partners`].
    partners: [u16; 9],
    /// The digits of the excluders with three candidates: those of 20 peers at most.
    threes: [u16; 20],
    count: usize,
}

impl Joins {
    #[inline(always)]
    fn of(view: &View<'_>, excluders: CellSet) -> Self {
        let mut joins = Self {
            partners: partners(view, excluders),
            threes: [0; 20],
            count: 0,
        };
        let mut threes = excluders.and(view.cells_of_size(3));
        while let Some(cell) = threes.pop() {
            joins.threes[joins.count] = view.position().candidates(cell).bits();
            joins.count += 1;
        }
        joins
    }

    /// If a cell has this digit and a second one has one of others: the digits of which a third cell
    /// has no other, if the digit is struck. It sees what it does not share.
    #[inline(always)]
    fn fit(&self, digit: usize, others: u16) -> u16 {
        let mut fit = 0x1FF;
        each_digit(others & !self.partners[digit], |y| {
            let mut joined = self.partners[y] | 1 << y;
            for &three in &self.threes[..self.count] {
                if three >> digit & three >> y & 1 != 0 {
                    joined |= three;
                }
            }
            fit &= joined;
        });
        fit | self.partners[digit] | 1 << digit
    }

    /// The candidates of the three cells that stand in no triplet that is left.
    fn triplet_strikes(&self, view: &View<'_>, cells: [Cell; 3]) -> Vec<Candidate> {
        let candidates = cells.map(|cell| view.position().candidates(cell));
        let see = |i: usize, j: usize| CellSet::peers(cells[i]).contains(cells[j]);
        let mut strikes = Vec::new();
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let [see_ij, see_ik, see_jk] = [see(i, j), see(i, k), see(j, k)];
            for x in candidates[i].iter() {
                // Is there a digit for each of the others?
                let not_with_x = self.partners[x.index()];
                let bit_x = 1 << x.index();
                let for_j = candidates[j].bits() & !not_with_x & !(u16::from(see_ij) * bit_x);
                let for_k = candidates[k].bits() & !not_with_x & !(u16::from(see_ik) * bit_x);
                let fits = Digits::from_bits(for_j).iter().any(|y| {
                    let bit_y = 1 << y.index();
                    let same = u16::from(see_jk) * bit_y;
                    let left = for_k & !self.partners[y.index()] & !same;
                    left & !self.thirds(bit_x | bit_y) != 0
                });
                if !fits {
                    strikes.push(Candidate {
                        cell: cells[i],
                        digit: x,
                    });
                }
            }
        }
        strikes
    }

    /// The digits that complete an excluded triplet with these two digits.
    fn thirds(&self, two: u16) -> u16 {
        let triplets = self.threes[..self.count].iter();
        let complete = triplets.filter(|&&triplet| (triplet & !two).is_power_of_two());
        complete.fold(0, |all, triplet| all | triplet & !two)
    }
}
