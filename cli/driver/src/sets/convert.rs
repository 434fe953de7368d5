//! `sudoku-batch convert`.

use super::prompts::PromptOptions;
use crate::driver::{
    self, Done, Files, Plan, RecordCommand, RecordOptions, Summary, Task, Worker, options::help,
};
use std::process::ExitCode;
use sudoku_batch::{
    format::{Added, Form, Layout, Records, Values},
    questions::{Counts, Reason},
};

/// Turn records from one format into another.
///
/// Nothing is solved. A table keeps its columns, JSON lines their keys; lines and blocks become a column
/// or a key `puzzle`. In lines, blocks and grids only the cells are left.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records are malformed"))]
pub struct Convert {
    /// Eliminate the candidates that clues and singles rule out.
    ///
    /// A puzzle of 81 cells is given by its candidates then. A record that the singles show to have no
    /// solution is reported with the status that solve gives it, and keeps its candidates.
    #[arg(long)]
    reduce: bool,

    #[command(flatten)]
    prompts: PromptOptions,

    #[command(flatten)]
    records: RecordOptions,
}

const NOTES: &str = "\
Examples:
  sudoku-batch convert puzzles.csv --format line -o puzzles.txt
      Only the puzzles of a table, a line each.
  sudoku-batch convert sudoku.txt --format jsonl
      Blocks of nine lines to JSON lines.
  sudoku-batch convert train.csv.gz --puzzle-column question --format pretty | less
      Look at the puzzles of a compressed table.
  sudoku-batch convert puzzles.txt --format candidates --reduce
      729 characters a line: the candidates that clues and singles leave.
  sudoku-batch convert posted.txt --format line
      Positions with pencil marks to 81 cells, where these say the same.
  sudoku-batch convert train.csv --template prompt.txt -o prompts.jsonl
      A prompt for each record: {puzzle}, {grid}, {table} and the names of columns are filled in.
  sudoku-batch convert puzzles.jsonl -o puzzles.csv.zst
      JSON lines to a compressed table: the keys of the first object are its columns.

A malformed record keeps its place: its text stands in the column of the puzzle, or on its line; in blocks
and grids it is 81 dots. Standard error reports it.";

/// The reasons why the singles of a reduced record leave no solution.
const CONTRADICTIONS: [&str; 4] = [
    "row-duplicate",
    "column-duplicate",
    "box-duplicate",
    "no-solution",
];

impl Convert {
    pub fn run(self, files: &Files) -> anyhow::Result<ExitCode> {
        let task = Task {
            reduce: self.reduce,
            ..self.records.task()
        };
        let mut converting = Conversion {
            reduce: self.reduce,
            writes_arrays: task.arrays.is_some(),
            replaces: false,
        };
        let prompts = self.prompts.read()?;
        prompts.run(&mut converting, |command| {
            driver::run(files, command, &task)
        })
    }
}

/// The command at work.
struct Conversion {
    reduce: bool,
    /// The output is arrays, which show the reduced puzzle as they show any.
    writes_arrays: bool,
    /// The reduced puzzle takes the place of the one in the text of a record.
    replaces: bool,
}

/// The reason why the singles of a record show that it has no solution, if they do.
fn contradiction(records: &Records, record: usize) -> Option<Reason> {
    let puzzle = records.puzzle(record).ok()?;
    let is_possible = puzzle.candidates().reduced().is_some();
    (!is_possible).then(|| Reason::from_unsolvable(&puzzle))
}

impl RecordCommand for Conversion {
    fn plan(&mut self, input: &Layout, output: Form) -> anyhow::Result<Plan> {
        self.replaces = self.reduce
            && !self.writes_arrays
            && matches!(input, Layout::Table(_) | Layout::Objects(_))
            && matches!(output, Form::Csv | Form::Tsv | Form::Jsonl);
        let puzzle = Added::new("puzzle", Values::Puzzles).with_place_of_puzzle();
        let puzzle = self.replaces.then_some(puzzle);
        Ok(Plan::new(Vec::from_iter(puzzle)))
    }

    fn worker(&self) -> Worker<'_> {
        Box::new(move |batch, answer| {
            let mut failed = Counts::default();
            failed.add("malformed", 0);
            for name in CONTRADICTIONS.iter().filter(|_| self.reduce) {
                failed.add(*name, 0);
            }
            for record in 0..batch.records.len() {
                let reason = match batch.records.error(record) {
                    Some(error) => Some(Reason::Malformed(error)),
                    None if self.reduce => contradiction(batch.records, record),
                    None => None,
                };
                if let Some(reason) = reason {
                    answer.reject(record, reason);
                    failed.add(reason.name(), 1);
                }
                match (self.replaces, batch.records.error(record)) {
                    (false, _) => _ = answer.row(record),
                    (true, None) => _ = answer.row(record).own(batch.records.own(record).as_ref()),
                    (true, Some(_)) => answer.unchanged(record),
                }
            }
            let sum: u64 = failed.iter().map(|(_, n)| n).sum();
            answer
                .counts
                .add("converted", batch.records.len() as u64 - sum);
            answer.counts += failed;
            Ok(())
        })
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let failed = done.records - counts.get("converted");
        let what = if failed == counts.get("malformed") {
            "malformed"
        } else {
            "malformed or without a solution"
        };
        Summary::of_records(done, counts.clone()).failed(failed, what)
    }
}
