//! Colours.

use crate::lattice::{Ground, Ink};
use crossterm::style::{Attribute, Attributes, Color, ContentStyle};

/// A set of colours.
///
/// They are of the 256 colours that nearly all terminals have, and the screen has a ground of
/// its own, so that they stand out whatever the terminal's own colours are. Blue, orange and
/// yellow in different lightness are distinguished by all kinds of sight (after Okabe and Ito,
/// "Color Universal Design", 2008), and nothing is shown by a colour alone: clues are bold,
/// wrong digits have an exclamation mark, what is struck is crossed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Palette {
    /// Light on dark.
    Dark,
    /// Dark on light.
    Light,
    /// No colours.
    Mono,
}

impl Palette {
    /// The next set of colours; without colours there is no other.
    pub(super) fn next(self) -> Self {
        match self {
            Self::Dark => Self::Light,
            Self::Light => Self::Dark,
            Self::Mono => Self::Mono,
        }
    }

    /// The look of a role.
    pub(super) fn style(self, ink: Ink, ground: Ground) -> ContentStyle {
        let (colours, ground) = match self {
            Self::Mono => (None, self::ground(ground)),
            Self::Dark => (Some(dark(ink, ground)), Attributes::none()),
            Self::Light => (Some(light(ink, ground)), Attributes::none()),
        };
        ContentStyle {
            foreground_color: colours.map(|(ink, _)| Color::AnsiValue(ink)),
            background_color: colours.map(|(_, ground)| Color::AnsiValue(ground)),
            underline_color: None,
            attributes: attributes(ink) | ground,
        }
    }

    /// The look of plain text.
    pub(super) fn plain(self) -> ContentStyle {
        self.style(Ink::Plain, Ground::Plain)
    }
}

fn attributes(ink: Ink) -> Attributes {
    match ink {
        Ink::Clue | Ink::Wrong | Ink::Bright => Attribute::Bold.into(),
        Ink::Struck => Attribute::CrossedOut.into(),
        Ink::Plain | Ink::Line | Ink::Label | Ink::Entry | Ink::Mark => Attributes::none(),
    }
}

/// The look of a ground without colours.
fn ground(ground: Ground) -> Attributes {
    match ground {
        Ground::Plain | Ground::House => Attributes::none(),
        Ground::Same => Attribute::Underlined.into(),
        Ground::Step => Attributes::from(Attribute::Underlined) | Attribute::Bold,
        Ground::Cursor => Attribute::Reverse.into(),
    }
}

/// The numbers of an ink and a ground, light on dark. The chosen cell is the other way round.
fn dark(ink: Ink, ground: Ground) -> (u8, u8) {
    let ground_colour = match ground {
        Ground::Plain => 234,
        Ground::House => 237,
        Ground::Same => 24,
        Ground::Step => 58,
        Ground::Cursor => 153,
    };
    let ink = match (ink, ground) {
        (Ink::Entry, Ground::Cursor) => 18,
        (Ink::Struck | Ink::Wrong, Ground::Cursor) => 88,
        (Ink::Mark, Ground::Cursor) => 236,
        (_, Ground::Cursor) => 16,
        (Ink::Entry, Ground::Same | Ground::Step) => 159,
        (Ink::Struck | Ink::Wrong, Ground::Same | Ground::Step) => 222,
        (Ink::Plain | Ink::Mark | Ink::Label, _) => 254,
        (Ink::Line, _) => 245,
        (Ink::Clue, _) => 231,
        (Ink::Entry, _) => 117,
        (Ink::Bright, _) => 228,
        (Ink::Struck | Ink::Wrong, _) => 215,
    };
    (ink, ground_colour)
}

/// The numbers of an ink and a ground, dark on light.
fn light(ink: Ink, ground: Ground) -> (u8, u8) {
    let ground_colour = match ground {
        Ground::Plain => 231,
        Ground::House => 254,
        Ground::Same => 153,
        Ground::Step => 229,
        Ground::Cursor => 24,
    };
    let ink = match (ink, ground) {
        (Ink::Entry, Ground::Cursor) => 195,
        (Ink::Struck | Ink::Wrong, Ground::Cursor) => 223,
        (_, Ground::Cursor) => 231,
        (Ink::Plain | Ink::Mark, _) => 238,
        (Ink::Line, _) => 243,
        (Ink::Label, _) => 240,
        (Ink::Clue | Ink::Bright, _) => 16,
        (Ink::Entry, _) => 19,
        (Ink::Struck | Ink::Wrong, _) => 124,
    };
    (ink, ground_colour)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INKS: [Ink; 9] = [
        Ink::Plain,
        Ink::Line,
        Ink::Label,
        Ink::Clue,
        Ink::Entry,
        Ink::Mark,
        Ink::Bright,
        Ink::Struck,
        Ink::Wrong,
    ];
    const GROUNDS: [Ground; 5] = [
        Ground::Plain,
        Ground::House,
        Ground::Same,
        Ground::Step,
        Ground::Cursor,
    ];

    /// The red, green and blue of a colour, as xterm has it: a cube of 6x6x6 from 16 on, and
    /// 24 greys from 232 on.
    fn rgb(number: u8) -> [f64; 3] {
        const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
        assert!(number >= 16, "the first 16 colours are the terminal's own");
        let levels = match number {
            232.. => [8 + 10 * (number - 232); 3],
            _ => {
                let n = usize::from(number - 16);
                [LEVELS[n / 36], LEVELS[n / 6 % 6], LEVELS[n % 6]]
            }
        };
        levels.map(|level| f64::from(level) / 255.0)
    }

    /// The relative luminance of WCAG 2.
    fn luminance(rgb: [f64; 3]) -> f64 {
        let linear = rgb.map(|c| {
            if c <= 0.03928 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    fn contrast(one: u8, other: u8) -> f64 {
        let (a, b) = (luminance(rgb(one)), luminance(rgb(other)));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn everything_stands_out_from_its_ground() {
        for (name, colours) in [
            ("dark", dark as fn(Ink, Ground) -> (u8, u8)),
            ("light", light),
        ] {
            for ink in INKS {
                for ground in GROUNDS {
                    let (fore, back) = colours(ink, ground);
                    // WCAG 2 asks for 4.5 for text, and 3 for what is no text.
                    let least = if ink == Ink::Line { 3.0 } else { 4.5 };
                    let found = contrast(fore, back);
                    let lines_lie_on_plain = ink == Ink::Line && ground != Ground::Plain;
                    assert!(
                        found >= least || lines_lie_on_plain,
                        "{name}: {ink:?} on {ground:?} has {found:.2}"
                    );
                }
            }
        }
    }

    #[test]
    fn without_colours_roles_still_differ() {
        let style = |ink, ground| Palette::Mono.style(ink, ground);
        for ground in [Ground::Plain, Ground::Cursor] {
            assert_ne!(style(Ink::Clue, ground), style(Ink::Entry, ground));
            assert_ne!(style(Ink::Mark, ground), style(Ink::Bright, ground));
            assert_ne!(style(Ink::Mark, ground), style(Ink::Struck, ground));
        }
        for ground in [Ground::Same, Ground::Step, Ground::Cursor] {
            assert_ne!(style(Ink::Entry, ground), style(Ink::Entry, Ground::Plain));
        }
        for ink in INKS {
            for ground in GROUNDS {
                let style = style(ink, ground);
                assert_eq!(style.foreground_color, None);
                assert_eq!(style.background_color, None);
            }
        }
    }
}
