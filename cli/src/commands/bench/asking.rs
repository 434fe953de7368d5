//! Questions in memory: text to columns, each question by its name.

use super::{
    corpus::{Corpus, NO_BYTES, fnv},
    figures::{CheckResult, Figures, Label},
    options::Bench,
    rounds::{Contender, rounds},
    solving::chunks,
};
use anyhow::bail;
use std::{cell::Cell, ops::Range};
use sudoku_batch::{
    format::{Records, line},
    questions::{Answer, Batch, Question, RowView, Setting, Status, all},
};

/// The number of puzzles of a corpus that are asked about alone too.
const ALONE: usize = 100;

/// The question that a text means: its name, and options after a colon, as in `rate:te,up-to=4.4`.
pub(super) fn question(text: &str) -> Result<Question, String> {
    let (name, options) = text.split_once(':').unwrap_or((text, ""));
    let Some(definition) = all().find(|definition| definition.name == name) else {
        let names: Vec<_> = all().map(|definition| definition.name).collect();
        return Err(format!("the questions are {}", names.join(", ")));
    };
    let options = options.split(',').filter(|option| !option.is_empty());
    let options = options.map(|option| option.split_once('=').unwrap_or((option, "true")));
    for (option, _) in options.clone() {
        let setting = definition
            .settings
            .iter()
            .find(|known| known.name == option);
        if setting.is_some_and(Setting::is_beside) {
            return Err(format!("{option}: a corpus has nothing beside its puzzles"));
        }
    }
    definition.with(options).map_err(|error| error.to_string())
}

/// Measures all that the options ask for on one corpus.
pub(super) fn asking(corpus: &Corpus, options: &Bench) -> anyhow::Result<Vec<Figures>> {
    // The checksum that the first turn found, for each question.
    let known: Vec<_> = options.ask.iter().map(|_| Cell::default()).collect();
    let mut contenders = Vec::new();
    for (text, known) in options.ask.iter().zip(&known) {
        let asked = question(text).map_err(anyhow::Error::msg)?;
        for threads in options.threads() {
            let label = Label {
                engine: text.clone(),
                threads: Some(threads),
                ..corpus.label.clone()
            };
            let workers = Worker::crew(&asked, threads, corpus)?;
            let check = move |workers: &[Worker<'_>]| check(corpus, text, workers, known);
            contenders.push(Contender::of_workers(label, workers, Worker::run, check));
        }
    }
    let figures = rounds(contenders, options.rounds, "puzzles")?;
    Ok(Figures::compare_with_one_thread(figures))
}

/// Checks the answers of a turn. In the first one, some puzzles are asked about alone. Later ones must find the same.
fn check(
    corpus: &Corpus,
    name: &str,
    workers: &[Worker<'_>],
    known: &Cell<Option<CheckResult>>,
) -> anyhow::Result<CheckResult> {
    let of = &corpus.label.corpus;
    let step = corpus.label.puzzles.div_ceil(ALONE);
    let (mut number, mut solved, mut checksum) = (0, 0, NO_BYTES);
    for worker in workers {
        for (records, answer) in worker.read.iter().zip(&worker.found) {
            for (record, rows) in rows(records, answer).into_iter().enumerate() {
                if known.get().is_none() && number % step == 0 {
                    let (alone, alone_answer) =
                        ask_alone(&worker.asked, corpus.lines(number..number + 1));
                    if self::rows(&alone, &alone_answer) != [rows.as_slice()] {
                        let number = number + 1;
                        bail!("{of}: {name} answers puzzle {number} otherwise when it is alone");
                    }
                }
                let status = answer.statuses[record];
                solved += u64::from(matches!(status, Status::Unique | Status::Multiple));
                checksum = fnv(checksum, &rows);
                number += 1;
            }
        }
    }
    let found = CheckResult { solved, checksum };
    match known.replace(Some(found)) {
        Some(known) if (known.solved, known.checksum) != (solved, checksum) => {
            bail!("{of}: the answers of {name} differ from run to run")
        }
        _ => Ok(found),
    }
}

/// The answer to one line.
fn ask_alone(asked: &Question, text: &[u8]) -> (Records, Answer<'static>) {
    let mut records = Records::default();
    line::read(text, &mut records);
    let answer = asked.fork().ask(&records);
    (records, answer)
}

/// The rows of each record as text: values with spaces between them, and a line end after each row.
fn rows(records: &Records, answer: &Answer<'_>) -> Vec<Vec<u8>> {
    let mut rows = vec![Vec::new(); records.len()];
    for (record, places) in answer.entries() {
        for place in places {
            let row = RowView {
                records,
                record,
                number: b"",
                answer,
                place,
            };
            for column in 0..answer.kinds().len() {
                row.push(column, &mut rows[record]);
                rows[record].push(b' ');
            }
            rows[record].push(b'\n');
        }
    }
    rows
}

/// A thread's part of a corpus, and what it keeps from round to round.
struct Worker<'c> {
    asked: Question,
    chunks: Vec<&'c [u8]>,
    read: Vec<Records>,
    found: Vec<Answer<'static>>,
}

impl<'c> Worker<'c> {
    /// One for each thread.
    fn crew(asked: &Question, threads: usize, corpus: &'c Corpus) -> anyhow::Result<Vec<Self>> {
        let worker = |part: Range<usize>| {
            let chunks = chunks(corpus.lines(part))?;
            Ok(Self {
                asked: asked.fork(),
                read: chunks.iter().map(|_| Records::default()).collect(),
                found: chunks.iter().map(|_| asked.empty()).collect(),
                chunks,
            })
        };
        corpus.parts(threads).map(worker).collect()
    }

    /// Answers its part.
    fn run(&mut self) {
        let parts = self.chunks.iter().zip(&mut self.read).zip(&mut self.found);
        for ((chunk, records), answer) in parts {
            records.clear();
            line::read(chunk, records);
            answer.begin(records.len());
            let batch = Batch::from(&*records);
            self.asked.fill(batch, answer);
        }
    }
}
