//! Runs of neighbouring grids, which differ only in the names of the digits.
//!
//! Each digit has a mask: 0xff in its nine cells, and 0 in all others. A grid is nine masks,
//! each ANDed with a name, ORed together. Six neighbours share the first six names of the
//! first row:
//!
//! ```text
//!     shared  = line feed | mask 0 & '4' | ... | mask 5 & '1'
//!     line    = shared | mask 6 & '2' | mask 7 & '5' | mask 8 & '8'
//!     next    = shared | mask 6 & '2' | mask 7 & '8' | mask 8 & '5'
//! ```
//!
//! The compiler turns these loops into vector instructions on any CPU. They need no byte
//! shuffle.

use super::{arranged, arrangement::first_row, shuffle::shuffle};
use crate::{
    grid::{CELLS, GridLine},
    symmetry::THREE,
};

/// The masks of the digits, in the order of the first row.
type Masks = [GridLine; 9];

/// Writes the grids of one block whose first rows have the numbers `row`, `row + 1` and so
/// on.
pub(super) fn write_run(block: u64, mut row: u64, mut lines: &mut [GridLine]) {
    let masks = masks(block);
    while !lines.is_empty() {
        let names = first_row(row / 6 * 6);
        let shared = shared(&masks, &names);
        let orders = &THREE[(row % 6) as usize..];
        let (group, rest) = lines.split_at_mut(orders.len().min(lines.len()));
        for (order, line) in orders.iter().zip(&mut *group) {
            write_line(
                &shared,
                &masks,
                order.map(|i| names[6 + usize::from(i)]),
                line,
            );
        }
        row += group.len() as u64;
        lines = rest;
    }
}

fn masks(block: u64) -> Masks {
    // The grid whose first row is 123456789.
    let mut line = [[0; CELLS + 1]];
    shuffle(&[arranged(block, 0)], &mut line);
    let mask = |name: u8| line[0].map(|c| if c == name { 0xff } else { 0 });
    std::array::from_fn(|j| mask(b'1' + j as u8))
}

fn shared(masks: &Masks, names: &[u8; 9]) -> GridLine {
    let mut shared = [0; CELLS + 1];
    shared[CELLS] = b'\n';
    for (mask, &name) in masks[..6].iter().zip(names) {
        for (byte, mask) in shared.iter_mut().zip(mask) {
            *byte |= mask & name;
        }
    }
    shared
}

#[inline]
fn write_line(shared: &GridLine, masks: &Masks, last: [u8; 3], line: &mut GridLine) {
    let mut write = |range: std::ops::Range<usize>| {
        for i in range {
            line[i] =
                shared[i] | masks[6][i] & last[0] | masks[7][i] & last[1] | masks[8][i] & last[2];
        }
    };
    // 82 bytes are six vectors of sixteen. The last two overlap.
    write(0..80);
    write(66..82);
}
