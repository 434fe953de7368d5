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
    Step, Technique,
    desk::{CELLS_OF, COLUMNS, Desk, Pattern, is_single},
};
use crate::simd::ones;
use std::ops::ControlFlow;

/// Shows the digits with one place left in a house, the easiest to see first. `single` has for each
/// digit the houses that leave it one place, and `last` the houses with one empty cell.
#[inline(always)]
pub(crate) fn each(
    single: &[u32; 9],
    last: u32,
    mut see: impl FnMut(Technique, usize, usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let any = single.iter().fold(0, |any, single| any | single);
    for (is_last, houses) in [(true, any & last), (false, any & !last)] {
        for house in ones(houses.into()) {
            // Boxes come first, as a person looks at them first.
            let technique = match house {
                _ if is_last => Technique::LastCell,
                0..COLUMNS => Technique::HiddenSingleInBox,
                _ => Technique::HiddenSingleInLine,
            };
            for (digit, single) in single.iter().enumerate() {
                if single >> house & 1 != 0 {
                    see(technique, house, digit)?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

pub(super) fn find<D: Desk>(desk: &mut D) -> ControlFlow<()> {
    let (mut single, mut last) = ([0; 9], 0);
    for house in 0..27 {
        // The places of all digits in a house lie side by side.
        for (single, places) in single.iter_mut().zip(desk.places_of_all(house)) {
            *single |= u32::from(is_single(places)) << house;
        }
        last |= u32::from(desk.empty_count(house) == 1) << house;
    }
    each(&single, last, |technique, house, digit| {
        let place = desk.places(digit, house).trailing_zeros() as usize;
        let cell = CELLS_OF[house][place];
        let pattern = Pattern {
            technique,
            houses: [house],
            cells: [cell],
            digits: 1 << digit,
        };
        desk.place(pattern, cell, digit)
    })
}

pub(super) fn words(step: &Step) -> String {
    let (house, cell, digits) = (step.houses[0], step.cells[0], step.digits);
    match step.technique {
        Technique::LastCell => format!("{cell} is the last empty cell of {house}: it is {digits}."),
        _ => format!("In {house}, {digits} fits only in {cell}."),
    }
}
