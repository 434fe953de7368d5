//! Slices of rows over threads, without the GIL, and Ctrl-C.
//!
//! The threads live as long as a call ([`slices::run`]). The calling thread works too where all slices are quick: a
//! batch of 10,000 easy records takes as long as the start of a few threads. Where threads may share a slice they are a
//! pool of rayon.

use pyo3::{exceptions::PyRuntimeError, prelude::*};
use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, RecvTimeoutError},
    },
    time::{Duration, Instant},
};
use sudoku_batch::{slices, stop::Stop};

pub(crate) use sudoku_batch::slices::{Kept, Lengths, SLICE, threads};

/// How often signals are looked at.
const LOOK: Duration = Duration::from_millis(50);

/// The pauses of work that needs the GIL.
///
/// A thread that waits for the GIL asks for it after 5 ms, and it is given away for sure only then. A pause before that
/// wakes the thread, which finds the GIL taken again and waits for another 5 ms: pauses of 1 ms each let nobody go on for
/// 0.16 s.
pub(crate) struct Pauses(Instant);

impl Pauses {
    /// The time from one pause to the next.
    const APART: Duration = Duration::from_millis(10);

    pub(crate) fn new() -> Self {
        Self(Instant::now())
    }

    /// Lets other threads of Python go on, and looks at signals, if the last pause is long ago.
    pub(crate) fn pause(&mut self, py: Python<'_>) -> PyResult<()> {
        if self.0.elapsed() < Self::APART {
            return Ok(());
        }
        py.detach(|| ());
        self.0 = Instant::now();
        py.check_signals()
    }
}

/// Does all jobs, and gives what they gave in their order.
///
/// If jobs are `quick`, the calling thread does some of them and looks at signals after each. Otherwise
/// it waits and looks at signals. Ctrl-C ends the call, and the library ends the jobs that are begun:
/// they unwind (see [`Stop`]).
pub(crate) fn run<Job: Send, Done: Send>(
    py: Python<'_>,
    jobs: Vec<Job>,
    threads: usize,
    quick: bool,
    work: impl Fn(Job) -> Done + Sync,
) -> PyResult<Vec<Done>> {
    py.check_signals()?;
    let is_over = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&is_over);
    let stop = Stop::when(move || asked.load(Relaxed));
    // Work that is stopped gives nothing, and the call ends with an error.
    let work = |job| match is_over.load(Relaxed) {
        true => None,
        false => stop.run(|| work(job)),
    };
    let mut looked = Ok(());
    let mut look = || {
        looked = Python::attach(|py| py.check_signals());
        is_over.store(looked.is_err(), Relaxed);
        looked.is_ok()
    };
    let done = py.detach(|| {
        if quick {
            let (threads, jobs) = (threads.min(jobs.len()), jobs.into_iter());
            return Ok(slices::run(jobs, threads, work, Option::is_none, look));
        }
        let mut done: Vec<_> = jobs.iter().map(|_| None).collect();
        let all = |pool: &rayon::ThreadPool| {
            pool.in_place_scope(|scope| {
                let (end, ended) = mpsc::channel::<()>();
                for (job, done) in jobs.into_iter().zip(&mut done) {
                    let (end, work) = (end.clone(), &work);
                    scope.spawn(move |_| {
                        *done = work(job);
                        drop(end);
                    });
                }
                // The channel closes with the last job.
                drop(end);
                while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) && look() {}
            });
        };
        let pool = ThreadPoolBuilder::new().num_threads(threads);
        pool.build_scoped(ThreadBuilder::run, all)?;
        Ok(done)
    });
    let done: Result<Vec<_>, rayon::ThreadPoolBuildError> = done;
    let done = done.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    looked?;
    Ok(done.into_iter().flatten().collect())
}
