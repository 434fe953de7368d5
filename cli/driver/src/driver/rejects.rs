//! Records that fail. The first are reported on standard error, and all are written to a
//! file.

use super::job::{Report, SHOWN};
use crate::pipeline::output::Output;
use std::io::Write;
use sudoku_batch::questions::PieceRejects;

/// Replaces the lines of rejects by byte offsets in the input. `text` is the text that was read after
/// `skipped_lines`, and it begins at byte `offset`.
pub(super) fn places_in_bytes(
    rejects: &mut PieceRejects,
    text: &[u8],
    skipped_lines: u64,
    offset: u64,
) {
    let mut rest = text;
    let mut line = 1 + skipped_lines;
    for (place, _) in &mut rejects.lines {
        let before = rest.len();
        let start = place_in_bytes(rest, *place, line - 1, 0);
        rest = &rest[start as usize..];
        line = *place;
        *place = offset + (text.len() - before) as u64 + start;
    }
}

/// The first malformed record: its line in the piece, the reason and the detail.
pub(super) fn first_malformed(rejects: &PieceRejects) -> Option<(u64, &str, &str)> {
    let mut all = rejects.iter();
    let first = all.find(|(_, reason, _, _)| *reason == "malformed");
    first.map(|(line, reason, detail, _)| (line, reason, detail))
}

/// The byte in the input where a line begins. `text` is the text after `skipped_lines`, and it
/// begins at byte `offset`.
pub(super) fn place_in_bytes(text: &[u8], line: u64, skipped_lines: u64, offset: u64) -> u64 {
    let rest = (1 + skipped_lines..line).fold(text, |rest, _| after_line(rest));
    offset + (text.len() - rest.len()) as u64
}

/// The text after its first line.
fn after_line(text: &[u8]) -> &[u8] {
    let Some(end) = text.iter().position(|c| matches!(c, b'\n' | b'\r')) else {
        return &[];
    };
    let length = if text[end..].starts_with(b"\r\n") {
        2
    } else {
        1
    };
    &text[end + length..]
}

/// The destination of the rejects.
pub(super) struct Rejects {
    file: Option<Output>,
    buffer: Vec<u8>,
}

impl Rejects {
    /// Writes to this file, if there is one.
    pub(super) fn new(file: Option<Output>) -> Self {
        Self {
            file,
            buffer: Vec::new(),
        }
    }

    /// The most rejects of a piece that are needed.
    pub(super) fn kept(&self) -> usize {
        match self.file {
            Some(_) => usize::MAX,
            None => SHOWN,
        }
    }

    /// Reports the rejects of the next piece. `place` gives the text for the place of a
    /// reject, for messages and for the file.
    pub(super) fn report(
        &mut self,
        rejected: &PieceRejects,
        place: impl Fn(u64) -> (String, String),
        report: &mut Report,
    ) -> anyhow::Result<()> {
        for (line, reason, detail, _) in rejected.iter().take(SHOWN) {
            report.warn_at(&place(line).0, reason, detail);
        }
        let Some(file) = &self.file else {
            return Ok(());
        };
        self.buffer.clear();
        for (line, _, _, text) in rejected.iter() {
            write!(self.buffer, "{}\t", place(line).1).expect("into memory");
            self.buffer.extend_from_slice(text);
        }
        Ok(file.write_next(&self.buffer)?)
    }

    /// The file, if there is one.
    pub(super) fn file(&self) -> Option<&Output> {
        self.file.as_ref()
    }

    /// The file, if there is one.
    pub(super) fn into_file(self) -> Option<Output> {
        self.file
    }
}
