//! Too little of what the system gives: memory, threads and descriptors. The program says so
//! and ends with a status that is not 0, and targets stay as they were.

#![cfg(target_os = "linux")]

mod command;
mod faults;
mod random_words;

use command::{Folder, ran};
use faults::{Place, Undisturbed, last_line, tell, without_rights};
use random_words::Words;
use std::{fs, os::unix::fs::PermissionsExt};

const BEFORE: &str = "before\n";

/// Runs every call under limits, and checks its files. `limits` gives the limits of a call, and
/// `check` is given the limit, the status and standard error of each run that is not whole.
fn under(
    option: &str,
    mut limits: impl FnMut() -> Vec<u64>,
    mut check: impl FnMut(&str, Option<i32>, &str),
) -> [usize; 2] {
    let place = Place::new();
    let mut counts = [0; 2];
    for expected in Undisturbed::all() {
        for (round, limit) in limits().into_iter().enumerate() {
            let before = (round % 2 == 1).then_some(BEFORE);
            place.reset(expected.files.keys().filter(|_| before.is_some()), BEFORE);
            let line = format!(
                "ulimit -{option} {limit}; exec $P {}",
                expected.call.arguments
            );
            let backtrace = if round % 4 < 2 { "0" } else { "1" };
            let ran = ran(place.shell(&line).env("RUST_BACKTRACE", backtrace));
            let what = format!("{line} ({backtrace}): {:?} {}", ran.status, ran.stderr);
            let whole = expected.check(&place.files(), before, &what);
            place.has_no_temporary_files();
            let is_well = ran.status == Some(expected.status);
            counts[usize::from(is_well)] += 1;
            if is_well {
                assert_eq!(whole, expected.files.len(), "{what}");
            } else {
                assert_eq!(whole, 0, "{what}");
                assert_ne!(ran.status, Some(0), "{what}");
                check(&what, ran.status, &ran.stderr);
            }
        }
    }
    counts
}

/// From too little for the start of the program up to enough.
#[test]
fn little_memory() {
    let mut words = Words::new(18);
    let limits = || {
        let kilobytes = |i: u64, words: &mut Words| 6_000 + 2_500 * i + words.below(2_500) as u64;
        (0..16).map(|i| kilobytes(i, &mut words)).collect()
    };
    let mut told = 0;
    let [failed, well] = under("v", limits, |what, status, stderr| {
        // Before `main` the dynamic linker finds no room for a library (127), or the kernel
        // none for the program (a signal).
        let is_before_main = status == Some(127) || status.is_none() && stderr.is_empty();
        // The libraries of Rust and C abort a process that has no memory for a new thread.
        let aborts = ["alternative stack", "Fatal glibc error"];
        let is_of_a_thread = status.is_none() && aborts.iter().any(|text| stderr.contains(text));
        if is_before_main || is_of_a_thread {
            return;
        }
        assert_eq!(status, Some(2), "{what}");
        assert!(
            last_line(stderr).starts_with("sudoku-batch: ") && !stderr.contains("defect"),
            "{what}"
        );
        told += 1;
    });
    println!("{well} runs were well, {failed} were not, and {told} of them told why");
    assert!(told > 0 && well > 0);
}

#[test]
fn few_descriptors() {
    let limits = || (3..=12).collect();
    let mut told = 0;
    let [failed, well] = under("n", limits, |what, status, stderr| {
        // 127: the dynamic linker cannot open a library.
        if status == Some(127) {
            return;
        }
        assert_eq!(status, Some(2), "{what}");
        let error = last_line(stderr);
        assert!(error.starts_with("sudoku-batch: cannot "), "{what}");
        assert!(
            error.ends_with(": Too many open files (os error 24)"),
            "{what}"
        );
        told += 1;
    });
    println!("{well} runs were well, {failed} were not, and {told} of them told why");
    assert!(told > 0 && well > 0);
}

/// More outputs than descriptors, and more parts.
#[test]
fn few_descriptors_for_many_outputs() {
    let place = Place::new();
    let mut inputs = String::new();
    for i in 0..40 {
        fs::write(place.work().join(format!("{i}.txt")), "1\n").unwrap();
        inputs += &format!("{i}.txt ");
    }
    let parts: Vec<_> = (0..40).map(|i| format!("p{i}=1")).collect();
    let parts = format!("split --parts {} ../in.txt", parts.join(","));
    let solve = format!("solve --input-format line {inputs}");
    for call in [parts, solve] {
        for limit in [10, 20, 30] {
            let line = format!("ulimit -n {limit}; exec $P {call} -q --output-dir done");
            let ran = ran(&mut place.shell(&line)).status(2);
            assert!(ran.stderr.contains("Too many open files"), "{ran:?}");
            let left = fs::read_dir(place.work().join("done"))
                .into_iter()
                .flatten();
            assert_eq!(left.count(), 0, "{line}");
        }
    }
}

/// The limit of processes does not hold for root, so root runs the program as nobody.
#[test]
fn no_threads() {
    let (_, records) = &faults::inputs()[0];
    let folder = Folder::new().with("in", records);
    let everybody = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path(), everybody).unwrap();
    let Some(shell) = without_rights(folder.path()) else {
        return tell("no threads: nobody may not run the program here");
    };
    for call in [
        "solve in",
        "check in --answers in",
        "bench in --rounds 1 --puzzles 100 --threads 2",
        "generate 10",
    ] {
        let ran = ran(&mut shell(&format!("ulimit -u 1; exec $P {call}"))).status(2);
        assert!(
            ran.stderr.starts_with("sudoku-batch: cannot ")
                && ran.stderr.contains("Resource temporarily unavailable"),
            "{ran:?}"
        );
        assert_eq!(ran.stdout, "");
    }
}
