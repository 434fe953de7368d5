//! Records that fail: the first to standard error, all to a file.

use crate::commands::job::{Report, SHOWN};
use std::{fmt::Display, io::Write};
use sudoku_batch::{format::Records, pipeline::output::Output};

/// The rejects of a piece, as text that lacks only the line numbers: those are
/// known when the pieces before it are.
#[derive(Default)]
pub(super) struct Rejected {
    /// The line in the piece, from 1, and where the text of the reject ends.
    lines: Vec<(u64, usize)>,
    /// For each `reason<TAB>detail<TAB>record<LF>`.
    text: Vec<u8>,
}

impl Rejected {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.lines.len()
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
        text.extend_from_slice(records.text(record));
        text.push(b'\n');
        let end = text.len();
        self.lines.push((records.line(record), end));
    }

    /// The first that is malformed: line in the piece, reason and detail.
    pub(super) fn first_malformed(&self) -> Option<(u64, &str, &str)> {
        let mut all = self.iter();
        let first = all.find(|(_, reason, _, _)| *reason == "malformed");
        first.map(|(line, reason, detail, _)| (line, reason, detail))
    }

    /// Line in the piece, reason, detail and the whole text of each.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, &str, &str, &[u8])> {
        let mut start = 0;
        self.lines.iter().map(move |&(line, end)| {
            let text = &self.text[std::mem::replace(&mut start, end)..end];
            // Neither has a tab: characters are quoted.
            let mut fields = text.splitn(3, |&c| c == b'\t');
            let mut field =
                || str::from_utf8(fields.next().unwrap_or_default()).unwrap_or_default();
            (line, field(), field(), text)
        })
    }
}

/// Where rejects go.
pub(super) struct Rejects {
    file: Option<Output>,
    buffer: Vec<u8>,
}

impl Rejects {
    /// To this file, if there is one.
    pub(super) fn new(file: Option<Output>) -> Self {
        Self {
            file,
            buffer: Vec::new(),
        }
    }

    /// How many of a piece are ever asked for.
    pub(super) fn kept(&self) -> usize {
        match self.file {
            Some(_) => usize::MAX,
            None => SHOWN,
        }
    }

    /// Tells of the rejects of the next piece of an input, which has `lines_before`
    /// lines before it.
    pub(super) fn tell(
        &mut self,
        rejected: &Rejected,
        input: &str,
        lines_before: u64,
        report: &mut Report,
    ) -> anyhow::Result<()> {
        for (line, reason, detail, _) in rejected.iter().take(SHOWN) {
            report.complain(input, lines_before + line, reason, detail);
        }
        let Some(file) = &self.file else {
            return Ok(());
        };
        self.buffer.clear();
        for (line, _, _, text) in rejected.iter() {
            write!(self.buffer, "{}\t", lines_before + line).expect("into memory");
            self.buffer.extend_from_slice(text);
        }
        Ok(file.write_next(&self.buffer)?)
    }

    /// Whether they go where this output goes.
    pub(super) fn clashes_with(&self, output: Option<&Output>) -> bool {
        let both = self.file.as_ref().zip(output);
        both.is_some_and(|(file, output)| file.clashes_with(output))
    }

    /// The file, if there is one.
    pub(super) fn into_file(self) -> Option<Output> {
        self.file
    }
}
