//! The threads of a call.
//!
//! The threads live as long as a call, and the thread of the caller is one of them. So none is there while the
//! program of the caller forks, ends or unloads the library. A thread takes the next slice of the records when
//! it is done with one. Slices know where their answers go, so nothing is put in order afterwards.

use super::{border::guard::caught, failure::Failure};
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
};
use sudoku_batch::{Level, slices, stop::Stop};

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
        let (jobs, has_failed) = (Mutex::new(jobs.enumerate()), AtomicBool::new(false));
        // The guard is gone before the work begins.
        let next = || locked(&jobs).next();
        let help = || {
            let mut done = Vec::new();
            while !has_failed.load(Relaxed)
                && let Some((number, job)) = next()
            {
                let ended = work(job);
                has_failed.fetch_or(ended.is_err(), Relaxed);
                done.push((number, ended));
            }
            done
        };
        let others = self.threads.min(number).saturating_sub(1);
        // Alone, the thread of the caller needs no others, and leaves nothing of theirs behind.
        let with_others = || {
            thread::scope(|scope| {
                let started = (0..others).map(|_| thread::Builder::new().spawn_scoped(scope, help));
                // A thread that the system refuses is done without.
                let started: Vec<_> = started.filter_map(Result::ok).collect();
                let mut done = help();
                for thread in started {
                    match thread.join() {
                        Ok(of_thread) => done.extend(of_thread),
                        Err(_) => done.push((0, Err(Failure::defect("a thread ended by a panic")))),
                    }
                }
                done
            })
        };
        let mut done = if others == 0 { help() } else { with_others() };
        done.sort_by_key(|(number, _)| *number);
        done.into_iter().map(|(_, ended)| ended).collect()
    }
}

/// The value of a mutex. Nothing that panics holds one of these.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
