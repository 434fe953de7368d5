//! Grids in free text: each form of `tests/texts/layouts.txt` with any grid and any text around is read, and
//! texts without a grid give none.

use proptest::prelude::*;
use std::{ops::Range, path::Path};
use sudoku_batch::{Puzzle, format::prose};

/// A form that is drawn by hand.
struct Drawing {
    name: String,
    /// The text for a blank.
    blank: String,
    /// An `@` stands for a cell.
    text: String,
}

fn drawings() -> Vec<Drawing> {
    let path = Path::new(crate::support::ROOT).join("tests/texts/layouts.txt");
    let file = std::fs::read_to_string(path).unwrap();
    let drawings = file.split("\n=== ").skip(1).map(|part| {
        let (head, text) = part.split_once('\n').unwrap();
        let (name, blank) = head.split_once(" | ").unwrap();
        Drawing {
            name: name.into(),
            blank: blank.into(),
            text: text.trim_end_matches('\n').into(),
        }
    });
    let drawings = Vec::from_iter(drawings);
    assert!(drawings.len() > 50 && drawings.iter().all(|d| d.text.matches('@').count() == 81));
    drawings
}

impl Drawing {
    fn of(&self, grid: &Puzzle) -> String {
        self.with_blank(grid, &self.blank)
    }

    fn with_blank(&self, grid: &Puzzle, blank: &str) -> String {
        let mut cells = grid.as_ascii().iter();
        let mut text = String::new();
        for character in self.text.chars() {
            match (character, cells.len()) {
                ('@', 1..) => match cells.next().unwrap() {
                    b'.' => text.push_str(blank),
                    digit => text.push((*digit).into()),
                },
                _ => text.push(character),
            }
        }
        text
    }
}

fn grids(text: &str) -> Vec<(Range<usize>, Puzzle)> {
    let mut found = Vec::new();
    prose::each_grid(text.as_bytes(), |place, grid| found.push((place, grid)));
    found
}

fn last(text: &str) -> Option<Puzzle> {
    grids(text).pop().map(|(_, grid)| grid)
}

const SOLVED: &str =
    "496528713875143692132967854314289576729654381568731429687492135943815267251376948";
const PUZZLE: &str =
    "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";

/// Signs that some drawings use for something else.
fn is_drawn_with(drawing: &Drawing, blank: &str) -> bool {
    let is_sign = |text: &str| !text.is_empty() && drawing.text.contains(text);
    is_sign(blank) || drawing.blank.is_empty() || drawing.blank.len() > 1
}

#[test]
fn every_drawing_is_read() {
    for drawing in drawings() {
        for grid in [SOLVED, PUZZLE] {
            let grid = grid.parse().unwrap();
            let text = drawing.of(&grid);
            assert_eq!(last(&text), Some(grid), "{}:\n{text}", drawing.name);
            // With the line ends of Windows, and with another sign for a blank.
            assert_eq!(
                last(&text.replace('\n', "\r\n")),
                Some(grid),
                "{}",
                drawing.name
            );
            for blank in [".", "0", "_", "*", "?", "x", "X", "-"] {
                if !is_drawn_with(&drawing, blank) {
                    let text = drawing.with_blank(&grid, blank);
                    assert_eq!(last(&text), Some(grid), "{}:\n{text}", drawing.name);
                }
            }
        }
    }
}

/// SudokuWiki's codes have no signs that a drawing could show: two digits of base 36 stand for a cell.
#[test]
fn codes_are_read() {
    let grid: Puzzle = PUZZLE.parse().unwrap();
    let digits = |base: fn(u32) -> u32| {
        let number = |cell: char| cell.to_digit(10).map_or(0, base);
        let sign = |n| char::from_digit(n, 36).unwrap();
        let pair = |n| [sign(n / 36), sign(n % 36)];
        PUZZLE
            .chars()
            .map(number)
            .flat_map(pair)
            .collect::<String>()
    };
    // A clue as its digit, and as the bit of its candidate with the lowest bit for a clue.
    for code in [digits(|digit| digit), digits(|digit| (1 << digit) + 1)] {
        let text = format!("It is S9B{code}, I think.\nS9B{}", &code[1..]);
        assert_eq!(grids(&text), [(6..6 + 165, grid)], "{text}");
    }
}

/// A table of 18 columns is no two grids, nor are grids with other rows between theirs.
#[test]
fn rows_side_by_side_have_a_gap_between_them() {
    let [one, two] = [SOLVED, PUZZLE].map(|grid| grid.parse::<Puzzle>().unwrap());
    let rows = |grid: &str, between: &str| {
        let row = |row: &[u8]| {
            let cells = row.iter().map(|cell| char::from(*cell).to_string());
            cells.collect::<Vec<_>>().join(between)
        };
        grid.as_bytes().chunks(9).map(row).collect::<Vec<_>>()
    };
    let text = |cells: &str, gap: &str| {
        let pairs = rows(SOLVED, cells).into_iter().zip(rows(PUZZLE, cells));
        let lines = pairs.map(|(left, right)| format!("{left}{gap}{right}"));
        lines.collect::<Vec<_>>()
    };
    for (cells, gap) in [(" ", "   "), ("", "  "), (" | ", " | | "), (",", ", ")] {
        let lines = text(cells, gap);
        let found: Vec<_> = grids(&lines.join("\n"))
            .into_iter()
            .map(|(_, grid)| grid)
            .collect();
        assert_eq!(found, [one, two], "{lines:?}");
        let alone = rows(SOLVED, " ").join("\n");
        let found = grids(&format!("{alone}\n{}", lines.join("\n")));
        assert_eq!(found.len(), 3, "{lines:?}");
        assert!(grids(&lines[1..].join("\n")).is_empty(), "{lines:?}");
    }
    for (cells, gap) in [(" ", " "), ("  ", " "), (",", ","), ("", " ")] {
        let lines = text(cells, gap);
        assert!(grids(&lines.join("\n")).is_empty(), "{lines:?}");
    }
}

#[test]
fn a_place_is_that_of_the_cells() {
    let rows: Vec<_> = (0..9).map(|row| &SOLVED[9 * row..9 * row + 9]).collect();
    for text in [
        rows.join("\n"),
        rows.join("|\r\n"),
        rows.join("\n\n"),
        rows.concat(),
    ] {
        let around = format!("1. See: {text}.");
        let found = grids(&around);
        assert_eq!(found, [(8..8 + text.len(), SOLVED.parse().unwrap())]);
    }
}

#[test]
fn the_order_is_that_of_the_text() {
    let [one, two] = [SOLVED, PUZZLE].map(|grid| grid.parse::<Puzzle>().unwrap());
    let all = drawings();
    let alone: Vec<_> = all
        .iter()
        .filter(|drawing| grids(&drawing.of(&one)).len() == 1)
        .collect();
    assert!(alone.len() > 50);
    for (number, first) in alone.iter().enumerate() {
        let second = alone[(7 * number + 3) % alone.len()];
        let text = format!("{}\n\nAnd now:\n\n{}", first.of(&one), second.of(&two));
        let found: Vec<_> = grids(&text).into_iter().map(|(_, grid)| grid).collect();
        assert_eq!(found, [one, two], "{} {}:\n{text}", first.name, second.name);
    }
}

/// Rows of a table of another size.
fn table(rows: usize, columns: usize, between: &str) -> String {
    let cell = |n: usize| ((7 * n + 3) % 9 + 1).to_string();
    let row = |row: usize| {
        let cells = (0..columns).map(|column| cell(row * columns + column));
        cells.collect::<Vec<_>>().join(between)
    };
    (0..rows).map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn texts_without_a_grid_give_none() {
    let mut texts = vec![
        String::new(),
        "I cannot solve this one, sorry. 9 tries, 81 cells, 27 houses: 100 % sure.".into(),
        "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534".into(),
        "2024-01-15\n".repeat(9),
        "2024-1-15\n2024-1-16\n2024-1-17\n2024-1-18\n2024-1-19\n2024-1-20\n2024-1-21\n2024-1-22\n2024-1-23\n".into(),
        "5.11.2024\n".repeat(9),
        "15:04:05 192.168.0.1 - - 200 512\n".repeat(20),
        "---------\n".repeat(40),
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n".repeat(10),
        "+---+---+---+---+---+---+---+---+---+\n".repeat(10),
        "| a | b | c | d | e | f | g | h | i |\n|---|---|---|---|---|---|---|---|---|\n".repeat(9),
        "1 2 3 4 5 6 7 8 9\n".repeat(8),
        "10 20 30 40 50 60 70 80 90\n".repeat(9),
        "$1.99 $2.99 $3.99 $4.99 $5.99 $6.99 $7.99 $8.99 $9.99\n".repeat(9),
        "12 34 56 78 9\n".repeat(9),
    ];
    for cells in [1, 9, 27, 72, 80, 82, 90, 162, 256] {
        for grid in [SOLVED, PUZZLE] {
            let many = grid.repeat(4);
            let run = &many[..cells];
            texts.push(run.into());
            texts.push(format!("It is {run}, I think."));
            // In lines of nine, and what is left over.
            let lines: Vec<_> = run.as_bytes().chunks(9).map(<[u8]>::escape_ascii).collect();
            let lines: Vec<_> = lines.iter().map(ToString::to_string).collect();
            texts.push(lines.join("\n"));
            texts.push(format!("It is\n{}\nI think.", lines.join("\n")));
            let spaced = lines
                .iter()
                .map(|line| line.chars().map(String::from).collect::<Vec<_>>().join(" "));
            texts.push(spaced.collect::<Vec<_>>().join("\n"));
            texts.push(format!(
                "[{}]",
                run.chars().map(String::from).collect::<Vec<_>>().join(", ")
            ));
        }
    }
    for rows in [1, 2, 3, 4, 6, 8, 9, 10, 12, 16, 18, 25] {
        for columns in [1, 2, 3, 4, 6, 8, 9, 10, 12, 16, 18, 25] {
            for between in ["", " ", ",", " | ", " & ", "\t"] {
                if (rows, columns) != (9, 9) {
                    let table = table(rows, columns, between);
                    texts.push(format!("A table:\n{table}\nThat is it."));
                    let lists = table.replace('\n', "],\n [");
                    texts.push(format!("[[{lists}]]"));
                }
            }
        }
    }
    for text in texts {
        // 81 cells in rows of three, or in one, are a grid too, in some of these.
        let expected: usize = 0;
        assert_eq!(grids(&text).len(), expected, "{text}");
    }
}

#[test]
fn rows_that_belong_to_no_grid_are_left_out() {
    let rows: Vec<_> = (0..9).map(|row| &SOLVED[9 * row..9 * row + 9]).collect();
    let grid: Puzzle = SOLVED.parse().unwrap();
    let rows_of = |rows: &[&str]| rows.join("\n");
    // Ten rows are none, whichever nine of them might be meant.
    assert_eq!(last(&rows_of(&[&rows[..], &rows[..1]].concat())), None);
    // A blank line parts them, and so does a sentence.
    for border in ["\n\n", "\nand\n", "\n```\n"] {
        let text = format!("{}{border}{}", rows[4], rows_of(&rows));
        assert_eq!(last(&text), Some(grid), "{text}");
    }
    // Nine rows may have blank lines and rules between them, and no sentence.
    assert_eq!(last(&rows.join("\n\n")), Some(grid));
    assert_eq!(last(&rows.join("\n---+---+---\n")), Some(grid));
    assert_eq!(last(&rows.join("\nand\n")), None);
    // Numbers of rows are in order.
    let numbered = |first: usize| {
        let rows = rows.iter().enumerate();
        let rows = rows.map(|(number, row)| format!("{} {row}", (first + number) % 10));
        last(&rows.collect::<Vec<_>>().join("\n"))
    };
    assert_eq!([0, 1, 2].map(numbered), [Some(grid), Some(grid), None]);
}

/// Sentences of nine cells stand above the rows. Where each row has words, a sentence is a row like the others, and
/// ten rows are no grid.
#[test]
fn sentences_above_the_rows_are_no_rows() {
    let grid: Puzzle = SOLVED.parse().unwrap();
    let sentences = [
        "",
        "Note ... ... 3.5 %\n",
        "Note ... ... ...\nNote 1 2 3 4 5 6 7 8 9\n",
    ];
    for drawing in drawings() {
        let mut rows = drawing.text.lines().filter(|line| line.contains('@'));
        let have_words = rows.all(|row| row.contains(char::is_alphabetic));
        for sentences in &sentences[..if have_words { 1 } else { 3 }] {
            let text = format!("{sentences}{}\n", drawing.of(&grid));
            assert_eq!(last(&text), Some(grid), "{}:\n{text}", drawing.name);
        }
    }
    // One row too many is still no grid.
    let rows = "534678912\n".repeat(10);
    assert_eq!(last(&format!("Note ... ... ...\n{rows}")), None);
}

/// Words and numbers as they stand in texts.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "So",
        "the",
        "row",
        "box",
        "next",
        "r1c5",
        "naked single",
        "(4, 7)",
        "is 5.",
        "2024-01-15",
        "10:45",
        "x = 95",
        "3.5 %",
        "...",
        "**Step 3:**",
        "Überlegung",
        "数独",
        "[1]",
        "5/9",
        "--",
        "e.g.",
        "\"done\"",
        "1-2-3",
        "12:34",
        "<b>",
        "\\( x_1 \\)",
        "?",
        "81",
        "…",
    ]);
    // Three words of three cells are a row: see `sentences_above_the_rows_are_no_rows`.
    let has_row = |words: &[&str]| {
        let is_row = |words: &[&str]| words.iter().all(|word| ["...", "3.5 %"].contains(word));
        words.windows(3).any(is_row)
    };
    prop::collection::vec(word, 1..12)
        .prop_filter("a row", move |words| !has_row(words))
        .prop_map(|words| format!("Note {}", words.join(" ")))
}

fn lines() -> impl Strategy<Value = String> {
    prop::collection::vec(prop_oneof![3 => words(), 1 => Just(String::new())], 0..6)
        .prop_map(|lines| lines.iter().map(|line| format!("{line}\n")).collect())
}

fn any_grid() -> impl Strategy<Value = Puzzle> {
    let cells = prop::collection::vec(prop::sample::select(b".123456789".to_vec()), 81);
    let puzzle = |cells: Vec<u8>| Puzzle::from_ascii(cells.as_array().unwrap()).unwrap();
    let full = prop::collection::vec(prop::sample::select(b"123456789".to_vec()), 81);
    prop_oneof![cells.prop_map(puzzle), full.prop_map(puzzle)]
}

proptest! {
    // More cases find rarer texts around a grid.
    #![proptest_config(crate::support::slow(600))]

    #[test]
    fn any_grid_in_any_text_is_found(
        drawing in 0..drawings().len(), grid in any_grid(), before in lines(), after in lines(), crlf: bool,
    ) {
        let drawing = &drawings()[drawing];
        let mut text = format!("{before}{}\n{after}", drawing.of(&grid));
        if crlf {
            text = text.replace('\n', "\r\n");
        }
        prop_assert_eq!(last(&text), Some(grid), "{}:\n{}", &drawing.name, text);
    }

    #[test]
    fn words_have_no_grid(text in lines()) {
        prop_assert!(grids(&text).is_empty(), "{}", text);
    }

    #[test]
    fn places_are_in_order_and_cells_are_there(bytes: Vec<u8>) {
        let (mut start, text) = (0, &bytes);
        prose::each_grid(text, |place, _| {
            assert!(start <= place.start && place.start < place.end && place.end <= text.len());
            start = place.start;
        });
    }
}
