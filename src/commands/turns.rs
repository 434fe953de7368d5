//! Lets batches that run in parallel take turns for work that needs their order.

use std::{
    panic,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

/// Something that batches use one after the other, in the order of their numbers from 0.
///
/// Threads take batches in order. So a thread is already at work on the batch whose turn it
/// is, and no thread waits forever, unless that thread panics:
/// [`abandon`](Self::abandon) then ends the waiting of the threads at work on later batches.
pub(crate) struct Turns<S> {
    state: Mutex<State<S>>,
    changed: Condvar,
}

struct State<S> {
    /// The number whose turn it is.
    turn: u64,
    /// The first number whose turn is never done, if there is one.
    abandoned: Option<u64>,
    value: S,
}

impl<S> Turns<S> {
    /// Creates the turns for a value.
    pub(crate) fn new(value: S) -> Self {
        Self {
            state: Mutex::new(State {
                turn: 0,
                abandoned: None,
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
    /// A thread panicked before the end of an earlier turn. This panic prints no message.
    pub(crate) fn take<R>(&self, number: u64, work: impl FnOnce(&mut S) -> R) -> R {
        let mut state = self.lock();
        while state.turn != number {
            if state.abandoned.is_some_and(|abandoned| abandoned < number) {
                drop(state);
                panic::resume_unwind(Box::new("an earlier turn never came"));
            }
            state = self.wait(state);
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

    /// Ends the waiting for a turn that is never done, because its thread panicked. Turns
    /// before it go on.
    pub(crate) fn abandon(&self, number: u64) {
        let mut state = self.lock();
        if state.turn <= number {
            let first = state.abandoned.map_or(number, |first| first.min(number));
            state.abandoned = Some(first);
        }
        drop(state);
        self.changed.notify_all();
    }

    // A thread that panics in its turn poisons the lock. `abandon` tells the others what they
    // need to know.
    fn lock(&self) -> MutexGuard<'_, State<S>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State<S>>) -> MutexGuard<'s, State<S>> {
        let woken = self.changed.wait(state);
        woken.unwrap_or_else(PoisonError::into_inner)
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

    /// Nobody waits for a thread that panicked, before its turn or in it. Earlier turns, which
    /// may begin after the panic, go on.
    #[test]
    fn abandoned_turns_do_not_hang() {
        const BROKEN: u64 = 3;
        for in_turn in [false, true] {
            let turns = Turns::new(Vec::new());
            let ended: Vec<bool> = thread::scope(|scope| {
                let turns = &turns;
                let take =
                    |number| scope.spawn(move || turns.take(number, |seen| seen.push(number)));
                let later: Vec<_> = (BROKEN + 1..7).map(take).collect();
                let broken = scope.spawn(move || {
                    struct Guard<'t>(&'t Turns<Vec<u64>>);
                    impl Drop for Guard<'_> {
                        fn drop(&mut self) {
                            self.0.abandon(BROKEN);
                        }
                    }
                    let _guard = Guard(turns);
                    match in_turn {
                        true => turns.take(BROKEN, |_| panic!("this panic is meant: in the turn")),
                        false => panic!("this panic is meant: before the turn"),
                    }
                });
                let mut earlier = Vec::new();
                if in_turn {
                    earlier.extend((0..BROKEN).map(take));
                    assert!(broken.join().is_err());
                } else {
                    assert!(broken.join().is_err());
                    earlier.extend((0..BROKEN).rev().map(take));
                }
                let all = earlier.into_iter().chain(later);
                all.map(|thread| thread.join().is_ok()).collect()
            });
            assert_eq!(ended, [true, true, true, false, false, false]);
            turns.with(|seen| assert_eq!(*seen, [0, 1, 2]));
        }
    }
}
