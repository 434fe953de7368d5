//! Text that belongs to a record: what is kept beside its cells, and what is counted and named if it is left out.

use super::support::{
    puzzles::{PUZZLES, filled},
    random_words::Words,
    runner::Folder,
};

/// The records of lines, by the rule: a line with the comments right above it. Each has its number of clues.
fn records(text: &str) -> Vec<(usize, String)> {
    let (mut records, mut above) = (Vec::new(), String::new());
    for line in text.lines() {
        if line.starts_with('#') {
            above += line;
            above += "\n";
        } else if line.is_empty() {
            above.clear();
        } else {
            let clues = line[..81]
                .bytes()
                .filter(|cell| matches!(cell, b'1'..=b'9'));
            records.push((
                clues.count(),
                format!("{}{line}\n", std::mem::take(&mut above)),
            ));
        }
    }
    records
}

/// The comments right above a record and the text behind it are written by all commands that keep records.
#[test]
fn lines_keep_the_text_that_belongs_to_them() {
    let text = filled(
        "# a list\n\n# by A\n{P} 7.1, \"a name\"\n{Q}\n\n# no record below\n\n{Q};8\n# the end\n",
    );
    let folder = Folder::new().with("lines", &text);
    let records = records(&text);
    let all: String = records.iter().map(|(_, record)| &record[..]).collect();
    assert_eq!(records[0].1, filled("# by A\n{P} 7.1, \"a name\"\n"));
    let distinct = records[0].1.clone() + &records[1].1;
    for (call, kept) in [
        ("filter --clues 1..", &all),
        ("filter --clues 1.. --line-buffered", &all),
        ("convert", &all),
        ("convert --format line", &all),
        ("dedup", &distinct),
    ] {
        folder.prints(&format!("{call} -q lines"), kept);
        let ran = folder.run_on(&text, &format!("{call} -q")).status(0);
        ran.prints(kept);
    }
    // The blanks of the text stay.
    let zeros = PUZZLES[0].replace('.', "0");
    let ran = folder.run("convert -q --blank 0 lines").status(0);
    let first = filled("# by A\n{P} 7.1, \"a name\"\n").replace(PUZZLES[0], &zeros);
    assert!(ran.stdout.starts_with(&first), "{}", ran.stdout);
    // An answer takes the place of the record.
    folder.prints("solve -q lines", &filled("{S}\n{T}\n{T}\n"));
}

/// A call writes `kept` of a text, with both kinds of line ends, for any number of threads, in shards and in pipes.
fn comes_out_wherever_it_is_cut(text: &str, call: &str, kept: &str) {
    let folder = Folder::new()
        .with("lf", text)
        .with("crlf", text.replace('\n', "\r\n"));
    for file in ["lf", "crlf"] {
        for threads in [1, 3] {
            let ran = folder.run(&format!("{call} -j {threads} {file}")).status(0);
            assert!(ran.stdout == kept, "{file} {threads}");
        }
        let parts = (1..=5).map(|part| folder.out(&format!("{call} --shard {part}/5 {file}")));
        assert!(parts.collect::<String>() == kept, "{file}");
    }
    for options in ["", "--line-buffered"] {
        let ran = folder.run_on(text, &format!("{call} {options}")).status(0);
        assert!(ran.stdout == kept, "{options}");
    }
}

/// Pieces, pipes, shards and threads do not part a comment from its record.
#[test]
fn comments_stay_with_their_records_wherever_a_file_is_cut() {
    let mut words = Words::new(71);
    let mut text = String::new();
    for record in 0..9_000 {
        for comment in 0..[0, 0, 1, 3][words.below(4)] {
            text += &format!("# {record} {comment} {}\n", "x".repeat(words.below(40)));
        }
        text += PUZZLES[words.below(PUZZLES.len())];
        text += ["\n", " name\n", "\n\n"][words.below(3)];
    }
    let clues = 25;
    let records = records(&text);
    let kept = records.iter().filter(|(count, _)| *count >= clues);
    let kept: String = kept.map(|(_, record)| &record[..]).collect();
    comes_out_wherever_it_is_cut(&text, &format!("filter -q --clues {clues}.."), &kept);
}

/// Words and comments between blocks are titles of the block below, wherever a file is cut.
#[test]
fn blocks_keep_their_titles() {
    let mut words = Words::new(72);
    let (mut text, mut kept) = (String::new(), String::new());
    for record in 0..5_000 {
        let title = match words.below(5) {
            0 => String::new(),
            1 => format!("# of {record}\n"),
            2 => format!("Grid {record}\n"),
            3 => format!("Grid {record} x{}\n\n", "x".repeat(words.below(40))),
            _ => format!("one of {record}\n\nand more\n"),
        };
        text += &title;
        for line in title.lines().filter(|line| !line.is_empty()) {
            kept += if line.starts_with('#') { "" } else { "# " };
            kept += line;
            kept += "\n";
        }
        let puzzle = PUZZLES[words.below(PUZZLES.len())];
        for row in 0..9 {
            text += &puzzle[9 * row..9 * row + 9];
            text += "\n";
        }
        text += "\n";
        kept += puzzle;
        kept += "\n";
    }
    let call = "convert -q --format line";
    comes_out_wherever_it_is_cut(&text, call, &kept);
    let folder = Folder::new().with("blocks", &text);
    // Blocks that are written have their titles too.
    folder
        .run("filter -q --clues 1.. blocks -o again")
        .status(0);
    assert!(folder.out(&format!("{call} again")) == kept);
    // In tables the titles of a record are one field.
    let (mut table, mut title) = (String::from("before,puzzle,after\n"), Vec::new());
    for line in kept.lines() {
        match line.strip_prefix("# ") {
            Some(words) => title.push(words),
            None => {
                table += &format!("{},{line},\n", title.join(" "));
                title.clear();
            }
        }
    }
    for threads in [1, 3] {
        let call = format!("convert -q --format csv -j {threads}");
        assert!(folder.out(&format!("{call} blocks")) == table);
        assert!(folder.run_on(&text, &call).status(0).stdout == table);
    }
}

/// Tables and JSON lines have a column for the text behind the puzzles. The first input decides.
#[test]
fn tables_of_lines_have_the_text_behind_the_puzzles() {
    let folder = Folder::new()
        .with("named", filled("{P} 7.1, x\n{Q}\n"))
        .with("plain", filled("{P}\n{Q}\n"));
    folder.prints(
        "convert -q --format csv named plain",
        &filled("before,puzzle,after\n,{P},\"7.1, x\"\n,{Q},\n,{P},\n,{Q},\n"),
    );
    folder.prints(
        "solve -q --format jsonl named",
        &filled(
            "{\"before\":\"\",\"puzzle\":\"{P}\",\"after\":\"7.1, x\",\"solution\":\"{S}\",\"status\":\"unique\"}\n\
             {\"before\":\"\",\"puzzle\":\"{Q}\",\"after\":\"\",\"solution\":\"{T}\",\"status\":\"unique\"}\n",
        ),
    );
    let ran = folder.run("convert --format csv plain named").status(0);
    let ran = ran.prints(&filled("puzzle\n{P}\n{Q}\n{P}\n{Q}\n"));
    ran.says(
        "warning: named: the form csv drops the text around the puzzles: --format line keeps it",
    );
}

/// Titles become comments, and words behind a puzzle stay behind it.
#[test]
fn drawings_and_links_keep_titles_and_names() {
    let rows = |puzzle: &str| {
        let row = |row: &[u8]| {
            let cells = row.iter().map(|&cell| char::from(cell)).collect::<Vec<_>>();
            let thirds = cells
                .chunks(3)
                .map(|third| third.iter().map(char::to_string));
            let thirds = thirds.map(|third| third.collect::<Vec<_>>().join(" "));
            format!("│ {} │\n", thirds.collect::<Vec<_>>().join(" │ "))
        };
        let rows: Vec<_> = puzzle.as_bytes().chunks(9).map(row).collect();
        let rule = "├───────┼───────┼───────┤\n";
        format!(
            "{rule}{}{rule}{}{rule}{}{rule}",
            rows[..3].concat(),
            rows[3..6].concat(),
            rows[6..].concat()
        )
    };
    let drawn = format!(
        "Nr. 1, easy\n\n{}\n数独 two\n{}\n",
        rows(PUZZLES[0]),
        rows(PUZZLES[1])
    );
    let links = filled("https://x.org/?bd={P}&n=3 # hard\nhttps://x.org/?bd={Q}\n");
    let folder = Folder::new().with("drawn", drawn).with("links", links);
    folder.prints(
        "filter -q --clues 1.. drawn",
        &filled("# Nr. 1, easy\n{P}\n# 数独 two\n{Q}\n"),
    );
    folder.prints("dedup -q links", &filled("{P} &n=3 # hard\n{Q}\n"));
    // In tables and JSON lines they are fields.
    folder.prints(
        "solve -q --format csv drawn",
        &filled(
            "before,puzzle,after,solution,status\n\"Nr. 1, easy\",{P},,{S},unique\n数独 two,{Q},,{T},unique\n",
        ),
    );
    folder.prints(
        "convert -q --format jsonl links",
        &filled(
            "{\"before\":\"\",\"puzzle\":\"{P}\",\"after\":\"&n=3 # hard\"}\n\
             {\"before\":\"\",\"puzzle\":\"{Q}\",\"after\":\"\"}\n",
        ),
    );
    folder.prints(
        "convert -q --format tsv --columns puzzle,before drawn",
        &filled("puzzle\tbefore\n{P}\tNr. 1, easy\n{Q}\t数独 two\n"),
    );
    // A later input without titles has empty fields, and one with titles gets a warning where the first has none.
    let folder = folder.with("plain", filled("{P}\n"));
    folder.prints(
        "convert -q --format csv drawn plain",
        &filled("before,puzzle,after\n\"Nr. 1, easy\",{P},\n数独 two,{Q},\n,{P},\n"),
    );
    let ran = folder.run("convert --format csv plain drawn").status(0);
    let ran = ran.prints(&filled("puzzle\n{P}\n{P}\n{Q}\n"));
    ran.says("warning: drawn: the form csv drops the text around the puzzles");
    folder.prints("solve -q drawn", &filled("{S}\n{T}\n"));
}

/// The keys of JSON in one array, or over several lines, are columns.
#[test]
fn objects_of_an_array_keep_their_keys() {
    let array = filled(
        "[\n  {\n    \"id\": 1,\n    \"quiz\": \"{P}\",\n    \"tags\": [\"a, }\", {\"b\": null}]\n  },\n  \
         {\"id\": 2, \"quiz\": \"{Q}\", \"tags\": []}, {\"id\": 3,\n \"quiz\": \"{P}\", \"tags\": {}}\n]\n",
    );
    let folder = Folder::new()
        .with("array.json", &array)
        .with("short.json", array.replace('\n', " "))
        .with(
            "object.json",
            filled("{\n \"id\": 7,\n \"board\": [\n")
                .as_str()
                .to_owned()
                + &PUZZLES[0]
                    .as_bytes()
                    .chunks(9)
                    .map(|row| {
                        let cells = row.iter().map(|&cell| {
                            if cell == b'.' {
                                "0".into()
                            } else {
                                char::from(cell).to_string()
                            }
                        });
                        format!("  [{}]", cells.collect::<Vec<_>>().join(", "))
                    })
                    .collect::<Vec<_>>()
                    .join(",\n")
                + "\n ]\n}\n",
        );
    let lines = filled(
        "{\"id\":1,\"solution\":\"{S}\"}\n{\"id\":2,\"solution\":\"{T}\"}\n{\"id\":3,\"solution\":\"{S}\"}\n",
    );
    for file in ["array.json", "short.json"] {
        let call = format!("solve -q --format jsonl --columns id,solution {file}");
        folder.prints(&call, &lines);
        let ran = folder
            .run(&format!("convert -q --format csv {file}"))
            .status(0);
        ran.prints(&filled(
            "id,quiz,tags\n1,{P},\"[\"\"a, }\"\", {\"\"b\"\": null}]\"\n2,{Q},[]\n3,{P},{}\n",
        ));
    }
    folder.prints(
        "solve -q --format csv --columns id,solution object.json",
        &filled("id,solution\n7,{S}\n"),
    );
    // A wrong object has its line, and its neighbours are read.
    let folder = folder.with("bad.json", array.replacen(PUZZLES[1], "12", 1));
    let ran = folder
        .run("solve --format jsonl --columns id,solution bad.json")
        .status(1);
    let ran = ran.says("bad.json:7: malformed");
    assert_eq!(ran.stdout.lines().count(), 3);
}

/// The program counts and names what it leaves out of lines.
#[test]
fn what_lines_leave_out_is_counted() {
    let signs = |sign: &str| sign.repeat(81);
    let folder = Folder::new()
        .with("comments", filled("# {P}\n#{Q} x\n# {S}\n{Q}\n"))
        .with("seconds", filled("{P} {Q}\n{Q}\n"))
        .with("solved", filled("{P} {S}\n{Q},{T}\n"))
        .with(
            "rules",
            filled("{P}\n---\n") + &signs("=") + "\n" + &signs("-") + filled("\n{Q}\n").as_str(),
        );
    for (file, records, left_out) in [
        ("comments", "{T}\n", "2 puzzles in comments"),
        ("seconds", "{S}\n{T}\n", "1 line with a second puzzle"),
        ("rules", "{S}\n{T}\n", "2 lines of 81 equal signs"),
        ("solved", "{S}\n{T}\n", ""),
    ] {
        let ran = folder.run(&format!("solve {file}")).status(0);
        let ran = ran.prints(&filled(records));
        match left_out {
            "" => assert!(!ran.stderr.contains("left out"), "{}", ran.stderr),
            words => _ = ran.says(&format!("warning: {file}: left out: {words}\n")),
        }
    }
}

/// A solution before its puzzle is no record.
#[test]
fn a_solution_may_stand_before_its_puzzle() {
    for separator in [" ", ",", "\t", ";"] {
        let text = filled(&format!("{{S}}{separator}{{P}}\n{{T}}{separator}{{Q}}\n"));
        let folder = Folder::new().with("t", text);
        let ran = folder
            .run("solve -q --format csv --columns puzzle,solution t")
            .status(0);
        ran.prints(&filled("puzzle,solution\n{P},{S}\n{Q},{T}\n"));
    }
}

/// A text with the digits 0 to 8 is never read as another puzzle.
#[test]
fn digits_from_zero_are_asked_for() {
    let lowered = |text: &str| -> String {
        let lower = |cell: char| cell.to_digit(10).filter(|&digit| digit > 0);
        text.chars()
            .map(|cell| lower(cell).map_or(cell, |digit| char::from_digit(digit - 1, 10).unwrap()))
            .collect()
    };
    let lines = lowered(&filled("{P}\n{Q}\n"));
    let table = format!(
        "id,puzzle\n7,{}\n8,{}\n",
        lowered(PUZZLES[0]),
        lowered(PUZZLES[1])
    );
    let folder = Folder::new().with("lines", &lines).with("t.csv", table);
    for call in [
        "solve lines",
        "solve t.csv",
        "solve --puzzle-column 2 t.csv",
        "solve --input-format line lines",
    ] {
        folder.refuses(call, "its puzzles seem to have the digits 0 to 8");
    }
    folder.prints("solve -q --digits 0-8 lines", &filled("{S}\n{T}\n"));
    folder.prints(
        "solve -q --digits 0-8 t.csv",
        &filled("id,puzzle,solution,status\n7,{P},{S},unique\n8,{Q},{T},unique\n"),
    );
    let ran = folder
        .run("count -q --digits 1-9 --limit 2 lines")
        .status(0);
    ran.prints("2+\n2+\n");
}

/// A long text of arrays is cut between grids, however their rows stand on lines.
#[test]
fn long_arrays_are_cut_between_grids() {
    let puzzles: Vec<_> = PUZZLES.iter().cycle().take(1_500).collect();
    let all: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let grid = |puzzle: &str, between: &str, below: &str| {
        let row = |row: &[u8]| {
            let cells = row.iter().map(|cell| match cell {
                b'.' => "0".to_owned(),
                digit => char::from(*digit).to_string(),
            });
            format!("[{}]", cells.collect::<Vec<_>>().join(between))
        };
        let rows: Vec<_> = puzzle.as_bytes().chunks(9).map(row).collect();
        format!("[{}]", rows.join(below))
    };
    for (between, below, after) in [
        (",\n   ", ",\n  ", ",\n "),
        (", ", ",\n  ", ",\n"),
        (", ", ", ", ",\n"),
        (", ", ",\n", ",\n\n"),
    ] {
        let grids: Vec<_> = puzzles
            .iter()
            .map(|puzzle| grid(puzzle, between, below))
            .collect();
        let folder = Folder::new().with("arrays", format!("[{}]\n", grids.join(after)));
        for threads in [1, 2] {
            let ran = folder
                .run(&format!("convert -q -j {threads} arrays"))
                .status(0);
            assert!(ran.stdout == all, "{between:?} {below:?} {after:?}");
        }
    }
}
