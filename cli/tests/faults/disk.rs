//! Disks that are full, read-only or gone, and folders without permission: exit status 2, an
//! error that names the file, and targets stay as they were.

#![cfg(target_os = "linux")]

use crate::place::{self, Place, Undisturbed, last_line, private_mounts, with_mounts};
use crate::support::{
    runner::{Ran, Running, ran, until},
    tools::not_run,
};
use std::{
    fs,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

const BEFORE: &str = "before\n";

/// Prints the status, for each file its name and whether it is as before, and empty folders.
const REPORT: &str = "echo $?
    find . -type f -printf '%P\\n' | sort | while read -r name; do
        cmp -s \"$name\" <(echo before) && echo \"$name before\" || echo \"$name other\"
    done
    find . -mindepth 1 -type d -empty -printf '%P is an empty folder\\n'";

/// The report when nothing changed.
fn unchanged<'n>(names: impl IntoIterator<Item = &'n String>) -> String {
    let lines = names.into_iter().map(|name| format!("{name} before\n"));
    "2\n".to_owned() + &lines.collect::<String>()
}

/// A line of bash that writes these files.
fn make<'n>(names: impl IntoIterator<Item = &'n String>) -> String {
    let lines = names
        .into_iter()
        .map(|name| format!("mkdir -p $(dirname {name}); echo before > {name}; "));
    lines.collect()
}

#[test]
fn a_full_disk() {
    let Some(way) = private_mounts() else {
        return not_run(
            "a full disk: this system allows no mounts; a limit of the size stands for it",
        );
    };
    let place = Place::new();
    for expected in Undisturbed::all() {
        for exists in [false, true] {
            place.reset([], "");
            let names = || expected.files.keys().filter(|_| exists);
            // A page for each file that is there, and one more.
            let pages = 1 + names().count();
            let line = format!(
                "mount -t tmpfs -o size=$(({pages} * $(getconf PAGESIZE))) none . || exit 99
                cd \"$PWD\"; {} $P {}; {REPORT}",
                make(names()),
                expected.call.arguments,
            );
            let ran = ran(&mut with_mounts(&place, way, &line));
            assert_eq!(ran.stdout, unchanged(names()), "{line}: {ran:#?}");
            let error = last_line(&ran.stderr);
            let is_clear = error.starts_with("sudoku-batch: cannot write ")
                && error.ends_with(": No space left on device (os error 28)");
            assert!(is_clear, "{line}: {ran:#?}");
            place.has_no_temporary_files();
        }
    }
}

/// A size that is known is compared with the free space before anything is made: two billion lines
/// take minutes.
#[test]
fn a_disk_with_too_little_room_for_what_will_be_made() {
    let Some(way) = private_mounts() else {
        return not_run("a disk with too little room: this system allows no mounts");
    };
    let place = Place::new();
    for (call, needed) in [
        (
            "generate 2000000000 -o out",
            "164000000000 bytes are needed",
        ),
        (
            "generate 2000000000 --format block -o out",
            "180000000000 bytes are needed",
        ),
        (
            "generate 2000000000 -o out.npy",
            "162000000000 bytes are needed",
        ),
        (
            "puzzles 2000000000 --columns puzzle -o out.npy",
            "162000000000 bytes are needed",
        ),
    ] {
        let line = format!(
            "mount -t tmpfs -o size=1M none . || exit 99
            cd \"$PWD\"; $P {call} -q; {REPORT}"
        );
        let ran = ran(&mut with_mounts(&place, way, &line)).says(needed);
        assert_eq!(ran.stdout, "2\n", "{call}: {ran:#?}");
    }
    // An output that fits is made, and one that is packed may fit.
    for call in [
        "generate 10000 -o out",
        "generate 10000 --in-order -o out.zst",
    ] {
        let line = format!(
            "mount -t tmpfs -o size=1M none . || exit 99
            cd \"$PWD\"; $P {call} -q; echo $?"
        );
        let ran = ran(&mut with_mounts(&place, way, &line));
        assert_eq!(ran.stdout, "0\n", "{call}: {ran:#?}");
    }
}

/// Only one of two outputs is on the full disk.
#[test]
fn a_full_disk_for_one_of_two_outputs() {
    let Some(way) = private_mounts() else {
        return not_run("a full disk for one of two outputs: this system allows no mounts");
    };
    let place = Place::new();
    fs::write(place.0.file("bad.txt"), "bad\n".repeat(5000)).unwrap();
    fs::write(place.0.file("page.txt"), BEFORE).unwrap();
    for call in [
        "solve --input-format line ../bad.txt -o ../page.txt --rejects out",
        "solve --input-format line ../bad.txt -o out --rejects ../page.txt",
        "dedup ../big.gz --by equality -o ../page.txt --duplicates out",
        "dedup ../big.gz --by equality -o out --duplicates ../page.txt",
    ] {
        let line = format!(
            "mount -t tmpfs -o size=$(getconf PAGESIZE) none . || exit 99
            cd \"$PWD\"; $P {call} -q; {REPORT}"
        );
        let ran = ran(&mut with_mounts(&place, way, &line)).says("cannot write out: No space");
        assert_eq!(ran.stdout, "2\n", "{call}: {ran:#?}");
        assert_eq!(place.0.read("page.txt"), BEFORE, "{call}");
    }
}

/// No more files, though there is room for bytes.
#[test]
fn a_disk_without_inodes() {
    let Some(way) = private_mounts() else {
        return not_run("a disk without inodes: this system allows no mounts");
    };
    let place = Place::new();
    let line = format!(
        "mount -t tmpfs -o nr_inodes=2 none . || exit 99
        cd \"$PWD\"; echo before > out; $P solve ../in.txt -o out; {REPORT}"
    );
    let ran = ran(&mut with_mounts(&place, way, &line));
    assert_eq!(ran.stdout, "2\nout before\n", "{ran:#?}");
    ran.says("cannot write out: No space left on device");
}

/// The folder of the temporary files is full, read-only, or missing, and the folder of the
/// outputs is not.
#[test]
fn no_room_for_temporary_files() {
    let spill = "dedup ../big.gz --by equality --memory 16M -q -o out --duplicates out2";
    let place = Place::new();
    let run = |command: &mut Command, says: &str| {
        let ran = ran(command);
        assert_eq!(ran.stdout, "2\nout before\n", "{ran:#?}");
        assert!(ran.stderr.starts_with("sudoku-batch: cannot "), "{ran:#?}");
        let folder = place.temporary();
        let ran = ran.says(&format!(" a temporary file in {}", folder.display()));
        ran.says(says);
    };
    let line = |before: &str| format!("{before} echo before > out; $P {spill}; {REPORT}");
    // A pair for each repeat takes more than a kilobyte.
    run(&mut place.shell(&line("ulimit -f 1;")), "File too large");
    if let Some(way) = private_mounts() {
        let mounted = |options: &str, says: &str| {
            let mount = format!("mount -t tmpfs -o {options} none $TMPDIR || exit 99;");
            run(&mut with_mounts(&place, way, &line(&mount)), says);
        };
        mounted("size=16k", "No space left on device");
        mounted("ro", "Read-only file system");
    } else {
        not_run("a full disk for temporary files: this system allows no mounts");
    }
    fs::remove_dir(place.temporary()).unwrap();
    run(&mut place.shell(&line("")), "No such file or directory");
}

/// Stands for a full disk where mounts are not allowed.
#[test]
fn a_limit_of_the_size_of_files() {
    let place = Place::new();
    for (round, expected) in Undisturbed::all().iter().enumerate() {
        let before = (round % 2 == 0).then_some(BEFORE);
        place.reset(expected.files.keys().filter(|_| before.is_some()), BEFORE);
        let line = format!("ulimit -f 1; exec $P {}", expected.call.arguments);
        let ran = ran(&mut place.shell(&line)).status(2);
        let ran = ran.says("sudoku-batch: cannot write ");
        ran.says(": File too large (os error 27)");
        assert_eq!(expected.check(&place.files(), before, &line), 0);
        place.has_no_temporary_files();
    }
}

#[test]
fn a_full_standard_output() {
    let place = Place::new();
    for call in [
        "solve ../in.txt",
        "solve ../in.csv --compress gzip",
        "convert ../in.jsonl --format block",
        "check ../in.txt --rows",
        "count ../in.txt",
        "solutions ../in.csv",
        "canonical ../in.txt",
        "dedup ../in.txt",
        "augment ../in.csv",
        "stats ../in.txt",
        "rank ../grids.txt",
        "rate ../in.txt",
        "generate 10",
        "puzzles 10",
        "psp -c 10 --out /dev/stdout",
        "show ../in.txt",
    ] {
        let ran = ran(&mut place.shell(&format!("exec $P {call} > /dev/full"))).status(2);
        let ran = ran.says(": No space left on device (os error 28)");
        ran.says("cannot write ");
    }
}

/// The end of the input does not come. The program does not wait for it to tell of the error.
#[test]
fn a_full_disk_and_an_input_without_end() {
    let place = Place::new();
    for call in [
        "solve - -o /dev/full",
        "solve --input-format line - -o out --rejects /dev/full",
        "dedup - --by equality -o out --duplicates /dev/full",
        "split - --by equality --test 10% --rejects /dev/full --output-dir .",
        "convert - --format csv --compress zstd -o /dev/full",
    ] {
        place.reset([&"out".to_owned()], BEFORE);
        let records = match call.contains("--rejects") {
            true => "bad",
            false => "$(head -1 ../grids.txt)",
        };
        let line = format!(
            "{{ cat ../grids.txt; yes {records}; }} | $P {call} -q; exit ${{PIPESTATUS[1]}}"
        );
        let ran = ran(&mut place.shell(&line)).status(2);
        ran.says("sudoku-batch: cannot write /dev/full: No space left on device (os error 28)");
        assert_eq!(place.files().len(), 1, "{call}");
    }
}

#[test]
fn a_read_only_disk() {
    let Some(way) = private_mounts() else {
        return not_run("a read-only disk: this system allows no mounts");
    };
    let place = Place::new();
    for expected in Undisturbed::all() {
        for exists in [false, true] {
            place.reset([], "");
            let names = || expected.files.keys().filter(|_| exists);
            let line = format!(
                "mount -t tmpfs none . || exit 99
                cd \"$PWD\"; {} mount -o remount,ro . || exit 99
                $P {}; {REPORT}",
                make(names()),
                expected.call.arguments,
            );
            let ran = ran(&mut with_mounts(&place, way, &line));
            assert_eq!(ran.stdout, unchanged(names()), "{line}: {ran:#?}");
            let error = last_line(&ran.stderr);
            let is_clear = error.starts_with("sudoku-batch: cannot ")
                && error.ends_with(": Read-only file system (os error 30)");
            assert!(is_clear, "{line}: {ran:#?}");
        }
    }
}

/// Changes the permissions of a folder and all that is in it.
fn set_modes(path: &Path, folders: u32, files: u32) {
    let is_folder = path.is_dir();
    let mode = fs::Permissions::from_mode(if is_folder { folders } else { files });
    // Before its entries are read, if that needs it.
    fs::set_permissions(path, mode.clone()).unwrap();
    if is_folder {
        for entry in fs::read_dir(path).unwrap() {
            set_modes(&entry.unwrap().path(), folders, files);
        }
    }
}

#[test]
fn no_permission() {
    let place = Place::new();
    fs::set_permissions(place.0.path(), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(place.temporary(), fs::Permissions::from_mode(0o777)).unwrap();
    let work = place.work();
    let Some(shell) = place::without_rights(&work) else {
        return not_run("no permission: nobody may not run the program here");
    };
    for expected in Undisturbed::all() {
        for before in [None, Some(BEFORE)] {
            place.reset(expected.files.keys().filter(|_| before.is_some()), BEFORE);
            set_modes(&work, 0o555, 0o444);
            let mut command = shell(&format!("exec $P {}", expected.call.arguments));
            let ran = ran(command.env("TMPDIR", place.temporary()));
            // So that all can be removed.
            set_modes(&work, 0o755, 0o644);
            let what = format!("{}: {ran:#?}", expected.call.arguments);
            let ran = ran.status(2);
            let error = last_line(&ran.stderr);
            let is_clear = error.starts_with("sudoku-batch: cannot ")
                && error.ends_with(": Permission denied (os error 13)");
            assert!(is_clear, "{what}");
            assert_eq!(expected.check(&place.files(), before, &what), 0);
        }
    }
    // Nor may it be read.
    set_modes(&place.0.file("in.txt"), 0, 0);
    let ran = ran(&mut shell("exec $P solve ../in.txt")).status(2);
    ran.says("cannot open ../in.txt: Permission denied");
}

/// The number of files that a process has open in a folder of this name.
fn open_in(process: &Running, folder: &str) -> usize {
    let folder = format!("/{folder}/");
    let links = fs::read_dir(format!("/proc/{}/fd", process.id()));
    let is_in = |target: PathBuf| target.to_string_lossy().contains(&folder);
    let links = links.into_iter().flatten().flatten();
    links
        .filter(|link| fs::read_link(link.path()).is_ok_and(is_in))
        .count()
}

/// The standard error of a process.
fn end(mut running: Running) -> Ran {
    let mut stderr = String::new();
    let mut from = running.stderr.take().unwrap();
    let status = running.end();
    std::io::Read::read_to_string(&mut from, &mut stderr).unwrap();
    Ran {
        status: status.code(),
        stdout: String::new(),
        stderr,
    }
}

/// Commands that wait for the rest of their input lose the folder of their output.
#[test]
fn a_folder_that_is_removed_meanwhile() {
    let place = Place::new();
    let text = [
        fs::read(place.0.file("grids.txt")).unwrap(),
        b"bad\n".to_vec(),
    ]
    .concat();
    for call in [
        "solve -o gone/out",
        "solve -o gone/out.gz --rejects gone/bad",
        "solve -o kept --rejects gone/bad",
        "solve -o gone/out --rejects kept",
        "convert --format csv -o gone/out",
        "check -o gone/out",
        "check --grids -o gone/out",
        "count -o gone/out",
        "solutions -o gone/out",
        "canonical -o gone/out",
        "dedup -o gone/out --duplicates gone/repeats",
        "augment -k 1 -o gone/out",
        "split --test 10% --output-dir gone",
        "stats -o gone/out --report kept",
        "rank -o gone/out",
        "rate -o gone/out",
        "psp -s - --out gone/out",
    ] {
        for exists in [false, true] {
            place.reset([], "");
            fs::write(place.work().join("kept"), BEFORE).unwrap();
            let gone = place.work().join("gone");
            fs::create_dir(&gone).unwrap();
            if exists {
                fs::write(gone.join("out"), BEFORE).unwrap();
            }
            let mut command = place.command(call);
            if !call.starts_with("psp") {
                command.arg("-q");
            }
            command.stdin(Stdio::piped()).stderr(Stdio::piped());
            let mut running = Running::start(&mut command);
            let mut to = running.stdin.take().unwrap();
            to.write_all(&text).unwrap();
            // A folder that is gone before the last output is opened is made again.
            let outputs = match call.matches("gone/").count() {
                // The parts of `split`, and what is rejected.
                0 => 3,
                outputs => outputs,
            };
            until("the outputs", || open_in(&running, "gone") >= outputs);
            fs::remove_dir_all(&gone).unwrap();
            drop(to);
            let ran = end(running);
            assert_eq!(ran.status, Some(2), "{call}: {ran:?}");
            ran.says("sudoku-batch: cannot write gone/")
                .says(": No such file or directory (os error 2)");
            assert_eq!(place.files().len(), 1, "{call}: {:?}", place.files().keys());
            assert_eq!(place.files()["kept"], BEFORE.as_bytes(), "{call}");
            assert!(!gone.exists(), "{call}");
        }
    }
}

/// Commands that make what they write lose the folder of their output.
#[test]
fn a_folder_that_is_removed_while_records_are_made() {
    let place = Place::new();
    for call in [
        "generate 400k -q -o gone/out",
        "puzzles 8k -q -o gone/out",
        "psp -c 200000 --out gone/out",
        "psp -n 8000 --out gone/out",
    ] {
        let is_removed_in_time = || {
            place.reset([], "");
            let gone = place.work().join("gone");
            fs::create_dir(&gone).unwrap();
            let mut running = Running::start(place.command(call).stderr(Stdio::piped()));
            until("the output", || {
                open_in(&running, "gone") > 0 || running.has_ended()
            });
            fs::remove_dir_all(&gone).unwrap();
            let ran = end(running);
            if ran.status == Some(0) {
                return false;
            }
            let says = "cannot write gone/out: No such file or directory (os error 2)";
            ran.status(2).says(says);
            assert!(place.files().is_empty() && !gone.exists(), "{call}");
            true
        };
        assert!((0..20).any(|_| is_removed_in_time()), "{call} is too fast");
    }
}

/// The disk of the output goes while the command waits for the rest of its input.
#[test]
fn a_disk_that_is_unmounted_meanwhile() {
    let Some(way) = private_mounts() else {
        return not_run("a disk that is unmounted: this system allows no mounts");
    };
    let place = Place::new();
    let line = "mkdir disk; mount -t tmpfs none disk || exit 99
        mkfifo pipe; exec 3<>pipe
        $P solve -q - -o disk/out <pipe 3>&- & p=$!
        cat ../grids.txt >&3
        for i in {1..6000}; do ls -l /proc/$p/fd | grep -q /disk/ && break; sleep 0.01; done
        umount -l disk || exit 99
        exec 3>&-
        wait $p; echo $?; ls -A disk";
    let ran = ran(&mut with_mounts(&place, way, line));
    assert_eq!(ran.stdout, "2\n", "{ran:#?}");
    ran.says("sudoku-batch: cannot write disk/out: ");
}
