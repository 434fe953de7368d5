//! JSON lines, against serde_json's own tree of values.

use super::{
    material,
    oracle::{is_cell, lines, puzzle_of},
    records,
};
use serde_json::{Map, Value};
use sudoku_batch::format::{Form, Layout, Records, jsonl};

/// Reads objects by some key.
pub fn run(data: &[u8]) {
    let Some((&how, rest)) = data.split_first() else {
        return;
    };
    let text = material::text(rest);
    let column = [None, Some("puzzle"), Some("a.b"), Some("")][usize::from(how & 3)];
    if let Ok(found) = Layout::detect(&text, Some(Form::Jsonl), column) {
        let whole = records::read(&found.layout, &text);
        let ends = lines(&text)
            .into_iter()
            .map(|(start, _, next)| next - start);
        records::check_pieces(&found.layout, &text, ends);
        for record in whole.iter().filter(|record| record.puzzle.is_some()) {
            check_fields(&found.layout, &record.text);
        }
    }
    let name = column.unwrap_or("puzzle");
    let mut records = Records::default();
    jsonl::read(&text, name, &mut records);
    let expected = lines(&text).into_iter().enumerate();
    let expected = expected.filter(|(_, (start, end, _))| {
        !text[*start..*end]
            .iter()
            .all(|c| b" \t\n\x0c\r".contains(c))
    });
    let mut count = 0;
    for (record, (number, (start, end, _))) in expected.enumerate() {
        count += 1;
        let line = &text[start..end];
        assert_eq!(records.line(record), number as u64 + 1);
        assert_eq!(records.text(record), line);
        let read = records
            .puzzle_of_cells(record)
            .ok()
            .map(|puzzle| *puzzle.as_ascii());
        match expected_puzzle(line, name) {
            Known::Puzzle(puzzle) => assert_eq!(read, puzzle, "{}", line.escape_ascii()),
            Known::NoJson => assert_eq!(read, None, "{}", line.escape_ascii()),
            Known::Nothing => {}
        }
    }
    assert_eq!(records.len(), count);
}

enum Known {
    /// The puzzle of the line, or none.
    Puzzle(Option<[u8; 81]>),
    /// It is no object.
    NoJson,
    /// serde_json refuses more than JSON's grammar does (numbers that are too large, halves of
    /// characters), or a key is there twice.
    Nothing,
}

fn expected_puzzle(line: &[u8], key: &str) -> Known {
    let Ok(text) = str::from_utf8(line) else {
        return Known::NoJson;
    };
    let object = match serde_json::from_str::<Map<String, Value>>(text) {
        Ok(object) => object,
        Err(error) => {
            let why = error.to_string();
            let is_strict = ["out of range", "surrogate", "hex escape", "recursion"];
            return match is_strict.iter().any(|part| why.contains(part)) {
                true => Known::Nothing,
                false => Known::NoJson,
            };
        }
    };
    // The last of a key that is there twice counts, in the tree and in the reader. But the
    // reader looks into all of the objects on the way, and one that is none is an error.
    if key.contains('.') && text.matches("\"a").count() > 1 {
        return Known::Nothing;
    }
    let mut value = Some(&Value::Null);
    let mut inside = Some(&object);
    for name in key.split('.') {
        value = inside.and_then(|object| object.get(name));
        inside = value.and_then(Value::as_object);
    }
    let said = value.and_then(Value::as_str).map(|said| {
        let is_space = |c: &u8| matches!(c, b' ' | b'\t' | b'\n' | b'\r' | b'\x0c');
        let cells: Vec<u8> = said.bytes().filter(|c| !is_space(c)).collect();
        cells
    });
    let puzzle = said.filter(|cells| cells.len() == 81 && cells.iter().all(|&c| is_cell(c)));
    Known::Puzzle(puzzle.map(|cells| puzzle_of(&cells)))
}

/// The fields of an object, each of which its column finds again.
fn check_fields(layout: &Layout, line: &[u8]) {
    let fields = layout.fields(line);
    for (column, value) in &fields {
        // A key whose last value is an object hides a value before it.
        if let Some(found) = layout
            .value(line, column)
            .filter(|found| !found.starts_with(b"{"))
        {
            let mut same = fields.iter().rev().filter(|(other, _)| other == column);
            assert_eq!(Some(&found), same.next().map(|(_, value)| value));
        }
        let mut written = Vec::new();
        jsonl::write_string(value, &mut written).expect("memory");
        if let Ok(value) = str::from_utf8(value) {
            let again: String = serde_json::from_slice(&written).expect("it is JSON");
            assert_eq!(again, value);
        }
    }
}
