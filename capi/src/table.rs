//! Typed columns, as Arrow lays them out: a buffer of values, one of bits that say which rows have a value,
//! and for texts where each begins.
//!
//! ```text
//!     record   L     0 0 1 3                       the record of each row, from 0
//!     solution U     offsets 0 81 162 243 324      values "4965… 1234… ……… 5431…"
//!     status   C     1 1 4 0                       places in a list of names
//! ```
//!
//! A thread makes a [`Piece`] of the rows of its slice, and a [`Table`] joins the pieces in order. A text of
//! cells has 81 characters in each row, also where there is nothing, so that row i begins at 81 * i.

use std::ffi::{CStr, CString};
use sudoku_batch::{
    format::Values,
    grid::CELLS,
    questions::{Answer, Column as About, Data, PuzzleValue, Status},
    technique::Rating,
};

/// The values of a column.
pub(crate) enum Store {
    Numbers(Vec<u64>),
    Reals(Vec<f64>),
    Flags(Vec<bool>),
    Names(Vec<u8>, &'static [&'static str]),
    Texts {
        ends: Vec<i64>,
        bytes: Vec<u8>,
    },
    /// The bytes of rows of this number.
    Rows(usize, Vec<u8>),
}

/// A column that grows, and which of its rows have a value.
struct Growing {
    name: String,
    store: Store,
    is_there: Vec<bool>,
}

/// The format of the records' numbers, ratings and so on, in the words of Arrow.
const NUMBERS: &CStr = c"L";
const REALS: &CStr = c"g";
const FLAGS: &CStr = c"b";
const NAMES: &CStr = c"C";
const TEXTS: &CStr = c"U";

/// The number of bytes of the order in which 81 cells are filled: a cell and a digit each.
const PAIRS: usize = 2 * CELLS;

impl Store {
    /// An empty store for a kind of values.
    fn of(values: Values) -> Self {
        match values {
            Values::Numbers | Values::Bounds | Values::Record => Self::Numbers(Vec::new()),
            Values::Ratings | Values::Reals => Self::Reals(Vec::new()),
            Values::Flags => Self::Flags(Vec::new()),
            Values::Names(names) => Self::Names(Vec::new(), names),
            Values::Status => Self::Names(Vec::new(), statuses()),
            Values::Pairs => Self::Rows(PAIRS, Vec::new()),
            Values::Cells | Values::Puzzles | Values::Candidates | Values::Text | Values::Json => {
                Self::Texts {
                    ends: Vec::new(),
                    bytes: Vec::new(),
                }
            }
        }
    }

    /// The format, in the words of Arrow's C interface.
    pub(crate) fn format(&self) -> CString {
        match self {
            Self::Numbers(_) => NUMBERS.into(),
            Self::Reals(_) => REALS.into(),
            Self::Flags(_) => FLAGS.into(),
            Self::Names(..) => NAMES.into(),
            Self::Texts { .. } => TEXTS.into(),
            Self::Rows(width, _) => CString::new(format!("w:{width}")).expect("no zero"),
        }
    }
}

/// The names of the statuses. A code is a place among them.
pub(crate) fn statuses() -> &'static [&'static str] {
    static NAMES: std::sync::OnceLock<Vec<&str>> = std::sync::OnceLock::new();
    NAMES.get_or_init(|| Status::ALL.iter().map(|status| status.name()).collect())
}

/// The columns that a column of an answer becomes: their names, and the kinds of their values. A number of
/// solutions is two: the number, and whether there are more.
pub(crate) fn columns_of(about: &About) -> Vec<(String, Values)> {
    let name = about.name.to_owned();
    match about.values {
        Values::Bounds => {
            let more = format!("{name}_more");
            vec![(name, Values::Bounds), (more, Values::Flags)]
        }
        values => vec![(name, values)],
    }
}

/// The columns of a table: those of a question or a set, behind the numbers of the records.
pub(crate) fn columns<'a>(
    about: impl IntoIterator<Item = &'a About> + Clone,
) -> Vec<(String, Values)> {
    let of_answer = about.clone().into_iter().flat_map(columns_of);
    let has_numbers = (about.into_iter()).any(|column| column.values == Values::Record);
    let numbers = (!has_numbers).then(|| ("record".to_owned(), Values::Record));
    numbers.into_iter().chain(of_answer).collect()
}

/// The format of a kind of values, and its names.
pub(crate) fn format_of(values: Values) -> (CString, &'static [&'static str]) {
    let store = Store::of(values);
    let names = match store {
        Store::Names(_, names) => names,
        _ => &[],
    };
    (store.format(), names)
}

impl Growing {
    fn of((name, values): (String, Values)) -> Self {
        Self {
            name,
            store: Store::of(values),
            is_there: Vec::new(),
        }
    }

    fn number(&mut self, number: Option<u64>) {
        let Store::Numbers(numbers) = &mut self.store else {
            unreachable!("{} has no numbers", self.name)
        };
        numbers.push(number.unwrap_or(0));
        self.is_there.push(number.is_some());
    }

    fn real(&mut self, number: Option<f64>) {
        let Store::Reals(numbers) = &mut self.store else {
            unreachable!("{} has no ratings", self.name)
        };
        numbers.push(number.unwrap_or(0.0));
        self.is_there.push(number.is_some());
    }

    fn flag(&mut self, flag: Option<bool>) {
        let Store::Flags(flags) = &mut self.store else {
            unreachable!("{} has no flags", self.name)
        };
        flags.push(flag.unwrap_or(false));
        self.is_there.push(flag.is_some());
    }

    /// A name, by its place in the list; a place beyond it is none.
    fn name(&mut self, place: u8) {
        let Store::Names(places, names) = &mut self.store else {
            unreachable!("{} has no names", self.name)
        };
        let is_there = usize::from(place) < names.len();
        places.push(if is_there { place } else { 0 });
        self.is_there.push(is_there);
    }

    /// A text, and whether it is a value.
    fn text(&mut self, text: &[u8], is_there: bool) {
        let Store::Texts { ends, bytes } = &mut self.store else {
            unreachable!("{} has no texts", self.name)
        };
        bytes.extend_from_slice(text);
        ends.push(bytes.len() as i64);
        self.is_there.push(is_there);
    }

    /// Bytes of two each, as many as a row has.
    fn row(&mut self, row: Option<[[u8; 2]; CELLS]>) {
        let Store::Rows(width, bytes) = &mut self.store else {
            unreachable!("{} has no rows of bytes", self.name)
        };
        match row {
            Some(row) => bytes.extend_from_slice(row.as_flattened()),
            None => bytes.extend(std::iter::repeat_n(0, *width)),
        }
        self.is_there.push(row.is_some());
    }

    /// Adds the values of a column of the same kind.
    fn append(&mut self, other: Self) {
        match (&mut self.store, other.store) {
            (Store::Numbers(all), Store::Numbers(more)) => all.extend(more),
            (Store::Reals(all), Store::Reals(more)) => all.extend(more),
            (Store::Flags(all), Store::Flags(more)) => all.extend(more),
            (Store::Names(all, _), Store::Names(more, _)) => all.extend(more),
            (
                Store::Texts { ends, bytes },
                Store::Texts {
                    ends: more_ends,
                    bytes: more,
                },
            ) => {
                let start = bytes.len() as i64;
                bytes.extend(more);
                ends.extend(more_ends.into_iter().map(|end| start + end));
            }
            (Store::Rows(_, all), Store::Rows(_, more)) => all.extend(more),
            _ => unreachable!("{} has values of one kind", self.name),
        }
        self.is_there.extend(other.is_there);
    }
}

/// The rows of a slice.
pub(crate) struct Piece(Vec<Growing>);

impl Piece {
    fn empty(about: &[About]) -> Self {
        Self(columns(about).into_iter().map(Growing::of).collect())
    }

    /// The rows of an answer. Its records have the numbers from `first` on.
    pub(crate) fn new(first: u64, about: &[About], answer: &Answer<'_>) -> Self {
        let mut piece = Self::empty(about);
        let mut columns = piece.0.iter_mut();
        let rows = || {
            let entries = answer.entries();
            entries.flat_map(|entry| entry.values().map(move |place| (entry.record(), place)))
        };
        let numbers = |column: &mut Growing| {
            rows().for_each(|(record, _)| column.number(Some(first + record as u64)));
        };
        if !about.iter().any(|column| column.values == Values::Record) {
            numbers(columns.next().expect("the numbers of the records"));
        }
        for (number, about) in about.iter().enumerate() {
            let column = columns.next().expect("a column for each of the answer");
            let rows = rows();
            match answer.column(number) {
                Data::OfRecord if about.values == Values::Record => numbers(column),
                Data::OfRecord => {
                    rows.for_each(|(record, _)| column.name(answer.statuses[record] as u8));
                }
                Data::Cells(lines) => rows.for_each(|(_, place)| {
                    let cells = &lines.as_slice()[place][..CELLS];
                    column.text(cells, cells[0].is_ascii_digit());
                }),
                Data::Puzzles(puzzles) => rows.for_each(|(_, place)| match puzzles.get(place) {
                    PuzzleValue::Nothing => column.text(&[b'.'; CELLS], false),
                    PuzzleValue::Cells(cells) => column.text(cells, true),
                    PuzzleValue::Candidates(candidates, blank) => {
                        column.text(&candidates.to_ascii(blank), true);
                    }
                    PuzzleValue::Text(text) => column.text(text, true),
                }),
                Data::Numbers(numbers) => {
                    rows.for_each(|(_, place)| column.number(numbers[place]));
                }
                Data::Bounds(bounds) => {
                    let more = columns.next().expect("whether there are more");
                    rows.for_each(|(_, place)| {
                        let bound = bounds[place];
                        column.number(bound.map(|bound| bound.number));
                        more.flag(bound.map(|bound| bound.more));
                    });
                }
                Data::Ratings(ratings) => {
                    let number = |rating: Rating| f64::from(rating.tenths()) / 10.0;
                    rows.for_each(|(_, place)| column.real(ratings[place].map(number)));
                }
                Data::Reals(reals) => rows.for_each(|(_, place)| column.real(reals[place])),
                Data::Names(places) => rows.for_each(|(_, place)| column.name(places[place])),
                Data::Flags(flags) => rows.for_each(|(_, place)| column.flag(flags[place])),
                Data::Texts(texts) => rows.for_each(|(_, place)| {
                    let text = texts.get(place);
                    column.text(text, !text.is_empty());
                }),
                Data::Pairs(pairs) => rows.for_each(|(_, place)| {
                    let pairs = pairs[place].as_ref();
                    column.row(pairs.map(|pairs| pairs.map(|pair| pair.map(|byte| byte as u8))));
                }),
                other => unreachable!("{other:?} has no column"),
            }
        }
        piece
    }
}

/// A column of a table.
pub(crate) struct Column {
    pub(crate) name: CString,
    pub(crate) format: CString,
    pub(crate) nulls: u64,
    /// A bit for each row, the lowest first; none if all rows have a value.
    pub(crate) valid: Option<Vec<u8>>,
    /// Where each text begins, and where the last ends; none for other values.
    pub(crate) offsets: Vec<i64>,
    pub(crate) values: Buffer,
    pub(crate) names: &'static [&'static str],
}

/// The values of a column, one after the other.
pub(crate) enum Buffer {
    Numbers(Vec<u64>),
    Reals(Vec<f64>),
    Bytes(Vec<u8>),
}

impl From<Growing> for Column {
    fn from(column: Growing) -> Self {
        let Growing {
            name,
            store,
            is_there,
        } = column;
        let nulls = is_there.iter().filter(|is_there| !**is_there).count() as u64;
        let format = store.format();
        let (mut offsets, mut names) = (Vec::new(), &[][..]);
        let values = match store {
            Store::Numbers(numbers) => Buffer::Numbers(numbers),
            Store::Reals(numbers) => Buffer::Reals(numbers),
            Store::Flags(flags) => Buffer::Bytes(bits(&flags)),
            Store::Names(places, of_column) => {
                names = of_column;
                Buffer::Bytes(places)
            }
            Store::Texts { mut ends, bytes } => {
                ends.insert(0, 0);
                offsets = ends;
                Buffer::Bytes(bytes)
            }
            Store::Rows(_, bytes) => Buffer::Bytes(bytes),
        };
        Self {
            name: CString::new(name).expect("names have no zero"),
            format,
            nulls,
            valid: (nulls > 0).then(|| bits(&is_there)),
            offsets,
            values,
            names,
        }
    }
}

/// A bit for each flag, the lowest first.
fn bits(flags: &[bool]) -> Vec<u8> {
    let byte = |flags: &[bool]| {
        let bits = flags.iter().enumerate();
        bits.fold(0, |byte, (at, flag)| byte | u8::from(*flag) << at)
    };
    flags.chunks(8).map(byte).collect()
}

/// The columns of an answer.
pub(crate) struct Table {
    pub(crate) rows: u64,
    pub(crate) columns: Vec<Column>,
}

impl Table {
    /// The table of pieces that have these columns.
    pub(crate) fn new(about: &[About], pieces: impl Iterator<Item = Piece>) -> Self {
        let mut all = Piece::empty(about).0;
        for Piece(columns) in pieces {
            for (all, column) in all.iter_mut().zip(columns) {
                all.append(column);
            }
        }
        Self {
            rows: all[0].is_there.len() as u64,
            columns: all.into_iter().map(Column::from).collect(),
        }
    }
}
