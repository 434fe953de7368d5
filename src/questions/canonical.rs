//! The canonical form of each record.

use super::{
    Answer, Batch, Column, Counts, Definition, Kind, Outcome, Question, RowView, Setting,
    Uniqueness, Value, verification::Check,
};
use crate::{
    format::Values,
    grid::{BLANK, CELLS},
    solve::NO_SOLUTION,
    symmetry::CanonicalPuzzle,
};

/// Puts puzzles and solved grids into canonical form.
pub static CANONICAL: Definition = Definition {
    name: "canonical",
    about: "Put puzzles and solved grids into canonical form",
    details: "\
Two records have the same form exactly if a symmetry turns one into the other: renamed digits, reordered \
rows, columns, bands and stacks, transposition.

The form of a solved grid is the smallest of its 1,218,998,108,160 images, read as a number. The symmetry \
that takes the solution of a puzzle to its form takes the puzzle to the form of the puzzle; of several such \
symmetries, the one with the smallest image. So the form of a puzzle has its clues, and the form of its \
solution as its solution. It is not `minlex`, the smallest image of the puzzle's own 81 characters.

A record without exactly one solution has no form: its line has 81 points.",
    notes: "\
Examples:
  sudoku-batch canonical puzzles.txt | sort -u | wc -l
      How many puzzles are different up to symmetry (dedup is faster and keeps the order).
  sudoku-batch canonical --transformation --automorphisms puzzles.txt
      Form, transformation and automorphisms, with tabs between.
  sudoku-batch canonical puzzles.csv -o forms.csv
      The form in a column behind the others.",
    failure: "some records have no form, or are malformed",
    verification: "\
Check each form before it is written.

A form is solved by the other engine, which costs about 1 to 30 µs: it must have one solution, and the \
digits of its record. With --transformation, the transformation is carried out too. A record without a form \
is solved again by the other engine. The first record that fails ends the command with exit status 2 and no \
output.",
    settings: &[
        Setting::new(
            "transformation",
            Kind::Flag,
            "Add the operations that lead to the form.",
        )
        .details(
            "\
`transpose/` if the grid is transposed; then rows=231456789: row 1 of the form is row 2 of the grid; the same \
for columns; digits=918273645: digit 1 becomes 9.",
        ),
        Setting::new(
            "automorphisms",
            Kind::Flag,
            "Add the number of symmetries that map the record to itself, the identity among them: 1 for nearly all.",
        ),
    ],
    columns: &[
        Column::new("canonical", Values::Puzzles, "the canonical form").renamed(),
        Column::new("transformation", Values::Text, "the symmetry that leads to the form")
            .when("transformation")
            .renamed(),
        Column::new(
            "automorphisms",
            Values::Numbers,
            "the number of symmetries that map the record to itself",
        )
        .up_to(648)
        .when("automorphisms")
        .renamed(),
        Column::STATUS,
    ],
    make: || Box::new(Canonical::default()),
};

#[derive(Debug, Default)]
struct Canonical {
    transformation: bool,
    automorphisms: bool,
    uniqueness: Uniqueness,
}

impl Question for Canonical {
    fn set(&mut self, name: &str, value: Value) {
        match (name, value) {
            ("transformation", Value::Flag(is_set)) => self.transformation = is_set,
            ("automorphisms", Value::Flag(is_set)) => self.automorphisms = is_set,
            _ => unreachable!("{name} is no setting of this kind"),
        }
    }

    fn fork(&self) -> Box<dyn Question> {
        Box::new(Self {
            uniqueness: Uniqueness::default(),
            ..*self
        })
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let solutions = self.uniqueness.ask(batch.records);
        answer.counts += solutions.solved.counts.clone();
        for record in 0..batch.records.len() {
            let pair = solutions.pair(batch.records, record);
            let form = pair.map(|(puzzle, solution)| CanonicalPuzzle::new(&puzzle, &solution));
            let form = form.as_ref();
            let given = form.map(CanonicalPuzzle::as_given);
            let mut row = answer.row(record).puzzle(given.as_ref(), BLANK);
            if self.transformation {
                row = row.display(form.map(CanonicalPuzzle::transformation));
            }
            if self.automorphisms {
                row.number(form.map(|form| form.automorphisms() as u64));
            }
        }
        self.uniqueness.give(answer);
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        let further = usize::from(self.transformation) + usize::from(self.automorphisms);
        if further == 0 {
            return false;
        }
        if !row.push(0, line) {
            line.extend_from_slice(&NO_SOLUTION[..CELLS]);
        }
        for column in 1..=further {
            line.push(b'\t');
            row.push(column, line);
        }
        true
    }

    fn check(&self) -> Option<Check> {
        Some(Check::Forms(self.transformation.then_some(1)))
    }

    fn outcome(&self, counts: &Counts, records: u64) -> Outcome {
        let failed = records.saturating_sub(counts.get("unique"));
        Outcome::new(counts.clone(), failed, "have no canonical form")
    }
}
