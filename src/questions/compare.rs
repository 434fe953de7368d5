//! The cells by which records count as the same.

use super::{Counts, Reason, Reject, Solved, Status, Uniqueness};
use crate::{
    dataset::{self, Equivalence},
    format::Records,
    grid::{AnyPuzzle, Puzzle},
};

/// The name of the part for records that have no form to compare.
pub const REJECTED: &str = "rejected";

/// Asks for the form of each record: cells that are equal for records that count as the same.
/// [`Equivalence`] says which are.
///
/// ```
/// use sudoku_batch::{dataset::Equivalence, format::{Records, line}, questions::Compare};
/// let mut records = Records::default();
/// line::read(&[&[b'.'; 81], &b"\n11"[..]].concat(), &mut records);
/// let (mut clues, mut question) = (Vec::new(), Compare::new(Equivalence::Equality));
/// let answer = question.ask(&records, |form| clues.push(form.map(|form| form.clue_count())));
/// assert_eq!(answer.counts.get("malformed"), 1);
/// assert_eq!(clues, [Some(0), None]);
/// // Several solutions have no canonical form: the cells are compared.
/// let mut question = Compare::new(Equivalence::Symmetry);
/// let answer = question.ask(&records, |form| clues.push(form.map(|form| form.clue_count())));
/// assert_eq!(answer.rejects.len(), 2);
/// assert_eq!(clues[2..], [Some(0), None]);
/// ```
#[derive(Debug)]
pub struct Compare {
    by: Equivalence,
    uniqueness: Uniqueness,
    rejects: Vec<Reject>,
}

impl Compare {
    /// Compares records in this way.
    pub fn new(by: Equivalence) -> Self {
        Self {
            by,
            uniqueness: Uniqueness::default(),
            rejects: Vec::new(),
        }
    }

    /// Calls `each` with the form of each record in order, or `None` for a malformed record. The rejects
    /// are the records that have no canonical form: see [`Equivalence::form`].
    /// [`Equivalence::Equality`] and [`Equivalence::Minlex`] solve no record: the statuses are empty then, and
    /// the counts are of rejects. These are malformed records; by minlex also records with a digit twice in
    /// a house, and as malformed ones those by candidates that no 81 cells have.
    pub fn ask(
        &mut self,
        records: &Records,
        mut each: impl FnMut(Option<AnyPuzzle>),
    ) -> Solved<'_> {
        self.ask_each(records, &mut each)
    }

    /// [`ask`](Self::ask), compiled here once: the command around its driver is not optimised.
    fn ask_each(
        &mut self,
        records: &Records,
        each: &mut dyn FnMut(Option<AnyPuzzle>),
    ) -> Solved<'_> {
        if self.by.needs_solution() {
            let solutions = self.uniqueness.ask(records);
            for record in 0..records.len() {
                each(match solutions.pair(records, record) {
                    Some((puzzle, solution)) => Some(self.by.form(&puzzle, Some(&solution))),
                    None => {
                        let puzzle = records.puzzle(record).ok();
                        puzzle.map(|puzzle| self.by.form(&puzzle, None))
                    }
                });
            }
            return solutions;
        }
        self.rejects.clear();
        for record in 0..records.len() {
            let puzzle = records.puzzle(record);
            let reason = match self.by {
                Equivalence::Minlex => cells_of_image(records, record).err(),
                _ => puzzle.err().map(Reason::Malformed),
            };
            let reject = reason.map(|reason| Reject { record, reason });
            self.rejects.extend(reject);
            each(puzzle.ok().map(|puzzle| self.by.form(&puzzle, None)));
        }
        let mut counts = Counts::default();
        for status in without_solution(self.by) {
            let rejects = self.rejects.iter();
            let rejects = rejects.filter(|reject| reject.reason.status() == *status);
            counts.add(status.name(), rejects.count() as u64);
        }
        Solved {
            statuses: &[],
            rejects: &self.rejects,
            counts,
            lines: &[],
        }
    }

    /// Adds the part of a split that each record goes to. Records that count as the same go to the same part. The
    /// rejects go to a part of their own, [`Split::parts`](dataset::Split::parts): by their cells, symmetric copies of a record
    /// without a canonical form would come into other parts.
    ///
    /// ```
    /// use sudoku_batch::{dataset::{Equivalence, Split}, format::{Records, line}, questions::Compare};
    /// let mut records = Records::default();
    /// line::read(&[&[b'.'; 81], &b"\n11"[..]].concat(), &mut records);
    /// let split = Split::new(7, &[90.0, 10.0])?;
    /// let (mut parts, mut question) = (Vec::new(), Compare::new(Equivalence::Equality));
    /// question.divide(&records, &split, &mut parts);
    /// assert!(parts[0] < 2 && parts[1] == 2);
    /// # Ok::<(), sudoku_batch::dataset::DatasetError>(())
    /// ```
    pub fn divide(
        &mut self,
        records: &Records,
        split: &dataset::Split,
        parts: &mut Vec<usize>,
    ) -> Solved<'_> {
        let (rejected, first) = (split.parts(), parts.len());
        let compared = self.ask(records, |form| {
            parts.push(form.map_or(rejected, |form| split.part(&form)));
        });
        for reject in compared.rejects {
            parts[first + reject.record] = rejected;
        }
        compared
    }

    /// The number of the records that have no form, by the counts of all batches.
    ///
    /// ```
    /// use sudoku_batch::{dataset::Equivalence, questions::{Compare, Counts}};
    /// let mut counts = Counts::default();
    /// counts.add("unique", 7);
    /// counts.add("multiple", 2);
    /// counts.add("malformed", 1);
    /// assert_eq!(Compare::without_forms(Equivalence::Symmetry, &counts, 10), 3);
    /// assert_eq!(Compare::without_forms(Equivalence::Equality, &counts, 10), 1);
    /// ```
    pub fn without_forms(by: Equivalence, counts: &Counts, records: u64) -> u64 {
        if by.needs_solution() {
            return records.saturating_sub(counts.get(Status::Unique.name()));
        }
        let statuses = without_solution(by).iter();
        statuses.map(|status| counts.get(status.name())).sum()
    }
}

/// The statuses of records without a form, where no solution is needed.
fn without_solution(by: Equivalence) -> &'static [Status] {
    match by {
        Equivalence::Minlex => &[
            Status::Malformed,
            Status::RowDuplicate,
            Status::ColumnDuplicate,
            Status::BoxDuplicate,
        ],
        _ => &[Status::Malformed],
    }
}

/// The cells of a record that has a smallest image, or the reason why it has none.
pub(super) fn cells_of_image(records: &Records, record: usize) -> Result<Puzzle, Reason> {
    let puzzle = records.puzzle_of_cells(record).map_err(Reason::Malformed)?;
    match puzzle.conflict() {
        Some(conflict) => Err(Reason::Duplicate(conflict)),
        None => Ok(puzzle),
    }
}
