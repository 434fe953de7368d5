//! Numbers and words that agree: `1 record`, `2,500 records`, `1 of 10 records is malformed`.

use indicatif::HumanCount;
use std::fmt::Display;

/// A number and its noun, which is given in the plural: `1 record`, `2,500 records`.
pub(crate) fn counted(count: u64, plural: &str) -> String {
    format!("{} {}", HumanCount(count), noun(count, plural))
}

/// The noun for a number of things: `record` for one, and `records` for any other.
pub(crate) fn noun(count: u64, plural: &str) -> &str {
    match count {
        1 => plural.strip_suffix('s').unwrap_or(plural),
        _ => plural,
    }
}

/// What is said of a number of things, in words that are given in the plural: `is malformed` for one, and
/// `are malformed` for any other.
pub(crate) fn said(count: u64, plural: &str) -> String {
    if count != 1 {
        return plural.to_owned();
    }
    let mut words: Vec<&str> = Vec::new();
    for word in plural.split(' ') {
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
    words.join(" ")
}

/// A number in words, with a decimal where it is small: `0.25`, `7`, `1,200`.
pub(crate) fn rate(rate: f64) -> impl Display {
    match rate {
        0.95.. => HumanCount(rate.round() as u64).to_string(),
        // Two digits that say something.
        _ if rate >= 0.095 => format!("{rate:.1}"),
        _ if rate >= 0.0095 => format!("{rate:.2}"),
        _ => format!("{rate:.4}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_agree_with_numbers() {
        assert_eq!(counted(0, "records"), "0 records");
        assert_eq!(counted(1, "records"), "1 record");
        assert_eq!(counted(2500, "puzzles"), "2,500 puzzles");
        for (plural, singular) in [
            ("are not as they should be", "is not as it should be"),
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
            ("not solved", "not solved"),
            ("could not be made", "could not be made"),
        ] {
            assert_eq!(said(1, plural), singular);
            assert_eq!([0, 2].map(|n| said(n, plural)), [plural; 2]);
        }
    }

    #[test]
    fn a_rate_is_never_nothing() {
        let rates = [1_234_567.0, 41.4, 1.4, 1.0, 0.97, 0.3333, 0.04, 0.0012];
        let shown = rates.map(|number| rate(number).to_string());
        assert_eq!(
            shown,
            ["1,234,567", "41", "1", "1", "1", "0.3", "0.04", "0.0012"]
        );
    }
}
