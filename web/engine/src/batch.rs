//! The records of a file: the coordinator cuts it into pieces of whole records, and many workers answer
//! the pieces.
//!
//! ```text
//!     bytes -> Unpacker -> Reading: where pieces end -> Asker (in each worker) -> bytes, in order
//!                                                                  |
//!                                            Sieve: what dedup keeps, in order
//! ```
//!
//! All of them detect the form from the same first bytes, so they agree on it.

use crate::{
    failure::{Failure, json, read},
    questions::{Made, NO_KEY, Unwritten, Work},
};
use serde_json::{Value, json};
use std::io::Write;
use sudoku_batch::{
    archive::Archive,
    dataset::FirstSeen,
    format::{DetectError, Detected, Form, Layout, Records, RowError, Writer, one_line, placed},
    questions::{Counts, Options, accuracies},
};
use wasm_bindgen::prelude::*;

/// The form with a name.
fn parsed(name: Option<&str>) -> Result<Option<Form>, Failure> {
    name.map(str::parse).transpose().map_err(Failure::option)
}

/// The options of a batch that say how records are read and written.
struct Forms {
    /// The column of the puzzles.
    column: Option<String>,
    input_format: Option<String>,
    format: Option<String>,
    /// The name of the file, which may say that it is a table.
    name: Option<String>,
    replace: bool,
}

impl Forms {
    /// Takes these options out of those that are given.
    fn of(given: &mut Options) -> Self {
        Self {
            column: given.take("column"),
            input_format: given.take("input-format"),
            format: given.take("format"),
            name: given.take("name"),
            replace: given.take("replace").as_deref() == Some("true"),
        }
    }
}

fn detect(head: &[u8], forms: &Forms) -> Result<Result<Detected, DetectError>, Failure> {
    let column = forms.column.as_deref();
    let given = parsed(forms.input_format.as_deref())?;
    let found = Layout::detect(head, given, column);
    Ok(
        match (found, forms.name.as_deref().and_then(Form::of_name)) {
            (Err(DetectError::Unknown { .. }), Some(form)) => {
                Layout::detect(head, Some(form), column)
            }
            (found, _) => found,
        },
    )
}

/// What is known when the first bytes of an input are read.
struct Plan {
    detected: Detected,
    work: Work,
    writer: Writer,
    is_column_given: bool,
}

impl Plan {
    fn new(detected: Detected, forms: &Forms, mut given: Options) -> Result<Self, Failure> {
        let layout = &detected.layout;
        let (mut work, columns) = Work::new(&mut given, layout)?;
        let wanted = parsed(forms.format.as_deref())?;
        let form = match wanted {
            Some(form) if form.holds(&columns) => form,
            Some(form) => {
                let message = format!("the form {form} holds grids alone: choose another format");
                return Err(Failure::option(message));
            }
            None if layout.form().holds(&columns) => layout.form(),
            None => Form::Line,
        };
        let columns = placed(columns, layout, form, forms.replace).map_err(Failure::form)?;
        let writer = Writer::new(form, layout.clone(), columns, detected.line_end);
        work.show_in(form);
        Ok(Self {
            work,
            writer,
            is_column_given: forms.column.is_some(),
            detected,
        })
    }
}

impl Plan {
    /// Reads the records of a piece.
    fn read(&self, text: &[u8], is_first: bool, records: &mut Records) {
        let mut text = text;
        if is_first {
            records.add_lines(self.detected.skipped_lines);
            text = &text[self.detected.skipped..];
        }
        self.detected.layout.read(text, records);
    }
}

/// The count of records that are full grids, in a column that was not asked for.
const FULL: &str = "full-grids";

/// The coordinator's view of an input.
#[wasm_bindgen]
pub struct Reading {
    plan: Plan,
    /// The bytes before the first record that are not in a piece yet.
    skipped: usize,
}

#[wasm_bindgen]
impl Reading {
    /// Looks at the first bytes of an input. Gives nothing if more of them are needed.
    pub fn begin(head: &[u8], is_all: bool, given: &str) -> Result<Option<Reading>, JsValue> {
        let mut given = Options::parse(given).map_err(Failure::from)?;
        let forms = Forms::of(&mut given);
        let archive = Archive::of(head).flatten();
        if let Some(archive) = archive.or_else(|| Archive::tar(head).flatten()) {
            return Err(Failure::form(format!("the input is {archive}")).into());
        }
        let found = detect(head, &forms)?;
        let is_enough = is_all
            || match &found {
                Ok(found) => found.is_certain(head),
                Err(_) => head.len() > Layout::HEAD && head.contains(&b'\n'),
            };
        if !is_enough {
            return Ok(None);
        }
        let detected = found.map_err(|error| {
            let (line, column) = match error {
                DetectError::NotLines { line, column, .. } => (line, Some(column)),
                _ => (1, None),
            };
            Failure {
                line: Some(line),
                column,
                ..Failure::form(error)
            }
        })?;
        let has_column = |name: &String| detected.layout.column(name).is_ok();
        if let Some(name) = forms.column.as_ref().filter(|name| !has_column(name))
            && !head.trim_ascii().is_empty()
        {
            let form = detected.layout.form();
            return Err(Failure::form(format!("the form {form} has no column {name}")).into());
        }
        Ok(Some(Self {
            skipped: detected.skipped,
            plan: Plan::new(detected, &forms, given)?,
        }))
    }

    /// The form, its columns, and what the output is, as JSON.
    pub fn about(&self) -> String {
        let layout = &self.plan.detected.layout;
        let writer = &self.plan.writer;
        let column = layout.puzzle_column();
        json(&json!({
            "form": layout.form().name(),
            "columns": layout.columns(),
            "column": column.map(|number| &layout.columns()[number]),
            "outputForm": writer.form().name(),
            "added": writer.columns().iter().map(|column| &column.name).collect::<Vec<_>>(),
            "announced": self.plan.detected.announced,
        }))
    }

    /// What comes before the first row.
    pub fn header(&self) -> Vec<u8> {
        let mut out = Vec::new();
        self.plan.writer.header(&mut out).expect("into memory");
        out
    }

    /// Whether the first row of all loses its first byte: a blank line that separates rows.
    pub fn begins_with_blank_line(&self) -> bool {
        self.plan.writer.begins_with_blank_line()
    }

    /// The length of the next piece: it ends after the first record that ends at or after `least`.
    /// Gives nothing if that is not in these bytes. `text` is what is not in a piece yet.
    pub fn piece_end(&mut self, text: &[u8], least: usize) -> Option<usize> {
        let skipped = self.skipped;
        let least = least.saturating_sub(skipped).max(1);
        let end = self
            .plan
            .detected
            .layout
            .record_end(text.get(skipped..)?, least)?;
        self.skipped = 0;
        Some(skipped + end)
    }

    /// Whether a record may have several rows, each with the number of the record.
    pub fn has_several_rows(&self) -> bool {
        self.plan.work.has_several_rows()
    }

    /// The number of records of a piece.
    pub fn count(&self, text: &[u8], is_first: bool) -> u32 {
        let mut records = Records::default();
        self.plan.read(text, is_first, &mut records);
        records.len() as u32
    }

    /// Whether the end of each line ends a record.
    pub fn is_of_lines(&self) -> bool {
        self.plan.detected.layout.is_of_lines()
    }

    /// The fields of the first records, as JSON, for a preview: an array of texts for each.
    pub fn preview(&self, head: &[u8], most: usize) -> String {
        let Detected {
            layout, skipped, ..
        } = &self.plan.detected;
        let mut records = Records::default();
        let text = head.get(*skipped..).unwrap_or_default();
        let end = layout.record_end(text, text.len().min(most * 400).max(1));
        layout.read(&text[..end.unwrap_or(text.len())], &mut records);
        let shown = |record: usize| -> Value {
            let text = records.text(record);
            let fields = layout.fields(text);
            let fields: Vec<_> = match fields.is_empty() {
                true => vec![String::from_utf8_lossy(&one_line(text)).into_owned()],
                false => {
                    let fields = fields
                        .iter()
                        .map(|(_, field)| String::from_utf8_lossy(field));
                    fields.map(|field| field.into_owned()).collect()
                }
            };
            json!({ "fields": fields, "error": records.error(record).map(|e| e.to_string()) })
        };
        json(&(0..records.len().min(most)).map(shown).collect::<Vec<_>>())
    }

    /// How many of so many records failed, and the accuracies of answers, as JSON; `counts` is a JSON
    /// array of names and numbers.
    pub fn sum(&self, records: u64, counts: &str) -> Result<String, JsValue> {
        let given: Vec<(String, u64)> = read(counts)?;
        let mut counts = Counts::default();
        for (name, number) in given {
            counts.add(name, number);
        }
        let layout = &self.plan.detected.layout;
        let full = counts.get(FULL);
        let warning = layout
            .puzzle_column()
            .filter(|_| full > 0 && full + counts.get("malformed") == records);
        let warning = warning.map(|column| {
            let column = &layout.columns()[column];
            format!(
                "every puzzle in column {column} is a full grid: if the puzzles are in another column, \
                 `column` names it"
            )
        });
        let is_scored = counts.get("answers-right") + counts.get("answers-wrong") > 0;
        let scores = is_scored.then(|| {
            // Six digits are enough for sets of a million.
            let round = |score: f64| (score * 1e6).round() / 1e6;
            accuracies(&counts).map(|(name, score)| (name, score.map(round)))
        });
        let (shown, failed) = self.plan.work.outcome(records, &counts.without(&[FULL]));
        Ok(json(&json!({
            "failed": failed,
            "counts": pairs(&shown),
            "accuracies": scores,
            "warning": warning,
        })))
    }
}

/// Names and numbers.
fn pairs(counts: &Counts) -> Vec<(&str, u64)> {
    counts.iter().collect()
}

/// A worker's part of a batch.
#[wasm_bindgen]
pub struct Asker {
    plan: Plan,
    records: Records,
    /// The number of the first.
    first: u64,
    made: Made,
    /// The rejects, as `reason<TAB>detail<TAB>record<LF>` each.
    rejected: Vec<u8>,
    /// The line of each reject in its piece, and where it ends in `rejected`.
    ends: Vec<(u64, usize)>,
}

#[wasm_bindgen]
impl Asker {
    /// Begins with the same first bytes and options as the coordinator.
    #[wasm_bindgen(constructor)]
    pub fn new(head: &[u8], given: &str) -> Result<Asker, JsValue> {
        let mut given = Options::parse(given).map_err(Failure::from)?;
        let forms = Forms::of(&mut given);
        let detected = detect(head, &forms)?.map_err(Failure::form)?;
        Ok(Self {
            plan: Plan::new(detected, &forms, given)?,
            records: Records::default(),
            first: 0,
            made: Made::default(),
            rejected: Vec::new(),
            ends: Vec::new(),
        })
    }

    /// Answers a piece, whose first record has this number. Gives the rows; [`report`](Self::report) has the
    /// rest. If it [goes on](Self::goes_on), there are more rows.
    pub fn answer(&mut self, text: &[u8], is_first: bool, first: u64) -> Result<Vec<u8>, JsValue> {
        self.records.clear();
        self.plan.read(text, is_first, &mut self.records);
        self.first = first;
        self.rejected.clear();
        self.ends.clear();
        self.made = Made::default();
        let (records, plan) = (&self.records, &self.plan);
        if !plan.is_column_given && plan.detected.layout.puzzle_column().is_some() {
            let full = (0..records.len()).filter(|&record| records.is_full(record));
            self.made.counts.add(FULL, full.count() as u64);
        }
        self.go_on()
    }

    /// Whether the records of the piece have more rows.
    pub fn goes_on(&self) -> bool {
        self.made.goes_on
    }

    /// The next rows of the piece.
    pub fn go_on(&mut self) -> Result<Vec<u8>, JsValue> {
        let (records, plan) = (&self.records, &mut self.plan);
        let layout = &plan.detected.layout;
        let made = plan
            .work
            .answer((records, self.first), layout, &plan.writer);
        let made = made.map_err(|unwritten| failure(records, unwritten))?;
        let before = std::mem::replace(&mut self.made, made);
        let of_part = std::mem::replace(&mut self.made.counts, before.counts);
        self.made.counts += of_part;
        for reject in &self.made.rejects {
            let (name, detail) = (reject.reason.name(), reject.reason);
            write!(self.rejected, "{name}\t{detail}\t").expect("into memory");
            let text = one_line(records.text(reject.record));
            self.rejected.extend_from_slice(&text);
            self.rejected.push(b'\n');
            self.ends
                .push((records.line(reject.record), self.rejected.len()));
        }
        Ok(std::mem::take(&mut self.made.out))
    }

    /// The numbers of records and of lines of the piece, its counts, and its rejects, as JSON.
    pub fn report(&self) -> String {
        json(&json!({
            "records": self.records.len(),
            "lines": self.records.lines(),
            "counts": pairs(&self.made.counts),
            "rejects": self.ends,
        }))
    }

    /// The rejects of the piece, one after the other; [`report`](Self::report) says where each ends.
    pub fn rejects(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.rejected)
    }

    /// For `dedup`: the key of each record, 16 bytes each.
    pub fn keys(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.made.keys)
    }

    /// For `dedup`: where the row of each record ends.
    pub fn ends(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.made.ends)
    }
}

fn failure(records: &Records, unwritten: Unwritten) -> Failure {
    let line = records.line(unwritten.record);
    match unwritten.error {
        error @ RowError::Differs { .. } => {
            Failure::record(line, format!("{error}: `replace` writes over it"))
        }
        error => Failure::record(line, error),
    }
}

/// Keeps the first of all equal records. The pieces come in their order.
#[cfg(feature = "solving")]
#[wasm_bindgen]
#[derive(Default)]
pub struct Sieve {
    seen: FirstSeen,
    records: u64,
    kept: u32,
}

#[cfg(feature = "solving")]
#[wasm_bindgen]
impl Sieve {
    /// Before the first piece.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Sieve {
        Self::default()
    }

    /// The rows of a piece that are kept.
    pub fn keep(&mut self, keys: &[u8], ends: &[u32], rows: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(rows.len());
        let (mut start, mut kept) = (0, 0);
        for (key, &end) in keys.as_chunks::<16>().0.iter().zip(ends) {
            let bits = u128::from_le_bytes(*key);
            let first = match bits {
                NO_KEY => None,
                bits => self.seen.insert(bits, self.records),
            };
            if first.is_none() {
                out.extend_from_slice(&rows[start..end as usize]);
                kept += 1;
            }
            start = end as usize;
            self.records += 1;
        }
        self.kept = kept;
        out
    }

    /// How many rows of the last piece were kept.
    pub fn kept(&self) -> u32 {
        self.kept
    }
}
