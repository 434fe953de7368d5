//! The decisions that led each lane to where it is, and which alternatives are untried.
//!
//! ```text
//!     base ----- in ----- out ----- in ----- in -----> the lane
//!                |                  |        |
//!                open               given    open
//!                                   away
//! ```
//!
//! A lane that branches goes in, and leaves the way out *open* on its path. When the lane ends, it
//! takes the candidates of its *base*, which were stored when the first branch was left open, and
//! applies all decisions up to the deepest open branch, where it goes out. It deduces again what it
//! knew between. A free lane takes the way out of the first open branch of another lane; *given
//! away* means that. (`docs/design.md`, rung 8.)

use crate::simd::Lanes;

/// How many decisions a path holds: one for each bit of a word.
const DEPTH: usize = 64;

/// A triad that a lane took in or left out. In is `81 * band + 9 * digit + triad`, where
/// band is an index of [`State::triads`](super::state::State). Out is 512 more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Decision(u16);

/// How many decisions a band or stack has.
const IN_BAND: u16 = 81;

/// The difference between out and in.
const OUT: u16 = 512;

impl Decision {
    /// Takes in a triad of a digit in a band or stack.
    #[inline(always)]
    pub(super) fn inside(band: u8, digit: u8, triad: u8) -> Self {
        Self(IN_BAND * u16::from(band) + 9 * u16::from(digit) + u16::from(triad))
    }

    /// The numbers of the triads that it removes: for out the triad itself, twice; for in
    /// the two others of its row.
    #[inline(always)]
    pub(super) fn removed(self) -> [u16; 2] {
        // A table, because the CPU would mispredict half of all branches.
        static REMOVED: [[u16; 2]; 1024] = {
            let mut removed = [[0; 2]; 1024];
            let mut triad = 0;
            while triad < 6 * IN_BAND {
                let row = triad / 3 * 3;
                let others = [row + (triad + 1) % 3, row + (triad + 2) % 3];
                removed[triad as usize] = others;
                removed[(OUT + triad) as usize] = [triad; 2];
                triad += 1;
            }
            removed
        };
        REMOVED[usize::from(self.0)]
    }
}

pub(super) struct Paths {
    decisions: Box<[[Decision; DEPTH]; 512]>,
    /// The length of each path: 0 unless a decision on it is open.
    len: Box<[u8; 512]>,
    /// Which decisions of each path are open: in was tried, out was not.
    open: Box<[u64; 512]>,
    lanes: Lanes,
    count: usize,
}

impl Paths {
    pub(super) fn new() -> Self {
        Self {
            decisions: Box::new([[Decision::default(); DEPTH]; 512]),
            len: Box::new([0; 512]),
            open: Box::new([0; 512]),
            lanes: Lanes::default(),
            count: 0,
        }
    }

    #[inline(always)]
    pub(super) fn lanes(&self) -> &Lanes {
        &self.lanes
    }

    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    #[inline(always)]
    pub(super) fn clear(&mut self, lane: usize) {
        self.count -= self.open[lane].count_ones() as usize;
        self.open[lane] = 0;
        self.len[lane] = 0;
        self.lanes.unset(lane);
    }

    /// Adds a decision to the path of a lane, `open` or not. Returns whether the path had
    /// room.
    #[inline(always)]
    #[must_use]
    pub(super) fn push(&mut self, lane: usize, decision: Decision, open: bool) -> bool {
        let len = usize::from(self.len[lane]);
        let Some(place) = self.decisions[lane].get_mut(len) else {
            return false;
        };
        *place = decision;
        self.len[lane] += 1;
        self.open[lane] |= u64::from(open) << len;
        self.count += usize::from(open);
        self.lanes.set(lane);
        true
    }

    /// Returns a lane to its deepest open decision, which becomes out and is not open any
    /// more. Passes to `remove` all triads that the path then removes, some of them more
    /// than once.
    #[inline(always)]
    pub(super) fn turn_back(&mut self, lane: usize, remove: impl FnMut(usize)) {
        let last = self.open[lane].ilog2() as usize;
        self.open[lane] ^= 1 << last;
        self.count -= 1;
        self.len[lane] = last as u8 + 1;
        let path = &mut self.decisions[lane];
        path[last].0 |= OUT;
        follow(path, last, remove);
        if self.open[lane] == 0 {
            self.clear(lane);
        }
    }

    /// Gives away the way out of the first open decision of a lane. Passes to `remove` all
    /// triads that the path to it removes.
    #[inline(always)]
    pub(super) fn give(&mut self, lane: usize, remove: impl FnMut(usize)) {
        let first = self.open[lane].trailing_zeros() as usize;
        self.open[lane] ^= 1 << first;
        self.count -= 1;
        let path = &mut self.decisions[lane];
        path[first].0 |= OUT;
        follow(path, first, remove);
        path[first].0 ^= OUT;
        if self.open[lane] == 0 {
            self.clear(lane);
        }
    }
}

/// Passes to `remove` the triads that the decisions up to `last` remove. It takes four
/// decisions at a time, because the CPU mispredicts the end of a loop of any length.
#[inline(always)]
fn follow(path: &[Decision; DEPTH], last: usize, mut remove: impl FnMut(usize)) {
    for (n, four) in path.as_chunks::<4>().0.iter().enumerate() {
        for (i, &decision) in four.iter().enumerate() {
            let decision = if 4 * n + i <= last {
                decision
            } else {
                path[last]
            };
            for triad in decision.removed() {
                remove(usize::from(triad));
            }
        }
        if 4 * n + 3 >= last {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The triads that a path removes, by the rule: in removes the others of the row, out
    /// removes the triad.
    fn removed(path: &[(u16, bool)]) -> Vec<usize> {
        let mut removed: Vec<_> = path
            .iter()
            .flat_map(|&(triad, out)| {
                let row = triad / 3 * 3..triad / 3 * 3 + 3;
                row.filter(move |&other| (other == triad) == out)
            })
            .map(usize::from)
            .collect();
        removed.sort_unstable();
        removed.dedup();
        removed
    }

    fn passed(follow: impl FnOnce(&mut Vec<usize>)) -> Vec<usize> {
        let mut passed = Vec::new();
        follow(&mut passed);
        passed.sort_unstable();
        passed.dedup();
        passed
    }

    #[test]
    fn open_branches_are_taken_from_both_ends() {
        let mut paths = Paths::new();
        let decision = |triad: u16| {
            Decision::inside((triad / 81) as u8, (triad / 9 % 9) as u8, (triad % 9) as u8)
        };
        // Six branches, of which the second and the fifth went to other lanes.
        let triads = [3, 85, 200, 301, 404, 485];
        for (i, triad) in triads.into_iter().enumerate() {
            assert!(paths.push(7, decision(triad), i != 1 && i != 4));
        }
        assert_eq!(
            (paths.count(), paths.lanes().iter().collect()),
            (4, vec![7])
        );

        let last = passed(|passed| paths.turn_back(7, |triad| passed.push(triad)));
        let mut path: Vec<_> = triads.map(|triad| (triad, false)).into();
        path[5].1 = true;
        assert_eq!(last, removed(&path));

        let first = passed(|passed| paths.give(7, |triad| passed.push(triad)));
        assert_eq!(first, removed(&[(3, true)]));

        let last = passed(|passed| paths.turn_back(7, |triad| passed.push(triad)));
        path.truncate(4);
        path[3].1 = true;
        assert_eq!(last, removed(&path));
        // A new branch comes after the one that was turned.
        assert!(paths.push(7, decision(17), true));
        path.push((17, true));
        let last = passed(|passed| paths.turn_back(7, |triad| passed.push(triad)));
        assert_eq!(last, removed(&path));

        let last = passed(|passed| paths.turn_back(7, |triad| passed.push(triad)));
        path.truncate(3);
        path[2].1 = true;
        assert_eq!(last, removed(&path));
        assert_eq!((paths.count(), paths.lanes().any()), (0, false));
    }

    #[test]
    fn a_path_has_room_for_its_depth() {
        let mut paths = Paths::new();
        for _ in 0..DEPTH {
            assert!(paths.push(511, Decision::inside(5, 8, 8), true));
        }
        assert!(!paths.push(511, Decision::inside(0, 0, 0), true));
        assert_eq!(paths.count(), DEPTH);
        paths.clear(511);
        assert_eq!((paths.count(), paths.lanes().any()), (0, false));
    }
}
