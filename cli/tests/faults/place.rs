//! Faults that are really done to the program: the commands that write, a place to run them,
//! and what an undisturbed run leaves there.

use crate::support::runner::{Folder, PROGRAM, Running, output, until};
use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Stdio},
    sync::OnceLock,
    thread::sleep,
    time::{Duration, Instant},
};

/// A command that writes files, and where its input comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    /// Its arguments. It runs in the folder `work` of a [`Place`], beside the inputs.
    pub(crate) arguments: &'static str,
    /// Whether it stands for all calls that write in the same way.
    stands_for_its_kind: bool,
}

/// Every command that writes files, in its ways to do so. Some stand for a kind: a packed file
/// with rejects, a file for each input, two files and temporary ones, parts, a file and a page,
/// files of the two commands that make records, arrays, and arrays in folders.
pub(crate) const CALLS: [Call; 29] = [
    call("solve ../in.txt -q -o out"),
    of_a_kind("solve ../in.csv -q -o out.csv.gz --rejects bad.tsv"),
    call("solve ../in.jsonl -q -o out.jsonl.zst"),
    call("solve ../in.gz ../in.zst -q -o out --rejects bad.tsv.gz"),
    of_a_kind("solve ../in.txt ../in.csv ../in.jsonl -q --output-dir done"),
    call("convert ../in.block --format csv -q -o out.csv"),
    call("convert ../in.csv --format jsonl -q -o out.jsonl.gz"),
    call("check ../in.txt -q -o out --answers ../answers.txt"),
    call("check --grids ../grids.txt -q -o out"),
    call("count ../in.csv -q -o out.csv"),
    call("solutions ../in.csv -q -o out.csv --rejects bad.tsv"),
    call("canonical ../in.txt -q -o out"),
    call("dedup ../in.txt -q -o out --duplicates repeats.tsv"),
    of_a_kind("dedup ../big.gz --by equality --memory 16M -q -o out --duplicates repeats.tsv"),
    call("augment ../in.csv -k 3 -q -o out.csv"),
    of_a_kind("augment ../in.csv --format hrm -k 3 -q --output-dir sets/hrm"),
    of_a_kind("solve ../in.txt -q -o out.npy --columns solution,status"),
    of_a_kind("split --test 10% ../in.csv -q --output-dir parts"),
    of_a_kind("stats ../in.txt -q -o out --report page.html"),
    of_a_kind("generate 20k -q -o out.gz"),
    call("generate 20k -q --uniform --format csv -o out.csv"),
    call("puzzles 300 -q --format csv -o out.csv"),
    call("puzzles 300 -q --from ../grids.txt -o out.zst"),
    of_a_kind("psp -c 3000 --out out"),
    call("psp -s ../in.block --out out"),
    call("psp -n 200 --out out"),
    call("rank ../grids.txt -q -o out"),
    call("rate ../in.txt -q -o out"),
    call("show ../in.txt --record 1..24 --html out.html"),
];

const fn call(arguments: &'static str) -> Call {
    Call {
        arguments,
        stands_for_its_kind: false,
    }
}

const fn of_a_kind(arguments: &'static str) -> Call {
    Call {
        stands_for_its_kind: true,
        ..call(arguments)
    }
}

/// The calls that each fault is done to: one of each kind, or all of them where
/// `SUDOKU_BATCH_FAULTS` is `all`. `.ci/run` has it so.
fn calls() -> impl Iterator<Item = Call> {
    let all = std::env::var_os("SUDOKU_BATCH_FAULTS").is_some_and(|value| value == "all");
    CALLS
        .into_iter()
        .filter(move |call| all || call.stands_for_its_kind)
}

fn data(name: &str) -> String {
    fs::read_to_string(format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

/// The records of `in.txt`: so many puzzles, one in 40 malformed, and some of them twice.
pub(crate) const RECORDS: usize = 1200;

/// The inputs, with their names.
pub(crate) fn inputs() -> &'static [(&'static str, Vec<u8>)] {
    static INPUTS: OnceLock<Vec<(&str, Vec<u8>)>> = OnceLock::new();
    INPUTS.get_or_init(|| {
        let (easy, solved) = (data("easy.txt"), data("easy.solved.txt"));
        let pairs: Vec<_> = easy.lines().zip(solved.lines()).collect();
        let records: Vec<_> = (0..RECORDS)
            .map(|i| match i % 40 {
                7 => ("123", pairs[i].1),
                9 => pairs[i - 1],
                _ => pairs[i],
            })
            .collect();
        let text = |record: fn(usize, &str, &str) -> String| -> String {
            let rows = records.iter().enumerate();
            rows.map(|(i, (puzzle, solution))| record(i, puzzle, solution))
                .collect()
        };
        let lines = text(|_, puzzle, _| format!("{puzzle}\n"));
        let blocks = text(|_, puzzle, _| {
            let rows = puzzle.as_bytes().chunks(9);
            let rows = rows.map(|row| str::from_utf8(row).unwrap().to_owned() + "\n");
            rows.collect::<String>() + "\n"
        });
        let rows = text(|i, puzzle, _| format!("{i},{puzzle},\"a \"\"note\"\"\"\n"));
        vec![
            ("in.csv", ("id,puzzle,note\n".to_owned() + &rows).into()),
            (
                "in.jsonl",
                text(|i, puzzle, _| format!("{{\"id\":{i},\"puzzle\":\"{puzzle}\"}}\n")).into(),
            ),
            ("in.block", blocks.into()),
            ("in.gz", gzip(lines.as_bytes())),
            ("in.zst", zstd(lines.as_bytes())),
            ("in.txt", lines.into()),
            (
                "answers.txt",
                text(|_, _, answer| format!("{answer}\n")).into(),
            ),
            ("grids.txt", solved.into()),
            // So long that the records of `dedup --memory 16M` go to the disk.
            ("big.gz", gzip(easy.repeat(2).as_bytes())),
        ]
    })
}

/// A folder with the inputs, in which commands run in a folder `work`, and a folder for their temporary files.
pub(crate) struct Place(pub(crate) Folder, tempfile::TempDir);

impl Place {
    pub(crate) fn new() -> Self {
        let folder = inputs()
            .iter()
            .fold(Folder::new(), |folder, (name, content)| {
                folder.with(name, content)
            });
        fs::create_dir(folder.file("work")).unwrap();
        // `dedup --memory` has 256 temporary files. Where as many have just gone, ext4 takes 0.2 s to make them, and
        // a file system in memory 0.01 s.
        let temporary = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        Self(folder, temporary.unwrap())
    }

    /// The folder for temporary files.
    pub(crate) fn temporary(&self) -> &Path {
        self.1.path()
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.0.file("work")
    }

    /// The program, about to be run in `work`.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = self.0.command(arguments);
        command
            .current_dir(self.work())
            .env("TMPDIR", self.temporary())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// A line of bash in which `$P` is the program, about to be run in `work`.
    pub(crate) fn shell(&self, line: &str) -> Command {
        let mut shell = self.0.shell(line);
        shell
            .current_dir(self.work())
            .env("TMPDIR", self.temporary());
        shell
    }

    /// Removes all that is in `work`, and writes these files with this content.
    pub(crate) fn reset<'n>(&self, names: impl IntoIterator<Item = &'n String>, content: &str) {
        fs::remove_dir_all(self.work()).unwrap();
        fs::create_dir(self.work()).unwrap();
        for name in names {
            let path = self.work().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
    }

    /// All files in `work`, by their paths in it.
    pub(crate) fn files(&self) -> Files {
        let mut files = Files::new();
        add_files(&self.work(), "", &mut files);
        files
    }

    /// The contents without folders that are empty, which are there while a command works.
    pub(crate) fn files_alone(&self) -> Files {
        let mut files = self.files();
        files.retain(|name, _| !name.ends_with('/'));
        files
    }

    /// Checks that no temporary file is left.
    #[track_caller]
    pub(crate) fn has_no_temporary_files(&self) {
        let left: Vec<_> = fs::read_dir(self.temporary()).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}

/// The content of files, by their paths.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Adds the files of a folder, and folders that are empty, with a slash at their end.
fn add_files(folder: &Path, prefix: &str, files: &mut Files) {
    for entry in fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let name = prefix.to_owned() + entry.file_name().to_str().unwrap();
        let kind = entry.file_type().unwrap();
        if kind.is_dir() {
            let name = format!("{name}/");
            match fs::read_dir(entry.path()).unwrap().next() {
                Some(_) => add_files(&entry.path(), &name, files),
                None => _ = files.insert(name, Vec::new()),
            }
        } else if kind.is_file() {
            files.insert(name, fs::read(entry.path()).unwrap());
        }
    }
}

/// The files that a call leaves when nothing disturbs it.
pub(crate) struct Undisturbed {
    pub(crate) call: Call,
    pub(crate) status: i32,
    pub(crate) files: Files,
    pub(crate) time: Duration,
}

impl Undisturbed {
    /// Runs each call once.
    pub(crate) fn all() -> &'static [Self] {
        static ALL: OnceLock<Vec<Undisturbed>> = OnceLock::new();
        ALL.get_or_init(|| {
            let place = Place::new();
            calls().map(|call| Self::of(call, &place)).collect()
        })
    }

    fn of(call: Call, place: &Place) -> Self {
        place.reset(&[], "");
        let start = Instant::now();
        let ended = Running::start(&mut place.command(call.arguments)).end();
        let time = start.elapsed();
        let status = ended.code().unwrap_or(-1);
        assert!(matches!(status, 0 | 1), "{call:?}: {ended:?}");
        let files = place.files();
        assert!(!files.is_empty(), "{call:?} writes nothing");
        assert!(
            files.values().all(|content| !content.is_empty()),
            "{call:?} writes an empty file"
        );
        Self {
            call,
            status,
            files,
            time,
        }
    }

    /// Checks that every target is as it was (with the content `before`, or absent) or whole,
    /// and that nothing else is there. Returns how many are whole.
    #[track_caller]
    pub(crate) fn check(&self, found: &Files, before: Option<&str>, what: &str) -> usize {
        let call = self.call.arguments;
        let mut whole = 0;
        for (name, content) in &self.files {
            match (found.get(name), before) {
                (Some(there), _) if there == content => whole += 1,
                (Some(there), Some(before)) if there == before.as_bytes() => {}
                (None, None) => {}
                (there, _) => panic!(
                    "{call}, {what}: {name} has {:?} of {} bytes",
                    there.map(Vec::len),
                    content.len()
                ),
            }
        }
        let mut other = found.keys().filter(|name| !self.files.contains_key(*name));
        assert_eq!(other.next(), None, "{call}, {what}");
        whole
    }
}

/// The last line of a text. Records that fail are told of in the lines before an error.
pub(crate) fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

/// The program that gives a command mounts of its own, if the system allows it.
pub(crate) fn private_mounts() -> Option<&'static [&'static str]> {
    const WAYS: [&[&str]; 2] = [
        &["unshare", "-rm", "--propagation", "private"],
        &["unshare", "-m", "--propagation", "private"],
    ];
    static WAY: OnceLock<Option<&'static [&'static str]>> = OnceLock::new();
    *WAY.get_or_init(|| {
        let folder = Folder::new();
        WAYS.into_iter().find(|way| {
            let try_it = "mount -t tmpfs -o size=64k none . && mount -o remount,ro .";
            // `env` reports a program that is missing by its status.
            let mut command = Command::new("env");
            command
                .args(*way)
                .args(["bash", "-c", try_it])
                .current_dir(folder.path());
            output(&mut command).status.success()
        })
    })
}

/// A line of bash, to be run in `work` with mounts of its own.
pub(crate) fn with_mounts(place: &Place, way: &[&str], line: &str) -> Command {
    let mut command = Command::new(way[0]);
    command
        .args(&way[1..])
        .args(["bash", "-c", line])
        .env("P", PROGRAM)
        .env("TMPDIR", place.temporary())
        .current_dir(place.work());
    command
}

/// A line of bash that runs without the rights of root, in this folder: a test that runs as
/// root runs it as nobody. `None` if nobody may not run the program.
pub(crate) fn without_rights(folder: &Path) -> Option<impl Fn(&str) -> Command + use<'_>> {
    let is_root = rustix::process::getuid().is_root();
    let command = move |line: &str| {
        let mut command = match is_root {
            true => {
                // `env` reports a program that is missing by its status.
                let mut command = Command::new("env");
                let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups"];
                command.arg("setpriv").args(nobody).arg("bash");
                command
            }
            false => Command::new("bash"),
        };
        command
            .args(["-c", line])
            .env("P", PROGRAM)
            .current_dir(folder);
        command
    };
    let output = output(&mut command("$P --version"));
    output.status.success().then_some(command)
}

/// Whether all threads of a process wait for something, and go on doing so.
pub(crate) fn is_asleep(process: &Running) -> bool {
    let all_sleep = || {
        let tasks = fs::read_dir(format!("/proc/{}/task", process.id()));
        tasks.into_iter().flatten().all(|task| {
            let stat = fs::read_to_string(task.unwrap().path().join("stat"));
            stat.is_ok_and(|stat| {
                stat.rsplit_once(") ")
                    .is_some_and(|(_, s)| s.starts_with('S'))
            })
        })
    };
    (0..15).all(|_| {
        sleep(Duration::from_millis(2));
        all_sleep()
    })
}

/// The reader of a named pipe. It does not wait for a writer that never comes.
pub(crate) struct PipeReader(fs::File);

impl PipeReader {
    /// Makes the pipe.
    pub(crate) fn of(path: &Path) -> Self {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap();
        Self::open(path)
    }

    /// Opens a pipe that is there.
    pub(crate) fn open(path: &Path) -> Self {
        use rustix::fs::{Mode, OFlags, open};
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Self(open(path, flags, Mode::empty()).unwrap().into())
    }

    /// The bytes that can be read, perhaps none.
    pub(crate) fn read(&mut self) -> Vec<u8> {
        let mut bytes = vec![0; 64 << 10];
        let count = io::Read::read(&mut self.0, &mut bytes);
        bytes.truncate(count.unwrap_or_default());
        bytes
    }

    /// Waits for the first bytes of a process.
    #[track_caller]
    pub(crate) fn wait(&mut self, process: &mut Running) -> Vec<u8> {
        let mut bytes = Vec::new();
        until("the first bytes", || {
            assert!(!process.has_ended(), "it ended before it wrote");
            bytes = self.read();
            !bytes.is_empty()
        });
        bytes
    }

    /// Reads all until the process ends, and returns how it ended.
    #[track_caller]
    pub(crate) fn read_to_end(&mut self, process: &mut Running) -> (Vec<u8>, ExitStatus) {
        let mut all = Vec::new();
        loop {
            let has_ended = process.has_ended();
            let bytes = self.read();
            if bytes.is_empty() {
                if has_ended {
                    return (all, process.end());
                }
                sleep(Duration::from_micros(200));
            }
            all.extend(bytes);
        }
    }
}
