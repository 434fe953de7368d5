//! An HTML sheet to print: puzzles, some on a page, and their answers on the last pages.

use super::{
    Picture,
    language::{Language, Word},
    svg::{self, STYLE, escaped},
};
use crate::{grid::Puzzle, solve::Outcome, technique::Difficulty};
use std::fmt;

/// The number of puzzles that are on a page.
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

    /// How many stand side by side, how wide each is, in millimetres, and how the rows share the
    /// height: three rows of three stand close, and their puzzles fill the width. Three rows with
    /// labels (6 mm), notes (5) and gaps (2) fit into 245 mm.
    const fn layout(self) -> Layout {
        match self {
            Self::Four => (2, 84, "space-evenly"),
            Self::Six => (2, 69, "space-evenly"),
            Self::Nine => (3, 60, "start"),
        }
    }
}

/// Columns, the width of a grid in millimetres, and `align-content` of CSS.
type Layout = (usize, usize, &'static str);

/// The number of answers that are on a page: four rows of three.
pub const ANSWERS_PER_PAGE: usize = 12;

/// A puzzle of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SheetEntry {
    /// The text above the puzzle and above its answer.
    pub label: String,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The text below the puzzle, such as its rating; empty for nothing.
    pub note: String,
    /// Its solution. The page with answers says if it is one of several.
    pub answer: Outcome,
}

/// A sheet. As text it is an HTML page that loads nothing: A4 and US letter paper both fit.
///
/// ```
/// use sudoku_batch::{Outcome, Puzzle, Solver, draw::sheet::{PerPage, Sheet, SheetEntry}};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let Outcome::Unique(solution) = Solver::new().solve(&puzzle) else { panic!() };
/// let sheet = Sheet {
///     title: "Monday".into(),
///     per_page: PerPage::Four,
///     entries: vec![SheetEntry {
///         label: "1".into(),
///         puzzle,
///         note: "ER 1.2".into(),
///         answer: Outcome::Unique(solution),
///     }],
/// };
/// let page = sheet.to_string();
/// assert_eq!(page.matches("<svg").count(), 2, "the puzzle and its answer");
/// assert_eq!(page.matches("<section").count(), 2, "a page each");
/// assert!(page.contains("<footer>1 / 2</footer>"));
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// The text at the top of each page. It may be empty.
    pub title: String,
    /// The number of puzzles that are on a page.
    pub per_page: PerPage,
    /// The puzzles.
    pub entries: Vec<SheetEntry>,
}

/// A difficulty in the language of a title.
pub fn difficulty(title: &str, difficulty: Difficulty) -> &'static str {
    Language::of_title(title).word(Word::of(difficulty))
}

/// The look of the page. A page of paper leaves 190 x 260 mm free on A4 and on US letter
/// with the margins of `@page`. A narrow screen shows one grid below the other.
const PAGE_STYLE: &str = "\
@page{margin:9mm}\
*{box-sizing:border-box}\
body{margin:0;color:#000;background:#fff;font-family:Helvetica,Arial,'Liberation Sans',sans-serif}\
section{width:190mm;height:258mm;margin:0 auto;break-after:page;display:flex;flex-direction:column}\
section:last-of-type{break-after:auto}\
h1{font-size:5mm;line-height:8mm;height:8mm;margin:0;font-weight:normal;text-align:center;\
white-space:nowrap;overflow:hidden;text-overflow:ellipsis}\
.grids{flex:1;display:grid;justify-items:center;align-content:var(--rows);row-gap:2mm;\
grid-template-columns:repeat(var(--columns),1fr)}\
figure{margin:0;width:var(--width);text-align:center;break-inside:avoid}\
figcaption,.note,footer{font-size:4mm;line-height:6mm;height:6mm;white-space:nowrap;overflow:hidden;\
text-overflow:ellipsis}\
.note,footer{margin:0;line-height:5mm;height:5mm;text-align:center}\
svg{display:block;width:100%}\
@media screen{body{background:#ddd}section{background:#fff;margin:5mm auto;padding:0;\
box-shadow:0 0 2mm #888}}\
@media screen and (max-width:50rem){section{width:auto;height:auto;padding:0 4vw}\
h1{height:auto;white-space:normal}.grids{display:block}\
figure{width:auto;max-width:120mm;margin:0 auto 8mm}}";

impl fmt::Display for Sheet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = match self.title.as_str() {
            "" => "Sudoku",
            title => title,
        };
        let language = Language::of_title(&self.title);
        write!(
            f,
            "<!DOCTYPE html>\n<html lang=\"{}\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
             <title>{}</title>\n<style>{PAGE_STYLE}\n{STYLE}</style></head>\n<body>\n",
            language.code,
            escaped(title)
        )?;
        let puzzles = self.entries.chunks(self.per_page.count());
        let answers = self.entries.chunks(ANSWERS_PER_PAGE);
        let (first, pages) = (puzzles.len() + 1, puzzles.len() + answers.len());
        for (page, number) in puzzles.zip(1..) {
            self.open_page(f, "", self.per_page.layout())?;
            for entry in page {
                let picture = Picture::new(&entry.puzzle);
                write_figure(f, &entry.label, "", &entry.note, &picture)?;
            }
            close_page(f, number, pages)?;
        }
        for (page, number) in answers.zip(first..) {
            self.open_page(f, language.word(Word::Answers), (3, 50, "space-evenly"))?;
            for entry in page {
                let (note, picture) = entry.answer(language);
                write_figure(f, &entry.label, note, "", &picture)?;
            }
            close_page(f, number, pages)?;
        }
        f.write_str("</body></html>\n")
    }
}

impl Sheet {
    fn open_page(
        &self,
        f: &mut fmt::Formatter<'_>,
        what: &str,
        (columns, width, rows): Layout,
    ) -> fmt::Result {
        let dash = if self.title.is_empty() || what.is_empty() {
            ""
        } else {
            " – "
        };
        writeln!(
            f,
            "<section><h1>{}{dash}{what}</h1>\
             <div class=\"grids\" style=\"--columns:{columns};--width:{width}mm;--rows:{rows}\">",
            escaped(&self.title)
        )
    }
}

impl SheetEntry {
    fn answer(&self, language: &Language) -> (&'static str, Picture) {
        match &self.answer {
            Outcome::Unique(grid) => ("", Picture::solved(&self.puzzle, grid)),
            Outcome::Multiple(grid) => (
                language.word(Word::Several),
                Picture::solved(&self.puzzle, grid),
            ),
            Outcome::NoSolution => (language.word(Word::Unsolvable), Picture::new(&self.puzzle)),
        }
    }
}

fn close_page(f: &mut fmt::Formatter<'_>, number: usize, pages: usize) -> fmt::Result {
    writeln!(f, "</div><footer>{number} / {pages}</footer></section>")
}

/// A picture under a label with a remark, and over a note.
fn write_figure(
    f: &mut fmt::Formatter<'_>,
    label: &str,
    remark: &str,
    note: &str,
    picture: &Picture,
) -> fmt::Result {
    let label = escaped(label);
    write!(f, "<figure><figcaption>{label}{remark}</figcaption>")?;
    svg::write_element(f, picture, &label)?;
    if !note.is_empty() {
        write!(f, "<p class=\"note\">{}</p>", escaped(note))?;
    }
    f.write_str("</figure>\n")
}
