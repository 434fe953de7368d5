//! `check --extract` and `--template`, from the outside.

use crate::support::runner::Folder;

const PUZZLE: &str =
    "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
const SOLVED: &str =
    "496528713875143692132967854314289576729654381568731429687492135943815267251376948";
const TWO: &str =
    "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642";

/// Nine lines with spaces, as a JSON string or a quoted field of a table has them.
fn lines(cells: &str, line_end: &str) -> String {
    let rows: Vec<_> = (0..9).map(|row| &cells[9 * row..9 * row + 9]).collect();
    let spaced = |row: &&str| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
    rows.iter().map(spaced).collect::<Vec<_>>().join(line_end)
}

/// Texts that models wrote, and the rows that they get: from `found` on, for the last grid.
fn completions() -> Vec<(&'static str, String, &'static str)> {
    let half = format!("{}{}", &SOLVED[..40], &PUZZLE[40..]);
    let other = SOLVED.replacen("49", "94", 1);
    vec![
        (
            PUZZLE,
            format!("It is `{SOLVED}`."),
            "unique,true,true,56,56,0,0,1",
        ),
        (PUZZLE, lines(SOLVED, "\\n"), "unique,true,true,56,56,0,0,1"),
        (
            PUZZLE,
            "I give up, after 81 tries.".into(),
            "unique,false,false,56,0,,,0",
        ),
        (PUZZLE, lines(PUZZLE, "\\n"), "unique,true,false,56,0,0,0,0"),
        (
            PUZZLE,
            PUZZLE.replace('.', "0"),
            "unique,true,false,56,0,0,0,0",
        ),
        (PUZZLE, half, "unique,true,false,56,28,0,0,0"),
        (PUZZLE, other, "unique,true,false,56,55,1,2,0"),
        (
            PUZZLE,
            format!("{SOLVED} or {PUZZLE}"),
            "unique,true,false,56,0,0,0,0",
        ),
        (
            TWO,
            TWO.replace("..", "12").replace("124", "214"),
            "multiple,true,true,4,4,0,0,1",
        ),
        ("12", SOLVED.into(), "malformed,true,,,,,,"),
        (&TWO[..80], "no".into(), "malformed,false,,,,,,"),
    ]
}

fn objects() -> String {
    let objects = completions().into_iter().map(|(puzzle, text, _)| {
        format!("{{\"puzzle\":\"{puzzle}\",\"completion\":\"{text}\"}}\n")
    });
    objects.collect()
}

#[test]
fn texts_are_scored_in_every_form() {
    let expected: Vec<_> = completions().into_iter().map(|(.., row)| row).collect();
    let folder = Folder::new().with("texts.jsonl", objects());
    folder
        .run("convert -q texts.jsonl --format csv -o texts.csv")
        .status(1);
    folder
        .run("convert -q texts.jsonl --format tsv -o texts.tsv")
        .status(1);
    let columns = "status found solved blank_cells right_blanks changed_clues conflicts reward";
    for file in ["texts.jsonl", "texts.csv", "texts.tsv"] {
        let asked = format!("check -q {file} --answer-column completion --extract last --rows");
        let ran = folder.run(&format!("{asked} --format line")).status(1);
        let rows: Vec<_> = ran
            .stdout
            .lines()
            .map(|row| row.replace('\t', ","))
            .collect();
        assert_eq!(rows, expected, "{file}");
        let ran = folder.run(&format!("{asked} --format jsonl")).status(1);
        for (object, row) in ran.stdout.lines().zip(&expected) {
            let values = columns.split(' ').zip(row.split(','));
            for (name, value) in values {
                let value = match (name, value) {
                    (_, "") => "null".into(),
                    ("status", name) => format!("\"{name}\""),
                    (_, value) => value.to_owned(),
                };
                assert!(object.contains(&format!("\"{name}\":{value}")), "{object}");
            }
        }
    }
    folder
        .run("check texts.jsonl --answer-column completion --extract last")
        .status(1)
        .says("3: no-grid: the text has no grid")
        .says("6: wrong-answer: 28 wrong cells, 0 changed clues")
        .says("11 records: 3 solved, 8 not-solved, 2 without-a-grid, 8 unique, 1 multiple, 2 malformed");
}

#[test]
fn the_grid_that_counts_is_chosen() {
    let both = format!("First {SOLVED}, then {PUZZLE}: no.");
    let text = format!("{{\"puzzle\":\"{PUZZLE}\",\"completion\":\"{both}\"}}\n");
    let folder = Folder::new().with("both.jsonl", text);
    let asked = "check both.jsonl --answer-column completion --rows --format line";
    folder.prints(
        &format!("{asked} -q --extract first"),
        "unique\ttrue\ttrue\t56\t56\t0\t0\t1\n",
    );
    folder
        .run(&format!("{asked} -q --extract last"))
        .status(1)
        .prints("unique\ttrue\tfalse\t56\t0\t0\t0\t0\n");
    folder
        .run(&format!("{asked} --extract only"))
        .status(1)
        .prints("unique\tfalse\tfalse\t56\t0\t\t\t0\n")
        .says("1: no-grid: the text has several grids");
}

#[test]
fn rewards_are_an_array_and_copies_earn_nothing() {
    let half = format!("{}{}", &SOLVED[..40], &PUZZLE[40..]);
    let mut texts = vec![SOLVED.to_owned(), half];
    texts.extend(
        ".0123456789"
            .chars()
            .map(|blank| PUZZLE.replace('.', &blank.to_string())),
    );
    let objects: String = texts
        .iter()
        .map(|text| format!("{{\"puzzle\":\"{PUZZLE}\",\"completion\":\"{text}\"}}\n"))
        .collect();
    let folder = Folder::new()
        .with("texts.jsonl", &objects)
        .with("puzzles.txt", format!("{PUZZLE}\n").repeat(13));
    for (reward, expected) in [("solved", 0.0), ("blanks", 28.0 / 56.0)] {
        for input in ["texts.jsonl", "puzzles.txt --answers texts.jsonl"] {
            let asked = format!(
                "check -q {input} --answer-column completion --extract last --reward {reward}"
            );
            folder
                .run(&format!("{asked} --columns reward -o rewards.npy"))
                .status(1);
            let bytes = std::fs::read(folder.file("rewards.npy")).unwrap();
            let rewards = bytes[bytes.len() - 8 * 13..].as_chunks::<8>().0.iter();
            let rewards: Vec<_> = rewards.map(|bytes| f64::from_le_bytes(*bytes)).collect();
            assert_eq!(rewards[..2], [1.0, expected], "{reward} {input}");
            assert_eq!(rewards[2..], [0.0; 11], "{reward} {input}");
        }
    }
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let folder = Folder::new().with("texts.jsonl", objects());
    for (arguments, what) in [
        (
            "--extract last",
            "--extract has no effect without --answer-column",
        ),
        (
            "--reward blanks",
            "--reward has no effect without --answer-column",
        ),
        (
            "--answer-column completion --extract middle",
            "possible values: last, first, only",
        ),
        (
            "--answer-column completion --extract last --minimal",
            "--minimal cannot be used with --extract",
        ),
    ] {
        folder.refuses(&format!("check texts.jsonl {arguments}"), what);
    }
}

#[test]
fn a_template_is_filled_in_every_form() {
    let folder = Folder::new()
        .with(
            "prompt.txt",
            "Puzzle {index}, {clues} clues: {{index}} {x: 1}\n{grid}\n{solution_table}\n{lists}\n",
        )
        .with("id.txt", "{id}: {puzzle} {note}");
    let made = "puzzles 30 --seed 7 --clues 30 -q";
    let csv = folder.out(&format!("{made} --format csv"));
    let prompt = |row: &str| {
        let fields: Vec<_> = row.split(',').collect();
        let table: Vec<_> = (0..9)
            .map(|row| {
                let cells: String = fields[2][9 * row..9 * row + 9]
                    .chars()
                    .map(|c| format!(" {c} |"))
                    .collect();
                format!("|{cells}")
            })
            .collect();
        let rule = format!("|{}", "---|".repeat(9));
        let table = [&table[..1], &[rule][..], &table[1..]].concat().join("\n");
        let lists: Vec<_> = (0..9)
            .map(|row| {
                let cells: Vec<_> = fields[1][9 * row..9 * row + 9]
                    .chars()
                    .map(|c| c.to_string().replace('.', "0"))
                    .collect();
                format!("[{}]", cells.join(","))
            })
            .collect();
        let grid = lines(fields[1], "\n");
        let (index, clues) = (fields[0], fields[3]);
        format!(
            "Puzzle {index}, {clues} clues: {{index}} {{x: 1}}\n{grid}\n{table}\n[{}]",
            lists.join(",")
        )
    };
    let prompts: Vec<_> = csv.lines().skip(1).map(prompt).collect();
    assert_eq!(prompts.len(), 30);
    // In lines, the texts alone.
    let all: String = prompts.iter().map(|prompt| format!("{prompt}\n")).collect();
    folder.prints(&format!("{made} --template prompt.txt"), &all);
    for threads in ["1", "3"] {
        let ran = folder
            .run(&format!(
                "{made} --template prompt.txt --format jsonl -j {threads}"
            ))
            .status(0);
        for ((object, prompt), row) in ran.stdout.lines().zip(&prompts).zip(csv.lines().skip(1)) {
            let text = format!("\"prompt\":\"{}\"}}", prompt.replace('\n', "\\n"));
            assert!(object.ends_with(&text), "{object}\n{text}");
            assert!(
                object.starts_with(&format!("{{\"index\":{},", row.split(',').next().unwrap()))
            );
        }
    }
    let ran = folder
        .run(&format!(
            "{made} --template prompt.txt --prompt-column text --format csv"
        ))
        .status(0);
    assert!(ran.stdout.starts_with("index,puzzle,solution,clues,text\n"));
    assert!(ran.stdout.contains(&format!("\"{}\"", prompts[29])));
    // Records that are read, with the columns of the user, give the same.
    let text = format!("{csv}7,12,,\n")
        .replace("index,", "id,")
        .replace("clues\n", "note\n");
    let folder = folder.with("read.csv", text);
    for command in ["convert", "filter --clues 30"] {
        let ran = folder.run(&format!(
            "{command} -q read.csv --template id.txt --format jsonl"
        ));
        let objects: Vec<_> = ran.stdout.lines().collect();
        let whole = if command == "convert" { 31 } else { 30 };
        assert_eq!(objects.len(), whole, "{command} {}", ran.stdout);
        for (object, row) in objects.iter().zip(csv.lines().skip(1)) {
            let fields: Vec<_> = row.split(',').collect();
            let prompt = format!(
                "\"prompt\":\"{}: {} {}\"}}",
                fields[0], fields[1], fields[3]
            );
            assert!(object.ends_with(&prompt), "{object}");
        }
        // A malformed record has no prompt.
        if command == "convert" {
            assert!(objects[30].ends_with("\"prompt\":\"\"}"), "{}", objects[30]);
        }
    }
    // Blocks have no room, and give way to lines.
    let ran = folder
        .run(&format!("{made} --format block -o made.sdk"))
        .status(0);
    assert_eq!(ran.stdout, "");
    let folder = folder.with("puzzle.txt", "{puzzle}");
    let lines = folder.out("convert -q made.sdk --template puzzle.txt");
    assert_eq!(lines, folder.out(made));
}

#[test]
fn an_unknown_placeholder_lists_those_that_there_are() {
    let folder = Folder::new()
        .with("prompt.txt", "{date}")
        .with("rating.txt", "{rating} {technique}");
    folder.refuses("puzzles 1 --template prompt.txt", "{date} stands for nothing here; one of: {index}, {puzzle}, {solution}, {clues}, {grid}, {rows}, ");
    folder.refuses(
        "convert - --template prompt.txt",
        "one of: {puzzle}, {grid}",
    );
    folder.refuses("puzzles 1 --template none.txt", "none.txt");
    folder.refuses(
        "puzzles 1 --template prompt.txt --format block",
        "has no room for texts",
    );
    // A rating is computed where the template has it.
    let ran = folder.run("puzzles 5 --template rating.txt -q").status(0);
    let csv = folder.run("puzzles 5 -q -o puzzles.txt").status(0);
    assert_eq!(csv.stdout, "");
    let rated = folder.out("rate puzzles.txt -q --up-to 4.4 --format csv");
    for (text, row) in ran.stdout.lines().zip(rated.lines().skip(1)) {
        let er = row.split(',').nth(1).unwrap();
        assert!(text.starts_with(&format!("{er} ")), "{text} {row}");
    }
}
