//! Chains of steps as JSON.

use crate::technique::{Hint, Node};
use serde_json::{Value, json};

/// The chains of a hint, each from the assumption on. `parents` are the places in the chain of the nodes that a
/// node follows from, and `inner` are the chains inside. `result` adds what they show together.
pub fn chains(hint: &Hint, result: fn(&Hint, &mut Value)) -> Value {
    let nodes = |chain: &Vec<Node>| -> Value {
        let last = chain.len() - 1;
        let node = |node: &Node| {
            let parents: Vec<_> = node.parents.iter().map(|parent| last - parent).collect();
            json!({
                "cell": node.cell.to_string(),
                "digit": node.digit.get(),
                "on": node.on,
                "reason": node.reason(),
                "parents": parents,
                "inner": node.inner.as_ref().map(|inner| chains(inner, result)),
            })
        };
        chain.iter().rev().map(node).collect()
    };
    let mut shown = json!({
        "kind": hint.kind_name(),
        "start": hint.start(),
        "length": hint.length,
        "chains": hint.chains.iter().map(nodes).collect::<Value>(),
    });
    result(hint, &mut shown);
    shown
}
