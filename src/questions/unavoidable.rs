//! The minimal unavoidable sets of each solved grid.

use super::{
    Answer, Asked, Batch, Column, Counts, Definition, Responder, RunOutcome, Status,
    columns::{Columns, NewText, columns, kind},
    grids::outcome_of_grids,
    made,
    settings::{AtLeast, Settings, settings},
    status::StatusColumn,
    valid_grid,
};
use crate::{
    grid::{CELLS, Cell, Grid},
    stop,
};
use std::io::Write;

settings! {
    /// The settings of [`UNAVOIDABLE`].
    pub struct UnavoidableSettings {
        /// Look for sets of up to this many cells.
        ///
        /// A grid has some 280 sets of up to 12 cells, 760 of up to 14 and 2,200 of up to 16. Each step of two takes
        /// five times as long.
        pub most: u64 as AtLeast<4> = "12",
        /// Give all sets, and not those of the bound alone.
        pub list: bool,
    }
}

columns! {
    /// The columns of [`UNAVOIDABLE`].
    struct UnavoidableColumns, UnavoidableRow for UnavoidableSettings {
        /// the number of minimal unavoidable sets of up to so many cells
        #[column(renamed())]
        unavoidable_count: kind::Numbers,
        /// the largest number of them without a common cell: each puzzle of the grid has as many clues or more
        #[column(up_to(81))]
        clue_bound: kind::Numbers,
        /// the cells of such sets, or of all sets
        unavoidable: kind::Text,
        status = Column::STATUS,
    }
}

/// Finds the minimal unavoidable sets of solved grids.
///
/// ```
/// use sudoku_batch::{format::{Records, line}, questions::{Data, UNAVOIDABLE}};
/// let mut records = Records::default();
/// line::read(b"123456789456789123789123456214365897365897214897214365531642978642978531978531642", &mut records);
/// let answer = UNAVOIDABLE.with([("most", "4"), ("list", "true")])?.ask(&records);
/// let Data::Texts(sets) = answer.named("unavoidable") else { unreachable!() };
/// // Rows 1 and 4 have 1 and 2 in the same two columns. They may change places.
/// assert!(sets.get(0).starts_with(b"r1c1+r1c2+r4c1+r4c2 "));
/// # Ok::<(), sudoku_batch::questions::SettingError>(())
/// ```
pub static UNAVOIDABLE: Definition = Definition {
    name: "unavoidable",
    about: "Find the minimal unavoidable sets of solved grids",
    details: "\
Every record is a solved grid. A set of its cells is unavoidable if the digits of all other cells have several \
solutions. So each puzzle with this solution alone has a clue in the set. It is minimal if no part of it is \
unavoidable. All minimal ones of up to a number of cells are found.

Sets without a common cell need a clue each. So a puzzle of the grid has at least as many clues as the largest \
number of found sets without a common cell. That number is the bound, and such sets are shown, or all found sets if they are asked for.",
    settings: UnavoidableSettings::TABLE,
    columns: UnavoidableColumns::TABLE,
    make: made::<UnavoidableSettings>,
};

#[derive(Clone, Debug)]
struct Unavoidable {
    most: u32,
    list: bool,
}

impl Asked for UnavoidableSettings {
    fn definition() -> &'static Definition {
        &UNAVOIDABLE
    }

    fn responder(self) -> Box<dyn Responder> {
        Box::new(Unavoidable {
            most: self.most.min(CELLS as u64) as u32,
            list: self.list,
        })
    }
}

impl Responder for Unavoidable {
    fn fork(&self) -> Box<dyn Responder> {
        Box::new(self.clone())
    }

    fn fill(&mut self, batch: Batch<'_>, answer: &mut Answer<'_>) {
        let records = batch.records;
        let mut statuses = StatusColumn::of(answer);
        let (columns, mut text) = (UnavoidableColumns::all(), Vec::new());
        for record in 0..records.len() {
            let grid = valid_grid(records, record);
            let sets = grid.as_ref().ok().map(|grid| minimal_sets(grid, self.most));
            let disjoint = sets.as_ref().map(|sets| most_disjoint(sets));
            let shown = match self.list {
                true => &sets,
                false => &disjoint,
            };
            text.clear();
            for set in shown.iter().flatten() {
                push_set(*set, &mut text);
            }
            text.pop();
            let row = UnavoidableRow {
                unavoidable_count: sets.as_ref().map(|sets| sets.len() as u64),
                clue_bound: disjoint.as_ref().map(|sets| sets.len() as u64),
                unavoidable: NewText::from(&text),
            };
            columns.push(answer, record, row);
            statuses.push(grid.map(|_| Status::Valid));
        }
        answer.counts += statuses.counts_of_grids();
        statuses.swap(answer);
    }

    /// Each takes some milliseconds.
    fn batch(&self) -> usize {
        16
    }

    fn expects_grids(&self) -> bool {
        true
    }

    fn outcome(&self, counts: &Counts, records: u64) -> RunOutcome {
        outcome_of_grids(counts, records)
    }
}

/// Adds the cells of a set, and a space.
fn push_set(set: Cells, text: &mut Vec<u8>) {
    for cell in Cell::all().filter(|cell| set >> cell.index() & 1 == 1) {
        write!(text, "{cell}+").expect("into memory");
    }
    text.pop();
    text.push(b' ');
}

/// Some cells, bit `c` for the cell `c`.
type Cells = u128;

/// The minimal unavoidable sets of a grid with up to so many cells: the smallest first, then in the order of their cells.
fn minimal_sets(grid: &Grid, most: u32) -> Vec<Cells> {
    let mut search = Search::new(grid, most);
    for cell in 0..CELLS {
        // It is the first cell that changes.
        search.excluded = (1 << cell) - 1;
        search.go_on(1 << cell, 1 << cell);
    }
    let mut found = search.found;
    found.sort_unstable_by_key(|set| (set.count_ones(), set.reverse_bits() ^ Cells::MAX));
    found.dedup();
    let mut minimal: Vec<Cells> = Vec::new();
    for set in found {
        if minimal.iter().all(|part| part & !set != 0) {
            minimal.push(set);
        }
    }
    minimal
}

/// A search for the grids that differ from a grid in few cells.
///
/// A set is minimal and unavoidable if the cells where another grid differs from this one are the set, and no third grid differs in a
/// part of it. The search begins at a cell, and gives each cell that changes a new digit. The cells that hold the new digit in the
/// row, the column and the box have to change too. Once each cell that has to change has a new digit, the
/// whole is a grid: each house has as many new digits as old ones, and they are the same digits. Another grid that differs in a
/// minimal set is found so, since none of its cells is left out at the end: they would differ without the others.
struct Search {
    most: u32,
    /// The old digit of each cell, from 0.
    digits: [u8; CELLS],
    /// The houses of each cell: its row, its column and its box.
    houses: [[u8; 3]; CELLS],
    /// The cells of each house.
    of_house: [Cells; 27],
    /// The cells that have to change once a cell has a new digit.
    forced: Vec<[Cells; 9]>,
    /// The new digits in each house, as a set.
    new: [u16; 27],
    /// The cells that must not change.
    excluded: Cells,
    found: Vec<Cells>,
    steps: u32,
}

impl Search {
    fn new(grid: &Grid, most: u32) -> Self {
        let digits = grid.as_ascii().map(|character| character - b'1');
        let houses = std::array::from_fn(|cell| {
            let (row, column) = (cell / 9, cell % 9);
            [row, 9 + column, 18 + row / 3 * 3 + column / 3].map(|house| house as u8)
        });
        let mut of_house = [0; 27];
        for (cell, houses) in houses.iter().enumerate() {
            for house in houses {
                of_house[usize::from(*house)] |= 1 << cell;
            }
        }
        let mut of_digit = [0; 9];
        for (cell, digit) in digits.iter().enumerate() {
            of_digit[usize::from(*digit)] |= 1 << cell;
        }
        let forced = houses.iter().map(|houses| {
            let seen = houses.map(|house| of_house[usize::from(house)]);
            of_digit.map(|cells| cells & (seen[0] | seen[1] | seen[2]))
        });
        Self {
            most,
            digits,
            houses,
            of_house,
            forced: forced.collect(),
            new: [0; 27],
            excluded: 0,
            found: Vec::new(),
            steps: 0,
        }
    }

    /// Goes on with cells that change. `open` are those of them that have no new digit yet.
    fn go_on(&mut self, set: Cells, open: Cells) {
        if open == 0 {
            self.found.push(set);
            return;
        }
        self.steps += 1;
        if self.steps.is_multiple_of(1 << 14) {
            stop::check();
        }
        if set.count_ones() + self.missing(set) > self.most {
            return;
        }
        // The open cell with the fewest new digits.
        let (mut chosen, mut fewest) = ((0, 0), u32::MAX);
        let mut rest = open;
        while rest != 0 && fewest > 1 {
            let cell = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let digits = self.new_digits(cell, set);
            if digits.count_ones() < fewest {
                (chosen, fewest) = ((cell, digits), digits.count_ones());
            }
        }
        let (cell, mut digits) = chosen;
        let houses = self.houses[cell].map(usize::from);
        while digits != 0 {
            let digit = digits.trailing_zeros() as usize;
            digits &= digits - 1;
            let more = self.forced[cell][digit] & !set;
            for house in houses {
                self.new[house] |= 1 << digit;
            }
            self.go_on(set | more, (open | more) & !(1 << cell));
            for house in houses {
                self.new[house] &= !(1 << digit);
            }
        }
    }

    /// The least number of cells that have to change too: no house has a single cell that changes, and a cell is in
    /// one row, one column and one box.
    #[inline(always)]
    fn missing(&self, set: Cells) -> u32 {
        let mut most = 0;
        for houses in self.of_house.as_chunks::<9>().0 {
            let single = |cells: &Cells| u32::from((set & cells).is_power_of_two());
            most = houses.iter().map(single).sum::<u32>().max(most);
        }
        most
    }

    /// The new digits that a cell can have without too many cells that change.
    #[inline(always)]
    fn new_digits(&self, cell: usize, set: Cells) -> u16 {
        let [row, column, of_box] = self.houses[cell].map(|house| self.new[usize::from(house)]);
        let mut rest = 0x1ff & !(row | column | of_box | 1 << self.digits[cell]);
        let mut digits = 0;
        while rest != 0 {
            let digit = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let more = set | self.forced[cell][digit];
            let fits = more & self.excluded == 0 && more.count_ones() <= self.most;
            digits |= u16::from(fits) << digit;
        }
        digits
    }
}

/// The most sets without a common cell, or the first such choice that the search meets.
///
/// Sets are vertices, and those without a common cell have an edge. So this is a largest clique. The bound of E. Tomita and T. Seki:
/// vertices in groups without edges inside, of which a clique has one each.
fn most_disjoint(sets: &[Cells]) -> Vec<Cells> {
    let words = sets.len().div_ceil(64);
    let mut edges = vec![vec![0; words]; sets.len()];
    for (edges, set) in edges.iter_mut().zip(sets) {
        for (n, other) in sets.iter().enumerate() {
            edges[n / 64] |= u64::from(set & other == 0) << (n % 64);
        }
    }
    let mut all = vec![0; words];
    for n in 0..sets.len() {
        all[n / 64] |= 1 << (n % 64);
    }
    let mut packing = Packing {
        edges,
        chosen: Vec::new(),
        best: Vec::new(),
    };
    packing.go_on(all);
    packing.best.sort_unstable();
    packing.best.iter().map(|&n| sets[n]).collect()
}

struct Packing {
    /// For each set, those without a cell of it, a bit each.
    edges: Vec<Vec<u64>>,
    chosen: Vec<usize>,
    best: Vec<usize>,
}

impl Packing {
    fn go_on(&mut self, mut left: Vec<u64>) {
        if self.chosen.len() > self.best.len() {
            self.best.clone_from(&self.chosen);
        }
        stop::check();
        for (set, group) in self.groups(&left).into_iter().rev() {
            if self.chosen.len() + group <= self.best.len() {
                return;
            }
            let edges = left.iter().zip(&self.edges[set]);
            let next = edges.map(|(left, edges)| left & edges).collect();
            self.chosen.push(set);
            self.go_on(next);
            self.chosen.pop();
            left[set / 64] &= !(1 << (set % 64));
        }
    }

    /// Sets by groups of sets that all meet each other, with the number of the group from 1.
    fn groups(&self, left: &[u64]) -> Vec<(usize, usize)> {
        let first = |sets: &[u64]| {
            let word = sets.iter().position(|word| *word != 0)?;
            Some(64 * word + sets[word].trailing_zeros() as usize)
        };
        let mut order = Vec::new();
        let mut left = left.to_vec();
        let mut group = 0;
        while first(&left).is_some() {
            group += 1;
            let mut open = left.clone();
            while let Some(set) = first(&open) {
                order.push((set, group));
                left[set / 64] &= !(1 << (set % 64));
                open[set / 64] &= !(1 << (set % 64));
                for (open, edges) in open.iter_mut().zip(&self.edges[set]) {
                    *open &= !edges;
                }
            }
        }
        order
    }
}
