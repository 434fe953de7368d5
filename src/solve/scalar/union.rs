//! The candidates that occur in a solution: the union of all solutions, without a list of them.

use super::{Settled, State, search};
use crate::{grid::CELLS, solve::NO_SOLUTION};

/// Marks all candidates of a root that occur in a solution. Those in `marked` are known to.
///
/// Each question restricts one cell to its unmarked candidates: the first cell of those that have most of
/// them. A solution marks 81 candidates. Without a solution these candidates are struck.
pub(in crate::solve) fn unite(root: &[u16; CELLS], marked: &mut [u16; CELLS]) {
    let mut state = State::from_candidates(root);
    let mut line = NO_SOLUTION;
    loop {
        if let Settled::Contradiction = state.settle() {
            return;
        }
        let open = state.candidates();
        let unmarked = |cell: usize| open[cell] & !marked[cell];
        let most = (0..CELLS).max_by_key(|&cell| (unmarked(cell).count_ones(), CELLS - cell));
        let cell = most.expect("there are cells");
        let asked = unmarked(cell);
        if asked == 0 {
            return;
        }
        let mut question = state;
        question.exclude_all(cell, open[cell] & marked[cell]);
        if search(&question, 1, &mut line) == 0 {
            state.exclude_all(cell, asked);
            continue;
        }
        for (marked, digit) in marked.iter_mut().zip(line) {
            *marked |= 1 << (digit - b'1');
        }
    }
}

impl State {
    /// The candidates of each cell: bit i stands for digit i + 1.
    fn candidates(&self) -> [u16; CELLS] {
        let mut candidates = [0; CELLS];
        for (digit, open) in self.open.iter().enumerate() {
            for (open, cells) in open.iter().zip(candidates.as_chunks_mut::<27>().0) {
                for (place, cell) in cells.iter_mut().enumerate() {
                    *cell |= ((open >> place & 1) as u16) << digit;
                }
            }
        }
        candidates
    }

    /// Excludes digits from a cell.
    fn exclude_all(&mut self, cell: usize, digits: u16) {
        for digit in (0..9).filter(|digit| digits >> digit & 1 != 0) {
            self.exclude(cell, digit);
        }
    }
}
