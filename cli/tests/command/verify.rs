//! `--verify` changes neither the output nor the summary nor the exit status. (That it finds wrong
//! answers, the unit tests of the commands show: they let commands answer wrongly.)

use crate::support::{
    cases,
    puzzles::{PUZZLES, TWO_SOLUTIONS},
    runner::Folder,
};

const PUZZLE: &str = PUZZLES[0];

/// Puzzles of all kinds: with one solution, several, none, and malformed ones.
fn mixture() -> String {
    let several = TWO_SOLUTIONS;
    let none = PUZZLE.replacen("4..52", "4..526", 1);
    let none = &none[..81];
    let duplicate = PUZZLE.replacen("4..", "44.", 1);
    let records = [PUZZLE, several, none, &duplicate, "12x", several];
    // Dozens of each kind, in one part of the file. More of them make several parts.
    let mut lines: Vec<_> = (0..cases(200)).map(|at| records[at % 6]).collect();
    let empty = ".".repeat(81);
    lines[177] = &empty;
    lines.join("\n")
}

/// The text of standard error, without the number of threads and the figures of the clock.
fn timeless(told: &str) -> String {
    let is_kept = |field: &&str| {
        let others = ["seconds", "per_second", "threads"];
        !others.iter().any(|other| field.contains(other))
    };
    let fields = told.trim_end_matches(['}', '\n']).split(',');
    fields.filter(is_kept).collect::<Vec<_>>().join(",")
}

/// Runs a command with and without `--verify`, in several forms and with several threads: each number
/// of threads in the first form at least.
#[track_caller]
fn compare(folder: &Folder, command: &str, status: i32, forms: &[&str]) {
    let ways = ["", "--verify -j 8", "--verify -j 1", "--verify -j 2"];
    for (at, form) in forms.iter().enumerate() {
        let mut plain = None;
        let count = if at == 0 { 4 } else { cases(2).min(4) };
        for more in &ways[..count] {
            let line = format!("{command} --format {form} {more} --summary json");
            let ran = folder.run(&line).status(status);
            let came = (ran.stdout, timeless(&ran.stderr));
            assert!(!came.0.is_empty() && !came.1.is_empty(), "{line}: {came:?}");
            let plain = plain.get_or_insert_with(|| came.clone());
            assert!(*plain == came, "{line}: {} {}", plain.1, came.1);
        }
    }
}

const RECORD_FORMS: [&str; 4] = ["line", "csv", "jsonl", "block"];

#[test]
fn answers_stay_the_same() {
    let folder = Folder::new().with("puzzles", mixture());
    for options in [
        "",
        "--unique",
        "--engine scalar",
        "--max-guesses 0",
        "--level portable",
    ] {
        compare(
            &folder,
            &format!("solve puzzles {options}"),
            1,
            &RECORD_FORMS,
        );
    }
    compare(
        &folder,
        "solutions puzzles --limit 3",
        1,
        &["line", "csv", "jsonl"],
    );
    for options in [
        "",
        "--minlex",
        "--maxlex",
        "--transformation",
        "--transformation --automorphisms",
        "--minlex --transformation",
    ] {
        let forms = if !options.contains("--transformation") {
            &RECORD_FORMS[..]
        } else {
            &["line", "csv"]
        };
        compare(&folder, &format!("canonical puzzles {options}"), 1, forms);
    }
    for options in ["", "--keep", "--include relabelling"] {
        compare(
            &folder,
            &format!("augment -k 3 puzzles {options}"),
            1,
            &["line", "block"],
        );
    }
}

/// Tables with solutions: right ones, wrong ones, and none.
#[test]
fn images_with_solutions_stay_the_same() {
    let folder = Folder::new().with("puzzles", mixture());
    let solved = folder.run("solve puzzles --format csv -q").status(1).stdout;
    // Some are wrong, and stay wrong in the images.
    let solved = solved.replace(",unique", ",unique,");
    let folder = folder.with("solved.csv", solved.replace("496528713", "496528731"));
    compare(&folder, "augment -k 3 solved.csv", 1, &["csv", "jsonl"]);
}

#[test]
fn what_is_made_stays_the_same() {
    let folder = Folder::new();
    let forms = [
        "line", "csv", "jsonl", "block", "grid", "pretty", "sdk", "link", "s9b",
    ];
    // 9,000 grids are several parts of the work.
    for (count, options) in [
        (9000, ""),
        (cases(1000), "--uniform"),
        (cases(1000), "--in-order --start 5"),
    ] {
        compare(&folder, &format!("generate {count} {options}"), 0, &forms);
    }
    // Each wish makes its own puzzles; more of them find one that the check refuses.
    let count = cases(3);
    for options in [
        "",
        "--blanks 30..50",
        "--clues 20 --not-unique",
        "--difficulty medium",
        "--difficulty expert",
        "--symmetry rotate90",
        "--rating 2.0..2.8",
    ] {
        compare(
            &folder,
            &format!("puzzles {count} {options}"),
            0,
            &forms[..3],
        );
    }
    // Nearly none of these can be made.
    compare(&folder, "puzzles 6 --clues 18 --keep-place", 1, &["line"]);
    compare(&folder, "puzzles 6 --clues 18", 1, &["csv"]);
    let folder = folder.with("grids", "");
    let grids = folder.out("generate 5000 --seed 9 -q");
    let folder = folder.with("grids", grids + PUZZLE);
    compare(&folder, "rank --seed 9 grids", 1, &["line", "csv"]);
    compare(&folder, "rank --in-order grids", 1, &["line", "csv"]);
}

#[test]
fn psp_writes_the_same() {
    let folder = Folder::new();
    let blocks =
        mixture()
            .lines()
            .filter(|line| line.len() == 81)
            .fold(String::new(), |text, line| {
                let rows = line.as_bytes().chunks(9);
                let rows = rows.map(|row| str::from_utf8(row).unwrap().replace('.', "0") + "\n");
                text + &rows.collect::<String>() + "\n"
            });
    let folder = folder.with("blocks", blocks);
    for (what, status) in [
        ("-c 5000", 0),
        ("-s blocks", 1),
        ("-n 100 -u", 0),
        ("-n 100 -m 3", 0),
    ] {
        folder
            .run(&format!("psp {what} --out plain"))
            .status(status);
        folder
            .run(&format!("psp {what} --out verified --verify"))
            .status(status);
        assert!(folder.read("plain") == folder.read("verified"), "{what}");
        assert!(folder.read("plain").len() > 10_000);
    }
}

/// Every command that writes solutions, puzzles or grids has the option, and tells what it costs.
#[test]
fn help_tells_the_cost() {
    let folder = Folder::new();
    for command in [
        "solve",
        "solutions",
        "canonical",
        "augment",
        "generate",
        "puzzles",
        "rank",
    ] {
        let help = folder.out(&format!("{command} --help"));
        let about = help.split("--verify").nth(1).expect(command);
        let about = about.split("\n  -").next().unwrap();
        assert!(about.contains("cost"), "{command}: {about}");
    }
    folder.run("psp --help").status(0);
}
