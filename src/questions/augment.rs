//! Symmetric images of each record.

use super::{Counts, Reason};
use crate::{
    dataset::{Augmenter, Images, Operation},
    format::Records,
    grid::Puzzle,
};

/// Names that data sets give to the column of solutions, the usual one first.
pub const SOLUTION_NAMES: [&str; 4] = ["solution", "solutions", "answer", "answers"];

/// Makes images of each record, and of its solution by the same operations: see [`Augmenter`].
///
/// ```
/// use sudoku_batch::{
///     dataset::Operation,
///     format::{Records, line},
///     questions::Augment,
/// };
/// let mut records = Records::default();
/// line::read(&[&[b'.'; 81], &b"\n11"[..]].concat(), &mut records);
/// let mut question = Augment::new(7, Operation::ALL, 10);
/// let mut made = Vec::new();
/// let counts = question.ask(&records, |_| None, |record, images| {
///     made.push((record, images.map(|images| images.puzzle_lines().len())));
/// });
/// // The empty grid has no other images than itself.
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
    /// Makes this number of different images of each record by these operations, in the order that
    /// the seed picks.
    pub fn new(seed: u64, operations: &[Operation], copies: usize) -> Self {
        Self {
            augmenter: Augmenter::new(seed, operations),
            copies,
            keep: false,
            expects_solutions: false,
        }
    }

    /// Makes images that differ from the record: the caller keeps the record beside them.
    #[must_use]
    pub fn keep(mut self) -> Self {
        self.keep = true;
        self
    }

    /// Counts the records whose solution is missing or is not 81 cells.
    #[must_use]
    pub fn expects_solutions(mut self) -> Self {
        self.expects_solutions = true;
        self
    }

    /// Makes images of records. `solution` gives the solution of a record. Then `each` gets the images of
    /// the record, or why it has none: it is malformed, or the solution is not one of it
    /// ([`Reason::of_answer`]). Without a solution, or with one of blanks alone, the images have none.
    ///
    /// Returns the numbers of `images`, of records that are `malformed`, of those with a
    /// `wrong-answer`, of records `with-fewer-images` than were asked for, and of records `without-solution` where one is
    /// expected.
    pub fn ask(
        &mut self,
        records: &Records,
        mut solution: impl FnMut(usize) -> Option<Puzzle>,
        mut each: impl FnMut(usize, Result<Images<'_>, Reason>),
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
            let solution = solution(record).filter(|solution| *solution != Puzzle::EMPTY);
            let reason = solution.and_then(|solution| Reason::of_answer(&puzzle, &solution));
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
