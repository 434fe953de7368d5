//! Lets batches that run in parallel take turns for work that needs their order.

use std::sync::{Condvar, Mutex};

/// Something that batches use one after the other, in the order of their numbers from 0.
///
/// Threads take batches in order. So a thread is already at work on the batch whose turn it
/// is, and no thread waits forever.
pub(crate) struct Turns<S> {
    /// The number whose turn it is.
    state: Mutex<(u64, S)>,
    changed: Condvar,
}

impl<S> Turns<S> {
    /// Creates the turns for a value.
    pub(crate) fn new(state: S) -> Self {
        Self {
            state: Mutex::new((0, state)),
            changed: Condvar::new(),
        }
    }

    /// Waits for the turn of a number, and uses the value. Each number must come exactly
    /// once.
    pub(crate) fn take<R>(&self, number: u64, work: impl FnOnce(&mut S) -> R) -> R {
        let mut state = self.state.lock().expect("no thread panicked");
        while state.0 != number {
            state = self.changed.wait(state).expect("no thread panicked");
        }
        let result = work(&mut state.1);
        state.0 += 1;
        self.changed.notify_all();
        result
    }

    /// The value, after all turns are done.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut S) -> R) -> R {
        work(&mut self.state.lock().expect("no thread panicked").1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn turns_come_in_order() {
        let turns = Turns::new(Vec::new());
        thread::scope(|scope| {
            for first in (0..4).rev() {
                let turns = &turns;
                scope.spawn(move || {
                    for number in (first..100).step_by(4) {
                        turns.take(number, |seen| seen.push(number));
                    }
                });
            }
        });
        turns.with(|seen| assert!((0..100).eq(seen.iter().copied())));
    }
}
