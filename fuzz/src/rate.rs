//! Ratings and steps: a batch at every level against puzzle by puzzle, and the steps against
//! the solution.

use super::{material, oracle};
use arbitrary::Unstructured;
use std::cell::RefCell;
use sudoku_batch::{
    Level, NotUniqueError, Puzzle, Solver, guide,
    questions::{Answer, Data, Question, RateSettings, Status},
    technique::{self, Position, Rating, Ratings, Technique},
};

thread_local! {
    static QUESTIONS: RefCell<Vec<Question>> = RefCell::new(Level::available().map(question).collect());
}

fn question(level: Level) -> Question {
    let settings = RateSettings {
        level: Some(level),
        max_work: Some(MOST_WORK),
        ..RateSettings::default()
    };
    Question::new(settings).expect("the level is available")
}

/// The ratings of a puzzle in an answer.
fn ratings(answer: &Answer<'_>, puzzle: usize) -> Result<Ratings, NotUniqueError> {
    let column = |name| match answer.named(name) {
        Data::Ratings(ratings) => ratings[puzzle],
        _ => unreachable!("the column has ratings"),
    };
    let Data::Names(techniques) = answer.named("technique") else {
        unreachable!("the column has names")
    };
    let gave_up = match answer.statuses[puzzle] {
        Status::Unique => false,
        Status::GaveUp => true,
        Status::Multiple => return Err(NotUniqueError::Multiple),
        _ => return Err(NotUniqueError::NoSolution),
    };
    Ok(Ratings {
        er: column("er"),
        ep: column("ep"),
        ed: column("ed"),
        technique: Technique::ALL.get(usize::from(techniques[puzzle])).copied(),
        up_to: Rating::HARDEST,
        gave_up,
    })
}

/// The most work for a puzzle, in nodes of chains: about a tenth of a second.
const MOST_WORK: u64 = 250_000;

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
    let expected: Vec<_> = puzzles.iter().map(rate_by_steps).collect();
    let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
    QUESTIONS.with_borrow_mut(|questions| {
        for (level, question) in Level::available().zip(questions) {
            let answer = question.ask_cells(&cells);
            let rated: Vec<_> = (0..puzzles.len())
                .map(|puzzle| ratings(&answer, puzzle))
                .collect();
            assert_eq!(rated, expected, "{level}");
        }
    });
    for puzzle in &puzzles {
        let found = oracle::solutions(puzzle.as_ascii(), 2);
        if let ([solution], true) = (&found.found[..], found.known) {
            check_steps(puzzle, solution);
        } else {
            // Steps of a puzzle without one solution just end.
            assert!(technique::steps(puzzle).with_max_work(MOST_WORK).count() < 1000);
        }
    }
}

/// Ratings by the steps of a puzzle, without planes.
fn rate_by_steps(puzzle: &Puzzle) -> Result<Ratings, NotUniqueError> {
    Solver::new().solve_unique(puzzle)?;
    let mut steps = technique::steps(puzzle).with_max_work(MOST_WORK);
    let (mut hardest, mut ep, mut ed) = ((Rating::NONE, None), None, None);
    for step in steps.by_ref() {
        if step.rating() > hardest.0 {
            hardest = (step.rating(), Some(step.technique));
        }
        ed = ed.or(Some(hardest.0));
        if step.place.is_some() {
            ep = ep.or(Some(hardest.0));
        }
    }
    let is_grid = puzzle.clue_count() == 81;
    let er = steps.position().is_filled().then_some(hardest.0);
    Ok(Ratings {
        er,
        ep: if is_grid { er } else { ep },
        ed: if is_grid { er } else { ed },
        technique: hardest.1.filter(|_| er.is_some()),
        up_to: Rating::HARDEST,
        gave_up: steps.gave_up(),
    })
}

/// No step places a wrong digit or strikes a right one, and each says why it holds.
fn check_steps(puzzle: &Puzzle, solution: &[u8; 81]) {
    let mut steps = technique::steps(puzzle).with_max_work(MOST_WORK);
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
    }
    assert_ne!(steps.position().is_solved(), steps.gave_up(), "{puzzle}");
    if steps.gave_up() {
        return;
    }
    // The way of the guide leads to the end.
    let mut position = Position::new(puzzle);
    for advice in guide::way(puzzle).expect("it has one solution") {
        advice.apply(&mut position);
        assert!(!advice.to_string().is_empty());
        if let Some(place) = advice.place() {
            let (cell, digit) = (place.cell, place.digit);
            assert_eq!(
                digit.to_ascii(),
                solution[cell.index()],
                "{puzzle}: {advice}"
            );
        }
    }
    assert!(position.is_solved(), "{puzzle}");
}
