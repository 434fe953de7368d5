//! The figures of a measurement.

use super::machine::Machine;
use crate::driver::words::{counted, said};
use serde::{Serialize, Serializer};
use std::time::Duration;

/// The thing that is measured. The fields that do not apply are `None`.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Label {
    pub(super) corpus: String,
    pub(super) puzzles: usize,
    /// The number of different ones.
    pub(super) distinct: Option<u64>,
    /// The size of their text.
    #[serde(skip)]
    pub(super) bytes: usize,
    pub(super) engine: String,
    pub(super) level: Option<&'static str>,
    pub(super) threads: Option<usize>,
    pub(super) limit: Option<u64>,
}

impl Label {
    /// The label of a corpus, or of what is made.
    pub(super) fn new(corpus: &str, puzzles: usize, bytes: usize) -> Self {
        Self {
            corpus: corpus.into(),
            puzzles,
            bytes,
            ..Self::default()
        }
    }
}

/// The result of a check that found no error.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CheckResult {
    /// The number of puzzles with a solution; under any question but the first with only one.
    pub(super) solved: u64,
    /// The checksum of the solutions, see `bench --help`.
    pub(super) checksum: u64,
}

/// One line of a table. The names of the fields are those of the JSON output, and stay.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Figures {
    #[serde(flatten)]
    pub(super) label: Label,
    pub(super) rounds: usize,
    /// In the best round, as all figures except the median.
    #[serde(serialize_with = "tenths")]
    pub(super) ns_per_puzzle: f64,
    #[serde(serialize_with = "tenths")]
    pub(super) ns_per_puzzle_median: f64,
    #[serde(serialize_with = "tenths")]
    pub(super) puzzles_per_second: f64,
    /// Millions of bytes of text.
    #[serde(serialize_with = "tenths")]
    pub(super) mb_per_second: f64,
    /// The speed, divided by that with one thread.
    pub(super) speedup: Option<f64>,
    /// The time, divided by that of the first process on the same file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ratio: Option<f64>,
    pub(super) solved: u64,
    /// Sixteen hexadecimal digits.
    pub(super) checksum: String,
}

impl Figures {
    /// Figures from the times of one round or more. Of an even number of rounds, the median
    /// is the longer one in the middle.
    pub(super) fn new(label: Label, mut times: Vec<Duration>, checked: CheckResult) -> Self {
        assert!(label.puzzles > 0 && !times.is_empty());
        times.sort();
        let ns_per_puzzle = |time: Duration| time.as_secs_f64() * 1e9 / label.puzzles as f64;
        Self {
            rounds: times.len(),
            ns_per_puzzle: ns_per_puzzle(times[0]),
            ns_per_puzzle_median: ns_per_puzzle(times[times.len() / 2]),
            puzzles_per_second: label.puzzles as f64 / times[0].as_secs_f64(),
            mb_per_second: label.bytes as f64 / times[0].as_secs_f64() / 1e6,
            speedup: None,
            ratio: None,
            solved: checked.solved,
            checksum: format!("{:016x}", checked.checksum),
            label,
        }
    }

    /// Fills in the speed-ups over one thread, where there are figures of it.
    pub(super) fn compare_with_one_thread(mut all: Vec<Self>) -> Vec<Self> {
        let key = |f: &Self| {
            (
                f.label.corpus.clone(),
                f.label.engine.clone(),
                f.label.level,
            )
        };
        let bases: Vec<_> = all
            .iter()
            .filter(|f| f.label.threads == Some(1))
            .cloned()
            .collect();
        for figures in &mut all {
            let base = bases.iter().find(|base| key(base) == key(figures));
            figures.speedup = base.map(|base| base.ns_per_puzzle / figures.ns_per_puzzle);
        }
        all
    }

    /// Fills in the ratios to the first figures.
    pub(super) fn compare_with_first(mut all: Vec<Self>) -> Vec<Self> {
        let base = all[0].ns_per_puzzle;
        for figures in &mut all {
            figures.ratio = Some(figures.ns_per_puzzle / base);
        }
        all
    }

    /// The figures as one line of JSON.
    pub(super) fn json(&self, machine: &Machine) -> String {
        #[derive(Serialize)]
        struct Line<'f> {
            #[serde(flatten)]
            figures: &'f Figures,
            #[serde(flatten)]
            machine: &'f Machine,
        }
        let figures = self;
        serde_json::to_string(&Line { figures, machine }).expect("only strings and numbers")
    }
}

/// The factor by which medians may lie above the best round. On a quiet machine rounds differ by some percent; a
/// second program on the same cores makes a round up to twice as long.
const QUIET: f64 = 1.25;

/// The words for medians that lie far above the best, if there are any.
pub(super) fn disturbance(all: &[Figures]) -> Option<String> {
    let is_far = |f: &&Figures| f.ns_per_puzzle_median > f.ns_per_puzzle * QUIET;
    let (far, rows) = (all.iter().filter(is_far).count(), all.len());
    (far > 0).then(|| {
        format!(
            "{far} of {} {} more than {QUIET} times the best: \
             something else seems to run on this machine",
            counted(rows as u64, "medians"),
            said(far as u64, "are")
        )
    })
}

/// More digits would only be noise.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn tenths<S: Serializer>(number: &f64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64((number * 10.0).round() / 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_far_above_the_best_are_a_disturbance() {
        let figures = |median| {
            let times = [400, median, 600].map(Duration::from_millis).to_vec();
            Figures::new(Label::new("c", 1, 82), times, CheckResult::default())
        };
        assert_eq!(disturbance(&[]), None);
        // A quarter above the best is quiet; more is not.
        assert_eq!(disturbance(&[figures(400), figures(500)]), None);
        let said = disturbance(&[figures(500), figures(501), figures(600)]);
        let expected = "2 of 3 medians are more than 1.25 times the best: \
                        something else seems to run on this machine";
        assert_eq!(said.as_deref(), Some(expected));
        // One round has no other to differ from.
        let one = vec![Duration::from_millis(7)];
        let one = Figures::new(Label::new("c", 1, 82), one, CheckResult::default());
        assert_eq!(disturbance(&[one]), None);
    }
}
