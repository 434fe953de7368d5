//! One record that has very many solutions, counted by all threads.

use std::{
    num::NonZero,
    sync::{Condvar, Mutex, PoisonError},
    thread,
};
use sudoku_batch::{Puzzle, solve::Counting};

/// Threads for one record at a time.
pub(super) struct Helpers {
    threads: usize,
    /// Held by the record that is counted. Others wait: their threads have nothing to do that
    /// the helpers do not do.
    one_at_a_time: Mutex<()>,
}

/// What the threads share.
struct Work {
    /// Parts that nobody works on.
    waiting: Vec<Counting>,
    /// How many parts are worked on.
    at_work: usize,
    /// How many solutions were found.
    found: u64,
    /// Whether a thread panicked, so that its part is never done.
    panicked: bool,
}

/// Ends the work of the others when a thread panics.
struct EndOnPanic<'w>(&'w Mutex<Work>, &'w Condvar);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let work = self.0.lock();
            work.unwrap_or_else(PoisonError::into_inner).panicked = true;
            self.1.notify_all();
        }
    }
}

/// How many steps of the search are made between looks at the others: some milliseconds.
const STEPS: u64 = 4096;

impl Helpers {
    /// So many threads; 0 is one for each core.
    pub(super) fn new(threads: usize) -> Self {
        let cores = || thread::available_parallelism().map_or(1, NonZero::get);
        Self {
            threads: if threads == 0 { cores() } else { threads },
            one_at_a_time: Mutex::new(()),
        }
    }

    /// How many solutions a puzzle has, at most `limit`.
    pub(super) fn count(&self, puzzle: &Puzzle, limit: u64) -> u64 {
        // A record that panicked leaves nothing behind here.
        let turn = self.one_at_a_time.lock();
        let _turn = turn.unwrap_or_else(PoisonError::into_inner);
        let work = Mutex::new(Work {
            waiting: vec![Counting::of(puzzle)],
            at_work: 0,
            found: 0,
            panicked: false,
        });
        let changed = Condvar::new();
        thread::scope(|scope| {
            for _ in 1..self.threads {
                let help = || self.help(&work, &changed, limit);
                // Without a thread the others do its work.
                if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
            self.help(&work, &changed, limit);
        });
        work.into_inner()
            .expect("no thread panicked")
            .found
            .min(limit)
    }

    /// Takes parts and counts them, until there is none and none can come.
    fn help(&self, work: &Mutex<Work>, changed: &Condvar, limit: u64) {
        let _guard = EndOnPanic(work, changed);
        let mut now = work.lock().expect("no thread panicked");
        loop {
            if now.panicked || now.found >= limit {
                return;
            }
            let Some(mut part) = now.waiting.pop() else {
                if now.at_work == 0 {
                    return;
                }
                now = changed.wait(now).expect("no thread panicked");
                continue;
            };
            now.at_work += 1;
            let left = limit - now.found;
            drop(now);
            let found = part.advance(STEPS, left);
            now = work.lock().expect("no thread panicked");
            now.at_work -= 1;
            now.found = now.found.saturating_add(found);
            // Something for each thread that may be waiting.
            while now.waiting.len() < self.threads
                && let Some(share) = part.share()
            {
                now.waiting.push(share);
            }
            if !part.is_done() {
                now.waiting.push(part);
            }
            changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_count_what_one_counts() {
        // A grid with the digits 1 to 4 blanked, and one with a band blanked.
        let grid =
            "496528713875143692132967854314289576729654381568731429687492135943815267251376948";
        let few = grid.replace(['1', '2', '3', '4'], ".");
        let band = ".".repeat(27) + &grid[27..];
        for text in [few, band] {
            let puzzle: Puzzle = text.parse().unwrap();
            let expected = Counting::of(&puzzle).advance(u64::MAX, u64::MAX);
            assert!(expected > 100, "{expected}");
            for threads in [1, 2, 3, 8] {
                let helpers = Helpers::new(threads);
                for limit in [1, 100, expected - 1, expected, expected + 1, u64::MAX] {
                    assert_eq!(helpers.count(&puzzle, limit), expected.min(limit));
                }
            }
        }
    }

    /// A thread that panics does its part no more. The others do not wait for it.
    #[test]
    fn no_thread_waits_for_one_that_panicked() {
        let work = Mutex::new(Work {
            waiting: Vec::new(),
            at_work: 1,
            found: 0,
            panicked: false,
        });
        let changed = Condvar::new();
        for in_lock in [false, true] {
            let ended = thread::scope(|scope| {
                let waiting = scope.spawn(|| Helpers::new(2).help(&work, &changed, 10));
                let broken = scope.spawn(|| {
                    let _guard = EndOnPanic(&work, &changed);
                    let _lock = in_lock.then(|| work.lock().unwrap());
                    panic!("this panic is meant");
                });
                assert!(broken.join().is_err());
                waiting.join().is_ok()
            });
            // A thread that finds the lock poisoned panics too, and so does not wait either.
            assert!(ended || in_lock);
            work.clear_poison();
            work.lock().unwrap().panicked = false;
        }
    }
}
