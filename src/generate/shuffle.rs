//! Grids by byte shuffles: they reorder the rows and columns of a base grid and replace
//! entries by digits, for many grids in one call.
//!
//! ```text
//!     base row              e5 e2 e9 e1 ...        16 bytes, ten of use
//!     columns               c0 c1 c2 ...           a shuffle: column c0 comes first
//!     names                 what stands for entry 0, 1, 2 ...       a shuffle again
//!     line   0        9        18       27                            81
//!            [row 0 .........]                     16 bytes are written, the next
//!                     [row 1 .........]            row overwrites seven of them
//! ```
//!
//! The first row of the line decides which digit stands for each entry. Finding these
//! digits takes three more shuffles:
//!
//! ```text
//!     entry -> its column in that row -> the place of that column -> name
//!              inverse                   places                      names, name_order
//! ```
//!
//! A CPU without such shuffles takes a loop over bytes, which is four times slower: 80 ns a
//! line in place of 20, all steps together.

use super::arrangement::Sixteen;
use crate::{
    grid::GridLine,
    simd::{
        bytes::{ByteKernel, ByteShuffle, Bytes, with_byte_shuffle},
        run,
    },
};

/// One base grid, and how a line is made of it. All numbers are under 16.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shuffle<'a> {
    /// Nine rows of ten entries: nine digits, and one that ends the line. The other bytes
    /// are not used.
    pub(super) base: &'a [Sixteen; 9],
    /// The column of each entry in each row: entry `e` of row `r` stands in column
    /// `inverse[r][e]`.
    pub(super) inverse: &'a [Sixteen; 9],
    /// Row `i` of the line is this row of the base grid.
    pub(super) rows: &'a Sixteen,
    /// Column `j` of the line, 0 to 9, is this column of the base grid.
    pub(super) columns: &'a Sixteen,
    pub(super) places: &'a Sixteen,
    /// The byte at place `j` of the first row is `names[name_order[j]]`. The same byte
    /// stands for the same entry in all other rows.
    pub(super) names: &'a Sixteen,
    pub(super) name_order: &'a Sixteen,
}

/// Writes line i by shuffle i.
#[inline]
pub(super) fn shuffle(shuffles: &[Shuffle<'_>], lines: &mut [GridLine]) {
    assert_eq!(shuffles.len(), lines.len());
    if let Err(kernel) = with_byte_shuffle(WriteLines { shuffles, lines }) {
        write_bytes(kernel.shuffles, kernel.lines);
    }
}

/// The shuffle byte by byte, for any CPU.
fn write_bytes(shuffles: &[Shuffle<'_>], lines: &mut [GridLine]) {
    let at = |table: &Sixteen, i: u8| table[usize::from(i & 15)];
    for (shuffle, line) in shuffles.iter().zip(lines) {
        let first = &shuffle.inverse[usize::from(shuffle.rows[0])];
        let names = first.map(|column| {
            let place = at(shuffle.places, column);
            at(shuffle.names, at(shuffle.name_order, place))
        });
        for i in 0..9 {
            let row = &shuffle.base[usize::from(shuffle.rows[i])];
            for j in 0..if i == 8 { 10 } else { 9 } {
                line[9 * i + j] = at(&names, at(row, shuffle.columns[j]));
            }
        }
    }
}

struct WriteLines<'a> {
    shuffles: &'a [Shuffle<'a>],
    lines: &'a mut [GridLine],
}

impl ByteKernel for WriteLines<'_> {
    type Output = ();

    #[inline(always)]
    fn call<S: ByteShuffle>(self, isa: S) {
        run!(isa, || {
            for (shuffle, line) in self.shuffles.iter().zip(self.lines) {
                write_line(isa, shuffle, line);
            }
        });
    }
}

#[inline(always)]
fn write_line<S: ByteShuffle>(isa: S, shuffle: &Shuffle<'_>, line: &mut GridLine) {
    // Copied, or each would be read anew after each store (6 % more instructions).
    let Shuffle { base, rows, .. } = *shuffle;
    let columns = isa.load(shuffle.columns);
    let first = isa.load(&shuffle.inverse[usize::from(rows[0])]);
    let places = isa.load(shuffle.places).shuffle(first);
    let names = isa.load(shuffle.names);
    let names = names.shuffle(isa.load(shuffle.name_order)).shuffle(places);
    for (i, &row) in rows[..9].iter().enumerate() {
        let row = isa.load(&base[usize::from(row)]).shuffle(columns);
        // Only ten bytes are left for row 8.
        names.shuffle(row).store_within(&mut line[9 * i..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sixteen() -> impl Strategy<Value = Sixteen> {
        prop::array::uniform16(0..16u8)
    }

    fn nine() -> impl Strategy<Value = [Sixteen; 9]> {
        prop::array::uniform9(sixteen())
    }

    proptest! {
        /// Both ways write the same; `tests/library/generate.rs` has the rule.
        #[test]
        fn lines_are_the_same_byte_by_byte(
            bases in prop::collection::vec((nine(), nine()), 0..5),
            rows in prop::array::uniform16(0..9u8),
            (columns, places, name_order) in (sixteen(), sixteen(), sixteen()),
            names: Sixteen,
        ) {
            let shuffles: Vec<_> = bases
                .iter()
                .map(|(base, inverse)| Shuffle {
                    base,
                    inverse,
                    rows: &rows,
                    columns: &columns,
                    places: &places,
                    names: &names,
                    name_order: &name_order,
                })
                .collect();
            let mut by_shuffles = vec![[0; _]; shuffles.len()];
            let mut by_bytes = by_shuffles.clone();
            shuffle(&shuffles, &mut by_shuffles);
            write_bytes(&shuffles, &mut by_bytes);
            prop_assert_eq!(by_shuffles, by_bytes);
        }
    }
}
