//! Figures as a table to read.

use super::figures::Figures;
use indicatif::HumanCount;
use std::fmt;

/// A table of columns that are as wide as they must.
pub(super) struct Table {
    /// The titles, then the rows.
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these titles and no rows.
    pub(super) fn titled(titles: &[&str]) -> Self {
        let titles = titles.iter().map(|&title| title.to_owned()).collect();
        Self { rows: vec![titles] }
    }

    /// A table of figures.
    pub(super) fn of(figures: &[Figures]) -> Self {
        let any = |column: &Column| figures.iter().any(|figures| column.1(figures).is_some());
        let columns: Vec<_> = COLUMNS.iter().filter(|column| any(column)).collect();
        let mut table = Self::titled(&columns.iter().map(|column| column.0).collect::<Vec<_>>());
        for figures in figures {
            let cells = columns.iter().map(|column| column.1(figures));
            table.add(
                cells
                    .map(|cell| cell.unwrap_or_else(|| "-".into()))
                    .collect(),
            );
        }
        table
    }

    /// Adds a row.
    pub(super) fn add(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    /// The titles, then the rows.
    pub(super) fn rows(&self) -> &[Vec<String>] {
        &self.rows
    }

    /// Whether a column holds numbers: under its title stand only digits,
    /// their signs, and `-` for none.
    pub(super) fn is_of_numbers(&self, column: usize) -> bool {
        let number = |cell: &String| {
            cell.chars()
                .all(|c| c.is_ascii_digit() || ".,-".contains(c))
        };
        self.rows[1..].iter().all(|row| number(&row[column]))
    }
}

/// A title, and what stands under it if it applies. Where it applies to no row
/// there is no such column.
type Column = (&'static str, fn(&Figures) -> Option<String>);

const COLUMNS: [Column; 13] = [
    ("corpus", |f| Some(f.corpus.clone())),
    ("puzzles", |f| Some(count(f.puzzles as f64))),
    ("distinct", |f| f.distinct.map(|n| count(n as f64))),
    ("engine", |f| Some(f.engine.clone())),
    ("level", |f| f.level.clone()),
    ("threads", |f| f.threads.map(|n| n.to_string())),
    ("ns/puzzle", |f| Some(nanoseconds(f.ns_per_puzzle()))),
    ("median", |f| Some(nanoseconds(f.ns_per_puzzle_median()))),
    ("puzzles/s", |f| Some(count(f.puzzles_per_second()))),
    ("MB/s", |f| Some(format!("{:.1}", f.mb_per_second()))),
    ("speed-up", |f| f.speedup.map(|ratio| format!("{ratio:.2}"))),
    ("ratio", |f| f.ratio.map(|ratio| format!("{ratio:.2}"))),
    ("checksum", |f| Some(f.checksum_text())),
];

fn count(number: f64) -> String {
    HumanCount(number.round() as u64).to_string()
}

/// Three digits or more.
fn nanoseconds(time: f64) -> String {
    match time {
        ..10.0 => format!("{time:.2}"),
        ..100.0 => format!("{time:.1}"),
        _ => HumanCount(time.round() as u64).to_string(),
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
            let cells = row
                .iter()
                .zip(&columns)
                .map(|(cell, &(width, number))| match number {
                    true => format!("{cell:>width$}"),
                    false => format!("{cell:<width$}"),
                });
            writeln!(f, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_left_and_numbers_right() {
        let mut table = Table::titled(&["name", "n", "sum"]);
        for row in [["a", "1,000", "0a"], ["longer", "-", "1.5"]] {
            table.add(row.map(str::to_owned).to_vec());
        }
        assert_eq!(
            table.to_string(),
            "name        n  sum\na       1,000  0a\nlonger      -  1.5\n"
        );
    }

    #[test]
    fn numbers_have_three_digits() {
        for (time, text) in [
            (1.234, "1.23"),
            (45.67, "45.7"),
            (985.4, "985"),
            (45_512.3, "45,512"),
        ] {
            assert_eq!(nanoseconds(time), text);
        }
    }
}
