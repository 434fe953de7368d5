//! Records that fail. The first are reported on standard error, and all are written to a
//! file.

use super::job::{Report, SHOWN};
use crate::pipeline::output::Output;
use std::{fmt::Display, io::Write};
use sudoku_batch::format::{Records, one_line};

/// The rejects of a piece, as text that lacks only the line numbers. These are known when
/// the pieces before it are done.
#[derive(Default)]
pub(super) struct PieceRejects {
    /// The line in the piece, from 1, and where the text of the reject ends.
    lines: Vec<(u64, usize)>,
    /// `reason<TAB>detail<TAB>record<LF>` for each reject.
    text: Vec<u8>,
}

impl PieceRejects {
    /// Replaces lines by byte offsets in the input. `text` is the text that was read after
    /// `skipped_lines`, and it begins at byte `offset`.
    pub(super) fn places_in_bytes(&mut self, text: &[u8], skipped_lines: u64, offset: u64) {
        let mut rest = text;
        let mut line = 1 + skipped_lines;
        for (place, _) in &mut self.lines {
            let before = rest.len();
            let start = place_in_bytes(rest, *place, line - 1, 0);
            rest = &rest[start as usize..];
            line = *place;
            *place = offset + (text.len() - before) as u64 + start;
        }
    }

    /// Adds a record, with a reason and a detail that may be empty.
    pub(super) fn push(
        &mut self,
        records: &Records,
        record: usize,
        reason: &str,
        detail: impl Display,
    ) {
        let text = &mut self.text;
        write!(text, "{reason}\t{detail}\t").expect("into memory");
        text.extend_from_slice(&one_line(records.text(record)));
        text.push(b'\n');
        let end = text.len();
        self.lines.push((records.line(record), end));
    }

    /// The first malformed record: its line in the piece, the reason and the detail.
    pub(super) fn first_malformed(&self) -> Option<(u64, &str, &str)> {
        let mut all = self.iter();
        let first = all.find(|(_, reason, _, _)| *reason == "malformed");
        first.map(|(line, reason, detail, _)| (line, reason, detail))
    }

    /// For each reject: the line in the piece, the reason, the detail and the whole text.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &str, &str, &[u8])> {
        let mut start = 0;
        self.lines.iter().map(move |&(line, end)| {
            let text = &self.text[std::mem::replace(&mut start, end)..end];
            // Neither contains a tab, because characters are quoted.
            let mut fields = text.splitn(3, |&c| c == b'\t');
            let mut field =
                || str::from_utf8(fields.next().unwrap_or_default()).unwrap_or_default();
            (line, field(), field(), text)
        })
    }
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
