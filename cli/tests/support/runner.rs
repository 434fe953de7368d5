//! Running the program in a folder of its own.

#[allow(unused_imports, reason = "each of the three binaries uses a part")]
pub(crate) use super::process::{Ran, Running, output, ran, status, until};
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

/// The program: `sudoku-batch` under the name of the package of the tests.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_sudoku-batch-tested");

/// A folder that is empty at first and gone at last.
pub(crate) struct Folder(tempfile::TempDir);

/// A locale in which drawings have all their characters.
const UNICODE: [(&str, &str); 1] = [("LC_ALL", "C.UTF-8")];

impl Folder {
    pub(crate) fn new() -> Self {
        #[cfg(unix)]
        give_default_signals();
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// This folder with one file more.
    pub(crate) fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.file(name), content).unwrap();
        self
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap()
    }

    /// The names of all files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The program, about to be run in this folder, with arguments that are
    /// separated by spaces.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(arguments.split_whitespace())
            .envs(UNICODE)
            .current_dir(self.path());
        command
    }

    /// Runs the program.
    pub(crate) fn run(&self, arguments: &str) -> Ran {
        self.run_on("", arguments)
    }

    /// Runs the program, which succeeds, and gives what it prints.
    #[track_caller]
    pub(crate) fn out(&self, arguments: &str) -> String {
        self.run(arguments).status(0).stdout
    }

    /// Runs the program, which succeeds and prints this.
    #[track_caller]
    pub(crate) fn prints(&self, arguments: &str, text: &str) {
        self.run(arguments).status(0).prints(text);
    }

    /// Runs the program, which refuses the arguments or the input with status 2: it prints nothing, and standard
    /// error has this text in it.
    #[track_caller]
    pub(crate) fn refuses(&self, arguments: &str, text: &str) {
        self.run(arguments).status(2).prints("").says(text);
    }

    /// Runs the program with this standard input.
    pub(crate) fn run_on(&self, input: impl AsRef<[u8]>, arguments: &str) -> Ran {
        let mut command = self.command(arguments);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut running = Running::start(&mut command);
        let mut to = running.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        let feeder = thread::spawn(move || std::io::Write::write_all(&mut to, &input));
        let output = running.output();
        // The program need not read all that it is offered.
        let _ = feeder.join().unwrap();
        output.into()
    }

    /// A line of bash in which `$P` is the program, about to be run in this folder.
    pub(crate) fn shell(&self, line: &str) -> Command {
        let mut bash = Command::new("bash");
        bash.args(["-c", line])
            .env("P", PROGRAM)
            .envs(UNICODE)
            .current_dir(self.path());
        bash
    }

    /// Runs a line of bash in which `$P` is the program.
    pub(crate) fn bash(&self, line: &str) -> Ran {
        ran(&mut self.shell(line))
    }
}

/// Sees to it that the processes of the tests start with the default actions of signals, as
/// from a terminal. A shell's background jobs and `nohup` ignore some signals, and a process
/// inherits what is ignored, but not what is handled. So the signals that are ignored here get
/// a handler that does nothing. Systems without `/proc` keep what they have.
#[cfg(unix)]
fn give_default_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = ignored_signals(&status).unwrap_or_default();
        for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
            if ignored >> (signal - 1) & 1 == 1 {
                signal_hook::flag::register(signal, std::sync::Arc::default()).unwrap();
            }
        }
    });
}

/// The signals that a process ignores, from its `/proc/N/status`: bit 0 is signal 1.
pub(crate) fn ignored_signals(status: &str) -> Option<u64> {
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}
