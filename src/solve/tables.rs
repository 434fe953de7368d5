//! The tables of the scalar engine, computed at compile time from their rule.
//!
//! Bits name the places of one digit in three ways ([`scalar`](super::scalar) has a
//! picture):
//!
//! * a *row* or a set of *columns*: 9 bits, bit c for column c;
//! * a *band*: 27 bits, bit 9r + c for row r of the band and column c;
//! * a *matrix*: 9 bits, bit 3i + j for row i and column j of a 3x3 matrix. A solution
//!   takes one entry from each row and each column: a *permutation*.

/// One bit for each cell of a band.
pub(super) const BAND: u32 = (1 << 27) - 1;

/// The first cell of each row of a band.
pub(super) const ROW_STARTS: u32 = 1 | 1 << 9 | 1 << 18;

/// All cells of the rows of a band that hold any of the given cells.
#[inline(always)]
pub(super) const fn whole_rows(band: u32) -> u32 {
    const LOW: u32 = 0xFF * ROW_STARTS;
    const HIGH: u32 = ROW_STARTS << 8;
    // The last bit of each row: set, or set by a carry from the others.
    let any = (((band & LOW) + LOW) | band) & HIGH;
    any | (any - (any >> 8))
}

/// A table of 512 entries, each by its number.
macro_rules! table {
    (|$number:ident| $entry:expr) => {{
        let mut table = [0; 512];
        let mut $number = 0;
        while $number < 512 {
            table[$number] = $entry;
            $number += 1;
        }
        table
    }};
}

/// The minirows of a row that hold any of its cells: bit s for stack s.
pub(super) const MINIROWS: [u8; 512] = table!(|row| {
    let [first, second, third] = [row & 7, row >> 3 & 7, row >> 6];
    (first != 0) as u8 | ((second != 0) as u8) << 1 | ((third != 0) as u8) << 2
});

/// The six permutations, as the entries of a matrix that they take: an octal digit for each row.
const PERMUTATION_ENTRIES: [usize; 6] = [0o421, 0o241, 0o412, 0o142, 0o214, 0o124];

/// The number of permutations that lie inside each matrix.
pub(super) const PERMUTATIONS: [u8; 512] = table!(|matrix| {
    let (mut n, mut count) = (0, 0);
    while n < 6 {
        count += (PERMUTATION_ENTRIES[n] & !matrix == 0) as u8;
        n += 1;
    }
    count
});

/// The cells of a band that belong to the entries of a matrix, rows by stacks: three
/// for each entry.
pub(super) const WIDE: [u32; 512] = table!(|matrix| {
    let (mut entry, mut cells) = (0, 0);
    while entry < 9 {
        cells |= (0b111 * (matrix >> entry & 1) as u32) << (3 * entry);
        entry += 1;
    }
    cells
});

/// The cells of a band that a digit keeps when its minirows are the entries of a matrix,
/// rows by stacks. An entry keeps its three cells if it is part of a permutation. The
/// value is 0 if no permutation lies inside the matrix.
pub(super) const LOCKED: [u32; 512] = table!(|matrix| {
    let (mut n, mut cells) = (0, 0);
    while n < 6 {
        if PERMUTATION_ENTRIES[n] & !matrix == 0 {
            cells |= WIDE[PERMUTATION_ENTRIES[n]];
        }
        n += 1;
    }
    cells
});

/// A set of columns, turned within each stack: by one in the low half, by two in the
/// high half. Bit c says whether the next column of the stack is in the set. Bit 16 + c
/// says whether the one after that is. (After the last column of a stack comes its
/// first.)
pub(super) const TURNED: [u32; 512] = table!(|columns| {
    let (by_one, by_two) = turned(columns as u16);
    by_one as u32 | (by_two as u32) << 16
});

/// Three threes of bits, each turned by one and by two places down.
#[inline(always)]
pub(super) const fn turned(bits: u16) -> (u16, u16) {
    (
        (bits >> 1 & 0o333) | (bits & 0o111) << 2,
        (bits >> 2 & 0o111) | (bits & 0o333) << 1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The bits of a word that obey a rule.
    fn bits(n: usize, rule: impl Fn(usize) -> bool) -> usize {
        (0..n).filter(|&i| rule(i)).map(|i| 1 << i).sum()
    }

    #[test]
    fn permutations_take_one_entry_from_each_row_and_column() {
        let all: BTreeSet<_> = PERMUTATION_ENTRIES.into();
        let rule = |&matrix: &usize| {
            let entries = || (0..9).filter(move |e| matrix >> e & 1 == 1);
            entries().map(|e| e / 3).eq([0, 1, 2])
                && entries().map(|e| e % 3).collect::<BTreeSet<_>>().len() == 3
        };
        assert_eq!(all, (0..512).filter(rule).collect());
        for matrix in 0..512 {
            let inside = all.iter().filter(|&&p| p & !matrix == 0);
            assert_eq!(PERMUTATIONS[matrix] as usize, inside.clone().count());
            let kept = inside.fold(0, |kept, p| kept | p);
            let wide = |matrix| bits(27, |cell| matrix >> (cell / 3) & 1 == 1);
            assert_eq!(WIDE[matrix] as usize, wide(matrix));
            assert_eq!(LOCKED[matrix] as usize, wide(kept));
        }
    }

    #[test]
    fn columns_turn_within_their_stack() {
        for (columns, &both) in TURNED.iter().enumerate() {
            let turned = |by: usize| {
                bits(9, |c| {
                    let from = c / 3 * 3 + (c + by) % 3;
                    columns >> from & 1 == 1
                })
            };
            assert_eq!(both as usize, turned(1) | turned(2) << 16);
        }
    }
}
