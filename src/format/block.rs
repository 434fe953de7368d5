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
//! A row may be a row of a table: nine fields with commas, semicolons or tabs between, where an empty field
//! is a blank. Such a table may have a header. A space is a blank itself where a text has no other sign
//! for it, and a row is as wide as nine cells:
//!
//! ```text
//!     4,,,5,2,,7,,3                   "4  52 7 3"
//! ```
//!
//! A frame may be of box drawing, if the format is given that has such a frame.
//!
//! Blocks may stand among other lines, as in a message. Then a line that is no row ends the rows before
//! it. Words and comments between two blocks are titles of the second.
//!
//! A text may leave out the blank lines, but then it must leave out all of them. Where they
//! are present, they mark the end of each block. A block of eight or ten rows is then
//! malformed, and the reader continues normally with the next block. What follows the ninth
//! row of the first block decides which of the two holds.

use super::{Expected, Found, ParseError, Records, is_cell, split_line, unexpected};
#[cfg(feature = "formats")]
use super::{layout::Blocks, line_start};
use crate::grid::{BLANK, Candidates, Digit, Digits};
#[cfg(feature = "formats")]
use crate::stop;
use std::{borrow::Cow, ops::Range};

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
    let style = if marks {
        RowStyle::Marks
    } else {
        RowStyle::Cells
    };
    let mut reader = Reader::new(text, style);
    reader.read(records);
    reader.finish(records);
    reader.head?.puzzles
}

/// The way in which the rows of a text are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum RowStyle {
    /// Cells, with spaces, bars or delimiters between or without.
    #[default]
    Cells,
    /// Cells with pencil marks.
    Marks,
    /// Cells in which a space is a blank: the distance of one to the next is this, or bars give it.
    #[cfg_attr(
        not(feature = "formats"),
        expect(dead_code, reason = "a layout says so")
    )]
    Spaces(usize),
    /// Cells in a frame of box drawing.
    Boxes,
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
    /// The first line, if it is no row, but says something about the text.
    pub(super) head: Option<Head>,
    /// True if the current section is not `[Puzzle]`.
    elsewhere: bool,
    /// True if a name in brackets begins no section, but is a row that is malformed. A text
    /// that is cut at rows cannot have sections: the pieces would not know where they are.
    without_sections: bool,
    style: RowStyle,
    /// True if a line that is no row is left out.
    among_prose: bool,
    /// The lines that look like rows, with nothing between, where the blocks stand among prose.
    near_rows: NearRows,
}

/// Lines that are no rows, but look as if they should be.
#[derive(Clone, Debug, Default)]
struct NearRows {
    count: usize,
    /// The line of the first.
    line: u64,
    /// From the start of the first to the end of the last.
    text: Range<usize>,
}

/// A first line that is no row: the number of puzzles, or the header of nine columns.
#[cfg_attr(
    not(feature = "formats"),
    expect(dead_code, reason = "layouts cut by them")
)]
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// The number of puzzles that it announces.
    pub(super) puzzles: Option<u64>,
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
    /// The meaning of a line, without the white space at its end. A line of spaces alone is a row where a
    /// space is a blank.
    fn of(line: &'l [u8], style: RowStyle) -> Self {
        let spaces = matches!(style, RowStyle::Spaces(_));
        match line.trim_ascii_end() {
            [] if spaces && !line.is_empty() => Self::Row,
            [] => Self::Blank,
            [b'#', ..] => Self::LeftOut,
            line if style == RowStyle::Marks && is_frame_of_marks(line) => Self::LeftOut,
            line if style == RowStyle::Cells && is_frame(line) => Self::LeftOut,
            line if style == RowStyle::Boxes && is_frame(&without_boxes(line)) => Self::LeftOut,
            line if spaces && is_frame_around_spaces(line) => Self::LeftOut,
            [b'[', name @ .., b']'] => Self::Section(name),
            _ => Self::Row,
        }
    }

    /// The meaning of a line for whoever cuts a text with blocks among prose: a line that is no row, and
    /// does not look like one, ends the rows before it.
    #[cfg(feature = "formats")]
    fn among_prose(line: &'l [u8]) -> Self {
        match Self::of(line, RowStyle::Cells) {
            Self::Section(_) => Self::Blank,
            Self::Row if !is_row(line) && !is_near_row(line) => Self::Blank,
            other => other,
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
    /// A reader of rows of this style.
    pub(super) fn new(text: &'t [u8], style: RowStyle) -> Self {
        Self {
            text,
            style,
            ..Self::default()
        }
    }

    /// A reader of a text whose first block was already read, so the layout is known. There are this
    /// many lines before.
    #[cfg(feature = "formats")]
    pub(super) fn within(text: &'t [u8], blocks: &Blocks, lines: u64) -> Self {
        Self {
            lines,
            separation: Some(blocks.separation),
            begun: true,
            without_sections: !blocks.sections,
            elsewhere: blocks.begins_elsewhere,
            among_prose: blocks.among_prose,
            ..Self::new(text, blocks.style)
        }
    }

    /// Reads all lines, and appends the complete records.
    pub(super) fn read(&mut self, records: &mut Records) {
        let (text, before) = (self.text, self.lines);
        let mut rest = text;
        while !rest.is_empty() {
            let start = text.len() - rest.len();
            if self.style == RowStyle::Cells
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
        self.end_near_rows(records);
    }

    /// Reads a line that begins at this place. The next one begins at `next`.
    fn read_line(&mut self, line: &[u8], start: usize, next: usize, records: &mut Records) {
        self.lines += 1;
        let (kind, whole) = (Line::of(line, self.style), line);
        let line = line.trim_ascii_end();
        match kind {
            Line::Blank => {
                self.end_near_rows(records);
                return self.end_group(records);
            }
            Line::LeftOut => {
                if let [b'#', ..] = line {
                    records.push_title(line);
                }
                return;
            }
            Line::Section(_) | Line::Row if self.among_prose && read_row(whole).is_err() => {
                return self.pass_over(line, start, records);
            }
            Line::Section(name) if !self.without_sections => {
                self.end_group(records);
                self.elsewhere = !name.eq_ignore_ascii_case(b"puzzle");
                return;
            }
            Line::Section(_) | Line::Row if self.elsewhere => return,
            Line::Section(_) | Line::Row => {}
        }
        if !std::mem::replace(&mut self.begun, true) {
            let puzzles = count(line);
            if puzzles.is_some() || self.style == RowStyle::Cells && is_header(line) {
                self.head = Some(Head {
                    puzzles,
                    bytes: next,
                });
                return;
            }
        }
        let row = match self.style {
            RowStyle::Marks => read_marks(line).map(Row::Marks),
            RowStyle::Cells => read_row(whole).map(Row::Cells),
            RowStyle::Spaces(step) => read_row_of_spaces(line, step).map(Row::Cells),
            RowStyle::Boxes => read_row(&without_boxes(whole)).map(Row::Cells),
        };
        self.add_row(row, start..start + line.len(), records);
    }

    /// Leaves out a line of prose. Two or more lines that look like rows are a record that is malformed.
    fn pass_over(&mut self, line: &[u8], start: usize, records: &mut Records) {
        self.end_group(records);
        if !is_near_row(line) {
            self.end_near_rows(records);
            return records.push_title(line);
        }
        let near = &mut self.near_rows;
        near.count += 1;
        if near.count == 1 {
            (near.line, near.text.start) = (self.lines, start);
        }
        near.text.end = start + line.len();
    }

    /// Appends the lines that look like rows as a malformed record, unless it is one line: that may be a
    /// date.
    fn end_near_rows(&mut self, records: &mut Records) {
        let near = std::mem::take(&mut self.near_rows);
        if near.count > 1 {
            let text = &self.text[near.text];
            let error = read_row(split_line(text).0).expect_err("it is no row");
            records.push_error(near.line, error, text);
        }
    }

    /// Adds a row, or what is wrong with it, that has this place in the text.
    fn add_row(
        &mut self,
        read: Result<Row, ParseError>,
        place: Range<usize>,
        records: &mut Records,
    ) {
        if self.near_rows.count > 0 {
            self.end_near_rows(records);
        }
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
            if self.style == RowStyle::Marks {
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
/// digits and dots alone, with a space between two of them or nothing, as most have. The
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

/// Returns true if a first line is the header of a table of nine columns: nine names, none of which is a
/// cell, or the numbers from 0 to 8.
pub(super) fn is_header(line: &[u8]) -> bool {
    let Some(delimiter) = delimiter(line) else {
        return false;
    };
    let names: Vec<_> = line.split(|c| *c == delimiter).collect();
    let is_name = |name: &&[u8]| !name.is_empty() && field_cell(name).is_none();
    names.len() == 9
        && (names.iter().all(is_name) || names.iter().zip(b"012345678").all(|(n, d)| *n == [*d]))
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
/// a record. This place is after the line that ends the previous record, and before the titles of the next. Returns
/// `None` if the text does not reach that place.
#[cfg(feature = "formats")]
pub(super) fn record_end(text: &[u8], least: usize, blocks: &Blocks) -> Option<usize> {
    /// The most bytes of lines that are no rows and stay together with the block below them.
    const MOST: usize = 64 << 10;
    // The kind that the reader sees.
    let kind_of = |line| match blocks.among_prose {
        true => Line::among_prose(line),
        false => Line::of(line, blocks.style),
    };
    let separation = blocks.separation;
    // True if nothing but a frame and empty lines stand behind the last row.
    let mut is_behind_row = false;
    let mut at = 0;
    if separation == Separation::Blank {
        // From the start of the line in which `least` is.
        at = line_start(text, least.saturating_sub(1));
        let mut before = at;
        while before > 0 && !is_behind_row {
            before = line_start(text, before - 1);
            let line = split_line(&text[before..]).0;
            match kind_of(line) {
                Line::Row | Line::Section(_) => is_behind_row = true,
                Line::LeftOut if !is_comment(line) => {}
                Line::Blank if is_empty(line) => {}
                _ => break,
            }
        }
    }
    let mut rows = 0;
    while at < text.len() {
        let (line, rest) = split_line(&text[at..]);
        if rest.is_empty() && !text.ends_with(b"\n") {
            // The line may continue beyond this text.
            return None;
        }
        let start = std::mem::replace(&mut at, text.len() - rest.len());
        let is_long = at >= least.saturating_add(MOST);
        let mut end = None;
        match kind_of(line) {
            Line::LeftOut => is_behind_row &= !is_comment(line),
            Line::Blank => {
                rows = 0;
                // Words behind a block may be the title of the next.
                let is_empty = is_empty(line);
                if separation == Separation::Nothing || is_behind_row || is_long {
                    end = Some(if is_empty { at } else { start });
                }
                is_behind_row &= is_empty;
            }
            // A text that has sections is cut at them alone.
            Line::Section(_) | Line::Row => {
                rows += 1;
                is_behind_row = true;
                if separation == Separation::Nothing && rows % 9 == 0 {
                    end = Some(at);
                }
            }
        }
        if let Some(end) = end.filter(|&end| end >= least) {
            return Some(end);
        }
    }
    None
}

#[cfg(feature = "formats")]
fn is_empty(line: &[u8]) -> bool {
    line.trim_ascii().is_empty()
}

#[cfg(feature = "formats")]
fn is_comment(line: &[u8]) -> bool {
    line.starts_with(b"#")
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

/// The cells of a row, with spaces, bars or delimiters between them, or nothing.
fn read_row(line: &[u8]) -> Result<[u8; 9], ParseError> {
    // A tab at the end may stand before an empty field.
    read_row_of_cells(line.trim_ascii_end()).or_else(|error| match delimiter(line) {
        Some(delimiter) => read_fields(line, delimiter),
        None => Err(error),
    })
}

fn read_row_of_cells(line: &[u8]) -> Result<[u8; 9], ParseError> {
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

/// The delimiter of a line that is meant as a row of a table. A line of prose has fewer.
fn delimiter(line: &[u8]) -> Option<u8> {
    const LEAST: usize = 5;
    let count = |c: u8| line.iter().filter(|other| **other == c).count();
    let is_delimiter = |c: &u8| count(*c) >= LEAST;
    let found = b",;".iter().copied().find(is_delimiter);
    found.or((count(b'\t') == 8).then_some(b'\t'))
}

/// The cell in a field of a table: a blank if the field is empty.
pub(super) fn field_cell(field: &[u8]) -> Option<u8> {
    let inside = match field.trim_ascii() {
        [b'"', inside @ .., b'"'] => inside.trim_ascii(),
        field => field,
    };
    match inside {
        [] => Some(BLANK),
        // A column with empty fields comes out of some programs as decimal numbers.
        [cell, b'.', b'0'] if cell.is_ascii_digit() => Some(*cell),
        [cell] => is_cell(*cell).then_some(*cell),
        _ => None,
    }
}

/// The cells of nine fields.
fn read_fields(line: &[u8], delimiter: u8) -> Result<[u8; 9], ParseError> {
    let (mut row, mut start) = ([BLANK; 9], 0);
    let mut fields = line.split(|c| *c == delimiter);
    for cell in &mut row {
        let Some(field) = fields.next() else {
            return Err(unexpected(line, line.len(), Expected::Cell));
        };
        let kept = field_cell(field);
        *cell = kept.ok_or_else(|| unexpected(line, start, Expected::Cell))?;
        start += field.len() + 1;
    }
    match fields.next() {
        None => Ok(row),
        Some(_) => Err(unexpected(line, start - 1, Expected::EndOfRow)),
    }
}

/// The cells of a row in which a space is a blank. A cell comes each `step` characters, and at most spaces
/// stand between. Three cells between bars have their places by the width between the bars.
fn read_row_of_spaces(line: &[u8], step: usize) -> Result<[u8; 9], ParseError> {
    let places = if line.contains(&b'|') {
        places_between_bars(line)?
    } else {
        std::array::from_fn(|cell| cell * step)
    };
    let mut row = [BLANK; 9];
    for (at, &byte) in line.iter().enumerate() {
        let cell = places.iter().position(|place| *place == at);
        match (byte, cell) {
            (b' ', _) => {}
            (b'|', None) => {}
            (b'1'..=b'9', Some(cell)) => row[cell] = byte,
            (_, Some(_)) => return Err(unexpected(line, at, Expected::Cell)),
            (_, None) => return Err(unexpected(line, at, Expected::EndOfRow)),
        }
    }
    Ok(row)
}

/// The places of nine cells in three parts with bars between them, and perhaps around.
fn places_between_bars(line: &[u8]) -> Result<[usize; 9], ParseError> {
    let outer = usize::from(line.starts_with(b"|"));
    let inside = line[outer..].strip_suffix(b"|").unwrap_or(&line[outer..]);
    let parts: Vec<_> = inside.split(|c| *c == b'|').collect();
    let [first, second, third] = parts[..] else {
        return Err(unexpected(line, line.len(), Expected::EndOfRow));
    };
    let (before, step) = match second.len() {
        3 => (0, 1),
        5 => (0, 2),
        7 => (1, 2),
        _ => return Err(unexpected(line, outer + first.len(), Expected::Cell)),
    };
    // A line without bars around it lacks the space at its start, too.
    let lacking = second.len().saturating_sub(first.len());
    if lacking > before || lacking > 0 && outer > 0 || third.len() > second.len() {
        return Err(unexpected(line, outer + first.len(), Expected::Cell));
    }
    let starts = [
        outer + before - lacking,
        outer + first.len() + 1 + before,
        outer + first.len() + second.len() + 2 + before,
    ];
    Ok(std::array::from_fn(|cell| {
        starts[cell / 3] + cell % 3 * step
    }))
}

/// A line in which ASCII stands for the signs of box drawing. Each takes three bytes, so all columns stay as they are.
fn without_boxes(line: &[u8]) -> Cow<'_, [u8]> {
    /// U+2500 to U+257F begin with one of these.
    const BEGINNINGS: [[u8; 2]; 2] = [[0xe2, 0x94], [0xe2, 0x95]];
    if line.is_ascii() {
        return line.into();
    }
    let (mut ascii, mut at) = (line.to_vec(), 0);
    while let Some(sign) = ascii[at..].first_chunk_mut::<3>() {
        if !BEGINNINGS.contains(&[sign[0], sign[1]]) {
            at += 1;
            continue;
        }
        let is_upright = matches!(sign, [_, 0x94, 0x82 | 0x83] | [_, 0x95, 0x91]);
        sign.fill(if is_upright { b'|' } else { b'+' });
        at += 3;
    }
    ascii.into()
}

/// Returns true if a line is a part of a frame around cells in which a space is a blank.
fn is_frame_around_spaces(line: &[u8]) -> bool {
    is_frame(line) && line.iter().any(|c| b"+-=*".contains(c))
}

/// Returns true if a line looks as if it should be a row: it has nearly nine characters, and all but one
/// of them are digits or the usual blanks.
fn is_near_row(line: &[u8]) -> bool {
    let signs = || line.iter().filter(|c| !b" \t|".contains(c));
    let others = signs().filter(|c| !c.is_ascii_digit() && !b"._*".contains(c));
    matches!(signs().count(), 8..=10) && others.count() <= 1
}

/// The style of a text in which a space is a blank, if the first nine lines of it say so without doubt:
/// they hold digits and spaces alone, and the longest is as wide as nine cells, or all have bars.
///
/// Nine cells may be nine characters wide, or 17 with a space between two of them. Where only every other
/// place of nine characters has digits, either could be meant, and neither is taken.
#[cfg(feature = "formats")]
pub(super) fn style_of_spaces(head: &[u8]) -> Option<RowStyle> {
    let fits = |&step: &usize| {
        let (mut rest, mut rows, mut widest) = (head, 0, 0);
        // The rows with bars, and the digits at even and at odd places.
        let (mut with_bars, mut digits) = (0, [0; 2]);
        while rows < 9 {
            let (line, after) = split_line(rest);
            if line.is_empty() && (rows > 0 || after.is_empty()) {
                return false;
            }
            rest = after;
            if !matches!(Line::of(line, RowStyle::Spaces(step)), Line::Row) {
                continue;
            }
            if read_row_of_spaces(line.trim_ascii_end(), step).is_err() {
                return false;
            }
            rows += 1;
            widest = widest.max(line.len());
            with_bars += usize::from(line.contains(&b'|'));
            for (at, _) in line.iter().enumerate().filter(|(_, c)| c.is_ascii_digit()) {
                digits[at % 2] += 1;
            }
        }
        match with_bars {
            0 => widest == step * 8 + 1 && digits[0] > 0 && (step > 1 || digits[1] > 0),
            9 => digits != [0, 0],
            _ => false,
        }
    };
    [1, 2].into_iter().find(fits).map(RowStyle::Spaces)
}

/// Returns true if a text has a block among other lines: nine rows, one below the other.
#[cfg(feature = "formats")]
pub(super) fn is_among_prose(head: &[u8]) -> bool {
    let (mut rest, mut rows) = (head, 0);
    while !rest.is_empty() && rows < 9 {
        stop::check();
        let (line, after) = split_line(rest);
        rest = after;
        match Line::among_prose(line) {
            Line::Row if is_row(line) => rows += 1,
            Line::LeftOut => {}
            _ => rows = 0,
        }
    }
    rows == 9
}
