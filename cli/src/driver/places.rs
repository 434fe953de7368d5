//! Where the pieces in work are in their input, for the message about a thread that panics.

use super::{job::numbers, source::Piece};
use std::{
    collections::BTreeMap,
    ops::Range,
    sync::{Mutex, MutexGuard, PoisonError},
};
use sudoku_batch::format::Records;

/// The pieces that are taken and not yet added, by their numbers.
#[derive(Default)]
pub(super) struct Places(Mutex<BTreeMap<u64, Place>>);

/// The place of a piece.
struct Place {
    /// In the text of the input, or among the records to make.
    range: Range<u64>,
    /// The number of its records and lines, once they are read.
    size: Option<LinesAndRecords>,
}

/// Numbers of records and lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LinesAndRecords {
    pub(super) records: u64,
    pub(super) lines: u64,
}

impl Places {
    /// Notes a piece that a thread begins to work on.
    pub(super) fn begin(&self, number: u64, piece: &Piece) {
        let range = piece.range();
        self.lock().insert(number, Place { range, size: None });
    }

    /// Notes the records of a piece.
    pub(super) fn read(&self, number: u64, records: &Records) {
        if let Some(place) = self.lock().get_mut(&number) {
            place.size = Some(LinesAndRecords {
                records: records.len() as u64,
                lines: records.lines(),
            });
        }
    }

    /// Forgets a piece that is added.
    pub(super) fn end(&self, number: u64) {
        self.lock().remove(&number);
    }

    /// The place of a piece, in words. `before` counts the records and lines before it, where they
    /// are known: a shard does not know them.
    pub(super) fn describe(&self, number: u64, before: Option<LinesAndRecords>) -> String {
        let places = self.lock();
        match (places.get(&number), before) {
            (None, None) => "while it read on".into(),
            (None, Some(LinesAndRecords { records: 0, .. })) => "before the first record".into(),
            (None, Some(LinesAndRecords { records, lines })) => {
                format!("after record {records} (line {lines})")
            }
            (Some(Place { range, size }), before) => match before.zip(*size) {
                Some((before, size)) if size.records > 0 => format!(
                    "at {} ({})",
                    numbers("record", before.records, size.records),
                    numbers("line", before.lines, size.lines)
                ),
                // Bytes count from 0, as in all messages of shards.
                _ => format!(
                    "at bytes {} to {} of the text",
                    range.start,
                    range.end.saturating_sub(1)
                ),
            },
        }
    }

    /// The numbers of a piece of records to make, in words.
    pub(super) fn describe_made(&self, number: u64, noun: &str) -> String {
        let range = self
            .lock()
            .get(&number)
            .map_or(0..0, |place| place.range.clone());
        let last = range.end.saturating_sub(1).max(range.start);
        format!("at {noun} {} to {last}, counted from 0", range.start)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Place>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
