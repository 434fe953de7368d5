//! Cells as nearly all files have them: digits and dots.

use crate::simd::{Isa, Kernel, Level, run};

/// Returns true if all characters are digits (0 too) or dots. The loop has no branches, so the compiler can
/// vectorize it.
#[inline(always)]
pub(crate) fn is_plain(cells: &[u8]) -> bool {
    // With the lowest bit flipped, the dot comes right before the digits.
    const FIRST: u8 = b'.' ^ 1;
    const LAST: u8 = b'8' ^ 1;
    let furthest = |most: u8, &c: &u8| most.max((c ^ 1).wrapping_sub(FIRST));
    cells.iter().fold(0, furthest) <= LAST - FIRST
}

/// Returns true if all characters of many puzzles are digits (0 too) or dots, with the instructions of this CPU.
///
/// It is for interfaces that are given cells without a text around them.
pub fn are_plain(cells: &[u8]) -> bool {
    (Level::detect().with(Plain(cells))).expect("the level was found")
}

struct Plain<'c>(&'c [u8]);

impl Kernel for Plain<'_> {
    type Output = bool;
    fn call<I: Isa>(self, isa: I) -> bool {
        run!(isa, || is_plain(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::{are_plain, is_plain};
    use crate::grid::CELLS;

    #[test]
    fn plain_cells_are_digits_and_points() {
        for c in 0..=u8::MAX {
            let mut cells = [b'.'; CELLS];
            cells[CELLS - 1] = c;
            let is_cell = c.is_ascii_digit() || c == b'.';
            assert_eq!(
                (is_plain(&cells), are_plain(&cells)),
                (is_cell, is_cell),
                "{c}"
            );
        }
    }
}
