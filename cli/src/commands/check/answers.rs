//! The answers that records are compared with, or the texts that have them: in a column of the records, or in a
//! file.

use crate::driver::{
    RecordBatch,
    options::FormOptions,
    reader::{ReadBatch, RecordReader},
    report::say,
    words::counted,
};
use crate::pipeline::turns::Turns;
use anyhow::{Context, bail};
use std::{borrow::Cow, path::Path, sync::Mutex};
use sudoku_batch::{
    format::{ColumnPlace, Layout, Records},
    grid::CELLS,
    questions::{Batch, GivenAnswer},
};

/// The option that names the column of answers, for messages.
const OPTION: &str = "--answer-column";

/// A kind of answers.
pub(super) trait Answer: Sized + Send {
    /// The answer that stands in a column of a record, if the record has the column.
    fn of_field(field: Option<Cow<'_, [u8]>>) -> Self;

    /// The answer that a record of a file is.
    fn of_record(reader: &RecordReader, records: &Records, record: usize) -> Self;

    /// Returns true if it is a puzzle that is not solved.
    fn is_unsolved(&self) -> bool;

    /// The batch of records with their answers.
    fn batch<'b>(records: &'b Records, answers: Option<&'b [Self]>) -> Batch<'b>;
}

/// 81 cells.
impl Answer for GivenAnswer {
    fn of_field(field: Option<Cow<'_, [u8]>>) -> Self {
        field.map_or(Self::Missing, |field| Self::of_text(&field))
    }

    fn of_record(reader: &RecordReader, records: &Records, record: usize) -> Self {
        let answer = reader.layout().answer_of_line(records.text(record));
        answer.map_or_else(|| Self::of_record(records, record), Self::Cells)
    }

    fn is_unsolved(&self) -> bool {
        self.puzzle()
            .is_some_and(|cells| cells.clue_count() < CELLS)
    }

    fn batch<'b>(records: &'b Records, answers: Option<&'b [Self]>) -> Batch<'b> {
        Batch {
            answers,
            ..Batch::from(records)
        }
    }
}

/// A free text, if there is one.
impl Answer for Option<Cow<'static, [u8]>> {
    fn of_field(field: Option<Cow<'_, [u8]>>) -> Self {
        Some(Cow::Owned(field?.into_owned()))
    }

    fn of_record(reader: &RecordReader, records: &Records, record: usize) -> Self {
        Self::of_field(reader.field(records.text(record)))
    }

    fn is_unsolved(&self) -> bool {
        false
    }

    fn batch<'b>(records: &'b Records, texts: Option<&'b [Self]>) -> Batch<'b> {
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
    Column(String, Option<ColumnPlace>, Mutex<Seen>),
    /// A file: batches of records take their answers from it in their order.
    File(String, Box<Turns<Reading<A>>>),
}

/// The number of answers that were read, and of those among them that are puzzles without a solution.
#[derive(Default)]
pub(super) struct Seen {
    answers: u64,
    unsolved: u64,
}

impl Seen {
    fn add<A: Answer>(&mut self, answers: &[A]) {
        self.answers += answers.len() as u64;
        self.unsolved += answers.iter().filter(|answer| answer.is_unsolved()).count() as u64;
    }

    /// Warns where no answer has a digit in each cell: it must be another column that has them.
    fn warn(&self, place: &str) {
        if self.answers > 0 && self.unsolved == self.answers {
            say(format_args!(
                "sudoku-batch: warning: no answer in {place} is solved: {OPTION} NAME or N names the \
                 column of answers"
            ));
        }
    }
}

/// A file of answers, as far as it is read.
pub(super) struct Reading<A> {
    reader: RecordReader,
    batch: ReadBatch,
    /// The answers that are read and not yet taken, last things first.
    left: Vec<A>,
    /// The number of records without an answer.
    missing: u64,
    seen: Seen,
}

impl<A: Answer> Answers<A> {
    pub(super) fn open(path: Option<&Path>, column: Option<&str>) -> anyhow::Result<Self> {
        let column = column.map(str::to_owned);
        Ok(match (path, column) {
            (None, None) => Self::None,
            (None, Some(name)) => Self::Column(name, None, Mutex::default()),
            (Some(path), column) => {
                let form = FormOptions {
                    column,
                    column_option: OPTION,
                    ..FormOptions::AUTO
                };
                let reading = Reading {
                    reader: RecordReader::open(path, &form)?.of_answers(),
                    batch: ReadBatch::default(),
                    left: Vec::new(),
                    missing: 0,
                    seen: Seen::default(),
                };
                Self::File(path.display().to_string(), Box::new(Turns::new(reading)))
            }
        })
    }

    /// Finds the column of answers in an input.
    pub(super) fn find_column(&mut self, input: &Layout) -> anyhow::Result<()> {
        if let Self::Column(name, column, _) = self {
            *column = Some(input.column(name).context(OPTION)?);
        }
        Ok(())
    }

    pub(super) fn are_there(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// The answers to the records of a batch.
    pub(super) fn of(&self, batch: &RecordBatch<'_>) -> anyhow::Result<Option<Vec<A>>> {
        let mut records = 0..batch.records.len();
        Ok(match self {
            Self::None | Self::Column(_, None, _) => None,
            Self::Column(_, Some(column), seen) => {
                let answer = |record| A::of_field(batch.value(record, column));
                let answers = Vec::from_iter(records.map(answer));
                seen.lock()
                    .expect("no thread panicked with it")
                    .add(&answers);
                Some(answers)
            }
            Self::File(_, turns) => Some(turns.take(batch.number, |reading| {
                let answers = records.try_fold(Vec::new(), |mut answers, _| {
                    let answer = reading.next()?;
                    reading.missing += u64::from(answer.is_none());
                    answers.push(answer.unwrap_or_else(|| A::of_field(None)));
                    anyhow::Ok(answers)
                })?;
                reading.seen.add(&answers);
                anyhow::Ok(answers)
            })?),
        })
    }

    /// Ends the waiting for a batch, see [`Turns::abandon`].
    pub(super) fn abandon(&self, batch: u64) {
        if let Self::File(_, turns) = self {
            turns.abandon(batch);
        }
    }

    /// Checks that there were as many answers as records, and warns of answers that are all unsolved unless it
    /// is to be quiet.
    pub(super) fn finish(&self, is_quiet: bool) -> anyhow::Result<()> {
        let (name, turns) = match self {
            Self::None => return Ok(()),
            Self::Column(name, _, seen) => {
                if !is_quiet {
                    let seen = seen.lock().expect("no thread panicked with it");
                    seen.warn(&format!("column {name}"));
                }
                return Ok(());
            }
            Self::File(name, turns) => (name, turns),
        };
        turns.with(|reading| {
            let more = reading.next()?.is_some();
            reading.reader.check_unchanged()?;
            if !is_quiet {
                let layout = reading.reader.layout();
                let column = layout
                    .column_of_puzzles()
                    .map(|column| layout.name(&column));
                reading.seen.warn(&match column {
                    Some(column) => format!("column {column} of {name}"),
                    None => name.clone(),
                });
            }
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
    fn next(&mut self) -> anyhow::Result<Option<A>> {
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
