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
        links::{
            CELL, Link, Links, Mode, Row, add, and, and_not, each, has, meet, members, set, unset,
        },
        others,
        proof::{Node, Reason, SIDES, cell, digit, shown},
        reach::Net,
        state::Candidate,
        struck::Ways,
        to_strikes,
    },
};
use std::{collections::HashSet, ops::RangeInclusive};

/// The modes in the order in which they are tried.
const MODES: [Mode; 3] = [Mode::X, Mode::Y, Mode::Xy];

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
        let [in_cells, _] = opposites(Mode::Y);
        let mut found: Vec<Ranked> = Vec::new();
        // The lengths of the shortest chains that strike each candidate, by mode.
        let mut lengths: Vec<(u16, [u32; 3])> = Vec::new();
        for (row, sort) in [(strikes, STRIKE), (places, PLACE)] {
            for from in members(row) {
                let mut of_modes = [0; 3];
                for (mode, length) in MODES.into_iter().zip(&mut of_modes) {
                    if mode == Mode::Y && (sort == PLACE || !has(&in_cells, from)) {
                        continue;
                    }
                    let Some(levels) = Levels::of(&self.links, mode, from, sort == PLACE) else {
                        continue;
                    };
                    *length = levels.length();
                    if has(&self.starts, from) && mode != Mode::Y {
                        let rank = Rank::new(mode, *length, from, sort);
                        found.push((rank, mode, self.strikes(rank, None), None));
                    }
                }
                if sort == STRIKE {
                    lengths.push((from, of_modes));
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
        for (n, mode) in MODES.into_iter().enumerate() {
            let of_mode = lengths
                .iter()
                .map(|&(strike, lengths)| (strike, lengths[n]));
            // For each candidate that a cycle may strike, the lengths that are worth it.
            let mut open: Vec<_> = of_mode
                .filter(|&(_, length)| length != 0)
                .map(|(strike, length)| {
                    let chain = first[usize::from(strike)].filter(|_| chains_count);
                    (strike, cycle_lengths(mode, length, chain))
                })
                .collect();
            let mut rings = Rings::of(&self.links, mode);
            open.retain(|(strike, lengths)| {
                !lengths.is_empty() && rings.may_strike(*strike, *lengths.end())
            });
            if !open.is_empty() {
                self.cycles(mode, open, chains_count, &mut tree, &mut found);
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

    /// Finds the cycles of a mode that strike something at a length that is worth it.
    ///
    /// If all of them count, another one from a later start is only worth it if it is shorter.
    #[inline(always)]
    fn cycles(
        &self,
        mode: Mode,
        mut open: Vec<(u16, RangeInclusive<u32>)>,
        all_count: bool,
        tree: &mut Tree<W>,
        found: &mut Vec<Ranked>,
    ) {
        let net = Net::of(&self.links, mode);
        tree.prepare(&net);
        for from in members(and(&net.ends, &self.starts)) {
            let (mut strikes, mut most, mut bits) = ([0; W], 0, 0);
            for (strike, lengths) in &open {
                set(&mut strikes, *strike);
                most = most.max(*lengths.end());
                let [first, last] = [lengths.start(), lengths.end()].map(|n| (n / 2).min(63));
                bits |= u64::MAX >> (63 - last) & u64::MAX << first;
            }
            if tree.closed(&net, from, most) & bits == 0 {
                continue;
            }
            let before = found.len();
            tree.cycles(&self.links, &net, from, most, |length, path| {
                let struck = path.strikes(&self.links);
                let is_new = |(strike, lengths): &(u16, RangeInclusive<u32>)| {
                    has(&struck, *strike) && lengths.contains(&length)
                };
                if meet(&struck, &strikes) && open.iter().any(is_new) {
                    let rank = Rank::new(mode, length, from, CYCLE);
                    let cycle = path.cycle();
                    let strikes = self.strikes(rank, Some(&cycle));
                    found.push((rank, mode, strikes, Some(cycle)));
                }
                most
            });
            for (rank, _, strikes, _) in found[before..].iter().filter(|_| all_count) {
                for strike in strikes {
                    let number = self.links.number[usize::from(*strike)];
                    for (_, lengths) in open.iter_mut().filter(|(strike, _)| *strike == number) {
                        let end = (rank.length - 2).min(*lengths.end());
                        *lengths = *lengths.start()..=end;
                    }
                }
            }
            open.retain(|(_, lengths)| !lengths.is_empty());
            if open.is_empty() {
                return;
            }
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

/// The candidates that cycles of a mode may strike, by the shortest closed ways.
///
/// A cycle that strikes s has a node x that is on and a node y that is off, both of the digit of s and seen by s. Its links
/// lead from x on to y off, and from y off to x on; backwards, these lead from x off to y on.
struct Rings<'a, const W: usize> {
    links: &'a Links<'a, W>,
    sees: &'a [Row<W>],
    strong: &'a [Row<W>],
    /// For each candidate that was asked for: what is off after 1, 3, 5, ... links where it is on, and what is on after as many
    /// where it is off.
    ways: Vec<Option<[Vec<Row<W>>; 2]>>,
}

impl<'a, const W: usize> Rings<'a, W> {
    #[inline(always)]
    fn of(links: &'a Links<'_, W>, mode: Mode) -> Self {
        Self {
            links,
            sees: links.sees_rows(mode),
            strong: links.strong_rows(mode),
            ways: vec![None; links.count()],
        }
    }

    /// Returns true if a closed way of up to this number of links may strike a candidate.
    #[inline(always)]
    fn may_strike(&mut self, strike: u16, most: u32) -> bool {
        let peers = self.links.same_digit[usize::from(strike)];
        let depth = (most / 2).saturating_sub(1) as usize;
        let (sees, strong) = (self.sees, self.strong);
        members(peers).any(|x| {
            if strong[usize::from(x)] == [0; W] {
                return false;
            }
            let ways = self.ways[usize::from(x)].get_or_insert_with(|| {
                [(sees, strong), (strong, sees)].map(|links| all_after(links, x))
            });
            let [off, on] = &*ways;
            // The last sets of both hold for all greater numbers of links.
            (0..off.len().min(depth + 1)).any(|n| {
                let on = &on[(depth - n).min(on.len() - 1)];
                meet(&and(&off[n], on), &peers)
            })
        })
    }
}

/// The ends of one link of the first kind, then of one of the second and one of the first more, and so on.
#[inline(always)]
fn all_after<const W: usize>((odd, even): (&[Row<W>], &[Row<W>]), from: u16) -> Vec<Row<W>> {
    let mut all = odd[usize::from(from)];
    let (mut fresh, mut between) = (all, [0; W]);
    let mut list = vec![all];
    while fresh != [0; W] {
        let mut next = [0; W];
        each(&fresh, |n| add(&mut next, &even[n]));
        let new = and_not(&next, &between);
        add(&mut between, &new);
        let mut after = [0; W];
        each(&new, |n| add(&mut after, &odd[n]));
        fresh = and_not(&after, &all);
        add(&mut all, &fresh);
        list.push(all);
    }
    list
}

/// The lengths of the cycles of a mode that may strike a candidate before a chain does, where the shortest chain of
/// the mode that strikes it has this length.
///
/// A part of such a cycle is a chain that strikes the candidate, with two nodes more than the cycle at most: see
/// [`Forcing::first_cycle`].
fn cycle_lengths(mode: Mode, chain: u32, first: Option<Rank>) -> RangeInclusive<u32> {
    let least = chain.saturating_sub(2).max(4);
    let Some(first) = first else {
        return least..=u32::MAX;
    };
    let is_before = |&length: &u32| Rank::new(mode, length, 0, CYCLE) < first;
    let most = (least..).step_by(2).take_while(is_before).last();
    #[expect(clippy::reversed_empty_ranges, reason = "no length is worth it")]
    most.map_or(1..=0, |most| least..=most)
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

/// The shortest ways from a candidate to its opposite, level by level: what is off and on in turn.
struct Levels<const W: usize> {
    from: u16,
    to_on: bool,
    /// The candidates that are reached first at each level, from the candidate itself on. The last level has its opposite.
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
