//! The sliced engine at every level against the scalar engine and the oracle. These tests
//! look for puzzles that get mixed up between lanes, paths and groups of rows.

use crate::support::{
    cases, data::puzzles, has_turn, oracle, puzzles::PUZZLES, registry::registry,
};
use sudoku_batch::{Cell, Digit, Engine, Goal, Grid, Level, Puzzle, Solver, solve::NO_SOLUTION};

/// The sliced engine at each level of this machine. Under Miri it is the best level only.
fn levels() -> impl Iterator<Item = (Level, Solver)> {
    let sliced = registry().filter(|(engine, _)| *engine == Engine::Sliced);
    let sliced = sliced.take(if cfg!(miri) { 1 } else { usize::MAX });
    sliced.map(|(engine, level)| {
        let solver = Solver::with_level(level).unwrap();
        (level, solver.with_engine(engine))
    })
}

/// The questions whose answers are compared.
const QUESTIONS: [Goal; 4] = [
    Goal::Solution,
    Goal::Unique,
    Goal::Count(1),
    Goal::Count(100),
];

/// A count and a line for each puzzle.
type Answers = Vec<(u64, [u8; 82])>;

fn ask(solver: &mut Solver, question: Goal, puzzles: &[Puzzle]) -> Answers {
    // The engine must overwrite all of these.
    let mut lines = vec![[0; 82]; puzzles.len()];
    let mut counts = vec![u64::MAX; puzzles.len()];
    solver.solve_lines(question, puzzles, &mut lines, &mut counts);
    counts.into_iter().zip(lines).collect()
}

/// The answer of the scalar engine.
fn scalar(question: Goal, puzzles: &[Puzzle]) -> Answers {
    let mut solver = Solver::new().with_engine(Engine::Scalar);
    ask(&mut solver, question, puzzles)
}

/// Asserts that every level gives the bytes of the scalar engine.
fn assert_levels_agree(question: Goal, puzzles: &[Puzzle]) {
    let expected = scalar(question, puzzles);
    for (level, mut solver) in levels() {
        let found = ask(&mut solver, question, puzzles);
        for (i, puzzle) in puzzles.iter().enumerate() {
            let place = format!("{level}, {question:?}, {i} of {}", puzzles.len());
            assert_eq!(found[i], expected[i], "{place}: {puzzle}");
        }
    }
}

/// Every `step`th puzzle of a file in `data/`.
fn data(name: &str, step: usize) -> Vec<Puzzle> {
    puzzles(name).into_iter().step_by(step).collect()
}

/// Numbers below a bound, from a fixed seed (xorshift, by G. Marsaglia).
fn random(seed: u64) -> impl FnMut(usize) -> usize {
    let mut x = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    move |bound| {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        ((x >> 33) % bound as u64) as usize
    }
}

fn shuffle<T>(items: &mut [T], random: &mut impl FnMut(usize) -> usize) {
    for i in (1..items.len()).rev() {
        items.swap(i, random(i + 1));
    }
}

fn grids(count: usize) -> Vec<Grid> {
    let mut solver = Solver::new().with_engine(Engine::Scalar);
    let outcomes = solver.solve_batch(&data("minimal", 2000 / count));
    outcomes.iter().filter_map(|o| o.solution()).collect()
}

/// Puzzles with `clues` clues of a solution each. Few clues leave many solutions.
fn thinned(clues: impl Iterator<Item = usize>, seed: u64) -> Vec<Puzzle> {
    let mut random = random(seed);
    let grids = grids(40);
    let thin = |clues| {
        let grid = grids[random(grids.len())];
        let mut cells: Vec<_> = Cell::all().collect();
        shuffle(&mut cells, &mut random);
        let mut puzzle = Puzzle::EMPTY;
        for &cell in &cells[..clues] {
            puzzle.set(cell, Some(grid.get(cell)));
        }
        puzzle
    };
    clues.map(thin).collect()
}

/// Random minimal puzzles, with one clue changed to a digit that its houses do not have.
/// They have no solution, and it mostly takes a search to see that.
fn unsolvable(count: usize) -> Vec<Puzzle> {
    let mut random = random(3);
    let mut puzzles = data("minimal", 1);
    for puzzle in &mut puzzles {
        let clues: Vec<_> = Cell::all().filter(|&c| puzzle.get(c).is_some()).collect();
        let cell = clues[random(clues.len())];
        let old = puzzle.get(cell);
        let others = Digit::all().filter(|&digit| Some(digit) != old);
        let changed = others.map(|digit| {
            let mut changed = *puzzle;
            changed.set(cell, Some(digit));
            changed
        });
        let without_conflict = changed.filter(|changed| changed.conflict().is_none());
        *puzzle = without_conflict.last().unwrap_or(*puzzle);
    }
    let found = scalar(Goal::Count(1), &puzzles);
    let mut found = found.iter();
    puzzles.retain(|_| found.next().unwrap().0 == 0);
    puzzles.truncate(count);
    assert_eq!(puzzles.len(), count);
    puzzles
}

/// Puzzles of all kinds, mixed: 0, 1, several and very many solutions.
fn mixed() -> Vec<Puzzle> {
    let mut puzzles = thinned((0..400).map(|i| 18 + i % 22), 1);
    puzzles.extend(unsolvable(150));
    for (name, step) in [("easy", 10), ("minimal", 10), ("hard", 6)] {
        puzzles.extend(data(name, step));
    }
    shuffle(&mut puzzles, &mut random(2));
    puzzles
}

#[test]
fn levels_agree_on_the_files() {
    for name in ["sample", "easy", "minimal", "hard"] {
        for question in QUESTIONS {
            assert_levels_agree(question, &data(name, 1));
        }
    }
}

#[test]
fn levels_agree_on_any_number_of_solutions() {
    let puzzles = mixed();
    let found = scalar(Goal::Count(1000), &puzzles);
    for (kind, fewest, most) in [
        ("none", 0, 0),
        ("one", 1, 1),
        ("several", 2, 999),
        ("very many", 1000, 1000),
    ] {
        let of_kind = found.iter().filter(|(n, _)| (fewest..=most).contains(n));
        assert!(of_kind.count() >= 50, "puzzles with {kind}");
    }
    for limit in [1, 2, 3, 100, 1000] {
        assert_levels_agree(Goal::Count(limit), &puzzles);
    }
}

#[test]
fn levels_agree_with_the_oracle() {
    let mut puzzles = thinned((0..90).map(|i| 20 + i % 15), 4);
    puzzles.extend(unsolvable(20));
    puzzles.extend(data("hard", 100));
    puzzles.push(Puzzle::EMPTY);
    let limit = 300;
    let line = |grid: &Grid| {
        let mut line = NO_SOLUTION;
        line[..81].copy_from_slice(grid.as_ascii());
        line
    };
    let mut several = 0;
    let expected: Vec<_> = puzzles
        .iter()
        .map(|puzzle| {
            let grids = oracle::solutions(puzzle, limit);
            // The first in text order, if the oracle has found all solutions.
            let smallest = grids.iter().map(line).min().unwrap_or(NO_SOLUTION);
            several += usize::from((2..limit).contains(&grids.len()));
            (grids.len(), (grids.len() < limit).then_some(smallest))
        })
        .collect();
    assert!(several > 30, "{several} puzzles with several solutions");
    for (level, mut solver) in levels() {
        let counts = solver.count_batch(&puzzles, limit as u64);
        let smallest = ask(&mut solver, Goal::Solution, &puzzles);
        let unique = ask(&mut solver, Goal::Unique, &puzzles);
        for (i, (puzzle, (count, line))) in puzzles.iter().zip(&expected).enumerate() {
            let what = format!("{level}: {puzzle}");
            assert_eq!(counts[i], *count as u64, "{what}");
            assert_eq!(smallest[i].0, (*count as u64).min(2), "{what}");
            if let Some(line) = line {
                assert_eq!(smallest[i].1, *line, "{what}");
            }
            let only = line.filter(|_| *count == 1).unwrap_or(NO_SOLUTION);
            assert_eq!(unique[i], ((*count as u64).min(2), only), "{what}");
        }
    }
}

/// The answer depends on the record alone. It does not depend on the engine, the level,
/// the size of the batch, the neighbours or what was solved before.
#[test]
fn the_answer_depends_on_the_puzzle_alone() {
    let mut puzzles = mixed();
    puzzles.extend(thinned((0..1200).map(|i| 22 + i % 6), 7));
    puzzles.extend(thinned((0..40).map(|i| i % 20), 8));
    puzzles.extend(data("minimal", 1).into_iter().take(3000 - puzzles.len()));
    assert_eq!(puzzles.len(), 3000);
    let mut random = random(9);
    for (number, question) in [Goal::Solution, Goal::Unique, Goal::Count(5)]
        .into_iter()
        .enumerate()
    {
        // Each puzzle alone.
        let mut alone = Solver::new();
        let expected: Vec<_> = puzzles
            .iter()
            .map(|puzzle| ask(&mut alone, question, std::slice::from_ref(puzzle))[0])
            .collect();
        let several = expected.iter().filter(|(count, _)| *count > 1).count();
        assert!(several > 1000, "{several} puzzles with several solutions");
        let scalar = (Level::Portable, Solver::new().with_engine(Engine::Scalar));
        // By default each level has each other size, and each question the sizes that the one before has not.
        for (row, (level, mut solver)) in levels().chain([scalar]).enumerate() {
            for (column, size) in [1, 2, 47, 48, 130, 512, 1000, 3000].into_iter().enumerate() {
                if !has_turn(number + row + column, 2) {
                    continue;
                }
                let mut order: Vec<_> = (0..puzzles.len()).collect();
                shuffle(&mut order, &mut random);
                // Only some batches of each size, because the small ones take long.
                for part in order.chunks(size).take(cases(15)) {
                    let batch: Vec<_> = part.iter().map(|&i| puzzles[i]).collect();
                    let found = ask(&mut solver, question, &batch);
                    for (&i, found) in part.iter().zip(found) {
                        let what = format!("{level}, batch of {size}: {}", puzzles[i]);
                        assert_eq!(found, expected[i], "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn batches_of_lengths_round_the_lane_counts() {
    let puzzles = mixed();
    for length in [
        0, 1, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513,
    ] {
        for question in QUESTIONS {
            assert_levels_agree(question, &puzzles[..length]);
        }
    }
}

/// The hard puzzle comes first, last, and on both sides of each number of lanes.
#[test]
fn one_hard_puzzle_among_trivial_ones() {
    let hard = data("hard", 600)[0];
    let trivial: Vec<Puzzle> = grids(40).into_iter().map(Puzzle::from).collect();
    for place in [0, 127, 128, 255, 256, 511, 512, 599] {
        let mut puzzles: Vec<_> = trivial.iter().cycle().take(600).copied().collect();
        puzzles[place] = hard;
        assert_levels_agree(Goal::Unique, &puzzles);
    }
}

/// Such puzzles branch many times before one cell contradicts another.
#[test]
fn hardly_any_clues() {
    let puzzles = thinned((0..144).map(|i| i % 18), 6);
    for question in QUESTIONS {
        assert_levels_agree(question, &puzzles);
    }
}

/// An empty grid spreads over the lanes until its count reaches the limit. Its neighbours
/// still get their own answers.
#[test]
fn empty_grids_among_others() {
    let mut puzzles = data("minimal", 10);
    for place in (0..puzzles.len()).step_by(7) {
        puzzles[place] = Puzzle::EMPTY;
    }
    for question in QUESTIONS.into_iter().chain([3, 1000].map(Goal::Count)) {
        assert_levels_agree(question, &puzzles);
    }
}

#[test]
fn only_unsolvable_puzzles() {
    let puzzles = unsolvable(550);
    for (level, mut solver) in levels() {
        for question in QUESTIONS {
            for (puzzle, answer) in puzzles.iter().zip(ask(&mut solver, question, &puzzles)) {
                assert_eq!(answer, (0, NO_SOLUTION), "{level}: {puzzle}");
            }
        }
    }
}

/// Nine puzzles each with one solution, several and none. These are enough for the lanes to
/// work on them, and few enough for Miri (`scripts/miri.sh`).
#[test]
fn a_small_batch() {
    let text = PUZZLES[0];
    let mut puzzles = Vec::new();
    for turn in 0..9 {
        let mut unique: Puzzle = text.parse().unwrap();
        for cell in Cell::all() {
            let turned = unique.get(cell).map(|d| (d.index() + turn) % 9 + 1);
            unique.set(cell, turned.and_then(|d| Digit::new(d as u8)));
        }
        let (mut several, mut none) = (unique, unique);
        several.set(Cell::at(0, 0), None);
        none.set(Cell::at(8, 7), unique.get(Cell::at(0, 0)));
        puzzles.extend([unique, several, none]);
    }
    assert_levels_agree(Goal::Solution, &puzzles);
    assert_levels_agree(Goal::Count(3), &puzzles);
}
