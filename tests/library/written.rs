//! Puzzles as people write them: every format of docs/formats.md, made here by its rule, is read as the puzzles that it
//! was made of, or refused. It is never read as another puzzle.

use crate::support::{ROOT, cases, data::puzzles, puzzles::PUZZLES, random_words::Words};
use std::fs;
use sudoku_batch::{
    Puzzle, Solver,
    format::{DetectError, Form, Layout, Records},
};

/// Writes puzzles beside their solutions, both with dots for blanks.
type Write = fn(&[[String; 2]]) -> String;

fn lines(puzzles: &[[String; 2]], line: impl Fn(usize, &str, &str) -> String) -> String {
    let numbered = puzzles.iter().enumerate();
    numbered
        .map(|(number, [puzzle, solution])| line(number, puzzle, solution) + "\n")
        .collect()
}

/// Blocks with an empty line between them.
fn blocks(puzzles: &[[String; 2]], block: impl Fn(&str) -> String) -> String {
    let blocks: Vec<_> = puzzles
        .iter()
        .map(|[puzzle, _]| block(puzzle) + "\n")
        .collect();
    blocks.join("\n")
}

fn rows(puzzle: &str, row: impl Fn(&str) -> String) -> Vec<String> {
    (0..9).map(|at| row(&puzzle[9 * at..9 * at + 9])).collect()
}

/// A row or a puzzle with a text for each blank, and one between cells.
fn spread(cells: &str, blank: &str, between: &str) -> String {
    let cell = |cell: char| match cell {
        '.' => blank.to_owned(),
        digit => digit.to_string(),
    };
    cells.chars().map(cell).collect::<Vec<_>>().join(between)
}

/// A row in three parts.
fn boxes(row: &str, blank: &str, cell: &str, bar: &str) -> String {
    let boxes = (0..3).map(|at| spread(&row[3 * at..3 * at + 3], blank, cell));
    boxes.collect::<Vec<_>>().join(bar)
}

/// Rows with a rule above, between and below the bands.
fn framed(rows: &[String], rules: [&str; 3]) -> String {
    let mut lines = vec![rules[0].to_owned()];
    for (at, band) in rows.chunks(3).enumerate() {
        lines.extend_from_slice(band);
        lines.push(rules[if at < 2 { 1 } else { 2 }].to_owned());
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n")
}

fn nested(puzzle: &str, blank: &str, [open, close]: [&str; 2], between: &str) -> String {
    let rows = rows(puzzle, |row| {
        format!("{open}{}{close}", spread(row, blank, ", "))
    });
    format!("{open}{}{close}", rows.join(between))
}

/// SudokuWiki's format: two digits of base 36 for each cell.
fn s9b(puzzle: &str) -> String {
    let cell = |cell: char| format!("0{}", cell.to_digit(10).unwrap_or(0));
    "S9B".to_owned() + &puzzle.chars().map(cell).collect::<String>()
}

const FORMATS: &[(&str, Write)] = &[
    ("the number of puzzles first", |all| {
        format!("{}\n", all.len()) + &lines(all, |_, p, _| p.into())
    }),
    ("numbers before lines", |all| {
        lines(all, |n, p, _| format!("{}. {p}", n + 1))
    }),
    ("a list of Markdown", |all| {
        lines(all, |n, p, _| {
            format!("- **Puzzle {}**: `{p}` (hard)", n + 1)
        })
    }),
    ("links", |all| {
        lines(all, |_, p, _| {
            format!("https://www.sudokuwiki.org/sudoku.htm?bd={p}")
        })
    }),
    ("links in HTML", |all| {
        let link = |n, p: &str| {
            let p = p.replace('.', "0");
            format!("<a href=\"https://sudokuexchange.com/play/?s={p}&d={n}\">play {n}</a>")
        };
        lines(all, |n, p, _| link(n, p))
    }),
    ("back quotes", |all| lines(all, |_, p, _| format!("`{p}`"))),
    ("a name and an equals sign", |all| {
        lines(all, |_, p, _| format!("puzzle={p}"))
    }),
    ("strings of code", |all| {
        format!(
            "puzzles = [\n{}]\n",
            lines(all, |_, p, _| format!("    '{p}',"))
        )
    }),
    ("a list on one line", |all| {
        let all: Vec<_> = all.iter().map(|[p, _]| format!("\"{p}\"")).collect();
        format!("[{}]\n", all.join(", "))
    }),
    ("HoDoKu's library", |all| {
        lines(all, |_, p, _| format!(":0000:x:{p}:::"))
    }),
    ("HoDoKu's library with placed digits", |all| {
        lines(all, |n, p, s| {
            let cell = |(at, c): (usize, char)| match c {
                '.' if (at + n) % 7 == 0 => format!("+{}", &s[at..=at]),
                c => c.to_string(),
            };
            let cells: String = p.chars().enumerate().map(cell).collect();
            format!(":0503:36:{cells}:613 621::")
        })
    }),
    ("a puzzle and its solution", |all| {
        lines(all, |n, p, s| format!("no {n}: {p} -> {s}"))
    }),
    ("OpenSudoku", |all| {
        let games = lines(all, |_, p, _| {
            format!("<game data=\"{}\"/>", p.replace('.', "0"))
        });
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opensudoku>\n<name>x</name>\n{games}</opensudoku>\n"
        )
    }),
    ("S9B of SudokuWiki", |all| lines(all, |_, p, _| s9b(p))),
    ("the 81 cells apart", |all| {
        lines(all, |_, p, _| format!("no 7: {}", spread(p, "0", " ")))
    }),
    ("underscores", |all| {
        blocks(all, |p| rows(p, |r| spread(r, "_", "")).join("\n"))
    }),
    ("cells apart", |all| {
        blocks(all, |p| rows(p, |r| spread(r, ".", " ")).join("\n"))
    }),
    ("spaces for blanks", |all| {
        blocks(all, |p| rows(p, |r| spread(r, " ", "")).join("\n"))
    }),
    ("spaces for blanks, cells apart", |all| {
        blocks(all, |p| rows(p, |r| spread(r, " ", " ")).join("\n"))
    }),
    ("en dashes", |all| {
        blocks(all, |p| rows(p, |r| spread(r, "–", " ")).join("\n"))
    }),
    ("black and white squares", |all| {
        blocks(all, |p| rows(p, |r| spread(r, "⬜", "")).join("\n"))
    }),
    ("bands apart", |all| {
        blocks(all, |p| {
            let bands = rows(p, |r| spread(r, ".", " "));
            bands
                .chunks(3)
                .map(|band| band.join("\n"))
                .collect::<Vec<_>>()
                .join("\n\n")
        })
    }),
    ("a rule of nine hyphens", |all| {
        blocks(all, |p| {
            framed(&rows(p, |r| spread(r, ".", "")), ["", "---------", ""])
        })
    }),
    ("a title above", |all| {
        let grid = |n, p: &str| {
            format!(
                "Grid {n:02}\n{}",
                rows(p, |r| spread(r, "0", "")).join("\n")
            )
        };
        lines(all, |n, p, _| grid(n, p))
    }),
    ("a text below", |all| {
        lines(all, |n, p, _| {
            format!(
                "{}\nNumber {n} was hard.\n",
                rows(p, |r| spread(r, ".", "")).join("\n")
            )
        })
    }),
    ("labels of rows and columns", |all| {
        blocks(all, |p| {
            let rows = rows(p, |r| boxes(r, ".", " ", " | "));
            let rows = rows.iter().zip("ABCDEFGHI".chars());
            let rows: Vec<_> = rows
                .map(|(row, label)| format!("{label} | {row} |"))
                .collect();
            format!("    1 2 3   4 5 6   7 8 9\n{}", rows.join("\n"))
        })
    }),
    ("a frame of hyphens", |all| {
        let rule = "+-------+-------+-------+";
        blocks(all, |p| {
            let rows = rows(p, |r| format!("| {} |", boxes(r, ".", " ", " | ")));
            framed(&rows, [rule; 3])
        })
    }),
    ("a frame of hyphens, spaces for blanks", |all| {
        let rule = "+-------+-------+-------+";
        blocks(all, |p| {
            let rows = rows(p, |r| format!("| {} |", boxes(r, " ", " ", " | ")));
            framed(&rows, [rule; 3])
        })
    }),
    ("bars without a box", |all| {
        blocks(all, |p| {
            framed(
                &rows(p, |r| boxes(r, ".", " ", " | ")),
                ["", "------+-------+------", ""],
            )
        })
    }),
    ("bars without a box, spaces for blanks", |all| {
        blocks(all, |p| {
            framed(
                &rows(p, |r| boxes(r, " ", " ", " | ")),
                ["", "------+-------+------", ""],
            )
        })
    }),
    ("HoDoKu's frame", |all| {
        blocks(all, |p| {
            let rows = rows(p, |r| format!("| {} |", boxes(r, ".", "  ", " | ")));
            framed(
                &rows,
                [
                    ".---------.---------.---------.",
                    ":---------+---------+---------:",
                    "'---------'---------'---------'",
                ],
            )
        })
    }),
    ("box drawing", |all| {
        blocks(all, |p| {
            let rows = rows(p, |r| format!("│ {} │", boxes(r, ".", " ", " │ ")));
            framed(
                &rows,
                [
                    "┌───────┬───────┬───────┐",
                    "├───────┼───────┼───────┤",
                    "└───────┴───────┴───────┘",
                ],
            )
        })
    }),
    ("box drawing, spaces for blanks", |all| {
        blocks(all, |p| {
            let rows = rows(p, |r| format!("│ {} │", boxes(r, " ", " ", " │ ")));
            framed(
                &rows,
                [
                    "┌───────┬───────┬───────┐",
                    "├───────┼───────┼───────┤",
                    "└───────┴───────┴───────┘",
                ],
            )
        })
    }),
    ("a box for each cell", |all| {
        blocks(all, |p| {
            rows(p, |r| format!("| {} |", spread(r, " ", " | "))).join("\n")
        })
    }),
    ("Simple Sudoku", |all| {
        blocks(all, |p| {
            let rows = rows(p, |r| format!("|{}|", boxes(r, ".", "", "|")));
            framed(&rows, ["*-----------*", "|---+---+---|", "*-----------*"])
        })
    }),
    ("quoted lines", |all| {
        let text = blocks(all, |p| rows(p, |r| spread(r, ".", "")).join("\n"));
        text.lines().map(|line| format!("> {line}\n")).collect()
    }),
    ("nine columns, gaps between puzzles", |all| {
        let grids = all
            .iter()
            .map(|[p, _]| rows(p, |r| spread(r, "0", ",")).join("\n") + "\n");
        grids.collect::<Vec<_>>().join(",,,,,,,,\n")
    }),
    ("nine columns of numbers that miss", |all| {
        all.iter()
            .map(|[p, _]| rows(p, |r| spread(r, "NaN", ";")).join("\n") + "\n")
            .collect()
    }),
    ("nine columns, tabs", |all| {
        all.iter()
            .map(|[p, _]| rows(p, |r| spread(r, "", "\t")).join("\n") + "\n")
            .collect()
    }),
    ("81 columns, -1 for blanks", |all| {
        lines(all, |_, p, _| spread(p, "-1", ","))
    }),
    ("a label and 81 columns", |all| {
        lines(all, |n, p, _| {
            format!("{},{}", n % 5 + 1, spread(p, "0", ","))
        })
    }),
    ("81 columns and a label", |all| {
        lines(all, |n, p, _| {
            format!("{},{}", spread(p, "0", ","), n % 5 + 1)
        })
    }),
    ("81 named columns and an id", |all| {
        let names = (0..81).map(|at| format!("{}{}", char::from(b'A' + at / 9), at % 9 + 1));
        let names = names.collect::<Vec<_>>().join(",");
        format!("id,{names}\n") + &lines(all, |n, p, _| format!("{n},{}", spread(p, "0", ",")))
    }),
    ("formulas of spreadsheets", |all| {
        let rows = lines(all, |n, p, _| format!("{n},=\"{}\"", p.replace('.', "0")));
        "id,puzzle\n".to_owned() + &rows
    }),
    ("a comma at the ends of rows", |all| {
        "id,puzzle\n".to_owned() + &lines(all, |n, p, _| format!("{n},{p},"))
    }),
    ("a list in a field", |all| {
        let rows = lines(all, |n, p, _| format!("{n},\"[{}]\"", spread(p, "0", ", ")));
        "id,puzzle\n".to_owned() + &rows
    }),
    ("arrays of nine lines", |all| {
        blocks(all, |p| nested(p, "0", ["[", "]"], ",\n "))
    }),
    ("arrays of Python", |all| {
        lines(all, |n, p, _| {
            format!("board{n} = {}", nested(p, "0", ["[", "]"], ",\n          "))
        })
    }),
    ("arrays of C", |all| {
        lines(all, |n, p, _| {
            format!(
                "int grid{n}[9][9] = {};",
                nested(p, "0", ["{", "}"], ",\n ")
            )
        })
    }),
    ("arrays with None", |all| {
        lines(all, |_, p, _| nested(p, "None", ["[", "]"], ", "))
    }),
    ("arrays with -1", |all| {
        lines(all, |_, p, _| nested(p, "-1", ["[", "]"], ", "))
    }),
    ("one array of all", |all| {
        let all: Vec<_> = all
            .iter()
            .map(|[p, _]| nested(p, "0", ["[", "]"], ", "))
            .collect();
        format!("[{}]\n", all.join(", "))
    }),
    ("arrays as numpy prints them", |all| {
        blocks(all, |p| {
            let rows = rows(p, |r| format!("[{}]", spread(r, "0", " ")));
            format!("[{}]", rows.join("\n "))
        })
    }),
    ("one array of objects", |all| {
        let object =
            |n: usize, p: &str| format!("  {{\n    \"id\": {n},\n    \"puzzle\": \"{p}\"\n  }}");
        let all: Vec<_> = all
            .iter()
            .enumerate()
            .map(|(n, [p, _])| object(n, p))
            .collect();
        format!("[\n{}\n]\n", all.join(",\n"))
    }),
    ("tables of LaTeX", |all| {
        blocks(all, |p| {
            rows(p, |r| format!("{} \\\\", spread(r, "", " & "))).join("\n")
        })
    }),
    ("tables of Markdown", |all| {
        blocks(all, |p| {
            let mut rows = rows(p, |r| format!("| {} |", spread(r, " ", " | ")));
            rows.insert(1, "|---".repeat(9) + "|");
            rows.join("\n")
        })
    }),
    ("a cell on each line", |all| {
        all.iter()
            .map(|[p, _]| spread(p, "0", "\n") + "\n")
            .collect()
    }),
];

/// Formats of which a text may be refused: a column more or less, or a line of spaces more or less, is not seen in
/// few puzzles.
const MAY_BE_REFUSED: [&str; 4] = [
    "a label and 81 columns",
    "81 columns and a label",
    "spaces for blanks",
    "spaces for blanks, cells apart",
];

/// The puzzle with its digits, bands, rows and columns in another order.
fn shuffled(puzzle: &str, words: &mut Words) -> String {
    let order = |words: &mut Words| {
        let mut three = [0, 1, 2];
        for at in [2, 1] {
            three.swap(at, words.below(at + 1));
        }
        three
    };
    let lines = |words: &mut Words| -> Vec<usize> {
        let bands = order(words);
        bands
            .into_iter()
            .flat_map(|band| order(words).map(|line| 3 * band + line))
            .collect()
    };
    let mut digits: Vec<u8> = (b'1'..=b'9').collect();
    for at in (1..9).rev() {
        digits.swap(at, words.below(at + 1));
    }
    let (rows, columns) = (lines(words), lines(words));
    let cell = |at: usize| match puzzle.as_bytes()[9 * rows[at / 9] + columns[at % 9]] {
        b'.' => '.',
        digit => char::from(digits[usize::from(digit - b'1')]),
    };
    (0..81).map(cell).collect()
}

/// Puzzles with one solution, with their solutions.
fn samples(count: usize, words: &mut Words) -> Vec<[String; 2]> {
    let kinds = [puzzles("easy"), puzzles("minimal"), puzzles("hard")];
    let mut solver = Solver::new();
    let sample = |_| {
        let kind = &kinds[words.below(3)];
        let puzzle = shuffled(&kind[words.below(kind.len())].to_string(), words);
        let grid = solver
            .solve_unique(&puzzle.parse::<Puzzle>().unwrap())
            .unwrap();
        [puzzle, grid.to_string()]
    };
    (0..count).map(sample).collect()
}

/// The puzzles of a text, read in pieces of this size, or why it is refused.
fn read(text: &str, size: usize) -> Result<Vec<String>, DetectError> {
    let (layout, pieces) = Layout::pieces(text.as_bytes(), None, None, size)?;
    let mut all = Vec::new();
    for (lines, piece) in pieces {
        let mut records = Records::default();
        records.add_lines(lines);
        layout.read(piece, &mut records);
        all.extend((0..records.len()).map(|at| match records.puzzle(at) {
            Ok(puzzle) => puzzle.to_string(),
            Err(error) => format!("line {}: {error}", records.line(at)),
        }));
    }
    Ok(all)
}

#[test]
fn every_format_is_read_as_its_puzzles_or_refused() {
    let mut words = Words::new(64);
    let mut refused = 0;
    for number in 0..cases(6) {
        let all = samples([1, 2, 12, 40][number % 4], &mut words);
        let puzzles: Vec<_> = all.iter().map(|[puzzle, _]| puzzle.clone()).collect();
        for (name, write) in FORMATS {
            let text = write(&all);
            let disguised = [
                text.clone(),
                text.replace('\n', "\r\n"),
                text.trim_end_matches('\n').to_owned(),
                format!("\u{feff}{text}"),
            ];
            for text in disguised {
                match read(&text, usize::MAX) {
                    Ok(found) => assert_eq!(found, puzzles, "{name}:\n{text}"),
                    Err(DetectError::Ambiguous(_)) if MAY_BE_REFUSED.contains(name) => refused += 1,
                    Err(error) => panic!("{name}: {error}\n{text}"),
                }
            }
        }
    }
    assert!(refused < cases(6), "{refused} texts are refused");
}

/// The place of a record is the line on which it begins.
#[test]
fn written_records_have_their_lines() {
    let mut words = Words::new(65);
    let all = samples(5, &mut words);
    for (name, from, distance) in [
        ("a frame of hyphens", 1, 14),
        ("HoDoKu's frame", 1, 14),
        ("arrays of C", 1, 9),
        ("box drawing", 1, 14),
        ("links", 1, 1),
    ] {
        let (_, write) = FORMATS.iter().find(|(other, _)| *other == name).unwrap();
        let text = write(&all);
        let found = Layout::detect(text.as_bytes(), None, None).unwrap();
        let mut records = Records::default();
        found.layout.read(text.as_bytes(), &mut records);
        for record in 0..5 {
            // A frame begins a line before its first row.
            let line = records.line(record);
            let first = from + distance * record as u64;
            assert!((first..=first + 1).contains(&line), "{name}: {line}");
        }
    }
}

/// A long text is cut between grids, and it is read alike wherever it is cut.
#[test]
fn long_texts_are_read_in_pieces() {
    let mut words = Words::new(66);
    let all = samples(cases(600), &mut words);
    let puzzles: Vec<_> = all.iter().map(|[puzzle, _]| puzzle.clone()).collect();
    for name in [
        "box drawing",
        "a title above",
        "links",
        "81 columns, -1 for blanks",
        "arrays of C",
    ] {
        let (_, write) = FORMATS.iter().find(|(other, _)| *other == name).unwrap();
        let text = write(&all);
        for size in [1, 70_000, usize::MAX] {
            assert_eq!(read(&text, size).unwrap(), puzzles, "{name}, {size}");
        }
    }
}

/// Whatever a text holds, it ends in time that grows with its length alone.
#[test]
fn odd_texts_are_no_puzzles() {
    for sign in [
        "[", "|", "\"", "1", "+", "<", "&", "%", "S9B", ".", "- ", "'1", "\\n", "[1,", "<td>",
    ] {
        let text = sign.repeat((256 << 10) / sign.len());
        match read(&text, usize::MAX) {
            Ok(found) => {
                let is_puzzle =
                    |text: &String| text.parse::<Puzzle>().is_ok_and(|p| p.clue_count() >= 17);
                assert!(!found.iter().any(is_puzzle), "{sign}");
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// A puzzle that lacks a cell or a row is a malformed record, or the text is refused. The others stay as they are.
#[test]
fn damaged_puzzles_are_told() {
    let mut words = Words::new(67);
    for number in 0..cases(5) {
        let all = samples(12, &mut words);
        let puzzles: Vec<_> = all.iter().map(|[puzzle, _]| puzzle.clone()).collect();
        for name in [
            "links",
            "HoDoKu's library",
            "a frame of hyphens",
            "box drawing",
            "arrays of C",
        ] {
            let (_, write) = FORMATS.iter().find(|(other, _)| *other == name).unwrap();
            let text = write(&all);
            let lines: Vec<_> = text.split_inclusive('\n').collect();
            // A line in the middle of a puzzle: of links, the line itself.
            let is_of_lines = lines.len() <= 2 * all.len();
            let digits = |line: &str| line.bytes().filter(|b| b"123456789".contains(b)).count();
            let mut at = lines.len() / 2 + number % 3;
            while digits(lines[at]) < 2 {
                at += 1;
            }
            let shorter = lines[at].replacen(&all[at.min(11)][0], &all[at.min(11)][0][1..], 1);
            let (before, after) = (lines[..at].concat(), lines[at + 1..].concat());
            let damaged = match is_of_lines {
                true => before + &shorter + &after,
                false => before + &after,
            };
            match read(&damaged, usize::MAX) {
                Err(error) => assert!(
                    matches!(error, DetectError::Ambiguous(_)),
                    "{name}: {error}"
                ),
                Ok(found) => {
                    let good: Vec<_> = found
                        .iter()
                        .filter(|text| !text.starts_with("line"))
                        .collect();
                    assert_eq!(good.len(), 11, "{name}:\n{damaged}\n{found:#?}");
                    assert!(good.iter().all(|puzzle| puzzles.contains(puzzle)), "{name}");
                    assert!(found.len() > 11, "{name}:\n{damaged}");
                }
            }
        }
    }
}

/// An asked-for form is taken, whatever the evidence says.
#[test]
fn a_given_form_is_taken() {
    let [puzzle, other] = PUZZLES;
    let text = format!("puzzles = [\n'{puzzle}',\n'{other}'\n]\n");
    let found = Layout::detect(text.as_bytes(), Some(Form::Line), None).unwrap();
    assert_eq!(found.layout, Layout::Line);
}

/// The table of formats in docs/formats.md has each format here, with a line of it.
#[test]
fn the_page_has_every_format() {
    let page = fs::read_to_string(format!("{ROOT}/docs/formats.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| "));
    let rows: Vec<_> = rows
        .filter_map(|row| row.strip_suffix(" |")?.split_once(" | "))
        .collect();
    let solution = crate::support::puzzles::SOLUTIONS[0].to_owned();
    let all = [[PUZZLES[0].to_owned(), solution]];
    let mut told = Vec::new();
    for (name, example) in rows {
        let Some((_, write)) = FORMATS.iter().find(|(other, _)| *other == name) else {
            continue;
        };
        let text = write(&all);
        // A line that has back quotes is in two.
        let inner = example
            .strip_prefix("`` ")
            .and_then(|inner| inner.strip_suffix(" ``"));
        let inner = inner.or_else(|| example.strip_prefix('`')?.strip_suffix('`'));
        let example = inner.expect("a line in back quotes").replace("\\|", "|");
        let begins = |line: &str| {
            line == example
                || example
                    .strip_suffix('…')
                    .is_some_and(|e| line.starts_with(e))
        };
        assert!(
            text.lines().any(begins),
            "{name}: {example:?} is no line of\n{text}"
        );
        told.push(name);
    }
    let names: Vec<_> = FORMATS.iter().map(|(name, _)| *name).collect();
    assert_eq!(told, names, "docs/formats.md");
}
