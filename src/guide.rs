//! The way from a puzzle to its solution, one explained step at a time.
//!
//! Steps come from [`technique`](crate::technique), up to nested chains. Where a puzzle has several
//! solutions, techniques may lead no further. So do the hardest puzzles known, where a search for
//! chains can take minutes: it ends after some seconds. The way then goes on with a *guess*, and says
//! that it is one: a cell with the fewest candidates gets its digit from the solution.
//!
//! ```
//! use sudoku_batch::{Puzzle, guide, technique::Position};
//! let puzzle: Puzzle =
//!     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
//! let mut position = Position::new(&puzzle);
//! for advice in guide::way(&puzzle).expect("it has a solution") {
//!     println!("{advice}");
//!     advice.apply(&mut position);
//! }
//! assert!(position.is_solved());
//! # Ok::<(), sudoku_batch::ParseError>(())
//! ```

use crate::{
    grid::{AnyPuzzle, Candidate, Cell, Digit, Digits, Grid},
    solve::{Outcome, Solver},
    technique::{HINT_WORK, Position, Step},
};
use std::{fmt, iter};

/// The next thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Advice {
    /// A step that a technique finds.
    Step(Step),
    /// A guess, as no technique leads on: a digit from the solution.
    Guess {
        /// A cell with the fewest candidates; of several, the first in reading order.
        cell: Cell,
        /// Its digit in the solution.
        digit: Digit,
        /// The candidates of the cell, this digit among them.
        candidates: Digits,
        /// True if the puzzle has several solutions, so that another digit may be right too.
        several: bool,
    },
}

impl Advice {
    /// The name of the technique, or `guess`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Step(step) => step.technique.name(),
            Self::Guess { .. } => "guess",
        }
    }

    /// The cell that it fills and its digit, if it fills one.
    pub fn place(&self) -> Option<Candidate> {
        match self {
            Self::Step(step) => step.place,
            Self::Guess { cell, digit, .. } => Some(Candidate {
                cell: *cell,
                digit: *digit,
            }),
        }
    }

    /// Does in a position what it says: it fills a cell, or it strikes candidates.
    pub fn apply(&self, position: &mut Position) {
        match self {
            Self::Step(step) => position.apply(step),
            Self::Guess { cell, digit, .. } => position.place(*cell, *digit),
        }
    }

    /// The candidates that it strikes.
    pub fn strikes(&self) -> &[Candidate] {
        match self {
            Self::Step(step) => &step.strikes,
            Self::Guess { .. } => &[],
        }
    }

    /// The cells that it speaks of.
    pub fn cells(&self) -> Vec<Cell> {
        let pattern: &[Cell] = match self {
            Self::Step(step) => &step.cells,
            Self::Guess { .. } => &[],
        };
        let place = self.place().map(|place| place.cell);
        let strikes = self.strikes().iter().map(|strike| strike.cell);
        let mut cells: Vec<Cell> = pattern
            .iter()
            .copied()
            .chain(place)
            .chain(strikes)
            .collect();
        cells.sort_unstable();
        cells.dedup();
        cells
    }
}

/// Why it holds and what it does, in one or two sentences.
impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (cell, digit, candidates, several) = match self {
            Self::Step(step) => return step.fmt(f),
            Self::Guess {
                cell,
                digit,
                candidates,
                several,
            } => (cell, digit, candidates, several),
        };
        let candidates: Vec<_> = candidates.iter().map(|digit| digit.to_string()).collect();
        write!(
            f,
            "A guess: {cell} is {digit}. No technique is found that leads on. No cell has \
             fewer candidates than {cell}, which has {}. ",
            candidates.join(", ")
        )?;
        f.write_str(if *several {
            "The puzzle has several solutions, and the smallest of them has this digit."
        } else {
            "The solution says which one is right."
        })
    }
}

/// The next thing to do in a position, or `None` if all its cells are filled or it contradicts
/// the solution.
///
/// `several` says whether the puzzle has other solutions too.
pub fn next(position: &Position, solution: &Grid, several: bool) -> Option<Advice> {
    // Loops and BUG say nothing about a puzzle with several solutions.
    let holds = |step: &Step| !several || !step.technique.needs_one_solution();
    // There are many candidates where a puzzle has several solutions, and chains with branches seldom lead
    // on. A way has up to sixty guesses then, and a search before each would take long. So there is none.
    let max_work = if several { 0 } else { HINT_WORK };
    if let Some(step) = position.next_step_within(max_work, holds) {
        return Some(Advice::Step(step));
    }
    let blank = |cell: &Cell| position.filled().get(*cell).is_none();
    let cell = Cell::all()
        .filter(blank)
        .min_by_key(|&cell| position.candidates(cell).len())?;
    let (digit, candidates) = (solution.get(cell), position.candidates(cell));
    candidates.contains(digit).then_some(Advice::Guess {
        cell,
        digit,
        candidates,
        several,
    })
}

/// The way from a puzzle to its solution, or to the smallest of several. `None` if it has
/// no solution.
pub fn way(puzzle: impl Into<AnyPuzzle>) -> Option<impl Iterator<Item = Advice>> {
    let puzzle = puzzle.into();
    let outcome = Solver::new().solve(puzzle);
    let several = matches!(outcome, Outcome::Multiple(_));
    let (mut position, solution) = (Position::new(puzzle), outcome.solution()?);
    Some(iter::from_fn(move || {
        let advice = next(&position, &solution, several)?;
        advice.apply(&mut position);
        Some(advice)
    }))
}
