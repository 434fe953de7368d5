//! Plots of lines.

use super::{
    LETTER, WIDE,
    drawing::{Drawing, FAINT, LEFT, MIDDLE, Paint, RIGHT},
    finish,
};
use std::ops::Range;

/// Lines in one frame.
#[derive(Clone, Debug)]
pub struct Panel {
    /// The thing that all lines are of; empty for none.
    pub caption: String,
    /// The points of each line, in the order of the legend.
    pub lines: Vec<Vec<(f64, f64)>>,
    /// True if the line of y = x is shown for comparison.
    pub ideal: bool,
}

/// The frame of a plot of lines.
#[derive(Clone, Debug)]
pub struct Axes {
    /// The title of the plot.
    pub title: String,
    /// The values from the left end to the right end.
    pub x: Range<f64>,
    /// The values from the lower end to the upper end.
    pub y: Range<f64>,
    /// The name below the frame.
    pub x_name: &'static str,
    /// The name next to the frame.
    pub y_name: &'static str,
    /// True if x is a number to show, or the power of ten of it.
    pub linear_x: bool,
}

impl Axes {
    /// Draws panels with the same axes under a legend, side by side as far as there is room.
    /// The result is an SVG element, `width` pixels wide.
    pub fn draw(&self, width: u32, legend: &[String], panels: &[Panel]) -> String {
        const LEAST: u32 = 250;
        let mut drawing = Drawing::default();
        let places = legend_places(legend, width);
        for (series, (name, &(x, y))) in legend.iter().zip(&places).enumerate() {
            drawing.line([(x, y), (x + 18.0, y)], Paint::series(series), 3);
            drawing.text(name, 13, LEFT, (x + 24.0, y));
        }
        let top = places.last().map_or(0.0, |last| last.1 + 20.0);
        let columns = panels.len().min((width / LEAST) as usize).max(1);
        let rows = panels.len().div_ceil(columns);
        let panel_width = f64::from(width) / columns as f64;
        let panel_height = if width < WIDE { 250.0 } else { 300.0 };
        for (i, panel) in panels.iter().enumerate() {
            let (row, column) = (i / columns, i % columns);
            let place = (panel_width * column as f64, top + panel_height * row as f64);
            drawing.put(place, &self.panel(panel, panel_width, panel_height));
        }
        let height = top + panel_height * rows as f64;
        finish(&drawing, width, height, &self.title)
    }

    /// ```text
    /// +--------------------------+
    /// |         caption          |
    /// | y |+--------------------+|
    /// |   ||                    ||
    /// | n ||                    ||
    /// | a ||                    ||
    /// | m |+--------------------+|
    /// | e  0    1    2    3    4 |
    /// |          x name          |
    /// +--------------------------+
    /// ```
    fn panel(&self, panel: &Panel, width: f64, height: f64) -> Drawing {
        let mut drawing = Drawing::default();
        let (left, right, top, bottom) = (60.0, width - 24.0, 30.0, height - 48.0);
        let part =
            |value: f64, range: &Range<f64>| (value - range.start) / (range.end - range.start);
        let x_of = |x: f64| left + part(x, &self.x) * (right - left);
        let y_of = |y: f64| bottom - part(y, &self.y) * (bottom - top);
        let place = |&(x, y): &(f64, f64)| (x_of(x), y_of(y));
        let middle = f64::midpoint(left, right);
        if !panel.caption.is_empty() {
            drawing.text(&panel.caption, 14, MIDDLE, (middle, 14.0));
        }
        for tick in ticks(&self.x, if width < 300.0 { 5 } else { 9 }, 1.0) {
            let shown = if self.linear_x {
                tick
            } else {
                10f64.powf(tick)
            };
            drawing.line([(x_of(tick), top), (x_of(tick), bottom)], FAINT, 1);
            drawing.text(&rounded(shown), 13, MIDDLE, (x_of(tick), bottom + 14.0));
        }
        for tick in ticks(&self.y, 6, 0.1) {
            drawing.line([(left, y_of(tick)), (right, y_of(tick))], FAINT, 1);
            drawing.text(&rounded(tick), 13, RIGHT, (left - 6.0, y_of(tick)));
        }
        drawing.line([(left, top), (left, bottom), (right, bottom)], FAINT, 1);
        drawing.text(self.x_name, 13, MIDDLE, (middle, bottom + 34.0));
        drawing.turned_text(self.y_name, 13, (14.0, f64::midpoint(top, bottom)));
        if panel.ideal {
            let ends = [self.x.start, self.x.end].map(|x| place(&(x, x)));
            drawing.line(ends, FAINT, 2);
            let (x, y) = ends[1];
            drawing.text("ideal", 13, RIGHT, (x - 14.0, y - 2.0));
        }
        for (series, points) in panel.lines.iter().enumerate() {
            drawing.line(points.iter().map(place), Paint::series(series), 2);
        }
        drawing
    }
}

/// The round numbers in a range: multiples of 1, 2 or 5 of a power of ten, `least` or more
/// apart, and `most` at most.
fn ticks(range: &Range<f64>, most: u32, least: f64) -> impl Iterator<Item = f64> {
    let wanted = ((range.end - range.start) / f64::from(most - 1)).max(least);
    let power = 10f64.powf(wanted.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|factor| factor * power);
    // A value that is a little too small is meant to be equal.
    let fits = steps.into_iter().find(|step| *step > wanted * 0.999);
    let step = fits.expect("ten times the power is more");
    let from = (range.start / step - 0.001).ceil() as i64;
    let to = (range.end / step + 0.001).floor() as i64;
    (from..=to).map(move |number| number as f64 * step)
}

/// A number with three digits after the point, or as many as it has.
fn rounded(number: f64) -> String {
    format!("{}", (number * 1e3).round() / 1e3)
}

/// The places where the entries of a legend begin, in as many rows as they take.
fn legend_places(legend: &[String], width: u32) -> Vec<(f64, f64)> {
    const MARGIN: f64 = 16.0;
    let (mut x, mut y) = (MARGIN, 10.0);
    let mut places = Vec::new();
    for name in legend {
        let entry = 24.0 + 20.0 + name.chars().count() as f64 * 13.0 * LETTER;
        if x > MARGIN && x + entry > f64::from(width) {
            (x, y) = (MARGIN, y + 20.0);
        }
        places.push((x, y));
        x += entry;
    }
    places
}
