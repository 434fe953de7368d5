//! The automorphisms and the canonical form of a set of cells.
//!
//! A symmetry of cells is an order of the rows, an order of the columns, and perhaps a transposition: 2 · 1296 · 1296 in
//! all. It maps a set to itself if the rows in their new order have the same columns as before, in any order
//! that stacks allow. So the columns are sorted: three in each stack, and then the three stacks. Two lists that are
//! equal then are one list in several orders, and the number of these orders is that of the equal columns and stacks.
//! That leaves 2 · 1296 orders of rows, of which nearly all put a row where one with other clues in its boxes is wanted.

use super::THREE;
use crate::grid::{BLANK, CELLS};

/// The numbers of orders of up to three equal things.
const ORDERS: [u64; 4] = [1, 1, 2, 6];

/// Nine rows, a bit for each cell.
type Rows = [u16; 9];

/// The cells of the clues of a puzzle, bit `c` for the cell `c`.
pub(crate) fn cells_of_clues(puzzle: &[u8; CELLS]) -> u128 {
    let cells = puzzle.iter().rev();
    cells.fold(0, |cells, &cell| cells << 1 | u128::from(cell != BLANK))
}

/// The number of symmetries that map a set of cells to itself: bit `c` is the cell `c`.
pub(crate) fn automorphisms_of_cells(cells: u128) -> u64 {
    let rows = rows_of(cells);
    let wanted = rows.map(clues_in_boxes);
    let columns = sorted_columns(&rows);
    let sides = [rows, transposed(&rows)];
    let orders: u64 = sides
        .iter()
        .map(|side| count(side, &wanted, &columns))
        .sum();
    orders * orders_of(&columns)
}

/// The last of all symmetric copies of a set of cells, bit `c` for the cell `c`. They are compared by the text of the cells,
/// row by row, in which a cell of the set comes after another: so the first row is as full, and as full to the left, as it
/// can be.
///
/// With a given order of the columns, the last copy has its rows in descending order in each band, and then its bands. Only
/// the 1,296 orders of the columns, of both sides, are tried, and only those that make a first row as full as any.
pub(crate) fn last_copy_of_cells(cells: u128) -> u128 {
    let rows = rows_of(cells);
    // Column 0 is the highest bit here: rows compare as their texts.
    let sides = [rows, transposed(&rows)].map(|side| side.map(|row| row.reverse_bits() >> 7));
    let all = sides.iter().flatten();
    let first = all.map(|row| fullest(*row)).max().unwrap_or_default();
    let mut last = [0; 9];
    for side in &sides {
        let mut leading = *side;
        let mut leaders = 0;
        for row in side.iter().filter(|row| fullest(**row) == first) {
            leading[leaders] = *row;
            leaders += 1;
        }
        for stacks in THREE {
            for orders in 0..216 {
                let orders = [orders / 36, orders / 6 % 6, orders % 6];
                let ordered = |row: u16| {
                    (0..3).fold(0, |ordered, place| {
                        let cells = row >> (6 - 3 * stacks[place]) & 7;
                        ordered << 3 | ORDERED[orders[place]][usize::from(cells)]
                    })
                };
                if leading[..leaders].iter().all(|row| ordered(*row) != first) {
                    continue;
                }
                let rows = side.map(ordered);
                let mut bands = [
                    [rows[0], rows[1], rows[2]],
                    [rows[3], rows[4], rows[5]],
                    [rows[6], rows[7], rows[8]],
                ];
                for band in &mut bands {
                    descending(band);
                }
                descending(&mut bands);
                let rows: Rows = std::array::from_fn(|row| bands[row / 3][row % 3]);
                last = last.max(rows);
            }
        }
    }
    let rows = last.iter().rev();
    rows.fold(0, |cells, row| {
        cells << 9 | u128::from(row.reverse_bits() >> 7)
    })
}

/// Three bits in each order, the highest first.
const ORDERED: [[u16; 8]; 6] = {
    let mut ordered = [[0; 8]; 6];
    let mut order = 0;
    while order < 6 {
        let mut bits = 0;
        while bits < 8 {
            let mut place = 0;
            while place < 3 {
                let bit = bits >> (2 - THREE[order][place]) & 1;
                ordered[order][bits] |= (bit as u16) << (2 - place);
                place += 1;
            }
            bits += 1;
        }
        order += 1;
    }
    ordered
};

/// The row that comes last of those with the same cells in another order of columns: the boxes with most cells first.
fn fullest(row: u16) -> u16 {
    let mut boxes = [row >> 6, row >> 3 & 7, row & 7];
    for three in &mut boxes {
        *three = [0, 4, 6, 7][three.count_ones() as usize];
    }
    descending(&mut boxes);
    boxes[0] << 6 | boxes[1] << 3 | boxes[2]
}

/// Sorts three things. (They are sorted a thousand times for each set.)
fn descending<T: Copy + Ord>(three: &mut [T; 3]) {
    for (low, high) in [(0, 1), (1, 2), (0, 1)] {
        if three[low] < three[high] {
            three.swap(low, high);
        }
    }
}

/// The rows of a set of cells: bit `c` is column `c`.
fn rows_of(cells: u128) -> Rows {
    std::array::from_fn(|row| (cells >> (9 * row)) as u16 & 0x1ff)
}

/// The number of orders of rows that have these clues in boxes, and these columns.
fn count(rows: &Rows, wanted: &[u16; 9], columns: &[[u16; 3]; 3]) -> u64 {
    let clues = rows.map(clues_in_boxes);
    let mut count = 0;
    for bands in THREE {
        // The orders of the three rows that come to each band.
        let row_at =
            |place: usize, order: &[u8; 3], row: usize| usize::from(3 * bands[place] + order[row]);
        let fits = |place: usize, order: &[u8; 3]| {
            (0..3).all(|row| clues[row_at(place, order, row)] == wanted[3 * place + row])
        };
        let fitting = |place| THREE.iter().filter(move |order| fits(place, order));
        for first in fitting(0) {
            for second in fitting(1) {
                for third in fitting(2) {
                    let orders = [first, second, third];
                    let ordered: Rows =
                        std::array::from_fn(|row| rows[row_at(row / 3, orders[row / 3], row % 3)]);
                    count += u64::from(sorted_columns(&ordered) == *columns);
                }
            }
        }
    }
    count
}

/// The numbers of cells in the three boxes of a row, in any order.
fn clues_in_boxes(row: u16) -> u16 {
    let mut clues = [row & 7, row >> 3 & 7, row >> 6].map(|three| three.count_ones() as u16);
    clues.sort_unstable();
    clues[0] | clues[1] << 2 | clues[2] << 4
}

fn transposed(rows: &Rows) -> Rows {
    std::array::from_fn(|column| {
        (0..9).fold(0, |cells, row| cells | (rows[row] >> column & 1) << row)
    })
}

/// The columns, in ascending order in each stack, and the stacks in ascending order.
fn sorted_columns(rows: &Rows) -> [[u16; 3]; 3] {
    let columns = transposed(rows);
    let mut stacks: [[u16; 3]; 3] =
        std::array::from_fn(|stack| std::array::from_fn(|column| columns[3 * stack + column]));
    stacks.iter_mut().for_each(|stack| stack.sort_unstable());
    stacks.sort_unstable();
    stacks
}

/// The number of orders in which sorted columns stay the same.
fn orders_of(stacks: &[[u16; 3]; 3]) -> u64 {
    orders_of_equal(stacks) * stacks.iter().map(orders_of_equal).product::<u64>()
}

fn orders_of_equal<T: PartialEq>(sorted: &[T; 3]) -> u64 {
    let runs = sorted.chunk_by(|one, other| one == other);
    runs.map(|run| ORDERS[run.len()]).product()
}
