//! The answers that records are compared with: in a column of the records, or in a file.

use super::cells_of;
use crate::{
    cli::{
        check::Check,
        records::{FormOptions, InputForm},
    },
    commands::{
        stream::{self, Lot},
        turns::Turns,
    },
};
use anyhow::{Context, anyhow, bail};
use std::{
    io,
    ops::ControlFlow,
    path::PathBuf,
    sync::mpsc::{Receiver, sync_channel},
    thread::{self, JoinHandle},
};
use sudoku_batch::{
    format::{Column, Layout},
    grid::CELLS,
};

/// The cells of an answer, if it is 81 of them.
type Answer = Option<[u8; CELLS]>;

/// Where answers come from.
pub(super) enum Answers {
    /// There are none.
    None,
    /// This column of the records, when it is found.
    Column(Option<Column>),
    /// A file.
    File(PathBuf, Turns<Reading>),
}

/// A file of answers that a thread of its own reads.
pub(super) struct Reading {
    batches: Receiver<Vec<Answer>>,
    /// What is left of the last batch, last things first.
    left: Vec<Answer>,
    reader: Option<JoinHandle<anyhow::Result<()>>>,
    /// How many records had no answer.
    missing: u64,
}

impl Answers {
    pub(super) fn open(options: &Check) -> anyhow::Result<Self> {
        Ok(match (&options.answers, &options.answer_column) {
            (None, None) => Self::None,
            (None, Some(_)) => Self::Column(None),
            (Some(path), column) => {
                // A file that is not there is told before any work.
                std::fs::metadata(path)
                    .with_context(|| format!("cannot open {}", path.display()))?;
                let reading = Reading::start(path.clone(), column.clone()).with_context(|| {
                    format!("cannot start a thread that reads {}", path.display())
                })?;
                Self::File(path.clone(), Turns::new(reading))
            }
        })
    }

    /// Finds the column of answers in an input.
    pub(super) fn find_column(&mut self, options: &Check, input: &Layout) -> anyhow::Result<()> {
        if let (Self::Column(column), Some(name)) = (self, &options.answer_column) {
            *column = input.column(name);
            if column.is_none() {
                bail!(
                    "there is no column {name} (--answer-column); the columns are: {}",
                    input.columns().join(", ")
                );
            }
        }
        Ok(())
    }

    pub(super) fn are_there(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// The answers to the records of a batch.
    pub(super) fn of(&self, lot: &Lot<'_>) -> Option<Vec<Answer>> {
        let records = 0..lot.records.len();
        match self {
            Self::None | Self::Column(None) => None,
            Self::Column(Some(column)) => {
                let answer = |record| lot.value(record, column).and_then(|text| cells_of(&text));
                Some(records.map(answer).collect())
            }
            Self::File(_, turns) => Some(turns.take(lot.number, |reading| {
                records.map(|_| reading.next().flatten()).collect()
            })),
        }
    }

    /// Ends the waiting for a batch, see [`Turns::abandon`].
    pub(super) fn abandon(&self, batch: u64) {
        if let Self::File(_, turns) = self {
            turns.abandon(batch);
        }
    }

    /// Checks that there were as many answers as records.
    pub(super) fn finish(&self) -> anyhow::Result<()> {
        let Self::File(path, turns) = self else {
            return Ok(());
        };
        turns.with(|reading| {
            let missing = reading.missing;
            let more = reading.next().is_some();
            // The reader ends when nobody takes what it reads.
            drop(std::mem::replace(&mut reading.batches, sync_channel(0).1));
            if let Some(reader) = reading.reader.take() {
                let read = reader.join();
                read.map_err(|_| {
                    let name = path.display();
                    anyhow!("{name}: the thread that read the answers panicked")
                })??;
            }
            match (missing, more) {
                (0, false) => Ok(()),
                (0, true) => bail!("{} has more answers than there are records", path.display()),
                (missing, _) => bail!(
                    "{} has {missing} answers less than there are records",
                    path.display()
                ),
            }
        })
    }
}

impl Reading {
    fn start(path: PathBuf, column: Option<String>) -> io::Result<Self> {
        let (to, batches) = sync_channel(4);
        let reader = thread::Builder::new().spawn(move || {
            let form = FormOptions {
                input_format: InputForm(None),
                column,
            };
            stream::read_records(&path, &form, |records, _| {
                let answer = |record| {
                    let cells = records.puzzle(record).ok()?;
                    Some(*cells.as_ascii())
                };
                let answers = (0..records.len()).rev().map(answer).collect();
                Ok(match to.send(answers) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                })
            })
        })?;
        Ok(Self {
            batches,
            left: Vec::new(),
            reader: Some(reader),
            missing: 0,
        })
    }

    /// The next answer; nothing after the last.
    fn next(&mut self) -> Option<Answer> {
        while self.left.is_empty() {
            match self.batches.recv() {
                Ok(answers) => self.left = answers,
                Err(_) => {
                    self.missing += 1;
                    return None;
                }
            }
        }
        self.left.pop()
    }
}
