//! The driver of the commands that answer record by record.
//!
//! A command says which columns it adds and how a batch of records becomes rows. The driver
//! does the rest. It reads every format, and writes every format with the user's columns kept.
//! It uses all threads, reports errors by file, line and column, shows progress, checks
//! answers (`--verify`), prints the summary and gives the exit status. It knows commands only as
//! [`RecordCommand`] objects, so it is compiled once.
//!
//! `sets/convert.rs` is a short command with all parts. Its options are groups of
//! [`options`]: a command takes the groups that it can honour. [`RecordCommand::plan`] names its
//! columns, [`RecordCommand::worker`] makes the closure that a thread keeps, with a solver inside
//! if it needs one. For each batch the closure gives rows with a value for each column, names the
//! records that fail, and adds to the [`Counts`]. [`RecordCommand::summary`] says which of them
//! are failures.
//!
//! **Columns.** A column has a name, a kind of values and a place ([`Added`]): after the user's columns, in that of the
//! puzzle, as `augment` has it, or in that of a column that [`Layout::column`] found. [`placed`] says what becomes of
//! a column of the user that has its name. If a command adds no columns, the records come out as they
//! went in (`convert`, `split`, `dedup`, `filter`).
//!
//! **Rows.** A record may have no row, one, or several, in the order of the records. The
//! user's columns are repeated with each. A command fills the columns of an [`Answer`], each of its
//! kind, and the driver turns kinds into text or arrays.
//!
//! **Chosen columns.** With [`Task::columns`] the writer has these alone, in their order, whatever the command: it
//! plans as for a table. The format `line` is then the rows of a table with tabs.
//!
//! **The format `line`** has no columns. If the first column holds cells, a line is these 81
//! cells, or 81 dots for none. Otherwise it is all values with tabs between. Without
//! added columns it is the cells of the record. A command that needs another line writes
//! it in [`RecordCommand::line`]. Use [`Answer::lines`] for one row per record with cells in
//! the first column: in the format `line` it copies nothing.
//!
//! **Records that are made.** A [`Task`] names files to read, or [`MadeRecords`] numbers of records to make. Then
//! [`RecordBatch::numbers`] takes the place of records, and all else stays as it is.
//!
//! **Sinks.** [`Sink`] says where rows go: nowhere, one output, one for each input, or one for
//! each part ([`Answer::parts`] says which).
//!
//! **The number of a record** in the whole input stands in a column of the kind [`Values::Record`]. The
//! driver fills it in, and the command gives no value for it (`solutions`). Batches count their records in
//! turns as soon as they are read.
//!
//! **A batch that needs the records before** (`dedup`) uses [`Turns`](crate::pipeline::turns::Turns), with
//! [`RecordBatch::number`].

pub mod arrays;
pub mod checkpoint;
mod chosen;
pub mod engines;
pub mod files;
pub mod first_seen;
mod input_run;
pub mod interrupt;
pub mod job;
pub mod listed;
pub mod locale;
mod names;
pub mod options;
mod pace;
mod places;
pub mod progress;
pub mod read_twice;
pub mod reader;
mod rejects;
pub mod report;
pub mod settings;
mod sinks;
mod source;
pub mod summary;
#[cfg(test)]
pub mod tests;
pub mod words;

pub use arrays::Arrays;
pub use checkpoint::Continuation;
pub use chosen::PartOptions;
pub use files::{Files, InputFile, OutputFile};
pub use options::{AddedColumns, RecordOptions, SetOptions};
pub use sinks::Sink;
pub use summary::Summary;

use crate::pipeline::{
    Error,
    compression::Packing,
    input::{Input, Shard, chunk_size},
    output::Output,
};
use anyhow::{Context, bail};
use checkpoint::{Checkpoints, Reached};
use chosen::ChosenRecords;
use input_run::{InputRun, Noting, ReachedInInput, RunTotals};
use job::Job;
use options::{ReadOptions, ResumeOptions, RunOptions};
use pace::Pace;
use rejects::Rejects;
use report::say;
use sinks::Outputs;
use source::{Piece, Pieces, Source, Sources};
use std::{borrow::Cow, iter, mem, ops::Range, path::Path, process::ExitCode};
use sudoku_batch::{
    format::{Added, ColumnPlace, DetectError, Form, Layout, Records, Values, Writer, placed},
    grid::{BLANK, CELLS},
    questions::{self, Answer, Counts, NEAR, Question, RowView, verification::Check},
};

/// A command that answers record by record. The head of this file names a short one.
pub trait RecordCommand: Sync {
    /// The plan of the command for an input with this layout, in an output of this format: no column
    /// of its own, if it does not say.
    fn plan(&mut self, _input: &Layout, _output: Form) -> anyhow::Result<Plan> {
        Ok(Plan::new([]))
    }

    /// The work of a thread, with its memory.
    fn worker(&self) -> Worker<'_>;

    /// Appends to `line` what the format `line` gives for a row, without the line feed.
    /// `false` means the default line, which the head of this file describes.
    fn line(&self, _row: &RowView<'_>, _line: &mut Vec<u8>) -> bool {
        false
    }

    /// Returns true if the format `line` has a puzzle with the blank of its record.
    fn shows_puzzle(&self) -> bool {
        false
    }

    /// Returns true if records are solved grids. Otherwise a column that has nothing else is warned of.
    fn expects_grids(&self) -> bool {
        false
    }

    /// Ends the waiting of threads for a batch. The driver calls it when the thread that works
    /// on this batch panics or fails. A command that uses [`Turns`](crate::pipeline::turns::Turns) abandons them here.
    fn abandon(&self, _batch: u64) {}

    /// The way in which the command goes on with a run that was stopped. A command that knows of the records before
    /// does not skip them.
    fn continuation(&self) -> Continuation {
        Continuation::Skip
    }

    /// Ends the work before any output moves to its target. Returns the command's own outputs,
    /// which move with the others.
    ///
    /// # Errors
    ///
    /// An error ends the run, and all targets stay as they were.
    fn finish(&mut self, _counts: &Counts) -> anyhow::Result<Vec<Output>> {
        Ok(Vec::new())
    }

    /// The summary. If the command does not say, only malformed records fail.
    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        Summary::of_records(done, counts.clone()).failed(counts.get("malformed"), "malformed")
    }
}

/// The work of a thread: fills in the rows of a batch and its counts. An error ends the run.
pub type Worker<'w> = Box<dyn FnMut(&RecordBatch<'_>, &mut Answer<'_>) -> anyhow::Result<()> + 'w>;

/// A question of a worker whose command writes something else than its answer.
pub struct Asking {
    question: Question,
    answer: Answer<'static>,
}

impl Asking {
    /// Asks this question on one thread.
    pub fn of(question: &Question) -> Self {
        Self {
            question: question.fork(),
            answer: question.empty(),
        }
    }

    /// The same, if the command does not read the statuses.
    #[must_use]
    pub fn without_statuses(mut self) -> Self {
        self.answer = self.answer.without_statuses();
        self
    }

    /// Answers the records of a batch. The rejects and the counts go to the answer of the command.
    pub fn ask(&mut self, batch: &RecordBatch<'_>, answer: &mut Answer<'_>) -> &Answer<'static> {
        let own = self.answer(batch.records);
        answer.rejects.append(&mut own.rejects);
        answer.counts += mem::take(&mut own.counts);
        own
    }

    /// The answer to some records, of which the command takes what it needs.
    pub fn answer(&mut self, records: &Records) -> &mut Answer<'static> {
        self.answer.begin(records.len());
        self.question.fill(records, &mut self.answer);
        &mut self.answer
    }
}

/// The columns that a command gives for an input, and how they are checked.
pub struct Plan {
    /// The columns that it adds.
    columns: Vec<Added>,
    /// The number of rows that a record becomes, about. Batches are smaller by this factor, so that
    /// memory does not grow with it.
    rows_of_a_record: usize,
    /// True if a record may take long. Then the time of the pieces decides how large the next ones are.
    takes_long: bool,
    /// The check of `--verify`, if that is given.
    check: Option<Check>,
    /// The column of answers that the check compares with.
    answers: Option<ColumnPlace>,
    /// The columns that the output does not show.
    hidden: Vec<bool>,
    /// The columns of the user are left out.
    alone: bool,
}

impl Plan {
    /// A row for each record, with these columns.
    pub fn new(columns: impl Into<Vec<Added>>) -> Self {
        Self {
            columns: columns.into(),
            rows_of_a_record: 1,
            takes_long: false,
            check: None,
            answers: None,
            hidden: Vec::new(),
            alone: false,
        }
    }

    /// A row for each record, with these columns and no others: those of the user are left out.
    pub fn alone(columns: impl Into<Vec<Added>>) -> Self {
        Self {
            alone: true,
            ..Self::new(columns)
        }
    }

    /// The plan with a column more.
    pub fn with(mut self, column: Added) -> Self {
        self.columns.push(column);
        self
    }

    /// The columns that it adds.
    pub fn columns(&self) -> &[Added] {
        &self.columns
    }

    /// Returns true if the columns of the user are left out.
    pub fn is_alone(&self) -> bool {
        self.alone
    }

    /// Expects this number of rows for each record.
    pub fn with_rows(mut self, rows_of_a_record: usize) -> Self {
        self.rows_of_a_record = rows_of_a_record.max(1);
        self
    }

    /// Says whether a record may take long.
    pub fn taking_long(mut self, takes_long: bool) -> Self {
        self.takes_long = takes_long;
        self
    }

    /// Checks the columns before they are written, if `--verify` is given.
    pub fn verified(mut self, verify: bool, check: Option<Check>) -> Self {
        self.check = check.filter(|_| verify);
        self
    }

    /// Checks with the answers in this column of the user.
    pub fn with_answers(mut self, column: Option<ColumnPlace>) -> Self {
        self.answers = column;
        self
    }

    /// Leaves the work of columns out that the output does not show.
    pub fn hiding(mut self, hidden: Vec<bool>) -> Self {
        self.hidden = hidden;
        self
    }
}

/// The column of statuses, with this name.
pub fn status_column(name: &str) -> Added {
    Added::new(name, Values::Status)
}

/// The error of a worker if a record has a value that is no good. The driver names the file and the line.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub struct WrongRecord {
    /// The number of the record in its batch, from 0.
    pub record: usize,
    /// The error.
    pub what: String,
}

/// The error of a plan if an input lacks something that the command needs. The driver names the file.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongInput(pub String);

/// Records that are answered together.
pub struct RecordBatch<'b> {
    /// The records.
    pub records: &'b Records,
    /// The numbers of the records to make, if none are read.
    pub numbers: Range<u64>,
    /// The number of the batch, over all inputs, from 0: for [`Turns`](crate::pipeline::turns::Turns).
    pub number: u64,
    /// True if an earlier run has answered these records, and only what the command knows of them is wanted.
    pub is_replayed: bool,
    chosen: &'b ChosenRecords,
    layout: &'b Layout,
}

impl<'b> RecordBatch<'b> {
    /// The content of a record in a column of the user. Returns `None` if the record has no
    /// such column or is malformed.
    pub fn value(&self, record: usize, column: &ColumnPlace) -> Option<Cow<'b, [u8]>> {
        self.layout.value(self.records.text(record), column)
    }

    /// The number of a record in the input, from 1, by its number among all that are answered, from 0: it is greater where
    /// a part of the input is answered.
    pub fn number_of(&self, answered: u64) -> u64 {
        self.chosen.number(answered)
    }

    /// The fields of a record that is not malformed, as [`Layout::fields`] gives them.
    pub fn fields(&self, record: usize) -> Vec<(ColumnPlace, Cow<'b, [u8]>)> {
        self.layout.fields(self.records.text(record))
    }
}

/// The facts that the driver knows at the end.
pub struct Done {
    /// The number of records read.
    pub records: u64,
    /// The format of the first input.
    form: Form,
    /// The way in which it is read, if evidence chose one.
    reading: Option<String>,
    /// The column, or the key, of its puzzles.
    column: Option<String>,
    /// A file holds all rejects.
    pub has_rejects: bool,
}

impl Done {
    /// The facts about the format for the summary. Plain lines have no fact about the format.
    fn facts(&self) -> impl Iterator<Item = (&'static str, String)> {
        let form = (self.form != Form::Line).then(|| ("form", self.form.name().into()));
        let reading = self.reading.clone().map(|reading| ("reading", reading));
        let column = self.column.clone().map(|column| ("column", column));
        form.into_iter().chain(reading).chain(column)
    }
}

/// A run of the driver: what to read, how to write, and what to report.
#[derive(Clone, Copy)]
pub struct Task<'o> {
    pub read: &'o ReadOptions,
    /// The records that are made, if nothing is read.
    pub made: Option<&'o MadeRecords>,
    pub run: &'o RunOptions,
    /// Only this part of the input is answered.
    pub shard: Option<Shard>,
    /// The place to which the rows go.
    pub sink: Sink<'o>,
    /// The format of the output. Without it the output has the format of the input.
    pub form: Option<Form>,
    /// The columns that are chosen as arrays, or none for all of them, if arrays are written.
    pub arrays: Option<&'o [String]>,
    /// The columns of text that are chosen, or none for all of them.
    pub columns: &'o [String],
    /// The character of blanks in puzzles. Without it they stay as they are.
    pub blank: Option<u8>,
    /// The compression of the output. Without it the ending of its name decides.
    pub packing: Option<Packing>,
    /// A new column overwrites a column of the user that has its name.
    pub replace: bool,
    /// Each record is answered as soon as it arrives.
    pub at_once: bool,
    /// Candidates that clues and singles rule out are struck, from all puzzles.
    pub reduce: bool,
    /// An input without records is an error.
    pub wants_records: bool,
    /// The work of the run is kept, and it may go on with that of an earlier one.
    pub resume: Option<&'o ResumeOptions>,
    /// The purpose of the run.
    pub purpose: Purpose,
    /// The number of threads of a test, which may exceed that of the cores.
    #[cfg(test)]
    pub threads: Option<usize>,
}

/// The purpose of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// It gives the answer.
    Answer,
    /// It reads what a later run reads again and reports on.
    Before,
    /// It reads records to compare with. It reports what is wrong with them, and has no summary. A column of
    /// the options is that of the records that are answered: it is one of these if they have it.
    Compare,
}

/// Records to make, by their numbers.
#[derive(Clone, Debug)]
pub struct MadeRecords {
    /// The word for them: `grids`.
    pub noun: &'static str,
    /// Their numbers, counted from 0.
    pub numbers: Range<u64>,
    /// The number of records that a thread makes at a time, at least 1.
    ///
    /// It must not depend on the threads: each piece is packed by itself, and packed bytes are the
    /// same for any number of threads.
    pub at_once: u64,
}

impl MadeRecords {
    fn count(&self) -> u64 {
        self.numbers.end - self.numbers.start
    }

    /// The pieces after those of the first `done` records.
    fn pieces(&self, done: u64) -> impl Iterator<Item = Result<Piece, Error>> + Send + use<> {
        let (numbers, size) = (self.numbers.clone(), self.at_once);
        // Pieces end at multiples of their size: so a family of puzzles that one climb makes is in one piece.
        let first = match done {
            0 => numbers.start / size,
            _ => (numbers.start + done).div_ceil(size),
        };
        (first..numbers.end.div_ceil(size)).filter_map(move |piece| {
            let start = numbers.start.max(piece * size);
            let end = numbers.end.min((piece + 1).saturating_mul(size));
            (start < end).then(|| Ok(Piece::made(start..end)))
        })
    }
}

/// Runs a command on its inputs, or on the records to make.
pub fn run(
    files: &Files,
    command: &mut dyn RecordCommand,
    task: &Task<'_>,
) -> anyhow::Result<ExitCode> {
    let chosen = ChosenRecords::of(files, task)?;
    let (checkpoints, reached) = Checkpoints::of(files, task, command.continuation())?;
    let run = Run::start(files, (task, &chosen), checkpoints.as_ref(), reached)?;
    let done = run_whole(run, command);
    if let Some(checkpoints) = &checkpoints {
        match &done {
            Ok(_) => checkpoints.complete(),
            Err(error) => checkpoints.fail(error),
        }
    }
    done
}

/// Answers all inputs, or makes all records, and reports.
fn run_whole<'t>(
    mut run: Run<'t, 't>,
    command: &mut dyn RecordCommand,
) -> anyhow::Result<ExitCode> {
    let task = run.task;
    if task.made.is_some() {
        run.answer(command, None, Path::new(""))?;
    } else {
        sinks::check_names(task)?;
        let mut sources = Sources::new(task)?;
        let is_per_input = matches!(task.sink, Sink::PerInput(_));
        // An output for each input is there in any case.
        while is_per_input || run.inputs == 0 || !run.chosen.ends_before(run.totals.read + 1) {
            let Some((source, path)) = sources.next()? else {
                break;
            };
            run.answer(command, Some(source), path)?;
            run.inputs += 1;
        }
    }
    run.end(command)
}

/// A run at work.
struct Run<'t, 'o> {
    task: &'t Task<'o>,
    /// The records that are answered.
    chosen: &'t ChosenRecords,
    job: Job<'t>,
    outputs: Outputs<'t>,
    arrays: Option<Arrays>,
    totals: RunTotals,
    /// The layout and the path of the first input.
    first: Option<(Layout, &'o Path)>,
    /// The format of the first input's rows, where those of all inputs go to one output.
    form: Option<Form>,
    /// The kinds of the columns of the last input.
    kinds: Vec<Values>,
    /// Inputs that have another number of records than they announce.
    miscounts: Vec<String>,
    warnings: Vec<String>,
    checkpoints: Option<&'t Checkpoints>,
    /// How far an earlier run came.
    reached: Reached,
    /// The number of inputs that are done.
    inputs: u64,
}

/// The plan for an input, and the writer of its rows.
struct Rows {
    plan: Plan,
    writer: Writer,
}

impl Rows {
    fn kinds(&self) -> Vec<Values> {
        let columns = self.writer.columns().iter();
        columns.map(|column| column.values).collect()
    }
}

impl<'t, 'o> Run<'t, 'o> {
    fn start(
        files: &'t Files,
        (task, chosen): (&'t Task<'o>, &'t ChosenRecords),
        checkpoints: Option<&'t Checkpoints>,
        reached: Option<Reached>,
    ) -> anyhow::Result<Self> {
        let mut reached = reached.unwrap_or_default();
        files.go_on_with(mem::take(&mut reached.outputs));
        let job = Job::start(files, task.run, task.purpose)?;
        #[cfg(test)]
        let job = job.with_threads(task.threads);
        if task.arrays.is_some() {
            arrays::check(task.packing.is_some())?;
            if task.blank.is_some() {
                bail!("--blank has no effect: arrays have 0 for a blank");
            }
        }
        Ok(Self {
            task,
            chosen,
            job,
            outputs: Outputs::new(task),
            arrays: None,
            totals: RunTotals::after(&reached),
            first: None,
            form: None,
            kinds: Vec::new(),
            miscounts: reached.miscounts.clone(),
            warnings: reached.warnings.clone(),
            checkpoints,
            reached,
            inputs: 0,
        })
    }

    /// Adds a warning, unless the run that was stopped gave it.
    fn warn(&mut self, warning: String) {
        if !self.reached.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Answers the records of an input, or makes records if there is none.
    fn answer(
        &mut self,
        command: &mut dyn RecordCommand,
        mut source: Option<Source>,
        path: &'o Path,
    ) -> anyhow::Result<()> {
        let task = self.task;
        if let Some(source) = &mut source {
            self.keep_texts(source);
        }
        let rows = self.rows(command, source.as_ref())?;
        let layout = layout_of(source.as_ref()).clone();
        self.kinds = rows.kinds();
        self.open_outputs(&rows, source.as_ref(), path)?;
        if let Some(source) = &source {
            self.report_form(source);
        }
        let name = source.as_ref().map_or("", |source| source.input.name());
        let name = name.to_owned();
        let arrays = (task, self.chosen, self.arrays.as_ref());
        // Each piece of a packed output is packed by itself, so no time may decide about it.
        let is_packed = self
            .outputs
            .open()
            .0
            .iter()
            .any(|output| output.packing().is_some());
        let pace = (rows.plan.takes_long && !is_packed).then(Pace::new);
        let pace = pace.as_ref();
        let replays = command.continuation() == Continuation::Replay;
        let is_done = self.inputs < self.reached.inputs;
        // At 0 the input is at its start, or at that of its part.
        let goes_on = self.inputs == self.reached.inputs && self.reached.place > 0;
        let reached = goes_on.then_some(&self.reached);
        if replays
            && let Some(source) = &mut source
            && let Some(place) = reached
                .map(|reached| reached.place)
                .or(is_done.then_some(u64::MAX))
        {
            let replay = InputRun::new(&*command, &rows, &layout, arrays, (&self.totals, None));
            let mut piece = || source.next_piece_before(place);
            let pieces: Pieces<'_> = Box::new(iter::from_fn(move || piece().transpose()));
            replay.replay(&mut self.job, (&name, pieces), &mut self.totals)?;
        }
        if is_done {
            return self.outputs.end_input();
        }
        let before = self.totals.read - reached.map_or(0, |reached| reached.records_of_input);
        if let (Some(source), Some(reached)) = (&mut source, reached) {
            source.go_on_at(reached.place, reached.pieces)?;
        }
        let start = match (reached, &source) {
            (Some(reached), _) => ReachedInInput::of(reached),
            (None, Some(source)) => ReachedInInput::at_start(&source.input),
            (None, None) => ReachedInInput::default(),
        };
        let input_run = InputRun::new(&*command, &rows, &layout, arrays, (&self.totals, pace));
        let pieces: Pieces<'_> = match (&mut source, task.made) {
            (Some(source), _) => {
                // The rows of a piece are in memory together, so pieces are smaller where a record becomes many
                // rows.
                let rows_of_a_record = rows.plan.rows_of_a_record;
                let size = move |index, head: &[u8]| {
                    let usual = chunk_size(index, head) / rows_of_a_record;
                    pace.map_or(usual, |pace| pace.size(usual))
                };
                let mut piece = move || source.next_piece(task.at_once, &size);
                Box::new(iter::from_fn(move || piece().transpose()))
            }
            (None, made) => {
                let done = start.place.0;
                Box::new(made.into_iter().flat_map(move |made| made.pieces(done)))
            }
        };
        let (open, has_record, ended) = self.outputs.open();
        let noting = self.checkpoints.map(|checkpoints| Noting {
            checkpoints,
            inputs: self.inputs,
            warnings: &self.warnings,
            miscounts: &self.miscounts,
            ended,
        });
        let done = input_run.run(
            &mut self.job,
            (&name, pieces),
            (open, has_record),
            &mut self.totals,
            (start, noting),
        );
        let Some(source) = source else {
            return done;
        };
        job::unless_changed(done, &source.input)?;
        let is_asked = task.read.form.column.is_some() || command.expects_grids();
        if input_run.has_only_grids()
            && !is_asked
            && let Some(column) = layout.puzzle_column()
        {
            self.warn(format!(
                "sudoku-batch: warning: {name}: every puzzle in column {} is a full grid: if the puzzles \
                 are in another column, --puzzle-column names it",
                layout.columns()[column]
            ));
        }
        let left_out = mem::take(&mut self.totals.left_out);
        let left_out = left_out
            .iter()
            .zip(Records::LEFT_OUT)
            .filter(|(count, _)| **count > 0);
        let left_out = left_out.map(|(&count, words)| {
            let word = words[usize::from(count > 1)];
            format!("{} {word}", words::grouped(count))
        });
        let left_out = left_out.collect::<Vec<_>>().join(", ");
        if !left_out.is_empty() {
            self.warn(format!(
                "sudoku-batch: warning: {name}: left out: {left_out}"
            ));
        }
        // A part has fewer records than the first line announces.
        if task.shard.is_none() && self.chosen.is_all() {
            let records = self.totals.read - before;
            self.miscounts.extend(miscount(&source, records));
        }
        drop(source);
        self.outputs.end_input()
    }

    /// The rows of an input. A format that cannot hold them gives way to lines, unless it was asked for.
    fn rows(
        &self,
        command: &mut dyn RecordCommand,
        source: Option<&Source>,
    ) -> anyhow::Result<Rows> {
        let (task, layout) = (self.task, layout_of(source));
        let mut form = match task.arrays {
            // A table has room for all columns, as arrays have.
            Some(_) => Form::Csv,
            None => task.form.or(self.form).unwrap_or(layout.form()),
        };
        let is_choosing = task.arrays.is_none() && !task.columns.is_empty();
        if is_choosing && !matches!(form, Form::Csv | Form::Tsv | Form::Jsonl | Form::Line) {
            if task.form.is_some() {
                bail!(
                    "--columns has no effect: the format {form} has no columns: choose csv, tsv, jsonl or line with \
                     --format"
                );
            }
            form = Form::Line;
        }
        // Lines of chosen columns are the rows of a table.
        let form_of_plan = if is_choosing && form == Form::Line {
            Form::Tsv
        } else {
            form
        };
        let mut plan = command.plan(layout, form_of_plan).map_err(|error| {
            let is_of_input = error.is::<DetectError>() || error.is::<WrongInput>();
            match source.filter(|_| is_of_input) {
                Some(source) => error.context(source.input.name().to_owned()),
                None => error,
            }
        })?;
        if task.form.is_none() && !form.holds(&plan.columns) {
            form = Form::Line;
            plan = command.plan(layout, form)?;
        }
        let has_fields = is_choosing || !form.is_of_lines() && !form.is_of_nine_lines();
        let has_puzzle = task.made.is_some()
            || plan.columns.is_empty()
            || plan.columns.iter().any(Added::is_puzzle);
        if task.blank.is_some() && !has_puzzle && !has_fields && !command.shows_puzzle() {
            bail!("--blank has no effect: no blank of the output can be chosen");
        }
        if let (Some(wanted), Some(blank)) = (task.blank, form.blank())
            && wanted != blank
        {
            let [wanted, blank] = [wanted, blank].map(char::from);
            bail!("--blank {wanted} has no effect: the format {form} has {blank} for a blank");
        }
        let mut columns = plan.columns.clone();
        let writer = match source.filter(|_| !plan.alone) {
            None => Writer::generated(form, columns),
            Some(source) => {
                // Arrays are files of their own, and have no columns of the user with them.
                let form_of_names = task.arrays.map_or(form_of_plan, |_| Form::Line);
                columns = placed(columns, layout, form_of_names, task.replace)
                    .with_context(|| source.input.name().to_owned())?;
                Writer::new(form, layout.clone(), columns, source.detected.line_end)
            }
        };
        let writer = if is_choosing {
            let name = source.map_or("", |source| source.input.name());
            let chosen = writer.choosing(task.columns);
            chosen.with_context(|| match name {
                "" => "--columns".to_owned(),
                name => format!("{name}: --columns"),
            })?
        } else {
            writer
        };
        if !form.holds(writer.columns()) && !matches!(task.sink, Sink::None) {
            let names = writer.columns().iter().map(|column| &column.name[..]);
            bail!(
                "the format {form} holds grids, and not {}: choose another with --format",
                Vec::from_iter(names).join(", ")
            );
        }
        Ok(Rows { plan, writer })
    }

    /// Opens the outputs for the rows of an input, and the rejects with the first of them.
    fn open_outputs(
        &mut self,
        rows: &Rows,
        source: Option<&Source>,
        path: &'o Path,
    ) -> anyhow::Result<()> {
        let (task, layout) = (self.task, layout_of(source));
        let has_own_outputs = matches!(task.sink, Sink::PerInput(_));
        if let Some(chosen) = task.arrays
            && (self.arrays.is_none() || has_own_outputs)
        {
            let (columns, is_quiet) = (rows.writer.columns(), task.is_quiet());
            self.arrays = Some(match source {
                Some(source) => Arrays::of_rows(columns, source, task.reduce, chosen, is_quiet)?,
                None => Arrays::made(columns, chosen, is_quiet)?,
            });
        }
        let arrays = self.arrays.as_ref();
        let are_new = (self.outputs).for_input(&mut self.job, path, rows, layout.form(), arrays)?;
        let form = rows.writer.form();
        if let Some((first, path)) = &self.first {
            if let Some(source) = source
                && !(rows.plan.alone || has_own_outputs || matches!(task.sink, Sink::Parts(..)))
            {
                let are_objects = |layout: &Layout| matches!(layout, Layout::Objects(_));
                // Each object has its own keys, and a key has its array.
                if task.arrays.is_none() || !are_objects(first) || !are_objects(layout) {
                    source.check_columns((first, path), form, task.form.is_some())?;
                }
            }
        } else {
            if task.purpose == Purpose::Answer {
                let rejects = task.read.rejects.as_deref();
                let rejects = rejects.map(|path| self.job.create("--rejects", path, None));
                self.totals.rejects = Rejects::new(rejects.transpose()?);
            }
            let made = task.made.map(|made| (made.noun, Some(made.count())));
            let size = || source.and_then(|source| total_size(task, &source.input));
            let (unit, total) = made.unwrap_or_else(|| ("records", size()));
            self.job.begin(unit, total);
            (self.job).begin_after(self.reached.advanced, self.reached.records);
            self.first = Some((layout.clone(), path));
            self.form = matches!(task.sink, Sink::One(_)).then_some(form);
        }
        if are_new && self.arrays.is_none() {
            self.outputs.write_headers(&rows.writer)?;
        }
        if let Some(made) = task.made {
            let size = match &self.arrays {
                Some(arrays) => Some(arrays.row_size()),
                None => size_of_made_row(&rows.writer),
            };
            // Shards and their inputs are other files.
            let (outputs, ..) = self.outputs.open();
            if let (Some(size), Some(output)) = (size, outputs.first()) {
                output.check_room(size.saturating_mul(made.count()))?;
            }
        }
        Ok(())
    }

    /// Has a table or JSON lines keep the text around the puzzles of lines, blocks and other writings, in columns of its
    /// own. The first input decides for all. Warns if some is left out.
    fn keep_texts(&mut self, source: &mut Source) {
        let (task, layout) = (self.task, &source.detected.layout);
        let form = task.form.or(self.form).unwrap_or(layout.form());
        let has_room = matches!(form, Form::Csv | Form::Tsv | Form::Jsonl | Form::Text);
        let is_of_columns = matches!(
            layout,
            Layout::Table(_) | Layout::Objects(_) | Layout::Words(_)
        );
        if !has_room
            || is_of_columns
            || task.arrays.is_some()
            || !task.columns.is_empty()
            || task.read.form.input_format.0.is_some()
        {
            return;
        }
        let has_texts = source.has_texts();
        let is_kept = match (&self.first, &task.sink) {
            (Some((first, _)), Sink::One(_)) => first.has_texts(),
            _ => has_texts,
        };
        let is_dropped = !(is_kept && source.keep_texts());
        if is_dropped && has_texts {
            self.warn(format!(
                "sudoku-batch: warning: {}: the form {form} drops the text around the puzzles: \
                 --format line keeps it",
                source.input.name()
            ));
        }
    }

    /// Reports the format of an input, and the column of its puzzles, if that is asked for.
    fn report_form(&self, source: &Source) {
        let (task, layout, name) = (self.task, &source.detected.layout, source.input.name());
        if task.read.verbose && task.purpose != Purpose::Before {
            let column = layout
                .puzzle_column()
                .map(|number| &layout.columns()[number]);
            let column = column.map(|name| format!(", puzzles in column {name}"));
            let column = column.unwrap_or_default();
            match layout {
                Layout::Written(reading) => say(format_args!("{name}: read as {reading}")),
                _ => say(format_args!("{name}: form {}{column}", layout.form())),
            }
        }
    }

    /// Ends the command, moves all outputs to their targets, and reports.
    fn end(mut self, command: &mut dyn RecordCommand) -> anyhow::Result<ExitCode> {
        let task = self.task;
        if self.totals.records == 0 {
            if let Some((_, path)) = self.first.as_ref().filter(|_| task.wants_records) {
                bail!(
                    "{} has no puzzles; output files stay as they were",
                    path.display()
                );
            }
            self.totals.count_nothing(command, &self.kinds)?;
        }
        self.warnings.extend(self.chosen.warning(self.totals.read));
        self.chosen.counted.check_unchanged()?;
        let of_command = command.finish(&self.totals.counts)?;
        let (layout, _) = self.first.context("there is no input")?;
        let column = layout.puzzle_column().map(|n| layout.columns()[n].clone());
        let done = Done {
            records: self.totals.records,
            form: layout.form(),
            reading: match layout {
                Layout::Written(reading) => Some(reading.to_string()),
                _ => None,
            },
            column,
            has_rejects: task.read.rejects.is_some(),
        };
        if let Some(checkpoints) = self.checkpoints {
            checkpoints.end();
        }
        let mut ended = self.outputs.into_ended()?;
        let rejects = self.totals.rejects.into_file();
        for output in rejects.into_iter().chain(of_command) {
            ended.push(output.end()?);
        }
        job::commit(ended)?;
        if !task.is_quiet() {
            self.warnings.iter().chain(&self.miscounts).for_each(say);
            if task.made.is_none() && self.totals.read == 0 {
                say("sudoku-batch: the input has no records");
            }
        }
        let mut summary = command.summary(&self.totals.counts, &done);
        let facts = done.facts().map(|(name, fact)| (name, fact.into()));
        summary.facts.extend(facts);
        summary.go_on_after(self.reached.records);
        let status = self.job.end(&summary);
        Ok(if self.miscounts.is_empty() {
            status
        } else {
            ExitCode::from(1)
        })
    }
}

/// The number of bytes of a record that is made, in the formats of which all rows are equally long. A blank line between
/// records is not counted.
fn size_of_made_row(writer: &Writer) -> Option<u64> {
    let has_cells = writer
        .columns()
        .iter()
        .any(|column| column.values == Values::Cells);
    if !has_cells
        || matches!(
            writer.form(),
            Form::Csv | Form::Tsv | Form::Jsonl | Form::Pencilmarks
        )
    {
        return None;
    }
    let mut row = Vec::new();
    let written = writer.generated_row(|_| &[BLANK; CELLS], &mut row);
    written.expect("into memory");
    Some((row.len() - usize::from(writer.begins_with_blank_line())) as u64)
}

/// The layout of an input. Records that are made are lines.
fn layout_of(source: Option<&Source>) -> &Layout {
    source.map_or(&Layout::Line, |source| &source.detected.layout)
}

/// The message that an input has another number of records than its first line announces.
fn miscount(source: &Source, records: u64) -> Option<String> {
    let announced = source.detected.announced.filter(|n| *n != records)?;
    let name = source.input.name();
    let puzzles = words::counted(records, "puzzles");
    Some(format!(
        "sudoku-batch: {name} begins with {announced}, but has {puzzles}"
    ))
}

/// The number of bytes of all inputs, if it is known.
fn total_size(task: &Task<'_>, first: &Input) -> Option<u64> {
    let size = |path: &Path| {
        let about = path.metadata().ok().filter(|about| about.is_file());
        about.map(|about| about.len())
    };
    match task.read.files.as_slice() {
        [_] => first.size(),
        _ if task.shard.is_some() => None,
        files => files.iter().map(|path| size(path)).sum(),
    }
}

/// The advice about a column of the user that has another value than the new one.
fn advice(name: &str) -> String {
    // The command `near` has no option that renames its column.
    let with_options = questions::all().filter(|definition| definition.name != NEAR.name);
    let mut columns = with_options.flat_map(|definition| definition.columns);
    let mut advice = String::new();
    if columns.any(|column| column.can_be_renamed && column.name == name) {
        let option = name.replace('_', "-");
        advice = format!("give the new column another name with --{option}-column, or ");
    }
    advice + "write over it with --replace"
}
