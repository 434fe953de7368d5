//! Runs a command on one input.

use super::{
    Arrays, Job, RecordBatch, RecordCommand, Sink, Task, Worker, advice,
    job::{self, Report},
    places::{LinesAndRecords, Places},
    rejects::{Rejected, Rejects, place_in_bytes},
    source::{Piece, Source},
    verify,
};
use crate::pipeline::{Error, Growing, Out, output::Output};
use anyhow::bail;
use memchr::memmem;
use std::{
    io::Write,
    mem,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use sudoku_batch::{
    format::{Column, Form, Frame, Layout, Place, Records, RowError, Values, Writer},
    grid::GridLine,
    questions::{
        Answer, Counts, Data, Entry, RowTexts, RowView,
        verification::{Check, Checker, Part},
    },
};

/// What the inputs add up to, in their order.
pub(super) struct RunTotals {
    pub(super) counts: Counts,
    pub(super) rejects: Rejects,
    /// The number of records so far.
    pub(super) records: u64,
    /// The number of pieces of the inputs before.
    pieces: u64,
    /// Whether rejects include the names of their inputs.
    names: bool,
    /// Whether places are in bytes.
    bytes: bool,
}

impl RunTotals {
    pub(super) fn new(task: &Task<'_>) -> Self {
        Self {
            counts: Counts::default(),
            rejects: Rejects::new(None),
            records: 0,
            pieces: 0,
            names: task.read.files.len() > 1,
            bytes: task.shard.is_some(),
        }
    }

    /// Adds the counts of an empty batch: without records, they have their names and are 0.
    pub(super) fn count_nothing(
        &mut self,
        command: &dyn RecordCommand,
        kinds: &[Values],
    ) -> anyhow::Result<()> {
        let batch = RecordBatch {
            records: &Records::default(),
            number: self.pieces,
            layout: &Layout::Line,
        };
        let mut answer = Answer::new(kinds);
        answer.begin(0);
        command.worker()(&batch, &mut answer)?;
        self.counts += answer.counts;
        Ok(())
    }
}

/// The result of a piece.
struct Answered {
    bytes: u64,
    lines: u64,
    records: u64,
    counts: Counts,
    rejected: Rejected,
    written: Written,
    /// The error that the command had.
    error: Option<anyhow::Error>,
    /// Whether more parts of the piece come.
    has_more: bool,
}

/// What is known about the output bytes of a piece.
#[derive(Default)]
struct Written {
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
    /// It has a value that the arrays cannot hold.
    Value(String),
}

/// The state that a thread keeps.
struct ThreadState<'c> {
    records: Records,
    answer: Answer<'static>,
    scratch: Scratch,
    worker: Worker<'c>,
    checker: Option<Checker>,
    /// The parts before, while a piece is answered in parts.
    part: Option<Part>,
}

/// Memory for making rows.
#[derive(Default)]
struct Scratch {
    line: Vec<u8>,
    frame: Frame,
    texts: RowTexts,
}

/// The placeholder for the number of a record until it is known. It is as long as the
/// longest number.
const NUMBER: &[u8; 20] = b"\xff<record's number!>\xff";

/// A command at work on one input.
pub(super) struct InputRun<'o> {
    command: &'o dyn RecordCommand,
    writer: &'o Writer,
    /// Writes rows that stay as they were read.
    plain: Writer,
    layout: &'o Layout,
    task: &'o Task<'o>,
    /// About how many rows a record becomes.
    pub(super) rows_of_a_record: usize,
    /// How rows are checked, and the column of answers to compare with.
    pub(super) check: Option<(Check, Option<Column>)>,
    /// The columns that the output does not show.
    pub(super) hidden: Vec<bool>,
    /// Whether all puzzles are given by candidates, or by 81 cells, before they are answered.
    given_by: Option<bool>,
    /// Whether a column of the output holds the numbers of records.
    numbers: bool,
    arrays: Option<&'o Arrays>,
    /// The pieces in work.
    places: Places,
    /// Whether a record was a full grid, and whether one was a puzzle with blanks.
    seen: [AtomicBool; 2],
}

impl<'o> InputRun<'o> {
    pub(super) fn new(
        command: &'o dyn RecordCommand,
        writer: &'o Writer,
        layout: &'o Layout,
        task: &'o Task<'o>,
    ) -> Self {
        let is_number = |column: &sudoku_batch::format::Added| column.values == Values::Record;
        Self {
            command,
            writer,
            plain: writer.without_columns(),
            layout,
            task,
            rows_of_a_record: 1,
            check: None,
            hidden: Vec::new(),
            given_by: given_by(writer, task),
            numbers: !writer.form().is_of_nine_lines() && writer.columns().iter().any(is_number),
            arrays: None,
            places: Places::default(),
            seen: Default::default(),
        }
    }

    /// Whether all records that are not malformed were full grids, and there was one.
    pub(super) fn has_only_grids(&self) -> bool {
        let [grids, puzzles] = &self.seen;
        grids.load(Relaxed) && !puzzles.load(Relaxed)
    }

    /// Notes whether records are full grids. One puzzle with blanks ends the search.
    fn look_for_blanks(&self, records: &Records) {
        let [grids, puzzles] = &self.seen;
        let mut good = (0..records.len()).filter(|&record| records.error(record).is_none());
        if !puzzles.load(Relaxed) {
            let found = good.any(|record| {
                let is_full = records.is_full(record);
                grids.fetch_or(is_full, Relaxed);
                !is_full
            });
            puzzles.fetch_or(found, Relaxed);
        }
    }

    /// Writes arrays in place of text.
    pub(super) fn with_arrays(self, arrays: Option<&'o Arrays>) -> Self {
        Self {
            numbers: self.numbers && arrays.is_none(),
            arrays,
            ..self
        }
    }

    /// Answers all records, in order, and writes to these outputs.
    pub(super) fn run(
        &self,
        job: &mut Job,
        source: &mut Source,
        (outputs, has_record): (&[Output], &mut [bool]),
        totals: &mut RunTotals,
    ) -> anyhow::Result<()> {
        let name = source.input.name().to_owned();
        let most_rejected = totals.rejects.kept();
        let begins_with_blank_line = self.writer.begins_with_blank_line();
        let mut before = LinesAndRecords::default();
        let pieces = source.pieces(self.task.at_once, self.rows_of_a_record);
        let pieces = (totals.pieces..).zip(pieces);
        job.run_in_order(
            pieces.map(|(number, piece)| Ok((number, piece?))),
            outputs.first(),
            || ThreadState {
                records: Records::default(),
                answer: self.empty_answer(),
                scratch: Scratch::default(),
                worker: self.command.worker(),
                checker: self.check.is_some().then(Checker::default),
                part: None,
            },
            |state, (number, piece), out| {
                let most = (outputs.len(), most_rejected);
                let answered = self.answer(state, *number, piece, out, most);
                let has_more = answered.has_more;
                (answered, has_more)
            },
            self.numbers || begins_with_blank_line,
            |report, answered, bytes| {
                if let Some(arrays) = self.arrays {
                    let first = totals.records + 1;
                    arrays.count_on(0, first, bytes);
                    let others = (1..).zip(&mut answered.written.parts);
                    others.for_each(|(at, bytes)| arrays.count_on(at, first, bytes));
                }
                let end = match self.numbers {
                    true => put_numbers(bytes, &answered.written.numbers, totals.records + 1),
                    false => bytes.len(),
                };
                // The blank line before the first record of an output is left out.
                let mut starts = has_record.iter_mut().map(|has_record| {
                    move |length: usize| {
                        let is_first = begins_with_blank_line && !*has_record && length > 0;
                        *has_record |= length > 0;
                        usize::from(is_first)
                    }
                });
                let start = starts.next().map_or(0, |mut start| start(end));
                self.add(answered, &name, &mut before, totals, report)?;
                let parts = outputs.iter().skip(1).zip(&answered.written.parts);
                for ((output, bytes), mut start) in parts.zip(starts) {
                    output.write_next(&bytes[start(bytes.len())..])?;
                }
                Ok(start..end)
            },
        )
        .map_err(|error| self.placed(error, &name, before, totals))
    }

    /// An error of the run, with its place in the input, which has these lines and records before
    /// it.
    fn placed(
        &self,
        error: anyhow::Error,
        name: &str,
        before: LinesAndRecords,
        totals: &RunTotals,
    ) -> anyhow::Error {
        let error = job::with_place(error, |_| {
            // All pieces before the one of the thread are added.
            let place = (self.places).describe(totals.pieces, (!totals.bytes).then_some(before));
            format!("{name}: a thread panicked {place}")
        });
        match error.downcast::<Error>() {
            Ok(error) => error.after_lines(before.lines).into(),
            Err(error) => error,
        }
    }

    /// Reads the records of a piece.
    fn read(&self, records: &mut Records, number: u64, piece: &mut Piece) {
        self.places.begin(number, piece);
        records.clear();
        records.add_lines(piece.skipped_lines);
        self.layout.read(piece.text(), records);
        if self.task.reduce {
            records.give_by(true);
            records.reduce();
        }
        if let Some(by_candidates) = self.given_by {
            records.give_by(by_candidates);
        }
        if let Some(blank) = self.task.blank {
            self.layout.set_blank(records, blank);
        }
        self.places.read(number, records);
        self.look_for_blanks(records);
    }

    /// Answers a piece, or the next part of it.
    fn answer(
        &self,
        state: &mut ThreadState<'_>,
        number: u64,
        piece: &mut Piece,
        out: Out<'_>,
        (parts, most_rejected): (usize, usize),
    ) -> Answered {
        let guard = AbandonOnPanic(self.command, number);
        let ThreadState {
            records,
            answer,
            scratch,
            worker,
            checker,
            part,
        } = state;
        let mut of_piece = part.take().unwrap_or_else(|| {
            self.read(records, number, piece);
            Part::default()
        });
        let (lent, out) = match self.writes_lines() {
            true => {
                let bytes = out.exactly(records.len() * size_of::<GridLine>());
                (Some(bytes.as_chunks_mut().0), None)
            }
            false => (None, Some(out)),
        };
        let mut rows = mem::take(answer).renewed(lent);
        rows.begin(records.len());
        let batch = RecordBatch {
            records,
            number,
            layout: self.layout,
        };
        let mut written = Written::default();
        let error = worker(&batch, &mut rows).err();
        let has_more = rows.next().is_some() && error.is_none();
        of_piece.to = rows.next().unwrap_or(records.len());
        if error.is_some() {
            // Later batches may wait for what this one did not do.
            self.command.abandon(number);
        } else {
            rows.check();
            if let (Some(checker), Some((check, column))) = (checker, &self.check) {
                let answers = |record| {
                    let text = batch.value(record, column.as_ref()?)?;
                    str::from_utf8(&text).ok()?.parse().ok()
                };
                let done = check.check(checker, records, &rows, &answers, &mut of_piece);
                if let Err(wrong) = done {
                    let line = records.line(wrong.record);
                    written.failed = Some((line, Failure::Wrong(wrong.what)));
                }
            }
        }
        drop(guard);
        let counts = mem::take(&mut rows.counts);
        let mut rejected = Rejected::default();
        for reject in rows.rejects.iter().take(most_rejected) {
            rejected.push(records, reject.record, reject.reason.name(), reject.reason);
        }
        if let (Some(out), None, None) = (out, &written.failed, &error) {
            let mut out = out.growing();
            match self.arrays {
                None => {
                    written.parts.resize(parts.saturating_sub(1), Vec::new());
                    self.write(records, &rows, scratch, &mut out, &mut written);
                }
                Some(_) if parts == 0 => {}
                Some(arrays) => {
                    let mut buffers = vec![Vec::new(); parts];
                    let done = arrays.write(
                        (records, self.layout),
                        (&rows, self.writer.columns()),
                        &mut buffers,
                    );
                    if let Err((record, what)) = done {
                        written.failed = Some((records.line(record), Failure::Value(what)));
                    }
                    out.extend_from_slice(&buffers.remove(0));
                    written.parts = buffers;
                }
            }
        }
        *answer = rows.renewed(None);
        if self.task.shard.is_some() {
            let (skipped, offset) = (piece.skipped_lines, piece.offset());
            rejected.places_in_bytes(piece.text(), skipped, offset);
            if let Some((place, _)) = &mut written.failed {
                *place = place_in_bytes(piece.text(), *place, skipped, offset);
            }
        }
        *part = has_more.then_some(of_piece);
        // The last part counts the piece.
        let once = u64::from(!has_more);
        Answered {
            bytes: once * piece.source_bytes(),
            lines: once * records.lines(),
            records: once * records.len() as u64,
            counts,
            rejected,
            written,
            error,
            has_more,
        }
    }

    /// An answer with the columns of the output.
    fn empty_answer(&self) -> Answer<'static> {
        let kinds = self.writer.columns().iter().map(|column| column.values);
        let mut answer = Answer::new(kinds.collect::<Vec<_>>());
        answer.leave_out(|column| self.hidden.get(column) == Some(&true));
        answer
    }

    /// Whether [`Answer::lines`] is the whole output.
    fn writes_lines(&self) -> bool {
        let first = self.writer.columns().first();
        self.writer.form().is_of_lines()
            && first.is_some_and(|column| column.values == Values::Cells)
            && matches!(self.task.sink, Sink::One(_) | Sink::PerInput(_))
    }

    fn write(
        &self,
        records: &Records,
        answer: &Answer<'_>,
        scratch: &mut Scratch,
        out: &mut Growing<'_>,
        written: &mut Written,
    ) {
        for entry in answer.entries() {
            let start = out.len();
            let done = match entry.part() {
                0 => self.write_entry(records, answer, entry, scratch, out),
                part => {
                    let out = &mut written.parts[part - 1];
                    self.write_entry(records, answer, entry, scratch, out)
                }
            };
            if let Err(error) = done {
                written.failed = Some((records.line(entry.record()), Failure::Row(error)));
                return;
            }
            if self.numbers {
                let row = &out.appended()[start..];
                let place = memmem::rfind(row, NUMBER).expect("it was just written");
                written.numbers.push((start + place, entry.record() as u64));
            }
        }
    }

    #[inline]
    fn write_entry(
        &self,
        records: &Records,
        answer: &Answer<'_>,
        entry: Entry,
        scratch: &mut Scratch,
        out: &mut impl Write,
    ) -> Result<(), RowError> {
        let record = entry.record();
        if entry.is_unchanged() {
            return self.plain.row(records, record, |_| &[], out);
        }
        let Scratch { line, frame, texts } = scratch;
        if entry.values().len() > 1 && frame.prepare(self.writer, records, record)? {
            let columns = 0..answer.kinds().len();
            let lines = columns.map(|column| match answer.column(column) {
                Data::Puzzles(puzzles) => puzzles.lines(entry.values()),
                other => unreachable!("{other:?} are no images"),
            });
            return Ok(frame.rows(&lines.collect::<Vec<_>>(), out)?);
        }
        for place in entry.values() {
            answer.write_row(place, texts);
            let value = |column: usize| match answer.kinds()[column] {
                Values::Record => NUMBER,
                _ => answer.value(record, place, column, texts),
            };
            if self.writer.form().is_of_lines() {
                let view = RowView {
                    records,
                    record,
                    texts: &value,
                };
                line.clear();
                if self.command.line(&view, line) {
                    line.push(b'\n');
                    out.write_all(line)?;
                    continue;
                }
            }
            self.writer.row(records, record, value, out)?;
        }
        Ok(())
    }

    /// Adds up and reports the result of a piece.
    fn add(
        &self,
        answered: &mut Answered,
        name: &str,
        before: &mut LinesAndRecords,
        totals: &mut RunTotals,
        report: &mut Report,
    ) -> anyhow::Result<()> {
        if let Some(error) = answered.error.take() {
            return Err(error);
        }
        let lines_before = if totals.bytes { 0 } else { before.lines };
        let (names, bytes) = (totals.names, totals.bytes);
        let place = |line: u64| {
            let at = lines_before + line;
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
                Failure::Row(error) => match &error {
                    RowError::Differs { column, .. } => {
                        bail!("{place}: {error}: {}", advice(column))
                    }
                    _ => bail!("{place}: {error}"),
                },
                Failure::Value(what) => bail!("{place}: {what}"),
                Failure::Wrong(what) => return Err(verify::error(place, what)),
            }
        }
        let rejected = &answered.rejected;
        if self.task.read.strict
            && let Some((line, reason, detail)) = rejected.first_malformed()
        {
            bail!("{}: {reason}: {detail} (--strict)", place(line).0);
        }
        totals.rejects.report(rejected, place, report)?;
        totals.counts += mem::take(&mut answered.counts);
        if !answered.has_more {
            self.places.end(totals.pieces);
            totals.pieces += 1;
        }
        before.lines += answered.lines;
        before.records += answered.records;
        totals.records += answered.records;
        report.advance(answered.bytes, answered.records);
        Ok(())
    }
}

/// Whether the output asks for puzzles by candidates (`true`) or by 81 cells.
fn given_by(writer: &Writer, task: &Task<'_>) -> Option<bool> {
    let mut columns = writer.columns().iter();
    let has_puzzles =
        writer.columns().is_empty() || columns.any(|column| column.place == Place::Puzzle);
    match task.form? {
        _ if !has_puzzles => None,
        Form::Candidates | Form::Pencilmarks => Some(true),
        Form::Line => Some(false),
        form if form.is_of_nine_lines() => Some(false),
        _ => None,
    }
}

/// Abandons a batch when the thread that works on it panics. Other threads might wait for it for
/// ever.
struct AbandonOnPanic<'c>(&'c dyn RecordCommand, u64);

impl Drop for AbandonOnPanic<'_> {
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
