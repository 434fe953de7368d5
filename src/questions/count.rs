//! The number of solutions of each record.

use super::{Counts, Reason, Reject, Status, status::StatusColumn};
#[cfg(feature = "rayon")]
use crate::stop::{Asking, Stop};
use crate::{
    format::Records,
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

/// Asks how many solutions each record has. With the feature `rayon`, its threads share a record
/// that has very many.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::Count};
/// let mut records = Records::default();
/// // The digits 1 and 2 may change places in the four blank cells.
/// let two = b"..3456789456789123789123456..4365897365897214897214365531642978642978531978531642";
/// line::read(&[two, &b"\n"[..], &[b'.'; 81], b"\n11"].concat(), &mut records);
/// let mut question = Count::new(Some(5000));
/// let answer = question.ask(&records);
/// let shown: Vec<_> = answer.solutions.iter().flatten().map(ToString::to_string).collect();
/// assert_eq!(shown, ["2", "5000+"]);
/// assert_eq!(answer.counts.get("over-the-limit"), 1);
/// assert_eq!(answer.rejects[0].record, 2);
/// ```
#[derive(Debug)]
pub struct Count {
    limit: u64,
    solver: Solver,
    solutions: Vec<Option<SolutionCount>>,
    statuses: StatusColumn,
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

/// The answer of [`Count`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Counted<'q> {
    /// The number of solutions of each record that is not malformed.
    pub solutions: &'q [Option<SolutionCount>],
    /// The status of each record.
    pub statuses: &'q [Status],
    /// The records that are malformed.
    pub rejects: &'q [Reject],
    /// The number of records of each status, `over-the-limit`, and the sum of all `solutions`.
    pub counts: Counts,
}

impl Count {
    /// Counts up to a limit, or all solutions.
    pub fn new(limit: Option<u64>) -> Self {
        Self {
            limit: limit.unwrap_or(u64::MAX),
            solver: Solver::new(),
            solutions: Vec::new(),
            statuses: StatusColumn::default(),
        }
    }

    /// Counts the solutions of records.
    pub fn ask(&mut self, records: &Records) -> Counted<'_> {
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
        let mut found_by_candidates =
            (self.solver.count_candidates_batch(&candidates, limit)).into_iter();
        self.solutions.clear();
        self.statuses.clear();
        let (mut over, mut sum) = (0, 0_u64);
        for puzzle in puzzles {
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
            self.statuses.push(counted.map(|(_, status)| status));
            let counted = counted.ok().map(|(count, _)| SolutionCount {
                number: count.min(self.limit),
                more: count > self.limit,
            });
            if let Some(SolutionCount { number, more }) = counted {
                over += u64::from(more);
                sum = sum.saturating_add(number);
            }
            self.solutions.push(counted);
        }
        let mut counts = self.statuses.counts();
        counts.add("over-the-limit", over);
        counts.add("solutions", sum);
        Counted {
            solutions: &self.solutions,
            statuses: &self.statuses.statuses,
            rejects: &self.statuses.rejects,
            counts,
        }
    }
}

struct Shared {
    limit: u64,
    found: AtomicU64,
    /// The number of pieces that no thread has begun.
    #[cfg(feature = "rayon")]
    waiting: AtomicUsize,
    /// What the threads ask that help.
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
