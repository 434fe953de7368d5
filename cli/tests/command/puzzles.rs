//! `sudoku-batch puzzles`, from the outside.

use crate::support::{cases, oracle, reference, runner::Folder};
use std::{
    collections::{BTreeSet, HashSet},
    io::Read,
};
use sudoku_batch::{Grid, Outcome, Puzzle, Solver, generate::Grids, solve::guesses, technique};

fn puzzles(text: &str) -> Vec<Puzzle> {
    text.lines().map(|line| line.parse().unwrap()).collect()
}

/// The puzzles that a call prints, all with one solution.
#[track_caller]
fn made(arguments: &str) -> Vec<Puzzle> {
    let ran = Folder::new()
        .run(&format!("puzzles {arguments} -q"))
        .status(0);
    let puzzles = puzzles(&ran.stdout);
    let outcomes = Solver::new().solve_batch(&puzzles);
    assert!(outcomes.iter().all(Outcome::is_unique), "{arguments}");
    for puzzle in puzzles.iter().step_by(97) {
        assert_eq!(oracle::solutions(puzzle, 2).len(), 1);
    }
    puzzles
}

fn clues(puzzles: &[Puzzle]) -> BTreeSet<usize> {
    puzzles.iter().map(Puzzle::clue_count).collect()
}

#[test]
fn what_is_wanted_is_made() {
    let minimal = made("500");
    let mut solver = Solver::new();
    for puzzle in &minimal {
        let fewer: Vec<Puzzle> = sudoku_batch::Cell::all()
            .filter(|&cell| puzzle.get(cell).is_some())
            .map(|cell| {
                let mut fewer = *puzzle;
                fewer.set(cell, None);
                fewer
            })
            .collect();
        assert!(
            solver
                .count_batch(&fewer, 2)
                .iter()
                .all(|&count| count == 2)
        );
    }
    assert_eq!(made("500 --minimal"), minimal);
    assert!(clues(&made("2k --blanks 45..50")).into_iter().eq(31..=36));
    assert!(clues(&made("100 --blanks 45")).into_iter().eq([36]));
    assert!(clues(&made("2k --clues 30..33")).into_iter().eq(30..=33));
    assert!(
        clues(&made("100 --minimal --clues 22..23"))
            .into_iter()
            .eq(22..=23)
    );
    for blanks in [33..=35, 36..=38, 39..=41] {
        let (least, most) = (blanks.start(), blanks.end());
        let made = made(&format!(
            "300 --blanks {least}..{most} --solved-by naked-singles"
        ));
        let blanks = blanks.map(|blanks| 81 - blanks);
        assert!(clues(&made).into_iter().rev().eq(blanks));
        assert!(
            made.iter()
                .all(|puzzle| reference::singles_solve(puzzle, true))
        );
    }
    let hidden = made("100 --guesses 1..");
    assert!(
        !hidden
            .iter()
            .any(|puzzle| reference::singles_solve(puzzle, false))
    );
    for (text, range) in [("12..", 12..=u64::MAX), ("2..3", 2..=3), ("4", 4..=4)] {
        let many = made(&format!("20 --minimal --guesses {text}"));
        let guesses = |puzzle| range.contains(&reference::guesses(puzzle));
        assert!(many.iter().all(guesses), "{text}");
    }
    for puzzle in made("100 --clues 30..34 --symmetry rotate180") {
        let cells = puzzle.as_ascii();
        assert!((0..81).all(|i| (cells[i] == b'.') == (cells[80 - i] == b'.')));
    }
}

/// The five words are ranges of ER, here by the steps of one puzzle at a time.
#[test]
fn difficulties_are_ranges_of_er() {
    let turned = "--symmetry rotate180";
    for (wanted, least, most) in [
        ("easy", 0, 15),
        ("medium", 17, 25),
        ("hard", 26, 34),
        ("expert", 36, 44),
        ("extreme", 45, 45),
        ("medium --rating 2.0..3.0", 20, 25),
        ("hard --clues 25..26", 26, 34),
        ("hard --minimal", 26, 34),
        (&format!("medium {turned}"), 17, 25),
        (&format!("extreme --rating 4.5.. {turned}"), 45, 45),
    ] {
        let made = made(&format!("20 --difficulty {wanted}"));
        assert_eq!(made.len(), 20);
        for puzzle in made {
            let er = sudoku_batch::technique::rate(&puzzle).unwrap().er;
            let er = er.map_or(45, |er| er.tenths().min(45));
            assert!((least..=most).contains(&er), "{wanted}: {puzzle} has {er}");
            assert!(
                (22..=32).contains(&puzzle.clue_count()),
                "{wanted}: {puzzle}"
            );
            let cells = puzzle.as_ascii();
            let is_turned = (0..81).all(|i| (cells[i] == b'.') == (cells[80 - i] == b'.'));
            assert!(is_turned || !wanted.contains(turned), "{puzzle}");
        }
    }
}

#[test]
fn without_one_solution_any_number_will_do() {
    let ran = Folder::new()
        .run("puzzles 200 --clues 5..10 --not-unique -q")
        .status(0);
    assert!(clues(&puzzles(&ran.stdout)).into_iter().eq(5..=10));
}

#[test]
fn puzzle_i_is_made_from_grid_i() {
    let solutions = |arguments: &str| -> Vec<Grid> {
        made(arguments)
            .iter()
            .map(|puzzle| Solver::new().solve_unique(puzzle).unwrap())
            .collect()
    };
    let uniform = Grids::uniform(7);
    let sequence = Grids::seeded(7)
        .with_first_digit("9".parse().ok().and_then(sudoku_batch::Digit::new).unwrap());
    for (i, grid) in (40..).zip(solutions("60 --seed 7 --start 40")) {
        assert_eq!(grid, uniform.grid(i).unwrap());
    }
    for (i, grid) in (0..).zip(solutions("60 --seed 7 --sequence --student 2018301780")) {
        assert_eq!(Some(grid), sequence.grid(i));
    }
    // From a file, puzzle i is what it would be from the sequence.
    let folder = Folder::new();
    folder
        .run("generate 1000 --seed 3 --uniform -o grids -q")
        .status(0);
    let whole = folder.out("puzzles 1000 --seed 3 --blanks 40 -q");
    folder.prints("puzzles 1k --seed 3 --blanks 40 --from grids -q", &whole);
    let part = whole
        .split_inclusive('\n')
        .skip(500)
        .take(250)
        .collect::<String>();
    folder
        .run_on(
            folder.read("grids"),
            "puzzles 500 --start 500 --shard 1/2 --seed 3 --blanks 40 --from - -q",
        )
        .status(0)
        .prints(&part);
}

#[test]
fn the_bytes_depend_on_nothing_else() {
    let folder = Folder::new();
    // Threads share more than 8192 puzzles. By default those that are made quickly are so many.
    for (wanted, count) in [
        ("", cases(400)),
        ("--difficulty medium", cases(400)),
        ("--clues 28..32 --symmetry diagonal", cases(10_000)),
    ] {
        let (first, last) = (count / 20 * 9, count / 20 * 11);
        let whole = folder.out(&format!("puzzles {count} {wanted} -j 1 -q"));
        assert_eq!(whole.lines().count(), count);
        folder.prints(&format!("puzzles {count} {wanted} -j 3 -q"), &whole);
        let parts: String = (1..=3)
            .map(|part| folder.out(&format!("puzzles {count} {wanted} --shard {part}/3 -q")))
            .collect();
        assert_eq!(parts, whole);
        let slices = [first.to_string(), format!("{last} --start {first}")];
        let slices: String = slices
            .map(|slice| folder.out(&format!("puzzles {slice} {wanted} -q")))
            .concat();
        assert_eq!(slices, whole);
        let distinct: HashSet<&str> = whole.lines().collect();
        assert_eq!(distinct.len(), count, "{wanted}");
        let other = folder.out(&format!("puzzles 100 {wanted} --seed 1 -q"));
        assert!(other.lines().all(|line| !distinct.contains(line)));
    }
}

#[test]
fn formats_tell_the_same() {
    let folder = Folder::new();
    let run = |format: &str, wanted: &str| {
        folder.out(&format!(
            "puzzles 30 --start 95 {wanted} --format {format} -q"
        ))
    };
    let lines: Vec<Puzzle> = puzzles(&run("line", "--blanks 40..42"));
    let csv = run("csv", "--blanks 40..42");
    let mut rows = csv.lines();
    assert_eq!(rows.next(), Some("index,puzzle,solution,clues"));
    for (i, row) in (95..).zip(rows.clone()) {
        let puzzle = &lines[i - 95];
        let solution = Solver::new().solve_unique(puzzle).unwrap();
        assert_eq!(
            row,
            format!("{i},{puzzle},{solution},{}", puzzle.clue_count())
        );
    }
    let json: Vec<serde_json::Value> = run("jsonl", "--blanks 40..42")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(json.len(), 30);
    for (object, row) in json.iter().zip(rows) {
        let names = ["index", "puzzle", "solution", "clues"];
        let fields = names.map(|name| object[name].to_string().trim_matches('"').to_owned());
        assert_eq!(fields.join(","), row);
    }
    let dotted = |text: &str| text.replace(['\n', ' '], "").replace('0', ".");
    for format in ["block", "grid"] {
        let text = run(format, "--blanks 40..42");
        let blocks: Vec<&str> = text.strip_suffix('\n').unwrap().split("\n\n").collect();
        assert_eq!(blocks.len(), 30);
        for (block, puzzle) in blocks.iter().zip(&lines) {
            let length = if format == "grid" { 17 } else { 9 };
            assert!(block.lines().count() == 9 && block.lines().all(|row| row.len() == length));
            assert_eq!(dotted(block), puzzle.as_str());
        }
    }
    let extreme = run("csv", "--difficulty extreme --guesses 3.. --minimal");
    assert!(extreme.starts_with("index,puzzle,solution,clues,difficulty,guesses,er,technique\n"));
    for row in extreme.lines().skip(1) {
        let fields: Vec<&str> = row.split(',').collect();
        assert_eq!(fields[4], "extreme");
        let number = guesses(&fields[1].parse::<Puzzle>().unwrap(), u64::MAX).unwrap();
        assert_eq!(fields[5], number.to_string());
        assert!(number >= 3);
    }
    let easy = run("jsonl", "--difficulty easy");
    for line in easy.lines() {
        let object: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(object["difficulty"], "easy");
        let puzzle: Puzzle = object["puzzle"].as_str().unwrap().parse().unwrap();
        let ratings = technique::rate(&puzzle).unwrap();
        let er = ratings.er.unwrap();
        assert_eq!(object["er"].as_f64(), Some(f64::from(er.tenths()) / 10.0));
        assert_eq!(
            object["technique"].as_str(),
            ratings.technique.map(|t| t.name())
        );
    }
}

/// The forms of candidates hold what `convert` makes of the lines: a clue is the only candidate of its cell, and a
/// blank has all nine.
#[test]
fn candidates_are_made_too() {
    let folder = Folder::new();
    let candidates = |line: &str, blank: char| -> String {
        let of_cell = |cell: char| {
            let digits = ('1'..='9').map(move |digit| match cell {
                '1'..='9' if cell != digit => blank,
                _ => digit,
            });
            digits.collect::<String>()
        };
        line.chars().map(of_cell).collect::<String>() + "\n"
    };
    for (call, options, blank) in [
        ("generate 300 --seed 5", "", '.'),
        ("generate 30 --seed 5 --uniform", "", '.'),
        ("puzzles 30 --clues 30 --seed 5", "--blank .", '.'),
        ("puzzles 30 --clues 30 --seed 5", "--blank 0", '0'),
    ] {
        let lines = folder.out(&format!("{call} -q"));
        let expected: String = { lines.lines() }
            .map(|line| candidates(line, blank))
            .collect();
        let call = format!("{call} -q {options} --verify");
        folder.prints(&format!("{call} --format candidates"), &expected);
        folder.prints(&format!("{call} --format candidates -j 1"), &expected);
        let marks = folder.out(&format!("{call} --format pencilmarks"));
        assert!(!marks.starts_with('\n') && !marks.ends_with("\n\n"));
        let mut back = folder
            .run_on(&marks, "convert -q --format line")
            .status(0)
            .stdout;
        if blank == '0' {
            back = back.replace('0', ".");
        }
        assert_eq!(back, lines, "{call}");
        // Each cell by the rule: the candidates of a row, with spaces between.
        let cells: Vec<_> = marks.split_whitespace().collect();
        let pairs = cells.iter().zip(lines.lines().flat_map(str::chars));
        assert_eq!(cells.len(), 81 * lines.lines().count());
        for (cell, clue) in pairs {
            let digits = clue.to_string();
            assert_eq!(*cell, if clue == '.' { "123456789" } else { &digits });
        }
    }
    // All forms that the docs name, and no others.
    for form in [
        "line",
        "csv",
        "tsv",
        "jsonl",
        "block",
        "grid",
        "pretty",
        "candidates",
        "pencilmarks",
        "sdk",
        "box",
        "link",
        "sudokuexchange",
        "hodoku",
        "s9b",
    ] {
        for command in ["generate", "puzzles"] {
            let made = folder.out(&format!("{command} 2 -q --format {form}"));
            let ran = folder.run_on(&made, "stats --summary json").stderr;
            assert!(ran.contains(r#""records":2"#), "{command} {form}: {ran}");
        }
    }
    folder.refuses("puzzles 2 --format text", "possible values");
}

#[test]
fn what_cannot_be_made_is_told() {
    let folder = Folder::new();
    let points = format!("{}\n", ".".repeat(81));
    let ran = folder
        .run("puzzles 3 --clues 18 --keep-place")
        .status(1)
        .prints(&points.repeat(3));
    ran.says("3 of 3 puzzles could not be made");
    let ran = folder.run("puzzles 3 --clues 18").status(1).prints("");
    ran.says("3 of 3 puzzles could not be made");
    folder.refuses(
        "puzzles 3 --keep-place --format csv",
        "--keep-place has no effect",
    );
    for format in ["jsonl", "block", "grid"] {
        folder
            .run(&format!("puzzles 2 --clues 18 --format {format}"))
            .status(1)
            .prints("");
    }
    let ran = folder.run("puzzles 2 --clues 18 --format csv --summary json");
    ran.status(1)
        .says("\"puzzles\":2,\"made\":0,\"not_made\":2")
        .prints("index,puzzle,solution,clues\n");
}

/// Slices that are joined are the whole, with and without the places of what is missing, and a
/// puzzle is the same whatever is missing before it.
#[test]
fn slices_without_what_is_missing_are_the_whole() {
    let grid = |i| match i % 3 {
        1 => ".".repeat(81),
        _ => Grids::uniform(5).grid(i).unwrap().to_string(),
    };
    let grids: String = (0..12).map(|i| grid(i) + "\n").collect();
    let folder = Folder::new().with("grids", grids);
    let call = "puzzles 12 --from grids --blanks 40 --seed 2 -q";
    let kept = folder
        .run(&format!("{call} --keep-place -j 2"))
        .status(1)
        .stdout;
    let points = ".".repeat(81);
    assert_eq!(kept.lines().count(), 12);
    assert!(kept.contains(&points));
    let left: String = kept
        .lines()
        .filter(|line| **line != points)
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(left.lines().count(), 8);
    folder.run(call).status(1).prints(&left);
    let parts = |options: &str| {
        let part = |k: i32| {
            folder
                .run(&format!("{call} {options} --shard {k}/3 -j {k}"))
                .stdout
        };
        (1..=3).map(part).collect::<String>()
    };
    assert_eq!(parts(""), left);
    assert_eq!(parts("--keep-place"), kept);
    folder.run(&format!("{call} -o out.gz")).status(1);
    folder.bash("zcat out.gz").status(0).prints(&left);
    // The next command sees puzzles alone.
    let ran = folder.bash(&format!("$P {call} | $P check -q"));
    ran.status(0);
}

#[test]
fn grids_of_a_file_are_checked() {
    let grid = Grids::uniform(1).grid(0).unwrap().to_string();
    let twice = format!("{}{}", &grid[1..2], &grid[1..]);
    let text = format!("# grids\n{grid}\n{}.\n{twice}\n{grid}\n", &grid[..80]);
    let folder = Folder::new().with("grids", text);
    let ran = folder
        .run("puzzles 4 --from grids --blanks 40 --keep-place")
        .status(1);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[1..3], [".".repeat(81), ".".repeat(81)]);
    assert!(lines[0] != lines[3], "other orders");
    let ran = ran
        .says("grids:3: malformed: column 81: '.' where a digit should be")
        .says("grids:4: row-duplicate");
    ran.says("2 of 4 puzzles could not be made");
    folder.refuses(
        "puzzles 5 --from grids -o out",
        "grids has 4 grids, and 5 are needed",
    );
    folder.refuses("puzzles 1 --start 4 --from grids", "has 4 grids, and 5");
    folder.refuses("puzzles 1 --from missing", "cannot open missing");
    assert_eq!(folder.names(), ["grids"]);
}

#[test]
fn grids_come_in_any_form() {
    let folder = Folder::new();
    let expected = folder.out("puzzles 300 --seed 4 --blanks 44 -q");
    for (form, name) in [
        ("line", "grids.txt"),
        ("csv", "grids.csv"),
        ("tsv", "grids.tsv.gz"),
        ("jsonl", "grids.jsonl.zst"),
        ("block", "blocks.txt"),
        ("grid", "nine.txt"),
        ("pretty", "pretty.txt"),
        ("sdk", "grids.sdk"),
        ("box", "box.txt.gz"),
        ("link", "links.txt"),
        ("hodoku", "library.txt.zst"),
        ("s9b", "s9b.txt"),
    ] {
        folder
            .run(&format!(
                "generate 300 --seed 4 --uniform --format {form} -o {name} -q"
            ))
            .status(0);
        folder.prints(
            &format!("puzzles 300 --seed 4 --blanks 44 --from {name} -q"),
            &expected,
        );
        folder.refuses(
            &format!("puzzles 301 --from {name}"),
            &format!("{name} has 300 grids, and 301 are needed"),
        );
    }
    // The solutions of a table of puzzles.
    folder
        .run("puzzles 300 --seed 4 --clues 30 --format csv -o both.csv -q")
        .status(0);
    folder.prints(
        "puzzles 300 --seed 4 --blanks 44 --from both.csv --puzzle-column solution -q",
        &expected,
    );
    folder.refuses(
        "puzzles 5 --from both.csv --puzzle-column nothing",
        "both.csv",
    );
}

#[test]
fn a_compressed_output_holds_the_same() {
    let folder = Folder::new();
    let expected = folder.out("puzzles 9k --blanks 40 --format tsv -q");
    assert!(expected.starts_with("index\tpuzzle\tsolution\tclues\n0\t"));
    folder
        .run("puzzles 9k --blanks 40 --format tsv -o p.tsv.gz -q")
        .status(0);
    folder
        .run("puzzles 9k --blanks 40 --format tsv --compress zstd:3 -o p.bin -q")
        .status(0);
    let mut text = String::new();
    let packed = std::fs::File::open(folder.file("p.tsv.gz")).unwrap();
    flate2::read::MultiGzDecoder::new(packed)
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(text, expected);
    let packed = std::fs::File::open(folder.file("p.bin")).unwrap();
    let text = zstd::decode_all(packed).unwrap();
    assert_eq!(text, expected.as_bytes());
}

#[test]
fn ratings_are_what_is_wanted() {
    for (range, least, most) in [
        ("1.2..1.5", 12, 15),
        ("2.0", 20, 20),
        ("4.2..4.4", 42, 44),
        ("4.5..6.2", 45, 62),
        ("7.0..8.4", 70, 84),
    ] {
        // Steps of one puzzle at a time: not what the maker asks.
        // More of them find a rating that is seldom wrong.
        for puzzle in made(&format!("{} --rating {range}", cases(8))) {
            let er = sudoku_batch::technique::rate(&puzzle).unwrap().er;
            let er = er.expect("a rating that is known").tenths();
            assert!((least..=most).contains(&er), "{range}: {puzzle} has {er}");
        }
    }
    let folder = Folder::new();
    let run = |arguments: &str| folder.run(&format!("puzzles {arguments} -q"));
    let wanted = format!("{} --rating 2.3..2.6 --seed 9", cases(20));
    let lines = run(&wanted).status(0).stdout;
    run(&format!("{wanted} -j 3")).status(0).prints(&lines);
    let parts =
        ["1/2", "2/2"].map(|part| run(&format!("{wanted} --shard {part}")).status(0).stdout);
    assert_eq!(parts.concat(), lines);
    let csv = run(&format!("{wanted} --format csv")).status(0).stdout;
    assert!(csv.starts_with("index,puzzle,solution,clues,er,technique\n"));
    for (row, line) in csv.lines().skip(1).zip(lines.lines()) {
        let fields: Vec<&str> = row.split(',').collect();
        assert_eq!(fields[1], line);
        let ratings = sudoku_batch::technique::rate(&line.parse::<Puzzle>().unwrap()).unwrap();
        assert_eq!(fields[4], ratings.er.unwrap().to_string());
        assert_eq!(fields[5], ratings.technique.unwrap().name());
    }
    for (technique, name) in [("xy-chain", "XY-chain"), ("POINTING", "pointing")] {
        let csv = run(&format!("6 --hardest {technique} --format csv")).status(0);
        assert_eq!(csv.stdout.lines().count(), 7);
        for row in csv.stdout.lines().skip(1) {
            assert!(row.ends_with(&format!(",{name}")), "{row}");
        }
    }
    // A minimal puzzle always has a step above 1.0.
    let ran = folder.run("puzzles 2 --rating 1.0").status(1);
    ran.says("2 of 2 puzzles could not be made");
}

/// The first 8,192 puzzles, which a thread makes together, cannot be made.
#[test]
fn no_blank_line_comes_first() {
    let grid = Grids::uniform(1).grid(0).unwrap();
    let text = format!(
        "{}{grid}\n{grid}\n",
        format!("{}\n", ".".repeat(81)).repeat(8192)
    );
    let folder = Folder::new().with("grids", text);
    for form in ["block", "grid", "pretty", "sdk", "box"] {
        let call = format!("puzzles 8194 --from grids --blanks 40 --format {form}");
        let ran = folder.run(&format!("{call} -j 2")).status(1);
        let ran = ran.says("8,192 of 8,194 puzzles could not be made");
        let (first, second) = ran.stdout.split_once("\n\n").unwrap();
        assert!(!first.starts_with('\n') && !second.ends_with("\n\n"));
        assert_eq!(first.lines().count(), second.lines().count());
        folder.run(&format!("{call} -o out.gz")).status(1);
        let packed = std::fs::File::open(folder.file("out.gz")).unwrap();
        let mut unpacked = String::new();
        flate2::read::MultiGzDecoder::new(packed)
            .read_to_string(&mut unpacked)
            .unwrap();
        assert_eq!(unpacked, ran.stdout);
    }
}

#[test]
fn wrong_usage() {
    let folder = Folder::new();
    for (arguments, message) in [
        ("", "<N>"),
        ("0", "at least 1"),
        ("x", "a whole number is wanted"),
        ("5 --blanks 82", "a number from 0 to 81"),
        ("5 --blanks 50..45", "50 is over 45"),
        ("5 --clues 20-30", "like 45..50"),
        ("5 --clues 30 --blanks 30", "cannot be used with"),
        ("5 --minimal --blanks 30", "cannot be used with"),
        ("5 --difficulty easy --rating 2.0", "have no ER in common"),
        (
            "5 --solved-by naked-singles",
            "by its number of clues or blanks only",
        ),
        (
            "5 --solved-by naked-singles --minimal",
            "cannot be used with",
        ),
        (
            "5 --difficulty simple",
            "easy, medium, hard, expert, extreme",
        ),
        (
            "5 --clues 16",
            "no puzzle with fewer than 17 clues has one solution",
        ),
        ("5 --minimal --clues 10..16", "fewer than 17 clues"),
        ("5 --blanks 65..70", "65 to 70 blanks leave 11 to 16 clues"),
        (
            "5 --clues 30 --symmetry rotate90",
            "the nearest number is 29",
        ),
        (
            "5 --blanks 51 --symmetry rotate90",
            "51 blanks leave 30 clues",
        ),
        ("5 --rating 12.5", "a rating is wanted"),
        ("5 --hardest luck", "no technique is called \"luck\""),
        ("5 --hardest luck", "one of: "),
        (
            "5 --rating 1.9",
            "no puzzle has an ER from 1.9 to 1.9; one of: 1.0, 1.2",
        ),
        (
            "5 --difficulty easy --clues 20",
            "there are some from 21 clues on",
        ),
        (
            "5 --unbiased --clues 25",
            "unbiased cannot be used with clues",
        ),
        ("5 --rating 3.0..2.0", "3.0 is over 2.0"),
        ("5 --rating easy", "a rating is wanted"),
        ("5 --rating ..", "a rating is wanted"),
        (
            "5 --difficulty easy --not-unique",
            "by its number of clues or blanks only",
        ),
        (
            "5 --rating 2.0 --not-unique",
            "by its number of clues or blanks only",
        ),
        ("5 --from x --input-format tables", "invalid value"),
        ("5 --not-unique", "by its number of clues or blanks only"),
        ("5 --in-order", "--sequence"),
        ("5 --from x --sequence", "cannot be used with"),
        ("5 --grids sequence", "puzzles has --sequence"),
        ("5 --from x --student 17", "cannot be used with"),
        ("5 --shard 3/2", "K/M"),
        (
            "5 --sequence --start 312063515688960",
            "there are 312,063,515,688,960",
        ),
        ("100000000000000000 -q", "too many"),
    ] {
        let ran = folder.run(&format!("puzzles {arguments}"));
        ran.status(2).says(message).prints("");
    }
    assert_eq!(folder.names(), [""; 0]);
}

/// The values of a column of a table.
fn column<'t>(table: &'t str, name: &str) -> Vec<&'t str> {
    let mut rows = table.lines().map(|row| row.split(','));
    let place = rows.next().unwrap().position(|column| column == name);
    rows.map(|mut row| row.nth(place.unwrap()).unwrap())
        .collect()
}

/// The canonical forms of records.
fn forms(folder: &Folder, records: &[&str]) -> Vec<String> {
    let ran = folder.run_on(records.join("\n"), "canonical -q").status(0);
    let forms: Vec<_> = ran.stdout.lines().map(str::to_owned).collect();
    assert_eq!(forms.len(), records.len());
    forms
}

#[test]
fn levels_of_one_seed_share_no_grid_unless_it_is_given() {
    let folder = Folder::new();
    let levels = ["easy", "medium", "hard"];
    let (mut all, mut count) = (HashSet::new(), 0);
    for level in levels {
        let table = folder.out(&format!(
            "puzzles 300 --difficulty {level} --seed 5 -q --format csv"
        ));
        let solutions = forms(&folder, &column(&table, "solution"));
        count += solutions.len();
        all.extend(solutions);
    }
    assert_eq!((all.len(), count), (900, 900));
    // The way to have the same drawn grids in all levels.
    let grids = folder.out("generate 20 --uniform --seed 5 -q");
    let expected: Vec<_> = grids.lines().collect();
    for level in levels {
        let line = format!("puzzles 20 --from - --difficulty {level} --seed 5 -q --format csv");
        let ran = folder.run_on(&grids, &line).status(0);
        assert_eq!(column(&ran.stdout, "solution"), expected, "{level}");
    }
}

/// The numbers and the puzzles of a call in any pieces and on any threads, which are always the same.
fn in_pieces(folder: &Folder, call: &str) -> String {
    let whole = folder.out(&format!("{call} -j 1"));
    folder.prints(&format!("{call} -j 2"), &whole);
    let mut parts = Vec::new();
    for part in 1..=3 {
        let table = folder.out(&format!("{call} --shard {part}/3"));
        parts.extend(table.lines().skip(1).map(|row| format!("{row}\n")));
    }
    let header = whole.lines().next().unwrap();
    assert_eq!(format!("{header}\n{}", parts.concat()), whole);
    whole
}

/// Every third puzzle of a set stands in another file, turned around: it is another one then, and all others stay.
#[test]
fn copies_of_puzzles_in_other_files_are_not_made() {
    let grids = Folder::new().out("generate 60 --uniform --seed 8 -q");
    for (options, count, canonical) in [
        ("", cases(90), "canonical -q"),
        ("--difficulty medium", cases(30), "canonical -q"),
        (
            "--clues 40 --not-unique",
            cases(30),
            "canonical --minlex -q",
        ),
        (
            "--minimal --symmetry rotate180 --first-digit 4",
            cases(30),
            "canonical -q",
        ),
        ("--pattern heart.txt", 3, "canonical -q"),
        ("--sequence --clues 30", cases(30), "canonical -q"),
        ("--from grids.txt", 60, "canonical -q"),
    ] {
        let folder = Folder::new()
            .with("heart.txt", HEART)
            .with("grids.txt", &*grids);
        let call =
            format!("puzzles {count} {options} --seed 5 -q --columns index,puzzle --format csv");
        let old = folder.out(&call);
        let old = column(&old, "puzzle");
        let others: Vec<_> = old.iter().step_by(3).copied().collect();
        let copies = folder
            .run_on(others.join("\n"), "augment -k 1 --seed 2 -q")
            .status(0);
        let (one, other) = copies.stdout.split_at(82 * (others.len() / 2));
        let folder = folder.with("a.txt", one).with(
            "b.csv",
            format!(
                "id,puzzle\n{}",
                other
                    .lines()
                    .map(|line| format!("x,{line}\n"))
                    .collect::<String>()
            ),
        );
        folder.run("convert b.csv -o b.csv.gz -q").status(0);
        let table = in_pieces(&folder, &format!("{call} --against a.txt b.csv.gz"));
        assert!(
            column(&table, "index")
                .into_iter()
                .eq((0..count).map(|number| number.to_string())),
            "{options}"
        );
        let new = column(&table, "puzzle");
        for (number, (new, old)) in new.iter().zip(&old).enumerate() {
            assert_eq!(new == old, number % 3 != 0, "{options} {number}");
        }
        let of = |records: &[&str]| -> HashSet<String> {
            let ran = folder.run_on(records.join("\n"), canonical).status(0);
            ran.stdout.lines().map(str::to_owned).collect()
        };
        let known = of(&others);
        assert!(
            known.len() == others.len() && known.is_disjoint(&of(&new)),
            "{options}"
        );
        // A seed of its own has nothing in common with the files, so nothing is left out.
        if options.is_empty() {
            let call = call.replace("--seed 5", "--seed 6");
            folder.prints(
                &format!("{call} --against a.txt b.csv.gz"),
                &folder.out(&call),
            );
        }
    }
}

#[test]
fn copies_of_solutions_in_other_files_are_not_made() {
    let folder = Folder::new();
    let call = "puzzles 100 --clues 30 --seed 5 -q --format csv";
    let old = folder.out(call);
    // Of the first 30 the solutions are given, and of the next 30 other puzzles with these solutions.
    let solutions = column(&old, "solution");
    let grids = folder
        .run_on(solutions[..30].join("\n"), "augment -k 1 --seed 2 -q")
        .status(0);
    let others = "puzzles 30 --from - --clues 35 --seed 1 -q";
    let others = folder
        .run_on(solutions[30..60].join("\n"), others)
        .status(0);
    let others = folder
        .run_on(others.stdout, "augment -k 1 --seed 2 -q")
        .status(0);
    let folder = folder
        .with("grids.txt", grids.stdout)
        .with("others.txt", others.stdout);
    let against = "--against grids.txt others.txt";
    // The puzzles themselves are no copies.
    folder.prints(&format!("{call} {against}"), &old);
    let table = in_pieces(&folder, &format!("{call} {against} --against-solutions"));
    let new = column(&table, "solution");
    assert_eq!(new[60..], solutions[60..]);
    let known: HashSet<_> = forms(&folder, &solutions[..60]).into_iter().collect();
    assert_eq!((known.len(), new.len()), (60, 100));
    assert!(known.is_disjoint(&forms(&folder, &new).into_iter().collect()));
    // A grid that is given leads to no other solution.
    let folder = folder.with("from.txt", solutions[29..31].join("\n") + "\n");
    let line =
        "puzzles 2 --from from.txt --against grids.txt --against-solutions --seed 5 --format csv";
    let ran = folder
        .run(line)
        .status(1)
        .says("1 of 2 puzzles could not be made");
    assert_eq!(column(&ran.stdout, "solution"), [solutions[30]]);
}

#[test]
fn other_files_are_read_first_and_told_of() {
    let folder = Folder::new();
    let old = folder.out("puzzles 6 --seed 5 -q");
    let expected = folder
        .with("known.txt", &*old)
        .out("puzzles 6 --seed 5 -q --against known.txt");
    // Two clues of a row are left: such a record has several solutions.
    let several = format!("12{}", ".".repeat(79));
    let folder = Folder::new()
        .with("known.txt", format!("{old}{several}\nmalformed\n"))
        .with("empty.txt", "");
    let call = "puzzles 6 --seed 5 --against known.txt";
    let ran = folder.run(call).status(1).prints(&expected);
    ran.says("known.txt:8: malformed")
        .says("known.txt:7: multiple")
        .says("2 of 8 records of known.txt have no canonical form")
        .says("against 8");
    folder
        .run(&format!("{call} --summary json"))
        .says("\"against\":8");
    folder
        .run_on(&old, "puzzles 6 --seed 5 --against -")
        .status(0)
        .prints(&expected);
    folder
        .run("puzzles 6 --seed 5 --against empty.txt")
        .status(0)
        .prints(&old);
    // No file behind --against becomes an output, an input or a number.
    for (call, says) in [
        (
            "puzzles --against known.txt empty.txt 6",
            "N stands before --against",
        ),
        ("puzzles 6 --against missing.txt", "missing.txt"),
        (
            "puzzles 6 --against known.txt --unbiased",
            "cannot be used with",
        ),
        ("puzzles 6 --against-solutions", "--against <FILE>"),
        (
            "puzzles 6 --from - --against -",
            "standard input (-) can be read once",
        ),
        (
            "puzzles 6 --against known.txt -o known.txt",
            "is the same file as --against",
        ),
    ] {
        folder.refuses(call, says);
    }
}

#[test]
fn a_shard_may_be_empty() {
    let folder = Folder::new();
    folder.prints("puzzles 1 --shard 1/2 -q", "");
    folder.prints(
        "puzzles 1 --shard 1/2 -q --format csv",
        "index,puzzle,solution,clues\n",
    );
}

/// A heart with 22 clues.
const HEART: &str = "\
.........
.XX...XX.
X..X.X..X
X...X...X
X.......X
X.......X
.X.....X.
..XX.XX..
....X....
";

#[test]
fn clues_stand_in_the_cells_of_a_pattern() {
    let mask: String = HEART.split_whitespace().collect();
    let folder = Folder::new().with("heart.txt", HEART);
    // Each takes a tenth of a second, and is made five times.
    let count = cases(2);
    let of_mask = folder.out(&format!("puzzles {count} --pattern {mask} --seed 2 -q"));
    for puzzle in puzzles(&of_mask) {
        assert_eq!(oracle::solutions(&puzzle, 2).len(), 1);
        let cells = puzzle.as_ascii().iter().zip(mask.bytes());
        assert!({ cells }.all(|(&cell, mask)| (cell == b'.') == (mask == b'.')));
    }
    assert_eq!(of_mask.lines().count(), count);
    for options in ["--threads 1", "--threads 2 --verify"] {
        let line = format!("puzzles {count} --pattern heart.txt --seed 2 -q {options}");
        folder.prints(&line, &of_mask);
    }
    let parts = [1, 2].map(|part| {
        let line = format!("puzzles {count} --pattern heart.txt --seed 2 -q --shard {part}/2");
        folder.out(&line)
    });
    assert_eq!(parts.concat(), of_mask);
    for (pattern, message) in [
        ("nowhere.txt", "'n' is neither `X` nor `.`"),
        ("nowhere.txt", "as the name of a file"),
        (&"X".repeat(82), "a pattern has 81 cells, and this has 82"),
        (&mask[..80], "a pattern has 81 cells, and this has 80"),
        (
            &format!("{}{}", "X".repeat(40), ".".repeat(41)),
            "rows 7 and 8 have no clue",
        ),
        (
            &format!("{mask} --clues 22"),
            "pattern cannot be used with clues",
        ),
        (
            &format!("{mask} --symmetry vertical"),
            "pattern cannot be used with symmetry",
        ),
    ] {
        let ran = folder.run(&format!("puzzles 2 --pattern {pattern}"));
        ran.status(2).says(message).prints("");
    }
}

#[test]
fn weights_make_means_those_of_all_minimal_puzzles() {
    let folder = Folder::new();
    // More of them find a weight that is lost in few rows.
    let count = cases(400);
    let table = folder.out(&format!("puzzles {count} --unbiased --format csv -q"));
    let mut rows = table.lines();
    assert_eq!(rows.next(), Some("index,puzzle,solution,clues,weight"));
    let rows: Vec<(f64, f64)> = rows
        .map(|row| {
            let fields: Vec<_> = row.split(',').collect();
            (fields[3].parse().unwrap(), fields[4].parse().unwrap())
        })
        .collect();
    let weights: f64 = rows.iter().map(|row| row.1).sum();
    let clues = rows.iter().map(|row| row.0 * row.1).sum::<f64>() / weights;
    let ran = folder
        .run_on(&table, "stats --weight-column weight --up-to 1.5 -q")
        .status(0);
    for mean in [
        format!("mean weight       {:.4e} ", weights / count as f64),
        format!("mean clues        {clues:.4} "),
    ] {
        assert!(ran.stdout.contains(&mean), "{mean}: {}", ran.stdout);
    }
    for threads in [1, 2, 3] {
        let line = format!("stats --weight-column weight --up-to 1.5 -q --threads {threads}");
        folder.run_on(&table, &line).status(0).prints(&ran.stdout);
    }
    let objects = folder.out(&format!("puzzles {count} --unbiased --format jsonl -q"));
    let line = "stats --weight-column weight --up-to 1.5 -q";
    folder.run_on(&objects, line).status(0).prints(&ran.stdout);
    folder.run("puzzles 50 --unbiased -o made.npy -q").status(0);
    assert!(folder.names().contains(&"made.weight.npy".to_owned()));

    let wrong = table.replace(",weight\n", ",heavy\n");
    let ran = folder.run_on(&wrong, line);
    ran.status(2)
        .says("the input has no column \"weight\"")
        .prints("");
    for text in ["-1", "x", "", "inf", "NaN", "1e200"] {
        let mut lines: Vec<_> = table.lines().take(4).map(str::to_owned).collect();
        let end = lines[2].rfind(',').unwrap();
        lines[2].replace_range(end + 1.., text);
        let ran = folder.run_on(lines.join("\n"), line);
        ran.status(2)
            .says(&format!("<stdin>:3: the weight {text:?} is no number"))
            .prints("");
    }
    // The line is that of the file, not that of the piece that a thread read.
    let row = table.lines().nth(1).unwrap();
    let mut far = format!(
        "index,puzzle,solution,clues,weight\n{}",
        format!("{row}\n").repeat(9000)
    );
    far.push_str(&row[..=row.rfind(',').unwrap()]);
    far.push_str("heavy\n");
    let folder = folder.with("far.csv", far);
    let ran = folder.run(&format!("{line} far.csv"));
    ran.status(2)
        .says("far.csv:9002: the weight \"heavy\" is no number")
        .prints("");
    // One puzzle has no standard error.
    let one: Vec<_> = table.lines().take(2).collect();
    let ran = folder.run_on(one.join("\n"), line).status(0);
    assert!(!ran.stdout.contains("NaN"), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("mean clues        25.0000  -\n"),
        "{}",
        ran.stdout
    );
    let ran = folder.run("puzzles 2 --unbiased --sequence");
    ran.status(2).says("uniform grids").prints("");
}
