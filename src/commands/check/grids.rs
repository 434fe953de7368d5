//! `sudoku-batch check --grids`: solved grids.

use crate::{
    cli::check::Check,
    commands::{
        firsts::Firsts,
        stream::{self, Done, Lot, RecordCommand, Rows, added},
        summary::Summary,
    },
};
use std::{ops::AddAssign, process::ExitCode};
use sudoku_batch::{
    Cell, Grid, Reason,
    dataset::KeyMaker,
    format::{Added, Layout, ParseError, Records, Values},
    grid::CELLS,
};

pub(super) fn run(options: &Check, rows: bool) -> anyhow::Result<ExitCode> {
    let checking = Grids {
        options,
        rows,
        keys: KeyMaker::random(),
        firsts: Firsts::new(),
    };
    stream::run(checking, &options.records)
}

struct Grids<'o> {
    options: &'o Check,
    /// Whether rows are wanted.
    rows: bool,
    keys: KeyMaker,
    firsts: Firsts,
}

/// What is counted.
#[derive(Default)]
struct Total {
    records: u64,
    valid: u64,
    /// By the kind of the reason.
    invalid: [u64; Reason::NAMES.len()],
    other_first_digit: u64,
    repeated: u64,
    failed: u64,
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.valid += other.valid;
        for (sum, count) in self.invalid.iter_mut().zip(other.invalid) {
            *sum += count;
        }
        self.other_first_digit += other.other_first_digit;
        self.repeated += other.repeated;
        self.failed += other.failed;
    }
}

impl RecordCommand for Grids<'_> {
    type Kept = ();
    type Total = Total;

    fn columns(&mut self, _: &Layout) -> anyhow::Result<Vec<Added>> {
        let mut columns = vec![added(&self.options.status.status_column, Values::Text)];
        if self.options.first_digit.is_some() {
            columns.push(added("first_digit_right", Values::Numbers));
        }
        if self.options.distinct {
            columns.push(added("repeats", Values::Numbers));
        }
        Ok(columns)
    }

    fn keep(&self) {}

    fn answer(&self, _: &mut (), lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        let grids: Vec<Result<Grid, Reason>> = (0..lot.records.len())
            .map(|record| valid_grid(lot.records, record))
            .collect();
        let repeats = match self.options.distinct {
            true => self.repeats(lot, &grids),
            false => Vec::new(),
        };
        let mut total = Total::default();
        for (record, grid) in grids.iter().enumerate() {
            let digit = self.options.first_digit;
            let first = digit.zip(grid.as_ref().ok());
            let first_right = first.map(|(digit, grid)| grid.get(Cell::at(0, 0)) == digit);
            let repeats = repeats.get(record).copied().flatten();
            total.add(grid, first_right, repeats);
            match (grid, first_right, repeats) {
                (Err(reason), _, _) => rows.reject(record, reason.name(), reason),
                (_, Some(false), _) => rows.reject(record, "other-first-digit", ""),
                (_, _, Some(first)) => {
                    rows.reject(record, "repeated", format_args!("equal to record {first}"));
                }
                _ => {}
            }
            if self.rows {
                let mut row = rows.row(record).value(match grid {
                    Ok(_) => "unique",
                    Err(reason) => reason.name(),
                });
                if digit.is_some() {
                    row = match first_right {
                        Some(right) => row.display(right),
                        None => row.nothing(),
                    };
                }
                if self.options.distinct {
                    match repeats {
                        Some(first) => row.display(first),
                        None => row.nothing(),
                    };
                }
            }
        }
        total
    }

    fn abandon(&self, batch: u64) {
        self.firsts.abandon(batch);
    }

    fn summary(&self, total: &Total, done: &Done) -> Summary {
        let mut counts = vec![("unique", total.valid)];
        counts.extend(Reason::counts(total.invalid));
        if self.options.first_digit.is_some() {
            counts.push(("other-first-digit", total.other_first_digit));
        }
        if self.options.distinct {
            counts.push(("repeated", total.repeated));
        }
        Summary {
            total: ("records", total.records),
            counts,
            among_first: Vec::new(),
            unit: "grids",
            facts: done.facts().collect(),
            failed: total.failed,
            failure: "are not as they should be",
        }
    }
}

impl Total {
    fn add(
        &mut self,
        grid: &Result<Grid, Reason>,
        first_right: Option<bool>,
        repeats: Option<u64>,
    ) {
        self.records += 1;
        match grid {
            Ok(_) => self.valid += 1,
            Err(reason) => self.invalid[reason.kind()] += 1,
        }
        self.other_first_digit += u64::from(first_right == Some(false));
        self.repeated += u64::from(repeats.is_some());
        let failed = grid.is_err() || first_right == Some(false) || repeats.is_some();
        self.failed += u64::from(failed);
    }
}

impl Grids<'_> {
    /// For each grid of a batch, the number, from 1, of the first record that is equal.
    fn repeats(&self, lot: &Lot<'_>, grids: &[Result<Grid, Reason>]) -> Vec<Option<u64>> {
        let key = |grid: &Grid| self.keys.key(&(*grid).into());
        let keys: Vec<_> = grids
            .iter()
            .map(|grid| grid.as_ref().ok().map(key))
            .collect();
        let mut first = Vec::new();
        self.firsts.find(lot.number, &keys, &mut first);
        for first in first.iter_mut().flatten() {
            *first += 1;
        }
        first
    }
}

/// The valid grid of a record, or why it is none.
pub(crate) fn valid_grid(records: &Records, record: usize) -> Result<Grid, Reason> {
    let puzzle = records.puzzle(record).map_err(Reason::Malformed)?;
    let Some(grid) = Grid::from_ascii(puzzle.as_ascii()) else {
        return Err(Reason::Malformed(blank(records, record)));
    };
    match grid.is_valid() {
        true => Ok(grid),
        false => Err(Reason::Duplicate(
            puzzle.conflict().expect("a house has a digit twice"),
        )),
    }
}

/// The error of a record with a blank: the column of the first blank in its text.
fn blank(records: &Records, record: usize) -> ParseError {
    let (cells, text) = (&records.cells()[record], records.text(record));
    // `Records` has points for `x` and `X`.
    let is_cell = |(cell, &byte): (&u8, &u8)| *cell == byte || matches!(byte, b'x' | b'X');
    let are_cells = |window: &[u8]| cells.iter().zip(window).all(is_cell);
    let start = text.windows(CELLS).position(are_cells);
    let shown = start.map_or(&cells[..], |start| &text[start..start + CELLS]);
    let shown = str::from_utf8(shown).expect("cells are ASCII");
    let mut error = shown.parse::<Grid>().expect_err("a blank");
    error.column += start.unwrap_or(0);
    error
}
