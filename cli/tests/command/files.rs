//! Files of every format through the command, as people have them.

use crate::support::{
    cases, has_turn,
    puzzles::{PUZZLES, SOLUTIONS},
    runner::{Folder, Running, output},
    shared_forms::{NOTATIONS, OF_SEVERAL_LINES},
};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::Stdio,
};

/// A text with puzzles in the places of `P` and `Q`, and solutions in those of `S` and `T`.
fn filled(text: &str) -> String {
    text.replace('P', PUZZLES[0])
        .replace('Q', PUZZLES[1])
        .replace('S', SOLUTIONS[0])
        .replace('T', SOLUTIONS[1])
}

fn block(cells: &str) -> String {
    let row = |row: usize| {
        cells[9 * row..][..9]
            .split("")
            .collect::<Vec<_>>()
            .join(" ")
    };
    (0..9).map(|r| row(r).trim().to_owned() + "\n").collect()
}

#[test]
fn tables_and_objects_keep_what_is_in_them() {
    let folder = Folder::new();
    for (input, output) in [
        (
            "quizzes,solutions\nP,S\nQ,T\n",
            "quizzes,solutions,solution,status\nP,S,S,unique\nQ,T,T,unique\n",
        ),
        (
            "id;puzzle;note\r\n1;P;\"a; b\"\r\n2;Q;\r\n",
            "id;puzzle;note;solution;status\r\n1;P;\"a; b\";S;unique\r\n2;Q;;T;unique\r\n",
        ),
        (
            "n\tpuzzle\n\"x\ny\"\tP\n",
            "n\tpuzzle\tsolution\tstatus\n\"x\ny\"\tP\tS\tunique\n",
        ),
        // Without a header there is none to write.
        ("1,P\n2,Q\n", "1,P,S,unique\n2,Q,T,unique\n"),
        (
            "{\"id\": 1, \"puzzle\": \"P\"}\n{\"puzzle\":\"Q\", \"x\":[1, {}] }\n",
            "{\"id\": 1, \"puzzle\": \"P\",\"solution\":\"S\",\"status\":\"unique\"}\n\
             {\"puzzle\":\"Q\", \"x\":[1, {}],\"solution\":\"T\",\"status\":\"unique\"}\n",
        ),
        ("a1 P 1.5\na2 Q\n", "a1 P 1.5\tS\tunique\na2 Q\tT\tunique\n"),
    ] {
        let ran = folder.run_on(filled(input), "solve -q").status(0);
        ran.prints(&filled(output));
    }
    let blocks = block(PUZZLES[0]) + "\n" + &block(PUZZLES[1]);
    let solved = block(SOLUTIONS[0]) + "\n" + &block(SOLUTIONS[1]) + "\n";
    folder.run_on(blocks, "solve -q").status(0).prints(&solved);
}

#[test]
fn a_record_that_is_not_solved_keeps_its_row_and_has_a_status() {
    let folder = Folder::new();
    let duplicate = "44".to_owned() + &PUZZLES[0][2..];
    let none = "1234.....".to_owned() + "....5...." + &".".repeat(63);
    let unsolvable = none
        .replace("1234.....", "12345678.")
        .replace("....5....", "........9");
    let empty = ".".repeat(81);
    let input = format!(
        "puzzle,n\n{duplicate},1\n{unsolvable},2\n{empty},3\n12,4\nx\n{},6\n",
        PUZZLES[0]
    );
    let output = format!(
        "puzzle,n,solution,status\n{duplicate},1,,row-duplicate\n{unsolvable},2,,no-solution\n\
         {empty},3,,multiple\n12,4,,malformed\nx,,,malformed\n{},6,{},unique\n",
        PUZZLES[0], SOLUTIONS[0]
    );
    let ran = folder
        .run_on(input, "solve --unique --rejects bad.tsv")
        .status(1);
    let ran = ran.says("<stdin>:5: malformed: column 3: ',' where a cell should be\n");
    ran.says("<stdin>:6: malformed: column 2: end of line where field 2 of 2 should be\n")
        .says("form csv, column puzzle")
        .prints(&output);
    assert_eq!(folder.read("bad.tsv").lines().count(), 5);
}

#[test]
fn a_column_that_is_there_already_is_an_error_or_is_replaced() {
    let folder = Folder::new()
        .with("in.csv", filled("puzzle,solution,n\nP,old,1\n"))
        .with(
            "in.jsonl",
            filled("{\"puzzle\":\"P\"}\n{\"puzzle\":\"Q\",\"solution\":\"old\",\"n\":1}\n"),
        );
    for input in ["in.csv", "in.jsonl"] {
        let ran = folder.run(&format!("solve {input} -o out")).status(2);
        ran.says("the column solution has the value \"old\" already")
            .says("--replace");
        assert!(!folder.file("out").exists());
    }
    let ran = folder.run("solve in.csv -q --replace").status(0);
    ran.prints(&filled("puzzle,solution,n,status\nP,S,1,unique\n"));
    let ran = folder.run("solve in.jsonl -q --replace").status(0);
    ran.prints(&filled(
        "{\"puzzle\":\"P\",\"solution\":\"S\",\"status\":\"unique\"}\n\
         {\"puzzle\":\"Q\",\"solution\":\"T\",\"n\":1,\"status\":\"unique\"}\n",
    ));
    let ran = folder.run("solve in.csv -q --solution-column found --status-column how");
    let ran = ran.status(0);
    ran.prints(&filled("puzzle,solution,n,found,how\nP,old,1,S,unique\n"));
}

#[test]
fn every_form_becomes_every_other() {
    let folder = Folder::new();
    let blocks = block(PUZZLES[0]) + "\n" + &block(PUZZLES[1]) + "\n";
    let forms = [
        ("line", filled("P\nQ\n")),
        ("csv", filled("puzzle\nP\nQ\n")),
        ("tsv", filled("puzzle\nP\nQ\n")),
        ("jsonl", filled("{\"puzzle\":\"P\"}\n{\"puzzle\":\"Q\"}\n")),
        ("text", filled("P\nQ\n")),
        ("block", blocks),
    ];
    for (from, input) in &forms {
        for (to, output) in &forms {
            let call = format!("convert -q --input-format {from} --format {to}");
            let output = match (*from, *to) {
                ("text", "csv") => &filled("before,puzzle,after\n,P,\n,Q,\n"),
                ("text", "tsv") => &filled("before\tpuzzle\tafter\n\tP\t\n\tQ\t\n"),
                ("text", "jsonl") => &filled(
                    "{\"before\":\"\",\"puzzle\":\"P\",\"after\":\"\"}\n\
                     {\"before\":\"\",\"puzzle\":\"Q\",\"after\":\"\"}\n",
                ),
                _ => output,
            };
            folder.run_on(input, &call).status(0).prints(output);
        }
        // In a frame, and back.
        let pretty = folder.run_on(
            input,
            &format!("convert -q --input-format {from} --format pretty"),
        );
        let back = folder.run_on(pretty.status(0).stdout, "convert -q --format line");
        back.status(0).prints(&filled("P\nQ\n"));
    }
    let ran = folder.run_on(
        filled("a,puzzle\n\"x \"\"y\"\"\",P\n"),
        "convert -q --format jsonl",
    );
    ran.status(0)
        .prints(&filled("{\"a\":\"x \\\"y\\\"\",\"puzzle\":\"P\"}\n"));
    let ran = folder.run_on(
        filled("{\"n\":1,\"puzzle\":\"P\"}\n{\"puzzle\":\"Q\"}\n"),
        "convert -q --format csv",
    );
    ran.status(0).prints(&filled("n,puzzle\n1,P\n,Q\n"));
    let ran = folder.run_on(
        filled("{\"puzzle\":\"P\"}\n{\"puzzle\":\"Q\",\"x\":1}\n"),
        "convert --format csv",
    );
    ran.status(2)
        .says("<stdin>:2: the key x is not one of the first object");
}

#[test]
fn several_inputs_give_one_output_or_one_each() {
    let folder = Folder::new()
        .with("a.csv", filled("n,puzzle\n1,P\n"))
        .with("b.csv", filled("n,puzzle\n2,Q\n"))
        .with("c.csv", filled("m,puzzle\n2,Q\n"))
        .with("d.txt", filled("Q\n"));
    let ran = folder.run("solve a.csv b.csv -q").status(0);
    ran.prints(&filled(
        "n,puzzle,solution,status\n1,P,S,unique\n2,Q,T,unique\n",
    ));
    for other in ["c.csv", "d.txt"] {
        let ran = folder.run(&format!("solve a.csv {other} -o out")).status(2);
        ran.says("cannot hold both");
        assert!(!folder.file("out").exists());
    }
    folder
        .run("solve a.csv d.txt -q --output-dir solved")
        .status(0);
    assert_eq!(
        folder.read("solved/a.csv"),
        filled("n,puzzle,solution,status\n1,P,S,unique\n")
    );
    assert_eq!(folder.read("solved/d.txt"), filled("T\n"));
    // Two inputs of one name are refused before the first is answered.
    std::fs::create_dir(folder.path().join("b")).unwrap();
    let folder = folder.with("b/a.csv", filled("n,puzzle\n1,P\n"));
    folder.refuses(
        "solve a.csv b/a.csv --output-dir both",
        "two outputs of --output-dir would both be written to",
    );
    assert!(!folder.file("both").exists());
    folder
        .run("convert a.csv -q --output-dir solved --format jsonl")
        .status(0);
    assert_eq!(
        folder.read("solved/a.jsonl"),
        filled("{\"n\":\"1\",\"puzzle\":\"P\"}\n")
    );
}

#[test]
fn the_parts_give_the_whole() {
    let mut rows = String::from("n,puzzle\n");
    let number = cases(30).min(100);
    for n in 0..number {
        rows += &filled(&format!(
            "\"{n}\n,\"\"x\",{}\n",
            if n % 7 == 0 { "bad" } else { "P" }
        ));
    }
    let folder = Folder::new().with("in", &rows);
    let whole = folder.run("solve in -q").status(1).stdout;
    for shards in [1, 2, 3, 13, 2 * number] {
        let part = |k| {
            folder
                .run(&format!("solve in -q --shard {k}/{shards}"))
                .stdout
        };
        let parts: String = (1..=shards).map(part).collect();
        assert_eq!(parts, whole, "{shards}");
    }
    // The row of record 22 is at the byte that is told.
    let at = rows.find("\"21\n").unwrap();
    folder
        .run("solve in --shard 1/1 --rejects r -o out")
        .status(1);
    assert!(
        folder
            .read("r")
            .lines()
            .any(|line| line.starts_with(&format!("{}\t", at + 4))
                || line.starts_with(&format!("{at}\t")))
    );
}

/// A table that is cut off in a last column of grids ends in a malformed record. One that has no line end is whole.
#[test]
fn a_table_that_is_cut_off_is_malformed() {
    let whole = filled("id,puzzle,solution\n1,P,S\n2,Q,T");
    let folder = Folder::new();
    // The reader of tables is one for all commands: by default each length has one of them.
    for left in 0..81 {
        let folder = Folder::new().with("in.csv", &whole[..whole.len() - left]);
        let commands = ["check", "convert", "dedup", "count --strict"];
        for (number, command) in commands.into_iter().enumerate() {
            if !has_turn(left + number, 4) {
                continue;
            }
            let ran = folder.run(&format!("{command} in.csv"));
            match (left, command) {
                (0, _) => _ = ran.status(0),
                (_, "count --strict") => _ = ran.status(2).says("in.csv:3: malformed"),
                // The cells that are left end at the end of the line.
                _ => {
                    let column = whole.lines().last().unwrap().len() + 1 - left;
                    let place = format!("in.csv:3: malformed: column {column}: end of line");
                    ran.status(1).says(&place);
                }
            }
        }
    }
    // The answer may be missing, and other columns say nothing.
    for text in ["puzzle,solution\nP,S\nQ,", "puzzle,rating\nP,1.2\nQ,1."] {
        fs::write(folder.file("in.csv"), filled(text)).unwrap();
        folder.run("count in.csv --strict").status(0);
    }
}

/// A redirection of the shell is told as one.
#[cfg(unix)]
#[test]
fn standard_output_is_no_option() {
    let folder = Folder::new().with("in.csv", filled("puzzle\nP\n"));
    let ran = folder.bash("\"$P\" solve in.csv >> in.csv").status(2);
    let ran = ran.says("standard output is the same file as the input in.csv");
    assert!(!ran.stderr.contains("--output is"));
    assert_eq!(folder.read("in.csv"), filled("puzzle\nP\n"));
}

#[test]
fn strict_ends_at_the_first_malformed_record() {
    let folder = Folder::new().with("in.csv", filled("puzzle\nP\n12\nQ\n"));
    folder.refuses(
        "solve in.csv --strict -o out",
        "in.csv:3: malformed: column 3: end of line where a cell should be (--strict)",
    );
    assert_eq!(folder.names(), ["in.csv"]);
}

/// A program that writes a record and waits for its answer.
#[test]
fn records_are_answered_at_once() {
    for (records, answers) in [
        (["P\n", "Q\n"], ["S\n", "T\n"]),
        (
            ["n,puzzle\n1,P\n", "2,Q\n"],
            ["n,puzzle,solution,status\n1,P,S,unique\n", "2,Q,T,unique\n"],
        ),
        (
            ["{\"puzzle\":\"P\"}\n", "{\"puzzle\":\"Q\"}\n"],
            [
                "{\"puzzle\":\"P\",\"solution\":\"S\",\"status\":\"unique\"}\n",
                "{\"puzzle\":\"Q\",\"solution\":\"T\",\"status\":\"unique\"}\n",
            ],
        ),
    ] {
        let folder = Folder::new();
        let mut command = folder.command("solve -q --line-buffered");
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = Running::start(&mut command);
        let mut to = child.stdin.take().unwrap();
        let mut from = BufReader::new(child.stdout.take().unwrap());
        for (record, answer) in records.into_iter().zip(answers) {
            to.write_all(filled(record).as_bytes()).unwrap();
            for expected in filled(answer).lines() {
                let mut line = String::new();
                from.read_line(&mut line).unwrap();
                assert_eq!(line.trim_end(), expected);
            }
        }
        drop(to);
        assert_eq!(child.end().code(), Some(0));
    }
}

#[test]
fn a_puzzle_may_stand_in_the_place_of_a_file() {
    let folder = Folder::new();
    let ran = folder.run(&format!("solve -q {}", PUZZLES[0])).status(0);
    ran.prints(&filled("S\n"));
    folder.refuses(
        &format!("solve -q {}", PUZZLES[0].replace('4', "z")),
        "cannot open z..52",
    );
    // A file of that name comes first.
    let folder = folder.with(PUZZLES[0], filled("Q\n"));
    let ran = folder.run(&format!("solve -q {}", PUZZLES[0])).status(0);
    ran.prints(&filled("T\n"));
}

#[test]
fn odd_inputs_are_told() {
    let folder = Folder::new()
        .with("header.csv", "puzzle,n\n")
        .with("empty", "")
        .with("mixed.csv", filled("puzzle,n\r\nP,1\nQ,2\r\n"))
        .with("nul.csv", b"puzzle,n\n\0,1\n\xff,2\n")
        .with("eight", "123456789\n".repeat(8) + "\n" + &block(PUZZLES[0]));
    let ran = folder.run("solve header.csv").status(0);
    ran.says("0 records").prints("puzzle,n,solution,status\n");
    folder.prints("solve empty -q", "");
    let ran = folder.run("solve mixed.csv -q").status(0);
    ran.prints(&filled(
        "puzzle,n,solution,status\r\nP,1,S,unique\r\nQ,2,T,unique\r\n",
    ));
    let ran = output(&mut folder.command("solve nul.csv"));
    assert_eq!(ran.status.code(), Some(1));
    assert_eq!(
        ran.stdout,
        b"puzzle,n,solution,status\n\0,1,,malformed\n\xff,2,,malformed\n"
    );
    let told = String::from_utf8(ran.stderr).unwrap();
    assert!(told.contains("nul.csv:2: malformed: column 1: '\\0' where a cell should be\n"));
    assert!(told.contains("nul.csv:3: malformed: column 1: byte 0xff where a cell should be\n"));
    let ran = folder.run("solve eight --format csv").status(1);
    let ran = ran.says("eight:1: malformed: 8 rows, 9 expected");
    let rows = "123456789\n".repeat(8);
    let rows = rows.trim_end();
    ran.prints(&filled(&format!(
        "puzzle,solution,status\n\"{rows}\",,malformed\nP,S,unique\n"
    )));
    folder.run_on("hello\n", "solve").status(2).says(
        "<stdin>:1: cannot tell the format of this line: \"hello\"; --input-format FORMAT names it",
    );
    folder.refuses(
        "solve mixed.csv --puzzle-column board",
        "mixed.csv: there is no column board; the columns are: puzzle, n",
    );
    folder
        .run("solve mixed.csv --verbose --summary none")
        .says("mixed.csv: form csv, puzzles in column puzzle\n");
    fs::create_dir(folder.file("folder")).unwrap();
    folder.refuses("solve folder", "cannot open folder");
}

/// A malformed record of several lines is not lost: its text comes out in every format.
#[test]
fn the_text_of_a_malformed_block_comes_out() {
    let rows = "1 2 3 . . . . . .\n. . z . . . . . .\n".to_owned() + &". ".repeat(9);
    let rows = rows.trim_end();
    let text = format!("{}\n{rows}\n\n{}", block(PUZZLES[0]), block(PUZZLES[1]));
    let folder = Folder::new().with("in", text.replace('\n', "\r\n"));
    let one_line = rows.replace('\n', " ");
    let error = "column 5: 'z' where a cell should be";
    let escaped = rows.replace('\n', "\\r\\n");
    for (form, output) in [
        ("line", format!("P\n{one_line}\nQ\n")),
        ("text", format!("P\r\n{one_line}\r\nQ\r\n")),
        (
            "csv",
            format!("puzzle\r\nP\r\n\"{}\"\r\nQ\r\n", rows.replace('\n', "\r\n")),
        ),
        (
            "jsonl",
            format!(
                "{{\"puzzle\":\"P\"}}\r\n{{\"text\":\"{escaped}\"}}\r\n{{\"puzzle\":\"Q\"}}\r\n"
            ),
        ),
    ] {
        folder
            .run(&format!("convert in --format {form} --rejects bad"))
            .status(1)
            .prints(&filled(&output))
            .says(&format!("in:12: malformed: {error}"));
        let rejects = format!("12\tmalformed\t{error}\t{one_line}\n");
        assert_eq!(folder.read("bad"), rejects, "a line for each record");
    }
}

/// The first row of a table without a header may be bad. It is no header then.
#[test]
fn a_bad_first_row_is_no_header() {
    let short = &PUZZLES[0][..79];
    let bad = &PUZZLES[0].replace("52", "z2");
    for (input, output) in [
        (
            format!("1,{short},a\n2,Q,b\n"),
            format!("1,{short},a,,malformed\n2,Q,b,T,unique\n"),
        ),
        (
            format!("1,{bad},a\n2,Q,b\n"),
            format!("1,{bad},a,,malformed\n2,Q,b,T,unique\n"),
        ),
        (
            "1,,a\n2,Q,b\n".into(),
            "1,,a,,malformed\n2,Q,b,T,unique\n".into(),
        ),
        // Too few fields: the text goes into the column of the puzzle.
        (
            format!("{bad},a\n2,Q,b\n"),
            format!(",\"{bad},a\",,,malformed\n2,Q,b,T,unique\n"),
        ),
        (
            format!("1;{bad}\n2;Q\n"),
            format!("1;{bad};;malformed\n2;Q;T;unique\n"),
        ),
        // A puzzle that comes first makes the format that of lines, as after a good first row.
        (
            format!("{bad},a\nQ,b\n"),
            format!("{}\nT\n", ".".repeat(81)),
        ),
        // These are headers.
        (
            "0,1\n2,Q\n".into(),
            "0,1,solution,status\n2,Q,T,unique\n".into(),
        ),
        (
            ",p\n2,Q\n".into(),
            ",p,solution,status\n2,Q,T,unique\n".into(),
        ),
        (
            "id,\n2,Q\n".into(),
            "id,,solution,status\n2,Q,T,unique\n".into(),
        ),
    ] {
        let folder = Folder::new().with("in", filled(&input));
        let ran = folder.run("solve -q in");
        let status = i32::from(output.contains("malformed") || output.starts_with('.'));
        ran.status(status).prints(&filled(&output));
    }
}

/// Blank lines between the first blocks, and none after them, leave no block certain.
#[test]
fn blocks_that_lose_their_blank_lines_are_told() {
    let rows = block(PUZZLES[0]);
    let text = format!("{rows}\n{}", rows.repeat((17 << 20) / rows.len()));
    let folder = Folder::new().with("in", text);
    let says = "no record ends within 16 MiB of byte";
    folder.refuses("solve in -o out", &format!("in: {says}"));
    let ran = folder.run_on(folder.read("in"), "solve --line-buffered -o out");
    ran.status(2).says(says);
    assert_eq!(folder.names(), ["in"]);
}

/// With an error in the last input, no output takes its place, and none is left behind.
#[test]
fn outputs_in_a_folder_appear_together() {
    let text = filled("puzzle\nP\nQ\n");
    let mut folder = Folder::new();
    let number = cases(120).min(200);
    let names: Vec<_> = (0..number).map(|i| format!("{i}.csv")).collect();
    for name in &names {
        folder = folder.with(name, &text);
    }
    let folder = folder.with("last.csv", "puzzle\n\"broken\n12\n");
    let inputs = names.join(" ");
    let call = "solve -q --output-dir done --strict";
    // Fewer open files than outputs.
    let line = |inputs: &str| format!("ulimit -n 100; exec $P {call} {inputs}");
    folder.bash(&line(&format!("{inputs} last.csv"))).status(2);
    assert!(!folder.file("done").exists());
    folder.bash(&line(&inputs)).status(0);
    let solved = filled("puzzle,solution,status\nP,S,unique\nQ,T,unique\n");
    assert_eq!(fs::read_dir(folder.file("done")).unwrap().count(), number);
    for name in names {
        assert_eq!(folder.read(&format!("done/{name}")), solved);
    }
}

/// A shard opens the first input and those that it has a part of, one at a time.
#[test]
fn shards_of_many_inputs_are_the_whole() {
    let mut folder = Folder::new();
    // More than a process may have open, and at last more parts than inputs: each part is a process.
    let number = cases(66).min(150);
    let names: Vec<_> = (0..number).map(|i| format!("{i}.csv")).collect();
    for (i, name) in names.iter().enumerate() {
        let rows = filled("P\nQ\n").repeat(i % 4);
        folder = folder.with(name, format!("puzzle\n{rows}"));
    }
    let inputs = names.join(" ");
    let solve = |options: &str| {
        let line = format!("ulimit -n 60; exec $P solve -q {options} {inputs}");
        folder.bash(&line).status(0).stdout
    };
    let whole = solve("");
    assert_eq!(
        whole.lines().count(),
        1 + (0..number).map(|i| 2 * (i % 4)).sum::<usize>()
    );
    for parts in [2, 7, number + 5] {
        let joined: String = (1..=parts)
            .map(|k| solve(&format!("--shard {k}/{parts}")))
            .collect();
        assert!(joined == whole, "{parts} parts");
    }
}

/// The puzzles of `data/easy.txt`, so many of them, from the first on and again, and what is
/// to be found for each.
fn many(count: usize) -> Vec<(String, String)> {
    let read = |name: &str| {
        let path = format!("{}/../../data/{name}", env!("CARGO_MANIFEST_DIR"));
        fs::read_to_string(path).unwrap()
    };
    let (puzzles, solved) = (read("easy.txt"), read("easy.solved.txt"));
    let pairs = puzzles.lines().zip(solved.lines());
    let pairs: Vec<_> = pairs.map(|(p, s)| (p.to_owned(), s.to_owned())).collect();
    pairs.into_iter().cycle().take(count).collect()
}

/// The text of a compressed output.
fn unpacked(path: &std::path::Path) -> String {
    let bytes = fs::read(path).unwrap();
    let mut text = String::new();
    let mut members = flate2::read::MultiGzDecoder::new(&bytes[..]);
    std::io::Read::read_to_string(&mut members, &mut text).unwrap();
    text
}

/// The numbers of records go on over the pieces of an input and over the inputs, in every format,
/// with rows before them that are shorter or longer.
#[test]
fn records_are_numbered_over_all_inputs() {
    let records = many(cases(9000).min(25_000));
    let (one, two) = records.split_at(records.len() / 3 * 2);
    let csv = |records: &[(String, String)]| -> String {
        let rows = records.iter().enumerate();
        rows.fold("note,puzzle\n".into(), |text, (i, (puzzle, _))| {
            text + &format!("{},{puzzle}\n", "n".repeat(i % 7))
        })
    };
    let folder = Folder::new()
        .with("one.csv", csv(one))
        .with("two.csv", csv(two));
    let expected = |row: &dyn Fn(usize, usize, &str, &str) -> String| -> String {
        let rows = one.iter().enumerate().chain(two.iter().enumerate());
        let numbered = rows.zip(1..);
        numbered
            .map(|((i, (puzzle, solution)), number)| row(i % 7, number, puzzle, solution))
            .collect()
    };
    let lines = expected(&|_, number, _, solution| format!("{number}\t{solution}\n"));
    let rows = "note,puzzle,record,solution,status\n".to_owned()
        + &expected(&|n, number, puzzle, solution| {
            format!("{},{puzzle},{number},{solution},unique\n", "n".repeat(n))
        });
    let objects = expected(&|n, number, puzzle, solution| {
        let note = "n".repeat(n);
        format!(
            "{{\"note\":\"{note}\",\"puzzle\":\"{puzzle}\",\"record\":{number},\
             \"solution\":\"{solution}\",\"status\":\"unique\"}}\n"
        )
    });
    for threads in [1, 3] {
        let solutions = |options: &str| {
            let call = format!("solutions one.csv two.csv -q -j {threads} {options}");
            folder.out(&call)
        };
        assert!(solutions("--format line") == lines);
        assert!(solutions("") == rows);
        assert!(solutions("--format jsonl") == objects);
        solutions("-o out.gz");
        assert!(unpacked(&folder.file("out.gz")) == rows);
    }
    folder.refuses(
        "solutions one.csv --shard 1/2",
        "unexpected argument '--shard'",
    );
}

/// A command that selects rows by those before: the rows of whole files, in every format.
#[test]
fn selected_rows_are_whole_in_every_form() {
    // The puzzles come again after 2000 records.
    let records = many(30_000);
    let rows = |records: &[(String, String)]| -> String {
        let rows = records.iter().enumerate();
        rows.map(|(i, (puzzle, _))| format!("\"{},\n{i}\",{puzzle}\n", "n".repeat(i % 5)))
            .collect()
    };
    let header = "note,puzzle\n";
    let text = header.to_owned() + &rows(&records);
    let kept = header.to_owned() + &rows(&records[..2000]);
    let folder = Folder::new().with("in.csv", &text);
    for threads in [1, 3] {
        let dedup = |options: &str| {
            let call = format!("dedup --by equality in.csv -q -j {threads} {options}");
            folder.out(&call)
        };
        assert!(dedup("") == kept);
        dedup("--compress gzip -o out");
        assert!(unpacked(&folder.file("out")) == kept);
        let lines: String = records[..2000]
            .iter()
            .map(|(p, _)| format!("{p}\n"))
            .collect();
        assert!(dedup("--format line") == lines);
        let blocks: String = records[..2000]
            .iter()
            .map(|(p, _)| block(p) + "\n")
            .collect();
        assert!(dedup("--format block") == blocks);
    }
}

/// Each record is in one part, in the order of the input, and all parts have the header.
#[test]
fn parts_hold_every_row_once_and_in_order() {
    let records = many(12_000);
    let row = |i: usize| format!("{i},\"a \"\"{i}\"\"\",{}\n", records[i].0);
    let header = "n,note,puzzle\n";
    let text = header.to_owned() + &(0..records.len()).map(row).collect::<String>();
    let folder = Folder::new().with("in.csv", text);
    let split = "split --parts a=3,b=1 --by equality in.csv -q --output-dir";
    folder.run(&format!("{split} plain -j 1")).status(0);
    folder
        .run(&format!("{split} packed -j 3 --compress gzip"))
        .status(0);
    let mut seen = vec![0; records.len()];
    for part in ["a", "b"] {
        let text = folder.read(&format!("plain/{part}.csv"));
        let packed = unpacked(&folder.file(&format!("packed/{part}.csv.gz")));
        assert!(text == packed, "{part}");
        let rows = text.strip_prefix(header).unwrap();
        let numbers: Vec<usize> = rows
            .lines()
            .map(|line| line.split(',').next().unwrap().parse().unwrap())
            .collect();
        assert!(numbers.is_sorted() && numbers.len() > 1000, "{part}");
        assert!(numbers.iter().map(|&i| row(i)).collect::<String>() == rows);
        numbers.iter().for_each(|&i| seen[i] += 1);
    }
    assert!(seen.iter().all(|&times| times == 1));
}

/// JSON lines in which no key has a puzzle are an error with the keys that exist. A first object
/// without the key is a malformed record, if a later one has it.
#[test]
fn the_key_of_the_puzzle_is_found_or_told() {
    let folder = Folder::new();
    let says =
        "<stdin>: there is no column with a puzzle; the columns are: id, game; --puzzle-column";
    let nested = filled("{\"id\":1,\"game\":{\"puzzle\":\"P\"}}\n");
    folder
        .run_on(&nested, "solve")
        .status(2)
        .says(says)
        .prints("");
    folder
        .run_on(&nested, "solve --line-buffered")
        .status(2)
        .says(says);
    folder
        .run_on(&nested, "solve -q --puzzle-column game.puzzle")
        .status(0)
        .prints(&filled(
            "{\"id\":1,\"game\":{\"puzzle\":\"P\"},\"solution\":\"S\",\"status\":\"unique\"}\n",
        ));
    let later = filled("{\"error\":7}\n{\"Question\":\"P\"}\n");
    folder.run_on(later, "solve -q").status(1).prints(&filled(
        "{\"error\":7,\"solution\":\"\",\"status\":\"malformed\"}\n\
         {\"Question\":\"P\",\"solution\":\"S\",\"status\":\"unique\"}\n",
    ));
}

/// A form without columns has no room for a second column of a name.
#[test]
fn a_column_of_the_input_is_no_obstacle_where_the_output_has_none() {
    let puzzle = PUZZLES[0];
    let folder = Folder::new().with("p.csv", format!("puzzle,solution\n{puzzle},kept\n"));
    let solved = folder.out("solve -q p.csv --format line");
    let alone = folder.out(&format!("solve -q {puzzle}"));
    assert_eq!(solved, alone);
    let grid = folder.out("solve -q p.csv --format grid");
    assert_eq!(grid.replace([' ', '\n'], "") + "\n", alone);
    // The header is printed already.
    let ran = folder.run("solve p.csv").status(2);
    ran.says("p.csv:2: the column solution has the value \"kept\" already");
}

#[test]
fn a_table_without_puzzles_names_its_columns() {
    let folder = Folder::new()
        .with("p.csv", "id,name\n1,a\n2,b\n")
        .with("p.tsv", "id\tname\n1\ta\n")
        .with("p.txt", "id,name\n1,a\n");
    for name in ["p.csv", "p.tsv"] {
        folder
            .run(&format!("solve {name}"))
            .status(2)
            .says("there is no column with a puzzle; the columns are: id, name")
            .says("--puzzle-column NAME or N names it");
    }
    folder.refuses("solve p.txt", "cannot tell the format of this line");
}

/// An option that a command cannot honour is not among its options.
#[test]
fn options_without_effect_are_refused() {
    let puzzle = PUZZLES[0];
    let folder = Folder::new().with("p.txt", format!("{puzzle}\n{puzzle}\n"));
    for line in [
        "dedup --shard 1/2 p.txt",
        "solutions --shard 1/2 p.txt",
        "stats --output-dir od p.txt",
        "stats --format csv p.txt",
        "stats --replace p.txt",
        "stats --compress gzip p.txt",
        "stats --line-buffered p.txt",
        "convert --replace p.txt",
        "dedup --replace p.txt",
        "augment --replace p.txt",
        "split --test 10% --output-dir od -o x p.txt",
    ] {
        let ran = folder.run(line).status(2);
        ran.says("unexpected argument").prints("");
    }
    folder.refuses(
        "check --grids --distinct --shard 1/2 p.txt",
        "cannot be used with",
    );
    assert_eq!(folder.names(), ["p.txt"]);
}

/// The counts of a summary that are statuses, in their order.
#[test]
fn summaries_have_one_order_of_statuses() {
    let puzzle = PUZZLES[0];
    let several = ".".repeat(81);
    let twice = format!("11{}", ".".repeat(79));
    let none = format!("12345678.{}9{}", ".".repeat(8), ".".repeat(63));
    let folder = Folder::new().with(
        "p.txt",
        format!("{puzzle}\n{several}\nbad\n{twice}\n{none}\n"),
    );
    let order = [
        "unique",
        "multiple",
        "malformed",
        "row_duplicate",
        "column_duplicate",
        "box_duplicate",
        "no_solution",
    ];
    for command in [
        "solve",
        "solve --unique",
        "check",
        "count",
        "solutions --limit 2",
        "canonical",
        "dedup",
        "split --test 10% --output-dir od",
        "stats",
        "rate",
    ] {
        let ran = folder.run(&format!("{command} --summary json p.txt"));
        let json = ran.stderr.lines().last().unwrap().to_owned();
        let place = |name: &&str| json.find(&format!("\"{name}\":"));
        let places: Vec<_> = order.iter().filter_map(place).collect();
        let expected = order.len() - usize::from(matches!(command, "rate" | "dedup"));
        assert_eq!(places.len(), expected, "{command}: {json}");
        assert!(places.is_sorted(), "{command}: {json}");
    }
}

/// Nine lines without spaces.
fn compact(cells: &str) -> String {
    (0..9)
        .map(|row| cells[9 * row..][..9].to_owned() + "\n")
        .collect()
}

/// Nine lines in a frame.
fn framed(cells: &str) -> String {
    let rule = "+---+---+---+\n";
    let row = |row: usize| {
        let cells = &cells[9 * row..][..9];
        let end = if row % 3 == 2 { rule } else { "" };
        format!("|{}|{}|{}|\n{end}", &cells[..3], &cells[3..6], &cells[6..])
    };
    rule.to_owned() + &(0..9).map(row).collect::<String>()
}

/// The number of puzzles stands first, and no blank lines between blocks: all pieces are cut
/// between two blocks.
#[test]
fn blocks_with_a_count_line_are_cut_between_blocks() {
    for block in [block, compact, framed] {
        for end in ["\n", "\r\n"] {
            let count = 400;
            let cells = |i: usize| PUZZLES[i % 2];
            let blocks: String = (0..count).map(|i| block(cells(i))).collect();
            let text = format!("{count}\n{blocks}").replace('\n', end);
            let expected: String = (0..count)
                .map(|i| SOLUTIONS[i % 2].to_owned() + "\n")
                .collect();
            let folder = Folder::new().with("p", &text);
            folder.prints("solve --format line -q p", &expected);
            let ran = folder.run_on(&text, "solve --format line -q");
            ran.status(0).prints(&expected);
            let mut joined = String::new();
            for part in 1..=7 {
                let ran = folder.run(&format!("solve --format line -q --shard {part}/7 p"));
                joined += &ran.status(0).stdout;
            }
            assert_eq!(joined, expected);
        }
    }
}

#[test]
fn one_puzzle_after_a_count_line_is_in_one_shard() {
    let folder = Folder::new().with("p", format!("1\n{}", compact(PUZZLES[0])));
    let parts = (1..=3).map(|part| {
        let ran = folder.run(&format!("solve --format line -q --shard {part}/3 p"));
        ran.status(0).stdout
    });
    assert_eq!(parts.collect::<String>(), SOLUTIONS[0].to_owned() + "\n");
}

#[test]
fn an_announced_count_is_compared() {
    let folder = Folder::new().with("p", format!("3\n{}", block(PUZZLES[0]).repeat(2)));
    let message = "sudoku-batch: p begins with 3, but has 2 puzzles\n";
    folder.run("solve p").status(1).says(message);
    let ran = folder.run("solve --shard 1/2 p").status(0);
    assert!(!ran.stderr.contains("begins with"));
}

#[test]
fn a_head_of_more_than_64_kib_is_read_whole() {
    let long = "x".repeat(100 << 10);
    let header = filled(&format!("{long},puzzle\n1,P\n2,Q\n"));
    let lines = filled("P\nQ\n");
    let ran = Folder::new().run_on(&header, "convert -q --format line");
    ran.status(0).prints(&lines);
    let objects = filled(&format!(
        "{{\"a\":\"{long}\",\"puzzle\":\"P\"}}\n{{\"a\":\"\",\"puzzle\":\"Q\"}}\n"
    ));
    let table = filled(&format!("a,puzzle\n{long},P\n,Q\n"));
    let ran = Folder::new().run_on(&objects, "convert -q --format csv");
    ran.status(0).prints(&table);
    // A field in quotes has many lines.
    let lines_of_it = "a line\n".repeat(20_000);
    let header = filled(&format!("id,\"{lines_of_it}\",puzzle\n1,2,P\n"));
    let folder = Folder::new().with("long.csv", &header);
    let ran = folder.run("convert -q long.csv --format line").status(0);
    ran.prints(&filled("P\n"));
    let ran = folder
        .run_on(&header, "convert -q --input-format csv")
        .status(0);
    ran.prints(&header);
    let endless = format!("{{\"a\":\"{}", "x".repeat(17 << 20));
    let ran = Folder::new().run_on(endless, "convert -q --format csv");
    ran.status(2).says("no line ends within 16 MiB of byte ");
}

#[test]
fn comments_before_a_table_are_no_header() {
    let folder = Folder::new();
    for (input, output) in [
        ("# of 2024, mine\nid,puzzle\n1,P\n", "id,puzzle\n1,P\n"),
        ("# mine\n\n# all\n1,P\n2,Q\n", "1,P\n2,Q\n"),
        ("#,puzzle\n1,P\n", "#,puzzle\n1,P\n"),
    ] {
        let ran = folder.run_on(filled(input), "convert -q --input-format csv");
        ran.status(0).prints(&filled(output));
        let ran = folder.run_on(filled(input), "convert -q");
        ran.status(0).prints(&filled(output));
    }
}

#[test]
fn carriage_returns_alone_stay_so() {
    let input = filled("id,puzzle\r1,P\r2,Q\r");
    let ran = Folder::new().run_on(&input, "convert -q --format csv");
    ran.status(0).prints(&input);
}

#[test]
fn blocks_hold_solutions_alone() {
    let none = "55".to_owned() + &".".repeat(79);
    let input = format!("{}\n{none}\n{}\n", PUZZLES[0], PUZZLES[1]);
    let forms = ["block", "pretty", "grid"].into_iter();
    for form in forms.chain(OF_SEVERAL_LINES).chain(NOTATIONS) {
        let ran = Folder::new().run_on(&input, &format!("solutions -q --format {form}"));
        let listed = ran.status(1).stdout;
        let back = Folder::new().run_on(&listed, "convert -q --format line");
        back.status(0)
            .prints(&format!("{}\n{}\n", SOLUTIONS[0], SOLUTIONS[1]));
    }
}

/// Blocks have no room for statuses and ratings: without another wish they come as lines.
#[test]
fn answers_that_blocks_cannot_hold_are_lines() {
    let blocks = block(PUZZLES[0]) + "\n" + &block(PUZZLES[1]);
    let lines = filled("P\nQ\n");
    let folder = Folder::new().with("block", blocks).with("line", lines);
    for command in [
        "rate",
        "rate --explain",
        "count",
        "check --rows",
        "check --minimal --rows",
    ] {
        let [of_blocks, of_lines] =
            ["block", "line"].map(|file| folder.run(&format!("{command} -q {file}")).stdout);
        assert_eq!(of_blocks, of_lines, "{command}");
        assert!(of_lines.lines().count() >= 2);
        let call = format!("{command} -q block -o out");
        folder.run(&call).prints("");
        assert_eq!(folder.read("out"), of_lines, "{command}");
        for form in ["pretty", "box", "link", "s9b"] {
            folder.refuses(
                &format!("{command} -q block --format {form}"),
                &format!("the format {form} holds grids, and not "),
            );
        }
    }
    for file in ["block", "line"] {
        folder
            .run(&format!("check {file}"))
            .status(0)
            .says("2 records: 2 unique");
        // Solutions are grids, and stay blocks.
        let solved = folder.out(&format!("solve -q {file}"));
        assert_eq!(solved.lines().count(), if file == "block" { 20 } else { 2 });
    }
}

/// A column that cannot be is an error, and so is any other option without effect.
#[test]
fn columns_and_options_without_effect_are_refused() {
    let folder = Folder::new()
        .with("p.txt", filled("P\n"))
        .with("words", filled("a P 1.2\n"))
        .with("block", block(PUZZLES[0]))
        .with("bare.csv", filled("P,1\n"))
        .with("empty", "");
    for (file, form) in [("p.txt", "line"), ("words", "text"), ("block", "block")] {
        for command in ["solve", "show", "augment", "stats"] {
            for column in ["nonsense", "1", "puzzle"] {
                folder.refuses(
                    &format!("{command} {file} --puzzle-column {column}"),
                    &format!(
                        "{file}: --puzzle-column {column} has no effect: the format {form} has no columns"
                    ),
                );
            }
        }
    }
    // Here it decides the form.
    folder.prints(
        "solve -q bare.csv --puzzle-column 1 --format line",
        &filled("S\n"),
    );
    folder.run("solve empty --puzzle-column x").status(0);
    for (call, says) in [
        ("augment -k 0 p.txt", "--copies 0: wanted are 1 to "),
        ("augment -k 0 --keep p.txt", "--copies 0: wanted are 1 to "),
        (
            "stats --compress gzip p.txt",
            "unexpected argument '--compress'",
        ),
        ("puzzles 1 --puzzle-column x", "no effect without --from"),
        ("puzzles 1 --input-format csv", "no effect without --from"),
    ] {
        folder.run(call).status(2).says(says).prints("");
    }
}

/// A solved grid has no steps, but a row like every record.
#[test]
fn a_solved_grid_has_a_row_among_steps() {
    let folder = Folder::new().with("p.csv", filled("id,puzzle\n7,S\n8,T\n9,x\n"));
    let ran = folder.run("rate --explain -q p.csv").status(1);
    let rows: Vec<_> = ran.stdout.lines().skip(1).collect();
    assert_eq!(
        rows[..2],
        [filled("7,S,,,,,,,,,,unique"), filled("8,T,,,,,,,,,,unique")]
    );
    assert_eq!(rows.len(), 3);
}
