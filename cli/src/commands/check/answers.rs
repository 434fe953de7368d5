//! The answers that records are compared with, or the texts that have them: in a column of the records, or in a
//! file.

use crate::driver::{
    RecordBatch,
    options::FormOptions,
    reader::{ReadBatch, RecordReader},
    words::counted,
};
use crate::pipeline::turns::Turns;
use anyhow::{Context, bail};
use std::{borrow::Cow, path::Path};
use sudoku_batch::{
    Puzzle,
    format::{ColumnPlace, Layout, Records},
    questions::Batch,
};

/// The option that names the column of answers, for messages.
const OPTION: &str = "--answer-column";

/// A kind of answers. One that is not of the kind is `None`.
pub(super) trait Answer: Sized + Send {
    /// The answer that stands in a column of a record.
    fn of_field(field: Cow<'_, [u8]>) -> Option<Self>;

    /// The answer that a record of a file is.
    fn of_record(reader: &RecordReader, records: &Records, record: usize) -> Option<Self>;

    /// The batch of records with their answers.
    fn batch<'b>(records: &'b Records, answers: Option<&'b [Option<Self>]>) -> Batch<'b>;
}

/// 81 cells.
impl Answer for Puzzle {
    fn of_field(field: Cow<'_, [u8]>) -> Option<Self> {
        str::from_utf8(field.trim_ascii()).ok()?.parse().ok()
    }

    fn of_record(_: &RecordReader, records: &Records, record: usize) -> Option<Self> {
        records.puzzle_of_cells(record).ok()
    }

    fn batch<'b>(records: &'b Records, answers: Option<&'b [Option<Self>]>) -> Batch<'b> {
        Batch {
            answers,
            ..Batch::from(records)
        }
    }
}

/// A free text.
impl Answer for Cow<'static, [u8]> {
    fn of_field(field: Cow<'_, [u8]>) -> Option<Self> {
        Some(Cow::Owned(field.into_owned()))
    }

    fn of_record(reader: &RecordReader, records: &Records, record: usize) -> Option<Self> {
        Self::of_field(reader.field(records.text(record))?)
    }

    fn batch<'b>(records: &'b Records, texts: Option<&'b [Option<Self>]>) -> Batch<'b> {
        Batch {
            texts,
            ..Batch::from(records)
        }
    }
}

/// The origin of answers.
pub(super) enum Answers<A> {
    /// There are none.
    None,
    /// The column of the records with this name, once it is found.
    Column(String, Option<ColumnPlace>),
    /// A file: batches of records take their answers from it in their order.
    File(String, Box<Turns<Reading<A>>>),
}

/// A file of answers, as far as it is read.
pub(super) struct Reading<A> {
    reader: RecordReader,
    batch: ReadBatch,
    /// The answers that are read and not yet taken, last things first.
    left: Vec<Option<A>>,
    /// The number of records without an answer.
    missing: u64,
}

impl<A: Answer> Answers<A> {
    pub(super) fn open(path: Option<&Path>, column: Option<&str>) -> anyhow::Result<Self> {
        let column = column.map(str::to_owned);
        Ok(match (path, column) {
            (None, None) => Self::None,
            (None, Some(name)) => Self::Column(name, None),
            (Some(path), column) => {
                let form = FormOptions {
                    column,
                    column_option: OPTION,
                    ..FormOptions::AUTO
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
            *column = Some(input.column(name).context(OPTION)?);
        }
        Ok(())
    }

    pub(super) fn are_there(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// The answers to the records of a batch.
    pub(super) fn of(&self, batch: &RecordBatch<'_>) -> anyhow::Result<Option<Vec<Option<A>>>> {
        let mut records = 0..batch.records.len();
        Ok(match self {
            Self::None | Self::Column(_, None) => None,
            Self::Column(_, Some(column)) => {
                let answer = |record| A::of_field(batch.value(record, column)?);
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
                (missing, _) => bail!(
                    "{name} has {} less than there are records",
                    counted(missing, "answers")
                ),
            }
        })
    }
}

impl<A: Answer> Reading<A> {
    /// The next answer; nothing after the last.
    fn next(&mut self) -> anyhow::Result<Option<Option<A>>> {
        while self.left.is_empty() {
            if !self.reader.next_batch(&mut self.batch)? {
                return Ok(None);
            }
            let records = &self.batch.records;
            let answers = (0..records.len()).rev();
            let reader = &self.reader;
            let answer = |record| A::of_record(reader, records, record);
            self.left.extend(answers.map(answer));
        }
        Ok(self.left.pop())
    }
}
