//! `sudoku-batch psp`, from the outside: the rules of the course project.

use crate::support::{
    oracle,
    puzzles::{PUZZLES, SOLUTIONS},
    reference,
    runner::Folder,
};
use std::collections::{BTreeSet, HashSet};
use sudoku_batch::{Grid, Puzzle};

/// Reads the strict layout with nothing but its rule: nine lines of nine
/// digits with single spaces, a blank line between grids, none after the last.
fn strict(text: &str) -> Vec<String> {
    let text = text.strip_suffix('\n').expect("a line feed at the end");
    let block = |block: &str| {
        let rows: Vec<&str> = block.split('\n').collect();
        assert_eq!(rows.len(), 9, "{block}");
        let row = |row: &str| {
            assert_eq!(row.len(), 17, "{row:?}");
            row.split(' ')
                .map(|cell| cell.parse::<char>().unwrap())
                .collect::<String>()
        };
        rows.into_iter().map(row).collect()
    };
    text.split("\n\n").map(block).collect()
}

fn grids(text: &str) -> Vec<Grid> {
    strict(text)
        .iter()
        .map(|cells| cells.parse().unwrap())
        .collect()
}

#[test]
fn create_makes_distinct_grids() {
    let folder = Folder::new();
    for count in [1, 2, 1000, 20_000] {
        folder.prints(&format!("psp -c {count}"), "");
        let grids = grids(&folder.read("sudoku.txt"));
        assert_eq!(grids.len(), count);
        assert!(grids.iter().all(Grid::is_valid));
        assert_eq!(grids.into_iter().collect::<HashSet<_>>().len(), count);
    }
    assert_eq!(folder.names(), ["sudoku.txt"]);
}

#[test]
fn arguments_in_any_order() {
    let folder = Folder::new();
    folder.run("psp -c 3").status(0);
    let expected = folder.read("sudoku.txt");
    for arguments in [
        "--out a -c 3",
        "-c 3 --out a",
        "-c3 --out=a",
        "--seed 0 --out a -c 3",
    ] {
        folder.run(&format!("psp {arguments}")).status(0);
        assert_eq!(folder.read("a"), expected);
    }
    folder.run("psp --student 2018301780 -c 50").status(0);
    let first = |grid: &Grid| grid.as_ascii()[0];
    assert!(
        grids(&folder.read("sudoku.txt"))
            .iter()
            .all(|grid| first(grid) == b'9')
    );
}

#[test]
fn the_most_is_a_million() {
    let folder = Folder::new();
    folder.run("psp -c 1000000").status(0);
    assert_eq!(folder.read("sudoku.txt").len(), 163 * 1_000_000 - 1);
}

#[test]
fn wrong_arguments_show_the_usage() {
    let cases = [
        ("", "-c N, -s PATH or -n N"),
        ("-c", "1 to 1000000"),
        ("-c abc", "1 to 1000000"),
        ("-c 0", "1 to 1000000"),
        ("-c -5", "1 to 1000000"),
        ("-c 1.5", "1 to 1000000"),
        ("-c 1000001", "1 to 1000000"),
        ("-c 99999999999999999999", "1 to 1000000"),
        ("-c 1 -c 2", "-c"),
        ("-c 1 -s p", "cannot be used together"),
        ("-s", "the path of a file"),
        ("-s p --seed 3", "cannot be used with '--seed <N>'"),
        ("-s p --in-order", "cannot be used with '--in-order'"),
        ("-s p --student 12", "cannot be used with '--student <ID>'"),
        ("-x", "-x"),
        ("-c 1 more", "more"),
        ("-n", "1 to 10000"),
        ("-n abc", "1 to 10000"),
        ("-n 0", "1 to 10000"),
        ("-n -5", "1 to 10000"),
        ("-n 10001", "1 to 10000"),
        ("-n 1 -n 2", "-n"),
        ("-c 1 -n 1", "-c and -n cannot be used together"),
        ("-n 1 -s p", "-s and -n cannot be used together"),
        ("-m", "-m goes with -n"),
        ("-m 1", "-m goes with -n"),
        ("-r 20~30", "-r goes with -n"),
        ("-u", "-u goes with -n"),
        ("-c 5 -u", "-u goes with -n"),
        ("-r 40~30", "-r goes with -n"),
        ("-n 10 -m", "-m wants 1, 2 or 3"),
        ("-n 10 -m 4", "-m wants 1, 2 or 3"),
        ("-n 10 -m 0", "-m wants 1, 2 or 3"),
        ("-m easy -n 10", "-m wants 1, 2 or 3"),
        ("-n 10 -m 1 -r 20~30", "-m and -r cannot be used together"),
        ("-n 10 -m 1 -u", "-m and -u cannot be used together"),
        ("-n 10 -r", "-r wants L~U"),
        ("-r -1~30 -n 10", "-r wants L~U"),
        ("-n 10 -r 40~30", "-r wants L~U"),
        ("-n 10 -r 19~30", "-r wants L~U"),
        ("-n 10 -r 20~56", "-r wants L~U"),
        ("-n 10 -r 30", "-r wants L~U"),
        ("-n 10 -r 20-30", "-r wants L~U"),
        ("-n 10 -r 20~30~40", "-r wants L~U"),
    ];
    let folder = Folder::new().with("sudoku.txt", "as it was").with("p", "");
    for (arguments, message) in cases {
        let ran = folder.run(&format!("psp {arguments}"));
        ran.status(2)
            .says(message)
            .says("Usage: sudoku-batch psp")
            .prints("");
    }
    folder.refuses("psp -s missing", "missing");
    folder.run("psp -s .").status(2);
    assert_eq!(folder.read("sudoku.txt"), "as it was");
    assert_eq!(folder.names(), ["p", "sudoku.txt"]);
}

/// Puzzles of a call, from the strict layout.
fn puzzles(arguments: &str) -> Vec<Puzzle> {
    let folder = Folder::new();
    let ran = folder.run(&format!("psp {arguments}")).status(0).prints("");
    assert_eq!(ran.stderr, "");
    let puzzles = strict(&folder.read("sudoku.txt"));
    let puzzles: Vec<Puzzle> = puzzles.iter().map(|cells| cells.parse().unwrap()).collect();
    assert_eq!(puzzles.iter().collect::<HashSet<_>>().len(), puzzles.len());
    puzzles
}

fn blanks(puzzles: &[Puzzle]) -> BTreeSet<usize> {
    puzzles
        .iter()
        .map(|puzzle| 81 - puzzle.clue_count())
        .collect()
}

#[test]
fn puzzles_are_of_the_kind_that_is_asked_for() {
    let is_unique = |puzzle: &Puzzle| oracle::solutions(puzzle, 2).len() == 1;
    for (mode, range) in [
        ("", 33..=35),
        ("-m 1", 33..=35),
        ("-m 2", 36..=38),
        ("-m 3", 39..=41),
    ] {
        let puzzles = puzzles(&format!("-n 200 {mode}"));
        assert_eq!(puzzles.len(), 200);
        assert!(blanks(&puzzles).into_iter().eq(range));
        assert!(
            puzzles
                .iter()
                .all(|puzzle| reference::singles_solve(puzzle, true))
        );
    }
    let unique = puzzles("-u -r 40~50 -n 300");
    assert!(blanks(&unique).into_iter().eq(40..=50));
    assert!(unique.iter().all(is_unique));
    let any = puzzles("-n 300 -r 54~55");
    assert!(blanks(&any).into_iter().eq(54..=55));
    assert!(!any.iter().all(is_unique));
    let all = puzzles("-n 2000 -u");
    assert!(blanks(&all).into_iter().eq(20..=55));
    assert!(all.iter().step_by(20).all(is_unique));
    assert_eq!(puzzles("-n 10000 -m 3").len(), 10_000);
    let nine = puzzles("-n 50 --student 2018301780");
    let first = |puzzle: &Puzzle| puzzle.as_ascii()[0];
    assert!(
        nine.iter()
            .all(|puzzle| matches!(first(puzzle), b'9' | b'.'))
    );
    assert!(nine.iter().any(|puzzle| first(puzzle) == b'9'));
}

const CLUES: &str = PUZZLES[0];
const SOLUTION: &str = SOLUTIONS[0];

/// Nine lines, with this between the cells and for a blank.
fn block(cells: &str, between: &str, blank: &str) -> String {
    let row = |row: &[u8]| {
        let cells = row.iter().map(|&c| {
            if c == b'.' {
                blank.into()
            } else {
                char::from(c).to_string()
            }
        });
        cells.collect::<Vec<_>>().join(between) + "\n"
    };
    cells.as_bytes().chunks(9).map(row).collect()
}

#[test]
fn solve_takes_every_layout() {
    let two = |text: &str| format!("{text}\n{text}");
    let zeros = block(CLUES, " ", "0");
    let layouts = [
        two(&zeros),
        two(&block(CLUES, " ", "$")),
        two(&block(CLUES, "", "0")),
        two(&block(CLUES, "", ".")),
        two(&zeros).replace('\n', "\r\n"),
        two(&zeros).replace('\n', "\r"),
        format!("# a comment\n{}", two(&zeros)),
        two(&zeros).trim_end().to_owned(),
        format!("2\n{}", two(&zeros)),
        format!("2\n\n{}\n\n\n", two(&zeros)),
        format!("\u{feff}{zeros}{zeros}"),
    ];
    let solved = block(SOLUTION, " ", "");
    for layout in layouts {
        let folder = Folder::new().with("p", &layout);
        let ran = folder.run("psp -s p").status(0).prints("");
        assert_eq!(ran.stderr, "");
        assert_eq!(folder.read("sudoku.txt"), two(&solved), "{layout}");
        folder.run_on(&layout, "psp --out o -s -").status(0);
        assert_eq!(folder.read("o"), two(&solved));
    }
    // An input without puzzles leaves no file, and the one before as it is.
    for (name, empty) in [("empty", ""), ("blank", "\n\n"), ("comment", "# mine\n")] {
        let folder = Folder::new().with(name, empty);
        let says = format!("{name} has no puzzles; output files stay as they were");
        folder.refuses(&format!("psp -s {name}"), &says);
        assert_eq!(folder.names(), [name]);
        let folder = folder.with("sudoku.txt", &zeros);
        folder
            .run_on(empty, "psp -s -")
            .status(2)
            .says("has no puzzles");
        assert_eq!(folder.read("sudoku.txt"), zeros);
    }
}

/// The output is a file in the working folder, whose name nobody gave. It takes the place of no puzzles that it is
/// made of, under whatever name.
#[test]
fn puzzles_are_not_written_over_unasked() {
    let (puzzle, solution) = (block(CLUES, " ", "0"), block(SOLUTION, " ", ""));
    let folder = Folder::new().with("sudoku.txt", &puzzle);
    std::os::unix::fs::symlink("sudoku.txt", folder.file("link")).unwrap();
    let line = "$P psp -s - <sudoku.txt";
    let refused = ["sudoku.txt", "./sudoku.txt", "link"].map(|path| format!("$P psp -s {path}"));
    for line in refused.iter().map(String::as_str).chain([line]) {
        let ran = folder.bash(line).status(2).prints("");
        ran.says(
            "the output goes to sudoku.txt, which is the input: --out FILE names another file",
        )
        .says("--out sudoku.txt replaces the input");
        assert_eq!(folder.read("sudoku.txt"), puzzle);
        assert_eq!(folder.names(), ["link", "sudoku.txt"]);
    }
    // A user who names the file means it.
    let ran = folder.run("psp -s sudoku.txt --out sudoku.txt").status(0);
    assert_eq!((&ran.stderr[..], folder.read("sudoku.txt")), ("", solution));
}

/// A file of the user that has the name of the output is replaced, and told of. The file of the run before is not.
#[test]
fn a_file_of_others_is_told_of() {
    let puzzle = block(CLUES, " ", "0");
    let none = block(
        &format!(".12345678{}9{}", ".".repeat(9), ".".repeat(62)),
        " ",
        "0",
    );
    let folder = Folder::new().with("p", [&puzzle[..], &none].join("\n"));
    let runs = [
        ("psp -c 3", 0),
        ("psp -s p", 1),
        ("psp -n 3 -r 20~55", 0),
        ("psp -n 2", 0),
    ];
    let told = "sudoku.txt was there, and is no file that psp writes: it is replaced";
    for (before, _) in runs {
        for (call, status) in runs {
            folder.run(before);
            let ran = folder.run(call).status(status);
            assert!(
                !ran.stderr.contains("was there"),
                "{before}, {call}: {ran:#?}"
            );
        }
    }
    let grids = folder.read("sudoku.txt");
    let few = block(&format!("{}{}", &CLUES[..3], ".".repeat(78)), " ", "0");
    let twice = block(&SOLUTION.replacen('4', "9", 1), " ", "");
    for text in [
        "notes\n",
        CLUES,
        &format!("puzzle\n{CLUES}\n"),
        &block(CLUES, "", "0"),
        &grids[..grids.len() - 1],
        &grids.replace('\n', "\r\n"),
        &few,
        &twice,
        &[&puzzle[..], &twice].join("\n"),
    ] {
        let folder = Folder::new().with("sudoku.txt", text);
        folder.run("psp -c 2").status(0).says(told);
        assert_eq!(self::grids(&folder.read("sudoku.txt")).len(), 2);
        let folder = folder.with("sudoku.txt", text);
        let asked = folder.run("psp -c 2 --out sudoku.txt").status(0);
        assert_eq!(asked.stderr, "", "{text}");
        // A command that fails replaces nothing.
        let folder = folder.with("sudoku.txt", text);
        let failed = folder.run("psp -s missing").status(2);
        assert!(!failed.stderr.contains("was there"));
        assert_eq!(folder.read("sudoku.txt"), text);
    }
    let folder = Folder::new().with("sudoku.txt", "");
    assert_eq!(folder.run("psp -c 2").status(0).stderr, "");
}

/// Puzzles made of the project's own grids by blanking, many of them with
/// several solutions: any will do.
#[test]
fn many_puzzles_are_solved_in_order() {
    let folder = Folder::new();
    folder.run("generate 20k -o grids -q").status(0);
    let blanked = |(i, line): (usize, &str)| -> String {
        let blank = |cell: usize| (cell * 7 + i) % 5 < 2;
        line.char_indices()
            .map(|(cell, c)| if blank(cell) { '.' } else { c })
            .collect()
    };
    let puzzles: Vec<String> = folder
        .read("grids")
        .lines()
        .enumerate()
        .map(blanked)
        .collect();
    let blocks: Vec<String> = puzzles
        .iter()
        .map(|puzzle| block(puzzle, " ", "0"))
        .collect();
    let folder = folder.with("p", blocks.join("\n"));
    folder.run("psp -s p").status(0);
    let grids = grids(&folder.read("sudoku.txt"));
    assert_eq!(grids.len(), puzzles.len());
    for (grid, puzzle) in grids.iter().zip(&puzzles) {
        assert!(grid.is_solution_of(&puzzle.parse::<Puzzle>().unwrap()));
    }
}

#[test]
fn what_is_not_solved_gives_points_and_is_told() {
    let good = block(CLUES, " ", "0");
    let twice = block(&format!("44{}", &CLUES[2..]), " ", "0");
    // No digit is left for the first cell.
    let none = block(
        &format!(".12345678{}9{}", ".".repeat(9), ".".repeat(62)),
        " ",
        "0",
    );
    let letter = good.replacen('5', "a", 1);
    let short = &good[..18 * 4];
    let text = [&good, &twice, &none, &letter, short, &good].join("\n");
    let folder = Folder::new().with("p", &text);
    let ran = folder.run("psp -s p").status(1).prints("");
    ran.says("p:11: row-duplicate: 4 at r1c1 and r1c2")
        .says("p:21: no-solution\n")
        .says("p:31: malformed: column 7: 'a' where a cell should be")
        .says("p:41: malformed: 4 rows, 9 expected")
        .says("4 of 6 records not solved");
    let points = ".".repeat(81);
    let expected = [SOLUTION, &points, &points, &points, &points, SOLUTION];
    assert_eq!(strict(&folder.read("sudoku.txt")), expected);
}

#[test]
fn a_wrong_number_of_puzzles_is_told() {
    let folder = Folder::new().with("p", format!("3\n{}", block(CLUES, " ", "0")));
    folder
        .run("psp -s p")
        .status(1)
        .says("p begins with 3, but has 1 puzzle");
    assert_eq!(strict(&folder.read("sudoku.txt")), [SOLUTION]);
}
