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
//! cell has a *role* ([`Content`] and [`Ground`]), and whoever shows it chooses the look.
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
pub mod sheet;
pub mod svg;

use crate::grid::{CELLS, Cell, Digit, Digits, Grid, Puzzle};

/// The content of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Content {
    /// Nothing.
    #[default]
    Blank,
    /// A clue of the puzzle.
    Clue(Digit),
    /// A digit that was found.
    Entry(Digit),
}

impl Content {
    /// The digit in the cell.
    pub const fn digit(self) -> Option<Digit> {
        match self {
            Self::Blank => None,
            Self::Clue(digit) | Self::Entry(digit) => Some(digit),
        }
    }
}

/// The ground that a cell lies on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Ground {
    /// Nothing special.
    #[default]
    Plain,
    /// A house of the chosen cell.
    House,
    /// A cell with the digit of the chosen cell.
    Same,
    /// A cell that a step speaks of.
    Step,
    /// The chosen cell.
    Cursor,
}

/// One cell of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Square {
    /// The clue or the digit.
    pub content: Content,
    /// True if something is wrong with it. An exclamation mark says so where there are no
    /// colours.
    pub wrong: bool,
    /// The pencil marks. They are drawn in blank cells.
    pub marks: Digits,
    /// Those marks that stand out.
    pub bright: Digits,
    /// Those marks that are struck out.
    pub struck: Digits,
    /// The ground that the cell lies on.
    pub ground: Ground,
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
            content: puzzle.get(cell).map_or(Content::Blank, Content::Clue),
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
            if square.content == Content::Blank {
                square.content = Content::Entry(solution.get(cell));
            }
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
