//! `sudoku-batch convert`.

use super::{
    stream::{self, Done, Lot, RecordCommand, Rows},
    summary::Summary,
};
use crate::cli::convert::Convert;
use std::{ops::AddAssign, process::ExitCode};
use sudoku_batch::format::{Added, Layout};

/// Converts files.
pub(crate) fn run(options: &Convert) -> anyhow::Result<ExitCode> {
    stream::run(Converting, &options.records)
}

/// The command, as the driver knows it.
struct Converting;

/// How many records are malformed.
#[derive(Default)]
struct Malformed(u64);

impl AddAssign for Malformed {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl RecordCommand for Converting {
    type Kept = ();
    type Total = Malformed;

    fn columns(&mut self, _: &Layout) -> anyhow::Result<Vec<Added>> {
        Ok(Vec::new())
    }

    fn keep(&self) {}

    fn answer(&self, (): &mut (), lot: &Lot<'_>, rows: &mut Rows<'_>) -> Malformed {
        let mut malformed = 0;
        for record in 0..lot.records.len() {
            if let Some(error) = lot.records.error(record) {
                rows.reject(record, "malformed", error);
                malformed += 1;
            }
            rows.row(record);
        }
        Malformed(malformed)
    }

    fn summary(&self, total: &Malformed, done: &Done) -> Summary {
        let Malformed(malformed) = *total;
        Summary {
            total: ("records", done.records),
            among_first: Vec::new(),
            counts: vec![
                ("converted", done.records - malformed),
                ("malformed", malformed),
            ],
            unit: "records",
            facts: done.facts().collect(),
            failed: malformed,
            failure: "malformed",
        }
    }
}
