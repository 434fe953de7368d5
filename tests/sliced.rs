//! The sliced engine at every level against the scalar engine, and against the
//! oracle: what lanes, records and groups of rows could mix up.

mod oracle;

use std::{fs, num::NonZeroU64};
use sudoku_batch::{
    Cell, Digit, Engine, Grid, Level, Limit, Outcome, Puzzle, Solver,
    format::line::{Line, read_line},
    solve::registry,
};

/// The sliced engine, at each level of this machine; at the best one alone where
/// Miri interprets it.
fn levels() -> impl Iterator<Item = (Level, Solver)> {
    let sliced = registry().filter(|(engine, _)| *engine == Engine::Sliced);
    let sliced = sliced.take(if cfg!(miri) { 1 } else { usize::MAX });
    sliced.map(|(engine, level)| {
        let solver = Solver::with_level(level).unwrap();
        (level, solver.with_engine(engine))
    })
}

fn up_to(limit: u64) -> Limit {
    Limit::UpTo(NonZeroU64::new(limit).unwrap())
}

/// What the scalar engine finds.
fn scalar(puzzles: &[Puzzle], limit: Limit) -> Vec<Outcome> {
    let mut solver = Solver::new().with_engine(Engine::Scalar);
    solver.solve_batch(puzzles, limit)
}

/// Every level finds what the scalar engine does: the same counts, the same
/// solution where it is the only one, a solution where there are several.
fn assert_levels_agree(puzzles: &[Puzzle], limit: Limit) {
    let expected = scalar(puzzles, limit);
    for (level, mut solver) in levels() {
        let found = solver.solve_batch(puzzles, limit);
        assert_eq!(found.len(), puzzles.len());
        for (i, puzzle) in puzzles.iter().enumerate() {
            let what = format!("{level}, {limit:?}, {i} of {}: {puzzle}", puzzles.len());
            assert_eq!(found[i].count, expected[i].count, "{what}");
            match found[i].solution {
                Some(_) if limit.get() > 1 && found[i].is_unique() => {
                    assert_eq!(found[i], expected[i], "{what}");
                }
                Some(grid) => assert!(grid.is_solution_of(puzzle), "{what}: {grid}"),
                None => assert_eq!(found[i].count, 0, "{what}"),
            }
        }
    }
}

/// Every `step`th puzzle of a file in `data/`.
fn data(name: &str, step: usize) -> Vec<Puzzle> {
    let path = format!("{}/data/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).unwrap();
    let records = text
        .lines()
        .filter(|line| read_line(line.as_bytes()) != Line::Skipped);
    let puzzles = records.step_by(step).map(|line| line.parse().unwrap());
    puzzles.collect()
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
    let outcomes = scalar(&data("minimal", 2000 / count), Limit::First);
    outcomes.iter().filter_map(|o| o.solution).collect()
}

/// Puzzles of `clues` clues of a solution each: few of them, many solutions.
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

/// Random minimal puzzles with one clue changed into a digit that its houses do
/// not have: no solution, as a rule found by search.
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
    let found = scalar(&puzzles, Limit::First);
    let mut found = found.iter();
    puzzles.retain(|_| found.next().unwrap().count == 0);
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
        for limit in [Limit::First, Limit::Unique] {
            assert_levels_agree(&data(name, 1), limit);
        }
    }
}

#[test]
fn levels_agree_on_any_number_of_solutions() {
    let puzzles = mixed();
    let found = scalar(&puzzles, up_to(1000));
    for (kind, fewest, most) in [
        ("none", 0, 0),
        ("one", 1, 1),
        ("several", 2, 999),
        ("very many", 1000, 1000),
    ] {
        let of_kind = found.iter().filter(|o| (fewest..=most).contains(&o.count));
        assert!(of_kind.count() >= 50, "puzzles with {kind}");
    }
    for limit in [1, 2, 3, 100, 1000] {
        assert_levels_agree(&puzzles, up_to(limit));
    }
}

#[test]
fn levels_agree_with_the_oracle() {
    let mut puzzles = thinned((0..90).map(|i| 20 + i % 15), 4);
    puzzles.extend(unsolvable(20));
    puzzles.extend(data("hard", 100));
    puzzles.push(Puzzle::EMPTY);
    let limit = 30;
    let expected: Vec<_> = puzzles
        .iter()
        .map(|puzzle| oracle::solutions(puzzle, limit))
        .collect();
    for (level, mut solver) in levels() {
        let found = solver.solve_batch(&puzzles, up_to(limit as u64));
        for ((puzzle, outcome), grids) in puzzles.iter().zip(found).zip(&expected) {
            assert_eq!(outcome.count, grids.len() as u64, "{level}: {puzzle}");
            match outcome.solution {
                Some(grid) if grids.len() < limit => assert!(grids.contains(&grid), "{level}"),
                Some(grid) => assert!(grid.is_solution_of(puzzle), "{level}: {puzzle}"),
                None => assert!(grids.is_empty(), "{level}: {puzzle}"),
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
        for limit in [Limit::First, Limit::Unique, up_to(100)] {
            assert_levels_agree(&puzzles[..length], limit);
        }
    }
}

/// In the first place, the last, and on either side of the lane counts.
#[test]
fn one_hard_puzzle_among_trivial_ones() {
    let hard = data("hard", 600)[0];
    let trivial: Vec<Puzzle> = grids(40).into_iter().map(Puzzle::from).collect();
    for place in [0, 127, 128, 255, 256, 511, 512, 599] {
        let mut puzzles: Vec<_> = trivial.iter().cycle().take(600).copied().collect();
        puzzles[place] = hard;
        assert_levels_agree(&puzzles, Limit::Unique);
    }
}

/// They branch for long before a cell contradicts another.
#[test]
fn hardly_any_clues() {
    let puzzles = thinned((0..144).map(|i| i % 18), 6);
    for limit in [Limit::First, Limit::Unique, up_to(100)] {
        assert_levels_agree(&puzzles, limit);
    }
}

/// An empty grid takes lanes and records up to its limit: its neighbours get
/// theirs all the same.
#[test]
fn empty_grids_among_others() {
    let mut puzzles = data("minimal", 10);
    for place in (0..puzzles.len()).step_by(7) {
        puzzles[place] = Puzzle::EMPTY;
    }
    for limit in [
        Limit::First,
        Limit::Unique,
        up_to(3),
        up_to(100),
        up_to(1000),
    ] {
        assert_levels_agree(&puzzles, limit);
    }
}

#[test]
fn only_unsolvable_puzzles() {
    let puzzles = unsolvable(550);
    for (level, mut solver) in levels() {
        for limit in [Limit::First, Limit::Unique, up_to(1000)] {
            let found = solver.solve_batch(&puzzles, limit);
            for (puzzle, outcome) in puzzles.iter().zip(found) {
                let expected = Outcome {
                    count: 0,
                    solution: None,
                };
                assert_eq!(outcome, expected, "{level}: {puzzle}");
            }
        }
    }
}

#[test]
fn a_shuffled_batch_has_shuffled_answers() {
    let puzzles = mixed();
    let mut random = random(5);
    for (level, mut solver) in levels() {
        for limit in [Limit::Unique, up_to(100)] {
            let found = solver.solve_batch(&puzzles, limit);
            let mut order: Vec<_> = (0..puzzles.len()).collect();
            shuffle(&mut order, &mut random);
            let shuffled: Vec<_> = order.iter().map(|&i| puzzles[i]).collect();
            for (outcome, &i) in solver.solve_batch(&shuffled, limit).iter().zip(&order) {
                assert_eq!(outcome.count, found[i].count, "{level}: {}", puzzles[i]);
                if outcome.count == 1 {
                    assert_eq!(outcome, &found[i], "{level}: {}", puzzles[i]);
                }
            }
        }
    }
}

/// Whatever the solver was used for in between.
#[test]
fn the_same_batch_gives_the_same_bytes() {
    let puzzles = mixed();
    let cells: Vec<_> = puzzles.iter().map(Puzzle::as_ascii).collect();
    for limit in [Limit::First, Limit::Unique, up_to(100)] {
        for (level, mut solver) in levels() {
            let mut bytes = || {
                let mut lines = vec![[0; 82]; cells.len()];
                let mut counts = vec![7; cells.len()];
                solver.solve_lines(&cells, limit, &mut lines, &mut counts);
                solver.solve_batch(&puzzles[..300], up_to(50));
                (lines, counts)
            };
            let first = bytes();
            assert!(first == bytes() && first == bytes(), "{level}");
        }
    }
}

/// Nine times each of one solution, several and none: enough for the engine to
/// keep them, few enough for Miri (`scripts/miri.sh`).
#[test]
fn a_small_batch() {
    let text = "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
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
    assert_levels_agree(&puzzles, up_to(3));
}
