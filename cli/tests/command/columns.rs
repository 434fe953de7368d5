//! The columns of tables and the keys of JSON lines: how names are found, and what becomes of
//! columns that are there already.

use super::support::{
    has_turn, one_of,
    puzzles::{PUZZLES, SOLUTIONS, TWO_SOLUTIONS, filled},
    runner::Folder,
};
use std::fs;

/// Whether a grid has each digit once in each house, and the clues of a puzzle.
fn solves(grid: &str, puzzle: &str) -> bool {
    let at = |row: usize, column: usize| grid.as_bytes()[9 * row + column];
    let is_house = |cells: [u8; 9]| (b'1'..=b'9').all(|digit| cells.contains(&digit));
    let houses = (0..9).all(|n| {
        is_house(std::array::from_fn(|i| at(n, i)))
            && is_house(std::array::from_fn(|i| at(i, n)))
            && is_house(std::array::from_fn(|i| {
                at(n / 3 * 3 + i / 3, n % 3 * 3 + i % 3)
            }))
    });
    let mut pairs = grid.bytes().zip(puzzle.bytes());
    houses && pairs.all(|(digit, clue)| !matches!(clue, b'1'..=b'9') || clue == digit)
}

/// Every image has its own solution, whatever the case of the names.
#[test]
fn augment_finds_solutions_in_any_case() {
    for name in ["solution", "Solution", "SOLUTIONS", "Answer", " answers "] {
        let table = filled(&format!("Puzzle,{name},n\n{{P}},{{S}},1\n{{Q}},{{T}},2\n"));
        let objects = filled(&format!(
            "{{\"PUZZLE\":\"{{P}}\",\"{name}\":\"{{S}}\"}}\n{{\"PUZZLE\":\"{{Q}}\",\"{name}\":\"{{T}}\"}}\n"
        ));
        let folder = Folder::new().with("t.csv", table).with("t.jsonl", objects);
        for file in ["t.csv", "t.jsonl"] {
            let ran = folder
                .run(&format!("augment -k 5 {file} --format csv --verify"))
                .status(0);
            assert!(!ran.stderr.contains("warning"), "{}", ran.stderr);
            let rows: Vec<_> = ran.stdout.lines().skip(1).collect();
            assert_eq!(rows.len(), 10);
            for row in rows {
                let fields: Vec<_> = row.split(',').collect();
                assert!(solves(fields[1], fields[0]), "{name} {file} {row}");
            }
        }
    }
}

#[test]
fn an_exact_name_wins_and_two_that_differ_in_case_alone_are_an_error() {
    let blank = ".".repeat(81);
    let folder = Folder::new()
        .with("one.csv", filled("id,Question\n1,{P}\n"))
        .with(
            "exact.csv",
            filled(&format!("QUESTION,question\n{blank},{{P}}\n")),
        )
        .with("two.csv", filled("Question,QUESTION\n{P},{Q}\n"))
        .with(
            "two.jsonl",
            filled("{\"Question\":\"{P}\",\"QUESTION\":\"{Q}\"}\n"),
        )
        .with(
            "nested.jsonl",
            filled("{\"Game\":{\"Question\":\"{P}\"}}\n"),
        )
        .with("answers.csv", filled("puzzle,Answer,ANSWER\n{P},{S},{S}\n"));
    for (file, column) in [
        ("one.csv", "question"),
        ("one.csv", "QUESTION"),
        ("exact.csv", "question"),
        ("two.csv", "Question"),
        ("two.jsonl", "Question"),
        ("nested.jsonl", "game.question"),
    ] {
        folder.prints(
            &format!("solve -q {file} --puzzle-column {column} --format line"),
            &filled("{S}\n"),
        );
    }
    let alike = "the columns Question and QUESTION differ in case alone; --puzzle-column NAME or N names it";
    for file in ["two.csv", "two.jsonl"] {
        for column in ["", "--puzzle-column question"] {
            folder.refuses(&format!("solve {file} {column}"), alike);
        }
    }
    let alike = "the columns Answer and ANSWER differ in case alone";
    folder.refuses("augment answers.csv --answer-column answer", alike);
    let options = "--answer-column answer";
    folder.refuses(&format!("check answers.csv {options}"), alike);
    let ran = folder.run("check answers.csv --answer-column Answer");
    ran.status(0).says("answers-right");
}

/// A solution in a place that cannot hold the image of one keeps its record from having images.
#[test]
fn augment_warns_of_solutions_that_stay_as_they_are() {
    let folder = Folder::new()
        .with("t.csv", filled("puzzle,label,n\n{P},{S},1\n{Q},{T},2\n"))
        .with(
            "t.jsonl",
            filled("{\"puzzle\":\"{P}\",\"more\":{\"label\":\"{S}\"}}\n"),
        )
        .with("t.txt", filled("one {P} {S}\ntwo {Q} {T}\n"))
        .with("other.csv", filled("puzzle,next\n{P},{T}\n{Q},{S}\n"))
        .with("grids.csv", filled("puzzle,id\n{S},1\n"));
    for (arguments, column, count) in [("t.jsonl", "more.label", 1), ("t.txt", "3", 2)] {
        let ran = folder.run(&format!("augment {arguments}")).status(1);
        let noun = if count == 1 { "record" } else { "records" };
        let warning = format!(
            "warning: column {column} has the solutions of {count} {noun}, which give no copies"
        );
        ran.says(&warning).says("--answer-column names").prints("");
    }
    for arguments in [
        "t.csv --answer-column label",
        "t.jsonl --answer-column more.label",
        "t.csv --format line",
        "t.csv -q",
        "other.csv",
    ] {
        let ran = folder.run(&format!("augment {arguments}")).status(0);
        assert!(
            !ran.stderr.contains("warning"),
            "{arguments} {}",
            ran.stderr
        );
    }
    let ran = folder.run("augment grids.csv").status(0);
    ran.says("warning: grids.csv: every puzzle in column puzzle is a full grid");
}

/// Commands in a row: what says the same stays.
#[test]
fn commands_work_on_what_others_added() {
    let folder = Folder::new().with("p.csv", filled("puzzle,n\n{P},1\n{Q},2\n"));
    let solved = filled("puzzle,n,solution,status\n{P},1,{S},unique\n{Q},2,{T},unique\n");
    folder.run("solve -q p.csv -o s.csv").status(0);
    assert_eq!(folder.read("s.csv"), solved);
    folder.prints("solve -q s.csv", &solved);
    let ran = folder.bash("$P rate -q s.csv | $P check -q --rows - | $P count -q | $P rate -q");
    let ran = ran.status(0);
    let header = ran.stdout.lines().next().unwrap();
    let expected = "puzzle,n,solution,status,er,ep,ed,beyond,technique,guesses,";
    assert!(header.starts_with(expected), "{header}");
    let names: Vec<_> = header.split(',').collect();
    let mut distinct = names.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), names.len(), "{header}");
    for row in ran.stdout.lines().skip(1) {
        let fields: Vec<_> = row.split(',').collect();
        assert_eq!(fields.len(), names.len());
        assert_eq!(fields[3], "unique");
        assert!(solves(fields[2], fields[0]));
    }
    // A status that is not true any more.
    let old = solved
        .replace("unique", "no-solution")
        .replace("status", "Status");
    folder.run_on(&old, "solve -q").status(2).says(
        "<stdin>:2: the column status has the value \"no-solution\" already, and the new one is \
         \"unique\": give the new column another name with --status-column, or write over it with \
         --replace",
    );
    let ran = folder.run_on(&old, "solve -q --replace").status(0);
    ran.prints(&solved.replace("status", "Status"));
    let ran = folder.bash("$P puzzles 20 --seed 3 --format csv | tee made.csv | $P solve -q");
    let ran = ran.status(0);
    let made = folder.read("made.csv");
    let expected = made.lines().enumerate().map(|(at, row)| match at {
        0 => format!("{row},status\n"),
        _ => format!("{row},unique\n"),
    });
    ran.prints(&expected.collect::<String>());
}

/// A column that the user calls the solution may have another grid: the first row that differs ends the run.
#[test]
fn a_solution_that_differs_is_an_error_with_its_line() {
    let two = TWO_SOLUTIONS;
    let [first, second] = [["1", "2"], ["2", "1"]].map(|[a, b]| {
        let row = two.replacen("..", &format!("{a}{b}"), 1);
        row.replacen("..", &format!("{b}{a}"), 1)
    });
    let grid = first.split_at(9);
    let spaced = format!("\"{}\n{}\"", grid.0, grid.1);
    let folder = Folder::new()
        .with(
            "right.csv",
            filled(&format!(
                "puzzle,solution\n{{P}},{{S}}\n{two},{first}\n{two},{spaced}\nx,what\n"
            )),
        )
        .with(
            "wrong.csv",
            filled(&format!(
                "puzzle,Solution\n{{P}},{{S}}\n{two},{second}\n{{Q}},{{S}}\n"
            )),
        )
        .with(
            "wrong.jsonl",
            filled("{\"puzzle\":\"{P}\"}\n{\"puzzle\":\"{Q}\",\"solution\":\"{S}\"}\n"),
        )
        .with(
            "right.jsonl",
            filled("{\"puzzle\":\"{P}\"}\n{\"solution\": \"{T}\", \"puzzle\":\"{Q}\"}\n"),
        );
    let ran = folder.run("solve -q right.csv").status(1);
    ran.prints(&filled(&format!(
        "puzzle,solution,status\n{{P}},{{S}},unique\n{two},{first},multiple\n\
         {two},{spaced},multiple\nx,what,malformed\n"
    )));
    let ran = folder.run("solve -q right.jsonl").status(0);
    ran.prints(&filled(
        "{\"puzzle\":\"{P}\",\"solution\":\"{S}\",\"status\":\"unique\"}\n\
         {\"solution\": \"{T}\", \"puzzle\":\"{Q}\",\"status\":\"unique\"}\n",
    ));
    let how =
        "give the new column another name with --solution-column, or write over it with --replace";
    for (file, line) in [("wrong.csv", 3), ("wrong.jsonl", 2)] {
        for format in ["", "--format jsonl"] {
            let ran = folder
                .run(&format!("solve {file} {format} -o out -j 3"))
                .status(2);
            ran.says(&format!(
                "{file}:{line}: the column solution has the value \""
            ))
            .says(how);
            assert!(!folder.file("out").exists());
        }
    }
    folder.run("solve -q wrong.csv --replace -o out").status(0);
    let rows = folder.read("out");
    let rows = rows
        .lines()
        .skip(1)
        .map(|row| row.split(',').collect::<Vec<_>>());
    assert!(rows.map(|row| solves(row[1], row[0])).eq([true; 3]));
}

/// A message names an option that the command has.
#[test]
fn a_message_names_an_option_of_the_command() {
    let folder = Folder::new().with(
        "t.csv",
        filled("puzzle,index,step,record,note\n{S},1,2,3,4\n"),
    );
    for (arguments, column, rename) in [
        ("rank t.csv", "index", true),
        ("solutions t.csv", "record", true),
        ("rate --explain t.csv", "step", false),
        ("rate --status-column note t.csv", "note", false),
        ("count --status-column note t.csv", "note", false),
    ] {
        let rename = match rename {
            true => format!("give the new column another name with --{column}-column, or "),
            false => String::new(),
        };
        let says = format!("t.csv:2: the column {column} has the value \"");
        let advice = format!(": {rename}write over it with --replace");
        folder.run(arguments).status(2).says(&says).says(&advice);
        let ran = folder.run(&format!("{arguments} -q --replace -o out"));
        assert!(ran.stderr.is_empty(), "{}", ran.stderr);
        let command = arguments.split(' ').next().unwrap();
        let help = folder.out(&format!("{command} --help"));
        assert!(help.contains("--replace"));
        assert!(rename.is_empty() || help.contains(&format!("--{column}-column")));
    }
}

/// Ways to spoil the first puzzle of a table.
fn spoiled(puzzle: &str) -> [String; 5] {
    [
        puzzle[..80].to_owned(),
        format!("{puzzle}."),
        String::new(),
        "x".into(),
        puzzle.replacen('.', "z", 1),
    ]
}

/// The first record does not choose the column of the puzzles, at any command.
#[test]
fn the_first_record_does_not_choose_the_column() {
    let points = ".".repeat(81);
    let cells = PUZZLES[1].bytes().map(|c| c.saturating_sub(b'0'));
    let cells: Vec<_> = cells.map(|c| if c > 9 { 0 } else { c }).collect();
    let tables = [
        ("t.csv", ",", ["puzzle", "solution"]),
        ("t.tsv", "\t", ["Quizzes", "Solutions"]),
        ("t.csv", ";", ["question", "answer"]),
    ];
    // By default each spoiled puzzle is in one of the tables.
    for (row, (file, between, names)) in tables.into_iter().enumerate() {
        for (column, spoiled) in spoiled(PUZZLES[0]).into_iter().enumerate() {
            if !has_turn(row + column, 3) {
                continue;
            }
            let text = format!("{}\n{spoiled},{{S}}\n{{Q}},{{T}}\n", names.join(","));
            let text = filled(&text).replace(',', between);
            let folder = Folder::new().with(file, &text);
            let solved = format!("{points}\n{}\n", SOLUTIONS[1]);
            let ran = folder.run(&format!("solve -q --format line {file}"));
            ran.status(1).prints(&solved);
            let ran = folder.run_on(&text, "solve -q --format line");
            ran.status(1).prints(&solved);
            let ran = folder.run(&format!("check {file} --answer-column {}", names[1]));
            ran.status(1).says("1 answers-right, 1 answers-wrong");
            let ran = folder.run(&format!("dedup -q {file}"));
            ran.status(1).prints(&text);
            let ran = folder.run(&format!("augment -q -k 3 {file} --verify"));
            let rows = ran.status(1).stdout;
            for row in rows.lines().skip(2) {
                let (puzzle, solution) = row.split_once(between).unwrap();
                assert!(puzzle.contains('.') && solves(solution, puzzle), "{row}");
            }
            let ran = folder.run(&format!(
                "convert -q {file} --columns {} -o x.npy",
                names[0]
            ));
            ran.status(1);
            let array = fs::read(folder.file("x.npy")).unwrap();
            assert!(array.ends_with(&cells), "{text}");
            let call = "augment -q --format hrm --copies 1 --test 0 --output-dir hrm";
            folder.run(&format!("{call} {file}")).status(1);
            let array = fs::read(folder.file("hrm/train/all__inputs.npy")).unwrap();
            // There a blank is 1, and a digit is one more.
            assert!(array.ends_with(&Vec::from_iter(cells.iter().map(|cell| cell + 1))));
        }
    }
}

/// The column of the puzzles, by names and by what most records hold: the list of docs/internals/detection.md.
#[test]
fn names_and_many_records_choose_the_column() {
    for (header, rows, column) in [
        ("solution,problem_text", "{S},{P}", "problem_text"),
        ("final,initial_board", "{S},{P}", "initial_board"),
        ("a,b", "{S},{P}", "b"),
        ("a,b", "{P},{S}", "a"),
        ("answer,x", "{P},{S}", "x"),
        ("target,input", "{S},{P}", "input"),
        ("solvedBoard,startBoard", "{S},{P}", "startBoard"),
        ("puzzle_solution,other", "{S},{P}", "other"),
        ("label,grid", "{S},{P}", "grid"),
        ("board,start", "{S},{P}", "start"),
        ("puzzle,quiz", "{S},{P}", "quiz"),
        ("solution,puzzle", "{S},", "puzzle"),
        ("solution,puzzle", "{S},12", "puzzle"),
        ("puzzle,text", "7,{P}", "text"),
        ("puzzle,text", "7,{S}", "text"),
        ("puzzle_id,text", "7,{S}", "text"),
        ("puzzle_id,solution", "7,{S}", "solution"),
        ("solution,problem_text", "{S},{80}|{T},{80}", "problem_text"),
        ("solution,a", "{S},{80}", "a"),
        ("time,solution", "2026-11-23T10:20:30.123Z,{S}", "solution"),
        ("solutions,answer", "{S},{P}", "answer"),
        // Most records, and not the first.
        ("a,b", "{P},{S}|{S},{P}|{S},{P}", "b"),
        ("final,initial", ".,{P}|{S},{P}|{S},{Q}", "initial"),
        ("a,b", "x,y|{S},{P}", "b"),
    ] {
        let rows = rows.replace('|', "\n").replace("{80}", &PUZZLES[0][..80]);
        let text = filled(&format!("{header}\n{rows}\n"));
        let text = text.replace("\n.,", &format!("\n{},", ".".repeat(81)));
        let object = |row: &str| {
            let members = header.split(',').zip(row.split(','));
            let members = members.map(|(key, value)| format!("\"{key}\":\"{value}\""));
            format!("{{{}}}\n", members.collect::<Vec<_>>().join(","))
        };
        let objects: String = text.lines().skip(1).map(object).collect();
        let folder = Folder::new().with("t.csv", &text).with("t.jsonl", objects);
        for file in ["t.csv", "t.jsonl"] {
            let ran = folder.run(&format!("convert -v {file} -o out"));
            ran.says(&format!(", puzzles in column {column}\n"));
        }
    }
    // Without a header.
    for rows in [
        "{S},{P}\n{T},{Q}\n",
        ",{P}\n{T},{Q}\n",
        "{S},x\n{T},{Q}\n{T},{Q}\n",
    ] {
        let ran = Folder::new().run_on(filled(rows), "solve -q --input-format csv --format line");
        assert!(
            ran.stdout.ends_with(&filled("{T}\n")),
            "{rows} {}",
            ran.stdout
        );
    }
}

/// Threads, pipes, compression, shards and further bytes do not change the choice.
#[test]
fn the_choice_is_one_for_all_ways_to_read() {
    let damaged = &PUZZLES[0][..80];
    let firsts = [0, 1, 100, 300];
    // By default the ends.
    for first in firsts.into_iter().step_by(one_of(3)) {
        let mut text = String::from("id,final,start\n");
        for row in 0..1500 {
            let puzzle = if row < first {
                damaged
            } else {
                PUZZLES[row % 2]
            };
            // Later on the columns change places. That comes too late.
            let (left, right) = match row < 1000 {
                true => (SOLUTIONS[row % 2], puzzle),
                false => (puzzle, SOLUTIONS[row % 2]),
            };
            text += &format!("{row},{left},{right}\n");
        }
        let folder = Folder::new().with("t.csv", &text);
        let ran = folder.run("convert -v t.csv -o out");
        ran.says("t.csv: form csv, puzzles in column start\n");
        let whole = folder.run("solve -q t.csv");
        assert_eq!(
            whole.stdout.lines().nth(400).unwrap().split(',').nth(3),
            Some(SOLUTIONS[1])
        );
        let right = format!(",{},unique", SOLUTIONS[0]);
        assert!(whole.stdout.lines().nth(999).unwrap().ends_with(&right));
        for ran in [
            folder.run("solve -q -j 1 t.csv"),
            folder.run("solve -q -j 4 t.csv"),
            folder.run_on(&text, "solve -q -j 2"),
            folder.bash("gzip -c t.csv | $P solve -q"),
            folder.bash("(head -c 100 t.csv; sleep 0.1; tail -c +101 t.csv) | $P solve -q"),
            folder.bash("for i in 1 2 3 4 5; do $P solve -q --shard $i/5 t.csv; done; true"),
        ] {
            assert_eq!(ran.stdout, whole.stdout);
        }
        // Here the first record decides, whatever comes with it.
        let at_once = folder.run("solve -q --line-buffered t.csv").stdout;
        for ran in [
            folder.run_on(&text, "solve -q --line-buffered"),
            folder.bash(
                "(head -c 300 t.csv; sleep 0.1; tail -c +301 t.csv) | $P solve -q --line-buffered",
            ),
        ] {
            assert_eq!(ran.stdout, at_once);
        }
    }
}

/// A file of full grids is told, unless its column is named or grids are asked for.
#[test]
fn a_column_of_full_grids_is_told() {
    let folder = Folder::new()
        .with("t.csv", filled("id,solution\n1,{S}\n2,x\n3,{T}\n"))
        .with("t.jsonl", filled("{\"solution\":\"{S}\"}\n"))
        .with("mixed.csv", filled("id,solution\n1,{S}\n2,{P}\n"))
        .with("bad.csv", "id,puzzle\n1,x\n")
        .with("t.txt", filled("{S}\n"));
    let warning = |file: &str| {
        format!("sudoku-batch: warning: {file}: every puzzle in column solution is a full grid")
    };
    for (file, call) in [
        ("t.csv", "solve t.csv"),
        ("t.csv", "check t.csv -j 3"),
        ("t.jsonl", "rate t.jsonl"),
        ("t.csv", "dedup mixed.csv t.csv"),
    ] {
        folder.run(call).says(&warning(file));
    }
    for call in [
        "solve t.csv --puzzle-column solution",
        "solve -q t.csv",
        "solve mixed.csv",
        "solve bad.csv",
        "solve t.txt",
        "check --grids t.csv",
        "rank t.csv",
    ] {
        let ran = folder.run(call);
        assert!(!ran.stderr.contains("full grid"), "{call} {}", ran.stderr);
    }
}

/// No value of the user is lost unasked: what is empty is filled, what says the same stays, and
/// anything else is an error, or stays beside a column of another name.
#[test]
fn values_of_the_user_are_never_lost_unasked() {
    let folder = Folder::new();
    let er = "4.5";
    for (column, command, value, new) in [
        ("status", "solve", "open", "unique"),
        ("status", "check --rows", "open", "unique"),
        ("status", "count", "0", "unique"),
        ("er", "rate", "9.9", er),
        ("technique", "rate", "mine", "unique rectangle type 4"),
        ("clue_count", "check --rows", "30", "25"),
        ("solution_count", "count", "2", "1"),
        ("solution", "solve", "mine", SOLUTIONS[0]),
        ("canonical", "canonical", "mine", ""),
    ] {
        for form in ["csv", "jsonl"] {
            let input = |value: &str| match form {
                "jsonl" => filled(&format!(
                    "{{\"puzzle\":\"{{P}}\",\"{column}\":\"{value}\",\"n\":1}}\n"
                )),
                _ => filled(&format!("puzzle,{column},n\n{{P}},{value},1\n")),
            };
            let line = if form == "jsonl" { 1 } else { 2 };
            let call = format!("{command} -q --input-format {form}");
            let ran = folder
                .run_on(input(value), &format!("{call} -o out"))
                .status(2);
            ran.says(&format!(
                "<stdin>:{line}: the column {column} has the value {value:?} already"
            ))
            .says(&format!("and the new one is \"{new}"))
            .says("--replace");
            assert!(!folder.file("out").exists());
            // With --replace it goes, in its place.
            let replaced = folder
                .run_on(input(value), &format!("{call} --replace"))
                .status(0);
            let new = match new {
                "" => {
                    let alone = folder.run_on(PUZZLES[0], "canonical -q").status(0).stdout;
                    alone.trim_end().to_owned()
                }
                new => new.to_owned(),
            };
            assert!(replaced.stdout.contains(&new), "{}", replaced.stdout);
            assert!(!replaced.stdout.contains(&format!("\"{value}\"")));
            // Empty values are room. What was written stays when the command comes again.
            for empty in ["", " "] {
                let filled = folder.run_on(input(empty), &call).status(0).stdout;
                if form == "csv" {
                    assert_eq!(filled, replaced.stdout, "{command} {column}");
                }
                let again = folder.run_on(&filled, &call).status(0);
                assert_eq!(again.stdout, filled);
            }
        }
    }
    // A value that another program wrote in its own way says the same.
    let input = filled("puzzle,er,guesses,clue_count\n{P},4.50,,25.0\n");
    let ran = folder.bash(&format!(
        "printf '{input}' | $P rate -q | $P check -q --rows"
    ));
    let row = ran.status(0).stdout.lines().nth(1).unwrap().to_owned();
    assert!(row.starts_with(&filled("{P},4.50,,25.0,")), "{row}");
    // A grid without a digit is room, and null too.
    for room in [".".repeat(81), "0".repeat(81)] {
        let input = filled(&format!("puzzle,solution\n{{P}},{room}\n"));
        let ran = folder.run_on(input, "solve -q").status(0);
        ran.prints(&filled("puzzle,solution,status\n{P},{S},unique\n"));
    }
    let ran = folder.run_on(filled("{\"puzzle\":\"{P}\",\"er\":null}\n"), "rate -q");
    assert!(ran.status(0).stdout.contains("\"er\":4.5,"));
    // A row without its fields gets its status in the column that is there.
    let ran = folder.run_on(filled("puzzle,status\nx\n{P},unique\n"), "count -q");
    ran.status(1).prints(&filled(
        "puzzle,status,solution_count\nx,malformed,\n{P},unique,1\n",
    ));
}

/// No output has two columns of one name.
#[test]
fn no_two_columns_have_one_name() {
    let folder = Folder::new()
        .with("p.txt", filled("{P}\n"))
        .with("w.txt", filled("a {P} b\n"))
        .with("p.csv", filled("id,puzzle,text\n1,{P},t\n"))
        .with("bare.csv", filled("1,{P}\n"))
        .with("game.jsonl", filled("{\"game\":{\"puzzle\":\"{P}\"}}\n"))
        .with("twice.csv", filled("a,puzzle,a\n1,{P},2\n"))
        .with(
            "twice.jsonl",
            filled("{\"a\":1,\"puzzle\":\"{P}\",\"a\":2}\n"),
        );
    for (call, name) in [
        (
            "solve p.txt --format jsonl --solution-column puzzle",
            "puzzle",
        ),
        (
            "solve p.txt --format csv --solution-column puzzle",
            "puzzle",
        ),
        ("solve p.txt --format csv --status-column Puzzle", "Puzzle"),
        ("solve p.txt --format jsonl --status-column text", "text"),
        ("solve p.csv --solution-column status", "status"),
        ("solve p.csv --solution-column status --replace", "status"),
        ("solve p.csv --solution-column Status", "status"),
        ("solve p.txt --solution-column status -o x.npy", "status"),
        ("solve w.txt --format tsv --status-column after", "after"),
        ("solve bare.csv --format jsonl --status-column 2", "2"),
        ("rate p.csv --status-column er", "er"),
        ("count p.csv --solution-count-column status", "status"),
        (
            "canonical p.csv --transformation --transformation-column canonical",
            "canonical",
        ),
        (
            "canonical p.csv --automorphisms --automorphisms-column status",
            "status",
        ),
        ("rank p.csv --index-column status", "status"),
        ("solutions p.csv --record-column solution", "solution"),
        ("augment p.csv --answer-column puzzle", "puzzle"),
        (
            "augment game.jsonl --puzzle-column game.puzzle --answer-column game.puzzle",
            "game.puzzle",
        ),
    ] {
        let ran = folder.run(&format!("{call} -j 2")).status(2).prints("");
        ran.says(&format!(": two columns would have the name {name}\n"));
    }
    folder.refuses(
        "convert twice.csv --format jsonl",
        "twice.csv: two columns would have the name a",
    );
    folder.refuses(
        "convert twice.jsonl --format csv",
        "two columns would have the name a",
    );
    // Tables hold both.
    let ran = folder.run("convert -q twice.csv --format tsv").status(0);
    ran.prints(&filled("a\tpuzzle\ta\n1\t{P}\t2\n"));
}

/// The text around the puzzles of a format is in the table that it becomes.
#[test]
fn no_words_and_no_nested_puzzles_are_lost() {
    let folder = Folder::new()
        .with(
            "list",
            filled("0000183b305c {P}  1.2\nEaster Monster; {Q}; 11.6 \"x\" y\n\"{P}\"\nbad line\n"),
        )
        .with(
            "game.jsonl",
            filled("{\"id\":1,\"game\":{\"puzzle\":\"{P}\"}}\n{\"id\":2}\n"),
        )
        .with("lines", filled("{P};7.1 a name\n{Q} 8\n"))
        .with(
            "late.jsonl",
            filled("{\"id\":1}\n{\"id\":2,\"puzzle\":\"{P}\"}\n"),
        )
        .with(
            "one.jsonl",
            filled("{\"puzzle\":\"\"}\n{\"puzzle\":\"{P}\"}\n"),
        )
        .with("one.csv", filled("puzzle\n\"\"\n{P}\n"));
    let ran = folder.run("convert -q list --format csv").status(1);
    ran.prints(&filled(
        "before,puzzle,after\n0000183b305c,{P},1.2\nEaster Monster,{Q},\"11.6 \"\"x\"\" y\"\n,{P},\n,bad line,\n",
    ));
    let ran = folder.run("convert -q list --format jsonl").status(1);
    ran.prints(&filled(
        "{\"before\":\"0000183b305c\",\"puzzle\":\"{P}\",\"after\":\"1.2\"}\n\
         {\"before\":\"Easter Monster\",\"puzzle\":\"{Q}\",\"after\":\"11.6 \\\"x\\\" y\"}\n\
         {\"before\":\"\",\"puzzle\":\"{P}\",\"after\":\"\"}\n{\"text\":\"bad line\"}\n",
    ));
    for option in ["", "--input-format text"] {
        let ran = folder.run(&format!("convert lines {option} --format csv"));
        let ran = ran.status(0);
        assert!(!ran.stderr.contains("warning"));
        ran.prints(&filled("before,puzzle,after\n,{P},7.1 a name\n,{Q},8\n"));
    }
    let ran = folder.run("augment -q -k 2 list --format tsv").status(1);
    let rows: Vec<_> = ran
        .stdout
        .lines()
        .map(|row| row.split('\t').collect::<Vec<_>>())
        .collect();
    assert_eq!(rows.len(), 8);
    assert!(
        rows[1..3]
            .iter()
            .all(|row| row[0] == "0000183b305c" && row[2] == "1.2")
    );
    let ran = folder
        .run("convert -q game.jsonl --puzzle-column game.puzzle --format csv")
        .status(1);
    ran.prints(&filled(
        "id,game,game.puzzle\n1,\"{\"\"puzzle\"\":\"\"{P}\"\"}\",{P}\n2,,\n",
    ));
    let again = folder.run_on(
        ran_text(
            &folder,
            "convert -q game.jsonl --puzzle-column game.puzzle --format csv",
        ),
        "solve -q --format line",
    );
    again
        .status(1)
        .prints(&filled(&format!("{{S}}\n{}\n", ".".repeat(81))));
    let ran = folder.run("augment -k 1 -q game.jsonl --puzzle-column game.puzzle --format tsv");
    assert_eq!(
        ran.status(1)
            .stdout
            .lines()
            .nth(1)
            .unwrap()
            .split('\t')
            .count(),
        3
    );
    let ran = folder.run("convert -q late.jsonl --format csv").status(1);
    ran.prints(&filled("id,puzzle\n1,\n2,{P}\n"));
    // An empty value in the only column is no blank line, which would be no record.
    for (file, form) in [
        ("one.jsonl", "csv"),
        ("one.jsonl", "tsv"),
        ("one.csv", "tsv"),
        ("one.csv", "csv"),
    ] {
        let ran = folder
            .run(&format!("convert -q {file} --format {form}"))
            .status(1);
        let written = ran.stdout;
        assert_eq!(written, filled("puzzle\n\"\"\n{P}\n"));
        folder
            .run_on(written, "check")
            .status(1)
            .says("2 records: 1 unique, 1 malformed");
    }
}

fn ran_text(folder: &Folder, call: &str) -> String {
    folder.run(call).stdout
}

/// The values behind a line of words have tabs between, so that a program finds each: they are those of
/// the table.
#[test]
fn values_behind_words_have_tabs_between() {
    let folder = Folder::new().with("list", filled("a b {P} c\nd\t{Q}\nno puzzle\n"));
    for command in ["rate --difficulty", "solve", "check --rows", "count"] {
        let text = folder.run(&format!("{command} -q list")).status(1).stdout;
        let table = folder
            .run(&format!("{command} -q list --format tsv"))
            .status(1)
            .stdout;
        let lines = filled("a b {P} c\nd\t{Q}\nno puzzle\n");
        for ((row, line), told) in text.lines().zip(lines.lines()).zip(table.lines().skip(1)) {
            let values = row.strip_prefix(line).unwrap().strip_prefix('\t').unwrap();
            let values = values
                .split('\t')
                .map(|value| value.replace(&".".repeat(81), "-"));
            let told = told.split('\t').skip(3);
            let told = told.map(|value| if value.is_empty() { "-" } else { value }.to_owned());
            assert!(values.eq(told), "{row}");
        }
    }
}

/// A name that two columns have means neither, where an option or a new column means one.
#[test]
fn two_columns_of_one_name_are_refused() {
    let folder = Folder::new()
        .with(
            "t.csv",
            filled("puzzle,solution,solution,x,x\n{P},{S},{S},1,2\n"),
        )
        .with("x.csv", filled("puzzle,x,x\n{P},1,2\n"));
    let twice = |numbers: &str, name: &str| {
        format!("the columns {numbers} have one name, {name}: rename one of them")
    };
    for arguments in [
        "solve t.csv",
        "check t.csv --answer-column Solution",
        "augment t.csv --answer-column solution",
        "convert t.csv --columns puzzle,solution",
    ] {
        folder.refuses(arguments, &twice("2 and 3", "solution"));
    }
    folder.refuses("solve x.csv --solution-column x", &twice("2 and 3", "x"));
    folder.run("solve x.csv").status(0);
    folder
        .run("check t.csv --answer-column 3")
        .status(0)
        .says("grid_accuracy 1");
    // Each of them holds the image of the solution.
    let ran = folder.run("augment t.csv -k 1").status(0);
    let row: Vec<&str> = ran.stdout.lines().nth(1).unwrap().split(',').collect();
    assert!(row[1] == row[2] && row[1] != filled("{S}"), "{row:?}");
}
