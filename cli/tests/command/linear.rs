//! The time of each command is linear in the bytes of its input, whatever their shape is.

use crate::support::{
    has_turn,
    runner::{Folder, Ran},
};

const PUZZLE: &str =
    "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

/// The commands that read records, each with options that make it look at all of a record.
const COMMANDS: [&str; 23] = [
    "solve -o out.csv",
    "solve -o out.jsonl",
    "count",
    "solutions --limit 2",
    "rate -o out.csv",
    "canonical",
    "rank",
    "minimals --limit 2",
    "near --limit 2",
    "expand --limit 2",
    "true-candidates",
    "trace",
    "drills --technique X-wing --up-to 4.4",
    "convert --format csv",
    "convert --format jsonl",
    "convert --format text",
    "convert -o out.npy --columns puzzle",
    "check --rows",
    "dedup",
    "filter --clues 17..",
    "augment -k 1",
    "split --test 50% --output-dir parts",
    "stats",
];

/// A shape of a text of about this number of bytes, and the ending of its name.
type Shape = (&'static str, &'static str, fn(usize) -> String);

const SHAPES: [Shape; 20] = [
    ("deep objects", "jsonl", |bytes| {
        let depth = bytes / 6;
        let (open, close) = ("{\"a\":".repeat(depth), "}".repeat(depth));
        format!("{{\"puzzle\":\"{PUZZLE}\",\"x\":{open}1{close}}}\n")
    }),
    ("deep arrays", "jsonl", |bytes| {
        let depth = bytes / 2;
        let (open, close) = ("[".repeat(depth), "]".repeat(depth));
        format!("{{\"puzzle\":\"{PUZZLE}\",\"x\":{open}{close}}}\n")
    }),
    ("a wide object", "jsonl", |bytes| {
        let members: String = (0..bytes / 12).map(|n| format!(",\"c{n}\":{n}")).collect();
        format!("{{\"puzzle\":\"{PUZZLE}\"{members}}}\n")
    }),
    // Malformed puzzles: an answer takes time that is no reader's.
    ("objects of other keys", "jsonl", |bytes| {
        let row = |n| format!("{{\"puzzle\":\"5\",\"c{n}\":{n}}}\n");
        (0..bytes / 28).map(row).collect()
    }),
    ("a wide table", "csv", |bytes| {
        let names: String = (0..bytes / 12).map(|n| format!(",c{n}")).collect();
        let fields: String = (0..bytes / 12).map(|n| format!(",{n}")).collect();
        format!("puzzle{names}\n{PUZZLE}{fields}\n")
    }),
    ("a wide table of grids", "csv", |bytes| {
        let names: String = (0..bytes / 90).map(|n| format!(",c{n}")).collect();
        let fields = format!(",{PUZZLE}").repeat(bytes / 90);
        format!("puzzle{names}\n{PUZZLE}{fields}\n")
    }),
    ("a long field", "csv", |bytes| {
        let text = "\"\"".repeat(bytes / 2);
        format!("puzzle,note\n{PUZZLE},\"{text}\"\n")
    }),
    ("a long string", "jsonl", |bytes| {
        let text = "\\\"".repeat(bytes / 2);
        format!("{{\"puzzle\":\"{PUZZLE}\",\"x\":\"{text}\"}}\n")
    }),
    ("a long line", "txt", |bytes| {
        format!("{PUZZLE} {}\n", "x".repeat(bytes))
    }),
    ("many words", "txt", |bytes| {
        format!("7f {PUZZLE} {}\n", "x ".repeat(bytes / 2))
    }),
    ("many blank lines", "txt", |bytes| {
        format!("{}{PUZZLE}\n", "\n".repeat(bytes))
    }),
    ("many comments", "txt", |bytes| {
        format!("{}{PUZZLE}\n", "#\n".repeat(bytes / 2))
    }),
    ("many malformed lines", "txt", |bytes| {
        format!("{PUZZLE}\n{}", "no puzzle here\n".repeat(bytes / 15))
    }),
    // Written puzzles, or signs of them alone.
    ("brackets", "txt", |bytes| "[1,".repeat(bytes / 3)),
    ("hyphens", "txt", |bytes| "- ".repeat(bytes / 2)),
    ("rows that are no grid", "txt", |bytes| {
        "| 1 2 3 | 4 5 6 | 7 8 9 |\n".repeat(bytes / 26)
    }),
    ("rows with spaces for blanks", "txt", |bytes| {
        let rows = "4  52 7 3\n     3   \n1    7   \n 14     6\n7   5   1\n5     42 \n    4    \n   8     \n  2 1 76 \n";
        format!("{rows}\n").repeat(bytes / 91)
    }),
    ("puzzles behind spaces", "txt", |bytes| {
        let links = format!("?s={PUZZLE}").repeat(bytes / 168);
        format!("{}{links}\n", " ".repeat(bytes / 2))
    }),
    ("links among arrays", "txt", |bytes| {
        let rows = PUZZLE.as_bytes().chunks(9).map(|row| {
            let cells: Vec<_> = row
                .iter()
                .map(|&cell| char::from(cell).to_string())
                .collect();
            format!("[{}]", cells.join(","))
        });
        let array = format!("[{}]\n", rows.collect::<Vec<_>>().join(",\n"));
        (0..bytes / 400)
            .map(|n| format!("{array}{n}: ?s={PUZZLE}&n={n}\n\n"))
            .collect()
    }),
    ("many quotes", "csv", |bytes| {
        format!(
            "puzzle,note\n{PUZZLE},1\n{}",
            "\"no,puzzle,here\n".repeat(bytes / 16)
        )
    }),
];

/// Runs the program, and gives the seconds that all its threads worked.
fn seconds(folder: &Folder, arguments: &str) -> (f64, Ran) {
    let ran = folder.bash(&format!(
        "\"$P\" {arguments} > /dev/null 2>&1; echo $?; times"
    ));
    // The second line of `times` is about the processes of the shell: `0m0.012s 0m0.004s`.
    let times = ran.stdout.lines().nth(2).unwrap().split_whitespace();
    let seconds = times.map(|time| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').unwrap();
        60.0 * minutes.parse::<f64>().unwrap() + seconds.parse::<f64>().unwrap()
    });
    (seconds.sum(), ran)
}

/// Eight times the bytes may take 24 times as long, and a start of 50 ms is free. A quadratic time is 64 times as
/// long.
///
/// A reader of a shape is linear or is not, and most commands share the readers. So by default each command
/// has one shape or two, and each shape two commands or three.
#[test]
fn time_is_linear_in_bytes() {
    const BYTES: usize = 50 << 10;
    /// The seconds of a start.
    const START: f64 = 0.05;
    let mut slow = Vec::new();
    for (row, (shape, ending, text)) in SHAPES.into_iter().enumerate() {
        let folder = Folder::new()
            .with(&format!("small.{ending}"), text(BYTES))
            .with(&format!("large.{ending}"), text(8 * BYTES));
        for (column, command) in COMMANDS.into_iter().enumerate() {
            if !has_turn(row + column, 20) {
                continue;
            }
            let of = |size| seconds(&folder, &format!("{command} {size}.{ending}"));
            let (large, ran) = of("large");
            // Refusals count too, but no signal ends it.
            let status: u32 = ran.stdout.lines().next().unwrap().parse().unwrap();
            assert!(status <= 2, "{command} on {shape}: {}", ran.stdout);
            // Most are so quick that the time of the small text says nothing.
            if large > 24.0 * START {
                let (small, _) = of("small");
                if large > 24.0 * small.max(START) {
                    slow.push(format!("{command} on {shape}: {small} s, {large} s"));
                }
            }
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}
