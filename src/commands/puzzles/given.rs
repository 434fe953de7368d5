//! Grids that are read from a file.

use crate::commands::{check, job::SHOWN, say};
use anyhow::bail;
use indicatif::HumanCount;
use std::ops::Range;
use sudoku_batch::{
    Grid, Reason,
    format::{Records, line},
    generate::Given,
    pipeline::input::Input,
};

/// Reads the grids with the numbers of `part`. The file must have all grids of `whole`.
/// A record that is no grid is told of on standard error, and leaves its number without a
/// grid.
pub(super) fn read(
    input: &mut Input,
    whole: &Range<u64>,
    part: &Range<u64>,
    quiet: bool,
) -> anyhow::Result<Given> {
    let name = input.name().to_owned();
    let mut grids = Vec::new();
    let (mut count, mut lines, mut told) = (0, 0, 0);
    let mut records = Records::default();
    for chunk in input.chunks() {
        records.clear();
        line::read(chunk?.bytes(), &mut records);
        for record in 0..records.len() {
            if part.contains(&(count + record as u64)) {
                let grid = check::valid_grid(&records, record);
                if let Err(reason) = grid
                    && !quiet
                    && told < SHOWN
                {
                    told += 1;
                    tell(&name, lines + records.line(record), &reason);
                }
                grids.push(grid.ok());
            }
        }
        count += records.len() as u64;
        lines += records.lines();
        if count >= whole.end {
            break;
        }
    }
    if count < whole.end {
        bail!(
            "{name} has {} grids, and {} are needed",
            HumanCount(count),
            HumanCount(whole.end)
        );
    }
    Ok(Given::new::<Option<Grid>>(grids).starting_at(part.start))
}

fn tell(name: &str, line: u64, reason: &Reason) {
    say(format_args!("{name}:{line}: {}: {reason}", reason.name()));
}
