//! Signals.

use anyhow::Context;
use signal_hook::{
    consts::{SIGINT, SIGTERM, SIGXFSZ},
    flag,
    iterator::Signals,
};
use std::{
    fs,
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError, atomic::AtomicBool},
};
use sudoku_batch::pipeline::output;

/// From now on Ctrl-C ends the process with status 130 and leaves no file
/// behind, wherever it is at (a termination: 143), and a file that grows over
/// its limit is an error of writing, not the end of the process.
pub(crate) fn handle() -> anyhow::Result<()> {
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false))).context("cannot handle signals")?;
    let mut signals = Signals::new([SIGINT, SIGTERM]).context("cannot handle signals")?;
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            output::abandon();
            let folder = SCRATCH
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take();
            let _ = folder.map(fs::remove_dir_all);
            std::process::exit(128 + signal);
        }
    });
    Ok(())
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
