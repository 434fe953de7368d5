//! Results of a reader, to be compared.

use super::oracle::lines;
use std::fmt;
use sudoku_batch::{
    format::{Layout, Records},
    grid::AnyPuzzle,
};

/// A record.
#[derive(Clone, PartialEq, Eq)]
pub struct Found {
    pub line: u64,
    pub text: Vec<u8>,
    /// Its puzzle, if it is not malformed and is given by 81 cells.
    pub puzzle: Option<[u8; 81]>,
    /// The place where it is malformed.
    pub column: Option<usize>,
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            text,
            puzzle,
            column,
        } = self;
        let text = text.escape_ascii();
        let puzzle = puzzle.map(|puzzle| puzzle.escape_ascii().to_string());
        write!(
            f,
            "\nline {line}, column {column:?}, puzzle {puzzle:?}, text {text}"
        )
    }
}

/// The records that a reader found in a piece of a text, after so many lines.
pub fn found(records: &Records, lines_before: u64) -> Vec<Found> {
    let record = |record| {
        let error = records.error(record);
        let puzzle = records.puzzle(record);
        assert_eq!(puzzle.err(), error);
        if let Some(error) = error {
            assert!(!error.to_string().is_empty());
        }
        Found {
            line: lines_before + records.line(record),
            text: records.text(record).to_vec(),
            puzzle: match puzzle {
                Ok(AnyPuzzle::Cells(puzzle)) => Some(*puzzle.as_ascii()),
                _ => None,
            },
            column: error.map(|error| error.column),
        }
    };
    (0..records.len()).map(record).collect()
}

/// The records that a layout finds in a text.
pub fn read(layout: &Layout, text: &[u8]) -> Vec<Found> {
    let mut records = Records::default();
    layout.read(text, &mut records);
    // A piece of objects that stand in an array may end within a line, which the next piece counts.
    let may_end_in_line = matches!(layout, Layout::Objects(_)) && !layout.is_of_lines();
    let left = lines(text).len() as u64 - records.lines();
    assert!(left <= u64::from(may_end_in_line));
    found(&records, 0)
}

/// Reads a text in pieces of these lengths, and asserts that their records are those of the
/// whole.
pub fn check_pieces(layout: &Layout, text: &[u8], lengths: impl IntoIterator<Item = usize>) {
    let whole = read(layout, text);
    let comments = |records: &Records| -> Vec<_> {
        let all = (0..records.len()).map(|record| records.above(record).to_vec());
        all.collect()
    };
    let mut records = Records::default();
    layout.read(text, &mut records);
    let above = comments(&records);
    let mut above_in_pieces = Vec::new();
    let mut pieces = Vec::new();
    let (mut start, mut before) = (0, 0);
    for length in lengths {
        let piece = &text[start..start + length];
        let mut records = Records::default();
        layout.read(piece, &mut records);
        pieces.extend(found(&records, before));
        above_in_pieces.extend(comments(&records));
        before += records.lines();
        start += length;
    }
    assert_eq!(
        above_in_pieces,
        above,
        "{layout:?}, {}",
        text.escape_ascii()
    );
    assert_eq!(start, text.len());
    assert_eq!(pieces, whole, "{layout:?}, {}", text.escape_ascii());
}

/// The lengths of the pieces that [`Layout::record_end`] cuts a text into, each at least
/// `least` long. The end of a piece does not depend on how many bytes after it are known.
pub fn pieces(layout: &Layout, text: &[u8], least: usize) -> Vec<usize> {
    let mut lengths = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let rest = &text[start..];
        let end = layout.record_end(rest, least.max(1));
        let length = end.unwrap_or(rest.len());
        assert!(end.is_none() || length >= least.max(1) && length <= rest.len());
        for known in [rest.len() / 2, length.saturating_sub(1), length + 1] {
            if let Some(early) = layout.record_end(&rest[..known.min(rest.len())], least.max(1)) {
                assert_eq!(early, length, "{layout:?}, {}", text.escape_ascii());
            }
        }
        lengths.push(length);
        start += length;
    }
    lengths
}
