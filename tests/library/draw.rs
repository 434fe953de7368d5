//! Pictures of puzzles as SVG and as sheets to print.

use crate::support::puzzles::{PUZZLES, SOLUTIONS};
use sudoku_batch::{
    Cell, Digit, Outcome, Puzzle,
    draw::{Picture, sheet, svg},
    technique::Difficulty,
};

const CLUES: &str = PUZZLES[0];

fn puzzle(text: &str) -> Puzzle {
    text.parse().unwrap()
}

#[test]
fn svg_tells_clues_entries_marks_and_errors_apart() {
    let puzzle = puzzle(CLUES);
    let solution = SOLUTIONS[0].parse().unwrap();
    let count = |text: &str, class: &str| text.matches(&format!("class=\"{class}\"")).count();
    let solved = svg::document(&Picture::solved(&puzzle, &solution), "<A & B>");
    assert_eq!((count(&solved, "clue"), count(&solved, "entry")), (25, 56));
    assert!(solved.contains("<title>&lt;A &amp; B&gt;</title>"));
    let marks = svg::document(&Picture::new(&puzzle).with_candidates(&puzzle), "");
    let candidates = Cell::all().filter(|&cell| puzzle.get(cell).is_none());
    let candidates: usize = candidates.map(|cell| puzzle.candidates(cell).len()).sum();
    assert_eq!(
        (count(&marks, "clue"), count(&marks, "mark")),
        (25, candidates)
    );
    let mut wrong = puzzle;
    wrong.set(Cell::at(0, 1), Digit::new(4));
    let wrong = svg::document(&Picture::new(&wrong), "");
    assert_eq!(
        (count(&wrong, "clue wrong"), count(&wrong, "error")),
        (2, 2)
    );
}

#[test]
fn a_sheet_has_its_puzzles_then_its_answers() {
    let entry = |n: usize| sheet::SheetEntry {
        label: format!("No. {n}"),
        puzzle: puzzle(CLUES),
        note: ["", "A&B"][n % 2].into(),
        answer: [
            Outcome::NoSolution,
            Outcome::Unique("1".repeat(81).parse().unwrap()),
        ][n % 2],
    };
    for (per_page, count, pages) in [
        (sheet::PerPage::Four, 4, 1 + 1),
        (sheet::PerPage::Four, 5, 2 + 1),
        (sheet::PerPage::Six, 13, 3 + 2),
        (sheet::PerPage::Nine, 27, 3 + 3),
    ] {
        let sheet = sheet::Sheet {
            title: "A<B".into(),
            per_page,
            entries: (0..count).map(entry).collect(),
        };
        let page = sheet.to_string();
        assert_eq!(
            page.matches("<section>").count(),
            pages,
            "{per_page:?} {count}"
        );
        assert_eq!(
            page.matches("<h1>A&lt;B – Answers</h1>").count(),
            count.div_ceil(12)
        );
        let labels: Vec<_> = page.match_indices("<figcaption>No. ").collect();
        assert_eq!(labels.len(), 2 * count);
        let answers = page.find("Answers</h1>").unwrap();
        assert!(labels[..count].iter().all(|label| label.0 < answers));
        assert!(labels[count..].iter().all(|label| label.0 > answers));
        assert_eq!(page.matches("(no solution)").count(), count.div_ceil(2));
        // A note stands below its puzzle alone; the pages have numbers.
        let note = "</svg><p class=\"note\">A&amp;B</p></figure>";
        assert_eq!(page.matches(note).count(), count / 2);
        let numbers = page.split("<footer>").skip(1);
        let numbers: Vec<_> = numbers
            .map(|rest| rest.split('<').next().unwrap())
            .collect();
        let expected = (1..=pages).map(|n| format!("{n} / {pages}"));
        assert_eq!(numbers, expected.collect::<Vec<_>>());
    }
}

#[test]
fn nine_puzzles_stand_close_and_a_phone_shows_one_column() {
    let sheet = |per_page| sheet::Sheet {
        per_page,
        entries: vec![sheet::SheetEntry {
            label: "1".into(),
            puzzle: puzzle(CLUES),
            note: String::new(),
            answer: Outcome::NoSolution,
        }],
        ..sheet::Sheet::default()
    };
    let nine = sheet(sheet::PerPage::Nine).to_string();
    let six = sheet(sheet::PerPage::Six).to_string();
    // The first page; answers have a layout of their own.
    let first = |page: &str| page.split("</section>").next().unwrap().to_owned();
    assert!(first(&nine).contains("--columns:3;--width:60mm;--rows:start"));
    assert!(first(&six).contains("--columns:2;--width:69mm;--rows:space-evenly"));
    assert!(!nine.contains("class=\"note\""));
    assert!(nine.contains("content=\"width=device-width,initial-scale=1\""));
    // With notes, three rows fit between the title (8 mm) and the number (5) of 258 mm.
    for page in [&nine, &six] {
        let width = page.split("--width:").nth(1).unwrap();
        let width: u32 = width.split("mm").next().unwrap().parse().unwrap();
        assert!(3 * (6 + width + 5) + 2 * 2 <= 258 - 8 - 5, "{width}");
    }
    // No width stands at an element, where the rules for phones could not replace it.
    let (style, body) = nine.split_once("</style>").unwrap();
    let phone = style.split("@media screen and (max-width:50rem){").nth(1);
    for rule in [
        "section{width:auto;height:auto",
        ".grids{display:block}",
        "figure{width:auto",
    ] {
        assert!(phone.unwrap().contains(rule), "{rule}");
    }
    assert!(!body.contains("<figure style") && !body.contains("<section style"));
}

/// A title is there to be read, on a picture and on each page.
#[test]
fn a_title_stands_above_a_picture() {
    let picture = Picture::new(&puzzle(CLUES));
    let plain = svg::document(&picture, "A<B");
    let titled = svg::document_under("A<B", &picture);
    let texts = |document: &str| document.matches("<text ").count();
    assert_eq!(texts(&titled), texts(&plain) + 1);
    assert!(titled.contains(">A&lt;B</text>"), "{titled}");
    // The grid is the same, further down, and the picture is as much higher.
    let grid = |document: &str| {
        let start = document.find("<rect class=\"ground\" width=\"368\" height=\"368\"/>");
        let end = document.rfind("</text>").unwrap();
        document[start.unwrap()..end].to_owned()
    };
    assert_eq!(grid(&titled), grid(&plain));
    assert!(
        titled.contains("height=\"398\" viewBox=\"0 0 368 398\""),
        "{titled}"
    );
    assert!(
        titled.contains("<g transform=\"translate(0 30)\">"),
        "{titled}"
    );
    // A long one is set closer.
    let long = svg::document_under(&"数独".repeat(20), &picture);
    assert!(long.contains("textLength=\"368\"") && !titled.contains("textLength"));
}

/// The words of a sheet are those of the language of its title.
#[test]
fn a_sheet_with_a_chinese_title_is_chinese() {
    let page = |title: &str| {
        let answers = [
            Outcome::NoSolution,
            Outcome::Multiple("1".repeat(81).parse().unwrap()),
        ];
        let entries = answers.map(|answer| sheet::SheetEntry {
            label: "1".into(),
            puzzle: puzzle(CLUES),
            note: String::new(),
            answer,
        });
        let (title, entries) = (title.into(), entries.into());
        sheet::Sheet {
            title,
            entries,
            ..sheet::Sheet::default()
        }
        .to_string()
    };
    let english = ["Answers", "one of several", "no solution", "lang=\"en\""];
    let chinese = ["答案", "多个解之一", "无解", "lang=\"zh\""];
    for (title, there, not_there) in [
        ("五年级数独", chinese, english),
        ("Year 5", english, chinese),
        ("", english, chinese),
        ("今日の数独", english, chinese),
    ] {
        let page = page(title);
        assert!(
            there.iter().all(|words| page.contains(words)),
            "{title}: {page}"
        );
        assert!(
            !not_there.iter().any(|words| page.contains(words)),
            "{title}: {page}"
        );
        let hard = sheet::difficulty(title, Difficulty::Hard);
        assert_eq!(hard, if there == chinese { "困难" } else { "hard" });
    }
}
