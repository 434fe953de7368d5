//! The nodes of a run, their parents, and how many nodes each follows from.

use super::{CELL, RULE, Run, START, Walk};
use crate::{
    grid::{CELLS, HOUSE_CELLS},
    simd,
    technique::chain::{
        proof::{self, Brief, Reason, Rule, SIDES, Source},
        state::{CANDIDATES, Candidate, HOUSES_OF, SPOTS, bits, candidate, cell_of, digit_of},
    },
};
use std::sync::Arc;

/// A node of a run.
#[derive(Clone, Copy, Debug)]
pub(in crate::technique::chain) struct Node {
    pub(in crate::technique::chain) candidate: Candidate,
    pub(in crate::technique::chain) on: bool,
    /// Why: 0 to 2 for a house, or one of the constants above.
    pub(super) why: u8,
    /// Its first parent. For a rule inside, the number of its application.
    pub(super) parent: u16,
    /// The digits that the cell, or the places that the house, has lost when the node was noted: the
    /// other parents.
    lost: u16,
    /// The number of different nodes that it follows from, itself too.
    pub(in crate::technique::chain) ancestors: u16,
    /// True if a chain inside is among these.
    pub(in crate::technique::chain) nested: bool,
    /// The set of these in [`Desk::from`](super::Desk), without itself if it shares the set of its parent.
    from: u16,
}

/// A rule inside, applied: what it needs, and the chain if it is one.
#[derive(Clone, Debug)]
pub(in crate::technique::chain) struct Applied {
    pub(in crate::technique::chain) rule: Rule,
    pub(in crate::technique::chain) strikes: Vec<Candidate>,
    pub(in crate::technique::chain) parents: Vec<Candidate>,
    pub(in crate::technique::chain) inner: Option<Arc<Brief>>,
}

/// All that one look for a technique finds.
pub(in crate::technique::chain) type Finds = Arc<[Applied]>;

/// One of the finds of a look, in a run.
#[derive(Clone, Debug)]
pub(super) struct Application {
    of: Finds,
    place: usize,
    /// The number of its chain in the run, see [`Inner`].
    inner_number: Option<usize>,
}

impl Application {
    fn applied(&self) -> &Applied {
        &self.of[self.place]
    }
}

/// The words of a set of nodes. A run that has more nodes counts ancestors one by one.
const WORDS: usize = 8;

/// A set of nodes of one run.
pub(in crate::technique::chain) type Nodes = [u64; WORDS];

#[inline(always)]
fn put(nodes: &mut Nodes, number: u16) {
    if let Some(word) = nodes.get_mut(usize::from(number) / 64) {
        *word |= 1 << (number % 64);
    }
}

/// A set of candidates.
pub(in crate::technique::chain) type Known = [u64; CANDIDATES.div_ceil(64)];

/// The candidates that a candidate on puts off: nine bits for its cell, its box, its row and its column. Here they are without
/// the digit in houses.
static SEEN: [[Candidate; 4 * 9]; CELLS] = {
    let mut seen = [[0; 36]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut place = 0;
        while place < 9 {
            seen[cell][place] = candidate(cell, place);
            let mut side = 0;
            while side < 3 {
                let house = HOUSES_OF[cell][side] as usize;
                seen[cell][9 * (side + 1) + place] =
                    candidate(HOUSE_CELLS[house][place] as usize, 0);
                side += 1;
            }
            place += 1;
        }
        cell += 1;
    }
    seen
};

/// The side of each of these bits.
static SIDES_OF: [u8; 4 * 9] = {
    let mut sides = [CELL; 36];
    let mut bit = 9;
    while bit < 36 {
        sides[bit] = bit as u8 / 9 - 1;
        bit += 1;
    }
    sides
};

/// One of the candidates that a candidate on puts off, and why.
#[inline(always)]
pub(super) fn seen_from(from: Candidate, bit: usize) -> (Candidate, u8) {
    let spot = &SPOTS[usize::from(from)];
    let digit = if bit < 9 { 0 } else { u16::from(spot.digit) };
    (SEEN[usize::from(spot.cell)][bit] + digit, SIDES_OF[bit])
}

impl Walk<'_> {
    /// Notes that some candidates are off that a node that is on sees.
    #[inline(always)]
    pub(super) fn note_off(&mut self, seen: u64, from: u16) {
        let parent = self.run.nodes[usize::from(from)];
        if !self.run.inner.is_empty() {
            for bit in simd::ones(seen) {
                let (to, why) = seen_from(parent.candidate, bit);
                self.note(to, false, why, from, 0);
            }
            return;
        }
        // This does what `note` does, with one look at the parent.
        let ancestors = parent.ancestors + 1;
        let desk = &mut *self.desk;
        for bit in simd::ones(seen) {
            let (to, why) = seen_from(parent.candidate, bit);
            let number = self.run.nodes.len() as u16;
            desk.number[0][usize::from(to)] = number;
            desk.table.note(to, false);
            desk.queues[0].push(number);
            self.run.nodes.push(Node {
                candidate: to,
                on: false,
                why,
                parent: from,
                lost: 0,
                ancestors,
                nested: parent.nested,
                from: parent.from,
            });
        }
        self.open += seen.count_ones() * u32::from(ancestors <= self.limit);
    }

    /// Notes a new node.
    #[inline(always)]
    pub(super) fn note(&mut self, candidate: Candidate, on: bool, why: u8, parent: u16, lost: u16) {
        let number = self.append(candidate, on, why, parent, lost);
        self.desk.number[usize::from(on)][usize::from(candidate)] = number;
        self.desk.table.note(candidate, on);
        self.desk.queues[usize::from(on)].push(number);
        let ancestors = self.run.nodes[usize::from(number)].ancestors;
        self.open += u32::from(ancestors <= self.limit);
    }

    /// Adds a node and counts its ancestors.
    #[inline(always)]
    pub(super) fn append(
        &mut self,
        candidate: Candidate,
        on: bool,
        why: u8,
        parent: u16,
        lost: u16,
    ) -> u16 {
        let number = self.run.nodes.len();
        self.note_inner(candidate, why, parent, lost);
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
            let parent = self.run.nodes[usize::from(parent)];
            node.ancestors = parent.ancestors + 1;
            node.nested = parent.nested;
            node.from = parent.from;
            if !on {
                // Most nodes are like this, and need no set of their own.
                self.run.nodes.push(node);
                return number as u16;
            }
        }
        let mut from = [0; WORDS];
        let mut nested = why == RULE && {
            let application = &self.run.applied[usize::from(parent)];
            application.applied().inner.is_some()
        };
        let (run, desk) = (&*self.run, &*self.desk);
        // Parents are known.
        let find = |candidate: Candidate, on| desk.number[usize::from(on)][usize::from(candidate)];
        run.each_parent(&node, find, &mut |number: u16| {
            let parent = self.run.nodes[usize::from(number)];
            for (word, other) in from
                .iter_mut()
                .zip(&self.desk.from[usize::from(parent.from)])
            {
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
        node.from = self.desk.from.len() as u16;
        self.desk.from.push(from);
        self.run.nodes.push(node);
        number as u16
    }
}

/// The most different chains inside a run that [`Inner`] tells apart.
const MOST_INNER: usize = 128;

/// The different chains inside a run, and those that each node follows from.
#[derive(Clone, Debug, Default)]
pub(in crate::technique::chain) struct Inner {
    hints: Vec<Arc<Brief>>,
    lengths: Vec<u32>,
    /// Sets of numbers of these by node, once there is any.
    of: Vec<u128>,
}

impl Inner {
    /// Returns true if the run has no chain inside.
    #[inline(always)]
    fn is_empty(&self) -> bool {
        self.hints.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.hints.clear();
        self.lengths.clear();
        self.of.clear();
    }

    /// The number of a chain, if it is among the first.
    fn number_of(&mut self, hint: &Arc<Brief>, nodes: usize) -> Option<usize> {
        let is_it =
            |known: &Arc<Brief>| Arc::ptr_eq(known, hint) || proof::same_chains(known, hint);
        if let Some(number) = self.hints.iter().position(is_it) {
            self.lengths[number] = self.lengths[number].min(hint.length);
            return Some(number);
        }
        if self.hints.len() == MOST_INNER {
            return None;
        }
        self.of.resize(nodes, 0);
        self.hints.push(Arc::clone(hint));
        self.lengths.push(hint.length);
        Some(self.hints.len() - 1)
    }

    /// The least that the chains inside add to the length of a node.
    pub(in crate::technique::chain) fn length(&self, node: u16) -> u32 {
        let mut set = self.of.get(usize::from(node)).copied().unwrap_or_default();
        let mut length = 0;
        while set != 0 {
            length += self.lengths[set.trailing_zeros() as usize];
            set &= set - 1;
        }
        length
    }
}

impl Walk<'_> {
    /// Notes that one of the finds of a look is applied. Its number.
    pub(super) fn note_applied(&mut self, of: &Finds, place: usize) -> u16 {
        let nodes = self.run.nodes.len();
        let inner = of[place].inner.as_ref();
        let inner_number = inner.and_then(|hint| self.run.inner.number_of(hint, nodes));
        self.run.applied.push(Application {
            of: Arc::clone(of),
            place,
            inner_number,
        });
        self.run.applied.len() as u16 - 1
    }

    /// Notes which chains inside the next node follows from.
    #[inline(always)]
    fn note_inner(&mut self, candidate: Candidate, why: u8, parent: u16, lost: u16) {
        if self.run.inner.is_empty() {
            return;
        }
        let node = Node {
            candidate,
            on: true,
            why,
            parent,
            lost,
            ancestors: 0,
            nested: false,
            from: 0,
        };
        let mut set = 0;
        if why == RULE {
            let number = self.run.applied[usize::from(parent)].inner_number;
            set = number.map_or(0, |number| 1 << number);
        }
        let (run, desk) = (&*self.run, &*self.desk);
        let find = |candidate: Candidate, on| desk.number[usize::from(on)][usize::from(candidate)];
        let of = &run.inner.of;
        run.each_parent(&node, find, &mut |number: u16| {
            set |= of[usize::from(number)]
        });
        self.run.inner.of.push(set);
    }

    /// Forgets which chains inside a node follows from.
    pub(super) fn forget_inner(&mut self, number: u16) {
        if let Some(set) = self.run.inner.of.get_mut(usize::from(number)) {
            *set = 0;
        }
    }
}

impl Run {
    /// Shows the parents of a node in order.
    #[inline(always)]
    fn each_parent(
        &self,
        node: &Node,
        find: impl Fn(Candidate, bool) -> u16,
        see: &mut impl FnMut(u16),
    ) {
        let (cell, digit) = (cell_of(node.candidate), digit_of(node.candidate));
        match node.why {
            START => {}
            RULE => {
                for &parent in &self.applied[usize::from(node.parent)].applied().parents {
                    see(find(parent, false));
                }
            }
            CELL => {
                see(node.parent);
                for digit in bits(node.lost) {
                    see(find(candidate(cell, digit), false));
                }
            }
            side => {
                see(node.parent);
                let house = usize::from(HOUSES_OF[cell][usize::from(side)]);
                for place in bits(node.lost) {
                    see(find(
                        candidate(HOUSE_CELLS[house][place].into(), digit),
                        false,
                    ));
                }
            }
        }
    }

    /// Counts the ancestors of all nodes one by one, where there are too many for the sets.
    pub(in crate::technique::chain) fn recount(&mut self) {
        if self.nodes.len() > 64 * WORDS {
            for number in 0..self.nodes.len() {
                let chain = proof::chain_to(self, number as u16);
                self.nodes[number].ancestors = chain.items.len() as u16;
            }
        }
    }
}

impl Source for Run {
    type Id = u16;

    fn node(&self, id: u16) -> (Candidate, bool, Reason, Option<Arc<Brief>>) {
        let node = self.nodes[usize::from(id)];
        let mut inner = None;
        let reason = match node.why {
            START => Reason::Assumption,
            CELL => Reason::Cell,
            RULE => {
                let applied = self.applied[usize::from(node.parent)].applied();
                inner = applied.inner.clone();
                Reason::Rule(applied.rule)
            }
            side => Reason::House(SIDES[usize::from(side)]),
        };
        (node.candidate, node.on, reason, inner)
    }

    fn parents(&self, id: u16, list: &mut Vec<u16>) {
        let node = &self.nodes[usize::from(id)];
        let find = |candidate, on| self.find(candidate, on);
        self.each_parent(node, find, &mut |parent| list.push(parent));
    }
}
