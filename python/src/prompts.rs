//! Texts made of columns, by the templates of the library.

use crate::answer::wrong;
use pyo3::prelude::*;
use sudoku_batch::format::template::{Source, Template as Parsed};

/// A template whose placeholders are known.
#[pyclass(frozen, module = "sudoku_batch._engine")]
pub(crate) struct Template(Parsed);

#[pymethods]
impl Template {
    /// A template for columns with these names, each with 81 cells or not. ValueError: a placeholder is none of
    /// them.
    #[new]
    fn new(text: &str, columns: Vec<(String, bool)>) -> PyResult<Self> {
        let columns = columns.iter().enumerate();
        let sources = columns.map(|(number, (name, has_cells))| Source {
            name,
            number,
            has_cells: *has_cells,
        });
        let sources: Vec<_> = sources.collect();
        Parsed::new(text, &sources).map(Self).map_err(wrong)
    }

    /// The text of a record with these values.
    fn fill(&self, values: Vec<String>) -> String {
        let mut text = Vec::new();
        let value =
            |number: usize, out: &mut Vec<u8>| out.extend_from_slice(values[number].as_bytes());
        self.0.fill(value, &mut text);
        String::from_utf8_lossy(&text).into_owned()
    }
}
