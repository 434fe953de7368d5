//! How blanks are written: as a record has them, or as `--blank` says.

use super::support::{
    has_turn,
    puzzles::{PUZZLES, SOLUTIONS},
    runner::Folder,
};

/// The characters that a blank may be.
const KINDS: &str = ".0*_-?xX";

/// A puzzle with another character for a blank.
fn with(blank: char) -> String {
    PUZZLES[0].replace('.', &blank.to_string())
}

/// The characters of a text that are no digits from 1 to 9, each once.
fn blanks(cells: &str) -> String {
    let mut kinds: Vec<_> = cells.chars().filter(|c| !matches!(c, '1'..='9')).collect();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.into_iter().collect()
}

/// The cells of each record in an output of any form but the framed ones.
fn cells(output: &str) -> Vec<String> {
    let fields = output.split(|c| ",\t \n\"".contains(c));
    fields
        .filter(|field| field.len() == 81)
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_record_keeps_its_blanks() {
    for blank in "0x".chars() {
        let puzzle = with(blank);
        let kind = blank.to_string();
        let block: String = puzzle
            .as_bytes()
            .chunks(9)
            .map(|row| format!("{}\n", str::from_utf8(row).unwrap()))
            .collect();
        let folder = Folder::new()
            .with("p.txt", format!("{puzzle}\n"))
            .with(
                "p.csv",
                format!("id,puzzle,solution\n101,{puzzle},{}\n", SOLUTIONS[0]),
            )
            .with("p.jsonl", format!("{{\"n\":10,\"puzzle\":\"{puzzle}\"}}\n"))
            .with("words", format!("a {puzzle} 10\n"))
            .with("block", block);
        // By default each file goes through a third of the commands, and each command has two files of each blank.
        let files = ["p.txt", "p.csv", "p.jsonl", "words", "block"];
        for (row, file) in files.into_iter().enumerate() {
            let commands = [
                ("augment -k 3 --keep --verify", vec!["line", "csv"]),
                ("augment -k 3", vec!["jsonl"]),
                ("minimals --limit 1", vec!["line", "csv"]),
                ("near --limit 2", vec!["line", "csv"]),
                ("rate", vec!["line"]),
                ("rate --explain", vec!["line"]),
                ("convert", vec!["line", "text"]),
                ("filter --clues 1..", vec!["tsv"]),
            ];
            for (column, (command, forms)) in commands.into_iter().enumerate() {
                if !has_turn(row + column + usize::from(blank == 'x'), 3) {
                    continue;
                }
                for form in forms {
                    let call = format!("{command} -q {file} --format {form}");
                    let ran = folder.run(&call).status(0);
                    let found = cells(&ran.stdout);
                    let puzzles = found.iter().filter(|cells| **cells != SOLUTIONS[0]);
                    let puzzles: Vec<_> =
                        puzzles.filter(|cells| !blanks(cells).is_empty()).collect();
                    assert!(!puzzles.is_empty(), "{call}");
                    for puzzle in puzzles {
                        assert_eq!(blanks(puzzle), kind, "{call}: {puzzle}");
                    }
                }
            }
            let ran = folder
                .run(&format!("convert -q {file} --format block"))
                .status(0);
            assert_eq!(blanks(&ran.stdout.replace([' ', '\n'], "")), kind, "{file}");
            let ran = folder
                .run(&format!("convert -q {file} --format grid"))
                .status(0);
            assert_eq!(blanks(&ran.stdout.replace([' ', '\n'], "")), "0", "{file}");
            let ran = folder
                .run(&format!("canonical -q {file} --format line"))
                .status(0);
            assert_eq!(blanks(ran.stdout.trim_end()), ".", "{file}");
        }
    }
}

/// The first kind counts, and the images of a record use their own.
#[test]
fn a_record_of_several_kinds_keeps_its_first() {
    let mixed = |first: char| {
        let mut kinds = KINDS.chars().cycle().skip_while(|kind| *kind != first);
        let blank = |cell| {
            if cell == '.' {
                kinds.next().unwrap()
            } else {
                cell
            }
        };
        PUZZLES[0].chars().map(blank).collect::<String>()
    };
    let lines: Vec<_> = KINDS.chars().map(mixed).collect();
    let folder = Folder::new().with("p.txt", lines.join("\n") + "\n");
    let with_all = |command: &str, each: usize| {
        let found = cells(&folder.out(&format!("{command} -q p.txt")));
        let kinds = KINDS.chars().flat_map(|kind| vec![kind; each]);
        assert_eq!(found.len(), each * KINDS.len(), "{command}");
        for (puzzle, kind) in found.iter().zip(kinds) {
            assert_eq!(blanks(puzzle), kind.to_string(), "{command} {puzzle}");
        }
    };
    with_all("augment -k 2 --keep", 3);
    with_all("augment -k 2 --format csv", 2);
    with_all("rate", 1);
    with_all("convert --format csv", 1);
    // A table is not written anew.
    let table = format!("puzzle\n{}\n", lines.join("\n"));
    let ran = folder.run_on(&table, "convert -q");
    ran.status(0).prints(&table);
}

#[test]
fn blanks_are_written_as_asked_for() {
    for (chosen, form) in [("0", "block"), (".", "block"), ("0", "grid")] {
        let lines: String = KINDS.chars().map(|kind| with(kind) + "\n").collect();
        let table = |puzzles: &str| {
            let rows = puzzles
                .lines()
                .map(|puzzle| format!("100,\"{puzzle}\",x0.\n"));
            "id,puzzle,note\n".to_owned() + &rows.collect::<String>()
        };
        let objects = |puzzles: &str| {
            let lines = puzzles.lines();
            let lines = lines.map(|puzzle| format!("{{\"a\": 0.0, \"puzzle\": \"{puzzle}\"}}\n"));
            lines.collect::<String>()
        };
        let folder = Folder::new()
            .with("p.txt", &lines)
            .with("p.csv", table(&lines))
            .with("p.jsonl", objects(&lines));
        let expected = format!("{}\n", with(chosen.chars().next().unwrap())).repeat(KINDS.len());
        let run = |call: &str| folder.run(&format!("{call} -q --blank {chosen}")).status(0);
        run("convert p.txt").prints(&expected);
        run("filter p.txt --clues 1..").prints(&expected);
        run("convert p.csv").prints(&table(&expected));
        run("convert p.jsonl").prints(&objects(&expected));
        run("dedup --by equality p.txt").prints(&expected[..82]);
        let blocks = run(&format!("convert p.csv --format {form}")).stdout;
        assert_eq!(blanks(&blocks.replace([' ', '\n'], "")), chosen);
        for call in [
            "augment -k 2 --keep --verify p.csv",
            "rate p.txt",
            "solve p.csv",
            "minimals --limit 1 p.txt",
        ] {
            let found = cells(&run(call).stdout);
            assert!(found.len() >= KINDS.len());
            let puzzles = found.iter().filter(|cells| !blanks(cells).is_empty());
            assert!(puzzles.clone().count() >= KINDS.len());
            assert!(
                puzzles
                    .map(|cells| blanks(cells))
                    .all(|kinds| kinds == chosen)
            );
        }
        // All lines have the same neighbours, and the first ones stay.
        let near = cells(&run("near --limit 3 p.txt").stdout);
        assert_eq!(near.len(), 3);
        assert!(near.iter().all(|cells| blanks(cells) == chosen));
        let ran = folder.run("split --blank 0 --parts a=1 p.txt -q --output-dir parts");
        ran.status(0);
        assert_eq!(
            folder.read("parts/a.txt"),
            format!("{}\n", with('0')).repeat(KINDS.len())
        );
        for format in ["line", "csv", "jsonl"] {
            let call = format!("puzzles 30 --seed 4 -q --format {format}");
            let plain = folder.out(&call);
            let made = folder.out(&format!("{call} --verify --blank {chosen}"));
            let [made, plain] = [made, plain].map(|text| cells(&text));
            let expected = plain.iter().map(|cells| cells.replace('.', chosen));
            assert_eq!(made, Vec::from_iter(expected));
        }
    }
    let folder = Folder::new().with("p.txt", with('.') + "\n");
    for call in [
        "solve p.txt --blank 0",
        "solve p.txt --blank 0 --format block",
        "canonical p.txt --blank 0",
        "check p.txt --blank 0",
        "count p.txt --blank 0",
        "convert p.txt --blank . --format grid",
        "puzzles 1 --blank . --format grid",
        "convert p.txt --blank . --format link",
        "convert p.txt --blank 0 --format hodoku",
        "puzzles 1 --blank . --format s9b",
    ] {
        folder.run(call).status(2).says("has no effect").prints("");
    }
    folder.refuses("convert p.txt --blank x", "invalid value 'x'");
}
