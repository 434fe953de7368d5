//! The automorphisms of a set of cells.
//!
//! A symmetry of cells is an order of the rows, an order of the columns, and perhaps a transposition: 2 · 1296 · 1296 in
//! all. It maps a set to itself if the rows in their new order have the same columns as before, in any order
//! that stacks allow. So the columns are sorted: three in each stack, and then the three stacks. Two lists that are
//! equal then are one list in several orders, and the number of these orders is that of the equal columns and stacks.
//! That leaves 2 · 1296 orders of rows, of which nearly all put a row where one with other clues in its boxes is wanted.

use super::THREE;

/// The numbers of orders of up to three equal things.
const ORDERS: [u64; 4] = [1, 1, 2, 6];

/// Nine rows, a bit for each cell.
type Rows = [u16; 9];

/// The number of symmetries that map a set of cells to itself: bit `c` is the cell `c`.
pub(crate) fn automorphisms_of_cells(cells: u128) -> u64 {
    let rows: Rows = std::array::from_fn(|row| (cells >> (9 * row)) as u16 & 0x1ff);
    let wanted = rows.map(clues_in_boxes);
    let columns = sorted_columns(&rows);
    let sides = [rows, transposed(&rows)];
    let orders: u64 = sides
        .iter()
        .map(|side| count(side, &wanted, &columns))
        .sum();
    orders * orders_of(&columns)
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
