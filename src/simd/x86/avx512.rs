//! The level `avx512`: vectors of 512 bits, three-operand logic, and bits
//! transposed by GFNI.

use crate::simd::{COLUMNS, Isa, Lanes, Pair, Row, RowPlanes, Vector, array, transpose_bytes};
use std::{arch::x86_64::*, mem::zeroed};

witness! {
    /// The witness of AVX-512 F, BW, VL, VBMI and VPOPCNTDQ, of GFNI, and of what
    /// the level below asks for. (To the compiler AVX-512 F brings AVX2, F16C and
    /// FMA with it, so these are looked for too.)
    Avx512: "avx512f" "avx512bw" "avx512vl" "avx512vbmi" "avx512vpopcntdq" "gfni"
        "avx2" "f16c" "fma" "bmi1" "bmi2" "lzcnt" "popcnt"
}

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct V512(__m512i);

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
struct Half(__m256i);

casts! { Avx512, V512(__m512i):
    words, words: [u64; 8];
    bytes, bytes: [u8; 64];
    pair, pair: Pair;
}

casts! { Avx512, Half(__m256i):
    words, half_words: [u64; 4];
    bytes, half_bytes: [u8; 32];
}

/// Three-operand logic: the truth table's bit `4a + 2b + c`.
macro_rules! ternary {
    ($table:literal) => {
        |a, b, c| _mm512_ternarylogic_epi64::<$table>(a, b, c)
    };
}

impl Vector for V512 {
    methods! { V512:
        and(b) = _mm512_and_si512;
        or(b) = _mm512_or_si512;
        xor(b) = _mm512_xor_si512;
        and_not(b) = |a, b| _mm512_andnot_si512(b, a);
        not() = |a| _mm512_ternarylogic_epi64::<0x0f>(a, a, a);
        and3(b, c) = ternary!(0x80);
        or3(b, c) = ternary!(0xfe);
        xor3(b, c) = ternary!(0x96);
        majority(b, c) = ternary!(0xe8);
        or_and(b, c) = ternary!(0xf8);
        or_and_not(b, c) = ternary!(0xf4);
        and_nand(b, c) = ternary!(0x70);
        and_implies(b, c) = ternary!(0xb0);
        nor(b) = |a, b| _mm512_ternarylogic_epi64::<0x11>(a, a, b);
        or_nor(b, c) = ternary!(0xf1);
        or_nand(b, c) = ternary!(0xf7);
        or_xor(b, c) = ternary!(0xf6);
        select(b, c) = ternary!(0xca);
        less(b, c) = ternary!(0x8e);
        turn_words(by) = _mm512_rolv_epi64;
        permute_words(from) = |a, from| _mm512_permutexvar_epi64(from, a);
    }

    seen_as_words!(8);

    #[inline(always)]
    fn lanes(self) -> Lanes {
        Lanes(self.words())
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the intrinsic works on registers alone and needs AVX-512 F,
        // whose witness has made `self`.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) != 0 }
    }
}

impl V512 {
    methods! { V512:
        /// Bytes of two vectors in turn, from the low halves of their 128-bit lanes.
        unpack_low_bytes(b) = _mm512_unpacklo_epi8;
        unpack_high_bytes(b) = _mm512_unpackhi_epi8;
        /// Pairs of bytes of two vectors in turn, from the low halves of their
        /// 128-bit lanes.
        unpack_low_pairs(b) = _mm512_unpacklo_epi16;
        unpack_high_pairs(b) = _mm512_unpackhi_epi16;
        /// The low words of the 128-bit lanes of two vectors in turn.
        unpack_low_words(b) = _mm512_unpacklo_epi64;
        unpack_high_words(b) = _mm512_unpackhi_epi64;
        /// The first two 128-bit lanes of two vectors.
        low_halves(b) = _mm512_shuffle_i64x2::<0x44>;
        high_halves(b) = _mm512_shuffle_i64x2::<0xee>;
        /// Byte `i` becomes byte `from[i]`, under 64.
        permute_bytes(from) = |a, from| _mm512_permutexvar_epi8(from, a);
        /// The same of two vectors, `from[i]` under 128.
        permute_bytes_of_two(from, b) = _mm512_permutex2var_epi8;
        /// Word `i` becomes word `from[i]`, under 16, of two vectors.
        permute_words_of_two(from, b) = _mm512_permutex2var_epi64;
        /// The low four bits of bytes, those of `high` above the others.
        two_nibbles(high) = |low, high| {
            let high = _mm512_slli_epi16::<4>(high);
            _mm512_ternarylogic_epi64::<0xca>(_mm512_set1_epi8(15), low, high)
        };
        /// Transposes 8 x 8 bits in every word: bit `j` of byte `i` comes from byte
        /// `7 - j`, and there from the bit that `bits` has in byte `i`.
        transpose_octets(bits) = |v, bits| _mm512_gf2p8affine_epi64_epi8::<0>(bits, v);
        /// The character of a digit in four bits of each byte, those that the 8 x 8
        /// bits of `nibble` take.
        text(nibble) = _mm512_gf2p8affine_epi64_epi8::<0x30>;
    }

    #[inline(always)]
    fn of_halves(low: Half, high: Half) -> Self {
        // SAFETY: the intrinsics work on registers alone and need AVX-512 F, whose
        // witness has made the halves; of the cast one they use only the low half,
        // and set the other.
        Self(unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low.0), high.0) })
    }

    #[inline(always)]
    fn low_half(self) -> Half {
        // SAFETY: the intrinsic works on registers alone and needs AVX-512 F,
        // whose witness has made `self`.
        Half(unsafe { _mm512_castsi512_si256(self.0) })
    }

    #[inline(always)]
    fn high_half(self) -> Half {
        // SAFETY: the intrinsic works on registers alone and needs AVX-512 F,
        // whose witness has made `self`.
        Half(unsafe { _mm512_extracti64x4_epi64::<1>(self.0) })
    }

    /// Adds a number to the bytes that `mask` has.
    #[inline(always)]
    fn add_where(self, mask: u64, byte: u8) -> Self {
        // SAFETY: the intrinsics work on registers alone and need AVX-512 F and BW,
        // whose witness has made `self`.
        Self(unsafe { _mm512_mask_add_epi8(self.0, mask, self.0, _mm512_set1_epi8(byte as i8)) })
    }

    /// A bit for each byte: whether it is equal to that of `b`.
    #[inline(always)]
    fn equal_to(self, b: Self) -> u64 {
        // SAFETY: the intrinsic works on registers alone and needs AVX-512 BW, whose
        // witness has made the vectors.
        unsafe { _mm512_cmpeq_epi8_mask(self.0, b.0) }
    }

    /// Bytes of two vectors in turn, see [`transpose_bytes`].
    #[inline(always)]
    fn unpack_bytes(self, b: Self) -> [Self; 2] {
        [self.unpack_low_bytes(b), self.unpack_high_bytes(b)]
    }

    /// The same of pairs of bytes.
    #[inline(always)]
    fn unpack_pairs(self, b: Self) -> [Self; 2] {
        [self.unpack_low_pairs(b), self.unpack_high_pairs(b)]
    }
}

impl Half {
    methods! { Half:
        /// `b` where the mask `self` is set, else `c`.
        select(b, c) = |a, b, c| _mm256_ternarylogic_epi64::<0xca>(a, b, c);
        text(nibble) = _mm256_gf2p8affine_epi64_epi8::<0x30>;
    }
}

impl Avx512 {
    #[inline(always)]
    fn index(self, index: &Index) -> V512 {
        self.bytes(index.0)
    }

    /// In every word of half a vector, this value.
    #[inline(always)]
    fn splat_half(self, word: u64) -> Half {
        self.splat(word).low_half()
    }

    /// Eight rows of two nibbles become octets of planes: those of bytes `2m` and
    /// `2m + 1` of each 128-bit lane are in vector `m`, the two nibbles of a plane
    /// side by side.
    #[inline(always)]
    fn planes_of_octets(self, row: impl Fn(usize) -> V512) -> [V512; 8] {
        // Backwards: see `V512::transpose_octets`.
        let rows: [V512; 8] = array!(|j| row(7 - j));
        let octets = transpose_bytes(rows, V512::unpack_bytes);
        array!(|m| octets[m].transpose_octets(self.splat(NIBBLES_IN_TURN)))
    }

    /// Up to sixteen pairs of columns become rows, two nibbles a byte: 128-bit lane
    /// `2k + l` of vector `i` holds column `l` of pair `i`, 16 rows from `32k` on and
    /// those 8 below them. Then byte `i` of vector `j` is of pair `i` and row `j`.
    #[inline(always)]
    fn rows_of_pairs(self, pairs: &[Pair]) -> [V512; 16] {
        let octets: [V512; 16] = array!(|i| {
            let Some(&pair) = pairs.get(i) else {
                return self.zeros();
            };
            let octets = self.pair(pair).permute_bytes(self.index(&OCTETS_OF_PAIR));
            octets.transpose_octets(self.splat(ONE_BYTE_EACH))
        });
        transpose_bytes(octets, V512::unpack_bytes)
    }

    /// Transposes 4 x 4 words, in each half of the vectors.
    #[inline(always)]
    fn transpose_words(self, v: [V512; 4]) -> [V512; 4] {
        let a = v[0].unpack_low_words(v[1]);
        let b = v[0].unpack_high_words(v[1]);
        let c = v[2].unpack_low_words(v[3]);
        let d = v[2].unpack_high_words(v[3]);
        let low = self.words([0, 1, 8, 9, 4, 5, 12, 13]);
        let high = self.words([2, 3, 10, 11, 6, 7, 14, 15]);
        [
            a.permute_words_of_two(low, c),
            b.permute_words_of_two(low, d),
            a.permute_words_of_two(high, c),
            b.permute_words_of_two(high, d),
        ]
    }
}

/// Numbers of bytes, one of 64 or one of 128 for each of 64 bytes.
#[repr(align(64))]
struct Index([u8; 64]);

/// Byte `i` is `index(i)` of it.
macro_rules! index {
    (|$i:ident| $index:expr) => {{
        let mut bytes = [0; 64];
        let mut $i = 0;
        while $i < 64 {
            bytes[$i] = ($index) as u8;
            $i += 1;
        }
        Index(bytes)
    }};
}

/// Word `4h + b`, byte `o` (plane `b` of octet `o` of rows): from half `h` of two
/// vectors, there from the odd lanes.
static LAST_COLUMNS: Index = index!(|i| i / 32 * 64 + i % 8 / 4 * 32 + 16 + i / 8 % 4 * 4 + i % 4);

/// The same from the even lanes, of one vector.
static COLUMN_64: Index = index!(|i| i % 8 / 4 * 32 + i / 8 % 4 * 4 + i % 4);

/// Byte `7 - 4e - b` of word `o`, half `h` (plane `b` of octet `2o + e`): the
/// planes of eight rows, and of the eight below them, backwards (see
/// [`V512::transpose_octets`]), the halves in 128-bit lanes in turn.
static OCTETS_OF_PAIR: Index =
    index!(|i| i / 16 % 2 * 32 + (3 - i % 4) * 8 + i / 32 * 4 + i / 8 % 2 * 2 + (7 - i % 8) / 4);

/// The last 32 columns of a row: the first 15 from its first 64, the others from
/// the low or the high half of a vector.
static LAST_OF_ROW: [Index; 2] = [
    index!(|i| last_of_row(i % 32)),
    index!(|i| last_of_row(i % 32) + if i % 32 < 15 { 0 } else { 32 }),
];

const fn last_of_row(i: usize) -> usize {
    match i {
        0..15 => COLUMNS - 32 + i,
        15 => 64 + 8,
        16..24 => 64 + i - 16,
        _ => 64 + 16 + i - 24,
    }
}

/// Bit `i` of byte `i`.
const ONE_BYTE_EACH: u64 = 0x8040_2010_0804_0201;

/// Bits `b` and `4 + b` of bytes `2b` and `2b + 1`.
const NIBBLES_IN_TURN: u64 = 0x8008_4004_2002_1001;

/// The matrices that take the low and the high four bits of a byte.
const LOW_NIBBLE: u64 = 0x0102_0408_0000_0000;
const HIGH_NIBBLE: u64 = 0x1020_4080_0000_0000;

impl Isa for Avx512 {
    type V = V512;
    const LANES: usize = 512;
    const REGISTERS: usize = 32;

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        self.enable(f)
    }

    #[inline(always)]
    fn zeros(self) -> V512 {
        // SAFETY: any bits are a vector, so 0 are. (No intrinsic: see
        // `V512::words`.)
        V512(unsafe { zeroed() })
    }

    #[inline(always)]
    fn splat(self, word: u64) -> V512 {
        // SAFETY: the intrinsic works on registers alone and needs AVX-512 F, of
        // which `self` is the witness.
        V512(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    fn vector(self, lanes: &Lanes) -> V512 {
        self.words(lanes.0)
    }

    #[inline(always)]
    fn bytes_of_lanes(self, word: u64) -> [u8; 64] {
        self.zeros().add_where(word, 0xff).bytes()
    }

    #[inline(always)]
    fn equal_bytes(self, bytes: &[u8; 64], other: &[u8; 64]) -> u64 {
        self.bytes(*bytes).equal_to(self.bytes(*other))
    }

    #[inline(always)]
    fn bytes_of_planes(self, planes: &[Lanes; 8], g: usize) -> [u8; 64] {
        let mut v = self.zeros();
        for (b, plane) in planes.iter().enumerate() {
            v = v.add_where(plane.0[g], 1 << b);
        }
        v.bytes()
    }

    #[inline(always)]
    fn column(self, groups: &[RowPlanes; 8], c: usize) -> [V512; 4] {
        self.transpose_words(array!(|k| {
            let (low, high) = (groups[k].column(c), groups[k + 4].column(c));
            V512::of_halves(self.half_words(*low), self.half_words(*high))
        }))
    }

    #[inline(always)]
    fn set_column(self, groups: &mut [RowPlanes; 8], c: usize, lanes: &Lanes, planes: [V512; 4]) {
        let words = self.transpose_words(planes);
        for (g, (group, &lanes)) in groups.iter_mut().zip(&lanes.0).enumerate() {
            let new = if g < 4 {
                words[g].low_half()
            } else {
                words[g - 4].high_half()
            };
            let column = group.column_mut(c);
            let (lanes, old) = (self.splat_half(lanes), self.half_words(*column));
            *column = lanes.select(new, old).words();
        }
    }

    /// For the first 64 columns, and then for the last 32 of two rows at a time:
    ///
    /// ```text
    ///     vector           byte c: column c of row r, and of row r + 8 above it
    ///         |  eight vectors, three perfect shuffles of bytes
    ///     eight bytes      column c of eight rows, and of eight rows
    ///         |  each 8 x 8 bits transposed
    ///     eight bytes      a plane of eight rows each
    ///         |  several vectors, perfect shuffles of pairs of bytes
    ///     eight bytes      a plane of 64 rows
    /// ```
    #[inline(always)]
    fn planes_of_rows(self, rows: &[&Row; 64], planes: &mut RowPlanes) {
        let sets: [_; 4] = array!(|s| {
            self.planes_of_octets(
                #[inline(always)]
                |j| {
                    let load = |row: usize| {
                        self.bytes(*rows[row].first_chunk().expect("64 of 81 columns"))
                    };
                    load(16 * s + j).two_nibbles(load(16 * s + j + 8))
                },
            )
        });
        let [a, b, c, d] = sets;
        for (m, (((a, b), c), d)) in a.into_iter().zip(b).zip(c).zip(d).enumerate() {
            let [[e, f], [g, h]] = [a.unpack_pairs(c), b.unpack_pairs(d)];
            for (i, [p, q]) in [e.unpack_pairs(g), f.unpack_pairs(h)]
                .into_iter()
                .enumerate()
            {
                // 128-bit lane l: planes 0 and 1 of column 16l + 2m + i in p, its
                // planes 2 and 3 in q.
                for (half, index) in [[0, 1, 8, 9, 2, 3, 10, 11], [4, 5, 12, 13, 6, 7, 14, 15]]
                    .into_iter()
                    .enumerate()
                {
                    let pair = p.permute_words_of_two(self.words(index), q);
                    planes.pairs[16 * half + 2 * m + i] = pair.pair();
                }
            }
        }

        let sets: [_; 2] = array!(|s| {
            self.planes_of_octets(
                #[inline(always)]
                |j| {
                    let half = |row: usize| {
                        self.half_bytes(*rows[row].last_chunk().expect("32 of 81 columns"))
                    };
                    let load = |row: usize| V512::of_halves(half(row), half(row + 32));
                    load(16 * s + j).two_nibbles(load(16 * s + j + 8))
                },
            )
        });
        // 128-bit lane 2k + l of vector n: column 49 + 16l + n of rows from 32k on.
        let [mut low, mut high] = [[self.zeros(); 8]; 2];
        for m in 0..4 {
            [low[2 * m], low[2 * m + 1]] = sets[0][m].unpack_pairs(sets[1][m]);
            [high[2 * m], high[2 * m + 1]] = sets[0][m + 4].unpack_pairs(sets[1][m + 4]);
        }
        let last_columns = self.index(&LAST_COLUMNS);
        for (i, (low, high)) in low.into_iter().zip(high).enumerate() {
            planes.pairs[32 + i] = low.permute_bytes_of_two(last_columns, high).pair();
        }
        planes.pairs[40] = high[7].permute_bytes(self.index(&COLUMN_64)).pair();
    }

    /// The way back, with two rows in each byte again.
    #[inline(always)]
    fn rows_of_planes(self, planes: &RowPlanes, rows: &[u32; 64], lines: &mut [[u8; COLUMNS + 1]]) {
        // Rows that are left out are written to a spare line.
        let mut spare = [0; COLUMNS + 1];
        let a = self.rows_of_pairs(&planes.pairs[..16]);
        let b = self.rows_of_pairs(&planes.pairs[16..32]);
        let c = self.rows_of_pairs(&planes.pairs[32..]);
        for j in 0..16 {
            let row = [a[j].low_halves(b[j]), a[j].high_halves(b[j])];
            for (k, (row, index)) in row.into_iter().zip(&LAST_OF_ROW).enumerate() {
                let r = 32 * k + j / 8 * 16 + j % 8;
                let last = row.permute_bytes_of_two(self.index(index), c[j]).low_half();
                for (r, nibble) in [(r, LOW_NIBBLE), (r + 8, HIGH_NIBBLE)] {
                    let line = lines.get_mut(rows[r] as usize).unwrap_or(&mut spare);
                    let text = row.text(self.splat(nibble)).bytes();
                    *line.first_chunk_mut().expect("64 of 82 bytes") = text;
                    let text = last.text(self.splat_half(nibble)).bytes();
                    let (_, columns) = line[..COLUMNS].split_at_mut(COLUMNS - 32);
                    columns.copy_from_slice(&text);
                }
            }
        }
    }
}
