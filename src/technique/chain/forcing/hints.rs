//! All cycles and forcing chains of a position in order, and the nodes of one.

use super::{
    Forcing,
    rank::{CYCLE, PLACE, Rank, STRIKE, base, kind},
};
use crate::technique::{
    Rating,
    chain::{
        Hint, Search,
        cycles::{Cycle, Tree},
        length,
        links::{CELL, Link, Links, Mode, Row, add, and, and_not, members},
        others,
        proof::{Node, Reason, SIDES, cell, digit, shown},
        reach::{Net, Shortest},
        state::Candidate,
        to_strikes,
    },
};
use std::collections::HashSet;

/// A hint that is found: its rank, its mode, its strikes, and its cycle if it is one.
type Ranked = (Rank, Mode, Vec<Candidate>, Option<Cycle>);

impl<const W: usize> Forcing<'_, W> {
    pub(super) fn all(&self, mut take: impl FnMut(&[Candidate], &dyn Fn() -> Hint)) {
        let mut tree = Tree::new();
        let last = self.found(Mode::Xy, &mut tree);
        // The chains of the other modes have their links among these. Four of five positions of runs inside end here.
        if last.is_empty() {
            return;
        }
        let mut found = self.found(Mode::X, &mut tree);
        found.extend(self.found(Mode::Y, &mut tree));
        found.extend(last);
        found.sort_by(|a, b| a.0.partial_cmp(&b.0).expect("difficulties are numbers"));
        let mut met = HashSet::new();
        for (rank, mode, strikes, cycle) in &found {
            if met.insert(strikes) {
                take(strikes, &|| self.hint(*rank, *mode, cycle.as_ref(), true));
            }
        }
    }

    /// All that one mode finds: chains, the shortest first, then cycles.
    fn found(&self, mode: Mode, tree: &mut Tree<W>) -> Vec<Ranked> {
        let mut found = Vec::new();
        let net = Net::of(&self.links, mode);
        let (mut struck, mut placed) = ([0; W], [0; W]);
        let mut shortest = Shortest::new(&net, &[u64::MAX; W]);
        let mut any = [0; W];
        while shortest.advance(&net) {
            add(&mut any, &shortest.strikes);
            if mode == Mode::Y {
                continue;
            }
            let strikes = and_not(&and(&shortest.strikes, &self.starts), &struck);
            let places = and_not(&and(&shortest.places, &self.starts), &placed);
            add(&mut struck, &strikes);
            add(&mut placed, &places);
            for (row, sort) in [(strikes, STRIKE), (places, PLACE)] {
                for from in members(row) {
                    let rank = Rank::new(mode, shortest.length.into(), from, sort);
                    found.push((rank, mode, self.strikes(rank, None), None));
                }
            }
        }
        // A cycle strikes nothing that no chain strikes.
        if any == [0; W] {
            return found;
        }
        tree.prepare(&net);
        for from in members(and(&net.ends, &self.starts)) {
            tree.cycles(&self.links, &net, from, u32::MAX, |length, path| {
                if path.strikes(&self.links) != [0; W] {
                    let rank = Rank::new(mode, length, from, CYCLE);
                    let cycle = path.cycle();
                    let strikes = self.strikes(rank, Some(&cycle));
                    found.push((rank, mode, strikes, Some(cycle)));
                }
                u32::MAX
            });
        }
        found
    }

    /// A hint, with its nodes if they are wanted.
    pub(super) fn hint(&self, rank: Rank, mode: Mode, cycle: Option<&Cycle>, nodes: bool) -> Hint {
        let is_placed = rank.sort == PLACE;
        let chain = || match cycle {
            Some(list) => self.chain(rank.from, true, list, true),
            None => {
                let list = shortest_path(&self.links, mode, rank.from, is_placed);
                self.chain(rank.from, !is_placed, &list, false)
            }
        };
        let length = length::tenths(rank.length);
        Hint {
            search: Search::Forcing,
            kind: kind(mode, rank.sort),
            rating: Rating::from_tenths(base(mode, rank.sort) + length),
            length: rank.length,
            chains: if nodes { vec![chain()] } else { Vec::new() },
            strikes: to_strikes(&self.strikes(rank, cycle)),
            place: is_placed.then(|| shown(self.candidate(rank.from))),
        }
    }

    fn candidate(&self, number: u16) -> Candidate {
        self.links.candidates[usize::from(number)]
    }

    /// The strikes of a hint: a chain strikes the candidate from which it starts, or all others where it places that.
    fn strikes(&self, rank: Rank, cycle: Option<&Cycle>) -> Vec<Candidate> {
        match cycle {
            Some(cycle) => {
                let strikes = members(cycle_strikes(&self.links, cycle));
                strikes.map(|number| self.candidate(number)).collect()
            }
            None if rank.sort == PLACE => others(self.state, self.candidate(rank.from)),
            None => vec![self.candidate(rank.from)],
        }
    }

    /// The nodes of a list of links from a candidate, the last first. A cycle ends at its
    /// start.
    fn chain(&self, from: u16, on: bool, list: &[Link], closed: bool) -> Vec<Node> {
        let node = |number: u16, on, reason, parents| {
            let candidate = self.candidate(number);
            Node {
                cell: cell(candidate),
                digit: digit(candidate),
                on,
                reason,
                parents,
                inner: None,
            }
        };
        let mut chain = Vec::with_capacity(list.len() + 1);
        for (n, link) in list.iter().enumerate().rev() {
            let reason = match link.side {
                CELL => Reason::Cell,
                side => Reason::House(SIDES[usize::from(side)]),
            };
            let parent = if closed && n == 0 { 0 } else { chain.len() + 1 };
            chain.push(node(link.to, on == (n % 2 == 1), reason, vec![parent]));
        }
        if !closed {
            chain.push(node(from, on, Reason::Assumption, Vec::new()));
        }
        chain
    }
}

/// The strikes of a cycle, from its list.
fn cycle_strikes<const W: usize>(links: &Links<'_, W>, list: &[Link]) -> Row<W> {
    let (mut on, mut off, mut own) = ([0; W], [0; W], [0; W]);
    for (n, link) in list.iter().enumerate() {
        let side = if n % 2 == 0 { &mut off } else { &mut on };
        add(side, &links.same_digit[usize::from(link.to)]);
        add(&mut own, links.same_cell(link.to));
    }
    std::array::from_fn(|w| on[w] & off[w] & !own[w])
}

/// The shortest way from a candidate to its opposite, in the order of Sudoku Explainer:
/// breadth first, each node once.
fn shortest_path<const W: usize>(
    links: &Links<'_, W>,
    mode: Mode,
    from: u16,
    to_on: bool,
) -> Vec<Link> {
    // For each node met, the link to it and the node before.
    let mut nodes: Vec<(Link, bool, usize)> = vec![(
        Link {
            to: from,
            side: CELL,
        },
        !to_on,
        usize::MAX,
    )];
    let mut met = [vec![false; links.count()], vec![false; links.count()]];
    met[usize::from(!to_on)][usize::from(from)] = true;
    let mut next = 0;
    loop {
        let (here, on, _) = nodes[next];
        let mut steps = Vec::new();
        if on {
            links.weak(mode, here.to, &[u64::MAX; W], |step| {
                steps.push(step);
                true
            });
        } else {
            steps.extend(links.strong(mode, here.to));
        }
        for step in steps {
            if step.to == from && on != to_on {
                let mut path = vec![step];
                let mut at = next;
                while at != 0 {
                    path.push(nodes[at].0);
                    at = nodes[at].2;
                }
                path.reverse();
                return path;
            }
            let met = &mut met[usize::from(!on)][usize::from(step.to)];
            if !*met {
                *met = true;
                nodes.push((step, !on, next));
            }
        }
        next += 1;
    }
}
