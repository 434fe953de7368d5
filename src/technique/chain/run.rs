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

mod links;
mod nodes;

pub(super) use nodes::{Applied, Known, Node, Nodes};

use super::state::{CANDIDATES, Candidate, State};
use crate::simd::{self, Isa, Kernel, Level};
use nodes::Places;

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

/// A run, and what it found. (Its tables in one place for all runs, and only what is found for
/// each: no gain.)
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// All nodes in the order in which they were noted.
    pub(super) nodes: Vec<Node>,
    /// The nodes by candidate: off, on. Those of candidates that are not known are left from
    /// runs before.
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
        match self.known[usize::from(on)][usize::from(candidate) / 64] >> (candidate % 64) & 1 {
            0 => NONE,
            _ => self.number[usize::from(on)][usize::from(candidate)],
        }
    }

    /// Forgets the last run.
    #[inline(always)]
    fn clear(&mut self) {
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
        simd::run!(isa, || run.follow_with(state, manner, start, limit, rules))
    }
}
