//! Answers become Arrow arrays, and these become Python objects.

use crate::{
    capsules::{AsciiRows, give_array, give_schema, give_stream},
    work,
};
use arrow_array::{
    Array as _, ArrayRef, BinaryArray, BooleanArray, FixedSizeBinaryArray, Float64Array,
    Int32Array, Int64Array, LargeBinaryArray, LargeStringArray, OffsetSizeTrait, StringViewArray,
    builder::GenericStringBuilder,
    cast::AsArray,
    types::{Float64Type, Int32Type, Int64Type},
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::DataType;
use pyo3::{
    IntoPyObjectExt,
    exceptions::PyTypeError,
    prelude::*,
    types::{PyByteArray, PyCapsule, PyList, PyString},
};
use std::sync::Arc;
use sudoku_batch::{
    grid::CELLS,
    questions::{Buffer, NO_NAME, TableColumn},
};

/// An Arrow array. `pyarrow.array(a)`, `polars.Series(a)` and the like take it without a
/// copy.
#[pyclass(frozen, module = "sudoku_batch._engine")]
pub(crate) struct Array(pub(crate) ArrayRef);

#[pymethods]
impl Array {
    fn __len__(&self) -> usize {
        self.0.len()
    }

    /// The capsule of its type.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        give_schema(py, self.0.data_type())
    }

    /// The capsules of its type and its data. No other type can be asked for.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema);
        give_array(py, &self.0)
    }
}

/// Arrow arrays of one type, one after the other. `pyarrow.chunked_array(c)`,
/// `polars.Series(c)` and the like take them without a copy.
#[pyclass(frozen, module = "sudoku_batch._engine")]
pub(crate) struct Column {
    data_type: DataType,
    arrays: Vec<ArrayRef>,
}

impl Column {
    /// Arrays of a type.
    ///
    /// # Panics
    ///
    /// When an array is of another type: whoever reads the stream would not expect that.
    pub(crate) fn new(data_type: DataType, arrays: Vec<ArrayRef>) -> Self {
        assert!(arrays.iter().all(|array| *array.data_type() == data_type));
        Self { data_type, arrays }
    }

    /// An array, cut into arrays of these lengths.
    pub(crate) fn cut(array: &dyn arrow_array::Array, lengths: &[usize]) -> Self {
        let mut start = 0;
        let arrays = lengths.iter().map(|&length| {
            start += length;
            array.slice(start - length, length)
        });
        Self::new(array.data_type().clone(), arrays.collect())
    }

    /// A column of a table, cut into arrays of these lengths. Its numbers are at most `most`.
    pub(crate) fn of_table(column: TableColumn, most: u64, lengths: &[usize]) -> Self {
        let is_there = column.is_there;
        let nulls = nulls(&is_there);
        match column.values {
            Buffer::Numbers(numbers) if most <= i32::MAX as u64 => {
                let numbers = numbers.into_iter().map(|number| number as i32);
                Self::cut(&Int32Array::new(numbers.collect(), nulls), lengths)
            }
            Buffer::Numbers(numbers) => {
                let numbers = numbers.into_iter();
                let numbers = numbers.map(|number| number.min(i64::MAX as u64) as i64);
                Self::cut(&Int64Array::new(numbers.collect(), nulls), lengths)
            }
            Buffer::Reals(numbers) => {
                // A null is no number in numpy either, but NaN.
                let numbers = numbers.into_iter().zip(is_there);
                let numbers = numbers.map(|(number, is)| if is { number } else { f64::NAN });
                Self::cut(&Float64Array::new(numbers.collect(), nulls), lengths)
            }
            Buffer::Flags(flags) => Self::cut(&BooleanArray::new(flags.into(), nulls), lengths),
            Buffer::Names(places, names) => {
                let places = places.into_iter().zip(is_there);
                let places = places.map(|(place, is)| if is { place } else { NO_NAME });
                Self::of_names(names, &places.collect::<Vec<_>>(), lengths)
            }
            Buffer::Texts(offsets, bytes) => {
                let offsets = OffsetBuffer::new(offsets.into());
                let array = LargeStringArray::new(offsets, bytes.into(), nulls);
                Self::cut(&array, lengths)
            }
            Buffer::Pairs(_) | Buffer::CandidateCounts(_) => {
                unreachable!("{} is no column of Arrow", column.name)
            }
        }
    }

    /// Rows of cells, in the type of the text that came in.
    ///
    /// Text of the type `string` has offsets of 32 bits. Where more comes out, which takes
    /// many rows that are malformed, it is `large_string`. For what came in without any
    /// value (`null`) it is `string`.
    pub(crate) fn of_cells(taken: &DataType, columns: Vec<AsciiRows>) -> Self {
        let wide = columns.iter().any(|rows| rows.length() > MOST);
        let given = match taken {
            DataType::Binary if wide => DataType::LargeBinary,
            DataType::FixedSizeBinary(_) => DataType::FixedSizeBinary(CELLS as i32),
            DataType::Utf8 | DataType::Null if wide => DataType::LargeUtf8,
            DataType::Null => DataType::Utf8,
            _ => taken.clone(),
        };
        let arrays = columns.into_iter().map(|rows| cells_array(&given, rows));
        Self::new(given.clone(), arrays.collect())
    }

    /// Names, by their number in a list; a number beyond the list is null. They are of the
    /// type `string`, or `large_string` if that is too short.
    pub(crate) fn of_names(names: &[&str], codes: &[u8], lengths: &[usize]) -> Self {
        let name = |code: u8| names.get(usize::from(code)).copied();
        let length = |&code: &u8| name(code).map_or(0, str::len);
        let array = match codes.iter().map(length).sum::<usize>() > MOST {
            true => names_array::<i64>(name, codes),
            false => names_array::<i32>(name, codes),
        };
        Self::cut(&array, lengths)
    }
}

/// The most bytes that offsets of 32 bits count.
const MOST: usize = i32::MAX as usize;

#[pymethods]
impl Column {
    fn __len__(&self) -> usize {
        self.arrays.iter().map(|array| array.len()).sum()
    }

    /// The capsule of its type.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        give_schema(py, &self.data_type)
    }

    /// The capsule of a stream of its arrays. No other type can be asked for.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        give_stream(py, self.data_type.clone(), self.arrays.clone())
    }

    /// The names that numbers stand for: places in a list of at most 255 names. A null has none.
    fn named(&self, py: Python<'_>, names: Vec<String>) -> PyResult<Self> {
        let arrays = self
            .arrays
            .iter()
            .map(AsArray::as_primitive_opt::<Int64Type>);
        let arrays: Option<Vec<_>> = arrays.collect();
        let arrays = arrays.ok_or_else(|| PyTypeError::new_err("numbers are places of names"))?;
        Ok(py.detach(|| {
            let codes = arrays.iter().copied().flatten();
            let codes = codes.map(|place| place.map_or(NO_NAME, |place| place as u8));
            let lengths: Vec<_> = arrays.iter().map(|array| array.len()).collect();
            let names: Vec<_> = names.iter().map(String::as_str).collect();
            Self::of_names(&names, &codes.collect::<Vec<_>>(), &lengths)
        }))
    }

    /// The arrays.
    fn arrays(&self) -> Vec<Array> {
        self.arrays.iter().cloned().map(Array).collect()
    }

    /// The type of the values: `text`, `other`, or the name that numpy has for numbers.
    #[getter]
    fn r#type(&self) -> &'static str {
        use DataType::{Boolean, Float64, Int32, Int64, LargeUtf8, Utf8, Utf8View};
        match self.data_type {
            Utf8 | LargeUtf8 | Utf8View => "text",
            Boolean => "bool",
            Int32 => "int32",
            Int64 => "int64",
            Float64 => "float64",
            _ => "other",
        }
    }

    /// The bytes of an array of numbers, for numpy. A null is any number.
    fn numbers<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        let bytes = py.detach(|| {
            let mut bytes = Vec::new();
            for array in &self.arrays {
                if let Some(flags) = array.as_boolean_opt() {
                    bytes.extend(flags.values().iter().map(u8::from));
                } else {
                    let width = self.data_type.primitive_width().expect("numbers");
                    let data = array.to_data();
                    let values = &data.buffers()[0][data.offset() * width..];
                    bytes.extend_from_slice(&values[..data.len() * width]);
                }
            }
            bytes
        });
        PyByteArray::new(py, &bytes)
    }

    /// A byte for each value: 1 where it is null, and otherwise 0.
    fn nulls<'py>(&self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        let arrays = self.arrays.iter();
        let nulls = arrays.flat_map(|array| (0..array.len()).map(|row| array.is_null(row).into()));
        PyByteArray::new(py, &nulls.collect::<Vec<u8>>())
    }

    /// The values: str, int, float, bool or None.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let arrays = self.arrays.iter();
        match self.data_type {
            DataType::Utf8 => texts(py, arrays.flat_map(AsArray::as_string::<i32>)),
            DataType::LargeUtf8 => texts(py, arrays.flat_map(AsArray::as_string::<i64>)),
            DataType::Int32 => list(
                py,
                arrays.flat_map(AsArray::as_primitive::<Int32Type>).map(Ok),
            ),
            DataType::Int64 => list(
                py,
                arrays.flat_map(AsArray::as_primitive::<Int64Type>).map(Ok),
            ),
            DataType::Float64 => list(
                py,
                arrays
                    .flat_map(AsArray::as_primitive::<Float64Type>)
                    .map(Ok),
            ),
            DataType::Boolean => list(py, arrays.flat_map(AsArray::as_boolean).map(Ok)),
            ref other => Err(PyTypeError::new_err(format!(
                "{other} is not given as a list"
            ))),
        }
    }
}

/// A list of texts. Those that are like the one before are one object: names come in runs.
fn texts<'py, 'a>(
    py: Python<'py>,
    texts: impl Iterator<Item = Option<&'a str>>,
) -> PyResult<Bound<'py, PyList>> {
    let mut last: (&str, Bound<'py, PyString>) = ("", PyString::new(py, ""));
    let objects = texts.map(|text| {
        let text = text.map(|text| {
            if text != last.0 {
                last = (text, PyString::new(py, text));
            }
            last.1.clone()
        });
        Ok(text)
    });
    list(py, objects)
}

/// A list of values, each of which may be an error.
pub(crate) fn list<'py, V: IntoPyObject<'py>>(
    py: Python<'py>,
    values: impl Iterator<Item = PyResult<V>>,
) -> PyResult<Bound<'py, PyList>> {
    /// Values that take a millisecond or less.
    const LOOK: usize = 1024;
    let mut pauses = work::Pauses::new();
    let objects = values.enumerate().map(|(place, value)| {
        if place % LOOK == LOOK - 1 {
            pauses.pause(py)?;
        }
        value?.into_bound_py_any(py)
    });
    PyList::new(py, objects.collect::<PyResult<Vec<_>>>()?)
}

/// Rows of cells as an array of a type.
fn cells_array(given: &DataType, rows: AsciiRows) -> ArrayRef {
    let views = |rows: AsciiRows| StringViewArray::from(&rows.into_strings::<i64>());
    match given {
        DataType::Utf8 => Arc::new(rows.into_strings::<i32>()),
        DataType::Binary => Arc::new(BinaryArray::from(rows.into_strings::<i32>())),
        DataType::LargeBinary => Arc::new(LargeBinaryArray::from(rows.into_strings::<i64>())),
        DataType::Utf8View => Arc::new(views(rows)),
        DataType::BinaryView => Arc::new(views(rows).to_binary_view()),
        DataType::FixedSizeBinary(width) => {
            let (text, nulls) = rows.into_buffers();
            Arc::new(FixedSizeBinaryArray::new(*width, text, nulls))
        }
        _ => Arc::new(rows.into_strings::<i64>()),
    }
}

/// The names of codes; no name is null. Most columns have long runs of one code.
fn names_array<'n, O: OffsetSizeTrait>(
    name: impl Fn(u8) -> Option<&'n str>,
    codes: &[u8],
) -> ArrayRef {
    let mut texts = GenericStringBuilder::<O>::with_capacity(codes.len(), 0);
    for run in codes.chunk_by(|a, b| a == b) {
        match name(run[0]) {
            Some(name) => texts.append_value_n(name, run.len()),
            None => texts.append_nulls(run.len()),
        }
    }
    Arc::new(texts.finish())
}

/// The rows that are null, if there are any, by which ones have a value.
pub(crate) fn nulls(is_there: &[bool]) -> Option<NullBuffer> {
    Some(NullBuffer::from(is_there)).filter(|nulls| nulls.null_count() > 0)
}
