//! Bit vectors of plain words, for any CPU. The tests compare the other levels with this
//! one.

use super::{COLUMNS, Isa, Lanes, Row, RowPlanes, Vector, transpose_bits};

/// The words of a vector. The compiler puts two into one SSE2 or NEON register.
const WORDS: usize = 2;

/// The witness of the portable level: any CPU has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

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
    composed! {
        and(self, b) = self.zip(b, |a, b| a & b);
        or(self, b) = self.zip(b, |a, b| a | b);
        xor(self, b) = self.zip(b, |a, b| a ^ b);
        and_not(self, b) = self.zip(b, |a, b| a & !b);
        not(self) = Self(self.0.map(|a| !a));
        turn_words(self, by) = self.zip(by, |a, by| a.rotate_left(by as u32));
        permute_words(self, from) = Self(from.0.map(|i| self.0[i as usize % WORDS]));
    }

    #[inline(always)]
    fn as_words(&self) -> &[u64] {
        &self.0
    }
    #[inline(always)]
    fn as_words_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
    #[inline(always)]
    fn any(self) -> bool {
        self.0 != [0; WORDS]
    }
}

impl Isa for Portable {
    type V = Words;
    const LANES: usize = 64 * WORDS;
    const REGISTERS: usize = 16;

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
    fn column(self, groups: &[RowPlanes; 8], c: usize) -> [Words; 4] {
        std::array::from_fn(|b| Words(std::array::from_fn(|g| groups[g].column(c)[b])))
    }

    #[inline(always)]
    fn set_column(self, groups: &mut [RowPlanes; 8], c: usize, lanes: &Lanes, planes: [Words; 4]) {
        for (g, (group, lanes)) in groups.iter_mut().zip(lanes.0).take(WORDS).enumerate() {
            for (old, new) in group.column_mut(c).iter_mut().zip(planes) {
                *old = *old & !lanes | new.0[g] & lanes;
            }
        }
    }

    /// Works on sixteen rows at a time, with row `r` and row `r + 8` in one byte.
    #[inline(always)]
    fn planes_of_rows(self, rows: &[&Row; 64], planes: &mut RowPlanes) {
        for c in 0..COLUMNS {
            let mut words = [0; 4];
            for (i, rows) in rows.as_chunks::<16>().0.iter().enumerate() {
                let eight = |r: usize| u64::from_le_bytes(std::array::from_fn(|i| rows[r + i][c]));
                let low = 0x0f0f_0f0f_0f0f_0f0f;
                let octets = transpose_bits(eight(0) & low | (eight(8) & low) << 4).to_le_bytes();
                for (b, word) in words.iter_mut().enumerate() {
                    *word |= u64::from(u16::from_le_bytes([octets[b], octets[4 + b]])) << (16 * i);
                }
            }
            *planes.column_mut(c) = words;
        }
    }

    #[inline(always)]
    fn rows_of_planes(self, planes: &RowPlanes, rows: &[u32; 64], lines: &mut [[u8; COLUMNS + 1]]) {
        for (i, rows) in rows.as_chunks::<16>().0.iter().enumerate() {
            let mut text = [[0; COLUMNS]; 16];
            for c in 0..COLUMNS {
                let words = planes.column(c).map(|word| (word >> (16 * i)) as u16);
                let octets = std::array::from_fn(|b| words[b % 4].to_le_bytes()[b / 4]);
                let nibbles = transpose_bits(u64::from_le_bytes(octets));
                for (r, nibbles) in [(0, nibbles), (8, nibbles >> 4)] {
                    let bytes =
                        (nibbles & 0x0f0f_0f0f_0f0f_0f0f | 0x3030_3030_3030_3030).to_le_bytes();
                    for (text, byte) in text[r..].iter_mut().zip(bytes) {
                        text[c] = byte;
                    }
                }
            }
            for (text, &row) in text.iter().zip(rows) {
                if let Some(line) = lines.get_mut(row as usize) {
                    line[..COLUMNS].copy_from_slice(text);
                }
            }
        }
    }
}
