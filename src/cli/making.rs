//! Options shared by the commands that make records without input: `generate` and `puzzles`.

use super::output::{CompressionOption, OutputOptions};
use anyhow::bail;
use indicatif::HumanCount;
use std::ops::Range;
use sudoku_batch::{
    generate::shard,
    pipeline::{compression::Packing, input::Shard},
};

/// Says which records of a sequence to make. A record has a number, counted from 0.
#[derive(Debug, clap::Args)]
pub(crate) struct SliceOptions {
    /// Begin with the record of this number, counted from 0.
    #[arg(long, value_name = "I", default_value = "0", value_parser = quantity, allow_negative_numbers = true)]
    pub(crate) start: u64,

    /// Make only the K-th of M parts of the whole.
    ///
    /// Parts follow each other: the lines of all of them, one after the other, are what would be made
    /// without this option. (Put a blank line between parts that are written as nine lines, and leave out
    /// the headers of later tables.)
    #[arg(long, value_name = "K/M")]
    pub(crate) shard: Option<Shard>,
}

impl SliceOptions {
    /// The numbers of all `count` records from the start on. There are `most` numbers.
    ///
    /// # Errors
    ///
    /// There are not so many.
    pub(crate) fn whole(&self, count: u64, most: u64) -> anyhow::Result<Range<u64>> {
        let start = self.start;
        match start.checked_add(count) {
            Some(end) if end <= most => Ok(start..end),
            _ if start == 0 => bail!("too many grids: there are {}", HumanCount(most)),
            _ => bail!(
                "--start {start} leaves too few grids: there are {}",
                HumanCount(most)
            ),
        }
    }

    /// The numbers of the records to make here: those of the shard, or all.
    ///
    /// # Errors
    ///
    /// There are not so many.
    pub(crate) fn part(&self, count: u64, most: u64) -> anyhow::Result<Range<u64>> {
        let whole = self.whole(count, most)?;
        Ok(match self.shard {
            Some(part) => shard(whole, part.part(), part.parts()),
            None => whole,
        })
    }
}

/// Says in which form the records are written, and where they go.
#[derive(Debug, clap::Args)]
pub(crate) struct MadeOptions {
    /// The form of the output.
    #[arg(long, value_enum, default_value_t = MadeForm::Line)]
    pub(crate) format: MadeForm,

    /// The compression.
    #[command(flatten)]
    pub(crate) compression: CompressionOption,

    /// Where the records go.
    #[command(flatten)]
    pub(crate) output: OutputOptions,
}

impl MadeOptions {
    /// The compression that was asked for, if any.
    pub(crate) fn compress(&self) -> Option<Packing> {
        self.compression.compress
    }
}

/// A form of records that a command makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum MadeForm {
    /// 81 cells on a line, `.` for a blank.
    Line,
    /// A header, and for each record a row: its number, its cells and what else is known.
    Csv,
    /// The same with tabs.
    Tsv,
    /// A JSON object on each line, with the same names.
    Jsonl,
    /// Nine lines of nine cells, `.` for a blank; a blank line between records.
    Block,
    /// Nine lines of nine digits with spaces between, 0 for a blank; a blank line between records.
    Grid,
    /// Nine lines in a frame, `.` for a blank; a blank line between records.
    Pretty,
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
    fn a_part_is_its_share_of_the_whole() {
        let slice = |start, shard: Option<&str>| SliceOptions {
            start,
            shard: shard.map(|text| text.parse().unwrap()),
        };
        assert_eq!(slice(5, None).part(10, 15).unwrap(), 5..15);
        assert_eq!(slice(5, Some("2/2")).whole(10, 15).unwrap(), 5..15);
        assert_eq!(slice(5, Some("2/2")).part(10, 15).unwrap(), 10..15);
        assert!(slice(6, None).part(10, 15).is_err());
        assert!(slice(u64::MAX, None).part(1, u64::MAX).is_err());
    }
}
