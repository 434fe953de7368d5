//! A symmetry that does not rename the digits.

use super::line_order::inverse;
use crate::grid::CELLS;

/// Transposes a grid or leaves it. Then it reorders the rows and the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Rearrangement {
    /// True if the grid is transposed.
    pub(crate) transposed: bool,
    /// Row `i` of the image is this row of the grid, or of its transpose.
    pub(crate) rows: [u8; 9],
    pub(crate) columns: [u8; 9],
}

impl Rearrangement {
    pub(super) const IDENTITY: Self = Self {
        transposed: false,
        rows: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        columns: [0, 1, 2, 3, 4, 5, 6, 7, 8],
    };

    /// Applies this rearrangement first, then the other.
    pub(super) fn then(&self, other: &Self) -> Self {
        let (mut rows, mut columns) = (&self.rows, &self.columns);
        if other.transposed {
            // Rows of the second image are columns of the first.
            std::mem::swap(&mut rows, &mut columns);
        }
        Self {
            transposed: self.transposed != other.transposed,
            rows: other.rows.map(|row| rows[usize::from(row)]),
            columns: other.columns.map(|column| columns[usize::from(column)]),
        }
    }

    /// The image of 81 cells. `name` converts each cell.
    #[inline]
    pub(super) fn image(&self, cells: &[u8; CELLS], name: impl Fn(u8) -> u8) -> [u8; CELLS] {
        let (row_step, column_step) = if self.transposed { (1, 9) } else { (9, 1) };
        let columns = self.columns.map(|column| column_step * usize::from(column));
        let mut image = [0; CELLS];
        for (image, &row) in image.as_chunks_mut::<9>().0.iter_mut().zip(&self.rows) {
            let row = row_step * usize::from(row);
            for (cell, column) in image.iter_mut().zip(columns) {
                *cell = name(cells[row + column]);
            }
        }
        image
    }

    /// The rearrangement that leads back from the image to the grid.
    pub(crate) fn inverse(&self) -> Self {
        let (mut rows, mut columns) = (inverse(&self.rows), inverse(&self.columns));
        if self.transposed {
            // Rows of the image were columns of the grid.
            std::mem::swap(&mut rows, &mut columns);
        }
        Self {
            transposed: self.transposed,
            rows,
            columns,
        }
    }
}
