//! Looks for the puzzles that are worst for this project's own search:
//!
//! ```text
//! cargo run --release --package sudoku-batch-tools --bin adversary -- search ROUNDS SEED > found.txt
//! cargo run --release --package sudoku-batch-tools --bin adversary -- measure < data/worst.txt
//! ```
//!
//! `search` climbs. A step changes a few clues of a puzzle and keeps the result if it is as
//! bad as the puzzle before, or almost. Each aim has climbs of its own, because a puzzle that
//! has no solution is slow for another reason than one that has several. The output is the
//! worst puzzles of each aim, the worst first. The same numbers give the same puzzles, except for
//! the aim `Smallest`, which uses the clock. A round takes about 20 seconds.
//!
//! `measure` prints a row of figures for each puzzle: how many solutions it has, the steps of
//! the search, the guesses of the reference search, and the time of each engine.

use std::{
    cmp::Reverse,
    collections::BTreeSet,
    env, fs,
    io::{self, Read},
    process::ExitCode,
    time::{Duration, Instant},
};
use sudoku_batch::{
    Cell, Digit, Engine, Level, Puzzle, Solver,
    format::{Records, line},
    solve::{guesses, scalar_effort},
};

/// A puzzle that takes more steps is not searched to its end. It counts as if it had no
/// solution.
const MOST_STEPS: u64 = 20_000_000;

/// A climb ends after so many tries without a worse puzzle, or after so many steps of the
/// search. A climb that goes on from one of the worst puzzles may take more.
const PATIENCE: u32 = 4000;
const CLIMB: u64 = 2_000_000;
const CLIMB_ON: u64 = 10_000_000;

/// So many puzzles of an aim are told, at most one from each climb.
const TOLD: usize = 40;

fn main() -> ExitCode {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    let numbers = |a: &str, b: &str| Some((a.parse().ok()?, b.parse().ok()?));
    match arguments[..] {
        ["search", rounds, seed] if let Some((rounds, seed)) = numbers(rounds, seed) => {
            search(rounds, seed)
        }
        ["measure"] => measure(),
        _ => {
            eprintln!("usage: adversary search ROUNDS SEED | adversary measure < PUZZLES");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

/// The measure by which a puzzle is to be worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Aim {
    /// Steps of the search, without a solution.
    NoSolution,
    /// Steps of the search, with one solution.
    Unique,
    /// Steps of the search until the second solution.
    Several,
    /// Time until the smallest of several solutions is known.
    Smallest,
    /// Steps of the search, compared with the guesses of the reference search.
    Unlike,
    /// Guesses of the reference search, with one solution. `stats` counts them.
    Reference,
}

impl Aim {
    const ALL: [Self; 6] = [
        Self::NoSolution,
        Self::Unique,
        Self::Several,
        Self::Smallest,
        Self::Unlike,
        Self::Reference,
    ];

    /// How bad a puzzle is. `None` if it is none for this aim. Takes the steps of the search
    /// from what is `left`.
    fn score(self, puzzle: &Puzzle, left: &mut u64) -> Option<u64> {
        let effort = Effort::of(puzzle)?;
        *left = left.saturating_sub(effort.steps);
        let is_aim = match self {
            Self::NoSolution => effort.solutions == 0,
            Self::Unique | Self::Reference => effort.solutions == 1,
            Self::Several | Self::Smallest => effort.solutions == 2,
            Self::Unlike => true,
        };
        if !is_aim {
            return None;
        }
        match self {
            Self::NoSolution | Self::Unique | Self::Several => Some(effort.steps),
            Self::Smallest => {
                let mut solver = Solver::new().with_engine(Engine::Scalar);
                let time = fastest(3, || solver.solve(puzzle)).as_nanos() as u64;
                // A step takes about a microsecond.
                *left = left.saturating_sub(3 * time / 1000);
                Some(time)
            }
            Self::Reference => {
                let reference = guesses(puzzle, MOST_STEPS).unwrap_or(MOST_STEPS);
                *left = left.saturating_sub(reference);
                Some(reference)
            }
            Self::Unlike => {
                let reference = guesses(puzzle, 4 * effort.steps + 100)?;
                Some(100 * effort.steps / (reference + 20))
            }
        }
    }
}

/// The work of the search of both engines for a puzzle, until it has two solutions.
struct Effort {
    solutions: u64,
    steps: u64,
}

impl Effort {
    /// `None` for a puzzle with a digit twice in a house, which needs no search.
    fn of(puzzle: &Puzzle) -> Option<Self> {
        if puzzle.conflict().is_some() {
            return None;
        }
        let (solutions, steps) = scalar_effort(puzzle, MOST_STEPS).unwrap_or((0, MOST_STEPS));
        // Steps without a guess take time too.
        Some(Self {
            solutions,
            steps: steps + 1,
        })
    }
}

fn search(rounds: u64, seed: u64) {
    let starts = starts();
    let mut found: Vec<BTreeSet<(Reverse<u64>, Puzzle)>> = vec![BTreeSet::new(); Aim::ALL.len()];
    for round in 0..rounds {
        for (aim, found) in Aim::ALL.into_iter().zip(&mut found) {
            let mut random = Random(seed << 32 | round << 8 | aim as u64);
            // Every third climb goes on from one of the worst so far.
            let again = found.iter().nth(random.below(4)).map(|worst| worst.1);
            let (start, steps) = match again {
                Some(worst) if random.below(3) == 0 => (worst, CLIMB_ON),
                _ => (starts[random.below(starts.len())], CLIMB),
            };
            if let Some(worst) = climb(aim, start, &mut random, steps) {
                found.insert(worst);
                if found.len() > TOLD {
                    found.pop_last();
                }
            }
        }
        for (aim, found) in Aim::ALL.into_iter().zip(&found) {
            if let Some((Reverse(score), puzzle)) = found.first() {
                eprintln!("{puzzle} {aim:?} {score} round {round}");
            }
        }
    }
    for (aim, found) in Aim::ALL.into_iter().zip(found) {
        for (Reverse(score), puzzle) in found {
            println!("{puzzle} {aim:?} {score}");
        }
    }
}

/// The starts of climbs: the project's hardest puzzles, and some random ones.
fn starts() -> Vec<Puzzle> {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/");
    let read = |name: &str| puzzles(&fs::read_to_string(format!("{data}{name}")).expect(name));
    let mut starts = read("hard.txt");
    starts.extend(read("minimal.txt").into_iter().take(200));
    starts
}

fn puzzles(text: &str) -> Vec<Puzzle> {
    let mut records = Records::default();
    line::read(text.as_bytes(), &mut records);
    (0..records.len())
        .filter_map(|record| records.puzzle_of_cells(record).ok())
        .collect()
}

/// The worst puzzle of a climb of so many steps of the search.
fn climb(
    aim: Aim,
    start: Puzzle,
    random: &mut Random,
    mut steps: u64,
) -> Option<(Reverse<u64>, Puzzle)> {
    let mut here = start;
    // Until the puzzle is one for this aim.
    let mut height = aim.score(&here, &mut steps);
    for _ in 0..PATIENCE {
        if height.is_some() {
            break;
        }
        here = changed(&start, random);
        height = aim.score(&here, &mut steps);
    }
    let mut height = height?;
    let mut worst = (height, here);
    let mut patience = PATIENCE;
    while patience > 0 && steps > 0 {
        patience -= 1;
        let mut next = changed(&here, random);
        if aim == Aim::NoSolution && height < 1000 && random.below(2) == 0 {
            loosen(&mut next, random);
        }
        let Some(score) = aim.score(&next, &mut steps) else {
            continue;
        };
        if score + random.below(2 + height as usize / 8) as u64 > height {
            (here, height) = (next, score);
        }
        if score > worst.0 {
            // The clock is not exact: an aim in time asks for more.
            if aim != Aim::Smallest || score > worst.0 + worst.0 / 50 {
                patience = PATIENCE;
            }
            worst = (score, next);
        }
    }
    Some((Reverse(worst.0), worst.1))
}

/// A puzzle with one to four clues more, fewer or others.
fn changed(puzzle: &Puzzle, random: &mut Random) -> Puzzle {
    let mut next = *puzzle;
    // With digits of a solution a puzzle stays solvable.
    let solution = match random.below(3) {
        0 => None,
        _ => Solver::new()
            .with_engine(Engine::Scalar)
            .solve_unique(puzzle)
            .ok(),
    };
    for _ in 0..1 + random.below(3) {
        let clue = random.cell(|cell| next.get(cell).is_some());
        let blank = random.cell(|cell| next.get(cell).is_none());
        let digit = Digit::new(1 + random.below(9) as u8);
        let digit = match (solution, blank) {
            (Some(solution), Some(cell)) => Some(solution.get(cell)),
            _ => digit,
        };
        match (random.below(5), clue, blank) {
            (0, Some(clue), _) => next.set(clue, None),
            (1, _, Some(blank)) => next.set(blank, digit),
            (2, Some(clue), _) if solution.is_none() => next.set(clue, digit),
            (_, Some(clue), Some(blank)) => {
                next.set(clue, None);
                next.set(blank, digit);
            }
            _ => {}
        }
    }
    next
}

/// Removes clues from a puzzle without a solution as long as it has none: the fewer are left,
/// the later the contradiction shows.
fn loosen(puzzle: &mut Puzzle, random: &mut Random) {
    let has_none = |puzzle: &Puzzle| {
        Effort::of(puzzle).is_some_and(|effort| effort.solutions == 0 && effort.steps < MOST_STEPS)
    };
    if !has_none(puzzle) {
        return;
    }
    let mut cells: Vec<_> = Cell::all()
        .filter(|&cell| puzzle.get(cell).is_some())
        .collect();
    while !cells.is_empty() {
        let cell = cells.swap_remove(random.below(cells.len()));
        let clue = puzzle.get(cell);
        puzzle.set(cell, None);
        if !has_none(puzzle) {
            puzzle.set(cell, clue);
        }
    }
}

/// The least time of several runs.
fn fastest<R>(runs: u32, mut run: impl FnMut() -> R) -> Duration {
    let time = |_| {
        let start = Instant::now();
        std::hint::black_box(run());
        start.elapsed()
    };
    (0..runs).map(time).min().unwrap_or_default()
}

fn measure() {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text).expect("text");
    println!("# times in microseconds; scalar and sliced engine, each with one puzzle at a time");
    println!(
        "# solutions steps reference scalar:solve,unique,count sliced:solve,unique,count puzzle"
    );
    let micros = |time: Duration| time.as_secs_f64() * 1e6;
    for puzzle in puzzles(&text) {
        let Some(effort) = Effort::of(&puzzle) else {
            continue;
        };
        let reference = guesses(&puzzle, MOST_STEPS).unwrap_or(MOST_STEPS);
        print!("{} {} {reference}", effort.solutions, effort.steps);
        for engine in [Engine::Scalar, Engine::Sliced] {
            let mut solver = Solver::with_level(Level::detect())
                .expect("detected")
                .with_engine(engine);
            let solve = fastest(3, || solver.solve(&puzzle));
            let unique = fastest(3, || solver.solve_unique(&puzzle).is_ok());
            let count = fastest(1, || solver.count(&puzzle, 1_000_000));
            for time in [solve, unique, count] {
                print!(" {:.0}", micros(time));
            }
        }
        println!(" {puzzle}");
    }
}

/// SplitMix64, by Steele, Lea and Flood.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    /// A random cell of those for which something holds.
    fn cell(&mut self, holds: impl Fn(Cell) -> bool) -> Option<Cell> {
        let cells: Vec<_> = Cell::all().filter(|&cell| holds(cell)).collect();
        match cells.len() {
            0 => None,
            count => Some(cells[self.below(count)]),
        }
    }
}
