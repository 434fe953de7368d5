//! The summary at the end of a command.
//!
//! ```text
//! 10,000 records: 9,998 solved, 1 malformed, 1 no-solution
//! 0.004 s, 2,500,000 puzzles a second, 2 threads, engine sliced, level portable
//! ```

use super::say;
use crate::cli::output::SummaryFormat;
use indicatif::HumanCount;
use std::{fmt::Write, time::Duration};

/// What a command did and how fast.
pub(crate) struct Summary {
    /// The input or the product, as in `10,000 records`.
    pub(crate) total: (&'static str, u64),
    /// The counts by outcome. Text leaves out counts of zero.
    pub(crate) counts: Vec<(&'static str, u64)>,
    /// The counts that are parts of the first count. Text shows them in brackets after it,
    /// and leaves out counts of zero.
    pub(crate) among_first: Vec<(&'static str, u64)>,
    /// The unit of the rate, as in `puzzles a second`.
    pub(crate) unit: &'static str,
    /// Further facts: names and words. An empty word means that the fact does
    /// not apply. Text leaves it out, and JSON has null.
    pub(crate) facts: Vec<(&'static str, String)>,
    /// How many of the total failed.
    pub(crate) failed: u64,
    /// What is wrong with those, as in `3 of 10 records not solved`.
    pub(crate) failure: &'static str,
}

impl Summary {
    /// Prints the summary on standard error. `elapsed` is the time from the first byte read
    /// to the output in its place. `threads` is the number of threads that worked.
    pub(crate) fn print(&self, format: SummaryFormat, elapsed: Duration, threads: usize) {
        match format {
            SummaryFormat::Text => say(self.text(elapsed, threads)),
            SummaryFormat::Json => say(self.json(elapsed, threads)),
            SummaryFormat::None => {}
        }
    }

    fn rate(&self, elapsed: Duration) -> f64 {
        let seconds = elapsed.as_secs_f64();
        if seconds > 0.0 {
            self.total.1 as f64 / seconds
        } else {
            0.0
        }
    }

    fn text(&self, elapsed: Duration, threads: usize) -> String {
        let mut text = format!("{} {}", HumanCount(self.total.1), self.total.0);
        let mut separator = ": ";
        for (i, (name, count)) in self.counts.iter().enumerate() {
            if *count > 0 {
                write!(text, "{separator}{} {name}", HumanCount(*count)).expect("into memory");
                separator = ", ";
            }
            for (name, count) in self.among_first.iter().filter(|(_, n)| i == 0 && *n > 0) {
                write!(text, " ({} {name})", HumanCount(*count)).expect("into memory");
            }
        }
        write!(
            text,
            "\n{:.3} s, {} {} a second, {} thread{}",
            elapsed.as_secs_f64(),
            HumanCount(self.rate(elapsed) as u64),
            self.unit,
            threads,
            if threads == 1 { "" } else { "s" },
        )
        .expect("into memory");
        for (name, value) in self.facts.iter().filter(|fact| !fact.1.is_empty()) {
            write!(text, ", {name} {value}").expect("into memory");
        }
        text
    }

    /// The names are those of the text, with `_` for `-`. They do not change between
    /// versions. No name and no word contains a character that JSON must escape.
    fn json(&self, elapsed: Duration, threads: usize) -> String {
        let mut json = format!("{{\"{}\":{}", self.total.0, self.total.1);
        let (first, others) = self.counts.split_at(self.counts.len().min(1));
        for (name, count) in first.iter().chain(&self.among_first).chain(others) {
            write!(json, ",\"{}\":{count}", name.replace('-', "_")).expect("into memory");
        }
        write!(
            json,
            ",\"seconds\":{:.6},\"{}_per_second\":{:.0},\"threads\":{}",
            elapsed.as_secs_f64(),
            self.unit,
            self.rate(elapsed),
            threads
        )
        .expect("into memory");
        for (name, value) in &self.facts {
            match value.as_str() {
                "" => write!(json, ",\"{name}\":null"),
                // A share from 0 to 1.
                value if name.ends_with("_accuracy") => write!(json, ",\"{name}\":{value}"),
                value => write!(json, ",\"{name}\":\"{value}\""),
            }
            .expect("into memory");
        }
        json + "}"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_json() {
        let summary = Summary {
            total: ("records", 2500),
            counts: vec![("solved", 2499), ("malformed", 0), ("no-solution", 1)],
            among_first: vec![("several", 1000)],
            unit: "puzzles",
            facts: vec![
                ("engine", "scalar".into()),
                ("level", String::new()),
                ("cell_accuracy", "0.25".into()),
            ],
            failed: 1,
            failure: "not solved",
        };
        let elapsed = Duration::from_millis(500);
        assert_eq!(
            summary.text(elapsed, 1),
            "2,500 records: 2,499 solved (1,000 several), 1 no-solution\n\
             0.500 s, 5,000 puzzles a second, 1 thread, engine scalar, cell_accuracy 0.25"
        );
        assert_eq!(
            summary.json(elapsed, 1),
            "{\"records\":2500,\"solved\":2499,\"several\":1000,\"malformed\":0,\"no_solution\":1,\
             \"seconds\":0.500000,\"puzzles_per_second\":5000,\"threads\":1,\"engine\":\"scalar\",\"level\":null,\"cell_accuracy\":0.25}"
        );
    }
}
