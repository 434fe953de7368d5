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
    format::Records,
    grid::{AnyPuzzle, BLANK, CELLS, GridLine, Puzzle},
    solve::NO_SOLUTION,
};
use std::borrow::Cow;

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
/// use sudoku_batch::{format::{Records, line}, questions::AUGMENT};
/// let mut records = Records::default();
/// line::read(&[&[b'.'; 81], &b"\n11"[..]].concat(), &mut records);
/// let answer = AUGMENT.with([("copies", "10"), ("seed", "7")])?.ask(&records);
/// // The empty grid has no other copy than itself.
/// assert_eq!(answer.entries().map(|(record, _)| record).collect::<Vec<_>>(), [0]);
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
    /// The memory of the thread, once it has a batch.
    augment: Option<Augment>,
}

impl Asked for AugmentSettings {
    fn definition() -> &'static Definition {
        &AUGMENT
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Augmenting {
            settings: self,
            augment: None,
        })
    }
}

impl Responder for Augmenting {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self {
            settings: self.settings.clone(),
            augment: None,
        })
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let settings = &self.settings;
        let augment = self.augment.get_or_insert_with(|| Augment::new(settings));
        let records = batch.records;
        let solution = |record: usize, _: &AnyPuzzle| match batch.answers {
            Some(answers) => answers[record].solution(),
            None => Ok(None),
        };
        let columns = AugmentColumns::of(settings);
        let counts = augment.ask(records, solution, |record, images| {
            let images = match images {
                Ok(images) => images,
                Err(reason) => return answer.reject(record, reason),
            };
            let blank = records.blank(record);
            let mut row = |puzzle: &AnyPuzzle, solution: Option<&[u8; CELLS]>| {
                let row = AugmentRow {
                    puzzle: NewPuzzle::Of(puzzle, blank),
                    solution: columns.solution.map(|_| solution),
                };
                columns.push(answer, record, row);
            };
            if settings.keep {
                let puzzle = records.puzzle(record).expect("it has images");
                let of_record = solution(record, &puzzle).expect("it has images");
                row(&puzzle, of_record.as_ref().map(Puzzle::as_ascii));
            }
            for (at, image) in images.candidates().iter().enumerate() {
                let solution = images.solution(at);
                row(
                    &(*image).into(),
                    solution.as_ref().map(|solution| solution.as_ascii()),
                );
            }
            let puzzles = with_blank(images.puzzle_lines(), blank);
            let puzzle = (columns.puzzle.into(), &puzzles[..]);
            let Some(solution) = columns.solution.map(usize::from) else {
                return answer.images(record, &[puzzle]);
            };
            match images.solution_lines() {
                [] => {
                    let without = vec![NO_SOLUTION; puzzles.len()];
                    answer.images(record, &[puzzle, (solution, &without)]);
                }
                solutions => answer.images(record, &[puzzle, (solution, solutions)]),
            }
        });
        answer.counts += counts;
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

/// Puzzles with this character for a blank.
fn with_blank(puzzles: &[GridLine], blank: u8) -> Cow<'_, [GridLine]> {
    if blank == BLANK {
        return Cow::Borrowed(puzzles);
    }
    let mut lines = puzzles.to_vec();
    // Without a branch: no one can predict where blanks are.
    for cell in lines.iter_mut().flatten() {
        *cell = if *cell == BLANK { blank } else { *cell };
    }
    Cow::Owned(lines)
}

/// Makes images of each record, and of its solution by the same operations: see [`Augmenter`].
///
/// ```
/// use sudoku_batch::{
///     format::{Records, line},
///     questions::{Augment, AugmentSettings},
/// };
/// let mut records = Records::default();
/// line::read(&[&[b'.'; 81], &b"\n11"[..]].concat(), &mut records);
/// let mut question = Augment::new(&AugmentSettings { seed: 7, ..AugmentSettings::default() });
/// let mut made = Vec::new();
/// let counts = question.ask(&records, |_, _| Ok(None), |record, images| {
///     made.push((record, images.map(|images| images.puzzle_lines().len())));
/// });
/// // The empty grid has no other copy than itself.
/// assert_eq!(made[0], (0, Ok(1)));
/// assert_eq!(made[1].1.unwrap_err().name(), "malformed");
/// assert_eq!((counts.get("images"), counts.get("with-fewer-images")), (1, 1));
/// ```
#[derive(Debug)]
pub struct Augment {
    augmenter: Augmenter,
    copies: usize,
    keep: bool,
    expects_solutions: bool,
}

impl Augment {
    /// Makes different symmetric copies of each record with these settings. With `keep` the copies differ from the
    /// record, which the caller keeps.
    pub fn new(settings: &AugmentSettings) -> Self {
        Self {
            augmenter: Augmenter::new(settings.seed, &settings.include),
            copies: usize::try_from(settings.copies).unwrap_or(usize::MAX),
            keep: settings.keep,
            expects_solutions: false,
        }
    }

    /// Counts the records whose solution is missing.
    #[must_use]
    pub fn expects_solutions(mut self) -> Self {
        self.expects_solutions = true;
        self
    }

    /// Makes images of records. `solution` gives the solution of a record, from its number and its puzzle, or why
    /// its answer is none. Then `each` gets the images of the record, or why it has none: it is malformed, or the
    /// solution is not one of it ([`Reason::of_answer`]). Without a solution the images have none.
    ///
    /// Returns the numbers of `images`, of records that are `malformed`, of those with a
    /// `wrong-answer`, of records `with-fewer-images` than were asked for, and of records `without-solution` where one is
    /// expected.
    pub fn ask(
        &mut self,
        records: &Records,
        mut solution: impl FnMut(usize, &AnyPuzzle) -> Result<Option<Puzzle>, Reason>,
        mut each: impl FnMut(usize, Result<&Augmenter, Reason>),
    ) -> Counts {
        let (mut made, mut malformed, mut wrong, mut fewer, mut without) = (0, 0, 0, 0, 0);
        for record in 0..records.len() {
            let puzzle = match records.puzzle(record) {
                Ok(puzzle) => puzzle,
                Err(error) => {
                    malformed += 1;
                    each(record, Err(Reason::Malformed(error)));
                    continue;
                }
            };
            let (solution, reason) = match solution(record, &puzzle) {
                Ok(solution) => {
                    let reason =
                        solution.and_then(|solution| Reason::of_answer(&puzzle, &solution));
                    (solution, reason)
                }
                Err(reason) => (None, Some(reason)),
            };
            if let Some(reason) = reason {
                wrong += 1;
                each(record, Err(reason));
                continue;
            }
            without += u64::from(self.expects_solutions && solution.is_none());
            let (augmenter, solution) = (&mut self.augmenter, solution.as_ref());
            let images = if self.keep {
                augmenter.other_images(&puzzle, solution, self.copies)
            } else {
                augmenter.images(&puzzle, solution, self.copies)
            };
            made += images.len() as u64;
            fewer += u64::from(images.len() < self.copies);
            each(record, Ok(images));
        }
        let mut counts = Counts::default();
        counts.add("images", made);
        counts.add("malformed", malformed);
        counts.add("wrong-answer", wrong);
        counts.add("with-fewer-images", fewer);
        counts.add("without-solution", without);
        counts
    }
}
