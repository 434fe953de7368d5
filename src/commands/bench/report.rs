//! The figures as a page: tables and plots in one file that loads nothing.

use super::{
    Section,
    distribution::Distribution,
    plot::{self, NARROW, WIDE, escaped},
    table::Table,
};
use std::fmt::Write;

const STYLE: &str = "\
:root { color-scheme: light dark; --ink: #1f2328; --ground: #ffffff; --faint: #d1d9e0 }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6edf3; --ground: #0d1117; --faint: #3d444d }
}
body { color: var(--ink); background: var(--ground); font: 16px/1.5 system-ui, sans-serif;
       max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2.5rem }
.wide { overflow-x: auto }
table { border-collapse: collapse; font-size: 0.85rem; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid var(--faint); padding: 0.25rem 0.6rem; text-align: left }
.number { text-align: right; white-space: nowrap }
svg { max-width: 100%; height: auto; margin: 1rem 0; display: block }
.narrow { display: none }
@media (max-width: 50rem) {
  body { margin: 1rem auto }
  h1, h2, p { overflow-wrap: anywhere }
  td, th { white-space: nowrap }
  .desktop { display: none } .narrow { display: block }
}
";

/// The page.
pub(super) fn page(
    heading: &str,
    sections: &[Section],
    distributions: &[Distribution],
) -> anyhow::Result<String> {
    let mut body = String::new();
    for line in heading.lines() {
        writeln!(body, "<p>{}</p>", escaped(line))?;
    }
    for section in sections
        .iter()
        .filter(|section| !section.figures.is_empty())
    {
        writeln!(body, "<h2>{}</h2>", escaped(&section.title))?;
        body += &html(&Table::of(&section.figures));
        for remark in &section.remarks {
            writeln!(body, "<p>{}</p>", escaped(remark))?;
        }
        body += &both(|width| plot::throughput(section.name, &section.figures, width))?;
        body += &both(|width| {
            let plot = plot::scaling(section.name, &section.figures, width)?;
            Ok(plot.unwrap_or_default())
        })?;
    }
    if !distributions.is_empty() {
        writeln!(body, "<h2>By difficulty</h2>")?;
        body += &both(|width| plot::distribution(distributions, width))?;
    }
    Ok(format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>sudoku-batch bench</title>\n<style>\n{STYLE}{}</style>\n</head>\n<body>\n\
         <h1>How fast sudoku-batch is here</h1>\n{body}</body>\n</html>\n",
        plot::dark_style()
    ))
}

/// A plot in the widths of a desktop and of a phone; the style sheet shows one of them.
fn both(plot: impl Fn(u32) -> anyhow::Result<String>) -> anyhow::Result<String> {
    let (wide, narrow) = (plot(WIDE)?, plot(NARROW)?);
    Ok(format!(
        "<div class=\"desktop\">{wide}</div>\n<div class=\"narrow\">{narrow}</div>\n"
    ))
}

fn html(table: &Table) -> String {
    let mut html = String::from("<div class=\"wide\"><table>\n");
    for (i, row) in table.rows().iter().enumerate() {
        let tag = if i == 0 { "th" } else { "td" };
        html += "<tr>";
        for (column, cell) in row.iter().enumerate() {
            let class = match table.is_of_numbers(column) {
                true => " class=\"number\"",
                false => "",
            };
            html += &format!("<{tag}{class}>{}</{tag}>", escaped(cell));
        }
        html += "</tr>\n";
    }
    html + "</table></div>\n"
}
