//! The part of a set, such as training or test, that each record belongs to.

use super::{Compare, Counts, Solved};
use crate::{
    dataset::{self, Equivalence},
    format::Records,
};

/// The part for records that have no form to compare.
pub const REJECTED: &str = "rejected";

/// Divides records into parts by weights: see [`dataset::Split`]. Records that count as the same are
/// in the same part.
///
/// ```
/// use sudoku_batch::{
///     dataset::{self, Equivalence},
///     format::{Records, line},
///     questions::Split,
/// };
/// let mut records = Records::default();
/// line::read(&[&[b'.'; 81], &b"\n11"[..]].concat(), &mut records);
/// let split = dataset::Split::new(7, &[90.0, 10.0])?;
/// let mut question = Split::new(split, ["train", "test"], Equivalence::Equality);
/// let divided = question.ask(&records);
/// assert!(divided.parts[0] < 2 && divided.parts[1] == 2);
/// assert_eq!(divided.counts.get("rejected"), 1);
/// # Ok::<(), sudoku_batch::dataset::DatasetError>(())
/// ```
#[derive(Debug)]
pub struct Split {
    split: dataset::Split,
    compare: Compare,
    names: Vec<String>,
    parts: Vec<usize>,
}

/// The answer of [`Split`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Divided<'q> {
    /// The part of each record: its place among the names of the parts. [`REJECTED`] is last.
    pub parts: &'q [usize],
    /// The number of records in each part.
    pub counts: Counts,
    /// The answer of [`Compare`]. Its rejects are the records in the part [`REJECTED`].
    pub compared: Solved<'q>,
}

impl Split {
    /// Divides records into the parts of a split, which have these names.
    pub fn new<N: Into<String>>(
        split: dataset::Split,
        names: impl IntoIterator<Item = N>,
        by: Equivalence,
    ) -> Self {
        let names = names.into_iter().map(Into::into);
        Self {
            split,
            compare: Compare::new(by),
            names: names.chain([REJECTED.into()]).collect(),
            parts: Vec::new(),
        }
    }

    /// Divides records.
    pub fn ask(&mut self, records: &Records) -> Divided<'_> {
        let rejected = self.names.len() - 1;
        self.parts.clear();
        let compared = self.compare.ask(records, |form| {
            let part = form.map_or(rejected, |form| self.split.part(&form));
            self.parts.push(part);
        });
        // By their cells, images of a record without a canonical form would come into other parts.
        for reject in compared.rejects {
            self.parts[reject.record] = rejected;
        }
        let mut tally = vec![0; self.names.len()];
        for &part in &self.parts {
            tally[part] += 1;
        }
        let mut counts = Counts::default();
        for (name, n) in self.names.iter().zip(tally) {
            counts.add(name.clone(), n);
        }
        Divided {
            parts: &self.parts,
            counts,
            compared,
        }
    }
}
