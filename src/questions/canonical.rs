//! The canonical form of each record.

use super::{
    Answer, Asked, Batch, Column, Counts, Definition, Responder, RowView, RunOutcome, Uniqueness,
    columns::{Columns, NewPuzzle, NewText, columns, kind},
    compare::cells_of_image,
    made,
    settings::{Settings, settings},
    status::StatusColumn,
    verification::Check,
};
use crate::{
    grid::{AnyPuzzle, BLANK, CELLS},
    solve::NO_SOLUTION,
    symmetry::{CanonicalPuzzle, Transformation},
};

settings! {
    /// The settings of [`CANONICAL`].
    pub struct CanonicalSettings {
        /// Give the smallest symmetric copy of the record's own 81 characters, where a blank is the smallest.
        ///
        /// Of all 1,218,998,108,160 symmetric copies as text it is the first, where blanks come before digits. Digits
        /// are named 1, 2, 3 … as they appear. A record has it whatever number of solutions it has. That of a solved
        /// grid is its canonical form. A record with a digit twice in a row, column or box has none, and neither has
        /// one by candidates that no 81 cells have: it counts as malformed.
        pub minlex: bool,
        /// Give the largest symmetric copy of the record's own 81 characters, where a blank is the smallest.
        ///
        /// Digits are named 9, 8, 7 … as they appear. All else is as with {minlex}.
        #[setting(excludes("minlex"))]
        pub maxlex: bool,
        /// Add the operations that lead to the canonical form.
        ///
        /// `transpose/` if the grid is transposed; then rows=231456789: row 1 of the canonical form is row 2 of the
        /// grid; columns likewise; digits=918273645: digit 1 becomes 9.
        pub transformation: bool,
        /// Add the number of symmetries that map the record to itself, the identity among them: 1 for nearly all.
        ///
        /// With {minlex} and {maxlex} there may be more: lines without a clue may come in any order, and digits that
        /// do not occur may have any name.
        pub automorphisms: bool,
    }
}

columns! {
    /// The columns of [`CANONICAL`].
    struct CanonicalColumns, CanonicalRow for CanonicalSettings {
        /// the canonical form
        #[column(renamed())]
        canonical: kind::Puzzles,
        /// the symmetry that leads to the canonical form
        #[column(renamed())]
        transformation if transformation: Option<kind::Text>,
        /// the number of symmetries that map the record to itself
        #[column(up_to(Transformation::COUNT), renamed())]
        automorphisms if automorphisms: Option<kind::Numbers>,
        status = Column::STATUS,
    }
}

/// Puts puzzles and solved grids into canonical form.
pub static CANONICAL: Definition = Definition {
    name: "canonical",
    about: "Put puzzles and solved grids into canonical form",
    details: "\
Two records have one canonical form exactly if a symmetry turns one into the other: renamed digits, reordered \
rows, columns, bands and stacks, transposition.

That of a solved grid is the smallest of its 1,218,998,108,160 symmetric copies, read as a number. The symmetry \
that takes the solution of a puzzle there takes the puzzle to its canonical form; of several such symmetries, the one \
with the smallest copy. So the canonical form has as many clues as the puzzle, and its solution is the canonical form of \
the puzzle's solution. It is not minlex: see {minlex}. A record without exactly one solution has none: its line has 81 dots.

With {minlex} or {maxlex} it is the smallest or the largest symmetric copy of the \
record's own 81 characters. Records with several solutions or none have one too.",
    settings: CanonicalSettings::TABLE,
    columns: CanonicalColumns::TABLE,
    make: made::<CanonicalSettings>,
};

#[derive(Debug)]
struct Canonical {
    settings: CanonicalSettings,
    columns: CanonicalColumns,
    uniqueness: Uniqueness,
}

impl Asked for CanonicalSettings {
    fn definition() -> &'static Definition {
        &CANONICAL
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Canonical {
            columns: CanonicalColumns::of(&self),
            settings: self,
            uniqueness: Uniqueness::default(),
        })
    }
}

impl Responder for Canonical {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self {
            settings: self.settings.clone(),
            columns: self.columns,
            uniqueness: Uniqueness::default(),
        })
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        if self.settings.minlex || self.settings.maxlex {
            return self.fill_extremes(batch, answer);
        }
        let solutions = self.uniqueness.ask(batch.records);
        answer.counts += solutions.counts.clone();
        for record in 0..batch.records.len() {
            let pair = solutions.pair(batch.records, record);
            let form = pair.map(|(puzzle, solution)| CanonicalPuzzle::new(&puzzle, &solution));
            let form = form.as_ref();
            let given = form.map(CanonicalPuzzle::as_given);
            let row = self.columns.row(given.as_ref().zip(form), |form| {
                (form.transformation(), form.automorphisms())
            });
            self.columns.push(answer, record, row);
        }
        self.uniqueness.give(answer);
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        let CanonicalColumns {
            canonical,
            transformation,
            automorphisms,
            ..
        } = self.columns;
        let further = [
            transformation.map(usize::from),
            automorphisms.map(usize::from),
        ];
        if further == [None, None] {
            return false;
        }
        if !row.push(canonical, line) {
            line.extend_from_slice(&NO_SOLUTION[..CELLS]);
        }
        for column in further.into_iter().flatten() {
            line.push(b'\t');
            row.push(column, line);
        }
        true
    }

    fn check(&self) -> Option<Check> {
        Some(match (self.settings.minlex, self.settings.maxlex) {
            (false, false) => Check::Forms,
            (_, largest) => Check::ExtremeImages { largest },
        })
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let good = match self.settings.minlex || self.settings.maxlex {
            true => ["unique", "multiple", "no-solution"]
                .map(|name| counts.get(name))
                .iter()
                .sum(),
            false => counts.get("unique"),
        };
        let failed = records.saturating_sub(good);
        RunOutcome::new(counts.clone(), failed, "have no canonical form")
    }
}

impl Canonical {
    /// The smallest or the largest images. Statuses still say how many solutions there are; solving takes
    /// less time than the images.
    fn fill_extremes(&mut self, Batch { records, .. }: Batch<'_>, answer: &mut Answer<'_>) {
        let solutions = self.uniqueness.ask(records);
        let mut column = StatusColumn::of(answer);
        column.clear();
        for record in 0..records.len() {
            let cells = cells_of_image(records, record);
            let form = cells.as_ref().ok().map(|puzzle| {
                let form = match self.settings.maxlex {
                    true => CanonicalPuzzle::largest_image(puzzle),
                    false => CanonicalPuzzle::smallest_image(puzzle),
                };
                form.expect("no digit stands twice")
            });
            column.push(cells.map(|_| solutions.statuses[record]));
            let given = form.as_ref().map(|form| match records.candidates(record) {
                Some(_) => form.puzzle().candidates().into(),
                None => form.puzzle(),
            });
            let row = self.columns.row(given.as_ref().zip(form.as_ref()), |form| {
                (form.transformation(), form.automorphisms())
            });
            self.columns.push(answer, record, row);
        }
        column.give(answer);
    }
}

impl CanonicalColumns {
    /// The row of a record: the form as it is written, and its columns.
    fn row<'f, F>(
        &self,
        form: Option<(&'f AnyPuzzle, &'f F)>,
        columns: impl Fn(&'f F) -> (&'f Transformation, u64),
    ) -> CanonicalRow<'f> {
        let (given, form) = form.unzip();
        CanonicalRow {
            canonical: NewPuzzle::of(given, BLANK),
            transformation: self
                .transformation
                .map(|_| NewText::shown(form.map(|form| columns(form).0))),
            automorphisms: self.automorphisms.map(|_| form.map(|form| columns(form).1)),
        }
    }
}
