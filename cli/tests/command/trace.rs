//! `sudoku-batch trace`: its traces are replayed by rules in words, which share nothing with the library.

use crate::support::{
    one_of, oracle,
    random_words::Words,
    rules::{Effect, effects, has_rule},
    runner::Folder,
};
use serde_json::Value;
use std::collections::BTreeSet;
use sudoku_batch::technique::Technique;

/// Puzzles with ER, EP and ED.
const RATED: &str = include_str!("../../../tests/support/rated.txt");
const CHAINS: &str = include_str!("../../../tests/support/rated_chains.txt");

/// An ER of 2.6.
const TRICKY: &str =
    "....6..212..8....3......47.4...8.....67......9..354......4.....17.....92..3..9.1.";

type Set = BTreeSet<usize>;

fn houses_of(cell: usize) -> [usize; 3] {
    let (row, column) = (cell / 9, cell % 9);
    [row, 9 + column, 18 + row / 3 * 3 + column / 3]
}

fn cells_of(house: usize) -> [usize; 9] {
    let n = house % 9;
    std::array::from_fn(|i| match house / 9 {
        0 => 9 * n + i,
        1 => 9 * i + n,
        _ => n / 3 * 27 + n % 3 * 3 + i / 3 * 9 + i % 3,
    })
}

fn see(a: usize, b: usize) -> bool {
    a != b
        && houses_of(a)
            .iter()
            .any(|house| houses_of(b).contains(house))
}

/// A grid and its candidates, by the rules of the game alone.
#[derive(Clone)]
struct Board {
    filled: [u8; 81],
    candidates: Vec<Set>,
}

impl Board {
    fn new(puzzle: &str) -> Self {
        let given = given(puzzle);
        let mut board = Self {
            filled: [b'.'; 81],
            candidates: given.clone(),
        };
        for (cell, digits) in given.iter().enumerate() {
            if digits.len() == 1 {
                board.place(cell, *digits.first().unwrap() as u8);
            }
        }
        board
    }

    fn place(&mut self, cell: usize, digit: u8) {
        assert_eq!(self.filled[cell], b'.', "cell {cell} is filled");
        self.filled[cell] = b'0' + digit;
        self.candidates[cell].clear();
        for peer in (0..81).filter(|&peer| see(cell, peer)) {
            self.candidates[peer].remove(&digit.into());
        }
    }

    /// 729 characters, as `--candidates` shows them.
    fn marks(&self) -> String {
        let mark = |n: usize| {
            let (cell, digit) = (n / 9, n % 9 + 1);
            let is_there = usize::from(self.filled[cell] - b'.') == 2 + digit;
            match is_there || self.candidates[cell].contains(&digit) {
                true => char::from(b'0' + digit as u8),
                false => '.',
            }
        };
        (0..729).map(mark).collect()
    }

    /// The empty cells of a house where a digit may go.
    fn places(&self, house: usize, digit: usize) -> Vec<usize> {
        let may = |&cell: &usize| self.candidates[cell].contains(&digit);
        cells_of(house).into_iter().filter(may).collect()
    }

    fn empty(&self, house: usize) -> usize {
        let is_empty = |cell: &usize| self.filled[*cell] == b'.';
        cells_of(house).into_iter().filter(is_empty).count()
    }

    fn text(&self) -> &str {
        str::from_utf8(&self.filled).unwrap()
    }
}

/// The digits that a puzzle allows in each cell: of 81 cells, or of 729 candidates.
fn given(puzzle: &str) -> Vec<Set> {
    let of_cell = |clue: u8| match clue {
        b'1'..=b'9' => Set::from([usize::from(clue - b'0')]),
        _ => (1..=9).collect(),
    };
    let of_candidates = |digits: &[u8]| {
        let digits = digits.iter().filter(|digit| digit.is_ascii_digit());
        digits.map(|digit| usize::from(digit - b'0')).collect()
    };
    match puzzle.len() {
        729 => puzzle.as_bytes().chunks(9).map(of_candidates).collect(),
        _ => puzzle.bytes().map(of_cell).collect(),
    }
}

/// Fills a board by trying the digits of the narrowest cell, up to two solutions.
fn search(board: Board, found: &mut Vec<[u8; 81]>) {
    let open = (0..81).filter(|&cell| board.filled[cell] == b'.');
    let Some(cell) = open.min_by_key(|&cell| board.candidates[cell].len()) else {
        return found.push(board.filled);
    };
    for &digit in &board.candidates[cell] {
        if found.len() < 2 {
            let mut next = board.clone();
            next.place(cell, digit as u8);
            search(next, found);
        }
    }
}

fn cell(name: &str) -> usize {
    let [b'r', row @ b'1'..=b'9', b'c', column @ b'1'..=b'9'] = name.as_bytes() else {
        panic!("{name} is no cell");
    };
    usize::from(row - b'1') * 9 + usize::from(column - b'1')
}

/// The pattern, the strikes and the technique of an object.
fn effect(step: &Value) -> Effect {
    let text = |key: &str| step[key].as_str();
    let strike = |name: &str| {
        let (at, digit) = name.split_once('-').unwrap();
        (cell(at), digit.parse().unwrap())
    };
    let place = step["cell"].as_str();
    let place = place.map(|name| (cell(name), step["digit"].as_u64().unwrap() as u8));
    let own = text("digits")
        .map(str::to_owned)
        .or(place.map(|(_, digit)| digit.to_string()));
    let cells = text("cells").or(text("cell")).unwrap();
    Effect {
        technique: text("technique").unwrap().parse().unwrap(),
        cells: cells.split(' ').map(cell).collect(),
        digits: own.unwrap().bytes().map(|digit| digit - b'0').collect(),
        place,
        strikes: text("strikes")
            .unwrap_or_default()
            .split_terminator(' ')
            .map(strike)
            .collect(),
    }
}

/// Every step is what a rule gives, no rule gives an easier one, and the solution agrees.
fn check(board: &mut Board, solution: &[u8], step: &Value, met: &mut BTreeSet<Technique>) {
    let effect = effect(step);
    let technique = effect.technique;
    let rating = format!("{:.1}", step["rating"].as_f64().unwrap());
    if has_rule(technique) {
        let ruled = effects(&board.filled, &board.candidates);
        assert!(
            ruled.contains(&effect),
            "no rule gives {step} in {}",
            board.text()
        );
        assert_eq!(rating, technique.rating().to_string());
        let easiest = ruled.iter().map(|effect| effect.technique.rating()).min();
        assert!(
            technique > Technique::XyzWing || easiest == Some(technique.rating()),
            "{step}"
        );
    }
    met.insert(technique);
    for &(cell, digit) in &effect.strikes {
        assert_ne!(solution[cell], b'0' + digit, "{step} strikes what is right");
        assert!(
            board.candidates[cell].remove(&digit.into()),
            "{step} strikes what is not there"
        );
    }
    if let Some((cell, digit)) = effect.place {
        assert_eq!(solution[cell], b'0' + digit, "{step} is wrong");
        board.place(cell, digit);
    }
}

fn solution(puzzle: &str) -> [u8; 81] {
    if puzzle.len() == 81 {
        return *oracle::solutions(&puzzle.parse().unwrap(), 1)[0].as_ascii();
    }
    let mut found = Vec::new();
    search(Board::new(puzzle), &mut found);
    assert_eq!(found.len(), 1, "{puzzle}");
    found[0]
}

#[test]
fn the_steps_of_a_person_replay() {
    // These have all techniques in them. More of them show rare ways of a step.
    let rated: Vec<&str> = RATED
        .lines()
        .step_by(one_of(18))
        .chain(CHAINS.lines().step_by(one_of(18)))
        .collect();
    let puzzles = rated
        .iter()
        .fold(String::new(), |text, line| text + &line[..81] + "\n");
    let met = check_steps(&puzzles, &rated);
    let planes = Technique::ALL
        .iter()
        .take_while(|t| **t <= Technique::XyzWing);
    let missing: Vec<_> = planes.filter(|t| !met.contains(t)).collect();
    // A direct claiming is never the easiest step.
    assert!(
        missing.len() <= 3 && missing.contains(&&Technique::DirectClaiming),
        "{missing:?}"
    );
}

/// Checks the steps of puzzles, with a line for each that has the puzzle and ER/EP/ED. Returns the
/// techniques.
fn check_steps(puzzles: &str, rated: &[&str]) -> BTreeSet<Technique> {
    let folder = Folder::new().with("p.txt", puzzles);
    let ran = folder.run("trace --boards --candidates p.txt").status(0);
    assert_eq!(ran.stdout.lines().count(), rated.len());
    let mut met = BTreeSet::new();
    for (line, rated) in ran.stdout.lines().zip(rated) {
        let (puzzle, ratings) = rated.split_once(' ').unwrap();
        let object: Value = serde_json::from_str(line).unwrap();
        let keys: Vec<_> = object.as_object().unwrap().keys().collect();
        assert_eq!(keys, ["puzzle", "rating", "status", "steps"]);
        assert_eq!(
            (&object["puzzle"], &object["status"]),
            (&puzzle.into(), &"unique".into())
        );
        let er = format!("{:.1}", object["rating"].as_f64().unwrap());
        assert_eq!(er, ratings.split('/').next().unwrap());
        let (mut board, solution) = (Board::new(puzzle), solution(puzzle));
        for step in object["steps"].as_array().unwrap() {
            for struck in step["struck"].as_array().unwrap() {
                check(&mut board, &solution, struck, &mut met);
            }
            check(&mut board, &solution, step, &mut met);
            assert_eq!(step["board"], board.text());
            assert_eq!(step["candidates"], board.marks());
        }
        assert_eq!(board.filled, solution);
    }
    met
}

/// Puzzles by candidates with one solution: all candidates of some cells are struck at random, and
/// those that singles rule out in others.
fn sukakus() -> String {
    let mut words = Words::new(7);
    let lines = RATED.lines().step_by(45).chain(CHAINS.lines().step_by(40));
    let mut text = String::new();
    for (number, line) in lines.enumerate() {
        let (puzzle, board) = (&line[..81], Board::new(&line[..81]));
        let solution = solution(puzzle);
        let all = given(puzzle);
        for cell in 0..81 {
            for digit in 1..=9 {
                let is_right = usize::from(solution[cell] - b'0') == digit;
                let is_open = board.candidates[cell].contains(&digit);
                // Some puzzles lose few candidates, and some keep candidates that clues rule out.
                let is_struck = words.below(100) < [0, 10, 30][number % 3];
                let stays = all[cell].contains(&digit) && (is_open || number % 2 == 0);
                match is_right || stays && !is_struck {
                    true => text.push_str(&digit.to_string()),
                    false => text.push('.'),
                }
            }
        }
        text.push('\n');
    }
    text
}

/// The ratings and steps of `trace` are those of `rate`, and follow the rules, where candidates are given.
#[test]
fn the_steps_of_candidates_replay() {
    let puzzles = sukakus();
    let folder = Folder::new().with("p.txt", &puzzles);
    let rated = folder.out("rate -q p.txt");
    let met = check_steps(&puzzles, &rated.lines().collect::<Vec<_>>());
    assert!(met.len() > 12, "{met:?}");
    // The steps are as many as those of `rate --explain`.
    let steps = folder.out("trace -q p.txt --format csv");
    let explained = folder.out("rate -q --explain p.txt");
    let is_step = |line: &&str| {
        let mut words = line.split_whitespace();
        let number = words.next().is_some_and(|word| word.parse::<u32>().is_ok());
        number && words.next().is_some_and(|word| word.parse::<f64>().is_ok())
    };
    let explained = explained.lines().filter(is_step).count();
    assert_eq!(steps.lines().count() - 1, explained);
}

/// Replays a search with its returns, by the words in which the reference search is defined.
fn replay(object: &Value, proof: bool) {
    let puzzle = object["puzzle"].as_str().unwrap();
    let solution = solution(puzzle);
    let mut board = Board::new(puzzle);
    let mut stack: Vec<(Board, usize, u8, Vec<usize>)> = Vec::new();
    // The candidates of the cell of the last guess that were not tried.
    let mut left: Option<(usize, Vec<usize>)> = None;
    let (mut guesses, mut solved, mut is_over) = (0, 0, false);
    for event in object["steps"].as_array().unwrap() {
        let at = event["cell"].as_str().map(cell);
        let digit = event["digit"].as_u64().map(|digit| digit as u8);
        let name = event["technique"].as_str().unwrap();
        assert!(!is_over || name == "return" || left.is_some(), "{event}");
        let open: Vec<usize> = (0..81).filter(|&cell| board.filled[cell] == b'.').collect();
        let naked = |&&cell: &&usize| board.candidates[cell].len() == 1;
        let hidden = |house: usize, digit: u8| board.places(house, digit.into()).len() == 1;
        let place = at.zip(digit);
        match name {
            "guess" => {
                let (cell, digit) = place.unwrap();
                let narrowest = *open
                    .iter()
                    .min_by_key(|&&cell| board.candidates[cell].len())
                    .unwrap();
                assert_eq!(cell, narrowest, "{event}");
                assert!(!open.iter().any(|cell| naked(&cell)));
                assert!(!(0..27).any(|house| (1..=9).any(|digit| hidden(house, digit))));
                let mut untried = match left.take() {
                    Some((of, untried)) => {
                        assert_eq!(of, cell);
                        untried
                    }
                    None => board.candidates[cell].iter().copied().collect(),
                };
                assert_eq!(untried.remove(0), usize::from(digit), "{event}");
                stack.push((board.clone(), cell, digit, untried));
                board.place(cell, digit);
                guesses += 1;
                is_over = false;
            }
            "contradiction" => {
                match (at, digit) {
                    (Some(cell), None) => {
                        assert!(board.filled[cell] == b'.' && board.candidates[cell].is_empty())
                    }
                    (None, Some(digit)) => {
                        let (kind, n) = event["house"].as_str().unwrap().split_once(' ').unwrap();
                        let kind = ["row", "column", "box"]
                            .iter()
                            .position(|name| *name == kind)
                            .unwrap();
                        let house = 9 * kind + n.parse::<usize>().unwrap() - 1;
                        assert!(board.places(house, digit.into()).is_empty());
                        let stands = |&cell: &usize| {
                            houses_of(cell).contains(&house) && board.filled[cell] == b'0' + digit
                        };
                        assert!(!(0..81).any(|cell| stands(&cell)), "{event}");
                    }
                    _ => panic!("{event}"),
                }
                is_over = true;
            }
            "return" => {
                assert!(is_over && left.as_ref().is_none_or(|(_, untried)| untried.is_empty()));
                let (before, cell, guess, untried) = stack.pop().unwrap();
                assert_eq!(place, Some((cell, guess)), "{event}");
                board = before;
                left = (!untried.is_empty()).then_some((cell, untried));
            }
            "solution" => {
                assert_eq!(board.filled, solution);
                (solved, is_over) = (solved + 1, true);
            }
            _ => {
                let (cell, digit) = place.unwrap();
                let is_hidden = |houses: &[usize]| {
                    houses
                        .iter()
                        .any(|&house| board.places(house, digit.into()) == [cell])
                };
                let [row, column, of_box] = houses_of(cell);
                assert!(
                    match name {
                        "last cell" => houses_of(cell).iter().any(|&house| board.empty(house) == 1),
                        "hidden single in a box" => is_hidden(&[of_box]),
                        "hidden single in a line" =>
                            is_hidden(&[row, column]) && !is_hidden(&[of_box]),
                        "naked single" => naked(&&cell) && !is_hidden(&[row, column, of_box]),
                        _ => panic!("{name}"),
                    },
                    "{event} in {}",
                    board.text()
                );
                board.place(cell, digit);
            }
        }
        let stands = stack.len() + usize::from(name == "return");
        assert_eq!(event["depth"].as_u64(), Some(stands as u64), "{event}");
        assert_eq!(event["board"], board.text());
        assert_eq!(event["candidates"], board.marks());
    }
    assert_eq!(object["guesses"].as_u64(), Some(guesses));
    assert_eq!(solved, 1);
    match proof {
        true => assert!(stack.is_empty() && left.is_none() && is_over),
        false => assert_eq!(board.filled, solution),
    }
}

#[test]
fn searches_replay_with_their_returns() {
    let rated = RATED.lines().step_by(one_of(160));
    let rated = rated.chain(CHAINS.lines().step_by(one_of(48)));
    let puzzles = rated.fold(String::new(), |text, line| text + &line[..81] + "\n");
    let folder = Folder::new().with("p.txt", puzzles + &sukakus());
    let mut guesses = Vec::new();
    for proof in [false, true] {
        let proof_option = if proof { "--proof" } else { "" };
        let line = format!("trace --search {proof_option} --boards --candidates p.txt");
        let ran = folder.run(&line).status(0);
        let mut sum = 0;
        for line in ran.stdout.lines() {
            let object: Value = serde_json::from_str(line).unwrap();
            let keys: Vec<_> = object.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["guesses", "puzzle", "status", "steps"]);
            replay(&object, proof);
            sum += object["guesses"].as_u64().unwrap();
        }
        guesses.push(sum);
    }
    assert!(0 < guesses[0] && guesses[0] < guesses[1], "{guesses:?}");
}

/// Records without one solution keep their places, in a table whose columns have the names of keys.
#[test]
fn every_form_of_input_gives_objects_and_statuses() {
    let table = format!(
        "source,question,answer,rating\na,{TRICKY},,7\nb,{},,8\nc,12x,,9\nd,11{},,1\ne,{TRICKY},,2\n",
        ".".repeat(81),
        ".".repeat(79)
    );
    let folder = Folder::new().with("p.csv", &table);
    let ran = folder.run("trace p.csv --rejects no.txt").status(1);
    let objects: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let statuses: Vec<_> = objects
        .iter()
        .map(|object| object["status"].as_str().unwrap())
        .collect();
    assert_eq!(
        statuses,
        ["unique", "multiple", "malformed", "row-duplicate", "unique"]
    );
    assert_eq!(objects[0], objects[4]);
    assert!(
        objects[1..4]
            .iter()
            .all(|object| object["steps"] == Value::Array(Vec::new()))
    );
    assert!(
        objects[1..4]
            .iter()
            .all(|object| object["rating"].is_null())
    );
    assert!(objects[2]["puzzle"] == "" && objects[3]["puzzle"] == format!("11{}", ".".repeat(79)));
    assert!(ran.stderr.contains("p.csv:4: malformed"), "{}", ran.stderr);
    let lines = folder.read("no.txt");
    let lines: Vec<_> = lines
        .lines()
        .map(|line| line.split('\t').next().unwrap())
        .collect();
    assert_eq!(lines, ["3", "4", "5"]);
}

/// The rows of a table are the objects: a row for each placement and each strike.
#[test]
fn tables_have_a_row_for_each_step() {
    let puzzles = RATED
        .lines()
        .step_by(9)
        .fold(String::new(), |text, line| text + &line[..81] + "\n");
    let folder = Folder::new().with("p.txt", puzzles + "12\n");
    let objects = folder.run("trace p.txt").status(1).stdout;
    let table = folder.run("trace p.txt --format csv").status(1).stdout;
    let mut rows = table.lines();
    assert_eq!(
        rows.next(),
        Some("record,step,cell,digit,technique,rating,cells,digits,strikes,status")
    );
    for (record, line) in (1..).zip(objects.lines()) {
        let object: Value = serde_json::from_str(line).unwrap();
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            value => value.to_string(),
        };
        let mut number = 0;
        let mut row = |step: &Value| {
            number += 1;
            let keys = [
                "cell",
                "digit",
                "technique",
                "rating",
                "cells",
                "digits",
                "strikes",
            ];
            let mut values = keys.map(|key| text(&step[key]));
            // The pattern of a single is its cell.
            if values[4].is_empty() {
                (values[4], values[5]) = (values[0].clone(), values[1].clone());
            }
            let row = rows.next().unwrap();
            let own = row.split(',').nth(8).unwrap();
            if step["struck"].is_array() && !own.is_empty() {
                // A chain that places a digit strikes the others of its cell.
                values[6] = own.to_owned();
            }
            assert_eq!(
                row,
                format!("{record},{number},{},unique", values.join(","))
            );
        };
        for step in object["steps"].as_array().unwrap() {
            step["struck"].as_array().unwrap().iter().for_each(&mut row);
            row(step);
        }
        if number == 0 {
            assert_eq!(rows.next().unwrap(), format!("{record},,,,,,,,,malformed"));
        }
    }
    assert_eq!(rows.next(), None);
}

#[test]
fn threads_and_bounds() {
    let puzzles = RATED
        .lines()
        .fold(String::new(), |text, line| text + &line[..81] + "\n");
    let folder = Folder::new().with("p.txt", puzzles);
    for options in ["--up-to 4.4", "--search", "--format tsv --boards"] {
        let of = |threads: u8| {
            folder
                .run(&format!("trace {options} -j {threads} p.txt"))
                .stdout
        };
        let one = of(1);
        assert!(!one.is_empty() && of(3) == one, "{options}");
    }
    // Steps that end with strikes and no placement are there.
    let easy = folder.run("trace --up-to 4.4 p.txt").status(0);
    let is_end = |line: &&str| {
        line.contains(r#"{"cell":null,"digit":null,"technique":null,"rating":null,"struck":[{"#)
    };
    let ends = easy.stdout.lines().filter(is_end).count();
    assert!(ends > 0);
    assert!(
        easy.stdout
            .lines()
            .filter(|line| line.contains(r#""rating":null,"steps""#))
            .count()
            >= ends
    );
    let gave_up = folder
        .run("trace --search --max-guesses 3 p.txt")
        .status(1)
        .stdout;
    assert!(gave_up.contains(r#""status":"gave-up","guesses":null,"steps":[]"#));
    folder.run("trace --proof p.txt").status(2);
    folder.run("trace --search --up-to 4.4 p.txt").status(2);
}

/// An array has the placements of the objects, and -1 behind them.
#[test]
fn arrays_have_the_placements() {
    let puzzles = RATED
        .lines()
        .step_by(11)
        .fold(String::new(), |text, line| text + &line[..81] + "\n");
    let folder = Folder::new().with("p.txt", puzzles + "12\n");
    let objects = folder.run("trace p.txt").status(1).stdout;
    folder.run("trace p.txt -o t.npy").status(1);
    let bytes = std::fs::read(folder.file("t.npy")).unwrap();
    let rows = objects.lines().count();
    let head = &bytes[..bytes.len() - 162 * rows];
    let about = format!("'descr': '|i1', 'fortran_order': False, 'shape': ({rows}, 81, 2)");
    assert!(String::from_utf8_lossy(head).contains(&about), "{head:?}");
    for (line, row) in objects.lines().zip(bytes[head.len()..].chunks(162)) {
        let object: Value = serde_json::from_str(line).unwrap();
        let mut expected = Vec::new();
        for step in object["steps"].as_array().unwrap() {
            expected.push(cell(step["cell"].as_str().unwrap()) as u8);
            expected.push(step["digit"].as_u64().unwrap() as u8);
        }
        expected.resize(162, u8::MAX);
        assert_eq!(row, expected, "{line}");
    }
    folder.run("trace p.txt --boards -o t.npy").status(2);
    folder.run("trace p.txt --format npy").status(2);
}
