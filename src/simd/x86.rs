//! The levels of x86-64.

use super::{COLUMNS, Isa, Lanes, Line, Row, RowPlanes, Vector};
use std::{
    arch::x86_64::*,
    mem::{transmute, zeroed},
};

/// The witness of AVX2 and BMI2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// The witness of AVX-512 F, BW, VL, VBMI and VPOPCNTDQ, and of GFNI and BMI2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(());

impl Avx2 {
    /// The witness, when this CPU has the level.
    pub(crate) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi2");
        has.then_some(Self(()))
    }
}

impl Avx512 {
    /// The witness, when this CPU has the level.
    pub(crate) fn detect() -> Option<Self> {
        let has = Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512vpopcntdq")
            && is_x86_feature_detected!("gfni");
        has.then_some(Self(()))
    }
}

/// 256 lanes.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct V256(__m256i);

/// 512 lanes.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct V512(__m512i);

/// Methods of one expression of intrinsics, each on vectors that only a witness
/// can have made.
macro_rules! methods {
    ($vector:ident: $($name:ident($($arg:ident),*) = $body:expr;)*) => {$(
        #[inline(always)]
        fn $name(self $(, $arg: Self)*) -> Self {
            let a = self.0;
            $(let $arg = $arg.0;)*
            // SAFETY: `self` exists, so a witness does, so the CPU has the level.
            $vector(unsafe { $body(a $(, $arg)*) })
        }
    )*};
}

impl Vector for V256 {
    methods! { V256:
        and(b) = _mm256_and_si256;
        or(b) = _mm256_or_si256;
        xor(b) = _mm256_xor_si256;
        and_not(b) = |a, b| _mm256_andnot_si256(b, a);
        not() = |a| _mm256_xor_si256(a, _mm256_set1_epi64x(-1));
    }

    #[inline(always)]
    fn unset(&mut self, lane: usize) {
        // SAFETY: the vector is 4 words. (One of them is written, not all.)
        let words = unsafe { &mut *(&raw mut self.0).cast::<[u64; 4]>() };
        words[lane / 64] &= !(1 << (lane % 64));
    }

    #[inline(always)]
    fn turn_words(self, by: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            let left = _mm256_sllv_epi64(self.0, by.0);
            let back = _mm256_sub_epi64(_mm256_set1_epi64x(64), by.0);
            _mm256_or_si256(left, _mm256_srlv_epi64(self.0, back))
        })
    }

    #[inline(always)]
    fn permute_words(self, from: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe {
            // There is no such instruction for 64 bits: both halves of each.
            let low = _mm256_add_epi64(from.0, from.0);
            let halves = _mm256_or_si256(low, _mm256_slli_epi64::<32>(low));
            let halves = _mm256_add_epi64(halves, _mm256_set1_epi64x(1 << 32));
            _mm256_permutevar8x32_epi32(self.0, halves)
        })
    }

    #[inline(always)]
    fn lanes(self) -> Lanes {
        // SAFETY: four words are as large as the vector, and any bits are words.
        // (No intrinsic, so that it is a store outside of `run` too.)
        let words = unsafe { transmute::<__m256i, [u64; 4]>(self.0) };
        let mut lanes = Lanes::default();
        lanes.0[..4].copy_from_slice(&words);
        lanes
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: as above.
        unsafe { _mm256_testz_si256(self.0, self.0) == 0 }
    }
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
    }

    #[inline(always)]
    fn unset(&mut self, lane: usize) {
        // SAFETY: the vector is 8 words. (One of them is written, not all.)
        let words = unsafe { &mut *(&raw mut self.0).cast::<[u64; 8]>() };
        words[lane / 64] &= !(1 << (lane % 64));
    }

    #[inline(always)]
    fn turn_words(self, by: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_rolv_epi64(self.0, by.0) })
    }

    #[inline(always)]
    fn permute_words(self, from: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_permutexvar_epi64(from.0, self.0) })
    }

    #[inline(always)]
    fn lanes(self) -> Lanes {
        // SAFETY: the eight words are as large as the vector, and any bits are
        // words. (No intrinsic, so that it is a store outside of `run` too.)
        Lanes(unsafe { transmute::<__m512i, [u64; 8]>(self.0) })
    }

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: as above.
        unsafe { _mm512_test_epi64_mask(self.0, self.0) != 0 }
    }
}

impl Isa for Avx512 {
    type V = V512;
    const LANES: usize = 512;

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi")]
        #[target_feature(enable = "avx512vpopcntdq,gfni")]
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        #[inline(never)]
        fn enter<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        // SAFETY: the witness says that the CPU has these features (a CPU with
        // BMI2 and AVX2 has BMI1, POPCNT and LZCNT).
        unsafe { enter(f) }
    }

    #[inline(always)]
    fn zeros(self) -> V512 {
        // SAFETY: bits 0 are a vector. (No intrinsic: see `lanes`.)
        V512(unsafe { zeroed() })
    }

    #[inline(always)]
    fn splat(self, word: u64) -> V512 {
        // SAFETY: the witness.
        V512(unsafe { _mm512_set1_epi64(word as i64) })
    }

    #[inline(always)]
    fn vector(self, lanes: &Lanes) -> V512 {
        // SAFETY: the witness; the words are as large and aligned as the vector.
        V512(unsafe { _mm512_load_si512(lanes.0.as_ptr().cast()) })
    }

    #[inline(always)]
    fn bytes_of_planes(self, planes: &[Lanes; 8], g: usize) -> [u8; 64] {
        // SAFETY: the witness; a vector is 64 bytes.
        unsafe {
            let mut v = _mm512_setzero_si512();
            for (b, plane) in planes.iter().enumerate() {
                v = _mm512_mask_add_epi8(v, plane.0[g], v, _mm512_set1_epi8(1 << b));
            }
            transmute::<__m512i, [u8; 64]>(v)
        }
    }

    #[inline(always)]
    fn column(self, groups: &[RowPlanes; 8], c: usize) -> [V512; 4] {
        let words = std::array::from_fn(
            #[inline(always)]
            |k| {
                let (low, high) = (groups[k].column(c), groups[k + 4].column(c));
                // SAFETY: the witness; twice four words.
                unsafe {
                    let low = _mm256_load_si256(low.as_ptr().cast());
                    let high = _mm256_load_si256(high.as_ptr().cast());
                    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
                }
            },
        );
        transpose_words_512(words).map(V512)
    }

    #[inline(always)]
    fn set_column(self, groups: &mut [RowPlanes; 8], c: usize, lanes: &Lanes, planes: [V512; 4]) {
        let words = transpose_words_512(planes.map(
            #[inline(always)]
            |v| v.0,
        ));
        for (g, (group, &lanes)) in groups.iter_mut().zip(&lanes.0).enumerate() {
            let old = group.column_mut(c);
            // SAFETY: the witness; four words.
            unsafe {
                let new = if g < 4 {
                    _mm512_castsi512_si256(words[g])
                } else {
                    _mm512_extracti64x4_epi64::<1>(words[g - 4])
                };
                let lanes = _mm256_set1_epi64x(lanes as i64);
                let at = old.as_mut_ptr().cast();
                let new = _mm256_ternarylogic_epi64::<0xca>(lanes, new, _mm256_load_si256(at));
                _mm256_store_si256(at, new);
            }
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
        let sets: [_; 4] = std::array::from_fn(
            #[inline(always)]
            |s| {
                planes_of_octets_512(
                    #[inline(always)]
                    |j| {
                        // SAFETY: the witness; 64 of 81 bytes.
                        let load =
                            |row: usize| unsafe { _mm512_loadu_si512(rows[row].as_ptr().cast()) };
                        two_nibbles_512(load(16 * s + j), load(16 * s + j + 8))
                    },
                )
            },
        );
        let [a, b, c, d] = sets;
        for (m, (((a, b), c), d)) in a.into_iter().zip(b).zip(c).zip(d).enumerate() {
            let [[e, f], [g, h]] = [unpack_pairs_512(a, c), unpack_pairs_512(b, d)];
            for (i, [p, q]) in [unpack_pairs_512(e, g), unpack_pairs_512(f, h)]
                .into_iter()
                .enumerate()
            {
                // 128-bit lane l: planes 0 and 1 of column 16l + 2m + i in p, its
                // planes 2 and 3 in q.
                for (half, index) in [[0, 1, 8, 9, 2, 3, 10, 11], [4, 5, 12, 13, 6, 7, 14, 15]]
                    .into_iter()
                    .enumerate()
                {
                    // SAFETY: the witness; any bits are words.
                    planes.pairs[16 * half + 2 * m + i] = unsafe {
                        let index = transmute::<[i64; 8], __m512i>(index);
                        transmute::<__m512i, Pair>(_mm512_permutex2var_epi64(p, index, q))
                    };
                }
            }
        }

        let sets: [_; 2] = std::array::from_fn(
            #[inline(always)]
            |s| {
                planes_of_octets_512(
                    #[inline(always)]
                    |j| {
                        let load = |row: usize| {
                            // SAFETY: the witness; the last 32 of 81 bytes.
                            let load = |row: usize| unsafe {
                                _mm256_loadu_si256(rows[row].as_ptr().add(COLUMNS - 32).cast())
                            };
                            let (low, high) = (load(row), load(row + 32));
                            // SAFETY: the witness.
                            unsafe { _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high) }
                        };
                        two_nibbles_512(load(16 * s + j), load(16 * s + j + 8))
                    },
                )
            },
        );
        // 128-bit lane 2k + l of vector n: column 49 + 16l + n of rows from 32k on.
        let [mut low, mut high] = [[self.zeros().0; 8]; 2];
        for m in 0..4 {
            [low[2 * m], low[2 * m + 1]] = unpack_pairs_512(sets[0][m], sets[1][m]);
            [high[2 * m], high[2 * m + 1]] = unpack_pairs_512(sets[0][m + 4], sets[1][m + 4]);
        }
        let pair = |low, index: &Bytes, high| {
            // SAFETY: the witness; 64 bytes; any bits are words.
            unsafe {
                let index = _mm512_load_si512(index.0.as_ptr().cast());
                transmute::<__m512i, Pair>(_mm512_permutex2var_epi8(low, index, high))
            }
        };
        for i in 0..8 {
            planes.pairs[32 + i] = pair(low[i], &LAST_COLUMNS, high[i]);
        }
        planes.pairs[40] = pair(high[7], &COLUMN_64, high[7]);
    }

    /// The way back, with two rows in each byte again.
    #[inline(always)]
    fn rows_of_planes(self, planes: &RowPlanes, rows: &[u32; 64], lines: &mut [Line]) {
        // Where each row goes, those that are left out to a spare line.
        let mut spare: Line = [0; COLUMNS + 1];
        let (spare, count, lines) = (&raw mut spare, lines.len(), lines.as_mut_ptr());
        let to = rows.map(|row| match row as usize {
            // SAFETY: it is less than their number.
            row if row < count => unsafe { lines.add(row) },
            _ => spare,
        });
        let a = rows_of_pairs_512(&planes.pairs[..16]);
        let b = rows_of_pairs_512(&planes.pairs[16..32]);
        let c = rows_of_pairs_512(&planes.pairs[32..]);
        for j in 0..16 {
            // SAFETY: the witness.
            let row = unsafe {
                [
                    _mm512_shuffle_i64x2::<0x44>(a[j], b[j]),
                    _mm512_shuffle_i64x2::<0xee>(a[j], b[j]),
                ]
            };
            for (k, (row, index)) in row.into_iter().zip(&LAST_OF_ROW).enumerate() {
                let r = 32 * k + j / 8 * 16 + j % 8;
                // SAFETY: the witness; each pointer is to 82 bytes that are
                // borrowed mutably here, or to the spare ones.
                unsafe {
                    let index = _mm512_load_si512(index.0.as_ptr().cast());
                    let last = _mm512_permutex2var_epi8(row, index, c[j]);
                    let last = _mm512_castsi512_si256(last);
                    for (to, nibble) in [(to[r], LOW_NIBBLE), (to[r + 8], HIGH_NIBBLE)] {
                        let nibbles = _mm512_set1_epi64(nibble);
                        let text = _mm512_gf2p8affine_epi64_epi8::<0x30>(row, nibbles);
                        _mm512_storeu_si512(to.cast(), text);
                        let nibbles = _mm256_set1_epi64x(nibble);
                        let text = _mm256_gf2p8affine_epi64_epi8::<0x30>(last, nibbles);
                        _mm256_storeu_si256(to.cast::<u8>().add(COLUMNS - 32).cast(), text);
                    }
                }
            }
        }
    }
}

/// Two columns of [`RowPlanes`].
type Pair = [[u64; 4]; 2];

/// An index of bytes.
#[repr(align(64))]
struct Bytes([u8; 64]);

/// Byte `i` is `index(i)` of it.
macro_rules! bytes {
    (|$i:ident| $index:expr) => {{
        let mut bytes = [0; 64];
        let mut $i = 0;
        while $i < 64 {
            bytes[$i] = ($index) as u8;
            $i += 1;
        }
        Bytes(bytes)
    }};
}

/// Word `4h + b`, byte `o` (plane `b` of octet `o` of rows): from half `h` of two
/// vectors, there from the odd lanes.
static LAST_COLUMNS: Bytes = bytes!(|i| i / 32 * 64 + i % 8 / 4 * 32 + 16 + i / 8 % 4 * 4 + i % 4);

/// The same from the even lanes, of one vector.
static COLUMN_64: Bytes = bytes!(|i| i % 8 / 4 * 32 + i / 8 % 4 * 4 + i % 4);

/// Byte `7 - 4e - b` of word `o`, half `h` (plane `b` of octet `2o + e`): the
/// planes of eight rows, and of the eight below them, backwards (see
/// [`transpose_octets_512`]), the halves in 128-bit lanes in turn.
static OCTETS_OF_PAIR: Bytes =
    bytes!(|i| i / 16 % 2 * 32 + (3 - i % 4) * 8 + i / 32 * 4 + i / 8 % 2 * 2 + (7 - i % 8) / 4);

/// The last 32 columns of a row: the first 15 from its first 64, the others from
/// the low or the high half of a vector.
static LAST_OF_ROW: [Bytes; 2] = [
    bytes!(|i| last_of_row(i % 32)),
    bytes!(|i| last_of_row(i % 32) + if i % 32 < 15 { 0 } else { 32 }),
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
const ONE_BYTE_EACH: i64 = 0x8040_2010_0804_0201_u64 as i64;

/// Bits `b` and `4 + b` of bytes `2b` and `2b + 1`.
const NIBBLES_IN_TURN: i64 = 0x8008_4004_2002_1001_u64 as i64;

/// The matrices that take the low and the high four bits of a byte.
const LOW_NIBBLE: i64 = 0x0102_0408_0000_0000;
const HIGH_NIBBLE: i64 = 0x1020_4080_0000_0000;

/// Transposes 8 x 8 bits in every word: bit `j` of byte `i` comes from byte
/// `7 - j`, and there from the bit that `bits` has in byte `i`.
#[inline(always)]
fn transpose_octets_512(bits: i64, v: __m512i) -> __m512i {
    // SAFETY: called with a witness only.
    unsafe { _mm512_gf2p8affine_epi64_epi8::<0>(_mm512_set1_epi64(bits), v) }
}

/// The low four bits of bytes, one above the other.
#[inline(always)]
fn two_nibbles_512(low: __m512i, high: __m512i) -> __m512i {
    // SAFETY: called with a witness only.
    unsafe {
        let high = _mm512_slli_epi16::<4>(high);
        _mm512_ternarylogic_epi64::<0xca>(_mm512_set1_epi8(15), low, high)
    }
}

/// Eight rows of two nibbles become octets of planes: those of bytes `2m` and
/// `2m + 1` of each 128-bit lane are in vector `m`, the two nibbles of a plane
/// side by side.
#[inline(always)]
fn planes_of_octets_512(row: impl Fn(usize) -> __m512i) -> [__m512i; 8] {
    // Backwards: see `transpose_octets_512`.
    let mut v: [_; 8] = std::array::from_fn(
        #[inline(always)]
        |j| row(7 - j),
    );
    for _ in 0..3 {
        v = std::array::from_fn(
            #[inline(always)]
            |i| unpack_bytes_512(v[i / 2], v[i / 2 + 4])[i % 2],
        );
    }
    v.map(
        #[inline(always)]
        |v| transpose_octets_512(NIBBLES_IN_TURN, v),
    )
}

/// Up to sixteen pairs of columns become rows, two nibbles a byte: 128-bit lane
/// `2k + l` of vector `i` holds column `l` of pair `i`, 16 rows from `32k` on and
/// those 8 below them. Then byte `i` of vector `j` is of pair `i` and row `j`.
#[inline(always)]
fn rows_of_pairs_512(pairs: &[Pair]) -> [__m512i; 16] {
    let mut v = std::array::from_fn(
        #[inline(always)]
        |i| {
            // SAFETY: called with a witness only; 64 bytes, aligned as their planes.
            unsafe {
                let Some(pair) = pairs.get(i) else {
                    return _mm512_setzero_si512();
                };
                let pair = _mm512_load_si512(std::ptr::from_ref(pair).cast());
                let index = _mm512_load_si512(OCTETS_OF_PAIR.0.as_ptr().cast());
                transpose_octets_512(ONE_BYTE_EACH, _mm512_permutexvar_epi8(index, pair))
            }
        },
    );
    transpose_bytes(&mut v, unpack_bytes_512);
    v
}

/// Pairs of bytes from two vectors in turn, in each 128-bit lane: of its low
/// half, and of its high half.
#[inline(always)]
fn unpack_pairs_512(a: __m512i, b: __m512i) -> [__m512i; 2] {
    // SAFETY: called with a witness only.
    unsafe { [_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)] }
}

/// Bytes from two vectors in turn, in each 128-bit lane: of its low half, and of
/// its high half.
#[inline(always)]
fn unpack_bytes_512(a: __m512i, b: __m512i) -> [__m512i; 2] {
    // SAFETY: called with a witness only.
    unsafe { [_mm512_unpacklo_epi8(a, b), _mm512_unpackhi_epi8(a, b)] }
}

/// The same for two 128-bit lanes.
#[inline(always)]
fn unpack_bytes_256(a: __m256i, b: __m256i) -> [__m256i; 2] {
    // SAFETY: called with a witness only.
    unsafe { [_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)] }
}

/// Transposes 4 x 4 words, in each half of the vectors.
#[inline(always)]
fn transpose_words_512(v: [__m512i; 4]) -> [__m512i; 4] {
    // SAFETY: called with a witness only.
    unsafe {
        let a = _mm512_unpacklo_epi64(v[0], v[1]);
        let b = _mm512_unpackhi_epi64(v[0], v[1]);
        let c = _mm512_unpacklo_epi64(v[2], v[3]);
        let d = _mm512_unpackhi_epi64(v[2], v[3]);
        let low = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        let high = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        [
            _mm512_permutex2var_epi64(a, low, c),
            _mm512_permutex2var_epi64(b, low, d),
            _mm512_permutex2var_epi64(a, high, c),
            _mm512_permutex2var_epi64(b, high, d),
        ]
    }
}

/// Transposes 4 x 4 words.
#[inline(always)]
fn transpose_words_256(v: [__m256i; 4]) -> [__m256i; 4] {
    // SAFETY: called with a witness only.
    unsafe {
        let a = _mm256_unpacklo_epi64(v[0], v[1]);
        let b = _mm256_unpackhi_epi64(v[0], v[1]);
        let c = _mm256_unpacklo_epi64(v[2], v[3]);
        let d = _mm256_unpackhi_epi64(v[2], v[3]);
        [
            _mm256_permute2x128_si256::<0x20>(a, c),
            _mm256_permute2x128_si256::<0x20>(b, d),
            _mm256_permute2x128_si256::<0x31>(a, c),
            _mm256_permute2x128_si256::<0x31>(b, d),
        ]
    }
}

/// Transposes 16 vectors of 128-bit lanes of bytes: byte `i` of a lane of vector
/// `j` changes places with byte `j` of that lane of vector `i`. Four perfect
/// shuffles.
#[inline(always)]
fn transpose_bytes<V: Copy>(v: &mut [V; 16], unpack: impl Fn(V, V) -> [V; 2]) {
    for _ in 0..4 {
        *v = std::array::from_fn(
            #[inline(always)]
            |i| unpack(v[i / 2], v[i / 2 + 8])[i % 2],
        );
    }
}

/// The low four bits of twice 32 bytes, a plane each: bit `b` is moved to the
/// top of its byte.
#[inline(always)]
fn column_to_planes_256(columns: [__m256i; 2], planes: &mut [u64; 4]) {
    for (b, plane) in planes.iter_mut().enumerate() {
        // SAFETY: called with a witness only.
        let half = |column| unsafe {
            let count = _mm_cvtsi32_si128(7 - b as i32);
            u64::from(_mm256_movemask_epi8(_mm256_sll_epi16(column, count)) as u32)
        };
        *plane = half(columns[0]) | half(columns[1]) << 32;
    }
}

/// Four planes added up to the characters of 32 digits: bit `i` of a word is
/// spread to byte `i`.
#[inline(always)]
fn planes_to_column_256(planes: &[u64; 4], half: usize) -> __m256i {
    // SAFETY: called with a witness only.
    unsafe {
        let spread = _mm256_setr_epi64x(
            0,
            0x0101_0101_0101_0101,
            0x0202_0202_0202_0202,
            0x0303_0303_0303_0303,
        );
        let bit = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
        let mut v = _mm256_set1_epi8(b'0' as i8);
        for (b, plane) in planes.iter().enumerate() {
            let word = (plane >> (32 * half)) as i32;
            let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(word), spread);
            let set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
            v = _mm256_add_epi8(v, _mm256_and_si256(set, _mm256_set1_epi8(1 << b)));
        }
        v
    }
}

impl Isa for Avx2 {
    type V = V256;
    const LANES: usize = 256;

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
        #[inline(never)]
        fn enter<R>(f: impl FnOnce() -> R) -> R {
            f()
        }
        // SAFETY: the witness says that the CPU has these features (a CPU with
        // BMI2 and AVX2 has BMI1, POPCNT and LZCNT).
        unsafe { enter(f) }
    }

    #[inline(always)]
    fn zeros(self) -> V256 {
        // SAFETY: bits 0 are a vector. (No intrinsic: see `lanes`.)
        V256(unsafe { zeroed() })
    }

    #[inline(always)]
    fn splat(self, word: u64) -> V256 {
        // SAFETY: the witness.
        V256(unsafe { _mm256_set1_epi64x(word as i64) })
    }

    #[inline(always)]
    fn vector(self, lanes: &Lanes) -> V256 {
        // SAFETY: the witness; the words are larger than the vector and aligned.
        V256(unsafe { _mm256_load_si256(lanes.0.as_ptr().cast()) })
    }

    #[inline(always)]
    fn column(self, groups: &[RowPlanes; 8], c: usize) -> [V256; 4] {
        transpose_words_256(std::array::from_fn(
            #[inline(always)]
            // SAFETY: the witness; four words.
            |g| unsafe { _mm256_load_si256(groups[g].column(c).as_ptr().cast()) },
        ))
        .map(V256)
    }

    #[inline(always)]
    fn set_column(self, groups: &mut [RowPlanes; 8], c: usize, lanes: &Lanes, planes: [V256; 4]) {
        let words = transpose_words_256(planes.map(
            #[inline(always)]
            |v| v.0,
        ));
        for ((group, &lanes), new) in groups.iter_mut().zip(&lanes.0).zip(words) {
            let old = group.column_mut(c);
            // SAFETY: the witness; four words.
            unsafe {
                let at = old.as_mut_ptr().cast();
                let kept =
                    _mm256_andnot_si256(_mm256_set1_epi64x(lanes as i64), _mm256_load_si256(at));
                let new = _mm256_and_si256(_mm256_set1_epi64x(lanes as i64), new);
                _mm256_store_si256(at, _mm256_or_si256(kept, new));
            }
        }
    }

    #[inline(always)]
    fn planes_of_rows(self, rows: &[&Row; 64], planes: &mut RowPlanes) {
        for piece in 0..COLUMNS / 16 {
            // 128-bit lane k of vector j of half h: columns of row 32h + 16k + j.
            let halves: [[__m256i; 16]; 2] = std::array::from_fn(|h| {
                let mut v = std::array::from_fn(|j| {
                    // SAFETY: the witness; 16 * piece + 16 <= 81.
                    unsafe {
                        let load = |k: usize| {
                            let row = rows[32 * h + 16 * k + j];
                            _mm_loadu_si128(row.as_ptr().add(16 * piece).cast())
                        };
                        _mm256_set_m128i(load(1), load(0))
                    }
                });
                transpose_bytes(&mut v, unpack_bytes_256);
                v
            });
            let [low, high] = halves;
            for (i, columns) in low.into_iter().zip(high).enumerate() {
                column_to_planes_256(columns.into(), planes.column_mut(16 * piece + i));
            }
        }
        let column = rows.map(|row| row[COLUMNS - 1]);
        // SAFETY: the witness; twice 32 bytes.
        let columns = unsafe {
            let at = column.as_ptr();
            [
                _mm256_loadu_si256(at.cast()),
                _mm256_loadu_si256(at.add(32).cast()),
            ]
        };
        column_to_planes_256(columns, planes.column_mut(COLUMNS - 1));
    }

    #[inline(always)]
    fn rows_of_planes(self, planes: &RowPlanes, rows: &[u32; 64], lines: &mut [Line]) {
        for half in 0..2 {
            for piece in 0..COLUMNS / 16 {
                let mut v = std::array::from_fn(|i| {
                    planes_to_column_256(planes.column(16 * piece + i), half)
                });
                transpose_bytes(&mut v, unpack_bytes_256);
                for (j, v) in v.into_iter().enumerate() {
                    // SAFETY: the witness.
                    let texts =
                        unsafe { [_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v)] };
                    for (k, text) in texts.into_iter().enumerate() {
                        let row = rows[32 * half + 16 * k + j] as usize;
                        if let Some(line) = lines.get_mut(row) {
                            // SAFETY: the witness; 16 * piece + 16 <= 81.
                            unsafe {
                                _mm_storeu_si128(line.as_mut_ptr().add(16 * piece).cast(), text);
                            }
                        }
                    }
                }
            }
            let mut bytes = [0u8; 32];
            let column = planes_to_column_256(planes.column(COLUMNS - 1), half);
            // SAFETY: the witness; 32 bytes.
            unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), column) };
            for (byte, &row) in bytes.into_iter().zip(&rows[32 * half..]) {
                if let Some(line) = lines.get_mut(row as usize) {
                    line[COLUMNS - 1] = byte;
                }
            }
        }
    }
}
