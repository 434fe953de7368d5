//! The formats that people share puzzles in: every format of docs/reference.md by its rule.

/// Writes puzzles beside their solutions, both with dots for blanks.
pub type Write = fn(&[[String; 2]]) -> String;

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

/// The name of each format of docs/reference.md, and its rule.
pub const FORMATS: &[(&str, Write)] = &[
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
