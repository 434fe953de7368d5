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
    Placement, Step, Technique,
    position::{Found, View},
};
use crate::grid::Cell;
use std::ops::ControlFlow;

pub(super) fn find(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    for cell in Cell::all() {
        let digits = view.position().candidates(cell);
        if digits.len() != 1 {
            continue;
        }
        found(Step {
            technique: Technique::NakedSingle,
            houses: Vec::new(),
            cells: vec![cell],
            digits,
            place: digits.iter().next().map(|digit| Placement { cell, digit }),
            strikes: Vec::new(),
            detail: None,
        })?;
    }
    ControlFlow::Continue(())
}

pub(super) fn words(step: &Step) -> String {
    format!("{} can only be {}.", step.cells[0], step.digits)
}
