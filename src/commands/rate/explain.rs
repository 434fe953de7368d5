//! `rate --explain`: a row for each step.

use super::Rate;
use crate::driver::{
    Done, Plan, RecordCommand, RowView, Rows, Summary, TECHNIQUES, Worker, added, status_column,
};
use serde_json::{Value, json};
use sudoku_batch::{
    Cell,
    format::{Form, Layout, Values},
    questions::Counts,
    solve::Strike,
    technique::{
        Placement, Ratings, Step,
        chain::{Chain, Hint, Node},
    },
};

/// The command, as the driver knows it.
pub(super) struct Explaining<'o> {
    options: &'o Rate,
    /// Whether the output has the form `line`: then each record begins with a line of its
    /// own.
    in_lines: bool,
}

/// The columns that the form `line` shows, by their numbers.
const STEP: usize = 0;
const RATING: usize = 1;
const TECHNIQUE: usize = 2;
const WORDS: usize = 8;
const STATUS: usize = 9;

impl RecordCommand for Explaining<'_> {
    fn plan(&mut self, _: &Layout, output: Form) -> anyhow::Result<Plan> {
        self.in_lines = output.is_of_lines();
        Ok(Plan::new([
            added("step", Values::Numbers),
            added("rating", Values::Numbers),
            added("technique", TECHNIQUES),
            added("cells", Values::Text),
            added("digits", Values::Text),
            added("places", Values::Text),
            added("strikes", Values::Text),
            added("chains", Values::Json),
            added("words", Values::Text),
            status_column(&self.options.added.status_column),
        ]))
    }

    fn worker(&self) -> Worker<'_> {
        let mut question = self.options.question().with_steps();
        Box::new(move |batch, rows, counts| {
            let rated = question.ask_with(batch.records, &self.options.team);
            self.options.count(&rated, counts);
            rows.rejects(rated.rejects);
            for (record, ratings) in rated.ratings.iter().enumerate() {
                match ratings {
                    Some(ratings) => self.add_steps(record, ratings, &rated.steps[record], rows),
                    None => {
                        let row = rows.row(record).nothing().nothing().nothing().nothing();
                        let row = row.nothing().nothing().nothing().nothing().nothing();
                        row.value(rated.statuses[record].name());
                    }
                }
            }
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        if row.value(STEP).is_empty() && row.value(WORDS).is_empty() {
            line.extend_from_slice(row.records.own(row.record).as_ref());
            line.push(b' ');
            line.extend_from_slice(match row.value(RATING) {
                [] => row.value(STATUS),
                ratings => ratings,
            });
            return true;
        }
        line.extend_from_slice(format!("{:>4}  ", text(row, STEP)).as_bytes());
        let rating = match text(row, RATING) {
            "" => format!(">{}", self.options.up_to),
            rating => rating.into(),
        };
        line.extend_from_slice(format!("{rating:>4}  {:<31}", text(row, TECHNIQUE)).as_bytes());
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

    fn add_steps(&self, record: usize, ratings: &Ratings, steps: &[Step], rows: &mut Rows<'_>) {
        let status = if ratings.gave_up { "gave-up" } else { "unique" };
        // A solved grid has no steps, and a row in any form.
        let is_grid = steps.is_empty() && ratings.er.is_some();
        if self.in_lines || is_grid {
            let row = rows.row(record).nothing();
            let row = match self.in_lines && !ratings.gave_up {
                true => row.display(ratings),
                false => row.nothing(),
            };
            let row = row.nothing().nothing().nothing().nothing().nothing();
            row.nothing().nothing().value(status);
        }
        for (number, step) in (1..).zip(steps) {
            let row = rows.row(record).display(number).display(step.rating());
            row.value(step.technique.name())
                .value(spaced(&step.cells))
                .display(step.digits)
                .value(places(step.place))
                .value(strikes(&step.strikes))
                .optional(step.chain().map(chains))
                .display(step)
                .value(status);
        }
        if ratings.er.is_none() {
            let row = rows.row(record).display(steps.len() + 1).nothing();
            let row = row.nothing().nothing().nothing().nothing().nothing();
            let row = match ratings.gave_up {
                true => row
                    .nothing()
                    .value("The search for chains ends at --max-work."),
                false => {
                    let words = format!("Every further step is over {}.", ratings.up_to);
                    row.nothing().value(words)
                }
            };
            row.value(status);
        }
    }
}

/// The chains of a step, and what they show together. Of each chain there are its nodes, from the
/// assumption on. `parents` are the nodes that a node follows from, by their places in the chain.
/// `inner` are the chains inside the chain.
fn chains(hint: &Hint) -> Value {
    json!({
        "kind": hint.kind.name(),
        "start": hint.kind.start(),
        "length": hint.length,
        "chains": hint.chains.iter().map(nodes).collect::<Value>(),
        "places": places(hint.place),
        "strikes": strikes(&hint.strikes),
    })
}

fn nodes(chain: &Chain) -> Value {
    let last = chain.len() - 1;
    let node = |node: &Node| {
        let parents: Vec<_> = node.parents.iter().map(|parent| last - parent).collect();
        let inner = node.inner.as_deref();
        json!({
            "cell": node.cell.to_string(),
            "digit": node.digit.get(),
            "on": node.on,
            "reason": node.reason.to_string(),
            "parents": parents,
            "inner": inner.map(chains),
        })
    };
    chain.iter().rev().map(node).collect()
}

/// `r1c2 r1c3`
fn spaced(cells: &[Cell]) -> String {
    let names: Vec<_> = cells.iter().map(Cell::to_string).collect();
    names.join(" ")
}

/// `r1c2=3`
fn places(place: Option<Placement>) -> String {
    place
        .iter()
        .map(|place| format!("{}={}", place.cell, place.digit))
        .collect()
}

/// `r1c2-3 r1c3-3`
fn strikes(strikes: &[Strike]) -> String {
    let each: Vec<_> = strikes
        .iter()
        .map(|strike| format!("{}-{}", strike.cell, strike.digit))
        .collect();
    each.join(" ")
}
