//! The cells by which records count as the same.

use super::{Counts, Reason, Reject, Solved, Uniqueness};
use crate::{dataset::Equivalence, format::Records, grid::AnyPuzzle};

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
    /// [`Equivalence::Equality`] needs none and solves no record: the statuses are empty then, and
    /// malformed records are the only rejects and the only count.
    pub fn ask(
        &mut self,
        records: &Records,
        mut each: impl FnMut(Option<AnyPuzzle>),
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
            return solutions.solved;
        }
        self.rejects.clear();
        for record in 0..records.len() {
            let puzzle = records.puzzle(record);
            self.rejects.extend(puzzle.err().map(|error| {
                let reason = Reason::Malformed(error);
                Reject { record, reason }
            }));
            each(puzzle.ok().map(|puzzle| self.by.form(&puzzle, None)));
        }
        let mut counts = Counts::default();
        counts.add("malformed", self.rejects.len() as u64);
        Solved {
            statuses: &[],
            rejects: &self.rejects,
            counts,
        }
    }
}
