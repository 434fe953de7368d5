//! `rate --explain`: a row for each step.

use crate::{
    commands::question::{self, Ask},
    driver::{Done, Plan, RecordCommand, Summary, Worker, job, status_column},
    sets::steps::{COLUMN_OF_CELLS, COLUMNS, add_steps},
};
use std::sync::Arc;
use sudoku_batch::{
    format::{Added, Form, Layout, Values},
    questions::{Counts, RATE, Rate, RateSettings, RowView, Team},
};

/// The command, as the driver knows it.
pub(super) struct Explanation<'o> {
    ask: &'o Ask,
    settings: RateSettings,
    /// The threads, which share a puzzle that takes long.
    team: Arc<Team>,
    /// True if the output has the format `line`: then each record begins with a line of its
    /// own.
    in_lines: bool,
}

/// The columns that the format `line` shows, by their numbers.
const STEP: usize = 0;
const RATING: usize = 1;
const TECHNIQUE: usize = 2;
const WORDS: usize = 8;
const STATUS: usize = 9;

impl RecordCommand for Explanation<'_> {
    fn plan(&mut self, _: &Layout, output: Form) -> anyhow::Result<Plan> {
        self.in_lines = output.is_of_lines();
        Ok(Plan::new([
            Added::new("step", Values::Numbers),
            Added::new("rating", Values::Ratings),
            Added::new("technique", RATE.column("technique").values),
            Added::new("cells", Values::Text),
            Added::new("digits", Values::Text),
            Added::new("places", Values::Text),
            Added::new("strikes", Values::Text),
            Added::new("chains", Values::Json),
            Added::new("words", Values::Text),
            status_column(&self.ask.added.status_column),
        ])
        .taking_long(true))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = self.question();
        Box::new(move |batch, answer| {
            let rated = question.ask_with(batch.records, &self.team);
            rated.count(&mut answer.counts);
            answer.statuses.extend_from_slice(rated.statuses);
            answer.rejects.extend_from_slice(rated.rejects);
            for (record, ratings) in rated.ratings.iter().enumerate() {
                match ratings {
                    Some(ratings) => {
                        add_steps(self.in_lines, record, ratings, &rated.steps[record], answer)
                    }
                    None => _ = answer.row(record).nothing(COLUMNS),
                }
            }
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        if row.text(STEP).is_empty() && row.text(WORDS).is_empty() {
            line.extend_from_slice(row.records.own(row.record).as_ref());
            line.push(b' ');
            // The texts of all three ratings, which belong to no step.
            return row.push(COLUMN_OF_CELLS, line) || row.push(STATUS, line);
        }
        line.extend_from_slice(format!("{:>4}  ", row.text(STEP)).as_bytes());
        let rating = match row.rating(RATING) {
            None => format!(">{}", self.settings.up_to),
            Some(rating) => rating.to_string(),
        };
        line.extend_from_slice(format!("{rating:>4}  {:<31}", row.text(TECHNIQUE)).as_bytes());
        row.push(WORDS, line);
        true
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        question::summary(&self.ask.asked, counts, done)
    }
}

impl<'o> Explanation<'o> {
    pub(super) fn new(ask: &'o Ask) -> Self {
        let threads = job::threads(&ask.records.set.run).count();
        let settings = ask.settings.iter();
        let settings = settings.map(|(name, text)| (*name, &text[..]));
        Self {
            ask,
            settings: RATE
                .read(settings)
                .expect("the question was asked with them"),
            team: Arc::new(Team::new(threads)),
            in_lines: false,
        }
    }

    /// The question of a thread.
    fn question(&self) -> Rate {
        Rate::new(self.settings.clone()).with_steps()
    }
}
