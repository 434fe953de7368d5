//! The orders of the nine rows, or of the nine columns, that keep a grid valid.
//!
//! ```text
//!     line order, 0..1296  =  order of the bands  *  of the rows in each band
//!                                     6           *        6 * 6 * 6
//! ```
//!
//! The numbers count the orders lexicographically. The first part changes slowest, so
//! number 0 is the identity. Rows and columns share the numbers: a stack is to columns what
//! a band is to rows.

/// The number of orders of nine lines in which bands stay bands: 6^4.
pub(crate) const LINE_ORDERS: usize = 1296;

pub(crate) const THREE: [[u8; 3]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

/// Line order `number`, below [`LINE_ORDERS`]: place `j` takes line `order[j]`.
pub(super) const fn line_order(number: usize) -> [u8; 9] {
    let bands = THREE[number / 216];
    let within = [
        THREE[number / 36 % 6],
        THREE[number / 6 % 6],
        THREE[number % 6],
    ];
    let mut order = [0; 9];
    let mut place = 0;
    while place < 9 {
        order[place] = 3 * bands[place / 3] + within[place / 3][place % 3];
        place += 1;
    }
    order
}

/// The line orders by their numbers, for byte shuffles: place `j` takes line `LINE_ORDER[i][j]`, and
/// place 9 takes line 9, the column in which `generate` keeps the line feed.
pub(crate) static LINE_ORDER: [[u8; 16]; LINE_ORDERS] = {
    let mut table = [[0; 16]; LINE_ORDERS];
    let mut number = 0;
    while number < LINE_ORDERS {
        let (lines, _) = table[number].split_at_mut(9);
        lines.copy_from_slice(&line_order(number));
        table[number][9] = 9;
        number += 1;
    }
    table
};

/// The inverses of the line orders: line `j` goes to place `PLACES[i][j]`.
pub(crate) static PLACES: [[u8; 16]; LINE_ORDERS] = {
    let mut table = [[0; 16]; LINE_ORDERS];
    let mut number = 0;
    while number < LINE_ORDERS {
        let mut place = 0;
        while place < 10 {
            table[number][LINE_ORDER[number][place] as usize] = place as u8;
            place += 1;
        }
        number += 1;
    }
    table
};

pub(crate) fn line_order_number(order: &[u8; 9]) -> usize {
    // The first two of three determine the third.
    let three = |a: u8, b: u8| usize::from(2 * a + u8::from(b > 3 - a - b));
    let bands = three(order[0] / 3, order[3] / 3);
    let within = order.as_chunks::<3>().0.iter();
    within.fold(bands, |number, band| {
        6 * number + three(band[0] % 3, band[1] % 3)
    })
}

/// The inverse of a permutation of 0 to 8.
pub(super) fn inverse(permutation: &[u8; 9]) -> [u8; 9] {
    let mut inverse = [0; 9];
    for (i, &image) in (0..).zip(permutation) {
        inverse[usize::from(image)] = i;
    }
    inverse
}
