//! The branches not taken yet, of all puzzles, a byte column for every eight
//! planes.

use crate::simd::{EXCHANGE_MARGIN, Isa, Lanes, Selection};

/// Records the stack holds: 12 MB with their margins. A search of depth 60 in
/// every lane needs half of it; see `Sliced::serve` for what happens when it is
/// full.
pub(super) const CAPACITY: usize = 1 << 16;

/// Eight planes make one byte of a record.
const GROUPS: usize = 760 / 8;

/// Bytes from one column to the next.
const STRIDE: usize = CAPACITY + EXCHANGE_MARGIN;

/// Records of 95 bytes, byte `g` of record `i` at `g * STRIDE + i`, and the
/// puzzles they belong to.
pub(super) struct Stack {
    bytes: Vec<u8>,
    puzzles: Vec<u32>,
}

impl Stack {
    pub(super) fn new() -> Self {
        Self {
            bytes: vec![0; GROUPS * STRIDE],
            puzzles: Vec::with_capacity(CAPACITY),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.puzzles.len()
    }

    pub(super) fn room(&self) -> usize {
        CAPACITY - self.len()
    }

    /// The puzzle of the record on top.
    pub(super) fn top(&self) -> Option<u32> {
        self.puzzles.last().copied()
    }

    pub(super) fn drop_top(&mut self) {
        self.puzzles.pop();
    }

    pub(super) fn clear(&mut self) {
        self.puzzles.clear();
    }

    /// Moves the lanes `push` of all planes onto the stack, and into the lanes
    /// `pop` the records that were on top before. `puzzle_of` is updated.
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
        let bottom = self.len() - pop.count();
        let columns = self.bytes.chunks_exact_mut(STRIDE);
        let (groups, _) = planes.as_chunks_mut::<8>();
        for (group, column) in groups.iter_mut().zip(columns) {
            isa.exchange(group, &push, &pop, &mut column[bottom..]);
        }
        let mut entering = [0; 512];
        entering[..pop.count()].copy_from_slice(&self.puzzles[bottom..]);
        self.puzzles.resize(bottom + push.count(), 0);
        for (puzzle, lane) in self.puzzles[bottom..].iter_mut().zip(push.iter()) {
            *puzzle = puzzle_of[lane];
        }
        for (puzzle, lane) in entering.iter().zip(pop.iter()) {
            puzzle_of[lane] = *puzzle;
        }
    }
}
