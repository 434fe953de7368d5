//! HTML pages of one file each, that load nothing: with tables, and with [charts](super::chart).

use crate::chart::{NARROW, WIDE};
use sudoku_batch::draw::svg::escaped;

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

/// A page with a title, a heading and more rules of style. `style` is CSS and `body` is HTML; the
/// title and the heading are plain text.
///
/// The page has its own rules for the classes `number` (a cell of a table), `wide` (a block that
/// scrolls by itself), and `desktop` and `narrow` (shown on a wide screen, or on a narrow one).
///
/// ```
/// use sudoku_batch_cli::page::page;
/// let page = page("Counts", "Counts & shares", "", "<p>Nothing yet.</p>\n");
/// assert!(page.contains("<h1>Counts &amp; shares</h1>\n<p>Nothing yet.</p>\n</body>"));
/// ```
pub fn page(title: &str, heading: &str, style: &str, body: &str) -> String {
    let (title, heading) = (escaped(title), escaped(heading));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>\n{STYLE}{style}</style>\n</head>\n<body>\n\
         <h1>{heading}</h1>\n{body}</body>\n</html>\n"
    )
}

/// A table of texts, the titles in its first row, as HTML. `is_number` says of which columns the
/// cells are numbers.
///
/// ```
/// use sudoku_batch_cli::page::table;
/// let rows = [["name", "count"], ["a", "7"]].map(|row| row.map(String::from).to_vec());
/// let html = table(&rows, |column| column == 1);
/// assert!(html.contains("<tr><td>a</td><td class=\"number\">7</td></tr>"));
/// ```
pub fn table(rows: &[Vec<String>], is_number: impl Fn(usize) -> bool) -> String {
    let mut html = String::from("<div class=\"wide\"><table>\n");
    for (i, row) in rows.iter().enumerate() {
        let tag = if i == 0 { "th" } else { "td" };
        html += "<tr>";
        for (column, cell) in row.iter().enumerate() {
            let class = if is_number(column) {
                " class=\"number\""
            } else {
                ""
            };
            html += &format!("<{tag}{class}>{}</{tag}>", escaped(cell));
        }
        html += "</tr>\n";
    }
    html + "</table></div>\n"
}

/// A [chart](super::chart) in the widths of a desktop and of a phone; the style sheet shows one of
/// them.
pub fn in_both_widths(chart: impl Fn(u32) -> String) -> String {
    let (wide, narrow) = (chart(WIDE), chart(NARROW));
    format!("<div class=\"desktop\">{wide}</div>\n<div class=\"narrow\">{narrow}</div>\n")
}
