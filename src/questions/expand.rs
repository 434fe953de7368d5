//! The puzzle of each record with every clue that singles add.

use super::{
    Answer, Batch, Column, Counts, Definition, Question, Responder, RunOutcome, Status, Uniqueness,
    columns::{Columns, NewPuzzle, columns, kind},
};
use crate::grid::{AnyPuzzle, Cell, Puzzle};

columns! {
    /// The columns of [`EXPAND`].
    struct ExpandColumns, ExpandRow for () {
        /// the puzzle with the clues that singles add
        #[column(renamed())]
        expanded: kind::Puzzles,
        /// the number of clues that singles add
        #[column(up_to(81))]
        added_clues: kind::Numbers,
        status = Column::STATUS,
    }
}

/// Adds the clues that singles give.
pub static EXPAND: Definition = Definition {
    name: "expand",
    about: "Add every clue that naked and hidden singles give",
    details: "\
The expanded puzzle has the same solutions. A puzzle that singles solve becomes its solution. A record that \
is given by candidates becomes the candidates that clues and singles leave. A record whose singles contradict \
each other, and a malformed one, has no expanded puzzle.",
    settings: &[],
    columns: ExpandColumns::TABLE,
    make: |_| Ok(Question::of(&EXPAND, Box::new(Expand::default()))),
};

#[derive(Debug, Default)]
struct Expand {
    uniqueness: Uniqueness,
}

impl Responder for Expand {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self::default())
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        answer.counts += self.uniqueness.ask(batch.records).counts;
        self.uniqueness.give(answer);
        let columns = ExpandColumns::all();
        for record in 0..batch.records.len() {
            let puzzle = batch.records.puzzle(record).ok();
            let expanded = puzzle.as_ref().and_then(expanded);
            let clues = |puzzle: &AnyPuzzle| puzzle.clue_count() as u64;
            let added = expanded.as_ref().zip(puzzle.as_ref());
            let added = added.map(|(expanded, puzzle)| clues(expanded) - clues(puzzle));
            let blank = batch.records.blank(record);
            let row = ExpandRow {
                expanded: NewPuzzle::of(expanded.as_ref(), blank),
                added_clues: added,
            };
            columns.push(answer, record, row);
        }
        // A record with several solutions has an expansion.
        answer
            .rejects
            .retain(|reject| reject.reason.status() != Status::Multiple);
    }

    fn shows_puzzle(&self) -> bool {
        true
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let good = counts.get("unique") + counts.get("multiple");
        let failed = records.saturating_sub(good);
        RunOutcome::new(counts.clone(), failed, "are malformed, or have no solution")
    }
}

/// The puzzle with the clues of singles, unless they contradict each other.
fn expanded(puzzle: &AnyPuzzle) -> Option<AnyPuzzle> {
    let reduced = puzzle.candidates().reduced()?;
    let mut clues = match puzzle {
        AnyPuzzle::Candidates(_) => return Some(reduced.into()),
        AnyPuzzle::Cells(_) => Puzzle::EMPTY,
    };
    for cell in Cell::all() {
        let digits = reduced.get(cell);
        clues.set(cell, digits.iter().next().filter(|_| digits.len() == 1));
    }
    Some(clues.into())
}
