//! The visible part of a game.

use super::{Dialog, Game};
use crate::lattice::Ground;
use sudoku_batch::{
    draw::{Picture, Square},
    grid::{Cell, Digits, PEERS, Puzzle},
    guide::Advice,
    solve::Outcome,
};

impl Game {
    /// The picture of all cells. While a solution is shown it is that; while the
    /// clock stands it is nothing.
    pub fn picture(&self) -> Picture {
        match &self.dialog {
            Dialog::Solutions(pager) => {
                return Picture::solved(&self.board.clues(), pager.solution());
            }
            Dialog::Pause => return Picture::new(&Puzzle::EMPTY),
            _ => {}
        }
        let filled = self.board.filled();
        // Digits that stand twice in a house are wrong in it.
        let mut picture = Picture::new(&filled);
        for cell in Cell::all() {
            let (marks, bright) = self.marks(cell);
            let square = picture.square_mut(cell);
            *square = Square {
                digit: square.digit,
                is_clue: square.is_clue && self.board.cell(cell).given,
                wrong: square.wrong || self.is_mistake(cell),
                marks,
                bright,
                struck: self.struck(cell),
            };
        }
        picture
    }

    /// Returns true if mistakes are to be marked and the digit in a cell is one.
    fn is_mistake(&self, cell: Cell) -> bool {
        let Outcome::Unique(solution) = self.answer else {
            return false;
        };
        let state = self.board.cell(cell);
        let differs = state.digit.is_some_and(|digit| digit != solution.get(cell));
        self.settings.mistakes && differs && !state.given
    }

    /// The pencil marks of a cell, and those that stand out: the digit of the chosen cell,
    /// and that of a hint. The cells of a hint show their candidates.
    fn marks(&self, cell: Cell) -> (Digits, Digits) {
        let in_hint = self
            .hint
            .as_ref()
            .is_some_and(|hint| hint.cells().contains(&cell));
        let marks = if self.settings.all_marks || in_hint {
            self.board.candidates(cell)
        } else {
            self.board.cell(cell).marks
        };
        let mut bright: Digits = self.chosen_digit().into_iter().collect();
        if let Some(advice @ (Advice::Step(_) | Advice::Guess { .. })) = &self.hint
            && in_hint
        {
            let of_step = match advice {
                Advice::Step(step) => step.digits,
                _ => Digits::NONE,
            };
            let placed = advice.place().map(|place| place.digit);
            bright = of_step.iter().chain(placed).collect();
        }
        (marks, bright)
    }

    fn struck(&self, cell: Cell) -> Digits {
        let strikes = self.hint.as_ref().map_or(&[][..], Advice::strikes);
        let here = strikes.iter().filter(|strike| strike.cell == cell);
        here.map(|strike| strike.digit).collect()
    }

    /// The ground that a cell lies on. While a solution is shown or the clock stands, all is plain.
    pub fn ground(&self, cell: Cell) -> Ground {
        if matches!(self.dialog, Dialog::Solutions(_) | Dialog::Pause) {
            return Ground::Plain;
        }
        let in_hint = |cell| {
            self.hint
                .as_ref()
                .is_some_and(|hint| hint.cells().contains(&cell))
        };
        let same = |cell| {
            let digit = self.board.cell(cell).digit;
            digit.is_some() && digit == self.chosen_digit()
        };
        let peers = &PEERS[self.cursor.index()];
        match cell {
            _ if cell == self.cursor => Ground::Cursor,
            _ if in_hint(cell) => Ground::Step,
            _ if same(cell) => Ground::Same,
            _ if peers.contains(&(cell.index() as u8)) => Ground::House,
            _ => Ground::Plain,
        }
    }
}
