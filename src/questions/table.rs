//! Tables of typed columns, for interfaces that give arrays: the values of each column, one after the other, and which
//! rows have one.
//!
//! ```text
//!     record   0 0 1 3                             the record of each row, from 0
//!     solution offsets 0 81 162 243 324            values "4965… 1234… ……… 5431…"
//!     status   1 1 4 0                             places in a list of names
//! ```
//!
//! A thread makes a table of the rows of its slice, and these are joined in order. A text of cells has 81 characters
//! in each row, also where there is nothing, so that row i begins at 81 * i.

use super::{Answer, Column, Data, PuzzleValue, Status};
use crate::{
    format::Values,
    grid::{BLANK, CANDIDATES, CELLS},
    name::names_of,
};

/// The names of the statuses. A code is a place among them.
pub static STATUS_NAMES: &[&str] = names_of!(Status);

/// The number of bytes of the order in which 81 cells are filled: a cell and a digit each.
pub const PAIRS: usize = 2 * CELLS;

/// The rows of answers, column by column.
#[derive(Clone, Debug)]
pub struct Table {
    /// The columns.
    pub columns: Vec<TableColumn>,
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

    /// Adds the rows of a table with the same columns.
    pub fn append(&mut self, other: Self) {
        for (column, more) in self.columns.iter_mut().zip(other.columns) {
            column.append(more);
        }
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
        let places = rows.clone().map(|(_, place)| place);
        let is_there = &mut self.is_there;
        let number = match self.from {
            Source::Column(number) => number,
            Source::Records | Source::Nothing => {
                let is_known = matches!(self.from, Source::Records);
                let record = |(record, _)| is_known.then_some(first + record as u64);
                return match &mut self.values {
                    Buffer::Numbers(to) => extend(to, is_there, rows.map(record)),
                    _ => self.push_nothing(rows.count()),
                };
            }
        };
        match (&mut self.values, answer.column(number)) {
            (Buffer::Numbers(to), Data::Numbers(numbers)) => {
                extend(to, is_there, places.map(|at| numbers[at]));
            }
            (Buffer::Numbers(to), Data::Bounds(bounds)) => {
                let number = |at: usize| bounds[at].map(|bound| bound.number);
                extend(to, is_there, places.map(number));
            }
            (Buffer::Flags(to), Data::Bounds(bounds)) => {
                let more = |at: usize| bounds[at].map(|bound| bound.more);
                extend(to, is_there, places.map(more));
            }
            (Buffer::Reals(to), Data::Ratings(ratings)) => {
                extend(to, is_there, places.map(|at| ratings[at].map(f64::from)));
            }
            (Buffer::Reals(to), Data::Reals(reals)) => {
                extend(to, is_there, places.map(|at| reals[at]));
            }
            (Buffer::Flags(to), Data::Flags(flags)) => {
                extend(to, is_there, places.map(|at| flags[at]));
            }
            (Buffer::Names(to, names), Data::Names(from)) => {
                // A place beyond the list is no name.
                let name = |at: usize| Some(from[at]).filter(|at| usize::from(*at) < names.len());
                extend(to, is_there, places.map(name));
            }
            (Buffer::Names(to, _), Data::OfRecord) => {
                let status = |(record, _): (usize, usize)| Some(answer.statuses[record] as u8);
                extend(to, is_there, rows.map(status));
            }
            (Buffer::Texts(offsets, bytes), data) => {
                for place in places {
                    is_there.push(push_text(data, place, bytes));
                    offsets.push(bytes.len() as i64);
                }
            }
            (Buffer::Pairs(to), Data::Pairs(pairs)) => {
                for place in places {
                    let pairs = pairs[place].as_deref();
                    is_there.push(pairs.is_some());
                    let pairs = pairs.unwrap_or(&[[-1; 2]; CELLS]).as_flattened();
                    to.extend(pairs.iter().map(|&byte| byte as u8));
                }
            }
            (Buffer::CandidateCounts(to), Data::CandidateCounts { numbers, .. }) => {
                for place in places {
                    is_there.push(numbers[place][0] >= 0);
                    to.push(numbers[place]);
                }
            }
            (_, other) => unreachable!("{} has other values than {other:?}", self.name),
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

/// Appends the text of a row. Returns false if it is no value: points in the place of cells, or an empty text.
fn push_text(data: &Data<'_>, place: usize, bytes: &mut Vec<u8>) -> bool {
    if let Some(lines) = data.lines() {
        let cells = &lines[place][..CELLS];
        bytes.extend_from_slice(cells);
        return cells[0].is_ascii_digit();
    }
    match data {
        Data::Puzzles(puzzles) => {
            match puzzles.get(place) {
                PuzzleValue::Nothing => bytes.extend_from_slice(&[BLANK; CELLS]),
                PuzzleValue::Cells(cells) => bytes.extend_from_slice(cells),
                PuzzleValue::Candidates(candidates, blank) => {
                    bytes.extend_from_slice(&candidates.to_ascii(blank));
                }
                PuzzleValue::Text(text) => bytes.extend_from_slice(text),
            }
            !matches!(puzzles.get(place), PuzzleValue::Nothing)
        }
        Data::Texts(texts) => {
            let text = texts.get(place);
            bytes.extend_from_slice(text);
            !text.is_empty()
        }
        other => unreachable!("{other:?} are no texts"),
    }
}
