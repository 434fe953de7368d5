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
//! Blank lines and lines that start with `#` are not records. A line ends with LF, with CR LF or
//! with CR alone.

use super::{
    Expected, ParseError, Records,
    records::{checked, normalized},
    split_line, unexpected,
};
use crate::grid::{CELLS, Grid, Puzzle};
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
            Err(error) => records.push_error(number, error, line),
        }
    }
}

/// Whether a line has no record.
fn is_skipped(line: &[u8]) -> bool {
    line.starts_with(b"#") || line.iter().all(u8::is_ascii_whitespace)
}

/// The cells of a line that has a record.
fn cells(line: &[u8]) -> Result<&[u8; CELLS], ParseError> {
    let (cells, rest) = line.split_first_chunk().unwrap_or((&[0; CELLS], line));
    if checked(cells).is_ok() && rest.first().is_none_or(|&c| ends_cells(c)) {
        return Ok(cells);
    }
    let is_cell = |c: &u8| c.is_ascii_digit() || b".*_-?xX".contains(c);
    let column = line.iter().take_while(|c| is_cell(c)).count();
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
        Ok(normalized(&checked(cells(line)?)?))
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

    const CLUES: &[u8; 81] =
        b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";

    fn line(tail: &str) -> Vec<u8> {
        [CLUES, tail.as_bytes()].concat()
    }

    /// The records of a text.
    fn read_all(text: &[u8]) -> Records {
        let mut records = Records::default();
        read(text, &mut records);
        records
    }

    #[test]
    fn a_trailer_is_ignored() {
        for tail in ["", " ", "\t5", ",solution", ";", ":1:x", "# note"] {
            for end in ["", "\n", "\r\n", "\r"] {
                let text = line(&format!("{tail}{end}"));
                let records = read_all(&text);
                assert_eq!((records.len(), records.lines()), (1, 1), "{tail:?}");
                assert_eq!(records.cells(), [*CLUES], "{tail:?}");
                assert_eq!(records.text(0), line(tail));
                let parsed = str::from_utf8(&text).unwrap().parse();
                assert_eq!(parsed, records.puzzle(0));
            }
        }
    }

    #[test]
    fn any_blank_will_do() {
        for blank in *b".0*_-?xX" {
            let text = CLUES.map(|c| if c == b'.' { blank } else { c });
            let puzzle: Puzzle = str::from_utf8(&text).unwrap().parse().unwrap();
            assert_eq!(puzzle.as_ascii(), CLUES);
            let records = read_all(&text);
            assert_eq!(records.puzzle(0), Ok(puzzle));
            assert_eq!(records.text(0), text);
        }
    }

    #[test]
    fn lines_without_a_record() {
        for text in ["", "\r", " \t ", "#", "# 1..", "#\u{ff}"] {
            assert!(read_all(text.as_bytes()).is_empty());
            assert!(text.parse::<Puzzle>().is_err());
        }
    }

    #[test]
    fn records_are_counted_by_line() {
        let plain = line("\n");
        let (noted, rewritten) = (line(" 5\r\n"), b"x".repeat(81));
        let text = [
            &plain[..],
            &plain,
            b"# note\n",
            &plain,
            b"bad\r\n\n",
            &noted,
            &plain,
            &rewritten,
        ];
        let records = read_all(&text.concat());
        assert_eq!((records.len(), records.lines()), (7, 9));
        let lines: Vec<_> = (0..7).map(|i| records.line(i)).collect();
        assert_eq!(lines, [1, 2, 4, 5, 7, 8, 9]);
        let bad: Vec<_> = (0..7).filter(|&i| records.error(i).is_some()).collect();
        assert_eq!(bad, [3]);
        assert_eq!(records.text(3), b"bad");
        assert_eq!(records.text(4), line(" 5"));
        assert_eq!(records.text(5), CLUES);
        assert_eq!(records.text(6), rewritten);
        // A text in two pieces. The second piece has different memory before it.
        let mut pieces = Records::default();
        read(&text[..3].concat(), &mut pieces);
        read(&text[3..].concat(), &mut pieces);
        let of = |records: &Records, i| (records.line(i), records.text(i).to_vec());
        for i in 0..7 {
            assert_eq!(of(&pieces, i), of(&records, i));
        }
    }

    /// The rule in words, written with `str::replace`: a text has the same records in the same
    /// lines for every kind of line end.
    #[test]
    fn however_lines_end_the_records_are_the_same() {
        let plain = String::from_utf8(line("")).unwrap();
        let text = format!("{plain}\n# a\n\n{plain} note\nbad\n{plain}\n{plain}\n");
        let expected = read_all(text.as_bytes());
        assert_eq!((expected.len(), expected.lines()), (5, 7));
        let mixed = [text.replacen('\n', "\r", 3), text.replacen('\n', "\r\n", 2)];
        let ends = ["\r", "\r\n"].map(|end| text.replace('\n', end));
        for other in ends.iter().chain(&mixed) {
            for other in [other, other.trim_ascii_end()] {
                let records = read_all(other.as_bytes());
                assert_eq!(records.lines(), 7, "{other:?}");
                let of = |records: &Records, i| {
                    (records.puzzle(i), records.line(i), records.text(i).to_vec())
                };
                for i in 0..5 {
                    assert_eq!(of(&records, i), of(&expected, i), "{other:?}");
                }
            }
        }
        let two = format!("{plain}\r{plain}").parse::<Puzzle>().unwrap_err();
        assert_eq!(two.column, 82);
    }

    #[test]
    fn errors_say_where_and_what() {
        let message = |text: &[u8]| read_all(text).error(0).unwrap().to_string();
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
