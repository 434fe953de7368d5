//! Figures as a table to read.

use super::figures::Figures;
use crate::driver::words::grouped;
use std::fmt;

/// A table of columns that are as wide as they must.
pub(super) struct Table {
    /// The titles, then the rows.
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    /// A table of figures, without the columns that apply to no row.
    pub(super) fn of(figures: &[Figures]) -> Self {
        let any = |column: &&Column| figures.iter().any(|figures| column.1(figures).is_some());
        let columns: Vec<_> = COLUMNS.iter().filter(any).collect();
        let mut rows: Vec<Vec<String>> = vec![columns.iter().map(|c| c.0.into()).collect()];
        for figures in figures {
            let cell = |column: &&Column| column.1(figures).unwrap_or_else(|| "-".into());
            rows.push(columns.iter().map(cell).collect());
        }
        Self { rows }
    }

    /// Returns true if a column holds numbers: under its title stand only digits,
    /// their signs, and `-` for none.
    pub(super) fn is_of_numbers(&self, column: usize) -> bool {
        let mut cells = self.rows[1..].iter().map(|row| &row[column]);
        cells.all(|cell| {
            cell.chars()
                .all(|c| c.is_ascii_digit() || ".,-".contains(c))
        })
    }
}

/// A title, and the cell under it, if the column applies to a row.
type Column = (&'static str, fn(&Figures) -> Option<String>);

const COLUMNS: [Column; 13] = [
    ("corpus", |f| Some(f.label.corpus.clone())),
    ("puzzles", |f| Some(count(f.label.puzzles as f64))),
    ("distinct", |f| f.label.distinct.map(|n| count(n as f64))),
    ("engine", |f| Some(f.label.engine.clone())),
    ("level", |f| f.label.level.map(String::from)),
    ("threads", |f| f.label.threads.map(|n| n.to_string())),
    ("ns/puzzle", |f| Some(nanoseconds(f.ns_per_puzzle))),
    ("median", |f| Some(nanoseconds(f.ns_per_puzzle_median))),
    ("puzzles/s", |f| Some(count(f.puzzles_per_second))),
    ("MB/s", |f| Some(format!("{:.1}", f.mb_per_second))),
    ("speed-up", |f| f.speedup.map(|ratio| format!("{ratio:.2}"))),
    ("ratio", |f| f.ratio.map(|ratio| format!("{ratio:.2}"))),
    ("checksum", |f| Some(f.checksum.clone())),
];

fn count(number: f64) -> String {
    grouped(number.round() as u64)
}

/// Three digits or more.
fn nanoseconds(time: f64) -> String {
    match time {
        ..10.0 => format!("{time:.2}"),
        ..100.0 => format!("{time:.1}"),
        _ => grouped(time.round() as u64),
    }
}

/// Words stand to the left, numbers to the right.
impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| row[column].chars().count());
            cells.max().unwrap_or(0)
        };
        let columns = 0..self.rows[0].len();
        let columns: Vec<_> = columns.map(|c| (width(c), self.is_of_numbers(c))).collect();
        for row in &self.rows {
            let cells = row.iter().zip(&columns);
            let cells = cells.map(|(cell, &(width, is_number))| {
                if is_number {
                    format!("{cell:>width$}")
                } else {
                    format!("{cell:<width$}")
                }
            });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}
