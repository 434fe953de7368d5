//! Running the command in a folder of its own.

#![allow(dead_code, reason = "each test file uses a part")]

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
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
        let output = output(child);
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
        ran(&mut self.shell(line))
    }
}

/// Runs a command to its end.
pub(crate) fn ran(command: &mut Command) -> Ran {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    output(command.spawn().unwrap()).into()
}

/// Waits for the end of a process. One that hangs is killed, with all its children, and
/// fails the test: otherwise it would stop all tests.
#[track_caller]
pub(crate) fn output(child: Child) -> Output {
    const LONGEST: Duration = Duration::from_secs(300);
    let number = child.id();
    let (ended, end) = mpsc::channel::<()>();
    let watchdog = thread::spawn(move || {
        let hangs = end.recv_timeout(LONGEST) == Err(mpsc::RecvTimeoutError::Timeout);
        if hangs {
            // Its children too: they hold the pipes that the test reads.
            for number in with_children(number) {
                let _ = Command::new("kill")
                    .args(["-KILL", &number.to_string()])
                    .status();
            }
        }
        hangs
    });
    let output = child.wait_with_output().unwrap();
    drop(ended);
    assert!(!watchdog.join().unwrap(), "the process hangs: {output:?}");
    output
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
