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
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// A game is saved when its terminal is closed: by the signal of a terminal that controls the
/// process, or without one; and with standard error on that terminal, or elsewhere.
#[test]
fn a_closed_terminal_does_not_lose_the_game() {
    for (controls, errors_are_there) in [(true, true), (true, false), (false, true)] {
        let folder = Folder::new();
        let master =
            openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
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
            .args(["play", PUZZLES[0]])
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
        let saved = folder.path().join("sudoku-batch/games");
        let saved = saved.join(PUZZLES[0].replace('.', "0") + ".json");
        let game = fs::read_to_string(&saved).unwrap_or_default();
        assert!(
            game.contains("\"changes\":[[[1,9,false,"),
            "{status} {game}"
        );
        assert_eq!(status.signal(), Some(1), "{status}");
    }
}
