//! Rates puzzles, one on each line of standard input:
//!
//! ```text
//! sudoku-batch puzzles 5 | cargo run --release --example rate
//! ```

use std::{error::Error, io};
use sudoku_batch::{
    Puzzle,
    technique::{Difficulty, Rater},
};

fn main() -> Result<(), Box<dyn Error>> {
    let text = io::read_to_string(io::stdin())?;
    let puzzles: Result<Vec<Puzzle>, _> = text.lines().map(str::parse).collect();
    let puzzles = puzzles?;
    // A rater keeps hundreds of puzzles in work: give it many at a time.
    let ratings = Rater::new().rate_batch(&puzzles);
    for (puzzle, ratings) in puzzles.iter().zip(ratings) {
        match ratings {
            Ok(ratings) => println!("{puzzle} {ratings} {}", Difficulty::of(ratings.er)),
            Err(error) => println!("{puzzle} {error}"),
        }
    }
    Ok(())
}
