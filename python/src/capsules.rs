//! Arrow data and plain buffers, in and out of Python. This is the only file with
//! `unsafe`.
//!
//! Arrow data goes by the [capsule interface](https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html):
//! a method of a Python object returns capsules, and a capsule holds a C struct that owns
//! the data. Nothing is copied.
//!
//! | method | capsules |
//! |---|---|
//! | `__arrow_c_schema__` | `arrow_schema` |
//! | `__arrow_c_array__` | `arrow_schema`, `arrow_array` |
//! | `__arrow_c_stream__` | `arrow_array_stream` |

#![allow(unsafe_code)]

use crate::{answer::wrong, columns::nulls, memory::Memory};
use arrow_array::{
    ArrayReader, ArrayRef, GenericStringArray, OffsetSizeTrait,
    ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi, to_ffi},
    ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream},
    make_array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType};
use pyo3::{
    buffer::{ElementType, PyUntypedBuffer},
    exceptions::PyTypeError,
    ffi,
    prelude::*,
    types::{PyCapsule, PyString, PyTuple},
};
use std::{
    ffi::{CStr, c_char, c_int, c_void},
    ptr,
    sync::Mutex,
    vec,
};
use sudoku_batch::{grid::CELLS, slices::Lengths};

const SCHEMA: &CStr = c"arrow_schema";
const ARRAY: &CStr = c"arrow_array";
const STREAM: &CStr = c"arrow_array_stream";

/// Takes the arrays of an object with `__arrow_c_array__` or `__arrow_c_stream__`, and their type.
pub(crate) fn take_arrays(
    object: &Bound<'_, PyAny>,
) -> PyResult<Option<(DataType, Vec<ArrayRef>)>> {
    if object.hasattr("__arrow_c_array__")? {
        let array = take_array(object)?;
        return Ok(Some((array.data_type().clone(), vec![array])));
    }
    let has_stream = object.hasattr("__arrow_c_stream__")?;
    has_stream.then(|| take_stream(object)).transpose()
}

fn take_array(object: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let capsules = object.call_method0("__arrow_c_array__")?;
    let [schema, array] = capsules
        .cast_into::<PyTuple>()?
        .extract::<[Bound<'_, PyCapsule>; 2]>()?;
    let schema = schema.pointer_checked(Some(SCHEMA))?;
    let array = array.pointer_checked(Some(ARRAY))?;
    // SAFETY: By the capsule interface, capsules of these names hold valid structs of these
    // types. `from_raw` leaves a released struct behind, so each is owned once. The producer
    // promises that the data is valid for its type.
    let data = unsafe {
        let schema = FFI_ArrowSchema::from_raw(schema.as_ptr().cast());
        let array = FFI_ArrowArray::from_raw(array.as_ptr().cast());
        from_ffi(array, &schema)
    };
    Ok(make_array(data.map_err(wrong)?))
}

/// The producer may be written in Python, and takes the GIL by itself then. So it is let go
/// of while the producer works.
fn take_stream(object: &Bound<'_, PyAny>) -> PyResult<(DataType, Vec<ArrayRef>)> {
    let capsule = object.call_method0("__arrow_c_stream__")?;
    let capsule = capsule.cast_into::<PyCapsule>()?;
    let stream = capsule.pointer_checked(Some(STREAM))?;
    // SAFETY: By the capsule interface, a capsule of this name holds a valid stream.
    // `from_raw` leaves a released struct behind, so it is owned once.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream.as_ptr().cast()) };
    let arrays: Result<_, ArrowError> = object.py().detach(|| {
        let reader = ArrayStreamReader::try_new(stream)?;
        let data_type = reader.field().data_type().clone();
        Ok((data_type, reader.collect::<Result<_, _>>()?))
    });
    arrays.map_err(wrong)
}

/// The capsule of a type.
pub(crate) fn give_schema<'py>(
    py: Python<'py>,
    data_type: &DataType,
) -> PyResult<Bound<'py, PyCapsule>> {
    let schema = FFI_ArrowSchema::try_from(data_type).map_err(wrong)?;
    PyCapsule::new_with_value(py, schema, SCHEMA)
}

/// The capsules of an array.
pub(crate) fn give_array<'py>(
    py: Python<'py>,
    array: &ArrayRef,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let (array, schema) = to_ffi(&array.to_data()).map_err(wrong)?;
    Ok((
        PyCapsule::new_with_value(py, schema, SCHEMA)?,
        PyCapsule::new_with_value(py, array, ARRAY)?,
    ))
}

/// The capsule of a stream of arrays, all of one type.
pub(crate) fn give_stream<'py>(
    py: Python<'py>,
    data_type: DataType,
    arrays: Vec<ArrayRef>,
) -> PyResult<Bound<'py, PyCapsule>> {
    // The type is known to have a schema, so the stream has no error to give.
    FFI_ArrowSchema::try_from(&data_type).map_err(wrong)?;
    let given = Box::new(Given {
        data_type,
        arrays: arrays.into_iter(),
    });
    // SAFETY: The callbacks belong to `Given`. `release_given` frees it once, and marks the
    // stream as released.
    let stream = unsafe {
        FFI_ArrowArrayStream::new_unchecked(
            Some(given_schema),
            Some(next_given),
            Some(given_error),
            Some(release_given),
            Box::into_raw(given).cast(),
        )
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// The batches that a stream that is given away has still to give. (Streams of the Arrow library are of
/// record batches only.)
struct Given {
    data_type: DataType,
    arrays: vec::IntoIter<ArrayRef>,
}

unsafe extern "C" fn given_schema(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowSchema,
) -> c_int {
    const EIO: c_int = 5;
    // SAFETY: The consumer calls the callbacks of a stream with that stream, one at a time, until its release. Its
    // data is a box of `Given`. There is room for one value, which holds none yet.
    unsafe {
        let given = &*(*stream).private_data().cast::<Given>();
        let schema = FFI_ArrowSchema::try_from(&given.data_type);
        schema.map_or(EIO, |schema| {
            out.write(schema);
            0
        })
    }
}

unsafe extern "C" fn next_given(
    stream: *mut FFI_ArrowArrayStream,
    out: *mut FFI_ArrowArray,
) -> c_int {
    // SAFETY: As in `given_schema`.
    unsafe {
        let given = &mut *(*stream).private_data().cast::<Given>();
        let array = given.arrays.next();
        let array = array.map(|array| FFI_ArrowArray::new(&array.to_data()));
        out.write(array.unwrap_or_else(FFI_ArrowArray::empty));
    }
    0
}

unsafe extern "C" fn given_error(_: *mut FFI_ArrowArrayStream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn release_given(stream: *mut FFI_ArrowArrayStream) {
    // SAFETY: The consumer releases a stream once. The data is the box of `give_stream`.
    unsafe {
        let data = (*stream).set_private_data(ptr::null_mut::<c_void>());
        drop(Box::from_raw(data.cast::<Given>()));
        (*stream).set_release(None);
    }
}

/// The type of the numbers of an array.
#[derive(Clone, Copy)]
pub(crate) enum Number {
    /// A whole number of this many bytes: 1, 2, 4 or 8. Signs do not matter, because digits have none.
    Whole(usize),
    /// A floating-point number of 4 or 8 bytes.
    Float(usize),
}

impl Number {
    /// The number of bytes.
    pub(crate) fn bytes(self) -> usize {
        let (Self::Whole(bytes) | Self::Float(bytes)) = self;
        bytes
    }

    /// Writes the digits of rows of characters as numbers of this type; 0 where there is none. Rows have a known length,
    /// so that bytes are copied in line: as a call for each row, the copies took a fifteenth of the time of a batch.
    pub(crate) fn write_rows<'a, const DIGITS: usize>(
        self,
        rows: impl Iterator<Item = Option<&'a [u8; DIGITS]>>,
        to: &mut [u8],
    ) {
        // A digit is the low half of its character; that of a dot is 14.
        let digit = |cell| if cell == b'.' { 0 } else { cell & 15 };
        let places = to.chunks_exact_mut(DIGITS * self.bytes());
        for (place, characters) in places.zip(rows) {
            let digits = characters.map_or([0; DIGITS], |characters| characters.map(digit));
            self.write(&digits, place);
        }
    }

    /// Writes the digits of a row.
    fn write<const DIGITS: usize>(self, digits: &[u8; DIGITS], to: &mut [u8]) {
        fn each<const N: usize>(digits: &[u8], to: &mut [u8], number: impl Fn(u8) -> [u8; N]) {
            let numbers = to.as_chunks_mut().0.iter_mut().zip(digits);
            numbers.for_each(|(to, &digit)| *to = number(digit));
        }
        match self {
            Self::Whole(2) => each(digits, to, |digit| u16::from(digit).to_ne_bytes()),
            Self::Whole(4) => each(digits, to, |digit| u32::from(digit).to_ne_bytes()),
            Self::Whole(8) => each(digits, to, |digit| u64::from(digit).to_ne_bytes()),
            Self::Float(4) => each(digits, to, |digit| f32::from(digit).to_ne_bytes()),
            Self::Float(_) => each(digits, to, |digit| f64::from(digit).to_ne_bytes()),
            Self::Whole(_) => *to.as_mut_array().expect("a byte for each digit") = *digits,
        }
    }

    /// The name of the type in numpy, by which it makes an array of new memory.
    fn name(self) -> String {
        match self {
            Self::Whole(bytes) => format!("u{bytes}"),
            Self::Float(bytes) => format!("f{bytes}"),
        }
    }
}

/// Numbers of a Python object that has the buffer protocol. Other threads may write to them
/// at any time, so they are only ever copied out.
pub(crate) struct SharedNumbers {
    buffer: PyUntypedBuffer,
    /// The type of a number.
    pub(crate) number: Number,
}

impl SharedNumbers {
    /// The numbers of an object.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let buffer = PyUntypedBuffer::get(object)?;
        if !buffer.is_c_contiguous() {
            return Err(PyTypeError::new_err("the array is not contiguous"));
        }
        use ElementType::{Float, SignedInteger, UnsignedInteger};
        let number = match ElementType::from_format(buffer.format()) {
            SignedInteger { bytes } | UnsignedInteger { bytes } => Number::Whole(bytes),
            Float { bytes } => Number::Float(bytes),
            _ => return Err(PyTypeError::new_err("the array has no numbers")),
        };
        if !buffer.buf_ptr().addr().is_multiple_of(number.bytes()) {
            return Err(PyTypeError::new_err("the array is not aligned"));
        }
        Ok(Self { buffer, number })
    }

    /// The place of the numbers. They stay in place while the buffer is held, and any thread may copy out of it.
    fn start<T>(&self) -> *const T {
        self.buffer.buf_ptr().cast_const().cast()
    }

    /// The number of numbers of a row, if the buffer has two dimensions.
    pub(crate) fn width(&self) -> Option<usize> {
        self.buffer.shape().get(1).copied()
    }

    /// The number of numbers.
    pub(crate) fn len(&self) -> usize {
        self.buffer.item_count()
    }

    /// Copies the numbers from `start` on, as bytes. One that no byte holds becomes 255.
    ///
    /// # Panics
    ///
    /// There are not so many.
    pub(crate) fn copy(&self, start: usize, to: &mut [u8]) {
        assert!(start + to.len() <= self.len());
        let whole = |number: f64| {
            let whole = number as u16;
            let is_whole = f64::from(whole) == number;
            if is_whole { whole.into() } else { u64::MAX }
        };
        match self.number {
            Number::Whole(1) => self.copy_bytes(start, to),
            Number::Whole(2) => self.narrow(start, to, |number: u16| number.into()),
            Number::Whole(4) => self.narrow(start, to, |number: u32| number.into()),
            Number::Whole(_) => self.narrow(start, to, |number: u64| number),
            Number::Float(4) => self.narrow(start, to, |number: f32| whole(number.into())),
            Number::Float(_) => self.narrow(start, to, whole),
        }
    }

    /// Copies numbers of a type, of which there are enough.
    fn narrow<T: Copy>(&self, start: usize, to: &mut [u8], whole: impl Fn(T) -> u64) {
        let from = self.start::<T>();
        let number = |i| {
            // SAFETY: Inside the numbers that were counted, and aligned. Volatile, because another thread may write
            // meanwhile: what is read is any number.
            whole(unsafe { from.add(start + i).read_volatile() })
        };
        let mut all = 0;
        let (words, rest) = to.as_chunks_mut();
        for (i, word) in words.iter_mut().enumerate() {
            let mut packed = 0;
            for n in 0..8 {
                let number = number(8 * i + n);
                all |= number;
                packed |= number << (8 * n);
            }
            *word = packed.to_le_bytes();
        }
        let done = 8 * words.len();
        for (i, byte) in rest.iter_mut().enumerate() {
            let number = number(done + i);
            all |= number;
            *byte = number as u8;
        }
        if all > u64::from(u8::MAX) {
            for (i, byte) in to.iter_mut().enumerate() {
                *byte = u8::try_from(number(i)).unwrap_or(u8::MAX);
            }
        }
    }

    /// Copies bytes, of which there are enough: in words, because a byte at a time is slow.
    fn copy_bytes(&self, start: usize, to: &mut [u8]) {
        let from = self.start::<u8>();
        let before = from.wrapping_add(start).align_offset(align_of::<u64>());
        let before = before.min(to.len());
        let (head, rest) = to.split_at_mut(before);
        let (words, tail) = rest.as_chunks_mut();
        self.narrow(start, head, <u64 as From<u8>>::from);
        let start = start + before;
        for (i, word) in words.iter_mut().enumerate() {
            // SAFETY: Inside the bytes that were counted, and aligned. Volatile, as other numbers.
            let read = unsafe {
                self.start::<u8>()
                    .add(start)
                    .cast::<u64>()
                    .add(i)
                    .read_volatile()
            };
            *word = read.to_ne_bytes();
        }
        self.narrow(start + 8 * words.len(), tail, <u64 as From<u8>>::from);
    }
}

/// A str of ASCII characters. Others are taken for Latin-1.
pub(crate) fn ascii<'py>(py: Python<'py>, text: &[u8]) -> Bound<'py, PyString> {
    let (start, length) = (text.as_ptr().cast(), text.len() as isize);
    // SAFETY: The characters are there, and the call copies them. It makes a new str, or fails. (To make a str of
    // UTF-8 takes longer, because it has to be checked.)
    let text = unsafe {
        let text = ffi::PyUnicode_DecodeLatin1(start, length, ptr::null());
        Bound::from_owned_ptr(py, text)
    };
    text.cast_into().expect("a str")
}

/// Bytes of ours for Python, by the buffer protocol. They stay in place as long as the object lives, and nothing here
/// reads or writes them.
#[pyclass(frozen, module = "sudoku_batch._engine")]
pub(crate) struct Bytes(Mutex<Memory>);

#[pymethods]
impl Bytes {
    /// The buffer of the bytes, which may be written to.
    ///
    /// # Safety
    ///
    /// The interpreter calls this with a valid place for the view.
    unsafe fn __getbuffer__(
        slf: Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let mut memory = slf.get().0.lock().expect("nothing panics with it");
        let (start, length) = (memory.start().cast(), memory.length() as isize);
        // SAFETY: The bytes are there as long as the object, which the view refers to.
        let code = unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, length, 0, flags) };
        match code {
            0 => Ok(()),
            _ => Err(PyErr::fetch(slf.py())),
        }
    }
}

/// An array of numpy, of the numbers of some memory in rows of this length.
pub(crate) fn numpy_array(
    py: Python<'_>,
    memory: Memory,
    columns: usize,
    number: Number,
) -> PyResult<Bound<'_, PyAny>> {
    let numpy = py.import("numpy")?;
    // numpy makes no array of an empty buffer.
    if memory.length() == 0 {
        return numpy.call_method1("zeros", ((0, columns), number.name()));
    }
    numpy
        .call_method1("frombuffer", (Bytes(Mutex::new(memory)), number.name()))?
        .call_method1("reshape", (-1, columns))
}

/// Rows of 81 ASCII characters, to be written by many threads and then given away as text.
/// All are 0 at first.
pub(crate) struct AsciiRows {
    memory: Memory,
    /// Whether each row is written. One that is not is null. (The rows themselves say so too, but to look at all of them
    /// takes a twentieth of the time of two million.)
    written: Vec<bool>,
}

impl AsciiRows {
    /// This many rows. Their memory is made when it is first written to, by the thread that
    /// does.
    pub(crate) fn new(rows: usize) -> Self {
        let memory = Memory::zeros(rows * CELLS);
        let written = vec![false; rows];
        Self { memory, written }
    }

    /// How many characters there are.
    pub(crate) fn length(&self) -> usize {
        self.memory.length()
    }

    /// The rows, in slices of some lengths.
    pub(crate) fn slices(&mut self, lengths: Lengths) -> impl Iterator<Item = AsciiSlice<'_>> {
        let slices = lengths.of_mut(self.memory.bytes().as_chunks_mut().0, 1);
        let slices = slices.zip(lengths.of_mut(&mut self.written, 1));
        slices.map(|(rows, written)| AsciiSlice { rows, written })
    }

    /// The rows as text.
    ///
    /// # Panics
    ///
    /// When the text is too long for offsets of this width.
    pub(crate) fn into_strings<O: OffsetSizeTrait>(self) -> GenericStringArray<O> {
        let offsets = OffsetBuffer::from_repeated_length(CELLS, self.written.len());
        let (text, nulls) = self.into_buffers();
        // SAFETY: The offsets ascend from 0 to the length of the text. The text is ASCII,
        // because `AsciiSlice` writes nothing else, so it is UTF-8 wherever it is cut.
        unsafe { GenericStringArray::new_unchecked(offsets, text, nulls) }
    }

    /// The characters, and the rows that are null. Their memory is used again when nobody holds it any more.
    pub(crate) fn into_buffers(self) -> (Buffer, Option<NullBuffer>) {
        let nulls = nulls(&self.written);
        (Buffer::from(bytes::Bytes::from_owner(self.memory)), nulls)
    }
}

/// Rows of [`AsciiRows`] for one thread.
pub(crate) struct AsciiSlice<'r> {
    rows: &'r mut [[u8; CELLS]],
    written: &'r mut [bool],
}

impl AsciiSlice<'_> {
    /// Writes rows.
    pub(crate) fn write<'a>(&mut self, rows: impl Iterator<Item = Option<&'a [u8; CELLS]>>) {
        let places = self.rows.iter_mut().zip(&mut *self.written);
        for ((to, written), cells) in places.zip(rows) {
            *written = cells.is_some();
            // The highest bit of an ASCII character is 0. This makes sure of it, whatever the
            // cells are, and costs next to nothing.
            *to = cells.map_or([0; CELLS], |cells| cells.map(|cell| cell & 0x7F));
        }
    }
}

/// Asks the system for pages of 2 MB, as numpy does for its arrays. To make pages is half
/// of what it costs to write a large array for the first time, and this halves it.
#[cfg(target_os = "linux")]
pub(crate) fn ask_for_large_pages(bytes: &mut [u8]) {
    const LEAST: usize = 4 << 20;
    const PAGE: usize = 4096;
    if bytes.len() < LEAST {
        return;
    }
    let before = bytes.as_ptr().align_offset(PAGE);
    let pages = (bytes.len() - before) / PAGE;
    let pages = &mut bytes[before..before + pages * PAGE];
    // SAFETY: The pages lie in memory that is borrowed here. The advice changes neither
    // bytes nor access. Where the system does not take it, all stays as it is.
    unsafe {
        libc::madvise(pages.as_mut_ptr().cast(), pages.len(), libc::MADV_HUGEPAGE);
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn ask_for_large_pages(_: &mut [u8]) {}
