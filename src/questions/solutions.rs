//! All solutions of each record.

use super::{
    Answer, Batch, Column, Counts, Definition, Kind, Outcome, Question, Reason, RowView, Setting,
    Status, Value, status::StatusColumn, verification::Check,
};
use crate::{
    format::{Records, Values},
    grid::{Grid, GridLine},
    solve::Solutions,
};
use std::{iter::Chain, option};

/// Lists the solutions of puzzles.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Data, SOLUTIONS}};
/// let mut records = Records::default();
/// line::read(&[&[b'.'; 81], &b"\n11"[..]].concat(), &mut records);
/// let answer = SOLUTIONS.with([("limit", "3")])?.ask(&records);
/// let of_rows: Vec<_> = answer.entries().map(|entry| entry.record()).collect();
/// assert_eq!((&of_rows[..], &answer.limited[..]), (&[0, 0, 0][..], &[0][..]));
/// let Data::Cells(solutions) = answer.column(1) else { unreachable!() };
/// assert!(solutions.as_slice()[2].starts_with(b"123456789456789123"));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static SOLUTIONS: Definition = Definition {
    name: "solutions",
    about: "List the solutions of puzzles",
    details: "\
Every solution of a record gives one line: the number of the record, from 1, a tab and the solution. The \
solutions of a record come in lexicographic order. A record without a solution gives no line.

In a table a record is repeated for each of its solutions, with the columns record, solution and status; a \
record without a solution stands there once, with an empty solution. Blocks hold the solutions alone.",
    notes: "\
Examples:
  sudoku-batch solutions puzzles.txt
      The solutions of all records, up to 1000 of each.
  sudoku-batch solutions --limit 2 puzzles.txt | cut -f 1 | uniq -d
      The numbers of the puzzles that have more than one solution.
  sudoku-batch solutions --limit 0 few-clues.txt -o all.txt
      All of them, written as they are found: memory stays flat.

The summary gives the number of records that have more solutions than were listed.",
    failure: "some records have no solution, or are malformed",
    verification: "\
Check each solution before it is written.

It must be a grid, have the clues of its own record, and come after the solution before it. This costs about \
20 ns a solution. A record without a solution is solved again by the other engine. The first record that \
fails ends the command with exit status 2 and no output.",
    settings: &[Setting::new(
        "limit",
        Kind::Number(0),
        "List up to this many solutions of a record, the first ones; 0 is all of them.",
    )
    .usual("1000")],
    columns: &[
        Column::RECORD,
        Column::new("solution", Values::Cells, "a solution of the record")
            .renamed()
            .alias("answer-column"),
        Column::STATUS,
    ],
    make: || {
        Box::new(Listing {
            limit: 1000,
            next: 0,
            open: None,
        })
    },
};

/// The place of the column of solutions.
const SOLUTION: usize = 1;

#[derive(Debug)]
struct Listing {
    limit: u64,
    /// The record that comes next, or is open.
    next: usize,
    open: Option<Open>,
}

/// A record whose solutions are being listed.
#[derive(Debug)]
struct Open {
    status: Status,
    /// All solutions that are left.
    rest: Chain<Chain<option::IntoIter<Grid>, option::IntoIter<Grid>>, Solutions>,
    /// The number of them that are listed at most.
    limit: u64,
}

impl Question for Listing {
    fn set(&mut self, name: &str, value: Value) {
        match (name, value) {
            ("limit", Value::Number(0)) => self.limit = u64::MAX,
            ("limit", Value::Number(limit)) => self.limit = limit,
            _ => unreachable!("{name} is no setting of this kind"),
        }
    }

    fn fork(&self) -> Box<dyn Question> {
        Box::new(Self {
            limit: self.limit,
            next: 0,
            open: None,
        })
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let records = batch.records;
        let most = answer.part().unwrap_or(usize::MAX);
        if answer.part().is_none() {
            (self.next, self.open) = (0, None);
        }
        let mut statuses = StatusColumn::of(answer);
        // The records before this part have no rows in it.
        (0..self.next).for_each(|_| statuses.continued(Status::Unique));
        let (mut bytes, mut listed, mut over) = (0_usize, 0, 0);
        while self.next < records.len() && bytes < most {
            let record = self.next;
            if let Some(open) = &self.open {
                statuses.continued(open.status);
            } else {
                let begun = begin(records, record, self.limit);
                let status = begun.as_ref().map(|open| open.status);
                statuses.push(status.map_err(|reason| *reason));
                self.open = begun.ok();
                if self.open.is_none() {
                    answer.nothing(record);
                }
            }
            let of_a_solution = size_of::<GridLine>() + records.text(record).len();
            let mut is_done = true;
            if let Some(open) = &mut self.open {
                while open.limit > 0 && bytes < most {
                    let Some(solution) = open.rest.next() else {
                        break;
                    };
                    answer.row(record).cells(Some(solution.as_ascii()));
                    open.limit -= 1;
                    listed += 1;
                    bytes = bytes.saturating_add(of_a_solution);
                }
                is_done = open.limit == 0 || bytes < most;
                if open.limit == 0 && open.rest.next().is_some() {
                    answer.limited.push(record);
                    over += 1;
                }
            }
            if is_done {
                self.open = None;
                self.next += 1;
            }
        }
        let next = Some(self.next).filter(|next| *next < records.len());
        self.next = next.unwrap_or(0);
        answer.go_on_at(next);
        statuses.give(answer);
        answer.counts.add("solutions", listed);
        answer.counts.add("over-the-limit", over);
    }

    /// Each may have many solutions.
    fn batch(&self) -> usize {
        64
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        row.push(0, line);
        line.push(b'\t');
        row.push(SOLUTION, line);
        true
    }

    fn check(&self) -> Option<Check> {
        Some(Check::ListedSolutions(SOLUTION))
    }

    fn outcome(&self, counts: &Counts, records: u64) -> Outcome {
        let solved = counts.get("unique") + counts.get("multiple");
        Outcome::new(
            counts.clone(),
            records.saturating_sub(solved),
            "have no solution",
        )
    }
}

/// Begins to list the solutions of a record.
fn begin(records: &Records, record: usize, limit: u64) -> Result<Open, Reason> {
    let puzzle = records.puzzle(record).map_err(Reason::Malformed)?;
    let mut solutions = Solutions::new(&puzzle);
    let first = solutions.next();
    let first = first.ok_or_else(|| Reason::from_unsolvable(&puzzle))?;
    let second = solutions.next();
    Ok(Open {
        status: second.map_or(Status::Unique, |_| Status::Multiple),
        rest: Some(first).into_iter().chain(second).chain(solutions),
        limit,
    })
}
