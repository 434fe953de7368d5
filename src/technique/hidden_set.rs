//! Hidden pair and hidden triplet: digits that share as many cells of a house as they are.
//!
//! If two digits have the same two places in a house, these cells take them, one each. So
//! do three cells that are the only places of three digits. The cells lose their other
//! candidates.
//!
//! ```text
//!     hidden pair of 2 and 7, 3.4          hidden triplet of 2, 7 and 9, 4.0
//!
//!     1257  358  2478  18  135  46         1257  358  24789  79  138  135  146  46
//!      = =       = =                        = =       = ==   ==
//! ```
//!
//! Each digit has two places or more. A pair needs more than four empty cells in the house,
//! a triplet more than six: with fewer, the other cells are a naked pair or triplet, which
//! is easier to see.

use super::{
    Step, Technique,
    position::{Found, View, cells_of},
    subsets::subsets,
    words::{list, strikes},
};
use crate::{
    grid::{Digits, House, HouseKind},
    solve::Strike,
};
use std::ops::ControlFlow;

/// All houses in the order in which they are looked through.
pub(super) fn houses() -> impl Iterator<Item = House> {
    let kinds = [HouseKind::Box, HouseKind::Column, HouseKind::Row];
    kinds.into_iter().flat_map(House::all_of)
}

pub(super) fn find<const N: u32>(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    for house in houses() {
        if view.empty_count(house) <= 2 * N {
            continue;
        }
        for (digits, places) in subsets::<N>(view.all_places(house)) {
            let mut strikes = Vec::new();
            for cell in cells_of(house, places) {
                let lost = view.position().candidates(cell).bits() & !digits;
                let lost = Digits::from_bits(lost).iter();
                strikes.extend(lost.map(|digit| Strike { cell, digit }));
            }
            if strikes.is_empty() {
                continue;
            }
            found(Step {
                technique: match N {
                    2 => Technique::HiddenPair,
                    _ => Technique::HiddenTriplet,
                },
                houses: vec![house],
                cells: cells_of(house, places),
                digits: Digits::from_bits(digits),
                place: None,
                strikes,
            })?;
        }
    }
    ControlFlow::Continue(())
}

pub(super) fn words(step: &Step) -> String {
    format!(
        "In {}, {} fit only in {}, which take them. {}",
        step.houses[0],
        list(step.digits.iter()),
        list(&step.cells),
        strikes(step)
    )
}
