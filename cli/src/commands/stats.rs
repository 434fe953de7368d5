//! `sudoku-batch stats`.

mod bars;

use crate::driver::{
    self, Done, Files, OutputFile, RecordCommand, Sink, Summary, Task, Worker,
    options::{OutputOption, ReadOptions, RunOptions, SummaryFormat, help},
};
use crate::pipeline::output::Output;
use bars::Section;
use std::{process::ExitCode, sync::Mutex};
use sudoku_batch::{
    dataset::Statistics,
    questions::{Counts, Describe},
    technique::Rating,
};

/// Describe a set of puzzles.
///
/// Statuses and numbers of clues of all records; of those with one solution, how many naked singles
/// solve, how many naked and hidden singles, how many guesses the reference search needs (the search
/// that docs/design.md defines, not that of an engine), and the ratings: the hardest step of each, as
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
  sudoku-batch stats puzzles.csv --report puzzles.html";

impl Stats {
    pub(crate) fn run(self, files: &Files) -> anyhow::Result<ExitCode> {
        let report = self.report.as_deref();
        let mut describing = Description {
            up_to: self.up_to,
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
    /// The output for the page.
    report: Option<Output>,
    /// The sum of all batches, which does not depend on their order.
    statistics: Mutex<Statistics>,
}

impl RecordCommand for Description {
    fn worker(&self) -> Worker<'_> {
        let mut question = Describe::default().up_to(self.up_to);
        Box::new(move |batch, answer| {
            let described = question.ask(batch.records);
            answer.rejects.extend_from_slice(described.solved.rejects);
            *self.statistics.lock().expect("no thread panicked with it") += described.statistics;
            answer.counts += described.solved.counts;
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
            output.write_next(bars::text(&sections).as_bytes())?;
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
        counts.add("naked-singles-solve", statistics.naked_singles);
        counts.add("singles-solve", statistics.singles);
        counts.add("guesses", statistics.all_guesses);
        counts.add("most-guesses", statistics.most_guesses);
        // In text these are the bars.
        if self.is_json {
            for (clues, count) in filled(&statistics.clues) {
                counts.add(format!("clues-{clues}"), count);
            }
            for (entry, count) in filled(&statistics.guesses) {
                counts.add(format!("guesses-{}", guesses(entry, "-to-")), count);
            }
            for (entry, count) in filled(&statistics.ratings) {
                let name = match Statistics::rating(entry) {
                    Some(rating) => format!("rating-{rating}"),
                    None => format!("rating-over-{}", self.up_to),
                };
                counts.add(name.replace('.', "-"), count);
            }
        }
        Summary::of_records(done, counts).failed(failed, "do not have exactly one solution")
    }
}

/// The entries that are not 0, with their numbers.
fn filled(counts: &[u64]) -> impl Iterator<Item = (usize, u64)> {
    let counts = counts.iter().copied().enumerate();
    counts.filter(|&(_, count)| count > 0)
}

/// From the first entry that is not 0 to the last.
fn span(counts: &[u64]) -> impl Iterator<Item = (usize, u64)> {
    let first = counts.iter().position(|&count| count > 0).unwrap_or(0);
    let last = counts.iter().rposition(|&count| count > 0);
    (first..last.map_or(first, |last| last + 1)).map(|at| (at, counts[at]))
}

/// The numbers of guesses of an entry.
fn guesses(entry: usize, to: &str) -> String {
    let (first, last) = Statistics::guess_range(entry).into_inner();
    if first == last {
        first.to_string()
    } else {
        format!("{first}{to}{last}")
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
    let guesses = span(&statistics.guesses).map(|(entry, count)| (guesses(entry, " to "), count));
    let ratings = filled(&statistics.ratings).map(|(entry, count)| {
        let rating = Statistics::rating(entry);
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
