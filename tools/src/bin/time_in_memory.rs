//! How long the library takes to solve puzzles in memory, in batches of 10,000, on one thread:
//! what `python/benches/speed.py` compares the Python package with.
//!
//!     time_in_memory PUZZLES
//!
//! PUZZLES is a file with a puzzle in each line. Each line on standard input starts a round.
//! The answer is a line with the time of the round in nanoseconds a puzzle.

use std::{
    env, fs,
    io::{self, BufRead, Write},
    time::Instant,
};
use sudoku_batch::{Goal, Puzzle, Solver, solve::NO_SOLUTION};

const BATCH: usize = 10_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = env::args().nth(1).ok_or("usage: time_in_memory PUZZLES")?;
    let text = fs::read_to_string(path)?;
    let puzzles = text.lines().map(str::parse);
    let puzzles: Vec<Puzzle> = puzzles.collect::<Result<_, _>>()?;
    let mut solver = Solver::new();
    let mut lines = vec![NO_SOLUTION; BATCH];
    let mut counts = vec![0; BATCH];
    for round in io::stdin().lock().lines() {
        round?;
        let start = Instant::now();
        for batch in puzzles.chunks(BATCH) {
            let (lines, counts) = (&mut lines[..batch.len()], &mut counts[..batch.len()]);
            solver.solve_lines(Goal::Unique, batch, lines, counts);
        }
        let time = start.elapsed().as_nanos() as f64 / puzzles.len() as f64;
        println!("{time:.2}");
        io::stdout().flush()?;
    }
    Ok(())
}
