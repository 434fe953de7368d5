//! `sudoku-batch show`.

use crate::{
    driver::{
        InputFile, OutputFile,
        locale::has_unicode,
        options::{Between, FormOptions, number_from},
    },
    lattice::Charset,
};
use anyhow::bail;
use sudoku_batch::{Cell, draw::sheet};

/// Draw a puzzle: clues, errors, candidates, solutions.
///
/// The record is drawn as a grid with boxes, next to its solution, or the smallest of several. Below
/// stand its status and how many solutions it has. An exclamation mark stands behind each digit that is
/// twice in a row, column or box.
#[derive(Debug, clap::Args)]
#[command(after_long_help = EXAMPLES)]
pub(crate) struct Show {
    /// A file of records, `-` for standard input, or a puzzle: 81 cells that name no file.
    #[arg(value_name = "FILE | PUZZLE", default_value = "-")]
    pub(crate) input: InputFile,

    /// How the records stand there.
    #[command(flatten)]
    pub(crate) form: FormOptions,

    /// Which record, counted from 1, or which ones, as in 3..8 (both ends included), 3.. or ..8 [default: the
    /// first; with --html all].
    #[arg(long, value_name = "A..B", value_parser = records)]
    record: Option<Between>,

    /// Draw the candidates of each blank cell, and name the cell with the fewest.
    #[arg(long)]
    pub(crate) candidates: bool,

    /// Show the candidates of one cell, as in r4c5, and why the other digits are not.
    #[arg(long, value_name = "CELL", value_parser = cell)]
    pub(crate) cell: Option<Cell>,

    /// Draw this many solutions, the smallest first [default: 1; 0 with
    /// --candidates, --cell, --explain or --svg].
    #[arg(long, value_name = "N", value_parser = number_from::<usize>(0))]
    solutions: Option<usize>,

    /// Show the way to the solution, one step at a time, with the technique of each step.
    ///
    /// Only a puzzle with several solutions may take a guess, and the line says so.
    #[arg(long)]
    pub(crate) explain: bool,

    /// Draw with + - | in place of lines that join. So it does where the locale is not UTF-8, as with LC_ALL=C.
    #[arg(long)]
    pub(crate) ascii: bool,

    /// When to use colours. auto: on a terminal, unless NO_COLOR is set.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub(crate) color: When,

    /// Write one puzzle as an SVG picture; `-` is standard output.
    ///
    /// With --candidates it has pencil marks, with --solutions 1 the solution.
    #[arg(long, value_name = "FILE", group = "picture", conflicts_with_all = ["html", "explain", "cell", "ascii"])]
    pub(crate) svg: Option<OutputFile>,

    /// Write an HTML sheet to print, with the answers on the last pages; `-` is standard output.
    #[arg(long, value_name = "FILE", group = "picture", conflicts_with_all = ["explain", "cell", "candidates", "solutions", "ascii"])]
    pub(crate) html: Option<OutputFile>,

    /// How many puzzles are on a page of the sheet.
    #[arg(long, value_enum, value_name = "N", default_value_t = PerPage::Six, requires = "html")]
    pub(crate) per_page: PerPage,

    /// Write the ER and the difficulty below each puzzle of the sheet.
    #[arg(long, requires = "html")]
    pub(crate) ratings: bool,

    /// The title of the sheet or the picture, at its top.
    ///
    /// Under a Chinese title the words of the sheet are Chinese.
    #[arg(long, value_name = "TEXT", requires = "picture")]
    pub(crate) title: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  sudoku-batch show puzzles.txt --record 4711
      Draw record 4,711 and its solution.
  sudoku-batch show 4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8
      Draw a puzzle that is typed in.
  sudoku-batch show puzzles.txt --candidates --cell r4c5
      Draw the candidates, and say why r4c5 has no others.
  sudoku-batch show puzzles.txt --explain | less
      See step by step how to solve it.
  sudoku-batch show puzzles.txt --record 12 --svg puzzle.svg
      A picture for a worksheet.
  sudoku-batch show puzzles.txt --record 1..24 --html sheet.html --per-page 4 --title 'Class 5b'
      Six pages to print, and two with the answers.

Exit status: 0 all went well; 1 a record that is shown is malformed, has a digit twice in a house or has
no solution; 2 wrong usage, a record that is not there, or a file that cannot be read or written.";

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

impl When {
    /// Returns true if colours are to be used, on a terminal or not.
    pub(crate) fn is_now(self, terminal: bool) -> bool {
        // https://no-color.org: any value but the empty one.
        let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        match self {
            Self::Auto => terminal && !unwanted,
            Self::Always => true,
            Self::Never => false,
        }
    }
}

/// The characters of lines, as the user and the locale want them.
pub(crate) fn charset(ascii: bool) -> Charset {
    match ascii || !has_unicode() {
        true => Charset::Ascii,
        false => Charset::Unicode,
    }
}

/// How many puzzles are on a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PerPage {
    /// Two rows of two.
    #[value(name = "4")]
    Four,
    /// Three rows of two.
    #[value(name = "6")]
    Six,
    /// Three rows of three.
    #[value(name = "9")]
    Nine,
}

impl From<PerPage> for sheet::PerPage {
    fn from(per_page: PerPage) -> Self {
        match per_page {
            PerPage::Four => Self::Four,
            PerPage::Six => Self::Six,
            PerPage::Nine => Self::Nine,
        }
    }
}

impl Show {
    /// Which records are shown, counted from 1; no last one means all.
    pub(crate) fn range(&self) -> anyhow::Result<(u64, Option<u64>)> {
        match (self.record, &self.html) {
            (Some(Between { from, to }), _) if self.svg.is_some() && from != to => {
                bail!("--svg is a picture of one record: --html draws several")
            }
            (Some(Between { from, to }), _) => Ok((from.unwrap_or(1), to)),
            (None, Some(_)) => Ok((1, None)),
            (None, None) => Ok((1, Some(1))),
        }
    }

    /// The number of solutions that are drawn.
    pub(crate) fn solutions(&self) -> usize {
        // A picture is for a worksheet, and candidates are a help to find the solution.
        let bare = self.svg.is_some() || self.candidates || self.cell.is_some() || self.explain;
        self.solutions.unwrap_or(usize::from(!bare))
    }
}

/// Reads `7`, `3..8`, `3..` or `..8`.
fn records(text: &str) -> Result<Between, String> {
    let range: Between = text.parse()?;
    if [range.from, range.to].contains(&Some(0)) {
        return Err("records count from 1".into());
    }
    Ok(range)
}

/// Reads `r4c5`.
fn cell(text: &str) -> Result<Cell, String> {
    let wanted = || "a cell like r4c5 is wanted: row 4, column 5".to_owned();
    match text.to_ascii_lowercase().as_bytes() {
        &[b'r', row @ b'1'..=b'9', b'c', column @ b'1'..=b'9'] => Ok(Cell::at(
            usize::from(row - b'1'),
            usize::from(column - b'1'),
        )),
        _ => Err(wanted()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_one_or_a_range() {
        let read = |text| records(text).map(|range| (range.from, range.to));
        assert_eq!(read("7"), Ok((Some(7), Some(7))));
        assert_eq!(read("3..8"), Ok((Some(3), Some(8))));
        assert_eq!(read("1k.."), Ok((Some(1000), None)));
        assert_eq!(read("..3"), Ok((None, Some(3))));
        for wrong in ["", "0", "0..3", "-1", "8..3", "..", "a", "1..2..3"] {
            assert!(records(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn cells_have_names() {
        assert_eq!(cell("r4c5"), Ok(Cell::at(3, 4)));
        assert_eq!(cell("R9C1"), Ok(Cell::at(8, 0)));
        for wrong in ["", "r0c1", "r1c10", "c1r1", "45", "r4 c5"] {
            assert!(cell(wrong).is_err(), "{wrong}");
        }
    }
}
