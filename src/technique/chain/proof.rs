//! The content of a chain: its nodes, and the nodes that each follows from.

use super::{
    Hint, Kind, Search,
    links::{has, set},
    state::{CANDIDATES, Candidate, HOUSES_OF, State, bits, candidate, cell_of, digit_of},
};
use crate::{
    grid::{self, Cell, Digit, HOUSE_CELLS, HouseKind},
    technique::Rating,
};
use std::{fmt, sync::Arc};

/// Why a node follows from its parents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// It follows from nothing: the chain assumes it.
    Assumption,
    /// Off: the cell holds another digit. On: the cell has no other candidate left.
    Cell,
    /// Off: the digit stands elsewhere in this house of the cell. On: it has no other place
    /// left there.
    House(HouseKind),
    /// The rule of a technique strikes it, in the position that the nodes before it leave.
    Rule(Rule),
}

/// A technique inside a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// Pointing or claiming.
    Locking,
    /// A hidden pair.
    HiddenPair,
    /// A naked pair.
    NakedPair,
    /// An X-wing.
    XWing,
    /// Another chain.
    Chain,
}

/// In a word or two, such as `row` or `hidden pair`.
impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Assumption => "assumption",
            Self::Cell => "cell",
            Self::House(kind) => return kind.fmt(f),
            Self::Rule(Rule::Locking) => "locked digit",
            Self::Rule(Rule::HiddenPair) => "hidden pair",
            Self::Rule(Rule::NakedPair) => "naked pair",
            Self::Rule(Rule::XWing) => "X-wing",
            Self::Rule(Rule::Chain) => "chain",
        })
    }
}

/// A step of a chain: a candidate that is *on* (its cell holds the digit) or *off* (it does
/// not).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The cell.
    pub cell: Cell,
    /// The digit.
    pub digit: Digit,
    /// True if the cell holds the digit.
    pub on: bool,
    /// Why: it displays a word or two, such as `row` or `hidden pair`.
    #[doc(hidden)]
    pub reason: Reason,
    /// The nodes that it follows from, as indices into the same chain.
    pub parents: Vec<usize>,
    /// The chain inside, if another chain is the reason.
    pub inner: Option<Arc<Hint>>,
}

impl Node {
    /// Why it follows from its parents, in a word or two: `row`, `hidden pair`.
    pub fn reason(&self) -> String {
        self.reason.to_string()
    }
}

/// A hint as searches keep it. Most are seen inside runs only, and a list of [nodes](Node) with a list of parents each took
/// a sixth of the time of hard ratings.
#[derive(Debug)]
pub(super) struct Brief {
    pub(super) search: Search,
    pub(super) kind: Kind,
    pub(super) rating: Rating,
    pub(super) length: u32,
    pub(super) chains: Vec<Chain>,
    pub(super) strikes: Vec<Candidate>,
    pub(super) place: Option<Candidate>,
}

impl Brief {
    /// The hint with its nodes.
    pub(super) fn hint(&self) -> Hint {
        let strikes = self.strikes.iter().map(|&struck| shown(struck));
        Hint {
            search: self.search,
            kind: self.kind,
            rating: self.rating,
            length: self.length,
            chains: self.chains.iter().map(Chain::nodes).collect(),
            strikes: strikes.collect(),
            place: self.place.map(shown),
        }
    }
}

/// A chain backwards, as [`Hint::chains`] has it.
#[derive(Debug, Default)]
pub(super) struct Chain {
    pub(super) items: Vec<Item>,
    /// The parents of all nodes, one node after the other.
    parents: Vec<u16>,
}

/// A node of a [`Chain`].
#[derive(Debug)]
pub(super) struct Item {
    pub(super) candidate: Candidate,
    pub(super) on: bool,
    pub(super) reason: Reason,
    /// The number of the first of its parents in the list, and how many there are.
    first: u32,
    count: u16,
    pub(super) inner: Option<Arc<Brief>>,
}

impl Item {
    /// Returns true if two nodes say the same, whatever the reason.
    fn says_the_same(&self, other: &Self) -> bool {
        (self.candidate, self.on) == (other.candidate, other.on)
    }
}

impl Chain {
    pub(super) fn with_capacity(nodes: usize) -> Self {
        Self {
            items: Vec::with_capacity(nodes),
            parents: Vec::with_capacity(nodes),
        }
    }

    /// Adds a node without parents.
    pub(super) fn push(
        &mut self,
        (candidate, on): (Candidate, bool),
        reason: Reason,
        inner: Option<Arc<Brief>>,
    ) {
        self.items.push(Item {
            candidate,
            on,
            reason,
            first: 0,
            count: 0,
            inner,
        });
    }

    /// Adds a parent of a node. The parents of one node are added one after the other.
    pub(super) fn add_parent(&mut self, of: u16, parent: u16) {
        let first = self.parents.len() as u32;
        let item = &mut self.items[usize::from(of)];
        if item.count == 0 {
            item.first = first;
        }
        item.count += 1;
        self.parents.push(parent);
    }

    fn nodes(&self) -> Vec<Node> {
        let node = |item: &Item| {
            let parents = &self.parents[item.first as usize..][..usize::from(item.count)];
            Node {
                cell: cell(item.candidate),
                digit: digit(item.candidate),
                on: item.on,
                reason: item.reason,
                parents: parents.iter().map(|&parent| parent.into()).collect(),
                inner: item.inner.as_ref().map(|inner| Arc::new(inner.hint())),
            }
        };
        self.items.iter().map(node).collect()
    }
}

/// A node as a search keeps it.
pub(super) trait Source {
    /// The features of the nodes.
    type Id: Copy;

    /// Its candidate, whether it is on, why, and the chain inside.
    fn node(&self, id: Self::Id) -> (Candidate, bool, Reason, Option<Arc<Brief>>);

    /// Adds its parents to a list.
    fn parents(&self, id: Self::Id, list: &mut Vec<Self::Id>);
}

/// The chain that leads to a target.
///
/// Two nodes of a search may say the same and have other parents. The first that is met
/// stands for both: this is how Sudoku Explainer counts.
pub(super) fn chain_to<S: Source>(source: &S, target: S::Id) -> Chain {
    const NONE: u16 = u16::MAX;
    let mut chain = Chain::with_capacity(32);
    // The nodes to visit generation by generation, and the node of the chain that each is a parent of.
    let mut visit = vec![(target, NONE)];
    let mut parents = Vec::new();
    let mut numbers = [[NONE; CANDIDATES]; 2];
    let mut next = 0;
    while let Some(&(id, child)) = visit.get(next) {
        next += 1;
        let (candidate, on, reason, inner) = source.node(id);
        let number = &mut numbers[usize::from(on)][usize::from(candidate)];
        let is_known = *number != NONE;
        if !is_known {
            *number = chain.items.len() as u16;
            chain.push((candidate, on), reason, inner);
        }
        let number = *number;
        if child != NONE {
            chain.add_parent(child, number);
        }
        if !is_known {
            parents.clear();
            source.parents(id, &mut parents);
            visit.extend(parents.iter().map(|&parent| (parent, number)));
        }
    }
    chain
}

pub(super) fn cell(candidate: Candidate) -> Cell {
    Cell::known(cell_of(candidate))
}

pub(super) fn digit(candidate: Candidate) -> Digit {
    Digit::known(digit_of(candidate))
}

/// The candidate as hints have it.
pub(super) fn shown(candidate: Candidate) -> grid::Candidate {
    grid::Candidate::known(cell_of(candidate), digit_of(candidate))
}

/// Returns true if two hints are the same chains, node by node.
pub(super) fn same_chains(a: &Brief, b: &Brief) -> bool {
    let same = |a: &Chain, b: &Chain| {
        a.items.len() == b.items.len()
            && a.items
                .iter()
                .zip(&b.items)
                .all(|(a, b)| a.says_the_same(b))
    };
    a.chains.len() == b.chains.len() && a.chains.iter().zip(&b.chains).all(|(a, b)| same(a, b))
}

/// The length that the different chains inside some chains add.
pub(super) fn inner_length(chains: &[Chain]) -> u32 {
    let mut met: Vec<&Brief> = Vec::new();
    let items = chains.iter().flat_map(|chain| &chain.items);
    for inner in items.filter_map(|item| item.inner.as_deref()) {
        if !met
            .iter()
            .any(|other| std::ptr::eq(*other, inner) || same_chains(other, inner))
        {
            met.push(inner);
        }
    }
    met.iter().map(|inner| inner.length).sum()
}

/// The facts that a chain inside needs of the chain around it: for each node that is on, what its
/// cell or its house has lost since the start of the chain around.
///
/// The start of a cell chain counts as a node of that cell, the start of a region chain as
/// one of that house. A cycle is walked both ways. Backwards, the nodes that were off are on;
/// Sudoku Explainer looks at them with the reasons that they had while they were off.
pub(super) fn lost_before(hint: &Brief, start: &State, now: &State) -> Vec<Candidate> {
    let mut lost = Vec::new();
    let mut met = [0; CANDIDATES.div_ceil(64)];
    let mut add = |candidate| {
        if !has(&met, candidate) {
            set(&mut met, candidate);
            lost.push(candidate);
        }
    };
    let mut look = |item: &Item| {
        let (cell, digit) = (cell_of(item.candidate), digit_of(item.candidate));
        let reason = match item.reason {
            Reason::Assumption => hint.kind.start_reason(),
            reason => Some(reason),
        };
        match reason {
            Some(Reason::Cell) => {
                for digit in bits(start.cells[cell] & !now.cells[cell]) {
                    add(candidate(cell, digit));
                }
            }
            Some(Reason::House(kind)) => {
                let house = usize::from(HOUSES_OF[cell][side(kind)]);
                for place in bits(start.places[house][digit] & !now.places[house][digit]) {
                    add(candidate(HOUSE_CELLS[house][place].into(), digit));
                }
            }
            _ => {}
        }
    };
    let items = hint.chains.iter().flat_map(|chain| &chain.items);
    items.filter(|item| item.on).for_each(&mut look);
    if hint.kind.is_cycle() {
        let items = hint.chains[0].items.iter().rev();
        items.filter(|item| !item.on).for_each(&mut look);
    }
    lost
}

/// The houses of a cell are kept in this order.
pub(super) const SIDES: [HouseKind; 3] = [HouseKind::Box, HouseKind::Row, HouseKind::Column];

pub(super) fn side(kind: HouseKind) -> usize {
    match kind {
        HouseKind::Box => 0,
        HouseKind::Row => 1,
        HouseKind::Column => 2,
    }
}
