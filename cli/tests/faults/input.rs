//! Inputs that others cut short, let grow or write over while they are read: exit status 2, an
//! error that names the file, and no output. `tests/command/solve.rs` has tests of `solve` on lines.

#![cfg(target_os = "linux")]

use crate::place::{PipeReader, Place, gzip, is_asleep, last_line, zstd};
use crate::support::{
    cases, has_turn,
    random_words::Words,
    runner::{Ran, Running, status, until},
};
use std::{
    fs,
    io::{Read, Seek, SeekFrom, Write},
    path::Path,
    process::Stdio,
    time::{Duration, SystemTime},
};

const BEFORE: &str = "before\n";

/// The change that another program makes to a file.
type Change = fn(&Path);

fn open(path: &Path) -> (fs::File, u64) {
    let file = fs::File::options().write(true).open(path).unwrap();
    let length = file.metadata().unwrap().len();
    (file, length)
}

const CHANGES: [(&str, Change); 4] = [
    ("cut short", |path| {
        let (file, length) = open(path);
        file.set_len(length / 3 * 2).unwrap();
    }),
    ("emptied", |path| open(path).0.set_len(0).unwrap()),
    ("grown", |path| {
        let (mut file, length) = open(path);
        file.seek(SeekFrom::Start(length)).unwrap();
        file.write_all(b"more\n").unwrap();
    }),
    ("written over", |path| {
        let (mut file, length) = open(path);
        file.seek(SeekFrom::Start(length / 2)).unwrap();
        file.write_all(&vec![b'z'; (length / 2) as usize]).unwrap();
    }),
];

/// Malformed records in a form, which are rejected soon and by every command. They do not
/// compress well, so that packed files too are longer than what is read at once.
fn records(form: &str) -> Vec<u8> {
    const COUNT: usize = 70_000;
    let mut words = Words::new(5);
    let mut text = match form {
        "csv" => "id,puzzle\n".to_owned(),
        _ => String::new(),
    };
    for i in 0..COUNT {
        let word = words.next() % 1_000_000_000_000;
        text += &match form {
            "csv" => format!("{i},{word}\n"),
            "jsonl" => format!("{{\"puzzle\":\"{word}\"}}\n"),
            "block" => format!("{}\n\n", word % 1_000_000_000),
            _ => format!("{word}\n"),
        };
    }
    text.into()
}

/// Writes a file that was last written long ago, so that every write shows.
fn write_old(path: &Path, content: &[u8]) {
    fs::write(path, content).unwrap();
    let (file, _) = open(path);
    let hour = Duration::from_secs(3600);
    file.set_modified(SystemTime::now() - hour).unwrap();
}

/// Runs a command whose rejects wait for their reader, changes a file of its input meanwhile,
/// and lets it go on.
fn disturb(
    place: &Place,
    arguments: &str,
    stdin: Option<&Path>,
    file: &Path,
    change: Change,
) -> Ran {
    let mut pipe = PipeReader::of(&place.work().join("pipe"));
    let mut command = place.command(arguments);
    command.stderr(Stdio::piped());
    if let Some(path) = stdin {
        command.stdin(fs::File::open(path).unwrap());
    }
    let mut running = Running::start(&mut command);
    let mut stderr = running.stderr.take().unwrap();
    pipe.wait(&mut running);
    change(file);
    let (_, status) = pipe.read_to_end(&mut running);
    let mut said = String::new();
    stderr.read_to_string(&mut said).unwrap();
    Ran {
        status: status.code(),
        stdout: String::new(),
        stderr: said,
    }
}

/// Checks that a disturbed run tells of the change and leaves its targets as they were.
#[track_caller]
fn check(place: &Place, ran: Ran, what: &str) {
    assert_eq!(ran.status, Some(2), "{what}: {ran:#?}");
    let error = last_line(&ran.stderr);
    let is_clear = error.ends_with("in changed while it was read; output files stay as they were");
    assert!(is_clear, "{what}: {ran:#?}");
    assert_eq!(ran.stderr.lines().count(), 1, "{what}: {ran:#?}");
    for (name, content) in place.files() {
        assert_eq!(content, BEFORE.as_bytes(), "{what}: {name}");
    }
    place.has_no_temporary_files();
}

/// The commands that answer record by record.
const COMMANDS: [&str; 11] = [
    "solve",
    "convert",
    "check",
    "count",
    "solutions",
    "canonical",
    "dedup --by equality",
    "augment",
    "stats",
    "rank",
    "rate",
];

#[test]
fn files_that_change_while_every_command_reads_them() {
    let place = Place::new();
    let file = place.0.file("in");
    let lines = records("line");
    // All commands read with the same code: by default each command meets one change or two.
    for (row, command) in COMMANDS.into_iter().enumerate() {
        for (column, (name, change)) in CHANGES.into_iter().enumerate() {
            if !has_turn(row + column, 3) {
                continue;
            }
            place.reset([&"out".to_owned()], BEFORE);
            write_old(&file, &lines);
            let call = format!("{command} ../in --input-format line -q -o out --rejects pipe");
            let ran = disturb(&place, &call, None, &file, change);
            check(&place, ran, &format!("{command}, {name}"));
        }
    }
}

#[test]
fn files_that_change_in_every_form() {
    let place = Place::new();
    let file = place.0.file("in");
    let lines = records("line");
    let inputs = [
        ("csv", records("csv")),
        ("jsonl", records("jsonl")),
        ("block", records("block")),
        ("line", gzip(&lines)),
        ("line", zstd(&lines)),
    ];
    // By default each form meets each change with one of the commands, or two.
    let commands = ["solve", "canonical", "split --by equality --test 10%"];
    for (row, (form, content)) in inputs.iter().enumerate() {
        for (column, command) in commands.into_iter().enumerate() {
            for (at, (name, change)) in CHANGES.into_iter().enumerate() {
                if !has_turn(row + column + at, 3) {
                    continue;
                }
                place.reset([&"out".to_owned()], BEFORE);
                write_old(&file, content);
                let to = match command.starts_with("split") {
                    true => "--output-dir parts",
                    false => "-o out",
                };
                let call =
                    format!("{command} ../in --input-format {form} -q {to} --rejects pipe -j 2");
                let ran = disturb(&place, &call, None, &file, change);
                check(&place, ran, &format!("{command} {form}, {name}"));
            }
        }
    }
}

/// Standard input that is a file, a shard, answers, and a block of a course project.
#[test]
fn files_that_are_read_in_other_ways() {
    let place = Place::new();
    let file = place.0.file("in");
    let (lines, blocks) = (records("line"), records("block"));
    let grids = fs::read(place.0.file("grids.txt")).unwrap().repeat(30);
    fs::write(place.0.file("records"), &lines).unwrap();
    let options = "--input-format line -q -o out --rejects pipe";
    let out = [&"out".to_owned()];
    for (name, change) in CHANGES {
        place.reset(out, BEFORE);
        write_old(&file, &lines);
        let call = format!("solve - {options}");
        let mut ran = disturb(&place, &call, Some(&file), &file, change);
        ran.stderr = ran.stderr.replace("<stdin>", "in");
        check(&place, ran, &format!("standard input {name}"));

        place.reset(out, BEFORE);
        write_old(&file, &lines);
        let call = format!("solve ../in {options} --shard 1/2");
        let ran = disturb(&place, &call, None, &file, change);
        check(&place, ran, &format!("a shard {name}"));

        place.reset(out, BEFORE);
        write_old(&file, &grids);
        let call = format!("check ../records --answers ../in {options}");
        let ran = disturb(&place, &call, None, &file, change);
        check(&place, ran, &format!("answers {name}"));

        place.reset([], BEFORE);
        write_old(&file, &blocks);
        let mut ran = disturb(&place, "psp -s ../in --out pipe", None, &file, change);
        // It tells of the first malformed puzzles.
        ran.stderr = last_line(&ran.stderr).to_owned();
        check(&place, ran, &format!("blocks {name}"));
    }
}

/// `dedup --memory` reads its inputs twice. The second input changes when the first reading
/// is done and the second has not come to it. No reading sees a change then.
#[test]
fn a_file_that_changes_between_two_readings() {
    let changes: [Change; 3] = [
        |path| {
            let text = fs::read(path).unwrap();
            let (mut file, _) = open(path);
            // Records that are other ones, and as many.
            file.write_all(&text[82..]).unwrap();
        },
        |path| {
            let (mut file, length) = open(path);
            file.seek(SeekFrom::Start(length)).unwrap();
            file.write_all(&fs::read(path).unwrap()[..82 * 100])
                .unwrap();
        },
        |path| {
            let other = path.with_extension("other");
            fs::write(&other, &fs::read(path).unwrap()[82..]).unwrap();
            fs::rename(other, path).unwrap();
        },
    ];
    let place = Place::new();
    let second = place.0.file("in");
    let grids = fs::read(place.0.file("grids.txt")).unwrap();
    for (i, change) in changes.into_iter().enumerate() {
        place.reset([&"out".to_owned(), &"repeats".to_owned()], BEFORE);
        write_old(&second, &grids);
        // It waits where it opens the rejects, which is in the second reading. The folder of
        // temporary files tells when the first one is done: it has files that are open then.
        assert!(status(&mut place.shell("mkfifo pipe")).success());
        let call = "dedup ../big.gz ../in --by equality --memory 16M -q -o out \
                    --duplicates repeats --rejects pipe";
        let mut running = Running::start(place.command(call).stderr(Stdio::piped()));
        let spilt = place.temporary().display().to_string();
        let has_spilt = |running: &Running| {
            let links = fs::read_dir(format!("/proc/{}/fd", running.id()));
            links.into_iter().flatten().flatten().any(|link| {
                let target = fs::read_link(link.path());
                target.is_ok_and(|target| target.to_string_lossy().starts_with(&spilt))
            })
        };
        until("the second reading", || {
            has_spilt(&running) && is_asleep(&running)
        });
        change(&second);
        let mut pipe = PipeReader::open(&place.work().join("pipe"));
        let mut stderr = running.stderr.take().unwrap();
        let (_, status) = pipe.read_to_end(&mut running);
        let mut said = String::new();
        stderr.read_to_string(&mut said).unwrap();
        let ran = Ran {
            status: status.code(),
            stdout: String::new(),
            stderr: said,
        };
        check(&place, ran, &format!("change {i}"));
    }
}

/// An input that is read before anything is written cannot be made to wait. Whenever the change comes,
/// the output is that of the grids before, or there is none.
#[test]
fn grids_for_puzzles_that_change_at_random_moments() {
    let place = Place::new();
    let file = place.0.file("in");
    let grids = fs::read(place.0.file("grids.txt")).unwrap().repeat(100);
    let call = "puzzles 20 --from ../in --start 150000 -q -o out";
    write_old(&file, &grids);
    let mut undisturbed = Running::start(&mut place.command(call));
    assert_eq!(undisturbed.end().code(), Some(0));
    let expected = place.files();
    let mut words = Words::new(7);
    let mut latest = 40_000;
    let mut seen = 0;
    // More of them meet rarer moments.
    let rounds = cases(8);
    for round in 0..rounds {
        let (name, change) = CHANGES[round % CHANGES.len()];
        place.reset([&"out".to_owned()], BEFORE);
        write_old(&file, &grids);
        let mut running = Running::start(place.command(call).stderr(Stdio::piped()));
        std::thread::sleep(Duration::from_micros(words.below(latest) as u64));
        change(&file);
        let mut said = String::new();
        let mut stderr = running.stderr.take().unwrap();
        let status = running.end().code();
        stderr.read_to_string(&mut said).unwrap();
        if status == Some(0) {
            assert_eq!(place.files(), expected, "{name}");
            latest = latest * 2 / 3 + 1000;
        } else {
            seen += 1;
            latest = latest * 4 / 3;
            assert_eq!(status, Some(2), "{name}: {said}");
            // A file that is opened after the change is another one, and as it should be.
            let is_clear = said.ends_with("stay as they were\n") || said.contains(" grids, and ");
            assert!(
                is_clear || said.contains("cannot tell the format"),
                "{name}: {said}"
            );
            assert_eq!(place.files()["out"], BEFORE.as_bytes(), "{name}");
        }
    }
    println!("{seen} of {rounds} changes were seen");
}
