//! The lexicographically smallest solution of a puzzle that has several (`docs/internals/ladder.md`, "One
//! answer for each record").
//!
//! ```text
//!     known solution    1 2 6 4 . . .       cell 2 can be 3, 5 or 6: is there a
//!     decided so far    1 2 ?               solution with 3? with 5? (No: 6 stays.)
//! ```
//!
//! A plain search in reading order, smallest digit first, is tried before. It needs no questions and
//! finds the smallest solution of most puzzles at once. But it may enter a dead end that takes very
//! long to leave. So it gives up after [`MOST_GUESSES`].

use super::{Batch, GridLine, Settled, State, search};

/// The search in reading order gives up after this many guesses.
const MOST_GUESSES: u32 = 200;

/// Replaces some solution of the puzzle in `line` by the smallest.
pub(in crate::solve) fn smallest(puzzles: Batch<'_>, puzzle: usize, line: &mut GridLine) {
    let state = State::of(puzzles, puzzle);
    let mut guesses = 0;
    if search_in_order(state, line, &mut guesses) != Found::GaveUp {
        return;
    }
    ask_in_order(state, line);
}

#[derive(PartialEq, Eq)]
enum Found {
    Smallest,
    Nothing,
    GaveUp,
}

/// Looks for the smallest solution of a state: guesses the first open cell first.
fn search_in_order(mut state: State, line: &mut GridLine, guesses: &mut u32) -> Found {
    loop {
        match state.settle() {
            Settled::Contradiction => return Found::Nothing,
            Settled::Solution => {
                state.write(line);
                return Found::Smallest;
            }
            Settled::Undecided => {}
        }
        if *guesses == MOST_GUESSES {
            return Found::GaveUp;
        }
        *guesses += 1;
        let (cell, digit) = state.first_open();
        let mut with = state;
        with.place(cell, digit);
        match search_in_order(with, line, guesses) {
            Found::Nothing => state.exclude(cell, digit),
            found => return found,
        }
    }
}

/// Decides the cells of a state in reading order. The solution in `line` fits the state
/// at all times, and is the smallest at the end.
fn ask_in_order(mut state: State, line: &mut GridLine) {
    while let Settled::Undecided = state.settle() {
        let (cell, digit) = state.first_open();
        let mut with = state;
        with.place(cell, digit);
        let known = usize::from(line[cell] - b'1') == digit;
        let mut found = *line;
        if known || search(&with, 1, &mut found) == 1 {
            *line = found;
            state = with;
        } else {
            state.exclude(cell, digit);
        }
    }
}

impl State {
    /// The first cell with two or more candidates and its smallest candidate, where 0 is
    /// digit 1. The state must be settled and undecided.
    pub(super) fn first_open(&self) -> (usize, usize) {
        let open = |band: &usize| self.left[*band] != 0;
        let band = (0..3)
            .find(open)
            .expect("an undecided state has an open cell");
        let place = self.left[band].trailing_zeros() as usize;
        let has = |digit: &usize| self.open[*digit][band] >> place & 1 != 0;
        let digit = (0..9).find(has).expect("a settled cell has a candidate");
        (27 * band + place, digit)
    }

    pub(super) fn place(&mut self, cell: usize, digit: usize) {
        let (band, bit) = (cell / 27, 1 << (cell % 27));
        for other in (0..9).filter(|&other| other != digit) {
            if self.open[other][band] & bit != 0 {
                self.remove(other, band, bit);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::NO_SOLUTION;
    use sudoku_batch_test_support::one_of;

    /// The smallest solution as both ways find it. They start from the solution that the
    /// search finds first.
    fn both(cells: &[u8; 81]) -> [GridLine; 2] {
        let state = State::from_clues(cells);
        let mut lines = [NO_SOLUTION; 2];
        assert_eq!(search(&state, 1, &mut lines[0]), 1);
        lines[1] = lines[0];
        let mut guesses = 0;
        let found = search_in_order(state, &mut lines[0], &mut guesses);
        assert!(found == Found::Smallest, "{guesses} guesses");
        ask_in_order(state, &mut lines[1]);
        lines
    }

    /// The tests of the engines compare with the oracle, but most puzzles there need the
    /// first way only. This test compares the two ways.
    #[test]
    fn both_ways_find_the_same() {
        let clues =
            b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
        // Every two cells, or one of three such pairs by default.
        let pairs = (0..81).flat_map(|one| (0..=one).map(move |other| [one, other]));
        let (mut checked, mut changed) = (0, 0);
        for pair in pairs.step_by(one_of(3)) {
            let mut cells = *clues;
            for cell in pair {
                cells[cell] = b'.';
            }
            let mut some = NO_SOLUTION;
            search(&State::from_clues(&cells), 1, &mut some);
            let [one, other] = both(&cells);
            assert_eq!(one, other);
            assert!(one <= some);
            changed += usize::from(one < some);
            checked += 1;
        }
        assert!(changed > checked / 22, "{changed} of {checked}");
    }
}
