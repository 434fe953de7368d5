//! One grammar for all commands: numbers, ranges, names of outputs, names in any case, options that are not there.
//!
//! The rules that are written here are those of docs/using.md.

use crate::{
    manual::commands,
    support::{has_turn, puzzles::PUZZLES, runner::Folder},
};
use std::{fs, io::Read};

/// A folder with the puzzles in lines.
fn folder() -> Folder {
    Folder::new().with("p.txt", PUZZLES.join("\n") + "\n")
}

/// Every option that takes a whole number takes it with `_`, k, M and G, and gives the same bytes.
#[test]
fn numbers_may_have_underscores_and_factors() {
    let folder = folder();
    for (call, long, short) in [
        ("generate N", "1000", "1k"),
        ("generate N", "1000", "1_000"),
        ("generate 2 --start N", "1000000", "1M"),
        ("generate 2 --seed N", "2000000000", "2G"),
        ("puzzles N", "1000", "1K"),
        ("puzzles 3 --seed N", "1000", "1_0_0_0"),
        ("puzzles 3 --guesses ..N", "1000", "1k"),
        ("solve p.txt --max-guesses N", "1000", "1k"),
        ("count p.txt --limit N", "1000", "1k"),
        ("solutions p.txt --limit N", "1000", "1k"),
        ("rate p.txt --max-work N", "1000000", "1m"),
        ("augment p.txt --copies N", "1000", "1k"),
        ("augment p.txt -k 2 --seed N", "1000", "1k"),
        (
            "split p.txt --test 50% --output-dir N --seed N",
            "1000",
            "1k",
        ),
        ("show p.txt --solutions N", "0", "0k"),
        ("filter p.txt --guesses ..N", "1000", "1k"),
        ("filter p.txt --guesses 0..N", "1000", "1_000"),
    ] {
        let run = |number: &str| {
            let ran = folder.run(&format!("{} -q", call.replace('N', number)));
            (ran.stdout, ran.status)
        };
        // show has no --quiet.
        let call_of = |number: &str| match call.starts_with("show") {
            true => {
                let ran = folder.run(&call.replace('N', number));
                (ran.stdout, ran.status)
            }
            false => run(number),
        };
        let (one, other) = (call_of(long), call_of(short));
        assert_eq!(one, other, "{call}: {long} {short}");
        assert_eq!(one.1, Some(0), "{call}");
    }
    for wrong in ["1.5M", "-3", "+3", "k", "1_", "_1", "1kk", "abc", "1T"] {
        for call in [
            format!("generate {wrong}"),
            format!("puzzles 2 --seed {wrong}"),
            format!("solve p.txt --max-guesses {wrong}"),
            format!("solve p.txt -j {wrong}"),
            format!("split p.txt --test 50% --output-dir x --seed={wrong}"),
            format!("show p.txt --solutions={wrong}"),
            format!("bench --rounds {wrong}"),
        ] {
            let ran = folder.run(&call).status(2);
            ran.says("a whole number is wanted, such as 1000, 10k or 2M");
        }
    }
    let beyond = "18446744073709551616";
    folder.refuses(
        &format!("solve p.txt --max-guesses {beyond}"),
        "the number is out of range: the largest is 18446744073709551615",
    );
}

/// Every option that takes a range takes one value, `A..B`, `A..` and `..B`.
#[test]
fn ranges_may_be_one_value_or_open() {
    let made = Folder::new().run("puzzles 40 -q --seed 9").stdout;
    let folder = Folder::new().with("p.txt", &made);
    let kept = |condition: &str| {
        let ran = folder
            .run(&format!("filter p.txt -q {condition}"))
            .status(0);
        ran.stdout
    };
    for (option, value) in [
        ("--clues", "24"),
        ("--rating", "2.6"),
        ("--guesses", "0"),
        ("--te", "1"),
    ] {
        let range = |range: String| kept(&format!("{option} {range}"));
        let one = range(value.into());
        assert_eq!(one, range(format!("{value}..{value}")), "{option}");
        // A number that is at most and at least a value is that value.
        let most = range(format!("..{value}"));
        let least = range(format!("{value}.."));
        let both: String = most
            .split_inclusive('\n')
            .filter(|line| least.contains(line))
            .collect();
        assert_eq!(one, both, "{option}");
        // Each puzzle is in one of the two, but for ratings and depths of which chains are to be known.
        let all = made
            .lines()
            .filter(|puzzle| most.contains(puzzle) || least.contains(puzzle));
        assert_eq!(all.count(), 40, "{option}: {most}{least}");
        assert!(
            !one.is_empty() && one.lines().count() < 40,
            "{option}: {one}"
        );
        for wrong in ["", "..", "a", "1..2..3", "-1"] {
            let call = format!("filter p.txt {option}={wrong}");
            folder.refuses(&call, "is wanted");
        }
    }
    folder.refuses(
        "filter p.txt --clues 30..20",
        "30 is over 20: the smaller one comes first",
    );
    // Records that are made, by the same rule.
    let clues = |range: &str| {
        let ran = folder
            .run(&format!("puzzles 200 -q --seed 3 --clues {range}"))
            .status(0);
        let count = |line: &str| line.bytes().filter(u8::is_ascii_digit).count();
        let all: Vec<usize> = ran.stdout.lines().map(count).collect();
        (all.iter().min().copied(), all.iter().max().copied())
    };
    assert_eq!(clues("31"), (Some(31), Some(31)));
    assert_eq!(clues("30..33"), (Some(30), Some(33)));
    let (least, most) = clues("70..");
    assert!(least == Some(70) && most == Some(81), "{least:?} {most:?}");
    let (least, most) = clues("..26");
    assert!(least == Some(22) && most == Some(26), "{least:?} {most:?}");
    for (range, first, last) in [("39..", 39, 40), ("..2", 1, 2), ("2..3", 2, 3), ("2", 2, 2)] {
        let shown = folder.run(&format!("show p.txt --record {range}")).stdout;
        let titles = shown
            .lines()
            .filter_map(|line| line.split("record ").nth(1));
        let titles: Vec<usize> = titles.map(|number| number.parse().unwrap()).collect();
        assert_eq!(titles, Vec::from_iter(first..=last), "{range}");
    }
}

/// Names of a list may be written in capitals, in every option that takes one.
#[test]
fn names_are_read_in_any_case() {
    let folder = folder();
    for (one, other) in [
        ("puzzles 3 --difficulty EASY", "puzzles 3 --difficulty easy"),
        (
            "puzzles 3 --symmetry Rotate180",
            "puzzles 3 --symmetry rotate180",
        ),
        (
            "puzzles 1 --seed 3 --hardest x-Wing",
            "puzzles 1 --seed 3 --hardest X-wing",
        ),
        (
            "puzzles 1 --seed 3 --hardest xwing",
            "puzzles 1 --seed 3 --hardest X-wing",
        ),
        (
            "filter p.txt --invert --hardest HiddenSingleInABox",
            "filter p.txt --invert --hardest hidden-single_in-a-box",
        ),
        (
            "rate p.txt --without NakedPair,xy_wing",
            "rate p.txt --without naked_pair,XY-wing",
        ),
        (
            "filter p.txt --difficulty Easy,HARD",
            "filter p.txt --difficulty easy,hard",
        ),
        (
            "filter p.txt --status UNIQUE",
            "filter p.txt --status unique",
        ),
        ("solve p.txt --format CSV", "solve p.txt --format csv"),
        ("generate 3 --format Jsonl", "generate 3 --format jsonl"),
        (
            "solve p.txt --input-format LINE",
            "solve p.txt --input-format line",
        ),
        ("solve p.txt --engine Scalar", "solve p.txt --engine scalar"),
        ("solve p.txt --summary NONE", "solve p.txt --summary none"),
        (
            "augment p.txt -k 2 --include Relabelling",
            "augment p.txt -k 2 --include relabelling",
        ),
        ("dedup p.txt --by Equality", "dedup p.txt --by equality"),
    ] {
        let [one, other] = [one, other].map(|call| folder.run(&format!("{call} -q")).status(0));
        assert!(!other.stdout.is_empty());
        one.prints(&other.stdout);
    }
}

/// A name that is misspelt is told of the nearest one, and of all names where none is near.
#[test]
fn a_misspelt_name_is_told_of_the_nearest() {
    let folder = folder();
    for (call, advice) in [
        (
            "puzzles 3 --hardest x-wings",
            "no technique is called \"x-wings\"; the nearest is X-wing",
        ),
        (
            "filter p.txt --hardest hiden-single-in-a-box",
            "no technique is called \"hiden-single-in-a-box\"; the nearest is hidden single in a box",
        ),
        (
            "filter p.txt --hardest hidden-single-in",
            "\"hidden-single-in\"; one of: hidden single in a box, hidden single in a line; names of families: ",
        ),
        (
            "dedup p.txt --by simmetry",
            "\"simmetry\"; the nearest is symmetry",
        ),
        (
            "augment p.txt --include relabeling",
            "the nearest is relabelling",
        ),
        (
            "dedup p.txt --by likeness",
            "one of: equality, symmetry, solution, minlex",
        ),
    ] {
        let ran = folder.run(call).status(2).says(advice);
        assert!(
            !(ran.stderr.contains("nearest") && ran.stderr.contains("one of: ")),
            "{ran:?}"
        );
    }
}

/// A tip says how a thing is called here that has another name elsewhere, before any likeness.
#[test]
fn names_from_elsewhere_have_tips() {
    let folder = folder();
    for (call, tip) in [
        ("solve p.txt -t 2", "solve has --threads (-j)"),
        ("solve p.txt --jobs 2", "solve has --threads (-j)"),
        (
            "generate -n 5",
            "the number stands alone: sudoku-batch generate N",
        ),
        ("puzzles 3 --technique X-wing", "puzzles has --hardest"),
        ("solve p.txt --count", "there is count"),
        (
            "solve p.txt --answer-column a",
            "solve has --solution-column",
        ),
        (
            "augment p.txt --solution-column s",
            "augment has --answer-column",
        ),
        (
            "check p.txt --solution-column s",
            "check has --answer-column",
        ),
        ("bench p.txt --limit first", "bench has --stop-at"),
        ("show p.txt --steps", "show has --explain"),
        ("rate p.txt --steps", "rate has --explain"),
        ("bench p.txt --against x", "bench has --solver"),
        ("book p.txt --cell 14mm", "book has --cell-size"),
        ("puzzles 3 --grids sequence", "puzzles has --sequence"),
        ("rate p.txt --er", "there is rate"),
        (
            "compare p.txt",
            "check --answers, dedup --against and bench --solver",
        ),
        (
            "sample p.txt",
            "there are convert --sample, convert --record and split",
        ),
        ("rate p.txt --skip 5", "rate has --record"),
        ("print p.txt", "there are book and show"),
        ("sovle p.txt", "a similar subcommand exists: 'solve'"),
        ("help sovle", "a similar subcommand exists: 'solve'"),
    ] {
        let ran = folder.run(call).status(2).prints("");
        let tips = ran.stderr.lines().filter(|line| line.contains("tip:"));
        let tips = Vec::from_iter(tips);
        assert!(
            tips.len() == 1 && tips[0].ends_with(tip),
            "{call}: {tips:?}"
        );
    }
}

/// Unpacks by the name.
fn unpacked(folder: &Folder, name: &str) -> String {
    let bytes = fs::read(folder.file(name)).unwrap();
    let mut text = String::new();
    match name.rsplit('.').next() {
        Some("gz") => _ = flate2::read::MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text),
        Some("zst") => text = String::from_utf8(zstd::decode_all(&bytes[..]).unwrap()).unwrap(),
        _ => text = String::from_utf8(bytes).unwrap(),
    }
    text
}

/// The ending of the name of an output chooses the form and the compression, in every command that writes records.
#[test]
fn the_name_of_an_output_chooses_its_form() {
    let folder = folder();
    let mut number = 0;
    for call in [
        "solve p.txt",
        "convert p.txt",
        "check p.txt",
        "count p.txt",
        "canonical p.txt",
        "dedup p.txt",
        "filter p.txt --clues 17..",
        "augment p.txt -k 2",
        "rate p.txt",
        "trace p.txt",
        "near p.txt --max-sets 3",
        "generate 3",
        "puzzles 3",
    ] {
        for form in ["csv", "tsv", "jsonl"] {
            let expected = folder.run(&format!("{call} -q --format {form} -o -"));
            let expected = match call.starts_with("check") {
                // Without a file it has rows where they are asked for.
                true => {
                    folder
                        .run(&format!("{call} -q --rows --format {form}"))
                        .stdout
                }
                false => expected.stdout,
            };
            assert!(!expected.is_empty(), "{call} {form}");
            for (at, ending) in ["", ".gz", ".zst"].into_iter().enumerate() {
                // The ending of a compression is cut off before the form is read.
                if at > 0 && !has_turn(number + at, 6) {
                    continue;
                }
                let name = format!("x.{form}{ending}");
                folder.run(&format!("{call} -q -o {name}"));
                assert_eq!(unpacked(&folder, &name), expected, "{call} -o {name}");
                // An option may say the same.
                if has_turn(number + at, 6) {
                    folder.run(&format!("{call} -q --format {form} -o {name}"));
                    assert_eq!(unpacked(&folder, &name), expected, "{call} -o {name}");
                }
            }
            number += 1;
        }
        folder.run(&format!("{call} -q -o x.npy"));
        let arrays = folder
            .names()
            .into_iter()
            .filter(|name| name.ends_with(".npy"));
        let arrays: Vec<_> = arrays.collect();
        assert!(!arrays.is_empty(), "{call}");
        for name in arrays {
            let bytes = fs::read(folder.file(&name)).unwrap();
            assert!(bytes.starts_with(b"\x93NUMPY"), "{call}: {name}");
            fs::remove_file(folder.file(&name)).unwrap();
        }
    }
    // Other endings, and endings of folders, say nothing.
    let lines = folder.run("solve p.txt -q").stdout;
    fs::create_dir(folder.file("a.csv")).unwrap();
    for name in ["x.txt", "x", "x.sdm", "a.csv/x", "x.csv.bak"] {
        folder.run(&format!("solve p.txt -q -o {name}")).status(0);
        assert_eq!(unpacked(&folder, name), lines, "{name}");
    }
    folder.run("solve p.txt -q -o X.CSV").status(0);
    assert_eq!(
        unpacked(&folder, "X.CSV"),
        folder.run("solve p.txt -q --format csv").stdout
    );
}

/// A name that contradicts an option is an error that says what to write, and so is one that no program could read.
#[test]
fn names_of_outputs_that_lie_are_refused() {
    let folder = folder();
    let names = folder.names();
    for (call, message) in [
        (
            "solve p.txt -o x.csv --format jsonl",
            "--format jsonl contradicts the name x.csv: leave --format out, or choose the name x.jsonl",
        ),
        (
            "generate 3 -o x.tsv.gz --format csv",
            "--format csv contradicts the name x.tsv.gz: leave --format out, or choose the name x.csv.gz",
        ),
        (
            "puzzles 3 -o x.csv --format grid",
            "--format grid contradicts the name x.csv: leave --format out, or choose another name, such as x.txt",
        ),
        (
            "trace p.txt -o x.npy --format jsonl",
            "--format jsonl contradicts the name x.npy: leave --format out, or choose the name x.jsonl",
        ),
        (
            "rate p.txt -o x.csv --format NPY",
            "--format npy contradicts the name x.csv: leave --format out, or choose the name x.npy",
        ),
        (
            "solve p.txt -o x.csv.bz2",
            "--output x.csv.bz2: bzip2 is not written: name it x.csv.gz or x.csv.zst, or pack x.csv afterwards",
        ),
        ("generate 3 -o x.txt.xz", "name it x.txt.gz or x.txt.zst"),
        ("trace p.txt -o x.7z", "name it x.gz or x.zst"),
        ("psp -c 3 --out x.zip", "--out x.zip: zip is not written"),
        (
            "solve p.txt --rejects r.tsv.lz4",
            "--rejects r.tsv.lz4: lz4 is not written",
        ),
        (
            "dedup p.txt --duplicates d.xz",
            "--duplicates d.xz: xz is not written",
        ),
        (
            "stats p.txt --report r.html.br",
            "--report r.html.br: brotli is not written",
        ),
        (
            "solve p.txt -o x.npy.gz",
            "x.npy.gz: arrays are neither compressed nor a pipe",
        ),
        (
            "generate 3 -o x.gz --format npy",
            "x.gz: arrays are neither compressed nor a pipe",
        ),
        (
            "solve p.txt -o x.csv.gz --compress zstd:3",
            "--compress zstd:3 contradicts the name x.csv.gz, which is for gzip",
        ),
    ] {
        folder.refuses(call, message);
    }
    assert_eq!(folder.names(), names, "nothing is written");
    // Options that agree are no contradiction.
    for call in [
        "solve p.txt -q -o x.csv.gz --compress gzip:9",
        "solve p.txt -q -o x.txt --compress zstd",
        "solve p.txt -q -o x.npy --format npy --columns solution",
        "split p.txt -q --test 50% --output-dir parts.zip --format csv",
    ] {
        folder.run(call).status(0);
    }
}

/// An option that a command lacks is told of those that have it, and not taken for a file.
#[test]
fn unknown_options_name_the_commands_that_have_them() {
    let folder = folder();
    let unknown = |call: &str| {
        let ran = folder.run(call).status(2);
        ran.stderr
    };
    let message = unknown("solve p.txt --difficulty easy");
    assert!(
        message.contains("unexpected argument '--difficulty'"),
        "{message}"
    );
    assert!(
        message.contains("tip: puzzles, rate, book, play, filter and near have --difficulty"),
        "{message}"
    );
    assert!(!message.contains("as a value"), "{message}");
    assert!(unknown("solve p.txt --per-page=4").contains("tip: show and book have --per-page\n"));
    let message = unknown("solve p.txt --no-such-thing");
    assert!(
        !message.contains("as a value") && !message.contains("have"),
        "{message}"
    );
    let message = unknown("solve p.txt --status-colum x");
    assert!(
        message.contains("a similar argument exists: '--status-column'"),
        "{message}"
    );
    // A file of this name is there.
    let folder = folder.with("--odd", "x\n");
    let message = folder.run("solve --odd").status(2).stderr;
    assert!(message.contains("use '-- --odd'"), "{message}");
}

/// The short help names every option that it leaves out, and only those.
#[test]
fn the_short_help_ends_with_the_names_of_other_options() {
    let folder = Folder::new();
    for name in commands(&folder) {
        let help = |call: &str| {
            folder
                .bash(&format!("COLUMNS=80 $P {name} {call}"))
                .status(0)
                .stdout
        };
        let (short, long) = (help("-h"), help("--help"));
        let entries = |text: &str| {
            let lines = text
                .lines()
                .filter(|line| line.trim_start().starts_with('-'));
            let lines = lines.filter(|line| line.starts_with("  "));
            let words = lines
                .filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
            let names = words.map(|word| word.trim_start_matches('-').to_owned());
            names.collect::<std::collections::BTreeSet<_>>()
        };
        const START: &str = "More options, which --help explains: ";
        let (shown, rest) = short.split_once(START).unwrap_or((&short, ""));
        let rest = rest
            .split_whitespace()
            .map(|name| name.trim_matches([',', '.']).to_owned());
        let rest: Vec<_> = rest.collect();
        let mut all = entries(shown);
        for option in &rest {
            assert!(
                all.insert(option.clone()),
                "{name}: {option} is shown twice"
            );
        }
        // Options of examples are no entries.
        let (options, _) = long.split_once("\nExamples:").unwrap_or((&long, ""));
        let long = entries(options);
        assert_eq!(all, long, "{name}");
        assert!(rest.is_empty() || short.trim_end().ends_with('.'), "{name}");
    }
}

/// A line that begins with the name of an option is the entry of that option, at any width.
#[test]
fn no_wrapped_line_of_the_help_begins_with_an_option() {
    let folder = Folder::new();
    for (row, width) in [60, 72, 80, 100].into_iter().enumerate() {
        for (column, name) in commands(&folder).iter().enumerate() {
            for (at, call) in ["-h", "--help"].into_iter().enumerate() {
                // By default each command has each call at one of the widths.
                if !has_turn(row + column + at, 4) {
                    continue;
                }
                let text = folder.bash(&format!("COLUMNS={width} $P {name} {call}"));
                let text = text.status(0).stdout;
                assert!(!text.contains('\u{a0}'), "{name}");
                for line in text
                    .lines()
                    .filter(|line| line.trim_start().starts_with("--"))
                {
                    // The entries of options without a letter stand below those with one.
                    assert!(
                        line.starts_with("      --"),
                        "{name} {call} at {width}: {line}"
                    );
                    assert!(
                        !line.starts_with("       "),
                        "{name} {call} at {width}: {line}"
                    );
                }
            }
        }
    }
    for page in ["man solve", "completions bash"] {
        assert!(!folder.out(page).contains('\u{a0}'), "{page}");
    }
}

/// Numbers and words agree.
#[test]
fn one_record_is_no_records() {
    let folder = Folder::new()
        .with("one.txt", PUZZLES[0].to_owned() + "\n")
        .with("bad.txt", "x\n")
        .with("none.txt", "");
    folder
        .run("solve one.txt -o x")
        .status(0)
        .says("1 record: 1 unique\n");
    folder.run("generate 1 -o x").status(0).says("1 grid\n");
    let ran = folder.run("check bad.txt --input-format line").status(1);
    ran.says("sudoku-batch: 1 of 1 record failed\n");
    folder
        .run("puzzles 1 --guesses 100k.. -o x")
        .status(1)
        .says("sudoku-batch: 1 of 1 puzzle could not be made\n1 puzzle: 1 not-made\n");
    // Nothing is done in no time.
    let ran = folder.run("solve none.txt -o x").status(0);
    assert!(!ran.stderr.contains("a second"), "{}", ran.stderr);
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let cores_in_words = match cores {
        1 => "1 core".to_owned(),
        cores => format!("{cores} cores"),
    };
    folder.run("solve one.txt -o x -j 5k").status(0).says(&format!(
        "sudoku-batch: {} threads in place of 5,000: more than 4 for each of {cores_in_words} gain nothing\n",
        4 * cores
    ));
}
