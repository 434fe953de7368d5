//! Arrays of cells, as JSON and Python write them.
//!
//! ```text
//!     [4, 0, 0, 5, 2, 0, 7, 0, 3, 0, …]          81 cells
//!     [[4, 0, 0, 5, 2, 0, 7, 0, 3], [0, …], …]   nine rows of nine cells
//! ```
//!
//! A cell is a digit, 0 or `null` for a blank, or a string of one cell, empty for a blank. A row may be a string of
//! nine cells.

use super::{Expected, is_cell};
use crate::grid::{BLANK, CELLS};

/// The cells of the array at the start of a text, and the place after it. On failure it gives the place of
/// the first byte that does not fit, and what was expected there.
pub(super) fn cells(text: &[u8]) -> Result<([u8; CELLS], usize), (usize, Expected)> {
    let mut array = Array {
        text,
        at: 0,
        cells: [BLANK; CELLS],
        count: 0,
    };
    array.read(false)?;
    match array.count {
        CELLS => Ok((array.cells, array.at)),
        _ => Err((array.at - 1, Expected::Cell)),
    }
}

/// An array that is being read.
struct Array<'t> {
    text: &'t [u8],
    at: usize,
    cells: [u8; CELLS],
    count: usize,
}

impl Array<'_> {
    /// Reads an array: a row of another, or one that may have rows.
    fn read(&mut self, is_row: bool) -> Result<(), (usize, Expected)> {
        if self.next() != Some(b'[') {
            return Err((self.at, Expected::Cell));
        }
        self.at += 1;
        let first = self.count;
        loop {
            match self.next() {
                Some(b'[') if !is_row => self.read(true)?,
                _ => self.value()?,
            }
            if is_row && self.count > first + 9 {
                return Err((self.at - 1, Expected::EndOfRow));
            }
            match self.next() {
                Some(b',') => self.at += 1,
                Some(b']') if is_row && self.count < first + 9 => {
                    return Err((self.at, Expected::Cell));
                }
                Some(b']') => break,
                _ if self.count == CELLS => return Err((self.at, Expected::EndOfField)),
                _ => return Err((self.at, Expected::Cell)),
            }
        }
        self.at += 1;
        Ok(())
    }

    /// Reads a cell, or a string of nine.
    fn value(&mut self) -> Result<(), (usize, Expected)> {
        let (start, rest) = (self.at, &self.text[self.at..]);
        let words: [&[u8]; 2] = [b"null", b"None"];
        let (cells, length) = match rest {
            [b'0'..=b'9', b'0'..=b'9' | b'.', ..] => return Err((start + 1, Expected::EndOfField)),
            [b'0'..=b'9', ..] => (&rest[..1], 1),
            [quote @ (b'"' | b'\''), inside @ ..] => {
                let end = inside.iter().position(|c| c == quote);
                let inside = &inside[..end.ok_or((self.text.len(), Expected::Cell))?];
                (if inside == b" " { &[] } else { inside }, inside.len() + 2)
            }
            _ if words.iter().any(|word| rest.starts_with(word)) => (&[][..], 4),
            _ => return Err((start, Expected::Cell)),
        };
        let cells = if cells.is_empty() { &[BLANK] } else { cells };
        if !matches!(cells.len(), 1 | 9) || !cells.iter().all(|&cell| is_cell(cell)) {
            return Err((start + 1, Expected::Cell));
        }
        let Some(to) = self.cells.get_mut(self.count..self.count + cells.len()) else {
            return Err((start, Expected::EndOfField));
        };
        to.copy_from_slice(cells);
        self.count += cells.len();
        self.at += length;
        Ok(())
    }

    /// The next byte that is no white space.
    fn next(&mut self) -> Option<u8> {
        let spaces = self.text[self.at..]
            .iter()
            .take_while(|c| c.is_ascii_whitespace());
        self.at += spaces.count();
        self.text.get(self.at).copied()
    }
}
