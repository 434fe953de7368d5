//! `sudoku-batch canonical`.

use super::{
    checker::{self, Checker, Wrong, digit_counts, usual_engine},
    stream::{self, Done, Lot, Made, MadeRow, RecordCommand, RowView, Rows, added},
    summary::Summary,
    uniqueness::{Uniqueness, statuses},
};
use crate::cli::canonical::Canonical;
use std::process::ExitCode;
use sudoku_batch::{
    Digit, Puzzle,
    batch::Tally,
    format::{Added, Layout, Records, Values},
    grid::{BLANK, CELLS, Cell},
    solve::NO_SOLUTION,
    symmetry::{CanonicalPuzzle, Transformation},
};

/// Puts the records of files into canonical form.
pub(crate) fn run(options: &Canonical) -> anyhow::Result<ExitCode> {
    stream::run(command(options), &options.records)
}

/// The command, for the driver.
pub(super) fn command(options: &Canonical) -> impl RecordCommand {
    Forms { options }
}

struct Forms<'o> {
    options: &'o Canonical,
}

impl Forms<'_> {
    fn only_forms(&self) -> bool {
        !self.options.transformation && !self.options.automorphisms
    }

    /// Checks a form of a record as far as can be told without canonical forms: it has one
    /// solution, the digits of the record, and the transformation that is written leads to it.
    fn fault(
        &self,
        records: &Records,
        row: &MadeRow<'_>,
        form: &Puzzle,
        is_unique: bool,
    ) -> Result<(), &'static str> {
        let puzzle = records.puzzle(row.record);
        let puzzle = puzzle.map_err(|_| "a malformed record has a form")?;
        if !is_unique {
            return Err("by the other engine the form has not one solution");
        }
        if digit_counts(form) != digit_counts(&puzzle) {
            return Err("the form has not the digits of the record");
        }
        if self.options.transformation {
            let text = str::from_utf8(row.value(1)).unwrap_or_default();
            let transformation: Transformation = text
                .parse()
                .map_err(|_| "the transformation is malformed")?;
            if image(&puzzle, &transformation) != *form.as_ascii() {
                return Err("the transformation does not lead to the form");
            }
        }
        Ok(())
    }
}

/// The image of a puzzle, by the words that explain a transformation in its documentation.
fn image(puzzle: &Puzzle, transformation: &Transformation) -> [u8; CELLS] {
    let (rows, columns) = (transformation.rows(), transformation.columns());
    std::array::from_fn(|at| {
        let [row, column] = [rows[at / 9], columns[at % 9]].map(usize::from);
        let from = match transformation.is_transposed() {
            true => Cell::at(column, row),
            false => Cell::at(row, column),
        };
        let clue = Digit::from_ascii(puzzle.as_ascii()[from.index()]);
        clue.map_or(BLANK, |clue| transformation.digit(clue).to_ascii())
    })
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

    fn verifies(&self) -> bool {
        self.options.verify
    }

    fn verify(&self, checker: &mut Checker, lot: &Lot<'_>, made: &Made<'_>) -> Result<(), Wrong> {
        let records = lot.records;
        let engine = usual_engine(records.len());
        let (mut of_forms, mut forms, mut without) = (Vec::new(), Vec::new(), Vec::new());
        for row in made.rows() {
            match row.value(0) {
                [] => without.push(row.record),
                form => {
                    let cells = form.try_into().ok().and_then(Puzzle::from_ascii);
                    of_forms.push(row);
                    // A puzzle without clues has several solutions, and so it is no form.
                    forms.push(cells.unwrap_or(Puzzle::EMPTY));
                }
            }
        }
        let solutions = checker.solve(engine, &forms);
        let mut checked = Ok(());
        for ((row, form), solution) in of_forms.iter().zip(&forms).zip(solutions) {
            if let Err(what) = self.fault(records, row, form, solution.is_ok()) {
                checked = Err(Wrong::new(row.record, what));
                break;
            }
        }
        let is_without = |_: &Puzzle, count| count != 1;
        let without = checker.unanswered(engine, records, without.into_iter(), is_without);
        checker::first(checked, without)
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
