//! Pointing and claiming: a digit that is locked where a box and a line meet.
//!
//! If all places of a digit in a house lie in a second house too, the digit stands in their
//! intersection. So the rest of the second house loses it.
//!
//! ```text
//!     pointing, 2.6                        claiming, 2.8
//!
//!     x  .  x | .  -  - | .  -  .          x  .  x | .  .  . | .  .  .
//!     .  .  . | .  .  . | .  .  .          -  -  . | .  .  . | .  .  .
//!     .  .  . | .  .  . | .  .  .          .  .  - | .  .  . | .  .  .
//!
//!     In box 1 the digit has places x      In row 1 the digit has places x
//!     in row 1 only: the rest of the       in box 1 only: the rest of the
//!     row loses it.                        box loses it.
//! ```

use super::{
    Step, Technique,
    planes::{Planes, strike, triads},
    position::{Found, View, cells_of},
    words::{list, strikes},
};
use crate::{
    grid::{Digit, Digits, House, HouseKind},
    simd::{Isa, Vector},
    solve::Strike,
};
use std::ops::ControlFlow;

/// A digit whose places in one house all lie in a second house, of which one is a box and
/// the other a line.
pub(super) struct Locked {
    pub(super) digit: Digit,
    pub(super) home: House,
    pub(super) other: House,
}

/// The two ways to lock a digit: the kinds of house that it is locked in, in the order in
/// which they are tried, from one to the other.
pub(super) const POINTING: [[HouseKind; 2]; 2] = [
    [HouseKind::Box, HouseKind::Column],
    [HouseKind::Box, HouseKind::Row],
];
pub(super) const CLAIMING: [[HouseKind; 2]; 2] = [
    [HouseKind::Column, HouseKind::Box],
    [HouseKind::Row, HouseKind::Box],
];

/// Shows each digit that has two or more places in a house, all of which lie in a second
/// house.
pub(super) fn each_locked(
    view: &View<'_>,
    kinds: [[HouseKind; 2]; 2],
    mut see: impl FnMut(Locked) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for [home, other] in kinds {
        for home in House::all_of(home) {
            for digit in Digit::all() {
                let cells = cells_of(home, view.places(home, digit));
                if cells.len() < 2 {
                    continue;
                }
                let other = House::containing(cells[0], other);
                if cells.iter().all(|&cell| other.contains(cell)) {
                    see(Locked { digit, home, other })?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

pub(super) fn find_pointing(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    find(view, found, POINTING, Technique::Pointing)
}

pub(super) fn find_claiming(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    find(view, found, CLAIMING, Technique::Claiming)
}

fn find(
    view: &View<'_>,
    found: &mut Found<'_>,
    kinds: [[HouseKind; 2]; 2],
    technique: Technique,
) -> ControlFlow<()> {
    each_locked(view, kinds, |locked| {
        let Locked { digit, home, other } = locked;
        let mut strikes = Vec::new();
        for cell in cells_of(other, view.places(other, digit)) {
            if !home.contains(cell) {
                strikes.push(Strike { cell, digit });
            }
        }
        if strikes.is_empty() {
            return ControlFlow::Continue(());
        }
        found(Step {
            technique,
            houses: vec![home, other],
            cells: cells_of(home, view.places(home, digit)),
            digits: Digits::from_digit(digit),
            place: None,
            strikes,
            detail: None,
        })
    })
}

pub(super) fn words(step: &Step) -> String {
    let (digits, cells) = (step.digits, list(&step.cells));
    let [home, other] = step.houses[..] else {
        unreachable!("a digit is locked in two houses");
    };
    let strikes = strikes(step);
    format!("In {home}, {digits} fits only in {cells}, which lie in {other}. {strikes}")
}

/// The lanes that use each form of a locked digit. Direct claiming is left out, because it
/// never leads on, see [`direct_locking`](super::direct_locking).
pub(super) struct Lanes<V> {
    pub(super) direct_pointing: V,
    pub(super) pointing: V,
    pub(super) claiming: V,
}

/// The triads of a digit that have one place or more, and two or more.
struct Triads<V> {
    one: [V; 27],
    two: [V; 27],
    /// 1 for minirows, 9 for minicolumns.
    stride: usize,
}

/// A band or stack.
#[derive(Clone, Copy)]
struct Block(usize);

impl<V: Vector> Triads<V> {
    /// Entry (i, j) of the matrix of a block: its row i and box j, or column i and box j.
    #[inline(always)]
    fn entry(&self, Block(block): Block, [i, j]: [usize; 2]) -> usize {
        match self.stride {
            1 => 9 * block + 3 * i + j,
            _ => 9 * j + 3 * block + i,
        }
    }

    /// The first cell of an entry.
    #[inline(always)]
    fn first_cell(&self, Block(block): Block, [i, j]: [usize; 2]) -> usize {
        match self.stride {
            1 => 27 * block + 9 * i + 3 * j,
            _ => 27 * j + 3 * block + i,
        }
    }

    /// The lanes where one entry is open and two others are not.
    #[inline(always)]
    fn alone(&self, block: Block, entry: [usize; 2], others: [[usize; 2]; 2]) -> V {
        let [a, b, c] = [entry, others[0], others[1]];
        let others = self.one[self.entry(block, b)].or(self.one[self.entry(block, c)]);
        self.one[self.entry(block, a)].and_not(others)
    }

    /// The lanes where two entries have one place together.
    #[inline(always)]
    fn one_left(&self, block: Block, [a, b]: [[usize; 2]; 2]) -> V {
        let (a, b) = (self.entry(block, a), self.entry(block, b));
        self.one[a]
            .xor(self.one[b])
            .and_not(self.two[a].or(self.two[b]))
    }

    /// The lanes where an entry is struck.
    #[inline(always)]
    fn struck(&self, block: Block, [i, j]: [usize; 2], lanes: &Lanes<V>) -> V {
        let (i1, i2, j1, j2) = ((i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3);
        // Pointing: another entry of the row is the only one of its box.
        let left = self.one_left(block, [[i1, j], [i2, j]]);
        let here = self.alone(block, [i, j1], [[i1, j1], [i2, j1]]);
        let there = self.alone(block, [i, j2], [[i1, j2], [i2, j2]]);
        let pointing = lanes.pointing.or_and(lanes.direct_pointing, left);
        let pointed = pointing.and(here.or(there));
        // Claiming: another entry of the box is the only one of its row.
        let here = self.alone(block, [i1, j], [[i1, j1], [i1, j2]]);
        let there = self.alone(block, [i2, j], [[i2, j1], [i2, j2]]);
        pointed.or_and(lanes.claiming, here.or(there))
    }
}

/// Pointing and claiming in all lanes at once; returns those where a candidate was struck.
///
/// The nine minirows of a band are a matrix, rows by boxes. If an entry is the only one of
/// its box that is open to the digit, the other entries of its row are struck; if it is the
/// only one of its row, the other entries of its box.
///
/// ```text
///     x .  -  -  -        x: the only open minirow of its box, so the minirows - lose
///     .    a1 .           the digit. A direct step does that only where one place is left
///     .    .  .           in the box of a minirow -, say a1: it becomes a hidden single.
/// ```
///
/// So with minicolumns and stacks.
#[inline(always)]
pub(super) fn strike_planes<I: Isa>(
    isa: I,
    planes: &mut Planes<I::V>,
    lanes: &Lanes<I::V>,
) -> I::V {
    let mut changed = isa.zeros();
    for open in &mut planes.open {
        for stride in [1, 9] {
            let (one, two) = triads(open, stride);
            let triads = Triads { one, two, stride };
            for block in [Block(0), Block(1), Block(2)] {
                for n in 0..9 {
                    let entry = [n / 3, n % 3];
                    let struck = triads.struck(block, entry, lanes);
                    let first = triads.first_cell(block, entry);
                    for cell in [first, first + stride, first + 2 * stride] {
                        strike(&mut open[cell], struck, &mut changed);
                    }
                }
            }
        }
    }
    changed
}
