//! Readers that stop or wait, writers that wait, and targets that others write to as well or
//! that are no ordinary files.

#![cfg(target_os = "linux")]

use crate::place::{Files, PipeReader, Place, Undisturbed, inputs, is_asleep};
use crate::support::{
    cases,
    runner::{self, Running, ran, status, until},
};
use rustix::process::Signal;
use std::{
    fs,
    io::{Read, Write},
    os::unix::{fs::symlink, process::ExitStatusExt},
    process::{ChildStdin, Stdio},
    thread,
};

const BEFORE: &str = "before\n";

/// Commands that write more to standard output than a pipe holds. Each reads standard input,
/// the grids, or makes its records.
const TO_STDOUT: [&str; 15] = [
    "solve -",
    "solve - --format csv --compress gzip",
    "convert - --format jsonl",
    "check - --rows --format csv",
    "count - --format csv",
    "solutions - --format csv",
    "canonical -",
    "dedup - --by equality",
    "augment - -k 3",
    "rank - --format csv",
    "rate - --format csv",
    "split - --by equality --test 10% --rejects - --output-dir parts",
    "generate 20k",
    "puzzles 1500 --from ../grids.txt",
    "psp -c 5000 --out /dev/stdout",
];

/// The input of such a command: grids, and lines that are rejected.
fn text_for(call: &str) -> Vec<u8> {
    let inputs = inputs().iter();
    let grids = inputs
        .filter(|(name, _)| *name == "grids.txt")
        .map(|(_, text)| text);
    let grids = grids.flatten().copied().collect::<Vec<_>>();
    let times = if call.starts_with("split") { 8 } else { 4 };
    match call.split(' ').any(|word| word == "-") {
        true => [grids, b"bad\n".repeat(2000)].concat().repeat(times),
        false => Vec::new(),
    }
}

/// Starts a command that is fed by a thread.
fn start_fed(place: &Place, call: &str) -> Running {
    let mut command = place.command(call);
    if !call.starts_with("psp") {
        command.arg("-q");
    }
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut running = Running::start(&mut command);
    let mut to = running.stdin.take().unwrap();
    let text = text_for(call);
    // It ends when all is read or the reader has ended.
    thread::spawn(move || to.write_all(&text));
    running
}

fn said(running: &mut Running) -> String {
    let mut said = String::new();
    let mut stderr = running.stderr.take().unwrap();
    stderr.read_to_string(&mut said).unwrap();
    said
}

/// The standard output of a command, and its status.
fn undisturbed(place: &Place, call: &str) -> (Vec<u8>, Option<i32>) {
    let mut running = start_fed(place, call);
    let mut output = Vec::new();
    let mut stdout = running.stdout.take().unwrap();
    stdout.read_to_end(&mut output).unwrap();
    assert!(output.len() > 80 << 10, "{call}: {} bytes", output.len());
    (output, running.end().code())
}

/// `| head`: the reader has what it wanted, and that is no error. It is one where a file is
/// left out.
#[test]
fn a_reader_that_stops() {
    let place = Place::new();
    for call in TO_STDOUT {
        place.reset([], "");
        let (expected, _) = undisturbed(&place, call);
        place.reset([], "");
        let mut running = start_fed(&place, call);
        let mut stdout = running.stdout.take().unwrap();
        let mut first = [0; 100];
        stdout.read_exact(&mut first).unwrap();
        drop(stdout);
        let status = running.end().code();
        let said = said(&mut running);
        assert_eq!(first, expected[..100], "{call}");
        if call.starts_with("split") {
            let says = "sudoku-batch: cannot write <stdout>: Broken pipe (os error 32); output \
                        files stay as they were\n";
            assert_eq!((status, said.as_str()), (Some(2), says), "{call}");
        } else {
            assert_eq!((status, said.as_str()), (Some(0), ""), "{call}");
        }
        assert!(place.files().is_empty(), "{call}");
    }
}

/// The most memory that a process had, in kilobytes.
fn peak(running: &Running) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", running.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.unwrap().trim().trim_end_matches(" kB");
    peak.parse().unwrap()
}

/// The reader takes nothing until all threads wait for it. Then it reads on, and nothing is
/// lost; or a signal ends the process.
#[test]
fn a_reader_that_waits() {
    let place = Place::new();
    for call in TO_STDOUT {
        place.reset([], "");
        let (expected, status) = undisturbed(&place, call);
        place.reset([], "");
        let mut running = start_fed(&place, call);
        until("the wait", || is_asleep(&running));
        assert!(!running.has_ended(), "{call}");
        let kilobytes = peak(&running);
        assert!(kilobytes < 64 << 10, "{call}: {kilobytes} kB");
        let mut found = Vec::new();
        let mut stdout = running.stdout.take().unwrap();
        stdout.read_to_end(&mut found).unwrap();
        assert!(found == expected, "{call}");
        assert_eq!(running.end().code(), status, "{call}");
    }
    for (call, signal) in TO_STDOUT.into_iter().zip(
        [Signal::INT, Signal::TERM, Signal::KILL]
            .into_iter()
            .cycle(),
    ) {
        place.reset([], "");
        let mut running = start_fed(&place, call);
        until("the wait", || is_asleep(&running));
        running.signal(signal);
        assert_eq!(running.end().signal(), Some(signal.as_raw()), "{call}");
        // SIGKILL may leave a folder without files.
        let left = match signal {
            Signal::KILL => place.files_alone(),
            _ => place.files(),
        };
        assert!(left.is_empty(), "{call}");
    }
}

/// A stream whose reader waits holds up the files beside it. They stay as they were when a
/// signal comes.
#[test]
fn a_reader_of_rejects_that_waits() {
    let place = Place::new();
    for signal in [Signal::INT, Signal::TERM, Signal::KILL] {
        place.reset([&"train.txt".to_owned()], BEFORE);
        let mut running = start_fed(
            &place,
            "split - --by equality --test 10% --rejects - --output-dir .",
        );
        until("the wait", || is_asleep(&running));
        running.signal(signal);
        assert_eq!(running.end().signal(), Some(signal.as_raw()));
        let expected = [("train.txt".to_owned(), BEFORE.into())];
        assert_eq!(place.files(), expected.into());
    }
}

/// Starts a command, gives it all of its input but the end, and waits until all its threads
/// wait for more.
fn start_with_a_writer_that_waits(place: &Place, call: &str) -> (Running, ChildStdin, Vec<u8>) {
    let mut command = place.command(call);
    if !call.starts_with("psp") {
        command.arg("-q");
    }
    let mut running = Running::start(command.stdin(Stdio::piped()));
    let mut to = running.stdin.take().unwrap();
    let text = text_for(call);
    // In the middle of a record.
    let (first, rest) = text.split_at(text.len() - 82 * 1000 - 40);
    to.write_all(first).unwrap();
    until("the wait", || is_asleep(&running));
    assert!(!running.has_ended(), "{call}");
    (running, to, rest.to_vec())
}

const FROM_STDIN: [&str; 12] = [
    "solve - -o out",
    "solve - -o out.gz --rejects bad.zst",
    "convert - --format jsonl -o out",
    "check - -o out",
    "count - -o out",
    "solutions - -o out",
    "canonical - -o out",
    "dedup - -o out --duplicates repeats",
    "augment - -o out",
    "split - --test 10% --output-dir parts",
    "rank - -o out",
    "psp -s - --out out",
];

#[test]
fn a_writer_that_waits() {
    let place = Place::new();
    for call in FROM_STDIN {
        // From a file, undisturbed.
        place.reset([], "");
        fs::write(place.0.file("text"), text_for(call)).unwrap();
        let line = format!("exec $P {} < ../text 2>/dev/null", call);
        let status = ran(&mut place.shell(&line)).status;
        let expected = place.files();
        assert!(status < Some(2) && !expected.is_empty(), "{call}");

        place.reset([], "");
        let (mut running, mut to, rest) = start_with_a_writer_that_waits(&place, call);
        assert_eq!(place.files_alone(), Files::new(), "{call}");
        to.write_all(&rest).unwrap();
        drop(to);
        assert_eq!(running.end().code(), status, "{call}");
        assert!(place.files() == expected, "{call}");
    }
}

#[test]
fn a_writer_that_waits_and_a_signal() {
    let place = Place::new();
    let signals = [Signal::INT, Signal::TERM, Signal::KILL];
    for (call, signal) in FROM_STDIN.into_iter().zip(signals.into_iter().cycle()) {
        place.reset([], "");
        let (mut running, _to, _) = start_with_a_writer_that_waits(&place, call);
        running.signal(signal);
        assert_eq!(running.end().signal(), Some(signal.as_raw()), "{call}");
        assert_eq!(place.files(), Files::new(), "{call}");
        place.has_no_temporary_files();
    }
}

/// A process that is stopped and goes on loses nothing.
#[test]
fn a_process_that_is_stopped_meanwhile() {
    let place = Place::new();
    for expected in Undisturbed::all() {
        place.reset([], "");
        let mut running = Running::start(&mut place.command(expected.call.arguments));
        for _ in 0..5 {
            thread::sleep(expected.time / 8);
            running.signal(Signal::STOP);
            running.signal(Signal::CONT);
        }
        assert_eq!(running.end().code(), Some(expected.status));
        let whole = expected.check(&place.files(), None, "stopped");
        assert_eq!(whole, expected.files.len());
    }
}

/// Two processes write the same target: it is that of one of them.
#[test]
fn two_processes_with_the_same_target() {
    let place = Place::new();
    let [one, other] = [
        "generate 20k --seed 1 -q -o out",
        "generate 21k --seed 2 -q -o out",
    ];
    let content = |call: &str| {
        place.reset([], "");
        assert!(status(&mut place.command(call)).success());
        place.files().remove("out").unwrap()
    };
    let contents = [content(one), content(other)];
    // Four processes each round. More of them find a race.
    for round in 0..cases(12) {
        place.reset(
            [&"out".to_owned()].into_iter().filter(|_| round % 2 == 0),
            BEFORE,
        );
        let mut running =
            [one, other, one, other].map(|call| Running::start(&mut place.command(call)));
        for running in &mut running {
            assert_eq!(running.end().code(), Some(0));
        }
        let files = place.files();
        assert_eq!(files.len(), 1);
        assert!(contents.contains(&files["out"]), "round {round}");
    }
}

/// Every way to name an output, with this in place of the name.
fn to(target: &str) -> [String; 12] {
    [
        "solve ../in.txt -q -o @",
        "solve ../in.txt -q -o none --rejects @",
        "solve ../in.csv -q --compress zstd -o @",
        "dedup ../in.txt -q -o @",
        "dedup ../in.txt -q -o none --duplicates @",
        "stats ../in.txt -q -o @",
        "stats ../in.txt -q -o none --report @",
        "generate 1000 -q -o @",
        "puzzles 10 -q -o @",
        "psp -c 1000 --out @",
        "psp -s ../in.block --out @",
        "show ../in.txt --html @",
    ]
    .map(|call| call.replace('@', target))
}

#[test]
fn targets_that_are_folders() {
    let place = Place::new();
    for call in to("target") {
        place.reset([&"target/file".to_owned()], BEFORE);
        let ran = ran(&mut place.shell(&format!("exec $P {call}"))).status(2);
        ran.says("sudoku-batch: cannot write target: is a directory");
        assert_eq!(place.files().len(), 1, "{call}: {:?}", place.files().keys());
    }
    // A file where a folder has to be.
    for call in [
        "split --test 10% ../in.txt --output-dir target",
        "solve ../in.txt --output-dir target",
    ] {
        place.reset([&"target".to_owned()], BEFORE);
        let ran = ran(&mut place.shell(&format!("exec $P {call}"))).status(2);
        ran.says("sudoku-batch: cannot create the folder target: ");
        assert_eq!(place.files()["target"], BEFORE.as_bytes());
    }
}

/// A link is followed, to a file that is there or is not. It stays a link.
#[test]
fn targets_that_are_links() {
    let place = Place::new();
    for (plain, linked) in to("target").into_iter().zip(to("link")) {
        place.reset([], "");
        let status = runner::status(&mut place.command(&plain));
        let expected = place.files().remove("target").unwrap();
        for exists in [false, true] {
            place.reset(
                [&"target".to_owned()].into_iter().filter(|_| exists),
                BEFORE,
            );
            symlink("target", place.work().join("link")).unwrap();
            assert_eq!(
                runner::status(&mut place.command(&linked)),
                status,
                "{linked}"
            );
            assert!(place.files()["target"] == expected, "{linked}");
            assert!(place.work().join("link").is_symlink(), "{linked}");
        }
    }
}

/// Pipes get the same bytes as files, and `/dev/null` takes all.
#[test]
fn targets_that_are_pipes_and_devices() {
    let place = Place::new();
    for (plain, call) in to("target").into_iter().zip(to("pipe")) {
        place.reset([], "");
        let status = runner::status(&mut place.command(&plain));
        let expected = place.files().remove("target").unwrap();
        place.reset([], "");
        let mut pipe = PipeReader::of(&place.work().join("pipe"));
        let mut running = Running::start(&mut place.command(&call));
        let (found, ended) = pipe.read_to_end(&mut running);
        assert_eq!(ended, status, "{call}");
        assert!(found == expected, "{call}");
    }
    for call in to("/dev/null") {
        place.reset([], "");
        let status = runner::status(&mut place.command(&call));
        assert!(status.code() < Some(2), "{call}");
        let files = place.files();
        assert!(files.keys().all(|name| name == "none"), "{call}");
    }
}

/// A pipe that nobody ever reads from: the process waits, and a signal ends it.
#[test]
fn a_pipe_without_a_reader() {
    let place = Place::new();
    let signals = [Signal::INT, Signal::TERM, Signal::KILL];
    for (call, signal) in to("pipe").into_iter().zip(signals.into_iter().cycle()) {
        place.reset([&"none".to_owned()], BEFORE);
        assert!(status(&mut place.shell("mkfifo pipe")).success());
        let mut running = Running::start(&mut place.command(&call));
        until("the wait", || is_asleep(&running));
        assert!(!running.has_ended(), "{call}");
        running.signal(signal);
        assert_eq!(running.end().signal(), Some(signal.as_raw()), "{call}");
        assert_eq!(place.files()["none"], BEFORE.as_bytes(), "{call}");
    }
}

/// The target is the input: what is read is what was there before.
#[test]
fn in_place() {
    let place = Place::new();
    for call in [
        "solve in -q",
        "convert in --format csv -q",
        "check in --rows -q",
        "count in -q",
        "solutions in -q",
        "canonical in -q",
        "dedup in -q",
        "augment in -q",
        "rank in -q",
        "rate in -q",
        "stats in -q",
        "psp -s in --out",
    ] {
        let name = match call {
            _ if call.starts_with("rank") => "grids.txt",
            _ if call.starts_with("psp") => "in.block",
            _ => "in.txt",
        };
        let text = fs::read(place.0.file(name)).unwrap();
        let run = |target: &str| {
            place.reset([], "");
            fs::write(place.work().join("in"), &text).unwrap();
            let option = if call.starts_with("psp") { "" } else { "-o" };
            let status = status(&mut place.command(&format!("{call} {option} {target}")));
            assert!(status.code() < Some(2), "{call} {target}");
            place.files()
        };
        let beside = run("out");
        let onto_itself = run("in");
        assert_eq!(onto_itself.len(), 1, "{call}");
        assert!(onto_itself["in"] == beside["out"], "{call}");
    }
}

/// No standard stream is open: files are as ever.
#[test]
fn closed_streams() {
    let place = Place::new();
    for expected in Undisturbed::all() {
        place.reset([], "");
        let line = format!("exec $P {} <&- >&- 2>&-", expected.call.arguments);
        let ran = ran(&mut place.shell(&line));
        assert_eq!(ran.status, Some(expected.status), "{line}");
        let whole = expected.check(&place.files(), None, &line);
        assert_eq!(whole, expected.files.len(), "{line}");
    }
}
