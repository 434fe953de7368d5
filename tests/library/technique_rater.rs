//! Ratings in bulk: those that were checked, and the same in any batch at any level.

use crate::support::{
    cases,
    chains::{Candidates, check_solution},
    data::puzzles,
    one_of, premises,
    rated::Rater,
};
use std::collections::BTreeMap;
use sudoku_batch::{
    Level, NotUniqueError, Puzzle, Solver,
    format::{Records, line},
    grid::Candidate,
    questions::{RATE, Status},
    symmetry::Transformation,
    technique::{
        self, Difficulty, Position, Rating, Ratings, Technique,
        chain::{self, Search, State, Work},
    },
};

/// Puzzles with ER, EP and ED, as Sudoku Explainer 1.2.1 gave them on 2026-11-21 and
/// 2026-11-22. `docs/internals/ratings.md` says how it was built and run. Nearly all are of this project.
/// The others are known ones in which one loop destroys another, and in which errors of Sudoku
/// Explainer decide.
const RATED: &str = include_str!("../support/rated.txt");

/// Puzzles of this project from 7.4 to 9.2, and twelve from 9.5 to 10.5 that are known puzzles of 11 with a
/// clue or two more, as sukaku-forge a485cb2 rated them on 2026-11-22, with its
/// corrections of unique loops and BUG turned off.
const RATED_CHAINS: &str = include_str!("../support/rated_chains.txt");

/// By default half of those with chains, which have all techniques in them, and take most of the time.
fn rated() -> impl Iterator<Item = (Puzzle, [Option<Rating>; 3])> {
    let step = one_of(2);
    let chains = RATED_CHAINS.lines().skip(1 % step).step_by(step);
    RATED.lines().chain(chains).map(|line| {
        let (puzzle, numbers) = line.split_once(' ').unwrap();
        let rating = |text: &str| Some(text.parse::<Rating>().unwrap());
        let numbers: Vec<_> = numbers.split('/').map(rating).collect();
        (puzzle.parse().unwrap(), numbers.try_into().unwrap())
    })
}

fn numbers(ratings: &Ratings) -> [Option<Rating>; 3] {
    [ratings.er, ratings.ep, ratings.ed]
}

/// The numbers that are not over a bound.
fn within(numbers: [Option<Rating>; 3], up_to: Rating) -> [Option<Rating>; 3] {
    numbers.map(|rating| rating.filter(|&rating| rating <= up_to))
}

fn raters() -> impl Iterator<Item = Rater> {
    Level::available().map(Rater::with_level)
}

#[test]
fn single_puzzles_are_rated_as_sudoku_explainer_rates_them() {
    let mut met = Vec::new();
    for (puzzle, expected) in rated() {
        let ratings = technique::rate(&puzzle).unwrap();
        let expected = within(expected, Rating::HARDEST);
        assert_eq!(numbers(&ratings), expected, "{puzzle}");
        met.extend(ratings.er.map(Rating::tenths));
    }
    met.sort();
    met.dedup();
    // All but 1.9, which no puzzle has.
    let all = [
        10, 12, 15, 17, 20, 23, 25, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 45, 46, 47, 48, 50, 52,
        54, 56, 57, 58, 59, 60, 62,
    ];
    let missing: Vec<_> = all.iter().filter(|tenths| !met.contains(tenths)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn a_bound_leaves_out_what_is_over_it() {
    let (puzzles, expected): (Vec<_>, Vec<_>) = rated().step_by(one_of(4)).unzip();
    for tenths in [0, 12, 20, 44, 45, 46, 50, 57, 62, 66, 72, 75, 83] {
        let up_to = Rating::from_tenths(tenths);
        let bulk = Rater::new().with_max_rating(up_to).rate_batch(&puzzles);
        for ((puzzle, expected), bulk) in puzzles.iter().zip(&expected).zip(bulk) {
            let ratings = bulk.unwrap();
            assert_eq!(
                numbers(&ratings),
                within(*expected, up_to),
                "{puzzle} {up_to}"
            );
            assert_eq!(ratings.up_to, up_to);
            assert_eq!(technique::rate_up_to(puzzle, up_to), bulk, "{puzzle}");
        }
    }
    let too_far = Rater::new()
        .with_max_rating(Rating::from_tenths(200))
        .rate_batch(&puzzles);
    assert_eq!(too_far, Rater::new().rate_batch(&puzzles));
}

#[test]
fn batches_are_rated_as_sudoku_explainer_rates_them() {
    // By default each level has its third of the puzzles.
    for (level, mut rater) in raters().enumerate() {
        let step = one_of(3);
        let (puzzles, expected): (Vec<_>, Vec<_>) =
            rated().skip(level % step).step_by(step).unzip();
        let ratings = rater.rate_batch(&puzzles);
        for ((ratings, expected), puzzle) in ratings.iter().zip(&expected).zip(&puzzles) {
            let expected = within(*expected, Rating::HARDEST);
            assert_eq!(numbers(&ratings.unwrap()), expected, "{puzzle}");
        }
    }
}

#[test]
fn a_batch_is_rated_as_each_puzzle_alone() {
    // Puzzles of all kinds, grids with few blanks and full ones, and what has no rating.
    // They are more than a batch has lanes. More hard ones have chains that few puzzles need.
    let mut all: Vec<Puzzle> = [
        ("easy", 200),
        ("minimal", 200),
        ("hard", cases(30).min(600)),
    ]
    .into_iter()
    .flat_map(|(file, most)| puzzles(file).into_iter().take(most))
    .collect();
    for (n, solved) in puzzles("easy.solved").into_iter().take(90).enumerate() {
        let mut nearly = solved;
        for cell in sudoku_batch::Cell::all()
            .skip(n % 7)
            .step_by(3 + n % 40)
            .take(n)
        {
            nearly.set(cell, None);
        }
        all.push(nearly);
    }
    let mut several = puzzles("minimal")[7];
    let clue = sudoku_batch::Cell::all()
        .find(|&c| several.get(c).is_some())
        .unwrap();
    several.set(clue, None);
    let twice: Puzzle = ("55".to_owned() + &".".repeat(79)).parse().unwrap();
    let none: Puzzle = ("12345678.........9".to_owned() + &".".repeat(63))
        .parse()
        .unwrap();
    all.extend([several, twice, Puzzle::EMPTY, none]);

    let expected: Vec<_> = all.iter().map(technique::rate).collect();
    assert!(expected.contains(&Err(NotUniqueError::Multiple)));
    assert!(expected.contains(&Err(NotUniqueError::NoSolution)));
    let er = |tenths: u8| Some(Rating::from_tenths(tenths));
    for tenths in [0, 10, 12, 15, 17, 20, 23, 26] {
        let has = |ratings: &Result<Ratings, _>| ratings.is_ok_and(|r| r.er == er(tenths));
        assert!(expected.iter().any(has), "{tenths} tenths");
    }
    for mut rater in raters() {
        assert_eq!(rater.rate_batch(&all), expected);
        // Other neighbours and other lanes.
        let mut puzzles = all.clone();
        puzzles.reverse();
        let mut expected = expected.clone();
        expected.reverse();
        for length in [1, 63, 64, 129, 300] {
            let batches = puzzles.chunks(length).zip(expected.chunks(length));
            for (puzzles, expected) in batches.take(6) {
                let ratings = rater.rate_batch(puzzles);
                assert_eq!(ratings, expected, "{length}");
            }
        }
        assert_eq!(rater.rate_batch::<Puzzle>(&[]), []);
    }
}

#[test]
fn puzzles_that_techniques_solve_have_one_solution() {
    // Clues are taken out until there are several solutions: none of these may be rated.
    let mut unrated = Vec::new();
    for puzzle in &puzzles("minimal")[..300] {
        for cell in sudoku_batch::Cell::all().step_by(9) {
            let mut fewer = *puzzle;
            fewer.set(cell, None);
            if fewer != *puzzle {
                unrated.push(fewer);
            }
        }
    }
    let counts: Vec<_> = Solver::new().solve_unique_batch(&unrated);
    for mut rater in raters() {
        for (rating, solution) in rater.rate_batch(&unrated).iter().zip(&counts) {
            assert_eq!(rating.is_ok(), solution.is_ok());
        }
    }
    assert!(counts.iter().filter(|count| count.is_err()).count() > 500);
}

/// A clue that the solution does not have leaves no solution. Singles may then fill a cell
/// twice, or a house with a digit twice, in any lane and on the way between the planes.
#[test]
fn a_wrong_clue_is_never_rated() {
    let mut solver = Solver::new();
    let mut wrong = Vec::new();
    for (n, puzzle) in ["easy", "minimal"]
        .iter()
        .flat_map(|file| puzzles(file).into_iter().take(300))
        .enumerate()
    {
        let solution = solver.solve_unique(&puzzle).unwrap();
        let blanks = sudoku_batch::Cell::all().filter(|&cell| puzzle.get(cell).is_none());
        for cell in blanks.skip(n % 5).step_by(9) {
            let right = solution.get(cell).get();
            let other = sudoku_batch::Digit::new((right + n as u8 % 8) % 9 + 1).unwrap();
            assert_ne!(other.get(), right);
            let mut puzzle = puzzle;
            puzzle.set(cell, Some(other));
            wrong.push(puzzle);
        }
    }
    assert!(wrong.len() > 3000, "{}", wrong.len());
    for mut rater in raters() {
        for (puzzle, rating) in wrong.iter().zip(rater.rate_batch(&wrong)) {
            assert_eq!(rating, Err(NotUniqueError::NoSolution), "{puzzle}");
        }
    }
}

#[test]
fn equivalent_puzzles_have_the_same_ratings() {
    // ER, EP and ED tell rows and columns from boxes, but not from each other. (Over 4.4 the
    // order of the cells decides which of several loops is taken.)
    let mut rater = Rater::new().with_max_rating(Rating::IN_PLANES);
    let (puzzles, expected): (Vec<_>, Vec<_>) = rated().unzip();
    let mut number = 1_u64;
    for _ in 0..8 {
        let images: Vec<Puzzle> = puzzles
            .iter()
            .map(|puzzle| {
                number = u64::wrapping_mul(number, 6_364_136_223_846_793_005).wrapping_add(1);
                Transformation::numbered((number >> 20) % Transformation::COUNT).puzzle(puzzle)
            })
            .collect();
        for (ratings, expected) in rater.rate_batch(&images).iter().zip(&expected) {
            let expected = within(*expected, Rating::IN_PLANES);
            assert_eq!(numbers(&ratings.unwrap()), expected);
        }
    }
}

#[test]
fn difficulties_are_ranges_of_er() {
    for tenths in 0..=119 {
        let rating = Rating::from_tenths(tenths);
        let word = match tenths {
            0..=15 => "easy",
            16..=25 => "medium",
            26..=34 => "hard",
            35..=44 => "expert",
            _ => "extreme",
        };
        let difficulty = Difficulty::of(Some(rating));
        assert_eq!(difficulty.name(), word);
        assert!(difficulty.ratings().contains(&rating));
    }
    assert_eq!(Difficulty::of(None), Difficulty::Extreme);
}

/// The work of a puzzle does not depend on its neighbours.
#[test]
fn a_bound_of_the_work_leaves_a_puzzle_without_rating() {
    let (puzzles, _): (Vec<_>, Vec<_>) = rated().step_by(one_of(4)).unzip();
    let rate = |max_work| {
        let mut batches = raters().map(|rater| rater.with_max_work(max_work).rate_batch(&puzzles));
        let first = batches.next().unwrap();
        assert!(batches.all(|other| other == first));
        first
    };
    let whole = rate(u64::MAX);
    let mut numbers = Vec::new();
    for max_work in [1, 3000, 100_000] {
        let bounded = rate(max_work);
        for (bounded, whole) in bounded.iter().zip(&whole) {
            let (bounded, whole) = (bounded.unwrap(), whole.unwrap());
            assert!(!whole.gave_up);
            match bounded.gave_up {
                true => assert_eq!(bounded.er, None),
                false => assert_eq!(bounded, whole),
            }
        }
        numbers.push(
            bounded
                .iter()
                .filter(|ratings| ratings.unwrap().gave_up)
                .count(),
        );
        // Puzzle by puzzle.
        for puzzle in puzzles.iter().take(cases(30)) {
            let mut steps = technique::steps(puzzle).with_max_work(max_work);
            let solved = steps.by_ref().count() > 0 && steps.position().is_filled();
            let alone = Rater::new().with_max_work(max_work).rate_batch(&[*puzzle])[0].unwrap();
            assert_eq!(
                (solved, alone.gave_up),
                (alone.er.is_some(), steps.gave_up())
            );
        }
    }
    assert!(
        numbers.is_sorted_by(|more, fewer| more >= fewer),
        "{numbers:?}"
    );
    assert!(numbers[0] > numbers[2], "{numbers:?}");
}

/// The work that a puzzle counts: the sum of its searches for chains, one after the other. (Lists of nodes would count too.)
fn work_of(puzzle: &Puzzle) -> u64 {
    let (mut position, mut work) = (Position::new(puzzle), Work::unbounded().without_nodes());
    while let Some(step) = position.next_step() {
        // Loops, graves and aligned pairs come before all searches for chains.
        if step.rating() >= Rating::from_tenths(65) {
            let state = State::new(&position);
            for search in Search::ALL {
                let found = chain::find(search, &state, &mut work).unwrap();
                // Aligned triplets come before all searches for chains but the first.
                if found.is_some() || step.technique == Technique::AlignedTriplet {
                    break;
                }
            }
        }
        position.apply(&step);
    }
    assert!(position.is_filled());
    work.done()
}

/// A puzzle is rated within a bound that is its own work, and not within one less: alone, between others, and with any
/// number of threads.
#[test]
fn the_work_of_a_puzzle_is_its_own() {
    let puzzles = [
        "........1.....2.3...4.5.6....6......47.58....85....74...8.7.4...4...3.9.9..1....2",
        "....2.4.....59....54.1..6..417..5..26........9...1..8.8..3......6......7..9.5...8",
        ".....9.5.2.......31.6...2...4..3.....7.1.8..4..9....3.92...35.....7..4..4......28",
    ];
    let puzzles = &puzzles[..cases(2).min(3)];
    let works: Vec<u64> = puzzles
        .iter()
        .map(|puzzle| work_of(&puzzle.parse().unwrap()))
        .collect();
    assert!(works.iter().all(|&work| work > 1000), "{works:?}");
    for max_work in works.iter().flat_map(|&work| [work, work - 1]) {
        let expected: Vec<bool> = works.iter().map(|&work| work > max_work).collect();
        for (puzzle, &gives_up) in puzzles.iter().zip(&expected) {
            let puzzle: Puzzle = puzzle.parse().unwrap();
            let alone = Rater::new().with_max_work(max_work).rate_batch(&[puzzle]);
            assert_eq!(alone[0].unwrap().gave_up, gives_up, "{puzzle} {max_work}");
        }
        for threads in [1, 2, 7] {
            let text = max_work.to_string();
            let mut asked = RATE.with([("max-work", text.as_str())]).unwrap();
            asked.share(threads);
            let mut records = Records::default();
            line::read(puzzles.join("\n").as_bytes(), &mut records);
            let statuses = &asked.ask(&records).statuses;
            let gave_up: Vec<bool> = statuses
                .iter()
                .map(|status| *status == Status::GaveUp)
                .collect();
            assert_eq!(gave_up, expected, "{max_work}, {threads} threads");
        }
    }
}

/// Every step is right by the solution, and whatever a step over 4.4 says of loops, graves and
/// aligned cells is true.
#[test]
fn steps_hold_by_their_premises_and_by_the_solution() {
    let mut solver = Solver::new();
    let mut met = BTreeMap::new();
    for (puzzle, _) in rated() {
        let solution = solver.solve_unique(&puzzle).unwrap();
        let mut position = Position::new(&puzzle);
        while let Some(step) = position.next_step() {
            let wrong = |place: &Candidate| solution.get(place.cell) != place.digit;
            assert!(!step.place.as_ref().is_some_and(wrong), "{puzzle}: {step}");
            for strike in &step.strikes {
                let right = solution.get(strike.cell) != strike.digit;
                assert!(
                    right && position.is_candidate(strike.cell, strike.digit),
                    "{step}"
                );
            }
            if let Some(hint) = step.chain() {
                Candidates::of(|cell| position.candidates(cell)).check(hint);
                check_solution(hint, &solution);
                *met.entry(step.technique).or_insert(0) += 1;
            }
            if let Some(holds) = premises::holds(&position, &step) {
                assert!(holds, "{position:?} {step}");
                *met.entry(step.technique).or_insert(0) += 1;
            }
            position.apply(&step);
        }
    }
    let checked = |technique: &Technique| premises::is_checked(*technique);
    let within = |technique: &Technique| technique.rating() <= Rating::HARDEST;
    let all = Technique::ALL.iter().copied();
    let missing: Vec<_> = all
        .filter(|technique| checked(technique) && within(technique))
        .filter(|technique| !met.contains_key(technique))
        .collect();
    assert!(missing.is_empty(), "{missing:?} of {met:?}");
}
