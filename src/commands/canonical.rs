//! `sudoku-batch canonical`.

use crate::driver::{
    self, AddedColumns, Done, Files, Plan, RecordCommand, RecordOptions, RowView, Summary, Worker,
    added, options::help, status_column, verify::Check,
};
use std::process::ExitCode;
use sudoku_batch::{
    format::{Form, Layout, Values},
    grid::{AnyPuzzle, BLANK, CELLS},
    questions::{Canonicalize, Counts},
    solve::NO_SOLUTION,
};

/// Put puzzles and solved grids into canonical form.
///
/// Two records have the same form exactly if a symmetry turns one into the other: renamed digits,
/// reordered rows, columns, bands and stacks, transposition.
///
/// The form of a solved grid is the smallest of its 1,218,998,108,160 images, read as a number. The
/// symmetry that takes the solution of a puzzle to its form takes the puzzle to the form of the puzzle;
/// of several such symmetries, the one with the smallest image. So the form of a puzzle has its clues,
/// and the form of its solution as its solution. It is not `minlex`, the smallest image of the puzzle's
/// own 81 characters.
///
/// A record without exactly one solution has no form: its line has 81 points.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records have no form, or are malformed"))]
pub(crate) struct Canonical {
    /// Add the operations that lead to the form.
    ///
    /// `transpose/` if the grid is transposed; then rows=231456789: row 1 of the form is row 2 of the
    /// grid; the same for columns; digits=918273645: digit 1 becomes 9.
    #[arg(long)]
    transformation: bool,

    /// Add the number of symmetries that map the record to itself, the identity among them: 1 for nearly
    /// all.
    #[arg(long)]
    automorphisms: bool,

    /// Check each form before it is written.
    ///
    /// A form is solved by the other engine, which costs about 1 to 30 µs: it must have one solution, and
    /// the digits of its record. With --transformation, the transformation is carried out too. A record
    /// without a form is solved again by the other engine. The first record that fails ends the command
    /// with exit status 2 and no output.
    #[arg(long)]
    verify: bool,

    /// The name of the column of forms.
    #[arg(long, value_name = "NAME", default_value = "canonical")]
    canonical_column: String,

    /// The name of the column of transformations.
    #[arg(long, value_name = "NAME", default_value = "transformation")]
    transformation_column: String,

    /// The name of the column of numbers of automorphisms.
    #[arg(long, value_name = "NAME", default_value = "automorphisms")]
    automorphisms_column: String,

    #[command(flatten)]
    added: AddedColumns,

    #[command(flatten)]
    pub(super) records: RecordOptions,
}

const NOTES: &str = "\
Examples:
  sudoku-batch canonical puzzles.txt | sort -u | wc -l
      How many puzzles are different up to symmetry (dedup is faster and keeps the order).
  sudoku-batch canonical --transformation --automorphisms puzzles.txt
      Form, transformation and automorphisms, with tabs between.
  sudoku-batch canonical puzzles.csv -o forms.csv
      The form in a column behind the others.";

impl Canonical {
    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        let (records, added) = (self.records.clone(), self.added.clone());
        driver::run(files, &mut self, &records.task().adding(&added))
    }

    /// The number of columns between the form and the status.
    fn further_columns(&self) -> usize {
        usize::from(self.transformation) + usize::from(self.automorphisms)
    }
}

impl RecordCommand for Canonical {
    fn plan(&mut self, _: &Layout, _: Form) -> anyhow::Result<Plan> {
        let mut columns = vec![added(&self.canonical_column, Values::Puzzles)];
        if self.transformation {
            columns.push(added(&self.transformation_column, Values::Text));
        }
        if self.automorphisms {
            columns.push(added(&self.automorphisms_column, Values::Numbers));
        }
        columns.push(status_column(&self.added.status_column));
        let check = Check::Forms(self.transformation.then_some(1));
        Ok(Plan::new(columns).verified(self.verify, check))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = Canonicalize::default();
        Box::new(move |batch, rows, counts| {
            let answer = question.ask(batch.records);
            rows.rejects(answer.solved.rejects);
            for (record, form) in answer.forms.iter().enumerate() {
                let form = form.as_ref();
                let mut row = rows.row(record);
                row = match form {
                    Some(form) => match form.as_given() {
                        AnyPuzzle::Cells(puzzle) => row.value(puzzle.as_ascii()),
                        AnyPuzzle::Candidates(candidates) => row.value(candidates.to_ascii(BLANK)),
                    },
                    None => row.nothing(),
                };
                if self.transformation {
                    row = row.optional(form.map(|form| form.transformation()));
                }
                if self.automorphisms {
                    row = row.optional(form.map(|form| form.automorphisms()));
                }
                row.value(answer.solved.statuses[record].name());
            }
            *counts += answer.solved.counts;
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        if self.further_columns() == 0 {
            return false;
        }
        line.extend_from_slice(match row.value(0) {
            [] => &NO_SOLUTION[..CELLS],
            form => form,
        });
        for column in 1..=self.further_columns() {
            line.push(b'\t');
            line.extend_from_slice(row.value(column));
        }
        true
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let failed = done.records - counts.get("unique");
        Summary::of_records(done, counts.clone()).failed(failed, "have no canonical form")
    }
}
