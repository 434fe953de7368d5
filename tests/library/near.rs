//! Puzzles near a puzzle, against all puzzles with other clues that the scalar engine counts one solution of.

use crate::support::{cases, data::puzzles, puzzles::TWO_SOLUTIONS, random_words::Words};
use sudoku_batch::{
    Cell, Digit, Puzzle, Solver,
    format::{Records, line},
    puzzle::neighbours,
    questions::{Data, NEAR, Status},
    solve::Engine,
};

/// All sets of this number of the items from a place on, in order.
fn sets<T: Copy>(items: &[T], number: usize) -> Vec<Vec<T>> {
    if number == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, &item) in items.iter().enumerate() {
        for mut set in sets(&items[place + 1..], number - 1) {
            set.insert(0, item);
            all.push(set);
        }
    }
    all
}

/// The neighbours from the first sets of clues, by trying all other clues.
fn by_trying(
    seed: &Puzzle,
    (drop, add): (usize, usize),
    is_minimal: bool,
    most_sets: usize,
) -> Vec<Puzzle> {
    let mut solver = Solver::new().with_engine(Engine::Scalar);
    let clues: Vec<_> = Cell::all()
        .filter(|&cell| seed.get(cell).is_some())
        .collect();
    let mut found = Vec::new();
    for gone in sets(&clues, drop).into_iter().take(most_sets) {
        let mut rest = *seed;
        gone.iter().for_each(|&cell| rest.set(cell, None));
        let blank = Cell::all().filter(|&cell| rest.get(cell).is_none());
        let others = blank.flat_map(|cell| Digit::all().map(move |digit| (cell, digit)));
        // Two clues of a house are no puzzle with a solution.
        let fits = |(cell, digit): &(Cell, Digit)| {
            let mut puzzle = rest;
            puzzle.set(*cell, Some(*digit));
            seed.get(*cell) != Some(*digit) && puzzle.conflict().is_none()
        };
        let others: Vec<_> = others.filter(fits).collect();
        let mut puzzles = Vec::new();
        for set in sets(&others, add) {
            let mut puzzle = rest;
            for &(cell, digit) in &set {
                puzzle.set(cell, Some(digit));
            }
            if puzzle.clue_count() + drop == seed.clue_count() + add && puzzle.conflict().is_none()
            {
                puzzles.push(puzzle);
            }
        }
        let counts = solver.count_batch(&puzzles, 2);
        let unique = puzzles
            .into_iter()
            .zip(counts)
            .filter(|(_, count)| *count == 1);
        for (puzzle, _) in unique {
            let mut cells = Cell::all().filter(|&cell| puzzle.get(cell).is_some());
            let is_redundant = |cell| {
                let mut fewer = puzzle;
                fewer.set(cell, None);
                solver.count(&fewer, 2) == 1
            };
            if !is_minimal || !cells.any(is_redundant) {
                found.push(puzzle);
            }
        }
    }
    found
}

/// The neighbours that the question gives, with the status of the seed.
fn by_question(
    seed: &Puzzle,
    (drop, add): (usize, usize),
    is_minimal: bool,
    most_sets: usize,
) -> (Vec<Puzzle>, Status) {
    let mut records = Records::default();
    line::read(seed.as_ascii(), &mut records);
    let [drop, add, most_sets] = [drop, add, most_sets].map(|number| number.to_string());
    let settings = [
        ("drop", &drop[..]),
        ("add", &add),
        ("minimal", if is_minimal { "true" } else { "false" }),
        ("max-sets", &most_sets),
    ];
    let answer = NEAR.with(settings).unwrap().ask(&records);
    let Data::Puzzles(near) = answer.column(1) else {
        unreachable!()
    };
    let lines = near.lines(0..near.len()).iter();
    let puzzles = lines.map(|line| Puzzle::from_ascii(line.first_chunk().unwrap()).unwrap());
    (puzzles.collect(), answer.statuses[0])
}

/// Random minimal puzzles, some with clues more or less.
fn seeds(words: &mut Words) -> impl Iterator<Item = Puzzle> + '_ {
    let minimal = puzzles("minimal");
    std::iter::repeat_with(move || minimal[words.below(minimal.len())])
}

fn assert_alike(
    seed: &Puzzle,
    numbers: (usize, usize),
    is_minimal: bool,
    most_sets: usize,
) -> usize {
    let expected = by_trying(seed, numbers, is_minimal, most_sets);
    let (found, status) = by_question(seed, numbers, is_minimal, most_sets);
    assert_eq!(found, expected, "{seed} {numbers:?} {is_minimal}");
    let clues = seed.clue_count();
    let all: usize = (0..numbers.0).map(|n| clues - n).product::<usize>() / [1, 1, 2, 6][numbers.0];
    let count = Solver::new().count(seed, 2);
    let expected = match count {
        _ if all > most_sets => Status::GaveUp,
        0 => status,
        1 => Status::Unique,
        _ => Status::Multiple,
    };
    assert_eq!(status, expected, "{seed}");
    found.len()
}

/// {-1+1} of whole seeds.
#[test]
fn neighbours_with_one_clue_changed_are_those_by_trying() {
    let (mut all, mut minimal) = (0, 0);
    let mut words = Words::new(5);
    for seed in seeds(&mut words).take(cases(6)) {
        all += assert_alike(&seed, (1, 1), false, 100);
        minimal += assert_alike(&seed, (1, 1), true, 100);
    }
    assert!(all > minimal && minimal > 20, "{all} {minimal}");
}

/// {-2+2} of the first sets of clues: the seeds are given up on.
#[test]
fn neighbours_with_two_clues_changed_are_those_by_trying() {
    let (mut all, mut minimal) = (0, 0);
    let mut words = Words::new(6);
    for seed in seeds(&mut words).take(cases(4)) {
        all += assert_alike(&seed, (2, 2), false, 3);
        minimal += assert_alike(&seed, (2, 2), true, 3);
    }
    assert!(all > minimal && minimal > 20, "{all} {minimal}");
}

/// Other numbers, on seeds with one solution, several and none.
#[test]
fn neighbours_with_any_numbers_of_clues_are_those_by_trying() {
    let mut words = Words::new(7);
    let minimal = seeds(&mut words).next().unwrap();
    let mut several = minimal;
    let clues = Cell::all().filter(|&cell| minimal.get(cell).is_some());
    clues.step_by(12).for_each(|cell| several.set(cell, None));
    let dense: Puzzle = TWO_SOLUTIONS.parse().unwrap();
    let mut wrong = dense;
    // With one clue changed the grid has no solution, and with this one back it has.
    wrong.set(Cell::at(4, 4), dense.get(Cell::at(4, 3)));
    let mut found = 0;
    for (seed, numbers, most_sets) in [
        (minimal, (1, 0), 100),
        (minimal, (2, 1), 20),
        (minimal, (1, 2), 3),
        (minimal, (0, 1), 1),
        (several, (0, 1), 1),
        (several, (0, 2), 1),
        (several, (1, 2), 2),
        (dense, (0, 0), 1),
        (dense, (1, 0), 100),
        (dense, (2, 2), 100),
        (dense, (2, 3), 60),
        (dense, (3, 3), 40),
        (wrong, (1, 1), 100),
        (wrong, (2, 3), 30),
    ] {
        for is_minimal in [false, true] {
            found += assert_alike(&seed, numbers, is_minimal, most_sets);
        }
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn each_neighbour_comes_with_its_solution() {
    let mut words = Words::new(8);
    let seed = seeds(&mut words).next().unwrap();
    let mut solver = Solver::new();
    let mut count = 0;
    for (puzzle, solution) in neighbours(&seed, 1, 1, false) {
        assert_eq!(solver.solve_unique(&puzzle), Ok(solution));
        count += 1;
    }
    assert_eq!(count, by_question(&seed, (1, 1), false, 100).0.len());
}

/// Records are searched side by side, and a limit ends each by itself.
#[test]
fn neighbours_of_a_record_depend_on_it_alone() {
    let mut words = Words::new(9);
    let mut seeds: Vec<_> = seeds(&mut words)
        .take(5)
        .map(|seed| seed.to_string())
        .collect();
    seeds.insert(2, "malformed".into());
    seeds.insert(4, format!("{}1", ".".repeat(80)));
    let mut records = Records::default();
    line::read(seeds.join("\n").as_bytes(), &mut records);
    let ask = |limit: &str, parts: Option<usize>| {
        let settings = [("drop", "2"), ("add", "1"), ("limit", limit)];
        let mut asked = NEAR.with(settings).unwrap();
        let mut answer = asked.empty();
        let (mut rows, mut limited) = (Vec::new(), Vec::new());
        loop {
            answer.begin(records.len());
            if let Some(bytes) = parts {
                answer.in_parts_of(bytes);
            }
            asked.fill((&records).into(), &mut answer);
            let Data::Puzzles(near) = answer.column(1) else {
                unreachable!()
            };
            let lines = near.lines(0..near.len()).iter();
            let of_rows = answer.entries().map(|(record, _)| record);
            rows.extend(of_rows.zip(lines.copied()));
            limited.extend(answer.limited.iter().copied());
            let reasons = answer
                .rejects
                .iter()
                .map(|reject| (reject.record, reject.reason.name()));
            let reasons = Vec::from_iter(reasons);
            if answer.next().is_none() {
                assert!(parts.is_some() || reasons == [(2, "malformed"), (4, "too-few-clues")]);
                return (rows, limited);
            }
        }
    };
    let (all, limited) = ask("0", None);
    assert!(limited.is_empty() && all.len() > 100);
    assert_eq!(ask("0", Some(2000)).0, all);
    let (few, limited) = ask("3", Some(500));
    let mut expected = Vec::new();
    for record in 0..seeds.len() {
        let of_record = all.iter().filter(|row| row.0 == record);
        assert_eq!(
            limited.contains(&record),
            of_record.clone().count() > 3,
            "{record}"
        );
        expected.extend(of_record.take(3).copied());
    }
    assert_eq!(few, expected);
}
