//! Arrays of numpy: the head of a file of the format `npy`, version 1.0.
//!
//! ```text
//!     \x93NUMPY   1 0   118, 0   {'descr': '|u1', 'fortran_order': False, 'shape': (7, 81), }   \n   rows
//!     magic       version  length of the rest of the head, which spaces fill up
//! ```
//!
//! The head names the number of rows, so it is known last. It has the same length for any number:
//! a writer leaves room for it, appends the rows, and fills it in. The
//! [format](https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html) is that of
//! numpy. It wants a length that is a multiple of 64.

/// The length of the head of a file, in bytes. The rows come after it.
pub const HEAD: usize = 128;

/// A row of an array: numbers of one type, in some dimensions. Without a dimension it is one number.
///
/// ```
/// use sudoku_batch::format::npy::{HEAD, RowType};
/// let grids = RowType::u8(&[81]);
/// let head = grids.head(7 * 81);
/// assert_eq!(head.len(), HEAD);
/// let text = String::from_utf8_lossy(&head[10..]);
/// assert!(text.starts_with("{'descr': '|u1', 'fortran_order': False, 'shape': (7, 81), } "));
/// assert!(text.ends_with(" \n"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowType {
    /// The name of the type of the numbers in the head. All of them are little endian.
    name: &'static str,
    /// The length of a number in bytes.
    size: usize,
    shape: &'static [u16],
}

impl RowType {
    /// Bytes without a sign, with their number in each dimension: at most four dimensions.
    pub const fn u8(shape: &'static [u16]) -> Self {
        Self::new("|u1", 1, shape)
    }

    /// Bytes with a sign.
    pub const fn i8(shape: &'static [u16]) -> Self {
        Self::new("|i1", 1, shape)
    }

    /// Numbers of 16 bits with a sign.
    pub const fn i16(shape: &'static [u16]) -> Self {
        Self::new("<i2", 2, shape)
    }

    /// Numbers of 32 bits with a sign.
    pub const fn i32(shape: &'static [u16]) -> Self {
        Self::new("<i4", 4, shape)
    }

    /// Numbers of 64 bits of floating point.
    pub const fn f64(shape: &'static [u16]) -> Self {
        Self::new("<f8", 8, shape)
    }

    const fn new(name: &'static str, size: usize, shape: &'static [u16]) -> Self {
        Self { name, size, shape }
    }

    /// The length of a row in bytes.
    pub fn length(&self) -> usize {
        let numbers = self.shape.iter().map(|&n| usize::from(n));
        self.size * numbers.product::<usize>()
    }

    /// The head of a file whose rows take this number of bytes.
    ///
    /// # Panics
    ///
    /// The bytes are no whole number of rows.
    pub fn head(&self, bytes: u64) -> [u8; HEAD] {
        let length = self.length() as u64;
        assert!(bytes.is_multiple_of(length), "a part of a row is missing");
        let mut shape = format!("{},", bytes / length);
        for dimension in self.shape {
            shape += &format!(" {dimension},");
        }
        // A tuple of one number keeps its comma, and no other has one at the end.
        let shape = match self.shape {
            [] => &shape,
            _ => shape.trim_end_matches(','),
        };
        let name = self.name;
        let text = format!("{{'descr': '{name}', 'fortran_order': False, 'shape': ({shape}), }}");
        const START: usize = 10;
        let mut head = [b' '; HEAD];
        head[..8].copy_from_slice(b"\x93NUMPY\x01\x00");
        head[8..START].copy_from_slice(&((HEAD - START) as u16).to_le_bytes());
        head[START..START + text.len()].copy_from_slice(text.as_bytes());
        head[HEAD - 1] = b'\n';
        head
    }
}
