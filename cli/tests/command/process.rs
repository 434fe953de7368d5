//! The program as a process: signals, descriptors that it inherits, streams that are closed.

use super::terminal::terminal;
use crate::support::{
    cases,
    puzzles::{LINE as PUZZLE, SOLVED_LINE as SOLUTION},
    runner::{self, Folder, Running, until},
};
use rustix::process::{Pid, Signal, kill_process_group, test_kill_process};
use std::{
    fs,
    io::{Read, Write},
    os::unix::process::{CommandExt, ExitStatusExt},
    process::{Command, Stdio},
    thread::sleep,
    time::Duration,
};

/// The program and the shells of the tests start with the default actions of signals.
#[cfg(target_os = "linux")]
#[test]
fn processes_of_tests_heed_signals() {
    let ran = Folder::new().bash("cat /proc/self/status").status(0);
    let ignored = runner::ignored_signals(&ran.stdout).unwrap();
    for signal in [Signal::HUP, Signal::INT, Signal::QUIT, Signal::TERM] {
        assert_eq!(ignored >> (signal.as_raw() - 1) & 1, 0, "{signal:?}");
    }
}

/// Processes ignore signals like this under `nohup`, and in the background of a shell.
#[cfg(target_os = "linux")]
#[test]
fn processes_of_tests_heed_signals_that_the_tests_ignore() {
    let tests = std::env::current_exe().unwrap();
    let line = "trap '' HUP INT QUIT TERM; exec \"$TESTS\" --exact \
                process::processes_of_tests_heed_signals";
    let mut shell = Folder::new().shell(line);
    let ran = runner::ran(shell.env("TESTS", tests).current_dir("/")).status(0);
    assert!(ran.stdout.contains(" 1 passed"), "{ran:#?}");
}

/// The other end of the pipe dies of the signal too, so that the input ends. That is not the
/// end of a whole input.
#[test]
fn a_loop_of_a_shell_ends_with_ctrl_c() {
    // A round that survives the signal shows in the first; more of them find a race.
    for _ in 0..cases(3) {
        let folder = Folder::new();
        let round = "sleep 100 | $P solve -q -o out";
        let loops =
            format!("for i in 1 2 3; do echo $i >> rounds; {round}; done; echo on >> rounds");
        let mut shell = Running::start(folder.shell(&loops).process_group(0));
        until("the first round", || folder.names() == ["rounds"]);
        sleep(Duration::from_millis(100));
        // All processes of the group get the signal, as on a terminal.
        kill_process_group(Pid::from_child(&shell), Signal::INT).unwrap();
        assert_eq!(shell.end().signal(), Some(2));
        assert_eq!(folder.read("rounds"), "1\n");
        assert_eq!(folder.names(), ["rounds"]);
    }
}

#[test]
fn a_signal_that_is_inherited_as_ignored_stays_ignored() {
    for (name, number) in [
        ("INT", Signal::INT),
        ("TERM", Signal::TERM),
        ("HUP", Signal::HUP),
    ] {
        let folder = Folder::new();
        let line = format!("trap '' {name}; exec $P solve -q -o out");
        let mut child = Running::start(folder.shell(&line).stdin(Stdio::piped()));
        let mut to = child.stdin.take().unwrap();
        to.write_all(PUZZLE.as_bytes()).unwrap();
        sleep(Duration::from_millis(200));
        child.signal(number);
        sleep(Duration::from_millis(100));
        to.write_all(PUZZLE.as_bytes()).unwrap();
        drop(to);
        assert_eq!(child.end().code(), Some(0), "{name}");
        assert_eq!(folder.read("out"), SOLUTION.repeat(2));
    }
}

#[test]
fn the_progress_bar_is_cleared_when_a_signal_ends_the_process() {
    let (mut ours, theirs, name) = terminal();
    let size = ["-F", &name, "rows", "24", "cols", "60"];
    assert!(Command::new("stty").args(size).status().unwrap().success());
    let folder = Folder::new();
    let mut command = folder.command("solve -o out -j1");
    command.stdin(Stdio::piped()).stderr(theirs);
    let mut child = Running::start(&mut command);
    // The terminal ends when nobody has its other end any more.
    drop(command);
    let mut to = child.stdin.take().unwrap();
    let block = PUZZLE.repeat(20_000);
    for _ in 0..9 {
        to.write_all(block.as_bytes()).unwrap();
        sleep(Duration::from_millis(100));
    }
    child.signal(Signal::INT);
    assert_eq!(child.end().signal(), Some(2));
    let mut seen = Vec::new();
    // A terminal whose other end is closed is read up to an error.
    let _ = ours.read_to_end(&mut seen);
    let seen = String::from_utf8_lossy(&seen);
    assert!(seen.contains(" records, "), "{seen:?}");
    // A terminal writes `^C` behind the bar, where two columns are free. So it is cleared with the line, which is the
    // last before the words.
    let lines = seen
        .split(['\r', '\n'])
        .map(|line| line.replace("\u{1b}[2K", ""));
    let widths: Vec<_> = lines.map(|line| line.chars().count()).collect();
    assert!(
        widths.iter().all(|width| *width <= 60 - 2),
        "{widths:?} {seen:?}"
    );
    let words = "sudoku-batch: interrupted; output files stay as they were";
    let before = seen.trim_end().strip_suffix(words).unwrap();
    assert!(
        before.trim_end_matches('\r').ends_with("\u{1b}[2K"),
        "{seen:?}"
    );
    assert!(folder.names().is_empty(), "{:?}", folder.names());
}

/// The other solver is a shell that has a child of its own.
#[test]
fn a_signal_ends_the_solver_that_is_measured_too() {
    let folder = Folder::new().with("in", PUZZLE);
    let other = "cat {in} > {out}; sleep 300 & echo $! > sleeper.new; mv sleeper.new sleeper; wait";
    let bench = "bench in --rounds 1 --exact --threads 1 --stop-at first --solver";
    let mut bench = folder.command(bench);
    bench.arg(other).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = Running::start(&mut bench);
    until("the other solver", || folder.file("sleeper").exists());
    let sleeper: i32 = folder.read("sleeper").trim().parse().unwrap();
    let sleeper = Pid::from_raw(sleeper).unwrap();
    test_kill_process(sleeper).unwrap();
    child.signal(Signal::INT);
    assert_eq!(child.end().signal(), Some(2));
    // It is gone, or waits as a zombie for a parent that never asks.
    until("the end of the other solver", || {
        let state = fs::read_to_string(format!("/proc/{}/stat", sleeper.as_raw_nonzero()));
        state.is_err() || state.is_ok_and(|state| state.contains(") Z "))
    });
}

#[test]
fn what_an_inherited_descriptor_leads_to_is_written_as_it_is() {
    let folder = Folder::new()
        .with("in", PUZZLE)
        .with("bad", format!("{PUZZLE}bad\n"));
    let three = format!("head\n{SOLUTION}tail\n");
    for path in [
        "/dev/fd/3",
        "/proc/self/fd/3",
        "/proc/thread-self/fd/3",
        "link",
    ] {
        let _ = fs::remove_file(folder.file("link"));
        std::os::unix::fs::symlink("/dev/fd/3", folder.file("link")).unwrap();
        let line = format!("(echo head >&3; $P solve in -q -o {path}; echo tail >&3) 3>three");
        folder.bash(&line).status(0).prints("");
        assert_eq!(folder.read("three"), three, "{path}");
    }
    // Appended to, where the shell says so, and under all names that the file has.
    fs::hard_link(folder.file("three"), folder.file("twin")).unwrap();
    folder
        .bash("$P solve in -q -o /dev/fd/3 3>>three")
        .status(0);
    assert_eq!(folder.read("twin"), three + SOLUTION);
    // Reports and rejects both go to a file.
    let line = "$P solve bad --rejects /dev/stderr -o /dev/null --summary none 2>errors";
    folder.bash(line).status(1);
    let errors = folder.read("errors");
    assert!(
        errors.contains("2\tmalformed\t") && errors.contains("bad:2: malformed"),
        "{errors}"
    );
    let names = ["bad", "errors", "in", "link", "three", "twin"];
    assert_eq!(folder.names(), names);
}

#[test]
fn descriptors_that_cannot_be_written() {
    let folder = Folder::new().with("in", PUZZLE).with("other", "kept");
    for (line, says) in [
        ("$P solve in -o /dev/fd/7 7>&-", "cannot write /dev/fd/7"),
        // This is a file that the program opens itself.
        ("$P solve in -o /dev/fd/3 3>&-", "cannot write /dev/fd/3"),
        ("$P solve in -o /dev/fd/3 3<other", "cannot write /dev/fd/3"),
        (
            "$P solve in -o /dev/fd/3 --rejects /dev/fd/3 3>x",
            "same file",
        ),
        ("$P solve in -o /dev/fd/3 --rejects - 3>x >&3", "same file"),
    ] {
        folder.bash(line).status(2).says(says);
        assert_eq!(folder.read("in"), PUZZLE);
        assert_eq!(folder.read("other"), "kept");
    }
}

#[test]
fn streams_that_are_closed_or_full_are_errors() {
    let folder = Folder::new().with("in", PUZZLE);
    for (line, says) in [
        ("$P solve in >&-", "cannot write <stdout>: it is closed"),
        (
            "$P solve in -o /dev/stdout >&-",
            "cannot write /dev/stdout: it is closed",
        ),
        ("$P generate 5 >&-", "cannot write <stdout>"),
        ("$P solve <&-", "cannot read <stdin>: it is closed"),
        ("$P --help >&-", "cannot write <stdout>: it is closed"),
        (
            "$P --help >/dev/full",
            "cannot write <stdout>: No space left",
        ),
        (
            "$P solve --help >/dev/full",
            "cannot write <stdout>: No space left",
        ),
        (
            "$P help solve >/dev/full",
            "cannot write <stdout>: No space left",
        ),
        (
            "$P --version >/dev/full",
            "cannot write <stdout>: No space left",
        ),
        ("$P man >/dev/full", "cannot write <stdout>: No space left"),
        (
            "$P completions bash >&-",
            "cannot write <stdout>: it is closed",
        ),
        (
            "$P bench in --rounds 1 --puzzles 1 >/dev/full",
            "cannot write <stdout>: No space",
        ),
    ] {
        folder.bash(line).status(2).says(says);
    }
    folder
        .bash("$P solve in -o out -q 2>&- >&-")
        .status(0)
        .prints("");
    assert_eq!(folder.read("out"), SOLUTION);
    folder.bash("$P bogus 2>/dev/full").status(2);
    folder
        .bash("set -o pipefail; $P solve --help | head -1")
        .status(0);
}

/// Each thread reserves 2 MiB for its stack. None ends before the input does.
///
/// A limit may also leave room for a thread but not for the stack of its signals, or for
/// that but not for a list that the program needs. With `RUST_BACKTRACE` the standard library
/// then waited for its own lock forever, once in 300 runs.
#[test]
fn threads_that_the_system_does_not_give_are_told_once() {
    let folder = Folder::new();
    // More than what tells the format of the input, and then a pause.
    let input = "(for i in {1..1500}; do echo $PUZZLE; done; sleep 1)";
    let run = |kilobytes: u32, backtrace: &str| {
        let line = format!(
            "ulimit -v {kilobytes}; {input} | $P solve -q -j 1000; exit ${{PIPESTATUS[1]}}"
        );
        let mut shell = folder.shell(&line);
        shell
            .env("PUZZLE", PUZZLE.trim_end())
            .env("RUST_BACKTRACE", backtrace);
        runner::ran(&mut shell)
    };
    // Each waits for a second, so all of them wait at the same time.
    let ran: Vec<_> = std::thread::scope(|scope| {
        let limits = (20_000..).step_by(1_111).zip(["0", "1"].repeat(8));
        let runs =
            limits.map(|(kilobytes, backtrace)| scope.spawn(move || run(kilobytes, backtrace)));
        let runs: Vec<_> = runs.collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    let mut told = 0;
    for ran in ran {
        let (before, cause) = match ran.stderr.split_once(": Resource temporarily") {
            // The thread for signals is no thread that works.
            Some(parts) if ran.status == Some(2) && !parts.0.ends_with("signals") => parts,
            _ => continue,
        };
        told += 1;
        assert!(
            before.starts_with("sudoku-batch: cannot start thread "),
            "{before}"
        );
        assert!(!cause.contains("Resource"), "{cause}");
    }
    assert_ne!(told, 0, "no limit that a thread does not fit into");
}

/// The standard library would abort the process. `ulimit -v` leaves too little for the list
/// of so many records.
#[test]
fn without_memory_the_process_ends_with_an_error() {
    let folder = Folder::new();
    for backtrace in ["0", "1"] {
        let line = "ulimit -v 45000; $P generate 3000000 -j 1 | $P dedup --by equality -o kept.txt; \
                    exit ${PIPESTATUS[1]}";
        let mut shell = folder.shell(line);
        let ran = runner::ran(shell.env("RUST_BACKTRACE", backtrace)).status(2);
        assert!(
            ran.stderr.contains("sudoku-batch: out of memory: ")
                && ran.stderr.ends_with("needed\n"),
            "{ran:?}"
        );
        assert!(folder.names().is_empty(), "{:?}", folder.names());
    }
}
