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
//!
//! # Direct claiming is never the easiest step
//!
//! In the drawing on the right, # is the only place of the digit in row 2 outside box 1, so
//! row 2 has none in box 3. Row 1 has none there either. So in box 3 the digit has places in
//! row 3 only. If it has several, it is locked there, and direct pointing leaves box 2 the
//! place #, or # is a hidden single of box 2 already. If it has one, or stands there, that is
//! a hidden single, or # is one. So each position with a direct claiming has a step rated 1.7
//! or less, and no puzzle has an ER of 1.9: none of 100,623 rated ones has. The search for one
//! position knows the technique, because a list of all steps shows it. The planes and
//! traces leave it out.

use super::{
    Step, Technique,
    desk::{ALL_HOUSES, CELLS_OF, Desk, Pattern, cells_in, is_single},
    locking::{CLAIMING, Locked, POINTING, Way, each_locked},
    words::list,
};
use std::ops::ControlFlow;

#[inline(always)]
pub(super) fn find_pointing<D: Desk>(desk: &mut D) -> ControlFlow<()> {
    find(desk, POINTING, Technique::DirectPointing)
}

pub(super) fn find_claiming<D: Desk>(desk: &mut D) -> ControlFlow<()> {
    find(desk, CLAIMING, Technique::DirectClaiming)
}

#[inline(always)]
fn find<D: Desk>(desk: &mut D, ways: [Way; 2], technique: Technique) -> ControlFlow<()> {
    each_locked(
        desk,
        ways,
        &mut { ALL_HOUSES },
        #[inline(always)]
        |desk, locked| {
            let Locked {
                digit, home, other, ..
            } = locked;
            for third in locked.thirds {
                let places = desk.places(digit, third);
                let (inside, outside) = (places & locked.inside, places & !locked.inside);
                if third == home || inside == 0 || !is_single(outside) {
                    continue;
                }
                let pattern = Pattern {
                    technique,
                    houses: [home, other, third],
                    cells: cells_in(home, locked.places),
                    digits: 1 << digit,
                };
                let place = outside.trailing_zeros() as usize;
                desk.place(pattern, CELLS_OF[third][place], digit)?;
            }
            ControlFlow::Continue(())
        },
    )
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
