//! The level `neon` of 64-bit ARM: vectors of 128 bits, with a choice by a mask in one instruction.
//!
//! A vector has a private field that only a witness can fill. So whoever has a vector may use the
//! instructions.

use super::{COLUMNS, Isa, Lanes, Row, RowPlanes, Vector, array, transpose_bytes};
use std::{
    arch::{aarch64::*, is_aarch64_feature_detected},
    mem::transmute,
};

/// The words of a vector.
const WORDS: usize = 2;

/// The witness of NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Neon(());

impl Neon {
    pub(crate) fn detect() -> Option<Self> {
        is_aarch64_feature_detected!("neon").then_some(Self(()))
    }
}

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct V128(uint64x2_t);

/// Methods of one expression of intrinsics, each on vectors that only a witness can have made.
macro_rules! methods {
    ($($(#[$doc:meta])* $name:ident($a:ident $(, $arg:ident)*) = $body:expr;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name(self $(, $arg: Self)*) -> Self {
            let $a = self.0;
            $(let $arg = $arg.0;)*
            // SAFETY: the intrinsics work on registers alone. They need NEON, whose witness has
            // made `self`.
            Self(unsafe { $body })
        }
    )*};
}

impl Vector for V128 {
    methods! {
        and(a, b) = vandq_u64(a, b);
        or(a, b) = vorrq_u64(a, b);
        xor(a, b) = veorq_u64(a, b);
        and_not(a, b) = vbicq_u64(a, b);
        not(a) = vreinterpretq_u64_u8(vmvnq_u8(vreinterpretq_u8_u64(a)));
        // If two differ, the third decides.
        majority(a, b, c) = vbslq_u64(veorq_u64(a, b), c, a);
        or_nor(a, b, c) = vornq_u64(a, vorrq_u64(b, c));
        or_nand(a, b, c) = vornq_u64(a, vandq_u64(b, c));
        and_implies(a, b, c) = vandq_u64(a, vornq_u64(c, b));
        select(a, b, c) = vbslq_u64(a, b, c);
        less(a, b, c) = vbslq_u64(veorq_u64(a, b), b, c);
        turn_words(a, by) = {
            let by = vreinterpretq_s64_u64(by);
            // A shift to the left by a negative number is one to the right.
            let back = vsubq_s64(by, vdupq_n_s64(64));
            vorrq_u64(vshlq_u64(a, by), vshlq_u64(a, back))
        };
        permute_words(a, from) = {
            // A word changes places with the other where it does not come from its own place.
            let own = vcombine_u64(vcreate_u64(0), vcreate_u64(1));
            vbslq_u64(vceqq_u64(from, own), a, vextq_u64::<1>(a, a))
        };
    }

    seen_as_words!(WORDS);

    #[inline(always)]
    fn any(self) -> bool {
        self.words() != [0; WORDS]
    }
}

impl V128 {
    #[inline(always)]
    fn words(self) -> [u64; WORDS] {
        // SAFETY: the types have one size, and any bits are integers.
        unsafe { transmute(self.0) }
    }

    #[inline(always)]
    fn to_bytes(self) -> [u8; 16] {
        // SAFETY: the types have one size, and any bits are integers.
        unsafe { transmute(self.0) }
    }

    #[inline(always)]
    fn of(bytes: uint8x16_t) -> Self {
        // SAFETY: the intrinsic works on registers alone. Only methods of a vector or of a
        // witness call this function, and NEON is theirs.
        Self(unsafe { vreinterpretq_u64_u8(bytes) })
    }

    #[inline(always)]
    fn bytes(self) -> uint8x16_t {
        // SAFETY: the intrinsic works on registers alone and needs NEON, whose witness has made
        // `self`.
        unsafe { vreinterpretq_u8_u64(self.0) }
    }

    /// Bytes of two vectors in turn, from their low halves and from their high halves.
    #[inline(always)]
    fn unpack_bytes(self, b: Self) -> [Self; 2] {
        let (a, b) = (self.bytes(), b.bytes());
        // SAFETY: the intrinsics work on registers alone and need NEON, whose witness has made
        // the vectors.
        let [low, high] = unsafe { [vzip1q_u8(a, b), vzip2q_u8(a, b)] };
        [Self::of(low), Self::of(high)]
    }

    /// Byte `i` becomes byte `from[i]`.
    #[inline(always)]
    fn shuffle_bytes(self, from: Self) -> Self {
        // SAFETY: the intrinsic works on registers alone and needs NEON, whose witness has made
        // the vectors.
        Self::of(unsafe { vqtbl1q_u8(self.bytes(), from.bytes()) })
    }

    /// All ones in the bytes that have a bit in common.
    #[inline(always)]
    fn meets(self, b: Self) -> Self {
        // SAFETY: as above.
        Self::of(unsafe { vtstq_u8(self.bytes(), b.bytes()) })
    }

    /// The sums of neighbouring bytes, of this vector and then of the other.
    #[inline(always)]
    fn add_neighbours(self, b: Self) -> Self {
        // SAFETY: as above.
        Self::of(unsafe { vpaddq_u8(self.bytes(), b.bytes()) })
    }
}

/// A bit for each of eight rows.
const ONE_BIT_EACH: u64 = 0x8040_2010_0804_0201;

impl Neon {
    #[inline(always)]
    fn load(self, bytes: [u8; 16]) -> V128 {
        // SAFETY: the types have one size, and any bits are a vector.
        V128(unsafe { transmute::<[u8; 16], uint64x2_t>(bytes) })
    }

    #[inline(always)]
    fn pair(self, words: [u64; WORDS]) -> V128 {
        // SAFETY: the types have one size, and any bits are a vector.
        V128(unsafe { transmute::<[u64; WORDS], uint64x2_t>(words) })
    }

    /// A column of 64 rows, 16 in a vector, becomes four planes: the bytes with a bit keep the bit
    /// of their row, and three sums of neighbours bring eight rows into a byte.
    #[inline(always)]
    fn column_to_planes(self, column: [V128; 4], planes: &mut [u64; 4]) {
        let row = self.splat(ONE_BIT_EACH);
        for (b, plane) in planes.iter_mut().enumerate() {
            let bit = self.splat(0x0101_0101_0101_0101 << b);
            let rows: [V128; 4] = array!(|k| column[k].meets(bit).and(row));
            let low = rows[0].add_neighbours(rows[1]);
            let high = rows[2].add_neighbours(rows[3]);
            let sum = low.add_neighbours(high);
            *plane = sum.add_neighbours(sum).words()[0];
        }
    }

    /// The text of 16 rows, from row `16 * part` on, of a column.
    #[inline(always)]
    fn planes_to_column(self, planes: &[u64; 4], part: usize) -> V128 {
        let row = self.splat(ONE_BIT_EACH);
        let two_bytes = self.pair([0, 0x0101_0101_0101_0101]);
        let mut text = self.splat(0x3030_3030_3030_3030);
        for (b, &plane) in planes.iter().enumerate() {
            let here = self.splat(plane >> (16 * part)).shuffle_bytes(two_bytes);
            text = text.or_and(here.meets(row), self.splat(0x0101_0101_0101_0101 << b));
        }
        text
    }
}

impl Isa for Neon {
    type V = V128;
    const LANES: usize = 64 * WORDS;
    const REGISTERS: usize = 32;

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "neon")]
        #[inline(never)]
        fn neon<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        // SAFETY: `self` is the witness of the feature.
        unsafe { neon(f) }
    }

    #[inline(always)]
    fn splat(self, word: u64) -> V128 {
        self.pair([word; WORDS])
    }

    #[inline(always)]
    fn vector(self, lanes: &Lanes) -> V128 {
        self.pair([lanes.0[0], lanes.0[1]])
    }

    #[inline(always)]
    fn bytes_of_lanes(self, word: u64) -> [u8; 64] {
        let row = self.splat(ONE_BIT_EACH);
        let two_bytes = self.pair([0, 0x0101_0101_0101_0101]);
        let mut bytes = [0; 64];
        for (part, bytes) in bytes.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let here = self.splat(word >> (16 * part)).shuffle_bytes(two_bytes);
            *bytes = here.meets(row).to_bytes();
        }
        bytes
    }

    #[inline(always)]
    fn column(self, groups: &[RowPlanes; 8], c: usize) -> [V128; 4] {
        let (low, high) = (groups[0].column(c), groups[1].column(c));
        array!(|b| self.pair([low[b], high[b]]))
    }

    #[inline(always)]
    fn set_column(self, groups: &mut [RowPlanes; 8], c: usize, lanes: &Lanes, planes: [V128; 4]) {
        for (g, (group, lanes)) in groups.iter_mut().zip(lanes.0).take(WORDS).enumerate() {
            for (old, new) in group.column_mut(c).iter_mut().zip(planes) {
                *old = *old & !lanes | new.words()[g] & lanes;
            }
        }
    }

    #[inline(always)]
    fn planes_of_rows(self, rows: &[&Row; 64], planes: &mut RowPlanes) {
        for piece in 0..COLUMNS / 16 {
            // Vector i of part k: column 16 * piece + i of 16 rows from 16k on.
            let parts: [[V128; 16]; 4] = array!(|k| {
                let v = array!(|j| self.load(rows[16 * k + j].as_chunks().0[piece]));
                transpose_bytes(v, V128::unpack_bytes)
            });
            let [a, b, c, d] = parts;
            for (i, (((a, b), c), d)) in a.into_iter().zip(b).zip(c).zip(d).enumerate() {
                let column = [a, b, c, d];
                self.column_to_planes(column, planes.column_mut(16 * piece + i));
            }
        }
        let last: [u8; 64] = array!(|r| rows[r][COLUMNS - 1]);
        let column = array!(|k| self.load(last.as_chunks().0[k]));
        self.column_to_planes(column, planes.column_mut(COLUMNS - 1));
    }

    #[inline(always)]
    fn rows_of_planes(self, planes: &RowPlanes, rows: &[u32; 64], lines: &mut [[u8; COLUMNS + 1]]) {
        for (part, rows) in rows.as_chunks::<16>().0.iter().enumerate() {
            for piece in 0..COLUMNS / 16 {
                let v: [V128; 16] =
                    array!(|i| self.planes_to_column(planes.column(16 * piece + i), part));
                let v = transpose_bytes(v, V128::unpack_bytes);
                for (v, &row) in v.into_iter().zip(rows) {
                    if let Some(line) = lines.get_mut(row as usize) {
                        line.as_chunks_mut().0[piece] = v.to_bytes();
                    }
                }
            }
            let column = self.planes_to_column(planes.column(COLUMNS - 1), part);
            for (byte, &row) in column.to_bytes().into_iter().zip(rows) {
                if let Some(line) = lines.get_mut(row as usize) {
                    line[COLUMNS - 1] = byte;
                }
            }
        }
    }
}
