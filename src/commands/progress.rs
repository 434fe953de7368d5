//! The progress bar.

use super::say;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::{
    io::IsTerminal,
    time::{Duration, Instant},
};

/// Work that takes no longer shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the bar is drawn.
const INTERVAL: Duration = Duration::from_millis(100);

/// A bar on standard error with what is done, the rate and the time left.
pub(crate) struct Progress {
    /// What is counted, as in `1,000 records`.
    unit: &'static str,
    /// What makes the bar full, when that is known: bytes of an input, say.
    total: Option<u64>,
    done: u64,
    count: u64,
    started: Instant,
    /// When the bar is next to be drawn; `None` when it never is.
    next: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// A bar that shows up after half a second, if `wanted` and standard error
    /// is a terminal.
    pub(crate) fn new(wanted: bool, total: Option<u64>, unit: &'static str) -> Self {
        let started = Instant::now();
        Self {
            unit,
            total,
            done: 0,
            count: 0,
            started,
            next: (wanted && std::io::stderr().is_terminal()).then_some(started + PATIENCE),
            bar: None,
        }
    }

    /// Notes that `done` more of the total and `count` more of what is counted
    /// are through.
    pub(crate) fn advance(&mut self, done: u64, count: u64) {
        self.done += done;
        self.count += count;
        let now = Instant::now();
        if self.next.is_none_or(|next| now < next) {
            return;
        }
        self.next = Some(now + INTERVAL);
        let rate = self.count as f64 / (now - self.started).as_secs_f64();
        let bar = self.bar.get_or_insert_with(|| bar(self.total));
        bar.set_message(format!(
            "{} {}, {} a second",
            HumanCount(self.count),
            self.unit,
            HumanCount(rate as u64)
        ));
        bar.set_position(self.done);
    }

    /// Says something without tearing the bar.
    pub(crate) fn say(&self, message: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(message)),
            None => say(message),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// The time since the work began.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (
            ProgressBar::new(total),
            "{wide_bar} {percent}%  {msg}, {eta} left",
        ),
        None => (ProgressBar::new_spinner(), "{spinner} {msg}, {elapsed}"),
    };
    bar.with_style(ProgressStyle::with_template(template).expect("a template that indicatif knows"))
}
