//! The independent check of grids and solutions, against the rule written with sets.

use crate::support::{
    puzzles::{PUZZLES, SOLUTIONS},
    slow,
};
use proptest::prelude::*;
use std::collections::BTreeSet;
use sudoku_batch::{
    Level,
    verify::{grid_fault, solution_fault, wrong_grid, wrong_solution},
};

const GRID: &[u8; 81] = cells(SOLUTIONS[0]);
const PUZZLE: &[u8; 81] = cells(PUZZLES[0]);

const fn cells(text: &'static str) -> &'static [u8; 81] {
    text.as_bytes().first_chunk().unwrap()
}

/// The rule: 81 digits, each once in every row, column and box, and a line feed.
fn is_grid(line: &[u8; 82]) -> bool {
    let is_house = |cells: [usize; 9]| {
        let digits: BTreeSet<u8> = cells.iter().map(|&cell| line[cell]).collect();
        digits == BTreeSet::from(*b"123456789")
    };
    let from = |f: fn(usize, usize) -> usize, house| std::array::from_fn(|i| f(house, i));
    line[81] == b'\n'
        && (0..9).all(|house| {
            is_house(from(|row, i| 9 * row + i, house))
                && is_house(from(|column, i| 9 * i + column, house))
                && is_house(from(
                    |b, i| 27 * (b / 3) + 3 * (b % 3) + 9 * (i / 3) + i % 3,
                    house,
                ))
        })
}

fn is_solution(puzzle: &[u8; 81], line: &[u8; 82]) -> bool {
    let is_clue = |c: &u8| (b'1'..=b'9').contains(c);
    let keeps_clues = puzzle.iter().zip(line).all(|(p, c)| !is_clue(p) || p == c);
    line[..81] == [b'.'; 81] && line[81] == b'\n' || is_grid(line) && keeps_clues
}

fn line_of(cells: &[u8; 81]) -> [u8; 82] {
    let mut line = [b'\n'; 82];
    line[..81].copy_from_slice(cells);
    line
}

/// A grid with digits renamed, rows and columns moved, and a few changes that may or may not
/// leave a grid.
fn nearly_grids() -> impl Strategy<Value = [u8; 82]> {
    let change = prop_oneof![
        // Any byte anywhere, the line feed included.
        (0..82usize, any::<u8>()).prop_map(|(at, byte)| (0u8, at, usize::from(byte))),
        // A digit anywhere.
        (0..81usize, b'1'..=b'9').prop_map(|(at, digit)| (0, at, usize::from(digit))),
        // Two cells, two rows, two columns change places.
        (0..81usize, 0..81usize).prop_map(|(a, b)| (1, a, b)),
        (0..9usize, 0..9usize).prop_map(|(a, b)| (2, a, b)),
        (0..9usize, 0..9usize).prop_map(|(a, b)| (3, a, b)),
        // Two digits change places everywhere.
        (0..9usize, 0..9usize).prop_map(|(a, b)| (4, a, b)),
    ];
    prop::collection::vec(change, 0..4).prop_map(|changes| {
        let mut line = line_of(GRID);
        for (kind, a, b) in changes {
            match kind {
                0 => line[a] = b as u8,
                1 => line.swap(a, b),
                2 => (0..9).for_each(|i| line.swap(9 * a + i, 9 * b + i)),
                3 => (0..9).for_each(|i| line.swap(9 * i + a, 9 * i + b)),
                _ => line[..81].iter_mut().for_each(|cell| {
                    let [a, b] = [a, b].map(|digit| b'1' + digit as u8);
                    *cell = match *cell {
                        c if c == a => b,
                        c if c == b => a,
                        c => c,
                    };
                }),
            }
        }
        line
    })
}

proptest! {
    // Each kind of change comes hundreds of times. More of them meet rarer pairs of changes.
    #![proptest_config(slow(500))]

    #[test]
    fn a_grid_is_what_the_rule_says(line in nearly_grids()) {
        for level in Level::available() {
            prop_assert_eq!(wrong_grid(level, &[line]).is_none(), is_grid(&line));
        }
        prop_assert_eq!(grid_fault(&line).is_none(), is_grid(&line));
    }

    #[test]
    fn a_solution_is_a_grid_with_the_clues(
        line in nearly_grids(), at in 0..81usize, clue: u8, digit in b'1'..=b'9',
    ) {
        for changed in [clue, digit] {
            let mut puzzle = *PUZZLE;
            puzzle[at] = changed;
            for level in Level::available() {
                let wrong = wrong_solution(level, &[puzzle], &[line]);
                prop_assert_eq!(wrong.is_none(), is_solution(&puzzle, &line));
            }
            let fault = solution_fault(&puzzle, &line);
            prop_assert_eq!(fault.is_none(), is_solution(&puzzle, &line));
        }
    }
}

/// Houses whose digits cancel each other, and digits that a shift could turn around.
#[test]
fn no_pattern_of_equal_digits_is_a_grid() {
    for byte in 0..=255 {
        for level in Level::available() {
            assert_eq!(wrong_grid(level, &[line_of(&[byte; 81])]), Some(0));
            // A digit whose lower four or eight bits are those of another.
            let mut line = line_of(GRID);
            line.iter_mut()
                .filter(|cell| **cell == b'5')
                .for_each(|cell| *cell = byte);
            let is_right = byte == b'5';
            assert_eq!(wrong_grid(level, &[line]).is_none(), is_right, "{byte}");
        }
    }
}

/// The first wrong one is named, wherever it is.
#[test]
fn the_first_wrong_record_is_named() {
    let right = line_of(GRID);
    let mut wrong = right;
    wrong.swap(0, 1);
    let mut none = line_of(&[b'.'; 81]);
    for level in Level::available() {
        assert_eq!(wrong_grid(level, &[]), None);
        // Lines are checked 32 at a time.
        for count in [1, 20, 31, 32, 33, 64, 100] {
            assert_eq!(wrong_grid(level, &vec![right; count]), None);
            let puzzles = vec![*PUZZLE; count];
            for at in 0..count {
                let mut lines = vec![right; count];
                lines[at] = wrong;
                lines[count - 1] = wrong;
                assert_eq!(wrong_grid(level, &lines), Some(at));
                assert_eq!(wrong_solution(level, &puzzles, &lines), Some(at));
                // Lines without a solution before it, and a clue that another puzzle has.
                lines[..at].fill(none);
                assert_eq!(wrong_solution(level, &puzzles, &lines), Some(at));
                let mut puzzles = puzzles.clone();
                puzzles[at][1] = b'1';
                let lines = vec![right; count];
                assert_eq!(wrong_solution(level, &puzzles, &lines), Some(at));
            }
        }
        // A puzzle without a solution has a line of points, which is no grid.
        assert_eq!(wrong_solution(level, &[*PUZZLE], &[none]), None);
        assert_eq!(wrong_grid(level, &[none]), Some(0));
    }
    none[80] = b'1';
    assert_eq!(
        wrong_solution(Level::detect(), &[*PUZZLE], &[none]),
        Some(0)
    );
}
