//! A symmetry without the names of the digits.

use super::line_order::inverse;

/// A grid is transposed, or not; then its rows and its columns are put into
/// another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rearrangement {
    /// Whether the grid is transposed.
    pub(crate) transposed: bool,
    /// Row `i` of the image is this row of the grid, or of its transpose.
    pub(crate) rows: [u8; 9],
    /// Column `j` of the image is this column.
    pub(crate) columns: [u8; 9],
}

impl Rearrangement {
    /// What leads back from the image to the grid.
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

#[cfg(test)]
mod tests {
    use super::{super::line_order::line_order, *};

    type Cells = [[usize; 9]; 9];

    /// The definition, cell by cell.
    fn image(cells: &Cells, by: &Rearrangement) -> Cells {
        std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                let (row, column) = (usize::from(by.rows[i]), usize::from(by.columns[j]));
                match by.transposed {
                    true => cells[column][row],
                    false => cells[row][column],
                }
            })
        })
    }

    #[test]
    fn the_inverse_leads_back() {
        let cells: Cells = std::array::from_fn(|i| std::array::from_fn(|j| 9 * i + j));
        for (rows, columns) in (0..1296).step_by(7).zip((0..1296).rev().step_by(5).cycle()) {
            for transposed in [false, true] {
                let by = Rearrangement {
                    transposed,
                    rows: line_order(rows),
                    columns: line_order(columns),
                };
                assert_eq!(image(&image(&cells, &by), &by.inverse()), cells, "{by:?}");
                assert_eq!(by.inverse().inverse(), by);
            }
        }
    }
}
