//! The tries for puzzles that are rated.
//!
//! The puzzle of a number is that of its first try that fits. Few fit: of minimal puzzles three in a hundred have an X-wing
//! when they need it. One try after the other would leave the solver and the rater with little to do for the last
//! numbers. So a number whose tries fail gets more sites, as soon as no other number wants them: half as many at a time as
//! have failed. At most a third of the tries then come after the one that fits, and are for nothing. Where lanes are idle, four
//! times as many as have failed are at work: twenty puzzles with a swordfish took as long as two hundred before.
//!
//! ```text
//!     try       0      1      2      3      4      5      6
//!             fails  fails  fails  at work fits  at work  not begun
//!                           settled         best: 3 decides, 5 does not count
//! ```

use super::Misses;

/// The tries for all puzzles of an order, by place.
#[derive(Debug)]
pub(super) struct Tries {
    places: Vec<OfPlace>,
    /// The number of tries for a puzzle, at most.
    most: u32,
    /// The ratings of the tries before those that fit.
    pub(super) misses: Misses,
}

#[derive(Clone, Debug, Default)]
struct OfPlace {
    /// The number of tries that were begun, and of those that are at work.
    begun: u32,
    at_work: u32,
    /// The number of tries from the first on that have ended.
    settled: u32,
    /// The first try that fits, as far as is known.
    best: Option<u32>,
    /// The tries that have ended before one that was begun earlier.
    early: Vec<(u32, Misses)>,
}

impl Tries {
    /// No try for any of these puzzles.
    pub(super) fn new(places: usize, most: u32) -> Self {
        Self {
            places: vec![OfPlace::default(); places],
            most,
            misses: Misses::default(),
        }
    }

    /// The number of the next try for a puzzle, which begins now, if one is of use.
    pub(super) fn begin(&mut self, place: usize) -> Option<u32> {
        let own = &mut self.places[place];
        (own.best.is_none() && own.begun < self.most).then(|| {
            own.begun += 1;
            own.at_work += 1;
            own.begun - 1
        })
    }

    /// Returns true if one more try for a puzzle may be at work beside the others. `are_idle`: lanes have nothing to do.
    pub(super) fn wants_more(&self, place: usize, are_idle: bool) -> bool {
        let own = &self.places[place];
        let failed = own.begun - own.at_work;
        let beside = if are_idle { 4 * failed } else { failed / 2 };
        own.best.is_none() && own.begun < self.most && own.at_work < 1 + beside
    }

    /// The tries of each puzzle up to the one that fits, or all of them.
    pub(super) fn taken(&self) -> impl Iterator<Item = u32> {
        let most = self.most;
        let taken = move |place: &OfPlace| place.best.map_or(most, |best| best + 1);
        self.places.iter().map(taken)
    }

    /// Returns true if a try may still decide.
    pub(super) fn counts(&self, place: usize, number: u32) -> bool {
        self.places[place].best.is_none_or(|best| number < best)
    }

    /// Notes the end of a try. `fits`: what it made is the puzzle, if no earlier try fits.
    pub(super) fn end(&mut self, place: usize, number: u32, misses: Misses, fits: bool) {
        let own = &mut self.places[place];
        own.at_work -= 1;
        if fits {
            own.best = Some(own.best.map_or(number, |best| best.min(number)));
        }
        own.early.push((number, misses));
        let counts = |number| own.best.is_none_or(|best| number <= best);
        while let Some(at) = (own.early.iter())
            .position(|&(number, _)| number == own.settled)
            .filter(|_| counts(own.settled))
        {
            let (_, misses) = own.early.swap_remove(at);
            self.misses.add(misses);
            own.settled += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_too_easy(count: u64) -> Misses {
        Misses {
            too_easy: count,
            ..Misses::default()
        }
    }

    /// Whatever the order in which tries end, the first that fits is the best, and the misses up to it count.
    #[test]
    fn the_first_try_that_fits_decides_in_any_order() {
        // Try n has 10^n misses; tries 2 and 4 fit.
        let orders = [
            [0, 1, 2, 3, 4],
            [4, 3, 2, 1, 0],
            [2, 4, 0, 3, 1],
            [3, 1, 4, 0, 2],
        ];
        for order in orders {
            let mut tries = Tries::new(1, 10);
            let begun: Vec<_> = (0..5).filter_map(|_| tries.begin(0)).collect();
            assert_eq!(begun, [0, 1, 2, 3, 4]);
            for number in order {
                tries.end(
                    0,
                    number,
                    one_too_easy(10_u64.pow(number)),
                    number % 2 == 0 && number > 0,
                );
            }
            assert_eq!(tries.misses, one_too_easy(111), "{order:?}");
            assert!(tries.counts(0, 1) && !tries.counts(0, 2) && !tries.counts(0, 3));
            assert_eq!(tries.begin(0), None);
        }
    }

    #[test]
    fn tries_at_a_time_grow_with_those_that_failed_and_end() {
        for are_idle in [false, true] {
            let mut tries = Tries::new(2, 40);
            let (mut at_work, mut rounds) = (Vec::new(), 0);
            loop {
                while (at_work.is_empty() || tries.wants_more(1, are_idle))
                    && let Some(number) = tries.begin(1)
                {
                    at_work.push(number);
                }
                if at_work.is_empty() {
                    break;
                }
                rounds += 1;
                let failed = tries.places[1].begun as usize - at_work.len();
                let most = if are_idle { 4 * failed } else { failed / 2 };
                assert!(at_work.len() <= 1 + most, "round {rounds}");
                for number in at_work.drain(..) {
                    tries.end(1, number, one_too_easy(1), false);
                }
            }
            // 1, 5, 25 and the 9 others; or 1, 1, 2, 3, 4, 6, 9 and 14.
            assert_eq!(rounds, if are_idle { 4 } else { 8 });
            assert_eq!(tries.misses, one_too_easy(40));
            assert_eq!(Vec::from_iter(tries.taken()), [40, 40]);
            assert_eq!(tries.begin(1), None);
            assert_eq!(tries.begin(0), Some(0));
        }
    }
}
