//! Cycles and forcing chains as steps: what [`chain`](super::chain) finds, as a technique with
//! words.

use super::{
    Detail, Step, Technique,
    chain::{self, Hint, Kind, Reason, Rule, Search, Work},
    position::{Found, View},
    words::list,
};
use crate::grid::{Cell, Digits};
use std::{collections::HashSet, ops::ControlFlow, sync::Arc};

/// The best step of a search for chains.
pub(super) fn find(search: Search, view: &View<'_>, found: &mut Found<'_>) -> ControlFlow<()> {
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

/// `If r1c1 is not 5, then r1c4 is 5, then …`: a chain from its assumption on. `inner` names the chains inside
/// it, if they are shown.
fn chain_words(nodes: &[chain::Node], inner: &[Arc<Hint>]) -> String {
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
            let is_it = |other: &Arc<Hint>| node.inner.as_ref().is_some_and(|hint| hint == other);
            let number = inner.iter().position(is_it);
            let rule = match (node.reason, number) {
                (Reason::Rule(Rule::Locking), _) => " (a locked digit)".into(),
                (Reason::Rule(Rule::HiddenPair), _) => " (a hidden pair)".into(),
                (Reason::Rule(Rule::NakedPair), _) => " (a naked pair)".into(),
                (Reason::Rule(Rule::XWing), _) => " (an X-wing)".into(),
                (Reason::Rule(Rule::Chain), None) => " (another chain)".into(),
                (Reason::Rule(Rule::Chain), Some(number)) => format!(" (chain {})", number + 1),
                _ => String::new(),
            };
            format!(", then {}{rule}", told(node))
        })
        .collect();
    format!("If {assumed}{}.", then.concat())
}

pub(super) fn words(step: &Step, hint: &Hint) -> String {
    let chains: Vec<String> = hint
        .chains
        .iter()
        .map(|chain| chain_words(chain, &[]))
        .collect();
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
    format!("{chains} {why} {}", so(step))
}

/// The result of a step.
fn so(step: &Step) -> String {
    match step.place {
        Some(place) => format!("So {} is {}.", place.cell, place.digit),
        None => super::words::strikes(step),
    }
}

/// The step in lines: what its chains show and do, and below it a line for each chain. A chain inside a chain
/// follows the line that names its number, two spaces further in, with its own chains below it.
pub(super) fn lines(step: &Step, hint: &Hint) -> Vec<String> {
    let mut lines = vec![format!("{} {}", shown(hint), so(step))];
    add_chains(hint, 1, &mut lines);
    lines
}

/// The conclusions of the chains of a hint, without the way to them.
fn shown(hint: &Hint) -> String {
    // A chain is listed from its end.
    let (first, last) = (&hint.chains[0], hint.chains.last().expect("there is one"));
    let ends = |nodes: &[chain::Node]| {
        let assumed = nodes
            .iter()
            .rev()
            .filter(|node| node.reason == Reason::Assumption);
        (list(assumed.map(told)), told(&nodes[0]))
    };
    let ((start, end), (_, other)) = (ends(first), ends(last));
    match hint.kind {
        Kind::XCycle | Kind::YCycle | Kind::XyCycle => {
            let cells = first
                .iter()
                .map(|node| node.cell)
                .collect::<HashSet<_>>()
                .len();
            format!("In a cycle of {cells} cells, one of each two neighbours is right.")
        }
        Kind::XChain | Kind::XyChain => format!("If {start}, then {end}: that contradicts itself."),
        Kind::Contradiction => format!("If {start}, then {end} and {other}: both cannot be."),
        Kind::Double => format!("Whether {start} or not, {end}."),
        Kind::Cell(cell) => format!("Whatever {cell} is, {end}."),
        Kind::Region(house, digit) => format!("Wherever {digit} stands in {house}, {end}."),
    }
}

/// Adds a line for each chain of a hint, and the chains inside of it.
fn add_chains(hint: &Hint, depth: usize, lines: &mut Vec<String>) {
    let indent = "  ".repeat(depth);
    for chain in &hint.chains {
        let mut inner: Vec<Arc<Hint>> = Vec::new();
        for hint in chain.iter().rev().filter_map(|node| node.inner.as_ref()) {
            if !inner.contains(hint) {
                inner.push(Arc::clone(hint));
            }
        }
        lines.push(format!("{indent}{}", chain_words(chain, &inner)));
        for (number, hint) in (1..).zip(&inner) {
            lines.push(format!("{indent}  Chain {number}: {}", shown(hint)));
            add_chains(hint, depth + 2, lines);
        }
    }
}
