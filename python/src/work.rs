//! Slices of rows over threads, without the GIL, and Ctrl-C.
//!
//! A thread takes the next slice when it is done with one. Slices know where their answers
//! go, so nothing is put in order afterwards.
//!
//! The threads live as long as a call. So there are none while the interpreter forks or
//! ends. Starting one takes some 20 µs; a slice takes 500 µs at least.

use pyo3::prelude::*;
use std::{
    sync::{
        Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

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

/// Tells threads to end, as after Ctrl-C: what they make is not wanted any more.
#[derive(Default)]
pub(crate) struct Stop {
    set: AtomicBool,
    /// Where the calling thread does the work itself: when it looked at signals, and what came.
    looked: Option<Mutex<(Instant, Option<PyErr>)>>,
}

impl Stop {
    /// For work that the calling thread does.
    fn for_calling_thread() -> Self {
        Self {
            set: AtomicBool::new(false),
            looked: Some(Mutex::new((Instant::now(), None))),
        }
    }

    /// Whether to end. Work of more than some milliseconds asks now and then.
    pub(crate) fn is_set(&self) -> bool {
        if let Some(looked) = &self.looked {
            let mut looked = looked.lock().unwrap_or_else(PoisonError::into_inner);
            if looked.0.elapsed() >= LOOK {
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    looked.1 = Some(error);
                    self.set.store(true, Relaxed);
                }
                looked.0 = Instant::now();
            }
        }
        self.set.load(Relaxed)
    }

    /// What the calling thread heard while it worked.
    fn heard(self) -> PyResult<()> {
        let looked = self.looked.map(Mutex::into_inner);
        let looked = looked.map(|looked| looked.unwrap_or_else(PoisonError::into_inner));
        looked.and_then(|(_, error)| error).map_or(Ok(()), Err)
    }
}

/// Does all jobs, in any order.
///
/// A single job that is `quick` is done by the calling thread, which looks at signals when the
/// job asks whether to stop. Otherwise the calling thread waits and looks at signals: Ctrl-C ends
/// the call after the jobs that are begun, or when they ask.
pub(crate) fn run<Job: Send>(
    py: Python<'_>,
    mut jobs: Vec<Job>,
    threads: usize,
    quick: bool,
    work: impl Fn(Job, &Stop) + Sync,
) -> PyResult<()> {
    py.check_signals()?;
    if jobs.len() <= 1 && quick {
        let stop = Stop::for_calling_thread();
        py.detach(|| jobs.into_iter().for_each(|job| work(job, &stop)));
        return stop.heard();
    }
    let stop = Stop::default();
    let threads = threads.min(jobs.len());
    jobs.reverse();
    let jobs = Mutex::new(jobs);
    let next = || jobs.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let (at_work, ended) = (Mutex::new(threads), Condvar::new());
    let worker = || {
        // Counts the thread off when it panics, too.
        let _end = End(&at_work, &ended);
        while !stop.is_set()
            && let Some(job) = next()
        {
            work(job, &stop);
        }
    };
    let wait = || -> PyResult<()> {
        let mut left = at_work.lock().unwrap_or_else(PoisonError::into_inner);
        while *left > 0 {
            let waited = ended.wait_timeout(left, LOOK);
            let (guard, time) = waited.unwrap_or_else(PoisonError::into_inner);
            left = guard;
            if time.timed_out() {
                drop(left);
                Python::attach(|py| py.check_signals())?;
                left = at_work.lock().unwrap_or_else(PoisonError::into_inner);
            }
        }
        Ok(())
    };
    py.detach(|| {
        thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(worker);
            }
            let waited = wait();
            stop.set.store(true, Relaxed);
            waited
        })
    })
}

/// Tells the end of a thread.
struct End<'e>(&'e Mutex<usize>, &'e Condvar);

impl Drop for End<'_> {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.1.notify_all();
    }
}

/// Things that threads keep from one call to the next, such as solvers with their memory.
pub(crate) struct Kept<T>(Mutex<Vec<T>>);

impl<T> Kept<T> {
    /// None at first.
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Uses one that was kept, or a new one, and keeps it.
    ///
    /// Nothing waits for the lock: a process that was forked while another thread held it
    /// would wait for ever.
    pub(crate) fn with<R>(&self, make: impl FnOnce() -> T, use_it: impl FnOnce(&mut T) -> R) -> R {
        let kept = self.0.try_lock().ok().and_then(|mut kept| kept.pop());
        let mut value = kept.unwrap_or_else(make);
        let result = use_it(&mut value);
        if let Ok(mut kept) = self.0.try_lock()
            && kept.len() < threads(None)
        {
            kept.push(value);
        }
        result
    }
}
