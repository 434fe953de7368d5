//! `sudoku-batch rank`.

use super::{
    complaints::{Complaints, SHOWN},
    files, interrupt,
    progress::Progress,
    summary::Summary,
};
use crate::cli::rank::Rank;
use indicatif::HumanCount;
use std::{io::Write, process::ExitCode};
use sudoku_batch::{
    Grid, Puzzle, Reason,
    format::line::{Line, read_lines},
    generate::Sequence,
    pipeline,
};

/// What is known of a chunk.
#[derive(Default)]
struct Done {
    bytes: u64,
    lines: u64,
    records: u64,
    known: u64,
    not_grids: u64,
    /// The first lines that are no grids, by their numbers in the chunk.
    complaints: Vec<(u64, Reason)>,
}

/// Numbers the grids of a file.
pub(crate) fn run(options: &Rank) -> anyhow::Result<ExitCode> {
    interrupt::handle()?;
    let sequence = options.sequence.sequence();
    let mut input = files::open(&options.input)?;
    let output = files::create(&options.output.output)?;
    let threads = files::threads(options.output.threads)?;
    let bar = !options.output.quiet
        && !options.output.no_progress
        && !files::is_terminal(&options.output.output);
    let mut progress = Progress::new(bar, input.size(), "grids");
    let mut complaints = Complaints::new(&options.input, options.output.quiet);
    let mut total = Done::default();
    let done = pipeline::run(
        &threads,
        input.chunks(),
        &output,
        Vec::new,
        |numbers: &mut Vec<u8>, chunk, out| {
            numbers.clear();
            let done = rank(&sequence, &chunk, numbers);
            out.exactly(numbers.len()).copy_from_slice(numbers);
            done
        },
        |done: Done| {
            for (line, reason) in done.complaints {
                complaints.tell(
                    total.lines + line,
                    reason.name(),
                    &reason.to_string(),
                    &progress,
                );
            }
            total.lines += done.lines;
            total.records += done.records;
            total.known += done.known;
            total.not_grids += done.not_grids;
            progress.advance(done.bytes, done.records);
            anyhow::Ok(())
        },
    );
    progress.finish();
    done.map_err(|error| files::with_names(error, &options.input, &options.output.output))?;
    files::commit(output, &options.output.output)?;

    let unknown = total.records - total.known;
    if unknown > 0 && !options.output.quiet {
        super::say(format_args!(
            "sudoku-batch: {} of {} records have no number in this sequence",
            HumanCount(unknown),
            HumanCount(total.records),
        ));
    }
    Summary {
        total: ("records", total.records),
        counts: vec![
            ("known", total.known),
            ("unknown", unknown - total.not_grids),
            ("not-grids", total.not_grids),
        ],
        unit: "grids",
        elapsed: progress.elapsed(),
        threads: threads.current_num_threads(),
        facts: options.sequence.facts(),
    }
    .print(options.output.summary_format());
    Ok(ExitCode::from(u8::from(unknown > 0)))
}

/// Appends a line for each record of a chunk.
fn rank(sequence: &Sequence, chunk: &[u8], numbers: &mut Vec<u8>) -> Done {
    let mut done = Done {
        bytes: chunk.len() as u64,
        ..Done::default()
    };
    for (line, text) in read_lines(chunk) {
        done.lines += 1;
        if line == Line::Skipped {
            continue;
        }
        done.records += 1;
        let number = match read_grid(&line, text) {
            Ok(grid) => sequence.position(&grid),
            Err(reason) => {
                done.not_grids += 1;
                if done.complaints.len() < SHOWN {
                    done.complaints.push((done.lines, reason));
                }
                None
            }
        };
        match number {
            Some(number) => {
                done.known += 1;
                writeln!(numbers, "{number}").expect("into memory");
            }
            None => numbers.extend_from_slice(b"unknown\n"),
        }
    }
    done
}

fn read_grid(line: &Line<'_>, text: &[u8]) -> Result<Grid, Reason> {
    let grid = match line {
        Line::Cells(cells) => Grid::from_ascii(cells),
        Line::Malformed(error) => return Err(Reason::Malformed(*error)),
        Line::Rewritten(_) | Line::Skipped => None,
    };
    let Some(grid) = grid else {
        // Some cell is blank: the text is parsed again for the column.
        let cells = text.get(..81).and_then(|cells| str::from_utf8(cells).ok());
        let error = cells.expect("81 cells were read").parse::<Grid>();
        return Err(Reason::Malformed(error.expect_err("a blank")));
    };
    match Puzzle::from(grid).conflict() {
        Some(conflict) => Err(Reason::Duplicate(conflict)),
        None => Ok(grid),
    }
}
