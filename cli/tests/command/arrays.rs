//! `--format npy` and `augment --format hrm`, read by the written rule of the format.

use crate::support::runner::Folder;
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};
use sudoku_batch::{
    Grid, Outcome, Puzzle, Solver,
    questions::Status,
    symmetry::{CanonicalPuzzle, Transformation},
};

/// An array as its file has it.
struct Npy {
    descr: String,
    shape: Vec<usize>,
    data: Vec<u8>,
}

/// Reads a file: magic, version 1.0, the length of the text, and a dictionary of Python.
fn npy(path: &Path) -> Npy {
    let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
    let start = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    assert_eq!(start % 64, 0);
    let text = str::from_utf8(&bytes[10..start]).unwrap();
    let text = text.strip_suffix('\n').unwrap().trim_end();
    let text = text.strip_prefix("{'descr': '").unwrap();
    let (descr, text) = text
        .split_once("', 'fortran_order': False, 'shape': (")
        .unwrap();
    let shape = text.strip_suffix("), }").unwrap();
    let shape = shape.split(',').map(str::trim).filter(|n| !n.is_empty());
    let shape: Vec<usize> = shape.map(|n| n.parse().unwrap()).collect();
    let data = bytes[start..].to_vec();
    let width = usize::from(descr.as_bytes()[2] - b'0');
    assert_eq!(data.len(), width * shape.iter().product::<usize>());
    Npy {
        descr: descr.into(),
        shape,
        data,
    }
}

impl Npy {
    fn cells(&self) -> Vec<&[u8]> {
        assert_eq!(
            (&self.descr[..], self.shape[1..].to_vec()),
            ("|u1", vec![81])
        );
        self.data.chunks(81).collect()
    }

    fn numbers(&self) -> Vec<f64> {
        assert_eq!((&self.descr[..], self.shape.len()), ("<f8", 1));
        let numbers = self.data.as_chunks().0.iter();
        numbers.map(|bytes| f64::from_le_bytes(*bytes)).collect()
    }

    fn integers(&self) -> Vec<usize> {
        assert_eq!((&self.descr[..], self.shape.len()), ("<i4", 1));
        let numbers = self.data.as_chunks().0.iter();
        numbers
            .map(|bytes| i32::from_le_bytes(*bytes) as usize)
            .collect()
    }
}

/// The columns of a table without quotes.
fn table(text: &str) -> BTreeMap<&str, Vec<&str>> {
    let mut lines = text.lines();
    let names = lines.next().unwrap().split(',');
    let mut columns: Vec<(&str, Vec<&str>)> = names.map(|name| (name, Vec::new())).collect();
    for line in lines {
        for ((_, values), value) in columns.iter_mut().zip(line.split(',')) {
            values.push(value);
        }
    }
    columns.into_iter().collect()
}

/// Checks an array against the column of a table.
fn check(array: &Npy, column: &[&str]) {
    assert_eq!(array.shape[0], column.len());
    match (&array.descr[..], array.shape.len()) {
        ("|u1", 2) => {
            for (cells, text) in array.cells().into_iter().zip(column) {
                let digit = |at: usize| match text.as_bytes().get(at) {
                    Some(digit @ b'1'..=b'9') if text.len() == 81 => digit - b'0',
                    _ => 0,
                };
                assert_eq!(cells, (0..81).map(digit).collect::<Vec<_>>(), "{text}");
            }
        }
        ("|u1", 1) => {
            for (&code, text) in array.data.iter().zip(column) {
                let name = Status::ALL
                    .get(usize::from(code))
                    .map_or("", |status| status.name());
                assert_eq!(name, *text);
            }
        }
        _ => {
            for (number, text) in array.numbers().into_iter().zip(column) {
                match *text {
                    "" => assert!(number.is_nan()),
                    "true" => assert_eq!(number, 1.0),
                    "false" => assert_eq!(number, 0.0),
                    text => assert_eq!(number, text.trim_end_matches('+').parse::<f64>().unwrap()),
                }
            }
        }
    }
}

fn data(name: &str, most: usize) -> Vec<String> {
    let path = format!("{}/../../data/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).unwrap();
    text.lines().take(most).map(Into::into).collect()
}

/// Tables and lines with good records, and with some that are malformed or have no solution.
fn folder() -> Folder {
    let (puzzles, grids) = (data("minimal", 300), data("minimal.solved", 300));
    let mut rated = String::from("id,source,question,answer,rating\n");
    let mut lines = String::new();
    for (id, (puzzle, grid)) in puzzles.iter().zip(&grids).enumerate() {
        let puzzle = match id {
            7 => "12x".into(),
            8 => format!("11{}", &puzzle[2..]),
            9 => format!("{}{}", &puzzle[..40], ".".repeat(41)),
            _ => puzzle.clone(),
        };
        let rating = if id % 10 == 3 {
            String::new()
        } else {
            format!("{}.5", id % 7)
        };
        rated += &format!("{id},forum,{puzzle},{grid},{rating}\n");
        lines += &format!("{puzzle}\n");
    }
    let grids = grids.join("\n") + "\n";
    Folder::new()
        .with("r.csv", rated)
        .with("p.txt", lines)
        .with("g.txt", grids)
}

#[test]
fn arrays_are_the_columns_of_the_table() {
    let folder = folder();
    // The column that is the file of --output itself, and the others.
    let cases: [(&str, &str, &[&str]); 17] = [
        ("solve p.txt", "solution", &["status"]),
        ("solve --unique r.csv", "solution", &["status"]),
        ("convert p.txt", "puzzle", &[]),
        ("convert r.csv", "", &["id", "question", "answer", "rating"]),
        (
            "filter --clues 24..26 r.csv",
            "",
            &["id", "question", "answer", "rating"],
        ),
        ("dedup --by equality p.txt", "puzzle", &[]),
        ("augment -k 3 r.csv", "", &["question", "answer"]),
        ("augment -k 2 --keep r.csv", "", &["question", "answer"]),
        ("augment -k 2 p.txt", "puzzle", &[]),
        ("count --limit 5 p.txt", "", &["solution_count", "status"]),
        (
            "check --minimal p.txt",
            "",
            &["status", "clue_count", "redundant_clues"],
        ),
        (
            "check --answer-column answer r.csv",
            "",
            &["status", "clue_count", "answer_right"],
        ),
        (
            "canonical --automorphisms p.txt",
            "canonical",
            &["automorphisms", "status"],
        ),
        (
            "solutions --limit 3 p.txt",
            "solution",
            &["record", "status"],
        ),
        ("rank g.txt", "", &["index", "status"]),
        ("generate 5000 --seed 3", "grid", &[]),
        (
            "puzzles 9000 --clues 28 --seed 2",
            "",
            &["puzzle", "solution", "clues"],
        ),
    ];
    for (command, plain, others) in cases {
        let run = |rest: &str| folder.run(&format!("{command} --summary none -q {rest}"));
        run("--format csv -o t.csv");
        run("--format npy -o t.npy -j 3");
        let text = folder.read("t.csv");
        let table = table(&text);
        let mut names: BTreeSet<_> = folder.names().into_iter().collect();
        for name in ["r.csv", "p.txt", "g.txt", "t.csv"] {
            names.remove(name);
        }
        let mut columns: Vec<_> = others
            .iter()
            .map(|name| (format!("t.{name}.npy"), *name))
            .collect();
        columns.extend((!plain.is_empty()).then(|| ("t.npy".into(), plain)));
        for (file, column) in &columns {
            assert!(names.remove(file), "{command}: {file}: {names:?}");
            check(&npy(&folder.file(file)), &table[column]);
        }
        // Nothing else of this command is a number or cells.
        names.retain(|name| !matches!(&name[..], "t.wrong_cells.npy" | "t.changed_clues.npy"));
        assert!(names.is_empty(), "{command}: {names:?}");
        // The name alone, and one thread, give the same.
        if !plain.is_empty() {
            run("-o u.npy -j 1");
            for (file, _) in &columns {
                let [t, u] = [file.clone(), file.replacen('t', "u", 1)];
                assert_eq!(
                    fs::read(folder.file(&t)).unwrap(),
                    fs::read(folder.file(&u)).unwrap()
                );
                fs::remove_file(folder.file(&u)).unwrap();
            }
        }
        for (file, _) in &columns {
            fs::remove_file(folder.file(file)).unwrap();
        }
        for rest in ["t.wrong_cells.npy", "t.changed_clues.npy"] {
            let _ = fs::remove_file(folder.file(rest));
        }
    }
}

#[test]
fn ratings_and_techniques_are_numbers() {
    let folder = folder();
    folder
        .run("rate --difficulty -q p.txt --format csv -o t.csv")
        .status(1);
    folder
        .run("rate --difficulty -q p.txt --format npy -o t.npy")
        .status(1);
    let text = folder.read("t.csv");
    let table = table(&text);
    for name in ["er", "ep", "ed", "guesses", "status"] {
        check(&npy(&folder.file(&format!("t.{name}.npy"))), &table[name]);
    }
    let names: Vec<_> = sudoku_batch::technique::Technique::ALL
        .iter()
        .map(|t| t.name())
        .collect();
    let techniques = npy(&folder.file("t.technique.npy"));
    for (&code, text) in techniques.data.iter().zip(&table["technique"]) {
        assert_eq!(
            names.get(usize::from(code)).copied().unwrap_or_default(),
            *text
        );
    }
    let difficulties = npy(&folder.file("t.difficulty.npy"));
    let names = ["easy", "medium", "hard", "expert", "extreme"];
    for (&code, text) in difficulties.data.iter().zip(&table["difficulty"]) {
        assert_eq!(
            names.get(usize::from(code)).copied().unwrap_or_default(),
            *text
        );
    }
}

#[test]
fn columns_are_chosen() {
    let folder = folder();
    let text = folder.read("r.csv");
    let table = table(&text);
    folder
        .run("solve -q r.csv --columns status -o one.npy")
        .status(1);
    assert_eq!(npy(&folder.file("one.npy")).shape, [300]);
    // A column of the input beside one of the command.
    folder
        .run("solve -q r.csv --columns solution,rating -o two.npy")
        .status(1);
    check(&npy(&folder.file("two.rating.npy")), &table["rating"]);
    assert!(
        npy(&folder.file("two.npy")).cells()[7]
            .iter()
            .all(|&cell| cell == 0)
    );
    // The column of the puzzles is chosen by another option.
    folder
        .run("convert -q r.csv --puzzle-column answer --columns answer -o three.npy")
        .status(0);
    check(&npy(&folder.file("three.npy")), &table["answer"]);
    folder
        .run("puzzles 50 -q --columns solution -o four.npy")
        .status(0);
    assert_eq!(npy(&folder.file("four.npy")).cells().len(), 50);
    // A column with a new name, whose file has it too.
    folder
        .run("solve -q r.csv --columns how=status,solution -o five.npy")
        .status(1);
    assert_eq!(
        fs::read(folder.file("five.how.npy")).unwrap(),
        fs::read(folder.file("one.npy")).unwrap()
    );
    let names = folder.names();
    for (command, message) in [
        ("solve p.txt --format npy", "not to a pipe"),
        (
            "solve p.txt --format npy -o /dev/stdout --columns solution",
            "neither compressed nor a pipe",
        ),
        ("generate 5 --format npy", "not to a pipe"),
        (
            "solve p.txt --format npy -o x.npy.gz",
            "neither compressed nor a pipe",
        ),
        (
            "solve p.txt --format npy --compress zstd -o x.npy",
            "--compress has no effect",
        ),
        (
            "generate 5 --format npy --compress zstd -o x.npy",
            "--compress has no effect",
        ),
        (
            "convert p.txt --format npy --blank 0 -o x.npy",
            "--blank has no effect",
        ),
        (
            "solve p.txt --format csv --columns status -o x.npy",
            "--format csv contradicts the name x.npy",
        ),
        (
            "solve r.csv --columns nothing -o x.npy",
            "solution, status, id, source, question",
        ),
        (
            "solve r.csv --puzzle-column nothing -o x.npy",
            "r.csv: there is no column nothing",
        ),
        ("convert r.csv --columns source -o x.npy", "column has text"),
        ("convert p.txt --input-format npy", "invalid value"),
        ("solve p.txt --format hrm -o x", "invalid value"),
        ("augment r.csv --test 10%", "without --format hrm"),
        ("augment r.csv --format hrm", "--output-dir DIR is required"),
        (
            "augment r.csv --format hrm --output-dir x --keep",
            "--keep has no effect",
        ),
    ] {
        folder.refuses(command, message);
        assert_eq!(folder.names(), names, "{command}");
    }
}

#[test]
fn text_is_left_out_and_a_late_one_is_an_error() {
    let folder = folder();
    folder
        .run("convert r.csv -o t.npy")
        .says("leave out source");
    let mut text = String::from("puzzle,rating\n");
    let puzzle = data("easy", 1).remove(0);
    (0..2000).for_each(|_| text += &format!("{puzzle},1\n"));
    let folder = folder.with("late.csv", text.clone() + &format!("{puzzle},hard\n"));
    let names = folder.names();
    let ran = folder
        .run("convert late.csv -o late.npy --format npy -j 2")
        .status(2);
    ran.says("late.csv:2002: column rating: \"hard\" is not a number");
    assert_eq!(folder.names(), names);
}

#[test]
fn folders_parts_and_shards() {
    let folder = folder();
    folder
        .run("solve -q p.txt r.csv --format npy --output-dir out")
        .status(1);
    let whole = npy(&folder.file("out/p.npy"));
    assert_eq!(whole.data, npy(&folder.file("out/r.npy")).data);
    for shard in 1..=3 {
        folder.run(&format!("solve -q p.txt --shard {shard}/3 -o s{shard}.npy"));
    }
    let parts = [1, 2, 3].map(|shard| npy(&folder.file(&format!("s{shard}.npy"))));
    assert_eq!(parts.iter().map(|part| part.shape[0]).sum::<usize>(), 300);
    assert_eq!(parts.map(|part| part.data).concat(), whole.data);
    // A split writes the columns of each part.
    folder
        .run("split -q --test 20% r.csv --output-dir text")
        .status(1);
    folder
        .run("split -q --test 20% r.csv --format npy --output-dir arrays")
        .status(1);
    for part in ["train", "test", "rejected"] {
        let text = folder.read(&format!("text/{part}.csv"));
        let table = table(&text);
        for name in ["id", "question", "answer", "rating"] {
            let array = npy(&folder.file(&format!("arrays/{part}.{name}.npy")));
            check(&array, &table[name]);
        }
    }
}

fn solution(puzzle: &Puzzle) -> Option<Grid> {
    match Solver::new().solve(puzzle) {
        Outcome::Unique(grid) => Some(grid),
        _ => None,
    }
}

/// A row of the folder as the puzzle and the solution that it stands for.
fn pair(input: &[u8], label: &[u8]) -> (Puzzle, Grid) {
    let text = |row: &[u8]| -> String {
        let cell = |&cell: &u8| match cell {
            1 => '.',
            2..=10 => char::from(b'0' + cell - 1),
            _ => panic!("{cell} is not in the vocabulary"),
        };
        row.iter().map(cell).collect()
    };
    (text(input).parse().unwrap(), text(label).parse().unwrap())
}

/// The groups of a set: for each puzzle its rows, and the canonical form that all of them have.
fn groups(folder: &Folder, set: &str) -> Vec<(Puzzle, Vec<Puzzle>)> {
    let array = |name: &str| npy(&folder.file(&format!("{set}/all__{name}.npy")));
    let (inputs, labels) = (array("inputs"), array("labels"));
    let (inputs, labels) = (inputs.cells(), labels.cells());
    let rows = inputs.len();
    assert_eq!(labels.len(), rows);
    assert_eq!(
        array("puzzle_indices").integers(),
        (0..=rows).collect::<Vec<_>>()
    );
    assert_eq!(array("puzzle_identifiers").integers(), vec![0; rows]);
    let ends = array("group_indices").integers();
    assert_eq!((ends[0], *ends.last().unwrap()), (0, rows));
    let about = folder.read(&format!("{set}/dataset.json"));
    let about: serde_json::Value = serde_json::from_str(&about).unwrap();
    let number = |name: &str| about[name].as_f64().unwrap();
    assert_eq!(number("total_groups") as usize, ends.len() - 1);
    assert_eq!(
        [number("seq_len"), number("vocab_size"), number("pad_id")],
        [81.0, 11.0, 0.0]
    );
    assert_eq!(about["sets"], serde_json::json!(["all"]));
    let group = |range: &[usize]| {
        let pairs = (range[0]..range[1]).map(|row| pair(inputs[row], labels[row]));
        let mut forms = BTreeSet::new();
        let puzzles = pairs.map(|(puzzle, grid)| {
            assert_eq!(solution(&puzzle), Some(grid));
            forms.insert(CanonicalPuzzle::new(&puzzle, &grid).puzzle().clues());
            puzzle
        });
        let puzzles: Vec<_> = puzzles.collect();
        assert_eq!(forms.len(), 1, "a group has images of one puzzle");
        (forms.pop_first().unwrap(), puzzles)
    };
    ends.windows(2).map(group).collect()
}

#[test]
fn the_folder_of_hrm() {
    // Each fifth puzzle comes again, as an image; some records have not one solution.
    let puzzles = data("minimal", 400);
    let mut text = String::from("question,rating\n");
    for (number, puzzle) in (1..).zip(&puzzles) {
        text += &format!("{puzzle},3\n");
        if number % 5 == 0 {
            let by = Transformation::numbered(number * 123_456_789);
            text += &format!("{},3\n", by.puzzle(&puzzle.parse::<Puzzle>().unwrap()));
        }
    }
    text += &format!("{},1\n12x,1\n11{},1\n", ".".repeat(81), ".".repeat(79));
    let folder = Folder::new().with("raw.csv", &text);
    let hrm = "augment --format hrm raw.csv --seed 4 --test 20%";
    let ran = folder.run(&format!(
        "{hrm} --copies 30 --subsample 50 --output-dir a -j 1 --summary json"
    ));
    let ran = ran
        .status(1)
        .says("\"train_rows\":1500")
        .says("\"multiple\":1");
    ran.says("have not exactly one solution");
    let [train, test] = ["a/train", "a/test"].map(|set| groups(&folder, set));
    assert_eq!(train.len(), 50);
    assert!((40..130).contains(&test.len()), "{}", test.len());
    assert_eq!(folder.read("a/identifiers.json").trim(), "[\"<blank>\"]");
    let mut all = BTreeSet::new();
    for (_, rows) in &train {
        assert_eq!(rows.len(), 30);
        // The first is a record itself.
        assert!(text.contains(rows[0].as_str()));
        assert!(
            rows.iter().all(|row| all.insert(*row)),
            "no image comes twice"
        );
    }
    for (_, rows) in &test {
        assert_eq!(rows.len(), 1);
        assert!(text.contains(rows[0].as_str()));
        assert!(all.insert(rows[0]));
    }
    let forms: BTreeSet<_> = train.iter().chain(&test).map(|(form, _)| *form).collect();
    assert_eq!(
        forms.len(),
        train.len() + test.len(),
        "no form is in two groups"
    );
    // All forms of the input are in the two sets if there is no subsample.
    folder
        .run(&format!("{hrm} --output-dir all --copies 1"))
        .status(1);
    let [train_all, test_all] = ["all/train", "all/test"].map(|set| groups(&folder, set));
    let mut expected = BTreeSet::new();
    for puzzle in &puzzles {
        let puzzle = puzzle.parse().unwrap();
        let form = CanonicalPuzzle::new(&puzzle, &solution(&puzzle).unwrap());
        expected.insert(form.puzzle().clues());
    }
    let found: BTreeSet<_> = train_all
        .iter()
        .chain(&test_all)
        .map(|(form, _)| *form)
        .collect();
    assert_eq!(found, expected);
    assert_eq!(found.len(), train_all.len() + test_all.len());
    assert_eq!(test_all, test);
    // The part of a puzzle is that of `split`, and the subsample does not depend on the order.
    folder
        .run("split -q raw.csv --seed 4 --test 20% --output-dir parts")
        .status(1);
    let part = folder.read("parts/test.csv");
    assert!(test.iter().all(|(_, rows)| part.contains(rows[0].as_str())));
    let mut lines: Vec<_> = text.lines().collect();
    lines[1..].reverse();
    let folder = folder.with("raw.csv", lines.join("\n"));
    folder
        .run(&format!(
            "{hrm} --copies 2 --subsample 50 --output-dir back"
        ))
        .status(1);
    let back: BTreeSet<_> = groups(&folder, "back/train")
        .into_iter()
        .map(|(form, _)| form)
        .collect();
    assert_eq!(back, train.iter().map(|(form, _)| *form).collect());
    // Several threads write the same bytes.
    let folder = folder.with("raw.csv", &text);
    folder
        .run(&format!(
            "{hrm} --copies 30 --subsample 50 --output-dir b -j 3"
        ))
        .status(1);
    for set in ["train", "test"] {
        for name in [
            "inputs",
            "labels",
            "puzzle_indices",
            "group_indices",
            "puzzle_identifiers",
        ] {
            let [a, b] =
                ["a", "b"].map(|f| fs::read(folder.file(&format!("{f}/{set}/all__{name}.npy"))));
            assert_eq!(a.unwrap(), b.unwrap());
        }
    }
    // Few operations give few images: a puzzle and its transpose.
    let few = "--copies 5 --include transposition --output-dir few --summary json";
    folder
        .run(&format!("{hrm} {few}"))
        .status(1)
        .says("\"with_fewer_images\":");
    assert!(
        groups(&folder, "few/train")
            .iter()
            .all(|(_, rows)| rows.len() == 2)
    );
}
