//! Slices of many rows over threads, and what a thread keeps from call to call: for bindings.

use std::{hint, sync::Mutex, thread};

/// The most rows of a slice, for questions that take microseconds. A record batch of Spark has 10,000 rows and
/// stays whole.
pub const SLICE: usize = 10_240;

/// The number of threads that are to work: `None` or 0 is one for each core.
pub fn threads(number: Option<usize>) -> usize {
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    number.filter(|&number| number > 0).unwrap_or_else(cores)
}

/// The number of rows of a slice, when there are so many in all: threads are to have as much work as each other.
/// A slice has at most `most` rows, which should take under half a second. Where these are few, each row may
/// take long, and any row is worth a thread. Otherwise a slice has at least 1024 rows.
pub fn length(rows: usize, threads: usize, most: usize) -> usize {
    let most = most.max(1);
    let least = if most < SLICE { 1 } else { 1024 };
    rows.div_ceil(threads).clamp(least.min(most), most)
}

/// Things that threads keep from one call to the next, such as solvers with their memory, by the name of their
/// kind.
#[derive(Debug)]
pub struct Kept<T>(Mutex<Vec<(String, T)>>);

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Kept<T> {
    /// None at first.
    pub const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// Uses one of a kind that was kept, or a new one, and keeps it, where this number of threads work. A thing
    /// in whose use something panics or is stopped goes: its memory may be in between two states.
    pub fn with<R>(
        &self,
        threads: usize,
        kind: &str,
        make: impl FnOnce() -> T,
        use_it: impl FnOnce(&mut T) -> R,
    ) -> R {
        /// The number of kinds that are kept about, for each thread.
        const KINDS: usize = 8;
        let kept = self.look(|things| {
            let place = things.iter().rposition(|(known, _)| known == kind)?;
            Some(things.remove(place))
        });
        let kept = kept.flatten();
        let (kind, mut thing) = kept.unwrap_or_else(|| (kind.to_owned(), make()));
        let result = use_it(&mut thing);
        // What goes is dropped when nobody waits for it.
        let oldest = self.look(|things| {
            things.push((kind, thing));
            (things.len() > KINDS.saturating_mul(threads)).then(|| things.remove(0))
        });
        drop(oldest);
        result
    }

    /// Looks at all things. Nothing waits long for the lock: a process that was forked while another thread held
    /// it would wait for ever. Then the thing is a new one, or goes.
    fn look<R>(&self, look: impl FnOnce(&mut Vec<(String, T)>) -> R) -> Option<R> {
        const TRIES: usize = 1000;
        for _ in 0..TRIES {
            if let Ok(mut things) = self.0.try_lock() {
                return Some(look(&mut things));
            }
            hint::spin_loop();
        }
        None
    }
}
