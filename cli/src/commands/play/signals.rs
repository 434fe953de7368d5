//! Signals: the game is saved and the terminal restored before the process ends.

use std::process::ExitCode;

/// The signal that Ctrl-C stands for.
pub(super) const INTERRUPT: i32 = 2;

/// The signal that a terminal that is gone stands for.
pub(super) const HANG_UP: i32 = 1;

/// Signals that end the game.
pub(super) struct Signals {
    #[cfg(unix)]
    came: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

impl Signals {
    /// From now on signals are reported by [`came`](Self::came).
    #[cfg(unix)]
    pub(super) fn heed() -> anyhow::Result<Self> {
        use anyhow::Context;
        use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
        let came = std::sync::Arc::default();
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
            let number = usize::try_from(signal).expect("signals are over 0");
            signal_hook::flag::register_usize(signal, std::sync::Arc::clone(&came), number)
                .context("cannot handle signals")?;
        }
        Ok(Self { came })
    }

    /// The console ends the process.
    #[cfg(not(unix))]
    pub(super) fn heed() -> anyhow::Result<Self> {
        Ok(Self {})
    }

    /// The signal that came.
    pub(super) fn came(&self) -> Option<i32> {
        #[cfg(unix)]
        {
            let came = self.came.load(std::sync::atomic::Ordering::SeqCst);
            i32::try_from(came).ok().filter(|&signal| signal != 0)
        }
        #[cfg(not(unix))]
        None
    }
}

/// Dies of a signal, so that a shell that waits knows of it. Gives an exit status only where
/// that cannot be done.
pub(super) fn die(signal: i32) -> ExitCode {
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal);
    ExitCode::from(u8::try_from(128 + signal).unwrap_or(2))
}
