//! Human techniques: their steps in a position, compared with a slow statement of each rule.

use crate::support::rules::{Effect, effects, has_rule};
use crate::support::{cases, data::puzzles};
use std::collections::BTreeSet;
use sudoku_batch::{
    Cell, Digit, NotUniqueError, Puzzle, Solver,
    grid::{Candidate, Digits},
    technique::{self, Position, Rating, Step, Technique},
};

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
    let with_rule = steps.iter().filter(|step| has_rule(step.technique));
    let found: BTreeSet<Effect> = with_rule.map(effect).collect();
    let ruled = effects(position.filled().as_ascii(), &candidates(position));
    let [unruled, missed] = [&found - &ruled, &ruled - &found];
    assert_eq!(
        unruled,
        BTreeSet::new(),
        "no rule gives these: {position:?}"
    );
    assert_eq!(missed, BTreeSet::new(), "these are missed: {position:?}");
    assert_eq!(position.next_step(), steps.first().cloned());
    found.into_iter().map(|effect| effect.technique).collect()
}

#[test]
fn steps_are_what_the_rules_say_wherever_puzzles_lead() {
    let mut met = BTreeSet::new();
    let (minimal, hard) = (puzzles("minimal"), puzzles("hard"));
    // These have every technique with a rule. More of them meet it in other places.
    let minimal = minimal.iter().take(cases(50));
    for puzzle in minimal.chain(hard.iter().take(cases(25))) {
        let mut position = Position::new(puzzle);
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
    let all = Technique::ALL
        .iter()
        .filter(|technique| has_rule(**technique));
    assert_eq!(met, all.copied().collect(), "every technique is met");
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
    // They have most techniques. More of them have those that few puzzles need.
    for puzzle in puzzles.iter().flat_map(|list| list.iter().take(cases(100))) {
        let solution = solver.solve_unique(puzzle).unwrap();
        let mut steps = technique::steps(puzzle);
        for step in &mut steps {
            assert!(step.place.is_some() || !step.strikes.is_empty());
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
    // More of them meet thousands of these steps.
    for puzzle in puzzles("minimal").iter().take(cases(160)) {
        let mut position = Position::new(puzzle);
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
    assert!(count > 400, "{count}");
}

#[test]
fn a_step_is_applied_once() {
    for puzzle in &puzzles("minimal")[..100] {
        let mut position = Position::new(puzzle);
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
    let position = Position::new(&puzzle);
    let cell = Cell::all()
        .find(|&c| position.candidates(c).len() > 1)
        .unwrap();
    let digit = position.candidates(cell).iter().next().unwrap();
    let mut sets = [Digits::ALL; 81];
    sets[cell.index()].remove(digit);
    let mut struck = position.clone();
    struck.strike(Candidate { cell, digit });
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
    assert!(Technique::ALL.is_sorted());
}

/// Loops and BUG would strike what one of the solutions needs.
#[test]
fn techniques_that_count_on_one_solution_say_so() {
    let counting = Technique::ALL
        .iter()
        .filter(|technique| technique.needs_one_solution());
    for technique in counting.clone() {
        let name = technique.name();
        assert!(
            name.starts_with("unique ") || name.starts_with("BUG "),
            "{name}"
        );
    }
    assert_eq!(counting.count(), 12);
}

#[test]
fn what_has_no_single_solution_has_no_rating() {
    assert_eq!(
        technique::rate(&Puzzle::EMPTY),
        Err(NotUniqueError::Multiple)
    );
    let twice = "11".to_owned() + &".".repeat(79);
    let twice: Puzzle = twice.parse().unwrap();
    assert_eq!(technique::rate(&twice), Err(NotUniqueError::NoSolution));
}

/// A digit that stands more than nine times has no cells left to find.
#[test]
fn a_puzzle_that_contradicts_itself_has_steps_that_end() {
    for cells in ["1".repeat(81), "12".repeat(20) + &".".repeat(41)] {
        let puzzle: Puzzle = cells.parse().unwrap();
        assert!(technique::steps(&puzzle).with_max_work(100_000).count() < 81);
        assert!(technique::rate(&puzzle).is_err());
    }
}

#[test]
fn a_full_grid_needs_no_step() {
    let solved = puzzles("easy.solved")[0];
    assert_eq!(technique::rate(&solved).unwrap().to_string(), "0.0/0.0/0.0");
    assert_eq!(technique::steps(&solved).count(), 0);
}

/// A board by hand: an empty grid, all of whose cells have all candidates, but for what a text says, in parts:
///
/// ```text
/// filled r1c1=1 r1c2=2    cells are filled, and their peers lose the digits
/// r1c1=27 r1c3=279        cells keep only these candidates
/// box2 4 r1c5 r2c4        digits have places in a house only in these cells
/// ```
#[derive(Clone, Copy)]
struct Hand(Puzzle, [Digits; 81]);

fn digits(text: &str) -> Digits {
    text.bytes().filter_map(Digit::from_ascii).collect()
}

fn cell(name: &str) -> Cell {
    Cell::all().find(|cell| cell.to_string() == name).unwrap()
}

impl Hand {
    fn new(board: &str) -> Self {
        let mut hand = Self(Puzzle::EMPTY, [Digits::ALL; 81]);
        for part in board.split("; ") {
            let words: Vec<_> = part.split(' ').collect();
            if let [house, struck, kept @ ..] = &words[..]
                && let Some(number) = house.strip_prefix("row").or(house.strip_prefix("box"))
            {
                let number: usize = number.parse().unwrap();
                let is_in = |cell: &Cell| match house.starts_with("row") {
                    true => cell.row() + 1 == number,
                    false => cell.box_index() + 1 == number,
                };
                for cell in Cell::all().filter(is_in) {
                    if !kept.contains(&&cell.to_string()[..]) {
                        let digits = digits(struck);
                        digits
                            .iter()
                            .for_each(|digit| hand.1[cell.index()].remove(digit));
                    }
                }
                continue;
            }
            let (is_filled, cells) = match &words[..] {
                ["filled", cells @ ..] => (true, cells),
                cells => (false, cells),
            };
            for (name, kept) in cells.iter().map(|text| text.split_once('=').unwrap()) {
                match is_filled {
                    true => hand.0.set(cell(name), digits(kept).iter().next()),
                    false => hand.1[cell(name).index()] = digits(kept),
                }
            }
        }
        hand
    }

    fn position(&self) -> Position {
        Position::with_candidates(&self.0, &self.1)
    }

    /// Checks that the board has one step of this technique, which a text tells: `27 in r1c1 r1c5: r1c1=2` or,
    /// with the strikes of digits from cells, `27 in r1c1 r1c5: 27 from r1c2 r1c3`.
    #[track_caller]
    fn has_one(&self, technique: Technique, told: &str) -> Step {
        let all = self.position().steps();
        let steps: Vec<_> = all.iter().filter(|s| s.technique == technique).collect();
        let [step] = steps[..] else {
            panic!("{steps:?}");
        };
        let (pattern, done) = told.split_once(": ").unwrap();
        let mut expected: Vec<_> = match done.split_once(" from ") {
            None => vec![done.to_owned()],
            Some((digits, cells)) => {
                let of_cell = |cell| digits.chars().map(move |digit| format!("{cell}-{digit}"));
                cells.split(' ').flat_map(of_cell).collect()
            }
        };
        expected.sort();
        let cells: Vec<_> = step.cells.iter().map(Cell::to_string).collect();
        let place = step.place.map(|p| format!("{}={}", p.cell, p.digit));
        let strikes = step.strikes.iter();
        let strikes = strikes.map(|s| format!("{}-{}", s.cell, s.digit));
        let mut done: Vec<_> = place.into_iter().chain(strikes).collect();
        done.sort();
        assert_eq!(format!("{} in {}", step.digits, cells.join(" ")), pattern);
        assert_eq!(done, expected);
        step.clone()
    }
}

/// A technique, a board, its only step of that technique, and the other techniques that it has a step of.
///
/// Direct pointing and claiming are the drawings of `direct_locking.rs`. Beside the first, row 3 has the digit in box
/// 3 only, which leaves row 2 the same cell. Beside the second, box 3 has the digit in row 3 only, which is easier:
/// direct pointing, with the places of row 3 in box 2; rows 1 and 2 leave both of them too: claiming. With 5, the
/// direct hidden pair is a triplet too. The wings are the drawings of `xy_wing.rs` and `xyz_wing.rs`.
const BOARDS: &str = "\
last cell | filled r1c1=1 r1c2=2 r1c3=3 r1c4=4 r1c5=5 r1c6=6 r1c7=7 r1c8=8 | 9 in r1c9: r1c9=9 | naked single
hidden single in a box | box1 7 r3c2 | 7 in r3c2: r3c2=7 |
hidden single in a line | row1 7 r1c1 | 7 in r1c1: r1c1=7 |
naked single | r5c5=7 | 7 in r5c5: r5c5=7 |
pointing | box1 4 r1c1 r1c3 | 4 in r1c1 r1c3: 4 from r1c4 r1c5 r1c6 r1c7 r1c8 r1c9 |
claiming | row1 4 r1c1 r1c3 | 4 in r1c1 r1c3: 4 from r2c1 r2c2 r2c3 r3c1 r3c2 r3c3 |
direct pointing | box1 4 r1c1 r1c3; box2 4 r1c5 r1c6 r2c4 | 4 in r1c1 r1c3: r2c4=4 | direct claiming, pointing, claiming
direct claiming | row1 4 r1c1 r1c3; row2 4 r2c1 r2c3 r2c6 | 4 in r1c1 r1c3: r2c6=4 | direct pointing, pointing, claiming
hidden pair | row5 27 r5c1 r5c4 | 27 in r5c1 r5c4: 1345689 from r5c1 r5c4 |
hidden triplet | row5 279 r5c1 r5c4 r5c7 | 279 in r5c1 r5c4 r5c7: 134568 from r5c1 r5c4 r5c7 |
direct hidden pair | row5 27 r5c1 r5c4; row5 5 r5c1 r5c7 | 27 in r5c1 r5c4: r5c7=5 | hidden pair, hidden triplet
direct hidden triplet | row5 279 r5c1 r5c4 r5c7; row5 5 r5c1 r5c8 | 279 in r5c1 r5c4 r5c7: r5c8=5 | hidden triplet, hidden quad
hidden quad | row5 2479 r5c1 r5c4 r5c7 r5c9 | 2479 in r5c1 r5c4 r5c7 r5c9: 13568 from r5c1 r5c4 r5c7 r5c9 |
naked quad | r1c1=27 r1c3=279 r1c5=59 r1c8=25 | 2579 in r1c1 r1c3 r1c5 r1c8: 2579 from r1c2 r1c4 r1c6 r1c7 r1c9 |
naked pair | r1c1=27 r1c5=27 | 27 in r1c1 r1c5: 27 from r1c2 r1c3 r1c4 r1c6 r1c7 r1c8 r1c9 |
naked triplet | r1c1=279 r1c4=279 r1c7=279 | 279 in r1c1 r1c4 r1c7: 279 from r1c2 r1c3 r1c5 r1c6 r1c8 r1c9 |
X-wing | row1 4 r1c2 r1c6; row5 4 r5c2 r5c6 | 4 in r1c2 r5c2 r1c6 r5c6: 4 from COLUMNS 26 15 |
swordfish | row1 4 r1c2 r1c6; row5 4 r5c6 r5c8; row9 4 r9c2 r9c8 | 4 in r1c2 r9c2 r1c6 r5c6 r5c8 r9c8: 4 from COLUMNS 268 159 |
jellyfish | row1 4 r1c1 r1c7; row4 4 r4c4 r4c7; row7 4 r7c4 r7c9; row8 4 r8c1 r8c9 | 4 in r1c1 r8c1 r4c4 r7c4 r1c7 r4c7 r7c9 r8c9: 4 from COLUMNS 1479 1478 |
XY-wing | r1c1=27 r1c6=29 r3c3=79 | 279 in r1c1 r1c6 r3c3: 9 from r1c2 r1c3 r3c4 r3c5 r3c6 |
XYZ-wing | r1c1=279 r1c5=29 r2c2=79 | 279 in r1c1 r1c5 r2c2: 9 from r1c2 r1c3 |";

#[test]
fn boards_with_just_one_step() {
    for line in BOARDS.lines() {
        let words: Vec<_> = line.split('|').map(str::trim).collect();
        let &[technique, board, told, others] = &words[..] else {
            panic!("{line}");
        };
        let technique: Technique = technique.parse().unwrap();
        // The cells of columns without those of some rows.
        let told = match told.split_once("COLUMNS ") {
            None => told.to_owned(),
            Some((told, numbers)) => {
                let (columns, rows) = numbers.split_once(' ').unwrap();
                let is_in = |lines: &str, line: usize| lines.contains(&(line + 1).to_string());
                let cells = Cell::all().filter(|cell| is_in(columns, cell.column()));
                let cells = cells.filter(|cell| !is_in(rows, cell.row()));
                let cells: Vec<_> = cells.map(|cell| cell.to_string()).collect();
                told.to_owned() + &cells.join(" ")
            }
        };
        let hand = Hand::new(board);
        let others = others.split(", ").filter(|name| !name.is_empty());
        let others = others.map(|name| name.parse().unwrap());
        let expected: BTreeSet<_> = others.chain([technique]).collect();
        assert_eq!(compare(&hand.position()), expected, "{line}");
        hand.has_one(technique, &told);
    }
}

/// The drawings of `unique_loop.rs`.
#[test]
fn boards_with_a_unique_loop() {
    let around = |others: &str| Hand::new(&format!("r1c1=27 r1c4=27 {others}"));
    let told = |done: &str| format!("27 in r1c1 r2c1 r2c4 r1c4: {done}");
    let step =
        around("r2c1=27 r2c4=279").has_one(Technique::UniqueRectangle1, &told("27 from r2c4"));
    assert_eq!(step.rating(), Rating::from_tenths(45));
    assert_eq!(
        step.to_string(),
        "Around r1c1, r2c1, r2c4 and r1c4, 2 and 7 could be exchanged if these cells had no other \
         candidates, and the puzzle would have two solutions. So r2c4 takes another. Strike 2 and \
         7 from r2c4."
    );
    let rest = told("9 from r2c2 r2c3 r2c5 r2c6 r2c7 r2c8 r2c9");
    around("r2c1=279 r2c4=279").has_one(Technique::UniqueRectangle2, &rest);
    let rest = told("35 from r2c2 r2c3 r2c5 r2c6 r2c7 r2c9");
    let step = around("r2c1=237 r2c4=257 r2c8=35").has_one(Technique::UniqueRectangle3, &rest);
    // A naked pair.
    assert_eq!(step.rating(), Rating::from_tenths(46));
    assert_eq!(step.side_cells(), [cell("r2c8")]);
    // 2 and 7 have one of the two cells and r2c8: a hidden pair.
    let step = around("r2c1=237 r2c4=257; row2 27 r2c1 r2c4 r2c8")
        .has_one(Technique::UniqueRectangle3, &told("1345689 from r2c8"));
    assert_eq!(step.rating(), Rating::from_tenths(45));
    around("r2c1=123456789 r2c4=256789; row2 2 r2c1 r2c4")
        .has_one(Technique::UniqueRectangle4, &told("7 from r2c1 r2c4"));
    let step = Hand::new("r1c1=27 r2c1=27 r2c4=27 r3c4=27 r3c7=27 r1c7=257").has_one(
        Technique::UniqueLoop1,
        "27 in r1c1 r2c1 r2c4 r3c4 r3c7 r1c7: 27 from r1c7",
    );
    assert_eq!(step.rating(), Rating::from_tenths(46));
}

/// The drawing of `aligned_exclusion.rs`.
#[test]
fn a_board_with_an_aligned_pair() {
    Hand::new(
        "r1c1=123 r2c1=13456789 r3c1=13456789 r6c1=26 r2c2=24 r3c2=25 r5c2=456 r4c2=13456789 r6c2=13456789",
    )
    .has_one(Technique::AlignedPair, "2 in r1c1 r5c2: 2 from r1c1");
}

/// Cells of two candidates only leave a search for loops no end, but for a contradiction.
#[test]
fn searches_end_in_contradictions() {
    let pairs = [Digits::from_bits(3); 81];
    let mut triplets = [Digits::from_bits(7); 81];
    triplets[40] = Digits::from_bits(3);
    for candidates in [pairs, triplets] {
        let position = Position::with_candidates(&Puzzle::EMPTY, &candidates);
        assert!(!position.steps().is_empty());
    }
}
