//! Signals.

use anyhow::Context;
use signal_hook::{
    consts::{SIGINT, SIGTERM, SIGXFSZ},
    flag,
    iterator::Signals,
};
use std::sync::{Arc, atomic::AtomicBool};
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
            std::process::exit(128 + signal);
        }
    });
    Ok(())
}
