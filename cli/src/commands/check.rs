//! `sudoku-batch check`.

mod answers;

use super::question;
use crate::driver::{
    self, AddedColumns, Continuation, Done, Files, InputFile, Plan, RecordBatch, RecordCommand,
    RecordOptions, Sink, Summary, Task, Worker,
    first_seen::OrderedFirstSeen,
    options::help,
    settings::{Defined, Settings},
    status_column,
};
use crate::pipeline::output::Output;
use answers::{Answer, Answers};
use anyhow::bail;
use std::{borrow::Cow, process::ExitCode};
use sudoku_batch::{
    Digit, Grid,
    dataset::PuzzleHasher,
    format::{Added, Form, Layout, Values},
    questions::{
        CheckSettings, Column, Counts, GivenAnswer, Question, ScoreSettings, check_grids,
        digit_of_student,
    },
};

/// Check puzzles, answers to puzzles, and solved grids.
///
/// A puzzle is right if it has exactly one solution. The summary counts the statuses. With an output (-o
/// FILE), with --rows or with an option about rows, such as --format, every record gives a row: its status and the
/// number of its clues.
///
/// With --answers or --answer-column it compares given answers with the solutions, and with --extract free texts,
/// such as a model writes: the grid in each is found and scored. With --grids it checks solved grids: the status of each
/// valid grid is `valid`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(
    NOTES,
    "some record does not have exactly one solution, or not all that was asked for holds"
))]
pub(crate) struct Check {
    #[command(flatten)]
    settings: Settings<Self>,

    /// Compare with the answers in this file: answer i belongs to record i.
    ///
    /// The file may have the puzzles too. Names of answers and columns of full grids come first, and in a line the
    /// first full grid.
    // A shard does not know which answer its first record has.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["grids", "shard"])]
    answers: Option<InputFile>,

    /// The column of answers: of the records, or of the file that --answers names.
    #[arg(long, value_name = "NAME|N", conflicts_with = "grids")]
    answer_column: Option<String>,

    #[command(flatten)]
    texts: Settings<OfTexts>,

    /// Check solved grids: 81 digits, each once in every row, column and box.
    #[arg(long, conflicts_with = "minimal")]
    grids: bool,

    /// Check that the first cell of each grid holds this digit.
    #[arg(long, value_name = "D", requires = "grids", value_parser = digit)]
    first_digit: Option<Digit>,

    /// Check for the first digit that belongs to a student number, as generate takes it.
    #[arg(long, value_name = "ID", requires = "grids", value_parser = digit_of_student, allow_negative_numbers = true, conflicts_with = "first_digit")]
    student: Option<Digit>,

    /// Check that no two valid grids are equal.
    ///
    /// A grid that is not valid fails by itself.
    #[arg(long, requires = "grids", conflicts_with = "shard")]
    distinct: bool,

    /// Print a row for each record.
    ///
    /// An output file has a row for each record in any case. So has standard output, if an option chooses its format,
    /// its columns, its compression or the name of its status column.
    #[arg(long)]
    rows: bool,

    #[command(flatten)]
    added: AddedColumns,

    #[command(flatten)]
    records: RecordOptions,
}

/// The settings are those of the definition.
impl Defined for Check {
    type Typed = CheckSettings;
}

/// The settings of free texts.
#[derive(Debug)]
struct OfTexts;

impl Defined for OfTexts {
    type Typed = ScoreSettings;
}

fn digit(text: &str) -> Result<Digit, String> {
    let digit = text.parse().ok().and_then(Digit::new);
    digit.ok_or_else(|| "a digit from 1 to 9".to_owned())
}

const NOTES: &str = "\
Examples:
  sudoku-batch check puzzles.csv
      How many puzzles have one solution, several, none; the first ten that are wrong.
  sudoku-batch check --minimal puzzles.txt -o checked.tsv
      Status, number of clues and of redundant clues of every puzzle.
  sudoku-batch check test.csv --answers predictions.txt
      How many grids a model has right, and its accuracy on blank cells and on all cells.
  sudoku-batch check pairs.csv --answer-column solution --summary json
      Whether the solutions of a data set are right.
  sudoku-batch check completions.jsonl --answer-column completion --extract last -o scores.csv
      Find the last grid in what a model wrote, and score it.
  sudoku-batch check completions.jsonl --answer-column completion --extract last --columns reward -o rewards.npy
      Only the rewards, as an array of numpy.
  sudoku-batch check --grids --distinct --first-digit 7 grids.txt
      A million grids of an assignment: valid, all different, all with a 7 in the corner.
  sudoku-batch check --grids --distinct --student 2018301780 sudoku.txt
      The same for a file of psp -c: its first digit follows from the student number.

Columns of a row: status, clue_count; redundant_clues (--minimal); answer_right, wrong_cells (blank cells
of the puzzle that the answer does not have right) and changed_clues (--answers, --answer-column). Of texts
(--extract, --reward): status, found, solved, blank_cells, right_blanks, changed_clues, conflicts, reward. Of
grids (--grids): status, first_digit_right (--first-digit), repeats (--distinct: the number of the first
record that is equal). Rows of the format line have tabs between.

An answer is right if it is the solution, or any of several. Accuracies are those of records with one
solution: on blank cells (cells that the puzzle leaves blank) and on all cells. An answer that is missing
or malformed has no cell right.

A text solves its puzzle if its grid has all clues and breaks no rule. docs/training.md says what counts as a
grid.";

impl Check {
    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        self.first_digit = self.first_digit.or(self.student);
        let (write, added) = (&self.records.set.write, &self.added);
        let shapes = write.format.is_some()
            || !write.columns.columns.is_empty()
            || write.compression.compress.is_some()
            || added.replace
            || added.status_column != Column::STATUS.name;
        let has_rows = self.rows || shapes || self.records.set.sink.is_file();
        let task = self.records.task().adding(&self.added);
        let task = if has_rows {
            task
        } else {
            Task {
                sink: Sink::None,
                ..task
            }
        };
        if self.grids {
            let mut checking = GridCheck {
                options: &self,
                keys: PuzzleHasher::random(),
                seen: OrderedFirstSeen::default(),
            };
            return driver::run(files, &mut checking, &task);
        }
        let (path, column) = (self.answers.as_deref(), self.answer_column.as_deref());
        if let Some(option) = self
            .records
            .set
            .read
            .part
            .option()
            .filter(|_| path.is_some())
        {
            bail!(
                "{option} does not go with --answers: each record of the input takes an answer of that file; \
                 answers in a column (--answer-column) go with their records"
            );
        }
        if let Some((name, _)) = self.texts.given().find(|(name, _)| *name != "texts") {
            if column.is_none() {
                bail!("--{name} has no effect without --answer-column, which has the texts");
            }
            if self.settings.typed().minimal {
                bail!("--minimal cannot be used with --{name}");
            }
            let mut scoring = PuzzleCheck {
                options: &self,
                asked: Question::new(self.texts.typed().clone())?,
                answers: Answers::<Option<Cow<'static, [u8]>>>::open(path, column)?,
            };
            return driver::run(files, &mut scoring, &task);
        }
        let answers = Answers::<GivenAnswer>::open(path, column)?;
        let mut checking = PuzzleCheck {
            options: &self,
            asked: Question::new(CheckSettings {
                answers: answers.are_there(),
                ..self.settings.typed().clone()
            })?,
            answers,
        };
        driver::run(files, &mut checking, &task)
    }
}

/// The words for records that fail.
const FAILURE: &str = "failed";

struct PuzzleCheck<'o, A> {
    options: &'o Check,
    asked: Question,
    answers: Answers<A>,
}

impl<A: Answer> RecordCommand for PuzzleCheck<'_, A> {
    fn plan(&mut self, input: &Layout, _: Form) -> anyhow::Result<Plan> {
        self.answers.find_column(input)?;
        let columns = self.asked.columns.iter().map(|column| match column.values {
            Values::Status => status_column(&self.options.added.status_column),
            values => Added::new(column.name, values),
        });
        Ok(Plan::new(columns.collect::<Vec<_>>()))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = self.asked.fork();
        Box::new(move |batch, answer| {
            let answers = self.answers.of(batch)?;
            question.fill(A::batch(batch.records, answers.as_deref()), answer);
            Ok(())
        })
    }

    /// The answers of another file are read along with the records.
    fn continuation(&self) -> Continuation {
        match self.answers.are_there() {
            true => Continuation::Replay,
            false => Continuation::Skip,
        }
    }

    fn abandon(&self, batch: u64) {
        self.answers.abandon(batch);
    }

    fn finish(&mut self, _: &Counts) -> anyhow::Result<Vec<Output>> {
        self.answers.finish(self.options.records.set.run.quiet)?;
        Ok(Vec::new())
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        question::summary(&self.asked, counts, done)
    }
}

struct GridCheck<'o> {
    options: &'o Check,
    keys: PuzzleHasher,
    seen: OrderedFirstSeen,
}

impl GridCheck<'_> {
    /// For each grid of a batch, the number, from 1, of the first record that is equal.
    fn repeats(&self, batch: &RecordBatch<'_>, grids: &[Option<Grid>]) -> Vec<Option<u64>> {
        let mut first = self.seen.find_grids(batch.number, grids, &self.keys);
        for first in first.iter_mut().flatten() {
            *first = batch.number_of(*first);
        }
        first
    }
}

impl RecordCommand for GridCheck<'_> {
    fn plan(&mut self, _: &Layout, _: Form) -> anyhow::Result<Plan> {
        let mut columns: Vec<Added> = vec![status_column(&self.options.added.status_column)];
        if self.options.first_digit.is_some() {
            columns.push(Added::new("first_digit_right", Values::Flags));
        }
        if self.options.distinct {
            columns.push(Added::new("repeats", Values::Numbers));
        }
        Ok(Plan::new(columns))
    }

    fn worker(&self) -> Worker<'_> {
        let Check {
            first_digit,
            distinct,
            ..
        } = *self.options;
        Box::new(move |batch, answer| {
            let mut repeats = |grids: &[_]| self.repeats(batch, grids);
            let repeats = distinct.then_some(&mut repeats as _);
            check_grids(batch.records, first_digit, repeats, answer);
            answer.counts.add("failed", answer.rejects.len() as u64);
            Ok(())
        })
    }

    fn continuation(&self) -> Continuation {
        match self.options.distinct {
            true => Continuation::Replay,
            false => Continuation::Skip,
        }
    }

    fn abandon(&self, batch: u64) {
        self.seen.abandon(batch);
    }

    fn expects_grids(&self) -> bool {
        true
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        Summary::of_records(done, counts.without(&["failed"]))
            .per_second("grids")
            .failed(counts.get("failed"), FAILURE)
    }
}
