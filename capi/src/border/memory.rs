//! Views of the caller's memory: rows of bytes with a stride.
//!
//! ```text
//!     stride    |---------------|---------------|--------
//!     row       [ 0      ]       [ 1      ]       [ 2      ]
//!     width     |--------|       the bytes between belong to the caller, and may be other rows
//! ```
//!
//! No reference to the bytes between rows exists, so that rows of inputs and of outputs may alternate.

use super::super::failure::Failure;
use std::{
    ffi::{CStr, c_char},
    fmt,
    marker::PhantomData,
    ops::Range,
    slice,
};
use sudoku_batch::grid::CELLS;

/// The place of rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    start: usize,
    count: usize,
    stride: usize,
    width: usize,
}

impl Shape {
    /// The shape of rows that begin at an address.
    pub(crate) fn new(
        what: &str,
        start: usize,
        count: usize,
        stride: usize,
        width: usize,
    ) -> Result<Self, Failure> {
        // Without rows there is nothing to step over.
        if count > 0 && stride < width {
            return Err(Failure::size(format_args!(
                "the stride of {what} is {stride}, and a row has {width} bytes"
            )));
        }
        if count > 0 && start == 0 {
            return Err(Failure::null(what));
        }
        let last = count.saturating_sub(1).checked_mul(stride);
        let length = last.and_then(|last| last.checked_add(width));
        let fits = length.is_some_and(|length| {
            isize::try_from(length).is_ok() && start.checked_add(length).is_some()
        });
        if !fits {
            return Err(Failure::size(format_args!(
                "{count} rows of {what} with a stride of {stride} bytes do not fit into memory"
            )));
        }
        Ok(Self {
            start,
            count,
            stride,
            width,
        })
    }

    fn end(&self) -> usize {
        match self.count {
            0 => self.start,
            count => self.start + (count - 1) * self.stride + self.width,
        }
    }

    /// Returns true if a byte of some row may be one of the other's: rows that alternate with one stride
    /// share none, and neither do those before all others.
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        if self.count == 0 || other.count == 0 {
            return false;
        }
        if self.end() <= other.start || other.end() <= self.start {
            return false;
        }
        if self.stride != other.stride {
            return true;
        }
        let (first, second) = if self.start <= other.start {
            (self, other)
        } else {
            (other, self)
        };
        let behind = (second.start - first.start) % self.stride;
        behind < first.width || behind + second.width > self.stride
    }
}

/// Rows of the caller that are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowsIn<'c> {
    first: *const u8,
    shape: Shape,
    of_caller: PhantomData<&'c [u8]>,
}

// SAFETY: the bytes of its rows are only read, and nobody writes to them as long as the view lives.
unsafe impl Send for RowsIn<'_> {}
// SAFETY: the same.
unsafe impl Sync for RowsIn<'_> {}

impl<'c> RowsIn<'c> {
    /// A view of rows.
    ///
    /// # Safety
    ///
    /// If there are any, the bytes of all rows can be read, and nobody writes to them as long as `'c`.
    pub(crate) unsafe fn new(
        what: &str,
        first: *const u8,
        count: usize,
        stride: usize,
        width: usize,
    ) -> Result<Self, Failure> {
        let shape = Shape::new(what, first.addr(), count, stride, width)?;
        Ok(Self {
            first,
            shape,
            of_caller: PhantomData,
        })
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(crate) fn len(&self) -> usize {
        self.shape.count
    }

    pub(crate) fn width(&self) -> usize {
        self.shape.width
    }

    /// Some of the rows.
    pub(crate) fn range(&self, rows: Range<usize>) -> Self {
        assert!(rows.start <= rows.end && rows.end <= self.shape.count);
        let before = rows.start * self.shape.stride;
        Self {
            // Without a row it may be beyond the memory, and is never read.
            first: self.first.wrapping_add(before),
            shape: Shape {
                start: self.shape.start.wrapping_add(before),
                count: rows.len(),
                ..self.shape
            },
            of_caller: PhantomData,
        }
    }

    /// The bytes of a row.
    pub(crate) fn row(&self, row: usize) -> &'c [u8] {
        assert!(row < self.shape.count);
        // SAFETY: the row is one of those that the view was made of, whose length was checked.
        unsafe { slice::from_raw_parts(self.first.add(row * self.shape.stride), self.shape.width) }
    }

    /// The bytes of all rows, if they lie side by side.
    pub(crate) fn packed(&self) -> Option<&'c [u8]> {
        let Shape {
            count,
            stride,
            width,
            ..
        } = self.shape;
        if count == 0 || stride != width {
            return None;
        }
        // SAFETY: all bytes are those of rows, and their number was checked.
        Some(unsafe { slice::from_raw_parts(self.first, count * width) })
    }
}

/// Rows of the caller that are written.
pub(crate) struct RowsOut<'c> {
    first: *mut u8,
    shape: Shape,
    of_caller: PhantomData<&'c mut [u8]>,
}

// SAFETY: the view alone writes to its rows, wherever it is.
unsafe impl Send for RowsOut<'_> {}

impl fmt::Debug for RowsOut<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shape.fmt(f)
    }
}

impl<'c> RowsOut<'c> {
    /// A view of rows.
    ///
    /// # Safety
    ///
    /// If there are any, the bytes of all rows can be written to, and nobody else uses them as long as `'c`.
    pub(crate) unsafe fn new(
        what: &str,
        first: *mut u8,
        count: usize,
        stride: usize,
        width: usize,
    ) -> Result<Self, Failure> {
        let shape = Shape::new(what, first.addr(), count, stride, width)?;
        Ok(Self {
            first,
            shape,
            of_caller: PhantomData,
        })
    }

    /// A view of rows of 81 cells. With a stride of 82 they are lines: 81 cells and a line feed.
    ///
    /// # Safety
    ///
    /// The caller promises what [`new`](Self::new) says; with a stride of 82 the line feeds belong to the rows.
    pub(crate) unsafe fn of_cells(
        what: &str,
        first: *mut u8,
        count: usize,
        stride: usize,
    ) -> Result<Self, Failure> {
        let width = if stride == CELLS + 1 {
            CELLS + 1
        } else {
            CELLS
        };
        // SAFETY: as the caller of this function promises.
        unsafe { Self::new(what, first, count, stride, width) }
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    pub(crate) fn len(&self) -> usize {
        self.shape.count
    }

    /// The rows, if they are cells that lie side by side.
    pub(crate) fn as_cells(&mut self) -> Option<&mut [[u8; CELLS]]> {
        let Shape {
            count,
            stride,
            width,
            ..
        } = self.shape;
        if count == 0 || (stride, width) != (CELLS, CELLS) {
            return None;
        }
        // SAFETY: all bytes are those of rows, their number was checked, and arrays of bytes need no alignment.
        Some(unsafe { slice::from_raw_parts_mut(self.first.cast(), count) })
    }

    /// The first rows, and the others.
    pub(crate) fn split_at(self, rows: usize) -> (Self, Self) {
        assert!(rows <= self.shape.count);
        let before = rows * self.shape.stride;
        let of = |first, start, count| Self {
            first,
            shape: Shape {
                start,
                count,
                ..self.shape
            },
            of_caller: PhantomData,
        };
        let start = self.shape.start;
        (
            of(self.first, start, rows),
            // Without a row it may be beyond the memory, and is never written to.
            of(
                self.first.wrapping_add(before),
                start.wrapping_add(before),
                self.shape.count - rows,
            ),
        )
    }

    /// Writes a row. A line of cells gets its line feed.
    #[inline]
    pub(crate) fn write(&mut self, row: usize, bytes: &[u8]) {
        let Shape {
            count,
            stride,
            width,
            ..
        } = self.shape;
        let is_line = self.are_lines();
        assert!(row < count && bytes.len() + usize::from(is_line) == width);
        // SAFETY: the row is one of those that the view was made of, and has so many bytes.
        unsafe {
            let to = self.first.add(row * stride);
            to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
            if is_line {
                to.add(CELLS).write(b'\n');
            }
        }
    }

    /// Writes rows of a byte each.
    pub(crate) fn write_bytes(&mut self, bytes: impl ExactSizeIterator<Item = u8>) {
        let Shape {
            count,
            stride,
            width,
            ..
        } = self.shape;
        assert!(width == 1 && bytes.len() == count);
        let bytes = bytes.take(count).enumerate();
        // A stride that the compiler knows makes vectors of it.
        // SAFETY: there are as many rows.
        unsafe {
            if stride == 1 {
                bytes.for_each(|(row, byte)| self.first.add(row).write(byte));
            } else {
                bytes.for_each(|(row, byte)| self.first.add(row * stride).write(byte));
            }
        }
    }

    /// Returns true if the rows are lines: 81 cells and a line feed.
    pub(crate) fn are_lines(&self) -> bool {
        self.shape.width == CELLS + 1 && self.shape.stride == CELLS + 1
    }

    /// The rows as lines, if they are.
    pub(crate) fn as_lines(&mut self) -> Option<&mut [[u8; 82]]> {
        let count = self.shape.count;
        if count == 0 || !self.are_lines() {
            return None;
        }
        // SAFETY: all bytes are those of rows, their number was checked, and arrays of bytes need no alignment.
        // C has no memory without a value that Rust could know of.
        Some(unsafe { slice::from_raw_parts_mut(self.first.cast(), count) })
    }
}

/// A text of the caller; a null pointer is an empty one.
///
/// # Safety
///
/// A pointer that is not null leads to bytes with a zero behind them, which nobody writes to as long as `'c`.
pub(crate) unsafe fn text<'c>(what: &str, text: *const c_char) -> Result<&'c str, Failure> {
    if text.is_null() {
        return Ok("");
    }
    // SAFETY: as the caller of this function promises.
    let text = unsafe { CStr::from_ptr(text) };
    let is_wrong = |_| Failure::option(format_args!("{what}: this is no UTF-8"));
    text.to_str().map_err(is_wrong)
}
