//! `sudoku-batch generate`.

use super::{
    job::{self, Job},
    making::{self, MadeColumns, MadeWriter, Make},
    summary::Summary,
};
use crate::cli::{generate::Generate, making::MadeForm};
use std::{ops::Range, process::ExitCode};
use sudoku_batch::{generate::Grids, grid::GridLine, pipeline::output::Output};

/// How many grids a thread makes at a time: about as much text as fits into
/// its second-level cache.
pub(super) const AT_ONCE: u64 = 4096;

/// Makes grids.
pub(crate) fn run(options: &Generate) -> anyhow::Result<ExitCode> {
    let grids = options.grids();
    let range = options.range(&grids)?;
    let count = range.end - range.start;
    let made = &options.made;
    let mut job = Job::start(&made.output)?;
    let output = job.create_packed(&made.output.output, made.compress())?;
    write(&mut job, &grids, range, made.format, &output)?;
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
    form: MadeForm,
    output: &Output,
) -> anyhow::Result<()> {
    let columns = MadeColumns {
        cells: "grid",
        others: Vec::new(),
    };
    let writer = MadeWriter::new(form, columns);
    making::write(job, "grids", grids, range, &writer, output)?;
    Ok(())
}

impl Make for Grids {
    type Kept = ();
    const AT_ONCE: u64 = AT_ONCE;

    fn keep(&self) {}

    fn make(&self, (): &mut (), numbers: Range<u64>, lines: &mut [GridLine]) {
        self.write_lines(numbers.start, lines);
    }

    fn value(&self, (): &(), _: usize, _: usize, _: &mut Vec<u8>) {
        unreachable!("there are no other columns");
    }
}
