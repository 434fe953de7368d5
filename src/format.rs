//! Formats of puzzles and grids: bytes to and from records.
//!
//! A *record* is a puzzle or a grid in the format that a text gives it. The module
//! [`line`](mod@line) reads one record per line, and [`block`] reads nine lines per record.
//! All readers fill [`Records`]. They report errors in the same words, those of
//! [`ParseError`]. The feature `formats` adds `Layout`, `Writer`, and the modules `csv`,
//! `jsonl` and `text`.

mod array;
pub mod block;
mod candidates;
#[cfg(feature = "formats")]
mod choice;
#[cfg(feature = "formats")]
mod closest;
#[cfg(feature = "formats")]
pub mod csv;
#[cfg(feature = "formats")]
mod detect;
#[cfg(feature = "formats")]
mod doubt;
#[cfg(feature = "formats")]
mod frame;
#[cfg(feature = "formats")]
pub mod jsonl;
#[cfg(feature = "formats")]
mod layout;
pub mod line;
mod nine_lines;
#[cfg(feature = "formats")]
mod notation;
#[doc(hidden)]
pub mod npy;
pub mod prose;
#[cfg(feature = "formats")]
mod puzzle_column;
mod records;
mod s9b;
#[cfg(feature = "formats")]
mod table;
#[doc(hidden)]
pub mod template;
#[cfg(feature = "formats")]
pub mod text;
mod values;
#[cfg(feature = "formats")]
mod writer;
#[cfg(feature = "formats")]
mod written;

// For the command and the fuzzers.
#[cfg(feature = "formats")]
pub use detect::{DetectError, Detected};
#[cfg(feature = "formats")]
#[doc(hidden)]
pub use frame::Frame;
#[cfg(feature = "formats")]
pub use layout::{ColumnPlace, Form, Layout};
pub use records::Records;
pub(crate) use records::UNSOLVABLE;
pub use values::Values;
#[cfg(feature = "formats")]
pub use writer::{Added, RowError, Writer};
#[cfg(feature = "formats")]
#[doc(hidden)]
pub use {
    choice::{ChoiceError, ColumnReader},
    writer::{PlaceError, placed},
};

use crate::grid::{Cell, Digit, Digits};
use crate::words::counted;
use memchr::memchr2;
use std::{borrow::Cow, fmt};

/// An error of a line that is no record: the column, what was found there, and what was expected.
///
/// ```
/// let error = "12345".parse::<sudoku_batch::Puzzle>().unwrap_err();
/// assert_eq!(error.to_string(), "column 6: end of line where a cell should be");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ParseError {
    /// The column, counted in bytes from 1.
    pub column: usize,
    /// The text that was found there.
    pub(crate) found: Found,
    /// The text that was expected there.
    pub(crate) expected: Expected,
}

impl ParseError {
    /// The error of no text where a cell should be.
    #[doc(hidden)]
    pub const NOTHING: Self = Self {
        column: 1,
        found: Found::EndOfLine,
        expected: Expected::Cell,
    };

    /// The error of a byte, at a column from 1, that stands for no candidate.
    #[doc(hidden)]
    pub const fn no_candidate(column: usize, byte: u8) -> Self {
        Self {
            column,
            found: Found::Byte(byte),
            expected: Expected::Marks,
        }
    }
}

/// Displays the column, what was found and what was expected. A block with too few or too
/// many rows has no faulty column, so none is shown.
impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            column,
            found,
            expected,
        } = self;
        match found {
            Found::Rows(_) => write!(f, "{found}, {expected} expected"),
            _ => write!(f, "column {column}: {found} where {expected} should be"),
        }
    }
}

/// The text in place of the expected one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// A character.
    Char(char),
    /// A byte that is not UTF-8.
    Byte(u8),
    /// The end of the line.
    EndOfLine,
    /// A block with this number of rows.
    Rows(usize),
    /// Nine blanks where the candidates of a cell should be.
    NoCandidate,
    /// A cell with these candidates.
    Candidates(Cell, Digits),
}

/// A character is quoted and escaped (`'\t'`), a byte is written `byte 0xff`.
impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Char(c) => write!(f, "{c:?}"),
            Self::Byte(b) => write!(f, "byte {b:#04x}"),
            Self::EndOfLine => f.write_str("end of line"),
            Self::Rows(rows) => f.write_str(&counted(*rows as u64, "rows")),
            Self::NoCandidate => f.write_str("nine blanks"),
            Self::Candidates(cell, digits) => write!(f, "{digits} in {cell}"),
        }
    }
}

/// The text that was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(
    not(feature = "formats"),
    expect(dead_code, reason = "some are errors of tables and objects alone")
)]
pub(crate) enum Expected {
    /// A digit or a blank.
    Cell,
    /// A digit. Grids have no blanks.
    Digit,
    /// The end of the line or a trailer.
    End,
    /// The end of a row of nine cells.
    EndOfRow,
    /// Nine rows, which make a block.
    NineRows,
    /// The end of a field of 81 cells.
    EndOfField,
    /// The right number of fields in the row of a table.
    Fields {
        /// The number of columns of the table.
        expected: u32,
        /// The number of fields of the row.
        found: u32,
    },
    /// A quoted field, closed by a quote and followed by a delimiter or the end of the row.
    QuotedField,
    /// JSON.
    Json,
    /// A JSON object.
    Object,
    /// A JSON string.
    String,
    /// The key of the puzzle, in a JSON object.
    Key,
    /// This candidate, or a blank.
    Candidate(Digit),
    /// A candidate of this cell.
    CandidateOf(Cell),
    /// Pencil marks: digits, each once.
    Marks,
    /// The candidates of a puzzle of 81 cells.
    CellsOfPuzzle,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Fields { expected, found } if found < expected => {
                return write!(f, "field {} of {expected}", found + 1);
            }
            Self::Fields { expected, .. } => {
                let fields = counted(u64::from(*expected), "fields");
                return write!(f, "the end of a row of {fields}");
            }
            Self::Candidate(digit) => return write!(f, "{digit} or a blank"),
            Self::CandidateOf(cell) => return write!(f, "a candidate of {cell}"),
            Self::Marks => "the candidates of a cell",
            Self::CellsOfPuzzle => "one digit, all nine or those that the clues leave",
            Self::EndOfField => "the end of the field",
            Self::QuotedField => "a quoted field that ends with a quote and a delimiter",
            Self::Json => "JSON",
            Self::Object => "a JSON object",
            Self::String => "a string of 81 cells",
            Self::Key => "the key of the puzzle",
            Self::Cell => "a cell",
            Self::Digit => "a digit",
            Self::End => "the end of the line or a trailer",
            Self::EndOfRow => "the end of the row",
            Self::NineRows => "9",
        })
    }
}

/// Splits off the first line of a text that is not empty. Gives the line without its end,
/// and the text after it. A line ends with LF, with CR LF, with CR alone, or at the end of
/// the text. All readers of lines use this rule, and so does the [pipeline] when it cuts
/// chunks.
///
/// [pipeline]: crate::pipeline::input
pub(crate) fn split_line(text: &[u8]) -> (&[u8], &[u8]) {
    let Some(end) = memchr2(b'\n', b'\r', text) else {
        return (text, &[]);
    };
    let length = if text[end..].starts_with(b"\r\n") {
        2
    } else {
        1
    };
    (&text[..end], &text[end + length..])
}

/// The start of the line that has the byte at a place, or the end of the text there.
#[cfg(feature = "formats")]
fn line_start(text: &[u8], place: usize) -> usize {
    let mut before = text.get(..place).unwrap_or(text);
    // Between CR and LF there is no end of a line.
    if before.ends_with(b"\r") && text[before.len()..].starts_with(b"\n") {
        before = &before[..before.len() - 1];
    }
    memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1)
}

/// The end of the first line, at least this many bytes into a text, that does not stay with the record below it. The
/// function takes a line, without its end, and the place behind that.
#[cfg(feature = "formats")]
fn lines_end(text: &[u8], least: usize, stays: impl Fn(&[u8], usize) -> bool) -> Option<usize> {
    let mut from = least.saturating_sub(1);
    loop {
        let end = from + memchr::memchr(b'\n', text.get(from..)?)?;
        from = end + 1;
        let line = split_line(&text[line_start(text, end)..]).0;
        if !stays(line, from) {
            return Some(from);
        }
    }
}

/// The mark of byte order. Files that are put together have one where each begins.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// A line without a mark of byte order.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(MARK).unwrap_or(line)
}

/// Returns true for a character that stands for a cell: a digit, or a blank.
fn is_cell(character: u8) -> bool {
    character.is_ascii_digit() || b".*_-?xX".contains(&character)
}

/// A text on one line: a space stands for each line end in it. The records of a table or of
/// blocks may have several lines.
///
/// ```
/// use sudoku_batch::format::one_line;
/// assert_eq!(*one_line(b"1 2 3\r\n4 5 6"), *b"1 2 3 4 5 6");
/// ```
// For the command and the fuzzers.
#[doc(hidden)]
pub fn one_line(text: &[u8]) -> Cow<'_, [u8]> {
    let (first, mut rest) = split_line(text);
    if first.len() == text.len() {
        return Cow::Borrowed(text);
    }
    let mut line = first.to_vec();
    while !rest.is_empty() {
        let (next, after) = split_line(rest);
        line.push(b' ');
        line.extend_from_slice(next);
        rest = after;
    }
    Cow::Owned(line)
}

/// The error of a line that holds something else at `column` (from 0).
pub(crate) fn unexpected(line: &[u8], column: usize, expected: Expected) -> ParseError {
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
