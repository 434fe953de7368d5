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
mod places;

use nodes::{Application, Inner};
pub(super) use nodes::{Applied, Finds, Known, Node};

use super::{
    Search,
    state::{CANDIDATES, Candidate, State},
};
use crate::simd;
use nodes::Nodes;
use places::Table;

/// No node.
pub(super) const NONE: u16 = u16::MAX;

/// The number of a cell among the sides of a cell: its three houses are 0 to 2.
const CELL: u8 = 3;
const START: u8 = 4;
const RULE: u8 = 5;

/// How a run goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Manner {
    /// True if links inside cells count.
    pub(super) cells: bool,
    /// True if nodes that are off are struck.
    pub(super) strikes: bool,
}

/// The findings of a run. (With the tables that it needs only while it goes on, magictour took 1.06 times
/// as long: hundreds of runs are kept at a time, and the processor's cache is small.)
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// All nodes in the order in which they were noted.
    pub(super) nodes: Vec<Node>,
    /// The candidates that are off, and those that are on, as sets.
    pub(super) known: [Known; 2],
    /// The node that is on and the one that is off that contradict each other.
    pub(super) contradiction: Option<[u16; 2]>,
    applied: Vec<Application>,
    pub(super) inner: Inner,
}

/// The tables of a run while it goes on.
#[derive(Clone, Debug)]
pub(super) struct Desk {
    /// The nodes by candidate: off, on. Those of candidates that are not known are left from
    /// runs before.
    number: [[u16; CANDIDATES]; 2],
    /// The sets of the run, and those at its start.
    table: Table,
    start: Table,
    /// Sets of nodes that a node follows from.
    from: Vec<Nodes>,
    queues: [Vec<u16>; 2],
}

impl Desk {
    pub(super) fn new() -> Self {
        Self {
            number: [[NONE; CANDIDATES]; 2],
            table: Table::NONE,
            start: Table::NONE,
            from: Vec::new(),
            queues: [Vec::new(), Vec::new()],
        }
    }

    /// Forgets the last run, before one in a position.
    #[inline(always)]
    fn clear(&mut self, state: &State) {
        // Many runs begin in one position.
        if !self.start.is_of(state) {
            self.start = Table::of(state);
        }
        self.table.clone_from(&self.start);
        self.from.clear();
        self.queues[0].clear();
        self.queues[1].clear();
    }
}

impl Run {
    pub(super) fn new() -> Self {
        Self {
            nodes: Vec::new(),
            known: [[0; _]; 2],
            contradiction: None,
            applied: Vec::new(),
            inner: Inner::default(),
        }
    }

    /// Returns true if a candidate is known to be on or off.
    #[inline(always)]
    fn knows(&self, candidate: Candidate, on: bool) -> bool {
        self.known[usize::from(on)][usize::from(candidate) / 64] >> (candidate % 64) & 1 != 0
    }

    /// The number of nodes that the run knows. The node that contradicts another is not among them.
    pub(super) fn noted(&self) -> usize {
        self.nodes.len() - usize::from(self.contradiction.is_some())
    }

    /// The node of a candidate that is on or off, or [`NONE`].
    pub(super) fn find(&self, candidate: Candidate, on: bool) -> u16 {
        if !self.knows(candidate, on) {
            return NONE;
        }
        let mut nodes = self.nodes.iter();
        let number = nodes.position(|node| (node.candidate, node.on) == (candidate, on));
        number.map_or(NONE, |number| number as u16)
    }

    /// Notes all that is known as sets.
    fn note_known(&mut self) {
        let known = self.nodes.len() - usize::from(self.contradiction.is_some());
        for node in &self.nodes[..known] {
            let known = &mut self.known[usize::from(node.on)];
            known[usize::from(node.candidate) / 64] |= 1 << (node.candidate % 64);
        }
    }

    /// Forgets the last run.
    #[inline(always)]
    fn clear(&mut self) {
        self.known = [[0; _]; 2];
        self.nodes.clear();
        self.applied.clear();
        self.inner.clear();
        self.contradiction = None;
    }

    /// Follows a candidate that is on or off.
    ///
    /// A node with more ancestors than `limit` is followed only as long as others with fewer
    /// wait: the run ends when none is left. What it has noted then is what it would have
    /// noted first.
    ///
    /// `rules` looks for rules in a position where nothing follows any more: it takes the
    /// position at the start and the present one, and finds something or nothing. An error of it ends the run.
    ///
    /// `end` has a length and the last technique that is tried inside: the run ends when that leads only to
    /// nodes of this length and more. No other technique leads on then, so all that comes later follows from
    /// these.
    #[expect(clippy::too_many_arguments, reason = "all of them vary")]
    pub(super) fn follow<E>(
        &mut self,
        desk: &mut Desk,
        state: &State,
        manner: Manner,
        start: (Candidate, bool),
        limit: u16,
        end: Option<(u32, Search)>,
        rules: impl FnMut(&State, &State) -> Result<Option<Finds>, E>,
    ) -> Result<(), E> {
        self.clear();
        desk.clear(state);
        let walk = Walk {
            run: self,
            desk,
            open: 0,
            limit,
            end,
        };
        // Counts of bits are most of it.
        let followed = simd::with_words!(|| walk.follow(state, manner, start, rules));
        self.note_known();
        followed
    }
}

/// A run that goes on.
struct Walk<'a> {
    run: &'a mut Run,
    desk: &'a mut Desk,
    /// The number of nodes in the queues that have no more ancestors than the limit.
    open: u32,
    limit: u16,
    end: Option<(u32, Search)>,
}

impl Walk<'_> {
    #[inline(always)]
    fn find(&self, candidate: Candidate, on: bool) -> u16 {
        if self.desk.table.knows(candidate, on) {
            self.desk.number[usize::from(on)][usize::from(candidate)]
        } else {
            NONE
        }
    }

    #[inline(always)]
    fn follow<E>(
        mut self,
        state: &State,
        manner: Manner,
        start: (Candidate, bool),
        mut rules: impl FnMut(&State, &State) -> Result<Option<Finds>, E>,
    ) -> Result<(), E> {
        let limit = self.limit;
        self.note(start.0, start.1, START, 0, 0);
        let (mut on, mut off) = (0, 0);
        // A limit may end the run earlier.
        while self.open > 0 || limit == u16::MAX {
            if let Some(&node) = self.desk.queues[1].get(on) {
                on += 1;
                self.open -= u32::from(self.run.nodes[usize::from(node)].ancestors <= limit);
                if self.put_off(manner, node) {
                    return Ok(());
                }
            } else if let Some(&node) = self.desk.queues[0].get(off) {
                off += 1;
                self.open -= u32::from(self.run.nodes[usize::from(node)].ancestors <= limit);
                if self.put_on(manner, node) {
                    return Ok(());
                }
            } else {
                let now = self.desk.table.now(state);
                let Some(finds) = rules(state, &now)? else {
                    return Ok(());
                };
                let chain = finds.first().and_then(|applied| applied.inner.as_ref());
                let search = chain.map(|hint| hint.search);
                let before = self.run.nodes.len();
                if !self.apply(&finds) {
                    return Ok(());
                }
                if let Some((length, last)) = self.end
                    && search == Some(last)
                    && self.least_length(before) >= length
                {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The least length of the nodes from a number on.
    fn least_length(&self, first: usize) -> u32 {
        let nodes = (first..).zip(&self.run.nodes[first..]);
        let lengths = nodes
            .map(|(number, node)| u32::from(node.ancestors) + self.run.inner.length(number as u16));
        lengths.min().unwrap_or(u32::MAX)
    }

    /// Notes what rules inside strike. Whether any of it is new.
    fn apply(&mut self, finds: &Finds) -> bool {
        let before = self.run.nodes.len();
        for (place, applied) in finds.iter().enumerate() {
            let number = self.note_applied(finds, place);
            for &strike in &applied.strikes {
                if self.find(strike, false) == NONE {
                    self.note(strike, false, RULE, number, 0);
                }
            }
        }
        self.run.nodes.len() > before
    }
}
