//! Grids on one line, in the notations that sites and programs share.
//!
//! ```text
//!     https://www.sudokuwiki.org/sudoku.htm?bd=400520703000…      link
//!     https://sudokuexchange.com/play/?s=400520703000…            sudokuexchange
//!     :0000:x:4..52.7.3...…:::                                    hodoku
//!     S9B040000050200070003000000…                                s9b
//! ```

use super::Form;
use crate::grid::CELLS;
use std::io::{self, Write};

/// The text before the cells in a notation, and the text after them.
fn around(form: Form) -> [&'static str; 2] {
    match form {
        Form::Link => ["https://www.sudokuwiki.org/sudoku.htm?bd=", ""],
        Form::SudokuExchange => ["https://sudokuexchange.com/play/?s=", ""],
        // Nothing but the cells is known: no technique, no number of it, and no candidate that is struck.
        Form::Hodoku => [":0000:x:", ":::"],
        Form::S9b => ["S9B", ""],
        other => unreachable!("{other} is no notation"),
    }
}

/// Writes a line of a grid. Any character but a digit stands for a blank.
pub(super) fn write(form: Form, cells: &[u8; CELLS], out: &mut impl Write) -> io::Result<()> {
    let blank = form.blank().expect("a notation has one blank");
    let digits = cells.map(|cell| match cell {
        b'1'..=b'9' => cell,
        _ => blank,
    });
    let [before, after] = around(form);
    out.write_all(before.as_bytes())?;
    if form == Form::S9b {
        // The first digit of the two is that of numbers from 36 on, which stand for several candidates.
        out.write_all(digits.map(|digit| [b'0', digit]).as_flattened())?;
    } else {
        out.write_all(&digits)?;
    }
    out.write_all(after.as_bytes())?;
    out.write_all(b"\n")
}
