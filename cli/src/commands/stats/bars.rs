//! Counts as bars, in text and on a page.

use crate::driver::words::grouped;
use crate::page;
use std::fmt::Write;
use sudoku_batch::draw::svg::escaped;

/// Counts that belong together.
pub(super) struct Section {
    pub(super) title: &'static str,
    /// The whole of the shares.
    pub(super) whole: u64,
    /// A name and a count for each bar.
    pub(super) bars: Vec<(String, u64)>,
}

/// The characters of the longest bar of a section. When bars of 100 % had this length, most sections looked flat: they
/// have ten entries or more. The shares next to the bars compare sections.
const WIDTH: u64 = 40;

impl Section {
    fn percent(&self, count: u64) -> f64 {
        100.0 * count as f64 / self.whole.max(1) as f64
    }

    /// The largest count, and at least 1.
    fn most(&self) -> u64 {
        let most = self.bars.iter().map(|(_, count)| *count).max();
        most.unwrap_or(0).max(1)
    }
}

/// A line for each bar:
///
/// ```text
/// Clues (of puzzles with one solution)
///   23   1,204   6.02 %  ###########
///   24   4,377  21.89 %  ########################################
/// ```
pub(super) fn text(sections: &[Section]) -> String {
    let mut text = String::new();
    for (i, section) in sections.iter().enumerate() {
        if i > 0 {
            text.push('\n');
        }
        writeln!(text, "{}", section.title).expect("into memory");
        let bars = || section.bars.iter();
        let names = bars().map(|(name, _)| name.chars().count()).max();
        let counts = bars().map(|(_, count)| grouped(*count).len());
        let (names, counts) = (names.unwrap_or(0), counts.max().unwrap_or(0));
        for (name, count) in &section.bars {
            // A count that is not 0 is seen.
            let length = (count * WIDTH).div_ceil(section.most());
            let line = format!(
                "  {name:>names$}  {count:>counts$}  {share:>6.2} %  {bar}",
                count = grouped(*count),
                share = section.percent(*count),
                bar = "#".repeat(length as usize),
            );
            writeln!(text, "{}", line.trim_end()).expect("into memory");
        }
    }
    text
}

const STYLE: &str = "\
.bar { background: #0969da; height: 0.8rem; min-width: 1px }
@media (prefers-color-scheme: dark) { .bar { background: #4493f8 } }
.plot { width: 60% }
";

/// The page.
pub(super) fn page(sections: &[Section]) -> String {
    let mut body = String::new();
    for section in sections {
        let title = escaped(section.title);
        write!(body, "<h2>{title}</h2>\n<div class=\"wide\"><table>\n").expect("into memory");
        for (name, count) in &section.bars {
            let percent = section.percent(*count);
            let width = 100.0 * *count as f64 / section.most() as f64;
            let bar = match count {
                0 => String::new(),
                _ => format!("<div class=\"bar\" style=\"width:{width:.2}%\"></div>"),
            };
            writeln!(
                body,
                "<tr><th class=\"number\">{}</th><td class=\"number\">{}</td>\
                 <td class=\"number\">{percent:.2} %</td><td class=\"plot\">{bar}</td></tr>",
                escaped(name),
                grouped(*count),
            )
            .expect("into memory");
        }
        body += "</table></div>\n";
    }
    page::page(
        "sudoku-batch stats",
        "What is in these puzzles",
        STYLE,
        &body,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_bar_of_each_section_has_the_whole_width() {
        let some = Section {
            title: "Some",
            whole: 2000,
            bars: vec![("a".into(), 1000), ("bcd".into(), 1), ("e".into(), 0)],
        };
        let few = Section {
            title: "Few",
            whole: 1000,
            bars: vec![("f".into(), 20), ("g".into(), 5)],
        };
        let none = Section {
            title: "None",
            whole: 0,
            bars: vec![("h".into(), 0)],
        };
        let sections = [some, few, none];
        let (fourth, full) = ("#".repeat(10), "#".repeat(40));
        let expected = format!(
            "Some\n    a  1,000   50.00 %  {full}\n  bcd      1    0.05 %  #\n    e      0    0.00 %\n\n\
             Few\n  f  20    2.00 %  {full}\n  g   5    0.50 %  {fourth}\n\n\
             None\n  h  0    0.00 %\n"
        );
        assert_eq!(text(&sections), expected);
        let page = page(&sections);
        assert!(page.contains("width:100.00%") && page.contains("width:0.10%"));
        assert!(page.contains("width:25.00%") && page.contains(">50.00 %</td>"));
        assert_eq!(page.matches("class=\"bar\"").count(), 4);
    }
}
