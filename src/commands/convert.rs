//! `sudoku-batch convert`.

use crate::driver::{
    self, Done, Files, Plan, RecordCommand, RecordOptions, Summary, Task, Worker, options::help,
};
use std::process::ExitCode;
use sudoku_batch::{
    format::{Added, Form, Layout, Place, Values},
    questions::Counts,
};

/// Turn records from one form into another.
///
/// Nothing is solved. A table keeps its columns, JSON lines their keys; lines and blocks become a column
/// or a key `puzzle`. In lines, blocks and grids only the cells are left.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records are malformed"))]
pub(crate) struct Convert {
    /// Strike the candidates that clues and singles rule out.
    ///
    /// A puzzle of 81 cells is given by its candidates then. A record that the singles show to have no
    /// solution is reported, and keeps its candidates.
    #[arg(long)]
    reduce: bool,

    /// Whether the reduced puzzle takes the place of the one in the text of a record.
    #[arg(skip)]
    replaces: bool,

    #[command(flatten)]
    records: RecordOptions,
}

const NOTES: &str = "\
Examples:
  sudoku-batch convert puzzles.csv --format line -o puzzles.txt
      Only the puzzles of a table, a line each.
  sudoku-batch convert sudoku.txt --format jsonl
      Blocks of nine lines to JSON lines.
  sudoku-batch convert train.csv.gz --column question --format pretty | less
      Look at the puzzles of a compressed table.
  sudoku-batch convert puzzles.txt --format candidates --reduce
      729 characters a line: the candidates that clues and singles leave.
  sudoku-batch convert posted.txt --format line
      Positions with pencil marks to 81 cells, where these say the same.
  sudoku-batch convert puzzles.jsonl --format csv -o puzzles.csv.zst
      JSON lines to a compressed table: the keys of the first object are its columns.

A malformed record keeps its place: its text stands in the column of the puzzle, or on its line; in blocks
and grids it is 81 points. Standard error reports it.";

impl Convert {
    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        let records = self.records.clone();
        let task = Task {
            reduce: self.reduce,
            ..records.task()
        };
        driver::run(files, &mut self, &task)
    }
}

impl RecordCommand for Convert {
    fn plan(&mut self, input: &Layout, output: Form) -> anyhow::Result<Plan> {
        self.replaces = self.reduce
            && matches!(input, Layout::Table(_) | Layout::Objects(_))
            && matches!(output, Form::Csv | Form::Tsv | Form::Jsonl);
        let puzzle = self.replaces.then(|| Added {
            name: "puzzle".into(),
            place: Place::Puzzle,
            values: Values::Puzzles,
        });
        Ok(Plan::new(Vec::from_iter(puzzle)))
    }

    fn worker(&self) -> Worker<'_> {
        Box::new(move |batch, rows, counts| {
            let [mut malformed, mut contradictory] = [0; 2];
            for record in 0..batch.records.len() {
                if let Some(error) = batch.records.error(record) {
                    rows.reject(record, "malformed", error);
                    malformed += 1;
                } else if self.reduce
                    && let Some(candidates) = batch.records.candidates(record)
                    && candidates.reduced().is_none()
                {
                    rows.reject(record, "no-solution", "");
                    contradictory += 1;
                }
                match (self.replaces, batch.records.error(record)) {
                    (false, _) => _ = rows.row(record),
                    (true, None) => _ = rows.row(record).value(batch.records.own(record)),
                    (true, Some(_)) => rows.unchanged(record),
                }
            }
            let failed = malformed + contradictory;
            counts.add("converted", batch.records.len() as u64 - failed);
            counts.add("malformed", malformed);
            if self.reduce {
                counts.add("no-solution", contradictory);
            }
            Ok(())
        })
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let (malformed, contradictory) = (counts.get("malformed"), counts.get("no-solution"));
        let what = match contradictory {
            0 => "malformed",
            _ => "malformed or without a solution",
        };
        Summary::of_records(done, counts.clone()).failed(malformed + contradictory, what)
    }
}
