//! What is told of a measurement.

use super::machine::Machine;
use serde::{Serialize, Serializer};
use std::time::Duration;

/// One line of a table.
#[derive(Clone, Debug)]
pub(super) struct Figures {
    pub(super) corpus: String,
    pub(super) puzzles: usize,
    /// How many of them differ.
    pub(super) distinct: Option<u64>,
    /// The size of their text.
    pub(super) bytes: usize,
    pub(super) engine: String,
    pub(super) level: Option<String>,
    pub(super) threads: Option<usize>,
    pub(super) limit: Option<u64>,
    /// Of the rounds, shortest first.
    pub(super) times: Vec<Duration>,
    /// How many times as fast as the same with one thread.
    pub(super) speedup: Option<f64>,
    /// How many times as long as the first process on the same file.
    pub(super) ratio: Option<f64>,
    pub(super) solved: u64,
    pub(super) checksum: u64,
}

impl Figures {
    /// Figures from the times of one round or more; the rest is to be filled in.
    pub(super) fn new(corpus: &str, puzzles: usize, mut times: Vec<Duration>) -> Self {
        assert!(puzzles > 0 && !times.is_empty());
        times.sort();
        Self {
            corpus: corpus.into(),
            puzzles,
            distinct: None,
            bytes: 0,
            engine: String::new(),
            level: None,
            threads: None,
            limit: None,
            times,
            speedup: None,
            ratio: None,
            solved: 0,
            checksum: 0,
        }
    }

    /// Fills in the speed-ups over one thread, where there are figures of it.
    pub(super) fn compare_with_one_thread(all: &mut [Self]) {
        let same = |one: &Self, other: &Self| {
            one.corpus == other.corpus && one.engine == other.engine && one.level == other.level
        };
        for i in 0..all.len() {
            let base = all
                .iter()
                .find(|f| f.threads == Some(1) && same(f, &all[i]));
            all[i].speedup = base.map(|base| base.ns_per_puzzle() / all[i].ns_per_puzzle());
        }
    }

    /// Of the best round.
    pub(super) fn ns_per_puzzle(&self) -> f64 {
        self.times[0].as_secs_f64() * 1e9 / self.puzzles as f64
    }

    /// Of the median round, the longer one in the middle of an even number.
    pub(super) fn ns_per_puzzle_median(&self) -> f64 {
        let median = self.times[self.times.len() / 2];
        median.as_secs_f64() * 1e9 / self.puzzles as f64
    }

    /// By the best round.
    pub(super) fn puzzles_per_second(&self) -> f64 {
        1e9 / self.ns_per_puzzle()
    }

    /// Millions of bytes of text by the best round.
    pub(super) fn mb_per_second(&self) -> f64 {
        self.bytes as f64 / self.times[0].as_secs_f64() / 1e6
    }

    /// As one line of JSON.
    pub(super) fn json(&self, machine: &Machine) -> String {
        let object = Object {
            corpus: &self.corpus,
            puzzles: self.puzzles,
            distinct: self.distinct,
            engine: &self.engine,
            level: self.level.as_deref(),
            threads: self.threads,
            limit: self.limit,
            rounds: self.times.len(),
            ns_per_puzzle: self.ns_per_puzzle(),
            ns_per_puzzle_median: self.ns_per_puzzle_median(),
            puzzles_per_second: self.puzzles_per_second(),
            mb_per_second: self.mb_per_second(),
            speedup: self.speedup,
            ratio: self.ratio,
            solved: self.solved,
            checksum: self.checksum_text(),
            machine,
        };
        serde_json::to_string(&object).expect("only strings and numbers")
    }

    /// Sixteen hexadecimal digits.
    pub(super) fn checksum_text(&self) -> String {
        format!("{:016x}", self.checksum)
    }
}

/// The names that stay.
#[derive(Serialize)]
struct Object<'f> {
    corpus: &'f str,
    puzzles: usize,
    distinct: Option<u64>,
    engine: &'f str,
    level: Option<&'f str>,
    threads: Option<usize>,
    limit: Option<u64>,
    rounds: usize,
    #[serde(serialize_with = "tenths")]
    ns_per_puzzle: f64,
    #[serde(serialize_with = "tenths")]
    ns_per_puzzle_median: f64,
    #[serde(serialize_with = "tenths")]
    puzzles_per_second: f64,
    #[serde(serialize_with = "tenths")]
    mb_per_second: f64,
    speedup: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<f64>,
    solved: u64,
    checksum: String,
    #[serde(flatten)]
    machine: &'f Machine,
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
    fn best_and_median() {
        let times = [5, 2, 9, 3, 4].map(Duration::from_micros).to_vec();
        let mut figures = Figures::new("c", 10, times);
        figures.bytes = 820;
        assert_eq!(figures.ns_per_puzzle().round(), 200.0);
        assert_eq!(figures.ns_per_puzzle_median().round(), 400.0);
        assert_eq!(figures.puzzles_per_second().round(), 5e6);
        assert_eq!(figures.mb_per_second().round(), 410.0);
    }

    #[test]
    fn speed_up_is_over_the_same_engine() {
        let of = |engine: &str, threads, ms| {
            let mut figures = Figures::new("c", 10, vec![Duration::from_millis(ms)]);
            (figures.engine, figures.threads) = (engine.into(), Some(threads));
            figures
        };
        let mut all = vec![of("a", 1, 12), of("b", 4, 1), of("a", 4, 4), of("a", 8, 24)];
        Figures::compare_with_one_thread(&mut all);
        let speedups: Vec<_> = all.iter().map(|f| f.speedup.map(f64::round)).collect();
        assert_eq!(speedups, [Some(1.0), None, Some(3.0), Some(1.0)]);
    }
}
