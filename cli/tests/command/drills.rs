//! `sudoku-batch drills`, and the conditions on steps of `puzzles` and `filter`, compared with `rate --explain` and
//! `rate --counts`. `tests/library/drills.rs` compares drills with the rules of the techniques.

use crate::support::{ROOT, runner::Folder};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// A folder with minimal puzzles and with some that are none.
fn folder() -> Folder {
    let minimal = fs::read_to_string(format!("{ROOT}/data/minimal.txt")).unwrap();
    let minimal: Vec<_> = minimal
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| &line[..81])
        .take(60)
        .collect();
    let several = ".".repeat(81);
    let text = format!(
        "{}\n{several}\n12\n{}\n",
        minimal[..30].join("\n"),
        minimal[30..].join("\n")
    );
    Folder::new().with("p.txt", text)
}

/// The rows of a table, by the names of its columns.
fn rows(table: &str) -> Vec<BTreeMap<&str, &str>> {
    let mut lines = table.lines();
    let names: Vec<_> = lines.next().unwrap().split('\t').collect();
    lines
        .map(|line| names.iter().copied().zip(line.split('\t')).collect())
        .collect()
}

/// The steps of records are those of `rate --explain`, and a record without one solution has none.
#[test]
fn drills_are_the_steps_that_are_explained() {
    let folder = folder();
    let columns = "record,step,technique,rating,cells,digits,places,strikes,words";
    let drills = folder
        .run(&format!(
            "drills p.txt --up-to 4.4 --format tsv --columns {columns} -q"
        ))
        .status(1)
        .stdout;
    let drills = rows(&drills);
    let explained = folder
        .run("rate --explain p.txt --up-to 4.4 --format tsv -q")
        .status(1)
        .stdout;
    let explained = rows(&explained);
    let steps: Vec<_> = explained
        .iter()
        .filter(|row| !row["technique"].is_empty())
        .collect();
    assert!(steps.len() > 1000);
    assert_eq!(drills.len(), steps.len());
    for (drill, step) in drills.iter().zip(steps) {
        for name in columns.split(',').skip(1) {
            assert_eq!(drill[name], step[name], "{drill:?}");
        }
    }
    let other = |row: &&BTreeMap<_, _>| ["31", "32"].contains(&row["record"]);
    assert_eq!(drills.iter().find(other), None);
    let ran = folder.run("drills p.txt --up-to 4.4 -o out.csv").status(1);
    ran.says("1 multiple").says("1 malformed").says("pointing");
}

/// `--per-technique` keeps the first of each technique, whatever the number of threads and the size of batches.
#[test]
fn a_balanced_set_has_the_first_of_each_technique() {
    let folder = folder();
    let all = folder
        .run("drills p.txt --up-to 4.4 --format tsv -q")
        .status(1)
        .stdout;
    let mut lines = all.split_inclusive('\n');
    let head = lines.next().unwrap();
    let place = head
        .split('\t')
        .position(|name| name == "technique")
        .unwrap();
    for most in [1, 7] {
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        let mut expected = head.to_owned();
        for line in all.split_inclusive('\n').skip(1) {
            let n = seen
                .entry(line.split('\t').nth(place).unwrap())
                .or_default();
            *n += 1;
            if *n <= most {
                expected += line;
            }
        }
        assert!(
            seen.len() > 8 && seen.values().any(|n| *n > most),
            "{seen:?}"
        );
        for threads in [1, 2, 5] {
            let call = format!(
                "drills p.txt --up-to 4.4 --format tsv -q -j {threads} --per-technique {most}"
            );
            folder.run(&call).status(1).prints(&expected);
        }
    }
    let pointing = folder.run("drills p.txt --technique pointing --per-technique 3 --up-to 4.4 -q");
    assert_eq!(pointing.status(1).stdout.lines().count(), 3);
}

/// `--per-solution` keeps the first drills of each technique and solution, and relatives come in the same order for any number of
/// threads.
#[test]
fn a_set_without_repeated_solutions_has_relatives() {
    // A turned puzzle, with other digits, has the solution of its record up to symmetry.
    let different = self::folder().run("dedup p.txt --by solution -q").stdout;
    let minimal: Vec<_> = different
        .lines()
        .filter(|line| line.len() == 81 && line.contains(|c: char| c != '.'))
        .collect();
    let copy = |line: &&str| -> String {
        let other = |c| {
            if c == '.' {
                '.'
            } else {
                char::from(b'1' + b'9' - c as u8)
            }
        };
        line.chars().rev().map(other).collect::<String>() + "\n"
    };
    let copies: String = minimal.iter().map(copy).collect();
    let folder = Folder::new()
        .with("p.txt", minimal.join("\n") + "\n")
        .with("q.txt", minimal.join("\n") + "\n" + &copies);
    let call = "--up-to 4.4 --format csv -q --columns record,relative,step,technique,candidates";
    let once = folder
        .run(&format!("drills p.txt {call} --per-solution 1"))
        .status(0)
        .stdout;
    let techniques = |table: &str| {
        let mut seen = BTreeMap::new();
        for line in table.lines().skip(1) {
            let fields: Vec<_> = line.split(',').collect();
            *seen
                .entry((fields[0].to_owned(), fields[3].to_owned()))
                .or_insert(0) += 1;
        }
        seen
    };
    assert!(techniques(&once).values().all(|n| *n == 1));
    let all = folder.run(&format!("drills p.txt {call}")).status(0).stdout;
    assert!(techniques(&all).keys().eq(techniques(&once).keys()));
    folder
        .run(&format!("drills q.txt {call} --per-solution 1"))
        .status(0)
        .prints(&once);
    let twice = folder
        .run(&format!("drills p.txt {call} --per-solution 2"))
        .status(0)
        .stdout;
    assert!(
        techniques(&all)
            .iter()
            .all(|(key, n)| techniques(&twice)[key] == 2.min(*n))
    );
    let call = format!(
        "drills p.txt {call} --technique pointing,XY-wing,naked-triplet,X-wing --relatives 5 --per-technique 25 --per-solution 1"
    );
    let one = folder.run(&format!("{call} -j 1")).status(0).stdout;
    let drills: Vec<_> = one.lines().skip(1).collect();
    let relatives = drills
        .iter()
        .filter(|line| line.split(',').nth(1) != Some(""));
    assert!(
        drills.len() > 60 && relatives.count() > 40,
        "{}",
        drills.len()
    );
    let positions: BTreeSet<_> = drills.iter().map(|line| line.rsplit(',').next()).collect();
    assert_eq!(positions.len(), drills.len());
    for threads in [2, 5] {
        folder
            .run(&format!("{call} -j {threads}"))
            .status(0)
            .prints(&one);
    }
}

/// A record that is given up has its status, also where no drill is wanted any more: the number of threads decides which
/// these are.
#[test]
fn what_is_given_up_does_not_depend_on_threads() {
    let pointing =
        "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.\n";
    let hard =
        "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6\n";
    let folder = folder().with("q.txt", &(pointing.repeat(100) + &hard.repeat(200)));
    for threads in [1, 2] {
        let call = format!(
            "drills q.txt --technique pointing --per-technique 1 --max-work 1 -j {threads} -o q.csv"
        );
        folder.run(&call).status(1).says("200 gave-up");
    }
}

/// The names of techniques are keys as those of columns are.
#[test]
fn a_summary_has_keys_of_one_spelling() {
    let ran = folder().run("drills p.txt --up-to 4.4 --summary json -o out.csv");
    ran.status(1)
        .says("\"naked_pair\":")
        .says("\"hidden_single_in_a_box\":");
}

/// A line is a record of its candidates, which has the same solution, and is drawn.
#[test]
fn a_line_is_a_record() {
    let folder = folder();
    let drills = folder
        .run("drills p.txt --technique naked-pair --up-to 4.4 -q")
        .status(1)
        .stdout;
    let folder = folder.with("drills.txt", &drills);
    let (n, first) = (drills.lines().count(), drills.lines().next().unwrap());
    assert!(n > 3);
    let fields: Vec<_> = first.split('\t').collect();
    assert_eq!(
        (fields.len(), fields[0].len(), fields[1]),
        (3, 729, "naked pair")
    );
    let checked = folder.run("check drills.txt").status(0);
    checked.says(&format!("{n} unique"));
    folder.run("show drills.txt --record 1").status(0);
    folder.run("book drills.txt -o b.pdf -q").status(0);
    // An array has a digit for each candidate.
    folder
        .run("drills p.txt --technique naked-pair --up-to 4.4 --columns candidates -o d.npy -q")
        .status(1);
    let array = fs::read(folder.file("d.npy")).unwrap();
    let values = &array[array.len() - 729 * n..];
    let digits = fields[0]
        .bytes()
        .map(|c| if c == b'.' { 0 } else { c - b'0' });
    assert!(values[..729].iter().copied().eq(digits));
}

/// `filter` keeps what the counts of `rate` say, and `puzzles` makes what `filter` keeps.
#[test]
fn conditions_on_steps_are_those_of_counts() {
    let folder = folder();
    let counts = folder
        .run("rate --counts --format tsv p.txt -q")
        .status(1)
        .stdout;
    let counts = rows(&counts);
    let number = |row: &BTreeMap<&str, &str>, name: &str| row[name].parse::<u64>().unwrap_or(0);
    let text = fs::read_to_string(folder.file("p.txt")).unwrap();
    let expected = |holds: &dyn Fn(&BTreeMap<&str, &str>) -> bool| {
        let lines = text.split_inclusive('\n').zip(&counts);
        let kept = lines.filter(|(_, row)| row["status"] == "unique" && holds(row));
        kept.map(|(line, _)| line).collect::<String>()
    };
    let easy = [
        "last_cell",
        "hidden_single_in_a_box",
        "hidden_single_in_a_line",
        "direct_pointing",
        "direct_claiming",
        "direct_hidden_pair",
        "naked_single",
    ];
    let names: Vec<&str> = counts[0].keys().copied().collect();
    let about = [
        "puzzle",
        "er",
        "ep",
        "ed",
        "beyond",
        "technique",
        "guesses",
        "status",
        "clues_after_singles",
        "record",
    ];
    let techniques: Vec<&str> = names
        .into_iter()
        .filter(|name| !about.contains(name))
        .collect();
    assert_eq!(techniques.len(), 49);
    let hard = |row: &BTreeMap<&str, &str>| -> u64 {
        let hard = techniques.iter().filter(|name| !easy.contains(name));
        hard.map(|name| number(row, name)).sum()
    };
    let kept = |options: &str| {
        let ran = folder.run(&format!("filter p.txt -q {options}"));
        ran.stdout
    };
    let naked = expected(&|row| number(row, "naked_pair") > 0);
    assert!(!naked.is_empty() && naked.lines().count() < 60);
    assert_eq!(kept("--contains naked-pair"), naked);
    assert_eq!(
        kept("--contains naked_pair,X-chain"),
        expected(&|row| number(row, "naked_pair") + number(row, "x_chain") > 0)
    );
    assert_eq!(
        kept("--steps 2..6"),
        expected(&|row| (2..=6).contains(&hard(row)))
    );
    assert_eq!(kept("--steps 0"), expected(&|row| hard(row) == 0));
    let allowed = [
        "last_cell",
        "hidden_single_in_a_box",
        "hidden_single_in_a_line",
        "naked_single",
        "direct_hidden_pair",
        "hidden_pair",
        "direct_pointing",
        "pointing",
    ];
    let only = |row: &BTreeMap<&str, &str>| {
        let others = techniques.iter().filter(|name| !allowed.contains(name));
        others.map(|name| number(row, name)).sum::<u64>() == 0
    };
    assert!(!expected(&only).is_empty());
    assert_eq!(kept("--only singles,hidden-pair,pointing"), expected(&only));
    assert_eq!(kept("--needs pointing"), kept("--hardest pointing"));
    for wish in [
        "--contains naked-pair",
        "--first-hard pointing,claiming",
        "--only singles,pointing",
        "--steps 1..2",
    ] {
        let made = folder
            .run(&format!("puzzles 6 -q --seed 4 {wish}"))
            .status(0)
            .stdout;
        folder
            .run_on(&made, &format!("filter -q {wish}"))
            .status(0)
            .prints(&made);
        folder
            .run(&format!("puzzles 6 -q --seed 4 -j 2 {wish}"))
            .status(0)
            .prints(&made);
    }
    let made = folder.run("puzzles 3 -q --seed 4 --first-hard pointing --steps 1..3 --contains claiming --format csv").status(0);
    let head = made.stdout.lines().next().unwrap();
    assert_eq!(
        head,
        "index,puzzle,solution,clues,contains,first_hard,steps"
    );
    for row in made.stdout.lines().skip(1) {
        assert!(row.contains(",claiming,pointing,"), "{row}");
    }
}

/// A wish that is out of reach ends, and the summary says what was tried.
#[test]
fn what_is_out_of_reach_is_told() {
    let folder = Folder::new();
    let ran = folder
        .run("puzzles 1 --seed 1 --first-hard jellyfish --steps 30.. --rating 2.0..5.2")
        .status(1);
    ran.prints("")
        .says("1 puzzle could not be made")
        .says("too easy")
        .says("too hard");
}
