//! `sudoku-batch check` and `sudoku-batch stats`, from the outside.

use crate::support::{
    oracle, puzzles::TWO_SOLUTIONS, random_words::Words, reference, runner::Folder,
};
use std::fmt::Write;
use sudoku_batch::{Cell, Digit, Puzzle, technique};

const DATA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");

fn lines(name: &str, most: usize) -> Vec<String> {
    let text = std::fs::read_to_string(format!("{DATA}/{name}.txt")).unwrap();
    text.lines().take(most).map(Into::into).collect()
}

/// The status of a line of 81 cells, by the rules and the oracle.
fn status(line: &str) -> String {
    let Ok(puzzle) = line.parse::<Puzzle>() else {
        return "malformed".into();
    };
    match (puzzle.conflict(), oracle::solutions(&puzzle, 2).len()) {
        (Some(conflict), _) => format!("{}-duplicate", conflict.house),
        (None, 0) => "no-solution".into(),
        (None, 1) => "unique".into(),
        _ => "multiple".into(),
    }
}

/// Puzzles of all statuses: a clue is added, changed, moved or removed here and there.
fn mixed() -> Vec<String> {
    let mut words = Words::new(7);
    let mut all = lines("minimal", 120);
    for line in &mut all {
        let at = words.below(81);
        let character = b".123456789x7"[words.below(12)] as char;
        if words.below(2) == 0 {
            line.replace_range(at..=at, &character.to_string());
        }
    }
    all[17] = "too short".into();
    all[18] = "é".repeat(81);
    all
}

#[test]
fn every_record_has_its_status() {
    let all = mixed();
    let folder = Folder::new().with("mixed.txt", all.join("\n"));
    let ran = folder
        .run("check --rows mixed.txt --summary json")
        .status(1);
    let mut expected = String::new();
    let mut seen = std::collections::BTreeMap::new();
    for line in &all {
        let status = status(line);
        let clues = line
            .bytes()
            .filter(u8::is_ascii_digit)
            .filter(|&c| c != b'0')
            .count();
        match status.as_str() {
            "malformed" => writeln!(expected, "malformed\t"),
            _ => writeln!(expected, "{status}\t{clues}"),
        }
        .unwrap();
        *seen.entry(status).or_insert(0) += 1;
    }
    assert_eq!(ran.stdout, expected);
    assert!(seen.len() >= 5, "{seen:?}");
    for (status, count) in seen {
        let entry = format!("\"{}\":{count},", status.replace('-', "_"));
        assert!(ran.stderr.contains(&entry), "{entry} {}", ran.stderr);
    }
    // Without --rows nothing is printed; with an output the rows are there.
    folder
        .run("check mixed.txt")
        .status(1)
        .prints("")
        .says("120 records: ");
    folder
        .run("check mixed.txt -o rows.txt -j 3")
        .status(1)
        .prints("");
    assert_eq!(folder.read("rows.txt"), expected);
    folder
        .run("check mixed.txt")
        .status(1)
        .says("mixed.txt:18: malformed");
    folder
        .run_on(lines("easy", 50).join("\n"), "check")
        .status(0)
        .says("50 records: 50 unique");
}

/// An option about rows asks for them: no table is left out in silence.
#[test]
fn options_about_rows_ask_for_rows() {
    let puzzle = lines("minimal", 1)[0].clone();
    let clues = 81 - puzzle.matches('.').count();
    let folder = Folder::new().with("p.txt", &puzzle);
    let csv = format!("puzzle,status,clue_count\n{puzzle},unique,{clues}\n");
    for (options, rows) in [
        ("--format csv", &csv[..]),
        ("--format csv -o -", &csv),
        ("--columns clue_count", &format!("{clues}\n")),
        ("--rows", &format!("unique\t{clues}\n")),
        ("--replace", &format!("unique\t{clues}\n")),
        (
            "--status-column x --format csv",
            &csv.replace("status", "x"),
        ),
        ("--status-column x", &format!("unique\t{clues}\n")),
        ("", ""),
        ("-q", ""),
    ] {
        folder.prints(&format!("check p.txt {options}"), rows);
    }
    let packed = folder.bash("$P check p.txt --format csv --compress gzip | gzip -dc");
    packed.status(0).prints(&csv);
    let packed = folder.bash("$P check p.txt --compress gzip | gzip -dc");
    packed.status(0).prints(&format!("unique\t{clues}\n"));
    folder.refuses("check p.txt --format npy", "npy");
    // Grids and answers have columns of their own.
    let solution = &lines("minimal.solved", 1)[0];
    let folder = folder.with("s.txt", solution);
    folder.prints(
        "check --grids s.txt --format csv",
        &format!("puzzle,status\n{solution},valid\n"),
    );
    let call = "check p.txt --answers s.txt --columns status,answer_right";
    folder.prints(call, "unique\ttrue\n");
}

#[test]
fn redundant_clues_are_counted() {
    let mut all = lines("minimal", 6);
    let solved = lines("minimal.solved", 6);
    let mut expected = String::new();
    for (i, line) in all.iter_mut().enumerate() {
        // Clues of the solution are added from the front: i of them.
        for _ in 0..i {
            let at = line.find('.').unwrap();
            line.replace_range(at..=at, &solved[i][at..=at]);
        }
        let puzzle: Puzzle = line.parse().unwrap();
        let can_go = |&cell: &Cell| {
            let mut without = puzzle;
            without.set(cell, None);
            puzzle.get(cell).is_some() && oracle::solutions(&without, 2).len() == 1
        };
        let redundant = Cell::all().filter(can_go).count();
        writeln!(expected, "unique\t{}\t{redundant}", puzzle.clue_count()).unwrap();
    }
    let folder = Folder::new().with("a.txt", all.join("\n"));
    let ran = folder
        .run("check --minimal --rows a.txt")
        .status(1)
        .prints(&expected);
    ran.says("5 not-minimal").says("a.txt:2: not-minimal: ");
    let folder = Folder::new().with("a.txt", lines("minimal", 100).join("\n"));
    folder
        .run("check --minimal a.txt")
        .status(0)
        .says("100 records: 100 unique");
}

/// A model that is right, or leaves cells out, gets cells wrong, changes clues, or answers
/// something else.
#[test]
fn faulty_answers_are_scored() {
    let mut words = Words::new(3);
    let (puzzles, solutions) = (lines("easy", 300), lines("easy.solved", 300));
    let mut answers = Vec::new();
    let mut expected = String::new();
    let (mut right, mut malformed, mut changed_clues) = (0, 0, 0);
    let (mut blank, mut blank_right, mut all_right) = (0, 0, 0);
    for (puzzle, solution) in puzzles.iter().zip(&solutions) {
        let mut answer = solution.clone().into_bytes();
        for _ in 0..[0, 0, 1, 5, 40][words.below(5)] {
            answer[words.below(81)] = b"123456789."[words.below(10)];
        }
        let is_text = words.below(20) == 0;
        if is_text {
            answer = b"I cannot solve this".to_vec();
            malformed += 1;
        }
        let (mut wrong, mut changed) = (0, 0);
        for (i, (clue, digit)) in puzzle.bytes().zip(solution.bytes()).enumerate() {
            let good = !is_text && answer[i] == digit;
            match clue {
                b'.' => (blank, wrong) = (blank + 1, wrong + usize::from(!good)),
                _ => changed += usize::from(!good),
            }
            blank_right += usize::from(good && clue == b'.');
            all_right += usize::from(good);
        }
        right += usize::from(wrong + changed == 0);
        changed_clues += usize::from(changed > 0);
        let clues = 81 - puzzle.matches('.').count();
        writeln!(
            expected,
            "unique\t{clues}\t{}\t{wrong}\t{changed}",
            wrong + changed == 0
        )
        .unwrap();
        answers.push(String::from_utf8(answer).unwrap());
    }
    let mut table = String::from("id,question,prediction\n");
    for (i, (puzzle, answer)) in puzzles.iter().zip(&answers).enumerate() {
        writeln!(table, "{i},{puzzle},{answer}").unwrap();
    }
    let folder = Folder::new()
        .with("puzzles.txt", puzzles.join("\n"))
        .with("answers.txt", answers.join("\n"))
        .with("table.csv", table);
    let ran = folder
        .run("check puzzles.txt --answers answers.txt --rows --summary json")
        .status(1);
    assert_eq!(ran.stdout, expected);
    let share = |part: usize, whole: usize| format!("{:.6}", part as f64 / whole as f64);
    for entry in [
        format!(
            "\"answers_right\":{right},\"answers_wrong\":{},",
            300 - right
        ),
        format!("\"answers_malformed\":{malformed},"),
        format!("\"answers_with_changed_clues\":{changed_clues},"),
        format!("\"grid_accuracy\":{},", share(right, 300)),
        format!("\"blank_cell_accuracy\":{},", share(blank_right, blank)),
        format!("\"cell_accuracy\":{}", share(all_right, 300 * 81)),
    ] {
        assert!(ran.stderr.contains(&entry), "{entry} {}", ran.stderr);
    }
    // A column gives the same.
    let ran = folder
        .run("check table.csv --answer-column prediction --rows -j 1")
        .status(1);
    for (row, expected) in ran.stdout.lines().skip(1).zip(expected.lines()) {
        assert!(
            row.ends_with(&expected.replace('\t', ",")),
            "{row} {expected}"
        );
    }
    let right = folder.run(&format!(
        "check puzzles.txt --answers {DATA}/easy.solved.txt"
    ));
    right.status(2).says("more answers than there are records");
}

#[test]
fn answers_line_up() {
    let folder = Folder::new()
        .with("puzzles.txt", lines("easy", 20).join("\n"))
        .with("few.txt", lines("easy.solved", 19).join("\n"))
        .with("good.txt", lines("easy.solved", 20).join("\n"));
    folder
        .run("check puzzles.txt --answers good.txt")
        .status(0)
        .says("20 answers-right");
    let ran = folder
        .run("check puzzles.txt --answers few.txt -o rows.txt")
        .status(2);
    ran.says("few.txt has 1 answer less than there are records");
    assert!(
        !folder.names().contains(&"rows.txt".into()),
        "no output after an error"
    );
    folder.refuses("check puzzles.txt --answers none.txt", "none.txt");
    let without = "puzzles.txt: --answer-column: there is no column x; the records have no columns";
    folder.refuses("check puzzles.txt --answer-column x", without);
}

/// The header of a table of one column is no answer.
#[test]
fn answers_may_be_a_table_of_one_column() {
    let solutions = lines("easy.solved", 20).join("\n");
    let folder = Folder::new()
        .with("puzzles.txt", lines("easy", 20).join("\n"))
        .with("good.txt", &solutions)
        .with("named.csv", format!("final_answer\n{solutions}\n"))
        .with("other.csv", format!("\"Mine\"\n{solutions}\n"));
    for call in [
        "check puzzles.txt --answers named.csv",
        "check puzzles.txt --answers named.csv --answer-column Final_Answer",
        "check puzzles.txt --answers other.csv --answer-column mine",
        "check --grids named.csv",
    ] {
        let says = match call.contains("--grids") {
            true => "20 valid",
            false => "20 answers-right",
        };
        folder.run(call).status(0).says(says);
    }
    let says = "good.txt: --answer-column x has no effect: the format line has no columns";
    folder.refuses(
        "check puzzles.txt --answers good.txt --answer-column x",
        says,
    );
}

/// A file of answers may have the puzzles too: names of answers and full grids come first. Answers that are all
/// unsolved puzzles get a warning.
#[test]
fn answers_are_found_beside_puzzles() {
    let (puzzles, mut answers) = (lines("easy", 40), lines("easy.solved", 40));
    // The last answer is wrong, so the accuracy tells whether these answers are taken.
    answers[39] = answers[0].clone();
    let rows = |row: &dyn Fn(&str, &str) -> String| {
        let rows = puzzles.iter().zip(&answers);
        rows.map(|(puzzle, answer)| row(puzzle, answer) + "\n")
            .collect::<String>()
    };
    let table =
        |header: &str, row: &dyn Fn(&str, &str) -> String| format!("{header}\n{}", rows(row));
    let folder = Folder::new()
        .with("p.txt", puzzles.join("\n"))
        .with(
            "solved.csv",
            table("puzzle,solution,status", &|p, a| format!("{p},{a},unique")),
        )
        .with(
            "kaggle.csv",
            table("id,quizzes,prediction", &|p, a| format!("7,{p},{a}")),
        )
        .with(
            "other.csv",
            table("board,filled", &|p, a| format!("{p},{a}")),
        )
        .with(
            "both.csv",
            table("solution,puzzle,prediction", &|p, a| {
                format!("{},{p},{a}", answers[1])
            }),
        )
        .with("nameless.csv", rows(&|p, a| format!("{p};{a}")))
        .with(
            "p.jsonl",
            rows(&|p, a| format!("{{\"puzzle\":\"{p}\",\"answer\":\"{a}\"}}")),
        )
        .with("lines.txt", rows(&|p, a| format!("{p},{a}")))
        .with("words.txt", rows(&|p, a| format!("{p} {a} # note")))
        .with("hash.txt", rows(&|p, a| format!("7f {p} {a}")))
        .with("alone.txt", rows(&|_, a| a.into()));
    for name in folder.names() {
        if name != "p.txt" {
            let ran = folder
                .run(&format!("check p.txt --answers {name} -j 2"))
                .status(1);
            let ran = ran.says("grid_accuracy 0.975");
            assert!(!ran.stderr.contains("warning"), "{name}: {}", ran.stderr);
        }
    }
    for (options, place) in [
        ("--answers p.txt", "p.txt"),
        (
            "--answers solved.csv --answer-column puzzle",
            "column puzzle of solved.csv",
        ),
    ] {
        let warning = format!("warning: no answer in {place} is solved");
        folder
            .run(&format!("check p.txt {options}"))
            .status(1)
            .says(&warning);
        let quiet = folder.run(&format!("check p.txt {options} -q"));
        assert!(!quiet.stderr.contains("warning"));
    }
    let warning = "warning: no answer in column puzzle is solved";
    folder
        .run("check solved.csv --answer-column puzzle")
        .status(1)
        .says(warning);
}

/// Many batches, so that several threads take answers in turn.
#[test]
fn answers_line_up_over_many_batches() {
    let (puzzles, solutions) = (lines("easy", 2000), lines("easy.solved", 2000));
    let repeated = |lines: &[String]| (lines.join("\n") + "\n").repeat(30);
    let folder = Folder::new()
        .with("puzzles.txt", repeated(&puzzles))
        .with("answers.txt", repeated(&solutions));
    for threads in [1, 2, 5] {
        let ran = folder.run(&format!(
            "check puzzles.txt --answers answers.txt -j {threads}"
        ));
        ran.status(0).says("60,000 unique, 60,000 answers-right");
    }
}

#[test]
fn any_of_several_solutions_is_right() {
    let several = TWO_SOLUTIONS;
    let good = several.replacen("..", "21", 1).replacen("..", "12", 1);
    let folder = Folder::new().with("p.txt", several).with("good.txt", good);
    let ran = folder
        .run("check p.txt --answers good.txt --rows")
        .status(1);
    ran.prints("multiple\t77\ttrue\t\t\n")
        .says("1 answers-right");
}

#[test]
fn grids_are_graded() {
    let mut grids = lines("easy.solved", 400);
    grids[3] = grids[1].clone();
    grids[5].replace_range(0..1, ".");
    let two = grids[6][1..2].to_owned();
    grids[6].replace_range(0..1, &two);
    grids[9] = grids[1].clone();
    let folder = Folder::new().with("grids.txt", grids.join("\n"));
    let mut expected = String::new();
    let digit = grids[0].chars().next().unwrap();
    let mut others = 0;
    for (i, grid) in grids.iter().enumerate() {
        let status = match i {
            5 => "malformed",
            6 => "row-duplicate",
            _ => "valid",
        };
        let first = match status {
            "valid" => (grid.starts_with(digit)).to_string(),
            _ => String::new(),
        };
        others += usize::from(first == "false");
        let repeats = if i == 3 || i == 9 { "2" } else { "" };
        writeln!(expected, "{status}\t{first}\t{repeats}").unwrap();
    }
    for threads in [1, 4] {
        let line =
            format!("check --grids --distinct --first-digit {digit} --rows grids.txt -j {threads}");
        let ran = folder.run(&line).status(1).prints(&expected);
        let ran = ran.says(&format!("{others} other-first-digit, 2 repeated"));
        ran.says("grids.txt:6: malformed")
            .says("1 row-duplicate")
            .says("400 records: 398 valid, ");
    }
    folder.refuses("check --distinct grids.txt", "--grids");
    // A shard does not know the numbers of its records.
    let shard = "check grids.txt --answers grids.txt --shard 2/2";
    folder.refuses(shard, "cannot be used with");
    folder
        .run("check --grids --first-digit 0 grids.txt")
        .status(2);
    let all = format!("check --grids --distinct {DATA}/easy.solved.txt");
    folder
        .run(&all)
        .status(0)
        .says("2,000 records: 2,000 valid\n");
    // A repeated grid is valid, and nothing calls it unique.
    let ran = folder
        .run("check --grids --summary json grids.txt")
        .status(1);
    assert!(
        ran.stderr
            .contains(r#""valid":398,"malformed":1,"row_duplicate":1,"#)
            && !ran.stderr.contains("unique")
    );
    (folder
        .run("check --grids grids.txt -o checked.npy --columns status")
        .status(1))
    .prints("");
    assert_eq!(
        std::fs::read(folder.file("checked.npy")).unwrap()[128..][..7],
        [8, 8, 8, 8, 8, 2, 3]
    );
}

#[test]
fn statistics_are_those_of_the_definition() {
    let mut all = lines("easy", 30);
    all.extend(lines("minimal", 60));
    let puzzles: Vec<Puzzle> = all.iter().map(|line| line.parse().unwrap()).collect();
    all.push("nothing".into());
    let mut none = puzzles[0];
    let blank = Cell::all().find(|&cell| none.get(cell).is_none()).unwrap();
    let fits = |digit: &Digit| {
        let mut puzzle = none;
        puzzle.set(blank, Some(*digit));
        puzzle.conflict().is_none() && oracle::solutions(&puzzle, 1).is_empty()
    };
    if let Some(digit) = Digit::all().find(fits) {
        none.set(blank, Some(digit));
        all.push(none.to_string());
    }
    let folder = Folder::new().with("p.txt", all.join("\n"));
    let ran = folder
        .run("stats p.txt --summary json --report page.html")
        .status(1);
    let clues = |n: usize| puzzles.iter().filter(|p| p.clue_count() == n).count();
    for n in (17..60).filter(|&n| clues(n) > 0) {
        let entry = format!("\"clues_{n}\":{}", clues(n));
        assert!(ran.stderr.contains(&entry), "{entry} {}", ran.stderr);
        let bar = |line: &&str| line.trim_start().starts_with(&format!("{n} "));
        let line = ran.stdout.lines().find(bar).unwrap();
        assert!(
            line.contains(&format!(" {} ", clues(n))) && line.contains('#'),
            "{line}"
        );
    }
    let count = |f: &dyn Fn(&Puzzle) -> bool| puzzles.iter().filter(|p| f(p)).count();
    let guesses: Vec<u64> = puzzles.iter().map(reference::guesses).collect();
    let ratings: Vec<String> = (puzzles.iter())
        .map(|puzzle| match technique::rate(puzzle).unwrap().er {
            Some(rating) => rating.to_string(),
            None => ">11.9".into(),
        })
        .collect();
    for rating in &ratings {
        let count = ratings.iter().filter(|other| *other == rating).count();
        let name = rating.replace('>', "over_").replace('.', "_");
        let entry = format!("\"rating_{name}\":{count}");
        assert!(ran.stderr.contains(&entry), "{entry} {}", ran.stderr);
        let (_, bars) = ran.stdout.split_once("\nRating (ER").unwrap();
        let bar = |line: &&str| line.trim_start().starts_with(&format!("{rating} "));
        let line = bars.lines().find(bar).unwrap();
        assert!(line.contains(&format!(" {count} ")), "{line}");
    }
    assert!(ratings.iter().any(|er| er.as_str() > "4.4") && ratings.contains(&"1.2".into()));
    for entry in [
        "\"unique\":90,\"multiple\":0,\"malformed\":1,".to_owned(),
        format!(
            "\"naked_singles_solve\":{},",
            count(&|p| reference::singles_solve(p, true))
        ),
        format!(
            "\"singles_solve\":{},",
            count(&|p| reference::singles_solve(p, false))
        ),
        format!("\"guesses\":{},", guesses.iter().sum::<u64>()),
        format!("\"most_guesses\":{},", guesses.iter().max().unwrap()),
        format!(
            "\"guesses_0\":{}",
            guesses.iter().filter(|&&n| n == 0).count()
        ),
        format!(
            "\"guesses_4_to_7\":{}",
            guesses.iter().filter(|n| (4..8).contains(*n)).count()
        ),
    ] {
        assert!(ran.stderr.contains(&entry), "{entry} {}", ran.stderr);
    }
    let page = folder.read("page.html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("What is in these puzzles"));
    // Any number of threads gives the same.
    let again = folder.run("stats p.txt -j 1 -o bars.txt -q").status(1);
    assert_eq!(again.stderr, "");
    assert_eq!(folder.read("bars.txt"), ran.stdout);
}

/// The files of the course: what `psp -c` makes, and what a student might hand in.
#[test]
fn a_file_of_the_course_is_graded() {
    let folder = Folder::new();
    // The digits at the end, 8 and 0, added, modulo 9, plus 1.
    let student = "2018301780";
    folder
        .run(&format!("psp -c 100 --student {student}"))
        .status(0);
    let good = folder.read("sudoku.txt");
    assert!(good.starts_with('9') && good.lines().count() == 999);
    let grade = |file: &str, student: &str| {
        folder.run(&format!(
            "check --grids --distinct --student {student} {file}"
        ))
    };
    grade("sudoku.txt", student)
        .status(0)
        .says("100 records: 100 valid");
    let ran = grade("sudoku.txt", "2018301781").status(1);
    ran.says("sudoku.txt:1: other-first-digit")
        .says("100 other-first-digit");
    let mut grids: Vec<_> = good.split("\n\n").map(str::to_owned).collect();
    grids[40] = grids[3].clone();
    let bad = grids[50].replacen('9', "8", 1);
    grids[50] = bad;
    std::fs::write(folder.file("bad.txt"), grids.join("\n\n")).unwrap();
    let ran = grade("bad.txt", student).status(1);
    let ran = ran.says(&format!("bad.txt:{}: repeated", 40 * 10 + 1));
    ran.says("2 of 100 records failed");
    // A row for each grid, where asked for.
    folder.prints(
        "check --grids --distinct sudoku.txt -q --rows",
        &"valid\t\n".repeat(100),
    );
    let digit = "check --grids --student 17 --first-digit 9 sudoku.txt";
    folder.refuses(digit, "cannot be used with");
    folder.refuses("check --student 17 sudoku.txt", "--grids");
}
