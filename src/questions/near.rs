//! The puzzles in the vicinity of each record.

use super::{
    Answer, Asked, Batch, Column, Counts, Definition, Reason, Responder, RowView, RunOutcome,
    Status,
    columns::{Columns, NewPuzzle, columns, kind},
    listing::{self, Listed, Listing, Rows},
    made,
    settings::{AtLeast, Settings, settings},
};
use crate::{
    format::Records,
    grid::CELLS,
    puzzle::Vicinity,
    solve::{NotUniqueError, Solver},
};

settings! {
    /// The settings of [`NEAR`].
    pub struct NearSettings {
        /// Take this number of clues out of a record.
        pub drop: u64 = "1",
        /// Put this number of other clues in.
        pub add: u64 = "1",
        /// List only minimal neighbours: each clue is needed.
        pub minimal: bool,
        /// List up to this many neighbours of a record, the first ones; 0 is all of them.
        pub limit: u64 = "0",
        /// Take at most this many sets of clues out of a record, the first ones.
        ///
        /// 24 clues have 24 sets of one clue, 276 of two and 2,024 of three. A set takes some tens of microseconds if
        /// one clue is put in and some milliseconds if two are; each further clue makes it two hundred times as long.
        /// A record with more sets has the status gave-up, on every machine alike.
        pub max_sets: u64 as AtLeast<1> = "100k",
    }
}

columns! {
    /// The columns of [`NEAR`].
    struct NearColumns, NearRow for NearSettings {
        record = Column::RECORD,
        /// a puzzle near the record
        #[column(renamed())]
        near: kind::Puzzles,
        number: kind::Numbers = listing::NUMBER,
        limited: kind::Flags = listing::LIMITED,
        status = Column::STATUS,
    }
}

/// Lists the puzzles that differ from a puzzle in a few clues. The command has more options, and a part of its own
/// for them.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Data, NEAR}};
/// let mut records = Records::default();
/// line::read(b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8", &mut records);
/// let settings = [("drop", "1"), ("add", "1"), ("minimal", "true")];
/// let answer = NEAR.with(settings)?.ask(&records);
/// let Data::Puzzles(near) = answer.named("near") else { unreachable!() };
/// assert_eq!(near.len(), 58);
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static NEAR: Definition = Definition {
    name: "near",
    about: "List the puzzles that differ from a puzzle in a few clues",
    details: "\
A neighbour has one solution, and comes from a record when exactly `drop` of its clues go and `add` others come. A \
clue that comes stands in a blank cell, or has another digit in the cell of a clue that went. Every neighbour of a \
record comes once, in the order of the clues that went, and then of those that came. A record may have any number \
of solutions. A record that is given by candidates stands for its clues.",
    settings: NearSettings::TABLE,
    columns: NearColumns::TABLE,
    make: made::<NearSettings>,
};

/// The count of records that have too few clues, and the name of the reason.
const TOO_FEW_CLUES: &str = "too-few-clues";

#[derive(Debug)]
struct Near {
    drop: usize,
    add: usize,
    is_minimal: bool,
    max_sets: u64,
    listing: Listing<Neighbours>,
    finder: Option<Finder>,
}

/// The tools that find neighbours.
#[derive(Debug)]
struct Finder {
    solver: Solver,
    vicinity: Vicinity,
    statuses: Vec<Result<Status, Reason>>,
}

/// The neighbours of a record that are not listed yet.
#[derive(Debug)]
struct Neighbours {
    record: usize,
    status: Result<Status, Reason>,
}

impl Asked for NearSettings {
    fn definition() -> &'static Definition {
        &NEAR
    }

    fn responder(self) -> Box<dyn Responder> {
        let count = |number: u64| number.try_into().unwrap_or(usize::MAX);
        Box::new(Near {
            drop: count(self.drop),
            add: count(self.add),
            is_minimal: self.minimal,
            max_sets: self.max_sets,
            listing: Listing::new(self.limit),
            finder: None,
        })
    }
}

impl Rows for Neighbours {
    type Finder = Finder;

    fn status(&self) -> Result<Status, Reason> {
        self.status
    }

    fn push(answer: &mut Answer<'_>, record: usize, listed: &Listed<'_>) {
        let row = NearRow {
            near: NewPuzzle::Cells(listed.cells),
            number: Some(listed.number),
            limited: Some(listed.is_limited),
        };
        NearColumns::all().push(answer, record, row);
    }

    fn next(&mut self, finder: &mut Finder) -> Option<[u8; CELLS]> {
        let is_there = self.has_more(finder);
        let neighbour = is_there.then(|| finder.vicinity.next()).flatten();
        neighbour.map(|neighbour| *neighbour.puzzle.as_ascii())
    }

    fn has_more(&mut self, finder: &mut Finder) -> bool {
        finder.vicinity.next_seed() == Some(self.record)
    }
}

impl Responder for Near {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self {
            listing: self.listing.fork(),
            finder: None,
            ..*self
        })
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let records = batch.records;
        let finder = self.finder.get_or_insert_with(|| Finder {
            solver: Solver::new(),
            vicinity: Vicinity::new(self.drop, self.add, self.is_minimal),
            statuses: Vec::new(),
        });
        let is_first_part = answer.part().is_none() || self.listing.is_at_start();
        if is_first_part {
            finder.begin(records, self.drop, self.max_sets);
        }
        let begin = |finder: &mut Finder, record| {
            finder.vicinity.leave_before(record);
            match finder.statuses[record] {
                Err(reason @ (Reason::Malformed(_) | Reason::TooFewClues(..))) => Err(reason),
                status => Ok(Neighbours { record, status }),
            }
        };
        self.listing
            .fill(finder, records, answer, "neighbours", begin);
        if is_first_part {
            let statuses = finder.statuses.iter();
            let few = statuses.filter(|status| matches!(status, Err(Reason::TooFewClues(..))));
            answer.counts.add(TOO_FEW_CLUES, few.count() as u64);
        }
    }

    /// Each may have many neighbours.
    fn batch(&self) -> usize {
        listing::BATCH
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        let columns = NearColumns::all();
        listing::line((columns.record, columns.near), row, line)
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn outcome(&self, counts: &Counts, _: u64) -> RunOutcome {
        let counted = |name| counts.get(name);
        let failed = counted("malformed") + counted("gave-up") + counted(TOO_FEW_CLUES);
        RunOutcome::new(
            counts.clone(),
            failed,
            "have too many sets of clues, too few clues, or are malformed",
        )
    }
}

impl Finder {
    /// Begins with the records of a batch.
    fn begin(&mut self, records: &Records, drop: usize, max_sets: u64) {
        self.statuses.clear();
        let mut seeds = Vec::new();
        for record in 0..records.len() {
            let puzzle = match records.puzzle(record) {
                Ok(puzzle) => puzzle.clues(),
                Err(error) => {
                    self.statuses.push(Err(Reason::Malformed(error)));
                    continue;
                }
            };
            let status = match self.solver.solve_unique(&puzzle) {
                Ok(_) => Status::Unique,
                Err(NotUniqueError::Multiple) => Status::Multiple,
                Err(NotUniqueError::NoSolution) => Reason::from_unsolvable(&puzzle).status(),
            };
            let clues = puzzle.clue_count();
            self.statuses.push(if clues < drop {
                Err(Reason::TooFewClues(
                    drop.try_into().unwrap_or(u8::MAX),
                    status,
                ))
            } else if Vicinity::sets(clues, drop) > max_sets {
                Err(Reason::TooManySets(max_sets))
            } else {
                Ok(status)
            });
            if clues >= drop {
                seeds.push((record, puzzle, max_sets));
            }
        }
        self.vicinity.begin(seeds);
    }
}
