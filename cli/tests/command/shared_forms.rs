//! The forms in which people share puzzles, through the commands that write records.

use crate::support::{
    data, has_turn,
    runner::Folder,
    shared_forms::{NOTATIONS, OF_SEVERAL_LINES, shared},
};
use std::collections::BTreeSet;

/// All forms of them, and what stands after a record of an input.
fn forms() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_several = OF_SEVERAL_LINES.map(|form| (form, "\n"));
    NOTATIONS
        .map(|form| (form, ""))
        .into_iter()
        .chain(of_several)
}

#[test]
fn every_command_of_records_writes_them() {
    let (puzzles, solved) = (data::text("easy"), data::text("easy.solved"));
    let repeated = format!("{puzzles}{puzzles}");
    let table = puzzles.lines().map(|cells| format!("easy,{cells}\n"));
    let table = "note,puzzle\n".to_owned() + &table.collect::<String>();
    let folder = Folder::new()
        .with("p.txt", &puzzles)
        .with("p.csv", table)
        .with("twice.txt", &repeated);
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<BTreeSet<_>>();
    // By default a call has one of two numbers of threads: each number meets each file format and each call.
    for (at, (form, end)) in forms().enumerate() {
        let in_form = |text: &str| -> String {
            let records = text.lines().map(|cells| shared(form, cells) + end);
            records.collect()
        };
        let calls = [
            ("convert p.txt", &puzzles),
            ("convert p.txt p.csv", &repeated),
            ("filter p.csv --clues 1..", &puzzles),
            ("dedup --by equality twice.txt", &puzzles),
            ("solve p.txt", &solved),
            ("solutions p.csv", &solved),
        ];
        for (number, (call, text)) in calls.into_iter().enumerate() {
            for threads in [1, 3] {
                if !has_turn(at + number + threads / 2, 2) {
                    continue;
                }
                let call = format!("{call} -q --format {form} -j {threads}");
                folder.prints(&call, &in_form(text));
            }
        }
        for name in ["made.gz", "made.zst"] {
            folder.out(&format!("convert -q p.txt --format {form} -o {name}"));
            for option in ["".to_owned(), format!("--input-format {form}")] {
                let call = format!("convert -q {name} --format line {option}");
                folder.prints(&call, &puzzles);
            }
        }
        folder.out(&format!(
            "split p.txt -q --parts a=60,b=40 --format {form} --output-dir {form}"
        ));
        let parts = ["a", "b"].map(|part| {
            let call = format!("convert -q {form}/{part}.txt --format line");
            lines(&folder.out(&call))
        });
        assert!(parts[0].is_disjoint(&parts[1]), "{form}");
        assert_eq!(&parts[0] | &parts[1], lines(&puzzles), "{form}");
    }
}

/// Records that are given by candidates are written by 81 cells, or they are malformed.
#[test]
fn candidates_become_cells() {
    let puzzles = data::text("minimal");
    let cells = puzzles.lines().next().unwrap();
    let folder = Folder::new().with("p.txt", format!("{cells}\n"));
    let by_candidates = folder.out("convert -q p.txt --format candidates");
    // A blank that lacks one candidate alone is no blank of 81 cells.
    let struck = by_candidates.replacen("123456789", "12345678.", 1);
    let folder = folder
        .with("candidates.txt", by_candidates)
        .with("struck.txt", struck);
    for (form, end) in forms() {
        let expected = shared(form, cells) + end;
        folder.prints(
            &format!("convert -q candidates.txt --format {form}"),
            &expected,
        );
        let ran = folder.run(&format!("convert struck.txt --format {form}"));
        ran.status(1).says("malformed");
    }
}
