//! From which size of batch on the sliced engine is the faster one: nanoseconds
//! a puzzle at sizes from 1 to 10,000, of the scalar engine, of the sliced one at
//! every level, and of the one that a solver chooses by itself.
//!
//! ```text
//! cargo bench -p sudoku-batch-benches --bench crossover               # all classes, two minutes
//! cargo bench -p sudoku-batch-benches --bench crossover -- hard       # one of them
//! ```
//!
//! Every size solves the same puzzles, cut into batches of that size. The
//! engines take turns, and the median of the rounds is told.

use std::{
    env, fs,
    time::{Duration, Instant},
};
use sudoku_batch::{
    Engine, Goal, Level, Puzzle, Solver,
    format::{Records, line},
    solve::{NO_SOLUTION, registry},
};

const CLASSES: [&str; 3] = ["easy", "minimal", "hard"];

const SIZES: [usize; 21] = [
    1, 2, 4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1000, 2000, 4000, 10_000,
];

/// Of each engine, at each size.
const ROUNDS: usize = 7;

/// So many puzzles are solved before the clock is read, at least.
const PUZZLES: usize = 2000;

/// A solver, and what to call it.
struct Contestant {
    name: String,
    engine: Option<Engine>,
    solver: Solver,
    rounds: Vec<Duration>,
}

impl Contestant {
    fn new(name: impl Into<String>, engine: Option<Engine>, level: Level) -> Self {
        let solver = Solver::with_level(level).expect("a level of this machine");
        Self {
            name: name.into(),
            engine,
            solver: match engine {
                Some(engine) => solver.with_engine(engine),
                None => solver,
            },
            rounds: Vec::new(),
        }
    }

    /// The scalar engine first, the choice of a solver last.
    fn all() -> Vec<Self> {
        let sliced = registry().filter(|&(engine, _)| engine == Engine::Sliced);
        let sliced = sliced.map(|(engine, level)| Self::new(level.name(), Some(engine), level));
        let mut all = vec![Self::new("scalar", Some(Engine::Scalar), Level::Portable)];
        all.extend(sliced);
        all.push(Self::new("by size", None, Level::detect()));
        all
    }

    /// Solves the puzzles in batches of one size.
    fn round(&mut self, puzzles: &[Puzzle], size: usize, lines: &mut [[u8; 82]]) {
        let mut counts = vec![0; size];
        let start = Instant::now();
        for puzzles in puzzles.chunks_exact(size) {
            let lines = &mut lines[..size];
            self.solver
                .solve_lines(Goal::Unique, puzzles, lines, &mut counts);
        }
        self.rounds.push(start.elapsed());
        assert!(counts.iter().all(|&count| count == 1));
    }

    /// The median of the rounds, which are forgotten.
    fn median(&mut self) -> Duration {
        self.rounds.sort_unstable();
        let median = self.rounds[self.rounds.len() / 2];
        self.rounds.clear();
        median
    }
}

/// Measures one class, and prints a table and the crossovers.
fn measure(class: &str, sizes: &[usize], rounds: usize) {
    let path = format!("{}/../data/{class}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read(path).expect("data");
    let mut records = Records::default();
    line::read(&text, &mut records);
    let puzzles =
        (0..records.len()).map(|record| records.puzzle(record).expect("a puzzle").clues());
    let puzzles = Vec::from_iter(puzzles);
    let mut contestants = Contestant::all();
    let names = contestants.iter().map(|c| format!("{:>10}", c.name));
    println!(
        "\n{class}, ns per puzzle:\n\n    size{}",
        names.collect::<String>()
    );

    let mut lines = vec![NO_SOLUTION; SIZES[SIZES.len() - 1]];
    // From which size on each of them has been faster than the first.
    let mut since = vec![None; contestants.len()];
    for &size in sizes {
        let count = PUZZLES.next_multiple_of(size);
        let puzzles: Vec<_> = puzzles.iter().copied().cycle().take(count).collect();
        // One round more, to warm up.
        for round in 0..=rounds {
            for contestant in &mut contestants {
                contestant.round(&puzzles, size, &mut lines);
                if round == 0 {
                    contestant.rounds.clear();
                }
            }
        }
        let medians: Vec<_> = contestants.iter_mut().map(Contestant::median).collect();
        print!("{size:>8}");
        for (median, since) in medians.iter().zip(&mut since) {
            print!("{:>10.0}", median.as_nanos() as f64 / count as f64);
            *since = (*median < medians[0]).then(|| since.unwrap_or(size));
        }
        println!();
    }
    println!();
    for (contestant, since) in contestants.iter().zip(since) {
        if contestant.engine == Some(Engine::Sliced) {
            match since {
                Some(size) => println!("{} is faster from {size} on", contestant.name),
                None => println!("{} is not faster at the largest size", contestant.name),
            }
        }
    }
}

fn main() {
    // Tests only see that it runs, as in other benches.
    let (sizes, rounds) = if env::args().any(|arg| arg == "--test") {
        (&[1, 64][..], 1)
    } else {
        (SIZES.as_slice(), ROUNDS)
    };
    let wanted: Vec<_> = env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with('-'))
        .collect();
    for class in CLASSES {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == class) {
            measure(class, sizes, rounds);
        }
    }
}
