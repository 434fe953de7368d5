//! `sudoku-batch canonical`.

use super::{
    stream::{self, Done, Lot, RecordCommand, RowView, Rows, added},
    summary::Summary,
    uniqueness::{Uniqueness, statuses},
};
use crate::cli::canonical::Canonical;
use std::process::ExitCode;
use sudoku_batch::{
    batch::Tally,
    format::{Added, Layout, Values},
    solve::NO_SOLUTION,
    symmetry::CanonicalPuzzle,
};

/// Puts the records of files into canonical form.
pub(crate) fn run(options: &Canonical) -> anyhow::Result<ExitCode> {
    stream::run(Forms { options }, &options.records)
}

struct Forms<'o> {
    options: &'o Canonical,
}

impl Forms<'_> {
    fn only_forms(&self) -> bool {
        !self.options.transformation && !self.options.automorphisms
    }
}

impl RecordCommand for Forms<'_> {
    type Kept = Uniqueness;
    type Total = Tally;

    fn columns(&mut self, _: &Layout) -> anyhow::Result<Vec<Added>> {
        let options = self.options;
        let mut columns = vec![added(&options.canonical_column, Values::Cells)];
        if options.transformation {
            columns.push(added(&options.transformation_column, Values::Text));
        }
        if options.automorphisms {
            columns.push(added(&options.automorphisms_column, Values::Numbers));
        }
        columns.push(added(&options.status.status_column, Values::Text));
        Ok(columns)
    }

    fn keep(&self) -> Uniqueness {
        Uniqueness::new()
    }

    fn answer(&self, kept: &mut Uniqueness, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Tally {
        let solved = kept.of(lot);
        solved.tell(rows);
        for record in 0..lot.records.len() {
            let form = solved.pair(lot, record);
            let form = form.map(|(puzzle, solution)| CanonicalPuzzle::of(&puzzle, &solution));
            let mut row = rows.row(record);
            row = match &form {
                Some(form) => row.value(form.puzzle().as_ascii()),
                None => row.nothing(),
            };
            if self.options.transformation {
                row = match &form {
                    Some(form) => row.display(form.transformation()),
                    None => row.nothing(),
                };
            }
            if self.options.automorphisms {
                row = match &form {
                    Some(form) => row.display(form.automorphisms()),
                    None => row.nothing(),
                };
            }
            row.value(solved.status(record));
        }
        solved.answers.tally()
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        if self.only_forms() {
            return false;
        }
        let form = row.value(0);
        line.extend_from_slice(if form.is_empty() {
            &NO_SOLUTION[..81]
        } else {
            form
        });
        let values =
            usize::from(self.options.transformation) + usize::from(self.options.automorphisms);
        for column in 1..=values {
            line.push(b'\t');
            line.extend_from_slice(row.value(column));
        }
        true
    }

    fn summary(&self, total: &Tally, done: &Done) -> Summary {
        Summary {
            total: ("records", total.records),
            counts: statuses(total),
            among_first: Vec::new(),
            unit: "records",
            facts: done.facts().collect(),
            failed: total.records - total.solved(),
            failure: "have no canonical form",
        }
    }
}
