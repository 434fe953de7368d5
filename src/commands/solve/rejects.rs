//! Records that are not solved: the first to standard error, all to a file.

use crate::commands::job::{Report, SHOWN};
use std::io::Write;
use sudoku_batch::{batch::Reject, format::Records, pipeline::output::Output};

/// The rejects of a chunk, as text that lacks only the line numbers: those are
/// known when the chunks before it are.
#[derive(Default)]
pub(super) struct Rejected {
    /// The line in the chunk, from 1, and where the text of the reject ends.
    lines: Vec<(u64, usize)>,
    /// For each `reason<TAB>detail<TAB>record<LF>`.
    text: Vec<u8>,
}

impl Rejected {
    /// Those of these records.
    pub(super) fn of<'r>(records: &Records, rejects: impl Iterator<Item = &'r Reject>) -> Self {
        let mut rejected = Self::default();
        for &Reject { record, reason } in rejects {
            let text = &mut rejected.text;
            write!(text, "{}\t{reason}\t", reason.name()).expect("into memory");
            text.extend_from_slice(records.text(record));
            text.push(b'\n');
            let end = text.len();
            rejected.lines.push((records.line(record), end));
        }
        rejected
    }

    /// Line in the chunk, reason, detail and the whole text of each.
    fn iter(&self) -> impl Iterator<Item = (u64, &str, &str, &[u8])> {
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
    /// The name of the input.
    input: String,
    file: Option<Output>,
    buffer: Vec<u8>,
}

impl Rejects {
    /// Those of an input, by its name.
    pub(super) fn new(file: Option<Output>, input: &str) -> Self {
        Self {
            input: input.into(),
            file,
            buffer: Vec::new(),
        }
    }

    /// How many of a chunk are ever asked for.
    pub(super) fn kept(&self) -> usize {
        match self.file {
            Some(_) => usize::MAX,
            None => SHOWN,
        }
    }

    /// Tells of the rejects of the next chunk, which has `lines_before` lines
    /// before it.
    pub(super) fn tell(
        &mut self,
        rejected: &Rejected,
        lines_before: u64,
        report: &mut Report,
    ) -> anyhow::Result<()> {
        for (line, reason, detail, _) in rejected.iter().take(SHOWN) {
            report.complain(&self.input, lines_before + line, reason, detail);
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

    /// The file, if there is one.
    pub(super) fn into_file(self) -> Option<Output> {
        self.file
    }
}
