//! `sudoku-batch count`.

mod shared;

use super::{
    stream::{self, Done, Lot, RecordCommand, RowView, Rows, added},
    summary::Summary,
};
use crate::cli::count::Count;
use std::{ops::AddAssign, process::ExitCode};
use sudoku_batch::{
    Puzzle, Reason, Solver,
    format::{Added, Layout, Values},
};

/// Counts the solutions of the records of files.
pub(crate) fn run(options: &Count) -> anyhow::Result<ExitCode> {
    let counting = Counting {
        options,
        limit: if options.limit == 0 {
            u64::MAX
        } else {
            options.limit
        },
        helpers: shared::Helpers::new(options.records.output.threads),
    };
    stream::run(counting, &options.records)
}

struct Counting<'o> {
    options: &'o Count,
    limit: u64,
    helpers: shared::Helpers,
}

/// The counts. Solutions are added up to the limit of each record.
#[derive(Default)]
struct Total {
    records: u64,
    unique: u64,
    multiple: u64,
    no_solution: u64,
    duplicates: u64,
    malformed: u64,
    over: u64,
    solutions: u128,
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.records += other.records;
        self.unique += other.unique;
        self.multiple += other.multiple;
        self.no_solution += other.no_solution;
        self.duplicates += other.duplicates;
        self.malformed += other.malformed;
        self.over += other.over;
        self.solutions += other.solutions;
    }
}

/// A batch counts up to this many solutions of each record. All threads together count a
/// record with more, one such record at a time.
const MANY: u64 = 2000;

impl RecordCommand for Counting<'_> {
    type Kept = Solver;
    type Total = Total;

    fn columns(&mut self, _: &Layout) -> anyhow::Result<Vec<Added>> {
        Ok(vec![
            added(&self.options.solution_count_column, Values::Text),
            added(&self.options.status.status_column, Values::Text),
        ])
    }

    fn keep(&self) -> Solver {
        Solver::new()
    }

    fn answer(&self, solver: &mut Solver, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        let records = lot.records;
        let puzzle = |record| records.puzzle(record).unwrap_or(Puzzle::EMPTY);
        // Counting to one more than the limit shows whether there are more.
        let most = self.limit.saturating_add(1);
        let mut total = Total::default();
        let well_formed = |record: &usize| records.error(*record).is_none();
        let good: Vec<usize> = (0..records.len()).filter(well_formed).collect();
        let puzzles: Vec<Puzzle> = good.iter().map(|&record| puzzle(record)).collect();
        let counts = solver.count_batch(&puzzles, most.min(MANY));
        let mut counted = puzzles.iter().zip(counts);
        for record in 0..records.len() {
            total.records += 1;
            if let Some(error) = records.error(record) {
                let reason = Reason::Malformed(error);
                total.malformed += 1;
                rows.reject(record, reason.name(), reason);
                rows.row(record).nothing().value(reason.name());
                continue;
            }
            let (puzzle, mut count) = counted.next().expect("one for each that is well formed");
            if count == MANY && count < most {
                count = self.helpers.count(puzzle, most);
            }
            let plus = if count > self.limit { "+" } else { "" };
            let count = count.min(self.limit);
            total.over += u64::from(!plus.is_empty());
            total.solutions += u128::from(count);
            let status = total.status(puzzle, count + u64::from(!plus.is_empty()));
            rows.row(record)
                .display(format_args!("{count}{plus}"))
                .value(status);
        }
        total
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        match row.value(0) {
            [] => line.extend_from_slice(row.value(1)),
            count => line.extend_from_slice(count),
        }
        true
    }

    fn summary(&self, total: &Total, done: &Done) -> Summary {
        Summary {
            total: ("records", total.records),
            counts: vec![
                ("unique", total.unique),
                ("multiple", total.multiple),
                ("no-solution", total.no_solution),
                ("duplicates", total.duplicates),
                ("malformed", total.malformed),
                ("over-the-limit", total.over),
                (
                    "solutions",
                    u64::try_from(total.solutions).unwrap_or(u64::MAX),
                ),
            ],
            among_first: Vec::new(),
            unit: "records",
            facts: done.facts().collect(),
            failed: total.malformed,
            failure: "malformed",
        }
    }
}

impl Total {
    /// The status of a puzzle with this number of solutions. It also adds the puzzle to the
    /// counts.
    fn status(&mut self, puzzle: &Puzzle, count: u64) -> &'static str {
        match count {
            0 => {
                let reason = Reason::of_unsolvable(puzzle);
                *match reason {
                    Reason::Duplicate(_) => &mut self.duplicates,
                    _ => &mut self.no_solution,
                } += 1;
                reason.name()
            }
            1 => {
                self.unique += 1;
                "unique"
            }
            _ => {
                self.multiple += 1;
                Reason::Multiple.name()
            }
        }
    }
}
