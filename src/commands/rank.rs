//! `sudoku-batch rank`.

use super::{
    check::valid_grid,
    checker::{Checker, Wrong},
    stream::{self, Done, Lot, Made, RecordCommand, RowView, Rows, added},
    summary::Summary,
};
use crate::cli::rank::Rank;
use std::{ops::AddAssign, process::ExitCode};
use sudoku_batch::{
    format::{Added, Layout, Values},
    generate::Sequence,
};

/// Numbers the grids of files.
pub(crate) fn run(options: &Rank) -> anyhow::Result<ExitCode> {
    stream::run(command(options), &options.records)
}

/// The command, for the driver.
pub(super) fn command(options: &Rank) -> impl RecordCommand {
    Ranking {
        options,
        sequence: options.sequence.sequence(),
    }
}

struct Ranking<'o> {
    options: &'o Rank,
    sequence: Sequence,
}

/// The counts.
#[derive(Default)]
struct Total {
    records: u64,
    known: u64,
    not_grids: u64,
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.known += other.known;
        self.not_grids += other.not_grids;
    }
}

impl RecordCommand for Ranking<'_> {
    type Kept = ();
    type Total = Total;

    fn columns(&mut self, _: &Layout) -> anyhow::Result<Vec<Added>> {
        Ok(vec![
            added(&self.options.index_column, Values::Numbers),
            added(&self.options.status.status_column, Values::Text),
        ])
    }

    fn keep(&self) {}

    fn answer(&self, (): &mut (), lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        let records = lot.records;
        let mut total = Total::default();
        for record in 0..records.len() {
            total.records += 1;
            match valid_grid(records, record) {
                Ok(grid) => {
                    let row = rows.row(record);
                    let row = match self.sequence.position(&grid) {
                        Some(number) => {
                            total.known += 1;
                            row.display(number)
                        }
                        None => row.nothing(),
                    };
                    row.value("unique");
                }
                Err(reason) => {
                    total.not_grids += 1;
                    rows.reject(record, reason.name(), reason);
                    rows.row(record).nothing().value(reason.name());
                }
            }
        }
        total
    }

    fn verifies(&self) -> bool {
        self.options.verify
    }

    /// Makes the grid of each number again.
    fn verify(&self, _: &mut Checker, lot: &Lot<'_>, made: &Made<'_>) -> Result<(), Wrong> {
        for row in made.rows() {
            let number = str::from_utf8(row.value(0)).unwrap_or_default();
            if number.is_empty() {
                continue;
            }
            let grid = number.parse().ok().and_then(|n| self.sequence.grid(n));
            if grid.is_none_or(|grid| *grid.as_ascii() != lot.records.cells()[row.record]) {
                let what = format!("{number} is the number of another grid");
                return Err(Wrong::new(row.record, what));
            }
        }
        Ok(())
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        line.extend_from_slice(match row.value(0) {
            [] => b"unknown",
            number => number,
        });
        true
    }

    fn summary(&self, total: &Total, done: &Done) -> Summary {
        let unknown = total.records - total.known;
        let facts = self.options.sequence.facts().into_iter();
        Summary {
            total: ("records", total.records),
            counts: vec![
                ("known", total.known),
                ("unknown", unknown - total.not_grids),
                ("not-grids", total.not_grids),
            ],
            among_first: Vec::new(),
            unit: "grids",
            facts: facts.chain(done.facts()).collect(),
            failed: unknown,
            failure: "have no number in this sequence",
        }
    }
}
