//! `sudoku-batch rank`.

use super::sequence::SequenceOptions;
use crate::driver::{
    self, AddedColumns, Done, Files, Plan, RecordCommand, RecordOptions, RowView, Summary, Worker,
    added, options::help, status_column, verify::Check,
};
use std::process::ExitCode;
use sudoku_batch::{
    format::{Form, Layout, Values},
    questions::{Counts, Status, valid_grid},
};

/// Number solved grids: the inverse of generate.
///
/// Every record is a solved grid. It gets the number of its grid in the sequence, counted from 0. In the
/// form `line`, the output has one line for each record, in the order of the input: the number, or
/// `unknown`. A grid is unknown when it is not an image of any of the 256 base grids, or when its first
/// digit is not the one that is fixed.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some grids have no number"))]
pub(crate) struct Rank {
    #[command(flatten)]
    sequence: SequenceOptions,

    /// Check each number before it is written: make the grid of that number again.
    ///
    /// It must be the grid of the record. This costs about 100 ns a record. The first record that fails
    /// ends the command with exit status 2 and no output.
    #[arg(long)]
    verify: bool,

    /// The name of the column, or key, for the number of each grid.
    #[arg(long, value_name = "NAME", default_value = "index")]
    index_column: String,

    #[command(flatten)]
    added: AddedColumns,

    #[command(flatten)]
    pub(super) records: RecordOptions,
}

const NOTES: &str = "\
Examples:
  sudoku-batch generate 1M --seed 7 | sudoku-batch rank --seed 7 | sort -n | uniq -d
      No grid comes twice: no number is printed.
  sudoku-batch rank --in-order grids.txt -o indices.txt
  sudoku-batch rank solved.csv --column solution -o numbered.csv
      The table with two more columns, index and status.

The status of a valid grid is `valid`, whether it is known or not. A record that is no grid (not 81
digits, or a digit twice in a row, column or box) is unknown too. Standard error reports the first ten of
them.";

impl Rank {
    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        let (records, added) = (self.records.clone(), self.added.clone());
        driver::run(files, &mut self, &records.task().adding(&added))
    }
}

impl RecordCommand for Rank {
    fn plan(&mut self, _: &Layout, _: Form) -> anyhow::Result<Plan> {
        let columns = [
            added(&self.index_column, Values::Numbers),
            status_column(&self.added.status_column),
        ];
        let check = Check::Numbers(Box::new(self.sequence.sequence()));
        Ok(Plan::new(columns).verified(self.verify, check))
    }

    fn worker(&self) -> Worker<'_> {
        let sequence = self.sequence.sequence();
        Box::new(move |batch, rows, counts| {
            let [mut known, mut not_grids] = [0, 0];
            for record in 0..batch.records.len() {
                match valid_grid(batch.records, record) {
                    Ok(grid) => {
                        let number = sequence.position(&grid);
                        known += u64::from(number.is_some());
                        rows.row(record)
                            .optional(number)
                            .value(Status::Valid.name());
                    }
                    Err(reason) => {
                        not_grids += 1;
                        rows.reject(record, reason.name(), reason);
                        rows.row(record).nothing().value(reason.name());
                    }
                }
            }
            counts.add("known", known);
            counts.add("unknown", batch.records.len() as u64 - known - not_grids);
            counts.add("not-grids", not_grids);
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        line.extend_from_slice(match row.value(0) {
            [] => b"unknown",
            number => number,
        });
        true
    }

    fn expects_grids(&self) -> bool {
        true
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let summary = Summary::of_records(done, counts.clone())
            .per_second("grids")
            .facts(self.sequence.facts());
        let failed = done.records - counts.get("known");
        summary.failed(failed, "have no number in this sequence")
    }
}
