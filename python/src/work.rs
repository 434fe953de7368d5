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

pub(crate) use sudoku_batch::slices::{Kept, SLICE, length as slice_length, threads};

/// How often signals are looked at.
const LOOK: Duration = Duration::from_millis(50);

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
