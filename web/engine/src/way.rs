//! Steps and hints, as JSON.

use crate::{
    failure::{Failure, json, options, read, texts},
    puzzles::puzzle,
};
use serde_json::{Value, json};
use sudoku_batch::{
    Candidates, Cell, Digit, Outcome, Puzzle, Solver,
    grid::{CELLS, Digits, House},
    guide::{self, Advice},
    questions::{self, RATE, RateSettings},
    technique::{Hint, Position, Step, Steps},
};
use wasm_bindgen::prelude::*;

/// The steps that solve a puzzle, those of `rate --explain`; with `guess` those of a guide, which
/// guesses where no technique leads on.
#[wasm_bindgen]
pub fn steps(text: &str, given: &str) -> Result<String, Failure> {
    let puzzle = puzzle(text)?;
    let mut given = options("steps", &["guess", "up-to", "max-work"], given)?;
    let guesses = given.take_flag("guess")?;
    let mut steps = Steps::from(Position::new(&puzzle));
    let bounds: RateSettings = RATE.read(given.iter())?;
    steps = steps.with_max_rating(bounds.up_to);
    if let Some(most) = bounds.max_work {
        steps = steps.with_max_work(most);
    }
    let several =
        "the puzzle has several solutions, so no steps lead to one of them without a guess";
    let of_guide = || guide::way(&puzzle).into_iter().flatten();
    // The techniques count on one solution, and a search for chains might not end.
    let steps: Vec<_> = match (Solver::new().count(&puzzle, 2), guesses) {
        (0, _) => return Err(no_solution()),
        (_, true) => of_guide().map(|step| advice(&step)).collect(),
        (1, false) => steps.map(|step| advice(&Advice::Step(step))).collect(),
        (_, false) => return Err(Failure::new("multiple", several)),
    };
    Ok(json(&steps))
}

/// The next step from a position, which has a `puzzle`, its clues, and perhaps `filled`, the clues and the digits of the
/// player, and `candidates`, those that are left in each cell, as digits. It is a digit that is wrong, a candidate that was struck wrongly, or the
/// easiest step. `null` for a solved position.
#[wasm_bindgen]
pub fn hint(position: &str) -> Result<String, Failure> {
    let given = read(position);
    let puzzle = puzzle(given["puzzle"].as_str().unwrap_or_default())?;
    let filled = match given["filled"].as_str() {
        Some(text) => self::puzzle(text)?.clues(),
        None => puzzle.clues(),
    };
    let allowed = puzzle.candidates().cells();
    let mut candidates = candidates(texts(&given["candidates"]))?;
    for (left, allowed) in candidates.iter_mut().zip(allowed) {
        *left = Digits::from_bits(left.bits() & allowed.bits());
    }
    let (solution, several) = match Solver::new().solve(&puzzle) {
        Outcome::NoSolution => return Err(no_solution()),
        Outcome::Unique(grid) => (grid, false),
        Outcome::Multiple(_) => {
            let mut rest = allowed;
            for cell in Cell::all() {
                if let Some(digit) = filled.get(cell) {
                    rest[cell.index()] = Digits::from_digit(digit);
                }
            }
            let rest = Solver::new().solve(&Candidates::from_cells(&rest));
            (rest.solution().ok_or_else(no_solution)?, true)
        }
    };
    if filled == Puzzle::from(solution) {
        return Ok(json(&Value::Null));
    }
    let hint = guide::hint(&filled, &candidates, &solution, several);
    let none = || Failure::new("no-step", "no step leads on from this position");
    Ok(json(&advice(&hint.ok_or_else(none)?)))
}

fn no_solution() -> Failure {
    let message = "the puzzle has no solution, so no step leads there";
    Failure::new("no-solution", message)
}

/// The candidates of each cell, from texts of digits.
fn candidates(given: Option<Vec<&str>>) -> Result<[Digits; CELLS], Failure> {
    let mut candidates = [Digits::ALL; CELLS];
    let Some(given) = given else {
        return Ok(candidates);
    };
    if given.len() != CELLS {
        let count = given.len();
        let message = format_args!("candidates are those of 81 cells, not of {count}");
        return Err(Failure::option(message));
    }
    for (cell, text) in given.iter().enumerate() {
        let digits: Option<Digits> = text.bytes().map(Digit::from_ascii).collect();
        candidates[cell] = digits.ok_or_else(|| {
            let wrong = format_args!("{text:?} are no digits, as \"159\" are");
            Failure::option(wrong).at("candidates", cell)
        })?;
    }
    Ok(candidates)
}

fn advice(advice: &Advice) -> Value {
    let (step, cells, digits) = match advice {
        Advice::Step(step) => (Some(step), &step.cells[..], step.digits),
        Advice::Guess {
            cell, candidates, ..
        } => (None, std::slice::from_ref(cell), *candidates),
        Advice::Wrong(at) | Advice::Struck(at) => {
            let digit = Digits::from_digit(at.digit);
            (None, std::slice::from_ref(&at.cell), digit)
        }
    };
    let is_forward = step.is_some() || matches!(advice, Advice::Guess { .. });
    let houses = step.iter().flat_map(|step| &step.houses);
    json!({
        "kind": if step.is_some() { "step" } else { advice.name() },
        "technique": is_forward.then(|| advice.name()),
        "rating": step.map(|step| f64::from(step.rating())),
        "cells": cells,
        "digits": digits.iter().collect::<Vec<_>>(),
        "houses": houses.map(House::to_string).collect::<Vec<_>>(),
        "sideCells": step.map_or(&[][..], Step::side_cells),
        "place": advice.place(),
        "strikes": advice.strikes(),
        "chains": step.and_then(Step::chain).map(chains),
        "words": advice.to_string(),
        "lines": step.map_or_else(|| vec![advice.to_string()], Step::lines),
    })
}

fn chains(hint: &Hint) -> Value {
    questions::chains(hint, |hint, shown| {
        shown["place"] = json!(hint.place);
        shown["strikes"] = json!(hint.strikes);
    })
}
