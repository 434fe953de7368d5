//! Makes ten symmetric puzzles of each difficulty, with their solutions:
//!
//! ```text
//! cargo run --release --example make
//! ```

use std::error::Error;
use sudoku_batch::{
    puzzle::{Maker, Recipe, Symmetry},
    technique::Difficulty,
};

fn main() -> Result<(), Box<dyn Error>> {
    let seed = 7;
    for difficulty in Difficulty::ALL {
        let recipe = Recipe::difficulty(*difficulty).with_symmetry(Symmetry::Rotate180)?;
        let mut maker = Maker::seeded(seed, recipe)?;
        // A puzzle that no grid leads to is missing; thousands at a time take less time for each.
        for made in maker.iter(0..10).flatten() {
            println!("{difficulty} {} {}", made.puzzle, made.solution);
        }
    }
    Ok(())
}
