//! Pictures, and sheets to print.

use crate::{
    failure::{Failure, all_are_known, read},
    puzzles::puzzle,
};
use serde::Deserialize;
use sudoku_batch::{
    Solver,
    draw::{
        Picture,
        sheet::{PerPage, Sheet, SheetEntry},
        svg,
    },
    grid::AnyPuzzle,
    questions::Options,
    technique::Position,
};
use wasm_bindgen::prelude::*;

/// The picture of a puzzle, as `show --svg` draws it.
#[wasm_bindgen]
pub fn picture(text: &str, given: &str) -> Result<String, Failure> {
    let puzzle = puzzle(text)?;
    let mut given = Options::parse(given)?;
    let title = given.take("title").unwrap_or("puzzle".into());
    let [is_solved, has_marks] = ["solution", "candidates"].map(|name| given.take_flag(name));
    all_are_known(&given)?;
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

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Pages {
    puzzles: Vec<Entered>,
    #[serde(default)]
    title: String,
    per_page: Option<u8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entered {
    puzzle: String,
    #[serde(default)]
    note: String,
}

/// A sheet to print, as `show --html` writes it: puzzles, and their answers on the last pages.
#[wasm_bindgen]
pub fn sheet(text: &str) -> Result<String, Failure> {
    let given: Pages = read(text)?;
    let per_page = match given.per_page {
        Some(4) => PerPage::Four,
        None | Some(6) => PerPage::Six,
        Some(9) => PerPage::Nine,
        Some(_) => return Err(Failure::option("perPage is 4, 6 or 9")),
    };
    let mut entries = Vec::new();
    for (place, entered) in given.puzzles.into_iter().enumerate() {
        let puzzle = puzzle(&entered.puzzle).and_then(|puzzle| match puzzle.simplest() {
            AnyPuzzle::Cells(puzzle) => Ok(puzzle),
            AnyPuzzle::Candidates(_) => Err(Failure::form(
                "a sheet has 81 cells to write in, and no room for candidates",
            )),
        });
        let puzzle = puzzle.map_err(|failure| failure.at("puzzles", place))?;
        entries.push(SheetEntry {
            label: (place + 1).to_string(),
            puzzle,
            note: entered.note,
            answer: Solver::new().solve(&puzzle),
        });
    }
    let sheet = Sheet {
        title: given.title,
        per_page,
        entries,
    };
    Ok(sheet.to_string())
}
