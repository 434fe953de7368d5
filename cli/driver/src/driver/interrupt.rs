//! Signals: the cleanup when a signal ends the process.

use super::{checkpoint, progress, say};
use crate::pipeline::{lock, output};
use anyhow::Context;
use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, OnceLock},
};

/// Handles the signals that end the process: Ctrl-C and Ctrl-\, a termination, a closed terminal, and
/// those that batch systems send before they kill (SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM).
/// From now on such a signal leaves no file, no progress bar and no process of [`Child`]
/// behind. The process then dies of that signal, so that a shell stops its loop. A signal
/// that the process inherits as ignored (`nohup`, a background job of a script) stays
/// ignored.
///
/// A file that exceeds its size limit causes a write error.
///
/// On Windows Ctrl-C, Ctrl-Break and the end of the console or the session all give status
/// 130.
pub fn handle() -> anyhow::Result<()> {
    static HANDLED: OnceLock<()> = OnceLock::new();
    if HANDLED.set(()).is_err() {
        return Ok(());
    }
    heed().context("cannot handle signals")
}

#[cfg(unix)]
fn heed() -> anyhow::Result<()> {
    use signal_hook::{
        consts::{SIGALRM, SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ},
        flag,
        iterator::Signals,
        low_level::emulate_default_handler,
    };
    use std::sync::{Arc, atomic::AtomicBool};
    flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    let ignored = ignored();
    let ending = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM,
    ];
    let ending: Vec<_> = ending
        .into_iter()
        .filter(|signal| ignored >> (signal - 1) & 1 == 0)
        .collect();
    let mut signals = Signals::new(&ending)?;
    // Register this last: a thread that waits because of the flag waits for the thread
    // below.
    let came = CAME.get_or_init(Arc::default);
    for signal in ending {
        flag::register(signal, Arc::clone(came))?;
    }
    // `thread::spawn` panics if there is no thread.
    std::thread::Builder::new().spawn(move || {
        if let Some(signal) = signals.forever().next() {
            clean_up();
            let _ = emulate_default_handler(signal);
            // The process gets here only if the signal could not be raised.
            std::process::exit(128 + signal);
        }
    })?;
    Ok(())
}

/// Whether a signal came that ends the process. The flag is set when the signal comes. A
/// thread does the cleanup soon after.
#[cfg(unix)]
static CAME: OnceLock<std::sync::Arc<std::sync::atomic::AtomicBool>> = OnceLock::new();

/// Continues only if no signal came that ends the process. Otherwise it waits for that end.
///
/// Ctrl-C ends all processes of a pipe at once. So this process may reach the end of its
/// input because of the signal, and its output so far is not the whole.
pub fn check() {
    #[cfg(unix)]
    while CAME
        .get()
        .is_some_and(|came| came.load(std::sync::atomic::Ordering::SeqCst))
    {
        std::thread::park();
    }
}

/// The signals that the process ignores: bit i - 1 is signal i.
#[cfg(target_os = "linux")]
fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or(0)
}

/// On other systems this cannot be asked without unsafe code.
#[cfg(all(unix, not(target_os = "linux")))]
fn ignored() -> u64 {
    0
}

#[cfg(windows)]
fn heed() -> anyhow::Result<()> {
    const STATUS: i32 = 128 + 2;
    Ok(ctrlc::set_handler(|| {
        clean_up();
        std::process::exit(STATUS)
    })?)
}

/// Removes everything that must not be left behind. Other threads can no longer move an
/// output to its target. A thread that waits for the child that ends here waits forever, so
/// it does not report a failure.
fn clean_up() {
    output::abandon();
    progress::end();
    let kept = checkpoint::stop();
    // Nobody else waits for these words, and a pipe that is full would keep the process alive.
    if output::has_unfinished_files() && checkpoint::has_reader() {
        let kept = kept.map_or_else(String::new, |kept| format!("; {kept}"));
        say(format_args!(
            "sudoku-batch: interrupted; output files stay as they were{kept}"
        ));
    }
    let child = lock(&CHILD);
    if let Some(child) = *child {
        end(child);
    }
    std::mem::forget(child);
    if let Some(folder) = lock(&SCRATCH).take() {
        let _ = fs::remove_dir_all(folder);
    }
    let folders = remove_new_folders();
    // None is made any more.
    std::mem::forget(folders);
}

/// The folder of [`scratch_folder`].
static SCRATCH: Mutex<Option<PathBuf>> = Mutex::new(None);

/// A folder for temporary files. It is removed when it is dropped, and on a signal once
/// those are [handled](handle). There is one at a time.
pub fn scratch_folder() -> anyhow::Result<tempfile::TempDir> {
    let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
    *lock(&SCRATCH) = Some(folder.path().to_owned());
    Ok(folder)
}

/// The folders that [`make_folder`] made, each after the one around it.
static NEW_FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Makes a folder for outputs, and the folders around it. [`remove_new_folders`] removes them, and
/// so does a signal once those are [handled](handle).
pub fn make_folder(path: &Path) -> io::Result<()> {
    let mut folders = lock(&NEW_FOLDERS);
    let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
    let missing: Vec<_> = path.ancestors().take_while(is_missing).collect();
    folders.extend(missing.into_iter().rev().map(Path::to_owned));
    fs::create_dir_all(path)
}

/// Removes the folders of [`make_folder`] that are empty: the command failed.
pub fn remove_new_folders() -> MutexGuard<'static, Vec<PathBuf>> {
    let mut folders = lock(&NEW_FOLDERS);
    for folder in folders.drain(..).rev() {
        let _ = fs::remove_dir(folder);
    }
    folders
}

/// The process group of the [`Child`] that runs.
static CHILD: Mutex<Option<u32>> = Mutex::new(None);

/// A process that a signal ends too, with all processes that it starts. There is one at a
/// time.
pub struct Child(std::process::Child);

impl Child {
    /// Starts it, in a process group of its own.
    pub fn start(command: &mut std::process::Command) -> std::io::Result<Self> {
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(command, 0);
        // The lock is held during the start, so that a signal comes before or after it.
        let mut running = lock(&CHILD);
        let child = command.spawn()?;
        *running = Some(child.id());
        Ok(Self(child))
    }

    /// Waits for its end.
    pub fn wait(mut self) -> std::io::Result<std::process::ExitStatus> {
        let status = self.0.wait();
        *lock(&CHILD) = None;
        status
    }
}

/// Ends a process group: first with the signal that `kill` sends, so that it may clean up,
/// then by force.
#[cfg(unix)]
fn end(group: u32) {
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::time::Duration;
    const GRACE: Duration = Duration::from_millis(200);
    let group = i32::try_from(group).ok().and_then(Pid::from_raw);
    let group = group.expect("a process has a number over 0");
    if kill_process_group(group, Signal::TERM).is_ok() {
        std::thread::sleep(GRACE);
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// The console gives Ctrl-C to all its processes.
#[cfg(windows)]
fn end(_: u32) {}
