//! The options of the command: all that is given is taken, or refused with a message and status 2.
//!
//! `cli/src/commands.rs` loads this file, because it looks at what nobody else can see.

use super::Command as Chosen;
use arbitrary::{Result, Unstructured};
use clap::Command;
use std::ffi::OsString;
use sudoku_batch::questions::MadeSet;

thread_local! {
    static PROGRAM: Command = {
        let mut program = super::program();
        program.build();
        program
    };
}

/// Values that some option takes, or nearly.
const VALUES: [&str; 59] = [
    "0",
    "1",
    "9",
    "10M",
    "1_000",
    "18446744073709551615",
    "99999999999999999999G",
    "-1",
    "1e9",
    "0.5",
    "10%",
    "100.1%",
    "-0.0",
    "nan",
    "inf",
    "1..5",
    "5..1",
    "81..81",
    "0..81",
    "82",
    "45..50",
    "2.0..2.8",
    "2.8..2.0",
    "9.0",
    "2.65",
    "1~2",
    "20~55",
    "55~20",
    "1/3",
    "3/1",
    "0/0",
    "1/0",
    "4294967296/4294967297",
    "gzip",
    "gzip:9",
    "gzip:10",
    "zstd:-7",
    "zstd:",
    "auto",
    "all",
    "avx512",
    "sliced",
    "csv",
    "jsonl",
    "pretty",
    "link",
    "json",
    "text",
    "train=80,test=20",
    "a=0,a=1",
    "a=",
    "=1",
    "rejected=1",
    "../x=1",
    "r4c5",
    "r0c0",
    "",
    "-",
    "é",
];

/// Makes up a command line and reads it.
pub(crate) fn run(data: &[u8]) {
    let Ok(arguments) = PROGRAM.with(|program| command_line(program, data)) else {
        return;
    };
    let mut program = PROGRAM.with(Clone::clone);
    let parsed = program.try_get_matches_from_mut(&arguments);
    let checked = parsed
        .and_then(|matches| {
            let (name, matches) = matches.subcommand().expect("clap asks for a command");
            Chosen::read(name, matches)
        })
        .map(|command| check(&command));
    let refused = match checked {
        Ok(Ok(())) => return,
        Ok(Err(message)) => {
            assert!(!message.is_empty(), "{arguments:?}");
            return;
        }
        Err(error) => error,
    };
    // Help and versions are no errors.
    let status = refused.exit_code();
    assert_eq!(
        status,
        if refused.use_stderr() { 2 } else { 0 },
        "{arguments:?}"
    );
    assert!(
        !refused.render().to_string().trim().is_empty(),
        "{arguments:?}"
    );
}

/// A command, and flags of it, each with a value if it takes one.
fn command_line(program: &Command, data: &[u8]) -> Result<Vec<OsString>> {
    let mut from = Unstructured::new(data);
    let mut arguments = vec![OsString::from("sudoku-batch")];
    let commands: Vec<_> = program.get_subcommands().collect();
    let command = *from.choose(&commands)?;
    if from.int_in_range(0..=50u8)? > 0 {
        arguments.push(command.get_name().into());
    }
    let flags: Vec<_> = command.get_arguments().collect();
    while !from.is_empty() && arguments.len() < 20 {
        if flags.is_empty() || from.int_in_range(0..=9u8)? == 0 {
            arguments.push(word(&mut from)?);
            continue;
        }
        let flag = *from.choose(&flags)?;
        let takes_value = flag.get_action().takes_values();
        let value = match (takes_value, from.int_in_range(0..=9u8)?) {
            (false, 1..) | (true, 0) => None,
            (_, 1..=4) => {
                let names = flag.get_possible_values();
                match from.choose(&names) {
                    Ok(name) => Some(name.get_name().into()),
                    Err(_) => Some(from.choose(&VALUES)?.into()),
                }
            }
            _ => Some(word(&mut from)?),
        };
        match (flag.get_long(), flag.get_short(), value) {
            (Some(long), _, Some(value)) if from.arbitrary()? => {
                let mut joined = OsString::from(format!("--{long}="));
                joined.push(value);
                arguments.push(joined);
            }
            (_, Some(short), value) if from.arbitrary()? => {
                arguments.push(format!("-{short}").into());
                arguments.extend(value);
            }
            (Some(long), _, value) => {
                arguments.push(format!("--{long}").into());
                arguments.extend(value);
            }
            (None, _, value) => arguments.extend(value),
        }
    }
    Ok(arguments)
}

/// A value of those above, or any bytes.
fn word(from: &mut Unstructured<'_>) -> Result<OsString> {
    if from.int_in_range(0..=3u8)? > 0 {
        return Ok(from.choose(&VALUES)?.into());
    }
    let length = from.int_in_range(0..=8usize)?.min(from.len());
    let bytes = from.bytes(length)?;
    #[cfg(unix)]
    let word = std::os::unix::ffi::OsStrExt::from_bytes(bytes);
    #[cfg(unix)]
    return Ok(std::ffi::OsStr::to_owned(word));
    #[cfg(not(unix))]
    return Ok(String::from_utf8_lossy(bytes).into_owned().into());
}

/// The work of a command with its options before it opens a file. The error is its message.
fn check(command: &Chosen) -> std::result::Result<(), String> {
    let refusal = |error: clap::Error| {
        assert_eq!(error.exit_code(), 2);
        error.to_string()
    };
    let message = |error: anyhow::Error| format!("{error:#}");
    match command {
        Chosen::Bench(options) => {
            options.check().map_err(refusal)?;
            assert!(!options.engines().is_empty() && !options.levels().is_empty());
            let _ = (
                options.question(),
                options.solves_in_memory(),
                options.prints_jsonl(),
            );
            Ok(())
        }
        Chosen::Psp(options) => options.arguments().map(|_| ()).map_err(refusal),
        Chosen::Generate(options) => {
            let set = options.set();
            let range = options.range(set.capacity()).map_err(message)?;
            assert!(range.start <= range.end && range.end <= set.capacity());
            assert!(!set.facts().is_empty());
            Ok(())
        }
        Chosen::Puzzles(options) => {
            let set = options.set().map_err(|error| error.to_string())?;
            let [whole, part] = options.ranges(set.capacity()).map_err(message)?;
            assert!(whole.start <= part.start && part.end <= whole.end);
            assert!(!set.facts().is_empty());
            Ok(())
        }
        Chosen::Show(options) => {
            let (first, last) = options.range().map_err(message)?;
            assert!(first > 0 && last.is_none_or(|last| first <= last));
            let _ = options.solutions();
            Ok(())
        }
        _ => Ok(()),
    }
}

/// The kept corpus, as a plain test.
#[test]
fn the_kept_corpus_is_taken_or_refused() {
    // The sources are a part of the command and of its tests, which stand in another folder.
    let mut above = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let folder = above.find_map(|folder| {
        let corpus = folder.join("fuzz/corpus/options");
        corpus.is_dir().then_some(corpus)
    });
    let folder = folder.expect("the target has a corpus");
    let files = std::fs::read_dir(&folder).expect("the target has a corpus");
    let mut count = 0;
    for file in files {
        let path = file.expect("it can be listed").path();
        // The input that fails is the file that was named last.
        eprintln!("{}", path.display());
        run(&std::fs::read(&path).expect("it can be read"));
        count += 1;
    }
    assert!(count > 0, "{} is empty", folder.display());
}
