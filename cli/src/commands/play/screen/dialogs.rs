//! Dialogs over the board: the keys, and the menu of new puzzles.

use super::{Buffer, Look, Palette, Rect, draw_frame};
use crate::game::{Choice, Dialog, Game};
use crate::lattice::{Ground, Ink};

/// The keys and what they do.
pub(super) const KEYS: [(&str, &str); 35] = [
    ("arrows hjkl", "choose a cell"),
    ("Tab", "choose the next blank"),
    ("1-9", "fill the cell, or mark it"),
    ("0 . Space x", "empty the cell"),
    ("Backspace", "the same"),
    ("u", "undo"),
    ("r Ctrl-R", "redo"),
    ("R", "begin anew with the clues"),
    ("", ""),
    ("p", "pencil marks on or off"),
    ("Alt-1-9", "one pencil mark"),
    ("a", "marks: all, or your own"),
    ("A", "take all marks as yours"),
    ("m", "mark mistakes, or do not"),
    ("", ""),
    ("H", "hint; again: do it"),
    ("c", "check: solvable and right"),
    ("f", "fill it from the solution"),
    ("s", "solve"),
    ("S", "all solutions, by pages"),
    ("", ""),
    ("n", "new puzzle, by difficulty"),
    ("e", "edit: digits are clues"),
    ("paste", "play a puzzle of 81 cells"),
    ("] PageDown", "the next record"),
    ("[ PageUp", "the record before"),
    ("", ""),
    ("P", "pause: stop the clock"),
    ("t", "light or dark colours"),
    ("w", "save; leaving saves too"),
    ("Ctrl-L", "draw the screen anew"),
    ("Ctrl-Z", "stop; fg comes back"),
    ("? F1", "these keys"),
    ("Esc", "close, or end the hint"),
    ("q Ctrl-C", "leave"),
];

pub(super) fn draw_help(buffer: &mut Buffer, area: Rect, game: &mut Game, palette: Palette) {
    const TITLE: &str = "Keys (the arrows scroll, Esc closes)";
    let width = area.width - 2;
    let columns = (width / 39).clamp(1, 3);
    let column = width / columns;
    let columns = usize::from(columns);
    let rows = usize::from(area.height) - 2;
    let rows = rows.min(KEYS.len().div_ceil(columns));
    let room = rows * columns;
    game.limit_help(KEYS.len().saturating_sub(room));
    let &Dialog::Help(first) = game.dialog() else {
        return;
    };
    let style = |ink| palette.style(ink, Ground::Plain);
    buffer.write(area.x + 1, area.y, TITLE, width, style(Ink::Label));
    for (n, (keys, what)) in KEYS.iter().skip(first).take(room).enumerate() {
        let x = area.x + 1 + (n / rows) as u16 * column;
        let y = area.y + 1 + (n % rows) as u16;
        buffer.write(x, y, keys, 11, style(Ink::Bright));
        buffer.write(x + 12, y, what, column - 12, style(Ink::Plain));
    }
    let more = KEYS.len().saturating_sub(first + room);
    if more > 0 {
        let text = format!("{more} more below");
        let y = area.bottom() - 1;
        buffer.write(area.x + 1, y, &text, width, style(Ink::Label));
    }
}

pub(super) fn draw_menu(buffer: &mut Buffer, area: Rect, chosen: usize, look: &Look) {
    draw_frame(buffer, area, " New puzzle ", look);
    for (n, choice) in Choice::ALL.iter().enumerate() {
        let (name, what) = words(*choice);
        let text = format!(" {} {name:<8} {what:<19}", n + 1);
        let ground = if n == chosen {
            Ground::Cursor
        } else {
            Ground::Plain
        };
        let style = look.palette.style(Ink::Plain, ground);
        let (x, y) = (area.x + 1, area.y + 1 + n as u16);
        buffer.write(x, y, &text, area.width - 2, style);
    }
}

/// The name of an entry, and what it is.
fn words(choice: Choice) -> (&'static str, &'static str) {
    match choice {
        Choice::Make(difficulty) => (difficulty.name(), difficulty.range()),
        Choice::Empty => ("empty", "type a puzzle in"),
    }
}
