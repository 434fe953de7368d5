//! The list of all that can be asked, as JSON.

use super::{
    making::{self, OF_GRIDS, OF_PUZZLES, Setting},
    table::{self, columns, format_of},
};
use serde_json::{Value, json};
use sudoku_batch::{
    Level,
    format::Values,
    questions::{self, Column, Definition, Kind},
};

/// The version of the interface. It grows with each function, option or column that is added; what is there
/// stays as long as the name of the shared library does (`libsudoku_batch.so.0.1`).
pub const SUDOKU_BATCH_INTERFACE: u32 = 1;

/// All questions and sets with their options and columns, all statuses, and the levels of this CPU.
pub(crate) fn questions() -> String {
    let sets = making::usual_columns().map(|(name, of_set)| {
        let of_puzzles = if name == "puzzles" { OF_PUZZLES } else { &[] };
        let options = OF_GRIDS.iter().chain(of_puzzles);
        json!({
            "name": name,
            "options": options.map(of_set_option).collect::<Vec<_>>(),
            "columns": of_table(&of_set),
        })
    });
    json!({
        "interface": SUDOKU_BATCH_INTERFACE,
        "version": env!("CARGO_PKG_VERSION"),
        "questions": questions::all().map(question).collect::<Vec<_>>(),
        "sets": sets,
        "statuses": table::statuses(),
        "levels": Level::available().map(Level::name).collect::<Vec<_>>(),
    })
    .to_string()
}

fn question(definition: &'static Definition) -> Value {
    let settings = definition.settings.iter();
    let options = settings.filter(|setting| setting.is_for_calls());
    let options = options.map(|setting| {
        let (kind, least) = match setting.kind {
            Kind::Flag => ("flag", None),
            Kind::Number(least) => ("number", Some(least)),
            Kind::Rating => ("rating", None),
            Kind::Digit => ("digit", None),
            Kind::Answers => ("answers", None),
            _ => ("text", None),
        };
        json!({
            "name": setting.name,
            "kind": kind,
            "least": least,
            "usual": setting.usual,
            "about": setting.about,
            "details": setting.details,
            "excludes": setting.excludes,
        })
    });
    json!({
        "name": definition.name,
        "about": definition.about,
        "details": definition.details,
        "options": options.collect::<Vec<_>>(),
        "columns": of_table(definition.columns),
    })
}

fn of_set_option((name, kind, usual, about): &Setting) -> Value {
    json!({ "name": name, "kind": kind, "usual": usual, "about": about })
}

/// The columns of a table, if all that can be asked for are there.
fn of_table(about: &[Column]) -> Value {
    let column = |(name, values): (String, Values)| {
        let (format, names) = format_of(values);
        let found = about.iter().find(|column| column.name == name);
        json!({
            "name": name,
            "format": format.to_str().expect("ASCII"),
            "names": names,
            "about": found.map(|column| column.about),
            "when": found.and_then(|column| column.when),
        })
    };
    columns(about).into_iter().map(column).collect()
}
