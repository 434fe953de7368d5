//! Single records: of a file, of standard input, or a puzzle as an argument.

use super::{job, stream};
use crate::cli::records::FormOptions;
use anyhow::bail;
use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
};
use sudoku_batch::{
    Puzzle,
    format::{ParseError, Records},
};

/// A record.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    /// Its number, from 1.
    pub(crate) number: u64,
    /// The place for messages: the name of the file and the line. It is `None` for an
    /// argument.
    pub(crate) place: Option<(String, u64)>,
    /// Its text as it was read.
    pub(crate) text: Vec<u8>,
    /// Its puzzle, or why it is malformed.
    pub(crate) puzzle: Result<Puzzle, ParseError>,
}

impl Record {
    /// The origin of the record, in words.
    pub(crate) fn title(&self) -> String {
        match &self.place {
            None => "puzzle".into(),
            Some((name, line)) if *line == self.number => format!("{name}, record {line}"),
            Some((name, line)) => format!("{name}, record {}, line {line}", self.number),
        }
    }
}

/// Records that are read together.
struct Batch {
    /// The number of the first record.
    first: u64,
    /// The number of lines before.
    lines: u64,
    records: Records,
}

impl Batch {
    fn end(&self) -> u64 {
        self.first + self.records.len() as u64
    }
}

/// A source of records. It keeps the records around the last requested one, and all of
/// standard input.
pub(crate) struct Source {
    path: PathBuf,
    form: FormOptions,
    name: String,
    argument: Option<Record>,
    batches: Vec<Batch>,
}

impl Source {
    /// A file, standard input for `-`, or a puzzle: 81 cells that name no file.
    pub(crate) fn of(argument: &Path, form: &FormOptions) -> Self {
        let text = job::literal(argument);
        let puzzle = text.and_then(|text| text.parse::<Puzzle>().ok());
        Self {
            path: argument.to_owned(),
            form: form.clone(),
            name: match argument == Path::new("-") {
                true => "standard input".into(),
                false => argument.display().to_string(),
            },
            argument: puzzle.map(|puzzle| Record {
                number: 1,
                place: None,
                text: text.unwrap_or_default().into(),
                puzzle: Ok(puzzle),
            }),
            batches: Vec::new(),
        }
    }

    /// Record `number`, from 1.
    ///
    /// # Errors
    ///
    /// The record cannot be read, or there are fewer records.
    pub(crate) fn record(&mut self, number: u64) -> anyhow::Result<Record> {
        let records = self.records(number, Some(number))?;
        Ok(records.into_iter().next().expect("one was asked for"))
    }

    /// Records `first` to `last`, or all from `first` on.
    ///
    /// # Errors
    ///
    /// The records cannot be read, or there are fewer records.
    pub(crate) fn records(&mut self, first: u64, last: Option<u64>) -> anyhow::Result<Vec<Record>> {
        let wanted = last.unwrap_or(first);
        if let Some(record) = &self.argument {
            return match wanted {
                1 => Ok(vec![record.clone()]),
                _ => bail!("one puzzle is given: there is no record {wanted}"),
            };
        }
        let known = self.batches.iter().any(|batch| batch.first <= first);
        let known = known
            && self
                .batches
                .last()
                .is_some_and(|batch| wanted < batch.end());
        if !known || last.is_none() {
            self.read(first, last)?;
        }
        let count = self.batches.last().map_or(0, |batch| batch.end() - 1);
        if count < wanted {
            let s = if count == 1 { "" } else { "s" };
            bail!(
                "{} has {count} record{s}: there is no record {wanted}",
                self.name
            );
        }
        let range = first..last.map_or(u64::MAX, |last| last.saturating_add(1));
        let in_range = |batch: &Batch| {
            let numbers = batch.first.max(range.start)..batch.end().min(range.end);
            numbers
                .map(|number| self.of_batch(batch, number))
                .collect::<Vec<_>>()
        };
        Ok(self.batches.iter().flat_map(in_range).collect())
    }

    fn of_batch(&self, batch: &Batch, number: u64) -> Record {
        let at = (number - batch.first) as usize;
        Record {
            number,
            place: Some((self.name.clone(), batch.lines + batch.records.line(at))),
            text: batch.records.text(at).to_owned(),
            puzzle: batch.records.puzzle(at),
        }
    }

    /// Reads up to record `last`. It keeps the batches with records from `first` on, or the
    /// last batch. It keeps all of standard input, because that cannot be read again.
    fn read(&mut self, first: u64, last: Option<u64>) -> anyhow::Result<()> {
        let all = self.path == Path::new("-");
        if all && !self.batches.is_empty() {
            return Ok(());
        }
        let batches = &mut self.batches;
        batches.clear();
        let mut next = 1;
        stream::read_records(&self.path, &self.form, |records, lines| {
            let batch = Batch {
                first: next,
                lines,
                records: records.clone(),
            };
            next = batch.end();
            if !all && batches.last().is_some_and(|last| last.end() <= first) {
                batches.clear();
            }
            batches.push(batch);
            Ok(match last {
                Some(last) if !all && next > last => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            })
        })
    }
}
