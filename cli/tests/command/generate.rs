//! `sudoku-batch generate` and `rank`, from the outside.

use crate::support::{
    has_turn,
    puzzles::SOLUTIONS,
    runner::Folder,
    shared_forms::{NOTATIONS, OF_SEVERAL_LINES, shared},
};
use std::{fmt::Write, fs, io::Read};
use sudoku_batch::{Digit, generate::Grids};

const CAPACITY: &str = "312,063,515,688,960";

/// The lines of a range of a sequence.
fn lines(sequence: &Grids, range: std::ops::Range<u64>) -> String {
    range
        .map(|i| format!("{}\n", sequence.grid(i).unwrap()))
        .collect()
}

/// The sequences, and the options that name them.
fn sequences() -> Vec<(&'static str, Grids)> {
    let nine = Digit::new(9).unwrap();
    vec![
        ("", Grids::seeded(0)),
        ("--seed 0", Grids::seeded(0)),
        ("--seed 18446744073709551615", Grids::seeded(u64::MAX)),
        ("--in-order", Grids::in_order()),
        (
            "--seed 3 --first-digit 9",
            Grids::seeded(3).with_first_digit(nine),
        ),
        (
            "--student 2018301780",
            Grids::seeded(0).with_first_digit(nine),
        ),
        (
            "--in-order --student 45",
            Grids::in_order().with_first_digit(Digit::new(1).unwrap()),
        ),
    ]
}

#[test]
fn lines_are_those_of_the_sequence_for_any_number_of_threads() {
    // More than are made at a time.
    let folder = Folder::new();
    for (options, sequence) in sequences() {
        let expected = lines(&sequence, 0..9000);
        for threads in [1, 2, 5] {
            let call = format!("generate 9k {options} -j {threads} -q");
            folder.prints(&call, &expected);
            folder.prints(&format!("{call} -o out"), "");
            assert_eq!(folder.read("out"), expected, "{call}");
        }
    }
}

#[test]
fn uniform_grids_are_those_of_the_samples_in_any_slice() {
    let nine = Digit::new(9).unwrap();
    let folder = Folder::new();
    for (options, uniform) in [
        ("--uniform", Grids::uniform(0)),
        ("--uniform --seed 77", Grids::uniform(77)),
        (
            "--uniform --seed 5 --first-digit 9",
            Grids::uniform(5).with_first_digit(nine),
        ),
        (
            "--uniform --student 2018301780",
            Grids::uniform(0).with_first_digit(nine),
        ),
    ] {
        let expected: String = (1000..10_000)
            .map(|i| format!("{}\n", uniform.grid(i).unwrap()))
            .collect();
        for threads in [1, 2, 5] {
            let call = format!("generate 9k --start 1k {options} -j {threads} -q");
            folder.prints(&call, &expected);
        }
        let shards: String = (1..=4)
            .map(|k| format!("generate 9k --start 1k {options} --shard {k}/4 -q"))
            .map(|call| folder.out(&call))
            .collect();
        assert_eq!(shards, expected, "{options}");
    }
    // The number in a CSV is the number of the sample.
    let grid = Grids::uniform(0).grid(5).unwrap();
    folder
        .run("generate 1 --uniform --start 5 --format csv -q")
        .prints(&format!("index,grid\n5,{grid}\n"));
    // In the catalogue there is one of 20 million grids.
    folder
        .run_on(format!("{grid}\n"), "rank -q")
        .status(1)
        .prints("unknown\n");
    folder
        .run("generate 3 --uniform -o out")
        .status(0)
        .says("3 grids\n")
        .says("sampling uniform, seed 0");
    // Each key is there once.
    let json = folder
        .run("generate 3 --uniform -o out --summary json")
        .stderr;
    assert_eq!(json.matches("\"grids\":").count(), 1, "{json}");
    assert!(json.contains("\"sampling\":\"uniform\""), "{json}");
}

#[test]
fn rank_is_the_inverse() {
    let folder = Folder::new();
    for (options, sequence) in sequences() {
        let start = sequence.count() - 9000;
        let call = format!("generate 9k {options} --start {start} -q -o out");
        folder.run(&call).status(0);
        let numbers: String = (start..start + 9000).map(|i| format!("{i}\n")).collect();
        for input in ["out", "-", ""] {
            let ran = folder.run_on(folder.read("out"), &format!("rank {input} {options} -q"));
            ran.status(0).prints(&numbers);
        }
    }
}

#[test]
fn grids_in_the_layout_of_the_assignment() {
    let folder = Folder::new();
    let layout = "\
1 4 2 5 7 9 6 8 3
5 9 6 1 3 8 2 7 4
8 7 3 6 2 4 9 5 1
9 3 8 4 6 7 1 2 5
7 5 4 9 1 2 8 3 6
6 2 1 8 5 3 4 9 7
2 8 5 3 4 6 7 1 9
4 1 9 7 8 5 3 6 2
3 6 7 2 9 1 5 4 8

8 4 3 9 7 5 1 6 2
7 5 2 8 1 6 9 4 3
6 9 1 4 3 2 5 8 7
9 1 8 3 4 7 2 5 6
3 6 4 2 5 9 8 7 1
5 2 7 6 8 1 3 9 4
4 7 9 5 2 3 6 1 8
2 8 5 1 6 4 7 3 9
1 3 6 7 9 8 4 2 5
";
    folder.prints("generate 2 --format grid", layout);
    folder.prints("generate 1 --format grid", &layout[..162]);
    // And across the pieces in which they are made.
    let sequence = Grids::seeded(0);
    let block = |i| {
        let grid = sequence.grid(i).unwrap();
        let rows = grid.as_ascii().chunks(9).map(|row| {
            let digits: Vec<_> = row.iter().map(|&c| char::from(c).to_string()).collect();
            digits.join(" ") + "\n"
        });
        rows.collect::<String>()
    };
    let all: Vec<String> = (0..9000).map(block).collect();
    folder.prints("generate 9000 --format grid -q", &all.join("\n"));
}

#[test]
fn csv_has_a_header_and_the_numbers() {
    let folder = Folder::new();
    let sequence = Grids::seeded(5);
    for (start, count) in [(0, 9000), (9998, 4), (99_999_999_999, 2)] {
        let mut expected = String::from("index,grid\n");
        for i in start..start + count {
            writeln!(expected, "{i},{}", sequence.grid(i).unwrap()).unwrap();
        }
        let call = format!("generate {count} --start {start} --seed 5 --format csv -q");
        folder.prints(&call, &expected);
    }
}

/// The text of each format for grids `start..start + 5000`, written here by its rule.
fn in_form(form: &str, sequence: &Grids, start: u64) -> String {
    let grids = (start..start + 5000).map(|i| (i, sequence.grid(i).unwrap().to_string()));
    let rows = |grid: &str| -> Vec<String> {
        let rows = grid.as_bytes().chunks(9);
        rows.map(|row| String::from_utf8_lossy(row).into_owned())
            .collect()
    };
    match form {
        "line" => grids.map(|(_, grid)| format!("{grid}\n")).collect(),
        "csv" => grids.fold("index,grid\n".into(), |text, (i, grid)| {
            format!("{text}{i},{grid}\n")
        }),
        "tsv" => grids.fold("index\tgrid\n".into(), |text, (i, grid)| {
            format!("{text}{i}\t{grid}\n")
        }),
        "jsonl" => grids
            .map(|(i, grid)| format!("{}\n", serde_json::json!({"index": i, "grid": grid})))
            .map(|line| {
                // serde_json sorts the keys.
                let object: serde_json::Value = serde_json::from_str(&line).unwrap();
                let (index, grid) = (&object["index"], &object["grid"]);
                format!("{{\"index\":{index},\"grid\":{grid}}}\n")
            })
            .collect(),
        "block" => {
            let blocks: Vec<_> = grids
                .map(|(_, grid)| rows(&grid).join("\n") + "\n")
                .collect();
            blocks.join("\n")
        }
        "pretty" => {
            let rule = "+-------+-------+-------+\n";
            let row = |row: &String| {
                let boxes: Vec<String> = (0..3)
                    .map(|b| {
                        row[3 * b..3 * b + 3]
                            .split("")
                            .collect::<Vec<_>>()
                            .join(" ")
                    })
                    .collect();
                format!("|{}|\n", boxes.join("|"))
            };
            let framed = |(_, grid): (u64, String)| {
                let rows = rows(&grid);
                let bands = rows.chunks(3).map(|band| {
                    let rows: String = band.iter().map(row).collect();
                    format!("{rule}{rows}")
                });
                bands.collect::<String>() + rule
            };
            grids.map(framed).collect::<Vec<_>>().join("\n")
        }
        _ => {
            let between = if OF_SEVERAL_LINES.contains(&form) {
                "\n"
            } else {
                ""
            };
            let records = grids.map(|(_, grid)| shared(form, &grid));
            records.collect::<Vec<_>>().join(between)
        }
    }
}

#[test]
fn every_form_is_as_its_rule_says_for_any_number_of_threads() {
    let folder = Folder::new();
    let sequence = Grids::seeded(4);
    let forms = ["line", "csv", "tsv", "jsonl", "block", "pretty"].into_iter();
    for form in forms.chain(NOTATIONS).chain(OF_SEVERAL_LINES) {
        let expected = in_form(form, &sequence, 9_998);
        for threads in [1, 3] {
            let call = format!("generate 5k --seed 4 --start 9998 --format {form} -q -j {threads}");
            folder.prints(&call, &expected);
        }
        // Commands read what they write: all formats hold the same grids.
        fs::write(folder.file("made"), &expected).unwrap();
        folder
            .run("convert made --format line -q -o lines")
            .status(0);
        let lines = lines(&sequence, 9_998..14_998);
        assert_eq!(folder.read("lines"), lines, "{form}");
    }
}

#[test]
fn compressed_grids_unpack_to_the_same_bytes() {
    let folder = Folder::new();
    // The code that packs bytes knows no form. By default each form is packed in one way or two.
    for (row, form) in ["line", "csv", "block"].into_iter().enumerate() {
        let call = format!("generate 9k --format {form} -q");
        let plain = folder.out(&call);
        let ways = [
            ("-o out.gz", "out.gz"),
            ("-o out.zst", "out.zst"),
            ("--compress gzip:9 -o packed", "packed"),
            ("--compress zstd:3 -o packed.txt", "packed.txt"),
        ];
        for (column, (option, name)) in ways.into_iter().enumerate() {
            if !has_turn(row + column, 3) {
                continue;
            }
            let packed = [1, 2, 4].map(|threads| {
                let call = format!("{call} {option} -j {threads}");
                folder.prints(&call, "");
                fs::read(folder.file(name)).unwrap()
            });
            assert!(packed.iter().all(|other| *other == packed[0]));
            let mut unpacked = String::new();
            if packed[0].starts_with(b"\x1f\x8b") {
                assert!(option.contains("gz"), "{option}");
                let mut members = flate2::read::MultiGzDecoder::new(&packed[0][..]);
                members.read_to_string(&mut unpacked).unwrap();
            } else {
                assert!(option.contains("zst"), "{option}");
                let bytes = zstd::stream::decode_all(&packed[0][..]).unwrap();
                unpacked = String::from_utf8(bytes).unwrap();
            }
            assert!(unpacked == plain, "{call} {option}");
        }
    }
    folder.refuses("generate 1 --compress xz", "one of: gzip, zstd");
}

#[test]
fn grids_in_a_table_get_numbers_beside_their_columns() {
    let sequence = Grids::seeded(0);
    let [known, other] = [12, 13].map(|i| sequence.grid(i).unwrap().to_string());
    let outside = SOLUTIONS[0];
    let blank = format!("{}x", &known[..80]);
    let twice = "123456789".repeat(9);
    let table = format!(
        "id,solution,note\na,{known},\"x,y\"\nb,{outside},\nc,{blank},\nd,{twice},\ne,{other},z\n"
    );
    let folder = Folder::new().with("grids.csv", table);
    folder
        .run("rank grids.csv --puzzle-column solution")
        .status(1)
        .prints(&format!(
            "id,solution,note,index,status\n\
             a,{known},\"x,y\",12,valid\n\
             b,{outside},,,valid\n\
             c,{blank},,,malformed\n\
             d,{twice},,,column-duplicate\n\
             e,{other},z,13,valid\n"
        ))
        .says("grids.csv:4: malformed: column 83: 'x' where a digit should be")
        .says("3 of 5 records have no number")
        .says("5 records: 2 known, 1 unknown, 2 not-grids");
    // `rank` reads what `generate` writes; its column of numbers stays, if they are the same.
    folder
        .run("generate 3 --format jsonl --start 7 -o made")
        .status(0);
    let made = folder.read("made");
    let same = folder.out("rank made");
    assert_eq!(same, made.replace('}', ",\"status\":\"valid\"}"));
    folder
        .run_on(made.replace(":8,", ":80,"), "rank")
        .status(2)
        .says("<stdin>:2: the column index has the value \"80\" already, and the new one is \"8\"");
    let object = |i: u64| {
        let grid = sequence.grid(i).unwrap();
        format!(r#"{{"index":{i},"grid":"{grid}","number":{i},"status":"valid"}}"#) + "\n"
    };
    folder.prints(
        "rank made --index-column number",
        &(7..10).map(object).collect::<String>(),
    );
}

#[test]
fn shards_follow_each_other() {
    let folder = Folder::new();
    for (count, shards) in [(10_000, 3), (9, 4), (2, 5)] {
        let whole = folder.out(&format!("generate {count} --start 1M"));
        let part = |k| {
            let call = format!("generate {count} --start 1M --shard {k}/{shards} -o part");
            folder.run(&call).status(0);
            folder.read("part")
        };
        assert_eq!((1..=shards).map(part).collect::<String>(), whole);
    }
    folder.prints("generate 1 --shard 1/2 --format csv", "index,grid\n");
    folder.prints("generate 1 --shard 1/2 --format grid", "");
}

#[test]
fn amounts() {
    let folder = Folder::new();
    for (amount, count) in [
        ("7", 7),
        ("1_0", 10),
        ("2k", 2000),
        ("1_0K", 10_000),
        ("1M", 1_000_000),
    ] {
        let ran = folder
            .run(&format!("generate {amount} -o out --summary json"))
            .status(0);
        assert!(
            ran.stderr
                .starts_with(&format!("{{\"grids\":{count},\"seconds\":")),
            "{ran:?}"
        );
        assert_eq!(folder.read("out").len(), 82 * count);
    }
}

#[test]
fn bad_arguments() {
    let cases = [
        ("", "<N>"),
        ("0", "at least 1"),
        ("abc", "a whole number is wanted"),
        ("-3", "a whole number is wanted"),
        ("1.5M", "a whole number is wanted"),
        ("1 2", "unexpected argument"),
        ("312063515688961", CAPACITY),
        ("99999999999999999999", CAPACITY),
        ("1 --start 312063515688960", CAPACITY),
        ("1 --start 18446744073709551615", CAPACITY),
        ("34673723965441 --first-digit 1", "34,673,723,965,440"),
        ("1 --start -1", "a whole number is wanted"),
        ("1 --shard 5/4", "K from 1 to M"),
        ("1 --shard 0/4", "K from 1 to M"),
        ("1 --shard 1/0", "K from 1 to M"),
        ("1 --shard 1", "K from 1 to M"),
        ("1 --first-digit 0", "1 to 9"),
        ("1 --first-digit 10", "1 to 9"),
        ("1 --first-digit x", "1 to 9"),
        ("1 --student 7", "two digits"),
        ("1 --student abc", "two digits"),
        ("1 --student 12 --first-digit 3", "cannot be used with"),
        ("1 --seed 1 --in-order", "cannot be used with"),
        ("1 --uniform --in-order", "cannot be used with"),
        (
            "2 --uniform --start 18446744073709551614",
            "leaves too few grids",
        ),
        ("1 --seed x", "--seed"),
        (
            "1 --format xml",
            "line, csv, tsv, jsonl, block, grid, pretty",
        ),
    ];
    let folder = Folder::new().with("out", "as it was");
    for (arguments, message) in cases {
        let ran = folder.run(&format!("generate {arguments} -o out"));
        ran.status(2).says(message).prints("");
        assert_eq!(folder.read("out"), "as it was");
    }
    folder
        .run("generate 312063515688960 --shard 312063515688960/312063515688960")
        .status(0);
}

#[test]
fn output_appears_whole_or_not_at_all() {
    let folder = Folder::new().with("out", "as it was");
    folder.refuses("generate 1 -o out/out", "out/out");
    // A file-size limit stands for a full disk.
    folder
        .bash("ulimit -f 100; exec $P generate 1M -o out")
        .status(2)
        .says("out");
    assert_eq!(folder.read("out"), "as it was");
    folder.run("generate 1 -o out -q").status(0);
    assert_eq!(folder.read("out"), lines(&Grids::seeded(0), 0..1));
    assert_eq!(folder.names(), ["out"]);
}

#[test]
fn a_closed_pipe_is_quiet() {
    for command in ["generate 100M", "generate 100M --format csv", "rank out"] {
        let folder = Folder::new();
        folder.run("generate 100k -o out").status(0);
        let ran = folder.bash(&format!(
            "$P {command} | head -1 > first; echo ${{PIPESTATUS[0]}}"
        ));
        let ran = ran.status(0).prints("0\n");
        assert_eq!(ran.stderr, "", "{command}");
        assert_eq!(folder.read("first").lines().count(), 1);
    }
}

#[test]
fn summaries() {
    let folder = Folder::new();
    folder
        .run("generate 1k -j 1")
        .status(0)
        .says("1,000 grids\n")
        .says("1 thread, seed 0\n");
    folder
        .run("generate 1 --in-order --first-digit 4")
        .says("order index, first_digit 4\n");
    assert_eq!(folder.run("generate 1 -q").stderr, "");
    assert_eq!(folder.run("generate 1 --summary none").stderr, "");
}

#[test]
fn what_has_no_number_is_unknown() {
    let known = Grids::seeded(0).grid(12).unwrap().to_string();
    let outside = SOLUTIONS[0];
    let records = [
        (known.clone(), "12", ""),
        ("# no record".into(), "", ""),
        (format!("{known},trailer\r"), "12", ""),
        (outside.into(), "unknown", ""),
        ("".into(), "", ""),
        (
            "123".into(),
            "unknown",
            "6: malformed: column 4: end of line where a cell should be",
        ),
        (
            format!("{}.", &known[..80]),
            "unknown",
            "7: malformed: column 81: '.' where a digit should be",
        ),
        (
            format!("{}x", &known[..80]),
            "unknown",
            "8: malformed: column 81: 'x' where a digit should be",
        ),
        (
            format!("{known}4"),
            "unknown",
            "9: malformed: column 82: '4'",
        ),
        (
            "123456789".repeat(9),
            "unknown",
            "10: column-duplicate: 1 at r1c1 and r2c1",
        ),
        (
            known
                .chars()
                .rev()
                .map(|c| if c == '1' { '2' } else { c })
                .collect(),
            "unknown",
            "11: row-duplicate: 2 at r1c",
        ),
    ];
    let text: String = records
        .iter()
        .map(|(record, ..)| format!("{record}\n"))
        .collect();
    let numbers: Vec<_> = records.iter().map(|(_, number, _)| *number).collect();
    let expected: String = numbers
        .iter()
        .filter(|n| !n.is_empty())
        .map(|n| format!("{n}\n"))
        .collect();
    let folder = Folder::new().with("grids", &text);
    let mut ran = folder
        .run("rank grids --summary json")
        .status(1)
        .prints(&expected);
    for (.., message) in &records {
        let told = if message.is_empty() {
            String::new()
        } else {
            format!("grids:{message}")
        };
        ran = ran.says(&told);
    }
    ran.says("7 of 9 records have no number")
        .says("{\"records\":9,\"known\":2,\"unknown\":1,\"not_grids\":6,");
    assert_eq!(folder.run("rank grids -q").status(1).stderr, "");
    // Twelve are too many to tell.
    let ran = folder
        .run_on("123\n".repeat(12), "rank --input-format line")
        .status(1)
        .says("<stdin>:10: malformed");
    assert!(!ran.stderr.contains("<stdin>:11"));
    folder.run_on("", "rank").status(0).prints("");
    folder.refuses("rank missing", "missing");
    let one = format!("{known}\n");
    assert_eq!(&one[..1], "7");
    folder
        .run_on(&one, "rank --in-order --first-digit 2")
        .status(1)
        .prints("unknown\n");
    folder
        .run_on(&one, "rank --in-order --first-digit 7")
        .status(0);
}
