//! Grids that are read from a file.

use crate::{
    cli::records::FormOptions,
    commands::{check, job::SHOWN, say, stream},
};
use anyhow::bail;
use indicatif::HumanCount;
use std::{
    ops::{ControlFlow, Range},
    path::Path,
};
use sudoku_batch::{Grid, Reason, generate::Given};

/// Reads the grids with the numbers of `part`. The file must have all grids of `whole`.
/// A record that is no grid is told of on standard error, and leaves its number without a
/// grid.
pub(super) fn read(
    path: &Path,
    form: &FormOptions,
    whole: &Range<u64>,
    part: &Range<u64>,
    quiet: bool,
) -> anyhow::Result<Given> {
    let name = match path.as_os_str() == "-" {
        true => "standard input".into(),
        false => path.display().to_string(),
    };
    let mut grids = Vec::new();
    let (mut count, mut told) = (0, 0);
    stream::read_records(path, form, |records, lines| {
        for record in 0..records.len() {
            if part.contains(&(count + record as u64)) {
                let grid = check::valid_grid(records, record);
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
        Ok(match count >= whole.end {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        })
    })?;
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
