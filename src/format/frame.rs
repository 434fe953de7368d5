//! Rows of one record that differ in the cells of some columns alone.
//!
//! The text between the cells is found once for all these rows:
//!
//! ```text
//!     id,question,answer,rating        the columns 0 (question) and 1 (answer) are new
//!     7,53..7....,534678912,2.3        the record
//!     7,[0],[1],2.3                    its frame
//! ```
//!
//! The writer of rows makes the frame: it writes one row with marks in place of the cells, and
//! whoever takes the row knows a mark by its place in memory. No text of the user can look
//! like a mark. `augment` writes ten images of a CSV row in half the time with frames. Two ways without places in
//! memory were tried: two rows with other cells, which differ where the cells are, took 12 % more instructions in
//! all; runs of one digit as cells, which are found again in the row, took 7 % more time, and the text of a
//! user may hold such a run.

use super::{Records, RowError, Writer};
use crate::grid::{CELLS, GridLine};
use std::io::{self, Write};

/// The rows of one record, with gaps for cells. It keeps its memory from record to record.
///
/// ```
/// use sudoku_batch::format::{Added, Form, Frame, Layout, Records, Values, Writer};
/// let text = format!("id,puzzle\n7,{}\n", ".".repeat(81));
/// let found = Layout::detect(text.as_bytes(), None, None)?;
/// let mut records = Records::default();
/// found.layout.read(&text.as_bytes()[found.skipped..], &mut records);
/// let image = Added::new("puzzle", Values::Cells).with_place_of_puzzle();
/// let writer = Writer::new(Form::Csv, found.layout, vec![image], found.line_end);
/// let mut frame = Frame::default();
/// assert!(frame.prepare(&writer, &records, 0)?);
/// let mut lines = [[b'1'; 82], [b'2'; 82]];
/// lines[0][81] = b'\n';
/// lines[1][81] = b'\n';
/// let mut out = Vec::new();
/// frame.rows(&[&lines], &mut out)?;
/// let expected = format!("7,{}\n7,{}\n", "1".repeat(81), "2".repeat(81));
/// assert_eq!(out, expected.into_bytes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The text without the cells.
    text: Vec<u8>,
    /// The places of cells in the text, in order, and the column that they are from.
    gaps: Vec<(usize, usize)>,
    /// For each column, a value that its address distinguishes from all others.
    marks: Vec<[u8; CELLS]>,
}

impl Frame {
    /// Finds the text of the rows of a record. Returns whether there is a frame: the format
    /// holds each value of the writer's columns once, or only the first, as it is. Blocks, for
    /// example, do not.
    ///
    /// # Errors
    ///
    /// The record does not fit the columns.
    pub fn prepare(
        &mut self,
        writer: &Writer,
        records: &Records,
        record: usize,
    ) -> Result<bool, RowError> {
        self.text.clear();
        self.gaps.clear();
        let columns = writer.columns().len();
        self.marks.resize(columns, [b'1'; CELLS]);
        let marks = &self.marks;
        let mut framing = FrameWriter {
            text: &mut self.text,
            gaps: &mut self.gaps,
            marks,
        };
        writer.row(records, record, |column| &marks[column], &mut framing)?;
        Ok(self.gaps.len() == columns || self.is_line())
    }

    /// Returns true if a row is the cells of the first column and a line feed.
    fn is_line(&self) -> bool {
        self.text == b"\n" && self.gaps == [(0, 0)]
    }

    /// Writes a row for each line: row `i` has the cells of `columns[c][i]` in column `c`.
    ///
    /// # Errors
    ///
    /// Returns the errors of the writer.
    ///
    /// # Panics
    ///
    /// A column is missing, or shorter than the first.
    #[inline]
    pub fn rows(&self, columns: &[&[GridLine]], out: &mut impl Write) -> io::Result<()> {
        if self.is_line() {
            return out.write_all(columns[0].as_flattened());
        }
        (0..columns[0].len()).try_for_each(|row| {
            let mut start = 0;
            for &(gap, column) in &self.gaps {
                out.write_all(&self.text[start..gap])?;
                out.write_all(&columns[column][row][..CELLS])?;
                start = gap;
            }
            out.write_all(&self.text[start..])
        })
    }
}

/// Takes a row that has marks for cells.
struct FrameWriter<'f> {
    text: &'f mut Vec<u8>,
    gaps: &'f mut Vec<(usize, usize)>,
    marks: &'f [[u8; CELLS]],
}

impl Write for FrameWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_mark = |mark: &[u8; CELLS]| std::ptr::eq(mark.as_slice(), bytes);
        match self.marks.iter().position(is_mark) {
            Some(column) => self.gaps.push((self.text.len(), column)),
            None => self.text.extend_from_slice(bytes),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
