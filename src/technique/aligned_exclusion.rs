//! Aligned pair and aligned triplet exclusion: cells that together would take all candidates
//! of another.
//!
//! Two cells are filled with a pair of digits. A pair is *excluded* if both digits are the
//! same and the cells see each other, or if it takes both candidates of a cell that sees the
//! two, an *excluder*. A candidate whose pairs are all excluded is struck. So with three
//! cells, triplets of digits, and excluders with two or three candidates.
//!
//! ```text
//!     aligned pair exclusion, 6.2
//!
//!     123# .    .  |
//!     .    24   .  |         All of the cells 24, 25 and 26 see # and *. If # is 2, * is
//!     .    25   .  |         not 4 because of 24, not 5 because of 25, and not 6 because
//!     -------------+--       of 26. So # is not 2.
//!     .    .    .  |
//!     .    456* .  |
//!     26   .    .  |
//! ```
//!
//! # Which cells are tried
//!
//! As in Sudoku Explainer 1.2.1, whose source is the definition. A cell that can be one of
//! the two or three has two candidates or more, no peer with just one, and a peer that is an
//! excluder. Two cells need two excluders in common. They need not see each other. Three
//! cells need two excluders in common too. The third one is an excluder of the first or the
//! second itself: so not all triplets are tried.
//!
//! The pair is rated 6.2. The triplet is rated 7.5.

use super::{
    Detail, Step, Technique,
    cells::CellSet,
    position::{Found, View},
    unique_loop::KINDS,
    words::{list, strikes},
};
use crate::{
    grid::{CELLS, Cell, Digit, Digits, House},
    solve::Strike,
};
use std::ops::ControlFlow;

pub(super) fn find_pairs(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    let base = Base::of(view, view.cells_of_size(2));
    let hopeful = hopeful_pairs(view, &base);
    for b in base.cells.iter() {
        for a in hopeful[b.index()].iter() {
            let excluders = base.excluders[a.index()].and(base.excluders[b.index()]);
            let strikes = pair_strikes(view, [a, b], excluders);
            if !strikes.is_empty() {
                found(step(Technique::AlignedPair, vec![a, b], excluders, strikes))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// For each cell, those before it that make a pair with a strike. A digit of one cell is struck
/// if each candidate of the other is the same, and they see each other, or stands with it in an
/// excluder that both see.
fn hopeful_pairs(view: &View<'_>, base: &Base) -> [CellSet; CELLS] {
    // The cells with just two digits, by these.
    let mut with_two = [[CellSet::NONE; 9]; 9];
    let mut twos = Vec::with_capacity(36);
    for cell in view.cells_of_size(2).iter() {
        let mut digits = view.position().candidates(cell).iter().map(Digit::index);
        let [Some(x), Some(y)] = [digits.next(), digits.next()] else {
            continue;
        };
        if with_two[x][y].is_empty() {
            twos.push([x, y]);
        }
        with_two[x][y].insert(cell);
        with_two[y][x].insert(cell);
    }
    let mut hopeful = [CellSet::NONE; CELLS];
    for cell in base.cells.iter() {
        let mut partners = [0; 9];
        let peers = CellSet::peers(cell);
        for &[x, y] in &twos {
            if !with_two[x][y].and(peers).is_empty() {
                partners[x] |= 1 << y;
                partners[y] |= 1 << x;
            }
        }
        let mut near = None;
        for digit in view.position().candidates(cell).iter() {
            let partners = partners[digit.index()];
            if partners == 0 {
                continue;
            }
            let out = Digits::from_bits(0x1FF & !(partners | 1 << digit.index()));
            let with_others = |all: CellSet, digit| all.or(view.cells_with(digit));
            let without = base
                .cells
                .and_not(out.iter().fold(CellSet::NONE, with_others));
            if without.is_empty() {
                continue;
            }
            // They have two excluders in common.
            let near = *near.get_or_insert_with(|| seeing_two(base.excluders[cell.index()]));
            for other in without.and(near).iter().filter(|&other| other != cell) {
                let common = base.excluders[cell.index()].and(base.excluders[other.index()]);
                let mut digits = view.position().candidates(other).iter();
                let excluded = digits.all(|with| match with == digit {
                    true => peers.contains(other),
                    false => !with_two[digit.index()][with.index()].and(common).is_empty(),
                });
                if excluded {
                    hopeful[cell.max(other).index()].insert(cell.min(other));
                }
            }
        }
    }
    hopeful
}

pub(super) fn find_triplets(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    let excluders = view.cells_of_size(2).or(view.cells_of_size(3));
    let base = Base::of(view, excluders);
    base.each_pair(|[a, b]| {
        let [of_a, of_b] = [a, b].map(|cell| base.excluders[cell.index()]);
        // The third cell sees one excluder that the others see, and another.
        let common = of_a.and(of_b);
        if !common.has_two() {
            return ControlFlow::Continue(());
        }
        let thirds = of_a.or(of_b).and(base.cells).and(seeing_two(common));
        if thirds.is_empty() {
            return ControlFlow::Continue(());
        }
        let hopes = Hopes::of(view, [a, b], common);
        let mut hopeful = CellSet::NONE;
        for c in thirds.iter() {
            if c != a && c != b && hopes.may_strike(view.position().candidates(c).bits()) {
                hopeful.insert(c);
            }
        }
        let thirds = hopeful;
        let mut try_third = |c: Cell| {
            let excluders = common.and(base.excluders[c.index()]);
            let strikes = Excluded::of(view, excluders).triplet_strikes(view, [a, b, c]);
            if strikes.is_empty() {
                return ControlFlow::Continue(());
            }
            let technique = Technique::AlignedTriplet;
            found(step(technique, vec![a, b, c], excluders, strikes))
        };
        for (cell, of_cell) in [(a, thirds.and(of_a)), (b, thirds.and_not(of_a))] {
            in_peer_order(cell, of_cell).try_for_each(&mut try_third)?;
        }
        ControlFlow::Continue(())
    })
}

/// The cells that see two cells of a set.
fn seeing_two(cells: CellSet) -> CellSet {
    let (mut once, mut twice) = (CellSet::NONE, CellSet::NONE);
    for cell in cells.iter() {
        let peers = CellSet::peers(cell);
        twice = twice.or(once.and(peers));
        once = once.or(peers);
    }
    twice
}

/// Which third cells may make a triplet with a strike out of a pair of cells.
///
/// The excluders of a triplet are among those of the pair. So the digits of a third cell that
/// these exclude beside two digits of the pair are all that a triplet can exclude. A strike
/// needs a digit with which all is excluded.
struct Hopes {
    /// For each digit of the first cell, and of the second: what is excluded beside all digits
    /// of the other. The rest stays 0.
    beside: [[u16; 9]; 2],
    /// What is excluded beside all pairs of digits.
    always: u16,
}

impl Hopes {
    fn of(view: &View<'_>, [a, b]: [Cell; 2], common: CellSet) -> Self {
        let excluded = Excluded::of(view, common);
        let [of_a, of_b] = [a, b].map(|cell| view.position().candidates(cell));
        let see = CellSet::peers(a).contains(b);
        let mut hopes = Self {
            beside: [[0; 9]; 2],
            always: 0x1FF,
        };
        for (beside, digits) in hopes.beside.iter_mut().zip([of_a, of_b]) {
            for digit in digits.iter() {
                beside[digit.index()] = 0x1FF;
            }
        }
        for x in of_a.iter() {
            let not_with_x = excluded.partners[x.index()] | u16::from(see) << x.index();
            for y in Digits::from_bits(of_b.bits() & !not_with_x).iter() {
                let two = 1 << x.index() | 1 << y.index();
                let partners = excluded.partners[x.index()] | excluded.partners[y.index()];
                let out = two | partners | excluded.thirds(two);
                hopes.beside[0][x.index()] &= out;
                hopes.beside[1][y.index()] &= out;
                hopes.always &= out;
            }
        }
        hopes
    }

    fn may_strike(&self, digits: u16) -> bool {
        let mut beside = self.beside.iter().flatten();
        digits & self.always != 0 || beside.any(|beside| digits & !beside == 0)
    }
}

/// The peers of a cell that are in a set: its box, its row, its column.
fn in_peer_order(cell: Cell, set: CellSet) -> impl Iterator<Item = Cell> {
    let mut left = set;
    let houses = KINDS
        .into_iter()
        .map(move |kind| House::containing(cell, kind));
    houses.flat_map(House::cells).filter(move |&peer| {
        let has = left.contains(peer);
        left.remove(peer);
        has
    })
}

/// The cells that can be one of the two or three, and the excluders that each sees.
struct Base {
    cells: CellSet,
    excluders: [CellSet; CELLS],
}

impl Base {
    fn of(view: &View<'_>, excluders: CellSet) -> Self {
        let singles = view.cells_of_size(1);
        let mut base = Self {
            cells: CellSet::NONE,
            excluders: [CellSet::NONE; CELLS],
        };
        for cell in view.open_cells().iter() {
            let peers = CellSet::peers(cell);
            let seen = peers.and(excluders);
            if !seen.is_empty() && peers.and(singles).is_empty() {
                base.cells.insert(cell);
                base.excluders[cell.index()] = seen;
            }
        }
        base
    }

    /// Shows all pairs of the cells: each second cell with all that come before it.
    fn each_pair(&self, mut see: impl FnMut([Cell; 2]) -> ControlFlow<()>) -> ControlFlow<()> {
        for b in self.cells.iter() {
            for a in self.cells.iter().take_while(|&a| a < b) {
                see([a, b])?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// For each digit, those that it may not stand with in any two cells because of excluders
/// with two candidates.
fn partners(view: &View<'_>, excluders: CellSet) -> [u16; 9] {
    let mut partners = [0; 9];
    for excluder in excluders.iter() {
        let digits = view.position().candidates(excluder);
        for digit in digits.iter() {
            partners[digit.index()] |= digits.bits() & !(1 << digit.index());
        }
    }
    partners
}

/// The candidates of either cell that stand in no pair that is left.
fn pair_strikes(view: &View<'_>, [a, b]: [Cell; 2], excluders: CellSet) -> Vec<Strike> {
    let partners = partners(view, excluders);
    let see = CellSet::peers(a).contains(b);
    let mut strikes = Vec::new();
    for [cell, other] in [[a, b], [b, a]] {
        let others = view.position().candidates(other).bits();
        for digit in view.position().candidates(cell).iter() {
            let same = u16::from(see) << digit.index();
            if others & !partners[digit.index()] & !same == 0 {
                strikes.push(Strike { cell, digit });
            }
        }
    }
    strikes
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
            partners: partners(view, excluders.and(view.cells_of_size(2))),
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

fn step(technique: Technique, cells: Vec<Cell>, excluders: CellSet, strikes: Vec<Strike>) -> Step {
    let digits = strikes.iter().map(|strike| strike.digit).collect();
    Step {
        technique,
        houses: Vec::new(),
        cells,
        digits,
        place: None,
        strikes,
        detail: Some(Box::new(Detail::Exclusion {
            excluders: excluders.iter().collect(),
        })),
    }
}

pub(super) fn words(step: &Step, excluders: &[Cell]) -> String {
    let cells = list(&step.cells);
    let number = match step.technique {
        Technique::AlignedPair => "two",
        _ => "three",
    };
    let same = step.cells.iter().any(|&cell| {
        let mut others = step.cells.iter();
        others.any(|&other| CellSet::peers(cell).contains(other))
    });
    let same = match same {
        true => ", and cells that see each other cannot be the same digit",
        false => "",
    };
    format!(
        "{cells} together cannot take all candidates of a cell that sees all {number}: {}{same}. \
         That leaves no digits for the others if one of them is what is struck. {}",
        list(excluders),
        strikes(step)
    )
}
