//! The progress bar.

use super::{
    locale::has_unicode,
    say,
    words::{self, counted},
};
use crate::pipeline::lock;
#[cfg(unix)]
use indicatif::TermLike;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
#[cfg(unix)]
use std::io::{self, Write};
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
    let template = match total {
        Some(_) => "{wide_bar} {percent}%  {msg}",
        None => "{spinner} {msg}, {elapsed}",
    };
    let mut style =
        ProgressStyle::with_template(template).expect("a template that indicatif knows");
    if !has_unicode() {
        style = style.progress_chars("#>-").tick_chars("-\\|/ ");
    }
    #[cfg(unix)]
    let target = ProgressDrawTarget::term_like_with_hz(Box::new(Narrow), 20);
    #[cfg(not(unix))]
    let target = ProgressDrawTarget::stderr();
    ProgressBar::with_draw_target(total, target).with_style(style)
}

/// Standard error with some columns left free at the end of a line. The cursor waits behind the bar, and the terminal
/// writes `^C` there. At the end of the line it would do so on the next one, and the bar could not be cleared.
#[cfg(unix)]
#[derive(Debug)]
struct Narrow;

#[cfg(unix)]
impl Narrow {
    /// The columns of `^C`, and one for the cursor.
    const FREE: u16 = 3;

    /// Moves the cursor by a number of places in the direction of a letter.
    fn move_cursor(&self, by: usize, letter: char) -> io::Result<()> {
        match by {
            0 => Ok(()),
            by => self.write_str(&format!("\x1b[{by}{letter}")),
        }
    }
}

#[cfg(unix)]
impl TermLike for Narrow {
    fn width(&self) -> u16 {
        const USUAL: u16 = 80;
        let size = rustix::termios::tcgetwinsize(io::stderr());
        let columns = size.map_or(0, |size| size.ws_col);
        let columns = if columns == 0 { USUAL } else { columns };
        columns.saturating_sub(Self::FREE).max(1)
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.move_cursor(n, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.write_str(&format!("{text}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        io::stderr().write_all(text.as_bytes())
    }

    fn clear_line(&self) -> io::Result<()> {
        self.write_str("\r\x1b[2K")
    }

    fn flush(&self) -> io::Result<()> {
        io::stderr().flush()
    }
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
