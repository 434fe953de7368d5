//! Slices of rows over threads, without the GIL, and Ctrl-C.
//!
//! A thread takes the next slice when it is done with one. Slices know where their answers
//! go, so nothing is put in order afterwards.
//!
//! The threads live as long as a call. So there are none while the interpreter forks or ends. The
//! calling thread works too where all slices are quick: a batch of 10,000 easy records takes as long as
//! the start of a few threads. Where threads may share a slice they are a pool of rayon.

use pyo3::{exceptions::PyRuntimeError, prelude::*};
use rayon::{ThreadBuilder, ThreadPoolBuilder};
use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering::Relaxed},
        mpsc::{self, RecvTimeoutError},
    },
    thread,
    time::Duration,
};
use sudoku_batch::stop::Stop;

/// The most rows of a slice. A record batch of Spark has 10,000 rows and stays whole.
pub(crate) const SLICE: usize = 10_240;

/// How often signals are looked at.
const LOOK: Duration = Duration::from_millis(50);

/// How many threads are to work: `None` is one for each core.
pub(crate) fn threads(number: Option<usize>) -> usize {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    number.filter(|&number| number > 0).unwrap_or_else(cores)
}

/// How many rows a slice has, when there are so many in all: threads are to have as much
/// work as each other. A slice has at most `most` rows, which should take under half a second.
/// Where these are few, each row may take long, and any row is worth a thread. Otherwise a
/// slice has at least 1024 rows.
pub(crate) fn slice_length(rows: usize, threads: usize, most: usize) -> usize {
    let least = if most < SLICE { 1 } else { 1024 };
    rows.div_ceil(threads).clamp(least, most)
}

/// Does all jobs, in any order.
///
/// If jobs are `quick`, the calling thread does some of them and looks at signals after each. Otherwise
/// it waits and looks at signals. Ctrl-C ends the call, and the library ends the jobs that are begun:
/// they unwind (see [`Stop`]).
pub(crate) fn run<Job: Send>(
    py: Python<'_>,
    jobs: Vec<Job>,
    threads: usize,
    quick: bool,
    work: impl Fn(Job) + Sync,
) -> PyResult<()> {
    py.check_signals()?;
    let is_over = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&is_over);
    let stop = Stop::when(move || asked.load(Relaxed));
    // What is stopped needs no answer: the call ends with an error.
    let work = |job| _ = stop.run(|| work(job));
    let look = || {
        let looked = Python::attach(|py| py.check_signals());
        is_over.store(looked.is_err(), Relaxed);
        looked
    };
    if quick {
        let others = threads.min(jobs.len()).saturating_sub(1);
        let jobs = Mutex::new(jobs.into_iter());
        let next = || jobs.lock().expect("nothing panics with it").next();
        let help = || {
            while !is_over.load(Relaxed)
                && let Some(job) = next()
            {
                work(job);
            }
        };
        return py.detach(|| {
            thread::scope(|scope| {
                for _ in 0..others {
                    // A thread that the system refuses is done without.
                    let _ = thread::Builder::new().spawn_scoped(scope, help);
                }
                while let Some(job) = next() {
                    work(job);
                    look()?;
                }
                Ok(())
            })
        });
    }
    let all = |pool: &rayon::ThreadPool| {
        pool.in_place_scope(|scope| {
            let (end, ended) = mpsc::channel::<()>();
            for job in jobs {
                let (end, is_over, work) = (end.clone(), &is_over, &work);
                scope.spawn(move |_| {
                    if !is_over.load(Relaxed) {
                        work(job);
                    }
                    drop(end);
                });
            }
            // The channel closes with the last job.
            drop(end);
            while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                look()?;
            }
            Ok(())
        })
    };
    let done = py.detach(|| {
        let pool = ThreadPoolBuilder::new().num_threads(threads);
        pool.build_scoped(ThreadBuilder::run, all)
    });
    done.map_err(|error| PyRuntimeError::new_err(error.to_string()))?
}

/// Things that threads keep from one call to the next, such as solvers with their memory, by the name of their
/// kind.
pub(crate) struct Kept<T>(Mutex<Vec<(String, T)>>);

impl<T> Kept<T> {
    /// None at first.
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Uses one of a kind that was kept, or a new one, and keeps it.
    ///
    /// Nothing waits for the lock: a process that was forked while another thread held it would wait for ever.
    pub(crate) fn with<R>(
        &self,
        kind: &str,
        make: impl FnOnce() -> T,
        use_it: impl FnOnce(&mut T) -> R,
    ) -> R {
        /// How many kinds are kept about, for each thread.
        const KINDS: usize = 8;
        let kept = self.0.try_lock().ok().and_then(|mut kept| {
            let place = kept.iter().rposition(|(known, _)| known == kind)?;
            Some(kept.remove(place).1)
        });
        let mut value = kept.unwrap_or_else(make);
        let result = use_it(&mut value);
        if let Ok(mut kept) = self.0.try_lock() {
            if kept.len() >= KINDS * threads(None) {
                kept.remove(0);
            }
            kept.push((kind.to_owned(), value));
        }
        result
    }
}
