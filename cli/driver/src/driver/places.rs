//! The place of a piece in its input, for the message about a thread that panics.

use super::job::numbers;
use std::ops::Range;

/// The place of a piece.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// In the text of the input, or among the records to make.
    pub(super) range: Range<u64>,
    /// The number of its records and lines, once they are read.
    pub(super) size: Option<LinesAndRecords>,
}

/// Numbers of records and lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LinesAndRecords {
    pub(super) records: u64,
    pub(super) lines: u64,
}

/// The place of a piece, in words, or that of the next one to be read. `before` counts the records and
/// lines before it, where they are known: a shard does not know them.
pub(super) fn describe(place: Option<Place>, before: Option<LinesAndRecords>) -> String {
    match (place, before) {
        (None, None) => "while it read on".into(),
        (None, Some(LinesAndRecords { records: 0, .. })) => "before the first record".into(),
        (None, Some(LinesAndRecords { records, lines })) => {
            format!("after record {records} (line {lines})")
        }
        (Some(Place { range, size }), before) => match before.zip(size) {
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
pub(super) fn describe_made(place: Option<Place>, noun: &str) -> String {
    let range = place.map_or(0..0, |place| place.range);
    let last = range.end.saturating_sub(1).max(range.start);
    format!("at {noun} {} to {last}, counted from 0", range.start)
}
