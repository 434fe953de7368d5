//! Three things that C cannot show: a panic at the border, which rows share a byte, and which puzzles share a slice.

#![allow(
    unsafe_code,
    reason = "the sources of the library are a part of this test"
)]
#![allow(dead_code, unreachable_pub, reason = "C calls what no test here does")]

#[path = "../src/lib.rs"]
mod capi;

use capi::{
    border::{
        guard::{Error, guard},
        memory::Shape,
    },
    failure::{Failure, SUDOKU_BATCH_DEFECT, SUDOKU_BATCH_NULL, SUDOKU_BATCH_OK},
    workers::Workers,
};
use std::{collections::BTreeSet, ffi::CStr, process::Command, ptr};
use sudoku_batch::questions::PUZZLES;

/// The code and the message of a call that does this.
fn ended(work: impl FnOnce() -> Result<(), Failure>) -> (i32, String) {
    let mut error = Error {
        code: -1,
        message: [1; _],
    };
    // SAFETY: it is an error that nobody else uses.
    let code = unsafe { guard(&mut error, work) };
    assert_eq!(code, error.code);
    // SAFETY: the call has put a zero behind the message.
    let message = unsafe { CStr::from_ptr(error.message.as_ptr()) };
    (code, message.to_str().unwrap().to_owned())
}

#[test]
fn what_a_call_says_is_its_code_and_its_message() {
    assert_eq!(ended(|| Ok(())), (SUDOKU_BATCH_OK, String::new()));
    let (code, message) = ended(|| Err(Failure::null("the moon")));
    assert_eq!(
        (code, &message[..]),
        (SUDOKU_BATCH_NULL, "the moon is null")
    );
    // A zero within ends nothing, and what is too long ends with a whole character.
    assert_eq!(ended(|| Err(Failure::size("a\0b"))).1, "a b");
    let (_, message) = ended(|| Err(Failure::size("é".repeat(1000))));
    assert_eq!(message, "é".repeat(507 / 2));
    // SAFETY: a null pointer is no room.
    let code = unsafe { guard(ptr::null_mut(), || Err(Failure::null("x"))) };
    assert_eq!(code, SUDOKU_BATCH_NULL);
}

/// Run by the test below, in a process of its own.
#[test]
#[ignore = "the test below runs it"]
fn panics_in_calls() {
    let (code, message) = ended(|| panic!("a défect"));
    assert_eq!(code, SUDOKU_BATCH_DEFECT);
    assert!(
        message.contains("a défect") && message.contains("tests/border.rs"),
        "{message}"
    );
    // One of several threads, whichever gets the third job, while the others go on.
    for threads in [1, 2, 4] {
        let engine = capi::engine::Engine::new("", threads).unwrap().workers;
        let work = |job| {
            if job == 2 {
                panic!("job {job}");
            }
            Ok(job)
        };
        let (code, message) = ended(|| engine.run(0..6, 6, work).map(|_| ()));
        assert_eq!(code, SUDOKU_BATCH_DEFECT);
        assert!(message.contains("job 2"), "{message}");
        // The engine works on.
        assert_eq!(engine.run(0..6, 6, Ok).unwrap(), [0, 1, 2, 3, 4, 5]);
    }
}

/// Run by the test below, in a process of its own.
#[test]
#[ignore = "the test below runs it"]
fn a_panic_elsewhere() {
    assert_eq!(ended(|| panic!("inside")).0, SUDOKU_BATCH_DEFECT);
    assert!(std::panic::catch_unwind(|| panic!("outside")).is_err());
}

/// The standard error of a test of this file, in a process of its own.
fn told_by(test: &str) -> String {
    let mut child = Command::new(std::env::current_exe().unwrap());
    child.args(["--exact", test, "--ignored", "--nocapture"]);
    let ran = child.env_remove("RUST_BACKTRACE").output().unwrap();
    let [printed, told] = [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(
        ran.status.success() && printed.contains("1 passed"),
        "{printed}{told}"
    );
    told
}

#[test]
fn a_panic_in_a_call_is_a_code_and_is_not_printed() {
    assert_eq!(told_by("panics_in_calls"), "");
}

#[test]
fn a_panic_elsewhere_is_printed_as_before() {
    let told = told_by("a_panic_elsewhere");
    assert!(
        told.contains("outside") && !told.contains("inside"),
        "{told}"
    );
}

#[test]
fn rows_that_share_a_byte_overlap() {
    let bytes = |start: usize, count: usize, stride: usize, width: usize| -> BTreeSet<usize> {
        let rows = (0..count).map(|row| start + row * stride);
        rows.flat_map(|row| row..row + width).collect()
    };
    let mut seen = [0; 3];
    for (count, stride, width) in [
        (0, 4, 2),
        (1, 4, 2),
        (3, 4, 2),
        (3, 4, 4),
        (2, 7, 3),
        (4, 1, 1),
    ] {
        let first = Shape::new("first", 100, count, stride, width).unwrap();
        for (others, step, wide) in [
            (0, 4, 1),
            (1, 9, 2),
            (3, 4, 1),
            (3, 4, 2),
            (5, 1, 1),
            (2, 7, 4),
        ] {
            for start in 70..130 {
                let second = Shape::new("second", start, others, step, wide).unwrap();
                let share = !bytes(100, count, stride, width)
                    .is_disjoint(&bytes(start, others, step, wide));
                let overlap = first.overlaps(&second);
                assert_eq!(overlap, second.overlaps(&first));
                // With one stride the answer is exact. Otherwise it may be too careful.
                let is_exact = step == stride || overlap == share;
                assert!(
                    overlap == share || (overlap && step != stride),
                    "{first:?} {second:?}"
                );
                seen[usize::from(overlap) + usize::from(!is_exact)] += 1;
            }
        }
    }
    assert!(seen[0] > 100 && seen[1] > 100 && seen[2] > 0, "{seen:?}");
}

#[test]
fn rows_that_do_not_fit_into_memory_are_an_error() {
    let is_right =
        |start, count, stride, width| Shape::new("x", start, count, stride, width).is_ok();
    // Without rows there is nothing to step over.
    assert!((0..=81).all(|stride| is_right(0, 0, stride, 81)));
    assert!(is_right(8, 1, usize::MAX, 81));
    assert!(!is_right(8, 2, 80, 81) && !is_right(0, 1, 81, 81));
    assert!(!is_right(8, usize::MAX, 81, 81) && !is_right(8, 2, usize::MAX, 81));
    assert!(!is_right(8, 2, isize::MAX as usize, 81) && !is_right(usize::MAX - 80, 1, 81, 81));
    assert!(is_right(usize::MAX - 81, 1, 81, 81));
}

/// Puzzles that share a climb are made by one thread, whatever number is the first. Others are shared as evenly as before.
#[test]
fn families_stay_in_one_slice() {
    let sets = [
        ([("rating", "9.5..10.9")], 8),
        ([("te", "2..")], 8),
        ([("rating", "9.0..9.4")], 1),
        ([("difficulty", "hard")], 1),
    ];
    for (settings, together) in sets {
        let set = PUZZLES.with(settings).unwrap();
        for threads in 1..=12 {
            let Ok(workers) = Workers::new("", threads) else {
                panic!("threads");
            };
            for first in [0, 5, 8, 23] {
                for count in [0, 1, 7, 96] {
                    let (mut end, mut families) = (0, BTreeSet::new());
                    for slice in workers.slices(&*set, (first, count)) {
                        assert!(
                            slice.start == end && slice.end > end,
                            "{slice:?} {first} {count}"
                        );
                        end = slice.end;
                        let numbers = first + slice.start as u64..first + slice.end as u64;
                        let of_slice = numbers.map(|number| number / together);
                        let of_slice: BTreeSet<_> = of_slice.collect();
                        // A family that was in a slice before is in no other.
                        assert!(of_slice.is_disjoint(&families), "{slice:?} {first} {count}");
                        families.extend(of_slice);
                    }
                    assert_eq!(end, count);
                }
            }
        }
    }
}
