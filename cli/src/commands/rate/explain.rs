//! `rate --explain`: a row for each step.

use crate::{
    commands::question::{self, Ask},
    driver::{Done, Plan, RecordCommand, Summary, Worker, job, status_column},
};
use serde_json::Value;
use std::sync::Arc;
use sudoku_batch::{
    Cell,
    format::{Added, Form, Layout, Values},
    grid::Candidate,
    questions::{self, Answer, Counts, RATE, Rate, RateSettings, RowView, Team},
    technique::{Hint, Ratings, Step},
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
/// In lines, the row of a record has its ratings there.
const CELLS: usize = 3;
const WORDS: usize = 8;
const STATUS: usize = 9;

/// The start of a line of words below another, in lines.
const LINE_BELOW: &str = "\n          ";

/// The number of columns without the status.
const COLUMNS: usize = 9;

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
                    Some(ratings) => self.add_steps(record, ratings, &rated.steps[record], answer),
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
            return row.push(CELLS, line) || row.push(STATUS, line);
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

    fn add_steps(&self, record: usize, ratings: &Ratings, steps: &[Step], answer: &mut Answer<'_>) {
        // A solved grid has no steps, and a row in any format.
        let is_grid = steps.is_empty() && ratings.er.is_some();
        if self.in_lines || is_grid {
            let row = answer.row(record).nothing(CELLS);
            let shown = Some(ratings).filter(|_| self.in_lines && !ratings.gave_up);
            row.display(shown).nothing(COLUMNS - CELLS - 1);
        }
        for (number, step) in (1..).zip(steps) {
            let row = answer.row(record).number(Some(number));
            // Lines below the first begin where the words do not hide the techniques.
            let words = if self.in_lines {
                step.lines().join(LINE_BELOW)
            } else {
                step.to_string()
            };
            row.rating(Some(step.rating()))
                .name(Some(step.technique as usize))
                .text(spaced(&step.cells))
                .display(Some(step.digits))
                .text(places(step.place))
                .text(strikes(&step.strikes))
                .display(step.chain().map(chains))
                .text(words);
        }
        if ratings.er.is_none() {
            let row = answer.row(record).number(Some(steps.len() as u64 + 1));
            let words = if ratings.gave_up {
                "The search for chains ends at --max-work.".to_owned()
            } else {
                format!("Every further step is over {}.", ratings.up_to)
            };
            row.nothing(COLUMNS - 2).text(words);
        }
    }
}

fn chains(hint: &Hint) -> Value {
    questions::chains(hint, |hint, shown| {
        shown["places"] = places(hint.place).into();
        shown["strikes"] = strikes(&hint.strikes).into();
    })
}

/// `r1c2 r1c3`
fn spaced(cells: &[Cell]) -> String {
    let names: Vec<_> = cells.iter().map(Cell::to_string).collect();
    names.join(" ")
}

/// `r1c2=3`
fn places(place: Option<Candidate>) -> String {
    place
        .iter()
        .map(|place| format!("{}={}", place.cell, place.digit))
        .collect()
}

/// `r1c2-3 r1c3-3`
fn strikes(strikes: &[Candidate]) -> String {
    let each: Vec<_> = strikes
        .iter()
        .map(|strike| format!("{}-{}", strike.cell, strike.digit))
        .collect();
    each.join(" ")
}
