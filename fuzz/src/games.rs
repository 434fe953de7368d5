//! Saved games, and games played on at random.

use arbitrary::{Result, Unstructured};
use std::time::Duration;
use sudoku_batch::{Cell, Digit, Puzzle};
use sudoku_batch_cli::{
    game::{Direction, Event, Game},
    saved,
};

/// Reads a saved game, or makes one by playing; then plays on, saves it and reads it again.
pub fn run(data: &[u8]) {
    let from = &mut Unstructured::new(data);
    let game = match data.first() {
        Some(b'{') => saved::read(data).ok(),
        Some(b'[') => saved_by_others(from)
            .ok()
            .and_then(|json| saved::read(json.as_bytes()).ok()),
        _ => None,
    };
    let Ok(game) = game.map_or_else(|| new_game(from), Ok) else {
        return;
    };
    let _ = play(from, game);
}

/// The file of a game that no play may have made: cells twice in a change, clues without a
/// digit, marks that are no digits.
fn saved_by_others(from: &mut Unstructured<'_>) -> Result<String> {
    let puzzle = super::material::puzzle(from)?.escape_ascii().to_string();
    let count = from.int_in_range(0..=6usize)?;
    let mut changes = Vec::new();
    for _ in 0..count {
        let mut change = Vec::new();
        for _ in 0..from.int_in_range(0..=3u8)? {
            let (cell, digit) = (from.int_in_range(0..=82u8)?, from.int_in_range(0..=10u8)?);
            let (given, marks): (bool, u16) = (from.arbitrary()?, from.arbitrary()?);
            let struck = from.arbitrary::<u16>()? & 0x1ff;
            change.push(format!("[{cell},{digit},{given},{marks},{struck}]"));
        }
        changes.push(format!("[{}]", change.join(",")));
    }
    let done = from.int_in_range(0..=count + 1)?;
    let (cursor, [pencil, marks, mistakes, editing]) =
        (from.int_in_range(0..=81u8)?, from.arbitrary::<[bool; 4]>()?);
    let milliseconds = from.arbitrary::<u32>()?;
    Ok(format!(
        r#"{{"version":1,"puzzle":"{puzzle}","label":"é","milliseconds":{milliseconds},
        "pencil":{pencil},"all_marks":{marks},"mistakes":{mistakes},"editing":{editing},
        "cursor":{cursor},"changes":[{}],"done":{done}}}"#,
        changes.join(",")
    ))
}

fn new_game(from: &mut Unstructured<'_>) -> Result<Game> {
    let cells = super::material::puzzle(from)?;
    let puzzle = Puzzle::from_ascii(&cells).expect("digits and points");
    Ok(Game::new(&puzzle, "a game"))
}

fn play(from: &mut Unstructured<'_>, mut game: Game) -> Result<()> {
    // The hints of a hard puzzle take a while.
    let mut hints = 0;
    for _ in 0..from.int_in_range(0..=60u8)? {
        let event = event(from)?;
        hints += u8::from(matches!(event, Event::Hint));
        if hints > 2 {
            break;
        }
        game.handle(event);
        assert!(game.history().done() <= game.history().changes().count());
        let _ = game.picture();
    }
    let bytes = saved::bytes(&game).expect("a game can be saved");
    let again = saved::read(&bytes).expect("a saved game can be read");
    assert_eq!(again.board(), game.board());
    assert_eq!(again.history(), game.history());
    assert_eq!(again.cursor(), game.cursor());
    assert_eq!(saved::bytes(&again).expect("a game can be saved"), bytes);
    // All changes taken back lead to the start, and done again to the end.
    let mut start = again;
    let changes = start.history().changes().count();
    for _ in 0..changes {
        start.handle(Event::Undo);
    }
    assert_eq!(start.history().done(), 0);
    let before = start.board().clone();
    for _ in 0..changes {
        start.handle(Event::Redo);
    }
    for _ in 0..changes {
        start.handle(Event::Undo);
    }
    assert_eq!(*start.board(), before);
    Ok(())
}

fn event(from: &mut Unstructured<'_>) -> Result<Event> {
    use Direction::{Down, Left, Right, Up};
    let digit = |from: &mut Unstructured<'_>| {
        let digit = from.int_in_range(1..=9u8)?;
        Ok(Digit::new(digit).expect("1 to 9"))
    };
    let direction = *from.choose(&[Up, Down, Left, Right])?;
    Ok(match from.int_in_range(0..=34u8)? {
        0 => Event::NextBlank,
        1 => Event::Mark(digit(from)?),
        2 => Event::Erase,
        3 => Event::EraseBackwards,
        4 => Event::Skip,
        5 => Event::TogglePencil,
        6 => Event::ToggleAllMarks,
        7 => Event::WriteMarks,
        8 => Event::ToggleMistakes,
        9 => Event::ToggleEditing,
        10 => {
            let cells = super::material::puzzle(from)?;
            Event::Paste(Puzzle::from_ascii(&cells).expect("digits and points"))
        }
        11 => Event::Restart,
        12 => Event::Undo,
        13 => Event::Redo,
        14 => Event::Hint,
        15 => Event::Check,
        16 => Event::Fill,
        17 => Event::Solve,
        18 => Event::Solutions,
        19 => Event::Menu,
        20 => Event::Help,
        21 => Event::Pause,
        22 => Event::Accept,
        23 => Event::Record(direction),
        24 => Event::Save,
        25 => Event::Quit,
        26 => Event::Tick(Duration::from_millis(from.arbitrary::<u32>()?.into())),
        27 => Event::Move(direction),
        28 | 29 => Event::Cancel,
        30 | 31 => {
            let cell = from.int_in_range(0..=80usize)?;
            Event::Go(Cell::new(cell).expect("0 to 80"))
        }
        _ => Event::Digit(digit(from)?),
    })
}
