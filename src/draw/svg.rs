//! A picture as SVG.

use super::{Picture, Square};
use crate::grid::{Cell, Digit};
use std::fmt::{self, Write};

const CELL: usize = 40;

/// The margin around the grid, for its thick lines.
const MARGIN: usize = 4;

/// The side of the picture, in its own units.
pub(super) const SIDE: usize = 9 * CELL + 2 * MARGIN;

/// The height of a title above the grid.
const HEADING: usize = 30;

/// The look of what is in a picture. The colours are dark on white, so that a page can be
/// printed, and no difference is in colour alone: clues are bold, found digits are not,
/// wrong digits lie on a ground and have a line under them.
pub(super) const STYLE: &str = "\
.sudoku{font-family:Helvetica,Arial,'Liberation Sans',sans-serif;text-anchor:middle}\
.sudoku .ground{fill:#fff}\
.sudoku .thin{stroke:#888;stroke-width:1;fill:none}\
.sudoku .thick{stroke:#000;stroke-width:3;fill:none;stroke-linecap:square}\
.sudoku .clue{font-size:26px;font-weight:bold;fill:#000}\
.sudoku .entry{font-size:26px;fill:#005a8e}\
.sudoku .wrong{fill:#a03800;text-decoration:underline}\
.sudoku .error{fill:#fde3d0}\
.sudoku .mark{font-size:11px;fill:#555}\
.sudoku .heading{font-size:18px;fill:#000}";

/// A picture as an SVG document.
///
/// ```
/// use sudoku_batch::{Puzzle, draw::{Picture, svg}};
/// let document = svg::document(&Picture::new(&Puzzle::EMPTY), "An empty grid");
/// assert!(document.starts_with("<svg ") && document.ends_with("</svg>\n"));
/// ```
pub fn document(picture: &Picture, title: &str) -> String {
    let mut text = head(SIDE, title);
    write_body(&mut text, picture).expect("into memory");
    text + "</svg>\n"
}

/// A document that has the title above the grid.
#[doc(hidden)]
pub fn document_under(title: &str, picture: &Picture) -> String {
    let mut text = head(SIDE + HEADING, title);
    // A longer title is set closer. Letters of the width of Chinese ones take 18 units each, others half of it.
    let width = |c: char| if c.is_ascii() { 9 } else { 18 };
    let fit = match title.chars().map(width).sum::<usize>() > SIDE {
        true => format!(" textLength=\"{SIDE}\" lengthAdjust=\"spacingAndGlyphs\""),
        false => String::new(),
    };
    let (middle, title) = (SIDE / 2, escaped(title));
    text += &format!(
        "<rect class=\"ground\" width=\"{SIDE}\" height=\"{HEADING}\"/>\n\
         <text class=\"heading\" x=\"{middle}\" y=\"22\"{fit}>{title}</text>\n\
         <g transform=\"translate(0 {HEADING})\">\n"
    );
    write_body(&mut text, picture).expect("into memory");
    text + "</g>\n</svg>\n"
}

/// The beginning of a document of a height.
fn head(height: usize, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"sudoku\" role=\"img\" \
         width=\"{SIDE}\" height=\"{height}\" viewBox=\"0 0 {SIDE} {height}\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n",
        escaped(title)
    )
}

/// A picture as an SVG element of a page that has the [`STYLE`].
pub(super) fn write_element(
    out: &mut impl Write,
    picture: &Picture,
    title: &impl fmt::Display,
) -> fmt::Result {
    write!(
        out,
        "<svg class=\"sudoku\" role=\"img\" viewBox=\"0 0 {SIDE} {SIDE}\"><title>{title}</title>"
    )?;
    write_body(out, picture)?;
    out.write_str("</svg>")
}

fn write_body(out: &mut impl Write, picture: &Picture) -> fmt::Result {
    writeln!(
        out,
        "<rect class=\"ground\" width=\"{SIDE}\" height=\"{SIDE}\"/>"
    )?;
    for cell in Cell::all().filter(|&cell| picture.square(cell).wrong) {
        let (x, y) = corner(cell);
        writeln!(
            out,
            "<rect class=\"error\" x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\"/>"
        )?;
    }
    for (class, boxes) in [("thin", false), ("thick", true)] {
        write!(out, "<path class=\"{class}\" d=\"")?;
        for line in (0..10).filter(|line| (line % 3 == 0) == boxes) {
            let at = MARGIN + line * CELL;
            write!(out, "M{MARGIN} {at}h{0}M{at} {MARGIN}v{0}", 9 * CELL)?;
        }
        writeln!(out, "\"/>")?;
    }
    for cell in Cell::all() {
        write_square(out, cell, picture.square(cell))?;
    }
    Ok(())
}

const fn corner(cell: Cell) -> (usize, usize) {
    (MARGIN + cell.column() * CELL, MARGIN + cell.row() * CELL)
}

fn write_square(out: &mut impl Write, cell: Cell, square: &Square) -> fmt::Result {
    let (x, y) = corner(cell);
    let class = if square.is_clue { "clue" } else { "entry" };
    let wrong = if square.wrong { " wrong" } else { "" };
    match square.digit {
        Some(digit) => {
            let (x, y) = (x + CELL / 2, y + 29);
            writeln!(
                out,
                "<text class=\"{class}{wrong}\" x=\"{x}\" y=\"{y}\">{digit}</text>"
            )
        }
        None => {
            let left = |digit: &Digit| !square.struck.contains(*digit);
            for digit in square.marks.iter().filter(left) {
                let (across, down) = (digit.index() % 3, digit.index() / 3);
                let (x, y) = (x + 8 + 12 * across, y + 12 + 12 * down);
                writeln!(
                    out,
                    "<text class=\"mark\" x=\"{x}\" y=\"{y}\">{digit}</text>"
                )?;
            }
            Ok(())
        }
    }
}

/// A text with the characters replaced that have a meaning in SVG and HTML.
///
/// ```
/// use sudoku_batch::draw::svg::escaped;
/// assert_eq!(escaped("1 < 2").to_string(), "1 &lt; 2");
/// ```
pub fn escaped(text: &str) -> impl fmt::Display {
    fmt::from_fn(|f| {
        for c in text.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                // XML has no other control characters, not even as references.
                c if c.is_control() && !matches!(c, '\t' | '\n' | '\r') => {
                    f.write_char('\u{fffd}')?
                }
                c => f.write_char(c)?,
            }
        }
        Ok(())
    })
}
