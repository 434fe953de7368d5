//! The [reference search](crate::solve::guesses), recorded.

use super::{
    Pairs,
    board::{Board, Contradiction},
};
use crate::{
    grid::{AnyPuzzle, CELLS, Cell, Digit, House},
    stop,
    technique::{Technique, desk::house_at},
};

/// The events of a search. Cells and digits count from 0.
#[derive(Clone, Copy, Debug)]
enum Note {
    Single(Technique, u8, u8),
    Guess(u8, u8),
    Cell(u8),
    Digit(u8, u8),
    Return(u8, u8),
    Solution,
}

/// The kind of an [`Event`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EventKind {
    /// A cell is filled by a single of this technique.
    Single(Technique),
    /// A cell is filled by a guess.
    Guess,
    /// The branch ends: the cell has no candidate, or the digit has no place in this house.
    Contradiction(Option<House>),
    /// A guess is taken back, and all that came after it.
    Return,
    /// All cells are filled.
    Solution,
}

/// An event of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    /// The kind.
    pub(super) kind: EventKind,
    /// The cell, if there is one.
    pub(super) cell: Option<Cell>,
    /// The digit, if there is one.
    pub(super) digit: Option<Digit>,
    /// The number of guesses that stand; a guess counts, and so does one that is being taken back.
    pub(super) depth: usize,
}

/// A guess that stands.
struct Frame {
    /// The board before it.
    board: Board,
    cell: u8,
    digit: u8,
    /// The candidates of the cell that were not tried.
    left: u16,
}

/// A search, and what it keeps from puzzle to puzzle.
#[derive(Default)]
pub(super) struct Search {
    notes: Vec<Note>,
    frames: Vec<Frame>,
    guesses: u64,
}

/// The reference search of a puzzle with one solution.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchTrace<'t> {
    puzzle: &'t AnyPuzzle,
    notes: &'t [Note],
    guesses: u64,
}

/// Fills the cells that singles fill. Returns whether that ends in a contradiction.
fn settle(board: &mut Board, notes: &mut Vec<Note>) -> bool {
    loop {
        match board.contradiction() {
            Some(Contradiction::Cell(cell)) => notes.push(Note::Cell(cell)),
            Some(Contradiction::Digit(digit, house)) => notes.push(Note::Digit(digit, house)),
            None => {
                let (technique, cell, digit) = match (board.single(), board.naked_single()) {
                    (Some(single), _) => (single.technique, single.cell, single.digit),
                    (None, Some((cell, digit))) => (Technique::NakedSingle, cell, digit),
                    (None, None) => return false,
                };
                board.place(cell, digit);
                notes.push(Note::Single(technique, cell, digit));
                continue;
            }
        }
        return true;
    }
}

impl Search {
    /// Searches. Returns `false` if that takes more than `most` guesses.
    pub(super) fn run(&mut self, mut board: Board, proof: bool, most: u64) -> bool {
        let Self {
            notes,
            frames,
            guesses,
        } = self;
        notes.clear();
        frames.clear();
        *guesses = 0;
        loop {
            let is_dead = settle(&mut board, notes);
            let frame = match board.narrowest() {
                Some((cell, left)) if !is_dead => Some(Frame {
                    board,
                    cell,
                    digit: 0,
                    left,
                }),
                _ => {
                    if !is_dead {
                        notes.push(Note::Solution);
                        if !proof {
                            return true;
                        }
                    }
                    next_guess(frames, notes)
                }
            };
            let Some(mut frame) = frame else {
                return true;
            };
            if *guesses == most {
                return false;
            }
            *guesses += 1;
            if *guesses % 256 == 0 {
                stop::check();
            }
            frame.digit = frame.left.trailing_zeros() as u8;
            frame.left &= frame.left - 1;
            notes.push(Note::Guess(frame.cell, frame.digit));
            board = frame.board.clone();
            board.place(frame.cell, frame.digit);
            frames.push(frame);
        }
    }

    pub(super) fn trace<'t>(&'t self, puzzle: &'t AnyPuzzle) -> SearchTrace<'t> {
        SearchTrace {
            puzzle,
            notes: &self.notes,
            guesses: self.guesses,
        }
    }
}

/// Takes guesses back, up to one whose cell has another candidate.
fn next_guess(frames: &mut Vec<Frame>, notes: &mut Vec<Note>) -> Option<Frame> {
    while let Some(frame) = frames.pop() {
        notes.push(Note::Return(frame.cell, frame.digit));
        if frame.left != 0 {
            return Some(frame);
        }
    }
    None
}

impl<'t> SearchTrace<'t> {
    /// The number of guesses. With a proof it is that of [`guesses`](crate::solve::guesses).
    pub(crate) fn guesses(&self) -> u64 {
        self.guesses
    }

    /// The puzzle.
    pub(super) fn puzzle(&self) -> &'t AnyPuzzle {
        self.puzzle
    }

    /// The events in order.
    pub(super) fn events(&self) -> impl Iterator<Item = Event> + use<'t> {
        let mut depth = 0;
        self.notes.iter().map(move |&note| {
            depth += usize::from(matches!(note, Note::Guess(..)));
            let (kind, at, of) = match note {
                Note::Single(technique, at, of) => {
                    (EventKind::Single(technique), Some(at), Some(of))
                }
                Note::Guess(at, of) => (EventKind::Guess, Some(at), Some(of)),
                Note::Cell(at) => (EventKind::Contradiction(None), Some(at), None),
                Note::Digit(of, house) => (
                    EventKind::Contradiction(Some(house_at(house.into()))),
                    None,
                    Some(of),
                ),
                Note::Return(at, of) => (EventKind::Return, Some(at), Some(of)),
                Note::Solution => (EventKind::Solution, None, None),
            };
            let event = Event {
                kind,
                cell: at.map(|cell| Cell::known(cell.into())),
                digit: of.map(|digit| Digit::known(digit.into())),
                depth,
            };
            depth -= usize::from(kind == EventKind::Return);
            event
        })
    }

    /// The cells that are filled on the way to the solution, in order, and their digits. What the search
    /// takes back is not among them.
    pub(crate) fn pairs(&self) -> Pairs {
        let (mut pairs, mut count) = ([[-1; 2]; CELLS], 0);
        let mut guesses = Vec::new();
        for note in self.notes {
            match *note {
                Note::Single(_, cell, digit) | Note::Guess(cell, digit) => {
                    if matches!(note, Note::Guess(..)) {
                        guesses.push(count);
                    }
                    pairs[count] = [cell as i8, digit as i8 + 1];
                    count += 1;
                }
                Note::Return(..) => {
                    let before = guesses.pop().expect("a guess stands");
                    pairs[before..count].fill([-1; 2]);
                    count = before;
                }
                Note::Cell(_) | Note::Digit(..) => {}
                Note::Solution => break,
            }
        }
        debug_assert_eq!(count + self.puzzle.clue_count(), CELLS);
        pairs
    }
}
