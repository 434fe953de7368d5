//! `sudoku-batch generate`.

use super::{
    job::{self, Job},
    summary::Summary,
};
use crate::cli::generate::{Format, Generate};
use std::{ops::Range, process::ExitCode};
use sudoku_batch::{
    format::block::{BLOCK, write_block},
    generate::Grids,
    grid::{CELLS, GridLine},
    pipeline::output::Output,
};

/// How many grids a thread makes at a time: about as much text as fits into
/// its second-level cache.
pub(super) const AT_ONCE: u64 = 4096;

/// Makes grids.
pub(crate) fn run(options: &Generate) -> anyhow::Result<ExitCode> {
    let grids = options.grids();
    let range = options.range(&grids)?;
    let count = range.end - range.start;
    let mut job = Job::start(&options.output)?;
    let output = job.create(&options.output.output)?;
    write(&mut job, &grids, range, options.format, &output)?;
    job::deliver([], [output])?;
    Ok(job.end(&Summary {
        total: ("grids", count),
        counts: Vec::new(),
        among_first: Vec::new(),
        unit: "grids",
        facts: options.facts(),
        failed: 0,
        failure: "",
    }))
}

/// Writes a range of grids.
pub(super) fn write(
    job: &mut Job,
    grids: &Grids,
    range: Range<u64>,
    format: Format,
    output: &Output,
) -> anyhow::Result<()> {
    let first = range.start;
    job.begin("grids", Some(range.end - first));
    // Make at least one piece, because a header is written even before no grids.
    let pieces = (0..(range.end - first).div_ceil(AT_ONCE).max(1)).map(|piece| {
        let start = first + piece * AT_ONCE;
        Ok(start..range.end.min(start + AT_ONCE))
    });
    job.run(
        pieces,
        output,
        Vec::new,
        |lines: &mut Vec<GridLine>, piece: Range<u64>, out| {
            let count = (piece.end - piece.start) as usize;
            let out = out.exactly(format.length(&piece, first));
            if format == Format::Line {
                grids.write_lines(piece.start, out.as_chunks_mut().0);
            } else {
                lines.resize(count, [0; CELLS + 1]);
                grids.write_lines(piece.start, lines);
                match format {
                    Format::Csv => write_csv(lines, piece.start, piece.start == first, out),
                    _ => write_blocks(lines, piece.start == first, out),
                }
            }
            count as u64
        },
        |report, count| {
            report.advance(count, count);
            Ok(())
        },
    )
}

const CSV_HEADER: &[u8] = b"index,grid\n";

impl Format {
    /// The number of bytes of the grids in a piece, if the whole output begins with grid
    /// `first`.
    fn length(self, piece: &Range<u64>, first: u64) -> usize {
        let grids = (piece.end - piece.start) as usize;
        let begins = piece.start == first;
        match self {
            Self::Line => grids * (CELLS + 1),
            // A line feed comes before each grid except the first of all.
            Self::Grid => grids * (BLOCK + 1) - usize::from(begins && grids > 0),
            Self::Csv => {
                let header = if begins { CSV_HEADER.len() } else { 0 };
                header + grids * (1 + CELLS + 1) + digits_of_all(piece)
            }
        }
    }
}

/// The total number of digits of the numbers in a range.
fn digits_of_all(range: &Range<u64>) -> usize {
    // A number has one digit, and one more for each power of ten up to it.
    let powers = (1..20).map(|exponent| 10u64.pow(exponent));
    let more = powers.map(|power| range.end.saturating_sub(power.max(range.start)));
    (range.end - range.start + more.sum::<u64>()) as usize
}

/// Writes grids as blocks with a blank line between. `begins` says that no grids come
/// before them.
pub(super) fn write_blocks(lines: &[GridLine], begins: bool, out: &mut [u8]) {
    let (first, rest) = match (lines.split_first(), begins) {
        (Some((first, rest)), true) => (Some(first), rest),
        _ => (None, lines),
    };
    let (head, out) = out.split_at_mut(if first.is_some() { BLOCK } else { 0 });
    for (line, block) in first.iter().zip(head.as_chunks_mut().0) {
        write_block(line.first_chunk().expect("81 of 82"), block);
    }
    for (line, place) in rest.iter().zip(out.chunks_exact_mut(BLOCK + 1)) {
        place[0] = b'\n';
        let block = place[1..].first_chunk_mut().expect("a block");
        write_block(line.first_chunk().expect("81 of 82"), block);
    }
}

fn write_csv(lines: &[GridLine], start: u64, begins: bool, out: &mut [u8]) {
    let (header, mut out) = out.split_at_mut(if begins { CSV_HEADER.len() } else { 0 });
    header.copy_from_slice(&CSV_HEADER[..header.len()]);
    for (index, line) in (start..).zip(lines) {
        let digits = index.checked_ilog10().unwrap_or(0) as usize + 1;
        let (record, rest) = out.split_at_mut(digits + 1 + line.len());
        let mut left = index;
        for digit in record[..digits].iter_mut().rev() {
            *digit = b'0' + (left % 10) as u8;
            left /= 10;
        }
        record[digits] = b',';
        record[digits + 1..].copy_from_slice(line);
        out = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_numbers() {
        for range in [
            0..0,
            0..1,
            0..10,
            0..11,
            5..5,
            9..12,
            95..1005,
            999_999_999_998..1_000_000_000_003,
        ] {
            let expected: usize = range.clone().map(|n: u64| n.to_string().len()).sum();
            assert_eq!(digits_of_all(&range), expected, "{range:?}");
        }
    }
}
