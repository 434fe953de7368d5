//! `sudoku-batch augment`.

use super::{
    checker::{self, Checker, Wrong, digit_counts, is_blank, line_of},
    stream::{self, Done, Lot, Made, RecordCommand, Rows},
    summary::Summary,
};
use crate::cli::augment::Augment;
use anyhow::bail;
use std::{ops::AddAssign, process::ExitCode};
use sudoku_batch::{
    Puzzle, Reason,
    dataset::Augmenter,
    format::{Added, Column, Layout, Place, Records, Values},
    grid::{CELLS, GridLine},
};

/// Makes images of the records of files.
pub(crate) fn run(options: &Augment) -> anyhow::Result<ExitCode> {
    if options.copies > 1 << 24 {
        bail!(
            "{} copies of each record are too many: 16,777,216 at most",
            options.copies
        );
    }
    stream::run(command(options), &options.records)
}

/// The command, for the driver.
pub(super) fn command(options: &Augment) -> impl RecordCommand {
    Making {
        options,
        solution: None,
        expects_solution: false,
    }
}

struct Making<'o> {
    options: &'o Augment,
    /// The column of solutions.
    solution: Option<Column>,
    /// Whether every record should have one. Objects without the key may be meant so.
    expects_solution: bool,
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
        let is_there = |name: &&&str| input.columns().iter().any(|column| column == **name);
        let named = SOLUTION_NAMES.iter().find(is_there);
        self.expects_solution = self.options.solution_column.is_some() || named.is_some();
        self.solution = match (&self.options.solution_column, input) {
            (Some(name), layout) => match layout.column(name) {
                None => bail!(
                    "there is no column {name}; the columns are: {}",
                    layout.columns().join(", ")
                ),
                found => found,
            },
            (None, Layout::Table(_)) => SOLUTION_NAMES.iter().find_map(|name| input.column(name)),
            // The first object may have no such key, and a later one have it.
            (None, Layout::Objects(_)) => input.column(named.unwrap_or(&SOLUTION_NAMES[0])),
            (None, _) => None,
        };
        let puzzle = Added {
            name: "puzzle".into(),
            place: Place::Puzzle,
            values: Values::Cells,
        };
        let solution = self.solution.as_ref().map(|column| Added {
            name: "solution".into(),
            place: Place::ColumnIfThere(column.clone()),
            values: Values::Text,
        });
        Ok(std::iter::once(puzzle).chain(solution).collect())
    }

    fn keep(&self) -> Augmenter {
        Augmenter::new(self.options.seed, &self.options.include)
    }

    fn rows_of_a_record(&self) -> usize {
        self.options.copies
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

    fn verifies(&self) -> bool {
        self.options.verify
    }

    fn verify(&self, checker: &mut Checker, lot: &Lot<'_>, made: &Made<'_>) -> Result<(), Wrong> {
        let images = Images::of(lot.records, made);
        // No engine makes images, so any engine will do.
        let counts = images.check_counts(checker.count(&images.puzzles));
        let Some(column) = &self.solution else {
            return counts;
        };
        let solutions = images.check_solutions(checker, lot, column);
        checker::first(counts, solutions)
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
            .and_then(|column| lot.value(record, column));
        let solution = text.as_deref().and_then(cells);
        total.without_solution += u64::from(self.expects_solution && solution.is_none());
        let copies = self.options.copies;
        // One of the images may be the record itself, so one more is made.
        let keep = self.options.keep;
        let images = augmenter.images(puzzle, solution.as_ref(), copies + usize::from(keep));
        if keep {
            rows.unchanged(record);
        }
        let lines = images.puzzle_lines();
        // Those before the record itself, and those after it.
        let itself = lines
            .iter()
            .position(|line| keep && line[..CELLS] == *puzzle.as_ascii());
        let (before, after) = match itself {
            Some(itself) => (0..itself, itself + 1..lines.len()),
            None => (0..lines.len().min(copies), 0..0),
        };
        let made = before.len() + after.len();
        for some in [before, after] {
            match (images.solution_lines(), &self.solution) {
                ([], Some(_)) => {
                    let text = text.as_deref().unwrap_or_default();
                    for line in &lines[some] {
                        rows.row(record).value(&line[..CELLS]).value(text);
                    }
                }
                ([], None) => rows.images(record, &[&lines[some]]),
                (solutions, _) => rows.images(record, &[&lines[some.clone()], &solutions[some]]),
            }
        }
        total.images += made as u64;
        total.fewer += u64::from(made < copies);
    }
}

/// The images of a batch, to be checked: for each record the record itself, and its images.
struct Images {
    /// The record of each puzzle. The first puzzle of a record is the record itself.
    records: Vec<usize>,
    puzzles: Vec<Puzzle>,
    /// The solution that is written beside each puzzle, if it is one.
    solutions: Vec<Option<GridLine>>,
}

impl Images {
    fn of(records: &Records, made: &Made<'_>) -> Self {
        let mut images = Self {
            records: Vec::new(),
            puzzles: Vec::new(),
            solutions: Vec::new(),
        };
        for row in made.rows() {
            let record = row.record;
            if images.records.last() != Some(&record) {
                // A malformed record has no images. If it has, they are those of no puzzle.
                let itself = records.puzzle(record).unwrap_or(Puzzle::EMPTY);
                images.push(record, itself.as_ascii(), None);
            }
            match &row.images {
                None => images.push(record, row.value(0), None),
                Some(columns) => {
                    for (at, puzzle) in columns[0].iter().enumerate() {
                        let solution = columns.get(1).map(|column| column[at]);
                        images.push(record, &puzzle[..CELLS], solution);
                    }
                }
            }
        }
        images
    }

    fn push(&mut self, record: usize, puzzle: &[u8], solution: Option<GridLine>) {
        let cells = puzzle.try_into().ok().and_then(Puzzle::from_ascii);
        self.records.push(record);
        self.puzzles.push(cells.unwrap_or(Puzzle::EMPTY));
        self.solutions.push(solution);
    }

    /// Checks that each image has the digits of its record, and as many solutions.
    fn check_counts(&self, counts: Vec<u64>) -> Result<(), Wrong> {
        let mut itself = 0;
        for (at, &record) in self.records.iter().enumerate() {
            if self.records[itself] != record {
                itself = at;
            }
            let [image, puzzle] = [at, itself].map(|at| &self.puzzles[at]);
            if digit_counts(image) != digit_counts(puzzle) {
                return Err(Wrong::new(
                    record,
                    "an image has not the digits of the record",
                ));
            }
            if counts[at] != counts[itself] {
                let what = "an image has not as many solutions as the record";
                return Err(Wrong::new(record, what));
            }
        }
        Ok(())
    }

    /// Checks that the solutions of images are solutions, where that of the record is one.
    fn check_solutions(
        &self,
        checker: &Checker,
        lot: &Lot<'_>,
        column: &Column,
    ) -> Result<(), Wrong> {
        let is_right = |record: usize| {
            let text = lot.value(record, column);
            let solution = text.as_deref().and_then(cells);
            let line = solution.map(|solution| line_of(solution.as_ascii()));
            let cells = &lot.records.cells()[record..=record];
            line.is_some_and(|line| !is_blank(&line) && checker.solutions(cells, &[line]).is_ok())
        };
        let (mut puzzles, mut lines, mut records) = (Vec::new(), Vec::new(), Vec::new());
        let mut last = None;
        for ((&record, puzzle), solution) in
            self.records.iter().zip(&self.puzzles).zip(&self.solutions)
        {
            let Some(solution) = solution else { continue };
            if last.is_none_or(|(known, _)| known != record) {
                last = Some((record, is_right(record)));
            }
            if last == Some((record, true)) {
                puzzles.push(*puzzle.as_ascii());
                lines.push(*solution);
                records.push(record);
            }
        }
        let blank = lines.iter().position(is_blank).map_or(Ok(()), |at| {
            Err(Wrong::new(records[at], "an image has no solution"))
        });
        let wrong = checker.solutions(&puzzles, &lines);
        let wrong = wrong.map_err(|wrong| Wrong::new(records[wrong.record], wrong.what));
        checker::first(blank, wrong)
    }
}

/// Cells of a solution: digits, and blanks of any kind.
fn cells(text: &[u8]) -> Option<Puzzle> {
    str::from_utf8(text).ok()?.parse().ok()
}
