//! Lets batches that run in parallel take turns for work that needs their order.

use super::lock;
use std::{
    panic,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
};

/// Something that batches use one after the other, in the order of their numbers from 0.
///
/// Threads take batches in order. So a thread is already at work on the batch whose turn it
/// is, and no thread waits forever, unless that thread panics:
/// [`abandon`](Self::abandon) then ends the waiting of the threads at work on later batches.
#[derive(Debug)]
pub struct Turns<S> {
    state: Mutex<State<S>>,
    changed: Condvar,
}

#[derive(Debug)]
struct State<S> {
    turn: u64,
    /// The first number whose turn is never done, if there is one.
    abandoned: Option<u64>,
    value: S,
}

impl<S> Turns<S> {
    pub fn new(value: S) -> Self {
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
    pub fn take<R>(&self, number: u64, work: impl FnOnce(&mut S) -> R) -> R {
        self.take_part(number, true, work)
    }

    /// The same, where a turn has several parts and ends with the last.
    ///
    /// # Panics
    ///
    /// It panics as [`take`](Self::take) does.
    pub fn take_part<R>(&self, number: u64, is_last: bool, work: impl FnOnce(&mut S) -> R) -> R {
        let mut state = lock(&self.state);
        while state.turn != number {
            if state.abandoned.is_some_and(|abandoned| abandoned < number) {
                drop(state);
                panic::resume_unwind(Box::new("an earlier turn never came"));
            }
            state = self.wait(state);
        }
        let result = work(&mut state.value);
        if is_last {
            state.turn += 1;
            self.changed.notify_all();
        }
        result
    }

    /// The value for other batches, again numbered from 0.
    #[must_use]
    pub fn again(self) -> Self {
        let state = self.state.into_inner();
        Self::new(state.unwrap_or_else(PoisonError::into_inner).value)
    }

    /// The value, after all turns are done.
    pub fn with<R>(&self, work: impl FnOnce(&mut S) -> R) -> R {
        work(&mut lock(&self.state).value)
    }

    /// Ends the waiting for a turn that is never done, because its thread panicked. Turns
    /// before it go on.
    pub fn abandon(&self, number: u64) {
        let mut state = lock(&self.state);
        if state.turn <= number {
            let first = state.abandoned.map_or(number, |first| first.min(number));
            state.abandoned = Some(first);
        }
        drop(state);
        self.changed.notify_all();
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State<S>>) -> MutexGuard<'s, State<S>> {
        let woken = self.changed.wait(state);
        woken.unwrap_or_else(PoisonError::into_inner)
    }
}
