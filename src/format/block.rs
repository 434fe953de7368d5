//! The block layout, that of the course projects: nine lines of nine digits
//! with a space between, and a blank line between grids.
//!
//! ```text
//!     5 . . . 3 . . 8 .          reading: spaces or none, 0 $ . or any other blank,
//!     ...                        perhaps a first line with the number of puzzles
//!     . 2 . 8 . . . . 7
//!                                no blank line is needed after nine lines
//!     4 . . . . . . . 1
//! ```

use super::{Expected, ParseError, Records, unexpected};
use crate::grid::CELLS;
use memchr::memchr;

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

/// Reads blocks from text that comes piece by piece, whole lines at a time.
///
/// A malformed line spoils its puzzle only: the next begins after nine lines or
/// a blank one.
///
/// ```
/// use sudoku_batch::format::{Records, block::BlockReader};
/// let mut reader = BlockReader::default();
/// let mut records = Records::default();
/// reader.read(&b"0 0 0 0 0 0 0 0 1\r\n".repeat(9), &mut records);
/// reader.read(b"\r\n12345$$$$\n12x\n", &mut records);
/// reader.finish(&mut records);
/// assert_eq!(records.puzzle(0).unwrap().clue_count(), 9);
/// assert_eq!(records.line(1), 12);
/// assert_eq!(
///     records.error(1).unwrap().to_string(),
///     "column 4: end of line where a cell should be"
/// );
/// ```
#[derive(Clone, Debug, Default)]
pub struct BlockReader {
    /// The lines read.
    lines: u64,
    /// The rows read of the puzzle at hand, and the line of the first.
    rows: usize,
    first: u64,
    cells: [[u8; 9]; 9],
    /// The first line that is malformed, and why.
    error: Option<(u64, ParseError)>,
    begun: bool,
    announced: Option<u64>,
}

impl BlockReader {
    /// Reads lines and appends the records that are complete. All lines end in
    /// this text; the last of all may lack its line feed. The line of a record is
    /// that of its first row, counted from 1, or the malformed one. A malformed
    /// record has no text.
    pub fn read(&mut self, mut text: &[u8], records: &mut Records) {
        let before = self.lines;
        while !text.is_empty() {
            let end = memchr(b'\n', text).unwrap_or(text.len());
            self.read_line(&text[..end], records);
            text = text.get(end + 1..).unwrap_or_default();
        }
        records.add_lines(self.lines - before);
    }

    /// Appends the record that the end of the text cuts short, if there is one.
    pub fn finish(&mut self, records: &mut Records) {
        self.lines += 1;
        self.cut_short(records);
    }

    /// The number of puzzles that the first line tells, if it does.
    pub fn announced(&self) -> Option<u64> {
        self.announced
    }

    fn read_line(&mut self, line: &[u8], records: &mut Records) {
        self.lines += 1;
        let line = line.trim_ascii_end();
        if line.is_empty() {
            return self.cut_short(records);
        }
        if !std::mem::replace(&mut self.begun, true) {
            self.announced = count(line);
            if self.announced.is_some() {
                return;
            }
        }
        if self.rows == 0 {
            self.first = self.lines;
        }
        match read_row(line) {
            Ok(row) => self.cells[self.rows] = row,
            Err(error) => self.blame_this_line(error),
        }
        self.rows += 1;
        if self.rows == 9 {
            self.end(records);
        }
    }

    /// Ends the record at hand at a line without a row.
    fn cut_short(&mut self, records: &mut Records) {
        if self.rows > 0 {
            self.blame_this_line(unexpected(b"", 0, Expected::Cell));
            self.end(records);
        }
    }

    fn blame_this_line(&mut self, error: ParseError) {
        self.error.get_or_insert((self.lines, error));
    }

    fn end(&mut self, records: &mut Records) {
        self.rows = 0;
        if let Some((line, error)) = self.error.take() {
            return records.push_error(line, error, b"");
        }
        let cells = self.cells.as_flattened().first_chunk().expect("81 cells");
        let pushed = records.push_cells(self.first, cells);
        pushed.expect("rows have digits and blanks");
    }
}

/// The number that a line of one number holds, unless it is a row.
fn count(line: &[u8]) -> Option<u64> {
    let text = str::from_utf8(line.trim_ascii_start()).ok()?;
    let number = text.len() != 9 && text.bytes().all(|c| c.is_ascii_digit());
    number.then(|| text.parse().ok()).flatten()
}

fn read_row(line: &[u8]) -> Result<[u8; 9], ParseError> {
    let mut column = 0;
    let skip_spaces = |column: &mut usize| {
        while let Some(b' ' | b'\t') = line.get(*column) {
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
        let pieces: Vec<&str> = text.split_inclusive('\n').collect();
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
            assert_eq!(reader.announced(), announced);
            assert_eq!((records.len(), records.line(0)), (1, 2));
        }
        assert!(read("123456789", 1)[0].starts_with("2: column 1: end of line"));
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
            (
                with(4, ""),
                "5: column 1: end of line where a cell should be",
            ),
        ];
        for (bad, message) in cases {
            let told = read(&format!("{bad}\n{good}"), 3);
            assert_eq!(told[0], message);
            assert_eq!(told.last().unwrap(), &format!("11: {CLUES}"));
        }
        assert_eq!(
            read(&lines[..3].join("\n"), 1),
            ["4: column 1: end of line where a cell should be"]
        );
        assert!(read("", 1).is_empty() && read("\n\r\n", 1).is_empty());
    }
}
