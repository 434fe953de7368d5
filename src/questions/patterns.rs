//! The pattern of the clues of each record, in canonical form.

use super::{
    Answer, Batch, Column, Counts, Definition, Question, Responder, RowView, RunOutcome, Status,
    Uniqueness,
    columns::{Columns, NewText, columns, kind},
};
use crate::{
    grid::CELLS,
    symmetry::{cells_of_clues, last_copy_of_cells},
};

columns! {
    /// The columns of [`PATTERNS`].
    struct PatternsColumns, PatternsRow for () {
        /// the canonical form of the pattern: x for a clue, and a dot for another cell
        pattern: kind::Text,
        status = Column::STATUS,
    }
}

/// Puts the patterns of clues into canonical form.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Data, PATTERNS}};
/// let mut records = Records::default();
/// let (mut one, mut other) = ([b'.'; 81], [b'.'; 81]);
/// (one[0], one[80]) = (b'1', b'2');
/// (other[40], other[8]) = (b'7', b'7');
/// line::read(&[&one[..], &other[..]].join(&b'\n'), &mut records);
/// let answer = PATTERNS.with([])?.ask(&records);
/// let Data::Texts(patterns) = answer.named("pattern") else { unreachable!() };
/// // Two cells that share no band and no stack.
/// assert_eq!(patterns.get(0), patterns.get(1));
/// assert!(patterns.get(0).starts_with(b"x......................"));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static PATTERNS: Definition = Definition {
    name: "patterns",
    about: "Put the patterns of clues into canonical form",
    details: "\
Two patterns are equivalent if an order of the rows and columns that keeps bands and stacks, perhaps with a \
transposition, makes one of the other. The canonical form is the equivalent pattern whose text comes last: its first \
row has as many clues as any, as far to the left as can be. Digits do not matter, nor does the number of solutions. A \
record that is given by candidates stands for its clues.",
    settings: &[],
    columns: PatternsColumns::TABLE,
    make: |_| Ok(Question::of(&PATTERNS, Box::new(Patterns::default()))),
};

#[derive(Default)]
struct Patterns {
    uniqueness: Uniqueness,
}

impl std::fmt::Debug for Patterns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Patterns").finish_non_exhaustive()
    }
}

impl Responder for Patterns {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self::default())
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        answer.counts += self.uniqueness.ask(batch.records).counts;
        self.uniqueness.give(answer);
        // A puzzle with any number of solutions has a pattern.
        (answer.rejects).retain(|reject| reject.reason.status() == Status::Malformed);
        let columns = PatternsColumns::all();
        for record in 0..batch.records.len() {
            let puzzle = batch.records.puzzle(record).map(|puzzle| puzzle.clues());
            let pattern = puzzle.ok().map(|puzzle| pattern(puzzle.as_ascii()));
            let row = PatternsRow {
                pattern: pattern.as_ref().map_or(NewText::Nothing, NewText::from),
            };
            columns.push(answer, record, row);
        }
    }

    /// The pattern alone.
    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        row.push(PatternsColumns::all().pattern, line);
        true
    }

    fn outcome(&self, counts: &Counts, _: u64) -> RunOutcome {
        RunOutcome::new(counts.clone(), counts.get("malformed"), "are malformed")
    }
}

/// The canonical form of the pattern of some cells.
fn pattern(cells: &[u8; CELLS]) -> [u8; CELLS] {
    let last = last_copy_of_cells(cells_of_clues(cells));
    std::array::from_fn(|cell| if last >> cell & 1 != 0 { b'x' } else { b'.' })
}
