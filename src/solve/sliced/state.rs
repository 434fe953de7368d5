//! The planes: what is known of the puzzle in each lane.

use crate::simd::{Isa, Vector};

/// The planes of the candidates: `planes[(box * 9 + digit) * 9 + cell of the box]`.
pub(super) const CANDIDATES: usize = 729;

/// The data that the passes work on. `docs/internals/ladder.md` draws it (rung 6).
pub(super) struct State<V> {
    pub(super) planes: [V; CANDIDATES],
    /// Triads that are open, `[band or 3 + stack][digit][3 * i + j]`: for a band, that of
    /// its row `i` in its box `j`; for a stack, that of its column `i` in its box `j`.
    pub(super) triads: [[[V; 9]; 9]; 6],
    /// Cells with two or more candidates, `[box][cell of the box]`.
    pub(super) two: [[V; 9]; 9],
    /// Scratch of a pass: the digits settled in a box.
    pub(super) settled: [V; 9],
}

impl<V: Vector> State<V> {
    pub(super) fn new<I: Isa<V = V>>(isa: I) -> Box<Self> {
        let zero = isa.zeros();
        Box::new(Self {
            planes: [zero; CANDIDATES],
            triads: [[[zero; 9]; 9]; 6],
            two: [[zero; 9]; 9],
            settled: [zero; 9],
        })
    }

    /// Marks every cell of these lanes as having two candidates or more, because their
    /// candidates were replaced. The next pass counts them.
    #[inline(always)]
    pub(super) fn forget_counts(&mut self, lanes: V) {
        for two in self.two.as_flattened_mut() {
            *two = two.or(lanes);
        }
    }
}

/// One decision for each lane: the band or stack, the digit, and the triads of their matrix
/// that are removed. The planes of `band` and of `digit` are one-hot. A lane that is in
/// none of them decides nothing.
pub(super) struct Removal<V> {
    pub(super) band: [V; 6],
    pub(super) digit: [V; 9],
    pub(super) triads: [V; 9],
}

impl<V: Vector> Removal<V> {
    #[inline(always)]
    pub(super) fn none<I: Isa<V = V>>(isa: I) -> Self {
        Self {
            band: [isa.zeros(); 6],
            digit: [isa.zeros(); 9],
            triads: [isa.zeros(); 9],
        }
    }
}

/// Sum and carry of three bits.
#[inline(always)]
pub(super) fn add<V: Vector>(a: V, b: V, c: V) -> (V, V) {
    (a.xor3(b, c), a.majority(b, c))
}
