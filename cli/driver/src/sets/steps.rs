//! The rows of steps that `rate --explain` gives.

use serde_json::Value;
use sudoku_batch::{
    Cell,
    grid::Candidate,
    questions::{self, Answer},
    technique::{Hint, Ratings, Step},
};

/// In lines, the row of a record has its ratings there.
pub const COLUMN_OF_CELLS: usize = 3;

/// The start of a line of words below another, in lines.
const LINE_BELOW: &str = "\n          ";

/// The number of columns without the status.
pub const COLUMNS: usize = 9;

/// Adds the rows of a record, with one for each step: all columns but the status.
pub fn add_steps(
    in_lines: bool,
    record: usize,
    ratings: &Ratings,
    steps: &[Step],
    answer: &mut Answer<'_>,
) {
    // A solved grid has no steps, and a row in any format.
    let is_grid = steps.is_empty() && ratings.er.is_some();
    if in_lines || is_grid {
        let row = answer.row(record).nothing(COLUMN_OF_CELLS);
        let shown = Some(ratings).filter(|_| in_lines && !ratings.gave_up);
        row.display(shown).nothing(COLUMNS - COLUMN_OF_CELLS - 1);
    }
    for (number, step) in (1..).zip(steps) {
        let row = answer.row(record).number(Some(number));
        // Lines below the first begin where the words do not hide the techniques.
        let words = if in_lines {
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
