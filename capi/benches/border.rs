//! The time that the border takes: batches of 10,000 through the functions of the header, and by the library
//! itself, by turns, in processor time of the thread. docs/c.md has the figures.
//!
//!     cargo bench --profile release -p sudoku-batch-capi
//!
//! With `--test` it runs once, to see that it does.

#![allow(
    unsafe_code,
    reason = "the sources of the library are a part of this program"
)]
#![allow(dead_code, unreachable_pub, reason = "C calls what nothing here does")]

#[path = "../src/lib.rs"]
mod capi;

use capi::border::{
    calls::{sudoku_batch_canonical, sudoku_batch_close, sudoku_batch_open, sudoku_batch_solve},
    guard::Error,
};
use std::{env, ffi::c_int, fs, hint::black_box, path::Path, ptr};
use sudoku_batch::{
    format::Records,
    questions::{CANONICAL, Data, SOLVE},
    solve::NO_SOLUTION,
};

const COUNT: usize = 10_000;

/// The records of a file of `data`, again and again.
fn records(name: &str) -> Vec<[u8; 81]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../data/{name}.txt"));
    let text = fs::read(&path).expect("a file of data");
    let lines = text.split(|byte| *byte == b'\n');
    let cells: Vec<[u8; 81]> = lines.filter_map(|line| line.try_into().ok()).collect();
    cells.into_iter().cycle().take(COUNT).collect()
}

unsafe extern "C" {
    fn clock_gettime(clock: c_int, to: *mut [i64; 2]) -> c_int;
}

/// The processor time of this thread in nanoseconds: what else the machine does is not in it.
fn now() -> i64 {
    const OF_THREAD: c_int = 3;
    let mut time = [0; 2];
    // SAFETY: there is room for seconds and nanoseconds.
    assert_eq!(unsafe { clock_gettime(OF_THREAD, &mut time) }, 0);
    time[0] * 1_000_000_000 + time[1]
}

/// The medians of the times of some functions that take turns, in nanoseconds a record.
fn medians<const N: usize>(rounds: usize, mut turns: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut times = [(); N].map(|()| Vec::new());
    turns.iter_mut().for_each(|turn| turn());
    for round in 0..rounds {
        for place in 0..N {
            let which = (place + round) % N;
            let start = now();
            turns[which]();
            times[which].push((now() - start) as f64 / COUNT as f64);
        }
    }
    times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    })
}

fn main() {
    let rounds: usize = if env::args().any(|argument| argument == "--test") {
        1
    } else {
        301
    };
    let mut engine = ptr::null_mut();
    let error: *mut Error = ptr::null_mut();
    // SAFETY: there is room for a pointer.
    let opened = unsafe { sudoku_batch_open(ptr::null(), 1, &mut engine, error) };
    assert_eq!(opened, 0);
    println!(
        "{:12} {:>9} {:>9} {:>7} {:>9} {:>7}",
        "", "library", "lines", "", "packed", ""
    );
    for name in ["easy", "minimal", "hard"] {
        let cells = records(name);
        let mut question = SOLVE.with([]).expect("no settings");
        let mut lines = vec![NO_SOLUTION; COUNT];
        let mut in_lines = vec![NO_SOLUTION; COUNT];
        let mut packed = vec![[0; 81]; COUNT];
        let (mut statuses, mut of_packed) = (vec![0; COUNT], vec![0; COUNT]);
        let solve = |to: *mut u8, stride, statuses: *mut u8| {
            let from = cells.as_ptr().cast();
            let options = ptr::null();
            // SAFETY: there are as many records, and room for as many solutions and statuses.
            let code = unsafe {
                sudoku_batch_solve(
                    engine, options, from, COUNT, 81, to, stride, statuses, error,
                )
            };
            assert_eq!(code, 0);
        };
        let rounds = if name == "hard" {
            rounds.div_ceil(10)
        } else {
            rounds
        };
        let [library, of_lines, of_cells] = medians(
            rounds,
            [
                &mut || {
                    let mut answer = question.empty().renewed(Some(&mut lines));
                    question.fill_cells(&cells, &mut answer);
                    black_box(answer.statuses.len());
                },
                &mut || solve(in_lines.as_mut_ptr().cast(), 82, statuses.as_mut_ptr()),
                &mut || solve(packed.as_mut_ptr().cast(), 81, of_packed.as_mut_ptr()),
            ],
        );
        assert!(lines == in_lines && statuses == of_packed);
        assert!(
            lines
                .iter()
                .zip(&packed)
                .all(|(line, cells)| line[..81] == *cells)
        );
        println!(
            "{name:12} {library:9.1} {of_lines:9.1} {:7.3} {of_cells:9.1} {:7.3}",
            of_lines / library,
            of_cells / library
        );
    }
    let cells = records("minimal");
    let mut asked = CANONICAL.with([]).expect("no settings");
    let mut read = Records::default();
    let mut forms = vec![[0; 81]; COUNT];
    let mut answer = asked.empty();
    let to = forms.as_mut_ptr().cast();
    let [library, border] = medians(
        rounds.div_ceil(30),
        [
            &mut || {
                read.clear();
                for (number, cells) in (1..).zip(&cells) {
                    read.push_cells(number, cells).expect("cells");
                }
                answer.begin(COUNT);
                asked.fill(&read, &mut answer);
                let Data::Puzzles(puzzles) = answer.column(0) else {
                    unreachable!("forms are puzzles")
                };
                black_box(puzzles.len());
            },
            &mut || {
                let (from, none) = (cells.as_ptr().cast(), ptr::null_mut());
                // SAFETY: there are as many records, and room for as many forms.
                let code = unsafe {
                    sudoku_batch_canonical(
                        engine,
                        ptr::null(),
                        from,
                        COUNT,
                        81,
                        to,
                        81,
                        none,
                        error,
                    )
                };
                assert_eq!(code, 0);
            },
        ],
    );
    println!(
        "canonical    {library:9.1} {:>9} {:>7} {border:9.1} {:7.3}",
        "",
        "",
        border / library
    );
    // SAFETY: it is open, and nobody uses it any more.
    unsafe { sudoku_batch_close(engine) };
}
