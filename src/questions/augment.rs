//! Symmetric copies of each record.

use super::{
    Answer, Asked, Audience, Batch, Column, Counts, Definition, Kind, Reason, Responder,
    RunOutcome,
    columns::{Columns, NewPuzzle, columns, kind},
    made,
    settings::{Settings, settings},
};
use crate::{
    dataset::{Augmenter, Operation},
    format::Values,
    grid::{AnyPuzzle, BLANK, GridLine, Puzzle},
};
use std::iter;

settings! {
    /// The settings of [`AUGMENT`].
    pub struct AugmentSettings {
        /// Symmetric copies of each record.
        #[setting(short('k'))]
        pub copies: u64 = "10",
        /// Seed of random choices.
        pub seed: u64 = "0",
        /// Operations that make the copies.
        ///
        /// relabelling, transposition, bands (the order of bands and of stacks) and lines (the order of rows in their
        /// bands and of columns in their stacks).
        pub include: Vec<Operation> = "relabelling,transposition,bands,lines",
        /// Keep each record before its copies.
        pub keep: bool,
        /// The solutions of the records.
        #[setting(kind(Kind::Answers), at(Audience::Bindings))]
        pub answers: bool,
    }
}

columns! {
    /// The columns of [`AUGMENT`].
    struct AugmentColumns, AugmentRow for AugmentSettings {
        record = Column::RECORD,
        /// a symmetric copy of the record
        puzzle: kind::Puzzles,
        /// the copy of its solution by the same operations
        solution if answers: Option<kind::Cells>,
    }
}

/// Makes symmetric copies of puzzles. The command has more options, and its rows take the places of the records.
///
/// ```
/// use sudoku_batch::questions::{AugmentSettings, Data, Question};
/// let mut question = Question::new(AugmentSettings { copies: 10, seed: 7, ..AugmentSettings::default() })?;
/// let puzzle = *b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
/// let answer = question.ask_cells(&[puzzle, [b'.'; 81]]);
/// let Data::Puzzles(copies) = answer.named("puzzle") else { unreachable!() };
/// let clues = |cells: &[u8]| cells.iter().filter(|cell| **cell != b'.').count();
/// assert_eq!(clues(&copies.lines(3..4)[0][..81]), clues(&puzzle));
/// // The empty grid has no other copy than itself.
/// let rows: Vec<_> = answer.entries().map(|(record, rows)| (record, rows.len())).collect();
/// assert_eq!(rows, [(0, 10), (1, 1)]);
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static AUGMENT: Definition = Definition {
    name: "augment",
    about: "Make symmetric copies of puzzles, for training sets",
    details: "\
Every record gives symmetric copies of it by renamed digits, transposition, and other orders of bands, stacks, rows and \
columns, each copy as likely as the others. The answer to a record, its solution, goes through the same \
operations.

The copies of a record depend on the seed and its cells alone. A larger number gives these copies and more. A \
record with fewer different copies than were asked for gives all it has. A malformed record, and one whose \
answer is not a solution of it, gives none.",
    settings: AugmentSettings::TABLE,
    columns: AugmentColumns::TABLE,
    make: made::<AugmentSettings>,
};

/// The question with its settings.
#[derive(Debug)]
struct Augmenting {
    settings: AugmentSettings,
    augmenter: Augmenter,
    /// Puzzles whose blanks are not those of the augmenter.
    lines: Vec<GridLine>,
}

impl Asked for AugmentSettings {
    fn definition() -> &'static Definition {
        &AUGMENT
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Augmenting {
            augmenter: Augmenter::new(self.seed, &self.include),
            settings: self,
            lines: Vec::new(),
        })
    }
}

impl Responder for Augmenting {
    fn fork(&self) -> Box<dyn Responder> {
        self.settings.clone().responder()
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let [mut made, mut malformed, mut wrong, mut fewer, mut without] = [0; 5];
        // The rows of the command have no number of the record, because they take its place.
        let takes_place = !answer.kinds().contains(&Values::Record);
        for record in 0..batch.records.len() {
            let (puzzle, solution) = match puzzle_and_solution(&batch, record) {
                Ok(pair) => pair,
                Err(reason) => {
                    answer.reject(record, reason);
                    let is_malformed = matches!(reason, Reason::Malformed(_));
                    malformed += u64::from(is_malformed);
                    wrong += u64::from(!is_malformed);
                    // A wrong answer must not get into a training set.
                    if is_malformed && takes_place {
                        answer.unchanged(record);
                    }
                    continue;
                }
            };
            let (settings, solution) = (&self.settings, solution.as_ref());
            without += u64::from(settings.answers && solution.is_none());
            let copies = usize::try_from(settings.copies).unwrap_or(usize::MAX);
            let images = match settings.keep {
                true => self.augmenter.other_images(&puzzle, solution, copies),
                false => self.augmenter.images(&puzzle, solution, copies),
            };
            made += images.len() as u64;
            fewer += u64::from(images.len() < copies);
            let blank = batch.records.blank(record);
            if settings.keep && takes_place {
                answer.unchanged(record);
            } else if settings.keep {
                push(answer, record, NewPuzzle::Of(&puzzle, blank), solution);
            }
            push_images(answer, record, images, blank, &mut self.lines);
        }
        answer.counts.add("images", made);
        answer.counts.add("malformed", malformed);
        answer.counts.add("wrong-answer", wrong);
        answer.counts.add("with-fewer-images", fewer);
        answer.counts.add("without-solution", without);
    }

    fn batch(&self) -> usize {
        (10_240 / self.settings.copies.max(1)).clamp(1, 10_240) as usize
    }

    fn outcome(&self, counts: &Counts, _: u64) -> RunOutcome {
        let (malformed, wrong) = (counts.get("malformed"), counts.get("wrong-answer"));
        let what = match wrong {
            0 => "malformed",
            _ => "malformed or with a wrong answer",
        };
        RunOutcome::new(counts.clone(), malformed + wrong, what)
    }
}

/// The puzzle of a record, and the solution that comes with it.
///
/// # Errors
///
/// The record is malformed, its answer is refused, or is not one of it ([`Reason::of_answer`]).
fn puzzle_and_solution(
    batch: &Batch<'_>,
    record: usize,
) -> Result<(AnyPuzzle, Option<Puzzle>), Reason> {
    let puzzle = batch.records.puzzle(record).map_err(Reason::Malformed)?;
    let solution = match batch.answers {
        Some(answers) => answers[record].solution()?,
        None => None,
    };
    match solution.and_then(|solution| Reason::of_answer(&puzzle, &solution)) {
        Some(reason) => Err(reason),
        None => Ok((puzzle, solution)),
    }
}

/// Adds a row: the puzzle to the first column, and its solution to all others. The command has as many columns of
/// solutions as its input.
fn push(answer: &mut Answer<'_>, record: usize, puzzle: NewPuzzle<'_>, solution: Option<&Puzzle>) {
    let solutions = columns_of_cells(answer).count() - 1;
    let mut row = answer.row(record).new_puzzle(puzzle);
    for _ in 0..solutions {
        row = row.cells(solution.map(Puzzle::as_ascii));
    }
}

/// Adds the rows of the images of a record.
fn push_images(
    answer: &mut Answer<'_>,
    record: usize,
    images: &Augmenter,
    blank: u8,
    lines: &mut Vec<GridLine>,
) {
    for (at, image) in images.candidates().iter().enumerate() {
        let puzzle = (*image).into();
        let solution = images.solution(at);
        push(
            answer,
            record,
            NewPuzzle::Of(&puzzle, blank),
            solution.as_ref(),
        );
    }
    let mut puzzles = images.puzzle_lines();
    if blank != BLANK {
        lines.clear();
        lines.extend_from_slice(puzzles);
        // Without a branch: no one can predict where blanks are.
        for cell in lines.iter_mut().flatten() {
            *cell = if *cell == BLANK { blank } else { *cell };
        }
        puzzles = lines;
    }
    let solutions = images.solution_lines();
    let columns = Vec::from_iter(columns_of_cells(answer));
    if columns.len() > 1 && solutions.is_empty() {
        for line in puzzles {
            let cells = line.first_chunk().expect("81 of 82");
            push(answer, record, NewPuzzle::Cells(cells), None);
        }
        return;
    }
    let lines = [puzzles].into_iter().chain(iter::repeat(solutions));
    answer.images(record, &Vec::from_iter(columns.into_iter().zip(lines)));
}

/// The columns that take puzzles or solutions.
fn columns_of_cells(answer: &Answer<'_>) -> impl Iterator<Item = usize> {
    let kinds = answer.kinds().iter().enumerate();
    kinds
        .filter(|(_, kind)| **kind != Values::Record)
        .map(|(column, _)| column)
}
