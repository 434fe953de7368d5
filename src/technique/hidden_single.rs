//! Hidden single: a digit has one place left in a house.
//!
//! Every house holds every digit. If all cells of a house but one cannot hold a digit, the
//! digit goes into that one, even if the cell has other candidates.
//!
//! ```text
//!     .  .  . | 5  .  . | .  .  .       The 5 of rows 1 and 2 and of column 1 leaves
//!     .  .  . | .  .  . | .  5  .       one cell of box 1 for 5: r3c2. (r3c3 is filled.)
//!     .  #  8 | .  .  . | .  .  .
//!     --------+---------+---------
//!     5  .  . | .  .  . | .  .  .
//! ```
//!
//! Boxes are easier to look through than lines: 1.2 for a box, 1.5 for a row or column. If
//! the cell is the last empty one of its house, 1.0.

use super::{
    Placement, Step, Technique,
    position::{Found, View, only_cell},
};
use crate::grid::{Digit, Digits, House, HouseKind};
use std::ops::ControlFlow;

/// Boxes come first, as a person looks at them first.
const KINDS: [HouseKind; 3] = [HouseKind::Box, HouseKind::Column, HouseKind::Row];

pub(super) fn find(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    for last_cell in [true, false] {
        for kind in KINDS {
            for house in House::all_of(kind) {
                if (view.empty_count(house) == 1) == last_cell {
                    find_in(view, house, last_cell, found)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

fn find_in(
    view: &View<'_>,
    house: House,
    last_cell: bool,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    for digit in Digit::all() {
        let Some(cell) = only_cell(house, view.places(house, digit)) else {
            continue;
        };
        let technique = match house.kind() {
            _ if last_cell => Technique::LastCell,
            HouseKind::Box => Technique::HiddenSingleInBox,
            _ => Technique::HiddenSingleInLine,
        };
        found(Step {
            technique,
            houses: vec![house],
            cells: vec![cell],
            digits: Digits::from_digit(digit),
            place: Some(Placement { cell, digit }),
            strikes: Vec::new(),
            detail: None,
        })?;
    }
    ControlFlow::Continue(())
}

pub(super) fn words(step: &Step) -> String {
    let (house, cell, digits) = (step.houses[0], step.cells[0], step.digits);
    match step.technique {
        Technique::LastCell => format!("{cell} is the last empty cell of {house}: it is {digits}."),
        _ => format!("In {house}, {digits} fits only in {cell}."),
    }
}
