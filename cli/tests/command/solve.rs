//! `sudoku-batch solve`, from the outside.

use super::terminal::terminal;
use crate::support::{
    cases, has_turn,
    puzzles::{PUZZLES, SOLUTIONS},
    reference,
    runner::{Folder, Ran, Running},
};
use rustix::process::Signal;
use std::{
    fs,
    io::{self, Read, Seek, SeekFrom, Write},
    os::unix::{
        fs::{PermissionsExt, symlink},
        process::ExitStatusExt,
    },
    path::Path,
    process::Stdio,
    thread::sleep,
    time::{Duration, SystemTime},
};
use sudoku_batch::{Grid, Puzzle, generate::Grids};

/// The row of an unsolved record.
const DOTS: &str =
    ".................................................................................";

fn lines(lines: &[&str]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn puzzles() -> String {
    lines(&PUZZLES)
}

fn solutions() -> String {
    lines(&SOLUTIONS)
}

/// So many puzzles and their only solutions: grids of the generator with one
/// row and one column blank. (Every blank of the row but one is the last of its
/// column, and the other way round; where they cross is then the last of both.)
fn many(number: u64) -> (String, String) {
    let grids = Grids::seeded(0);
    let (mut puzzles, mut solutions) = (String::new(), String::new());
    for i in 0..number {
        let grid = grids.grid(i).unwrap();
        let puzzle = grid.as_str().char_indices().map(|(cell, digit)| {
            let blank = cell / 9 == (i % 9) as usize || (cell % 9) as u64 == i / 9 % 9;
            if blank { '.' } else { digit }
        });
        puzzles.extend(puzzle.chain(['\n']));
        solutions.push_str(grid.as_str());
        solutions.push('\n');
    }
    (puzzles, solutions)
}

#[test]
fn from_files_and_pipes_to_files_and_pipes() {
    let folder = Folder::new().with("in", puzzles());
    for (input, arguments) in [
        ("", "solve in"),
        ("", "solve in -o -"),
        (&*puzzles(), "solve"),
        (&puzzles(), "solve -"),
        (&puzzles(), "solve - -o /dev/stdout"),
        (&puzzles(), "solve --unique"),
    ] {
        folder
            .run_on(input, arguments)
            .status(0)
            .prints(&solutions());
    }
    for arguments in ["solve in -o out", "solve - --output out"] {
        let ran = folder.run_on(puzzles(), arguments).status(0).prints("");
        assert!(ran.stderr.starts_with("2 records: 2 unique\n"), "{ran:?}");
        assert_eq!(folder.read("out"), solutions());
        fs::remove_file(folder.file("out")).unwrap();
    }
}

#[test]
fn any_blank_trailer_and_line_end() {
    let folder = Folder::new();
    let with = |blank: &str| PUZZLES[0].replace('.', blank);
    for blank in [".", "0", "*", "_", "-", "?", "x", "X"] {
        let ran = folder.run_on(with(blank), "solve").status(0);
        ran.prints(&lines(&SOLUTIONS[..1]));
    }
    let mixed: String = PUZZLES[0]
        .char_indices()
        .map(|(i, c)| {
            if c == '.' {
                char::from(b".0*_-?xX"[i % 8])
            } else {
                c
            }
        })
        .collect();
    // By default each trailer has each end, and each of them one start or two.
    let trailers = [" ", "\t", ",x", ";0", ":1:2", "#", "# a note"];
    for (row, trailer) in trailers.into_iter().enumerate() {
        for (column, end) in ["", "\n", "\r\n", "\r"].into_iter().enumerate() {
            let starts = [
                "",
                "\u{feff}",
                "# head\n\n",
                "\u{feff}# head\r\n \t\r\n",
                "# head\r\r",
            ];
            for (at, start) in starts.into_iter().enumerate() {
                if !has_turn(row + column + at, 4) {
                    continue;
                }
                let text = format!("{start}{mixed}{trailer}{end}");
                let ran = folder.run_on(text, "solve").status(0);
                ran.prints(&lines(&SOLUTIONS[..1]));
            }
        }
    }
}

#[test]
fn no_records_no_lines() {
    let folder = Folder::new()
        .with("empty", "")
        .with("mark", "\u{feff}")
        .with("comments", "# a\n\n \t\n#b");
    for input in ["empty", "mark", "comments", "-"] {
        let arguments = format!("solve {input} -o out --summary json");
        folder
            .run(&arguments)
            .status(0)
            .says("sudoku-batch: the input has no records\n")
            .says("{\"records\":0,\"unique\":0,")
            .says("\"engine\":null,\"level\":null");
        assert_eq!(folder.read("out"), "");
        let ran = folder.run(&format!("solve {input} -o out"));
        assert!(
            ran.stderr.trim_end().ends_with(&format!(
                "{} thread{}",
                threads(),
                if threads() == 1 { "" } else { "s" }
            )),
            "{ran:?}"
        );
        assert_eq!(folder.run(&format!("solve -q {input}")).stderr, "");
        folder.prints(&format!("solve {input}"), "");
    }
}

#[test]
fn a_puzzle_may_be_an_argument() {
    let folder = Folder::new();
    let solved = lines(&SOLUTIONS[..1]);
    folder.prints(&format!("solve {}", PUZZLES[0]), &solved);
    let both = format!("solve {} {}", PUZZLES[0], PUZZLES[1]);
    folder.prints(&both, &solutions());
    let ran = folder.run(&format!("solve {TWO} --unique")).status(1);
    ran.prints(&lines(&[DOTS])).says("<argument>:1: multiple");
    folder
        .run(&format!("rank {}", SOLUTIONS[0]))
        .status(1)
        .prints("unknown\n");
    let bench = format!("bench {} --rounds 1 --puzzles 1", PUZZLES[0]);
    folder.run(&bench).status(0);
    // A cell less or more is the name of a file, and so is what a file is called.
    for name in [&PUZZLES[0][1..], &format!("{}1", PUZZLES[0])] {
        folder.refuses(&format!("solve {name}"), "cannot open");
    }
    let folder = folder.with(PUZZLES[0], lines(&PUZZLES[1..]));
    let ran = folder.run(&format!("solve {}", PUZZLES[0])).status(0);
    ran.prints(&lines(&SOLUTIONS[1..]));
}

/// The records before it are told of too, whatever the number of threads.
#[test]
fn a_line_that_is_too_long_is_told_by_its_number() {
    let (puzzles, _) = many(20_000);
    let text = "bad\n".to_owned() + &puzzles + &"1".repeat(18 << 20) + "\n";
    let folder = Folder::new().with("in", &text);
    for threads in [1, 2, 5] {
        let ran = folder
            .run(&format!("solve in -o out -j{threads}"))
            .status(2);
        ran.says("in:1: malformed")
            .says("in:20002: no line ends within 16 MiB of byte");
        let ran = folder.run_on(&text, &format!("solve -o out -j{threads}"));
        ran.status(2)
            .says("<stdin>:20002: no line ends within 16 MiB of byte");
    }
    assert_eq!(folder.names(), ["in"]);
}

/// However lines end, each is a line: with CR alone too, as some spreadsheets write it.
#[test]
fn lines_that_end_in_cr_alone_lose_nothing() {
    let (puzzles, solutions) = many(5_000);
    for end in ["\r", "\r\n"] {
        let text = puzzles.replace('\n', end) + "bad" + end;
        let folder = Folder::new().with("in", &text);
        let ran = folder.run("solve in").status(1).says("in:5001: malformed");
        assert!(ran.stdout == format!("{solutions}{DOTS}\n"), "{end:?}");
        let ran = folder.run_on(&text, "solve -q").status(1);
        assert!(ran.stdout == format!("{solutions}{DOTS}\n"), "{end:?}");
    }
}

/// A puzzle with two solutions: four cells of two rows of a band and two
/// columns have only two digits among them, which may change places.
const TWO: &str =
    "49.5.871387514369213.9.7854314289576729654381568731429687492135943815267251376948";

/// The points of `DOTS` with these clues.
fn clues(clues: &[(usize, char)]) -> String {
    let mut cells: Vec<char> = DOTS.chars().collect();
    for &(cell, digit) in clues {
        cells[cell] = digit;
    }
    cells.into_iter().collect()
}

/// A file with every kind of bad record between two good ones, the lines that
/// it gives, and its rejects; with a record of two solutions if `unique`.
fn bad(unique: bool) -> [String; 3] {
    let long = format!("{}5", PUZZLES[0]);
    let row = clues(&[(0, '7'), (8, '7'), (9, '7')]);
    let column = clues(&[(3, '5'), (30, '5'), (40, '5')]);
    let in_box = clues(&[(0, '1'), (10, '1')]);
    // The last cell of the first row can be no digit but 9, which stands in
    // its column.
    let mut none = clues(&[(44, '9')]);
    none.replace_range(..8, "12345678");
    let records = [
        (PUZZLES[0], SOLUTIONS[0], ""),
        (
            "4..4",
            DOTS,
            "malformed\tcolumn 5: end of line where a cell should be",
        ),
        (
            "12\t3",
            DOTS,
            "malformed\tcolumn 3: '\\t' where a cell should be",
        ),
        ("é", DOTS, "malformed\tcolumn 1: 'é' where a cell should be"),
        (
            &*long,
            DOTS,
            "malformed\tcolumn 82: '5' where the end of the line or a trailer should be",
        ),
        (&row, DOTS, "row-duplicate\t7 at r1c1 and r1c9"),
        (&column, DOTS, "column-duplicate\t5 at r1c4 and r4c4"),
        (&in_box, DOTS, "box-duplicate\t1 at r1c1 and r2c2"),
        (&none, DOTS, "no-solution\t"),
        (TWO, DOTS, "multiple\t"),
        (PUZZLES[1], SOLUTIONS[1], ""),
    ];
    let (mut input, mut output, mut rejects) =
        ("# head\r\n\n".to_owned(), String::new(), String::new());
    let records = records
        .into_iter()
        .filter(|record| unique || record.0 != TWO);
    for ((record, solution, why), line) in records.zip(3..) {
        input += &format!("{record}\r\n");
        output += &format!("{solution}\n");
        if !why.is_empty() {
            rejects += &format!("{line}\t{why}\t{record}\n");
        }
    }
    [input, output, rejects]
}

/// The limit is the reference search's, so no thread, engine, level or neighbour matters.
#[test]
fn records_that_need_too_many_guesses_are_given_up() {
    let data =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/hard.txt")).unwrap();
    let hard: Vec<&str> = data
        .lines()
        .filter(|line| line.len() >= 81)
        .take(cases(60))
        .collect();
    let mut input: Vec<&str> = vec![PUZZLES[0], "4..4", DOTS, PUZZLES[1]];
    input.extend(&hard);
    let most = 60;
    let gives_up: Vec<bool> = input
        .iter()
        .map(|text| {
            let puzzle = text
                .get(..81)
                .and_then(|cells| cells.parse::<Puzzle>().ok());
            puzzle.is_some_and(|puzzle| reference::guesses(&puzzle) > most)
        })
        .collect();
    let count = gives_up.iter().filter(|&&gives_up| gives_up).count();
    assert!((10..input.len() - 10).contains(&count), "{count}");
    let folder = Folder::new().with("in", lines(&input));
    let solved = folder.run("solve in -q").status(1).stdout;
    let solved: Vec<&str> = solved.lines().collect();
    let expected: Vec<&str> = (0..input.len())
        .map(|record| {
            if gives_up[record] {
                DOTS
            } else {
                solved[record]
            }
        })
        .collect();
    let engines = [
        "--engine scalar -j 1",
        "--engine sliced --level portable -j 3",
        "-j 2",
    ];
    for options in engines {
        folder
            .run(&format!(
                "solve in --max-guesses {most} --rejects bad.tsv {options}"
            ))
            .status(1)
            .prints(&lines(&expected));
        let rejects = folder.read("bad.tsv");
        let detail = format!("gave-up\tit needs more than {most} guesses");
        for (line, gives_up) in (1..).zip(&gives_up) {
            let told = rejects
                .lines()
                .any(|reject| reject.starts_with(&format!("{line}\t{detail}\t")));
            assert_eq!(told, *gives_up, "line {line}");
        }
    }
    // Each record alone, but for the malformed one, which has no form by itself.
    for (record, text) in input.iter().enumerate().take(20).filter(|&(at, _)| at != 1) {
        folder
            .run_on(lines(&[text]), &format!("solve - -q --max-guesses {most}"))
            .prints(&lines(&[expected[record]]));
    }
    let json = folder.run(&format!(
        "solve in --max-guesses {most} --summary json -o out"
    ));
    json.says(&format!("\"gave_up\":{count},"));

    // Of several solutions the smallest may take more guesses than the first two. It is not
    // wrong to give up then.
    let worst = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/worst.txt");
    let gave_up = |options: &str| {
        let ran = folder.run(&format!(
            "solve {worst} --max-guesses 40 --verify -q {options}"
        ));
        let ran = ran.status(1);
        ran.stdout.lines().filter(|line| *line == DOTS).count()
    };
    let (smallest, unique) = (gave_up(""), gave_up("--unique"));
    assert!(0 < smallest && smallest < unique, "{smallest} {unique}");
}

#[test]
fn every_bad_record_has_its_line_and_its_reason() {
    let [input, output, rejects] = bad(true);
    let folder = Folder::new().with("in", &input);
    let ran = folder
        .run("solve in --unique -o out --rejects bad.tsv --summary json")
        .status(1)
        .says("in:4: malformed: column 5: end of line where a cell should be\n")
        .says("in:8: row-duplicate: 7 at r1c1 and r1c9\n")
        .says("in:11: no-solution\n")
        .says("sudoku-batch: 9 of 11 records not solved\n")
        .says(
            "{\"records\":11,\"unique\":2,\"multiple\":1,\"malformed\":4,\"row_duplicate\":1,\
             \"column_duplicate\":1,\"box_duplicate\":1,\"no_solution\":1,\
             \"seconds\":",
        );
    assert_eq!(ran.stderr.lines().count(), 9 + 1 + 1);
    assert_eq!(folder.read("out"), output);
    assert_eq!(folder.read("bad.tsv"), rejects);
    // Pipes, and rejects on standard output, give the same.
    folder
        .run_on(&input, "solve --unique -q")
        .status(1)
        .prints(&output);
    let ran = folder.run_on(&input, "solve --unique -o out --rejects -");
    ran.status(1).says("<stdin>:4: malformed").prints(&rejects);
}

#[test]
fn a_puzzle_with_two_solutions_is_solved_unless_one_is_asked_for() {
    let folder = Folder::new().with("in", lines(&[TWO]));
    let other = "492568713875143692136927854314289576729654381568731429687492135943815267251376948";
    // The smallest: 492… comes before 496….
    let ran = folder.run("solve in").status(0);
    ran.prints(&lines(&[other])).says("1 record: 1 multiple\n");
    let ran = folder.run("solve in --unique").status(1);
    ran.prints(&lines(&[DOTS])).says("in:1: multiple\n");
}

#[test]
fn the_first_ten_are_told_then_how_many() {
    let (good, solutions) = many(3);
    let folder = Folder::new().with("in", good + &"bad\n".repeat(1234));
    let ran = folder
        .run("solve in --summary none")
        .status(1)
        .says("sudoku-batch: 1,234 of 1,237 records not solved; --rejects FILE lists them all\n")
        .prints(&(solutions + &lines(&[DOTS]).repeat(1234)));
    let told: Vec<_> = ran
        .stderr
        .lines()
        .filter(|line| line.contains("malformed"))
        .collect();
    assert_eq!(told.len(), 10);
    assert!(told[0].starts_with("in:4: ") && told[9].starts_with("in:13: "));
    assert_eq!(ran.stderr.lines().count(), 11);

    folder.run("solve in -o out --rejects bad.tsv -q").status(1);
    let rejects = folder.read("bad.tsv");
    for (reject, line) in rejects.lines().zip(4..) {
        let rest = "malformed\tcolumn 1: 'b' where a cell should be\tbad";
        assert_eq!(reject, format!("{line}\t{rest}"));
    }
    assert_eq!(rejects.lines().count(), 1234);
}

#[test]
fn quiet_and_summaries() {
    let folder = Folder::new().with("in", puzzles() + "bad\n");
    for (flags, says) in [
        ("--quiet", ""),
        ("-q --summary none", ""),
        ("-q --summary json", "{\"records\":3,\"unique\":2,"),
        ("-q --summary text", "3 records: 2 unique, 1 malformed\n"),
    ] {
        let ran = folder
            .run(&format!("solve in -o out {flags}"))
            .status(1)
            .says(says);
        assert_eq!(ran.stderr.is_empty(), says.is_empty(), "{ran:?}");
    }
    let ran = folder
        .run("solve in -o out -q -j3 --summary json")
        .status(1);
    let names: Vec<_> = ran.stderr.split('"').skip(1).step_by(2).collect();
    let (counted, rest) = names.split_at(8);
    assert_eq!(
        counted.join(" "),
        "records unique multiple malformed row_duplicate column_duplicate box_duplicate no_solution"
    );
    assert_eq!(
        rest[..4],
        ["seconds", "puzzles_per_second", "threads", "engine"]
    );
    assert!(ran.stderr.contains("\"threads\":3,"));
}

/// Minimal puzzles with a clue less: each has several solutions, and which one is given
/// does not depend on what else is in the file, nor on who solves it.
#[test]
fn the_parts_of_a_file_give_the_parts_of_its_answers() {
    let path = format!("{}/../../data/minimal.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let puzzles: Vec<String> = text
        .lines()
        .map(|line| line.replacen(|c: char| c.is_ascii_digit(), ".", 1) + "\n")
        .collect();
    let folder = Folder::new().with("whole", puzzles.concat());
    let ran = folder.run("solve whole").status(0);
    let whole = ran.says("2,000 records: 2,000 multiple").stdout;
    for parts in [2, 3, 7, 60] {
        let part = |part: &[String]| folder.run_on(part.concat(), "solve -q").status(0).stdout;
        let together: String = puzzles
            .chunks(puzzles.len().div_ceil(parts))
            .map(part)
            .collect();
        assert_eq!(together, whole, "{parts} parts");
    }
    for options in [
        "--engine scalar",
        "--engine sliced --level portable",
        "-j 3",
    ] {
        folder
            .run(&format!("solve whole -q {options}"))
            .prints(&whole);
    }
}

#[test]
fn the_same_bytes_for_any_number_of_threads_mapped_or_streamed() {
    let [(good, solved), (more, also_solved)] = [many(20_000), many(3_000)];
    let [bad, unsolved, _] = bad(false);
    let puzzles = good + &bad + &more;
    let solutions = solved + &unsolved + &also_solved;
    let folder = Folder::new().with("in", &puzzles);
    let mut rejects = Vec::new();
    for threads in ["", "-j0", "-j1", "-j2", "--threads 7", "-j 1000"] {
        let flags = format!("--rejects bad.tsv -q {threads}");
        folder.run(&format!("solve in -o out {flags}")).status(1);
        assert!(folder.read("out") == solutions, "{threads}");
        rejects.push(folder.read("bad.tsv"));
        let ran = folder.run_on(&puzzles, &format!("solve {flags}")).status(1);
        assert!(ran.stdout == solutions, "{threads}");
        rejects.push(folder.read("bad.tsv"));
    }
    assert!(rejects[0].starts_with("20004\tmalformed"));
    assert!(rejects.iter().all(|other| *other == rejects[0]));
}

#[test]
fn which_of_several_solutions_depends_on_the_input_alone() {
    // Two more digits of each puzzle go, which leaves several solutions to
    // nearly all of them.
    let (puzzles, _) = many(10_000);
    let sparse: String = puzzles
        .chars()
        .map(|c| if matches!(c, '3' | '8') { '.' } else { c })
        .collect();
    let folder = Folder::new().with("in", &sparse);
    let first = folder.out("solve in -q -j1");
    for (puzzle, solution) in sparse.lines().zip(first.lines()) {
        let puzzle: Puzzle = puzzle.parse().unwrap();
        assert!(solution.parse::<Grid>().unwrap().is_solution_of(&puzzle));
    }
    assert!(folder.out("solve in -q -j2") == first);
    assert!(folder.run_on(&sparse, "solve -q -j5").status(0).stdout == first);
    folder.run("solve in -o out -j3").status(0);
    assert!(folder.read("out") == first);
    folder.run("solve in --unique -o out").status(1);
    assert!(folder.read("out") != first);
}

#[test]
fn usage_errors() {
    let folder = Folder::new().with("in", puzzles());
    symlink("out", folder.file("link")).unwrap();
    for (arguments, says) in [
        ("", "Usage"),
        ("sove in", "unrecognized subcommand"),
        ("solve in more", "cannot open more"),
        ("solve in -j many", "invalid value"),
        ("solve in -j -1", "invalid value '-1' for '--threads <N>'"),
        (
            "solve in --level avx3",
            "possible values: avx512, avx2, neon, portable",
        ),
        (
            "solve in --engine fast",
            "possible values: scalar, sliced, auto",
        ),
        (
            "solve in --summary xml",
            "[possible values: text, json, none]",
        ),
        ("solve in -o out --rejects out", "same file"),
        ("solve in -o out --rejects ./out", "same file"),
        ("solve in -o out --rejects link", "same file"),
        ("solve in --rejects -", "same file"),
        ("solve in -o - --rejects /dev/stdout", "same file"),
    ] {
        folder.run(arguments).status(2).says(says).prints("");
        assert_eq!(folder.names(), ["in", "link"]);
    }
}

#[test]
fn files_that_cannot_be_read_or_written() {
    let folder = Folder::new().with("in", puzzles());
    fs::create_dir(folder.file("folder")).unwrap();
    let says_it = |arguments: &str, says: &str| {
        folder.run(arguments).status(2).says(says).prints("");
        assert_eq!(folder.names(), ["folder", "in"]);
    };
    for (arguments, says) in [
        ("solve missing", "cannot open missing: No such file"),
        ("solve folder", "cannot open folder: is a directory"),
        ("solve in -o folder", "cannot write folder: is a directory"),
        ("solve in -o in/out", "cannot write in/out: Not a directory"),
        (
            "solve in --rejects folder",
            "cannot write folder: is a directory",
        ),
        // Not even root may create a file there.
        (
            "solve in -o /proc/self/out",
            "cannot write /proc/self/out: ",
        ),
    ] {
        says_it(arguments, says);
    }
    fs::set_permissions(folder.file("folder"), fs::Permissions::from_mode(0o555)).unwrap();
    let may_all_the_same = fs::write(folder.file("folder/probe"), "").is_ok();
    if may_all_the_same {
        // Root: nothing is unwritable by its mode, which is what we expect.
        folder.run("solve in -o folder/out").status(0);
    } else {
        says_it(
            "solve in -o folder/out",
            "cannot write folder/out: Permission denied",
        );
    }
}

#[test]
fn a_full_disk() {
    let (puzzles, _) = many(3_000);
    let folder = Folder::new()
        .with("in", &puzzles)
        .with("bad", "bad\n".repeat(100_000))
        .with("out", "before");
    for (line, says) in [
        (
            "$P solve in > /dev/full",
            "cannot write <stdout>: No space left",
        ),
        (
            "$P solve in -o /dev/full",
            "cannot write /dev/full: No space left",
        ),
        (
            "$P solve --input-format line bad -o out --rejects /dev/full",
            "cannot write /dev/full: No space left",
        ),
        // A file-size limit in place of a small disk: it needs no rights.
        (
            "ulimit -f 100; $P solve in -o out",
            "cannot write out: File too large",
        ),
        (
            "ulimit -f 100; $P solve - -o out < in",
            "cannot write out: File too large",
        ),
        (
            "ulimit -f 100; $P solve in -o new",
            "cannot write new: File too large",
        ),
        (
            "ulimit -f 2000; $P solve --input-format line bad -o /dev/null --rejects out",
            "cannot write out: File too large",
        ),
    ] {
        folder.bash(line).status(2).says(says);
        assert_eq!(folder.read("out"), "before");
        assert_eq!(folder.names(), ["bad", "in", "out"]);
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let (puzzles, solutions) = many(5_000);
    let folder = Folder::new()
        .with("in", &puzzles)
        .with("bad", "bad\n".repeat(50_000));
    let first = solutions.lines().next().unwrap();
    for line in ["$P solve in", "$P solve < in"] {
        let ran = folder.bash(&format!("{line} | head -n 1; exit ${{PIPESTATUS[0]}}"));
        let ran = ran.status(0).prints(&lines(&[first]));
        assert_eq!(ran.stderr, "");
    }
    // The reader has what it wanted, but the file is not there.
    let line =
        "$P solve --input-format line bad -q -o out --rejects - | head -n 1; exit ${PIPESTATUS[0]}";
    let says = "cannot write <stdout>: Broken pipe (os error 32); output files stay as they were";
    folder.bash(line).status(2).says(says);
    assert_eq!(folder.names(), ["bad", "in"]);
    // Nobody listens to errors: no reason to fail.
    folder.bash("$P solve in -o out 2>&-").status(0);
}

#[test]
fn what_is_no_regular_file_is_written_as_it_is() {
    let folder = Folder::new().with("in", puzzles());
    folder.prints("solve in -o /dev/null --rejects /dev/null", "");
    let line = "mkfifo pipe; cat pipe > copy & $P solve in -o pipe; wait; test -p pipe";
    folder.bash(line).status(0);
    assert_eq!(folder.read("copy"), solutions());
    folder.bash("$P solve in -o >(cat > copy2); while ! test -s copy2; do sleep 0.01; done");
    assert_eq!(folder.read("copy2"), solutions());
    // The shell's file is appended to, not replaced.
    folder
        .bash("echo head > both; $P solve in -o /dev/stdout >> both")
        .status(0);
    assert_eq!(folder.read("both"), format!("head\n{}", solutions()));
}

#[test]
fn a_file_is_solved_onto_itself() {
    let (puzzles, solutions) = many(5_000);
    let folder = Folder::new()
        .with("mapped", &puzzles)
        .with("streamed", &puzzles);
    symlink("mapped", folder.file("link")).unwrap();
    folder.run("solve mapped -o link").status(0);
    folder.bash("$P solve -o streamed < streamed").status(0);
    for name in ["mapped", "streamed"] {
        assert!(folder.read(name) == solutions, "{name}");
    }
    assert_eq!(folder.names(), ["link", "mapped", "streamed"]);
}

/// A file that was last written long ago: a write shows, however soon it comes.
fn with_old_file(name: &str, content: &str) -> Folder {
    let folder = Folder::new().with(name, content);
    let file = fs::File::options()
        .write(true)
        .open(folder.file(name))
        .unwrap();
    let hour = Duration::from_secs(3600);
    file.set_modified(SystemTime::now() - hour).unwrap();
    folder
}

/// Writes over a file in place, from some byte on to its end.
fn overwrite(path: &Path, from: u64) {
    let mut file = fs::File::options().write(true).open(path).unwrap();
    let length = file.metadata().unwrap().len();
    file.seek(SeekFrom::Start(from)).unwrap();
    file.write_all(&vec![b'z'; (length - from) as usize])
        .unwrap();
}

const CHANGED: &str =
    "sudoku-batch: in changed while it was read; output files stay as they were\n";

#[test]
fn a_file_that_is_cut_short_meanwhile_gives_an_error_and_no_output() {
    // 40 MB: some is mapped and read, some is mapped only, and some is neither. The rejects
    // of the first lines fill the pipe, so that the program waits meanwhile.
    let text = format!("{}{}", "bad\n".repeat(20_000), puzzles().repeat(240_000));
    for length in [0, 1 << 20, 10_000_001, 30 << 20] {
        for options in ["--input-format line -j 1", "--input-format line -j 3"] {
            let folder = with_old_file("in", &text).with("out", "before");
            folder.bash("mkfifo pipe").status(0);
            let call = format!("solve in -o out --rejects pipe -q {options}");
            let child = Running::start(folder.command(&call).stderr(Stdio::piped()));
            let mut pipe = fs::File::open(folder.file("pipe")).unwrap();
            pipe.read_exact(&mut [0; 82]).unwrap();
            let file = fs::File::options().write(true).open(folder.file("in"));
            file.unwrap().set_len(length).unwrap();
            io::copy(&mut pipe, &mut io::sink()).unwrap();
            let ran: Ran = child.output().into();
            let ran = ran.status(2);
            assert_eq!(ran.stderr, CHANGED, "{length} {options}");
            assert_eq!(folder.read("out"), "before");
        }
    }
}

#[test]
fn a_file_that_is_overwritten_meanwhile_gives_an_error_and_no_output() {
    // A write to a pipe waits for its reader, so that the file is changed
    // when some of it is read and some is not.
    for flags in ["-o pipe --rejects out", "-o out --rejects pipe"] {
        for threads in 1..=3 {
            let folder = with_old_file("in", &"bad\n".repeat(100_000)).with("out", "before");
            folder.bash("mkfifo pipe").status(0);
            let call = format!("solve --input-format line in {flags} -q -j{threads}");
            let child = Running::start(folder.command(&call).stderr(Stdio::piped()));
            let mut pipe = fs::File::open(folder.file("pipe")).unwrap();
            pipe.read_exact(&mut [0; 82]).unwrap();
            overwrite(&folder.file("in"), 200_000);
            io::copy(&mut pipe, &mut io::sink()).unwrap();
            let ran: Ran = child.output().into();
            let ran = ran.status(2);
            assert_eq!(ran.stderr, CHANGED);
            assert_eq!(folder.read("out"), "before");
            assert_eq!(folder.names(), ["in", "out", "pipe"]);
        }
    }
}

/// Whenever the write comes: all of the output or nothing and an error.
#[test]
fn a_race_with_a_write_in_place_ends_well() {
    let (puzzles, solutions) = many(10_000);
    let (puzzles, solutions) = (puzzles.repeat(10), solutions.repeat(10));
    for round in 0..8 {
        let folder = with_old_file("in", &puzzles).with("out", "before");
        let mut command = folder.command("solve in -o out -q");
        let mut child = Running::start(command.stderr(Stdio::piped()));
        // When it is mapped it is opened.
        let maps = format!("/proc/{}/maps", child.id());
        let path = folder.file("in").display().to_string();
        while !fs::read_to_string(&maps).unwrap().contains(&path)
            && child.try_wait().unwrap().is_none()
        {}
        sleep(Duration::from_millis(round));
        overwrite(&folder.file("in"), 0);
        let ran: Ran = child.output().into();
        match ran.status {
            Some(0) => assert!(folder.read("out") == solutions),
            _ => {
                assert_eq!(ran.status(2).stderr, CHANGED);
                assert_eq!(folder.read("out"), "before");
            }
        }
        assert_eq!(folder.names(), ["in", "out"]);
    }
}

/// The program at work, with half of its input read and half of its output
/// written.
fn amid_its_work(folder: &Folder) -> Running {
    let (puzzles, _) = many(10_000);
    let mut command = folder.command("solve -o out --rejects bad.tsv");
    command.stdin(Stdio::piped()).stderr(Stdio::null());
    let mut child = Running::start(&mut command);
    child
        .stdin
        .as_mut()
        .unwrap()
        .write_all(puzzles.as_bytes())
        .unwrap();
    // It has taken all but what fits into a pipe; what is taken is soon solved.
    sleep(Duration::from_millis(300));
    assert_eq!(child.try_wait().unwrap(), None);
    child
}

#[test]
fn interrupted_it_leaves_nothing_behind() {
    let interrupted = |signal: Signal, before: Option<&str>| {
        let mut folder = Folder::new();
        if let Some(text) = before {
            folder = folder.with("out", text);
        }
        let mut child = amid_its_work(&folder);
        // Its input stays open: it might end well before it comes to heed the signal.
        child.signal(signal);
        assert_eq!(child.end().signal(), Some(signal.as_raw()));
        assert_eq!(
            folder.names().len(),
            before.iter().len(),
            "{:?}",
            folder.names()
        );
        if let Some(text) = before {
            assert_eq!(folder.read("out"), text);
        }
    };
    // Each waits for a moment, so all of them wait at the same time.
    std::thread::scope(|scope| {
        for before in [None, Some("before")] {
            for signal in [Signal::INT, Signal::TERM, Signal::HUP, Signal::KILL] {
                let interrupted = &interrupted;
                scope.spawn(move || interrupted(signal, before));
            }
        }
    });
}

#[test]
fn memory_stays_flat_however_long_the_pipe_and_however_bad() {
    // All records are rejected, and their output is several times what may be
    // held. Short lines give much output for little input. A leak of a byte a record shows in more of them.
    for (line, megabytes) in [
        (PUZZLES[0].replace('4', "z") + "\n", cases(60).min(400)),
        ("z\n".into(), cases(2).min(16)),
    ] {
        let folder = Folder::new();
        let call = "solve --input-format line -j2 -q -o /dev/null --rejects /dev/null";
        let mut child = Running::start(folder.command(call).stdin(Stdio::piped()));
        let block = line.repeat((1 << 20) / line.len());
        let mut to = child.stdin.take().unwrap();
        for _ in 0..megabytes {
            to.write_all(block.as_bytes()).unwrap();
        }
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        drop(to);
        assert_eq!(child.end().code(), Some(1));
        let mut lines = status.lines();
        let peak = lines.find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(kilobytes < 64 << 10, "{line:?}: {kilobytes} kB");
    }
}

#[test]
fn a_progress_bar_on_a_terminal_for_what_takes_long() {
    let (puzzles, solutions) = many(20_000);
    let shown = |flags: &str, expected: bool| {
        let folder = Folder::new();
        let (mut ours, theirs, _) = terminal();
        let mut command = folder.command(&format!("solve -o out {flags}"));
        command.stdin(Stdio::piped()).stderr(theirs);
        let mut child = Running::start(&mut command);
        // The terminal ends when nobody has its other end any more.
        drop(command);
        let mut to = child.stdin.take().unwrap();
        let (early, late) = puzzles.as_bytes().split_at(puzzles.len() / 2);
        to.write_all(early).unwrap();
        sleep(Duration::from_millis(700));
        to.write_all(late).unwrap();
        drop(to);
        assert_eq!(child.end().code(), Some(0));
        assert!(folder.read("out") == solutions);
        // A terminal whose other end is closed is read up to an error.
        let mut seen = Vec::new();
        let _ = ours.read_to_end(&mut seen);
        let seen = String::from_utf8_lossy(&seen);
        assert_eq!(seen.contains(" records, "), expected, "{flags}: {seen}");
        assert_eq!(
            seen.contains("a second, 2 thread"),
            flags != "--quiet" && threads() == 2
        );
    };
    // Each waits for a moment, so all of them wait at the same time.
    std::thread::scope(|scope| {
        for (flags, expected) in [("", true), ("--no-progress", false), ("--quiet", false)] {
            let shown = &shown;
            scope.spawn(move || shown(flags, expected));
        }
    });
}

fn threads() -> usize {
    std::thread::available_parallelism().unwrap().into()
}

#[test]
fn help_teaches() {
    let folder = Folder::new();
    for arguments in [
        "--help",
        "-h",
        "help",
        "solve --help",
        "help solve",
        "solve -h",
    ] {
        let ran = folder.run(arguments).status(0);
        assert!(ran.stdout.contains("Usage: sudoku-batch"), "{arguments}");
        assert_eq!(
            ran.stdout.contains("Examples:"),
            !arguments.ends_with("-h"),
            "{arguments}"
        );
    }
    let help = folder.run("solve --help").stdout;
    for word in [
        "box-duplicate",
        "130",
        "head",
        "--unique",
        "--rejects",
        "paste",
    ] {
        assert!(help.contains(word), "{word}");
    }
    let version = format!("sudoku-batch {}\n", env!("CARGO_PKG_VERSION"));
    folder.prints("--version", &version);
}

#[test]
fn manual_pages_and_completions() {
    let folder = Folder::new();
    let page = |arguments: &str| folder.out(arguments);
    assert!(page("man").contains(".TH sudoku-batch 1"));
    assert!(page("man").contains("completions"));
    let solve = page("man solve");
    assert!(solve.contains(".TH sudoku-batch-solve 1") && solve.contains("\\-\\-rejects"));
    folder.refuses("man nonsense", "no command `nonsense`");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = page(&format!("completions {shell}"));
        assert!(
            script.contains("sudoku-batch") && script.contains("rejects"),
            "{shell}"
        );
    }
    folder
        .bash("$P completions bash > script && bash -n script")
        .status(0);
    folder.refuses("completions tcsh", "[possible values: bash,");
}
