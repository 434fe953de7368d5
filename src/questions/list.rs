//! All solutions of each record.

use super::{Counts, Reason, Reject, Status, status::StatusColumn};
use crate::{
    format::Records,
    grid::{CELLS, GridLine},
    solve::{NO_SOLUTION, Solutions},
};

/// Lists the solutions of each record, in lexicographic order.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::List};
/// let mut records = Records::default();
/// line::read(&[&[b'.'; 81], &b"\n11"[..]].concat(), &mut records);
/// let mut question = List::new(Some(3));
/// let listed = question.ask(&records);
/// assert_eq!(listed.solutions(0).len(), 3);
/// assert!(listed.solutions(0)[2].ends_with(b"\n") && listed.solutions(1).is_empty());
/// assert_eq!(listed.counts.get("over-the-limit"), 1);
/// ```
#[derive(Debug)]
pub struct List {
    limit: u64,
    lines: Vec<GridLine>,
    ends: Vec<usize>,
    statuses: StatusColumn,
}

/// The answer of [`List`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listed<'q> {
    lines: &'q [GridLine],
    ends: &'q [usize],
    /// The status of each record.
    pub statuses: &'q [Status],
    /// The records without a solution.
    pub rejects: &'q [Reject],
    /// The number of records of each status, the number of `solutions` that are listed, and
    /// `over-the-limit`: records with more.
    pub counts: Counts,
}

impl List {
    /// Lists up to this number of solutions of each record, or all.
    pub fn new(limit: Option<u64>) -> Self {
        Self {
            limit: limit.unwrap_or(u64::MAX),
            lines: Vec::new(),
            ends: Vec::new(),
            statuses: StatusColumn::default(),
        }
    }

    /// Lists the solutions of records.
    pub fn ask(&mut self, records: &Records) -> Listed<'_> {
        self.lines.clear();
        self.ends.clear();
        self.statuses.clear();
        let mut over = 0;
        for record in 0..records.len() {
            let puzzle = records.any_puzzle(record).map_err(Reason::Malformed);
            let listed = puzzle.and_then(|puzzle| {
                let mut solutions = Solutions::of(&puzzle);
                let first = solutions.next();
                let first = first.ok_or_else(|| Reason::from_any_unsolvable(&puzzle))?;
                let second = solutions.next();
                let status = second.map_or(Status::Unique, |_| Status::Multiple);
                let mut all = [first].into_iter().chain(second).chain(solutions);
                for _ in 0..self.limit {
                    let Some(solution) = all.next() else {
                        return Ok(status);
                    };
                    let mut line = NO_SOLUTION;
                    line[..CELLS].copy_from_slice(solution.as_ascii());
                    self.lines.push(line);
                }
                over += u64::from(all.next().is_some());
                Ok(status)
            });
            self.statuses.push(listed);
            self.ends.push(self.lines.len());
        }
        let mut counts = self.statuses.counts();
        counts.add("solutions", self.lines.len() as u64);
        counts.add("over-the-limit", over);
        Listed {
            lines: &self.lines,
            ends: &self.ends,
            statuses: &self.statuses.statuses,
            rejects: &self.statuses.rejects,
            counts,
        }
    }
}

impl<'q> Listed<'q> {
    /// The solutions of a record, as lines of text.
    pub fn solutions(&self, record: usize) -> &'q [GridLine] {
        let start = record.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lines[start..self.ends[record]]
    }
}
