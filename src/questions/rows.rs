//! The rows of answers as text, in any format.

use super::{Answer, RowTexts, RowView};
use crate::format::{Records, RowError, Values, Writer};
use std::{io::Write, ops::Range};

/// Writes the rows of answers. It keeps its memory from row to row.
#[derive(Debug, Default)]
pub struct RowWriter {
    line: Vec<u8>,
    texts: RowTexts,
    number: NumberText,
}

impl RowWriter {
    /// Writes the rows of a record, by their places in the columns. `first` is the number of the first record that was
    /// read of the batch, if a column shows the numbers of records. `line` appends what the format `line` shows of a row, as
    /// [`Question::line`](super::Question::line) does.
    ///
    /// # Errors
    ///
    /// The record has no place for the columns.
    #[inline]
    pub fn write(
        &mut self,
        writer: &Writer,
        (records, answer): (&Records, &Answer<'_>),
        (record, places): (usize, Range<usize>),
        first: Option<u64>,
        line: impl Fn(&RowView<'_>, &mut Vec<u8>) -> bool,
        out: &mut impl Write,
    ) -> Result<(), RowError> {
        let number = match first {
            Some(first) => self.number.text(first + records.place(record) as u64),
            None => &[],
        };
        for place in places {
            if writer.form().is_of_plain_lines() && !writer.is_choosing() {
                let row = RowView {
                    records,
                    record,
                    number,
                    answer,
                    place,
                };
                self.line.clear();
                if line(&row, &mut self.line) {
                    self.line.push(b'\n');
                    out.write_all(&self.line)?;
                    continue;
                }
            }
            answer.write_row(place, &mut self.texts);
            let value = |column: usize| match answer.kinds()[column] {
                Values::Record => number,
                _ => answer.value(record, place, column, &self.texts),
            };
            writer.row(records, record, value, out)?;
        }
        Ok(())
    }
}

/// The text of the number of a record. Nearly always it is the number after the last one, and then one
/// digit changes: the numbers of grids in CSV take 1 % of the time in place of 7 %.
#[derive(Debug, Default)]
struct NumberText {
    number: u64,
    text: Vec<u8>,
}

impl NumberText {
    fn text(&mut self, number: u64) -> &[u8] {
        match (number.wrapping_sub(self.number), self.text.last_mut()) {
            (0, Some(_)) => {}
            (1, Some(digit)) if *digit < b'9' => *digit += 1,
            _ => {
                self.text.clear();
                write!(self.text, "{number}").expect("into memory");
            }
        }
        self.number = number;
        &self.text
    }
}
