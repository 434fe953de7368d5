//! Rates puzzles on all threads, and prints each with its ratings. The lines of a file are divided among the threads of
//! rayon, and each thread keeps a rater and its memory:
//!
//! ```text
//! cargo run --release --example parallel -- data/sample.txt
//! ```

use rayon::prelude::*;
use std::{env, error::Error, fs};
use sudoku_batch::{Puzzle, technique::Rater};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: parallel FILE")?;
    let text = fs::read_to_string(path)?;
    let puzzles = text
        .lines()
        .map(str::parse)
        .collect::<Result<Vec<Puzzle>, _>>()?;
    // Batches are large enough for the lanes, and many enough for the threads.
    let rated: Vec<_> = puzzles
        .par_chunks(1_000)
        .map_init(Rater::new, |rater, batch| rater.rate_batch(batch))
        .flatten_iter()
        .collect();
    for (puzzle, ratings) in puzzles.iter().zip(rated) {
        match ratings {
            Ok(ratings) => println!("{puzzle} {ratings}"),
            Err(error) => println!("{puzzle} {error}"),
        }
    }
    Ok(())
}
