//! The puzzles of a book: read from files, or made.

use super::options::Book;
use crate::{
    driver::{
        job::Job,
        options::FormOptions,
        reader::{ReadBatch, RecordReader},
    },
    pipeline::{Out, whole},
};
use anyhow::bail;
use std::{
    collections::{HashMap, HashSet},
    ops::Range,
    path::Path,
};
use sudoku_batch::{
    Candidates, Grid, Outcome, Puzzle, Reason, Solver,
    dataset::{Equivalence, PuzzleHasher},
    format::{ChoiceError, ColumnReader, Records, template::Template},
    grid::CELLS,
    puzzle::Symmetry,
    questions::{PuzzleSet, PuzzlesSettings},
    technique::Difficulty,
};

/// A puzzle that is to be printed.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) puzzle: Puzzle,
    /// The candidates of a position, which are fewer than those that its clues leave.
    pub(super) marks: Option<Candidates>,
    pub(super) answer: Outcome,
    /// The values of the user's columns, for each placeholder of the label.
    pub(super) values: Vec<Option<String>>,
}

/// The place of a record: the number of its file, and its line.
type Place = (usize, u64);

/// Which puzzles there are already.
pub(super) struct Known {
    hasher: PuzzleHasher,
    files: Vec<String>,
    /// By the keys of their canonical forms.
    puzzles: HashMap<u128, Place>,
    solutions: HashSet<u128>,
    /// The keys of the solutions and the puzzles that are made.
    made: Vec<[u128; 2]>,
}

/// The file of puzzles that are made.
const MADE: &str = "a puzzle of --difficulty";

impl Known {
    pub(super) fn new() -> Self {
        Self {
            hasher: PuzzleHasher::random(),
            files: Vec::new(),
            puzzles: HashMap::new(),
            solutions: HashSet::new(),
            made: Vec::new(),
        }
    }

    /// The key of what counts as the same puzzle.
    fn key(&self, by: Equivalence, puzzle: Puzzle, solution: Option<&Grid>) -> u128 {
        self.hasher.key(&by.form(puzzle, solution))
    }

    /// Adds a file, and returns its number.
    fn file(&mut self, name: &str) -> usize {
        self.files.push(name.to_owned());
        self.files.len() - 1
    }

    /// Notes a puzzle. Returns the place of the first symmetric copy of it, if there is one.
    fn note(&mut self, puzzle: &Puzzle, outcome: &Outcome, place: Place) -> Option<String> {
        let (by, solution) = match outcome {
            Outcome::Unique(grid) => (Equivalence::Symmetry, Some(grid)),
            // A puzzle with several solutions or none has no canonical form by its solution.
            _ => (Equivalence::Minlex, None),
        };
        let key = self.key(by, *puzzle, solution);
        if let Some((file, line)) = self.puzzles.get(&key) {
            let name = &self.files[*file];
            return Some(match line {
                0 => name.clone(),
                _ => format!("{name}:{line}"),
            });
        }
        self.puzzles.insert(key, place);
        if let Some(grid) = solution {
            let key = self.key(Equivalence::Solution, *puzzle, Some(grid));
            self.solutions.insert(key);
        }
        None
    }

    /// Notes a puzzle that is made, unless its solution is a symmetric copy of that of another.
    fn note_made(&mut self, puzzle: &Puzzle, solution: &Grid, file: usize) -> bool {
        let key = |by| self.key(by, *puzzle, Some(solution));
        let [solution, puzzle] = [Equivalence::Solution, Equivalence::Symmetry].map(key);
        let is_new = self.solutions.insert(solution);
        if is_new {
            self.puzzles.insert(puzzle, (file, 0));
            self.made.push([solution, puzzle]);
        }
        is_new
    }

    /// Forgets the puzzles that are made: those of one student decide about no other's.
    pub(super) fn forget_made(&mut self) {
        for [solution, puzzle] in self.made.drain(..) {
            self.solutions.remove(&solution);
            self.puzzles.remove(&puzzle);
        }
    }
}

/// The records that are not printed, and those of other files that have no key.
#[derive(Default)]
pub(super) struct LeftOut {
    pub(super) count: u64,
    pub(super) others: u64,
}

/// A puzzle, its own candidates if it is a position, and its solutions.
type Found = (Puzzle, Option<Candidates>, Outcome);

/// A puzzle with its solutions, and why it is not printed, if it is not.
fn solved(
    solver: &mut Solver,
    records: &Records,
    record: usize,
) -> (Option<Found>, Option<Reason>) {
    let (puzzle, marks) = match (records.puzzle_of_cells(record), records.candidates(record)) {
        (Ok(puzzle), _) => (puzzle, None),
        (Err(_), Some(candidates)) => (candidates.clues(), Some(*candidates)),
        (Err(error), None) => return (None, Some(Reason::Malformed(error))),
    };
    if let Some(conflict) = puzzle.conflict() {
        let found = (puzzle, marks, Outcome::NoSolution);
        return (Some(found), Some(Reason::Duplicate(conflict)));
    }
    let outcome = match &marks {
        Some(candidates) => solver.solve(candidates),
        None => solver.solve(&puzzle),
    };
    let reason = match outcome {
        Outcome::Unique(_) => None,
        Outcome::Multiple(_) => Some(Reason::Multiple),
        Outcome::NoSolution => Some(Reason::NoSolution),
    };
    (Some((puzzle, marks, outcome)), reason)
}

/// Calls `each` for all records of an input, with the line of each.
fn read(
    mut reader: RecordReader,
    mut each: impl FnMut(&Records, usize, u64),
) -> anyhow::Result<()> {
    let mut batch = ReadBatch::default();
    while reader.next_batch(&mut batch)? {
        for record in 0..batch.records.len() {
            each(&batch.records, record, batch.line(record));
        }
    }
    reader.check_unchanged()
}

/// Notes the puzzles of the files of `--against`.
pub(super) fn note_others(
    options: &Book,
    job: &mut Job<'_>,
    known: &mut Known,
    left_out: &mut LeftOut,
) -> anyhow::Result<()> {
    let mut solver = Solver::new();
    for path in &options.against {
        let reader = RecordReader::open(path, &FormOptions::AUTO)?;
        let name = reader.name().to_owned();
        let file = known.file(&name);
        read(reader, |records, record, line| {
            let (found, reason) = solved(&mut solver, records, record);
            if let Some(reason) = reason {
                left_out.others += 1;
                job.warn_at(
                    &format!("{name}:{line}"),
                    reason.name(),
                    &reason.to_string(),
                );
            }
            if let Some((puzzle, None, outcome)) = found {
                known.note(&puzzle, &outcome, (file, line));
            }
        })?;
    }
    Ok(())
}

/// The placeholders of labels that the program itself gives a value.
pub(super) const OF_PROGRAM: [&str; 5] = ["number", "section", "clues", "er", "difficulty"];

/// Reads the puzzles of a file.
pub(super) fn read_puzzles(
    options: &Book,
    path: &Path,
    job: &mut Job<'_>,
    (known, left_out): (&mut Known, &mut LeftOut),
) -> anyhow::Result<Vec<Item>> {
    let mut solver = Solver::new();
    let reader = RecordReader::open(path, &options.form)?;
    let columns = columns(&reader, &options.label)?;
    let name = reader.name().to_owned();
    let file = known.file(&name);
    let mut items = Vec::new();
    read(reader, |records, record, line| {
        let mut leave_out = |reason: &str, detail: &str| {
            left_out.count += 1;
            job.warn_at(&format!("{name}:{line}"), reason, detail);
        };
        let (found, reason) = solved(&mut solver, records, record);
        if let Some(reason) = reason.filter(|_| found.is_none() || !options.not_unique) {
            return leave_out(reason.name(), &reason.to_string());
        }
        let Some((puzzle, marks, answer)) = found else {
            return;
        };
        if puzzle.clue_count() == CELLS {
            return leave_out("solved", "it has no blanks");
        }
        // Positions of one puzzle may differ in their candidates alone.
        let first = match marks {
            Some(_) => None,
            None => known.note(&puzzle, &answer, (file, line)),
        };
        if let Some(first) = first.filter(|_| !options.repeats) {
            return leave_out("repeat", &format!("a symmetric copy of {first}"));
        }
        items.push(Item {
            puzzle,
            marks,
            answer,
            values: record_values(&columns, records, record),
        });
    })?;
    Ok(items)
}

/// The columns of an input that a label shows: one for each name in braces, or nothing where the program has the value.
fn columns(reader: &RecordReader, label: &str) -> anyhow::Result<Vec<Option<ColumnReader>>> {
    let column = |wanted: &str| {
        // The running number of the book, whatever the records have.
        if wanted == "number" {
            return Ok(None);
        }
        match ColumnReader::find(reader.layout(), wanted) {
            Ok(column) => Ok(Some(column)),
            Err(ChoiceError::Unknown { known, .. }) => {
                let is_known = OF_PROGRAM.contains(&wanted);
                // Words in braces that are no column are text.
                if is_known || wanted.contains(char::is_whitespace) {
                    return Ok(None);
                }
                bail!(
                    "--label: {} has no column {wanted}; there is: {}, {}",
                    reader.name(),
                    OF_PROGRAM.join(", "),
                    known.join(", ")
                )
            }
            Err(error) => bail!("--label: {}: {error}", reader.name()),
        }
    };
    Template::names(label).into_iter().map(column).collect()
}

fn record_values(
    columns: &[Option<ColumnReader>],
    records: &Records,
    record: usize,
) -> Vec<Option<String>> {
    let value = |column: &Option<ColumnReader>| {
        let value = column.as_ref()?.value(records, record)?;
        Some(String::from_utf8_lossy(&value).trim().to_owned())
    };
    columns.iter().map(value).collect()
}

/// The wishes for puzzles that are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Making {
    pub(super) difficulty: Difficulty,
    pub(super) symmetry: Option<Symmetry>,
    pub(super) seed: u64,
}

/// Makes this number of puzzles, from this number of a seed on. A puzzle that cannot be made, or whose solution is a
/// symmetric copy of that of another one, gives way to the next number.
pub(super) fn make(
    job: &mut Job<'_>,
    making: Making,
    (first, count): (u64, u64),
    known: &mut Known,
) -> anyhow::Result<Vec<Item>> {
    let settings = PuzzlesSettings {
        difficulty: Some(making.difficulty),
        symmetry: making.symmetry.unwrap_or_default(),
        seed: making.seed,
        ..PuzzlesSettings::default()
    };
    let set = settings.set()?;
    let file = known.file(MADE);
    let mut items = Vec::new();
    let mut next = first;
    // A wish that is out of reach ends, after ten tries for each puzzle that no grid leads to.
    let (mut failed, most) = (0, count.saturating_mul(10).saturating_add(100));
    while (items.len() as u64) < count && failed < most {
        let missing = count - items.len() as u64;
        let numbers = next..next + missing;
        next = numbers.end;
        let at_once = missing.div_ceil(4).clamp(32, 8192);
        let starts = numbers.clone().step_by(at_once as usize);
        let pieces = starts.map(|start| Ok(Some(start..numbers.end.min(start + at_once))));
        let work = |set: &mut &PuzzleSet, piece: Range<u64>, _: Out<'_>| -> Vec<_> {
            set.iter(piece).collect()
        };
        job.run_in_order(
            pieces,
            None,
            || &set,
            whole(work),
            false,
            |report, made, _| {
                report.advance(made.len() as u64, made.len() as u64);
                failed += made.iter().filter(|made| made.is_none()).count() as u64;
                for (puzzle, solution) in made.into_iter().flatten() {
                    let answer = Outcome::Unique(solution);
                    // No answer is printed that the solver does not give.
                    if Solver::new().solve(&puzzle) != answer {
                        bail!("the solver has another answer for {puzzle}: please report this");
                    }
                    if known.note_made(&puzzle, &solution, file) {
                        items.push(Item {
                            puzzle,
                            marks: None,
                            answer,
                            values: Vec::new(),
                        });
                    }
                }
                Ok(0..0)
            },
        )?;
    }
    if (items.len() as u64) < count {
        let (difficulty, made) = (making.difficulty, items.len());
        bail!(
            "{made} of {count} puzzles could be made for {difficulty}: {failed} numbers of the seed lead to none"
        );
    }
    Ok(items)
}

/// The only solution of a puzzle, if it has one.
pub(super) fn solution(answer: &Outcome) -> Option<&Grid> {
    match answer {
        Outcome::Unique(grid) => Some(grid),
        _ => None,
    }
}
