//! Numbers and words of messages.

use std::fmt::Display;
pub use sudoku_batch::words::{counted, grouped, noun, said};

/// A number in words, with a decimal where it is small: `0.25`, `7`, `1,200`.
pub fn rate(rate: f64) -> impl Display {
    match rate {
        0.95.. => grouped(rate.round() as u64),
        // Two digits that say something.
        _ if rate >= 0.095 => format!("{rate:.1}"),
        _ if rate >= 0.0095 => format!("{rate:.2}"),
        _ => format!("{rate:.4}"),
    }
}

/// `a`, `a and b`, `a, b and c`.
pub fn listed(names: &[impl AsRef<str>]) -> String {
    let names: Vec<_> = names.iter().map(AsRef::as_ref).collect();
    match names.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_a_list() {
        assert_eq!(listed(&[""; 0]), "");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b"]), "a and b");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
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
