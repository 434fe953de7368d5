//! `sudoku-batch book` from outside. What is printed is read from the pictures of the pages, by the places of their
//! marks; `scripts/check_book.sh` reads PDF files with poppler.

use crate::support::{
    oracle,
    puzzles::{PUZZLES, SOLUTIONS, TWO_SOLUTIONS},
    runner::Folder,
    symmetry,
};
use std::collections::{BTreeMap, BTreeSet};
use sudoku_batch::Puzzle;

/// A text of a picture, with its place.
#[derive(Clone, Debug)]
struct Text {
    x: f64,
    y: f64,
    size: f64,
    is_bold: bool,
    text: String,
}

/// The number behind a name in a tag.
fn number(tag: &str, name: &str) -> f64 {
    let (_, rest) = tag.split_once(&format!(" {name}=\"")).unwrap();
    rest.split('"').next().unwrap().parse().unwrap()
}

/// The texts of a picture.
fn texts(svg: &str) -> Vec<Text> {
    let tags = svg.split("<text").skip(1);
    let text = |tag: &str| {
        let (tag, rest) = tag.split_once('>').unwrap();
        Text {
            x: number(tag, "x"),
            y: number(tag, "y"),
            size: number(tag, "font-size"),
            is_bold: tag.contains("font-weight=\"bold\""),
            text: rest.split("</text>").next().unwrap().to_owned(),
        }
    };
    tags.map(text).collect()
}

/// A grid of a picture: its label, its digits, and the digits that are bold.
#[derive(Clone, Debug, PartialEq)]
struct Drawn {
    label: String,
    digits: String,
    bold: String,
    side: f64,
}

/// The left, the top and the side of each grid of a picture. A grid has a path of eight thick lines: its frame and the
/// borders of its boxes.
fn frames(svg: &str) -> Vec<[f64; 3]> {
    let paths = svg.split("<path d=\"").skip(1);
    let thick = paths.filter(|path| path.split('"').next().unwrap().matches('M').count() == 8);
    let frame = |path: &str| {
        let points = path.split('"').next().unwrap();
        let numbers = points
            .split(['M', 'L', ' '])
            .filter(|part| !part.is_empty());
        let numbers: Vec<f64> = numbers.map(|part| part.parse().unwrap()).collect();
        let of = |first: usize| numbers.iter().skip(first).step_by(2).copied();
        let least = |first| of(first).fold(f64::MAX, f64::min);
        let most = |first| of(first).fold(f64::MIN, f64::max);
        [least(0), least(1), most(0) - least(0)]
    };
    thick.map(frame).collect()
}

/// The grids of a picture.
fn grids(svg: &str) -> Vec<Drawn> {
    let texts = texts(svg);
    let grid = |[left, top, side]: [f64; 3]| {
        let cell = side / 9.0;
        let (mut digits, mut bold) = (vec!['.'; 81], vec!['.'; 81]);
        for text in &texts {
            let [column, row] = [(text.x - left) / cell, (text.y - top) / cell];
            let is_inside = (0.0..9.0).contains(&column) && (0.0..9.0).contains(&row);
            // Pencil marks are small.
            if is_inside && text.size > cell * 0.5 {
                let digit = text.text.parse().unwrap();
                let place = row as usize * 9 + column as usize;
                assert_eq!(digits[place], '.', "two digits in a cell");
                digits[place] = digit;
                if text.is_bold {
                    bold[place] = digit;
                }
            }
        }
        let above = texts
            .iter()
            .filter(|text| text.y < top && (text.x - left - side / 2.0).abs() < 1.0);
        let label = above.max_by(|one, other| one.y.total_cmp(&other.y));
        Drawn {
            label: label.map_or(String::new(), |label| label.text.clone()),
            digits: digits.into_iter().collect(),
            bold: bold.into_iter().collect(),
            side,
        }
    };
    frames(svg).into_iter().map(grid).collect()
}

/// The grids of all pages of a book in an HTML file.
fn of_html(folder: &Folder, name: &str) -> Vec<Vec<Drawn>> {
    let text = folder.read(name);
    let pages = text.split("<svg").skip(1);
    pages.map(grids).collect()
}

fn solved(puzzle: &str) -> String {
    let solutions = oracle::solutions(&puzzle.parse().unwrap(), 2);
    let [solution] = &solutions[..] else {
        panic!("{puzzle} has one solution");
    };
    solution.to_string()
}

#[test]
fn the_puzzles_of_a_file_are_printed_with_their_answers() {
    let folder = Folder::new().with("in.txt", PUZZLES.join("\n"));
    folder
        .run("book in.txt -o book.html --per-page 1")
        .status(0);
    let pages = of_html(&folder, "book.html");
    assert_eq!(pages.len(), 3);
    for (number, puzzle) in PUZZLES.iter().enumerate() {
        let [grid] = &pages[number][..] else {
            panic!("one puzzle on a page");
        };
        assert_eq!((&grid.digits[..], &grid.bold[..]), (*puzzle, *puzzle));
        assert_eq!(grid.label, (number + 1).to_string());
        let answer = &pages[2][number];
        assert_eq!(
            (&answer.digits[..], &answer.bold[..]),
            (SOLUTIONS[number], *puzzle)
        );
        assert_eq!(answer.label, (number + 1).to_string());
    }
    // On the back of each page.
    folder
        .run("book in.txt -o back.html --per-page 1 --answers back")
        .status(0);
    let pages: Vec<_> = of_html(&folder, "back.html").concat();
    let digits: Vec<_> = pages.iter().map(|grid| &grid.digits[..]).collect();
    assert_eq!(digits, [PUZZLES[0], SOLUTIONS[0], PUZZLES[1], SOLUTIONS[1]]);
    // In a file of their own, or nowhere.
    folder
        .run("book in.txt -o book.html --answers answers.html")
        .status(0);
    assert_eq!(of_html(&folder, "book.html").concat().len(), 2);
    let answers = of_html(&folder, "answers.html").concat();
    assert_eq!(answers[1].digits, SOLUTIONS[1]);
    folder
        .run("book in.txt -o none.html --answers none")
        .status(0);
    assert_eq!(folder.read("none.html"), folder.read("book.html"));
}

#[test]
fn made_puzzles_are_those_of_the_command_puzzles_and_the_key_has_them() {
    let folder = Folder::new();
    let book = "book --difficulty easy:7,medium:5 --seed 3 -o book.html --key key.csv --label";
    let mut command = folder.command(book);
    command.args([
        "{number}|{difficulty}|{clues}|{section}",
        "--section",
        "{section}: {count}",
    ]);
    assert!(command.status().unwrap().success());
    let pages = of_html(&folder, "book.html");
    let printed: Vec<_> = pages.concat();
    let [puzzles, answers] = [&printed[..12], &printed[12..]];
    assert_eq!(answers.len(), 12);
    let mut wanted = String::new();
    for (name, count) in [("easy", 7), ("medium", 5)] {
        wanted += &folder.out(&format!("puzzles {count} --difficulty {name} --seed 3"));
    }
    let key = folder.read("key.csv");
    let mut rows = key.lines();
    assert_eq!(rows.next(), Some("number,section,puzzle,solution"));
    let mut solutions = BTreeSet::new();
    for (number, puzzle) in wanted.lines().enumerate() {
        assert_eq!(puzzles[number].digits, puzzle);
        let (name, count) = if number < 7 {
            ("easy", 7)
        } else {
            ("medium", 5)
        };
        let clues = puzzle.bytes().filter(|cell| *cell != b'.').count();
        let label = format!("{}|{name}|{clues}|{name}: {count}", number + 1);
        assert_eq!(puzzles[number].label, label);
        let solution = solved(puzzle);
        assert_eq!(
            (&answers[number].digits, &answers[number].bold[..]),
            (&solution, puzzle)
        );
        let row = format!("{},{name}: {count},{puzzle},{solution}", number + 1);
        assert_eq!(rows.next(), Some(&row[..]));
        let grid = solution.parse::<Puzzle>().unwrap();
        solutions.insert(symmetry::smallest_image(&symmetry::cells(grid.as_ascii())).0);
    }
    // No two are symmetric copies, by a search of all symmetries.
    assert_eq!(solutions.len(), 12);
    let checked = folder
        .run("check key.csv --answer-column solution")
        .status(0);
    checked.says("12 answers-right");
    // A section begins on a page of its own: 7 easy ones take two pages of six.
    let counts: Vec<_> = pages.iter().map(Vec::len).collect();
    assert_eq!(counts[..3], [6, 1, 5]);
}

#[test]
fn what_is_not_printed_is_told() {
    let folder = Folder::new();
    let mut exchanged: Vec<char> = PUZZLES[0].chars().collect();
    for cell in &mut exchanged {
        *cell = match *cell {
            '1' => '2',
            '2' => '1',
            other => other,
        };
    }
    let copy: String = exchanged.into_iter().collect();
    let text = [PUZZLES[0], "123", TWO_SOLUTIONS, &copy, PUZZLES[1]].join("\n");
    let folder = folder.with("in.txt", text).with("old.txt", PUZZLES[1]);
    let ran = folder
        .run("book in.txt -o book.html --answers none")
        .status(1);
    ran.says("in.txt:2: malformed: ")
        .says("in.txt:3: multiple")
        .says("in.txt:4: repeat: a symmetric copy of in.txt:1\n")
        .says("3 of 5 puzzles are left out")
        .says("5 puzzles: 2 printed, 3 left-out");
    let printed = of_html(&folder, "book.html").concat();
    let printed: Vec<_> = printed.iter().map(|grid| &grid.digits[..]).collect();
    assert_eq!(printed, PUZZLES);
    // All that can be printed.
    let all = "book in.txt -o book.html --not-unique --repeats";
    folder.run(all).status(1).says("1 of 5 puzzles");
    let printed = of_html(&folder, "book.html").concat();
    let digits: Vec<_> = printed.iter().map(|grid| &grid.digits[..]).collect();
    assert_eq!(digits[..4], [PUZZLES[0], TWO_SOLUTIONS, &copy, PUZZLES[1]]);
    assert_eq!(printed[5].label, "2 (one of several solutions)");
    // Puzzles of other books.
    let ran = folder.run("book in.txt -o book.html --answers none --against old.txt");
    ran.status(1)
        .says("in.txt:5: repeat: a symmetric copy of old.txt:1\n");
    assert_eq!(of_html(&folder, "book.html").concat().len(), 1);
    folder.refuses(
        &format!("book {TWO_SOLUTIONS} -o new.pdf"),
        "there are no puzzles to print: all are left out",
    );
    assert!(!folder.file("new.pdf").exists());
}

#[test]
fn columns_of_the_user_are_labels() {
    let [puzzle, other] = PUZZLES;
    let table = format!("id,er,puzzle\nA-1,9.9,{puzzle}\nB & C,,{other}\n");
    let folder = Folder::new().with("in.csv", table);
    let mut command = folder.command("book in.csv -o book.html --first-number 41 --label");
    command.args(["No. {number}: {id} {{id}} {er} ({difficulty})"]);
    assert!(command.status().unwrap().success());
    let printed = of_html(&folder, "book.html").concat();
    // The user's ER stands as it is. By `rate` the first puzzle has 4.5.
    assert_eq!(printed[0].label, "No. 41: A-1 {id} 9.9 (extreme)");
    assert!(
        printed[1].label.starts_with("No. 42: B &amp; C {id}  ("),
        "{}",
        printed[1].label
    );
    folder.refuses(
        "book in.csv -o book.pdf --label {name}",
        "--label: in.csv has no column name; there is: number, section, clues, er, difficulty, id, er, puzzle\n",
    );
    folder.refuses(
        "book --difficulty easy:1 -o book.pdf --label {id}",
        "--label: {id} stands for nothing here; there is: number, section, clues, er, difficulty\n",
    );
}

/// The puzzles of each student, by the key.
fn by_student(key: &str) -> BTreeMap<String, Vec<String>> {
    let mut all = BTreeMap::<String, Vec<String>>::new();
    for row in key.lines().skip(1) {
        let fields: Vec<_> = row.split(',').collect();
        let [id, _, _, _, puzzle, solution] = fields[..] else {
            panic!("six columns in {row}");
        };
        assert_eq!(solved(puzzle), solution);
        all.entry(id.to_owned())
            .or_default()
            .push(puzzle.to_owned());
    }
    all
}

#[test]
fn each_student_has_puzzles_that_depend_on_no_other_student() {
    let class = "id,name\n17,Ann\n18,Bo\n19,Cy\n";
    let folder = Folder::new()
        .with("class.csv", class)
        .with("other.tsv", "id\tname\n19\tCy\n20\tDi\n17\tAnne\n");
    let book = "book --difficulty easy:2,medium:1 --name-line --seed 5";
    folder
        .run(&format!(
            "{book} --per-student class.csv -o sheets/{{id}}.html --answers key.html --key key.csv"
        ))
        .status(0);
    let key = by_student(&folder.read("key.csv"));
    assert_eq!(key.keys().collect::<Vec<_>>(), ["17", "18", "19"]);
    let all: BTreeSet<_> = key.values().flatten().collect();
    assert_eq!(all.len(), 9);
    for (id, name) in [("17", "Ann"), ("18", "Bo"), ("19", "Cy")] {
        let sheet = format!("sheets/{id}.html");
        let printed = of_html(&folder, &sheet).concat();
        let printed: Vec<_> = printed.iter().map(|grid| grid.digits.clone()).collect();
        assert_eq!(printed, key[id]);
        let text = folder.read(&sheet);
        for word in [
            format!(">{id} · {name}<"),
            ">Name:<".into(),
            ">Date:<".into(),
        ] {
            assert!(text.contains(&word), "{word}");
        }
    }
    let answers = of_html(&folder, "key.html").concat();
    assert_eq!(answers.len(), 9);
    assert_eq!(
        (&answers[3].label[..], &answers[3].digits),
        ("18 · 1", &solved(&key["18"][0]))
    );
    // One file for all, from another list.
    folder
        .run(&format!(
            "{book} --per-student other.tsv -o all.html --key other.csv"
        ))
        .status(0);
    let other = by_student(&folder.read("other.csv"));
    assert_eq!((&other["17"], &other["19"]), (&key["17"], &key["19"]));
    folder.refuses(
        &format!("{book} --per-student none.csv -o all.pdf"),
        "none.csv",
    );
    let folder = folder.with("bad.csv", "id\na/b\n");
    folder.refuses(
        &format!("{book} --per-student bad.csv -o {{id}}.pdf"),
        "student a/b: {id} is 'a/b', which cannot be part of a file name",
    );
}

#[test]
fn the_bytes_are_the_same_for_any_number_of_threads() {
    let folder = Folder::new().with("in.txt", PUZZLES.join("\n"));
    let book = "book in.txt --difficulty medium:20,hard:9 --seed 9 --title Nine --title-page";
    for name in ["pdf", "html"] {
        for threads in [1, 2, 7] {
            folder
                .run(&format!("{book} -j {threads} -o {threads}.{name}"))
                .status(0);
        }
        let read =
            |threads: usize| std::fs::read(folder.file(&format!("{threads}.{name}"))).unwrap();
        assert!(read(1) == read(2) && read(1) == read(7), "{name}");
        assert!(!read(1).is_empty());
    }
    let pdf = std::fs::read(folder.file("1.pdf")).unwrap();
    assert!(pdf.starts_with(b"%PDF-1.7\n") && pdf.ends_with(b"%%EOF"));
    // Nothing says when it was written.
    for key in ["CreationDate", "ModDate"] {
        assert!(
            !pdf.windows(key.len())
                .any(|window| window == key.as_bytes()),
            "{key}"
        );
    }
}

#[test]
fn all_marks_stand_within_the_margins() {
    let folder = Folder::new().with("in.txt", PUZZLES.join("\n"));
    let points = |mm: f64| mm * 72.0 / 25.4;
    for (options, [width, height], least) in [
        ("", [210.0, 297.0], 8.0),
        ("--landscape --per-page 2", [297.0, 210.0], 12.0),
        ("--paper a5 --per-page 1", [148.0, 210.0], 12.0),
        ("--paper 7x10in --large", [177.8, 254.0], 14.0),
        ("--paper letter --per-page 3x4", [215.9, 279.4], 4.5),
        (
            "--paper 100x100mm --per-page 1 --title A --footer B",
            [100.0, 100.0],
            4.8,
        ),
        (
            "--cell-size 14mm --per-page 1 --candidates --givens shaded",
            [210.0, 297.0],
            14.0,
        ),
    ] {
        let book = "book in.txt --difficulty hard:9 -o book.html --gutter 4mm --answers none";
        folder.run(&format!("{book} {options}")).status(0);
        let text = folder.read("book.html");
        let mut sides = BTreeSet::new();
        for (number, page) in text.split("<svg").skip(1).enumerate() {
            assert!(
                (number_of(page, "width") - points(width)).abs() < 0.01,
                "{options}"
            );
            assert!(
                (number_of(page, "height") - points(height)).abs() < 0.01,
                "{options}"
            );
            let [inner, outer] = [19.0, 15.0].map(points);
            let [left, right] = match number % 2 {
                0 => [inner, outer],
                _ => [outer, inner],
            };
            for text in texts(page) {
                assert!(
                    text.x >= left - 0.1 && text.x <= points(width) - right + 0.1,
                    "{text:?}"
                );
                let is_within =
                    text.y >= points(15.0) && text.y <= points(height) - points(15.0) + 0.1;
                assert!(is_within, "{options}: {text:?}");
            }
            for grid in grids(page) {
                sides.insert((grid.side * 10.0).round() as i64);
            }
        }
        // All grids have one size. The frame is a little wider than the cells.
        assert_eq!(sides.len(), 1, "{options}: {sides:?}");
        let cell = *sides.first().unwrap() as f64 / 90.0 / 72.0 * 25.4;
        assert!((least..=20.3).contains(&cell), "{options}: {cell} mm");
    }
}

fn number_of(tag: &str, name: &str) -> f64 {
    let (_, rest) = tag.split_once(&format!(" {name}=\"")).unwrap();
    rest.split("pt\"").next().unwrap().parse().unwrap()
}

#[test]
fn what_does_not_fit_is_told_with_its_measure() {
    let folder = Folder::new().with("in.txt", PUZZLES.join("\n"));
    for (options, message) in [
        (
            "--cell-size 20mm",
            "cells of 20 mm do not fit: 3x2 puzzles on a page of 210 mm by 297 mm have cells of at most ",
        ),
        (
            "--per-page 9x9",
            "9x9 puzzles on a page of 210 mm by 297 mm do not fit: 180 mm by ",
        ),
        (
            "--large --paper a6",
            "which makes cells of 8.3 mm, and 14 mm is the least",
        ),
        (
            "--paper a7",
            "a size of paper is wanted: a3, a4, a5, a6, letter, legal, or width and height",
        ),
        ("--margin 5", "a length with its unit is wanted"),
        (
            "--per-page 0",
            "a number of puzzles is wanted, such as 6, or rows of columns, such as 3x2",
        ),
        (
            "--difficulty easy",
            "a difficulty and a number are wanted, such as easy:40",
        ),
        (
            "--language xx",
            "no language is called xx; there is: en, zh, de, es, fr",
        ),
        (
            "--word x=y",
            "no word is called x; there is: answers, several,",
        ),
        ("--font in.txt", "--font in.txt: "),
        (
            "--cell-size 1mm",
            "cells of 1 mm are too small to write in: 3 mm is the least",
        ),
        (
            "--answers ends",
            "--answers ends: end is a place for answers, and NAME.pdf a file",
        ),
        (
            "--answers x.pfd",
            "--answers x.pfd: no format has the ending .pfd: name it NAME.pdf, NAME.html or NAME.svg",
        ),
        (
            "--answers {id}.pdf",
            "--answers: {id} stands for nothing here",
        ),
        ("--against - -", "standard input (-) can be read once"),
        (
            "--name-line --word name=A_very_long_word_before_the_line_for_a_name",
            "is too long before a line to write on",
        ),
        (
            "--first-number 18446744073709551615",
            "the numbers of 2 puzzles are too large",
        ),
        (
            "--difficulty easy:2M",
            "a book has at most 1000000 puzzles of a difficulty",
        ),
        (
            "--title 数独",
            "'数' (U+6570) of '数独' is in no font of the book",
        ),
    ] {
        folder.refuses(&format!("book in.txt -o book.pdf {options}"), message);
        assert!(!folder.file("book.pdf").exists(), "{options}");
    }
    folder.refuses(
        "book in.txt -o book.svg --per-page 1",
        "--output book.svg: 3 pages are as many pictures: name them page-{page}.svg, or write a PDF",
    );
    folder
        .run("book in.txt -o page-{page}.svg --per-page 1")
        .status(0);
    assert_eq!(
        folder.names(),
        ["in.txt", "page-1.svg", "page-2.svg", "page-3.svg"]
    );
    assert_eq!(grids(&folder.read("page-2.svg"))[0].digits, PUZZLES[1]);
    folder.refuses("book -o book.pdf", "required arguments were not provided");
}

#[test]
fn a_title_page_and_long_titles() {
    let folder = Folder::new().with("in.txt", PUZZLES.join("\n"));
    let mut command = folder
        .command("book in.txt -o book.html --paper a6 --per-page 1 --title-page --answers-per-page 2 --gutter 5mm");
    let title = "Ein sehr langer Titel, der auf einer kleinen Seite mehrere Zeilen braucht";
    command.args([
        "--title",
        title,
        "--author",
        "A. B.",
        "--date",
        "2026",
        "--language",
        "de",
    ]);
    assert!(command.status().unwrap().success());
    let text = folder.read("book.html");
    let pages: Vec<_> = text.split("<svg").skip(1).collect();
    // The title, its empty back, two puzzles, the answers.
    assert_eq!(pages.len(), 5);
    let lines: Vec<_> = texts(pages[0]).into_iter().map(|text| text.text).collect();
    assert!(lines.len() > 4);
    assert_eq!(lines[..lines.len() - 2].join(" "), title);
    assert_eq!(lines[lines.len() - 2..], ["A. B.", "2026"]);
    assert_eq!(texts(pages[1]).len(), 0);
    assert_eq!(grids(pages[2])[0].digits, PUZZLES[0]);
    assert!(texts(pages[4]).iter().any(|text| text.text == "Lösungen"));
    assert!(text.contains("<html lang=\"de\">"));
}

/// Texts and grids of all kinds of pages keep away from each other.
#[test]
fn no_text_stands_on_a_grid_or_beyond_the_page() {
    let table = format!(
        "{{\"id\":\"a\\nb\\nc\",\"puzzle\":\"{}\"}}\n{{\"id\":\"long {}\",\"puzzle\":\"{}\"}}\n",
        PUZZLES[0],
        "word ".repeat(40),
        PUZZLES[1]
    );
    let folder = Folder::new()
        .with("in.jsonl", table)
        .with("in.txt", PUZZLES.join("\n"))
        .with(
            "class.csv",
            "id,name\n1,A\n2,B with a name that is very long for a label of an answer\n",
        );
    let long = "word ".repeat(60);
    let made = ["--difficulty", "easy:9,hard:3"];
    let cases: [(&str, &[&str]); 7] = [
        (
            "in.txt --answers back --per-page 1 --landscape",
            &["--label", ""],
        ),
        (
            "in.txt --answers back --per-page 4 --title T",
            &["--label", "", "--footer", &long],
        ),
        ("in.jsonl --per-page 3x2", &["--label", "{id}"]),
        (
            "in.jsonl --per-page 1x2 --paper a5",
            &["--label", "{id} {number}", "--title", &long],
        ),
        ("--name-line --title T --answers-per-page 30", &made),
        (
            "--per-page 2 --candidates --answers back --not-unique --gutter 9mm",
            &made,
        ),
        ("--per-student class.csv --answers back --per-page 9", &made),
    ];
    for (arguments, more) in cases {
        let mut command = folder.command(&format!("book {arguments} -o book.html"));
        let arguments = format!("{arguments} {more:?}");
        assert!(
            command.args(more).status().unwrap().success(),
            "{arguments}"
        );
        for page in folder.read("book.html").split("<svg").skip(1) {
            let width = number_of(page, "width");
            let frames = frames(page);
            for text in texts(page) {
                // Nearly all letters of Noto Sans are narrower than this.
                let half = text.text.chars().count() as f64 * text.size * 0.3;
                assert!(
                    text.x - half > 0.0 && text.x + half < width,
                    "{arguments}: {text:?}"
                );
                let is_digit = text.text.len() == 1 && text.text.parse::<u8>().is_ok();
                for [left, top, side] in &frames {
                    let is_beside = text.x + half < *left || text.x - half > left + side;
                    let is_above = text.y < *top || text.y - text.size * 0.8 > top + side;
                    let is_inside = (*left..left + side).contains(&text.x)
                        && (*top..top + side).contains(&text.y);
                    assert!(
                        is_beside || is_above || is_digit && is_inside,
                        "{arguments}: {text:?}"
                    );
                }
            }
            for (at, [left, top, side]) in frames.iter().enumerate() {
                for [other_left, other_top, _] in &frames[..at] {
                    let is_apart =
                        (left - other_left).abs() > *side || (top - other_top).abs() > *side;
                    assert!(is_apart, "{arguments}: two grids overlap");
                }
            }
        }
    }
    // A student begins on the front of a sheet: page 3 of two students with one page each.
    let pages = of_html(&folder, "book.html");
    let counts: Vec<_> = pages.iter().map(Vec::len).collect();
    assert_eq!(counts, [9, 9, 3, 3, 9, 9, 3, 3]);
}

#[test]
fn a_seed_goes_on_where_other_books_have_its_puzzles() {
    let folder = Folder::new();
    let made = folder.out("puzzles 140 --difficulty easy --seed 0");
    let lines: Vec<_> = made.lines().collect();
    let folder = folder.with("old.txt", lines[..130].join("\n"));
    folder
        .run("book --difficulty easy:2,easy:3 --against old.txt -o new.html --answers none")
        .status(0);
    let printed = of_html(&folder, "new.html").concat();
    let printed: Vec<_> = printed.iter().map(|grid| &grid.digits[..]).collect();
    assert_eq!(printed, lines[130..135]);
}
