//! Sets of digits.

use super::Digit;
use std::fmt;

/// A set of digits, such as the candidates of a cell.
///
/// ```
/// use sudoku_batch::grid::{Digit, Digits};
/// let digits: Digits = [2, 7].into_iter().filter_map(Digit::new).collect();
/// assert_eq!(digits.to_string(), "27");
/// assert_eq!(digits.len(), 2);
/// assert!(digits.contains(Digit::new(7).unwrap()));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digits(u16);

impl Digits {
    /// No digit.
    pub const NONE: Self = Self(0);

    /// All nine digits.
    pub const ALL: Self = Self(0x1FF);

    /// The set of nine bits: bit n stands for digit n + 1. Higher bits are ignored.
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits & Self::ALL.0)
    }

    /// The set as nine bits: bit n stands for digit n + 1.
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The set of one digit.
    pub const fn from_digit(digit: Digit) -> Self {
        Self(1 << digit.index())
    }

    /// The number of digits.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns true if it has no digit.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns true if it has this digit.
    pub const fn contains(self, digit: Digit) -> bool {
        self.0 >> digit.index() & 1 != 0
    }

    /// Adds a digit.
    pub const fn insert(&mut self, digit: Digit) {
        self.0 |= Self::from_digit(digit).0;
    }

    /// Takes a digit out.
    pub const fn remove(&mut self, digit: Digit) {
        self.0 &= !Self::from_digit(digit).0;
    }

    /// The digits in order.
    pub fn iter(self) -> impl Iterator<Item = Digit> {
        Digit::all().filter(move |&digit| self.contains(digit))
    }
}

impl FromIterator<Digit> for Digits {
    fn from_iter<T: IntoIterator<Item = Digit>>(digits: T) -> Self {
        let bits = digits.into_iter().map(|digit| Self::from_digit(digit).0);
        Self(bits.fold(0, |all, bit| all | bit))
    }
}

/// The digits one after the other: `27`.
impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = self.iter().map(|digit| digit.to_string()).collect();
        f.pad(&text)
    }
}

impl fmt::Debug for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digits({self})")
    }
}
