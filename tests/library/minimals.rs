//! The minimal puzzles inside a puzzle, against all subsets that have one solution.

use crate::support::{cases, puzzles::SOLUTIONS, random_words::Words};
use std::collections::BTreeSet;
use sudoku_batch::{Cell, Grid, Puzzle, Solver, puzzle::Minimals};

/// All minimal puzzles inside a puzzle with one solution, by its subsets: from the whole puzzle on, each
/// that has one solution loses each clue in turn. Those from which no clue can go are minimal.
fn by_subsets(puzzle: &Puzzle, solver: &mut Solver) -> BTreeSet<Puzzle> {
    let mut level = BTreeSet::from([*puzzle]);
    let mut minimal = BTreeSet::new();
    while !level.is_empty() {
        let parents: Vec<_> = level.into_iter().collect();
        let (mut fewer, mut of_parent) = (Vec::new(), Vec::new());
        for (number, parent) in parents.iter().enumerate() {
            for cell in Cell::all().filter(|&cell| parent.get(cell).is_some()) {
                let mut child = *parent;
                child.set(cell, None);
                fewer.push(child);
                of_parent.push(number);
            }
        }
        let counts = solver.count_batch(&fewer, 2);
        let mut has_child = vec![false; parents.len()];
        level = BTreeSet::new();
        for ((child, parent), count) in fewer.into_iter().zip(of_parent).zip(counts) {
            if count == 1 {
                has_child[parent] = true;
                level.insert(child);
            }
        }
        let ends = parents.into_iter().zip(has_child);
        minimal.extend(
            ends.filter(|(_, has_child)| !has_child)
                .map(|(parent, _)| parent),
        );
    }
    minimal
}

/// A minimal puzzle with some clues more, and its solution.
fn grown(words: &mut Words, more: usize) -> (Puzzle, Grid) {
    let minimal = include_str!("../../data/minimal.txt").lines();
    let minimal: Vec<_> = minimal.filter(|line| line.len() >= 81).collect();
    let mut puzzle: Puzzle = minimal[words.below(minimal.len())][..81].parse().unwrap();
    let solution = Solver::new().solve_unique(&puzzle).unwrap();
    let clues = puzzle.clue_count() + more;
    while puzzle.clue_count() < clues {
        let cell = Cell::new(words.below(81)).unwrap();
        puzzle.set(cell, Some(solution.get(cell)));
    }
    (puzzle, solution)
}

#[test]
fn minimals_are_all_subsets_that_are_minimal() {
    let mut solver = Solver::new();
    let mut words = Words::new(42);
    let (mut several, mut most) = (0, 0);
    for number in 0..cases(40) {
        let (puzzle, solution) = grown(&mut words, number % 9);
        assert_eq!(solver.solve_unique(&puzzle), Ok(solution));
        let expected = by_subsets(&puzzle, &mut solver);
        let found: Vec<_> = Minimals::new(&puzzle, &solution).collect();
        assert!(
            found.is_sorted_by(|a, b| a.as_ascii() < b.as_ascii()),
            "{puzzle}"
        );
        assert_eq!(
            BTreeSet::from_iter(found.iter().copied()),
            expected,
            "{puzzle}"
        );
        several += usize::from(found.len() > 1);
        most = most.max(found.len());
    }
    assert!(several > 20 && most > 20, "{several} {most}");
}

/// Puzzles with more clues than subsets can be counted of: each one found is minimal and inside, each comes once
/// and in order, and those that digging in random orders meets are among them where all are listed.
#[test]
fn minimals_of_many_clues_are_minimal_and_none_is_missing() {
    let mut solver = Solver::new();
    let mut words = Words::new(7);
    for number in 0..cases(6) {
        let (puzzle, solution) = grown(&mut words, 11);
        let found: Vec<_> = Minimals::new(&puzzle, &solution).take(4000).collect();
        assert!(found.is_sorted_by(|a, b| a.as_ascii() < b.as_ascii()));
        let last = found[found.len() - 1];
        for one in &found {
            assert!(
                one.as_ascii()
                    .iter()
                    .zip(puzzle.as_ascii())
                    .all(|(a, b)| a == b || *a == b'.')
            );
        }
        let solutions = vec![solution; found.len()];
        let redundant = sudoku_batch::dataset::redundant_clues(&mut solver, &found, &solutions);
        assert!(redundant.iter().all(|&clues| clues == 0), "{number}");
        assert!(
            solver
                .count_batch(&found, 2)
                .iter()
                .all(|&count| count == 1)
        );
        let known = BTreeSet::from_iter(found.iter().copied());
        for _ in 0..40 {
            let mut dug = puzzle;
            let mut order: Vec<_> = Cell::all().collect();
            for n in (1..81).rev() {
                order.swap(n, words.below(n + 1));
            }
            for cell in order.into_iter().filter(|&cell| puzzle.get(cell).is_some()) {
                let mut fewer = dug;
                fewer.set(cell, None);
                if solver.count(&fewer, 2) == 1 {
                    dug = fewer;
                }
            }
            let is_listed = known.len() < 4000 || dug.as_ascii() <= last.as_ascii();
            assert!(!is_listed || known.contains(&dug), "{puzzle} {dug}");
        }
    }
}

/// The first of a full grid: a search among 81 clues goes straight there.
#[test]
fn a_full_grid_has_minimals_at_once() {
    let solution: Grid = SOLUTIONS[0].parse().unwrap();
    let mut solver = Solver::new();
    let found: Vec<_> = Minimals::new(&Puzzle::from(solution), &solution)
        .take(50)
        .collect();
    // The first is what is left if each clue in reading order goes that can.
    let mut first = Puzzle::from(solution);
    for cell in Cell::all() {
        let mut fewer = first;
        fewer.set(cell, None);
        if solver.count(&fewer, 2) == 1 {
            first = fewer;
        }
    }
    assert_eq!((found.len(), found[0]), (50, first));
    assert!(found.is_sorted_by(|a, b| a.as_ascii() < b.as_ascii()));
}
