//! `sudoku-batch play`, in a terminal of its own. scripts/play.sh plays whole games.

use super::support::{
    process::Running,
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

/// Plays a 9 in a terminal, and closes the terminal: with the signal of one that controls the process,
/// or without, and with standard error on that terminal, or elsewhere. Gives how the program ended, and
/// the name and the text of the game that it saved.
fn play_a_nine(
    puzzle: &str,
    controls: bool,
    errors_are_there: bool,
) -> (ExitStatus, String, String) {
    let folder = Folder::new();
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let size = ["-F", &name, "rows", "24", "cols", "80"];
    assert!(Command::new("stty").args(size).status().unwrap().success());
    let mut terminal = File::from(master);
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
    let mut running = Running::start(&mut command);
    drop(command);
    // The clock of the game writes every second, so no read waits long.
    let mut read_for = |seconds, until: &str| {
        let (begin, mut text) = (Instant::now(), Vec::new());
        while begin.elapsed() < Duration::from_secs(seconds) {
            let mut bytes = [0; 4096];
            let count = terminal.read(&mut bytes).unwrap();
            text.extend_from_slice(&bytes[..count]);
            if !until.is_empty() && String::from_utf8_lossy(&text).contains(until) {
                break;
            }
        }
        terminal
            .write_all(if until.is_empty() { b"" } else { b"9" })
            .unwrap();
    };
    // The first blank is chosen: r1c2, which holds a 9 in the solution.
    read_for(60, "solution");
    read_for(3, "");
    drop(terminal);
    let status = running.end();
    let saved = fs::read_dir(folder.path().join("sudoku-batch/games")).unwrap();
    let saved: Vec<_> = saved.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(saved.len(), 1, "{status} {saved:?}");
    let name = saved[0].file_stem().unwrap().to_str().unwrap().to_owned();
    (status, name, fs::read_to_string(&saved[0]).unwrap())
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
