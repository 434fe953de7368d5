//! The records of a file: the coordinator cuts it into pieces of whole records, and many workers answer
//! the pieces.
//!
//! ```text
//!     bytes -> Unpacker -> piece_end -> answer (in each worker) -> keep (for dedup) -> bytes, in order
//! ```
//!
//! The coordinator and each worker have a [`Reading`]. All of them detect the format from the same first bytes, so
//! they agree on it.

use crate::{
    failure::{Failure, json, read},
    questions::{NO_KEY, of_batch},
};
use serde::Deserialize;
use serde_json::{Value, json};
use sudoku_batch::{
    foreign::Foreign,
    format::{
        ColumnPlace, DetectError, Detected, Form, Layout, Records, RowError, Values, Writer,
        one_line, placed,
    },
    questions::{
        Answer, Batch, Counts, Data, GivenAnswer, Options, Question, RowView, RowWriter, TextPiece,
        accuracies,
    },
};
use wasm_bindgen::prelude::*;

/// The count of records that are full grids, in a column that was not asked for.
const FULL: &str = "full-grids";

/// About how many bytes of rows are made together, where a record may have several.
const PART: usize = 1 << 20;

/// The bytes of the length of a row, which stands between its key and the row.
const LENGTH: usize = 4;

/// An input in pieces: where they end, and the answers to them.
#[wasm_bindgen]
pub struct Reading {
    detected: Detected,
    is_column_given: bool,
    question: Question,
    /// The column of the records with answers, or with texts that have them.
    beside: Option<ColumnPlace>,
    writer: Writer,
    /// The last piece.
    piece: TextPiece,
    /// The counts of the pieces that are [added](Self::add).
    counts: Counts,
}

#[wasm_bindgen]
impl Reading {
    /// Looks at the first bytes of an input. Gives nothing if more of them are needed.
    pub fn begin(head: &[u8], is_all: bool, given: &str) -> Result<Option<Reading>, Failure> {
        let mut given = Options::parse(given)?;
        let [column, name] = ["puzzle-column", "name"].map(|option| given.take(option));
        let column = column.as_deref();
        let mut form = |option| given.take(option).map(|name| name.parse()).transpose();
        let input_form = form("input-format").map_err(Failure::option)?;
        let wanted = form("format").map_err(Failure::option)?;
        let foreign = Foreign::of(head, is_all).flatten();
        if let Some(foreign) = foreign.or_else(|| Foreign::tar(head).flatten()) {
            return Err(Failure::form(format_args!("the input is {foreign}")));
        }
        let mut found = Layout::detect(head, input_form, column);
        if let Err(DetectError::Unknown { .. }) = found
            && let Some(form) = name.as_deref().and_then(Form::of_name)
        {
            found = Layout::detect(head, Some(form), column);
        }
        let is_enough = match &found {
            Ok(found) => found.is_certain(head),
            Err(_) => head.len() > Layout::HEAD && head.contains(&b'\n'),
        };
        if !is_enough && !is_all {
            return Ok(None);
        }
        let detected = found?;
        let layout = &detected.layout;
        let own = layout.form();
        if let Some(name) = column.filter(|name| layout.column(name).is_err())
            && !head.trim_ascii().is_empty()
        {
            let message = format_args!("the form {own} has no column {name}");
            return Err(Failure::form(message));
        }
        let replace = given.take_flag("replace")?;
        let has_keys = given.get("question") != Some("convert");
        let (question, beside, added) = of_batch(&mut given, layout)?;
        let gives_records = added.is_empty();
        let usual = if own.holds(&added) { own } else { Form::Line };
        let form = wanted.unwrap_or(usual);
        if !form.holds(&added) {
            let message =
                format_args!("the format {form} holds grids alone: choose another format");
            return Err(Failure::option(message));
        }
        let added = placed(added, layout, form, replace).map_err(Failure::form)?;
        let mut answer = question.empty();
        answer.leave_out(|column| {
            let about = &question.columns[column];
            match gives_records {
                true => !has_keys || about.values == Values::Status,
                false => form.is_of_lines() && !about.in_lines,
            }
        });
        answer.keep_places(!form.is_of_lines() && !form.is_of_nine_lines());
        answer.in_parts_of(PART);
        Ok(Some(Self {
            writer: Writer::new(form, layout.clone(), added, detected.line_end),
            is_column_given: column.is_some(),
            detected,
            question,
            beside,
            piece: TextPiece::new(answer),
            counts: Counts::default(),
        }))
    }

    /// The format and its columns, what the output is, and how pieces are cut, as JSON.
    pub fn about(&self) -> String {
        let (layout, writer) = (&self.detected.layout, &self.writer);
        json(&json!({
            "form": layout.form().name(),
            "columns": layout.columns(),
            "column": layout.puzzle_column().map(|number| &layout.columns()[number]),
            "outputForm": writer.form().name(),
            "added": writer.columns().iter().map(|column| &column.name).collect::<Vec<_>>(),
            "announced": self.detected.announced,
            "cutting": {
                // The end of each line ends a record.
                "lines": layout.is_of_lines(),
                // A record may have several rows, each with the number of the record.
                "severalRows": self.question.definition.has_several_rows(),
                // The first row of all loses its first byte: a blank line that separates rows.
                "blankLine": writer.begins_with_blank_line(),
            },
        }))
    }

    /// The text before the first row.
    pub fn header(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.writer.header(&mut out).expect("into memory");
        out
    }

    /// The length of the next piece: it ends after the first record that ends at or after `least`.
    /// Gives nothing if that is not in these bytes. `text` is what is not in a piece yet.
    pub fn piece_end(&self, text: &[u8], is_first: bool, least: usize) -> Option<usize> {
        let skipped = if is_first { self.detected.skipped } else { 0 };
        let least = least.saturating_sub(skipped).max(1);
        let layout = &self.detected.layout;
        Some(skipped + layout.record_end(text.get(skipped..)?, least)?)
    }

    /// Reads the records of a piece. Gives their number.
    pub fn read(&mut self, mut text: &[u8], is_first: bool) -> usize {
        let mut skipped_lines = 0;
        if is_first {
            skipped_lines = self.detected.skipped_lines;
            text = &text[self.detected.skipped..];
        }
        (self.piece).read(&self.detected.layout, text, skipped_lines);
        self.piece.records.len()
    }

    /// The fields of the first records, as JSON, for a preview: an array of texts for each.
    pub fn preview(&mut self, head: &[u8], most: usize) -> String {
        let least = head.len().min(self.detected.skipped + most * 400);
        let end = self.piece_end(head, true, least);
        let length = self.read(&head[..end.unwrap_or(head.len())], true);
        let records = &self.piece.records;
        let shown = |record: usize| -> Value {
            let text = records.text(record);
            let fields = self.detected.layout.fields(text).into_iter();
            let mut fields: Vec<_> = fields.map(|(_, field)| field).collect();
            if fields.is_empty() {
                fields.push(one_line(text));
            }
            let fields = fields.iter().map(|field| String::from_utf8_lossy(field));
            let error = records.error(record).map(|error| error.to_string());
            json!({ "fields": fields.collect::<Vec<_>>(), "error": error })
        };
        json(&(0..length.min(most)).map(shown).collect::<Vec<_>>())
    }

    /// Adds the counts of a piece, by the [report](Self::report) of whoever answered it.
    pub fn add(&mut self, report: &str) {
        let mut report = read(report);
        let counts = Counts::deserialize(report["counts"].take());
        self.counts += counts.expect("a worker wrote them");
    }

    /// How many of so many records failed, and the accuracies of answers, as JSON, by the counts of all pieces.
    pub fn sum(&self, records: u64) -> String {
        let counts = &self.counts;
        let (layout, full) = (&self.detected.layout, counts.get(FULL));
        let are_full = full > 0 && full + counts.get("malformed") == records;
        let column = layout.puzzle_column().filter(|_| are_full);
        let warning = column.map(|column| {
            let column = &layout.columns()[column];
            format!(
                "every puzzle in column {column} is a full grid: if the puzzles are in another column, \
                 `puzzleColumn` names it"
            )
        });
        let is_scored = counts.get("answers-right") + counts.get("answers-wrong") > 0;
        let scores = is_scored.then(|| {
            // Six digits are enough for sets of a million.
            let round = |score: f64| (score * 1e6).round() / 1e6;
            accuracies(counts).map(|(name, score)| (name, score.map(round)))
        });
        let counts = counts.without(&[FULL]);
        let outcome = self.question.outcome(&counts, records);
        let shown = outcome.counts.iter().chain(outcome.among_first.iter());
        let shown: Vec<_> = shown.map(|(name, _)| name).collect();
        json(&json!({
            "failed": outcome.failed,
            "counts": counts.only(&shown).iter().collect::<Vec<_>>(),
            "accuracies": scores,
            "warning": warning,
        }))
    }

    /// Answers a piece, whose first record has this number. Gives the rows; [`report`](Self::report) has the
    /// rest. If it [goes on](Self::goes_on), there are more rows.
    pub fn answer(&mut self, text: &[u8], is_first: bool, first: u64) -> Result<Vec<u8>, Failure> {
        let length = self.read(text, is_first);
        if !self.is_column_given && self.detected.layout.puzzle_column().is_some() {
            let full = (0..length).filter(|&record| self.piece.records.is_full(record));
            let full = full.count() as u64;
            self.piece.counts.add(FULL, full);
        }
        self.go_on(first)
    }

    /// Whether the records of the piece have more rows.
    pub fn goes_on(&self) -> bool {
        self.piece.has_more()
    }

    /// The next rows of the piece.
    pub fn go_on(&mut self, first: u64) -> Result<Vec<u8>, Failure> {
        let Self {
            detected,
            question,
            beside,
            writer,
            piece,
            ..
        } = self;
        let count = piece.records.len();
        piece.answer(count, None, usize::MAX, |records, answer| {
            let texts = beside.as_ref().map(|column| {
                let text = |record| detected.layout.value(records.text(record), column);
                (0..count).map(text).collect::<Vec<_>>()
            });
            let takes_texts = question.definition.takes_texts();
            let answers = texts.as_ref().filter(|_| !takes_texts).map(|texts| {
                let given = texts.iter().map(|text| text.as_deref().unwrap_or_default());
                given.map(GivenAnswer::of_text).collect::<Vec<_>>()
            });
            let batch = Batch {
                records,
                answers: answers.as_deref(),
                texts: texts.as_deref().filter(|_| takes_texts),
            };
            question.fill(batch, answer);
            question.sum_up(answer);
            rows((records, answer), writer, question, first)
        })
    }

    /// The numbers of records and of lines of the piece, its counts, and its rejects, as JSON.
    pub fn report(&self) -> String {
        json(&json!({
            "records": self.piece.records.len(),
            "lines": self.piece.records.lines(),
            "counts": self.piece.counts,
            "rejects": self.piece.rejects.lines,
        }))
    }

    /// The rejects of the piece, one after the other; [`report`](Self::report) says where each ends.
    pub fn rejects(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.piece.rejects.text)
    }
}

/// The rows of an answer.
fn rows(
    (records, answer): (&Records, &Answer<'_>),
    writer: &Writer,
    question: &Question,
    first: u64,
) -> Result<Vec<u8>, Failure> {
    if writer.columns().is_empty() {
        return rows_of_records((records, answer), writer);
    }
    let mut out = Vec::with_capacity(records.len() * 200);
    let first = question.definition.has_several_rows().then_some(first);
    let mut rows = RowWriter::default();
    let line = |row: &RowView<'_>, out: &mut Vec<u8>| question.line(row, out);
    match answer.column(0) {
        Data::Cells(lines) if writer.form().is_of_plain_lines() => {
            out.extend_from_slice(lines.as_flattened());
        }
        _ => {
            for entry in answer.entries() {
                let (of, record) = ((records, answer), entry.0);
                let done = rows.write(writer, of, entry, first, line, &mut out);
                done.map_err(|error| unwritten(records, record, error))?;
            }
        }
    }
    Ok(out)
}

/// The records as rows, for `dedup` and `convert`. If the answer has keys to compare, the key of a record and the length of its
/// row come before the row.
fn rows_of_records(
    (records, answer): (&Records, &Answer<'_>),
    writer: &Writer,
) -> Result<Vec<u8>, Failure> {
    let mut out = Vec::with_capacity(records.len() * 200);
    let keys = (!answer.is_settled()).then(|| answer.keys());
    for record in 0..records.len() {
        if let Some(keys) = keys {
            out.extend_from_slice(&keys[record].unwrap_or(NO_KEY).to_le_bytes());
            out.extend_from_slice(&[0; LENGTH]);
        }
        let start = out.len();
        let done = writer.row(records, record, |_| &[], &mut out);
        done.map_err(|error| unwritten(records, record, error))?;
        if keys.is_some() {
            let length = (out.len() - start) as u32;
            out[start - LENGTH..start].copy_from_slice(&length.to_le_bytes());
        }
    }
    Ok(out)
}

/// The error of a record that has no place for its row.
fn unwritten(records: &Records, record: usize, error: RowError) -> Failure {
    let advice = match error {
        RowError::Differs { .. } => ": `replace` writes over it",
        _ => "",
    };
    Failure::record(records.line(record), format_args!("{error}{advice}"))
}

#[cfg(feature = "solving")]
#[wasm_bindgen]
impl Reading {
    /// The rows of a piece that `dedup` keeps: those of the first of all equal records, and of records without a
    /// key. The pieces come in their order.
    pub fn keep(&mut self, mut rows: &[u8]) -> Vec<u8> {
        let mut kept = Vec::with_capacity(rows.len());
        let (mut keys, mut texts) = (Vec::new(), Vec::new());
        while let Some((key, rest)) = rows.split_first_chunk() {
            let (length, rest) = rest.split_first_chunk::<LENGTH>().expect("a length");
            let (row, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
            let key = u128::from_le_bytes(*key);
            keys.push(Some(key).filter(|key| *key != NO_KEY));
            texts.push(row);
            rows = rest;
        }
        let mut answer = self.question.empty();
        answer.begin(keys.len());
        *answer.keys_mut() = keys;
        self.question.settle(&mut answer);
        self.counts += std::mem::take(&mut answer.counts);
        let Data::Flags(flags) = answer.named("kept") else {
            unreachable!("it is a flag")
        };
        let of_kept = texts.into_iter().zip(flags);
        let of_kept = of_kept.filter(|(_, is_kept)| **is_kept == Some(true));
        of_kept.for_each(|(row, _)| kept.extend_from_slice(row));
        kept
    }
}
