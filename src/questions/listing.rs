//! The rows of questions that list several for each record, up to a limit and in parts: `solutions`, `minimals`
//! and `neighbours`.

use super::{
    Answer, Column, Reason, RowView, Status,
    columns::{Handle, kind},
    status::StatusColumn,
};
use crate::{
    format::{Records, Values},
    grid::{BLANK, CELLS, GridLine},
};

/// The number of a row among those of its record.
pub(super) const NUMBER: Column = Column::new(
    "number",
    Values::Numbers,
    "its number among those of the record, from 1",
);

/// The sign that the rows of a record end with this one, though there are more.
pub(super) const LIMITED: Column = Column::new(
    "limited",
    Values::Flags,
    "whether it is the last one that the limit allows, and the record has more",
);

/// The most records of a batch: each may have many rows.
pub(super) const BATCH: usize = 64;

/// Writes the line of a row: the number of the record, a tab, and what is listed.
pub(super) fn line<K>(
    (record, listed): (Handle<kind::OfRecord>, Handle<K>),
    row: &RowView<'_>,
    line: &mut Vec<u8>,
) -> bool {
    row.push(record, line);
    line.push(b'\t');
    row.push(listed, line);
    true
}

/// A row of a record.
pub(super) struct Listed<'c> {
    /// Its cells.
    pub(super) cells: &'c [u8; CELLS],
    /// The number of the row among those of its record, from 1.
    pub(super) number: u64,
    /// Whether it is the last that the limit allows, though the record has more.
    pub(super) is_limited: bool,
}

/// The rows of a record that are not listed yet.
pub(super) trait Rows {
    /// The tools that find the rows of all records.
    type Finder;

    /// The status of the record, or the reason why it fails in spite of its rows.
    fn status(&self) -> Result<Status, Reason>;

    /// Adds a row of a record.
    fn push(answer: &mut Answer<'_>, record: usize, listed: &Listed<'_>);

    /// The cells of the next row.
    fn next(&mut self, finder: &mut Self::Finder) -> Option<[u8; CELLS]>;

    /// Returns true if there is a row after the last that the limit allows.
    fn has_more(&mut self, finder: &mut Self::Finder) -> bool;
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
    /// Lists up to this many rows of a record; 0 is all of them.
    pub(super) fn new(limit: u64) -> Self {
        Self {
            limit: if limit == 0 { u64::MAX } else { limit },
            next: 0,
            open: None,
        }
    }

    /// A copy for another thread.
    pub(super) fn fork(&self) -> Self {
        Self::new(self.limit)
    }

    /// Returns true if no part of a batch was listed before the next one.
    pub(super) fn is_at_start(&self) -> bool {
        self.next == 0 && self.open.is_none()
    }

    /// Lists the rows of all records, or of a part of them. `begin` finds those of a record, and `name` is
    /// the count of all.
    pub(super) fn fill(
        &mut self,
        finder: &mut R::Finder,
        records: &Records,
        answer: &mut Answer<'_>,
        name: &'static str,
        begin: impl Fn(&mut R::Finder, usize) -> Result<R, Reason>,
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
                let status = rows.status();
                statuses.continued(status.unwrap_or_else(|reason| reason.status()));
            } else {
                match begin(finder, record) {
                    Ok(rows) => {
                        statuses.push(rows.status());
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
                let blank = records.blank(record);
                while !is_done && bytes < most {
                    let Some(cells) = rows.next(finder) else {
                        if *listed == 0 {
                            answer.nothing(record);
                        }
                        is_done = true;
                        break;
                    };
                    *listed += 1;
                    all += 1;
                    bytes = bytes.saturating_add(of_a_row);
                    is_done = *listed == self.limit;
                    let is_limited = is_done && rows.has_more(finder);
                    let cells = cells.map(|cell| if cell == BLANK { blank } else { cell });
                    let row = Listed {
                        cells: &cells,
                        number: *listed,
                        is_limited,
                    };
                    R::push(answer, record, &row);
                    if is_limited {
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
