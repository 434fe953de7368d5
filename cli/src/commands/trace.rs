//! `sudoku-batch trace`.

use super::generated::at_least_one;
use crate::driver::{
    self, Done, Files, Plan, RecordCommand, Summary, Task, Worker, added,
    options::{CompressionOption, ReadOptions, RunOptions, ShardOption, SinkOptions, blank, help},
};
use anyhow::bail;
use std::process::ExitCode;
use sudoku_batch::{
    format::{Form, Layout, Values},
    questions::{self, Answer, Counts, MOST_TRACED_GUESSES, Traced},
    technique::Rating,
    trace::Extras,
};

/// Write the order in which the cells of each puzzle are filled, and why.
///
/// The steps are those of rate --explain: a person who always takes the easiest step. With --search they
/// are those of the reference search, with its guesses, contradictions and returns.
///
/// Each record with one solution becomes a JSON object with the keys puzzle, status, rating and steps. Any
/// other keeps its place, with its status and no steps. The columns of the input are left out.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records have no whole trace"))]
pub(crate) struct Trace {
    /// Record the reference search up to the solution.
    #[arg(long, conflicts_with_all = ["up_to", "max_work"])]
    search: bool,

    /// Record the search to its end, which shows that there is no other solution.
    #[arg(long, requires = "search")]
    proof: bool,

    /// Give up on a puzzle that takes the search more than N guesses.
    #[arg(long, value_name = "N", requires = "search", default_value_t = MOST_TRACED_GUESSES)]
    max_guesses: u64,

    /// Add the grid after each step: 81 cells.
    #[arg(long)]
    boards: bool,

    /// Add the candidates after each step: 729 characters, nine for each cell.
    #[arg(long)]
    candidates: bool,

    /// Take no step with a rating over X: the steps of a puzzle that needs one end before it.
    #[arg(long, value_name = "X", default_value_t = Rating::HARDEST)]
    up_to: Rating,

    /// Give up on a puzzle when the searches for its chains have done this work, as rate does.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    max_work: Option<u64>,

    /// The form of the output [default: npy if its name ends in .npy, otherwise jsonl].
    #[arg(long, alias = "output-format", value_name = "FORM")]
    format: Option<TraceForm>,

    /// Write the blanks of puzzles as `0` or as `.` [default: as each record has its first blank].
    #[arg(long, value_name = "0|.", value_parser = blank())]
    blank: Option<u8>,

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

/// A form of traces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TraceForm {
    /// An object for each record.
    Jsonl,
    /// A row for each step.
    Csv,
    /// The same with tabs.
    Tsv,
    /// An array of numpy, n × 81 × 2 of the type int8: the number of each cell, from 0, in the order in
    /// which they are filled, and its digit. What follows the last is -1.
    Npy,
}

const NOTES: &str = "\
Examples:
  sudoku-batch trace puzzles.txt -o traces.jsonl
      An object for each puzzle: {\"puzzle\":…,\"status\":\"unique\",\"rating\":2.6,\"steps\":[…]}
  sudoku-batch trace --up-to 4.4 --boards train.csv --column question -o traces.jsonl.zst
      The fast part, without chains, with the grid after each step.
  sudoku-batch trace puzzles.txt -o order.npy
      The cells and digits alone, an array for numpy.
  sudoku-batch trace --search --proof puzzles.txt --format csv -o searches.csv
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

impl Trace {
    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        let by_name = self
            .sink
            .output
            .output
            .extension()
            .is_some_and(|ending| ending == "npy");
        if self.format.is_none() && by_name {
            self.format = Some(TraceForm::Npy);
        }
        if self.format == Some(TraceForm::Npy) && (self.boards || self.candidates) {
            bail!("--boards and --candidates have no effect: an array has cells and digits alone");
        }
        let (read, run, sink) = (self.read.clone(), self.run.clone(), self.sink.clone());
        let task = Task {
            shard: self.shard.shard,
            form: match self.format {
                Some(TraceForm::Csv) => Some(Form::Csv),
                Some(TraceForm::Tsv) => Some(Form::Tsv),
                Some(TraceForm::Npy) => None,
                Some(TraceForm::Jsonl) | None => Some(Form::Jsonl),
            },
            arrays: (self.format == Some(TraceForm::Npy)).then_some(&[]),
            blank: self.blank,
            packing: self.compression.compress,
            at_once: sink.line_buffered,
            ..Task::new(&read, &run, sink.sink())
        };
        driver::run(files, &mut self, &task)
    }

    fn question(&self) -> questions::Trace {
        let question = questions::Trace::default();
        match self.search {
            true => question.searching(self.proof, self.max_guesses),
            false => {
                let question = question.up_to(self.up_to);
                question.with_max_work(self.max_work.unwrap_or(u64::MAX))
            }
        }
    }

    fn extras(&self) -> Extras {
        Extras {
            boards: self.boards,
            candidates: self.candidates,
        }
    }

    /// The names of the columns of a table, and whether they are numbers.
    fn table(&self) -> Vec<(&'static str, Values)> {
        let mut columns = vec![
            ("record", Values::Record),
            ("step", Values::Numbers),
            ("cell", Values::Text),
            ("digit", Values::Numbers),
            ("technique", Values::Text),
        ];
        columns.extend(match self.search {
            true => [("house", Values::Text), ("depth", Values::Numbers)].as_slice(),
            false => &[
                ("rating", Values::Ratings),
                ("cells", Values::Text),
                ("digits", Values::Text),
                ("strikes", Values::Text),
            ],
        });
        columns.extend(self.boards.then_some(("board", Values::Text)));
        columns.extend(self.candidates.then_some(("candidates", Values::Text)));
        columns.push(("status", Values::Status));
        columns
    }
}

impl RecordCommand for Trace {
    fn plan(&mut self, _: &Layout, output: Form) -> anyhow::Result<Plan> {
        let columns = match output {
            _ if self.format == Some(TraceForm::Npy) => vec![("pairs", Values::Pairs)],
            Form::Jsonl => vec![
                ("puzzle", Values::Puzzles),
                ("status", Values::Status),
                match self.search {
                    true => ("guesses", Values::Numbers),
                    false => ("rating", Values::Ratings),
                },
                ("steps", Values::Json),
            ],
            _ => self.table(),
        };
        let columns = columns
            .into_iter()
            .map(|(name, values)| added(name, values));
        // The text of a trace is a hundred times as long as its puzzle.
        Ok(Plan::alone(columns.collect::<Vec<_>>()).with_rows(64))
    }

    fn worker(&self) -> Worker<'_> {
        let (mut question, extras) = (self.question(), self.extras());
        let is_table = matches!(self.format, Some(TraceForm::Csv | TraceForm::Tsv));
        let is_array = self.format == Some(TraceForm::Npy);
        let mut json = Vec::new();
        Box::new(move |batch, answer| {
            let traced = question.ask(batch.records, |record, _, trace| match is_table {
                _ if is_array => {
                    let pairs = trace.map(|trace| Box::new(trace.pairs()));
                    answer.row(record).pairs(pairs);
                }
                true => self.add_rows(record, trace, answer),
                false => {
                    let row = answer.row(record);
                    let row = match batch.records.error(record) {
                        Some(_) => row.nothing(1),
                        None => row.own(batch.records.own(record).as_ref()),
                    };
                    let row = match self.search {
                        true => row.number(trace.as_ref().and_then(Traced::guesses)),
                        false => row.rating(trace.as_ref().and_then(Traced::rating)),
                    };
                    json.clear();
                    match &trace {
                        Some(trace) => trace.write_json(extras, &mut json),
                        None => json.extend_from_slice(b"[]"),
                    }
                    row.text(&json);
                }
            });
            answer.statuses.extend_from_slice(traced.statuses);
            answer.rejects.extend_from_slice(traced.rejects);
            answer.counts.add("traced", traced.counts.get("unique"));
            for (name, count) in traced.counts.iter().filter(|(name, _)| *name != "unique") {
                answer.counts.add(name.to_owned(), count);
            }
            Ok(())
        })
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        Summary::of_records(done, counts.clone())
            .per_second("puzzles")
            .failed(done.records - counts.get("traced"), "not traced")
            .listed(done)
    }
}

impl Trace {
    /// Adds a row for each step of a record, or one without a step.
    fn add_rows(&self, record: usize, trace: Option<Traced<'_>>, answer: &mut Answer<'_>) {
        let mut number = 0;
        if let Some(trace) = trace {
            trace.rows(self.extras(), |step| {
                number += 1;
                let row = answer
                    .row(record)
                    .number(Some(number))
                    .display(step.cell)
                    .number(step.digit.map(u64::from))
                    .text(step.technique);
                let mut row = match self.search {
                    true => row
                        .text(step.house)
                        .number(step.depth.map(|depth| depth as u64)),
                    false => {
                        let row = row.rating(step.rating).text(step.cells);
                        row.text(step.digits).text(step.strikes)
                    }
                };
                if self.boards {
                    row = row.text(step.board);
                }
                if self.candidates {
                    row.text(step.candidates);
                }
            });
        }
        if number == 0 {
            // The number of the record and its status are no values.
            answer.row(record).nothing(self.table().len() - 2);
        }
    }
}
