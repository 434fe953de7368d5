//! Figures as plots: SVG that is readable on light and dark ground.
//!
//! Colours are written as attributes, so that every viewer shows them. A style
//! sheet replaces them where the reader prefers a dark ground: attributes give
//! way to it.

use super::{distribution::Distribution, figures::Figures};
use crate::commands::page::escaped;
use indicatif::HumanCount;
use plotters::{
    coord::Shift,
    prelude::{
        ChartBuilder, Color, DrawingArea, IntoDrawingArea, IntoFont, LineSeries, PathElement,
        RGBColor, Rectangle, SVGBackend, TextStyle,
    },
    style::text_anchor::{HPos, Pos, VPos},
};
use std::{fmt::Write, ops::Range};

/// A colour on light and on dark ground.
struct Paint(RGBColor, RGBColor);

const INK: Paint = Paint(RGBColor(0x1F, 0x23, 0x28), RGBColor(0xE6, 0xED, 0xF3));
const FAINT: Paint = Paint(RGBColor(0xD1, 0xD9, 0xE0), RGBColor(0x3D, 0x44, 0x4D));

/// Of series, in this order. The first six are apart from each other for all kinds of
/// sight, and all have a contrast of 3 or more on either ground.
const SERIES: [Paint; 12] = [
    Paint(RGBColor(0x09, 0x69, 0xDA), RGBColor(0x58, 0xA6, 0xFF)),
    Paint(RGBColor(0xBC, 0x4C, 0x00), RGBColor(0xF0, 0x88, 0x3E)),
    Paint(RGBColor(0x1A, 0x7F, 0x37), RGBColor(0x3F, 0xB9, 0x50)),
    Paint(RGBColor(0x82, 0x50, 0xDF), RGBColor(0xBC, 0x8C, 0xFF)),
    Paint(RGBColor(0xA0, 0x11, 0x1F), RGBColor(0xFF, 0x7B, 0x72)),
    Paint(RGBColor(0x13, 0x6D, 0x74), RGBColor(0x39, 0xC5, 0xCF)),
    Paint(RGBColor(0xBF, 0x39, 0x89), RGBColor(0xF7, 0x78, 0xBA)),
    Paint(RGBColor(0x9A, 0x67, 0x00), RGBColor(0xD2, 0x99, 0x22)),
    Paint(RGBColor(0x57, 0x60, 0x6A), RGBColor(0x8B, 0x94, 0x9E)),
    Paint(RGBColor(0x0A, 0x30, 0x69), RGBColor(0xA5, 0xD6, 0xFF)),
    Paint(RGBColor(0x4D, 0x7A, 0x00), RGBColor(0xA5, 0xD2, 0x3A)),
    Paint(RGBColor(0x5C, 0x40, 0x33), RGBColor(0xD4, 0xB5, 0x9E)),
];

/// The style sheet that makes plots readable on dark ground.
pub(super) fn dark_style() -> String {
    let mut style = String::from("@media (prefers-color-scheme: dark) {\n");
    for Paint(light, dark) in [INK, FAINT].iter().chain(&SERIES) {
        for property in ["fill", "stroke"] {
            let (light, dark) = (hexadecimal(*light), hexadecimal(*dark));
            writeln!(
                style,
                "  svg [{property}=\"{light}\"] {{ {property}: {dark} }}"
            )
            .expect("into memory");
        }
    }
    style + "}\n"
}

/// As the plots have it.
fn hexadecimal(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

fn colour(series: usize) -> RGBColor {
    SERIES[series % SERIES.len()].0
}

type Area<'s> = DrawingArea<SVGBackend<'s>, Shift>;

/// The width of a plot on a desktop, in pixels.
pub(super) const WIDE: u32 = 800;

/// The width of a plot on a phone. It shows the same: what stands side by side on a desktop
/// stands one above the other.
pub(super) const NARROW: u32 = 360;

/// The width of a letter, in parts of its size. Sans-serif fonts have narrower ones.
const LETTER: f64 = 0.58;

/// Draws a plot under a title, which is its name for those who do not see it too. `height`
/// is that of the drawing alone.
fn draw(
    width: u32,
    height: u32,
    title: &str,
    drawing: impl FnOnce(&Area<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<String> {
    let size = if width < WIDE { 15 } else { 18 };
    let lines = wrapped(
        title,
        (f64::from(width - 32) / f64::from(size) / LETTER) as usize,
    );
    let head = 16 + (size + 6) * lines.len() as u32;
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (width, head + height)).into_drawing_area();
        for (i, line) in lines.iter().enumerate() {
            let y = 18 + (size + 6) as i32 * i as i32;
            area.draw_text(line, &text(size, HPos::Left), (16, y))?;
        }
        drawing(&area.split_vertically(head as i32).1)?;
        area.present()?;
    }
    let title = escaped(title);
    let named = format!("<svg role=\"img\" aria-label=\"{title}\" ");
    Ok(svg.replacen("<svg ", &named, 1))
}

/// A text in lines of so many letters at most, or of one word.
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

/// A plot as a file of its own.
pub(super) fn as_file(svg: &str) -> String {
    let end = svg.find('>').map_or(0, |end| end + 1);
    let (head, rest) = svg.split_at(end);
    // A ground of its own: the page round it need not go by the same scheme.
    let ground = "svg { background: #FFFFFF }\n\
                  @media (prefers-color-scheme: dark) { svg { background: #0D1117 } }\n";
    format!("{head}\n<style>\n{ground}{}</style>{rest}", dark_style())
}

fn text(size: u32, side: HPos) -> TextStyle<'static> {
    let style = ("system-ui, sans-serif", size).into_font().color(&INK.0);
    style.pos(Pos::new(side, VPos::Center))
}

/// The name of what a bar or line stands for.
fn name(figures: &Figures) -> String {
    match &figures.level {
        Some(level) if figures.engine != "scalar" => format!("{} {level}", figures.engine),
        _ => figures.engine.clone(),
    }
}

/// The different names, in order.
fn names<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    all.fold(Vec::new(), |mut names, name| {
        if !names.contains(&name) {
            names.push(name);
        }
        names
    })
}

/// A text that is cut where it is long.
fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}

/// Puzzles a second by corpus and engine, with the most threads that were
/// measured: a bar each, on a scale of powers of ten.
pub(super) fn throughput(title: &str, all: &[Figures], width: u32) -> anyhow::Result<String> {
    let most = all.iter().filter_map(|f| f.threads).max();
    let shown = all
        .iter()
        .filter(|f| f.threads == most || f.threads.is_none());
    let shown: Vec<_> = shown.collect();
    // Of other programs it is not known.
    let ours = match shown.iter().any(|f| f.threads.is_none()) {
        true => "sudoku-batch with ",
        false => "",
    };
    let plural = if most == Some(1) { "" } else { "s" };
    let title = format!(
        "{title}, {ours}{} thread{plural}: how many a second (each line is ten times the one before)",
        most.unwrap_or(1)
    );
    let bars = Bars::new(&shown, width);
    let height = bars.row * shown.len() as i32 + 44;
    draw(width, height as u32, &title, |area| bars.draw(area, &shown))
}

/// Bars for figures, one below the other.
struct Bars {
    /// Where bars begin and where the longest ends.
    left: i32,
    right: i32,
    /// The height of a bar with its label.
    row: i32,
    /// Whether labels stand left of the bars and not above them.
    beside: bool,
    /// The powers of ten at both ends.
    decades: Range<i32>,
}

impl Bars {
    /// Bars begin at a thousand a second, so that those of several plots compare; with
    /// slower figures at one.
    fn new(shown: &[&Figures], width: u32) -> Self {
        let rates = shown.iter().map(|f| f.puzzles_per_second());
        let (least, greatest) = rates.fold((f64::INFINITY, 1.0), |(least, greatest), rate| {
            (rate.min(least), rate.max(greatest))
        });
        let from = if least < 2_000.0 { 0 } else { 3 };
        let to = (greatest.log10().ceil() as i32).max(from + 1);
        let beside = width >= WIDE;
        Self {
            left: if beside { 300 } else { 20 },
            right: width as i32 - 90,
            row: if beside { 26 } else { 42 },
            beside,
            decades: from..to,
        }
    }

    /// Where the bar of a rate ends.
    fn end(&self, rate: f64) -> i32 {
        let Range { start, end } = self.decades;
        let part = (rate.log10() - f64::from(start)) / f64::from(end - start);
        self.left + (part.max(0.0) * f64::from(self.right - self.left)) as i32
    }

    fn draw(&self, area: &Area<'_>, shown: &[&Figures]) -> anyhow::Result<()> {
        let bottom = self.row * shown.len() as i32 + 8;
        for decade in self.decades.start..=self.decades.end {
            let rate = 10f64.powi(decade);
            let x = self.end(rate);
            area.draw(&PathElement::new(vec![(x, 0), (x, bottom)], FAINT.0))?;
            area.draw_text(&round(rate), &text(13, HPos::Center), (x, bottom + 14))?;
        }
        let names = names(shown.iter().map(|f| name(f)));
        for (i, figures) in shown.iter().enumerate() {
            let top = self.row * i as i32;
            let label = format!("{} · {}", short(&figures.corpus, 18), name(figures));
            let label = short(&label, 40);
            let (middle, side, place) = match self.beside {
                true => (top + 13, HPos::Right, (self.left - 8, top + 13)),
                false => (top + 29, HPos::Left, (self.left, top + 10)),
            };
            area.draw_text(&label, &text(13, side), place)?;
            let series = names.iter().position(|known| *known == name(figures));
            let end = self.end(figures.puzzles_per_second());
            let corners = [(self.left, middle - 9), (end, middle + 9)];
            let fill = colour(series.unwrap_or(0)).filled();
            area.draw(&Rectangle::new(corners, fill))?;
            let value = HumanCount(figures.puzzles_per_second().round() as u64).to_string();
            area.draw_text(&value, &text(13, HPos::Left), (end + 6, middle))?;
        }
        Ok(())
    }
}

/// 10k, 2M.
fn round(number: f64) -> String {
    match number {
        1e9.. => format!("{}G", number / 1e9),
        1e6.. => format!("{}M", number / 1e6),
        1e3.. => format!("{}k", number / 1e3),
        _ => format!("{number}"),
    }
}

/// How many times as fast more threads are than one: a panel for each corpus with a line
/// for each engine. Nothing when only one number of threads was measured.
pub(super) fn scaling(title: &str, all: &[Figures], width: u32) -> anyhow::Result<Option<String>> {
    let measured = || all.iter().filter(|f| f.speedup.is_some());
    let threads = names(measured().filter_map(|f| f.threads));
    let most = threads.iter().copied().max().unwrap_or(1) as f64;
    if threads.len() < 2 {
        return Ok(None);
    }
    let legend = names(measured().map(name));
    let corpora = names(measured().map(|f| &f.corpus));
    let line = |corpus: &String, engine: &String| {
        let points = measured().filter(|f| f.corpus == *corpus && name(f) == *engine);
        let point = |f: &Figures| Some((f.threads? as f64, f.speedup?));
        let mut points: Vec<_> = points.filter_map(point).collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        points
    };
    let panel = |corpus: &String| Panel {
        caption: short(corpus, 24),
        lines: legend.iter().map(|engine| line(corpus, engine)).collect(),
        ideal: true,
    };
    let speedups = measured().filter_map(|f| f.speedup);
    let greatest = speedups.fold(most, f64::max);
    let axes = Axes {
        title: format!("{title}: speed-up over threads"),
        x: 1.0..most,
        // Above the ideal line there is room for its label.
        y: 0.0..greatest * 1.15,
        x_name: "threads",
        y_name: "times as fast",
        whole_x: true,
    };
    let panels: Vec<_> = corpora.into_iter().map(panel).collect();
    axes.draw(width, &legend, &panels).map(Some)
}

/// What share of the puzzles takes how long, each solved by itself.
pub(super) fn distribution(all: &[Distribution], width: u32) -> anyhow::Result<String> {
    let line = |distribution: &Distribution| {
        let times = &distribution.nanoseconds;
        let point = |percent: usize| {
            let at = (times.len() - 1) * percent / 100;
            ((times[at] / 1000.0).log10(), percent as f64)
        };
        (0..=100).map(point).collect::<Vec<(f64, f64)>>()
    };
    let lines: Vec<_> = all.iter().map(line).collect();
    let ends = lines.iter().flat_map(|line| [line[0].0, line[100].0]);
    let least = ends.clone().fold(f64::INFINITY, f64::min).floor();
    let greatest = ends.fold(f64::NEG_INFINITY, f64::max).ceil();
    let axes = Axes {
        title: "Time per puzzle, each by itself (scalar): share solved within a time".into(),
        x: least..greatest.max(least + 1.0),
        y: 0.0..100.0,
        x_name: "µs",
        y_name: "% of puzzles",
        whole_x: false,
    };
    let legend: Vec<_> = all.iter().map(|one| short(&one.corpus, 24)).collect();
    let panel = Panel {
        caption: String::new(),
        lines,
        ideal: false,
    };
    axes.draw(width, &legend, &[panel])
}

/// Lines in one frame.
struct Panel {
    /// What all lines are of.
    caption: String,
    /// The points of each line, in the order of the legend.
    lines: Vec<Vec<(f64, f64)>>,
    /// Whether the line of y = x is shown for comparison.
    ideal: bool,
}

/// The frame of a plot of lines.
struct Axes {
    title: String,
    x: Range<f64>,
    y: Range<f64>,
    x_name: &'static str,
    y_name: &'static str,
    /// Whether x is a whole number, or the power of ten of what is shown.
    whole_x: bool,
}

impl Axes {
    /// Draws panels with the same axes under a legend, side by side as far as there is room.
    fn draw(&self, width: u32, legend: &[String], panels: &[Panel]) -> anyhow::Result<String> {
        const LEAST: u32 = 250;
        let columns = panels.len().min((width / LEAST) as usize).max(1);
        let rows = panels.len().div_ceil(columns);
        let panel_height = if width < WIDE { 250 } else { 300 };
        let entries = legend_places(legend, width as i32);
        let head = entries.last().map_or(0, |last| last.1 + 20);
        let height = head as u32 + panel_height * rows as u32;
        draw(width, height, &self.title, |area| {
            for (series, (name, &(x, y))) in legend.iter().zip(&entries).enumerate() {
                let style = colour(series).stroke_width(3);
                area.draw(&PathElement::new(vec![(x, y), (x + 18, y)], style))?;
                area.draw_text(name, &text(13, HPos::Left), (x + 24, y))?;
            }
            let (_, area) = area.split_vertically(head);
            for (area, panel) in area.split_evenly((rows, columns)).iter().zip(panels) {
                self.draw_panel(area, panel)?;
            }
            Ok(())
        })
    }

    fn draw_panel(&self, area: &Area<'_>, panel: &Panel) -> anyhow::Result<()> {
        let (width, _) = area.dim_in_pixel();
        let middle = (width / 2) as i32 + 20;
        if !panel.caption.is_empty() {
            area.draw_text(&panel.caption, &text(14, HPos::Center), (middle, 14))?;
        }
        let inner = area.margin(30, 4, 4, 24);
        let mut chart = ChartBuilder::on(&inner)
            .x_label_area_size(44)
            .y_label_area_size(56)
            .build_cartesian_2d(self.x.clone(), self.y.clone())?;
        let span = self.x.end - self.x.start;
        let x_label = |x: &f64| match self.whole_x {
            true => format!("{x:.0}"),
            false => format!("{}", (10f64.powf(*x) * 1e3).round() / 1e3),
        };
        let most_labels = if width < 300 { 5.0 } else { 9.0 };
        chart
            .configure_mesh()
            .light_line_style(FAINT.0.mix(0.0))
            .bold_line_style(FAINT.0)
            .axis_style(FAINT.0)
            .label_style(text(13, HPos::Center))
            .x_labels((span + 1.0).min(most_labels) as usize)
            .y_labels(6)
            .x_desc(self.x_name)
            .y_desc(self.y_name)
            .x_label_formatter(&x_label)
            .y_label_formatter(&|y| format!("{}", (y * 10.0).round() / 10.0))
            .draw()?;
        if panel.ideal {
            let ends = [self.x.start, self.x.end].map(|x| (x, x));
            chart.draw_series(LineSeries::new(ends, FAINT.0.stroke_width(2)))?;
            let (x, y) = chart.backend_coord(&ends[1]);
            let (left, top) = area.get_base_pixel();
            let place = (x - left - 14, y - top - 2);
            area.draw_text("ideal", &text(13, HPos::Right), place)?;
        }
        for (series, points) in panel.lines.iter().enumerate() {
            let style = colour(series).stroke_width(2);
            chart.draw_series(LineSeries::new(points.clone(), style))?;
        }
        Ok(())
    }
}

/// Where the entries of a legend begin, in as many rows as they take.
fn legend_places(legend: &[String], width: i32) -> Vec<(i32, i32)> {
    const LEFT: i32 = 16;
    let (mut x, mut y) = (LEFT, 10);
    let mut places = Vec::new();
    for name in legend {
        let entry = 24 + 20 + (name.chars().count() as f64 * 13.0 * LETTER) as i32;
        if x > LEFT && x + entry > width {
            (x, y) = (LEFT, y + 20);
        }
        places.push((x, y));
        x += entry;
    }
    places
}
