//! Families of puzzles to order. Each member is checked by the rules in `support` and by a search that shares nothing with the
//! maker.

use crate::{
    drills::path,
    support::{cases, oracle},
};
use std::{collections::HashSet, ops::RangeInclusive};
use sudoku_batch::{
    Cell, Digit, HouseKind, Puzzle, Solver,
    generate::{Grids, Uniform},
    puzzle::{Made, Maker, PathWishes, Recipe, Symmetry},
    questions::PUZZLES,
    symmetry::CanonicalGrid,
    technique::{Difficulty, Rating, Technique, Techniques},
};

fn named(text: &str) -> Techniques {
    Techniques::named(text).unwrap()
}

fn containing(recipe: Recipe, text: &str) -> Recipe {
    let wishes = PathWishes {
        contains: named(text),
        ..PathWishes::default()
    };
    recipe.with_path(wishes).unwrap()
}

fn tenths(range: RangeInclusive<u8>) -> RangeInclusive<Rating> {
    Rating::from_tenths(*range.start())..=Rating::from_tenths(*range.end())
}

/// The puzzles of a recipe from number 0 on.
fn make(recipe: &Recipe, count: usize) -> Vec<Option<Made>> {
    let mut made = vec![None; count];
    let mut maker = Maker::seeded(5, recipe.clone()).unwrap();
    maker.make_batch(0, &mut made);
    made
}

/// Whether each puzzle has one clue that the other one has not.
fn is_near(one: &Puzzle, other: &Puzzle) -> bool {
    let own = |one: &Puzzle, other: &Puzzle| {
        let clues = Cell::all().filter(|&cell| one.get(cell).is_some());
        clues
            .filter(|&cell| one.get(cell) != other.get(cell))
            .count()
    };
    own(one, other) == 1 && own(other, one) == 1
}

fn is_minimal(puzzle: &Puzzle) -> bool {
    let mut clues = Cell::all().filter(|&cell| puzzle.get(cell).is_some());
    clues.all(|cell| {
        let mut fewer = *puzzle;
        fewer.set(cell, None);
        oracle::solutions(&fewer, 2).len() == 2
    })
}

/// Checks families of three, and returns how many of their members are relatives.
fn check(recipe: &Recipe, mut holds: impl FnMut(&Made, &[Technique]) -> bool) -> usize {
    let families = cases(1);
    let made = make(&recipe.clone().with_relatives(2).unwrap(), 3 * families);
    let mut alone = Maker::seeded(5, recipe.clone()).unwrap();
    let (mut relatives, mut all) = (0, HashSet::new());
    for (family, members) in made.chunks(3).enumerate() {
        let (mut before, mut forms) = (Vec::new(), HashSet::new());
        for (place, made) in members.iter().enumerate() {
            let made = made.expect("it can be made");
            let Made {
                puzzle, solution, ..
            } = made;
            assert_eq!(oracle::solutions(&puzzle, 2), [solution], "{puzzle}");
            assert!(holds(&made, &path(&puzzle)), "{puzzle} {recipe:?}");
            assert!(all.insert(puzzle), "{puzzle}");
            let form = CanonicalGrid::new(&solution).grid();
            assert!(forms.insert(form), "{puzzle}");
            let is_relative = before.iter().any(|other| is_near(&puzzle, other));
            if !is_relative {
                let number = (3 * family + place) as u64;
                assert_eq!(alone.make(number), Some(made), "{puzzle}");
            }
            relatives += usize::from(is_relative);
            before.push(puzzle);
        }
    }
    relatives
}

/// Relatives have all that is wanted, differ in one clue from a puzzle before, and have solutions of their own.
#[test]
fn relatives_have_all_that_is_wanted() {
    let has = |path: &[Technique], names: &str| path.iter().any(|one| named(names).contains(*one));
    let is_hard = |one: &&Technique| one.rating() > Rating::from_tenths(23);
    let mut relatives = 0;
    for name in ["X-wing, XY-wing", "naked pair"] {
        let recipe = containing(Recipe::minimal(), name);
        relatives += check(&recipe, |made, path| {
            has(path, name) && is_minimal(&made.puzzle)
        });
    }
    let first = PathWishes {
        first_hard: named("naked pair"),
        steps: Some(2..=6),
        ..PathWishes::default()
    };
    let recipe = Recipe::minimal_with_clues(23..=25).unwrap();
    relatives += check(&recipe.with_path(first).unwrap(), |made, path| {
        let hard = Vec::from_iter(path.iter().filter(is_hard));
        *hard[0] == Technique::NakedPair
            && (2..=6).contains(&hard.len())
            && is_minimal(&made.puzzle)
            && (23..=25).contains(&made.puzzle.clue_count())
    });
    let only = PathWishes {
        contains: named("hidden pair"),
        only: named("singles, locked candidates, naked pair, hidden pair"),
        ..PathWishes::default()
    };
    let recipe = Recipe::clues(26..=28).unwrap().with_guesses(1..=9);
    relatives += check(&recipe.with_path(only).unwrap(), |made, path| {
        let allowed =
            named("singles, locked candidates, naked pair, hidden pair, direct hidden pair");
        has(path, "hidden pair")
            && path.iter().all(|one| allowed.contains(*one))
            && (26..=28).contains(&made.puzzle.clue_count())
            && (1..=9).contains(&sudoku_batch::solve::guesses(&made.puzzle, 99).unwrap())
    });
    // Without conditions on the path, and with clues in each box.
    let recipe = Recipe::difficulty(Difficulty::Hard);
    let recipe = recipe.with_clues_per_house(HouseKind::Box, 2..=4).unwrap();
    relatives += check(&recipe, |made, path| {
        let hardest = path.iter().map(|one| one.rating()).max().unwrap();
        let clues = |of: usize| {
            let cells =
                Cell::all().filter(|cell| cell.index() / 27 * 3 + cell.index() % 9 / 3 == of);
            cells
                .filter(|&cell| made.puzzle.get(cell).is_some())
                .count()
        };
        tenths(26..=34).contains(&hardest)
            && made.hardest.unwrap().0 == hardest
            && (0..9).all(|of| (2..=4).contains(&clues(of)))
    });
    // Some are dug, as few neighbours have what is wanted.
    assert!(relatives > 4 * cases(1), "{relatives}");
}

/// Relatives begin with the first digit of the grids, and a refusal holds for them too.
#[test]
fn relatives_begin_with_a_digit_and_may_be_refused() {
    let recipe = containing(Recipe::minimal(), "naked pair")
        .with_relatives(5)
        .unwrap();
    let four = Digit::new(4).unwrap();
    let grids = Grids::Uniform(Uniform::seeded(8).with_first_digit(four));
    let maker = || Maker::new(Solver::new(), grids.clone(), 8, recipe.clone()).unwrap();
    let mut made = [None; 12];
    maker().make_batch(0, &mut made);
    let first: Vec<_> = made.iter().flatten().copied().collect();
    assert_eq!(first.len(), 12);
    let known: HashSet<_> = first.iter().map(|made| made.puzzle).collect();
    let refusing = known.clone();
    let mut maker = maker()
        .with_refusal(move |made| refusing.contains(&made.puzzle))
        .unwrap();
    maker.make_batch(0, &mut made);
    let others: Vec<_> = made.iter().flatten().copied().collect();
    assert_eq!(others.len(), 12);
    for made in first.iter().chain(&others) {
        assert_eq!(oracle::solutions(&made.puzzle, 2), [made.solution]);
        assert_eq!(made.solution.get(Cell::at(0, 0)), four);
        assert!(path(&made.puzzle).contains(&Technique::NakedPair));
    }
    assert!(others.iter().all(|made| !known.contains(&made.puzzle)));
}

/// A puzzle depends on its number alone, wherever a batch begins and ends.
#[test]
fn families_depend_on_their_numbers_alone() {
    let recipe = containing(Recipe::minimal(), "naked pair, X-wing")
        .with_relatives(4)
        .unwrap();
    let all = make(&recipe, 23);
    assert!(all.iter().all(Option::is_some));
    for (start, end) in [(0, 3), (3, 4), (4, 11), (7, 23), (20, 21)] {
        let mut part = vec![None; end - start];
        let mut maker = Maker::seeded(5, recipe.clone()).unwrap();
        // Puzzles that were made before change nothing.
        maker.make(40);
        maker.make_batch(start as u64, &mut part);
        assert_eq!(part, all[start..end]);
    }
    let mut maker = Maker::seeded(5, recipe).unwrap();
    assert!(maker.iter(2..23).eq(all[2..].iter().copied()));
}

/// A wish that no neighbour has leaves what is dug: all puzzles are those of their numbers without relatives.
#[test]
fn puzzles_without_relatives_are_dug() {
    // A refusal that lets the grids of numbers pass, and no other.
    let recipe = containing(Recipe::minimal(), "naked pair");
    let known: HashSet<_> = make(&recipe, 6)
        .into_iter()
        .flatten()
        .map(|made| made.puzzle)
        .collect();
    let with = recipe.clone().with_relatives(2).unwrap();
    let refusing = known.clone();
    let mut maker = Maker::seeded(5, with)
        .unwrap()
        .with_refusal(move |made| !refusing.contains(&made.puzzle))
        .unwrap();
    let mut made = [None; 6];
    maker.make_batch(0, &mut made);
    assert_eq!(made.to_vec(), make(&recipe, 6));
}

/// Wishes that relatives cannot have are refused before any grid is dug.
#[test]
fn wishes_against_relatives_are_refused() {
    let refused = |settings: &[(&'static str, &'static str)]| {
        let mut settings = settings.to_vec();
        settings.push(("relatives", "3"));
        PUZZLES.with(settings).map(drop).unwrap_err().to_string()
    };
    let mask = "XX..X....X..XXX....XX....X.X...X...XX..X.X..XX...X...X.X....XX....XXX..X....X..XX";
    for (settings, what) in [
        (
            &[][..],
            "relatives has no effect without a wish about the steps or the rating",
        ),
        (&[("guesses", "1..")], "relatives has no effect without"),
        (
            &[("contains", "X-wing"), ("pattern", mask)],
            "relatives cannot be used with pattern",
        ),
        (
            &[("contains", "X-wing"), ("symmetry", "rotate180")],
            "relatives cannot be used with symmetry",
        ),
        (
            &[("contains", "X-wing"), ("sequence", "true")],
            "they cannot be used with sequence or given grids",
        ),
        (
            &[("unbiased", "true")],
            "relatives cannot be used with unbiased",
        ),
        (
            &[("rating", "9.0..9.4")],
            "relatives cannot be used with an ER of 9.0 and more",
        ),
        (&[("te", "2.."), ("contains", "X-wing")], "or te 2 and more"),
    ] {
        let error = refused(settings);
        assert!(error.contains(what), "{error}");
    }
    let recipe = containing(Recipe::minimal(), "X-wing");
    let error = recipe.clone().with_relatives(1001).unwrap_err();
    assert_eq!(error.to_string(), "a puzzle has at most 1000 relatives");
    let symmetric = recipe.with_symmetry(Symmetry::Rotate180).unwrap();
    assert!(symmetric.with_relatives(1).is_err());
}
