//! For training: an endless stream of images, and the folder of HRM and TRM.

use crate::{
    answer::{Desk, Source, Task, ask, wrong},
    capsules::{Number, numpy_array},
    memory::Memory,
    question::puzzles,
    work::{Kept, SLICE, run, threads},
};
use pyo3::{
    prelude::*,
    types::{IntoPyDict, PyByteArray, PyBytes, PyDict, PyTuple},
};
use std::{iter, sync::Mutex};
use sudoku_batch::{
    Grid, Puzzle,
    dataset::{self, Chosen, Operation, TrainingSet, TrainingSets},
    format::npy::RowType,
    grid::CELLS,
    questions::{Counts, Question, SolveSettings, solved},
};

type Tuple<'py> = PyResult<Bound<'py, PyTuple>>;

/// An endless stream of images of puzzles and their solutions, and whether it has orders in which cells are filled.
#[pyclass(frozen, module = "sudoku_batch._engine")]
pub(crate) struct Stream(dataset::Stream, bool);

#[pymethods]
impl Stream {
    #[new]
    fn new(
        records: &Bound<'_, PyAny>,
        solutions: &Bound<'_, PyAny>,
        seed: u64,
        weights: Option<Vec<f64>>,
        orders: Option<&[u8]>,
    ) -> PyResult<Self> {
        let source = Source::of(records)?;
        source.check(true)?;
        let given = source.beside(solutions, "solution")?;
        let has_orders = orders.is_some();
        let make = || {
            let (mut wrong_row, mut looked) = (None, Ok(()));
            let slices = (0..source.rows()).step_by(SLICE).map_while(|first| {
                looked = Python::attach(|py| py.check_signals());
                looked.is_ok().then_some(first)
            });
            // A slice at a time: nothing else holds all pairs.
            let pairs = slices.flat_map(|first| {
                let rows = first..source.rows().min(first + SLICE);
                iter::zip(puzzles(&source, rows.clone()), puzzles(&given, rows))
            });
            let pairs = pairs.enumerate().map_while(|(row, (puzzle, solution))| {
                let grid = |cells: Puzzle| Grid::from_ascii(cells.as_ascii()).ok();
                let pair = puzzle.zip(solution.and_then(grid));
                if pair.is_none() {
                    wrong_row = Some(row);
                }
                pair
            });
            let stream = dataset::Stream::new(seed, pairs);
            looked?;
            if let Some(row) = wrong_row {
                return Err(wrong(format_args!(
                    "row {row}, counted from 0, is not a puzzle with its solution"
                )));
            }
            let mut stream = stream.map_err(wrong)?;
            if let Some(weights) = weights {
                stream = stream.with_weights(&weights).map_err(wrong)?;
            }
            if let Some(orders) = orders {
                let numbers: Vec<_> = orders.iter().map(|&number| number as i8).collect();
                let orders = numbers.as_chunks().0.as_chunks().0;
                stream = stream.with_orders(orders.to_vec()).map_err(wrong)?;
            }
            Ok(stream)
        };
        Ok(Self(records.py().detach(make)?, has_orders))
    }

    /// The number of puzzles, and a number that stands for all that the stream is made of but the seed.
    fn about(&self) -> (usize, u64) {
        (self.0.puzzles(), self.0.fingerprint())
    }

    /// The pairs from number `first` on: two arrays of numpy, and the bytes of the orders in which cells are filled.
    fn pairs<'py>(&self, py: Python<'py>, first: u64, count: usize) -> Tuple<'py> {
        let [mut puzzles, mut solutions] = [count * CELLS; 2].map(Memory::any);
        let mut orders = vec![[[0; 2]; CELLS]; if self.1 { count } else { 0 }];
        let slices = iter::zip(
            puzzles.bytes().chunks_mut(SLICE * CELLS),
            solutions.bytes().chunks_mut(SLICE * CELLS),
        );
        let mut of_orders = orders.chunks_mut(SLICE);
        let numbers = (first..).step_by(SLICE);
        let slices = iter::zip(numbers, slices).map(|slice| (slice, of_orders.next()));
        run(
            py,
            slices.collect(),
            1,
            true,
            |((first, (to, to_solutions)), orders)| {
                self.0.write(first, to, to_solutions);
                if let Some(orders) = orders {
                    self.0.write_orders(first, orders);
                }
            },
        )?;
        let orders = self.1.then(|| {
            let numbers = orders.as_flattened().as_flattened().iter();
            numbers.map(|&number| number as u8).collect::<Vec<_>>()
        });
        let array = |memory| numpy_array(py, memory, CELLS, Number::Whole(1));
        let orders = orders.map(|orders| PyByteArray::new(py, &orders));
        ([array(puzzles)?, array(solutions)?], orders).into_pyobject(py)
    }
}

/// A training set and a test set that are chosen.
#[pyclass(frozen, module = "sudoku_batch._engine")]
pub(crate) struct Sets {
    sets: [Vec<Chosen>; 2],
    /// The number of records that have each status, and what there is to say of a test set that was given.
    counts: Counts,
}

#[pymethods]
impl Sets {
    /// How many puzzles are in each set.
    fn puzzles(&self) -> [usize; 2] {
        [self.sets[0].len(), self.sets[1].len()]
    }

    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.counts.iter().into_py_dict(py)
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
    ) -> Tuple<'py> {
        let operations = include.iter().map(|name| name.parse().map_err(wrong));
        let operations: Vec<Operation> = operations.collect::<PyResult<_>>()?;
        let set = &self.sets[set];
        let chosen = &set[first.min(set.len())..(first + count).min(set.len())];
        let threads = threads(number);
        let each = chosen.len().div_ceil(threads).max(1);
        let jobs: Vec<_> = chosen.chunks(each).collect();
        let parts = run(py, jobs, threads, false, |chosen: &[Chosen]| {
            TrainingSet::of(chosen, copies, seed, &operations)
        })?;
        let bytes = |of: fn(&TrainingSet) -> &Vec<u8>| {
            let bytes = parts.iter().map(|part| PyBytes::new(py, of(part)));
            bytes.collect::<Vec<_>>()
        };
        let rows = parts.iter().flat_map(|part| part.rows.iter().copied());
        let bytes = [bytes(|part| &part.inputs), bytes(|part| &part.labels)];
        (bytes, rows.collect::<Vec<_>>()).into_pyobject(py)
    }
}

/// Chooses a training set and a test set among the records with one solution: the test set is a share of them, or made
/// of other records.
#[pyfunction]
pub(crate) fn training_sets(
    records: &Bound<'_, PyAny>,
    subsample: Option<usize>,
    test: f64,
    given: Option<&Bound<'_, PyAny>>,
    seed: u64,
    number_of_threads: Option<usize>,
) -> PyResult<Sets> {
    let mut sets = TrainingSets::new(seed, test, subsample).map_err(wrong)?;
    let maker = TrainingSets::new(seed, test, None).map_err(wrong)?;
    let mut left_out = 0;
    if let Some(given) = given {
        let mut test = Vec::new();
        let counts = candidates(given, &maker, number_of_threads, |more| test.extend(more))?;
        let all: u64 = counts.iter().map(|(_, count)| count).sum();
        left_out = all - test.len() as u64;
        sets = sets.with_test_set(test);
    }
    let mut counts = candidates(records, &maker, number_of_threads, |more| sets.add(more))?;
    if given.is_some() {
        counts.add("left_out_of_test", left_out);
        counts.add("images_of_test", sets.images_of_test_set() as u64);
    }
    let sets = records.py().detach(|| sets.chosen());
    Ok(Sets { sets, counts })
}

/// Gives the records that have one solution to `take`, in any order, and counts statuses.
fn candidates(
    records: &Bound<'_, PyAny>,
    maker: &TrainingSets,
    threads: Option<usize>,
    take: impl FnMut(Vec<Chosen>) + Send,
) -> PyResult<Counts> {
    let source = Source::of(records)?;
    let both = Mutex::new((take, Counts::default()));
    let question = Question::new(SolveSettings {
        unique: true,
        ..SolveSettings::default()
    });
    let question = question.expect("the settings go together");
    let work = |desk: &mut Desk<Question>, task: &mut Task<'_>| {
        let first = task.rows().start;
        desk.read(task);
        desk.answer.begin(desk.records.len());
        desk.by.fill(&desk.records, &mut desk.answer);
        let solutions = solved(&desk.records, &desk.answer);
        let candidates = solutions.map(|(row, puzzle, solution)| {
            maker.candidate((first + row) as u64, &puzzle, &solution)
        });
        let candidates = candidates.collect();
        let of_task = std::mem::take(&mut desk.answer.counts);
        let (take, counts) = &mut *both.lock().expect("no thread panicked with it");
        take(candidates);
        *counts += of_task;
    };
    let (py, desks) = (records.py(), (&Kept::new(), ""));
    let make = || Desk::new(question.fork(), question.empty());
    ask(py, &source, (threads, SLICE), &mut [], desks, make, work)?;
    Ok(both.into_inner().expect("no thread panicked with it").1)
}

/// The head of a file of numpy, whose rows take `length` bytes: rows of 81 bytes, or numbers of four
/// bytes.
#[pyfunction]
pub(crate) fn npy_head(py: Python<'_>, has_cells: bool, length: u64) -> Bound<'_, PyBytes> {
    let row = match has_cells {
        true => RowType::u8(&[CELLS as u16]),
        false => RowType::i32(&[]),
    };
    PyBytes::new(py, &row.head(length))
}
