//! Ratings and steps: a batch at every level against puzzle by puzzle, and the steps against
//! the solution.

use super::{material, oracle};
use arbitrary::Unstructured;
use std::cell::RefCell;
use sudoku_batch::{
    Level, Puzzle, guide,
    technique::{self, Rater, Rating},
};

thread_local! {
    static RATERS: RefCell<Vec<Rater>> = RefCell::new(
        Level::available()
            .map(|level| Rater::with_level(level).expect("the level is available"))
            .collect(),
    );
}

/// Rates a few puzzles.
pub fn run(data: &[u8]) {
    let mut from = Unstructured::new(data);
    let mut puzzles = Vec::new();
    while puzzles.len() < 8 && !from.is_empty() {
        let Ok(cells) = material::puzzle(&mut from) else {
            break;
        };
        puzzles.push(Puzzle::from_ascii(&cells).expect("digits and points"));
    }
    let expected: Vec<_> = puzzles.iter().map(technique::rate).collect();
    RATERS.with_borrow_mut(|raters| {
        for rater in raters {
            assert_eq!(rater.rate_batch(&puzzles), expected, "{rater:?}");
        }
    });
    for puzzle in &puzzles {
        let found = oracle::solutions(puzzle.as_ascii(), 2);
        if let ([solution], true) = (&found.found[..], found.known) {
            check_steps(puzzle, solution);
        } else {
            // Steps of a puzzle without one solution just end.
            assert!(technique::steps(puzzle).count() < 1000);
        }
    }
}

/// No step places a wrong digit or strikes a right one, and each says why it holds.
fn check_steps(puzzle: &Puzzle, solution: &[u8; 81]) {
    // A grid takes no step.
    let mut hardest = Some(Rating::from_tenths(0));
    let mut steps = technique::steps(puzzle);
    for step in steps.by_ref() {
        assert!(!step.to_string().is_empty());
        assert!(step.place.is_some() || !step.strikes.is_empty());
        if let Some(place) = step.place {
            assert_eq!(
                place.digit.to_ascii(),
                solution[place.cell.index()],
                "{puzzle}: {step}"
            );
        }
        for strike in &step.strikes {
            assert_ne!(
                strike.digit.to_ascii(),
                solution[strike.cell.index()],
                "{puzzle}: {step}"
            );
        }
        hardest = hardest.max(Some(step.rating()));
    }
    let ratings = technique::rate(puzzle).expect("it has one solution");
    if steps.position().is_solved() {
        assert_eq!(ratings.er, hardest, "{puzzle}");
    } else {
        assert_eq!(ratings.er, None, "{puzzle}");
    }
    // The way of the guide goes on with guesses, to the end.
    let mut way = guide::way(puzzle).expect("it has one solution");
    for advice in way.by_ref() {
        assert!(!advice.to_string().is_empty());
        if let Some((cell, digit)) = advice.place() {
            assert_eq!(
                digit.to_ascii(),
                solution[cell.index()],
                "{puzzle}: {advice}"
            );
        }
    }
    assert!(way.position().is_solved(), "{puzzle}");
}
