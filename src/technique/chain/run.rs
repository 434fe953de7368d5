//! One run: everything that follows from a candidate that is on or off.
//!
//! Two queues hold what has not been followed yet. As long as there is a node that is on,
//! the first of these is followed: it puts off what it sees. Else the first node that is
//! off is followed: it puts on what is left alone without it. In a *dynamic* run it is then
//! struck, so that later nodes find less left. The parents of a node that is on are the
//! node that is off before it, and all that its cell or its house has lost since the start.
//!
//! A run ends when nothing follows, or as soon as a node contradicts one that is known: a
//! *contradiction*. What the run knows until then counts.
//!
//! The order of the queues decides which parents a node gets. So it decides lengths, and is
//! exactly that of Sudoku Explainer.

use super::{
    Hint,
    proof::{Reason, Rule, SIDES, Source},
    state::{
        CANDIDATES, Candidate, HOUSES_OF, PLACES_OF, State, bits, candidate, cell_of, digit_of,
        is_two,
    },
};
use crate::{
    grid::{CELLS, HOUSE_CELLS, HOUSES},
    simd::{Isa, Kernel, Level},
};
use std::sync::Arc;

/// No node.
pub(super) const NONE: u16 = u16::MAX;

/// The number of a cell among the sides of a cell: its three houses are 0 to 2.
const CELL: u8 = 3;
const START: u8 = 4;
const RULE: u8 = 5;

/// How a run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    /// Whether links inside cells count.
    pub(super) cells: bool,
    /// Whether nodes that are off are struck.
    pub(super) strikes: bool,
}

/// A node of a run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) candidate: Candidate,
    pub(super) on: bool,
    /// Why: 0 to 2 for a house, or one of the constants above.
    why: u8,
    /// Its first parent. For a rule inside, the number of its application.
    parent: u16,
    /// What the cell (digits) or the house (places) has lost when the node was noted: the
    /// other parents.
    lost: u16,
    /// How many different nodes it follows from, itself too.
    pub(super) ancestors: u16,
    /// Whether a chain inside is among these.
    pub(super) nested: bool,
    /// The set of these in [`Run::from`], without itself if it shares the set of its parent.
    from: u16,
}

/// A rule inside, applied: what it needs, and the chain if it is one.
#[derive(Clone, Debug)]
pub(super) struct Applied {
    pub(super) rule: Rule,
    pub(super) strikes: Vec<Candidate>,
    pub(super) parents: Vec<Candidate>,
    pub(super) inner: Option<Arc<Hint>>,
}

/// The words of a set of nodes. A run that has more nodes counts ancestors one by one.
const WORDS: usize = 8;

/// A set of nodes of one run.
pub(super) type Nodes = [u64; WORDS];

#[inline(always)]
fn put(nodes: &mut Nodes, number: u16) {
    if let Some(word) = nodes.get_mut(usize::from(number) / 64) {
        *word |= 1 << (number % 64);
    }
}

/// A set of candidates.
pub(super) type Known = [u64; CANDIDATES.div_ceil(64)];

/// A set of candidates, by cells and by houses.
#[derive(Clone, Debug)]
struct Places {
    cells: [u16; CELLS],
    places: [[u16; 9]; HOUSES],
}

impl Places {
    const NONE: Self = Self {
        cells: [0; CELLS],
        places: [[0; 9]; HOUSES],
    };

    #[inline(always)]
    fn add(&mut self, candidate: Candidate) {
        let (cell, digit) = (cell_of(candidate), digit_of(candidate));
        self.cells[cell] |= 1 << digit;
        for (house, place) in HOUSES_OF[cell].into_iter().zip(PLACES_OF[cell]) {
            self.places[usize::from(house)][digit] |= 1 << place;
        }
    }
}

/// A run, and what it found. (Its tables in one place for all runs, and only what is found for
/// each: no gain.)
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// All nodes in the order in which they were noted.
    pub(super) nodes: Vec<Node>,
    /// The nodes by candidate: off, on.
    number: Box<[[u16; CANDIDATES]; 2]>,
    /// The candidates that are off, and those that are on, as sets.
    pub(super) known: [Known; 2],
    off: Places,
    on: Places,
    /// The node that is on and the one that is off that contradict each other.
    pub(super) contradiction: Option<[u16; 2]>,
    applied: Vec<Applied>,
    /// Sets of nodes that a node follows from.
    pub(super) from: Vec<Nodes>,
    queues: [Vec<u16>; 2],
    /// How many nodes in the queues have no more ancestors than the limit.
    open: u32,
    limit: u16,
}

impl Run {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            number: Box::new([[NONE; CANDIDATES]; 2]),
            known: [[0; _]; 2],
            off: Places::NONE,
            on: Places::NONE,
            contradiction: None,
            applied: Vec::new(),
            from: Vec::new(),
            queues: [Vec::new(), Vec::new()],
            open: 0,
            limit: u16::MAX,
        }
    }

    /// The node of a candidate that is on or off, or [`NONE`].
    #[inline(always)]
    pub(super) fn find(&self, candidate: Candidate, on: bool) -> u16 {
        self.number[usize::from(on)][usize::from(candidate)]
    }

    /// Forgets the last run.
    #[inline(always)]
    fn clear(&mut self) {
        for node in &self.nodes {
            self.number[usize::from(node.on)][usize::from(node.candidate)] = NONE;
        }
        self.known = [[0; _]; 2];
        (self.off, self.on) = (Places::NONE, Places::NONE);
        self.nodes.clear();
        self.from.clear();
        self.applied.clear();
        self.queues[0].clear();
        self.queues[1].clear();
        self.contradiction = None;
    }

    /// Follows a candidate that is on or off.
    ///
    /// A node with more ancestors than `limit` is followed only as long as others with fewer
    /// wait: the run ends when none is left. What it has noted then is what it would have
    /// noted first.
    ///
    /// `rules` looks for rules in a position where nothing follows any more: it takes the
    /// position at the start and the present one. An error of it ends the run.
    pub(super) fn follow<E>(
        &mut self,
        state: &State,
        manner: Manner,
        start: (Candidate, bool),
        limit: u16,
        rules: impl FnMut(&State, &State) -> Result<Vec<Applied>, E>,
    ) -> Result<(), E> {
        let follow = Follow {
            run: self,
            state,
            manner,
            start,
            limit,
            rules,
        };
        Level::detect().with(follow).expect("the level was found")
    }

    #[inline(always)]
    fn follow_with<E>(
        &mut self,
        state: &State,
        manner: Manner,
        start: (Candidate, bool),
        limit: u16,
        mut rules: impl FnMut(&State, &State) -> Result<Vec<Applied>, E>,
    ) -> Result<(), E> {
        self.clear();
        (self.limit, self.open) = (limit, 0);
        let mut now = state.clone();
        self.note(start.0, start.1, START, 0, 0);
        let (mut on, mut off) = (0, 0);
        // A limit may end the run earlier.
        while self.open > 0 || limit == u16::MAX {
            if let Some(&node) = self.queues[1].get(on) {
                on += 1;
                self.open -= u32::from(self.nodes[usize::from(node)].ancestors <= limit);
                if self.put_off(&now, manner, node) {
                    return Ok(());
                }
            } else if let Some(&node) = self.queues[0].get(off) {
                off += 1;
                self.open -= u32::from(self.nodes[usize::from(node)].ancestors <= limit);
                if self.put_on(&mut now, state, manner, node) {
                    return Ok(());
                }
            } else {
                let applied = rules(state, &now)?;
                if applied.is_empty() {
                    return Ok(());
                }
                if !self.apply(applied) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Notes a new node.
    #[inline(always)]
    fn note(&mut self, candidate: Candidate, on: bool, why: u8, parent: u16, lost: u16) {
        let number = self.append(candidate, on, why, parent, lost);
        self.number[usize::from(on)][usize::from(candidate)] = number;
        let known = &mut self.known[usize::from(on)];
        known[usize::from(candidate) / 64] |= 1 << (candidate % 64);
        match on {
            true => self.on.add(candidate),
            false => self.off.add(candidate),
        }
        self.queues[usize::from(on)].push(number);
        let ancestors = self.nodes[usize::from(number)].ancestors;
        self.open += u32::from(ancestors <= self.limit);
    }

    /// Adds a node and counts its ancestors.
    #[inline(always)]
    fn append(&mut self, candidate: Candidate, on: bool, why: u8, parent: u16, lost: u16) -> u16 {
        let number = self.nodes.len();
        let mut node = Node {
            candidate,
            on,
            why,
            parent,
            lost,
            ancestors: 0,
            nested: false,
            from: 0,
        };
        if why < START && lost == 0 {
            let parent = self.nodes[usize::from(parent)];
            node.ancestors = parent.ancestors + 1;
            node.nested = parent.nested;
            node.from = parent.from;
            if !on {
                // Most nodes are like this, and need no set of their own.
                self.nodes.push(node);
                return number as u16;
            }
        }
        let mut from = [0; WORDS];
        let mut nested = why == RULE && self.applied[usize::from(parent)].inner.is_some();
        self.each_parent(&node, &mut |number: u16| {
            let parent = self.nodes[usize::from(number)];
            for (word, other) in from.iter_mut().zip(&self.from[usize::from(parent.from)]) {
                *word |= other;
            }
            put(&mut from, number);
            nested |= parent.nested;
        });
        node.nested = nested;
        if node.ancestors == 0 {
            let count = from.iter().map(|word| word.count_ones() as u16);
            node.ancestors = 1 + count.sum::<u16>();
        }
        put(&mut from, number as u16);
        node.from = self.from.len() as u16;
        self.from.push(from);
        self.nodes.push(node);
        number as u16
    }

    /// Shows the parents of a node in order.
    #[inline(always)]
    fn each_parent(&self, node: &Node, see: &mut impl FnMut(u16)) {
        let (cell, digit) = (cell_of(node.candidate), digit_of(node.candidate));
        match node.why {
            START => {}
            RULE => {
                for &parent in &self.applied[usize::from(node.parent)].parents {
                    see(self.find(parent, false));
                }
            }
            CELL => {
                see(node.parent);
                for digit in bits(node.lost) {
                    see(self.find(candidate(cell, digit), false));
                }
            }
            side => {
                see(node.parent);
                let house = usize::from(HOUSES_OF[cell][usize::from(side)]);
                for place in bits(node.lost) {
                    see(self.find(candidate(HOUSE_CELLS[house][place].into(), digit), false));
                }
            }
        }
    }

    /// Follows a node that is on. Whether that ends in a contradiction.
    #[inline(always)]
    fn put_off(&mut self, now: &State, manner: Manner, from: u16) -> bool {
        let node = self.nodes[usize::from(from)];
        let (cell, digit) = (cell_of(node.candidate), digit_of(node.candidate));
        let others = match manner.cells {
            true => now.cells[cell] & !(1 << digit),
            false => 0,
        };
        let mut places = [0; 3];
        let mut contradicts = others & self.on.cells[cell];
        for side in 0..3 {
            let house = usize::from(HOUSES_OF[cell][side]);
            places[side] = now.places[house][digit] & !(1 << PLACES_OF[cell][side]);
            contradicts |= places[side] & self.on.places[house][digit];
            if side > 0 {
                // The places in the box have been seen.
                places[side] &= !(7 << (PLACES_OF[cell][side] / 3 * 3));
            }
        }
        if contradicts != 0 {
            return self.contradict(others, &places, from);
        }
        // What is known to be off is not noted again.
        for other in bits(others & !self.off.cells[cell]) {
            self.note(candidate(cell, other), false, CELL, from, 0);
        }
        for (side, places) in places.into_iter().enumerate() {
            let house = usize::from(HOUSES_OF[cell][side]);
            for place in bits(places & !self.off.places[house][digit]) {
                let to = candidate(HOUSE_CELLS[house][place].into(), digit);
                self.note(to, false, side as u8, from, 0);
            }
        }
        false
    }

    /// Puts off what a node that is on sees, up to what is known to be on.
    fn contradict(&mut self, others: u16, places: &[u16; 3], from: u16) -> bool {
        let node = self.nodes[usize::from(from)];
        let (cell, digit) = (cell_of(node.candidate), digit_of(node.candidate));
        for other in bits(others) {
            if self.see_off(candidate(cell, other), CELL, from) {
                return true;
            }
        }
        for (side, &places) in places.iter().enumerate() {
            let house = usize::from(HOUSES_OF[cell][side]);
            for place in bits(places) {
                let to = candidate(HOUSE_CELLS[house][place].into(), digit);
                if self.see_off(to, side as u8, from) {
                    return true;
                }
            }
        }
        false
    }

    /// Puts a candidate off. Whether it is known to be on.
    fn see_off(&mut self, to: Candidate, why: u8, from: u16) -> bool {
        let known = self.find(to, true);
        if known != NONE {
            let new = self.append(to, false, why, from, 0);
            self.end(known, new);
            return true;
        }
        if self.find(to, false) == NONE {
            self.note(to, false, why, from, 0);
        }
        false
    }

    /// Follows a node that is off, and strikes it. Whether that ends in a contradiction.
    #[inline(always)]
    fn put_on(&mut self, now: &mut State, start: &State, manner: Manner, from: u16) -> bool {
        let node = self.nodes[usize::from(from)];
        let (cell, digit) = (cell_of(node.candidate), digit_of(node.candidate));
        // What is put on, in order: why, and what the cell or house has lost.
        let mut found = [(0, 0, 0); 4];
        let mut count = 0;
        if manner.cells && is_two(now.cells[cell]) {
            let other = now.cells[cell] & !(1 << digit);
            let digit = other.trailing_zeros() as usize;
            found[0] = (
                candidate(cell, digit),
                CELL,
                start.cells[cell] & !now.cells[cell],
            );
            count = 1;
        }
        for side in 0..3 {
            let house = usize::from(HOUSES_OF[cell][side]);
            let places = now.places[house][digit];
            if is_two(places) {
                let other = places & !(1 << PLACES_OF[cell][side]);
                let to = candidate(
                    HOUSE_CELLS[house][other.trailing_zeros() as usize].into(),
                    digit,
                );
                found[count] = (to, side as u8, start.places[house][digit] & !places);
                count += 1;
            }
        }
        if manner.strikes {
            now.strike(node.candidate);
        }
        for &(to, why, lost) in &found[..count] {
            let known = self.find(to, false);
            if known != NONE {
                let new = self.append(to, true, why, from, lost);
                self.end(new, known);
                return true;
            }
            if self.find(to, true) == NONE {
                self.note(to, true, why, from, lost);
            }
        }
        false
    }

    /// Notes what rules inside strike. Whether any of it is new.
    fn apply(&mut self, applied: Vec<Applied>) -> bool {
        let before = self.nodes.len();
        for applied in applied {
            let number = self.applied.len() as u16;
            let strikes = applied.strikes.clone();
            self.applied.push(applied);
            for strike in strikes {
                if self.find(strike, false) == NONE {
                    self.note(strike, false, RULE, number, 0);
                }
            }
        }
        self.nodes.len() > before
    }

    fn end(&mut self, on: u16, off: u16) {
        self.contradiction = Some([on, off]);
        // The new node may say the same as one that is known, after a rule inside.
        for number in [on, off] {
            let node = self.nodes[usize::from(number)];
            let known = self.find(node.candidate, node.on);
            if known != NONE && known != number {
                let chain = super::proof::chain_to(self, number);
                let node = &mut self.nodes[usize::from(number)];
                node.ancestors = chain.len() as u16;
                node.nested = chain.iter().any(|node| node.inner.is_some());
            }
        }
    }

    /// Counts the ancestors of all nodes one by one, where there are too many for the sets.
    pub(super) fn recount(&mut self) {
        if self.nodes.len() > 64 * WORDS {
            for number in 0..self.nodes.len() {
                let chain = super::proof::chain_to(self, number as u16);
                self.nodes[number].ancestors = chain.len() as u16;
            }
        }
    }
}

/// A run to follow with the instructions that the CPU has: counts of bits above all.
struct Follow<'a, F> {
    run: &'a mut Run,
    state: &'a State,
    manner: Manner,
    start: (Candidate, bool),
    limit: u16,
    rules: F,
}

impl<E, F: FnMut(&State, &State) -> Result<Vec<Applied>, E>> Kernel for Follow<'_, F> {
    type Output = Result<(), E>;
    fn call<I: Isa>(self, isa: I) -> Self::Output {
        let Self {
            run,
            state,
            manner,
            start,
            limit,
            rules,
        } = self;
        isa.run(
            #[inline(always)]
            || run.follow_with(state, manner, start, limit, rules),
        )
    }
}

impl Source for Run {
    type Id = u16;

    fn node(&self, id: u16) -> (Candidate, bool, Reason, Option<Arc<Hint>>) {
        let node = self.nodes[usize::from(id)];
        let mut inner = None;
        let reason = match node.why {
            START => Reason::Assumption,
            CELL => Reason::Cell,
            RULE => {
                let applied = &self.applied[usize::from(node.parent)];
                inner = applied.inner.clone();
                Reason::Rule(applied.rule)
            }
            side => Reason::House(SIDES[usize::from(side)]),
        };
        (node.candidate, node.on, reason, inner)
    }

    fn parents(&self, id: u16, list: &mut Vec<u16>) {
        self.each_parent(&self.nodes[usize::from(id)], &mut |parent| {
            list.push(parent)
        });
    }
}
