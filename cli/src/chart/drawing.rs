//! The parts of a chart as SVG, readable on light and dark ground.
//!
//! Colours are written as attributes, so that every viewer shows them. A style
//! sheet replaces them where the reader prefers a dark ground: attributes give
//! way to it.

use std::fmt::{Arguments, Write};
use sudoku_batch::draw::svg::escaped;

/// A colour on light and on dark ground.
#[derive(Clone, Copy)]
pub(super) struct Paint(&'static str, &'static str);

pub(super) const INK: Paint = Paint("#1F2328", "#E6EDF3");
pub(super) const FAINT: Paint = Paint("#D1D9E0", "#3D444D");

/// The colours of series, in this order. The first six are apart from each other for all
/// kinds of sight, and all have a contrast of 3 or more on either ground.
const SERIES: [Paint; 12] = [
    Paint("#0969DA", "#58A6FF"),
    Paint("#BC4C00", "#F0883E"),
    Paint("#1A7F37", "#3FB950"),
    Paint("#8250DF", "#BC8CFF"),
    Paint("#A0111F", "#FF7B72"),
    Paint("#136D74", "#39C5CF"),
    Paint("#BF3989", "#F778BA"),
    Paint("#9A6700", "#D29922"),
    Paint("#57606A", "#8B949E"),
    Paint("#0A3069", "#A5D6FF"),
    Paint("#4D7A00", "#A5D23A"),
    Paint("#5C4033", "#D4B59E"),
];

impl Paint {
    pub(super) fn series(number: usize) -> Self {
        SERIES[number % SERIES.len()]
    }
}

/// The style sheet that makes charts of this module readable on dark ground.
pub fn dark_style() -> String {
    let mut style = String::from("@media (prefers-color-scheme: dark) {\n");
    for Paint(light, dark) in [INK, FAINT].iter().chain(&SERIES) {
        for property in ["fill", "stroke"] {
            style += &format!("  svg [{property}=\"{light}\"] {{ {property}: {dark} }}\n");
        }
    }
    style + "}\n"
}

/// The side of a text that is at its place.
pub(super) const LEFT: &str = "start";
pub(super) const MIDDLE: &str = "middle";
pub(super) const RIGHT: &str = "end";

/// The elements of a chart. All places are in pixels, from the left and from the top.
#[derive(Default)]
pub(super) struct Drawing(String);

impl Drawing {
    fn add(&mut self, element: Arguments<'_>) {
        writeln!(self.0, "{element}").expect("into memory");
    }

    pub(super) fn line(
        &mut self,
        points: impl IntoIterator<Item = (f64, f64)>,
        Paint(light, _): Paint,
        width: u32,
    ) {
        let points = points.into_iter().map(|(x, y)| format!("{x:.1},{y:.1}"));
        let points = points.collect::<Vec<_>>().join(" ");
        self.add(format_args!(
            "<polyline fill=\"none\" stroke=\"{light}\" stroke-width=\"{width}\" points=\"{points}\"/>"
        ));
    }

    /// A filled rectangle, by its corner at the upper left.
    pub(super) fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), paint: Paint) {
        let Paint(light, _) = paint;
        self.add(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{light}\"/>"
        ));
    }

    /// A text, its middle at the height of the place.
    pub(super) fn text(&mut self, text: &str, size: u32, side: &str, place: (f64, f64)) {
        self.write_text(text, size, side, place, "");
    }

    pub(super) fn turned_text(&mut self, text: &str, size: u32, place: (f64, f64)) {
        let turn = format!(" transform=\"rotate(-90 {:.1} {:.1})\"", place.0, place.1);
        self.write_text(text, size, MIDDLE, place, &turn);
    }

    fn write_text(&mut self, text: &str, size: u32, side: &str, (x, y): (f64, f64), more: &str) {
        let (Paint(light, _), text) = (INK, escaped(text));
        self.add(format_args!(
            "<text x=\"{x:.1}\" y=\"{y:.1}\" dy=\"0.35em\" text-anchor=\"{side}\" \
             font-size=\"{size}\" fill=\"{light}\"{more}>{text}</text>"
        ));
    }

    pub(super) fn put(&mut self, (x, y): (f64, f64), Self(drawing): &Self) {
        self.add(format_args!(
            "<g transform=\"translate({x:.1} {y:.1})\">\n{drawing}</g>"
        ));
    }

    /// The drawing as an SVG element with a name for those who do not see it.
    pub(super) fn finish(self, width: u32, height: u32, name: &str) -> String {
        format!(
            "<svg role=\"img\" aria-label=\"{}\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, sans-serif\" \
             xmlns=\"http://www.w3.org/2000/svg\">\n{}</svg>\n",
            escaped(name),
            self.0
        )
    }
}
