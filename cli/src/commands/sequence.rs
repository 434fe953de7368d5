//! Which sequence of grids: order, seed and first digit.

use sudoku_batch::{
    Digit,
    generate::{Grids, Sequence, Uniform},
    questions::digit_of_student,
};

/// A sequence of grids. The same options give the same grids on every machine.
#[derive(Debug, clap::Args)]
pub(crate) struct SequenceOptions {
    /// Which pseudo-random order: a number from 0 to 18446744073709551615.
    #[arg(
        long,
        value_name = "S",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    pub(crate) seed: u64,

    /// No pseudo-random order: the grids as their indices come, with neighbours alike.
    #[arg(long, conflicts_with = "seed")]
    pub(crate) in_order: bool,

    /// Only grids with this digit in the top left cell.
    #[arg(long, value_name = "D", value_parser = digit, allow_negative_numbers = true)]
    pub(crate) first_digit: Option<Digit>,

    /// The same, with the digit that belongs to a student number: its last two digits added, modulo
    /// 9, plus 1.
    #[arg(long, value_name = "ID", value_parser = digit_of_student, allow_negative_numbers = true, conflicts_with = "first_digit")]
    pub(crate) student: Option<Digit>,
}

impl SequenceOptions {
    /// Uniform samples with the same seed and first digit.
    pub(crate) fn uniform(&self) -> Grids {
        let uniform = Uniform::seeded(self.seed);
        Grids::Uniform(match self.first_digit.or(self.student) {
            Some(digit) => uniform.with_first_digit(digit),
            None => uniform,
        })
    }

    /// The sequence.
    pub(crate) fn sequence(&self) -> Sequence {
        let sequence = if self.in_order {
            Sequence::in_order()
        } else {
            Sequence::seeded(self.seed)
        };
        match self.first_digit.or(self.student) {
            Some(digit) => sequence.with_first_digit(digit),
            None => sequence,
        }
    }

    /// The facts for the summary.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let order = if self.in_order {
            ("order", "index".into())
        } else {
            ("seed", self.seed.to_string())
        };
        let digit = self.first_digit.or(self.student);
        let digit = digit.map(|digit| ("first_digit", digit.to_string()));
        std::iter::once(order).chain(digit).collect()
    }
}

fn digit(text: &str) -> Result<Digit, String> {
    let digit = text.parse().ok().and_then(Digit::new);
    digit.ok_or_else(|| "a digit from 1 to 9 is wanted".into())
}
