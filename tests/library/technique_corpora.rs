//! The whole rated corpora and step traces of an oracle, which are not part of the project.
//!
//!     RATED=/path/to/corpora cargo test --release --test library technique_corpora::rated -- --ignored --nocapture
//!     TRACES=/path/to/file cargo test --release --test library technique_corpora::traces -- --ignored --nocapture

use crate::support::rated::Rater;
use std::{collections::BTreeMap, fs, path::PathBuf, time::Instant};
use sudoku_batch::{
    Cell, Puzzle,
    grid::Digits,
    technique::{self, Position, Rating},
};

/// ER, EP and ED of a line, where what is over a bound is not known.
fn expected(line: &str, up_to: Rating) -> [Option<Rating>; 3] {
    let numbers = line.split('/').map(|text| {
        let rating: Rating = text.parse().expect("a rating");
        (rating <= up_to).then_some(rating)
    });
    let numbers: Vec<_> = numbers.collect();
    numbers.try_into().expect("three numbers")
}

/// Every puzzle whose ER is within the scale must get its ER, EP and ED, and no other may get
/// an ER. The folder has files of puzzles, one to a line, and in its folder `ratings` a file
/// of the same name with a line `ER/EP/ED` for each puzzle.
#[test]
#[ignore = "needs corpora that are not part of the project; name their folder in RATED"]
fn rated_corpora() {
    let folder = PathBuf::from(std::env::var_os("RATED").expect("RATED names a folder"));
    let mut files: Vec<_> = fs::read_dir(folder.join("ratings"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    let plain_too = std::env::var_os("PLAIN").is_some();
    let mut wrong = 0;
    for ratings in files {
        let name = ratings.file_name().unwrap();
        let puzzles = fs::read_to_string(folder.join(name)).unwrap();
        let ratings = fs::read_to_string(&ratings).unwrap();
        assert_eq!(puzzles.lines().count(), ratings.lines().count());
        let puzzles: Vec<Puzzle> = puzzles.lines().map(|line| line.parse().unwrap()).collect();
        for up_to in [Rating::IN_PLANES, Rating::HARDEST] {
            let (mut rated, mut over) = (0, 0);
            let start = Instant::now();
            let bulk = Rater::new().with_max_rating(up_to).rate_batch(&puzzles);
            println!("{:?} a puzzle", start.elapsed() / puzzles.len() as u32);
            for ((puzzle, bulk), line) in puzzles.iter().zip(bulk).zip(ratings.lines()) {
                let ours = bulk.unwrap();
                match ours.er {
                    Some(_) => rated += 1,
                    None => over += 1,
                }
                if [ours.er, ours.ep, ours.ed] != expected(line, up_to) {
                    wrong += 1;
                    println!("{puzzle} is {line}, not {ours}");
                }
                if plain_too {
                    assert_eq!(technique::rate_up_to(puzzle, up_to), Ok(ours), "{puzzle}");
                }
            }
            println!("{}: {rated} rated, {over} over {up_to}", name.display());
        }
    }
    assert_eq!(wrong, 0);
}

/// Steps of an oracle, one to a line: `S`, the filled cells and the candidates before, the
/// rating in tenths, the same after, and the name. The candidates of a cell are three
/// hexadecimal digits. In each position the step over 4.4 must have the rating and lead to the
/// same position.
#[test]
#[ignore = "needs traces that are not part of the project; name their file in TRACES"]
fn traces() {
    let file = std::env::var_os("TRACES").expect("TRACES names a file");
    let text = fs::read_to_string(file).unwrap();
    let mut by_name: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with("S ")) {
        let fields: Vec<&str> = line.split(' ').collect();
        let [_, filled, before, tenths, filled_after, after, name] = fields[..] else {
            panic!("{line}");
        };
        let rating = Rating::from_tenths(tenths.parse().unwrap());
        if rating > Rating::HARDEST {
            continue;
        }
        let mut position = position(filled, before);
        let step = position.next_step();
        if let Some(step) = &step {
            position.apply(step);
        }
        let same = step.as_ref().is_some_and(|step| step.rating() == rating)
            && position == self::position(filled_after, after);
        let counts = by_name.entry((tenths, name)).or_default();
        match same {
            true => counts.0 += 1,
            false => {
                counts.1 += 1;
                let found =
                    step.map(|step| format!("{} {}: {step}", step.rating(), step.technique));
                println!("{line}\n  {found:?}");
            }
        }
    }
    for (name, (same, other)) in &by_name {
        println!("{name:?}: {same} the same, {other} not");
    }
    assert!(by_name.values().all(|counts| counts.1 == 0));
}

fn position(filled: &str, candidates: &str) -> Position {
    let cell = |cell: Cell| {
        let digits = &candidates[3 * cell.index()..][..3];
        Digits::from_bits(u16::from_str_radix(digits, 16).unwrap())
    };
    let candidates: Vec<_> = Cell::all().map(cell).collect();
    Position::with_candidates(&filled.parse().unwrap(), &candidates.try_into().unwrap())
}
