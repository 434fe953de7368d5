//! For training: an endless stream of images, and the folder of HRM and TRM.

use crate::{
    answer::{Desk, Source, ask, wrong},
    capsules::FreshBytes,
    dataset::operations,
    question::puzzles,
    work::{Kept, SLICE, run, threads},
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict},
};
use std::sync::Mutex;
use sudoku_batch::{
    Grid, Puzzle,
    dataset::{self, Augmenter, Chosen, TrainingSet, TrainingSets},
    format::npy::{Element, RowType},
    grid::{AnyPuzzle, CELLS},
    questions::{Counts, Uniqueness},
};

/// The bytes of puzzles, those of solutions, and for each puzzle the number of its rows.
type Rows<'py> = (
    Vec<Bound<'py, PyBytes>>,
    Vec<Bound<'py, PyBytes>>,
    Vec<usize>,
);

/// An endless stream of images of puzzles and their solutions.
#[pyclass(frozen, module = "sudoku_batch._engine")]
pub(crate) struct Stream(dataset::Stream);

#[pymethods]
impl Stream {
    #[new]
    #[pyo3(signature = (records, solutions, seed, weights))]
    fn new(
        records: &Bound<'_, PyAny>,
        solutions: &Bound<'_, PyAny>,
        seed: u64,
        weights: Option<Vec<f64>>,
    ) -> PyResult<Self> {
        let (source, given) = (Source::of(records)?, Source::of(solutions)?);
        if source.rows() != given.rows() {
            return Err(wrong(format_args!(
                "there are {} puzzles and {} solutions",
                source.rows(),
                given.rows()
            )));
        }
        let mut wrong_row = None;
        let slices = (0..source.rows()).step_by(SLICE);
        // A slice at a time: nothing else holds all pairs.
        let pairs = slices.flat_map(|first| {
            let rows = first..source.rows().min(first + SLICE);
            let both = puzzles(&source, rows.clone())
                .into_iter()
                .zip(puzzles(&given, rows.clone()));
            both.zip(rows).collect::<Vec<_>>()
        });
        let pairs = pairs.map_while(|((puzzle, solution), row)| {
            let grid = |cells: Puzzle| Grid::from_ascii(cells.as_ascii()).ok();
            let pair = puzzle.zip(solution.and_then(grid));
            if pair.is_none() {
                wrong_row = Some(row);
            }
            pair
        });
        let stream = dataset::Stream::new(seed, pairs);
        if let Some(row) = wrong_row {
            return Err(wrong(format_args!(
                "row {row}, counted from 0, is not a puzzle with its solution"
            )));
        }
        let stream = stream.map_err(wrong)?;
        Ok(Self(match weights {
            Some(weights) => stream.with_weights(&weights).map_err(wrong)?,
            None => stream,
        }))
    }

    /// How many puzzles there are.
    fn __len__(&self) -> usize {
        self.0.puzzles()
    }

    /// The pairs from number `first` on: two arrays of numpy.
    fn pairs<'py>(
        &self,
        py: Python<'py>,
        first: u64,
        count: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let mut puzzles = FreshBytes::new(py, count, CELLS)?;
        let mut solutions = FreshBytes::new(py, count, CELLS)?;
        let (to, to_solutions) = (puzzles.bytes(), solutions.bytes());
        py.detach(|| self.0.write(first, to, to_solutions));
        Ok((puzzles.into_array(), solutions.into_array()))
    }
}

/// A training set and a test set that are chosen.
#[pyclass(frozen, module = "sudoku_batch._engine")]
pub(crate) struct Sets {
    sets: [Vec<Chosen>; 2],
    counts: Counts,
}

#[pymethods]
impl Sets {
    /// How many puzzles are in each set.
    fn puzzles(&self) -> [usize; 2] {
        [self.sets[0].len(), self.sets[1].len()]
    }

    /// How many records have each status.
    fn statuses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counts = PyDict::new(py);
        for (name, count) in self.counts.iter() {
            counts.set_item(name, count)?;
        }
        Ok(counts)
    }

    /// Rows of a set, of `count` puzzles from number `first` on: the bytes of puzzles and of
    /// solutions, and for each puzzle the number of its rows.
    #[expect(clippy::too_many_arguments, reason = "Python names them in one place")]
    fn rows<'py>(
        &self,
        py: Python<'py>,
        set: usize,
        first: usize,
        count: usize,
        copies: usize,
        seed: u64,
        include: Vec<String>,
        number: Option<usize>,
    ) -> PyResult<Rows<'py>> {
        let operations = operations(&include)?;
        let set = &self.sets[set];
        let chosen = &set[first.min(set.len())..(first + count).min(set.len())];
        let threads = threads(number);
        let each = chosen.len().div_ceil(threads).max(1);
        let mut parts = vec![TrainingSet::default(); chosen.len().div_ceil(each)];
        let jobs: Vec<_> = chosen.chunks(each).zip(&mut parts).collect();
        run(
            py,
            jobs,
            threads,
            false,
            |(chosen, part): (&[Chosen], &mut TrainingSet)| {
                let mut augmenter = Augmenter::new(seed, &operations);
                for chosen in chosen {
                    part.push(chosen, copies, &mut augmenter);
                }
            },
        )?;
        let bytes = |of: fn(&TrainingSet) -> &Vec<u8>| {
            let bytes = parts.iter().map(|part| PyBytes::new(py, of(part)));
            bytes.collect::<Vec<_>>()
        };
        let rows = parts.iter().flat_map(|part| part.rows.iter().copied());
        Ok((
            bytes(|part| &part.inputs),
            bytes(|part| &part.labels),
            rows.collect(),
        ))
    }
}

/// Chooses a training set and a test set among the records with one solution.
#[pyfunction]
#[pyo3(signature = (records, subsample, test, seed, number_of_threads))]
pub(crate) fn training_sets(
    records: &Bound<'_, PyAny>,
    subsample: Option<usize>,
    test: f64,
    seed: u64,
    number_of_threads: Option<usize>,
) -> PyResult<Sets> {
    let source = Source::of(records)?;
    let sets = TrainingSets::new(seed, test, subsample).map_err(wrong)?;
    let maker = TrainingSets::new(seed, test, None).map_err(wrong)?;
    let both = Mutex::new((sets, Counts::default()));
    let work = |desk: &mut Desk<Uniqueness>, task: &mut crate::answer::Task<'_, ()>| {
        desk.read(task);
        let rows = task.rows();
        let solutions = desk.question.ask(&desk.records);
        let candidates: Vec<_> = (0..desk.records.len())
            .filter_map(|row| {
                let (puzzle, solution) = solutions.pair(&desk.records, row)?;
                let puzzle = match puzzle {
                    AnyPuzzle::Cells(puzzle) => puzzle,
                    AnyPuzzle::Candidates(candidates) => candidates.to_puzzle()?,
                };
                Some(maker.candidate((rows.start + row) as u64, &puzzle, &solution))
            })
            .collect();
        let mut both = both.lock().expect("no thread panicked with it");
        both.0.add(candidates);
        both.1 += solutions.solved.counts;
    };
    let (py, desks) = (records.py(), Kept::new());
    let make = Uniqueness::default;
    ask(
        py,
        &source,
        number_of_threads,
        SLICE,
        0,
        (&desks, ""),
        make,
        work,
    )?;
    let (sets, counts) = both.into_inner().expect("no thread panicked with it");
    Ok(Sets {
        sets: py.detach(|| sets.chosen()),
        counts,
    })
}

/// The head of a file of numpy, whose rows take `length` bytes: rows of 81 bytes, or numbers of four
/// bytes.
#[pyfunction]
pub(crate) fn npy_head(py: Python<'_>, has_cells: bool, length: u64) -> Bound<'_, PyBytes> {
    let row = match has_cells {
        true => RowType {
            element: Element::U8,
            shape: &[CELLS as u16],
        },
        false => RowType {
            element: Element::I32,
            shape: &[],
        },
    };
    PyBytes::new(py, &row.head(length))
}
