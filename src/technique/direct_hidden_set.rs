//! Direct hidden pair and direct hidden triplet: a hidden set that leaves another digit one
//! place.
//!
//! Two digits that have the same two places in a house take those cells
//! ([hidden pair](super::hidden_set)). If that leaves a third digit just one place in the
//! house, it goes there. So with three digits. The person sees this at once, so no
//! candidate is struck.
//!
//! ```text
//!     direct hidden pair of 2 and 7, 2.0
//!
//!     257   358   2457   18   138          2 and 7 take the first and the third cell. So 5,
//!     = =    #    =  =                     which had places there, has only the second left.
//! ```
//!
//! Each digit of the set has two places or more, and so has the digit that is placed. The
//! house has more empty cells than the set. 2.0 for a pair, 2.5 for a triplet.

use super::{
    Placement, Step, Technique,
    hidden_set::houses,
    position::{Found, View, cells_of, only_cell},
    subsets::subsets,
    words::list,
};
use crate::grid::{Digit, Digits};
use std::ops::ControlFlow;

pub(super) fn find<const N: u32>(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    for house in houses() {
        if view.empty_count(house) <= N {
            continue;
        }
        for (digits, taken) in subsets::<N>(view.all_places(house)) {
            for digit in Digit::all() {
                let places = view.places(house, digit);
                let Some(cell) = only_cell(house, places & !taken) else {
                    continue;
                };
                // The digit needs another place, among the cells that the set takes. (The
                // digits of the set have no place outside.)
                if places & taken == 0 {
                    continue;
                }
                found(Step {
                    technique: match N {
                        2 => Technique::DirectHiddenPair,
                        _ => Technique::DirectHiddenTriplet,
                    },
                    houses: vec![house],
                    cells: cells_of(house, taken),
                    digits: Digits::from_bits(digits),
                    place: Some(Placement { cell, digit }),
                    strikes: Vec::new(),
                })?;
            }
        }
    }
    ControlFlow::Continue(())
}

pub(super) fn words(step: &Step) -> String {
    let place = step.place.expect("a direct step places a digit");
    format!(
        "In {}, {} fit only in {}, which take them. So {} fits only in {}.",
        step.houses[0],
        list(step.digits.iter()),
        list(&step.cells),
        place.digit,
        place.cell
    )
}
