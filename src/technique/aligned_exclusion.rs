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
//! A search that found nothing need not be repeated for cells that have not changed since, nor an
//! excluder that all of them see.
//!
//! The pair is rated 6.2. The triplet is rated 7.5.

use super::{
    Detail, Step, Technique,
    cells::CellSet,
    position::{Found, View},
    words::{list, strikes},
};
use crate::{
    grid::{CELLS, Candidate, Cell},
    simd,
};
use std::ops::ControlFlow;

mod triplets;

pub(super) use triplets::find_triplets;

pub(super) fn find_pairs(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    let base = Base::of(view, view.cells_of_size(2));
    let hopeful = simd::with_words!(|| hopeful_pairs(view, &base));
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
#[inline(always)]
fn hopeful_pairs(view: &View<'_>, base: &Base) -> [CellSet; CELLS] {
    let at_most = at_most(view);
    let [changed, _] = view.known().changed;
    let mut hopeful = [CellSet::NONE; CELLS];
    let mut cells = base.cells;
    while let Some(cell) = cells.pop() {
        let excluders = base.excluders[cell.index()];
        let mut tried = base.cells;
        tried.remove(cell);
        let mut near = None;
        if !changed.contains(cell) {
            tried = tried.and(changed.or(seeing_any(excluders.and(changed))));
            if tried.is_empty() {
                continue;
            }
            tried = tried.and(*near.insert(seeing_two(excluders)));
        }
        if tried.is_empty() {
            continue;
        }
        let partners = partners(view, excluders);
        let mut digits = view.position().candidates(cell).bits();
        while digits != 0 {
            let digit = digits.trailing_zeros() as usize;
            digits &= digits - 1;
            let out = partners[digit] | 1 << digit;
            if partners[digit] == 0 || view.is_right(cell, digit) {
                continue;
            }
            // The cells without other digits.
            let mut few = at_most[out.count_ones() as usize].and(tried);
            if partners[digit].is_power_of_two() {
                let partner = partners[digit].trailing_zeros() as usize;
                few = few.and(view.cells_with_index(digit));
                few = few.and(view.cells_with_index(partner));
            } else {
                for other in 0..9 {
                    if out >> other & 1 == 0 {
                        few = few.and_not(view.cells_with_index(other));
                    }
                }
            }
            if few.is_empty() {
                continue;
            }
            few = few.and(base.beside(view, cell, digit));
            // They have two excluders in common.
            let near = *near.get_or_insert_with(|| seeing_two(excluders));
            let mut others = few.and(near);
            while let Some(other) = others.pop() {
                let with = view.position().candidates(other).bits();
                let common = excluders.and(base.excluders[other.index()]);
                let same = u16::from(CellSet::peers(cell).contains(other)) << digit;
                if with & !(partners_of(view, common, digit) | same) == 0 {
                    hopeful[cell.max(other).index()].insert(cell.min(other));
                }
            }
        }
    }
    hopeful
}

/// The cells with up to this number of candidates.
#[inline(always)]
fn at_most(view: &View<'_>) -> [CellSet; 10] {
    let mut sets = [view.cells_of_size(0); 10];
    for size in 1..10 {
        sets[size] = sets[size - 1].or(view.cells_of_size(size));
    }
    sets
}

/// The cells that see a cell of a set.
#[inline(always)]
fn seeing_any(mut cells: CellSet) -> CellSet {
    let mut seeing = CellSet::NONE;
    while let Some(cell) = cells.pop() {
        seeing = seeing.or(CellSet::peers(cell));
    }
    seeing
}

/// The cells that see two cells of a set.
#[inline(always)]
fn seeing_two(mut cells: CellSet) -> CellSet {
    let (mut once, mut twice) = (CellSet::NONE, CellSet::NONE);
    while let Some(cell) = cells.pop() {
        let peers = CellSet::peers(cell);
        twice = twice.or(once.and(peers));
        once = once.or(peers);
    }
    twice
}

/// The cells that can be one of the two or three, and the excluders that each sees.
struct Base {
    cells: CellSet,
    excluders: [CellSet; CELLS],
    /// The open cells that have each digit in the solution if that is known, and otherwise all.
    right: [CellSet; 9],
}

impl Base {
    fn of(view: &View<'_>, excluders: CellSet) -> Self {
        let singles = view.cells_of_size(1);
        let mut base = Self {
            cells: CellSet::NONE,
            excluders: [CellSet::NONE; CELLS],
            right: [view.open_cells(); 9],
        };
        if let Some(solution) = view.known().solution {
            base.right = [CellSet::NONE; 9];
            for cell in view.open_cells().iter() {
                base.right[usize::from(solution[cell.index()] - b'1')].insert(cell);
            }
        }
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

    /// The cells whose right digit cannot stand with a digit of another cell: it is the same, and they
    /// see each other, or an excluder with two candidates that both see has these two. A pair that
    /// strikes the digit has such a cell. Where the solution is not known, any candidate counts as
    /// right.
    #[inline(always)]
    fn beside(&self, view: &View<'_>, cell: Cell, digit: usize) -> CellSet {
        let mut beside = CellSet::peers(cell).and(self.right[digit]);
        let twos = view.cells_of_size(2).and(view.cells_with_index(digit));
        let mut excluders = self.excluders[cell.index()].and(twos);
        while let Some(excluder) = excluders.pop() {
            let other = view.position().candidates(excluder).bits() & !(1 << digit);
            let right = self.right[other.trailing_zeros() as usize];
            beside = beside.or(CellSet::peers(excluder).and(right));
        }
        beside
    }
}

/// For each digit, those that it may not stand with in any two cells because of excluders
/// with two candidates.
#[inline(always)]
fn partners(view: &View<'_>, mut excluders: CellSet) -> [u16; 9] {
    let mut partners = [0; 9];
    excluders = excluders.and(view.cells_of_size(2));
    while let Some(excluder) = excluders.pop() {
        let digits = view.position().candidates(excluder).bits();
        // One of the two digits takes the other as its partner.
        let (low, high) = (digits & digits.wrapping_neg(), digits & (digits - 1));
        partners[low.trailing_zeros() as usize] |= high;
        partners[high.trailing_zeros() as usize] |= low;
    }
    partners
}

/// The same for one digit.
#[inline(always)]
fn partners_of(view: &View<'_>, excluders: CellSet, digit: usize) -> u16 {
    let mut partners = 0;
    let with_digit = excluders.and(view.cells_with_index(digit));
    let mut excluders = with_digit.and(view.cells_of_size(2));
    while let Some(excluder) = excluders.pop() {
        partners |= view.position().candidates(excluder).bits() & !(1 << digit);
    }
    partners
}

/// The candidates of either cell that stand in no pair that is left.
fn pair_strikes(view: &View<'_>, [a, b]: [Cell; 2], excluders: CellSet) -> Vec<Candidate> {
    let partners = partners(view, excluders);
    let see = CellSet::peers(a).contains(b);
    let mut strikes = Vec::new();
    for [cell, other] in [[a, b], [b, a]] {
        let others = view.position().candidates(other).bits();
        for digit in view.position().candidates(cell).iter() {
            let same = u16::from(see) << digit.index();
            if others & !partners[digit.index()] & !same == 0 {
                strikes.push(Candidate { cell, digit });
            }
        }
    }
    strikes
}

fn step(
    technique: Technique,
    cells: Vec<Cell>,
    excluders: CellSet,
    strikes: Vec<Candidate>,
) -> Step {
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
    let same = if same {
        ", and cells that see each other cannot be the same digit"
    } else {
        ""
    };
    format!(
        "{cells} together cannot take all candidates of a cell that sees all {number}: {}{same}. \
         That leaves no digits for the others if one of them is what is struck. {}",
        list(excluders),
        strikes(step)
    )
}
