//! The search for aligned triplets.
//!
//! Nearly all positions have none, and there are thousands of triplets. So the search asks first
//! which of them can strike anything. If x is struck from a cell, the excluders that this cell
//! sees leave no digits y and z for the two others. These excluders are a graph of digits:
//!
//! ```text
//!     excluder xp: no other cell is p         excluder pq:  p and q are joined
//!     excluder xpq: p and q are joined        any digit is joined to itself
//! ```
//!
//! Each y that one cell still has must be joined to each z that the other has. The graph has few
//! lines, so few cells have no more digits than are joined. The triplets that are left are looked
//! at in full, in the order of Sudoku Explainer.

use super::{Base, at_most, partners, seeing_two, step};
use crate::{
    grid::{CELLS, Cell, Digits},
    simd::{self, Isa, Kernel, Level},
    solve::Strike,
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
    let hopeful = Level::detect().with(Hopeful { view, base: &base });
    let hopeful = hopeful.expect("the level was found");
    let mut triplets = Vec::new();
    for cells in hopeful {
        let [a, b, c] = cells;
        let strikes = |cells| {
            let of_all = base.common(a, b).and(base.excluders[c.index()]);
            (of_all, Excluded::of(view, of_all).triplet_strikes(view, cells))
        };
        if strikes(cells).1.is_empty() {
            continue;
        }
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
        let strikes = Excluded::of(view, excluders).triplet_strikes(view, [a, b, c]);
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

    /// When a cell is tried as the third beside two others, or `None` if it is not: after the
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

/// The triplets of cells that may strike something, without order.
struct Hopeful<'a> {
    view: &'a View<'a>,
    base: &'a Base,
}

impl Kernel for Hopeful<'_> {
    type Output = Vec<[Cell; 3]>;
    fn call<I: Isa>(self, isa: I) -> Self::Output {
        simd::run!(isa, || self.triplets())
    }
}

impl Hopeful<'_> {
    #[inline(always)]
    fn digits(&self, cell: Cell) -> u16 {
        self.view.position().candidates(cell).bits()
    }

    #[inline(always)]
    fn triplets(self) -> Vec<[Cell; 3]> {
        let mut hopeful = Vec::new();
        let at_most = at_most(self.view);
        // Cells, the digits that they have left, and those to which each of these is joined.
        let Some(mut fits) = self.base.cells.iter().next().map(|cell| [(cell, 0, 0); CELLS]) else {
            return hopeful;
        };
        let mut cells = self.base.cells;
        while let Some(cell) = cells.pop() {
            let excluders = self.base.excluders[cell.index()];
            let mut near = seeing_two(excluders).and(self.base.cells);
            near.remove(cell);
            if !near.has_two() {
                continue;
            }
            let joins = Joins::of(self.view, excluders);
            let mut digits = self.digits(cell);
            while digits != 0 {
                let digit = digits.trailing_zeros() as usize;
                digits &= digits - 1;
                let (graph, joined) = joins.beside(digit);
                let out = joins.partners[digit] | 1 << digit;
                // No cell has more digits left than one digit is joined to.
                let most = at_most[(joined + out.count_ones()).min(9) as usize];
                let mut seconds = near.and(most);
                let mut count = 0;
                while let Some(second) = seconds.pop() {
                    let left = self.digits(second) & !out;
                    let shared = shared(&graph, left);
                    if shared != 0 {
                        fits[count] = (second, left, shared);
                        count += 1;
                    }
                }
                for n in 0..count {
                    let (second, left, shared) = fits[n];
                    let mut pairs = left == 0;
                    for &(_, left, _) in &fits[n + 1..count] {
                        pairs |= left & !shared == 0;
                    }
                    if pairs {
                        self.with_two(&mut hopeful, [cell, second], digit, near);
                    }
                }
            }
        }
        hopeful
    }

    /// Adds the triplets of two cells that may strike a digit from the first.
    #[inline(always)]
    fn with_two(
        &self,
        hopeful: &mut Vec<[Cell; 3]>,
        [cell, second]: [Cell; 2],
        digit: usize,
        near: CellSet,
    ) {
        // The excluders that both see are fewer.
        let common = self.base.common(cell, second);
        let joins = Joins::of(self.view, common);
        let (graph, _) = joins.beside(digit);
        let out = joins.partners[digit];
        let same = |other| u16::from(CellSet::peers(cell).contains(other)) << digit;
        let joined = shared(&graph, self.digits(second) & !(out | same(second)));
        if joined == 0 {
            return;
        }
        let mut thirds = near.and(seeing_two(common));
        thirds.remove(second);
        while let Some(third) = thirds.pop() {
            if self.digits(third) & !(out | same(third) | joined) == 0 {
                let mut cells = [cell, second, third];
                cells.sort_unstable();
                if !hopeful.contains(&cells) {
                    hopeful.push(cells);
                }
            }
        }
    }
}

/// The digits to which each of some digits is joined. All, if there are none.
#[inline(always)]
fn shared(graph: &[u16; 9], mut digits: u16) -> u16 {
    let mut shared = 0x1FF;
    while digits != 0 {
        shared &= graph[digits.trailing_zeros() as usize];
        digits &= digits - 1;
    }
    shared
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

    /// The graph of digits for two cells if a third one has this digit, and the most digits that
    /// one is joined to.
    #[inline(always)]
    fn beside(&self, digit: usize) -> ([u16; 9], u32) {
        let mut graph = self.partners;
        for &three in &self.threes[..self.count] {
            if three >> digit & 1 != 0 {
                let two = three & !(1 << digit);
                graph[two.trailing_zeros() as usize] |= two;
                graph[15 - two.leading_zeros() as usize] |= two;
            }
        }
        let mut most = 0;
        for n in 0..9 {
            graph[n] |= 1 << n;
            most = most.max(graph[n].count_ones());
        }
        (graph, most)
    }
}

/// What the excluders of three cells exclude.
struct Excluded {
    /// See [`partners`].
    partners: [u16; 9],
    /// The triplets of digits that may not stand in three cells: those of 20 peers at most.
    triplets: [u16; 20],
    count: usize,
}

impl Excluded {
    fn of(view: &View<'_>, excluders: CellSet) -> Self {
        let mut excluded = Self {
            partners: partners(view, excluders),
            triplets: [0; 20],
            count: 0,
        };
        for excluder in excluders.and(view.cells_of_size(3)).iter() {
            excluded.triplets[excluded.count] = view.position().candidates(excluder).bits();
            excluded.count += 1;
        }
        excluded
    }

    /// The candidates of the three cells that stand in no triplet that is left.
    fn triplet_strikes(&self, view: &View<'_>, cells: [Cell; 3]) -> Vec<Strike> {
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
                    strikes.push(Strike {
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
        let triplets = self.triplets[..self.count].iter();
        let complete = triplets.filter(|&&triplet| (triplet & !two).is_power_of_two());
        complete.fold(0, |all, triplet| all | triplet & !two)
    }
}
