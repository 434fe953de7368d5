//! An end for work that takes long and that nobody wants any more, such as after Ctrl-C.
//!
//! All long work of the library (the solvers, the searches for chains, the makers of puzzles, the
//! questions) asks every few milliseconds whether it is still wanted. [`Stop::run`] does some work and says
//! what to ask. Work that is not wanted ends there, and has no answer. So no answer is ever partial.
//!
//! ```
//! use std::sync::{Arc, atomic::{AtomicBool, Ordering::Relaxed}};
//! use sudoku_batch::{Puzzle, Solver, stop::Stop};
//! let is_over = Arc::new(AtomicBool::new(false));
//! let asked = Arc::clone(&is_over);
//! let stop = Stop::when(move || asked.load(Relaxed));
//! assert_eq!(stop.run(|| Solver::new().count(&Puzzle::EMPTY, 5)), Some(5));
//! // A handler of signals, another thread, a clock:
//! is_over.store(true, Relaxed);
//! assert_eq!(stop.run(|| Solver::new().count(&Puzzle::EMPTY, u64::MAX)), None);
//! ```
//!
//! The work ends by unwinding, without the message of a panic. Drop what it was using, such as a solver or a
//! question: its memory may be in between two states. A program that is built with `panic = "abort"`
//! cannot stop work, and aborts in its place.

use std::{
    cell::RefCell,
    fmt,
    panic::{self, AssertUnwindSafe},
    sync::Arc,
};

/// Says when work is to end.
#[derive(Clone)]
pub struct Stop(Arc<dyn Fn() -> bool + Send + Sync>);

/// The payload with which stopped work unwinds.
struct Stopped;

thread_local! {
    /// The stop that the work of this thread asks.
    static ASKED: RefCell<Option<Stop>> = const { RefCell::new(None) };
}

impl fmt::Debug for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Stop")
    }
}

impl Stop {
    /// Ends work soon after `is_over` returns `true`. All threads that share the work ask it, some hundred
    /// times a second and more. From then on it is to return `true` each time.
    pub fn when(is_over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_over))
    }

    /// Does some work on this thread, and on those that it shares the work with. Returns `None` if the work is
    /// over before it is done. Of several calls inside each other, the innermost one counts.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let done = panic::catch_unwind(AssertUnwindSafe(|| {
            let _asking = Asking::begin(Some(self.clone()));
            work()
        }));
        match done {
            Ok(answer) => Some(answer),
            Err(end) if end.is::<Stopped>() => None,
            Err(panicked) => panic::resume_unwind(panicked),
        }
    }

    /// The stop that the work of this thread asks, for the threads that it starts.
    #[cfg(feature = "rayon")]
    pub(crate) fn of_this_thread() -> Option<Self> {
        ASKED.with_borrow(Clone::clone)
    }
}

/// The work of a thread asks something until this is dropped.
pub(crate) struct Asking(Option<Stop>);

impl Asking {
    pub(crate) fn begin(stop: Option<Stop>) -> Self {
        Self(ASKED.replace(stop))
    }
}

impl Drop for Asking {
    fn drop(&mut self) {
        ASKED.set(self.0.take());
    }
}

/// Ends the work of this thread if it is over. It takes some nanoseconds, so ask it between things that take
/// some microseconds.
pub(crate) fn check() {
    let is_over = ASKED.with_borrow(|stop| stop.as_ref().is_some_and(|stop| (stop.0)()));
    if is_over {
        panic::resume_unwind(Box::new(Stopped));
    }
}
