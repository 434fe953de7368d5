//! Runs that are stopped at random moments and go on: the output is that of an unbroken run, and nothing else is left.

use crate::support::{
    cases,
    random_words::Words,
    runner::{Folder, Running, until},
};
use rustix::process::Signal;
use std::{
    collections::BTreeMap, fs, process::Stdio, thread::sleep, time::Duration, time::Instant,
};

const SIGNALS: [Signal; 3] = [Signal::INT, Signal::TERM, Signal::KILL];

/// The option that notes the work as often as it can.
const OFTEN: &str = "--checkpoint 0.001";

/// The files of a folder, but for the inputs.
fn outputs(folder: &Folder, inputs: &[String]) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![String::new()];
    while let Some(of) = folders.pop() {
        for entry in fs::read_dir(folder.file(&of)).unwrap() {
            let entry = entry.unwrap();
            let name = format!("{of}{}", entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                folders.push(format!("{name}/"));
            } else if !inputs.contains(&name) {
                found.insert(name.clone(), fs::read(folder.file(&name)).unwrap());
            }
        }
    }
    found
}

/// Removes the outputs, and the folders that hold them.
fn remove_outputs(folder: &Folder, inputs: &[String]) {
    for entry in fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            fs::remove_dir_all(entry.path()).unwrap();
        } else if !inputs.contains(&entry.file_name().into_string().unwrap()) {
            fs::remove_file(entry.path()).unwrap();
        }
    }
}

/// Stops a run this number of times, goes on each time, and compares with an unbroken run. Each run has one thread or two,
/// whatever the run before had. Returns how often a run went on with work that was kept.
fn stopped(folder: &Folder, arguments: &str, stops: usize, words: &mut Words) -> usize {
    let inputs = folder.names();
    let start = Instant::now();
    folder.run(&format!("{arguments} -q -j 2"));
    let time = start.elapsed().as_secs_f64();
    let expected = outputs(folder, &inputs);
    assert!(!expected.is_empty(), "{arguments}");
    remove_outputs(folder, &inputs);
    let (mut went_on, mut stopped) = (0, 0);
    while stopped < stops {
        let threads = 1 + stopped % 2;
        let mut command = folder.command(&format!("{arguments} -j {threads} {OFTEN} --resume"));
        command.stderr(Stdio::piped()).stdout(Stdio::null());
        let running = Running::start(&mut command);
        sleep(Duration::from_secs_f64(
            time * words.below(700) as f64 / 1000.0,
        ));
        let signal = SIGNALS[words.below(3)];
        running.signal(signal);
        let ended = running.output();
        let said = String::from_utf8(ended.stderr).unwrap();
        went_on +=
            usize::from(said.contains("going on after") && !said.contains("after 0 records"));
        stopped += 1;
        if ended.status.code().is_some() {
            // The run was quicker than the signal.
            assert_eq!(outputs(folder, &inputs), expected, "{arguments}: {said}");
            remove_outputs(folder, &inputs);
            continue;
        }
        let found = outputs(folder, &inputs);
        let targets = expected.keys().filter(|name| found.contains_key(*name));
        for name in targets {
            assert_eq!(
                found[name], expected[name],
                "{arguments}: {name} is not whole"
            );
        }
    }
    let ended = folder.run(&format!("{arguments} -j 2 {OFTEN} --resume"));
    assert!(ended.status < Some(2), "{arguments}: {}", ended.stderr);
    let found = outputs(folder, &inputs);
    assert!(
        found.keys().eq(expected.keys()),
        "{arguments}: {:?} in place of {:?}",
        found.keys(),
        expected.keys()
    );
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{arguments}: {name} differs");
    }
    remove_outputs(folder, &inputs);
    went_on
}

/// Puzzles of all kinds, some of them wrong.
fn puzzles(folder: Folder, count: usize) -> Folder {
    folder.out(&format!("puzzles {count} --seed 8 -o some.txt -q"));
    let mut text = folder.read("some.txt");
    text.push_str("1234\n");
    text.push_str(&".".repeat(81));
    text.push('\n');
    folder.with("some.txt", text)
}

/// How often the stops of a call are repeated until a run goes on with the work before.
const MOST_ROUNDS: usize = 10;

/// Each call is stopped at this number of random moments, which are before anything is kept, in between, and while the
/// outputs take their places. All calls share the code that keeps and goes on, so that eight moments of each meet all
/// three. More of them meet rarer moments: between two renames, or between a file and its journal.
fn stopped_at_random_moments(
    (name, stops): (&str, usize),
    calls: &[&str],
    make: impl Fn(Folder) -> Folder,
) {
    let folder = make(Folder::new());
    let mut words = Words::new(name.len() as u64);
    for call in calls {
        // On a fast machine a run of some milliseconds may end before each of a few signals: then there are more.
        let mut rounds = 0..MOST_ROUNDS;
        let went_on = rounds.any(|_| stopped(&folder, call, cases(stops), &mut words) > 0);
        assert!(went_on, "{call}: no run went on with the work before");
    }
}

#[test]
fn runs_that_answer_go_on() {
    stopped_at_random_moments(
        ("answers", 8),
        &[
            "solve many.txt -o solved.txt",
            "rate few.txt -o rated.csv --rejects wrong.tsv",
            "augment some.txt --copies 20 -o images.txt",
            "near seeds.txt --minimal -o near.txt",
        ],
        |folder| {
            let folder = puzzles(folder, 3000);
            let some = folder.read("some.txt");
            let lines: Vec<_> = some.lines().collect();
            let last = |count: usize| lines[lines.len() - count..].join("\n");
            folder
                .with("many.txt", some.repeat(40))
                .with("few.txt", last(1000))
                .with("seeds.txt", last(60))
        },
    );
}

#[test]
fn runs_that_make_go_on() {
    let calls = [
        "puzzles 40000 --seed 3 -o puzzles.csv",
        "generate 400000 --seed 3 -o grids.txt",
    ];
    stopped_at_random_moments(("makes", 8), &calls, |folder| folder);
}

/// Packed outputs, arrays, several outputs and inputs, packed inputs, records of several lines, shards.
#[test]
fn all_kinds_of_outputs_and_inputs_go_on() {
    stopped_at_random_moments(
        ("kinds of files", 4),
        &[
            "solve many.csv -o solved.csv.zst",
            "solve many.txt.gz -o solved.txt.gz --rejects wrong.tsv.gz",
            "solve many.txt -o solved.npy",
            "convert blocks.txt --format line -o lines.txt",
            "convert many.txt --format block -o blocks.out.gz",
            "solve many.csv blocks.txt --format line --output-dir each",
            "split many.csv --test 20% --output-dir parts",
            "solve many.txt --shard 2/3 -o solved.txt",
            "dedup many.txt -o distinct.txt",
            "dedup many.txt --record 9001..39000 -o distinct.txt",
            "solve some.txt many.txt --sample 30000 -o solved.txt",
            "check many.txt --minimal -o checked.csv",
        ],
        |folder| {
            let folder = puzzles(folder, 2000);
            let some = folder.read("some.txt");
            let table = some.lines().enumerate();
            let table = table.map(|(id, puzzle)| format!("{id},{puzzle}\n"));
            let table = table.collect::<String>().repeat(20);
            let folder = folder
                .with("many.txt", some.repeat(20))
                .with("many.csv", format!("id,puzzle\n{table}"));
            folder.run("convert many.txt -o many.txt.gz -q");
            folder.run("convert many.txt --format block -o blocks.txt -q");
            folder
        },
    );
}

/// A run of a second that has kept some of its work, and was stopped then.
fn stopped_once(signal: Signal) -> (Folder, String, String) {
    let folder = puzzles(Folder::new(), 3000);
    let some = folder.read("some.txt").repeat(3);
    let folder = folder.with("many.txt", some);
    let arguments = "rate many.txt -o rated.txt";
    let mut command = folder.command(&format!("{arguments} -j 1 --checkpoint 0.01"));
    // The words about a stop go to a terminal or a file.
    let words = folder.file("words");
    command.stderr(fs::File::create(&words).unwrap());
    let mut running = Running::start(&mut command);
    let journal = folder.file("rated.txt.resume");
    let partial = folder.file("rated.txt.partial");
    until("a checkpoint", || {
        // The first journal comes before the file that it names. A signal in between leaves nothing.
        let text = fs::read_to_string(&journal).unwrap_or_default();
        text.contains("\"inputs\"") && !text.contains("\"place\":0,") && partial.exists()
    });
    running.signal(signal);
    running.end();
    let words = folder.read("words");
    fs::remove_file(folder.file("words")).unwrap();
    (folder, arguments.to_owned(), words)
}

#[test]
fn the_name_and_the_size_of_what_is_kept_are_told() {
    let (folder, arguments, words) = stopped_once(Signal::INT);
    assert_eq!(
        folder.names(),
        [
            "many.txt",
            "rated.txt.partial",
            "rated.txt.resume",
            "some.txt"
        ]
    );
    let (_, kept) = words
        .split_once("rated.txt.partial and rated.txt.resume keep ")
        .expect(&words);
    let (records, rest) = kept.split_once(" record").expect(&words);
    let records: usize = records.replace(',', "").parse().unwrap();
    let (bytes, rest) = rest
        .trim_start_matches('s')
        .trim_start_matches(" (")
        .split_once(" bytes)")
        .expect(&words);
    let bytes: usize = bytes.replace(',', "").parse().unwrap();
    assert_eq!(rest, ": the same command with --resume goes on\n");
    let partial = fs::read(folder.file("rated.txt.partial")).unwrap();
    // Each record has a line.
    let lines = partial[..bytes]
        .iter()
        .filter(|&&byte| byte == b'\n')
        .count();
    assert_eq!(lines, records);
    assert_eq!(partial[bytes - 1], b'\n');
    let ended = folder.run(&format!("{arguments} --resume --summary json"));
    assert!(
        ended
            .stderr
            .contains(&format!("\"resumed_after\":{records}")),
        "{}",
        ended.stderr
    );
    assert_eq!(folder.names(), ["many.txt", "rated.txt", "some.txt"]);
}

/// Another question does not go on, and nothing is lost by it.
#[test]
fn another_run_is_refused() {
    let (folder, arguments, _) = stopped_once(Signal::TERM);
    let before = outputs(&folder, &[]);
    folder.refuses(
        &arguments,
        "an earlier run was stopped, and rated.txt.partial and rated.txt.resume keep its",
    );
    for (other, what) in [
        (
            "rate many.txt -o rated.txt --up-to 4",
            "it did not have --up-to 4",
        ),
        (
            "rate some.txt -o rated.txt",
            "it had many.txt, and this has some.txt",
        ),
        (
            "solve many.txt -o rated.txt",
            "it had rate, and this has solve",
        ),
        ("rate - -o rated.txt", "an input can be read once only"),
        ("rate many.txt", "only a file can be continued"),
    ] {
        folder.refuses(&format!("{other} --resume"), what);
    }
    assert_eq!(outputs(&folder, &[]), before);
    // The number of threads and the reports are no other question.
    let input = folder.read("many.txt");
    let folder = folder.with("many.txt", &input);
    folder.refuses(
        &format!("{arguments} --resume -j 2 -q"),
        "many.txt has changed since",
    );
    assert_eq!(outputs(&folder, &[]).len(), before.len());
    let folder = folder.with("many.txt", &input[..82 * 200]);
    for name in ["rated.txt.partial", "rated.txt.resume"] {
        fs::remove_file(folder.file(name)).unwrap();
    }
    folder
        .run(&format!("{arguments} --resume"))
        .status(0)
        .says("beginning anew");
    assert_eq!(folder.names(), ["many.txt", "rated.txt", "some.txt"]);
}

/// Files that have the names of those that are kept, by chance, stay as they are.
#[test]
fn other_files_of_these_names_are_not_touched() {
    for name in ["rated.txt.partial", "rated.txt.resume"] {
        let folder = puzzles(Folder::new(), 300).with(name, "mine\n");
        folder
            .run(&format!("rate some.txt -o rated.txt {OFTEN}"))
            .status(1);
        assert_eq!(folder.read(name), "mine\n");
        assert_eq!(folder.names().len(), 3, "{:?}", folder.names());
    }
}

/// A record that is wrong stays wrong, so nothing is kept. A run that ends without an error keeps nothing in any case.
#[test]
fn a_wrong_record_leaves_nothing() {
    let folder = puzzles(Folder::new(), 500);
    let wrong = folder.read("some.txt") + "1\n";
    let folder = folder.with("some.txt", wrong);
    let arguments = format!("rate some.txt -o rated.txt --strict {OFTEN}");
    folder.refuses(&arguments, "(--strict)");
    assert_eq!(folder.names(), ["some.txt"]);
    folder
        .run(&format!("rate some.txt -o rated.txt {OFTEN}"))
        .status(1);
    assert_eq!(folder.names(), ["rated.txt", "some.txt"]);
}

/// With `--checkpoint 0` nothing has a name before it is whole.
#[test]
fn nothing_is_kept_unasked() {
    let folder = puzzles(Folder::new(), 3000);
    let mut command = folder.command("rate some.txt -o rated.txt --checkpoint 0 -q");
    let mut running = Running::start(&mut command);
    sleep(Duration::from_millis(100));
    assert_eq!(folder.names(), ["some.txt"]);
    running.signal(Signal::INT);
    running.end();
    assert_eq!(folder.names(), ["some.txt"]);
}
