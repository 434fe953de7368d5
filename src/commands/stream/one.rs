//! Runs a command on one input.

use super::{
    Job, Lot, Memory, RecordCommand, RowView, Rows,
    places::{Counts, Places},
    rejects::{Rejected, Rejects, place_in_bytes},
    rows::Entry,
    source::{Piece, Source},
    taken,
};
use crate::{
    cli::records::RecordOptions,
    commands::{
        checker::{self, Checker},
        job::{self, Report},
    },
};
use anyhow::bail;
use memchr::memmem;
use std::{io::Write, mem, ops::Range};
use sudoku_batch::{
    format::{Form, Frame, Layout, Records, RowError, Values, Writer},
    grid::{CELLS, GridLine},
    pipeline::{Error, Growing, Out, output::Output},
};

/// State that the inputs share, updated in their order.
pub(super) struct Told<'t, T> {
    pub(super) total: &'t mut T,
    pub(super) rejects: Rejects,
    /// The number of records so far.
    pub(super) records: u64,
    /// The number of pieces of the inputs before.
    pieces: u64,
    /// `names`: whether rejects include the names of their inputs. `bytes`: whether places
    /// are in bytes.
    names: bool,
    bytes: bool,
}

impl<'t, T> Told<'t, T> {
    pub(super) fn new(total: &'t mut T, options: &RecordOptions) -> Self {
        Self {
            total,
            rejects: Rejects::new(None),
            records: 0,
            pieces: 0,
            names: options.files.len() > 1,
            bytes: options.shard.is_some(),
        }
    }
}

/// The result of a piece.
pub(super) struct Answered<T> {
    bytes: u64,
    lines: u64,
    records: u64,
    total: T,
    rejected: Rejected,
    written: Written,
}

/// A row to write.
struct OneRow<'r> {
    records: &'r Records,
    memory: &'r Memory,
    /// The number of the entry.
    row: usize,
    entry: &'r Entry,
}

/// What is known about the output bytes of a piece.
#[derive(Default)]
struct Written {
    /// The end of each row, if the command selects rows.
    row_ends: Vec<usize>,
    /// The places for the numbers of records, and the numbers within the piece, from 0.
    numbers: Vec<(usize, u64)>,
    /// The rows for the parts of the output, except the first part.
    parts: Vec<Vec<u8>>,
    /// A record that cannot be written. Its place is its line in the piece, or for a shard its
    /// byte in the input.
    failed: Option<(u64, Failure)>,
}

/// Why a record is not written.
enum Failure {
    /// It has no place for the columns.
    Row(RowError),
    /// `--verify` finds it wrong.
    Wrong(String),
}

/// The state that a thread keeps.
struct Kept<K> {
    records: Records,
    memory: Memory,
    scratch: Scratch,
    command: K,
    checker: Option<Checker>,
}

/// Memory for making rows.
#[derive(Default)]
struct Scratch {
    line: Vec<u8>,
    frame: Frame,
}

/// The placeholder for the number of a record until it is known. It is as long as the
/// longest number.
const NUMBER: &[u8; 20] = b"\xff<record's number!>\xff";

/// A command at work on one input.
pub(super) struct One<'o, C> {
    command: &'o C,
    writer: &'o Writer,
    /// Writes rows that stay as they were read.
    plain: Writer,
    layout: &'o Layout,
    options: &'o RecordOptions,
    /// Whether a column holds the numbers of records.
    numbers: bool,
    /// The pieces in work.
    places: Places,
}

impl<'o, C: RecordCommand> One<'o, C> {
    pub(super) fn new(
        command: &'o C,
        writer: &'o Writer,
        layout: &'o Layout,
        options: &'o RecordOptions,
    ) -> Self {
        let is_number = |column: &sudoku_batch::format::Added| column.values == Values::Record;
        Self {
            command,
            writer,
            plain: writer.without_columns(),
            layout,
            options,
            numbers: writer.columns().iter().any(is_number),
            places: Places::default(),
        }
    }

    /// Answers all records, in order, and writes to these outputs.
    pub(super) fn run(
        &self,
        job: &mut Job,
        source: &mut Source,
        outputs: &[Output],
        told: &mut Told<'_, C::Total>,
    ) -> anyhow::Result<()> {
        if self.numbers && self.options.shard.is_some() {
            bail!("--shard cannot tell the numbers of records: those before are not read");
        }
        let name = source.input.name().to_owned();
        let most_rejected = told.rejects.kept();
        let mut before = Counts::default();
        let pieces = source.pieces(self.options.line_buffered, self.command.rows_of_a_record());
        let pieces = (told.pieces..).zip(pieces);
        job.run_in_order(
            pieces.map(|(number, piece)| Ok((number, piece?))),
            &outputs[0],
            || Kept {
                records: Records::default(),
                memory: Memory::default(),
                scratch: Scratch::default(),
                command: self.command.keep(),
                checker: self.command.verifies().then(Checker::new),
            },
            |kept, piece, out| self.answer(kept, piece, out, outputs.len(), most_rejected),
            C::SELECTS || self.numbers,
            |report, answered, bytes| {
                let range = self.arrange(told, answered, bytes);
                self.tell(answered, &name, &mut before, told, report)?;
                for (output, bytes) in outputs[1..].iter().zip(&answered.written.parts) {
                    output.write_next(bytes)?;
                }
                Ok(range)
            },
        )
        .map_err(|error| self.placed(error, &name, before, told))
    }

    /// An error of the run, with its place in the input: `before` it are so many records and
    /// lines.
    fn placed(
        &self,
        error: anyhow::Error,
        name: &str,
        before: Counts,
        told: &Told<'_, C::Total>,
    ) -> anyhow::Error {
        let error = job::with_place(error, |_| {
            // All pieces before the one of the thread are told.
            let place = (self.places).tell(told.pieces, (!told.bytes).then_some(before));
            format!("{name}: a thread panicked {place}")
        });
        match error.downcast::<Error>() {
            Ok(error) => error.after_lines(before.lines).into(),
            Err(error) => error,
        }
    }

    /// Reads and answers a piece.
    fn answer(
        &self,
        kept: &mut Kept<C::Kept>,
        (number, mut piece): (u64, Piece),
        out: Out<'_>,
        parts: usize,
        most_rejected: usize,
    ) -> Answered<C::Total> {
        let _guard = AbandonOnPanic(self.command, number);
        self.places.begin(number, &piece);
        let Kept {
            records,
            memory,
            scratch,
            command,
            checker,
        } = kept;
        records.clear();
        records.add_lines(piece.skipped_lines);
        self.layout.read(piece.text(), records);
        self.places.read(number, records);
        let columns = self.writer.columns().len();
        let (room, out) = match self.writes_lines() {
            true => (Some(out), None),
            false => (None, Some(out)),
        };
        let mut rows = Rows::new(records, mem::take(memory), columns, room, most_rejected);
        let lot = Lot {
            records,
            number,
            layout: self.layout,
        };
        let total = self.command.answer(command, &lot, &mut rows);
        let mut written = Written::default();
        if let Some(checker) = checker
            && let Err(wrong) = self.command.verify(checker, &lot, &rows.made())
        {
            let line = records.line(wrong.record);
            written.failed = Some((line, Failure::Wrong(wrong.what)));
        }
        let (mut rejected, rows, out) = rows.finish(out);
        if let (Some(out), None) = (out, &written.failed) {
            written.parts.resize(parts - 1, Vec::new());
            self.write(records, &rows, scratch, &mut out.growing(), &mut written);
        }
        *memory = rows;
        if self.options.shard.is_some() {
            let (skipped, offset) = (piece.skipped_lines, piece.offset());
            rejected.places_in_bytes(piece.text(), skipped, offset);
            if let Some((place, _)) = &mut written.failed {
                *place = place_in_bytes(piece.text(), *place, skipped, offset);
            }
        }
        Answered {
            bytes: piece.source_bytes(),
            lines: records.lines(),
            records: records.len() as u64,
            total,
            rejected,
            written,
        }
    }

    /// Whether [`Rows::lines`] is the whole output.
    fn writes_lines(&self) -> bool {
        let first = self.writer.columns().first();
        self.writer.form() == Form::Line
            && !C::SELECTS
            && first.is_some_and(|column| column.values == Values::Cells)
            && self.command.parts().is_empty()
    }

    fn write(
        &self,
        records: &Records,
        memory: &Memory,
        scratch: &mut Scratch,
        out: &mut Growing<'_>,
        written: &mut Written,
    ) {
        for (row, entry) in memory.rows().iter().enumerate() {
            let start = out.len();
            let row = OneRow {
                records,
                memory,
                row,
                entry,
            };
            let done = match entry.part() {
                0 => self.write_row(&row, scratch, out),
                part => self.write_row(&row, scratch, &mut written.parts[part - 1]),
            };
            if let Err(error) = done {
                written.failed = Some((records.line(entry.record()), Failure::Row(error)));
                return;
            }
            if C::SELECTS {
                written.row_ends.push(out.len());
            }
            if self.numbers {
                let row = &out.appended()[start..];
                let place = memmem::rfind(row, NUMBER).expect("it was just written");
                written.numbers.push((start + place, entry.record() as u64));
            }
        }
    }

    #[inline]
    fn write_row(
        &self,
        row: &OneRow<'_>,
        scratch: &mut Scratch,
        out: &mut impl Write,
    ) -> Result<(), RowError> {
        let &OneRow {
            records,
            memory,
            row,
            entry,
        } = row;
        if entry.is_unchanged() {
            return self.plain.row(records, entry.record(), |_| &[], out);
        }
        let columns = self.writer.columns();
        if let Some(images) = memory.images(entry, columns.len()) {
            return self.write_images(records, entry.record(), &images, scratch, out);
        }
        let value = |number: usize| match columns[number].values {
            Values::Record => NUMBER,
            _ => memory.value(row, columns.len(), number),
        };
        self.write_values(records, entry.record(), &value, &mut scratch.line, out)
    }

    /// Writes rows of a record that differ in cells alone.
    fn write_images(
        &self,
        records: &Records,
        record: usize,
        images: &[&[GridLine]],
        scratch: &mut Scratch,
        out: &mut impl Write,
    ) -> Result<(), RowError> {
        assert!(
            !C::SELECTS && !self.numbers,
            "rows that are selected or have numbers are written one by one"
        );
        if scratch.frame.prepare(self.writer, records, record)? {
            return Ok(scratch.frame.rows(images, out)?);
        }
        let rows = images.first().map_or(0, |column| column.len());
        (0..rows).try_for_each(|row| {
            let value = |number: usize| &images[number][row][..CELLS];
            self.write_values(records, record, &value, &mut scratch.line, out)
        })
    }

    /// Writes a row with these values.
    #[inline]
    fn write_values<'v>(
        &self,
        records: &'v Records,
        record: usize,
        value: &'v (impl Fn(usize) -> &'v [u8] + 'v),
        line: &mut Vec<u8>,
        out: &mut impl Write,
    ) -> Result<(), RowError> {
        if self.writer.form() == Form::Line {
            let view = RowView {
                records,
                record,
                value,
            };
            line.clear();
            if self.command.line(&view, line) {
                line.push(b'\n');
                return Ok(out.write_all(line)?);
            }
        }
        self.writer.row(records, record, value, out)
    }

    /// Lets the command select the rows to write, and fills in the numbers of records.
    /// Returns the number of bytes to write.
    fn arrange(
        &self,
        told: &Told<'_, C::Total>,
        answered: &mut Answered<C::Total>,
        bytes: &mut [u8],
    ) -> Range<usize> {
        let written = &answered.written;
        let mut end = bytes.len();
        if C::SELECTS {
            let mut chosen = vec![true; written.row_ends.len()];
            (self.command).select(told.total, &mut answered.total, &mut chosen);
            let mut start = 0;
            end = 0;
            for (&row_end, chosen) in written.row_ends.iter().zip(chosen) {
                if chosen {
                    bytes.copy_within(start..row_end, end);
                    end += row_end - start;
                }
                start = row_end;
            }
        }
        if self.numbers {
            assert!(!C::SELECTS, "rows with numbers are all written");
            end = put_numbers(bytes, &written.numbers, told.records + 1);
        }
        0..end
    }

    /// Adds up and reports the result of a piece.
    fn tell(
        &self,
        answered: &mut Answered<C::Total>,
        name: &str,
        counts: &mut Counts,
        told: &mut Told<'_, C::Total>,
        report: &mut Report,
    ) -> anyhow::Result<()> {
        self.command.failure()?;
        let before = if told.bytes { 0 } else { counts.lines };
        let (names, bytes) = (told.names, told.bytes);
        let place = |line: u64| {
            let at = before + line;
            let message = match bytes {
                true => format!("{name}: byte {at}"),
                false => format!("{name}:{at}"),
            };
            let in_file = match names {
                true => format!("{name}:{at}"),
                false => at.to_string(),
            };
            (message, in_file)
        };
        if let Some((line, failure)) = answered.written.failed.take() {
            let place = place(line).0;
            match failure {
                Failure::Row(RowError::Taken(key)) => bail!("{}", taken(&place, &key)),
                Failure::Row(error) => bail!("{place}: {error}"),
                Failure::Wrong(what) => return Err(checker::error(place, what)),
            }
        }
        let rejected = &answered.rejected;
        if self.options.strict
            && let Some((line, reason, detail)) = rejected.first_malformed()
        {
            bail!("{}: {reason}: {detail} (--strict)", place(line).0);
        }
        told.rejects.tell(rejected, place, report)?;
        *told.total += mem::take(&mut answered.total);
        self.places.end(told.pieces);
        counts.lines += answered.lines;
        counts.records += answered.records;
        told.records += answered.records;
        told.pieces += 1;
        report.advance(answered.bytes, answered.records);
        Ok(())
    }
}

/// Tells the command when the thread that works on a batch panics, or others might wait for it
/// for ever.
struct AbandonOnPanic<'c, C: RecordCommand>(&'c C, u64);

impl<C: RecordCommand> Drop for AbandonOnPanic<'_, C> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon(self.1);
        }
    }
}

/// Fills in the numbers of records at their places, which are in order, and closes the
/// gaps. Returns the new number of bytes.
fn put_numbers(bytes: &mut [u8], places: &[(usize, u64)], first: u64) -> usize {
    let (mut from, mut to) = (0, 0);
    for &(place, record) in places {
        bytes.copy_within(from..place, to);
        to += place - from;
        let number = (first + record).to_string();
        bytes[to..to + number.len()].copy_from_slice(number.as_bytes());
        to += number.len();
        from = place + NUMBER.len();
    }
    bytes.copy_within(from.., to);
    to + bytes.len() - from
}
