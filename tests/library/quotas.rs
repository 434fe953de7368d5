//! Puzzles with numbers of clues in each row, column and box, and of each digit.

use crate::support::{cases, oracle};
use std::ops::RangeInclusive;
use sudoku_batch::{
    Cell, Digit, HouseKind, Puzzle,
    puzzle::{Made, Maker, Pattern, Recipe, RecipeError, Symmetry, Wanted},
    technique::{self, Difficulty},
};

/// The clues of rows, columns, boxes and digits.
fn clues(puzzle: &Puzzle) -> [[usize; 9]; 4] {
    let cells = puzzle.as_ascii();
    let count = |of: &dyn Fn(usize) -> bool| {
        (0..81)
            .filter(|&cell| cells[cell] != b'.' && of(cell))
            .count()
    };
    let lines = |of: &dyn Fn(usize, usize) -> bool| {
        std::array::from_fn(|line| count(&|cell| of(line, cell)))
    };
    [
        lines(&|row, cell| cell / 9 == row),
        lines(&|column, cell| cell % 9 == column),
        lines(&|number, cell| cell / 27 * 3 + cell % 9 / 3 == number),
        lines(&|digit, cell| usize::from(cells[cell] - b'1') == digit),
    ]
}

/// The wishes with these ranges for rows, columns, boxes and digits. A range of 0 to 9 is no wish.
fn wanted(ranges: [RangeInclusive<usize>; 4], missing: Option<u8>) -> Wanted {
    let [row, column, in_box, digit] = ranges.map(|range| (range != (0..=9)).then_some(range));
    Wanted {
        clues_per_row: row,
        clues_per_column: column,
        clues_per_box: in_box,
        clues_per_digit: digit,
        missing_digit: missing.and_then(Digit::new),
        ..Wanted::default()
    }
}

/// Makes puzzles, and checks by plain counts and by a search that shares nothing with the maker that each has what is
/// wanted. Returns how many of a hundred are made.
fn check(wanted: &Wanted, count: usize) -> usize {
    let count = cases(count);
    let mut made = vec![None; count];
    Maker::seeded(3, wanted.recipe().unwrap())
        .unwrap()
        .make_batch(0, &mut made);
    for Made {
        puzzle, solution, ..
    } in made.iter().flatten()
    {
        let is = |range: &Option<RangeInclusive<usize>>, count: usize| {
            range.as_ref().is_none_or(|range| range.contains(&count))
        };
        let ranges = [
            &wanted.clues_per_row,
            &wanted.clues_per_column,
            &wanted.clues_per_box,
            &wanted.clues_per_digit,
        ];
        for (kind, (range, clues)) in ranges.into_iter().zip(clues(puzzle)).enumerate() {
            for (line, clues) in clues.into_iter().enumerate() {
                let missing = wanted
                    .missing_digit
                    .map(|digit| usize::from(digit.get()) - 1);
                match kind == 3 && missing == Some(line) {
                    true => assert_eq!(clues, 0, "{wanted:?} {puzzle}"),
                    false => assert!(is(range, clues), "{wanted:?} {puzzle} {kind} {line}"),
                }
            }
        }
        assert!(
            is(&wanted.clues, puzzle.clue_count()),
            "{wanted:?} {puzzle}"
        );
        assert!(wanted.symmetry.is_kept_by(puzzle), "{wanted:?} {puzzle}");
        assert!(
            wanted
                .pattern
                .is_none_or(|pattern| pattern == Pattern::of(puzzle))
        );
        assert_eq!(
            oracle::solutions(puzzle, 2),
            [*solution],
            "{wanted:?} {puzzle}"
        );
        if let Some(difficulty) = wanted.difficulty {
            let ratings = technique::rate(puzzle).unwrap();
            assert_eq!(
                Difficulty::of(ratings.er),
                difficulty,
                "{wanted:?} {puzzle}"
            );
        }
        let is_minimal = wanted.recipe().unwrap() == Recipe::minimal() || wanted.minimal;
        for cell in Cell::all().filter(|&cell| is_minimal && puzzle.get(cell).is_some()) {
            let mut fewer = *puzzle;
            fewer.set(cell, None);
            assert_eq!(
                oracle::solutions(&fewer, 2).len(),
                2,
                "{wanted:?} {puzzle} {cell}"
            );
        }
    }
    100 * made.iter().flatten().count() / count
}

#[test]
fn puzzles_have_the_clues_that_are_wanted() {
    const ANY: RangeInclusive<usize> = 0..=9;
    let of_clues = |clues, wanted| Wanted {
        clues: Some(clues),
        ..wanted
    };
    let minimal = |wanted| Wanted {
        minimal: true,
        ..wanted
    };
    // The least share that is made, in percent.
    let all = [
        (100, of_clues(27..=27, wanted([ANY, ANY, 3..=3, ANY], None))),
        (100, of_clues(28..=32, wanted([ANY, ANY, 2..=4, ANY], None))),
        (
            60,
            of_clues(27..=30, wanted([3..=4, 3..=4, 3..=4, 3..=4], None)),
        ),
        (
            100,
            of_clues(30..=30, wanted([ANY, ANY, ANY, 0..=5], Some(5))),
        ),
        (100, minimal(wanted([ANY, ANY, 2..=4, ANY], None))),
        (95, minimal(wanted([2..=4, 2..=4, ANY, ANY], None))),
        (100, minimal(wanted([ANY; 4], Some(9)))),
        (
            95,
            Wanted {
                difficulty: Some(Difficulty::Medium),
                ..wanted([ANY, ANY, 2..=4, ANY], None)
            },
        ),
        (
            95,
            Wanted {
                symmetry: Symmetry::Rotate180,
                ..of_clues(30..=34, wanted([ANY, ANY, 3..=5, ANY], None))
            },
        ),
    ];
    for (least, wanted) in all {
        let share = check(&wanted, 20);
        assert!(share >= least, "{wanted:?}: {share} of 100 made");
    }
}

#[test]
fn clues_of_a_pattern_miss_a_digit() {
    let pattern = Pattern::of(
        &"12..3....4..567....89....1.2...3...45..6.7..89...1...2.3....45....678..9....1..23"
            .parse()
            .unwrap(),
    );
    let any = [0..=9, 0..=9, 0..=9, 0..=9];
    let with_pattern = |wanted| Wanted {
        pattern: Some(pattern),
        ..wanted
    };
    assert!(check(&with_pattern(wanted(any, Some(4))), 4) >= 75);
    let [any, ..] = any_range();
    let digits = wanted([any.clone(), any.clone(), any, 2..=4], None);
    assert!(check(&with_pattern(digits), 4) >= 75);
}

/// Some puzzles have wrong numbers of clues of a digit, and others are not minimal: each is judged by itself.
#[test]
fn minimal_puzzles_of_a_pattern_have_few_clues_of_a_digit() {
    let mask = "X.....X..X......X...X.XX..X.X...X.X..X.X..X..X.X.X..X....X..X..X.X.X.X......X....";
    let digits = Wanted {
        pattern: Some(mask.parse().unwrap()),
        minimal: true,
        clues_per_digit: Some(1..=3),
        ..Wanted::default()
    };
    assert!(check(&digits, 8) >= 75);
}

fn any_range() -> [RangeInclusive<usize>; 2] {
    [0..=9, 0..=9]
}

#[test]
fn what_no_puzzle_has_is_refused() {
    let refused = |wanted: Wanted| match wanted.recipe() {
        Err(error) => error.to_string(),
        Ok(recipe) => panic!("{recipe:?}"),
    };
    let any = 0..=9;
    let boxes = |range| wanted([any.clone(), any.clone(), range, any.clone()], None);
    let clues = |n, wanted| Wanted {
        clues: Some(n..=n),
        ..wanted
    };
    assert_eq!(
        refused(clues(20, boxes(3..=4))),
        "20 clues are asked for, and the quota of each box takes 27 to 36 clues"
    );
    assert_eq!(
        refused(clues(40, boxes(3..=4))),
        "40 clues are asked for, and the quota of each box takes 27 to 36 clues"
    );
    assert_eq!(
        refused(boxes(0..=1)),
        "no puzzle with fewer than 17 clues has one solution, and 9 were asked for"
    );
    assert_eq!(
        refused(wanted([5..=9, any.clone(), 0..=4, any.clone()], None)),
        "the quota of each row takes at least 45 clues, and that of each box allows 36 at most"
    );
    assert_eq!(
        refused(wanted(
            [any.clone(), any.clone(), any.clone(), 1..=9],
            Some(5)
        )),
        "digit 5 is missing, and each digit is to have at least 1 clue"
    );
    assert_eq!(
        refused(wanted([9..=9, any.clone(), any.clone(), any.clone()], None)),
        "no row of a minimal puzzle has nine clues: eight of them give the ninth"
    );
    assert_eq!(
        refused(wanted([any.clone(), 5..=9, any.clone(), any.clone()], None)),
        "the quotas take at least 45 clues, and no minimal puzzle with more than 40 is known"
    );
    let full = clues(
        81,
        wanted([9..=9, any.clone(), any.clone(), any.clone()], None),
    );
    assert!(full.recipe().is_ok(), "without minimal");
    let pattern = Pattern::of(
        &"12..3....4..567....89....1.2...3...45..6.7..89...1...2.3....45....678..9....1..23"
            .parse()
            .unwrap(),
    );
    assert_eq!(
        refused(Wanted {
            pattern: Some(pattern),
            ..boxes(2..=4)
        }),
        "box 1 of the pattern has 5 clues, and 2 to 4 clues are asked for"
    );
    let unbiased = Wanted {
        unbiased: true,
        ..boxes(2..=4)
    };
    assert_eq!(
        refused(unbiased),
        "unbiased cannot be used with clues-per-box"
    );
    let two = Recipe::minimal()
        .without_digit(Digit::new(3).unwrap())
        .unwrap();
    let error = two.without_digit(Digit::new(5).unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "digits 3 and 5 are missing, so they can change places in any solution"
    );
    let narrowed = Recipe::clues(20..=30)
        .unwrap()
        .with_clues_per_house(HouseKind::Box, 3..=4);
    assert_eq!(
        narrowed,
        Recipe::clues(27..=30)
            .unwrap()
            .with_clues_per_house(HouseKind::Box, 3..=4)
    );
    let error = Recipe::unbiased().with_clues_per_digit(2..=3).unwrap_err();
    assert!(matches!(error, RecipeError::Quota(_)), "{error}");
}
