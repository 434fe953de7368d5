//! Steps and hints, as JSON.

use crate::{
    failure::{Failure, json, read},
    puzzles::puzzle,
};
use serde::Deserialize;
use serde_json::{Value, json};
use sudoku_batch::{
    Candidates, Cell, Digit, Outcome, Puzzle, Solver,
    grid::{CELLS, Candidate, Digits, House},
    guide::{self, Advice},
    questions::{self, Options, RATE},
    technique::{Hint, Node, Position, Step, Steps},
};
use wasm_bindgen::prelude::*;

/// The steps that solve a puzzle, those of `rate --explain`; with `guess` those of a guide, which
/// guesses where no technique leads on.
#[wasm_bindgen]
pub fn steps(text: &str, given: &str) -> Result<String, JsValue> {
    let puzzle = puzzle(text)?;
    let mut given = Options::parse(given).map_err(Failure::from)?;
    let guesses = given.take("guess").as_deref() == Some("true");
    let (mut up_to, mut max_work) = (None, u64::MAX);
    for (setting, value) in RATE.read(given.iter()).map_err(Failure::from)? {
        match (setting.name, value) {
            ("up-to", questions::Value::Rating(rating)) => up_to = Some(rating),
            ("max-work", questions::Value::Number(most)) => max_work = most,
            (name, _) => return Err(Failure::option(format_args!("steps take no {name}")).into()),
        }
    }
    let steps: Vec<Value> = match guesses {
        true => guide::way(&puzzle)
            .ok_or_else(no_solution)?
            .map(|step| advice(&step))
            .collect(),
        false => {
            // The techniques count on one solution, and a search for chains might not end.
            match Solver::new().count(&puzzle, 2) {
                0 => return Err(no_solution().into()),
                1 => {}
                _ => return Err(several().into()),
            }
            let mut steps = Steps::from(Position::new(&puzzle));
            if let Some(up_to) = up_to {
                steps = steps.with_max_rating(up_to);
            }
            let steps = steps.with_max_work(max_work);
            steps.map(|step| advice(&Advice::Step(step))).collect()
        }
    };
    Ok(json(&steps))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    /// The clues.
    puzzle: String,
    /// The clues and the digits of the player.
    #[serde(default)]
    filled: Option<String>,
    /// The candidates that are left in each cell, as digits.
    #[serde(default)]
    candidates: Option<Vec<String>>,
}

/// The next step from a position: a digit that is wrong, a candidate that was struck wrongly, or the
/// easiest step. `null` for a solved position.
#[wasm_bindgen]
pub fn hint(position: &str) -> Result<String, JsValue> {
    let given: Given = read(position)?;
    Ok(json(&next(&given)?))
}

fn next(given: &Given) -> Result<Value, Failure> {
    let puzzle = self::puzzle(&given.puzzle)?;
    let filled = match &given.filled {
        Some(text) => self::puzzle(text)?.clues(),
        None => puzzle.clues(),
    };
    let allowed = puzzle.candidates().cells();
    let mut candidates = candidates(given.candidates.as_deref())?;
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
            let rest = rest.solution();
            (rest.ok_or_else(no_solution)?, true)
        }
    };
    if filled == Puzzle::from(solution) {
        return Ok(Value::Null);
    }
    match guide::hint(&filled, &candidates, &solution, several) {
        Some(advice) => Ok(self::advice(&advice)),
        None => Err(Failure::new(
            "no-step",
            "no step leads on from this position",
        )),
    }
}

fn no_solution() -> Failure {
    let message = "the puzzle has no solution, so no step leads there";
    Failure::new("no-solution", message)
}

fn several() -> Failure {
    let message =
        "the puzzle has several solutions, so no steps lead to one of them without a guess";
    Failure::new("multiple", message)
}

/// The candidates of each cell, from texts of digits.
fn candidates(given: Option<&[String]>) -> Result<[Digits; CELLS], Failure> {
    let Some(given) = given else {
        return Ok([Digits::ALL; CELLS]);
    };
    let given: &[String; CELLS] = given.try_into().map_err(|_| {
        let count = given.len();
        Failure::option(format!("candidates are those of 81 cells, not of {count}"))
    })?;
    let mut candidates = [Digits::from_bits(0); CELLS];
    for (cell, text) in given.iter().enumerate() {
        for digit in text.bytes() {
            let digit = Digit::new(digit.wrapping_sub(b'0')).ok_or_else(|| {
                let wrong = format!("{text:?} are no digits, as \"159\" are");
                Failure::option(wrong).at("candidates", cell)
            })?;
            candidates[cell].insert(digit);
        }
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
        "cells": names(cells),
        "digits": digits.iter().map(Digit::get).collect::<Vec<_>>(),
        "houses": houses.map(House::to_string).collect::<Vec<_>>(),
        "sideCells": step.map_or(Vec::new(), |step| names(step.side_cells())),
        "place": place(advice.place()),
        "strikes": strikes(advice.strikes()),
        "chains": step.and_then(Step::chain).map(chains),
        "words": advice.to_string(),
        "lines": step.map_or_else(|| vec![advice.to_string()], Step::lines),
    })
}

fn names(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::to_string).collect()
}

fn place(place: Option<Candidate>) -> Value {
    place.map_or(Value::Null, candidate)
}

fn strikes(strikes: &[Candidate]) -> Value {
    strikes.iter().copied().map(candidate).collect()
}

fn candidate(Candidate { cell, digit }: Candidate) -> Value {
    json!({ "cell": cell.to_string(), "digit": digit.get() })
}

/// The chains of a step. Of each chain there are its nodes, from the assumption on. `parents` are the
/// places of the nodes that a node follows from.
fn chains(hint: &Hint) -> Value {
    json!({
        "kind": hint.kind_name(),
        "start": hint.start(),
        "length": hint.length,
        "chains": hint.chains.iter().map(|chain| nodes(chain)).collect::<Value>(),
        "place": place(hint.place),
        "strikes": strikes(&hint.strikes),
    })
}

fn nodes(chain: &[Node]) -> Value {
    let last = chain.len() - 1;
    let node = |node: &Node| {
        let parents: Vec<_> = node.parents.iter().map(|parent| last - parent).collect();
        json!({
            "cell": node.cell.to_string(),
            "digit": node.digit.get(),
            "on": node.on,
            "reason": node.reason(),
            "parents": parents,
            "inner": node.inner.as_deref().map(chains),
        })
    };
    chain.iter().rev().map(node).collect()
}
