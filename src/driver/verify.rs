//! `--verify`: checks records before they are written, by a method that shares no code with the
//! one that made them.
//!
//! | kind of column | check |
//! |---|---|
//! | grids and solutions | by [`Verifier`], from the characters that are about to be written |
//! | puzzles and canonical forms | solved again by the other engine |
//! | images | as many solutions as the record, by an engine; their solutions by [`Verifier`] |
//! | numbers of grids | the grid of the number is made again |
//! | records without an answer | solved again by the other engine |
//!
//! A command names the kind in its [`Plan`](super::Plan), and the driver checks each batch. The
//! first wrong record ends the run. Commands that make records without input call [`Checker`]
//! themselves.

use super::{RecordBatch, rows::MadeRows};
use std::fmt::Display;
use sudoku_batch::{
    Cell, Digit, Engine, Level, Puzzle, Question, Solver,
    format::{Column, Records},
    generate::Sequence,
    grid::{AnyPuzzle, CELLS, Candidates, Digits, GridLine},
    questions::verification::{Checker, Wrong, first, is_blank, line_of, usual_engine},
    solve::gives_up,
    symmetry::Transformation,
};

/// How the rows of a command are checked, by the kind of its columns.
pub(crate) enum Check {
    /// The first column is the solution of the record. There is a row for each record.
    Solutions {
        question: Question,
        level: Level,
        engine: Option<Engine>,
        max_guesses: Option<u64>,
    },
    /// This column is a solution. The solutions of a record are in ascending order.
    ListedSolutions(usize),
    /// The first column is the canonical form of the record, and this column the transformation
    /// that leads to it.
    Forms(Option<usize>),
    /// The first column is the number of the record in this sequence.
    Numbers(Box<Sequence>),
    /// The first column is an image of the record. The second is the image of its solution, which
    /// stands in this column of the input.
    Images(Option<Column>),
}

impl Check {
    /// Checks the rows of a batch. Returns the first record that is wrong.
    pub(super) fn check(
        &self,
        checker: &mut Checker,
        batch: &RecordBatch<'_>,
        made: &MadeRows<'_>,
        part: &mut Part,
    ) -> Result<(), Wrong> {
        let records = batch.records;
        match self {
            &Check::Solutions {
                question,
                level,
                engine,
                max_guesses,
            } => {
                let solver = Solver::with_level(level).expect("the level was checked by clap");
                let solver = match engine {
                    Some(engine) => solver.with_engine(engine),
                    None => solver,
                };
                let is_unsolved = |puzzle: &AnyPuzzle, count| {
                    let is_given_up = |most| gives_up(puzzle, question, most);
                    count == 0
                        || count > 1 && question == Question::Unique
                        || max_guesses.is_some_and(is_given_up)
                };
                let engine = solver.engine_for(records.len());
                checker.solved(engine, records, made.lines(), is_unsolved)
            }
            Check::ListedSolutions(column) => listed(checker, records, made, *column, part),
            Check::Forms(transformation) => forms(checker, records, made, *transformation),
            Check::Numbers(sequence) => numbers(records, made, sequence),
            Check::Images(solution) => {
                let images = Images::of(records, made);
                // No engine makes images, so any engine will do.
                let counts = images.check_counts(checker.count(Engine::Scalar, &images.puzzles));
                let Some(column) = solution else {
                    return counts;
                };
                first(counts, images.check_solutions(checker, batch, column))
            }
        }
    }
}

/// The error for a record at a place.
pub(crate) fn error(place: impl Display, what: impl Display) -> anyhow::Error {
    anyhow::anyhow!(
        "{place}: --verify found a wrong answer: {what}; output files stay as they were"
    )
}

/// How far the parts of a batch are checked that come before a part.
#[derive(Default)]
pub(super) struct Part {
    /// The records before this one are whole.
    pub(super) from: usize,
    /// The record of the last row, and its cells.
    last: Option<(usize, GridLine)>,
    /// The records before this one are whole after the part.
    pub(super) to: usize,
}

/// Checks solutions of records, of which a record may have several.
fn listed(
    checker: &mut Checker,
    records: &Records,
    made: &MadeRows<'_>,
    column: usize,
    part: &mut Part,
) -> Result<(), Wrong> {
    let (mut lines, mut of_lines) = (Vec::new(), Vec::new());
    let mut has_solution = vec![false; records.len()];
    for row in made.rows().filter(|row| !row.value(column).is_empty()) {
        lines.push(line_of(row.value(column)));
        of_lines.push(row.record);
        has_solution[row.record] = true;
    }
    let solutions = checker
        .solutions_of(records, of_lines.iter().copied(), &lines)
        .map_err(|wrong| Wrong::new(of_lines[wrong.record], wrong.what));
    // In order, and so none comes twice.
    let row = |at: usize| Some((*of_lines.get(at)?, *lines.get(at)?));
    let before = |at: usize| at.checked_sub(1).map_or(part.last, row);
    let follows = |at: usize| {
        before(at).is_none_or(|(record, line)| of_lines[at] != record || line < lines[at])
    };
    let order = match (0..lines.len()).find(|&at| !follows(at)) {
        Some(at) => Err(Wrong::new(of_lines[at], "its solutions are not in order")),
        None => Ok(()),
    };
    if let Some((record, _)) = part.last {
        has_solution[record] = true;
    }
    let unsolved = (part.from..part.to).filter(|&record| !has_solution[record]);
    // The scalar engine lists the solutions.
    let is_unsolved = |_: &AnyPuzzle, count| count == 0;
    let unsolved = checker.unanswered(Engine::Scalar, records, unsolved, is_unsolved);
    part.from = part.to;
    part.last = lines.len().checked_sub(1).map_or(part.last, row);
    first(first(solutions, order), unsolved)
}

/// Checks canonical forms as far as possible without canonical forms: a form has one solution
/// and the digits of the record, and the transformation that is written leads to it.
fn forms(
    checker: &mut Checker,
    records: &Records,
    made: &MadeRows<'_>,
    transformation: Option<usize>,
) -> Result<(), Wrong> {
    let engine = usual_engine(records.len());
    let (mut of_forms, mut forms, mut without) = (Vec::new(), Vec::new(), Vec::new());
    for row in made.rows() {
        match row.value(0) {
            [] => without.push(row.record),
            form => {
                of_forms.push(row);
                // A puzzle without clues has several solutions, and so it is no form.
                forms.push(puzzle_of(form).unwrap_or(Puzzle::EMPTY.into()));
            }
        }
    }
    let counts = checker.count(engine, &forms);
    let fault =
        |record: usize, form: &AnyPuzzle, is_unique: bool, transformation: Option<&[u8]>| {
            let Ok(puzzle) = records.puzzle(record) else {
                return Some("a malformed record has a form");
            };
            if !is_unique {
                return Some("the second engine does not find exactly one solution of the form");
            }
            let (form, puzzle) = (form.simplest(), puzzle.simplest());
            if digit_counts(&form) != digit_counts(&puzzle) {
                return Some("the form has other digits than the record");
            }
            let text = str::from_utf8(transformation?).unwrap_or_default();
            match text.parse::<Transformation>() {
                Err(_) => Some("the transformation is malformed"),
                Ok(found) if image(&puzzle, &found) == form => None,
                Ok(_) => Some("the transformation does not lead to the form"),
            }
        };
    let mut wrong = of_forms
        .iter()
        .zip(&forms)
        .zip(counts)
        .filter_map(|((row, form), count)| {
            let transformation = transformation.map(|column| row.value(column));
            let what = fault(row.record, form, count == 1, transformation)?;
            Some(Wrong::new(row.record, what))
        });
    let checked = wrong.next().map_or(Ok(()), Err);
    let is_without = |_: &AnyPuzzle, count| count != 1;
    let without = checker.unanswered(engine, records, without.into_iter(), is_without);
    first(checked, without)
}

/// Checks numbers of grids: makes the grid of each number again.
fn numbers(records: &Records, made: &MadeRows<'_>, sequence: &Sequence) -> Result<(), Wrong> {
    for row in made.rows().filter(|row| !row.value(0).is_empty()) {
        let number = str::from_utf8(row.value(0)).unwrap_or_default();
        let grid = number.parse().ok().and_then(|n| sequence.grid(n));
        let clues = records.puzzle(row.record).map(|puzzle| puzzle.clues());
        if grid.is_none_or(|grid| clues != Ok(grid.into())) {
            let what = format!("{number} is the number of another grid");
            return Err(Wrong::new(row.record, what));
        }
    }
    Ok(())
}

/// The image of a puzzle, by the words that explain a transformation in its documentation.
fn image(puzzle: &AnyPuzzle, transformation: &Transformation) -> AnyPuzzle {
    let (rows, columns) = (transformation.rows(), transformation.columns());
    let from = |at: usize| {
        let [row, column] = [rows[at / 9], columns[at % 9]].map(usize::from);
        match transformation.is_transposed() {
            true => Cell::at(column, row),
            false => Cell::at(row, column),
        }
    };
    let renamed = |digit: Digit| transformation.digit(digit);
    match puzzle {
        AnyPuzzle::Cells(puzzle) => {
            let mut image = Puzzle::EMPTY;
            for cell in Cell::all() {
                image.set(cell, puzzle.get(from(cell.index())).map(renamed));
            }
            image.into()
        }
        AnyPuzzle::Candidates(candidates) => {
            let digits = |at: usize| candidates.get(from(at)).iter().map(renamed);
            let cells: [Digits; CELLS] = std::array::from_fn(|at| digits(at).collect());
            Candidates::from_cells(&cells).into()
        }
    }
}

/// The images of a batch, to be checked: for each record the record itself, and its images.
#[derive(Default)]
struct Images {
    /// The record of each puzzle. The first puzzle of a record is the record itself.
    records: Vec<usize>,
    puzzles: Vec<AnyPuzzle>,
    /// The solution that is written beside each puzzle, if it is one.
    solutions: Vec<Option<GridLine>>,
}

impl Images {
    fn of(records: &Records, made: &MadeRows<'_>) -> Self {
        let mut images = Self::default();
        for row in made.rows() {
            let record = row.record;
            if images.records.last() != Some(&record) {
                // A malformed record has no images. If it has, they are those of no puzzle.
                let itself = records.puzzle(record).unwrap_or(Puzzle::EMPTY.into());
                images.push(record, itself, None);
            }
            match &row.images {
                None => images.push(record, puzzle_or_empty(row.value(0)), None),
                Some(columns) => {
                    for (at, puzzle) in columns[0].iter().enumerate() {
                        let solution = columns.get(1).map(|column| column[at]);
                        images.push(record, puzzle_or_empty(&puzzle[..CELLS]), solution);
                    }
                }
            }
        }
        images
    }

    fn push(&mut self, record: usize, puzzle: AnyPuzzle, solution: Option<GridLine>) {
        self.records.push(record);
        self.puzzles.push(puzzle);
        self.solutions.push(solution);
    }

    /// Checks that each image has the digits of its record, and as many solutions.
    fn check_counts(&self, counts: Vec<u64>) -> Result<(), Wrong> {
        let mut itself = 0;
        for (at, &record) in self.records.iter().enumerate() {
            if self.records[itself] != record {
                itself = at;
            }
            let [image, puzzle] = [at, itself].map(|at| &self.puzzles[at]);
            if digit_counts(image) != digit_counts(puzzle) {
                return Err(Wrong::new(
                    record,
                    "an image has other digits than the record",
                ));
            }
            if counts[at] != counts[itself] {
                let what = "an image has another number of solutions than the record";
                return Err(Wrong::new(record, what));
            }
        }
        Ok(())
    }

    /// Checks that the solutions of images are solutions, where that of the record is one.
    fn check_solutions(
        &self,
        checker: &Checker,
        batch: &RecordBatch<'_>,
        column: &Column,
    ) -> Result<(), Wrong> {
        let is_right = |record: usize| {
            let text = batch.value(record, column);
            let solution = text.as_deref().and_then(cells_of);
            let line = solution.map(|solution| line_of(solution.as_ascii()));
            let solves = |line| {
                let solutions = checker.solutions_of(batch.records, [record].into_iter(), &[line]);
                solutions.is_ok()
            };
            line.is_some_and(|line| !is_blank(&line) && solves(line))
        };
        let (mut puzzles, mut lines, mut records) = (Vec::new(), Vec::new(), Vec::new());
        let mut last = None;
        for ((&record, puzzle), solution) in
            self.records.iter().zip(&self.puzzles).zip(&self.solutions)
        {
            let Some(solution) = solution else { continue };
            if last.is_none_or(|(known, _)| known != record) {
                last = Some((record, is_right(record)));
            }
            if last == Some((record, true)) {
                puzzles.push(*puzzle.clues().as_ascii());
                lines.push(*solution);
                records.push(record);
            }
        }
        let blank = lines.iter().position(is_blank).map_or(Ok(()), |at| {
            Err(Wrong::new(records[at], "an image has no solution"))
        });
        let wrong = checker.solutions(&puzzles, &lines);
        let wrong = wrong.map_err(|wrong| Wrong::new(records[wrong.record], wrong.what));
        first(blank, wrong)
    }
}

/// A puzzle by its cells or by their candidates.
fn puzzle_of(text: &[u8]) -> Option<AnyPuzzle> {
    match text.as_array() {
        Some(text) => Some(Candidates::from_ascii(text).ok()?.into()),
        None => Some(cells_of(text)?.into()),
    }
}

fn puzzle_or_empty(text: &[u8]) -> AnyPuzzle {
    puzzle_of(text).unwrap_or(Puzzle::EMPTY.into())
}

/// Cells: digits, and blanks of any kind.
fn cells_of(text: &[u8]) -> Option<Puzzle> {
    str::from_utf8(text).ok()?.parse().ok()
}

/// How often each digit stands in some cells, or is a candidate, in ascending order. Symmetries do not
/// change it.
fn digit_counts(puzzle: &AnyPuzzle) -> [usize; 9] {
    let mut counts = [0; 9];
    for digit in puzzle
        .candidates()
        .cells()
        .iter()
        .flat_map(|cell| cell.iter())
    {
        counts[digit.index()] += 1;
    }
    counts.sort_unstable();
    counts
}
