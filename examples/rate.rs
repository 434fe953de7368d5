//! Rates puzzles, one on each line of standard input:
//!
//! ```text
//! sudoku-batch puzzles 5 | cargo run --release --example rate
//! ```

use std::{error::Error, io};
use sudoku_batch::{
    format::{Records, line},
    questions::{Data, Question, RateSettings},
    technique::Difficulty,
};

fn main() -> Result<(), Box<dyn Error>> {
    let text = io::read_to_string(io::stdin())?;
    let mut records = Records::default();
    line::read(text.as_bytes(), &mut records);
    // A question keeps hundreds of puzzles in work: ask it about many at a time.
    let mut question = Question::new(RateSettings::default())?;
    let answer = question.ask(&records);
    let Data::Ratings(ers) = answer.named("er") else {
        unreachable!("the column has ratings")
    };
    for (record, er) in ers.iter().enumerate() {
        match (records.puzzle(record), er) {
            (Ok(puzzle), Some(er)) => println!("{puzzle} {er} {}", Difficulty::of(Some(*er))),
            _ => println!("record {}: {}", record + 1, answer.statuses[record]),
        }
    }
    Ok(())
}
