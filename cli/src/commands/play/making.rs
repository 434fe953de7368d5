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
    puzzle::MOST_TRIES,
    questions::{PuzzlesSettings, SettingError},
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
    /// Begins to make a puzzle of settings, which have a name, and of a seed.
    pub(super) fn start(settings: PuzzlesSettings, name: String, seed: u64, number: u64) -> Self {
        let (sender, puzzle) = mpsc::channel();
        let wanted = name.clone();
        // Without a thread the sender goes, which `receive` reports.
        let _ = thread::Builder::new().spawn(move || {
            let made = make(&PuzzlesSettings { seed, ..settings }, number);
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

fn make(settings: &PuzzlesSettings, number: u64) -> Result<Puzzle, String> {
    let set = settings.printed_set().map_err(|error| error.to_string())?;
    let made = set.iter(number..number + 1).next().flatten();
    let puzzle = made.map(|(puzzle, _)| puzzle);
    puzzle.ok_or_else(|| {
        format!("none of {MOST_TRIES} grids led to such a puzzle. n makes another one.")
    })
}

/// The settings for puzzles of a difficulty.
pub(super) fn of_difficulty(difficulty: Difficulty) -> PuzzlesSettings {
    PuzzlesSettings {
        difficulty: Some(difficulty),
        ..PuzzlesSettings::default()
    }
}

/// The settings for a puzzle that is as hard as the options ask for, its name, and the difficulty that it
/// has at most. Without options it is an easy puzzle.
pub(super) fn wanted(
    how_hard: &Settings<HowHard>,
) -> Result<(PuzzlesSettings, String, Difficulty), SettingError> {
    let asked = how_hard.typed();
    let Some(rating) = &asked.rating else {
        let difficulty = asked.difficulty.unwrap_or(Difficulty::Easy);
        return Ok((
            of_difficulty(difficulty),
            difficulty.name().into(),
            difficulty,
        ));
    };
    // Refuses what no puzzle has.
    asked.printed_set()?;
    let (least, most) = (*rating.start(), *rating.end());
    let er = if least == most {
        format!("ER {least}")
    } else {
        format!("ER {least} to {most}")
    };
    let Some(difficulty) = asked.difficulty else {
        return Ok((asked.clone(), er, Difficulty::of(Some(most))));
    };
    // A rating that is narrower says nothing about the clues, as a difficulty does.
    let of_word = difficulty.ratings();
    let narrower = least.max(*of_word.start())..=most.min(*of_word.end());
    let settings = PuzzlesSettings {
        difficulty: None,
        rating: Some(narrower),
        ..asked.clone()
    };
    Ok((settings, format!("{}, {er}", difficulty.name()), difficulty))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two hundred minimal puzzles, and none has 18 clues: the message says what was wanted.
    #[test]
    fn a_puzzle_that_is_not_found_is_told_of() {
        let settings = PuzzlesSettings {
            minimal: true,
            clues: Some(17..=18),
            ..PuzzlesSettings::default()
        };
        let making = NewPuzzle::start(settings, "ER 9.5".into(), 1, 0);
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
