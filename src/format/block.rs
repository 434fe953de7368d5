//! The block layout, that of the course projects: nine lines of nine digits
//! with a space between, and a blank line between grids.
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
//! A text may leave out the blank lines, but then it must leave out all of them. Where they
//! are present, they mark the end of each block. A block of eight or ten rows is then
//! malformed, and the reader continues normally with the next block. What follows the ninth
//! row of the first block decides which of the two holds.

use super::{Expected, Found, ParseError, Records, split_line, unexpected};
use crate::grid::CELLS;
use std::ops::Range;

/// The length of a block: nine lines of nine cells, each cell with a space or
/// a line feed after it.
pub const BLOCK: usize = 2 * CELLS;

/// What stands after each cell.
const AFTER: [u8; CELLS] = {
    let mut after = [b' '; CELLS];
    let mut row = 0;
    while row < 9 {
        after[9 * row + 8] = b'\n';
        row += 1;
    }
    after
};

/// Writes 81 cells as a block.
///
/// ```
/// use sudoku_batch::format::block::{BLOCK, write_block};
/// let mut block = [0; BLOCK];
/// write_block(&[b'7'; 81], &mut block);
/// assert_eq!(block[..], *"7 7 7 7 7 7 7 7 7\n".repeat(9).as_bytes());
/// ```
#[inline]
pub fn write_block(cells: &[u8; CELLS], block: &mut [u8; BLOCK]) {
    let (pairs, _) = block.as_chunks_mut();
    for ((pair, &cell), after) in pairs.iter_mut().zip(cells).zip(AFTER) {
        *pair = [cell, after];
    }
}

/// Reads blocks from text that arrives in pieces of whole lines.
///
/// ```
/// use sudoku_batch::format::{Records, block::BlockReader};
/// let mut reader = BlockReader::default();
/// let mut records = Records::default();
/// reader.read(&b"0 0 0 0 0 0 0 0 1\r\n".repeat(9), &mut records);
/// reader.read(b"\r\n12345$$$$\n1234\n\n12345....\n\n", &mut records);
/// reader.finish(&mut records);
/// assert_eq!(records.puzzle(0).unwrap().clue_count(), 9);
/// let error = |record| (records.line(record), records.error(record).unwrap().to_string());
/// assert_eq!(error(1), (12, "column 5: end of line where a cell should be".into()));
/// assert_eq!(error(2), (14, "1 row, 9 expected".into()));
/// ```
#[derive(Clone, Debug, Default)]
pub struct BlockReader {
    /// The lines read.
    lines: u64,
    /// The number of rows read of the current block.
    rows: usize,
    /// Rows 1 to 9 of the current block, and rows 10 to 18. The second nine are a block of
    /// their own if all of them are present.
    blocks: [Rows; 2],
    separation: Option<Separation>,
    begun: bool,
    announced: Option<u64>,
    /// Whether the current section is not `[Puzzle]`.
    elsewhere: bool,
    /// Whether a name in brackets begins no section, but is a row that is malformed. A text
    /// that is cut at rows cannot have sections: the pieces would not know where they are.
    without_sections: bool,
    /// The number of bytes in the pieces before the current one.
    before: usize,
    /// The bytes of the current block in the pieces before, up to [`CARRIED`].
    carried: Vec<u8>,
}

/// The most bytes of a block that are kept from piece to piece, for the text of a malformed
/// record. Only a block with many comments has more.
const CARRIED: usize = 64 << 10;

/// Up to nine rows.
#[derive(Clone, Debug, Default)]
struct Rows {
    /// The line of the first row.
    first: u64,
    /// The bytes from the start of the first row to the end of the last, counted from the
    /// start of the whole text.
    text: Range<usize>,
    cells: [[u8; 9]; 9],
    /// The first line that is malformed, and why.
    error: Option<(u64, ParseError)>,
}

/// What separates blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Separation {
    /// Blank lines.
    Blank,
    /// Nothing: every nine rows are a block.
    Nothing,
}

impl BlockReader {
    /// Continues in a text whose first block was already read, so the separation is known, and
    /// whether there are sections.
    #[cfg(feature = "cli")]
    pub(super) fn within(separation: Separation, sections: bool) -> Self {
        Self {
            separation: Some(separation),
            begun: true,
            without_sections: !sections,
            ..Self::default()
        }
    }

    /// What separates blocks, if that is known yet.
    #[cfg(feature = "cli")]
    pub(super) fn separation(&self) -> Option<Separation> {
        self.separation
    }

    /// Reads lines and appends the complete records. Every line must end within this text,
    /// and the text must not stop between CR and LF. Only the last line of the whole input
    /// may lack its end. The line of a record is the line of its first row, counted from 1.
    /// For a malformed record it is the malformed line. The text of a malformed record is its
    /// rows, with what stands between them.
    pub fn read(&mut self, text: &[u8], records: &mut Records) {
        let before = self.lines;
        let mut rest = text;
        while !rest.is_empty() {
            let start = text.len() - rest.len();
            if let Some((row, after)) = plain_row(rest)
                && !self.elsewhere
            {
                self.lines += 1;
                self.begun = true;
                let place = start..text.len() - after.len() - 1;
                self.add_row(Ok(row), place, text, records);
                rest = after;
                continue;
            }
            let (line, after) = split_line(rest);
            self.read_line(line, start, text, records);
            rest = after;
        }
        records.add_lines(self.lines - before);
        self.carry(text);
    }

    /// Appends the last record, if the end of the text completes one.
    pub fn finish(&mut self, records: &mut Records) {
        self.end_group(b"", records);
    }

    /// Keeps the bytes of a block that continues in the next piece.
    fn carry(&mut self, piece: &[u8]) {
        let start = self.blocks[0].text.start;
        match start.checked_sub(self.before) {
            _ if self.rows == 0 => self.carried.clear(),
            Some(start) => {
                self.carried.clear();
                self.carried.extend_from_slice(&piece[start..]);
            }
            None => self.carried.extend_from_slice(piece),
        }
        self.carried.truncate(CARRIED);
        self.before += piece.len();
    }

    /// The bytes of a malformed record, which ends in this piece. It begins where the carried
    /// bytes begin, or in this piece.
    fn text(&self, range: &Range<usize>, piece: &[u8]) -> Vec<u8> {
        let end = range.end.saturating_sub(self.before);
        match range.start.checked_sub(self.before) {
            Some(start) => piece[start..end].to_vec(),
            None => {
                let first = self.blocks[0].text.start;
                let carried = self.carried.len();
                let from = (range.start - first).min(carried);
                let to = (range.end - first).min(carried);
                [&self.carried[from..to], &piece[..end]].concat()
            }
        }
    }

    /// The number of puzzles that the first line announces, if it does.
    pub fn announced(&self) -> Option<u64> {
        self.announced
    }

    /// Reads a line that begins at this place of the piece.
    fn read_line(&mut self, line: &[u8], start: usize, piece: &[u8], records: &mut Records) {
        self.lines += 1;
        let line = line.trim_ascii_end();
        if line.is_empty() {
            return self.end_group(piece, records);
        }
        if line.starts_with(b"#") || is_frame(line) {
            return;
        }
        if let [b'[', name @ .., b']'] = line
            && !self.without_sections
        {
            self.end_group(piece, records);
            self.elsewhere = !name.eq_ignore_ascii_case(b"puzzle");
            return;
        }
        if self.elsewhere {
            return;
        }
        if !std::mem::replace(&mut self.begun, true) {
            self.announced = count(line);
            if self.announced.is_some() {
                return;
            }
        }
        self.add_row(read_row(line), start..start + line.len(), piece, records);
    }

    /// Adds a row, or what is wrong with it, that has this place in the piece.
    fn add_row(
        &mut self,
        read: Result<[u8; 9], ParseError>,
        place: Range<usize>,
        piece: &[u8],
        records: &mut Records,
    ) {
        if self.rows == 9 && self.separation != Some(Separation::Blank) {
            self.separation = Some(Separation::Nothing);
            self.push_blocks(piece, records);
        }
        let block = &mut self.blocks[self.rows / 9];
        let row = self.rows % 9;
        if row == 0 {
            block.first = self.lines;
            block.error = None;
            block.text.start = self.before + place.start;
        }
        block.text.end = self.before + place.end;
        match read {
            Ok(cells) => block.cells[row] = cells,
            Err(error) => _ = block.error.get_or_insert((self.lines, error)),
        }
        self.rows += 1;
        // Eighteen rows without a blank line are two blocks.
        if self.rows == 18 {
            self.push_blocks(piece, records);
        }
    }

    /// Ends the current rows, at a blank line or at the end of the text.
    fn end_group(&mut self, piece: &[u8], records: &mut Records) {
        match self.rows {
            0 => {}
            9 => {
                self.separation.get_or_insert(Separation::Blank);
                self.push_blocks(piece, records);
            }
            rows => {
                let error = ParseError {
                    column: 1,
                    found: Found::Rows(rows),
                    expected: Expected::NineRows,
                };
                let last = &self.blocks[(rows - 1) / 9];
                let range = self.blocks[0].text.start..last.text.end;
                let text = self.text(&range, piece);
                let block = &mut self.blocks[0];
                let (line, error) = block.error.take().unwrap_or((block.first, error));
                records.push_error(line, error, &text);
                self.rows = 0;
            }
        }
    }

    /// Appends the current blocks, which are complete.
    fn push_blocks(&mut self, piece: &[u8], records: &mut Records) {
        let complete = self.rows / 9;
        for number in 0..complete {
            if let Some((line, error)) = self.blocks[number].error.take() {
                let text = self.text(&self.blocks[number].text, piece);
                records.push_error(line, error, &text);
                continue;
            }
            let block = &self.blocks[number];
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
    let cell = |c: u8| if c == b'0' { b'.' } else { c };
    row.iter()
        .fold(true, is_plain)
        .then(|| (row.map(cell), rest))
}

/// The number in a line that holds just one number and is not a row.
fn count(line: &[u8]) -> Option<u64> {
    let text = str::from_utf8(line.trim_ascii_start()).ok()?;
    let number = text.len() != 9 && text.bytes().all(|c| c.is_ascii_digit());
    number.then(|| text.parse().ok()).flatten()
}

/// Whether a line is a row of nine cells.
#[cfg(feature = "cli")]
pub(super) fn is_row(line: &[u8]) -> bool {
    read_row(line).is_ok()
}

/// Whether a line may stand before the first row: the number of puzzles, or a frame.
#[cfg(feature = "cli")]
pub(super) fn may_begin(line: &[u8]) -> bool {
    count(line).is_some() || is_frame(line)
}

/// Whether a line is a part of a frame, and no row.
fn is_frame(line: &[u8]) -> bool {
    line.iter().all(|c| b"+-=*| \t".contains(c))
        && (line.contains(&b'+') || line.iter().filter(|c| b"-*=".contains(c)).count() != 9)
}

/// The place where the first record begins at or after `least`, in a text that begins with
/// a record. This place is after the line that ends the previous record. Returns `None` if
/// the text does not reach that place.
#[cfg(feature = "cli")]
pub(super) fn record_end(text: &[u8], least: usize, separation: Separation) -> Option<usize> {
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
        let line = line.trim_ascii_end();
        if line.is_empty() {
            rows = 0;
        } else if !line.starts_with(b"#") && !is_frame(line) {
            rows += 1;
        } else {
            continue;
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

/// The length of a grid in a frame.
pub const PRETTY: usize = 13 * 26;

/// Writes 81 cells as a grid in a frame, for people to read.
///
/// ```text
/// +-------+-------+-------+
/// | 4 . . | 5 2 . | 7 . 3 |
/// ```
pub fn write_pretty(cells: &[u8; CELLS], pretty: &mut [u8; PRETTY]) {
    const RULE: &[u8; 26] = b"+-------+-------+-------+\n";
    const ROW: &[u8; 26] = b"| . . . | . . . | . . . |\n";
    let (lines, _) = pretty.as_chunks_mut::<26>();
    for (number, line) in lines.iter_mut().enumerate() {
        if number % 4 == 0 {
            *line = *RULE;
            continue;
        }
        *line = *ROW;
        let row = number - number / 4 - 1;
        for column in 0..9 {
            line[2 + 2 * column + 2 * (column / 3)] = cells[9 * row + column];
        }
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
            Some(&digit @ b'1'..=b'9') => *cell = digit,
            Some(b'.' | b'0' | b'*' | b'_' | b'-' | b'?' | b'x' | b'X' | b'$') => {}
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

#[cfg(test)]
mod tests {
    use super::*;

    const CLUES: &str =
        "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";

    /// The nine lines of a puzzle, changed by `row`.
    fn block(row: impl Fn(&str) -> String) -> String {
        (0..9).map(|r| row(&CLUES[9 * r..][..9]) + "\n").collect()
    }

    fn spaced(row: &str) -> String {
        row.split("").collect::<Vec<_>>().join(" ").trim().into()
    }

    /// Line and puzzle or error of each, read in pieces of so many lines.
    fn read(text: &str, lines: usize) -> Vec<String> {
        let mut reader = BlockReader::default();
        let mut records = Records::default();
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some(end) = rest.find(['\n', '\r']) {
            let length = if rest[end..].starts_with("\r\n") {
                2
            } else {
                1
            };
            pieces.push(&rest[..end + length]);
            rest = &rest[end + length..];
        }
        pieces.extend((!rest.is_empty()).then_some(rest));
        for piece in pieces.chunks(lines) {
            reader.read(piece.concat().as_bytes(), &mut records);
        }
        assert_eq!(records.lines(), pieces.len() as u64);
        reader.finish(&mut records);
        let told = |i| match records.puzzle(i) {
            Ok(puzzle) => format!("{}: {puzzle}", records.line(i)),
            Err(error) => format!("{}: {error}", records.line(i)),
        };
        (0..records.len()).map(told).collect()
    }

    #[test]
    fn any_layout_of_nine_lines_is_read() {
        let plain = block(str::to_owned);
        let layouts = [
            plain.clone(),
            block(spaced),
            block(|row| row.replace('.', "0")),
            block(|row| spaced(row).replace('.', "$")),
            block(|row| format!(" {} \t", spaced(row))),
            plain.replace('\n', "\r\n"),
            plain.replace('\n', "\r"),
            plain.trim_end().into(),
        ];
        for text in layouts {
            assert_eq!(read(&text, 100), [format!("1: {CLUES}")], "{text}");
            for (between, second) in [("", 10), ("\n", 11), ("\r\n \n", 12)] {
                let end = if text.ends_with('\n') { "" } else { "\n" };
                let two = format!("{text}{end}{between}{text}");
                let expected = [format!("1: {CLUES}"), format!("{second}: {CLUES}")];
                for lines in [1, 2, 9, 100] {
                    assert_eq!(read(&two, lines), expected, "{two}");
                }
            }
        }
    }

    #[test]
    fn a_first_line_may_tell_the_number_of_puzzles() {
        for (first, announced) in [("1", Some(1)), (" 1000000\r", Some(1_000_000))] {
            let text = format!("{first}\n{}", block(spaced));
            let mut reader = BlockReader::default();
            let mut records = Records::default();
            reader.read(text.as_bytes(), &mut records);
            reader.finish(&mut records);
            assert_eq!(reader.announced(), announced);
            assert_eq!((records.len(), records.line(0)), (1, 2));
        }
        assert_eq!(read("123456789", 1), ["1: 1 row, 9 expected"]);
        assert_eq!(read("# a comment\n7\n", 1), [""; 0]);
    }

    #[test]
    fn a_malformed_line_spoils_its_puzzle_only() {
        let good = block(spaced);
        let lines: Vec<&str> = good.lines().collect();
        let with = |row: usize, line: &str| {
            let mut lines = lines.clone();
            lines[row] = line;
            lines.join("\n") + "\n"
        };
        let cases = [
            (
                with(2, "1 . . a . . . . ."),
                "3: column 7: 'a' where a cell should be",
            ),
            (
                with(8, "1 . . ."),
                "9: column 8: end of line where a cell should be",
            ),
            (
                with(0, "1........5"),
                "1: column 10: '5' where the end of the row should be",
            ),
        ];
        for (bad, message) in cases {
            let told = read(&format!("{bad}\n{good}"), 3);
            assert_eq!(told[0], message);
            assert_eq!(told.last().unwrap(), &format!("11: {CLUES}"));
        }
        assert_eq!(read(&lines[..3].join("\n"), 1), ["1: 3 rows, 9 expected"]);
        assert!(read("", 1).is_empty() && read("\n\r\n", 1).is_empty());
    }

    /// Blocks of any number of rows, with blank lines between: each is one record, and
    /// those of nine rows are read, whatever stands before them.
    #[test]
    fn a_block_of_too_few_or_too_many_rows_is_one_record() {
        let good = block(spaced);
        let rows = |count: usize| {
            good.repeat(2)
                .lines()
                .take(count)
                .collect::<Vec<_>>()
                .join("\n")
        };
        for wrong in (1..9).chain(10..18) {
            let text = [good.trim_end(), &rows(wrong), "# a comment", &good].join("\n\n");
            let plural = if wrong == 1 { "" } else { "s" };
            let expected = [
                format!("1: {CLUES}"),
                format!("11: {wrong} row{plural}, 9 expected"),
                format!("{}: {CLUES}", 14 + wrong),
            ];
            for lines in [1, 2, 9, 100] {
                assert_eq!(read(&text, lines), expected, "{text}");
            }
        }
        // A blank line that is missing between two blocks.
        let text = [good.trim_end(), &rows(18), &good].join("\n\n");
        let expected = [1, 11, 20, 30].map(|line| format!("{line}: {CLUES}"));
        assert_eq!(read(&text, 1), expected);
        // Without blank lines the last block may be short.
        let expected = [format!("1: {CLUES}"), "10: 8 rows, 9 expected".into()];
        assert_eq!(read(&rows(17), 1), expected);
    }

    /// A malformed record keeps its rows, also where a piece of the text ends within it.
    #[test]
    fn the_text_of_a_malformed_block_is_its_rows() {
        let good = block(spaced);
        let short = "1 2 3 . . . . . .\n# a comment\n . x 5\t\n";
        let bad_row = good.replacen("2 . 1 .", "2 . Z .", 1);
        let long = format!("{good}1........\n");
        let text = format!("{good}\n{short}\n{bad_row}\n{long}\r\n{good}");
        let expected = [short.trim_end(), bad_row.trim_end(), long.trim_end()];
        let pieces: Vec<_> = text.split_inclusive('\n').collect();
        for lines in [1, 2, 7, 100] {
            let mut reader = BlockReader::default();
            let mut records = Records::default();
            for piece in pieces.chunks(lines) {
                reader.read(piece.concat().as_bytes(), &mut records);
            }
            reader.finish(&mut records);
            let bad = (0..records.len()).filter(|&i| records.error(i).is_some());
            let texts: Vec<_> = bad.map(|i| records.text(i)).collect();
            assert_eq!(texts, expected.map(str::as_bytes), "{lines} lines");
        }
    }

    #[test]
    fn comments_are_no_rows() {
        let commented = format!("# a\n{}# b\n", block(spaced).replace('\n', "\n# c\n"));
        for text in [commented.clone(), commented.repeat(3)] {
            let told = read(&text, 2);
            assert_eq!(told.len(), text.len() / commented.len());
            assert_eq!(told[0], format!("2: {CLUES}"));
            assert!(told.iter().all(|record| record.ends_with(CLUES)));
        }
    }
}
