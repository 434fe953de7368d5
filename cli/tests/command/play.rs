//! `sudoku-batch play`, in a terminal of its own. scripts/play.sh plays whole games.

use super::support::{
    cases,
    process::{Running, until},
    puzzles::PUZZLES,
    runner::{Folder, PROGRAM},
};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use std::{
    fs::{self, File},
    io::{Read, Write},
    os::unix::process::ExitStatusExt,
    process::{Command, ExitStatus, Stdio},
    thread,
    time::{Duration, Instant},
};
use sudoku_batch::{Candidates, Cell, Digit, Puzzle};

/// A game in a terminal of its own.
struct Playing {
    terminal: File,
    running: Running,
    folder: Folder,
}

impl Playing {
    /// The terminal controls the process, or does not. Standard error is that terminal, or elsewhere.
    fn start(puzzle: &str, controls: bool, errors_are_there: bool) -> Self {
        let folder = Folder::new();
        let master =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let size = ["-F", &name, "rows", "24", "cols", "80"];
        assert!(Command::new("stty").args(size).status().unwrap().success());
        let there = || File::options().read(true).write(true).open(&name).unwrap();
        let mut command = match controls {
            true => Command::new("setsid"),
            false => Command::new(PROGRAM),
        };
        if controls {
            command.args(["--ctty", PROGRAM]);
        }
        command
            .args(["play", puzzle])
            .env("XDG_STATE_HOME", folder.path())
            .env("TERM", "xterm-256color")
            .stdin(there())
            .stdout(there())
            .stderr(match errors_are_there {
                true => there().into(),
                false => Stdio::null(),
            });
        let running = Running::start(&mut command);
        Self {
            terminal: File::from(master),
            running,
            folder,
        }
    }

    /// The next output of the game. The clock writes every second, so this does not wait long.
    fn read(&mut self) -> String {
        let mut bytes = [0; 4096];
        let count = self.terminal.read(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes[..count]).into_owned()
    }

    /// Waits until the game is there. Then plays a 9 in the first blank, which is chosen: r1c2, which
    /// holds a 9 in the solution.
    fn play_a_nine(&mut self) {
        let mut text = String::new();
        until("the game", || {
            text += &self.read();
            text.contains("solution")
        });
        self.terminal.write_all(b"9").unwrap();
    }

    /// Closes the terminal. Gives how the program ended.
    fn close(self) -> (ExitStatus, Folder) {
        let Self {
            terminal,
            mut running,
            folder,
        } = self;
        drop(terminal);
        (running.end(), folder)
    }
}

/// Plays a 9 in a terminal, and closes the terminal. Gives how the program ended, and the name and the
/// text of the game that it saved.
fn play_a_nine(
    puzzle: &str,
    controls: bool,
    errors_are_there: bool,
) -> (ExitStatus, String, String) {
    let mut playing = Playing::start(puzzle, controls, errors_are_there);
    playing.play_a_nine();
    let begin = Instant::now();
    // It draws the 9 at once, and the clock each second.
    while begin.elapsed() < Duration::from_millis(1100) {
        playing.read();
    }
    let (status, folder) = playing.close();
    let saved = fs::read_dir(folder.path().join("sudoku-batch/games")).unwrap();
    let saved: Vec<_> = saved.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(saved.len(), 1, "{status} {saved:?}");
    let name = saved[0].file_stem().unwrap().to_str().unwrap().to_owned();
    (status, name, fs::read_to_string(&saved[0]).unwrap())
}

/// A terminal that closes while the game draws or reads ends the game too.
#[test]
fn a_terminal_may_close_at_any_moment() {
    // Four of each moment. More of them meet rarer moments.
    let games: Vec<_> = (0..cases(16))
        .map(|n| {
            thread::spawn(move || {
                let mut playing = Playing::start(PUZZLES[0], n % 2 == 0, false);
                playing.play_a_nine();
                for _ in 0..n / 2 % 4 {
                    playing.read();
                }
                playing.close().0
            })
        })
        .collect();
    for game in games {
        let status = game.join().unwrap();
        assert_eq!(status.signal(), Some(1), "{status}");
    }
}

/// A game is saved when its terminal is closed.
#[test]
fn a_closed_terminal_does_not_lose_the_game() {
    let ways = [(true, true), (true, false), (false, true)];
    // At the same time, because each waits for seconds.
    let games = ways.map(|(controls, errors_are_there)| {
        thread::spawn(move || play_a_nine(PUZZLES[0], controls, errors_are_there))
    });
    for game in games {
        let (status, name, game) = game.join().unwrap();
        assert_eq!(name, PUZZLES[0].replace('.', "0"));
        assert!(
            game.contains("\"changes\":[[[1,9,false,"),
            "{status} {game}"
        );
        assert_eq!(status.signal(), Some(1), "{status}");
    }
}

/// A game begins at the candidates that are given, and is saved with them.
#[test]
fn candidates_are_played_from_where_they_are() {
    let mut candidates = Candidates::from(PUZZLES[0].parse::<Puzzle>().unwrap());
    for digit in [1, 2] {
        candidates.strike(Cell::at(0, 1), Digit::new(digit).unwrap());
    }
    let (status, name, game) = play_a_nine(&candidates.to_string(), true, true);
    assert!(name.starts_with("candidates-"), "{name}");
    assert!(game.contains(&candidates.to_string()), "{game}");
    assert!(
        game.contains("\"changes\":[[[1,9,false,"),
        "{status} {game}"
    );
}
