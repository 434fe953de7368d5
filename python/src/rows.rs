//! Rows of records, as text or as digits, and how they become records of the library.

use crate::{
    answer::wrong,
    capsules::{SharedNumbers, take_array, take_stream},
};
use arrow_array::{
    Array, ArrayAccessor, ArrayRef, BinaryArray, BinaryViewArray, FixedSizeBinaryArray,
    LargeBinaryArray, NullArray, OffsetSizeTrait, cast::AsArray, new_empty_array,
};
use arrow_data::ByteView;
use arrow_schema::DataType;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyFloat, PyList, PyString, PyType},
};
use std::{borrow::Cow, ops::Range, sync::Mutex};
use sudoku_batch::{
    Candidates, ParseError, Puzzle,
    format::{Layout, Records},
    grid::{BLANK, CANDIDATES, CELLS, are_plain},
};

/// Where records stand in a column.
pub(crate) trait Rows: Sync {
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

    /// The cells of some rows without a way through records, if each row is 81 digits and points
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

/// An array of text, as bytes: each Arrow type of text is one of these without a copy.
pub(crate) enum ArrowText {
    Short(BinaryArray),
    Long(LargeBinaryArray),
    Views(BinaryViewArray),
    Fixed(FixedSizeBinaryArray),
    /// The type `null` has no values.
    Nothing(NullArray),
}

impl ArrowText {
    /// The text of an array.
    fn new(array: &ArrayRef) -> PyResult<Self> {
        Ok(match array.data_type() {
            DataType::Utf8 => Self::Short(array.as_string().clone().into()),
            DataType::Binary => Self::Short(array.as_binary().clone()),
            DataType::LargeUtf8 => Self::Long(array.as_string().clone().into()),
            DataType::LargeBinary => Self::Long(array.as_binary().clone()),
            DataType::Utf8View => Self::Views(array.as_string_view().clone().to_binary_view()),
            DataType::BinaryView => Self::Views(array.as_binary_view().clone()),
            DataType::FixedSizeBinary(_) => Self::Fixed(array.as_fixed_size_binary().clone()),
            DataType::Null => Self::Nothing(NullArray::new(array.len())),
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                let (keys, values) = (dictionary.keys(), Self::new(dictionary.values())?);
                let mut texts = Vec::new();
                values.each(0..values.len(), |text| texts.push(text));
                let places = match texts.len() {
                    0 => vec![0; keys.len()],
                    _ => dictionary.normalized_keys(),
                };
                let text = |(row, place): (usize, &usize)| {
                    texts
                        .get(*place)
                        .copied()
                        .flatten()
                        .filter(|_| keys.is_valid(row))
                };
                Self::Long(places.iter().enumerate().map(text).collect())
            }
            other => {
                return Err(PyTypeError::new_err(format!(
                    "the Arrow type is {other}, and records are text: string, large_string, \
                     string_view, binary, large_binary, binary_view and fixed_size_binary"
                )));
            }
        })
    }

    fn array(&self) -> &dyn Array {
        match self {
            Self::Short(array) => array,
            Self::Long(array) => array,
            Self::Views(array) => array,
            Self::Fixed(array) => array,
            Self::Nothing(array) => array,
        }
    }

    /// Calls `each` with the text of each of some rows.
    fn each<'r>(&'r self, rows: Range<usize>, mut each: impl FnMut(Option<&'r [u8]>)) {
        fn values<'a>(
            array: impl ArrayAccessor<Item = &'a [u8]>,
            rows: Range<usize>,
            each: impl FnMut(Option<&'a [u8]>),
        ) {
            let value = |row| array.is_valid(row).then(|| array.value(row));
            rows.map(value).for_each(each);
        }
        match self {
            Self::Short(array) => values(array, rows, each),
            Self::Long(array) => values(array, rows, each),
            Self::Views(array) => values(array, rows, each),
            Self::Fixed(array) => values(array, rows, each),
            Self::Nothing(_) => rows.for_each(|_| each(None)),
        }
    }
}

/// The cells of rows of text that lie one after the other.
fn plain_cells<'a, O: OffsetSizeTrait>(
    offsets: &[O],
    text: &'a [u8],
    rows: Range<usize>,
) -> Option<&'a [[u8; CELLS]]> {
    let offsets = &offsets[rows.start..=rows.end];
    let lengths = offsets.windows(2).map(|pair| pair[1] - pair[0]);
    let cells = O::usize_as(CELLS);
    let others = lengths.map(|length| usize::from(length != cells));
    if others.sum::<usize>() > 0 {
        return None;
    }
    let text = &text[offsets[0].as_usize()..offsets[rows.len()].as_usize()];
    are_plain(text).then_some(text.as_chunks().0)
}

/// The cells of rows of text whose views lie one after the other in one buffer, as they do
/// where an array was written row by row.
fn plain_views(array: &BinaryViewArray, rows: Range<usize>) -> Option<&[[u8; CELLS]]> {
    let views = &array.views()[rows];
    let first = ByteView::from(*views.first()?);
    let text = array.data_buffers().get(first.buffer_index as usize);
    let others = views.iter().enumerate().map(|(row, &view)| {
        let view = ByteView::from(view);
        let is_next = view.length as usize == CELLS
            && view.buffer_index == first.buffer_index
            && view.offset as usize == first.offset as usize + row * CELLS;
        usize::from(!is_next)
    });
    if others.sum::<usize>() > 0 {
        return None;
    }
    let start = first.offset as usize;
    let text = &text?[start..start + views.len() * CELLS];
    are_plain(text).then_some(text.as_chunks().0)
}

impl Rows for ArrowText {
    fn len(&self) -> usize {
        self.array().len()
    }

    fn read(&self, rows: Range<usize>, records: &mut Records, nulls: &mut Vec<usize>) {
        self.each(rows, |text| push_text(records, nulls, text));
    }

    fn texts<'r>(&'r self, rows: Range<usize>, texts: &mut Vec<Option<Cow<'r, [u8]>>>) {
        self.each(rows, |text| texts.push(text.map(Cow::Borrowed)));
    }

    fn plain<'r>(
        &'r self,
        rows: Range<usize>,
        _: &'r mut Vec<[u8; CELLS]>,
    ) -> Option<&'r [[u8; CELLS]]> {
        let nulls = self.array().nulls();
        if nulls.is_some_and(|nulls| nulls.slice(rows.start, rows.len()).null_count() > 0) {
            return None;
        }
        match self {
            Self::Short(array) => plain_cells(array.value_offsets(), array.value_data(), rows),
            Self::Long(array) => plain_cells(array.value_offsets(), array.value_data(), rows),
            Self::Views(array) => plain_views(array, rows),
            Self::Fixed(_) | Self::Nothing(_) => None,
        }
    }
}

/// The error of a row that is null, or has a number that is no digit. Nobody gets to see it.
const NOTHING: ParseError = ParseError::NOTHING;

/// Adds the record of a text, as the command reads it: 81 cells and perhaps a trailer. The record of no text is
/// malformed.
fn push_text(records: &mut Records, nulls: &mut Vec<usize>, text: Option<&[u8]>) {
    let row = records.len();
    let line = row as u64 + 1;
    let Some(text) = text else {
        nulls.push(row);
        return records.push_error(line, NOTHING, b"");
    };
    if let Ok(cells) = text.try_into()
        && records.push_cells(line, cells).is_ok()
    {
        return;
    }
    let text = String::from_utf8_lossy(text);
    match text.parse::<Puzzle>() {
        Ok(puzzle) => records.push_cells(line, puzzle.as_ascii()).expect("cells"),
        Err(error) => match text.parse::<Candidates>() {
            Ok(candidates) => {
                let blank = text.bytes().find(|c| matches!(c, b'.' | b'0'));
                records.push_candidates(line, &(candidates, blank.unwrap_or(BLANK)), b"");
            }
            Err(_) => records.push_error(line, error, b""),
        },
    }
}

/// A list of str. None, and the number that is not a number (how pandas used to write what is missing), are no text.
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
                    let is_nan = |float: &Bound<'_, PyFloat>| float.value().is_nan();
                    if !item.is_none() && !item.cast::<PyFloat>().is_ok_and(is_nan) {
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
            self.each(0..self.length, |_| true);
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

/// The puzzles of a text in any form, each as 81 or 729 characters. ValueError: a record is malformed; the error has its
/// line and column.
#[pyfunction]
pub(crate) fn parse(text: &str, form: Option<&str>, column: Option<&str>) -> PyResult<Vec<String>> {
    let form = form.map(str::parse).transpose().map_err(wrong)?;
    let records = Layout::read_all(text.as_bytes(), form, column).map_err(wrong)?;
    let puzzle = |row| match records.puzzle(row) {
        Ok(puzzle) => Ok(puzzle.to_string()),
        Err(error) => Err(wrong(format_args!("line {}, {error}", records.line(row)))),
    };
    (0..records.len()).map(puzzle).collect()
}

/// Rows that are not read, because they are made.
pub(crate) struct Unread(pub(crate) usize);

impl Rows for Unread {
    fn len(&self) -> usize {
        self.0
    }

    fn read(&self, _: Range<usize>, _: &mut Records, _: &mut Vec<usize>) {}
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
                Err(_) => records.push_error(line, NOTHING, b""),
            }
        }
    }
}

/// Rows of 81 numbers: 1 to 9, and 0 for a blank.
impl Rows for SharedNumbers {
    fn len(&self) -> usize {
        self.len() / CELLS
    }

    fn read(&self, rows: Range<usize>, records: &mut Records, _: &mut Vec<usize>) {
        // Some rows at a time, so that they stay in the first-level cache.
        const ROWS: usize = 64;
        let mut digits = [[0; CELLS]; ROWS];
        for start in rows.clone().step_by(ROWS) {
            let digits = &mut digits[..ROWS.min(rows.end - start)];
            self.copy(start * CELLS, digits.as_flattened_mut());
            for digits in digits {
                let line = records.len() as u64 + 1;
                let cells = digits.map(|digit| b'0'.saturating_add(digit));
                if records.push_cells(line, &cells).is_err() {
                    records.push_error(line, NOTHING, b"");
                }
            }
        }
    }

    fn plain<'r>(
        &'r self,
        rows: Range<usize>,
        room: &'r mut Vec<[u8; CELLS]>,
    ) -> Option<&'r [[u8; CELLS]]> {
        // Some rows at a time, so that they stay in the first-level cache.
        const ROWS: usize = 64;
        room.resize(rows.len(), [0; CELLS]);
        let mut most = 0;
        for (i, cells) in room.chunks_mut(ROWS).enumerate() {
            let cells = cells.as_flattened_mut();
            self.copy((rows.start + i * ROWS) * CELLS, cells);
            for cell in cells {
                most = most.max(*cell);
                *cell = cell.wrapping_add(b'0');
            }
        }
        (most <= 9).then_some(room)
    }
}

/// The arrays of an object that has one or many, and their type.
pub(crate) fn take(object: &Bound<'_, PyAny>) -> PyResult<(DataType, Vec<ArrayRef>)> {
    if object.hasattr("__arrow_c_array__")? {
        let array = take_array(object)?;
        return Ok((array.data_type().clone(), vec![array]));
    }
    if object.hasattr("__arrow_c_stream__")? {
        return take_stream(object);
    }
    let name = object.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "{name} is no Arrow array or stream"
    )))
}

/// The text of the arrays of an object, and their type.
pub(crate) fn take_text(object: &Bound<'_, PyAny>) -> PyResult<(DataType, Vec<ArrowText>)> {
    let (data_type, arrays) = take(object)?;
    // A stream may have no array at all.
    ArrowText::new(&new_empty_array(&data_type))?;
    let texts = arrays.iter().map(ArrowText::new).collect::<PyResult<_>>()?;
    let data_type = match data_type {
        DataType::Dictionary(_, of_values) => *of_values,
        other => other,
    };
    Ok((data_type, texts))
}
