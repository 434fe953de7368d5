//! The order of cycles and forcing chains, and the first of them so far.

use crate::technique::chain::{Kind, cycles::Cycle, length, links::Mode};

/// The order in which hints come: difficulty, length, key, candidate, and then cycles,
/// strikes and placements.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Rank {
    difficulty: f64,
    pub(super) length: u32,
    key: u8,
    pub(super) from: u16,
    pub(super) sort: u8,
}

pub(super) const CYCLE: u8 = 0;
pub(super) const STRIKE: u8 = 1;
pub(super) const PLACE: u8 = 2;

impl Rank {
    pub(super) fn new(mode: Mode, length: u32, from: u16, sort: u8) -> Self {
        let key = kind(mode, sort).key();
        Self {
            difficulty: length::difficulty(base(mode, sort), length),
            length,
            key,
            from,
            sort,
        }
    }
}

/// The rating of the shortest hint of a kind, in tenths, where its length adds nothing.
pub(super) fn base(mode: Mode, sort: u8) -> u8 {
    match (mode, sort) {
        (Mode::Xy, _) => 70,
        (_, CYCLE) => 65,
        _ => 66,
    }
}

pub(super) fn kind(mode: Mode, sort: u8) -> Kind {
    match (mode, sort) {
        (Mode::X, CYCLE) => Kind::XCycle,
        (Mode::Y, _) => Kind::YCycle,
        (Mode::Xy, CYCLE) => Kind::XyCycle,
        (Mode::X, _) => Kind::XChain,
        (Mode::Xy, _) => Kind::XyChain,
    }
}

/// The first hint so far, with its links if it is a cycle, and how long a cycle may be to come before it.
pub(super) struct First {
    pub(super) hint: Option<(Rank, Mode, Option<Cycle>)>,
    pub(super) most: u32,
}

impl First {
    /// Keeps a hint if it comes first.
    pub(super) fn offer(&mut self, rank: Rank, mode: Mode, cycle: impl FnOnce() -> Option<Cycle>) {
        if self.hint.as_ref().is_none_or(|(first, ..)| rank < *first) {
            self.hint = Some((rank, mode, cycle()));
        }
    }

    /// Returns true if a cycle from a candidate comes before the first hint if both are alike.
    pub(super) fn is_before(&self, from: u16) -> bool {
        match &self.hint {
            Some((first, ..)) => (from, CYCLE) < (first.from, first.sort),
            None => true,
        }
    }

    /// Returns true if hints of the search with all links may still come first.
    pub(super) fn is_open(&self) -> bool {
        let easiest = length::difficulty(70, 4);
        let hint = self.hint.as_ref();
        hint.is_none_or(|(first, ..)| first.difficulty >= easiest)
    }

    /// The number of links that a cycle of a search may have to come first: from a candidate before
    /// that of the first hint, and from one after it.
    pub(super) fn bounds(&self, mode: Mode) -> [u32; 2] {
        let Some((first, ..)) = &self.hint else {
            return [self.most; 2];
        };
        [0, u16::MAX].map(|from| {
            let before = |&length: &u32| Rank::new(mode, length, from, CYCLE) < *first;
            (4..).step_by(2).take_while(before).last().unwrap_or(0)
        })
    }
}
