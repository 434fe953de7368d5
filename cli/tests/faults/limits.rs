//! Too little of what the system gives: memory, threads and descriptors. The program says so
//! and ends with a status that is not 0, and targets stay as they were.

#![cfg(target_os = "linux")]

use crate::place::{self, Place, Undisturbed, last_line, without_rights};
use crate::support::{
    cases, has_turn,
    random_words::Words,
    runner::{Folder, ran},
    tools::not_run,
};
use std::{fs, os::unix::fs::PermissionsExt};

const BEFORE: &str = "before\n";

/// A run that is not whole.
struct Failed<'a> {
    limit: u64,
    what: &'a str,
    status: Option<i32>,
    stderr: &'a str,
}

/// Runs every call under limits, and checks its files. The first of `limits` is too little for
/// any call, and the last enough. `is_reported` is given each run that is not whole, and whether
/// the program itself reported why: that comes at least once for each call.
fn under(
    option: &str,
    mut limits: impl FnMut() -> Vec<u64>,
    mut is_reported: impl FnMut(&Failed<'_>) -> bool,
) {
    let place = Place::new();
    let mut counts = [0; 3];
    for expected in Undisturbed::all() {
        let call = expected.call.arguments;
        let mut reported = 0;
        let limits = limits();
        for (round, &limit) in limits.iter().enumerate() {
            let before = (round % 2 == 1).then_some(BEFORE);
            place.reset(expected.files.keys().filter(|_| before.is_some()), BEFORE);
            let line = format!("ulimit -{option} {limit}; exec $P {call}");
            let backtrace = if round % 4 < 2 { "0" } else { "1" };
            let ran = ran(place.shell(&line).env("RUST_BACKTRACE", backtrace));
            let what = format!("{line} ({backtrace}): {:?} {}", ran.status, ran.stderr);
            let mut found = place.files();
            // A process that is aborted leaves its new folders.
            found.retain(|name, _| !name.ends_with('/') || option == "n");
            let whole = expected.check(&found, before, &what);
            place.has_no_temporary_files();
            let is_well = ran.status == Some(expected.status);
            assert!(is_well || round + 1 < limits.len(), "{what}");
            assert!(!is_well || round > 0, "{what}");
            if is_well {
                assert_eq!(whole, expected.files.len(), "{what}");
                counts[0] += 1;
                continue;
            }
            assert_eq!(whole, 0, "{what}");
            assert_ne!(ran.status, Some(0), "{what}");
            let failed = Failed {
                limit,
                what: &what,
                status: ran.status,
                stderr: &ran.stderr,
            };
            let is_reported = is_reported(&failed);
            reported += usize::from(is_reported);
            counts[1 + usize::from(is_reported)] += 1;
        }
        assert_ne!(reported, 0, "{call} never reports a limit");
    }
    let [well, died, reported] = counts;
    println!("{well} runs were well, {died} died without a word, {reported} reported the limit");
}

/// Whether a process ended before `main`: the dynamic linker did not get what it needs for a
/// library (127), or the kernel did not get it for the program (a signal). Then the program does
/// not come to its version under that limit either.
fn is_before_main(option: &str, failed: &Failed<'_>) -> bool {
    let is_silent = |status: Option<i32>, stderr: &str| {
        status == Some(127) || status.is_none() && stderr.is_empty()
    };
    if !is_silent(failed.status, failed.stderr) {
        return false;
    }
    let line = format!("ulimit -{option} {}; exec $P --version", failed.limit);
    let folder = Folder::new();
    // At the edge, where the system puts things at random decides.
    let fails_too = || {
        let ran = ran(&mut folder.shell(&line));
        is_silent(ran.status, &ran.stderr)
    };
    assert!((0..20).any(|_| fails_too()), "{}", failed.what);
    true
}

/// From too little for the start of the program up to enough.
#[test]
fn little_memory() {
    let mut words = Words::new(18);
    // The program has 16 MB, and many calls need 18 to 24. Two or three of eight limits come to where the program itself
    // sees the lack. More of them meet rarer places.
    let count = cases(8) as u64;
    let step = 28_000 / count;
    let limits = || {
        let kilobytes =
            |i: u64, words: &mut Words| 14_000 + step * i + words.below(step as usize) as u64;
        let limits = (0..count).map(|i| kilobytes(i, &mut words));
        limits.chain([1 << 20]).collect()
    };
    under("v", limits, |failed| {
        let (status, stderr) = (failed.status, failed.stderr);
        // The libraries of Rust and C abort a process that has no memory for a new thread. Meanwhile the
        // first thread may have reported the lack, and ended the process with status 2.
        let aborts = ["alternative stack", "Fatal glibc error"];
        let is_of_a_thread =
            matches!(status, None | Some(2)) && aborts.iter().any(|text| stderr.contains(text));
        if is_of_a_thread || is_before_main("v", failed) {
            return false;
        }
        assert_eq!(status, Some(2), "{}", failed.what);
        assert!(
            last_line(stderr).starts_with("sudoku-batch: ") && !stderr.contains("defect"),
            "{}",
            failed.what
        );
        true
    });
}

#[test]
fn few_descriptors() {
    // `dedup --memory` has a temporary file for each part, some hundreds.
    let mut call = 0;
    // By default each call has each other limit.
    let limits = || {
        call += 1;
        let few = (3..=12).filter(|few| has_turn(call + few, 2));
        few.map(|few| few as u64).chain([1024]).collect()
    };
    under("n", limits, |failed| {
        if is_before_main("n", failed) {
            return false;
        }
        assert_eq!(failed.status, Some(2), "{}", failed.what);
        let error = last_line(failed.stderr);
        assert!(
            error.starts_with("sudoku-batch: cannot "),
            "{}",
            failed.what
        );
        assert!(
            error.ends_with(": Too many open files (os error 24)"),
            "{}",
            failed.what
        );
        true
    });
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
    let (_, records) = &place::inputs()[0];
    let folder = Folder::new().with("in", records);
    let everybody = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path(), everybody).unwrap();
    let Some(shell) = without_rights(folder.path()) else {
        return not_run("no threads: nobody may not run the program here");
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
