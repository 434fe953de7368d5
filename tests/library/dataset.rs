//! Sets of puzzles: images, scores, redundant clues, parts, counts and lists of solutions,
//! against slow definitions and the oracle.

use crate::{
    images::{images, images_of_cells},
    support::{
        brute_force::{all_images, are_distinct_images},
        data, has_turn, oracle,
        random_words::{Words, philox},
        reference,
        symmetry::{Symmetry, cells, puzzle},
    },
};
use proptest::prelude::*;
use std::collections::{BTreeSet, HashMap, HashSet};
use sudoku_batch::{
    Candidates, Cell, Digit, Grid, Outcome, Puzzle, Solver,
    dataset::{
        Equivalence, FirstSeen, MOST_RECORDS, Operation, PuzzleHasher, Statistics, redundant_clues,
    },
    format::{Records, Values, line},
    generate::Grids,
    questions::{
        Answer, AugmentSettings, Batch, CHECK, DEDUP, Data, DedupSettings, GivenAnswer, Question,
        STATS, SettingError, SplitSettings, Status, check_grids,
    },
    solve::{Counting, Solutions},
    symmetry::{CanonicalPuzzle, Transformation},
    technique,
};

/// The first puzzles of a file in `data`.
fn puzzles(name: &str, most: usize) -> Vec<Puzzle> {
    data::puzzles(name)[..most].to_vec()
}

fn solution(puzzle: &Puzzle) -> Grid {
    match Solver::new().solve(puzzle) {
        Outcome::Unique(grid) => grid,
        _ => panic!("{puzzle} has one solution"),
    }
}

/// All images are equivalent (they have the form of the puzzle), different, and the same for
/// any number of copies; the solution goes with them.
#[test]
fn images_are_equivalent_and_different() {
    let settings = |seed, copies| AugmentSettings {
        seed,
        copies,
        ..AugmentSettings::default()
    };
    for puzzle in puzzles("minimal", 30).iter().chain(&puzzles("easy", 10)) {
        let solution = solution(puzzle);
        let form = CanonicalPuzzle::new(puzzle, &solution).puzzle();
        let given = Puzzle::from(solution);
        let (all, solutions) = images(&settings(3, 200), puzzle, Some(&given));
        assert_eq!((all.len(), solutions.len()), (200, 200));
        assert_eq!(all.iter().collect::<HashSet<_>>().len(), 200);
        for (image, solved) in all.iter().zip(solutions) {
            let solved = Grid::from_ascii(solved.as_ascii()).unwrap();
            assert!(solved.is_solution_of(*image));
            assert_eq!(CanonicalPuzzle::new(image, &solved).puzzle(), form);
        }
        for copies in [0, 1, 31, 32, 33, 64, 65, 150] {
            let (images, solutions) = images(&settings(3, copies), puzzle, None);
            assert_eq!(images, all[..copies as usize]);
            assert_eq!(solutions, []);
        }
        let (other, _) = images(&settings(4, 1), puzzle, None);
        assert!(!all.contains(&other[0]), "another seed");
    }
}

/// Every symmetry of an operation, from its definition.
fn symmetries(operation: Operation) -> Vec<Transformation> {
    let orders = 362_880;
    let number = |lines: u64| Transformation::numbered(lines * orders);
    match operation {
        Operation::Relabelling => (0..orders).map(Transformation::numbered).collect(),
        Operation::Transposition => [0, 1296 * 1296].map(number).to_vec(),
        Operation::Bands => (0..36)
            .map(|n| number((n / 6 * 1296 + n % 6) * 216))
            .collect(),
        Operation::Lines => (0..216 * 216)
            .map(|n| number(n / 216 * 1296 + n % 216))
            .collect(),
        _ => unreachable!(),
    }
}

/// A puzzle with few symmetric copies gives all of them, each once, and no more.
#[test]
fn few_images_all_come() {
    let clues = |cells: &[(usize, usize, u8)]| {
        let mut puzzle = Puzzle::EMPTY;
        for &(row, column, digit) in cells {
            puzzle.set(Cell::at(row, column), Digit::new(digit));
        }
        puzzle
    };
    let full = Puzzle::from(Grids::uniform(0).grid(0).unwrap());
    let some = puzzles("minimal", 1)[0];
    for operation in Operation::ALL {
        let symmetries = symmetries(*operation);
        for puzzle in [
            Puzzle::EMPTY,
            clues(&[(0, 0, 1)]),
            clues(&[(0, 0, 1), (0, 1, 1)]),
            clues(&[(4, 4, 1), (0, 8, 2), (8, 0, 2)]),
            clues(&[(0, 0, 1), (3, 3, 2), (6, 6, 3), (8, 8, 4)]),
            some,
            full,
        ] {
            // All of 362,880 images take a third of a second: by default once, of one puzzle.
            let is_large = *operation == Operation::Relabelling && puzzle.clue_count() > 9;
            if is_large && !has_turn(usize::from(puzzle == full), 2) {
                continue;
            }
            let expected = all_images(&puzzle, &symmetries);
            let copies = [
                expected.len() / 2,
                expected.len(),
                expected.len() + 1,
                400_000,
            ];
            let copies = copies.into_iter().enumerate();
            let copies = copies.filter(|(n, _)| !is_large || has_turn(n + 1, 4));
            let mut longest = Vec::new();
            for (_, copies) in copies {
                let settings = AugmentSettings {
                    seed: 9,
                    include: vec![*operation, *operation],
                    copies: copies as u64,
                    ..AugmentSettings::default()
                };
                let found = images_of_cells(&settings, &puzzle);
                assert_eq!(
                    found.len(),
                    copies.min(expected.len()),
                    "{operation:?} {puzzle}"
                );
                assert!(longest.is_empty() || found.starts_with(&longest));
                longest = found;
            }
            // The shorter ones are parts of it.
            assert!(are_distinct_images(&longest, &expected));
        }
    }
    // All operations together, on puzzles of one and two clues.
    let settings = AugmentSettings {
        seed: 9,
        copies: 100_000,
        ..AugmentSettings::default()
    };
    for (puzzle, count) in [
        (Puzzle::EMPTY, 1),
        (clues(&[(0, 0, 1)]), 81 * 9),
        // Two cells of a minirow or minicolumn: three pairs in each of 54, and two digits.
        (clues(&[(0, 0, 1), (0, 1, 2)]), 3 * 54 * 72),
    ] {
        assert_eq!(images_of_cells(&settings, &puzzle).len(), count);
    }
}

/// The digits, the columns and the sides of images come as often as chance has it.
#[test]
fn images_are_evenly_spread() {
    // The only digit with one clue shows where its cell and its digit go.
    let mark = |puzzle: &Puzzle| {
        let mut of_digits = [(0, 0); 9];
        for (cell, &c) in puzzle.as_ascii().iter().enumerate() {
            if c != b'.' {
                let (count, last) = &mut of_digits[usize::from(c - b'1')];
                (*count, *last) = (*count + 1, cell);
            }
        }
        let of_digits = of_digits.into_iter().enumerate();
        let mut marks = of_digits.filter(|(_, (count, _))| *count == 1);
        let (digit, (_, cell)) = marks.next().filter(|_| marks.next().is_none())?;
        Some((cell, digit))
    };
    let mut all = puzzles("minimal", 100).into_iter();
    let puzzle = all.find(|puzzle| mark(puzzle).is_some()).unwrap();
    let settings = AugmentSettings {
        seed: 1,
        copies: 81 * 9 * 40,
        ..AugmentSettings::default()
    };
    let mut counts = [[0_u32; 9]; 81];
    for image in images_of_cells(&settings, &puzzle) {
        let (cell, digit) = mark(&image).unwrap();
        counts[cell][digit] += 1;
    }
    let chi: f64 = counts
        .as_flattened()
        .iter()
        .map(|&n| (f64::from(n) - 40.0).powi(2) / 40.0)
        .sum();
    // 728 degrees of freedom: the deviation is sqrt(2 * 728) = 38.
    assert!((chi - 728.0).abs() < 4.0 * 38.2, "{chi}");
}

#[test]
fn scores_are_counted_cell_by_cell() {
    let mut words = Words::new(1);
    let mut question = CHECK.with([("answers", "true")]).unwrap();
    for puzzle in puzzles("minimal", 200) {
        let solution = solution(&puzzle);
        let mut answer = *solution.as_ascii();
        let (mut wrong, mut changed) = (BTreeSet::new(), BTreeSet::new());
        for _ in 0..words.below(12) {
            let cell = words.below(81);
            let character = b".123456789"[words.below(10)];
            answer[cell] = character;
            let set = match puzzle.as_ascii()[cell] {
                b'.' => &mut wrong,
                _ => &mut changed,
            };
            if character == solution.as_ascii()[cell] {
                set.remove(&cell);
            } else {
                set.insert(cell);
            }
        }
        let mut records = Records::default();
        records.push_cells(1, puzzle.as_ascii()).unwrap();
        let checked = question.ask(Batch {
            records: &records,
            answers: Some(&[GivenAnswer::of_text(&answer)]),
            texts: None,
        });
        let numbers = ["wrong_cells", "changed_clues"].map(|name| match checked.named(name) {
            Data::Numbers(numbers) => numbers[0].unwrap() as usize,
            other => panic!("{other:?}"),
        });
        assert_eq!(numbers, [wrong.len(), changed.len()]);
        let Data::Flags(right) = checked.named("answer_right") else {
            panic!("{checked:?}")
        };
        assert_eq!(right[0], Some(answer == *solution.as_ascii()));
        let counts = ["blank-cells", "blank-cells-right", "cells-right"]
            .map(|name| checked.counts.get(name) as usize);
        let (blanks, all) = (81 - puzzle.clue_count(), 81 - wrong.len() - changed.len());
        assert_eq!(counts, [blanks, blanks - wrong.len(), all]);
    }
}

/// A clue is redundant when the oracle finds one solution without it.
#[test]
fn redundant_clues_are_those_that_can_go() {
    let mut words = Words::new(2);
    let mut all: Vec<Puzzle> = puzzles("minimal", 15);
    for minimal in puzzles("minimal", 15) {
        let solution = solution(&minimal);
        let mut more = minimal;
        for _ in 0..1 + words.below(8) {
            let cell = Cell::new(words.below(81)).unwrap();
            more.set(cell, Some(solution.get(cell)));
        }
        all.push(more);
    }
    let solutions: Vec<Grid> = all.iter().map(solution).collect();
    let redundant = redundant_clues(&mut Solver::new(), &all, &solutions);
    for (puzzle, redundant) in all.iter().zip(&redundant) {
        let can_go = |&cell: &Cell| {
            let mut without = *puzzle;
            without.set(cell, None);
            puzzle.get(cell).is_some() && oracle::solutions(&without, 2).len() == 1
        };
        assert_eq!(Cell::all().filter(can_go).count(), *redundant as usize);
    }
    assert!(redundant[..15].iter().all(|&n| n == 0), "minimal ones");
    assert!(redundant[15..].iter().any(|&n| n > 3));
}

/// `data/counts.txt`: puzzles and how many solutions they have, up to 1000. See
/// `data/README.md` for who counted them.
fn counts() -> Vec<(Puzzle, u64)> {
    let text = data::text("counts");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let (puzzle, count) = line.split_once(':').unwrap();
            (puzzle.parse().unwrap(), count.parse().unwrap())
        })
        .collect()
}

/// Counts in steps of any size, divided at any time, are the number of solutions.
#[test]
fn counts_in_parts_are_the_counts() {
    let mut words = Words::new(3);
    for (puzzle, expected) in counts() {
        assert_eq!(Solver::new().count(&puzzle, 1000), expected);
        let mut parts = vec![Counting::new(&puzzle)];
        let mut count = 0;
        while let Some(mut part) = parts.pop() {
            count += part.advance(1 + words.below(50) as u64, 1000 - count);
            if count >= 1000 {
                break;
            }
            if words.below(2) == 0 {
                parts.extend(part.share());
            }
            if !part.is_done() {
                let at = words.below(parts.len() + 1);
                parts.insert(at, part);
            }
        }
        assert_eq!(count.min(1000), expected, "{puzzle}");
    }
}

/// Lists are ascending, complete, and what the oracle finds.
#[test]
fn solutions_come_in_their_order() {
    for (puzzle, count) in counts() {
        let found: Vec<Grid> = Solutions::new(&puzzle).take(1000).collect();
        assert_eq!(found.len() as u64, count);
        assert!(found.is_sorted_by(|a, b| a < b));
        assert!(found.iter().all(|grid| grid.is_solution_of(&puzzle)));
        if count < 1000 {
            let mut expected = oracle::solutions(&puzzle, 1000);
            expected.sort_unstable();
            assert_eq!(found, expected);
        } else if let Outcome::Multiple(smallest) = Solver::new().solve(&puzzle) {
            assert_eq!(found[0], smallest);
        }
    }
}

#[test]
fn statistics_are_counted_one_by_one() {
    let mut all = puzzles("easy", 40);
    all.extend(puzzles("minimal", 40));
    all.extend(puzzles("hard", 3));
    let statistics = |puzzles: &[Puzzle]| {
        let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
        Statistics::of(&STATS.with([]).unwrap().ask_cells(&cells))
    };
    let found = statistics(&all);
    let mut expected = Statistics::default();
    for puzzle in &all {
        expected.puzzles += 1;
        expected.clues[puzzle.as_ascii().iter().filter(|&&c| c != b'.').count()] += 1;
        expected.naked_singles += u64::from(reference::singles_solve(puzzle, true));
        expected.singles += u64::from(reference::singles_solve(puzzle, false));
        let guesses = reference::guesses(puzzle);
        let entry = (0..64).find(|&entry| Statistics::guess_range(entry).contains(&guesses));
        expected.guesses[entry.unwrap()] += 1;
        expected.all_guesses += guesses;
        expected.most_guesses = expected.most_guesses.max(guesses);
        // By the steps of one puzzle at a time.
        let er = technique::rate(puzzle).unwrap().er;
        let is_entry = |entry: &usize| Statistics::rating(*entry) == er;
        expected.ratings[(0..).find(is_entry).unwrap()] += 1;
    }
    assert_eq!(found, expected);
    let (one, two) = all.split_at(33);
    let mut sum = statistics(one);
    sum += statistics(two);
    assert_eq!(sum, found);
    // By candidates they are the same.
    let by_candidates = all
        .iter()
        .map(|puzzle| Candidates::from(*puzzle).to_string());
    let text = Vec::from_iter(by_candidates).join("\n");
    let mut records = Records::default();
    line::read(text.as_bytes(), &mut records);
    let answer = STATS.with([]).unwrap().ask(&records);
    assert_eq!((Statistics::of(&answer), answer.rejects.len()), (found, 0));
}

/// The question for the parts of a split.
fn split(by: Equivalence, seed: u64, weights: &[f64]) -> Result<Question, SettingError> {
    Question::new(SplitSettings {
        by,
        seed,
        weights: weights.to_vec(),
    })
}

/// The part of each puzzle. By equality all have a part.
fn parts(question: &mut Question, puzzles: &[Puzzle]) -> Vec<usize> {
    let cells: Vec<_> = puzzles.iter().map(|puzzle| *puzzle.as_ascii()).collect();
    let answer = question.ask_cells(&cells);
    assert_eq!(answer.rejects, []);
    let Data::Numbers(parts) = answer.named("part") else {
        panic!("parts are numbers")
    };
    parts.iter().map(|part| part.unwrap() as usize).collect()
}

/// Equivalent puzzles are in one part under every seed, and so are puzzles of equivalent
/// solutions when these decide.
#[test]
fn equivalent_puzzles_are_on_one_side() {
    let settings = AugmentSettings {
        seed: 5,
        copies: 20,
        ..AugmentSettings::default()
    };
    let ways = [Equivalence::Symmetry, Equivalence::Solution];
    let [mut by_symmetry, mut by_solution] = ways.map(|by| split(by, 11, &[80.0, 20.0]).unwrap());
    let mut sides = [0; 2];
    for puzzle in puzzles("minimal", 60) {
        let given = Puzzle::from(solution(&puzzle));
        let mut all = vec![puzzle];
        all.extend(images_of_cells(&settings, &puzzle));
        let found = parts(&mut by_symmetry, &all);
        sides[found[0]] += 1;
        assert!(found.iter().all(|part| *part == found[0]), "{puzzle}");
        // The full grids have the same solution, and no puzzle has their cells.
        all.extend(images(&settings, &puzzle, Some(&given)).1);
        let found = parts(&mut by_solution, &all);
        assert!(found.iter().all(|part| *part == found[0]), "{puzzle}");
    }
    assert!(sides.iter().all(|&side| side > 2), "{sides:?}");
}

#[test]
fn weights_are_numbers_from_0_up() {
    for weights in [
        &[][..],
        &[0.0],
        &[-1.0, 2.0],
        &[f64::NAN, 1.0],
        &[f64::INFINITY],
    ] {
        let error = split(Equivalence::Equality, 0, weights).unwrap_err();
        assert_eq!(
            error.to_string(),
            "weights: the weights of the parts are not numbers from 0 up with one above 0"
        );
    }
}

/// Every puzzle of one or two clues: 26,000 forms that are as alike as can be.
fn alike() -> Vec<Puzzle> {
    let all = Cell::all().flat_map(|first| {
        Cell::all().flat_map(move |second| {
            (1..=4).map(move |digit| {
                let mut puzzle = Puzzle::EMPTY;
                puzzle.set(first, Digit::new(digit));
                puzzle.set(second, Digit::new(10 - digit));
                puzzle
            })
        })
    });
    all.collect()
}

#[test]
fn parts_have_their_shares() {
    let alike = alike();
    for seed in 0..5 {
        let weights = [0.0, 3.0, 1.0, 0.0, 4.0, 0.0];
        let mut split = split(Equivalence::Equality, seed, &weights).unwrap();
        let mut counts = [0_u32; 6];
        let parts = parts(&mut split, &alike);
        parts.into_iter().for_each(|part| counts[part] += 1);
        let all: u32 = counts.iter().sum();
        for (count, weight) in counts.into_iter().zip(weights) {
            let share = weight / 8.0;
            let expected = share * f64::from(all);
            // Five standard deviations.
            let deviation = (expected * (1.0 - share)).sqrt();
            assert!(
                (f64::from(count) - expected).abs() <= 5.0 * deviation,
                "{counts:?}"
            );
        }
    }
}

/// A smaller test set is a part of a larger one: the last part only loses forms when the
/// share of the first grows.
#[test]
fn borders_move_without_mixing() {
    let alike = alike();
    let [small, large] = [0.9, 0.8].map(|train| {
        let question = split(Equivalence::Equality, 3, &[train, 1.0 - train]);
        parts(&mut question.unwrap(), &alike)
    });
    let mut moved = 0;
    for (was, is) in small.into_iter().zip(large) {
        assert!(was <= is);
        moved += usize::from(was != is);
    }
    assert!(moved > 2000, "{moved}");
}

#[test]
fn seeds_give_the_same_keys_and_chance_does_not() {
    let key = |maker: &PuzzleHasher| maker.key(&Puzzle::EMPTY);
    assert_eq!(key(&PuzzleHasher::seeded(1)), key(&PuzzleHasher::seeded(1)));
    assert_ne!(key(&PuzzleHasher::seeded(1)), key(&PuzzleHasher::seeded(2)));
    assert_ne!(key(&PuzzleHasher::random()), key(&PuzzleHasher::random()));
}

/// The product of two numbers modulo a prime, bit by bit.
fn product(mut a: u128, mut b: u128, prime: u128) -> u128 {
    let mut sum = 0;
    while b > 0 {
        if b & 1 == 1 {
            sum = (sum + a) % prime;
        }
        a = 2 * a % prime;
        b >>= 1;
    }
    sum
}

proptest! {
    /// Keys by their formula, with the words that the seed gives: stream 0x6b65 of number 0. And
    /// the part of a split is decided by the first word of the key.
    #[test]
    fn keys_and_parts_are_by_the_formula(
        cells in prop::collection::vec(prop::sample::select(b".123456789".to_vec()), 81),
        seed: u64,
    ) {
        const PRIME: u128 = (1 << 127) - 1;
        let puzzle = Puzzle::from_ascii(&cells.clone().try_into().unwrap()).unwrap();
        let numbers: Vec<u128> = (0..7)
            .map(|i| philox([0, (0x6b65 << 40) + i], seed))
            .map(|[high, low]| (u128::from(high) << 64 | u128::from(low)) >> 1)
            .collect();
        let mut words = [0_u64; 6];
        for (i, &cell) in cells.iter().enumerate() {
            words[i / 16] |= u64::from(cell & 15) << (4 * (i % 16));
        }
        let mut expected = numbers[6];
        for (&factor, word) in numbers.iter().zip(words) {
            expected = (expected + product(factor, word.into(), PRIME)) % PRIME;
        }
        prop_assert_eq!(PuzzleHasher::seeded(seed).key(&puzzle), expected);
        let [word, _] = philox([expected as u64, 0], seed ^ (expected >> 64) as u64);
        let mut split = split(Equivalence::Equality, seed, &[1.0, 1.0]).unwrap();
        prop_assert_eq!(parts(&mut split, &[puzzle]), [(word >> 63) as usize]);
    }
}

/// Against the standard map: many keys that come again, and keys that differ in few bits
/// or fall into one part and one place.
#[test]
fn it_is_a_map_to_the_first() {
    let mut words = Words::new(1);
    let mut keys: Vec<u128> = (0..20_000)
        .map(|_| u128::from(words.next()) << 63 ^ u128::from(words.next()))
        .collect();
    keys.extend((0..127).map(|bit| 1 << bit));
    keys.extend((0..2000).map(|i| i << 80));
    keys.extend((0..2000).map(|i| i << 10));
    keys.extend([0, (1 << 127) - 1, (1 << 127) - 2]);
    let (mut set, mut map) = (FirstSeen::new(), HashMap::new());
    for number in 0..60_000 {
        let key = keys[words.next() as usize % keys.len()];
        let expected = map.get(&key).copied();
        map.entry(key).or_insert(number);
        assert_eq!(set.insert(key, number), expected);
        assert_eq!(set.len(), map.len());
    }
    set.clear();
    assert!(set.is_empty());
    assert_eq!(set.insert(0, MOST_RECORDS - 1), None);
    assert_eq!(set.insert(0, 3), Some(MOST_RECORDS - 1));
}

/// Shards and batches give what one set gives key by key.
#[test]
fn shards_and_batches_are_the_same_set() {
    let mut words = Words::new(3);
    let keys: Vec<(u128, u64)> = (0..50_000)
        .map(|number| {
            let low = words.next() % 5000;
            let bits = u128::from(low.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            ((bits << 40 | u128::from(low)), number)
        })
        .collect();
    let mut set = FirstSeen::new();
    let expected: Vec<_> = (keys.iter())
        .map(|&(key, number)| set.insert(key, number))
        .collect();
    for count in [1, 2, 16, 256] {
        let mut shards = FirstSeen::shards(count);
        let mut first = vec![None; keys.len()];
        for (shard, set) in shards.iter_mut().enumerate() {
            let of_shard = |(key, _): &(u128, u64)| FirstSeen::shard_of(*key, count) == shard;
            let mine: Vec<_> = keys.iter().copied().filter(of_shard).collect();
            let mut numbers = mine.iter().map(|&(_, number)| number as usize);
            set.insert_batch(&mine, |found| first[numbers.next().unwrap()] = found);
        }
        assert_eq!(first, expected);
        assert_eq!(shards.iter().map(FirstSeen::len).sum::<usize>(), set.len());
    }
}

#[test]
#[should_panic(expected = "the shard of the key")]
fn a_key_belongs_to_one_shard() {
    FirstSeen::shards(2)[0].insert(1, 0);
}

/// The answers of `DEDUP` to batches of this length: forks fill them in any order, and the question settles them in the order
/// of the records. Gives what is kept, and the first records.
fn first_of_equal(
    question: &mut Question,
    lines: &[String],
    length: usize,
) -> (Vec<bool>, Vec<u64>, Vec<Status>) {
    let mut forks = [question.fork(), question.fork()];
    let fill = |(number, lines): (usize, &[String])| {
        let mut records = Records::default();
        line::read(lines.concat().as_bytes(), &mut records);
        let fork = &mut forks[number % 2];
        let mut answer = fork.empty();
        answer.begin(records.len());
        fork.fill(&records, &mut answer);
        assert!(!answer.is_settled());
        answer
    };
    let batches = lines.chunks(length).enumerate().rev();
    let answers: Vec<Answer<'_>> = batches.map(fill).collect();
    let (mut kept, mut first, mut statuses) = (Vec::new(), Vec::new(), Vec::new());
    for mut answer in answers.into_iter().rev() {
        question.settle(&mut answer);
        answer.check();
        let (Data::Flags(of_kept), Data::Numbers(of_first)) =
            (answer.named("kept"), answer.named("first"))
        else {
            panic!("flags and numbers")
        };
        kept.extend(of_kept.iter().map(|kept| kept.unwrap()));
        first.extend(of_first.iter().map(|first| first.unwrap()));
        statuses.extend_from_slice(&answer.statuses);
        let counted = |name| answer.counts.get(name) as usize;
        let of_batch = of_kept.iter().filter(|kept| **kept == Some(true)).count();
        assert_eq!(counted("kept"), of_batch);
        assert_eq!(counted("repeated"), answer.records() - of_batch);
    }
    (kept, first, statuses)
}

/// Against a map from what a record is by the rules of the tests to the first such record. All different minimal puzzles of
/// the file are in different classes.
#[test]
fn dedup_finds_the_first_of_equal_records_in_any_batches() {
    let mut words = Words::new(8);
    let different = puzzles("minimal", 25);
    let (mut lines, mut classes) = (Vec::new(), Vec::new());
    for _ in 0..400 {
        let class = words.below(different.len() + 2);
        match different.get(class) {
            Some(of_class) => {
                let symmetry = Symmetry::random(&mut words);
                let image = puzzle(&symmetry.image(&cells(of_class.as_ascii())));
                lines.push(format!("{image}\n"));
                classes.push(Some(class));
            }
            // Several solutions: equal cells alone are the same. And a malformed record is the same as no other.
            None if class == different.len() => {
                lines.push(".".repeat(81) + "\n");
                classes.push(Some(class));
            }
            None => {
                lines.push("123\n".into());
                classes.push(None);
            }
        }
    }
    let map = |keys: &[Option<String>]| {
        let mut seen = HashMap::new();
        let keys = (0..).zip(keys);
        keys.map(|(number, key)| match key {
            Some(key) => *seen.entry(key.clone()).or_insert(number),
            None => number,
        })
        .collect::<Vec<u64>>()
    };
    let by_class: Vec<_> = classes
        .iter()
        .map(|class| Some(class.as_ref()?.to_string()))
        .collect();
    let cells_of = |(line, class): (&String, &Option<usize>)| class.map(|_| line.clone());
    let by_cells: Vec<_> = lines.iter().zip(&classes).map(cells_of).collect();
    for (by, keys) in [
        (Equivalence::Symmetry, by_class.clone()),
        (Equivalence::Minlex, by_class),
        (Equivalence::Equality, by_cells),
    ] {
        let expected = map(&keys);
        for length in [1, 7, 64, 1000] {
            let settings = DedupSettings {
                by,
                ..DedupSettings::default()
            };
            let mut question = Question::new(settings).unwrap();
            let (kept, first, statuses) = first_of_equal(&mut question, &lines, length);
            assert_eq!(first, expected, "{by:?} {length}");
            for (number, kept) in (0..).zip(kept) {
                assert_eq!(kept, first[number] == number as u64);
            }
            for (status, class) in statuses.iter().zip(&classes) {
                let expected = match class {
                    None => Status::Malformed,
                    Some(class) if *class == different.len() => Status::Multiple,
                    Some(_) => Status::Unique,
                };
                assert_eq!(*status, expected);
            }
        }
    }
}

/// A filled answer of `DEDUP`, and its question.
fn filled() -> (Question, Answer<'static>) {
    let mut question = DEDUP.with([]).unwrap();
    let mut records = Records::default();
    line::read(&[b'.'; 81], &mut records);
    let mut answer = question.empty();
    answer.begin(records.len());
    question.fill(&records, &mut answer);
    (question, answer)
}

#[test]
#[should_panic(expected = "is read before `Question::settle`")]
fn rows_that_are_not_settled_are_not_none() {
    let (_, answer) = filled();
    _ = answer.entries().count();
}

#[test]
#[should_panic(expected = "is read before `Question::settle`")]
fn a_table_takes_no_rows_that_are_not_settled() {
    let (question, answer) = filled();
    question.table().push(0, &answer);
}

#[test]
#[should_panic(expected = "the rows of a table that is not settled are not known")]
fn a_table_that_is_not_settled_gives_no_columns() {
    let (question, mut answer) = filled();
    let mut table = question.table();
    table.push_filled(0, &mut answer);
    table.into_columns();
}

#[test]
#[should_panic(expected = "the answer is settled already")]
fn an_answer_is_settled_once() {
    let (mut question, mut answer) = filled();
    question.settle(&mut answer);
    question.settle(&mut answer);
}

#[test]
#[should_panic(expected = "a fork fills answers")]
fn a_fork_settles_nothing() {
    let (question, mut answer) = filled();
    question.fork().settle(&mut answer);
}

/// The written rule: record `n` has the word philox((n, 0x7361 · 2^40), seed), and the smallest words are chosen.
#[test]
fn samples_are_the_records_of_the_smallest_words() {
    for (records, size, seed) in [
        (500, 20, 0),
        (500, 499, 7),
        (40, 1, u64::MAX),
        (3, 9, 1),
        (0, 4, 1),
    ] {
        let mut words: Vec<_> = (0..records)
            .map(|number| (philox([number, 0x7361 << 40], seed)[0], number))
            .collect();
        words.sort_unstable();
        words.truncate(size);
        let mut numbers: Vec<_> = words.into_iter().map(|(_, number)| number).collect();
        numbers.sort_unstable();
        assert_eq!(sudoku_batch::dataset::sample(records, size, seed), numbers);
    }
}

/// `DEDUP` by equality is a check of distinct grids: it repeats those that the command's check repeats, by a map of their
/// cells, and a grid is valid where its status is unique.
#[test]
fn distinct_grids_are_those_of_the_check() {
    let grids = data::puzzles("easy.solved");
    let mut lines: Vec<_> = grids[..40].iter().map(Puzzle::to_string).collect();
    let wrong = lines[3].replacen('7', "8", 1);
    lines.extend([&lines[7], &lines[0], &wrong, &lines[7], &wrong].map(String::clone));
    let mut records = Records::default();
    line::read(lines.join("\n").as_bytes(), &mut records);
    let mut checked = Answer::new([Values::Numbers]);
    checked.begin(records.len());
    let mut seen = HashMap::new();
    let mut repeats = |grids: &[Option<Grid>]| {
        let numbered = (1..).zip(grids);
        let first = numbered.map(|(number, grid)| {
            let first = *seen.entry(grid.as_ref()?.to_string()).or_insert(number);
            (first < number).then_some(first)
        });
        first.collect()
    };
    check_grids(&records, None, Some(&mut repeats), &mut checked);
    let Data::Numbers(repeated) = checked.column(0) else {
        unreachable!("numbers")
    };
    let by = Equivalence::Equality;
    let settings = DedupSettings {
        by,
        ..DedupSettings::default()
    };
    let found = Question::new(settings).unwrap().ask(&records);
    let Data::Numbers(first) = found.named("first") else {
        unreachable!("numbers")
    };
    let mut valid = 0;
    for record in 0..records.len() {
        let puzzle: Puzzle = lines[record].parse().unwrap();
        let is_valid = puzzle.conflict().is_none();
        assert_eq!(is_valid, found.statuses[record] == Status::Unique);
        assert_eq!(
            is_valid,
            checked.statuses[record] == Status::Valid || repeated[record].is_some()
        );
        if is_valid {
            let own = record as u64;
            let other = first[record].filter(|first| *first != own);
            assert_eq!(repeated[record], other.map(|first| first + 1));
            valid += 1;
        }
    }
    assert_eq!((valid, repeated.iter().flatten().count()), (43, 3));
}
