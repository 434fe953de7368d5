//! Drills and paths: the patterns and effects are those of the rules in `support`, which share nothing with the library
//! but the names.

use crate::support::{
    cases,
    data::puzzles,
    premises,
    rules::{Effect, effects, has_rule},
};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use sudoku_batch::{
    Cell, Grid, Puzzle, Solver,
    format::{Records, line},
    grid::Digits,
    questions::{Answer, DRILLS, Data, PuzzleValue, PuzzlesSettings},
    symmetry::CanonicalGrid,
    technique::{self, Position, Rating, Technique, Techniques},
};

/// A row of drills, as texts say it.
struct Drill {
    record: usize,
    /// The puzzle of the path: a relative of the record, if it is there.
    relative: Option<Puzzle>,
    number: usize,
    technique: Technique,
    rating: Rating,
    grid: Puzzle,
    candidates: Vec<BTreeSet<usize>>,
    effect: Effect,
    words: String,
}

/// The number of a cell from its name, `r1c2`.
fn cell(name: &str) -> usize {
    let [b'r', row, b'c', column] = *name.as_bytes() else {
        panic!("{name} is no cell");
    };
    usize::from(row - b'1') * 9 + usize::from(column - b'1')
}

/// Cells and digits from `r1c2-3 r1c3-3`.
fn marks(text: &str, sign: char) -> Vec<(usize, u8)> {
    let mark = |text: &str| {
        let (name, digit) = text.split_once(sign).unwrap();
        (cell(name), digit.parse().unwrap())
    };
    text.split_whitespace().map(mark).collect()
}

/// The drills of puzzles.
fn drills(puzzles: &[Puzzle], settings: &[(&str, &str)]) -> Vec<Drill> {
    let text: String = puzzles.iter().map(|puzzle| format!("{puzzle}\n")).collect();
    let mut records = Records::default();
    line::read(text.as_bytes(), &mut records);
    let answer: Answer<'_> = DRILLS.with(settings.iter().copied()).unwrap().ask(&records);
    let text = |column: usize, row: usize| match answer.column(column) {
        Data::Texts(texts) => String::from_utf8(texts.get(row).to_vec()).unwrap(),
        other => panic!("{other:?}"),
    };
    let puzzle = |column: usize, row: usize| match answer.column(column) {
        Data::Puzzles(puzzles) => match puzzles.get(row) {
            PuzzleValue::Cells(cells) => Some(cells.to_vec()),
            PuzzleValue::Candidates(candidates, blank) => Some(candidates.to_ascii(blank).to_vec()),
            _ => None,
        },
        other => panic!("{other:?}"),
    };
    let mut found = Vec::new();
    for (record, rows) in answer.entries() {
        for row in rows {
            let Data::Names(names) = answer.column(3) else {
                panic!("names")
            };
            let technique = Technique::ALL[usize::from(names[row])];
            let Data::Numbers(numbers) = answer.column(2) else {
                panic!("numbers")
            };
            let Data::Ratings(ratings) = answer.column(4) else {
                panic!("ratings")
            };
            let [grid, marked] = [5, 6].map(|column| puzzle(column, row).expect("a puzzle"));
            let parsed = |cells: Vec<u8>| String::from_utf8(cells).unwrap().parse().unwrap();
            let relative = puzzle(1, row).map(parsed);
            let grid: Puzzle = std::str::from_utf8(&grid).unwrap().parse().unwrap();
            let of_cell = |(index, marks): (usize, &[u8])| {
                let digits = marks.iter().filter(|mark| mark.is_ascii_digit());
                let digits: BTreeSet<usize> = digits.map(|mark| usize::from(mark - b'0')).collect();
                match grid.get(Cell::new(index).unwrap()) {
                    Some(digit) => {
                        assert_eq!(digits, [usize::from(digit.get())].into());
                        BTreeSet::new()
                    }
                    None => digits,
                }
            };
            assert_eq!(marked.len(), 729);
            let candidates = marked.chunks(9).enumerate().map(of_cell).collect();
            found.push(Drill {
                record,
                relative,
                number: numbers[row].unwrap() as usize,
                technique,
                rating: ratings[row].unwrap(),
                grid,
                candidates,
                effect: Effect {
                    technique,
                    cells: text(7, row).split_whitespace().map(cell).collect(),
                    digits: text(8, row).bytes().map(|digit| digit - b'0').collect(),
                    place: marks(&text(9, row), '=').first().copied(),
                    strikes: marks(&text(10, row), '-').into_iter().collect(),
                },
                words: text(11, row),
            });
        }
    }
    found
}

/// Checks a drill: its candidates have the solution, its step is right and stands in the rules, and no easier step is in
/// sight.
fn check(drill: &Drill, solution: &Grid) {
    let place = || format!("{} {}", drill.grid, drill.words);
    let right = |cell: usize| solution.get(Cell::new(cell).unwrap()).get();
    for (index, digits) in drill.candidates.iter().enumerate() {
        match drill.grid.get(Cell::new(index).unwrap()) {
            Some(digit) => assert_eq!(digit.get(), right(index)),
            None => assert!(digits.contains(&usize::from(right(index))), "{}", place()),
        }
    }
    for &(cell, digit) in &drill.effect.strikes {
        assert_ne!(digit, right(cell), "{}", place());
        assert!(
            drill.candidates[cell].contains(&usize::from(digit)),
            "{}",
            place()
        );
    }
    if let Some((cell, digit)) = drill.effect.place {
        assert_eq!(digit, right(cell), "{}", place());
    }
    let all = effects(drill.grid.as_ascii(), &drill.candidates);
    let easier = |effect: &&Effect| effect.technique.rating() < drill.rating;
    assert_eq!(all.iter().find(easier), None, "{}", place());
    if has_rule(drill.technique) {
        assert!(all.contains(&drill.effect), "{}", place());
    }
    if premises::is_checked(drill.technique) {
        let digits: Vec<Digits> = drill
            .candidates
            .iter()
            .map(|digits| {
                let bits = digits.iter().map(|digit| 1 << (digit - 1));
                Digits::from_bits(bits.sum())
            })
            .collect();
        let position = Position::with_candidates(&drill.grid, &digits.try_into().unwrap());
        let step = position.next_step().unwrap();
        assert_eq!(step.to_string(), drill.words);
        assert_eq!(premises::holds(&position, &step), Some(true), "{}", place());
    }
}

/// Checks the drills of puzzles: they are the steps of the path, each is right, and none is missing. Returns how many
/// there are of each technique.
fn check_all(puzzles: &[Puzzle], up_to: &str) -> BTreeMap<Technique, usize> {
    let mut solver = Solver::new();
    let found = drills(puzzles, &[("up-to", up_to)]);
    let mut met = BTreeMap::new();
    let mut rows = found.iter().peekable();
    for (record, puzzle) in puzzles.iter().enumerate() {
        let solution = solver.solve_unique(puzzle).unwrap();
        let path = technique::steps(puzzle).with_max_rating(up_to.parse().unwrap());
        for (number, step) in (1..).zip(path) {
            let drill = rows
                .next_if(|drill| drill.record == record)
                .expect("a drill for each step");
            assert_eq!((drill.number, drill.technique), (number, step.technique));
            assert_eq!(
                (drill.rating, &drill.words),
                (step.rating(), &step.to_string())
            );
            check(drill, &solution);
            *met.entry(drill.technique).or_insert(0) += 1;
        }
    }
    assert!(rows.next().is_none(), "no more drills than steps");
    met
}

#[test]
fn each_drill_is_a_step_by_the_rules_and_no_easier_one_is_in_sight() {
    let (minimal, hard) = (puzzles("minimal"), puzzles("hard"));
    let some = |all: &[Puzzle], usual| all[..cases(usual).min(all.len())].to_vec();
    let puzzles = [some(&minimal, 12), some(&hard, 8)].concat();
    let met = check_all(&puzzles, "6.2");
    let in_planes = Technique::ALL
        .iter()
        .filter(|one| one.rating() <= Rating::IN_PLANES);
    let missing: Vec<_> = in_planes.filter(|one| !met.contains_key(one)).collect();
    // Direct claiming is never the easiest step, and some others are rare.
    assert!(missing.len() <= 6, "{missing:?}");
}

/// Techniques that hardly any puzzle has.
const RARE: [Technique; 4] = [
    Technique::HiddenQuad,
    Technique::Jellyfish,
    Technique::UniqueLoop3,
    Technique::Bug3,
];

/// A puzzle with each of these.
fn rare() -> Vec<Puzzle> {
    let puzzles = [
        "9....6...42.....67.38..1....6.3...5....1.87.....9....3......5.21....4.38..5....7.",
        "..9..7..623...5......9...21..6.23....948....7.........1....23.....3...1........69",
        "...13.5.......8....2.4...1..1....76...9.4...........2913.7.5.9.9.....6.14..69...3",
        "....8.175..4.52....6..7...4..54........2...36.4..1..8...31...........7...56...9..",
    ];
    puzzles.map(|puzzle| puzzle.parse().unwrap()).into()
}

/// The solution of the puzzle on whose path a drill lies, and its canonical form.
fn solution(solver: &mut Solver, puzzles: &[Puzzle], drill: &Drill) -> (Grid, Grid) {
    let puzzle = drill.relative.unwrap_or(puzzles[drill.record]);
    let solution = solver.solve_unique(&puzzle).unwrap();
    (solution, CanonicalGrid::new(&solution).grid())
}

/// Relatives have the technique of the record on their paths, differ in a clue from the record or from each other, and have
/// other solutions.
#[test]
fn relatives_have_the_technique_too() {
    let puzzles = &rare();
    let names = "naked triplet, hidden quad, jellyfish, unique loop, BUG";
    let settings = |relatives| {
        [
            ("up-to", "6.2"),
            ("technique", names),
            ("relatives", relatives),
        ]
    };
    let found = drills(puzzles, &settings("4"));
    // Without relatives the records have the same drills, in the same order.
    let alone = drills(puzzles, &settings("0"));
    let key = |drill: &Drill| (drill.record, drill.number, drill.words.clone());
    let own = found.iter().filter(|drill| drill.relative.is_none());
    assert!(own.map(key).eq(alone.iter().map(key)));
    let mut solver = Solver::new();
    let mut before: BTreeMap<(usize, Technique), (Vec<Puzzle>, Vec<Grid>)> = BTreeMap::new();
    let mut met = BTreeMap::new();
    for drill in &found {
        let (right, form) = solution(&mut solver, puzzles, drill);
        check(drill, &right);
        let Some(relative) = drill.relative else {
            let own = (vec![puzzles[drill.record]], vec![form]);
            before.insert((drill.record, drill.technique), own);
            continue;
        };
        // The step is the first of its technique on the path.
        let mut path = technique::steps(&relative).map(|step| step.technique);
        let first = path.position(|technique| technique == drill.technique);
        assert_eq!(first, Some(drill.number - 1));
        let (family, forms) = before.get_mut(&(drill.record, drill.technique)).unwrap();
        let is_near = |other: &Puzzle| {
            let cells = || Cell::all().filter(|&cell| other.get(cell) != relative.get(cell));
            let differs = |one: &Puzzle, two: &Puzzle| {
                cells()
                    .filter(|&cell| {
                        one.get(cell)
                            .is_some_and(|_| two.get(cell) != one.get(cell))
                    })
                    .count()
            };
            differs(other, &relative) == 1 && differs(&relative, other) == 1
        };
        assert!(family.iter().any(is_near), "{relative}");
        assert!(!forms.contains(&form), "{relative}");
        family.push(relative);
        forms.push(form);
        assert!(forms.len() <= 5);
        *met.entry(drill.technique).or_insert(0) += 1;
    }
    // Each has four relatives for the rare technique, and some have for others too.
    for technique in RARE {
        assert!(met[&technique] >= 4, "{met:?}");
    }
}

/// An answer depends on its record alone, whatever records and techniques are asked about with it.
#[test]
fn relatives_depend_on_their_record_alone() {
    let puzzles = &rare();
    let settings = |names| [("up-to", "5.7"), ("technique", names), ("relatives", "3")];
    let key = |drill: &Drill| (drill.relative, drill.number, drill.words.clone());
    let all = drills(puzzles, &settings("pointing, naked pair, jellyfish, BUG"));
    assert!(all.iter().filter(|drill| drill.relative.is_some()).count() > 12);
    for (record, puzzle) in puzzles.iter().enumerate() {
        let alone = drills(&[*puzzle], &settings("jellyfish"));
        let of_record = all.iter().filter(|drill| drill.record == record);
        let some = of_record.filter(|drill| drill.technique == Technique::Jellyfish);
        assert!(some.map(key).eq(alone.iter().map(key)), "{puzzle}");
    }
}

/// A thousand drills of each technique up to 6.2, all with different solutions up to symmetry. Direct claiming has none: no
/// puzzle has it as the easiest step.
#[test]
#[ignore = "it takes five minutes: `cargo test --release --test library drills -- --ignored --nocapture`"]
fn a_thousand_drills_of_each_technique_hold_by_the_rules() {
    let wanted = 1000;
    let mut met: BTreeMap<Technique, HashSet<Grid>> = BTreeMap::new();
    let mut solver = Solver::new();
    let settings = PuzzlesSettings {
        seed: 70,
        ..PuzzlesSettings::default()
    };
    let set = settings.set().unwrap();
    let all: Techniques = Technique::ALL
        .iter()
        .copied()
        .filter(|one| one.rating() <= Rating::from_tenths(62) && *one != Technique::DirectClaiming)
        .collect();
    let mut open = all;
    for start in (0..4_000_000).step_by(4000) {
        let puzzles: Vec<_> = set
            .iter(start..start + 4000)
            .flatten()
            .map(|(puzzle, _)| puzzle)
            .collect();
        let names = open.to_string();
        // Common techniques come from records alone.
        let relatives = if start < 20_000 { "0" } else { "20" };
        let settings = [
            ("up-to", "6.2"),
            ("technique", &names),
            ("relatives", relatives),
        ];
        for drill in drills(&puzzles, &settings) {
            let solutions = met.entry(drill.technique).or_default();
            if solutions.len() < wanted {
                let (right, canonical) = solution(&mut solver, &puzzles, &drill);
                if solutions.insert(canonical) {
                    check(&drill, &right);
                }
            }
        }
        let is_open = |one: &Technique| {
            met.get(one)
                .is_none_or(|solutions| solutions.len() < wanted)
        };
        open = all.iter().filter(is_open).collect();
        println!("{start}: {open}");
        if open.is_empty() {
            return;
        }
    }
    panic!("{open}");
}

#[test]
fn some_techniques_are_all_of_them_without_the_others() {
    let puzzles = &puzzles("minimal")[..40];
    let all = drills(puzzles, &[("up-to", "4.4")]);
    let some = drills(
        puzzles,
        &[
            ("up-to", "4.4"),
            ("technique", "naked_pair, locked-candidates"),
        ],
    );
    let set = Techniques::named("naked pair, pointing, claiming, direct pointing, direct claiming")
        .unwrap();
    let kept = all.iter().filter(|drill| set.contains(drill.technique));
    let key = |drill: &Drill| (drill.record, drill.number, drill.words.clone());
    assert!(kept.map(key).eq(some.iter().map(key)));
    assert!(some.len() > 20);
}

/// The steps of a puzzle, each of which is one of the easiest by the rules up to 4.4.
pub(crate) fn path(puzzle: &Puzzle) -> Vec<Technique> {
    let mut position = Position::new(puzzle);
    let mut path = Vec::new();
    while let Some(step) = position.next_step() {
        if step.rating() <= Rating::IN_PLANES {
            let digits = |cell: Cell| position.candidates(cell).iter();
            let candidates: Vec<BTreeSet<usize>> = Cell::all()
                .map(|cell| digits(cell).map(|digit| digit.get().into()).collect())
                .collect();
            let all = effects(position.filled().as_ascii(), &candidates);
            let easiest = all.iter().map(|effect| effect.technique.rating()).min();
            assert_eq!(easiest, Some(step.rating()), "{puzzle}");
        }
        path.push(step.technique);
        position.apply(&step);
    }
    path
}

/// Each puzzle that is made for its path has the path that was asked for, by the rules.
#[test]
fn made_puzzles_have_the_path_that_was_asked_for() {
    let named = |text: &str| Techniques::named(text).unwrap();
    let is_hard = |one: &&Technique| one.rating() > Rating::from_tenths(23);
    let wishes = |change: &dyn Fn(&mut PuzzlesSettings)| {
        let mut wishes = PuzzlesSettings {
            seed: 5,
            ..PuzzlesSettings::default()
        };
        change(&mut wishes);
        wishes
    };
    let contains = |text: &'static str| wishes(&|wishes| wishes.contains = named(text));
    let first = |text: &'static str| wishes(&|wishes| wishes.first_hard = named(text));
    let all = [
        contains("X-wing"),
        contains("hidden pair, naked triplet"),
        first("naked pair"),
        first("X-wing, XY-wing"),
        wishes(&|wishes| wishes.only = named("hidden single, pointing")),
        wishes(&|wishes| {
            (wishes.only, wishes.contains) = (
                named("singles, locked candidates, naked pair"),
                named("naked pair"),
            )
        }),
        wishes(&|wishes| wishes.steps = Some(3..=4)),
        wishes(&|wishes| (wishes.steps, wishes.first_hard) = (Some(1..=1), named("claiming"))),
    ];
    for wishes in all {
        let set = wishes.set().unwrap();
        for made in set.iter(0..cases(2) as u64) {
            let (puzzle, _) = made.expect("it can be made");
            let path = path(&puzzle);
            let hard: Vec<_> = path.iter().filter(is_hard).collect();
            let has = |set: Techniques| set.is_empty() || path.iter().any(|one| set.contains(*one));
            assert!(has(wishes.contains), "{puzzle} {wishes:?}");
            let begins = hard
                .first()
                .is_some_and(|one| wishes.first_hard.contains(**one));
            assert!(
                wishes.first_hard.is_empty() || begins,
                "{puzzle} {wishes:?}"
            );
            let direct = [
                (Technique::DirectPointing, Technique::Pointing),
                (Technique::DirectClaiming, Technique::Claiming),
                (Technique::DirectHiddenPair, Technique::HiddenPair),
                (Technique::DirectHiddenTriplet, Technique::HiddenTriplet),
            ];
            let base = |one: Technique| {
                direct
                    .iter()
                    .find(|(direct, _)| *direct == one)
                    .map(|(_, base)| *base)
            };
            let allowed = |one: &Technique| {
                wishes.only.contains(*one)
                    || base(*one).is_some_and(|base| wishes.only.contains(base))
            };
            assert!(
                wishes.only.is_empty() || path.iter().all(allowed),
                "{puzzle} {wishes:?}"
            );
            let number = hard.len() as u64;
            assert!(
                wishes
                    .steps
                    .as_ref()
                    .is_none_or(|range| range.contains(&number)),
                "{puzzle} {number} {wishes:?}"
            );
        }
    }
}

/// Wishes that no path fulfils are refused before any grid is dug.
#[test]
fn contradictions_of_paths_are_refused() {
    use sudoku_batch::questions::PUZZLES;
    let refused = |settings: &[(&str, &str)]| {
        let error = PUZZLES
            .with(settings.iter().copied())
            .map(drop)
            .unwrap_err();
        error.to_string()
    };
    let both = |one: (&'static str, &'static str), other| [one, other];
    for (settings, what) in [
        (
            both(("contains", "X-wing"), ("only", "singles")),
            "contains asks for X-wing, which only leaves out",
        ),
        (
            both(("first-hard", "X-wing"), ("only", "singles")),
            "first-hard asks for X-wing, which only leaves out",
        ),
        (
            both(("hardest", "X-wing"), ("only", "singles, naked pair")),
            "hardest asks for X-wing, which only leaves out",
        ),
        (
            both(("hardest", "X-wing"), ("contains", "XY-wing")),
            "contains needs an ER from 4.2 to 11.9, and one from 3.2 to 3.2 is asked for",
        ),
        (
            both(("rating", "..2.3"), ("steps", "1..")),
            "steps needs an ER from 2.5 to 11.9, and one from 0.0 to 2.3 is asked for",
        ),
        (
            both(("first-hard", "naked single"), ("minimal", "true")),
            "first-hard cannot be naked single",
        ),
        (
            both(("contains", "X-wing"), ("steps", "0")),
            "contradict each other",
        ),
        (
            both(("contains", "X-wing"), ("unbiased", "true")),
            "unbiased cannot be used with contains",
        ),
    ] {
        let error = refused(&settings);
        assert!(error.contains(what), "{error}");
    }
}
