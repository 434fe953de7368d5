//! Pictures, and sheets to print.

use crate::{
    failure::{Failure, options, read},
    puzzles::puzzle,
};
use serde_json::Value;
use sudoku_batch::{
    Solver,
    draw::{
        Picture,
        sheet::{PerPage, Sheet, SheetEntry},
        svg,
    },
    grid::AnyPuzzle,
    technique::Position,
};
use wasm_bindgen::prelude::*;

/// The picture of a puzzle, as `show --svg` draws it.
#[wasm_bindgen]
pub fn picture(text: &str, given: &str) -> Result<String, Failure> {
    let puzzle = puzzle(text)?;
    let mut given = options("picture", &["title", "solution", "candidates"], given)?;
    let title = given.take("title").unwrap_or("puzzle".into());
    let is_solved = given.take_flag("solution")?;
    let has_marks = given.take_flag("candidates")?;
    let clues = puzzle.clues();
    let solved = is_solved.then(|| Solver::new().solve(&puzzle));
    let mut picture = match solved.and_then(|outcome| outcome.solution()) {
        Some(solution) => Picture::solved(&clues, &solution),
        None => Picture::new(&clues),
    };
    if has_marks || matches!(puzzle, AnyPuzzle::Candidates(_)) {
        let position = Position::new(&puzzle);
        picture = picture.with_marks(|cell| position.candidates(cell));
    }
    Ok(svg::document(&picture, &title))
}

/// A sheet to print, as `show --html` writes it: puzzles, and their answers on the last pages.
#[wasm_bindgen]
pub fn sheet(text: &str) -> Result<String, Failure> {
    let given = read(text);
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let per_page = match given["perPage"].as_u64() {
        Some(4) => PerPage::Four,
        Some(9) => PerPage::Nine,
        _ => PerPage::Six,
    };
    let mut entries = Vec::new();
    let entered = given["puzzles"].as_array();
    for (place, entered) in entered.into_iter().flatten().enumerate() {
        let puzzle = puzzle(&text(&entered["puzzle"])).and_then(|puzzle| match puzzle.simplest() {
            AnyPuzzle::Cells(puzzle) => Ok(puzzle),
            AnyPuzzle::Candidates(_) => Err(Failure::form(
                "a sheet has 81 cells to write in, and no room for candidates",
            )),
        });
        let puzzle = puzzle.map_err(|failure| failure.at("puzzles", place))?;
        entries.push(SheetEntry {
            label: (place + 1).to_string(),
            puzzle,
            note: text(&entered["note"]),
            answer: Solver::new().solve(&puzzle),
        });
    }
    let sheet = Sheet {
        title: text(&given["title"]),
        per_page,
        entries,
    };
    Ok(sheet.to_string())
}
