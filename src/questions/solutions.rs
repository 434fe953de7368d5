//! All solutions of each record.

use super::{
    Answer, Asked, Batch, Column, Counts, Definition, Reason, Responder, RowView, RunOutcome,
    Status,
    columns::{Columns, columns, kind},
    listing::{self, Listed, Listing, Rows},
    made,
    settings::{Settings, settings},
    verification::Check,
};
use crate::{
    format::Records,
    grid::{CELLS, Grid},
    solve::Solutions,
};
use std::{iter::Chain, option};

settings! {
    /// The settings of [`SOLUTIONS`].
    pub struct SolutionsSettings {
        /// List up to this many solutions of a record, the first ones; 0 is all of them.
        pub limit: u64 = "1000",
    }
}

columns! {
    /// The columns of [`SOLUTIONS`].
    struct SolutionsColumns, SolutionsRow for SolutionsSettings {
        record = Column::RECORD,
        /// a solution of the record
        #[column(renamed())]
        solution: kind::Cells,
        status = Column::STATUS,
    }
}

/// Lists the solutions of puzzles.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Data, SOLUTIONS}};
/// let mut records = Records::default();
/// line::read(&[&[b'.'; 81], &b"\n11"[..]].concat(), &mut records);
/// let answer = SOLUTIONS.with([("limit", "3")])?.ask(&records);
/// let of_rows: Vec<_> = answer.entries().map(|(record, _)| record).collect();
/// assert_eq!((&of_rows[..], &answer.limited[..]), (&[0, 0, 0][..], &[0][..]));
/// let Data::Cells(solutions) = answer.named("solution") else { unreachable!() };
/// assert!(solutions[2].starts_with(b"123456789456789123"));
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
    settings: SolutionsSettings::TABLE,
    columns: SolutionsColumns::TABLE,
    make: made::<SolutionsSettings>,
};

#[derive(Debug)]
struct AllSolutions(Listing<Rest>);

/// The solutions of a record that are not listed yet.
#[derive(Debug)]
struct Rest {
    status: Status,
    solutions: Chain<Chain<option::IntoIter<Grid>, option::IntoIter<Grid>>, Solutions>,
}

impl Rows for Rest {
    type Finder = ();

    fn status(&self) -> Result<Status, Reason> {
        Ok(self.status)
    }

    fn push(answer: &mut Answer<'_>, record: usize, listed: &Listed<'_>) {
        let row = SolutionsRow {
            solution: Some(listed.cells),
        };
        SolutionsColumns::all().push(answer, record, row);
    }

    fn next(&mut self, (): &mut ()) -> Option<[u8; CELLS]> {
        self.solutions.next().map(|solution| *solution.as_ascii())
    }

    fn has_more(&mut self, (): &mut ()) -> bool {
        self.solutions.next().is_some()
    }
}

impl Asked for SolutionsSettings {
    fn definition() -> &'static Definition {
        &SOLUTIONS
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(AllSolutions(Listing::new(self.limit)))
    }
}

impl Responder for AllSolutions {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self(self.0.fork()))
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let records = batch.records;
        let begin = |(): &mut (), record| begin(records, record);
        self.0.fill(&mut (), records, answer, "solutions", begin);
    }

    /// Each may have many solutions.
    fn batch(&self) -> usize {
        listing::BATCH
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        let columns = SolutionsColumns::all();
        listing::line((columns.record, columns.solution), row, line)
    }

    fn check(&self) -> Option<Check> {
        Some(Check::ListedSolutions)
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let solved = counts.get("unique") + counts.get("multiple");
        RunOutcome::new(
            counts.clone(),
            records.saturating_sub(solved),
            "have no solution",
        )
    }
}

/// Begins to list the solutions of a record.
fn begin(records: &Records, record: usize) -> Result<Rest, Reason> {
    let puzzle = records.puzzle(record).map_err(Reason::Malformed)?;
    let mut solutions = Solutions::new(&puzzle);
    let first = solutions.next();
    let first = first.ok_or_else(|| Reason::from_unsolvable(&puzzle))?;
    let second = solutions.next();
    Ok(Rest {
        status: second.map_or(Status::Unique, |_| Status::Multiple),
        solutions: Some(first).into_iter().chain(second).chain(solutions),
    })
}
