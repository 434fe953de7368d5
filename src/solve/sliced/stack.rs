//! The branches not taken yet, of all puzzles together.
//!
//! ```text
//!     0        ripe                    young                    end
//!     | ------ | ripe records |  gap   | young records          |
//!                             |<--- pop                     pop |---> push
//! ```
//!
//! Records are pushed at the end and as a rule popped from there. But where
//! puzzles turn out to have several solutions, and there are fresh ones, they are
//! left to *ripen*: only records older than the last [`YOUNG`] are popped, so
//! that a branch is not taken before the lane that left it has come to an end.
//! The puzzle is then decided as a rule, and the rest of it is thrown away. Popping
//! the newest first spread such puzzles over all lanes before the first answer:
//! 16 µs a puzzle of `several-20k` in place of 1.9. (Puzzles with one solution lose
//! 10% by ripening: more records, fewer of them in the cache.)
//!
//! A record is a byte for every eight planes, each in a column of its own:
//! lanes are moved by compressing and expanding vectors of bytes.

use crate::simd::{EXCHANGE_MARGIN, Isa, Lanes, Selection};
use std::ops::Range;

/// Records the stack holds. A search of depth 100 in all lanes fills it; see
/// `Sliced::serve` for what happens then.
pub(super) const CAPACITY: usize = 1 << 16;

/// Records that are left to ripen while there are fresh puzzles.
const YOUNG: usize = 3072;

/// The length at which records are moved together, at the earliest: the
/// stack stays in the second-level cache.
const TIDY: usize = 3 * YOUNG;

/// Eight planes make one byte of a record.
const GROUPS: usize = 760 / 8;

/// Bytes from one column to the next.
const STRIDE: usize = CAPACITY + EXCHANGE_MARGIN;

/// Records of 95 bytes, byte `g` of record `i` at `g * STRIDE + i`, and the
/// puzzles they belong to.
pub(super) struct Stack {
    bytes: Vec<u8>,
    puzzles: Vec<u32>,
    ripe: Range<usize>,
    /// Where the young records start.
    young: usize,
    /// Whether records are left to ripen.
    ripen: bool,
    /// The length at which to tidy up.
    tidy_at: usize,
    /// Scratch: which records to keep, a mask for each vector of bytes.
    masks: Vec<u64>,
}

impl Stack {
    pub(super) fn new() -> Self {
        Self {
            bytes: vec![0; GROUPS * STRIDE],
            puzzles: Vec::with_capacity(CAPACITY),
            ripe: 0..0,
            young: 0,
            ripen: false,
            tidy_at: TIDY,
            masks: Vec::with_capacity(CAPACITY / 16 + 2),
        }
    }

    /// How many records there are.
    pub(super) fn len(&self) -> usize {
        self.ripe.len() + self.puzzles.len() - self.young
    }

    /// Whether there is no record.
    pub(super) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many records can be pushed.
    pub(super) fn room(&self) -> usize {
        CAPACITY - self.puzzles.len()
    }

    pub(super) fn clear(&mut self) {
        self.puzzles.clear();
        self.ripe = 0..0;
        self.young = 0;
        self.tidy_at = TIDY;
    }

    /// How many records can be popped. Young ones only if none need `ripen`.
    pub(super) fn ready(&mut self, ripen: bool) -> usize {
        self.ripen = ripen;
        let end = self.puzzles.len();
        if self.ripe.is_empty() {
            self.ripe = self.young..self.young;
        }
        let ripened = if ripen {
            end.saturating_sub(YOUNG)
        } else {
            end
        };
        // One run, where no gap keeps them apart.
        let joins = if ripen {
            self.ripe.is_empty()
        } else {
            self.ripe.end == self.young
        };
        if joins && ripened > self.young {
            self.ripe.end = ripened;
            self.young = ripened;
        }
        if ripen || self.young == end {
            self.ripe.len()
        } else {
            end - self.young
        }
    }

    /// Moves the records together from time to time, without those of puzzles
    /// that need not be kept.
    #[inline(always)]
    pub(super) fn tidy<I: Isa>(&mut self, isa: I, keep: impl Fn(u32) -> bool) {
        if self.puzzles.len() < self.tidy_at {
            return;
        }
        let (block, end) = (I::LANES / 8, self.puzzles.len());
        self.masks.clear();
        self.masks.resize(end.div_ceil(block), 0);
        let mut len = 0;
        for run in [self.ripe.clone(), self.young..end] {
            self.young = len;
            for i in run {
                let puzzle = self.puzzles[i];
                if keep(puzzle) {
                    self.masks[i / block] |= 1 << (i % block);
                    self.puzzles[len] = puzzle;
                    len += 1;
                }
            }
        }
        self.ripe = 0..self.young;
        for column in self.bytes.chunks_exact_mut(STRIDE) {
            let mut to = 0;
            for (from, &mask) in (0..end).step_by(block).zip(&self.masks) {
                // A whole vector is written at `to <= from`: all that is
                // overwritten has been read.
                let bytes = isa.expand(isa.zeros(), !0 >> (64 - block), &column[from..]);
                isa.compress(bytes, mask, &mut column[to..]);
                to += mask.count_ones() as usize;
            }
        }
        self.puzzles.truncate(len);
        // Nearly full it is done ever more seldom: it costs the most there.
        self.tidy_at = TIDY.max((2 * len).min((len + CAPACITY) / 2 + 1));
    }

    /// Moves the lanes `push` of all planes onto the stack, and into the lanes
    /// `pop` records that are [ready](Self::ready). `puzzle_of` is updated.
    #[inline(always)]
    pub(super) fn exchange<I: Isa>(
        &mut self,
        isa: I,
        planes: &mut [I::V; 760],
        puzzle_of: &mut [u32; 512],
        push: &Lanes,
        pop: &Lanes,
    ) {
        let (push, pop) = (Selection::new(push), Selection::new(pop));
        // What is popped from the very end makes room for what is pushed.
        let len = self.puzzles.len();
        let young = !self.ripen && self.young < len;
        let end = if young { len } else { self.ripe.end };
        let from = end - pop.count();
        let to = if end == len { from } else { len };
        let columns = self.bytes.chunks_exact_mut(STRIDE);
        for (group, column) in planes.as_chunks_mut::<8>().0.iter_mut().zip(columns) {
            isa.exchange(group, column, (&push, to), (&pop, from));
        }
        let mut popped = [0; 512];
        popped[..pop.count()].copy_from_slice(&self.puzzles[from..end]);
        self.puzzles.resize(to + push.count(), 0);
        for (puzzle, lane) in self.puzzles[to..].iter_mut().zip(push.iter()) {
            *puzzle = puzzle_of[lane];
        }
        for (puzzle, lane) in popped.into_iter().zip(pop.iter()) {
            puzzle_of[lane] = puzzle;
        }
        if !young {
            self.ripe.end = from;
            self.young = self.young.min(to);
        }
        if self.is_empty() {
            self.clear();
        }
    }
}
