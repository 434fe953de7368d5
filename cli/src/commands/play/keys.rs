//! Keys and mouse to events.

use super::screen::{Layout, Target};
use crate::game::{Dialog, Direction, Event};
use crossterm::event::{
    Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent,
    MouseEventKind,
};
use sudoku_batch::{Digit, Puzzle, grid::CELLS};

/// The meaning of a key or of the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// An event of the game.
    Event(Event),
    /// Other colours.
    Theme,
    /// Draw all anew.
    Redraw,
    /// Stop the process.
    Suspend,
    /// Ctrl-C.
    Interrupt,
    /// A text was pasted that is no puzzle.
    Unreadable,
}

/// The meaning of what came from the terminal, if it has one.
pub(super) fn read(input: &Input, dialog: &Dialog, layout: &Layout) -> Option<Key> {
    match input {
        Input::Key(key) if key.kind != KeyEventKind::Release => read_key(*key, dialog),
        Input::Mouse(mouse) => read_mouse(*mouse, dialog, layout).map(Key::Event),
        Input::Paste(text) => Some(match pasted(text) {
            Some(puzzle) => Key::Event(Event::Paste(puzzle)),
            None => Key::Unreadable,
        }),
        _ => None,
    }
}

fn read_key(key: KeyEvent, dialog: &Dialog) -> Option<Key> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return match key.code {
            KeyCode::Char('c') => Some(Key::Interrupt),
            KeyCode::Char('l') => Some(Key::Redraw),
            KeyCode::Char('r') => Some(Key::Event(Event::Redo)),
            KeyCode::Char('z') => Some(Key::Suspend),
            _ => None,
        };
    }
    #[cfg(debug_assertions)]
    assert!(
        key.code != KeyCode::F(12),
        "F12 panics in debug builds, for tests"
    );
    match key.code {
        KeyCode::Char('t') => Some(Key::Theme),
        // q closes what is open, and leaves when nothing is.
        KeyCode::Char('q') if *dialog != Dialog::None => Some(Key::Event(Event::Cancel)),
        code => read_code(code, key.modifiers).map(Key::Event),
    }
}

fn read_code(code: KeyCode, modifiers: KeyModifiers) -> Option<Event> {
    Some(match code {
        KeyCode::Left | KeyCode::Char('h') => Event::Move(Direction::Left),
        KeyCode::Right | KeyCode::Char('l') => Event::Move(Direction::Right),
        KeyCode::Up | KeyCode::Char('k') => Event::Move(Direction::Up),
        KeyCode::Down | KeyCode::Char('j') => Event::Move(Direction::Down),
        KeyCode::Tab => Event::NextBlank,
        KeyCode::Char(c @ '1'..='9') => {
            let digit = Digit::from_ascii(u8::try_from(c).ok()?)?;
            if modifiers.contains(KeyModifiers::ALT) {
                Event::Mark(digit)
            } else {
                Event::Digit(digit)
            }
        }
        KeyCode::Char('0' | '.' | ' ') => Event::Skip,
        KeyCode::Backspace => Event::EraseBackwards,
        KeyCode::Delete | KeyCode::Char('x') => Event::Erase,
        KeyCode::Char('p') => Event::TogglePencil,
        KeyCode::Char('a') => Event::ToggleAllMarks,
        KeyCode::Char('A') => Event::WriteMarks,
        KeyCode::Char('m') => Event::ToggleMistakes,
        KeyCode::Char('e') => Event::ToggleEditing,
        KeyCode::Char('u') => Event::Undo,
        KeyCode::Char('r') => Event::Redo,
        KeyCode::Char('R') => Event::Restart,
        KeyCode::Char('H') => Event::Hint,
        KeyCode::Char('c') => Event::Check,
        KeyCode::Char('f') => Event::Fill,
        KeyCode::Char('s') => Event::Solve,
        KeyCode::Char('S') => Event::Solutions,
        KeyCode::Char('n') => Event::Menu,
        KeyCode::Char('?') | KeyCode::F(1) => Event::Help,
        KeyCode::Char('P') => Event::Pause,
        KeyCode::Char(']') | KeyCode::PageDown => Event::Record(Direction::Right),
        KeyCode::Char('[') | KeyCode::PageUp => Event::Record(Direction::Left),
        KeyCode::Char('w') => Event::Save,
        KeyCode::Char('q') => Event::Quit,
        KeyCode::Enter => Event::Accept,
        KeyCode::Esc => Event::Cancel,
        _ => return None,
    })
}

fn read_mouse(mouse: MouseEvent, dialog: &Dialog, layout: &Layout) -> Option<Event> {
    let target = || layout.target(mouse.column, mouse.row, dialog);
    match mouse.kind {
        MouseEventKind::ScrollUp => Some(Event::Move(Direction::Up)),
        MouseEventKind::ScrollDown => Some(Event::Move(Direction::Down)),
        MouseEventKind::Down(button) => match (target()?, button) {
            (Target::Cell(cell), _) => Some(Event::Go(cell)),
            (Target::Digit(digit), MouseButton::Left) => Some(Event::Digit(digit)),
            (Target::Digit(digit), _) => Some(Event::Mark(digit)),
            (Target::Outside, _) => Some(Event::Cancel),
        },
        _ => None,
    }
}

/// A puzzle that was pasted: 81 cells on one line or on nine, with or without lines drawn
/// between them.
fn pasted(text: &str) -> Option<Puzzle> {
    let trimmed = text.trim();
    if let Ok(puzzle) = trimmed.parse() {
        return Some(puzzle);
    }
    // A line of only - and + separates boxes, and its - are no blanks.
    let is_rule = |line: &&str| {
        !line
            .chars()
            .any(|c| c.is_ascii_digit() || "._*".contains(c))
    };
    let lines = trimmed.lines().filter(|line| !is_rule(line));
    let cells: String = lines
        .flat_map(str::chars)
        .filter(|&c| c.is_ascii_digit() || ".*_-?".contains(c))
        .collect();
    (cells.len() == CELLS).then(|| cells.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLUES: &str =
        "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";

    #[test]
    fn puzzles_are_pasted_in_many_forms() {
        let puzzle: Puzzle = CLUES.parse().unwrap();
        let zeros = CLUES.replace('.', "0");
        let rows: Vec<&str> = (0..9).map(|row| &CLUES[9 * row..9 * row + 9]).collect();
        let spaced: Vec<String> = rows
            .iter()
            .map(|row| row.chars().map(|c| format!("{c} ")).collect())
            .collect();
        let boxed: Vec<String> = rows
            .iter()
            .enumerate()
            .map(|(n, row)| {
                let rule = if n % 3 == 0 {
                    "+-------+-------+-------+\n"
                } else {
                    ""
                };
                format!("{rule}| {} | {} | {} |", &row[..3], &row[3..6], &row[6..])
            })
            .collect();
        for text in [
            CLUES.to_owned(),
            format!("  {zeros}\n"),
            rows.join("\n"),
            spaced.join("\r\n"),
            boxed.join("\n"),
            boxed.join("\n").replace('|', "│").replace('-', "─"),
        ] {
            assert_eq!(pasted(&text), Some(puzzle), "{text}");
        }
        for text in ["", "12", &CLUES[1..], &format!("{CLUES}5")] {
            assert_eq!(pasted(text), None, "{text}");
        }
    }

    #[test]
    fn keys_are_events() {
        let read = |code, modifiers| read_key(KeyEvent::new(code, modifiers), &Dialog::None);
        let plain = |c| read(KeyCode::Char(c), KeyModifiers::NONE);
        let five = Digit::new(5).unwrap();
        assert_eq!(plain('5'), Some(Key::Event(Event::Digit(five))));
        let alt = read(KeyCode::Char('5'), KeyModifiers::ALT);
        assert_eq!(alt, Some(Key::Event(Event::Mark(five))));
        assert_eq!(plain('q'), Some(Key::Event(Event::Quit)));
        let shifted = read(KeyCode::Char('H'), KeyModifiers::SHIFT);
        assert_eq!(shifted, Some(Key::Event(Event::Hint)));
        assert_eq!(plain('h'), Some(Key::Event(Event::Move(Direction::Left))));
        let interrupt = read(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(interrupt, Some(Key::Interrupt));
        let in_help = read_key(
            KeyEvent::new(KeyCode::Char('q'), KeyModifiers::NONE),
            &Dialog::Help(0),
        );
        assert_eq!(in_help, Some(Key::Event(Event::Cancel)));
        assert_eq!(plain('y'), None);
    }
}
