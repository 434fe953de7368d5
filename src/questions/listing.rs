//! The rows of questions that list several for each record, up to a limit and in parts: `solutions` and
//! `minimals`.

use super::{Answer, Reason, Status, status::StatusColumn};
use crate::{format::Records, grid::GridLine};

/// The rows of a record that are not listed yet.
pub(super) trait Rows {
    /// The status of the record.
    fn status(&self) -> Status;

    /// Adds the next row, which has this number, from 1. The limit allows none after the last. Returns false if
    /// there is no row left.
    fn add(&mut self, record: usize, number: u64, is_last: bool, answer: &mut Answer<'_>) -> bool;

    /// Returns true if there is a row after the last that the limit allows.
    fn has_more(&mut self) -> bool;
}

/// The memory of a thread that lists rows.
#[derive(Debug)]
pub(super) struct Listing<R> {
    /// The most rows of a record.
    limit: u64,
    /// The record that comes next, or is open.
    next: usize,
    /// The rows that are left of the record that is open, and the number of those that are listed.
    open: Option<(R, u64)>,
}

impl<R: Rows> Listing<R> {
    pub(super) fn new(limit: u64) -> Self {
        Self {
            limit,
            next: 0,
            open: None,
        }
    }

    /// Takes another limit; 0 is none.
    pub(super) fn set_limit(&mut self, limit: u64) {
        self.limit = if limit == 0 { u64::MAX } else { limit };
    }

    /// The same for another thread.
    pub(super) fn fork(&self) -> Self {
        Self::new(self.limit)
    }

    /// Lists the rows of all records, or of a part of them. `begin` finds those of a record, and `name` is
    /// the count of all.
    pub(super) fn fill(
        &mut self,
        records: &Records,
        answer: &mut Answer<'_>,
        name: &'static str,
        mut begin: impl FnMut(usize) -> Result<R, Reason>,
    ) {
        let most = answer.part().unwrap_or(usize::MAX);
        if answer.part().is_none() {
            (self.next, self.open) = (0, None);
        }
        let mut statuses = StatusColumn::of(answer);
        // The records before this part have no rows in it.
        (0..self.next).for_each(|_| statuses.continued(Status::Unique));
        let (mut bytes, mut all, mut over) = (0_usize, 0, 0);
        while self.next < records.len() && bytes < most {
            let record = self.next;
            if let Some((rows, _)) = &self.open {
                statuses.continued(rows.status());
            } else {
                match begin(record) {
                    Ok(rows) => {
                        statuses.push(Ok(rows.status()));
                        self.open = Some((rows, 0));
                    }
                    Err(reason) => {
                        statuses.push(Err(reason));
                        answer.nothing(record);
                    }
                }
            }
            let of_a_row = size_of::<GridLine>() + records.text(record).len();
            let mut is_done = self.open.is_none();
            if let Some((rows, listed)) = &mut self.open {
                while !is_done && bytes < most {
                    let is_last = *listed + 1 == self.limit;
                    if !rows.add(record, *listed + 1, is_last, answer) {
                        is_done = true;
                        break;
                    }
                    *listed += 1;
                    all += 1;
                    bytes = bytes.saturating_add(of_a_row);
                    is_done = is_last;
                    if is_last && rows.has_more() {
                        answer.limited.push(record);
                        over += 1;
                    }
                }
            }
            if is_done {
                self.open = None;
                self.next += 1;
            }
        }
        let next = Some(self.next).filter(|next| *next < records.len());
        self.next = next.unwrap_or(0);
        answer.go_on_at(next);
        statuses.give(answer);
        answer.counts.add(name, all);
        answer.counts.add("over-the-limit", over);
    }
}
