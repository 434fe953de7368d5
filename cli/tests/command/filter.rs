//! `sudoku-batch filter`, beside the answers of other commands and plain conditions.

use crate::support::{
    has_turn,
    puzzles::{PUZZLES, SOLUTIONS},
    runner::Folder,
};

/// Records of all kinds: made puzzles, some with clues taken away or spoiled.
fn records(folder: &Folder) -> Vec<String> {
    let made = folder.out("puzzles -q 60 --seed 5");
    let easy = folder.out("puzzles -q 40 --clues 30..36 --seed 6");
    let mut records: Vec<String> = made
        .lines()
        .chain(easy.lines())
        .map(str::to_owned)
        .collect();
    for at in (0..records.len()).step_by(7) {
        // Without two clues most of them have several solutions.
        for _ in 0..2 {
            let clue = records[at].find(|c: char| c.is_ascii_digit()).unwrap();
            records[at].replace_range(clue..=clue, ".");
        }
    }
    for at in (3..records.len()).step_by(11) {
        records[at].truncate(80);
    }
    for at in (5..records.len()).step_by(13) {
        records[at].replace_range(..2, "11");
    }
    records
}

/// The rows of a command as a table, without its header.
fn table(folder: &Folder, line: &str) -> Vec<Vec<String>> {
    let text = folder.run(line).stdout;
    let rows = text.lines().skip(1);
    rows.map(|row| row.split(',').map(str::to_owned).collect())
        .collect()
}

fn clues(record: &str) -> usize {
    record.bytes().filter(|c| matches!(c, b'1'..=b'9')).count()
}

#[test]
fn conditions_are_those_of_other_commands() {
    let folder = Folder::new();
    let records = records(&folder);
    let folder = folder.with("p.txt", records.join("\n"));
    let checked = table(&folder, "check -q --minimal --rows --format csv p.txt");
    let rated = table(&folder, "rate -q --format csv p.txt");
    let [status, redundant] = [1, 3].map(|column| {
        let value = |row: &Vec<String>| row[column].clone();
        checked.iter().map(value).collect::<Vec<_>>()
    });
    let er: Vec<_> = rated.iter().map(|row| row[1].clone()).collect();
    assert_eq!((status.len(), er.len()), (records.len(), records.len()));
    let rating = |at: usize, from: f64, to: Option<f64>| {
        let er = er[at].parse();
        er.is_ok_and(|er: f64| er >= from - 1e-9 && to.is_none_or(|to| er <= to + 1e-9))
    };
    let unique = |at: usize| status[at] == "unique";
    type Condition<'c> = Box<dyn Fn(usize) -> bool + 'c>;
    let cases: Vec<(&str, Condition<'_>)> = vec![
        ("--status unique", Box::new(unique)),
        (
            "--status multiple,row-duplicate",
            Box::new(|at| ["multiple", "row-duplicate"].contains(&status[at].as_str())),
        ),
        (
            "--clues 24..30",
            Box::new(|at| (24..=30).contains(&clues(&records[at]))),
        ),
        ("--clues ..24", Box::new(|at| clues(&records[at]) <= 24)),
        ("--clues 25..", Box::new(|at| clues(&records[at]) >= 25)),
        ("--minimal", Box::new(|at| redundant[at] == "0")),
        (
            "--rating 1.2..2.6",
            Box::new(|at| unique(at) && rating(at, 1.2, Some(2.6))),
        ),
        (
            "--rating 2.0..",
            Box::new(|at| unique(at) && rating(at, 2.0, None)),
        ),
        (
            "--rating ..4.4",
            Box::new(|at| unique(at) && rating(at, 0.0, Some(4.4))),
        ),
        (
            "--clues ..25 --minimal --rating 1.5..",
            Box::new(|at| {
                clues(&records[at]) <= 25 && redundant[at] == "0" && rating(at, 1.5, None)
            }),
        ),
    ];
    assert!(
        er.iter().any(|er| er.as_str() > "4.4") && status.iter().any(|status| status == "multiple")
    );
    for (options, condition) in cases {
        for (invert, sign) in [("", true), ("--invert", false)] {
            let meets = |at: usize| status[at] != "malformed" && condition(at);
            let kept = (0..records.len()).filter(|&at| meets(at) == sign);
            let expected: String = kept.map(|at| records[at].clone() + "\n").collect();
            let ran = folder
                .run(&format!("filter {options} {invert} p.txt"))
                .status(i32::from(sign));
            assert_eq!(ran.stdout, expected, "{options} {invert}");
            assert_eq!(ran.stderr.contains(": malformed: column 81"), sign);
            for threads in [1, 8] {
                let again = folder.run(&format!("filter -q -j {threads} {options} {invert} p.txt"));
                assert_eq!(again.stdout, expected, "{options} {invert} -j {threads}");
            }
        }
    }
}

/// Every set of conditions, on one record of each kind and more: a record is kept if it meets all, and
/// with `--invert` if it is left out without it. Malformed records meet `--status malformed` alone.
#[test]
fn invert_keeps_what_is_left_out_for_all_conditions() {
    let proper =
        "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
    let solved =
        "496528713875143692132967854314289576729654381568731429687492135943815267251376948";
    // A puzzle, and what is known of it: its status, ER in tenths, guesses, and whether it is minimal.
    let records = [
        (proper.to_owned(), "unique", Some(45), Some(4), true),
        (solved.to_owned(), "unique", Some(0), Some(0), false),
        (".".repeat(81), "multiple", None, None, false),
        (
            proper.replacen("4.", "11", 1),
            "row-duplicate",
            None,
            None,
            false,
        ),
        (proper[..80].to_owned(), "malformed", None, None, false),
        ("no puzzle".to_owned(), "malformed", None, None, false),
    ];
    let checked: Vec<_> = records.iter().map(|record| record.0.as_str()).collect();
    let folder = Folder::new().with("p.txt", checked.join("\n"));
    let table = table(
        &folder,
        "check -q --minimal --rows --format csv --input-format line p.txt",
    );
    for (row, (_, status, .., is_minimal)) in table.iter().zip(&records) {
        assert_eq!((&*row[1], row[3] == "0"), (*status, *is_minimal));
    }
    let statuses = [
        "",
        "unique",
        "malformed",
        "multiple,malformed",
        "unique,row-duplicate",
    ];
    let flags = [
        "--clues 20..30",
        "--rating 1.2..4.5",
        "--guesses 1..",
        "--minimal",
    ];
    let mut numbers_kept = std::collections::BTreeSet::new();
    for (row, names) in statuses.into_iter().enumerate() {
        for set in 0..1 << flags.len() {
            if !has_turn(row + set, 2) {
                continue;
            }
            let has = |flag: usize| set >> flag & 1 == 1;
            let chosen: Vec<_> = (0..flags.len())
                .filter(|&f| has(f))
                .map(|f| flags[f])
                .collect();
            let mut options = chosen.join(" ");
            if !names.is_empty() {
                options += &format!(" --status {names}");
            }
            let meets = |(text, status, er, guesses, is_minimal): &(
                String,
                &str,
                Option<u32>,
                Option<u32>,
                bool,
            )| {
                let is_malformed = *status == "malformed";
                let is_named = names.split(',').any(|name| name == *status);
                (if names.is_empty() {
                    !is_malformed
                } else {
                    is_named
                }) && (!has(0) || !is_malformed && (20..=30).contains(&clues(text)))
                    && (!has(1) || er.is_some_and(|er| (12..=45).contains(&er)))
                    && (!has(2) || guesses.is_some_and(|guesses| guesses >= 1))
                    && (!has(3) || *is_minimal)
            };
            for invert in [false, true] {
                let (kept, left): (Vec<_>, Vec<_>) =
                    records.iter().partition(|record| meets(record) != invert);
                let expected: String = kept
                    .iter()
                    .map(|record| format!("{}\n", record.0))
                    .collect();
                let lost = left.iter().filter(|record| record.1 == "malformed").count();
                let is_told = lost > 0 && !names.contains("malformed");
                let flag = if invert { "--invert" } else { "" };
                let line = format!("filter --input-format line {options} {flag} p.txt");
                let ran = folder
                    .run(&line)
                    .status(i32::from(is_told))
                    .prints(&expected);
                assert_eq!(
                    ran.stderr.matches(": malformed: ").count(),
                    if is_told { lost } else { 0 },
                    "{line}"
                );
                numbers_kept.insert(kept.len());
            }
        }
    }
    assert!(numbers_kept.len() > 4, "{numbers_kept:?}");
}

#[test]
fn malformed_records_are_kept_where_they_are_asked_for() {
    let folder = Folder::new();
    let records = records(&folder);
    let folder = folder.with("p.txt", records.join("\n"));
    let is_malformed = |record: &&String| record.len() != 81;
    let lines = |keep: &dyn Fn(&&String) -> bool| -> String {
        let kept = records.iter().filter(|record| keep(record));
        kept.map(|record| record.clone() + "\n").collect()
    };
    folder.prints("filter --status malformed p.txt", &lines(&is_malformed));
    folder.prints(
        "filter --status malformed --invert p.txt",
        &lines(&|record| !is_malformed(record)),
    );
    folder
        .run("filter p.txt")
        .status(1)
        .prints(&lines(&|record| !is_malformed(record)));
}

/// The reference search decides, and both ends are included.
#[test]
fn guesses_are_those_of_rate() {
    let folder = Folder::new();
    let made = folder.out("puzzles -q 300 --seed 9");
    let folder = folder.with("p.txt", &made);
    let rated = table(&folder, "rate -q --up-to 4.4 --format csv p.txt");
    // `rate` shows the guesses of puzzles over its bound.
    let known: Vec<(String, u64)> = rated
        .iter()
        .filter_map(|row| Some((row[0].clone(), row[6].parse().ok()?)))
        .collect();
    assert!(known.len() > 20);
    for (from, to) in [(2, 5), (3, 3), (4, 1000)] {
        let kept = folder.out(&format!("filter --guesses {from}..{to} p.txt"));
        for (puzzle, guesses) in &known {
            let is_kept = kept.lines().any(|line| line == puzzle);
            assert_eq!(is_kept, (from..=to).contains(guesses), "{puzzle} {guesses}");
        }
    }
}

#[test]
fn columns_and_forms_stay() {
    let folder = Folder::new();
    let made = folder.out("puzzles -q 20 --format csv --seed 2");
    let folder = folder.with("p.csv", &made);
    let header = made.lines().next().unwrap();
    let few = |line: &&str| line.split(',').nth(3).unwrap().parse::<u32>().unwrap() <= 24;
    let rows: Vec<_> = made.lines().skip(1).filter(few).collect();
    let expected = format!("{header}\n{}\n", rows.join("\n"));
    folder.prints("filter --clues ..24 p.csv", &expected);
    let lines = folder.out("filter -q --clues ..24 p.csv --format line");
    let puzzles: String = rows
        .iter()
        .map(|row| row.split(',').nth(1).unwrap().to_owned() + "\n")
        .collect();
    assert_eq!(lines, puzzles);
    // The joined parts are the whole.
    let parts = ["1/2", "2/2"]
        .map(|shard| folder.out(&format!("filter -q --clues ..24 p.csv --shard {shard}")));
    assert_eq!(parts.concat(), expected);
}

#[test]
fn ranges_that_are_none_are_refused() {
    let folder = Folder::new().with("p.txt", "");
    for (option, says) in [
        ("--clues 9..5", "9 is over 5: the smaller one comes first"),
        (
            "--clues a..5",
            "a number from 0 to 81 is wanted, or A..B, like 45..50; A.. and ..B are open",
        ),
        (
            "--rating 1.25..",
            "a rating is wanted, like 2.6, or A..B, like 2.0..2.8; A.. and ..B are open",
        ),
        ("--status solved", "one of: unique, multiple, malformed"),
        ("--status gave-up", "one of: unique, multiple, malformed"),
        ("--status valid", "one of: unique, multiple, malformed"),
    ] {
        folder
            .run(&format!("filter {option} p.txt"))
            .status(2)
            .says(says)
            .prints("");
    }
}

/// `--difficulty` and `--hardest` keep what `rate --difficulty` gives, and `--symmetry` what the definition says.
#[test]
fn how_hard_and_how_symmetric() {
    let folder = Folder::new();
    let records = records(&folder);
    let hard = folder.out("puzzles -q 30 --rating 3.0..4.2 --seed 2");
    let turned = folder.out("puzzles -q 10 --symmetry rotate90 --seed 2");
    let mirrored = folder.out("puzzles -q 10 --symmetry vertical --seed 2");
    let others = [hard, turned, mirrored].concat();
    let records: Vec<String> = records
        .into_iter()
        .chain(others.lines().map(str::to_owned))
        .collect();
    let folder = folder.with("p.txt", records.join("\n"));
    let rated = table(&folder, "rate -q --difficulty --format csv p.txt");
    let header = folder.run("rate -q --difficulty --format csv p.txt").stdout;
    let place = |name: &str| {
        let mut names = header.lines().next().unwrap().split(',');
        names.position(|known| known == name).unwrap()
    };
    let kept = |condition: &str| {
        let ran = folder.run(&format!("filter -q {condition} p.txt"));
        ran.stdout.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let expected = |fulfils: &dyn Fn(usize) -> bool| {
        let all = records.iter().enumerate();
        all.filter(|(at, _)| fulfils(*at))
            .map(|(_, record)| record.clone())
            .collect::<Vec<_>>()
    };
    let (difficulty, technique) = (place("difficulty"), place("technique"));
    for words in [
        "easy",
        "medium",
        "hard",
        "expert",
        "extreme",
        "easy,extreme",
        "hard,expert",
    ] {
        let is_such = |at: usize| words.split(',').any(|word| rated[at][difficulty] == word);
        assert_eq!(
            kept(&format!("--difficulty {words}")),
            expected(&is_such),
            "{words}"
        );
        assert!(
            words == "medium" || !expected(&is_such).is_empty(),
            "{words}"
        );
        let is_rated = |at: usize| rated[at][1].parse().is_ok_and(|er: f64| er < 3.05);
        assert_eq!(
            kept(&format!("--difficulty {words},hard --rating ..3.0")),
            expected(&|at| (is_such(at) || rated[at][difficulty] == "hard") && is_rated(at)),
            "{words}"
        );
    }
    let mut techniques: Vec<_> = rated.iter().map(|row| row[technique].clone()).collect();
    techniques.retain(|name| !name.is_empty());
    techniques.sort();
    techniques.dedup();
    assert!(techniques.len() > 4, "{techniques:?}");
    for name in &techniques {
        let name_of_option = name.replace(' ', "-");
        let is_such = |at: usize| rated[at][technique] == *name;
        assert_eq!(
            kept(&format!("--hardest {name_of_option}")),
            expected(&is_such),
            "{name}"
        );
    }
    type Image = fn(usize, usize) -> (usize, usize);
    let symmetries: [(&str, Image); 5] = [
        ("rotate180", |row, column| (8 - row, 8 - column)),
        ("rotate90", |row, column| (column, 8 - row)),
        ("horizontal", |row, column| (8 - row, column)),
        ("vertical", |row, column| (row, 8 - column)),
        ("diagonal", |row, column| (column, row)),
    ];
    for (name, image) in symmetries {
        let is_such = |at: usize| {
            let record = records[at].as_bytes();
            let is_clue = |row: usize, column: usize| record[9 * row + column].is_ascii_digit();
            record.len() == 81
                && (0..81).all(|cell| {
                    let (row, column) = image(cell / 9, cell % 9);
                    is_clue(cell / 9, cell % 9) == is_clue(row, column)
                })
        };
        assert_eq!(
            kept(&format!("--symmetry {name}")),
            expected(&is_such),
            "{name}"
        );
        let is_common = ["rotate180", "rotate90", "vertical"].contains(&name);
        assert!(!is_common || expected(&is_such).len() >= 10, "{name}");
    }
}

/// A condition that no puzzle can fulfil is refused, with what there is.
#[test]
fn conditions_that_nothing_fulfils_are_refused() {
    let folder = Folder::new().with("p.txt", "x\n");
    for (condition, message) in [
        (
            "--rating 1.9",
            "no puzzle has an ER from 1.9 to 1.9; one of: 1.0, 1.2, 1.5, 1.7, 2.0, 2.3",
        ),
        (
            "--difficulty easy --rating 2.0..",
            "the difficulty, the rating and the technique have no ER in common",
        ),
        (
            "--hardest X-wing --rating 4.5..",
            "the difficulty, the rating and the technique have no ER in common",
        ),
        (
            "--hardest luck",
            "no technique is called \"luck\"; one of: last cell",
        ),
        (
            "--difficulty simple",
            "[possible values: easy, medium, hard, expert, extreme]",
        ),
        (
            "--symmetry none",
            "[possible values: rotate180, rotate90, horizontal, vertical, diagonal]",
        ),
        ("--clues 82..", "a number from 0 to 81 is wanted"),
        ("--te 4", "a depth from 0 to 3, or beyond, is wanted"),
    ] {
        folder.refuses(&format!("filter p.txt {condition}"), message);
    }
    // The conditions of near are the same.
    folder
        .run("near p.txt --rating 1.9")
        .status(2)
        .says("no puzzle has an ER from 1.9 to 1.9");
    // A solved grid takes no step: its ER is 0.0.
    let both = format!("{}\n{}\n", PUZZLES[0], SOLUTIONS[0]);
    let ran = folder.run_on(both, "filter --rating ..0.9 -q");
    ran.status(0).prints(&format!("{}\n", SOLUTIONS[0]));
}
