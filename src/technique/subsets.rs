//! What naked sets, hidden sets and fish have in common: rows of a matrix of candidates
//! that share as many columns as they are.
//!
//! ```text
//!                    rows of the matrix       its columns
//!     naked set      cells of a house         digits
//!     hidden set     digits                   cells of a house
//!     fish           lines                    the lines that cross them
//!
//!              columns
//!              . x . . x . . . .   <- these two rows take columns 1 and 4,
//!              . . x x . . x . .
//!              . x . . x . . . .   <- one each,
//!              x x . . . . . x .   so no other row can take them
//!                ^     ^
//! ```

/// The sets of `N` rows of a matrix that have `N` columns together, and those columns.
/// Each row has two columns or more.
pub(super) fn subsets<const N: u32>(rows: &[u16; 9]) -> impl Iterator<Item = (u16, u16)> {
    let of_size = |n: u32| move |&set: &u16| set.count_ones() == n;
    let narrow = |&row: &usize| (2..=N).contains(&rows[row].count_ones());
    let usable: u16 = (0..9).filter(narrow).map(|row| 1 << row).sum();
    let sets = (0..=usable).filter(of_size(N));
    sets.filter(move |set| set & !usable == 0)
        .map(|set| {
            let members = (0..9).filter(|row| set >> row & 1 != 0);
            (set, members.fold(0, |columns, row| columns | rows[row]))
        })
        .filter(move |(_, columns)| of_size(N)(columns))
}
