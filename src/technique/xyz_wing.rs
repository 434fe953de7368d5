//! XYZ-wing: a cell with three candidates that leaves one of them to itself or two peers.
//!
//! A cell has the candidates x, y and z. One of its peers has x and z, another y and z. If
//! the cell is x, the first peer is z; if it is y, the second is; otherwise the cell is z
//! itself. So one of the three is z, and every cell that sees all three loses it.
//!
//! ```text
//!     xyz -  -  | .  xz  .  | .  .  .      The cells - see xyz, xz and yz:
//!     .   yz .  | .  .   .  | .  .  .      they lose z.
//!     .   .  .  | .  .   .  | .  .  .
//! ```
//!
//! Rated 4.4.

use super::{
    Step, Technique,
    position::{Found, View},
    words::strikes,
    xy_wing::{peers, strikes_of},
};
use crate::grid::{Cell, Digits};
use std::ops::ControlFlow;

pub(super) fn find(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    let candidates = |cell: Cell| view.position().candidates(cell);
    for pivot in Cell::all().filter(|&cell| candidates(cell).len() == 3) {
        let xyz = candidates(pivot).bits();
        let two_of_three = |&cell: &Cell| {
            let digits = candidates(cell);
            digits.len() == 2 && digits.bits() & !xyz == 0
        };
        let wings = peers(pivot).filter(two_of_three);
        for first in wings.clone() {
            let differs = |&cell: &Cell| cell > first && candidates(cell) != candidates(first);
            for second in wings.clone().filter(differs) {
                let z = candidates(first).bits() & candidates(second).bits();
                let cells = [pivot, first, second];
                let strikes = strikes_of(view, &cells, Digits::from_bits(z));
                if strikes.is_empty() {
                    continue;
                }
                found(Step {
                    technique: Technique::XyzWing,
                    houses: Vec::new(),
                    cells: cells.into(),
                    digits: Digits::from_bits(xyz),
                    place: None,
                    strikes,
                })?;
            }
        }
    }
    ControlFlow::Continue(())
}

pub(super) fn words(step: &Step) -> String {
    let [pivot, first, second] = step.cells[..] else {
        unreachable!("a wing has three cells");
    };
    let z = step.strikes[0].digit;
    format!(
        "{pivot} has three candidates. One makes {first} {z}, one makes {second} {z}, and the \
         third is {z} itself. So no cell that sees all three can be {z}. {}",
        strikes(step)
    )
}
