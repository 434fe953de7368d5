//! `sudoku-batch augment`.

mod hrm;

use crate::driver::{
    self, Done, Files, Plan, RecordBatch, RecordCommand, RecordOptions, Summary, Worker,
    listed::ListedName,
    options::{OutputForm, form_names, form_of, help, number_from, share},
    report::say,
    settings::{Defined, Settings},
    words::counted,
};
use crate::pipeline::output::Output;
use anyhow::{Context, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use std::{collections::BTreeMap, process::ExitCode, sync::Mutex};
use sudoku_batch::{
    Grid, Reason,
    format::{Added, ColumnPlace, Form, Layout, Values},
    grid::{AnyPuzzle, CELLS},
    questions::{AugmentSettings, Batch, Counts, GivenAnswer, Question, verification::Check},
};

/// Make symmetric copies of puzzles, for training sets.
///
/// Every record gives K records: different copies of it by renamed digits, transposition, and other
/// orders of bands, stacks, rows and columns, each copy as likely as the others. The solution of a
/// record, if it has a column of them, goes through the same operations. Other columns are repeated.
///
/// The copies of a record depend on the seed and its cells alone, so the parts of a file give the parts
/// of its augmented set, and a larger K gives the same copies plus new ones. A record with fewer different
/// copies than K gives all it has, and the summary says so.
///
/// With --format hrm the command writes the folder that the training programs HRM and TRM read.
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = help(NOTES, "some records are malformed or have a wrong answer (with --format hrm: have not one solution)"),
    mut_arg("format", |format| format.value_parser(form()))
)]
pub struct Augment {
    #[command(flatten)]
    settings: Settings<Self>,

    /// Check each copy before it is written.
    ///
    /// A copy is solved: it must have as many solutions as its record (none, one or several), and its
    /// digits. If the record has a right solution, the copy must have one. This costs as much as
    /// solving the copies. The first record that fails ends the command with exit status 2 and no output.
    #[arg(long)]
    verify: bool,

    /// Column of the answers, which are solutions.
    ///
    /// Without it names (solution, answer, sol, target, label, prediction and the like) and the records in the
    /// first 64 KiB choose it. Other columns of solutions hold the copies of the same solution. A record whose
    /// answers differ, or are no solutions of it, gives no copies.
    #[arg(long, value_name = "NAME|N")]
    answer_column: Option<String>,

    /// With --format hrm: take this number of puzzles for the training set, chosen by the seed after
    /// the split [default: all].
    #[arg(long, value_name = "N", value_parser = number_from::<u64>(1))]
    subsample: Option<u64>,

    /// With --format hrm: the share of the test set, such as 10% or 0.1 [default: 10%].
    ///
    /// The split is that of `split --by symmetry` with the same seed.
    #[arg(long, value_name = "SHARE", value_parser = share)]
    test: Option<f64>,

    #[command(flatten)]
    pub records: RecordOptions,

    /// The columns of solutions of the input. The first is that of the option, or the likeliest.
    #[arg(skip)]
    solutions: Vec<ColumnPlace>,

    /// Whether every record should have a solution. Objects without the key may be meant so.
    #[arg(skip)]
    expects_solution: bool,

    /// The layout of the input, if rows repeat all its fields.
    #[arg(skip)]
    repeated: Option<Layout>,

    /// How many records have a solution in a column that is repeated.
    #[arg(skip)]
    stale: Mutex<BTreeMap<String, u64>>,
}

/// The settings of copies are those of the definition.
impl Defined for Augment {
    type Typed = AugmentSettings;
}

/// The formats of the output: those of all commands, and the folder.
fn form() -> impl TypedValueParser<Value = OutputForm> {
    let names = form_names().chain(["npy"]).map(PossibleValue::new);
    let hrm = PossibleValue::new("hrm").help("The folder of HRM and TRM");
    ListedName::of(names.chain([hrm])).map(|name| match form_of(&name) {
        Some(form) => OutputForm::Text(form),
        None if name.eq_ignore_ascii_case(OutputForm::Hrm.name()) => OutputForm::Hrm,
        None => OutputForm::Npy,
    })
}

const NOTES: &str = "\
Examples:
  sudoku-batch augment --copies 10 train.csv -o augmented.csv
      Ten copies of each puzzle, with their solutions.
  sudoku-batch augment -k 100 --include relabelling puzzles.txt
      Only rename the digits.
  sudoku-batch augment -k 4 --keep --seed 7 puzzles.txt
      Each puzzle and four copies of it.
  sudoku-batch augment -k 100 train.csv -o train.npy
      Arrays of numpy, named after the columns: train.question.npy and train.answer.npy.
  sudoku-batch augment --format hrm --subsample 1000 --copies 1000 raw.csv --output-dir data/sudoku
      data/sudoku/train and data/sudoku/test for HRM and TRM: a thousand puzzles with a thousand rows
      each, the first the puzzle itself, and a tenth of all puzzles, once each, as the test set.

Augment the parts of a split, not the set before it is split: otherwise copies of one puzzle are on both
sides. (split --by symmetry keeps them on one side in any case.)

A malformed record has no copies: it stands in the output as it is. A record whose answer is not 81 cells
or not a solution of it (wrong-answer) has no copies either, and is left out: --rejects FILE keeps it. A
record without an answer gives copies without one.

The folder of --format hrm has puzzles with exactly one solution, which the command finds itself. Of
puzzles that are copies of each other it has the first. No copy is in both sets, and none comes twice.";

/// The most copies of a record.
const MOST_COPIES: usize = 1 << 24;

impl Augment {
    fn copies(&self) -> usize {
        usize::try_from(self.settings.typed().copies).unwrap_or(usize::MAX)
    }

    pub fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        if !(1..=MOST_COPIES).contains(&self.copies()) {
            bail!(
                "--copies {}: wanted are 1 to 16,777,216 of each record",
                self.copies()
            );
        }
        let records = self.records.clone();
        if records.set.write.format == Some(OutputForm::Hrm) {
            return self.write_folder(files);
        }
        if self.subsample.is_some() || self.test.is_some() {
            bail!("--subsample and --test have no effect without --format hrm");
        }
        driver::run(files, &mut self, &records.task())
    }

    /// Writes the folder of HRM and TRM.
    fn write_folder(&self, files: &Files) -> anyhow::Result<ExitCode> {
        let RecordOptions { set, shard } = &self.records;
        let Some(path) = &set.sink.output_dir else {
            bail!("--format hrm writes a folder: --output-dir DIR is required");
        };
        let without_effect = [
            ("--keep", self.settings.typed().keep),
            ("--verify", self.verify),
            ("--answer-column", self.answer_column.is_some()),
            ("--blank", set.write.blank.is_some()),
            ("--compress", set.write.compression.compress.is_some()),
            ("--columns", !set.write.columns.columns.is_empty()),
            ("--line-buffered", set.sink.line_buffered),
            ("--shard", shard.shard.is_some()),
            ("--resume", set.sink.resume.resume),
        ];
        if let Some((option, _)) = without_effect.iter().find(|(_, is_given)| *is_given) {
            bail!("{option} has no effect with --format hrm");
        }
        let settings = self.settings.typed();
        let folder = hrm::Folder {
            path,
            copies: self.copies(),
            subsample: self
                .subsample
                .map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
            test: self.test.unwrap_or(0.1),
            seed: settings.seed,
            operations: &settings.include,
            read: &set.read,
            run: &set.run,
        };
        hrm::run(files, &folder)
    }
}

impl Augment {
    /// Returns true if a field that every copy would repeat has a solution of the record, and counts it.
    fn repeats_solution(&self, batch: &RecordBatch<'_>, record: usize) -> bool {
        let Some(layout) = &self.repeated else {
            return false;
        };
        // Two grids need this much text. Most records of a plain table have less.
        if batch.records.text(record).len() < 2 * CELLS {
            return false;
        }
        let Ok(puzzle) = batch.records.puzzle(record) else {
            return false;
        };
        let mut repeats = false;
        for (column, text) in batch.fields(record) {
            let cells = text.trim_ascii().as_array();
            let grid = cells.and_then(|cells| Grid::from_ascii(cells).ok());
            let Some(grid) = grid.filter(|_| !self.solutions.contains(&column)) else {
                continue;
            };
            if puzzle != AnyPuzzle::Cells(grid.into()) && grid.is_solution_of(puzzle) {
                let mut stale = self.stale.lock().expect("no thread panicked with it");
                *stale.entry(layout.name(&column)).or_default() += 1;
                repeats = true;
            }
        }
        repeats
    }

    /// The answer that a record has in all its columns of answers.
    fn answer(&self, batch: &RecordBatch<'_>, record: usize) -> GivenAnswer {
        let mut answer = GivenAnswer::Missing;
        for column in &self.solutions {
            let text = batch.value(record, column).unwrap_or_default();
            let given = GivenAnswer::of_text(&text);
            match (answer.solution(), given.solution()) {
                (_, Err(reason)) => return GivenAnswer::Refused(reason),
                (Ok(Some(answer)), Ok(Some(given))) if answer != given => {
                    return GivenAnswer::Refused(Reason::DifferentAnswers);
                }
                (Ok(None), _) => answer = given,
                _ => {}
            }
        }
        match self.repeats_solution(batch, record) {
            true => GivenAnswer::Refused(Reason::UnnamedAnswer),
            false => answer,
        }
    }
}

impl RecordCommand for Augment {
    fn plan(&mut self, input: &Layout, output: Form) -> anyhow::Result<Plan> {
        let mut solutions = input.columns_of_answers();
        self.expects_solution = self.answer_column.is_some() || !solutions.is_empty();
        let first = match (&self.answer_column, input) {
            (Some(name), layout) => Some(layout.column(name).context("--answer-column")?),
            // The first object may have no such key, and a later one have it.
            (None, Layout::Objects(_)) if solutions.is_empty() => Some(input.column("solution")?),
            _ => None,
        };
        if let Some(first) = first {
            solutions.retain(|column| *column != first);
            solutions.insert(0, first);
        }
        self.solutions = solutions;
        let is_repeated = matches!(output, Form::Csv | Form::Tsv | Form::Jsonl)
            || matches!(input, Layout::Words(_)) && output == Form::Text;
        self.repeated = is_repeated.then(|| input.clone());
        let puzzle = Added::new("puzzle", Values::Puzzles).with_place_of_puzzle();
        let solutions = self.solutions.iter().map(|column| {
            // A record without an answer keeps what stands there, such as null.
            Added::new("solution", Values::Puzzles).with_place_if_there(column.clone())
        });
        let columns = Vec::from_iter([puzzle].into_iter().chain(solutions));
        Ok(Plan::new(columns)
            .with_rows(self.copies())
            .verified(self.verify, Some(Check::Images))
            .with_answers(self.solutions.first().cloned()))
    }

    fn worker(&self) -> Worker<'_> {
        let question = Question::new(AugmentSettings {
            answers: self.expects_solution,
            ..self.settings.typed().clone()
        });
        let mut question = question.expect("the settings were read");
        let mut answers = Vec::new();
        Box::new(move |batch, answer| {
            answers.clear();
            answers.extend((0..batch.records.len()).map(|record| self.answer(batch, record)));
            let asked = Batch {
                answers: Some(&answers),
                ..Batch::from(batch.records)
            };
            question.fill(asked, answer);
            Ok(())
        })
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let (malformed, wrong) = (counts.get("malformed"), counts.get("wrong-answer"));
        let what = match wrong {
            0 => "malformed",
            _ => "malformed or with a wrong answer",
        };
        Summary::of_records(done, counts.clone()).failed(malformed + wrong, what)
    }

    fn finish(&mut self, _: &Counts) -> anyhow::Result<Vec<Output>> {
        let is_quiet = self.records.set.run.quiet;
        let stale = self.stale.get_mut().expect("no thread panicked with it");
        for (column, count) in stale.iter().filter(|_| !is_quiet) {
            say(format_args!(
                "sudoku-batch: warning: column {column} has the solutions of {}, which give no copies: \
                 --answer-column names the column of answers",
                counted(*count, "records")
            ));
        }
        Ok(Vec::new())
    }
}
