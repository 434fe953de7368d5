//! The rows that a command makes of a batch of records.

use super::rejects::Rejected;
use std::{fmt::Display, io::Write, ops::Range};
use sudoku_batch::{
    format::Records,
    grid::{BLANK, CELLS, GridLine},
    pipeline::Out,
    questions::Reject,
    solve::NO_SOLUTION,
};

/// Rows, in the order in which they are written. Each belongs to a record, and has a value
/// for each column of the command.
///
/// A command fills them in one of three ways:
///
/// - [`row`](Self::row), any number of times for a record;
/// - [`images`](Self::images), for many rows that differ in cells alone;
/// - [`lines`](Self::lines), once: a row for each record, with 81 cells in the first column;
///   then [`row`](Self::row) once for each record, in order, with the values of the other
///   columns.
pub(crate) struct Rows<'o> {
    records: &'o Records,
    memory: Memory,
    columns: usize,
    /// The space in the output, if the lines are written there directly.
    room: Option<Out<'o>>,
    lines: Lines<'o>,
    rejected: Rejected,
    most_rejected: usize,
    /// The record at which the next part of the batch begins or goes on, if there is one.
    pub(super) next: Option<usize>,
}

/// What a thread keeps from batch to batch.
#[derive(Default)]
pub(super) struct Memory {
    rows: Vec<Entry>,
    /// The values of all rows, one after the other, and the end of each.
    text: Vec<u8>,
    ends: Vec<usize>,
    lines: Vec<GridLine>,
    /// The cells of rows that differ in cells alone: for each [`Kind::Images`], all of its
    /// first column, all of its second column, and so on.
    images: Vec<GridLine>,
}

/// A row, or several rows of one record.
pub(super) struct Entry {
    record: u32,
    /// The part of the output that it goes to.
    part: u32,
    kind: Kind,
}

/// How a row is made.
enum Kind {
    /// From the values of its columns.
    Values,
    /// It is written as it was read.
    Unchanged,
    /// So many rows, from the cells that begin at this place of [`Memory::images`].
    Images { first: usize, count: usize },
}

enum Lines<'o> {
    /// The rows hold all values.
    None,
    /// The memory of the thread holds the first values.
    Kept,
    /// The lines are already in the output, and nothing else is written.
    Written(&'o mut [GridLine]),
}

impl<'o> Rows<'o> {
    /// Prepares rows for these records and this number of columns. `room` is given if the
    /// output is just the lines.
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
        memory.images.clear();
        Self {
            records,
            memory,
            columns,
            room,
            lines: Lines::None,
            rejected: Rejected::default(),
            most_rejected,
            next: None,
        }
    }

    /// Says that the rows are a part of the batch, and at which record the next part begins or goes on.
    /// These rows are written before the command is asked again about the same batch. So a record may
    /// have more rows than there is memory.
    pub(crate) fn go_on_at(&mut self, record: Option<usize>) {
        self.next = record;
    }

    /// A line of 81 cells for each record. [`NO_SOLUTION`] means none.
    ///
    /// In the form `line` this memory is written to the output directly.
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

    /// Whether there is more to do after [`lines`](Self::lines). If the output is just the
    /// lines, no rows are needed, and added rows are dropped.
    pub(crate) fn wants_values(&self) -> bool {
        !matches!(self.lines, Lines::Written(_))
    }

    /// Adds a row of a record. Its values follow, column by column. If
    /// [`lines`](Self::lines) was called, leave out the first value.
    pub(crate) fn row(&mut self, record: usize) -> Row<'_> {
        self.memory.rows.push(Entry::new(record, Kind::Values));
        if matches!(self.lines, Lines::Kept) {
            self.memory.ends.push(self.memory.text.len());
        }
        Row(&mut self.memory)
    }

    /// Adds rows of a record that differ in cells alone: a slice for each column, and a row
    /// for each place in the slices. It does the same as [`row`](Self::row) with these cells,
    /// faster.
    pub(crate) fn images(&mut self, record: usize, columns: &[&[GridLine]]) {
        assert_eq!(columns.len(), self.columns, "cells for each column");
        if columns[0].is_empty() {
            return;
        }
        let kind = Kind::Images {
            first: self.memory.images.len(),
            count: columns[0].len(),
        };
        for column in columns {
            assert_eq!(column.len(), columns[0].len(), "a value for each row");
            self.memory.images.extend_from_slice(column);
        }
        self.add_without_values(record, kind);
    }

    /// Adds a row of a record that is written as it was read. It is for commands whose
    /// columns all replace columns of the user.
    pub(crate) fn unchanged(&mut self, record: usize) {
        self.add_without_values(record, Kind::Unchanged);
    }

    fn add_without_values(&mut self, record: usize, kind: Kind) {
        self.memory.rows.push(Entry::new(record, kind));
        let end = self.memory.text.len();
        self.memory.ends.extend((0..self.columns).map(|_| end));
    }

    /// The rows so far, for `--verify`.
    pub(super) fn made(&self) -> MadeRows<'_> {
        MadeRows {
            memory: &self.memory,
            columns: self.columns,
            lines: match &self.lines {
                Lines::None => &[],
                Lines::Kept => &self.memory.lines,
                Lines::Written(lines) => lines,
            },
        }
    }

    /// Changes what is about to be written in a column of the first row of a record, as a
    /// defective command would.
    #[cfg(test)]
    pub(crate) fn corrupt(&mut self, record: usize, column: usize, change: impl Fn(&mut [u8])) {
        let memory = &mut self.memory;
        match &mut self.lines {
            Lines::Written(lines) => return change(&mut lines[record][..CELLS]),
            Lines::Kept if column == 0 => return change(&mut memory.lines[record][..CELLS]),
            _ => {}
        }
        let is_of_record = |entry: &Entry| entry.record() == record && !entry.is_unchanged();
        let Some(row) = memory.rows.iter().position(is_of_record) else {
            // Another part of the batch has it.
            return;
        };
        if let Kind::Images { first, count } = memory.rows[row].kind {
            return change(&mut memory.images[first + column * count][..CELLS]);
        }
        let at = row * self.columns + column;
        let start = at.checked_sub(1).map_or(0, |before| memory.ends[before]);
        change(&mut memory.text[start..memory.ends[at]]);
    }

    /// Notes a record that fails: the name of the reason, and a detail that may be empty.
    /// Neither may contain a tab. The driver reports it on standard error and writes it to
    /// the rejects. Call this in the order of the records.
    pub(crate) fn reject(&mut self, record: usize, reason: &str, detail: impl Display) {
        if self.rejected.len() < self.most_rejected {
            self.rejected.push(self.records, record, reason, detail);
        }
    }

    /// Notes the records that fail, with their reasons.
    pub(crate) fn rejects(&mut self, rejects: &[Reject]) {
        for reject in rejects {
            self.reject(reject.record, reject.reason.name(), reject.reason);
        }
    }

    /// Ends the filling. Returns the rejects, the memory with the rows, and the space for
    /// the rows if they are not in the output already.
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

impl Rows<'_> {
    /// Drops the rows of a batch that the command could not answer.
    pub(super) fn give_up(self) -> (Rejected, Memory, Option<Out<'static>>) {
        (Rejected::default(), Memory::default(), None)
    }
}

/// The rows of a batch, as they are about to be written.
pub(crate) struct MadeRows<'m> {
    memory: &'m Memory,
    columns: usize,
    lines: &'m [GridLine],
}

/// A row, or several rows of one record that differ in cells alone.
pub(crate) struct MadeRow<'m> {
    /// Its record.
    pub(crate) record: usize,
    row: usize,
    made: &'m MadeRows<'m>,
    /// The cells, column by column, if it is several rows.
    pub(crate) images: Option<Vec<&'m [GridLine]>>,
}

impl<'m> MadeRows<'m> {
    /// The line of each record, if the command filled [`Rows::lines`].
    pub(crate) fn lines(&self) -> &'m [GridLine] {
        self.lines
    }

    /// The rows in their order, without those that are written as they were read.
    pub(crate) fn rows(&'m self) -> impl Iterator<Item = MadeRow<'m>> {
        let rows = self.memory.rows().iter().enumerate();
        rows.filter(|(_, entry)| !entry.is_unchanged())
            .map(|(row, entry)| MadeRow {
                record: entry.record(),
                row,
                made: self,
                images: self.memory.images(entry, self.columns),
            })
    }
}

impl<'m> MadeRow<'m> {
    /// The value of a column, by its number from 0. If the row is several, it has no values.
    pub(crate) fn value(&self, column: usize) -> &'m [u8] {
        self.made.memory.value(self.row, self.made.columns, column)
    }
}

/// A row that is being filled.
pub(crate) struct Row<'r>(&'r mut Memory);

impl Row<'_> {
    /// Adds the value of the next column.
    pub(crate) fn value(self, text: impl AsRef<[u8]>) -> Self {
        self.0.text.extend_from_slice(text.as_ref());
        self.0.ends.push(self.0.text.len());
        self
    }

    /// Adds the value of the next column: a number, or anything else that can be displayed.
    pub(crate) fn display(self, value: impl Display) -> Self {
        write!(self.0.text, "{value}").expect("into memory");
        self.0.ends.push(self.0.text.len());
        self
    }

    /// Adds the value of the next column, or leaves the column empty.
    pub(crate) fn optional(self, value: Option<impl Display>) -> Self {
        match value {
            Some(value) => self.display(value),
            None => self.nothing(),
        }
    }

    /// Leaves the next column empty.
    pub(crate) fn nothing(self) -> Self {
        self.value("")
    }

    /// Sends the row to a part of the output. `part` is the number, from 0, of a name of
    /// [`Sink::Parts`](super::Sink::Parts).
    pub(crate) fn goes_to_part(self, part: usize) -> Self {
        self.0.rows.last_mut().expect("a row was added").part = part as u32;
        self
    }
}

impl Entry {
    fn new(record: usize, kind: Kind) -> Self {
        Self {
            record: record as u32,
            part: 0,
            kind,
        }
    }

    /// Its record.
    pub(super) fn record(&self) -> usize {
        self.record as usize
    }

    /// The part of the output that it goes to.
    pub(super) fn part(&self) -> usize {
        self.part as usize
    }

    /// Whether the row is written as it was read.
    pub(super) fn is_unchanged(&self) -> bool {
        matches!(self.kind, Kind::Unchanged)
    }
}

impl Memory {
    /// The rows. An entry that has [`images`](Self::images) is several.
    pub(super) fn rows(&self) -> &[Entry] {
        &self.rows
    }

    /// The cells of the rows of an entry, column by column. They are `None` if the entry is
    /// one row.
    pub(super) fn images(&self, entry: &Entry, columns: usize) -> Option<Vec<&[GridLine]>> {
        let Kind::Images { first, count } = entry.kind else {
            return None;
        };
        let cells = &self.images[first..][..columns * count];
        Some(cells.chunks_exact(count).collect())
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
