//! Numbers and words that agree: `1 record`, `2,500 records`, `1 of 10 records is malformed`.
//!
//! ```
//! use sudoku_batch::words::{counted, said};
//! assert_eq!([0, 1, 2_500].map(|n| counted(n, "records")), ["0 records", "1 record", "2,500 records"]);
//! assert_eq!(said(1, "are malformed"), "is malformed");
//! ```

use std::borrow::Cow;

/// A number with commas between thousands: `1,234,567`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (digit, left) in digits.chars().zip((1..=digits.len()).rev()) {
        text.push(digit);
        if left > 1 && left % 3 == 1 {
            text.push(',');
        }
    }
    text
}

/// A number and its noun, which is given in the plural: `1 record`, `2,500 records`.
pub fn counted(count: u64, plural: &str) -> String {
    format!("{} {}", grouped(count), noun(count, plural))
}

/// The noun for a number of things: `record` for one, and `records` for any other.
pub fn noun(count: u64, plural: &str) -> Cow<'_, str> {
    if count != 1 {
        return plural.into();
    }
    // Copies, guesses and boxes; a house is none of them.
    if let Some(stem) = plural.strip_suffix("ies") {
        return format!("{stem}y").into();
    }
    let stem = plural.strip_suffix("es");
    let has_e = |stem: &&str| {
        ["ss", "x", "ch", "sh"]
            .iter()
            .any(|end| stem.ends_with(end))
    };
    let stem = stem.filter(has_e).or(plural.strip_suffix('s'));
    stem.unwrap_or(plural).into()
}

/// A statement about a number of things, in words that are given in the plural: `is malformed` for one, and
/// `are malformed` for any other. Words after a colon are about others, and stay.
pub fn said(count: u64, plural: &str) -> String {
    if count != 1 {
        return plural.to_owned();
    }
    let (about, rest) = plural.split_at(plural.find(':').unwrap_or(plural.len()));
    let mut words: Vec<&str> = Vec::new();
    for word in about.split(' ') {
        words.push(match (word, &words[..]) {
            // After `does not`.
            (word, [.., "not"]) if word == "have" => word,
            ("have", _) => "has",
            ("are", _) => "is",
            ("do", _) => "does",
            ("they", _) => "it",
            (word, _) => word,
        });
    }
    words.join(" ") + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_agree_with_numbers() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (65_536, "65,536"),
            (123_456, "123,456"),
            (u64::MAX, "18,446,744,073,709,551,615"),
        ] {
            assert_eq!(grouped(number), text);
        }
        for (plural, singular) in [
            ("records", "record"),
            ("guesses", "guess"),
            ("copies", "copy"),
            ("boxes", "box"),
            ("houses", "house"),
            ("changed clues", "changed clue"),
        ] {
            assert_eq!(noun(1, plural), singular);
            assert_eq!([0, 2].map(|n| noun(n, plural)), [plural; 2]);
        }
        for (plural, singular) in [
            ("failed", "failed"),
            (
                "do not have exactly one solution",
                "does not have exactly one solution",
            ),
            (
                "have not exactly one solution",
                "has not exactly one solution",
            ),
            (
                "are malformed, or have no solution",
                "is malformed, or has no solution",
            ),
            (
                "have no canonical form: malformed ones are kept",
                "has no canonical form: malformed ones are kept",
            ),
            ("not solved", "not solved"),
            ("could not be made", "could not be made"),
        ] {
            assert_eq!(said(1, plural), singular);
            assert_eq!([0, 2].map(|n| said(n, plural)), [plural; 2]);
        }
    }
}
