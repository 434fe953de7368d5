//! Symmetries of the pattern of clues: they say which cells go together.

use crate::{
    grid::{BLANK, CELLS, Cell, Puzzle},
    name::named,
};

named! {
    /// A symmetry of the pattern of clues.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum Symmetry, a "symmetry" {
        /// No symmetry: each cell is on its own.
        #[default]
        None = "none",
        /// The pattern stays the same under a half turn of the grid.
        Rotate180 = "rotate180",
        /// The pattern stays the same under a quarter turn of the grid.
        Rotate90 = "rotate90",
        /// The upper half is the mirror image of the lower half.
        Horizontal = "horizontal",
        /// The left half is the mirror image of the right half.
        Vertical = "vertical",
        /// The pattern stays the same when rows and columns are exchanged.
        Diagonal = "diagonal",
    }
}

impl Symmetry {
    /// The symmetry in words.
    pub const fn about(self) -> &'static str {
        match self {
            Self::None => "Any pattern",
            Self::Rotate180 => "The pattern stays when it is turned by half a turn",
            Self::Rotate90 => "The pattern stays when it is turned by a quarter turn",
            Self::Horizontal => "The lower half mirrors the upper half",
            Self::Vertical => "The right half mirrors the left half",
            Self::Diagonal => "The pattern stays when rows and columns change places",
        }
    }

    fn image(self, cell: Cell) -> Cell {
        let (row, column) = (cell.row(), cell.column());
        match self {
            Self::None => cell,
            Self::Rotate180 => Cell::at(8 - row, 8 - column),
            Self::Rotate90 => Cell::at(column, 8 - row),
            Self::Horizontal => Cell::at(8 - row, column),
            Self::Vertical => Cell::at(row, 8 - column),
            Self::Diagonal => Cell::at(column, row),
        }
    }

    /// Returns true if the pattern of clues of a puzzle stays the same.
    ///
    /// ```
    /// use sudoku_batch::{Puzzle, puzzle::Symmetry};
    /// let puzzle: Puzzle = format!("1{}9", ".".repeat(79)).parse()?;
    /// assert!(Symmetry::Rotate180.is_kept_by(&puzzle) && Symmetry::Diagonal.is_kept_by(&puzzle));
    /// assert!(!Symmetry::Rotate90.is_kept_by(&puzzle));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn is_kept_by(self, puzzle: &Puzzle) -> bool {
        let is_clue = |cell: Cell| puzzle.as_ascii()[cell.index()] != BLANK;
        Cell::all().all(|cell| is_clue(cell) == is_clue(self.image(cell)))
    }

    /// The orbits: the cells that go together, in reading order of their first cells.
    pub(super) fn orbits(self) -> Vec<Vec<Cell>> {
        let mut seen = [false; CELLS];
        let mut orbits = Vec::new();
        for first in Cell::all() {
            let mut orbit = Vec::new();
            let mut cell = first;
            while !seen[cell.index()] {
                seen[cell.index()] = true;
                orbit.push(cell);
                cell = self.image(cell);
            }
            if !orbit.is_empty() {
                orbits.push(orbit);
            }
        }
        orbits
    }

    /// Returns true if the sizes of some orbits add up to this number of cells.
    pub(super) fn can_have(self, cells: usize) -> bool {
        let mut sums = [false; CELLS + 1];
        sums[0] = true;
        for orbit in self.orbits() {
            for sum in (orbit.len()..=CELLS).rev() {
                sums[sum] |= sums[sum - orbit.len()];
            }
        }
        sums[cells]
    }
}
