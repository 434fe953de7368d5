//! Records for commands that do not answer record by record: batch by batch, or by number.

use super::{
    job,
    options::{FirstDigit, FormOptions},
    source::Source,
    words::counted,
};
use crate::pipeline::input::chunk_size;
use anyhow::{anyhow, bail};
use std::{
    borrow::Cow,
    path::{Path, PathBuf},
};
use sudoku_batch::{
    Puzzle,
    format::{Layout, ParseError, Records},
    grid::AnyPuzzle,
};

/// Reads the records of a file, of standard input for `-`, or of an argument that is a puzzle
/// itself: 81 cells that name no file. It reads when it is asked, on the thread that asks.
///
/// ```text
/// let mut reader = RecordReader::open(path, &options.form)?;
/// let mut batch = ReadBatch::default();
/// while reader.next_batch(&mut batch)? {
///     for record in 0..batch.records.len() {
///         grids.push(batch.records.puzzle_of_cells(record).with_context(|| {
///             format!("{}:{}", reader.name(), batch.line(record))
///         })?);
///     }
/// }
/// ```
///
/// A reader gives batches or [records by number](Self::nth), but not both.
pub struct RecordReader {
    path: PathBuf,
    form: FormOptions,
    is_argument: bool,
    open: Open,
    /// The batches around the record that [`nth`](Self::nth) gave last, or all batches of a
    /// stream.
    kept: Vec<ReadBatch>,
}

/// Records that are read together.
#[derive(Default)]
pub struct ReadBatch {
    pub records: Records,
    /// The number of the first record, from 1.
    pub first: u64,
    /// The number of lines before the batch.
    lines_before: u64,
}

impl ReadBatch {
    /// The line of a record in the whole input, from 1.
    pub fn line(&self, record: usize) -> u64 {
        self.lines_before + self.records.line(record)
    }

    /// The number of the first record after the batch.
    fn end(&self) -> u64 {
        self.first + self.records.len() as u64
    }
}

/// A record.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its number, from 1.
    pub number: u64,
    /// The place for messages: the name of the file and the line. It is `None` for an
    /// argument.
    pub place: Option<(String, u64)>,
    /// Its text as it was read.
    pub text: Vec<u8>,
    /// Its puzzle, or why it is malformed.
    pub puzzle: Result<AnyPuzzle, ParseError>,
}

impl Record {
    /// Its puzzle of 81 cells, or why it has none.
    pub fn puzzle_of_cells(&self) -> Result<Puzzle, ParseError> {
        match self.puzzle? {
            AnyPuzzle::Cells(puzzle) => Ok(puzzle),
            AnyPuzzle::Candidates(candidates) => {
                let mut records = Records::default();
                records.push_candidates(1, &(candidates, b'.'), &self.text);
                records.puzzle_of_cells(0)
            }
        }
    }

    /// The origin of the record, in words.
    pub fn title(&self) -> String {
        match &self.place {
            None => "puzzle".into(),
            Some((name, line)) if *line == self.number => format!("{name}, record {line}"),
            Some((name, line)) => format!("{name}, record {}, line {line}", self.number),
        }
    }
}

/// An input that is being read.
struct Open {
    source: Source,
    /// The numbers of records and lines that were read.
    records: u64,
    lines: u64,
    /// True if the digits are 0 to 8.
    counts_from_zero: bool,
}

impl Open {
    fn new(path: &Path, form: &FormOptions) -> anyhow::Result<Self> {
        Ok(Self {
            source: Source::open(path, form, false, false)?,
            records: 0,
            lines: 0,
            counts_from_zero: form.digits == Some(FirstDigit::Zero),
        })
    }

    /// Reads the next batch. Returns whether there is one.
    fn read(&mut self, batch: &mut ReadBatch) -> anyhow::Result<bool> {
        let mut piece = match self.source.next_piece(false, &chunk_size) {
            Ok(Some(piece)) => piece,
            end => {
                let end = end.map(drop).map_err(Into::into);
                return job::unless_changed(end, &self.source.input).map(|()| false);
            }
        };
        let records = &mut batch.records;
        records.clear();
        records.add_lines(piece.skipped_lines);
        let layout = &self.source.detected.layout;
        layout.read(piece.text(), records);
        if self.counts_from_zero {
            layout.count_from_zero(records);
        }
        batch.first = self.records + 1;
        batch.lines_before = self.lines;
        self.records += records.len() as u64;
        self.lines += records.lines();
        Ok(true)
    }
}

impl RecordReader {
    /// Opens an input and detects its format.
    ///
    /// # Errors
    ///
    /// The input cannot be read, or its format is unknown.
    pub fn open(path: &Path, form: &FormOptions) -> anyhow::Result<Self> {
        let is_argument = job::literal(path).is_some();
        let form = if is_argument {
            FormOptions::AUTO
        } else {
            form.clone()
        };
        Ok(Self {
            open: Open::new(path, &form)?,
            path: path.to_owned(),
            form,
            is_argument,
            kept: Vec::new(),
        })
    }

    /// The name of the input, for messages.
    pub fn name(&self) -> &str {
        if self.path == Path::new("-") {
            "standard input"
        } else {
            self.open.source.input.name()
        }
    }

    /// Reads the input as a file of answers, unless the options name the column: see [`Layout::take_answers`].
    pub fn of_answers(mut self) -> Self {
        if self.form.column.is_none() {
            self.open.source.detected.layout.take_answers();
        }
        self
    }

    /// The layout of the records.
    pub fn layout(&self) -> &Layout {
        &self.open.source.detected.layout
    }

    /// The content of the column that the options name in the text of a record.
    pub fn field<'t>(&self, text: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        let layout = self.layout();
        layout.value(text, &layout.column_of_puzzles()?)
    }

    /// Reads the next batch, in the memory of the one before. Returns whether there is one. It
    /// may have no records.
    ///
    /// # Errors
    ///
    /// The input cannot be read, or it changed since it was opened.
    pub fn next_batch(&mut self, batch: &mut ReadBatch) -> anyhow::Result<bool> {
        self.open.read(batch)
    }

    /// Ends the reading before the end of the input.
    ///
    /// # Errors
    ///
    /// The input changed since it was opened.
    pub fn check_unchanged(&self) -> anyhow::Result<()> {
        job::unless_changed(Ok(()), &self.open.source.input)
    }

    /// Record `number`, from 1, or nothing if there are fewer records. A file is read again from
    /// its start for a record far before the last one, or if the file changed.
    ///
    /// # Errors
    ///
    /// The input cannot be read.
    pub fn nth(&mut self, number: u64) -> anyhow::Result<Option<Record>> {
        if let Some(record) = self.kept(number) {
            return Ok(Some(record));
        }
        let is_stream = self.is_argument || self.path == Path::new("-");
        let has_changed = || self.open.source.input.check_unchanged().is_err();
        if !is_stream && (number <= self.open.records || has_changed()) {
            self.kept.clear();
            self.open = Open::new(&self.path, &self.form)?;
        }
        while self.open.records < number {
            let mut batch = if is_stream || self.kept.len() < 2 {
                ReadBatch::default()
            } else {
                self.kept.remove(0)
            };
            if !self.open.read(&mut batch)? {
                return Ok(None);
            }
            self.kept.push(batch);
        }
        self.open.source.input.check_unchanged()?;
        Ok(self.kept(number))
    }

    /// Record `number`, from 1.
    ///
    /// # Errors
    ///
    /// The input cannot be read, or it has fewer records.
    pub fn record(&mut self, number: u64) -> anyhow::Result<Record> {
        let found = self.nth(number)?;
        found.ok_or_else(|| self.missing(number))
    }

    /// Records `first` to `last`, or all from `first` on.
    ///
    /// # Errors
    ///
    /// The input cannot be read, or it has fewer records.
    pub fn records(&mut self, first: u64, last: Option<u64>) -> anyhow::Result<Vec<Record>> {
        let mut records = Vec::new();
        for number in first..=last.unwrap_or(u64::MAX) {
            match self.nth(number)? {
                Some(record) => records.push(record),
                None if last.is_none() && number > first => break,
                None => bail!(self.missing(last.unwrap_or(first))),
            }
        }
        Ok(records)
    }

    /// The error that the input, which was read to its end, has fewer records.
    fn missing(&self, number: u64) -> anyhow::Error {
        if self.is_argument {
            return anyhow!("one puzzle is given: there is no record {number}");
        }
        let (name, records) = (self.name(), counted(self.open.records, "records"));
        anyhow!("{name} has {records}: there is no record {number}")
    }

    /// A record of the batches that are kept.
    fn kept(&self, number: u64) -> Option<Record> {
        let batch = self.kept.partition_point(|batch| batch.end() <= number);
        let batch = self.kept.get(batch)?;
        let at = number.checked_sub(batch.first)? as usize;
        let place = || (self.name().to_owned(), batch.line(at));
        Some(Record {
            number,
            place: (!self.is_argument).then(place),
            text: batch.records.text(at).to_owned(),
            puzzle: batch.records.puzzle(at),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// A table whose record `number` is on line `2 * number`, with the number in its first column.
    fn table(records: u64) -> String {
        let row = |number: u64| format!("\n{number},{}\n", ".".repeat(CELLS));
        "id,puzzle".to_owned() + &(1..=records).map(row).collect::<String>()
    }

    const CELLS: usize = 81;

    #[test]
    fn records_are_found_by_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        fs::write(&path, table(20_000)).unwrap();
        let mut reader = RecordReader::open(&path, &FormOptions::AUTO).unwrap();
        for number in [1, 2, 15_000, 14_999, 3, 20_000, 19_000, 1] {
            let record = reader.record(number).unwrap();
            assert!(record.text.starts_with(format!("{number},.").as_bytes()));
            assert_eq!(
                (record.number, record.place.unwrap().1),
                (number, 2 * number)
            );
        }
        assert!(reader.nth(20_001).unwrap().is_none());
        let error = reader.records(19_999, Some(20_002)).unwrap_err();
        let message = format!(
            "{} has 20,000 records: there is no record 20002",
            path.display()
        );
        assert_eq!(error.to_string(), message);
        assert_eq!(reader.records(19_990, None).unwrap().len(), 11);
        // A file that changed is read again.
        fs::write(&path, table(2)).unwrap();
        assert!(reader.nth(30_000).unwrap().is_none());
        assert_eq!(reader.record(2).unwrap().number, 2);
    }

    #[test]
    fn batches_are_all_records_in_order() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        // The blank lines make a header that is longer than the first chunk.
        fs::write(&path, "\n".repeat(30_000) + &table(9_000)).unwrap();
        let mut reader = RecordReader::open(&path, &FormOptions::AUTO).unwrap();
        let mut batch = ReadBatch::default();
        let mut count = 0;
        while reader.next_batch(&mut batch).unwrap() {
            for record in 0..batch.records.len() {
                assert_eq!(batch.first, count + 1 - record as u64);
                count += 1;
                assert_eq!(batch.line(record), 30_000 + 2 * count);
            }
        }
        assert_eq!(count, 9_000);
    }

    #[test]
    fn a_puzzle_may_be_the_argument() {
        let puzzle =
            "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
        let form = FormOptions {
            column: Some("x".into()),
            ..FormOptions::AUTO
        };
        let mut reader = RecordReader::open(Path::new(puzzle), &form).unwrap();
        assert_eq!(reader.record(1).unwrap().title(), "puzzle");
        let error = reader.record(2).unwrap_err();
        assert_eq!(
            error.to_string(),
            "one puzzle is given: there is no record 2"
        );
    }
}
