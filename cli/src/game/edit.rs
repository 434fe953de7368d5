//! Filling cells, by hand.

use super::{Change, Game, board::CellState};
use sudoku_batch::{
    grid::{Cell, Conflict, Digit, Digits, HouseKind, PEERS, Puzzle},
    solve::Outcome,
};

impl Game {
    pub(super) fn type_digit(&mut self, digit: Digit) {
        if self.editing {
            self.type_clue(digit);
        } else if self.settings.pencil {
            self.toggle_mark(digit);
        } else if self.may_fill() {
            self.enter(self.cursor, digit);
        }
    }

    pub(super) fn may_fill(&mut self) -> bool {
        let given = self.board.cell(self.cursor).given;
        if given {
            let cell = self.cursor;
            self.warn(format!("{cell} is a clue. Press e to edit the puzzle."));
        }
        !given
    }

    /// Fills a cell. Its peers lose the digit from their marks by hand. Says which houses
    /// have the digit already.
    pub(super) fn enter(&mut self, cell: Cell, digit: Digit) {
        let filled = self.board.cell(cell).with_digit(Some(digit));
        let mut change: Change = vec![(cell, filled)];
        for peer in PEERS[cell.index()] {
            let peer = Cell::new(peer.into()).expect("a peer is a cell");
            let mut state = *self.board.cell(peer);
            state.marks.remove(digit);
            change.push((peer, state));
        }
        self.change(change);
        if let Some(words) = self.repeated(&self.board.filled(), cell) {
            self.warn(words);
        }
    }

    fn repeated(&self, puzzle: &Puzzle, cell: Cell) -> Option<String> {
        let here = |conflict: &&Conflict| [conflict.first, conflict.second].contains(&cell);
        let conflicts = puzzle.conflicts();
        let words = conflicts.iter().filter(here).map(|conflict| {
            let (house, number) = match conflict.house {
                HouseKind::Row => ("Row", cell.row()),
                HouseKind::Column => ("Column", cell.column()),
                HouseKind::Box => ("Box", cell.box_index()),
            };
            let other = if conflict.first == cell {
                conflict.second
            } else {
                conflict.first
            };
            let digit = conflict.digit;
            format!("{house} {} already has a {digit}, at {other}.", number + 1)
        });
        let words: Vec<String> = words.collect();
        (!words.is_empty()).then(|| words.join(" "))
    }

    /// Puts in a clue and goes on to the next cell. A clue that repeats another one of its
    /// row, column or box is refused.
    fn type_clue(&mut self, digit: Digit) {
        let mut clues = self.board.clues();
        clues.set(self.cursor, Some(digit));
        if let Some(words) = self.repeated(&clues, self.cursor) {
            self.warn(format!("Refused: {words}"));
            return;
        }
        let state = CellState {
            digit: Some(digit),
            given: true,
            ..CellState::default()
        };
        self.change(vec![(self.cursor, state)]);
        self.after_edit();
        self.go_on(1);
    }

    /// Goes on by some cells in reading order, around the end.
    fn go_on(&mut self, cells: usize) {
        let next = (self.cursor.index() + cells) % sudoku_batch::grid::CELLS;
        self.cursor = Cell::new(next).expect("a rest is a cell");
    }

    fn after_edit(&mut self) {
        self.answer = self.solve_clues();
        match self.answer {
            Outcome::NoSolution => self.say_no_solution(),
            Outcome::Unique(_) => self.say("The puzzle has exactly one solution."),
            Outcome::Multiple(_) => self.say("The puzzle has several solutions so far."),
        }
    }

    pub(super) fn say_no_solution(&mut self) {
        match self.board.clues().conflict() {
            Some(conflict) => self.warn(format!(
                "No solution exists: a {} has {conflict}.",
                conflict.house
            )),
            None => self.warn("No solution exists."),
        }
    }

    pub(super) fn toggle_mark(&mut self, digit: Digit) {
        let mut state = *self.board.cell(self.cursor);
        if state.digit.is_some() {
            let cell = self.cursor;
            self.warn(format!(
                "{cell} is filled: pencil marks go into blank cells."
            ));
            return;
        }
        let toggled =
            |digits: Digits| Digits::from_bits(digits.bits() ^ Digits::from_digit(digit).bits());
        if !self.settings.all_marks {
            state.marks = toggled(state.marks);
        } else if self.board.filled().candidates(self.cursor).contains(digit) {
            state.struck = toggled(state.struck);
        } else {
            let cell = self.cursor;
            self.warn(format!("{digit} is no candidate of {cell}: a peer has it."));
        }
        self.change(vec![(self.cursor, state)]);
    }

    /// Empties the chosen cell; a blank one loses its marks.
    pub(super) fn erase(&mut self) {
        if !self.editing && !self.may_fill() {
            return;
        }
        let state = *self.board.cell(self.cursor);
        let state = match state.digit {
            Some(_) => CellState {
                digit: None,
                given: false,
                ..state
            },
            None => CellState::default(),
        };
        let changed = self.change(vec![(self.cursor, state)]);
        if self.editing && changed {
            self.after_edit();
        }
    }

    pub(super) fn skip(&mut self) {
        self.erase();
        if self.editing {
            self.go_on(1);
        }
    }

    pub(super) fn erase_backwards(&mut self) {
        if self.editing && self.board.cell(self.cursor).digit.is_none() {
            self.go_on(sudoku_batch::grid::CELLS - 1);
        }
        self.erase();
    }

    pub(super) fn toggle_pencil(&mut self) {
        self.settings.pencil = !self.settings.pencil;
        self.say(if self.settings.pencil {
            "Digits are pencil marks now."
        } else {
            "Digits fill cells now."
        });
    }

    pub(super) fn toggle_all_marks(&mut self) {
        self.settings.all_marks = !self.settings.all_marks;
        self.say(if self.settings.all_marks {
            "All candidates are shown as pencil marks."
        } else {
            "Pencil marks are yours."
        });
    }

    pub(super) fn write_marks(&mut self) {
        let blank = Cell::all().filter(|&cell| self.board.cell(cell).digit.is_none());
        let with_marks = |cell| {
            let state = CellState {
                marks: self.board.candidates(cell),
                ..*self.board.cell(cell)
            };
            (cell, state)
        };
        let change = blank.map(with_marks).collect();
        self.change(change);
        self.settings.all_marks = false;
        self.say("All candidates are written down as your pencil marks.");
    }

    pub(super) fn toggle_mistakes(&mut self) {
        self.settings.mistakes = !self.settings.mistakes;
        let only = matches!(self.answer, Outcome::Unique(_));
        self.say(match self.settings.mistakes {
            true if only => "Mistakes are marked with `!`.",
            true => "Mistakes are marked in puzzles with one solution only.",
            false => "Mistakes are not marked. Duplicates are.",
        });
    }

    pub(super) fn toggle_editing(&mut self) {
        self.editing = !self.editing;
        self.hint = None;
        if self.editing {
            self.say("Edit: type the clues. 0 or Space leaves a cell blank. e ends.")
        } else {
            self.check()
        }
    }

    pub(super) fn paste(&mut self, puzzle: &Puzzle) {
        if self.board.is_by_candidates() {
            // Its candidates are no longer those that are given, and no undo brings them back.
            let settings = self.settings;
            *self = Self::new(puzzle, std::mem::take(&mut self.label)).with_settings(settings);
            return self.check();
        }
        let pasted = super::Board::new(puzzle);
        self.change(Cell::all().map(|cell| (cell, *pasted.cell(cell))).collect());
        self.answer = self.solve_clues();
        self.check();
    }

    pub(super) fn restart(&mut self) {
        let clues = super::Board::new(&self.board.clues());
        let changed = self.change(Cell::all().map(|cell| (cell, *clues.cell(cell))).collect());
        self.say(if changed {
            "Only the clues are left. u brings the rest back."
        } else {
            "There are only clues."
        });
    }
}
