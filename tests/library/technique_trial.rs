//! Depths of trial and error: those of the definition, in any batch at any level, for any image of a puzzle.

use crate::support::{
    cases, data::puzzles, has_turn, one_of, oracle, random_words::Words, rated::Rater, trials,
};
use sudoku_batch::{
    Candidates, Cell, Grid, Level, NotUniqueError, Puzzle, Solver, grid::Digits,
    symmetry::Transformation, technique::TrialDepth,
};

/// Puzzles of depth 3 out of the list TE3 of Monhard's puzzles, and of depth 2 out of the list TE2-780-Blue, in
/// the repository denis-berthier/Sudoku-classif.
const KNOWN: [(&str, TrialDepth); 4] = [
    (
        "987......6..95.....4.......3..21.65....5.3..2....96.31.3.1...2.....6.59.....2.1.3",
        TrialDepth::Three,
    ),
    (
        "9876.....5.....96..4.......3...5.21....2..6.3...1.3.95.3...21.....31..2.....69.5.",
        TrialDepth::Three,
    ),
    (
        "..............1.23.45.6.7..........4...2.3....6....8......4.6....1....8.2....6...",
        TrialDepth::Two,
    ),
    // 98.7..6.. by an unknown author, from the list of hardest puzzles of the forum of Sudoku players.
    (
        "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6",
        TrialDepth::Two,
    ),
];

/// The answer by the definition, for a puzzle of depth 3 at most.
fn defined(puzzle: &Candidates, solutions: usize) -> Result<TrialDepth, NotUniqueError> {
    match solutions {
        0 => Err(NotUniqueError::NoSolution),
        1 => Ok(match trials::depth(puzzle, 3) {
            Some(depth) => TrialDepth::ALL[depth],
            None => TrialDepth::Beyond,
        }),
        _ => Err(NotUniqueError::Multiple),
    }
}

/// Puzzles of many kinds: minimal and hard ones, some with a clue too few, with a wrong one, and with clues to spare.
fn mixed() -> Vec<Puzzle> {
    // These 51 have every depth and every refusal, and fill a batch at each level. More of them find a depth that only few
    // puzzles show wrong.
    let mut random = Words::new(42);
    let mut mixed = Vec::new();
    let minimal = puzzles("minimal");
    for puzzle in minimal.iter().step_by(2000 / cases(10)) {
        let solution = oracle::solutions(puzzle, 1)[0];
        mixed.push(*puzzle);
        for kind in 0..3 {
            let mut changed = *puzzle;
            let cell = Cell::new(random.below(81)).unwrap();
            let clues: Vec<Cell> = Cell::all()
                .filter(|&cell| puzzle.get(cell).is_some())
                .collect();
            match kind {
                0 => changed.set(clues[random.below(clues.len())], None),
                1 => changed.set(cell, Some(solution.get(cell))),
                _ => changed.set(
                    cell,
                    Some(solution.get(Cell::new(random.below(81)).unwrap())),
                ),
            }
            mixed.push(changed);
        }
    }
    mixed.extend(puzzles("hard").iter().step_by(600 / cases(4)));
    mixed.extend(puzzles("easy").iter().step_by(2000 / cases(5)));
    // The definition takes half a second for one of depth 3.
    let known = KNOWN.iter().step_by(one_of(2));
    mixed.extend(known.map(|(puzzle, _)| puzzle.parse::<Puzzle>().unwrap()));
    mixed
}

/// Puzzles by candidates: those of puzzles with more or fewer struck, and with clues taken back.
fn by_candidates() -> Vec<Candidates> {
    let mut random = Words::new(7);
    let mut mixed = Vec::new();
    for puzzle in puzzles("minimal").iter().step_by(2000 / cases(20)) {
        let solution: Grid = oracle::solutions(puzzle, 1)[0];
        for strikes in [0, 20, 200, 300] {
            let mut candidates = Candidates::from(*puzzle);
            if strikes >= 200 {
                for cell in Cell::all() {
                    candidates.set(cell, Digits::ALL);
                }
            }
            for _ in 0..strikes {
                let cell = Cell::new(random.below(81)).unwrap();
                let digit = solution.get(Cell::new(random.below(81)).unwrap());
                if solution.get(cell) != digit {
                    candidates.strike(cell, digit);
                }
            }
            mixed.push(candidates);
        }
    }
    mixed
}

fn at_every_level() -> impl Iterator<Item = Rater> {
    Level::available().map(Rater::with_level)
}

#[test]
fn depths_are_those_of_the_definition() {
    let puzzles = mixed();
    let expected: Vec<_> = puzzles
        .iter()
        .map(|puzzle| {
            defined(
                &Candidates::from(*puzzle),
                oracle::solutions(puzzle, 2).len(),
            )
        })
        .collect();
    for depth in [
        Ok(TrialDepth::Zero),
        Ok(TrialDepth::One),
        Ok(TrialDepth::Two),
        Ok(TrialDepth::Three),
        Err(NotUniqueError::Multiple),
        Err(NotUniqueError::NoSolution),
    ] {
        assert!(expected.contains(&depth), "{depth:?}");
    }
    for (level, mut rater) in at_every_level().enumerate() {
        assert_eq!(rater.trial_depths(&puzzles), expected, "{rater:?}");
        // One puzzle alone has all slots. By default each level has others.
        for (number, (puzzle, expected)) in puzzles.iter().zip(&expected).enumerate() {
            if !has_turn(number + level, 10) {
                continue;
            }
            assert_eq!(rater.trial_depths(&[*puzzle]), [*expected], "{puzzle}");
        }
    }
}

#[test]
fn depths_of_candidates_are_those_of_the_definition() {
    let puzzles = by_candidates();
    let counts = Solver::new().count_batch(&puzzles, 2);
    let expected: Vec<_> = puzzles
        .iter()
        .zip(counts)
        .map(|(puzzle, count)| defined(puzzle, count as usize))
        .collect();
    let rated = expected.iter().flatten().count();
    assert!(
        3 * rated > expected.len() && rated < expected.len(),
        "{rated}"
    );
    for mut rater in at_every_level() {
        assert_eq!(rater.trial_depths(&puzzles), expected, "{rater:?}");
    }
}

#[test]
fn known_depths_are_found() {
    let (puzzles, expected): (Vec<_>, Vec<_>) = KNOWN.iter().copied().unzip();
    let puzzles: Vec<Puzzle> = puzzles
        .iter()
        .map(|puzzle| puzzle.parse().unwrap())
        .collect();
    let depths: Vec<_> = Rater::new()
        .trial_depths(&puzzles)
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(depths, expected);
}

#[test]
fn images_have_the_same_depths() {
    let (puzzles, candidates) = (mixed(), by_candidates());
    let mut rater = Rater::new();
    let expected = (
        rater.trial_depths(&puzzles),
        rater.trial_depths(&candidates),
    );
    let mut random = Words::new(3);
    // The puzzles are many, and each has one image. More images find what only few symmetries show wrong.
    for _ in 0..cases(1) {
        let mut image = || Transformation::numbered(random.next() % Transformation::COUNT);
        let images: Vec<Puzzle> = puzzles
            .iter()
            .map(|puzzle| image().puzzle(puzzle))
            .collect();
        let others: Vec<Candidates> = candidates
            .iter()
            .map(|puzzle| image().puzzle(puzzle))
            .collect();
        assert_eq!(
            (rater.trial_depths(&images), rater.trial_depths(&others)),
            expected
        );
    }
}

#[test]
fn filled_grids_have_depth_0() {
    let grid: Puzzle = crate::support::puzzles::SOLUTIONS[0].parse().unwrap();
    assert_eq!(
        Rater::new().trial_depths(&[grid, Puzzle::EMPTY]),
        [Ok(TrialDepth::Zero), Err(NotUniqueError::Multiple)]
    );
    assert!(Rater::new().trial_depths::<Puzzle>(&[]).is_empty());
}
