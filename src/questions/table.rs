//! Tables of typed columns, for interfaces that give arrays: the values of each column, one after the other, and which
//! rows have one.
//!
//! ```text
//!     record   0 0 1 3                             the record of each row, from 0
//!     solution offsets 0 81 162 243 324            values "4965… 1234… ……… 5431…"
//!     status   1 1 4 0                             places in a list of names
//! ```
//!
//! A thread makes a table of the rows of its slice, and these are joined in order. If the rows wait for those of the slices
//! before, the table keeps the answer until it is [settled](Table::settle). A text of cells has 81 characters
//! in each row, also where there is nothing, so that row i begins at 81 * i.

use super::{Answer, Column, ColumnVisitor, PuzzleValue, Question, SolutionCount, Status};
use crate::{
    format::Values,
    grid::{BLANK, CANDIDATES, CELLS},
    name::names_of,
    trace::Pairs,
};

/// The names of the statuses. A code is a place among them.
pub static STATUS_NAMES: &[&str] = names_of!(Status);

/// The number of bytes of the order in which 81 cells are filled: a cell and a digit each.
pub const PAIRS: usize = 2 * CELLS;

/// The rows of answers, column by column.
#[derive(Debug)]
pub struct Table {
    columns: Vec<TableColumn>,
    /// The answers whose rows wait for those of the slices before, each with the number of its first record.
    unsettled: Vec<(u64, Answer<'static>)>,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct TableColumn {
    /// Its name.
    pub name: String,
    /// A value for each row; any where there is none.
    pub values: Buffer,
    /// Whether each row has a value.
    pub is_there: Vec<bool>,
    from: Source,
}

/// The source of the values of a column.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The numbers of the records, from 0.
    Records,
    /// A column of an answer, by its number.
    Column(usize),
    /// Nowhere: nothing has a value.
    Nothing,
}

/// The values of a column, one after the other.
#[derive(Clone, Debug)]
pub enum Buffer {
    /// Whole numbers.
    Numbers(Vec<u64>),
    /// Numbers with a fraction.
    Reals(Vec<f64>),
    /// Yes and no.
    Flags(Vec<bool>),
    /// Places in a list of names.
    Names(Vec<u8>, &'static [&'static str]),
    /// Texts: where each begins, then where the last ends, and the bytes.
    Texts(Vec<i64>, Vec<u8>),
    /// [`PAIRS`] bytes for each row, of signed numbers: -1 behind the end.
    Pairs(Vec<u8>),
    /// Nine numbers for each of 81 cells of a row: -1 where nothing is known.
    CandidateCounts(Vec<[i16; CANDIDATES]>),
}

impl Buffer {
    fn of(values: Values) -> Self {
        match values {
            Values::Numbers | Values::Bounds | Values::Record => Self::Numbers(Vec::new()),
            Values::Ratings | Values::Reals => Self::Reals(Vec::new()),
            Values::Flags => Self::Flags(Vec::new()),
            Values::Names(names) => Self::Names(Vec::new(), names),
            Values::Status => Self::Names(Vec::new(), STATUS_NAMES),
            Values::Pairs => Self::Pairs(Vec::new()),
            Values::CandidateCounts => Self::CandidateCounts(Vec::new()),
            Values::Cells | Values::Puzzles | Values::Candidates | Values::Text | Values::Json => {
                Self::Texts(vec![0], Vec::new())
            }
        }
    }
}

impl Table {
    /// A table without rows. Its columns are some of those that an answer can have, and the answers that come have
    /// those that are `filled`: the others have no values. A number of solutions is two columns, `NAME` and
    /// `NAME_more`, which says whether there are more.
    pub fn new<'c>(columns: impl IntoIterator<Item = &'c Column>, filled: &[Column]) -> Self {
        let mut table = Self {
            columns: Vec::new(),
            unsettled: Vec::new(),
        };
        for about in columns {
            let place = filled.iter().position(|column| column.name == about.name);
            let from = match (about.values, place) {
                (Values::Record, _) => Source::Records,
                (_, Some(number)) => Source::Column(number),
                (_, None) => Source::Nothing,
            };
            table.add(about.name.to_owned(), about.values, from);
            if about.values == Values::Bounds {
                table.add(format!("{}_more", about.name), Values::Flags, from);
            }
        }
        table
    }

    /// The same, with the number of the record of each row as the first column, unless a column has it.
    #[must_use]
    pub fn with_records(mut self) -> Self {
        let has_records = |column: &TableColumn| matches!(column.from, Source::Records);
        if !self.columns.iter().any(has_records) {
            self.add("record".to_owned(), Values::Record, Source::Records);
            self.columns.rotate_right(1);
        }
        self
    }

    fn add(&mut self, name: String, values: Values, from: Source) {
        self.columns.push(TableColumn {
            name,
            values: Buffer::of(values),
            is_there: Vec::new(),
            from,
        });
    }

    /// Adds the rows of an answer, whose records have the numbers from `first` on.
    pub fn push(&mut self, first: u64, answer: &Answer<'_>) {
        for column in &mut self.columns {
            column.push(first, answer);
        }
    }

    /// Adds the rows of an answer that a thread has filled. One that is not settled has none yet: the table
    /// [takes](Answer::take_unsettled) what they wait for.
    pub fn push_filled(&mut self, first: u64, answer: &mut Answer<'_>) {
        match answer.take_unsettled() {
            Some(unsettled) => self.unsettled.push((first, unsettled)),
            None => self.push(first, answer),
        }
    }

    /// Adds the rows that wait: one question settles the tables of all slices, in their order.
    pub fn settle(&mut self, question: &mut Question) {
        for (first, mut answer) in std::mem::take(&mut self.unsettled) {
            question.settle(&mut answer);
            self.push(first, &answer);
        }
    }

    /// Adds the rows of a table with the same columns.
    pub fn append(&mut self, other: Self) {
        let more = other.into_columns();
        for (column, more) in self.columns.iter_mut().zip(more) {
            column.append(more);
        }
    }

    /// The number of rows that are known.
    pub fn rows(&self) -> usize {
        let first = self.columns.first();
        first.map_or(0, |column| column.is_there.len())
    }

    /// The columns.
    ///
    /// # Panics
    ///
    /// The table is to be [settled](Self::settle).
    pub fn into_columns(self) -> Vec<TableColumn> {
        assert!(
            self.unsettled.is_empty(),
            "the rows of a table that is not settled are not known"
        );
        self.columns
    }
}

impl TableColumn {
    /// The column whose rows are those of its parts, one part after the other.
    ///
    /// # Panics
    ///
    /// There is no part, or parts are of different columns.
    pub fn joined(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut parts = parts.into_iter();
        let mut all = parts.next().expect("a part");
        parts.for_each(|more| all.append(more));
        all
    }

    /// The text of each row, if the column has texts.
    pub fn texts(&self) -> impl Iterator<Item = Option<&[u8]>> {
        let (offsets, bytes) = match &self.values {
            Buffer::Texts(offsets, bytes) => (&offsets[..], &bytes[..]),
            _ => (&[][..], &[][..]),
        };
        let rows = offsets.windows(2).zip(&self.is_there);
        rows.map(move |(row, is_there)| is_there.then(|| &bytes[row[0] as usize..row[1] as usize]))
    }

    /// Adds the values of the rows of an answer.
    fn push(&mut self, first: u64, answer: &Answer<'_>) {
        let entries = answer.entries();
        let rows = entries.flat_map(|(record, places)| places.map(move |at| (record, at)));
        let number = |record| first + record as u64;
        match self.from {
            Source::Column(column) => answer.visit(column, rows, number, self),
            Source::Records => self.numbers(rows.map(|(record, _)| Some(number(record)))),
            Source::Nothing => self.push_nothing(rows.count()),
        }
    }

    /// Adds rows without values.
    fn push_nothing(&mut self, rows: usize) {
        let all = self.is_there.len() + rows;
        self.is_there.resize(all, false);
        match &mut self.values {
            Buffer::Numbers(numbers) => numbers.resize(all, 0),
            Buffer::Reals(reals) => reals.resize(all, 0.0),
            Buffer::Flags(flags) => flags.resize(all, false),
            Buffer::Names(places, _) => places.resize(all, 0),
            Buffer::Texts(offsets, bytes) => offsets.resize(all + 1, bytes.len() as i64),
            Buffer::Pairs(bytes) => bytes.resize(all * PAIRS, 0),
            Buffer::CandidateCounts(numbers) => numbers.resize(all, [-1; CANDIDATES]),
        }
    }

    fn append(&mut self, other: Self) {
        if self.is_there.is_empty() {
            // The first rows are not copied.
            *self = other;
            return;
        }
        match (&mut self.values, other.values) {
            (Buffer::Numbers(all), Buffer::Numbers(more)) => all.extend(more),
            (Buffer::Reals(all), Buffer::Reals(more)) => all.extend(more),
            (Buffer::Flags(all), Buffer::Flags(more)) => all.extend(more),
            (Buffer::Names(all, _), Buffer::Names(more, _)) => all.extend(more),
            (Buffer::Texts(offsets, bytes), Buffer::Texts(more_offsets, more)) => {
                let start = bytes.len() as i64;
                bytes.extend(more);
                offsets.extend(more_offsets[1..].iter().map(|end| start + end));
            }
            (Buffer::Pairs(all), Buffer::Pairs(more)) => all.extend(more),
            (Buffer::CandidateCounts(all), Buffer::CandidateCounts(more)) => all.extend(more),
            _ => unreachable!("{} has values of one kind", self.name),
        }
        self.is_there.extend(other.is_there);
    }
}

/// Adds values, and which of them are there.
fn extend<T: Default>(
    values: &mut Vec<T>,
    is_there: &mut Vec<bool>,
    rows: impl Iterator<Item = Option<T>>,
) {
    for row in rows {
        is_there.push(row.is_some());
        values.push(row.unwrap_or_default());
    }
}

/// The memory for values of a kind.
macro_rules! buffer_of {
    ($column:ident, $kind:ident($($memory:ident),+)) => {
        let Buffer::$kind($($memory),+) = &mut $column.values else {
            unreachable!("{} has values of another kind", $column.name)
        };
    };
}

impl ColumnVisitor for TableColumn {
    fn numbers(&mut self, rows: impl Iterator<Item = Option<u64>>) {
        buffer_of!(self, Numbers(to));
        extend(to, &mut self.is_there, rows);
    }

    fn bounds(&mut self, rows: impl Iterator<Item = Option<SolutionCount>>) {
        match &mut self.values {
            Buffer::Flags(_) => self.flags(rows.map(|bound| Some(bound?.more))),
            _ => self.numbers(rows.map(|bound| Some(bound?.number))),
        }
    }

    fn reals(&mut self, rows: impl Iterator<Item = Option<f64>>) {
        buffer_of!(self, Reals(to));
        extend(to, &mut self.is_there, rows);
    }

    fn flags(&mut self, rows: impl Iterator<Item = Option<bool>>) {
        buffer_of!(self, Flags(to));
        extend(to, &mut self.is_there, rows);
    }

    fn names(&mut self, rows: impl Iterator<Item = Option<u8>>, _: &'static [&'static str]) {
        buffer_of!(self, Names(to, _names));
        extend(to, &mut self.is_there, rows);
    }

    fn cells<'v>(&mut self, rows: impl Iterator<Item = &'v [u8; CELLS]>) {
        for cells in rows {
            self.push_text(cells, cells[0].is_ascii_digit());
        }
    }

    fn puzzles<'v>(&mut self, rows: impl Iterator<Item = PuzzleValue<'v>>) {
        for puzzle in rows {
            match puzzle {
                PuzzleValue::Nothing => self.push_text(&[BLANK; CELLS], false),
                PuzzleValue::Cells(cells) => self.push_text(cells, true),
                PuzzleValue::Candidates(candidates, blank) => {
                    self.push_text(&candidates.to_ascii(blank), true);
                }
                PuzzleValue::Text(text) => self.push_text(text, true),
            }
        }
    }

    fn texts<'v>(&mut self, rows: impl Iterator<Item = &'v [u8]>) {
        rows.for_each(|text| self.push_text(text, !text.is_empty()));
    }

    fn pairs<'v>(&mut self, rows: impl Iterator<Item = Option<&'v Pairs>>) {
        buffer_of!(self, Pairs(to));
        for pairs in rows {
            self.is_there.push(pairs.is_some());
            let pairs = pairs.unwrap_or(&[[-1; 2]; CELLS]).as_flattened();
            to.extend(pairs.iter().map(|&byte| byte as u8));
        }
    }

    fn candidate_counts<'v>(&mut self, rows: impl Iterator<Item = &'v [i16; CANDIDATES]>) {
        buffer_of!(self, CandidateCounts(to));
        for numbers in rows {
            self.is_there.push(numbers[0] >= 0);
            to.push(*numbers);
        }
    }
}

impl TableColumn {
    #[inline]
    fn push_text(&mut self, text: &[u8], is_there: bool) {
        buffer_of!(self, Texts(offsets, bytes));
        bytes.extend_from_slice(text);
        offsets.push(bytes.len() as i64);
        self.is_there.push(is_there);
    }
}
