//! The driver of the commands that answer record by record: `solve`, `check`, `count`,
//! `canonical`, `rate`, `augment`, `split`, `dedup` and others.
//!
//! A command says which columns it adds and how a batch of records becomes rows. The driver
//! does the rest. It reads every form, and writes every form with the user's columns kept.
//! It uses all threads, reports errors by file, line and column, shows progress, prints the
//! summary and gives the exit status. This is a whole command that counts the clues of each
//! record:
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
//! **Columns.** A column has a name, a place and a kind of values ([`Added`]). The place
//! [`Place::End`] is after the user's columns. The driver checks that the user has no
//! column of that name, or overwrites it if `--replace` is given. [`Place::Puzzle`]
//! replaces the puzzle, as `augment` does. [`Place::Column`] replaces any column that
//! [`Layout::column`] found. If a command adds no columns, the records come out as they
//! went in (`convert`, `split`, `dedup`).
//!
//! **Rows.** A record may have no row, one, or several, in the order of the records. The
//! user's columns are repeated with each.
//!
//! **The form `line`** has no columns. If the first column holds cells, a line is these 81
//! cells, or 81 points for none. Otherwise it is all values with tabs between. Without
//! added columns it is the cells of the record. A command that needs another line defines
//! it in [`RecordCommand::line`]. Use [`Rows::lines`] for one row per record with cells in
//! the first column: in the form `line` it copies nothing.
//!
//! **Other columns of the user**, such as given answers: read them with [`Lot::value`].
//! Find the column in [`RecordCommand::columns`]. The driver calls that for each input
//! before its records.
//!
//! **Decisions that depend on the records before** (`dedup`) belong in
//! [`RecordCommand::select`]. The driver calls it batch by batch in the order of the input,
//! on one thread at a time, after `answer` and before the rows are written.
//!
//! **Several outputs** (`split`): [`RecordCommand::parts`] names them, each a file in
//! `--output-dir`, and [`goes_to_part`](rows::Row::goes_to_part) says where a row goes.
//!
//! **The number of a record** in the whole input, from 1, is not known when the record is
//! answered. A column of the kind [`Values::Record`] holds it. The driver fills it in, and
//! the command gives no value for it (`solutions`).
//!
//! **A batch that needs the records before while it is answered** (`dedup`) uses
//! [`Turns`](super::turns::Turns), with [`Lot::number`].
//!
//! **Only reading**: [`read_records`] gives the records of a file of any form, batch by
//! batch.

mod one;
mod outputs;
mod places;
mod rejects;
mod rows;
mod source;
#[cfg(test)]
mod tests;

pub(crate) use rows::{Made, MadeRow, Row, Rows};

use super::{
    checker::{Checker, Wrong},
    job::Job,
    say,
    summary::Summary,
};
use crate::cli::records::{FormOptions, RecordOptions};
use anyhow::bail;
use one::{One, Told};
use outputs::Outputs;
use rejects::Rejects;
use rows::Memory;
use source::{Source, Sources};
use std::{
    borrow::Cow,
    ops::{AddAssign, ControlFlow},
    path::Path,
    process::ExitCode,
};
use sudoku_batch::{
    format::{Added, Column, Form, Layout, Place, Records, Values, Writer},
    pipeline::{input::Input, output::Output},
};

/// A command that answers record by record. See the head of this file.
pub(crate) trait RecordCommand: Sync {
    /// The state that a thread keeps from batch to batch.
    type Kept;
    /// The counts of a batch, and of all batches.
    type Total: Default + Send + AddAssign;

    /// The columns of the command, for an input with this layout.
    fn columns(&mut self, input: &Layout) -> anyhow::Result<Vec<Added>>;

    /// The state of a thread before its first batch.
    fn keep(&self) -> Self::Kept;

    /// About how many rows a record becomes. Batches are so much smaller where it is many,
    /// so that memory does not grow with it.
    fn rows_of_a_record(&self) -> usize {
        1
    }

    /// Fills in the rows of a batch.
    fn answer(&self, kept: &mut Self::Kept, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Self::Total;

    /// Whether the driver calls [`verify`](Self::verify) (`--verify`).
    fn verifies(&self) -> bool {
        false
    }

    /// Checks the rows of a batch, which are about to be written, and returns the first record
    /// that is wrong. The check must not rely on [`answer`](Self::answer), nor on the engine that
    /// it used.
    ///
    /// # Errors
    ///
    /// A record is wrong. The driver names it and ends the run, and nothing is written.
    fn verify(&self, _: &mut Checker, _: &Lot<'_>, _: &Made<'_>) -> Result<(), Wrong> {
        Ok(())
    }

    /// Appends to `line` what the form `line` gives for a row, without the line feed.
    /// `false` means the default line, which the head of this file describes.
    fn line(&self, _row: &RowView<'_>, _line: &mut Vec<u8>) -> bool {
        false
    }

    /// Whether the driver calls [`select`](Self::select).
    const SELECTS: bool = false;

    /// Selects the rows of a batch to write: those that it leaves `true`. The driver calls
    /// it in the order of the input, with the total of the batches before and the total of
    /// this batch. It may change the total of this batch, which is added afterwards.
    fn select(&self, _before: &Self::Total, _batch: &mut Self::Total, _rows: &mut [bool]) {}

    /// The names of the parts of the output, if there are any: each is a file in
    /// `--output-dir`, and [`Row::goes_to_part`](rows::Row::goes_to_part) says where a row goes.
    fn parts(&self) -> Vec<String> {
        Vec::new()
    }

    /// Ends the waiting of threads for a batch. The driver calls it when the thread that works
    /// on this batch panics. A command that uses [`Turns`](super::turns::Turns) abandons them
    /// here.
    fn abandon(&self, _batch: u64) {}

    /// The error that the command had in a batch, if any. The driver asks after each batch, so
    /// that the run ends soon.
    fn failure(&self) -> anyhow::Result<()> {
        Ok(())
    }

    /// Ends the work before any output moves to its target. An error of the command itself
    /// ends the run.
    fn finish(&self, _total: &Self::Total) -> anyhow::Result<()> {
        Ok(())
    }

    /// The command's own outputs. They move to their targets at the end.
    fn outputs(&self) -> Vec<Output> {
        Vec::new()
    }

    /// The summary.
    fn summary(&self, total: &Self::Total, done: &Done) -> Summary;
}

/// A column that comes after the columns of the user.
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
    /// The number of the batch, over all inputs, from 0: for
    /// [`Turns`](super::turns::Turns).
    pub(crate) number: u64,
    layout: &'l Layout,
}

impl<'l> Lot<'l> {
    /// The content of a record in a column of the user. Returns `None` if the record has no
    /// such column or is malformed.
    pub(crate) fn value(&self, record: usize, column: &Column) -> Option<Cow<'l, [u8]>> {
        self.layout.value(self.records.text(record), column)
    }
}

/// A row to turn into a line.
pub(crate) struct RowView<'v> {
    /// The records of the batch.
    pub(crate) records: &'v Records,
    /// Its record.
    pub(crate) record: usize,
    value: &'v dyn Fn(usize) -> &'v [u8],
}

impl<'v> RowView<'v> {
    /// The value of a column, by its number from 0.
    pub(crate) fn value(&self, column: usize) -> &'v [u8] {
        (self.value)(column)
    }
}

/// The facts that the driver knows at the end.
pub(crate) struct Done {
    /// The number of records read.
    pub(crate) records: u64,
    /// The form of the first input.
    pub(crate) form: Form,
    /// The column, or the key, of its puzzles.
    pub(crate) column: Option<String>,
    /// Whether a file holds all rejects.
    pub(crate) has_rejects: bool,
}

impl Done {
    /// The facts about the form for the summary. Plain lines have no fact about the form.
    pub(crate) fn facts(&self) -> impl Iterator<Item = (&'static str, String)> {
        let form = (self.form != Form::Line).then(|| ("form", self.form.name().into()));
        let column = self.column.clone().map(|column| ("column", column));
        form.into_iter().chain(column)
    }
}

/// Runs a command on its inputs.
pub(crate) fn run<C: RecordCommand>(
    mut command: C,
    options: &RecordOptions,
) -> anyhow::Result<ExitCode> {
    let mut job = Job::start(&options.output)?;
    let mut sources = Sources::new(options)?;
    let mut outputs = Outputs::new(options, command.parts())?;
    let mut total = C::Total::default();
    let mut told = Told::new(&mut total, options);
    let mut first = None;
    while let Some((mut source, path)) = sources.next()? {
        let layout = source.detected.layout.clone();
        let columns = command.columns(&layout)?;
        let columns = placed(columns, &source, options)?;
        let form = options.output_form(layout.form());
        check_form(form, &columns)?;
        let writer = Writer::new(form, layout.clone(), columns, source.detected.crlf);
        let outputs_of_input = outputs.for_input(&mut job, path, &writer, form == layout.form())?;
        match &first {
            None => {
                let rejects = options.rejects.as_deref();
                let rejects = rejects.map(|path| job.create(path)).transpose()?;
                told.rejects = Rejects::new(rejects);
                if told.rejects.clash_with(outputs_of_input) {
                    bail!("--output and --rejects are the same file: both cannot go there");
                }
                job.begin("records", total_size(options, &source.input));
                first = Some((layout.clone(), path));
            }
            Some((first, path)) if options.output_dir.is_none() => {
                source.check_columns(first, path)?;
            }
            Some(_) => {}
        }
        if options.verbose {
            tell_form(&source);
        }
        let one = One::new(&command, &writer, &layout, options);
        let done = one.run(&mut job, &mut source, outputs.open(), &mut told);
        super::job::unless_changed(done, &source.input)?;
        drop(source);
        outputs.end_input()?;
    }
    command.finish(told.total)?;
    let Some((layout, _)) = first else {
        bail!("there is no input");
    };
    let column = layout.puzzle_column().map(|n| layout.columns()[n].clone());
    let done = Done {
        records: told.records,
        form: layout.form(),
        column,
        has_rejects: options.rejects.is_some(),
    };
    let rejects = told.rejects.into_file();
    let mut ended = outputs.into_ended()?;
    for output in rejects.into_iter().chain(command.outputs()) {
        ended.push(output.end()?);
    }
    super::job::commit(ended)?;
    job.warn_if_empty(done.records, "records");
    Ok(job.end(&command.summary(&total, &done)))
}

/// Reports the form of an input, and the column of its puzzles.
fn tell_form(source: &Source) {
    let layout = &source.detected.layout;
    let column = layout.puzzle_column();
    let column = column.map(|number| format!(", puzzles in column {}", layout.columns()[number]));
    say(format_args!(
        "{}: form {}{}",
        source.input.name(),
        layout.form(),
        column.unwrap_or_default()
    ));
}

/// Checks that a form can hold the columns: blocks are 81 cells and nothing else.
fn check_form(form: Form, columns: &[Added]) -> anyhow::Result<()> {
    let has_cells = columns.is_empty() || columns.iter().any(|c| c.values == Values::Cells);
    if matches!(form, Form::Block | Form::Pretty | Form::Sdk) && !has_cells {
        let names: Vec<_> = columns.iter().map(|column| column.name.as_str()).collect();
        bail!(
            "the form {form} holds grids, and not {}: choose another with --format",
            names.join(", ")
        );
    }
    Ok(())
}

/// The number of bytes of all inputs, if it is known.
fn total_size(options: &RecordOptions, first: &Input) -> Option<u64> {
    let size = |path: &Path| {
        let about = path.metadata().ok().filter(|about| about.is_file());
        about.map(|about| about.len())
    };
    match options.files.as_slice() {
        [_] => first.size(),
        _ if options.shard.is_some() => None,
        files => files.iter().map(|path| size(path)).sum(),
    }
}

/// The columns of a command in their places. If a column has the name of a column of the
/// user, it is an error, or replaces that column with `--replace`.
fn placed(
    columns: Vec<Added>,
    source: &Source,
    options: &RecordOptions,
) -> anyhow::Result<Vec<Added>> {
    let layout = &source.detected.layout;
    let is_taken = |name: &str| {
        let has_names = match layout {
            Layout::Table(table) => table.header().is_some(),
            _ => true,
        };
        has_names && layout.columns().iter().any(|column| column == name)
    };
    let mut placed = columns;
    for column in placed.iter_mut().filter(|c| c.place == Place::End) {
        let objects = matches!(layout, Layout::Objects(_));
        match (is_taken(&column.name), options.replace) {
            (true, false) => bail!("{}", taken(source.input.name(), &column.name)),
            (true, true) => {}
            // Any later object may have the key.
            (false, true) if objects => {}
            (false, _) => continue,
        }
        let place = layout.column(&column.name);
        column.place = place.map_or(Place::End, Place::Column);
    }
    Ok(placed)
}

/// The error that a column already exists, with the two solutions.
fn taken(input: &str, name: &str) -> String {
    format!(
        "{input} has a column {name} already: give the new one another name, as with \
         --solution-column NAME, or write into it with --replace"
    )
}

/// Reads the records of a file, or of standard input for `-`, batch by batch. It is for
/// commands that do not give a row for each record. `take` gets each batch and the number
/// of the lines before it, and returns whether it wants more.
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
    let mut source = Source::open(path, options, false)?;
    let layout = source.detected.layout.clone();
    let mut records = Records::default();
    let mut lines = 0;
    let mut pieces = source.pieces(false, 1);
    let done = pieces.try_for_each(|piece| {
        let mut piece = match piece {
            Ok(piece) => piece,
            Err(error) => return ControlFlow::Break(Err(error.into())),
        };
        records.clear();
        records.add_lines(piece.skipped_lines);
        layout.read(piece.text(), &mut records);
        match take(&records, lines) {
            Ok(ControlFlow::Continue(())) => {}
            Ok(ControlFlow::Break(())) => return ControlFlow::Break(Ok(())),
            Err(error) => return ControlFlow::Break(Err(error)),
        }
        lines += records.lines();
        ControlFlow::Continue(())
    });
    drop(pieces);
    super::job::unless_changed(done.break_value().unwrap_or(Ok(())), &source.input)
}
