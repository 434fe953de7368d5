//! Questions about sets of puzzles: count, check, canonical forms, parts, images.

use crate::{
    answer::{Cells, Desk, Kind, MALFORMED, MULTIPLE, NULL, Source, Statuses, Task, UNIQUE, ask},
    columns::Column,
    work::{SLICE, Stop},
};
use arrow_array::{BooleanArray, Int32Array, Int64Array};
use pyo3::{exceptions::PyValueError, prelude::*};
use sudoku_batch::{
    Grid, Puzzle,
    dataset::{Augmenter, By, Operation, Score, Split, redundant_clues},
    format::Records,
    grid::CELLS,
    solve::Counting,
    symmetry::CanonicalPuzzle,
};

/// Numbers of the rows of each column; a row without a number is null.
fn numbers(answers: Vec<Vec<Option<i32>>>) -> Column {
    Column::of_numbers(answers.into_iter().map(Int32Array::from).collect())
}

/// Canonical forms of records with one solution: forms, as cells of the kind that came in, numbers
/// of automorphisms, and statuses.
#[pyfunction]
#[pyo3(signature = (records, threads))]
pub(crate) fn canonical<'py>(
    records: &Bound<'py, PyAny>,
    threads: Option<usize>,
) -> PyResult<(Bound<'py, PyAny>, Column, Statuses)> {
    let py = records.py();
    let source = Source::of(records)?;
    let work = |desk: &mut Desk, mut task: Task<'_, Option<i32>>, _: &Stop| {
        desk.solve(&mut task);
        let forms = task.cells.as_mut().expect("forms are asked for");
        for (row, answer) in task.answers.iter_mut().enumerate() {
            if task.codes[row] == UNIQUE {
                let form = CanonicalPuzzle::of(&desk.puzzle(row), &desk.solution(row));
                forms.write(row, form.puzzle().as_ascii());
                *answer = Some(form.automorphisms() as i32);
            }
        }
    };
    let answers = ask(py, &source, threads, SLICE, true, work)?;
    let forms = answers.cells.expect("forms are asked for");
    let forms = forms.into_object(py, &answers.codes, |code| code == UNIQUE)?;
    Ok((forms, numbers(answers.answers), Statuses(answers.codes)))
}

/// The name of the part of each record, with `rejected` for those that have no form to compare, and
/// statuses.
#[pyfunction]
#[pyo3(signature = (records, names, weights, seed, by, threads))]
pub(crate) fn split(
    records: &Bound<'_, PyAny>,
    names: Vec<String>,
    weights: Vec<f64>,
    seed: u64,
    by: &str,
    threads: Option<usize>,
) -> PyResult<(Column, Statuses)> {
    /// As many as one byte tells apart, beside `rejected` and null.
    const MOST_PARTS: usize = 254;
    const REJECTED: &str = "rejected";
    let wrong = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
    if names.len() != weights.len() || names.len() > MOST_PARTS {
        return Err(PyValueError::new_err("there are to be 1 to 254 parts"));
    }
    if names.iter().any(|name| name == REJECTED) {
        return Err(PyValueError::new_err(
            "the part \"rejected\" is for records that cannot be compared",
        ));
    }
    let by: By = by.parse().map_err(|error| wrong(&error))?;
    let split = Split::new(seed, &weights).map_err(|error| wrong(&error))?;
    let source = Source::of(records)?;
    let work = |desk: &mut Desk, mut task: Task<'_, u8>, _: &Stop| {
        desk.solve(&mut task);
        for (row, part) in task.answers.iter_mut().enumerate() {
            *part = match task.codes[row] {
                NULL => NULL,
                MALFORMED => names.len() as u8,
                // Cells can be compared whatever their solutions are.
                _ if by == By::Equality => split.part(&desk.puzzle(row)) as u8,
                UNIQUE => split.part(&by.form(&desk.puzzle(row), &desk.solution(row))) as u8,
                _ => names.len() as u8,
            };
        }
    };
    let answers = ask(records.py(), &source, threads, SLICE, false, work)?;
    let names = names.iter().map(String::as_str).chain([REJECTED]);
    let parts = Column::of_names(&names.collect::<Vec<_>>(), &answers.answers);
    Ok((parts, Statuses(answers.codes)))
}

/// A number of solutions, and whether there are more.
type Count = Option<(i64, bool)>;

/// The number of solutions of each record up to a limit, whether there are more, and statuses.
#[pyfunction]
#[pyo3(signature = (records, limit, threads))]
pub(crate) fn count(
    records: &Bound<'_, PyAny>,
    limit: u64,
    threads: Option<usize>,
) -> PyResult<(Column, Column, Statuses)> {
    /// Up to here a count is quick. Above, it goes on in steps, so that it can be stopped.
    const FEW: u64 = 1000;
    const STEPS: u64 = 10_000;
    /// Few rows a slice: each may take long.
    const ROWS: usize = 512;
    // One more shows that there are more.
    let most = match limit {
        0 => i64::MAX as u64,
        _ => limit.saturating_add(1).min(i64::MAX as u64),
    };
    let source = Source::of(records)?;
    let work = |desk: &mut Desk, mut task: Task<'_, Count>, stop: &Stop| {
        desk.solve(&mut task);
        let several = |row: &usize| task.codes[*row] == MULTIPLE;
        let several: Vec<_> = (0..task.codes.len()).filter(several).collect();
        let puzzles: Vec<_> = several.iter().map(|&row| desk.puzzle(row)).collect();
        let counts = desk.solver().count_batch(&puzzles, most.min(FEW));
        for (row, answer) in task.answers.iter_mut().enumerate() {
            *answer = match task.codes[row] {
                UNIQUE => Some((1, false)),
                MALFORMED | NULL => None,
                _ => Some((0, false)),
            };
        }
        for ((row, puzzle), mut count) in several.into_iter().zip(puzzles).zip(counts) {
            if count == FEW && most > FEW {
                let mut counting = Counting::of(&puzzle);
                count = 0;
                while !counting.is_done() && count < most && !stop.is_set() {
                    count += counting.advance(STEPS, most - count);
                }
            }
            let more = limit > 0 && count > limit;
            task.answers[row] = Some((if more { limit } else { count } as i64, more));
        }
    };
    let answers = ask(records.py(), &source, threads, ROWS, false, work)?;
    let columns = answers.answers.iter();
    let counts = columns.clone().map(|column| {
        let numbers = column.iter().map(|count| count.map(|(number, _)| number));
        numbers.collect::<Int64Array>()
    });
    let more = columns.map(|column| {
        let more = column.iter().map(|count| count.map(|(_, more)| more));
        more.collect::<BooleanArray>()
    });
    Ok((
        Column::of_numbers(counts.collect()),
        Column::of_booleans(more.collect()),
        Statuses(answers.codes),
    ))
}

/// What is found out about a record, and its answer.
#[derive(Clone, Copy, Default)]
struct Checked {
    clues: Option<i32>,
    redundant: Option<i32>,
    right: Option<bool>,
    wrong_cells: Option<i32>,
    changed_clues: Option<i32>,
}

/// Checks records and perhaps answers to them: statuses; numbers of clues and of redundant clues;
/// whether the answer is right, wrong cells and changed clues.
#[pyfunction]
#[pyo3(signature = (records, answers, minimal, threads))]
pub(crate) fn check(
    records: &Bound<'_, PyAny>,
    answers: Option<&Bound<'_, PyAny>>,
    minimal: bool,
    threads: Option<usize>,
) -> PyResult<(Statuses, Column, Column, Column, Column, Column)> {
    let source = Source::of(records)?;
    let given = answers.map(Source::of).transpose()?;
    if let Some(given) = &given
        && given.rows() != source.rows()
    {
        return Err(PyValueError::new_err(format!(
            "there are {} puzzles and {} answers: answer i belongs to puzzle i",
            source.rows(),
            given.rows()
        )));
    }
    // Redundant clues take thousands of questions a slice.
    let most = if minimal { 1024 } else { SLICE };
    let work = |desk: &mut Desk, mut task: Task<'_, Checked>, _: &Stop| {
        desk.solve(&mut task);
        for (row, checked) in task.answers.iter_mut().enumerate() {
            if !matches!(task.codes[row], MALFORMED | NULL) {
                checked.clues = Some(desk.puzzle(row).clue_count() as i32);
            }
        }
        if minimal {
            check_minimal(desk, &mut task);
        }
        if let Some(given) = &given {
            let (mut answers, mut nulls) = (Records::default(), Vec::new());
            given.read(
                task.first..task.first + task.codes.len(),
                &mut answers,
                &mut nulls,
            );
            compare(desk, &mut task, &answers);
        }
    };
    let answers = ask(records.py(), &source, threads, most, false, work)?;
    let column = |of: fn(&Checked) -> Option<i32>| {
        let numbers = |column: &Vec<Checked>| column.iter().map(of).collect::<Int32Array>();
        Column::of_numbers(answers.answers.iter().map(numbers).collect())
    };
    let right = answers.answers.iter();
    let right = right.map(|column| column.iter().map(|checked| checked.right).collect());
    Ok((
        Statuses(answers.codes),
        column(|checked| checked.clues),
        column(|checked| checked.redundant),
        Column::of_booleans(right.collect()),
        column(|checked| checked.wrong_cells),
        column(|checked| checked.changed_clues),
    ))
}

/// Counts the redundant clues of the rows with one solution.
fn check_minimal(desk: &mut Desk, task: &mut Task<'_, Checked>) {
    let rows: Vec<_> = (0..task.codes.len())
        .filter(|&row| task.codes[row] == UNIQUE)
        .collect();
    let puzzles: Vec<_> = rows.iter().map(|&row| desk.puzzle(row)).collect();
    let solutions: Vec<_> = rows.iter().map(|&row| desk.solution(row)).collect();
    let redundant = redundant_clues(desk.solver(), &puzzles, &solutions);
    for (row, redundant) in rows.into_iter().zip(redundant) {
        task.answers[row].redundant = Some(redundant as i32);
    }
}

/// Compares the answers to the rows with their solutions, as `sudoku-batch check` does: an answer
/// is right if it is the solution, or any of several. Wrong cells and changed clues are those of
/// rows with one solution. An answer that is missing or malformed has no cell right.
fn compare(desk: &Desk, task: &mut Task<'_, Checked>, answers: &Records) {
    for (row, checked) in task.answers.iter_mut().enumerate() {
        let answer = answers.puzzle(row).unwrap_or(Puzzle::EMPTY);
        match task.codes[row] {
            UNIQUE => {
                let solution = desk.solution(row);
                let score = Score::of(&desk.puzzle(row), &solution, answer.as_ascii());
                checked.right = Some(score.is_right());
                checked.wrong_cells = Some(score.wrong_blanks as i32);
                checked.changed_clues = Some(score.changed_clues as i32);
            }
            MULTIPLE => {
                let grid = Grid::from_ascii(answer.as_ascii());
                let right = grid.is_some_and(|grid| grid.is_solution_of(&desk.puzzle(row)));
                checked.right = Some(right);
            }
            NULL => {}
            _ => checked.right = Some(false),
        }
    }
}

/// The operations of images, by their names.
fn operations(names: &[String]) -> PyResult<Vec<Operation>> {
    let operation = |name: &String| {
        let known = Operation::ALL.iter();
        let found = known.clone().find(|operation| operation.name() == name);
        found.copied().ok_or_else(|| {
            let names: Vec<_> = known.map(|operation| operation.name()).collect();
            PyValueError::new_err(format!(
                "no operation is called {name:?}; there is: {}",
                names.join(", ")
            ))
        })
    };
    names.iter().map(operation).collect()
}

/// The images of a record, and of its solution.
#[derive(Clone, Default)]
struct Made {
    puzzles: Vec<[u8; CELLS]>,
    /// As many, or none.
    solutions: Vec<Option<[u8; CELLS]>>,
}

/// Images of each record: the numbers of the records, images, and those of the solutions, if
/// there are solutions.
#[pyfunction]
#[pyo3(signature = (records, solutions, copies, seed, include, keep, threads))]
pub(crate) fn augment<'py>(
    records: &Bound<'py, PyAny>,
    solutions: Option<&Bound<'py, PyAny>>,
    copies: usize,
    seed: u64,
    include: Vec<String>,
    keep: bool,
    threads: Option<usize>,
) -> PyResult<(Column, Bound<'py, PyAny>, Option<Bound<'py, PyAny>>)> {
    let py = records.py();
    let operations = operations(&include)?;
    let source = Source::of(records)?;
    let given = solutions.map(Source::of).transpose()?;
    if given
        .as_ref()
        .is_some_and(|given| given.rows() != source.rows())
    {
        return Err(PyValueError::new_err(
            "there is not a solution for each record",
        ));
    }
    // A slice is to take well under a second.
    let most = (SLICE / copies.max(1)).clamp(1, SLICE);
    let work = |desk: &mut Desk, task: Task<'_, Made>, _: &Stop| {
        desk.read(&task);
        let mut augmenter = Augmenter::new(seed, &operations);
        let mut answers = Records::default();
        if let Some(given) = &given {
            let range = task.first..task.first + task.answers.len();
            given.read(range, &mut answers, &mut Vec::new());
        }
        for (row, made) in task.answers.iter_mut().enumerate() {
            if let Ok(puzzle) = desk.records.puzzle(row) {
                let solution = given.as_ref().and_then(|_| answers.puzzle(row).ok());
                *made = images(&mut augmenter, &puzzle, solution, copies, keep);
            }
        }
    };
    let answers = ask(py, &source, threads, most, false, work)?;
    let made: Vec<_> = answers.answers.into_iter().flatten().collect();
    let numbers = made.iter().enumerate();
    let numbers = numbers.flat_map(|(row, made)| made.puzzles.iter().map(move |_| row as i64));
    let numbers: Int64Array = numbers.collect::<Vec<_>>().into();
    let rows = numbers.len();
    let cells_of = |kind: &Kind, all: &mut (dyn Iterator<Item = Option<[u8; CELLS]>> + Send)| {
        let mut cells = Cells::new(py, kind, &[rows])?;
        let mut codes = vec![0; rows];
        if let Some(mut slice) = cells.slices(rows.max(1)).pop() {
            py.detach(|| {
                for (row, (cells, code)) in all.zip(&mut codes).enumerate() {
                    match cells {
                        Some(cells) => slice.write(row, &cells),
                        None => *code = NULL,
                    }
                }
            });
        }
        cells.into_object(py, &[codes], |code| code != NULL)
    };
    let mut puzzles = made
        .iter()
        .flat_map(|made| made.puzzles.iter().copied().map(Some));
    let images = cells_of(&source.kind, &mut puzzles)?;
    let mut solutions = made.iter().flat_map(|made| made.solutions.iter().copied());
    let solutions = given.map(|given| cells_of(&given.kind, &mut solutions));
    Ok((
        Column::of_numbers(vec![numbers]),
        images,
        solutions.transpose()?,
    ))
}

/// Images as `sudoku-batch augment` makes them: with `keep` the record comes first, and all others
/// are different from it.
fn images(
    augmenter: &mut Augmenter,
    puzzle: &Puzzle,
    solution: Option<Puzzle>,
    copies: usize,
    keep: bool,
) -> Made {
    let mut made = Made::default();
    if keep {
        made.puzzles.push(*puzzle.as_ascii());
        made.solutions
            .push(solution.map(|solution| *solution.as_ascii()));
    }
    let wanted = copies + usize::from(keep);
    // One of the images may be the record itself: one more is made then.
    let images = augmenter.images(puzzle, solution.as_ref(), wanted);
    for j in 0..images.len() {
        let image = images.puzzle(j);
        if made.puzzles.len() < wanted && !(keep && image == *puzzle) {
            made.puzzles.push(*image.as_ascii());
            made.solutions
                .push(images.solution(j).map(|solution| *solution.as_ascii()));
        }
    }
    made
}
