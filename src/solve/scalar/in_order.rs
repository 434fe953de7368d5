//! All solutions of a puzzle, in lexicographic order.
//!
//! The search guesses the first open cell first, smallest digit first, so solutions come in
//! their order. Such a search may enter a dead end that takes very long to leave. So when it
//! has found nothing for a while, it asks an ordinary search at each step whether there is a
//! solution below, until it has found the next one.

use super::{Settled, State, search};
use crate::{
    grid::{BatchPuzzle, CELLS, Grid},
    solve::{Batch, NO_SOLUTION},
    stop,
};

/// The number of steps without a solution that are a while.
const PATIENCE: u32 = 100;

/// The solutions of a puzzle, as an iterator: in lexicographic order, each once.
///
/// ```
/// use sudoku_batch::{Puzzle, solve::Solutions};
/// // The digits 1 and 2 may change places in the four blank cells.
/// let puzzle: Puzzle =
///     "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642".parse()?;
/// let solutions: Vec<_> = Solutions::new(&puzzle).collect();
/// assert_eq!(solutions.len(), 2);
/// assert!(solutions[0].as_str().starts_with("12") && solutions[1].as_str().starts_with("21"));
/// // The empty puzzle has 6.67 * 10^21 of them. The first come at once.
/// assert_eq!(Solutions::new(&Puzzle::EMPTY).take(1000).count(), 1000);
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solutions {
    /// The work that is left, last things first.
    open: Vec<State>,
}

impl Solutions {
    /// The solutions of a puzzle.
    pub fn new(puzzle: impl BatchPuzzle) -> Self {
        Self {
            open: vec![State::of(Batch::one(&puzzle.into()), 0)],
        }
    }
}

impl Iterator for Solutions {
    type Item = Grid;

    fn next(&mut self) -> Option<Grid> {
        let mut line = NO_SOLUTION;
        let mut steps = 0;
        stop::check();
        while let Some(mut state) = self.open.pop() {
            match state.settle() {
                Settled::Contradiction => {}
                Settled::Solution => {
                    state.write(&mut line);
                    let cells = line.first_chunk::<CELLS>().expect("81 of 82");
                    return Grid::from_ascii(cells).ok();
                }
                Settled::Undecided => {
                    steps += 1;
                    if steps > PATIENCE && search(&state, 1, &mut line) == 0 {
                        continue;
                    }
                    let (cell, digit) = state.first_open();
                    let mut with = state;
                    with.place(cell, digit);
                    state.exclude(cell, digit);
                    self.open.extend([state, with]);
                }
            }
        }
        None
    }
}
