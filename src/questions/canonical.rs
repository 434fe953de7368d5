//! The canonical form of each record.

use super::{Solved, Uniqueness};
use crate::{format::Records, symmetry::CanonicalPuzzle};

/// Asks for the canonical form of each record with one solution.
///
/// ```
/// use sudoku_batch::{
///     Puzzle,
///     format::{Records, line},
///     questions::Canonicalize,
///     symmetry::Transformation,
/// };
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let image = Transformation::numbered(123_456_789_012).puzzle(&puzzle);
/// let mut records = Records::default();
/// line::read(format!("{puzzle}\n{image}").as_bytes(), &mut records);
/// let mut question = Canonicalize::default();
/// let forms = question.ask(&records).forms;
/// let forms = [0, 1].map(|record| forms[record].as_ref().unwrap());
/// assert_eq!(forms[0].puzzle(), forms[1].puzzle());
/// assert_eq!(forms[0].automorphisms(), 1);
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Debug, Default)]
pub struct Canonicalize {
    uniqueness: Uniqueness,
    forms: Vec<Option<CanonicalPuzzle>>,
}

/// The answer of [`Canonicalize`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Canonicalized<'q> {
    /// The form of each record with one solution, with the transformation that leads to it and the
    /// number of automorphisms.
    pub forms: &'q [Option<CanonicalPuzzle>],
    /// The statuses, rejects and counts.
    pub solved: Solved<'q>,
}

impl Canonicalize {
    /// The forms of records.
    pub fn ask(&mut self, records: &Records) -> Canonicalized<'_> {
        let solutions = self.uniqueness.ask(records);
        let form = |record| {
            let (puzzle, solution) = solutions.pair(records, record)?;
            Some(CanonicalPuzzle::new(&puzzle, &solution))
        };
        self.forms.clear();
        self.forms.extend((0..records.len()).map(form));
        Canonicalized {
            forms: &self.forms,
            solved: solutions.solved,
        }
    }
}
