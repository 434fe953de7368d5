//! Puzzles near a puzzle, against all puzzles with other clues that the scalar engine counts one solution of.

use crate::support::{
    brute_force::neighbours_by_trying, cases, data::puzzles, has_turn, puzzles::TWO_SOLUTIONS,
    random_words::Words,
};
use sudoku_batch::{
    Cell, Puzzle, Solver,
    format::{Records, line},
    puzzle::neighbours,
    questions::{Data, NEAR, Status},
};

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
    let expected = neighbours_by_trying(seed, numbers, is_minimal, most_sets);
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

/// {-1+1} of whole seeds. More seeds find what only some puzzles show.
#[test]
fn neighbours_with_one_clue_changed_are_those_by_trying() {
    let (mut all, mut minimal) = (0, 0);
    let mut words = Words::new(5);
    for seed in seeds(&mut words).take(cases(3)) {
        all += assert_alike(&seed, (1, 1), false, 100);
        minimal += assert_alike(&seed, (1, 1), true, 100);
    }
    assert!(all > minimal && minimal > 20, "{all} {minimal}");
}

/// {-2+2} of the first sets of clues: the seeds are given up on. More seeds find what only some puzzles show.
#[test]
fn neighbours_with_two_clues_changed_are_those_by_trying() {
    let (mut all, mut minimal) = (0, 0);
    let mut words = Words::new(6);
    for seed in seeds(&mut words).take(cases(1)) {
        all += assert_alike(&seed, (2, 2), false, 2);
        minimal += assert_alike(&seed, (2, 2), true, 2);
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
    let all = [
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
    ];
    // By default every second one is asked for its minimal neighbours, and the others for all.
    for (number, (seed, numbers, most_sets)) in all.into_iter().enumerate() {
        for is_minimal in [false, true] {
            if !has_turn(number + usize::from(is_minimal), 2) {
                continue;
            }
            found += assert_alike(&seed, numbers, is_minimal, most_sets);
        }
    }
    assert!(found > 500, "{found}");
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
            asked.fill(&records, &mut answer);
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
