//! Families of puzzles to order. Each member is checked by the rules in `support` and by a search that shares nothing with the
//! maker.

use crate::{
    drills::path,
    made::{Made, Worker, refused, set_of_seed},
    support::{cases, oracle},
};
use std::{collections::HashSet, ops::RangeInclusive};
use sudoku_batch::{
    Cell, Digit, Puzzle,
    generate::Grids,
    puzzle::Symmetry,
    questions::{PUZZLES, PuzzlesSettings},
    symmetry::CanonicalGrid,
    technique::{Difficulty, Rating, Technique, Techniques},
};

fn named(text: &str) -> Techniques {
    Techniques::named(text).unwrap()
}

fn containing(text: &str) -> PuzzlesSettings {
    PuzzlesSettings {
        contains: named(text),
        ..PuzzlesSettings::default()
    }
}

fn with_relatives(relatives: u64, settings: &PuzzlesSettings) -> PuzzlesSettings {
    PuzzlesSettings {
        relatives,
        ..settings.clone()
    }
}

fn tenths(range: RangeInclusive<u8>) -> RangeInclusive<Rating> {
    Rating::from_tenths(*range.start())..=Rating::from_tenths(*range.end())
}

/// A worker for the puzzles of settings and seed 5.
fn worker(settings: &PuzzlesSettings) -> Worker {
    let settings = PuzzlesSettings {
        seed: 5,
        ..settings.clone()
    };
    Worker::of(&settings.set().unwrap())
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
fn check(settings: &PuzzlesSettings, mut holds: impl FnMut(&Made, &[Technique]) -> bool) -> usize {
    let families = cases(1) as u64;
    let made = worker(&with_relatives(2, settings)).make(0..3 * families);
    let mut alone = worker(settings);
    let (mut relatives, mut all) = (0, HashSet::new());
    for (family, members) in made.chunks(3).enumerate() {
        let (mut before, mut forms) = (Vec::new(), HashSet::new());
        for (place, made) in members.iter().enumerate() {
            let made = made.expect("it can be made");
            let Made {
                puzzle, solution, ..
            } = made;
            assert_eq!(oracle::solutions(&puzzle, 2), [solution], "{puzzle}");
            assert!(holds(&made, &path(&puzzle)), "{puzzle} {settings:?}");
            assert!(all.insert(puzzle), "{puzzle}");
            let form = CanonicalGrid::new(&solution).grid();
            assert!(forms.insert(form), "{puzzle}");
            let is_relative = before.iter().any(|other| is_near(&puzzle, other));
            if !is_relative {
                let number = (3 * family + place) as u64;
                assert_eq!(alone.make(number..number + 1), [Some(made)], "{puzzle}");
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
        relatives += check(&containing(name), |made, path| {
            has(path, name) && is_minimal(&made.puzzle)
        });
    }
    let first = PuzzlesSettings {
        first_hard: named("naked pair"),
        steps: Some(2..=6),
        minimal: true,
        clues: Some(23..=25),
        ..PuzzlesSettings::default()
    };
    relatives += check(&first, |made, path| {
        let hard = Vec::from_iter(path.iter().filter(is_hard));
        *hard[0] == Technique::NakedPair
            && (2..=6).contains(&hard.len())
            && is_minimal(&made.puzzle)
            && (23..=25).contains(&made.puzzle.clue_count())
    });
    let only = PuzzlesSettings {
        contains: named("hidden pair"),
        only: named("singles, locked candidates, naked pair, hidden pair"),
        clues: Some(26..=28),
        guesses: Some(1..=9),
        ..PuzzlesSettings::default()
    };
    relatives += check(&only, |made, path| {
        let allowed =
            named("singles, locked candidates, naked pair, hidden pair, direct hidden pair");
        has(path, "hidden pair")
            && path.iter().all(|one| allowed.contains(*one))
            && (26..=28).contains(&made.puzzle.clue_count())
            && (1..=9).contains(&sudoku_batch::solve::guesses(&made.puzzle, 99).unwrap())
    });
    // Without conditions on the path, and with clues in each box.
    let hard = PuzzlesSettings {
        difficulty: Some(Difficulty::Hard),
        clues_per_box: Some(2..=4),
        ..PuzzlesSettings::default()
    };
    relatives += check(&hard, |made, path| {
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
    let settings = PuzzlesSettings {
        seed: 8,
        ..with_relatives(5, &containing("naked pair"))
    };
    let four = Digit::new(4).unwrap();
    let grids = Grids::uniform(8).with_first_digit(four);
    let set = set_of_seed(&settings).with_grids(grids).unwrap();
    let first = Worker::of(&set).make_all(0..12);
    let known: HashSet<_> = first.iter().map(|made| made.puzzle).collect();
    let refusing = known.clone();
    let set = set
        .with_refusal(move |puzzle, _| refusing.contains(puzzle))
        .unwrap();
    let others = Worker::of(&set).make_all(0..12);
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
    let settings = with_relatives(4, &containing("naked pair, X-wing"));
    let all = worker(&settings).make_all(0..23);
    for (start, end) in [(0, 3), (3, 4), (4, 11), (7, 23), (20, 21)] {
        let mut worker = worker(&settings);
        // Puzzles that were made before change nothing.
        worker.make(40..41);
        let part = worker.make_all(start as u64..end as u64);
        assert_eq!(part, all[start..end]);
    }
    let settings = PuzzlesSettings {
        seed: 5,
        ..settings
    };
    let pairs = all[2..]
        .iter()
        .map(|made| Some((made.puzzle, made.solution)));
    assert!(settings.set().unwrap().iter(2..23).eq(pairs));
}

/// A wish that no neighbour has leaves what is dug: all puzzles are those of their numbers without relatives.
#[test]
fn puzzles_without_relatives_are_dug() {
    // A refusal that lets the grids of numbers pass, and no other.
    let settings = containing("naked pair");
    let dug = worker(&settings).make(0..6);
    let known: HashSet<_> = dug.iter().flatten().map(|made| made.puzzle).collect();
    let with = PuzzlesSettings {
        seed: 5,
        ..with_relatives(2, &settings)
    };
    let set = with.set().unwrap();
    let set = set
        .with_refusal(move |puzzle, _| !known.contains(puzzle))
        .unwrap();
    assert_eq!(Worker::of(&set).make(0..6), dug);
}

/// Wishes that relatives cannot have are refused before any grid is dug.
#[test]
fn wishes_against_relatives_are_refused() {
    let of_texts = |settings: &[(&'static str, &'static str)]| {
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
        let error = of_texts(settings);
        assert!(error.contains(what), "{error}");
    }
    let settings = containing("X-wing");
    assert_eq!(
        refused(&with_relatives(1001, &settings)),
        "a puzzle has at most 1000 relatives"
    );
    let symmetric = PuzzlesSettings {
        symmetry: Symmetry::Rotate180,
        ..settings
    };
    assert!(with_relatives(1, &symmetric).set().is_err());
}
