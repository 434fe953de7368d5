//! Puzzles of all kinds of settings, checked one by one by other means than those that made them.

use crate::{
    made::{Made, Worker, refused, set_of_seed},
    support::{cases, oracle, reference},
};
use std::{collections::BTreeSet, ops::RangeInclusive};
use sudoku_batch::{
    Cell, Digit, Engine, Grid, Level, Puzzle, Solver,
    dataset::{Equivalence, Weighted},
    generate::Grids,
    puzzle::{Pattern, Symmetry},
    questions::{Answer, Data, MadeSet, PUZZLES, PuzzlesSettings, STATS},
    technique::{self, Difficulty, Rating, Technique, Techniques},
};

/// A worker for the puzzles of uniform grids.
fn worker(seed: u64, settings: PuzzlesSettings) -> Worker {
    Worker::of(&set_of_seed(&PuzzlesSettings { seed, ..settings }))
}

/// The first puzzles of settings, which are all made.
fn made(count: usize, seed: u64, settings: PuzzlesSettings) -> Vec<Made> {
    worker(seed, settings).make_all(0..count as u64)
}

fn minimal() -> PuzzlesSettings {
    PuzzlesSettings::default()
}

fn clues(range: RangeInclusive<u64>) -> PuzzlesSettings {
    PuzzlesSettings {
        clues: Some(range),
        ..minimal()
    }
}

fn of_difficulty(difficulty: Difficulty) -> PuzzlesSettings {
    PuzzlesSettings {
        difficulty: Some(difficulty),
        ..minimal()
    }
}

fn of_pattern(text: &str) -> PuzzlesSettings {
    PuzzlesSettings {
        pattern: Some(text.parse().unwrap()),
        ..minimal()
    }
}

fn unbiased() -> PuzzlesSettings {
    PuzzlesSettings {
        unbiased: true,
        ..minimal()
    }
}

fn with_symmetry(symmetry: Symmetry, settings: PuzzlesSettings) -> PuzzlesSettings {
    PuzzlesSettings {
        symmetry,
        ..settings
    }
}

/// The scalar engine finds one solution, the one that is told; the oracle too, for some.
fn assert_unique(all: &[Made]) {
    let mut solver = Solver::new().with_engine(Engine::Scalar);
    for (i, made) in all.iter().enumerate() {
        let found = solver.solve_unique(&made.puzzle);
        assert_eq!(found, Ok(made.solution), "{}", made.puzzle);
        if i % 50 == 0 {
            assert_eq!(oracle::solutions(&made.puzzle, 2), [made.solution]);
        }
    }
}

fn without(puzzle: &Puzzle, cells: &[Cell]) -> Puzzle {
    let mut puzzle = *puzzle;
    for &cell in cells {
        puzzle.set(cell, None);
    }
    puzzle
}

/// The cell that a symmetry takes a cell to, by the rule in words.
fn image(symmetry: Symmetry, cell: Cell) -> Cell {
    let (row, column) = (cell.row(), cell.column());
    match symmetry {
        Symmetry::None => cell,
        Symmetry::Rotate180 => Cell::at(8 - row, 8 - column),
        Symmetry::Rotate90 => Cell::at(column, 8 - row),
        Symmetry::Horizontal => Cell::at(8 - row, column),
        Symmetry::Vertical => Cell::at(row, 8 - column),
        Symmetry::Diagonal => Cell::at(column, row),
    }
}

/// The clue in a cell and those that go with it.
fn orbit(symmetry: Symmetry, cell: Cell) -> Vec<Cell> {
    let mut orbit = vec![cell];
    while image(symmetry, *orbit.last().unwrap()) != cell {
        orbit.push(image(symmetry, *orbit.last().unwrap()));
    }
    orbit
}

#[test]
fn minimal_puzzles_need_every_orbit() {
    let mut solver = Solver::new().with_engine(Engine::Scalar);
    for &symmetry in Symmetry::ALL {
        let all = made(150, 3, with_symmetry(symmetry, minimal()));
        assert_unique(&all);
        for Made { puzzle, .. } in &all {
            for cell in Cell::all().filter(|&cell| puzzle.get(cell).is_some()) {
                let together = orbit(symmetry, cell);
                assert!(
                    together.iter().all(|&cell| puzzle.get(cell).is_some()),
                    "{puzzle}"
                );
                let fewer = without(puzzle, &together);
                assert_eq!(solver.count(&fewer, 2), 2, "{symmetry} {puzzle}: {cell}");
            }
        }
    }
}

#[test]
fn blanks_are_drawn_evenly_from_the_range() {
    let all = made(2000, 1, clues(33..=36));
    assert_unique(&all);
    for clues in 33..=36 {
        let count = all
            .iter()
            .filter(|made| made.puzzle.clue_count() == clues)
            .count();
        // 500 expected, standard deviation 19.4: six of them, 2 in 10^9.
        assert!((384..=616).contains(&count), "{count} with {clues} clues");
    }
    assert_unique(&made(200, 2, clues(81..=81)));
    assert_unique(&made(200, 2, clues(26..=26)));
}

#[test]
fn symmetric_puzzles_have_the_number_of_clues_and_the_symmetry() {
    for (symmetry, numbers) in [
        (Symmetry::Rotate180, 32..=35),
        (Symmetry::Rotate90, 36..=40),
        (Symmetry::Horizontal, 34..=34),
        (Symmetry::Vertical, 33..=33),
        (Symmetry::Diagonal, 32..=34),
    ] {
        let all = made(300, 4, with_symmetry(symmetry, clues(numbers.clone())));
        assert_unique(&all);
        for Made { puzzle, .. } in &all {
            let count = puzzle.clue_count() as u64;
            assert!(numbers.contains(&count), "{symmetry} {puzzle}");
            let has = |cell| puzzle.get(cell).is_some();
            assert!(Cell::all().all(|cell| has(cell) == has(image(symmetry, cell))));
        }
        let counts: BTreeSet<_> = { all.iter() }
            .map(|made| made.puzzle.clue_count() as u64)
            .collect();
        let quarter = |n: &u64| symmetry != Symmetry::Rotate90 || n % 4 < 2;
        assert!(counts.into_iter().eq(numbers.filter(quarter)), "{symmetry}");
    }
}

/// ER in tenths by the steps of one puzzle at a time: not what the maker asks. Above 4.4 it is 45.
fn er(puzzle: &Puzzle) -> u8 {
    let er = technique::rate(puzzle).unwrap().er;
    er.map_or(45, |er| er.tenths().min(45))
}

/// The table of the issue: words, ER in tenths, clues.
const WORDS: [(Difficulty, std::ops::RangeInclusive<u8>); 5] = [
    (Difficulty::Easy, 0..=15),
    (Difficulty::Medium, 17..=25),
    (Difficulty::Hard, 26..=34),
    (Difficulty::Expert, 36..=44),
    (Difficulty::Extreme, 45..=45),
];

#[test]
fn difficulties_are_what_their_names_promise() {
    for (difficulty, ratings) in WORDS {
        // A rating that is off shows in most puzzles; more of them find one that is off in few.
        let all = made(cases(30), 5, of_difficulty(difficulty));
        assert_unique(&all);
        for Made { puzzle, .. } in &all {
            assert!(ratings.contains(&er(puzzle)), "{difficulty:?} {puzzle}");
            assert!((22..=32).contains(&puzzle.clue_count()), "{puzzle}");
        }
        let easy: Vec<_> = all.iter().map(|made| made.puzzle.clue_count()).collect();
        assert!(difficulty != Difficulty::Easy || easy.iter().all(|&n| n >= 28));
        let others = Difficulty::ALL.iter().filter(|&&other| other != difficulty);
        assert!(
            others
                .clone()
                .all(|other| !other.ratings().contains(difficulty.ratings().end()))
        );
    }
}

#[test]
fn difficulty_rating_clues_and_symmetry_go_together() {
    let tenths = |first, last| Rating::from_tenths(first)..=Rating::from_tenths(last);
    let (none, turned) = (Symmetry::None, Symmetry::Rotate180);
    let with_rating = |first, last, settings| PuzzlesSettings {
        rating: Some(tenths(first, last)),
        ..settings
    };
    let medium = || of_difficulty(Difficulty::Medium);
    for (settings, ratings, clues, symmetry) in [
        (medium(), 17..=25, 22..=32, turned),
        (
            of_difficulty(Difficulty::Expert),
            36..=44,
            22..=32,
            Symmetry::Diagonal,
        ),
        (
            of_difficulty(Difficulty::Easy),
            0..=15,
            28..=32,
            Symmetry::Rotate90,
        ),
        (with_rating(20, 30, medium()), 20..=25, 22..=32, none),
        (with_rating(26, 34, clues(26..=27)), 26..=34, 26..=27, none),
        (with_rating(30, 32, minimal()), 30..=32, 22..=32, turned),
        (with_rating(45, 119, minimal()), 45..=45, 22..=32, turned),
    ] {
        let settings = PuzzlesSettings {
            seed: 6,
            ..with_symmetry(symmetry, settings)
        };
        let set = settings.printed_set().unwrap();
        let set = set.with_grids(Grids::uniform(6)).unwrap();
        let all = Worker::of(&set).make_all(0..12);
        assert_unique(&all);
        for Made { puzzle, .. } in &all {
            assert!(ratings.contains(&er(puzzle)), "{ratings:?} {puzzle}");
            assert!(clues.contains(&puzzle.clue_count()), "{puzzle}");
            let has = |cell| puzzle.get(cell).is_some();
            assert!(Cell::all().all(|cell| has(cell) == has(image(symmetry, cell))));
        }
    }
    let nothing = with_rating(12, 15, of_difficulty(Difficulty::Hard));
    assert_eq!(
        refused(&nothing),
        "the difficulty, the rating and the technique have no ER in common"
    );
    for (first, last) in [(30, 26), (26, 120), (120, 130)] {
        let set = with_rating(first, last, minimal()).set();
        assert!(set.is_err(), "{first} {last}");
    }
}

#[test]
fn naked_singles_and_guesses_are_conditions() {
    let naked = |settings| PuzzlesSettings {
        naked_singles: true,
        ..settings
    };
    let with_guesses = |least| PuzzlesSettings {
        guesses: Some(least..=1_000_000_000),
        ..minimal()
    };
    for numbers in [46..=48, 43..=45, 40..=42] {
        let all = made(300, 5, naked(clues(numbers.clone())));
        assert_unique(&all);
        let counts: BTreeSet<_> = { all.iter() }
            .map(|made| made.puzzle.clue_count() as u64)
            .collect();
        assert!(counts.into_iter().eq(numbers));
        assert!(
            all.iter()
                .all(|made| reference::singles_solve(&made.puzzle, true))
        );
    }
    let all = made(150, 6, with_guesses(1));
    assert_unique(&all);
    assert!(
        all.iter()
            .all(|made| !reference::singles_solve(&made.puzzle, false))
    );
    let all = made(30, 7, with_guesses(12));
    assert_unique(&all);
    assert!(
        all.iter()
            .all(|made| reference::guesses(&made.puzzle) >= 12)
    );
    assert_eq!(
        refused(&naked(minimal())),
        "a puzzle that naked singles solve is made by its number of clues or blanks only"
    );
}

#[test]
fn without_one_solution_only_the_number_counts() {
    let settings = PuzzlesSettings {
        unique: false,
        ..clues(5..=60)
    };
    let all = made(500, 9, settings);
    let clues: BTreeSet<_> = all.iter().map(|made| made.puzzle.clue_count()).collect();
    assert!(clues.len() > 50 && clues.iter().all(|n| (5..=60).contains(n)));
    assert!(
        all.iter()
            .all(|made| made.solution.is_solution_of(&made.puzzle))
    );
}

#[test]
fn slices_are_parts_of_the_whole() {
    for settings in [
        minimal(),
        of_difficulty(Difficulty::Hard),
        PuzzlesSettings {
            minimal: true,
            ..clues(22..=23)
        },
        with_symmetry(Symmetry::Rotate90, clues(30..=40)),
    ] {
        let set = set_of_seed(&PuzzlesSettings {
            seed: 11,
            ..settings
        });
        let mut worker = Worker::of(&set);
        // They fill the lanes of a solver in part. More of them fill all, and several times.
        let count = cases(60) as u64;
        let end = 1000 + count;
        let whole = worker.make(1000..end);
        let mut parts = Vec::new();
        for length in [1, 0, 2, count / 3 - 3, count - count / 3] {
            let start = 1000 + parts.len() as u64;
            parts.extend(worker.make(start..start + length));
        }
        assert_eq!(whole, parts);
        let pairs = |made: &Option<Made>| made.map(|made| (made.puzzle, made.solution));
        assert!(set.iter(1000..end).eq(whole.iter().map(pairs)));
        assert_eq!(worker.make(end - 7..end - 6), whole[whole.len() - 7..][..1]);
    }
}

#[test]
fn sources_of_grids() {
    let sequence = Grids::seeded(3).with_first_digit(Digit::new(4).unwrap());
    let made = |grids, settings: PuzzlesSettings, numbers| {
        let set = settings.set().unwrap().with_grids(grids).unwrap();
        Worker::of(&set).make_all(numbers)
    };
    for (number, made) in (7..).zip(made(sequence.clone(), minimal(), 7..57)) {
        assert_eq!(Some(made.solution), sequence.grid(number));
    }
    let given: Vec<Grid> = (0..20).map(|i| sequence.grid(i * 1000).unwrap()).collect();
    // Some need several tries, from the same grid.
    let few = PuzzlesSettings {
        minimal: true,
        ..clues(0..=23)
    };
    let grids = Grids::given(0, given.iter().copied().map(Some));
    let all = made(grids.clone(), few, 0..20);
    let solutions: Vec<_> = all.iter().map(|made| made.solution).collect();
    assert_eq!(solutions, given);
    for (number, grid) in (0..).zip(&given) {
        assert_eq!(grids.position(grid), Some(number));
        let digit = grid.get(Cell::at(0, 0));
        let of_digit = grids.clone().with_first_digit(digit);
        assert_eq!(of_digit.grid(number), Some(*grid));
        let other = Digit::new(digit.get() % 9 + 1).unwrap();
        assert_eq!(of_digit.with_first_digit(other).grid(number), None);
    }
}

#[test]
fn what_cannot_be_reached_is_none() {
    assert_eq!(worker(0, clues(17..=17)).make(0..3), [None; 3]);
}

#[test]
fn settings_that_cannot_be() {
    let several = |settings| PuzzlesSettings {
        unique: false,
        ..settings
    };
    let too_few = |clues| {
        format!("no puzzle with fewer than 17 clues has one solution, and {clues} were asked for")
    };
    assert_eq!(refused(&clues(0..=16)), too_few(16));
    assert!(clues(10..=17).set().is_ok());
    assert!(several(clues(0..=16)).set().is_ok());
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is tried")]
    let empty = clues(30..=20);
    for wrong in [clues(82..=90), empty] {
        let error = refused(&wrong);
        assert!(
            error.ends_with(
                "a number from 0 to 81 is wanted, or A..B, like 45..50; A.. and ..B are open"
            ),
            "{error}"
        );
    }
    let of_few = PuzzlesSettings {
        minimal: true,
        ..clues(3..=9)
    };
    assert_eq!(refused(&of_few), too_few(9));
    assert_eq!(
        refused(&several(minimal())),
        "a puzzle with several solutions is made by its number of clues or blanks only"
    );
    assert_eq!(
        refused(&with_symmetry(Symmetry::Rotate90, clues(30..=30))),
        "rotate90 puzzles cannot have 30 clues: the nearest number is 29"
    );
}

/// The first puzzles of seed 0 and a far one, of some settings. They stay the same in every
/// version with the same major number.
#[test]
fn golden() {
    let naked = |range| PuzzlesSettings {
        naked_singles: true,
        ..clues(range)
    };
    let mut lines = String::new();
    for (name, settings) in [
        ("minimal", minimal()),
        (
            "minimal 22..23",
            PuzzlesSettings {
                minimal: true,
                ..clues(22..=23)
            },
        ),
        ("clues 28..36", clues(28..=36)),
        (
            "clues 32 rotate180",
            with_symmetry(Symmetry::Rotate180, clues(32..=32)),
        ),
        (
            "clues 36..40 rotate90",
            with_symmetry(Symmetry::Rotate90, clues(36..=40)),
        ),
        ("naked singles, 46..48", naked(46..=48)),
        ("naked singles, 40..42", naked(40..=42)),
        (
            "minimal, 12 guesses",
            PuzzlesSettings {
                guesses: Some(12..=1_000_000_000),
                ..minimal()
            },
        ),
    ] {
        let mut worker = worker(0, settings);
        for number in [0, 1, 123_456_789] {
            for made in worker.make_all(number..number + 1) {
                lines += &format!("{name} {number} {}\n", made.puzzle);
            }
        }
    }
    assert_eq!(lines, include_str!("puzzles.golden"));
}

#[test]
fn names_are_read_again() {
    let names = ["easy", "medium", "hard", "expert", "extreme"];
    assert_eq!(
        Difficulty::ALL
            .iter()
            .map(|known| known.name())
            .collect::<Vec<_>>(),
        names
    );
    for (name, difficulty) in names.into_iter().zip(Difficulty::ALL.iter().copied()) {
        assert_eq!(name.parse(), Ok(difficulty));
    }
    assert_eq!("Easy".parse(), Ok(Difficulty::Easy));
    let error = "simple".parse::<Difficulty>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "no difficulty is called \"simple\"; one of: easy, medium, hard, expert, extreme"
    );
}

/// The puzzles and the solutions of a set by its settings, those with the numbers from 0.
fn of_settings(settings: &[(&str, &str)], count: usize) -> Vec<(Puzzle, Grid)> {
    let set = PUZZLES.with(settings.iter().copied()).unwrap();
    let mut answer = Answer::of(&set.columns());
    answer.begin(count);
    set.worker()(0..count as u64, &mut answer);
    let (Data::Puzzles(puzzles), Data::Cells(solutions)) = (answer.column(1), answer.column(2))
    else {
        panic!("{answer:?}");
    };
    let read = |line: &[u8; 82]| std::str::from_utf8(&line[..81]).unwrap().to_owned();
    let pairs = puzzles.lines(0..puzzles.len()).iter().zip(solutions);
    pairs
        .map(|(puzzle, solution)| {
            (
                read(puzzle).parse().unwrap(),
                read(solution).parse().unwrap(),
            )
        })
        .collect()
}

#[test]
fn levels_of_one_seed_share_no_solution_and_no_puzzle() {
    let levels: [&[(&str, &str)]; 7] = [
        &[],
        &[("difficulty", "easy")],
        &[("difficulty", "medium")],
        &[("difficulty", "hard")],
        &[("rating", "2.0..3.0")],
        &[("hardest", "hidden pair"), ("clues", "26..28")],
        &[("hardest", "naked pair"), ("clues", "26..28")],
    ];
    let (mut puzzles, mut solutions, mut count) = (BTreeSet::new(), BTreeSet::new(), 0);
    for level in levels {
        // Puzzles of a rare technique take longer.
        let of_level = if level.len() > 1 { 10 } else { cases(150) };
        let all = of_settings(&[level, &[("seed", "5")]].concat(), of_level);
        assert!(all.len() > of_level / 2, "{level:?}");
        for (puzzle, solution) in &all {
            let form = |by: Equivalence| by.form(puzzle, solution).to_string();
            puzzles.insert(form(Equivalence::Symmetry));
            solutions.insert(form(Equivalence::Solution));
        }
        count += all.len();
    }
    assert_eq!((puzzles.len(), solutions.len()), (count, count));
}

#[test]
fn puzzles_without_a_level_and_grids_in_order_are_those_of_the_seed() {
    let count = 50;
    let make = |grids, settings: PuzzlesSettings| -> Vec<_> {
        let settings = PuzzlesSettings {
            seed: 9,
            ..settings
        };
        let set = settings.set().unwrap().with_grids(grids).unwrap();
        set.iter(0..count as u64).flatten().collect()
    };
    let uniform = || Grids::uniform(9);
    let sequence = || Grids::seeded(9);
    let seed = ("seed", "9");
    assert_eq!(
        of_settings(&[seed, ("clues", "30..32")], count),
        make(uniform(), clues(30..=32))
    );
    let hard = || of_difficulty(Difficulty::Hard);
    let of_sequence = [seed, ("difficulty", "hard"), ("sequence", "true")];
    assert_eq!(of_settings(&of_sequence, count), make(sequence(), hard()));
    // Texts and the struct agree about the level, and the grids of the seed itself are another level's.
    let level = of_settings(&[seed, ("difficulty", "hard")], count);
    let settings = PuzzlesSettings { seed: 9, ..hard() };
    let made = settings.set().unwrap().iter(0..count as u64).flatten();
    assert_eq!(level, made.collect::<Vec<_>>());
    assert_ne!(level, make(uniform(), hard()));
    // Grids that are given are used as they are.
    let grids = || Grids::given(0, (0..count as u64).map(|number| uniform().grid(number)));
    for difficulty in [Difficulty::Easy, Difficulty::Medium] {
        for (number, (_, solution)) in (0..).zip(make(grids(), of_difficulty(difficulty))) {
            assert_eq!(Some(solution), uniform().grid(number), "{difficulty:?}");
        }
    }
}

/// Half of the puzzles are refused, by a sum over their clues: the maker makes others for them, and the rest stays.
#[test]
fn a_maker_goes_on_where_a_puzzle_is_refused() {
    fn is_odd(puzzle: &Puzzle) -> bool {
        let cells = Cell::all().filter_map(|cell| Some(cell.index() * puzzle.get(cell)?.index()));
        cells.sum::<usize>() % 2 == 1
    }
    fn has_clues(range: RangeInclusive<usize>) -> impl Fn(&Puzzle) -> bool {
        move |puzzle| range.contains(&puzzle.clue_count())
    }
    let turned = with_symmetry(Symmetry::Rotate180, minimal());
    let pattern: Pattern = PATTERNS[2].parse().unwrap();
    type Fits = Box<dyn Fn(&Puzzle) -> bool>;
    // Half of them are refused. More of them have some that are refused several times.
    let all: [(_, Fits, _); 5] = [
        (minimal(), Box::new(|_| true), 80),
        (
            of_difficulty(Difficulty::Easy),
            Box::new(has_clues(28..=32)),
            20,
        ),
        (
            of_difficulty(Difficulty::Hard),
            Box::new(has_clues(22..=32)),
            20,
        ),
        (
            turned,
            Box::new(|puzzle| Symmetry::Rotate180.is_kept_by(puzzle)),
            20,
        ),
        (
            of_pattern(PATTERNS[2]),
            Box::new(move |puzzle| Pattern::of(puzzle) == pattern),
            6,
        ),
    ];
    for (settings, fits, count) in all {
        let count = cases(count) as u64;
        let set = set_of_seed(&PuzzlesSettings {
            seed: 5,
            ..settings.clone()
        });
        let before = Worker::of(&set).make_all(0..count);
        let refusing = set.with_refusal(|puzzle, _| is_odd(puzzle)).unwrap();
        let mut refusing = Worker::of(&refusing);
        let after = refusing.make_all(0..count);
        assert_unique(&after);
        let mut refused = 0;
        for (before, after) in before.iter().zip(&after) {
            assert!(!is_odd(&after.puzzle) && fits(&after.puzzle));
            assert_eq!(before == after, !is_odd(&before.puzzle));
            refused += u64::from(before != after);
        }
        assert!(refused > 0 && refused < count, "{settings:?}");
        let last = refusing.make_all(count - 1..count);
        assert_eq!(last.last(), after.last());
    }
    let set = set_of_seed(&minimal());
    let nothing = set.with_refusal(|_, _| true).unwrap();
    assert_eq!(Worker::of(&nothing).make(0..1), [None]);
    let weighted = set_of_seed(&unbiased()).with_refusal(|_, _| false);
    let message = weighted.map(|_| ()).unwrap_err().to_string();
    assert_eq!(message, "unbiased cannot be used with against");
}

/// A set shows the ER and the technique of every puzzle, whether the maker has rated it or not.
#[test]
fn known_ratings_are_those_of_the_rater() {
    let rating = |tenths| Rating::from_tenths(tenths);
    let wishes = [
        (Some(rating(26)..=rating(34)), None),
        (Some(rating(70)..=rating(76)), None),
        (None, Some(Technique::XyWing)),
        // All that is harder than 4.2 is wanted, so no chain is followed to its end.
        (Some(rating(42)..=Rating::HARDEST), None),
    ];
    for (rating, technique) in wishes {
        let settings = PuzzlesSettings {
            rating,
            hardest: technique.into_iter().collect(),
            seed: 4,
            ..minimal()
        };
        let set = set_of_seed(&settings);
        let names: Vec<_> = set.columns().iter().map(|column| column.name).collect();
        assert_eq!(names[4..], ["er", "technique"]);
        for made in Worker::of(&set).make_all(0..30) {
            let expected = technique::rate(&made.puzzle).unwrap();
            let expected = (expected.er.unwrap(), expected.technique.unwrap());
            assert_eq!(made.hardest, Some(expected), "{}", made.puzzle);
        }
    }
}

/// Weighted means against what is known of all minimal puzzles: 3.1055e37 of them (± 0.065 %), with 26.577 clues
/// (D. Berthier). And each is minimal, with one solution.
#[test]
fn unbiased_puzzles_stand_for_all_minimal_ones() {
    // Four times as many find half the bias.
    let count = cases(3000);
    let all = made(count, 21, unbiased());
    assert_unique(&all[..200]);
    let mut solver = Solver::new().with_engine(Engine::Scalar);
    for Made { puzzle, .. } in &all[..200] {
        for cell in Cell::all().filter(|&cell| puzzle.get(cell).is_some()) {
            assert_eq!(solver.count(&without(puzzle, &[cell]), 2), 2, "{puzzle}");
        }
    }
    let weights: Vec<_> = all.iter().map(|made| made.weight.unwrap()).collect();
    let puzzles: Vec<_> = all.iter().map(|made| *made.puzzle.as_ascii()).collect();
    let mut question = STATS.with([("up-to", "1.5")]).unwrap();
    let weighted = Weighted::of(&question.ask_cells(&puzzles), &weights);
    let ((total, of_total), (clues, of_clues)) = (weighted.total(), weighted.clues());
    assert!(
        (total - 3.1055e37).abs() < 5.0 * of_total,
        "{total:e} {of_total:e}"
    );
    assert!(
        (clues - 26.577).abs() < 5.0 * of_clues,
        "{clues} {of_clues}"
    );
    // The errors are small enough to notice a bias: without weights, there are 24.4 clues.
    assert!(of_total < 0.2 * total && of_clues < 0.3);
}

#[test]
fn unbiased_puzzles_depend_on_seed_and_number_alone() {
    let all = made(1200, 5, unbiased());
    for (first, count, level) in [
        (0, 30, Level::Portable),
        (700, 333, Level::detect()),
        (1199, 1, Level::detect()),
    ] {
        let settings = PuzzlesSettings {
            seed: 5,
            ..unbiased()
        };
        let set = settings.set().unwrap().with_level(level).unwrap();
        let some = Worker::of(&set).make_all(first..first + count as u64);
        assert_eq!(some, all[first as usize..][..count]);
    }
}

/// A heart, a letter, and a pattern with symmetries.
const PATTERNS: [&str; 3] = [
    "..........XX...XX.X..X.X..XX...X...XX.......XX.......X.X.....X...XX.XX......X....",
    ".XXXXXX...X.....X..X......X.X.....X..XXXXXX...X...X....X....X..X......X.X.......X",
    "..XXXXX...X.....X.X.......XX..X.X..XX.......XX..XXX..XX.......X.X.....X...XXXXX..",
];

#[test]
fn puzzles_of_a_pattern_have_its_clues() {
    // Each of a heart takes a tenth of a second. More of them find what only some grids show.
    let count = cases(2);
    for text in PATTERNS {
        let pattern: Pattern = text.parse().unwrap();
        assert_eq!(pattern.to_string(), text);
        let all = made(count, 4, of_pattern(text));
        assert_unique(&all);
        assert!(all.iter().all(|made| {
            made.puzzle
                .as_ascii()
                .iter()
                .zip(text.bytes())
                .all(|(&cell, mask)| (cell == b'.') == (mask == b'.'))
        }));
        assert_eq!(
            all.iter()
                .map(|made| made.puzzle)
                .collect::<BTreeSet<_>>()
                .len(),
            count
        );
        // Any slice, at any level, is the same.
        let settings = PuzzlesSettings {
            seed: 4,
            ..of_pattern(text)
        };
        let set = settings.set().unwrap();
        let set = set.with_level(Level::Portable).unwrap();
        let half = count / 2;
        let some = Worker::of(&set).make_all(half as u64..count as u64);
        assert_eq!(some, all[half..]);
    }
}

/// Which grids are wanted is held for all settings, or refused: for a set with other grids, and by the settings of all languages.
#[test]
fn puzzles_of_a_pattern_begin_with_the_digit_that_is_wanted() {
    let pattern: Pattern = PATTERNS[2].parse().unwrap();
    let set = PuzzlesSettings {
        seed: 6,
        ..of_pattern(PATTERNS[2])
    };
    let set = set.set().unwrap();
    // A pattern with many clues takes a millisecond for each. More of them have other grids.
    let count = cases(2);
    let (mut before, mut of_digits) = (BTreeSet::new(), BTreeSet::new());
    for digit in Digit::all() {
        let grids = Grids::uniform(6).with_first_digit(digit);
        let set = set.clone().with_grids(grids).unwrap();
        for made in Worker::of(&set).make_all(0..count as u64) {
            assert_eq!(made.solution.get(Cell::at(0, 0)), digit);
            assert_eq!(oracle::solutions(&made.puzzle, 2), [made.solution]);
            assert_eq!(Pattern::of(&made.puzzle), pattern);
            before.insert(made.puzzle);
        }
        let name = digit.to_string();
        let settings = [("pattern", PATTERNS[2]), ("first-digit", name.as_str())];
        let set = PUZZLES.with(settings).unwrap();
        let mut answer = Answer::of(&set.columns());
        answer.begin(count);
        set.worker()(0..count as u64, &mut answer);
        let Data::Cells(solutions) = answer.column(2) else {
            unreachable!("the column of solutions")
        };
        of_digits.extend(solutions.iter().map(|line| line[0]));
    }
    assert_eq!(before.len(), 9 * count);
    assert_eq!(of_digits, (b'1'..=b'9').collect());
    for grids in [
        Grids::seeded(6),
        Grids::given(0, [Some(Grids::uniform(6).grid(0).unwrap())]),
    ] {
        let refused = set.clone().with_grids(grids).map(drop);
        let refused = refused.unwrap_err().to_string();
        assert!(
            refused.starts_with("pattern cannot be used with "),
            "{refused}"
        );
    }
    let of_sequence = PUZZLES.with([("pattern", PATTERNS[2]), ("sequence", "true")]);
    let refused = of_sequence.map(|_| ()).unwrap_err().to_string();
    assert!(
        refused.starts_with("pattern cannot be used with sequence"),
        "{refused}"
    );
}

#[test]
fn puzzles_of_a_pattern_fulfil_other_wishes() {
    // Some may be out of reach. Each takes 0.05 s, and more of them find what only some grids show.
    let some = |settings: PuzzlesSettings| {
        let made = worker(2, settings).make(0..cases(2) as u64);
        let made: Vec<Made> = made.into_iter().flatten().collect();
        assert!(!made.is_empty());
        made
    };
    let minimal = PuzzlesSettings {
        minimal: true,
        ..of_pattern(PATTERNS[0])
    };
    let mut solver = Solver::new();
    for Made { puzzle, .. } in some(minimal) {
        let pattern = Pattern::of(&puzzle);
        assert_eq!(pattern.to_string(), PATTERNS[0]);
        for cell in Cell::all().filter(|&cell| pattern.has(cell)) {
            assert_eq!(solver.count(&without(&puzzle, &[cell]), 2), 2);
        }
    }
    let hard = PuzzlesSettings {
        difficulty: Some(Difficulty::Hard),
        ..of_pattern(PATTERNS[2])
    };
    for Made {
        puzzle, hardest, ..
    } in some(hard)
    {
        assert_eq!(Pattern::of(&puzzle).to_string(), PATTERNS[2]);
        let er = technique::rate(&puzzle).unwrap().er.unwrap();
        assert_eq!(Difficulty::of(Some(er)), Difficulty::Hard);
        assert_eq!(hardest.map(|(er, _)| er), Some(er));
    }
}

#[test]
fn impossible_wishes_are_refused_with_what_is_possible() {
    let wrong = |settings: PuzzlesSettings| refused(&settings);
    let full = "X".repeat(81);
    assert_eq!(
        wrong(of_pattern(&format!("{}{}", "X".repeat(16), ".".repeat(65)))),
        "no puzzle with this pattern has one solution: it has 16 clues, and no puzzle with fewer than 17 has one \
         solution"
    );
    let rows = format!("{}{}{}", &full[..27], ".".repeat(18), &full[..36]);
    assert_eq!(
        wrong(of_pattern(&rows)),
        "no puzzle with this pattern has one solution: rows 4 and 5 have no clue, so they can change places in any \
         solution"
    );
    let columns = "XXXXXX.X.".repeat(9);
    assert!(wrong(of_pattern(&columns)).contains("columns 7 and 9 have no clue"));
    // One empty row of each band is possible.
    let possible = format!("{}.........", &full[..18]).repeat(3);
    assert!(of_pattern(&possible).set().is_ok());
    let both = PuzzlesSettings {
        clues: Some(24..=24),
        ..of_pattern(&full)
    };
    assert_eq!(wrong(both), "pattern cannot be used with clues");
    let both = PuzzlesSettings {
        unbiased: true,
        difficulty: Some(Difficulty::Easy),
        ..minimal()
    };
    assert_eq!(wrong(both), "unbiased cannot be used with difficulty");

    let named = |names: &str| Techniques::named(names).unwrap();
    assert_eq!(
        wrong(PuzzlesSettings {
            only: named("X-wing, hidden single in a box"),
            ..minimal()
        }),
        "only leaves out last cell, which places the last digit of each puzzle"
    );
    let never = PuzzlesSettings {
        contains: named("direct claiming"),
        ..minimal()
    };
    assert_eq!(
        wrong(never),
        "contains asks for direct claiming, which is never the easiest step"
    );

    let rating = |tenths| Some(Rating::from_tenths(tenths)..=Rating::from_tenths(tenths));
    let none = PuzzlesSettings {
        rating: rating(19),
        ..minimal()
    };
    let message = wrong(none);
    assert!(
        message.starts_with(
            "no puzzle has an ER from 1.9 to 1.9; one of: 1.0, 1.2, 1.5, 1.7, 2.0, 2.3"
        ),
        "{message}"
    );
    // All that a rater can answer is possible, and nothing else.
    for tenths in 10..=44 {
        // No puzzle has direct claiming as its hardest step (docs/rating.md).
        let has_technique = tenths != 19
            && Technique::ALL
                .iter()
                .any(|t| t.rating() == Rating::from_tenths(tenths));
        let settings = PuzzlesSettings {
            rating: rating(tenths),
            ..minimal()
        };
        assert_eq!(settings.set().is_ok(), has_technique, "{tenths}");
    }
    let few = PuzzlesSettings {
        difficulty: Some(Difficulty::Easy),
        clues: Some(18..=20),
        ..minimal()
    };
    assert_eq!(
        wrong(few.clone()),
        "with an ER up to 1.5 the maker finds no puzzles of 20 clues: there are some from 21 clues on"
    );
    assert!(
        PuzzlesSettings {
            clues: Some(18..=21),
            ..few
        }
        .set()
        .is_ok()
    );
    for (text, what) in [
        ("X..", "a pattern has 81 cells, and this has 3"),
        (
            "X.\n.?",
            "line 2, column 2 of the pattern: '?' is neither `X` nor `.`",
        ),
        (&"X".repeat(82), "a pattern has 81 cells, and this has 82"),
    ] {
        assert_eq!(text.parse::<Pattern>().unwrap_err().to_string(), what);
    }
}

/// A pattern that has no puzzle ends with nothing, after all the work that there is.
#[test]
fn a_pattern_without_luck_ends() {
    // The letter A: whole minutes of work found none for it. So there is none with a clue fewer either, and all the work
    // on that takes a fifth of the time.
    const A: &str =
        "...XXX.....X...X...X.....X..X.....X..XXXXXXX..X.....X........X.X.......XX.......X";
    assert_eq!(worker(1, of_pattern(A)).make(0..1), [None]);
}
