//! No output is an input or another output, by whatever names. Only `--output` may name the records.

use crate::{
    manual::commands,
    support::{
        has_turn,
        puzzles::{PUZZLES, SOLUTIONS},
        runner::{Folder, Ran},
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

/// A call of a command, the files that it reads, and its options that name an output.
struct Call {
    arguments: &'static str,
    records: &'static str,
    other_input: &'static str,
    outputs: &'static [&'static str],
}

const fn call(
    arguments: &'static str,
    [records, other_input]: [&'static str; 2],
    outputs: &'static [&'static str],
) -> Call {
    Call {
        arguments,
        records,
        other_input,
        outputs,
    }
}

const OF_RECORDS: &[&str] = &["--output", "--output-dir", "--rejects"];
const IN: [&str; 2] = ["in.txt", ""];

/// Every option that names an output, with every command that has it.
const CALLS: &[Call] = &[
    call("solve in.txt", IN, OF_RECORDS),
    call("convert in.txt", IN, OF_RECORDS),
    call(
        "check --rows in.txt --answers other.txt",
        ["in.txt", "other.txt"],
        OF_RECORDS,
    ),
    call("check --rows --grids in.txt", IN, OF_RECORDS),
    call("count in.txt", IN, OF_RECORDS),
    call("solutions in.txt", IN, OF_RECORDS),
    call("canonical in.txt", IN, OF_RECORDS),
    call(
        "dedup in.txt",
        IN,
        &["--output", "--output-dir", "--rejects", "--duplicates"],
    ),
    call(
        "dedup in.txt --against other.txt",
        ["in.txt", "other.txt"],
        &["--output", "--output-dir", "--rejects", "--duplicates"],
    ),
    call("filter --clues 17.. in.txt", IN, OF_RECORDS),
    call("augment -k 2 in.txt", IN, OF_RECORDS),
    call(
        "split --test 10% in.txt",
        IN,
        &["--output-dir", "--rejects"],
    ),
    call("stats in.txt", IN, &["--output", "--rejects", "--report"]),
    call("generate 3", ["", ""], &["--output"]),
    call(
        "puzzles 2 --from other.txt",
        ["", "other.txt"],
        &["--output"],
    ),
    call(
        "puzzles 2 --against other.txt",
        ["", "other.txt"],
        &["--output"],
    ),
    call("rank in.txt", IN, OF_RECORDS),
    call("classes in.txt", IN, OF_RECORDS),
    call("patterns in.txt", IN, OF_RECORDS),
    call("unavoidable in.txt", IN, OF_RECORDS),
    call("expand in.txt", IN, OF_RECORDS),
    call("true-candidates in.txt", IN, OF_RECORDS),
    call("candidate-counts in.txt", IN, OF_RECORDS),
    call("minimals in.txt", IN, OF_RECORDS),
    call("near in.txt", IN, OF_RECORDS),
    call(
        "near in.txt --against other.txt",
        ["in.txt", "other.txt"],
        OF_RECORDS,
    ),
    call("rate in.txt", IN, OF_RECORDS),
    call("backdoors in.txt", IN, OF_RECORDS),
    call("features in.txt", IN, OF_RECORDS),
    call("trace in.txt", IN, OF_RECORDS),
    call("drills in.txt", IN, OF_RECORDS),
    call("psp -s in.txt", IN, &["--out", "--rejects"]),
    call("show in.txt", IN, &["--svg"]),
    call("show in.txt --ratings", IN, &["--html"]),
    call("book in.txt", IN, &["--output"]),
    call(
        "book in.txt --against other.txt -o b.pdf",
        ["in.txt", "other.txt"],
        &["--answers", "--key"],
    ),
    call(
        "bench in.txt --rounds 1 --puzzles 2 --threads 1",
        IN,
        &["--report", "--svg"],
    ),
];

/// The arguments that name an input, as the help shows them.
const INPUTS: [&str; 9] = [
    "[FILE]...",
    "[FILE | PUZZLE]",
    "--against",
    "--font",
    "--from",
    "--pattern",
    "--per-student",
    "--template",
    "-s",
];

/// The files of a folder, with their content.
fn content(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let names = folder.names().into_iter();
    let read = |name: String| (fs::read(folder.file(&name)).unwrap_or_default(), name);
    names
        .map(read)
        .map(|(content, name)| (name, content))
        .collect()
}

/// A folder with inputs, an older output, an empty folder, and other names of all of them.
fn place() -> Folder {
    let folder = Folder::new()
        .with("in.txt", PUZZLES.join("\n") + "\n")
        .with("other.txt", SOLUTIONS.join("\n") + "\n")
        .with("old", "as before\n");
    fs::create_dir(folder.file("sub")).unwrap();
    for name in ["in.txt", "other.txt", "old"] {
        fs::hard_link(folder.file(name), folder.file(&format!("hard-{name}"))).unwrap();
    }
    #[cfg(unix)]
    for name in ["in.txt", "other.txt", "old", "new"] {
        let link = folder.file(&format!("link-{name}"));
        std::os::unix::fs::symlink(name, link).unwrap();
    }
    folder
}

/// The names of a file in [`place`], the first of them its own.
fn names_of(name: &str) -> Vec<String> {
    let mut names = vec![
        name.to_owned(),
        format!("./{name}"),
        format!("sub/../{name}"),
    ];
    if name != "new" {
        names.push(format!("hard-{name}"));
    }
    if cfg!(unix) {
        names.push(format!("link-{name}"));
    }
    names
}

/// The options of a command whose values are files or folders, and its arguments that are, as the
/// help shows them.
fn options_with_files(folder: &Folder, command: &str) -> BTreeSet<String> {
    let help = folder.out(&format!("{command} --help"));
    let is_file = |line: &&str| {
        ["FILE", "DIR", "PATH"]
            .iter()
            .any(|name| line.contains(name))
    };
    let heads = help.lines().map(str::trim);
    let heads = heads
        .filter(|line| line.starts_with(['-', '[']))
        .filter(is_file);
    let name = |head: &str| {
        let mut words = head.split([' ', ',']).filter(|word| word.starts_with('-'));
        words.next_back().unwrap_or(head).to_owned()
    };
    heads.map(name).collect()
}

/// An option that names an output and is missing in the table is found by the help.
#[test]
fn the_table_of_outputs_is_whole() {
    let folder = Folder::new();
    for command in commands(&folder) {
        let calls = CALLS
            .iter()
            .filter(|call| call.arguments.split(' ').next() == Some(&command));
        let listed: BTreeSet<_> = calls.flat_map(|call| call.outputs).copied().collect();
        let shown = options_with_files(&folder, &command);
        let outputs = shown.iter().map(|name| &name[..]);
        let is_input = |name: &str| match name {
            // `check` reads answers.
            "--answers" => command != "book",
            name => INPUTS.contains(&name),
        };
        let outputs: BTreeSet<_> = outputs.filter(|name| !is_input(name)).collect();
        assert_eq!(listed, outputs, "{command}");
    }
}

/// An output that is an input is refused: either for that, or the option does not write what the ending of the input
/// promises.
#[track_caller]
fn is_refused(ran: &Ran) {
    let reasons = ["same file", "is not written here"];
    let is_told = reasons.iter().any(|reason| ran.stderr.contains(reason));
    assert!(is_told && ran.status == Some(2), "{ran:?}");
}

/// Runs a call that is refused before anything is opened or created.
#[track_caller]
fn refused(folder: &Folder, arguments: &str) {
    let before = content(folder);
    is_refused(&folder.run(arguments).prints(""));
    assert!(content(folder) == before, "{arguments}");
}

/// Every option of every call has its own name of the input. By default one other name of each four has its turn: all
/// names go the same way through the program.
#[test]
fn no_output_is_an_input() {
    for (number, call) in CALLS.iter().enumerate() {
        let folder = place();
        let inputs = [call.records, call.other_input].into_iter();
        for input in inputs.filter(|name| !name.is_empty()) {
            for (at, option, name) in call
                .outputs
                .iter()
                .flat_map(|option| names_of(input).into_iter().map(move |name| (option, name)))
                .enumerate()
                .map(|(at, (option, name))| (at, option, name))
            {
                if name != input && !has_turn(number + at, 8) {
                    continue;
                }
                let arguments = format!("{} {option} {name}", call.arguments);
                // A book is no list of records, and does not replace one.
                let may_replace = !call.arguments.starts_with("book");
                if input != call.records || !may_replace || !["--output", "--out"].contains(option)
                {
                    refused(&folder, &arguments);
                    continue;
                }
                // It is replaced when it is read.
                let folder = place();
                let ran = folder.run(&arguments);
                assert!(matches!(ran.status, Some(0 | 1)), "{arguments}: {ran:?}");
                assert!(!folder.read(&name).is_empty(), "{arguments}");
            }
        }
        // Standard input is a file too.
        if call.records.is_empty() || call.arguments.starts_with("psp") {
            continue;
        }
        for option in call.outputs.iter().filter(|option| **option != "--output") {
            let arguments = call.arguments.replace(call.records, "-");
            let before = content(&folder);
            let line = format!(
                "$P {arguments} {option} hard-{} <{}",
                call.records, call.records
            );
            if cfg!(unix) {
                is_refused(&folder.bash(&line));
            }
            assert!(content(&folder) == before, "{line}");
        }
    }
}

/// Every two options of every call have one name. By default one other name of each five has its turn: all names go
/// the same way through the program.
#[test]
fn no_two_outputs_are_one_file() {
    let mut number = 0;
    for call in CALLS {
        let folder = place();
        for (at, one) in call.outputs.iter().enumerate() {
            for other in &call.outputs[at + 1..] {
                if [*one, *other] == ["--output", "--output-dir"] {
                    continue;
                }
                for name in ["old", "new"] {
                    for same in names_of(name) {
                        number += 1;
                        if same != name && !has_turn(number, 10) {
                            continue;
                        }
                        let arguments = call.arguments;
                        refused(&folder, &format!("{arguments} {one} {name} {other} {same}"));
                        if same != name {
                            refused(&folder, &format!("{arguments} {one} {same} {other} {name}"));
                        }
                    }
                }
                if !one.ends_with("dir") && !other.ends_with("dir") {
                    refused(&folder, &format!("{} {one} - {other} -", call.arguments));
                }
            }
        }
    }
}

/// One rule for every output: folders that are not there are made, and a command that fails leaves none of them.
#[test]
fn an_output_makes_its_folders() {
    // By default one of four calls fails too: one place of the program makes folders and removes them.
    for (number, call) in CALLS.iter().enumerate() {
        for (at, option) in call.outputs.iter().enumerate() {
            let folder = place();
            let parts = match (call.arguments.starts_with("split"), *option) {
                (true, "--rejects") => "--output-dir parts",
                _ => "",
            };
            let arguments = format!("{} {option} made/of/out {parts}", call.arguments);
            let ran = folder.run(&arguments);
            assert!(matches!(ran.status, Some(0 | 1)), "{arguments}: {ran:?}");
            let made = folder.file("made/of/out");
            assert!(made.exists(), "{arguments}: {ran:?}");
            assert_eq!(made.is_dir(), option.ends_with("dir"), "{arguments}");
            // Nothing is left of a run that fails when it has begun.
            if ["--output", "--out", "--output-dir"].contains(option)
                && !call.records.is_empty()
                && has_turn(number + at, 4)
            {
                let folder = place().with("cut.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x33");
                let failing = arguments.replacen(call.records, "cut.gz", 1);
                folder.run(&failing).status(2);
                assert!(!folder.file("made").exists(), "{failing}");
            }
        }
    }
}

/// A puzzle that is typed in gives its name to no file.
#[test]
fn a_puzzle_on_the_command_line_has_no_name() {
    let folder = Folder::new().with("in.txt", PUZZLES.join("\n"));
    let puzzle = PUZZLES[0];
    let rows = (0..9).map(|row| &puzzle[9 * row..][..9]);
    let spaced = rows.collect::<Vec<_>>().join(" ");
    let says = "--output-dir wants inputs with names: a puzzle on the command line has none";
    for command in ["solve", "check", "convert", "dedup", "rate", "augment -k 1"] {
        folder.refuses(&format!("{command} {puzzle} --output-dir out"), says);
        folder.refuses(&format!("{command} in.txt {puzzle} --output-dir out"), says);
        let ran = folder.bash(&format!("$P {command} '{spaced}' --output-dir out"));
        ran.status(2).prints("").says(says);
        let says = "--output-dir wants inputs with names: standard input has none";
        folder.refuses(&format!("{command} in.txt - --output-dir out"), says);
    }
    assert_eq!(folder.names(), ["in.txt"]);
    // Parts have names of their own.
    let ran = folder.run(&format!("split --parts a=1 {puzzle} --output-dir out"));
    ran.status(0);
    assert_eq!(folder.read("out/a.txt"), format!("{puzzle}\n"));
}

/// The names that a command makes up: those in a folder, and those of arrays.
#[test]
fn no_made_up_name_is_an_input_or_another_output() {
    let folder = place()
        .with("train.txt", PUZZLES.join("\n"))
        .with("a.status.npy", PUZZLES.join("\n"));
    for name in ["there", "there/train"] {
        fs::create_dir(folder.file(name)).unwrap();
    }
    fs::hard_link(folder.file("in.txt"), folder.file("there/in.txt")).unwrap();
    fs::hard_link(folder.file("in.txt"), folder.file("there/identifiers.json")).unwrap();
    let hrm = "augment --format hrm -k 2 in.txt --output-dir";
    for arguments in [
        "solve in.txt --output-dir .",
        "solve in.txt --output-dir there",
        "convert -q in.txt --format tsv --output-dir done --rejects done/in.tsv",
        "solve in.txt --output-dir done --rejects ./done/in.txt",
        "solve in.txt --output-dir sub --rejects sub/../sub/in.txt",
        "solve in.txt sub/../in.txt --output-dir done",
        "dedup in.txt --output-dir sub --duplicates sub/in.txt",
        "split --test 10% train.txt --output-dir .",
        "split --test 10% in.txt --output-dir parts --rejects parts/rejected.txt",
        "split --test 10% in.txt --output-dir sub --rejects sub/train.txt",
        "solve in.txt -o a.npy --rejects a.status.npy",
        "solve a.status.npy -o a.npy --format npy",
        "solve in.txt --format npy --output-dir done --rejects done/in.status.npy",
        &format!("{hrm} there"),
        &format!("{hrm} made --rejects made/train/all__inputs.npy"),
        &format!("{hrm} there --rejects there/train/../train/dataset.json"),
    ] {
        let before = content(&folder);
        let ran = folder.run(arguments).status(2);
        assert!(
            ["same file", "both be written", "is not written here"]
                .iter()
                .any(|reason| ran.stderr.contains(reason)),
            "{arguments}: {ran:?}"
        );
        assert!(content(&folder) == before, "{arguments}");
        ran.prints("");
    }
}

/// Standard output may be the file of another output, or an input.
#[test]
#[cfg(unix)]
fn standard_output_is_a_file_too() {
    let folder = place();
    for (line, status) in [
        ("$P solve in.txt --rejects out >out", 2),
        ("$P solve in.txt >>in.txt", 2),
        ("exec 3>>in.txt; $P solve in.txt -q --rejects /dev/fd/3", 2),
        ("$P stats in.txt --report -", 2),
        ("$P bench in.txt --rounds 1 --puzzles 2 --report -", 2),
        // Nothing else goes to standard output, and devices take all.
        ("$P check in.txt -q --rejects -", 0),
        ("$P solve in.txt -q -o out --rejects -", 0),
        ("$P solve in.txt -q -o /dev/null --rejects /dev/null", 0),
        ("$P solve in.txt -q --output-dir done --rejects -", 0),
    ] {
        let before = folder.read("in.txt");
        let ran = folder.bash(line).status(status);
        assert!(
            status == 0 || ran.stderr.contains("same file"),
            "{line}: {ran:?}"
        );
        assert_eq!(folder.read("in.txt"), before, "{line}");
    }
}

/// A saved game is written when the player leaves: it is no input.
#[test]
#[cfg(all(target_os = "linux", feature = "tui"))]
fn a_saved_game_is_no_input() {
    let folder = Folder::new();
    let games = folder.file("state/sudoku-batch/games");
    fs::create_dir_all(&games).unwrap();
    let name = games.join(PUZZLES[0].replace('.', "0") + ".json");
    let text = format!("{{\"puzzle\":\"{}\"}}\n", PUZZLES[0]);
    fs::write(&name, &text).unwrap();
    std::os::unix::fs::symlink(&name, folder.file("link")).unwrap();
    for path in [name.to_str().unwrap(), "link"] {
        let line = format!(
            "XDG_STATE_HOME=$PWD/state script -qec \"$P play {path}\" /dev/null </dev/null"
        );
        let ran = folder.bash(&line);
        assert!(ran.stdout.contains("is a saved game"), "{ran:?}");
        assert_eq!(fs::read_to_string(&name).unwrap(), text);
    }
}

/// A difficulty is no file: the message has the option.
#[test]
#[cfg(all(target_os = "linux", feature = "tui"))]
fn play_tells_a_difficulty_from_a_file() {
    let folder = Folder::new();
    for word in ["easy", "Expert"] {
        let line = format!("script -qec \"$P play {word}\" /dev/null </dev/null");
        let ran = folder.bash(&line);
        let option = format!("--difficulty {} makes a puzzle", word.to_lowercase());
        assert!(ran.stdout.contains(&option), "{ran:?}");
    }
}

/// The ending of a name is a promise: a format that the option does not write is an error that names what it writes.
#[test]
fn an_ending_that_is_not_written_is_refused() {
    let folder = Folder::new().with("in.txt", PUZZLES[0]);
    let records = "name it x.csv, x.tsv, x.jsonl, x.npy or x.txt";
    for (call, message) in [
        ("solve in.txt -o x.json", records),
        ("solve in.txt -o x.parquet", records),
        ("solve in.txt -o x.npz", records),
        ("rate in.txt -o x.XLSX", records),
        (
            "generate 1 -o x.html",
            "HTML is not written here: name it x.csv",
        ),
        (
            "puzzles 1 -o x.pdf",
            "PDF is not written here: name it x.csv",
        ),
        (
            "show in.txt --svg x.png",
            "PNG is not written here: name it x.svg",
        ),
        (
            "show in.txt --html x.pdf",
            "PDF is not written here: name it x.html",
        ),
        (
            "stats in.txt --report x.csv",
            "CSV is not written here: name it x.html",
        ),
        (
            "solve in.txt --rejects x.csv",
            "CSV is not written here: name it x.tsv or x.txt",
        ),
        (
            "solve in.txt -o x.csv.bz2",
            "bzip2 is not written: name it x.csv.gz or x.csv.zst",
        ),
        (
            "solve in.txt -o x.json.gz",
            "name it x.csv.gz, x.tsv.gz, x.jsonl.gz or x.txt.gz",
        ),
        (
            "solve in.txt --format csv -o x.json",
            "JSON is not written here: name it x.csv\n",
        ),
    ] {
        let ran = folder.run(call).status(2).prints("");
        assert!(ran.stderr.contains(message), "{call}: {ran:?}");
        assert_eq!(folder.names(), ["in.txt"], "{call}");
    }
    // Other endings promise nothing.
    for name in ["x", "x.sdm", "x.out", "x.1"] {
        let folder = Folder::new().with("in.txt", PUZZLES[0]);
        folder.run(&format!("solve in.txt -q -o {name}")).status(0);
        assert_eq!(folder.read(name), format!("{}\n", SOLUTIONS[0]), "{name}");
    }
}
