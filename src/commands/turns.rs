//! Lets batches that run in parallel take turns for work that needs their order.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Something that batches use one after the other, in the order of their numbers from 0.
///
/// Threads take batches in order. So a thread is already at work on the batch whose turn it
/// is, and no thread waits forever, unless that thread panics:
/// [`abandon`](Self::abandon) then ends the waiting of the others.
pub(crate) struct Turns<S> {
    state: Mutex<State<S>>,
    changed: Condvar,
}

struct State<S> {
    /// The number whose turn it is.
    turn: u64,
    /// Whether some turn never comes.
    abandoned: bool,
    value: S,
}

impl<S> Turns<S> {
    /// Creates the turns for a value.
    pub(crate) fn new(value: S) -> Self {
        Self {
            state: Mutex::new(State {
                turn: 0,
                abandoned: false,
                value,
            }),
            changed: Condvar::new(),
        }
    }

    /// Waits for the turn of a number, and uses the value. Each number must come exactly
    /// once.
    ///
    /// # Panics
    ///
    /// The turns are abandoned.
    pub(crate) fn take<R>(&self, number: u64, work: impl FnOnce(&mut S) -> R) -> R {
        let mut state = self.lock();
        while state.turn != number {
            assert!(!state.abandoned, "another thread panicked before its turn");
            state = self.changed.wait(state).expect("no thread panicked");
        }
        let result = work(&mut state.value);
        state.turn += 1;
        self.changed.notify_all();
        result
    }

    /// The value, after all turns are done.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut S) -> R) -> R {
        work(&mut self.lock().value)
    }

    /// Ends the waiting of all threads, because the turn of one never comes: it panicked.
    pub(crate) fn abandon(&self) {
        // The thread may have panicked in its turn.
        let state = self.state.lock();
        state.unwrap_or_else(PoisonError::into_inner).abandoned = true;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().expect("no thread panicked")
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

    /// Nobody waits for a thread that panicked, before its turn or in it.
    #[test]
    fn abandoned_turns_do_not_hang() {
        for in_turn in [false, true] {
            let turns = Turns::new(());
            let ended: Vec<bool> = thread::scope(|scope| {
                let waiting: Vec<_> = (1..4)
                    .map(|number| {
                        scope.spawn({
                            let turns = &turns;
                            move || turns.take(number, |()| ())
                        })
                    })
                    .collect();
                let broken = scope.spawn(|| {
                    struct Guard<'t>(&'t Turns<()>);
                    impl Drop for Guard<'_> {
                        fn drop(&mut self) {
                            self.0.abandon();
                        }
                    }
                    let _guard = Guard(&turns);
                    match in_turn {
                        true => turns.take(0, |()| panic!("in the turn")),
                        false => panic!("before the turn"),
                    }
                });
                assert!(broken.join().is_err());
                waiting
                    .into_iter()
                    .map(|thread| thread.join().is_ok())
                    .collect()
            });
            assert_eq!(ended, [false; 3]);
        }
    }
}
