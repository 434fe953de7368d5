//! The level `avx2`: vectors of 256 bits.

use crate::simd::{COLUMNS, Isa, Lanes, Pair, Row, RowPlanes, Vector, array, transpose_bytes};
use std::{arch::x86_64::*, mem::zeroed};

witness! {
    /// The witness of AVX2 and of the operations on words that come with it.
    Avx2: "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
}

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct V256(__m256i);

casts! { Avx2, V256(__m256i):
    words, words: [u64; 4];
    bytes, bytes: [u8; 32];
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

    seen_as_words!(4);

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
        unpack_low_pairs(b) = _mm256_unpacklo_epi16;
        unpack_high_pairs(b) = _mm256_unpackhi_epi16;
        unpack_low_half_words(b) = _mm256_unpacklo_epi32;
        unpack_high_half_words(b) = _mm256_unpackhi_epi32;
        permute_half_words(from) = _mm256_permutevar8x32_epi32;
        /// In each 128-bit lane the first eight bytes, the last byte of `b`, and zeros.
        first_eight_then_last(b) = |a, b| _mm256_unpacklo_epi64(a, _mm256_bsrli_epi128::<15>(b));
        /// In each 128-bit lane all bytes but the first, and then one byte of `b`.
        all_but_first_then(b) = |a, b| _mm256_alignr_epi8::<1>(b, a);
        /// In each 128-bit lane the last eight bytes, and zeros.
        last_eight() = _mm256_bsrli_epi128::<8>;
        /// The low four bits of each byte, which has no others, become the high ones.
        turned_up() = _mm256_slli_epi16::<4>;
        /// The high four bits of each byte become the low ones, and any bits the high ones.
        turned_down() = _mm256_srli_epi16::<4>;
    }

    /// A bit for each byte: its highest.
    #[inline(always)]
    fn top_bits(self) -> u32 {
        // SAFETY: the intrinsic works on registers alone and needs AVX2, whose
        // witness has made `self`.
        unsafe { _mm256_movemask_epi8(self.0) as u32 }
    }

    /// Bits that `mask` has change places with those `BY` above them.
    #[inline(always)]
    fn swap_bits<const BY: i32>(self, mask: Self) -> Self {
        // SAFETY: the intrinsics work on registers alone and need AVX2, whose
        // witness has made `self`.
        unsafe {
            let down = Self(_mm256_srli_epi64::<BY>(self.0));
            let moved = self.xor(down).and(mask);
            let up = Self(_mm256_slli_epi64::<BY>(moved.0));
            self.xor(moved).xor(up)
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

    /// The low four bits of bytes, those of `high` above the others.
    #[inline(always)]
    fn two_nibbles(self, low: V256, high: V256) -> V256 {
        let nibble = self.splat_byte(15);
        low.and(nibble).or(high.and(nibble).turned_up())
    }

    /// The characters of two digits in each byte, those in the low bits and those in the high ones.
    #[inline(always)]
    fn text_of_nibbles(self, digits: V256) -> [V256; 2] {
        let (nibble, zero) = (self.splat_byte(15), self.splat_byte(b'0'));
        [
            digits.and(nibble).or(zero),
            digits.turned_down().and(nibble).or(zero),
        ]
    }

    /// The planes of the 32 columns from `FIRST` on. Of the last 32, the first 15 have theirs already.
    #[inline(always)]
    fn planes_of_set<const FIRST: usize>(self, rows: &[&Row; 64], pairs: &mut [Pair]) {
        let halves: [[V256; 16]; 2] = array!(|h| {
            let v: [V256; 16] = array!(|j| {
                let of_row: [V256; 2] = array!(|k| {
                    let row = rows[32 * h + 16 * k + j];
                    self.bytes(*row[FIRST..].first_chunk().expect("32 columns"))
                });
                let [row, other] = of_row;
                let (low, high) = (row.low_halves(other), row.high_halves(other));
                if FIRST.is_multiple_of(32) {
                    self.two_nibbles(low, high)
                } else {
                    // Columns 65 to 72 and 64, and the last eight above them.
                    self.two_nibbles(high.first_eight_then_last(low), high.last_eight())
                }
            });
            transpose_bytes(v, V256::unpack_bytes)
        });
        let [upper, lower] = halves;
        for (pair, (upper, lower)) in pairs.iter_mut().zip(upper.into_iter().zip(lower)) {
            *pair = self.planes_of_pair(upper, lower);
        }
    }

    /// The bytes of twice 32 rows become the eight planes that are their bits.
    #[inline(always)]
    fn planes_of_pair(self, upper: V256, lower: V256) -> Pair {
        // Bytes 0 to 3 of all words, and bytes 4 to 7 of all; then byte 0 of four words, byte 1, ...
        let halves = self.words([0, 4, 1, 5].map(|i| i | (i + 2) << 32));
        let in_turn = self.bytes(array!(|i| (i % 16 / 4 + i % 4 * 4) as u8));
        let [upper, lower]: [V256; 2] = array!(|h| {
            let planes = self.transpose_octets([upper, lower][h]);
            planes.permute_half_words(halves).shuffle_bytes(in_turn)
        });
        let (a, b) = (
            upper.unpack_low_half_words(lower),
            upper.unpack_high_half_words(lower),
        );
        [a.low_halves(b).words(), a.high_halves(b).words()]
    }

    /// The inverse.
    #[inline(always)]
    fn rows_of_pair(self, pair: &Pair) -> [V256; 2] {
        let [a, b] = [self.words(pair[0]), self.words(pair[1])];
        let in_turn = self.bytes(array!(|i| (i % 16 / 2 + i % 2 * 8) as u8));
        let (a, b) = (a.low_halves(b), a.high_halves(b));
        let (a, b) = (a.shuffle_bytes(in_turn), b.shuffle_bytes(in_turn));
        let halves = self.words([0, 1, 2, 3].map(|i| i | (i + 4) << 32));
        let octets = [a.unpack_low_pairs(b), a.unpack_high_pairs(b)];
        array!(|h| self.transpose_octets(octets[h].permute_half_words(halves)))
    }

    /// Transposes 8 x 8 bits in every word, see [`transpose_bits`](crate::simd::transpose_bits).
    #[inline(always)]
    fn transpose_octets(self, v: V256) -> V256 {
        let v = v.swap_bits::<7>(self.splat(0x00aa_00aa_00aa_00aa));
        let v = v.swap_bits::<14>(self.splat(0x0000_cccc_0000_cccc));
        v.swap_bits::<28>(self.splat(0x0000_0000_f0f0_f0f0))
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
    const REGISTERS: usize = 16;

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
        u64::from(low.top_bits()) | u64::from(high.top_bits()) << 32
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

    /// For 32 columns at a time, two in each byte, as they stand in [`RowPlanes`]:
    ///
    /// ```text
    ///     vector           byte i: the two columns of pair i, of row r and of row r + 16
    ///         |  sixteen vectors, four perfect shuffles of bytes
    ///     vector           the two columns of a pair, of 32 rows
    ///         |  each 8 x 8 bits transposed
    ///     eight bytes      the eight planes of a pair, of eight rows
    ///         |  two vectors, bytes shuffled
    ///     pair             the planes of 64 rows
    /// ```
    #[inline(always)]
    fn planes_of_rows(self, rows: &[&Row; 64], planes: &mut RowPlanes) {
        self.planes_of_set::<0>(rows, &mut planes.pairs[..16]);
        self.planes_of_set::<32>(rows, &mut planes.pairs[16..32]);
        self.planes_of_set::<{ COLUMNS - 32 }>(rows, &mut planes.pairs[32..]);
    }

    /// The way back, with two columns in each byte again.
    #[inline(always)]
    fn rows_of_planes(self, planes: &RowPlanes, rows: &[u32; 64], lines: &mut [[u8; COLUMNS + 1]]) {
        // Rows that are left out are written to a spare line.
        let mut spare = [0; COLUMNS + 1];
        let mut sets = [[[self.zeros(); 16]; 2]; 3];
        for (halves, pairs) in sets.iter_mut().zip(planes.pairs.chunks(16)) {
            for (i, pair) in pairs.iter().enumerate() {
                [halves[0][i], halves[1][i]] = self.rows_of_pair(pair);
            }
            for half in halves {
                *half = transpose_bytes(*half, V256::unpack_bytes);
            }
        }
        for half in 0..2 {
            for j in 0..16 {
                let [first, second, last] = array!(|set| self.text_of_nibbles(sets[set][half][j]));
                // Columns 49 to 63 and 64, and the others after them.
                let last = [
                    second[1].all_but_first_then(last[0].last_eight()),
                    last[0].unpack_low_words(last[1]),
                ];
                for k in 0..2 {
                    let line = lines
                        .get_mut(rows[32 * half + 16 * k + j] as usize)
                        .unwrap_or(&mut spare);
                    let text = |[low, high]: [V256; 2]| match k {
                        0 => low.low_halves(high).bytes(),
                        _ => low.high_halves(high).bytes(),
                    };
                    *line.first_chunk_mut().expect("32 of 82 bytes") = text(first);
                    *line[32..].first_chunk_mut().expect("32 of 50 bytes") = text(second);
                    let (_, columns) = line[..COLUMNS].split_at_mut(COLUMNS - 32);
                    columns.copy_from_slice(&text(last));
                }
            }
        }
    }
}
