//! `sudoku-batch solutions`.

use crate::driver::{
    self, AddedColumns, Done, Files, Plan, RecordCommand, SetOptions, SolutionColumn, Summary,
    Worker, added, options::help, status_column,
};
use std::process::ExitCode;
use sudoku_batch::{
    format::{Form, Layout, Values},
    questions::{self, Counts, RowView, Status, verification::Check},
};

/// List the solutions of puzzles.
///
/// Every solution of a record gives one line: the number of the record, from 1, a tab and the solution.
/// The solutions of a record come in lexicographic order. A record without a solution gives no line.
///
/// In a table a record is repeated for each of its solutions, with the columns solution, record and
/// status; a record without a solution stands there once, with an empty solution. Blocks hold the
/// solutions alone.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records have no solution, or are malformed"))]
pub(crate) struct Solutions {
    /// List up to this many solutions of a record, the first ones; 0 is all of them.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    limit: u64,

    /// Check each solution before it is written.
    ///
    /// It must be a grid, have the clues of its own record, and come after the solution before it.
    /// This costs about 20 ns a solution. A record without a solution is solved again by the other
    /// engine. The first record that fails ends the command with exit status 2 and no output.
    #[arg(long)]
    verify: bool,

    #[command(flatten)]
    solution: SolutionColumn,

    /// The name of the column of the numbers of records.
    #[arg(long, value_name = "NAME", default_value = "record")]
    record_column: String,

    #[command(flatten)]
    added: AddedColumns,

    #[command(flatten)]
    pub(super) records: SetOptions,

    /// Whether the output holds solutions alone: its form has no room for other columns.
    #[arg(skip)]
    solutions_alone: bool,
}

const NOTES: &str = "\
Examples:
  sudoku-batch solutions puzzles.txt
      The solutions of all records, up to 1000 of each.
  sudoku-batch solutions --limit 2 puzzles.txt | cut -f 1 | uniq -d
      The numbers of the puzzles that have more than one solution.
  sudoku-batch solutions --limit 0 few-clues.txt -o all.txt
      All of them, written as they are found: memory stays flat.

The summary gives the number of records that have more solutions than were listed.";

/// About how many bytes of rows are written together: so many are in memory, for each thread.
const PART: usize = 1 << 20;

/// The place of the column of solutions.
const SOLUTION: usize = 1;

impl Solutions {
    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        let (records, added) = (self.records.clone(), self.added.clone());
        driver::run(files, &mut self, &records.task().adding(&added))
    }
}

impl RecordCommand for Solutions {
    fn plan(&mut self, _: &Layout, output: Form) -> anyhow::Result<Plan> {
        self.solutions_alone = output.is_of_lines() || output.is_of_nine_lines();
        let columns = [
            added(&self.record_column, Values::Record),
            added(&self.solution.solution_column, Values::Cells),
            status_column(&self.added.status_column),
        ];
        Ok(Plan::new(columns).verified(self.verify, Some(Check::ListedSolutions(SOLUTION))))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = questions::List::new((self.limit > 0).then_some(self.limit));
        Box::new(move |batch, answer| {
            let listed = question.ask_on(batch.records, PART);
            answer.rejects.extend_from_slice(listed.rejects);
            // The records before this part have no rows in it.
            answer.statuses.resize(listed.first, Status::Unique);
            answer.statuses.extend_from_slice(listed.statuses);
            for at in 0..listed.statuses.len() {
                let (record, solutions) = (listed.first + at, listed.solutions(at));
                for solution in solutions {
                    answer.row(record).cells(solution.first_chunk());
                }
                let has_row = !solutions.is_empty() || at == 0 && listed.goes_on;
                if !has_row && !self.solutions_alone {
                    answer.row(record).nothing(1);
                }
            }
            answer.go_on_at(listed.next);
            answer.counts += listed.counts;
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        row.push(0, line);
        line.push(b'\t');
        row.push(SOLUTION, line);
        true
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let failed = done.records - counts.get("unique") - counts.get("multiple");
        Summary::of_records(done, counts.clone()).failed(failed, "have no solution")
    }
}
