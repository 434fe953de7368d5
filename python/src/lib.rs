//! The native half of the Python package `sudoku_batch`.
//!
//! ```text
//!     Python objects ---> _kinds.py --> texts, digits ---> slices, threads ---> columns ---> Python objects
//!                    what came in?      rows of records    sudoku_batch         Arrow, numpy
//! ```
//!
//! | file | what it does |
//! |---|---|
//! | `capsules` | Arrow data and buffers in and out of Python; the only file with `unsafe` |
//! | `rows` | rows of text or digits become records of the library |
//! | `columns` | answers become Arrow arrays |
//! | `work` | slices, threads, Ctrl-C |
//! | `answer` | the frame of all questions about records |
//! | `question` | questions by their definitions, and grids and puzzles by number: columns become arrays |
//! | `stats` | statistics of all records |
//! | `training` | a stream of images, the folder of HRM and TRM |
//! | `prompts` | texts made of columns, by a template |
//!
//! The half in Python, `sudoku_batch/`, knows the kinds of objects that users hold. This
//! half knows Arrow and bytes only.

mod answer;
mod capsules;
mod columns;
mod memory;
mod prompts;
mod question;
mod rows;
mod stats;
mod training;
mod work;

use pyo3::prelude::*;

/// The native half of the package.
#[pymodule]
mod _engine {
    #[pymodule_export]
    use super::{
        answer::Statuses,
        columns::{Array, Column},
        prompts::Template,
        question::{ask, definitions, make},
        rows::parse,
        stats::stats,
        training::{Sets, Stream, npy_head, training_sets},
    };

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("STATUSES", sudoku_batch::questions::STATUS_NAMES)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
