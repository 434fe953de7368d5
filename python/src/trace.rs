//! The order in which the cells of records are filled.

use crate::{
    answer::{Desk, Source, Statuses, Task, ask},
    columns::Column,
    make::rating,
    work::{Kept, SLICE},
};
use arrow_array::{ArrayRef, Int64Array, builder::LargeStringBuilder};
use arrow_schema::DataType;
use pyo3::{prelude::*, types::PyByteArray};
use std::sync::Arc;
use sudoku_batch::{questions::Trace, technique::Rating, trace::Extras};

/// What is recorded of a record.
#[derive(Clone, Default)]
struct Traced {
    rating: Option<Rating>,
    guesses: Option<i64>,
    /// The steps as JSON, or the pairs of cells and digits. Nothing where there is no trace.
    steps: Vec<u8>,
}

/// What is wanted of a trace.
#[derive(FromPyObject)]
pub(crate) struct Wanted {
    #[pyo3(item)]
    search: bool,
    #[pyo3(item)]
    proof: bool,
    #[pyo3(item)]
    max_guesses: u64,
    #[pyo3(item)]
    boards: bool,
    #[pyo3(item)]
    candidates: bool,
    #[pyo3(item)]
    up_to: Option<f64>,
    #[pyo3(item)]
    max_work: Option<u64>,
    #[pyo3(item)]
    pairs: bool,
}

/// Ratings, numbers of guesses, the steps as JSON or as bytes of pairs, and statuses.
type Traces<'py> = (
    Column,
    Column,
    Option<Column>,
    Option<Bound<'py, PyByteArray>>,
    Statuses,
);

/// Traces records: ratings, numbers of guesses, the steps as JSON or as bytes of pairs (162 a record),
/// and statuses.
#[pyfunction]
#[pyo3(signature = (records, wanted, threads))]
pub(crate) fn trace<'py>(
    records: &Bound<'py, PyAny>,
    wanted: Wanted,
    threads: Option<usize>,
) -> PyResult<Traces<'py>> {
    /// Few rows a slice where chains are searched or guesses are made: each may take long.
    const ROWS: usize = 512;
    let source = Source::of(records)?;
    let up_to = wanted.up_to.map_or(Ok(Rating::HARDEST), rating)?;
    let is_slow = wanted.search || up_to > Rating::IN_PLANES;
    let extras = Extras {
        boards: wanted.boards,
        candidates: wanted.candidates,
    };
    let make = || match wanted.search {
        true => Trace::default().searching(wanted.proof, wanted.max_guesses),
        false => {
            let question = Trace::default().up_to(up_to);
            question.with_max_work(wanted.max_work.unwrap_or(u64::MAX))
        }
    };
    let work = |desk: &mut Desk<Trace>, task: &mut Task<'_, Traced>| {
        let Desk {
            question, records, ..
        } = desk;
        let answers = &mut task.answers;
        let mut text = Vec::new();
        let traced = question.ask(records, |record, _, trace| {
            let Some(trace) = trace else {
                return;
            };
            text.clear();
            match wanted.pairs {
                true => text.extend(trace.pairs().as_flattened().iter().map(|&n| n as u8)),
                false => trace.write_json(extras, &mut text),
            }
            answers[record] = Traced {
                rating: trace.rating(),
                guesses: trace.guesses().map(|guesses| guesses as i64),
                steps: text[..].into(),
            };
        });
        task.set_statuses(traced.statuses);
    };
    let (py, desks) = (records.py(), Kept::new());
    let most = if is_slow { ROWS } else { SLICE };
    let answers = ask(py, &source, threads, most, false, &desks, make, work)?;
    let rows = &answers.answers;
    let ratings = Column::of_ratings(rows.iter().map(|column| {
        let tenths = |traced: &Traced| Some(f64::from(traced.rating?.tenths()) / 10.0);
        column.iter().map(tenths)
    }));
    let guesses = rows.iter().map(|column| {
        let numbers = column.iter().map(|traced| traced.guesses);
        numbers.collect::<Int64Array>()
    });
    let guesses = Column::of_numbers(guesses.collect());
    let (mut json, mut pairs) = (None, None);
    if wanted.pairs {
        const NOTHING: [u8; 162] = [u8::MAX; 162];
        let rows: usize = rows.iter().map(Vec::len).sum();
        let mut parts = answers.answers.iter().flatten();
        pairs = Some(PyByteArray::new_with(py, 162 * rows, |bytes| {
            for (to, traced) in bytes.chunks_exact_mut(162).zip(&mut parts) {
                to.copy_from_slice(match &traced.steps[..] {
                    [] => &NOTHING,
                    pairs => pairs,
                });
            }
            Ok(())
        })?);
    } else {
        let array = |column: Vec<Traced>| -> ArrayRef {
            let length = column.iter().map(|traced| traced.steps.len()).sum();
            let mut array = LargeStringBuilder::with_capacity(column.len(), length);
            for traced in column {
                let text = str::from_utf8(&traced.steps).expect("JSON");
                array.append_option((!text.is_empty()).then_some(text));
            }
            Arc::new(array.finish())
        };
        json = Some(py.detach(|| {
            let arrays = answers.answers.into_iter().map(array);
            Column::new(DataType::LargeUtf8, arrays.collect())
        }));
    }
    Ok((ratings, guesses, json, pairs, Statuses(answers.codes)))
}
