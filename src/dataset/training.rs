//! A training set and a test set, chosen out of many puzzles.
//!
//! ```text
//!     puzzle with its solution -> canonical form -> part (Split): test, or training
//!                                                -> priority: a word of the seed and the canonical form
//! ```
//!
//! Each set has one puzzle of each canonical form: the first of the input. A subsample of k puzzles is the k
//! canonical forms of the training part with the lowest priorities, so it depends on no order. More than
//! about four times k candidates are never kept.

use super::{Augmenter, DatasetError, Equivalence, Operation, PuzzleHasher, Split};
use crate::{
    grid::{BLANK, CELLS, Grid, GridLine, Puzzle},
    random::Words,
};
use std::collections::HashSet;

/// Chooses a training set and a test set: nothing in one is an image of anything in the other, or of
/// another puzzle in the same set.
///
/// ```
/// use sudoku_batch::{Outcome, Puzzle, Solver, dataset::TrainingSets, symmetry::Transformation};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let mut sets = TrainingSets::new(7, 0.1, None).unwrap();
/// for number in 0..5 {
///     let image = Transformation::numbered(number * 1_000_003).puzzle(&puzzle);
///     let Outcome::Unique(solution) = Solver::new().solve(&image) else { panic!() };
///     sets.add([sets.candidate(number, &image, &solution)]);
/// }
/// let [train, test] = sets.chosen();
/// assert_eq!(train.len() + test.len(), 1);
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TrainingSets {
    hasher: PuzzleHasher,
    split: Split,
    seed: u64,
    subsample: usize,
    /// The candidates for the training set, and those for the test set.
    sets: [Vec<Chosen>; 2],
    /// The keys of the canonical forms of a test set that is given.
    given: Option<HashSet<u128>>,
    images_of_given: usize,
}

/// A puzzle of a set, with its solution.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chosen {
    /// Of the canonical form, which copies share.
    priority: (u64, u128),
    number: u64,
    is_test: bool,
    puzzle: Puzzle,
    solution: Grid,
}

impl Chosen {
    /// The puzzle.
    pub fn puzzle(&self) -> Puzzle {
        self.puzzle
    }

    /// Its solution.
    pub fn solution(&self) -> Grid {
        self.solution
    }
}

/// The number of candidates that are worth a selection, beyond the wanted ones.
const SPARE: usize = 4096;

impl TrainingSets {
    /// Chooses a share for the test set, and of the rest this number of puzzles, or all.
    ///
    /// # Errors
    ///
    /// The share is not a number from 0 to 1.
    pub fn new(seed: u64, test: f64, subsample: Option<usize>) -> Result<Self, DatasetError> {
        Ok(Self {
            hasher: PuzzleHasher::seeded(seed),
            split: Split::new(seed, &[1.0 - test, test])?,
            seed,
            subsample: subsample.unwrap_or(usize::MAX),
            sets: [Vec::new(), Vec::new()],
            given: None,
            images_of_given: 0,
        })
    }

    /// Takes a test set that is given, such as one that others are compared by. All its puzzles are in it, in the order
    /// of their numbers, images of each other too. The rest is for training, but for images of a puzzle of the test
    /// set.
    #[must_use]
    pub fn with_test_set(mut self, test: impl IntoIterator<Item = Chosen>) -> Self {
        self.sets[1] = test.into_iter().collect();
        self.given = Some(
            self.sets[1]
                .iter()
                .map(|chosen| chosen.priority.1)
                .collect(),
        );
        self
    }

    /// The number of candidates so far that are images of a puzzle of a given test set.
    pub fn images_of_test_set(&self) -> usize {
        self.images_of_given
    }

    /// A puzzle to choose from, by its number in the input. This is the slow part, which threads can
    /// share.
    ///
    /// # Panics
    ///
    /// The grid is not a solution of the puzzle.
    pub fn candidate(&self, number: u64, puzzle: &Puzzle, solution: &Grid) -> Chosen {
        /// Words apart from those of [`Split`].
        const STREAM: u32 = 0x7472;
        let form = Equivalence::Symmetry.form(puzzle, solution);
        let key = self.hasher.key(&form);
        let seed = self.seed ^ (key >> 64) as u64;
        let priority = Words::of_stream(seed, key as u64, STREAM).next();
        Chosen {
            priority: (priority, key),
            number,
            is_test: self.split.part(&form) == 1,
            puzzle: *puzzle,
            solution: *solution,
        }
    }

    /// Adds candidates, in any order.
    pub fn add(&mut self, candidates: impl IntoIterator<Item = Chosen>) {
        for candidate in candidates {
            match &self.given {
                Some(given) if given.contains(&candidate.priority.1) => self.images_of_given += 1,
                Some(_) => self.sets[0].push(candidate),
                None => self.sets[usize::from(candidate.is_test)].push(candidate),
            }
        }
        let train = &mut self.sets[0];
        if train.len() / 4 > self.subsample.saturating_add(SPARE) {
            select(train, self.subsample);
        }
    }

    /// The training set and the test set, in the order of the input.
    pub fn chosen(self) -> [Vec<Chosen>; 2] {
        let [mut train, mut test] = self.sets;
        select(&mut train, self.subsample);
        if self.given.is_none() {
            select(&mut test, usize::MAX);
        }
        for set in [&mut train, &mut test] {
            set.sort_unstable_by_key(|chosen| chosen.number);
        }
        [train, test]
    }
}

/// Keeps the first puzzle of each canonical form, and those with the lowest priorities.
fn select(set: &mut Vec<Chosen>, most: usize) {
    set.sort_unstable_by_key(|chosen| (chosen.priority, chosen.number));
    set.dedup_by_key(|chosen| chosen.priority);
    set.truncate(most);
}

/// Rows of a training set as the programs HRM and TRM read them: 81 bytes for a puzzle in `inputs`,
/// and 81 for its solution in `labels`.
#[derive(Clone, Debug, Default)]
pub struct TrainingSet {
    /// The puzzles: 1 for a blank, and a digit plus 1.
    pub inputs: Vec<u8>,
    /// The solutions.
    pub labels: Vec<u8>,
    /// For each puzzle, the number of its rows.
    pub rows: Vec<usize>,
}

impl TrainingSet {
    /// The rows of some puzzles: each puzzle, and behind it different images of it by these operations, so that it has this
    /// number of rows. It has fewer if it has fewer images.
    pub fn of(chosen: &[Chosen], copies: usize, seed: u64, operations: &[Operation]) -> Self {
        let mut augmenter = Augmenter::new(seed, operations);
        let mut set = Self::default();
        for chosen in chosen {
            set.push(chosen, copies, &mut augmenter);
        }
        set
    }

    fn push(&mut self, chosen: &Chosen, copies: usize, augmenter: &mut Augmenter) {
        let (puzzle, solution) = (chosen.puzzle, chosen.solution.into());
        self.inputs.extend(vocabulary(puzzle.as_ascii()));
        self.labels.extend(vocabulary(chosen.solution.as_ascii()));
        let mut rows = 1;
        if copies > 1 {
            let images = augmenter.other_images(&puzzle, Some(&solution), copies - 1);
            let append = |lines: &[GridLine], to: &mut Vec<u8>| {
                to.reserve(lines.len() * CELLS);
                let cells = lines
                    .iter()
                    .map(|line| line.first_chunk().expect("81 of 82"));
                cells.for_each(|cells| to.extend(vocabulary(cells)));
            };
            append(images.puzzle_lines(), &mut self.inputs);
            append(images.solution_lines(), &mut self.labels);
            rows += images.len();
        }
        self.rows.push(rows);
    }
}

/// Cells in the vocabulary of these programs: 0 pads, 1 is a blank, and a digit comes after.
#[inline]
pub fn vocabulary(cells: &[u8; CELLS]) -> [u8; CELLS] {
    cells.map(|cell| {
        // A branch would be a gamble.
        let digit = (cell.wrapping_sub(b'0')) * u8::from(cell != BLANK);
        digit + 1
    })
}
