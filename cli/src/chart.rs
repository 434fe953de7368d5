//! Charts as SVG, readable on light and dark ground: [`Bars`] on a scale of powers of ten, and
//! lines in [`Axes`].
//!
//! ```
//! use sudoku_batch_cli::chart::{self, Bar, Bars};
//! let bar = |label: &str, value: f64, series| Bar {
//!     label: label.into(),
//!     value,
//!     text: value.to_string(),
//!     series,
//! };
//! let bars = Bars {
//!     title: "Puzzles a second".into(),
//!     powers: 3..=7,
//!     bars: vec![bar("easy", 9e6, 0), bar("hard", 4e3, 1)],
//! };
//! let svg = bars.draw(chart::WIDE);
//! assert_eq!(svg.matches("<rect").count(), 2);
//! // A file of its own, with the colours for a dark ground.
//! assert!(chart::as_file(&svg).contains("prefers-color-scheme: dark"));
//! ```

mod axes;
mod drawing;

pub use axes::{Axes, Panel};
pub use drawing::dark_style;

use drawing::{Drawing, FAINT, LEFT, MIDDLE, Paint, RIGHT};
use std::ops::RangeInclusive;

/// The width of a chart on a desktop, in pixels.
pub const WIDE: u32 = 800;

/// The width of a chart on a phone. It shows the same: what stands side by side on a desktop
/// stands one above the other.
pub const NARROW: u32 = 360;

/// The width of a letter, in parts of its size. Sans-serif fonts have narrower ones.
const LETTER: f64 = 0.58;

/// Bars, one below the other, on a scale of powers of ten. The words below the scale say so.
#[derive(Clone, Debug)]
pub struct Bars {
    /// The title of the chart.
    pub title: String,
    /// The powers of ten at the two ends of the scale and between them.
    pub powers: RangeInclusive<i32>,
    /// The bars, from above to below.
    pub bars: Vec<Bar>,
}

/// A bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// The name of the thing that the bar stands for.
    pub label: String,
    /// The value that it shows.
    pub value: f64,
    /// The value in words.
    pub text: String,
    /// The number of its colour, from 0.
    pub series: usize,
}

impl Bars {
    /// Draws the bars. The result is an SVG element, `width` pixels wide.
    pub fn draw(&self, width: u32) -> String {
        let (from, to) = (*self.powers.start(), *self.powers.end());
        // On a desktop labels stand left of the bars, on a phone above them.
        let is_wide = width >= WIDE;
        let (left, row) = if is_wide { (300.0, 26.0) } else { (20.0, 42.0) };
        let decade = (f64::from(width) - 90.0 - left) / f64::from(to - from);
        let end = |value: f64| left + decade * (value.log10() - f64::from(from)).max(0.0);
        let mut drawing = Drawing::default();
        let bottom = row * self.bars.len() as f64 + 8.0;
        for value in (from..=to).map(|power| 10f64.powi(power)) {
            drawing.line([(end(value), 0.0), (end(value), bottom)], FAINT, 1);
            drawing.text(&round(value), 13, MIDDLE, (end(value), bottom + 14.0));
        }
        let middle = f64::midpoint(left, f64::from(width) - 90.0);
        let words = "logarithmic scale: ×10 from line to line";
        drawing.text(words, 13, MIDDLE, (middle, bottom + 34.0));
        for (i, bar) in self.bars.iter().enumerate() {
            let (top, end) = (row * i as f64, end(bar.value));
            let (middle, side, place) = if is_wide {
                (top + 13.0, RIGHT, (left - 8.0, top + 13.0))
            } else {
                (top + 29.0, LEFT, (left, top + 10.0))
            };
            drawing.text(&short(&bar.label, 40), 13, side, place);
            let paint = Paint::series(bar.series);
            drawing.bar((left, middle - 9.0), (end - left, 18.0), paint);
            drawing.text(&bar.text, 13, LEFT, (end + 6.0, middle));
        }
        finish(&drawing, width, bottom + 54.0, &self.title)
    }
}

/// 10k, 2M.
fn round(number: f64) -> String {
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k"), (0.0, "")];
    let unit = units.into_iter().find(|unit| number >= unit.0);
    let (size, letter) = unit.expect("no number is below 0");
    format!("{}{letter}", number / size.max(1.0))
}

/// A text, cut where it has more than `most` letters.
///
/// ```
/// use sudoku_batch_cli::chart::short;
/// assert_eq!(short("puzzles", 7), "puzzles");
/// assert_eq!(short("puzzles", 4), "puzz…");
/// ```
pub fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// A chart of a drawing under a title, which is also its name for those who do not see it.
fn finish(drawing: &Drawing, width: u32, height: f64, title: &str) -> String {
    let size = if width < WIDE { 15 } else { 18 };
    let letters = f64::from(width - 32) / f64::from(size) / LETTER;
    let mut plot = Drawing::default();
    let mut y = 18.0;
    for line in wrapped(title, letters as usize) {
        plot.text(&line, size, LEFT, (16.0, y));
        y += f64::from(size + 6);
    }
    plot.put((0.0, y - 2.0), drawing);
    plot.finish(width, (y - 2.0 + height).ceil() as u32, title)
}

/// A text in lines of at most `most` letters, or of one word.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.into()),
        }
    }
    lines
}

/// A chart as a file of its own.
pub fn as_file(svg: &str) -> String {
    let end = svg.find('>').map_or(0, |end| end + 1);
    let (head, rest) = svg.split_at(end);
    // A ground of its own: the page round it need not go by the same scheme.
    let ground = "svg { background: #FFFFFF }\n\
                  @media (prefers-color-scheme: dark) { svg { background: #0D1117 } }\n";
    format!("{head}\n<style>\n{ground}{}</style>{rest}", dark_style())
}
