//! An HTML sheet to print: puzzles, some on a page, and their answers on the last pages.

use super::{
    Picture,
    svg::{self, Escaped, STYLE},
};
use crate::grid::{Grid, Puzzle};
use std::fmt;

/// How many puzzles are on a page.
///
/// ```text
///     Four          Six           Nine
///     [ ] [ ]       [ ] [ ]       [ ] [ ] [ ]
///                   [ ] [ ]       [ ] [ ] [ ]
///     [ ] [ ]       [ ] [ ]       [ ] [ ] [ ]
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PerPage {
    /// Two rows of two.
    Four,
    /// Three rows of two.
    #[default]
    Six,
    /// Three rows of three.
    Nine,
}

impl PerPage {
    /// The number.
    pub const fn count(self) -> usize {
        match self {
            Self::Four => 4,
            Self::Six => 6,
            Self::Nine => 9,
        }
    }

    /// How many stand side by side, and how wide each is, in millimetres.
    const fn columns(self) -> (usize, usize) {
        match self {
            Self::Four => (2, 84),
            Self::Six => (2, 72),
            Self::Nine => (3, 56),
        }
    }
}

/// How many answers are on a page: four rows of three.
pub const ANSWERS_PER_PAGE: usize = 12;

/// A puzzle of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// What stands above the puzzle and above its answer.
    pub label: String,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its answer.
    pub answer: Answer,
}

/// The answer of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The only solution.
    Only(Grid),
    /// One of several.
    OneOfSeveral(Grid),
    /// There is no solution.
    None,
}

/// A sheet. As text it is an HTML page that loads nothing: A4 and US letter paper both fit.
///
/// ```
/// use sudoku_batch::{Outcome, Puzzle, Solver, draw::sheet::{Answer, Entry, PerPage, Sheet}};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let Outcome::Unique(solution) = Solver::new().solve(&puzzle) else { panic!() };
/// let sheet = Sheet {
///     title: "Monday".into(),
///     per_page: PerPage::Four,
///     entries: vec![Entry { label: "1".into(), puzzle, answer: Answer::Only(solution) }],
/// };
/// let page = sheet.to_string();
/// assert_eq!(page.matches("<svg").count(), 2, "the puzzle and its answer");
/// assert_eq!(page.matches("<section").count(), 2, "a page each");
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// What stands at the top of each page. It may be empty.
    pub title: String,
    /// How many puzzles are on a page.
    pub per_page: PerPage,
    /// The puzzles.
    pub entries: Vec<Entry>,
}

/// The look of the page. A page of paper leaves 190 x 260 mm free on A4 and on US letter
/// with the margins of `@page`.
const PAGE_STYLE: &str = "\
@page{margin:9mm}\
*{box-sizing:border-box}\
body{margin:0;color:#000;background:#fff;font-family:Helvetica,Arial,'Liberation Sans',sans-serif}\
section{width:190mm;height:258mm;margin:0 auto;break-after:page;display:flex;flex-direction:column}\
section:last-of-type{break-after:auto}\
h1{font-size:5mm;line-height:8mm;height:8mm;margin:0;font-weight:normal;text-align:center;\
white-space:nowrap;overflow:hidden;text-overflow:ellipsis}\
.grids{flex:1;display:grid;justify-items:center;align-content:space-evenly}\
figure{margin:0;text-align:center;break-inside:avoid}\
figcaption{font-size:4mm;line-height:6mm;height:6mm;white-space:nowrap;overflow:hidden;\
text-overflow:ellipsis}\
svg{display:block;width:100%}\
@media screen{body{background:#ddd}section{background:#fff;margin:5mm auto;padding:0;\
box-shadow:0 0 2mm #888}}";

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = match self.title.as_str() {
            "" => "Sudoku",
            title => title,
        };
        write!(
            f,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\">\
             <title>{}</title>\n<style>{PAGE_STYLE}\n{STYLE}</style></head>\n<body>\n",
            Escaped(title)
        )?;
        let (columns, width) = self.per_page.columns();
        for page in self.entries.chunks(self.per_page.count()) {
            self.open_page(f, "", columns)?;
            for entry in page {
                let picture = Picture::new(&entry.puzzle);
                write_figure(f, width, &entry.label, "", &picture)?;
            }
            f.write_str("</div></section>\n")?;
        }
        for page in self.entries.chunks(ANSWERS_PER_PAGE) {
            self.open_page(f, "Answers", 3)?;
            for entry in page {
                let (note, picture) = entry.answer();
                write_figure(f, 50, &entry.label, note, &picture)?;
            }
            f.write_str("</div></section>\n")?;
        }
        f.write_str("</body></html>\n")
    }
}

impl Sheet {
    fn open_page(&self, f: &mut fmt::Formatter<'_>, what: &str, columns: usize) -> fmt::Result {
        let dash = match self.title.is_empty() || what.is_empty() {
            true => "",
            false => " – ",
        };
        writeln!(
            f,
            "<section><h1>{}{dash}{what}</h1>\
             <div class=\"grids\" style=\"grid-template-columns:repeat({columns},1fr)\">",
            Escaped(&self.title)
        )
    }
}

impl Entry {
    fn answer(&self) -> (&'static str, Picture) {
        match &self.answer {
            Answer::Only(grid) => ("", Picture::solved(&self.puzzle, grid)),
            Answer::OneOfSeveral(grid) => (
                " (one of several solutions)",
                Picture::solved(&self.puzzle, grid),
            ),
            Answer::None => (" (no solution)", Picture::new(&self.puzzle)),
        }
    }
}

fn write_figure(
    f: &mut fmt::Formatter<'_>,
    width: usize,
    label: &str,
    note: &str,
    picture: &Picture,
) -> fmt::Result {
    let label = Escaped(label);
    write!(
        f,
        "<figure style=\"width:{width}mm\"><figcaption>{label}{note}</figcaption>"
    )?;
    svg::write_element(f, picture, &label)?;
    f.write_str("</figure>\n")
}
