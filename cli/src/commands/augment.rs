//! `sudoku-batch augment`.

mod hrm;

use super::question::{Defined, Settings};
use crate::driver::{
    self, Done, Files, Plan, RecordBatch, RecordCommand, RecordOptions, Summary, Worker,
    listed::ListedName,
    options::{OutputForm, form_names, form_of, help, number_from, share},
    report::say,
    words::counted,
};
use crate::pipeline::output::Output;
use anyhow::{Context, bail};
use clap::builder::{PossibleValue, TypedValueParser};
use std::{collections::BTreeMap, process::ExitCode, sync::Mutex};
use sudoku_batch::{
    Grid, Puzzle, Reason,
    dataset::Operation,
    format::{Added, ColumnPlace, Form, Layout, Values},
    grid::{AnyPuzzle, BLANK, CELLS},
    questions::{self, AUGMENT, Counts, SOLUTION_NAMES, Setting, Value, verification::Check},
};

/// Make symmetric images of puzzles, for training sets.
///
/// Every record gives K records: different images of it by renamed digits, transposition, and other
/// orders of bands, stacks, rows and columns, each image as likely as the others. The solution of a
/// record, if it has a column of them, goes through the same operations. Other columns are repeated.
///
/// The images of a record depend on the seed and its cells alone, so the parts of a file give the parts
/// of its images. More copies are the same ones, and more. A record with fewer different images than
/// were asked for gives all it has, and the summary says so.
///
/// With --format hrm the command writes the folder that the training programs HRM and TRM read.
#[derive(Debug, clap::Args)]
#[command(
    after_long_help = help(NOTES, "some records are malformed or have a wrong answer (with --format hrm: have not one solution)"),
    mut_arg("format", |format| format.value_parser(form()))
)]
pub(crate) struct Augment {
    #[command(flatten)]
    settings: Settings<Self>,

    /// Check each image before it is written.
    ///
    /// An image is solved: it must have as many solutions as its record (none, one or several), and its
    /// digits. If the record has a right solution, the image must have one. This costs as much as
    /// solving the images. The first record that fails ends the command with exit status 2 and no output.
    #[arg(long)]
    verify: bool,

    /// The column of solutions.
    ///
    /// Without it: solution, solutions, answer or answers in any case, if there is such a column. In JSON
    /// lines the keys of the first object decide. Standard error names other columns with solutions: they
    /// stay as they are, and so belong to no image.
    #[arg(long, value_name = "NAME|N")]
    solution_column: Option<String>,

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
    pub(super) records: RecordOptions,

    /// The column of solutions of the input.
    #[arg(skip)]
    solution: Option<ColumnPlace>,

    /// Whether every record should have a solution. Objects without the key may be meant so.
    #[arg(skip)]
    expects_solution: bool,

    /// The layout of the input, if rows repeat all its fields.
    #[arg(skip)]
    repeated: Option<Layout>,

    /// How many records have their solution in a column that is repeated.
    #[arg(skip)]
    stale: Mutex<BTreeMap<String, u64>>,
}

/// The settings of images are those of the definition.
impl Defined for Augment {
    fn settings() -> impl Iterator<Item = &'static Setting> + Clone {
        AUGMENT.settings.iter()
    }
}

/// The forms of the output: those of all commands, and the folder.
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
      Ten images of each puzzle, with their solutions.
  sudoku-batch augment -k 100 --include relabelling puzzles.txt
      Only rename the digits.
  sudoku-batch augment -k 4 --keep --seed 7 puzzles.txt
      Each puzzle and four images of it.
  sudoku-batch augment -k 100 train.csv -o train.npy
      Arrays of numpy: train.puzzle.npy and train.solution.npy.
  sudoku-batch augment --format hrm --subsample 1000 --copies 1000 raw.csv --output-dir data/sudoku
      data/sudoku/train and data/sudoku/test for HRM and TRM: a thousand puzzles with a thousand rows
      each, the first the puzzle itself, and a tenth of all puzzles, once each, as the test set.

Augment the parts of a split, not the set before it is split: otherwise images of one puzzle are on both
sides. (split --by symmetry keeps them on one side in any case.)

A malformed record has no images: it stands in the output as it is. A record whose answer is not a
solution of it (wrong-answer) has no images either, and is left out: --rejects FILE keeps it. A text that
is not 81 cells is no answer, and stays beside the images.

The folder of --format hrm has puzzles with exactly one solution, which the command finds itself. Of
puzzles that are images of each other it has the first. No image is in both sets, and none comes twice.";

/// The most images of a record.
const MOST_COPIES: usize = 1 << 24;

impl Augment {
    fn copies(&self) -> usize {
        self.number("copies").try_into().unwrap_or(usize::MAX)
    }

    fn seed(&self) -> u64 {
        self.number("seed")
    }

    fn number(&self, name: &str) -> u64 {
        match self.settings.value(name) {
            Some(Value::Number(number)) => number,
            other => unreachable!("{name} has a usual number: {other:?}"),
        }
    }

    /// The operations that images are made by.
    fn include(&self) -> Vec<Operation> {
        let Some(Value::Names(bits)) = self.settings.value("include") else {
            unreachable!("there are usual operations");
        };
        let all = Operation::ALL.iter().copied();
        let is_included = |operation: &Operation| bits >> *operation as u64 & 1 == 1;
        all.filter(is_included).collect()
    }

    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
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
            ("--keep", self.settings.has("keep")),
            ("--verify", self.verify),
            ("--solution-column", self.solution_column.is_some()),
            ("--blank", set.write.blank.is_some()),
            ("--compress", set.write.compression.compress.is_some()),
            ("--array", !set.write.arrays.array.is_empty()),
            ("--columns", !set.write.columns.columns.is_empty()),
            ("--line-buffered", set.sink.line_buffered),
            ("--shard", shard.shard.is_some()),
        ];
        if let Some((option, _)) = without_effect.iter().find(|(_, is_given)| *is_given) {
            bail!("{option} has no effect with --format hrm");
        }
        let folder = hrm::Folder {
            path,
            copies: self.copies(),
            subsample: self
                .subsample
                .map(|n| usize::try_from(n).unwrap_or(usize::MAX)),
            test: self.test.unwrap_or(0.1),
            seed: self.seed(),
            operations: &self.include(),
            read: &set.read,
            run: &set.run,
        };
        hrm::run(files, &folder)
    }
}

impl Augment {
    /// Counts the solutions of records in fields that are repeated with each image.
    fn find_stale(&self, batch: &RecordBatch<'_>) {
        let Some(layout) = &self.repeated else { return };
        for record in 0..batch.records.len() {
            // Two grids need this much text. Most records of a plain table have less.
            if batch.records.text(record).len() < 2 * CELLS {
                continue;
            }
            for (column, text) in batch.fields(record) {
                let cells = text.trim_ascii().as_array();
                let grid = cells.and_then(|cells| Grid::from_ascii(cells).ok());
                let Some(grid) = grid.filter(|_| Some(&column) != self.solution.as_ref()) else {
                    continue;
                };
                let solves = |puzzle: AnyPuzzle| {
                    puzzle != AnyPuzzle::Cells(grid.into()) && grid.is_solution_of(&puzzle)
                };
                if batch.records.puzzle(record).is_ok_and(solves) {
                    let mut stale = self.stale.lock().expect("no thread panicked with it");
                    *stale.entry(layout.name(&column)).or_default() += 1;
                }
            }
        }
    }
}

impl RecordCommand for Augment {
    fn plan(&mut self, input: &Layout, output: Form) -> anyhow::Result<Plan> {
        let mut named = SOLUTION_NAMES.iter().map(|name| input.named_column(name));
        let named = named.find_map(Result::transpose).transpose()?;
        self.expects_solution = self.solution_column.is_some() || named.is_some();
        self.solution = match (&self.solution_column, input) {
            (Some(name), layout) => Some(layout.column(name).context("--solution-column")?),
            // The first object may have no such key, and a later one have it.
            (None, Layout::Objects(_)) if named.is_none() => Some(input.column(SOLUTION_NAMES[0])?),
            (None, _) => named,
        };
        let is_repeated = matches!(output, Form::Csv | Form::Tsv | Form::Jsonl)
            || matches!(input, Layout::Words(_)) && output == Form::Text;
        self.repeated = is_repeated.then(|| input.clone());
        let puzzle = Added::new("puzzle", Values::Puzzles).with_place_of_puzzle();
        let solution = self.solution.clone().map(|column| {
            // A text of the user that is no answer stays as it is.
            Added::new("solution", Values::Puzzles).with_place_if_there(column)
        });
        let columns = Vec::from_iter([puzzle].into_iter().chain(solution));
        Ok(Plan::new(columns)
            .with_rows(self.copies())
            .verified(self.verify, Some(Check::Images))
            .with_answers(self.solution.clone()))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = questions::Augment::new(self.seed(), &self.include(), self.copies());
        let keep = self.settings.has("keep");
        if keep {
            question = question.keep();
        }
        if self.expects_solution {
            question = question.expects_solutions();
        }
        let mut lines = Vec::new();
        Box::new(move |batch, answer| {
            self.find_stale(batch);
            let text = |record| batch.value(record, self.solution.as_ref()?);
            let solution =
                |record| -> Option<Puzzle> { str::from_utf8(&text(record)?).ok()?.parse().ok() };
            let counts = question.ask(batch.records, solution, |record, images| {
                let images = match images {
                    Ok(images) => images,
                    Err(reason) => {
                        answer.reject(record, reason);
                        // A wrong answer must not get into a training set.
                        if matches!(reason, Reason::Malformed(_)) {
                            answer.unchanged(record);
                        }
                        return;
                    }
                };
                if keep {
                    answer.unchanged(record);
                }
                let blank = batch.records.blank(record);
                for (at, image) in images.candidates().iter().enumerate() {
                    let row = answer.row(record).puzzle(Some(&(*image).into()), blank);
                    match (images.solution(at), &self.solution) {
                        (Some(solution), _) => _ = row.cells(Some(solution.as_ascii())),
                        (None, Some(_)) => _ = row.own(&text(record).unwrap_or_default()),
                        (None, None) => {}
                    }
                }
                let mut puzzles = images.puzzle_lines();
                if blank != BLANK {
                    lines.clear();
                    lines.extend_from_slice(puzzles);
                    // Without a branch: no one can predict where blanks are.
                    for cell in lines.iter_mut().flatten() {
                        *cell = if *cell == BLANK { blank } else { *cell };
                    }
                    puzzles = &lines;
                }
                match (images.solution_lines(), &self.solution) {
                    // The solution of the record is not 81 cells, so it is copied as it is.
                    ([], Some(_)) => {
                        let text = text(record).unwrap_or_default();
                        for line in puzzles {
                            answer.row(record).cells(line.first_chunk()).own(&text);
                        }
                    }
                    ([], None) => answer.images(record, &[puzzles]),
                    (solutions, _) => answer.images(record, &[puzzles, solutions]),
                }
            });
            answer.counts += counts;
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
                "sudoku-batch: warning: column {column} has the solutions of {}, not of their images: \
                 --solution-column names the column of solutions",
                counted(*count, "records")
            ));
        }
        Ok(Vec::new())
    }
}
