//! Rows to grids: of all ways to take nine rows, the one with the most proper grids.

use super::evidence::{Found, Kind, RowOfDigits};

/// Rows with cells, and the text between them as numbers of segments.
#[derive(Default)]
pub(super) struct Rows {
    rows: Vec<Row>,
    cells: Vec<u8>,
    /// Whether a line without cells stands behind the last row.
    is_divided: bool,
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
    /// Whether a blank line or a rule stands before it.
    is_divided: bool,
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

/// The cost of a blank line or a rule between rows of a grid that [belong together](Rows::together). Where a puzzle lacks a
/// row, some of its rows and some of the puzzle before could be a grid too.
const DIVIDED: f64 = 0.2;

impl Rows {
    /// Notes a blank line or a rule before the next row.
    pub(super) fn divide(&mut self) {
        self.is_divided = true;
    }

    /// The rows between which no line without cells is expected: nine where such lines stand between puzzles, and three where
    /// they stand between bands. Lines between most rows tell nothing.
    fn together(&self) -> Option<usize> {
        let divided = self.rows.iter().enumerate();
        let divided: Vec<_> = divided
            .filter_map(|(at, row)| row.is_divided.then_some(at))
            .collect();
        let of = |rows| {
            divided
                .windows(2)
                .filter(|two| two[1] - two[0] == rows)
                .count()
        };
        let tells = !divided.is_empty() && 2 * divided.len() <= self.rows.len();
        tells.then(|| if of(9) > of(3) { 9 } else { 3 })
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
            is_divided: std::mem::take(&mut self.is_divided),
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
        let together = if per == 9 { self.together() } else { None };
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
                if let Some(together) = together {
                    let within = (1..per).filter(|row| row % together > 0);
                    let divided = within.filter(|row| self.rows[at + row].is_divided).count();
                    all -= DIVIDED * divided as f64;
                }
                let least = worth[at] + if grouping.late { 1e-9 } else { -1e-9 };
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
