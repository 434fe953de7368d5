//! The grammar of numbers and of ranges. Options of the command, and settings of questions, are read here and
//! nowhere else, so what one of them takes all others take.
//!
//! ```text
//!     number   1000   1_000   10k   2M   1G       digits, `_` between them, and a factor of a thousand
//!     range    24   22..24   24..   ..24          both ends belong to it, and one of them may be missing
//! ```
//!
//! The suffixes are those of `numfmt --from=si`, in both cases. Ranges read as those of Rust. (xan and qsv write
//! `3:8` and `3-8`; a minus is hard to tell from a sign, and a colon is what stands before the level of
//! `--compress`.)

use std::{
    fmt::Display,
    num::{IntErrorKind, ParseIntError},
};

/// An error of a text that is no whole number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NumberError {
    /// It has no such form.
    #[error("a whole number is wanted, such as 1000, 10k or 2M")]
    Unreadable,
    /// It has 65 bits or more.
    #[error("the number is out of range: the largest is {}", u64::MAX)]
    TooLarge,
}

impl From<ParseIntError> for NumberError {
    fn from(error: ParseIntError) -> Self {
        match error.kind() {
            IntErrorKind::PosOverflow => Self::TooLarge,
            _ => Self::Unreadable,
        }
    }
}

/// The whole number that a text stands for.
///
/// ```
/// use sudoku_batch::questions::{NumberError, number};
/// assert_eq!(["7", "1_000", "10k", "2M", "1g"].map(|text| number(text).unwrap()), [7, 1000, 10_000, 2_000_000, 1_000_000_000]);
/// assert_eq!(number("1.5M"), Err(NumberError::Unreadable));
/// assert_eq!(number("18446744073709551616"), Err(NumberError::TooLarge));
/// ```
///
/// # Errors
///
/// The text has another form, or the number has more than 64 bits.
pub fn number(text: &str) -> Result<u64, NumberError> {
    let (digits, factor) = match text.as_bytes().last() {
        Some(b'k' | b'K') => (&text[..text.len() - 1], 1_000),
        Some(b'm' | b'M') => (&text[..text.len() - 1], 1_000_000),
        Some(b'g' | b'G') => (&text[..text.len() - 1], 1_000_000_000),
        _ => (text, 1),
    };
    let is_digit = |c: Option<&u8>| c.is_some_and(u8::is_ascii_digit);
    let bytes = digits.as_bytes();
    let is_number = is_digit(bytes.first())
        && is_digit(bytes.last())
        && bytes.iter().all(|c| *c == b'_' || c.is_ascii_digit());
    if !is_number {
        return Err(NumberError::Unreadable);
    }
    let number = digits.replace('_', "").parse::<u64>()?;
    number.checked_mul(factor).ok_or(NumberError::TooLarge)
}

/// The ends of the range that a text stands for: one value is both ends, and an end that is missing is `None`.
/// `end` reads an end, and `wanted` says what the text should be.
///
/// ```
/// use sudoku_batch::questions::range;
/// let read = |text| range(text, "a number or a range is wanted", |end| end.parse::<u8>().ok());
/// assert_eq!(read("24"), Ok([Some(24), Some(24)]));
/// assert_eq!(read("22..24"), Ok([Some(22), Some(24)]));
/// assert_eq!([read("24.."), read("..24")], [Ok([Some(24), None]), Ok([None, Some(24)])]);
/// assert_eq!(read("24..22").unwrap_err(), "24 is over 22: the smaller one comes first");
/// assert!([read(""), read(".."), read("1..2..3"), read("-1")].iter().all(Result::is_err));
/// ```
///
/// # Errors
///
/// The error, in words.
pub fn range<T: PartialOrd + Display + Clone>(
    text: &str,
    wanted: &str,
    end: impl Fn(&str) -> Option<T>,
) -> Result<[Option<T>; 2], String> {
    let read = |text: &str| match text {
        "" => Ok(None),
        text => end(text).map(Some).ok_or_else(|| wanted.to_owned()),
    };
    let ends = match text.split_once("..") {
        // Rust writes a range with its last value like this.
        Some((first, last)) => [read(first)?, read(last.strip_prefix('=').unwrap_or(last))?],
        None => {
            let value = read(text)?;
            [value.clone(), value]
        }
    };
    match &ends {
        [None, None] => Err(wanted.into()),
        [Some(first), Some(last)] if first > last => Err(format!(
            "{first} is over {last}: the smaller one comes first"
        )),
        _ => Ok(ends),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let good = [
            ("0", 0),
            ("007", 7),
            ("1_000_000", 1_000_000),
            ("10k", 10_000),
            ("10K", 10_000),
            ("1_0M", 10_000_000),
            ("1m", 1_000_000),
            ("2g", 2_000_000_000),
            ("312063G", 312_063_000_000_000),
            ("18446744073709551615", u64::MAX),
        ];
        for (text, expected) in good {
            assert_eq!(number(text), Ok(expected), "{text}");
        }
        for text in [
            "", "k", "_", "_1", "1_", "1_k", "-3", "+3", "1.5M", "1mm", "1kk", "abc", " 1", "１",
            "1２",
        ] {
            assert_eq!(number(text), Err(NumberError::Unreadable), "{text}");
        }
        for text in ["18446744073709551616", "99999999999G"] {
            assert_eq!(number(text), Err(NumberError::TooLarge), "{text}");
        }
    }
}
