//! `sudoku-batch generate`.

use super::{output::OutputOptions, sequence::SequenceOptions};
use anyhow::bail;
use indicatif::HumanCount;
use std::ops::Range;
use sudoku_batch::generate::{Grids, shard};

/// Make solved grids: all different, or uniform samples of all there are.
///
/// No grid comes twice, however many are made and on however many machines: grid number i is made without
/// those before it. There are 312,063,515,688,960 of them (images of 256 base grids under all symmetries),
/// and a ninth of that with the first digit fixed.
///
/// With --uniform each grid is an independent sample: all 6,670,903,752,021,072,936,960 grids are equally
/// likely. Use samples for statistics and for data sets. Two of n samples are equal with a probability of
/// n² / (1.33·10²²).
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Generate {
    /// How many: a number, with `_` between digits and k, M or G after it if you like.
    #[arg(value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
    pub(crate) count: u64,

    /// The sequence.
    #[command(flatten)]
    pub(crate) sequence: SequenceOptions,

    /// Uniform samples of all grids, in place of the sequence of distinct ones.
    ///
    /// Sample i of a seed is made from the seed and i alone, so slices and shards work as in the
    /// sequence.
    #[arg(long, conflicts_with = "in_order")]
    pub(crate) uniform: bool,

    /// Begin with this grid of the sequence, counted from 0.
    #[arg(long, value_name = "I", default_value = "0", value_parser = quantity, allow_negative_numbers = true)]
    pub(crate) start: u64,

    /// Make only the K-th of M parts of the whole.
    ///
    /// Parts follow each other: the lines of all of them, one after the other, are what would be made
    /// without this. (Of grids as nine lines, put a blank line between the parts; of CSV, leave out the
    /// later headers.)
    #[arg(long, value_name = "K/M", value_parser = parse_shard)]
    pub(crate) shard: Option<Shard>,

    /// How a grid is written.
    #[arg(long, value_enum, default_value_t = Format::Line)]
    pub(crate) format: Format,

    /// Where the grids go.
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch generate 10M -o grids.txt
      Ten million grids, 82 bytes each: grid i starts at byte 82 i.
  sudoku-batch generate 5 --seed 7 --format grid
      Five grids of another order, as nine lines each.
  sudoku-batch generate 1M --uniform -o samples.txt
      A million independent samples of all grids there are.
  sudoku-batch generate 1G --shard 2/4 -o part2.txt
      The second quarter of a billion, on the second of four machines.
  sudoku-batch generate 1k --student 2018301780 --format grid -o sudoku.txt
      A course project's grids: 9 comes first.
  sudoku-batch generate 3 --start 1M | sudoku-batch rank
      Back from grids to numbers: 1000000 to 1000002.

Exit status:
  0  all went well, or the reader of the output stopped reading (| head)
  2  wrong usage, or a file that cannot be written";

/// A part of the whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    number: u64,
    count: u64,
}

/// A format of grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// 81 digits on a line.
    Line,
    /// Nine lines of nine digits with spaces between; a blank line between grids.
    Grid,
    /// A header, then the number of the grid in the sequence, a comma and 81 digits.
    Csv,
}

impl Generate {
    /// The grids that are asked for.
    pub(crate) fn grids(&self) -> Grids {
        match self.uniform {
            true => self.sequence.uniform(),
            false => Grids::Sequence(self.sequence.sequence()),
        }
    }

    /// What the summary tells of them.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = self.sequence.facts();
        if self.uniform {
            facts.insert(0, ("grids", "uniform".into()));
        }
        facts
    }

    /// The positions that are asked for.
    pub(crate) fn range(&self, grids: &Grids) -> anyhow::Result<Range<u64>> {
        slice(self.start, self.count, self.shard, grids.count())
    }
}

/// The numbers from `start` on, so many, or a part of them. There must be so many grids.
pub(super) fn slice(
    start: u64,
    count: u64,
    part: Option<Shard>,
    grids: u64,
) -> anyhow::Result<Range<u64>> {
    match start.checked_add(count) {
        Some(end) if end <= grids => Ok(match part {
            Some(Shard { number, count }) => shard(start..end, number, count),
            None => start..end,
        }),
        _ if start == 0 => bail!("too many grids: there are {}", HumanCount(grids)),
        _ => bail!(
            "--start {start} leaves too few grids: there are {}",
            HumanCount(grids)
        ),
    }
}

/// A number like `250`, `1_000_000`, `10k`, `10M` or `2G`, in capitals or not. One that is beyond
/// 64 bits is their largest, which is over any capacity.
pub(super) fn quantity(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.as_bytes().split_last() {
        Some((b'k' | b'K', digits)) => (digits, 1_000),
        Some((b'm' | b'M', digits)) => (digits, 1_000_000),
        Some((b'g' | b'G', digits)) => (digits, 1_000_000_000),
        _ => (text.as_bytes(), 1),
    };
    let well_formed = digits.first().is_some_and(u8::is_ascii_digit)
        && digits.last().is_some_and(u8::is_ascii_digit)
        && digits.iter().all(|&c| c == b'_' || c.is_ascii_digit());
    if !well_formed {
        return Err("a number is wanted, like 250, 1_000_000, 10k, 10M or 2G".into());
    }
    let digits = digits.iter().filter(|&&c| c != b'_');
    let number = digits.fold(0u64, |number, c| {
        number
            .saturating_mul(10)
            .saturating_add(u64::from(c - b'0'))
    });
    Ok(number.saturating_mul(factor))
}

pub(super) fn at_least_one(text: &str) -> Result<u64, String> {
    match quantity(text)? {
        0 => Err("at least 1 is wanted".into()),
        number => Ok(number),
    }
}

pub(super) fn parse_shard(text: &str) -> Result<Shard, String> {
    let number = |text: &str| text.parse::<u64>().ok();
    let parts = text
        .split_once('/')
        .and_then(|(number_, count)| Some((number(number_)?, number(count)?)));
    match parts {
        Some((number, count)) if (1..=count).contains(&number) => Ok(Shard { number, count }),
        _ => Err("K/M is wanted, with K from 1 to M, like 2/4".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities() {
        let good = [
            ("0", 0),
            ("007", 7),
            ("1_000_000", 1_000_000),
            ("10k", 10_000),
            ("10K", 10_000),
            ("1_0M", 10_000_000),
            ("1m", 1_000_000),
            ("2g", 2_000_000_000),
            ("312063G", 312_063_000_000_000),
            ("99999999999999999999", u64::MAX),
            ("99999999999G", u64::MAX),
        ];
        for (text, number) in good {
            assert_eq!(quantity(text), Ok(number), "{text}");
        }
        for text in [
            "", "k", "_", "_1", "1_", "1_k", "-3", "+3", "1.5M", "1mm", "1kk", "abc", " 1", "１",
        ] {
            assert!(quantity(text).is_err(), "{text}");
        }
        assert!(at_least_one("0k").is_err());
    }

    #[test]
    fn shards() {
        let (number, count) = (2, 4);
        assert_eq!(parse_shard("2/4"), Ok(Shard { number, count }));
        for text in [
            "", "/", "2", "5/4", "0/4", "0/0", "1/0", "-1/4", "a/4", "1/4/4", "1 / 4",
        ] {
            assert!(parse_shard(text).is_err(), "{text}");
        }
    }
}
