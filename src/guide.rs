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
    grid::{BatchPuzzle, CELLS, Candidate, Cell, Digit, Digits, Grid, Puzzle},
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
    /// A digit of the player is wrong, and has to go first.
    Wrong(Candidate),
    /// The player struck a candidate that the solution needs.
    Struck(Candidate),
}

impl Advice {
    /// The name of the technique; `guess`, `wrong` or `struck`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Step(step) => step.technique.name(),
            Self::Guess { .. } => "guess",
            Self::Wrong(_) => "wrong",
            Self::Struck(_) => "struck",
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
            Self::Wrong(_) | Self::Struck(_) => None,
        }
    }

    /// Does in a position what it says: it fills a cell, or it strikes candidates. What the player has to undo
    /// changes nothing.
    pub fn apply(&self, position: &mut Position) {
        match self {
            Self::Step(step) => position.apply(step),
            Self::Guess { cell, digit, .. } => position.place(*cell, *digit),
            Self::Wrong(_) | Self::Struck(_) => {}
        }
    }

    /// The candidates that it strikes.
    pub fn strikes(&self) -> &[Candidate] {
        match self {
            Self::Step(step) => &step.strikes,
            _ => &[],
        }
    }

    /// The cells that it speaks of.
    pub fn cells(&self) -> Vec<Cell> {
        let pattern = match self {
            Self::Step(step) => &step.cells[..],
            Self::Guess { .. } => &[],
            Self::Wrong(at) | Self::Struck(at) => &[at.cell],
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
            Self::Wrong(Candidate { cell, digit }) => {
                return write!(f, "{cell} is not {digit}: it has to go first.");
            }
            Self::Struck(Candidate { cell, digit }) => {
                let rest = "but the solution needs it there.";
                return write!(f, "{digit} was struck from {cell}, {rest}");
            }
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

/// The step that a player has to undo, or else the next step. The player has filled in these digits, and left
/// these candidates in the cells without one.
///
/// `several` says whether the puzzle has other solutions too. `None`: all cells are filled, or no step leads on.
///
/// ```
/// use sudoku_batch::{Cell, Digit, Puzzle, Solver, grid::{Candidate, Digits}, guide::{self, Advice}};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let solution = Solver::new().solve(&puzzle).solution().expect("it has one");
/// let (cell, digit) = (Cell::at(0, 1), Digit::new(8).expect("a digit"));
/// let mut filled = puzzle;
/// filled.set(cell, Some(digit));
/// let hint = guide::hint(&filled, &[Digits::ALL; 81], &solution, false);
/// assert_eq!(hint, Some(Advice::Wrong(Candidate { cell, digit })));
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
pub fn hint(
    filled: &Puzzle,
    candidates: &[Digits; CELLS],
    solution: &Grid,
    several: bool,
) -> Option<Advice> {
    let filled_in = |cell| Some((cell, filled.get(cell)?));
    let mut digits = Cell::all().filter_map(filled_in);
    if let Some((cell, digit)) = digits.find(|&(cell, digit)| solution.get(cell) != digit) {
        return Some(Advice::Wrong(Candidate { cell, digit }));
    }
    let mut needed = Cell::all().map(|cell| (cell, solution.get(cell)));
    let is_struck = |&(cell, digit): &(Cell, Digit)| {
        filled.get(cell).is_none() && !candidates[cell.index()].contains(digit)
    };
    if let Some((cell, digit)) = needed.find(is_struck) {
        return Some(Advice::Struck(Candidate { cell, digit }));
    }
    next(
        &Position::with_candidates(filled, candidates),
        solution,
        several,
    )
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
pub fn way(puzzle: impl BatchPuzzle) -> Option<impl Iterator<Item = Advice>> {
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
