//! `sudoku-batch convert`.

use crate::driver::{self, RecordCommand, RecordOptions, Worker, options::help};
use std::process::ExitCode;

/// Turn records from one form into another.
///
/// Nothing is solved. A table keeps its columns, JSON lines their keys; lines and blocks become a column
/// or a key `puzzle`. In lines, blocks and grids only the cells are left.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records are malformed"))]
pub(crate) struct Convert {
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
  sudoku-batch convert puzzles.jsonl --format csv -o puzzles.csv.zst
      JSON lines to a compressed table: the keys of the first object are its columns.

A malformed record keeps its place: its text stands in the column of the puzzle, or on its line; in blocks
and grids it is 81 points. Standard error reports it.";

impl Convert {
    pub(crate) fn run(mut self) -> anyhow::Result<ExitCode> {
        let records = self.records.clone();
        driver::run(&mut self, &records.task())
    }
}

impl RecordCommand for Convert {
    fn worker(&self) -> Worker<'_> {
        Box::new(|batch, rows, counts| {
            let mut malformed = 0;
            for record in 0..batch.records.len() {
                if let Some(error) = batch.records.error(record) {
                    rows.reject(record, "malformed", error);
                    malformed += 1;
                }
                rows.row(record);
            }
            counts.add("converted", batch.records.len() as u64 - malformed);
            counts.add("malformed", malformed);
            Ok(())
        })
    }
}
