//! Grids as nine lines of text, with a line feed before them and one after them.
//!
//! ```text
//!     spaced           compact      framed                       boxed
//!     4 . . 5 2 . …    4..52.7.3    +-------+-------+-------+    ┌───────┬───────┬───────┐
//!     . . . . 3 . …    .....3...    | 4 . . | 5 2 . | 7 . 3 |    │ 4 . . │ 5 2 . │ 7 . 3 │
//! ```

#[cfg(feature = "formats")]
use crate::grid::Candidates;
use crate::grid::{CELLS, Grid, Puzzle};

/// Nine lines with spaces between the cells.
#[inline]
pub(super) fn spaced(cells: &[u8; CELLS]) -> [u8; 1 + 2 * CELLS + 1] {
    /// The byte after each cell.
    const AFTER: [u8; CELLS] = {
        let mut after = [b' '; CELLS];
        let mut row = 0;
        while row < 9 {
            after[9 * row + 8] = b'\n';
            row += 1;
        }
        after
    };
    let mut text = [b'\n'; _];
    let (pairs, _) = text[1..].as_chunks_mut();
    for ((pair, &cell), after) in pairs.iter_mut().zip(cells).zip(AFTER) {
        *pair = [cell, after];
    }
    text
}

/// Nine lines without spaces.
#[inline]
pub(super) fn compact(cells: &[u8; CELLS]) -> [u8; 1 + 90 + 1] {
    let mut text = [b'\n'; _];
    let (lines, _) = text[1..].as_chunks_mut::<10>();
    for (line, row) in lines.iter_mut().zip(cells.as_chunks::<9>().0) {
        line[..9].copy_from_slice(row);
    }
    text
}

/// A grid in a frame, for people to read.
#[inline]
pub(super) fn framed(cells: &[u8; CELLS]) -> [u8; 1 + 13 * 26 + 1] {
    const RULE: &[u8; 26] = b"+-------+-------+-------+\n";
    const ROW: &[u8; 26] = b"| . . . | . . . | . . . |\n";
    let mut text = [b'\n'; _];
    let (lines, _) = text[1..].as_chunks_mut::<26>();
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
    text
}

/// Nine lines without spaces, below the name of the section that holds puzzles.
#[cfg(feature = "formats")]
pub(super) fn section(cells: &[u8; CELLS]) -> [u8; 1 + 9 + 90 + 1] {
    let mut text = [b'\n'; _];
    text[1..9].copy_from_slice(b"[Puzzle]");
    text[9..].copy_from_slice(&compact(cells));
    text
}

/// A grid in a frame of box drawing.
#[cfg(feature = "formats")]
pub(super) fn boxed(cells: &[u8; CELLS]) -> Vec<u8> {
    const RULES: [&str; 3] = [
        "┌───────┬───────┬───────┐\n",
        "├───────┼───────┼───────┤\n",
        "└───────┴───────┴───────┘\n",
    ];
    const SIDE: &str = "│";
    let mut text = b"\n".to_vec();
    for (number, row) in cells.as_chunks::<9>().0.iter().enumerate() {
        if number % 3 == 0 {
            text.extend_from_slice(RULES[usize::from(number > 0)].as_bytes());
        }
        text.extend_from_slice(SIDE.as_bytes());
        for (column, &cell) in row.iter().enumerate() {
            text.extend_from_slice(&[b' ', cell]);
            if column % 3 == 2 {
                text.push(b' ');
                text.extend_from_slice(SIDE.as_bytes());
            }
        }
        text.push(b'\n');
    }
    text.extend_from_slice(RULES[2].as_bytes());
    text.push(b'\n');
    text
}

impl Puzzle {
    /// The puzzle as nine lines in a frame, for people to read. It is parsed again as the same puzzle.
    ///
    /// ```
    /// use sudoku_batch::Puzzle;
    /// let puzzle: Puzzle =
    ///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
    /// let block = puzzle.to_block();
    /// assert!(block.starts_with("+-------+-------+-------+\n| 4 . . | 5 2 . | 7 . 3 |\n"));
    /// assert_eq!(block.parse(), Ok(puzzle));
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn to_block(&self) -> String {
        block(self.as_ascii())
    }
}

impl Grid {
    /// The grid as nine lines in a frame, for people to read. It is parsed again as the same grid.
    pub fn to_block(&self) -> String {
        block(self.as_ascii())
    }
}

/// A frame without the blank lines around it.
fn block(cells: &[u8; CELLS]) -> String {
    let text = framed(cells);
    let lines = text[1..].strip_suffix(b"\n").expect("a blank line is last");
    str::from_utf8(lines).expect("cells are ASCII").to_owned()
}

#[cfg(feature = "formats")]
/// Nine lines of the candidates of each cell, in columns, and a line feed.
pub(super) fn marks(candidates: &Candidates) -> Vec<u8> {
    let cells = candidates.cells();
    let widths: [usize; 9] = std::array::from_fn(|column| {
        let of_column = cells.iter().skip(column).step_by(9);
        of_column.map(|digits| digits.len()).max().unwrap_or(0)
    });
    let mut text = Vec::with_capacity(CELLS * 10 + 1);
    for (cell, digits) in cells.iter().enumerate() {
        let column = cell % 9;
        text.extend(digits.iter().map(|digit| digit.to_ascii()));
        match column {
            8 => text.push(b'\n'),
            _ => text.resize(text.len() + widths[column] - digits.len() + 1, b' '),
        }
    }
    text.push(b'\n');
    text
}
