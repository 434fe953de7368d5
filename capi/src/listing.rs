//! The list of all that can be asked, as JSON.

use super::{
    asking,
    table::{self, Table},
};
use serde_json::{Value, json};
use sudoku_batch::{
    Level,
    questions::{self, Column, Definition, SETS, STATUS_NAMES},
};

/// The version of the interface. It grows with each function, option or column that is added; what is there
/// stays as long as the name of the shared library does (`libsudoku_batch.so.0.1`).
pub const SUDOKU_BATCH_INTERFACE: u32 = 1;

/// All questions and sets with their options and columns, all statuses, and the levels of this CPU.
pub(crate) fn questions() -> String {
    json!({
        "interface": SUDOKU_BATCH_INTERFACE,
        "version": env!("CARGO_PKG_VERSION"),
        "questions": asking::definitions().map(about).collect::<Vec<_>>(),
        "sets": SETS.iter().map(|set| about(set)).collect::<Vec<_>>(),
        "statuses": STATUS_NAMES,
        "levels": Level::available().map(Level::name).collect::<Vec<_>>(),
    })
    .to_string()
}

fn about<Make>(definition: &'static Definition<Make>) -> Value {
    let mut about = definition.to_json();
    about["columns"] = of_table(definition.columns);
    about
}

/// The columns of a table, if all that can be asked for are there.
fn of_table(about: &[Column]) -> Value {
    let column = |column: &table::Column| {
        let name = column.name.to_str().expect("ASCII");
        let found = about.iter().find(|column| column.name == name);
        json!({
            "name": name,
            "format": column.format.to_str().expect("ASCII"),
            "names": column.names,
            "about": found.map(|column| column.about),
            "when": found.and_then(|column| column.when),
        })
    };
    let empty = questions::Table::new(about, about).with_records();
    Table::new(empty, []).columns.iter().map(column).collect()
}
