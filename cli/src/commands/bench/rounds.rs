//! The rounds of all modes: contenders take turns, and each is checked after each turn.

use super::figures::{CheckResult, Figures, Label};
use crate::driver::progress::Progress;
use anyhow::Context;
use rayon::ThreadPoolBuilder;
use std::{
    sync::{Barrier, Mutex},
    time::{Duration, Instant},
};

/// Something that is measured in turn with others.
pub(super) struct Contender<'c> {
    /// Its row of the table, apart from the figures.
    pub(super) label: Label,
    /// Does the work once, and checks what it made. Returns the time of the work.
    pub(super) turn: Box<dyn FnMut() -> anyhow::Result<(Duration, CheckResult)> + 'c>,
}

impl<'c> Contender<'c> {
    /// Threads that work on parts side by side, each with what it keeps. `check` looks at what they made.
    pub(super) fn of_workers<W: Send + 'c>(
        label: Label,
        mut workers: Vec<W>,
        run: impl Fn(&mut W) + Sync + 'c,
        check: impl Fn(&[W]) -> anyhow::Result<CheckResult> + 'c,
    ) -> Self {
        let turn = move || {
            let time = timed(workers.iter_mut().collect(), &run)?;
            Ok((time, check(&workers)?))
        };
        let turn = Box::new(turn);
        Self { label, turn }
    }
}

/// Runs all contenders in every round, one after the other, and one round before to warm up.
/// `unit` is the word for what they make or solve.
pub(super) fn rounds(
    mut contenders: Vec<Contender<'_>>,
    rounds: u32,
    unit: &'static str,
) -> anyhow::Result<Vec<Figures>> {
    let mut times = vec![Vec::new(); contenders.len()];
    let mut checked = vec![CheckResult::default(); contenders.len()];
    let runs = u64::from(rounds + 1) * contenders.len() as u64;
    let mut progress = Progress::new(true, Some(runs), unit);
    for round in 0..=rounds {
        for (i, contender) in contenders.iter_mut().enumerate() {
            let (time, result) = (contender.turn)()?;
            checked[i] = result;
            if round > 0 {
                times[i].push(time);
            }
            progress.advance(1, contender.label.puzzles as u64);
        }
    }
    progress.finish();
    let all = contenders.into_iter().zip(times).zip(checked);
    let figures =
        all.map(|((contender, times), checked)| Figures::new(contender.label, times, checked));
    Ok(figures.collect())
}

/// Does the parts of a work at the same time, a thread each. Returns the time from the first
/// one's start to the last one's end; all threads are there before that.
///
/// # Errors
///
/// The system does not provide a thread. No part is done then.
pub(super) fn timed<P: Send>(parts: Vec<P>, work: impl Fn(P) + Sync) -> anyhow::Result<Duration> {
    let pool = ThreadPoolBuilder::new().num_threads(parts.len()).build();
    let pool = pool.context("cannot start the threads")?;
    let all_there = Barrier::new(parts.len());
    let parts = parts.into_iter().map(|part| Mutex::new(Some(part)));
    let parts: Vec<_> = parts.collect();
    let spans = pool.broadcast(|thread| {
        let part = parts[thread.index()].lock().expect("no panic").take();
        all_there.wait();
        let start = Instant::now();
        work(part.expect("each thread has a part"));
        (start, Instant::now())
    });
    let start = spans.iter().map(|span| span.0).min().expect("a thread");
    let end = spans.iter().map(|span| span.1).max().expect("a thread");
    Ok(end - start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    #[test]
    fn contenders_take_turns_and_are_checked_each_time() {
        let noted = RefCell::<String>::default();
        // Each turn takes a millisecond more than the one before.
        let contenders = || {
            let contender = |engine: &'static str| {
                let (noted, mut time) = (&noted, 0);
                Contender {
                    label: Label::new("c", 2, 820),
                    turn: Box::new(move || {
                        *noted.borrow_mut() += engine;
                        time += 1;
                        let checked = (time < 5).then(CheckResult::default).context("wrong")?;
                        Ok((Duration::from_millis(time), checked))
                    }),
                }
            };
            ["a", "b"].map(contender).into()
        };
        let figures = rounds(contenders(), 3, "puzzles").unwrap();
        assert_eq!(*noted.borrow(), "ab".repeat(4));
        // The first round, of one millisecond, does not count.
        for figures in figures {
            assert_eq!((figures.rounds, figures.ns_per_puzzle), (3, 1e6));
            assert_eq!(figures.ns_per_puzzle_median, 1.5e6);
            assert_eq!(figures.puzzles_per_second, 1000.0);
            assert_eq!(figures.mb_per_second, 0.41);
        }
        assert!(rounds(contenders(), 4, "puzzles").is_err());
    }
}
