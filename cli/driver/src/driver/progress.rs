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
    sync::{Arc, Condvar, Mutex},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

/// The bar appears after this time, so short work does not show one.
const PATIENCE: Duration = Duration::from_millis(500);

/// The time from one drawing of the bar to the next.
const INTERVAL: Duration = Duration::from_millis(100);

/// A bar on standard error with the progress, the rate and the remaining time.
///
/// A thread of its own draws it: the work may give nothing to draw for long.
pub struct Progress(Option<Drawing>);

/// The thread that draws the bar.
struct Drawing {
    shared: Arc<Shared>,
    thread: JoinHandle<()>,
}

/// The state that the work and the drawing share.
struct Shared {
    state: Mutex<State>,
    /// Signalled at the end.
    end: Condvar,
}

struct State {
    done: u64,
    count: u64,
    /// Both at the start.
    before: (u64, u64),
    has_ended: bool,
}

impl Progress {
    /// Creates a bar that appears after half a second, if `wanted` is set and standard
    /// error is a terminal. It is full at `total`, if that is known: perhaps the bytes of an input. `unit` is the name of
    /// the items that are counted, as in `1,000 records`.
    pub fn new(wanted: bool, total: Option<u64>, unit: &'static str) -> Self {
        let drawing = (wanted && std::io::stderr().is_terminal())
            .then(|| Drawing::begin(total, unit))
            .flatten();
        Self(drawing)
    }

    /// Adds `done` to the progress towards the total, and `count` to the number of items
    /// that are done.
    pub fn advance(&self, done: u64, count: u64) {
        if let Some(drawing) = &self.0 {
            let mut state = lock(&drawing.shared.state);
            state.done += done;
            state.count += count;
        }
    }

    /// Begins with the progress of an earlier run. The rate counts what comes after it.
    pub fn begin_after(&self, done: u64, count: u64) {
        self.advance(done, count);
        if let Some(drawing) = &self.0 {
            lock(&drawing.shared.state).before = (done, count);
        }
    }

    /// Prints a message without damaging the bar.
    pub fn say(&self, message: &str) {
        match &*lock(&SHOWN) {
            Shown::Bar(bar) => bar.suspend(|| say(message)),
            _ => say(message),
        }
    }

    /// Removes the bar.
    pub fn finish(&mut self) {
        if let Some(Drawing { shared, thread }) = self.0.take() {
            lock(&shared.state).has_ended = true;
            shared.end.notify_all();
            thread.join().expect("drawing does not panic");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

impl Drawing {
    /// Starts the thread. There is no bar if the system gives none.
    fn begin(total: Option<u64>, unit: &'static str) -> Option<Self> {
        let shared = Arc::new(Shared {
            state: Mutex::new(State {
                done: 0,
                count: 0,
                before: (0, 0),
                has_ended: false,
            }),
            end: Condvar::new(),
        });
        let of_thread = Arc::clone(&shared);
        let started = Instant::now();
        let draw = move || of_thread.draw(started, total, unit);
        let thread = thread::Builder::new().spawn(draw).ok()?;
        Some(Self { shared, thread })
    }
}

impl Shared {
    /// Draws the bar until the end, and removes it.
    fn draw(&self, started: Instant, total: Option<u64>, unit: &'static str) {
        let mut pause = PATIENCE;
        loop {
            let state = lock(&self.state);
            let waited = self
                .end
                .wait_timeout_while(state, pause, |state| !state.has_ended);
            let (state, _) = waited.unwrap_or_else(std::sync::PoisonError::into_inner);
            let (done, count, before) = (state.done, state.count, state.before);
            if state.has_ended {
                return clear(Shown::Nothing);
            }
            drop(state);
            pause = INTERVAL;
            let shown = &mut *lock(&SHOWN);
            if let Shown::Nothing = shown {
                *shown = Shown::Bar(bar(total));
            }
            // After a signal nothing is drawn.
            let Shown::Bar(bar) = shown else {
                return;
            };
            let elapsed = started.elapsed();
            let mut message = counted(count, unit);
            if count > before.1 {
                let rate = (count - before.1) as f64 / elapsed.as_secs_f64();
                message += &format!(", {} a second", words::rate(rate));
            }
            let total_now = total.map(|total| total.saturating_sub(before.0));
            if let Some(left) = time_left(elapsed, done - before.0, total_now) {
                message += &format!(", {:#} left", HumanDuration(left));
            }
            bar.set_position(done);
            bar.set_message(message);
        }
    }
}

/// The time for the remaining work at the rate so far, if it can be estimated. The bar's
/// own estimate begins with the first frame, and that frame has no data.
fn time_left(elapsed: Duration, done: u64, total: Option<u64>) -> Option<Duration> {
    let left = total?.saturating_sub(done);
    let seconds = elapsed.as_secs_f64() * left as f64 / done as f64;
    Duration::try_from_secs_f64(seconds).ok()
}

/// The state of standard error.
static SHOWN: Mutex<Shown> = Mutex::new(Shown::Nothing);

enum Shown {
    Nothing,
    Bar(ProgressBar),
    /// A signal has ended the process.
    Ended,
}

/// Removes the bar. What is shown now takes its place, unless a signal has ended the process.
fn clear(now: Shown) {
    let shown = &mut *lock(&SHOWN);
    match shown {
        Shown::Ended => return,
        Shown::Bar(bar) => bar.finish_and_clear(),
        Shown::Nothing => {}
    }
    *shown = now;
}

/// Removes the bar when a signal ends the process.
pub fn end() {
    clear(Shown::Ended);
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
