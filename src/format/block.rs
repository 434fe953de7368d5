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

use super::{Expected, ParseError, unexpected};
use crate::grid::{CELLS, Puzzle};
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

/// A puzzle of a text of blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockRecord {
    /// The line of its first row, counted from 1.
    pub line: u64,
    /// The puzzle, or the first line in which something else stood.
    pub puzzle: Result<Puzzle, BlockError>,
}

/// Where and why a block is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, {error}")]
pub struct BlockError {
    /// The line, counted from 1.
    pub line: u64,
    /// The column and what stood there.
    #[source]
    pub error: ParseError,
}

/// Reads blocks from text that comes piece by piece, whole lines at a time.
///
/// A malformed line spoils its puzzle only: the next begins after nine lines or
/// a blank one.
///
/// ```
/// use sudoku_batch::format::block::BlockReader;
/// let mut reader = BlockReader::default();
/// let mut puzzles = Vec::new();
/// reader.read(&b"0 0 0 0 0 0 0 0 1\r\n".repeat(9), &mut puzzles);
/// reader.read(b"\r\n12345$$$$\n12x\n", &mut puzzles);
/// reader.finish(&mut puzzles);
/// assert_eq!(puzzles[0].puzzle.unwrap().clue_count(), 9);
/// assert_eq!(
///     puzzles[1].puzzle.unwrap_err().to_string(),
///     "line 12, column 4: end of line where a cell should be"
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
    error: Option<BlockError>,
    begun: bool,
    announced: Option<u64>,
}

impl BlockReader {
    /// Reads lines and appends the puzzles that are complete. All lines end in
    /// this text; the last of all may lack its line feed.
    pub fn read(&mut self, mut text: &[u8], puzzles: &mut Vec<BlockRecord>) {
        while !text.is_empty() {
            let end = memchr(b'\n', text).unwrap_or(text.len());
            puzzles.extend(self.read_line(&text[..end]));
            text = text.get(end + 1..).unwrap_or_default();
        }
    }

    /// Appends the puzzle that the end of the text cuts short, if there is one.
    pub fn finish(&mut self, puzzles: &mut Vec<BlockRecord>) {
        self.lines += 1;
        puzzles.extend(self.cut_short());
    }

    /// The number of puzzles that the first line tells, if it does.
    pub fn announced(&self) -> Option<u64> {
        self.announced
    }

    fn read_line(&mut self, line: &[u8]) -> Option<BlockRecord> {
        self.lines += 1;
        let line = line.trim_ascii_end();
        if line.is_empty() {
            return self.cut_short();
        }
        if !std::mem::replace(&mut self.begun, true) {
            self.announced = count(line);
            if self.announced.is_some() {
                return None;
            }
        }
        if self.rows == 0 {
            self.first = self.lines;
        }
        match read_row(line) {
            Ok(row) => self.cells[self.rows] = row,
            Err(error) => self.note(error),
        }
        self.rows += 1;
        (self.rows == 9).then(|| self.take())
    }

    /// Ends the puzzle at hand at a line without a row.
    fn cut_short(&mut self) -> Option<BlockRecord> {
        (self.rows > 0).then(|| {
            self.note(unexpected(b"", 0, Expected::Cell));
            self.take()
        })
    }

    fn note(&mut self, error: ParseError) {
        let line = self.lines;
        self.error.get_or_insert(BlockError { line, error });
    }

    fn take(&mut self) -> BlockRecord {
        self.rows = 0;
        let cells = self.cells.as_flattened().first_chunk().expect("81 cells");
        BlockRecord {
            line: self.first,
            puzzle: match self.error.take() {
                Some(error) => Err(error),
                None => Ok(Puzzle::from_ascii(cells).expect("rows have digits and blanks")),
            },
        }
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
        let mut puzzles = Vec::new();
        let pieces: Vec<&str> = text.split_inclusive('\n').collect();
        for piece in pieces.chunks(lines) {
            reader.read(piece.concat().as_bytes(), &mut puzzles);
        }
        reader.finish(&mut puzzles);
        let told = |record: BlockRecord| match record.puzzle {
            Ok(puzzle) => format!("{}: {puzzle}", record.line),
            Err(error) => format!("{}: {error}", record.line),
        };
        puzzles.into_iter().map(told).collect()
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
            let mut puzzles = Vec::new();
            reader.read(text.as_bytes(), &mut puzzles);
            assert_eq!(reader.announced(), announced);
            assert_eq!((puzzles.len(), puzzles[0].line), (1, 2));
        }
        assert!(read("123456789", 1)[0].starts_with("1: line 2, column 1: end of line"));
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
                "1: line 3, column 7: 'a' where a cell should be",
            ),
            (
                with(8, "1 . . ."),
                "1: line 9, column 8: end of line where a cell should be",
            ),
            (
                with(0, "1........5"),
                "1: line 1, column 10: '5' where the end of the row should be",
            ),
            (
                with(4, ""),
                "1: line 5, column 1: end of line where a cell should be",
            ),
        ];
        for (bad, message) in cases {
            let told = read(&format!("{bad}\n{good}"), 3);
            assert_eq!(told[0], message);
            assert_eq!(told.last().unwrap(), &format!("11: {CLUES}"));
        }
        assert_eq!(
            read(&lines[..3].join("\n"), 1),
            ["1: line 4, column 1: end of line where a cell should be"]
        );
        assert!(read("", 1).is_empty() && read("\n\r\n", 1).is_empty());
    }
}
