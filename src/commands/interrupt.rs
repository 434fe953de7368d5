//! Signals.

use anyhow::Context;
use std::{
    fs,
    path::PathBuf,
    process,
    sync::{Mutex, OnceLock, PoisonError},
};
use sudoku_batch::pipeline::output;

/// From now on Ctrl-C ends the process with status 130 and leaves no file
/// behind, wherever it is at (a termination: 143), and a file that grows over
/// its limit is an error of writing, not the end of the process. On Windows
/// Ctrl-C, Ctrl-Break and the end of the console or the session all give 130.
pub(crate) fn handle() -> anyhow::Result<()> {
    static HANDLED: OnceLock<()> = OnceLock::new();
    if HANDLED.set(()).is_err() {
        return Ok(());
    }
    heed().context("cannot handle signals")
}

#[cfg(unix)]
fn heed() -> anyhow::Result<()> {
    use signal_hook::{
        consts::{SIGINT, SIGTERM, SIGXFSZ},
        flag,
        iterator::Signals,
    };
    use std::sync::{Arc, atomic::AtomicBool};
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            leave(128 + signal);
        }
    });
    Ok(())
}

#[cfg(windows)]
fn heed() -> anyhow::Result<()> {
    const SIGINT: i32 = 2;
    Ok(ctrlc::set_handler(|| leave(128 + SIGINT))?)
}

/// Ends the process, with nothing left behind.
fn leave(status: i32) -> ! {
    output::abandon();
    let folder = SCRATCH
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    let _ = folder.map(fs::remove_dir_all);
    process::exit(status)
}

/// The folder of [`scratch_folder`].
static SCRATCH: Mutex<Option<PathBuf>> = Mutex::new(None);

/// A folder for files that nobody is to find: gone when it is dropped, and on
/// Ctrl-C once it is [handled](handle). There is one at a time.
pub(crate) fn scratch_folder() -> anyhow::Result<tempfile::TempDir> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    let path = folder.path().to_owned();
    *SCRATCH.lock().unwrap_or_else(PoisonError::into_inner) = Some(path);
    Ok(folder)
}
