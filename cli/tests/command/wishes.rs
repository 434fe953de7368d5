//! Every two wishes for puzzles and for grids: both are held, or the command refuses them. docs/internals/pairs.md says which.

use crate::support::{ROOT, cases, has_turn, oracle, reference, runner::Folder, trials};
use std::{collections::BTreeSet, fmt::Write, fs, ops::RangeInclusive};
use sudoku_batch::{
    Cell, Digit, Grid, Puzzle,
    dataset::Equivalence,
    generate::Grids,
    technique::{self, Technique},
};

/// A wish.
struct Wish {
    option: &'static str,
    /// The options without which it has no effect: one of these, of which the first is usual.
    needs: &'static [&'static str],
    /// Whether a record obeys it, by other means than those that make records.
    holds: fn(&Record<'_>) -> bool,
}

impl Wish {
    const fn new(option: &'static str, holds: fn(&Record<'_>) -> bool) -> Self {
        Self {
            option,
            needs: &[],
            holds,
        }
    }

    /// Its option without the value.
    fn name(&self) -> &'static str {
        self.option.split(' ').next().unwrap()
    }
}

/// A record that is made, and the line that has made it.
struct Record<'l> {
    line: &'l str,
    index: u64,
    puzzle: Puzzle,
    solution: Grid,
    /// The smallest images of the puzzles that it must be no copy of.
    known: &'l BTreeSet<String>,
}

const CLUES: &[&str] = &["--clues 30", "--blanks 51"];

/// The cells of a puzzle with 30 clues.
const MASK: &str =
    "XX..X....X..XXX....XX....X.X...X...XX..X.X..XX...X...X.X....XX....XXX..X....X..XX";

const PUZZLES: &[Wish] = &[
    Wish::new("--blanks 51", |made| made.puzzle.clue_count() == 30),
    Wish::new("--clues 30", |made| made.puzzle.clue_count() == 30),
    Wish::new("--minimal", is_minimal),
    Wish::new("--difficulty hard", |made| {
        (26..=34).contains(&hardest(&made.puzzle).0)
    }),
    Wish::new("--rating 2.0..2.8", |made| {
        (20..=28).contains(&hardest(&made.puzzle).0)
    }),
    Wish::new("--te 1", |made| {
        trials::depth(&made.puzzle.into(), 1) == Some(1)
    }),
    Wish::new("--hardest pointing", |made| {
        hardest(&made.puzzle).1 == Some(Technique::Pointing)
    }),
    Wish::new("--contains pointing", |made| {
        path(&made.puzzle).contains(&Technique::Pointing)
    }),
    Wish::new("--first-hard pointing,claiming", |made| {
        let path = path(&made.puzzle);
        let first = path
            .iter()
            .find(|one| one.rating() > Technique::NakedSingle.rating());
        [Technique::Pointing, Technique::Claiming].contains(first.unwrap())
    }),
    Wish::new("--only singles,locked-candidates,hidden-pair", |made| {
        use Technique::*;
        let all = [
            LastCell,
            HiddenSingleInBox,
            HiddenSingleInLine,
            NakedSingle,
            DirectPointing,
            DirectClaiming,
            Pointing,
            Claiming,
            DirectHiddenPair,
            HiddenPair,
        ];
        path(&made.puzzle).iter().all(|one| all.contains(one))
    }),
    Wish::new("--steps 1..4", |made| {
        let path = path(&made.puzzle);
        let is_hard = |one: &&Technique| one.rating() > Technique::NakedSingle.rating();
        (1..=4).contains(&path.iter().filter(is_hard).count())
    }),
    // The second and the third puzzle are relatives of the first: the other wish holds for these.
    Wish {
        needs: &["--contains pointing"],
        ..Wish::new("--relatives 2", |made| {
            path(&made.puzzle).contains(&Technique::Pointing)
        })
    },
    Wish::new("--guesses 1..", |made| {
        reference::guesses(&made.puzzle) >= 1
    }),
    Wish {
        needs: CLUES,
        ..Wish::new("--solved-by naked-singles", |made| {
            reference::singles_solve(&made.puzzle, true)
        })
    },
    Wish::new("--symmetry rotate180", |made| {
        let is_clue = |cell: usize| made.puzzle.get(Cell::new(cell).unwrap()).is_some();
        (0..81).all(|cell| is_clue(cell) == is_clue(80 - cell))
    }),
    Wish::new("--clues-per-row 2..5", |made| {
        are_in(2..=5, made, |cell, _| cell / 9)
    }),
    Wish::new("--clues-per-column 1..6", |made| {
        are_in(1..=6, made, |cell, _| cell % 9)
    }),
    Wish::new("--clues-per-box 1..5", |made| {
        are_in(1..=5, made, |cell, _| cell / 27 * 3 + cell % 9 / 3)
    }),
    Wish::new("--clues-per-digit ..5", |made| {
        are_in(0..=5, made, |_, digit| usize::from(digit.get()) - 1)
    }),
    Wish::new("--missing-digit 5", |made| {
        !made.puzzle.as_str().contains('5')
    }),
    Wish::new(
        "--pattern XX..X....X..XXX....XX....X.X...X...XX..X.X..XX...X...X.X....XX....XXX..X....X..XX",
        |made| {
            let clues = made.puzzle.as_str().chars();
            clues
                .map(|c| if c == '.' { '.' } else { 'X' })
                .eq(MASK.chars())
        },
    ),
    Wish::new("--unbiased", is_minimal),
    Wish {
        needs: CLUES,
        ..Wish::new("--not-unique", |_| true)
    },
    Wish::new("--first-digit 7", |made| {
        made.solution.as_str().starts_with('7')
    }),
    // (8 + 0) modulo 9, plus 1.
    Wish::new("--student 2018301780", |made| {
        made.solution.as_str().starts_with('9')
    }),
    Wish::new("--sequence", is_of_sequence),
    Wish {
        needs: &["--sequence"],
        ..Wish::new("--in-order", is_of_sequence)
    },
    Wish::new("--from grids.txt", |made| {
        let given = Grids::uniform(11).grid(made.index).unwrap();
        made.solution == given
    }),
    Wish::new("--against known.txt", |made| {
        !made.known.contains(&smallest(&made.puzzle))
    }),
];

/// The techniques of its steps.
fn path(puzzle: &Puzzle) -> Vec<Technique> {
    technique::steps(puzzle)
        .map(|step| step.technique)
        .collect()
}

/// Whether the number of clues of each of nine lines is in a range.
fn are_in(
    range: RangeInclusive<usize>,
    made: &Record<'_>,
    line: impl Fn(usize, Digit) -> usize,
) -> bool {
    let mut clues = [0; 9];
    for cell in Cell::all() {
        if let Some(digit) = made.puzzle.get(cell) {
            clues[line(cell.index(), digit)] += 1;
        }
    }
    clues.iter().all(|clues| range.contains(clues))
}

/// The smallest image of a puzzle, whatever number of solutions it has.
fn smallest(puzzle: &Puzzle) -> String {
    Equivalence::Minlex.form(puzzle, None).to_string()
}

const GRIDS: &[Wish] = &[
    Wish::new("--seed 3", |made| {
        let (first, _) = digit(made.line);
        let made_by = |sequence: Grids| match first {
            Some(first) => sequence.with_first_digit(first).position(&made.solution),
            None => sequence.position(&made.solution),
        };
        is_uniform(made) || made_by(Grids::seeded(3)) == Some(made.index)
    }),
    Wish::new("--in-order", |made| {
        let sequence = Grids::in_order();
        let (first, before) = digit(made.line);
        let sequence = first.map_or(sequence.clone(), |first| sequence.with_first_digit(first));
        // The first row counts up, from the first that begins with the digit.
        let row = made.solution.as_str()[..9].to_owned();
        sequence.position(&made.solution) == Some(made.index) && row.starts_with(before)
    }),
    Wish::new("--first-digit 7", |made| {
        made.solution.as_str().starts_with('7')
    }),
    Wish::new("--student 2018301780", |made| {
        made.solution.as_str().starts_with('9')
    }),
    Wish::new("--uniform", is_uniform),
];

/// The first digit that a line asks for, and the first row of the first grid with it as far as it is plain.
fn digit(line: &str) -> (Option<Digit>, &'static str) {
    match (line.contains("--first-digit"), line.contains("--student")) {
        (true, _) => (Digit::new(7), "71234"),
        (_, true) => (Digit::new(9), "91234"),
        _ => (None, "12345"),
    }
}

/// Hardly any grid is an image of the 256 base grids of the sequence.
fn is_uniform(made: &Record<'_>) -> bool {
    Grids::in_order().position(&made.solution).is_none()
}

/// Further tries take the grids from distant parts of the sequence that is asked for.
fn is_of_sequence(made: &Record<'_>) -> bool {
    let sequence = match made.line.contains("--in-order") {
        true => Grids::in_order(),
        false => Grids::seeded(3),
    };
    let (first, _) = digit(made.line);
    let sequence = first.map_or(sequence.clone(), |first| sequence.with_first_digit(first));
    let step = sequence.count() / 200;
    sequence
        .position(&made.solution)
        .is_some_and(|at| at % step == made.index)
}

/// Whether each clue is needed. Of a pattern with a symmetry, clues that belong together go together.
fn is_minimal(made: &Record<'_>) -> bool {
    let clues = Cell::all().filter(|&cell| made.puzzle.get(cell).is_some());
    { clues }.all(|cell| {
        let mut fewer = made.puzzle;
        fewer.set(cell, None);
        if made.line.contains("--symmetry") {
            fewer.set(Cell::new(80 - cell.index()).unwrap(), None);
        }
        oracle::solutions(&fewer, 2).len() == 2
    })
}

/// The rating and the technique of the hardest step, taken one by one.
fn hardest(puzzle: &Puzzle) -> (u8, Option<Technique>) {
    let steps = technique::steps(puzzle);
    let steps = steps.map(|step| (step.rating().tenths(), Some(step.technique)));
    steps.max_by_key(|step| step.0).unwrap_or_default()
}

/// The records of a table of puzzles with their solutions, or of grids.
fn records<'l>(table: &str, line: &'l str, known: &'l BTreeSet<String>) -> Vec<Record<'l>> {
    let rows = table
        .lines()
        .skip(1)
        .map(|row| Vec::from_iter(row.split(',')));
    let records = rows.map(|row| Record {
        line,
        index: row[0].parse().unwrap(),
        puzzle: row[1].parse().unwrap(),
        solution: row.last().unwrap().parse().unwrap(),
        known,
    });
    records.collect()
}

/// Of every two wishes both are held, in any order, or the command refuses them. Compares what it refuses with
/// the table of docs/internals/pairs.md, and returns how many pairs were held.
///
/// Each pair makes records, because each is a promise. By default they are fewer, and one pair of eight is turned: more
/// find what only some grids show.
fn check(command: &str, wishes: &[Wish]) -> usize {
    let grids: String = (0..3)
        .map(|i| format!("{}\n", Grids::uniform(11).grid(i).unwrap()))
        .collect();
    let folder = Folder::new().with("grids.txt", grids);
    let columns = match command {
        "puzzles" => " --columns index,puzzle,solution",
        _ => "",
    };
    let count = cases(1).min(3);
    let mut refused = BTreeSet::new();
    let mut held = 0;
    for (n, first) in wishes.iter().enumerate() {
        for (m, second) in wishes.iter().enumerate().skip(n + 1) {
            let needed = |one: &Wish, other: &Wish| match one.needs {
                [usual, ..] if !one.needs.contains(&other.option) => *usual,
                _ => "",
            };
            let needs = BTreeSet::from([needed(first, second), needed(second, first)]);
            let needs = Vec::from_iter(needs).join(" ");
            let count = match [first, second].map(Wish::name).contains(&"--relatives") {
                true => 3,
                false => count,
            };
            let call = |one: &str, other: &str| {
                let seed = match [one, other].iter().any(|wish| wish.starts_with("--seed")) {
                    _ if format!("{one}{other}{needs}").contains("--in-order") => "",
                    true => "",
                    false => "--seed 3",
                };
                format!("{command} {count} -q {one} {other} {needs} {seed} --format csv{columns}")
            };
            // The other wish alone makes puzzles, and a half turn makes other puzzles of them: these are known.
            let mut known = BTreeSet::new();
            if second.name() == "--against" {
                let made = folder.run(&call(first.option, "")).stdout;
                let none = BTreeSet::new();
                let made = records(&made, first.option, &none);
                let turned = made.iter().map(|made| made.puzzle.as_str().chars().rev());
                let lines = turned.map(|cells| cells.chain(['\n']).collect::<String>());
                fs::write(folder.file("known.txt"), lines.collect::<String>()).unwrap();
                known.extend(made.iter().map(|made| smallest(&made.puzzle)));
            }
            let line = call(first.option, second.option);
            let ran = folder.run(&line);
            if ran.status == Some(2) {
                ran.prints("");
                refused.extend([(n, second.name()), (m, first.name())]);
                continue;
            }
            let made = records(&ran.stdout, &line, &known);
            for made in &made {
                for wish in [first, second] {
                    assert!(
                        (wish.holds)(made),
                        "{line}: {}: {} {}",
                        wish.option,
                        made.puzzle,
                        made.solution
                    );
                }
                let is_unique = oracle::solutions(&made.puzzle, 2) == [made.solution];
                assert!(made.solution.is_solution_of(&made.puzzle), "{line}");
                assert!(is_unique || line.contains("--not-unique"), "{line}");
            }
            // Some are too rare to be made.
            held += usize::from(!made.is_empty());
            if has_turn(n + m, 8) {
                let turned = call(second.option, first.option);
                folder.run(&turned).prints(&ran.stdout);
            }
        }
    }
    let mut table = String::from("| option | refused with |\n|---|---|\n");
    for (n, wish) in wishes.iter().enumerate() {
        let others = refused.iter().filter(|(of, _)| *of == n);
        let mut names: Vec<_> = others.map(|(_, name)| format!("`{name}`")).collect();
        names.sort_by_key(|name| {
            wishes
                .iter()
                .position(|wish| *name == format!("`{}`", wish.name()))
        });
        let names = match &names[..] {
            [] => "nothing".to_owned(),
            names => names.join(", "),
        };
        writeln!(table, "| `{}` | {names} |", wish.name()).unwrap();
    }
    let page = fs::read_to_string(format!("{ROOT}/docs/internals/pairs.md")).unwrap();
    assert!(
        page.contains(&table),
        "docs/internals/pairs.md lacks the table of `{command}`:\n{table}"
    );
    held
}

#[test]
fn every_two_wishes_for_puzzles_hold_together_or_are_refused() {
    let held = check("puzzles", PUZZLES);
    assert!(held > 80, "{held}");
}

#[test]
fn every_two_wishes_for_grids_hold_together_or_are_refused() {
    assert_eq!(check("generate", GRIDS), 7);
}
