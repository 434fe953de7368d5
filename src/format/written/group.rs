//! Rows to grids: of all ways to take nine rows, the one with the most proper grids.

use super::evidence::{Found, Kind, RowOfDigits};

/// Rows with cells, and the text between them as numbers of segments.
#[derive(Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    cells: Vec<u8>,
    /// The lines behind the last row.
    divided: Dividers,
}

/// The lines without cells that stand between two rows.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dividers {
    /// A blank line.
    pub(super) gap: bool,
    /// Signs.
    pub(super) rule: bool,
}

impl Dividers {
    pub(super) const GAP: Self = Self {
        gap: true,
        rule: false,
    };
    pub(super) const RULE: Self = Self {
        gap: false,
        rule: true,
    };

    pub(super) fn add(&mut self, other: Self) {
        self.gap |= other.gap;
        self.rule |= other.rule;
    }
}

struct Row {
    /// A text between two rows begins a segment. No grid is in two.
    segment: u32,
    /// The place of its first byte, and of one on its last line.
    place: (usize, usize),
    start: usize,
    width: usize,
    /// The digits, if it has nine cells.
    digits: RowOfDigits,
    /// The cost of leaving the row out.
    cost: f64,
    /// The lines before it.
    divided: Dividers,
}

/// How rows become grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grouping {
    /// The rows of a grid: nine of nine cells, or three of 27.
    pub(super) rows: usize,
    /// Of two equal ways, the one whose first grid begins later.
    pub(super) late: bool,
}

impl Grouping {
    pub(super) const EARLY: Self = Self {
        rows: 9,
        late: false,
    };
    pub(super) const LATE: Self = Self {
        rows: 9,
        late: true,
    };
}

impl Grouping {
    /// The words after the name of a reading.
    pub(super) fn note(self) -> &'static str {
        if self.late {
            ", the first rows left out"
        } else {
            ""
        }
    }
}

/// The best grid that begins at a row.
#[derive(Clone, Copy, PartialEq)]
enum Taken {
    Nothing,
    Grid,
    /// Eleven rows, of which the fourth and the eighth are blank.
    Bands,
}

/// The cost of a line between rows of a grid that belong together, and of a row that is none. Where a puzzle lacks a row,
/// some of its rows and some of the puzzle before or behind could be a grid too. Where two puzzles do, it takes more to keep
/// the one between them.
const WITHIN_BAND: f64 = 0.2;
const WITHIN_GRID: f64 = 1.5;

impl Rows {
    /// Notes lines before the next row.
    pub(super) fn divide(&mut self, by: Dividers) {
        self.divided.add(by);
    }

    /// The rows between which no line of a kind is expected: nine where such lines stand between puzzles, and three where
    /// they stand between bands. Lines between most rows tell nothing.
    fn together(&self, has: fn(Dividers) -> bool) -> Option<usize> {
        let divided = self.rows.iter().enumerate();
        let divided: Vec<_> = divided
            .filter_map(|(at, row)| has(row.divided).then_some(at))
            .collect();
        let distances = || divided.windows(2).map(|two| two[1] - two[0]);
        // The numbers of the columns may be a row.
        let of_grids = distances().filter(|rows| (9..12).contains(rows)).count();
        let of_bands = distances().filter(|&rows| rows == 3).count();
        let tells = !divided.is_empty() && 2 * divided.len() <= self.rows.len();
        tells.then_some(if of_grids > of_bands { 9 } else { 3 })
    }

    /// For each row, the cost of having it in a grid: as the first row, as the first of another band, and as another row.
    fn costs(&self) -> Vec<[f64; 3]> {
        let mut costs = vec![[0.0; 3]; self.rows.len()];
        // A rule may stand in every puzzle, below its first row.
        self.add_costs(|divided| divided.gap, WITHIN_GRID, &mut costs);
        self.add_costs(|divided| divided.rule, WITHIN_BAND, &mut costs);
        // Above most grids, the numbers of the columns are no row of one.
        let is_label = |row: usize| self.row(row) == b"123456789";
        let labels = (0..self.rows.len()).filter(|&row| is_label(row)).count();
        if 12 * labels >= self.rows.len() {
            for (row, costs) in costs.iter_mut().enumerate() {
                if is_label(row) {
                    *costs = costs.map(|cost| cost + WITHIN_GRID);
                }
            }
        }
        costs
    }

    /// Adds the costs of the lines of a kind.
    fn add_costs(&self, has: fn(Dividers) -> bool, within_grid: f64, costs: &mut [[f64; 3]]) {
        let [of_band, other] = match self.together(has) {
            None => return,
            Some(9) => [within_grid; 2],
            Some(_) => [0.0, WITHIN_BAND],
        };
        for (row, costs) in self.rows.iter().zip(costs) {
            if has(row.divided) {
                costs[1] += of_band;
                costs[2] += other;
            }
        }
    }

    pub(super) fn push(&mut self, segment: u32, place: (usize, usize), cells: &[u8], cost: f64) {
        self.rows.push(Row {
            segment,
            place,
            start: self.cells.len(),
            width: cells.len(),
            digits: cells
                .as_array()
                .map_or_else(RowOfDigits::default, RowOfDigits::of),
            cost,
            divided: std::mem::take(&mut self.divided),
        });
        self.cells.extend_from_slice(cells);
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    fn row(&self, row: usize) -> &[u8] {
        let row = &self.rows[row];
        &self.cells[row.start..row.start + row.width]
    }

    /// Grid `number` of those side by side in these rows.
    fn grid(&self, rows: impl Iterator<Item = usize>, number: usize, unit: usize) -> [u8; 81] {
        let mut cells = [0; 81];
        for (row, out) in rows.zip(cells.chunks_mut(unit)) {
            out.copy_from_slice(&self.row(row)[number * unit..][..unit]);
        }
        cells
    }

    /// The kind of nine rows of nine cells.
    fn kind(&self, rows: impl Iterator<Item = usize>) -> Kind {
        Kind::of_rows(rows.map(|row| &self.rows[row].digits))
    }

    /// The grids of the best way.
    pub(super) fn grids(&self, grouping: Grouping) -> Vec<Found> {
        let (per, unit) = (grouping.rows, 81 / grouping.rows);
        let count = self.rows.len();
        // The worth of the rows from each on.
        let mut worth = vec![0.0; count + 1];
        let mut taken = vec![Taken::Nothing; count + 1];
        let is_blank = |row: usize| self.row(row).iter().all(|&cell| cell == b'.');
        // For each row, the number of rows from it on that have its segment and its width.
        let mut alike = vec![1; count + 1];
        let costs = if per == 9 { self.costs() } else { Vec::new() };
        for at in (0..count).rev() {
            let row = &self.rows[at];
            if let Some(next) = self.rows.get(at + 1)
                && (row.segment, row.width) == (next.segment, next.width)
            {
                alike[at] = alike[at + 1] + 1;
            }
            worth[at] = worth[at + 1] - row.cost;
            if alike[at] >= per {
                let grids = row.width / unit;
                let kinds = (0..grids).map(|grid| match grids {
                    1 if per == 9 => self.kind(at..at + per),
                    _ => Kind::of(&self.grid(at..at + per, grid, unit)),
                });
                let sum: f64 = kinds.map(|k| if k.is_proper() { 1.0 } else { -0.5 }).sum();
                let mut all = sum / grids as f64 + worth[at + per];
                let least = worth[at] + if grouping.late { 1e-9 } else { -1e-9 };
                // Most ways are worse already.
                if per == 9 && all > least {
                    let place = |row| match row {
                        0 => 0,
                        3 | 6 => 1,
                        _ => 2,
                    };
                    all -= (0..per).map(|row| costs[at + row][place(row)]).sum::<f64>();
                }
                if all > least {
                    (worth[at], taken[at]) = (all, Taken::Grid);
                }
            }
            if per == 9 && row.width == 9 && alike[at] >= 11 && is_blank(at + 3) && is_blank(at + 7)
            {
                let kind = self.kind((0..9).map(|row| at + row + row / 3));
                let is_proper = kind.is_proper();
                let all = worth[at + 11] + if is_proper { 1.02 } else { -2.0 };
                if all > worth[at] {
                    (worth[at], taken[at]) = (all, Taken::Bands);
                }
            }
        }
        let mut found = Vec::new();
        let mut at = 0;
        while at < count {
            let length = match taken[at] {
                Taken::Nothing => 1,
                Taken::Grid => per,
                Taken::Bands => 11,
            };
            let (first, last) = (&self.rows[at], &self.rows[at + length - 1]);
            let place = (first.place.0, last.place.1);
            match taken[at] {
                Taken::Nothing => {}
                Taken::Grid => {
                    for grid in 0..self.rows[at].width / unit {
                        found.push(Found {
                            place,
                            cells: self.grid(at..at + per, grid, unit),
                            key: grid as u32,
                        });
                    }
                }
                Taken::Bands => found.push(Found {
                    place,
                    cells: self.grid((0..9).map(|row| at + row + row / 3), 0, 9),
                    key: 0,
                }),
            }
            at += length;
        }
        found
    }

    /// The grids of the best way, and of the best that begins later if it has others.
    pub(super) fn both(&self, rows: usize) -> Vec<(Grouping, Vec<Found>)> {
        let grouped = |late| {
            let grouping = Grouping { rows, late };
            (grouping, self.grids(grouping))
        };
        let (early, late) = (grouped(false), grouped(true));
        if early.1 == late.1 {
            vec![early]
        } else {
            vec![early, late]
        }
    }
}
