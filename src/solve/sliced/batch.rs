//! A batch: what came in, where answers go, and what is known of each puzzle.

use super::{
    super::{Strike, scalar},
    tuning,
};
use crate::grid::{CELLS, GridLine};

/// The branches of a puzzle that the scalar engine has solved.
const HANDED_OVER: u32 = u32::MAX;

/// See [`BatchEngine`](super::super::BatchEngine).
pub(super) struct Batch<'a> {
    pub(super) cells: &'a [[u8; CELLS]],
    /// One for each puzzle, or none at all.
    pub(super) strikes: &'a [Strike],
    pub(super) limit: u64,
    pub(super) lines: &'a mut [GridLine],
    pub(super) counts: &'a mut [u64],
    /// Branches of each puzzle so far, or [`HANDED_OVER`].
    pub(super) branches: Vec<u32>,
}

impl Batch<'_> {
    /// Whether a puzzle has as many solutions as are asked for.
    #[inline(always)]
    pub(super) fn is_decided(&self, puzzle: u32) -> bool {
        self.counts[puzzle as usize] >= self.limit || self.branches[puzzle as usize] == HANDED_OVER
    }

    /// Counts branches of a puzzle. Returns whether there were too many, and the
    /// scalar engine has solved it.
    #[inline(always)]
    pub(super) fn count_branches(&mut self, puzzle: u32, count: u32) -> bool {
        let branches = &mut self.branches[puzzle as usize];
        *branches = branches.saturating_add(count);
        let for_solutions = self.limit.saturating_mul(tuning::BRANCHES_PER_SOLUTION);
        let most = tuning::MOST_BRANCHES.saturating_add(for_solutions.min(1 << 31) as u32);
        let over = *branches > most && *branches != HANDED_OVER;
        if over {
            self.hand_over(puzzle);
        }
        over
    }

    /// Has a puzzle solved by the scalar engine, from its clues.
    #[cold]
    #[inline(never)]
    pub(super) fn hand_over(&mut self, puzzle: u32) {
        let puzzle = puzzle as usize;
        let mut candidates = self.cells[puzzle].map(|c| match c & 15 {
            digit @ 1..=9 => 1 << (digit - 1),
            _ => 0x1ff,
        });
        if let Some(strike) = self.strikes.get(puzzle) {
            candidates[strike.cell.index()] &= !(1 << strike.digit.index());
        }
        self.counts[puzzle] = scalar::count_from(&candidates, self.limit, &mut self.lines[puzzle]);
        self.branches[puzzle] = HANDED_OVER;
    }

    /// Has what is left of a puzzle counted by the scalar engine, from the
    /// candidates of each cell.
    #[cold]
    #[inline(never)]
    pub(super) fn finish(&mut self, puzzle: u32, candidates: &[u16; CELLS]) {
        if self.is_decided(puzzle) {
            return;
        }
        let puzzle = puzzle as usize;
        let mut line = super::super::NO_SOLUTION;
        let missing = self.limit - self.counts[puzzle];
        let count = scalar::count_from(candidates, missing, &mut line);
        if self.counts[puzzle] == 0 && count != 0 {
            self.lines[puzzle] = line;
        }
        self.counts[puzzle] += count;
    }
}
