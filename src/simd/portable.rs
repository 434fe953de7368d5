//! Bit vectors of plain words: any CPU, and the rule the other levels are
//! tested against.

use super::{Isa, Lanes, Vector, ones, transpose_bits};

/// The words of a vector. Two fit one SSE2 or NEON register: the compiler
/// pairs them.
const WORDS: usize = 2;

/// The witness of the portable level: any CPU has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// 128 lanes.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
pub(crate) struct Words([u64; WORDS]);

impl Words {
    #[inline(always)]
    fn zip(self, b: Self, f: impl Fn(u64, u64) -> u64) -> Self {
        Self(std::array::from_fn(
            #[inline(always)]
            |i| f(self.0[i], b.0[i]),
        ))
    }
}

impl Vector for Words {
    #[inline(always)]
    fn and(self, b: Self) -> Self {
        self.zip(b, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, b: Self) -> Self {
        self.zip(b, |a, b| a | b)
    }
    #[inline(always)]
    fn xor(self, b: Self) -> Self {
        self.zip(b, |a, b| a ^ b)
    }
    #[inline(always)]
    fn and_not(self, b: Self) -> Self {
        self.zip(b, |a, b| a & !b)
    }
    #[inline(always)]
    fn not(self) -> Self {
        Self(self.0.map(|a| !a))
    }
    #[inline(always)]
    fn lanes(self) -> Lanes {
        let mut lanes = Lanes::default();
        lanes.0[..WORDS].copy_from_slice(&self.0);
        lanes
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0 != [0; WORDS]
    }
    #[inline(always)]
    fn shl<const N: u32>(self) -> Self {
        Self(self.0.map(|a| a << N))
    }
    #[inline(always)]
    fn shr<const N: u32>(self) -> Self {
        Self(self.0.map(|a| a >> N))
    }
}

impl Isa for Portable {
    type V = Words;
    const LANES: usize = 64 * WORDS;

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }

    #[inline(always)]
    fn splat(self, word: u64) -> Words {
        Words([word; WORDS])
    }

    #[inline(always)]
    fn vector(self, lanes: &Lanes) -> Words {
        Words(std::array::from_fn(|i| lanes.0[i]))
    }

    #[inline(always)]
    fn planes_of_rows<const N: usize>(
        self,
        rows: &[&[u8; N]; 64],
        g: usize,
        planes: &mut [[Lanes; 4]; N],
    ) {
        for (c, planes) in planes.iter_mut().enumerate() {
            let mut words = [[0; 8]; 4];
            for octet in 0..8 {
                let column = u64::from_le_bytes(std::array::from_fn(|r| rows[8 * octet + r][c]));
                let bits = transpose_bits(column).to_le_bytes();
                for (word, bits) in words.iter_mut().zip(bits) {
                    word[octet] = bits;
                }
            }
            for (plane, word) in planes.iter_mut().zip(words) {
                plane.0[g] = u64::from_le_bytes(word);
            }
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
        for octet in 0..8 {
            let mut text = [[0; N]; 8];
            for (c, planes) in planes.iter().enumerate() {
                let mut bits = [0; 8];
                for (bits, plane) in bits.iter_mut().zip(planes) {
                    *bits = plane.0[g].to_le_bytes()[octet];
                }
                let bytes = transpose_bits(u64::from_le_bytes(bits)).to_le_bytes();
                for (text, byte) in text.iter_mut().zip(bytes) {
                    text[c] = b'0' + byte;
                }
            }
            for (text, &row) in text.iter().zip(&rows[8 * octet..]) {
                if let Some(line) = lines.get_mut(row as usize) {
                    line[..N].copy_from_slice(text);
                }
            }
        }
    }

    #[inline(always)]
    fn compress(self, v: Words, mask: u64, to: &mut [u8]) {
        for (to, i) in to.iter_mut().zip(ones(mask)) {
            *to = v.0[i / 8].to_le_bytes()[i % 8];
        }
    }

    #[inline(always)]
    fn expand(self, mut v: Words, mask: u64, from: &[u8]) -> Words {
        for (&from, i) in from.iter().zip(ones(mask)) {
            let mut bytes = v.0[i / 8].to_le_bytes();
            bytes[i % 8] = from;
            v.0[i / 8] = u64::from_le_bytes(bytes);
        }
        v
    }
}
