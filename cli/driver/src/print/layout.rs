//! Puzzles and their answers, laid out on pages.
//!
//! ```text
//!     +--------------------------------+      margin, and the gutter on the side of the binding
//!     |   header                       |
//!     |   section                      |
//!     |   Name: ______   Date: ______  |
//!     |     12              13         |      a slot: a label, and a grid below it
//!     |   +-----+         +-----+      |
//!     |   |     |         |     |      |
//!     |   +-----+         +-----+      |
//!     |   footer        7              |
//!     +--------------------------------+
//! ```
//!
//! All grids of a part have one size, so the longest label and the longest heading decide about it.

use super::{
    fonts::{DIGIT_HEIGHT, Fonts},
    page::{Anchor, Mark, Page, Weight},
    paper::Length,
};
use anyhow::bail;
use sudoku_batch::{
    Candidates, Outcome, Puzzle,
    draw::Picture,
    grid::{Cell, Digits},
};

/// How the clues of a puzzle differ from other digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Givens {
    /// They are bold.
    Bold,
    /// They do not differ.
    Light,
    /// They stand on grey.
    Shaded,
}

/// The number of grids on a page: so many, or rows of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PerPage {
    Count(usize),
    Rows(usize, usize),
}

impl std::str::FromStr for PerPage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const MOST: usize = 20;
        let number = |text: &str| {
            text.parse::<usize>()
                .ok()
                .filter(|n| (1..=MOST).contains(n))
        };
        let read = match text.split_once(['x', 'X']) {
            Some((rows, columns)) => {
                let sides = number(rows).zip(number(columns));
                sides.map(|(rows, columns)| Self::Rows(rows, columns))
            }
            None => {
                let count = text.parse().ok();
                let count = count.filter(|count| (1..=MOST * MOST).contains(count));
                count.map(Self::Count)
            }
        };
        read.ok_or_else(|| {
            format!("a number of puzzles is wanted, such as 6, or rows of columns, such as 3x2; {MOST}x{MOST} at most")
        })
    }
}

/// The look of all pages.
#[derive(Clone, Debug)]
pub struct Look {
    /// The sides of a page.
    pub page: [f64; 2],
    pub margin: f64,
    /// The part of the inner margin that binding takes.
    pub gutter: f64,
    pub per_page: PerPage,
    /// The side of a cell, if it is given.
    pub cell: Option<f64>,
    /// The least side of a cell of a puzzle, if it is not the usual one.
    pub least_cell: Option<f64>,
    pub givens: Givens,
    pub candidates: bool,
    pub answers_per_page: Option<PerPage>,
    pub footer: String,
    pub page_numbers: bool,
    /// The words before the lines for a name and a date, with their colons, if there are such lines.
    pub name_line: Option<[String; 2]>,
    /// The heading over answers.
    pub answers: String,
}

/// A puzzle of a book.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The text above the puzzle.
    pub label: String,
    /// The text above its answer.
    pub answer_label: String,
    pub puzzle: Puzzle,
    /// The candidates of a position, which are always printed.
    pub marks: Option<Candidates>,
    pub answer: Outcome,
}

/// Puzzles under a heading. They begin on a page of their own.
#[derive(Clone, Debug, Default)]
pub struct Section {
    pub heading: String,
    pub entries: Vec<Entry>,
}

/// The first page.
#[derive(Clone, Debug)]
pub struct Cover {
    pub title: String,
    pub subtitle: String,
    pub author: String,
    pub date: String,
}

/// The place of the answers of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerPages {
    /// Behind all puzzles.
    End,
    /// Behind each page of puzzles, for printing on both sides.
    Back,
    /// Not in this file.
    None,
    /// They are all there is in this file.
    Only,
}

/// A book.
#[derive(Clone, Debug)]
pub struct Book<'b> {
    pub header: &'b str,
    pub cover: Option<&'b Cover>,
    pub sections: &'b [Section],
    pub answers: AnswerPages,
    /// True if each section begins on a right-hand page.
    pub starts_right: bool,
}

/// Takes the pages of a book.
pub trait PageSink {
    /// Names the next page in a list of contents.
    fn bookmark(&mut self, title: &str);

    /// Takes a page.
    fn page(&mut self, page: &Page);
}

/// The size of headers and footers.
const SMALL: f64 = 10.0;
/// The size of the heading of a section.
const HEADING: f64 = 13.0;
/// A line of text takes this part more than its size.
const LEADING: f64 = 1.3;
/// The least space between grids.
const GAP: f64 = 10.0;
/// The height of the lines for a name and a date.
const NAME_LINE: f64 = 30.0;
/// The size of the words before these lines, and the shares of the width that the name and the date have.
const NAME_SIZE: f64 = 12.0;
const NAME_SHARES: [f64; 2] = [0.62, 0.34];
/// The least side of a cell of a puzzle: 3 mm.
const LEAST_CELL: f64 = Length::of_mm(3.0).0;
/// The least side of a cell of an answer: 1.5 mm.
const LEAST_ANSWER_CELL: f64 = Length::of_mm(1.5).0;
/// The greatest side of a cell whose size is not given: 20 mm.
const GREATEST_CELL: f64 = Length::of_mm(20.0).0;
/// The side of an answer, if nothing says how many are on a page: 42 mm.
const ANSWER_SIDE: f64 = Length::of_mm(42.0).0;

/// A rectangle of a page.
#[derive(Clone, Copy, Debug)]
struct Area {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
}

/// Rows of grids of one size.
#[derive(Clone, Copy, Debug)]
struct Rows {
    rows: usize,
    columns: usize,
    /// The number of grids on a page, which may be less than the rows have.
    count: usize,
    cell: f64,
    label_size: f64,
    label_lines: usize,
}

/// The kind of the grids of pages, for messages and sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Puzzles,
    Answers,
}

/// Lays out the pages of books.
pub struct Composer<'c> {
    look: &'c Look,
    fonts: &'c Fonts,
    /// The number of the last page.
    number: usize,
}

impl<'c> Composer<'c> {
    pub fn new(look: &'c Look, fonts: &'c Fonts) -> Self {
        Self {
            look,
            fonts,
            number: 0,
        }
    }

    /// Gives the pages of a book, and returns their number.
    ///
    /// # Errors
    ///
    /// Something does not fit on a page. The message has the measures.
    pub fn compose(mut self, book: &Book<'_>, sink: &mut dyn PageSink) -> anyhow::Result<usize> {
        if let Some(cover) = book.cover {
            self.number += 1;
            sink.page(&self.cover(cover)?);
            // The first puzzle is on the right, and not on the back of the title.
            if self.look.gutter > 0.0 || book.answers == AnswerPages::Back {
                self.number += 1;
                sink.page(&Page::default());
            }
        }
        if book.answers != AnswerPages::Only {
            self.check_name_line()?;
            self.puzzles(book, sink)?;
        }
        if matches!(book.answers, AnswerPages::End | AnswerPages::Only) {
            self.answers(book, sink)?;
        }
        Ok(self.number)
    }

    /// Checks that the words before the lines for a name and a date leave the half of their part free.
    fn check_name_line(&self) -> anyhow::Result<()> {
        let width = self.area(1).width;
        let words = self.look.name_line.iter().flatten();
        for (word, share) in words.zip(NAME_SHARES) {
            let [taken, most] = [
                self.fonts.width(word, NAME_SIZE, Weight::Regular),
                width * share / 2.0,
            ];
            if taken > most {
                bail!(
                    "'{word}' is too long before a line to write on: it takes {}, and {} is the most",
                    Length(taken),
                    Length(most)
                );
            }
        }
        Ok(())
    }

    /// The part of a page within the margins. Page 1 is a right-hand page.
    fn area(&self, number: usize) -> Area {
        let Look { margin, gutter, .. } = *self.look;
        let [width, height] = self.look.page;
        Area {
            x: margin + if number % 2 == 1 { gutter } else { 0.0 },
            y: margin,
            width: width - 2.0 * margin - gutter,
            height: height - 2.0 * margin,
        }
    }

    fn cover(&self, cover: &Cover) -> anyhow::Result<Page> {
        let mut page = Page::default();
        let area = self.area(1);
        let middle = area.x + area.width / 2.0;
        let mut y = area.y + area.height * 0.3;
        // 32 points on A4.
        let title = (area.width / 16.0).clamp(12.0, 48.0);
        let texts = [
            (&cover.title, 1.0, Weight::Bold),
            (&cover.subtitle, 0.55, Weight::Regular),
            (&cover.author, 0.45, Weight::Regular),
            (&cover.date, 0.4, Weight::Regular),
        ];
        for (text, share, weight) in texts {
            let size = title * share;
            for line in self.fonts.wrapped(text, (size, weight), area.width) {
                y += size * LEADING;
                page.text((middle, y), (size, weight), Anchor::Middle, line);
            }
            y += size;
        }
        if y > area.y + area.height {
            bail!(
                "the title page is too long: its texts take {}, and the page has {} within its margins",
                Length(y - area.y),
                Length(area.height)
            );
        }
        Ok(page)
    }

    /// The lines of a header and a heading, with their size and weight.
    fn head(&self, header: &str, heading: &str) -> Vec<(String, f64, Weight)> {
        let width = self.area(1).width;
        let texts = [
            (header, SMALL, Weight::Regular),
            (heading, HEADING, Weight::Bold),
        ];
        let lines = texts.into_iter().flat_map(|(text, size, weight)| {
            let lines = self.fonts.wrapped(text, (size, weight), width);
            lines.into_iter().map(move |line| (line, size, weight))
        });
        lines.collect()
    }

    fn height_of(head: &[(String, f64, Weight)]) -> f64 {
        let lines = head.iter().map(|(_, size, _)| size * LEADING);
        lines.sum()
    }

    /// The height above the grids, for the tallest of some heads, and that below them.
    fn heights(&self, heads: impl Iterator<Item = f64>, part: Part) -> [f64; 2] {
        let mut above = heads.fold(0.0, f64::max);
        if self.look.name_line.is_some() && part == Part::Puzzles {
            above += NAME_LINE;
        }
        let lines = self.footer().len().max(usize::from(self.look.page_numbers));
        let below = lines as f64 * SMALL * LEADING;
        // Grids keep away from texts.
        let space = |height: f64| height + if height > 0.0 { GAP } else { 0.0 };
        [space(above), space(below)]
    }

    /// The lines of the footer. The number of the page stands next to the last one.
    fn footer(&self) -> Vec<String> {
        let numbers = self.fonts.width("00000", SMALL, Weight::Regular);
        let width = self.area(1).width
            - if self.look.page_numbers {
                2.0 * numbers
            } else {
                0.0
            };
        self.fonts
            .wrapped(&self.look.footer, (SMALL, Weight::Regular), width)
    }

    /// The area for grids on a page.
    fn grid_area(&self, number: usize, [above, below]: [f64; 2]) -> Area {
        let area = self.area(number);
        Area {
            y: area.y + above,
            height: area.height - above - below,
            ..area
        }
    }

    /// The rows of grids with these labels.
    fn rows<'l>(
        &self,
        part: Part,
        wanted: PerPage,
        heights: [f64; 2],
        labels: impl Iterator<Item = &'l str> + Clone,
    ) -> anyhow::Result<Rows> {
        let area = self.grid_area(1, heights);
        let least = match part {
            Part::Puzzles => self.look.least_cell.unwrap_or(LEAST_CELL),
            Part::Answers => LEAST_ANSWER_CELL,
        };
        let with = |rows: usize, columns: usize, count: usize| {
            let width = (area.width - (columns - 1) as f64 * GAP) / columns as f64;
            let label_size = (width * 0.045).clamp(6.5, 18.0);
            let longest = |label: &str| {
                let font = (label_size, Weight::Regular);
                self.fonts.wrapped(label, font, width).len()
            };
            // Nearly all labels are of one line, which needs no measuring.
            let most = labels.clone().max_by_key(|label| label.len());
            let lines = labels
                .clone()
                .filter(|label| label.len() > 8 || Some(*label) == most);
            let label_lines = lines.map(longest).max().unwrap_or(0);
            let above = label_lines as f64 * label_size * LEADING;
            let height = (area.height - (rows - 1) as f64 * GAP) / rows as f64 - above;
            Rows {
                rows,
                columns,
                count,
                cell: width.min(height) / 9.0,
                label_size,
                label_lines,
            }
        };
        let mut found = match wanted {
            PerPage::Rows(rows, columns) => with(rows, columns, rows * columns),
            PerPage::Count(count) => {
                // The rows whose grids are the largest; of equal ones, those with fewer columns.
                let all = (1..=count.min(20))
                    .map(|columns| with(count.div_ceil(columns), columns, count));
                let best = all.reduce(|best, other| match other.cell > best.cell + 1e-9 {
                    true => other,
                    false => best,
                });
                best.expect("a count is at least 1")
            }
        };
        let fits = found.cell;
        let what = match part {
            Part::Puzzles => "puzzles",
            Part::Answers => "answers",
        };
        let [width, height] = self.look.page.map(Length);
        let grids = format!(
            "{}x{} {what} on a page of {width} by {height}",
            found.rows, found.columns
        );
        if fits < least {
            bail!(
                "{grids} do not fit: {} by {} are left for them, which makes cells of {}, and {} is the least",
                Length(area.width.max(0.0)),
                Length(area.height.max(0.0)),
                Length(fits.max(0.0)),
                Length(least)
            );
        }
        found.cell = fits.min(GREATEST_CELL);
        if part == Part::Puzzles
            && let Some(cell) = self.look.cell
        {
            if cell < LEAST_CELL {
                bail!(
                    "cells of {} are too small to write in: {} is the least",
                    Length(cell),
                    Length(LEAST_CELL)
                );
            }
            if cell > fits + 1e-6 {
                // Rounded down, so that the advice fits.
                let most = (fits * 254.0 / 72.0).floor() / 10.0;
                bail!(
                    "cells of {} do not fit: {grids} have cells of at most {most} mm",
                    Length(cell)
                );
            }
            found.cell = cell;
        }
        Ok(found)
    }

    fn puzzles(&mut self, book: &Book<'_>, sink: &mut dyn PageSink) -> anyhow::Result<()> {
        let has_backs = book.answers == AnswerPages::Back;
        let head_of = |section: &Section| self.head(book.header, &section.heading);
        let heads: Vec<_> = book.sections.iter().map(head_of).collect();
        let back = self.head(book.header, &self.look.answers);
        let of_backs = has_backs.then(|| Self::height_of(&back));
        let heights = heads.iter().map(|head| Self::height_of(head));
        let heights = self.heights(heights.chain(of_backs), Part::Puzzles);
        let entries = book.sections.iter().flat_map(|section| &section.entries);
        let labels = entries.flat_map(|entry| {
            let of_back = has_backs.then_some(&entry.answer_label[..]);
            [Some(&entry.label[..]), of_back]
        });
        let labels = labels.flatten();
        let rows = self.rows(Part::Puzzles, self.look.per_page, heights, labels)?;
        for (section, head) in book.sections.iter().zip(&heads) {
            if book.starts_right && self.number % 2 == 1 {
                self.number += 1;
                sink.page(&Page::default());
            }
            if !section.heading.is_empty() {
                sink.bookmark(&section.heading);
            }
            for entries in section.entries.chunks(rows.count) {
                sink.page(&self.page_of(entries, (&rows, heights), head, Part::Puzzles));
                if has_backs {
                    sink.page(&self.page_of(entries, (&rows, heights), &back, Part::Answers));
                }
            }
        }
        Ok(())
    }

    fn answers(&mut self, book: &Book<'_>, sink: &mut dyn PageSink) -> anyhow::Result<()> {
        let entries = book.sections.iter().flat_map(|section| &section.entries);
        let labels = entries.clone().map(|entry| &entry.answer_label[..]);
        let head = self.head(book.header, &self.look.answers);
        let heights = self.heights([Self::height_of(&head)].into_iter(), Part::Answers);
        let area = self.grid_area(1, heights);
        let usual = || {
            let fit = |length: f64| ((length + GAP) / (ANSWER_SIDE + GAP)).floor().max(1.0);
            // A line of a label stands above each.
            PerPage::Rows(fit(area.height * 0.93) as usize, fit(area.width) as usize)
        };
        let wanted = self.look.answers_per_page.unwrap_or_else(usual);
        let rows = self.rows(Part::Answers, wanted, heights, labels)?;
        let entries: Vec<_> = entries.collect();
        sink.bookmark(&self.look.answers);
        for entries in entries.chunks(rows.count) {
            let entries = entries.iter().copied();
            sink.page(&self.page_of(entries, (&rows, heights), &head, Part::Answers));
        }
        Ok(())
    }

    /// The next page: a head and grids.
    fn page_of<'e>(
        &mut self,
        entries: impl IntoIterator<Item = &'e Entry>,
        (rows, heights): (&Rows, [f64; 2]),
        head: &[(String, f64, Weight)],
        part: Part,
    ) -> Page {
        let mut page = self.begin(head, part);
        let area = self.grid_area(self.number, heights);
        for (place, entry) in entries.into_iter().enumerate() {
            let (label, picture) = match part {
                Part::Puzzles => (&entry.label, self.picture(entry)),
                Part::Answers => (&entry.answer_label, solved(entry)),
            };
            self.draw(&mut page, area, (rows, place), label, &picture);
        }
        page
    }

    /// The next page, with all but its grids.
    fn begin(&mut self, head: &[(String, f64, Weight)], part: Part) -> Page {
        self.number += 1;
        let mut page = Page::default();
        let area = self.area(self.number);
        let middle = area.x + area.width / 2.0;
        let mut y = area.y;
        for (line, size, weight) in head {
            y += size * LEADING;
            page.text(
                (middle, y - size * 0.3),
                (*size, *weight),
                Anchor::Middle,
                line,
            );
        }
        if part == Part::Puzzles
            && let Some([name, date]) = &self.look.name_line
        {
            let baseline = y + NAME_LINE * 0.7;
            let font = (12.0, Weight::Regular);
            let places = [
                (name, area.x, 0.62),
                (date, area.x + area.width * 0.66, 0.34),
            ];
            for (word, x, share) in places {
                let from = x + self.fonts.width(word, font.0, font.1) + 5.0;
                page.text((x, baseline), font, Anchor::Start, word.clone());
                let to = x + area.width * share;
                page.line([from, baseline + 2.0], [to, baseline + 2.0], 0.6);
            }
        }
        let bottom = area.y + area.height;
        let font = (SMALL, Weight::Regular);
        let footer = self.footer();
        if self.look.page_numbers {
            let number = self.number.to_string();
            // The number is on the outer side, if a text stands in the middle.
            let (x, anchor) = match (footer.is_empty(), self.number % 2) {
                (true, _) => (middle, Anchor::Middle),
                (false, 1) => (area.x + area.width, Anchor::End),
                (false, _) => (area.x, Anchor::Start),
            };
            page.text((x, bottom), font, anchor, number);
        }
        for (line, above) in footer.into_iter().rev().zip(0..) {
            let y = bottom - f64::from(above) * SMALL * LEADING;
            page.text((middle, y), font, Anchor::Middle, line);
        }
        page
    }

    fn picture(&self, entry: &Entry) -> Picture {
        let picture = Picture::new(&entry.puzzle);
        match &entry.marks {
            Some(candidates) => picture.with_marks(|cell| match entry.puzzle.get(cell) {
                Some(_) => Digits::NONE,
                None => candidates.get(cell),
            }),
            None if self.look.candidates => picture.with_candidates(&entry.puzzle),
            None => picture,
        }
    }

    /// Draws a grid under its label, at a place of the rows.
    fn draw(
        &self,
        page: &mut Page,
        area: Area,
        (rows, place): (&Rows, usize),
        label: &str,
        picture: &Picture,
    ) {
        let (row, column) = (place / rows.columns, place % rows.columns);
        let side = 9.0 * rows.cell;
        let slot = [
            area.width / rows.columns as f64,
            area.height / rows.rows as f64,
        ];
        let above = rows.label_lines as f64 * rows.label_size * LEADING;
        // At an edge of the area a grid stands at its middle too: all gaps are equal.
        let x = area.x + (column as f64 + 0.5) * slot[0] - side / 2.0;
        let y = area.y + (row as f64 + 0.5) * slot[1] - (side + above) / 2.0 + above;
        let font = (rows.label_size, Weight::Regular);
        let width = (area.width - (rows.columns - 1) as f64 * GAP) / rows.columns as f64;
        let lines = self.fonts.wrapped(label, font, width);
        let first = y - (lines.len() as f64 - 1.0) * rows.label_size * LEADING;
        for (number, line) in lines.into_iter().enumerate() {
            let baseline = first + (number as f64 * LEADING - 0.45) * rows.label_size;
            page.text((x + side / 2.0, baseline), font, Anchor::Middle, line);
        }
        draw_grid(page, [x, y], rows.cell, picture, self.look.givens);
    }
}

/// A puzzle with its answer.
fn solved(entry: &Entry) -> Picture {
    match &entry.answer {
        Outcome::Unique(grid) | Outcome::Multiple(grid) => Picture::solved(&entry.puzzle, grid),
        Outcome::NoSolution => Picture::new(&entry.puzzle),
    }
}

/// Draws a grid whose top left corner is known.
fn draw_grid(page: &mut Page, [x, y]: [f64; 2], cell: f64, picture: &Picture, givens: Givens) {
    let at = |column: usize, row: usize| [x + column as f64 * cell, y + row as f64 * cell];
    if givens == Givens::Shaded {
        let corners = Cell::all().filter(|cell| picture.square(*cell).is_clue);
        for clue in corners {
            page.marks.push(Mark::Area {
                corner: at(clue.column(), clue.row()),
                extent: [cell, cell],
                ink: 0.88,
            });
        }
    }
    let lines = |which: &dyn Fn(usize) -> bool, end: f64| {
        let numbers = (0..=9).filter(|number| which(*number));
        let pair = |number: usize| {
            let ([left, top], [right, bottom]) = (at(0, 0), at(9, 9));
            let [across, down] = at(number, number);
            [
                [[left - end, down], [right + end, down]],
                [[across, top - end], [across, bottom + end]],
            ]
        };
        numbers.flat_map(pair).collect()
    };
    page.marks.push(Mark::Lines {
        width: (cell * 0.02).max(0.25),
        ink: 0.4,
        lines: lines(&|number| number % 3 > 0, 0.0),
    });
    let width = (cell * 0.06).max(0.7);
    page.marks.push(Mark::Lines {
        width,
        ink: 0.0,
        // The corners are closed.
        lines: lines(&|number| number % 3 == 0, width / 2.0),
    });
    for square in Cell::all() {
        let [left, top] = at(square.column(), square.row());
        let drawn = picture.square(square);
        let centred = |x: f64, y: f64, size: f64| (left + x, top + y + DIGIT_HEIGHT * size / 2.0);
        if let Some(digit) = drawn.digit {
            let weight = match drawn.is_clue && givens == Givens::Bold {
                true => Weight::Bold,
                false => Weight::Regular,
            };
            let size = cell * 0.66;
            let place = centred(cell / 2.0, cell / 2.0, size);
            page.text(place, (size, weight), Anchor::Middle, digit.to_string());
            continue;
        }
        for digit in drawn.marks.iter() {
            let place = digit.get() as usize - 1;
            let part = |number: usize| (number as f64 + 0.5) * cell / 3.0;
            let size = cell * 0.26;
            let place = centred(part(place % 3), part(place / 3), size);
            page.text(
                place,
                (size, Weight::Regular),
                Anchor::Middle,
                digit.to_string(),
            );
        }
    }
}
