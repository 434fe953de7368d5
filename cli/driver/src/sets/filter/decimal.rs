//! Decimal numbers of any length, compared without rounding.

use std::cmp::Ordering;

/// A decimal number: its sign, its digits, and the place of its dot.
///
/// `-0.0250` is a minus, the digits `25` and the magnitude -1: minus 0.25 times ten to this power. Neither end of the
/// digits is 0, so that a number has one writing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Decimal {
    is_negative: bool,
    magnitude: i64,
    /// None for 0, whose magnitude is 0.
    digits: Vec<u8>,
}

impl Decimal {
    /// Reads a number such as `7`, `-0.5`, `.5`, `+07` or `1e3`, with spaces around it or without. Another text is none, and
    /// neither is a number whose exponent has more than 18 digits.
    pub(super) fn read(text: &[u8]) -> Option<Self> {
        let text = text.trim_ascii();
        let (is_negative, text) = match text {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            text => (false, text),
        };
        let mantissa_ends = text.iter().position(|c| matches!(c, b'e' | b'E'));
        let (mantissa, exponent) = match mantissa_ends {
            Some(end) => (&text[..end], exponent(&text[end + 1..])?),
            None => (text, 0),
        };
        let (mut before_dot, mut digits) = (None, Vec::new());
        for &byte in mantissa {
            match byte {
                b'0'..=b'9' => digits.push(byte),
                b'.' if before_dot.is_none() => before_dot = Some(digits.len()),
                _ => return None,
            }
        }
        if digits.is_empty() {
            return None;
        }
        let before_dot = before_dot.unwrap_or(digits.len());
        let Some(zeros) = digits.iter().position(|&digit| digit != b'0') else {
            // Minus 0 is 0.
            return Some(Self {
                is_negative: false,
                magnitude: 0,
                digits: Vec::new(),
            });
        };
        digits.drain(..zeros);
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        Some(Self {
            is_negative,
            // A text has far less than 2^62 digits, and an exponent is less than 10^18.
            magnitude: exponent + before_dot as i64 - zeros as i64,
            digits,
        })
    }
}

/// Reads an exponent of at most 18 digits.
fn exponent(text: &[u8]) -> Option<i64> {
    let digits = text
        .strip_prefix(b"-")
        .or(text.strip_prefix(b"+"))
        .unwrap_or(text);
    let is_number = (1..=18).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit);
    str::from_utf8(text)
        .ok()
        .filter(|_| is_number)?
        .parse()
        .ok()
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        // 0 is over every negative number and under every other.
        let sign = |number: &Self| match (number.digits.is_empty(), number.is_negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let sizes = || {
            let by_magnitude = self.magnitude.cmp(&other.magnitude);
            by_magnitude.then_with(|| self.digits.cmp(&other.digits))
        };
        let signs = sign(self).cmp(&sign(other));
        signs.then_with(|| match self.is_negative {
            true => sizes().reverse(),
            false => sizes(),
        })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each line has writings of one number, and the numbers rise from line to line.
    #[test]
    fn numbers_are_compared_as_they_are() {
        let rising: [&[&str]; 14] = [
            &["-1e400", "-10e399"],
            &["-9007199254740993", "-9007199254740993.0"],
            &["-9007199254740992"],
            &["-2.5", "-02.50", "-25e-1"],
            &["-2"],
            &["-1e-9"],
            &["0", "-0", "+0", "0.0", ".0", "0e999999999999999999", "000"],
            &["1e-400", "0.1e-399"],
            &["0.025", ".025", "25e-3", "2.5E-2"],
            &["7", "7.0", "007", "+7", " 7 ", "7.", "\t7"],
            &["7.000000000000000000001"],
            &["9007199254740992", "9007199254740992.000"],
            &[
                "9007199254740993",
                "9.007199254740993e15",
                "9.007199254740993e+15",
            ],
            &["1e400", "10e399"],
        ];
        let read = |text: &str| Decimal::read(text.as_bytes()).unwrap_or_else(|| panic!("{text}"));
        for (row, texts) in rising.iter().enumerate() {
            for (other_row, others) in rising.iter().enumerate() {
                for text in *texts {
                    for other in *others {
                        let order = read(text).cmp(&read(other));
                        assert_eq!(order, row.cmp(&other_row), "{text} {other}");
                    }
                }
            }
        }
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in [
            "",
            " ",
            "-",
            "+",
            ".",
            "e3",
            "1e",
            "1e+",
            "1.2.3",
            "1,5",
            "1_000",
            "10k",
            "0x10",
            "--1",
            "+-1",
            "1 2",
            "inf",
            "NaN",
            "1e1000000000000000000",
            "1e5.0",
            "1e 5",
            "７",
        ] {
            assert_eq!(Decimal::read(text.as_bytes()), None, "{text}");
        }
    }
}
