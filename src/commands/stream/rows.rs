//! The rows that a command makes of a batch of records.

use super::rejects::Rejected;
use std::{fmt::Display, io::Write, ops::Range};
use sudoku_batch::{
    format::Records,
    grid::{BLANK, CELLS, GridLine},
    pipeline::Out,
    solve::NO_SOLUTION,
};

/// Rows, in the order in which they are written. Each belongs to a record, and has a value
/// for each column of the command.
///
/// A command fills them in one of two ways:
///
/// - [`row`](Self::row), any number of times for a record;
/// - [`lines`](Self::lines), once: a row for each record, with 81 cells in the first column;
///   then [`row`](Self::row) once for each record, in order, with the values of the other
///   columns.
pub(crate) struct Rows<'o> {
    records: &'o Records,
    memory: Memory,
    columns: usize,
    /// The room in the output, where lines are written to it as they are.
    room: Option<Out<'o>>,
    lines: Lines<'o>,
    rejected: Rejected,
    most_rejected: usize,
}

/// What a thread keeps from batch to batch.
#[derive(Default)]
pub(super) struct Memory {
    /// The record of each row, with [`UNCHANGED`] where it is written as it was read, and the
    /// part of the output that it goes to.
    rows: Vec<(u32, u32)>,
    /// The values of all rows, one after the other, and where each ends.
    text: Vec<u8>,
    ends: Vec<usize>,
    lines: Vec<GridLine>,
}

/// The bit of a row that is written as it was read.
const UNCHANGED: u32 = 1 << 31;

enum Lines<'o> {
    /// The rows have all their values.
    None,
    /// The first values are in the memory of the thread.
    Kept,
    /// All there is to be written is in its place.
    Written(&'o mut [GridLine]),
}

impl<'o> Rows<'o> {
    /// For these records and so many columns; `room` is given where the output is just the
    /// lines.
    pub(super) fn new(
        records: &'o Records,
        mut memory: Memory,
        columns: usize,
        room: Option<Out<'o>>,
        most_rejected: usize,
    ) -> Self {
        memory.rows.clear();
        memory.text.clear();
        memory.ends.clear();
        Self {
            records,
            memory,
            columns,
            room,
            lines: Lines::None,
            rejected: Rejected::default(),
            most_rejected,
        }
    }

    /// A line for each record, for 81 cells: [`NO_SOLUTION`] stands for none.
    ///
    /// In the form `line` this is the memory that is written to the output.
    pub(crate) fn lines(&mut self) -> &mut [GridLine] {
        let count = self.records.len();
        if let Some(out) = self.room.take() {
            let bytes = out.exactly(count * size_of::<GridLine>());
            self.lines = Lines::Written(bytes.as_chunks_mut().0);
        } else {
            self.memory.lines.clear();
            self.memory.lines.resize(count, NO_SOLUTION);
            self.lines = Lines::Kept;
        }
        match &mut self.lines {
            Lines::Written(lines) => lines,
            _ => &mut self.memory.lines,
        }
    }

    /// Whether there is anything to do after [`lines`](Self::lines): where the output is
    /// just the lines, rows are not asked for, and those that are added are dropped.
    pub(crate) fn wants_values(&self) -> bool {
        !matches!(self.lines, Lines::Written(_))
    }

    /// Adds a row of a record. Its values follow, column by column: all but the first, if
    /// [`lines`](Self::lines) has that.
    pub(crate) fn row(&mut self, record: usize) -> Row<'_> {
        self.memory.rows.push((record as u32, 0));
        if matches!(self.lines, Lines::Kept) {
            self.memory.ends.push(self.memory.text.len());
        }
        Row(&mut self.memory)
    }

    /// Adds a row of a record that is written as it was read. It is for commands whose columns
    /// all stand in the place of columns of the user.
    pub(crate) fn unchanged(&mut self, record: usize) {
        self.memory.rows.push((record as u32 | UNCHANGED, 0));
        let end = self.memory.text.len();
        self.memory.ends.extend((0..self.columns).map(|_| end));
    }

    /// Notes a record that is not as it should be: the name of the reason, and a detail that
    /// may be empty. It is told on standard error and written to the rejects. Neither may
    /// have a tab in it. Call it in the order of the records.
    pub(crate) fn reject(&mut self, record: usize, reason: &str, detail: impl Display) {
        if self.rejected.len() < self.most_rejected {
            self.rejected.push(self.records, record, reason, detail);
        }
    }

    /// Ends the filling: the rejects, the memory with the rows, and room for them if they are
    /// not in the output already.
    pub(super) fn finish(mut self, room: Option<Out<'o>>) -> (Rejected, Memory, Option<Out<'o>>) {
        let written = matches!(self.lines, Lines::Written(_));
        let rows = self.memory.rows.len();
        assert!(
            written || self.memory.ends.len() == rows * self.columns,
            "each row has a value for each column"
        );
        if matches!(self.lines, Lines::Kept) {
            assert_eq!(rows, self.records.len(), "a row for each record");
        } else {
            self.memory.lines.clear();
        }
        (self.rejected, self.memory, self.room.or(room))
    }
}

/// A row that is being filled.
pub(crate) struct Row<'r>(&'r mut Memory);

impl Row<'_> {
    /// The value of the next column.
    pub(crate) fn value(self, text: impl AsRef<[u8]>) -> Self {
        self.0.text.extend_from_slice(text.as_ref());
        self.0.ends.push(self.0.text.len());
        self
    }

    /// The value of the next column: a number, or anything that can be displayed.
    pub(crate) fn display(self, value: impl Display) -> Self {
        write!(self.0.text, "{value}").expect("into memory");
        self.0.ends.push(self.0.text.len());
        self
    }

    /// Nothing in the next column.
    pub(crate) fn nothing(self) -> Self {
        self.value("")
    }

    /// Has the row go to a part of the output, by its number from 0: of those that
    /// [`RecordCommand::parts`](super::RecordCommand::parts) names.
    pub(crate) fn goes_to_part(self, part: usize) -> Self {
        self.0.rows.last_mut().expect("a row was added").1 = part as u32;
        self
    }
}

impl Memory {
    /// The record and the part of each row.
    pub(super) fn rows(&self) -> impl ExactSizeIterator<Item = (usize, usize)> {
        let pair = |&(record, part): &(u32, u32)| ((record & !UNCHANGED) as usize, part as usize);
        self.rows.iter().map(pair)
    }

    /// Whether a row is written as it was read.
    pub(super) fn is_unchanged(&self, row: usize) -> bool {
        self.rows[row].0 & UNCHANGED != 0
    }

    /// A value, by the number of its row, the number of columns, and its column.
    #[inline]
    pub(super) fn value(&self, row: usize, columns: usize, column: usize) -> &[u8] {
        if column == 0 && !self.lines.is_empty() {
            let line = &self.lines[row];
            return match line[0] {
                BLANK => &[],
                _ => &line[..CELLS],
            };
        }
        let at = row * columns + column;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range: Range<usize> = start..self.ends[at];
        &self.text[range]
    }
}
