//! Signals at random moments of every command that writes files: targets stay as they were or
//! are whole, and nothing else is left.

#![cfg(target_os = "linux")]

use crate::place::{Files, Place, Undisturbed, private_mounts, with_mounts};
use crate::support::{
    cases,
    random_words::Words,
    runner::{Running, ran, status, until},
    tools::not_run,
};
use rustix::process::Signal;
use std::{fs, os::unix::process::ExitStatusExt, thread::sleep, time::Duration};

const BEFORE: &str = "before\n";

/// Disturbs every call at random moments. Where it was always done before, the last one is no
/// moment of chance: the process is stopped as soon as it has started, gets the signal, and goes
/// on.
fn at_random_moments(signal: Signal) {
    // Two moments of chance meet the long work, without files of the names and with them. Six signals make it twelve
    // for each call. More of them meet the short moments, where files take their places.
    let rounds = cases(2);
    let mut words = Words::new(signal.as_raw() as u64);
    let place = Place::new();
    let (mut died, mut runs) = (0, 0);
    for expected in Undisturbed::all() {
        let mut died_here = 0;
        // The moments close in on the end of the run, where files take their places.
        let mut latest = expected.time.as_secs_f64();
        for round in 0..=rounds {
            let is_certain = round == rounds;
            if is_certain && died_here > 0 {
                break;
            }
            let moment = Duration::from_secs_f64(latest * words.below(1000) as f64 / 1000.0);
            let before = (round % 2 == 1).then_some(BEFORE);
            let names = expected.files.keys().filter(|_| before.is_some());
            place.reset(names, BEFORE);
            let mut running = Running::start(&mut place.command(expected.call.arguments));
            if is_certain {
                running.signal(Signal::STOP);
                running.signal(signal);
                running.signal(Signal::CONT);
            } else {
                sleep(moment);
                running.signal(signal);
            }
            let ended = running.end();
            let what = format!("{signal:?} after {moment:?}: {ended:?}");
            let mut found = place.files();
            if signal == Signal::KILL {
                found.retain(|name, _| !name.ends_with('/'));
                remove_whole_files_with_temporary_names(expected, &mut found);
            }
            let whole = expected.check(&found, before, &what);
            place.has_no_temporary_files();
            runs += 1;
            match ended.code() {
                Some(status) => {
                    assert_eq!(status, expected.status, "{what}");
                    assert_eq!(whole, expected.files.len(), "{what}");
                    latest *= 0.8;
                }
                None => {
                    assert_eq!(ended.signal(), Some(signal.as_raw()), "{what}");
                    died_here += 1;
                    latest *= 1.15;
                }
            }
            if signal != Signal::KILL {
                // Several outputs take their places together.
                assert!(
                    whole == 0 || whole == expected.files.len(),
                    "{what}: {whole}"
                );
            }
        }
        assert_ne!(
            died_here, 0,
            "{} is never disturbed",
            expected.call.arguments
        );
        died += died_here;
    }
    println!("{signal:?}: {died} of {runs} runs died of it");
}

/// SIGKILL cannot be handled. A file that replaces another one, or that takes its place
/// together with others, has a temporary name for the moment of the renames. It is whole. New folders
/// may be left without files.
fn remove_whole_files_with_temporary_names(expected: &Undisturbed, found: &mut Files) {
    found.retain(|name, content| {
        let is_temporary = name.rsplit('/').next().unwrap().starts_with(".incomplete-");
        if is_temporary {
            let mut contents = expected.files.values();
            assert!(
                contents.any(|whole| whole == content),
                "{name} is not whole"
            );
        }
        !is_temporary
    });
}

#[test]
fn interrupted_at_random_moments() {
    at_random_moments(Signal::INT);
}

#[test]
fn terminated_at_random_moments() {
    at_random_moments(Signal::TERM);
}

/// Ctrl-\ at a terminal.
#[test]
fn quit_at_random_moments() {
    at_random_moments(Signal::QUIT);
}

/// Signals that batch systems send before they kill, and that of a limit of processor time.
#[test]
fn warned_at_random_moments() {
    at_random_moments(Signal::USR1);
    at_random_moments(Signal::XCPU);
}

#[test]
fn killed_at_random_moments() {
    at_random_moments(Signal::KILL);
}

/// Outputs that wait for the others get temporary names from the 65th on, because a process
/// may not have many files open. SIGKILL leaves those, and all other signals nothing.
#[test]
fn many_outputs_in_a_folder() {
    const INPUTS: usize = 80;
    for signal in [
        Signal::TERM,
        Signal::INT,
        Signal::HUP,
        Signal::QUIT,
        Signal::KILL,
    ] {
        let place = Place::new();
        let mut inputs = String::new();
        for i in 0..INPUTS {
            fs::write(place.work().join(format!("{i}.txt")), "1".repeat(i)).unwrap();
            inputs += &format!("{i}.txt ");
        }
        assert!(status(&mut place.shell("mkfifo never")).success());
        // It waits for someone who writes to the pipe.
        let call = format!("solve --input-format line -q {inputs} never --output-dir done");
        let mut running = Running::start(&mut place.command(&call));
        let names = || -> Vec<String> {
            let entries = fs::read_dir(place.work().join("done"))
                .into_iter()
                .flatten();
            entries
                .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                .collect()
        };
        until("the names", || names().len() == INPUTS - 64);
        running.signal(signal);
        assert_eq!(running.end().signal(), Some(signal.as_raw()));
        let left = names();
        if signal == Signal::KILL {
            assert_eq!(left.len(), INPUTS - 64, "{left:?}");
            assert!(left.iter().all(|name| name.starts_with(".incomplete-")));
        } else {
            assert!(left.is_empty(), "{signal:?}: {left:?}");
            assert!(!place.work().join("done").exists(), "{signal:?}");
        }
    }
}

/// Without `/proc` a file without a name can never get one, as on file systems that do not
/// know such files. So it has a temporary name from the start.
#[test]
fn a_file_that_needs_a_temporary_name() {
    let Some(way) = private_mounts() else {
        return not_run("signals where files have temporary names: this system allows no mounts");
    };
    for (signal, status, left) in [
        ("TERM", 143, 0),
        ("INT", 130, 0),
        ("QUIT", 131, 0),
        ("KILL", 137, 1),
    ] {
        let place = Place::new();
        fs::write(place.work().join("out"), BEFORE).unwrap();
        let line = format!(
            "mount -t tmpfs none /proc || exit 99
            mkfifo pipe; exec 3<>pipe
            set -m
            $P solve -q - -o out <pipe 3>&- & p=$!
            cat ../in.txt ../in.txt >&3 &
            for i in {{1..6000}}; do ls -A | grep -q incomplete && break; sleep 0.01; done
            kill -{signal} $p; wait $p; echo $?; kill %2 2>/dev/null
            ls -A | grep -c incomplete; cat out"
        );
        let ran = ran(&mut with_mounts(&place, way, &line));
        assert_eq!(
            ran.stdout,
            format!("{status}\n{left}\n{BEFORE}"),
            "{ran:#?}"
        );
    }
}
