//! Makes ten symmetric puzzles of each difficulty, with their solutions:
//!
//! ```text
//! cargo run --release --example make
//! ```

use std::error::Error;
use sudoku_batch::{puzzle::Symmetry, questions::PuzzlesSettings, technique::Difficulty};

fn main() -> Result<(), Box<dyn Error>> {
    for difficulty in Difficulty::ALL {
        let settings = PuzzlesSettings {
            difficulty: Some(*difficulty),
            symmetry: Symmetry::Rotate180,
            seed: 7,
            ..PuzzlesSettings::default()
        };
        // A puzzle that no grid leads to is missing; thousands at a time take less time for each.
        for (puzzle, solution) in settings.set()?.iter(0..10).flatten() {
            println!("{difficulty} {puzzle} {solution}");
        }
    }
    Ok(())
}
