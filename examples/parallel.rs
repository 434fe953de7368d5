//! Rates puzzles on all threads, and prints each with its ER. The lines of a file are divided among the threads of
//! rayon, and each thread keeps a question and its memory:
//!
//! ```text
//! cargo run --release --example parallel -- data/sample.txt
//! ```

use rayon::prelude::*;
use std::{env, error::Error, fs};
use sudoku_batch::{
    Puzzle,
    questions::{Data, Question, RateSettings},
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: parallel FILE")?;
    let text = fs::read_to_string(path)?;
    let puzzles = text
        .lines()
        .map(str::parse)
        .collect::<Result<Vec<Puzzle>, _>>()?;
    let cells = Vec::from_iter(puzzles.iter().map(|puzzle| *puzzle.as_ascii()));
    let question = Question::new(RateSettings::default())?;
    // Batches are large enough for the lanes, and many enough for the threads.
    let rated = cells.par_chunks(1_000).map_init(
        || question.fork(),
        |question, batch| {
            let answer = question.ask_cells(batch);
            match answer.named("er") {
                Data::Ratings(ers) => ers.clone(),
                _ => unreachable!("the column has ratings"),
            }
        },
    );
    let ers: Vec<_> = rated.flatten_iter().collect();
    for (puzzle, er) in puzzles.iter().zip(ers) {
        match er {
            Some(er) => println!("{puzzle} {er}"),
            None => println!("{puzzle} has not exactly one solution"),
        }
    }
    Ok(())
}
