//! The solution of each record.

use super::{Counts, Reason, Reject, Status};
use crate::{
    format::{ParseError, Records, UNSOLVABLE},
    grid::{AnyPuzzle, CELLS, Candidates, Grid, GridLine, Puzzle},
    solve::{NO_SOLUTION, Question, Solver, reference_answer},
};

/// Asks for the solution of each record: the only one, or the smallest of several.
///
/// ```
/// use sudoku_batch::{
///     Solver,
///     format::{Records, line},
///     questions::{Solve, Status},
///     solve::NO_SOLUTION,
/// };
/// let mut records = Records::default();
/// line::read(&[&[b'.'; 81][..], b"\n11"].concat(), &mut records);
/// let mut lines = [NO_SOLUTION; 2];
/// let mut question = Solve::new(Solver::new());
/// let answer = question.ask(&records, &mut lines);
/// assert_eq!(answer.statuses, [Status::Multiple, Status::Malformed]);
/// assert!(lines[0].starts_with(b"123456789456789123"));
/// assert_eq!(lines[1], NO_SOLUTION);
/// // With several solutions the record is rejected, and has no line.
/// let mut question = Solve::unique(Solver::new());
/// assert_eq!(question.ask(&records, &mut lines).rejects.len(), 2);
/// assert_eq!(lines[0], NO_SOLUTION);
/// ```
#[derive(Debug)]
pub struct Solve {
    solver: Solver,
    question: Question,
    max_guesses: Option<u64>,
    /// The cells to solve, if the reference search decides some record.
    cells: Vec<[u8; CELLS]>,
    of_candidates: OfCandidates,
    counts: Vec<u64>,
    statuses: Vec<Status>,
    rejects: Vec<Reject>,
}

/// The answer of [`Solve`]. The solutions are in the lines that the caller gave.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Solved<'q> {
    /// The status of each record.
    pub statuses: &'q [Status],
    /// The records without a line.
    pub rejects: &'q [Reject],
    /// The number of records of each status.
    pub counts: Counts,
}

impl Solve {
    /// Asks for the only solution, or the lexicographically smallest of several. Records with
    /// several solutions are no rejects.
    pub fn new(solver: Solver) -> Self {
        Self {
            solver,
            question: Question::Solution,
            max_guesses: None,
            cells: Vec::new(),
            of_candidates: OfCandidates::default(),
            counts: Vec::new(),
            statuses: Vec::new(),
            rejects: Vec::new(),
        }
    }

    /// Asks for the only solution. Records with several solutions are rejects.
    pub fn unique(solver: Solver) -> Self {
        Self {
            question: Question::Unique,
            ..Self::new(solver)
        }
    }

    /// Gives up on each puzzle for which the reference search needs more guesses than
    /// `most`. The reference search alone decides, so the answer to a record depends neither
    /// on its neighbours nor on the engine.
    ///
    /// It bounds the time of each record: no engine is asked. A puzzle that takes the
    /// reference search a few guesses can take an engine very long. The smallest of several
    /// solutions takes up to 648 more searches of `most` guesses each, and a puzzle for which
    /// one of them needs more is given up, too.
    ///
    /// ```
    /// use sudoku_batch::{Reason, Solver, format::{Records, line}, questions::Solve};
    /// let mut records = Records::default();
    /// line::read(&[b'.'; 81], &mut records);
    /// let mut question = Solve::unique(Solver::new()).with_max_guesses(10);
    /// let answer = question.ask(&records, &mut [[0; 82]]);
    /// assert_eq!(answer.rejects[0].reason, Reason::GaveUp(10));
    /// assert_eq!(answer.counts.get("gave-up"), 1);
    /// ```
    #[must_use]
    pub fn with_max_guesses(mut self, most: u64) -> Self {
        self.max_guesses = Some(most);
        self
    }

    /// The solver.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Solves records. `lines[i]` gets the solution of record i and a line feed. The line of a
    /// reject gets 81 points.
    ///
    /// # Panics
    ///
    /// The number of `lines` is not the number of records.
    pub fn ask(&mut self, records: &Records, lines: &mut [GridLine]) -> Solved<'_> {
        self.answer(Batch::of(records), lines).0
    }

    /// Solves puzzles that are no [`Records`]: characters `1` to `9` for clues, and `.` or `0` for
    /// blanks. It does the same as [`ask`](Self::ask) without a copy of the cells.
    ///
    /// ```
    /// use sudoku_batch::{Solver, questions::{Solve, Status}, solve::NO_SOLUTION};
    /// let mut question = Solve::unique(Solver::new());
    /// let mut lines = [NO_SOLUTION];
    /// assert_eq!(question.ask_cells(&[[b'0'; 81]], &mut lines).statuses, [Status::Multiple]);
    /// ```
    ///
    /// # Panics
    ///
    /// The number of `lines` is not the number of puzzles.
    pub fn ask_cells(&mut self, cells: &[[u8; CELLS]], lines: &mut [GridLine]) -> Solved<'_> {
        let batch = Batch {
            cells,
            ..Batch::default()
        };
        self.answer(batch, lines).0
    }

    /// Solves records as [`ask`](Self::ask) does, and counts their solutions as far as `question` asks,
    /// without statuses.
    #[doc(hidden)]
    pub fn count(
        &mut self,
        question: Question,
        records: &Records,
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        let batch = Batch::of(records);
        (self.of_candidates).solve_all(&mut self.solver, question, &batch, lines, counts);
    }

    /// The answer, and the solver for further questions.
    fn answer(&mut self, batch: Batch<'_>, lines: &mut [GridLine]) -> (Solved<'_>, &mut Solver) {
        let Batch {
            cells, malformed, ..
        } = batch;
        let decided = self.decide(&batch);
        let Self {
            solver,
            question,
            max_guesses,
            cells: without_decided,
            of_candidates,
            counts,
            statuses,
            rejects,
        } = self;
        let to_solve = match decided.is_empty() {
            true => batch,
            false => Batch {
                cells: without_decided,
                ..Batch::default()
            },
        };
        rejects.clear();
        counts.clear();
        counts.resize(cells.len(), 0);
        of_candidates.solve_all(solver, *question, &to_solve, lines, counts);
        for &(record, answer) in &decided {
            if let Some((count, line)) = answer {
                (counts[record], lines[record]) = (count, line);
            }
        }
        let gave_up = decided.iter().filter(|(_, answer)| answer.is_none());
        let mut gave_up = gave_up.map(|(record, _)| *record).peekable();
        let mut malformed = malformed.iter().peekable();
        statuses.clear();
        statuses.resize(cells.len(), Status::Unique);
        let mut tally = [0; Status::ALL.len()];
        for (record, &count) in counts.iter().enumerate() {
            let reason = match count {
                1 => continue,
                0 => match malformed.next_if(|entry| entry.0 == record) {
                    Some(&(_, error)) => Reason::Malformed(error),
                    None => match (gave_up.next_if_eq(&record), *max_guesses) {
                        (Some(_), Some(most)) => Reason::GaveUp(most),
                        _ => Reason::from_unsolvable(&batch.puzzle(record)),
                    },
                },
                _ => Reason::Multiple,
            };
            statuses[record] = reason.status();
            tally[reason.status() as usize] += 1;
            if (*question, reason) != (Question::Solution, Reason::Multiple) {
                rejects.push(Reject { record, reason });
            }
        }
        tally[Status::Unique as usize] = cells.len() as u64 - tally.iter().sum::<u64>();
        let counts = Counts::of_statuses(&tally, max_guesses.is_some());
        (
            Solved {
                statuses,
                rejects,
                counts,
            },
            solver,
        )
    }

    /// The records that the reference search decides, in order, with their counts and lines;
    /// those without are given up. If there are any, `self.cells` gets the cells of all
    /// records, with cells without a solution in place of those.
    fn decide(&mut self, batch: &Batch<'_>) -> Vec<Decided> {
        let Some(most) = self.max_guesses else {
            return Vec::new();
        };
        let smallest = self.question == Question::Solution;
        let cells = batch.cells;
        let mut malformed = batch.malformed.iter().peekable();
        let is_puzzle = |record: &usize| malformed.next_if(|entry| entry.0 == *record).is_none();
        let decide = |record| {
            let puzzle = batch.puzzle(record);
            (record, reference_answer((&puzzle).into(), smallest, most))
        };
        let decided: Vec<_> = (0..cells.len()).filter(is_puzzle).map(decide).collect();
        self.cells.clear();
        self.cells.extend_from_slice(cells);
        for &(record, _) in &decided {
            self.cells[record] = UNSOLVABLE;
        }
        decided
    }
}

/// The records of a batch.
#[derive(Clone, Copy, Default)]
struct Batch<'b> {
    cells: &'b [[u8; CELLS]],
    malformed: &'b [(usize, ParseError)],
    /// The records that are given by candidates, and these.
    with_candidates: &'b [usize],
    candidates: &'b [Candidates],
}

impl<'b> Batch<'b> {
    fn of(records: &'b Records) -> Self {
        let (cells, with_candidates, candidates) = records.by_kind();
        Self {
            cells,
            malformed: records.malformed(),
            with_candidates,
            candidates,
        }
    }

    /// The puzzle of a record that is not malformed.
    fn puzzle(&self, record: usize) -> AnyPuzzle {
        match self.with_candidates.binary_search(&record) {
            Ok(at) => self.candidates[at].into(),
            Err(_) => Puzzle::with_blanks_for_others(&self.cells[record]).into(),
        }
    }
}

/// The answers to records that are given by candidates, before they go to their places.
#[derive(Debug, Default)]
struct OfCandidates {
    lines: Vec<GridLine>,
    counts: Vec<u64>,
}

impl OfCandidates {
    /// Asks about all records, of either kind.
    fn solve_all(
        &mut self,
        solver: &mut Solver,
        question: Question,
        batch: &Batch<'_>,
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        // Where all records are given by candidates, there are no cells to solve.
        if batch.with_candidates.len() < batch.cells.len() {
            solver.solve_lines(question, batch.cells, lines, counts);
        }
        if !batch.with_candidates.is_empty() {
            self.solve(solver, question, batch, lines, counts);
        }
    }

    fn solve(
        &mut self,
        solver: &mut Solver,
        question: Question,
        batch: &Batch<'_>,
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        let candidates = batch.candidates;
        if candidates.len() == lines.len() {
            return solver.solve_candidate_lines(question, candidates, lines, counts);
        }
        self.lines.resize(candidates.len(), NO_SOLUTION);
        self.counts.resize(candidates.len(), 0);
        solver.solve_candidate_lines(question, candidates, &mut self.lines, &mut self.counts);
        for (&record, (line, count)) in batch
            .with_candidates
            .iter()
            .zip(self.lines.iter().zip(&self.counts))
        {
            (lines[record], counts[record]) = (*line, *count);
        }
    }
}

/// A record, and the answer of the reference search if it has one.
type Decided = (usize, Option<(u64, GridLine)>);

/// Asks which records have exactly one solution, and which solution. It keeps the lines.
/// [The module](super) has an example.
#[derive(Debug)]
pub struct Uniqueness {
    solve: Solve,
    lines: Vec<GridLine>,
}

impl Default for Uniqueness {
    fn default() -> Self {
        Self {
            solve: Solve::unique(Solver::new()),
            lines: Vec::new(),
        }
    }
}

/// The answer of [`Uniqueness`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OnlySolutions<'q> {
    /// The statuses, rejects and counts. All records that are not unique are rejects.
    pub solved: Solved<'q>,
    /// The only solution of each record as text, or 81 points.
    pub lines: &'q [GridLine],
}

impl Uniqueness {
    /// Solves records.
    pub fn ask(&mut self, records: &Records) -> OnlySolutions<'_> {
        self.ask_with_solver(records).0
    }

    /// Solves records. Gives the solver for further questions, too.
    pub(super) fn ask_with_solver(
        &mut self,
        records: &Records,
    ) -> (OnlySolutions<'_>, &mut Solver) {
        self.lines.resize(records.len(), NO_SOLUTION);
        let Self { solve, lines } = self;
        let (solved, solver) = solve.answer(Batch::of(records), lines);
        (OnlySolutions { solved, lines }, solver)
    }
}

impl OnlySolutions<'_> {
    /// The only solution of a record, if it has one.
    pub fn solution(&self, record: usize) -> Option<Grid> {
        Grid::from_ascii(self.lines[record].first_chunk().expect("81 of 82")).ok()
    }

    /// A record with one solution, and this solution.
    pub fn pair(&self, records: &Records, record: usize) -> Option<(AnyPuzzle, Grid)> {
        let solution = self.solution(record)?;
        Some((records.puzzle(record).ok()?, solution))
    }
}
