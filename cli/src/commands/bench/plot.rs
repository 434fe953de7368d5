//! Figures as plots.

use super::{distribution::Distribution, figures::Figures};
use crate::chart::{Axes, Bar, Bars, Panel, short};
use crate::driver::words::{counted, grouped};

/// The name of what a bar or line stands for.
fn name(figures: &Figures) -> String {
    let label = &figures.label;
    match label.level {
        Some(level) if label.engine != "scalar" => format!("{} {level}", label.engine),
        _ => label.engine.clone(),
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

/// Puzzles a second by corpus and engine, with the most threads that were measured: a bar
/// each, on a scale of powers of ten. It begins at a thousand a second, so that the bars of
/// several plots compare; with slower figures at one.
pub(super) fn throughput(title: &str, all: &[Figures], width: u32) -> String {
    let most = all.iter().filter_map(|f| f.label.threads).max();
    let is_shown = |f: &&Figures| f.label.threads == most || f.label.threads.is_none();
    let shown: Vec<_> = all.iter().filter(is_shown).collect();
    // Other programs may have any number of threads.
    let others = shown.iter().any(|f| f.label.threads.is_none());
    let title = format!(
        "{title}, {}{}: how many a second",
        if others { "sudoku-batch with " } else { "" },
        counted(most.unwrap_or(1) as u64, "threads"),
    );
    let rates = || shown.iter().map(|f| f.puzzles_per_second);
    let from = 3 * i32::from(rates().all(|rate| rate >= 2_000.0));
    let to = (rates().fold(1.0, f64::max).log10().ceil() as i32).max(from + 1);
    let names = names(shown.iter().map(|f| name(f)));
    let bar = |figures: &&Figures| {
        let (rate, name) = (figures.puzzles_per_second, name(figures));
        Bar {
            label: format!("{} · {name}", short(&figures.label.corpus, 18)),
            value: rate,
            text: grouped(rate.round() as u64),
            series: names.iter().position(|known| *known == name).unwrap_or(0),
        }
    };
    let bars = shown.iter().map(bar).collect();
    let powers = from..=to;
    Bars {
        title,
        powers,
        bars,
    }
    .draw(width)
}

/// The speed-up of more threads over one: a panel for each corpus with a line
/// for each engine. Nothing when only one number of threads was measured.
pub(super) fn scaling(title: &str, all: &[Figures], width: u32) -> Option<String> {
    let measured = || all.iter().filter(|f| f.speedup.is_some());
    let threads = names(measured().filter_map(|f| f.label.threads));
    let most = threads.iter().copied().max().unwrap_or(1) as f64;
    if threads.len() < 2 {
        return None;
    }
    let legend = names(measured().map(name));
    let corpora = names(measured().map(|f| &f.label.corpus));
    let line = |corpus: &String, engine: &String| {
        let points = measured().filter(|f| f.label.corpus == *corpus && name(f) == *engine);
        let point = |f: &Figures| Some((f.label.threads? as f64, f.speedup?));
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
        linear_x: true,
    };
    let panels: Vec<_> = corpora.into_iter().map(panel).collect();
    Some(axes.draw(width, &legend, &panels))
}

/// The share of the puzzles that is solved within a time, each by itself.
pub(super) fn distribution(all: &[Distribution], width: u32) -> String {
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
        x_name: "µs, logarithmic scale",
        y_name: "% of puzzles",
        linear_x: false,
    };
    let legend: Vec<_> = all.iter().map(|one| short(&one.corpus, 24)).collect();
    let panel = Panel {
        caption: String::new(),
        lines,
        ideal: false,
    };
    axes.draw(width, &legend, &[panel])
}
