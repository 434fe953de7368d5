//! The solution of each record.

use super::{
    Answer, Asked, Audience, Batch as BatchOfRecords, Column, Counts, Definition, Reason, Reject,
    Responder, RunOutcome, Status, SummaryField,
    columns::{Columns, columns, kind},
    made,
    settings::{Settings, settings},
    verification::Check,
};
use crate::{
    format::{Expected, ParseError, Records, UNSOLVABLE, unexpected},
    grid::{AnyPuzzle, CELLS, Candidates, Grid, GridLine, Puzzle, are_plain, is_plain},
    simd::Level,
    solve::{Batch as OfKind, Engine, Goal, NO_SOLUTION, Solver, reference_answer},
};
use std::{
    slice,
    sync::{Arc, Mutex},
};

settings! {
    /// The settings of [`SOLVE`].
    pub struct SolveSettings {
        /// Count a puzzle as solved only if it has exactly one solution.
        pub unique: bool,
        /// Give up on puzzles that need more guesses than N.
        ///
        /// The reference search (docs/internals/ladder.md) counts the guesses of every puzzle and answers it, so the
        /// same puzzles are given up at any level, with any engine and with any neighbours. Such a record has the
        /// reason gave-up. An ordinary puzzle needs no more than a few dozen guesses.
        pub max_guesses: Option<u64>,
        /// Solve with one engine.
        ///
        /// scalar solves one puzzle at a time. sliced solves hundreds at a time. auto uses sliced for all but the
        /// smallest inputs.
        #[setting(at(Audience::Command))]
        pub engine: Option<Engine> = "auto",
        /// Run the sliced engine with this instruction set.
        ///
        /// The default is the best one that the CPU has. One that the CPU lacks is an error.
        #[setting(named("simd"), alias("level"), at(Audience::Command))]
        pub level: Option<Level>,
    }
}

columns! {
    /// The columns of [`SOLVE`].
    struct SolveColumns, SolveRow for SolveSettings {
        /// the solution of each record
        #[column(renamed())]
        solution: kind::Cells,
        status = Column::STATUS,
    }
}

/// Solves puzzles.
pub static SOLVE: Definition = Definition {
    name: "solve",
    about: "Solve puzzles: lines, tables, JSON lines, blocks",
    details: "\
The command detects the format of the input, and the output has the same format. For a line it gives a line of \
81 digits, the solution, or 81 dots if there is none. A table keeps its columns and gets two more, solution \
and status. JSON lines get the same two as keys. Every record gets an answer, in the order of the input.

A cell is a digit for a clue, or any of . 0 * _ - ? x X for a blank. docs/using.md shows every format.",
    settings: SolveSettings::TABLE,
    columns: SolveColumns::TABLE,
    make: made::<SolveSettings>,
};

/// The question with its settings.
#[derive(Debug, Default)]
struct Solving {
    settings: SolveSettings,
    /// The engines that solved batches, of all threads.
    engines: Arc<Mutex<Vec<Engine>>>,
    /// The memory of the thread, once it has a batch.
    solve: Option<Solve>,
}

impl Solving {
    fn solver(&self) -> Solver {
        let solver = match self.settings.level {
            Some(level) => Solver::with_level(level).expect("the setting was checked"),
            None => Solver::new(),
        };
        match self.settings.engine {
            Some(engine) => solver.with_engine(engine),
            None => solver,
        }
    }

    /// Asks with the memory of the thread.
    fn solve(
        &mut self,
        answer: &mut Answer<'_>,
        ask: impl FnOnce(&mut Solve, &mut [GridLine]) -> Counts,
    ) {
        let mut solve = self.solve.take().unwrap_or_else(|| {
            let solve = match self.settings.unique {
                true => Solve::unique(self.solver()),
                false => Solve::new(self.solver()),
            };
            match self.settings.max_guesses {
                Some(most) => solve.with_max_guesses(most),
                None => solve,
            }
        });
        if answer.records() > 0 {
            let engine = solve.solver.engine_for(answer.records());
            let mut engines = self.engines.lock().expect("no thread panicked with it");
            if !engines.contains(&engine) {
                engines.push(engine);
            }
        }
        let counts = ask(&mut solve, answer.lines(SolveColumns::all().solution));
        answer.counts += counts;
        solve.give(answer);
        self.solve = Some(solve);
    }

    fn goal(&self) -> Goal {
        match self.settings.unique {
            true => Goal::Unique,
            false => Goal::Solution,
        }
    }
}

impl Asked for SolveSettings {
    fn definition() -> &'static Definition {
        &SOLVE
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Solving {
            settings: self,
            ..Solving::default()
        })
    }
}

impl Responder for Solving {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self {
            settings: self.settings.clone(),
            engines: Arc::clone(&self.engines),
            solve: None,
        })
    }

    fn fill(&mut self, batch: BatchOfRecords<'_>, answer: &mut Answer<'_>) {
        self.solve(answer, |solve, lines| {
            solve.ask(batch.records, lines).counts
        });
    }

    fn fill_plain(&mut self, cells: &[[u8; CELLS]], answer: &mut Answer<'_>) -> bool {
        self.solve(answer, |solve, lines| {
            solve.answer(Batch::of_cells(cells), lines).0.counts
        });
        true
    }

    fn check(&self) -> Option<Check> {
        Some(Check::Solutions {
            goal: self.goal(),
            level: self.settings.level.unwrap_or_else(Level::detect),
            engine: self.settings.engine,
            max_guesses: self.settings.max_guesses,
        })
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let multiple = match self.settings.unique {
            true => 0,
            false => counts.get("multiple"),
        };
        let failed = records.saturating_sub(counts.get("unique") + multiple);
        let mut engines = self.engines.lock().expect("no thread panicked with it");
        engines.sort_by_key(|engine| engine.name());
        let names: Vec<_> = engines.iter().map(|engine| engine.name()).collect();
        let words = |is_known: bool, words: String| match is_known {
            true => SummaryField::Words(words),
            false => SummaryField::Missing,
        };
        let level = self.settings.level.unwrap_or_else(Level::detect);
        // The scalar engine has no level.
        let has_level = engines.contains(&Engine::Sliced);
        RunOutcome {
            unit: "puzzles",
            facts: vec![
                ("engine", words(!names.is_empty(), names.join("+"))),
                ("level", words(has_level, level.name().into())),
            ],
            is_listed: true,
            ..RunOutcome::new(counts.clone(), failed, "not solved")
        }
    }
}

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
    question: Goal,
    max_guesses: Option<u64>,
    /// The cells to solve, if the reference search decides some record.
    cells: Vec<[u8; CELLS]>,
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
            question: Goal::Solution,
            max_guesses: None,
            cells: Vec::new(),
            counts: Vec::new(),
            statuses: Vec::new(),
            rejects: Vec::new(),
        }
    }

    /// Asks for the only solution. Records with several solutions are rejects.
    pub fn unique(solver: Solver) -> Self {
        Self {
            question: Goal::Unique,
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
    /// reject gets 81 dots.
    ///
    /// # Panics
    ///
    /// The number of `lines` is not the number of records.
    pub fn ask(&mut self, records: &Records, lines: &mut [GridLine]) -> Solved<'_> {
        self.answer(Batch::of(records), lines).0
    }

    /// Solves puzzles that are no [`Records`]: characters `1` to `9` for clues, and `.` or `0` for
    /// blanks. A puzzle with any other byte is malformed. It does the same as [`ask`](Self::ask) without a copy
    /// of the cells.
    ///
    /// ```
    /// use sudoku_batch::{Solver, questions::{Solve, Status}, solve::NO_SOLUTION};
    /// let mut question = Solve::unique(Solver::new());
    /// let mut lines = [NO_SOLUTION; 2];
    /// let answer = question.ask_cells(&[[b'0'; 81], [b'a'; 81]], &mut lines);
    /// assert_eq!(answer.statuses, [Status::Multiple, Status::Malformed]);
    /// assert_eq!(answer.rejects[1].reason.to_string(), "column 1: 'a' where a cell should be");
    /// ```
    ///
    /// # Panics
    ///
    /// The number of `lines` is not the number of puzzles.
    pub fn ask_cells(&mut self, cells: &[[u8; CELLS]], lines: &mut [GridLine]) -> Solved<'_> {
        if are_plain(cells.as_flattened()) {
            return self.answer(Batch::of_cells(cells), lines).0;
        }
        let mut checked = cells.to_vec();
        let malformed = checked
            .iter_mut()
            .enumerate()
            .filter_map(|(record, cells)| {
                let wrong = cells.iter().position(|c| !is_plain(slice::from_ref(c)))?;
                let error = unexpected(cells, wrong, Expected::Cell);
                *cells = UNSOLVABLE;
                Some((record, error))
            });
        let malformed = Vec::from_iter(malformed);
        let batch = Batch {
            malformed: &malformed,
            ..Batch::of_cells(&checked)
        };
        self.answer(batch, lines).0
    }

    /// Solves records as [`ask`](Self::ask) does, and counts their solutions as far as `question` asks,
    /// without statuses.
    #[doc(hidden)]
    pub fn count(
        &mut self,
        question: Goal,
        records: &Records,
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        let batch = Batch::of(records);
        batch.solve(&mut self.solver, question, lines, counts);
    }

    /// Gives the statuses and rejects of the last batch away.
    pub(super) fn give(&mut self, answer: &mut Answer<'_>) {
        std::mem::swap(&mut self.statuses, &mut answer.statuses);
        std::mem::swap(&mut self.rejects, &mut answer.rejects);
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
            counts,
            statuses,
            rejects,
        } = self;
        let to_solve = match decided.is_empty() {
            true => batch,
            false => Batch::of_cells(without_decided),
        };
        rejects.clear();
        counts.clear();
        counts.resize(cells.len(), 0);
        to_solve.solve(solver, *question, lines, counts);
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
            if (*question, reason) != (Goal::Solution, Reason::Multiple) {
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
        let smallest = self.question == Goal::Solution;
        let cells = batch.cells;
        let mut malformed = batch.malformed.iter().peekable();
        let is_puzzle = |record: &usize| malformed.next_if(|entry| entry.0 == *record).is_none();
        let decide = |record| {
            let puzzle = batch.puzzle(record);
            (record, reference_answer(&puzzle, smallest, most))
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
    fn of_cells(cells: &'b [[u8; CELLS]]) -> Self {
        Self {
            cells,
            ..Self::default()
        }
    }

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

    /// Asks about all records, of either kind.
    fn solve(
        &self,
        solver: &mut Solver,
        question: Goal,
        lines: &mut [GridLine],
        counts: &mut [u64],
    ) {
        let candidates = self.candidates;
        if candidates.len() == lines.len() {
            return solver.solve_lines(question, candidates, lines, counts);
        }
        solver.answer_lines(question, OfKind::Cells(self.cells), lines, counts);
        if candidates.is_empty() {
            return;
        }
        let mut own_lines = vec![NO_SOLUTION; candidates.len()];
        let mut own_counts = vec![0; candidates.len()];
        solver.solve_lines(question, candidates, &mut own_lines, &mut own_counts);
        let own = own_lines.into_iter().zip(own_counts);
        for (&record, (line, count)) in self.with_candidates.iter().zip(own) {
            (lines[record], counts[record]) = (line, count);
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
    /// The only solution of each record as text, or 81 dots.
    pub lines: &'q [GridLine],
}

impl Uniqueness {
    /// Solves records.
    pub fn ask(&mut self, records: &Records) -> OnlySolutions<'_> {
        self.ask_with_solver(records).0
    }

    /// Gives the statuses and rejects of the last batch away.
    pub(super) fn give(&mut self, answer: &mut Answer<'_>) {
        self.solve.give(answer);
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

    /// The records with one solution that 81 cells can say: their numbers, puzzles and solutions.
    pub fn of_cells(&self, records: &Records) -> impl Iterator<Item = (usize, Puzzle, Grid)> {
        (0..records.len()).filter_map(|record| {
            let (puzzle, solution) = self.pair(records, record)?;
            match puzzle.simplest() {
                AnyPuzzle::Cells(puzzle) => Some((record, puzzle, solution)),
                AnyPuzzle::Candidates(_) => None,
            }
        })
    }
}
