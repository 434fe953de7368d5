//! `sudoku-batch trace`.

use super::question;
use crate::driver::{
    self, Done, Files, Plan, RecordCommand, Summary, Task, Worker,
    options::{
        ColumnsOption, CompressionOption, OutputForm, ReadOptions, RunOptions, ShardOption,
        SinkOptions, blank, help,
    },
    settings::{Defined, Settings},
};
use anyhow::bail;
use std::process::ExitCode;
use sudoku_batch::{
    format::{Added, Form, Layout},
    questions::{Batch, Counts, Question, TraceSettings},
};

/// Write the order in which cells are filled, and why.
///
/// The steps are those of rate --explain, arranged by the cells that they fill: a person who always takes the easiest step. With --search they
/// are those of the reference search, with its guesses, contradictions and returns.
///
/// Each record with one solution becomes a JSON object with the keys puzzle, status, rating and steps. Any
/// other keeps its place, with its status and no steps. The columns of the input are left out.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records have no whole trace"))]
pub(crate) struct Trace {
    #[command(flatten)]
    settings: Settings<Self>,

    /// The format of the output [default: by the ending of its name, or else jsonl].
    #[arg(long, alias = "output-format", value_name = "FORMAT")]
    format: Option<TraceForm>,

    /// Character for blanks [default: the first one that the record uses].
    #[arg(long, value_name = "0|.", value_parser = blank())]
    blank: Option<u8>,

    #[command(flatten)]
    columns: ColumnsOption,
    #[command(flatten)]
    compression: CompressionOption,
    #[command(flatten)]
    read: ReadOptions,
    #[command(flatten)]
    sink: SinkOptions,
    #[command(flatten)]
    run: RunOptions,
    #[command(flatten)]
    shard: ShardOption,
}

/// A format of traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TraceForm {
    /// An object for each record.
    Jsonl,
    /// A row for each step.
    Csv,
    /// The table with tabs.
    Tsv,
    /// An array of numpy, n × 81 × 2 of the type int8: the number of each cell, from 0, in the order in
    /// which they are filled, and its digit. The rest of a row is -1.
    Npy,
}

const NOTES: &str = "\
Examples:
  sudoku-batch trace puzzles.txt -o traces.jsonl
      An object for each puzzle: {\"puzzle\":…,\"status\":\"unique\",\"rating\":2.6,\"steps\":[…]}
  sudoku-batch trace --up-to 4.4 --boards train.csv --puzzle-column question -o traces.jsonl.zst
      The fast part, without chains, with the grid after each step.
  sudoku-batch trace puzzles.txt -o order.npy
      The cells and digits alone, an array for numpy.
  sudoku-batch trace --search --proof puzzles.txt -o searches.csv
      A row for each event of the whole search.

A step of steps fills a cell:
  cell, digit        \"r1c2\" and 3
  technique, rating  why: \"hidden single in a box\" and 1.2
  cells, digits      the pattern, where it is more than the cell and the digit
  struck             what was struck since the cell before: technique, rating, cells, digits, strikes
  board, candidates  with --boards and --candidates

With --search there is guesses in place of rating, and technique is one of a single, or guess,
contradiction, return (a guess is taken back, and all after it) or solution; depth is how many guesses
stand. Tables have a row for each step, with its record, counted from 1.

Statuses: unique, and for what has no trace: multiple, malformed, row-duplicate, column-duplicate,
box-duplicate, no-solution, and gave-up with --max-work and --search.";

/// The settings are those of both definitions: a row for each record, or one for each step.
impl Defined for Trace {
    type Typed = TraceSettings;
}

impl Trace {
    pub(crate) fn run(self, files: &Files) -> anyhow::Result<ExitCode> {
        let by_name = || match OutputForm::of(None, &self.sink.output.output)? {
            OutputForm::Text(Form::Csv) => Some(TraceForm::Csv),
            OutputForm::Text(Form::Tsv) => Some(TraceForm::Tsv),
            OutputForm::Npy => Some(TraceForm::Npy),
            _ => None,
        };
        let form = self.format.or_else(by_name);
        let form = form.unwrap_or(TraceForm::Jsonl);
        let is_array = form == TraceForm::Npy;
        let settings = self.settings.typed();
        if is_array && (settings.boards || settings.candidates) {
            bail!("--boards and --candidates have no effect: an array has cells and digits alone");
        }
        if is_array && !self.columns.columns.is_empty() {
            bail!("--columns has no effect: an array has cells and digits alone");
        }
        let settings = TraceSettings {
            pairs: is_array,
            ..settings.clone()
        };
        let mut tracing = Tracing {
            asked: match form {
                TraceForm::Jsonl | TraceForm::Npy => Question::new(settings)?,
                TraceForm::Csv | TraceForm::Tsv => settings.steps()?,
            },
        };
        let arrays = [String::from("pairs")];
        let task = Task {
            shard: self.shard.shard,
            form: match form {
                TraceForm::Csv => Some(Form::Csv),
                TraceForm::Tsv => Some(Form::Tsv),
                TraceForm::Npy => None,
                TraceForm::Jsonl => Some(Form::Jsonl),
            },
            arrays: is_array.then_some(&arrays),
            columns: &self.columns.columns,
            blank: self.blank,
            packing: self.compression.compress,
            at_once: self.sink.line_buffered,
            resume: Some(&self.sink.resume),
            ..Task::new(&self.read, &self.run, self.sink.sink())
        };
        driver::run(files, &mut tracing, &task)
    }
}

struct Tracing {
    asked: Question,
}

impl RecordCommand for Tracing {
    fn plan(&mut self, _: &Layout, _: Form) -> anyhow::Result<Plan> {
        let columns = self.asked.columns.iter();
        let columns: Vec<_> = columns
            .map(|column| Added::new(column.name, column.values))
            .collect();
        // The text of a trace is a hundred times as long as its puzzle.
        Ok(Plan::alone(columns)
            .with_rows(64)
            .taking_long(self.asked.takes_long()))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = self.asked.fork();
        Box::new(move |batch, answer| {
            answer.keep_places(true);
            question.fill(Batch::from(batch.records), answer);
            Ok(())
        })
    }

    fn shows_puzzle(&self) -> bool {
        self.asked.shows_puzzle()
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        question::summary(&self.asked, counts, done)
    }
}
