//! Lists in the sentences of steps.

use super::Step;
use crate::grid::{Cell, Digit, Digits};

/// `r1c2`, `r1c2 and r1c3`, or `r1c2, r1c3 and r4c3`.
pub(super) fn list<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    match items.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

/// The strikes of a step: `Strike 3 and 5 from r1c2 and r1c3, and 7 from r4c3.`
pub(super) fn strikes(step: &Step) -> String {
    // Digits that are struck from the same cells share a part of the sentence.
    let mut parts: Vec<(Vec<Cell>, Vec<Digit>)> = Vec::new();
    let struck: Digits = step.strikes.iter().map(|strike| strike.digit).collect();
    for digit in struck.iter() {
        let of_digit = step.strikes.iter().filter(|strike| strike.digit == digit);
        let cells: Vec<Cell> = of_digit.map(|strike| strike.cell).collect();
        match parts.iter_mut().find(|part| part.0 == cells) {
            Some((_, digits)) => digits.push(digit),
            None => parts.push((cells, vec![digit])),
        }
    }
    let part = |(cells, digits): &(Vec<Cell>, Vec<Digit>)| {
        format!("{} from {}", list(digits), list(cells))
    };
    let parts: Vec<String> = parts.iter().map(part).collect();
    format!("Strike {}.", parts.join(", and "))
}
