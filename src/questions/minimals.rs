//! The minimal puzzles inside each record.

use super::{
    Answer, Asked, Batch, Column, Counts, Definition, Reason, Responder, RowView, RunOutcome,
    Status,
    columns::{Columns, NewPuzzle, columns, kind},
    listing::{self, Listed, Listing, Rows},
    made,
    settings::{Settings, settings},
};
use crate::{
    format::Records,
    grid::CELLS,
    puzzle::Minimals,
    solve::{NotUniqueError, Solver},
};
use std::iter::Peekable;

settings! {
    /// The settings of [`MINIMALS`].
    pub struct MinimalsSettings {
        /// List up to this many minimal puzzles of a record, the first ones; 0 is all of them.
        pub limit: u64 = "1000",
    }
}

columns! {
    /// The columns of [`MINIMALS`].
    struct MinimalsColumns, MinimalsRow for MinimalsSettings {
        record = Column::RECORD,
        /// a minimal puzzle inside the record
        #[column(renamed())]
        minimal: kind::Puzzles,
        number: kind::Numbers = listing::NUMBER,
        limited: kind::Flags = listing::LIMITED,
        status = Column::STATUS,
    }
}

/// Lists the minimal puzzles inside puzzles.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Data, MINIMALS}};
/// let mut records = Records::default();
/// line::read(b"49.52.7.3.....3...13...7....14.....67...5...15.....42....4....5...8.....2.1.76..8", &mut records);
/// let answer = MINIMALS.with([])?.ask(&records);
/// let Data::Puzzles(minimals) = answer.named("minimal") else { unreachable!() };
/// assert_eq!((minimals.len(), &minimals.lines(0..1)[0][..9]), (5, &b".9.52.7.."[..]));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static MINIMALS: Definition = Definition {
    name: "minimals",
    about: "List the minimal puzzles inside puzzles",
    details: "\
A puzzle inside a record has some of its clues, and its only solution. It is minimal if it has several solutions \
once any clue goes. The puzzles of a record come in the order of their texts, where a blank comes before any digit. A \
record without exactly one solution has none. A record that is given by candidates stands for its clues.",
    settings: MinimalsSettings::TABLE,
    columns: MinimalsColumns::TABLE,
    make: made::<MinimalsSettings>,
};

#[derive(Debug)]
struct AllMinimals {
    listing: Listing<Peekable<Minimals>>,
    solver: Solver,
}

impl AllMinimals {
    fn new(limit: u64) -> Self {
        Self {
            listing: Listing::new(limit),
            solver: Solver::new(),
        }
    }
}

impl Rows for Peekable<Minimals> {
    type Finder = Solver;

    fn status(&self) -> Result<Status, Reason> {
        Ok(Status::Unique)
    }

    fn push(answer: &mut Answer<'_>, record: usize, listed: &Listed<'_>) {
        let row = MinimalsRow {
            minimal: NewPuzzle::Cells(listed.cells),
            number: Some(listed.number),
            limited: Some(listed.is_limited),
        };
        MinimalsColumns::all().push(answer, record, row);
    }

    fn next(&mut self, _: &mut Solver) -> Option<[u8; CELLS]> {
        Iterator::next(self).map(|puzzle| *puzzle.as_ascii())
    }

    fn has_more(&mut self, _: &mut Solver) -> bool {
        self.peek().is_some()
    }
}

impl Asked for MinimalsSettings {
    fn definition() -> &'static Definition {
        &MINIMALS
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(AllMinimals::new(self.limit))
    }
}

impl Responder for AllMinimals {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self {
            listing: self.listing.fork(),
            solver: Solver::new(),
        })
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let (records, solver) = (batch.records, &mut self.solver);
        let begin = |solver: &mut Solver, record| begin(solver, records, record);
        self.listing
            .fill(solver, records, answer, "minimals", begin);
    }

    /// Each may have many minimal puzzles.
    fn batch(&self) -> usize {
        listing::BATCH
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        let columns = MinimalsColumns::all();
        listing::line((columns.record, columns.minimal), row, line)
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let failed = records.saturating_sub(counts.get("unique"));
        RunOutcome::new(counts.clone(), failed, "do not have exactly one solution")
    }
}

/// Begins to list the minimal puzzles of a record.
fn begin(
    solver: &mut Solver,
    records: &Records,
    record: usize,
) -> Result<Peekable<Minimals>, Reason> {
    let puzzle = records.puzzle(record).map_err(Reason::Malformed)?.clues();
    match solver.solve_unique(&puzzle) {
        Ok(solution) => Ok(Minimals::new(&puzzle, &solution).peekable()),
        Err(NotUniqueError::Multiple) => Err(Reason::Multiple),
        Err(NotUniqueError::NoSolution) => Err(Reason::from_unsolvable(&puzzle)),
    }
}
