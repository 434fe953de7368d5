//! Counting the solutions of one puzzle in steps, so that threads can share it.
//!
//! ```text
//!     open states     [ shallowest | ... | deepest ]
//!     a step works on             the last
//!     a share is      the first: most of what is left is usually below it
//! ```

use super::{Settled, State};
use crate::{
    grid::{Batch, BatchPuzzle},
    stop,
};

/// A count of all solutions of a puzzle, that stops on demand and can be divided.
///
/// Each solution is counted once, by one of the parts. So the sum of all parts is the number
/// of solutions, however the count is divided.
///
/// ```
/// use sudoku_batch::{Puzzle, solve::Counting};
/// // The digits 1 and 2 may change places in the four blank cells.
/// let puzzle: Puzzle =
///     "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642".parse()?;
/// let mut counting = Counting::new(&puzzle);
/// let mut count = 0;
/// while !counting.is_done() {
///     count += counting.advance(1000, u64::MAX);
/// }
/// assert_eq!(count, 2);
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Counting {
    /// The work that is left, the shallowest state first.
    open: Vec<State>,
}

impl Counting {
    /// The count for a puzzle, at its start.
    pub fn new(puzzle: impl BatchPuzzle) -> Self {
        Self {
            open: vec![State::of(Batch::one(&puzzle.into()), 0)],
        }
    }

    /// Returns true if all is counted.
    pub fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// Counts on, until there is nothing left, after this number of steps of the search, or when
    /// `limit` solutions were found. Returns how many were found now.
    pub fn advance(&mut self, steps: u64, limit: u64) -> u64 {
        let mut count = 0;
        for step in 0..steps {
            if step % 256 == 0 {
                stop::check();
            }
            if count == limit {
                break;
            }
            let Some(mut state) = self.open.pop() else {
                break;
            };
            match state.settle() {
                Settled::Contradiction => {}
                Settled::Solution => count += 1,
                Settled::Undecided => self.branch(state),
            }
        }
        count
    }

    /// Gives a part of what is left away, if it can be divided.
    pub fn share(&mut self) -> Option<Self> {
        if self.open.len() < 2 {
            return None;
        }
        let share = vec![self.open.remove(0)];
        Some(Self { open: share })
    }

    fn branch(&mut self, mut state: State) {
        let matrices = state.matrices();
        match state.settle_triads(&matrices) {
            None => {}
            Some(true) => self.open.push(state),
            Some(false) => {
                let branch = State::branch(&matrices);
                let mut yes = state;
                yes.remove(branch.digit, branch.band, branch.yes);
                state.remove(branch.digit, branch.band, branch.no);
                self.open.extend([state, yes]);
            }
        }
    }
}
