//! Tables as C reads them: the buffers of the library's columns, with a bit for each flag as Arrow has it.

use std::ffi::CString;
use sudoku_batch::questions::{self, PAIRS, TableColumn};

/// A column of a table.
pub(crate) struct Column {
    pub(crate) name: CString,
    /// The type of the values, in the words of Arrow's C interface.
    pub(crate) format: CString,
    pub(crate) nulls: u64,
    /// A bit for each row, the lowest first; none if all rows have a value.
    pub(crate) valid: Option<Vec<u8>>,
    /// The place where each text begins, and where the last ends; none for other values.
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

impl From<TableColumn> for Column {
    fn from(column: TableColumn) -> Self {
        let is_there = column.is_there;
        let nulls = is_there.iter().filter(|is_there| !**is_there).count() as u64;
        let (mut offsets, mut names) = (Vec::new(), &[][..]);
        let (format, values) = match column.values {
            questions::Buffer::Numbers(numbers) => ("L", Buffer::Numbers(numbers)),
            questions::Buffer::Reals(numbers) => ("g", Buffer::Reals(numbers)),
            questions::Buffer::Flags(flags) => ("b", Buffer::Bytes(bits(&flags))),
            questions::Buffer::Names(places, of_column) => {
                names = of_column;
                ("C", Buffer::Bytes(places))
            }
            questions::Buffer::Texts(of_texts, bytes) => {
                offsets = of_texts;
                ("U", Buffer::Bytes(bytes))
            }
            questions::Buffer::Pairs(bytes) => {
                const { assert!(PAIRS == 162) }
                ("w:162", Buffer::Bytes(bytes))
            }
            // The numbers are those of the machine, as all others.
            questions::Buffer::CandidateCounts(rows) => {
                let numbers = rows.iter().flatten();
                let bytes = numbers.flat_map(|number| number.to_ne_bytes());
                ("w:1458", Buffer::Bytes(bytes.collect()))
            }
        };
        Self {
            name: CString::new(column.name).expect("names have no zero"),
            format: CString::new(format).expect("formats have no zero"),
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
    /// The table of the rows of slices, behind those of one that is empty.
    pub(crate) fn new(
        mut all: questions::Table,
        of_slices: impl IntoIterator<Item = questions::Table>,
    ) -> Self {
        of_slices.into_iter().for_each(|more| all.append(more));
        let columns = all.into_columns();
        Self {
            rows: columns[0].is_there.len() as u64,
            columns: columns.into_iter().map(Column::from).collect(),
        }
    }
}
