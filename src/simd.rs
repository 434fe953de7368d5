//! The abilities of the CPU, as types: bit vectors of 128 to 512 *lanes* and the
//! moves between lanes, bytes and text that go with them. Nothing here knows
//! Sudoku.
//!
//! A value that implements `Isa` is a witness: it can only be had from
//! [`Level`], which asks the CPU first, and vectors are made only through it.
//! So whoever holds one may use the instructions, and kernels that are generic
//! over `Isa` need no `unsafe`. `Isa::run` enters the `target_feature`
//! context; every function below it is `inline(always)`, or the intrinsics
//! would become calls. (The idea of the witness is from `pulp` and
//! `fearless_simd`.)
//!
//! ```text
//!     level      lanes  needs
//!     avx512       512  AVX-512 F, BW, VL, VBMI, VPOPCNTDQ;
//!                       GFNI; what avx2 needs                  (Ice Lake, Zen 4)
//!     avx2         256  AVX2, BMI1, BMI2, LZCNT, POPCNT        (Haswell, Zen 3)
//!     neon         128  64-bit ARM                            (Graviton, M1)
//!     portable     128  SSE2 on x86-64, elsewhere 64-bit words
//! ```
//!
//! WebAssembly is compiled with vectors or without them, and has nothing to ask at run time. Where it
//! has them, the level `portable` is made of them (`wasm`), and no kernel is there twice.

#![allow(
    unsafe_code,
    reason = "intrinsics; a witness proves that the CPU has them"
)]

/// Methods of one expression on vectors.
macro_rules! composed {
    ($($(#[$doc:meta])* $name:ident($a:ident $(, $b:ident)*) = $body:expr;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name($a $(, $b: Self)*) -> Self {
            $body
        }
    )*};
}

/// The methods of a vector, whose field is a register, that see it as a number of words.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
macro_rules! seen_as_words {
    ($words:expr) => {
        #[inline(always)]
        fn as_words(&self) -> &[u64] {
            // SAFETY: the register is as large as the words and aligned to more, and any bits are words.
            unsafe { &*(&raw const self.0).cast::<[u64; $words]>() }
        }

        #[inline(always)]
        fn as_words_mut(&mut self) -> &mut [u64] {
            // SAFETY: as for `as_words`; any words are a vector, and it is borrowed mutably for as long.
            unsafe { &mut *(&raw mut self.0).cast::<[u64; $words]>() }
        }
    };
}

// After the macros, which are known from where they stand on.
#[cfg(target_arch = "aarch64")]
mod aarch64;
pub(crate) mod bytes;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[path = "simd/wasm.rs"]
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

use crate::name::NameError;
use std::{fmt, str::FromStr};

/// [`Isa::run`] with a closure that is compiled in line: out of line, its intrinsics are calls.
macro_rules! run {
    ($isa:expr, || $body:expr) => {
        $isa.run(
            #[inline(always)]
            || $body,
        )
    };
}

/// [`run_with_words`] with a closure that is compiled in line.
macro_rules! with_words {
    (|| $body:expr) => {
        $crate::simd::run_with_words(
            #[inline(always)]
            || $body,
        )
    };
}

/// An array of what the closure gives for each place.
///
/// Kernels use it in place of [`std::array::from_fn`] and `map`. Nothing forces the compiler to
/// put those in line, and it does not where the crate is compiled in several units: easy puzzles
/// took three times as long.
macro_rules! array {
    (|$place:pat_param| $of:expr) => {
        $crate::simd::array_of(
            #[inline(always)]
            |$place| $of,
        )
    };
}

pub(crate) use {array, run, with_words};

/// See [`array!`].
#[inline(always)]
#[expect(clippy::needless_range_loop, reason = "iterators are functions too")]
pub(crate) fn array_of<T: Copy, const N: usize>(mut of: impl FnMut(usize) -> T) -> [T; N] {
    let mut array = [of(0); N];
    for place in 1..N {
        array[place] = of(place);
    }
    array
}

/// An instruction-set level that the sliced engine runs at.
///
/// ```
/// use sudoku_batch::Level;
/// let best = Level::detect();
/// assert_eq!(best.name().parse::<Level>()?.check()?, best);
/// # Ok::<(), sudoku_batch::NameError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Level {
    /// 128-bit vectors of SSE2 on x86-64, and plain 64-bit words elsewhere: any CPU.
    Portable,
    /// 128-bit vectors of 64-bit ARM.
    Neon,
    /// 256-bit vectors.
    Avx2,
    /// 512-bit vectors, with three-operand logic.
    Avx512,
}

/// The error of a level that is not known, or that this CPU lacks.
fn unavailable(name: &str) -> NameError {
    let names: Vec<_> = Level::available().map(Level::name).collect();
    let names = names.join(", ");
    let message = format!("level `{name}` is not available on this machine; it has: {names}");
    NameError::new("level", name, message)
}

impl Level {
    /// All levels, best first, whether this CPU has them or not.
    pub const ALL: &'static [Self] = &[Self::Avx512, Self::Avx2, Self::Neon, Self::Portable];

    /// The levels that this CPU has, best first. [`Level::Portable`] is always
    /// among them.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL
            .iter()
            .copied()
            .filter(|level| level.is_available())
    }

    /// The best level that this CPU has.
    pub fn detect() -> Self {
        Self::available()
            .next()
            .expect("every CPU has the portable level")
    }

    /// Returns true if this CPU has it.
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => x86::Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => x86::Avx512::detect().is_some(),
            #[cfg(target_arch = "aarch64")]
            Self::Neon => aarch64::Neon::detect().is_some(),
            _ => false,
        }
    }

    /// Its name, as in `--level` and the summary.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Neon => "neon",
            Self::Avx2 => "avx2",
            Self::Avx512 => "avx512",
        }
    }

    /// The level itself, if this CPU has it.
    ///
    /// # Errors
    ///
    /// This CPU lacks it.
    pub fn check(self) -> Result<Self, NameError> {
        self.is_available()
            .then_some(self)
            .ok_or_else(|| unavailable(self.name()))
    }

    /// Calls `kernel` with the witness of this level, or returns the error that
    /// names the levels there are.
    pub(crate) fn with<K: Kernel>(self, kernel: K) -> Result<K::Output, NameError> {
        match self {
            Self::Portable => return Ok(kernel.call(portable::Portable)),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => {
                if let Some(isa) = x86::Avx2::detect() {
                    return Ok(kernel.call(isa));
                }
            }
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                if let Some(isa) = x86::Avx512::detect() {
                    return Ok(kernel.call(isa));
                }
            }
            #[cfg(target_arch = "aarch64")]
            Self::Neon => {
                if let Some(isa) = aarch64::Neon::detect() {
                    return Ok(kernel.call(isa));
                }
            }
            _ => {}
        }
        Err(unavailable(self.name()))
    }
}

/// Calls a closure that works on the few words of one position, by [`with_words!`]. Vectors of 512 bits do not
/// help it, so it is compiled without them: [`Level::Avx512`] runs it as [`Level::Avx2`].
pub(crate) fn run_with_words<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    if let Some(isa) = x86::Avx2::detect() {
        return isa.run(work);
    }
    #[cfg(target_arch = "aarch64")]
    if let Some(isa) = aarch64::Neon::detect() {
        return isa.run(work);
    }
    portable::Portable.run(work)
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The level of that name, whether this CPU [has it](Level::check) or not.
impl FromStr for Level {
    type Err = NameError;

    fn from_str(name: &str) -> Result<Self, NameError> {
        let found = Self::ALL.iter().copied().find(|level| level.name() == name);
        found.ok_or_else(|| unavailable(name))
    }
}

pub(crate) trait Kernel {
    type Output;
    fn call<I: Isa>(self, isa: I) -> Self::Output;
}

/// The lanes of a vector as words: lane `l` is bit `l % 64` of word `l / 64`.
/// Levels with fewer than 512 lanes use the first words and keep the rest 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Lanes(pub(crate) [u64; 8]);

impl Lanes {
    #[inline(always)]
    pub(crate) fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline(always)]
    pub(crate) fn any(&self) -> bool {
        self.0 != [0; 8]
    }

    #[inline(always)]
    pub(crate) fn has(&self, lane: usize) -> bool {
        self.0[lane / 64] >> (lane % 64) & 1 != 0
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, lane: usize) {
        self.0[lane / 64] |= 1 << (lane % 64);
    }

    #[inline(always)]
    pub(crate) fn unset(&mut self, lane: usize) {
        self.0[lane / 64] &= !(1 << (lane % 64));
    }

    #[inline(always)]
    pub(crate) fn iter(self) -> impl Iterator<Item = usize> {
        self.0
            .into_iter()
            .enumerate()
            .flat_map(|(g, word)| ones(word).map(move |bit| 64 * g + bit))
    }
}

/// The numbers of the set bits of a word, in order.
#[inline(always)]
pub(crate) fn ones(mut word: u64) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        let bit = word.trailing_zeros() as usize;
        word &= word.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// A vector of lanes, one bit each. The default methods are for levels without
/// three-operand logic.
pub(crate) trait Vector: Copy + Send + Sync + 'static {
    fn and(self, b: Self) -> Self;
    fn or(self, b: Self) -> Self;
    fn xor(self, b: Self) -> Self;
    /// `a & !b`
    fn and_not(self, b: Self) -> Self;
    fn not(self) -> Self;
    /// The words of the lanes: word `g` has those from `64 * g` on.
    fn as_words(&self) -> &[u64];
    fn as_words_mut(&mut self) -> &mut [u64];
    fn any(self) -> bool;

    #[inline(always)]
    fn lanes(self) -> Lanes {
        let (mut lanes, words) = (Lanes::default(), self.as_words());
        lanes.0[..words.len()].copy_from_slice(words);
        lanes
    }

    /// It writes one of the words, and not all.
    #[inline(always)]
    fn unset(&mut self, lane: usize) {
        self.as_words_mut()[lane / 64] &= !(1 << (lane % 64));
    }

    /// Returns true if a lane is set. (It reads one word, where `lanes` copies all.)
    #[inline(always)]
    fn has(&self, lane: usize) -> bool {
        self.as_words()[lane / 64] >> (lane % 64) & 1 != 0
    }

    /// Every 64-bit word turned to the left by the word of `by`, 0 to 63.
    fn turn_words(self, by: Self) -> Self;
    /// Word `i` becomes word `from[i]`, which is less than their number.
    fn permute_words(self, from: Self) -> Self;

    composed! {
        and3(self, b, c) = self.and(b).and(c);
        or3(self, b, c) = self.or(b).or(c);
        xor3(self, b, c) = self.xor(b).xor(c);
        /// Whether two or three of them are set.
        majority(self, b, c) = self.and(b).or(self.or(b).and(c));
        or_and(self, b, c) = self.or(b.and(c));
        or_and_not(self, b, c) = self.or(b.and_not(c));
        /// `a & !(b & c)`
        and_nand(self, b, c) = self.and_not(b.and(c));
        /// `a & (!b | c)`
        and_implies(self, b, c) = self.and_not(b.and_not(c));
        nor(self, b) = self.or(b).not();
        /// `a | !(b | c)`
        or_nor(self, b, c) = self.or(b.or(c).not());
        /// `a | !(b & c)`
        or_nand(self, b, c) = self.or(b.and(c).not());
        or_xor(self, b, c) = self.or(b.xor(c));
        /// `b` where the mask `self` is set, else `c`.
        select(self, b, c) = self.and(b).or(c.and_not(self));
        /// The lanes with `!a & b`, or with equal `a` and `b` and `c`: one step of the
        /// comparison `a < b` from the lowest bit up.
        less(self, b, c) = b.and_not(self).or(c.and_not(self.xor(b)));
    }
}

/// Transposes 8 rows of 8 bits, row `r` in byte `r` (Warren, Hacker's Delight,
/// 7-3).
#[inline(always)]
pub(crate) fn transpose_bits(mut x: u64) -> u64 {
    for (shift, mask) in [
        (7, 0x00aa_00aa_00aa_00aa),
        (14, 0x0000_cccc_0000_cccc),
        (28, 0x0000_0000_f0f0_f0f0),
    ] {
        let t = (x ^ (x >> shift)) & mask;
        x ^= t ^ (t << shift);
    }
    x
}

/// Brings together what stands at the same place of `N` vectors of bytes, in each
/// of their 128-bit lanes. Byte 0 of all vectors comes first, in their order, then
/// byte 1 of all, and so on:
///
/// ```text
///     N    vector m of the result, in each lane
///     16   byte m of all sixteen vectors
///     8    byte 2m of all eight vectors, byte 2m + 1 of all eight
/// ```
///
/// That takes one perfect shuffle for each power of two in `N`. `unpack` takes
/// bytes from two vectors in turn, from the low halves of their lanes, and from
/// the high halves.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    expect(dead_code, reason = "`portable` transposes bits in words")
)]
#[inline(always)]
fn transpose_bytes<V: Copy, const N: usize>(
    mut v: [V; N],
    unpack: impl Fn(V, V) -> [V; 2],
) -> [V; N] {
    for _ in 0..N.ilog2() {
        let before = v;
        for (i, pair) in v.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            *pair = unpack(before[i], before[i + N / 2]);
        }
    }
    v
}

pub(crate) const COLUMNS: usize = 81;

pub(crate) type Row = [u8; COLUMNS];

/// The low four bits of 64 rows of text: four planes for each column, one bit a
/// row.
///
/// The columns stand in pairs, as the widest vectors make and take them, so that
/// each pair is one store and one load:
///
/// ```text
///     pair      0      ...  15       16       ...  31       32       ...  39       40
///     columns   0, 16  ...  15, 31   32, 48   ...  47, 63   65, 73   ...  72, 80   64, none
/// ```
///
/// They are aligned so that no pair lies across a border of cache lines. No load
/// relies on it: each takes its pair or column by value. (A pair as an aligned type
/// of its own made `avx2` take 1.2 % more instructions for easy puzzles, because the
/// place of a column was two numbers then.)
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(crate) struct RowPlanes {
    pairs: [Pair; COLUMNS.div_ceil(2)],
}

type Pair = [[u64; 4]; 2];

impl RowPlanes {
    pub(crate) const ZEROS: Self = Self {
        pairs: [[[0; 4]; 2]; COLUMNS.div_ceil(2)],
    };

    /// The position of each column: its pair, times two, and its place there.
    const PLACES: [u8; COLUMNS] = {
        let mut places = [0; COLUMNS];
        let mut c = 0;
        while c < COLUMNS {
            let (pair, place) = match c {
                0..64 => (c / 32 * 16 + c % 16, c / 16 % 2),
                64 => (40, 0),
                _ => (32 + (c - 65) % 8, (c - 65) / 8),
            };
            places[c] = (2 * pair + place) as u8;
            c += 1;
        }
        places
    };

    /// The planes of a column: row `r` is bit `r` of each.
    #[inline(always)]
    pub(crate) fn column(&self, c: usize) -> &[u64; 4] {
        &self.pairs.as_flattened()[usize::from(Self::PLACES[c])]
    }

    #[inline(always)]
    pub(crate) fn column_mut(&mut self, c: usize) -> &mut [u64; 4] {
        &mut self.pairs.as_flattened_mut()[usize::from(Self::PLACES[c])]
    }
}

/// A witness that the CPU has a level, and what only that level can do.
pub(crate) trait Isa: Copy + Send + Sync + 'static {
    type V: Vector;
    /// Its lanes: a multiple of 64, at most 512.
    const LANES: usize;
    /// The number of vectors that the CPU's registers hold.
    const REGISTERS: usize;

    /// Calls `f` where the level's instructions may be used. Kernels are only
    /// compiled to them when `f` and all it calls are `inline(always)`.
    fn run<R>(self, f: impl FnOnce() -> R) -> R;

    fn splat(self, word: u64) -> Self::V;
    /// These lanes; words beyond the vector are ignored.
    fn vector(self, lanes: &Lanes) -> Self::V;
    #[inline(always)]
    fn zeros(self) -> Self::V {
        self.splat(0)
    }
    #[inline(always)]
    fn ones(self) -> Self::V {
        self.splat(!0)
    }

    /// A byte for each bit of a word: all ones where it is set, 0 elsewhere.
    #[inline(always)]
    fn bytes_of_lanes(self, word: u64) -> [u8; 64] {
        let mut bytes = [0; 64];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = 0u8.wrapping_sub((word >> i & 1) as u8);
        }
        bytes
    }

    /// A bit for each of 64 bytes: whether it is the byte at the same place of `other`.
    #[inline(always)]
    fn equal_bytes(self, bytes: &[u8; 64], other: &[u8; 64]) -> u64 {
        // The bytes become 0 or 1 in a loop without branches, which the compiler vectorizes.
        let mut equal = [0; 64];
        for ((equal, byte), other) in equal.iter_mut().zip(bytes).zip(other) {
            *equal = u8::from(byte == other);
        }
        let mut word = 0;
        for (i, eight) in equal.as_chunks().0.iter().enumerate() {
            // The product gathers the lowest bits of eight bytes in its highest byte.
            let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            word |= bits << (8 * i);
        }
        word
    }

    /// Copies the numbers of some of 64 lanes.
    #[inline(always)]
    fn copy_numbers(self, lanes: u64, from: &[u32; 64], to: &mut [u32; 64]) {
        let lanes = self.bytes_of_lanes(lanes);
        for ((to, &from), lane) in to.iter_mut().zip(from).zip(lanes) {
            *to = if lane != 0 { from } else { *to };
        }
    }

    /// A byte for each of 64 lanes, from word `g` of eight planes: bit `b` of byte
    /// `l` is bit `l` of `planes[b].0[g]`.
    #[inline(always)]
    fn bytes_of_planes(self, planes: &[Lanes; 8], g: usize) -> [u8; 64] {
        let mut bytes = [0; 64];
        for (octet, bytes) in bytes.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let bits = array!(|plane| planes[plane].0[g].to_le_bytes()[octet]);
            *bytes = transpose_bits(u64::from_le_bytes(bits)).to_le_bytes();
        }
        bytes
    }

    /// The low four bits of each column of 64 rows of text become its planes.
    fn planes_of_rows(self, rows: &[&Row; 64], planes: &mut RowPlanes);

    /// The inverse: each column of line `rows[r]` becomes `b'0'` plus its four
    /// bits of row `r`; the byte after the columns is left alone. Rows beyond the
    /// lines are left out.
    fn rows_of_planes(self, planes: &RowPlanes, rows: &[u32; 64], lines: &mut [[u8; COLUMNS + 1]]);

    /// The planes of a column over all lanes, 64 of them from each group.
    fn column(self, groups: &[RowPlanes; 8], c: usize) -> [Self::V; 4];

    /// Puts these lanes of the planes of a column into its groups.
    fn set_column(self, groups: &mut [RowPlanes; 8], c: usize, lanes: &Lanes, planes: [Self::V; 4]);
}

#[cfg(test)]
pub(crate) mod tests;
