//! The result of reading text: records that own their data.

use super::{Expected, ParseError, candidates::not_of_cells, unexpected};
use crate::{
    grid::{AnyPuzzle, BLANK, CANDIDATES, CELLS, Candidates, Puzzle, is_plain},
    puzzle::FEWEST_CLUES,
};
use std::borrow::Cow;
#[cfg(feature = "formats")]
use std::ops::Range;

/// Records as a reader found them. Each has its cells or the reason why it is malformed,
/// its line, and its text.
///
/// `Records` borrows nothing, and any reader can fill it. [`clear`](Self::clear) keeps its
/// memory for the next use.
///
/// ```
/// use sudoku_batch::format::{Records, line};
/// let mut records = Records::default();
/// let cells = ".".repeat(81);
/// line::read(format!("# a comment\n{cells} note\n12x\n").as_bytes(), &mut records);
/// assert_eq!((records.len(), records.lines()), (2, 3));
/// assert_eq!((records.line(0), records.line(1)), (2, 3));
/// assert_eq!(records.puzzle(0).unwrap().clue_count(), 0);
/// assert_eq!(records.text(0), format!("{cells} note").as_bytes());
/// assert_eq!(records.puzzle(1).unwrap_err().column, 4);
/// ```
//
//     record   0 1 2 3 4 5 6 7
//     line     2 3 4 7 8 9 10 11     jumps: (0, 2) (3, 7)
//     malformed        x             malformed: (4, why)
//     text     = = = = t = t  =      texts: (4, end) (6, end); = are the cells
// The cells are kept for every record. Everything else is kept only for the records that
// need it. Most files have one record on each line and nothing else, so reading them is
// little more than a copy.
#[derive(Clone, Debug, Default)]
pub struct Records {
    /// The low four bits of a clue are its digit. Those of a blank are 0 or greater than 9.
    cells: Vec<[u8; CELLS]>,
    /// The records whose line is not the line after that of the record before: the number
    /// of the record, and its line.
    jumps: Vec<(usize, u64)>,
    /// The records that are malformed.
    malformed: Vec<(usize, ParseError)>,
    /// The records whose text differs from their cells, and where that text ends in `text`.
    texts: Vec<(usize, usize)>,
    text: Vec<u8>,
    /// The records that have comments right above them, and where these end in `above_text`. The last may be those of
    /// a record that is yet to come.
    above: Vec<(usize, usize)>,
    above_text: Vec<u8>,
    /// The records whose first blank is an `x` or `X`, and which of the two it is.
    crosses: Vec<(usize, u8)>,
    /// The records that are given by candidates, the candidates, and the blank of each.
    with_candidates: Vec<usize>,
    candidates: Vec<Candidates>,
    candidate_blanks: Vec<u8>,
    lines: u64,
    left_out: [u64; Self::LEFT_OUT.len()],
    /// The place of each record among those that were read, or none if all of them are here.
    places: Vec<usize>,
    /// The number of records that [`part`](Self::part) left out.
    dropped: usize,
}

/// A thing that a reader of lines leaves out: its place in [`Records::LEFT_OUT`].
#[derive(Clone, Copy)]
pub(super) enum LeftOut {
    PuzzleInComment,
    AnotherPuzzle,
    Rule,
}

/// The text of a puzzle: 81 or 729 characters.
#[derive(Clone, Debug)]
enum OwnText {
    /// 81 cells.
    Cells([u8; CELLS]),
    /// 729 candidates.
    Candidates(Box<[u8; CANDIDATES]>),
}

impl AsRef<[u8]> for OwnText {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match self {
            Self::Cells(cells) => cells,
            Self::Candidates(candidates) => &candidates[..],
        }
    }
}

/// Cells of which the solver finds without a search that they have no solution: those of a
/// malformed record, and in the place of a record that is given by candidates.
pub(crate) const UNSOLVABLE: [u8; CELLS] = [b'1'; CELLS];

impl Records {
    /// Forgets all records and lines, and keeps the memory.
    pub fn clear(&mut self) {
        let Self {
            cells,
            jumps,
            malformed,
            texts,
            text,
            above,
            above_text,
            crosses,
            with_candidates,
            candidates,
            candidate_blanks,
            lines,
            left_out,
            places,
            dropped,
        } = self;
        cells.clear();
        jumps.clear();
        malformed.clear();
        texts.clear();
        text.clear();
        above.clear();
        above_text.clear();
        crosses.clear();
        with_candidates.clear();
        candidates.clear();
        candidate_blanks.clear();
        *lines = 0;
        *left_out = Default::default();
        places.clear();
        *dropped = 0;
    }

    /// The things that readers of lines leave out and count: the words for one of them, and for several.
    // For the command, which tells of them.
    #[doc(hidden)]
    pub const LEFT_OUT: [[&str; 2]; 3] = [
        ["puzzle in a comment", "puzzles in comments"],
        ["line with a second puzzle", "lines with a second puzzle"],
        ["line of 81 equal signs", "lines of 81 equal signs"],
    ];

    /// The number of each of the [things that were left out](Self::LEFT_OUT).
    #[doc(hidden)]
    pub fn left_out(&self) -> [u64; Self::LEFT_OUT.len()] {
        self.left_out
    }

    /// Counts a thing that is left out.
    pub(super) fn leave_out(&mut self, what: LeftOut) {
        self.left_out[what as usize] += 1;
    }

    /// The number of records.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The number of lines that were read, with and without a record.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The cells of all records, in the format that
    /// [`solve_lines`](crate::Solver::solve_lines) takes. A malformed record has cells without a
    /// solution. `None` if a record is given by candidates.
    #[doc(hidden)]
    pub fn cells(&self) -> Option<&[[u8; CELLS]]> {
        self.with_candidates.is_empty().then_some(&self.cells)
    }

    /// The line of a record, counted from 1. It is the line where the record begins. For a
    /// malformed record it is the malformed line.
    ///
    /// # Panics
    ///
    /// When there is no such record. All methods that take a record do the same.
    pub fn line(&self, record: usize) -> u64 {
        assert!(record < self.len());
        let jumps = self.jumps.partition_point(|&(first, _)| first <= record);
        let (first, line) = self.jumps[jumps - 1];
        line + (record - first) as u64
    }

    /// The puzzle of a record by its 81 cells.
    ///
    /// # Errors
    ///
    /// The record is malformed, or it is given by candidates that [no puzzle of 81
    /// cells](Candidates::to_puzzle) has.
    pub fn puzzle_of_cells(&self, record: usize) -> Result<Puzzle, ParseError> {
        match self.puzzle(record)? {
            AnyPuzzle::Cells(puzzle) => Ok(puzzle),
            AnyPuzzle::Candidates(candidates) => {
                let puzzle = candidates.puzzle_of_cells();
                puzzle.map_err(|cell| not_of_cells(&candidates, cell))
            }
        }
    }

    /// The puzzle of a record, given by cells or by candidates.
    ///
    /// # Errors
    ///
    /// The record is malformed.
    pub fn puzzle(&self, record: usize) -> Result<AnyPuzzle, ParseError> {
        match (self.error(record), self.candidates(record)) {
            (Some(error), _) => Err(error),
            (None, None) => Ok(AnyPuzzle::Cells(Puzzle::with_blanks_for_others(
                &self.cells[record],
            ))),
            (None, Some(candidates)) => Ok(AnyPuzzle::Candidates(*candidates)),
        }
    }

    /// The candidates of a record that is given by them.
    ///
    /// ```
    /// use sudoku_batch::{Candidates, format::{Records, line}};
    /// let mut records = Records::default();
    /// line::read("123456789".repeat(81).as_bytes(), &mut records);
    /// assert_eq!(records.candidates(0), Some(&Candidates::ALL));
    /// assert_eq!(records.puzzle_of_cells(0), Ok(sudoku_batch::Puzzle::EMPTY));
    /// ```
    #[inline]
    pub fn candidates(&self, record: usize) -> Option<&Candidates> {
        if self.with_candidates.is_empty() {
            return None;
        }
        let at = self.with_candidates.binary_search(&record);
        at.ok().map(|at| &self.candidates[at])
    }

    /// The cells of all records, as in [`cells`](Self::cells); and the numbers of the records that are
    /// given by candidates, in order, and their candidates. The cells of these have no solution.
    pub(crate) fn by_kind(&self) -> (&[[u8; CELLS]], &[usize], &[Candidates]) {
        (&self.cells, &self.with_candidates, &self.candidates)
    }

    /// The text of the puzzle of a record with its [own blank](Self::blank), or 81 dots if it is
    /// malformed.
    #[inline]
    pub fn own(&self, record: usize) -> impl AsRef<[u8]> + use<> {
        match self.candidates(record) {
            None => OwnText::Cells(self.own_cells(record)),
            Some(candidates) => {
                OwnText::Candidates(Box::new(candidates.to_ascii(self.blank(record))))
            }
        }
    }

    /// Gives each record by candidates, or by 81 cells. A record whose candidates are no puzzle of 81
    /// cells becomes malformed.
    #[doc(hidden)]
    pub fn give_by(&mut self, by_candidates: bool) {
        if by_candidates {
            let (mut numbers, mut all, mut blanks) = (Vec::new(), Vec::new(), Vec::new());
            for record in 0..self.len() {
                if let Ok(puzzle) = self.puzzle(record) {
                    numbers.push(record);
                    all.push(puzzle.candidates());
                    blanks.push(match self.blank(record) {
                        b'0' => b'0',
                        _ => BLANK,
                    });
                }
            }
            for &record in &numbers {
                self.cells[record] = UNSOLVABLE;
            }
            self.crosses.clear();
            (self.with_candidates, self.candidates) = (numbers, all);
            self.candidate_blanks = blanks;
            return;
        }
        let numbers = std::mem::take(&mut self.with_candidates);
        let blanks = std::mem::take(&mut self.candidate_blanks);
        for ((record, candidates), blank) in numbers.into_iter().zip(&self.candidates).zip(blanks) {
            match candidates.puzzle_of_cells() {
                Ok(puzzle) => {
                    let own = |cell| if cell == BLANK { blank } else { cell };
                    self.cells[record] = puzzle.as_ascii().map(own);
                }
                Err(cell) => {
                    let error = (record, not_of_cells(candidates, cell));
                    insert_in_order(&mut self.malformed, error);
                }
            }
        }
        self.candidates.clear();
    }

    /// Strikes the candidates that clues and singles rule out from each record that is given by
    /// candidates. One that they show to have no solution stays as it is.
    #[doc(hidden)]
    pub fn reduce(&mut self) {
        for candidates in &mut self.candidates {
            *candidates = candidates.reduced().unwrap_or(*candidates);
        }
    }

    /// The character of the first blank of a record, or a dot if it has none.
    ///
    /// ```
    /// use sudoku_batch::format::{Records, line};
    /// let mut records = Records::default();
    /// line::read(&[&b"5x0."[..], &[b'.'; 77]].concat(), &mut records);
    /// assert_eq!(records.blank(0), b'x');
    /// assert_eq!(records.own_cells(0)[..5], *b"5xxxx");
    /// ```
    pub fn blank(&self, record: usize) -> u8 {
        let cross = self.crosses.binary_search_by_key(&record, |entry| entry.0);
        let is_blank = |cell: &&u8| !matches!(cell, b'1'..=b'9');
        if let Ok(at) = self.with_candidates.binary_search(&record) {
            return self.candidate_blanks[at];
        }
        match cross {
            Ok(at) => self.crosses[at].1,
            Err(_) => *self.cells[record].iter().find(is_blank).unwrap_or(&BLANK),
        }
    }

    /// The cells of a record with its [own blank](Self::blank), or 81 dots if it is malformed. A
    /// record that is given by candidates has its clues.
    pub fn own_cells(&self, record: usize) -> [u8; CELLS] {
        let blank = match self.error(record) {
            None => self.blank(record),
            Some(_) => return [BLANK; CELLS],
        };
        let clues = self.candidates(record).map(Candidates::clues);
        let mut cells = *clues.as_ref().map_or(&self.cells[record], Puzzle::as_ascii);
        for cell in &mut cells {
            *cell = match cell {
                b'1'..=b'9' => *cell,
                _ => blank,
            };
        }
        cells
    }

    /// The cells of a record with the characters that they have in the text, but for an `x` or `X`.
    #[cfg(feature = "formats")]
    pub(super) fn cells_as_read(&self, record: usize) -> &[u8; CELLS] {
        &self.cells[record]
    }

    /// Returns true if a record is a grid with a digit in each cell.
    // For the command and the packages.
    #[doc(hidden)]
    pub fn is_full(&self, record: usize) -> bool {
        self.own_cells(record)
            .iter()
            .all(|cell| matches!(cell, b'1'..=b'9'))
    }

    /// Writes all blanks as this character, in the texts too: `place` gives the place of the
    /// puzzle in the text of a record, which may be given by candidates.
    #[cfg(feature = "formats")]
    pub(super) fn set_blank(
        &mut self,
        blank: u8,
        place: impl Fn(&[u8], bool) -> Option<Range<usize>>,
    ) {
        let blanked = |cells: &mut [u8], kinds: &[u8]| {
            let blanks = cells.iter_mut().filter(|cell| kinds.contains(cell));
            blanks.for_each(|cell| *cell = blank);
        };
        self.crosses.clear();
        self.candidate_blanks.fill(blank);
        for cells in &mut self.cells {
            blanked(cells, b".0*_-?");
        }
        self.for_puzzles_in_texts(place, |cells| blanked(cells, b".0*_-?xX"));
    }

    /// Turns the digits 0 to 8 of all puzzles into 1 to 9, in the texts too, whose puzzles are at the `place` that
    /// [`set_blank`](Self::set_blank) takes. A record with a 9 becomes malformed.
    #[cfg(feature = "formats")]
    pub(super) fn count_from_zero(&mut self, place: impl Fn(&[u8], bool) -> Option<Range<usize>>) {
        let raised = |cells: &mut [u8]| {
            let digits = cells.iter_mut().filter(|cell| matches!(cell, b'0'..=b'8'));
            digits.for_each(|cell| *cell += 1);
        };
        for record in 0..self.len() {
            let is_right = self.error(record).is_none() && self.candidates(record).is_none();
            let nine = self.cells[record].iter().position(|&cell| cell == b'9');
            if let (true, Some(column)) = (is_right, nine) {
                let error = unexpected(&self.cells[record], column, Expected::Cell);
                insert_in_order(&mut self.malformed, (record, error));
            }
            if is_right {
                raised(&mut self.cells[record]);
            }
        }
        self.for_puzzles_in_texts(place, raised);
    }

    /// Changes the puzzles in the texts of records that are right.
    #[cfg(feature = "formats")]
    fn for_puzzles_in_texts(
        &mut self,
        place: impl Fn(&[u8], bool) -> Option<Range<usize>>,
        change: impl Fn(&mut [u8]),
    ) {
        let mut start = 0;
        for &(record, end) in &self.texts {
            let text = &mut self.text[std::mem::replace(&mut start, end)..end];
            let malformed = &self.malformed;
            let is_right = malformed
                .binary_search_by_key(&record, |entry| entry.0)
                .is_err();
            let by_candidates = self.with_candidates.binary_search(&record).is_ok();
            if let (true, Some(place)) = (is_right, place(text, by_candidates)) {
                change(&mut text[place]);
            }
        }
    }

    /// Returns true if a record is malformed so that its fields cannot be separated.
    pub fn is_torn(&self, record: usize) -> bool {
        self.error(record).is_some_and(|error| {
            matches!(
                error.expected,
                Expected::Fields { .. } | Expected::QuotedField | Expected::Json | Expected::Object
            )
        })
    }

    /// The error of a record, if it is malformed.
    pub fn error(&self, record: usize) -> Option<ParseError> {
        let found = self
            .malformed
            .binary_search_by_key(&record, |entry| entry.0);
        found.ok().map(|at| self.malformed[at].1)
    }

    /// All that are malformed, in order.
    pub(crate) fn malformed(&self) -> &[(usize, ParseError)] {
        &self.malformed
    }

    /// The text of a record, as it was read, without the end of its line.
    pub fn text(&self, record: usize) -> &[u8] {
        // In a table every record has a text, so no search is needed.
        let at = if self.texts.len() == self.len() {
            Ok(record)
        } else {
            self.texts.binary_search_by_key(&record, |entry| entry.0)
        };
        match at {
            Ok(at) => {
                let start = at.checked_sub(1).map_or(0, |before| self.texts[before].1);
                &self.text[start..self.texts[at].1]
            }
            Err(_) => &self.cells[record],
        }
    }

    /// Returns true if a record has more than its cells.
    #[cfg(feature = "formats")]
    pub(super) fn have_texts(&self) -> bool {
        !self.texts.is_empty() || !self.above.is_empty()
    }

    /// The comments right above a record, with their line ends: they belong to it. None where a blank line is between.
    ///
    /// ```
    /// use sudoku_batch::format::{Records, line};
    /// let mut records = Records::default();
    /// let cells = ".".repeat(81);
    /// line::read(format!("# of a file\n\n# of a puzzle\n{cells}\n{cells}\n").as_bytes(), &mut records);
    /// assert_eq!((records.above(0), records.above(1)), (&b"# of a puzzle\n"[..], &b""[..]));
    /// ```
    pub fn above(&self, record: usize) -> &[u8] {
        match self.above.binary_search_by_key(&record, |entry| entry.0) {
            Ok(at) => {
                let start = at.checked_sub(1).map_or(0, |before| self.above[before].1);
                &self.above_text[start..self.above[at].1]
            }
            Err(_) => &[],
        }
    }

    /// Adds a line of text to those above the next record.
    pub(super) fn push_above(&mut self, line: &[u8]) {
        self.above_text.extend_from_slice(line);
        self.above_text.push(b'\n');
        let (next, end) = (self.len(), self.above_text.len());
        match self.above.last_mut() {
            Some(last) if last.0 == next => last.1 = end,
            _ => self.above.push((next, end)),
        }
    }

    /// Adds a line between two records that are more than a line each to the comments above the next, if it has words.
    pub(super) fn push_title(&mut self, line: &[u8]) {
        let line = line.trim_ascii();
        // A text may be cut behind digits that are enough for a puzzle.
        if has_digits_of_puzzle(line) {
            return self.end_above();
        }
        // A tag is no title.
        if line.starts_with(b"<") {
            return;
        }
        // A label has one letter.
        let has_word = line
            .array_windows()
            .any(|two: &[u8; 2]| two.iter().all(u8::is_ascii_alphabetic))
            || line.iter().any(|&byte| is_letter(byte) && !byte.is_ascii());
        if has_word {
            match line {
                [b'#', ..] => self.push_above(line),
                _ => self.push_above(&[b"# ", line].concat()),
            }
        }
    }

    /// Forgets the lines above the next record: a blank line follows them.
    pub(super) fn end_above(&mut self) {
        if self.above.last().is_some_and(|last| last.0 == self.len()) {
            self.above.pop();
            let end = self.above.last().map_or(0, |last| last.1);
            self.above_text.truncate(end);
        }
    }

    /// Adds a record of 81 cells: digits, and any of `.0*_-?xX` for a blank. Its text is
    /// the cells, unless [`set_text`](Self::set_text) replaces it.
    ///
    /// # Errors
    ///
    /// The cells contain another character. Nothing is added.
    pub fn push_cells(&mut self, line: u64, cells: &[u8; CELLS]) -> Result<(), ParseError> {
        if is_plain(cells) {
            self.push(line, cells);
            return Ok(());
        }
        let checked = checked(cells)?;
        self.push_decoded(line, &checked);
        if checked != *cells {
            self.set_text(cells);
        }
        Ok(())
    }

    /// Adds a record that is given by candidates, with the character of its blanks and its text.
    pub fn push_candidates(
        &mut self,
        line: u64,
        (candidates, blank): &(Candidates, u8),
        text: &[u8],
    ) {
        self.with_candidates.push(self.len());
        self.candidates.push(*candidates);
        self.candidate_blanks.push(*blank);
        self.texts.push((self.len(), self.text.len() + text.len()));
        self.text.extend_from_slice(text);
        self.push(line, &UNSOLVABLE);
    }

    /// Adds a record whose puzzle was read from a text. The record of cells has the cells as its text, with dots.
    /// That of candidates has this text, and the first `.` or `0` in it is the character of its blanks.
    ///
    /// ```
    /// use sudoku_batch::format::Records;
    /// let (mut records, text) = (Records::default(), "1 2 3 4 5 6 7 8 0 ".repeat(9));
    /// records.push_puzzle(7, &text.parse()?, text.as_bytes());
    /// assert_eq!((records.line(0), records.text(0)), (7, "12345678.".repeat(9).as_bytes()));
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    pub fn push_puzzle(&mut self, line: u64, puzzle: &AnyPuzzle, text: &[u8]) {
        match puzzle {
            AnyPuzzle::Cells(puzzle) => self.push(line, puzzle.as_ascii()),
            AnyPuzzle::Candidates(candidates) => {
                let blank = text.iter().find(|c| matches!(c, b'.' | b'0'));
                self.push_candidates(line, &(*candidates, *blank.unwrap_or(&BLANK)), text);
            }
        }
    }

    /// Adds a malformed record, with its text.
    pub fn push_error(&mut self, line: u64, error: ParseError, text: &[u8]) {
        self.malformed.push((self.len(), error));
        self.push(line, &UNSOLVABLE);
        self.set_text(text);
    }

    /// Adds a record whose cells were [`checked`], and its text.
    #[cfg(feature = "formats")]
    pub(super) fn push_checked(&mut self, line: u64, cells: &[u8; CELLS], text: &[u8]) {
        self.texts.push((self.len(), self.text.len() + text.len()));
        self.text.extend_from_slice(text);
        self.push_decoded(line, cells);
    }

    /// Sets the text of the last record, if the text is more than its cells. Does nothing
    /// if there is no record.
    pub fn set_text(&mut self, text: &[u8]) {
        let Some(last) = self.len().checked_sub(1) else {
            return;
        };
        if self.texts.last().is_some_and(|&(record, _)| record == last) {
            self.texts.pop();
        }
        self.text
            .truncate(self.texts.last().map_or(0, |&(_, end)| end));
        self.text.extend_from_slice(text);
        self.texts.push((last, self.text.len()));
    }

    /// The records with these numbers, which rise. All of them are not copied.
    // For the command too.
    #[doc(hidden)]
    pub fn chosen(&self, numbers: &[usize]) -> Cow<'_, Self> {
        if numbers.len() == self.len() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(self.part(numbers.iter().copied()))
    }

    /// Some of the records, in their order. The lines that were read still count.
    // For the command.
    #[doc(hidden)]
    #[must_use]
    pub fn part(&self, records: impl Iterator<Item = usize>) -> Self {
        let mut part = Self::default();
        for record in records {
            let above = self.above(record);
            if !above.is_empty() {
                part.above_text.extend_from_slice(above);
                part.above.push((part.len(), part.above_text.len()));
            }
            if let Some(error) = self.error(record) {
                part.malformed.push((part.len(), error));
            }
            if let Some(candidates) = self.candidates(record) {
                part.with_candidates.push(part.len());
                part.candidates.push(*candidates);
                part.candidate_blanks.push(self.blank(record));
            } else if let Ok(at) = self.crosses.binary_search_by_key(&record, |entry| entry.0) {
                part.crosses.push((part.len(), self.crosses[at].1));
            }
            let has_text = self.texts.binary_search_by_key(&record, |entry| entry.0);
            if has_text.is_ok() {
                part.text.extend_from_slice(self.text(record));
                part.texts.push((part.len(), part.text.len()));
            }
            part.places.push(self.place(record));
            part.push(self.line(record), &self.cells[record]);
        }
        part.lines = self.lines;
        part.dropped = self.read_count() - part.len();
        part
    }

    /// The place of a record among those that were read, from 0: it is another one where some were left out.
    #[doc(hidden)]
    pub fn place(&self, record: usize) -> usize {
        self.places.get(record).copied().unwrap_or(record)
    }

    /// The number of records that were read, those that are left out too.
    #[doc(hidden)]
    pub fn read_count(&self) -> usize {
        self.len() + self.dropped
    }

    /// Counts lines that were read.
    pub fn add_lines(&mut self, lines: u64) {
        self.lines += lines;
    }

    /// Adds a record whose cells were [`checked`].
    fn push_decoded(&mut self, line: u64, cells: &[u8; CELLS]) {
        let cross = memchr::memchr2(b'x' ^ CROSS, b'X' ^ CROSS, cells).map(|at| cells[at]);
        let Some(cross) = cross else {
            return self.push(line, cells);
        };
        self.crosses.push((self.len(), cross ^ CROSS));
        self.push(line, &cells.map(|c| if c == cross { BLANK } else { c }));
    }

    fn push(&mut self, line: u64, cells: &[u8; CELLS]) {
        let follows = |&(first, at): &(usize, u64)| at + (self.len() - first) as u64 == line;
        if !self.jumps.last().is_some_and(follows) {
            self.jumps.push((self.len(), line));
        }
        self.cells.push(*cells);
    }

    /// Adds the records at the start of a text as long as each is 81 plain cells and a line
    /// feed. Nearly all records are. Returns the rest of the text.
    #[inline]
    pub(super) fn push_plain_lines<'t>(&mut self, text: &'t [u8]) -> &'t [u8] {
        let first = self.len();
        let mut rest = text;
        self.cells.reserve(text.len() / (CELLS + 1));
        // A record has a fixed length, so a look at one place replaces the search for the
        // end of the line. The code checks the copied bytes, because these are the ones
        // that it keeps.
        while let Some((line, after)) = rest.split_first_chunk::<{ CELLS + 1 }>()
            && line[CELLS] == b'\n'
        {
            self.cells.push(*line.first_chunk().expect("81 of 82"));
            if !is_plain(self.cells.last().expect("just added")) {
                self.cells.pop();
                break;
            }
            rest = after;
        }
        if self.len() > first {
            let follows = |&(at, line): &(usize, u64)| line + (first - at) as u64 == self.lines + 1;
            if !self.jumps.last().is_some_and(follows) {
                self.jumps.push((first, self.lines + 1));
            }
            self.lines += (self.len() - first) as u64;
        }
        rest
    }
}

/// Returns true if a line has digits enough for a puzzle.
pub(super) fn has_digits_of_puzzle(line: &[u8]) -> bool {
    let digits = line.iter().filter(|byte| matches!(byte, b'1'..=b'9'));
    digits.count() >= FEWEST_CLUES
}

/// Returns true for a letter, or for the first byte of a character that may be one.
pub(super) fn is_letter(byte: u8) -> bool {
    // Characters that begin with 0xc2 or 0xe2 are dots, dashes and frames.
    byte.is_ascii_alphabetic() || matches!(byte, 0xc3..=0xe1 | 0xe3..)
}

/// Adds the error of a record to those of others.
fn insert_in_order(malformed: &mut Vec<(usize, ParseError)>, error: (usize, ParseError)) {
    let at = malformed.partition_point(|entry| entry.0 < error.0);
    malformed.insert(at, error);
}

/// The bit that turns `x` and `X`, whose low four bits are 8, into cells as they are kept.
const CROSS: u8 = 2;

/// Cells as they are kept, for the solver. An `x` becomes what the first blank is, and if that is an
/// `x` too, the same character with another bit.
pub(super) fn checked(cells: &[u8; CELLS]) -> Result<[u8; CELLS], ParseError> {
    let mut checked = *cells;
    if !is_plain(cells) {
        let mut first = None;
        for (column, cell) in checked.iter_mut().enumerate() {
            match *cell {
                b'1'..=b'9' => continue,
                b'0' | b'.' | b'*' | b'_' | b'-' | b'?' => _ = first.get_or_insert(*cell),
                b'x' | b'X' => *cell = *first.get_or_insert(*cell ^ CROSS),
                _ => return Err(unexpected(cells, column, Expected::Cell)),
            }
        }
    }
    Ok(checked)
}
