//! Hints, checks and solutions.

use super::{Change, Game, solved};
use std::fmt;
use sudoku_batch::{
    grid::{Candidate, Cell, Digit, Grid, Puzzle},
    guide::{self, Advice},
    solve::{Outcome, Solver},
    technique::Position,
};

/// Advice on the next step, in the words of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// A digit is wrong: it has to go first.
    Wrong(Cell, Digit),
    /// A candidate was struck that the cell needs.
    Struck(Cell, Digit),
    /// The next step, or a guess.
    Advice(Advice),
}

impl Hint {
    /// The cells that it speaks of.
    pub fn cells(&self) -> Vec<Cell> {
        match self {
            Self::Wrong(cell, _) | Self::Struck(cell, _) => vec![*cell],
            Self::Advice(advice) => advice.cells(),
        }
    }

    fn first_cell(&self) -> Option<Cell> {
        match self {
            Self::Wrong(cell, _) | Self::Struck(cell, _) => Some(*cell),
            Self::Advice(advice) => {
                let place = advice.place().map(|place| place.cell);
                place.or(advice.strikes().first().map(|strike| strike.cell))
            }
        }
    }
}

impl fmt::Display for Hint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wrong(cell, digit) => write!(f, "{cell} is not {digit}: it has to go first."),
            Self::Struck(cell, digit) => {
                write!(
                    f,
                    "{digit} was struck from {cell}, but the solution needs it there."
                )
            }
            Self::Advice(advice @ Advice::Step(step)) => {
                let name = advice.name();
                let (first, rest) = name.split_at(1);
                write!(
                    f,
                    "{}{rest} ({}): {advice}",
                    first.to_uppercase(),
                    step.rating()
                )
            }
            Self::Advice(advice) => advice.fmt(f),
        }
    }
}

impl Game {
    /// Shows the next step; when it is shown, does it.
    pub(super) fn ask_hint(&mut self) {
        if let Some(hint) = self.hint.take() {
            self.follow(&hint);
            return;
        }
        if self.is_solved() {
            self.say("The puzzle is solved.");
            return;
        }
        match self.next_hint() {
            Ok(hint) => {
                self.cursor = hint.first_cell().unwrap_or(self.cursor);
                self.say(format!("{hint} (H again does it.)"));
                self.hint = Some(hint);
            }
            Err(why) => self.warn(why),
        }
    }

    fn next_hint(&self) -> Result<Hint, String> {
        let (solution, several) = match self.answer {
            Outcome::NoSolution => {
                return Err(
                    "No solution exists, so no step leads there. e edits the puzzle.".into(),
                );
            }
            Outcome::Unique(grid) => (grid, false),
            Outcome::Multiple(_) => (self.rest()?, true),
        };
        let wrong = self
            .wrong_cell(&solution)
            .map(|(cell, digit)| Hint::Wrong(cell, digit));
        // In a puzzle with several solutions a strike may be a choice between them.
        let struck = || Cell::all().find(|&cell| self.needs_struck(cell, &solution));
        let struck = || struck().map(|cell| Hint::Struck(cell, solution.get(cell)));
        if let Some(hint) = wrong.or_else(struck) {
            return Ok(hint);
        }
        let candidates =
            std::array::from_fn(|n| self.board.candidates(Cell::new(n).expect("81 cells")));
        let position = Position::with_candidates(&self.board.filled(), &candidates);
        let advice = guide::next(&position, &solution, several);
        let advice = advice.ok_or("No step leads on. Undo (u) until one does.")?;
        Ok(Hint::Advice(advice))
    }

    /// The smallest solution of what is filled in.
    fn rest(&self) -> Result<Grid, String> {
        let rest = solved(&self.board.with_clues(self.board.filled())).solution();
        rest.ok_or_else(|| {
            "No solution is left with what is filled in. Undo (u) until one is.".into()
        })
    }

    fn wrong_cell(&self, solution: &Grid) -> Option<(Cell, Digit)> {
        let digit = |cell| Some((cell, self.board.cell(cell).digit?));
        let mut filled = Cell::all().filter_map(digit);
        filled.find(|&(cell, digit)| solution.get(cell) != digit)
    }

    fn needs_struck(&self, cell: Cell, solution: &Grid) -> bool {
        let state = self.board.cell(cell);
        state.digit.is_none() && state.struck.contains(solution.get(cell))
    }

    fn follow(&mut self, hint: &Hint) {
        let mut change = Change::new();
        match hint {
            Hint::Wrong(cell, _) => {
                change.push((*cell, self.board.cell(*cell).with_digit(None)));
            }
            Hint::Struck(cell, digit) => {
                let mut state = *self.board.cell(*cell);
                state.struck.remove(*digit);
                change.push((*cell, state));
            }
            Hint::Advice(advice) => {
                if let Some(Candidate { cell, digit }) = advice.place() {
                    self.say(format!("{cell} is {digit}."));
                    self.enter(cell, digit);
                    return;
                }
                for strike in advice.strikes() {
                    let known = change.iter().position(|(cell, _)| *cell == strike.cell);
                    let at = known.unwrap_or_else(|| {
                        change.push((strike.cell, *self.board.cell(strike.cell)));
                        change.len() - 1
                    });
                    change[at].1.struck.insert(strike.digit);
                    change[at].1.marks.remove(strike.digit);
                }
            }
        }
        self.change(change);
        self.say(match hint {
            Hint::Wrong(..) => "It is gone.",
            Hint::Struck(..) => "It is a candidate again.",
            Hint::Advice(_) if self.settings.all_marks => "The candidates are struck.",
            Hint::Advice(_) => "The candidates are struck. a shows all that are left.",
        });
    }

    pub(super) fn check(&mut self) {
        const LIMIT: u64 = 1000;
        match self.answer {
            Outcome::NoSolution => self.say_no_solution(),
            Outcome::Unique(solution) => {
                let filled = self.board.filled();
                let wrong = wrong_count(&filled, &solution);
                match wrong {
                    _ if filled == self.board.clues() => {
                        self.say("The puzzle has exactly one solution.");
                    }
                    0 => self.say("Exactly one solution, and all digits so far are right."),
                    1 => self.warn("Exactly one solution, and 1 digit is wrong."),
                    n => self.warn(format!("Exactly one solution, and {n} digits are wrong.")),
                }
            }
            Outcome::Multiple(_) => {
                let puzzle = self.board.with_clues(self.board.clues());
                let count = Solver::new().count(&puzzle, LIMIT + 1);
                let count = if count > LIMIT {
                    "more than 1,000".to_owned()
                } else {
                    count.to_string()
                };
                let rest = self.rest().err().unwrap_or_default();
                if rest.is_empty() {
                    self.say(format!("The puzzle has {count} solutions."))
                } else {
                    self.warn(format!("The puzzle has {count} solutions. {rest}"))
                }
            }
        }
    }

    /// The solution that the game fills cells from: it has as much of what is filled in as
    /// there can be.
    fn solution(&mut self) -> Option<Grid> {
        let found = match self.answer {
            Outcome::Unique(grid) => Some(grid),
            Outcome::Multiple(grid) => Some(self.rest().unwrap_or(grid)),
            Outcome::NoSolution => None,
        };
        if found.is_none() {
            self.say_no_solution();
        }
        found
    }

    pub(super) fn fill(&mut self) {
        if !self.may_fill() {
            return;
        }
        let cell = self.cursor;
        if let Some(solution) = self.solution() {
            let digit = solution.get(cell);
            self.say(format!("{cell} is {digit}."));
            self.enter(cell, digit);
        }
    }

    pub(super) fn solve(&mut self) {
        let Some(solution) = self.solution() else {
            return;
        };
        let fill = |cell| {
            let digit = Some(solution.get(cell));
            (cell, self.board.cell(cell).with_digit(digit))
        };
        let change = Cell::all().map(fill).collect();
        self.change(change);
        self.say(match self.answer {
            Outcome::Multiple(_) => "This is one of several solutions. S shows all.",
            _ => "This is the only solution.",
        });
    }
}

fn wrong_count(filled: &Puzzle, solution: &Grid) -> usize {
    let differs = |&cell: &Cell| filled.get(cell).is_some_and(|d| d != solution.get(cell));
    Cell::all().filter(differs).count()
}
