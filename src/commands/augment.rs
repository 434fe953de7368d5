//! `sudoku-batch augment`.

use super::{
    stream::{self, Done, Lot, RecordCommand, Rows},
    summary::Summary,
};
use crate::cli::augment::Augment;
use anyhow::bail;
use std::{ops::AddAssign, process::ExitCode};
use sudoku_batch::{
    Puzzle, Reason,
    dataset::Augmenter,
    format::{Added, Column, Layout, Place, Values},
    grid::CELLS,
};

/// Makes images of the records of files.
pub(crate) fn run(options: &Augment) -> anyhow::Result<ExitCode> {
    if options.copies > 1 << 24 {
        bail!(
            "{} copies of each record are too many: 16,777,216 at most",
            options.copies
        );
    }
    let making = Making {
        options,
        solution: None,
    };
    stream::run(making, &options.records)
}

struct Making<'o> {
    options: &'o Augment,
    solution: Option<Column>,
}

#[derive(Default)]
struct Total {
    records: u64,
    images: u64,
    malformed: u64,
    /// Records with fewer images than were asked for.
    fewer: u64,
    /// Records whose solution is not 81 cells.
    without_solution: u64,
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.images += other.images;
        self.malformed += other.malformed;
        self.fewer += other.fewer;
        self.without_solution += other.without_solution;
    }
}

/// Names that data sets give to the column of solutions.
const SOLUTION_NAMES: [&str; 4] = ["solution", "solutions", "answer", "answers"];

impl RecordCommand for Making<'_> {
    type Kept = Augmenter;
    type Total = Total;

    fn columns(&mut self, input: &Layout) -> anyhow::Result<Vec<Added>> {
        self.solution = match (&self.options.solution_column, input) {
            (Some(name), layout) => match layout.column(name) {
                None => bail!(
                    "there is no column {name}; the columns are: {}",
                    layout.columns().join(", ")
                ),
                found => found,
            },
            (None, Layout::Table(_)) => SOLUTION_NAMES.iter().find_map(|name| input.column(name)),
            // The keys of objects are not known before they are read.
            (None, Layout::Objects(_)) => input.column(SOLUTION_NAMES[0]),
            (None, _) => None,
        };
        let puzzle = Added {
            name: "puzzle".into(),
            place: Place::Puzzle,
            values: Values::Cells,
        };
        let solution = self.solution.as_ref().map(|column| Added {
            name: "solution".into(),
            place: Place::Column(column.clone()),
            values: Values::Text,
        });
        Ok(std::iter::once(puzzle).chain(solution).collect())
    }

    fn keep(&self) -> Augmenter {
        Augmenter::new(self.options.seed, &self.options.include)
    }

    fn answer(&self, augmenter: &mut Augmenter, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        let mut total = Total::default();
        for record in 0..lot.records.len() {
            total.records += 1;
            match lot.records.puzzle(record) {
                Ok(puzzle) => self.images(augmenter, lot, record, &puzzle, rows, &mut total),
                Err(error) => {
                    let reason = Reason::Malformed(error);
                    rows.reject(record, reason.name(), reason);
                    total.malformed += 1;
                    rows.unchanged(record);
                }
            }
        }
        total
    }

    fn summary(&self, total: &Total, done: &Done) -> Summary {
        Summary {
            total: ("records", total.records),
            counts: vec![
                ("images", total.images),
                ("malformed", total.malformed),
                ("with-fewer-images", total.fewer),
                ("without-solution", total.without_solution),
            ],
            among_first: Vec::new(),
            unit: "records",
            facts: done.facts().collect(),
            failed: total.malformed,
            failure: "malformed",
        }
    }
}

impl Making<'_> {
    /// Adds a row for each image of a record. If the record is kept, its row comes first.
    fn images(
        &self,
        augmenter: &mut Augmenter,
        lot: &Lot<'_>,
        record: usize,
        puzzle: &Puzzle,
        rows: &mut Rows<'_>,
        total: &mut Total,
    ) {
        let text = self
            .solution
            .as_ref()
            .map(|column| lot.value(record, column));
        let solution = text.as_ref().and_then(|text| cells(text.as_deref()?));
        total.without_solution += u64::from(text.is_some() && solution.is_none());
        let copies = self.options.copies;
        // One of the images may be the record itself, so one more is made.
        let keep = self.options.keep;
        let images = augmenter.images(puzzle, solution.as_ref(), copies + usize::from(keep));
        if keep {
            rows.unchanged(record);
        }
        let lines = images.puzzle_lines().iter().enumerate();
        let mut made = 0;
        for (j, line) in lines {
            let image = &line[..CELLS];
            if made == copies || keep && image == puzzle.as_ascii() {
                continue;
            }
            made += 1;
            let row = rows.row(record).value(image);
            match (images.solution_lines().get(j), &text) {
                (Some(solution), _) => row.value(&solution[..CELLS]),
                (None, Some(text)) => row.value(text.as_deref().unwrap_or_default()),
                (None, None) => row,
            };
        }
        total.images += made as u64;
        total.fewer += u64::from(made < copies);
    }
}

/// Cells of a solution: digits, and blanks of any kind.
fn cells(text: &[u8]) -> Option<Puzzle> {
    str::from_utf8(text).ok()?.parse().ok()
}
