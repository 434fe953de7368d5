//! The whole rated corpora, which are not part of the project: every puzzle whose ER is at
//! most 4.4 must get its ER, EP and ED, and no other may get an ER.
//!
//!     RATED=/path/to/corpora cargo test --release --test library technique_corpora:: -- --ignored --nocapture
//!
//! The folder has files of puzzles, one to a line, and in its folder `ratings` a file of
//! the same name with a line `ER/EP/ED` for each puzzle.

use std::{fs, path::PathBuf};
use sudoku_batch::{
    Puzzle,
    technique::{self, Rater, Rating},
};

/// ER, EP and ED of a line, where what is over 4.4 is not known.
fn expected(line: &str) -> [Option<Rating>; 3] {
    let numbers = line.split('/').map(|text| {
        let rating: Rating = text.parse().expect("a rating");
        (rating <= Rating::HARDEST).then_some(rating)
    });
    let numbers: Vec<_> = numbers.collect();
    numbers.try_into().expect("three numbers")
}

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
        let (mut rated, mut over) = (0, 0);
        let start = std::time::Instant::now();
        let bulk = Rater::new().rate_batch(&puzzles);
        println!("{:?} a puzzle", start.elapsed() / puzzles.len() as u32);
        for ((puzzle, bulk), line) in puzzles.iter().zip(bulk).zip(ratings.lines()) {
            let ours = bulk.unwrap();
            match ours.er {
                Some(_) => rated += 1,
                None => over += 1,
            }
            if [ours.er, ours.ep, ours.ed] != expected(line) {
                wrong += 1;
                println!("{puzzle} is {line}, not {ours}");
            }
            if plain_too {
                assert_eq!(technique::rate(puzzle), Ok(ours), "{puzzle}");
            }
        }
        println!("{}: {rated} rated, {over} over 4.4", name.display());
    }
    assert_eq!(wrong, 0);
}
