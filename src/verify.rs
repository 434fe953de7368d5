//! An independent check of grids and solutions, before they are handed on. It shares nothing with the
//! engines: neither their tables nor their planes nor their conversions of text. It reads the 81
//! characters that are about to be written.
//!
//! ```
//! use sudoku_batch::{Level, verify};
//! let puzzle = *b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
//! let mut lines = [*b"496528713875143692132967854314289576729654381568731429687492135943815267251376948\n"];
//! let level = Level::detect();
//! assert_eq!(verify::wrong_solution(level, &[puzzle], &lines), None);
//! lines[0].swap(3, 4);
//! assert_eq!(verify::wrong_grid(level, &lines), Some(0));
//! ```
//!
//! The digits 1 to 8 become one of eight bits, 9 becomes no bit, and any other character makes the
//! line wrong. The nine cells of a house are combined by XOR. The house holds each digit once if and
//! only if the result is `1111_1111`. In that case each digit 1 to 8 occurs an odd number of times.
//! Eight odd numbers have an even sum, and there are nine cells: the sum is 8, so each of the eight
//! occurs once, and the last cell holds 9.
//!
//! A line is 82 bytes, and 32 lines are one text. A few sliding sums over this text give those of
//! all 27 houses of all lines. Most mean nothing, and a mask for each position says which count:
//!
//! ```text
//!     y[i] = x[i] ^ x[i + 1] ^ x[i + 2]      y at 9r + 3k is a minirow
//!     z[i] = y[i] ^ y[i + 3] ^ y[i + 6]      z at 9r is a row
//!     w[i] = y[i] ^ y[i + 9] ^ y[i + 18]     w at 27b + 3s is a box
//!     v[i] = x[i] ^ x[i + 27] ^ x[i + 54]    u[i] = v[i] ^ v[i + 9] ^ v[i + 18]
//!                                            u at 0 to 8 is a column
//! ```

use crate::{
    grid::{CELLS, Cell, Digit, GridLine, House},
    simd::{Isa, Kernel, Level, run},
};

/// The first fault of a line that should be a grid, in words, as a slow and plain check finds it.
///
/// ```
/// use sudoku_batch::verify;
/// let mut line = *b"496528713875143692132967854314289576729654381568731429687492135943815267251376948\n";
/// assert_eq!(verify::grid_fault(&line), None);
/// line[0] = b'3';
/// assert_eq!(verify::grid_fault(&line).unwrap(), "row 1 does not hold each digit once");
/// ```
pub fn grid_fault(line: &GridLine) -> Option<String> {
    let digit_of = |cell: Cell| line[cell.index()].wrapping_sub(b'1');
    if let Some(cell) = Cell::all().find(|&cell| digit_of(cell) > 8) {
        return Some(format!("{cell} is not a digit"));
    }
    if line[CELLS] != b'\n' {
        return Some("the line does not end after 81 characters".into());
    }
    let is_wrong = |house: &House| {
        let digits = house.cells().map(digit_of);
        (0..9).any(|digit| !digits.contains(&digit))
    };
    let house = House::all().find(is_wrong)?;
    Some(format!("{house} does not hold each digit once"))
}

/// The first fault of a line that should be a solution of a puzzle, or 81 dots, as [`grid_fault`] finds it.
pub fn solution_fault(puzzle: &[u8; CELLS], line: &GridLine) -> Option<String> {
    if *line == NO_GRID {
        return None;
    }
    let wrong_clue = |cell: Cell| {
        let clue = Digit::from_ascii(puzzle[cell.index()])?;
        (line[cell.index()] != clue.to_ascii()).then(|| format!("{cell} is not the clue {clue}"))
    };
    grid_fault(line).or_else(|| Cell::all().find_map(wrong_clue))
}

/// The number, from 0, of the first line that is not a grid: 81 digits with each digit once in every row, column
/// and box, and a line feed. `None` if all are grids. The answer is the same at every level.
///
/// # Panics
///
/// This CPU does not have the level.
pub fn wrong_grid(level: Level, lines: &[GridLine]) -> Option<usize> {
    find_wrong(level, lines, None)
}

/// The number, from 0, of the first line that is neither a grid with all the clues of its puzzle nor 81 dots.
/// `None` if there is no such line. In a puzzle, `1` to `9` are clues, and any other byte is a blank. The answer is
/// the same at every level.
///
/// # Panics
///
/// This CPU does not have the level, or the number of lines is not the number of puzzles.
pub fn wrong_solution(level: Level, puzzles: &[[u8; CELLS]], lines: &[GridLine]) -> Option<usize> {
    assert_eq!(puzzles.len(), lines.len(), "a line for each puzzle");
    find_wrong(level, lines, Some(puzzles))
}

fn find_wrong(level: Level, lines: &[GridLine], puzzles: Option<&[[u8; CELLS]]>) -> Option<usize> {
    let find = FindWrong { lines, puzzles };
    level.with(find).expect("this CPU has the level")
}

/// The line of a record that has no solution to show.
const NO_GRID: GridLine = {
    let mut line = [b'.'; CELLS + 1];
    line[CELLS] = b'\n';
    line
};

/// The number of lines that are checked together, as one text. Its length is a multiple of 64 bytes.
const TOGETHER: usize = 32;

/// The length of a line.
const LINE: usize = CELLS + 1;

/// The length of that text.
const TEXT: usize = TOGETHER * LINE;

/// How far a sum may reach beyond the text. Such a sum means nothing.
const BEYOND: usize = 64;

/// The values that each position of the text may hold.
struct Masks {
    /// A byte, taken from `1`, and changed by these bits, is at most this.
    flip: [u8; TEXT],
    most: [u8; TEXT],
    /// The positions at which the sums of rows, boxes and columns count: all bits, or none.
    rows: [u8; TEXT],
    boxes: [u8; TEXT],
    columns: [u8; TEXT],
}

static MASKS: Masks = {
    let mut masks = Masks {
        flip: [0; TEXT],
        most: [8; TEXT],
        rows: [0; TEXT],
        boxes: [0; TEXT],
        columns: [0; TEXT],
    };
    let mut start = 0;
    while start < TEXT {
        let mut house = 0;
        while house < 9 {
            masks.rows[start + 9 * house] = 0xff;
            masks.boxes[start + 27 * (house / 3) + 3 * (house % 3)] = 0xff;
            masks.columns[start + house] = 0xff;
            house += 1;
        }
        masks.flip[start + CELLS] = b'\n'.wrapping_sub(b'1');
        masks.most[start + CELLS] = 0;
        start += LINE;
    }
    masks
};

/// The sums over the text of some lines, and where it is wrong.
struct Sums {
    text: [u8; TEXT],
    /// The puzzles, each with a blank behind it.
    clues: [u8; TEXT],
    bits: [u8; TEXT + BEYOND],
    minirows: [u8; TEXT + BEYOND],
    thirds: [u8; TEXT + BEYOND],
    wrong: [u8; TEXT],
}

impl Sums {
    #[inline(always)]
    fn new() -> Self {
        Self {
            text: [0; TEXT],
            clues: [0; TEXT],
            bits: [0; TEXT + BEYOND],
            minirows: [0; TEXT + BEYOND],
            thirds: [0; TEXT + BEYOND],
            wrong: [0; TEXT],
        }
    }

    /// Finds where at most [`TOGETHER`] lines are wrong: they are no grids, or have other digits
    /// than the clues of their puzzles, if there are puzzles. Returns whether all are right. (Fewer
    /// lines never are, for those that lack are none.)
    #[inline(always)]
    fn are_right(&mut self, lines: &[GridLine], puzzles: Option<&[[u8; CELLS]]>) -> bool {
        let text = match lines.as_flattened().try_into() {
            Ok(text) => text,
            Err(_) => {
                self.text.fill(0);
                self.text[..LINE * lines.len()].copy_from_slice(lines.as_flattened());
                &self.text
            }
        };
        find_bits(text, &mut self.bits, &mut self.wrong);
        if let Some(puzzles) = puzzles {
            for (clues, puzzle) in self.clues.as_chunks_mut::<LINE>().0.iter_mut().zip(puzzles) {
                clues[..CELLS].copy_from_slice(puzzle);
            }
            #[expect(
                clippy::needless_range_loop,
                reason = "three texts, as in the loops below"
            )]
            for i in 0..TEXT {
                // A mask, and no condition: with one, the loop is no vectors at avx2, and takes 25
                // times as long.
                let is_clue = self.clues[i].wrapping_sub(b'1') < 9;
                let mask = 0u8.wrapping_sub(u8::from(is_clue));
                self.wrong[i] |= (text[i] ^ self.clues[i]) & mask;
            }
        }
        for i in 0..TEXT {
            self.minirows[i] = self.bits[i] ^ self.bits[i + 1] ^ self.bits[i + 2];
            self.thirds[i] = self.bits[i] ^ self.bits[i + 27] ^ self.bits[i + 54];
        }
        let (y, v) = (&self.minirows, &self.thirds);
        let mut any = 0;
        for i in 0..TEXT {
            let in_row = y[i] ^ y[i + 3] ^ y[i + 6];
            let in_box = y[i] ^ y[i + 9] ^ y[i + 18];
            let in_column = v[i] ^ v[i + 9] ^ v[i + 18];
            self.wrong[i] |= (!in_row & MASKS.rows[i])
                | (!in_box & MASKS.boxes[i])
                | (!in_column & MASKS.columns[i]);
            any |= self.wrong[i];
        }
        any == 0
    }

    /// Returns true if a line is right, by its number among those that were looked at last.
    #[inline(always)]
    fn is_right(&self, at: usize) -> bool {
        let mut any = 0;
        for &wrong in &self.wrong[LINE * at..LINE * (at + 1)] {
            any |= wrong;
        }
        any == 0
    }
}

/// The bit of each digit, and where another character stands than should.
#[inline(always)]
fn find_bits(text: &[u8; TEXT], bits: &mut [u8; TEXT + BEYOND], wrong: &mut [u8; TEXT]) {
    for i in 0..TEXT {
        let digit = text[i].wrapping_sub(b'1');
        let one = 1 + (digit & 1);
        let two = if digit & 2 != 0 { one << 2 } else { one };
        let four = if digit & 4 != 0 { two << 4 } else { two };
        bits[i] = if digit < 8 { four } else { 0 };
        let is_wrong = digit ^ MASKS.flip[i] > MASKS.most[i];
        wrong[i] = if is_wrong { 0xff } else { 0 };
    }
}

/// Finds the first line that is not a grid, or not a solution of its puzzle nor [`NO_GRID`].
struct FindWrong<'l> {
    lines: &'l [GridLine],
    puzzles: Option<&'l [[u8; CELLS]]>,
}

impl Kernel for FindWrong<'_> {
    type Output = Option<usize>;

    fn call<I: Isa>(self, isa: I) -> Option<usize> {
        run!(isa, || {
            let mut sums = Sums::new();
            for (number, lines) in self.lines.chunks(TOGETHER).enumerate() {
                let start = number * TOGETHER;
                let puzzles = self.puzzles.map(|puzzles| &puzzles[start..][..lines.len()]);
                if sums.are_right(lines, puzzles) {
                    continue;
                }
                for (at, line) in lines.iter().enumerate() {
                    let may_be_none = puzzles.is_some() && *line == NO_GRID;
                    if !sums.is_right(at) && !may_be_none {
                        return Some(start + at);
                    }
                }
            }
            None
        })
    }
}
