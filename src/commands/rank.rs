//! `sudoku-batch rank`.

use super::{
    check::valid_grid,
    stream::{self, Done, Lot, RecordCommand, RowView, Rows, added},
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
    let ranking = Ranking {
        options,
        sequence: options.sequence.sequence(),
    };
    stream::run(ranking, &options.records)
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
