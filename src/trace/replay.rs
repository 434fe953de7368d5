//! A grid and its marks while a trace is written.

use crate::grid::{AnyPuzzle, BLANK, CELLS, PEERS};

/// The parts of the position that are shown after each step of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Extras {
    /// `board`: the 81 cells.
    pub(crate) boards: bool,
    /// `candidates`: 729 characters, nine for each cell: the digits that it may hold, and a point for
    /// each that it may not. A filled cell has its digit alone.
    pub(crate) candidates: bool,
}

/// The cells, and nine marks for each.
#[derive(Clone)]
struct Grid {
    cells: [u8; CELLS],
    marks: [[u8; 9]; CELLS],
}

/// A grid that follows a trace.
pub(super) struct Replay {
    grid: Grid,
    /// The grids before the guesses that stand.
    before: Vec<Grid>,
    extras: Extras,
}

impl Replay {
    pub(super) fn new(puzzle: &AnyPuzzle, extras: Extras) -> Self {
        let mut grid = Grid {
            cells: [BLANK; CELLS],
            marks: [*b"123456789"; CELLS],
        };
        if let AnyPuzzle::Candidates(candidates) = puzzle {
            let marks = candidates.to_ascii(BLANK);
            grid.marks.as_flattened_mut().copy_from_slice(&marks);
        }
        let before = Vec::new();
        let mut replay = Self {
            grid,
            before,
            extras,
        };
        if extras.any() {
            for (cell, &clue) in puzzle.clues().as_ascii().iter().enumerate() {
                if clue != BLANK {
                    replay.place(cell, clue - b'1');
                }
            }
        }
        replay
    }

    /// Fills a cell with a digit, from 0.
    pub(super) fn place(&mut self, cell: usize, digit: u8) {
        if !self.extras.any() {
            return;
        }
        self.grid.cells[cell] = b'1' + digit;
        self.grid.marks[cell] = [BLANK; 9];
        self.grid.marks[cell][usize::from(digit)] = b'1' + digit;
        for peer in PEERS[cell] {
            self.strike(peer.into(), digit);
        }
    }

    /// Strikes a candidate.
    pub(super) fn strike(&mut self, cell: usize, digit: u8) {
        self.grid.marks[cell][usize::from(digit)] = BLANK;
    }

    /// Remembers the grid before a guess.
    pub(super) fn guess(&mut self) {
        if self.extras.any() {
            self.before.push(self.grid.clone());
        }
    }

    /// Takes the last guess back.
    pub(super) fn take_back(&mut self) {
        if self.extras.any() {
            self.grid = self.before.pop().expect("a guess stands");
        }
    }

    /// The 81 cells.
    pub(super) fn board(&self) -> &[u8] {
        &self.grid.cells
    }

    /// The 729 marks.
    pub(super) fn marks(&self) -> &[u8] {
        self.grid.marks.as_flattened()
    }
}

impl Extras {
    pub(super) fn any(self) -> bool {
        self.boards || self.candidates
    }
}
