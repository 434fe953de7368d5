//! `sudoku-batch near`: what comes of many seeds together, beside each seed alone and other commands.
//! `tests/library/near.rs` compares the neighbours of a seed with all puzzles that have other clues.

use crate::support::{
    cases,
    runner::{Folder, Ran},
};
use std::collections::BTreeSet;

/// Minimal puzzles, and images of some of their neighbours: so most neighbours are found from several seeds.
fn seeds(folder: &Folder) -> Vec<String> {
    // Each has hundreds of neighbours. More of them find an image that is seldom found.
    let made = folder.out(&format!("puzzles -q {} --seed 11", cases(2).min(3)));
    let near = folder.run_on(&made, "near --minimal -q").status(0).stdout;
    let near: Vec<_> = near.lines().step_by(9).map(puzzle).collect();
    let images = folder.run_on(near.join("\n"), "augment -k 1 -q").status(0);
    made.lines()
        .chain(images.stdout.lines())
        .map(str::to_owned)
        .collect()
}

/// The neighbour of a line.
fn puzzle(line: &str) -> &str {
    line.split('\t').nth(1).expect("a number and a neighbour")
}

/// The canonical forms of puzzles, in their order.
fn forms(folder: &Folder, puzzles: &[&str]) -> Vec<String> {
    let ran = folder.run_on(puzzles.join("\n"), "canonical -q").status(0);
    ran.stdout.lines().map(str::to_owned).collect()
}

fn of(ran: &Ran) -> Vec<&str> {
    ran.stdout.lines().map(puzzle).collect()
}

#[test]
fn the_first_of_all_images_is_kept_whatever_its_seed() {
    let folder = Folder::new();
    let seeds = seeds(&folder);
    assert!(seeds.len() > 5);
    let folder = folder.with("seeds.txt", seeds.join("\n"));
    // Each seed alone, and then the first of each form.
    let (mut known, mut expected, mut all) = (BTreeSet::new(), String::new(), 0);
    for (number, seed) in (1..).zip(&seeds) {
        let ran = folder.run_on(seed, "near --minimal -q").status(0);
        let puzzles = of(&ran);
        all += puzzles.len();
        for (form, puzzle) in forms(&folder, &puzzles).into_iter().zip(puzzles) {
            if known.insert(form) {
                expected += &format!("{number}\t{puzzle}\n");
            }
        }
    }
    let kept = known.len();
    assert!(kept > 500 && all > kept + 50, "{kept} of {all}");
    for options in ["-j 1", "-j 3", "--memory 16M"] {
        let ran = folder.run(&format!("near --minimal seeds.txt {options}"));
        ran.status(0).prints(&expected).says(&match kept {
            ..1000 => format!("{kept} kept"),
            _ => format!("{},{:03} kept", kept / 1000, kept % 1000),
        });
    }
    // Puzzles of other files are left out, and so are their symmetric copies.
    let found: Vec<_> = expected.lines().map(puzzle).collect();
    let others: Vec<_> = found.iter().step_by(3).copied().collect();
    let images = folder
        .run_on(others.join("\n"), "augment -k 1 -q")
        .status(0);
    let folder = folder
        .with("known.txt", images.stdout + "malformed\n")
        .with("all.txt", found.join("\n"));
    let rest: String = (expected.lines().enumerate())
        .filter(|(number, _)| number % 3 != 0)
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    for options in ["-j 2", "--memory 16M"] {
        let ran = folder.run(&format!(
            "near --minimal seeds.txt --against known.txt {options}"
        ));
        let ran = ran.status(1).prints(&rest);
        ran.says("known.txt:")
            .says(&format!("against {}", others.len() + 1));
    }
    let ran = folder.run("near --minimal seeds.txt --against known.txt --against all.txt");
    ran.status(1).prints("").says(" shared");
}

#[test]
fn ratings_and_depths_are_those_of_rate() {
    // Four have all that is looked for; each takes a second.
    let limit = cases(4);
    let folder = Folder::new();
    let hardest =
        "98.7..6..75..4......3..8.7.5....7.3...94.........2.1..3.......1.9...5.8...52....6";
    let all = folder
        .run_on(hardest, &format!("near --minimal --limit {limit} -q"))
        .status(0)
        .stdout;
    let puzzles: Vec<_> = all.lines().map(puzzle).collect();
    assert_eq!(puzzles.len(), limit);
    let rated = folder
        .run_on(puzzles.join("\n"), "rate --te -q --format csv")
        .status(0)
        .stdout;
    // Each neighbour, its rating and its depth.
    let rated: Vec<[&str; 3]> = (rated.lines().skip(1))
        .map(|row| {
            let columns: Vec<_> = row.split(',').collect();
            [columns[0], columns[1], columns[columns.len() - 1]]
        })
        .collect();
    let tenths = |rating: &str| rating.replace('.', "").parse::<u32>().unwrap();
    for (options, ratings, least_depth) in [
        ("--rating 4.5..", Some(45..=u32::MAX), None),
        ("--rating 9.0..9.9 --te 1..", Some(90..=99), Some(1)),
        ("--te 2..", None, Some(2)),
    ] {
        let mut expected = String::new();
        for [puzzle, rating, depth] in &rated {
            let is_kept = (ratings.as_ref()).is_none_or(|range| range.contains(&tenths(rating)))
                && least_depth.is_none_or(|least| depth.parse::<u32>().unwrap() >= least);
            if is_kept {
                let rating = ratings.as_ref().map(|_| *rating);
                let columns = rating.into_iter().chain(least_depth.map(|_| *depth));
                let columns: String = columns.map(|column| format!("\t{column}")).collect();
                expected += &format!("1\t{puzzle}{columns}\n");
            }
        }
        assert!(!expected.is_empty());
        let command = format!("near --minimal --limit {limit} -q {options} -j 2");
        let ran = folder.run_on(hardest, &command).status(0).prints(&expected);
        let kept = folder.run_on(puzzles.join("\n"), &format!("filter -q {options}"));
        kept.status(0).prints(&(of(&ran).join("\n") + "\n"));
    }
}

#[test]
fn rows_repeat_the_columns_of_their_seed() {
    let folder = Folder::new();
    let made = folder.out("puzzles -q 2 --seed 4");
    let table: String = (1..)
        .zip(made.lines())
        .map(|(n, line)| format!("s{n},{line}\n"))
        .collect();
    let folder = folder
        .with("seeds.csv", format!("id,puzzle\n{table}bad,12\n"))
        .with("seeds.txt", &made);
    let rows = folder.run("near seeds.csv -j 2").status(1);
    let rows = rows.says("seeds.csv:4: malformed").stdout;
    let lines = folder.out("near -q seeds.txt");
    let seeds: Vec<_> = made.lines().collect();
    let expected = lines.lines().map(|line| {
        let (number, near) = line.split_once('\t').unwrap();
        let seed = seeds[number.parse::<usize>().unwrap() - 1];
        format!("s{number},{seed},{number},{near},unique\n")
    });
    assert_eq!(
        rows,
        "id,puzzle,record,near,status\n".to_owned() + &expected.collect::<String>()
    );
}

#[test]
fn what_is_too_much_is_said() {
    let folder = Folder::new();
    let made = folder.out("puzzles -q 2 --seed 4");
    let folder = folder
        .with("seeds.txt", &made)
        .with("few.txt", format!("{}123\n", ".".repeat(78)));
    let all = folder.out("near --drop 2 --add 1 -q seeds.txt");
    let ran = folder.run("near --drop 2 --add 1 --max-sets 40 seeds.txt --rejects r.txt");
    let ran = ran.status(1).says("2 gave-up");
    let (rejects, rows) = (folder.read("r.txt"), Vec::from_iter(ran.stdout.lines()));
    assert!(rejects.contains("more than 40 sets"), "{rejects}");
    let kept: BTreeSet<_> = all.lines().collect();
    // A neighbour that the first seed no longer has may come from the second one now.
    let of_first = rows.iter().filter(|row| row.starts_with("1\t"));
    assert!(of_first.clone().count() > 5 && of_first.into_iter().all(|row| kept.contains(row)));
    assert!(rows.len() < kept.len());
    let ran = folder.run("near --drop 4 --add 1 few.txt --rejects r.txt");
    ran.status(1).prints("").says("1 too-few-clues");
    let rejects = folder.read("r.txt");
    let reason = "too-few-clues\tit has fewer than 4 clues";
    assert!(rejects.contains(reason), "{rejects}");
    for (call, says) in [
        ("--drop 0 --add 0", "at least one clue is to be another"),
        ("--drop 82", "--drop 82: a puzzle has 81 cells"),
        ("--add 90", "--add 90: a puzzle has 81 cells"),
        ("--drop x", "a whole number is wanted"),
        ("--max-sets 0", "at least 1"),
        (
            "--rating 9..8",
            "9.0 is over 8.0: the smaller one comes first",
        ),
        ("--te 5..", "a depth from 0 to 3, or beyond, is wanted"),
        ("--shard 1/2", "--shard"),
        ("--against missing.txt", "missing.txt"),
    ] {
        folder.refuses(&format!("near seeds.txt {call}"), says);
    }
    let ran = folder.run_on(&made, "near --memory 16M -");
    ran.status(2).says("has to be read twice");
    folder
        .run_on(&made, "near - --against -")
        .status(2)
        .says("can be read once");
}
