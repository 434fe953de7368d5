//! `--record` and `--sample`: the output is that of an input which has these records alone. The test makes that input.

use crate::support::{
    cases,
    puzzles::{PUZZLES, SOLUTIONS},
    random_words::Words,
    runner::Folder,
};

/// A file, in parts: what stands before the records, and each record.
struct Parts {
    name: &'static str,
    header: &'static str,
    records: Vec<String>,
}

impl Parts {
    fn with(&self, chosen: impl Iterator<Item = usize>) -> String {
        let records = chosen.map(|at| &self.records[at][..]);
        self.header.to_owned() + &records.collect::<String>()
    }
}

/// Files of several formats. Every seventh record is malformed.
fn files(count: usize) -> Vec<Parts> {
    let puzzle = |n: usize| PUZZLES[n % PUZZLES.len()];
    let is_wrong = |n: usize| n % 7 == 3;
    let cells = |n: usize| match n {
        n if is_wrong(n) => puzzle(n)[..60].to_owned(),
        // All kinds of blanks.
        n => puzzle(n).replace(['.', '0'], ["0", ".", "x", "*", "X"][n % 5]),
    };
    let records = |of: &dyn Fn(usize) -> String| (0..count).map(of).collect();
    vec![
        Parts {
            name: "plain.txt",
            header: "",
            records: records(&|n| format!("{}\n", puzzle(n))),
        },
        Parts {
            name: "lines.txt",
            header: "",
            records: records(&|n| match n % 4 {
                0 => format!("# the title of {n}\n{}\n", cells(n)),
                1 => format!("{} words {n}\n", cells(n)),
                2 => format!("\n\n{}\n", cells(n)),
                _ => format!("{}\n", cells(n)),
            }),
        },
        Parts {
            name: "table.csv",
            header: "id,note,puzzle\n",
            records: records(&|n| format!("{n},\"two\nlines, {n}\",{}\n", cells(n))),
        },
        Parts {
            name: "objects.jsonl",
            header: "",
            records: records(&|n| format!("{{\"n\": {n}, \"puzzle\": \"{}\"}}\n", cells(n))),
        },
        Parts {
            name: "blocks.txt",
            header: "",
            records: records(&|n| {
                let rows = puzzle(n).as_bytes().chunks(9);
                let rows = rows.map(|row| String::from_utf8_lossy(row).into_owned() + "\n");
                rows.collect::<String>() + "\n"
            }),
        },
    ]
}

#[test]
fn a_range_is_an_input_of_its_records() {
    const COUNT: usize = 4000;
    let mut words = Words::new(1);
    for parts in files(COUNT) {
        let whole = parts.with(0..COUNT);
        let folder = Folder::new().with(parts.name, whole);
        // A range within a piece, at borders, and anywhere.
        let mut ranges = vec![(1, 1), (1, COUNT), (COUNT, COUNT), (17, 18)];
        for _ in 0..cases(3) {
            let first = 1 + words.below(COUNT);
            ranges.push((first, first + words.below(COUNT + 1 - first)));
        }
        for (turn, (first, last)) in ranges.into_iter().enumerate() {
            let some = Folder::new().with(parts.name, parts.with(first - 1..last));
            // Malformed records of a line stay as they are, and fail.
            let call = format!("convert {} --blank 0 -q", parts.name);
            let expected = some.run(&call);
            let part = folder.run(&format!(
                "{call} --record {first}..{last} -j {}",
                1 + turn % 3
            ));
            assert_eq!(
                part.status, expected.status,
                "{} {first}..{last}",
                parts.name
            );
            assert!(
                part.stdout == expected.stdout,
                "{} {first}..{last}",
                parts.name
            );
        }
        let call = format!("solve {} -q --format jsonl", parts.name);
        let whole = folder.run(&call).stdout;
        let of_range = |range: &str| folder.run(&format!("{call} --record {range}")).stdout;
        let rows: Vec<_> = whole.split_inclusive('\n').collect();
        assert_eq!(rows.len(), COUNT, "{}", parts.name);
        assert_eq!(of_range("2001"), rows[2000]);
        assert_eq!(of_range("3001.."), rows[3000..].concat());
        assert_eq!(of_range("..999"), rows[..999].concat());
    }
}

/// Numbers of records, and lines in messages, are those of the input.
#[test]
fn numbers_are_those_of_the_input() {
    let table: String = (0..3000)
        .map(|n| format!("{}\n", PUZZLES[n % PUZZLES.len()]))
        .collect();
    let folder = Folder::new().with("t.txt", table);
    let whole = folder.out("solutions t.txt --format csv -q");
    let rows: Vec<_> = whole.lines().skip(1).collect();
    let number = |row: &str| row.split(',').nth(1).unwrap().parse::<u64>().unwrap();
    for (part, count) in [("--record 1500..1503", 4), ("--sample 20", 20)] {
        let some = folder.out(&format!("solutions t.txt --format csv -q {part}"));
        let numbers: Vec<_> = some.lines().skip(1).map(number).collect();
        let mut distinct = numbers.clone();
        distinct.dedup();
        assert_eq!(distinct.len(), count, "{part}");
        let expected = rows.iter().filter(|row| numbers.contains(&number(row)));
        assert!(some.lines().skip(1).eq(expected.copied()), "{part}");
    }
    let mut lines: Vec<_> = PUZZLES.iter().cycle().take(2000).copied().collect();
    (lines[9], lines[1200], lines[1201], lines[1900]) = ("1", "2", "3", "4");
    let folder = Folder::new().with("t.txt", lines.join("\n") + "\n");
    let ran = folder.run("solve t.txt --record 1201..1300 -o solved.txt --rejects wrong.tsv");
    ran.status(1)
        .says("t.txt:1201: ")
        .says("t.txt:1202: ")
        .says("100 records: ");
    let wrong = folder.read("wrong.tsv");
    let wrong: Vec<_> = wrong
        .lines()
        .map(|row| row.split('\t').next().unwrap())
        .collect();
    assert_eq!(wrong, ["1201", "1202"]);
    // A wrong record that is not read stops nothing.
    folder.out("solve t.txt --record 11..1200 --strict -q");
    folder.refuses(
        "solve t.txt --record 11..1201 --strict -q -o s.txt",
        "t.txt:1201: ",
    );
}

/// Commands that tell of other records by their numbers have those of the input.
#[test]
fn repeats_have_the_numbers_of_the_input() {
    let text = |lines: &[&str]| {
        lines
            .iter()
            .map(|line| format!("{line}\n"))
            .collect::<String>()
    };
    // Records 6 and 7 repeat 3 and 4.
    let folder = Folder::new();
    let puzzles = folder.out("puzzles 5 --seed 1 --format line -q");
    let puzzles: Vec<_> = puzzles.lines().collect();
    let folder = folder.with("p.txt", text(&[0, 1, 2, 3, 4, 2, 3].map(|n| puzzles[n])));
    folder.out("solve p.txt -q -o s.txt");
    for (part, pairs) in [
        ("", "6\t3\n7\t4\n"),
        ("--record 3..7", "6\t3\n7\t4\n"),
        ("--record 4..", "7\t4\n"),
    ] {
        for memory in ["", "--memory 16M"] {
            folder.out(&format!(
                "dedup p.txt {part} {memory} --by equality --duplicates d.txt -o o.txt -q"
            ));
            assert_eq!(folder.read("d.txt"), pairs, "{part} {memory}");
        }
    }
    // All records are a sample too.
    folder.out("dedup p.txt --sample 7 --by equality --duplicates d.txt -o o.txt -q");
    assert_eq!(folder.read("d.txt"), "6\t3\n7\t4\n");
    let ran = folder
        .run("check --grids --distinct s.txt --record 3..7 --columns repeats --format csv -q");
    assert_eq!(ran.status(1).stdout, "repeats\n\"\"\n\"\"\n\"\"\n3\n4\n");
}

/// Each kind of command and file, compared with a file of the records alone.
#[test]
fn all_commands_take_a_part() {
    let folder = Folder::new();
    let puzzles = folder.out("puzzles 60 --seed 2 --format line -q");
    let lines: Vec<_> = puzzles.split_inclusive('\n').collect();
    let folder = folder
        .with("all.txt", lines.concat())
        .with("part.txt", lines[20..40].concat());
    folder.out("convert all.txt -o all.csv.gz --format csv -q");
    for (call, input) in [
        ("rate", "all.txt"),
        ("count", "all.txt"),
        ("canonical", "all.txt"),
        ("filter --clues ..28", "all.txt"),
        ("check --rows", "all.txt"),
        ("augment -k 2", "all.txt"),
        ("solve --format line", "all.csv.gz"),
        ("split --test 50% --output-dir parts", "all.txt"),
        ("stats", "all.txt"),
    ] {
        let expected = folder.run(&format!("{call} -q part.txt"));
        let part = folder.run(&format!("{call} -q {input} --record 21..40"));
        assert_eq!(
            (part.status, &part.stdout),
            (expected.status, &expected.stdout),
            "{call}"
        );
    }
    folder.out("solve part.txt -q -o one.npy --columns solution");
    folder.out("solve all.txt -q -o two.npy --columns solution --record 21..40");
    let bytes = |name: &str| std::fs::read(folder.file(name)).unwrap();
    assert_eq!(bytes("one.npy"), bytes("two.npy"));
}

/// Comments that are left out are counted for the whole input alone, where nobody can take them for those of a part.
#[test]
fn warnings_do_not_depend_on_pieces() {
    let lines: String = (0..3000)
        .map(|_| format!("{}\n# {}\n", PUZZLES[0], PUZZLES[1]))
        .collect();
    let folder = Folder::new().with("t.txt", lines);
    let whole = folder.run("convert t.txt -o o.txt").status(0);
    whole.says("left out: 3,000 puzzles in comments");
    for part in ["--record 1..2999", "--record 2..", "--sample 10"] {
        let ran = folder
            .run(&format!("convert t.txt -o o.txt {part}"))
            .status(0);
        assert!(!ran.stderr.contains("left out"), "{part}: {}", ran.stderr);
    }
}

#[test]
fn a_sample_has_records_of_the_input_in_order() {
    let lines: Vec<_> = SOLUTIONS
        .iter()
        .cycle()
        .take(5000)
        .enumerate()
        .map(|(n, grid)| format!("{n},{grid}"))
        .collect();
    let folder = Folder::new().with("t.csv", format!("id,grid\n{}\n", lines.join("\n")));
    let sample = |options: &str| {
        let out = folder.out(&format!("convert t.csv -q {options}"));
        let ids = out.lines().skip(1).map(|row| {
            let (id, _) = row.split_once(',').unwrap();
            let id: usize = id.parse().unwrap();
            assert_eq!(row, lines[id]);
            id
        });
        let ids: Vec<_> = ids.collect();
        assert!(ids.is_sorted_by(|one, next| one < next), "{options}");
        ids
    };
    let some = sample("--sample 100");
    assert_eq!(some.len(), 100);
    assert_eq!(some, sample("--sample 100 --seed 0 -j 1"));
    let others = sample("--sample 100 --seed 1");
    assert_ne!(some, others);
    // Of 100 from each half as many as chance has it, within five standard deviations of 5.
    for some in [&some, &others] {
        let low = some.iter().filter(|id| **id < 2500).count();
        assert!((25..=75).contains(&low), "{low}");
    }
    let more = sample("--sample 1000");
    assert!(some.iter().all(|id| more.contains(id)));
    assert_eq!(sample("--sample 5k"), Vec::from_iter(0..5000));
    assert_eq!(sample("--sample 6k"), Vec::from_iter(0..5000));
    let within = sample("--sample 30 --record 2001..2040");
    assert_eq!(within.len(), 30);
    assert!(within.iter().all(|id| (2000..2040).contains(id)));
    assert_eq!(sample("--sample 3 --record 4999.."), [4998, 4999]);
}

/// A sample is chosen from all inputs together, and a range counts over them.
#[test]
fn records_count_over_all_inputs() {
    let [one, two, three] = [0, 1, 2].map(|file| {
        let lines = (0..10).map(|n| format!("{} {file}.{n}\n", PUZZLES[0]));
        lines.collect::<String>()
    });
    let folder = Folder::new()
        .with("1.txt", &one)
        .with("2.txt", &two)
        .with("3.txt", &three);
    let all = one + &two + &three;
    let lines: Vec<_> = all.split_inclusive('\n').collect();
    let files = "1.txt 2.txt 3.txt";
    let convert = |options: &str| folder.out(&format!("convert {files} -q {options}"));
    assert_eq!(convert("--record 9..12"), lines[8..12].concat());
    assert_eq!(convert("--record 20..21"), lines[19..21].concat());
    let sample = convert("--sample 12");
    assert_eq!(sample.lines().count(), 12);
    folder.out(&format!(
        "convert {files} -q --record 9..12 --output-dir each"
    ));
    let of = |name: &str| folder.read(&format!("each/{name}"));
    assert_eq!(
        [of("1.txt"), of("2.txt"), of("3.txt")],
        [lines[8..10].concat(), lines[10..12].concat(), String::new()]
    );
    // Inputs behind the last record are not opened: these have other columns, and other texts.
    let folder = folder
        .with("4.csv", "id,puzzle\n")
        .with("5.txt", "no puzzle at all\n");
    folder.prints("convert 1.txt 4.csv 5.txt -q --record ..1", lines[0]);
    // The repeats of a part are those among its records.
    folder.prints("dedup 1.txt 2.txt -q --record 5..12", lines[4]);
}

/// Reading ends behind the last record of a range: the writer of a pipe may go on for ever.
#[cfg(unix)]
#[test]
fn reading_ends_behind_the_last_record() {
    let folder = Folder::new().with("p.txt", PUZZLES[0]);
    let ran = folder.bash("yes \"$(cat p.txt)\" | $P solve -q --record 3..5");
    let solution = format!("{}\n", SOLUTIONS[0]);
    assert_eq!(ran.stdout, solution.repeat(3));
}

#[test]
fn parts_that_cannot_be_had_are_told() {
    let folder = Folder::new().with("t.txt", PUZZLES.join("\n") + "\n");
    let count = PUZZLES.len();
    let ran = folder.run(&format!("convert t.txt --record {count}..{}", count + 1));
    ran.status(0).says(&format!(
        "has {count} records: --record {count}..{} goes beyond the last",
        count + 1
    ));
    let ran = folder.run(&format!("convert t.txt --record {}..", count + 1));
    ran.status(0).says("goes beyond the last");
    let ran = folder.run(&format!(
        "convert t.txt --sample 2 --record {}..",
        count + 1
    ));
    ran.status(0).says("goes beyond the last");
    for (call, why) in [
        ("solve t.txt --record 0..0", "records are counted from 1"),
        ("solve t.txt --record 5..3", "5..3"),
        ("solve t.txt --sample 0", "at least 1"),
        (
            "solve t.txt --record 1..3 --shard 1/2",
            "--record does not go with --shard",
        ),
        (
            "solve t.txt --sample 3 --shard 1/2",
            "--sample does not go with --shard",
        ),
        ("solve t.txt --seed 3", "--sample"),
        ("solve - --sample 3", "has to be read twice"),
        ("solve t.txt --skip 3", "solve has --record"),
        ("solve t.txt --limit 3", "solve has --record"),
        ("solve none.txt --sample 3", "none.txt"),
        ("solve . --sample 3", "directory"),
        (
            "check t.txt --answers t.txt --record 1..2",
            "--record does not go with --answers",
        ),
        (
            "check t.txt --answers t.txt --sample 2",
            "--sample does not go with --answers",
        ),
    ] {
        folder.refuses(call, why);
    }
}
