//! Hard puzzles, which are climbed to.

use crate::{
    made::{Made, Worker},
    support::{cases, oracle, trials},
};
use std::{collections::HashSet, ops::RangeInclusive};
use sudoku_batch::{
    Candidates, Cell,
    questions::{PuzzleSet, PuzzlesSettings},
    symmetry::CanonicalPuzzle,
    technique::{self, Rating},
};

fn ratings(range: RangeInclusive<u8>) -> RangeInclusive<Rating> {
    Rating::from_tenths(*range.start())..=Rating::from_tenths(*range.end())
}

/// The puzzles of a seed and of a range of ratings. The climb decides about their clues.
fn set(seed: u64, range: RangeInclusive<u8>) -> PuzzleSet {
    let settings = PuzzlesSettings {
        rating: Some(ratings(range)),
        seed,
        ..PuzzlesSettings::default()
    };
    settings.printed_set().unwrap()
}

/// Checks puzzles by the steps of a trace, one by one, and by a search that shares nothing with the maker.
fn check(made: &Made, range: RangeInclusive<u8>) {
    let Made {
        puzzle, solution, ..
    } = made;
    assert_eq!(oracle::solutions(puzzle, 2), [*solution], "{puzzle}");
    let steps = technique::steps(puzzle);
    let hardest = steps.max_by_key(|step| step.rating()).unwrap();
    assert!(
        range.contains(&hardest.rating().tenths()),
        "{puzzle} {}",
        hardest.rating()
    );
    let (er, technique) = made.hardest.unwrap();
    assert_eq!(
        (er, technique.name()),
        (hardest.rating(), hardest.technique.name()),
        "{puzzle}"
    );
    for cell in Cell::all().filter(|&cell| puzzle.get(cell).is_some()) {
        let mut fewer = *puzzle;
        fewer.set(cell, None);
        assert_eq!(oracle::solutions(&fewer, 2).len(), 2, "{puzzle} {cell}");
    }
}

/// A puzzle depends on the seed, the recipe and its number alone.
#[test]
fn hard_puzzles_are_hard_and_depend_on_their_numbers_alone() {
    // The first climbs of this seed are the shortest of 25 seeds. More of them have rarer steps to check.
    let count = cases(2);
    let set = set(24, 90..=94);
    let all = Worker::of(&set).make(0..count as u64);
    for made in &all {
        check(&made.expect("one of 40 climbs gets there"), 90..=94);
    }
    let alone = Worker::of(&set).make(count as u64 - 1..count as u64);
    assert_eq!(alone, all[count - 1..]);
}

/// Suppositions that singles close do not solve them, by a reference that reads as the definition does. The members of a
/// family are no symmetric copies of each other.
#[test]
fn the_hardest_puzzles_come_in_families() {
    // The first climb of this seed is the shortest of 60 seeds: half a second, where others take two to 25. Two puzzles of
    // its family are made again for themselves. More of them come from other climbs.
    const SEED: u64 = 44;
    let count = cases(2);
    let set = set(SEED, 95..=109);
    let all = Worker::of(&set).make(0..count as u64);
    let mut forms = HashSet::new();
    for made in &all {
        let made = made.expect("one of 10 climbs gets there");
        check(&made, 95..=109);
        assert_eq!(
            trials::depth(&Candidates::from(made.puzzle), 1),
            None,
            "{made:?}"
        );
        assert!(forms.insert(CanonicalPuzzle::new(made.puzzle, &made.solution).puzzle()));
    }
    let alone = Worker::of(&set).make(count as u64 - 1..count as u64);
    assert_eq!(alone, all[count - 1..]);
}

/// Reference: trial and error as its definition reads.
#[test]
fn depths_are_those_of_the_definition() {
    for (least, most) in [(0, 0), (1, 1), (0, 1)] {
        let settings = PuzzlesSettings {
            te: Some(least..=most),
            seed: 5,
            ..PuzzlesSettings::default()
        };
        let set = settings.set().unwrap();
        for made in Worker::of(&set).make(0..cases(6) as u64) {
            let puzzle = made.expect("many puzzles have such a depth").puzzle;
            let depth = trials::depth(&Candidates::from(puzzle), 2);
            assert!(
                depth.is_some_and(|depth| (least..=most).contains(&(depth as u64))),
                "{puzzle}"
            );
        }
    }
}
