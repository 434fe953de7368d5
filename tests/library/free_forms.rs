//! Forms as people and other programs have them: each text is made by the rule of docs/using.md, and what
//! is read is what it was made of, with its line, wherever the text is cut.

use proptest::{collection::vec, prelude::*, sample::select};
use sudoku_batch::{
    Grid, Puzzle,
    format::{DetectError, Layout, Records, Writer},
};

/// The cells of a puzzle: 0 is a blank. One of the first nine is a digit, and one of them is none.
fn cells() -> impl Strategy<Value = [u8; 81]> {
    let cell = prop_oneof![2 => Just(0u8), 1 => 1..=9u8];
    (vec(cell, 81), 1..=9u8).prop_map(|(cells, digit)| {
        let mut cells: [u8; 81] = cells.try_into().unwrap();
        (cells[0], cells[1], cells[4], cells[8], cells[17]) = (digit, 0, 0, digit, 1);
        cells
    })
}

fn text_of(cells: &[u8], blank: &str) -> Vec<String> {
    let text = |cell: &u8| match cell {
        0 => blank.to_owned(),
        cell => cell.to_string(),
    };
    cells.iter().map(text).collect()
}

/// The puzzle as the library shows it.
fn shown(cells: &[u8; 81]) -> String {
    text_of(cells, ".").concat()
}

/// A way to write a puzzle: a name, the text of each, what stands before the first, and the form.
struct Way {
    name: &'static str,
    /// The lines of a puzzle, and how many of them precede its first row.
    write: fn(&[u8; 81]) -> (Vec<String>, usize),
    /// Lines before the first puzzle.
    before: &'static [&'static str],
    form: &'static str,
}

fn rows(cells: &[u8; 81], row: impl Fn(&[u8]) -> String) -> Vec<String> {
    cells.chunks(9).map(row).collect()
}

const WAYS: &[Way] = &[
    Way {
        name: "indented",
        write: |cells| (vec![format!(" \t {}", shown(cells))], 0),
        before: &[],
        form: "line",
    },
    Way {
        name: "cells apart",
        write: |cells| (vec![text_of(cells, "0").join(" ")], 0),
        before: &[],
        form: "line",
    },
    Way {
        name: "cells apart, then a trailer",
        write: |cells| (vec![text_of(cells, ".").join("  ") + " # 7 of 9"], 0),
        before: &[],
        form: "line",
    },
    Way {
        name: "rows apart",
        write: |cells| {
            (
                vec![rows(cells, |row| text_of(row, "_").concat()).join(" ")],
                0,
            )
        },
        before: &[],
        form: "line",
    },
    Way {
        name: "boxes apart",
        write: |cells| {
            let threes = cells.chunks(3).map(|three| text_of(three, "-").concat());
            (
                vec!["  ".to_owned() + &threes.collect::<Vec<_>>().join("\t")],
                0,
            )
        },
        before: &["# by hand"],
        form: "line",
    },
    Way {
        name: "an array on each line",
        write: |cells| (vec![format!("{cells:?}")], 0),
        before: &[],
        form: "line",
    },
    Way {
        name: "nine arrays on each line",
        write: |cells| (vec![format!("{:?}", cells.as_chunks::<9>().0)], 0),
        before: &[],
        form: "line",
    },
    Way {
        name: "81 columns",
        write: |cells| (vec![text_of(cells, ".").join(",")], 0),
        before: &[],
        form: "csv",
    },
    Way {
        name: "81 empty or decimal columns",
        write: |cells| {
            let fields = cells.iter().map(|cell| match cell {
                0 => String::new(),
                cell => format!("{cell}.0"),
            });
            (vec![fields.collect::<Vec<_>>().join(";")], 0)
        },
        before: &[],
        form: "csv",
    },
    Way {
        name: "81 columns with names",
        write: |cells| {
            (
                vec![format!("7,\"a, b\",{}", text_of(cells, "0").join(","))],
                0,
            )
        },
        before: &[
            "id,note,c1,c2,c3,c4,c5,c6,c7,c8,c9,c10,c11,c12,c13,c14,c15,c16,c17,c18,c19,c20,c21,c22,c23,c24,c25,c26,\
             c27,c28,c29,c30,c31,c32,c33,c34,c35,c36,c37,c38,c39,c40,c41,c42,c43,c44,c45,c46,c47,c48,c49,c50,c51,c52,\
             c53,c54,c55,c56,c57,c58,c59,c60,c61,c62,c63,c64,c65,c66,c67,c68,c69,c70,c71,c72,c73,c74,c75,c76,c77,c78,\
             c79,c80,c81",
        ],
        form: "csv",
    },
    Way {
        name: "nine columns",
        write: |cells| (rows(cells, |row| text_of(row, "0").join(",")), 0),
        before: &[],
        form: "block",
    },
    Way {
        name: "nine columns with names and empty fields",
        write: |cells| (rows(cells, |row| text_of(row, "").join(";")), 0),
        before: &["0;1;2;3;4;5;6;7;8"],
        form: "block",
    },
    Way {
        name: "a space for a blank",
        write: |cells| {
            let mut lines = rows(cells, |row| text_of(row, " ").concat());
            lines.push(String::new());
            (lines, 0)
        },
        before: &[],
        form: "block",
    },
    Way {
        name: "a space for a blank, and between cells",
        write: |cells| {
            let mut lines = rows(cells, |row| text_of(row, " ").join(" "));
            lines.push(String::new());
            (lines, 0)
        },
        before: &[],
        form: "block",
    },
    Way {
        name: "a space for a blank, in a frame",
        write: |cells| {
            let row = |row: &[u8]| {
                let boxes = row.chunks(3).map(|three| text_of(three, " ").join(" "));
                format!("| {} |", boxes.collect::<Vec<_>>().join(" | "))
            };
            let rule = "+-------+-------+-------+".to_owned();
            let rows = rows(cells, row);
            let mut lines: Vec<_> = rows
                .chunks(3)
                .flat_map(|three| [std::slice::from_ref(&rule), three].concat())
                .collect();
            lines.extend([rule, String::new()]);
            (lines, 1)
        },
        before: &[],
        form: "block",
    },
    Way {
        name: "among prose",
        write: |cells| {
            let mut lines = vec!["The puzzle of 06.05.2024, rated 7.2:".to_owned()];
            lines.extend(rows(cells, |row| text_of(row, ".").concat()));
            lines.extend([
                "[b]Have fun![/b]".into(),
                "06.05.2024".into(),
                String::new(),
            ]);
            (lines, 1)
        },
        before: &["Hello,", ""],
        form: "block",
    },
    Way {
        name: "a section after others",
        write: |cells| {
            let mut lines = vec!["[Puzzle]".to_owned()];
            lines.extend(rows(cells, |row| text_of(row, ".").concat()));
            lines.extend(["[State]".into(), "123456789".into(), "4 5 6".into()]);
            (lines, 1)
        },
        before: &["[Author]", "nobody of this name"],
        form: "sdk",
    },
];

/// A record: its line, and its puzzle or the error.
type Seen = (u64, Result<String, String>);

/// The records of a text, cut into pieces of at least so many bytes.
fn read(text: &[u8], least: usize) -> (String, Vec<Seen>) {
    let found = Layout::detect(text, None, None).unwrap();
    let mut seen = Vec::new();
    let (mut rest, mut lines) = (&text[found.skipped..], found.skipped_lines);
    while !rest.is_empty() {
        let end = found.layout.record_end(rest, least).unwrap_or(rest.len());
        let mut records = Records::default();
        found.layout.read(&rest[..end], &mut records);
        seen.extend((0..records.len()).map(|record| {
            let puzzle = records.puzzle(record);
            let said = puzzle.map(|puzzle| puzzle.to_string());
            (
                lines + records.line(record),
                said.map_err(|error| error.to_string()),
            )
        }));
        lines += records.lines();
        rest = &rest[end..];
    }
    (found.layout.form().to_string(), seen)
}

/// The text of puzzles in a way, and the line of the first row of each.
fn write(way: &Way, puzzles: &[[u8; 81]], end: &str) -> (String, Vec<u64>) {
    let mut text: String = way
        .before
        .iter()
        .map(|line| format!("{line}{end}"))
        .collect();
    let (mut line, mut lines) = (way.before.len() as u64 + 1, Vec::new());
    for cells in puzzles {
        let (of_puzzle, before) = (way.write)(cells);
        lines.push(line + before as u64);
        line += of_puzzle.len() as u64;
        text.extend(of_puzzle.iter().map(|line| format!("{line}{end}")));
    }
    (text, lines)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn what_is_read_is_what_was_written(
        puzzles in vec(cells(), 1..6),
        end in select(&["\n", "\r\n", "\r"][..]),
        least in 1..700usize,
    ) {
        for way in WAYS {
            let (text, lines) = write(way, &puzzles, end);
            let expected: Vec<Seen> =
                lines.into_iter().zip(puzzles.iter().map(|cells| Ok(shown(cells)))).collect();
            let (form, seen) = read(text.as_bytes(), usize::MAX);
            prop_assert_eq!((form.as_str(), &seen), (way.form, &expected), "{}: {}", way.name, text);
            prop_assert_eq!(read(text.as_bytes(), least).1, expected, "{}: {}", way.name, text);
        }
    }

    /// One puzzle is read by itself, whichever way it is written.
    #[test]
    fn a_puzzle_is_parsed_from_any_way(cells in cells()) {
        for way in WAYS.iter().filter(|way| way.form != "csv" && !way.name.starts_with("a space")) {
            let (text, _) = write(way, &[cells], "\n");
            let text = text.replace("123456789\n", "");
            let puzzle = text.parse::<Puzzle>().map(|puzzle| puzzle.to_string());
            prop_assert_eq!(puzzle, Ok(shown(&cells)), "{}: {}", way.name, text);
        }
    }

    /// A character that is no cell makes its record malformed, at its line and column, and no other.
    #[test]
    fn a_wrong_character_is_found_at_its_place(puzzles in vec(cells(), 3), place in 0..81usize) {
        for way in WAYS.iter().filter(|way| !way.name.contains("prose") && !way.name.contains("frame")) {
            let (text, lines) = write(way, &puzzles, "\n");
            // The place of the cell in the lines of the second puzzle.
            let (of_puzzle, before) = (way.write)(&puzzles[1]);
            let is_block = of_puzzle.len() > 8;
            let row = if is_block { place / 9 } else { 0 };
            // Two puzzles that differ in this cell alone show where it is written.
            let [one, other] = [8, 9].map(|digit| {
                let mut cells = puzzles[1];
                cells[place] = digit;
                (way.write)(&cells).0[before + row].clone()
            });
            let mut pairs = one.bytes().zip(other.bytes());
            let column = pairs.position(|(a, b)| a != b).unwrap();
            let at = lines[1] + row as u64;
            let mut all: Vec<_> = text.split('\n').map(str::to_owned).collect();
            all[at as usize - 1] = format!("{}z{}", &one[..column], &one[column + 1..]);
            let (_, seen) = read(all.join("\n").as_bytes(), usize::MAX);
            let error = format!("column {}: 'z' where a cell should be", column + 1);
            let expected = [
                (lines[0], Ok(shown(&puzzles[0]))),
                (at, Err(error)),
                (lines[2], Ok(shown(&puzzles[2]))),
            ];
            prop_assert_eq!(seen, expected, "{}: {}", way.name, one);
        }
    }
}

const CELLS: &str =
    "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";

fn array(cells: &str) -> String {
    let digits = cells
        .chars()
        .map(|c| if c == '.' { 0 } else { c as u32 - 48 });
    format!("{:?}", digits.collect::<Vec<_>>())
}

#[test]
fn an_array_of_an_object_stays_as_it_is_and_is_a_puzzle_elsewhere() {
    let text = format!("{{\"id\": 7, \"board\": {}}}\n", array(CELLS));
    let found = Layout::detect(text.as_bytes(), None, None).unwrap();
    let mut records = Records::default();
    found.layout.read(text.as_bytes(), &mut records);
    found.layout.set_blank(&mut records, b'.');
    let written = |form: &str| {
        let writer = Writer::new(
            form.parse().unwrap(),
            found.layout.clone(),
            Vec::new(),
            "\n",
        );
        let mut out = Vec::new();
        writer.row(&records, 0, |_| b"", &mut out).unwrap();
        String::from_utf8(out).unwrap()
    };
    assert_eq!(written("jsonl"), text);
    assert_eq!(written("csv"), format!("7,{CELLS}\n"));
    assert_eq!(written("line"), format!("{CELLS}\n"));
}

#[test]
fn errors_of_arrays_point_at_the_value() {
    let start = "{\"puzzle\": ";
    let flat = array(CELLS);
    for (value, column, what) in [
        (
            flat.replacen(", 0", ", 10", 1),
            17,
            "'0' where the end of the field",
        ),
        (flat.replacen(", 0", ", true", 1), 16, "'t' where a cell"),
        (
            flat.replacen("[4, ", "[", 1),
            11 + flat.len() - 3,
            "']' where a cell",
        ),
        (
            flat.replacen("[4", "[4, 4", 1),
            11 + flat.len() + 2,
            "'8' where the end of the field",
        ),
        ("[[4, 0]]".to_owned(), 11 + 7, "']' where a cell"),
        ("[]".to_owned(), 11 + 2, "']' where a cell"),
        ("[[]]".to_owned(), 11 + 3, "']' where a cell"),
    ] {
        let text = format!("{start}{value}}}\n{start}\"{CELLS}\"}}\n");
        let (_, seen) = read(text.as_bytes(), usize::MAX);
        let error = seen[0].1.clone().unwrap_err();
        let expected = format!("column {column}: {what}");
        assert!(
            error.starts_with(&expected),
            "{error}, not {expected}: {value}"
        );
        assert_eq!(seen[1], (2, Ok(CELLS.into())));
    }
}

#[test]
fn a_puzzle_of_80_or_82_cells_says_so() {
    for (text, cells) in [(CELLS[1..].to_owned(), 80), (format!("{CELLS}1"), 82)] {
        let head = format!("# one\n{text}\n");
        let error = Layout::detect(head.as_bytes(), None, None).unwrap_err();
        let expected = DetectError::Cells {
            line: 2,
            text: text.clone(),
            cells,
        };
        assert_eq!(error, expected);
        assert_eq!(
            error.to_string(),
            format!("as a puzzle this line has {cells} of 81 cells: {text:?}")
        );
    }
}

/// A space that could be a blank or stand between cells is not guessed.
#[test]
fn spaces_that_could_mean_two_things_are_refused() {
    let rows = |row: &str| format!("{row}\n").repeat(9);
    for text in [
        // 17 places, of which the last are empty, or nine.
        rows("1 2 3 4 5"),
        // No row is nine cells wide.
        rows("1 34 67"),
        // Eight rows.
        "1  45  89\n".repeat(8),
        // Points are blanks, so spaces are none.
        rows("1 .45  89"),
    ] {
        let error = Layout::detect(text.as_bytes(), None, None).unwrap_err();
        assert!(matches!(error, DetectError::Unknown { .. }), "{text}");
    }
}

/// Rows among prose are never left out unseen: a block that has too few of them is malformed, and so are lines
/// that look like rows.
#[test]
fn rows_among_prose_are_not_lost() {
    let row = "4..52.7.3";
    let block = format!("{row}\n").repeat(9);
    let text = format!(
        "Hello\n{block}Two rows are short:\n{}4..52.7.\n{}and\n{}that is all\n",
        format!("{row}\n").repeat(4),
        format!("{row}\n").repeat(4),
        format!("{row}1\n").repeat(9),
    );
    for least in 1..text.len() {
        let (form, seen) = read(text.as_bytes(), least);
        assert_eq!(form, "block");
        let errors: Vec<_> = seen
            .iter()
            .map(|(line, puzzle)| (*line, puzzle.is_ok()))
            .collect();
        assert_eq!(
            errors,
            [(2, true), (12, false), (17, false), (22, false)],
            "{least}: {seen:?}"
        );
    }
}

/// Text that was read before is read as it was: words before a puzzle are no part of it.
#[test]
fn a_number_and_a_puzzle_with_too_few_cells_are_no_puzzle() {
    for line in [format!("7 {}", &CELLS[1..]), format!("12 {}", &CELLS[2..])] {
        let text = format!("{CELLS}\n{line}\n");
        let (_, seen) = read(text.as_bytes(), usize::MAX);
        assert!(seen[1].1.is_err(), "{line}");
    }
    let text = format!(
        "{CELLS}\n{} 7\n",
        CELLS.split("").collect::<Vec<_>>().join(" ")
    );
    let (_, seen) = read(text.as_bytes(), usize::MAX);
    assert!(seen[1].1.is_err(), "82 cells");
}

#[test]
fn a_block_is_a_puzzle_or_a_grid() {
    let grid = "496528713875143692132967854314289576729654381568731429687492135943815267251376948";
    let lines = |cells: &str| {
        let rows = cells
            .as_bytes()
            .chunks(9)
            .map(|row| str::from_utf8(row).unwrap());
        format!("\n    {}\n", rows.collect::<Vec<_>>().join("\n    "))
    };
    assert_eq!(lines(CELLS).parse::<Puzzle>().unwrap().to_string(), CELLS);
    assert_eq!(lines(grid).parse::<Grid>().unwrap().to_string(), grid);
    let drawn = "┌───┬───┬───┐\n".to_owned()
        + &lines(CELLS)
            .trim()
            .replace("    ", "")
            .lines()
            .map(|row| format!("│{row}│\n"))
            .collect::<String>()
        + "└───┴───┴───┘";
    assert_eq!(drawn.parse::<Puzzle>().unwrap().to_string(), CELLS);
    for (text, error) in [
        (
            lines(CELLS).replace('3', "z"),
            "column 9: 'z' where a cell should be",
        ),
        (lines(CELLS).repeat(2), "18 rows, 9 expected"),
        (
            format!("{CELLS}\n{CELLS}\n"),
            "column 82: '\\n' where the end of the line or a trailer should be",
        ),
        (
            "\n\n".into(),
            "column 3: end of line where a cell should be",
        ),
    ] {
        assert!(
            text.parse::<Puzzle>()
                .unwrap_err()
                .to_string()
                .ends_with(error.split_once(':').map_or(error, |e| e.1)),
            "{text}"
        );
    }
    let error = lines(CELLS).parse::<Grid>().unwrap_err();
    assert_eq!(error.to_string(), "column 2: '.' where a digit should be");
}
