//! `sudoku-batch dedup`.

use super::records::RecordOptions;
use std::path::PathBuf;
use sudoku_batch::dataset::By;

/// Keep the first of all records that are the same.
///
/// Records are the same if their cells are equal, if a symmetry turns one into the other, or if a
/// symmetry turns the solution of one into that of the other. What is kept stands in the order of the
/// input, with all its columns.
///
/// Records are compared by keys of 127 bits, made with random numbers. Among ten billion records the
/// probability that any two different ones are taken for the same is under 10^-18. A record takes
/// about 32 bytes of memory.
///
/// A record that has no canonical form (malformed, no solution, or several) is kept, and counted in the
/// summary. By equality only malformed records are.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Dedup {
    /// What is the same: equality, symmetry or solution.
    #[arg(long, value_name = "WHAT", default_value = "symmetry")]
    pub(crate) by: By,

    /// Write who repeats whom to a file: the number of a record that is left out, a tab, and the number
    /// of the first that is the same. Records count from 1, over all files.
    #[arg(long, value_name = "FILE")]
    pub(crate) duplicates: Option<PathBuf>,

    /// Use so much memory for the records at most, such as 500M or 8G, and the disk for the rest.
    ///
    /// The input is read twice then, and cannot be standard input. The disk is that of the folder for
    /// temporary files; it needs 24 bytes a record.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<u64>,

    /// The records, and where they go.
    #[command(flatten)]
    pub(crate) records: RecordOptions,
}

fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = match text.char_indices().next_back() {
        Some((at, 'K' | 'k')) => (&text[..at], 10),
        Some((at, 'M' | 'm')) => (&text[..at], 20),
        Some((at, 'G' | 'g')) => (&text[..at], 30),
        Some((at, 'T' | 't')) => (&text[..at], 40),
        _ => (text, 0),
    };
    let number: u64 = number
        .parse()
        .map_err(|_| "a number of bytes, or of K, M, G or T".to_owned())?;
    number
        .checked_mul(1 << unit)
        .filter(|&bytes| bytes >= 16 << 20)
        .ok_or_else(|| "16M at the least".to_owned())
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch dedup puzzles.csv -o different.csv
      One puzzle of all that are images of each other.
  sudoku-batch dedup --by equality a.txt b.txt c.txt -o all.txt
      Only the same 81 cells count as the same; several files.
  sudoku-batch dedup --by solution puzzles.txt --duplicates repeats.tsv -o different.txt
      One puzzle for each solution up to symmetry, and a list of the others.
  sudoku-batch dedup --memory 4G huge.csv -o different.csv
      More records than fit into memory.

Exit status: 0 all records could be compared; 1 some could not, and are kept; 2 wrong usage, or a file
that cannot be read or written; 130 after Ctrl-C.";
