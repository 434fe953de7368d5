//! `sudoku-batch filter`.

use super::prompts::PromptOptions;
use crate::driver::{
    self, Files, RecordCommand, RecordOptions, Worker,
    options::{Between, help},
};
use std::process::ExitCode;
use sudoku_batch::{
    NameError,
    questions::{Check, Rate, Rated, Reason, Status},
    solve::guesses,
    technique::{Rating, Ratings, TrialDepth},
};

/// Keep the records that fulfil all conditions, as they are.
///
/// A record that does not fulfil them is left out. --invert keeps exactly the records that would be left
/// out without it. Nothing is computed that no condition needs.
///
/// A malformed record fulfils no condition but --status malformed. One that is left out is reported, unless
/// --status names malformed.
///
/// Ranges include both ends. A.. and ..B are open.
#[derive(Debug, clap::Args)]
#[command(after_long_help = help(NOTES, "some malformed records are left out, and --status does not name them"))]
pub(crate) struct Filter {
    /// Keep records with one of these statuses: unique, multiple, malformed, row-duplicate,
    /// column-duplicate, box-duplicate, no-solution.
    #[arg(long, value_name = "STATUS,…", value_delimiter = ',', value_parser = status)]
    status: Vec<Status>,

    /// Keep records with this many clues.
    #[arg(long, value_name = "A..B")]
    clues: Option<Between<usize>>,

    #[command(flatten)]
    hard: HowHard,

    /// Keep records with one solution that take the reference search this many guesses.
    #[arg(long, value_name = "A..B")]
    guesses: Option<Between<u64>>,

    /// Keep records with one solution and no redundant clue.
    #[arg(long)]
    minimal: bool,

    /// Keep the records that would be left out instead.
    #[arg(long)]
    invert: bool,

    #[command(flatten)]
    prompts: PromptOptions,

    #[command(flatten)]
    records: RecordOptions,
}

/// Conditions of puzzles that are to be rated for them.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct HowHard {
    /// Keep puzzles with this ER, as rate gives it.
    ///
    /// They have one solution.
    #[arg(long, value_name = "A..B")]
    pub(super) rating: Option<Between<Rating>>,

    /// Keep puzzles with one solution and this depth of trial and error, as rate --te gives it.
    ///
    /// Depths are 0 to 3, and beyond, which is more than 3.
    #[arg(long, value_name = "A..B")]
    pub(super) te: Option<Between<TrialDepth>>,
}

impl HowHard {
    /// The question that rates puzzles, if there is a condition.
    pub(super) fn rate(&self) -> Option<Rate> {
        let rate = Rate::default().up_to(match self.rating {
            Some(range) => range.to.unwrap_or(Rating::HARDEST),
            None => Rating::NONE,
        });
        match (self.rating, self.te) {
            (None, None) => None,
            (_, None) => Some(rate),
            (_, Some(_)) => Some(rate.with_trials()),
        }
    }

    /// Returns true if a record that is rated fulfils the conditions.
    pub(super) fn fulfils(&self, rated: &Rated<'_>, record: usize) -> bool {
        let depth = rated.depths.get(record).copied().flatten();
        let has_depth = |range: Between<TrialDepth>| depth.is_some_and(|n| range.contains(&n));
        let has_rating = |range: Between<Rating>| match rated.ratings[record] {
            Some(Ratings { er: Some(er), .. }) => range.contains(&er),
            ratings => ratings.is_some() && range.to.is_none(),
        };
        self.rating.is_none_or(has_rating) && self.te.is_none_or(has_depth)
    }
}

const NOTES: &str = "\
Examples:
  sudoku-batch filter --status unique --clues ..24 puzzles.csv -o few-clues.csv
  sudoku-batch filter --rating 2.6..3.4 --minimal puzzles.txt -o hard.txt
  sudoku-batch filter --te 2.. puzzles.txt -o deep.txt
  sudoku-batch filter --guesses 10.. --rating 4.5.. puzzles.txt -o extreme.txt
  sudoku-batch filter --status unique --invert puzzles.txt -o not-proper.txt
      All that is no proper puzzle: several solutions, none, or malformed.";

/// A status that a puzzle may have here.
fn status(name: &str) -> Result<Status, String> {
    match name.parse().map_err(|error: NameError| error.to_string())? {
        Status::GaveUp | Status::Valid => Err("no record of this command has this status".into()),
        status => Ok(status),
    }
}

impl Filter {
    pub(crate) fn run(mut self, files: &Files) -> anyhow::Result<ExitCode> {
        let records = self.records.clone();
        let prompts = self.prompts.read()?;
        prompts.run(&mut self, |command| {
            driver::run(files, command, &records.task())
        })
    }
}

impl RecordCommand for Filter {
    fn worker(&self) -> Worker<'_> {
        let (mut check, mut rate) = (Check::default(), self.hard.rate());
        if self.minimal {
            check = check.minimal();
        }
        let is_solved = !self.status.is_empty() || self.minimal || self.guesses.is_some();
        Box::new(move |batch, answer| {
            let checked = is_solved.then(|| check.ask(batch.records, None));
            let rated = rate.as_mut().map(|rate| rate.ask(batch.records));
            let [mut kept, mut malformed] = [0; 2];
            for record in 0..batch.records.len() {
                let puzzle = batch.records.puzzle(record);
                let status = checked.as_ref().map(|checked| checked.statuses[record]);
                let redundant = checked.as_ref().and_then(|c| *c.redundant.get(record)?);
                let has_guesses = |range: Between<u64>| {
                    let unique = puzzle.ok().filter(|_| status == Some(Status::Unique));
                    let most = range.to.unwrap_or(u64::MAX);
                    unique.is_some_and(|puzzle| {
                        guesses(&puzzle, most).is_some_and(|n| range.contains(&n))
                    })
                };
                let clues = puzzle.ok().map(|puzzle| puzzle.clue_count());
                let has_clues = |range: Between<usize>| clues.is_some_and(|n| range.contains(&n));
                let names_malformed = self.status.contains(&Status::Malformed);
                let fulfils = (puzzle.is_ok() || names_malformed)
                    && (self.status.is_empty() || self.status.iter().any(|s| status == Some(*s)))
                    && self.clues.is_none_or(has_clues)
                    && rated
                        .as_ref()
                        .is_none_or(|rated| self.hard.fulfils(rated, record))
                    && (!self.minimal || redundant == Some(0))
                    && self.guesses.is_none_or(has_guesses);
                if fulfils != self.invert {
                    answer.row(record);
                    kept += 1;
                } else if let (Err(error), false) = (puzzle, names_malformed) {
                    answer.reject(record, Reason::Malformed(error));
                    malformed += 1;
                }
            }
            answer.counts.add("kept", kept);
            answer
                .counts
                .add("left-out", batch.records.len() as u64 - kept - malformed);
            answer.counts.add("malformed", malformed);
            Ok(())
        })
    }
}
