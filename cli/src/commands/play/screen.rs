//! The contents of the screen.
//!
//! ```text
//!     title                              time        from 40 columns and 20 lines on
//!     ┌───────────────────────┐  what digits do
//!     │ board, in the largest │  blanks, solutions
//!     │ scale that there is   │  the chosen cell
//!     │ room for              │  123456789 what is left
//!     └───────────────────────┘  keys
//!     message: below the board, or where there is no room on the right side under the keys
//! ```

mod dialogs;
mod layout;

pub(super) use layout::{Layout, Target};

use super::buffer::{Buffer, Rect};
use super::palette::Palette;
use crate::driver::words::counted;
use crate::game::{Dialog, Game};
use crate::lattice::{Canvas, Charset, Ground, Ink};
use crossterm::style::Attribute;
use sudoku_batch::{Digit, Outcome};

/// The look that the player wants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) charset: Charset,
    pub(super) palette: Palette,
}

/// The least size of the screen.
pub(super) const LEAST: (u16, u16) = (40, 20);

/// Draws a game on a screen of plain blanks.
pub(super) fn draw(buffer: &mut Buffer, game: &mut Game, look: &Look) {
    let area = buffer.area();
    let palette = look.palette;
    if area.width < LEAST.0 || area.height < LEAST.1 {
        let (width, height) = (area.width, area.height);
        let text = format!(
            "The screen has {} and {}. play needs {} and {}. The game goes on when there is room.",
            counted(width.into(), "columns"),
            counted(height.into(), "lines"),
            LEAST.0,
            LEAST.1
        );
        buffer.write_wrapped(area, &text, palette.plain());
        return;
    }
    let layout = Layout::new(area, look);
    if let Dialog::Help(_) = game.dialog() {
        dialogs::draw_help(buffer, area, game, palette);
        return;
    }
    draw_title(buffer, layout.title, game, palette);
    let canvas = (layout.lattice).draw_on(&game.picture(), |cell| game.ground(cell));
    draw_canvas(buffer, layout.board, &canvas, palette);
    draw_panel(buffer, &layout, game, palette);
    let (text, warns) = words(game);
    let (place, keys) = layout.message(&text);
    for (key, y) in keys.iter().zip(layout.keys.lines()) {
        let style = palette.style(Ink::Label, Ground::Plain);
        buffer.write(layout.keys.x, y, key, layout.keys.width, style);
    }
    let ink = if warns { Ink::Wrong } else { Ink::Plain };
    buffer.write_wrapped(place, &text, palette.style(ink, Ground::Plain));
    if let Dialog::Menu(chosen) = game.dialog() {
        dialogs::draw_menu(buffer, layout.menu(), *chosen, look);
    }
}

fn draw_title(buffer: &mut Buffer, area: Rect, game: &Game, palette: Palette) {
    let time = time(game);
    let width = time.len() as u16;
    let room = area.width.saturating_sub(width + 1);
    // The end of a long name says more than its beginning.
    let label = game.label();
    let skipped = label.chars().count().saturating_sub(room.into());
    let label: String = label.chars().skip(skipped).map(printable).collect();
    let style = palette.style(Ink::Label, Ground::Plain);
    buffer.write(area.x, area.y, &label, room, style);
    let style = palette.style(Ink::Bright, Ground::Plain);
    buffer.write(area.right() - width, area.y, &time, width, style);
}

/// The time of the game: minutes and seconds, and hours before them.
fn time(game: &Game) -> String {
    let seconds = game.elapsed().as_secs();
    match seconds / 3600 {
        0 => format!("{:02}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

/// A character, or a question mark for one that would not be drawn.
fn printable(c: char) -> char {
    if c.is_control() { '?' } else { c }
}

fn draw_canvas(buffer: &mut Buffer, area: Rect, canvas: &Canvas, palette: Palette) {
    for (y, line) in canvas.lines().enumerate() {
        for (x, glyph) in line.iter().enumerate() {
            let (x, y) = (area.x + x as u16, area.y + y as u16);
            let style = palette.style(glyph.ink, glyph.ground);
            buffer.put(x, y, glyph.character, style);
        }
    }
}

fn draw_panel(buffer: &mut Buffer, layout: &Layout, game: &Game, palette: Palette) {
    let area = layout.panel;
    let line = |buffer: &mut Buffer, n: u16, text: &str, ink| {
        let style = palette.style(ink, Ground::Plain);
        buffer.write(area.x, area.y + n, text, area.width, style);
    };
    let mode = match game.settings().pencil {
        _ if game.is_editing() => "Edit",
        true => "Pencil",
        false => "Fill",
    };
    line(buffer, 0, mode, Ink::Bright);
    let blanks = match game.board().blanks() {
        0 if game.is_solved() => "solved".to_owned(),
        n => format!("{n} blank"),
    };
    line(buffer, 1, &blanks, Ink::Plain);
    let answer = match game.answer() {
        Outcome::NoSolution => ("no solution!", Ink::Wrong),
        Outcome::Unique(_) => ("1 solution", Ink::Plain),
        Outcome::Multiple(_) => ("several sol.", Ink::Plain),
    };
    line(buffer, 2, answer.0, answer.1);
    let marks = if game.settings().all_marks {
        "all marks"
    } else {
        "your marks"
    };
    line(buffer, 3, marks, Ink::Plain);
    line(buffer, 4, &chosen(game), Ink::Plain);
    for (n, digit) in Digit::all().enumerate() {
        let left = game.board().count(digit) < 9;
        let character = if left { digit.to_ascii().into() } else { '.' };
        let ink = if left { Ink::Bright } else { Ink::Mark };
        let style = palette.style(ink, Ground::House);
        buffer.put(layout.pad.x + n as u16, layout.pad.y, character, style);
    }
}

/// The chosen cell and its marks.
fn chosen(game: &Game) -> String {
    let cell = game.cursor();
    let picture = game.picture();
    let square = picture.square(cell);
    match square.digit {
        Some(digit) => format!("{cell} {digit}"),
        None => format!("{cell} {}", square.marks),
    }
}

/// The words of the game, and `true` if they are a warning.
fn words(game: &Game) -> (String, bool) {
    let text = match game.dialog() {
        Dialog::Solutions(pager) => {
            let (found, complete) = pager.found();
            let more = if complete { "" } else { " or more" };
            format!(
                "Solution {} of {found}{more}. The arrows turn the pages, Esc closes.",
                pager.number()
            )
        }
        Dialog::Making(difficulty) => {
            let name = difficulty.name();
            format!("Making a puzzle: {name}. Esc stops it.")
        }
        Dialog::Pause => "The clock stands. Any key goes on.".into(),
        _ if game.is_solved() && game.message().text.is_empty() => {
            format!("Solved in {}. n begins a new puzzle.", time(game))
        }
        _ => return (game.message().text.clone(), game.message().warns),
    };
    (text, false)
}

/// An area with a frame, emptied.
fn draw_frame(buffer: &mut Buffer, area: Rect, title: &str, look: &Look) {
    let style = look.palette.style(Ink::Line, Ground::Plain);
    let (corners, across, down) = match look.charset {
        Charset::Unicode => (['┌', '┐', '└', '┘'], '─', '│'),
        Charset::Ascii => (['+'; 4], '-', '|'),
    };
    let (right, bottom) = (area.right() - 1, area.bottom() - 1);
    for y in area.lines() {
        for x in area.columns() {
            let character = match (x == area.x, x == right, y == area.y, y == bottom) {
                (true, _, true, _) => corners[0],
                (_, true, true, _) => corners[1],
                (true, _, _, true) => corners[2],
                (_, true, _, true) => corners[3],
                (_, _, true, _) | (_, _, _, true) => across,
                (true, ..) | (_, true, ..) => down,
                _ => ' ',
            };
            buffer.put(x, y, character, style);
        }
    }
    let mut style = look.palette.plain();
    style.attributes.set(Attribute::Bold);
    buffer.write(area.x + 2, area.y, title, area.width, style);
}

#[cfg(test)]
mod tests;
