//! The progress bar.

use super::say;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use std::{
    io::IsTerminal,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

/// The bar appears after this time, so short work shows none.
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
        let elapsed = now - self.started;
        let rate = self.count as f64 / elapsed.as_secs_f64();
        let bar = self.bar.get_or_insert_with(|| {
            let bar = bar(self.total);
            *shown() = Some(bar.clone());
            bar
        });
        let mut message = format!(
            "{} {}, {} a second",
            HumanCount(self.count),
            self.unit,
            HumanCount(rate as u64)
        );
        if let Some(left) = time_left(elapsed, self.done, self.total) {
            message += &format!(", {:#} left", HumanDuration(left));
        }
        bar.set_message(message);
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

/// The time that the rest takes at the rate so far, when that can be told. (The estimate of
/// the bar itself begins with the first frame, and that frame has nothing to go by.)
fn time_left(elapsed: Duration, done: u64, total: Option<u64>) -> Option<Duration> {
    let left = total?.saturating_sub(done);
    let seconds = elapsed.as_secs_f64() * left as f64 / done as f64;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The bar that is shown, for [`clear`].
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

fn shown() -> MutexGuard<'static, Option<ProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Takes the bar away when a signal ends the process.
pub(crate) fn clear() {
    if let Some(bar) = shown().take() {
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
