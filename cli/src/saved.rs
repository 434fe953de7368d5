//! Saved games: a file each, in the folder for the state of programs.

use crate::{
    game::{CellState, Change, Event, Game, Settings},
    pipeline::identity::Identity,
};
use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};
use std::{
    env, fs, io,
    io::Write,
    path::{Path, PathBuf},
    time::Duration,
};
use sudoku_batch::{
    Cell, Digit,
    dataset::PuzzleHasher,
    grid::{AnyPuzzle, Digits},
};

/// The folder of saved games.
pub(crate) struct Store {
    folder: PathBuf,
}

/// A saved game, as it stands in its file.
#[derive(Debug, Serialize, Deserialize)]
struct File {
    /// The format of the file.
    version: u32,
    /// The puzzle that the game began with.
    puzzle: String,
    /// Its origin.
    label: String,
    milliseconds: u64,
    pencil: bool,
    all_marks: bool,
    mistakes: bool,
    editing: bool,
    /// The chosen cell, 0 to 80.
    cursor: usize,
    /// All changes.
    changes: Vec<Vec<Cell5>>,
    /// The number of them that are not undone.
    done: usize,
}

/// A cell after a change: its number, its digit (0 for none), whether that is a clue, its
/// pencil marks, and what was struck from it (bit n for digit n + 1).
type Cell5 = (usize, u8, bool, u16, u16);

const VERSION: u32 = 1;

impl Store {
    /// The folder of this user: `$XDG_STATE_HOME`, or `~/.local/state`; on Windows
    /// `%LOCALAPPDATA%`. None if there is no such folder.
    pub(crate) fn here() -> Option<Self> {
        // The standard asks for absolute paths.
        let folder = |name| {
            env::var_os(name)
                .map(PathBuf::from)
                .filter(|p| p.is_absolute())
        };
        let state = if cfg!(windows) {
            folder("LOCALAPPDATA")
        } else {
            folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")))
        };
        Some(Self {
            folder: state?.join("sudoku-batch/games"),
        })
    }

    /// Returns true if a file is one of the saved games, by any name.
    pub(crate) fn has(&self, file: &Path) -> bool {
        let folder = fs::canonicalize(file).ok();
        let folder = folder.and_then(|file| Identity::of(file.parent()?));
        folder.is_some() && folder == Identity::of(&self.folder)
    }

    /// The file of a puzzle: its cells, with 0 for a blank. 729 candidates are too long for a name, so
    /// their key stands for them.
    fn path(&self, puzzle: &AnyPuzzle) -> PathBuf {
        let name = match puzzle {
            AnyPuzzle::Cells(puzzle) => puzzle.as_str().replace('.', "0"),
            AnyPuzzle::Candidates(_) => {
                format!("candidates-{:032x}", PuzzleHasher::seeded(0).key(puzzle))
            }
        };
        self.folder.join(name + ".json")
    }

    /// Saves a game: the file is whole, or as it was before.
    pub(crate) fn save(&self, game: &Game) -> anyhow::Result<()> {
        let path = self.path(&game.start());
        let save = || -> anyhow::Result<()> {
            fs::create_dir_all(&self.folder)?;
            let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
            file.write_all(&bytes(game)?)?;
            file.persist(&path)?;
            Ok(())
        };
        save().with_context(|| format!("cannot save the game as {}", path.display()))
    }

    /// Forgets a game.
    pub(crate) fn remove(&self, game: &Game) -> anyhow::Result<()> {
        let path = self.path(&game.start());
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", path.display()))
            }
            _ => Ok(()),
        }
    }

    /// The saved game of a puzzle, if there is one, or why it cannot be read.
    pub(crate) fn load(&self, puzzle: &AnyPuzzle) -> Option<anyhow::Result<Game>> {
        let path = self.path(puzzle);
        path.exists().then(|| load(&path))
    }

    /// The game that was saved last.
    pub(crate) fn last(&self) -> Option<anyhow::Result<Game>> {
        let games = fs::read_dir(&self.folder).ok()?.filter_map(Result::ok);
        let games = games.filter(|game| game.path().extension().is_some_and(|e| e == "json"));
        let time = |game: &fs::DirEntry| game.metadata().and_then(|data| data.modified()).ok();
        let last = games.max_by_key(time)?;
        Some(load(&last.path()))
    }
}

fn load(path: &Path) -> anyhow::Result<Game> {
    let load = || read(&fs::read(path)?);
    load().with_context(|| format!("cannot read the saved game {}", path.display()))
}

/// The file of a game.
pub fn bytes(game: &Game) -> anyhow::Result<Vec<u8>> {
    let mut bytes = serde_json::to_vec(&File::of(game))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// The game of a file, whoever wrote it.
pub fn read(bytes: &[u8]) -> anyhow::Result<Game> {
    let file: File = serde_json::from_slice(bytes)?;
    file.game()
        .ok_or_else(|| anyhow!("its parts do not fit together"))
}

impl File {
    fn of(game: &Game) -> Self {
        let settings = game.settings();
        let cell = |(cell, state): &(Cell, CellState)| {
            let digit = state.digit.map_or(0, Digit::get);
            let (marks, struck) = (state.marks.bits(), state.struck.bits());
            (cell.index(), digit, state.given, marks, struck)
        };
        let changes = game.history().changes();
        Self {
            version: VERSION,
            puzzle: game.start().to_string(),
            label: game.label().into(),
            milliseconds: game.elapsed().as_millis() as u64,
            pencil: settings.pencil,
            all_marks: settings.all_marks,
            mistakes: settings.mistakes,
            editing: game.is_editing(),
            cursor: game.cursor().index(),
            changes: changes
                .map(|change| change.iter().map(cell).collect())
                .collect(),
            done: game.history().done(),
        }
    }

    /// The game, if its parts fit together.
    fn game(self) -> Option<Game> {
        if self.version != VERSION {
            return None;
        }
        let state = |&(cell, digit, given, marks, struck): &Cell5| {
            let digit = match digit {
                0 => None,
                digit => Some(Digit::new(digit)?),
            };
            let state = CellState {
                digit,
                given,
                marks: Digits::from_bits(marks),
                struck: Digits::from_bits(struck),
            };
            Some((Cell::new(cell)?, state))
        };
        let changes: Option<Vec<Change>> = self
            .changes
            .iter()
            .map(|change| change.iter().map(state).collect())
            .collect();
        let puzzle: AnyPuzzle = self.puzzle.parse().ok()?;
        let elapsed = Duration::from_millis(self.milliseconds);
        let mut game = Game::resume(&puzzle, self.label, changes?, self.done, elapsed)?;
        game = game.with_settings(Settings {
            pencil: self.pencil,
            all_marks: self.all_marks,
            mistakes: self.mistakes,
        });
        if self.editing {
            game.handle(Event::ToggleEditing);
        }
        game.handle(Event::Go(Cell::new(self.cursor)?));
        Some(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sudoku_batch::Puzzle;

    const CLUES: &str =
        "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";

    fn store() -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store {
            folder: folder.path().join("a/b"),
        };
        (folder, store)
    }

    fn played(events: &[Event]) -> Game {
        let mut game = Game::new(&CLUES.parse::<Puzzle>().unwrap(), "a \"test\"");
        for event in events {
            game.handle(*event);
        }
        game
    }

    #[test]
    fn a_game_comes_back_as_it_was() {
        let (_folder, store) = store();
        let digit = |n| Digit::new(n).unwrap();
        let game = played(&[
            Event::Digit(digit(9)),
            Event::Tick(Duration::from_millis(61_250)),
            Event::TogglePencil,
            Event::NextBlank,
            Event::Digit(digit(6)),
            Event::ToggleAllMarks,
            Event::Mark(digit(8)),
            Event::Undo,
            Event::ToggleMistakes,
            Event::Go(Cell::at(4, 4)),
        ]);
        assert!(store.load(&game.start()).is_none() && store.last().is_none());
        store.save(&game).unwrap();
        for loaded in [store.load(&game.start()), store.last()] {
            let mut loaded = loaded.unwrap().unwrap();
            assert_eq!(loaded.board(), game.board());
            assert_eq!(loaded.history(), game.history());
            assert_eq!(loaded.settings(), game.settings());
            assert_eq!(loaded.elapsed(), game.elapsed());
            assert_eq!(
                (loaded.cursor(), loaded.label()),
                (game.cursor(), game.label())
            );
            // Undo and redo reach beyond what was saved.
            let mut game = game.clone();
            for event in [
                Event::Redo,
                Event::Undo,
                Event::Undo,
                Event::Undo,
                Event::Redo,
            ] {
                game.handle(event);
                loaded.handle(event);
                assert_eq!(loaded.board(), game.board());
            }
        }
        store.remove(&game).unwrap();
        store.remove(&game).unwrap();
        assert!(store.last().is_none());
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let (_folder, store) = store();
        let game = played(&[Event::Digit(Digit::new(9).unwrap())]);
        store.save(&game).unwrap();
        let path = store.path(&game.start());
        let good = fs::read_to_string(&path).unwrap();
        for bad in [
            "",
            "{}",
            &good[..good.len() / 2],
            &good.replace("\"version\":1", "\"version\":2"),
            &good.replace("\"done\":1", "\"done\":2"),
            &good.replace("[[[1,9,", "[[[1,10,"),
            &good.replace("[[[1,9,", "[[[81,9,"),
            &good.replace("\"cursor\":1", "\"cursor\":99"),
            &good.replace("\"puzzle\":\"4", "\"puzzle\":\"x4"),
        ] {
            assert_ne!(bad, good);
            fs::write(&path, bad).unwrap();
            let error = store.last().unwrap().unwrap_err();
            let message = format!("{error:#}");
            let expected = format!("cannot read the saved game {}: ", path.display());
            assert!(message.starts_with(&expected), "{message}");
        }
        fs::write(&path, good).unwrap();
        assert!(store.last().unwrap().is_ok());
    }
}
