//! `sudoku-batch stats`.

mod bars;

use crate::driver::{
    self, Asking, Done, Files, OutputFile, Plan, RecordBatch, RecordCommand, Sink, Summary, Task,
    Worker, WrongRecord,
    options::{OutputOption, ReadOptions, RunOptions, SummaryFormat, help},
};
use crate::pipeline::output::Output;
use anyhow::Context;
use bars::Section;
use std::{process::ExitCode, sync::Mutex};
use sudoku_batch::{
    dataset::{Statistics, Weighted},
    format::{ColumnPlace, Form, Layout},
    questions::{Counts, Question, StatsSettings},
    technique::Rating,
};

/// Describe a set of puzzles.
///
/// Statuses and numbers of clues of all records; of those with one solution, how many naked singles
/// solve, how many naked and hidden singles, how many guesses the reference search needs (the search
/// that docs/internals/ladder.md defines, not that of an engine), and the ratings: the hardest step of each, as
/// rate gives it.
///
/// The bars go to the output, the counts to the summary: --summary json has all of them.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some records do not have exactly one solution"))]
pub(crate) struct Stats {
    /// Write a page with the same to a file.
    #[arg(long, value_name = "FILE.html")]
    report: Option<OutputFile>,

    /// Take no step with a rating over X: harder puzzles are counted together. 4.4 saves the time that
    /// chains take.
    #[arg(long, value_name = "X", default_value_t = Rating::HARDEST)]
    up_to: Rating,

    /// The column, or key, with a weight for each record. It adds weighted means with standard errors, the mean
    /// weight and the effective sample size.
    ///
    /// A weight is a number that is not negative. Only records with one solution count. The weights that puzzles
    /// --unbiased writes make the means those of all minimal puzzles, and the mean weight the number of them.
    #[arg(long, value_name = "NAME")]
    weight_column: Option<String>,

    #[command(flatten)]
    output: OutputOption,

    #[command(flatten)]
    read: ReadOptions,

    #[command(flatten)]
    run: RunOptions,
}

const NOTES: &str = "\
Examples:
  sudoku-batch stats puzzles.csv
  sudoku-batch stats -q --summary json train.csv 2> train.json
      All counts as one JSON object: clues_24, guesses_2_to_3, rating_2_6 and so on.
  sudoku-batch stats puzzles.csv --report puzzles.html
  sudoku-batch puzzles 100k --unbiased --format csv | sudoku-batch stats --weight-column weight
      The mean number of clues of all minimal puzzles, and how many there are.";

impl Stats {
    pub(crate) fn run(self, files: &Files) -> anyhow::Result<ExitCode> {
        let report = self.report.as_deref();
        let mut describing = Description {
            up_to: self.up_to,
            weight: self.weight_column,
            column: None,
            weighted: Mutex::default(),
            is_json: self.run.summary_format() == SummaryFormat::Json,
            output: files.create("--output", &self.output.output, None)?.into(),
            report: report
                .map(|path| files.create("--report", path, None))
                .transpose()?,
            statistics: Mutex::default(),
        };
        let task = Task::new(&self.read, &self.run, Sink::None);
        driver::run(files, &mut describing, &task)
    }
}

struct Description {
    up_to: Rating,
    /// True if the summary is JSON.
    is_json: bool,
    /// The output for the bars.
    output: Option<Output>,
    /// The name of the column of weights, and the column.
    weight: Option<String>,
    column: Option<ColumnPlace>,
    /// The weighted sums of all batches.
    weighted: Mutex<Weighted>,
    /// The output for the page.
    report: Option<Output>,
    /// The sum of all batches, which does not depend on their order.
    statistics: Mutex<Statistics>,
}

impl Description {
    /// The weights of the records of a batch: 1 for those that are malformed, which do not count.
    fn weights(&self, batch: &RecordBatch<'_>) -> anyhow::Result<Vec<f64>> {
        let Some(column) = &self.column else {
            return Ok(Vec::new());
        };
        let weights = (0..batch.records.len()).map(|record| {
            if batch.records.puzzle(record).is_err() {
                return Ok(1.0);
            }
            let text = batch.value(record, column).unwrap_or_default();
            let text = String::from_utf8_lossy(&text);
            let weight = text.trim().parse::<f64>().ok();
            // Squares of larger ones, times squares of values, are no numbers.
            let weight = weight.filter(|weight| (0.0..1e140).contains(weight));
            let what = format!("the weight {text:?} is no number from 0 to 1e140");
            Ok(weight.ok_or(WrongRecord { record, what })?)
        });
        weights.collect()
    }
}

impl RecordCommand for Description {
    fn plan(&mut self, input: &Layout, _: Form) -> anyhow::Result<Plan> {
        if let Some(name) = &self.weight {
            let column = input.named_column(name)?;
            self.column =
                Some(column.with_context(|| {
                    format!("--weight-column: the input has no column {name:?}")
                })?);
        }
        Ok(Plan::new([]))
    }

    fn worker(&self) -> Worker<'_> {
        let question = Question::new(StatsSettings { up_to: self.up_to });
        let mut asking = Asking::of(&question.expect("any rating will do"));
        Box::new(move |batch, answer| {
            let weights = self.weights(batch)?;
            let own = asking.ask(batch, answer);
            let (statistics, weighted) = (Statistics::of(own), Weighted::of(own, &weights));
            *self.statistics.lock().expect("no thread panicked with it") += statistics;
            *self.weighted.lock().expect("no thread panicked with it") += weighted;
            Ok(())
        })
    }

    fn finish(&mut self, counts: &Counts) -> anyhow::Result<Vec<Output>> {
        let statistics = self
            .statistics
            .get_mut()
            .expect("no thread panicked with it");
        let sections = sections(counts, statistics, self.up_to);
        let output = self.output.take();
        let report = self.report.take();
        if let Some(output) = &output {
            let mut text = bars::text(&sections);
            if let Some(name) = &self.weight {
                let weighted = self.weighted.get_mut().expect("no thread panicked with it");
                text.push_str(&means(name, weighted));
            }
            output.write_next(text.as_bytes())?;
        }
        if let Some(report) = &report {
            report.write_next(bars::page(&sections).as_bytes())?;
        }
        Ok(output.into_iter().chain(report).collect())
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        let failed = done.records - counts.get("unique");
        let mut counts = counts.clone();
        let statistics = self.statistics.lock().expect("no thread panicked with it");
        let sums = statistics.counts(self.up_to);
        counts += match self.is_json {
            true => sums,
            // In text the bars have the others.
            false => sums.only(&Statistics::ALWAYS_COUNTED),
        };
        Summary::of_records(done, counts).failed(failed, "do not have exactly one solution")
    }
}

/// A line for each weighted mean, with its standard error.
fn means(name: &str, weighted: &Weighted) -> String {
    // One record has no standard error, and weights of 0 have no mean.
    let or_dash = |number: f64, text: String| if number.is_finite() { text } else { "-".into() };
    let number = |number: f64, decimals| or_dash(number, format!("{number:.decimals$}"));
    let (total, of_total) = weighted.total();
    let [total, of_total] = [
        or_dash(total, format!("{total:.4e}")),
        or_dash(of_total, format!("{of_total:.1e}")),
    ];
    let line = |what: &str, (mean, error): (f64, f64)| {
        format!("  {what:<18}{}  {}", number(mean, 4), number(error, 4))
    };
    let mut lines = vec![
        format!("\nWeighted by {name} (estimate and standard error)"),
        format!("  mean weight       {total}  {of_total}"),
        format!(
            "  effective sample  {}",
            number(weighted.effective_sample(), 0)
        ),
        line("mean clues", weighted.clues()),
    ];
    lines.extend(weighted.rating().map(|rating| line("mean rating", rating)));
    for (clues, share, error) in weighted.shares() {
        let [share, error] = [share, error].map(|share| number(100.0 * share, 4));
        lines.push(format!("  {clues} clues          {share} %  {error}"));
    }
    lines.join("\n") + "\n"
}

/// From the first entry that is not 0 to the last.
fn span(counts: &[u64]) -> impl Iterator<Item = (usize, u64)> {
    let first = counts.iter().position(|&count| count > 0).unwrap_or(0);
    let last = counts.iter().rposition(|&count| count > 0);
    (first..last.map_or(first, |last| last + 1)).map(|at| (at, counts[at]))
}

/// The numbers of guesses of an entry.
fn guesses(entry: usize) -> String {
    let (first, last) = Statistics::guess_range(entry).into_inner();
    if first == last {
        first.to_string()
    } else {
        format!("{first} to {last}")
    }
}

fn sections(counts: &Counts, statistics: &Statistics, up_to: Rating) -> Vec<Section> {
    let unique = statistics.puzzles;
    let count = |(name, count): (&str, u64)| (name.to_owned(), count);
    let statuses = counts.iter().filter(|(_, count)| *count > 0);
    let statuses: Vec<_> = statuses.map(count).collect();
    let solved = [
        ("naked singles", statistics.naked_singles),
        ("naked and hidden singles", statistics.singles),
    ];
    let clues = span(&statistics.clues).map(|(clues, count)| (clues.to_string(), count));
    let guesses = span(&statistics.guesses).map(|(entry, count)| (guesses(entry), count));
    let ratings = statistics.rating_counts().map(|(rating, count)| {
        let over = || format!(">{up_to}");
        (rating.map_or_else(over, |rating| rating.to_string()), count)
    });
    vec![
        Section {
            title: "Statuses",
            whole: statuses.iter().map(|(_, count)| count).sum(),
            bars: statuses,
        },
        Section {
            title: "Clues (of puzzles with one solution)",
            whole: unique,
            bars: clues.collect(),
        },
        Section {
            title: "Solved by",
            whole: unique,
            bars: solved.map(count).to_vec(),
        },
        Section {
            title: "Guesses of the reference search",
            whole: unique,
            bars: guesses.collect(),
        },
        Section {
            title: "Rating (ER, on the scale of Sudoku Explainer)",
            whole: unique,
            bars: ratings.collect(),
        },
    ]
}
