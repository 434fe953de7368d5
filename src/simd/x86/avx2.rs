//! The level `avx2`: vectors of 256 bits.

use crate::simd::{COLUMNS, Isa, Lanes, Row, RowPlanes, Vector, array, transpose_bytes};
use std::{arch::x86_64::*, mem::zeroed};

witness! {
    /// The witness of AVX2 and of the operations on words that come with it.
    Avx2: "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
}

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct V256(__m256i);

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct Half(__m128i);

casts! { Avx2, V256(__m256i):
    words, words: [u64; 4];
    bytes, bytes: [u8; 32];
}

casts! { Avx2, Half(__m128i):
    bytes, half: [u8; 16];
}

impl Vector for V256 {
    methods! { V256:
        and(b) = _mm256_and_si256;
        or(b) = _mm256_or_si256;
        xor(b) = _mm256_xor_si256;
        and_not(b) = |a, b| _mm256_andnot_si256(b, a);
        not() = |a| _mm256_xor_si256(a, _mm256_set1_epi64x(-1));
        turn_words(by) = |a, by| {
            let back = _mm256_sub_epi64(_mm256_set1_epi64x(64), by);
            _mm256_or_si256(_mm256_sllv_epi64(a, by), _mm256_srlv_epi64(a, back))
        };
        permute_words(from) = |a, from| {
            // There is no such instruction for 64 bits: both halves of each.
            let low = _mm256_add_epi64(from, from);
            let halves = _mm256_or_si256(low, _mm256_slli_epi64::<32>(low));
            let halves = _mm256_add_epi64(halves, _mm256_set1_epi64x(1 << 32));
            _mm256_permutevar8x32_epi32(a, halves)
        };
    }

    #[inline(always)]
    fn unset(&mut self, lane: usize) {
        // SAFETY: the vector is as large as four words and aligned to more; any
        // bits are words, any words a vector; it is borrowed mutably for as long.
        // (One of the words is written, not all.)
        let words = unsafe { &mut *(&raw mut self.0).cast::<[u64; 4]>() };
        words[lane / 64] &= !(1 << (lane % 64));
    }

    #[inline(always)]
    fn has(&self, lane: usize) -> bool {
        // SAFETY: as for `unset`, but nothing is written.
        let words = unsafe { &*(&raw const self.0).cast::<[u64; 4]>() };
        words[lane / 64] >> (lane % 64) & 1 != 0
    }

    #[inline(always)]
    fn lanes(self) -> Lanes {
        let mut lanes = Lanes::default();
        lanes.0[..4].copy_from_slice(&self.words());
        lanes
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the intrinsic works on registers alone and needs AVX, a part of
        // AVX2, whose witness has made `self`.
        unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
    }
}

impl V256 {
    methods! { V256:
        /// Bytes of two vectors in turn, from the low halves of their 128-bit lanes.
        unpack_low_bytes(b) = _mm256_unpacklo_epi8;
        unpack_high_bytes(b) = _mm256_unpackhi_epi8;
        /// The low words of the 128-bit lanes of two vectors in turn.
        unpack_low_words(b) = _mm256_unpacklo_epi64;
        unpack_high_words(b) = _mm256_unpackhi_epi64;
        low_halves(b) = _mm256_permute2x128_si256::<0x20>;
        high_halves(b) = _mm256_permute2x128_si256::<0x31>;
        /// In each 128-bit lane, byte `i` becomes byte `from[i]`.
        shuffle_bytes(from) = _mm256_shuffle_epi8;
        /// All ones in the bytes that are equal.
        equal_bytes(b) = _mm256_cmpeq_epi8;
        add_bytes(b) = _mm256_add_epi8;
    }

    /// Its low half and its high half as bytes.
    #[inline(always)]
    fn halves(self) -> [[u8; 16]; 2] {
        // SAFETY: the intrinsics work on registers alone and need AVX2, whose
        // witness has made `self`.
        let halves = unsafe {
            [
                _mm256_castsi256_si128(self.0),
                _mm256_extracti128_si256::<1>(self.0),
            ]
        };
        [Half(halves[0]).bytes(), Half(halves[1]).bytes()]
    }

    #[inline(always)]
    fn of_halves(low: Half, high: Half) -> Self {
        // SAFETY: the intrinsic works on registers alone and needs AVX, a part of
        // AVX2, whose witness has made the halves.
        Self(unsafe { _mm256_set_m128i(high.0, low.0) })
    }

    /// Bit `b`, under 8, of every byte.
    #[inline(always)]
    fn bit_of_bytes(self, b: usize) -> u32 {
        // SAFETY: the intrinsics work on registers alone and need AVX2, whose
        // witness has made `self`.
        unsafe {
            // The bit is moved to the top of its byte.
            let count = _mm_cvtsi32_si128(7 - b as i32);
            _mm256_movemask_epi8(_mm256_sll_epi16(self.0, count)) as u32
        }
    }

    /// Bytes of two vectors in turn, see [`transpose_bytes`].
    #[inline(always)]
    fn unpack_bytes(self, b: Self) -> [Self; 2] {
        [self.unpack_low_bytes(b), self.unpack_high_bytes(b)]
    }
}

impl Avx2 {
    /// In both halves of every word, this value.
    #[inline(always)]
    fn splat_half_word(self, half_word: u32) -> V256 {
        // SAFETY: the intrinsic works on registers alone and needs AVX, a part of
        // AVX2, of which `self` is the witness.
        V256(unsafe { _mm256_set1_epi32(half_word as i32) })
    }

    #[inline(always)]
    fn splat_byte(self, byte: u8) -> V256 {
        self.splat(0x0101_0101_0101_0101 * u64::from(byte))
    }

    /// Four planes added up to the characters of 32 digits, those of `half`: bit
    /// `i` of a word is spread to byte `i`.
    #[inline(always)]
    fn planes_to_column(self, planes: &[u64; 4], half: usize) -> V256 {
        let spread = self.words([0, 1, 2, 3].map(|octet| 0x0101_0101_0101_0101 * octet));
        let bit = self.splat(0x8040_2010_0804_0201);
        let mut v = self.splat_byte(b'0');
        for (b, plane) in planes.iter().enumerate() {
            let bytes = self.splat_half_word((plane >> (32 * half)) as u32);
            let bytes = bytes.shuffle_bytes(spread);
            let set = bytes.and(bit).equal_bytes(bit);
            v = v.add_bytes(set.and(self.splat_byte(1 << b)));
        }
        v
    }
}

/// The low four bits of twice 32 bytes, a plane each.
#[inline(always)]
fn column_to_planes(columns: [V256; 2], planes: &mut [u64; 4]) {
    for (b, plane) in planes.iter_mut().enumerate() {
        let [low, high] = columns;
        let [low, high] = [low.bit_of_bytes(b), high.bit_of_bytes(b)].map(u64::from);
        *plane = low | high << 32;
    }
}

#[inline(always)]
fn transpose_words(v: [V256; 4]) -> [V256; 4] {
    let a = v[0].unpack_low_words(v[1]);
    let b = v[0].unpack_high_words(v[1]);
    let c = v[2].unpack_low_words(v[3]);
    let d = v[2].unpack_high_words(v[3]);
    [
        a.low_halves(c),
        b.low_halves(d),
        a.high_halves(c),
        b.high_halves(d),
    ]
}

impl Isa for Avx2 {
    type V = V256;
    const LANES: usize = 256;

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        self.enable(f)
    }

    #[inline(always)]
    fn zeros(self) -> V256 {
        // SAFETY: any bits are a vector, so 0 are. (No intrinsic: see `words`.)
        V256(unsafe { zeroed() })
    }

    #[inline(always)]
    fn splat(self, word: u64) -> V256 {
        // SAFETY: the intrinsic works on registers alone and needs AVX, a part of
        // AVX2, of which `self` is the witness.
        V256(unsafe { _mm256_set1_epi64x(word as i64) })
    }

    #[inline(always)]
    fn vector(self, lanes: &Lanes) -> V256 {
        self.words(*lanes.0.first_chunk().expect("four of eight words"))
    }

    #[inline(always)]
    fn bytes_of_lanes(self, word: u64) -> [u8; 64] {
        // Bit `i` of a word is spread to byte `i`.
        let spread = self.words([0, 1, 2, 3].map(|octet| 0x0101_0101_0101_0101 * octet));
        let bit = self.splat(0x8040_2010_0804_0201);
        let mut bytes = [0; 64];
        for (half, bytes) in bytes.as_chunks_mut::<32>().0.iter_mut().enumerate() {
            let word = self.splat_half_word((word >> (32 * half)) as u32);
            *bytes = word.shuffle_bytes(spread).and(bit).equal_bytes(bit).bytes();
        }
        bytes
    }

    #[inline(always)]
    fn equal_bytes(self, bytes: &[u8; 64], other: &[u8; 64]) -> u64 {
        let (bytes, other) = (bytes.as_chunks().0, other.as_chunks().0);
        let low = self.bytes(bytes[0]).equal_bytes(self.bytes(other[0]));
        let high = self.bytes(bytes[1]).equal_bytes(self.bytes(other[1]));
        u64::from(low.bit_of_bytes(7)) | u64::from(high.bit_of_bytes(7)) << 32
    }

    #[inline(always)]
    fn column(self, groups: &[RowPlanes; 8], c: usize) -> [V256; 4] {
        transpose_words(array!(|g| self.words(*groups[g].column(c))))
    }

    #[inline(always)]
    fn set_column(self, groups: &mut [RowPlanes; 8], c: usize, lanes: &Lanes, planes: [V256; 4]) {
        let words = transpose_words(planes);
        for ((group, &lanes), new) in groups.iter_mut().zip(&lanes.0).zip(words) {
            let column = group.column_mut(c);
            let (lanes, old) = (self.splat(lanes), self.words(*column));
            *column = old.and_not(lanes).or(new.and(lanes)).words();
        }
    }

    #[inline(always)]
    fn planes_of_rows(self, rows: &[&Row; 64], planes: &mut RowPlanes) {
        for piece in 0..COLUMNS / 16 {
            // 128-bit lane k of vector j of half h: columns of row 32h + 16k + j.
            let halves: [[V256; 16]; 2] = array!(|h| {
                let v: [V256; 16] = array!(|j| {
                    let load = |k: usize| {
                        let row = rows[32 * h + 16 * k + j];
                        self.half(row.as_chunks().0[piece])
                    };
                    V256::of_halves(load(0), load(1))
                });
                transpose_bytes(v, V256::unpack_bytes)
            });
            let [low, high] = halves;
            for (i, columns) in low.into_iter().zip(high).enumerate() {
                column_to_planes(columns.into(), planes.column_mut(16 * piece + i));
            }
        }
        let column = rows.map(|row| row[COLUMNS - 1]);
        let (halves, _) = column.as_chunks();
        let columns = [self.bytes(halves[0]), self.bytes(halves[1])];
        column_to_planes(columns, planes.column_mut(COLUMNS - 1));
    }

    #[inline(always)]
    fn rows_of_planes(self, planes: &RowPlanes, rows: &[u32; 64], lines: &mut [[u8; COLUMNS + 1]]) {
        for half in 0..2 {
            for piece in 0..COLUMNS / 16 {
                // A loop: nothing forces the compiler to put `array::from_fn` in line, and
                // with several callers it did not.
                let mut v = [self.splat(0); 16];
                for (i, v) in v.iter_mut().enumerate() {
                    *v = self.planes_to_column(planes.column(16 * piece + i), half);
                }
                let v = transpose_bytes(v, V256::unpack_bytes);
                for (j, v) in v.into_iter().enumerate() {
                    for (k, text) in v.halves().into_iter().enumerate() {
                        let row = rows[32 * half + 16 * k + j] as usize;
                        if let Some(line) = lines.get_mut(row) {
                            line.as_chunks_mut().0[piece] = text;
                        }
                    }
                }
            }
            let column = self.planes_to_column(planes.column(COLUMNS - 1), half);
            for (byte, &row) in column.bytes().into_iter().zip(&rows[32 * half..]) {
                if let Some(line) = lines.get_mut(row as usize) {
                    line[COLUMNS - 1] = byte;
                }
            }
        }
    }
}
