//! The columns of tables and the keys of JSON lines: how names are found, and what becomes of
//! columns that are there already.

use super::support::{
    puzzles::{PUZZLES, SOLUTIONS, TWO_SOLUTIONS},
    runner::Folder,
};

/// A text with puzzles in the places of `P` and `Q`, and solutions in those of `S` and `T`.
fn filled(text: &str) -> String {
    text.replace("{P}", PUZZLES[0])
        .replace("{Q}", PUZZLES[1])
        .replace("{S}", SOLUTIONS[0])
        .replace("{T}", SOLUTIONS[1])
}

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
        let ran = folder.run(&format!("solve -q {file} --column {column} --format line"));
        ran.status(0).prints(&filled("{S}\n"));
    }
    let alike =
        "the columns Question and QUESTION differ in case alone; --column NAME or N names it";
    for file in ["two.csv", "two.jsonl"] {
        for column in ["", "--column question"] {
            let ran = folder.run(&format!("solve {file} {column}"));
            ran.status(2).says(alike);
        }
    }
    let alike = "the columns Answer and ANSWER differ in case alone";
    folder.run("augment answers.csv").status(2).says(alike);
    let options = "--answer-column answer";
    folder
        .run(&format!("check answers.csv {options}"))
        .status(2)
        .says(alike);
    let ran = folder.run("check answers.csv --answer-column Answer");
    ran.status(0).says("answers-right");
}

/// A solution that no option names stays beside images that it does not solve.
#[test]
fn augment_warns_of_solutions_that_stay_as_they_are() {
    let folder = Folder::new()
        .with("t.csv", filled("puzzle,label,n\n{P},{S},1\n{Q},{T},2\n"))
        .with(
            "t.jsonl",
            filled("{\"puzzle\":\"{P}\",\"more\":{\"label\":\"{S}\"}}\n"),
        )
        .with("t.txt", filled("one {P} {S}\ntwo {Q} {T}\n"))
        .with("both.csv", filled("puzzle,solution,label\n{P},{S},{S}\n"))
        .with("other.csv", filled("puzzle,next\n{P},{T}\n{Q},{S}\n"))
        .with("grids.csv", filled("puzzle,id\n{S},1\n"));
    let warning = |column: &str, count| {
        format!("warning: column {column} has the solutions of {count} records")
    };
    for (arguments, column, count) in [
        ("t.csv", "label", 2),
        ("t.csv --format jsonl -j 2", "label", 2),
        ("t.jsonl", "more.label", 1),
        ("t.txt", "3", 2),
        ("both.csv", "label", 1),
    ] {
        let ran = folder.run(&format!("augment {arguments}")).status(0);
        ran.says(&warning(column, count))
            .says("--solution-column names");
    }
    for arguments in [
        "t.csv --solution-column label",
        "t.jsonl --solution-column more.label",
        "t.csv --format line",
        "t.csv -q",
        "other.csv",
        "grids.csv",
    ] {
        let ran = folder.run(&format!("augment {arguments}")).status(0);
        assert!(
            !ran.stderr.contains("warning"),
            "{arguments} {}",
            ran.stderr
        );
    }
}

/// Commands in a row: measures are replaced in their places, and solutions stay.
#[test]
fn commands_work_on_what_others_added() {
    let folder = Folder::new().with("p.csv", filled("puzzle,n\n{P},1\n{Q},2\n"));
    let solved = filled("puzzle,n,solution,status\n{P},1,{S},unique\n{Q},2,{T},unique\n");
    folder.run("solve -q p.csv -o s.csv").status(0);
    assert_eq!(folder.read("s.csv"), solved);
    folder.run("solve -q s.csv").status(0).prints(&solved);
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
    let ran = folder.run_on(&old, "solve -q").status(0);
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

/// What the user calls the solution may be another grid: the first row that differs ends the run.
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
        .with("none.csv", filled("puzzle,solution\n{P},{S}\n{Q},\n"))
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
    let how = "already, and its value differs: give the new one another name with \
               --solution-column, or write into it with --replace";
    for (file, line) in [("wrong.csv", 3), ("none.csv", 3), ("wrong.jsonl", 2)] {
        for format in ["", "--format jsonl"] {
            let ran = folder
                .run(&format!("solve {file} {format} -o out -j 3"))
                .status(2);
            ran.says(&format!("{file}:{line} has a column solution {how}"));
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
            true => format!("give the new one another name with --{column}-column, or "),
            false => String::new(),
        };
        let says =
            format!("t.csv has a column {column} already: {rename}write into it with --replace");
        folder.run(arguments).status(2).says(&says);
        let ran = folder.run(&format!("{arguments} -q --replace -o out"));
        assert!(ran.stderr.is_empty(), "{}", ran.stderr);
        let command = arguments.split(' ').next().unwrap();
        let help = folder.run(&format!("{command} --help")).status(0).stdout;
        assert!(help.contains("--replace"));
        assert!(rename.is_empty() || help.contains(&format!("--{column}-column")));
    }
}
