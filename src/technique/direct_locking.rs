//! Direct pointing and direct claiming: a locked digit that leaves one place elsewhere.
//!
//! A digit is [locked](super::locking) where a house and a second house meet. A third house
//! of the kind of the first crosses the second too, and has two or more places for the
//! digit. If just one of them lies outside the second house, the digit goes there. The
//! person sees this at once, so no candidate is struck.
//!
//! ```text
//!     direct pointing, 1.7                 direct claiming, 1.9
//!
//!     x  .  x | .  -  - | .  .  .          x  .  x | .  .  . | .  .  .
//!     .  .  . | #  .  . | .  .  .          -  .  - | .  .  # | .  .  .
//!     .  .  . | .  .  . | .  .  .          .  .  . | .  .  . | .  .  .
//!
//!     In box 1 the digit has places x      In row 1 the digit has places x
//!     in row 1 only. So of its places      in box 1 only. So of its places
//!     - and # in box 2, # is left.         - and # in row 2, # is left.
//! ```

use super::{
    Placement, Step, Technique,
    locking::{CLAIMING, Locked, POINTING, each_locked},
    position::{Found, View, cells_of},
    words::list,
};
use crate::grid::{Digits, House, HouseKind};
use std::ops::ControlFlow;

pub(super) fn find_pointing(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    find(view, found, POINTING, Technique::DirectPointing)
}

pub(super) fn find_claiming(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    find(view, found, CLAIMING, Technique::DirectClaiming)
}

fn find(
    view: &View<'_>,
    found: &mut Found<'_>,
    kinds: [[HouseKind; 2]; 2],
    technique: Technique,
) -> ControlFlow<()> {
    each_locked(view, kinds, |locked| {
        let Locked { digit, home, other } = locked;
        for third in House::all_of(home.kind()) {
            let places = cells_of(third, view.places(third, digit));
            let (inside, outside): (Vec<_>, Vec<_>) =
                places.into_iter().partition(|&cell| other.contains(cell));
            // A house that does not cross the second has all its places outside.
            let ([_, ..], [cell]) = (&inside[..], &outside[..]) else {
                continue;
            };
            if third == home {
                continue;
            }
            found(Step {
                technique,
                houses: vec![home, other, third],
                cells: cells_of(home, view.places(home, digit)),
                digits: Digits::of(digit),
                place: Some(Placement { cell: *cell, digit }),
                strikes: Vec::new(),
            })?;
        }
        ControlFlow::Continue(())
    })
}

pub(super) fn words(step: &Step) -> String {
    let (digits, cells) = (step.digits, list(&step.cells));
    let ([home, other, third], Some(place)) = (&step.houses[..], step.place) else {
        unreachable!("a direct step has three houses and places a digit");
    };
    format!(
        "In {home}, {digits} fits only in {cells}, which lie in {other}. \
         So in {third}, {digits} fits only in {}.",
        place.cell
    )
}
