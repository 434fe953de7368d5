//! Threads that share the work on one record.

use crate::{
    stop::{self, Asking, Stop},
    technique::chain::Crew,
};
use std::{
    panic,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
    thread,
};

/// Threads that share what takes very long.
///
/// Each thread that asks a question counts as busy, and so does each that helps one. While fewer are
/// busy than the team has, whoever has a long search starts helpers for its parts. Answers are the same
/// for any number of threads.
#[derive(Debug)]
pub struct Team {
    threads: usize,
    busy: AtomicUsize,
}

/// A thread is busy until this is dropped.
#[derive(Debug)]
pub struct Busy<'t>(&'t Team);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.busy.fetch_sub(1, Relaxed);
    }
}

impl Team {
    /// A team of this number of threads, those that ask among them.
    pub const fn new(threads: usize) -> Self {
        Self {
            threads,
            busy: AtomicUsize::new(0),
        }
    }

    /// Counts the calling thread as busy.
    pub fn enter(&self) -> Busy<'_> {
        self.busy.fetch_add(1, Relaxed);
        Busy(self)
    }

    /// One more thread, if not all are busy.
    fn helper(&self) -> Option<Busy<'_>> {
        let more = |busy| (busy < self.threads).then_some(busy + 1);
        let entered = self.busy.fetch_update(Relaxed, Relaxed, more);
        entered.ok().map(|_| Busy(self))
    }
}

impl Crew for Team {
    /// The calling thread takes part after part. Between them it starts helpers for those that are left.
    /// (Threads of a pool would take other records while they wait for a part, and inside these
    /// others again.)
    fn each(&self, count: usize, part: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        let take = || Some(next.fetch_add(1, Relaxed)).filter(|&number| number < count);
        let stop = &Stop::of_this_thread();
        thread::scope(|scope| {
            let mut helpers = Vec::new();
            while let Some(number) = take() {
                stop::check();
                while next.load(Relaxed) < count
                    && let Some(busy) = self.helper()
                {
                    let help = move || {
                        let (_busy, _asking) = (busy, Asking::begin(stop.clone()));
                        while let Some(number) = take() {
                            part(number);
                        }
                    };
                    // If the system starts no thread, the calling one does all.
                    match thread::Builder::new().spawn_scoped(scope, help) {
                        Ok(helper) => helpers.push(helper),
                        Err(_) => break,
                    }
                    stop::check();
                }
                part(number);
            }
            // How a helper ends, by a stop or a panic, is how the search ends.
            for helper in helpers {
                helper
                    .join()
                    .unwrap_or_else(|end| panic::resume_unwind(end));
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{sync::Mutex, thread::ThreadId};

    /// Every part is done once, and no more threads work than the team has.
    #[test]
    fn a_team_does_each_part_once_with_its_threads() {
        for threads in [1, 2, 5] {
            let team = Team::new(threads);
            let asking = team.enter();
            let done = Mutex::new(Vec::<(usize, ThreadId)>::new());
            let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
            team.each(40, &|number| {
                most.fetch_max(now.fetch_add(1, Relaxed) + 1, Relaxed);
                thread::sleep(std::time::Duration::from_millis(3));
                now.fetch_sub(1, Relaxed);
                done.lock().unwrap().push((number, thread::current().id()));
            });
            let mut done = done.into_inner().unwrap();
            done.sort_by_key(|done| done.0);
            assert!(done.iter().map(|done| done.0).eq(0..40));
            assert!(most.into_inner() <= threads);
            let mine = done.iter().filter(|done| done.1 == thread::current().id());
            assert_eq!(mine.count() == 40, threads == 1);
            drop(asking);
            assert_eq!(team.busy.into_inner(), 0);
        }
    }

    /// If all threads are busy with records of their own, nobody helps.
    #[test]
    fn nobody_helps_while_all_are_busy() {
        let team = Team::new(2);
        let _both = [team.enter(), team.enter()];
        let mine = thread::current().id();
        team.each(9, &|_| assert_eq!(thread::current().id(), mine));
    }
}
