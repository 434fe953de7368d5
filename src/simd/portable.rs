//! Bit vectors of two words, for any CPU. The tests compare the other levels with this one.
//!
//! Every CPU of x86-64 has SSE2, so a vector is one of its registers there (`x86::Words`). Elsewhere it is two plain words
//! (`words`). Two words on x86-64 too, combined by closures: rustc took 17 s of 131 for this level, and takes 11 now.
//! Easy puzzles took 1.13 times as long.

#[cfg(not(target_arch = "x86_64"))]
mod words;

#[cfg(target_arch = "x86_64")]
use super::x86::Words;
use super::{COLUMNS, Isa, Lanes, Row, RowPlanes, array, transpose_bits};
#[cfg(not(target_arch = "x86_64"))]
use words::Words;

/// The words of a vector.
const WORDS: usize = 2;

/// The witness of the portable level: any CPU has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

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
        self.vector_of([word; WORDS])
    }

    #[inline(always)]
    fn vector(self, lanes: &Lanes) -> Words {
        self.vector_of([lanes.0[0], lanes.0[1]])
    }

    #[inline(always)]
    fn column(self, groups: &[RowPlanes; 8], c: usize) -> [Words; 4] {
        array!(|b| self.vector_of([groups[0].column(c)[b], groups[1].column(c)[b]]))
    }

    #[inline(always)]
    fn set_column(self, groups: &mut [RowPlanes; 8], c: usize, lanes: &Lanes, planes: [Words; 4]) {
        for (g, (group, lanes)) in groups.iter_mut().zip(lanes.0).take(WORDS).enumerate() {
            for (old, new) in group.column_mut(c).iter_mut().zip(planes) {
                *old = *old & !lanes | new.words()[g] & lanes;
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
