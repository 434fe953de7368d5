//! Puzzles of every recipe, checked one by one by other means than those that made them.

use crate::support::{cases, has_turn, oracle, reference};
use std::collections::BTreeSet;
use sudoku_batch::{
    Cell, Digit, Engine, Grid, Level, Puzzle, Solver,
    dataset::{Equivalence, Weighted},
    generate::{Grids, Sequence, Uniform},
    puzzle::{Made, Maker, PathWishes, Pattern, Recipe, RecipeError, Symmetry, Wanted},
    questions::{Answer, Data, MadeSet, PUZZLES, PuzzleSet, STATS},
    technique::{self, Difficulty, Rating, Technique, Techniques},
};

fn maker(seed: u64, recipe: Recipe) -> Maker {
    let grids = Grids::Uniform(Uniform::seeded(seed));
    Maker::new(Solver::new(), grids, seed, recipe).unwrap()
}

/// The first puzzles of a recipe, which are all made.
fn made(count: usize, seed: u64, recipe: Recipe) -> Vec<Made> {
    let mut made = vec![None; count];
    maker(seed, recipe).make_batch(0, &mut made);
    made.into_iter().map(|made| made.expect("made")).collect()
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
        let recipe = Recipe::minimal().with_symmetry(symmetry).unwrap();
        let all = made(150, 3, recipe);
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
    let all = made(2000, 1, Recipe::clues(33..=36).unwrap());
    assert_unique(&all);
    for clues in 33..=36 {
        let count = all
            .iter()
            .filter(|made| made.puzzle.clue_count() == clues)
            .count();
        // 500 expected, standard deviation 19.4: six of them, 2 in 10^9.
        assert!((384..=616).contains(&count), "{count} with {clues} clues");
    }
    assert_unique(&made(200, 2, Recipe::clues(81..=81).unwrap()));
    assert_unique(&made(200, 2, Recipe::clues(26..=26).unwrap()));
}

#[test]
fn symmetric_puzzles_have_the_number_of_clues_and_the_symmetry() {
    for (symmetry, clues) in [
        (Symmetry::Rotate180, 32..=35),
        (Symmetry::Rotate90, 36..=40),
        (Symmetry::Horizontal, 34..=34),
        (Symmetry::Vertical, 33..=33),
        (Symmetry::Diagonal, 32..=34),
    ] {
        let recipe = Recipe::clues(clues.clone()).unwrap();
        let all = made(300, 4, recipe.with_symmetry(symmetry).unwrap());
        assert_unique(&all);
        for Made { puzzle, .. } in &all {
            assert!(clues.contains(&puzzle.clue_count()), "{symmetry} {puzzle}");
            let has = |cell| puzzle.get(cell).is_some();
            assert!(Cell::all().all(|cell| has(cell) == has(image(symmetry, cell))));
        }
        let numbers: BTreeSet<_> = all.iter().map(|made| made.puzzle.clue_count()).collect();
        let quarter = |n: &usize| symmetry != Symmetry::Rotate90 || n % 4 < 2;
        assert!(numbers.into_iter().eq(clues.filter(quarter)), "{symmetry}");
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
        let all = made(cases(30), 5, Recipe::difficulty(difficulty));
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
    let medium = Recipe::difficulty(Difficulty::Medium);
    let clues = |range| Recipe::clues(range).unwrap();
    for (recipe, ratings, clues, symmetry) in [
        (medium.clone(), 17..=25, 22..=32, turned),
        (
            Recipe::difficulty(Difficulty::Expert),
            36..=44,
            22..=32,
            Symmetry::Diagonal,
        ),
        (
            Recipe::difficulty(Difficulty::Easy),
            0..=15,
            28..=32,
            Symmetry::Rotate90,
        ),
        (
            medium.with_rating(tenths(20, 30)).unwrap(),
            20..=25,
            22..=32,
            none,
        ),
        (
            clues(26..=27).with_rating(tenths(26, 34)).unwrap(),
            26..=34,
            26..=27,
            none,
        ),
        (
            Recipe::rating(tenths(30, 32)).unwrap(),
            30..=32,
            22..=32,
            turned,
        ),
        (
            Recipe::rating(tenths(45, 119)).unwrap(),
            45..=45,
            22..=32,
            turned,
        ),
    ] {
        let all = made(12, 6, recipe.with_symmetry(symmetry).unwrap());
        assert_unique(&all);
        for Made { puzzle, .. } in &all {
            assert!(ratings.contains(&er(puzzle)), "{ratings:?} {puzzle}");
            assert!(clues.contains(&puzzle.clue_count()), "{puzzle}");
            let has = |cell| puzzle.get(cell).is_some();
            assert!(Cell::all().all(|cell| has(cell) == has(image(symmetry, cell))));
        }
    }
    let hard = Recipe::difficulty(Difficulty::Hard);
    let nothing = hard.with_rating(tenths(12, 15));
    assert_eq!(nothing, Err(RecipeError::NoRating));
    for (first, last) in [(30, 26), (26, 120), (120, 130)] {
        let recipe = Recipe::minimal().with_rating(tenths(first, last));
        assert!(recipe.is_err(), "{first} {last}");
    }
}

#[test]
fn naked_singles_and_guesses_are_conditions() {
    for clues in [46..=48, 43..=45, 40..=42] {
        let recipe = Recipe::clues(clues.clone())
            .unwrap()
            .with_naked_singles()
            .unwrap();
        let all = made(300, 5, recipe);
        assert_unique(&all);
        let numbers: BTreeSet<_> = all.iter().map(|made| made.puzzle.clue_count()).collect();
        assert!(numbers.into_iter().eq(clues));
        assert!(
            all.iter()
                .all(|made| reference::singles_solve(&made.puzzle, true))
        );
    }
    let all = made(150, 6, Recipe::minimal().with_guesses(1..=u64::MAX));
    assert_unique(&all);
    assert!(
        all.iter()
            .all(|made| !reference::singles_solve(&made.puzzle, false))
    );
    let all = made(30, 7, Recipe::minimal().with_guesses(12..=u64::MAX));
    assert_unique(&all);
    assert!(
        all.iter()
            .all(|made| reference::guesses(&made.puzzle) >= 12)
    );
    let naked = Recipe::minimal().with_naked_singles();
    assert_eq!(naked, Err(RecipeError::NakedSingles));
}

#[test]
fn without_one_solution_only_the_number_counts() {
    let recipe = Recipe::clues(5..=60)
        .unwrap()
        .with_several_solutions()
        .unwrap();
    let all = made(500, 9, recipe);
    let clues: BTreeSet<_> = all.iter().map(|made| made.puzzle.clue_count()).collect();
    assert!(clues.len() > 50 && clues.iter().all(|n| (5..=60).contains(n)));
    assert!(
        all.iter()
            .all(|made| made.solution.is_solution_of(&made.puzzle))
    );
}

#[test]
fn slices_are_parts_of_the_whole() {
    for recipe in [
        Recipe::minimal(),
        Recipe::difficulty(Difficulty::Hard),
        Recipe::minimal_with_clues(22..=23).unwrap(),
        Recipe::clues(30..=40)
            .unwrap()
            .with_symmetry(Symmetry::Rotate90)
            .unwrap(),
    ] {
        let mut maker = maker(11, recipe);
        // They fill the lanes of a solver in part. More of them fill all, and several times.
        let count = cases(60);
        let mut whole = vec![None; count];
        maker.make_batch(1000, &mut whole);
        let mut parts = Vec::new();
        for length in [1, 0, 2, count / 3 - 3, count - count / 3] {
            let mut part = vec![None; length];
            maker.make_batch(1000 + parts.len() as u64, &mut part);
            parts.extend(part);
        }
        assert_eq!(whole, parts);
        let end = 1000 + count as u64;
        assert!(maker.iter(1000..end).eq(whole.iter().copied()));
        assert_eq!(maker.make(end - 7), whole[count - 7]);
    }
}

#[test]
fn sources_of_grids() {
    let sequence = Sequence::seeded(3).with_first_digit(Digit::new(4).unwrap());
    let new = |grids, recipe| Maker::new(Solver::new(), grids, 0, recipe).unwrap();
    let mut made = vec![None; 50];
    new(Grids::Sequence(sequence.clone()), Recipe::minimal()).make_batch(7, &mut made);
    for (number, made) in (7..).zip(&made) {
        assert_eq!(Some(made.unwrap().solution), sequence.grid(number));
    }
    let given: Vec<Grid> = (0..20).map(|i| sequence.grid(i * 1000).unwrap()).collect();
    let mut made = vec![None; 20];
    // Some need several tries, from the same grid.
    let recipe = Recipe::minimal_with_clues(0..=23).unwrap();
    new(Grids::given(0, given.iter().copied().map(Some)), recipe).make_batch(0, &mut made);
    let solutions: Vec<_> = made.iter().map(|made| made.unwrap().solution).collect();
    assert_eq!(solutions, given);
}

#[test]
fn what_cannot_be_reached_is_none() {
    let mut made = vec![None; 3];
    maker(0, Recipe::clues(17..=17).unwrap()).make_batch(0, &mut made);
    assert_eq!(made, [None; 3]);
}

#[test]
fn recipes_that_cannot_be() {
    let clues = |range| Recipe::clues(range).unwrap();
    let new = |recipe| {
        let grids = Grids::Uniform(Uniform::seeded(0));
        Maker::new(Solver::new(), grids, 0, recipe).map(|_| ())
    };
    assert_eq!(
        new(clues(0..=16)),
        Err(RecipeError::TooFewClues { clues: 16 })
    );
    assert_eq!(new(clues(10..=17)), Ok(()));
    assert_eq!(new(clues(0..=16).with_several_solutions().unwrap()), Ok(()));
    assert_eq!(Recipe::clues(82..=90), Err(RecipeError::Range(82, 90)));
    #[expect(clippy::reversed_empty_ranges, reason = "that is what is tried")]
    let empty = Recipe::clues(30..=20);
    assert_eq!(empty, Err(RecipeError::Range(30, 20)));
    assert_eq!(
        Recipe::minimal_with_clues(3..=9),
        Err(RecipeError::TooFewClues { clues: 9 })
    );
    assert_eq!(
        Recipe::minimal().with_several_solutions(),
        Err(RecipeError::NotUnique)
    );
    let error = clues(30..=30)
        .with_symmetry(Symmetry::Rotate90)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "rotate90 puzzles cannot have 30 clues: the nearest number is 29"
    );
}

/// The first puzzles of seed 0 and a far one, of some recipes. They stay the same in every
/// version with the same major number.
#[test]
fn golden() {
    let naked = |clues| Recipe::clues(clues).unwrap().with_naked_singles().unwrap();
    let clues = |range, symmetry| {
        Recipe::clues(range)
            .unwrap()
            .with_symmetry(symmetry)
            .unwrap()
    };
    let mut lines = String::new();
    for (name, recipe) in [
        ("minimal", Recipe::minimal()),
        (
            "minimal 22..23",
            Recipe::minimal_with_clues(22..=23).unwrap(),
        ),
        ("clues 28..36", clues(28..=36, Symmetry::None)),
        ("clues 32 rotate180", clues(32..=32, Symmetry::Rotate180)),
        ("clues 36..40 rotate90", clues(36..=40, Symmetry::Rotate90)),
        ("naked singles, 46..48", naked(46..=48)),
        ("naked singles, 40..42", naked(40..=42)),
        (
            "minimal, 12 guesses",
            Recipe::minimal().with_guesses(12..=u64::MAX),
        ),
    ] {
        let mut maker = maker(0, recipe);
        for number in [0, 1, 123_456_789] {
            let made = maker.make(number).unwrap();
            lines += &format!("{name} {number} {}\n", made.puzzle);
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
        let of_level = if level.len() > 1 { 20 } else { 300 };
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
    let pairs = |made: Vec<Option<Made>>| -> Vec<_> {
        let made = made.into_iter().flatten();
        made.map(|made| (made.puzzle, made.solution)).collect()
    };
    let make = |grids, recipe| {
        let mut made = vec![None; count];
        let maker = Maker::new(Solver::new(), grids, 9, recipe);
        maker.unwrap().make_batch(0, &mut made);
        pairs(made)
    };
    let uniform = || Grids::Uniform(Uniform::seeded(9));
    let sequence = || Grids::Sequence(Sequence::seeded(9));
    let seed = ("seed", "9");
    let clues = Recipe::clues(30..=32).unwrap();
    assert_eq!(
        of_settings(&[seed, ("clues", "30..32")], count),
        make(uniform(), clues)
    );
    let hard = || Recipe::difficulty(Difficulty::Hard);
    let of_sequence = [seed, ("difficulty", "hard"), ("sequence", "true")];
    assert_eq!(of_settings(&of_sequence, count), make(sequence(), hard()));
    // The maker and the settings agree about the level, and the grids of the seed itself are another level's.
    let level = of_settings(&[seed, ("difficulty", "hard")], count);
    let mut made = vec![None; count];
    Maker::seeded(9, hard()).unwrap().make_batch(0, &mut made);
    assert_eq!(level, pairs(made));
    assert_ne!(level, make(uniform(), hard()));
    // Grids that are given are used as they are.
    let grids = || Grids::given(0, (0..count as u64).map(|number| uniform().grid(number)));
    let wanted = |difficulty| Wanted {
        difficulty: Some(difficulty),
        ..Wanted::default()
    };
    for difficulty in [Difficulty::Easy, Difficulty::Medium] {
        for (number, (_, solution)) in
            (0..).zip(make(grids(), wanted(difficulty).recipe().unwrap()))
        {
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
    let turned = Recipe::minimal()
        .with_symmetry(Symmetry::Rotate180)
        .unwrap();
    let pattern = Recipe::pattern(PATTERNS[0].parse().unwrap(), false).unwrap();
    for (recipe, count) in [
        (Recipe::minimal(), 200),
        (Recipe::difficulty(Difficulty::Easy), 50),
        (Recipe::difficulty(Difficulty::Hard), 50),
        (turned, 50),
        (pattern, 6),
    ] {
        let before = made(count, 5, recipe.clone());
        let refusing = maker(5, recipe.clone()).with_refusal(|made| is_odd(&made.puzzle));
        let mut after = vec![None; count];
        let mut refusing = refusing.unwrap();
        refusing.make_batch(0, &mut after);
        let after: Vec<_> = after.into_iter().flatten().collect();
        assert_eq!(after.len(), count, "{recipe:?}");
        assert_unique(&after);
        let mut refused = 0;
        for (before, after) in before.iter().zip(&after) {
            assert!(!is_odd(&after.puzzle) && recipe.has_clues_for(&after.puzzle));
            assert_eq!(before == after, !is_odd(&before.puzzle));
            refused += usize::from(before != after);
        }
        assert!(refused > 0 && refused < count, "{recipe:?}");
        assert_eq!(refusing.make(count as u64 - 1).as_ref(), after.last());
    }
    let mut nothing = maker(5, Recipe::minimal()).with_refusal(|_| true).unwrap();
    assert_eq!(nothing.make(0), None);
    let weighted = maker(5, Recipe::unbiased()).with_refusal(|_| false);
    let message = weighted.map(|_| ()).unwrap_err().to_string();
    assert_eq!(message, "unbiased cannot be used with against");
}

/// The maker tells the ER and the technique of what it has rated, and a set shows those of every puzzle.
#[test]
fn known_ratings_are_those_of_the_rater() {
    let rating = |tenths| Rating::from_tenths(tenths);
    let wishes = [
        (Some(rating(26)..=rating(34)), None, true),
        (Some(rating(70)..=rating(76)), None, true),
        (None, Some(Technique::XyWing), true),
        // All that is harder than 4.2 is wanted, so no chain is followed to its end.
        (Some(rating(42)..=Rating::HARDEST), None, false),
    ];
    for (rating, technique, all_are_known) in wishes {
        let wanted = Wanted {
            rating,
            hardest: technique.into_iter().collect(),
            ..Wanted::default()
        };
        let all = made(30, 4, wanted.recipe().unwrap());
        let known = all.iter().filter(|made| made.hardest.is_some()).count();
        assert_eq!(known == all.len(), all_are_known, "{wanted:?}");

        let grids = Grids::Uniform(Uniform::seeded(4));
        let set = PuzzleSet::new(grids, 4, &wanted, false).unwrap();
        let columns = set.columns();
        let mut answer = Answer::of(&columns);
        answer.begin(30);
        set.worker()(0..30, &mut answer);
        let names: Vec<_> = columns.iter().map(|column| column.name).collect();
        assert_eq!(names[4..], ["er", "technique"]);
        let (Data::Ratings(ers), Data::Names(places)) = (answer.column(4), answer.column(5)) else {
            panic!("{answer:?}");
        };
        assert_eq!(ers.len(), all.len());
        for ((made, er), place) in all.iter().zip(ers).zip(places) {
            let expected = technique::rate(&made.puzzle).unwrap();
            let expected = (expected.er.unwrap(), expected.technique.unwrap());
            assert_eq!(Some(expected.0), *er, "{}", made.puzzle);
            assert_eq!(
                Technique::ALL[usize::from(*place)],
                expected.1,
                "{}",
                made.puzzle
            );
            assert!(made.hardest.is_none_or(|hardest| hardest == expected));
        }
    }
}

/// Weighted means against what is known of all minimal puzzles: 3.1055e37 of them (± 0.065 %), with 26.577 clues
/// (D. Berthier). And each is minimal, with one solution.
#[test]
fn unbiased_puzzles_stand_for_all_minimal_ones() {
    // Four times as many find half the bias.
    let count = cases(3000);
    let all = made(count, 21, Recipe::unbiased());
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
    let all = made(1200, 5, Recipe::unbiased());
    for (first, count, level) in [
        (0, 30, Level::Portable),
        (700, 333, Level::detect()),
        (1199, 1, Level::detect()),
    ] {
        let solver = Solver::with_level(level).unwrap();
        let grids = Grids::Uniform(Uniform::seeded(5));
        let mut some = vec![None; count];
        let mut maker = Maker::new(solver, grids, 5, Recipe::unbiased()).unwrap();
        maker.make_batch(first, &mut some);
        let some: Vec<_> = some.into_iter().map(Option::unwrap).collect();
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
    // Each takes a tenth of a second. More of them find what only some grids show.
    let count = cases(4);
    for text in PATTERNS {
        let pattern: Pattern = text.parse().unwrap();
        assert_eq!(pattern.to_string(), text);
        let recipe = Recipe::pattern(pattern, false).unwrap();
        let all = made(count, 4, recipe.clone());
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
        let grids = Grids::Uniform(Uniform::seeded(4));
        let solver = Solver::with_level(Level::Portable).unwrap();
        let mut some = [None; 2];
        let first = count / 2;
        Maker::new(solver, grids, 4, recipe)
            .unwrap()
            .make_batch(first as u64, &mut some);
        assert_eq!(some.map(Option::unwrap), all[first..][..2]);
    }
}

/// Which grids are wanted is held for every recipe, or refused: by the maker, and by the settings of all languages.
#[test]
fn puzzles_of_a_pattern_begin_with_the_digit_that_is_wanted() {
    let pattern: Pattern = PATTERNS[0].parse().unwrap();
    let recipe = Recipe::pattern(pattern, false).unwrap();
    // Each takes a tenth of a second. The settings go to the same maker: by default three digits are set.
    let count = cases(1);
    let (mut before, mut of_digits, mut set_digits) =
        (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for digit in Digit::all() {
        let uniform = Uniform::seeded(6).with_first_digit(digit);
        let grids = Grids::Uniform(uniform);
        let mut made = vec![None; count];
        let maker = Maker::new(Solver::new(), grids, 6, recipe.clone());
        maker.unwrap().make_batch(0, &mut made);
        for made in made.into_iter().map(Option::unwrap) {
            assert_eq!(made.solution.get(Cell::at(0, 0)), digit);
            assert_eq!(oracle::solutions(&made.puzzle, 2), [made.solution]);
            assert_eq!(Pattern::of(&made.puzzle), pattern);
            before.insert(made.puzzle);
        }
        if !has_turn(digit.index(), 3) {
            continue;
        }
        set_digits.insert(digit.to_ascii());
        let name = digit.to_string();
        let settings = [("pattern", PATTERNS[0]), ("first-digit", name.as_str())];
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
    assert_eq!(of_digits, set_digits);
    for grids in [
        Grids::Sequence(Sequence::seeded(6)),
        Grids::given(0, [Some(Uniform::seeded(6).grid(0))]),
    ] {
        let refused = Maker::new(Solver::new(), grids, 6, recipe.clone()).map(|_| ());
        let refused = refused.unwrap_err().to_string();
        assert!(
            refused.starts_with("pattern cannot be used with "),
            "{refused}"
        );
    }
    let of_sequence = PUZZLES.with([("pattern", PATTERNS[0]), ("sequence", "true")]);
    let refused = of_sequence.map(|_| ()).unwrap_err().to_string();
    assert!(
        refused.starts_with("pattern cannot be used with sequence"),
        "{refused}"
    );
}

#[test]
fn puzzles_of_a_pattern_fulfil_other_wishes() {
    let pattern: Pattern = PATTERNS[0].parse().unwrap();
    let wanted = Wanted {
        pattern: Some(pattern),
        ..Wanted::default()
    };
    // Some may be out of reach. Each takes a quarter of a second, and more of them find what only some grids show.
    let some = |wanted: Wanted| {
        let mut made = vec![None; cases(2)];
        maker(2, wanted.recipe().unwrap()).make_batch(0, &mut made);
        let made: Vec<Made> = made.into_iter().flatten().collect();
        assert!(!made.is_empty(), "{wanted:?}");
        assert!(made.iter().all(|made| Pattern::of(&made.puzzle) == pattern));
        made
    };
    let minimal = Wanted {
        minimal: true,
        ..wanted.clone()
    };
    let mut solver = Solver::new();
    for Made { puzzle, .. } in some(minimal) {
        for cell in Cell::all().filter(|&cell| pattern.has(cell)) {
            assert_eq!(solver.count(&without(&puzzle, &[cell]), 2), 2);
        }
    }
    let hard = Wanted {
        difficulty: Some(Difficulty::Hard),
        ..wanted
    };
    for Made {
        puzzle, hardest, ..
    } in some(hard)
    {
        let er = technique::rate(&puzzle).unwrap().er.unwrap();
        assert_eq!(Difficulty::of(Some(er)), Difficulty::Hard);
        assert_eq!(hardest.map(|(er, _)| er), Some(er));
    }
}

#[test]
fn impossible_wishes_are_refused_with_what_is_possible() {
    let wrong = |wanted: Wanted| wanted.recipe().unwrap_err().to_string();
    let of_pattern = |text: &str| Wanted {
        pattern: Some(text.parse().unwrap()),
        ..Wanted::default()
    };
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
    assert!(of_pattern(&possible).recipe().is_ok());
    let both = Wanted {
        clues: Some(24..=24),
        ..of_pattern(&full)
    };
    assert_eq!(wrong(both), "pattern cannot be used with clues");
    let both = Wanted {
        unbiased: true,
        difficulty: Some(Difficulty::Easy),
        ..Wanted::default()
    };
    assert_eq!(wrong(both), "unbiased cannot be used with difficulty");

    let path = |path: PathWishes| Wanted {
        path,
        ..Wanted::default()
    };
    let named = |names: &str| Techniques::named(names).unwrap();
    assert_eq!(
        wrong(path(PathWishes {
            only: named("X-wing, hidden single in a box"),
            ..PathWishes::default()
        })),
        "only leaves out last cell, which places the last digit of each puzzle"
    );
    let never = PathWishes {
        contains: named("direct claiming"),
        ..PathWishes::default()
    };
    assert_eq!(
        wrong(path(never)),
        "contains asks for direct claiming, which is never the easiest step"
    );

    let rating = |tenths| Some(Rating::from_tenths(tenths)..=Rating::from_tenths(tenths));
    let none = Wanted {
        rating: rating(19),
        ..Wanted::default()
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
        let wanted = Wanted {
            rating: rating(tenths),
            ..Wanted::default()
        };
        assert_eq!(wanted.recipe().is_ok(), has_technique, "{tenths}");
    }
    let few = Wanted {
        difficulty: Some(Difficulty::Easy),
        clues: Some(18..=20),
        ..Wanted::default()
    };
    assert_eq!(
        wrong(few.clone()),
        "with an ER up to 1.5 the maker finds no puzzles of 20 clues: there are some from 21 clues on"
    );
    assert!(
        Wanted {
            clues: Some(18..=21),
            ..few
        }
        .recipe()
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
    // The letter A: whole minutes of work found none for it.
    let pattern: Pattern =
        "...XXX.....X...X...X.....X..X.....X..XXXXXXX..X.....X..X.....X.X.......XX.......X"
            .parse()
            .unwrap();
    let recipe = Recipe::pattern(pattern, false).unwrap();
    assert_eq!(maker(1, recipe).make(0), None);
}
