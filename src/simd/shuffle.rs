//! Byte shuffles of small matrices: they reorder rows and columns and replace entries, for
//! many matrices in one call.
//!
//! ```text
//!     matrix row            e5 e2 e9 e1 ...        16 bytes, ten of use
//!     columns               c0 c1 c2 ...           pshufb: column c0 comes first
//!     bytes                 what stands for entry 0, 1, 2 ...    pshufb again
//!     line   0        9        18       27                            81
//!            [row 0 .........]                     16 bytes are written, the next
//!                     [row 1 .........]            row overwrites seven of them
//! ```
//!
//! The first row of the line decides which byte stands for each entry. Finding these bytes
//! takes three more shuffles:
//!
//! ```text
//!     entry -> its column in that row -> the place of that column -> name
//!              inverse                   places                      names, name_order
//! ```
//!
//! This needs SSSE3, which is detected at run time. Any other CPU takes a loop over bytes,
//! which is four times slower: 80 ns a line in place of 20, all steps together (Zen 4).

#![allow(
    unsafe_code,
    reason = "loads, stores and the entry of a target feature"
)]

/// The length of a line: nine rows of nine bytes, and the byte of column 9 of the last
/// row.
pub(crate) const LINE: usize = 82;

/// One matrix, and how a line is made of it. All numbers are under 16.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shuffle<'a> {
    /// Nine rows of ten entries. The other bytes are not used.
    pub(crate) matrix: &'a [[u8; 16]; 9],
    /// The column of each entry in each row: entry `e` of row `r` stands in column
    /// `inverse[r][e]`.
    pub(crate) inverse: &'a [[u8; 16]; 9],
    /// Row `i` of the line is this row of the matrix.
    pub(crate) rows: &'a [u8; 16],
    /// Column `j` of the line, 0 to 9, is this column of the matrix.
    pub(crate) columns: &'a [u8; 16],
    /// The inverse of `columns`.
    pub(crate) places: &'a [u8; 16],
    /// The byte at place `j` of the first row is `names[name_order[j]]`. The same byte
    /// stands for the same entry in all other rows.
    pub(crate) names: &'a [u8; 16],
    /// See `names`.
    pub(crate) name_order: &'a [u8; 16],
}

/// Writes line i by shuffle i.
///
/// # Panics
///
/// The slices differ in length, or a row is over 8.
#[inline]
pub(crate) fn shuffle(shuffles: &[Shuffle<'_>], lines: &mut [[u8; LINE]]) {
    assert_eq!(shuffles.len(), lines.len());
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("ssse3") {
        // SAFETY: the CPU has SSSE3.
        return unsafe { x86::shuffle(shuffles, lines) };
    }
    portable(shuffles, lines);
}

fn portable(shuffles: &[Shuffle<'_>], lines: &mut [[u8; LINE]]) {
    let at = |table: &[u8; 16], i: u8| table[usize::from(i & 15)];
    for (shuffle, line) in shuffles.iter().zip(lines) {
        let first = &shuffle.inverse[usize::from(shuffle.rows[0])];
        let bytes = first.map(|column| {
            let place = at(shuffle.places, column);
            at(shuffle.names, at(shuffle.name_order, place))
        });
        for i in 0..9 {
            let row = &shuffle.matrix[usize::from(shuffle.rows[i])];
            for j in 0..if i == 8 { 10 } else { 9 } {
                line[9 * i + j] = at(&bytes, at(row, shuffle.columns[j]));
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{LINE, Shuffle};
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_shuffle_epi8, _mm_storeu_si128};

    #[target_feature(enable = "ssse3")]
    pub(super) fn shuffle(shuffles: &[Shuffle<'_>], lines: &mut [[u8; LINE]]) {
        for (shuffle, line) in shuffles.iter().zip(lines) {
            let columns = load(shuffle.columns);
            let first = load(&shuffle.inverse[usize::from(shuffle.rows[0])]);
            let places = _mm_shuffle_epi8(load(shuffle.places), first);
            let names = _mm_shuffle_epi8(load(shuffle.names), load(shuffle.name_order));
            let bytes = _mm_shuffle_epi8(names, places);
            let row = |i: usize| {
                let row = load(&shuffle.matrix[usize::from(shuffle.rows[i])]);
                _mm_shuffle_epi8(bytes, _mm_shuffle_epi8(row, columns))
            };
            for i in 0..8 {
                store(line[9 * i..].first_chunk_mut().expect("16 of 82"), row(i));
            }
            // Only ten bytes are left for row 8.
            let mut last = [0; 16];
            store(&mut last, row(8));
            line[72..].copy_from_slice(&last[..10]);
        }
    }

    #[inline(always)]
    fn load(bytes: &[u8; 16]) -> __m128i {
        // SAFETY: 16 bytes are readable; no alignment is asked for.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(place: &mut [u8; 16], vector: __m128i) {
        // SAFETY: 16 bytes are writable; no alignment is asked for.
        unsafe { _mm_storeu_si128(place.as_mut_ptr().cast(), vector) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sixteen() -> impl Strategy<Value = [u8; 16]> {
        prop::array::uniform16(0..16u8)
    }

    fn nine() -> impl Strategy<Value = [[u8; 16]; 9]> {
        prop::array::uniform9(sixteen())
    }

    proptest! {
        #[test]
        fn the_shuffle_is_that_of_the_loop(
            matrices in prop::collection::vec((nine(), nine()), 0..5),
            rows in prop::array::uniform16(0..9u8),
            (columns, places, name_order) in (sixteen(), sixteen(), sixteen()),
            names: [u8; 16],
        ) {
            let shuffles: Vec<_> = matrices
                .iter()
                .map(|(matrix, inverse)| Shuffle {
                    matrix,
                    inverse,
                    rows: &rows,
                    columns: &columns,
                    places: &places,
                    names: &names,
                    name_order: &name_order,
                })
                .collect();
            let mut lines = vec![[0; LINE]; shuffles.len()];
            let mut expected = lines.clone();
            shuffle(&shuffles, &mut lines);
            portable(&shuffles, &mut expected);
            prop_assert_eq!(lines, expected);
        }
    }
}
