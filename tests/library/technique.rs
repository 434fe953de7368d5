//! Human techniques: their steps in a position, compared with a slow statement of each rule.

use crate::support::rules::{Effect, effects, has_rule};
use std::collections::BTreeSet;
use sudoku_batch::{
    Cell, Digit, NotUniqueError, Puzzle, Solver,
    grid::{Candidate, Digits},
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
    for puzzle in minimal[..80].iter().chain(&hard[..40]) {
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
    for puzzle in puzzles.iter().flat_map(|list| &list[..200]) {
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
    for puzzle in &puzzles("minimal")[..400] {
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
    assert!(count > 1000, "{count}");
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

/// A board by hand: an empty grid with these filled cells. Every empty cell has all the
/// candidates that its peers leave, but for those that are struck or kept here.
struct Hand(Puzzle, [Digits; 81]);

fn digits(text: &str) -> Digits {
    text.bytes().filter_map(Digit::from_ascii).collect()
}

fn cell(name: &str) -> Cell {
    Cell::all().find(|cell| cell.to_string() == name).unwrap()
}

impl Hand {
    fn new(filled: &[&str]) -> Self {
        let mut puzzle = Puzzle::EMPTY;
        for text in filled {
            let (name, digit) = text.split_once('=').unwrap();
            puzzle.set(cell(name), digits(digit).iter().next());
        }
        Self(puzzle, [Digits::ALL; 81])
    }

    /// Cells keep only these candidates: `r1c1=27`.
    fn keep(mut self, cells: &[&str]) -> Self {
        for text in cells {
            let (name, kept) = text.split_once('=').unwrap();
            self.1[cell(name).index()] = digits(kept);
        }
        self
    }

    /// Digits have places in a house only in these cells: `27 r5c1 r5c4`.
    fn only(mut self, house: &[Cell], text: &str) -> Self {
        let mut words = text.split(' ');
        let struck = digits(words.next().unwrap());
        let kept: Vec<Cell> = words.map(cell).collect();
        for &cell in house.iter().filter(|cell| !kept.contains(cell)) {
            for digit in struck.iter() {
                self.1[cell.index()].remove(digit);
            }
        }
        self
    }

    /// Checks that the board has one step of this technique, which the rest of the text
    /// tells, and that all its steps are of this technique or of the `others`.
    #[track_caller]
    fn has_just(&self, technique: Technique, told: &str, others: &[Technique]) {
        let position = Position::with_candidates(&self.0, &self.1);
        let met = compare(&position);
        let expected: BTreeSet<_> = others.iter().copied().chain([technique]).collect();
        assert_eq!(met, expected);
        self.has_one(technique, told);
    }

    /// Checks that the board has one step of this technique, which the rest of the text tells.
    #[track_caller]
    fn has_one(&self, technique: Technique, told: &str) -> Step {
        let position = Position::with_candidates(&self.0, &self.1);
        let all = position.steps();
        let steps: Vec<_> = all.iter().filter(|s| s.technique == technique).collect();
        let [step] = steps[..] else {
            panic!("{steps:?}");
        };
        let cells: Vec<_> = step.cells.iter().map(Cell::to_string).collect();
        let place = step.place.map(|p| format!("{}={}", p.cell, p.digit));
        let strikes = step.strikes.iter();
        let strikes = strikes.map(|s| format!("{}-{}", s.cell, s.digit));
        let mut done: Vec<_> = place.into_iter().chain(strikes).collect();
        done.sort();
        let found = format!("{} in {}: {}", step.digits, cells.join(" "), done.join(" "));
        assert_eq!(found, told);
        step.clone()
    }
}

/// The cells of row, column or box `n` from 1.
fn row(n: usize) -> Vec<Cell> {
    Cell::all().filter(|cell| cell.row() == n - 1).collect()
}

fn of_box(n: usize) -> Vec<Cell> {
    Cell::all()
        .filter(|cell| cell.box_index() == n - 1)
        .collect()
}

/// All strikes of digits from cells, as `has_just` tells them.
fn struck(digits: &str, cells: &str) -> String {
    let mut all: Vec<_> = cells
        .split(' ')
        .flat_map(|cell| digits.chars().map(move |digit| format!("{cell}-{digit}")))
        .collect();
    all.sort();
    all.join(" ")
}

#[test]
fn boards_with_just_a_single() {
    let filled: Vec<_> = (1..9).map(|n| format!("r1c{n}={n}")).collect();
    let filled: Vec<_> = filled.iter().map(String::as_str).collect();
    Hand::new(&filled).has_just(
        Technique::LastCell,
        "9 in r1c9: r1c9=9",
        &[Technique::NakedSingle],
    );
    Hand::new(&[]).only(&of_box(1), "7 r3c2").has_just(
        Technique::HiddenSingleInBox,
        "7 in r3c2: r3c2=7",
        &[],
    );
    Hand::new(&[]).only(&row(1), "7 r1c1").has_just(
        Technique::HiddenSingleInLine,
        "7 in r1c1: r1c1=7",
        &[],
    );
    Hand::new(&[])
        .keep(&["r5c5=7"])
        .has_just(Technique::NakedSingle, "7 in r5c5: r5c5=7", &[]);
}

#[test]
fn boards_with_just_a_locked_digit() {
    Hand::new(&[]).only(&of_box(1), "4 r1c1 r1c3").has_just(
        Technique::Pointing,
        &format!(
            "4 in r1c1 r1c3: {}",
            struck("4", "r1c4 r1c5 r1c6 r1c7 r1c8 r1c9")
        ),
        &[],
    );
    Hand::new(&[]).only(&row(1), "4 r1c1 r1c3").has_just(
        Technique::Claiming,
        &format!(
            "4 in r1c1 r1c3: {}",
            struck("4", "r2c1 r2c2 r2c3 r3c1 r3c2 r3c3")
        ),
        &[],
    );
    // The drawings of `direct_locking.rs`.
    Hand::new(&[])
        .only(&of_box(1), "4 r1c1 r1c3")
        .only(&of_box(2), "4 r1c5 r1c6 r2c4")
        .has_just(
            Technique::DirectPointing,
            "4 in r1c1 r1c3: r2c4=4",
            // Row 3 has the digit in box 3 only, which leaves row 2 the same cell.
            &[
                Technique::DirectClaiming,
                Technique::Pointing,
                Technique::Claiming,
            ],
        );
    // Box 3 has the digit in row 3 only, which is easier: direct pointing, with the places
    // of row 3 in box 2. Rows 1 and 2 leave both of them too: claiming.
    Hand::new(&[])
        .only(&row(1), "4 r1c1 r1c3")
        .only(&row(2), "4 r2c1 r2c3 r2c6")
        .has_just(
            Technique::DirectClaiming,
            "4 in r1c1 r1c3: r2c6=4",
            &[
                Technique::DirectPointing,
                Technique::Pointing,
                Technique::Claiming,
            ],
        );
}

#[test]
fn boards_with_just_a_set() {
    let pair = || Hand::new(&[]).only(&row(5), "27 r5c1 r5c4");
    let triplet = || Hand::new(&[]).only(&row(5), "279 r5c1 r5c4 r5c7");
    pair().has_just(
        Technique::HiddenPair,
        &format!("27 in r5c1 r5c4: {}", struck("1345689", "r5c1 r5c4")),
        &[],
    );
    triplet().has_just(
        Technique::HiddenTriplet,
        &format!(
            "279 in r5c1 r5c4 r5c7: {}",
            struck("134568", "r5c1 r5c4 r5c7")
        ),
        &[],
    );
    pair().only(&row(5), "5 r5c1 r5c7").has_just(
        Technique::DirectHiddenPair,
        "27 in r5c1 r5c4: r5c7=5",
        // With 5, the pair is a triplet too.
        &[Technique::HiddenPair, Technique::HiddenTriplet],
    );
    triplet().only(&row(5), "5 r5c1 r5c8").has_just(
        Technique::DirectHiddenTriplet,
        "279 in r5c1 r5c4 r5c7: r5c8=5",
        &[Technique::HiddenTriplet, Technique::HiddenQuad],
    );
    Hand::new(&[])
        .only(&row(5), "2479 r5c1 r5c4 r5c7 r5c9")
        .has_just(
            Technique::HiddenQuad,
            &format!(
                "2479 in r5c1 r5c4 r5c7 r5c9: {}",
                struck("13568", "r5c1 r5c4 r5c7 r5c9")
            ),
            &[],
        );
    Hand::new(&[])
        .keep(&["r1c1=27", "r1c3=279", "r1c5=59", "r1c8=25"])
        .has_just(
            Technique::NakedQuad,
            &format!(
                "2579 in r1c1 r1c3 r1c5 r1c8: {}",
                struck("2579", "r1c2 r1c4 r1c6 r1c7 r1c9")
            ),
            &[],
        );
    Hand::new(&[]).keep(&["r1c1=27", "r1c5=27"]).has_just(
        Technique::NakedPair,
        &format!(
            "27 in r1c1 r1c5: {}",
            struck("27", "r1c2 r1c3 r1c4 r1c6 r1c7 r1c8 r1c9")
        ),
        &[],
    );
    Hand::new(&[])
        .keep(&["r1c1=279", "r1c4=279", "r1c7=279"])
        .has_just(
            Technique::NakedTriplet,
            &format!(
                "279 in r1c1 r1c4 r1c7: {}",
                struck("279", "r1c2 r1c3 r1c5 r1c6 r1c8 r1c9")
            ),
            &[],
        );
}

#[test]
fn boards_with_just_a_fish() {
    let rest = |column: usize, rows: [usize; 3]| -> Vec<String> {
        let others = (1..=9).filter(|row| !rows.contains(row));
        others.map(|row| format!("r{row}c{column}")).collect()
    };
    let columns = |columns: &[usize], rows: [usize; 3]| {
        let cells: Vec<_> = columns.iter().flat_map(|&c| rest(c, rows)).collect();
        struck("4", &cells.join(" "))
    };
    Hand::new(&[])
        .only(&row(1), "4 r1c2 r1c6")
        .only(&row(5), "4 r5c2 r5c6")
        .has_just(
            Technique::XWing,
            &format!("4 in r1c2 r5c2 r1c6 r5c6: {}", columns(&[2, 6], [1, 5, 5])),
            &[],
        );
    Hand::new(&[])
        .only(&row(1), "4 r1c2 r1c6")
        .only(&row(5), "4 r5c6 r5c8")
        .only(&row(9), "4 r9c2 r9c8")
        .has_just(
            Technique::Swordfish,
            &format!(
                "4 in r1c2 r9c2 r1c6 r5c6 r5c8 r9c8: {}",
                columns(&[2, 6, 8], [1, 5, 9])
            ),
            &[],
        );
}

#[test]
fn a_board_with_just_a_jellyfish() {
    let columns = ["c1", "c4", "c7", "c9"];
    let rows = ["r2", "r3", "r5", "r6", "r9"];
    let cells: Vec<_> = columns
        .iter()
        .flat_map(|column| rows.map(|row| format!("{row}{column}")))
        .collect();
    Hand::new(&[])
        .only(&row(1), "4 r1c1 r1c7")
        .only(&row(4), "4 r4c4 r4c7")
        .only(&row(7), "4 r7c4 r7c9")
        .only(&row(8), "4 r8c1 r8c9")
        .has_just(
            Technique::Jellyfish,
            &format!(
                "4 in r1c1 r8c1 r4c4 r7c4 r1c7 r4c7 r7c9 r8c9: {}",
                struck("4", &cells.join(" "))
            ),
            &[],
        );
}

/// The drawings of `unique_loop.rs`.
#[test]
fn boards_with_a_unique_loop() {
    let rectangle = |third: &str, fourth: &str| {
        let cells = ["r1c1=27", "r1c4=27"].map(str::to_owned);
        let others = [format!("r2c1={third}"), format!("r2c4={fourth}")];
        let cells: Vec<_> = cells.into_iter().chain(others).collect();
        Hand::new(&[]).keep(&cells.iter().map(String::as_str).collect::<Vec<_>>())
    };
    let step = rectangle("27", "279").has_one(
        Technique::UniqueRectangle1,
        "27 in r1c1 r2c1 r2c4 r1c4: r2c4-2 r2c4-7",
    );
    assert_eq!(step.rating(), Rating::from_tenths(45));
    assert_eq!(
        step.to_string(),
        "Around r1c1, r2c1, r2c4 and r1c4, 2 and 7 could be exchanged if these cells had no other \
         candidates, and the puzzle would have two solutions. So r2c4 takes another. Strike 2 and \
         7 from r2c4."
    );
    let rest = "r2c2 r2c3 r2c5 r2c6 r2c7 r2c8 r2c9";
    rectangle("279", "279").has_one(
        Technique::UniqueRectangle2,
        &format!("27 in r1c1 r2c1 r2c4 r1c4: {}", struck("9", rest)),
    );
    let step = rectangle("237", "257").keep(&["r2c8=35"]).has_one(
        Technique::UniqueRectangle3,
        &format!(
            "27 in r1c1 r2c1 r2c4 r1c4: {}",
            struck("35", "r2c2 r2c3 r2c5 r2c6 r2c7 r2c9")
        ),
    );
    // A naked pair.
    assert_eq!(step.rating(), Rating::from_tenths(46));
    assert_eq!(step.side_cells(), [cell("r2c8")]);
    // 2 and 7 have one of the two cells and r2c8: a hidden pair.
    let step = rectangle("237", "257")
        .only(&row(2), "27 r2c1 r2c4 r2c8")
        .has_one(
            Technique::UniqueRectangle3,
            &format!("27 in r1c1 r2c1 r2c4 r1c4: {}", struck("1345689", "r2c8")),
        );
    assert_eq!(step.rating(), Rating::from_tenths(45));
    rectangle("123456789", "256789")
        .only(&row(2), "2 r2c1 r2c4")
        .has_one(
            Technique::UniqueRectangle4,
            "27 in r1c1 r2c1 r2c4 r1c4: r2c1-7 r2c4-7",
        );
    let of_six = Hand::new(&[]).keep(&[
        "r1c1=27", "r2c1=27", "r2c4=27", "r3c4=27", "r3c7=27", "r1c7=257",
    ]);
    let step = of_six.has_one(
        Technique::UniqueLoop1,
        "27 in r1c1 r2c1 r2c4 r3c4 r3c7 r1c7: r1c7-2 r1c7-7",
    );
    assert_eq!(step.rating(), Rating::from_tenths(46));
}

/// The drawing of `aligned_exclusion.rs`.
#[test]
fn a_board_with_an_aligned_pair() {
    Hand::new(&[])
        .keep(&["r1c1=123", "r2c1=13456789", "r3c1=13456789", "r6c1=26"])
        .keep(&["r2c2=24", "r3c2=25", "r5c2=456"])
        .keep(&["r4c2=13456789", "r6c2=13456789"])
        .has_one(Technique::AlignedPair, "2 in r1c1 r5c2: r1c1-2");
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

/// The drawings of `xy_wing.rs` and `xyz_wing.rs`.
#[test]
fn boards_with_just_a_wing() {
    Hand::new(&[])
        .keep(&["r1c1=27", "r1c6=29", "r3c3=79"])
        .has_just(
            Technique::XyWing,
            &format!(
                "279 in r1c1 r1c6 r3c3: {}",
                struck("9", "r1c2 r1c3 r3c4 r3c5 r3c6")
            ),
            &[],
        );
    Hand::new(&[])
        .keep(&["r1c1=279", "r1c5=29", "r2c2=79"])
        .has_just(
            Technique::XyzWing,
            &format!("279 in r1c1 r1c5 r2c2: {}", struck("9", "r1c2 r1c3")),
            &[],
        );
}
