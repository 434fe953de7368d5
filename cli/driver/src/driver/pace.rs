//! The sizes of pieces for questions whose records may take long.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::Duration,
};

/// The time that a piece is to take. Its rows are written when it is done, and the bar moves then. With 100 ms, `rate` took
/// 7 % more for minimal puzzles: more of them fill the lanes better.
const WANTED: Duration = Duration::from_secs(1);

/// A hard puzzle takes a thousand times as long as an easy one, so the first records say little about the next. Few records
/// do not fill the lanes: with 4, `rate` took 25 ms more for 73 puzzles of magictour.
const MOST_GROWTH: f64 = 16.0;

/// The size of the next piece, in bytes: one record at first, and later as many as the last pieces did in [`WANTED`].
///
/// The hardest puzzles take seconds each to rate, and easy ones a hundred thousand of them. Pieces of a fixed size gave
/// no row of 2,439 hard puzzles in ten minutes.
#[derive(Debug)]
pub(super) struct Pace(AtomicU64);

impl Pace {
    pub(super) fn new() -> Self {
        Self(AtomicU64::new(1))
    }

    /// The size of the next piece, at most `usual`.
    pub(super) fn size(&self, usual: usize) -> usize {
        usual.min(self.0.load(Relaxed) as usize).max(1)
    }

    /// Notes the time that a piece took. The next one is at most [`MOST_GROWTH`] times as large.
    pub(super) fn note(&self, bytes: usize, took: Duration) {
        let share = WANTED.as_secs_f64() / took.as_secs_f64().max(1e-9);
        self.0
            .store((bytes as f64 * share.min(MOST_GROWTH)) as u64, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_grow_up_to_the_time_that_is_wanted() {
        let pace = Pace::new();
        assert_eq!(pace.size(1000), 1);
        pace.note(82, Duration::from_micros(3));
        assert_eq!(pace.size(2000), 16 * 82);
        pace.note(82 << 10, Duration::ZERO);
        assert_eq!(pace.size(1000), 1000);
        pace.note(1000, Duration::from_secs(4));
        assert_eq!(pace.size(1000), 250);
        pace.note(82, Duration::from_secs(60));
        assert_eq!(pace.size(1000), 1);
    }
}
