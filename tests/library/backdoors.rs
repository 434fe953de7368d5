//! Backdoors, against all sets of cells and singles that share no code with the library.

use crate::support::{
    brute_force, cases, data::puzzles, puzzles::PUZZLES, rated::Rater, reference,
};
use sudoku_batch::{
    Candidates, Puzzle, Solver,
    format::Records,
    grid::AnyPuzzle,
    questions::{BACKDOORS, Data},
    technique::Rating,
};

/// The sizes, the numbers and the lists of backdoors of records.
fn found(
    records: &Records,
    most: &str,
    up_to: Option<&str>,
) -> Vec<(Option<u64>, Option<u64>, String)> {
    let settings = [("most", most), ("list", "true")].into_iter();
    let settings = settings.chain(up_to.map(|up_to| ("up-to", up_to)));
    let mut question = BACKDOORS.with(settings).unwrap();
    let answer = question.ask(records);
    let [
        Data::Numbers(sizes),
        Data::Numbers(counts),
        Data::Texts(texts),
    ] = [0, 1, 2].map(|column| answer.column(column))
    else {
        unreachable!("the kinds of the columns");
    };
    let text = |row| String::from_utf8(texts.get(row).to_vec()).unwrap();
    (0..records.len())
        .map(|row| (sizes[row], counts[row], text(row)))
        .collect()
}

/// The text of sets of cells.
fn shown(sets: &[Vec<usize>]) -> String {
    let cell = |cell: &usize| format!("r{}c{}", cell / 9 + 1, cell % 9 + 1);
    let set = |set: &Vec<usize>| set.iter().map(cell).collect::<Vec<_>>().join("+");
    sets.iter().map(set).collect::<Vec<_>>().join(" ")
}

/// Pairs of cells take a second for 60 puzzles by trying. More puzzles find rarer sets.
#[test]
fn backdoors_are_those_of_all_sets() {
    let mut chosen: Vec<Puzzle> = PUZZLES
        .iter()
        .map(|puzzle| puzzle.parse().unwrap())
        .collect();
    chosen.extend(puzzles("easy").into_iter().take(cases(20)));
    chosen.extend(puzzles("minimal").into_iter().take(cases(120)));
    chosen.extend(puzzles("hard").into_iter().take(cases(60)));
    let mut solver = Solver::new();
    let solutions: Vec<_> = chosen
        .iter()
        .map(|puzzle| solver.solve_unique(*puzzle).unwrap())
        .collect();
    let mut sizes = [0; 4];
    let mut by_cells = Records::default();
    let mut by_candidates = Records::default();
    for (line, puzzle) in (1..).zip(&chosen) {
        by_cells.push_puzzle(line, &AnyPuzzle::from(*puzzle), b"");
        by_candidates.push_puzzle(line, &AnyPuzzle::from(Candidates::from(*puzzle)), b"");
    }
    let of_cells = found(&by_cells, "2", None);
    assert_eq!(of_cells, found(&by_candidates, "2", None));
    for ((puzzle, solution), of_puzzle) in chosen.iter().zip(&solutions).zip(of_cells) {
        let size = (0..=2).find_map(|size| {
            let sets = brute_force::backdoors(puzzle, solution, size, &mut |puzzle| {
                reference::singles_solve(puzzle, false)
            });
            (!sets.is_empty()).then_some((size, sets))
        });
        let expected = match &size {
            Some((size, sets)) => (Some(*size as u64), Some(sets.len() as u64), shown(sets)),
            None => (None, None, String::new()),
        };
        assert_eq!(of_puzzle, expected, "{puzzle}");
        sizes[size.map_or(3, |(size, _)| size)] += 1;
    }
    assert!(sizes[..3].iter().all(|&count| count > 5), "{sizes:?}");
}

/// A rating of each puzzle with the digits of one cell, or of two. The rater is tested by itself; this is the search.
#[test]
fn backdoors_up_to_a_rating_leave_puzzles_that_are_rated_so() {
    let mut rater = Rater::new();
    let mut solver = Solver::new();
    let mut sizes = [0; 4];
    let lists = [
        ("hard", "2.6", 3),
        ("hard", "4.4", 3),
        ("hard", "5.0", 2),
        ("minimal", "1.0", 12),
    ];
    for (list, up_to, number) in lists {
        let bound = up_to
            .parse::<Rating>()
            .unwrap()
            .max(Rating::from_tenths(23));
        let mut rater_up_to = Rater::new().with_max_rating(bound);
        let is_hard = |puzzle: &Puzzle| rater.rate(puzzle).unwrap().er.is_none_or(|er| er > bound);
        let all = puzzles(list).into_iter();
        let chosen: Vec<Puzzle> = all.filter(is_hard).take(cases(number)).collect();
        let mut by_cells = Records::default();
        let mut by_candidates = Records::default();
        for (line, puzzle) in (1..).zip(&chosen) {
            by_cells.push_puzzle(line, &AnyPuzzle::from(*puzzle), b"");
            by_candidates.push_puzzle(line, &AnyPuzzle::from(Candidates::from(*puzzle)), b"");
        }
        let most = if bound > Rating::IN_PLANES { 1 } else { 2 };
        let of_cells = found(&by_cells, &most.to_string(), Some(up_to));
        assert_eq!(
            of_cells,
            found(&by_candidates, &most.to_string(), Some(up_to))
        );
        for (puzzle, of_puzzle) in chosen.iter().zip(of_cells) {
            let solution = solver.solve_unique(*puzzle).unwrap();
            let size = (0..=most).find_map(|size| {
                let sets = brute_force::backdoors(puzzle, &solution, size, &mut |puzzle| {
                    rater_up_to.rate(puzzle).unwrap().er.is_some()
                });
                (!sets.is_empty()).then_some((size, sets))
            });
            let expected = match &size {
                Some((size, sets)) => (Some(*size as u64), Some(sets.len() as u64), shown(sets)),
                None => (None, None, String::new()),
            };
            assert_eq!(of_puzzle, expected, "{puzzle} up to {up_to}");
            sizes[size.map_or(3, |(size, _)| size)] += 1;
        }
    }
    assert!(sizes[1] > 2, "{sizes:?}");
}
