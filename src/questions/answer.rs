//! The columns of an answer, and the rows in them.
//!
//! A question fills an [`Answer`] for each batch of records: a typed buffer for each of its columns.
//! An interface, such as the command or a binding, turns these buffers into bytes. It knows the kinds of
//! columns ([`Values`]) and no question.
//!
//! ```text
//!     entries   record 0   record 1   record 1   record 3         a record has no row, one, or several
//!     column 0  Some(1)    Some(2)    Some(3)    None             a value for each row
//!     column 1  "easy"     "hard"     "hard"     nothing
//!     statuses  one for each record
//! ```

use super::{
    Column, Counts, Reason, Reject, SolutionCount, Status,
    columns::{Kind, NewPuzzle, NewText, kind},
};
use crate::{
    format::Values,
    grid::{AnyPuzzle, BLANK, CANDIDATES, CELLS, Candidates, GridLine},
    solve::NO_SOLUTION,
    technique::Rating,
    trace::Pairs,
};
use std::{fmt::Display, io::Write, ops::Range, slice};

/// The answer to a batch of records: columns, statuses, rejects and counts.
///
/// A question fills the rows in one of these ways:
///
/// - [`row`](Self::row), any number of times for a record, or [`nothing`](Self::nothing);
/// - [`images`](Self::images), for many rows of a record that differ in cells alone;
/// - [`lines`](Self::lines), once: a row for each record, with 81 cells in the only column that has values.
///
/// Columns of statuses and of numbers of records take no values: they follow from the record.
///
/// ```
/// use sudoku_batch::{format::Values, questions::{Answer, Data, Status}};
/// let mut answer = Answer::new([Values::Numbers, Values::Status]);
/// answer.begin(2);
/// answer.statuses.extend([Status::Multiple, Status::Malformed]);
/// answer.row(0).number(Some(7));
/// answer.row(1).number(None);
/// let Data::Numbers(numbers) = answer.column(0) else { unreachable!() };
/// assert_eq!(numbers[..], [Some(7), None]);
/// ```
#[derive(Debug, Default)]
pub struct Answer<'o> {
    columns: Vec<Data<'o>>,
    kinds: Vec<Values>,
    /// The names of the columns, where they are known.
    names: Vec<&'static str>,
    /// Columns that nobody reads: a question may leave out their work.
    unwanted: Vec<bool>,
    /// The columns that somebody reads and whose values are no text.
    written: Vec<usize>,
    entries: Vec<Entry>,
    records: usize,
    /// The number of values in each column.
    values: usize,
    has_lines: bool,
    /// The status of each record.
    pub statuses: Vec<Status>,
    /// The records that fail, in order.
    pub rejects: Vec<Reject>,
    /// Named numbers, which add up over batches.
    pub counts: Counts,
    /// The records that have more rows than the limit of the question lets them have, in order.
    pub limited: Vec<usize>,
    /// The part of the output that the rows of each record go to; empty where there is one part.
    pub parts: Vec<usize>,
    keeps_places: bool,
    part: Option<usize>,
    next: Option<usize>,
    /// The keys of the records, until the answer is settled.
    keys: Vec<Option<u128>>,
    is_unsettled: bool,
}

/// The values of a column, one for each row that has values.
#[derive(Debug)]
#[non_exhaustive]
pub enum Data<'o> {
    /// 81 cells and a line feed each; points where there is nothing.
    Cells(Vec<GridLine>),
    /// The same, lent by an interface that has its output there.
    Lent(&'o mut [GridLine]),
    /// Puzzles of either kind.
    Puzzles(Puzzles),
    /// Whole numbers.
    Numbers(Vec<Option<u64>>),
    /// Numbers of solutions, perhaps with more.
    Bounds(Vec<Option<SolutionCount>>),
    /// Ratings.
    Ratings(Vec<Option<Rating>>),
    /// Numbers with a fraction or an exponent.
    Reals(Vec<Option<f64>>),
    /// Places in the list of names, or [`NO_NAME`].
    Names(Vec<u8>),
    /// Yes and no.
    Flags(Vec<Option<bool>>),
    /// Text and JSON.
    Texts(Texts),
    /// The order in which cells are filled.
    Pairs(Vec<Option<Box<Pairs>>>),
    /// The numbers of solutions that have each candidate: nine for each cell, or -1 where nothing is known.
    CandidateCounts {
        /// The numbers. One above the limit says that there are more.
        numbers: Vec<[i16; CANDIDATES]>,
        /// The limit.
        limit: i16,
    },
    /// Nothing: the record or its status says the value.
    OfRecord,
}

/// The place in a list of names of a name that is missing.
pub const NO_NAME: u8 = u8::MAX;

/// Puzzles in a column: a line of 81 cells each, or what stands in its place.
#[derive(Debug, Default)]
pub struct Puzzles {
    lines: Vec<GridLine>,
    /// The rows, in order, that have something else than 81 cells.
    others: Vec<(usize, Other)>,
}

/// The value in place of 81 cells.
#[derive(Debug)]
enum Other {
    Candidates(Box<Candidates>, u8),
    Text(Box<[u8]>),
}

/// A value of a column of puzzles.
#[derive(Debug, Clone, Copy)]
pub enum PuzzleValue<'a> {
    /// There is none.
    Nothing,
    /// 81 cells.
    Cells(&'a [u8; CELLS]),
    /// Candidates, and the character for those that are missing.
    Candidates(&'a Candidates, u8),
    /// A text of the user that is no puzzle.
    Text(&'a [u8]),
}

impl Puzzles {
    /// The line of a row without a puzzle.
    const NOTHING: GridLine = [0; CELLS + 1];

    /// The value of a row.
    #[inline]
    pub fn get(&self, row: usize) -> PuzzleValue<'_> {
        let line = &self.lines[row];
        match line[0] {
            0 if self.others.is_empty() => PuzzleValue::Nothing,
            0 => match self.others.binary_search_by_key(&row, |other| other.0) {
                Ok(at) => match &self.others[at].1 {
                    Other::Candidates(candidates, blank) => {
                        PuzzleValue::Candidates(candidates, *blank)
                    }
                    Other::Text(text) => PuzzleValue::Text(text),
                },
                Err(_) => PuzzleValue::Nothing,
            },
            _ => PuzzleValue::Cells(line.first_chunk().expect("81 of 82")),
        }
    }

    /// The line of a row, to be changed.
    pub fn line_mut(&mut self, row: usize) -> &mut GridLine {
        &mut self.lines[row]
    }

    /// The lines of rows that all have 81 cells.
    pub fn lines(&self, rows: Range<usize>) -> &[GridLine] {
        &self.lines[rows]
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Returns true if there is no row.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    fn clear(&mut self) {
        self.lines.clear();
        self.others.clear();
    }

    pub(super) fn push_nothing(&mut self) {
        self.lines.push(Self::NOTHING);
    }

    fn push_other(&mut self, other: Other) {
        self.others.push((self.lines.len(), other));
        self.push_nothing();
    }

    pub(super) fn push_cells(&mut self, cells: &[u8; CELLS]) {
        let mut line = NO_SOLUTION;
        line[..CELLS].copy_from_slice(cells);
        self.lines.push(line);
    }

    /// Adds a puzzle of either kind, with this character for a blank.
    pub(super) fn push_puzzle(&mut self, puzzle: &AnyPuzzle, blank: u8) {
        match puzzle {
            AnyPuzzle::Cells(cells) => self.push_cells(&cells.as_ascii().map(|cell| match cell {
                BLANK => blank,
                digit => digit,
            })),
            AnyPuzzle::Candidates(candidates) => {
                self.push_other(Other::Candidates(Box::new(*candidates), blank));
            }
        }
    }

    /// Adds the cells or the candidates of a record as they were read, or a text of the user that is neither.
    pub(super) fn push_own(&mut self, text: &[u8]) {
        match (<&[u8; CELLS]>::try_from(text), text.len()) {
            (Ok(cells), _) if cells[0] != 0 => self.push_cells(cells),
            (_, CANDIDATES)
                if let Ok(candidates) = Candidates::from_ascii(text.as_array().expect("729")) =>
            {
                let blank = text.iter().find(|c| matches!(c, b'.' | b'0'));
                let blank = blank.copied().unwrap_or(BLANK);
                self.push_other(Other::Candidates(Box::new(candidates), blank));
            }
            (_, 0) => self.push_nothing(),
            _ => self.push_other(Other::Text(text.into())),
        }
    }
}

/// Texts, one after the other.
#[derive(Debug, Default)]
pub struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    /// The text of a row.
    #[inline]
    pub fn get(&self, row: usize) -> &[u8] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[row]]
    }

    /// The text of a row, to be changed.
    pub fn get_mut(&mut self, row: usize) -> &mut [u8] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &mut self.bytes[start..self.ends[row]]
    }

    /// Adds the text of the next row.
    #[inline]
    pub fn push(&mut self, text: impl AsRef<[u8]>) {
        self.bytes.extend_from_slice(text.as_ref());
        self.ends.push(self.bytes.len());
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }

    pub(super) fn push_nothing(&mut self) {
        self.ends.push(self.bytes.len());
    }

    /// Adds the text of a value as that of the next row.
    pub(super) fn push_shown(&mut self, value: &dyn Display) {
        write!(self.bytes, "{value}").expect("into memory");
        self.ends.push(self.bytes.len());
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns true if there is no row.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }
}

/// A row, or several rows of one record.
#[derive(Clone, Copy, Debug)]
struct Entry {
    record: u32,
    /// The place of its first value in the columns.
    first: u32,
    /// The number of its rows with values. None: the record is written as it was read.
    count: u32,
}

/// Does something with the values of a column, whatever their kind, or with lent lines.
macro_rules! each_store {
    ($data:expr, $store:ident => $do:expr, $lines:ident => $do_with_lines:expr) => {
        match $data {
            Self::Cells($store) => Some($do),
            Self::Puzzles($store) => Some($do),
            Self::Numbers($store) => Some($do),
            Self::Bounds($store) => Some($do),
            Self::Ratings($store) => Some($do),
            Self::Reals($store) => Some($do),
            Self::Names($store) => Some($do),
            Self::Flags($store) => Some($do),
            Self::Texts($store) => Some($do),
            Self::Pairs($store) => Some($do),
            Self::CandidateCounts {
                numbers: $store, ..
            } => Some($do),
            Self::Lent($lines) => $do_with_lines,
            Self::OfRecord => None,
        }
    };
}

/// The memory of a column.
trait Store {
    /// Adds a row without a value.
    fn push_nothing(&mut self);
}

impl<T> Store for Vec<Option<T>> {
    fn push_nothing(&mut self) {
        self.push(None);
    }
}

impl Store for Vec<GridLine> {
    fn push_nothing(&mut self) {
        self.push(NO_SOLUTION);
    }
}

impl Store for Vec<u8> {
    fn push_nothing(&mut self) {
        self.push(NO_NAME);
    }
}

impl Store for Vec<[i16; CANDIDATES]> {
    fn push_nothing(&mut self) {
        self.push([-1; CANDIDATES]);
    }
}

impl Data<'_> {
    fn of(kind: Values) -> Self {
        match kind {
            Values::Cells => Self::Cells(Vec::new()),
            Values::Puzzles | Values::Candidates => Self::Puzzles(Puzzles::default()),
            Values::Numbers => Self::Numbers(Vec::new()),
            Values::Bounds => Self::Bounds(Vec::new()),
            Values::Ratings => Self::Ratings(Vec::new()),
            Values::Reals => Self::Reals(Vec::new()),
            Values::Names(_) => Self::Names(Vec::new()),
            Values::Flags => Self::Flags(Vec::new()),
            Values::Text | Values::Json => Self::Texts(Texts::default()),
            Values::Pairs => Self::Pairs(Vec::new()),
            Values::CandidateCounts => Self::CandidateCounts {
                numbers: Vec::new(),
                limit: i16::MAX,
            },
            Values::Record | Values::Status => Self::OfRecord,
        }
    }

    /// The lines of a column of cells.
    #[inline]
    pub fn lines(&self) -> Option<&[GridLine]> {
        match self {
            Self::Cells(lines) => Some(lines),
            Self::Lent(lines) => Some(lines),
            _ => None,
        }
    }

    /// The number of values, if the column takes any.
    fn len(&self) -> Option<usize> {
        each_store!(self, store => store.len(), lines => Some(lines.len()))
    }

    /// Adds a row without a value.
    pub(super) fn push_nothing(&mut self) {
        each_store!(self, store => store.push_nothing(), _lines => panic!("lent lines are filled at once"));
    }

    /// An answer without values, with the memory.
    fn renewed<'n>(self, lent: &mut Option<&'n mut [GridLine]>) -> Data<'n> {
        macro_rules! renewed {
            ($($kind:ident)+) => {
                match self {
                    Self::Cells(_) | Self::Lent(_) if let Some(lent) = lent.take() => Data::Lent(lent),
                    Self::Lent(_) => Data::Cells(Vec::new()),
                    $(Self::$kind(mut store) => {
                        store.clear();
                        Data::$kind(store)
                    })+
                    Self::CandidateCounts { mut numbers, limit } => {
                        numbers.clear();
                        Data::CandidateCounts { numbers, limit }
                    }
                    Self::OfRecord => Data::OfRecord,
                }
            };
        }
        renewed!(Cells Puzzles Numbers Bounds Ratings Reals Names Flags Texts Pairs)
    }
}

impl<'o> Answer<'o> {
    /// An answer with columns of these kinds, before the first batch.
    pub fn new(kinds: impl Into<Vec<Values>>) -> Self {
        let kinds = kinds.into();
        let mut answer = Self {
            columns: kinds.iter().map(|kind| Data::of(*kind)).collect(),
            unwanted: vec![false; kinds.len()],
            kinds,
            ..Self::default()
        };
        answer.leave_out(|_| false);
        answer
    }

    /// An answer with these columns, before the first batch.
    pub fn of<'c>(columns: impl IntoIterator<Item = &'c Column>) -> Self {
        let columns = columns.into_iter();
        let (kinds, names): (Vec<_>, _) =
            columns.map(|column| (column.values, column.name)).unzip();
        Self {
            names,
            ..Self::new(kinds)
        }
    }

    /// Says which columns nobody reads. A question may leave out their work: it gives nothing as values.
    pub fn leave_out(&mut self, unwanted: impl Fn(usize) -> bool) {
        for (column, is_unwanted) in self.unwanted.iter_mut().enumerate() {
            *is_unwanted = unwanted(column);
        }
        let is_written = |&column: &usize| {
            let is_text = matches!(
                self.columns[column],
                Data::Cells(_)
                    | Data::Lent(_)
                    | Data::Names(_)
                    | Data::Texts(_)
                    | Data::Pairs(_)
                    | Data::OfRecord
            );
            !is_text && !self.unwanted[column]
        };
        self.written = (0..self.columns.len()).filter(is_written).collect();
    }

    /// This answer, if nobody reads its statuses.
    #[must_use]
    pub fn without_statuses(mut self) -> Self {
        let kinds = self.kinds.clone();
        self.leave_out(|column| kinds[column] == Values::Status);
        self
    }

    /// Says whether a record [without values](Self::nothing) keeps its place: it has a row with nothing in
    /// it. Otherwise, as is usual, it has no row.
    pub fn keep_places(&mut self, keeps_places: bool) {
        self.keeps_places = keeps_places;
    }

    /// Asks for parts of about this number of bytes of text. A question with several rows for a record
    /// ends a part early ([`go_on_at`](Self::go_on_at)), and is asked again about the same batch until there
    /// is no next part. Without this, the rows of a batch come at once.
    pub fn in_parts_of(&mut self, bytes: usize) {
        self.part = Some(bytes);
    }

    /// The number of bytes of a part, if the rows are to come in parts.
    pub fn part(&self) -> Option<usize> {
        self.part
    }

    /// Returns true if somebody reads a column.
    pub fn is_wanted(&self, column: impl Into<usize>) -> bool {
        !self.unwanted[column.into()]
    }

    /// The answer for another batch, with the memory of this one. Lent lines take the place of the
    /// first column of cells.
    #[must_use]
    pub fn renewed<'n>(self, mut lent: Option<&'n mut [GridLine]>) -> Answer<'n> {
        let mut answer = Answer {
            columns: Vec::with_capacity(self.columns.len()),
            kinds: self.kinds,
            names: self.names,
            unwanted: self.unwanted,
            written: self.written,
            entries: self.entries,
            statuses: self.statuses,
            rejects: self.rejects,
            limited: self.limited,
            parts: self.parts,
            keeps_places: self.keeps_places,
            part: self.part,
            keys: self.keys,
            ..Answer::default()
        };
        let columns = self.columns.into_iter().map(|data| data.renewed(&mut lent));
        answer.columns.extend(columns);
        answer.entries.clear();
        answer.statuses.clear();
        answer.rejects.clear();
        answer.limited.clear();
        answer.parts.clear();
        answer.keys.clear();
        answer
    }

    /// Begins a batch of this number of records. All that is there goes.
    pub fn begin(&mut self, records: usize) {
        let is_lent = |data: &Data<'_>| matches!(data, Data::Lent(_));
        let has_lent = self.columns.iter().any(is_lent);
        if !has_lent && (self.values > 0 || !self.statuses.is_empty() || self.is_unsettled) {
            let this = std::mem::take(self);
            *self = this.renewed(None);
        }
        self.records = records;
    }

    /// The number of records of the batch.
    pub fn records(&self) -> usize {
        self.records
    }

    /// The kinds of the columns.
    pub fn kinds(&self) -> &[Values] {
        &self.kinds
    }

    /// The values of the column of a question with this name.
    ///
    /// # Panics
    ///
    /// The question has no such column with its settings.
    pub fn named(&self, name: &str) -> &Data<'o> {
        let place = self.names.iter().position(|known| *known == name);
        self.column(place.unwrap_or_else(|| panic!("there is no column {name}")))
    }

    /// The values of a column, by its number from 0.
    ///
    /// # Panics
    ///
    /// The answer is not [settled](super::Question::settle).
    pub fn column(&self, column: usize) -> &Data<'o> {
        self.assert_settled();
        &self.columns[column]
    }

    /// Returns true if the answer has its rows. One that a question [with a step in order](super::Question::needs_order) has
    /// filled gets them when that [settles](super::Question::settle) it.
    pub fn is_settled(&self) -> bool {
        !self.is_unsettled
    }

    /// Rows of an answer without them would be none: nobody may take these for the answer.
    #[inline]
    fn assert_settled(&self) {
        assert!(
            !self.is_unsettled,
            "an answer of a question with a step in order is read before `Question::settle`"
        );
    }

    /// The keys of the records of an answer that is not settled: equal ones for records that are the same, and nothing for a
    /// record that is the same as no other.
    ///
    /// # Panics
    ///
    /// The answer is settled, or its question compares no keys.
    pub fn keys(&self) -> &[Option<u128>] {
        assert!(self.is_unsettled, "the answer has no keys");
        &self.keys
    }

    /// The keys of the records, to be written. With them the answer is one to settle.
    #[doc(hidden)]
    pub fn keys_mut(&mut self) -> &mut Vec<Option<u128>> {
        self.is_unsettled = true;
        &mut self.keys
    }

    /// Takes out of an answer that is not settled what its question needs to settle it, with the statuses. So a thread keeps the
    /// memory of the answer for the next batch.
    #[doc(hidden)]
    pub fn take_unsettled(&mut self) -> Option<Answer<'static>> {
        self.is_unsettled.then(|| Answer {
            columns: self.kinds.iter().map(|kind| Data::of(*kind)).collect(),
            kinds: self.kinds.clone(),
            names: self.names.clone(),
            unwanted: self.unwanted.clone(),
            written: self.written.clone(),
            records: self.records,
            statuses: std::mem::take(&mut self.statuses),
            keys: std::mem::take(&mut self.keys),
            is_unsettled: true,
            ..Answer::default()
        })
    }

    /// The keys of the records, for the question that settles the answer now.
    ///
    /// # Panics
    ///
    /// The answer is settled.
    pub(super) fn take_keys(&mut self) -> Vec<Option<u128>> {
        assert!(self.is_unsettled, "the answer is settled already");
        self.is_unsettled = false;
        std::mem::take(&mut self.keys)
    }

    /// The values of a column, to be changed.
    pub fn column_mut(&mut self, column: usize) -> &mut Data<'o> {
        &mut self.columns[column]
    }

    /// A line of 81 cells for each record, in the only column that has values. [`NO_SOLUTION`] means none.
    ///
    /// # Panics
    ///
    /// The column has no cells.
    pub fn lines(&mut self, column: impl Into<usize>) -> &mut [GridLine] {
        self.has_lines = true;
        self.values = self.records;
        match &mut self.columns[column.into()] {
            Data::Cells(lines) => {
                lines.resize(self.records, NO_SOLUTION);
                lines
            }
            Data::Lent(lines) => lines,
            _ => panic!("the column has cells"),
        }
    }

    /// Adds a row of a record. Its values follow, column by column.
    #[inline]
    pub fn row(&mut self, record: usize) -> Row<'_, 'o> {
        Row {
            columns: self.add_row(record).iter_mut(),
        }
    }

    /// Adds a row of a record, and gives the columns, each of which is to get a value.
    #[inline]
    pub(super) fn add_row(&mut self, record: usize) -> &mut [Data<'o>] {
        self.entries.push(Entry {
            record: record as u32,
            first: self.values as u32,
            count: 1,
        });
        self.values += 1;
        &mut self.columns
    }

    /// Writes the texts of a column when all other columns are filled: `write` gets the answer without it, and the
    /// record and the place of each row with values.
    pub fn write_texts(
        &mut self,
        column: usize,
        mut write: impl FnMut(&Self, usize, usize, &mut Vec<u8>),
    ) {
        let Data::Texts(texts) = &mut self.columns[column] else {
            panic!("the column has another kind");
        };
        let mut texts = std::mem::take(texts);
        texts.clear();
        for (record, rows) in self.entries() {
            for place in rows {
                write(self, record, place, &mut texts.bytes);
                texts.push_nothing();
            }
        }
        self.columns[column] = Data::Texts(texts);
    }

    /// Adds rows of a record that differ in cells alone: a slice for each column, by its number, and a row for each
    /// place in the slices. All columns with values have puzzles or cells. It does the same as [`row`](Self::row), faster.
    ///
    /// # Panics
    ///
    /// The lengths of slices differ, or a column has other values.
    pub fn images(&mut self, record: usize, images: &[(usize, &[GridLine])]) {
        let count = images[0].1.len();
        if count == 0 {
            return;
        }
        for &(column, lines) in images {
            assert_eq!(lines.len(), count, "a value for each row");
            match &mut self.columns[column] {
                Data::Puzzles(puzzles) => puzzles.lines.extend_from_slice(lines),
                Data::Cells(cells) => cells.extend_from_slice(lines),
                _ => panic!("a column of images has puzzles or cells"),
            }
        }
        self.entries.push(Entry {
            record: record as u32,
            first: self.values as u32,
            count: count as u32,
        });
        self.values += count;
    }

    /// Says that a record has no values. If its [place is kept](Self::keep_places), this adds a row with nothing
    /// in it.
    pub fn nothing(&mut self, record: usize) {
        if self.keeps_places {
            let columns = self.add_row(record).iter_mut();
            columns.for_each(Data::push_nothing);
        }
    }

    /// Adds a row of a record that is written as it was read.
    pub fn unchanged(&mut self, record: usize) {
        self.entries.push(Entry {
            record: record as u32,
            first: self.values as u32,
            count: 0,
        });
    }

    /// Notes a record that fails. Call this in the order of the records.
    pub fn reject(&mut self, record: usize, reason: Reason) {
        self.rejects.push(Reject { record, reason });
    }

    /// Says that the rows are a part of the batch, and at which record the next part begins or goes
    /// on. These rows are written before the question is asked again about the same batch. So a record
    /// may have more rows than there is memory.
    pub fn go_on_at(&mut self, record: Option<usize>) {
        self.next = record;
    }

    /// The record at which the next part begins or goes on, if there is one.
    pub fn next(&self) -> Option<usize> {
        self.next
    }

    /// The rows in their order: a record, and the places of the values of its rows in the columns. A record without
    /// values is written as it was read.
    ///
    /// # Panics
    ///
    /// The answer is not [settled](super::Question::settle).
    pub fn entries(&self) -> impl Iterator<Item = (usize, Range<usize>)> + Clone + '_ {
        self.assert_settled();
        let of_lines = 0..if self.has_lines { self.records } else { 0 };
        let others = self.entries.iter().map(|entry| {
            let first = entry.first as usize;
            (entry.record as usize, first..first + entry.count as usize)
        });
        of_lines
            .map(|record| (record, record..record + 1))
            .chain(others)
    }

    /// The part of the output that the rows of a record go to, from 0.
    #[inline]
    pub fn part_of(&self, record: usize) -> usize {
        self.parts.get(record).copied().unwrap_or(0)
    }

    /// Checks that each row has a value in each column.
    ///
    /// # Panics
    ///
    /// A question left a value out.
    pub fn check(&self) {
        for data in &self.columns {
            let is_whole = data.len().is_none_or(|values| values == self.values);
            assert!(is_whole, "each row has a value for each column");
        }
    }

    /// Writes the values of a row that are not text already into `texts`. Then
    /// [`value`](Self::value) gives all of them.
    #[inline(always)]
    pub fn write_row(&self, place: usize, texts: &mut RowTexts) {
        if !self.written.is_empty() {
            self.write_values(place, texts);
        }
    }

    #[inline]
    fn write_values(&self, place: usize, texts: &mut RowTexts) {
        texts.bytes.clear();
        texts.places.resize(self.columns.len(), (0, 0));
        for &column in &self.written {
            let start = texts.bytes.len();
            self.push_value(place, column, &mut texts.bytes);
            texts.places[column] = (start, texts.bytes.len());
        }
    }

    /// Appends the text of a value that is not text already.
    #[inline]
    fn push_value(&self, place: usize, column: usize, out: &mut Vec<u8>) {
        match &self.columns[column] {
            Data::Numbers(numbers) => display(numbers[place].as_ref(), out),
            Data::Bounds(bounds) => display(bounds[place].as_ref(), out),
            Data::Ratings(ratings) => {
                if let Some(rating) = ratings[place] {
                    rating.write(out);
                }
            }
            // The fewest digits that give the same number back.
            Data::Reals(reals) => match reals[place] {
                Some(real) if real >= 1e16 => display(Some(&format!("{real:e}")), out),
                real => display(real.as_ref(), out),
            },
            Data::Flags(flags) => display(flags[place].as_ref(), out),
            Data::CandidateCounts { numbers, limit } => {
                push_candidate_counts(&numbers[place], *limit, out);
            }
            Data::Puzzles(puzzles) => {
                if let PuzzleValue::Candidates(candidates, blank) = puzzles.get(place) {
                    out.extend_from_slice(&candidates.to_ascii(blank));
                }
            }
            _ => {}
        }
    }

    /// The text of a value: of a record's row at a place of the columns, whose texts
    /// [`write_row`](Self::write_row) has made. The number of a record has none.
    #[inline(always)]
    pub fn value<'v>(
        &'v self,
        record: usize,
        place: usize,
        column: usize,
        texts: &'v RowTexts,
    ) -> &'v [u8] {
        self.own_text(record, place, column)
            .unwrap_or_else(|| texts.get(column))
    }

    /// The text of a value that is text already.
    #[inline(always)]
    fn own_text(&self, record: usize, place: usize, column: usize) -> Option<&[u8]> {
        Some(match (&self.columns[column], self.kinds[column]) {
            (Data::Cells(lines), _) => cells_of(&lines[place]),
            (Data::Lent(lines), _) => cells_of(&lines[place]),
            (Data::Puzzles(puzzles), _) => match puzzles.get(place) {
                PuzzleValue::Nothing => &[],
                PuzzleValue::Cells(cells) => cells,
                PuzzleValue::Text(text) => text,
                PuzzleValue::Candidates(..) => return None,
            },
            (Data::Names(places), Values::Names(names)) => {
                let name = names.get(usize::from(places[place]));
                name.map_or(&[], |name| name.as_bytes())
            }
            (Data::Texts(of_rows), _) => of_rows.get(place),
            (Data::OfRecord, Values::Status) => self.statuses[record].name().as_bytes(),
            _ => return None,
        })
    }

    /// Appends the text of a value: of a record's row at a place of the columns. Returns false if there is
    /// none. The number of a record has none.
    #[inline]
    pub fn push_text(&self, record: usize, place: usize, column: usize, out: &mut Vec<u8>) -> bool {
        let start = out.len();
        match self.own_text(record, place, column) {
            Some(text) => out.extend_from_slice(text),
            None => self.push_value(place, column, out),
        }
        out.len() > start
    }
}

/// The cells of a line, or nothing for points.
#[inline(always)]
fn cells_of(line: &GridLine) -> &[u8] {
    match line {
        [BLANK, ..] => &[],
        line => &line[..CELLS],
    }
}

/// Appends the digits of each cell that solutions have, and their numbers, or nothing where nothing is known. The
/// text has no character that a table puts into quotes.
fn push_candidate_counts(numbers: &[i16; CANDIDATES], limit: i16, out: &mut Vec<u8>) {
    if numbers[0] < 0 {
        return;
    }
    if let Some(text) = text_of_one_solution(numbers) {
        out.extend_from_slice(&text[..4 * CELLS - 1]);
        return;
    }
    for numbers in numbers.as_chunks::<9>().0 {
        let digits = (b'1'..).zip(numbers).filter(|(_, number)| **number > 0);
        let start = out.len();
        for (digit, &number) in digits {
            out.extend_from_slice(&[digit, b':']);
            display(Some(&number.min(limit)), out);
            out.extend_from_slice(if number > limit { b"+/" } else { b"/" });
        }
        match out.len() > start {
            true => out.truncate(out.len() - 1),
            false => out.push(b'-'),
        }
        out.push(b' ');
    }
    out.pop();
}

/// The text of a record with one solution, and a space behind it: each cell has one number, which is 1. Most records
/// are such, and to look at all numbers takes three times as long.
fn text_of_one_solution(numbers: &[i16; CANDIDATES]) -> Option<[u8; 4 * CELLS]> {
    let mut text = [0; 4 * CELLS];
    let words = text.as_chunks_mut::<4>().0;
    for (word, numbers) in words.iter_mut().zip(numbers.as_chunks::<9>().0) {
        // Eight numbers of 16 bits are one number here.
        let first = (0..8).rev().fold(0, |all: u128, digit| {
            all << 16 | u128::from(numbers[digit].cast_unsigned())
        });
        let bit = first.trailing_zeros();
        let digit = match numbers[8] {
            0 if first.is_power_of_two() && bit % 16 == 0 => b'1' + (bit / 16) as u8,
            1 if first == 0 => b'9',
            _ => return None,
        };
        *word = [digit, b':', b'1', b' '];
    }
    Some(text)
}

fn display(value: Option<&impl Display>, out: &mut Vec<u8>) {
    if let Some(value) = value {
        write!(out, "{value}").expect("into memory");
    }
}

/// The texts of the values of a row that have to be written. It keeps its memory.
#[derive(Debug, Default)]
pub struct RowTexts {
    bytes: Vec<u8>,
    /// The begin and the end of the text of each column.
    places: Vec<(usize, usize)>,
}

impl RowTexts {
    #[inline]
    fn get(&self, column: usize) -> &[u8] {
        let (start, end) = self.places[column];
        &self.bytes[start..end]
    }
}

/// A row that is being filled: each call gives the value of the next column.
///
/// # Panics
///
/// Each call panics where the column is of another kind.
#[derive(Debug)]
pub struct Row<'a, 'o> {
    columns: std::slice::IterMut<'a, Data<'o>>,
}

impl<'o> Row<'_, 'o> {
    #[inline]
    fn next(&mut self) -> &mut Data<'o> {
        let columns = self.columns.by_ref();
        let next = columns.find(|data| !matches!(data, Data::OfRecord));
        next.expect("a column for each value")
    }

    #[inline]
    fn with<K: Kind>(mut self, value: K::Value<'_>) -> Self {
        K::push(slice::from_mut(self.next()), value);
        self
    }

    /// A whole number.
    #[inline]
    pub fn number(self, value: Option<u64>) -> Self {
        self.with::<kind::Numbers>(value)
    }

    /// A rating.
    #[inline]
    pub fn rating(self, value: Option<Rating>) -> Self {
        self.with::<kind::Ratings>(value)
    }

    /// Yes or no.
    #[inline]
    pub fn flag(self, value: Option<bool>) -> Self {
        self.with::<kind::Flags>(value)
    }

    /// A name, by its place in the list of the column.
    #[inline]
    pub fn name(mut self, place: Option<usize>) -> Self {
        match self.next() {
            Data::Names(places) => places.push(place.map_or(NO_NAME, |place| place as u8)),
            _ => panic!("the column has another kind"),
        }
        self
    }

    /// 81 cells of a puzzle or of a solution.
    pub fn cells(mut self, cells: Option<&[u8; CELLS]>) -> Self {
        match self.next() {
            data @ Data::Cells(_) => kind::Cells::push(slice::from_mut(data), cells),
            data => {
                let puzzle = cells.map_or(NewPuzzle::Nothing, NewPuzzle::Cells);
                kind::Puzzles::push(slice::from_mut(data), puzzle);
            }
        }
        self
    }

    /// A puzzle.
    pub(super) fn new_puzzle(self, puzzle: NewPuzzle<'_>) -> Self {
        self.with::<kind::Puzzles>(puzzle)
    }

    /// The cells or the candidates of a record as they were read, or a text of the user that is
    /// neither.
    pub fn own(self, text: &[u8]) -> Self {
        self.with::<kind::Puzzles>(NewPuzzle::Own(text))
    }

    /// Text, or JSON.
    #[inline]
    pub fn text(self, text: impl AsRef<[u8]>) -> Self {
        self.with::<kind::Text>(NewText::Bytes(text.as_ref()))
    }

    /// Text that is displayed, or none.
    pub fn display(self, value: Option<impl Display>) -> Self {
        self.with::<kind::Text>(NewText::shown(value.as_ref()))
    }

    /// Nothing in the next columns.
    pub fn nothing(mut self, columns: usize) -> Self {
        (0..columns).for_each(|_| self.next().push_nothing());
        self
    }
}
