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
        links::{CELL, Link, Links, Mode, Row, add, and, and_not, each, has, members, set, unset},
        others,
        proof::{Node, Reason, SIDES, cell, digit, shown},
        reach::Net,
        state::Candidate,
        struck::Ways,
        to_strikes,
    },
};
use std::collections::HashSet;

/// A hint that is found: its rank, its mode, its strikes, and its cycle if it is one.
type Ranked = (Rank, Mode, Vec<Candidate>, Option<Cycle>);

impl<const W: usize> Forcing<'_, W> {
    #[inline(always)]
    pub(super) fn all(
        &self,
        chains_count: bool,
        mut take: impl FnMut(&[Candidate], &dyn Fn() -> Hint),
    ) {
        let opposites =
            |mode| Ways::of(self.links.sees_rows(mode), self.links.strong_rows(mode)).opposites();
        // The chains of the other modes have their links among these.
        let [strikes, places] = opposites(Mode::Xy);
        let mut found: Vec<Ranked> = Vec::new();
        let mut has_strikes = [false, opposites(Mode::Y)[0] != [0; W], strikes != [0; W]];
        for (row, sort) in [(strikes, STRIKE), (places, PLACE)] {
            for from in members(row) {
                for mode in [Mode::X, Mode::Xy] {
                    let Some(levels) = Levels::of(&self.links, mode, from, sort == PLACE) else {
                        continue;
                    };
                    has_strikes[0] |= sort == STRIKE && mode == Mode::X;
                    if has(&self.starts, from) {
                        let rank = Rank::new(mode, levels.length(), from, sort);
                        found.push((rank, mode, self.strikes(rank, None), None));
                    }
                }
            }
        }
        // The first chain that strikes each candidate.
        let mut first: Vec<Option<Rank>> = vec![None; self.links.count()];
        for (rank, _, strikes, _) in &found {
            for &strike in strikes {
                let first = &mut first[usize::from(self.links.number[usize::from(strike)])];
                if first.is_none_or(|first| *rank < first) {
                    *first = Some(*rank);
                }
            }
        }
        let mut tree = Tree::new();
        for (mode, has_strikes) in [Mode::X, Mode::Y, Mode::Xy].into_iter().zip(has_strikes) {
            // A cycle strikes nothing that no chain strikes.
            if has_strikes {
                // Chains start in cells with two candidates or more. Others may be struck by cycles alone.
                let has_all = and_not(&strikes, &self.starts) == [0; W];
                let first = (chains_count && has_all).then_some(&*first);
                self.cycles(mode, first, &mut tree, &mut found);
            }
        }
        found.sort_by(|a, b| a.0.partial_cmp(&b.0).expect("difficulties are numbers"));
        let mut met = HashSet::new();
        for (rank, mode, strikes, cycle) in &found {
            if met.insert(strikes) {
                take(strikes, &|| self.hint(*rank, *mode, cycle.as_ref(), true));
            }
        }
    }

    /// Finds the cycles of a mode that strike something before the first chain that strikes it.
    #[inline(always)]
    fn cycles(
        &self,
        mode: Mode,
        first: Option<&[Option<Rank>]>,
        tree: &mut Tree<W>,
        found: &mut Vec<Ranked>,
    ) {
        let comes_before = |rank: Rank, strike: usize| {
            first.is_none_or(|first| first[strike].is_none_or(|first| rank < first))
        };
        let most = match first {
            None => u32::MAX,
            Some(first) => {
                let lengths = (4..=2 * self.links.count() as u32).step_by(2);
                let last = first.iter().flatten().copied();
                let last = last.reduce(|a, b| if a < b { b } else { a });
                let is_first = |&length: &u32| {
                    let rank = Rank::new(mode, length, 0, CYCLE);
                    last.is_some_and(|last| rank < last)
                };
                lengths.take_while(is_first).last().unwrap_or(0)
            }
        };
        if most < 4 {
            return;
        }
        let net = Net::of(&self.links, mode);
        tree.prepare(&net);
        for from in members(and(&net.ends, &self.starts)) {
            // Bit 0 says nothing.
            if tree.closed(&net, from, most) == 1 {
                continue;
            }
            tree.cycles(&self.links, &net, from, most, |length, path| {
                let rank = Rank::new(mode, length, from, CYCLE);
                let mut is_new = false;
                each(&path.strikes(&self.links), |strike| {
                    is_new |= comes_before(rank, strike);
                });
                if is_new {
                    let cycle = path.cycle();
                    let strikes = self.strikes(rank, Some(&cycle));
                    found.push((rank, mode, strikes, Some(cycle)));
                }
                most
            });
        }
    }

    /// A hint, with its nodes if they are wanted.
    pub(super) fn hint(&self, rank: Rank, mode: Mode, cycle: Option<&Cycle>, nodes: bool) -> Hint {
        let is_placed = rank.sort == PLACE;
        let chain = || match cycle {
            Some(list) => self.chain(rank.from, true, list, true),
            None => {
                let levels = Levels::of(&self.links, mode, rank.from, is_placed);
                let list = levels.expect("the way is there").first(&self.links, mode);
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

    /// What a hint strikes: a chain strikes the candidate from which it starts, or all others where it places that.
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

/// What a cycle strikes, from its list.
fn cycle_strikes<const W: usize>(links: &Links<'_, W>, list: &[Link]) -> Row<W> {
    let (mut on, mut off, mut own) = ([0; W], [0; W], [0; W]);
    for (n, link) in list.iter().enumerate() {
        let side = if n % 2 == 0 { &mut off } else { &mut on };
        add(side, &links.same_digit[usize::from(link.to)]);
        add(&mut own, links.same_cell(link.to));
    }
    std::array::from_fn(|w| on[w] & off[w] & !own[w])
}

/// The shortest ways from a candidate to its opposite, level by level: what is off and on in turn.
struct Levels<const W: usize> {
    from: u16,
    to_on: bool,
    /// What is reached first at each level, from the candidate itself on. The last level has its opposite.
    levels: Vec<Row<W>>,
}

impl<const W: usize> Levels<W> {
    #[inline(always)]
    fn of(links: &Links<'_, W>, mode: Mode, from: u16, to_on: bool) -> Option<Self> {
        let (sees, strong) = (links.sees_rows(mode), links.strong_rows(mode));
        let mut level = [0; W];
        set(&mut level, from);
        let mut levels = Vec::with_capacity(32);
        let mut met = [[0; W]; 2];
        let mut on = !to_on;
        loop {
            add(&mut met[usize::from(on)], &level);
            levels.push(level);
            let links = if on { sees } else { strong };
            let mut next = [0; W];
            each(&level, |n| add(&mut next, &links[n]));
            on = !on;
            level = and_not(&next, &met[usize::from(on)]);
            if on == to_on && has(&level, from) {
                let mut last = [0; W];
                set(&mut last, from);
                levels.push(last);
                return Some(Self {
                    from,
                    to_on,
                    levels,
                });
            }
            if level == [0; W] {
                return None;
            }
        }
    }

    /// The number of nodes of a shortest way.
    fn length(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The first shortest way in the order of Sudoku Explainer: breadth first, each node once.
    ///
    /// Nodes that are on no shortest way do not change it: the node before one that is on a shortest way is on one too.
    fn first(mut self, links: &Links<'_, W>, mode: Mode) -> Vec<Link> {
        let (sees, strong) = (links.sees_rows(mode), links.strong_rows(mode));
        let last = self.levels.len() - 1;
        // Links lead both ways.
        for n in (1..last).rev() {
            let is_on = (last - n).is_multiple_of(2) == self.to_on;
            let back = if is_on { sees } else { strong };
            let mut before = [0; W];
            each(&self.levels[n + 1], |to| add(&mut before, &back[to]));
            self.levels[n] = and(&self.levels[n], &before);
        }
        // The nodes of all levels: the link to each, and the node before.
        let none = Link {
            to: self.from,
            side: CELL,
        };
        let mut nodes: Vec<(Link, usize)> = vec![(none, 0)];
        let mut level = 0..1;
        for n in 0..last {
            let is_on = (last - n).is_multiple_of(2) == self.to_on;
            let left = &mut self.levels[n + 1];
            let begin = nodes.len();
            for at in level {
                let from = nodes[at].0.to;
                let within = *left;
                let mut see = |link: Link| {
                    if has(left, link.to) {
                        unset(left, link.to);
                        nodes.push((link, at));
                    }
                    true
                };
                if is_on {
                    links.weak(mode, from, &within, see);
                } else {
                    for link in links.strong(mode, from) {
                        see(link);
                    }
                }
            }
            level = begin..nodes.len();
        }
        let mut at = nodes.len() - 1;
        let mut path = Vec::with_capacity(last);
        while at != 0 {
            let (link, before) = nodes[at];
            path.push(link);
            at = before;
        }
        path.reverse();
        path
    }
}
