//! A symmetry as a value, to apply, invert, compose and write as text.

use super::{
    LINE_ORDERS,
    line_order::{inverse, line_order},
};
use crate::{
    grid::{AnyPuzzle, BLANK, CELLS, Candidates, Digit, Digits, Grid, Puzzle},
    name::NameError,
};
use std::{fmt, str::FromStr};

/// One of the 1,218,998,108,160 symmetries.
///
/// It transposes the grid or leaves it. Then it reorders the rows and the columns, and renames the
/// digits. As text it reads
///
/// ```text
///     transpose/rows=231789546/columns=123456789/digits=918273645
///     |         |              |                 |
///     |         |              |                 digit 1 becomes 9, digit 2 becomes 1 ...
///     |         |              column 1 of the image is column 1 ...
///     |         row 1 of the image is row 2 of the grid (transposed, if it is), row 2 is row 3 ...
///     only where the grid is transposed
/// ```
///
/// ```
/// use sudoku_batch::{Puzzle, symmetry::Transformation};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let swap: Transformation = "rows=213456789/columns=123456789/digits=123456789".parse()?;
/// let image = swap.puzzle(&puzzle);
/// assert!(image.as_str().starts_with(".....3...4..52.7.3"));
/// assert_eq!(swap.inverse().puzzle(&image), puzzle);
/// assert_eq!(swap.then(&swap), Transformation::IDENTITY);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transformation {
    /// True if the grid is transposed.
    pub(crate) transposed: bool,
    /// Row `i` of the image is this row of the grid, or of its transpose.
    pub(crate) rows: [u8; 9],
    pub(crate) columns: [u8; 9],
    /// Digit `d`, 0 to 8, becomes `digits[d]`.
    pub(super) digits: [u8; 9],
}

impl Transformation {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Self = Self {
        transposed: false,
        rows: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        columns: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        digits: [0, 1, 2, 3, 4, 5, 6, 7, 8],
    };

    /// The number of symmetries: 2 * 9! * 6^8.
    pub const COUNT: u64 = 2 * 362_880 * (LINE_ORDERS * LINE_ORDERS) as u64;

    /// Makes a symmetry from its parts. Row `i` of the image is row `rows[i]` of the grid, or of
    /// its transpose. The same holds for columns. Digit `d` becomes `digits[d - 1]`. Rows and
    /// columns count from 0.
    ///
    /// # Errors
    ///
    /// A row, a column or a digit is missing. Or the rows of a band, or the columns of a stack, do
    /// not stay together.
    pub fn new(
        transposed: bool,
        rows: [u8; 9],
        columns: [u8; 9],
        digits: [Digit; 9],
    ) -> Result<Self, NameError> {
        let digits = digits.map(|digit| digit.index() as u8);
        for (lines, part) in [(&rows, "rows"), (&columns, "columns")] {
            check_all_nine(lines, part)?;
            let together = |lines: &[u8; 3]| lines.iter().all(|line| line / 3 == lines[0] / 3);
            if !lines.as_chunks().0.iter().all(together) {
                let apart = format!("the {part} of one band or stack do not stay together");
                return Err(error(part, apart));
            }
        }
        check_all_nine(&digits, "digits")?;
        Ok(Self {
            transposed,
            rows,
            columns,
            digits,
        })
    }

    /// Symmetry `number`, for all numbers below [`COUNT`](Self::COUNT). 0 is the identity.
    ///
    /// ```text
    ///     number = ((transposed * 1296 + rows) * 1296 + columns) * 9! + digits
    /// ```
    ///
    /// The orders of the rows, of the columns and of the digits count in lexicographic
    /// order.
    ///
    /// # Panics
    ///
    /// `number` is not below the count.
    pub fn numbered(number: u64) -> Self {
        assert!(number < Self::COUNT, "{number} is not below the count");
        let (number, mut rest) = (number / 362_880, number % 362_880);
        let (number, columns) = (number / 1296, number % 1296);
        let mut left: Vec<u8> = (0..9).collect();
        let mut orders = 362_880;
        let digits = std::array::from_fn(|place| {
            orders /= 9 - place as u64;
            let at = rest / orders;
            rest %= orders;
            left.remove(at as usize)
        });
        Self {
            transposed: number >= 1296,
            rows: line_order((number % 1296) as usize),
            columns: line_order(columns as usize),
            digits,
        }
    }

    /// Returns true if the grid is transposed first.
    pub fn is_transposed(&self) -> bool {
        self.transposed
    }

    /// Row `i` of the image is row `rows()[i]` of the grid, or of its transpose. Rows count
    /// from 0.
    pub fn rows(&self) -> [u8; 9] {
        self.rows
    }

    /// Column `j` of the image is column `columns()[j]`. Columns count from 0.
    pub fn columns(&self) -> [u8; 9] {
        self.columns
    }

    /// The new digit for a digit.
    pub fn digit(&self, digit: Digit) -> Digit {
        Digit::known(self.digits[digit.index()].into())
    }

    /// The image of a grid.
    #[inline]
    pub fn grid(&self, grid: &Grid) -> Grid {
        let cells = self.cells(grid.as_ascii());
        Grid::from_ascii(&cells).expect("digits become digits")
    }

    /// The image of a puzzle: a [`Puzzle`], [`Candidates`], or an [`AnyPuzzle`] of either kind.
    ///
    /// ```
    /// use sudoku_batch::{Candidates, Puzzle, symmetry::Transformation};
    /// let puzzle: Puzzle =
    ///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
    /// let symmetry = Transformation::numbered(123_456_789_012);
    /// let image = Candidates::from(symmetry.puzzle(&puzzle));
    /// assert_eq!(symmetry.puzzle(&Candidates::from(puzzle)), image);
    /// # Ok::<(), sudoku_batch::ParseError>(())
    /// ```
    #[inline]
    pub fn puzzle<P: HasImage>(&self, puzzle: &P) -> P {
        puzzle.image(self)
    }

    /// The image of characters: `1` to `9`, and `.`, whose low four bits are 14.
    #[inline]
    fn cells(&self, cells: &[u8; CELLS]) -> [u8; CELLS] {
        let mut names = [BLANK; 16];
        for (name, digit) in names[1..].iter_mut().zip(self.digits) {
            *name = b'1' + digit;
        }
        self.rearranged(cells, |cell| names[usize::from(cell & 15)])
    }

    /// The image of 81 cells in their new order. `name` converts each.
    #[inline]
    pub(super) fn rearranged(&self, cells: &[u8; CELLS], name: impl Fn(u8) -> u8) -> [u8; CELLS] {
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

    /// The inverse symmetry.
    #[must_use]
    pub fn inverse(&self) -> Self {
        let (mut rows, mut columns) = (inverse(&self.rows), inverse(&self.columns));
        if self.transposed {
            // Rows of the image were columns of the grid.
            std::mem::swap(&mut rows, &mut columns);
        }
        Self {
            transposed: self.transposed,
            rows,
            columns,
            digits: inverse(&self.digits),
        }
    }

    /// Applies this symmetry first, then the other.
    #[must_use]
    pub fn then(&self, other: &Self) -> Self {
        let (mut rows, mut columns) = (&self.rows, &self.columns);
        if other.transposed {
            // Rows of the second image are columns of the first.
            std::mem::swap(&mut rows, &mut columns);
        }
        Self {
            transposed: self.transposed != other.transposed,
            rows: other.rows.map(|row| rows[usize::from(row)]),
            columns: other.columns.map(|column| columns[usize::from(column)]),
            digits: self.digits.map(|digit| other.digits[usize::from(digit)]),
        }
    }
}

/// A puzzle of any kind.
pub trait HasImage {
    /// The image by a symmetry.
    fn image(&self, by: &Transformation) -> Self;
}

impl HasImage for Puzzle {
    #[inline]
    fn image(&self, by: &Transformation) -> Self {
        let cells = by.cells(self.as_ascii());
        Self::from_ascii(&cells).expect("blanks stay blanks, digits become digits")
    }
}

impl HasImage for Candidates {
    fn image(&self, by: &Transformation) -> Self {
        let renamed = |digits: Digits| digits.iter().map(|digit| by.digit(digit)).collect();
        let cells = self.cells();
        let places = std::array::from_fn(|cell| cell as u8);
        let from = by.rearranged(&places, |cell| cell);
        Self::from_cells(&from.map(|cell| renamed(cells[usize::from(cell)])))
    }
}

impl HasImage for AnyPuzzle {
    #[inline]
    fn image(&self, by: &Transformation) -> Self {
        match self {
            Self::Cells(puzzle) => puzzle.image(by).into(),
            Self::Candidates(candidates) => candidates.image(by).into(),
        }
    }
}

/// The parts of a transformation behind `transpose/`.
const PARTS: [&str; 3] = ["rows", "columns", "digits"];

/// The shape of the text.
const SHAPE: &str = "a transformation reads `rows=123456789/columns=123456789/digits=123456789`, with `transpose/` before it where the grid is transposed";

/// The error of a part or a text.
fn error(name: &str, message: impl Into<String>) -> NameError {
    NameError::new("transformation", name, message.into())
}

fn check_all_nine(numbers: &[u8; 9], part: &str) -> Result<(), NameError> {
    let seen = numbers.iter().fold(0u32, |seen, &number| {
        seen | 1u32.checked_shl(number.into()).unwrap_or(0)
    });
    if seen == 0x1ff {
        Ok(())
    } else {
        Err(error(part, format!("the {part} are not 1 to 9, each once")))
    }
}

impl fmt::Display for Transformation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_transposed() {
            f.write_str("transpose/")?;
        }
        let parts = [self.rows(), self.columns(), self.digits];
        for (i, (part, numbers)) in PARTS.iter().zip(parts).enumerate() {
            let text = numbers.map(|number| b'1' + number);
            let text = str::from_utf8(&text).expect("characters 1 to 9");
            let slash = if i > 0 { "/" } else { "" };
            write!(f, "{slash}{part}={text}")?;
        }
        Ok(())
    }
}

impl FromStr for Transformation {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let (transposed, parts) = match text.strip_prefix("transpose/") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let mut words = parts.split('/');
        let mut part = |part: &str| {
            let word = words.next().ok_or_else(|| error(text, SHAPE))?;
            let numbers = word.strip_prefix(&format!("{part}="));
            let numbers = numbers.and_then(|text| <[u8; 9]>::try_from(text.as_bytes()).ok());
            let numbers = numbers.ok_or_else(|| error(text, SHAPE))?;
            let numbers = numbers.map(|character| character.wrapping_sub(b'1'));
            check_all_nine(&numbers, part).map(|()| numbers)
        };
        let [rows, columns, digits] = PARTS.map(&mut part);
        let (rows, columns, digits) = (rows?, columns?, digits?);
        if words.next().is_some() {
            return Err(error(text, SHAPE));
        }
        let digits = digits.map(|digit| Digit::known(digit.into()));
        Self::new(transposed, rows, columns, digits)
    }
}
