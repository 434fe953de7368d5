//! Puzzles with numbers of clues in each row, column and box, and of each digit.

use crate::{
    made::refused,
    support::{cases, oracle},
};
use std::ops::RangeInclusive;
use sudoku_batch::{
    Cell, Digit, Puzzle,
    puzzle::{Pattern, Symmetry},
    questions::PuzzlesSettings,
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

/// The settings with these ranges for rows, columns, boxes and digits. A range of 0 to 9 is no wish.
fn wanted(ranges: [RangeInclusive<u64>; 4], missing: Option<u8>) -> PuzzlesSettings {
    let [row, column, in_box, digit] = ranges.map(|range| (range != (0..=9)).then_some(range));
    PuzzlesSettings {
        clues_per_row: row,
        clues_per_column: column,
        clues_per_box: in_box,
        clues_per_digit: digit,
        missing_digit: missing.and_then(Digit::new),
        ..PuzzlesSettings::default()
    }
}

/// Makes puzzles, and checks by plain counts and by a search that shares nothing with the maker that each has what is
/// wanted. Returns how many of a hundred are made.
fn check(wanted: &PuzzlesSettings, count: usize) -> usize {
    let count = cases(count);
    let settings = PuzzlesSettings {
        seed: 3,
        ..wanted.clone()
    };
    let made: Vec<_> = settings.set().unwrap().iter(0..count as u64).collect();
    for (puzzle, solution) in made.iter().flatten() {
        let is = |range: &Option<RangeInclusive<u64>>, count: usize| {
            let count = count as u64;
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
        // Without clues, a pattern and a difficulty they always are.
        let is_free =
            wanted.clues.is_none() && wanted.pattern.is_none() && wanted.difficulty.is_none();
        let is_minimal = is_free || wanted.minimal;
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
    const ANY: RangeInclusive<u64> = 0..=9;
    let of_clues = |clues, wanted| PuzzlesSettings {
        clues: Some(clues),
        ..wanted
    };
    let minimal = |wanted| PuzzlesSettings {
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
            PuzzlesSettings {
                difficulty: Some(Difficulty::Medium),
                ..wanted([ANY, ANY, 2..=4, ANY], None)
            },
        ),
        (
            95,
            PuzzlesSettings {
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
    let with_pattern = |wanted| PuzzlesSettings {
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
    let digits = PuzzlesSettings {
        pattern: Some(mask.parse().unwrap()),
        minimal: true,
        clues_per_digit: Some(1..=3),
        ..PuzzlesSettings::default()
    };
    assert!(check(&digits, 8) >= 75);
}

fn any_range() -> [RangeInclusive<u64>; 2] {
    [0..=9, 0..=9]
}

#[test]
fn what_no_puzzle_has_is_refused() {
    let refused = |settings: PuzzlesSettings| refused(&settings);
    let any = 0..=9;
    let boxes = |range| wanted([any.clone(), any.clone(), range, any.clone()], None);
    let clues = |n, wanted| PuzzlesSettings {
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
    assert!(full.set().is_ok(), "without minimal");
    let pattern = Pattern::of(
        &"12..3....4..567....89....1.2...3...45..6.7..89...1...2.3....45....678..9....1..23"
            .parse()
            .unwrap(),
    );
    assert_eq!(
        refused(PuzzlesSettings {
            pattern: Some(pattern),
            ..boxes(2..=4)
        }),
        "box 1 of the pattern has 5 clues, and 2 to 4 clues are asked for"
    );
    let unbiased = PuzzlesSettings {
        unbiased: true,
        ..boxes(2..=4)
    };
    assert_eq!(
        refused(unbiased),
        "unbiased cannot be used with clues-per-box"
    );
    let unbiased = PuzzlesSettings {
        unbiased: true,
        ..wanted([any.clone(), any.clone(), any.clone(), 2..=3], None)
    };
    assert_eq!(
        refused(unbiased),
        "unbiased cannot be used with clues-per-digit"
    );
    // Numbers of clues that nine boxes cannot have are never drawn.
    let [narrowed, narrow] = [20..=30, 27..=30].map(|range| {
        let settings = PuzzlesSettings {
            clues: Some(range),
            ..boxes(3..=4)
        };
        settings.set().unwrap()
    });
    assert!(narrowed.iter(0..30).eq(narrow.iter(0..30)));
}
