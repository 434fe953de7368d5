//! Places of things on the screen.

use super::{Look, Rect};
use crate::game::{Choice, Dialog};
use crate::lattice::{Lattice, Scale};
use sudoku_batch::{Cell, Digit};

/// The places of things on the screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Layout {
    pub(super) lattice: Lattice,
    pub(super) title: Rect,
    pub(super) board: Rect,
    /// The panel on the right of the board.
    pub(super) panel: Rect,
    /// The nine digits in the panel.
    pub(super) pad: Rect,
    /// The place where the panel names keys.
    pub(super) keys: Rect,
    message: Rect,
    area: Rect,
    /// True if the message has a place of its own.
    message_below: bool,
}

/// The thing that the mouse is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) enum Target {
    /// A cell of the board.
    Cell(Cell),
    /// A digit in the panel, or an entry of the menu by its number.
    Digit(Digit),
    /// Next to an open menu.
    Outside,
}

/// The lines of the panel before the digits.
const BEFORE_PAD: u16 = 6;

/// The keys that the panel names.
const KEYS: [&str; 6] = [
    "? all keys",
    "H hint",
    "p pencil",
    "u undo",
    "n new",
    "q leave",
];

impl Layout {
    /// The layout of a screen of a size, which is at least the [least](super::LEAST).
    pub(in super::super) fn new(area: Rect, look: &Look) -> Self {
        // The width of the panel that goes with each scale, at least and at most.
        const PANELS: [(Scale, u16, u16); 3] = [
            (Scale::Large, 22, 34),
            (Scale::Medium, 19, 30),
            (Scale::Small, 12, 30),
        ];
        let lattice = |scale| Lattice::new(scale, look.charset).with_labels();
        let fits = |&(scale, least, _): &(Scale, u16, u16)| {
            let lattice = lattice(scale);
            let width = lattice.width() as u16 + 1 + least;
            area.width >= width && area.height > lattice.height() as u16
        };
        let (scale, _, most) = PANELS.into_iter().find(fits).unwrap_or(PANELS[2]);
        let lattice = lattice(scale);
        let (width, height) = (lattice.width() as u16, lattice.height() as u16);
        let panel = area.width.saturating_sub(width + 1).min(most);
        let x = area.x + (area.width - (width + 1 + panel).min(area.width)) / 2;
        let rest = area.height.saturating_sub(1 + height);
        let message_below = rest >= 3;
        let whole = width + 1 + panel;
        let board = Rect::new(x, area.y + 1, width, height);
        let panel = Rect::new(x + width + 1, area.y + 1, panel, height);
        let pad = Rect::new(panel.x, panel.y + BEFORE_PAD, 9, 1);
        let from = |y: u16| Rect {
            y,
            height: panel.bottom().saturating_sub(y),
            ..panel
        };
        let keys = from(pad.y + 2);
        Self {
            lattice,
            title: Rect::new(x, area.y, whole, 1),
            board,
            panel,
            pad,
            keys,
            message: if message_below {
                Rect::new(x, board.bottom(), whole, rest)
            } else {
                from(keys.y + KEYS.len() as u16 + 1)
            },
            area,
            message_below,
        }
    }

    /// The place of a message, and the keys that the panel names next to it, a line each. A message that is
    /// too long for its place takes that of the keys.
    pub(super) fn message(&self, text: &str) -> (Rect, &'static [&'static str]) {
        let room = usize::from(self.message.width) * usize::from(self.message.height);
        if self.message_below || 4 * text.chars().count() <= 3 * room {
            (self.message, &KEYS)
        } else {
            (self.keys, &[])
        }
    }

    /// The menu of new puzzles.
    pub(super) fn menu(&self) -> Rect {
        let (width, height) = (34, Choice::ALL.len() as u16 + 2);
        Rect::new(
            self.area.x + (self.area.width - width) / 2,
            self.area.y + (self.area.height - height) / 2,
            width,
            height,
        )
    }

    /// The thing at a column and a line of the screen.
    pub(in super::super) fn target(&self, x: u16, y: u16, dialog: &Dialog) -> Option<Target> {
        if let Dialog::Menu(_) = dialog {
            let menu = self.menu();
            let entry = y.checked_sub(menu.y + 1);
            let entry = entry.filter(|&entry| usize::from(entry) < Choice::ALL.len());
            return match (menu.contains(x, y), entry) {
                (false, _) => Some(Target::Outside),
                (true, entry) => entry
                    .and_then(|n| Digit::new(n as u8 + 1))
                    .map(Target::Digit),
            };
        }
        if self.pad.contains(x, y) {
            return Digit::new((x - self.pad.x) as u8 + 1).map(Target::Digit);
        }
        let (x, y) = (x.checked_sub(self.board.x)?, y.checked_sub(self.board.y)?);
        self.lattice.cell_at(x.into(), y.into()).map(Target::Cell)
    }
}
