//! SudokuWiki's codes: `S9`, a letter, and two digits of base 36 for each cell.
//!
//! ```text
//!     S9B 04 00 00 05 02 …      a number is a digit, and 00 a blank
//!     S9B 0h 9a 01 …            or a number is the candidates of a cell as bits, and an odd one is a clue
//! ```

use crate::grid::{BLANK, CELLS};

/// The length of a code.
pub(super) const LENGTH: usize = 3 + 2 * CELLS;

/// The two digits of each cell, if a text begins with a code.
fn pairs(text: &[u8]) -> Option<&[[u8; 2]; CELLS]> {
    let is_named = text.starts_with(b"S9") && text.get(2).is_some_and(u8::is_ascii_uppercase);
    let code = text.get(3..LENGTH).filter(|_| is_named)?;
    let is_whole = code.iter().all(u8::is_ascii_alphanumeric);
    is_whole.then(|| code.as_chunks().0.try_into().expect("81 pairs"))
}

/// Returns true if a text begins with a code.
#[cfg(feature = "formats")]
pub(super) fn is_code(text: &[u8]) -> bool {
    pairs(text).is_some()
}

/// The clues of the code that a text begins with. With `masks` its numbers are candidates.
pub(super) fn clues(text: &[u8], masks: bool) -> Option<[u8; CELLS]> {
    let digit = |byte: u8| char::from(byte).to_digit(36).unwrap_or(0);
    Some(pairs(text)?.map(|[high, low]| {
        let value = 36 * digit(high) + digit(low);
        let clue = match value {
            1..=9 if !masks => value,
            _ if masks && value & 1 == 1 && (value - 1).is_power_of_two() => {
                (value - 1).trailing_zeros()
            }
            _ => 0,
        };
        match clue {
            1..=9 => b'0' + clue as u8,
            _ => BLANK,
        }
    }))
}

/// The meaning of a number that gives more clues: true for candidates.
pub(super) fn has_masks<'t>(codes: impl Iterator<Item = &'t [u8]> + Clone) -> bool {
    let count = |masks| {
        let cells = codes
            .clone()
            .filter_map(|code| clues(code, masks))
            .flatten();
        cells.filter(|&cell| cell != BLANK).count()
    };
    count(true) > count(false)
}
