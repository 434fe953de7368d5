//! `--verify` finds what a defective command would write.

mod meanings;
mod reference;

use super::{Command, Program};
use crate::driver::{
    Done, Plan, RecordCommand, SetOptions, Summary, Worker,
    tests::{PUZZLE, Place},
};
use crate::sets::augment::Augment;
use sudoku_batch::{
    format::{Form, Layout},
    grid::CELLS,
    questions::{Answer, Counts, Data, RowView},
};
use sudoku_batch_test_support::has_turn;

/// A command whose answers are changed before they are checked.
struct Corrupting {
    command: Box<dyn RecordCommand>,
    /// The records with these cells are changed, in this column.
    cells: [u8; CELLS],
    column: usize,
    change: fn(&mut [u8]),
}

impl RecordCommand for Corrupting {
    fn plan(&mut self, input: &Layout, output: Form) -> anyhow::Result<Plan> {
        self.command.plan(input, output)
    }

    fn worker(&self) -> Worker<'_> {
        let mut work = self.command.worker();
        Box::new(move |batch, answer| {
            work(batch, answer)?;
            for (record, cells) in batch
                .records
                .cells()
                .expect("81 cells each")
                .iter()
                .enumerate()
            {
                if *cells == self.cells {
                    corrupt(answer, record, self.column, self.change);
                }
            }
            Ok(())
        })
    }

    fn line(&self, row: &RowView<'_>, line: &mut Vec<u8>) -> bool {
        self.command.line(row, line)
    }

    fn summary(&self, counts: &Counts, done: &Done) -> Summary {
        self.command.summary(counts, done)
    }
}

/// Changes what is about to be written in a column of the first row of a record, as a defective command
/// would.
fn corrupt(answer: &mut Answer<'_>, record: usize, column: usize, change: fn(&mut [u8])) {
    let mut entries = answer.entries();
    let found = entries.find(|(of_record, places)| *of_record == record && !places.is_empty());
    drop(entries);
    let Some((_, places)) = found else {
        // Another part of the batch has it.
        return;
    };
    let place = places.start;
    match answer.column_mut(column) {
        Data::Cells(lines) => change(&mut lines[place][..CELLS]),
        Data::Lent(lines) => change(&mut lines[place][..CELLS]),
        Data::Puzzles(puzzles) => change(&mut puzzles.line_mut(place)[..CELLS]),
        Data::Texts(texts) => change(texts.get_mut(place)),
        Data::Numbers(numbers) => {
            let mut text = numbers[place].unwrap().to_string().into_bytes();
            change(&mut text);
            numbers[place] = Some(String::from_utf8(text).unwrap().parse().unwrap());
        }
        other => panic!("{other:?}"),
    }
}

/// A command, and the options of its run.
type Options = (Box<dyn RecordCommand>, SetOptions);

/// A question, as the command line asks it.
fn ask(place: &Place, name: &str, more: &[&str]) -> Options {
    let arguments = ["sudoku-batch", name].map(Into::into).into_iter();
    let program = Program::parse(arguments.chain(place.arguments(more).map(Into::into)));
    let Command::Question(ask) = program.unwrap().command else {
        panic!("{name} is a question");
    };
    let records = ask.records.set.clone();
    (ask, records)
}

/// A puzzle with one solution, in which r1c1 is blank, and the solution.
const OTHER: &str =
    "..65.84..52........87....31..3.1..8.9..863..5.5..9.6..13....25........74..52.63..";

/// Runs a real command with `--verify` on a file in which records number 4,000 and 5,900, from 1,
/// are answered wrongly: `change` is done to the first row, in this column. Checks that the first
/// is named with its line and what is wrong, for any number of threads. Then runs it as it is.
///
/// By default one record of ten has an answer, and the others have a digit twice, which takes no time: so the records
/// are as many as the parts of a file need.
fn check_wrong_answers(
    texts: [&str; 2],
    arguments: &[&str],
    command: fn(&Place, &[&str]) -> Options,
    (column, change): (usize, fn(&mut [u8])),
    what: &str,
) {
    let [common, wrong] = texts;
    let with_a_digit_twice = with_a_digit_twice(common);
    let usual = |n| match has_turn(n, 10) {
        true => common,
        false => &with_a_digit_twice,
    };
    let mut lines = Vec::from_iter((0..6000).map(usual));
    lines[3999] = wrong;
    lines[5899] = wrong;
    let place = Place::with("puzzles.txt", lines.join("\n"));
    for threads in [1, 2, 8] {
        let mut arguments = arguments.to_vec();
        arguments.push("--verify");
        let (command, records) = command(&place, &arguments);
        let cells = wrong.split('"').find(|part| part.len() == CELLS).unwrap();
        let mut task = records.task();
        task.threads = Some(threads);
        let mut corrupting = Corrupting {
            command,
            cells: cells.as_bytes().try_into().unwrap(),
            column,
            change,
        };
        assert_eq!(
            place.fail_with(&mut corrupting, &task),
            format!("4000: --verify found a wrong answer: {what}; output files stay as they were")
        );
    }
}

/// A record whose first digit stands in the next cell too.
fn with_a_digit_twice(record: &str) -> String {
    let cells = record.split('"').find(|part| part.len() == CELLS).unwrap();
    let mut changed = cells.as_bytes().to_vec();
    let at = changed.iter().position(u8::is_ascii_digit).unwrap();
    changed[at + 1] = changed[at];
    record.replace(cells, &String::from_utf8(changed).unwrap())
}

/// Exchanges the first two cells.
fn swap(cells: &mut [u8]) {
    cells.swap(0, 1);
}

/// Two digits change places.
pub(super) fn exchange(cells: &mut [u8], one: u8, other: u8) {
    for cell in cells {
        *cell = match *cell {
            digit if digit == one => other,
            digit if digit == other => one,
            cell => cell,
        };
    }
}

pub(super) fn remove_a_clue(cells: &mut [u8]) {
    let clue = cells.iter_mut().find(|cell| cell.is_ascii_digit());
    *clue.unwrap() = b'.';
}

#[test]
fn a_wrong_solution_is_named() {
    let command = |place: &Place, more: &[&str]| ask(place, "solve", more);
    for more in [
        &[][..],
        &["--format", "csv"],
        &["--engine", "scalar"],
        &["--format", "jsonl"],
    ] {
        let check = |change, what| {
            check_wrong_answers([PUZZLE, OTHER], more, command, (0, change), what);
        };
        check(swap, "column 1 does not hold each digit once");
        check(|cells| cells[80] = b'x', "r9c9 is not a digit");
        // A grid, with other digits than the clues.
        check(
            |cells| exchange(cells, b'5', b'6'),
            "r1c3 is not the clue 6",
        );
        check(
            |cells| cells.fill(b'.'),
            "no answer, but the other engine finds one solution",
        );
    }
}

#[test]
fn a_wrong_solution_of_several_is_named() {
    let command = |place: &Place, more: &[&str]| ask(place, "solutions", more);
    // The digits 1 and 2 may change places in r1c1, r1c2, r4c1 and r4c2.
    let two = "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642";
    for more in [&[][..], &["--format", "csv"]] {
        let check = |text, change, what| {
            check_wrong_answers([PUZZLE, text], more, command, (1, change), what);
        };
        check(OTHER, swap, "column 1 does not hold each digit once");
        let second: fn(&mut [u8]) = |cells| {
            // The second of the two.
            cells.swap(0, 1);
            cells.swap(27, 28);
        };
        check(two, second, "its solutions are not in order");
    }
}

#[test]
fn a_wrong_form_is_named() {
    let command = |place: &Place, more: &[&str]| ask(place, "canonical", more);
    let check = |more: &[&str], column, change, what| {
        check_wrong_answers([PUZZLE, OTHER], more, command, (column, change), what);
    };
    for more in [
        &[][..],
        &["--format", "csv"],
        &["--automorphisms", "--transformation"],
    ] {
        // A puzzle without clues.
        let blank = |cells: &mut [u8]| cells.fill(b'.');
        check(
            more,
            0,
            blank,
            "the second engine does not find exactly one solution of the canonical form",
        );
        // Another clue, which another column cannot hold.
        let first: fn(&mut [u8]) = |cells| {
            let clues = cells.iter().filter(|c| **c != b'.');
            let [first, other] = [1, 2].map(|n| clues.clone().copied().nth(n).unwrap());
            cells.iter_mut().for_each(|cell| {
                *cell = match *cell {
                    c if c == first => other,
                    c => c,
                }
            });
        };
        check(
            more,
            0,
            first,
            "the second engine does not find exactly one solution of the canonical form",
        );
    }
    // Two digits change places in the form: the puzzle is as good, but not the image.
    let renamed: fn(&mut [u8]) = |cells| exchange(cells, b'1', b'2');
    let what = "the transformation does not lead to the canonical form";
    check(&["--transformation"], 0, renamed, what);
    let none: fn(&mut [u8]) = |text| text.fill(b'-');
    check(
        &["--transformation"],
        1,
        none,
        "the transformation is malformed",
    );
}

#[test]
fn a_wrong_extreme_image_is_named() {
    let command = |place: &Place, more: &[&str]| ask(place, "canonical", more);
    let check = |more: &[&str], column, change, what| {
        check_wrong_answers([PUZZLE, OTHER], more, command, (column, change), what);
    };
    for more in [
        &["--minlex"][..],
        &["--maxlex", "--format", "csv"],
        &["--minlex", "--automorphisms", "--transformation"],
    ] {
        check(
            more,
            0,
            remove_a_clue,
            "the canonical form has other digits than the record",
        );
        let what = "the canonical form has another number of solutions than the record";
        check(more, 0, |cells| cells.sort_unstable(), what);
        let renamed: fn(&mut [u8]) = |cells| exchange(cells, b'4', b'5');
        check(
            more,
            0,
            renamed,
            "the digits of the canonical form are not named in order",
        );
    }
    // Another image, which begins with a clue: the record begins with a blank.
    let another: fn(&mut [u8]) = |cells| {
        let clue = cells.iter().position(|c| *c != b'.').unwrap();
        // The line first, then the others of its band, then the other bands.
        let order = |line: usize| {
            let mut order: Vec<usize> = (0..9).collect();
            order.sort_by_key(|&other| {
                (
                    other / 3 != line / 3,
                    other != line && other / 3 == line / 3,
                )
            });
            order
        };
        let form = cells.to_vec();
        let (rows, columns) = (order(clue / 9), order(clue % 9));
        let (mut names, mut turn) = ([0; 256], b'1');
        for (at, cell) in cells.iter_mut().enumerate() {
            *cell = form[9 * rows[at / 9] + columns[at % 9]];
            if *cell != b'.' {
                let name = &mut names[usize::from(*cell)];
                if *name == 0 {
                    (*name, turn) = (turn, turn + 1);
                }
                *cell = *name;
            }
        }
    };
    check(
        &["--minlex"],
        0,
        another,
        "the record itself is a better image",
    );
    let none: fn(&mut [u8]) = |text| text.fill(b'-');
    let more = ["--minlex", "--transformation"];
    check(&more, 1, none, "the transformation is malformed");
    let other: fn(&mut [u8]) = |text| {
        // The digits of a transformation are its last nine characters.
        let digits = text.len() - 9;
        text[digits..].rotate_left(1);
    };
    check(
        &more,
        1,
        other,
        "the transformation does not lead to the canonical form",
    );
}

#[test]
fn a_wrong_number_is_named() {
    let command = |place: &Place, more: &[&str]| ask(place, "rank", more);
    let sequence = sudoku_batch::generate::Grids::seeded(5);
    let grids = [7, 123_456].map(|number| sequence.grid(number).unwrap());
    let texts = grids.each_ref().map(|grid| grid.as_str());
    let change: fn(&mut [u8]) = |number| number.reverse();
    let what = "654321 is the number of another grid";
    for more in [&["--seed", "5"][..], &["--seed", "5", "--format", "csv"]] {
        check_wrong_answers(texts, more, command, (0, change), what);
    }
}

#[test]
fn a_wrong_image_is_named() {
    let command = |place: &Place, more: &[&str]| -> Options {
        let options: Augment = place.options(more);
        let records = options.records.set.clone();
        (Box::new(options), records)
    };
    let check = |change, what| {
        check_wrong_answers([PUZZLE, OTHER], &["-k", "3"], command, (0, change), what);
    };
    check(remove_a_clue, "an image has other digits than the record");
    // It has these digits elsewhere.
    let what = "an image has another number of solutions than the record";
    check(|cells| cells.sort_unstable(), what);
    // The second column are solutions. The first object has a wrong one, so its images have too.
    let object = |puzzle: &str, solution: &str| {
        format!(r#"{{"puzzle":"{puzzle}","solution":"{solution}"}}"#)
    };
    let objects = [
        object(PUZZLE, &".".repeat(CELLS)),
        object(
            OTHER,
            "316578492529134768487629531263415987974863125851792643138947256692351874745286319",
        ),
    ];
    let objects = objects.each_ref().map(String::as_str);
    let check = |change, what| {
        check_wrong_answers(objects, &["-k", "3"], command, (1, change), what);
    };
    check(|cells| cells[7] = b'x', "r1c8 is not a digit");
    check(|cells| cells.fill(b'.'), "an image has no solution");
}
