//! Reads blocks: nine lines of nine cells, and a blank line between grids.
//!
//! ```text
//!     5 . . . 3 . . 8 .          reading: spaces or none, 0 $ . or any other blank,
//!     ...                        perhaps a first line with the number of puzzles,
//!     . 2 . 8 . . . . 7          lines that start with # are left out
//!
//!     4 . . . . . . . 1
//! ```
//!
//! The reader skips frames. A frame is `|` between cells, or a line such as
//! `+---+---+---+`, `|---+---+---|` or `*-----------*`. Such a line holds only `+ - = * |`
//! and spaces, and it has a `+` or a number of cells other than nine. The reader also skips
//! the head of a `.sdk` file: a section begins with its name in brackets, and only the
//! section `[Puzzle]` is read.
//!
//! Each cell may have *pencil marks*, its candidates, in place of a clue or a blank. Then spaces or `|`
//! stand between cells, and frames may have `.`, `:` and `'` too. A cell with one mark is a clue, and
//! a lone blank is all nine marks:
//!
//! ```text
//!     5    379  279  | 8  6  1  | 4  23  379
//! ```
//!
//! A text may leave out the blank lines, but then it must leave out all of them. Where they
//! are present, they mark the end of each block. A block of eight or ten rows is then
//! malformed, and the reader continues normally with the next block. What follows the ninth
//! row of the first block decides which of the two holds.

use super::{Expected, Found, ParseError, Records, is_cell, split_line, unexpected};
use crate::grid::{BLANK, Candidates, Digit, Digits};
use std::ops::Range;

/// Reads blocks of cells with pencil marks, or without, and appends their records. Returns the number of
/// puzzles that the first line announces, if it does.
///
/// The line of a record is the line of its first row, counted from 1. For a malformed record it is the
/// malformed line. The text of a malformed record is its rows, with what stands between them.
///
/// ```
/// use sudoku_batch::format::{Records, block};
/// let mut records = Records::default();
/// let text = "0 0 0 0 0 0 0 0 1\r\n".repeat(9) + "\r\n12345$$$$\n1234\n\n12345....\n\n";
/// block::read(text.as_bytes(), false, &mut records);
/// assert_eq!(records.puzzle(0).unwrap().clue_count(), 9);
/// let error = |record| (records.line(record), records.error(record).unwrap().to_string());
/// assert_eq!(error(1), (12, "column 5: end of line where a cell should be".into()));
/// assert_eq!(error(2), (14, "1 row, 9 expected".into()));
/// ```
pub fn read(text: &[u8], marks: bool, records: &mut Records) -> Option<u64> {
    let mut reader = Reader::new(text, marks);
    reader.read(records);
    reader.finish(records);
    reader.announced.map(|announced| announced.puzzles)
}

/// Reads the blocks of a text.
#[derive(Default)]
pub(super) struct Reader<'t> {
    text: &'t [u8],
    /// The lines read.
    lines: u64,
    /// The number of rows read of the current block.
    rows: usize,
    /// Rows 1 to 9 of the current block, and rows 10 to 18. The second nine are a block of
    /// their own if all of them are present.
    blocks: [Rows; 2],
    /// The separation of blocks, if it is known yet.
    pub(super) separation: Option<Separation>,
    begun: bool,
    /// The first line, if it holds the number of puzzles.
    pub(super) announced: Option<Announced>,
    /// True if the current section is not `[Puzzle]`.
    elsewhere: bool,
    /// True if a name in brackets begins no section, but is a row that is malformed. A text
    /// that is cut at rows cannot have sections: the pieces would not know where they are.
    without_sections: bool,
    /// True if cells have pencil marks.
    marks: bool,
}

/// A first line with the number of puzzles.
#[cfg_attr(
    not(feature = "formats"),
    expect(dead_code, reason = "layouts cut by them")
)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Announced {
    /// The number.
    pub(super) puzzles: u64,
    /// The number of bytes up to the end of the line, with what stands before the line.
    pub(super) bytes: usize,
}

/// The meaning of a line for the reader, and for whoever cuts the text for the reader.
enum Line<'l> {
    /// It ends the rows before it.
    Blank,
    /// A comment, or a part of a frame.
    LeftOut,
    /// The name of a section.
    Section(&'l [u8]),
    /// A row, well or badly written.
    Row,
}

impl<'l> Line<'l> {
    /// The meaning of a line that has no white space at its end.
    fn of(line: &'l [u8], marks: bool) -> Self {
        match line {
            [] => Self::Blank,
            [b'#', ..] => Self::LeftOut,
            _ if marks && is_frame_of_marks(line) => Self::LeftOut,
            _ if !marks && is_frame(line) => Self::LeftOut,
            [b'[', name @ .., b']'] => Self::Section(name),
            _ => Self::Row,
        }
    }
}

/// Up to nine rows.
#[derive(Clone, Debug, Default)]
struct Rows {
    /// The line of the first row.
    first: u64,
    /// The bytes from the start of the first row to the end of the last.
    text: Range<usize>,
    cells: [[u8; 9]; 9],
    /// The marks of cells, in a text that has them.
    marks: [[Digits; 9]; 9],
    /// The first line that is malformed, and why.
    error: Option<(u64, ParseError)>,
}

/// A row of a block.
enum Row {
    Cells([u8; 9]),
    Marks([Digits; 9]),
}

/// The separation of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separation {
    /// Blank lines.
    Blank,
    /// Nothing: every nine rows are a block.
    Nothing,
}

impl<'t> Reader<'t> {
    /// A reader of cells with pencil marks, or without.
    pub(super) fn new(text: &'t [u8], marks: bool) -> Self {
        Self {
            text,
            marks,
            ..Self::default()
        }
    }

    /// A reader of a text whose first block was already read, so the separation is known, and
    /// whether there are sections. There are this many lines before.
    #[cfg(feature = "formats")]
    pub(super) fn within(
        text: &'t [u8],
        separation: Separation,
        sections: bool,
        marks: bool,
        lines: u64,
    ) -> Self {
        Self {
            lines,
            separation: Some(separation),
            begun: true,
            without_sections: !sections,
            ..Self::new(text, marks)
        }
    }

    /// Reads all lines, and appends the complete records.
    pub(super) fn read(&mut self, records: &mut Records) {
        let (text, before) = (self.text, self.lines);
        let mut rest = text;
        while !rest.is_empty() {
            let start = text.len() - rest.len();
            if !self.marks
                && let Some((row, after)) = plain_row(rest)
                && !self.elsewhere
            {
                self.lines += 1;
                self.begun = true;
                let place = start..text.len() - after.len() - 1;
                self.add_row(Ok(Row::Cells(row)), place, records);
                rest = after;
                continue;
            }
            let (line, after) = split_line(rest);
            self.read_line(line, start, text.len() - after.len(), records);
            rest = after;
        }
        records.add_lines(self.lines - before);
    }

    /// Appends the last record, if the end of the text completes one.
    pub(super) fn finish(&mut self, records: &mut Records) {
        self.end_group(records);
    }

    /// Reads a line that begins at this place. The next one begins at `next`.
    fn read_line(&mut self, line: &[u8], start: usize, next: usize, records: &mut Records) {
        self.lines += 1;
        let line = line.trim_ascii_end();
        match Line::of(line, self.marks) {
            Line::Blank => return self.end_group(records),
            Line::LeftOut => return,
            Line::Section(name) if !self.without_sections => {
                self.end_group(records);
                self.elsewhere = !name.eq_ignore_ascii_case(b"puzzle");
                return;
            }
            Line::Section(_) | Line::Row if self.elsewhere => return,
            Line::Section(_) | Line::Row => {}
        }
        if !std::mem::replace(&mut self.begun, true)
            && let Some(puzzles) = count(line)
        {
            self.announced = Some(Announced {
                puzzles,
                bytes: next,
            });
            return;
        }
        let row = if self.marks {
            read_marks(line).map(Row::Marks)
        } else {
            read_row(line).map(Row::Cells)
        };
        self.add_row(row, start..start + line.len(), records);
    }

    /// Adds a row, or what is wrong with it, that has this place in the text.
    fn add_row(
        &mut self,
        read: Result<Row, ParseError>,
        place: Range<usize>,
        records: &mut Records,
    ) {
        if self.rows == 9 && self.separation != Some(Separation::Blank) {
            self.separation = Some(Separation::Nothing);
            self.push_blocks(records);
        }
        let block = &mut self.blocks[self.rows / 9];
        let row = self.rows % 9;
        if row == 0 {
            block.first = self.lines;
            block.error = None;
            block.text.start = place.start;
        }
        block.text.end = place.end;
        match read {
            Ok(Row::Cells(cells)) => block.cells[row] = cells,
            Ok(Row::Marks(marks)) => block.marks[row] = marks,
            Err(error) => _ = block.error.get_or_insert((self.lines, error)),
        }
        self.rows += 1;
        // Eighteen rows without a blank line are two blocks.
        if self.rows == 18 {
            self.push_blocks(records);
        }
    }

    /// Ends the current rows, at a blank line or at the end of the text.
    fn end_group(&mut self, records: &mut Records) {
        match self.rows {
            0 => {}
            9 => {
                self.separation.get_or_insert(Separation::Blank);
                self.push_blocks(records);
            }
            rows => {
                let error = ParseError {
                    column: 1,
                    found: Found::Rows(rows),
                    expected: Expected::NineRows,
                };
                let last = &self.blocks[(rows - 1) / 9];
                let range = self.blocks[0].text.start..last.text.end;
                let block = &mut self.blocks[0];
                let (line, error) = block.error.take().unwrap_or((block.first, error));
                records.push_error(line, error, &self.text[range]);
                self.rows = 0;
            }
        }
    }

    /// Appends the current blocks, which are complete.
    fn push_blocks(&mut self, records: &mut Records) {
        let complete = self.rows / 9;
        for number in 0..complete {
            if let Some((line, error)) = self.blocks[number].error.take() {
                records.push_error(line, error, &self.text[self.blocks[number].text.clone()]);
                continue;
            }
            let block = &self.blocks[number];
            if self.marks {
                let text = &self.text[block.text.clone()];
                let marks = block.marks.as_flattened().first_chunk().expect("81 cells");
                let candidates = Candidates::from_cells(marks);
                records.push_candidates(block.first, &(candidates, BLANK), text);
                continue;
            }
            let cells = block.cells.as_flattened().first_chunk().expect("81 cells");
            let pushed = records.push_cells(block.first, cells);
            pushed.expect("rows have digits and blanks");
        }
        self.rows = 0;
    }
}

/// The cells of a row at the start of a text, and what follows its line feed. The row has
/// digits and points alone, with a space between two of them or nothing, as most have. The
/// length of such a row is known, so no search for its end is needed.
#[inline]
fn plain_row(text: &[u8]) -> Option<([u8; 9], &[u8])> {
    let (row, rest) = match (text.get(1)?, text.split_first_chunk::<18>()) {
        (b' ', Some((line, rest))) => {
            let (pairs, _) = line.as_chunks::<2>();
            let spaced = pairs.iter().zip(b"        \n");
            if !spaced.fold(true, |all, (pair, after)| all & (pair[1] == *after)) {
                return None;
            }
            (std::array::from_fn(|cell| pairs[cell][0]), rest)
        }
        _ => {
            let (line, rest) = text.split_first_chunk::<10>()?;
            if line[9] != b'\n' {
                return None;
            }
            (*line.first_chunk().expect("9 of 10"), rest)
        }
    };
    let is_plain = |all, c: &u8| all & (c.is_ascii_digit() | (*c == b'.'));
    row.iter().fold(true, is_plain).then_some((row, rest))
}

/// The number in a line that holds just one number and is not a row.
fn count(line: &[u8]) -> Option<u64> {
    let text = str::from_utf8(line.trim_ascii_start()).ok()?;
    let number = text.len() != 9 && text.bytes().all(|c| c.is_ascii_digit());
    number.then(|| text.parse().ok()).flatten()
}

/// Returns true if a line is a row of nine cells.
#[cfg(feature = "formats")]
pub(super) fn is_row(line: &[u8]) -> bool {
    read_row(line).is_ok()
}

/// Returns true if a line is the number of puzzles, if it is the first.
#[cfg(feature = "formats")]
pub(super) fn is_count(line: &[u8]) -> bool {
    count(line).is_some()
}

/// Returns true if a line is a part of a frame, and no row.
pub(super) fn is_frame(line: &[u8]) -> bool {
    line.iter().all(|c| b"+-=*| \t".contains(c))
        && (line.contains(&b'+') || line.iter().filter(|c| b"-*=".contains(c)).count() != 9)
}

/// The place where the first record begins at or after `least`, in a text that begins with
/// a record. This place is after the line that ends the previous record. Returns `None` if
/// the text does not reach that place.
#[cfg(feature = "formats")]
pub(super) fn record_end(
    text: &[u8],
    least: usize,
    separation: Separation,
    marks: bool,
) -> Option<usize> {
    let mut at = match separation {
        // From the start of the line in which `least` is.
        Separation::Blank => {
            let mut before = text.get(..least.saturating_sub(1)).unwrap_or(text);
            // Between CR and LF there is no end of a line.
            if before.ends_with(b"\r") && text[before.len()..].starts_with(b"\n") {
                before = &before[..before.len() - 1];
            }
            memchr::memrchr2(b'\n', b'\r', before).map_or(0, |end| end + 1)
        }
        Separation::Nothing => 0,
    };
    let mut rows = 0;
    while at < text.len() {
        let (line, rest) = split_line(&text[at..]);
        if rest.is_empty() && !text.ends_with(b"\n") {
            // The line may continue beyond this text.
            return None;
        }
        at = text.len() - rest.len();
        // As the reader sees the line.
        match Line::of(line.trim_ascii_end(), marks) {
            Line::Blank => rows = 0,
            Line::LeftOut => continue,
            // A text that has sections is cut at them alone.
            Line::Section(_) | Line::Row => rows += 1,
        }
        let ends = match separation {
            Separation::Blank => rows == 0,
            Separation::Nothing => rows % 9 == 0,
        };
        if ends && at >= least {
            return Some(at);
        }
    }
    None
}

/// Returns true if a line is a part of a frame around pencil marks, and no row.
pub(super) fn is_frame_of_marks(line: &[u8]) -> bool {
    let is_frame = |c: &u8| b"+-=*|.:'_ \t".contains(c);
    line.iter().all(is_frame) && line.iter().any(|c| b"+-=|".contains(c))
}

/// The candidates of the cells of a row.
pub(super) fn read_marks(line: &[u8]) -> Result<[Digits; 9], ParseError> {
    let is_between = |c: &u8| matches!(c, b' ' | b'\t' | b'|');
    let mut column = 0;
    let skip = |column: &mut usize| {
        *column += line[*column..].iter().take_while(|c| is_between(c)).count();
    };
    let mut row = [Digits::NONE; 9];
    for cell in &mut row {
        skip(&mut column);
        let start = column;
        while let Some(&c) = line.get(column).filter(|c| !is_between(c)) {
            match Digit::from_ascii(c) {
                Some(digit) if !cell.contains(digit) => cell.insert(digit),
                None if matches!(c, b'.' | b'0') && column == start => *cell = Digits::ALL,
                _ => return Err(unexpected(line, column, Expected::Marks)),
            }
            column += 1;
        }
        if column == start {
            return Err(unexpected(line, column, Expected::Marks));
        }
    }
    skip(&mut column);
    match line.get(column) {
        None => Ok(row),
        Some(_) => Err(unexpected(line, column, Expected::EndOfRow)),
    }
}

fn read_row(line: &[u8]) -> Result<[u8; 9], ParseError> {
    let mut column = 0;
    let skip_spaces = |column: &mut usize| {
        while let Some(b' ' | b'\t' | b'|') = line.get(*column) {
            *column += 1;
        }
    };
    let mut row = [b'.'; 9];
    for cell in &mut row {
        skip_spaces(&mut column);
        match line.get(column) {
            Some(&kept) if is_cell(kept) => *cell = kept,
            Some(b'$') => {}
            _ => return Err(unexpected(line, column, Expected::Cell)),
        }
        column += 1;
    }
    skip_spaces(&mut column);
    match line.get(column) {
        None => Ok(row),
        Some(_) => Err(unexpected(line, column, Expected::EndOfRow)),
    }
}
