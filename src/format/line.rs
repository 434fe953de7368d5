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
//! A record may also give the candidates of its cells, in 729 characters:
//!
//! ```text
//!     ...4.....123456789123456789....5..... ...  nine places for each cell: its digit, or . or 0
//! ```
//!
//! Blank lines and lines that start with `#` are not records. A line ends with LF, with CR LF or
//! with CR alone.

use super::{
    Expected, ParseError, Records, candidates, is_cell, records::checked, split_line, unexpected,
};
use crate::grid::{CANDIDATES, CELLS, Candidates, Grid, Puzzle};
use std::str::FromStr;

/// Reads lines and appends their records. Every line must end within this text, and the text must
/// not stop between CR and LF. The last line may lack its end.
///
/// ```
/// use sudoku_batch::format::{Records, line};
/// let mut records = Records::default();
/// line::read(b"# two records\n5..3\r\n....", &mut records);
/// assert_eq!((records.len(), records.lines()), (2, 3));
/// assert_eq!(records.text(0), b"5..3");
/// ```
pub fn read(mut text: &[u8], records: &mut Records) {
    loop {
        text = records.push_plain_lines(text);
        if text.is_empty() {
            return;
        }
        // Blank lines may be millions: one by one each takes 80 ns.
        let blank = text.iter().take_while(|&&c| c == b'\n').count();
        if blank > 0 {
            records.add_lines(blank as u64);
            text = &text[blank..];
            continue;
        }
        // Most lines of candidates have nothing else, so their end need not be searched for.
        if let Some((line, rest)) = text.split_first_chunk::<{ CANDIDATES + 1 }>()
            && let Some((b'\n', line)) = line.split_last()
            && let Some(Ok(candidates)) = read_candidates(line)
        {
            records.add_lines(1);
            records.push_candidates(records.lines(), &candidates, line);
            text = rest;
            continue;
        }
        let (line, rest) = split_line(text);
        text = rest;
        records.add_lines(1);
        let number = records.lines();
        if is_skipped(line) {
            continue;
        }
        match cells(line) {
            Ok(cells) => {
                records.push_cells(number, cells).expect("cells");
                if line.len() > CELLS {
                    records.set_text(line);
                }
            }
            Err(error) => match read_candidates(line) {
                Some(Ok(candidates)) => records.push_candidates(number, &candidates, line),
                Some(Err(error)) => records.push_error(number, error, line),
                None => records.push_error(number, error, line),
            },
        }
    }
}

/// The candidates of a line, if it is meant to have them.
fn read_candidates(line: &[u8]) -> Option<Result<candidates::WithBlank, ParseError>> {
    candidates::read(line, 0, ends_cells, Expected::End)
}

/// Returns true if a line has no record.
fn is_skipped(line: &[u8]) -> bool {
    line.starts_with(b"#") || line.iter().all(u8::is_ascii_whitespace)
}

/// The cells of a line that has a record.
fn cells(line: &[u8]) -> Result<&[u8; CELLS], ParseError> {
    let (cells, rest) = line.split_first_chunk().unwrap_or((&[0; CELLS], line));
    if checked(cells).is_ok() && rest.first().is_none_or(|&c| ends_cells(c)) {
        return Ok(cells);
    }
    let column = line.iter().take_while(|&&c| is_cell(c)).count();
    Err(match column {
        CELLS.. => unexpected(line, CELLS, Expected::End),
        _ => unexpected(line, column, Expected::Cell),
    })
}

fn ends_cells(character: u8) -> bool {
    matches!(character, b' ' | b'\t' | b',' | b';' | b':' | b'#')
}

/// Reads a record: 81 cells, with any of `.0*_-?xX` for a blank, and a trailer that is ignored. The
/// text may include the line end, but nothing after it.
impl FromStr for Puzzle {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (line, rest) = split_line(text.as_bytes());
        if is_skipped(line) {
            return Err(unexpected(line, 0, Expected::Cell));
        }
        if !rest.is_empty() {
            return Err(unexpected(text.as_bytes(), line.len(), Expected::End));
        }
        Ok(Puzzle::with_blanks_for_others(&checked(cells(line)?)?))
    }
}

/// Reads a record of 729 characters: nine places for each cell, its digit or a blank `.` or `0`; or a
/// record of 81 cells, as a [`Puzzle`] is read. A trailer is ignored.
///
/// ```
/// use sudoku_batch::Candidates;
/// let text = "123456789".repeat(81);
/// assert_eq!(text.parse(), Ok(Candidates::ALL));
/// let error = text.replacen('2', "3", 1).parse::<Candidates>().unwrap_err();
/// assert_eq!(error.to_string(), "column 2: '3' where 2 or a blank should be");
/// ```
impl FromStr for Candidates {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (line, rest) = split_line(text.as_bytes());
        match read_candidates(line) {
            Some(read) if rest.is_empty() => Ok(read?.0),
            _ => Ok(text.parse::<Puzzle>()?.into()),
        }
    }
}

/// Reads a record without blanks.
impl FromStr for Grid {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let puzzle: Puzzle = text.parse()?;
        Grid::from_ascii(puzzle.as_ascii()).map_err(|_| {
            let blank = puzzle.as_ascii().iter().position(|c| !c.is_ascii_digit());
            unexpected(text.as_bytes(), blank.expect("a blank"), Expected::Digit)
        })
    }
}
