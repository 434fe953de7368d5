//! Records that are given by candidates, from the outside: every command, beside records of 81 cells.

use crate::support::{
    puzzles::{PUZZLES, SOLUTIONS},
    random_words::Words,
    runner::Folder,
};
use std::fs;
use sudoku_batch::{
    Candidates, Cell, Digit, Grid, Outcome, Puzzle, Solver, symmetry::Transformation,
};

/// Random candidates around random grids, with one solution, several or none.
fn random(seed: u64, count: usize) -> Vec<Candidates> {
    let mut words = Words::new(seed);
    let mut one = |i: usize| {
        let grid: Grid = SOLUTIONS[i % 2].parse().unwrap();
        let grid = Transformation::numbered(words.next() % Transformation::COUNT).grid(&grid);
        let mut candidates = Candidates::ALL;
        for (cell, digit) in Cell::all().flat_map(|c| Digit::all().map(move |d| (c, d))) {
            let is_right = grid.get(cell) == digit;
            if !is_right && words.below(100) > 20 + i % 15 {
                candidates.strike(cell, digit);
            }
        }
        if i % 9 == 8 {
            // The cells that are left decide nothing, or everything.
            let cell = Cell::new(words.below(81)).unwrap();
            let digit = grid.get(cell);
            if candidates.get(cell).len() > 1 {
                candidates.strike(cell, digit);
            }
        }
        candidates
    };
    (0..count).map(&mut one).collect()
}

/// Lines of both kinds, each with its answer by the library.
fn mixed() -> (String, Vec<Outcome>) {
    let (mut text, mut outcomes) = (String::new(), Vec::new());
    let mut solver = Solver::new();
    for (i, candidates) in random(1, 120).iter().enumerate() {
        text += &format!("{candidates}\n");
        outcomes.push(solver.solve(candidates));
        if i % 3 == 0 {
            let puzzle: Puzzle = PUZZLES[i / 3 % 2].parse().unwrap();
            text += &format!("{puzzle}\n");
            outcomes.push(solver.solve(&puzzle));
        }
    }
    (text, outcomes)
}

#[test]
fn both_kinds_are_solved_in_one_file() {
    let (text, outcomes) = mixed();
    let folder = Folder::new().with("p.txt", &text);
    let line = |outcome: &Outcome| match outcome.solution() {
        Some(grid) => format!("{grid}\n"),
        None => ".".repeat(81) + "\n",
    };
    let expected: String = outcomes.iter().map(line).collect();
    assert!(outcomes.iter().any(|o| matches!(o, Outcome::NoSolution)));
    for options in [
        "",
        "--engine scalar",
        "--engine sliced --simd portable",
        "-j 3 --verify",
        "--max-guesses 100000 --verify",
    ] {
        folder
            .run(&format!("solve {options} p.txt"))
            .prints(&expected);
    }
    // Shards join.
    let parts = (1..=5).map(|k| folder.run(&format!("solve -q --shard {k}/5 p.txt")).stdout);
    assert_eq!(parts.collect::<String>(), expected);
    // A table gets 81 cells too.
    let table = folder.run("solve -q p.txt --format csv");
    for ((row, record), outcome) in table
        .stdout
        .lines()
        .skip(1)
        .zip(text.lines())
        .zip(&outcomes)
    {
        let (solution, status) = match outcome {
            Outcome::NoSolution => (String::new(), "no-solution"),
            Outcome::Unique(grid) => (grid.to_string(), "unique"),
            Outcome::Multiple(grid) => (grid.to_string(), "multiple"),
        };
        assert_eq!(row, format!("{record},{solution},{status}"));
    }
    let counts = folder.run("count -q --limit 2 p.txt").stdout;
    for (line, outcome) in counts.lines().zip(&outcomes) {
        match outcome {
            Outcome::NoSolution => assert_eq!(line, "0"),
            Outcome::Unique(_) => assert_eq!(line, "1"),
            Outcome::Multiple(_) => assert!(["2", "2+"].contains(&line)),
        }
    }
    let first = folder.run("solutions -q --verify --limit 1 p.txt").stdout;
    let expected = outcomes.iter().enumerate();
    let expected: String = expected
        .filter_map(|(i, outcome)| Some(format!("{}\t{}\n", i + 1, outcome.solution()?)))
        .collect();
    assert_eq!(first, expected);
    // A record with one solution stays as it was read.
    let kept = folder.run("filter -q --status unique p.txt").stdout;
    let unique = text
        .lines()
        .zip(&outcomes)
        .filter(|(_, outcome)| outcome.is_unique());
    let unique: String = unique.map(|(line, _)| format!("{line}\n")).collect();
    assert_eq!(kept, unique);
    let folder = folder.with("u.txt", &unique);
    // Two images of each, and one form for all three.
    for command in ["augment -q --verify -k 2 --keep u.txt", "convert u.txt -q"] {
        folder.run(command).status(0);
    }
    let images = folder.run("augment -q --verify -k 2 --keep u.txt").stdout;
    assert_eq!(images.lines().count(), 3 * unique.lines().count());
    let folder = folder.with("i.txt", &images);
    let forms = folder.out("canonical -q --verify --transformation i.txt");
    let form = |line: &str| line.split('\t').next().unwrap().to_owned();
    let forms: Vec<_> = forms.lines().map(form).collect();
    for (three, line) in forms.chunks(3).zip(unique.lines()) {
        assert!(
            three
                .iter()
                .all(|form| *form == three[0] && form.len() == line.len())
        );
    }
    let distinct = folder.run("dedup -q --by symmetry i.txt").stdout;
    let mut seen = std::collections::HashSet::new();
    let firsts = images
        .lines()
        .zip(&forms)
        .filter(|(_, form)| seen.insert(form.to_string()));
    assert_eq!(
        distinct,
        firsts
            .map(|(line, _)| format!("{line}\n"))
            .collect::<String>()
    );
}

#[test]
fn records_go_to_candidates_and_back() {
    let lines: String = PUZZLES.iter().map(|line| format!("{line}\n")).collect();
    let folder = Folder::new().with("p.txt", &lines);
    let expected: String = (PUZZLES.iter())
        .map(|puzzle| format!("{}\n", Candidates::from(puzzle.parse::<Puzzle>().unwrap())))
        .collect();
    let candidates = folder
        .run("convert -q p.txt --format candidates")
        .prints(&expected)
        .stdout;
    let folder = folder.with("c.txt", &candidates);
    folder.run("convert -q c.txt --format line").prints(&lines);
    folder.run("convert -q c.txt").prints(&candidates);
    let zeros = candidates.replace('.', "0");
    folder.run("convert -q c.txt --blank 0").prints(&zeros);
    folder.run_on(&zeros, "convert -q").prints(&zeros);
    folder
        .run_on(&zeros, "convert -q --format line")
        .prints(&lines.replace('.', "0"));
    // Tables and objects keep their columns.
    let table = format!(
        "id,sukaku\n7,{}\n8,{}\n",
        zeros.lines().next().unwrap(),
        PUZZLES[1]
    );
    folder
        .run_on(&table, "convert -q --format line")
        .prints(&format!(
            "{}\n{}\n",
            PUZZLES[0].replace('.', "0"),
            PUZZLES[1]
        ));
    let objects = folder.run_on(&table, "convert -q --format jsonl").stdout;
    folder
        .run_on(&objects, "convert -q --format csv")
        .prints(&table);
    let solved = folder.run_on(&objects, "solve -q").stdout;
    assert!(
        solved
            .lines()
            .next()
            .unwrap()
            .contains(&format!("\"solution\":\"{}\"", SOLUTIONS[0]))
    );
    // Marks in columns, and with the frames of other programs.
    let marks = folder.run("convert -q p.txt --format pencilmarks").stdout;
    folder.run_on(&marks, "convert -q").prints(&marks);
    folder
        .run_on(&marks, "convert -q --format line")
        .prints(&lines);
    folder
        .run_on(&marks, "convert -q --format candidates")
        .prints(&candidates);
    let reduced = folder
        .run("convert -q p.txt --format pencilmarks --reduce")
        .stdout;
    // Singles solve the second, and leave much of the first.
    let solved: Vec<_> = (SOLUTIONS[1].as_bytes().chunks(9))
        .map(|row| {
            row.iter()
                .map(|&c| char::from(c).to_string())
                .collect::<Vec<_>>()
                .join(" ")
        })
        .collect();
    assert!(
        reduced.starts_with("4    689   689    5   2    89 7   1    3\n")
            && reduced.ends_with(&(solved.join("\n") + "\n\n")),
        "{reduced}"
    );
    // A later block shows the form where the first one is solved.
    let turned = format!("{}\n{}\n", PUZZLES[1], PUZZLES[0]);
    let reduced = folder
        .run_on(&turned, "convert -q --format pencilmarks --reduce")
        .stdout;
    assert!(reduced.starts_with(&solved.join("\n")), "{reduced}");
    folder.run_on(&reduced, "solve -q --format line").prints(
        &SOLUTIONS
            .iter()
            .rev()
            .map(|grid| format!("{grid}\n"))
            .collect::<String>(),
    );
    let framed = marks
        .lines()
        .enumerate()
        .fold(String::new(), |text, (i, line)| {
            let rule = ".-----------.------:-----.\n";
            let words: Vec<_> = line.split(' ').filter(|word| !word.is_empty()).collect();
            match words.len() {
                9 => {
                    let row = words
                        .chunks(3)
                        .map(|three| three.join("  "))
                        .collect::<Vec<_>>();
                    let rule = if i % 10 % 3 == 0 { rule } else { "" };
                    text + rule + "| " + &row.join(" | ") + " |\n"
                }
                _ => text + "'-----'\n\n",
            }
        });
    folder
        .run_on(&framed, "convert -q --format candidates")
        .prints(&candidates);
    folder.run_on(&framed, "solve -q --format line").prints(
        &SOLUTIONS
            .iter()
            .map(|grid| format!("{grid}\n"))
            .collect::<String>(),
    );
}

#[test]
fn columns_and_keys_are_reduced() {
    let some = random(7, 40);
    let reduced = |candidates: &Candidates| candidates.reduced().unwrap_or(*candidates);
    let shorter = some.iter().filter(|&puzzle| reduced(puzzle) != *puzzle);
    assert!(shorter.count() > 10);
    let table = |text: &dyn Fn(&Candidates) -> String| {
        let row = |(id, puzzle): (usize, &Candidates)| format!("{id},{},kept\n", text(puzzle));
        let rows = some.iter().enumerate().map(row);
        format!("id,sukaku,note\n{}", rows.collect::<String>())
    };
    let folder = Folder::new().with("t.csv", table(&|puzzle| puzzle.to_string()));
    let expected = table(&|puzzle| reduced(puzzle).to_string());
    // A puzzle that singles contradict is a reject, and stays as it is.
    let ran = folder.run("convert -q --reduce t.csv");
    assert_eq!(ran.stdout, expected);
    let objects = folder.run("convert -q t.csv --format jsonl").stdout;
    assert!(objects.starts_with("{\"id\":"), "{objects}");
    let ran = folder.run_on(&objects, "convert -q --reduce --format csv");
    assert_eq!(ran.stdout, expected);
    // 81 cells get the candidates that clues and singles leave, and zeros stay zeros.
    let table = format!("id,puzzle\n1,{}\n", PUZZLES[0].replace('.', "0"));
    let puzzle: Puzzle = PUZZLES[0].parse().unwrap();
    let text = String::from_utf8(reduced(&puzzle.into()).to_ascii(b'0').to_vec()).unwrap() + "\n";
    let objects = folder.run_on(&table, "convert -q --format jsonl").stdout;
    for records in [table, objects] {
        folder
            .run_on(&records, "convert -q --reduce --format candidates")
            .prints(&text);
    }
}

/// An array of puzzles that are given by candidates has 729 numbers a row, as numpy takes them back.
#[test]
fn arrays_hold_candidates() {
    let some = random(8, 30);
    let mut text: String = some.iter().map(|puzzle| format!("{puzzle}\n")).collect();
    text += &format!("{}\n", PUZZLES[0]);
    let folder = Folder::new().with("c.txt", &text);
    let mut all = some.clone();
    all.push(Candidates::from(PUZZLES[0].parse::<Puzzle>().unwrap()));
    let digits = |text: [u8; 729]| text.map(|c| c - b'0').to_vec();
    let expected: Vec<u8> = all
        .iter()
        .flat_map(|puzzle| digits(puzzle.to_ascii(b'0')))
        .collect();
    let read = |name: &str| {
        let bytes = std::fs::read(folder.file(name)).unwrap();
        let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let head = String::from_utf8_lossy(&bytes[10..start]).into_owned();
        (head, bytes[start..].to_vec())
    };
    folder
        .run("convert -q c.txt --format npy -o c.npy")
        .status(0);
    let (head, data) = read("c.npy");
    assert!(
        head.contains("'|u1'") && head.contains("(31, 729)"),
        "{head}"
    );
    assert_eq!(data, expected);
    // A column of a table too; the answers have 81 cells.
    folder
        .run("convert -q c.txt --format csv -o c.csv")
        .status(0);
    folder.run("convert -q c.csv -o t.npy").status(0);
    assert_eq!(read("t.npy").1, expected);
    folder.run("solve -q c.txt -o s.npy");
    assert!(read("s.npy").0.contains("(31, 81)"));
    // Forms and images are of the kind of the input, as the text of the same call has them.
    for (command, rows) in [("canonical", 31), ("augment -k 2 --seed 4", 62)] {
        folder.run(&format!("{command} -q c.txt -o p.npy"));
        let text = folder.run(&format!("{command} -q c.txt")).stdout;
        let (head, data) = read("p.npy");
        assert!(
            head.contains(&format!("({rows}, 729)")),
            "{command}: {head}"
        );
        for (row, line) in data.chunks(729).zip(text.lines()) {
            let expected: Vec<u8> = match line.len() {
                729 => line.replace('.', "0").bytes().map(|c| c - b'0').collect(),
                _ => match line.parse::<Puzzle>().unwrap() {
                    Puzzle::EMPTY => vec![0; 729],
                    puzzle => digits(Candidates::from(puzzle).to_ascii(b'0')),
                },
            };
            assert_eq!(row, expected, "{command}: {line}");
        }
    }
}

#[test]
fn what_is_malformed_names_its_place() {
    let all = "123456789".repeat(81);
    let text = format!(
        "{}\n{}\n{}\n{all}\n{}\n",
        &all[..728],
        all.replacen('7', "8", 1),
        all.replacen("123456789", ".........", 1),
        &all[..80],
    );
    let folder = Folder::new().with("p.txt", &text);
    let ran = folder.run("solve p.txt --summary none").status(1);
    for message in [
        "p.txt:1: malformed: column 729: end of line where 9 or a blank should be",
        "p.txt:2: malformed: column 7: '8' where 7 or a blank should be",
        "p.txt:3: malformed: column 1: nine blanks where a candidate of r1c1 should be",
        "p.txt:5: malformed: column 81: end of line where a cell should be",
    ] {
        assert!(ran.stderr.contains(message), "{}", ran.stderr);
    }
    folder.run("solve p.txt --strict").status(2);
    // Marks: a digit twice, a letter, a row of eight cells and one of ten.
    let rows = |bad: &str| {
        "12 3 4 5 6 7 8 9 1\n".repeat(4) + bad + "\n" + &"1 2 3 4 5 6 7 8 9\n".repeat(4)
    };
    for (bad, message) in [
        (
            "121 3 4 5 6 7 8 9 1",
            "line 5|column 3: '1' where the candidates of a cell should be",
        ),
        (
            "12 3 x 5 6 7 8 9 1",
            "line 5|column 6: 'x' where the candidates of a cell should be",
        ),
        (
            "12 3 4 5 6 7 8 9",
            "line 5|column 17: end of line where the candidates of a cell should be",
        ),
        (
            "12 3 4 5 6 7 8 9 1 2",
            "line 5|column 20: '2' where the end of the row should be",
        ),
    ] {
        let folder = Folder::new().with("m.txt", rows(bad));
        let ran = folder
            .run("solve m.txt --input-format pencilmarks --summary none")
            .status(1);
        let message = message.replace("line 5|", "m.txt:5: malformed: ");
        assert!(ran.stderr.contains(&message), "{}", ran.stderr);
    }
    // Candidates that no puzzle of 81 cells has: reported where 81 cells are asked for.
    let mut candidates = Candidates::ALL;
    candidates.strike(Cell::at(0, 1), Digit::new(9).unwrap());
    let folder = Folder::new().with("c.txt", format!("{candidates}\n{}\n", PUZZLES[0]));
    let ran = folder
        .run("convert c.txt --format line --summary none")
        .status(1);
    assert_eq!(
        ran.stderr.lines().next().unwrap(),
        "c.txt:1: malformed: column 10: 12345678 in r1c2 where one digit, all nine or those that the \
         clues leave should be"
    );
    assert_eq!(ran.stdout, format!("{candidates}\n{}\n", PUZZLES[0]));
    // A contradiction is no malformed record. It has the status that `solve` gives it.
    let mut twice = Candidates::from(PUZZLES[0].parse::<Puzzle>().unwrap());
    twice.set(Cell::at(0, 1), twice.get(Cell::at(0, 0)));
    let folder = folder.with("t.txt", format!("{twice}\n"));
    let ran = folder
        .run("convert t.txt --reduce --summary none")
        .status(1);
    assert!(
        ran.stderr
            .starts_with("t.txt:1: row-duplicate: 4 at r1c1 and r1c2"),
        "{}",
        ran.stderr
    );
    let counts = folder
        .run("convert -q t.txt --reduce --summary json")
        .status(1);
    assert!(
        counts
            .stderr
            .contains(r#""converted":0,"malformed":0,"row_duplicate":1"#),
        "{}",
        counts.stderr
    );
    let ran = folder.run("convert c.txt --reduce --summary json --format line");
    assert!(ran.stderr.contains(r#""no_solution":0"#), "{}", ran.stderr);
    let ran = folder.run("solve t.txt --summary none").status(1);
    assert!(
        ran.stderr
            .starts_with("t.txt:1: row-duplicate: 4 at r1c1 and r1c2"),
        "{}",
        ran.stderr
    );
}

#[test]
fn steps_and_ratings_begin_at_the_position() {
    let lines: String = PUZZLES.iter().map(|line| format!("{line}\n")).collect();
    let folder = Folder::new().with("p.txt", &lines);
    let candidates = folder.run("convert -q p.txt --format candidates").stdout;
    let folder = folder.with("c.txt", &candidates);
    let ratings = |text: &str| -> Vec<String> {
        let last = text
            .lines()
            .map(|line| line.rsplit(' ').next().unwrap().to_owned());
        last.collect()
    };
    let [cells, same] = ["p", "c"].map(|name| folder.run(&format!("rate -q {name}.txt")).stdout);
    assert_eq!(ratings(&cells), ratings(&same));
    assert!(same.starts_with(candidates.lines().next().unwrap()));
    // A naked single is all that is left.
    let mut almost = Candidates::from(SOLUTIONS[0].parse::<Puzzle>().unwrap());
    almost.set(
        Cell::at(0, 0),
        [4, 9].into_iter().filter_map(Digit::new).collect(),
    );
    let folder = folder.with("a.txt", format!("{almost}\n"));
    assert_eq!(
        ratings(&folder.run("rate -q a.txt").stdout),
        ["1.0/1.0/1.0"]
    );
    let shown = folder.run("show --ascii --explain a.txt").stdout;
    assert!(
        shown.contains("82 candidates, 80 clues, exactly one solution"),
        "{shown}"
    );
    assert!(shown.contains("1 step; "), "{shown}");
    let steps = folder.run("rate --explain -q a.txt").stdout;
    assert!(steps.contains("last cell"), "{steps}");
    let marks = folder
        .run("show --ascii --cell r1c1 c.txt --record 2")
        .stdout;
    assert!(marks.contains("r1c1 has the clue 3"), "{marks}");
    // An argument may be 729 characters.
    let ran = folder.run(&format!("solve -q {}", candidates.lines().next().unwrap()));
    ran.prints(&format!("{}\n", SOLUTIONS[0]));
}

/// A record of each kind, the status that the written rules give it, and the status as a grid.
fn kinds() -> Vec<(String, &'static str, &'static str)> {
    let puzzle: Puzzle = PUZZLES[0].parse().unwrap();
    let grid: Puzzle = SOLUTIONS[0].parse().unwrap();
    let [by_candidates, solved] = [puzzle, grid].map(Candidates::from);
    // A candidate less: no puzzle of 81 cells says the same.
    let mut sukaku = by_candidates;
    let cell = Cell::all().find(|&cell| puzzle.get(cell).is_none());
    let (cell, right) = (cell.unwrap(), grid.get(cell.unwrap()).unwrap());
    sukaku.strike(cell, Digit::all().find(|&digit| digit != right).unwrap());
    // Two clues that are equal, a cell whose only digit is wrong, and three cells for two digits.
    let (mut twice, mut none, mut wrong) = (Candidates::ALL, Candidates::ALL, solved);
    let digits = |digits: &[u8]| {
        digits
            .iter()
            .filter_map(|&digit| Digit::new(digit))
            .collect()
    };
    for column in 0..3 {
        twice.set(
            Cell::at(0, column),
            digits(if column < 2 { &[1] } else { &[1, 2] }),
        );
        none.set(Cell::at(0, column), digits(&[1, 2]));
    }
    wrong.set(Cell::at(0, 0), solved.get(Cell::at(0, 1)));
    let mut empty = by_candidates.to_string();
    empty.replace_range(9..18, ".........");
    let text = |candidates: Candidates| candidates.to_string();
    vec![
        (puzzle.to_string(), "unique", "malformed"),
        (text(by_candidates), "unique", "malformed"),
        (text(sukaku), "unique", "malformed"),
        (grid.to_string(), "unique", "valid"),
        (text(solved), "unique", "valid"),
        (text(wrong), "row-duplicate", "row-duplicate"),
        (text(Candidates::ALL), "multiple", "malformed"),
        (".".repeat(81), "multiple", "malformed"),
        (text(twice), "row-duplicate", "malformed"),
        (text(none), "no-solution", "malformed"),
        (empty, "malformed", "malformed"),
        (text(sukaku).replacen('1', "2", 1), "malformed", "malformed"),
        (text(sukaku)[..700].into(), "malformed", "malformed"),
        ("12".into(), "malformed", "malformed"),
    ]
}

/// Every command answers a record of every kind, by candidates or by cells, and the answer is the same
/// among records of the other kinds, in any order.
#[test]
fn every_command_answers_every_kind_of_record() {
    let kinds = kinds();
    let mut folder = Folder::new();
    for (number, (text, ..)) in kinds.iter().enumerate() {
        folder = folder.with(&format!("{number}.txt"), format!("{text}\n"));
    }
    let forth: String = kinds.iter().map(|(text, ..)| format!("{text}\n")).collect();
    let back: String = kinds
        .iter()
        .rev()
        .map(|(text, ..)| format!("{text}\n"))
        .collect();
    let folder = folder.with("forth.txt", forth).with("back.txt", back);
    // Each command with the status of a record, if its output ends with one.
    type Find = fn(&(String, &'static str, &'static str)) -> Option<&'static str>;
    let (nothing, as_puzzle, as_grid): (Find, Find, Find) =
        (|_| None, |kind| Some(kind.1), |kind| Some(kind.2));
    for (command, status) in [
        ("solve --format tsv --verify", as_puzzle),
        (
            "solve --format tsv --unique --max-guesses 1000 --verify",
            as_puzzle,
        ),
        ("check --format tsv --minimal -o /dev/stdout", nothing),
        (
            "check --format tsv --grids --distinct --first-digit 4 -o /dev/stdout",
            nothing,
        ),
        ("rank --format tsv --verify", as_grid),
        (
            "canonical --format tsv --transformation --automorphisms --verify",
            as_puzzle,
        ),
        ("count --format tsv --limit 100", as_puzzle),
        ("rate --format tsv", as_puzzle),
        ("rate --explain", nothing),
        ("trace --boards --candidates", nothing),
        ("trace --search --proof", nothing),
        ("convert --format tsv", nothing),
        ("convert --format line", nothing),
        ("convert --format candidates --reduce", nothing),
        ("convert --format jsonl --reduce", nothing),
        ("filter --status unique", nothing),
        ("filter --minimal --guesses 0..", nothing),
        ("augment --copies 2 --verify", nothing),
        ("show --candidates --record 1", nothing),
    ] {
        let run = |file: &str| {
            let line = format!("{command} {file} --input-format line");
            let quiet = if command.starts_with("show") {
                ""
            } else {
                " --summary none"
            };
            let ran = folder.run(&(line + quiet));
            assert!(
                matches!(ran.status, Some(0 | 1)),
                "{command} {file}: {}",
                ran.stderr
            );
            ran.stdout
        };
        let mut alone: Vec<String> = (0..kinds.len()).map(|n| run(&format!("{n}.txt"))).collect();
        for (kind, answer) in kinds.iter().zip(&alone) {
            let ends = |status: &str| answer.trim_end().ends_with(&format!("\t{status}"));
            assert!(status(kind).is_none_or(ends), "{command}: {answer}");
        }
        if command.starts_with("trace") {
            for (kind, answer) in kinds.iter().zip(&alone) {
                let is_unique = answer.contains(r#""status":"unique""#);
                assert_eq!(is_unique, kind.1 == "unique", "{command}: {answer}");
                // A solved grid needs no step, but its search ends with the solution.
                let has_steps = is_unique && (kind.2 != "valid" || command.contains("--search"));
                assert_eq!(answer.contains(r#""steps":[{"#), has_steps, "{answer}");
            }
        }
        let is_table = command.contains("tsv");
        if command.starts_with("show") || command.contains("--distinct") {
            continue;
        }
        let head = alone[0].split_inclusive('\n').next().filter(|_| is_table);
        let head = head.unwrap_or_default().to_owned();
        for answer in &mut alone {
            *answer = answer.strip_prefix(&head).unwrap().to_owned();
        }
        assert_eq!(
            run("forth.txt"),
            head.clone() + &alone.concat(),
            "{command}"
        );
        alone.reverse();
        assert_eq!(run("back.txt"), head + &alone.concat(), "{command}");
    }
    // These commands answer about the set.
    for command in [
        "dedup --input-format line",
        "split --test 50% --output-dir parts --input-format line",
        "stats --input-format line",
        "puzzles 14 --input-format line --from",
        "convert --reduce --input-format line -o reduced.npy",
        "canonical --input-format line -o forms.npy",
        "trace --input-format line -o pairs.npy",
    ] {
        for file in ["forth.txt", "back.txt"] {
            let ran = folder.run(&format!("{command} {file}"));
            assert!(
                matches!(ran.status, Some(0 | 1)),
                "{command}: {}",
                ran.stderr
            );
        }
    }
}

/// Arrays have room for candidates where `--reduce` or a record near the start asks for it, and refuse
/// what they have no room for.
#[test]
fn arrays_lose_no_candidates() {
    let sukaku = &kinds()[2].0;
    let table = format!(
        "id,puzzle,answer\n7,{},{}\n8,{sukaku},{}\n9,12,\n",
        PUZZLES[0], SOLUTIONS[0], SOLUTIONS[0]
    );
    let late = format!("{}\n", PUZZLES[0]).repeat(1000) + sukaku + "\n";
    let folder = Folder::new()
        .with("t.csv", table)
        .with("mixed.txt", format!("{}\n{sukaku}\n", PUZZLES[0]))
        .with("late.txt", late);
    let read = |name: &str| {
        let bytes = std::fs::read(folder.file(name)).unwrap();
        let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let head = String::from_utf8_lossy(&bytes[10..start]).into_owned();
        (head, bytes[start..].to_vec())
    };
    let digits = |text: &str| -> Vec<u8> {
        let digit = |c: u8| if c.is_ascii_digit() { c - b'0' } else { 0 };
        text.bytes().map(digit).collect()
    };
    // The reduced puzzles and the other columns.
    folder.run("convert -q --reduce t.csv -o x.npy").status(1);
    let reduced = folder.run("convert -q --reduce t.csv --format candidates");
    let expected: Vec<u8> = reduced.stdout.lines().take(2).flat_map(digits).collect();
    let (head, data) = read("x.puzzle.npy");
    assert!(head.contains("(3, 729)"), "{head}");
    assert_eq!(data[..2 * 729], expected);
    assert!(data[2 * 729..].iter().all(|&digit| digit == 0));
    assert_eq!(read("x.answer.npy").1[..81], digits(SOLUTIONS[0]));
    let numbers = [7.0_f64, 8.0, 9.0].map(f64::to_le_bytes);
    assert_eq!(read("x.id.npy").1, numbers.as_flattened());
    // Forms of candidates after forms of cells.
    folder.run("canonical -q mixed.txt -o forms.npy").status(0);
    let text = folder.run("canonical -q mixed.txt").stdout;
    let lines: Vec<&str> = text.lines().collect();
    let first = Candidates::from(lines[0].parse::<Puzzle>().unwrap());
    let expected = [digits(&first.to_string()), digits(lines[1])].concat();
    assert_eq!(read("forms.npy").1, expected);
    for command in ["canonical", "convert", "augment --copies 1"] {
        let ran = folder.run(&format!("{command} -q late.txt -o late.npy"));
        assert!(
            ran.status(2).stderr.contains("late.txt:1001: column "),
            "{command}"
        );
    }
    assert!(
        !folder
            .names()
            .iter()
            .any(|name| name.starts_with("late.") && name.ends_with("npy"))
    );
}

/// A string with escapes is the same string.
#[test]
fn json_strings_of_candidates_may_have_escapes() {
    let sukaku = &kinds()[2].0;
    let escaped = sukaku
        .replacen('.', "\\u002e", 3)
        .replacen('1', "\\u0031", 1);
    let wrong = escaped.replacen('3', "4", 1);
    let lines = [sukaku, &escaped, &wrong].map(|text| format!("{{\"puzzle\":\"{text}\"}}\n"));
    let folder = Folder::new().with("p.jsonl", lines.concat());
    let ran = folder.run("solve p.jsonl --summary none").status(1);
    let solved = format!(r#""solution":"{}","status":"unique"}}"#, SOLUTIONS[0]);
    let answers: Vec<bool> = ran
        .stdout
        .lines()
        .map(|line| line.ends_with(&solved))
        .collect();
    assert_eq!(answers, [true, true, false]);
    let error = "p.jsonl:3: malformed: column 11: '\"' where a string of 81 cells should be\n";
    assert!(ran.stderr.starts_with(error), "{}", ran.stderr);
}

/// Counts in the forms that have room for them: words, and arrays of 16 bits with a sign.
#[test]
fn candidate_counts_are_words_and_arrays() {
    let cells = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642";
    let folder = Folder::new().with("p.txt", format!("{cells}\n11{}\nx\n", ".".repeat(79)));
    // The digits 1 and 2 may change places in four cells; all others are clues.
    let words = |clue: &str| -> String {
        let words = cells.chars().map(|cell| match cell {
            '.' => "1:1/2:1".to_owned(),
            digit => format!("{digit}:{clue}"),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let none = ["-"; 81].join(" ");
    let ran = folder.run("candidate-counts p.txt").status(1);
    ran.prints(&format!("{}\n{none}\nmalformed\n", words("2")))
        .says("1 of 3 records malformed");
    let table = folder
        .run("candidate-counts -q --limit 1 --format csv p.txt")
        .status(1)
        .stdout;
    let rows: Vec<_> = table.lines().collect();
    assert_eq!(rows[0], "puzzle,candidate_counts,status");
    assert_eq!(rows[1], format!("{cells},{},multiple", words("1+")));
    assert!(rows[2].ends_with(&format!(",{none},row-duplicate")) && rows[3] == "x,,malformed");
    let objects = folder
        .run("candidate-counts -q --format jsonl p.txt")
        .status(1)
        .stdout;
    let first: serde_json::Value = serde_json::from_str(objects.lines().next().unwrap()).unwrap();
    assert_eq!(first["candidate_counts"], words("2"));
    folder
        .run("candidate-counts -q --limit 1 p.txt -o t.npy -j 2")
        .status(1);
    assert!(folder.file("t.status.npy").exists());
    let array = fs::read(folder.file("t.npy")).unwrap();
    let head = String::from_utf8_lossy(&array[..128]);
    assert!(
        head.contains("'<i2'") && head.contains("'shape': (3, 9, 9, 9)"),
        "{head}"
    );
    let numbers = array[128..].chunks_exact(2);
    let numbers: Vec<_> = numbers
        .map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]))
        .collect();
    let expected = cells.bytes().flat_map(|cell| {
        (b'1'..=b'9').map(move |digit| match cell {
            b'.' => i16::from(digit <= b'2'),
            clue => 2 * i16::from(clue == digit),
        })
    });
    assert_eq!(numbers[..729], expected.collect::<Vec<_>>());
    assert!(numbers[729..1458].iter().all(|&number| number == 0));
    assert!(numbers[1458..] == [-1; 729]);
}

/// True candidates in each form, and no file where the form has no room for them.
#[test]
fn true_candidates_have_729_places_in_each_form() {
    let cells = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642";
    let folder = Folder::new().with("p.txt", format!("{cells}\n11{}\nx\n", ".".repeat(79)));
    // The digits 1 and 2 may change places in four cells; all others are clues.
    let four = [0, 1, 27, 28];
    let places = cells.bytes().enumerate().map(|(cell, clue)| -> String {
        let digits = ('1'..='9').map(|digit| {
            let is_true = clue == digit as u8 || four.contains(&cell) && digit <= '2';
            if is_true { digit } else { '.' }
        });
        digits.collect()
    });
    let expected: String = places.collect();
    let nothing = ".".repeat(729);
    let lines = format!("{expected}\n{nothing}\n{nothing}\n");
    let ran = folder.run("true-candidates p.txt").status(1).prints(&lines);
    ran.says("p.txt:2: row-duplicate")
        .says("2 of 3 records are malformed, or have no solution");
    folder
        .run("true-candidates -q --format candidates p.txt")
        .status(1)
        .prints(&lines);
    let table = folder
        .run("true-candidates -q --format csv p.txt")
        .status(1)
        .stdout;
    let rows: Vec<_> = table.lines().collect();
    assert_eq!(rows[1], format!("{cells},{expected},85,multiple"));
    assert!(rows[2].ends_with(",,,row-duplicate") && rows[3] == "x,,,malformed");
    folder.run("true-candidates -q p.txt -o t.npy").status(1);
    let array = fs::read(folder.file("t.npy")).unwrap();
    assert!(String::from_utf8_lossy(&array[..128]).contains("'shape': (3, 729)"));
    let numbers = expected
        .bytes()
        .map(|c| if c == b'.' { 0 } else { c - b'0' });
    assert_eq!(array[128..128 + 729], numbers.collect::<Vec<_>>());
    assert!(array[128 + 729..].iter().all(|&digit| digit == 0) && array.len() == 128 + 3 * 729);
    for form in ["block", "sdk", "box", "link", "hodoku", "s9b"] {
        let ran = folder
            .run(&format!("true-candidates --format {form} p.txt -o t.txt"))
            .status(2);
        ran.says(": choose another with --format");
        assert!(!folder.file("t.txt").exists());
    }
}
