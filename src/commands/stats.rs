//! `sudoku-batch stats`.

mod bars;

use super::{
    job,
    stream::{self, Done, Lot, RecordCommand, Rows},
    summary::Summary,
    uniqueness::{Uniqueness, nowhere, statuses},
};
use crate::cli::{output::SummaryFormat, stats::Stats};
use bars::Section;
use std::{ops::AddAssign, process::ExitCode, sync::Mutex};
use sudoku_batch::{
    Puzzle, Solver,
    batch::Tally,
    dataset::Statistics,
    format::{Added, Layout},
    pipeline::output::Output,
    technique::{Rater, Rating},
};

/// Prints statistics of files.
pub(crate) fn run(mut options: Stats) -> anyhow::Result<ExitCode> {
    let path = std::mem::replace(&mut options.records.output.output, nowhere());
    let counting = Counting {
        json: options.records.output.summary_format() == SummaryFormat::Json,
        output: Mutex::new(Some(job::create(&path)?)),
        report: Mutex::new(options.report.as_deref().map(job::create).transpose()?),
    };
    stream::run(counting, &options.records)
}

struct Counting {
    /// Whether the summary is JSON.
    json: bool,
    /// The output for the bars.
    output: Mutex<Option<Output>>,
    /// The output for the page.
    report: Mutex<Option<Output>>,
}

/// The counts.
#[derive(Default)]
struct Total {
    tally: Tally,
    statistics: Statistics,
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.tally += other.tally;
        self.statistics += other.statistics;
    }
}

/// The state that a thread keeps.
struct Kept {
    uniqueness: Uniqueness,
    solver: Solver,
    rater: Rater,
    puzzles: Vec<Puzzle>,
}

impl RecordCommand for Counting {
    type Kept = Kept;
    type Total = Total;

    fn columns(&mut self, _: &Layout) -> anyhow::Result<Vec<Added>> {
        Ok(Vec::new())
    }

    fn keep(&self) -> Kept {
        Kept {
            uniqueness: Uniqueness::new(),
            solver: Solver::new(),
            rater: Rater::new(),
            puzzles: Vec::new(),
        }
    }

    fn answer(&self, kept: &mut Kept, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        let solved = kept.uniqueness.of(lot);
        solved.tell(rows);
        kept.puzzles.clear();
        let pairs = (0..lot.records.len()).filter_map(|record| solved.pair(lot, record));
        kept.puzzles.extend(pairs.map(|(puzzle, _)| puzzle));
        Total {
            tally: solved.answers.tally(),
            statistics: Statistics::of(&mut kept.solver, &mut kept.rater, &kept.puzzles),
        }
    }

    fn finish(&self, total: &Total) -> anyhow::Result<()> {
        let sections = sections(total);
        if let Some(output) = &*self.output.lock().expect("no thread panicked") {
            output.write_next(bars::text(&sections).as_bytes())?;
        }
        if let Some(report) = &*self.report.lock().expect("no thread panicked") {
            report.write_next(bars::page(&sections).as_bytes())?;
        }
        Ok(())
    }

    fn outputs(&self) -> Vec<Output> {
        let taken = [&self.output, &self.report];
        let taken = taken.map(|output| output.lock().expect("no thread panicked").take());
        taken.into_iter().flatten().collect()
    }

    fn summary(&self, total: &Total, done: &Done) -> Summary {
        let Total { tally, statistics } = total;
        let mut counts = statuses(tally);
        counts.push(("naked-singles-solve", statistics.naked_singles));
        counts.push(("singles-solve", statistics.singles));
        counts.push(("guesses", statistics.all_guesses));
        counts.push(("most-guesses", statistics.most_guesses));
        // In text these are the bars.
        if self.json {
            for (clues, count) in filled(&statistics.clues) {
                counts.push((format!("clues-{clues}").leak(), count));
            }
            for (entry, count) in filled(&statistics.guesses) {
                let name = format!("guesses-{}", guesses(entry, "-to-"));
                counts.push((name.leak(), count));
            }
            for (entry, count) in filled(&statistics.ratings) {
                let name = match Statistics::rating(entry) {
                    Some(rating) => format!("rating-{rating}"),
                    None => format!("rating-over-{}", Rating::HARDEST),
                };
                counts.push((name.replace('.', "-").leak(), count));
            }
        }
        Summary {
            total: ("records", tally.records),
            counts,
            among_first: Vec::new(),
            unit: "records",
            facts: done.facts().collect(),
            failed: tally.records - tally.solved(),
            failure: "do not have exactly one solution",
        }
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
    match first == last {
        true => first.to_string(),
        false => format!("{first}{to}{last}"),
    }
}

fn sections(Total { tally, statistics }: &Total) -> Vec<Section> {
    let unique = statistics.puzzles;
    let count = |(name, count): (&str, u64)| (name.to_owned(), count);
    let statuses = statuses(tally).into_iter().filter(|(_, count)| *count > 0);
    let solved = [
        ("naked singles", statistics.naked_singles),
        ("naked and hidden singles", statistics.singles),
    ];
    let clues = span(&statistics.clues).map(|(clues, count)| (clues.to_string(), count));
    let guesses = span(&statistics.guesses).map(|(entry, count)| (guesses(entry, " to "), count));
    let ratings = filled(&statistics.ratings).map(|(entry, count)| {
        let rating = Statistics::rating(entry);
        let over = || format!(">{}", Rating::HARDEST);
        (rating.map_or_else(over, |rating| rating.to_string()), count)
    });
    vec![
        Section {
            title: "Statuses",
            whole: tally.records,
            bars: statuses.map(count).collect(),
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
