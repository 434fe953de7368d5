//! The minimal puzzles inside a puzzle, against all subsets that have one solution.

use crate::support::{
    brute_force::{minimal_hitting_sets, minimals_by_subsets},
    cases,
    data::puzzles,
    puzzles::SOLUTIONS,
    random_words::Words,
};
use std::collections::BTreeSet;
use sudoku_batch::{Cell, Grid, Puzzle, Solver, puzzle::minimal_puzzles};

/// A minimal puzzle with some clues more, and its solution.
fn grown(words: &mut Words, more: usize) -> (Puzzle, Grid) {
    let minimal = puzzles("minimal");
    let mut puzzle = minimal[words.below(minimal.len())];
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
    // One of each number of clues too many, where the last takes half of the time. More find what only some puzzles show.
    for number in 0..cases(9) {
        let (puzzle, solution) = grown(&mut words, number % 9);
        assert_eq!(solver.solve_unique(&puzzle), Ok(solution));
        let expected = minimals_by_subsets(&puzzle, &mut solver);
        let found: Vec<_> = minimal_puzzles(&puzzle, &solution).collect();
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
    assert!(several > 4 && most > 20, "{several} {most}");
}

/// Puzzles with more clues than subsets can be counted of: each one found is minimal and inside, each comes once
/// and in order, and those that digging in random orders meets are among them where all are listed.
#[test]
fn minimals_of_many_clues_are_minimal_and_none_is_missing() {
    let mut solver = Solver::new();
    let mut words = Words::new(7);
    // A second takes other ways through the search; more of them find rare ones.
    for number in 0..cases(2) {
        let (puzzle, solution) = grown(&mut words, 11);
        let found: Vec<_> = minimal_puzzles(&puzzle, &solution).take(4000).collect();
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
    let found: Vec<_> = minimal_puzzles(&Puzzle::from(solution), &solution)
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

/// The clues of a puzzle as bits, in their order inside another one.
fn bits(of: &Puzzle, inside: &[Cell]) -> u64 {
    let clues = inside.iter().enumerate();
    let there = clues.filter(|(_, cell)| of.get(**cell).is_some());
    there.fold(0, |bits, (place, _)| bits | 1 << place)
}

/// With too many clues for all subsets, unavoidable sets prove that none is missing. A set of clues that meets
/// all listed puzzles is unavoidable exactly if each puzzle with one solution is listed or contains a listed one: if one were
/// missing, some minimal set that meets all the others would miss it, and the puzzle would have one solution
/// without the clues of that set. (M. Fredman and L. Khachiyan, 1996, on the duality of such families.)
#[test]
fn unavoidable_sets_prove_that_no_minimal_is_missing() {
    let mut solver = Solver::new();
    let mut words = Words::new(11);
    let (mut proofs, mut most, mut sets) = (0, 0, 0);
    // One of each number of clues. More of them find what only some puzzles show.
    for number in 0..cases(4) {
        let (puzzle, solution) = grown(&mut words, 6 + number % 4);
        let found: Vec<_> = minimal_puzzles(&puzzle, &solution).take(4000).collect();
        if found.len() == 4000 {
            continue;
        }
        let clues: Vec<_> = Cell::all()
            .filter(|&cell| puzzle.get(cell).is_some())
            .collect();
        let of_found: Vec<_> = found.iter().map(|one| bits(one, &clues)).collect();
        let unavoidable = minimal_hitting_sets(&of_found);
        let without: Vec<_> = unavoidable
            .iter()
            .map(|set| {
                let mut without = puzzle;
                for (place, &cell) in clues.iter().enumerate() {
                    if set >> place & 1 != 0 {
                        without.set(cell, None);
                    }
                }
                without
            })
            .collect();
        let counts = solver.count_batch(&without, 2);
        assert!(counts.iter().all(|&count| count == 2), "{puzzle}");
        // The check can fail: without one of the listed puzzles, a set is left that is not unavoidable.
        if found.len() > 1 {
            let fewer = minimal_hitting_sets(&of_found[1..]);
            let is_missing = |set: &u64| of_found[0] & set == 0;
            assert!(fewer.iter().any(is_missing), "{puzzle}");
        }
        proofs += 1;
        most = most.max(found.len());
        sets = sets.max(unavoidable.len());
    }
    assert!(proofs > 2 && most > 100, "{proofs} {most} {sets}");
}
