//! Checks of the rows of an answer, by the kind of its columns.
//!
//! | kind of column | check |
//! |---|---|
//! | grids and solutions | by [`verify`](crate::verify), from the characters that are about to be written |
//! | puzzles and canonical forms | solved again by the other engine |
//! | smallest and largest images | as many solutions as the record, by an engine; not beaten by the record itself |
//! | images | as many solutions as the record, by an engine; their solutions by [`verify`](crate::verify) |
//! | numbers of grids | the grid of the number is made again |
//! | grids and puzzles that are made | grids and solutions as above; puzzles solved again by the other engine |
//! | records without an answer | solved again by the other engine |
//!
//! A question names the kind ([`Question::check`](crate::questions::Question::check)), and whoever writes
//! rows checks each batch before. The first wrong record ends the run.

use super::{Checker, Wrong, first, is_blank, usual_engine};
use crate::{
    format::{Records, Values},
    generate::Grids,
    grid::{AnyPuzzle, CELLS, Candidates, Cell, Digit, Digits, Grid, GridLine, Puzzle},
    puzzle::Recipe,
    questions::{Answer, Data, PuzzleValue},
    simd::Level,
    solve::{Engine, Goal, NotUniqueError, Solver, gives_up},
    symmetry::Transformation,
};

/// How the rows of an answer are checked.
#[derive(Debug)]
#[non_exhaustive]
pub enum Check {
    /// The first column of cells is the solution of the record. There is a row for each record.
    Solutions {
        /// The request.
        goal: Goal,
        /// The instruction set that solved them.
        level: Level,
        /// The engine that solved them, if it was chosen.
        engine: Option<Engine>,
        /// The most guesses that were allowed.
        max_guesses: Option<u64>,
    },
    /// The first column of cells is a solution. The solutions of a record are in ascending order.
    ListedSolutions,
    /// The first column of puzzles is the canonical form of the record, and the first column of text, if there is one, the
    /// transformation that leads to it.
    Forms,
    /// The first column of puzzles is the smallest or the largest image of the record's own cells, and the first column of
    /// text, if there is one, the transformation that leads to it.
    ExtremeImages {
        /// True if the images are the largest.
        largest: bool,
    },
    /// The first column of numbers is the number of the record in this sequence.
    Numbers(Box<Grids>),
    /// The first column of puzzles is an image of the record. The second, if there is one, is the image of its
    /// answer.
    Images,
    /// The first column of cells has grids that are made.
    Grids,
    /// The first column of puzzles has puzzles that are made by this recipe, and the first column of cells
    /// their solutions.
    Puzzles(Box<Recipe>),
}

impl Check {
    /// Checks the rows of a batch. `answers` gives the answer that stands beside a record.
    ///
    /// # Errors
    ///
    /// The first record that is wrong.
    pub fn check(
        &self,
        checker: &mut Checker,
        records: &Records,
        answer: &Answer<'_>,
        answers: &dyn Fn(usize) -> Option<Puzzle>,
        part: &mut Part,
    ) -> Result<(), Wrong> {
        match self {
            &Self::Solutions {
                goal,
                level,
                engine,
                max_guesses,
            } => {
                let solver = Solver::with_level(level).expect("it solved the records");
                let solver = match engine {
                    Some(engine) => solver.with_engine(engine),
                    None => solver,
                };
                let is_unsolved = |puzzle: &AnyPuzzle, count| {
                    let is_given_up = |most| gives_up(puzzle, goal, most);
                    count == 0
                        || count > 1 && goal == Goal::Unique
                        || max_guesses.is_some_and(is_given_up)
                };
                let engine = solver.engine_for(records.len());
                let lines = lines(answer, column_of(answer, Values::Cells));
                checker.solved(engine, records, lines, is_unsolved)
            }
            Self::ListedSolutions => listed(checker, records, answer, part),
            Self::Forms => forms(checker, records, answer),
            &Self::ExtremeImages { largest } => extreme_images(checker, records, answer, largest),
            Self::Numbers(sequence) => numbers(records, answer, sequence),
            Self::Images => {
                let images = Images::of(records, answer);
                // No engine makes images, so any engine will do.
                let counts = images.check_counts(checker.count(Engine::Scalar, &images.puzzles));
                if answer.kinds().len() == 1 {
                    return counts;
                }
                first(counts, images.check_solutions(checker, records, answers))
            }
            Self::Grids => checker.grids(lines(answer, column_of(answer, Values::Cells))),
            Self::Puzzles(recipe) => made_puzzles(checker, answer, recipe),
        }
    }
}

/// The lines of a column of solutions.
fn lines<'a>(answer: &'a Answer<'_>, column: usize) -> &'a [GridLine] {
    let lines = answer.column(column).lines();
    lines.expect("the column has solutions")
}

/// The first column of a kind.
fn column_of(answer: &Answer<'_>, kind: Values) -> usize {
    columns_of(answer, kind)
        .next()
        .expect("a column of the kind")
}

/// The columns of a kind.
fn columns_of<'a>(answer: &'a Answer<'_>, kind: Values) -> impl Iterator<Item = usize> + 'a {
    let kinds = answer.kinds().iter().enumerate();
    kinds
        .filter(move |(_, known)| **known == kind)
        .map(|(column, _)| column)
}

/// The record and the place of each row that has values.
fn rows<'a>(answer: &'a Answer<'_>) -> impl Iterator<Item = (usize, usize)> + 'a {
    let entries = answer.entries();
    entries.flat_map(|(record, places)| places.map(move |place| (record, place)))
}

/// The puzzle at a place of a column; a text that is none is an empty puzzle.
fn puzzle(answer: &Answer<'_>, column: usize, place: usize) -> Option<AnyPuzzle> {
    let Data::Puzzles(puzzles) = answer.column(column) else {
        panic!("the column has puzzles");
    };
    match puzzles.get(place) {
        PuzzleValue::Nothing => None,
        PuzzleValue::Cells(cells) => Some(Puzzle::with_blanks_for_others(cells).into()),
        PuzzleValue::Candidates(candidates, _) => Some((*candidates).into()),
        PuzzleValue::Text(_) => Some(Puzzle::EMPTY.into()),
    }
}

/// How far the parts of a batch are checked that come before a part.
#[derive(Debug, Default)]
pub struct Part {
    /// The records before this one are whole.
    pub from: usize,
    /// The record of the last row, and its cells.
    last: Option<(usize, GridLine)>,
    /// The records before this one are whole after the part.
    pub to: usize,
}

/// Checks solutions of records, of which a record may have several.
fn listed(
    checker: &mut Checker,
    records: &Records,
    answer: &Answer<'_>,
    part: &mut Part,
) -> Result<(), Wrong> {
    let all = lines(answer, column_of(answer, Values::Cells));
    let (mut lines, mut of_lines) = (Vec::new(), Vec::new());
    let mut has_solution = vec![false; records.len()];
    for (record, place) in rows(answer).filter(|&(_, place)| !is_blank(&all[place])) {
        lines.push(all[place]);
        of_lines.push(record);
        has_solution[record] = true;
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
fn forms(checker: &mut Checker, records: &Records, answer: &Answer<'_>) -> Result<(), Wrong> {
    let engine = usual_engine(records.len());
    let column = column_of(answer, Values::Puzzles);
    let transformation = columns_of(answer, Values::Text).next();
    let (mut of_forms, mut forms, mut without) = (Vec::new(), Vec::new(), Vec::new());
    for (record, place) in rows(answer) {
        match puzzle(answer, column, place) {
            None => without.push(record),
            Some(form) => {
                of_forms.push((record, place));
                forms.push(form);
            }
        }
    }
    let counts = checker.count(engine, &forms);
    let fault = |(record, place): (usize, usize), form: &AnyPuzzle, is_unique: bool| {
        let Ok(puzzle) = records.puzzle(record) else {
            return Some("a malformed record has a canonical form");
        };
        if !is_unique {
            return Some(
                "the second engine does not find exactly one solution of the canonical form",
            );
        }
        let (form, puzzle) = (form.simplest(), puzzle.simplest());
        if digit_counts(&form) != digit_counts(&puzzle) {
            return Some("the canonical form has other digits than the record");
        }
        wrong_transformation(answer, (transformation?, place), &puzzle, &form)
    };
    let mut wrong = of_forms
        .iter()
        .zip(&forms)
        .zip(counts)
        .filter_map(|((&row, form), count)| Some(Wrong::new(row.0, fault(row, form, count == 1)?)));
    let checked = wrong.next().map_or(Ok(()), Err);
    let is_without = |_: &AnyPuzzle, count| count != 1;
    let without = checker.unanswered(engine, records, without.into_iter(), is_without);
    first(checked, without)
}

/// The error of the transformation at a column and a place, which must lead from a puzzle to its form.
fn wrong_transformation(
    answer: &Answer<'_>,
    (column, place): (usize, usize),
    puzzle: &AnyPuzzle,
    form: &AnyPuzzle,
) -> Option<&'static str> {
    let Data::Texts(texts) = answer.column(column) else {
        panic!("transformations are text");
    };
    let text = str::from_utf8(texts.get(place)).unwrap_or_default();
    match text.parse::<Transformation>() {
        Err(_) => Some("the transformation is malformed"),
        Ok(found) if image(puzzle, &found) == *form => None,
        Ok(_) => Some("the transformation does not lead to the canonical form"),
    }
}

/// Checks smallest or largest images: the digits of the record, as many solutions, digits that are named in
/// turn, and an image that the record itself does not beat. The transformation that is written leads to
/// it. A record without an image has a digit twice in a house, or no cells.
fn extreme_images(
    checker: &mut Checker,
    records: &Records,
    answer: &Answer<'_>,
    largest: bool,
) -> Result<(), Wrong> {
    let column = column_of(answer, Values::Puzzles);
    let transformation = columns_of(answer, Values::Text).next();
    let (mut places, mut puzzles) = (Vec::new(), Vec::new());
    let mut wrong = Ok(());
    for (record, place) in rows(answer) {
        let cells = records.puzzle_of_cells(record);
        let cells = cells.ok().filter(|cells| cells.conflict().is_none());
        match (cells, puzzle(answer, column, place)) {
            (None, None) => {}
            (Some(_), None) => {
                wrong = first(wrong, Err(Wrong::new(record, "the record has an image")));
            }
            (None, Some(_)) => {
                let what = "a record that can have no image has one";
                wrong = first(wrong, Err(Wrong::new(record, what)));
            }
            (Some(cells), Some(form)) => {
                places.push((record, place));
                puzzles.extend([cells.into(), form.simplest()]);
            }
        }
    }
    let counts = checker.count(usual_engine(records.len()), &puzzles);
    let pairs = puzzles.chunks_exact(2).zip(counts.chunks_exact(2));
    for (&(record, place), (pair, counts)) in places.iter().zip(pairs) {
        let (puzzle, form) = (&pair[0], &pair[1]);
        let is_beaten = {
            let itself = named_in_turn(&puzzle.clues(), largest);
            match largest {
                true => form.clues() < itself,
                false => form.clues() > itself,
            }
        };
        let fault = if digit_counts(form) != digit_counts(puzzle) {
            Some("the canonical form has other digits than the record")
        } else if counts[0] != counts[1] {
            Some("the canonical form has another number of solutions than the record")
        } else if form.clues() != named_in_turn(&form.clues(), largest) {
            Some("the digits of the canonical form are not named in order")
        } else if is_beaten {
            Some("the record itself is a better image")
        } else {
            transformation
                .and_then(|column| wrong_transformation(answer, (column, place), puzzle, form))
        };
        if let Some(fault) = fault {
            return first(wrong, Err(Wrong::new(record, fault)));
        }
    }
    wrong
}

/// A puzzle with its digits named 1, 2, 3 and so on as they appear, or 9, 8, 7 and so on.
fn named_in_turn(puzzle: &Puzzle, largest: bool) -> Puzzle {
    let mut names = [None; 9];
    let mut turn = 0;
    let mut named = Puzzle::EMPTY;
    for cell in Cell::all() {
        let Some(digit) = puzzle.get(cell) else {
            continue;
        };
        let name = names[digit.index()].get_or_insert_with(|| {
            turn += 1;
            if largest { 10 - turn } else { turn }
        });
        named.set(cell, Digit::new(*name));
    }
    named
}

/// Checks puzzles that are made: the solution beside each, the clues that the recipe asks for, and by the other
/// engine that there is no other solution.
fn made_puzzles(checker: &mut Checker, answer: &Answer<'_>, recipe: &Recipe) -> Result<(), Wrong> {
    let column = column_of(answer, Values::Puzzles);
    let all = lines(answer, column_of(answer, Values::Cells));
    let (mut records, mut puzzles, mut solutions) = (Vec::new(), Vec::new(), Vec::new());
    for (record, place) in rows(answer) {
        if let Some(puzzle) = puzzle(answer, column, place) {
            records.push(record);
            puzzles.push(puzzle.clues());
            solutions.push(all[place]);
        }
    }
    let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
    let of_grids = checker.solutions(&cells, &solutions);
    let wrong = |at: Option<usize>, what| at.map_or(Ok(()), |at| Err(Wrong::new(at, what)));
    let others = puzzles
        .iter()
        .position(|puzzle| !recipe.has_clues_for(puzzle));
    let clues = wrong(others, "its clues are not those that were asked for");
    let mut unique = Ok(());
    if recipe.is_unique() {
        let found = checker.solve(usual_engine(answer.records()), &puzzles);
        let is_other = |(found, line): (&Result<Grid, NotUniqueError>, &GridLine)| {
            found.as_ref().map(|grid| super::line_of(grid.as_ascii())) != Ok(*line)
        };
        let several = found.iter().zip(&solutions).position(is_other);
        unique = wrong(
            several,
            "by the other engine it has not one solution, or another one",
        );
    }
    let done = first(first(of_grids, clues), unique);
    done.map_err(|wrong| Wrong::new(records[wrong.record], wrong.what))
}

/// Checks numbers of grids: makes the grid of each number again.
fn numbers(records: &Records, answer: &Answer<'_>, grids: &Grids) -> Result<(), Wrong> {
    let Data::Numbers(numbers) = answer.column(column_of(answer, Values::Numbers)) else {
        panic!("the column has numbers");
    };
    for (record, place) in rows(answer) {
        let Some(number) = numbers[place] else {
            continue;
        };
        let grid = grids.grid(number);
        let clues = records.puzzle(record).map(|puzzle| puzzle.clues());
        if grid.is_none_or(|grid| clues != Ok(grid.into())) {
            let what = format!("{number} is the number of another grid");
            return Err(Wrong::new(record, what));
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
    fn of(records: &Records, answer: &Answer<'_>) -> Self {
        let mut images = Self::default();
        let mut columns = columns_of(answer, Values::Puzzles);
        let of_images = columns.next().expect("images are puzzles");
        let of_solutions = columns.next().map(|column| answer.column(column));
        for (record, place) in rows(answer) {
            if images.records.last() != Some(&record) {
                // A malformed record has no images. If it has, they are those of no puzzle.
                let itself = records.puzzle(record).unwrap_or(Puzzle::EMPTY.into());
                images.push(record, itself, None);
            }
            let image = puzzle(answer, of_images, place).unwrap_or(Puzzle::EMPTY.into());
            let solution = match of_solutions {
                Some(Data::Puzzles(puzzles)) => match puzzles.get(place) {
                    PuzzleValue::Cells(cells) => Some(super::line_of(cells)),
                    _ => None,
                },
                _ => None,
            };
            images.push(record, image, solution);
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
        of_batch: &Records,
        answers: &dyn Fn(usize) -> Option<Puzzle>,
    ) -> Result<(), Wrong> {
        let is_right = |record: usize| {
            let line = answers(record).map(|solution| super::line_of(solution.as_ascii()));
            let solves = |line| {
                checker
                    .solutions_of(of_batch, [record].into_iter(), &[line])
                    .is_ok()
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
