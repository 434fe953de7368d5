//! Drawing grids: as an SVG picture, and as an HTML sheet to print.
//!
//! A [`Picture`] says what is to be seen in each cell. Two things draw it:
//!
//! | what | for |
//! |---|---|
//! | [`svg::document`] | a picture for a worksheet |
//! | [`sheet::Sheet`] | a page to print with many puzzles, and their answers on the last pages |
//!
//! The command draws it on a terminal too. Nothing here knows a file, and no drawing of a grid knows a colour: a
//! cell has a *role* ([`Square`]), and whoever shows it chooses the look.
//!
//! ```
//! use sudoku_batch::{Puzzle, draw::{Picture, svg}};
//! let puzzle: Puzzle =
//!     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
//! let picture = svg::document(&Picture::new(&puzzle), "Monday");
//! assert!(picture.starts_with("<svg"));
//! # Ok::<(), sudoku_batch::ParseError>(())
//! ```

#[doc(hidden)]
pub mod language;
#[doc(hidden)]
pub mod sheet;
pub mod svg;

use crate::grid::{CELLS, Cell, Digit, Digits, Grid, Puzzle};

/// One cell of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Square {
    /// The digit in the cell.
    pub digit: Option<Digit>,
    /// True if the digit is a clue of the puzzle, and not one that was found.
    pub is_clue: bool,
    /// True if something is wrong with it. An exclamation mark says so where there are no
    /// colours.
    pub wrong: bool,
    /// The pencil marks. They are drawn in blank cells.
    pub marks: Digits,
    /// The marks that stand out.
    pub bright: Digits,
    /// The marks that are struck out.
    pub struck: Digits,
}

/// A picture of a grid: what is to be seen in each cell.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Picture {
    squares: [Square; CELLS],
}

impl Picture {
    /// A puzzle: its clues. Clues that repeat another one of their house are wrong, and so
    /// is the one that they repeat.
    pub fn new(puzzle: &Puzzle) -> Self {
        let square = |cell| Square {
            digit: puzzle.get(cell),
            is_clue: puzzle.get(cell).is_some(),
            ..Square::default()
        };
        let mut picture = Self {
            squares: std::array::from_fn(|n| square(Cell::known(n))),
        };
        for conflict in puzzle.conflicts() {
            picture.square_mut(conflict.first).wrong = true;
            picture.square_mut(conflict.second).wrong = true;
        }
        picture
    }

    /// A puzzle with a solution of it: clues and entries.
    pub fn solved(puzzle: &Puzzle, solution: &Grid) -> Self {
        let mut picture = Self::new(puzzle);
        for cell in Cell::all() {
            let square = picture.square_mut(cell);
            square.digit.get_or_insert(solution.get(cell));
        }
        picture
    }

    /// The picture with the candidates of each blank cell as pencil marks.
    #[must_use]
    pub fn with_candidates(self, puzzle: &Puzzle) -> Self {
        self.with_marks(|cell| puzzle.candidates(cell))
    }

    /// The picture with these candidates of each blank cell as pencil marks.
    #[must_use]
    pub fn with_marks(mut self, marks: impl Fn(Cell) -> Digits) -> Self {
        for cell in Cell::all() {
            self.square_mut(cell).marks = marks(cell);
        }
        self
    }

    /// A cell.
    pub const fn square(&self, cell: Cell) -> &Square {
        &self.squares[cell.index()]
    }

    /// A cell, to be changed.
    pub const fn square_mut(&mut self, cell: Cell) -> &mut Square {
        &mut self.squares[cell.index()]
    }
}
