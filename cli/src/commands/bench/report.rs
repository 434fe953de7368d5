//! The figures as a page: tables and plots in one file that loads nothing.

use super::{Section, distribution::Distribution, plot, table::Table};
use crate::{
    chart::dark_style,
    page::{self, in_both_widths},
};
use sudoku_batch::draw::svg::escaped;

/// The page.
pub(super) fn page(heading: &str, sections: &[Section], distributions: &[Distribution]) -> String {
    let mut body = String::new();
    for line in heading.lines() {
        body += &format!("<p>{}</p>\n", escaped(line));
    }
    for section in sections {
        body += &format!("<h2>{}</h2>\n", escaped(&section.title));
        let table = Table::of(&section.figures);
        body += &page::table(&table.rows, |column| table.is_of_numbers(column));
        for remark in &section.remarks {
            body += &format!("<p>{}</p>\n", escaped(remark));
        }
        body += &in_both_widths(|width| plot::throughput(section.name, &section.figures, width));
        body += &in_both_widths(|width| {
            plot::scaling(section.name, &section.figures, width).unwrap_or_default()
        });
    }
    if !distributions.is_empty() {
        body += "<h2>By difficulty</h2>\n";
        body += &in_both_widths(|width| plot::distribution(distributions, width));
    }
    let heading = "How fast sudoku-batch is here";
    page::page("sudoku-batch bench", heading, &dark_style(), &body)
}
