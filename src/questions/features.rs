//! Numbers that describe each puzzle: its clues by row, column, box and digit, and how far singles lead.

use super::{
    Answer, Batch, Column, Counts, Definition, Question, Responder, RunOutcome, Status, Uniqueness,
    columns::{Columns, columns, kind},
};
use crate::{
    format::{Records, Values},
    grid::{AnyPuzzle, BLANK, CELLS, Candidates},
    puzzle::{Symmetry, clues_by_line},
    solve::Batch as Puzzles,
    symmetry::{automorphisms_of_cells, cells_of_clues},
    technique::Closures,
};

columns! {
    /// The columns of [`FEATURES`].
    struct FeaturesColumns, FeaturesRow for () {
        /// the numbers of clues
        clues: [kind::Numbers; CLUES.len()] => CLUES,
        /// the symmetries of the pattern
        symmetries: [kind::Flags; SYMMETRIES.len()] => OF_SYMMETRIES,
        /// the number of filled cells where naked singles lead no further
        #[column(up_to(CELLS as u64))]
        after_naked_singles: kind::Numbers,
        /// the number of filled cells where naked and hidden singles lead no further
        #[column(up_to(CELLS as u64))]
        after_singles: kind::Numbers,
        /// the number of candidates of the other cells then
        #[column(up_to(9 * CELLS as u64))]
        candidates_left: kind::Numbers,
        /// the number of symmetries that map the cells of the clues to themselves
        #[column(up_to(3_359_232))]
        pattern_automorphisms: kind::Numbers,
        status = Column::STATUS,
    }
}

/// Describes puzzles.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Data, FEATURES}};
/// let mut records = Records::default();
/// line::read(b"4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8\n", &mut records);
/// let answer = FEATURES.with([])?.ask(&records);
/// let value = |name| {
///     let Data::Numbers(numbers) = answer.named(name) else { unreachable!() };
///     numbers[0].unwrap()
/// };
/// assert_eq!(["row_1", "column_9", "digit_5"].map(value), [5, 5, 4]);
/// assert_eq!(["after_singles", "pattern_automorphisms"].map(value), [43, 4]);
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static FEATURES: Definition = Definition {
    name: "features",
    about: "Count the clues of rows, columns, boxes and digits, and how far singles lead",
    details: "\
Each number is a column: 36 numbers of clues, the symmetries of the pattern of clues, the cells that are filled once \
naked singles, and once naked and hidden singles lead no further, and the candidates of the others then. A row of \
numbers is a vector of features for statistics and for training.

The pattern of clues has as many automorphisms as there are orders of rows and columns, perhaps with a transposition, \
that map it to itself, whatever its digits are: 1 for most.

A record without a solution has no numbers of singles. One that is given by candidates stands for its clues, and \
singles begin with its candidates.",
    settings: &[],
    columns: FeaturesColumns::TABLE,
    make: |_| Ok(Question::of(&FEATURES, Box::new(Features::default()))),
};

/// The names and meanings of the clues in nine lines.
macro_rules! clues_of {
    ($kind:literal: $($number:literal)+) => {
        [$(
            Column::new(
                concat!($kind, "_", $number),
                Values::Numbers,
                concat!("the number of clues of ", $kind, " ", $number),
            )
            .up_to(9),
        )+]
    };
}

const CLUES: [Column; 36] = {
    const KINDS: [[Column; 9]; 4] = [
        clues_of!("row": 1 2 3 4 5 6 7 8 9),
        clues_of!("column": 1 2 3 4 5 6 7 8 9),
        clues_of!("box": 1 2 3 4 5 6 7 8 9),
        clues_of!("digit": 1 2 3 4 5 6 7 8 9),
    ];
    *KINDS.as_flattened().as_array().expect("36 columns")
};

/// The symmetries of the pattern that have a column.
const SYMMETRIES: [Symmetry; 5] = [
    Symmetry::Rotate180,
    Symmetry::Rotate90,
    Symmetry::Horizontal,
    Symmetry::Vertical,
    Symmetry::Diagonal,
];

const OF_SYMMETRIES: [Column; SYMMETRIES.len()] = {
    let mut columns = [Column::STATUS; SYMMETRIES.len()];
    let mut n = 0;
    while n < columns.len() {
        columns[n] = symmetry(SYMMETRIES[n]);
        n += 1;
    }
    columns
};

/// The column of a symmetry, by its name.
const fn symmetry(symmetry: Symmetry) -> Column {
    Column::new(symmetry.name(), Values::Flags, symmetry.about())
}

#[derive(Default)]
struct Features {
    uniqueness: Uniqueness,
    closures: Closures,
}

/// How far singles lead.
#[derive(Clone, Copy)]
struct Reached {
    by_naked: u32,
    by_both: u32,
    candidates_left: u32,
}

impl Responder for Features {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(Self::default())
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let records = batch.records;
        answer.counts += self.uniqueness.ask(records).counts;
        self.uniqueness.give(answer);
        let columns = FeaturesColumns::all();
        let of_singles = [
            columns.after_naked_singles,
            columns.after_singles,
            columns.candidates_left,
        ];
        let with_singles = of_singles.iter().any(|column| answer.is_wanted(*column));
        let reached = match with_singles {
            true => self.reached(records, &answer.statuses),
            false => vec![None; records.len()],
        };
        let with_automorphisms = answer.is_wanted(columns.pattern_automorphisms);
        for (record, reached) in reached.into_iter().enumerate() {
            let puzzle = records.puzzle(record).ok().map(|puzzle| puzzle.clues());
            let clues = puzzle.as_ref().map(clues_by_line);
            let with_automorphisms = puzzle.as_ref().filter(|_| with_automorphisms);
            let row = FeaturesRow {
                clues: &|line| clues.map(|clues| clues[line].into()),
                symmetries: &|n| Some(SYMMETRIES[n].is_kept_by(puzzle.as_ref()?)),
                after_naked_singles: reached.map(|reached| reached.by_naked.into()),
                after_singles: reached.map(|reached| reached.by_both.into()),
                candidates_left: reached.map(|reached| reached.candidates_left.into()),
                pattern_automorphisms: with_automorphisms
                    .map(|puzzle| automorphisms_of_cells(cells_of_clues(puzzle.as_ascii()))),
            };
            columns.push(answer, record, row);
        }
        // A record with several solutions has all numbers.
        (answer.rejects).retain(|reject| reject.reason.status() != Status::Multiple);
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        let good = counts.get("unique") + counts.get("multiple");
        let failed = records.saturating_sub(good);
        RunOutcome::new(counts.clone(), failed, "are malformed, or have no solution")
    }
}

impl std::fmt::Debug for Features {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Features").finish_non_exhaustive()
    }
}

impl Features {
    /// How far singles lead in each record that has a solution.
    fn reached(&mut self, records: &Records, statuses: &[Status]) -> Vec<Option<Reached>> {
        let mut reached = vec![None; records.len()];
        let (mut cells, mut candidates): (Vec<[u8; CELLS]>, Vec<Candidates>) = Default::default();
        let (mut of_cells, mut of_candidates) = (Vec::new(), Vec::new());
        for (record, status) in statuses.iter().enumerate() {
            if !matches!(status, Status::Unique | Status::Multiple) {
                continue;
            }
            let by_naked = match records.puzzle(record) {
                Ok(AnyPuzzle::Cells(puzzle)) => {
                    of_cells.push(record);
                    cells.push(*puzzle.as_ascii());
                    filled_by_naked_singles(puzzle.as_ascii())
                }
                Ok(AnyPuzzle::Candidates(puzzle)) => {
                    of_candidates.push(record);
                    candidates.push(puzzle);
                    let left = puzzle.reduced_by_clues().unwrap_or(puzzle);
                    left.cells()
                        .iter()
                        .filter(|digits| digits.len() == 1)
                        .count() as u32
                }
                Err(_) => continue,
            };
            reached[record] = Some(Reached {
                by_naked,
                by_both: CELLS as u32,
                candidates_left: 0,
            });
        }
        for (records, puzzles) in [
            (of_cells, Puzzles::Cells(&cells)),
            (of_candidates, Puzzles::Candidates(&candidates)),
        ] {
            self.closures.left(puzzles, &mut |number, marks| {
                let open = marks
                    .iter()
                    .map(|marks| marks.count_ones())
                    .filter(|n| *n > 1);
                let reached = reached[records[number]].as_mut().expect("it was noted");
                reached.by_both = (CELLS - open.clone().count()) as u32;
                reached.candidates_left = open.sum();
            });
        }
        reached
    }
}

/// The number of filled cells where naked singles lead no further, in a puzzle that has a solution.
fn filled_by_naked_singles(cells: &[u8; CELLS]) -> u32 {
    const HOUSES: [[u8; 3]; CELLS] = {
        let mut houses = [[0; 3]; CELLS];
        let mut cell = 0;
        while cell < CELLS {
            let (row, column) = (cell / 9, cell % 9);
            houses[cell] = [
                row as u8,
                9 + column as u8,
                18 + (row / 3 * 3 + column / 3) as u8,
            ];
            cell += 1;
        }
        houses
    };
    // The digits of each house, by their bits. A number below 32 needs no check of bounds.
    let mut digits = [0_u16; 32];
    let (mut blanks, mut blank_count) = ([0_u8; CELLS], 0);
    for (cell, &digit) in cells.iter().enumerate() {
        if digit == BLANK {
            blanks[blank_count] = cell as u8;
            blank_count += 1;
        } else {
            let bit = 1 << (digit & 15);
            { HOUSES[cell].iter() }.for_each(|house| digits[usize::from(*house) & 31] |= bit);
        }
    }
    loop {
        let mut left = 0;
        for n in 0..blank_count {
            let cell = blanks[n];
            let houses = HOUSES[usize::from(cell)].map(|house| usize::from(house) & 31);
            let taken = houses.iter().fold(0, |taken, &house| taken | digits[house]);
            let free = 0x3fe & !taken;
            if free.is_power_of_two() {
                houses.iter().for_each(|&house| digits[house] |= free);
            } else {
                blanks[left] = cell;
                left += 1;
            }
        }
        if left == blank_count {
            return (CELLS - left) as u32;
        }
        blank_count = left;
    }
}
