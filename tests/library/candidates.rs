//! Puzzles that are given by candidates: engines against brute force, forms of text, symmetries, and
//! every question, with both kinds of records in one text.

use crate::images::images;
use crate::questions::{alone, assert_each_alone};
use crate::support::{
    brute_force::solutions_of as brute_force,
    cases, data, one_of, oracle,
    puzzles::{PUZZLES, SOLUTIONS},
    random_words::Words,
    rated::Rater,
    registry::registry,
};
use std::collections::HashSet;
use sudoku_batch::{
    Candidates, Cell, Digit, Engine, Goal, Grid, Outcome, Puzzle, Reason, Solver,
    dataset::{Equivalence, PuzzleHasher, redundant_clues},
    format::{Records, line},
    grid::{AnyPuzzle, Digits},
    questions::{
        self, AugmentSettings, CANONICAL, CHECK, COUNT, DEDUP, Definition, RATE, SOLVE, Status,
    },
    solve::{Counting, NO_SOLUTION, Solutions, guesses},
    symmetry::{CanonicalPuzzle, Transformation},
    technique::{self, Position, Steps},
};

fn random_grid(words: &mut Words) -> Grid {
    let grid: Grid = SOLUTIONS[words.below(SOLUTIONS.len())].parse().unwrap();
    Transformation::numbered(words.next() % Transformation::COUNT).grid(&grid)
}

/// A random puzzle: each wrong candidate of a grid stays with this chance, in percent. Now and then a
/// right one is struck too.
fn random_candidates(words: &mut Words, percent: usize) -> Candidates {
    let grid = random_grid(words);
    let mut candidates = Candidates::ALL;
    for cell in Cell::all() {
        for digit in Digit::all() {
            if digit != grid.get(cell) && words.below(100) >= percent {
                candidates.strike(cell, digit);
            }
        }
    }
    if words.below(4) == 0 {
        let cell = Cell::new(words.below(81)).unwrap();
        let others = candidates
            .get(cell)
            .iter()
            .filter(|&digit| digit != grid.get(cell));
        let others: Digits = others.collect();
        if !others.is_empty() {
            candidates.set(cell, others);
        }
    }
    candidates
}

fn random_cases(seed: u64, count: usize) -> Vec<Candidates> {
    let mut words = Words::new(seed);
    (0..count)
        .map(|i| random_candidates(&mut words, 15 + i % 30))
        .collect()
}

/// Candidates with one solution of which none can be put back: minimal ones.
fn minimal(words: &mut Words) -> (Candidates, Grid) {
    let grid = random_grid(words);
    let mut order: Vec<usize> = (0..729).collect();
    for i in (1..729).rev() {
        order.swap(i, words.below(i + 1));
    }
    let place = |at: usize| {
        (
            Cell::new(at / 9).unwrap(),
            Digit::new((at % 9 + 1) as u8).unwrap(),
        )
    };
    let wrong = order
        .into_iter()
        .map(place)
        .filter(|&(cell, digit)| grid.get(cell) != digit);
    let mut candidates: Candidates = Puzzle::from(grid).into();
    // Hundreds of single questions: one engine is much quicker with those.
    let mut solver = Solver::new().with_engine(Engine::Scalar);
    for (cell, digit) in wrong {
        let mut more = candidates;
        more.set(
            cell,
            [digit]
                .into_iter()
                .chain(candidates.get(cell).iter())
                .collect(),
        );
        if solver.count_batch(&[more], 2) == [1] {
            candidates = more;
        }
    }
    (candidates, grid)
}

#[test]
fn engines_find_what_brute_force_finds() {
    const LIMIT: usize = 60;
    // Dozens of each number of solutions: more of them find what goes wrong in one lane of thousands.
    let puzzles = random_cases(1, cases(1000));
    let all: Vec<_> = puzzles
        .iter()
        .map(|puzzle| brute_force(puzzle, LIMIT))
        .collect();
    let [mut none, mut one, mut several] = [0; 3];
    for solutions in &all {
        match solutions.len() {
            0 => none += 1,
            1 => one += 1,
            _ => several += 1,
        }
    }
    assert!(
        none > 10 && one > 10 && several > 100,
        "{none} {one} {several}"
    );
    for (engine, level) in registry() {
        let mut solver = Solver::with_level(level).unwrap().with_engine(engine);
        let counts = solver.count_batch(&puzzles, LIMIT as u64);
        let outcomes = solver.solve_batch(&puzzles);
        for (i, solutions) in all.iter().enumerate() {
            let what = format!("{engine} at {level}: {}", puzzles[i]);
            assert_eq!(counts[i], solutions.len() as u64, "{what}");
            let smallest = solutions
                .iter()
                .min()
                .map(|cells| Grid::from_ascii(cells).unwrap());
            match solutions.len() {
                0 => assert_eq!(outcomes[i], Outcome::NoSolution, "{what}"),
                1 => assert_eq!(outcomes[i], Outcome::Unique(smallest.unwrap()), "{what}"),
                LIMIT => assert!(
                    outcomes[i].solution().unwrap() <= smallest.unwrap(),
                    "{what}"
                ),
                _ => assert_eq!(outcomes[i], Outcome::Multiple(smallest.unwrap()), "{what}"),
            }
        }
    }
}

#[test]
fn lists_and_counts_are_those_of_brute_force() {
    // More of them find what only some sets of candidates show.
    for (puzzle, i) in random_cases(2, cases(300)).iter().zip(0..) {
        let mut expected = brute_force(puzzle, 200);
        if expected.len() < 200 {
            expected.sort_unstable();
            let listed = Solutions::new(puzzle);
            let listed: Vec<_> = listed.map(|grid| *grid.as_ascii()).collect();
            assert_eq!(listed, expected, "{puzzle}");
            let mut counting = Counting::new(puzzle);
            assert_eq!(counting.advance(u64::MAX, u64::MAX), expected.len() as u64);
        }
        // The reference search is another program that counts.
        let guesses = guesses(puzzle, u64::MAX).unwrap();
        assert!(guesses > 0 || expected.len() < 2, "{i}");
    }
}

/// A puzzle of 81 cells and its candidates are one puzzle to everyone.
#[test]
fn cells_and_their_candidates_are_one_puzzle() {
    let mut solver = Solver::new();
    let mut rater = Rater::new();
    let more = data::puzzles("minimal").into_iter().step_by(97);
    let mut puzzles: Vec<Puzzle> = PUZZLES.iter().map(|p| p.parse().unwrap()).collect();
    puzzles.extend(more);
    puzzles.push(Puzzle::EMPTY);
    let hasher = PuzzleHasher::seeded(3);
    for puzzle in &puzzles {
        let candidates = Candidates::from(*puzzle);
        assert_eq!(candidates.to_puzzle(), Some(*puzzle));
        assert_eq!(candidates.clues(), *puzzle);
        // Without what the clues rule out it is the same puzzle still.
        let mut reduced = candidates;
        for cell in Cell::all().filter(|&cell| puzzle.get(cell).is_none()) {
            reduced.set(cell, puzzle.candidates(cell));
        }
        for same in [candidates, reduced] {
            let lone =
                Cell::all().any(|cell| puzzle.get(cell).is_none() && same.get(cell).len() == 1);
            if !lone {
                assert_eq!(same.to_puzzle(), Some(*puzzle));
                assert_eq!(AnyPuzzle::from(same).simplest(), (*puzzle).into());
                assert_eq!(Position::new(&same), Position::new(puzzle));
            }
            assert_eq!(solver.solve(&same), solver.solve(puzzle));
            assert_eq!(solver.count_batch(&[same], 9), [solver.count(puzzle, 9)]);
        }
        assert_eq!(guesses(&candidates, 1000), guesses(puzzle, 1000));
        let (one, other) = (
            rater.rate_batch(&[candidates]),
            rater.rate_batch(&[*puzzle]),
        );
        assert_eq!(one, other);
        assert_eq!(
            hasher.key(AnyPuzzle::from(candidates).simplest()),
            hasher.key(puzzle)
        );
        if let Outcome::Unique(solution) = solver.solve(puzzle) {
            for by in [
                Equivalence::Equality,
                Equivalence::Symmetry,
                Equivalence::Solution,
            ] {
                let form = by.form(&candidates, Some(&solution));
                assert_eq!(form, by.form(puzzle, &solution));
            }
        }
    }
}

#[test]
fn reductions_keep_the_solutions() {
    let [mut shorter, mut contradictions] = [0; 2];
    for puzzle in random_cases(4, cases(400)) {
        let solutions = brute_force(&puzzle, 30);
        match puzzle.reduced() {
            None => {
                assert_eq!(solutions, [[0; 81]; 0]);
                contradictions += 1;
            }
            Some(reduced) => {
                let sorted = |mut all: Vec<[u8; 81]>| {
                    all.sort_unstable();
                    all
                };
                if solutions.len() < 30 {
                    assert_eq!(sorted(brute_force(&reduced, 30)), sorted(solutions));
                }
                assert_eq!(reduced.reduced(), Some(reduced));
                shorter += usize::from(reduced != puzzle);
            }
        }
    }
    assert!(
        shorter > 50 && contradictions > 10,
        "{shorter} {contradictions}"
    );
}

#[test]
fn symmetries_change_no_answer() {
    let mut words = Words::new(5);
    let mut solver = Solver::new();
    let puzzles = random_cases(6, cases(300));
    let symmetries: Vec<_> = (puzzles.iter())
        .map(|_| Transformation::numbered(words.next() % Transformation::COUNT))
        .collect();
    let images: Vec<_> = (puzzles.iter().zip(&symmetries))
        .map(|(puzzle, symmetry)| symmetry.puzzle(puzzle))
        .collect();
    let counts = solver.count_batch(&puzzles, 100);
    assert_eq!(solver.count_batch(&images, 100), counts);
    let mut canonical = 0;
    for (i, puzzle) in puzzles.iter().enumerate() {
        let symmetry = &symmetries[i];
        assert_eq!(symmetry.inverse().puzzle(&images[i]), *puzzle);
        // By the words that define a symmetry.
        for at in 0..81 {
            let (row, column) = (symmetry.rows()[at / 9], symmetry.columns()[at % 9]);
            let [row, column] = [row, column].map(usize::from);
            let from = match symmetry.is_transposed() {
                true => Cell::at(column, row),
                false => Cell::at(row, column),
            };
            let digits: Digits = puzzle
                .get(from)
                .iter()
                .map(|digit| symmetry.digit(digit))
                .collect();
            assert_eq!(images[i].get(Cell::new(at).unwrap()), digits);
        }
        if let Outcome::Unique(solution) = solver.solve(puzzle) {
            canonical += 1;
            let of_image = solver.solve(&images[i]).solution().unwrap();
            assert_eq!(of_image, symmetry.grid(&solution));
            let form = CanonicalPuzzle::new(puzzle, &solution);
            let other = CanonicalPuzzle::new(&images[i], &of_image);
            assert_eq!(form.puzzle(), other.puzzle());
            assert_eq!(
                form.transformation().puzzle(&AnyPuzzle::from(*puzzle)),
                form.puzzle()
            );
            assert_eq!(form.automorphisms(), other.automorphisms());
        }
    }
    assert!(canonical > 10, "{canonical}");
}

/// The form of candidates whose solution has automorphisms does not depend on which image is given.
#[test]
fn canonical_forms_heed_automorphisms() {
    // The solution that shifts its rows has many automorphisms.
    let rows = [0, 3, 6, 1, 4, 7, 2, 5, 8];
    let cells: [u8; 81] = std::array::from_fn(|at| b'1' + ((rows[at / 9] + at % 9) % 9) as u8);
    let grid = Grid::from_ascii(&cells).unwrap();
    let mut words = Words::new(8);
    let mut candidates: Candidates = Puzzle::from(grid).into();
    for _ in 0..20 {
        let cell = Cell::new(words.below(81)).unwrap();
        let digit = Digit::new(words.below(9) as u8 + 1).unwrap();
        candidates.set(cell, [grid.get(cell), digit].into_iter().collect());
    }
    assert!(Solver::new().solve(&candidates).is_unique());
    let form = CanonicalPuzzle::new(&candidates, &grid);
    for _ in 0..300 {
        let symmetry = Transformation::numbered(words.next() % Transformation::COUNT);
        let image = symmetry.puzzle(&candidates);
        let other = CanonicalPuzzle::new(&image, &symmetry.grid(&grid));
        assert_eq!(form.puzzle(), other.puzzle());
    }
}

/// A puzzle has one form, whether its cells or its candidates are given, and whether the candidates that
/// clues rule out are struck.
#[test]
fn a_puzzle_of_either_kind_has_one_form() {
    // Of the solutions that shift their rows, many symmetries lead to the form.
    let rows = [0, 3, 6, 1, 4, 7, 2, 5, 8];
    let cells: [u8; 81] = std::array::from_fn(|at| b'1' + ((rows[at / 9] + at % 9) % 9) as u8);
    let grid = Grid::from_ascii(&cells).unwrap();
    let mut words = Words::new(3);
    for _ in 0..cases(20) {
        let mut puzzle = Puzzle::from(grid);
        for _ in 0..90 {
            let mut fewer = puzzle;
            fewer.set(Cell::new(words.below(81)).unwrap(), None);
            if oracle::solutions(&fewer, 2).len() == 1 {
                puzzle = fewer;
            }
        }
        let all = Candidates::from(puzzle);
        let mut left = all;
        for cell in Cell::all().filter(|&cell| puzzle.get(cell).is_none()) {
            left.set(cell, puzzle.candidates(cell));
        }
        // A blank whose only candidate is left would be a clue.
        let is_same = left.clues() == puzzle;
        let form = CanonicalPuzzle::new(&puzzle, &grid);
        for candidates in [all, if is_same { left } else { all }] {
            let other = CanonicalPuzzle::new(&candidates, &grid);
            assert_eq!(form.puzzle(), other.puzzle(), "{puzzle}");
            assert_eq!(form.automorphisms(), other.automorphisms());
            let text = other.as_given().to_string();
            assert_eq!(text.len(), 729);
            assert_eq!(text, Candidates::from(form.puzzle().clues()).to_string());
        }
        assert_eq!(form.as_given(), form.puzzle());
    }
}

#[test]
fn minimality_is_by_its_definition() {
    let mut words = Words::new(9);
    let mut solver = Solver::new();
    let (mut puzzles, mut grids) = (Vec::new(), Vec::new());
    // One as it is and one with strikes too many: each takes half a second.
    for i in 0..cases(2) {
        let (mut candidates, grid) = minimal(&mut words);
        // Some strikes too many.
        for _ in 0..3 * (i % 3) {
            let cell = Cell::new(words.below(81)).unwrap();
            let kept = candidates
                .get(cell)
                .iter()
                .find(|&digit| digit != grid.get(cell));
            if let Some(digit) = kept {
                candidates.strike(cell, digit);
            }
        }
        puzzles.push(candidates);
        grids.push(grid);
    }
    let redundant = redundant_clues(&mut solver, &puzzles, &grids);
    for (i, puzzle) in puzzles.iter().enumerate() {
        assert_eq!(solver.solve(puzzle), Outcome::Unique(grids[i]));
        // The candidate is put back, and the others of its cell stay. Brute force takes a sample.
        let missing = Cell::all().flat_map(|c| Digit::all().map(move |d| (c, d)));
        let missing = missing.filter(|&(cell, digit)| !puzzle.contains(cell, digit));
        let back = |(cell, digit): (Cell, Digit)| {
            let mut back = *puzzle;
            back.set(
                cell,
                [digit].into_iter().chain(puzzle.get(cell).iter()).collect(),
            );
            back
        };
        let back: Vec<Candidates> = missing.map(back).collect();
        let counts = solver.count_batch(&back, 2);
        for (back, count) in back.iter().zip(&counts) {
            if words.below(40 * one_of(3)) == 0 {
                assert_eq!(brute_force(back, 2).len() as u64, *count, "{back}");
            }
        }
        let expected = counts.iter().filter(|&&count| count == 1).count() as u32;
        assert_eq!(redundant[i], expected, "{puzzle}");
        assert_eq!(redundant[i] == 0, i % 3 == 0, "{puzzle}");
    }
}

/// Every step leads to the solution: no technique counts on what only clues ensure.
#[test]
fn steps_lead_to_the_solution() {
    let mut words = Words::new(10);
    let [mut placed, mut struck, mut solved] = [0; 3];
    // One of each share of strikes. More of them meet more techniques.
    for i in 0..cases(4) {
        let (mut candidates, grid) = minimal(&mut words);
        // Most minimal ones are beyond these steps: some lose more candidates.
        for (cell, digit) in Cell::all().flat_map(|c| Digit::all().map(move |d| (c, d))) {
            if digit != grid.get(cell) && words.below(4) < i % 4 {
                candidates.strike(cell, digit);
            }
        }
        let position = Position::new(&candidates);
        let mut steps = Steps::from(position).with_max_rating(technique::Rating::from_tenths(75));
        for step in steps.by_ref() {
            if let Some(place) = step.place {
                assert_eq!(grid.get(place.cell), place.digit, "{step} {candidates}");
                placed += 1;
            }
            for strike in &step.strikes {
                assert_ne!(grid.get(strike.cell), strike.digit, "{step} {candidates}");
                struck += 1;
            }
        }
        solved += usize::from(steps.position().is_solved());
    }
    assert!(
        placed > 100 && struck > 20 && solved > 0,
        "{placed} {struck} {solved}"
    );
}

#[test]
fn images_are_different_and_symmetric() {
    let mut words = Words::new(11);
    let (candidates, grid) = minimal(&mut words);
    let settings = |copies| AugmentSettings {
        seed: 7,
        copies,
        ..AugmentSettings::default()
    };
    let solution = Puzzle::from(grid);
    let (all, solutions) = images(&settings(50), candidates, Some(&solution));
    assert_eq!((all.len(), solutions.len()), (50, 50));
    let form = |candidates: AnyPuzzle, solution: Puzzle| {
        let grid = Grid::from_ascii(solution.as_ascii()).unwrap();
        CanonicalPuzzle::new(&candidates, &grid).puzzle()
    };
    for (image, of_image) in all.iter().zip(solutions) {
        assert!(matches!(image, AnyPuzzle::Candidates(_)));
        assert_eq!(form(*image, of_image), form(candidates.into(), solution));
    }
    let different: HashSet<_> = all.iter().collect();
    assert_eq!(different.len(), 50);
    let (fewer, _) = images(&settings(10), candidates, None);
    assert_eq!(fewer, all[..10]);
    // One candidate less than all: 729 images by all symmetries, and 728 others.
    let mut lone = Candidates::ALL;
    lone.strike(Cell::at(4, 4), Digit::new(5).unwrap());
    let lone = AnyPuzzle::from(lone);
    for keep in [false, true] {
        let settings = AugmentSettings {
            keep,
            ..settings(5000)
        };
        let (all, _) = images(&settings, lone, None);
        let different: HashSet<_> = all.iter().collect();
        assert_eq!((all.len(), different.len()), (729, 729));
        assert!(different.contains(&lone));
        // A puzzle that is kept stands before its copies, and is none of them.
        assert!(!keep || all[0] == lone);
    }
    for puzzle in [Puzzle::EMPTY.into(), AnyPuzzle::from(Candidates::ALL)] {
        let settings = AugmentSettings {
            keep: true,
            ..settings(10)
        };
        assert_eq!(images(&settings, puzzle, None).0, [puzzle]);
    }
}

/// Both kinds in one text: each record has the answer that it has alone.
#[test]
fn questions_take_both_kinds() {
    let mut puzzles: Vec<AnyPuzzle> = random_cases(12, 200).into_iter().map(Into::into).collect();
    for (i, puzzle) in PUZZLES.iter().enumerate() {
        puzzles.insert(7 * i + 3, puzzle.parse::<Puzzle>().unwrap().into());
    }
    let clash: Puzzle = format!("7......7.{}", ".".repeat(72)).parse().unwrap();
    puzzles.push(clash.into());
    puzzles.push(Candidates::from(clash).into());
    let mut text: String = puzzles
        .iter()
        .map(|puzzle| format!("{puzzle} note\n"))
        .collect();
    text += "12345\n";
    let mut records = Records::default();
    line::read(text.as_bytes(), &mut records);
    assert_eq!(records.len(), puzzles.len() + 1);
    let ways: [(&'static Definition, &[(&str, &str)]); 9] = [
        (&SOLVE, &[]),
        (&SOLVE, &[("unique", "true")]),
        (&SOLVE, &[("max-guesses", "1000000")]),
        (&SOLVE, &[("unique", "true"), ("max-guesses", "1000000")]),
        (&COUNT, &[("limit", "3000")]),
        (&questions::SOLUTIONS, &[("limit", "50")]),
        (&CHECK, &[("minimal", "true")]),
        (&RATE, &[("up-to", "4.4"), ("guesses", "true")]),
        (&CANONICAL, &[]),
    ];
    for (definition, way) in ways {
        let mut asked = definition.with(way.iter().copied()).unwrap();
        let whole = assert_each_alone(&mut asked, &records, None);
        let is = |row: &String, status: Status| row.split('|').next() == Some(status.name());
        let (last, clashes) = whole[puzzles.len() - 2..].split_last().unwrap();
        assert!(is(last, Status::Malformed), "{way:?}: {last}");
        for clash in clashes {
            assert!(is(clash, Status::RowDuplicate), "{way:?}: {clash}");
        }
    }
    // The keys that `dedup` compares.
    let mut question = DEDUP.with([]).unwrap();
    let mut keys = |records: &Records| {
        let mut answer = question.empty();
        answer.begin(records.len());
        question.fill(records, &mut answer);
        answer.keys().to_vec()
    };
    for (record, expected) in keys(&records).into_iter().enumerate() {
        assert_eq!(keys(&alone(&records, record)), [expected], "{record}");
    }
    // The reason names what is too many: clues or candidates.
    let checked = CHECK.with([("minimal", "true")]).unwrap().ask(&records);
    let mut not_minimal = 0;
    for reject in &checked.rejects {
        match reject.reason {
            Reason::NotMinimal(_) => assert!(matches!(puzzles[reject.record], AnyPuzzle::Cells(_))),
            Reason::NotMinimalCandidates(_) => {
                assert!(matches!(puzzles[reject.record], AnyPuzzle::Candidates(_)));
            }
            _ => continue,
        }
        not_minimal += 1;
    }
    assert_eq!(checked.counts.get("not-minimal"), not_minimal);
}

#[test]
fn what_is_malformed_is_named() {
    let all = "123456789".repeat(81);
    let with = |at: usize, text: &str| {
        let mut line = all.clone();
        line.replace_range(at..at + text.len(), text);
        line
    };
    for (line, message) in [
        (
            all[..728].to_owned(),
            "column 729: end of line where 9 or a blank should be",
        ),
        (with(4, "7"), "column 5: '7' where 5 or a blank should be"),
        (
            with(728, "1"),
            "column 729: '1' where 9 or a blank should be",
        ),
        (
            with(9, "........."),
            "column 10: nine blanks where a candidate of r1c2 should be",
        ),
        (
            with(720, "000000000"),
            "column 721: nine blanks where a candidate of r9c9 should be",
        ),
        (
            with(300, "x"),
            "column 301: 'x' where 4 or a blank should be",
        ),
        (
            all.clone() + "1",
            "column 730: '1' where the end of the line or a trailer should be",
        ),
        (
            all.clone() + "x",
            "column 730: 'x' where the end of the line or a trailer should be",
        ),
    ] {
        let mut records = Records::default();
        line::read(
            format!("# first\n{line} \n")
                .replace(" \n", "\n")
                .as_bytes(),
            &mut records,
        );
        assert_eq!((records.len(), records.line(0)), (1, 2));
        let error = records.error(0).map(|error| error.to_string());
        assert_eq!(error.as_deref(), Some(message));
        assert_eq!(
            line.parse::<Candidates>()
                .map_err(|error| error.to_string()),
            Err(message.into())
        );
    }
    // Candidates that are no puzzle of 81 cells name the first such cell.
    let mut candidates = Candidates::ALL;
    candidates.strike(Cell::at(0, 1), Digit::new(9).unwrap());
    let mut records = Records::default();
    line::read(format!("{candidates}\n").as_bytes(), &mut records);
    assert_eq!(
        records.puzzle_of_cells(0).unwrap_err().to_string(),
        "column 10: 12345678 in r1c2 where one digit, all nine or those that the clues leave should be"
    );
    assert_eq!(records.puzzle(0), Ok(candidates.into()));
    records.give_by(false);
    assert!(records.error(0).is_some() && records.candidates(0).is_none());
}

#[test]
fn large_limits_ask_for_all() {
    let mut candidates = Candidates::ALL;
    candidates.strike(Cell::at(0, 0), Digit::new(1).unwrap());
    let mut lines = [NO_SOLUTION; 1];
    let mut counts = [0];
    let mut solver = Solver::new();
    solver.solve_lines(Goal::Solution, &[candidates], &mut lines, &mut counts);
    assert_eq!(counts, [2]);
    assert!(
        lines[0].starts_with(b"2134"),
        "{}",
        String::from_utf8_lossy(&lines[0])
    );
}
