//! Naked single: a cell has one candidate left.
//!
//! ```text
//!     .  .  . | 5  .  . | .  .  .       r3c2 sees 1, 2, 3, 4, 5, 6, 8 and 9: it is 7.
//!     .  1  2 | .  .  . | .  .  .
//!     .  #  8 | .  .  9 | .  3  .
//!     --------+---------+---------
//!     .  4  . | .  .  . | .  .  .
//!     .  5  . | .  .  . | .  .  .
//!     .  6  . | .  .  . | .  .  .
//! ```
//!
//! Simple for a program, but hard to see for a person: 2.3.

use super::{
    Step, Technique,
    desk::{Desk, Pattern, is_single},
};
use crate::grid::CELLS;
use std::ops::ControlFlow;

#[inline(always)]
pub(super) fn find<D: Desk>(desk: &mut D) -> ControlFlow<()> {
    let cells = if desk.may_have_single_cell() {
        CELLS
    } else {
        0
    };
    for cell in 0..cells {
        let digits = desk.candidates(cell);
        if is_single(digits) {
            let pattern = Pattern {
                technique: Technique::NakedSingle,
                houses: [],
                cells: [cell as u8],
                digits,
            };
            desk.place(pattern, cell as u8, digits.trailing_zeros() as usize)?;
        }
    }
    ControlFlow::Continue(())
}

pub(super) fn words(step: &Step) -> String {
    format!("{} can only be {}.", step.cells[0], step.digits)
}
