//! The level `portable` in WebAssembly that is compiled with vectors of 128 bits. Whoever loads the
//! program chooses between that and one without vectors. The intrinsics are safe functions.

use super::{COLUMNS, Isa, Lanes, Row, RowPlanes, Vector, array};
use std::{arch::wasm32::*, mem::transmute};

/// The witness of the vectors of WebAssembly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct V128(v128);

impl V128 {
    #[inline(always)]
    fn words(self) -> [u64; 2] {
        [
            u64x2_extract_lane::<0>(self.0),
            u64x2_extract_lane::<1>(self.0),
        ]
    }

    #[inline(always)]
    fn of_words([low, high]: [u64; 2]) -> Self {
        Self(u64x2(low, high))
    }
}

#[inline(always)]
fn of_bytes(bytes: [u8; 16]) -> v128 {
    // SAFETY: the types have one size, and any bits are a vector.
    unsafe { transmute::<[u8; 16], v128>(bytes) }
}

#[inline(always)]
fn bytes(v: v128) -> [u8; 16] {
    // SAFETY: the types have one size, and any bits are bytes.
    unsafe { transmute::<v128, [u8; 16]>(v) }
}

impl Vector for V128 {
    composed! {
        and(self, b) = Self(v128_and(self.0, b.0));
        or(self, b) = Self(v128_or(self.0, b.0));
        xor(self, b) = Self(v128_xor(self.0, b.0));
        and_not(self, b) = Self(v128_andnot(self.0, b.0));
        not(self) = Self(v128_not(self.0));
        select(self, b, c) = Self(v128_bitselect(b.0, c.0, self.0));
    }

    #[inline(always)]
    fn turn_words(self, by: Self) -> Self {
        let ([a, b], [by_a, by_b]) = (self.words(), by.words());
        Self::of_words([a.rotate_left(by_a as u32), b.rotate_left(by_b as u32)])
    }

    #[inline(always)]
    fn permute_words(self, from: Self) -> Self {
        let words = self.words();
        Self::of_words(from.words().map(|i| words[i as usize % 2]))
    }

    seen_as_words!(2);

    // By lanes, because a reference to a vector puts it into memory: rating took 1.03 of the time.
    #[inline(always)]
    fn lanes(self) -> Lanes {
        let mut lanes = Lanes::default();
        lanes.0[..2].copy_from_slice(&self.words());
        lanes
    }

    #[inline(always)]
    fn unset(&mut self, lane: usize) {
        let mut words = self.words();
        words[lane / 64] &= !(1 << (lane % 64));
        *self = Self::of_words(words);
    }

    #[inline(always)]
    fn has(&self, lane: usize) -> bool {
        self.lanes().has(lane)
    }

    #[inline(always)]
    fn any(self) -> bool {
        v128_any_true(self.0)
    }
}

/// Brings together byte 0 of sixteen vectors, in their order, then byte 1 of all, and so on: four
/// perfect shuffles.
#[inline(always)]
fn transpose_bytes(mut v: [v128; 16]) -> [v128; 16] {
    for _ in 0..4 {
        let before = v;
        for (i, pair) in v.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            let (a, b) = (before[i], before[i + 8]);
            *pair = [
                i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
                i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
            ];
        }
    }
    v
}

/// All ones in byte `i` where bit `i` is set.
#[inline(always)]
fn spread(bits: u16) -> v128 {
    const PLACES: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1];
    let bit = u64x2_splat(0x8040_2010_0804_0201);
    let bytes = i8x16_swizzle(u16x8_splat(bits), of_bytes(PLACES));
    i8x16_eq(v128_and(bytes, bit), bit)
}

/// Adds the low four bits of sixteen bytes to their planes, from row `first` on.
#[inline(always)]
fn column_to_planes(column: v128, first: usize, planes: &mut [u64; 4]) {
    let tops = [
        i8x16_shl(column, 7),
        i8x16_shl(column, 6),
        i8x16_shl(column, 5),
        i8x16_shl(column, 4),
    ];
    for (plane, top) in planes.iter_mut().zip(tops) {
        *plane |= u64::from(i8x16_bitmask(top)) << first;
    }
}

/// Four planes added up to the characters of sixteen digits, from row `first` on.
#[inline(always)]
fn planes_to_column(planes: &[u64; 4], first: usize) -> v128 {
    let mut v = u8x16_splat(b'0');
    for (b, plane) in planes.iter().enumerate() {
        let set = spread((plane >> first) as u16);
        v = v128_or(v, v128_and(set, u8x16_splat(1 << b)));
    }
    v
}

impl Isa for Portable {
    type V = V128;
    const LANES: usize = 128;
    const REGISTERS: usize = 16;

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }

    #[inline(always)]
    fn splat(self, word: u64) -> V128 {
        V128(u64x2_splat(word))
    }

    #[inline(always)]
    fn vector(self, lanes: &Lanes) -> V128 {
        V128::of_words([lanes.0[0], lanes.0[1]])
    }

    #[inline(always)]
    fn bytes_of_lanes(self, word: u64) -> [u8; 64] {
        let mut all = [0; 64];
        for (i, sixteen) in all.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            *sixteen = bytes(spread((word >> (16 * i)) as u16));
        }
        all
    }

    #[inline(always)]
    fn column(self, groups: &[RowPlanes; 8], c: usize) -> [V128; 4] {
        let [a, b] = [groups[0].column(c), groups[1].column(c)];
        array!(|plane| V128::of_words([a[plane], b[plane]]))
    }

    #[inline(always)]
    fn set_column(self, groups: &mut [RowPlanes; 8], c: usize, lanes: &Lanes, planes: [V128; 4]) {
        for (g, (group, lanes)) in groups.iter_mut().zip(lanes.0).take(2).enumerate() {
            for (old, new) in group.column_mut(c).iter_mut().zip(planes) {
                *old = *old & !lanes | new.words()[g] & lanes;
            }
        }
    }

    #[inline(always)]
    fn planes_of_rows(self, rows: &[&Row; 64], planes: &mut RowPlanes) {
        for piece in 0..COLUMNS / 16 {
            let mut columns = [[0; 4]; 16];
            for (i, rows) in rows.as_chunks::<16>().0.iter().enumerate() {
                let v = array!(|r| of_bytes(rows[r].as_chunks().0[piece]));
                for (column, planes) in transpose_bytes(v).into_iter().zip(&mut columns) {
                    column_to_planes(column, 16 * i, planes);
                }
            }
            for (c, column) in columns.into_iter().enumerate() {
                *planes.column_mut(16 * piece + c) = column;
            }
        }
        let mut last = [0; 4];
        for (i, rows) in rows.as_chunks::<16>().0.iter().enumerate() {
            let column = array!(|r| rows[r][COLUMNS - 1]);
            column_to_planes(of_bytes(column), 16 * i, &mut last);
        }
        *planes.column_mut(COLUMNS - 1) = last;
    }

    #[inline(always)]
    fn rows_of_planes(self, planes: &RowPlanes, rows: &[u32; 64], lines: &mut [[u8; COLUMNS + 1]]) {
        for (i, rows) in rows.as_chunks::<16>().0.iter().enumerate() {
            for piece in 0..COLUMNS / 16 {
                let v = array!(|c| planes_to_column(planes.column(16 * piece + c), 16 * i));
                for (text, &row) in transpose_bytes(v).into_iter().zip(rows) {
                    if let Some(line) = lines.get_mut(row as usize) {
                        line.as_chunks_mut().0[piece] = bytes(text);
                    }
                }
            }
            let column = bytes(planes_to_column(planes.column(COLUMNS - 1), 16 * i));
            for (byte, &row) in column.into_iter().zip(rows) {
                if let Some(line) = lines.get_mut(row as usize) {
                    line[COLUMNS - 1] = byte;
                }
            }
        }
    }
}
