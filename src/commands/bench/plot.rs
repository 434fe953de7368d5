//! Figures as plots: SVG that is readable on light and dark ground.
//!
//! Colours are written as attributes, so that every viewer shows them. A style
//! sheet replaces them where the reader prefers a dark ground: attributes give
//! way to it.

use super::{distribution::Distribution, figures::Figures};
use indicatif::HumanCount;
use plotters::{
    coord::Shift,
    prelude::{
        ChartBuilder, Color, DrawingArea, IntoDrawingArea, IntoFont, LineSeries, PathElement,
        RGBColor, Rectangle, SVGBackend, TextStyle,
    },
    style::text_anchor::{HPos, Pos, VPos},
};
use std::fmt::Write;

/// A colour on light and on dark ground.
struct Paint(RGBColor, RGBColor);

const INK: Paint = Paint(RGBColor(0x1F, 0x23, 0x28), RGBColor(0xE6, 0xED, 0xF3));
const FAINT: Paint = Paint(RGBColor(0xD1, 0xD9, 0xE0), RGBColor(0x3D, 0x44, 0x4D));

/// Of series, in this order: apart from each other for all kinds of sight
/// where there are few, and of a contrast of 3 or more on either ground.
const SERIES: [Paint; 6] = [
    Paint(RGBColor(0x09, 0x69, 0xDA), RGBColor(0x58, 0xA6, 0xFF)),
    Paint(RGBColor(0xBC, 0x4C, 0x00), RGBColor(0xF0, 0x88, 0x3E)),
    Paint(RGBColor(0x1A, 0x7F, 0x37), RGBColor(0x3F, 0xB9, 0x50)),
    Paint(RGBColor(0x82, 0x50, 0xDF), RGBColor(0xBC, 0x8C, 0xFF)),
    Paint(RGBColor(0xA0, 0x11, 0x1F), RGBColor(0xFF, 0x7B, 0x72)),
    Paint(RGBColor(0x13, 0x6D, 0x74), RGBColor(0x39, 0xC5, 0xCF)),
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

const WIDTH: u32 = 800;

/// Draws a plot with a title, which is its name for those who do not see it too.
fn draw(
    height: u32,
    title: &str,
    drawing: impl FnOnce(&Area<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<String> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (WIDTH, height)).into_drawing_area();
        area.draw_text(title, &text(18, HPos::Left), (16, 18))?;
        drawing(&area)?;
        area.present()?;
    }
    let title = escaped(title);
    Ok(svg.replacen(
        "<svg ",
        &format!("<svg role=\"img\" aria-label=\"{title}\" "),
        1,
    ))
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

/// Text in HTML or SVG.
pub(super) fn escaped(text: &str) -> String {
    let escape = |c| match c {
        '<' => "&lt;".into(),
        '>' => "&gt;".into(),
        '&' => "&amp;".into(),
        '"' => "&quot;".into(),
        c => String::from(c),
    };
    text.chars().map(escape).collect()
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
pub(super) fn throughput(title: &str, all: &[Figures]) -> anyhow::Result<String> {
    let most = all.iter().filter_map(|f| f.threads).max();
    let shown = all
        .iter()
        .filter(|f| f.threads == most || f.threads.is_none());
    let shown: Vec<_> = shown.collect();
    let names = names(shown.iter().map(|f| name(f)));
    let rate = |f: &&Figures| f.puzzles_per_second();
    let least = shown.iter().map(rate).fold(f64::INFINITY, f64::min);
    let greatest = shown.iter().map(rate).fold(1.0, f64::max);
    // Powers of ten, by their exponents: a logarithmic axis of plotters labels
    // what is between them too, one over the other.
    let (from, to) = ((least / 2.0).log10().floor(), greatest.log10().ceil());
    const BAR: usize = 26;
    const LEFT: u32 = 300;
    let height = (110 + BAR * shown.len()) as u32;
    // Of other programs it is not known.
    let ours = match shown.iter().any(|f| f.threads.is_none()) {
        true => "sudoku-batch with ",
        false => "",
    };
    let plural = if most == Some(1) { "" } else { "s" };
    let title = format!(
        "{title}, {ours}{} thread{plural}: how many a second",
        most.unwrap_or(1)
    );
    draw(height, &title, |area| {
        let inner = area.margin(40, 10, 0, 100);
        let mut chart = ChartBuilder::on(&inner)
            .x_label_area_size(34)
            .y_label_area_size(LEFT)
            .build_cartesian_2d(from..to, 0.0..shown.len() as f64)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(FAINT.0.mix(0.0))
            .bold_line_style(FAINT.0)
            .axis_style(FAINT.0)
            .label_style(text(13, HPos::Center))
            .x_labels((to - from) as usize + 1)
            .x_label_formatter(&|exponent| round(10f64.powf(exponent.round())))
            .draw()?;
        for (row, figures) in shown.iter().enumerate() {
            let row_at = |part: f64| (shown.len() - row) as f64 - part;
            let series = names.iter().position(|known| *known == name(figures));
            let fill = colour(series.unwrap_or(0)).filled();
            let rate = figures.puzzles_per_second();
            let bar = Rectangle::new([(from, row_at(0.15)), (rate.log10(), row_at(0.85))], fill);
            chart.draw_series([bar])?;
            let (end, middle) = chart.backend_coord(&(rate.log10(), row_at(0.5)));
            let (start, _) = chart.backend_coord(&(from, row_at(0.5)));
            let value = HumanCount(rate.round() as u64).to_string();
            area.draw_text(&value, &text(13, HPos::Left), (end + 6, middle))?;
            let label = format!("{} · {}", short(&figures.corpus, 18), name(figures));
            area.draw_text(
                &short(&label, 40),
                &text(13, HPos::Right),
                (start - 8, middle),
            )?;
        }
        Ok(())
    })
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

/// How many times as fast more threads are than one, by corpus and engine;
/// nothing when only one number of threads was measured.
pub(super) fn scaling(title: &str, all: &[Figures]) -> anyhow::Result<Option<String>> {
    let threads = names(
        all.iter()
            .filter(|f| f.speedup.is_some())
            .filter_map(|f| f.threads),
    );
    let most = threads.iter().copied().max().unwrap_or(1);
    if threads.len() < 2 {
        return Ok(None);
    }
    let series = |f: &Figures| format!("{} · {}", short(&f.corpus, 18), name(f));
    let lines = names(all.iter().map(series));
    let lines: Vec<_> = lines
        .into_iter()
        .map(|name| {
            let points = all.iter().filter(|f| series(f) == name);
            let point = |f: &Figures| Some((f.threads? as f64, f.speedup?));
            let mut points: Vec<_> = points.filter_map(point).collect();
            points.sort_by(|one, other| one.0.total_cmp(&other.0));
            (name, points)
        })
        .collect();
    let axes = Axes {
        title: format!("{title}: speed-up over threads"),
        x: 1.0..most as f64,
        y: 0.0..most as f64 * 1.05,
        x_name: "threads",
        y_name: "times as fast",
        whole_x: true,
    };
    let ideal = vec![(1.0, 1.0), (most as f64, most as f64)];
    axes.draw(&lines, Some(&ideal)).map(Some)
}

/// What share of the puzzles takes how long, each solved by itself.
pub(super) fn distribution(all: &[Distribution]) -> anyhow::Result<String> {
    let lines: Vec<_> = all
        .iter()
        .map(|distribution| {
            let times = &distribution.nanoseconds;
            let point = |percent: usize| {
                let at = (times.len() - 1) * percent / 100;
                ((times[at] / 1000.0).log10(), percent as f64)
            };
            let points = (0..=100).map(point).collect();
            (short(&distribution.corpus, 24), points)
        })
        .collect::<Vec<(String, Vec<(f64, f64)>)>>();
    let ends = lines.iter().flat_map(|line| [line.1[0].0, line.1[100].0]);
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
    axes.draw(&lines, None)
}

/// The frame of a plot of lines.
struct Axes {
    title: String,
    x: std::ops::Range<f64>,
    y: std::ops::Range<f64>,
    x_name: &'static str,
    y_name: &'static str,
    /// Whether x is a whole number, or the power of ten of what is shown.
    whole_x: bool,
}

impl Axes {
    fn draw(
        &self,
        lines: &[(String, Vec<(f64, f64)>)],
        ideal: Option<&[(f64, f64)]>,
    ) -> anyhow::Result<String> {
        let height = 360 + 18 * lines.len().saturating_sub(6) as u32;
        draw(height, &self.title, |area| {
            let inner = area.margin(40, 10, 10, 230);
            let mut chart = ChartBuilder::on(&inner)
                .x_label_area_size(44)
                .y_label_area_size(60)
                .build_cartesian_2d(self.x.clone(), self.y.clone())?;
            let span = self.x.end - self.x.start;
            let x_label = |x: &f64| match self.whole_x {
                true => format!("{x:.0}"),
                false => format!("{}", (10f64.powf(*x) * 1e3).round() / 1e3),
            };
            chart
                .configure_mesh()
                .light_line_style(FAINT.0.mix(0.0))
                .bold_line_style(FAINT.0)
                .axis_style(FAINT.0)
                .label_style(text(13, HPos::Center))
                .x_labels(if span > 8.0 { 9 } else { span as usize + 1 })
                .y_labels(6)
                .x_desc(self.x_name)
                .y_desc(self.y_name)
                .x_label_formatter(&x_label)
                .y_label_formatter(&|y| format!("{}", (y * 10.0).round() / 10.0))
                .draw()?;
            if let Some(ideal) = ideal {
                chart.draw_series(LineSeries::new(ideal.to_vec(), FAINT.0.stroke_width(2)))?;
            }
            for (series, (_, points)) in lines.iter().enumerate() {
                let style = colour(series).stroke_width(2);
                chart.draw_series(LineSeries::new(points.clone(), style))?;
            }
            for (series, (name, _)) in lines.iter().enumerate() {
                let y = 56 + 18 * series as i32;
                let x = WIDTH as i32 - 222;
                let style = colour(series).stroke_width(3);
                area.draw(&PathElement::new(vec![(x, y), (x + 18, y)], style))?;
                area.draw_text(&short(name, 26), &text(13, HPos::Left), (x + 24, y))?;
            }
            Ok(())
        })
    }
}
