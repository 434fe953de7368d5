//! Rows of records, as text or as digits, and how they become records of the library.

use crate::capsules::{SharedBytes, take_array, take_stream};
use crate::columns::Array as PyArray;
use arrow_array::{
    Array, ArrayRef, GenericBinaryArray, GenericByteViewArray, GenericStringArray,
    LargeStringArray, OffsetSizeTrait, builder::LargeStringBuilder, cast::AsArray,
    types::ByteViewType,
};
use arrow_data::ByteView;
use arrow_schema::DataType;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyFloat, PyList, PyString},
};
use std::{ops::Range, sync::Arc};
use sudoku_batch::{
    Candidates, ParseError, Puzzle,
    format::{Expected, Found, Records},
    grid::{BLANK, CANDIDATES, CELLS},
};

/// Where records stand in a column.
pub(crate) trait Rows: Sync {
    /// How many rows there are.
    fn len(&self) -> usize;

    /// Adds a record for each of some rows to `records`. A row that is null becomes a
    /// malformed record, and the number of that record goes to `nulls`.
    fn read(&self, rows: Range<usize>, records: &mut Records, nulls: &mut Vec<usize>);

    /// The cells of some rows without a way through records, if each row is 81 digits and points
    /// and nothing else. They stand where they are, or in `room`. Most batches are like that, and
    /// this saves them a fifth of the time.
    fn plain<'r>(
        &'r self,
        rows: Range<usize>,
        room: &'r mut Vec<[u8; CELLS]>,
    ) -> Option<&'r [[u8; CELLS]]>;
}

/// An array of text.
pub(crate) struct Text {
    array: ArrayRef,
}

/// The types that [`Text`] takes.
const TAKEN: &str = "string, large_string, string_view, binary, large_binary, binary_view \
                     and fixed_size_binary";

impl Text {
    /// The text of an array.
    pub(crate) fn new(array: ArrayRef) -> PyResult<Self> {
        check_type(array.data_type())?;
        Ok(Self { array })
    }

    /// Calls `each` with the text of each of some rows.
    fn each(&self, rows: Range<usize>, mut each: impl FnMut(Option<&[u8]>)) {
        let array = &*self.array;
        let nulls = array.nulls();
        let valid = |row| nulls.is_none_or(|nulls| nulls.is_valid(row));
        macro_rules! values {
            ($array:expr, $value:ident => $bytes:expr) => {{
                let array = $array;
                for row in rows {
                    each(valid(row).then(|| {
                        let $value = array.value(row);
                        $bytes
                    }));
                }
            }};
        }
        match array.data_type() {
            DataType::Utf8 => strings(array.as_string::<i32>(), rows, valid, each),
            DataType::LargeUtf8 => strings(array.as_string::<i64>(), rows, valid, each),
            DataType::Binary => binaries(array.as_binary::<i32>(), rows, valid, each),
            DataType::LargeBinary => binaries(array.as_binary::<i64>(), rows, valid, each),
            DataType::Utf8View => values!(array.as_string_view(), text => text.as_bytes()),
            DataType::BinaryView => values!(array.as_binary_view(), bytes => bytes),
            DataType::FixedSizeBinary(_) => values!(array.as_fixed_size_binary(), bytes => bytes),
            // The type `null` has no other values.
            _ => rows.for_each(|_| each(None)),
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
    is_plain(text).then_some(text.as_chunks().0)
}

/// The cells of rows of text whose views lie one after the other in one buffer, as they do
/// where an array was written row by row.
fn plain_views<T: ByteViewType>(
    array: &GenericByteViewArray<T>,
    rows: Range<usize>,
) -> Option<&[[u8; CELLS]]> {
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
    is_plain(text).then_some(text.as_chunks().0)
}

/// Whether all characters are digits (0 too) or points. There are no branches, so that the
/// compiler makes vectors of it.
fn is_plain(text: &[u8]) -> bool {
    // With the lowest bit flipped, the point comes right before the digits.
    const FIRST: u8 = b'.' ^ 1;
    const LAST: u8 = b'8' ^ 1;
    let furthest = |most: u8, &c: &u8| most.max((c ^ 1).wrapping_sub(FIRST));
    text.iter().fold(0, furthest) <= LAST - FIRST
}

fn strings<'a, O: OffsetSizeTrait>(
    array: &'a GenericStringArray<O>,
    rows: Range<usize>,
    valid: impl Fn(usize) -> bool,
    each: impl FnMut(Option<&'a [u8]>),
) {
    let values = rows.map(|row| valid(row).then(|| array.value(row).as_bytes()));
    values.for_each(each);
}

fn binaries<'a, O: OffsetSizeTrait>(
    array: &'a GenericBinaryArray<O>,
    rows: Range<usize>,
    valid: impl Fn(usize) -> bool,
    each: impl FnMut(Option<&'a [u8]>),
) {
    let values = rows.map(|row| valid(row).then(|| array.value(row)));
    values.for_each(each);
}

/// That text can be taken from an array of this type.
fn check_type(data_type: &DataType) -> PyResult<()> {
    use DataType::{
        Binary, BinaryView, Dictionary, FixedSizeBinary, LargeBinary, LargeUtf8, Null, Utf8,
        Utf8View,
    };
    match data_type {
        Utf8 | LargeUtf8 | Utf8View | Binary | LargeBinary | BinaryView | FixedSizeBinary(_)
        | Null => Ok(()),
        Dictionary(_, _) => Err(PyTypeError::new_err(format!(
            "the Arrow type is {data_type}: decode it first, for example with \
             pyarrow.Array.dictionary_decode() or a cast to string"
        ))),
        _ => Err(PyTypeError::new_err(format!(
            "the Arrow type is {data_type}, and records are text: {TAKEN}"
        ))),
    }
}

impl Rows for Text {
    fn len(&self) -> usize {
        self.array.len()
    }

    fn read(&self, rows: Range<usize>, records: &mut Records, nulls: &mut Vec<usize>) {
        self.each(rows, |text| {
            let row = records.len();
            let line = row as u64 + 1;
            match text {
                Some(text) => push_text(records, line, text),
                None => {
                    nulls.push(row);
                    records.push_error(line, NOTHING, b"");
                }
            }
        });
    }

    fn plain<'r>(
        &'r self,
        rows: Range<usize>,
        _: &'r mut Vec<[u8; CELLS]>,
    ) -> Option<&'r [[u8; CELLS]]> {
        let array = &*self.array;
        let nulls = array.nulls();
        if nulls.is_some_and(|nulls| nulls.slice(rows.start, rows.len()).null_count() > 0) {
            return None;
        }
        match array.data_type() {
            DataType::Utf8 => {
                let array = array.as_string::<i32>();
                plain_cells(array.value_offsets(), array.value_data(), rows)
            }
            DataType::LargeUtf8 => {
                let array = array.as_string::<i64>();
                plain_cells(array.value_offsets(), array.value_data(), rows)
            }
            DataType::Binary => {
                let array = array.as_binary::<i32>();
                plain_cells(array.value_offsets(), array.value_data(), rows)
            }
            DataType::LargeBinary => {
                let array = array.as_binary::<i64>();
                plain_cells(array.value_offsets(), array.value_data(), rows)
            }
            DataType::Utf8View => plain_views(array.as_string_view(), rows),
            DataType::BinaryView => plain_views(array.as_binary_view(), rows),
            _ => None,
        }
    }
}

/// The error of a row that is null. Nobody gets to see it.
const NOTHING: ParseError = ParseError {
    column: 1,
    found: Found::EndOfLine,
    expected: Expected::Cell,
};

/// Adds the record of a text, as the command reads it: 81 cells and perhaps a trailer.
fn push_text(records: &mut Records, line: u64, text: &[u8]) {
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

/// Rows of 729 numbers, one byte each, nine for each cell: the digit of the place, or 1, where it is a
/// candidate, and 0 where not.
pub(crate) struct CandidateRows(pub(crate) SharedBytes);

impl Rows for CandidateRows {
    fn len(&self) -> usize {
        self.0.len() / CANDIDATES
    }

    fn read(&self, rows: Range<usize>, records: &mut Records, _: &mut Vec<usize>) {
        let mut numbers = [0; CANDIDATES];
        for row in rows {
            self.0.copy(row * CANDIDATES, &mut numbers);
            let line = records.len() as u64 + 1;
            let mut wrong = None;
            for (place, number) in numbers.iter_mut().enumerate() {
                let digit = (place % 9 + 1) as u8;
                *number = match *number {
                    0 => BLANK,
                    1 => b'0' + digit,
                    number if number == digit => b'0' + digit,
                    number => {
                        wrong.get_or_insert((place, number));
                        BLANK
                    }
                };
            }
            let error = match (wrong, Candidates::from_ascii(&numbers)) {
                (None, Ok(candidates)) => {
                    records.push_candidates(line, &(candidates, BLANK), b"");
                    continue;
                }
                (Some((place, number)), _) => (place, Found::Byte(number)),
                (None, Err(error)) => (9 * error.cell.index(), Found::NoCandidate),
            };
            let error = ParseError {
                column: error.0 + 1,
                found: error.1,
                expected: Expected::Marks,
            };
            records.push_error(line, error, b"");
        }
    }

    fn plain<'r>(
        &'r self,
        _: Range<usize>,
        _: &'r mut Vec<[u8; CELLS]>,
    ) -> Option<&'r [[u8; CELLS]]> {
        None
    }
}

/// Rows of 81 numbers, one byte each: 1 to 9, and 0 for a blank.
impl Rows for SharedBytes {
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
                push_digits(records, records.len() as u64 + 1, digits);
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

/// Adds the record of 81 numbers.
fn push_digits(records: &mut Records, line: u64, digits: &[u8; CELLS]) {
    let most = digits.iter().fold(0, |most, &digit| most.max(digit));
    if most <= 9 {
        let cells = digits.map(|digit| b'0' + digit);
        records.push_cells(line, &cells).expect("digits");
        return;
    }
    let column = digits.iter().position(|&digit| digit > 9);
    let column = column.expect("a digit over 9");
    let error = ParseError {
        column: column + 1,
        found: Found::Byte(digits[column]),
        expected: Expected::Cell,
    };
    records.push_error(line, error, b"");
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
pub(crate) fn take_text(object: &Bound<'_, PyAny>) -> PyResult<(DataType, Vec<Text>)> {
    let (data_type, arrays) = take(object)?;
    check_type(&data_type)?;
    let texts = arrays.into_iter().map(Text::new).collect::<PyResult<_>>()?;
    Ok((data_type, texts))
}

/// An Arrow array of a list of texts. None and the number that is not a number (how pandas
/// used to write what is missing) become null.
///
/// TypeError: an item is something else.
#[pyfunction]
pub(crate) fn texts(list: &Bound<'_, PyList>) -> PyResult<PyArray> {
    let mut array = LargeStringBuilder::with_capacity(list.len(), list.len() * CELLS);
    for (i, item) in list.iter().enumerate() {
        if let Ok(text) = item.cast::<PyString>() {
            // A lone surrogate has no UTF-8 and is no cell either.
            match text.to_str() {
                Ok(text) => array.append_value(text),
                Err(_) => array.append_value(text.to_string_lossy()),
            }
        } else if item.is_none() || item.cast::<PyFloat>().is_ok_and(|f| f.value().is_nan()) {
            array.append_null();
        } else {
            let name = item.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "item {i} is of type {name}: each is to be a str, or None"
            )));
        }
    }
    let array: LargeStringArray = array.finish();
    Ok(PyArray(Arc::new(array)))
}
