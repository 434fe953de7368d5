//! The terminal: a screen of our own, and back as it was, however the program ends.

use super::buffer::{Buffer, Rect};
use super::screen::{self, Look};
use crate::game::Game;
use anyhow::{Context, bail};
use crossterm::{
    cursor,
    event::{self, Event},
    execute, queue,
    style::ContentStyle,
    terminal::{
        self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen, SetTitle,
        disable_raw_mode, enable_raw_mode,
    },
};
use std::{
    io::{self, IsTerminal, Write},
    panic,
    sync::{
        Once,
        mpsc::{self, Receiver, RecvTimeoutError},
    },
    thread,
    time::Duration,
};

/// Checks that there is a terminal to play on.
///
/// # Errors
///
/// Standard output is none.
pub(super) fn check() -> anyhow::Result<()> {
    if !io::stdout().is_terminal() {
        bail!(
            "play needs a terminal, and standard output is none; `sudoku-batch show` draws without one"
        );
    }
    Ok(())
}

/// Returns true if the terminal is gone: its window is closed, or its connection is lost.
#[cfg(unix)]
pub(super) fn is_gone() -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let terminal = io::stdout();
    let mut polled = [PollFd::new(&terminal, PollFlags::empty())];
    // After a signal the game looks again.
    let now = poll(&mut polled, Some(&Timespec::default()));
    let gone = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    now.is_ok() && polled[0].revents().intersects(gone)
}

/// The console ends the process when it is closed.
#[cfg(not(unix))]
pub(super) fn is_gone() -> bool {
    false
}

/// The events of the terminal.
///
/// A thread of its own reads it. crossterm 0.29 reads a terminal that is gone over and over, at full
/// speed, and never returns. To look before each read is not enough, because the terminal may go in
/// between. The thread may be caught, but the game is not: it ends the process.
pub(super) struct Inputs(Receiver<io::Result<Event>>);

impl Inputs {
    /// Begins to read.
    ///
    /// # Errors
    ///
    /// There is no thread.
    pub(super) fn read() -> io::Result<Self> {
        let (sender, inputs) = mpsc::channel();
        thread::Builder::new().spawn(move || {
            loop {
                let input = event::read();
                let is_last = input.is_err();
                if sender.send(input).is_err() || is_last {
                    break;
                }
            }
        })?;
        Ok(Self(inputs))
    }

    /// The next input, if one comes within a time.
    ///
    /// # Errors
    ///
    /// The terminal cannot be read.
    pub(super) fn next_within(&self, patience: Duration) -> io::Result<Option<Event>> {
        match self.0.recv_timeout(patience) {
            Ok(input) => input.map(Some),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// The whole screen of the terminal. When it is dropped, and before a panic is reported, the
/// terminal is as it was.
pub(super) struct Screen {
    /// The contents, where they are known.
    shown: Option<Buffer>,
    mouse: bool,
}

impl Screen {
    /// Takes the screen.
    ///
    /// # Errors
    ///
    /// There is no terminal to read keys from.
    pub(super) fn open(mouse: bool) -> anyhow::Result<Self> {
        restore_on_panic();
        enter(mouse).context("play needs a terminal")?;
        Ok(Self { shown: None, mouse })
    }

    /// Draws the game: all of it where the screen is new or has another size, else what changed.
    pub(super) fn draw(&mut self, game: &mut Game, look: &Look) -> io::Result<()> {
        let Rect { width, height, .. } = self.area()?;
        let mut buffer = Buffer::blank(width, height, look.palette.plain());
        screen::draw(&mut buffer, game, look);
        let mut output = Vec::new();
        let shown = self.shown.take();
        let before = match shown.filter(|shown| shown.area() == buffer.area()) {
            Some(shown) => shown,
            None => {
                queue!(output, Clear(ClearType::All))?;
                Buffer::blank(width, height, ContentStyle::default())
            }
        };
        buffer.write_changes(&before, &mut output)?;
        self.shown = Some(buffer);
        let mut terminal = io::stdout().lock();
        terminal.write_all(&output)?;
        terminal.flush()
    }

    /// The size of the screen.
    pub(super) fn area(&self) -> io::Result<Rect> {
        let (width, height) = terminal::size()?;
        Ok(Rect::new(0, 0, width, height))
    }

    /// Draws all anew the next time.
    pub(super) fn clear(&mut self) {
        self.shown = None;
    }

    /// Stops, as Ctrl-Z asks for, and comes back when the shell says so.
    pub(super) fn suspend(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        {
            restore();
            signal_hook::low_level::raise(signal_hook::consts::SIGTSTP)?;
            enter(self.mouse)?;
            self.clear();
        }
        #[cfg(not(unix))]
        let _ = self.mouse;
        Ok(())
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        restore();
    }
}

fn enter(mouse: bool) -> io::Result<()> {
    enable_raw_mode()?;
    let entered = execute!(
        io::stdout(),
        EnterAlternateScreen,
        SetTitle("sudoku-batch play"),
        cursor::Hide,
        event::EnableBracketedPaste
    );
    let entered = entered.and_then(|()| {
        if mouse {
            execute!(io::stdout(), event::EnableMouseCapture)
        } else {
            Ok(())
        }
    });
    entered.inspect_err(|_| restore())
}

/// Brings the terminal back to what it was. Nothing more can be done where that fails.
fn restore() {
    let _ = execute!(
        io::stdout(),
        event::DisableMouseCapture,
        event::DisableBracketedPaste,
        LeaveAlternateScreen,
        cursor::Show
    );
    let _ = disable_raw_mode();
}

/// A panic is reported on the terminal as it was, where it can be read.
fn restore_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let report = panic::take_hook();
        panic::set_hook(Box::new(move |information| {
            restore();
            report(information);
        }));
    });
}
