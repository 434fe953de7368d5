//! The content of a chain: its nodes, and the nodes that each follows from.

use super::{
    Hint,
    links::{has, set},
    state::{CANDIDATES, Candidate, HOUSES_OF, State, bits, candidate, cell_of, digit_of},
};
use crate::grid::{self, Cell, Digit, HOUSE_CELLS, HouseKind};
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

    /// Returns true if two nodes say the same, whatever the reason.
    fn says_the_same(&self, other: &Self) -> bool {
        self.cell == other.cell && self.digit == other.digit && self.on == other.on
    }
}

/// A node as a search keeps it.
pub(super) trait Source {
    /// The features of the nodes.
    type Id: Copy;

    /// Its candidate, whether it is on, why, and the chain inside.
    fn node(&self, id: Self::Id) -> (Candidate, bool, Reason, Option<Arc<Hint>>);

    /// Adds its parents to a list.
    fn parents(&self, id: Self::Id, list: &mut Vec<Self::Id>);
}

/// The chain that leads to a target.
///
/// Two nodes of a search may say the same and have other parents. The first that is met
/// stands for both: this is how Sudoku Explainer counts.
pub(super) fn chain_to<S: Source>(source: &S, target: S::Id) -> Vec<Node> {
    let mut chain: Vec<Node> = Vec::new();
    // Each node to visit, and the node of the chain that it is a parent of.
    let mut visit = vec![(target, None)];
    let mut parents = Vec::new();
    let mut met: Vec<(Candidate, bool)> = Vec::new();
    while !visit.is_empty() {
        let mut next = Vec::new();
        for (id, child) in visit {
            let (candidate, on, reason, inner) = source.node(id);
            let known = met.iter().position(|&node| node == (candidate, on));
            if let Some(child) = child {
                let number = known.unwrap_or(chain.len());
                let list = &mut chain[child as usize].parents;
                list.push(number);
            }
            if known.is_some() {
                continue;
            }
            let number = chain.len() as u16;
            met.push((candidate, on));
            chain.push(Node {
                cell: cell(candidate),
                digit: digit(candidate),
                on,
                reason,
                parents: Vec::new(),
                inner,
            });
            parents.clear();
            source.parents(id, &mut parents);
            next.extend(parents.iter().map(|&parent| (parent, Some(number))));
        }
        visit = next;
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
pub(super) fn same_chains(a: &Hint, b: &Hint) -> bool {
    let same = |a: &Vec<Node>, b: &Vec<Node>| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.says_the_same(b))
    };
    a.chains.len() == b.chains.len() && a.chains.iter().zip(&b.chains).all(|(a, b)| same(a, b))
}

/// The length that the different chains inside some chains add.
pub(super) fn inner_length(chains: &[Vec<Node>]) -> u32 {
    let mut met: Vec<&Hint> = Vec::new();
    for inner in chains
        .iter()
        .flatten()
        .filter_map(|node| node.inner.as_deref())
    {
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
pub(super) fn lost_before(hint: &Hint, start: &State, now: &State) -> Vec<Candidate> {
    let mut lost = Vec::new();
    let mut met = [0; CANDIDATES.div_ceil(64)];
    let mut add = |candidate| {
        if !has(&met, candidate) {
            set(&mut met, candidate);
            lost.push(candidate);
        }
    };
    let mut look = |node: &Node| {
        let (cell, digit) = (node.cell.index(), node.digit.index());
        let reason = match node.reason {
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
    let nodes = hint.chains.iter().flatten();
    nodes.filter(|node| node.on).for_each(&mut look);
    if hint.kind.is_cycle() {
        hint.chains[0]
            .iter()
            .rev()
            .filter(|node| !node.on)
            .for_each(&mut look);
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
