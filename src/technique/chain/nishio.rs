//! Nishio by sets of starts: which candidates lead to a contradiction of their digit.
//!
//! Whether a run of one digit ends in a contradiction does not depend on the order of its
//! queues: only its length does. So all runs of a digit go at once, one bit each, and only
//! those that contradict themselves are [run](super::run) for their length. These are few.
//!
//! ```text
//!     bit 2 n       candidate n is on            on[n], off[n]: the runs in which
//!     bit 2 n + 1   candidate n is off           candidate n is on, or off
//! ```

use super::state::{CANDIDATES, State, bits, candidate};
use crate::grid::{HOUSE_CELLS, HOUSES};

/// The runs of a digit. It has up to 81 candidates, but most often not over 32.
type Runs = [u64; 3];

/// Whether the runs from each candidate, off and on, may end in a contradiction. Where a
/// house has one place left at the start, this may name a run that does not.
pub(super) fn contradictions(state: &State) -> Box<[[bool; CANDIDATES]; 2]> {
    let mut found = Box::new([[false; CANDIDATES]; 2]);
    for digit in 0..9 {
        let cells = state.cells.iter().enumerate();
        let cells: Vec<usize> = cells
            .filter(|(_, digits)| **digits >> digit & 1 != 0)
            .map(|(cell, _)| cell)
            .collect();
        let words = (2 * cells.len()).div_ceil(64);
        let broken = match words {
            0 => continue,
            1 => contradicted::<1>(state, digit, &cells),
            _ => contradicted::<3>(state, digit, &cells),
        };
        for (n, &cell) in cells.iter().enumerate() {
            for (on, bit) in [(1, 2 * n), (0, 2 * n + 1)] {
                let is_broken = broken[bit / 64] >> (bit % 64) & 1 != 0;
                found[on][usize::from(candidate(cell, digit))] = is_broken;
            }
        }
    }
    found
}

/// The runs of a digit that end in a contradiction.
fn contradicted<const W: usize>(state: &State, digit: usize, cells: &[usize]) -> Runs {
    let (mut on, mut off) = ([[0; W]; 81], [[0; W]; 81]);
    let mut number = [0; 81];
    for (n, &cell) in cells.iter().enumerate() {
        number[cell] = n as u8;
        on[n][2 * n / 64] |= 1 << (2 * n % 64);
        off[n][(2 * n + 1) / 64] |= 1 << ((2 * n + 1) % 64);
    }
    // The candidates of each house by their numbers.
    let mut houses = [[0; 9]; HOUSES];
    let mut counts = [0; HOUSES];
    let mut used = 0;
    for house in 0..HOUSES {
        let places = state.places[house][digit];
        if places == 0 {
            continue;
        }
        let mut count = 0;
        for place in bits(places) {
            houses[used][count] = number[usize::from(HOUSE_CELLS[house][place])];
            count += 1;
        }
        counts[used] = count;
        used += 1;
    }
    let mut broken = [0; W];
    loop {
        let mut changed = 0;
        for (members, &count) in houses[..used].iter().zip(&counts) {
            let members = &members[..count];
            for w in 0..W {
                let (mut any_on, mut two_on) = (0, 0);
                let (mut left, mut two_left) = (0, 0);
                for &n in members {
                    let (is_on, is_left) = (on[usize::from(n)][w], !off[usize::from(n)][w]);
                    two_on |= any_on & is_on;
                    any_on |= is_on;
                    two_left |= left & is_left;
                    left |= is_left;
                }
                broken[w] |= two_on | !left;
                let last = left & !two_left;
                for &n in members {
                    let (on, off) = (&mut on[usize::from(n)][w], &mut off[usize::from(n)][w]);
                    let new_off = any_on & !*on & !*off;
                    let new_on = last & !*off & !*on;
                    changed |= (new_off | new_on) & !broken[w];
                    *off |= new_off;
                    *on |= new_on;
                    broken[w] |= *on & *off;
                }
            }
        }
        if changed == 0 {
            break;
        }
    }
    let mut runs = [0; 3];
    runs[..W].copy_from_slice(&broken);
    runs
}
