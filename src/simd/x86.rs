//! The levels of x86-64.

use super::{Isa, Lanes, Vector};
use std::{
    arch::x86_64::*,
    mem::{transmute, zeroed},
};

/// The witness of AVX2 and BMI2.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// The witness of AVX-512 F, BW, VL, VBMI, VBMI2, and BMI2.
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
            && is_x86_feature_detected!("avx512vbmi2");
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
    fn shl<const N: u32>(self) -> Self {
        // SAFETY: as above. A count in a register becomes an immediate.
        Self(unsafe { _mm256_sll_epi64(self.0, _mm_cvtsi32_si128(N as i32)) })
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm256_srl_epi64(self.0, _mm_cvtsi32_si128(N as i32)) })
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
    fn shl<const N: u32>(self) -> Self {
        // SAFETY: `self` exists, so the CPU has the level.
        Self(unsafe { _mm512_slli_epi64::<N>(self.0) })
    }

    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { _mm512_srli_epi64::<N>(self.0) })
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
        #[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2")]
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
    fn planes_of_rows<const N: usize>(
        self,
        rows: &[&[u8; N]; 64],
        g: usize,
        planes: &mut [[Lanes; 4]; N],
    ) {
        assert!(g < 8);
        for piece in 0..N / 16 {
            // 128-bit lane k of vector j: sixteen columns of row 16k + j.
            let mut v = std::array::from_fn(|j| {
                // SAFETY: the witness; 16 * piece + 16 <= N.
                unsafe {
                    let load = |k: usize| {
                        _mm_loadu_si128(rows[16 * k + j].as_ptr().add(16 * piece).cast())
                    };
                    let low = _mm256_set_m128i(load(1), load(0));
                    let high = _mm256_set_m128i(load(3), load(2));
                    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
                }
            });
            transpose_bytes_512(&mut v);
            for (i, column) in v.into_iter().enumerate() {
                column_to_planes_512(column, g, &mut planes[16 * piece + i]);
            }
        }
        for c in N / 16 * 16..N {
            let column: [u8; 64] = std::array::from_fn(|r| rows[r][c]);
            // SAFETY: the witness; 64 bytes.
            let column = unsafe { _mm512_loadu_si512(column.as_ptr().cast()) };
            column_to_planes_512(column, g, &mut planes[c]);
        }
    }

    #[inline(always)]
    fn rows_of_planes<const N: usize, const M: usize>(
        self,
        planes: &[[Lanes; 4]; N],
        g: usize,
        rows: &[u32; 64],
        lines: &mut [[u8; M]],
    ) {
        const { assert!(N <= M) };
        assert!(g < 8);
        // Where each row goes, those that are left out to a spare line.
        let mut spare = [0u8; M];
        let to: [*mut u8; 64] = std::array::from_fn(|r| match lines.get_mut(rows[r] as usize) {
            Some(line) => line.as_mut_ptr(),
            None => spare.as_mut_ptr(),
        });
        for piece in 0..N / 16 {
            let mut v = std::array::from_fn(|i| planes_to_column_512(&planes[16 * piece + i], g));
            transpose_bytes_512(&mut v);
            for (j, v) in v.into_iter().enumerate() {
                // SAFETY: the witness; each pointer is to M bytes that are
                // borrowed mutably here, and 16 * piece + 16 <= N <= M.
                unsafe {
                    let put = |k: usize, text| {
                        _mm_storeu_si128(to[16 * k + j].add(16 * piece).cast(), text);
                    };
                    put(0, _mm512_castsi512_si128(v));
                    put(1, _mm512_extracti32x4_epi32::<1>(v));
                    put(2, _mm512_extracti32x4_epi32::<2>(v));
                    put(3, _mm512_extracti32x4_epi32::<3>(v));
                }
            }
        }
        for (c, planes) in planes.iter().enumerate().skip(N / 16 * 16) {
            let mut bytes = [0u8; 64];
            // SAFETY: the witness; 64 bytes. Each pointer is to M bytes, c < N <= M.
            unsafe {
                let column = planes_to_column_512(planes, g);
                _mm512_storeu_si512(bytes.as_mut_ptr().cast(), column);
                for (to, byte) in to.into_iter().zip(bytes) {
                    *to.add(c) = byte;
                }
            }
        }
    }

    #[inline(always)]
    fn compress(self, v: V512, mask: u64, to: &mut [u8]) {
        let to: &mut [u8; 64] = to.first_chunk_mut().expect("room for a vector");
        // SAFETY: the witness; 64 bytes. (`vpcompressb` to memory is slow on
        // Zen 4, hence a whole store.)
        unsafe {
            _mm512_storeu_si512(
                to.as_mut_ptr().cast(),
                _mm512_maskz_compress_epi8(mask, v.0),
            );
        }
    }

    #[inline(always)]
    fn expand(self, v: V512, mask: u64, from: &[u8]) -> V512 {
        let from: &[u8; 64] = from.first_chunk().expect("a whole vector");
        // SAFETY: the witness; 64 bytes.
        V512(unsafe {
            _mm512_mask_expand_epi8(v.0, mask, _mm512_loadu_si512(from.as_ptr().cast()))
        })
    }
}

/// The low four bits of 64 bytes, a plane each.
#[inline(always)]
fn column_to_planes_512(column: __m512i, g: usize, planes: &mut [Lanes; 4]) {
    for (b, plane) in planes.iter_mut().enumerate() {
        // SAFETY: called with a witness only.
        plane.0[g] = unsafe { _mm512_test_epi8_mask(column, _mm512_set1_epi8(1 << b)) };
    }
}

/// Four planes added up to the characters of 64 digits.
#[inline(always)]
fn planes_to_column_512(planes: &[Lanes; 4], g: usize) -> __m512i {
    // SAFETY: called with a witness only.
    unsafe {
        let mut v = _mm512_set1_epi8(b'0' as i8);
        for (b, plane) in planes.iter().enumerate() {
            v = _mm512_mask_add_epi8(v, plane.0[g], v, _mm512_set1_epi8(1 << b));
        }
        v
    }
}

/// The low four bits of twice 32 bytes, a plane each: bit `b` is moved to the
/// top of its byte.
#[inline(always)]
fn column_to_planes_256(columns: [__m256i; 2], g: usize, planes: &mut [Lanes; 4]) {
    for (b, plane) in planes.iter_mut().enumerate() {
        // SAFETY: called with a witness only.
        let half = |column| unsafe {
            let count = _mm_cvtsi32_si128(7 - b as i32);
            u64::from(_mm256_movemask_epi8(_mm256_sll_epi16(column, count)) as u32)
        };
        plane.0[g] = half(columns[0]) | half(columns[1]) << 32;
    }
}

/// Four planes added up to the characters of 32 digits: bit `i` of a word is
/// spread to byte `i`.
#[inline(always)]
fn planes_to_column_256(planes: &[Lanes; 4], g: usize, half: usize) -> __m256i {
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
            let word = (plane.0[g] >> (32 * half)) as i32;
            let bytes = _mm256_shuffle_epi8(_mm256_set1_epi32(word), spread);
            let set = _mm256_cmpeq_epi8(_mm256_and_si256(bytes, bit), bit);
            v = _mm256_add_epi8(v, _mm256_and_si256(set, _mm256_set1_epi8(1 << b)));
        }
        v
    }
}

/// Transposes 16 vectors of four times 16 bytes: byte `i` of 128-bit lane `k`
/// of vector `j` changes places with byte `j` of lane `k` of vector `i`. Four
/// perfect shuffles.
#[inline(always)]
fn transpose_bytes_512(v: &mut [__m512i; 16]) {
    for _ in 0..4 {
        *v = std::array::from_fn(|i| {
            let (a, b) = (v[i / 2], v[i / 2 + 8]);
            // SAFETY: called with a witness only.
            unsafe {
                if i % 2 == 0 {
                    _mm512_unpacklo_epi8(a, b)
                } else {
                    _mm512_unpackhi_epi8(a, b)
                }
            }
        });
    }
}

/// The same for twice 16 bytes.
#[inline(always)]
fn transpose_bytes_256(v: &mut [__m256i; 16]) {
    for _ in 0..4 {
        *v = std::array::from_fn(|i| {
            let (a, b) = (v[i / 2], v[i / 2 + 8]);
            // SAFETY: called with a witness only.
            unsafe {
                if i % 2 == 0 {
                    _mm256_unpacklo_epi8(a, b)
                } else {
                    _mm256_unpackhi_epi8(a, b)
                }
            }
        });
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
    fn planes_of_rows<const N: usize>(
        self,
        rows: &[&[u8; N]; 64],
        g: usize,
        planes: &mut [[Lanes; 4]; N],
    ) {
        assert!(g < 8);
        for piece in 0..N / 16 {
            // 128-bit lane k of vector j of half h: columns of row 32h + 16k + j.
            let halves: [[__m256i; 16]; 2] = std::array::from_fn(|h| {
                let mut v = std::array::from_fn(|j| {
                    // SAFETY: the witness; 16 * piece + 16 <= N.
                    unsafe {
                        let load = |k: usize| {
                            let row = rows[32 * h + 16 * k + j];
                            _mm_loadu_si128(row.as_ptr().add(16 * piece).cast())
                        };
                        _mm256_set_m128i(load(1), load(0))
                    }
                });
                transpose_bytes_256(&mut v);
                v
            });
            for i in 0..16 {
                column_to_planes_256([halves[0][i], halves[1][i]], g, &mut planes[16 * piece + i]);
            }
        }
        for c in N / 16 * 16..N {
            let column: [u8; 64] = std::array::from_fn(|r| rows[r][c]);
            // SAFETY: the witness; twice 32 bytes.
            let columns = unsafe {
                let at = column.as_ptr();
                [
                    _mm256_loadu_si256(at.cast()),
                    _mm256_loadu_si256(at.add(32).cast()),
                ]
            };
            column_to_planes_256(columns, g, &mut planes[c]);
        }
    }

    #[inline(always)]
    fn rows_of_planes<const N: usize, const M: usize>(
        self,
        planes: &[[Lanes; 4]; N],
        g: usize,
        rows: &[u32; 64],
        lines: &mut [[u8; M]],
    ) {
        const { assert!(N <= M) };
        assert!(g < 8);
        for half in 0..2 {
            for piece in 0..N / 16 {
                let mut v =
                    std::array::from_fn(|i| planes_to_column_256(&planes[16 * piece + i], g, half));
                transpose_bytes_256(&mut v);
                for (j, v) in v.into_iter().enumerate() {
                    // SAFETY: the witness.
                    let texts =
                        unsafe { [_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v)] };
                    for (k, text) in texts.into_iter().enumerate() {
                        let row = rows[32 * half + 16 * k + j] as usize;
                        if let Some(line) = lines.get_mut(row) {
                            // SAFETY: the witness; 16 * piece + 16 <= N <= M.
                            unsafe {
                                _mm_storeu_si128(line.as_mut_ptr().add(16 * piece).cast(), text);
                            }
                        }
                    }
                }
            }
            for c in N / 16 * 16..N {
                let mut bytes = [0u8; 32];
                // SAFETY: the witness; 32 bytes.
                unsafe {
                    _mm256_storeu_si256(
                        bytes.as_mut_ptr().cast(),
                        planes_to_column_256(&planes[c], g, half),
                    );
                }
                for (byte, &row) in bytes.into_iter().zip(&rows[32 * half..]) {
                    if let Some(line) = lines.get_mut(row as usize) {
                        line[c] = byte;
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn compress(self, v: V256, mask: u64, to: &mut [u8]) {
        let mut n = 0;
        for (i, &word) in v.lanes().0[..4].iter().enumerate() {
            let mask = spread(mask >> (8 * i));
            let room: &mut [u8; 8] = to[n..].first_chunk_mut().expect("room for a vector");
            // SAFETY: the witness.
            *room = unsafe { _pext_u64(word, mask) }.to_le_bytes();
            n += mask.count_ones() as usize / 8;
        }
    }

    #[inline(always)]
    fn expand(self, v: V256, mask: u64, from: &[u8]) -> V256 {
        let mut lanes = v.lanes();
        let mut n = 0;
        for (i, word) in lanes.0[..4].iter_mut().enumerate() {
            let mask = spread(mask >> (8 * i));
            let from = from[n..].first_chunk().expect("a whole vector");
            // SAFETY: the witness.
            let new = unsafe { _pdep_u64(u64::from_le_bytes(*from), mask) };
            *word = *word & !mask | new;
            n += mask.count_ones() as usize / 8;
        }
        self.vector(&lanes)
    }
}

/// The low eight bits as eight bytes of ones or zeros.
#[inline(always)]
fn spread(bits: u64) -> u64 {
    // SAFETY: called with a witness only.
    unsafe { _pdep_u64(bits & 0xff, 0x0101_0101_0101_0101) * 0xff }
}
