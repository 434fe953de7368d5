//! Formats of puzzles and grids: bytes to and from records.
//!
//! A *record* is a puzzle or a grid as it stands in a text. The module [`line`](mod@line) reads
//! one a line, [`block`] nine lines each. All readers fill [`Records`], and tell what is wrong
//! with a record in the same words, those of [`ParseError`].

pub mod block;
pub mod line;
mod records;

pub use records::Records;

use std::fmt;

/// Why a line is not a record: the column and what stood there.
///
/// ```
/// let error = "12345".parse::<sudoku_batch::Puzzle>().unwrap_err();
/// assert_eq!(error.to_string(), "column 6: end of line where a cell should be");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {found} where {expected} should be")]
pub struct ParseError {
    /// The column, counted in bytes from 1.
    pub column: usize,
    /// What stood there.
    pub found: Found,
    /// What should have.
    pub expected: Expected,
}

/// What stood where it should not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Found {
    /// A character.
    Char(char),
    /// A byte that is not UTF-8.
    Byte(u8),
    /// The line ended.
    EndOfLine,
}

/// A character is quoted and escaped (`'\t'`), a byte is written `byte 0xff`.
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Char(c) => write!(f, "{c:?}"),
            Self::Byte(b) => write!(f, "byte {b:#04x}"),
            Self::EndOfLine => f.write_str("end of line"),
        }
    }
}

/// What should have stood there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expected {
    /// A digit or a blank.
    Cell,
    /// A digit: blanks are not for grids.
    Digit,
    /// The end of the line or a trailer.
    End,
    /// The end of a row of nine cells.
    EndOfRow,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cell => "a cell",
            Self::Digit => "a digit",
            Self::End => "the end of the line or a trailer",
            Self::EndOfRow => "the end of the row",
        })
    }
}

/// What stands in `line` at `column` (from 0).
fn unexpected(line: &[u8], column: usize, expected: Expected) -> ParseError {
    let rest = line.get(column..).unwrap_or_default();
    let found = match rest.utf8_chunks().next() {
        None => Found::EndOfLine,
        Some(chunk) => match chunk.valid().chars().next() {
            Some(character) => Found::Char(character),
            None => Found::Byte(rest[0]),
        },
    };
    ParseError {
        column: column + 1,
        found,
        expected,
    }
}
