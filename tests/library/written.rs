//! Puzzles as people write them: every format of docs/reference.md, made here by its rule, is read as the puzzles that it
//! was made of, or refused. It is never read as another puzzle.

use crate::support::{
    cases,
    data::puzzles,
    formats::{FORMATS, Write},
    puzzles::PUZZLES,
    random_words::Words,
};
use sudoku_batch::{
    Cell, Puzzle, Solver,
    format::{DetectError, Form, Layout, Records},
};

/// Formats of which a text may be refused: a column more or less, or a line of spaces more or less, is not seen in
/// few puzzles.
const MAY_BE_REFUSED: [&str; 4] = [
    "a label and 81 columns",
    "81 columns and a label",
    "spaces for blanks",
    "spaces for blanks, cells apart",
];

/// The puzzle with its digits, bands, rows and columns in another order.
fn shuffled(puzzle: &str, words: &mut Words) -> String {
    let order = |words: &mut Words| {
        let mut three = [0, 1, 2];
        for at in [2, 1] {
            three.swap(at, words.below(at + 1));
        }
        three
    };
    let lines = |words: &mut Words| -> Vec<usize> {
        let bands = order(words);
        bands
            .into_iter()
            .flat_map(|band| order(words).map(|line| 3 * band + line))
            .collect()
    };
    let mut digits: Vec<u8> = (b'1'..=b'9').collect();
    for at in (1..9).rev() {
        digits.swap(at, words.below(at + 1));
    }
    let (rows, columns) = (lines(words), lines(words));
    let cell = |at: usize| match puzzle.as_bytes()[9 * rows[at / 9] + columns[at % 9]] {
        b'.' => '.',
        digit => char::from(digits[usize::from(digit - b'1')]),
    };
    (0..81).map(cell).collect()
}

/// Puzzles with one solution, with their solutions.
fn samples(count: usize, words: &mut Words) -> Vec<[String; 2]> {
    let kinds = [puzzles("easy"), puzzles("minimal"), puzzles("hard")];
    let mut solver = Solver::new();
    let sample = |_| {
        let kind = &kinds[words.below(3)];
        let puzzle = shuffled(&kind[words.below(kind.len())].to_string(), words);
        let grid = solver
            .solve_unique(&puzzle.parse::<Puzzle>().unwrap())
            .unwrap();
        [puzzle, grid.to_string()]
    };
    (0..count).map(sample).collect()
}

/// The rule of a format.
fn rule_of(name: &str) -> Write {
    let found = FORMATS.iter().find(|(other, _)| *other == name);
    found.unwrap().1
}

/// The puzzles of a text, read in pieces of this size, or why it is refused.
fn read(text: &str, size: usize) -> Result<Vec<String>, DetectError> {
    let (layout, pieces) = Layout::pieces(text.as_bytes(), None, None, size)?;
    let mut all = Vec::new();
    for (lines, piece) in pieces {
        let mut records = Records::default();
        records.add_lines(lines);
        layout.read(piece, &mut records);
        all.extend((0..records.len()).map(|at| match records.puzzle(at) {
            Ok(puzzle) => puzzle.to_string(),
            Err(error) => format!("line {}: {error}", records.line(at)),
        }));
    }
    Ok(all)
}

#[test]
fn every_format_is_read_as_its_puzzles_or_refused() {
    let mut words = Words::new(64);
    let mut refused = 0;
    for number in 0..cases(6) {
        let all = samples([1, 2, 12, 40][number % 4], &mut words);
        let puzzles: Vec<_> = all.iter().map(|[puzzle, _]| puzzle.clone()).collect();
        for (name, write) in FORMATS {
            let text = write(&all);
            let disguised = [
                text.clone(),
                text.replace('\n', "\r\n"),
                text.trim_end_matches('\n').to_owned(),
                format!("\u{feff}{text}"),
            ];
            for text in disguised {
                match read(&text, usize::MAX) {
                    Ok(found) => assert_eq!(found, puzzles, "{name}:\n{text}"),
                    Err(DetectError::Ambiguous(_)) if MAY_BE_REFUSED.contains(name) => refused += 1,
                    Err(error) => panic!("{name}: {error}\n{text}"),
                }
            }
        }
    }
    assert!(refused < cases(6), "{refused} texts are refused");
}

/// Takes clues away, in random order, as long as one solution is left and this number of clues.
fn thinned(mut puzzle: Puzzle, least: usize, words: &mut Words, solver: &mut Solver) -> Puzzle {
    let mut cells: Vec<_> = Cell::all().collect();
    for at in (1..81).rev() {
        cells.swap(at, words.below(at + 1));
    }
    for cell in cells {
        let mut without = puzzle;
        without.set(cell, None);
        if puzzle.clue_count() > least && without != puzzle && solver.count(&without, 2) == 1 {
            puzzle = without;
        }
    }
    puzzle
}

/// A puzzle of a kind that is seldom in a collection, and its solution: with few clues, with an empty row, column and
/// box, and full grids.
fn odd(kind: usize, words: &mut Words, solver: &mut Solver) -> [String; 2] {
    let [_, solution] = samples(1, words).remove(0);
    let grid: Puzzle = solution.parse().unwrap();
    let puzzle = match kind {
        // Of some minimal puzzles the one with the fewest clues.
        0 => {
            let minimal = (0..4).map(|_| thinned(grid, 0, words, solver));
            minimal.min_by_key(Puzzle::clue_count).unwrap()
        }
        // An empty row, column or box, and others by chance.
        1..=3 => loop {
            let house = words.below(9);
            let is_of_house = |cell: &Cell| match kind {
                1 => cell.row() == house,
                2 => cell.column() == house,
                _ => cell.box_index() == house,
            };
            let mut puzzle = grid;
            Cell::all()
                .filter(is_of_house)
                .for_each(|cell| puzzle.set(cell, None));
            if solver.count(&puzzle, 2) == 1 {
                break thinned(puzzle, [0, 30, 45][words.below(3)], words, solver);
            }
        },
        _ => grid,
    };
    [puzzle.to_string(), solution]
}

/// Puzzles of odd kinds are read or refused, alone and among others of their kind. Who has a single puzzle has the less
/// evidence, and so most that are refused are alone.
#[test]
fn odd_puzzles_are_read_or_refused() {
    let mut words = Words::new(68);
    let mut solver = Solver::new();
    let (mut texts, mut refused) = (0, 0);
    for number in 0..cases(10) {
        let count = [1, 3][number / 5 % 2];
        let all: Vec<_> = (0..count)
            .map(|_| odd(number % 5, &mut words, &mut solver))
            .collect();
        let puzzles: Vec<_> = all.iter().map(|[puzzle, _]| puzzle.clone()).collect();
        for (name, write) in FORMATS {
            // Of a grid and its solution nobody knows which is which.
            if number % 5 == 4 && *name == "a puzzle and its solution" {
                continue;
            }
            let text = write(&all);
            texts += 1;
            match read(&text, usize::MAX) {
                Ok(found) => assert_eq!(found, puzzles, "{name}:\n{text}"),
                Err(_) => {
                    println!("refused: {name}, kind {}, {count}", number % 5);
                    refused += 1;
                }
            }
        }
    }
    assert!(
        25 * refused < texts,
        "{refused} of {texts} texts are refused"
    );
}

/// A text of one puzzle is parsed as it is read, in any format.
#[test]
fn one_puzzle_is_parsed_from_any_format() {
    let mut words = Words::new(70);
    for number in 0..cases(5) {
        let all = samples(1, &mut words);
        for (name, write) in FORMATS {
            let text = write(&all);
            let parsed = text.parse::<Puzzle>().map(|puzzle| puzzle.to_string());
            match read(&text, usize::MAX) {
                Ok(found) => assert_eq!(found, [parsed.unwrap()], "{name}, {number}:\n{text}"),
                Err(_) => assert!(parsed.is_err(), "{name}, {number}:\n{text}"),
            }
        }
    }
}

/// The place of a record is the line on which it begins.
#[test]
fn written_records_have_their_lines() {
    let mut words = Words::new(65);
    let all = samples(5, &mut words);
    for (name, from, distance) in [
        ("a frame of hyphens", 1, 14),
        ("HoDoKu's frame", 1, 14),
        ("arrays of C", 1, 9),
        ("box drawing", 1, 14),
        ("links", 1, 1),
    ] {
        let write = rule_of(name);
        let text = write(&all);
        let found = Layout::detect(text.as_bytes(), None, None).unwrap();
        let mut records = Records::default();
        found.layout.read(text.as_bytes(), &mut records);
        for record in 0..5 {
            // A frame begins a line before its first row.
            let line = records.line(record);
            let first = from + distance * record as u64;
            assert!((first..=first + 1).contains(&line), "{name}: {line}");
        }
    }
}

/// A long text is cut between grids, and it is read alike wherever it is cut.
#[test]
fn long_texts_are_read_in_pieces() {
    let mut words = Words::new(66);
    let all = samples(cases(600), &mut words);
    let puzzles: Vec<_> = all.iter().map(|[puzzle, _]| puzzle.clone()).collect();
    for name in [
        "box drawing",
        "a title above",
        "links",
        "81 columns, -1 for blanks",
        "arrays of C",
    ] {
        let write = rule_of(name);
        let text = write(&all);
        for size in [1, 70_000, usize::MAX] {
            assert_eq!(read(&text, size).unwrap(), puzzles, "{name}, {size}");
        }
    }
}

/// A line of a drawing and its row, whose second clue becomes the first.
fn with_repeat(line: &str, row: &str) -> Option<[String; 2]> {
    let clue = |from: usize| row[from..].find(|c: char| c != '.').map(|at| from + at);
    let first = clue(0)?;
    let second = clue(first + 1)?;
    let [one, other] = [first, second].map(|at| row[at..=at].to_owned());
    let start = line.rfind(&other)?;
    let is_only = line.matches(&other).count() == 1;
    let line = is_only.then(|| format!("{}{one}{}", &line[..start], &line[start + 1..]))?;
    Some([
        line,
        format!("{}{one}{}", &row[..second], &row[second + 1..]),
    ])
}

/// Records that differ in their digits alone are read as all others: puzzles, lines and titles are right, and a row that
/// lacks, a digit twice in a row and a line of words change nothing but the record that has them.
#[test]
fn records_alike_are_read_as_others() {
    let mut words = Words::new(69);
    let all = samples(cases(500), &mut words);
    for (name, write) in FORMATS {
        let text = write(&all);
        let lines: Vec<_> = text.split_inclusive('\n').collect();
        // The last puzzle of some has no blank line behind it.
        let distance = (lines.len() + all.len() / 2) / all.len();
        // Puzzles of one line, or with a line for each cell, and texts that may be refused.
        if !(9..40).contains(&distance) || MAY_BE_REFUSED.contains(name) {
            continue;
        }
        let digits = |text: &str| text.replace(|c: char| !b"123456789".contains(&(c as u8)), "");
        let mut damaged: Vec<_> = lines.iter().map(|line| (*line).to_owned()).collect();
        let mut expected: Vec<_> = all.iter().map(|[puzzle, _]| Some(puzzle.clone())).collect();
        let mut is_damaged = vec![false; all.len()];
        for _ in 0..cases(12) {
            let record = words.below(all.len());
            let puzzle = &all[record][0];
            let row = &puzzle[36..45];
            let first = record * distance;
            let Some(at) = (first..first + distance + 2).find(|&at| {
                lines
                    .get(at)
                    .is_some_and(|line| digits(line) == digits(row))
                    && digits(row).len() > 2
            }) else {
                continue;
            };
            // Two damaged puzzles with one between them may be read as two others.
            let near = record.saturating_sub(2)..all.len().min(record + 3);
            if near.into_iter().any(|near| is_damaged[near]) {
                continue;
            }
            is_damaged[record] = true;
            match words.below(3) {
                // A row that lacks leaves all behind it in doubt if nothing stands between puzzles.
                0 if distance > 9 => {
                    damaged[at] = String::new();
                    expected[record] = None;
                }
                1 => {
                    let Some([line, row]) = with_repeat(lines[at], row) else {
                        continue;
                    };
                    damaged[at] = line;
                    expected[record] = Some(format!("{}{row}{}", &puzzle[..36], &puzzle[45..]));
                }
                _ => damaged[first].insert_str(0, "\nwords between two puzzles\n\n"),
            }
        }
        let damaged = damaged.concat();
        let (layout, _) = Layout::pieces(damaged.as_bytes(), None, None, usize::MAX).unwrap();
        let lines: Vec<_> = damaged.lines().collect();
        let mut good = expected.iter().flatten();
        let mut with_titles = 0;
        let mut records = Records::default();
        layout.read(damaged.as_bytes(), &mut records);
        for record in 0..records.len() {
            let Ok(puzzle) = records.puzzle(record) else {
                continue;
            };
            let puzzle = puzzle.to_string();
            assert_eq!(Some(&puzzle), good.next(), "{name}");
            let line = lines[records.line(record) as usize - 1];
            let row = digits(&puzzle[..9]);
            assert!(
                digits(line).ends_with(&row),
                "{name}: {line} begins {puzzle}"
            );
            with_titles += usize::from(!records.above(record).is_empty());
        }
        assert_eq!(good.next(), None, "{name}");
        assert!(
            *name != "a title above" || with_titles + 15 > all.len(),
            "{name}"
        );
    }
}

/// Lines alike are read as all others, too: a cell less makes a malformed record, and all others have their lines.
#[test]
fn lines_alike_are_read_as_others() {
    let mut words = Words::new(73);
    let all = samples(cases(1_000), &mut words);
    for name in [
        "links",
        "strings of code",
        "back quotes",
        "a name and an equals sign",
        "HoDoKu's library",
        "HoDoKu's library with placed digits",
        "a list of Markdown",
        "numbers before lines",
    ] {
        let write = rule_of(name);
        let text = write(&all);
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        let mut good: Vec<_> = all.iter().map(|[puzzle, _]| puzzle.clone()).collect();
        let mut damaged = 0;
        for _ in 0..cases(12) {
            let record = words.below(good.len());
            let puzzle = good[record].clone();
            let Some(at) = lines.iter().position(|line| line.contains(&puzzle)) else {
                continue;
            };
            if words.below(2) == 0 {
                lines[at] = lines[at].replacen(&puzzle, &puzzle[1..], 1);
                good.remove(record);
                damaged += 1;
            } else {
                lines.insert(at, "some words between".to_owned());
            }
        }
        let text = lines.join("\n") + "\n";
        let (layout, _) = Layout::pieces(text.as_bytes(), None, None, usize::MAX).unwrap();
        let mut records = Records::default();
        layout.read(text.as_bytes(), &mut records);
        let mut found = Vec::new();
        for record in 0..records.len() {
            if let Ok(puzzle) = records.puzzle(record) {
                let puzzle = puzzle.to_string();
                let line = &lines[records.line(record) as usize - 1];
                assert!(
                    line.contains(&puzzle) || line.contains('+'),
                    "{name}: {line}"
                );
                found.push(puzzle);
            }
        }
        assert_eq!(found, good, "{name}");
        // Lines of words are malformed records too if damage leaves a doubt.
        assert!(records.len() >= good.len() + damaged, "{name}");
    }
}

/// Whatever a text holds, it ends in time that grows with its length alone.
#[test]
fn odd_texts_are_no_puzzles() {
    for sign in [
        "[", "|", "\"", "1", "+", "<", "&", "%", "S9B", ".", "- ", "'1", "\\n", "[1,", "<td>",
    ] {
        let text = sign.repeat((256 << 10) / sign.len());
        match read(&text, usize::MAX) {
            Ok(found) => {
                let is_puzzle =
                    |text: &String| text.parse::<Puzzle>().is_ok_and(|p| p.clue_count() >= 17);
                assert!(!found.iter().any(is_puzzle), "{sign}");
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// A puzzle that lacks a cell or a row is a malformed record, or the text is refused. The others stay as they are.
#[test]
fn damaged_puzzles_are_told() {
    let mut words = Words::new(67);
    for number in 0..cases(5) {
        let all = samples(12, &mut words);
        let puzzles: Vec<_> = all.iter().map(|[puzzle, _]| puzzle.clone()).collect();
        for name in [
            "links",
            "HoDoKu's library",
            "a frame of hyphens",
            "box drawing",
            "arrays of C",
        ] {
            let write = rule_of(name);
            let text = write(&all);
            let lines: Vec<_> = text.split_inclusive('\n').collect();
            // A line in the middle of a puzzle: of links, the line itself.
            let is_of_lines = lines.len() <= 2 * all.len();
            let digits = |line: &str| line.bytes().filter(|b| b"123456789".contains(b)).count();
            let mut at = lines.len() / 2 + number % 3;
            while digits(lines[at]) < 2 {
                at += 1;
            }
            let shorter = lines[at].replacen(&all[at.min(11)][0], &all[at.min(11)][0][1..], 1);
            let (before, after) = (lines[..at].concat(), lines[at + 1..].concat());
            let damaged = match is_of_lines {
                true => before + &shorter + &after,
                false => before + &after,
            };
            match read(&damaged, usize::MAX) {
                Err(error) => assert!(
                    matches!(error, DetectError::Ambiguous(_)),
                    "{name}: {error}"
                ),
                Ok(found) => {
                    let good: Vec<_> = found
                        .iter()
                        .filter(|text| !text.starts_with("line"))
                        .collect();
                    assert_eq!(good.len(), 11, "{name}:\n{damaged}\n{found:#?}");
                    assert!(good.iter().all(|puzzle| puzzles.contains(puzzle)), "{name}");
                    assert!(found.len() > 11, "{name}:\n{damaged}");
                }
            }
        }
    }
}

/// An asked-for form is taken, whatever the evidence says.
#[test]
fn a_given_form_is_taken() {
    let [puzzle, other] = PUZZLES;
    let text = format!("puzzles = [\n'{puzzle}',\n'{other}'\n]\n");
    let found = Layout::detect(text.as_bytes(), Some(Form::Line), None).unwrap();
    assert_eq!(found.layout, Layout::Line);
}
