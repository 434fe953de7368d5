//! The candidates of each record that occur in a solution.

use super::{
    Answer, Batch, Column, Counts, Definition, Question, Responder, RowView, RunOutcome, Status,
    Uniqueness,
    columns::{Columns, NewPuzzle, columns, kind},
};
use crate::grid::{AnyPuzzle, BLANK, CANDIDATES, Candidates, Puzzle};

columns! {
    /// The columns of [`TRUE_CANDIDATES`].
    struct TrueCandidatesColumns, TrueCandidatesRow for () {
        /// the candidates that occur in a solution
        #[column(renamed())]
        true_candidates: kind::Candidates,
        /// the number of these candidates
        #[column(up_to(729))]
        candidate_count: kind::Numbers,
        status = Column::STATUS,
    }
}

/// Finds the candidates that occur in a solution.
pub static TRUE_CANDIDATES: Definition = Definition {
    name: "true-candidates",
    about: "Find the candidates that occur in a solution",
    details: "\
A candidate is true if the record has a solution with it. So the true candidates are the union of all \
solutions: a puzzle that is given by 729 candidates, and has the same solutions as the record. The true candidates of a \
record with one solution are that solution. A record without a solution has none.

No list of solutions is made. Each solution that is found marks 81 candidates, and the program asks about the \
others. A puzzle with a million solutions takes no longer than one with fifty.",
    settings: &[],
    columns: TrueCandidatesColumns::TABLE,
    make: |_| Ok(Question::of(&TRUE_CANDIDATES, Box::new(TrueCandidates::default()))),
};

#[derive(Debug, Default)]
struct TrueCandidates {
    uniqueness: Uniqueness,
}

impl Responder for TrueCandidates {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self::default())
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let records = batch.records;
        let (solutions, solver) = self.uniqueness.ask_with_solver(records);
        answer.counts += solutions.counts.clone();
        let (mut cells, mut candidates) = (Vec::new(), Vec::new());
        let several = |record: &usize| solutions.statuses[*record] == Status::Multiple;
        for record in (0..records.len()).filter(several) {
            match records.puzzle(record) {
                Ok(AnyPuzzle::Cells(puzzle)) => cells.push(puzzle),
                Ok(AnyPuzzle::Candidates(puzzle)) => candidates.push(puzzle),
                Err(_) => unreachable!("a malformed record has no solution"),
            }
        }
        let mut of_cells = solver.true_candidates_of_several(&cells).into_iter();
        let mut of_candidates = solver.true_candidates_of_several(&candidates).into_iter();
        let columns = TrueCandidatesColumns::all();
        for record in 0..records.len() {
            let found: Option<Candidates> = if several(&record) {
                match records.candidates(record) {
                    Some(_) => of_candidates.next(),
                    None => of_cells.next(),
                }
            } else {
                let solution = solutions.solution(record);
                solution.map(|grid| Puzzle::from(grid).into())
            };
            let puzzle = found.map(AnyPuzzle::from);
            let row = TrueCandidatesRow {
                true_candidates: NewPuzzle::of(puzzle.as_ref(), BLANK),
                candidate_count: found.map(|candidates| candidates.count() as u64),
            };
            columns.push(answer, record, row);
        }
        self.uniqueness.give(answer);
        // A record with several solutions has true candidates.
        answer
            .rejects
            .retain(|reject| reject.reason.status() != Status::Multiple);
    }

    /// The candidates, and nothing else; 729 dots if there are none.
    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        if !row.push(TrueCandidatesColumns::all().true_candidates, line) {
            line.extend_from_slice(&[BLANK; CANDIDATES]);
        }
        true
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let good = counts.get("unique") + counts.get("multiple");
        let failed = records.saturating_sub(good);
        RunOutcome::new(counts.clone(), failed, "are malformed, or have no solution")
    }
}
