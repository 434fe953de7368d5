//! The number of solutions that have each candidate of a record.

use super::{
    Answer, Asked, Batch, Column, Counts, Definition, Responder, RowView, RunOutcome, Status,
    Uniqueness,
    columns::{Columns, columns, kind},
    made,
    settings::{AtLeast, Settings, settings},
};
use crate::{
    grid::{AnyPuzzle, CANDIDATES, CELLS, Candidates, Cell, Digit, Digits},
    solve::{Solutions, Solver},
    stop,
};

settings! {
    /// The settings of [`CANDIDATE_COUNTS`].
    pub struct CandidateCountsSettings {
        /// Count up to this many solutions of a candidate.
        ///
        /// The largest limit is 32766. A larger number means the same.
        pub limit: u64 as AtLeast<1> = "100",
    }
}

columns! {
    /// The columns of [`CANDIDATE_COUNTS`].
    struct CandidateCountsColumns, CandidateCountsRow for CandidateCountsSettings {
        /// the number of solutions that have each digit in each cell
        #[column(renamed())]
        candidate_counts: kind::CandidateCounts,
        status = Column::STATUS,
    }
}

/// Counts the solutions that have each candidate.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{CANDIDATE_COUNTS, Data}};
/// // The digits 1 and 2 may change places in the four blank cells.
/// let text = b"..3456789456789123789123456..4365897365897214897214365531642978642978531978531642";
/// let mut records = Records::default();
/// line::read(text, &mut records);
/// let answer = CANDIDATE_COUNTS.with([("limit", "1")])?.ask(&records);
/// let Data::CandidateCounts { numbers, .. } = answer.named("candidate_counts") else { unreachable!() };
/// // The first cell has 1 in one solution and 2 in another, and the third has 3 in more than one.
/// assert_eq!(numbers[0][..9], [1, 1, 0, 0, 0, 0, 0, 0, 0]);
/// assert_eq!(numbers[0][18..27], [0, 0, 2, 0, 0, 0, 0, 0, 0]);
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static CANDIDATE_COUNTS: Definition = Definition {
    name: "candidate-counts",
    about: "Count the solutions that have each candidate",
    details: "\
A count is the number of solutions of the record that have a digit in a cell. It is exact up to the limit. So the \
counts of a board after some moves say whether it can still be solved, and which digits are right. The digits of \
the only solution have the count 1, and all others 0. A record without a solution has 0 everywhere.

Text has a word for each of the 81 cells: its digits in solutions, each with its count. 1:3/5:100+ is a cell \
that has 1 in three solutions and 5 in more than a hundred. Without a solution a word is -.

An array has nine rows of nine cells with nine numbers for each record. A number above the limit, such as 101 for \
the limit 100, says that there are more. A malformed record has -1 everywhere.",
    settings: CandidateCountsSettings::TABLE,
    columns: CandidateCountsColumns::TABLE,
    make: made::<CandidateCountsSettings>,
};

/// The numbers of an array have 16 bits, and one more than the limit stands for more.
const MOST: u64 = i16::MAX as u64 - 1;

/// The solutions of a record that are listed, as a multiple of the limit. Records with more have other
/// candidates counted one by one, which finds up to the limit for each of some hundred.
const LISTED: usize = 10;

/// The candidates that are counted together. More fill the lanes no better, and take more memory.
const TOGETHER: usize = 4096;

/// A number for each candidate, nine for each cell.
type Numbers = [i16; CANDIDATES];

#[derive(Debug)]
struct CandidateCounts {
    limit: i16,
    uniqueness: Uniqueness,
}

impl CandidateCounts {
    fn new(limit: u64) -> Self {
        Self {
            limit: limit.min(MOST) as i16,
            uniqueness: Uniqueness::default(),
        }
    }
}

impl Asked for CandidateCountsSettings {
    fn definition() -> &'static Definition {
        &CANDIDATE_COUNTS
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(CandidateCounts::new(self.limit))
    }
}

impl Responder for CandidateCounts {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self {
            limit: self.limit,
            uniqueness: Uniqueness::default(),
        })
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let (records, limit) = (batch.records, self.limit);
        let (solutions, solver) = self.uniqueness.ask_with_solver(records);
        answer.counts += solutions.counts.clone();
        let several = |record: &usize| solutions.statuses[*record] == Status::Multiple;
        let puzzles = (0..records.len()).filter(several);
        let puzzles = puzzles.map(|record| records.puzzle(record).expect("it has solutions"));
        let mut of_several = count(solver, &puzzles.collect::<Vec<_>>(), limit).into_iter();
        let (columns, mut over) = (CandidateCountsColumns::all(), 0);
        for record in 0..records.len() {
            let mut numbers = [0; CANDIDATES];
            let is_known = match solutions.statuses[record] {
                Status::Malformed => false,
                Status::Unique => {
                    let cells = numbers.as_chunks_mut::<9>().0.iter_mut();
                    for (numbers, digit) in cells.zip(solutions.lines[record]) {
                        numbers[usize::from(digit - b'1')] = 1;
                    }
                    true
                }
                Status::Multiple => {
                    numbers = of_several
                        .next()
                        .expect("one for each with several solutions");
                    over += u64::from(numbers.iter().any(|&number| number > limit));
                    true
                }
                _ => true,
            };
            let row = CandidateCountsRow {
                candidate_counts: (is_known.then_some(&numbers), limit),
            };
            columns.push(answer, record, row);
        }
        self.uniqueness.give(answer);
        // No solution, and several, are counts as one is.
        answer
            .rejects
            .retain(|reject| reject.reason.status() == Status::Malformed);
        answer.counts.add("over-the-limit", over);
    }

    /// Each may have many solutions.
    fn batch(&self) -> usize {
        512
    }

    /// The counts alone, or the status of a malformed record.
    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        let columns = CandidateCountsColumns::all();
        row.push(columns.candidate_counts, line) || row.push(columns.status, line)
    }

    fn outcome(&self, counts: &Counts, _: u64) -> RunOutcome {
        RunOutcome::new(counts.clone(), counts.get("malformed"), "malformed")
    }
}

/// Adds a solution to the numbers of its candidates. One above the limit stays.
fn add(numbers: &mut Numbers, solution: &[u8; CELLS], limit: i16) {
    for (numbers, digit) in numbers.as_chunks_mut::<9>().0.iter_mut().zip(solution) {
        let number = &mut numbers[usize::from(digit - b'1')];
        *number += i16::from(*number <= limit);
    }
}

/// A candidate whose solutions are to be counted.
struct Task {
    puzzle: usize,
    candidate: usize,
    with_it: Candidates,
}

/// The numbers of puzzles that have several solutions. Each is the number of all solutions with a candidate, or one
/// above the limit, so it depends neither on the order of solutions nor on other puzzles.
fn count(solver: &mut Solver, puzzles: &[AnyPuzzle], limit: i16) -> Vec<Numbers> {
    let mut counts = Vec::with_capacity(puzzles.len());
    let mut tasks = Vec::new();
    for (puzzle, asked) in puzzles.iter().enumerate() {
        let mut numbers = [0; CANDIDATES];
        let mut solutions = Solutions::new(asked);
        for solution in solutions.by_ref().take(LISTED * limit as usize) {
            add(&mut numbers, solution.as_ascii(), limit);
        }
        counts.push(numbers);
        if solutions.next().is_some() {
            tasks.extend(open(puzzle, asked, &numbers, limit));
        }
        if tasks.len() >= TOGETHER {
            count_each(solver, &mut tasks, &mut counts, limit);
        }
    }
    count_each(solver, &mut tasks, &mut counts, limit);
    counts
}

/// The candidates of a puzzle that have not reached the limit.
fn open(
    puzzle: usize,
    asked: &AnyPuzzle,
    numbers: &Numbers,
    limit: i16,
) -> impl Iterator<Item = Task> {
    let candidates = asked.candidates();
    let candidates = candidates.reduced().expect("it has solutions");
    let all = Cell::all().flat_map(|cell| Digit::all().map(move |digit| (cell, digit)));
    all.zip(*numbers)
        .enumerate()
        .filter(move |(_, ((cell, digit), number))| {
            *number <= limit && candidates.contains(*cell, *digit)
        })
        .map(move |(candidate, ((cell, digit), _))| {
            let mut with_it = candidates;
            with_it.set(cell, Digits::from_bits(1 << digit.index()));
            Task {
                puzzle,
                candidate,
                with_it,
            }
        })
}

/// Counts the solutions with each candidate, and notes them.
fn count_each(solver: &mut Solver, tasks: &mut Vec<Task>, counts: &mut [Numbers], limit: i16) {
    stop::check();
    let puzzles: Vec<_> = tasks.iter().map(|task| task.with_it).collect();
    let found = solver.count_batch(&puzzles, limit as u64 + 1);
    for (task, found) in tasks.drain(..).zip(found) {
        counts[task.puzzle][task.candidate] = found as i16;
    }
}
