use super::*;
use crate::game::{Direction, Event};
use sudoku_batch::{Cell, Puzzle};
use sudoku_batch_test_support::has_turn;

/// Singles solve it.
const EASY: &str =
    "3.65.84..52........87....31..3.1..8.9..863..5.5..9.6..13....25........74..52.63..";

fn look(palette: Palette) -> Look {
    Look {
        charset: Charset::Unicode,
        palette,
    }
}

fn game(events: &[Event]) -> Game {
    let mut game = Game::new(&EASY.parse::<sudoku_batch::Puzzle>().unwrap(), "a test");
    for event in events {
        game.handle(*event);
    }
    game
}

fn frame(game: &Game, width: u16, height: u16, look: &Look) -> Buffer {
    let mut buffer = Buffer::blank(width, height, look.palette.plain());
    draw(&mut buffer, &mut game.clone(), look);
    buffer
}

/// The lines of a frame, without the blanks at their ends.
fn lines(buffer: &Buffer) -> Vec<String> {
    let area = buffer.area();
    let text = |y| area.columns().map(|x| buffer.at(x, y).0).collect();
    let lines = area.lines().map(text);
    lines
        .map(|line: String| line.trim_end().to_owned())
        .collect()
}

#[test]
fn the_least_screen_has_all_of_a_game() {
    // A wrong digit in r1c2, marks in r9c1, and the clock at 1:05.
    let digit = |n| Digit::new(n).unwrap();
    let game = game(&[
        Event::Digit(digit(6)),
        Event::Go(Cell::at(8, 0)),
        Event::TogglePencil,
        Event::Digit(digit(8)),
        Event::Digit(digit(4)),
        Event::Tick(std::time::Duration::from_secs(65)),
        Event::Check,
    ]);
    let expected = "\
a test                             01:05
    1 2 3   4 5 6   7 8 9   Pencil
  ┌───────┬───────┬───────┐ 48 blank
1 │ 3 6!6!│ 5 . 8 │ 4 . . │ 1 solution
2 │ 5 2 . │ . . . │ . . . │ your marks
3 │ . 8 7 │ . . . │ . 3 1 │ r9c1 48
  ├───────┼───────┼───────┤
4 │ . . 3 │ . 1 . │ . 8 . │ 123456789
5 │ 9 . . │ 8 6 3 │ . . 5 │
6 │ . 5 . │ . 9 . │ 6 . . │ ? all keys
  ├───────┼───────┼───────┤ H hint
7 │ 1 3 . │ . . . │ 2 5 . │ p pencil
8 │ . . . │ . . . │ . 7 4 │ u undo
9 │ . . 5 │ 2 . 6 │ 3 . . │ n new
  └───────┴───────┴───────┘ q leave
Exactly one solution, and 1 digit is
wrong.


";
    let frame = frame(&game, 40, 20, &look(Palette::Dark));
    let expected: Vec<_> = expected
        .lines()
        .chain(std::iter::repeat(""))
        .take(20)
        .collect();
    assert_eq!(lines(&frame), expected);
    // r9c1 is the chosen cell, r9c9 is in its row, and r1c2 and r1c3 are wrong.
    let has = |x, y, ink, ground| {
        let wanted = Palette::Dark.style(ink, ground);
        assert_eq!(frame.at(x, y).1, wanted, "{x} {y}");
    };
    has(4, 13, Ink::Mark, Ground::Cursor);
    has(24, 13, Ink::Mark, Ground::House);
    has(4, 3, Ink::Clue, Ground::House);
    has(6, 3, Ink::Wrong, Ground::Plain);
    has(7, 3, Ink::Wrong, Ground::Plain);
    has(8, 3, Ink::Wrong, Ground::Plain);
    has(12, 3, Ink::Clue, Ground::Plain);
}

#[test]
fn a_usual_screen_has_marks_and_the_message_beside_the_board() {
    let game = game(&[Event::ToggleAllMarks]);
    let frame = lines(&frame(&game, 80, 24, &look(Palette::Light)));
    assert_eq!(
        frame[..5],
        [
            "a test                                                                     00:00",
            "     1     2     3      4     5     6      7     8     9     Fill",
            "  ┌──────────────────┬──────────────────┬──────────────────┐ 49 blank",
            "1 │  3   1       6   │  5    2      8   │  4    2     2    │ 1 solution",
            "  │         9        │       7          │         9   7 9  │ all marks",
        ]
    );
    let keys = frame[9..15].iter().map(|line| line.rsplit("│ ").next());
    let keys: Vec<_> = keys
        .map(|key| key.unwrap_or("").trim_start_matches("┤ "))
        .collect();
    let names = [
        "? all keys",
        "H hint",
        "p pencil",
        "u undo",
        "n new",
        "q leave",
    ];
    for (key, name) in keys.iter().zip(names) {
        assert!(key.ends_with(name), "{key:?}");
    }
    assert!(frame[16].ends_with("All candidates are"), "{:?}", frame[16]);
}

#[test]
fn no_size_of_the_screen_is_too_small_to_say_so() {
    let dialogs: [&[Event]; 6] = [
        &[],
        &[Event::Help],
        &[Event::Menu],
        &[Event::Solutions],
        &[Event::Pause],
        &[Event::Hint],
    ];
    let widths = [1, 2, 10, 39, 40, 41, 59, 79, 80, 97, 98, 99, 120, 200];
    let heights = [1, 2, 19, 20, 21, 23, 24, 25, 38, 39, 40, 80];
    // By default each dialog has each width with some of the heights, the small ones first: no two dialogs the same.
    for (number, events) in dialogs.into_iter().enumerate() {
        let game = game(events);
        for (column, width) in widths.into_iter().enumerate() {
            for (row, height) in heights.into_iter().enumerate() {
                if !has_turn(number + column + row, 5) {
                    continue;
                }
                for palette in [Palette::Dark, Palette::Mono] {
                    let frame = frame(&game, width, height, &look(palette));
                    let text = lines(&frame).join(" ");
                    let small = width < 40 || height < 20;
                    if small && width >= 10 && height >= 19 {
                        assert!(text.contains("columns"), "{width} x {height}: {text}");
                    }
                    assert!(small || !text.contains("columns and"), "{width} x {height}");
                    if palette == Palette::Mono {
                        let area = frame.area();
                        for (x, y) in area
                            .lines()
                            .flat_map(|y| area.columns().map(move |x| (x, y)))
                        {
                            let style = frame.at(x, y).1;
                            assert_eq!(style.foreground_color, None);
                            assert_eq!(style.background_color, None);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn all_cells_and_digits_can_be_clicked() {
    let solved = "1".repeat(81).parse::<Puzzle>().unwrap();
    for (width, height) in [
        (40, 20),
        (60, 30),
        (80, 24),
        (100, 24),
        (110, 42),
        (200, 60),
    ] {
        let area = Rect::new(0, 0, width, height);
        let layout = Layout::new(area, &look(Palette::Dark));
        let (message, _) = layout.message("");
        assert!(message.bottom() <= height && layout.panel.right() <= width);
        assert!(message.height >= 3 && message.width >= 12);
        let mut cells = std::collections::BTreeSet::new();
        let mut digits = Vec::new();
        let buffer = frame(&Game::new(&solved, ""), width, height, &look(Palette::Dark));
        for y in 0..height {
            for x in 0..width {
                match layout.target(x, y, &Dialog::None) {
                    Some(Target::Cell(cell)) => drop(cells.insert(cell)),
                    Some(Target::Digit(digit)) => digits.push(digit.get()),
                    _ => {}
                }
                // Wherever a digit of the board is, its cell is.
                let on_board = layout.board.contains(x, y);
                let labels = x < layout.board.x + 2 || y < layout.board.y + 1;
                if on_board && !labels && buffer.at(x, y).0 == '1' {
                    let target = layout.target(x, y, &Dialog::None);
                    assert!(matches!(target, Some(Target::Cell(_))), "{x} {y}");
                }
            }
        }
        assert_eq!(cells.len(), 81, "{width} x {height}");
        assert_eq!(digits, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
}

#[test]
fn the_menu_has_its_entries_where_the_mouse_finds_them() {
    let game = game(&[Event::Menu, Event::Move(Direction::Down)]);
    let (area, look) = (Rect::new(0, 0, 40, 20), look(Palette::Dark));
    let (layout, frame) = (Layout::new(area, &look), frame(&game, 40, 20, &look));
    let text = lines(&frame);
    for (n, name) in ["easy", "medium", "hard", "expert", "extreme", "empty"]
        .iter()
        .enumerate()
    {
        let y = text.iter().position(|line| line.contains(name)).unwrap();
        let x = text[y]
            .chars()
            .position(|c| c == (b'1' + n as u8).into())
            .unwrap();
        let target = layout.target(x as u16, y as u16, game.dialog());
        assert_eq!(
            target,
            Some(Target::Digit(Digit::new(n as u8 + 1).unwrap())),
            "{name}"
        );
        let chosen = Palette::Dark.style(Ink::Plain, Ground::Cursor);
        let (_, style) = frame.at(x as u16 + 8, y as u16);
        assert_eq!(style == chosen, n == 1, "{name}");
    }
    assert_eq!(layout.target(0, 0, game.dialog()), Some(Target::Outside));
}

/// The width of a column of keys on a screen of 80 columns, with the space after it.
const KEYS_WIDTH: usize = 39;

#[test]
fn the_help_is_scrolled_to_its_end_and_docs_tell_every_key() {
    let mut game = game(&[Event::Help]);
    let look = look(Palette::Light);
    let first = lines(&frame(&game, 40, 20, &look));
    assert!(first[1].contains("choose a cell"));
    for _ in 0..9 {
        game.handle(Event::Move(Direction::Right));
        // Drawing tells the game how far it may scroll.
        let mut buffer = Buffer::blank(40, 20, look.palette.plain());
        draw(&mut buffer, &mut game, &look);
    }
    let text = lines(&frame(&game, 40, 20, &look)).join("\n");
    assert!(
        text.contains("leave") && !text.contains("more below"),
        "{text}"
    );
    let docs = include_str!("../../../../../docs/play.md");
    for (keys, _) in dialogs::KEYS {
        for key in keys.split(' ').filter(|key| !key.is_empty()) {
            assert!(
                docs.contains(&format!("`{key}`")) || key == "hjkl",
                "docs/play.md: {key}"
            );
        }
        assert!(keys.len() <= 11, "{keys} is too long for its column");
    }
    for (_, what) in dialogs::KEYS {
        assert!(what.len() <= KEYS_WIDTH - 12 - 2, "{what}");
    }
}

/// The help has as many columns as there is room for: in 80 columns all keys without scrolling.
#[test]
fn the_help_uses_the_whole_width() {
    let shown = frame(&game(&[Event::Help]), 80, 24, &look(Palette::Dark));
    let text = lines(&shown).join("\n");
    for (keys, what) in dialogs::KEYS {
        assert!(
            text.contains(keys) && text.contains(what),
            "{keys}: {what}\n{text}"
        );
    }
    assert!(!text.contains("more below"));
    // Two spaces between what a key does and the key next to it.
    let beside = lines(&shown);
    let beside = beside[1..]
        .iter()
        .filter(|line| line.chars().count() > KEYS_WIDTH + 1);
    assert!(beside.clone().count() > dialogs::KEYS.len() / 3);
    for line in beside {
        let between = line.chars().skip(KEYS_WIDTH - 1).take(2);
        assert_eq!(between.collect::<String>(), "  ", "{line}");
    }
}

#[test]
fn solutions_and_pauses_say_what_they_are() {
    let two: Puzzle =
        "..3456789456789123789123456..4365897365897214897214365531642978642978531978531642"
            .parse()
            .unwrap();
    let mut game = Game::new(&two, "two");
    let text = |game: &Game| lines(&frame(game, 80, 30, &look(Palette::Dark))).join("\n");
    game.handle(Event::Solutions);
    assert!(
        text(&game).contains("Solution 1 of 2 or more."),
        "{}",
        text(&game)
    );
    game.handle(Event::Move(Direction::Right));
    assert!(text(&game).contains("Solution 2 of 2. "));
    game.handle(Event::Cancel);
    game.handle(Event::Pause);
    let paused = text(&game);
    assert!(paused.contains("The clock stands."));
    let blank = "│  .     .     .   ".repeat(3);
    assert_eq!(paused.matches(&blank).count(), 9, "{paused}");
    let game = Game::waiting(sudoku_batch::technique::Difficulty::Hard);
    assert!(text(&game).contains("Making a puzzle: hard. Esc stops it."));
}
