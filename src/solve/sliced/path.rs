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
//! away* means that. (`docs/internals/ladder.md`, rung 8.)

use crate::simd::Lanes;

/// The number of decisions that a path holds: one for each bit of a word.
const DEPTH: usize = 64;

/// A triad that a lane took in or left out. In is `81 * band + 9 * digit + triad`, where
/// band is an index of [`State::triads`](super::state::State). Out is 512 more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Decision(u16);

/// The number of decisions that a band or stack has.
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
