//! The kept corpus of the fuzzers, as plain tests: each file of `fuzz/corpus/TARGET` goes through
//! the checks of its target. `scripts/fuzz.sh` looks for more. docs/internals/evidence.md tells of both.

#[allow(unreachable_pub, reason = "it is a library to the fuzzers")]
#[path = "../../../fuzz/src/targets.rs"]
mod targets;

use crate::support::has_turn;
use proptest::{collection::vec, prelude::*};
use std::{fs, path::Path};

/// Runs the kept corpus of a target. Of those that take seconds by default one file of some has its turn: the
/// fuzzers keep each file for what it reaches, and most of that is the library's, which other tests reach too.
fn run(target: &str, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../fuzz/corpus")
        .join(target);
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("each target has a corpus")
        .map(|entry| entry.expect("it can be listed").path())
        .collect();
    paths.sort();
    assert!(!paths.is_empty(), "{} is empty", folder.display());
    let turn = match target {
        "rate" => 15,
        "tables" => 8,
        "batch" => 5,
        "solve" => 4,
        "border" | "unpack" => 2,
        _ => 1,
    };
    // Files that the fuzzers keep have a hash for a name. Those with names of their own were defects.
    let is_kept_for_its_ways = |path: &Path| {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        name.len() == 12 && name.iter().all(u8::is_ascii_hexdigit)
    };
    for (number, path) in paths.into_iter().enumerate() {
        if is_kept_for_its_ways(&path) && !has_turn(number, turn) {
            continue;
        }
        // The input that fails is the file that was named last.
        eprintln!("{}", path.display());
        check(&fs::read(&path).expect("it can be read"));
    }
}

macro_rules! targets {
    ($($target:ident)*) => {
        $(
            #[test]
            fn $target() {
                run(stringify!($target), targets::$target::run);
            }
        )*

        /// Each target has a test here.
        const TARGETS: &[&str] = &[$(stringify!($target)),*];
    };
}

targets! {
    batch blocks border candidates canonical detect games lines objects prose rank rate sets solve
    stream tables unpack verify written
}

proptest! {
    #![proptest_config(crate::support::slow(150))]

    /// Every form gives back the candidates that it was given, in few cells or many. More of them have rarer sets.
    #[test]
    fn random_candidates_pass_through_every_form(data in vec(any::<u8>(), 0..=165)) {
        targets::candidates::run(&data);
    }
}

#[test]
fn every_target_of_the_fuzzers_is_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/fuzz_targets");
    let mut names: Vec<_> = fs::read_dir(folder)
        .expect("the sources are there")
        .map(|entry| {
            let path = entry.expect("it can be listed").path();
            path.file_stem()
                .expect("a name")
                .to_string_lossy()
                .into_owned()
        })
        .collect();
    // The command itself has the test of its options.
    names.retain(|name| name != "options");
    names.sort();
    assert_eq!(names, TARGETS);
}
