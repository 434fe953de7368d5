//! Rows of records, as text or as digits, and how they become records of the library.

use crate::{
    answer::wrong,
    capsules::SharedNumbers,
    columns::list,
    work::{self, SLICE, run},
};
use arrow_array::{
    Array, ArrayAccessor, ArrayRef, BinaryArray, LargeBinaryArray, cast::AsArray, new_empty_array,
};
use arrow_buffer::Buffer;
use arrow_schema::DataType;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyList, PyString, PyType},
};
use std::{borrow::Cow, ops::Range, sync::Mutex};
use sudoku_batch::{
    Candidates, ParseError,
    format::{DetectError, Layout, Records},
    grid::{BLANK, CANDIDATES, CELLS, are_plain},
};

/// The place of records in a column.
pub(crate) trait Rows: Send + Sync {
    /// How many rows there are.
    fn len(&self) -> usize;

    /// Adds a record for each of some rows to `records`. A row that is null becomes a
    /// malformed record, and the number of that record goes to `nulls`.
    fn read(&self, rows: Range<usize>, records: &mut Records, nulls: &mut Vec<usize>);

    /// Adds the text of each of some rows. Rows of numbers have none.
    fn texts<'r>(&'r self, rows: Range<usize>, texts: &mut Vec<Option<Cow<'r, [u8]>>>) {
        texts.extend(rows.map(|_| None));
    }

    /// TypeError: a row that was read, or any of them all, has no type of records.
    fn check(&self, _all: bool) -> PyResult<()> {
        Ok(())
    }

    /// The cells of some rows without a way through records, if each row is 81 digits and dots
    /// and nothing else. They stand where they are, or in `room`. Most batches are like that, and
    /// this saves them a fifth of the time.
    fn plain<'r>(
        &'r self,
        _rows: Range<usize>,
        _room: &'r mut Vec<[u8; CELLS]>,
    ) -> Option<&'r [[u8; CELLS]]> {
        None
    }
}

/// An Arrow array of bytes: each type of text is one of these without a copy.
struct Arrow<A> {
    array: A,
    /// The memory that the bytes stand in, among others.
    buffers: Vec<Buffer>,
}

impl<A: Array> Arrow<A>
where
    for<'a> &'a A: ArrayAccessor<Item = &'a [u8]>,
{
    fn of(array: A) -> Box<Self> {
        let buffers = array.to_data().buffers().to_vec();
        Box::new(Self { array, buffers })
    }

    /// The bytes of some rows, if each has 81 and they lie one after the other.
    fn side_by_side(&self, rows: Range<usize>) -> Option<&[u8]> {
        let start = (&self.array).value(rows.start).as_ptr().addr();
        let others = rows.clone().enumerate().map(|(place, row)| {
            let text = (&self.array).value(row);
            let is_next = text.len() == CELLS && text.as_ptr().addr() == start + place * CELLS;
            usize::from(!is_next)
        });
        if others.sum::<usize>() > 0 {
            return None;
        }
        self.buffers.iter().find_map(|buffer| {
            let place = start.checked_sub(buffer.as_ptr().addr())?;
            buffer.get(place..place + rows.len() * CELLS)
        })
    }

    /// The text of each of some rows.
    fn each(&self, rows: Range<usize>) -> impl Iterator<Item = Option<&[u8]>> {
        let array = &self.array;
        rows.map(move |row| array.is_valid(row).then(|| array.value(row)))
    }
}

impl<A: Array> Rows for Arrow<A>
where
    for<'a> &'a A: ArrayAccessor<Item = &'a [u8]>,
{
    fn len(&self) -> usize {
        self.array.len()
    }

    fn read(&self, rows: Range<usize>, records: &mut Records, nulls: &mut Vec<usize>) {
        self.each(rows)
            .for_each(|text| push_text(records, nulls, text));
    }

    fn texts<'r>(&'r self, rows: Range<usize>, texts: &mut Vec<Option<Cow<'r, [u8]>>>) {
        texts.extend(self.each(rows).map(|text| text.map(Cow::Borrowed)));
    }

    fn plain<'r>(
        &'r self,
        rows: Range<usize>,
        _: &'r mut Vec<[u8; CELLS]>,
    ) -> Option<&'r [[u8; CELLS]]> {
        let nulls = self.array.nulls();
        if nulls.is_some_and(|nulls| nulls.slice(rows.start, rows.len()).null_count() > 0) {
            return None;
        }
        let text = self.side_by_side(rows)?;
        are_plain(text).then_some(text.as_chunks().0)
    }
}

/// The rows of an Arrow array.
fn rows_of(array: &ArrayRef) -> PyResult<Box<dyn Rows>> {
    Ok(match array.data_type() {
        DataType::Utf8 => Arrow::of(BinaryArray::from(array.as_string().clone())),
        DataType::Binary => Arrow::of(array.as_binary::<i32>().clone()),
        DataType::LargeUtf8 => Arrow::of(LargeBinaryArray::from(array.as_string().clone())),
        DataType::LargeBinary => Arrow::of(array.as_binary::<i64>().clone()),
        DataType::Utf8View => Arrow::of(array.as_string_view().clone().to_binary_view()),
        DataType::BinaryView => Arrow::of(array.as_binary_view().clone()),
        DataType::FixedSizeBinary(_) => Arrow::of(array.as_fixed_size_binary().clone()),
        // The type `null` has no values.
        DataType::Null => no_texts(array.len()),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let (keys, values) = (dictionary.keys(), rows_of(dictionary.values())?);
            let mut texts = Vec::new();
            values.texts(0..values.len(), &mut texts);
            let places = match texts.len() {
                0 => vec![0; keys.len()],
                _ => dictionary.normalized_keys(),
            };
            let text = |(row, place): (usize, &usize)| {
                let text = texts.get(*place)?.as_deref();
                text.filter(|_| keys.is_valid(row))
            };
            let texts = places.iter().enumerate().map(text);
            Arrow::of(texts.collect::<LargeBinaryArray>())
        }
        other => {
            return Err(PyTypeError::new_err(format!(
                "the Arrow type is {other}, and records are text: string, large_string, \
                 string_view, binary, large_binary, binary_view and fixed_size_binary. Numbers \
                 are an array of numpy"
            )));
        }
    })
}

/// Adds the record of a text, as the command reads it: 81 cells and perhaps a trailer. The record of no text is
/// malformed.
fn push_text(records: &mut Records, nulls: &mut Vec<usize>, text: Option<&[u8]>) {
    let row = records.len();
    let line = row as u64 + 1;
    let Some(text) = text else {
        nulls.push(row);
        return records.push_error(line, ParseError::NOTHING, b"");
    };
    if let Ok(cells) = text.try_into()
        && records.push_cells(line, cells).is_ok()
    {
        return;
    }
    let text = String::from_utf8_lossy(text);
    match text.parse() {
        Ok(puzzle) => records.push_puzzle(line, &puzzle, text.as_bytes()),
        Err(error) => records.push_error(line, error, b""),
    }
}

/// Whether an item stands for a value that is missing: None, what is not equal to itself, as NaN and NaT, and what has
/// no equality at all, the NA of pandas and the masked value of numpy.
fn is_missing(item: &Bound<'_, PyAny>) -> bool {
    let differs = || item.ne(item).is_ok_and(|differs| differs);
    let of_type = item.get_type();
    let is_of = |name: &str| of_type.name().is_ok_and(|known| known == name);
    item.is_none() || is_of("NAType") || is_of("MaskedConstant") || differs()
}

/// A list of str. A [missing](is_missing) value is no text.
///
/// A thread takes the texts of its slice out of the list, so there is no copy of all, and each str is fetched from
/// memory once. (A tuple that holds all, and their places, took a third more time.)
pub(crate) struct Texts {
    list: Py<PyList>,
    length: usize,
    /// The first row that is neither, of those that were looked at, and its type.
    wrong: Mutex<Option<(usize, Py<PyType>)>>,
}

impl Texts {
    /// The texts of a list.
    pub(crate) fn of(list: &Bound<'_, PyList>) -> Self {
        Self {
            list: list.clone().unbind(),
            length: list.len(),
            wrong: Mutex::new(None),
        }
    }

    /// Calls `each` with the text of each of some rows, for as long as it says so. An item that is something else is
    /// noted, and is no text. Neither is what another thread takes out of the list meanwhile.
    fn each(&self, rows: Range<usize>, mut each: impl FnMut(Option<&[u8]>) -> bool) -> bool {
        Python::attach(|py| {
            let list = self.list.bind(py);
            rows.into_iter().all(|row| {
                let Ok(item) = list.get_item(row) else {
                    return each(None);
                };
                let Ok(text) = item.cast::<PyString>() else {
                    if !is_missing(&item) {
                        let mut wrong = self.wrong.lock().expect("nothing panics with it");
                        if wrong.as_ref().is_none_or(|&(first, _)| row < first) {
                            *wrong = Some((row, item.get_type().unbind()));
                        }
                    }
                    return each(None);
                };
                match text.to_str() {
                    Ok(text) => each(Some(text.as_bytes())),
                    // A lone surrogate has no UTF-8 and is no cell either.
                    Err(_) => each(Some(text.to_string_lossy().as_bytes())),
                }
            })
        })
    }
}

impl Rows for Texts {
    fn len(&self) -> usize {
        self.length
    }

    fn check(&self, all: bool) -> PyResult<()> {
        if all {
            let mut pauses = work::Pauses::new();
            for start in (0..self.length).step_by(SLICE) {
                self.each(start..self.length.min(start + SLICE), |_| true);
                Python::attach(|py| pauses.pause(py))?;
            }
        }
        let Some((row, of_type)) = self.wrong.lock().expect("nothing panics with it").take() else {
            return Ok(());
        };
        let name = Python::attach(|py| of_type.bind(py).name().map(|name| name.to_string()))?;
        Err(PyTypeError::new_err(format!(
            "item {row} is of type {name}: each is to be a str, or None"
        )))
    }

    fn read(&self, rows: Range<usize>, records: &mut Records, nulls: &mut Vec<usize>) {
        self.each(rows, |text| {
            push_text(records, nulls, text);
            true
        });
    }

    fn texts<'r>(&'r self, rows: Range<usize>, texts: &mut Vec<Option<Cow<'r, [u8]>>>) {
        self.each(rows, |text| {
            texts.push(text.map(|text| Cow::Owned(text.to_vec())));
            true
        });
    }

    fn plain<'r>(
        &'r self,
        rows: Range<usize>,
        room: &'r mut Vec<[u8; CELLS]>,
    ) -> Option<&'r [[u8; CELLS]]> {
        room.clear();
        let are_cells = self.each(rows, |text| {
            let cells = text.and_then(|text| text.as_array());
            cells.inspect(|&&cells| room.push(cells)).is_some()
        });
        (are_cells && are_plain(room.as_flattened())).then_some(room)
    }
}

/// The puzzles of a text in any format, each as 81 or 729 characters. ValueError: a record is malformed; the error has its
/// line and column.
#[pyfunction]
pub(crate) fn parse<'py>(
    py: Python<'py>,
    text: &str,
    form: Option<&str>,
    column: Option<&str>,
    threads: Option<usize>,
) -> PyResult<Bound<'py, PyList>> {
    /// The bytes of a piece, which take some milliseconds.
    const PIECE: usize = 1 << 19;
    let text = text.as_bytes();
    let form = form.map(str::parse).transpose().map_err(wrong)?;
    let threads = work::threads(threads);
    // A job that looks at all of the text is not quick.
    let cut = |()| Layout::pieces(text, form, column, PIECE);
    let cut = run(py, vec![()], 1, false, cut)?.pop().expect("a job");
    let read = match cut {
        Ok((layout, pieces)) => run(py, pieces, threads, true, |(lines, piece)| {
            let mut records = Records::default();
            records.add_lines(lines);
            layout.read(piece, &mut records);
            records
        })?,
        Err(DetectError::Unknown { .. }) => {
            run(py, vec![()], 1, false, |()| Layout::read_prose(text))?
        }
        Err(error) => return Err(wrong(error)),
    };
    let puzzles = read.iter().flat_map(|records| {
        (0..records.len()).map(|row| match records.puzzle(row) {
            Ok(puzzle) => Ok(puzzle.to_string()),
            Err(error) => Err(wrong(format_args!("line {}, {error}", records.line(row)))),
        })
    });
    list(py, puzzles)
}

/// Rows of which some are missing, whatever stands in their place.
pub(crate) struct Partly {
    pub(crate) rows: Box<dyn Rows>,
    /// Whether each row is missing.
    pub(crate) missing: Vec<bool>,
}

impl Rows for Partly {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn read(&self, rows: Range<usize>, records: &mut Records, nulls: &mut Vec<usize>) {
        let mut start = rows.start;
        for run in self.missing[rows].chunk_by(|a, b| a == b) {
            let end = start + run.len();
            match run[0] {
                true => run.iter().for_each(|_| push_text(records, nulls, None)),
                false => self.rows.read(start..end, records, nulls),
            }
            start = end;
        }
    }

    fn plain<'r>(
        &'r self,
        rows: Range<usize>,
        room: &'r mut Vec<[u8; CELLS]>,
    ) -> Option<&'r [[u8; CELLS]]> {
        let are_there = !self.missing[rows.clone()].contains(&true);
        self.rows.plain(rows, room).filter(|_| are_there)
    }
}

/// Rows without text, for what is made.
pub(crate) fn no_texts(count: usize) -> Box<dyn Rows> {
    Arrow::of(BinaryArray::new_null(count))
}

/// Rows of 729 numbers, nine for each cell: the digit of the place, or 1, where it is a
/// candidate, and 0 where not.
pub(crate) struct CandidateRows(pub(crate) SharedNumbers);

impl Rows for CandidateRows {
    fn len(&self) -> usize {
        self.0.len() / CANDIDATES
    }

    fn read(&self, rows: Range<usize>, records: &mut Records, _: &mut Vec<usize>) {
        let mut numbers = [0; CANDIDATES];
        for row in rows {
            self.0.copy(row * CANDIDATES, &mut numbers);
            for (number, digit) in numbers.iter_mut().zip((b'1'..=b'9').cycle()) {
                *number = match *number {
                    0 => BLANK,
                    1 => digit,
                    number if b'0'.checked_add(number) == Some(digit) => digit,
                    _ => 0,
                };
            }
            let line = records.len() as u64 + 1;
            match Candidates::from_ascii(&numbers) {
                Ok(candidates) => records.push_candidates(line, &(candidates, BLANK), b""),
                Err(_) => records.push_error(line, ParseError::NOTHING, b""),
            }
        }
    }
}

/// The rows of numbers that are copied at a time, so that they stay in the first-level cache.
const AT_ONCE: usize = 64;

/// Rows of 81 numbers: 1 to 9, and 0 for a blank.
impl Rows for SharedNumbers {
    fn len(&self) -> usize {
        self.len() / CELLS
    }

    fn read(&self, rows: Range<usize>, records: &mut Records, _: &mut Vec<usize>) {
        let mut room = Vec::new();
        for start in rows.clone().step_by(AT_ONCE) {
            cells_of(self, start..rows.end.min(start + AT_ONCE), &mut room);
            for cells in &room {
                let line = records.len() as u64 + 1;
                if records.push_cells(line, cells).is_err() {
                    records.push_error(line, ParseError::NOTHING, b"");
                }
            }
        }
    }

    fn plain<'r>(
        &'r self,
        rows: Range<usize>,
        room: &'r mut Vec<[u8; CELLS]>,
    ) -> Option<&'r [[u8; CELLS]]> {
        (cells_of(self, rows, room) <= 9).then_some(room)
    }
}

/// Copies rows of 81 numbers as cells. Returns the largest number.
fn cells_of(numbers: &SharedNumbers, rows: Range<usize>, room: &mut Vec<[u8; CELLS]>) -> u8 {
    room.resize(rows.len(), [0; CELLS]);
    let mut most = 0;
    for (i, cells) in room.chunks_mut(AT_ONCE).enumerate() {
        let cells = cells.as_flattened_mut();
        numbers.copy((rows.start + i * AT_ONCE) * CELLS, cells);
        for cell in cells {
            most = most.max(*cell);
            // A number that is no digit is no cell either.
            *cell = cell.saturating_add(b'0');
        }
    }
    most
}

/// The rows of arrays of one type, and that type.
pub(crate) fn rows_of_all(
    (data_type, arrays): (DataType, Vec<ArrayRef>),
) -> PyResult<(DataType, Vec<Box<dyn Rows>>)> {
    // A stream may have no array at all.
    rows_of(&new_empty_array(&data_type))?;
    let texts = arrays.iter().map(rows_of).collect::<PyResult<_>>()?;
    let data_type = match data_type {
        DataType::Dictionary(_, of_values) => *of_values,
        other => other,
    };
    Ok((data_type, texts))
}
