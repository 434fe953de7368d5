//! Slices of many rows over threads, and what a thread keeps from call to call: for bindings.

use std::{
    hint,
    ops::Range,
    panic::resume_unwind,
    sync::{
        Mutex, OnceLock, PoisonError,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    thread,
};

/// The most rows of a slice, for questions that take microseconds. A record batch of Spark has 10,000 rows and
/// stays whole.
pub const SLICE: usize = 10_240;

/// The number of threads that are to work: `None` or 0 is one for each core that this process may use.
pub fn threads(number: Option<usize>) -> usize {
    // The system reads a dozen files for an answer.
    static CORES: OnceLock<usize> = OnceLock::new();
    let cores = || *CORES.get_or_init(|| thread::available_parallelism().map_or(1, usize::from));
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

/// The lengths of slices: that of the first one, and that of each further one but the last, which may be shorter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// The length of the first slice.
    pub first: usize,
    /// The length of the others.
    pub others: usize,
}

impl Lengths {
    /// Slices of one length, which is at least 1.
    pub fn equal(length: usize) -> Self {
        Self {
            first: length,
            others: length,
        }
    }

    /// Slices of rows with the numbers from `first` on. Rows that belong together stay in one slice: those whose numbers have
    /// the same quotient by `together`.
    pub fn of_numbers(
        (first, rows): (u64, usize),
        threads: usize,
        most: usize,
        together: usize,
    ) -> Self {
        let together = together.max(1);
        let others = length(rows, threads, most).next_multiple_of(together);
        // The first number may be in the midst of those that belong together.
        let before = (first % together as u64) as usize;
        Self {
            first: others - before,
            others,
        }
    }

    /// The slices of rows that have this many items each.
    pub fn of_mut<T>(self, items: &mut [T], of_row: usize) -> impl Iterator<Item = &mut [T]> {
        let first = items.len().min(of_row * self.first);
        let (first, others) = items.split_at_mut(first);
        let first = Some(first).filter(|first| !first.is_empty());
        first
            .into_iter()
            .chain(others.chunks_mut(of_row * self.others))
    }

    /// The slices of so many rows.
    pub fn slices(self, rows: usize) -> impl ExactSizeIterator<Item = Range<usize>> {
        let Self { first, others } = self;
        let number = match rows {
            0 => 0,
            _ => 1 + rows.saturating_sub(first).div_ceil(others),
        };
        let end = move |slice: usize| rows.min(first + slice * others);
        (0..number).map(move |slice| match slice {
            0 => 0..end(0),
            _ => end(slice - 1)..end(slice),
        })
    }
}

/// Does jobs on this number of threads, the calling one among them, and gives what they gave in the order of the
/// jobs. A thread takes the next job when it is done with one.
///
/// The threads live as long as the call. So there are none while a process forks, ends or unloads a library.
///
/// No thread begins another job after one whose result `is_end`, nor after the calling thread has got `false` from
/// `goes_on`, which it asks after each of its own jobs.
pub fn run<Job, Done: Send>(
    jobs: impl Iterator<Item = Job> + Send,
    threads: usize,
    work: impl Fn(Job) -> Done + Sync,
    is_end: impl Fn(&Done) -> bool + Sync,
    mut goes_on: impl FnMut() -> bool,
) -> Vec<Done> {
    let (jobs, is_over) = (Mutex::new(jobs.enumerate()), AtomicBool::new(false));
    // The guard is gone before the work begins.
    let next = || {
        let mut jobs = jobs.lock().unwrap_or_else(PoisonError::into_inner);
        jobs.next().filter(|_| !is_over.load(Relaxed))
    };
    let all = |goes_on: &mut dyn FnMut() -> bool| {
        let mut done = Vec::new();
        while let Some((number, job)) = next() {
            let result = work(job);
            let ends = is_end(&result) || !goes_on();
            is_over.fetch_or(ends, Relaxed);
            done.push((number, result));
        }
        done
    };
    let help = || all(&mut || true);
    // Alone, the calling thread leaves nothing of others behind.
    let mut done = if threads < 2 {
        all(&mut goes_on)
    } else {
        thread::scope(|scope| {
            let others = (1..threads).map(|_| thread::Builder::new().spawn_scoped(scope, help));
            // A thread that the system refuses is done without.
            let others: Vec<_> = others.filter_map(Result::ok).collect();
            let mut done = all(&mut goes_on);
            for other in others {
                done.extend(other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            done
        })
    };
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
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
        let mut thing = self.take(kind).unwrap_or_else(make);
        let result = use_it(&mut thing);
        self.keep(kind, thing, KINDS.saturating_mul(threads));
        result
    }

    /// Takes the newest thing of a kind out, if there is one.
    pub fn take(&self, kind: &str) -> Option<T> {
        let kept = self.look(|things| {
            let place = things.iter().rposition(|(known, _)| known == kind)?;
            Some(things.remove(place).1)
        });
        kept.flatten()
    }

    /// Keeps a thing. If there are more than `most` then, the oldest goes.
    pub fn keep(&self, kind: &str, thing: T, most: usize) {
        let kind = kind.to_owned();
        // A part that goes is dropped when nobody waits for it.
        let oldest = self.look(|things| {
            things.push((kind, thing));
            (things.len() > most).then(|| things.remove(0))
        });
        drop(oldest);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_give_each_thread_as_much() {
        // Rows, threads, the most of a slice, and its length.
        let rules = [
            // Rows that take long, and quick ones.
            (3, 2, 1, 1),
            (4, 8, 5, 1),
            (16, 7, 8, 3),
            (10, 4, 256, 3),
            (5_000, 4, SLICE, 1_250),
            (100, 4, SLICE, 1_024),
            (1_000_000, 4, SLICE, SLICE),
            (0, 4, 0, 1),
        ];
        for (rows, threads, most, expected) in rules {
            assert_eq!(
                length(rows, threads, most),
                expected,
                "{rows} {threads} {most}"
            );
        }
    }

    #[test]
    fn slices_keep_what_belongs_together() {
        // The first number and the rows, threads, the most of a slice, how many belong together, and the ends of slices.
        let rules: [(_, _, _, _, &[usize]); 7] = [
            (
                (0, 96),
                12,
                8,
                8,
                &[8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96],
            ),
            // The first and the last family are parts.
            ((5, 20), 4, 8, 8, &[3, 11, 19, 20]),
            ((5, 20), 1, 8, 8, &[3, 11, 19, 20]),
            ((15, 1), 2, 8, 8, &[1]),
            ((3, 2), 2, 8, 8, &[2]),
            // Nothing belongs together.
            ((5, 10), 4, 256, 1, &[3, 6, 9, 10]),
            ((5, 0), 4, 256, 8, &[]),
        ];
        for ((first, rows), threads, most, together, ends) in rules {
            let lengths = Lengths::of_numbers((first, rows), threads, most, together);
            let mut next = 0;
            for (slice, &end) in lengths.slices(rows).zip(ends) {
                assert_eq!(slice, next..end, "{first} {rows}");
                next = end;
            }
            assert_eq!(lengths.slices(rows).len(), ends.len(), "{first} {rows}");
        }
    }
}
