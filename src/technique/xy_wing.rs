//! XY-wing: a cell with two candidates that leaves a third digit to one of two peers.
//!
//! A cell has the candidates x and y. One of its peers has x and z, another y and z. If the
//! cell is x, the first peer is z; if it is y, the second is. So one of the two is z, and
//! every cell that sees both loses it.
//!
//! ```text
//!     xy  -  -  | .  .  xz | .  .  .      The cells - see both xz and yz:
//!     .   .  .  | .  .  .  | .  .  .      they lose z.
//!     .   .  yz | -  -  -  | .  .  .
//! ```
//!
//! Rated 4.2.

use super::{
    Step, Technique,
    position::{Found, View},
    words::strikes,
};
use crate::{
    grid::{Cell, Digits, PEERS},
    solve::Strike,
};
use std::ops::ControlFlow;

/// The peers of a cell.
pub(super) fn peers(cell: Cell) -> impl Iterator<Item = Cell> + Clone {
    let peers = PEERS[cell.index()].iter();
    peers.filter_map(|&peer| Cell::new(peer.into()))
}

/// The other cells that see all of these and have the digit.
pub(super) fn strikes_of(view: &View<'_>, cells: &[Cell], digits: Digits) -> Vec<Strike> {
    let mut strikes = Vec::new();
    for cell in peers(cells[0]) {
        let sees_all = cells.iter().all(|&other| peers(other).any(|c| c == cell));
        for digit in digits.iter() {
            if sees_all && view.position().is_candidate(cell, digit) {
                strikes.push(Strike { cell, digit });
            }
        }
    }
    strikes
}

pub(super) fn find(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    let candidates = |cell: Cell| view.position().candidates(cell);
    for pivot in Cell::all().filter(|&cell| candidates(cell).len() == 2) {
        let xy = candidates(pivot).bits();
        let one_of_two = |&cell: &Cell| {
            let digits = candidates(cell);
            digits.len() == 2 && (digits.bits() & xy).count_ones() == 1
        };
        let wings = peers(pivot).filter(one_of_two);
        for first in wings.clone() {
            // The second peer has the other digit of the pair, and the same third digit.
            let other = candidates(first).bits() ^ xy;
            let second = |&cell: &Cell| cell > first && candidates(cell).bits() == other;
            for second in wings.clone().filter(second) {
                let z = Digits::from_bits(candidates(first).bits() & other);
                let strikes = strikes_of(view, &[first, second], z);
                if strikes.is_empty() {
                    continue;
                }
                found(Step {
                    technique: Technique::XyWing,
                    houses: Vec::new(),
                    cells: vec![pivot, first, second],
                    digits: Digits::from_bits(xy | other),
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
        "{pivot} has two candidates. One makes {first} {z}, the other makes {second} {z}. \
         So no cell that sees both can be {z}. {}",
        strikes(step)
    )
}
