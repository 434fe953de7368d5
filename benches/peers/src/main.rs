//! Canonical forms, minimality, uniqueness and images beside the crate `sudoku`, on one
//! thread and in one run: the two work in turn, five times each, and the medians count.
//!
//! Before anything is measured the answers are compared: both must give the same canonical
//! form of each grid, the same number of automorphisms, and the same puzzles that are minimal.
//!
//! ```text
//! cargo run --release --manifest-path benches/peers/Cargo.toml
//! ```

use std::{hint::black_box, time::Instant};
use sudoku_batch::{dataset::redundant_clues, generate::Grids, questions::{AugmentSettings, PuzzlesSettings, Question}, symmetry::{CanonicalGrid, CanonicalPuzzle}, Grid, Outcome, Puzzle, Solver};

const ROUNDS: usize = 5;

/// Grids and puzzles for both, the same ones.
struct Corpus {
    grids: Vec<Grid>,
    /// Half of them minimal, the others with one clue more.
    puzzles: Vec<Puzzle>,
    their_grids: Vec<sudoku::Sudoku>,
    their_puzzles: Vec<sudoku::Sudoku>,
}

impl Corpus {
    fn new() -> Self {
        let uniform = Grids::uniform(1);
        let grids: Vec<Grid> = (0..8192).map(|i| uniform.grid(i).unwrap()).collect();
        let settings = PuzzlesSettings { seed: 1, ..PuzzlesSettings::default() };
        let set = settings.set().expect("minimal puzzles");
        let mut puzzles: Vec<Puzzle> = set
            .iter(0..8192)
            .map(|made| made.expect("a minimal puzzle").0)
            .collect();
        let mut solver = Solver::new();
        for puzzle in puzzles.iter_mut().step_by(2) {
            let solution = solution(&mut solver, puzzle);
            let blank = sudoku_batch::Cell::all().find(|&cell| puzzle.get(cell).is_none());
            let blank = blank.expect("a blank");
            puzzle.set(blank, Some(solution.get(blank)));
        }
        let theirs = |text: String| sudoku::Sudoku::from_str_line(&text).expect("a line");
        Self {
            their_grids: grids.iter().map(|grid| theirs(grid.to_string())).collect(),
            their_puzzles: (puzzles.iter())
                .map(|puzzle| theirs(puzzle.to_string()))
                .collect(),
            grids,
            puzzles,
        }
    }
}

fn solution(solver: &mut Solver, puzzle: &Puzzle) -> Grid {
    match solver.solve(puzzle) {
        Outcome::Unique(grid) => grid,
        _ => panic!("{puzzle} has one solution"),
    }
}

/// The forms of puzzles, from their cells alone.
fn forms(solver: &mut Solver, puzzles: &[Puzzle]) -> Vec<CanonicalPuzzle> {
    let solutions = solver.solve_unique_batch(puzzles);
    puzzles
        .iter()
        .zip(solutions)
        .map(|(puzzle, solution)| CanonicalPuzzle::new(puzzle, &solution.expect("unique")))
        .collect()
}

/// Whether each puzzle is minimal, from its cells alone.
fn minimal(solver: &mut Solver, puzzles: &[Puzzle]) -> Vec<bool> {
    let solutions = solver.solve_unique_batch(puzzles);
    let solutions: Vec<Grid> = (solutions.into_iter())
        .map(|solution| solution.expect("unique"))
        .collect();
    let redundant = redundant_clues(solver, puzzles, &solutions);
    redundant.into_iter().map(|clues| clues == 0).collect()
}

/// This does so with the other crate, which has no function for it: without any clue there are
/// several solutions.
fn their_minimal(puzzle: &sudoku::Sudoku) -> bool {
    let cells = puzzle.to_bytes();
    (0..81).filter(|&cell| cells[cell] > 0).all(|cell| {
        let mut without = cells;
        without[cell] = 0;
        let without = sudoku::Sudoku::from_bytes(without).expect("digits");
        !without.is_uniquely_solvable()
    })
}

/// Compares the answers.
fn check(corpus: &Corpus) {
    let mut solver = Solver::new();
    for (ours, theirs) in corpus.grids.iter().zip(&corpus.their_grids) {
        let ours = CanonicalGrid::new(ours);
        let (form, automorphisms) = theirs.canonicalized().expect("a grid");
        assert_eq!(ours.grid().to_string(), form.to_str_line().to_string());
        assert_eq!(ours.automorphisms() as usize, automorphisms);
    }
    for (ours, theirs) in (forms(&mut solver, &corpus.puzzles).iter()).zip(&corpus.their_puzzles) {
        let (form, automorphisms) = theirs.canonicalized().expect("one solution");
        // Their form of a solution with automorphisms is any of several copies.
        if automorphisms == 1 {
            assert_eq!(ours.puzzle().to_string(), form.to_str_line().to_string());
        }
    }
    let ours = minimal(&mut solver, &corpus.puzzles);
    let theirs: Vec<bool> = corpus.their_puzzles.iter().map(their_minimal).collect();
    assert_eq!(ours, theirs);
    assert_eq!(ours.iter().filter(|&&minimal| minimal).count(), 4096);
    println!(
        "The same forms of {} grids and {} puzzles, and the same puzzles are minimal.\n",
        corpus.grids.len(),
        corpus.puzzles.len()
    );
}

/// Runs both in turn. Prints the medians, in answers a second.
fn compare(
    name: &str,
    (count, mut ours): (usize, impl FnMut()),
    (their_count, mut theirs): (usize, impl FnMut()),
) {
    let rate = |count: usize, work: &mut dyn FnMut()| {
        let start = Instant::now();
        let mut times = 0;
        while start.elapsed().as_secs_f64() < 0.25 {
            work();
            times += 1;
        }
        (times * count) as f64 / start.elapsed().as_secs_f64()
    };
    let (mut our_rates, mut their_rates) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        our_rates.push(rate(count, &mut ours));
        their_rates.push(rate(their_count, &mut theirs));
    }
    let median = |mut rates: Vec<f64>| {
        rates.sort_by(f64::total_cmp);
        rates[ROUNDS / 2]
    };
    let (ours, theirs) = (median(our_rates), median(their_rates));
    println!(
        "| {name} | {theirs:.0} | {ours:.0} | {:.1} |",
        ours / theirs
    );
}

fn main() {
    let corpus = Corpus::new();
    check(&corpus);
    let (grids, puzzles) = (&corpus.grids, &corpus.puzzles);
    let solver = || Solver::new();
    let (mut first, mut second, mut third) = (solver(), solver(), solver());
    // Some are enough: the other crate needs 40 microseconds for each.
    let (their_grids, their_puzzles) = (&corpus.their_grids[..512], &corpus.their_puzzles[..512]);
    println!("| a second, one thread | sudoku 0.8 | sudoku-batch | times as fast |");
    println!("|---|---:|---:|---:|");
    compare(
        "canonical form, grids",
        (grids.len(), || {
            grids.iter().for_each(|grid| {
                black_box(CanonicalGrid::new(grid));
            });
        }),
        (their_grids.len(), || {
            their_grids.iter().for_each(|grid| {
                black_box(grid.canonicalized());
            });
        }),
    );
    compare(
        "canonical form, minimal puzzles",
        (puzzles.len(), || {
            black_box(forms(&mut first, puzzles));
        }),
        (their_puzzles.len(), || {
            their_puzzles.iter().for_each(|puzzle| {
                black_box(puzzle.canonicalized());
            });
        }),
    );
    compare(
        "one solution or not",
        (puzzles.len(), || {
            black_box(second.count_batch(puzzles, 2));
        }),
        (their_puzzles.len(), || {
            their_puzzles.iter().for_each(|puzzle| {
                black_box(puzzle.is_uniquely_solvable());
            });
        }),
    );
    compare(
        "minimal or not",
        (puzzles.len(), || {
            black_box(minimal(&mut third, puzzles));
        }),
        (64, || {
            their_puzzles[..64].iter().for_each(|puzzle| {
                black_box(their_minimal(puzzle));
            });
        }),
    );
    let settings = AugmentSettings { copies: 10, seed: 1, ..AugmentSettings::default() };
    let mut augmenter = Question::new(settings).expect("known operations");
    let cells: Vec<[u8; 81]> = puzzles[..1024].iter().map(|puzzle| *puzzle.as_ascii()).collect();
    let mut copies = augmenter.empty();
    compare(
        "random images",
        (10 * 1024, || {
            augmenter.fill_cells(&cells, &mut copies);
            black_box(&copies);
        }),
        (their_puzzles.len(), || {
            their_puzzles.iter().for_each(|puzzle| {
                black_box(puzzle.shuffled());
            });
        }),
    );
}
