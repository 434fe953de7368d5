//! Inputs with a detected form, as pieces of whole records.

use crate::{
    cli::records::{FormOptions, RecordOptions},
    commands::job,
};
use anyhow::{anyhow, bail};
use std::{mem, path::Path, path::PathBuf};
use sudoku_batch::{
    format::{DetectError, Detected, Layout},
    pipeline::{
        Error,
        input::{Chunk, Chunks, Cut, Input, chunk_size, chunks},
    },
};

/// The number of bytes at the start of an input that may decide its form.
const HEAD: usize = 64 << 10;

/// An input with a detected form.
pub(super) struct Source {
    pub(super) input: Input,
    pub(super) detected: Detected,
}

impl Source {
    /// Opens a file, or standard input for `-`, and looks at its first records. `at_once`
    /// says that the writer of the input may wait for the answer to the first record.
    pub(super) fn open(path: &Path, options: &FormOptions, at_once: bool) -> anyhow::Result<Self> {
        let mut input = job::open(path)?;
        let detect =
            |head: &[u8]| Layout::detect(head, options.input_format.0, options.column.as_deref());
        let is_decided = |head: &[u8]| match detect(head) {
            Ok(found) => has_record(head, &found),
            // No later record changes that.
            Err(DetectError::NoColumn { .. }) => head.contains(&b'\n'),
            Err(_) => false,
        };
        let enough = |head: &[u8]| at_once && is_decided(head);
        let head = input.peek(HEAD, enough)?.to_vec();
        let detected = detect(&head).map_err(|error| {
            let advice = match error {
                DetectError::Unknown { .. } => "--input-format FORM names it",
                _ => "--column NAME or N names it",
            };
            anyhow!("{}: {error}; {advice}", input.name())
        })?;
        Ok(Self { input, detected })
    }

    /// The pieces of the input. Where a record becomes many rows, they are so much smaller:
    /// the rows of a piece are in memory together.
    pub(super) fn pieces(&mut self, at_once: bool, rows_of_a_record: usize) -> Pieces<'_> {
        let Self { input, detected } = self;
        let layout = &detected.layout;
        let mut cut = Cut::default().at_once(at_once);
        if rows_of_a_record > 1 {
            cut = cut.sizes(move |index, head| chunk_size(index, head) / rows_of_a_record);
        }
        if !layout.is_of_lines() {
            cut = cut.records(|text, least| layout.record_end(text, least));
        }
        Pieces {
            chunks: chunks(std::slice::from_mut(input), cut),
            bytes: detected.skipped,
            lines: detected.skipped_lines,
            is_first: true,
        }
    }

    /// Keeps only the records of a shard. `size` is the size that the input had when it was
    /// divided.
    fn keep(&mut self, size: u64, places: [u64; 2]) -> anyhow::Result<()> {
        let Self { input, detected } = self;
        if input.whole_size()? != size {
            bail!(Error::Changed {
                name: input.name().to_owned()
            });
        }
        let layout = &detected.layout;
        let mut record_end = |text: &[u8], least: usize| layout.record_end(text, least);
        match layout.is_of_lines() {
            true => input.keep(places, None)?,
            false => input.keep(places, Some(&mut record_end))?,
        }
        Ok(())
    }

    /// Checks that the columns are those of the first input.
    pub(super) fn check_columns(&self, first: &Layout, path: &Path) -> anyhow::Result<()> {
        let layout = &self.detected.layout;
        let alike = match (layout, first) {
            (Layout::Table(_), _) => layout.columns() == first.columns(),
            _ => true,
        };
        if alike && layout.form() == first.form() {
            return Ok(());
        }
        let about = |layout: &Layout| match layout {
            Layout::Table(_) => format!("{} {}", layout.form(), layout.columns().join(",")),
            _ => layout.form().to_string(),
        };
        bail!(
            "{} is {}, but {} is {}: one output cannot hold both; --output-dir DIR gives each \
             a file of its own",
            self.input.name(),
            about(layout),
            path.display(),
            about(first),
        );
    }
}

/// Whether the text holds a whole record after the header.
fn has_record(head: &[u8], found: &Detected) -> bool {
    let records = head.get(found.skipped..).unwrap_or_default();
    found.skipped > 0 && records.is_empty() || found.layout.record_end(records, 1).is_some()
}

/// The inputs of a command. They are opened one after the other.
pub(super) struct Sources<'o> {
    options: &'o RecordOptions,
    paths: std::slice::Iter<'o, PathBuf>,
    /// For a shard: the size of each input that is left, and the places of the part in it.
    parts: std::vec::IntoIter<(u64, [u64; 2])>,
    is_first: bool,
}

impl<'o> Sources<'o> {
    /// The inputs that the options name.
    pub(super) fn new(options: &'o RecordOptions) -> anyhow::Result<Self> {
        // Report missing files before anything is written to a stream.
        for path in &options.files {
            job::check_there(path)?;
        }
        let mut parts = Vec::new();
        if let Some(shard) = options.shard {
            let sizes = options
                .files
                .iter()
                .map(|path| job::open(path)?.whole_size());
            let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
            parts.extend(sizes.iter().copied().zip(shard.places(&sizes)));
        }
        Ok(Self {
            options,
            paths: options.files.iter(),
            parts: parts.into_iter(),
            is_first: true,
        })
    }

    /// The next input, and its path. A shard takes the first input, which says what the
    /// columns are, and after it those that have a part of the shard.
    pub(super) fn next(&mut self) -> anyhow::Result<Option<(Source, &'o Path)>> {
        for path in self.paths.by_ref() {
            let part = self.parts.next();
            let is_first = mem::take(&mut self.is_first);
            if !is_first && part.is_some_and(|(_, [from, to])| from == to) {
                continue;
            }
            let mut source = Source::open(path, &self.options.form, self.options.line_buffered)?;
            if let Some((size, places)) = part {
                source.keep(size, places)?;
            }
            return Ok(Some((source, path)));
        }
        Ok(None)
    }
}

/// Some whole records, as text.
pub(super) struct Piece {
    chunk: Chunk,
    /// The start of the records, after a header if there is one.
    start: usize,
    /// The number of lines of that header.
    pub(super) skipped_lines: u64,
}

impl Piece {
    /// The text.
    pub(super) fn text(&mut self) -> &[u8] {
        &self.chunk.bytes()[self.start..]
    }

    /// The length of the text in bytes.
    pub(super) fn len(&self) -> usize {
        self.chunk.len() - self.start
    }

    /// How many bytes of the source this piece advances.
    pub(super) fn source_bytes(&self) -> u64 {
        self.chunk.source_bytes()
    }

    /// The offset of the text in the input.
    pub(super) fn offset(&self) -> u64 {
        self.chunk.offset() + self.start as u64
    }
}

/// The pieces of an input.
pub(super) struct Pieces<'i> {
    chunks: Chunks<'i>,
    /// The bytes and the lines still to skip.
    bytes: usize,
    lines: u64,
    /// Whether no chunk was taken yet.
    is_first: bool,
}

impl Iterator for Pieces<'_> {
    type Item = Result<Piece, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        /// A byte-order mark may stand before the first chunk.
        const MARK: u64 = 3;
        let chunk = match self.chunks.next()? {
            Ok(chunk) => chunk,
            Err(error) => return Some(Err(error)),
        };
        // A shard that starts later has no header, and a continued input has none left. But
        // a header may extend beyond the first chunk, for example after thousands of blank
        // lines.
        if mem::take(&mut self.is_first) && chunk.offset() > MARK {
            self.bytes = 0;
            self.lines = 0;
        }
        let start = self.bytes.min(chunk.len());
        self.bytes -= start;
        let skipped_lines = match self.bytes {
            0 => mem::take(&mut self.lines),
            _ => 0,
        };
        Some(Ok(Piece {
            chunk,
            start,
            skipped_lines,
        }))
    }
}
