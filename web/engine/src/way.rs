//! Steps and hints, as JSON.

use crate::{
    failure::{Failure, json, number, options},
    puzzles::{in_numbers, puzzle, rating},
};
use serde::Deserialize;
use serde_json::{Value, json};
use sudoku_batch::{
    Candidates, Cell, Digit, Outcome, Solver,
    grid::{CELLS, Candidate, Digits, House},
    guide::{self, Advice},
    technique::{Hint, Node, Position, Step, Steps},
};
use wasm_bindgen::prelude::*;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
struct Options {
    up_to: Option<f64>,
    #[serde(deserialize_with = "number")]
    max_work: Option<u64>,
    guess: bool,
}

/// The steps that solve a puzzle, those of `rate --explain`; with `guess` those of a guide, which
/// guesses where no technique leads on.
#[wasm_bindgen]
pub fn steps(text: &str, given: &str) -> Result<String, JsValue> {
    let puzzle = puzzle(text)?;
    let given: Options = options(given)?;
    let steps: Vec<Value> = match given.guess {
        true => guide::way(&puzzle)
            .ok_or_else(no_solution)?
            .map(|advice| self::advice(&advice))
            .collect(),
        false => {
            // The techniques count on one solution, and a search for chains might not end.
            match Solver::new().count(&puzzle, 2) {
                0 => return Err(no_solution().into()),
                1 => {}
                _ => return Err(several().into()),
            }
            let mut steps = Steps::from(Position::new(&puzzle));
            if let Some(up_to) = given.up_to {
                steps = steps.with_max_rating(rating(up_to)?);
            }
            let steps = steps.with_max_work(given.max_work.unwrap_or(u64::MAX));
            steps.map(|step| self::step(&step)).collect()
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
    let given: Given = options(position)?;
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
    let wrong = |cell: &Cell| filled.get(*cell).is_some_and(|d| d != solution.get(*cell));
    if let Some(cell) = Cell::all().find(wrong) {
        let digit = filled.get(cell).expect("it is wrong");
        return Ok(correction(
            "wrong",
            cell,
            digit,
            format!("{cell} is not {digit}: it has to go first."),
        ));
    }
    let struck = |cell: &Cell| {
        filled.get(*cell).is_none() && !candidates[cell.index()].contains(solution.get(*cell))
    };
    if let Some(cell) = Cell::all().find(struck) {
        let digit = solution.get(cell);
        let words = format!("{digit} was struck from {cell}, but the solution needs it there.");
        return Ok(correction("struck", cell, digit, words));
    }
    let position = Position::with_candidates(&filled, &candidates);
    if position.is_filled() {
        return Ok(Value::Null);
    }
    match guide::next(&position, &solution, several) {
        Some(advice) => Ok(self::advice(&advice)),
        None => Err(nothing("no-step", "no step leads on from this position")),
    }
}

/// An error of a puzzle that has no steps.
fn nothing(code: &'static str, message: &str) -> Failure {
    Failure {
        code,
        message: message.into(),
        ..Failure::default()
    }
}

fn no_solution() -> Failure {
    nothing(
        "no-solution",
        "the puzzle has no solution, so no step leads there",
    )
}

fn several() -> Failure {
    nothing(
        "multiple",
        "the puzzle has several solutions, so no steps lead to one of them without a guess",
    )
}

/// What a player did that has to be undone.
fn correction(kind: &str, cell: Cell, digit: Digit, words: String) -> Value {
    json!({
        "kind": kind, "technique": null, "rating": null, "cells": [cell.to_string()],
        "digits": [digit.get()], "houses": [], "sideCells": [], "place": null, "strikes": [],
        "chains": null, "words": words,
    })
}

/// The candidates of each cell, from texts of digits.
fn candidates(given: Option<&[String]>) -> Result<[Digits; CELLS], Failure> {
    let Some(given) = given else {
        return Ok([Digits::ALL; CELLS]);
    };
    let wrong = || Failure::option("candidates are 81 texts of digits, as \"159\"");
    let given: &[String; CELLS] = given.try_into().map_err(|_| wrong())?;
    let mut candidates = [Digits::from_bits(0); CELLS];
    for (digits, text) in candidates.iter_mut().zip(given) {
        for digit in text.bytes() {
            let digit = Digit::new(digit.wrapping_sub(b'0')).ok_or_else(wrong)?;
            digits.insert(digit);
        }
    }
    Ok(candidates)
}

fn advice(advice: &Advice) -> Value {
    match advice {
        Advice::Step(step) => self::step(step),
        Advice::Guess {
            cell,
            digit,
            candidates,
            ..
        } => json!({
            "kind": "guess",
            "technique": "guess",
            "rating": null,
            "cells": [cell.to_string()],
            "digits": digits(*candidates),
            "houses": [],
            "sideCells": [],
            "place": { "cell": cell.to_string(), "digit": digit.get() },
            "strikes": [],
            "chains": null,
            "words": advice.to_string(),
        }),
    }
}

fn step(step: &Step) -> Value {
    json!({
        "kind": "step",
        "technique": step.technique.name(),
        "rating": in_numbers(step.rating()),
        "cells": names(&step.cells),
        "digits": digits(step.digits),
        "houses": step.houses.iter().map(House::to_string).collect::<Vec<_>>(),
        "sideCells": names(step.side_cells()),
        "place": place(step.place),
        "strikes": strikes(&step.strikes),
        "chains": step.chain().map(chains),
        "words": step.to_string(),
    })
}

fn names(cells: &[Cell]) -> Vec<String> {
    cells.iter().map(Cell::to_string).collect()
}

fn digits(digits: Digits) -> Vec<u8> {
    digits.iter().map(Digit::get).collect()
}

fn place(place: Option<Candidate>) -> Value {
    json!(place.map(|place| json!({ "cell": place.cell.to_string(), "digit": place.digit.get() })))
}

fn strikes(strikes: &[Candidate]) -> Value {
    let strike = |strike: &Candidate| json!({ "cell": strike.cell.to_string(), "digit": strike.digit.get() });
    strikes.iter().map(strike).collect()
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
