//! `sudoku-batch solutions`.

use super::{
    checker::{self, Checker, Wrong, line_of},
    stream::{self, Done, Lot, Made, RecordCommand, RowView, Rows, added},
    summary::Summary,
};
use crate::cli::solutions::Solutions;
use std::{ops::AddAssign, process::ExitCode};
use sudoku_batch::{
    Engine, Puzzle, Reason,
    format::{Added, Form, Layout, Values},
    solve,
};

/// Lists the solutions of the records of files.
pub(crate) fn run(options: &Solutions) -> anyhow::Result<ExitCode> {
    stream::run(command(options), &options.records)
}

/// The command, for the driver.
pub(super) fn command(options: &Solutions) -> impl RecordCommand {
    Listing {
        options,
        limit: match options.limit {
            0 => u64::MAX,
            limit => limit,
        },
        is_line: options.records.format == Some(Form::Line),
    }
}

struct Listing<'o> {
    options: &'o Solutions,
    limit: u64,
    /// Whether the output has the form `line`.
    is_line: bool,
}

#[derive(Default)]
struct Total {
    records: u64,
    solutions: u64,
    unique: u64,
    multiple: u64,
    failed: u64,
    over: u64,
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.solutions += other.solutions;
        self.unique += other.unique;
        self.multiple += other.multiple;
        self.failed += other.failed;
        self.over += other.over;
    }
}

/// The place of the column of solutions.
const SOLUTION: usize = 1;

impl RecordCommand for Listing<'_> {
    type Kept = ();
    type Total = Total;

    fn columns(&mut self, input: &Layout) -> anyhow::Result<Vec<Added>> {
        self.is_line = self.options.records.output_form(input.form()) == Form::Line;
        Ok(vec![
            added(&self.options.record_column, Values::Record),
            added(&self.options.solution.solution_column, Values::Cells),
            added(&self.options.status.status_column, Values::Text),
        ])
    }

    fn keep(&self) {}

    fn answer(&self, _: &mut (), lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        let records = lot.records;
        let mut total = Total::default();
        for record in 0..records.len() {
            total.records += 1;
            let puzzle = records.puzzle(record).map_err(Reason::Malformed);
            if let Err(reason) = puzzle.and_then(|puzzle| {
                let listed = self.list(&puzzle, record, rows, &mut total);
                listed.ok_or_else(|| Reason::of_unsolvable(&puzzle))
            }) {
                total.failed += 1;
                rows.reject(record, reason.name(), reason);
                if !self.is_line {
                    rows.row(record).nothing().nothing().value(reason.name());
                }
            }
        }
        total
    }

    fn verifies(&self) -> bool {
        self.options.verify
    }

    fn verify(&self, checker: &mut Checker, lot: &Lot<'_>, made: &Made<'_>) -> Result<(), Wrong> {
        let records = lot.records;
        let (mut puzzles, mut lines, mut of_lines) = (Vec::new(), Vec::new(), Vec::new());
        let mut has_solution = vec![false; records.len()];
        for row in made.rows() {
            let solution = row.value(SOLUTION);
            if !solution.is_empty() {
                puzzles.push(records.cells()[row.record]);
                lines.push(line_of(solution));
                of_lines.push(row.record);
                has_solution[row.record] = true;
            }
        }
        let solutions = checker
            .solutions(&puzzles, &lines)
            .map_err(|wrong| Wrong::new(of_lines[wrong.record], wrong.what));
        // In order, and so none comes twice.
        let follows = |at: usize| of_lines[at] != of_lines[at - 1] || lines[at - 1] < lines[at];
        let order = match (1..lines.len()).find(|&at| !follows(at)) {
            Some(at) => Err(Wrong::new(of_lines[at], "its solutions are not in order")),
            None => Ok(()),
        };
        let unsolved = (0..records.len()).filter(|&record| !has_solution[record]);
        // The solutions are listed by the scalar engine.
        let is_unsolved = |_: &Puzzle, count| count == 0;
        let unsolved = checker.unanswered(Engine::Scalar, records, unsolved, is_unsolved);
        checker::first(checker::first(solutions, order), unsolved)
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        line.extend_from_slice(row.value(0));
        line.push(b'\t');
        line.extend_from_slice(row.value(SOLUTION));
        true
    }

    fn summary(&self, total: &Total, done: &Done) -> Summary {
        Summary {
            total: ("records", total.records),
            counts: vec![
                ("unique", total.unique),
                ("multiple", total.multiple),
                ("without-solution", total.failed),
                ("solutions", total.solutions),
                ("over-the-limit", total.over),
            ],
            among_first: Vec::new(),
            unit: "records",
            facts: done.facts().collect(),
            failed: total.failed,
            failure: "have no solution",
        }
    }
}

impl Listing<'_> {
    /// Adds a row for each solution of a puzzle. Adds none if it has no solution.
    fn list(
        &self,
        puzzle: &Puzzle,
        record: usize,
        rows: &mut Rows<'_>,
        total: &mut Total,
    ) -> Option<()> {
        let mut solutions = solve::Solutions::of(puzzle);
        let first = solutions.next()?;
        let second = solutions.next();
        let status = match second {
            None => "unique",
            Some(_) => Reason::Multiple.name(),
        };
        *match second {
            None => &mut total.unique,
            Some(_) => &mut total.multiple,
        } += 1;
        let mut listed = 0;
        for solution in [first].into_iter().chain(second).chain(solutions) {
            if listed == self.limit {
                total.over += 1;
                break;
            }
            listed += 1;
            let row = rows.row(record).nothing();
            row.value(solution.as_ascii()).value(status);
        }
        total.solutions += listed;
        Some(())
    }
}
