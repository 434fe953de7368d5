//! A piece of text, or of records to make: what a thread of the command and a worker of JavaScript do with it.
//!
//! ```text
//!     text -> read -> records -> answer (a closure fills the columns and writes the rows) -> counts, rejects
//!                        ^           |
//!                        +-----------+  again, while the piece has another part
//! ```

use super::{Answer, Counts, Reject};
use crate::{
    format::{Layout, Records, one_line},
    grid::GridLine,
};
use std::{io::Write, mem};

/// The records of a piece, with the counts and the rejects of their answers. It keeps its memory from piece to piece.
///
/// ```
/// use sudoku_batch::{format::Layout, questions::{CHECK, TextPiece}};
/// let mut question = CHECK.with([])?;
/// let mut piece = TextPiece::new(question.empty());
/// piece.read(&Layout::Line, b"12345\n", 0);
/// piece.answer(1, None, usize::MAX, |records, answer| question.fill(records, answer));
/// assert_eq!(piece.counts.get("malformed"), 1);
/// assert!(piece.rejects.text.starts_with(b"malformed\t") && piece.rejects.text.ends_with(b"\t12345\n"));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
#[derive(Debug)]
pub struct TextPiece {
    /// The records that were read.
    pub records: Records,
    /// The counts of the answers since the records were read.
    pub counts: Counts,
    /// The rejects since the records were read.
    pub rejects: PieceRejects,
    answer: Answer<'static>,
    next: Option<usize>,
}

impl TextPiece {
    /// A piece without records. The answer has the columns, and says what is asked of them.
    pub fn new(answer: Answer<'static>) -> Self {
        Self {
            records: Records::default(),
            counts: Counts::default(),
            rejects: PieceRejects::default(),
            answer,
            next: None,
        }
    }

    /// Begins a piece without records.
    pub fn clear(&mut self) {
        self.records.clear();
        self.counts = Counts::default();
        self.rejects.clear();
    }

    /// Begins a piece with the records of a text. So many lines before it are skipped.
    pub fn read(&mut self, layout: &Layout, text: &[u8], skipped_lines: u64) {
        self.clear();
        self.records.add_lines(skipped_lines);
        layout.read(text, &mut self.records);
    }

    /// Answers the piece, or its next part. `work` fills the answer, which has begun `count` records, and writes its rows.
    /// Lent lines take the place of the first column of cells. The first `most_rejected` rejects are kept.
    pub fn answer<'o, T>(
        &mut self,
        count: usize,
        lent: Option<&'o mut [GridLine]>,
        most_rejected: usize,
        work: impl FnOnce(&Records, &mut Answer<'o>) -> T,
    ) -> T {
        let mut answer = mem::take(&mut self.answer).renewed(lent);
        answer.begin(count);
        let done = work(&self.records, &mut answer);
        self.counts += mem::take(&mut answer.counts);
        for reject in answer.rejects.iter().take(most_rejected) {
            self.rejects.push(&self.records, reject);
        }
        self.next = answer.next();
        self.answer = answer.renewed(None);
        done
    }

    /// Returns true if the piece has another part. Then it is to be answered again.
    pub fn has_more(&self) -> bool {
        self.next.is_some()
    }
}

/// The rejects of a piece, as text that lacks only the line numbers. These are known when the pieces before it are done.
#[derive(Clone, Debug, Default)]
pub struct PieceRejects {
    /// The line in the piece, from 1, and where the text of the reject ends.
    pub lines: Vec<(u64, usize)>,
    /// `reason<TAB>detail<TAB>record<LF>` for each reject.
    pub text: Vec<u8>,
}

impl PieceRejects {
    fn clear(&mut self) {
        self.lines.clear();
        self.text.clear();
    }

    fn push(&mut self, records: &Records, reject: &Reject) {
        let (reason, text) = (reject.reason, &mut self.text);
        write!(text, "{}\t{reason}\t", reason.name()).expect("into memory");
        text.extend_from_slice(&one_line(records.text(reject.record)));
        text.push(b'\n');
        let end = text.len();
        self.lines.push((records.line(reject.record), end));
    }

    /// For each reject: the line in the piece, the reason, the detail and the whole text.
    pub fn iter(&self) -> impl Iterator<Item = (u64, &str, &str, &[u8])> {
        let mut start = 0;
        self.lines.iter().map(move |&(line, end)| {
            let text = &self.text[mem::replace(&mut start, end)..end];
            // Neither contains a tab, because characters are quoted.
            let mut fields = text.splitn(3, |&c| c == b'\t');
            let mut field =
                || str::from_utf8(fields.next().unwrap_or_default()).unwrap_or_default();
            (line, field(), field(), text)
        })
    }
}
