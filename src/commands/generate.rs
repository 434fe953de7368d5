//! `sudoku-batch generate`.

use super::{files, interrupt, progress::Progress, summary::Summary};
use crate::cli::generate::{Format, Generate};
use std::{ops::Range, path::Path, process::ExitCode};
use sudoku_batch::{
    format::block::{BLOCK, write_block},
    generate::Sequence,
    grid::{CELLS, GridLine},
    pipeline::{self, output::Output},
};

/// How many grids a thread makes at a time: about as much text as fits into
/// its second-level cache.
pub(super) const AT_ONCE: u64 = 4096;

/// Makes grids.
pub(crate) fn run(options: &Generate) -> anyhow::Result<ExitCode> {
    let sequence = options.sequence.sequence();
    let range = options.range(&sequence)?;
    let count = range.end - range.start;
    interrupt::handle()?;
    let output = files::create(&options.output.output)?;
    let threads = files::threads(options.output.threads)?;
    let bar = !options.output.quiet
        && !options.output.no_progress
        && !files::is_terminal(&options.output.output);
    let mut progress = Progress::new(bar, Some(count), "grids");
    let path = &options.output.output;
    let done = write(
        &sequence,
        range,
        options.format,
        &output,
        path,
        &threads,
        &mut progress,
    );
    progress.finish();
    done?;
    files::commit(output, path)?;
    Summary {
        total: ("grids", count),
        counts: Vec::new(),
        unit: "grids",
        elapsed: progress.elapsed(),
        threads: threads.current_num_threads(),
        facts: options.sequence.facts(),
    }
    .print(options.output.summary_format());
    Ok(ExitCode::SUCCESS)
}

/// Writes a range of a sequence.
pub(super) fn write(
    sequence: &Sequence,
    range: Range<u64>,
    format: Format,
    output: &Output,
    path: &Path,
    threads: &rayon::ThreadPool,
    progress: &mut Progress,
) -> anyhow::Result<()> {
    let first = range.start;
    // One piece at least: a header stands before no grids too.
    let pieces = (0..(range.end - first).div_ceil(AT_ONCE).max(1)).map(|piece| {
        let start = first + piece * AT_ONCE;
        Ok(start..range.end.min(start + AT_ONCE))
    });
    pipeline::run(
        threads,
        pieces,
        output,
        Vec::new,
        |lines: &mut Vec<GridLine>, piece: Range<u64>, out| {
            let count = (piece.end - piece.start) as usize;
            let out = out.exactly(format.length(&piece, first));
            if format == Format::Line {
                sequence.write_lines(piece.start, out.as_chunks_mut().0);
            } else {
                lines.resize(count, [0; CELLS + 1]);
                sequence.write_lines(piece.start, lines);
                match format {
                    Format::Csv => write_csv(lines, piece.start, piece.start == first, out),
                    _ => write_blocks(lines, piece.start == first, out),
                }
            }
            count as u64
        },
        |count| {
            progress.advance(count, count);
            anyhow::Ok(())
        },
    )
    .map_err(|error| files::with_names(error, Path::new("-"), path))
}

const CSV_HEADER: &[u8] = b"index,grid\n";

impl Format {
    /// How many bytes the grids of a piece take, when the whole begins with
    /// grid `first`.
    fn length(self, piece: &Range<u64>, first: u64) -> usize {
        let grids = (piece.end - piece.start) as usize;
        let begins = piece.start == first;
        match self {
            Self::Line => grids * (CELLS + 1),
            // A line feed before each but the first of all.
            Self::Grid => grids * (BLOCK + 1) - usize::from(begins && grids > 0),
            Self::Csv => {
                let header = if begins { CSV_HEADER.len() } else { 0 };
                header + grids * (1 + CELLS + 1) + digits_of_all(piece)
            }
        }
    }
}

/// How many digits the numbers of a range have together.
fn digits_of_all(range: &Range<u64>) -> usize {
    // A number has one digit, and one more for each power of ten up to it.
    let powers = (1..20).map(|exponent| 10u64.pow(exponent));
    let more = powers.map(|power| range.end.saturating_sub(power.max(range.start)));
    (range.end - range.start + more.sum::<u64>()) as usize
}

fn write_blocks(lines: &[GridLine], begins: bool, out: &mut [u8]) {
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
