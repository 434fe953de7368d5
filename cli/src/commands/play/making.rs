//! New puzzles, made while the game goes on.

use super::options::HowHard;
use crate::driver::settings::Settings;
use std::{
    sync::mpsc::{self, Receiver},
    thread,
    time::Duration,
};
use sudoku_batch::{
    Puzzle,
    puzzle::{MOST_TRIES, Maker, Recipe, RecipeError},
    questions::PuzzlesSettings,
    technique::Difficulty,
};

/// A puzzle that is being made. When it is dropped, nobody waits for the puzzle.
pub(super) struct NewPuzzle {
    name: String,
    number: u64,
    seed: u64,
    puzzle: Receiver<Result<Puzzle, String>>,
}

impl NewPuzzle {
    /// Begins to make a puzzle of a recipe, which has a name, and of a seed.
    pub(super) fn start(recipe: Recipe, name: String, seed: u64, number: u64) -> Self {
        let (sender, puzzle) = mpsc::channel();
        let wanted = name.clone();
        // Without a thread the sender goes, which `receive` reports.
        let _ = thread::Builder::new().spawn(move || {
            let made = make(recipe, seed, number);
            // Nobody may be waiting any more.
            let _ = sender.send(made.map_err(|why| format!("{wanted}: {why}")));
        });
        Self {
            name,
            number,
            seed,
            puzzle,
        }
    }

    /// The puzzle, or why there is none, if that is known within a time.
    pub(super) fn receive(&self, within: Duration) -> Option<Result<Puzzle, String>> {
        match self.puzzle.recv_timeout(within) {
            Ok(result) => Some(result),
            Err(mpsc::RecvTimeoutError::Timeout) => None,
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                Some(Err("The puzzle could not be made.".into()))
            }
        }
    }

    /// The name of the puzzle.
    pub(super) fn label(&self) -> String {
        let Self { name, seed, .. } = self;
        match self.number {
            0 => format!("{name}, seed {seed}"),
            number => format!("{name}, seed {seed}, number {number}"),
        }
    }
}

fn make(recipe: Recipe, seed: u64, number: u64) -> Result<Puzzle, String> {
    let mut maker = Maker::seeded(seed, recipe).map_err(|error| error.to_string())?;
    let made = maker.make(number).map(|made| made.puzzle);
    made.ok_or_else(|| {
        format!("none of {MOST_TRIES} grids led to such a puzzle. n makes another one.")
    })
}

/// The recipe for a puzzle that is as hard as the options ask for, its name, and the difficulty that it
/// has at most. Without options it is an easy puzzle.
pub(super) fn wanted(
    how_hard: &Settings<HowHard>,
) -> Result<(Recipe, String, Difficulty), RecipeError> {
    let PuzzlesSettings {
        difficulty, rating, ..
    } = how_hard.typed().clone();
    let word = difficulty.map(Difficulty::name);
    Ok(match rating {
        Some(rating) => {
            let (least, most) = rating.into_inner();
            let recipe = Recipe::rating(least..=most)?;
            let recipe = match difficulty {
                Some(difficulty) => recipe.with_rating(difficulty.ratings())?,
                None => recipe,
            };
            let er = if least == most {
                format!("ER {least}")
            } else {
                format!("ER {least} to {most}")
            };
            let name = word.map_or(er.clone(), |word| format!("{word}, {er}"));
            (
                recipe,
                name,
                difficulty.unwrap_or(Difficulty::of(Some(most))),
            )
        }
        None => {
            let difficulty = difficulty.unwrap_or(Difficulty::Easy);
            let recipe = Recipe::difficulty(difficulty);
            (recipe, difficulty.name().into(), difficulty)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two hundred minimal puzzles, and none has 18 clues: the message says what was wanted.
    #[test]
    fn a_puzzle_that_is_not_found_is_told_of() {
        let recipe = Recipe::minimal_with_clues(17..=18).unwrap();
        let making = NewPuzzle::start(recipe, "ER 9.5".into(), 1, 0);
        let made = loop {
            if let Some(made) = making.receive(Duration::from_secs(1)) {
                break made;
            }
        };
        assert_eq!(
            made,
            Err("ER 9.5: none of 200 grids led to such a puzzle. n makes another one.".into())
        );
    }
}
