//! The number of solutions of each record.

use super::{
    Answer, Asked, Batch, Column, Counts, Definition, Reason, Responder, RowView, RunOutcome,
    Status,
    columns::{Columns, columns, kind},
    made,
    settings::{Settings, settings},
    status::StatusColumn,
};
#[cfg(feature = "rayon")]
use crate::stop::{Asking, Stop};
use crate::{
    grid::AnyPuzzle,
    solve::{Counting, Solver},
};
#[cfg(feature = "rayon")]
use std::{
    error::Error,
    sync::{OnceLock, atomic::AtomicUsize},
};
use std::{
    fmt,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

/// A batch counts up to this many solutions of each record. Records with more are counted one at a
/// time, in steps.
const MANY: u64 = 2000;

/// The steps of the search between looks at the other threads: some milliseconds.
const STEPS: u64 = 4096;

settings! {
    /// The settings of [`COUNT`].
    pub struct CountSettings {
        /// Count up to this many solutions of a record; 0 is all of them.
        ///
        /// A sparse puzzle may have more than anyone can count: the empty grid has 6.67 * 10^21.
        pub limit: u64 = "1000000",
    }
}

columns! {
    /// The columns of [`COUNT`].
    struct CountColumns, CountRow for CountSettings {
        /// the number of solutions
        #[column(renamed())]
        solution_count: kind::Bounds,
        status = Column::STATUS,
    }
}

/// Counts the solutions of puzzles.
pub static COUNT: Definition = Definition {
    name: "count",
    about: "Count the solutions of each puzzle",
    details: "\
Every record gives one line: the number of its solutions, in the order of the input. A `+` behind a number \
says that there are more. In a table the number goes into the column solution_count. The summary of any command has \
the number of records.

All threads share the work on a record that has very many.",
    settings: CountSettings::TABLE,
    columns: CountColumns::TABLE,
    make: made::<CountSettings>,
};

/// With the feature `rayon`, its threads share a record that has very many solutions.
#[derive(Debug)]
struct Count {
    limit: u64,
    solver: Solver,
}

impl Count {
    fn new(limit: u64) -> Self {
        Self {
            limit,
            solver: Solver::new(),
        }
    }
}

/// A number of solutions. Its text has a `+` if there are more: `5000+`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SolutionCount {
    /// The number, at most the limit.
    pub number: u64,
    /// Whether there are more.
    pub more: bool,
}

impl fmt::Display for SolutionCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plus = if self.more { "+" } else { "" };
        write!(f, "{}{plus}", self.number)
    }
}

impl Asked for CountSettings {
    fn definition() -> &'static Definition {
        &COUNT
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Count::new(match self.limit {
            0 => u64::MAX,
            limit => limit,
        }))
    }
}

impl Responder for Count {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self::new(self.limit))
    }

    /// A record with very many solutions is shared by the threads of rayon. Where the system starts
    /// none, the thread of the record counts alone.
    #[cfg(feature = "rayon")]
    fn begin(&self, threads: usize) {
        let _ = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build_global();
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let records = batch.records;
        // One more than the limit shows that there are more.
        let most = self.limit.saturating_add(1).max(2);
        let puzzles = (0..records.len()).map(|record| records.puzzle(record));
        let (mut good, mut candidates) = (Vec::new(), Vec::new());
        for puzzle in puzzles.clone().filter_map(Result::ok) {
            match puzzle {
                AnyPuzzle::Cells(puzzle) => good.push(puzzle),
                AnyPuzzle::Candidates(of_puzzle) => candidates.push(of_puzzle),
            }
        }
        let limit = most.min(MANY);
        let mut found = self.solver.count_batch(&good, limit).into_iter();
        let mut found_by_candidates = (self.solver.count_batch(&candidates, limit)).into_iter();
        let (columns, mut statuses) = (CountColumns::all(), StatusColumn::of(answer));
        let (mut over, mut sum) = (0, 0_u64);
        for (record, puzzle) in puzzles.enumerate() {
            let counted = puzzle.map_err(Reason::Malformed).map(|puzzle| {
                let found = match puzzle {
                    AnyPuzzle::Cells(_) => &mut found,
                    AnyPuzzle::Candidates(_) => &mut found_by_candidates,
                };
                let mut count = found.next().expect("one for each that is well formed");
                if count == MANY && count < most {
                    count = count_in_steps(&puzzle, most);
                }
                let status = match count {
                    0 => Reason::from_unsolvable(&puzzle).status(),
                    1 => Status::Unique,
                    _ => Status::Multiple,
                };
                (count, status)
            });
            statuses.push(counted.map(|(_, status)| status));
            let counted = counted.ok().map(|(count, _)| SolutionCount {
                number: count.min(self.limit),
                more: count > self.limit,
            });
            if let Some(SolutionCount { number, more }) = counted {
                over += u64::from(more);
                sum = sum.saturating_add(number);
            }
            let row = CountRow {
                solution_count: counted,
            };
            columns.push(answer, record, row);
        }
        statuses.give(answer);
        answer.counts.add("over-the-limit", over);
        answer.counts.add("solutions", sum);
    }

    fn batch(&self) -> usize {
        512
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        let columns = CountColumns::all();
        row.push(columns.solution_count, line) || row.push(columns.status, line)
    }

    fn outcome(&self, counts: &Counts, _: u64) -> RunOutcome {
        RunOutcome::new(counts.clone(), counts.get("malformed"), "malformed")
    }
}

struct Shared {
    limit: u64,
    found: AtomicU64,
    /// The number of pieces that no thread has begun.
    #[cfg(feature = "rayon")]
    waiting: AtomicUsize,
    /// The question of the threads that help.
    #[cfg(feature = "rayon")]
    stop: Option<Stop>,
}

fn count_in_steps(puzzle: &AnyPuzzle, limit: u64) -> u64 {
    let shared = Shared {
        limit,
        found: AtomicU64::new(0),
        #[cfg(feature = "rayon")]
        waiting: AtomicUsize::new(0),
        #[cfg(feature = "rayon")]
        stop: Stop::of_this_thread(),
    };
    let whole = Counting::new(puzzle);
    #[cfg(feature = "rayon")]
    if has_threads() {
        rayon::scope(|scope| shared.work(whole, &|part| shared.hand_on(scope, part)));
        return shared.found.into_inner().min(limit);
    }
    shared.work(whole, &|_| {});
    shared.found.into_inner().min(limit)
}

/// Whether rayon has threads. Where the system starts none, rayon would panic.
#[cfg(feature = "rayon")]
fn has_threads() -> bool {
    static STARTED: OnceLock<bool> = OnceLock::new();
    // An error without a source says that the threads were started before.
    let start = || match rayon::ThreadPoolBuilder::new().build_global() {
        Ok(()) => true,
        Err(error) => error.source().is_none(),
    };
    rayon::current_thread_index().is_some() || *STARTED.get_or_init(start)
}

impl Shared {
    /// Counts a part. Between the steps `hand_on` may give pieces of it to other threads.
    fn work(&self, mut part: Counting, hand_on: &dyn Fn(&mut Counting)) {
        while !part.is_done() {
            let left = self.limit.saturating_sub(self.found.load(Relaxed));
            if left == 0 {
                return;
            }
            // A step finds one solution at most, so the sum does not overflow.
            self.found.fetch_add(part.advance(STEPS, left), Relaxed);
            hand_on(&mut part);
        }
    }

    /// Hands on pieces of a part while there are fewer pieces that wait than threads.
    #[cfg(feature = "rayon")]
    fn hand_on<'s>(&'s self, scope: &rayon::Scope<'s>, part: &mut Counting) {
        while self.waiting.load(Relaxed) < rayon::current_num_threads()
            && let Some(piece) = part.share()
        {
            self.waiting.fetch_add(1, Relaxed);
            scope.spawn(move |scope| {
                self.waiting.fetch_sub(1, Relaxed);
                let _asking = Asking::begin(self.stop.clone());
                self.work(piece, &|part| self.hand_on(scope, part));
            });
        }
    }
}
