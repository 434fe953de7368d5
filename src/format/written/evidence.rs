//! The evidence that 81 cells are a puzzle.

use super::signs::BLANK;
use crate::puzzle::FEWEST_CLUES;

/// 81 digits and blanks.
pub(super) type Cells = [u8; 81];

/// Cells that a reading found, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// The place of the first byte, and of the last row or of its end.
    pub(super) place: (usize, usize),
    pub(super) cells: Cells,
    /// The column, the key or the number in its line.
    pub(super) key: u32,
}

/// The bit of each digit, and none for a blank.
static BITS: [u16; 256] = {
    let mut bits = [0; 256];
    let mut digit = 1;
    while digit < 10 {
        bits[b'0' as usize + digit] = 1 << digit;
        digit += 1;
    }
    bits
};

/// The kind of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No digit twice in a house, and blanks.
    Puzzle,
    /// No digit twice in a house, and no blank.
    Full,
    /// Fewer clues than a puzzle with one solution has.
    Few,
    /// A digit twice in a house.
    Improper,
}

/// The digits of a row of nine cells, as bits: nine rows are compared in a few instructions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RowOfDigits {
    /// Nine bits for each column: its digit.
    columns: u128,
    /// Nine bits for each of the three boxes: its digits.
    boxes: u32,
    clues: u32,
    /// True if a digit is in the row twice.
    is_improper: bool,
}

impl RowOfDigits {
    pub(super) fn of(cells: &[u8; 9]) -> Self {
        let mut row = Self::default();
        let mut seen = 0;
        for (column, &cell) in cells.iter().enumerate() {
            if cell == BLANK {
                continue;
            }
            let bit = 1u32 << (cell - b'1');
            row.is_improper |= seen & bit != 0;
            seen |= bit;
            row.columns |= u128::from(bit) << (9 * column);
            row.boxes |= bit << (9 * (column / 3));
            row.clues += 1;
        }
        row
    }
}

impl Kind {
    /// The kind of nine rows, from above.
    pub(super) fn of_rows<'r>(rows: impl Iterator<Item = &'r RowOfDigits>) -> Self {
        let (mut columns, mut boxes, mut clues) = (0, 0, 0);
        for (number, row) in rows.enumerate() {
            if number % 3 == 0 {
                boxes = 0;
            }
            if row.is_improper || columns & row.columns != 0 || boxes & row.boxes != 0 {
                return Self::Improper;
            }
            columns |= row.columns;
            boxes |= row.boxes;
            clues += row.clues;
        }
        Self::with_clues(clues as usize)
    }

    /// The kind of a grid without a digit twice in a house.
    fn with_clues(clues: usize) -> Self {
        match clues {
            81 => Self::Full,
            FEWEST_CLUES.. => Self::Puzzle,
            _ => Self::Few,
        }
    }

    pub(super) fn of(cells: &Cells) -> Self {
        // Blanks are not foreseen, so no cell has a branch. With branches here and in stencils, links took twice as long.
        let bits = cells.map(|cell| BITS[usize::from(cell)]);
        let (mut columns, mut twice) = ([0; 9], 0);
        for band in bits.as_chunks::<27>().0 {
            let mut boxes = [0; 3];
            for row in band.as_chunks::<9>().0 {
                let mut of_row = 0;
                for (at, &bit) in row.iter().enumerate() {
                    twice |= bit & (of_row | columns[at] | boxes[at / 3]);
                    of_row |= bit;
                    columns[at] |= bit;
                    boxes[at / 3] |= bit;
                }
            }
        }
        if twice != 0 {
            return Self::Improper;
        }
        Self::with_clues(bits.iter().filter(|&&bit| bit != 0).count())
    }

    /// Returns true if it may be a puzzle or its solution.
    pub(super) fn is_proper(self) -> bool {
        matches!(self, Self::Puzzle | Self::Full)
    }
}

/// The worth of what a reading found: the better it explains the text, the greater.
pub(super) fn score(found: &[Found], cost: f64, digits: u32) -> f64 {
    let mut score = -cost;
    let mut used = 0;
    for found in found {
        score += match Kind::of(&found.cells) {
            Kind::Puzzle => 81.0,
            Kind::Full => 60.0,
            Kind::Few => -20.0,
            Kind::Improper => -100.0,
        };
        used += found.cells.iter().filter(|&&cell| cell != BLANK).count();
    }
    score - 0.5 * (f64::from(digits) - used as f64).max(0.0)
}

/// Returns true if every clue of the first is in the second.
pub(super) fn extends(less: &Cells, more: &Cells) -> bool {
    less.iter().zip(more).all(|(a, b)| *a == BLANK || a == b)
}
