//! Running the command in a folder of its own.

#![allow(dead_code, reason = "each test file uses a part")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
};

/// The program.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_sudoku-batch");

/// A folder that is empty at first and gone at last.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// The same folder with one file more.
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
            .current_dir(self.path());
        command
    }

    /// Runs the program.
    pub(crate) fn run(&self, arguments: &str) -> Ran {
        self.run_on("", arguments)
    }

    /// Runs the program with this standard input.
    pub(crate) fn run_on(&self, input: impl AsRef<[u8]>, arguments: &str) -> Ran {
        let mut child = self
            .command(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut to = child.stdin.take().unwrap();
        let input = input.as_ref().to_vec();
        let feeder = thread::spawn(move || std::io::Write::write_all(&mut to, &input));
        let output = child.wait_with_output().unwrap();
        // The program need not read all that it is offered.
        let _ = feeder.join().unwrap();
        output.into()
    }

    /// A line of bash in which `$P` is the program, about to be run in this folder.
    pub(crate) fn shell(&self, line: &str) -> Command {
        let mut bash = Command::new("bash");
        bash.args(["-c", line])
            .env("P", PROGRAM)
            .current_dir(self.path());
        bash
    }

    /// Runs a line of bash in which `$P` is the program.
    pub(crate) fn bash(&self, line: &str) -> Ran {
        self.shell(line).output().unwrap().into()
    }
}

/// What came of a run.
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
