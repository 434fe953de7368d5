//! The figures as a page: tables and plots in one file that loads nothing.

use super::{
    Section,
    distribution::Distribution,
    plot::{self, NARROW, WIDE},
    table::Table,
};
use crate::commands::page::{self, escaped};
use std::fmt::Write;

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
    let heading = "How fast sudoku-batch is here";
    let style = plot::dark_style();
    Ok(page::page("sudoku-batch bench", heading, &style, &body))
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
