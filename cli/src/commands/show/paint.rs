//! Colours of text on a terminal.

use crate::lattice::{Canvas, Ink};
/// Paints text, or leaves it as it is.
pub(super) struct Paint {
    colours: bool,
}

impl Paint {
    pub(super) fn new(colours: bool) -> Self {
        Self { colours }
    }

    /// A canvas as lines of text.
    pub(super) fn text(&self, canvas: &Canvas) -> String {
        if !self.colours {
            return canvas.to_string();
        }
        let mut text = String::new();
        for line in canvas.lines() {
            let end = line.iter().rposition(|glyph| glyph.character != ' ');
            let mut look = "";
            for glyph in &line[..end.map_or(0, |end| end + 1)] {
                // A blank takes no ink, so it does not end a stretch.
                if glyph.character != ' ' && code(glyph.ink) != look {
                    look = code(glyph.ink);
                    text += "\x1b[0";
                    text += look;
                    text += "m";
                }
                text.push(glyph.character);
            }
            if !look.is_empty() {
                text += "\x1b[0m";
            }
            text += "\n";
        }
        text
    }
}

/// The look of a role, after Okabe and Ito's colours for all kinds of sight. The ground is
/// the terminal's own, light or dark: blue (32, `#0087d7`) and vermilion (166, `#d75f00`)
/// have a contrast of 3.8 or more to white and to black. A clue is bold and a wrong digit
/// has an exclamation mark, so nothing is shown by a colour alone.
fn code(ink: Ink) -> &'static str {
    match ink {
        Ink::Plain => "",
        Ink::Line | Ink::Label | Ink::Mark => ";2",
        Ink::Clue | Ink::Bright => ";1",
        Ink::Entry => ";38;5;32",
        Ink::Struck => ";9;38;5;166",
        Ink::Wrong => ";1;38;5;166",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::{Charset, Lattice, Scale};
    use sudoku_batch::{Puzzle, draw::Picture};

    #[test]
    fn colours_change_nothing_but_the_colours() {
        let text =
            "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8";
        let puzzle: Puzzle = text.parse().unwrap();
        let lattice = Lattice::new(Scale::Small, Charset::Unicode);
        let canvas = lattice.draw(&Picture::new(&puzzle));
        let painted = Paint::new(true).text(&canvas);
        assert!(painted.contains("\x1b[0;1m4 \x1b[0;2m. . │ \x1b[0;1m5 2 \x1b[0;2m. │"));
        // Without the sequences ESC [ … m it is the plain text.
        let plain: String = painted
            .split('\x1b')
            .enumerate()
            .map(|(n, part)| match n {
                0 => part,
                _ => part.split_once('m').expect("the end of a sequence").1,
            })
            .collect();
        assert_eq!(plain, canvas.to_string());
        assert_eq!(Paint::new(false).text(&canvas), canvas.to_string());
    }
}
