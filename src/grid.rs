//! Cells, digits and houses, a [`Puzzle`] with clues and blanks, and a [`Grid`] with
//! a digit in every cell.
//!
//! ```text
//!            stack 0   stack 1   stack 2
//!           +---------+---------+---------+
//!    band 0 |  0  1  2|  3  4  5|  6  7  8|   cell = 9 * row + column
//!           |  9 10 11| 12 13 14| 15 16 17|   box  = 3 * band + stack
//!           | 18 19 20| 21 22 23| 24 25 26|   house 0..9   the rows
//!           +---------+---------+---------+         9..18  the columns
//!    band 1 | 27 28 29| 30 31 32| ...              18..27  the boxes
//! ```
//!
//! Both types store their 81 cells as ASCII text: the characters `1` to `9`, and
//! `.` for a blank. Reading a line is then a check, and writing one is a copy. The
//! low four bits of a character are the digit. (Digits stored as numbers 0 to 9
//! cost the sliced engine two more passes over every record, about 7 ns of 60.)

mod batch;
mod candidates;
mod digits;
mod house;
mod plain;
#[cfg(feature = "serde")]
mod serialize;

pub(crate) use batch::Batch;
pub use batch::BatchPuzzle;
pub use candidates::{AnyPuzzle, CANDIDATES, Candidates};
pub use digits::Digits;
pub use house::House;
#[doc(hidden)]
pub use plain::are_plain;
pub(crate) use plain::is_plain;

use std::fmt;

/// The cells of a grid.
pub const CELLS: usize = 81;

/// The houses of a grid: nine rows, nine columns, nine boxes.
pub const HOUSES: usize = 27;

/// The character of a blank cell.
pub const BLANK: u8 = b'.';

/// A line of text: the 81 ASCII characters of a grid or a puzzle, and a line feed.
pub(crate) type GridLine = [u8; CELLS + 1];

/// One cell, by its number 0 to 80 in reading order.
///
/// ```
/// use sudoku_batch::Cell;
/// let cell = Cell::at(4, 7);
/// assert_eq!((cell.index(), cell.row(), cell.column(), cell.box_index()), (43, 4, 7, 5));
/// assert_eq!(cell.to_string(), "r5c8");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u8);

impl Cell {
    /// The cell with this number, or `None` from 81 on.
    pub const fn new(index: usize) -> Option<Self> {
        if index < CELLS {
            Some(Self(index as u8))
        } else {
            None
        }
    }

    /// The cell with a number that is known to be below 81.
    pub(crate) const fn known(index: usize) -> Self {
        assert!(index < CELLS);
        Self(index as u8)
    }

    /// The cell in a row and a column, both 0 to 8.
    ///
    /// # Panics
    ///
    /// When `row` or `column` is over 8.
    pub const fn at(row: usize, column: usize) -> Self {
        assert!(row < 9 && column < 9);
        Self((9 * row + column) as u8)
    }

    /// All 81 cells in reading order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (0..CELLS as u8).map(Self)
    }

    /// Its number, 0 to 80.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its row, 0 to 8 from the top.
    pub const fn row(self) -> usize {
        self.index() / 9
    }

    /// Its column, 0 to 8 from the left.
    pub const fn column(self) -> usize {
        self.index() % 9
    }

    /// Its box, 0 to 8 in reading order.
    pub const fn box_index(self) -> usize {
        self.row() / 3 * 3 + self.column() / 3
    }
}

/// The usual notation of Sudoku programs, counted from 1: `r5c8`.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row() + 1, self.column() + 1)
    }
}

/// A digit, 1 to 9.
///
/// ```
/// use sudoku_batch::Digit;
/// assert_eq!(Digit::new(7).unwrap().get(), 7);
/// assert_eq!(Digit::new(10), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Digit(u8);

impl Digit {
    /// The digit with this value, or `None` for 0 and from 10 on.
    pub const fn new(value: u8) -> Option<Self> {
        if value >= 1 && value <= 9 {
            Some(Self(value))
        } else {
            None
        }
    }

    /// The digit with an [index](Self::index) that is known to be below 9.
    pub(crate) const fn known(index: usize) -> Self {
        assert!(index < 9);
        Self(index as u8 + 1)
    }

    /// All digits, 1 to 9 in order.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        (1..10).map(Self)
    }

    /// Its value, 1 to 9.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Its value less one, 0 to 8: its index in tables.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// Its character, `1` to `9`.
    pub const fn to_ascii(self) -> u8 {
        b'0' + self.0
    }

    /// The digit of a character `1` to `9`, or `None` for any other.
    pub const fn from_ascii(character: u8) -> Option<Self> {
        Self::new(character.wrapping_sub(b'0'))
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A digit that a cell may hold. Steps place candidates, and strike them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Candidate {
    /// The cell.
    pub cell: Cell,
    /// The digit.
    pub digit: Digit,
}

impl Candidate {
    /// The candidate of a cell below 81 and a digit from 0 to 8.
    pub(crate) const fn known(cell: usize, digit: usize) -> Self {
        let (cell, digit) = (Cell::known(cell), Digit::known(digit));
        Self { cell, digit }
    }
}

/// The kind of a house.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HouseKind {
    /// One of the nine rows.
    Row,
    /// One of the nine columns.
    Column,
    /// One of the nine boxes.
    Box,
}

/// `row`, `column` or `box`.
impl fmt::Display for HouseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Row => "row",
            Self::Column => "column",
            Self::Box => "box",
        })
    }
}

/// The nine cells of each house: rows 0 to 8, columns 9 to 17, boxes 18 to 26.
pub const HOUSE_CELLS: [[u8; 9]; HOUSES] = {
    let mut houses = [[0; 9]; HOUSES];
    let mut i = 0;
    while i < 9 {
        let mut j = 0;
        while j < 9 {
            houses[i][j] = (9 * i + j) as u8;
            houses[9 + i][j] = (9 * j + i) as u8;
            houses[18 + i][j] = (27 * (i / 3) + 3 * (i % 3) + 9 * (j / 3) + j % 3) as u8;
            j += 1;
        }
        i += 1;
    }
    houses
};

/// The 20 peers of each cell, the other cells of its three houses, in reading
/// order.
pub const PEERS: [[u8; 20]; CELLS] = {
    let mut peers = [[0; 20]; CELLS];
    let mut a = 0;
    while a < CELLS {
        let (mut b, mut n) = (0, 0);
        while b < CELLS {
            let same_box = a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3;
            if a != b && (a / 9 == b / 9 || a % 9 == b % 9 || same_box) {
                peers[a][n] = b as u8;
                n += 1;
            }
            b += 1;
        }
        assert!(n == 20);
        a += 1;
    }
    peers
};

/// A digit that stands twice in one house.
///
/// ```
/// use sudoku_batch::{HouseKind, Puzzle};
/// let mut text = [b'.'; 81];
/// (text[3], text[30]) = (b'5', b'5');
/// let conflict = Puzzle::from_ascii(&text).unwrap().conflict().unwrap();
/// assert_eq!(conflict.house, HouseKind::Column);
/// assert_eq!(conflict.to_string(), "5 at r1c4 and r4c4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Conflict {
    /// The kind of the house.
    pub house: HouseKind,
    /// The digit.
    pub digit: Digit,
    /// The first cell with the digit, in the order of the house.
    pub first: Cell,
    /// The second.
    pub second: Cell,
}

/// `5 at r1c4 and r4c4`.
impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {} and {}", self.digit, self.first, self.second)
    }
}

/// Every digit that repeats one before it in a house. Rows come first, then columns, then boxes. Characters other
/// than `1` to `9` are blanks.
fn conflicts(cells: &[u8; CELLS]) -> impl Iterator<Item = Conflict> {
    let of_house = move |(number, house): (usize, &'static [u8; 9])| {
        let mut seen: [Option<Cell>; 9] = [None; 9];
        house.iter().filter_map(move |&cell| {
            let second = Cell(cell);
            let digit = Digit::from_ascii(cells[second.index()])?;
            let seen = &mut seen[digit.index()];
            let first = *seen.get_or_insert(second);
            (first != second).then_some(Conflict {
                house: [HouseKind::Row, HouseKind::Column, HouseKind::Box][number / 9],
                digit,
                first,
                second,
            })
        })
    };
    HOUSE_CELLS.iter().enumerate().flat_map(of_house)
}

/// A cell that cannot be as a text has it: with a character that no puzzle, grid or candidates have there, or
/// without a candidate.
///
/// ```
/// use sudoku_batch::{Candidates, Grid};
/// let error = Grid::from_ascii(&[b'.'; 81]).unwrap_err();
/// assert_eq!(error.to_string(), "r1c1 cannot hold '.'");
/// let error = Candidates::from_ascii(&[b'.'; 729]).unwrap_err();
/// assert_eq!(error.to_string(), "r1c1 has no candidate");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub struct CellError {
    /// The cell.
    pub cell: Cell,
    /// The character, or `None` if the cell has no candidate. Where digits are given as numbers, it is the
    /// number.
    pub character: Option<u8>,
}

impl fmt::Display for CellError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.character {
            Some(digit @ ..=31) => write!(f, "{} cannot hold {digit}", self.cell),
            Some(character) => write!(f, "{} cannot hold {:?}", self.cell, char::from(character)),
            None => write!(f, "{} has no candidate", self.cell),
        }
    }
}

impl CellError {
    #[inline]
    fn check(cells: &[u8; CELLS], is_known: impl Fn(u8) -> bool) -> Result<(), Self> {
        // Without an early end, so that the compiler compares many cells at once.
        if cells.iter().fold(true, |all, &c| all & is_known(c)) {
            Ok(())
        } else {
            Err(Self::find(cells, is_known))
        }
    }

    #[cold]
    fn find(cells: &[u8; CELLS], is_known: impl Fn(u8) -> bool) -> Self {
        let unknown = Cell::all().find(|cell| !is_known(cells[cell.index()]));
        let cell = unknown.expect("one is not known");
        let character = Some(cells[cell.index()]);
        Self { cell, character }
    }
}

/// A puzzle: 81 cells, each a clue or blank.
///
/// A puzzle may have one solution, none or many. [`Puzzle::conflict`] finds clues that
/// break the rules by themselves.
///
/// ```
/// use sudoku_batch::{Cell, Puzzle};
/// let text = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
/// let puzzle: Puzzle = text.parse()?;
/// assert_eq!(puzzle.clue_count(), 25);
/// assert_eq!(puzzle.get(Cell::at(0, 3)).unwrap().get(), 5);
/// assert_eq!(puzzle.to_string(), text);
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Puzzle([u8; CELLS]);

impl Puzzle {
    /// The puzzle without clues.
    pub const EMPTY: Self = Self([BLANK; CELLS]);

    /// The puzzle of 81 characters: clues `1` to `9` and blanks `.`. (Parsing a `str` accepts
    /// other blanks too.)
    ///
    /// # Errors
    ///
    /// The first cell with any other character.
    pub fn from_ascii(cells: &[u8; CELLS]) -> Result<Self, CellError> {
        CellError::check(cells, |c| c == BLANK || Digit::from_ascii(c).is_some())?;
        Ok(Self(*cells))
    }

    /// The puzzle of 81 numbers: clues 1 to 9, and 0 for a blank.
    ///
    /// ```
    /// use sudoku_batch::Puzzle;
    /// let mut digits = [0; 81];
    /// digits[..9].copy_from_slice(&[4, 0, 0, 5, 2, 0, 7, 0, 3]);
    /// let puzzle = Puzzle::from_digits(&digits)?;
    /// assert_eq!(&puzzle.as_str()[..9], "4..52.7.3");
    /// assert_eq!(puzzle.to_digits(), digits);
    /// digits[1] = 10;
    /// assert_eq!(Puzzle::from_digits(&digits).unwrap_err().to_string(), "r1c2 cannot hold 10");
    /// # Ok::<(), sudoku_batch::grid::CellError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The first cell with any other number.
    pub fn from_digits(digits: &[u8; CELLS]) -> Result<Self, CellError> {
        CellError::check(digits, |digit| digit <= 9)?;
        Ok(Self(digits.map(|digit| match digit {
            0 => BLANK,
            digit => b'0' + digit,
        })))
    }

    /// The cells as 81 numbers: 1 to 9, and 0 for a blank.
    pub fn to_digits(&self) -> [u8; CELLS] {
        self.0.map(|cell| match cell {
            BLANK => 0,
            digit => digit - b'0',
        })
    }

    /// From 81 characters. Every character except `1` to `9` becomes a blank.
    #[inline]
    pub(crate) fn with_blanks_for_others(cells: &[u8; CELLS]) -> Self {
        let mut cells = *cells;
        for cell in &mut cells {
            *cell = match cell {
                b'1'..=b'9' => *cell,
                _ => BLANK,
            };
        }
        Self(cells)
    }

    /// The cells as 81 ASCII characters: `1` to `9`, and `.` for a blank.
    pub const fn as_ascii(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// The cells as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("cells are ASCII")
    }

    /// The clue in a cell, or `None` for a blank.
    pub const fn get(&self, cell: Cell) -> Option<Digit> {
        Digit::from_ascii(self.0[cell.index()])
    }

    /// Puts a clue into a cell, or blanks it.
    pub const fn set(&mut self, cell: Cell, clue: Option<Digit>) {
        self.0[cell.index()] = match clue {
            Some(digit) => digit.to_ascii(),
            None => BLANK,
        };
    }

    /// The number of cells that have a clue.
    pub fn clue_count(&self) -> usize {
        // The sum fits into a byte, so vectors of bytes are added: `filter --clues` takes 0.78 of the instructions that it took with
        // `count`.
        let clues: u8 = self.0.iter().map(|&c| u8::from(c != BLANK)).sum();
        clues.into()
    }

    /// The first digit that stands twice in a house, or `None`. Rows come first, then
    /// columns, then boxes.
    pub fn conflict(&self) -> Option<Conflict> {
        conflicts(&self.0).next()
    }

    /// All digits that repeat one before them in a house. Rows come first, then columns,
    /// then boxes. Two cells that share a row and a box are listed twice.
    ///
    /// ```
    /// use sudoku_batch::{Cell, Digit, Puzzle};
    /// let mut puzzle = Puzzle::EMPTY;
    /// for column in [0, 1, 5] {
    ///     puzzle.set(Cell::at(0, column), Digit::new(7));
    /// }
    /// let words: Vec<_> = puzzle.conflicts().iter().map(|c| format!("{}: {c}", c.house)).collect();
    /// assert_eq!(words, ["row: 7 at r1c1 and r1c2", "row: 7 at r1c1 and r1c6", "box: 7 at r1c1 and r1c2"]);
    /// ```
    pub fn conflicts(&self) -> Vec<Conflict> {
        conflicts(&self.0).collect()
    }

    /// The digits that a cell may hold: those that none of its peers has as a clue. The
    /// clue of the cell itself does not matter.
    ///
    /// ```
    /// use sudoku_batch::{Cell, Puzzle};
    /// let puzzle: Puzzle =
    ///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
    /// assert_eq!(puzzle.candidates(Cell::at(0, 1)).to_string(), "689");
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn candidates(&self, cell: Cell) -> Digits {
        let mut candidates = Digits::ALL;
        for peer in PEERS[cell.index()] {
            if let Some(digit) = self.get(Cell(peer)) {
                candidates.remove(digit);
            }
        }
        candidates
    }
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Puzzle({self})")
    }
}

/// The puzzle whose clues are all 81 digits of a grid.
impl From<Grid> for Puzzle {
    fn from(grid: Grid) -> Self {
        Self(grid.0)
    }
}

/// A full grid: a digit in each of the 81 cells.
///
/// It need not obey the rules: [`Grid::is_valid`] says whether it does.
///
/// ```
/// use sudoku_batch::{Grid, Puzzle};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let grid: Grid =
///     "496528713875143692132967854314289576729654381568731429687492135943815267251376948".parse()?;
/// assert!(grid.is_valid() && grid.is_solution_of(&puzzle));
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Grid([u8; CELLS]);

impl Grid {
    /// The grid of 81 characters `1` to `9`.
    ///
    /// # Errors
    ///
    /// The first cell with any other character.
    pub fn from_ascii(cells: &[u8; CELLS]) -> Result<Self, CellError> {
        CellError::check(cells, |c| Digit::from_ascii(c).is_some())?;
        Ok(Self(*cells))
    }

    /// The grid of 81 numbers from 1 to 9.
    ///
    /// # Errors
    ///
    /// The first cell with any other number.
    pub fn from_digits(digits: &[u8; CELLS]) -> Result<Self, CellError> {
        CellError::check(digits, |digit| matches!(digit, 1..=9))?;
        Ok(Self(digits.map(|digit| b'0' + digit)))
    }

    /// The cells as 81 numbers from 1 to 9.
    pub fn to_digits(&self) -> [u8; CELLS] {
        self.0.map(|cell| cell - b'0')
    }

    /// The cells as 81 ASCII characters `1` to `9`.
    pub const fn as_ascii(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// The cells as text.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).expect("cells are ASCII")
    }

    /// The digit in a cell.
    pub const fn get(&self, cell: Cell) -> Digit {
        Digit(self.0[cell.index()] - b'0')
    }

    /// Returns true if every row, column and box has each digit once.
    pub fn is_valid(&self) -> bool {
        // Each cell becomes a bit once. Rows and boxes are made of minirows. (A bit for each cell of each of the
        // 27 houses takes three times as many shifts.)
        const ALL: u16 = 0b11_1111_1110;
        let (mut columns, mut is_valid) = ([0; 9], true);
        for band in self.0.as_chunks::<27>().0 {
            let mut boxes = [0; 3];
            for row in band.as_chunks::<9>().0 {
                let mut bits = [0u16; 9];
                for (bit, digit) in bits.iter_mut().zip(row) {
                    *bit = 1 << (digit - b'0');
                }
                for (column, bit) in columns.iter_mut().zip(bits) {
                    *column |= bit;
                }
                let mut digits = 0;
                for (of_box, minirow) in boxes.iter_mut().zip(bits.as_chunks::<3>().0) {
                    let minirow = minirow[0] | minirow[1] | minirow[2];
                    *of_box |= minirow;
                    digits |= minirow;
                }
                is_valid &= digits == ALL;
            }
            is_valid &= boxes == [ALL; 3];
        }
        is_valid && columns == [ALL; 9]
    }

    /// Returns true if the grid is valid and has every clue of the puzzle, or one of its candidates in each cell.
    pub fn is_solution_of(&self, puzzle: impl BatchPuzzle) -> bool {
        self.is_valid() && puzzle.into().allows(self)
    }
}

impl fmt::Display for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Grid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid({self})")
    }
}
