//! Cycles and forcing chains as steps: what [`chain`](super::chain) finds, as a technique with
//! words.

use super::{
    Detail, Step, Technique,
    chain::{self, Hint, Kind, Reason, Rule, Search, Work},
    position::{Found, View},
    words::list,
};
use crate::grid::{Cell, Digits};
use std::ops::ControlFlow;

/// X-cycles, Y-cycles and XY-cycles, X-chains and XY-chains: the best of them.
pub(super) fn find_forcing(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    find(Search::Forcing, view, found)
}

pub(super) fn find_nishio(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    find(Search::Nishio, view, found)
}

pub(super) fn find_multiple(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    find(Search::Multiple, view, found)
}

pub(super) fn find_dynamic(view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    find(Search::Dynamic, view, found)
}

pub(super) fn find_nested<const LEVEL: u8>(
    view: &View<'_>,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    find(Search::Nested(LEVEL), view, found)
}

fn find(search: Search, view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
    let state = view.state();
    let solution = view.known().solution;
    let hint = |work: &mut Work| chain::find_knowing(search, &state, solution, work);
    match view.search(hint)? {
        Some(hint) => found(step(hint)),
        None => ControlFlow::Continue(()),
    }
}

const fn technique(search: Search, kind: Kind) -> Technique {
    match (search, kind) {
        (Search::Forcing, Kind::XCycle) => Technique::XCycle,
        (Search::Forcing, Kind::YCycle) => Technique::YCycle,
        (Search::Forcing, Kind::XyCycle) => Technique::XyCycle,
        (Search::Forcing, Kind::XChain) => Technique::XChain,
        (Search::Forcing, _) => Technique::XyChain,
        (Search::Nishio, _) => Technique::Nishio,
        (Search::Multiple, Kind::Cell(_)) => Technique::CellChains,
        (Search::Multiple, _) => Technique::HouseChains,
        (Search::Dynamic, _) => Technique::DynamicChains,
        (Search::Nested(..=1), _) => Technique::DynamicPlus,
        (Search::Nested(2), _) => Technique::Nested2,
        (Search::Nested(3), _) => Technique::Nested3,
        (Search::Nested(4), _) => Technique::Nested4,
        (Search::Nested(_), _) => Technique::Nested5,
    }
}

fn step(hint: Hint) -> Step {
    // Each cell once, in the order of the chains from their starts.
    let nodes = hint.chains.iter().flat_map(|chain| chain.iter().rev());
    let mut cells: Vec<Cell> = Vec::new();
    for node in nodes.clone() {
        if !cells.contains(&node.cell) {
            cells.push(node.cell);
        }
    }
    let digits: Digits = nodes.map(|node| node.digit).collect();
    Step {
        technique: technique(hint.search, hint.kind),
        houses: match hint.kind {
            Kind::Region(house, _) => vec![house],
            _ => Vec::new(),
        },
        cells,
        digits,
        place: hint.place,
        strikes: hint.strikes.clone(),
        detail: Some(Box::new(Detail::Chain(hint))),
    }
}

/// `r1c1 is 5` or `r1c1 is not 5`.
fn told(node: &chain::Node) -> String {
    let not = if node.on { "" } else { "not " };
    format!("{} is {not}{}", node.cell, node.digit)
}

/// `If r1c1 is not 5, then r1c4 is 5, then …`: a chain from its assumption on.
fn chain_words(nodes: &[chain::Node]) -> String {
    let (mut assumed, mut derived): (Vec<_>, Vec<_>) = nodes
        .iter()
        .rev()
        .partition(|node| node.reason == Reason::Assumption);
    if assumed.is_empty() {
        // A cycle begins anywhere and comes back there.
        let first = derived[0];
        assumed.push(derived.remove(0));
        derived.push(first);
    }
    let assumed = list(assumed.into_iter().map(told));
    let then: Vec<String> = derived
        .iter()
        .map(|node| {
            let rule = match node.reason {
                Reason::Rule(Rule::Locking) => " (a locked digit)",
                Reason::Rule(Rule::HiddenPair) => " (a hidden pair)",
                Reason::Rule(Rule::NakedPair) => " (a naked pair)",
                Reason::Rule(Rule::XWing) => " (an X-wing)",
                Reason::Rule(Rule::Chain) => " (another chain)",
                _ => "",
            };
            format!(", then {}{rule}", told(node))
        })
        .collect();
    format!("If {assumed}{}.", then.concat())
}

pub(super) fn words(step: &Step, hint: &Hint) -> String {
    let chains: Vec<String> = hint.chains.iter().map(|chain| chain_words(chain)).collect();
    let chains = chains.join(" ");
    let why = match hint.kind {
        Kind::XCycle | Kind::YCycle | Kind::XyCycle => {
            "Either way around, one of each two neighbours is right."
        }
        Kind::XChain | Kind::XyChain => "So the assumption contradicts itself.",
        Kind::Contradiction => "Both cannot be, so the assumption is wrong.",
        Kind::Double => "Either way, the end is the same.",
        Kind::Cell(_) => "Whatever the cell is, the end is the same.",
        Kind::Region(..) => "Wherever the digit stands in the house, the end is the same.",
    };
    let so = match step.place {
        Some(place) => format!("So {} is {}.", place.cell, place.digit),
        None => super::words::strikes(step),
    };
    format!("{chains} {why} {so}")
}
