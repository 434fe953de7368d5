//! `rate --explain`: a row for each step.

use super::{Rate, shown};
use crate::driver::{Done, Plan, RecordCommand, RowView, Rows, Summary, Worker, added};
use sudoku_batch::{
    Cell,
    format::{Form, Layout, Records, Values},
    grid::CELLS,
    questions::Counts,
    technique::{self, Rating, Ratings, Step},
};

/// The command, as the driver knows it.
pub(super) struct Explaining<'o> {
    options: &'o Rate,
    /// Whether the output has the form `line`: then each record begins with a line of its
    /// own.
    in_lines: bool,
}

/// What the last row of a record says if its steps do not solve it.
const BEYOND: &str = "Every further step needs a harder technique.";

/// The columns that the form `line` shows, by their numbers.
const STEP: usize = 0;
const RATING: usize = 1;
const TECHNIQUE: usize = 2;
const WORDS: usize = 7;
const STATUS: usize = 8;

impl RecordCommand for Explaining<'_> {
    fn plan(&mut self, _: &Layout, output: Form) -> anyhow::Result<Plan> {
        self.in_lines = output == Form::Line;
        Ok(Plan::new([
            added("step", Values::Numbers),
            added("rating", Values::Text),
            added("technique", Values::Text),
            added("cells", Values::Text),
            added("digits", Values::Text),
            added("places", Values::Text),
            added("strikes", Values::Text),
            added("words", Values::Text),
            added(&self.options.added.status_column, Values::Text),
        ]))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = self.options.question();
        Box::new(move |batch, rows, counts| {
            let rated = question.ask(batch.records);
            self.options.count(&rated, counts);
            rows.rejects(rated.rejects);
            for (record, ratings) in rated.ratings.iter().enumerate() {
                match ratings {
                    Some(ratings) => self.add_steps(batch.records, record, ratings, rows),
                    None => {
                        let row = rows.row(record).nothing().nothing().nothing().nothing();
                        let row = row.nothing().nothing().nothing().nothing();
                        row.value(rated.statuses[record].name());
                    }
                }
            }
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        if row.value(STEP).is_empty() && row.value(WORDS).is_empty() {
            line.extend_from_slice(&row.records.own_cells(row.record));
            line.push(b' ');
            line.extend_from_slice(match row.value(RATING) {
                [] => row.value(STATUS),
                ratings => ratings,
            });
            return true;
        }
        line.extend_from_slice(format!("{:>4}  ", text(row, STEP)).as_bytes());
        line.extend_from_slice(format!("{:>4}  ", text(row, RATING)).as_bytes());
        line.extend_from_slice(format!("{:<25}", text(row, TECHNIQUE)).as_bytes());
        line.extend_from_slice(row.value(WORDS));
        true
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        self.options.summary_of(counts, done)
    }
}

/// A value as text.
fn text<'r>(row: &'r RowView<'_>, column: usize) -> &'r str {
    str::from_utf8(row.value(column)).unwrap_or_default()
}

impl<'o> Explaining<'o> {
    pub(super) fn new(options: &'o Rate) -> Self {
        let in_lines = false;
        Self { options, in_lines }
    }

    fn add_steps(&self, records: &Records, record: usize, ratings: &Ratings, rows: &mut Rows<'_>) {
        let puzzle = records.puzzle(record).expect("it has a rating");
        // A solved grid has no steps, and a row in any form.
        if self.in_lines || puzzle.clue_count() == CELLS {
            let ratings = self.in_lines.then_some(ratings);
            let row = rows.row(record).nothing().optional(ratings);
            let row = row.nothing().nothing().nothing().nothing().nothing();
            row.nothing().value("unique");
        }
        let mut count = 0;
        let mut steps = technique::steps(&puzzle);
        for step in &mut steps {
            count += 1;
            let row = rows.row(record).display(count).display(step.rating());
            row.value(step.technique.name())
                .value(spaced(&step.cells))
                .display(step.digits)
                .value(places(&step))
                .value(strikes(&step))
                .display(&step)
                .value("unique");
        }
        if !steps.position().is_filled() {
            let row = rows
                .row(record)
                .display(count + 1)
                .value(shown(None::<Rating>));
            let row = row.nothing().nothing().nothing().nothing().nothing();
            row.value(BEYOND).value("unique");
        }
    }
}

/// `r1c2 r1c3`
fn spaced(cells: &[Cell]) -> String {
    let names: Vec<_> = cells.iter().map(Cell::to_string).collect();
    names.join(" ")
}

/// `r1c2=3`
fn places(step: &Step) -> String {
    let place = step.place.iter();
    place
        .map(|place| format!("{}={}", place.cell, place.digit))
        .collect()
}

/// `r1c2-3 r1c3-3`
fn strikes(step: &Step) -> String {
    let strikes = step.strikes.iter();
    let each: Vec<_> = strikes
        .map(|strike| format!("{}-{}", strike.cell, strike.digit))
        .collect();
    each.join(" ")
}
