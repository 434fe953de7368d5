//! A puzzle, or a few, at every level and with both engines, against a naive search.

use super::{material, oracle};
use arbitrary::Unstructured;
use std::cell::RefCell;
use sudoku_batch::{
    Engine, Goal, Grid, Level, NotUniqueError, Outcome, Puzzle, Solver,
    solve::{Counting, NO_SOLUTION, Solutions, guesses},
};

/// Up to so many solutions are counted.
const LIMIT: u64 = 5;

thread_local! {
    /// Both engines at all levels, kept from run to run as a program would.
    static SOLVERS: RefCell<Vec<Solver>> = RefCell::new(solvers());
}

fn solvers() -> Vec<Solver> {
    let of_level = |level| {
        let solver = move || Solver::with_level(level).expect("the level is available");
        let engines = Engine::ALL
            .iter()
            .map(move |&engine| solver().with_engine(engine));
        engines.chain([solver()])
    };
    Level::available().flat_map(of_level).collect()
}

/// Solves a few puzzles.
pub fn run(data: &[u8]) {
    let mut from = Unstructured::new(data);
    let mut puzzles = Vec::new();
    while puzzles.len() < 6 && !from.is_empty() {
        let Ok(cells) = material::puzzle(&mut from) else {
            break;
        };
        puzzles.push(cells);
    }
    // The first with itself as its neighbours, so that it is in all lanes. Not if it takes long:
    // the engines are a hundred times slower while a fuzzer watches each of their branches.
    let clues = |cells: &[u8; 81]| cells.iter().filter(|&&c| c != b'.').count();
    if let (Some(&first), Ok(1)) = (puzzles.first(), from.int_in_range(0..=20u8))
        && clues(&first) > 22
    {
        puzzles.resize(150, first);
    }
    SOLVERS.with_borrow_mut(|solvers| check(&puzzles, solvers));
}

fn check(cells: &[[u8; 81]], solvers: &mut [Solver]) {
    let puzzles: Vec<_> = cells
        .iter()
        .map(|cells| Puzzle::from_ascii(cells).expect("digits and points"))
        .collect();
    let mut first_outcomes = None;
    for solver in solvers {
        let outcomes = solver.solve_batch(&puzzles);
        let expected = first_outcomes.get_or_insert_with(|| {
            check_outcomes(cells, &outcomes);
            outcomes.clone()
        });
        assert_eq!(outcomes, *expected, "{solver:?}");
        check_others(&puzzles, expected, solver);
    }
}

/// Outcomes against the rules and the naive search.
fn check_outcomes(all_cells: &[[u8; 81]], outcomes: &[Outcome]) {
    assert_eq!(all_cells.len(), outcomes.len());
    let mut before = None;
    for (cells, outcome) in all_cells.iter().zip(outcomes) {
        // Once for equal neighbours.
        if before == Some((cells, outcome)) {
            continue;
        }
        before = Some((cells, outcome));
        let puzzle = cells.escape_ascii();
        if let Some(grid) = outcome.solution() {
            assert!(oracle::is_grid(grid.as_ascii()) && oracle::fits(grid.as_ascii(), cells));
        }
        let naive = oracle::solutions(cells, 2);
        if naive.known {
            match (&naive.found[..], outcome) {
                ([], Outcome::NoSolution) | ([_, _, ..], Outcome::Multiple(_)) => {}
                ([only], Outcome::Unique(grid)) => assert_eq!(only, grid.as_ascii(), "{puzzle}"),
                (found, outcome) => panic!("{puzzle} has {found:?}, not {outcome:?}"),
            }
        }
        if let (Outcome::Multiple(grid), Some(smallest)) = (outcome, oracle::smallest(cells)) {
            assert_eq!(*grid.as_ascii(), smallest, "the smallest of {puzzle}");
        }
        check_counts(cells, outcome);
    }
}

/// The ways to count and to list solutions, and the reference search, which gives up.
fn check_counts(cells: &[u8; 81], outcome: &Outcome) {
    let puzzle = Puzzle::from_ascii(cells).expect("digits and points");
    let listed: Vec<Grid> = Solutions::new(&puzzle).take(LIMIT as usize).collect();
    assert!(listed.is_sorted_by(|a, b| a.as_ascii() < b.as_ascii()));
    assert_eq!(listed.first().copied(), outcome.solution());
    let naive = oracle::solutions(cells, LIMIT as usize);
    if naive.known {
        assert_eq!(listed.len(), naive.found.len());
    }
    let counted = Solver::new().count(&puzzle, LIMIT);
    assert_eq!(counted, listed.len() as u64);
    // In steps, and with what is left in two hands.
    let mut hands = vec![Counting::new(&puzzle)];
    let mut sum = 0;
    while let Some(mut hand) = hands.pop()
        && sum < LIMIT
    {
        sum += hand.advance(7, LIMIT - sum);
        hands.extend(hand.share());
        if !hand.is_done() {
            hands.push(hand);
        }
    }
    assert_eq!(sum, counted);
    if let Some(number) = guesses(&puzzle, 50) {
        assert_eq!(guesses(&puzzle, number), Some(number));
        assert!(number == 0 || guesses(&puzzle, number - 1).is_none());
    }
}

/// The other questions, which have the same answer in other words.
fn check_others(puzzles: &[Puzzle], outcomes: &[Outcome], solver: &mut Solver) {
    let unique = solver.solve_unique_batch(puzzles);
    let counts = solver.count_batch(puzzles, LIMIT);
    let mut lines = vec![[0; 82]; puzzles.len()];
    let mut numbers = vec![u64::MAX; puzzles.len()];
    solver.solve_lines(Goal::Count(LIMIT), puzzles, &mut lines, &mut numbers);
    assert_eq!(counts, numbers);
    for (i, outcome) in outcomes.iter().enumerate() {
        let (expected, count) = match outcome {
            Outcome::NoSolution => (Err(NotUniqueError::NoSolution), 0..=0),
            Outcome::Unique(grid) => (Ok(*grid), 1..=1),
            Outcome::Multiple(_) => (Err(NotUniqueError::Multiple), 2..=LIMIT),
        };
        assert_eq!(unique[i], expected, "{} {solver:?}", puzzles[i]);
        assert!(
            count.contains(&counts[i]),
            "{} {solver:?}: {}",
            puzzles[i],
            counts[i]
        );
        let line = match expected {
            Ok(grid) => [&grid.as_ascii()[..], b"\n"].concat(),
            Err(_) => NO_SOLUTION.to_vec(),
        };
        assert_eq!(lines[i], line[..]);
    }
}
