//! The number of each solved grid in a sequence.

use super::{
    Answer, Batch, Column, Counts, Definition, Doors, Fact, Kind, Outcome, Question, RowView,
    Setting, Status, Value, status::StatusColumn, valid_grid, verification::Check,
};
use crate::{format::Values, generate::Sequence, grid::Digit};

/// Numbers solved grids.
pub static RANK: Definition = Definition {
    name: "rank",
    about: "Number solved grids: the inverse of generate",
    details: "\
Every record is a solved grid. It gets the number of its grid in the sequence, counted from 0. In the form \
`line`, the output has one line for each record, in the order of the input: the number, or `unknown`. A grid \
is unknown when it is not an image of any of the 256 base grids, or when its first digit is not the one that \
is fixed.",
    notes: "\
Examples:
  sudoku-batch generate 1M --seed 7 | sudoku-batch rank --seed 7 | sort -n | uniq -d
      No grid comes twice: no number is printed.
  sudoku-batch rank --in-order grids.txt -o indices.txt
  sudoku-batch rank solved.csv --column solution -o numbered.csv
      The table with two more columns, index and status.

The status of a valid grid is `valid`, whether it is known or not. A record that is no grid (not 81
digits, or a digit twice in a row, column or box) is unknown too. Standard error reports the first ten of
them.",
    failure: "some grids have no number",
    verification: "\
Check each number before it is written: make the grid of that number again.

It must be the grid of the record. This costs about 100 ns a record. The first record that fails ends the \
command with exit status 2 and no output.",
    settings: &[
        Setting::new(
            "seed",
            Kind::Number(0),
            "Which pseudo-random order: a number from 0 to 18446744073709551615.",
        )
        .usual("0"),
        Setting::new(
            "in-order",
            Kind::Flag,
            "No pseudo-random order: the grids as their indices come, with neighbours alike.",
        )
        .excludes("seed"),
        Setting::new("first-digit", Kind::Digit, "Only grids with this digit in the top left cell."),
        Setting::new(
            "student",
            Kind::Student,
            "The same, with the digit that belongs to a student number: its last two digits added, modulo 9, plus 1.",
        )
        .excludes("first-digit")
        .at(Doors::Command),
    ],
    columns: &[
        Column::new("index", Values::Numbers, "the number of the grid in the sequence").renamed(),
        Column::STATUS,
    ],
    make: || Box::new(Ranking::default()),
};

#[derive(Clone, Debug, Default)]
struct Ranking {
    seed: u64,
    in_order: bool,
    first_digit: Option<Digit>,
}

impl Ranking {
    fn sequence(&self) -> Sequence {
        let sequence = match self.in_order {
            true => Sequence::in_order(),
            false => Sequence::seeded(self.seed),
        };
        match self.first_digit {
            Some(digit) => sequence.with_first_digit(digit),
            None => sequence,
        }
    }
}

impl Question for Ranking {
    fn set(&mut self, name: &str, value: Value) {
        match (name, value) {
            ("seed", Value::Number(seed)) => self.seed = seed,
            ("in-order", Value::Flag(is_set)) => self.in_order = is_set,
            ("first-digit" | "student", Value::Digit(digit)) => self.first_digit = Some(digit),
            _ => unreachable!("{name} is no setting of this kind"),
        }
    }

    fn fork(&self) -> Box<dyn Question> {
        Box::new(self.clone())
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let (sequence, records) = (self.sequence(), batch.records);
        let mut statuses = StatusColumn::of(answer);
        let [mut known, mut not_grids] = [0, 0];
        for record in 0..records.len() {
            let grid = valid_grid(records, record);
            let number = grid.ok().and_then(|grid| sequence.position(&grid));
            known += u64::from(number.is_some());
            not_grids += u64::from(grid.is_err());
            answer.row(record).number(number);
            statuses.push(grid.map(|_| Status::Valid));
        }
        statuses.swap(answer);
        answer.counts.add("known", known);
        answer
            .counts
            .add("unknown", records.len() as u64 - known - not_grids);
        answer.counts.add("not-grids", not_grids);
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        if !row.push(0, line) {
            line.extend_from_slice(b"unknown");
        }
        true
    }

    fn expects_grids(&self) -> bool {
        true
    }

    fn check(&self) -> Option<Check> {
        Some(Check::Numbers(Box::new(self.sequence())))
    }

    fn outcome(&self, counts: &Counts, records: u64) -> Outcome {
        let order = match self.in_order {
            true => ("order", Fact::Words("index".into())),
            false => ("seed", Fact::Words(self.seed.to_string())),
        };
        let digit = self
            .first_digit
            .map(|digit| ("first_digit", Fact::Words(digit.to_string())));
        let failed = records.saturating_sub(counts.get("known"));
        Outcome {
            unit: "grids",
            facts: [order].into_iter().chain(digit).collect(),
            ..Outcome::new(counts.clone(), failed, "have no number in this sequence")
        }
    }
}
