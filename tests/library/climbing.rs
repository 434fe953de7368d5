//! Hard puzzles, which are climbed to.

use crate::support::{cases, oracle, trials};
use std::{collections::HashSet, ops::RangeInclusive};
use sudoku_batch::{
    Candidates, Cell,
    puzzle::{Made, Maker, Recipe},
    symmetry::CanonicalPuzzle,
    technique::{self, Rating, TrialDepth},
};

fn ratings(range: RangeInclusive<u8>) -> RangeInclusive<Rating> {
    Rating::from_tenths(*range.start())..=Rating::from_tenths(*range.end())
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
    let count = cases(2);
    let recipe = Recipe::rating(ratings(90..=94)).unwrap();
    let mut maker = Maker::seeded(3, recipe.clone()).unwrap();
    let mut all = vec![None; count];
    maker.make_batch(0, &mut all);
    for made in &all {
        check(&made.expect("one of 40 climbs gets there"), 90..=94);
    }
    let last = count as u64 - 1;
    let alone = Maker::seeded(3, recipe).unwrap().make(last);
    assert_eq!(alone, all[count - 1]);
}

/// Suppositions that singles close do not solve them, by a reference that reads as the definition does. The members of a
/// family are no symmetric copies of each other.
#[test]
fn the_hardest_puzzles_come_in_families() {
    // Climbs from this seed are short: 6 s of one busy core, where others take up to 25.
    const SEED: u64 = 9;
    let count = cases(2);
    let recipe = Recipe::rating(ratings(95..=109)).unwrap();
    let mut maker = Maker::seeded(SEED, recipe.clone()).unwrap();
    let mut all = vec![None; count];
    maker.make_batch(0, &mut all);
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
    let last = count as u64 - 1;
    let alone = Maker::seeded(SEED, recipe).unwrap().make(last);
    assert_eq!(alone, all[count - 1]);
}

/// Reference: trial and error as its definition reads.
#[test]
fn depths_are_those_of_the_definition() {
    for (least, most) in [(0, 0), (1, 1), (0, 1)] {
        let [first, last] = [least, most].map(|depth| TrialDepth::ALL[depth]);
        let recipe = Recipe::minimal().with_depth(first..=last).unwrap();
        let mut all = vec![None; cases(6)];
        Maker::seeded(5, recipe).unwrap().make_batch(0, &mut all);
        for made in all {
            let puzzle = made.expect("many puzzles have such a depth").puzzle;
            let depth = trials::depth(&Candidates::from(puzzle), 2);
            assert!(
                depth.is_some_and(|depth| (least..=most).contains(&depth)),
                "{puzzle}"
            );
        }
    }
}
