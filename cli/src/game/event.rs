//! Inputs and outputs of a game.

use std::time::Duration;
use sudoku_batch::{
    grid::{Cell, Digit, Puzzle},
    technique::Difficulty,
};

/// A direction of the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// To the row above, or the one before.
    Up,
    /// To the row below, or the next one.
    Down,
    /// To the column on the left, or the one before.
    Left,
    /// To the column on the right, or the next one.
    Right,
}

impl Direction {
    /// The cell next to a cell. At the edge it is the cell at the other end.
    pub fn from(self, cell: Cell) -> Cell {
        let (row, column) = (cell.row(), cell.column());
        match self {
            Self::Up => Cell::at((row + 8) % 9, column),
            Self::Down => Cell::at((row + 1) % 9, column),
            Self::Left => Cell::at(row, (column + 8) % 9),
            Self::Right => Cell::at(row, (column + 1) % 9),
        }
    }

    /// Returns true if it leads on, and not back.
    pub fn is_forward(self) -> bool {
        matches!(self, Self::Down | Self::Right)
    }

    /// The entry of a list after or before another one. At the end it is the one at the
    /// other end.
    pub(super) fn along(self, entry: usize, count: usize) -> usize {
        if self.is_forward() {
            (entry + 1) % count
        } else {
            (entry + count - 1) % count
        }
    }
}

/// An action of the player, or a tick of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Choose the next cell in a direction; scroll; turn a page.
    Move(Direction),
    /// Choose a cell.
    Go(Cell),
    /// Choose the next blank cell in reading order.
    NextBlank,
    /// Type a digit: into the cell, as a pencil mark, or as a clue, as was chosen.
    Digit(Digit),
    /// Put in or take out a pencil mark.
    Mark(Digit),
    /// Empty the cell.
    Erase,
    /// Empty the cell, and while editing go back to the cell before.
    EraseBackwards,
    /// Empty the cell, and while editing go on to the next cell.
    Skip,
    /// Type digits as pencil marks, or no more.
    TogglePencil,
    /// Show all candidates as pencil marks, or those by hand.
    ToggleAllMarks,
    /// Write all candidates as pencil marks by hand.
    WriteMarks,
    /// Mark wrong digits, or no more.
    ToggleMistakes,
    /// Type digits as clues, or no more.
    ToggleEditing,
    /// Put another puzzle in the place of the board.
    Paste(Puzzle),
    /// Take out all that is no clue.
    Restart,
    /// Take back the last change.
    Undo,
    /// Do again what was taken back.
    Redo,
    /// Show the next step; the second time do it.
    Hint,
    /// Tell whether the clues have one solution, and whether what is filled in is right.
    Check,
    /// Fill the chosen cell from the solution.
    Fill,
    /// Fill all cells from the solution.
    Solve,
    /// Show all solutions.
    Solutions,
    /// Show the menu of new puzzles.
    Menu,
    /// Show the keys.
    Help,
    /// Stop the clock and hide the board.
    Pause,
    /// Take what is chosen.
    Accept,
    /// Close what lies over the board.
    Cancel,
    /// Go to another record of the file.
    Record(Direction),
    /// Save the game.
    Save,
    /// Leave.
    Quit,
    /// Some time has gone by.
    Tick(Duration),
}

/// A request of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A new puzzle.
    Make(Difficulty),
    /// The new puzzle is not wanted any more.
    StopMaking,
    /// An empty grid to type a puzzle in.
    Empty,
    /// The next or the previous record of the file.
    Record(Direction),
    /// Save the game.
    Save,
    /// Leave.
    Quit,
}

/// An entry of the menu of new puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// A puzzle of a difficulty.
    Make(Difficulty),
    /// An empty grid to type a puzzle in.
    Empty,
}

impl Choice {
    /// The entries in order.
    pub const ALL: &'static [Self] = &[
        Self::Make(Difficulty::Easy),
        Self::Make(Difficulty::Medium),
        Self::Make(Difficulty::Hard),
        Self::Make(Difficulty::Expert),
        Self::Make(Difficulty::Extreme),
        Self::Empty,
    ];
}
