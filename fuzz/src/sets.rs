//! Sets of puzzles: keys and duplicates, splits, images, scores and redundant clues.

use super::{material, oracle};
use arbitrary::{Result, Unstructured};
use std::collections::{BTreeMap, BTreeSet};
use sudoku_batch::{
    Grid, Puzzle, Solver,
    dataset::{Equivalence, FirstSeen, Operation, PuzzleHasher, redundant_clues},
    format::Records,
    questions::{
        Answer, AugmentSettings, Batch, CheckSettings, Data, GivenAnswer, Question, SplitSettings,
    },
};

/// Asks all that there is to ask about a few puzzles.
pub fn run(data: &[u8]) {
    let from = &mut Unstructured::new(data);
    let _ = match from.int_in_range(0..=3u8) {
        Ok(0) => check_distinct(from),
        Ok(1) => check_split(from),
        Ok(2) => check_images(from),
        _ => check_answers(from),
    };
}

fn puzzle(cells: &[u8; 81]) -> Puzzle {
    Puzzle::from_ascii(cells).expect("digits and points")
}

/// Keys and the set of them, against a map of the cells.
fn check_distinct(from: &mut Unstructured<'_>) -> Result<()> {
    let maker = PuzzleHasher::seeded(from.arbitrary()?);
    let mut seen = BTreeMap::new();
    let count = 1 << from.int_in_range(0..=4u8)?;
    let (mut one, mut shards) = (FirstSeen::new(), FirstSeen::shards(count));
    let mut all = Vec::new();
    let mut cells = material::puzzle(from)?;
    for number in 0..from.int_in_range(1..=120u64)? {
        // The puzzle before with one other cell: keys that could be alike.
        if from.arbitrary()? {
            cells[from.int_in_range(0..=80usize)?] = *from.choose(b".123456789")?;
        }
        let key = maker.key(&puzzle(&cells));
        // Or bits that nobody would meet: close to each other, and at the ends.
        let key = match from.int_in_range(0..=9u8)? {
            0 => (from.arbitrary::<u128>()? & 0xffff) << 111,
            1 => (1 << 127) - 2 - u128::from(from.arbitrary::<u8>()?),
            _ => key,
        };
        let before = *seen.entry(key).or_insert(number);
        let expected = (before != number).then_some(before);
        assert_eq!(one.insert(key, number), expected);
        let shard = &mut shards[FirstSeen::shard_of(key, count)];
        assert_eq!(shard.insert(key, number), expected);
        all.push((key, number));
    }
    assert_eq!(one.len(), seen.len());
    assert_eq!(shards.iter().map(FirstSeen::len).sum::<usize>(), seen.len());
    let mut batch = FirstSeen::new();
    let mut firsts = Vec::new();
    batch.insert_batch(&all, |first| firsts.push(first));
    let mut again = FirstSeen::new();
    let expected: Vec<_> = all
        .iter()
        .map(|&(key, number)| again.insert(key, number))
        .collect();
    assert_eq!(firsts, expected);
    Ok(())
}

/// The part of a puzzle, however often it is asked; parts without weight get nothing.
fn check_split(from: &mut Unstructured<'_>) -> Result<()> {
    let seed = from.arbitrary()?;
    let mut weights = Vec::new();
    for _ in 0..from.int_in_range(0..=5u8)? {
        weights.push(match from.int_in_range(0..=5u8)? {
            0 => from.arbitrary::<f64>()?,
            1 => 0.0,
            _ => f64::from(from.arbitrary::<u16>()?) / 16.0,
        });
    }
    let sum: f64 = weights.iter().sum();
    let good = weights.iter().all(|w| *w >= 0.0) && sum.is_finite() && sum > 0.0;
    let question = Question::new(SplitSettings {
        by: Equivalence::Equality,
        seed,
        weights: weights.clone(),
    });
    assert_eq!(question.is_ok(), good, "{weights:?}");
    let Ok(mut question) = question else {
        return Ok(());
    };
    let cells = (0..8).map(|_| material::puzzle(from));
    let cells = cells.collect::<Result<Vec<_>>>()?;
    let mut parts = |cells: &[[u8; 81]]| {
        let answer = question.ask_cells(cells);
        let Data::Numbers(parts) = answer.named("part") else {
            panic!("parts are numbers")
        };
        parts.clone()
    };
    let all = parts(&cells);
    for (cells, part) in cells.iter().zip(all) {
        let place = part.expect("each has a part") as usize;
        assert!(
            place < weights.len() && weights[place] > 0.0,
            "part {place} of {weights:?}"
        );
        assert_eq!(parts(&[*cells]), [part]);
    }
    Ok(())
}

/// Images: all different, equivalent to the puzzle, the same for any number of copies.
fn check_images(from: &mut Unstructured<'_>) -> Result<()> {
    let cells = material::puzzle(from)?;
    let mut operations = Vec::new();
    for &operation in Operation::ALL {
        if from.arbitrary()? {
            operations.push(operation);
        }
    }
    // Without operations there are no copies to ask for.
    if operations.is_empty() {
        operations.push(Operation::ALL[0]);
    }
    let copies = from.int_in_range(0..=90u64)?;
    let settings = AugmentSettings {
        copies,
        seed: from.arbitrary()?,
        include: operations.clone(),
        ..AugmentSettings::default()
    };
    let solution = oracle::solutions(&cells, 1).found.first().copied();
    let all = images(&settings, &cells, solution.as_ref());
    let solution = solution.map(|solution| puzzle(&solution));
    let puzzle = puzzle(&cells);
    assert!(all.len() as u64 <= copies);
    let different: BTreeSet<_> = all.iter().map(|(image, _)| image.as_ascii()).collect();
    assert_eq!(different.len(), all.len());
    for (image, of_solution) in &all {
        check_image(&puzzle, image, &operations);
        assert_eq!(of_solution.is_some(), solution.is_some());
        if let (Some(of_solution), Some(solution)) = (of_solution, solution) {
            let cells = of_solution.as_ascii();
            assert!(oracle::is_grid(cells) && oracle::fits(cells, image.as_ascii()));
            let grid = |puzzle: &Puzzle| Grid::from_ascii(puzzle.as_ascii()).expect("a grid");
            let form = |puzzle, solution| Equivalence::Symmetry.form(puzzle, &grid(solution));
            assert_eq!(form(image, of_solution), form(&puzzle, &solution));
        }
    }
    // The first few are the first of many.
    let settings = AugmentSettings {
        copies: copies / 2,
        ..settings
    };
    let fewer = images(&settings, &cells, None);
    if all.len() as u64 == copies {
        assert_eq!(fewer.len() as u64, copies / 2);
    }
    assert!(fewer.iter().zip(&all).all(|(one, other)| one.0 == other.0));
    Ok(())
}

/// A record of these cells, and what stands beside it as its answer.
fn ask(question: &mut Question, cells: &[u8; 81], given: Option<&[u8; 81]>) -> Answer<'static> {
    let mut records = Records::default();
    records.push_cells(1, cells).expect("digits and points");
    let answers = given.map(|given| [GivenAnswer::of_text(given)]);
    question.ask(Batch {
        records: &records,
        answers: answers.as_ref().map(<[_; 1]>::as_slice),
        texts: None,
    })
}

/// The images of cells, each with that of the solution.
fn images(
    settings: &AugmentSettings,
    cells: &[u8; 81],
    solution: Option<&[u8; 81]>,
) -> Vec<(Puzzle, Option<Puzzle>)> {
    let settings = AugmentSettings {
        answers: solution.is_some(),
        ..settings.clone()
    };
    let mut question = Question::new(settings).expect("known operations");
    let answer = ask(&mut question, cells, solution);
    let Data::Puzzles(images) = answer.named("puzzle") else {
        unreachable!("copies are puzzles")
    };
    let of_line = |line: &[u8; 82]| puzzle(line.first_chunk().expect("81 of 82"));
    let solutions = solution.and_then(|_| answer.named("solution").lines());
    let pair = |row: usize| {
        let image = of_line(&images.lines(row..row + 1)[0]);
        (image, solutions.map(|lines| of_line(&lines[row])))
    };
    (0..images.len()).map(pair).collect()
}

/// Properties that the operations keep.
fn check_image(puzzle: &Puzzle, image: &Puzzle, operations: &[Operation]) {
    assert_eq!(puzzle.clue_count(), image.clue_count());
    let clues = |puzzle: &Puzzle| puzzle.as_ascii().map(|c| c != b'.');
    if operations == [Operation::ALL[0]] {
        // The digits alone have other names.
        assert_eq!(clues(puzzle), clues(image));
    }
    let sorted = |puzzle: &Puzzle| {
        let digits = (b'1'..=b'9').map(|d| puzzle.as_ascii().iter().filter(|&&c| c == d).count());
        let mut digits: Vec<_> = digits.collect();
        digits.sort_unstable();
        digits
    };
    assert_eq!(sorted(puzzle), sorted(image));
}

/// Scores of answers, and clues that can be left out, cell by cell.
fn check_answers(from: &mut Unstructured<'_>) -> Result<()> {
    let cells = material::puzzle(from)?;
    let found = oracle::solutions(&cells, 2);
    let ([solution], true) = (&found.found[..], found.known) else {
        return Ok(());
    };
    let grid = Grid::from_ascii(solution).expect("a grid");
    let mut answer = *solution;
    for _ in 0..from.int_in_range(0..=6u8)? {
        answer[from.int_in_range(0..=80usize)?] = *from.choose(b".123456789")?;
    }
    let mut question = Question::new(CheckSettings {
        answers: true,
        ..CheckSettings::default()
    })
    .expect("settings that go together");
    let checked = ask(&mut question, &cells, Some(&answer));
    let count = |is: &dyn Fn(usize) -> bool| (0..81).filter(|&i| is(i)).count() as u64;
    let is_blank = |i: usize| cells[i] == b'.';
    let number = |name: &str| match checked.named(name) {
        Data::Numbers(numbers) => numbers[0],
        other => unreachable!("{other:?}"),
    };
    let wrong = count(&|i| is_blank(i) && answer[i] != solution[i]);
    let changed = count(&|i| !is_blank(i) && answer[i] != cells[i]);
    assert_eq!(number("wrong_cells"), Some(wrong));
    assert_eq!(number("changed_clues"), Some(changed));
    let Data::Flags(right) = checked.named("answer_right") else {
        unreachable!("answers are right or not")
    };
    assert_eq!(right[0], Some(answer == *solution));
    assert_eq!(checked.counts.get("blank-cells"), count(&is_blank));
    assert_eq!(checked.counts.get("cells-right"), 81 - wrong - changed);
    let redundant = redundant_clues(&mut Solver::new(), &[puzzle(&cells)], &[grid])[0];
    let mut least = 0;
    let mut unknown = 0;
    for cell in (0..81).filter(|&i| !is_blank(i)) {
        let mut without = cells;
        without[cell] = b'.';
        let found = oracle::solutions(&without, 2);
        unknown += u32::from(!found.known);
        least += u32::from(found.known && found.found.len() == 1);
    }
    assert!(
        (least..=least + unknown).contains(&redundant),
        "{}",
        cells.escape_ascii()
    );
    Ok(())
}
