//! `sudoku-batch split`.

use super::records::RecordOptions;
use sudoku_batch::dataset::By;

/// Divide a set into training and test set, with nothing equivalent on both sides.
///
/// Each record goes to a part by a hash of its canonical form, and of nothing else. So records that are
/// images of each other are in one part, also when they are in other files, in other shards or added
/// later. The shares are those of groups of equivalent records, on the average.
///
/// A record that has no form (malformed, no solution, or several) goes to the part `rejected`.
///
/// --output-dir DIR is required. It gets a file for each part, named after it, in the form of the input:
/// train.csv, test.csv, rejected.csv.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Split {
    /// The share of the test set, such as 10% or 0.1. The rest is the training set.
    #[arg(
        long,
        value_name = "SHARE",
        value_parser = share,
        required_unless_present = "parts",
        conflicts_with = "parts"
    )]
    pub(crate) test: Option<f64>,

    /// The parts and their weights: train=80,valid=10,test=10.
    #[arg(long, value_name = "NAME=WEIGHT,…", value_delimiter = ',', value_parser = part)]
    pub(crate) parts: Vec<(String, f64)>,

    /// Another seed divides in another way.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub(crate) seed: u64,

    /// What must not be on both sides: the same cells (equality), images of a puzzle (symmetry), or
    /// puzzles whose solutions are images of each other (solution).
    #[arg(long, value_name = "WHAT", default_value = "symmetry")]
    pub(crate) by: By,

    /// The records.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

impl Split {
    /// The names of the parts, and their weights.
    pub(crate) fn weights(&self) -> Vec<(String, f64)> {
        match self.test {
            Some(test) => vec![("train".into(), 1.0 - test), ("test".into(), test)],
            None => self.parts.clone(),
        }
    }
}

fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number, 100.0),
        None => (text, 1.0),
    };
    let share = number.parse::<f64>().map(|number| number / unit);
    share
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or_else(|| "a share from 0 to 1, or from 0% to 100%".into())
}

fn part(text: &str) -> Result<(String, f64), String> {
    let (name, weight) = text.split_once('=').ok_or("it reads NAME=WEIGHT")?;
    let good = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || !name.chars().all(good) || name.starts_with('.') {
        return Err("a name has letters, digits, -, _ and . only".into());
    }
    if name == "rejected" {
        return Err("the part `rejected` is for records without a form".into());
    }
    let weight = weight
        .parse::<f64>()
        .ok()
        .filter(|weight| *weight >= 0.0 && weight.is_finite());
    Ok((name.into(), weight.ok_or("a weight is a number from 0 up")?))
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch split --test 10% puzzles.csv --output-dir parts
      parts/train.csv and parts/test.csv (and parts/rejected.csv).
  sudoku-batch split --parts train=80,valid=10,test=10 puzzles.jsonl --output-dir parts
  sudoku-batch split --test 0.05 --by solution a.csv b.csv --output-dir parts
      No puzzle of the test set has a solution that is an image of one in the training set.

Exit status: 0 all records are in a part; 1 some are rejected; 2 wrong usage, or a file that cannot be
read or written; 130 after Ctrl-C.";
