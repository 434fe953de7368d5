//! Human techniques: their steps in a position, compared with a slow statement of each rule.

#[path = "technique/rules.rs"]
mod rules;

use rules::{Effect, effects};
use std::collections::BTreeSet;
use sudoku_batch::{
    Cell, Digit, NotUnique, Puzzle, Solver,
    grid::Digits,
    solve::Strike,
    technique::{self, Position, Rating, Step, Technique},
};

fn puzzles(file: &str) -> Vec<Puzzle> {
    let path = format!("{}/data/{file}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

/// A step as the rules tell it.
fn effect(step: &Step) -> Effect {
    Effect {
        technique: step.technique,
        cells: step.cells.iter().map(|cell| cell.index()).collect(),
        digits: step.digits.iter().map(Digit::get).collect(),
        place: step
            .place
            .map(|place| (place.cell.index(), place.digit.get())),
        strikes: step
            .strikes
            .iter()
            .map(|strike| (strike.cell.index(), strike.digit.get()))
            .collect(),
    }
}

/// The candidates of a position as plain sets.
fn candidates(position: &Position) -> Vec<BTreeSet<usize>> {
    let digits = |cell: Cell| position.candidates(cell).iter();
    Cell::all()
        .map(|cell| digits(cell).map(|digit| digit.get().into()).collect())
        .collect()
}

/// Compares all steps of a position with the rules. Returns the techniques that have any.
fn compare(position: &Position) -> BTreeSet<Technique> {
    let steps = position.steps();
    let found: BTreeSet<Effect> = steps.iter().map(effect).collect();
    let ruled = effects(position.filled().as_ascii(), &candidates(position));
    let [unruled, missed] = [&found - &ruled, &ruled - &found];
    assert_eq!(
        unruled,
        BTreeSet::new(),
        "no rule gives these: {position:?}"
    );
    assert_eq!(missed, BTreeSet::new(), "these are missed: {position:?}");
    assert!(steps.is_sorted_by_key(|step| step.technique));
    assert_eq!(position.next_step(), steps.first().cloned());
    found.into_iter().map(|effect| effect.technique).collect()
}

#[test]
fn steps_are_what_the_rules_say_wherever_puzzles_lead() {
    let mut met = BTreeSet::new();
    let lists = [puzzles("minimal"), puzzles("hard")];
    for puzzle in lists.iter().flat_map(|list| &list[..80]) {
        let mut position = Position::of(puzzle);
        // Every third position, and the last one.
        for n in 0.. {
            let next = position.next_step();
            if n % 3 == 0 || next.is_none() {
                met.extend(compare(&position));
            }
            let Some(step) = next else { break };
            position.apply(&step);
        }
    }
    let all: BTreeSet<_> = Technique::ALL.iter().copied().collect();
    assert_eq!(met, all, "every technique is met");
}

/// Random numbers for tests: one multiplication each.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % n
    }
}

#[test]
fn steps_are_what_the_rules_say_in_any_position() {
    let mut numbers = Numbers(15);
    let mut met = BTreeSet::new();
    for (n, puzzle) in puzzles("minimal").iter().enumerate().take(70) {
        // Candidates that no step struck, more or fewer of them, some of them right.
        let least = n as u64 % 7;
        let sets: Vec<Digits> = (0..81)
            .map(|_| {
                let kept = |_: &Digit| numbers.below(8) > least;
                Digit::all().filter(kept).collect()
            })
            .collect();
        let sets = sets.try_into().unwrap();
        met.extend(compare(&Position::with_candidates(puzzle, &sets)));
    }
    assert!(met.len() > 15, "{met:?}");
}

#[test]
fn strikes_and_placements_agree_with_the_solution() {
    let mut solver = Solver::new();
    let puzzles = ["easy", "minimal", "hard"].map(puzzles);
    for puzzle in puzzles.iter().flat_map(|list| &list[..400]) {
        let solution = solver.solve_unique(puzzle).unwrap();
        let mut steps = technique::steps(puzzle);
        for step in &mut steps {
            assert_eq!(step.place.is_some(), step.strikes.is_empty());
            if let Some(place) = step.place {
                assert_eq!(solution.get(place.cell), place.digit, "{puzzle}: {step}");
            }
            for strike in &step.strikes {
                assert_ne!(solution.get(strike.cell), strike.digit, "{puzzle}: {step}");
            }
        }
        let position = steps.position();
        assert_eq!(position.next_step(), None);
        assert_eq!(position.is_filled(), position.is_solved());
        assert_eq!(
            position.is_filled(),
            technique::rate(puzzle).unwrap().er.is_some()
        );
    }
}

/// `src/technique/direct_locking.rs` tells why. So no puzzle has an ER of 1.9.
#[test]
fn direct_claiming_is_never_the_easiest_step() {
    let mut count = 0;
    for puzzle in &puzzles("minimal")[..400] {
        let mut position = Position::of(puzzle);
        loop {
            let steps = position.steps();
            count += steps
                .iter()
                .filter(|step| step.technique == Technique::DirectClaiming)
                .count();
            let Some(easiest) = steps.first() else { break };
            assert_ne!(easiest.technique, Technique::DirectClaiming, "{puzzle}");
            position.apply(easiest);
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn a_step_is_applied_once() {
    for puzzle in &puzzles("minimal")[..100] {
        let mut position = Position::of(puzzle);
        while let Some(step) = position.next_step() {
            position.apply(&step);
            if let Some(place) = step.place {
                assert_eq!(position.filled().get(place.cell), Some(place.digit));
                assert!(position.candidates(place.cell).is_empty());
            }
            for strike in &step.strikes {
                assert!(!position.is_candidate(strike.cell, strike.digit));
            }
            assert!(!position.steps().contains(&step));
        }
    }
}

#[test]
fn a_game_may_set_its_own_candidates() {
    let puzzle = puzzles("minimal")[0];
    let position = Position::of(&puzzle);
    let cell = Cell::all()
        .find(|&c| position.candidates(c).len() > 1)
        .unwrap();
    let digit = position.candidates(cell).iter().next().unwrap();
    let mut sets = [Digits::ALL; 81];
    sets[cell.index()].remove(digit);
    let mut struck = position.clone();
    struck.strike(Strike { cell, digit });
    assert_eq!(Position::with_candidates(&puzzle, &sets), struck);
    assert!(struck.candidates(cell).len() + 1 == position.candidates(cell).len());
}

#[test]
fn ratings_are_numbers_with_a_decimal() {
    for tenths in 0..120 {
        let rating = Rating::from_tenths(tenths);
        assert_eq!(rating.to_string().parse(), Ok(rating));
    }
    assert_eq!("3".parse(), Ok(Rating::from_tenths(30)));
    for text in [
        "", ".", "3.", ".5", "12.0", "3.25", "-1", "+1", "1.+", "1,5", "1e0", "001.0",
    ] {
        assert!(text.parse::<Rating>().is_err(), "{text}");
    }
    assert!(Technique::ALL.is_sorted_by_key(|technique| technique.rating()));
    assert_eq!(Technique::ALL.last().unwrap().rating(), Rating::HARDEST);
}

#[test]
fn what_has_no_single_solution_has_no_rating() {
    assert_eq!(technique::rate(&Puzzle::EMPTY), Err(NotUnique::Multiple));
    let twice = "11".to_owned() + &".".repeat(79);
    let twice: Puzzle = twice.parse().unwrap();
    assert_eq!(technique::rate(&twice), Err(NotUnique::NoSolution));
}

#[test]
fn a_full_grid_needs_no_step() {
    let solved = puzzles("easy.solved")[0];
    assert_eq!(technique::rate(&solved).unwrap().to_string(), "0.0/0.0/0.0");
    assert_eq!(technique::steps(&solved).count(), 0);
}
