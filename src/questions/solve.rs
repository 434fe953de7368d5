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
    format::{ParseError, Records, UNSOLVABLE},
    grid::{AnyPuzzle, CELLS, Candidates, Grid, GridLine, Puzzle},
    order,
    simd::Level,
    solve::{Batch as OfKind, Engine, Goal, NO_SOLUTION, Solver, reference_answer},
};
use std::sync::{Arc, Mutex};

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
        let mut solve = self
            .solve
            .take()
            .unwrap_or_else(|| Solve::new(self.solver(), self.goal(), self.settings.max_guesses));
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
            solve.answer(Batch::of(batch.records), lines).0.counts
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
        order::sort_by_key(&mut engines, |engine| engine.name());
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

/// The memory of a thread that asks for solutions.
#[derive(Debug)]
struct Solve {
    solver: Solver,
    question: Goal,
    max_guesses: Option<u64>,
    /// The cells to solve, if the reference search decides some record.
    cells: Vec<[u8; CELLS]>,
    counts: Vec<u64>,
    statuses: Vec<Status>,
    rejects: Vec<Reject>,
}

/// The statuses and the solutions of records, which a [`Uniqueness`] keeps.
#[derive(Clone, Debug)]
pub(super) struct Solved<'q> {
    /// The status of each record. It is empty where nothing was solved.
    pub(super) statuses: &'q [Status],
    /// The records without a solution to give.
    pub(super) rejects: &'q [Reject],
    /// The number of records of each status.
    pub(super) counts: Counts,
    /// The solution of each record as text, or 81 dots. It is empty where nothing was solved.
    pub(super) lines: &'q [GridLine],
}

impl Solve {
    /// Asks for the only solution, or for the lexicographically smallest of several. Records with several solutions
    /// are rejects of [`Goal::Unique`] alone.
    fn new(solver: Solver, question: Goal, max_guesses: Option<u64>) -> Self {
        Self {
            solver,
            question,
            max_guesses,
            cells: Vec::new(),
            counts: Vec::new(),
            statuses: Vec::new(),
            rejects: Vec::new(),
        }
    }

    /// Gives the statuses and rejects of the last batch away.
    fn give(&mut self, answer: &mut Answer<'_>) {
        std::mem::swap(&mut self.statuses, &mut answer.statuses);
        std::mem::swap(&mut self.rejects, &mut answer.rejects);
    }

    /// The answer, and the solver for further questions. `lines[i]` gets the solution of record i and a line feed, and
    /// the line of a reject 81 dots.
    fn answer<'s>(
        &'s mut self,
        batch: Batch<'_>,
        lines: &'s mut [GridLine],
    ) -> (Solved<'s>, &'s mut Solver) {
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
                lines,
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

/// Asks a solver about records without malformed ones, for a benchmark: see
/// [`Solver::solve_lines`](crate::Solver::solve_lines).
pub fn solve_records(
    solver: &mut Solver,
    goal: Goal,
    records: &Records,
    lines: &mut [GridLine],
    counts: &mut [u64],
) {
    Batch::of(records).solve(solver, goal, lines, counts);
}

/// A record, and the answer of the reference search if it has one.
type Decided = (usize, Option<(u64, GridLine)>);

/// Asks which records have exactly one solution, and which solution. It keeps the lines.
#[derive(Debug)]
pub(super) struct Uniqueness {
    solve: Solve,
    lines: Vec<GridLine>,
}

impl Default for Uniqueness {
    fn default() -> Self {
        Self {
            solve: Solve::new(Solver::new(), Goal::Unique, None),
            lines: Vec::new(),
        }
    }
}

impl Uniqueness {
    /// Solves records. All that are not unique are rejects.
    pub(super) fn ask(&mut self, records: &Records) -> Solved<'_> {
        self.ask_with_solver(records).0
    }

    /// Gives the statuses and rejects of the last batch away.
    pub(super) fn give(&mut self, answer: &mut Answer<'_>) {
        self.solve.give(answer);
    }

    /// Solves records. Gives the solver for further questions, too.
    pub(super) fn ask_with_solver(&mut self, records: &Records) -> (Solved<'_>, &mut Solver) {
        self.lines.resize(records.len(), NO_SOLUTION);
        self.solve.answer(Batch::of(records), &mut self.lines)
    }
}

impl Solved<'_> {
    /// The only solution of a record, if it has one.
    pub(super) fn solution(&self, record: usize) -> Option<Grid> {
        Grid::from_ascii(self.lines[record].first_chunk().expect("81 of 82")).ok()
    }

    /// A record with one solution, and this solution.
    pub(super) fn pair(&self, records: &Records, record: usize) -> Option<(AnyPuzzle, Grid)> {
        let solution = self.solution(record)?;
        Some((records.puzzle(record).ok()?, solution))
    }
}

/// The records with one solution that 81 cells can say, by an answer of [`SOLVE`] with
/// [`unique`](SolveSettings::unique): their numbers, puzzles and solutions.
///
/// # Panics
///
/// It is an answer of another question.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Question, SolveSettings, solved}};
/// let text = b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8\n11";
/// let mut records = Records::default();
/// line::read(text, &mut records);
/// let mut question = Question::new(SolveSettings { unique: true, ..SolveSettings::default() })?;
/// let answer = question.ask(&records);
/// assert_eq!(solved(&records, &answer).map(|(record, ..)| record).collect::<Vec<_>>(), [0]);
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub fn solved<'a>(
    records: &'a Records,
    answer: &'a Answer<'_>,
) -> impl Iterator<Item = (usize, Puzzle, Grid)> + 'a {
    let lines = answer.column(SolveColumns::all().solution.into()).lines();
    let lines = lines.expect("the column has solutions");
    let unique = answer.statuses.iter().zip(lines).enumerate();
    let unique = unique.filter(|(_, (status, _))| **status == Status::Unique);
    unique.filter_map(|(record, (_, line))| {
        let puzzle = records.puzzle(record).ok()?.simplest();
        let solution = Grid::from_ascii(line.first_chunk().expect("81 of 82"));
        match puzzle {
            AnyPuzzle::Cells(puzzle) => Some((record, puzzle, solution.ok()?)),
            AnyPuzzle::Candidates(_) => None,
        }
    })
}
