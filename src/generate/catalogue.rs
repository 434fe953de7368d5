//! The base grids.
//!
//! `catalogue.txt` has one canonical form on each line, in ascending order. `cargo run
//! --release -p sudoku-batch-tools --bin make_catalogue` makes it. `tests/library/generate.rs` makes it again and
//! compares. It also proves, by a slow and independent search, that each canonical form is the
//! smallest image of its class and is reached in one way only.

use super::{BASE_GRIDS, arrangement::Sixteen};
use crate::grid::{CELLS, Grid, GridLine};

/// One side of a base grid: as it is, or transposed.
pub(super) struct Side {
    /// The nine rows: digits as 0 to 8. Column 9 has entry 9, which stands for the line
    /// feed.
    pub(super) rows: [Sixteen; 9],
    /// The column of each entry in each row.
    pub(super) inverse: [Sixteen; 9],
}

const TEXT: &[GridLine; BASE_GRIDS] = {
    let (lines, rest) = include_bytes!("catalogue.txt").as_chunks();
    assert!(rest.is_empty());
    lines.first_chunk().expect("256 lines")
};

#[cfg(not(target_family = "wasm"))]
static SIDES: [Side; 2 * BASE_GRIDS] = sides();

/// They are made at the first use: in a program for a page they would be a tenth of what is loaded.
#[cfg(target_family = "wasm")]
static SIDES: std::sync::LazyLock<Box<[Side; 2 * BASE_GRIDS]>> =
    std::sync::LazyLock::new(|| Box::new(sides()));

const fn sides() -> [Side; 2 * BASE_GRIDS] {
    let mut sides = [const {
        Side {
            rows: [[0; 16]; 9],
            inverse: [[0; 16]; 9],
        }
    }; 2 * BASE_GRIDS];
    let mut i = 0;
    while i < BASE_GRIDS {
        assert!(TEXT[i][CELLS] == b'\n');
        let mut cell = 0;
        while cell < CELLS {
            let (row, column) = (cell / 9, cell % 9);
            let digit = TEXT[i][cell] - b'1';
            set(&mut sides[2 * i], row, column, digit);
            set(&mut sides[2 * i + 1], column, row, digit);
            cell += 1;
        }
        let mut row = 0;
        while row < 9 {
            set(&mut sides[2 * i], row, 9, 9);
            set(&mut sides[2 * i + 1], row, 9, 9);
            row += 1;
        }
        i += 1;
    }
    sides
}

const fn set(side: &mut Side, row: usize, column: usize, entry: u8) {
    side.rows[row][column] = entry;
    side.inverse[row][entry as usize] = column as u8;
}

/// Side `number`, which is under twice the number of base grids: base grid `number / 2`,
/// transposed if `number` is odd.
#[inline]
pub(super) fn side(number: usize) -> &'static Side {
    &SIDES[number]
}

pub(super) fn grid(number: usize) -> Grid {
    let cells = TEXT[number].first_chunk().expect("81 of 82");
    Grid::from_ascii(cells).expect("the catalogue has digits only")
}

/// The number of a base grid, or `None` if the grid is not one.
pub(super) fn number(canonical: &Grid) -> Option<usize> {
    TEXT.binary_search_by(|line| line[..CELLS].cmp(canonical.as_ascii()))
        .ok()
}
