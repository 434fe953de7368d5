//! `sudoku-batch rank`.

use super::{
    job::{self, Job, SHOWN},
    summary::Summary,
};
use crate::cli::rank::Rank;
use std::{io::Write, process::ExitCode};
use sudoku_batch::{
    Grid, Reason,
    format::{Records, line},
    generate::Sequence,
    grid::CELLS,
    pipeline::{Growing, input::Input, output::Output},
};

/// The facts about a chunk.
#[derive(Default)]
struct Done {
    bytes: u64,
    lines: u64,
    records: u64,
    known: u64,
    not_grids: u64,
    /// The first lines that are not grids, by their numbers in the chunk.
    complaints: Vec<(u64, Reason)>,
}

/// Numbers the grids of a file.
pub(crate) fn run(options: &Rank) -> anyhow::Result<ExitCode> {
    let sequence = options.sequence.sequence();
    let mut job = Job::start(&options.output)?;
    let mut input = job::open(&options.input)?;
    let output = job.create(&options.output.output)?;
    let total = rank_all(&sequence, &mut job, &mut input, &output)?;
    job::deliver([input], [output])?;
    job.warn_if_empty(total.records, "records");
    let unknown = total.records - total.known;
    Ok(job.end(&Summary {
        total: ("records", total.records),
        counts: vec![
            ("known", total.known),
            ("unknown", unknown - total.not_grids),
            ("not-grids", total.not_grids),
        ],
        among_first: Vec::new(),
        unit: "grids",
        facts: options.sequence.facts(),
        failed: unknown,
        failure: "have no number in this sequence",
    }))
}

fn rank_all(
    sequence: &Sequence,
    job: &mut Job,
    input: &mut Input,
    output: &Output,
) -> anyhow::Result<Done> {
    let name = input.name().to_owned();
    let mut total = Done::default();
    job.begin("grids", input.size());
    job.run(
        input.chunks(),
        output,
        Records::default,
        |records, mut chunk, out| {
            records.clear();
            line::read(chunk.bytes(), records);
            Done {
                bytes: chunk.len() as u64,
                ..rank(sequence, records, &mut out.growing())
            }
        },
        |report, done: Done| {
            for (line, reason) in done.complaints {
                let detail = reason.to_string();
                report.complain(&name, total.lines + line, reason.name(), &detail);
            }
            total.lines += done.lines;
            total.records += done.records;
            total.known += done.known;
            total.not_grids += done.not_grids;
            report.advance(done.bytes, done.records);
            Ok(())
        },
    )
    .map_err(|error| job::after_lines(error, total.lines))?;
    Ok(total)
}

/// Appends a line for each record.
fn rank(sequence: &Sequence, records: &Records, numbers: &mut Growing<'_>) -> Done {
    let mut done = Done {
        lines: records.lines(),
        records: records.len() as u64,
        ..Done::default()
    };
    for record in 0..records.len() {
        let number = match grid(records, record) {
            Ok(grid) => sequence.position(&grid),
            Err(reason) => {
                done.not_grids += 1;
                if done.complaints.len() < SHOWN {
                    done.complaints.push((records.line(record), reason));
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

/// The grid of a record, or the reason why it is not a grid.
pub(super) fn grid(records: &Records, record: usize) -> Result<Grid, Reason> {
    let puzzle = records.puzzle(record).map_err(Reason::Malformed)?;
    let Some(grid) = Grid::from_ascii(puzzle.as_ascii()) else {
        // Some cell is blank. Parse the text again to find the column.
        let text = str::from_utf8(&records.text(record)[..CELLS]).expect("cells are ASCII");
        let error = text.parse::<Grid>().expect_err("a blank");
        return Err(Reason::Malformed(error));
    };
    match puzzle.conflict() {
        Some(conflict) => Err(Reason::Duplicate(conflict)),
        None => Ok(grid),
    }
}
