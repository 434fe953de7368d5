//! Texts made of columns, by the templates of the library.

use pyo3::{exceptions::PyValueError, prelude::*};
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
        let sources = columns.iter().enumerate();
        let sources: Vec<_> = sources
            .map(|(number, (name, has_cells))| Source {
                name,
                number,
                has_cells: *has_cells,
            })
            .collect();
        let parsed = Parsed::new(text, &sources);
        parsed
            .map(Self)
            .map_err(|error| PyValueError::new_err(error.to_string()))
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
