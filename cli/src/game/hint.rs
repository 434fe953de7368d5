//! Hints, checks and solutions.

use super::{Change, Game, solved};
use sudoku_batch::{
    grid::{Candidate, Cell, Grid, Puzzle},
    guide::{self, Advice},
    solve::{Outcome, Solver},
    words::{counted, said},
};

/// The cell of a hint that the cursor goes to.
fn first_cell(hint: &Advice) -> Option<Cell> {
    let place = hint.place().map(|place| place.cell);
    let strike = || hint.strikes().first().map(|strike| strike.cell);
    place.or_else(strike).or(hint.cells().first().copied())
}

/// A hint in the words of the game.
fn words(hint: &Advice) -> String {
    let Advice::Step(step) = hint else {
        return hint.to_string();
    };
    let (first, rest) = hint.name().split_at(1);
    format!("{}{rest} ({}): {hint}", first.to_uppercase(), step.rating())
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
                self.cursor = first_cell(&hint).unwrap_or(self.cursor);
                self.say(format!("{} (H again does it.)", words(&hint)));
                self.hint = Some(hint);
            }
            Err(why) => self.warn(why),
        }
    }

    fn next_hint(&self) -> Result<Advice, String> {
        let (solution, several) = match self.answer {
            Outcome::NoSolution => {
                return Err(
                    "No solution exists, so no step leads there. e edits the puzzle.".into(),
                );
            }
            Outcome::Unique(grid) => (grid, false),
            Outcome::Multiple(_) => (self.rest()?, true),
        };
        let candidates =
            std::array::from_fn(|n| self.board.candidates(Cell::new(n).expect("81 cells")));
        let advice = guide::hint(&self.board.filled(), &candidates, &solution, several);
        advice.ok_or_else(|| "No step leads on. Undo (u) until one does.".into())
    }

    /// The smallest solution of what is filled in.
    fn rest(&self) -> Result<Grid, String> {
        let rest = solved(&self.board.with_clues(self.board.filled())).solution();
        rest.ok_or_else(|| {
            "No solution is left with what is filled in. Undo (u) until one is.".into()
        })
    }

    fn follow(&mut self, hint: &Advice) {
        let mut change = Change::new();
        match hint {
            Advice::Wrong(Candidate { cell, .. }) => {
                change.push((*cell, self.board.cell(*cell).with_digit(None)));
            }
            Advice::Struck(Candidate { cell, digit }) => {
                let mut state = *self.board.cell(*cell);
                state.struck.remove(*digit);
                change.push((*cell, state));
            }
            advice => {
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
            Advice::Wrong(_) => "It is gone.",
            Advice::Struck(_) => "It is a candidate again.",
            _ if self.settings.all_marks => "The candidates are struck.",
            _ => "The candidates are struck. a shows all that are left.",
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
                    n => {
                        let (digits, are) = (counted(n as u64, "digits"), said(n as u64, "are"));
                        self.warn(format!("Exactly one solution, and {digits} {are} wrong."));
                    }
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
