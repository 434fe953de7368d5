//! The files in `data/` are what `data/README.md` says.

use crate::support::{
    data::{puzzles, text},
    one_of, oracle,
};
use std::collections::BTreeSet;
use sudoku_batch::{Cell, Grid, Solver, grid::PEERS, solve::scalar_effort};

const FILES: [(&str, usize); 4] = [
    ("sample", 30),
    ("easy", 2000),
    ("minimal", 2000),
    ("hard", 600),
];

#[test]
fn every_puzzle_has_one_solution_and_it_is_on_file() {
    for (name, count) in FILES {
        let puzzles = puzzles(name);
        assert_eq!(puzzles.len(), count, "{name}");
        assert_eq!(
            puzzles.iter().collect::<BTreeSet<_>>().len(),
            count,
            "{name}"
        );
        let solutions = text(&format!("{name}.solved"));
        assert_eq!(solutions.len(), 82 * count, "{name}");
        let outcomes = Solver::new().solve_unique_batch(&puzzles);
        for ((puzzle, line), outcome) in puzzles.iter().zip(solutions.lines()).zip(outcomes) {
            let grid: Grid = line.parse().unwrap();
            assert!(grid.is_solution_of(puzzle), "{name}: {puzzle}");
            assert_eq!(outcome, Ok(grid), "{name}: {puzzle}");
        }
        for puzzle in puzzles.iter().step_by(60) {
            assert_eq!(oracle::solutions(puzzle, 2).len(), 1, "{name}: {puzzle}");
        }
    }
}

#[test]
fn naked_singles_solve_the_easy() {
    // The file does not change: by default a part of it is solved by the rule.
    for puzzle in puzzles("easy").into_iter().step_by(one_of(4)) {
        let mut filled = puzzle;
        let mut blanks: Vec<_> = Cell::all()
            .filter(|&cell| puzzle.get(cell).is_none())
            .collect();
        assert!((45..=50).contains(&blanks.len()), "{puzzle}");
        while !blanks.is_empty() {
            let before = blanks.len();
            blanks.retain(|&cell| {
                let peers = PEERS[cell.index()].map(|peer| Cell::new(peer.into()).unwrap());
                let seen: BTreeSet<_> = peers.iter().filter_map(|&peer| filled.get(peer)).collect();
                let mut free = sudoku_batch::Digit::all().filter(|digit| !seen.contains(digit));
                let (first, second) = (free.next(), free.next());
                if second.is_none() {
                    filled.set(cell, first);
                }
                second.is_some()
            });
            assert!(blanks.len() < before, "{puzzle} is stuck at {filled}");
        }
    }
}

#[test]
fn every_clue_of_a_minimal_puzzle_is_needed() {
    let mut solver = Solver::new();
    for name in ["minimal", "hard"] {
        for puzzle in puzzles(name) {
            let clues = Cell::all().filter(|&cell| puzzle.get(cell).is_some());
            let without = |cell| {
                let mut fewer = puzzle;
                fewer.set(cell, None);
                fewer
            };
            let fewer: Vec<_> = clues.map(without).collect();
            let counts = solver.count_batch(&fewer, 2);
            assert!(counts.iter().all(|&count| count == 2), "{name}: {puzzle}");
        }
    }
}

#[test]
fn the_hard_are_hard() {
    let mean = |name| {
        let puzzles = puzzles(name);
        puzzles
            .iter()
            .map(|puzzle| scalar_effort(puzzle, u64::MAX).unwrap().1)
            .sum::<u64>()
            / puzzles.len() as u64
    };
    assert_eq!(mean("easy"), 0);
    assert!(mean("minimal") < 2);
    assert!(mean("hard") >= 20);
}
