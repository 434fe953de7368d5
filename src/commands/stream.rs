//! The driver of the commands that answer record by record: `solve`, `check`, `count`,
//! `canonical`, `rate`, `augment`, `split`, `dedup` and others.
//!
//! A command says which columns it adds and how a batch of records becomes rows. The driver
//! does the rest: it reads every form, writes every form with the user's columns kept, works
//! over all threads, tells what is wrong by file, line and column, shows progress, prints the
//! summary and gives the exit status. The whole of a command that tells how many clues each
//! record has:
//!
//! ```text
//! struct Clues;
//!
//! /// What is counted. The counts of all batches are added up, in order.
//! #[derive(Default)]
//! struct Total { clues: u64, malformed: u64 }
//! impl AddAssign for Total { … }
//!
//! impl RecordCommand for Clues {
//!     type Kept = ();              // what a thread keeps from batch to batch: a Solver, say
//!     type Total = Total;
//!
//!     fn columns(&mut self, _: &Layout) -> anyhow::Result<Vec<Added>> {
//!         Ok(vec![
//!             added("clues", Values::Numbers),
//!             added("status", Values::Text),
//!         ])
//!     }
//!
//!     fn keep(&self) {}
//!
//!     fn answer(&self, _: &mut (), lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
//!         let mut total = Total::default();
//!         for record in 0..lot.records.len() {
//!             match lot.records.puzzle(record) {
//!                 Ok(puzzle) => {
//!                     // A row has a value for each column, in their order.
//!                     rows.row(record).display(puzzle.clue_count()).value("ok");
//!                     total.clues += puzzle.clue_count() as u64;
//!                 }
//!                 Err(error) => {
//!                     // Told on standard error, and written to --rejects.
//!                     rows.reject(record, "malformed", error);
//!                     rows.row(record).nothing().value("malformed");
//!                     total.malformed += 1;
//!                 }
//!             }
//!         }
//!         total
//!     }
//!
//!     fn summary(&self, total: &Total, done: &Done) -> Summary { … }
//! }
//!
//! pub(crate) fn run(options: &Clues) -> anyhow::Result<ExitCode> {
//!     stream::run(Clues, &options.records)     // #[command(flatten)] records: RecordOptions
//! }
//! ```
//!
//! **Columns.** A column has a name, a place and a kind of values ([`Added`]). Its place is
//! [`Place::End`], after the user's columns; the driver checks that the user has none of that
//! name, or, with `--replace`, writes into it. [`Place::Puzzle`] replaces the puzzle, as
//! `augment` does, and [`Place::Column`] any column that [`Layout::column`] found. Where no
//! columns are given, the records come out as they went in (`convert`, `split`, `dedup`).
//!
//! **Rows.** A record may have no row, one, or several, in the order of the records. The
//! user's columns are repeated with each.
//!
//! **The form `line`** has no columns. It gives the 81 cells of the first column, if cells
//! are in it, with 81 points for none; otherwise all values with tabs between; without
//! columns the cells of the record. A command that wants another line says so in
//! [`RecordCommand::line`]. [`Rows::lines`] is for a row a record with cells in the first
//! column: in the form `line` nothing is copied.
//!
//! **Other columns of the user**, such as given answers, are read with [`Lot::value`]: find
//! the column in [`RecordCommand::columns`], which is called for each input before its
//! records.
//!
//! **What depends on the records before** (`dedup`) is decided in
//! [`RecordCommand::select`], which is called batch by batch in the order of the input, by
//! one thread at a time, after `answer` and before the rows are written.
//!
//! **Only reading**: [`read_records`] gives the records of a file of any form, batch by
//! batch, to whoever wants no more than that.

#![allow(dead_code, reason = "commands to come need the rest")]

mod pieces;
mod rejects;
mod rows;

pub(crate) use rows::Rows;

use super::{
    job::{self, Job, Report},
    summary::Summary,
};
use crate::cli::records::{FormOptions, RecordOptions};
use anyhow::{Context, anyhow, bail};
use pieces::{Piece, Pieces};
use rejects::{Rejected, Rejects};
use rows::Memory;
use std::{
    borrow::Cow,
    ops::{AddAssign, ControlFlow, Range},
    path::Path,
    process::ExitCode,
};
use sudoku_batch::{
    format::{Added, Column, DetectError, Detected, Form, Layout, Place, Records, Values, Writer},
    pipeline::{Growing, Out, input::Input, output::Output},
};

/// A command that answers record by record. See the head of this file.
pub(crate) trait RecordCommand: Sync {
    /// What a thread keeps from batch to batch.
    type Kept;
    /// What is counted of a batch, and of all.
    type Total: Default + Send + AddAssign;

    /// The columns of the command, for an input with this layout.
    fn columns(&mut self, input: &Layout) -> anyhow::Result<Vec<Added>>;

    /// What a thread keeps, before its first batch.
    fn keep(&self) -> Self::Kept;

    /// Fills in the rows of a batch.
    fn answer(&self, kept: &mut Self::Kept, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Self::Total;

    /// What the form `line` gives for a row, without the line feed: appended to `line`.
    /// `false` says that it is what the head of this file tells.
    fn line(&self, _row: &RowView<'_>, _line: &mut Vec<u8>) -> bool {
        false
    }

    /// Whether [`select`](Self::select) has a say.
    const SELECTS: bool = false;

    /// Which rows of a batch are written: all that it leaves `true`. It is called in the
    /// order of the input, with the total of the batches before and that of this batch,
    /// which it may change and which is added afterwards.
    fn select(&self, _before: &Self::Total, _batch: &mut Self::Total, _rows: &mut [bool]) {}

    /// The summary.
    fn summary(&self, total: &Self::Total, done: &Done) -> Summary;
}

/// A column after those of the user.
pub(crate) fn added(name: &str, values: Values) -> Added {
    Added {
        name: name.into(),
        place: Place::End,
        values,
    }
}

/// Records that are answered together.
pub(crate) struct Lot<'l> {
    /// The records.
    pub(crate) records: &'l Records,
    layout: &'l Layout,
}

impl<'l> Lot<'l> {
    /// What a record says in a column of the user. Nothing, where it has no such column or
    /// is malformed.
    pub(crate) fn value(&self, record: usize, column: &Column) -> Option<Cow<'l, [u8]>> {
        self.layout.value(self.records.text(record), column)
    }
}

/// A row, to make a line of.
pub(crate) struct RowView<'v> {
    /// The records of the batch.
    pub(crate) records: &'v Records,
    /// Its record.
    pub(crate) record: usize,
    memory: &'v Memory,
    row: usize,
    columns: usize,
}

impl RowView<'_> {
    /// The value of a column, by its number from 0.
    pub(crate) fn value(&self, column: usize) -> &[u8] {
        self.memory.value(self.row, self.columns, column)
    }
}

/// What the driver knows at the end.
pub(crate) struct Done {
    /// How many records were read.
    pub(crate) records: u64,
    /// The form of the input.
    pub(crate) form: Form,
    /// Whether that was found out, and not said.
    pub(crate) detected: bool,
    /// Whether all rejects are in a file.
    pub(crate) has_rejects: bool,
}

impl Done {
    /// What the summary tells of the form: nothing, if it is plain lines.
    pub(crate) fn facts(&self) -> Option<(&'static str, String)> {
        (self.form != Form::Line).then(|| ("format", self.form.name().into()))
    }
}

/// Runs a command on its inputs.
pub(crate) fn run<C: RecordCommand>(
    mut command: C,
    options: &RecordOptions,
) -> anyhow::Result<ExitCode> {
    let mut job = Job::start(&options.output)?;
    // Missing files are told before anything is written to a stream.
    for path in &options.files {
        job::check_there(path)?;
    }
    let mut first = None;
    let mut total = C::Total::default();
    let mut progress = Told {
        total: &mut total,
        rejects: Rejects::new(None),
        records: 0,
    };
    let mut output = None;
    for path in &options.files {
        let mut source = Source::open(path, &options.form)?;
        let columns = command.columns(&source.detected.layout)?;
        let columns = placed(columns, &source, options)?;
        if first.is_none() {
            job.begin("records", total_size(options, &source.input));
            output = Some(job.create(&options.output.output)?);
            let rejects = options.rejects.as_deref();
            progress.rejects = Rejects::new(rejects.map(|path| job.create(path)).transpose()?);
            if progress.rejects.clashes_with(output.as_ref()) {
                bail!("--output and --rejects are the same file: both cannot go there");
            }
        }
        let output = output.as_ref().expect("just created");
        let form = options.format.unwrap_or(source.detected.layout.form());
        let writer = Writer::new(
            form,
            source.detected.layout.clone(),
            columns,
            source.detected.crlf,
        );
        match &first {
            None => {
                let mut header = Vec::new();
                writer.header(&mut header)?;
                output.write_next(&header)?;
                first = Some((source.detected.layout.clone(), path));
            }
            Some((layout, path)) => source.check_columns(layout, path)?,
        }
        let one = One {
            command: &command,
            writer: &writer,
            layout: &source.detected.layout,
            strict: options.strict,
        };
        one.run(
            &mut job,
            &mut source.input,
            &source.detected,
            output,
            &mut progress,
        )?;
        source.input.check_unchanged()?;
    }
    let (layout, _) = first.context("no input")?;
    let done = Done {
        records: progress.records,
        form: layout.form(),
        detected: options.form.input_format.0.is_none(),
        has_rejects: options.rejects.is_some(),
    };
    let rejects = progress.rejects.into_file();
    job::deliver([], rejects.into_iter().chain(output))?;
    Ok(job.end(&command.summary(&total, &done)))
}

/// The bytes of all inputs, where they are known.
fn total_size(options: &RecordOptions, first: &Input) -> Option<u64> {
    let size = |path: &Path| {
        let about = path.metadata().ok().filter(|about| about.is_file());
        about.map(|about| about.len())
    };
    match options.files.as_slice() {
        [_] => first.size(),
        files => files.iter().map(|path| size(path)).sum(),
    }
}

/// An input whose layout is known.
struct Source {
    input: Input,
    detected: Detected,
}

/// How many bytes at the start of an input may tell its form.
const HEAD: usize = 64 << 10;

impl Source {
    fn open(path: &Path, options: &FormOptions) -> anyhow::Result<Self> {
        let mut input = job::open(path)?;
        let head = input.peek(HEAD, |_| false)?.to_vec();
        let column = options.column.as_deref();
        let detected = Layout::detect(&head, options.input_format.0, column);
        let detected = detected.map_err(|error| {
            let option = match error {
                DetectError::NoColumn { .. } => "--column NAME or N names the one with the puzzles",
                _ => "--input-format FORM names it",
            };
            anyhow!("{}: {error}; {option}", input.name())
        })?;
        Ok(Self { input, detected })
    }

    /// Checks that the columns are those of the first input.
    fn check_columns(&self, first: &Layout, path: &Path) -> anyhow::Result<()> {
        let layout = &self.detected.layout;
        if layout.form() != first.form() || layout.columns() != first.columns() {
            bail!(
                "{}: the form or the columns ({} {}) are not those of {} ({} {})",
                self.input.name(),
                layout.form(),
                layout.columns().join(","),
                path.display(),
                first.form(),
                first.columns().join(","),
            );
        }
        Ok(())
    }
}

/// The columns of a command in their places: one that has the name of a column of the user
/// is an error, or goes there with `--replace`.
fn placed(
    columns: Vec<Added>,
    source: &Source,
    options: &RecordOptions,
) -> anyhow::Result<Vec<Added>> {
    let taken = |name: &str| match &source.detected.layout {
        layout @ Layout::Table(table) => {
            let has = table.header().is_some() && table.columns().iter().any(|c| c == name);
            has.then(|| layout.column(name)).flatten()
        }
        _ => None,
    };
    let place = |mut column: Added| {
        if column.place == Place::End
            && let Some(place) = taken(&column.name)
        {
            if !options.replace {
                bail!(
                    "{} has a column {name} already: give the new one another name with \
                     --{name}-column NAME, or write into it with --replace",
                    source.input.name(),
                    name = column.name
                );
            }
            column.place = Place::Column(place);
        }
        Ok(column)
    };
    columns.into_iter().map(place).collect()
}

/// What is told in the order of the input.
struct Told<'t, T> {
    total: &'t mut T,
    rejects: Rejects,
    records: u64,
}

/// What came of a piece.
struct Answered<T> {
    bytes: u64,
    lines: u64,
    records: u64,
    total: T,
    rejected: Rejected,
    /// Where in the bytes each row ends, if the command selects.
    row_ends: Vec<usize>,
}

/// What a thread keeps.
struct Kept<K> {
    records: Records,
    memory: Memory,
    line: Vec<u8>,
    command: K,
}

/// A command at work on one input.
struct One<'o, C> {
    command: &'o C,
    writer: &'o Writer,
    layout: &'o Layout,
    strict: bool,
}

impl<C: RecordCommand> One<'_, C> {
    fn run(
        &self,
        job: &mut Job,
        input: &mut Input,
        detected: &Detected,
        output: &Output,
        told: &mut Told<'_, C::Total>,
    ) -> anyhow::Result<()>
    where
        C::Total: Send,
    {
        let name = input.name().to_owned();
        let most_rejected = told.rejects.kept();
        let mut lines = 0;
        job.run_in_order(
            Pieces::new(input.chunks(), &name, detected),
            output,
            || Kept {
                records: Records::default(),
                memory: Memory::default(),
                line: Vec::new(),
                command: self.command.keep(),
            },
            |kept, piece, out| self.answer(kept, piece, out, most_rejected),
            C::SELECTS,
            |report, answered, bytes| {
                let range = self.select(told.total, answered, bytes);
                self.tell(answered, &name, &mut lines, told, report)?;
                Ok(range)
            },
        )
    }

    /// Reads and answers a piece.
    fn answer(
        &self,
        kept: &mut Kept<C::Kept>,
        mut piece: Piece,
        out: Out<'_>,
        most_rejected: usize,
    ) -> Answered<C::Total> {
        let Kept {
            records,
            memory,
            line,
            command,
        } = kept;
        records.clear();
        records.add_lines(piece.skipped_lines);
        self.layout.read(piece.text(), records);
        let columns = self.writer.columns().len();
        let (room, out) = match self.writes_lines() {
            true => (Some(out), None),
            false => (None, Some(out)),
        };
        let kept_rows = std::mem::take(memory);
        let mut rows = Rows::new(records, kept_rows, columns, room, most_rejected);
        let lot = Lot {
            records,
            layout: self.layout,
        };
        let total = self.command.answer(command, &lot, &mut rows);
        let (rejected, rows, out) = rows.finish(out);
        let mut row_ends = Vec::new();
        if let Some(out) = out {
            let out = &mut out.growing();
            self.write(records, &rows, line, out, &mut row_ends);
        }
        *memory = rows;
        Answered {
            bytes: piece.length,
            lines: records.lines(),
            records: records.len() as u64,
            total,
            rejected,
            row_ends,
        }
    }

    /// Whether [`Rows::lines`] is all that is written.
    fn writes_lines(&self) -> bool {
        let cells_first = |columns: &[Added]| {
            columns
                .first()
                .is_some_and(|column| column.values == Values::Cells)
        };
        self.writer.form() == Form::Line && !C::SELECTS && cells_first(self.writer.columns())
    }

    fn write(
        &self,
        records: &Records,
        memory: &Memory,
        line: &mut Vec<u8>,
        out: &mut Growing<'_>,
        row_ends: &mut Vec<usize>,
    ) {
        let columns = self.writer.columns().len();
        for (row, record) in memory.rows().enumerate() {
            let view = RowView {
                records,
                record,
                memory,
                row,
                columns,
            };
            line.clear();
            if self.writer.form() == Form::Line && self.command.line(&view, line) {
                line.push(b'\n');
                out.extend_from_slice(line);
            } else {
                let value = |column| memory.value(row, columns, column);
                let written = self.writer.row(records, record, value, out);
                written.expect("into memory");
            }
            if C::SELECTS {
                row_ends.push(out.len());
            }
        }
    }

    /// Has the command say which rows are written, and moves those together.
    fn select(
        &self,
        before: &C::Total,
        answered: &mut Answered<C::Total>,
        bytes: &mut [u8],
    ) -> Range<usize> {
        if !C::SELECTS {
            return 0..bytes.len();
        }
        let mut chosen = vec![true; answered.row_ends.len()];
        (self.command).select(before, &mut answered.total, &mut chosen);
        let (mut start, mut to) = (0, 0);
        for (&end, chosen) in answered.row_ends.iter().zip(chosen) {
            if chosen {
                bytes.copy_within(start..end, to);
                to += end - start;
            }
            start = end;
        }
        0..to
    }

    /// Adds up and tells what came of a piece.
    fn tell(
        &self,
        answered: &mut Answered<C::Total>,
        name: &str,
        lines: &mut u64,
        told: &mut Told<'_, C::Total>,
        report: &mut Report,
    ) -> anyhow::Result<()> {
        let Answered {
            bytes,
            records,
            total,
            rejected,
            ..
        } = answered;
        if self.strict
            && let Some((line, reason, detail)) = rejected.first_malformed()
        {
            bail!("{name}:{}: {reason}: {detail} (--strict)", *lines + line);
        }
        told.rejects.tell(rejected, name, *lines, report)?;
        *lines += answered.lines;
        told.records += *records;
        *told.total += std::mem::take(total);
        report.advance(*bytes, *records);
        Ok(())
    }
}

/// Reads the records of a file, or of standard input for `-`, batch by batch: for those who
/// make something of records and give no row for each. `take` is given each batch and the
/// number of the lines before it, and says whether it wants more.
///
/// ```text
/// let mut grids = Vec::new();
/// stream::read_records(path, &options.form, |records, lines_before| {
///     for record in 0..records.len() {
///         grids.push(records.puzzle(record).with_context(|| {
///             format!("{}:{}", path.display(), lines_before + records.line(record))
///         })?);
///     }
///     Ok(ControlFlow::Continue(()))
/// })?;
/// ```
pub(crate) fn read_records(
    path: &Path,
    options: &FormOptions,
    mut take: impl FnMut(&Records, u64) -> anyhow::Result<ControlFlow<()>>,
) -> anyhow::Result<()> {
    let mut source = Source::open(path, options)?;
    let name = source.input.name().to_owned();
    let mut records = Records::default();
    let mut lines = 0;
    for piece in Pieces::new(source.input.chunks(), &name, &source.detected) {
        let mut piece = piece?;
        records.clear();
        records.add_lines(piece.skipped_lines);
        source.detected.layout.read(piece.text(), &mut records);
        if take(&records, lines)?.is_break() {
            return Ok(());
        }
        lines += records.lines();
    }
    Ok(source.input.check_unchanged()?)
}
