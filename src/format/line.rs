//! Lines of text to and from puzzles and grids.
//!
//! A *record* is one line: 81 cells, then nothing or a trailer.
//!
//! ```text
//!     4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8 # note
//!     '--- 81 cells: 1 to 9, and any of . 0 * _ - ? x X for a blank ---------------------' '-----'
//!        trailer: from the first space, tab or any of , ; : # right after cell 81 ---------'
//! ```
//!
//! Blank lines and lines that start with `#` are no records. A carriage
//! return before the end of the line is not part of it.

use super::{Expected, ParseError, unexpected};
use crate::grid::{CELLS, Grid, Puzzle};
use std::str::FromStr;

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// Blank, or a comment.
    Skipped,
    /// A record whose 81 cells can be solved where they lie: the low four bits
    /// of a clue are its digit, those of a blank are 0 or over 9.
    Cells(&'a [u8; CELLS]),
    /// A record with `x` or `X` among its blanks (their low four bits are 8),
    /// rewritten with `.` for every blank.
    Rewritten(Puzzle),
    /// Not a record.
    Malformed(ParseError),
}

/// Reads one line, given without its line feed.
///
/// ```
/// use sudoku_batch::format::line::{Line, read_line};
/// assert_eq!(read_line(b"# a comment"), Line::Skipped);
/// assert!(matches!(read_line(&[b'.'; 81]), Line::Cells(_)));
/// assert!(matches!(read_line(&[b'x'; 81]), Line::Rewritten(_)));
/// assert!(matches!(read_line(b"5..3"), Line::Malformed(_)));
/// ```
#[inline]
pub fn read_line(line: &[u8]) -> Line<'_> {
    if let Some((cells, rest)) = line.split_first_chunk()
        && all_plain(cells)
        && rest.first().is_none_or(|&c| ends_cells(c))
    {
        return Line::Cells(cells);
    }
    read_rare_line(line)
}

/// Splits text into lines and reads each: what it is, and the line as it
/// stands there, without its end.
///
/// ```
/// use sudoku_batch::format::line::{Line, read_lines};
/// let text = b"# two records\n5..3\r\n....";
/// let lines: Vec<_> = read_lines(text).collect();
/// assert_eq!(lines[0], (Line::Skipped, &b"# two records"[..]));
/// assert_eq!(lines[1].1, b"5..3");
/// assert_eq!(lines.len(), 3);
/// ```
pub fn read_lines(text: &[u8]) -> Lines<'_> {
    Lines { rest: text }
}

/// The lines of a text, see [`read_lines`].
#[derive(Clone, Debug)]
pub struct Lines<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Lines<'a> {
    type Item = (Line<'a>, &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        // Nearly all lines are 81 cells and a line feed: looked at first, as it
        // is there, the end of the line need not be searched for.
        if let Some((head, rest)) = self.rest.split_first_chunk::<{ CELLS + 1 }>()
            && head[CELLS] == b'\n'
            && let Some(cells) = head.first_chunk()
            && all_plain(cells)
        {
            self.rest = rest;
            return Some((Line::Cells(cells), cells));
        }
        if self.rest.is_empty() {
            return None;
        }
        let (line, rest) = match memchr::memchr(b'\n', self.rest) {
            Some(end) => (&self.rest[..end], &self.rest[end + 1..]),
            None => (self.rest, &[][..]),
        };
        self.rest = rest;
        Some((read_line(line), line.strip_suffix(b"\r").unwrap_or(line)))
    }
}

/// Whether all cells are digits (0 too) or points, as nearly all files have
/// it. Without branches, so that the compiler makes vectors of it.
#[inline]
fn all_plain(cells: &[u8; CELLS]) -> bool {
    // With the lowest bit turned, the point comes right before the digits.
    const FIRST: u8 = b'.' ^ 1;
    const LAST: u8 = b'8' ^ 1;
    let furthest = |most: u8, &c: &u8| most.max((c ^ 1).wrapping_sub(FIRST));
    cells.iter().fold(0, furthest) <= LAST - FIRST
}

fn ends_cells(character: u8) -> bool {
    matches!(character, b' ' | b'\t' | b',' | b';' | b':' | b'#' | b'\r')
}

#[cold]
fn read_rare_line(line: &[u8]) -> Line<'_> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if line.starts_with(b"#") || line.iter().all(u8::is_ascii_whitespace) {
        return Line::Skipped;
    }
    let mut rewritten = false;
    for column in 0..CELLS {
        match line.get(column) {
            Some(b'0'..=b'9' | b'.' | b'*' | b'_' | b'-' | b'?') => {}
            Some(b'x' | b'X') => rewritten = true,
            _ => return Line::Malformed(unexpected(line, column, Expected::Cell)),
        }
    }
    if line.get(CELLS).is_some_and(|&c| !ends_cells(c)) {
        return Line::Malformed(unexpected(line, CELLS, Expected::End));
    }
    let cells = line.first_chunk().expect("81 cells were just seen");
    if rewritten {
        Line::Rewritten(normalized(cells))
    } else {
        Line::Cells(cells)
    }
}

/// The puzzle of 81 characters: what is not `1` to `9` becomes a blank.
pub(crate) fn normalized(cells: &[u8; CELLS]) -> Puzzle {
    let cells = cells.map(|c| if matches!(c, b'1'..=b'9') { c } else { b'.' });
    Puzzle::from_ascii(&cells).expect("only digits and blanks are left")
}

/// Reads a record: 81 cells, any of `.0*_-?xX` for a blank, and a trailer that
/// is ignored.
impl FromStr for Puzzle {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        match read_line(text.as_bytes()) {
            Line::Cells(cells) => Ok(normalized(cells)),
            Line::Rewritten(puzzle) => Ok(puzzle),
            Line::Malformed(error) => Err(error),
            Line::Skipped => Err(unexpected(text.as_bytes(), 0, Expected::Cell)),
        }
    }
}

/// Reads a record without blanks.
impl FromStr for Grid {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let puzzle: Puzzle = text.parse()?;
        Grid::from_ascii(puzzle.as_ascii()).ok_or_else(|| {
            let blank = puzzle.as_ascii().iter().position(|c| !c.is_ascii_digit());
            unexpected(text.as_bytes(), blank.expect("a blank"), Expected::Digit)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_cells_are_digits_and_points() {
        for c in 0..=u8::MAX {
            let mut cells = [b'.'; CELLS];
            cells[CELLS - 1] = c;
            assert_eq!(all_plain(&cells), c.is_ascii_digit() || c == b'.', "{c}");
        }
    }

    const CLUES: &[u8; 81] =
        b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";

    fn line(tail: &str) -> Vec<u8> {
        [CLUES, tail.as_bytes()].concat()
    }

    #[test]
    fn a_trailer_is_ignored() {
        for tail in ["", "\r", " ", "\t5", ",solution", ";", ":1:x", "# note\r"] {
            assert_eq!(read_line(&line(tail)), Line::Cells(CLUES), "{tail:?}");
        }
    }

    #[test]
    fn any_blank_will_do() {
        for blank in *b".0*_-?xX" {
            let text = CLUES.map(|c| if c == b'.' { blank } else { c });
            let puzzle: Puzzle = str::from_utf8(&text).unwrap().parse().unwrap();
            assert_eq!(puzzle.as_ascii(), CLUES);
            match read_line(&text) {
                Line::Cells(cells) => {
                    let low = cells.map(|c| c & 15);
                    let digits = CLUES.map(|c| if c == b'.' { 0 } else { c - b'0' });
                    for (low, digit) in low.into_iter().zip(digits) {
                        assert!(if digit == 0 {
                            low == 0 || low > 9
                        } else {
                            low == digit
                        });
                    }
                }
                Line::Rewritten(puzzle) => assert_eq!(puzzle.as_ascii(), CLUES),
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn lines_without_a_record() {
        for text in ["", "\r", " \t ", "#", "# 1..", "#\u{ff}"] {
            assert_eq!(read_line(text.as_bytes()), Line::Skipped);
            assert!(text.parse::<Puzzle>().is_err());
        }
    }

    #[test]
    fn errors_say_where_and_what() {
        let message = |text: &[u8]| match read_line(text) {
            Line::Malformed(error) => error.to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            message(&CLUES[..80]),
            "column 81: end of line where a cell should be"
        );
        assert_eq!(message(b" 12"), "column 1: ' ' where a cell should be");
        assert_eq!(message(b"12\t"), "column 3: '\\t' where a cell should be");
        assert_eq!(
            message("1é".as_bytes()),
            "column 2: 'é' where a cell should be"
        );
        assert_eq!(
            message(b"1\xff2"),
            "column 2: byte 0xff where a cell should be"
        );
        assert_eq!(
            message(&line("5")),
            "column 82: '5' where the end of the line or a trailer should be"
        );
        let grid = str::from_utf8(CLUES).unwrap().parse::<Grid>().unwrap_err();
        assert_eq!(grid.to_string(), "column 2: '.' where a digit should be");
    }
}
