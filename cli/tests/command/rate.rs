//! `sudoku-batch rate`, from the outside.

#[cfg(unix)]
use super::terminal::terminal;
use crate::support::{
    cases,
    chains::Candidates,
    has_turn, one_of, oracle,
    rules::{Effect, effects, has_rule},
    runner::{Folder, Running},
};
use std::{collections::BTreeSet, fmt::Write, io::Read, process::Stdio, sync::Arc};
use sudoku_batch::{
    Cell, Digit, Grid, Puzzle,
    grid::{Candidate, House, HouseKind},
    technique::{
        Rating, Technique,
        chain::{Hint, Kind, Node, Reason, Rule, Search},
    },
};

/// The rows of hard puzzles come one after the other, and not when all of a piece are rated.
#[test]
fn rows_come_as_they_are_known() {
    let folder = Folder::new().with("hard", format!("{NESTED}\n").repeat(30));
    let rated = folder.out(&format!("rate -q {NESTED}"));
    for (call, row) in [
        ("rate -q -j1 hard", rated),
        ("filter -q -j1 --rating 9.. hard", format!("{NESTED}\n")),
    ] {
        let mut command = folder.command(call);
        let mut running = Running::start(command.stdout(Stdio::piped()));
        let mut from = running.stdout.take().unwrap();
        let mut rows = vec![0; 1 << 16];
        let read = from.read(&mut rows).unwrap();
        rows.truncate(read);
        let first = String::from_utf8_lossy(&rows);
        assert!((1..30).contains(&first.lines().count()), "{first}");
        let mut rest = String::new();
        from.read_to_string(&mut rest).unwrap();
        assert!(running.end().success());
        assert_eq!(format!("{first}{rest}"), row.repeat(30));
    }
}

/// A bar is there although no row is known yet.
#[cfg(unix)]
#[test]
fn the_bar_waits_for_no_row() {
    let (mut ours, theirs, _) = terminal();
    // No puzzle takes half a second to rate. The solutions of a grid with nine clues are counted for hours.
    let folder = Folder::new().with("hard", format!("123456789{}\n", ".".repeat(72)));
    let mut command = folder.command("count -j1 --limit 1000G -o out hard");
    let running = Running::start(command.stderr(theirs));
    drop(command);
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("0 records") {
        let mut some = [0; 4096];
        let read = ours.read(&mut some).unwrap_or(0);
        assert!(read > 0, "{}", String::from_utf8_lossy(&seen));
        seen.extend_from_slice(&some[..read]);
    }
    running.signal(rustix::process::Signal::INT);
    drop(running);
    assert_eq!(folder.names(), ["hard"]);
}

/// Puzzles with ER, EP and ED, as `tests/library/technique_rater.rs` tells.
const RATED: &str = include_str!("../../../tests/support/rated.txt");

/// Harder ones, as `tests/library/technique_rater.rs` tells.
const CHAINED: &str = include_str!("../../../tests/support/rated_chains.txt");

/// An ER of 2.6.
const TRICKY: &str =
    "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.";
/// An ER of 7.1.
const OVER: &str =
    "..2..7...5...34..84.62.1.........7...4.....5...9.7.3.11.....5.....9284...6.3.....";
/// An ER of 9.5, which needs chains inside chains.
const NESTED: &str =
    "7.8...3.....2.1...5.........4.....263...8.......1...9..9.6....4....7.5...........";
/// An ER of 11.8: its steps take seconds.
const MONSTER: &str =
    "........1.....2.34.35...6...72......65...78..8.3.257.6.8653....3.72.6...52..78.6.";
/// An ER of 1.2.
const GENTLE: &str =
    ".....3...85...........68.155.8.1.9..219.....6.7..2...3......6.17.5.......9....34.";

fn empty() -> String {
    ".".repeat(81)
}

/// `1` twice in a row, a column and a box.
fn twice() -> [String; 3] {
    [1, 9, 10].map(|second| {
        let mut cells = empty();
        cells.replace_range(0..1, "1");
        cells.replace_range(second..=second, "1");
        cells
    })
}

/// No digit stands twice, but r1c9 has no candidate.
fn unsolvable() -> String {
    format!("12345678.........9{}", ".".repeat(63))
}

/// Records of every status, each as it is read and what a line says of it.
fn records() -> Vec<(String, String)> {
    let [row, column, of_box] = twice();
    [
        (TRICKY.into(), "2.6/1.2/1.2"),
        (empty(), "multiple"),
        (unsolvable(), "no-solution"),
        (OVER.into(), "7.1/1.2/1.2"),
        (row, "row-duplicate"),
        (column, "column-duplicate"),
        (of_box, "box-duplicate"),
        ("12".into(), "malformed"),
        (GENTLE.into(), "1.2/1.2/1.2"),
    ]
    .map(|(record, says)| (record, says.to_owned()))
    .into()
}

/// The records as a file of lines.
fn lines() -> String {
    records()
        .iter()
        .fold(String::new(), |text, (record, _)| text + record + "\n")
}

/// The lines that the command writes for them.
fn answers() -> String {
    let mut text = String::new();
    for (record, says) in records() {
        let cells = if record.len() == 81 { record } else { empty() };
        writeln!(text, "{cells} {says}").unwrap();
    }
    text
}

#[test]
fn lines_have_the_ratings_that_are_known() {
    let puzzles: String = RATED
        .lines()
        .map(|line| line[..81].to_owned() + "\n")
        .collect();
    let folder = Folder::new().with("p.txt", puzzles);
    let ran = folder.run("rate p.txt").status(0).prints(RATED);
    let count = RATED.lines().count();
    ran.says(&format!("{count} records: {count} rated"));
}

#[test]
fn what_has_no_rating_keeps_its_place() {
    let folder = Folder::new().with("p.txt", lines());
    let ran = folder.run("rate p.txt").status(1).prints(&answers());
    for message in [
        "p.txt:2: multiple",
        "p.txt:3: no-solution",
        "p.txt:5: row-duplicate: 1 at r1c1 and r1c2",
        "p.txt:6: column-duplicate: 1 at r1c1 and r2c1",
        "p.txt:7: box-duplicate: 1 at r1c1 and r2c2",
        "p.txt:8: malformed: column 3",
        "6 of 9 records not rated",
    ] {
        assert!(ran.stderr.contains(message), "{message}: {ran:#?}");
    }
    let ran = folder.run("rate p.txt -q --rejects no.txt").status(1);
    ran.prints(&answers());
    let rejects = folder.read("no.txt");
    let reasons: Vec<&str> = rejects
        .lines()
        .map(|line| line.split('\t').nth(1).unwrap())
        .collect();
    let expected: Vec<String> = records()
        .into_iter()
        .map(|(_, says)| says)
        .filter(|says| !says.contains('/'))
        .collect();
    assert_eq!(reasons, expected);
}

/// The columns er, ep, ed, beyond, technique, guesses and status of a record, with a bound of 4.4 or
/// without one. Guesses may be any number.
fn columns(says: &str, is_bounded: bool) -> [String; 7] {
    let numbers: Vec<&str> = says.split('/').collect();
    match numbers[..] {
        ["7.1", ep, ed] if is_bounded => ["", ep, ed, "4.4", "", "N", "unique"],
        ["7.1", ep, ed] => ["7.1", ep, ed, "", "XY-chain", "", "unique"],
        ["2.6", ep, ed] => ["2.6", ep, ed, "", "pointing", "", "unique"],
        [er, ep, ed] => [er, ep, ed, "", "hidden single in a box", "", "unique"],
        _ => ["", "", "", "", "", "", says],
    }
    .map(str::to_owned)
}

/// Checks that text is a number, and gives `N` for it.
fn number_as_n(text: &str) -> String {
    match text.parse::<u64>() {
        Ok(_) => "N".into(),
        Err(_) => text.into(),
    }
}

#[test]
fn tables_get_columns() {
    for (form, separator) in [("csv", ','), ("tsv", '\t')] {
        let s = separator;
        let mut table = format!("id{s}puzzle\n");
        for (n, (record, _)) in records().iter().enumerate() {
            writeln!(table, "{n}{s}{record}").unwrap();
        }
        let name = format!("p.{form}");
        let folder = Folder::new().with(&name, table);
        for (bound, is_bounded) in [("", false), ("--up-to 4.4", true)] {
            let ran = folder.run(&format!("rate {name} {bound}")).status(1);
            let mut rows = ran.stdout.lines();
            let added = ["er", "ep", "ed", "beyond", "technique", "guesses", "status"];
            let header = [&["id", "puzzle"], &added[..]].concat();
            assert_eq!(rows.next().unwrap(), header.join(&s.to_string()));
            for (n, (record, says)) in records().iter().enumerate() {
                let fields: Vec<&str> = rows.next().unwrap().split(s).collect();
                assert_eq!(fields[..2], [&n.to_string(), record]);
                let mut fields: Vec<String> = fields[2..].iter().map(|f| f.to_string()).collect();
                fields[5] = number_as_n(&fields[5]);
                assert_eq!(fields, columns(says, is_bounded));
            }
            assert_eq!(rows.next(), None);
        }
    }
}

#[test]
fn objects_get_keys() {
    let mut objects = String::new();
    for (n, (record, _)) in records().iter().enumerate() {
        writeln!(objects, "{{\"n\":{n},\"puzzle\":\"{record}\"}}").unwrap();
    }
    let folder = Folder::new().with("p.jsonl", objects);
    let ran = folder
        .run("rate --difficulty --up-to 4.4 p.jsonl")
        .status(1);
    let found: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(found.len(), records().len());
    let difficulties = ["hard", "", "", "extreme", "", "", "", "", "easy"];
    for (n, ((record, says), object)) in records().iter().zip(&found).enumerate() {
        assert_eq!(object["n"], n);
        assert_eq!(object["puzzle"], record.as_str());
        let [er, ep, ed, beyond, technique, guesses, status] = columns(says, true);
        for (key, number) in [("er", er), ("ep", ep), ("ed", ed), ("beyond", beyond)] {
            let number = number
                .parse()
                .map_or(serde_json::Value::Null, |n: f64| n.into());
            assert_eq!(object[key], number, "{key} of {object}");
        }
        assert_eq!(object["technique"], technique);
        assert_eq!(object["guesses"].is_u64(), guesses == "N", "{object}");
        assert_eq!(object["guesses"].is_null(), guesses.is_empty(), "{object}");
        assert_eq!(object["status"], status);
        assert_eq!(object["difficulty"], difficulties[n]);
    }
}

#[test]
fn guesses_are_those_of_the_reference_search() {
    let er = |line: &str| {
        line[82..]
            .split('/')
            .next()
            .unwrap()
            .parse::<Rating>()
            .unwrap()
    };
    let over = RATED
        .lines()
        .filter(|line| er(line) > Rating::IN_PLANES)
        .step_by(5);
    let puzzles: Vec<&str> = over.map(|line| &line[..81]).collect();
    let table = puzzles
        .iter()
        .fold("puzzle\n".to_owned(), |text, puzzle| text + puzzle + "\n");
    let folder = Folder::new().with("p.csv", table);
    let ran = folder.run("rate --up-to 4.4 p.csv").status(0);
    for (row, puzzle) in ran.stdout.lines().skip(1).zip(&puzzles) {
        let puzzle: Puzzle = puzzle.parse().unwrap();
        let guesses = sudoku_batch::solve::guesses(&puzzle, u64::MAX).unwrap();
        assert_eq!(row.split(',').nth(6).unwrap(), guesses.to_string());
    }
    assert!(puzzles.len() > 30, "{}", puzzles.len());
}

#[test]
fn other_forms_of_input_are_rated_too() {
    let rows: Vec<String> = (0..9)
        .map(|row| TRICKY[9 * row..9 * row + 9].to_owned())
        .collect();
    let block = rows.join("\n") + "\n";
    let folder = Folder::new()
        .with("p.block", &block)
        .with("p.text", format!("first {TRICKY} easy\n"));
    let line = format!("{TRICKY} 2.6/1.2/1.2\n");
    folder.prints("rate --input-format block --format line p.block", &line);
    folder.prints("rate --input-format text --format line p.text", &line);
    // A puzzle in place of a file, and one with zeros for blanks.
    folder
        .run(&format!("rate {TRICKY}"))
        .status(0)
        .prints(&line);
    let zeros = TRICKY.replace('.', "0");
    let line = format!("{zeros} 2.6/1.2/1.2\n");
    folder.run_on(zeros, "rate").status(0).prints(&line);
    // A form that holds just grids cannot hold ratings.
    let ran = folder.run("rate --format block p.text").status(2);
    ran.prints("").says("the format block holds grids");
}

#[test]
fn difficulties_are_words_for_ranges_of_er() {
    // The table of the docs.
    let word = |er: &str| match er.parse::<f64>().unwrap() {
        er if er <= 1.5 => "easy",
        er if er <= 2.5 => "medium",
        er if er <= 3.4 => "hard",
        er if er <= 4.4 => "expert",
        _ => "extreme",
    };
    let mut expected = String::new();
    let mut counts = std::collections::BTreeMap::new();
    for line in RATED.lines() {
        let er = line[82..].split('/').next().unwrap();
        *counts.entry(word(er)).or_insert(0) += 1;
        writeln!(expected, "{line} {}", word(er)).unwrap();
    }
    assert_eq!(counts.len(), 5);
    let folder = Folder::new().with("p.txt", RATED);
    let ran = folder
        .run("rate --difficulty p.txt")
        .status(0)
        .prints(&expected);
    for (word, count) in counts {
        assert!(
            ran.stderr.contains(&format!("({count} {word})")),
            "{ran:#?}"
        );
    }
    // A record without a rating has no difficulty.
    let ran = folder
        .run(&format!("rate --difficulty {}", empty()))
        .status(1);
    ran.prints(&format!("{} multiple\n", empty()));
}

#[test]
fn the_summary_counts_difficulties_and_statuses() {
    let folder = Folder::new().with("p.txt", lines());
    let ran = folder.run("rate p.txt --summary json").status(1);
    let last = ran.stderr.lines().last().unwrap();
    let summary: serde_json::Value = serde_json::from_str(last).unwrap();
    for (name, count) in [
        ("records", 9),
        ("rated", 3),
        ("easy", 1),
        ("medium", 0),
        ("hard", 1),
        ("expert", 0),
        ("extreme", 1),
        ("malformed", 1),
        ("multiple", 1),
        ("no_solution", 1),
        ("row_duplicate", 1),
        ("column_duplicate", 1),
        ("box_duplicate", 1),
    ] {
        assert_eq!(summary[name], count, "{name} in {summary}");
    }
    // Every rated puzzle has a difficulty or is beyond the bound, or both above 4.4.
    for (up_to, text, with_a_word, beyond) in [
        ("1.5", "3 rated (1 easy) (2 beyond)", 1, 2),
        ("2.6", "3 rated (1 easy) (1 hard) (1 beyond)", 2, 1),
        (
            "4.4",
            "3 rated (1 easy) (1 hard) (1 extreme) (1 beyond)",
            3,
            1,
        ),
        ("11.9", "3 rated (1 easy) (1 hard) (1 extreme), ", 3, 0),
    ] {
        folder
            .run(&format!("rate p.txt --up-to {up_to}"))
            .status(1)
            .says(text);
        let ran = folder.run(&format!("rate p.txt --up-to {up_to} --summary json"));
        let last = ran.stderr.lines().last().unwrap();
        let summary: serde_json::Value = serde_json::from_str(last).unwrap();
        let difficulties = ["easy", "medium", "hard", "expert", "extreme"];
        let sum: u64 = difficulties
            .iter()
            .map(|difficulty| summary[difficulty].as_u64().unwrap())
            .sum();
        assert_eq!(
            (sum, &summary["beyond"]),
            (with_a_word, &beyond.into()),
            "{summary}"
        );
    }
}

#[test]
fn neither_threads_nor_levels_nor_shards_change_an_answer() {
    // Enough records for several batches, with bad ones among them.
    let records = RATED.lines().map(|line| &line[..81]).collect::<Vec<_>>();
    let mut many = String::new();
    // Two parts of the file and some of the third.
    let count = cases(2000);
    for n in 0..count {
        let record = records[n * n % records.len()];
        let end = if n % 97 == 5 { 80 } else { 81 };
        writeln!(many, "{}", &record[..end]).unwrap();
    }
    let folder = Folder::new().with("p.txt", &many);
    let whole = folder
        .run("rate --difficulty p.txt -q -j 1")
        .status(1)
        .stdout;
    assert_eq!(whole.lines().count(), count);
    for threads in [2, 5] {
        let ran = folder.run(&format!("rate --difficulty p.txt -q -j {threads}"));
        ran.status(1).prints(&whole);
    }
    for level in sudoku_batch::Level::available() {
        let ran = folder.run(&format!("rate --difficulty p.txt -q --level {level}"));
        ran.status(1).prints(&whole);
    }
    let parts: String = (1..=4)
        .map(|k| {
            let ran = folder.run(&format!("rate --difficulty p.txt -q --shard {k}/4"));
            ran.status(1).stdout
        })
        .collect();
    assert!(parts == whole, "the parts are not the whole");
    // Alone, a record has the same answer as among others.
    let lines = whole.lines().zip(many.lines());
    for (answer, record) in lines.filter(|(_, record)| record.len() == 81).take(5) {
        let ran = folder.run_on(record, "rate --difficulty").status(0);
        ran.prints(&format!("{answer}\n"));
    }
}

#[test]
fn columns_have_the_names_that_are_asked_for() {
    let rated = format!(
        "puzzle,er,status,ep,ed,beyond,technique,guesses\n{TRICKY},2.6,unique,1.2,1.2,,pointing,\n"
    );
    // Columns of these names are filled where they are empty. Other values stay unless --replace is given.
    for (values, options, status) in [(",", "", 0), ("x,y", "", 2), ("x,y", "--replace", 0)] {
        let folder = Folder::new().with("p.csv", format!("puzzle,er,status\n{TRICKY},{values}\n"));
        let ran = folder
            .run(&format!("rate p.csv -o out.csv {options}"))
            .status(status);
        match status {
            0 => assert_eq!(folder.read("out.csv"), rated),
            _ => drop(ran.says("p.csv:2: the column er has the value \"x\" already")),
        }
    }
    let folder = Folder::new().with("p.csv", format!("q,status\n{TRICKY},y\n"));
    folder.prints("rate p.csv --status-column why --puzzle-column q", &format!(
        "q,status,er,ep,ed,beyond,technique,guesses,why\n{TRICKY},y,2.6,1.2,1.2,,pointing,,unique\n"
    ));
    let ran = folder.run("rate --explain p.csv --status-column why --puzzle-column 1");
    let header = "q,status,step,rating,technique,cells,digits,places,strikes,chains,words,why";
    assert_eq!(ran.status(0).stdout.lines().next().unwrap(), header);
}

#[test]
fn wrong_usage_is_told() {
    let folder = Folder::new().with("p.txt", lines());
    for (arguments, message) in [
        ("rate --explain --difficulty p.txt", "cannot be used with"),
        ("rate --explain --te p.txt", "cannot be used with"),
        ("rate --rating-format %r --te p.txt", "cannot be used with"),
        (
            "rate --level sse9 p.txt",
            "invalid value 'sse9' for '--simd <NAME>'",
        ),
        ("rate nothing.txt", "cannot open nothing.txt"),
        ("rate --shard 3/2 p.txt", "shard"),
        ("rate p.txt -o .", "."),
    ] {
        let ran = folder.run(arguments).status(2).prints("");
        ran.says(message);
    }
    // Strictly, the first malformed record ends the run: no output.
    let ran = folder.run("rate --strict p.txt -o out.txt").status(2);
    ran.says("p.txt:8: malformed: column 3");
    assert_eq!(folder.names(), ["p.txt"]);
}

/// A step of `--explain --format jsonl`, read without the library.
struct Told {
    puzzle: String,
    step: u64,
    rating: String,
    effect: Effect,
    words: String,
    chains: serde_json::Value,
}

/// The numbers of the cells in `r1c2 r3c4`.
fn cell(name: &str) -> usize {
    let [b'r', row @ b'1'..=b'9', b'c', column @ b'1'..=b'9'] = name.as_bytes() else {
        panic!("{name} is no cell");
    };
    9 * usize::from(row - b'1') + usize::from(column - b'1')
}

/// `r1c2=3`, or `r1c2-3`.
fn cell_and_digit(text: &str, separator: char) -> (usize, u8) {
    let (name, digit) = text.split_once(separator).unwrap();
    (cell(name), digit.parse().unwrap())
}

fn told(line: &str) -> Told {
    let object: serde_json::Value = serde_json::from_str(line).unwrap();
    let text = |key: &str| object[key].as_str().unwrap().to_owned();
    assert_eq!(text("status"), "unique");
    let name = text("technique");
    let technique = Technique::ALL.iter().find(|t| t.name() == name);
    let effect = Effect {
        technique: *technique.unwrap_or_else(|| panic!("no technique in {line}")),
        cells: text("cells").split_whitespace().map(cell).collect(),
        digits: text("digits").bytes().map(|c| c - b'0').collect(),
        place: text("places")
            .split_whitespace()
            .map(|place| cell_and_digit(place, '='))
            .next(),
        strikes: text("strikes")
            .split_whitespace()
            .map(|strike| cell_and_digit(strike, '-'))
            .collect(),
    };
    Told {
        puzzle: text("puzzle"),
        step: object["step"].as_u64().unwrap(),
        rating: object["rating"].to_string(),
        effect,
        words: text("words"),
        chains: object["chains"].clone(),
    }
}

/// A board that knows the rules of Sudoku and no technique.
struct Board {
    filled: [u8; 81],
    candidates: Vec<BTreeSet<usize>>,
    solution: Grid,
}

impl Board {
    fn new(puzzle: &str) -> Self {
        let solutions = oracle::solutions(&puzzle.parse().unwrap(), 2);
        assert_eq!(solutions.len(), 1, "{puzzle}");
        let mut board = Self {
            filled: [b'.'; 81],
            candidates: vec![(1..=9).collect(); 81],
            solution: solutions[0],
        };
        for (cell, c) in puzzle.bytes().enumerate().filter(|(_, c)| *c != b'.') {
            board.place(cell, c - b'0');
        }
        board
    }

    fn place(&mut self, cell: usize, digit: u8) {
        assert_eq!(self.filled[cell], b'.', "a filled cell is filled again");
        assert_eq!(self.solution.as_ascii()[cell], b'0' + digit);
        self.filled[cell] = b'0' + digit;
        self.candidates[cell].clear();
        for peer in 0..81 {
            let same_box = peer / 27 == cell / 27 && peer % 9 / 3 == cell % 9 / 3;
            if peer / 9 == cell / 9 || peer % 9 == cell % 9 || same_box {
                self.candidates[peer].remove(&digit.into());
            }
        }
    }

    fn strike(&mut self, (cell, digit): (usize, u8)) {
        assert_ne!(self.solution.as_ascii()[cell], b'0' + digit);
        assert!(self.candidates[cell].remove(&digit.into()), "no candidate");
    }
}

/// ER, EP and ED from a list of steps.
fn ratings_of(steps: &[(String, bool)]) -> String {
    let hardest = |steps: &[(String, bool)]| {
        let all = steps
            .iter()
            .map(|(rating, _)| rating.parse::<Rating>().unwrap());
        all.max().unwrap()
    };
    let first = steps.iter().position(|(_, places)| *places).unwrap();
    format!(
        "{}/{}/{}",
        hardest(steps),
        hardest(&steps[..=first]),
        steps[0].0
    )
}

/// The chains of a step, from their JSON. (Search and rating are not needed to check them.)
fn hint_of(json: &serde_json::Value) -> Hint {
    let text = |key: &str| json[key].as_str().unwrap();
    let at = |cell: usize| Cell::new(cell).unwrap();
    let digit = |n: u8| Digit::new(n).unwrap();
    let kind = match text("kind") {
        "X-cycle" => Kind::XCycle,
        "Y-cycle" => Kind::YCycle,
        "XY-cycle" => Kind::XyCycle,
        "X-chain" => Kind::XChain,
        "XY-chain" => Kind::XyChain,
        "contradiction" => Kind::Contradiction,
        "double" => Kind::Double,
        "cell" => Kind::Cell(at(cell(text("start")))),
        "house" => {
            let (places, house) = text("start").split_once(" in ").unwrap();
            let house = House::all().find(|h| h.to_string() == house);
            Kind::Region(house.unwrap(), digit(places.parse().unwrap()))
        }
        other => panic!("{other}"),
    };
    let strikes = text("strikes").split_whitespace().map(|strike| {
        let (cell, n) = cell_and_digit(strike, '-');
        Candidate {
            cell: at(cell),
            digit: digit(n),
        }
    });
    let place = text("places").split_whitespace().next().map(|place| {
        let (cell, n) = cell_and_digit(place, '=');
        Candidate {
            cell: at(cell),
            digit: digit(n),
        }
    });
    let chain = |nodes: &serde_json::Value| {
        let nodes = nodes.as_array().unwrap();
        // The library lists a chain from its end.
        let node = |node: &serde_json::Value| Node {
            cell: at(cell(node["cell"].as_str().unwrap())),
            digit: digit(node["digit"].as_u64().unwrap() as u8),
            on: node["on"].as_bool().unwrap(),
            reason: match node["reason"].as_str().unwrap() {
                "assumption" => Reason::Assumption,
                "cell" => Reason::Cell,
                "row" => Reason::House(HouseKind::Row),
                "column" => Reason::House(HouseKind::Column),
                "box" => Reason::House(HouseKind::Box),
                "locked digit" => Reason::Rule(Rule::Locking),
                "hidden pair" => Reason::Rule(Rule::HiddenPair),
                "naked pair" => Reason::Rule(Rule::NakedPair),
                "X-wing" => Reason::Rule(Rule::XWing),
                "chain" => Reason::Rule(Rule::Chain),
                other => panic!("{other}"),
            },
            parents: (node["parents"].as_array().unwrap().iter())
                .map(|parent| nodes.len() - 1 - parent.as_u64().unwrap() as usize)
                .collect(),
            inner: (!node["inner"].is_null()).then(|| Arc::new(hint_of(&node["inner"]))),
        };
        nodes.iter().rev().map(node).collect()
    };
    Hint {
        search: Search::Forcing,
        kind,
        rating: Rating::NONE,
        length: json["length"].as_u64().unwrap() as u32,
        chains: json["chains"]
            .as_array()
            .unwrap()
            .iter()
            .map(chain)
            .collect(),
        strikes: strikes.collect(),
        place,
    }
}

/// The rating of a chain by its length: docs/internals/ratings.md.
fn rating_of(technique: Technique, kind: Kind, length: u32) -> Rating {
    let base = match (technique, kind) {
        (Technique::XyCycle, _) | (_, Kind::XyChain) => 70,
        (_, Kind::XChain) => 66,
        (Technique::XCycle | Technique::YCycle, _) => 65,
        _ => technique.rating().tenths(),
    };
    let mut bounds = vec![4, 6];
    while bounds.last() < Some(&1000) {
        bounds.push(2 * bounds[bounds.len() - 2]);
    }
    let over = bounds.into_iter().filter(|&bound| length > bound + 2);
    Rating::from_tenths(base + over.count() as u8)
}

/// Replays every step to the last cell: a rule gives just this step or its chains are true node by
/// node, it is right by the solution, and no rule gives an easier one. (What a step says of loops,
/// graves and aligned cells, `tests/library/technique_rater.rs` checks.) The ratings of the steps are
/// those that the puzzle has.
#[test]
fn steps_hold_when_they_are_replayed() {
    // Half of the chains have every technique and reason. More puzzles show rare ways of a step.
    let step = one_of(2);
    let chained = || CHAINED.lines().skip(1 % step).step_by(step);
    let sample = || RATED.lines().step_by(one_of(28)).chain(chained());
    let puzzles: String = sample().map(|line| line[..81].to_owned() + "\n").collect();
    let folder = Folder::new().with("p.txt", puzzles);
    let ran = folder.run("rate --explain --format jsonl p.txt").status(0);
    let mut lines = ran.stdout.lines();
    let (mut met, mut reasons) = (BTreeSet::new(), BTreeSet::new());
    for rated in sample() {
        let (puzzle, ratings) = rated.split_once(' ').unwrap();
        let mut board = Board::new(puzzle);
        let mut steps = Vec::new();
        while board.filled.contains(&b'.') {
            let line = lines.next().unwrap();
            let told = told(line);
            assert_eq!((&*told.puzzle, told.step), (puzzle, steps.len() as u64 + 1));
            let ruled = effects(&board.filled, &board.candidates);
            let technique = told.effect.technique;
            let rating: Rating = told.rating.parse().unwrap();
            if has_rule(technique) {
                assert!(ruled.contains(&told.effect), "no rule gives {line}");
                assert_eq!(rating, technique.rating());
            }
            assert_eq!(
                told.chains.is_null(),
                technique.rating() < Technique::XCycle.rating()
                    || technique == Technique::AlignedTriplet,
                "{line}"
            );
            if !told.chains.is_null() {
                let hint = hint_of(&told.chains);
                let digits = |cell: Cell| {
                    let open = board.candidates[cell.index()].iter();
                    open.map(|&n| Digit::new(n as u8).unwrap()).collect()
                };
                Candidates::of(digits).check(&hint);
                let strikes = hint.strikes.iter();
                let strikes = strikes.map(|s| (s.cell.index(), s.digit.get()));
                assert_eq!(strikes.collect::<BTreeSet<_>>(), told.effect.strikes);
                let nodes = hint.chains.iter().flatten();
                reasons.extend(nodes.map(|node| format!("{:?}", node.reason)));
                assert_eq!(
                    rating,
                    rating_of(technique, hint.kind, hint.length),
                    "{line}"
                );
            }
            // Up to 4.4 the order of techniques is that of their ratings.
            let easier = ruled
                .iter()
                .find(|e| e.technique.rating() < rating.min(Rating::IN_PLANES));
            assert_eq!(easier, None, "{line}");
            // A chain that places a digit strikes the others of its cell without naming them.
            let place = told.effect.place.map(|place| BTreeSet::from([place]));
            for &(cell, digit) in place.as_ref().unwrap_or(&told.effect.strikes) {
                let name = format!("r{}c{}", cell / 9 + 1, cell % 9 + 1);
                assert!(told.words.contains(&name), "{line}");
                assert!(told.words.contains(&digit.to_string()), "{line}");
            }
            for &strike in &told.effect.strikes {
                board.strike(strike);
            }
            if let Some((cell, digit)) = told.effect.place {
                board.place(cell, digit);
            }
            met.insert(told.effect.technique);
            steps.push((told.rating, told.effect.place.is_some()));
        }
        assert_eq!(ratings_of(&steps), ratings, "{puzzle}");
    }
    assert_eq!(lines.next(), None);
    for &technique in Technique::ALL {
        let is_chain = (Technique::XCycle..=Technique::Nested2).contains(&technique);
        let is_missing = is_chain && technique != Technique::AlignedTriplet;
        assert!(!is_missing || met.contains(&technique), "{technique:?}");
    }
    for rule in ["Locking", "HiddenPair", "NakedPair", "XWing", "Chain"] {
        assert!(reasons.contains(&format!("Rule({rule})")), "{reasons:?}");
    }
}

#[test]
fn steps_are_told_in_words() {
    let folder = Folder::new().with("p.txt", lines());
    let ran = folder.run("rate --explain p.txt").status(1);
    let mut lines = ran.stdout.lines().peekable();
    for (record, says) in records() {
        let cells = if record.len() == 81 { record } else { empty() };
        assert_eq!(lines.next().unwrap(), format!("{cells} {says}"));
        if !says.contains('/') {
            continue;
        }
        let blanks = cells.bytes().filter(|&c| c == b'.').count();
        let (mut placed, mut count) = (0, 0);
        while placed < blanks {
            count += 1;
            let line = lines.next().unwrap();
            assert_eq!(line[..4].trim(), count.to_string(), "{line}");
            let rating: Rating = line[4..12].trim().parse().unwrap();
            let technique = Technique::ALL
                .iter()
                .find(|t| line[12..43].trim() == t.name());
            let technique = *technique.unwrap();
            assert!(technique.rating() <= rating, "{line}");
            // Chains have lines of their own, further in: one for each.
            let mut chains = 0;
            while let Some(below) = lines.next_if(|line: &&str| line.starts_with("          ")) {
                let text = below.trim_start();
                let (start, is_chain) = (text.split(' ').next(), text.starts_with("If "));
                assert!(is_chain || start == Some("Chain"), "{below}");
                assert!(below.ends_with('.'), "{below}");
                chains += usize::from(is_chain && below.find("If ") == Some(12));
            }
            let expected = match technique {
                Technique::XCycle | Technique::YCycle | Technique::XyCycle => 2..=2,
                Technique::XChain | Technique::XyChain => 1..=1,
                Technique::Nishio => 2..=2,
                technique
                    if technique > Technique::Nishio && technique != Technique::AlignedTriplet =>
                {
                    2..=9
                }
                _ => 0..=0,
            };
            assert!(expected.contains(&chains), "{technique}, {chains}: {line}");
            assert!(line.ends_with('.') && !line.contains("If ,"), "{line}");
            placed += usize::from(!line.contains("Strike"));
        }
    }
    assert_eq!(lines.next(), None);
    ran.says("p.txt:8: malformed: column 3");
    // A bound ends the steps, and a last row says so.
    for (options, head, words) in [
        (
            "--up-to 4.4",
            ">4.4/1.2/1.2",
            "Every further step is over 4.4.",
        ),
        (
            "--max-work 1",
            "gave-up",
            "The search for chains ends at --max-work.",
        ),
    ] {
        let hard = RATED
            .lines()
            .find(|line| line.contains(" 8.4/1.2/1.2"))
            .unwrap();
        let ran = folder.run(&format!("rate --explain {options} {}", &hard[..81]));
        let ran = ran.status(i32::from(head == "gave-up"));
        let (first, last) = (ran.stdout.lines().next(), ran.stdout.lines().last());
        assert_eq!(first.unwrap(), format!("{} {head}", &hard[..81]));
        assert!(last.unwrap().ends_with(words), "{ran:#?}");
    }
}

#[test]
fn a_bound_of_the_work_leaves_a_status() {
    let folder = Folder::new().with("p.txt", RATED);
    let whole = folder
        .run("rate p.txt -q -j 1 --max-work 100")
        .status(1)
        .stdout;
    let given_up = whole
        .lines()
        .filter(|line| line.ends_with(" gave-up"))
        .count();
    assert!(given_up > 0);
    for (line, rated) in whole.lines().zip(RATED.lines()) {
        assert!(
            line == rated || line == format!("{} gave-up", &rated[..81]),
            "{line}"
        );
    }
    for options in ["-j 2", "-j 5", "-j 3 --level portable"] {
        let ran = folder.run(&format!("rate p.txt -q --max-work 100 {options}"));
        ran.status(1).prints(&whole);
    }
    let ran = folder
        .run("rate p.txt --max-work 100 --format csv")
        .status(1);
    let ran = ran.says(&format!("{given_up} of 450 records not rated"));
    let rows = ran.stdout.lines().skip(1).zip(RATED.lines());
    let of_those = rows.filter(|(row, _)| row.ends_with("gave-up"));
    for (row, rated) in of_those {
        // The ratings in the file stand between the puzzle and the columns of the answer.
        let (puzzle, known) = rated.split_once(' ').unwrap();
        assert!(row.starts_with(&format!(",{puzzle},{known},,")), "{row}");
        assert!(row.ends_with(",gave-up"), "{row}");
    }
    // Further columns stand behind the status.
    let with_depths = folder.run("rate p.txt -q --max-work 100 --te --counts");
    let with_depths = with_depths.status(1).stdout;
    let without_bound = folder.out("rate p.txt -q --up-to 1.0 --te");
    for (line, depth) in with_depths.lines().zip(without_bound.lines()) {
        if let Some((_, known)) = line.split_once(" gave-up ") {
            let (depth_here, counts) = known.split_once(' ').unwrap();
            assert_eq!(Some(depth_here), depth.rsplit(' ').next(), "{line}");
            assert!(counts.contains("clues_after_singles="), "{line}");
        }
    }
    let told = with_depths
        .lines()
        .filter(|line| line.contains(" gave-up "));
    assert_eq!(told.count(), given_up);
}

/// Threads share the puzzles that need chains inside chains, also where a search gives up.
#[test]
fn threads_that_share_a_puzzle_change_no_byte() {
    let puzzles = [NESTED, &[TRICKY, OVER].join("\n"), NESTED].join("\n");
    let folder = Folder::new().with("p.txt", puzzles + "\n");
    let mut given_up = BTreeSet::new();
    let ways = [
        "",
        "--explain --format jsonl",
        "--max-work 20k",
        "--max-work 1M",
        "--max-work 1M --explain",
        "--max-work 100M",
    ];
    for (number, options) in ways.into_iter().enumerate() {
        let whole = folder.run(&format!("rate p.txt -q -j 1 {options}")).stdout;
        given_up.insert(whole.matches("gave-up").count());
        for (at, threads) in [2, 4].into_iter().enumerate() {
            if !has_turn(number + at, 2) {
                continue;
            }
            let ran = folder.run(&format!("rate p.txt -q -j {threads} {options}"));
            ran.prints(&whole);
        }
    }
    assert_eq!(given_up, [0, 2].into());
    let ran = folder.run("rate p.txt -q -j 3").status(0);
    let rated = ran
        .stdout
        .lines()
        .filter(|line| line.ends_with(" 9.5/1.2/1.2"));
    assert_eq!(rated.count(), 2, "{ran:#?}");
}

/// Inside a single puzzle too, a signal ends the run, and no output is there. All puzzles take longer than a
/// test may run.
#[cfg(unix)]
#[test]
fn a_signal_ends_the_rating_of_one_puzzle() {
    use crate::support::runner::Running;
    use rustix::process::Signal;
    use std::{os::unix::process::ExitStatusExt, thread::sleep, time::Duration};
    let folder = Folder::new().with("p.txt", format!("{MONSTER}\n").repeat(100_000));
    for (options, output) in [
        ("rate -j 1", "out"),
        ("rate -j 2", "out.gz"),
        ("rate --explain -j 2", "out"),
        ("trace", "out"),
    ] {
        let line = format!("{options} p.txt -q -o {output}");
        let mut running = Running::start(&mut folder.command(&line));
        sleep(Duration::from_millis(150));
        running.signal(Signal::INT);
        assert_eq!(running.end().signal(), Some(2));
        assert_eq!(folder.names(), ["p.txt"]);
    }
}

#[test]
fn steps_in_tables_have_a_row_each() {
    let folder = Folder::new().with("p.csv", format!("id,puzzle\na,{GENTLE}\nb,12\n"));
    let ran = folder.run("rate --explain p.csv").status(1);
    let blanks = GENTLE.bytes().filter(|&c| c == b'.').count();
    let rows: Vec<&str> = ran.stdout.lines().collect();
    let header = "id,puzzle,step,rating,technique,cells,digits,places,strikes,chains,words,status";
    assert_eq!(rows[0], header);
    // Every step of a puzzle of singles fills a cell.
    assert_eq!(rows.len(), 1 + blanks + 1);
    assert!(
        rows[1].starts_with(&format!("a,{GENTLE},1,1.2,")),
        "{}",
        rows[1]
    );
    assert_eq!(rows[1 + blanks], "b,12,,,,,,,,,,malformed");
    // Threads and shards do not change the rows.
    let mut many = String::from("puzzle\n");
    for line in RATED.lines().take(60) {
        writeln!(many, "{}", &line[..81]).unwrap();
    }
    let folder = Folder::new().with("p.csv", many);
    let whole = folder.out("rate --explain p.csv -j 1");
    folder.prints("rate --explain p.csv -j 3", &whole);
    let parts: String = (1..=3)
        .map(|k| folder.run(&format!("rate --explain p.csv --shard {k}/3")))
        .map(|ran| ran.status(0).stdout)
        .collect();
    assert!(parts == whole, "the parts are not the whole");
}

#[test]
fn a_full_grid_has_a_rating_of_nothing() {
    let grid = oracle::solutions(&GENTLE.parse().unwrap(), 1)[0].to_string();
    let folder = Folder::new();
    let line = format!("{grid} 0.0/0.0/0.0\n");
    folder.prints(&format!("rate {grid}"), &line);
    folder.prints(&format!("rate --explain {grid}"), &line);
}

/// The columns of `--counts`, and the rows of `--explain`, each counted here.
#[test]
fn counts_are_the_steps_that_are_explained() {
    let rated = RATED
        .lines()
        .step_by(9)
        .map(|line| format!("{}\n", &line[..81]));
    let puzzles: String = rated
        .chain([format!("{OVER}\n{}\n12\n", empty())])
        .collect();
    let folder = Folder::new().with("p.txt", &puzzles);
    for more in ["", " --without uniqueness", " --up-to 3.0"] {
        let counted = folder.run(&format!("rate -q --counts --format csv{more} p.txt"));
        let explained = folder.run(&format!("rate -q --explain --format csv{more} p.txt"));
        let rows = |text: &str| -> Vec<Vec<String>> {
            let fields = |line: &str| line.split(',').map(str::to_owned).collect();
            text.lines().map(fields).collect()
        };
        // Of each step the first three columns behind the puzzle: the number, the rating, the technique.
        let mut steps = std::collections::BTreeMap::<(String, String), usize>::new();
        for row in &rows(&explained.stdout)[1..] {
            if !row[3].is_empty() {
                let name = row[3]
                    .to_lowercase()
                    .replace('+', "plus")
                    .replace([' ', '-'], "_");
                *steps.entry((row[0].clone(), name)).or_default() += 1;
            }
        }
        let table = rows(&counted.stdout);
        let names = &table[0];
        let first = names.iter().position(|name| name == "last_cell").unwrap();
        assert_eq!(names.len() - first, Technique::ALL.len() + 1);
        assert_eq!(names[names.len() - 1], "clues_after_singles");
        let mut sum = 0;
        for row in &table[1..] {
            for (name, count) in names[first..names.len() - 1].iter().zip(&row[first..]) {
                let expected = steps.get(&(row[0].clone(), name.clone()));
                let is_rated = row.contains(&"unique".to_owned());
                let expected = is_rated.then(|| expected.copied().unwrap_or(0).to_string());
                assert_eq!(*count, expected.unwrap_or_default(), "{name} {row:?}");
                sum += count.parse().unwrap_or(0);
            }
        }
        assert_eq!(sum, steps.values().sum::<usize>());
        assert!(sum > 500, "{sum}");
    }
}

#[test]
fn counts_follow_the_ratings_in_lines() {
    let folder = Folder::new().with("p.txt", format!("{GENTLE}\n{}\n", empty()));
    let ran = folder.run("rate -q --counts p.txt").status(1);
    let (first, second) = ran.stdout.split_once('\n').unwrap();
    let start = format!("{GENTLE} 1.2/1.2/1.2 last_cell=");
    assert!(
        first.starts_with(&start) && first.ends_with("clues_after_singles=81"),
        "{first}"
    );
    assert_eq!(second, format!("{} multiple\n", empty()));
}

/// The rule: a diamond has three equal ratings, a pearl an equal ER and EP, and a bound can hide both.
#[test]
fn gems_follow_from_the_three_ratings() {
    // A pearl, which few are.
    let mut puzzles =
        "...3..8.2....4....91....36..4....9.7..7....5.8......2.623.9....7..15...6.....7...\n"
            .to_owned();
    for (name, lines) in [("hard", 40), ("minimal", 300), ("easy", 50)] {
        let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
        let data = std::fs::read_to_string(format!("{data}/{name}.txt")).unwrap();
        for puzzle in data.lines().take(lines) {
            puzzles += &format!("{puzzle}\n");
        }
    }
    let folder = Folder::new().with("all.txt", puzzles);
    let mut seen = BTreeSet::new();
    for bound in ["", "--up-to 2.8"] {
        let ran = folder.run(&format!("rate -q --gem {bound} all.txt"));
        for line in ran.status(0).stdout.lines() {
            let words: Vec<_> = line.split(' ').collect();
            let ratings: Vec<_> = words[1].split('/').collect();
            let gem = match ratings[..] {
                [_, ep, _] if ep.starts_with('>') => "beyond",
                [er, ep, ed] if er == ep && ep == ed => "diamond",
                [er, ep, _] if er == ep => "pearl",
                _ => "none",
            };
            assert_eq!(words[2..], [gem], "{line}");
            seen.insert(gem);
        }
    }
    assert_eq!(Vec::from_iter(seen), ["beyond", "diamond", "none", "pearl"]);
    let folder = folder.with("p.txt", format!("{GENTLE}\n{}\n", empty()));
    let table = folder.run("rate -q --gem --format csv --columns gem p.txt");
    table.status(1).prints("gem\ndiamond\n\"\"\n");
}

#[test]
fn lines_have_the_format_that_is_asked_for() {
    let folder = Folder::new().with("p.txt", format!("{TRICKY}\n{}\n{OVER}\n12\n", empty()));
    let rate = |format: &str, more: &str| {
        folder.bash(&format!(
            "$P rate -q {more} --rating-format '{format}' p.txt"
        ))
    };
    let (several, short) = (
        format!("{} multiple\n", empty()),
        format!("{} malformed\n", empty()),
    );
    rate("%g ED=%r/%p/%d", "").status(1).prints(&format!(
        "{TRICKY} ED=2.6/1.2/1.2\n{several}{OVER} ED=7.1/1.2/1.2\n{short}"
    ));
    rate("%n;%r%%;%t;%s", "--up-to 4.4")
        .status(1)
        .prints(&format!(
            "1;2.6%;pointing;unique\n{several}3;>4.4%;-;unique\n{short}"
        ));
    // The number is that of the record, with any number of threads.
    let many = format!("{TRICKY}\n").repeat(3000);
    let folder = Folder::new().with("p.txt", many);
    let numbers: String = (1..=3000).fold(String::new(), |text, n| text + &format!("{n} 2.6\n"));
    for threads in ["-j 1", "-j 4"] {
        folder
            .bash(&format!(
                "$P rate -q {threads} --rating-format '%n %r' p.txt"
            ))
            .status(0)
            .prints(&numbers);
    }
    for (options, what) in [
        (
            "--rating-format '%g %e' p.txt",
            "%e is no letter; one of: %g (the puzzle), %r (ER)",
        ),
        ("--rating-format ED p.txt", "it says nothing of a record"),
        (
            "--rating-format '%r' --format csv p.txt",
            "--rating-format has no effect: the format is csv",
        ),
        ("--rating-format '%r' --counts p.txt", "cannot be used with"),
        ("--counts --explain p.txt", "cannot be used with"),
        (
            "--without X-cycle p.txt",
            "comes out of one search with others",
        ),
        (
            "--without X-wings p.txt",
            "no technique is called \"X-wings\"; the nearest is X-wing",
        ),
    ] {
        folder
            .bash(&format!("$P rate {options}"))
            .status(2)
            .says(what);
    }
}

/// Depths are shown after the ratings and the difficulty, and are those that `filter` keeps records by.
#[test]
fn depths_of_trial_and_error_are_shown_and_filtered() {
    // Depths 0 to 3: see tests/library/technique_trial.rs.
    let depths = [
        (
            ".421....9..6.52.4.73...9.6..2...81.6.63.1.......9.43.52.4.9......8.2..54....43..2",
            "0",
        ),
        (
            "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.",
            "1",
        ),
        (
            "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6",
            "2",
        ),
        (
            "987......6..95.....4.......3..21.65....5.3..2....96.31.3.1...2.....6.59.....2.1.3",
            "3",
        ),
    ];
    let text: String = depths
        .iter()
        .map(|(puzzle, _)| format!("{puzzle}\n"))
        .collect();
    let folder = Folder::new().with("p.txt", &text);
    let ran = folder.run("rate --te --up-to 1.0 p.txt").status(0);
    for (line, (puzzle, depth)) in ran.stdout.lines().zip(depths) {
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!(
            (words[0], words[1], words[2]),
            (puzzle, ">1.0/>1.0/>1.0", depth)
        );
    }
    for (range, kept) in [
        ("0..", 0..4),
        ("..1", 0..2),
        ("2..", 2..4),
        ("1..2", 1..3),
        ("3..beyond", 3..4),
        ("beyond..", 4..4),
    ] {
        let expected: String = text
            .split_inclusive('\n')
            .enumerate()
            .filter(|(n, _)| kept.contains(n))
            .map(|(_, line)| line)
            .collect();
        folder.prints(&format!("filter --te {range} p.txt"), &expected);
    }
    // A record without exactly one solution has no depth, and is not kept.
    folder
        .run(&format!("rate --te {}", empty()))
        .status(1)
        .prints(&format!("{} multiple\n", empty()));
    folder.prints(&format!("filter --te 0.. {}", empty()), "");
    let error = folder.run("filter --te 4.. p.txt").status(2);
    assert!(
        error
            .stderr
            .contains("a depth from 0 to 3, or beyond, is wanted"),
        "{error:#?}"
    );
}
