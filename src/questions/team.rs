//! Threads that share the work on one record.

use crate::{stop, technique::chain::Crew};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
#[cfg(feature = "rayon")]
use {
    crate::stop::{Asking, Stop},
    rayon::{ThreadPool, ThreadPoolBuilder},
    std::sync::OnceLock,
};

/// Threads that share what takes very long.
///
/// Each thread that asks a question counts as busy, and so does each that helps one. While fewer are
/// busy than the team has, whoever has a long search starts helpers for its parts. Answers are the same
/// for any number of threads. Without the feature `rayon` nobody helps.
#[derive(Debug)]
pub struct Team {
    #[cfg_attr(
        not(feature = "rayon"),
        expect(dead_code, reason = "nobody helps without rayon")
    )]
    threads: usize,
    busy: AtomicUsize,
    #[cfg(feature = "rayon")]
    helpers: OnceLock<Option<ThreadPool>>,
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
            #[cfg(feature = "rayon")]
            helpers: OnceLock::new(),
        }
    }

    /// Counts the calling thread as busy.
    pub fn enter(&self) -> Busy<'_> {
        self.busy.fetch_add(1, Relaxed);
        Busy(self)
    }

    /// The threads that help. `None` if the team has one thread, or the system starts no more.
    #[cfg(feature = "rayon")]
    fn helpers(&self) -> Option<&ThreadPool> {
        let start = || {
            let threads = self.threads.checked_sub(1).filter(|&threads| threads > 0)?;
            let builder = ThreadPoolBuilder::new().num_threads(threads);
            builder.build().ok()
        };
        self.helpers.get_or_init(start).as_ref()
    }

    /// One more thread, if not all are busy.
    #[cfg(feature = "rayon")]
    fn helper(&self) -> Option<Busy<'_>> {
        let more = |busy| (busy < self.threads).then_some(busy + 1);
        let entered = self.busy.fetch_update(Relaxed, Relaxed, more);
        entered.ok().map(|_| Busy(self))
    }

    /// Does parts with helpers. Whether that is possible.
    ///
    /// Helpers are threads of a pool of the team. (Threads of the pool that asks would take other records while they wait for a
    /// part, and inside these others again. A new thread for each helper takes longer than many parts: two threads took 0.83
    /// of the time of one for a puzzle rated 11.5, and with a pool they take 0.75.)
    #[cfg(feature = "rayon")]
    fn share(&self, next: &AtomicUsize, count: usize, part: &(dyn Fn(usize) + Sync)) -> bool {
        let Some(helpers) = self.helpers() else {
            return false;
        };
        let take = || take(next, count);
        let stop = &Stop::of_this_thread();
        // The end of a helper, by a stop or a panic, is the end of the search.
        helpers.in_place_scope(|scope| {
            while let Some(number) = take() {
                stop::check();
                while next.load(Relaxed) < count
                    && let Some(busy) = self.helper()
                {
                    scope.spawn(move |_| {
                        let (_busy, _asking) = (busy, Asking::begin(stop.clone()));
                        while let Some(number) = take() {
                            part(number);
                        }
                    });
                    stop::check();
                }
                part(number);
            }
        });
        true
    }

    #[cfg(not(feature = "rayon"))]
    fn share(&self, _: &AtomicUsize, _: usize, _: &(dyn Fn(usize) + Sync)) -> bool {
        false
    }
}

/// The next part, if one is left.
fn take(next: &AtomicUsize, count: usize) -> Option<usize> {
    Some(next.fetch_add(1, Relaxed)).filter(|&number| number < count)
}

impl Crew for Team {
    /// The calling thread takes part after part. Between them it starts helpers for those that are left.
    fn each(&self, count: usize, part: &(dyn Fn(usize) + Sync)) {
        let next = AtomicUsize::new(0);
        if count > 1 && self.share(&next, count, part) {
            return;
        }
        while let Some(number) = take(&next, count) {
            stop::check();
            part(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::Mutex,
        thread::{self, ThreadId},
    };

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
