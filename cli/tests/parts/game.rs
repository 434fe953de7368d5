//! Games of events: what the board, the messages and the dialogs are after them.

use crate::support::puzzles::{PUZZLES, SOLUTIONS, TWO_SOLUTIONS as TWO};
use proptest::{prelude::*, sample::select};
use std::time::Duration;
use sudoku_batch::{Cell, Digit, Grid, Outcome, Puzzle, guide::Advice, technique::Difficulty};
use sudoku_batch_cli::{
    game::{CellState, Choice, Dialog, Direction, Event, Game, Request},
    lattice::Ground,
};

/// Singles solve it.
const EASY: &str = PUZZLES[1];
const EASY_SOLVED: &str = SOLUTIONS[1];

fn game(text: &str) -> Game {
    Game::new(&text.parse::<Puzzle>().unwrap(), "a test")
}

fn digit(digit: u8) -> Digit {
    Digit::new(digit).unwrap()
}

fn at(row: usize, column: usize) -> Cell {
    Cell::at(row - 1, column - 1)
}

/// Plays, and looks at the message.
trait Play {
    /// The game after these events, none of which asks for anything.
    fn all(self, events: impl IntoIterator<Item = Event>) -> Self;

    /// The game, which says this.
    fn says(self, text: &str) -> Self;
}

impl Play for Game {
    fn all(mut self, events: impl IntoIterator<Item = Event>) -> Self {
        for event in events {
            assert_eq!(self.handle(event), None, "{event:?}");
        }
        self
    }

    #[track_caller]
    fn says(self, text: &str) -> Self {
        assert_eq!(self.message().text, text);
        self
    }
}

fn enter(row: usize, column: usize, value: u8) -> [Event; 2] {
    [Event::Go(at(row, column)), Event::Digit(digit(value))]
}

#[test]
fn a_whole_game_is_played() {
    let mut game = game(EASY).all([Event::Tick(Duration::from_secs(3))]);
    assert!(!game.is_begun() && !game.is_solved());
    let solution: Grid = EASY_SOLVED.parse().unwrap();
    assert_eq!(game.answer().solution(), Some(solution));
    let mut blanks = game.board().blanks();
    let begun = blanks as u64;
    while blanks > 0 {
        let digit = solution.get(game.cursor());
        game = game.all([Event::Digit(digit), Event::Tick(Duration::from_secs(2))]);
        blanks -= 1;
        assert_eq!(game.board().blanks(), blanks);
        if blanks > 0 {
            game = game.says("").all([Event::NextBlank]);
        }
    }
    assert!(game.is_solved());
    // The clock stood when the last digit was in.
    assert_eq!(game.elapsed(), Duration::from_secs(3 + 2 * (begun - 1)));
    assert_eq!(game.board().filled().as_ascii(), solution.as_ascii());
}

#[test]
fn the_cursor_goes_around() {
    let game = game(EASY);
    assert_eq!(game.cursor(), at(1, 2), "the first blank cell");
    let walk = |game: Game, direction| game.all([Event::Move(direction)]);
    let game = walk(walk(game, Direction::Up), Direction::Left);
    assert_eq!(game.cursor(), at(9, 1));
    let game = walk(walk(game, Direction::Left), Direction::Down);
    assert_eq!(game.cursor(), at(1, 9));
    let game = game.all([Event::NextBlank]);
    assert_eq!(game.cursor(), at(2, 3), "r2c1 and r2c2 are clues");
}

#[test]
fn clues_stay_and_duplicates_are_told() {
    let game = game(EASY);
    let before = game.board().clone();
    let game = game
        .all(enter(1, 1, 5))
        .says("r1c1 is a clue. Press e to edit the puzzle.");
    let game = game
        .all([Event::Erase])
        .says("r1c1 is a clue. Press e to edit the puzzle.");
    assert_eq!(game.board(), &before);
    // r1c3 is 6; r7c2 is 3; r2c1 is 5.
    let game = game.all(enter(1, 2, 6));
    let game = game.says("Row 1 already has a 6, at r1c3. Box 1 already has a 6, at r1c3.");
    let picture = game.picture();
    assert!(picture.square(at(1, 2)).wrong && picture.square(at(1, 3)).wrong);
    let content = |cell| (picture.square(cell).digit, picture.square(cell).is_clue);
    assert_eq!(content(at(1, 2)), (Some(digit(6)), false));
    assert_eq!(content(at(1, 3)), (Some(digit(6)), true));
    let game = game.all(enter(1, 2, 3));
    game.says(
        "Row 1 already has a 3, at r1c1. Column 2 already has a 3, at r7c2. \
         Box 1 already has a 3, at r1c1.",
    );
}

#[test]
fn mistakes_are_marked_or_not() {
    // r1c2 is 1 in the solution; 9 is a candidate, as no peer has it.
    let game = game(EASY).all(enter(1, 2, 9)).says("");
    assert!(game.picture().square(at(1, 2)).wrong);
    let game = game.all([Event::ToggleMistakes]);
    assert!(!game.picture().square(at(1, 2)).wrong);
    let game = game
        .all([Event::Check])
        .says("Exactly one solution, and 1 digit is wrong.");
    let game = game.all([Event::Erase, Event::Check]);
    game.says("The puzzle has exactly one solution.");
}

#[test]
fn marks_by_hand_follow_what_is_filled_in() {
    let game = game(EASY).all([Event::Go(at(1, 2)), Event::TogglePencil]);
    let game = game.all([1, 9].map(|n| Event::Digit(digit(n))));
    let game = game.all([
        Event::Go(at(1, 5)),
        Event::Digit(digit(1)),
        Event::Digit(digit(7)),
    ]);
    let game = game.all([Event::Digit(digit(7)), Event::TogglePencil]);
    let marks = |game: &Game, row, column| game.board().cell(at(row, column)).marks.to_string();
    assert_eq!(
        (marks(&game, 1, 2), marks(&game, 1, 5)),
        ("19".into(), "1".into())
    );
    // A digit in the row takes its mark away; undo brings both back.
    let game = game.all(enter(1, 8, 9));
    assert_eq!(
        (marks(&game, 1, 2), marks(&game, 1, 5)),
        ("1".into(), "1".into())
    );
    let game = game.all([Event::Undo]);
    assert_eq!(marks(&game, 1, 2), "19");
    assert_eq!(game.cursor(), at(1, 8));
    let game = game.all([Event::Go(at(1, 1)), Event::Mark(digit(1))]);
    game.says("r1c1 is filled: pencil marks go into blank cells.");
}

#[test]
fn all_marks_are_candidates_without_those_that_are_struck() {
    let game = game(EASY).all([Event::ToggleAllMarks, Event::Go(at(1, 2))]);
    let marks = |game: &Game| game.picture().square(at(1, 2)).marks.to_string();
    // Row 1 lacks 1, 2, 7 and 9; column 2 has 2, 8, 5 and 3; box 1 has 3, 6, 5, 2, 8, 7.
    assert_eq!(marks(&game), "19");
    let game = game.all([Event::Mark(digit(9))]);
    assert_eq!(marks(&game), "1");
    let game = game.all([Event::Mark(digit(6))]);
    let game = game.says("6 is no candidate of r1c2: a peer has it.");
    let game = game.all([Event::Mark(digit(9)), Event::Mark(digit(1))]);
    assert_eq!(marks(&game), "9");
    // 1 is the solution there: a hint says so and brings it back.
    let game = game.all([Event::Hint]);
    let words = "1 was struck from r1c2, but the solution needs it there. (H again does it.)";
    let game = game.says(words).all([Event::Hint]);
    assert_eq!(marks(&game), "19");
    let game = game.all([Event::WriteMarks]);
    assert_eq!(game.board().cell(at(1, 2)).marks.to_string(), "19");
    assert!(!game.settings().all_marks);
}

#[test]
fn hints_lead_to_the_solution() {
    let solution: Grid = EASY_SOLVED.parse().unwrap();
    let mut game = game(EASY);
    let mut hints = 0;
    while !game.is_solved() {
        game = game.all([Event::Hint]);
        let Some(Advice::Step(step)) = game.hint() else {
            panic!("{:?}", game.message());
        };
        assert!(game.message().text.contains(&step.to_string()));
        assert!(game.message().text.ends_with("(H again does it.)"));
        let filled = game.board().filled();
        let place = step.place;
        game = game.all([Event::Hint]);
        assert_eq!(game.hint(), None);
        if let Some(place) = place {
            assert_eq!(filled.get(place.cell), None);
            assert_eq!(
                game.board().cell(place.cell).digit,
                Some(solution.get(place.cell))
            );
        }
        hints += 1;
    }
    assert!(hints >= EASY.matches('.').count());
    assert_eq!(game.board().filled().as_ascii(), solution.as_ascii());
    let game = game.all([Event::Hint]).says("The puzzle is solved.");
    // Every hint was a change of its own.
    assert_eq!(game.history().done(), hints);
}

#[test]
fn a_hint_finds_what_is_wrong_first_and_guesses_last() {
    let game_ = game(EASY).all(enter(1, 2, 9)).all([Event::Hint]);
    let game_ = game_.says("r1c2 is not 9: it has to go first. (H again does it.)");
    assert_eq!(game_.ground(at(1, 2)), Ground::Cursor);
    let game_ = game_.all([Event::Hint]).says("It is gone.");
    assert_eq!(game_.board().filled(), game_.start().clues());

    let game_ = game(TWO)
        .says("The puzzle has 2 solutions.")
        .all([Event::Hint]);
    assert!(
        game_.message().text.starts_with("A guess: r1c1 is 1."),
        "{:?}",
        game_.message()
    );
    let game_ = game_
        .all([Event::Hint])
        .says("r1c1 is 1.")
        .all([Event::Undo]);
    // The player may choose the other solution, and then the hints follow it.
    let game_ = game_.all(enter(1, 1, 2)).all([Event::Hint, Event::Hint]);
    let game_ = game_.all([Event::Hint, Event::Hint, Event::Hint, Event::Hint]);
    assert!(game_.is_solved() && game_.board().filled().as_str().starts_with("213"));

    let game_ = game(TWO)
        .all(enter(1, 1, 1))
        .all(enter(1, 2, 1))
        .all([Event::Hint]);
    game_.says("No solution is left with what is filled in. Undo (u) until one is.");
}

#[test]
fn a_hint_ends_when_the_board_changes() {
    let game = game(EASY).all([Event::Hint]);
    assert!(game.hint().is_some());
    let looked = game
        .clone()
        .all([Event::Move(Direction::Up), Event::ToggleAllMarks]);
    assert!(looked.hint().is_some(), "looking around keeps it");
    for event in [
        Event::Cancel,
        Event::WriteMarks,
        Event::ToggleEditing,
        Event::Solve,
    ] {
        assert_eq!(game.clone().all([event]).hint(), None, "{event:?}");
    }
}

#[test]
fn editing_refuses_duplicates_and_tells_how_many_solutions() {
    let mut game = Game::empty();
    assert!(game.is_editing());
    for (n, c) in TWO.bytes().enumerate() {
        assert_eq!(game.cursor().index(), n);
        let event = Digit::from_ascii(c).map_or(Event::Skip, Event::Digit);
        game = game.all([event]);
    }
    assert_eq!(game.cursor(), at(1, 1), "around the end");
    let game = game.says("The puzzle has several solutions so far.");
    assert_eq!(game.board().clues().as_str(), TWO);
    let game = game.all([Event::Digit(digit(3))]);
    let words = "Refused: Row 1 already has a 3, at r1c3. Column 1 already has a 3, at r5c1. \
                 Box 1 already has a 3, at r1c3.";
    let game = game.says(words);
    assert_eq!(
        (game.cursor(), game.board().clues().as_str()),
        (at(1, 1), TWO)
    );
    let game = game
        .all([Event::Digit(digit(2))])
        .says("The puzzle has exactly one solution.");
    assert_eq!(game.cursor(), at(1, 2));
    // Blank r1c3, which is 3.
    let game = game.all([Event::Go(at(1, 3)), Event::Erase, Event::Go(at(1, 2))]);
    // Column 2 is . 5 8 . 6 9 3 4 7.
    let game = game.all([Event::Digit(digit(3))]);
    let game = game.says("Refused: Column 2 already has a 3, at r7c2.");
    // Going back empties the cell before a blank one.
    let game = game.all([Event::EraseBackwards]);
    assert_eq!(game.cursor(), at(1, 1));
    let game = game.all([Event::ToggleEditing]);
    assert!(!game.is_editing());
}

#[test]
fn a_puzzle_without_a_solution_is_told() {
    let duplicate = EASY.replacen("3.65", "3365", 1);
    let game_ = game(&duplicate).says("No solution exists: a row has 3 at r1c1 and r1c2.");
    assert_eq!(game_.answer(), &Outcome::NoSolution);
    for event in [Event::Solve, Event::Solutions, Event::Check] {
        let game_ = game_.clone().all([event]);
        let game_ = game_.says("No solution exists: a row has 3 at r1c1 and r1c2.");
        assert_eq!(game_.dialog(), &Dialog::None);
    }
    let hint = game_.all([Event::Hint]);
    hint.says("No solution exists, so no step leads there. e edits the puzzle.");
    let contradiction = EASY.replacen("3.65", "3965", 1);
    game(&contradiction)
        .says("No solution exists.")
        .all([Event::Fill]);
}

#[test]
fn cells_are_filled_from_the_solution() {
    let game_ = game(EASY).all([Event::Fill]).says("r1c2 is 1.");
    let game_ = game_.all([Event::Solve]).says("This is the only solution.");
    assert_eq!(game_.board().filled().as_str(), EASY_SOLVED);
    let game_ = game_.all([Event::Undo, Event::Undo]);
    assert_eq!(game_.board().filled().as_str(), EASY);
    let game_ = game_.all([Event::Redo, Event::Redo, Event::Redo]);
    let game_ = game_
        .says("There is nothing to redo.")
        .all([Event::Restart]);
    assert_eq!(game_.board().filled().as_str(), EASY);
    let game_ = game_.all([Event::Undo]);
    assert_eq!(game_.board().filled().as_str(), EASY_SOLVED);
    // Of several solutions the one that has what is filled in.
    let game_ = game(TWO).all(enter(1, 1, 2)).all([Event::Solve]);
    assert!(game_.board().filled().as_str().starts_with("213"));
    game_.says("This is one of several solutions. S shows all.");
}

#[test]
fn solutions_are_turned_like_pages() {
    let forward = Event::Move(Direction::Right);
    let shown = |game: &Game| match game.dialog() {
        Dialog::Solutions(pager) => (pager.number(), pager.found(), pager.solution().to_string()),
        dialog => panic!("{dialog:?}"),
    };
    let game_ = game(TWO).all([Event::Solutions]);
    assert_eq!((shown(&game_).0, shown(&game_).1), (1, (2, false)));
    assert!(shown(&game_).2.starts_with("123"));
    let game_ = game_.all([forward]);
    assert_eq!((shown(&game_).0, shown(&game_).1), (2, (2, true)));
    assert!(shown(&game_).2.starts_with("213"));
    let game_ = game_.all([forward]);
    assert_eq!(shown(&game_).0, 2, "there is no third");
    let game_ = game_.all([Event::Move(Direction::Up)]);
    assert_eq!(shown(&game_).0, 1);
    let square = *game_.picture().square(at(1, 1));
    assert_eq!((square.digit, square.is_clue), (Some(digit(1)), false));
    let game_ = game_.all([Event::Cancel]);
    assert_eq!(
        game_.board().filled().as_str(),
        TWO,
        "nothing was filled in"
    );
    let game_ = game(EASY).all([Event::Solutions, forward]);
    assert_eq!((shown(&game_).0, shown(&game_).1), (1, (1, true)));
}

#[test]
fn the_menu_asks_for_a_puzzle() {
    let mut game = game(EASY).all([Event::Menu, Event::Move(Direction::Down)]);
    assert_eq!(game.dialog(), &Dialog::Menu(1));
    assert_eq!(
        game.handle(Event::Accept),
        Some(Request::Make(Difficulty::Medium))
    );
    assert_eq!(game.dialog(), &Dialog::Making(Difficulty::Medium));
    let game_ = game
        .clone()
        .all([Event::Digit(digit(1)), Event::Tick(Duration::from_secs(9))]);
    assert_eq!((game_.elapsed(), game_.is_begun()), (Duration::ZERO, false));
    assert_eq!(game.handle(Event::Cancel), Some(Request::StopMaking));
    let mut game = game.all([Event::Menu]);
    assert_eq!(
        game.handle(Event::Digit(digit(3))),
        Some(Request::Make(Difficulty::Hard))
    );
    game.stop_waiting("It cannot be made.");
    let mut game = game.says("It cannot be made.").all([Event::Menu]);
    assert_eq!(game.handle(Event::Digit(digit(9))), None);
    let last = digit(Choice::ALL.len() as u8);
    assert_eq!(game.handle(Event::Digit(last)), Some(Request::Empty));
}

#[test]
fn requests_go_out() {
    let mut game = game(EASY);
    for (event, request) in [
        (Event::Quit, Request::Quit),
        (Event::Save, Request::Save),
        (
            Event::Record(Direction::Right),
            Request::Record(Direction::Right),
        ),
    ] {
        assert_eq!(game.handle(event), Some(request));
    }
    let mut game = game.all([Event::Help]);
    assert_eq!(game.handle(Event::Quit), Some(Request::Quit));
}

#[test]
fn the_clock_stands_in_a_pause() {
    let second = Event::Tick(Duration::from_secs(1));
    let game = game(EASY).all([second, Event::Pause, second, second]);
    assert_eq!(game.elapsed(), Duration::from_secs(1));
    assert!(Cell::all().all(|cell| game.picture().square(cell).digit.is_none()));
    let game = game.all([Event::Digit(digit(9)), second]);
    assert_eq!(
        (game.elapsed(), game.is_begun()),
        (Duration::from_secs(2), false)
    );
}

#[test]
fn equal_digits_and_houses_stand_out() {
    let game = game(EASY).all([Event::Go(at(1, 1))]);
    let ground = |row, column| game.ground(at(row, column));
    assert_eq!(ground(1, 1), Ground::Cursor);
    // The clues that are 3 as r1c1: r3c8, r4c3, r5c6, r7c2, r9c7.
    for (row, column) in [(3, 8), (4, 3), (5, 6), (7, 2), (9, 7)] {
        assert_eq!(ground(row, column), Ground::Same, "r{row}c{column}");
    }
    assert_eq!(
        Cell::all()
            .filter(|&c| game.ground(c) == Ground::Same)
            .count(),
        5
    );
    assert_eq!(
        Cell::all()
            .filter(|&c| game.ground(c) == Ground::House)
            .count(),
        20
    );
}

#[test]
fn a_pasted_puzzle_takes_the_place_of_all() {
    let game = game(EASY)
        .all(enter(1, 2, 1))
        .all([Event::Paste(TWO.parse().unwrap())]);
    let game = game.says("The puzzle has 2 solutions.");
    assert_eq!(game.board().filled().as_str(), TWO);
    let game = game.all([Event::Undo]);
    assert_eq!(game.board().filled().as_str(), EASY.replacen("3.", "31", 1));
    assert!(matches!(game.answer(), Outcome::Unique(_)));
}

/// Events that change the board or look at it.
fn event() -> impl Strategy<Value = Event> {
    let plain = [
        Event::NextBlank,
        Event::Erase,
        Event::EraseBackwards,
        Event::Skip,
        Event::TogglePencil,
        Event::ToggleAllMarks,
        Event::WriteMarks,
        Event::ToggleMistakes,
        Event::ToggleEditing,
        Event::Paste(TWO.parse().unwrap()),
        Event::Restart,
        Event::Undo,
        Event::Redo,
        Event::Hint,
        Event::Hint,
        Event::Check,
        Event::Fill,
        Event::Solve,
        Event::Solutions,
        Event::Menu,
        Event::Help,
        Event::Pause,
        Event::Accept,
        Event::Cancel,
        Event::Move(Direction::Up),
        Event::Move(Direction::Left),
        Event::Tick(Duration::from_secs(1)),
    ];
    prop_oneof![
        4 => select(plain.to_vec()),
        2 => (0..81_usize).prop_map(|n| Event::Go(Cell::new(n).unwrap())),
        4 => (1..10_u8).prop_map(|n| Event::Digit(digit(n))),
        1 => (1..10_u8).prop_map(|n| Event::Mark(digit(n))),
    ]
}

proptest! {
    // Thousands of events, each kind of them after each other. More of them find rarer orders of three.
    #![proptest_config(crate::support::slow(100))]

    #[test]
    fn undoing_all_gives_the_start_and_redoing_all_the_end(
        events in prop::collection::vec(event(), 0..60),
        first in select(vec![EASY, TWO]),
    ) {
        let start = game(first);
        let mut game = start.clone();
        for event in events {
            game.handle(event);
            let _ = game.picture();
        }
        while game.dialog() != &Dialog::None {
            game.handle(Event::Cancel);
        }
        prop_assert_eq!(&game.start().clues(), &start.board().filled());
        let end = game.clone();
        let done = game.history().done();
        for _ in 0..done {
            game.handle(Event::Undo);
        }
        prop_assert_eq!(game.board(), start.board());
        prop_assert_eq!(game.answer(), start.answer());
        for _ in 0..done {
            game.handle(Event::Redo);
        }
        prop_assert_eq!(game.board(), end.board());
        prop_assert_eq!(game.answer(), end.answer());
        // A saved file brings the same game back.
        let changes = end.history().changes().collect();
        let resumed = Game::resume(&end.start(), "", changes, done, end.elapsed()).unwrap();
        prop_assert_eq!(resumed.board(), end.board());
        prop_assert_eq!(resumed.history(), end.history());
    }
}

#[test]
fn a_saved_game_that_does_not_fit_together_is_refused() {
    let puzzle: Puzzle = EASY.parse().unwrap();
    let state = CellState {
        digit: Some(digit(1)),
        ..CellState::default()
    };
    let changes = vec![vec![(at(1, 2), state)]];
    let resume = |changes, done| Game::resume(&puzzle, "", changes, done, Duration::ZERO);
    assert!(resume(changes.clone(), 1).is_some() && resume(changes.clone(), 0).is_some());
    assert!(
        resume(changes.clone(), 2).is_none(),
        "more is done than there is"
    );
    let twice = [changes.clone(), changes].concat();
    assert!(resume(twice, 2).is_none(), "the second changes nothing");
}
