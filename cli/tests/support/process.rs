//! Processes that tests start. None outlives its test, and each wait for one has an end.

use std::{
    fs,
    io::Read,
    ops::{Deref, DerefMut},
    process::{Child, Command, ExitStatus, Output, Stdio},
    sync::mpsc,
    thread::{self, JoinHandle, sleep},
    time::{Duration, Instant},
};

/// A process that takes longer than this hangs, and fails its test.
const LONGEST: Duration = Duration::from_secs(300);

/// A process that a test started. When it hangs it is killed, with its children, so that a
/// test that reads what it writes, or waits for its end, fails and does not hang too.
pub(crate) struct Running {
    child: Child,
    watchdog: Watchdog,
}

impl Running {
    #[track_caller]
    pub(crate) fn start(command: &mut Command) -> Self {
        let child = command.spawn().unwrap();
        let watchdog = Watchdog::over(child.id());
        Self { child, watchdog }
    }

    /// Waits for its end. Unlike [`Child::wait`] this leaves its standard input open.
    #[track_caller]
    pub(crate) fn end(&mut self) -> ExitStatus {
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            sleep(Duration::from_micros(500));
        };
        assert!(!self.watchdog.stop(), "the process hung: {status}");
        status
    }

    pub(crate) fn has_ended(&mut self) -> bool {
        let has_ended = self.child.try_wait().unwrap().is_some();
        assert!(!has_ended || !self.watchdog.stop(), "the process hung");
        has_ended
    }

    /// Closes its standard input, and waits for its end and all that it writes.
    #[track_caller]
    pub(crate) fn output(mut self) -> Output {
        drop(self.child.stdin.take());
        let errors = self.child.stderr.take().map(read);
        let stdout = self.child.stdout.take().map(read);
        let [stdout, stderr] = [stdout, errors]
            .map(|reader| reader.map_or_else(Vec::new, |reader| reader.join().unwrap()));
        Output {
            status: self.end(),
            stdout,
            stderr,
        }
    }

    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        // It is not waited for yet, so the number is its own, even if it has ended.
        rustix::process::kill_process(rustix::process::Pid::from_child(self), signal).unwrap();
    }
}

impl Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.child
    }
}

impl DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.child
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.watchdog.stop();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// All that a stream gives, read by a thread.
fn read(mut stream: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        bytes
    })
}

/// Kills a process that runs longer than [`LONGEST`], and all that descend from it: they hold
/// the pipes that the test reads.
struct Watchdog(Option<(mpsc::Sender<()>, JoinHandle<bool>)>);

impl Watchdog {
    fn over(number: u32) -> Self {
        let (ended, end) = mpsc::channel();
        let thread = thread::spawn(move || {
            let hangs = end.recv_timeout(LONGEST) == Err(mpsc::RecvTimeoutError::Timeout);
            if hangs {
                for number in with_children(number) {
                    let _ = Command::new("kill")
                        .args(["-KILL", &number.to_string()])
                        .status();
                }
            }
            hangs
        });
        Self(Some((ended, thread)))
    }

    /// Ends it. Returns whether it had killed the process.
    fn stop(&mut self) -> bool {
        self.0.take().is_some_and(|(ended, thread)| {
            drop(ended);
            thread.join().unwrap()
        })
    }
}

/// A process, its children and theirs. On systems without `/proc` just the process.
fn with_children(number: u32) -> Vec<u32> {
    let number_of = |entry: &fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes: Vec<u32> = processes.filter_map(|entry| number_of(&entry)).collect();
    let parent = |number: u32| -> Option<u32> {
        let about = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        // Number, (name), state, parent. The name may hold anything.
        let (_, behind_name) = about.rsplit_once(')')?;
        behind_name.split_whitespace().nth(1)?.parse().ok()
    };
    let mut family = vec![number];
    let mut next = 0;
    while let Some(&member) = family.get(next) {
        family.extend(
            processes
                .iter()
                .filter(|&&number| parent(number) == Some(member)),
        );
        next += 1;
    }
    family
}

/// Waits until this is so, but not longer than [`LONGEST`].
#[track_caller]
pub(crate) fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LONGEST, "it never comes: {what}");
        sleep(Duration::from_millis(1));
    }
}

/// Runs a command to its end.
#[track_caller]
pub(crate) fn ran(command: &mut Command) -> Ran {
    output(command).into()
}

/// Runs a command to its end: all bytes that it writes, whatever they are.
#[track_caller]
pub(crate) fn output(command: &mut Command) -> Output {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Running::start(command).output()
}

/// Runs a command to its end, with its streams as they are.
#[track_caller]
pub(crate) fn status(command: &mut Command) -> ExitStatus {
    Running::start(command).end()
}

/// The result of a run.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    /// Checks the exit status.
    #[track_caller]
    pub(crate) fn status(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "{self:#?}");
        self
    }

    /// Checks that standard error has this text in it.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.stderr.contains(text), "no {text:?} in {self:#?}");
        self
    }

    /// Checks standard output.
    #[track_caller]
    pub(crate) fn prints(self, text: &str) -> Self {
        assert_eq!(self.stdout, text, "{self:#?}");
        self
    }
}
