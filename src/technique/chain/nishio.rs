//! Nishio by sets of starts: which candidates lead to a contradiction of their digit.
//!
//! Whether a run of one digit ends in a contradiction does not depend on the order of its
//! queues: only its length does. So all runs of a digit go [at once](super::closure), and only
//! those that contradict themselves are [run](super::run) for their length. These are few.

use super::{
    closure::{Spread, Units},
    links::has,
    state::{CANDIDATES, State, bits, candidate},
};
use crate::{
    grid::{CELLS, HOUSE_CELLS},
    simd,
};

/// Whether the runs from each candidate, off and on, end in a contradiction.
pub(super) fn contradictions(state: &State) -> Box<[[bool; CANDIDATES]; 2]> {
    simd::with_words!(|| contradictions_of(state))
}

#[inline(always)]
fn contradictions_of(state: &State) -> Box<[[bool; CANDIDATES]; 2]> {
    let mut found = Box::new([[false; CANDIDATES]; 2]);
    for digit in 0..9 {
        let mut cells = Vec::with_capacity(CELLS);
        for (cell, digits) in state.cells.iter().enumerate() {
            if digits >> digit & 1 != 0 {
                cells.push(cell);
            }
        }
        // A digit has up to 81 candidates, but most often not over 32.
        match cells.len() {
            0 => continue,
            1..=32 => contradicted::<1>(state, digit, &cells, &mut found),
            _ => contradicted::<3>(state, digit, &cells, &mut found),
        }
    }
    found
}

/// Notes the runs of a digit that end in a contradiction.
#[inline(always)]
fn contradicted<const W: usize>(
    state: &State,
    digit: usize,
    cells: &[usize],
    found: &mut [[bool; CANDIDATES]; 2],
) {
    let mut number = [0; CELLS];
    for (n, &cell) in cells.iter().enumerate() {
        number[cell] = n as u16;
    }
    let mut units = Units::none(cells.len());
    for (house, places) in state.places.iter().enumerate() {
        let cells = bits(places[digit]).map(|place| HOUSE_CELLS[house][place]);
        units.push(cells.map(|cell| number[usize::from(cell)]));
    }
    let mut spread = Spread::<W>::from_each(cells.len());
    spread.settle(&units);
    for (n, &cell) in cells.iter().enumerate() {
        for (on, bit) in [(1, n), (0, 32 * W + n)] {
            found[on][usize::from(candidate(cell, digit))] = has(&spread.broken, bit as u16);
        }
    }
}
