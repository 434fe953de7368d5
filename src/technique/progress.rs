//! Puzzles that hidden singles do not solve: on the way from the easy planes to the hard
//! ones.
//!
//! They travel as text, with the cells that hidden singles have filled. So the hard planes
//! need not place those again. Nothing else is lost, because hidden singles strike nothing.

use super::planes::Planes;
use crate::{
    grid::{CELLS, GridLine},
    simd::{Isa, Lanes, RowPlanes},
};

/// Rows of text that are made from planes at a time.
const ROWS: usize = 64;

/// The row of no puzzle.
const NOBODY: u32 = u32::MAX;

/// The puzzles of a batch that hidden singles do not solve.
pub(super) struct Progress {
    /// The number of each in the batch.
    pub(super) puzzles: Vec<u32>,
    /// The clues of each, and what hidden singles have filled.
    pub(super) rows: Vec<GridLine>,
    digits: Box<[RowPlanes; 8]>,
    filled: Vec<GridLine>,
}

impl Progress {
    pub(super) fn new() -> Self {
        Self {
            puzzles: Vec::new(),
            rows: Vec::new(),
            digits: Box::new([RowPlanes::ZEROS; 8]),
            filled: Vec::new(),
        }
    }

    /// Begins with no puzzle.
    pub(super) fn clear(&mut self) {
        self.puzzles.clear();
        self.rows.clear();
    }

    /// Takes the puzzles of these lanes.
    #[inline(always)]
    pub(super) fn take<I: Isa>(
        &mut self,
        isa: I,
        lanes: &Lanes,
        planes: &Planes<I::V>,
        puzzle_of: &[u32; 512],
        cells: &[[u8; CELLS]],
    ) {
        let first = self.puzzles.len();
        for lane in lanes.iter() {
            let puzzle = puzzle_of[lane];
            self.puzzles.push(puzzle);
            let mut row = [b'\n'; CELLS + 1];
            row[..CELLS].copy_from_slice(&cells[puzzle as usize]);
            self.rows.push(row);
        }
        let count = self.puzzles.len() - first;
        // For a few puzzles it takes longer to make text than to place the digits again.
        if count < I::LANES / 16 {
            return;
        }
        self.write_filled(isa, lanes, planes, count);
        for (row, filled) in self.rows[first..].iter_mut().zip(&self.filled) {
            add_filled(row, filled);
        }
    }

    /// The filled cells of this number of lanes as text, in order.
    #[inline(always)]
    fn write_filled<I: Isa>(&mut self, isa: I, lanes: &Lanes, planes: &Planes<I::V>, count: usize) {
        isa.run(
            #[inline(always)]
            || {
                for cell in 0..CELLS {
                    isa.set_column(&mut self.digits, cell, lanes, planes.filled_digits(cell));
                }
            },
        );
        self.filled.resize(count, [0; CELLS + 1]);
        let mut next = 0;
        for (g, &lanes) in lanes.0.iter().enumerate() {
            if lanes == 0 {
                continue;
            }
            let mut rows = [NOBODY; ROWS];
            for (i, row) in rows.iter_mut().enumerate() {
                if lanes >> i & 1 != 0 {
                    *row = next;
                    next += 1;
                }
            }
            isa.run(
                #[inline(always)]
                || isa.rows_of_planes(&self.digits[g], &rows, &mut self.filled),
            );
        }
    }
}

/// Puts digits into the blanks of a row.
///
/// The clues stay as they are. Where a puzzle has no solution, the planes may have lost one
/// of them, and the puzzle without it may have a solution.
#[inline(always)]
fn add_filled(row: &mut GridLine, filled: &GridLine) {
    for (cell, &filled) in row[..CELLS].iter_mut().zip(filled) {
        let is_clue = cell.wrapping_sub(b'1') < 9;
        *cell = if is_clue { *cell } else { filled };
    }
}
