//! Traces as JSON, and as the rows of a table.
//!
//! Everything is appended to one buffer. What comes before the marks of a step is the same for all steps
//! of a technique, so it is written once and copied.

use super::{Event, EventKind, Extras, SearchTrace, Trace, TraceStep, replay::Replay};
use crate::{
    grid::{CELLS, Cell, Digits},
    technique::{Rating, Technique},
};
use std::sync::LazyLock;

/// The row of a table: one step, with what is empty left empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct TraceRow<'t> {
    /// The cell that is filled: `r1c2`. In a search also the cell without candidates, and that of a
    /// guess which is taken back.
    pub(crate) cell: Option<Cell>,
    /// The digit.
    pub(crate) digit: Option<u8>,
    /// The technique, or the event of a search.
    pub(crate) technique: &'static str,
    /// The rating. A search has none.
    pub(crate) rating: Option<Rating>,
    /// The cells of the pattern: `r1c1 r1c5`.
    pub(crate) cells: &'t [u8],
    /// The digits of the pattern: `27`. In a search nothing.
    pub(crate) digits: &'t [u8],
    /// The candidates that go: `r1c3-2 r1c9-7`.
    pub(crate) strikes: &'t [u8],
    /// The house that has no place for the digit: `row 3`.
    pub(crate) house: &'t [u8],
    /// The number of guesses that stand.
    pub(crate) depth: Option<usize>,
    /// The cells after the step, if they are asked for.
    pub(crate) board: &'t [u8],
    /// The candidates after the step, if they are asked for.
    pub(crate) candidates: &'t [u8],
}

/// The name of each cell.
static NAMES: [[u8; 4]; CELLS] = {
    let (mut names, mut cell) = ([*b"r1c1"; CELLS], 0);
    while cell < CELLS {
        names[cell][1] += (cell / 9) as u8;
        names[cell][3] += (cell % 9) as u8;
        cell += 1;
    }
    names
};

/// `"technique":"X-wing","rating":3.2` for each technique with its least rating.
static TECHNIQUES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let text = |technique: &Technique| technique_and_rating(*technique, technique.rating());
    Technique::ALL.iter().map(text).collect()
});

fn technique_and_rating(technique: Technique, rating: Rating) -> Vec<u8> {
    format!(r#""technique":"{technique}","rating":{rating}"#).into_bytes()
}

fn push_technique(step: &TraceStep<'_>, out: &mut Vec<u8>) {
    let (technique, rating) = (step.record.technique, step.record.rating);
    if technique.rating() == rating {
        out.extend_from_slice(&TECHNIQUES[technique as usize])
    } else {
        out.extend_from_slice(&technique_and_rating(technique, rating))
    }
}

/// `r1c1 r1c5`
fn push_cells(cells: &[u8], out: &mut Vec<u8>) {
    for (n, &cell) in cells.iter().enumerate() {
        if n > 0 {
            out.push(b' ');
        }
        out.extend_from_slice(&NAMES[usize::from(cell)]);
    }
}

/// `27`
fn push_digits(digits: Digits, out: &mut Vec<u8>) {
    out.extend(digits.iter().map(|digit| digit.to_ascii()));
}

/// `r1c3-2 r1c9-7`
fn push_strikes(strikes: &[(u8, u8)], out: &mut Vec<u8>) {
    for (n, &(cell, digit)) in strikes.iter().enumerate() {
        let [r, row, c, column] = NAMES[usize::from(cell)];
        let text = [b' ', r, row, c, column, b'-', b'1' + digit];
        out.extend_from_slice(&text[usize::from(n == 0)..]);
    }
}

/// `,"cells":"r1c1 r1c5","digits":"27"`
fn push_pattern(step: &TraceStep<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(br#","cells":""#);
    push_cells(step.cells, out);
    out.extend_from_slice(br#"","digits":""#);
    push_digits(Digits::from_bits(step.record.digits), out);
    out.push(b'"');
}

/// `,"board":"…","candidates":"…"`
fn push_extras(replay: &Replay, extras: Extras, out: &mut Vec<u8>) {
    for (wanted, key, text) in [
        (extras.boards, &br#","board":""#[..], replay.board()),
        (extras.candidates, br#","candidates":""#, replay.marks()),
    ] {
        if wanted {
            out.extend_from_slice(key);
            out.extend_from_slice(text);
            out.push(b'"');
        }
    }
}

impl Trace<'_> {
    /// Appends the steps as a JSON array. It has an object for each cell that is filled:
    ///
    /// | key | what it holds |
    /// |---|---|
    /// | `cell`, `digit` | the cell, `"r1c2"`, and the digit that goes there |
    /// | `technique`, `rating` | why it goes there |
    /// | `cells`, `digits` | the pattern, `"r1c1 r1c5"` and `"27"`, if it is more than the cell and the digit |
    /// | `struck` | the steps between the placement before and this one: an array of objects with `technique`, `rating`, `cells`, `digits` and `strikes`, such as `"r1c3-2 r1c9-7"` |
    /// | `board`, `candidates` | the position after the step, see [`Extras`] |
    ///
    /// If the steps end with strikes and no placement, a last object holds them, and its `cell`,
    /// `digit`, `technique` and `rating` are `null`.
    pub(crate) fn write_json(&self, extras: Extras, out: &mut Vec<u8>) {
        const HEAD: [u8; 25] = *br#"{"cell":"r1c1","digit":1,"#;
        let mut replay = Replay::new(self.puzzle, extras);
        let mut struck = Vec::new();
        let mut separator = b'[';
        let count = self.steps.steps.len();
        for n in 0..count {
            let step = self.steps.get(n);
            for &(cell, digit) in step.strikes {
                replay.strike(cell.into(), digit);
            }
            let Some((cell, digit)) = step.record.place else {
                struck.push(n);
                continue;
            };
            replay.place(cell.into(), digit);
            let mut head = HEAD;
            head[9..13].copy_from_slice(&NAMES[usize::from(cell)]);
            head[23] = b'1' + digit;
            out.push(separator);
            separator = b',';
            out.extend_from_slice(&head);
            push_technique(&step, out);
            if step.cells != [cell] || step.record.digits != 1 << digit {
                push_pattern(&step, out);
            }
            self.push_struck(&mut struck, out);
            push_extras(&replay, extras, out);
            out.push(b'}');
        }
        if !struck.is_empty() {
            out.push(separator);
            separator = b',';
            let nothing = br#"{"cell":null,"digit":null,"technique":null,"rating":null"#;
            out.extend_from_slice(nothing);
            self.push_struck(&mut struck, out);
            push_extras(&replay, extras, out);
            out.push(b'}');
        }
        if separator == b'[' {
            out.push(b'[');
        }
        out.push(b']');
    }

    /// `,"struck":[…]`
    fn push_struck(&self, struck: &mut Vec<usize>, out: &mut Vec<u8>) {
        out.extend_from_slice(br#","struck":["#);
        for (place, n) in struck.drain(..).enumerate() {
            let step = self.steps.get(n);
            out.extend_from_slice(&br#",{"#[usize::from(place == 0)..]);
            push_technique(&step, out);
            push_pattern(&step, out);
            out.extend_from_slice(br#","strikes":""#);
            push_strikes(step.strikes, out);
            out.extend_from_slice(br#""}"#);
        }
        out.push(b']');
    }

    /// Shows a row for each step, whether it fills a cell or strikes candidates.
    pub(crate) fn rows(&self, extras: Extras, mut see: impl FnMut(&TraceRow<'_>)) {
        let mut replay = Replay::new(self.puzzle, extras);
        let [mut cells, mut digits, mut strikes] = [const { Vec::new() }; 3];
        for step in self.steps() {
            cells.clear();
            digits.clear();
            strikes.clear();
            push_cells(step.cells, &mut cells);
            push_digits(Digits::from_bits(step.record.digits), &mut digits);
            push_strikes(step.strikes, &mut strikes);
            for &(cell, digit) in step.strikes {
                replay.strike(cell.into(), digit);
            }
            let place = step.record.place;
            if let Some((cell, digit)) = place {
                replay.place(cell.into(), digit);
            }
            see(&TraceRow {
                cell: place.map(|(cell, _)| Cell::known(cell.into())),
                digit: place.map(|(_, digit)| digit + 1),
                technique: step.record.technique.name(),
                rating: Some(step.record.rating),
                cells: &cells,
                digits: &digits,
                strikes: &strikes,
                ..TraceRow::after(&replay, extras)
            });
        }
    }
}

impl<'t> TraceRow<'t> {
    /// A row with nothing but the position.
    fn after(replay: &'t Replay, extras: Extras) -> Self {
        Self {
            board: if extras.boards { replay.board() } else { &[] },
            candidates: if extras.candidates {
                replay.marks()
            } else {
                &[]
            },
            ..Self::default()
        }
    }
}

impl EventKind {
    /// Its name: that of the technique of a single, or `guess`, `contradiction`, `return`, `solution`.
    const fn name(self) -> &'static str {
        match self {
            Self::Single(technique) => technique.name(),
            Self::Guess => "guess",
            Self::Contradiction(_) => "contradiction",
            Self::Return => "return",
            Self::Solution => "solution",
        }
    }

    /// The house that has no place for a digit.
    fn house(self) -> String {
        match self {
            Self::Contradiction(Some(house)) => house.to_string(),
            _ => String::new(),
        }
    }
}

impl SearchTrace<'_> {
    /// Appends the events as a JSON array of objects:
    ///
    /// | key | what it holds |
    /// |---|---|
    /// | `cell`, `digit` | the cell, `"r1c2"`, and the digit; `null` where there is none |
    /// | `technique` | the technique of a single, or `guess`, `contradiction`, `return`, `solution` |
    /// | `house` | of a contradiction that is no cell without candidates: where the digit has no place |
    /// | `depth` | how many guesses stand. A guess counts, and so does one that is being taken back |
    /// | `board`, `candidates` | the position after the event, see [`Extras`] |
    pub(crate) fn write_json(&self, extras: Extras, out: &mut Vec<u8>) {
        let mut replay = Replay::new(self.puzzle(), extras);
        let mut separator = b'[';
        for event in self.events() {
            follow(&mut replay, &event);
            out.push(separator);
            separator = b',';
            out.extend_from_slice(br#"{"cell":"#);
            match event.cell {
                Some(cell) => {
                    out.push(b'"');
                    out.extend_from_slice(&NAMES[cell.index()]);
                    out.push(b'"');
                }
                None => out.extend_from_slice(b"null"),
            }
            out.extend_from_slice(br#","digit":"#);
            match event.digit {
                Some(digit) => out.push(digit.to_ascii()),
                None => out.extend_from_slice(b"null"),
            }
            out.extend_from_slice(br#","technique":""#);
            out.extend_from_slice(event.kind.name().as_bytes());
            if let EventKind::Contradiction(Some(house)) = event.kind {
                out.extend_from_slice(format!(r#"","house":"{house}"#).as_bytes());
            }
            out.extend_from_slice(format!(r#"","depth":{}"#, event.depth).as_bytes());
            push_extras(&replay, extras, out);
            out.push(b'}');
        }
        if separator == b'[' {
            out.push(b'[');
        }
        out.push(b']');
    }

    /// Shows a row for each event.
    pub(crate) fn rows(&self, extras: Extras, mut see: impl FnMut(&TraceRow<'_>)) {
        let mut replay = Replay::new(self.puzzle(), extras);
        for event in self.events() {
            follow(&mut replay, &event);
            see(&TraceRow {
                cell: event.cell,
                digit: event.digit.map(|digit| digit.get()),
                technique: event.kind.name(),
                house: event.kind.house().as_bytes(),
                depth: Some(event.depth),
                ..TraceRow::after(&replay, extras)
            });
        }
    }
}

/// Does in a grid what an event says.
fn follow(replay: &mut Replay, event: &Event) {
    if event.kind == EventKind::Guess {
        replay.guess();
    }
    match (event.kind, event.cell, event.digit) {
        (EventKind::Return, ..) => replay.take_back(),
        (EventKind::Single(_) | EventKind::Guess, Some(cell), Some(digit)) => {
            replay.place(cell.index(), digit.index() as u8);
        }
        _ => {}
    }
}
