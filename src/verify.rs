//! An independent check of grids and solutions, before they are handed on.
//!
//! The check shares nothing with the engines: neither their tables nor their planes nor
//! their conversions of text. It reads the 81 characters that are about to be written.
//!
//! ```
//! use sudoku_batch::{Solver, verify::Verifier};
//! let puzzle = *b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
//! let mut lines = [*b"496528713875143692132967854314289576729654381568731429687492135943815267251376948\n"];
//! let verifier = Verifier::new();
//! assert_eq!(verifier.wrong_solution(&[puzzle], &lines), None);
//! lines[0].swap(3, 4);
//! assert_eq!(verifier.wrong_grid(&lines), Some(0));
//! ```
//!
//! # The rule
//!
//! A digit becomes one of nine bits, and anything else becomes no bit. The nine cells of a
//! house are combined by XOR. The result has all nine bits only if each cell gave a bit of
//! its own, because nine cells cannot give more than nine bits. So the house holds each
//! digit once, just if the XOR of its cells is `1_1111_1111`. XOR gives the sums of all 27
//! houses from a few sliding ones:
//!
//! ```text
//!     y[i] = x[i] ^ x[i + 1] ^ x[i + 2]      y at 9r + 3k is a minirow
//!     z[i] = y[i] ^ y[i + 3] ^ y[i + 6]      z at 9r is a row
//!     w[i] = y[i] ^ y[i + 9] ^ y[i + 18]     w at 27b + 3s is a box
//!     v[i] = x[i] ^ x[i + 27] ^ x[i + 54]    v[i] ^ v[i + 9] ^ v[i + 18] is a column
//! ```
//!
//! All are loops over neighbouring cells, which the compiler turns into vectors of the
//! [`Level`].

use crate::{
    grid::{CELLS, Cell, Digit, GridLine, House},
    simd::{Isa, Kernel, Level, LevelError},
};
use std::fmt;

/// What is wrong with a line: the first fault, as a slow and plain check finds it.
///
/// ```
/// use sudoku_batch::verify::Fault;
/// let mut line = *b"496528713875143692132967854314289576729654381568731429687492135943815267251376948\n";
/// assert_eq!(Fault::of_grid(&line), None);
/// line[0] = b'3';
/// let fault = Fault::of_grid(&line).unwrap();
/// assert_eq!(fault.to_string(), "row 1 does not hold each digit once");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The character of a cell is not a digit.
    NoDigit(Cell),
    /// The line does not end with a line feed.
    NoLineEnd,
    /// A house does not hold each digit once.
    House(House),
    /// A cell differs from the clue of the puzzle.
    Clue(Cell, Digit),
}

impl Fault {
    /// The first fault of a line that should be a grid.
    pub fn of_grid(line: &GridLine) -> Option<Self> {
        let digit_of = |cell: Cell| line[cell.index()].wrapping_sub(b'1');
        if let Some(cell) = Cell::all().find(|&cell| digit_of(cell) > 8) {
            return Some(Self::NoDigit(cell));
        }
        if line[CELLS] != b'\n' {
            return Some(Self::NoLineEnd);
        }
        let is_wrong = |house: &House| {
            let digits = house.cells().map(digit_of);
            (0..9).any(|digit| !digits.contains(&digit))
        };
        House::all().find(is_wrong).map(Self::House)
    }

    /// The first fault of a line that should be a solution of a puzzle, or 81 points.
    pub fn of_solution(puzzle: &[u8; CELLS], line: &GridLine) -> Option<Self> {
        if *line == NO_GRID {
            return None;
        }
        let clue_of = |cell: Cell| Digit::from_ascii(puzzle[cell.index()]);
        let wrong_clue = || {
            Cell::all().find_map(|cell| {
                let clue = clue_of(cell)?;
                (line[cell.index()] != clue.to_ascii()).then_some(Self::Clue(cell, clue))
            })
        };
        Self::of_grid(line).or_else(wrong_clue)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDigit(cell) => write!(f, "{cell} is not a digit"),
            Self::NoLineEnd => f.write_str("the line does not end after 81 characters"),
            Self::House(house) => write!(f, "{house} does not hold each digit once"),
            Self::Clue(cell, clue) => write!(f, "{cell} is not the clue {clue}"),
        }
    }
}

/// A house that holds each digit once.
const FULL: u16 = 0x1ff;

/// Checks grids and solutions at the best level of this CPU.
#[derive(Clone, Copy, Debug)]
pub struct Verifier {
    level: Level,
}

impl Default for Verifier {
    fn default() -> Self {
        Self::new()
    }
}

impl Verifier {
    /// A verifier for this CPU.
    pub fn new() -> Self {
        Self {
            level: Level::detect(),
        }
    }

    /// A verifier that uses this level. The answers are the same at every level.
    ///
    /// # Errors
    ///
    /// This CPU does not have the level.
    pub fn with_level(level: Level) -> Result<Self, LevelError> {
        level.check()?;
        Ok(Self { level })
    }

    /// The number, from 0, of the first line that is not a grid: 81 digits with each digit
    /// once in every row, column and box, and a line feed. `None` if all are grids.
    pub fn wrong_grid(&self, lines: &[GridLine]) -> Option<usize> {
        let check = WrongGrid(lines);
        self.level.with(check).expect("this CPU has the level")
    }

    /// The number, from 0, of the first line that is neither a grid with all the clues of
    /// its puzzle nor 81 points. `None` if there is no such line. In a puzzle, `1` to `9`
    /// are clues, and any other byte is a blank.
    ///
    /// # Panics
    ///
    /// The number of lines is not the number of puzzles.
    pub fn wrong_solution(&self, puzzles: &[[u8; CELLS]], lines: &[GridLine]) -> Option<usize> {
        assert_eq!(puzzles.len(), lines.len(), "a line for each puzzle");
        let check = WrongSolution(puzzles, lines);
        self.level.with(check).expect("this CPU has the level")
    }
}

/// The line of a record that has no solution to show.
const NO_GRID: GridLine = {
    let mut line = [b'.'; CELLS + 1];
    line[CELLS] = b'\n';
    line
};

/// How many lines are checked together. Each stage is done for all of them before the next,
/// because a load from what was just stored in other pieces has to wait for it. (One line at
/// a time takes 30 ns, eight at a time 21 ns, on an Intel Xeon with AVX-512.)
const TOGETHER: usize = 8;

/// Finds the first line that is not a grid.
struct WrongGrid<'l>(&'l [GridLine]);

impl Kernel for WrongGrid<'_> {
    type Output = Option<usize>;

    fn call<I: Isa>(self, isa: I) -> Option<usize> {
        isa.run(|| {
            let mut first = 0;
            for lines in self.0.chunks(TOGETHER) {
                let right = are_grids(lines);
                for (at, is_right) in right.iter().enumerate().take(lines.len()) {
                    if !is_right {
                        return Some(first + at);
                    }
                }
                first += lines.len();
            }
            None
        })
    }
}

/// Finds the first line that is not a solution of its puzzle.
struct WrongSolution<'l>(&'l [[u8; CELLS]], &'l [GridLine]);

impl Kernel for WrongSolution<'_> {
    type Output = Option<usize>;

    fn call<I: Isa>(self, isa: I) -> Option<usize> {
        isa.run(|| {
            let mut first = 0;
            for lines in self.1.chunks(TOGETHER) {
                let right = are_grids(lines);
                for (at, line) in lines.iter().enumerate() {
                    let has_clues = has_clues(line, &self.0[first + at]);
                    if !(right[at] & has_clues) && *line != NO_GRID {
                        return Some(first + at);
                    }
                }
                first += lines.len();
            }
            None
        })
    }
}

/// Which of at most [`TOGETHER`] lines are a grid and a line feed.
#[inline(always)]
fn are_grids(lines: &[GridLine]) -> [bool; TOGETHER] {
    // Zeros behind the cells, so that all loops go over whole vectors.
    let mut bits = [[0u16; 160]; TOGETHER];
    let mut minirows = [[0u16; 128]; TOGETHER];
    let mut thirds = [[0u16; 64]; TOGETHER];
    let mut rows = [[0u16; 96]; TOGETHER];
    let mut boxes = [[0u16; 64]; TOGETHER];
    let mut columns = [[0u16; 16]; TOGETHER];
    let mut right = [false; TOGETHER];
    for (line, bits) in lines.iter().zip(&mut bits) {
        let mut cells = [0; 96];
        cells[..CELLS].copy_from_slice(&line[..CELLS]);
        for (bit, &cell) in bits.iter_mut().zip(&cells) {
            let digit = u16::from(cell.wrapping_sub(b'1'));
            *bit = if digit < 9 { 1 << (digit & 15) } else { 0 };
        }
    }
    for i in 0..TOGETHER {
        minirows[i] = sums(&bits[i], 1);
        thirds[i] = sums(&bits[i], 27);
    }
    for i in 0..TOGETHER {
        rows[i] = sums(&minirows[i], 3);
        boxes[i] = sums(&minirows[i], 9);
        columns[i] = sums(&thirds[i], 9);
    }
    for (i, line) in lines.iter().enumerate() {
        let (rows, boxes, columns) = (&rows[i], &boxes[i], &columns[i]);
        let mut all = FULL;
        for house in 0..9 {
            all &= rows[9 * house] & boxes[27 * (house / 3) + 3 * (house % 3)] & columns[house];
        }
        right[i] = (all == FULL) & (line[CELLS] == b'\n');
    }
    right
}

/// The XOR of each place with the places `step` and twice `step` behind it.
//
// A plain loop: a closure for `array::from_fn` becomes a function of its own, without the
// instructions of the level. With closures, a grid took 305 ns.
#[inline(always)]
fn sums<const N: usize, const M: usize>(values: &[u16; N], step: usize) -> [u16; M] {
    let mut sums = [0; M];
    for i in 0..M {
        sums[i] = values[i] ^ values[i + step] ^ values[i + 2 * step];
    }
    sums
}

/// Whether a line has every clue of a puzzle.
#[inline(always)]
fn has_clues(line: &GridLine, puzzle: &[u8; CELLS]) -> bool {
    let mut differs = false;
    for (&clue, &cell) in puzzle.iter().zip(line) {
        differs |= (clue.wrapping_sub(b'1') < 9) & (clue != cell);
    }
    !differs
}
