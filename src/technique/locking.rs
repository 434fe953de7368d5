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
    position::{Found, View, cells_of},
    words::{list, strikes},
};
use crate::{
    grid::{Digit, Digits, House, HouseKind},
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
                let other = House::of(cells[0], other);
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
            digits: Digits::of(digit),
            place: None,
            strikes,
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
