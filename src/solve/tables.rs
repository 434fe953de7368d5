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

/// The minirows of a row that hold any of its cells: bit s for stack s.
pub(super) const MINIROWS: [u8; 512] = {
    let mut table = [0; 512];
    let mut row = 0;
    while row < 512 {
        let mut stack = 0;
        while stack < 3 {
            if row >> (3 * stack) & 7 != 0 {
                table[row] |= 1 << stack;
            }
            stack += 1;
        }
        row += 1;
    }
    table
};

/// The six permutations, as the entries of a matrix that they take.
const PERMUTATION_ENTRIES: [usize; 6] = {
    let mut entries = [0; 6];
    let mut n = 0;
    while n < 6 {
        let (first, second) = (n / 2, (n / 2 + 1 + n % 2) % 3);
        entries[n] = 1 << first | 1 << (3 + second) | 1 << (6 + (3 - first - second));
        n += 1;
    }
    entries
};

/// How many permutations lie inside each matrix.
pub(super) const PERMUTATIONS: [u8; 512] = {
    let mut table = [0; 512];
    let mut matrix = 0;
    while matrix < 512 {
        let mut n = 0;
        while n < 6 {
            if matrix & PERMUTATION_ENTRIES[n] == PERMUTATION_ENTRIES[n] {
                table[matrix] += 1;
            }
            n += 1;
        }
        matrix += 1;
    }
    table
};

/// The cells of a band that belong to the entries of a matrix, rows by stacks: three
/// for each entry.
pub(super) const WIDE: [u32; 512] = {
    let mut table = [0; 512];
    let mut matrix = 0;
    while matrix < 512 {
        let mut entry = 0;
        while entry < 9 {
            if matrix >> entry & 1 == 1 {
                table[matrix] |= 0b111 << (3 * entry);
            }
            entry += 1;
        }
        matrix += 1;
    }
    table
};

/// The cells of a band that a digit keeps when its minirows are the entries of a matrix,
/// rows by stacks. An entry keeps its three cells if it is part of a permutation. The
/// value is 0 if no permutation lies inside the matrix.
pub(super) const LOCKED: [u32; 512] = {
    let mut table = [0; 512];
    let mut matrix = 0;
    while matrix < 512 {
        let mut n = 0;
        while n < 6 {
            let entries = PERMUTATION_ENTRIES[n];
            if matrix & entries == entries {
                table[matrix] |= WIDE[entries];
            }
            n += 1;
        }
        matrix += 1;
    }
    table
};

/// A set of columns, turned within each stack: by one in the low half, by two in the
/// high half. Bit c says whether the next column of the stack is in the set. Bit 16 + c
/// says whether the one after that is. (After the last column of a stack comes its
/// first.)
pub(super) const TURNED: [u32; 512] = {
    let mut table = [0; 512];
    let mut columns = 0;
    while columns < 512 {
        let mut c = 0;
        while c < 9 {
            let (first, place) = (c / 3 * 3, c % 3);
            if columns >> (first + (place + 1) % 3) & 1 == 1 {
                table[columns] |= 1 << c;
            }
            if columns >> (first + (place + 2) % 3) & 1 == 1 {
                table[columns] |= 1 << (16 + c);
            }
            c += 1;
        }
        columns += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The bits of a word that obey a rule.
    fn bits(n: usize, rule: impl Fn(usize) -> bool) -> usize {
        (0..n).filter(|&i| rule(i)).map(|i| 1 << i).sum()
    }

    #[test]
    fn a_minirow_is_there_when_one_of_its_cells_is() {
        for (row, &minirows) in MINIROWS.iter().enumerate() {
            let rule = |stack| (0..9).any(|c| row >> c & 1 == 1 && c / 3 == stack);
            assert_eq!(minirows as usize, bits(3, rule));
        }
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

    #[test]
    fn a_band_is_three_rows_of_nine() {
        assert_eq!(BAND as usize, bits(27, |_| true));
        assert_eq!(ROW_STARTS as usize, bits(27, |cell| cell % 9 == 0));
    }
}
