//! A position under suppositions that are closed by suppositions.
//!
//! A context has a lane for each candidate of its position: a word has 63 of them, and the position itself. Two
//! matrices have a word for each candidate and word of lanes:
//!
//! ```text
//!                         lane  0         1              2          ...  63
//!     singles[candidate]        position  + candidate 1  + candidate 2       closed by singles
//!     trials[candidate]                   + candidate 1  + candidate 2       closed by trials (depth 1)
//! ```
//!
//! A trial of candidate `z` is made in a slot: its lanes are those of `singles`, with the candidates of lane `z` of `trials`
//! alone. So each lane begins with all that singles find from either supposition, and few passes are left
//! to be made. What the trial leaves becomes lane `z` of `trials`.
//!
//! **What need not be made.** When a candidate is struck, its words in `trials` say at once which trials had it left:
//! those are made again, and no others. A trial that has ended without a contradiction also answers for each
//! candidate that it has placed: whoever supposes that one is left with no less. And no trial of a true candidate
//! can fail.
//!
//! **What was tried** (2,000 or 500 of the hardest known puzzles of depth 2, a loaded EPYC with AVX-512, 2026-11-24, µs a puzzle): the
//! candidates in the order of what singles leave of their partner alone, 343 (three of five trials are in
//! vain); of what they leave of the candidate alone, 423 (none in vain, but twice as many are needed); of both, 372. To
//! close the position and all words again after each failure, 394 in place of 279: now it happens only when the failure
//! leaves a single, and with the first word alone. The loops over matrices in the instructions of the level took 242 after that.

use super::slots::{Candidate, Field, Marks, Run, parts};
use crate::{
    grid::{CELLS, HOUSE_CELLS},
    simd::ones,
};

/// Lanes of a word.
pub(super) const WIDTH: usize = 64;

/// Some of the candidates of a context, a lane each, but lane 0.
pub(super) struct Word {
    pub(super) candidates: [Candidate; WIDTH],
    pub(super) singles: Box<Field>,
    pub(super) trials: Box<Field>,
    /// The lanes whose candidates are left.
    pub(super) alive: u64,
    /// The lanes whose candidates stand in the solution.
    truths: u64,
    /// The lanes whose trials have ended, and are as good as new.
    pub(super) closed: u64,
    /// The lanes whose trials are being made.
    pub(super) flying: u64,
    /// The number of candidates that singles leave in each lane.
    sizes: [u16; WIDTH],
}

/// A candidate of a context: its word and its lane there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) word: usize,
    pub(super) lane: usize,
}

/// A position, its candidates, and what is known of them.
pub(super) struct Context {
    pub(super) marks: Marks,
    /// The word of each candidate, 64 times, plus its lane. None is 0.
    places: [[u16; CELLS]; 9],
    pub(super) words: Vec<Word>,
    /// The candidates by how much is hoped of their trials: the score of each in the upper half, its word and lane in
    /// the lower one.
    order: Vec<u32>,
    /// A candidate was struck since the position and `singles` were closed.
    pub(super) is_stale: bool,
    pub(super) is_fresh: bool,
    /// The jobs in slots.
    pub(super) flying: usize,
}

/// The rating of a candidate whose failure places nothing.
const NO_PARTNER: u16 = 250;

/// The rows, columns and boxes of a cell, from 0 to 26.
fn houses_of(cell: usize) -> [usize; 3] {
    [cell / 9, 9 + cell % 9, 18 + cell / 27 * 3 + cell % 9 / 3]
}

impl Context {
    /// A position, with the marks of its solution if it has one.
    pub(super) fn new(marks: &Marks, solution: Option<&Marks>) -> Self {
        let mut candidates: Vec<Candidate> = Vec::new();
        for count in 2..=9 {
            for (cell, &marks) in marks.iter().enumerate() {
                if marks.count_ones() == count {
                    candidates.extend(
                        ones(marks.into()).map(|digit| (CELLS * digit + cell) as Candidate),
                    );
                }
            }
        }
        let mut places = [[0; CELLS]; 9];
        for (number, &candidate) in candidates.iter().enumerate() {
            let (cell, digit) = parts(candidate);
            let (word, lane) = (number / (WIDTH - 1), number % (WIDTH - 1) + 1);
            places[digit][cell] = (WIDTH * word + lane) as u16;
        }
        let words = candidates.chunks(WIDTH - 1).map(|chunk| {
            let run = Run::<WIDTH>::of(chunk);
            let alive = !run.dead & !1;
            let truths = solution.map_or(0, |solution| {
                let is_true = |&lane: &usize| {
                    let (cell, digit) = parts(run.candidates[lane]);
                    solution[cell] >> digit & 1 != 0
                };
                ones(alive)
                    .filter(is_true)
                    .fold(0, |lanes, lane| lanes | 1 << lane)
            });
            let singles = Box::new(run.suppose(marks));
            Word {
                candidates: run.candidates,
                trials: singles.clone(),
                singles,
                alive,
                truths,
                closed: 0,
                flying: 0,
                sizes: [0; WIDTH],
            }
        });
        Self {
            marks: *marks,
            places,
            words: words.collect(),
            order: Vec::new(),
            is_stale: true,
            is_fresh: true,
            flying: 0,
        }
    }

    /// Strikes a candidate.
    pub(super) fn strike(&mut self, cell: usize, digit: usize) {
        self.marks[cell] &= !(1 << digit);
        for word in &mut self.words {
            word.closed &= !word.trials[digit][cell];
            word.trials[digit][cell] = 0;
            word.singles[digit][cell] = 0;
        }
        if let Some(Place { word, lane }) = self.place_of(cell, digit) {
            self.words[word].alive &= !(1 << lane);
        }
    }

    /// The word and the lane of a candidate, if it was one when the context began.
    fn place_of(&self, cell: usize, digit: usize) -> Option<Place> {
        let place = usize::from(self.places[digit][cell]);
        (place != 0).then_some(Place {
            word: place / WIDTH,
            lane: place % WIDTH,
        })
    }

    /// Strikes the candidates that are not in a position, which is that of the context with less.
    pub(super) fn reduce(&mut self, marks: &Marks) {
        let before = self.marks;
        for (cell, (before, marks)) in before.into_iter().zip(marks).enumerate() {
            for digit in ones((before & !marks).into()) {
                self.strike(cell, digit);
            }
        }
    }

    /// Returns true if the position has a single that was not placed when a candidate was struck, or a
    /// contradiction.
    pub(super) fn has_single(&self, cell: usize, digit: usize) -> bool {
        let places = |house: usize| {
            let cells = HOUSE_CELLS[house].iter();
            cells
                .filter(|&&cell| self.marks[usize::from(cell)] >> digit & 1 != 0)
                .count()
        };
        self.marks[cell].count_ones() < 2
            || houses_of(cell).into_iter().any(|house| places(house) < 2)
    }

    /// Brings all up to date when the `singles` of some first words have been closed.
    #[inline(always)]
    pub(super) fn renew(&mut self, words: usize) {
        for word in &mut self.words[..words] {
            for (trials, singles) in word
                .trials
                .as_flattened_mut()
                .iter_mut()
                .zip(word.singles.as_flattened())
            {
                *trials &= singles;
            }
            if self.is_fresh {
                word.sizes = sizes(&word.singles);
            }
        }
        self.is_fresh = false;
        self.rank();
    }

    /// Puts the candidates in order. The failure of a candidate places its partner: the other candidate of a
    /// cell, or the other place of a digit in a house. The less singles leave of both, the better.
    fn rank(&mut self) {
        let mut size_of = [0u16; 9 * CELLS];
        for word in &self.words {
            for lane in ones(word.alive) {
                size_of[usize::from(word.candidates[lane])] = word.sizes[lane];
            }
        }
        // The number of places of each digit in each house, and the sum of their cells.
        let mut places = [[(0u16, 0u16); 27]; 9];
        for (cell, &marks) in self.marks.iter().enumerate() {
            for digit in ones(marks.into()) {
                for house in houses_of(cell) {
                    let (count, sum) = &mut places[digit][house];
                    (*count, *sum) = (*count + 1, *sum + cell as u16);
                }
            }
        }
        self.order.clear();
        for (number, word) in self.words.iter().enumerate() {
            for lane in ones(word.alive & !word.truths) {
                let (cell, digit) = parts(word.candidates[lane]);
                let mut partner = NO_PARTNER;
                let marks = self.marks[cell];
                if marks.count_ones() == 2 {
                    let other = (marks & !(1 << digit)).trailing_zeros() as usize;
                    partner = partner.min(size_of[CELLS * other + cell]);
                }
                for house in houses_of(cell) {
                    if let (2, sum) = places[digit][house] {
                        partner = partner.min(size_of[CELLS * digit + usize::from(sum) - cell]);
                    }
                }
                let score = u32::from(partner + 2 * word.sizes[lane]);
                self.order
                    .push(score << 16 | (number * WIDTH + lane) as u32);
            }
        }
        self.order.sort_unstable();
    }

    /// The candidates in order.
    pub(super) fn order(&self) -> impl Iterator<Item = Place> {
        self.order.iter().map(|&rank| {
            let place = rank as usize & 0xffff;
            Place {
                word: place / WIDTH,
                lane: place % WIDTH,
            }
        })
    }

    /// The next candidate whose trial may fail.
    pub(super) fn next_trial(&self) -> Option<Place> {
        self.order().find(|&place| {
            let word = &self.words[place.word];
            let is_wanted = word.alive & !word.closed & !word.flying;
            is_wanted >> place.lane & 1 != 0 && !self.is_covered(place)
        })
    }

    /// Returns true if a trial that has ended has placed the candidate.
    fn is_covered(&self, place: Place) -> bool {
        let (cell, digit) = parts(self.words[place.word].candidates[place.lane]);
        self.words.iter().any(|word| {
            let mut lanes = word.closed & word.alive & word.trials[digit][cell];
            for other in (0..9).filter(|other| *other != digit) {
                lanes &= !word.trials[other][cell];
            }
            lanes != 0
        })
    }

    /// The candidates that are left in a lane of `trials`.
    #[inline(always)]
    pub(super) fn trial(&self, place: Place) -> Marks {
        let field = &self.words[place.word].trials;
        let mut marks = [0; CELLS];
        for (digit, field) in field.iter().enumerate() {
            for (field, marks) in field.iter().zip(&mut marks) {
                *marks |= ((field >> place.lane & 1) as u16) << digit;
            }
        }
        marks
    }

    /// Returns true if a position has no candidate that this one lacks.
    #[inline(always)]
    pub(super) fn holds(&self, marks: &Marks) -> bool {
        let mut both = marks.iter().zip(&self.marks);
        both.all(|(marks, ours)| marks & !ours == 0)
    }

    /// Notes what a trial has left.
    #[inline(always)]
    pub(super) fn close(&mut self, place: Place, marks: &Marks) {
        let is_current = self.holds(marks);
        let word = &mut self.words[place.word];
        for (digit, field) in word.trials.iter_mut().enumerate() {
            for ((field, marks), ours) in field.iter_mut().zip(marks).zip(&self.marks) {
                let bit = u64::from((marks & ours) >> digit & 1) << place.lane;
                *field = *field & !(1 << place.lane) | bit;
            }
        }
        word.closed |= u64::from(is_current) << place.lane;
    }
}

impl Word {
    /// The lanes whose candidates are in a position.
    pub(super) fn lanes_of(&self, marks: &Marks) -> u64 {
        let is_there = |&lane: &usize| {
            let (cell, digit) = parts(self.candidates[lane]);
            marks[cell] >> digit & 1 != 0
        };
        ones(self.alive)
            .filter(is_there)
            .fold(0, |lanes, lane| lanes | 1 << lane)
    }
}

/// The number of candidates in each lane. Planes of bits count them, eight words at a time: seven adders make one of them of the
/// weight 8 (Warren, Hacker's Delight, 5-1).
#[inline(always)]
fn sizes(field: &Field) -> [u16; WIDTH] {
    let add = |a: u64, b: u64, c: u64| (a ^ b ^ c, a & b | (a ^ b) & c);
    let mut bits = [0u64; 10];
    let (eights, rest) = field.as_flattened().as_chunks::<8>();
    for x in eights {
        let (s, a) = add(bits[0], x[0], x[1]);
        let (s, b) = add(s, x[2], x[3]);
        let (s, c) = add(s, x[4], x[5]);
        let (one, d) = add(s, x[6], x[7]);
        let (s, e) = add(bits[1], a, b);
        let (two, f) = add(s, c, d);
        let (four, mut carry) = add(bits[2], e, f);
        (bits[0], bits[1], bits[2]) = (one, two, four);
        for bit in &mut bits[3..] {
            (*bit, carry) = (*bit ^ carry, *bit & carry);
        }
    }
    for &word in rest {
        let mut carry = word;
        for bit in &mut bits {
            (*bit, carry) = (*bit ^ carry, *bit & carry);
        }
    }
    let mut sizes = [0; WIDTH];
    for (lane, size) in sizes.iter_mut().enumerate() {
        for (n, bit) in bits.iter().enumerate() {
            *size |= ((bit >> lane & 1) as u16) << n;
        }
    }
    sizes
}
