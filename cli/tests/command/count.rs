//! `sudoku-batch count` and `sudoku-batch solutions`, from the outside.

use crate::support::{
    oracle,
    puzzles::{SOLUTIONS, TWO_SOLUTIONS},
    runner::Folder,
};
use std::fmt::Write;
use sudoku_batch::{Grid, Puzzle};

/// `data/counts.txt`: puzzles and how many solutions they have, up to 1000.
fn counts() -> Vec<(String, u64)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/counts.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (puzzle, count) = line.split_once(':').unwrap();
            (puzzle.to_owned(), count.parse().unwrap())
        })
        .collect()
}

fn puzzles() -> String {
    counts()
        .iter()
        .fold(String::new(), |text, (puzzle, _)| text + puzzle + "\n")
}

#[test]
fn counts_are_those_of_the_list() {
    let folder = Folder::new().with("p.txt", puzzles());
    // The list stops at 1000: those may have more.
    for limit in [1, 2, 7, 100, 999] {
        let mut expected = String::new();
        for (_, count) in counts() {
            let plus = if count > limit { "+" } else { "" };
            writeln!(expected, "{}{plus}", count.min(limit)).unwrap();
        }
        for threads in [1, 3] {
            let line = format!("count --limit {limit} p.txt -j {threads}");
            folder.prints(&line, &expected);
        }
    }
    let ran = folder.run("count --limit 1000 p.txt").status(0);
    for (line, (_, count)) in ran.stdout.lines().zip(counts()) {
        assert_eq!(line.trim_end_matches('+').parse(), Ok(count));
        assert!(count == 1000 || !line.ends_with('+'));
    }
}

/// Shared by threads, with and without a limit, and exactly at it.
#[test]
fn very_many_solutions_are_counted() {
    // The solutions of a grid without its digits 1 to 4, and those by the oracle.
    let grid = SOLUTIONS[0];
    let text = grid.replace(['1', '2', '3', '4'], ".");
    let count = oracle::solutions(&text.parse().unwrap(), usize::MAX).len() as u64;
    assert!(count > 100);
    // A grid without a band: the middle rows of boxes have 6 * 6 * 6 ... completions.
    let band = ".".repeat(27) + &grid[27..];
    let of_band = oracle::solutions(&band.parse().unwrap(), usize::MAX).len() as u64;
    let folder = Folder::new().with("p.txt", format!("{text}\n{band}\n"));
    let both = format!("{count}\n{of_band}\n");
    for threads in [1, 2, 5] {
        folder.prints(&format!("count --limit 0 p.txt -j {threads}"), &both);
        let exactly = format!("count --limit {of_band} p.txt -j {threads}");
        let expected = format!("{count}\n{of_band}\n").replace(
            &format!("{count}\n"),
            &match count > of_band {
                true => format!("{of_band}+\n"),
                false => format!("{count}\n"),
            },
        );
        folder.prints(&exactly, &expected);
    }
    let empty = ".".repeat(81);
    for limit in [3000, 2000, 1999, 100_000] {
        let ran = folder.run_on(&empty, &format!("count --limit {limit}"));
        ran.status(0).prints(&format!("{limit}+\n"));
    }
}

#[test]
fn what_is_wrong_is_told() {
    let empty = ".".repeat(81);
    let twice = format!("11{}", &empty[2..]);
    let folder = Folder::new().with("p.csv", format!("id,puzzle\na,{twice}\nb,12\nc,{empty}\n"));
    let ran = folder.run("count --limit 10 p.csv").status(1);
    let expected = format!(
        "id,puzzle,solution_count,status\na,{twice},0,row-duplicate\nb,12,,malformed\n\
         c,{empty},10+,multiple\n"
    );
    let ran = ran.prints(&expected).says("p.csv:3: malformed");
    ran.says("1 multiple, 1 malformed, 1 row-duplicate, 1 over-the-limit, 10 solutions");
    folder
        .run("count --format line p.csv --limit 10")
        .status(1)
        .prints("0\nmalformed\n10+\n");
}

#[test]
fn solutions_are_listed_in_order() {
    let folder = Folder::new().with("p.txt", puzzles());
    let mut expected = String::new();
    let (mut over, mut none) = (0, 0);
    for (number, (puzzle, count)) in (1..).zip(counts()) {
        let puzzle: Puzzle = puzzle.parse().unwrap();
        if count == 1000 {
            over += 1;
            continue;
        }
        let mut solutions: Vec<Grid> = oracle::solutions(&puzzle, 1000);
        solutions.sort_unstable();
        none += usize::from(count == 0);
        over += usize::from(count > 50);
        for solution in solutions.iter().take(50) {
            writeln!(expected, "{number}\t{solution}").unwrap();
        }
    }
    let ran = folder.run("solutions --limit 50 p.txt -j 3").status(1);
    let many: Vec<String> = (1..)
        .zip(counts())
        .filter(|(_, (_, count))| *count == 1000)
        .map(|(number, _): (u64, _)| format!("{number}\t"))
        .collect();
    let is_many = |line: &&str| many.iter().any(|number| line.starts_with(number));
    let found: Vec<&str> = ran.stdout.lines().filter(|line| !is_many(line)).collect();
    assert_eq!(found.join("\n") + "\n", expected);
    assert_eq!(ran.stdout.lines().filter(is_many).count(), 50 * many.len());
    let ran = ran.says(&format!("{over} over-the-limit"));
    ran.says(&format!("{none} no-solution"));
    // One thread gives the same.
    let all = folder.run("solutions --limit 50 p.txt").stdout;
    folder
        .run("solutions --limit 50 p.txt -j 1")
        .status(1)
        .prints(&all);
}

/// The parts of a record that comes in parts are the whole, with any threads and in every format.
#[test]
fn solutions_that_come_in_parts_are_the_whole() {
    // It has so many solutions: more than are written together.
    const COUNT: usize = 14_376;
    let puzzle = ".".repeat(42) + &SOLUTIONS[0][42..];
    let two = TWO_SOLUTIONS;
    let rows = format!("n,puzzle\n1,{two}\n2,{puzzle}\n3,bad\n4,{puzzle}\n");
    let folder = Folder::new().with("p.csv", rows);
    let call = "count p.csv --limit 0 -q --format line";
    let counts = format!("2\n{COUNT}\nmalformed\n{COUNT}\n");
    folder.run(call).status(1).prints(&counts);
    let of_records = [two, &puzzle, "bad", &puzzle].map(str::parse::<Puzzle>);
    let summary = "3 multiple, 1 malformed, 28,754 solutions\n";
    for (threads, verify) in [(1, ""), (2, "--verify"), (8, "--verify --format line")] {
        let call = format!("solutions --limit 0 p.csv -j {threads} --rejects bad {verify}");
        let ran = folder.run(&call).status(1);
        let separator = if verify.ends_with("line") { '\t' } else { ',' };
        // Rows in order that solve the puzzle, as many as it has solutions, are all of them.
        let (mut counts, mut last) = ([0; 4], (0, String::new()));
        for line in ran.stdout.lines().filter(|line| !line.starts_with("n,")) {
            if line == "3,bad,3,,malformed" {
                counts[2] += 1;
                continue;
            }
            let fields: Vec<_> = line.split(separator).collect();
            let number: usize = fields[0].parse().unwrap();
            let solution = fields[if separator == ',' { 3 } else { 1 }];
            if separator == ',' {
                assert_eq!((fields[2], fields[4]), (fields[0], "multiple"), "{line}");
            }
            let grid = Grid::from_ascii(solution.as_bytes().try_into().unwrap()).unwrap();
            assert!(grid.is_solution_of(of_records[number - 1].as_ref().unwrap()));
            let this = (number, solution.to_owned());
            assert!(last < this, "{line}");
            last = this;
            counts[number - 1] += 1;
        }
        let malformed = usize::from(separator == ',');
        assert_eq!(counts, [2, COUNT, malformed, COUNT], "{call}");
        ran.says(summary).says("p.csv:4: malformed");
        assert_eq!(folder.read("bad").lines().count(), 1);
    }
}

/// All solutions of the empty grid: they come at once, in flat memory, and end with their reader.
#[test]
#[cfg(target_os = "linux")]
fn solutions_without_end_stream() {
    let folder = Folder::new().with("empty", ".".repeat(81) + "\n" + &".".repeat(81));
    let forms = [
        "line", "csv", "tsv", "jsonl", "block", "pretty", "text", "sdk", "s9b",
    ];
    for form in forms {
        let line = format!(
            "ulimit -v 200000; $P solutions --limit 0 -j 2 empty --format {form} | head -c 3000000 | wc -c
             exit ${{PIPESTATUS[0]}}"
        );
        let ran = folder.bash(&line).status(0).prints("3000000\n");
        assert_eq!(ran.stderr, "");
    }
    let line = "ulimit -v 200000; $P solutions --limit 0 -j 2 empty --compress zstd | zstd -dc 2>&1 | head -c 3000000 | wc -c";
    if folder.bash("zstd --version").status == Some(0) {
        folder.bash(line).status(0).prints("3000000\n");
    }
    // A signal ends it, and leaves nothing.
    let line =
        "$P solutions --limit 0 -j 2 empty -o out & sleep 0.5; kill -INT $!; wait $!; echo $?";
    folder.bash(&format!("set -m; {line}")).prints("130\n");
    assert_eq!(folder.names(), ["empty"]);
}

#[test]
fn records_of_a_table_are_repeated() {
    let two = TWO_SOLUTIONS;
    let folder = Folder::new().with("p.csv", format!("puzzle,note\n{two},x\nbad,y\n"));
    let [one, other] = ["12", "21"].map(|first| {
        let second: String = first.chars().rev().collect();
        two.replacen("..", first, 1).replacen("..", &second, 1)
    });
    let expected = format!(
        "puzzle,note,record,solution,status\n{two},x,1,{one},multiple\n{two},x,1,{other},multiple\n\
         bad,y,2,,malformed\n"
    );
    folder.run("solutions p.csv").status(1).prints(&expected);
}
