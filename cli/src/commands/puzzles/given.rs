//! Grids that are read from a file.

use crate::driver::{
    job::SHOWN,
    options::FormOptions,
    reader::{ReadBatch, RecordReader},
    report::say,
    words::{counted, grouped, said},
};
use anyhow::bail;
use std::{ops::Range, path::Path};
use sudoku_batch::{Reason, generate::Grids, questions::valid_grid};

/// Reads the grids with the numbers of `part`. The file must have all grids of `whole`.
/// A record that is no grid is reported on standard error, and leaves its number without a
/// grid.
pub(super) fn read(
    path: &Path,
    form: &FormOptions,
    whole: &Range<u64>,
    part: &Range<u64>,
    quiet: bool,
) -> anyhow::Result<Grids> {
    let mut reader = RecordReader::open(path, form)?;
    let name = reader.name().to_owned();
    let mut batch = ReadBatch::default();
    let mut grids = Vec::new();
    let (mut count, mut reported) = (0, 0);
    while count < whole.end && reader.next_batch(&mut batch)? {
        for record in 0..batch.records.len() {
            if part.contains(&(count + record as u64)) {
                let grid = valid_grid(&batch.records, record);
                if let Err(reason) = &grid
                    && !quiet
                    && reported < SHOWN
                {
                    reported += 1;
                    report(&name, batch.line(record), reason);
                }
                grids.push(grid.ok());
            }
        }
        count += batch.records.len() as u64;
    }
    reader.check_unchanged()?;
    if count < whole.end {
        bail!(
            "{name} has {}, and {} {} needed",
            counted(count, "grids"),
            grouped(whole.end),
            said(whole.end, "are")
        );
    }
    Ok(Grids::given(part.start, grids))
}

fn report(name: &str, line: u64, reason: &Reason) {
    say(format_args!("{name}:{line}: {}: {reason}", reason.name()));
}
