//! The cells of a game.

use sudoku_batch::grid::{
    AnyPuzzle, BatchPuzzle, CELLS, Candidates, Cell, Digit, Digits, Grid, Puzzle,
};

/// A cell of a game: what undo and redo bring back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CellState {
    /// The digit, if it is filled.
    pub digit: Option<Digit>,
    /// True if the digit is a clue.
    pub given: bool,
    /// The pencil marks by hand.
    pub marks: Digits,
    /// The candidates that the player or a hint struck.
    pub struck: Digits,
}

impl CellState {
    /// This state with another digit, or none.
    pub(super) fn with_digit(self, digit: Option<Digit>) -> Self {
        Self { digit, ..self }
    }
}

/// The 81 cells of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    cells: [CellState; CELLS],
    /// The candidates that the puzzle allows, if it is given by them.
    allowed: Option<Candidates>,
}

impl Board {
    /// The board at the start of a game.
    pub fn new(puzzle: impl BatchPuzzle) -> Self {
        let puzzle = puzzle.into();
        let clues = puzzle.clues();
        let state = |n| {
            let digit = Cell::new(n).and_then(|cell| clues.get(cell));
            CellState {
                digit,
                given: digit.is_some(),
                ..CellState::default()
            }
        };
        Self {
            cells: std::array::from_fn(state),
            allowed: match puzzle {
                AnyPuzzle::Cells(_) => None,
                AnyPuzzle::Candidates(candidates) => Some(candidates),
            },
        }
    }

    /// Returns true if the puzzle is given by candidates.
    pub fn is_by_candidates(&self) -> bool {
        self.allowed.is_some()
    }

    /// The puzzle with these clues, and the candidates that are given.
    pub(super) fn with_clues(&self, clues: Puzzle) -> AnyPuzzle {
        let Some(mut candidates) = self.allowed else {
            return clues.into();
        };
        for cell in Cell::all() {
            if let Some(clue) = clues.get(cell) {
                candidates.set(cell, Digits::from_digit(clue));
            }
        }
        candidates.into()
    }

    /// A cell.
    pub const fn cell(&self, cell: Cell) -> &CellState {
        &self.cells[cell.index()]
    }

    pub(super) fn set(&mut self, cell: Cell, state: CellState) {
        self.cells[cell.index()] = state;
    }

    /// The clues.
    pub fn clues(&self) -> Puzzle {
        self.puzzle(|state| state.given)
    }

    /// The clues and what is filled in.
    pub fn filled(&self) -> Puzzle {
        self.puzzle(|_| true)
    }

    fn puzzle(&self, which: impl Fn(&CellState) -> bool) -> Puzzle {
        let mut puzzle = Puzzle::EMPTY;
        for cell in Cell::all().filter(|&cell| which(self.cell(cell))) {
            puzzle.set(cell, self.cell(cell).digit);
        }
        puzzle
    }

    /// The number of blank cells.
    pub fn blanks(&self) -> usize {
        CELLS - self.filled().clue_count()
    }

    /// In how many cells a digit stands.
    pub fn count(&self, digit: Digit) -> usize {
        let has = |state: &&CellState| state.digit == Some(digit);
        self.cells.iter().filter(has).count()
    }

    /// The digits that a blank cell may hold: those that stand in no peer and were not struck. A filled cell
    /// has no candidates.
    pub fn candidates(&self, cell: Cell) -> Digits {
        let state = self.cell(cell);
        if state.digit.is_some() {
            return Digits::NONE;
        }
        let candidates = self.filled().candidates(cell);
        let allowed = self
            .allowed
            .map_or(Digits::ALL, |allowed| allowed.get(cell));
        Digits::from_bits(candidates.bits() & allowed.bits() & !state.struck.bits())
    }

    /// Returns true if every cell is filled and no rule is broken.
    pub fn is_solved(&self) -> bool {
        Grid::from_ascii(self.filled().as_ascii()).is_ok_and(|grid| grid.is_valid())
    }
}
