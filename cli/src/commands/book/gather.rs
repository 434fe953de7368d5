//! The puzzles of a book: read from files, or made.

use super::{labels::names_in, options::Book};
use crate::{
    driver::{
        job::{Job, SHOWN},
        options::FormOptions,
        reader::{ReadBatch, RecordReader},
        report::say,
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
    Grid, Outcome, Puzzle, Reason, Solver,
    dataset::{Equivalence, PuzzleHasher},
    format::{ChoiceError, ColumnReader, Records},
    puzzle::{Made, Maker, Symmetry, Wanted},
    technique::Difficulty,
};

/// A puzzle that is to be printed.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) puzzle: Puzzle,
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
    fn note_made(&mut self, made: &Made, file: usize) -> bool {
        let key = |by| self.key(by, made.puzzle, Some(&made.solution));
        let [solution, puzzle] = [Equivalence::Solution, Equivalence::Symmetry].map(key);
        let is_new = self.solutions.insert(solution);
        is_new && self.puzzles.insert(puzzle, (file, 0)).is_none()
    }
}

/// The puzzles that are left out.
pub(super) struct LeftOut {
    pub(super) count: u64,
    is_quiet: bool,
}

impl LeftOut {
    pub(super) fn new(is_quiet: bool) -> Self {
        Self { count: 0, is_quiet }
    }

    fn tell(&mut self, place: &str, reason: &str, detail: &str) {
        self.count += 1;
        if self.count <= SHOWN as u64 && !self.is_quiet {
            let colon = if detail.is_empty() { "" } else { ": " };
            say(format_args!("{place}: {reason}{colon}{detail}"));
        }
    }
}

/// The solutions of a puzzle, and why it is not printed, if it is not.
fn solved(records: &Records, record: usize) -> (Option<(Puzzle, Outcome)>, Option<Reason>) {
    let puzzle = match records.puzzle_of_cells(record) {
        Ok(puzzle) => puzzle,
        Err(error) => return (None, Some(Reason::Malformed(error))),
    };
    if let Some(conflict) = puzzle.conflict() {
        let found = (puzzle, Outcome::NoSolution);
        return (Some(found), Some(Reason::Duplicate(conflict)));
    }
    let outcome = Solver::new().solve(&puzzle);
    let reason = match outcome {
        Outcome::Unique(_) => None,
        Outcome::Multiple(_) => Some(Reason::Multiple),
        Outcome::NoSolution => Some(Reason::NoSolution),
    };
    (Some((puzzle, outcome)), reason)
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
    known: &mut Known,
    left_out: &mut LeftOut,
) -> anyhow::Result<()> {
    for path in &options.against {
        let name = path.display().to_string();
        let file = known.file(&name);
        let reader = RecordReader::open(path, &FormOptions::AUTO)?;
        read(reader, |records, record, line| {
            let (found, reason) = solved(records, record);
            if let Some(reason) = reason {
                left_out.tell(
                    &format!("{name}:{line}"),
                    reason.name(),
                    &reason.to_string(),
                );
            }
            if let Some((puzzle, outcome)) = found {
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
    known: &mut Known,
    left_out: &mut LeftOut,
) -> anyhow::Result<Vec<Item>> {
    let reader = RecordReader::open(path, &options.form)?;
    let columns = columns(&reader, &options.label)?;
    let name = reader.name().to_owned();
    let file = known.file(&name);
    let mut items = Vec::new();
    read(reader, |records, record, line| {
        let place = || format!("{name}:{line}");
        let (found, reason) = solved(records, record);
        if let Some(reason) = reason.filter(|_| found.is_none() || !options.not_unique) {
            left_out.tell(&place(), reason.name(), &reason.to_string());
            return;
        }
        let Some((puzzle, answer)) = found else {
            return;
        };
        let first = known.note(&puzzle, &answer, (file, line));
        if let Some(first) = first.filter(|_| !options.repeats) {
            left_out.tell(&place(), "repeat", &format!("a symmetric copy of {first}"));
            return;
        }
        items.push(Item {
            puzzle,
            answer,
            values: record_values(&columns, records, record),
        });
    })?;
    Ok(items)
}

/// The columns of an input that a label shows: one for each name in braces, or nothing where the program has the value.
fn columns(reader: &RecordReader, label: &str) -> anyhow::Result<Vec<Option<ColumnReader>>> {
    let column = |wanted: String| {
        // The running number of the book, whatever the records have.
        if wanted == "number" {
            return Ok(None);
        }
        match ColumnReader::find(reader.layout(), &wanted) {
            Ok(column) => Ok(Some(column)),
            Err(ChoiceError::Unknown { known, .. }) => {
                let is_known = OF_PROGRAM.contains(&&wanted[..]);
                // Text in braces is no placeholder, and stays.
                if is_known || !is_name(&wanted) {
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
    names_in(label).into_iter().map(column).collect()
}

/// Returns true if a text in braces can be the name of a placeholder.
fn is_name(text: &str) -> bool {
    text.chars()
        .all(|c| c.is_alphanumeric() || "_-.".contains(c))
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

/// What puzzles are made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Making {
    pub(super) difficulty: Difficulty,
    pub(super) symmetry: Option<Symmetry>,
    pub(super) seed: u64,
}

/// Makes this number of puzzles, from this number of a seed on. A puzzle that cannot be made, or has the solution of
/// another one, gives way to the next number.
pub(super) fn make(
    job: &mut Job<'_>,
    making: Making,
    (first, count): (u64, u64),
    known: &mut Known,
) -> anyhow::Result<Vec<Item>> {
    let wanted = Wanted {
        difficulty: Some(making.difficulty),
        symmetry: making.symmetry.unwrap_or_default(),
        ..Wanted::default()
    };
    let recipe = wanted.recipe()?;
    let file = known.file(MADE);
    let mut items = Vec::new();
    // A rating that is out of reach ends, after ten tries for each puzzle.
    let end = first.saturating_add(count.saturating_mul(10).saturating_add(100));
    let mut next = first;
    while (items.len() as u64) < count && next < end {
        let missing = count - items.len() as u64;
        let numbers = next..end.min(next.saturating_add(missing));
        next = numbers.end;
        let at_once = missing.div_ceil(4).clamp(32, 8192);
        let starts = numbers.clone().step_by(at_once as usize);
        let pieces = starts.map(|start| Ok(Some(start..numbers.end.min(start + at_once))));
        let maker = || Maker::seeded(making.seed, recipe.clone()).expect("uniform grids");
        let work = |maker: &mut Maker, piece: Range<u64>, _: Out<'_>| {
            let mut made = vec![None; (piece.end - piece.start) as usize];
            maker.make_batch(piece.start, &mut made);
            made
        };
        job.run_in_order(
            pieces,
            None,
            maker,
            whole(work),
            false,
            |report, made, _| {
                report.advance(made.len() as u64, made.len() as u64);
                for made in made.into_iter().flatten() {
                    let answer = Outcome::Unique(made.solution);
                    // No answer is printed that the solver does not give.
                    if Solver::new().solve(&made.puzzle) != answer {
                        bail!(
                            "the solver has another answer for {}: please report this",
                            made.puzzle
                        );
                    }
                    if known.note_made(&made, file) {
                        items.push(Item {
                            puzzle: made.puzzle,
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
        bail!("{made} of {count} puzzles could be made for {difficulty}: other wishes give more");
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
