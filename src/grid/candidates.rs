//! Puzzles that are given by the candidates of their cells.
//!
//! ```text
//!     text    1234.6789 .2....... 1.3......  ...     81 cells, nine places each
//!     bit     0       8 9      17 18     26  ...     bit 9 * cell + digit - 1
//!     words   |------- 64 bits -------|---- ...      twelve words; the last 39 bits are 0
//! ```

use super::{
    BLANK, CELLS, Cell, CellError, Conflict, Digit, Digits, Grid, HOUSE_CELLS, PEERS, Puzzle,
};
use crate::simd::{Isa, Kernel, Level, run};
use std::fmt;

/// The candidates of a puzzle: nine for each cell.
pub const CANDIDATES: usize = 9 * CELLS;

/// The bits of 729 candidates in words.
const WORDS: usize = 12;

/// A puzzle that is given by candidates: each cell has the digits that it may hold. Such puzzles are
/// known as Sukaku, and positions with pencil marks are of this kind too.
///
/// A grid solves it if it obeys the rules and each cell holds one of its candidates. A cell with one
/// candidate is a *clue*.
///
/// ```
/// use sudoku_batch::{Candidates, Cell, Digit, Puzzle};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let mut candidates = Candidates::from(puzzle);
/// assert_eq!(candidates.get(Cell::at(0, 0)).to_string(), "4");
/// assert_eq!(candidates.get(Cell::at(0, 1)).to_string(), "123456789");
/// assert_eq!(candidates.to_puzzle(), Some(puzzle));
/// candidates.strike(Cell::at(0, 1), Digit::new(6).unwrap());
/// assert_eq!(candidates.to_puzzle(), None);
/// assert!(candidates.to_string().starts_with("...4.....12345.789"));
/// assert_eq!(candidates.to_string().parse(), Ok(candidates));
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidates([u64; WORDS]);

impl Candidates {
    /// All nine candidates in every cell: the puzzle that says nothing.
    pub const ALL: Self = {
        let mut words = [!0; WORDS];
        words[WORDS - 1] = (1 << (CANDIDATES % 64)) - 1;
        Self(words)
    };

    /// The candidates of each cell in reading order.
    ///
    /// ```
    /// use sudoku_batch::{Candidates, grid::Digits};
    /// assert_eq!(Candidates::from_cells(&[Digits::ALL; 81]), Candidates::ALL);
    /// ```
    pub fn from_cells(cells: &[Digits; CELLS]) -> Self {
        let mut candidates = Self([0; WORDS]);
        for (cell, &digits) in Cell::all().zip(cells) {
            candidates.set(cell, digits);
        }
        candidates
    }

    /// The candidates of 729 characters, nine for each cell: the digit of the place, or a blank `.`
    /// or `0`.
    ///
    /// # Errors
    ///
    /// The first cell with another character, or else the first without a candidate.
    pub fn from_ascii(text: &[u8; CANDIDATES]) -> Result<Self, CellError> {
        let read = Level::detect().with(Read(text));
        let candidates = read.expect("the level was found");
        candidates.ok_or_else(|| Self::what_is_wrong(text))
    }

    #[cold]
    fn what_is_wrong(text: &[u8; CANDIDATES]) -> CellError {
        let is_blank = |byte: u8| matches!(byte, b'.' | b'0');
        let wrong = text.iter().enumerate().find(|&(place, &byte)| {
            !is_blank(byte) && usize::from(byte) != usize::from(b'1') + place % 9
        });
        let empty = || {
            let mut cells = text.as_chunks::<9>().0.iter();
            let is_empty = |cell: &[u8; 9]| cell.iter().all(|&byte| is_blank(byte));
            cells
                .position(is_empty)
                .expect("a cell without a candidate")
        };
        let (cell, character) = match wrong {
            Some((place, &byte)) => (place / 9, Some(byte)),
            None => (empty(), None),
        };
        let cell = Cell(cell as u8);
        CellError { cell, character }
    }

    /// Returns true if a cell has no candidate. One is subtracted from the nine bits of each cell. That sets
    /// the last of them only where it was set, or where a cell was 0 and took from the next.
    #[inline(always)]
    fn any_empty(&self) -> bool {
        let (mut empty, mut borrow) = (0, false);
        for (word, &bits) in self.0.iter().enumerate() {
            let (less, next) = bits.borrowing_sub(FIRST_AND_LAST[0][word], borrow);
            empty |= less & !bits & FIRST_AND_LAST[1][word];
            borrow = next;
        }
        empty != 0
    }

    /// The first place whose digit is no candidate, if there is one.
    pub(crate) fn first_blank(&self) -> Option<usize> {
        let word = self.0.iter().position(|&word| word != !0)?;
        let place = 64 * word + self.0[word].trailing_ones() as usize;
        (place < CANDIDATES).then_some(place)
    }

    /// The text of 729 characters, with this character where a digit is no candidate.
    ///
    /// ```
    /// use sudoku_batch::Candidates;
    /// assert!(Candidates::ALL.to_ascii(b'0').starts_with(b"123456789123"));
    /// ```
    pub fn to_ascii(&self, blank: u8) -> [u8; CANDIDATES] {
        let mut text = ALL_DIGITS;
        for (word, text) in self.0.iter().zip(text.chunks_mut(64)) {
            for (i, character) in text.iter_mut().enumerate() {
                *character = if word >> i & 1 != 0 {
                    *character
                } else {
                    blank
                };
            }
        }
        text
    }

    /// The candidates of a cell.
    pub const fn get(&self, cell: Cell) -> Digits {
        let (word, bit) = (9 * cell.index() / 64, 9 * cell.index() % 64);
        let mut bits = self.0[word] >> bit;
        if bit > 64 - 9 {
            bits |= self.0[word + 1] << (64 - bit);
        }
        Digits::from_bits(bits as u16)
    }

    /// Gives a cell these candidates and no others.
    pub const fn set(&mut self, cell: Cell, digits: Digits) {
        let (word, bit) = (9 * cell.index() / 64, 9 * cell.index() % 64);
        let (all, bits) = (Digits::ALL.bits() as u64, digits.bits() as u64);
        self.0[word] = self.0[word] & !(all << bit) | bits << bit;
        if bit > 64 - 9 {
            self.0[word + 1] = self.0[word + 1] & !(all >> (64 - bit)) | bits >> (64 - bit);
        }
    }

    /// Returns true if a digit is a candidate of a cell.
    pub const fn contains(&self, cell: Cell, digit: Digit) -> bool {
        self.get(cell).contains(digit)
    }

    /// Strikes a candidate.
    pub const fn strike(&mut self, cell: Cell, digit: Digit) {
        let place = 9 * cell.index() + digit.index();
        self.0[place / 64] &= !(1 << (place % 64));
    }

    /// The number of candidates in all cells.
    ///
    /// ```
    /// assert_eq!(sudoku_batch::Candidates::ALL.count(), 729);
    /// ```
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The candidates of all cells in reading order.
    pub fn cells(&self) -> [Digits; CELLS] {
        std::array::from_fn(|cell| self.get(Cell(cell as u8)))
    }

    /// The candidates of these bits, see [`words`](Self::words). The bits behind the last candidate are 0.
    pub(crate) const fn from_words(words: [u64; WORDS]) -> Self {
        Self(words)
    }

    /// The bits: bit `b` of word `w` is place `64 * w + b` of the text.
    pub(crate) const fn words(&self) -> &[u64; WORDS] {
        &self.0
    }

    /// The clues: the digits of the cells with one candidate. The other cells are blank.
    pub fn clues(&self) -> Puzzle {
        let mut puzzle = Puzzle::EMPTY;
        for cell in Cell::all() {
            let digits = self.get(cell);
            if digits.len() == 1 {
                puzzle.set(cell, digits.iter().next());
            }
        }
        puzzle
    }

    /// The first digit that stands twice in a house as a clue, or `None`, as [`Puzzle::conflict`] has it.
    pub fn conflict(&self) -> Option<Conflict> {
        self.clues().conflict()
    }

    /// The puzzle of 81 cells that says the same, if there is one: a cell with one candidate is a clue, and
    /// the others have all nine candidates, or just those that the clues leave.
    pub fn to_puzzle(&self) -> Option<Puzzle> {
        self.puzzle_of_cells().ok()
    }

    /// The puzzle of 81 cells that says the same, or the first cell whose candidates none has.
    pub(crate) fn puzzle_of_cells(&self) -> Result<Puzzle, Cell> {
        let puzzle = self.clues();
        let fits = |cell: &Cell| {
            let digits = self.get(*cell);
            digits.len() == 1 || digits == Digits::ALL || digits == puzzle.candidates(*cell)
        };
        let unlike = Cell::all().find(|cell| !fits(cell));
        unlike.map_or(Ok(puzzle), Err)
    }

    /// The candidates that clues and singles leave: the digit of a cell with one candidate is struck
    /// from its peers, and a cell keeps one candidate alone where its house has no other cell for it,
    /// until nothing changes. `None` if that leaves a cell without a candidate or a house without a
    /// cell for a digit: there is no solution.
    ///
    /// ```
    /// use sudoku_batch::{Candidates, Puzzle};
    /// let puzzle: Puzzle =
    ///     "3.65.84..52........87....31..3.1..8.9..863..5.5..9.6..13....25........74..52.63..".parse()?;
    /// let reduced = Candidates::from(puzzle).reduced().expect("no contradiction");
    /// assert_eq!(reduced.count(), 81); // singles solve it
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn reduced(&self) -> Option<Self> {
        self.reduce(true)
    }

    /// The same by the digits of cells with one candidate alone.
    pub(crate) fn reduced_by_clues(&self) -> Option<Self> {
        self.reduce(false)
    }

    fn reduce(&self, by_houses: bool) -> Option<Self> {
        let mut cells = self.cells();
        loop {
            let before = cells;
            for (cell, peers) in PEERS.iter().enumerate() {
                if cells[cell].len() == 1 {
                    for &peer in peers {
                        let left = cells[usize::from(peer)].bits() & !cells[cell].bits();
                        cells[usize::from(peer)] = Digits::from_bits(left);
                    }
                }
            }
            for house in HOUSE_CELLS.iter().filter(|_| by_houses) {
                let (mut once, mut twice) = (0, 0);
                for &cell in house {
                    let digits = cells[usize::from(cell)].bits();
                    twice |= once & digits;
                    once |= digits;
                }
                if once != Digits::ALL.bits() {
                    return None;
                }
                for &cell in house {
                    match cells[usize::from(cell)].bits() & once & !twice {
                        0 => {}
                        alone if alone.is_power_of_two() => {
                            cells[usize::from(cell)] = Digits::from_bits(alone);
                        }
                        _ => return None,
                    }
                }
            }
            if cells.iter().any(|cell| cell.is_empty()) {
                return None;
            }
            if cells == before {
                return Some(Self::from_cells(&cells));
            }
        }
    }

    /// Returns true if each cell of a grid holds one of its candidates.
    pub fn allow(&self, grid: &Grid) -> bool {
        Cell::all().all(|cell| self.contains(cell, grid.get(cell)))
    }
}

/// The text of all candidates.
const ALL_DIGITS: [u8; CANDIDATES] = {
    let mut digits = [0; CANDIDATES];
    let mut place = 0;
    while place < CANDIDATES {
        digits[place] = b'1' + (place % 9) as u8;
        place += 1;
    }
    digits
};

/// The first candidates of all cells, and the last.
const FIRST_AND_LAST: [[u64; WORDS]; 2] = {
    let mut ends = [[0; WORDS]; 2];
    let mut cell = 0;
    while cell < CELLS {
        ends[0][9 * cell / 64] |= 1 << (9 * cell % 64);
        ends[1][(9 * cell + 8) / 64] |= 1 << ((9 * cell + 8) % 64);
        cell += 1;
    }
    ends
};

/// Reads the candidates of 729 characters, if all are right and each cell has one.
struct Read<'t>(&'t [u8; CANDIDATES]);

impl Kernel for Read<'_> {
    type Output = Option<Candidates>;

    fn call<I: Isa>(self, isa: I) -> Self::Output {
        run!(isa, || {
            let mut words = [0; WORDS];
            let mut all = !0;
            for (n, word) in words.iter_mut().enumerate() {
                // The last word is made of the last 64 characters. The first of these are in the word
                // before too.
                let start = (64 * n).min(CANDIDATES - 64);
                let bytes = self.0[start..].first_chunk().expect("64 of 729");
                let digits = ALL_DIGITS[start..].first_chunk().expect("64 of 729");
                let is_digit = isa.equal_bytes(bytes, digits);
                let mut is_right = is_digit | isa.equal_bytes(bytes, &[BLANK; 64]);
                if is_right != !0 {
                    is_right |= isa.equal_bytes(bytes, &[b'0'; 64]);
                }
                all &= is_right;
                *word = is_digit >> (64 * n - start);
            }
            let candidates = Candidates(words);
            (all == !0 && !candidates.any_empty()).then_some(candidates)
        })
    }
}

/// A clue has its own digit, and a blank has all nine.
impl From<Puzzle> for Candidates {
    fn from(puzzle: Puzzle) -> Self {
        let mut candidates = Self::ALL;
        for cell in Cell::all() {
            if let Some(clue) = puzzle.get(cell) {
                candidates.set(cell, Digits::from_digit(clue));
            }
        }
        candidates
    }
}

/// 729 characters, with dots where a digit is no candidate.
impl fmt::Display for Candidates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(str::from_utf8(&self.to_ascii(BLANK)).expect("digits and dots are ASCII"))
    }
}

impl fmt::Debug for Candidates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Candidates({self})")
    }
}

/// A puzzle of either kind: by its cells or by their candidates.
///
/// Functions that answer both kinds take what becomes one: a [`Puzzle`], [`Candidates`], or a reference to
/// either.
///
/// ```
/// use sudoku_batch::{Candidates, Puzzle, Solver};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let mut solver = Solver::new();
/// assert_eq!(solver.solve(&puzzle), solver.solve(&Candidates::from(puzzle)));
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnyPuzzle {
    /// 81 cells, each a clue or blank.
    Cells(Puzzle),
    /// The candidates of 81 cells.
    Candidates(Candidates),
}

impl AnyPuzzle {
    /// Its clues: the cells with one candidate.
    pub fn clues(&self) -> Puzzle {
        match self {
            Self::Cells(puzzle) => *puzzle,
            Self::Candidates(candidates) => candidates.clues(),
        }
    }

    /// Its candidates.
    pub fn candidates(&self) -> Candidates {
        match self {
            Self::Cells(puzzle) => (*puzzle).into(),
            Self::Candidates(candidates) => *candidates,
        }
    }

    /// The number of its clues.
    pub fn clue_count(&self) -> usize {
        self.clues().clue_count()
    }

    /// The puzzle by its cells, if they can say the same, so that equal puzzles are equal values.
    ///
    /// ```
    /// use sudoku_batch::{Candidates, Puzzle, grid::AnyPuzzle};
    /// let empty = AnyPuzzle::Candidates(Candidates::ALL);
    /// assert_eq!(empty.simplest(), AnyPuzzle::Cells(Puzzle::EMPTY));
    /// ```
    #[must_use]
    pub fn simplest(self) -> Self {
        match self {
            Self::Cells(_) => self,
            Self::Candidates(candidates) => candidates.to_puzzle().map_or(self, Self::Cells),
        }
    }

    /// Returns true if a grid has its clues, or one of the candidates in each cell. The rules do not matter.
    pub fn allows(&self, grid: &Grid) -> bool {
        match self {
            Self::Cells(puzzle) => {
                // Without a branch for each cell, the compiler compares sixteen at once.
                let cells = puzzle.as_ascii().iter().zip(grid.as_ascii());
                cells.fold(true, |all, (clue, digit)| {
                    all & ((*clue == BLANK) | (clue == digit))
                })
            }
            Self::Candidates(candidates) => candidates.allow(grid),
        }
    }
}

impl From<Puzzle> for AnyPuzzle {
    #[inline]
    fn from(puzzle: Puzzle) -> Self {
        Self::Cells(puzzle)
    }
}

impl From<Candidates> for AnyPuzzle {
    #[inline]
    fn from(candidates: Candidates) -> Self {
        Self::Candidates(candidates)
    }
}

impl<P: Copy + Into<Self>> From<&P> for AnyPuzzle {
    #[inline]
    fn from(puzzle: &P) -> Self {
        (*puzzle).into()
    }
}

/// 81 cells, or 729 characters.
impl fmt::Display for AnyPuzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cells(puzzle) => puzzle.fmt(f),
            Self::Candidates(candidates) => candidates.fmt(f),
        }
    }
}
