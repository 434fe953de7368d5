//! `sudoku-batch show` from outside.

use crate::support::{
    puzzles::{PUZZLES, TWO_SOLUTIONS},
    runner::{self, Folder},
};

const CLUES: &str = PUZZLES[0];
/// 1 and 2 may change places.
const TWO: &str = TWO_SOLUTIONS;

/// A grid with boxes, drawn by a rule of its own.
fn drawn(cells: &str, [across, down, cross]: [char; 3], corners: &str) -> String {
    let corners: Vec<char> = corners.chars().collect();
    let rule = |left: char, middle: char, right: char| {
        let dashes = across.to_string().repeat(7);
        format!("{left}{dashes}{middle}{dashes}{middle}{dashes}{right}\n")
    };
    let mut text = String::new();
    for (row, cells) in cells.as_bytes().chunks(9).enumerate() {
        text += &match row {
            0 => rule(corners[0], corners[1], corners[2]),
            3 | 6 => rule(corners[3], cross, corners[4]),
            _ => String::new(),
        };
        for cells in cells.chunks(3) {
            let [a, b, c] = [0, 1, 2].map(|n| char::from(cells[n]));
            text += &format!("{down} {a} {b} {c} ");
        }
        text += &format!("{down}\n");
    }
    text + &rule(corners[5], corners[6], corners[7])
}

fn unicode(cells: &str) -> String {
    drawn(cells, ['─', '│', '┼'], "┌┬┐├┤└┴┘")
}

fn ascii(cells: &str) -> String {
    drawn(cells, ['-', '|', '+'], "++++++++")
}

#[test]
fn a_puzzle_is_drawn_with_boxes() {
    let folder = Folder::new();
    let ran = folder.run(&format!("show {CLUES} --solutions 0")).status(0);
    ran.prints(&(unicode(CLUES) + "\nStatus: unique. 25 clues, exactly one solution.\n"));
    let ran = folder.run(&format!("show {CLUES} --solutions 0 --ascii"));
    assert!(ran.stdout.starts_with(&ascii(CLUES)), "{}", ran.stdout);
    // Beside its solution, which has the clues and is a grid.
    let ran = folder.run(&format!("show {CLUES}")).status(0);
    let (puzzle, solution) = (unicode(CLUES), oracle_solution(CLUES));
    let both: String = puzzle
        .lines()
        .zip(unicode(&solution).lines())
        .map(|(a, b)| format!("{a}   {b}\n"))
        .collect();
    assert!(ran.stdout.starts_with(&both), "{}", ran.stdout);
    assert_eq!(ran.stderr, "");
}

/// The first solution of a puzzle, by the naive search of the tests.
fn oracle_solution(text: &str) -> String {
    let mut cells: Vec<u8> = text.bytes().collect();
    assert!(fill(&mut cells));
    String::from_utf8(cells).unwrap()
}

fn fill(cells: &mut [u8]) -> bool {
    let Some(cell) = cells.iter().position(|&c| c == b'.') else {
        return true;
    };
    let (row, column) = (cell / 9, cell % 9);
    for digit in b'1'..=b'9' {
        let fits = (0..81).all(|other| {
            let (r, c) = (other / 9, other % 9);
            let peer = r == row || c == column || (r / 3 == row / 3 && c / 3 == column / 3);
            !peer || cells[other] != digit
        });
        if fits {
            cells[cell] = digit;
            if fill(cells) {
                return true;
            }
        }
    }
    cells[cell] = b'.';
    false
}

#[test]
fn a_record_of_a_file_is_found() {
    let lines: String = (1..=30_000)
        .map(|n| format!("{}{}\n", &CLUES[..80], n % 9 + 1))
        .collect();
    let folder = Folder::new().with("f.txt", format!("# a comment\n\n{lines}bad\n"));
    let ran = folder
        .run("show f.txt --record 29998 --solutions 0")
        .status(1);
    assert!(
        ran.stdout
            .starts_with("f.txt, record 29998, line 30000\n\n")
    );
    // Record n has n % 9 + 1 in its last cell; 2 is in its row.
    assert!(
        ran.stdout.contains("9 │ 2!. 1 │ . 7 6 │ . . 2!│\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("Status: row-duplicate"),
        "{}",
        ran.stdout
    );
    folder.refuses(
        "show f.txt --record 30002",
        "f.txt has 30,001 records: there is no record 30002",
    );
    let ran = folder.run("show f.txt --record 30001").status(1);
    ran.prints(
        "f.txt, record 30001, line 30003\n\nbad\n^\n\n\
         Status: malformed. In column 1: 'b' where a cell should be.\n",
    );
    // Of standard input and of another form.
    let csv = format!("id,puzzle\n1,{TWO}\n2,{CLUES}\n");
    let ran = folder
        .run_on(csv, "show --record 2 --solutions 0")
        .status(0);
    assert!(ran.stdout.contains(&unicode(CLUES)), "{}", ran.stdout);
    folder.refuses("show nothing.txt", "nothing.txt");
    folder.refuses(&format!("show {CLUES} --record 2"), "there is no record 2");
}

#[test]
fn duplicates_are_marked_and_told_in_their_houses() {
    let mut cells = vec![b'.'; 81];
    for cell in [0, 2, 36] {
        cells[cell] = b'7';
    }
    let cells = String::from_utf8(cells).unwrap();
    let ran = Folder::new().run(&format!("show {cells}")).status(1);
    assert!(
        ran.stdout.contains("1 │ 7!. 7!│ . . . │ . . . │\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("5 │ 7!. . │ . . . │ . . . │\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.ends_with(
        "Status: row-duplicate. 3 clues. No solution exists: a digit stands twice in a house.\n  \
         row 1: 7 at r1c1 and r1c3\n  column 1: 7 at r1c1 and r5c1\n  box 1: 7 at r1c1 and r1c3\n"
    ));
}

#[test]
fn solutions_are_counted_and_drawn_in_order() {
    let folder = Folder::new();
    let ran = folder.run(&format!("show {TWO} --solutions 9")).status(0);
    assert!(ran.stdout.contains("solution 1") && ran.stdout.contains("solution 2"));
    assert!(!ran.stdout.contains("solution 3"));
    assert!(ran.stdout.contains("│ 1 2 3 │") && ran.stdout.contains("│ 2 1 3 │"));
    assert!(ran.stdout.find("│ 1 2 3 │ 4 5 6 │ 7 8 9 │") < ran.stdout.find("│ 2 1 3 │"));
    assert!(
        ran.stdout
            .ends_with("Status: multiple. 77 clues, 2 solutions.\n")
    );
    let ran = folder
        .run(&format!("show {} --solutions 3", ".".repeat(81)))
        .status(0);
    assert!(ran.stdout.contains("solution 3") && !ran.stdout.contains("solution 4"));
    assert!(
        ran.stdout
            .ends_with("0 clues, more than 1,000 solutions.\n")
    );
}

#[test]
fn candidates_and_cells_are_told() {
    let folder = Folder::new();
    let ran = folder
        .run(&format!("show {TWO} --candidates --cell r1c1"))
        .status(0);
    assert!(ran.stdout.contains(
        "The cell with the fewest candidates is r1c1: 1, 2.\nCandidates of r1c1: 1, 2.\n  \
         not 3: row 1 has it, at r1c3\n  not 4: row 1 has it, at r1c4\n"
    ));
    // The first line of the cells: r1c1 and r1c2 may be 1 or 2.
    assert!(
        ran.stdout.contains("  ┃ 1 2   │ 1 2   │       ┃"),
        "{}",
        ran.stdout
    );
    let ran = folder.run(&format!("show {TWO} --cell R1C3")).status(0);
    assert!(ran.stdout.ends_with("r1c3 has the clue 3.\n"));
    folder.refuses(&format!("show {TWO} --cell r0c1"), "a cell like r4c5");
}

#[test]
fn steps_lead_to_the_solution_and_only_several_solutions_need_guesses() {
    let folder = Folder::new();
    let easy = include_str!("../../../data/easy.txt")
        .lines()
        .nth(2)
        .unwrap();
    let solved = include_str!("../../../data/easy.solved.txt")
        .lines()
        .nth(2)
        .unwrap();
    let ran = folder.run(&format!("show {easy} --explain")).status(0);
    let steps: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| line.contains(". "))
        .collect();
    let blanks = solved.len() - easy.bytes().filter(|c| (b'1'..=b'9').contains(c)).count();
    let numbered = |line: &&&str| line.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let steps = steps
        .iter()
        .filter(numbered)
        .filter(|line| line.contains(": "));
    assert_eq!(steps.count(), blanks, "{}", ran.stdout);
    assert!(!ran.stdout.contains("guess"));
    // Arto Inkala, 2012.
    let hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    let ran = folder.run(&format!("show {hard} --explain")).status(0);
    assert!(!ran.stdout.contains("guess"), "{}", ran.stdout);
    // Sudoku Explainer 1.2.1 rates it 10.7.
    let end = "; the hardest technique is nested forcing chains level 2 (10.7).";
    assert!(ran.stdout.trim_end().ends_with(end), "{}", ran.stdout);
    let two = crate::support::puzzles::TWO_SOLUTIONS;
    let ran = folder.run(&format!("show {two} --explain")).status(0);
    assert!(ran.stdout.contains(". A guess: "), "{}", ran.stdout);
}

#[test]
fn colours_are_for_terminals_or_on_demand() {
    let folder = Folder::new();
    let plain = folder.run(&format!("show {CLUES}")).stdout;
    assert!(!plain.contains('\x1b'));
    let always = folder.run(&format!("show {CLUES} --color always")).stdout;
    assert!(always.contains("\x1b[0;1m4"), "clues are bold");
    assert!(always.contains("\x1b[0;38;5;32m"), "solved cells are not");
    let ran = folder.bash(&format!("NO_COLOR=1 $P show {CLUES} --color auto"));
    assert_eq!(ran.stdout, plain);
}

#[test]
fn pictures_and_sheets_are_written_whole() {
    let folder = Folder::new().with(
        "f.txt",
        format!("{CLUES}\n{TWO}\nbad\n{}\n", "1".repeat(81)),
    );
    folder.prints(&format!("show {CLUES} --svg p.svg --title a&b"), "");
    let svg = folder.read("p.svg");
    assert_eq!(svg.matches("class=\"clue\"").count(), 25);
    assert!(svg.contains("<title>a&amp;b</title>") && svg.contains(">a&amp;b</text>"));
    assert!(!svg.contains("class=\"entry\""));
    let ran = folder
        .run(&format!("show {CLUES} --svg - --solutions 1"))
        .status(0);
    assert_eq!(ran.stdout.matches("class=\"entry\"").count(), 81 - 25);
    let ran = folder
        .run("show f.txt --html sheet.html --per-page 4")
        .status(1);
    assert_eq!(ran.stdout, "");
    assert!(
        ran.stderr
            .contains("f.txt:3: malformed: column 1: 'b' where a cell should be")
    );
    assert!(
        ran.stderr
            .contains("f.txt:4: row-duplicate: 1 at r1c1 and r1c2")
    );
    let html = folder.read("sheet.html");
    // Three puzzles on one page, and their answers on another.
    assert_eq!(
        (
            html.matches("<section>").count(),
            html.matches("<svg").count()
        ),
        (2, 6)
    );
    assert!(html.contains("2 (one of several solutions)") && html.contains("4 (no solution)"));
    assert_eq!(folder.names(), ["f.txt", "p.svg", "sheet.html"]);
    folder.refuses(
        "show f.txt --record 1..2 --svg x.svg",
        "--svg is a picture of one",
    );
    // A rating below each puzzle that has one solution, and below none without the option.
    assert!(!html.contains("class=\"note\""));
    let call = "show f.txt --html - --per-page 9 --ratings";
    let rated = folder.run(call).status(1).stdout;
    let er = folder.run("rate f.txt --format csv").stdout;
    let er = er.lines().find(|line| line.starts_with(CLUES)).unwrap();
    let er: Vec<_> = rated
        .split("class=\"note\">ER ")
        .skip(1)
        .map(|rest| {
            let shown = rest.split(',').next().unwrap();
            assert!(er.contains(&format!(",{shown},")), "{er}: {shown}");
            shown
        })
        .collect();
    assert_eq!(er.len(), 1);
    folder.refuses("show f.txt --ratings", "--html");
    folder.refuses("show f.txt --per-page 9", "--html");
    folder.refuses("show f.txt --html x.html --per-page 5", "per-page");
    assert_eq!(folder.names(), ["f.txt", "p.svg", "sheet.html"]);
}

/// Drawings have ASCII alone if the locale or the terminal has.
#[test]
fn a_locale_without_unicode_is_heard() {
    let folder = Folder::new();
    let shown = |variables: [(&str, &str); 3]| {
        let mut command = folder.command(&format!("show {CLUES} --candidates"));
        command.env_remove("LC_CTYPE").envs(variables);
        runner::ran(&mut command).status(0).stdout
    };
    let ascii = folder.out(&format!("show {CLUES} --candidates --ascii"));
    assert!(ascii.is_ascii());
    for (lc_all, lang, term) in [
        ("C", "", "dumb"),
        ("POSIX", "C.UTF-8", "xterm"),
        ("", "C", "xterm"),
        ("", "", "dumb"),
    ] {
        let variables = [("LC_ALL", lc_all), ("LANG", lang), ("TERM", term)];
        assert_eq!(shown(variables), ascii, "{variables:?}");
    }
    for (lc_all, lang, term) in [
        ("C.UTF-8", "C", "dumb"),
        ("", "zh_CN.utf8", "xterm"),
        ("", "", "xterm"),
    ] {
        let variables = [("LC_ALL", lc_all), ("LANG", lang), ("TERM", term)];
        assert!(shown(variables).contains('┏'), "{variables:?}");
    }
}
