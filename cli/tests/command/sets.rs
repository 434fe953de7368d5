//! `sudoku-batch canonical`, `dedup`, `augment` and `split`, from the outside: on sets with
//! planted equivalents.

use crate::support::{
    random_words::Words,
    runner::Folder,
    shared_forms::{NOTATIONS, OF_SEVERAL_LINES},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
    fs,
};
use sudoku_batch::{
    Outcome, Puzzle, Solver,
    symmetry::{CanonicalGrid, CanonicalPuzzle, Transformation},
};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");

fn lines(name: &str, most: usize) -> Vec<String> {
    let text = fs::read_to_string(format!("{DATA}/{name}.txt")).unwrap();
    text.lines().take(most).map(Into::into).collect()
}

fn solution(puzzle: &Puzzle) -> sudoku_batch::Grid {
    match Solver::new().solve(puzzle) {
        Outcome::Unique(grid) => grid,
        _ => panic!("{puzzle} has one solution"),
    }
}

/// A set in which each of some puzzles is planted several times: the same cells, an image, or
/// another puzzle of the same solution (one clue more). `same[i]` tells for each way of
/// comparing which base puzzle line i stands for.
struct Planted {
    lines: Vec<String>,
    /// By equality, by symmetry, by solution, by minlex.
    same: [Vec<String>; 4],
}

fn planted() -> Planted {
    let mut words = Words::new(21);
    let mut all: Vec<(String, [String; 3])> = Vec::new();
    // The puzzles in `data` are made from 256 grids and their images: one of each is taken.
    let mut bases = lines("minimal", 600);
    let mut seen = BTreeSet::new();
    bases.retain(|line| seen.insert(CanonicalGrid::new(&solution(&line.parse().unwrap())).grid()));
    for (base, line) in bases[..BASES].iter().enumerate() {
        let puzzle: Puzzle = line.parse().unwrap();
        let grid = solution(&puzzle);
        for copy in 0..4 {
            let mut image = puzzle;
            let mut kind = format!("{base}");
            if copy == 3 {
                // One clue more: another puzzle of the same solution.
                let blank = |&cell: &sudoku_batch::Cell| puzzle.get(cell).is_none();
                let cell = sudoku_batch::Cell::all().find(blank).unwrap();
                image.set(cell, Some(grid.get(cell)));
                kind += "+";
            }
            if copy != 1 {
                let number = words.next() % Transformation::COUNT;
                image = Transformation::numbered(number).puzzle(&image);
            } else {
                image = all.last().map_or(puzzle, |(line, _)| line.parse().unwrap());
            }
            let line = image.to_string();
            all.push((line.clone(), [line, kind, format!("{base}")]));
        }
    }
    // In random order.
    for i in (1..all.len()).rev() {
        all.swap(i, words.below(i + 1));
    }
    // All have one solution, so that minlex and symmetry find the same images.
    let same = [0, 1, 2, 1].map(|by| all.iter().map(|(_, same)| same[by].clone()).collect());
    Planted {
        lines: all.into_iter().map(|(line, _)| line).collect(),
        same,
    }
}

/// How many puzzles are planted, four times each.
const BASES: usize = 150;

const WAYS: [&str; 4] = ["equality", "symmetry", "solution", "minlex"];

#[test]
fn the_first_of_each_group_is_kept() {
    let planted = planted();
    let folder = Folder::new().with("all.txt", planted.lines.join("\n"));
    for (by, same) in WAYS.iter().zip(&planted.same) {
        let mut first = BTreeMap::new();
        let (mut kept, mut list) = (String::new(), String::new());
        for (number, (line, same)) in (1..).zip(planted.lines.iter().zip(same)) {
            match first.get(same) {
                Some(before) => writeln!(list, "{number}\t{before}").unwrap(),
                None => {
                    first.insert(same, number);
                    writeln!(kept, "{line}").unwrap();
                }
            }
        }
        assert!(list.lines().count() >= 150, "{by}");
        for options in ["-j 1", "-j 3", "-j 2 --memory 16M"] {
            let line = format!("dedup --by {by} all.txt --duplicates list.tsv {options}");
            let ran = folder.run(&line).status(0).prints(&kept);
            ran.says(&format!(
                "600 records: {} kept, {} repeated",
                first.len(),
                600 - first.len()
            ));
            assert_eq!(folder.read("list.tsv"), list, "{options}");
        }
    }
}

/// More records than fit: found on disk, in two readings, with the same answers.
#[test]
fn what_does_not_fit_goes_to_disk() {
    // 16 MB are enough for 500,000 records by the length of the file: 600,000 lines.
    let base = planted().lines.join("\n") + "\n";
    let folder = Folder::new().with("all.txt", base.repeat(1100));
    let expected = folder
        .run("dedup --by equality all.txt --duplicates a.tsv")
        .status(0);
    let ran = folder
        .run("dedup --by equality all.txt --memory 16M --duplicates b.tsv")
        .status(0);
    assert_eq!(ran.stdout, expected.stdout);
    assert_eq!(folder.read("a.tsv"), folder.read("b.tsv"));
    assert_eq!(
        folder.read("a.tsv").lines().count(),
        660_000 - expected.stdout.lines().count()
    );
    let ran = folder.run_on("", "dedup --memory 16M").status(2);
    ran.says("has to be read twice");
    folder.refuses("dedup --memory 1M all.txt", "16M at the least");
}

#[test]
fn what_cannot_be_compared_is_kept() {
    let empty = ".".repeat(81);
    let folder = Folder::new().with(
        "p.csv",
        format!("id,puzzle\n1,{empty}\n2,bad\n3,{empty}\n4,bad\n"),
    );
    for by in WAYS {
        let ran = folder.run(&format!("dedup --by {by} p.csv")).status(1);
        let ran = ran.prints(&format!("id,puzzle\n1,{empty}\n2,bad\n4,bad\n"));
        ran.says("4 records: 3 kept, 1 repeated");
    }
    let ran = folder.run("dedup p.csv").status(1);
    ran.says("4 of 4 records have no canonical form")
        .says("2 multiple, 2 malformed");
}

/// Equal records are the same by every way of comparing, in every spelling, with any number of
/// solutions. Nothing else is, but images of records with one solution.
#[test]
fn equal_records_are_the_same_with_any_number_of_solutions() {
    let unique: Puzzle = lines("minimal", 1)[0].parse().unwrap();
    let mut several = unique;
    let clue = sudoku_batch::Cell::all().find(|&cell| several.get(cell).is_some());
    several.set(clue.unwrap(), None);
    let none = format!("{}5......5", &".".repeat(73));
    let image = |puzzle: &Puzzle| Transformation::numbered(98_765_432_101).puzzle(puzzle);
    let [u, ui, s, si] = [unique, image(&unique), several, image(&several)].map(|p| p.to_string());
    // Nine digits a cell for a blank, and the digit for a clue.
    let candidates: String = (s.chars())
        .flat_map(|clue| ('1'..='9').map(move |d| if clue == '.' || clue == d { d } else { '.' }))
        .collect();
    // A Sukaku with several solutions, which no 81 cells say.
    let sukaku = format!(".{}", "123456789".repeat(81).split_off(1));
    let all = [
        &u,
        &s,
        &none,
        &s.replace('.', "0"),
        &si,
        &ui,
        &candidates,
        &u,
        &sukaku,
        &none,
        &sukaku,
    ];
    let text: String = all.iter().map(|line| format!("{line}\n")).collect();
    let folder = Folder::new().with("all.txt", text);
    for (by, repeats) in WAYS.into_iter().zip([
        "4\t2\n7\t2\n8\t1\n10\t3\n11\t9\n",
        "4\t2\n6\t1\n7\t2\n8\t1\n10\t3\n11\t9\n",
        "4\t2\n6\t1\n7\t2\n8\t1\n10\t3\n11\t9\n",
        // The image of the one with several solutions too.
        "4\t2\n5\t2\n6\t1\n7\t2\n8\t1\n10\t3\n11\t9\n",
    ]) {
        for options in ["-j 1", "-j 3", "--memory 16M"] {
            let status = i32::from(by != "equality");
            let line =
                format!("dedup --by {by} all.txt {options} --duplicates list.tsv -o kept.txt");
            folder.run(&line).status(status);
            assert_eq!(folder.read("list.tsv"), repeats, "{by} {options}");
        }
        // The parts of a split: those without a canonical form are together, away from train and test.
        folder.run(&format!(
            "split --parts a=1,b=1 --by {by} all.txt --output-dir {by}"
        ));
        let rejected = folder.read(&format!("{by}/rejected.txt")).lines().count();
        // By minlex those with several solutions have a form; a row with two 5 has none.
        let expected = match by {
            "equality" => 0,
            "minlex" => 4,
            _ => 8,
        };
        assert_eq!(rejected, expected, "{by}");
    }
}

#[test]
fn no_group_is_on_both_sides() {
    let planted = planted();
    let folder = Folder::new().with("all.txt", planted.lines.join("\n"));
    for (by, same) in WAYS.iter().zip(&planted.same) {
        let line =
            format!("split --parts a=2,b=1,c=1 --by {by} --seed 5 all.txt --output-dir {by}");
        folder.prints(&line, "");
        let mut parts = BTreeMap::new();
        for part in ["a", "b", "c"] {
            for line in folder.read(&format!("{by}/{part}.txt")).lines() {
                parts.insert(line.to_owned(), part);
            }
        }
        assert_eq!(folder.read(&format!("{by}/rejected.txt")), "");
        let mut groups: BTreeMap<&String, BTreeSet<&str>> = BTreeMap::new();
        for (line, same) in planted.lines.iter().zip(same) {
            groups.entry(same).or_default().insert(parts[line]);
        }
        assert!(groups.values().all(|parts| parts.len() == 1), "{by} leaks");
        let sizes =
            ["a", "b", "c"].map(|part| groups.values().filter(|p| p.contains(part)).count());
        let all = groups.len() as f64;
        for (size, share) in sizes.into_iter().zip([0.5, 0.25, 0.25]) {
            let deviation = (all * share * (1.0 - share)).sqrt();
            assert!(
                (size as f64 - all * share).abs() < 4.0 * deviation,
                "{sizes:?}"
            );
        }
        // Each record is in one part, in the order of the input.
        for part in ["a", "b", "c"] {
            let expected: Vec<&str> = (planted.lines.iter().map(String::as_str))
                .filter(|line| parts[*line] == part)
                .collect();
            assert_eq!(
                folder.read(&format!("{by}/{part}.txt")),
                expected.join("\n") + "\n"
            );
        }
    }
}

/// A record goes where it goes in a file of its own, in any order, in any company.
#[test]
fn parts_depend_on_the_record_alone() {
    let all = lines("minimal", 400);
    let (one, two) = all.split_at(123);
    let reversed: Vec<&str> = all.iter().rev().map(String::as_str).collect();
    let folder = Folder::new()
        .with("all.txt", all.join("\n"))
        .with("one.txt", one.join("\n"))
        .with("two.txt", two.join("\n"))
        .with("back.txt", reversed.join("\n"));
    let test = |arguments: &str| {
        let line = format!("split --test 10% {arguments} --output-dir parts");
        folder.run(&line).status(0);
        folder.read("parts/test.txt")
    };
    let whole = test("all.txt");
    assert!((15..70).contains(&whole.lines().count()));
    assert_eq!(test("one.txt") + &test("two.txt"), whole);
    assert_eq!(test("one.txt two.txt -j 1"), whole);
    let back: Vec<String> = test("back.txt").lines().rev().map(Into::into).collect();
    assert_eq!(back.join("\n") + "\n", whole);
    assert_ne!(test("all.txt --seed 1"), whole);
}

#[test]
fn parts_have_the_form_of_the_input() {
    let [a, b] = [&lines("easy", 2)[0], &lines("easy", 2)[1]];
    let folder = Folder::new()
        .with(
            "p.csv",
            format!("source,question,rating\r\nx,{a},1\r\ny,bad,2\r\nz,{b},3\r\n"),
        )
        .with(
            "p.jsonl",
            format!("{{\"q\": {{\"puzzle\": \"{a}\"}}}}\n{{\"puzzle\": 3}}\n"),
        );
    let ran = folder
        .run("split --parts all=1,none=0 p.csv --output-dir new/folder")
        .status(1);
    ran.says("1 of 3 records could not be compared")
        .says("p.csv:3: malformed");
    let header = "source,question,rating\r\n";
    assert_eq!(
        folder.read("new/folder/all.csv"),
        format!("{header}x,{a},1\r\nz,{b},3\r\n")
    );
    assert_eq!(folder.read("new/folder/none.csv"), header);
    assert_eq!(
        folder.read("new/folder/rejected.csv"),
        format!("{header}y,bad,2\r\n")
    );
    folder
        .run("split --parts all=1 p.jsonl --puzzle-column q.puzzle --output-dir lines")
        .status(1);
    assert_eq!(
        folder.read("lines/all.jsonl"),
        format!("{{\"q\": {{\"puzzle\": \"{a}\"}}}}\n")
    );
    for (arguments, error) in [
        ("--parts a=1,a=2", "two parts a"),
        ("--parts a=0,b=0", "one above 0"),
        ("--parts ../a=1", "letters, digits"),
        ("--parts rejected=1", "rejected"),
        ("--test 101%", "a share"),
        ("--test 10% --parts a=1", "cannot be used with"),
        ("", "--test"),
        ("--test 10% -o x", "unexpected argument '-o'"),
    ] {
        let ran = folder
            .run(&format!("split {arguments} p.csv --output-dir no"))
            .status(2);
        ran.says(error);
    }
    assert!(!folder.names().contains(&"no".into()));
    folder.refuses("split --test 10% p.csv", "--output-dir");
}

#[test]
fn forms_are_those_of_the_library() {
    let mut all = lines("minimal", 40);
    all.extend(lines("easy.solved", 40));
    all.insert(7, ".".repeat(81));
    all.insert(9, "bad".into());
    let folder = Folder::new().with("p.txt", all.join("\n"));
    let (mut plain, mut full) = (String::new(), String::new());
    for line in &all {
        let unique = line
            .parse::<Puzzle>()
            .ok()
            .filter(|puzzle| puzzle.clue_count() > 0);
        let Some(puzzle) = unique else {
            writeln!(plain, "{}", ".".repeat(81)).unwrap();
            writeln!(full, "{}\t\t", ".".repeat(81)).unwrap();
            continue;
        };
        let grid = solution(&puzzle);
        let form = CanonicalPuzzle::new(&puzzle, &grid);
        if puzzle.clue_count() == 81 {
            assert_eq!(
                form.puzzle().clues(),
                CanonicalGrid::new(&grid).grid().into()
            );
        }
        writeln!(plain, "{}", form.puzzle()).unwrap();
        writeln!(
            full,
            "{}\t{}\t{}",
            form.puzzle(),
            form.transformation(),
            form.automorphisms()
        )
        .unwrap();
        assert_eq!(form.transformation().puzzle(&puzzle), form.puzzle().clues());
    }
    folder
        .run("canonical p.txt -j 3")
        .status(1)
        .prints(&plain)
        .says("p.txt:10: malformed");
    let ran = folder
        .run("canonical p.txt --transformation --automorphisms")
        .status(1);
    ran.prints(&full)
        .says("2 of 82 records have no canonical form");
    let folder = folder.with("p.csv", format!("puzzle\n{}\n12\n", all[0]));
    let form = plain.lines().next().unwrap();
    let expected = format!(
        "puzzle,canonical,status\n{},{form},unique\n12,,malformed\n",
        all[0]
    );
    folder.run("canonical p.csv").status(1).prints(&expected);
}

#[test]
fn extreme_images_are_those_of_the_library() {
    let mut all = lines("minimal", 20);
    // A minimal puzzle without one of its clues has several solutions.
    let several = lines("minimal", 40).split_off(20);
    all.extend((several.iter()).map(|line| line.replacen(|c: char| c != '.', ".", 1)));
    all.extend(lines("easy.solved", 2));
    let image = |puzzle: &str, largest: bool| {
        let puzzle: Puzzle = puzzle.parse().unwrap();
        match largest {
            true => CanonicalPuzzle::largest_image(&puzzle),
            false => CanonicalPuzzle::smallest_image(&puzzle),
        }
        .unwrap()
    };
    let empty = ".".repeat(81);
    all.push(empty.clone());
    let twice = format!("1.......1{}", &empty[9..]);
    let folder = Folder::new()
        .with("p.txt", all.join("\n"))
        .with("bad.txt", format!("{}\n{twice}\nbad\n", all[0]));
    for (option, largest) in [("--minlex", false), ("--maxlex", true)] {
        let (mut plain, mut full) = (String::new(), String::new());
        for line in &all {
            let image = image(line, largest);
            writeln!(plain, "{}", image.puzzle()).unwrap();
            let (form, way) = (image.puzzle(), image.transformation());
            writeln!(full, "{form}\t{way}\t{}", image.automorphisms()).unwrap();
        }
        let ran = folder.run(&format!("canonical {option} p.txt -j 3"));
        let says = "43 records: 22 unique, 21 multiple";
        ran.status(0).prints(&plain).says(says);
        let all = "--transformation --automorphisms --verify";
        folder.prints(&format!("canonical {option} p.txt {all}"), &full);
        let ran = folder.run(&format!("canonical {option} bad.txt"));
        ran.status(1)
            .prints(&format!(
                "{}\n{empty}\n{empty}\n",
                plain.lines().next().unwrap()
            ))
            .says("bad.txt:2: row-duplicate: 1 at r1c1 and r1c9")
            .says("2 of 3 records have no canonical form");
    }
    // Blanks before digits, digits as they appear; the forms that Dobrichev and 1to9only write.
    let folder = folder.with(
        "sparse.csv",
        format!("puzzle\n{}\n{}7\n", all[0], &empty[1..]),
    );
    let one = format!("{}1", &empty[1..]);
    folder.prints("canonical --minlex --automorphisms sparse.csv -q", &format!(
            "puzzle,canonical,automorphisms,status\n{},{},1,unique\n{}7,{one},1672151040,multiple\n",
            all[0],
            image(&all[0], false).puzzle(),
            &empty[1..]
        ));
    // 81 cells by candidates have the same image, by candidates. Others have none.
    let by_candidates = |puzzle: &str| -> String {
        let shown = |clue, d| if clue == '.' || clue == d { d } else { '.' };
        let cells = puzzle.chars();
        cells
            .flat_map(|clue| ('1'..='9').map(move |d| shown(clue, d)))
            .collect()
    };
    let sukaku = format!(".{}", &by_candidates(&empty)[1..]);
    let both = format!("{}\n{sukaku}\n", by_candidates(&all[0]));
    let ran = folder.run_on(&both, "canonical --minlex").status(1);
    let form = by_candidates(image(&all[0], false).puzzle().clues().as_str());
    assert_eq!(ran.stdout.lines().next(), Some(&form[..]));
    ran.says(":2: malformed").says("1 unique, 1 malformed");
    folder.refuses("canonical --minlex --maxlex p.txt", "cannot be used with");
}

/// Images that are planted among other puzzles are found, and nothing else: in memory and on disk, in any
/// form, and over several files.
#[test]
fn records_of_other_files_are_found() {
    let mut words = Words::new(77);
    let mut random = || Transformation::numbered(words.next() % Transformation::COUNT);
    let mut image = |line: &str| {
        random()
            .puzzle(&line.parse::<Puzzle>().unwrap())
            .to_string()
    };
    // One puzzle of each class of `data`, so that nothing else is equivalent.
    let mut bases = lines("minimal", 600);
    let mut seen = BTreeSet::new();
    bases.retain(|line| {
        let puzzle: Puzzle = line.parse().unwrap();
        seen.insert(CanonicalPuzzle::new(&puzzle, &solution(&puzzle)).puzzle())
    });
    let (others, mine) = bases.split_at(bases.len() / 2);
    let (first, second) = others.split_at(others.len() / 3);
    // Each seventh record is an image of one in the other files; two repeat one before.
    let (mut records, mut kept, mut list) = (Vec::new(), String::new(), String::new());
    let (mut shared, mut of_shared) = (String::new(), String::new());
    for (number, line) in mine.iter().enumerate() {
        if number % 7 == 3 {
            let other = number * 5 % others.len();
            let line = image(&others[other]);
            let (at, name) = match other.checked_sub(first.len()) {
                None => (other, "a.csv.gz"),
                Some(at) => (at, "b.txt"),
            };
            // The second file has its header-free records from line 1, with one malformed record first.
            let at = at + 1 + usize::from(name == "b.txt");
            records.push(line.clone());
            let row = format!("{}\t{at}\t{name}\n", records.len());
            list += &row;
            of_shared += &row;
            writeln!(shared, "{line}").unwrap();
        } else {
            records.push(line.clone());
            writeln!(kept, "{line}").unwrap();
        }
        if number == 20 || number == 41 {
            records.push(image(line));
            writeln!(list, "{}\t{}", records.len(), records.len() - 1).unwrap();
        }
    }
    let table: String = first.iter().map(|line| format!("x,{line}\n")).collect();
    let folder = Folder::new()
        .with("p.txt", records.join("\n"))
        .with("a.csv", format!("id,puzzle\n{table}"))
        .with("b.txt", format!("bad\n{}\n", second.join("\n")));
    folder.run("convert a.csv -o a.csv.gz -q").status(0);
    let found = shared.lines().count();
    assert!(found >= 20 && kept.lines().count() > 100);
    let against = "--against a.csv.gz --against b.txt --duplicates list.tsv";
    for options in ["", "-j 3", "--by minlex -j 1", "--memory 16M"] {
        let ran = folder
            .run(&format!("dedup p.txt {against} {options}"))
            .status(1);
        ran.prints(&kept)
            .says("b.txt:1: malformed")
            .says(&format!("2 repeated, {found} shared"))
            .says(&format!("against {}", others.len() + 1));
        assert_eq!(folder.read("list.tsv"), list, "{options}");
        let ran = folder.run(&format!("dedup p.txt {against} --shared {options}"));
        ran.status(1).prints(&shared);
        assert_eq!(folder.read("list.tsv"), of_shared, "{options}");
    }
    // A pattern of the shell gives several files: all are compared with, and none becomes an input.
    for call in [
        "dedup -q p.txt --against a.csv.gz b.txt",
        "dedup --against a.csv.gz b.txt -q p.txt",
    ] {
        folder.run(call).status(1).prints(&kept);
    }
    let ran = folder.run_on(folder.read("p.txt"), "dedup -q - --against a.csv.gz b.txt");
    ran.status(1).prints(&kept);
    let refused = "Name the input first, or - for standard input: dedup p.txt --against a.csv";
    folder.refuses("dedup --against a.csv p.txt", refused);
    folder.refuses(
        "near --against a.csv b.txt p.txt -q",
        "all 3 files behind --against",
    );
    // Without the malformed record nothing fails.
    let ran = folder.run("dedup p.txt --against a.csv --summary json");
    let ran = ran.status(0);
    let of_first = list.matches("a.csv.gz").count();
    ran.says(&format!("\"repeated\":2,\"shared\":{of_first}"))
        .says(&format!("\"against\":{}", first.len()));
    // Equal cells are no images of one another.
    let ran = folder.run("dedup p.txt --by equality --against a.csv");
    ran.status(0).says(&format!("{} kept", records.len()));
    // The set against itself, and against no records.
    let ran = folder.run("dedup p.txt --against p.txt").status(0);
    ran.prints("").says(&format!("{} shared", records.len()));
    let ran = folder.run_on("", "dedup p.txt --against -").status(0);
    ran.says("2 repeated");
}

/// More records than fit, and other files beside them: the same answers by way of the disk.
#[test]
fn records_of_other_files_are_found_on_disk() {
    let base = planted().lines.join("\n") + "\n";
    let other: String = base
        .lines()
        .step_by(3)
        .map(|line| format!("{line}\n"))
        .collect();
    let folder = Folder::new()
        .with("all.txt", base.repeat(900))
        .with("other.txt", other.repeat(600));
    let call = "dedup --by equality all.txt --against other.txt --duplicates";
    let expected = folder.run(&format!("{call} a.tsv")).status(0);
    let ran = folder.run(&format!("{call} b.tsv --memory 16M")).status(0);
    assert_eq!(ran.stdout, expected.stdout);
    let (list, by_disk) = (folder.read("a.tsv"), folder.read("b.tsv"));
    assert_eq!(list, by_disk);
    let shared = list.lines().filter(|line| line.ends_with("\tother.txt"));
    assert!(shared.count() >= 900 * 200);
}

#[test]
fn other_files_are_inputs() {
    let folder = Folder::new().with("p.txt", lines("minimal", 3).join("\n"));
    for (call, says) in [
        ("dedup p.txt --against missing.txt", "missing.txt"),
        ("dedup p.txt --shared", "--against"),
        ("dedup - --against -", "standard input (-) can be read once"),
        (
            "dedup --memory 16M - --against p.txt",
            "has to be read twice",
        ),
        ("dedup p.txt --strict --against bad.csv", "bad.csv:3"),
    ] {
        let folder = Folder::new().with("p.txt", folder.read("p.txt")).with(
            "bad.csv",
            format!("puzzle\n{}\n12\n", lines("minimal", 1)[0]),
        );
        folder.run_on("", call).status(2).says(says);
    }
    // A column of the records is that of the others too, if they have it.
    let [one, other] = [0, 1].map(|n| lines("minimal", 2)[n].clone());
    let folder = folder
        .with("mine.csv", format!("a,b\n{one},{other}\n"))
        .with("theirs.csv", format!("b,a\n{one},{other}\n"));
    let run = |call: &str| folder.run(call).status(0);
    run("dedup mine.csv --puzzle-column a --against theirs.csv").says("1 kept");
    run("dedup mine.csv --puzzle-column b --against theirs.csv").says("1 kept");
    run("dedup mine.csv --puzzle-column a --against p.txt").says("1 shared");
}

#[test]
fn images_have_their_solutions_and_columns() {
    let (puzzles, solutions) = (lines("easy", 30), lines("easy.solved", 30));
    let mut table = String::from("source,question,answer,rating\n");
    for (i, (puzzle, solution)) in puzzles.iter().zip(&solutions).enumerate() {
        let solution = if i == 4 { "" } else { solution };
        writeln!(table, "\"s,{i}\",{puzzle},{solution},{i}").unwrap();
    }
    table += "last,bad,none,0\n";
    let folder = Folder::new()
        .with("p.csv", &table)
        .with("p.txt", puzzles.join("\n"));
    let ran = folder.run("augment -k 5 --seed 3 p.csv").status(1);
    let rows: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(rows[0], "source,question,answer,rating");
    assert_eq!(rows.len(), 1 + 150 + 1);
    assert_eq!(rows[151], "last,bad,none,0");
    let mut seen = BTreeSet::new();
    for (at, row) in rows[1..151].iter().enumerate() {
        let (i, fields) = (at / 5, row.rsplit(',').collect::<Vec<_>>());
        assert_eq!(fields[0], i.to_string());
        assert!(row.starts_with(&format!("\"s,{i}\",")));
        let image: Puzzle = fields[2].parse().unwrap();
        let original: Puzzle = puzzles[i].parse().unwrap();
        assert!(seen.insert(image));
        let form = |puzzle: &Puzzle| CanonicalPuzzle::new(puzzle, &solution(puzzle)).puzzle();
        assert_eq!(form(&image), form(&original));
        match i {
            4 => assert_eq!(fields[1], ""),
            _ => assert_eq!(fields[1], solution(&image).to_string()),
        }
    }
    let summary = "31 records: 150 images, 1 malformed, 1 without-solution";
    assert!(ran.stderr.contains(summary), "{}", ran.stderr);
    // Lines, more copies, and any number of threads give the same.
    let images: Vec<&str> = rows[1..151]
        .iter()
        .map(|row| row.rsplit(',').nth(2).unwrap())
        .collect();
    let more = folder.out("augment -k 7 --seed 3 p.txt -j 1");
    let first_five = more
        .lines()
        .enumerate()
        .filter(|(i, _)| i % 7 < 5)
        .map(|(_, line)| line);
    assert!(first_five.eq(images.iter().copied()));
    folder.prints("augment -k 7 --seed 3 p.txt -j 3", &more);
    // Kept records come first, and no image is the same.
    let kept = folder.out("augment -k 7 --seed 3 --keep p.txt");
    let is_kept = |(i, line): (usize, &str)| i % 8 != 0 || line == puzzles[i / 8];
    assert!(kept.lines().enumerate().all(is_kept));
    let images = kept
        .lines()
        .enumerate()
        .filter(|(i, _)| i % 8 > 0)
        .map(|(_, line)| line);
    assert!(images.eq(more.lines()));
}

#[test]
fn few_images_are_told_of() {
    let empty = ".".repeat(81);
    let folder = Folder::new().with("p.txt", format!("{empty}\n{}\n", lines("easy", 1)[0]));
    let ran = folder
        .run("augment -k 3 p.txt")
        .status(0)
        .says("4 images, 1 with-fewer-images");
    assert_eq!(ran.stdout.lines().next(), Some(empty.as_str()));
    let ran = folder
        .run("augment -k 3 --include transposition p.txt")
        .status(0);
    assert_eq!(ran.stdout.lines().count(), 1 + 2);
    let ran = folder
        .run("augment -k 3 --include transposition --keep p.txt")
        .status(0);
    assert_eq!(ran.stdout.lines().count(), 1 + 2);
    folder.refuses(
        "augment --include rotation p.txt",
        "relabelling, transposition",
    );
}

/// A record with an answer that is not its solution has no images, and its neighbours have theirs.
#[test]
fn a_wrong_answer_gives_no_images() {
    let [a, b] = [0, 1].map(|n| {
        (
            lines("easy", 2)[n].clone(),
            lines("easy.solved", 2)[n].clone(),
        )
    });
    let by_candidates: String = { a.1.bytes() }
        .flat_map(|right| (b'1'..=b'9').map(move |digit| if digit == right { digit } else { b'.' }))
        .map(char::from)
        .collect();
    let blank = a.0.find('.').unwrap();
    let [mut partial, mut exchanged] = [a.1.clone(), a.1.clone()];
    partial.replace_range(blank..=blank, ".");
    let digit = if &a.1[blank..=blank] == "1" { "2" } else { "1" };
    exchanged.replace_range(blank..=blank, digit);
    let wrong = [
        (&a.0, b.1.clone()),
        (&a.0, partial),
        (&a.0, exchanged),
        (
            &a.0,
            a.1.replace('1', "x").replace('2', "1").replace('x', "2"),
        ),
        (&by_candidates, b.1.clone()),
        (&a.0, a.1[1..].into()),
        (&a.0, a.1.clone() + "1"),
        (&a.0, "unknown".into()),
        (&a.0, "8.6e80".into()),
    ];
    for form in ["csv", "jsonl"] {
        let row = |id: usize, puzzle: &str, answer: &str| match form {
            "csv" => format!("{id},{puzzle},{answer}\n"),
            _ => format!("{{\"id\":{id},\"puzzle\":\"{puzzle}\",\"answer\":\"{answer}\"}}\n"),
        };
        let head = if form == "csv" {
            "id,puzzle,answer\n"
        } else {
            ""
        };
        let right = head.to_owned() + &row(0, &a.0, &a.1) + &row(9, &b.0, &b.1);
        for (puzzle, answer) in &wrong {
            let mixed = head.to_owned()
                + &row(0, &a.0, &a.1)
                + &row(1, puzzle, answer)
                + &row(9, &b.0, &b.1);
            let folder = Folder::new()
                .with(&format!("mixed.{form}"), &mixed)
                .with(&format!("right.{form}"), &right);
            for options in [
                "-k 3 --seed 5",
                "-k 2 --keep --verify",
                "-k 3 --format npy -o o.npy",
            ] {
                // One puzzle by candidates gives all rows of the array 729 numbers.
                if options.contains("npy") && *puzzle == &by_candidates {
                    continue;
                }
                let expected = folder
                    .run(&format!("augment {options} right.{form}"))
                    .status(0);
                let arrays = |folder: &Folder| {
                    let names = folder
                        .names()
                        .into_iter()
                        .filter(|name| name.ends_with(".npy"));
                    names
                        .map(|name| fs::read(folder.file(&name)).unwrap())
                        .collect::<Vec<_>>()
                };
                let expected_arrays = arrays(&folder);
                let line = format!("augment {options} mixed.{form} --rejects bad.tsv");
                let ran = folder.run(&line).status(1);
                ran.says("1 wrong-answer").prints(&expected.stdout);
                assert_eq!(arrays(&folder), expected_arrays);
                let bad = folder.read("bad.tsv");
                assert_eq!(bad.lines().count(), 1, "{bad}");
                let line = if form == "csv" {
                    "3\twrong-answer\t"
                } else {
                    "2\twrong-answer\t"
                };
                assert!(
                    bad.starts_with(line) && bad.ends_with(&row(1, puzzle, answer)),
                    "{bad}"
                );
            }
        }
    }
}

/// A column of solutions holds the solutions of the images, whatever its name is. Names and records choose it, and
/// several of them hold the same.
#[test]
fn no_image_stands_beside_another_answer() {
    let (puzzles, solutions) = (lines("easy", 3), lines("easy.solved", 3));
    let names = [
        "solution",
        "Answers",
        "sol",
        "target",
        "output",
        "label",
        "result",
        "solved",
        "final",
        "final_grid",
        "predictions",
        "filled",
        "x",
    ];
    let solves =
        |puzzle: &str, answer: &str| solution(&puzzle.parse().unwrap()).to_string() == answer;
    for name in names {
        let mut table = format!("puzzle,id,{name},n,reply\n");
        let mut objects = String::new();
        for (puzzle, answer) in puzzles.iter().zip(&solutions) {
            writeln!(table, "{puzzle},{puzzle},{answer},7,{answer}").unwrap();
            writeln!(
                objects,
                "{{\"{name}\":\"{answer}\",\"n\":7,\"puzzle\":\"{puzzle}\",\"reply\":\"{answer}\"}}"
            )
            .unwrap();
        }
        let folder = Folder::new().with("t.csv", &table).with("t.jsonl", objects);
        for options in ["", "--keep", "--answer-column reply", "-j 2"] {
            let ran = folder
                .run(&format!("augment -k 2 {options} t.csv"))
                .status(0);
            let rows: Vec<Vec<&str>> = { ran.stdout.lines() }
                .map(|line| line.split(',').collect())
                .collect();
            assert_eq!(rows.len(), 1 + 3 * if options == "--keep" { 3 } else { 2 });
            for row in &rows[1..] {
                assert!(
                    solves(row[0], row[2]) && solves(row[0], row[4]),
                    "{name}: {row:?}"
                );
                assert!(puzzles.iter().any(|puzzle| puzzle == row[1]) && row[3] == "7");
            }
            let ran = folder.run(&format!("augment -k 2 {options} t.jsonl"));
            for line in ran.status(0).stdout.lines() {
                let field = |key: &str| {
                    let start = line.find(&format!("\"{key}\":\"")).unwrap() + key.len() + 4;
                    &line[start..start + 81]
                };
                assert!(solves(field("puzzle"), field(name)), "{line}");
                assert!(solves(field("puzzle"), field("reply")), "{line}");
            }
        }
    }
    // Two answers that differ, and one in a column that the head does not show.
    let (puzzle, [right, other]) = (&puzzles[0], [&solutions[0], &solutions[1]]);
    let table = format!("puzzle,solution,target\n{puzzle},{right},{other}\n{puzzle},,{right}\n");
    let folder = Folder::new().with("t.csv", table);
    let ran = folder.run("augment -k 2 t.csv --rejects bad.tsv").status(1);
    let ran = ran.says("1 wrong-answer");
    assert!(folder.read("bad.tsv").contains("two answers that differ"));
    for row in ran.stdout.lines().skip(1) {
        let row: Vec<&str> = row.split(',').collect();
        assert!(solves(row[0], row[1]) && solves(row[0], row[2]), "{row:?}");
    }
    let mut table = "puzzle,note\n".to_owned();
    for at in 0..2000 {
        let note = if at < 1990 { "" } else { right };
        writeln!(table, "{puzzle},{note}").unwrap();
    }
    let folder = Folder::new().with("t.csv", table);
    let ran = folder.run("augment -k 2 t.csv").status(1);
    let ran = ran.says("3,980 images, 10 wrong-answer");
    assert!(!ran.stdout.contains(&right[..]));
}

/// Objects name their solutions in any of the usual ways. An object without the key gets
/// images without it.
#[test]
fn objects_keep_their_keys() {
    let puzzle = &lines("easy", 1)[0];
    let solution = solution(&puzzle.parse().unwrap()).to_string();
    for key in ["solution", "solutions", "answer", "answers"] {
        let objects = format!(
            "{{\"q\":\"{puzzle}\",\"{key}\":\"{solution}\"}}\n{{\"q\":\"{puzzle}\"}}\n\
             {{\"{key}\": null, \"q\":\"{puzzle}\"}}\n"
        );
        let folder = Folder::new().with("p.jsonl", objects);
        let ran =
            (folder.run("augment -k 2 p.jsonl").status(0)).says("6 images, 2 without-solution");
        let images: Vec<&str> = ran.stdout.lines().collect();
        for image in &images[..2] {
            let (image, answer) = image.split_once(&format!("\",\"{key}\":\"")).unwrap();
            let image: Puzzle = image.strip_prefix("{\"q\":\"").unwrap().parse().unwrap();
            let expected = format!("{}\"}}", self::solution(&image));
            assert_eq!(answer, expected);
        }
        for image in &images[2..4] {
            assert!(!image.contains(key), "{image}");
        }
        for image in &images[4..] {
            assert!(image.starts_with(&format!("{{\"{key}\": null, \"q\":\"")));
        }
    }
    // A later object says that solutions are missed in the first.
    let objects =
        format!("{{\"q\":\"{puzzle}\"}}\n{{\"q\":\"{puzzle}\",\"solution\":\"{solution}\"}}\n");
    let folder = Folder::new().with("p.jsonl", objects);
    let ran = (folder.run("augment -k 1 p.jsonl").status(0)).says("2 images, 1 without-solution\n");
    let (image, answer) = (ran.stdout.lines().nth(1).unwrap())
        .split_once("\",\"solution\":\"")
        .unwrap();
    let image: Puzzle = image.strip_prefix("{\"q\":\"").unwrap().parse().unwrap();
    assert_eq!(answer, format!("{}\"}}", self::solution(&image)));
}

/// Rows that differ in cells alone are written from one frame: in every format they are those
/// that `convert` makes of the rows as CSV.
#[test]
fn images_are_the_same_in_every_form() {
    let mut table = String::from("id,puzzle,\"so, so\",solution,rest\n");
    for (id, line) in lines("minimal", 20).iter().enumerate() {
        let solution = solution(&line.parse().unwrap());
        writeln!(table, "{id},{line},\"a \"\"b\"\", c\",\"{solution}\",").unwrap();
    }
    table += "20,bad,x,y,z\n";
    let folder = Folder::new().with("p.csv", table);
    folder.run("augment -k 3 p.csv -o images.csv").status(1);
    // A line of the form `text` has the solution after the cells, which `convert` leaves out.
    let forms = ["csv", "tsv", "jsonl", "line", "block", "pretty"].into_iter();
    for form in forms.chain(OF_SEVERAL_LINES).chain(NOTATIONS) {
        let expected = folder.run(&format!("convert -q images.csv --format {form}"));
        let ran = folder.run(&format!("augment -q -k 3 p.csv --format {form}"));
        let (ran, expected) = (ran.status(1).stdout, expected.stdout);
        assert!(ran.lines().count() >= 61, "{form}");
        assert_eq!(ran, expected, "{form}");
    }
}
