//! The way to the solution, step by step.

use crate::support::puzzles;
use sudoku_batch::{
    Cell, Digit, Outcome, Puzzle, Solver,
    grid::Candidate,
    guide::{Advice, way},
    technique::Position,
};

/// Puzzles of singles and of nested chains, and puzzles with several solutions.
const PUZZLES: [&str; 4] = [
    puzzles::PUZZLES[1],
    // Arto Inkala, 2012.
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..",
    puzzles::TWO_SOLUTIONS,
    ".................................................................................",
];

#[test]
fn every_way_ends_at_a_solution_and_only_several_solutions_need_a_guess() {
    for (n, text) in PUZZLES.into_iter().enumerate() {
        let puzzle: Puzzle = text.parse().unwrap();
        let outcome = Solver::new().solve(&puzzle);
        let (mut guesses, mut position) = (0, Position::new(&puzzle));
        for advice in way(&puzzle).unwrap() {
            let before = position.clone();
            advice.apply(&mut position);
            let solution = outcome.solution().unwrap();
            if let Some(Candidate { cell, digit }) = advice.place() {
                assert_eq!(solution.get(cell), digit, "{advice}");
                assert_eq!(before.filled().get(cell), None);
            }
            for strike in advice.strikes() {
                assert_ne!(solution.get(strike.cell), strike.digit, "{advice}");
                assert!(before.is_candidate(strike.cell, strike.digit));
            }
            if let Advice::Guess {
                digit,
                candidates,
                several,
                ..
            } = &advice
            {
                guesses += 1;
                assert!(candidates.len() > 1 && candidates.contains(*digit));
                assert_eq!(*several, !outcome.is_unique());
                assert!(advice.to_string().starts_with("A guess: "));
            }
        }
        assert_eq!(
            position.filled().as_ascii(),
            outcome.solution().unwrap().as_ascii()
        );
        assert_eq!(guesses > 0, n > 1, "{text}");
    }
}

#[test]
fn there_is_no_way_without_a_solution() {
    let mut puzzle: Puzzle = PUZZLES[0].parse().unwrap();
    puzzle.set(Cell::at(0, 1), Digit::new(6));
    puzzle.set(Cell::at(0, 2), Digit::new(8));
    assert_eq!(Solver::new().solve(&puzzle), Outcome::NoSolution);
    assert!(way(&puzzle).is_none());
    let full: Puzzle = "1".repeat(81).parse().unwrap();
    assert!(way(&full).is_none());
}
