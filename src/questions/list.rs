//! All solutions of each record.

use super::{Counts, Reason, Reject, Status, status::StatusColumn};
use crate::{
    format::Records,
    grid::{CELLS, Grid, GridLine},
    solve::{NO_SOLUTION, Solutions},
};
use std::{iter::Chain, option};

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
    /// The record that comes next, or is open.
    next: usize,
    open: Option<Open>,
    lines: Vec<GridLine>,
    ends: Vec<usize>,
    statuses: StatusColumn,
}

/// A record whose solutions are being listed.
#[derive(Debug)]
struct Open {
    status: Status,
    /// All solutions that are left.
    rest: Chain<Chain<option::IntoIter<Grid>, option::IntoIter<Grid>>, Solutions>,
    /// How many of them are listed at most.
    limit: u64,
}

/// The answer of [`List`], or a part of it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Listed<'q> {
    lines: &'q [GridLine],
    ends: &'q [usize],
    /// The number of the first record of the part, from 0.
    pub first: usize,
    /// Whether that record has solutions in the part before.
    pub goes_on: bool,
    /// The record at which the next part begins or goes on, if there is one.
    pub next: Option<usize>,
    /// The status of each record, from the first on.
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
            next: 0,
            open: None,
            lines: Vec::new(),
            ends: Vec::new(),
            statuses: StatusColumn::default(),
        }
    }

    /// Lists the solutions of records. All of them are in memory at once, with 82 bytes each.
    pub fn ask(&mut self, records: &Records) -> Listed<'_> {
        (self.next, self.open) = (0, None);
        self.ask_on(records, usize::MAX)
    }

    /// Lists the next part of the solutions of records, which ends after the solution with which it
    /// has this number of bytes: those of each solution and of its record. After the last part
    /// comes the first again.
    ///
    /// ```
    /// use sudoku_batch::{format::{Records, line}, questions::List};
    /// let mut records = Records::default();
    /// line::read(&[b'.'; 81], &mut records);
    /// let mut question = List::new(Some(5));
    /// let mut parts = Vec::new();
    /// while {
    ///     let part = question.ask_on(&records, 2 * 163);
    ///     parts.push((part.goes_on, part.solutions(0).len()));
    ///     part.next.is_some()
    /// } {}
    /// assert_eq!(parts, [(false, 2), (true, 2), (true, 1)]);
    /// ```
    pub fn ask_on(&mut self, records: &Records, most_bytes: usize) -> Listed<'_> {
        self.lines.clear();
        self.ends.clear();
        self.statuses.clear();
        let (first, goes_on) = (self.next, self.open.is_some());
        let (mut over, mut bytes) = (0, 0);
        while self.next < records.len() && bytes < most_bytes {
            if let Some(open) = &self.open {
                self.statuses.continued(open.status);
            } else {
                let begun = begin(records, self.next, self.limit);
                let status = begun.as_ref().map(|open| open.status);
                self.statuses.push(status.map_err(|reason| *reason));
                self.open = begun.ok();
            }
            let of_a_solution = size_of::<GridLine>() + records.text(self.next).len();
            let mut is_done = true;
            if let Some(open) = &mut self.open {
                while open.limit > 0 && bytes < most_bytes {
                    let Some(solution) = open.rest.next() else {
                        break;
                    };
                    let mut line = NO_SOLUTION;
                    line[..CELLS].copy_from_slice(solution.as_ascii());
                    self.lines.push(line);
                    open.limit -= 1;
                    bytes = bytes.saturating_add(of_a_solution);
                }
                is_done = open.limit == 0 || bytes < most_bytes;
                over += u64::from(open.limit == 0 && open.rest.next().is_some());
            }
            self.ends.push(self.lines.len());
            if is_done {
                self.open = None;
                self.next += 1;
            }
        }
        let next = Some(self.next).filter(|next| *next < records.len());
        self.next = next.unwrap_or(0);
        let mut counts = self.statuses.counts();
        counts.add("solutions", self.lines.len() as u64);
        counts.add("over-the-limit", over);
        for reject in &mut self.statuses.rejects {
            reject.record += first;
        }
        Listed {
            lines: &self.lines,
            ends: &self.ends,
            first,
            goes_on,
            next,
            statuses: &self.statuses.statuses,
            rejects: &self.statuses.rejects,
            counts,
        }
    }
}

/// Begins to list the solutions of a record.
fn begin(records: &Records, record: usize, limit: u64) -> Result<Open, Reason> {
    let puzzle = records.puzzle(record).map_err(Reason::Malformed)?;
    let mut solutions = Solutions::new(&puzzle);
    let first = solutions.next();
    let first = first.ok_or_else(|| Reason::from_unsolvable(&puzzle))?;
    let second = solutions.next();
    Ok(Open {
        status: second.map_or(Status::Unique, |_| Status::Multiple),
        rest: Some(first).into_iter().chain(second).chain(solutions),
        limit,
    })
}

impl<'q> Listed<'q> {
    /// The solutions of a record of the part, by its number in it, as lines of text.
    pub fn solutions(&self, record: usize) -> &'q [GridLine] {
        let start = record.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.lines[start..self.ends[record]]
    }
}
