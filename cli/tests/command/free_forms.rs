//! Files as people and other programs have them: UTF-16, several forms in one output, puzzles with spaces as
//! arguments, and lines with a cell too few. What each form is read as has its tests in `tests/library`.

use crate::support::{
    formats::FORMATS,
    has_turn,
    puzzles::{PUZZLES, SOLUTIONS},
    runner::{Folder, Ran},
};

fn filled(text: &str) -> String {
    text.replace('P', PUZZLES[0])
        .replace('Q', PUZZLES[1])
        .replace('S', SOLUTIONS[0])
        .replace('T', SOLUTIONS[1])
}

/// A text as UTF-16 with its mark, in both orders.
fn utf16(text: &str) -> [Vec<u8>; 2] {
    let units: Vec<u16> = "\u{feff}"
        .encode_utf16()
        .chain(text.encode_utf16())
        .collect();
    let bytes = |to: fn(u16) -> [u8; 2]| units.iter().flat_map(|unit| to(*unit)).collect();
    [bytes(u16::to_le_bytes), bytes(u16::to_be_bytes)]
}

#[test]
fn utf16_is_read_as_utf8() {
    let text = filled("id,puzzle,nóte\r\n1,P,Übung ⚄\r\n2,12z,\r\n3,Q,𝟛\r\n");
    let expected = Folder::new().run_on(&text, "solve");
    assert!(
        expected.stderr.contains("<stdin>:3: malformed: column 5"),
        "{}",
        expected.stderr
    );
    for (name, bytes) in ["little", "big"].iter().zip(utf16(&text)) {
        let folder = Folder::new().with(name, &bytes);
        for ran in [
            folder.run(&format!("solve {name}")),
            folder.run_on(&bytes, "solve"),
        ] {
            ran.status(1)
                .prints(&expected.stdout)
                .says(":3: malformed: column 5");
        }
        let ran = folder.run(&format!("solve --shard 1/2 {name}")).status(2);
        ran.says("is UTF-16, and only a file");
    }
    // Many records are more than one piece.
    let many = filled("P\nQ\n").repeat(20_000);
    let folder = Folder::new().with("many", &utf16(&many)[0]);
    folder.prints("convert -q many", &many);
}

#[test]
fn forms_without_columns_share_an_output() {
    let rows = |cells: &str| {
        let rows = cells
            .as_bytes()
            .chunks(9)
            .map(|row| row.escape_ascii().to_string() + "\n");
        rows.collect::<String>()
    };
    let folder = Folder::new()
        .with("lines", filled("P\n"))
        .with("blocks", format!("Hello\n{}", rows(PUZZLES[1])))
        .with(
            "nine.csv",
            rows(PUZZLES[0])
                .lines()
                .map(|row| {
                    row.split("")
                        .collect::<Vec<_>>()
                        .join(",")
                        .trim_matches(',')
                        .to_owned()
                        + "\n"
                })
                .collect::<String>(),
        )
        .with("words", filled("x P 1\n"))
        .with("table.csv", filled("n,puzzle\n7,Q\n"))
        .with("other.csv", filled("m,puzzle\n8,P\n"))
        .with("objects", filled("{\"puzzle\":\"Q\",\"n\":1}\n"));
    folder.prints("solve -q lines blocks nine.csv", &filled("S\nT\nS\n"));
    folder.prints(
        "convert -q blocks lines --format csv",
        &filled("before,puzzle,after\nHello,Q,\n,P,\n"),
    );
    folder.prints(
        "convert -q lines words table.csv objects other.csv --format line",
        &filled("P\nP\nQ\nQ\nP\n"),
    );
    let ran = folder
        .run("solve -q lines table.csv objects --format jsonl")
        .status(0);
    ran.prints(&filled(
        "{\"puzzle\":\"P\",\"solution\":\"S\",\"status\":\"unique\"}\n\
         {\"n\":\"7\",\"puzzle\":\"Q\",\"solution\":\"T\",\"status\":\"unique\"}\n\
         {\"puzzle\":\"Q\",\"n\":1,\"solution\":\"T\",\"status\":\"unique\"}\n",
    ));
    // Text that would be lost, or has no place, is refused, and no file appears.
    for inputs in [
        "lines table.csv",
        "lines words",
        "table.csv other.csv",
        "lines table.csv --format csv",
        "table.csv objects --format csv",
        "objects table.csv --format tsv",
    ] {
        let ran = folder.run(&format!("convert {inputs} -o out")).status(2);
        ran.says("cannot hold both; --format jsonl can");
        assert!(!folder.file("out").exists(), "{inputs}");
    }
}

#[test]
fn a_puzzle_with_spaces_may_be_the_argument() {
    let folder = Folder::new();
    let spaced = PUZZLES[0].split("").collect::<Vec<_>>().join(" ");
    let rows = PUZZLES[0]
        .as_bytes()
        .chunks(9)
        .map(|row| row.escape_ascii().to_string());
    for argument in [
        spaced.trim().to_owned(),
        rows.collect::<Vec<_>>().join("\n"),
    ] {
        let mut command = folder.command("solve -q");
        let output = command.arg(&argument).output().unwrap();
        assert_eq!(
            String::from_utf8(output.stdout).unwrap(),
            filled("S\n"),
            "{argument}"
        );
    }
}

#[test]
fn a_line_of_80_or_82_cells_is_named_with_its_number_of_cells() {
    let folder = Folder::new();
    for (cells, number) in [(filled("P")[1..].to_owned(), 80), (filled("P1"), 82)] {
        let ran = folder.run_on(format!("\n{cells}\n"), "solve").status(2);
        ran.says(&format!(
            "<stdin>:2: as a puzzle this line has {number} of 81 cells: \"{cells}\""
        ));
        let ran = folder.run(&format!("solve {cells}")).status(2);
        ran.says(&format!("as a puzzle it has {number} of 81 cells"));
    }
}

/// The puzzles of an output of lines, with dots for blanks.
fn puzzles_of(ran: &Ran) -> Vec<String> {
    let cell = |cell: char| match cell {
        '1'..='9' => cell,
        _ => '.',
    };
    // Titles become comments, and names stay behind the cells.
    let lines = ran.stdout.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| line.chars().take(81).map(cell).collect())
        .collect()
}

/// A format is read alike from a file, a pipe and an argument, with many puzzles or one, and as a second input: right, or
/// refused with one message.
#[cfg(unix)]
#[test]
fn every_way_reads_a_format_as_its_puzzles() {
    const WAYS: [&str; 4] = [
        "\"$P\" convert -q --format line FILE",
        "cat FILE | \"$P\" convert -q --format line",
        "\"$P\" convert -q --format line < FILE",
        "\"$P\" convert -q --format line -- \"$(cat FILE)\"",
    ];
    let pair = |at: usize| [PUZZLES[at], SOLUTIONS[at]].map(|text| text.replace('0', "."));
    let both = [pair(0), pair(1)];
    for (number, (name, write)) in FORMATS.iter().enumerate() {
        if !has_turn(number, 8) {
            continue;
        }
        let many: Vec<_> = both.iter().cycle().take(12).cloned().collect();
        let folder = Folder::new()
            .with("one", write(&both[..1]))
            .with("many", write(&many))
            .with("plain", format!("{}\n{}\n", both[0][0], both[1][0]));
        for (file, all) in [("one", &both[..1]), ("many", &many[..])] {
            let expected: Vec<_> = all.iter().map(|[puzzle, _]| puzzle.clone()).collect();
            for way in WAYS {
                let ran = folder.bash(&way.replace("FILE", file));
                if ran.stdout.is_empty() {
                    let ran = ran.status(2);
                    assert_eq!(
                        ran.stderr.lines().count(),
                        1,
                        "{name}, {way}: {}",
                        ran.stderr
                    );
                } else {
                    assert_eq!(puzzles_of(&ran), expected, "{name}, {way}");
                }
            }
        }
        // Nothing of `plain` is new to who has read both puzzles.
        let ran = folder.bash("\"$P\" dedup -q plain --against many");
        assert!(ran.stdout.is_empty(), "{name}: {}", ran.stdout);
    }
}
