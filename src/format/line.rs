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
//! Blanks may stand before the cells, and between them: then each cell, each three or each nine stand alone. The
//! cells may be an array, as JSON and Python write it, flat or in nine rows:
//!
//! ```text
//!     4 . . 5 2 . 7 . 3 . . . . . 3 . …       4..52.7.3 .....3... 1....7... …
//!     [4, 0, 0, 5, 2, 0, 7, 0, 3, 0, …]       [[4, 0, 0, 5, 2, 0, 7, 0, 3], [0, …], …]
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
    Expected, Found, ParseError, Records, array, block, candidates, is_cell, prose,
    records::{LeftOut, checked},
    split_line, unexpected, without_mark,
};
use crate::grid::{AnyPuzzle, CANDIDATES, CELLS, Candidates, Grid, Puzzle};
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
            records.end_above();
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
        let (whole, line) = (line, without_mark(line));
        text = rest;
        records.add_lines(1);
        let number = records.lines();
        if is_skipped(line) {
            // A comment behind a mark of byte order is about a file.
            skip(whole, records);
            continue;
        }
        match cells(line) {
            Ok(cells) => {
                records.push_cells(number, cells).expect("cells");
                if line.len() > CELLS {
                    records.set_text(line);
                    if line.len() > 2 * CELLS && puzzles(&line[CELLS..]).next().is_some() {
                        records.leave_out(LeftOut::AnotherPuzzle);
                    }
                }
            }
            Err(error) => match (read_candidates(line), apart(line)) {
                (Some(Ok(candidates)), _) => {
                    records.push_candidates(number, &candidates, &line[indent(line)..]);
                }
                (Some(Err(error)), _) | (None, Some(Err(error))) => {
                    records.push_error(number, error, line);
                }
                // The text of the record is the cells and the trailer.
                (None, Some(Ok((cells, end)))) => {
                    records.push_cells(number, &cells).expect("cells");
                    if end < line.len() {
                        records.set_text(&[&cells, &line[end..]].concat());
                    }
                }
                (None, None) => records.push_error(number, error, line),
            },
        }
    }
}

/// The candidates of a line, if it is meant to have them.
fn read_candidates(line: &[u8]) -> Option<Result<candidates::WithBlank, ParseError>> {
    candidates::read(line, indent(line), ends_cells, Expected::End)
}

/// The number of blanks before the cells of a line.
fn indent(line: &[u8]) -> usize {
    line.iter().take_while(|&&c| is_blank(c)).count()
}

fn is_blank(character: u8) -> bool {
    matches!(character, b' ' | b'\t')
}

/// The cells of a line that begins with blanks, or has blanks between its cells, or begins with an array, and
/// the place after them. Nothing if it is no such line.
///
/// All groups of cells between blanks have one length: otherwise they could be a number and a puzzle with
/// too few cells.
fn apart(line: &[u8]) -> Option<Result<([u8; CELLS], usize), ParseError>> {
    let start = indent(line);
    if line.get(start) == Some(&b'[') {
        let wrong = |(at, expected)| unexpected(line, start + at, expected);
        return Some(match array::cells(&line[start..]) {
            Ok((cells, end)) if line.get(start + end).is_none_or(|&c| ends_cells(c)) => {
                Ok((cells, start + end))
            }
            Ok((_, end)) => Err(wrong((end, Expected::End))),
            Err(error) => Err(wrong(error)),
        });
    }
    let length = |at: usize| line[at..].iter().take_while(|&&c| is_cell(c)).count();
    let group = length(start);
    if !matches!(group, 1 | 3 | 9 | CELLS) {
        return (start > 0)
            .then(|| Err(unexpected(line, start + group.min(CELLS), Expected::Cell)));
    }
    let (mut cells, mut count, mut at) = ([0; CELLS], 0, start);
    while count < CELLS {
        if length(at) != group {
            let (at, expected) = match length(at) {
                longer if longer > group => (at + group, Expected::EndOfField),
                shorter => (at + shorter, Expected::Cell),
            };
            // Some words that look like cells are no puzzle.
            let is_group = |word: &&[u8]| word.len() == group && word.iter().all(|&c| is_cell(c));
            let groups = line.split(|&c| is_blank(c)).filter(is_group).count();
            let is_meant = start > 0 || 2 * groups * group > CELLS;
            return is_meant.then(|| Err(unexpected(line, at, expected)));
        }
        cells[count..count + group].copy_from_slice(&line[at..at + group]);
        (count, at) = (count + group, at + group);
        let blanks = indent(&line[at..]);
        if count < CELLS {
            at += blanks;
        } else if line.get(at).is_some_and(|&c| !ends_cells(c)) {
            return Some(Err(unexpected(line, at, Expected::End)));
        } else if group < CELLS && blanks > 0 && length(at + blanks) == group {
            return Some(Err(unexpected(line, at + blanks, Expected::End)));
        }
    }
    Some(checked(&cells).map(|_| (cells, at)))
}

/// Returns true if a line begins with a puzzle, and has no blanks before it or in it.
pub(super) fn begins_with_puzzle(line: &[u8]) -> bool {
    let line = without_mark(line);
    !is_skipped(line)
        && (cells(line).is_ok() || read_candidates(line).is_some_and(|read| read.is_ok()))
}

/// Returns true if a line is a record that is right.
pub(super) fn has_puzzle(line: &[u8]) -> bool {
    let line = without_mark(line);
    begins_with_puzzle(line) || !is_skipped(line) && apart(line).is_some_and(|read| read.is_ok())
}

/// Returns true if a line has no record: it is blank, a comment or a rule.
pub(super) fn is_skipped(line: &[u8]) -> bool {
    line.starts_with(b"#") || line.iter().all(u8::is_ascii_whitespace) || is_rule(line)
}

/// Returns true if a line is nothing but one sign, three times or more, that is no digit, dot or letter.
fn is_rule(line: &[u8]) -> bool {
    match line.trim_ascii() {
        [
            first @ (b'-' | b'=' | b'_' | b'*' | b'~' | b'+' | b'#'),
            rest @ ..,
        ] => rest.len() > 1 && rest.iter().all(|sign| sign == first),
        _ => false,
    }
}

/// Passes over a line without a record. A comment belongs to the record right below it. Comments with a puzzle and rules
/// as long as a puzzle are counted.
pub(super) fn skip(line: &[u8], records: &mut Records) {
    match line {
        [b'#', ..] if !is_rule(line) => {
            if puzzles(line).next().is_some() {
                records.leave_out(LeftOut::PuzzleInComment);
            }
            records.push_above(line);
        }
        _ => {
            if line.trim_ascii().len() == CELLS {
                records.leave_out(LeftOut::Rule);
            }
            records.end_above();
        }
    }
}

/// The puzzles with a clue and a blank in a text: runs of 81 cells.
pub(super) fn puzzles(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let runs = text.split(|&character| !is_cell(character));
    runs.filter(|run| {
        let clues = run.iter().filter(|cell| matches!(cell, b'1'..=b'9'));
        run.len() == CELLS && !matches!(clues.count(), 0 | CELLS)
    })
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

/// The text behind the cells, or the candidates, of a record that is right.
#[cfg(feature = "formats")]
pub(super) fn after_cells(text: &[u8]) -> &[u8] {
    let end = text.iter().skip(CELLS).position(|&c| ends_cells(c));
    end.map_or(&[], |end| &text[CELLS + end..])
}

fn ends_cells(character: u8) -> bool {
    matches!(character, b' ' | b'\t' | b',' | b';' | b':' | b'#')
}

/// Reads a record: 81 cells, with any of `.0*_-?xX` for a blank, and a trailer that is ignored. They may stand
/// in one line, in whatever way [`line`](self) has them, or in a [`block`] of nine lines, with or
/// without a frame, or drawn in any way that [`prose`] sees. Blank lines and comments may stand
/// around. With the feature `formats` a text that is none of these may be a puzzle in any format that
/// `Layout::detect` chooses by evidence: a link, an array, a drawing with spaces for blanks.
///
/// ```
/// use sudoku_batch::Puzzle;
/// let puzzle: Puzzle = "
///     4 . . | 5 2 . | 7 . 3
///     . . . | . . 3 | . . .
///     1 . . | . . 7 | . . .
///     ------+-------+------
///     . 1 4 | . . . | . . 6
///     7 . . | . 5 . | . . 1
///     5 . . | . . . | 4 2 .
///     ------+-------+------
///     . . . | 4 . . | . . 5
///     . . . | 8 . . | . . .
///     2 . 1 | . 7 6 | . . 8
/// ".parse()?;
/// assert_eq!(
///     puzzle.to_string(),
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8"
/// );
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
impl FromStr for Puzzle {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let read = of_text(text);
        #[cfg(feature = "formats")]
        if read.is_err()
            && let Some(puzzle) = super::detect::written_puzzle(text)
        {
            return Ok(puzzle);
        }
        read
    }
}

/// The puzzle of a text in one line or in several.
fn of_text(text: &str) -> Result<Puzzle, ParseError> {
    let (line, rest) = split_line(text.as_bytes());
    if !rest.is_empty() && (is_skipped(line) || cells(line).is_err()) {
        return of_lines(text.as_bytes());
    }
    if is_skipped(line) {
        return Err(unexpected(line, 0, Expected::Cell));
    }
    if !rest.is_empty() {
        return Err(unexpected(text.as_bytes(), line.len(), Expected::End));
    }
    let cells = match (cells(line), apart(line)) {
        (Err(_), Some(read)) => read?.0,
        (cells, _) => *cells?,
    };
    Ok(Puzzle::with_blanks_for_others(&checked(&cells)?))
}

/// The puzzle of a text of several lines: one line among blank lines and comments, one block, or one drawn
/// grid.
fn of_lines(text: &[u8]) -> Result<Puzzle, ParseError> {
    let mut rest = text;
    while !rest.is_empty() {
        let (line, after) = split_line(rest);
        if !is_skipped(line) {
            if has_puzzle(line) {
                break;
            }
            return of_block(text);
        }
        rest = after;
    }
    let mut records = Records::default();
    read(rest, &mut records);
    match records.len() {
        0 => Err(unexpected(text, text.len(), Expected::Cell)),
        1 => records.puzzle_of_cells(0),
        _ => Err(unexpected(rest, split_line(rest).0.len(), Expected::End)),
    }
}

fn of_block(text: &[u8]) -> Result<Puzzle, ParseError> {
    let mut records = Records::default();
    block::read(text, false, &mut records);
    if records.len() == 1 && records.error(0).is_none() {
        return records.puzzle_of_cells(0);
    }
    let mut grids = Vec::new();
    prose::each_grid(text, |_, puzzle| grids.push(puzzle));
    match (grids.as_slice(), records.len()) {
        ([puzzle], _) => Ok(*puzzle),
        (_, 1) => records.puzzle_of_cells(0),
        (_, blocks) => Err(ParseError {
            column: 1,
            found: Found::Rows(9 * blocks),
            expected: Expected::NineRows,
        }),
    }
}

/// Reads a record of either kind: 729 characters, nine places for each cell, its digit or a blank `.` or `0`; or
/// 81 cells, as a [`Puzzle`] is read. A trailer is ignored.
///
/// ```
/// use sudoku_batch::{Candidates, Puzzle, grid::AnyPuzzle};
/// assert_eq!(".".repeat(81).parse(), Ok(AnyPuzzle::Cells(Puzzle::EMPTY)));
/// assert_eq!("123456789".repeat(81).parse(), Ok(AnyPuzzle::Candidates(Candidates::ALL)));
/// ```
impl FromStr for AnyPuzzle {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let (line, rest) = split_line(text.as_bytes());
        match read_candidates(line) {
            Some(read) if rest.is_empty() => read.map(|(candidates, _)| candidates.into()),
            _ => text.parse().map(Self::Cells),
        }
    }
}

/// Reads a record of either kind, as [`AnyPuzzle`]: 81 cells have these candidates.
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
        text.parse().map(|puzzle: AnyPuzzle| puzzle.candidates())
    }
}

/// Reads a record without blanks.
impl FromStr for Grid {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let puzzle: Puzzle = text.parse()?;
        Grid::from_ascii(puzzle.as_ascii()).map_err(|_| {
            let blank = puzzle.as_ascii().iter().position(|c| !c.is_ascii_digit());
            let blank = blank.expect("a blank");
            match cells(text.as_bytes()) {
                Ok(_) => unexpected(text.as_bytes(), blank, Expected::Digit),
                // In a block, the column of the row.
                Err(_) => ParseError {
                    column: blank % 9 + 1,
                    found: Found::Char(char::from(puzzle.as_ascii()[blank])),
                    expected: Expected::Digit,
                },
            }
        })
    }
}
