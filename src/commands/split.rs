//! `sudoku-batch split`.

use super::{
    stream::{self, Done, Lot, RecordCommand, Rows},
    summary::Summary,
    uniqueness::{Uniqueness, statuses},
};
use crate::cli::split::Split;
use anyhow::bail;
use std::{ops::AddAssign, process::ExitCode};
use sudoku_batch::{
    Reason,
    batch::Tally,
    dataset::{self, By},
    format::{Added, Layout},
};

/// Divides the records of files.
pub(crate) fn run(options: &Split) -> anyhow::Result<ExitCode> {
    let parts = options.weights();
    for (at, (name, _)) in parts.iter().enumerate() {
        if parts[..at].iter().any(|(other, _)| other == name) {
            bail!("there are two parts {name} (--parts)");
        }
    }
    let weights: Vec<f64> = parts.iter().map(|(_, weight)| *weight).collect();
    let names = parts.into_iter().map(|(name, _)| name);
    let dividing = Dividing {
        options,
        split: dataset::Split::new(options.seed, &weights)?,
        names: names.chain([REJECTED.into()]).collect(),
    };
    stream::run(dividing, &options.records)
}

/// The part for records without a form.
const REJECTED: &str = "rejected";

struct Dividing<'o> {
    options: &'o Split,
    split: dataset::Split,
    /// The names of the parts. The part for rejects is last.
    names: Vec<String>,
}

/// The counts.
#[derive(Default)]
struct Total {
    tally: Tally,
    malformed: u64,
    /// The number of records in each part.
    parts: Vec<u64>,
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.tally += other.tally;
        self.malformed += other.malformed;
        self.parts
            .resize(other.parts.len().max(self.parts.len()), 0);
        for (sum, count) in self.parts.iter_mut().zip(other.parts) {
            *sum += count;
        }
    }
}

impl RecordCommand for Dividing<'_> {
    type Kept = Uniqueness;
    type Total = Total;

    fn columns(&mut self, _: &Layout) -> anyhow::Result<Vec<Added>> {
        Ok(Vec::new())
    }

    fn keep(&self) -> Uniqueness {
        Uniqueness::new()
    }

    fn answer(&self, kept: &mut Uniqueness, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        let mut total = Total {
            parts: vec![0; self.names.len()],
            ..Total::default()
        };
        let by = self.options.by;
        let forms: Vec<_> = if by == By::Equality {
            total.tally.records = lot.records.len() as u64;
            let form = |record| {
                let puzzle = lot.records.puzzle(record);
                if let Err(error) = puzzle {
                    let reason = Reason::Malformed(error);
                    rows.reject(record, reason.name(), reason);
                }
                puzzle.ok()
            };
            (0..lot.records.len()).map(form).collect()
        } else {
            let solved = kept.of(lot);
            solved.tell(rows);
            total.tally = solved.answers.tally();
            let form = |record| {
                let (puzzle, solution) = solved.pair(lot, record)?;
                Some(by.form(&puzzle, &solution))
            };
            (0..lot.records.len()).map(form).collect()
        };
        for (record, form) in forms.iter().enumerate() {
            let part = match form {
                Some(form) => self.split.part(form),
                None => self.names.len() - 1,
            };
            total.malformed += u64::from(form.is_none());
            total.parts[part] += 1;
            rows.row(record).goes_to_part(part);
        }
        total
    }

    fn parts(&self) -> Vec<String> {
        self.names.clone()
    }

    fn summary(&self, total: &Total, done: &Done) -> Summary {
        let rejected = total.malformed;
        let parts = self
            .names
            .iter()
            .zip(total.parts.iter().chain(std::iter::repeat(&0)));
        let mut counts: Vec<_> = parts
            .map(|(name, count)| (&*String::leak(name.clone()), *count))
            .collect();
        if self.options.by.needs_solution() {
            counts.extend(statuses(&total.tally));
        }
        Summary {
            total: ("records", total.tally.records),
            counts,
            among_first: Vec::new(),
            unit: "records",
            facts: std::iter::once(("by", self.options.by.name().into()))
                .chain(done.facts())
                .collect(),
            failed: rejected,
            failure: "could not be compared, and are in the part rejected",
        }
    }
}
