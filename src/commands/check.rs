//! `sudoku-batch check`.

mod answers;
mod grids;

pub(super) use grids::valid_grid;

use super::{
    stream::{self, Done, Lot, RecordCommand, Row, Rows, added},
    summary::Summary,
    uniqueness::{Solved, Uniqueness, nowhere, statuses},
};
use crate::cli::check::Check;
use answers::Answers;
use std::{ops::AddAssign, path::Path, process::ExitCode};
use sudoku_batch::{
    Grid, Puzzle, Solver,
    batch::Tally,
    dataset::{Score, redundant_clues},
    format::{Added, Layout, Values},
    grid::CELLS,
};

/// Checks the records of files.
pub(crate) fn run(mut options: Check) -> anyhow::Result<ExitCode> {
    let records = &options.records;
    let to_a_file = records.output.output != Path::new("-") || records.output_dir.is_some();
    let rows = options.rows || to_a_file;
    if !rows {
        options.records.output.output = nowhere();
    }
    if options.grids {
        return grids::run(&options, rows);
    }
    let checking = Checking {
        options: &options,
        rows,
        answers: Answers::open(&options)?,
    };
    stream::run(checking, &options.records)
}

struct Checking<'o> {
    options: &'o Check,
    /// Whether the command writes rows.
    rows: bool,
    answers: Answers,
}

/// The counts.
#[derive(Default)]
struct Total {
    tally: Tally,
    /// Records with one solution and redundant clues.
    not_minimal: u64,
    /// Records with answers.
    answered: u64,
    right: u64,
    /// Answers that are not 81 cells.
    malformed_answers: u64,
    /// Answers that change at least one clue of the puzzle.
    changed: u64,
    /// The cells of answers to records with one solution.
    cells: Cells,
    /// Records that fail, each counted once.
    failed: u64,
}

/// Numbers of cells, and how many of them are right.
#[derive(Default)]
struct Cells {
    all: u64,
    all_right: u64,
    blank: u64,
    blank_right: u64,
}

impl AddAssign for Total {
    fn add_assign(&mut self, other: Self) {
        self.tally += other.tally;
        self.not_minimal += other.not_minimal;
        self.answered += other.answered;
        self.right += other.right;
        self.malformed_answers += other.malformed_answers;
        self.changed += other.changed;
        self.cells.all += other.cells.all;
        self.cells.all_right += other.cells.all_right;
        self.cells.blank += other.cells.blank;
        self.cells.blank_right += other.cells.blank_right;
        self.failed += other.failed;
    }
}

/// The state that a thread keeps.
struct Kept {
    uniqueness: Uniqueness,
    solver: Solver,
}

impl RecordCommand for Checking<'_> {
    type Kept = Kept;
    type Total = Total;

    fn columns(&mut self, input: &Layout) -> anyhow::Result<Vec<Added>> {
        self.answers.find_column(self.options, input)?;
        let mut columns = vec![
            added(&self.options.status.status_column, Values::Text),
            added("clue_count", Values::Numbers),
        ];
        if self.options.minimal {
            columns.push(added("redundant_clues", Values::Numbers));
        }
        if self.answers.are_there() {
            let names = ["answer_right", "wrong_cells", "changed_clues"];
            columns.extend(names.map(|name| added(name, Values::Numbers)));
        }
        Ok(columns)
    }

    fn keep(&self) -> Kept {
        Kept {
            uniqueness: Uniqueness::new(),
            solver: Solver::new(),
        }
    }

    fn answer(&self, kept: &mut Kept, lot: &Lot<'_>, rows: &mut Rows<'_>) -> Total {
        let answers = self.answers.of(lot);
        let solved = kept.uniqueness.of(lot);
        let redundant = match self.options.minimal {
            true => redundant(&mut kept.solver, lot, &solved),
            false => Vec::new(),
        };
        let mut total = Total {
            tally: solved.answers.tally(),
            ..Total::default()
        };
        let mut rejects = solved.answers.rejects().iter().peekable();
        for record in 0..lot.records.len() {
            let reject = rejects.next_if(|reject| reject.record == record);
            if let Some(reject) = reject {
                rows.reject(record, reject.reason.name(), reject.reason);
            }
            let puzzle = lot.records.puzzle(record).ok();
            let one = One {
                puzzle,
                solution: solved.solution(record),
                status: solved.status(record),
                redundant: redundant.get(record).copied().flatten(),
                answer: answers.as_ref().map(|answers| answers[record]),
            };
            let found = total.add(&one);
            if reject.is_none() {
                one.tell(record, &found, rows);
            }
            if self.rows {
                self.add_row(&one, &found, rows.row(record));
            }
        }
        total
    }

    fn summary(&self, total: &Total, done: &Done) -> Summary {
        let mut counts = statuses(&total.tally);
        if self.options.minimal {
            counts.push(("not-minimal", total.not_minimal));
        }
        let mut facts = Vec::new();
        if self.answers.are_there() {
            counts.push(("answers-right", total.right));
            counts.push(("answers-wrong", total.answered - total.right));
            counts.push(("answers-malformed", total.malformed_answers));
            counts.push(("answers-with-changed-clues", total.changed));
            let Cells {
                all,
                all_right,
                blank,
                blank_right,
            } = total.cells;
            facts.push(("grid_accuracy", share(total.right, total.answered)));
            facts.push(("blank_cell_accuracy", share(blank_right, blank)));
            facts.push(("cell_accuracy", share(all_right, all)));
        }
        Summary {
            total: ("records", total.tally.records),
            counts,
            among_first: Vec::new(),
            unit: "records",
            facts: facts.into_iter().chain(done.facts()).collect(),
            failed: total.failed,
            failure: "are not as they should be",
        }
    }

    fn finish(&self, _: &Total) -> anyhow::Result<()> {
        self.answers.finish()
    }

    fn abandon(&self, batch: u64) {
        self.answers.abandon(batch);
    }
}

/// A share as a number from 0 to 1, with six digits.
fn share(part: u64, whole: u64) -> String {
    match whole {
        0 => String::new(),
        _ => format!("{:.6}", part as f64 / whole as f64),
    }
}

/// A record and the facts about it.
struct One {
    puzzle: Option<Puzzle>,
    /// Its only solution.
    solution: Option<Grid>,
    status: &'static str,
    redundant: Option<u32>,
    /// The answer to the record. The inner `None` is an answer that is not 81 cells.
    answer: Option<Option<[u8; CELLS]>>,
}

/// The findings about an answer.
struct Found {
    right: bool,
    /// Present if there is exactly one solution.
    score: Option<Score>,
}

impl Total {
    fn add(&mut self, one: &One) -> Option<Found> {
        let redundant = one.redundant.is_some_and(|clues| clues > 0);
        self.not_minimal += u64::from(redundant);
        let found = one.compare();
        let wrong = found.as_ref().is_some_and(|found| !found.right);
        self.failed += u64::from(one.solution.is_none() || redundant || wrong);
        let found = found?;
        self.answered += 1;
        self.right += u64::from(found.right);
        self.malformed_answers += u64::from(one.answer == Some(None));
        if let Some(score) = found.score {
            self.changed += u64::from(score.changed_clues > 0);
            self.cells.all += CELLS as u64;
            self.cells.all_right += CELLS as u64 - u64::from(score.wrong_cells());
            self.cells.blank += u64::from(score.blanks);
            self.cells.blank_right += u64::from(score.blanks - score.wrong_blanks);
        }
        Some(found)
    }
}

impl One {
    /// Compares the answer, if the command checks answers.
    fn compare(&self) -> Option<Found> {
        // In an answer that is not 81 cells, no cell is right.
        let answer = self.answer?.unwrap_or([b'.'; CELLS]);
        let Some(puzzle) = self.puzzle else {
            return Some(Found {
                right: false,
                score: None,
            });
        };
        let score = self
            .solution
            .map(|solution| Score::of(&puzzle, &solution, &answer));
        let right = match score {
            Some(score) => score.is_right(),
            // With several solutions, any of them is right.
            None => Grid::from_ascii(&answer).is_some_and(|grid| grid.is_solution_of(&puzzle)),
        };
        Some(Found { right, score })
    }

    /// Reports what is wrong with a record that has one solution.
    fn tell(&self, record: usize, found: &Option<Found>, rows: &mut Rows<'_>) {
        if let Some(clues) = self.redundant.filter(|&clues| clues > 0) {
            let clues = format_args!("{clues} clues are redundant");
            rows.reject(record, "not-minimal", clues);
        } else if let Some(Found {
            right: false,
            score: Some(score),
        }) = found
        {
            let Score {
                wrong_blanks,
                changed_clues,
                ..
            } = score;
            let detail = format_args!("{wrong_blanks} wrong cells, {changed_clues} changed clues");
            rows.reject(record, "wrong-answer", detail);
        }
    }
}

impl Checking<'_> {
    fn add_row(&self, one: &One, found: &Option<Found>, row: Row<'_>) {
        let mut row = row.value(one.status);
        row = match one.puzzle {
            Some(puzzle) => row.display(puzzle.clue_count()),
            None => row.nothing(),
        };
        if self.options.minimal {
            row = match one.redundant {
                Some(clues) => row.display(clues),
                None => row.nothing(),
            };
        }
        let Some(found) = found else {
            return;
        };
        row = row.display(found.right);
        match found.score {
            Some(score) => row.display(score.wrong_blanks).display(score.changed_clues),
            None => row.nothing().nothing(),
        };
    }
}

/// For each record with one solution, how many of its clues are redundant.
fn redundant(solver: &mut Solver, lot: &Lot<'_>, solved: &Solved<'_>) -> Vec<Option<u32>> {
    let pairs: Vec<_> = (0..lot.records.len())
        .filter_map(|record| Some((record, solved.pair(lot, record)?)))
        .collect();
    let puzzles: Vec<Puzzle> = pairs.iter().map(|(_, (puzzle, _))| *puzzle).collect();
    let solutions: Vec<Grid> = pairs.iter().map(|(_, (_, solution))| *solution).collect();
    let mut redundant = vec![None; lot.records.len()];
    let counts = redundant_clues(solver, &puzzles, &solutions);
    for ((record, _), count) in pairs.into_iter().zip(counts) {
        redundant[record] = Some(count);
    }
    redundant
}

/// The cells of an answer. Returns `None` if it is not 81 cells.
pub(super) fn cells_of(text: &[u8]) -> Option<[u8; CELLS]> {
    let text = text.trim_ascii();
    let cells: Puzzle = str::from_utf8(text).ok()?.parse().ok()?;
    Some(*cells.as_ascii())
}
