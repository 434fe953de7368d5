//! The answers that records are compared with: in a column of the records, or in a file.

use crate::driver::{
    RecordBatch,
    options::{FormOptions, InputForm},
    reader::{ReadBatch, RecordReader},
};
use crate::pipeline::turns::Turns;
use anyhow::{Context, bail};
use std::path::Path;
use sudoku_batch::{
    Puzzle,
    format::{ColumnPlace, Layout},
};

/// The cells of an answer, if it is 81 of them.
type Answer = Option<Puzzle>;

/// The origin of answers.
pub(super) enum Answers {
    /// There are none.
    None,
    /// The column of the records with this name, once it is found.
    Column(String, Option<ColumnPlace>),
    /// A file: batches of records take their answers from it in their order.
    File(String, Box<Turns<Reading>>),
}

/// A file of answers, as far as it is read.
pub(super) struct Reading {
    reader: RecordReader,
    batch: ReadBatch,
    /// The answers that are read and not yet taken, last things first.
    left: Vec<Answer>,
    /// The number of records without an answer.
    missing: u64,
}

impl Answers {
    pub(super) fn open(path: Option<&Path>, column: Option<&str>) -> anyhow::Result<Self> {
        let column = column.map(str::to_owned);
        Ok(match (path, column) {
            (None, None) => Self::None,
            (None, Some(name)) => Self::Column(name, None),
            (Some(path), column) => {
                let form = FormOptions {
                    input_format: InputForm(None),
                    column,
                };
                let reading = Reading {
                    reader: RecordReader::open(path, &form)?,
                    batch: ReadBatch::default(),
                    left: Vec::new(),
                    missing: 0,
                };
                Self::File(path.display().to_string(), Box::new(Turns::new(reading)))
            }
        })
    }

    /// Finds the column of answers in an input.
    pub(super) fn find_column(&mut self, input: &Layout) -> anyhow::Result<()> {
        if let Self::Column(name, column) = self {
            *column = Some(input.column(name).context("--answer-column")?);
        }
        Ok(())
    }

    pub(super) fn are_there(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// The answers to the records of a batch.
    pub(super) fn of(&self, batch: &RecordBatch<'_>) -> anyhow::Result<Option<Vec<Answer>>> {
        let mut records = 0..batch.records.len();
        Ok(match self {
            Self::None | Self::Column(_, None) => None,
            Self::Column(_, Some(column)) => {
                let answer = |record| {
                    let text = batch.value(record, column)?;
                    str::from_utf8(text.trim_ascii()).ok()?.parse().ok()
                };
                Some(records.map(answer).collect())
            }
            Self::File(_, turns) => Some(turns.take(batch.number, |reading| {
                records.try_fold(Vec::new(), |mut answers, _| {
                    let answer = reading.next()?;
                    reading.missing += u64::from(answer.is_none());
                    answers.push(answer.flatten());
                    anyhow::Ok(answers)
                })
            })?),
        })
    }

    /// Ends the waiting for a batch, see [`Turns::abandon`].
    pub(super) fn abandon(&self, batch: u64) {
        if let Self::File(_, turns) = self {
            turns.abandon(batch);
        }
    }

    /// Checks that there were as many answers as records.
    pub(super) fn finish(&self) -> anyhow::Result<()> {
        let Self::File(name, turns) = self else {
            return Ok(());
        };
        turns.with(|reading| {
            let more = reading.next()?.is_some();
            reading.reader.check_unchanged()?;
            match (reading.missing, more) {
                (0, false) => Ok(()),
                (0, true) => bail!("{name} has more answers than there are records"),
                (missing, _) => bail!("{name} has {missing} answers less than there are records"),
            }
        })
    }
}

impl Reading {
    /// The next answer; nothing after the last.
    fn next(&mut self) -> anyhow::Result<Option<Answer>> {
        while self.left.is_empty() {
            if !self.reader.next_batch(&mut self.batch)? {
                return Ok(None);
            }
            let records = &self.batch.records;
            let answers = (0..records.len()).rev();
            self.left
                .extend(answers.map(|record| records.puzzle_of_cells(record).ok()));
        }
        Ok(self.left.pop())
    }
}
