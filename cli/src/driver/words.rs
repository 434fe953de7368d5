//! Numbers and words of messages.

use std::fmt::Display;
pub(crate) use sudoku_batch::words::{counted, grouped, noun, said};

/// A number in words, with a decimal where it is small: `0.25`, `7`, `1,200`.
pub(crate) fn rate(rate: f64) -> impl Display {
    match rate {
        0.95.. => grouped(rate.round() as u64),
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
    fn a_rate_is_never_nothing() {
        let rates = [1_234_567.0, 41.4, 1.4, 1.0, 0.97, 0.3333, 0.04, 0.0012];
        let shown = rates.map(|number| rate(number).to_string());
        assert_eq!(
            shown,
            ["1,234,567", "41", "1", "1", "1", "0.3", "0.04", "0.0012"]
        );
    }
}
