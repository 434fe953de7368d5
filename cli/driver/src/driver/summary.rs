//! The summary at the end of a command.
//!
//! ```text
//! 10,000 records: 9,998 unique, 1 malformed, 1 no-solution
//! 0.004 s, 2,500,000 puzzles a second, 2 threads, engine sliced, level portable
//! ```

use super::{
    Done,
    job::SHOWN,
    options::SummaryFormat,
    report::say,
    words::{self, counted, grouped},
};
use serde::Serializer;
use serde_json::Value;
use std::{
    fmt::Write,
    sync::OnceLock,
    time::{Duration, Instant},
};
use sudoku_batch::questions::{Counts, SummaryField};

/// The time at which the process began.
static STARTED: OnceLock<Instant> = OnceLock::new();

/// The time at which the process began: that of the first call, which `main` makes.
pub fn started() -> Instant {
    *STARTED.get_or_init(Instant::now)
}

/// A fact as a value of JSON.
pub fn fact(fact: SummaryField) -> Value {
    match fact {
        SummaryField::Missing => Value::Null,
        SummaryField::Words(words) => words.into(),
        SummaryField::Share(share) => share.into(),
    }
}

/// The work of a command in numbers, and its speed.
pub struct Summary {
    /// The word for the items of the input or the product, as in `10,000 records`, and their number.
    pub(super) noun: &'static str,
    pub(super) total: u64,
    /// The counts by outcome. Text leaves out counts of zero.
    counts: Counts,
    /// The counts that are parts of the first count. Text shows them in brackets after it,
    /// and leaves out counts of zero.
    among_first: Counts,
    /// The unit of the rate, as in `puzzles a second`.
    unit: &'static str,
    /// The number of them that an earlier run did: the rate leaves them out.
    before: u64,
    /// Further facts: names and values. Text leaves out [`Value::Null`]: the fact does not apply.
    pub(super) facts: Vec<(&'static str, Value)>,
    /// The number of those that failed.
    pub(super) failed: u64,
    /// The words for their failure, as in `3 of 10 records not solved`.
    pub(super) failure: String,
}

impl Summary {
    /// The summary of things that do not fail.
    pub fn new(noun: &'static str, total: u64, counts: Counts) -> Self {
        Self {
            noun,
            total,
            counts,
            among_first: Counts::default(),
            unit: noun,
            before: 0,
            facts: Vec::new(),
            failed: 0,
            failure: String::new(),
        }
    }

    /// The summary of the records of a run.
    pub fn of_records(done: &Done, counts: Counts) -> Self {
        Self::new("records", done.records, counts)
    }

    /// Names what the rate counts.
    pub fn per_second(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// Adds counts that are parts of the first count.
    pub fn among_first(mut self, counts: Counts) -> Self {
        self.among_first = counts;
        self
    }

    /// Adds a fact.
    pub fn fact(mut self, name: &'static str, value: impl Into<Value>) -> Self {
        self.facts.push((name, value.into()));
        self
    }

    /// Adds facts.
    pub fn facts(mut self, facts: impl IntoIterator<Item = (&'static str, SummaryField)>) -> Self {
        let facts = facts.into_iter().map(|(name, of_run)| (name, fact(of_run)));
        self.facts.extend(facts);
        self
    }

    /// Says that an earlier run did this number of the items.
    pub(super) fn go_on_after(&mut self, before: u64) {
        if before > 0 {
            self.before = before;
            self.facts.push(("resumed_after", before.into()));
        }
    }

    /// Says how many of the total failed, and what is wrong with them.
    pub fn failed(mut self, failed: u64, failure: impl Into<String>) -> Self {
        self.failed = failed;
        self.failure = failure.into();
        self
    }

    /// Points to `--rejects`, if more records failed than standard error shows and no file
    /// has them.
    pub fn listed(mut self, done: &Done) -> Self {
        if self.failed > SHOWN as u64 && !done.has_rejects {
            self.failure += "; --rejects FILE lists them all";
        }
        self
    }

    /// Prints the summary on standard error, with the time since the process [started](started): a command may
    /// read its input twice, or others before it. `threads` is the number of threads that worked.
    pub(super) fn print(&self, format: SummaryFormat, threads: usize) {
        let elapsed = started().elapsed();
        match format {
            SummaryFormat::Text => say(self.text(elapsed, threads)),
            SummaryFormat::Json => say(self.json(elapsed, threads)),
            SummaryFormat::None => {}
        }
    }

    /// The number of items in a second, if there were any.
    fn rate(&self, elapsed: Duration) -> Option<f64> {
        let seconds = elapsed.as_secs_f64();
        let total = self.total.saturating_sub(self.before);
        (seconds > 0.0 && total > 0).then(|| total as f64 / seconds)
    }

    fn text(&self, elapsed: Duration, threads: usize) -> String {
        let mut text = counted(self.total, self.noun);
        let mut separator = ": ";
        for (i, (name, count)) in self.counts.iter().enumerate() {
            if count > 0 {
                text += &format!("{separator}{}", counted_name(count, name));
                separator = ", ";
            }
            for (name, count) in self.among_first.iter().filter(|(_, n)| i == 0 && *n > 0) {
                text += &format!(" ({})", counted_name(count, name));
            }
        }
        text += &format!("\n{:.3} s", elapsed.as_secs_f64());
        if let Some(per_second) = self.rate(elapsed) {
            let number = words::rate(per_second).to_string();
            let unit = words::noun(if number == "1" { 1 } else { 2 }, self.unit);
            text += &format!(", {number} {unit} a second");
        }
        text += &format!(", {}", counted(threads as u64, "threads"));
        for (name, value) in &self.facts {
            match value {
                Value::Null => Ok(()),
                Value::String(word) => write!(text, ", {name} {word}"),
                value => write!(text, ", {name} {value}"),
            }
            .expect("into memory");
        }
        text
    }

    /// The names are those of the text as names of columns have them: in lower case, with `_` for `-` and blanks, and
    /// `plus` for `+`. They do not change between versions.
    fn json(&self, elapsed: Duration, threads: usize) -> String {
        let mut members: Vec<(String, Value)> = vec![(self.noun.into(), self.total.into())];
        let key = |name: &str| {
            name.to_lowercase()
                .replace(['-', ' '], "_")
                .replace('+', "plus")
        };
        let member = |(name, count): (&str, u64)| (key(name), count.into());
        for (i, count) in self.counts.iter().enumerate() {
            members.push(member(count));
            members.extend(self.among_first.iter().filter(|_| i == 0).map(member));
        }
        let seconds = (elapsed.as_secs_f64() * 1e6).round() / 1e6;
        members.push(("seconds".into(), seconds.into()));
        members.push((
            format!("{}_per_second", self.unit),
            (self.rate(elapsed).unwrap_or_default() as u64).into(),
        ));
        members.push(("threads".into(), threads.into()));
        let facts = self.facts.iter();
        members.extend(facts.map(|(name, value)| ((*name).to_owned(), value.clone())));
        let mut json = Vec::new();
        // Unlike an object of serde_json, this keeps the order.
        serde_json::Serializer::new(&mut json)
            .collect_map(members)
            .expect("into memory");
        String::from_utf8(json).expect("serde_json writes UTF-8")
    }
}

/// A number and the name of what it counts. A name of one word may be a noun: `1 image`, `1 solved`.
fn counted_name(count: u64, name: &str) -> String {
    match name.contains('-') {
        true => format!("{} {name}", grouped(count)),
        false => counted(count, name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_agree_with_numbers() {
        let text = |total, elapsed| {
            let summary = Summary::new("puzzles", total, Counts::default());
            summary.text(Duration::from_millis(elapsed), 2)
        };
        assert_eq!(
            text(1, 1000),
            "1 puzzle\n1.000 s, 1 puzzle a second, 2 threads"
        );
        assert_eq!(
            text(1, 4000),
            "1 puzzle\n4.000 s, 0.2 puzzles a second, 2 threads"
        );
        assert_eq!(text(0, 4), "0 puzzles\n0.004 s, 2 threads");
    }

    #[test]
    fn text_and_json() {
        let mut counts = Counts::default();
        counts.add("solved", 2499);
        counts.add("malformed", 0);
        counts.add("no-solution", 1);
        let mut several = Counts::default();
        several.add("several", 1000);
        let summary = Summary::new("records", 2500, counts)
            .among_first(several)
            .per_second("puzzles")
            .fact("engine", "scalar")
            .fact("level", Value::Null)
            .fact("cell_accuracy", 0.25)
            .failed(1, "not solved");
        let elapsed = Duration::from_millis(500);
        assert_eq!(
            summary.text(elapsed, 1),
            "2,500 records: 2,499 solved (1,000 several), 1 no-solution\n\
             0.500 s, 5,000 puzzles a second, 1 thread, engine scalar, cell_accuracy 0.25"
        );
        let mut counts = Counts::default();
        counts.add("images", 1);
        counts.add("with-fewer-images", 1);
        let text = Summary::new("records", 1, counts).text(elapsed, 1);
        assert!(
            text.starts_with("1 record: 1 image, 1 with-fewer-images\n"),
            "{text}"
        );
        assert_eq!(
            summary.json(elapsed, 1),
            "{\"records\":2500,\"solved\":2499,\"several\":1000,\"malformed\":0,\"no_solution\":1,\
             \"seconds\":0.5,\"puzzles_per_second\":5000,\"threads\":1,\"engine\":\"scalar\",\"level\":null,\"cell_accuracy\":0.25}"
        );
    }
}
