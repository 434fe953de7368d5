//! `sudoku-batch count`.

use crate::driver::{
    self, AddedColumns, Files, Plan, RecordCommand, RecordOptions, RowView, Worker, added, job,
    options::help, status_column,
};
use rayon::ThreadPoolBuilder;
use std::process::ExitCode;
use sudoku_batch::{
    format::{Form, Layout, Values},
    questions::{self},
};

/// Count the solutions of puzzles.
///
/// Every record gives one line: the number of its solutions, in the order of the input. A `+` behind a
/// number says that there are more. In a table the number goes into the column solution_count.
///
/// All threads share the work on a record that has very many.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records are malformed"))]
pub(crate) struct Count {
    /// Count up to this many solutions of a record; 0 is all of them.
    ///
    /// A sparse puzzle may have more than anyone can count: the empty grid has 6.67 * 10^21.
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    limit: u64,

    /// The name of the column of numbers.
    #[arg(long, value_name = "NAME", default_value = "solution_count")]
    solution_count_column: String,

    #[command(flatten)]
    added: AddedColumns,

    #[command(flatten)]
    records: RecordOptions,
}

const NOTES: &str = "\
Examples:
  sudoku-batch count puzzles.txt
      1, 0, 2 or 1000000+: a number for each line.
  sudoku-batch count --limit 2 puzzles.csv -o counted.csv
      Only distinguish none, one, two and more (2+), in a column behind the others.
  sudoku-batch count --limit 0 sparse.txt --summary json
      All solutions, however many.

Status of a record: unique, multiple, malformed, row-duplicate, column-duplicate, box-duplicate or
no-solution. A malformed record has no number.";

impl Count {
    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        // A record with very many solutions is shared by this pool. Without threads for it, the
        // thread of the record counts alone.
        let threads = job::threads(&self.records.set.run).count();
        let _ = ThreadPoolBuilder::new().num_threads(threads).build_global();
        let (records, added) = (self.records.clone(), self.added.clone());
        driver::run(files, &mut self, &records.task().adding(&added))
    }
}

impl RecordCommand for Count {
    fn plan(&mut self, _: &Layout, _: Form) -> anyhow::Result<Plan> {
        Ok(Plan::new([
            added(&self.solution_count_column, Values::Bounds),
            status_column(&self.added.status_column),
        ]))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = questions::Count::new((self.limit > 0).then_some(self.limit));
        Box::new(move |batch, rows, counts| {
            let counted = question.ask(batch.records);
            rows.rejects(counted.rejects);
            for (record, solutions) in counted.solutions.iter().enumerate() {
                let row = rows.row(record).optional(*solutions);
                row.value(counted.statuses[record].name());
            }
            *counts += counted.counts;
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        line.extend_from_slice(match row.value(0) {
            [] => row.value(1),
            count => count,
        });
        true
    }
}
