//! The classes of each solved grid's bands, and the number of its automorphisms.

use super::{
    Answer, Batch, Column, Counts, Definition, Question, Responder, RowView, RunOutcome, Status,
    columns::{Columns, NewText, columns, kind},
    grids::outcome_of_grids,
    status::StatusColumn,
    valid_grid,
};
use crate::{
    grid::Grid,
    symmetry::{BandClass, CanonicalGrid},
};

columns! {
    /// The columns of [`CLASSES`].
    struct ClassesColumns, ClassesRow for () {
        /// the least number of its bands and stacks, 1 to 416
        #[column(up_to(BandClass::COUNT as u64), renamed())]
        band: kind::Numbers,
        /// the number of that band's columns, 1 to 44
        #[column(up_to(BandClass::GANGSTERS as u64))]
        gangster: kind::Numbers,
        /// the number of symmetries that map the grid to itself
        #[column(up_to(648))]
        automorphisms: kind::Numbers,
        /// the numbers of its three bands and three stacks
        bands: kind::Text,
        status = Column::STATUS,
    }
}

/// Numbers the bands of solved grids.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{CLASSES, Data}};
/// let text = b"123456789457189236689327415231564897546798321798213564374645912865931648912872543
/// 496528713875143692132967854314289576729654381568731429687492135943815267251376948";
/// let mut records = Records::default();
/// line::read(text, &mut records);
/// let answer = CLASSES.with([])?.ask(&records);
/// let Data::Numbers(bands) = answer.named("band") else { unreachable!() };
/// // The first is no solved grid.
/// assert_eq!(*bands, [None, Some(79)]);
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static CLASSES: Definition = Definition {
    name: "classes",
    about: "Number the bands of solved grids, and count automorphisms",
    details: "\
Every record is a solved grid. A band is three of its rows that share boxes, or three of its columns (a stack). \
Bands have 416 classes up to symmetry. A class has the number of its smallest band among those of all classes, from 1. \
The number band is the least of the grid's six: that of the first three rows of its canonical form. So it is the same \
for all grids that are equivalent.

The number gangster, from 1 to 44, is the class of the columns of that band, whatever the order of the digits in \
each column of a box. The number automorphisms is that of the symmetries that map the grid to itself: 1 for nearly all grids.",
    settings: &[],
    columns: ClassesColumns::TABLE,
    make: |_| Ok(Question::of(&CLASSES, Box::new(Classes))),
};

#[derive(Debug)]
struct Classes;

impl Responder for Classes {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self)
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let records = batch.records;
        let mut statuses = StatusColumn::of(answer);
        let (columns, mut text) = (ClassesColumns::all(), Vec::new());
        for record in 0..records.len() {
            let grid = valid_grid(records, record);
            let classes = grid.as_ref().ok().map(BandClass::of_grid);
            let least = classes.and_then(|classes| classes.into_iter().min());
            let automorphisms = grid.as_ref().ok().zip(classes);
            text.clear();
            for number in classes.iter().flatten() {
                push_number(number.number(), &mut text);
            }
            text.pop();
            let row = ClassesRow {
                band: least.map(|class| class.number().into()),
                gangster: least.map(|class| class.gangster().into()),
                automorphisms: automorphisms
                    .map(|(grid, classes)| automorphisms_of(grid, &classes)),
                bands: NewText::from(&text),
            };
            columns.push(answer, record, row);
            statuses.push(grid.map(|_| Status::Valid));
        }
        answer.counts += statuses.counts_of_grids();
        statuses.swap(answer);
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        let columns = ClassesColumns::all();
        for number in [columns.band, columns.gangster, columns.automorphisms] {
            if row.push(number, line) {
                line.push(b'\t');
            }
        }
        row.push(columns.bands, line);
        true
    }

    fn expects_grids(&self) -> bool {
        true
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        outcome_of_grids(counts, records)
    }
}

/// Adds a number below 1000, and a space.
fn push_number(number: u32, text: &mut Vec<u8>) {
    let digits = [number / 100, number / 10 % 10, number % 10];
    let zeros = digits.iter().take_while(|digit| **digit == 0).count();
    text.extend(digits[zeros..].iter().map(|&digit| b'0' + digit as u8));
    text.push(b' ');
}

/// The number of symmetries that map a grid to itself.
///
/// A symmetry that keeps each band and each stack in its place maps each band to itself, and it is the identity if it is that in
/// one band. All others take a band to another of the same class. So a grid whose six bands have different classes, and one of
/// them no symmetry of its own, has the identity alone. That saves the canonical form of 93 of 100 grids.
fn automorphisms_of(grid: &Grid, classes: &[BandClass; 6]) -> u64 {
    let are_different = (1..6).all(|n| !classes[..n].contains(&classes[n]));
    if are_different && classes.iter().any(|class| class.automorphisms() == 1) {
        return 1;
    }
    CanonicalGrid::new(grid).automorphisms().into()
}
