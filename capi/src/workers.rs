//! The threads of a call.
//!
//! The threads live as long as a call, and the thread of the caller is one of them ([`slices::run`]). Slices know
//! where their answers go.

use super::{border::guard::caught, failure::Failure};
use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};
use sudoku_batch::{
    Level,
    questions::MadeSet,
    slices::{self, Lengths},
    stop::Stop,
};

/// A level, a number of threads, and whether their work is to end.
pub(crate) struct Workers {
    pub(crate) level: Option<Level>,
    pub(crate) threads: usize,
    is_stopped: Arc<AtomicBool>,
}

impl Workers {
    /// Workers of a level, by its name, and of a number of threads; an empty name is the best level, and 0
    /// threads are one for each core.
    pub(crate) fn new(level: &str, threads: usize) -> Result<Self, Failure> {
        let level = match level {
            "" => None,
            name => Some(
                name.parse()
                    .and_then(Level::check)
                    .map_err(Failure::option)?,
            ),
        };
        Ok(Self {
            level,
            threads: slices::threads(Some(threads)),
            is_stopped: Arc::default(),
        })
    }

    /// Says whether calls are to end, those that run and those to come.
    pub(crate) fn stop(&self, is_stopped: bool) {
        self.is_stopped.store(is_stopped, Relaxed);
    }

    /// The number of rows of a [slice](slices::length), when there are so many in all.
    pub(crate) fn slice(&self, rows: usize, most: usize) -> usize {
        slices::length(rows, self.threads, most)
    }

    /// The slices of so many records of a set from the first number on.
    pub(crate) fn slices(
        &self,
        set: &dyn MadeSet,
        (first, count): (u64, usize),
    ) -> impl ExactSizeIterator<Item = Range<usize>> + Send + use<> {
        let numbers = (first, count);
        Lengths::of_numbers(numbers, self.threads, set.batch(), set.together()).slices(count)
    }

    /// Does all jobs, and gives what they gave in their order, or the failure of the first job that failed.
    pub(crate) fn run<Job: Send, Done: Send>(
        &self,
        jobs: impl Iterator<Item = Job> + Send,
        number: usize,
        work: impl Fn(Job) -> Result<Done, Failure> + Sync,
    ) -> Result<Vec<Done>, Failure> {
        let asked = Arc::clone(&self.is_stopped);
        let stop = Stop::when(move || asked.load(Relaxed));
        let work = |job| {
            if self.is_stopped.load(Relaxed) {
                return Err(Failure::stopped());
            }
            caught(|| {
                stop.run(|| work(job))
                    .unwrap_or_else(|| Err(Failure::stopped()))
            })
        };
        let threads = self.threads.min(number);
        let done = slices::run(jobs, threads, work, Result::is_err, || true);
        done.into_iter().collect()
    }
}
