//! Puzzles that enter lanes, from text to planes.

#![allow(
    clippy::needless_range_loop,
    reason = "several arrays are gone through by one number"
)]

use super::planes::Planes;
use crate::{
    grid::{BLANK, CELLS},
    simd::{Isa, Lanes, RowPlanes, Vector},
    solve::read_rows,
};

/// Rows of text that are turned into planes at a time.
const ROWS: usize = 64;

/// A row for no puzzle.
const NO_CLUES: [u8; CELLS] = [BLANK; CELLS];

/// The puzzles of a list that have not entered a lane yet, and the puzzle in each lane.
/// Puzzles have numbers from 0 in the order of the list.
///
/// Text is turned into planes 64 rows at a time. A puzzle whose lane is still taken waits
/// in its planes until the lane is free.
pub(super) struct Entrance {
    text: Box<[RowPlanes; 8]>,
    /// The puzzle that waits for each lane.
    waiting_puzzle: Box<[u32; 512]>,
    waiting: Lanes,
    /// The puzzle in each lane.
    pub(super) puzzle_of: Box<[u32; 512]>,
    /// How many puzzles of the list have been read.
    next: usize,
}

impl Entrance {
    pub(super) fn new() -> Self {
        Self {
            text: Box::new([RowPlanes::ZEROS; 8]),
            waiting_puzzle: Box::new([0; 512]),
            waiting: Lanes::default(),
            puzzle_of: Box::new([0; 512]),
            next: 0,
        }
    }

    /// Begins with the first puzzle of a list.
    pub(super) fn reset(&mut self) {
        (self.waiting, self.next) = (Lanes::default(), 0);
    }

    /// Returns true if any of `count` puzzles has not entered a lane.
    pub(super) fn any(&self, count: usize) -> bool {
        self.next < count || self.waiting.any()
    }

    /// Lets puzzles enter free lanes. The first 81 bytes of a row are a puzzle. Returns the
    /// lanes that were entered.
    #[inline(always)]
    pub(super) fn fill<I: Isa, const N: usize>(
        &mut self,
        isa: I,
        free: I::V,
        planes: &mut Planes<I::V>,
        rows: &[[u8; N]],
    ) -> I::V {
        let mut entering = free.lanes();
        for g in 0..I::LANES / ROWS {
            let missing = (entering.0[g] & !self.waiting.0[g]).count_ones();
            let few_wait = self.waiting.0[g].count_ones() <= 16;
            if missing != 0 && self.next < rows.len() && (few_wait || missing >= 24) {
                self.read(isa, g, rows);
            }
            entering.0[g] &= self.waiting.0[g];
            self.waiting.0[g] ^= entering.0[g];
        }
        for lane in entering.iter() {
            self.puzzle_of[lane] = self.waiting_puzzle[lane];
        }
        let entering = isa.vector(&entering);
        if entering.any() {
            planes.enter(isa, &self.text, entering);
        }
        entering
    }

    /// Reads puzzles for the lanes of a group that no puzzle waits for.
    #[inline(always)]
    fn read<I: Isa, const N: usize>(&mut self, isa: I, g: usize, rows: &[[u8; N]]) {
        let mut group = [&NO_CLUES; ROWS];
        for (i, row) in group.iter_mut().enumerate() {
            let lane = ROWS * g + i;
            if !self.waiting.has(lane) && self.next < rows.len() {
                self.waiting_puzzle[lane] = self.next as u32;
                self.next += 1;
                self.waiting.set(lane);
            }
            if self.waiting.has(lane) {
                let cells = &rows[self.waiting_puzzle[lane] as usize];
                *row = cells.first_chunk().expect("a row has 81 cells");
            }
        }
        read_rows(isa, &group, &mut self.text[g]);
    }
}
