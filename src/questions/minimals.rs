//! The minimal puzzles inside each record.

use super::{
    Answer, Batch, Column, Counts, Definition, Kind, Outcome, Question, Reason, RowView, Setting,
    Status, Value, status::StatusColumn,
};
use crate::{
    format::{Records, Values},
    grid::GridLine,
    puzzle::Minimals,
    solve::{NotUniqueError, Solver},
};
use std::iter::Peekable;

/// Lists the minimal puzzles inside puzzles.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Data, MINIMALS}};
/// let mut records = Records::default();
/// line::read(b"49.52.7.3.....3...13...7....14.....67...5...15.....42....4....5...8.....2.1.76..8", &mut records);
/// let answer = MINIMALS.with([])?.ask(&records);
/// let Data::Puzzles(minimals) = answer.column(1) else { unreachable!() };
/// assert_eq!((minimals.len(), &minimals.lines(0..1)[0][..9]), (5, &b".9.52.7.."[..]));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static MINIMALS: Definition = Definition {
    name: "minimals",
    about: "List the minimal puzzles inside puzzles",
    details: "\
A puzzle inside a record has some of its clues, and its only solution. It is minimal if it has several solutions \
once any clue goes. Every minimal puzzle gives one line: the number of the record, from 1, a tab and the puzzle. \
Those of a record come in the order of their texts, where a blank comes before any digit. A record without \
exactly one solution gives no line. A record that is given by candidates stands for its clues.

In a table a record is repeated for each of them, with the columns record, minimal, number, limited and status.",
    notes: "\
Examples:
  sudoku-batch minimals puzzles.txt
      The minimal puzzles inside all records, up to 1000 of each.
  sudoku-batch minimals --limit 0 27-clues.txt | cut -f 2 | sudoku-batch rate
      All of them, rated.
  sudoku-batch minimals --limit 1 puzzles.txt
      One for each: each clue in reading order goes if it can.

A puzzle with 35 clues has millions of them. The summary gives the number of records that have more than were \
listed.",
    failure: "some records do not have exactly one solution, or are malformed",
    verification: "",
    settings: &[Setting::new(
        "limit",
        Kind::Number(0),
        "List up to this many minimal puzzles of a record, the first ones; 0 is all of them.",
    )
    .usual("1000")],
    columns: &[
        Column::RECORD,
        Column::new(
            "minimal",
            Values::Puzzles,
            "a minimal puzzle inside the record",
        )
        .renamed(),
        Column::new(
            "number",
            Values::Numbers,
            "its number among those of the record, from 1",
        ),
        Column::new(
            "limited",
            Values::Flags,
            "whether it is the last one that the limit allows, and the record has more",
        ),
        Column::STATUS,
    ],
    make: || {
        Box::new(Listing {
            limit: 1000,
            next: 0,
            open: None,
            solver: Solver::new(),
        })
    },
};

#[derive(Debug)]
struct Listing {
    limit: u64,
    /// The record that comes next, or is open.
    next: usize,
    open: Option<Open>,
    solver: Solver,
}

/// A record whose minimal puzzles are being listed.
#[derive(Debug)]
struct Open {
    rest: Peekable<Minimals>,
    /// The number of those that are listed.
    listed: u64,
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
            solver: Solver::new(),
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
            if self.open.is_some() {
                statuses.continued(Status::Unique);
            } else {
                match begin(&mut self.solver, records, record) {
                    Ok(rest) => {
                        statuses.push(Ok(Status::Unique));
                        self.open = Some(Open {
                            rest: rest.peekable(),
                            listed: 0,
                        });
                    }
                    Err(reason) => {
                        statuses.push(Err(reason));
                        answer.nothing(record);
                    }
                }
            }
            let of_a_row = size_of::<GridLine>() + records.text(record).len();
            let mut is_done = true;
            if let Some(open) = &mut self.open {
                is_done = false;
                while bytes < most {
                    let Some(puzzle) = open.rest.next() else {
                        is_done = true;
                        break;
                    };
                    open.listed += 1;
                    listed += 1;
                    let is_last = open.listed == self.limit;
                    let more = is_last && open.rest.peek().is_some();
                    answer
                        .row(record)
                        .cells(Some(puzzle.as_ascii()))
                        .number(Some(open.listed))
                        .flag(Some(more));
                    bytes = bytes.saturating_add(of_a_row);
                    if more {
                        answer.limited.push(record);
                        over += 1;
                    }
                    if is_last {
                        is_done = true;
                        break;
                    }
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
        answer.counts.add("minimals", listed);
        answer.counts.add("over-the-limit", over);
    }

    /// Each may have many minimal puzzles.
    fn batch(&self) -> usize {
        64
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        row.push(0, line);
        line.push(b'\t');
        row.push(1, line);
        true
    }

    fn outcome(&self, counts: &Counts, records: u64) -> Outcome {
        let failed = records.saturating_sub(counts.get("unique"));
        Outcome::new(counts.clone(), failed, "do not have exactly one solution")
    }
}

/// Begins to list the minimal puzzles of a record.
fn begin(solver: &mut Solver, records: &Records, record: usize) -> Result<Minimals, Reason> {
    let puzzle = records.puzzle(record).map_err(Reason::Malformed)?.clues();
    match solver.solve_unique(&puzzle) {
        Ok(solution) => Ok(Minimals::new(&puzzle, &solution)),
        Err(NotUniqueError::Multiple) => Err(Reason::Multiple),
        Err(NotUniqueError::NoSolution) => Err(Reason::from_unsolvable(&puzzle)),
    }
}
