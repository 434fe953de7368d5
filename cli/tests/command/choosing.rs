//! `--columns`: the output has these columns, in this order. What it writes is compared with the columns of the
//! whole output, cut out and put into order by the test.

use crate::support::{
    puzzles::{PUZZLES, SOLUTIONS},
    runner::Folder,
};
use serde_json::{Map, Value};

/// The fields of a row, of which those in quotes have no line ends.
fn fields(row: &str, delimiter: char) -> Vec<String> {
    let (mut fields, mut in_quotes) = (vec![String::new()], false);
    let mut characters = row.chars().peekable();
    while let Some(c) = characters.next() {
        let last = fields.last_mut().unwrap();
        match c {
            '"' if in_quotes && characters.peek() == Some(&'"') => {
                last.push('"');
                characters.next();
            }
            '"' => in_quotes = !in_quotes,
            c if c == delimiter && !in_quotes => fields.push(String::new()),
            c => last.push(c),
        }
    }
    fields
}

/// The columns with these names of a table, in their order, with a header.
fn cut(table: &str, delimiter: char, wanted: &[&str]) -> Vec<Vec<String>> {
    let mut rows = table.lines().map(|row| fields(row, delimiter));
    let header = rows.next().unwrap();
    let place = |name: &&str| header.iter().position(|known| known == name).unwrap();
    let places: Vec<_> = wanted.iter().map(place).collect();
    let pick = |row: &Vec<String>| places.iter().map(|at| row[*at].clone()).collect();
    [header.clone()]
        .into_iter()
        .chain(rows)
        .map(|row| pick(&row))
        .collect()
}

/// A table, JSON lines, lines and a text with the same puzzles, one of them malformed.
fn folder() -> Folder {
    let mut table = String::from("Id,question,\"a, b\",er\n");
    let mut objects = String::new();
    let (mut lines, mut text) = (String::new(), String::new());
    for (number, puzzle) in PUZZLES.iter().chain(&["x"]).enumerate() {
        table += &format!("{number},{puzzle},\"say \"\"{number}\"\"\",\n");
        objects += &format!(
            "{{\"meta\":{{\"id\":{number},\"tags\":[1,\"é\"]}},\"puzzle\":\"{puzzle}\",\"n\": {number}.50 }}\n"
        );
        lines += &format!("{puzzle} Name{number} 9.{number}\n");
        text += &format!("0000{number}f {puzzle}  Name {number}\n");
    }
    Folder::new()
        .with("t.csv", table)
        .with("o.jsonl", objects)
        .with("l.txt", lines)
        .with("w.txt", text)
        .with("p.txt", PUZZLES.join("\n") + "\n")
        .with("g.txt", SOLUTIONS.join("\n") + "\n")
}

/// Commands, and columns of their output: those of the input and their own.
const CALLS: [(&str, &str); 15] = [
    ("solve t.csv", "status,Id,solution"),
    ("solve t.csv --status-column s", "s,question"),
    ("rate t.csv", "er,Id,technique"),
    ("rate t.csv --explain", "words,Id,step"),
    ("check t.csv --rows", "clue_count,a, b,status"),
    ("count t.csv", "solution_count,question"),
    ("solutions t.csv --limit 2", "record,Id,solution"),
    ("canonical t.csv", "canonical,Id"),
    ("augment t.csv -k 2 --seed 3", "question,Id"),
    ("near t.csv --max-sets 2", "near,Id,record"),
    ("convert t.csv", "er,question,a, b"),
    ("filter t.csv --clues 17..", "question,Id"),
    ("dedup t.csv", "a, b,Id"),
    ("trace t.csv", "rating,status,step"),
    ("drills t.csv", "technique,Id,candidates"),
];

/// The names in a list, one of which has a comma.
fn names(list: &str) -> Vec<&str> {
    let mut names = Vec::new();
    for name in list.split(',') {
        match name {
            " b" => *names.last_mut().unwrap() = "a, b",
            name => names.push(name),
        }
    }
    names
}

#[test]
fn columns_are_those_of_the_whole_output_in_order() {
    let folder = folder();
    for (call, columns) in CALLS {
        // A comma separates names: the column with one is chosen by its number.
        let option = columns.replace("a, b", "a, b=3").replace("a, b=3", "3");
        for (form, delimiter) in [("csv", ','), ("tsv", '\t')] {
            let whole = folder.run(&format!("{call} -q --format {form}"));
            let chosen = folder.run(&format!("{call} -q --format {form} --columns {option}"));
            assert_eq!(chosen.status, whole.status, "{call}: {}", chosen.stderr);
            let all = names(columns);
            let expected = cut(&whole.stdout, delimiter, &all);
            let rows = chosen.stdout.lines().map(|row| fields(row, delimiter));
            assert_eq!(rows.collect::<Vec<_>>(), expected, "{call} {form}");
            assert!(expected.len() > 1, "{call} {form}");
        }
        // Lines have the rows of a table with tabs, and no header.
        if call.starts_with("trace") {
            continue;
        }
        let lines = folder
            .run(&format!("{call} -q --format line --columns {option}"))
            .stdout;
        let table = folder
            .run(&format!("{call} -q --format tsv --columns {option}"))
            .stdout;
        assert_eq!(lines, table.split_once('\n').unwrap().1, "{call}");
        // JSON lines have values of the kinds that the whole object has.
        let whole = folder.run(&format!("{call} -q --format jsonl")).stdout;
        let chosen = folder
            .run(&format!("{call} -q --format jsonl --columns {option}"))
            .stdout;
        assert_eq!(whole.lines().count(), chosen.lines().count(), "{call}");
        for (whole, chosen) in whole.lines().zip(chosen.lines()) {
            let whole: Map<String, Value> = serde_json::from_str(whole).unwrap();
            let chosen_object: Map<String, Value> = serde_json::from_str(chosen).unwrap();
            let mut at = 0;
            for name in names(columns) {
                let value = whole.get(name).unwrap_or(&Value::Null);
                assert_eq!(chosen_object.get(name), Some(value), "{call}: {name}");
                let place = chosen.find(&format!("{}:", Value::from(name))).unwrap();
                assert!(place >= at, "{call}: {chosen}");
                at = place;
            }
            assert_eq!(chosen_object.len(), names(columns).len(), "{call}");
        }
    }
}

#[test]
fn records_that_are_made_have_chosen_columns_too() {
    let folder = Folder::new();
    for (call, columns) in [
        ("generate 5", "grid,index"),
        ("puzzles 5", "clues,puzzle"),
        ("puzzles 5 --rating 2.0..3.0", "technique,er,index,solution"),
    ] {
        let whole = folder.run(&format!("{call} -q --format csv")).stdout;
        let chosen = folder
            .run(&format!("{call} -q --format csv --columns {columns}"))
            .stdout;
        let rows: Vec<_> = chosen.lines().map(|row| fields(row, ',')).collect();
        let all: Vec<_> = columns.split(',').collect();
        assert_eq!(rows, cut(&whole, ',', &all), "{call}");
        let lines = folder.run(&format!("{call} -q --columns {columns}")).stdout;
        let expected: String = rows[1..].iter().map(|row| row.join("\t") + "\n").collect();
        assert_eq!(lines, expected, "{call}");
    }
    // A rating is computed where a column asks for it.
    let rated = folder
        .run("puzzles 5 -q --difficulty hard --columns puzzle,er")
        .stdout;
    let rated: Vec<_> = rated
        .lines()
        .map(|row| row.split_once('\t').unwrap())
        .collect();
    assert_eq!(rated.len(), 5);
    let puzzles: String = rated
        .iter()
        .map(|(puzzle, _)| format!("{puzzle}\n"))
        .collect();
    let ratings = folder
        .run_on(puzzles, "rate -q --format csv --columns er")
        .stdout;
    let ratings: Vec<_> = ratings.lines().skip(1).collect();
    assert_eq!(ratings, rated.iter().map(|(_, er)| *er).collect::<Vec<_>>());
}

/// Keys within keys, words of lines, and other names.
#[test]
fn parts_of_records_have_names() {
    let folder = folder();
    let run = |call: &str| folder.run(&format!("{call} -q")).stdout;
    let count = PUZZLES.len();
    // The JSON of a value is not changed.
    let objects = run("solve o.jsonl --columns meta.id,n,solution,meta.tags");
    for (number, line) in objects.lines().take(count).enumerate() {
        assert_eq!(
            line,
            format!(
                "{{\"meta.id\":{number},\"n\":{number}.50,\"solution\":\"{}\",\"meta.tags\":[1,\"é\"]}}",
                SOLUTIONS[number]
            )
        );
    }
    let last = objects.lines().last().unwrap();
    assert!(last.contains("\"solution\":null"), "{last}");
    let table = run("solve o.jsonl --format csv --columns Id=meta.id,answer=solution");
    let expected = SOLUTIONS.iter().enumerate();
    let expected = expected.map(|(number, grid)| format!("{number},{grid}\n"));
    assert_eq!(
        table,
        format!("Id,answer\n{}{count},\n", expected.collect::<String>())
    );
    // Words count from 1, and the puzzle is one of them.
    let table = run("solve l.txt --format csv --columns id=2,er=3,solution,puzzle");
    for (number, row) in table.lines().skip(1).take(count).enumerate() {
        let (grid, puzzle) = (SOLUTIONS[number], PUZZLES[number]);
        assert_eq!(row, format!("Name{number},9.{number},{grid},{puzzle}"));
    }
    assert_eq!(table.lines().next(), Some("id,er,solution,puzzle"));
    assert_eq!(
        table.lines().last().unwrap(),
        format!("Name{count},9.{count},,x Name{count} 9.{count}")
    );
    let table = run("solve w.txt --format csv --columns before,after,4,status");
    for (number, row) in table.lines().skip(1).take(count).enumerate() {
        assert_eq!(row, format!("0000{number}f,Name {number},{number},unique"));
    }
    // The last words, where names have spaces.
    let table = run("solve w.txt --format csv --columns name=-2,number=-1,none=-9");
    for (number, row) in table.lines().skip(1).take(count).enumerate() {
        assert_eq!(row, format!("Name,{number},"));
    }
    // A form without columns gives way to lines.
    let lines = run("solve w.txt --columns 1,solution");
    for (number, row) in lines.lines().take(count).enumerate() {
        assert_eq!(row, format!("0000{number}f\t{}", SOLUTIONS[number]));
    }
    // Any case, and the puzzle by its own name or as the puzzle.
    let upper = run("solve t.csv --columns ID,SOLUTION");
    assert_eq!(upper, run("solve t.csv --columns Id,solution"));
    let puzzles = run("convert t.csv --columns puzzle --format line");
    assert!(puzzles.starts_with(PUZZLES[0]), "{puzzles}");
    // A single value that is missing is no blank line.
    assert_eq!(
        run("solve t.csv --columns solution").lines().last(),
        Some("\"\"")
    );
    // A table without a header gets one.
    let folder = folder.with("h.csv", format!("7,{},x\n", PUZZLES[0]));
    let table = folder
        .run("solve h.csv -q --columns 3,solution --format csv")
        .stdout;
    assert_eq!(table, format!("3,solution\nx,{}\n", SOLUTIONS[0]));
}

/// A column of the user that a new one has the name of keeps its values, as without `--columns`.
#[test]
fn a_chosen_column_keeps_what_the_user_has() {
    let [puzzle, grid] = [PUZZLES[0], SOLUTIONS[0]];
    let wrong = grid.replace('1', "2");
    let folder = Folder::new()
        .with(
            "same.csv",
            format!("puzzle,solution,x\n{puzzle},{grid},1\n{puzzle},,2\n"),
        )
        .with(
            "other.csv",
            format!("puzzle,solution,x\n{puzzle},{wrong},1\n"),
        );
    let call = "solve same.csv -q --columns x,solution";
    folder.prints(call, &format!("x,solution\n1,{grid}\n2,{grid}\n"));
    let ran = folder
        .run("solve other.csv -q --columns x,solution")
        .status(2);
    ran.says("the column solution has the value");
    folder.prints(
        "solve other.csv -q --columns x,solution --replace",
        &format!("x,solution\n1,{grid}\n"),
    );
    // A column that is not chosen is not touched.
    folder
        .run("solve other.csv -q --columns x,status")
        .status(0)
        .prints("x,status\n1,unique\n");
}

#[test]
fn lists_that_cannot_be_met_say_what_there_is() {
    let folder = folder();
    for (call, message) in [
        (
            "solve t.csv --columns Id,err",
            "t.csv: --columns: there is no column err; one of: solution, status, Id, question, a, b, er",
        ),
        (
            "solve l.txt --columns name",
            "there is no column name; one of: solution, status, before, puzzle, after, and the number of a word",
        ),
        (
            "solve o.jsonl --columns meta.er",
            "there is no column meta.er; one of: solution, status, meta",
        ),
        (
            "puzzles 3 --columns rating",
            "--columns: there is no column rating; one of: index, puzzle, solution",
        ),
        (
            "solve t.csv --columns Id,id",
            "two columns would have the name Id: NEW=COLUMN gives one",
        ),
        (
            "solve t.csv --columns Id --format block",
            "--columns has no effect: the format block has no columns: choose csv, tsv, jsonl or line",
        ),
        (
            "trace t.csv --columns puzzle -o x.npy",
            "--columns has no effect",
        ),
        (
            "augment t.csv --format hrm --output-dir x --columns Id",
            "--columns has no effect with --format hrm",
        ),
    ] {
        folder.run(call).status(2).says(message).prints("");
    }
}

/// The bytes are the same for any number of threads, for parts and for several outputs; arrays are chosen too.
#[test]
fn chosen_columns_are_the_same_everywhere() {
    let folder = Folder::new();
    let table = folder.run("puzzles 30k -q --format csv").stdout;
    let folder = folder.with("t.csv", table);
    let call = "solve t.csv -q --columns index,solution,clues";
    let expected = folder.out(&format!("{call} -j 1"));
    assert_eq!(expected.lines().count(), 30_001);
    for threads in [2, 8] {
        let ran = folder.run(&format!("{call} -j {threads}"));
        assert!(ran.stdout == expected, "{threads} threads");
    }
    let parts =
        ["1/3", "2/3", "3/3"].map(|part| folder.run(&format!("{call} --shard {part}")).stdout);
    assert!(parts.concat() == expected);
    folder.run(&format!("{call} --output-dir d")).status(0);
    assert!(folder.read("d/t.csv") == expected);
    folder
        .run("solve t.csv -q --columns clues,solution -o x.npy")
        .status(0);
    folder
        .run("solve t.csv -q --array clues --columns solution -o y.npy")
        .status(0);
    let files = |letter: char| {
        let names = folder.names().into_iter();
        let names = names.filter(|name| name.starts_with(letter) && name.ends_with("npy"));
        names
            .map(|name| std::fs::read(folder.file(&name)).unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(files('x').len(), 2);
    assert!(files('x') == files('y'));
}
