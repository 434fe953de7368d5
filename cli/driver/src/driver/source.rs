//! Inputs with a detected format, as pieces of whole records.

use super::{InputFile, Purpose, Task, job, options::FormOptions};
use crate::pipeline::{
    Error,
    input::{Chunk, Cut, Input, LONGEST_LINE},
};
use anyhow::{anyhow, bail};
use std::{mem, ops::Range, path::Path};
use sudoku_batch::format::{DetectError, Detected, Form, Layout, Records, csv::LONGEST_FIELD};

/// An input with a detected format.
pub(crate) struct Source {
    pub input: Input,
    pub detected: Detected,
    /// Set if the records that are left begin after the first: in a later shard, or when a piece was
    /// taken.
    is_begun: bool,
    /// The bytes that decided the format.
    head: Vec<u8>,
}

impl Source {
    /// Opens a file, or standard input for `-`, and looks at its first records. `at_once`
    /// says that the writer of the input may wait for the answer to the first record. Where records are compared
    /// with, `--puzzle-column` may name a column of the other records alone: `may_lack_column`.
    pub(crate) fn open(
        path: &Path,
        options: &FormOptions,
        at_once: bool,
        may_lack_column: bool,
    ) -> anyhow::Result<Self> {
        let mut input = job::open(path)?;
        let detect = |head: &[u8]| {
            let column = options.column.as_deref();
            let found = Layout::detect(head, options.input_format.0, column);
            match (
                unless_from_zero(found, head, options),
                path.to_str().and_then(Form::of_name),
            ) {
                // The table lacks a column, which the name of the file says better.
                (Err(DetectError::Unknown { .. } | DetectError::Cells { .. }), Some(form)) => {
                    Layout::detect(head, Some(form), column)
                }
                (Err(DetectError::NoColumn { .. }), _) if may_lack_column => {
                    Layout::detect(head, options.input_format.0, None)
                }
                (found, _) => found,
            }
        };
        // If each record is answered at once, the lines up to the first record choose the column of
        // the puzzles, whatever else arrived with them. Blank lines before them are looked at once, however
        // often the head grows: 16 MiB of them took 13 s when each piece of a stream began anew.
        let mut looked_at = 0;
        let mut choosing = |head: &[u8]| {
            if !at_once || !skip_blanks(head, &mut looked_at) {
                return None;
            }
            let start = looked_at;
            let ends = memchr::memchr2_iter(b'\n', b'\r', &head[start..]).map(|at| start + at + 1);
            // The byte after a carriage return says whether it ends the line alone.
            let mut ends = ends.map(|end| end + usize::from(head[end - 1] == b'\r'));
            ends.find(|&end| {
                let Some(lines) = head.get(..end) else {
                    return false;
                };
                looked_at = end;
                let found = detect(lines);
                found.is_ok_and(|found| has_columns(&found) && has_record(lines, &found))
            })
        };
        let mut blank = 0;
        let mut is_decided = |head: &[u8]| {
            at_once
                && skip_blanks(head, &mut blank)
                && detect(head).is_ok_and(|found| !has_columns(&found) && has_record(head, &found))
        };
        let mut size = Layout::HEAD;
        let mut chosen = None;
        let (head, found) = loop {
            let head = input.peek(size, |head| {
                chosen = chosen.or_else(|| choosing(head));
                chosen.is_some() || is_decided(head)
            })?;
            if let Some(end) = chosen.or_else(|| choosing(head)) {
                break (head[..end].to_vec(), None);
            }
            let found = detect(head);
            let is_certain = match &found {
                Ok(found) => found.is_certain(head),
                // A field in quotes may have more lines.
                Err(_) => has_line(head) && !(head.len() < LONGEST_FIELD && head.contains(&b'"')),
            };
            if is_certain || head.len() < size || size >= LONGEST_LINE {
                break (head.to_vec(), Some(found));
            }
            size = (4 * size).min(LONGEST_LINE);
        };
        let detected = found.unwrap_or_else(|| detect(&head));
        if detected.is_err() {
            // A file that others write to may look like another format.
            input.check_unchanged()?;
        }
        let detected = detected.map_err(|error| {
            if head.len() >= LONGEST_LINE && !has_line(&head) {
                let most = LONGEST_LINE >> 20;
                let name = input.name();
                return anyhow!(
                    "{name}: cannot tell the format: the first line has more than {most} MiB"
                );
            }
            if let DetectError::NotLines { line, .. } | DetectError::Cells { line, .. } = error {
                return anyhow!("{}:{line}: {error}", input.name());
            }
            if let DetectError::Unknown { line, .. } = error {
                return anyhow!(
                    "{}:{line}: {error}; --input-format FORMAT names it",
                    input.name()
                );
            }
            let advice = match error {
                DetectError::CountsFromZero => "--digits 0-8 or 1-9 says which they are",
                DetectError::Ambiguous(_) => {
                    "--puzzle-column N names the first column of cells, and --input-format FORMAT the format"
                }
                _ => &format!("{} NAME or N names it", options.column_option),
            };
            anyhow!("{}: {error}; {advice}", input.name())
        })?;
        if let Some(name) = &options.column
            && detected.layout.column(name).is_err()
            && !may_lack_column
            && !head.trim_ascii().is_empty()
        {
            let (input, form) = (input.name(), detected.layout.form());
            let option = options.column_option;
            bail!("{input}: {option} {name} has no effect: the format {form} has no columns");
        }
        Ok(Self {
            input,
            detected,
            is_begun: false,
            head,
        })
    }

    /// The first records as text. The last one may be cut off.
    pub(super) fn first_text(&self) -> &[u8] {
        self.head.get(self.detected.skipped..).unwrap_or_default()
    }

    /// Returns true if more than cells is in the text of the first good records.
    pub(super) fn has_texts(&self) -> bool {
        let mut records = Records::default();
        self.detected.layout.read(self.first_text(), &mut records);
        // A line with a comment above has its text in the line alone.
        let has_titles = self.detected.layout != Layout::Line;
        let mut good = (0..records.len()).filter(|&record| records.error(record).is_none());
        good.any(|record| {
            let line = records.text(record).trim_ascii_end();
            line.len() > records.own(record).as_ref().len()
                || has_titles && !records.above(record).is_empty()
        })
    }

    /// Has the text around the puzzles of lines, blocks and other writings become columns. Returns false for lines whose
    /// words give other puzzles.
    pub(super) fn keep_texts(&mut self) -> bool {
        if self.detected.layout != Layout::Line {
            self.detected.layout.keep_texts();
            return true;
        }
        let words = Layout::Words(0);
        let mut records = [Records::default(), Records::default()];
        for (records, layout) in records.iter_mut().zip([&self.detected.layout, &words]) {
            layout.read(self.first_text(), records);
        }
        let [lines, of_words] = &records;
        let are_equal = lines.len() == of_words.len()
            && (0..lines.len())
                .all(|record| lines.puzzle(record).ok() == of_words.puzzle(record).ok());
        if are_equal {
            self.detected.layout = words;
        }
        are_equal
    }

    /// The next piece of the input, of about this size: `size` gets the number of the piece, and its first bytes.
    pub(super) fn next_piece(
        &mut self,
        at_once: bool,
        size: &(dyn Fn(u64, &[u8]) -> usize + Sync),
    ) -> Result<Option<Piece>, Error> {
        let (detected, layout) = (&self.detected, &self.detected.layout);
        let mut cut = Cut::default().at_once(at_once).sizes(size);
        if !layout.is_of_lines() {
            cut = if self.is_begun {
                cut.records(|text, least| layout.record_end(text, least))
            } else {
                cut.records(detected.piece_ends())
            };
        }
        let Some(chunk) = self.input.next_chunk(&mut cut)? else {
            return Ok(None);
        };
        // The first piece has the whole header.
        let (start, skipped_lines) = if mem::replace(&mut self.is_begun, true) {
            (0, 0)
        } else {
            (detected.skipped.min(chunk.len()), detected.skipped_lines)
        };
        Ok(Some(Piece {
            text: Some((chunk, start)),
            numbers: 0..0,
            skipped_lines,
            chunks: self.input.chunk_number(),
        }))
    }

    /// The next piece up to a place at which a piece ended in an earlier run, or nothing at that place.
    pub(super) fn next_piece_before(&mut self, place: u64) -> Result<Option<Piece>, Error> {
        /// The most bytes of a piece.
        const STEP: u64 = 1 << 20;
        let left = place.saturating_sub(self.input.position());
        match left {
            0 => Ok(None),
            left => self.next_piece(false, &move |_, _| left.min(STEP) as usize),
        }
    }

    /// Goes on behind the pieces of an earlier run: at the place where the last of them ended, of which this number were
    /// cut.
    ///
    /// # Errors
    ///
    /// No record ends there: the input is another one.
    pub(super) fn go_on_at(&mut self, place: u64, pieces: u64) -> Result<(), Error> {
        while self.next_piece_before(place)?.is_some() {}
        if self.input.position() != place {
            let name = self.input.name().to_owned();
            return Err(Error::Changed { name });
        }
        self.input.renumber(pieces);
        Ok(())
    }

    /// Keeps only the records of a shard. `size` is the size that the input had when it was
    /// divided.
    fn keep(&mut self, size: u64, places: [u64; 2]) -> anyhow::Result<()> {
        let (input, detected) = (&mut self.input, &self.detected);
        if input.whole_size()? != size {
            bail!(Error::Changed {
                name: input.name().to_owned()
            });
        }
        self.is_begun = places[0] > 0;
        let mut record_end = detected.piece_ends();
        let has_lines = detected.layout.is_of_lines();
        Ok(input.keep(places, (!has_lines).then_some(&mut record_end))?)
    }

    /// Checks that an output of this format can hold the records of this input and of the first. `is_asked`
    /// says that the format was asked for: then it may leave out columns.
    pub(super) fn check_columns(
        &self,
        (first, path): (&Layout, &Path),
        form: Form,
        is_asked: bool,
    ) -> anyhow::Result<()> {
        let layout = &self.detected.layout;
        let both = [layout, first];
        let can_hold = match form {
            Form::Jsonl => true,
            Form::Csv | Form::Tsv => have_same_columns(both),
            _ => is_asked || both.iter().all(|layout| loses_nothing(layout, form)),
        };
        if can_hold {
            return Ok(());
        }
        let about = |layout: &Layout| match layout {
            Layout::Table(_) => format!("{} {}", layout.form(), layout.columns().join(",")),
            _ => layout.form().to_string(),
        };
        bail!(
            "{} is {}, but {} is {}: one output of the format {form} cannot hold both; --format jsonl can, and \
             --output-dir DIR gives each a file of its own",
            self.input.name(),
            about(layout),
            path.display(),
            about(first),
        );
    }
}

/// Returns true if the columns of both have the same names in a table, and both have a header or neither.
fn have_same_columns([one, other]: [&Layout; 2]) -> bool {
    let names = [one, other].map(Layout::written_names);
    // Other layouts than tables have names in any case, and no delimiter.
    let tables = [one, other].map(|layout| match layout {
        Layout::Table(table) => Some(table),
        _ => None,
    });
    let [has_header, other_has_header] =
        tables.map(|table| table.is_none_or(|table| table.header().is_some()));
    let is_delimited_alike = match tables {
        [Some(one), Some(other)] => one.delimiter() == other.delimiter(),
        _ => true,
    };
    // One column needs no delimiter.
    names[0] == names[1]
        && has_header == other_has_header
        && (is_delimited_alike || names[0].len() == 1)
}

/// Returns true if an output of this format, which has no columns, holds all of a record.
fn loses_nothing(layout: &Layout, form: Form) -> bool {
    match layout {
        Layout::Line | Layout::Blocks(_) | Layout::Written(_) => true,
        Layout::Words(_) => form == Form::Text,
        _ => false,
    }
}

/// A layout whose puzzles have the digits that the options say, or an error if they seem to have others.
fn unless_from_zero(
    found: Result<Detected, DetectError>,
    head: &[u8],
    options: &FormOptions,
) -> Result<Detected, DetectError> {
    let is_detected = options.input_format.0.is_none() && options.column.is_none();
    match (found, options.digits) {
        // Nothing but the digits is told.
        (Err(DetectError::CountsFromZero), Some(_)) => Layout::detect_with_digits(head),
        (Ok(found), None) if !is_detected && found.counts_from_zero(head) => {
            Err(DetectError::CountsFromZero)
        }
        (found, _) => found,
    }
}

/// Moves a position in the text past whitespace. Returns true if there is text at it.
fn skip_blanks(text: &[u8], position: &mut usize) -> bool {
    *position = text.len() - text[*position..].trim_ascii_start().len();
    *position < text.len()
}

/// Returns true if the text holds a whole line that is not blank.
fn has_line(head: &[u8]) -> bool {
    memchr::memchr2(b'\n', b'\r', head.trim_ascii_start()).is_some()
}

/// Returns true if the text holds a whole record after the header.
fn has_record(head: &[u8], found: &Detected) -> bool {
    let records = head.get(found.skipped..).unwrap_or_default();
    let records = if has_columns(found) {
        records.trim_ascii_start()
    } else {
        records
    };
    found.layout.record_end(records, 1).is_some()
}

/// Returns true if a column, or a key, holds the puzzles.
fn has_columns(found: &Detected) -> bool {
    !found.layout.columns().is_empty()
}

/// The inputs of a command. They are opened one after the other.
pub(super) struct Sources<'o> {
    task: &'o Task<'o>,
    paths: std::slice::Iter<'o, InputFile>,
    /// For a shard: the size of each input that is left, and the places of the part in it.
    parts: std::vec::IntoIter<(u64, [u64; 2])>,
    is_first: bool,
}

impl<'o> Sources<'o> {
    /// The inputs that the options name.
    pub(super) fn new(task: &'o Task<'o>) -> anyhow::Result<Self> {
        let files = &task.read.files;
        // Report missing files before anything is written to a stream.
        for path in files {
            job::check_there(path)?;
        }
        let mut parts = Vec::new();
        if let Some(shard) = task.shard {
            let sizes = files.iter().map(|path| job::open(path)?.whole_size());
            let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
            parts.extend(sizes.iter().copied().zip(shard.places(&sizes)));
        }
        Ok(Self {
            task,
            paths: files.iter(),
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
            let mut source = Source::open(
                path,
                &self.task.read.form,
                self.task.at_once,
                self.task.purpose == Purpose::Compare,
            )?;
            if let Some((size, places)) = part {
                source.keep(size, places)?;
            }
            return Ok(Some((source, path)));
        }
        Ok(None)
    }
}

/// The pieces of an input, or of the records to make.
pub(super) type Pieces<'i> = Box<dyn Iterator<Item = Result<Piece, Error>> + Send + 'i>;

/// Some whole records, as text, or the numbers of records to make.
pub(super) struct Piece {
    /// The text, and where the records begin, after a header if there is one.
    text: Option<(Chunk, usize)>,
    /// The numbers of the records to make, or none.
    pub(super) numbers: Range<u64>,
    /// The number of lines of a header before the text.
    pub(super) skipped_lines: u64,
    /// The number of pieces that the input was cut into so far, this one among them.
    chunks: u64,
}

impl Piece {
    /// The numbers of records to make.
    pub(super) fn made(numbers: Range<u64>) -> Self {
        Self {
            text: None,
            numbers,
            skipped_lines: 0,
            chunks: 0,
        }
    }

    /// The place where the piece ends, and the number of pieces up to it: [`Source::go_on_at`] takes them.
    pub(super) fn end(&self) -> (u64, u64) {
        (self.range().end, self.chunks)
    }

    /// The text.
    pub(super) fn text(&mut self) -> &[u8] {
        match &mut self.text {
            Some((chunk, start)) => &chunk.bytes()[*start..],
            None => &[],
        }
    }

    /// The distance by which this piece advances the source: in bytes, or in records to make.
    pub(super) fn length(&self) -> u64 {
        let numbers = self.numbers.end - self.numbers.start;
        let text = self.text.as_ref();
        text.map_or(numbers, |(chunk, _)| chunk.source_bytes())
    }

    /// The places of the text in the input, in bytes, or the numbers of the records to make.
    pub(super) fn range(&self) -> Range<u64> {
        match &self.text {
            Some((chunk, start)) => {
                let end = chunk.offset() + chunk.len() as u64;
                chunk.offset() + *start as u64..end
            }
            None => self.numbers.clone(),
        }
    }
}
