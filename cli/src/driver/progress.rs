//! The progress bar.

use super::{
    say,
    words::{self, counted},
};
use crate::pipeline::lock;
use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use std::{
    io::IsTerminal,
    sync::Mutex,
    time::{Duration, Instant},
};

/// The bar appears after this time, so short work does not show one.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time from one drawing of the bar to the next.
const INTERVAL: Duration = Duration::from_millis(100);

/// A bar on standard error with the progress, the rate and the remaining time.
pub(crate) struct Progress {
    /// The items that are counted, as in `1,000 records`.
    unit: &'static str,
    /// The value at which the bar is full, if it is known. It may be the bytes of an input.
    total: Option<u64>,
    done: u64,
    count: u64,
    started: Instant,
    /// The time of the next drawing. `None` means never.
    next: Option<Instant>,
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Creates a bar that appears after half a second, if `wanted` is set and standard
    /// error is a terminal.
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

    /// Adds `done` to the progress towards the total, and `count` to the number of items
    /// that are done.
    pub(crate) fn advance(&mut self, done: u64, count: u64) {
        self.done += done;
        self.count += count;
        let now = Instant::now();
        if self.next.is_none_or(|next| now < next) {
            return;
        }
        self.next = Some(now + INTERVAL);
        let elapsed = now - self.started;
        let rate = self.count as f64 / elapsed.as_secs_f64();
        let bar = self.bar.get_or_insert_with(|| {
            let bar = bar(self.total);
            *lock(&SHOWN) = Some(bar.clone());
            bar
        });
        let mut message = counted(self.count, self.unit);
        if self.count > 0 {
            message += &format!(", {} a second", words::rate(rate));
        }
        if let Some(left) = time_left(elapsed, self.done, self.total) {
            message += &format!(", {:#} left", HumanDuration(left));
        }
        bar.set_message(message);
        bar.set_position(self.done);
    }

    /// Prints a message without damaging the bar.
    pub(crate) fn say(&self, message: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| say(message)),
            None => say(message),
        }
    }

    /// Removes the bar.
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

/// The time for the remaining work at the rate so far, if it can be estimated. The bar's
/// own estimate begins with the first frame, and that frame has no data.
fn time_left(elapsed: Duration, done: u64, total: Option<u64>) -> Option<Duration> {
    let left = total?.saturating_sub(done);
    let seconds = elapsed.as_secs_f64() * left as f64 / done as f64;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The bar that is shown, for [`clear`].
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Removes the bar when a signal ends the process.
pub(crate) fn clear() {
    if let Some(bar) = lock(&SHOWN).take() {
        bar.finish_and_clear();
    }
}

fn bar(total: Option<u64>) -> ProgressBar {
    let (bar, template) = match total {
        Some(total) => (ProgressBar::new(total), "{wide_bar} {percent}%  {msg}"),
        None => (ProgressBar::new_spinner(), "{spinner} {msg}, {elapsed}"),
    };
    bar.with_style(ProgressStyle::with_template(template).expect("a template that indicatif knows"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left() {
        let elapsed = Duration::from_millis(500);
        let left = |done, total| time_left(elapsed, done, total).map(|left| left.as_secs_f64());
        assert_eq!(left(10, Some(100)), Some(4.5));
        assert_eq!(left(100, Some(100)), Some(0.0));
        assert_eq!(left(200, Some(100)), Some(0.0));
        assert_eq!(left(0, Some(100)), None);
        assert_eq!(left(10, None), None);
    }
}
