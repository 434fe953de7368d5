//! Pictures and sheets.

use crate::{
    commands::{rate, show::Show},
    driver::{
        Files,
        job::{self, SHOWN},
        reader::Record,
        report::say,
        words::{counted, said},
    },
};
use anyhow::bail;
use std::{path::Path, process::ExitCode};
use sudoku_batch::{
    Outcome, Reason, Solver,
    draw::{
        Picture,
        sheet::{self, Sheet, SheetEntry},
        svg,
    },
    grid::AnyPuzzle,
    technique::{Difficulty, Position},
};

/// The most puzzles of a sheet: a browser lays out some thousand pages.
const MOST: usize = 10_000;

/// Writes a record as a picture.
pub(super) fn write_svg(
    files: &Files,
    options: &Show,
    path: &Path,
    record: &Record,
) -> anyhow::Result<ExitCode> {
    let puzzle = match &record.puzzle {
        Ok(puzzle) => puzzle,
        Err(error) => {
            complain(record, &Reason::Malformed(*error));
            return Ok(ExitCode::from(1));
        }
    };
    let outcome = solve(puzzle);
    let clues = puzzle.clues();
    let mut picture = match outcome.solution() {
        Some(solution) if options.solutions() > 0 => Picture::solved(&clues, &solution),
        _ => Picture::new(&clues),
    };
    if options.candidates || matches!(puzzle, AnyPuzzle::Candidates(_)) {
        let position = Position::new(puzzle);
        picture = picture.with_marks(|cell| position.candidates(cell));
    }
    let document = match &options.title {
        Some(title) => svg::document_under(title, &picture),
        None => svg::document(&picture, &record.title()),
    };
    write(files, "--svg", path, &document)?;
    let reason = problem(puzzle, &outcome);
    if let Some(reason) = &reason {
        complain(record, reason);
    }
    Ok(ExitCode::from(u8::from(reason.is_some())))
}

/// Writes records as a sheet. What has no solution is reported; what is malformed is left out.
pub(super) fn write_sheet(
    files: &Files,
    options: &Show,
    path: &Path,
    records: Vec<Record>,
) -> anyhow::Result<ExitCode> {
    if records.len() > MOST {
        bail!(
            "{} puzzles are too many for a sheet: {MOST} at most; --record A..B chooses some",
            records.len()
        );
    }
    let mut wrong = 0;
    let mut report = |record: &Record, reason: &Reason| {
        wrong += 1;
        if wrong <= SHOWN {
            complain(record, reason);
        }
    };
    let mut entries = Vec::new();
    for record in &records {
        // A sheet has 81 cells to write in, and no room for candidates.
        let puzzle = match record.puzzle_of_cells() {
            Ok(puzzle) => puzzle,
            Err(error) => {
                report(record, &Reason::Malformed(error));
                continue;
            }
        };
        let outcome = solve(&puzzle.into());
        if let Some(reason) = problem(&puzzle.into(), &outcome) {
            report(record, &reason);
        }
        entries.push(SheetEntry {
            label: record.number.to_string(),
            puzzle,
            note: String::new(),
            answer: outcome,
        });
    }
    let title = options.title.clone().unwrap_or_default();
    if options.ratings {
        let rated = rate::ers(entries.iter().map(|entry| &entry.puzzle));
        for (entry, er) in entries.iter_mut().zip(rated) {
            if let Some(er) = er {
                let difficulty = sheet::difficulty(&title, Difficulty::of(Some(er)));
                entry.note = format!("ER {er}, {difficulty}");
            }
        }
    }
    let sheet = Sheet {
        title,
        per_page: options.per_page.into(),
        entries,
    };
    write(files, "--html", path, &sheet.to_string())?;
    if wrong > 0 {
        say(format_args!(
            "sudoku-batch: {wrong} of {} {}",
            counted(records.len() as u64, "records"),
            said(wrong as u64, "have no solution or are left out")
        ));
    }
    Ok(ExitCode::from(u8::from(wrong > 0)))
}

fn solve(puzzle: &AnyPuzzle) -> Outcome {
    match puzzle.clues().conflict() {
        Some(_) => Outcome::NoSolution,
        None => Solver::new().solve(puzzle),
    }
}

/// The reason why a puzzle has no solution, if it has none.
fn problem(puzzle: &AnyPuzzle, outcome: &Outcome) -> Option<Reason> {
    match (puzzle.clues().conflict(), outcome) {
        (Some(conflict), _) => Some(Reason::Duplicate(conflict)),
        (None, Outcome::NoSolution) => Some(Reason::NoSolution),
        _ => None,
    }
}

/// Tells what is wrong with a record, in the words of all commands.
fn complain(record: &Record, reason: &Reason) {
    let (name, detail) = (reason.name(), reason.to_string());
    let colon = if detail.is_empty() { "" } else { ": " };
    match &record.place {
        Some((file, line)) => say(format_args!("{file}:{line}: {name}{colon}{detail}")),
        None => say(format_args!("puzzle: {name}{colon}{detail}")),
    }
}

fn write(files: &Files, option: &str, path: &Path, text: &str) -> anyhow::Result<()> {
    job::write(files.create(option, path, None)?, text)
}
