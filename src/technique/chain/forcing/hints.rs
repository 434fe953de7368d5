//! All cycles and forcing chains of a position in order, and the nodes of one.

use super::{
    Forcing,
    rank::{CYCLE, PLACE, Rank, STRIKE, base, kind},
};
use crate::technique::{
    Rating,
    chain::{
        Search,
        cycles::{Cycle, Tree},
        length,
        links::{
            CELL, Link, Links, Mode, Row, add, and, and_not, each, has, meet, members, only, set,
            unset,
        },
        proof::{Brief, Chain, Reason, SIDES},
        reach::Net,
        rows::Rows,
        state::Candidate,
        struck::Ways,
    },
};
use std::ops::{Range, RangeInclusive};

/// The modes in the order in which they are tried.
const MODES: [Mode; 3] = [Mode::X, Mode::Y, Mode::Xy];

/// A hint that is found: its strikes, and its nodes in short.
struct Ranked<const W: usize> {
    rank: Rank,
    mode: Mode,
    strikes: Row<W>,
    way: Way,
}

/// The nodes of a hint in short: the levels of a chain, or the links of a cycle.
enum Way {
    Chain(Levels),
    Cycle(Cycle),
}

/// Sorts hints by rank. It is a function of its own, which is compiled once and not for each level.
#[inline(never)]
fn sort<const W: usize>(found: &mut [Ranked<W>]) {
    found.sort_by(|a, b| {
        a.rank
            .partial_cmp(&b.rank)
            .expect("difficulties are numbers")
    });
}

impl<const W: usize> Forcing<'_, W> {
    #[inline(always)]
    pub(super) fn all(
        &self,
        chains_count: bool,
        mut take: impl FnMut(&[Candidate], &dyn Fn() -> Brief),
    ) {
        let opposites =
            |mode| Ways::of(self.links.sees_rows(mode), self.links.strong_rows(mode)).opposites();
        // The chains of the other modes have their links among these.
        let [strikes, places] = opposites(Mode::Xy);
        if strikes == [0; W] && places == [0; W] {
            return;
        }
        let [in_cells, _] = opposites(Mode::Y);
        let mut found: Vec<Ranked<W>> = Vec::with_capacity(64);
        let mut rows = Rows::none();
        // The lengths of the shortest chains that strike each candidate, by mode.
        let mut lengths: Vec<(u16, [u32; 3])> = Vec::with_capacity(64);
        for (row, sort) in [(strikes, STRIKE), (places, PLACE)] {
            for from in members(row) {
                let mut of_modes = [0; 3];
                for (mode, length) in MODES.into_iter().zip(&mut of_modes) {
                    if mode == Mode::Y && (sort == PLACE || !has(&in_cells, from)) {
                        continue;
                    }
                    let to_on = sort == PLACE;
                    let Some(levels) = Levels::of(&self.links, mode, (from, to_on), &mut rows)
                    else {
                        continue;
                    };
                    *length = levels.length();
                    if has(&self.starts, from) && mode != Mode::Y {
                        let rank = Rank::new(mode, *length, from, sort);
                        let strikes = self.struck_by_chain(from, to_on);
                        let way = Way::Chain(levels);
                        found.push(Ranked {
                            rank,
                            mode,
                            strikes,
                            way,
                        });
                    }
                }
                if sort == STRIKE {
                    lengths.push((from, of_modes));
                }
            }
        }
        // The first chain that strikes each candidate.
        let mut first: Vec<Option<u16>> = vec![None; self.links.count()];
        for (number, chain) in (0..).zip(&found) {
            each(&chain.strikes, |n| {
                let is_first = |before: u16| chain.rank < found[usize::from(before)].rank;
                if first[n].is_none_or(is_first) {
                    first[n] = Some(number);
                }
            });
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
                    let rank = chain.map(|number| found[usize::from(number)].rank);
                    (strike, cycle_lengths(mode, length, rank))
                })
                .filter(|(_, lengths)| !lengths.is_empty())
                .collect();
            let Some(most) = open.iter().map(|(_, lengths)| *lengths.end()).max() else {
                continue;
            };
            let mut rings = Rings::of(&self.links, mode, most);
            open.retain(|(strike, lengths)| rings.may_strike(*strike, *lengths.end()));
            if !open.is_empty() {
                self.cycles(mode, open, chains_count, &mut tree, &mut found);
            }
        }
        sort(&mut found);
        let mut strikes = Vec::with_capacity(16);
        for (number, ranked) in found.iter().enumerate() {
            let before = &mut found[..number].iter();
            if before.any(|before| before.strikes == ranked.strikes) {
                continue;
            }
            strikes.clear();
            each(&ranked.strikes, |n| strikes.push(self.candidate(n as u16)));
            take(&strikes, &|| self.brief(ranked, &rows, true));
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
        found: &mut Vec<Ranked<W>>,
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
                    found.push(Ranked {
                        rank,
                        mode,
                        strikes: struck,
                        way: Way::Cycle(path.cycle()),
                    });
                }
                most
            });
            for found in found[before..].iter().filter(|_| all_count) {
                let of_found = |(strike, _): &&mut (u16, _)| has(&found.strikes, *strike);
                for (_, lengths) in open.iter_mut().filter(of_found) {
                    let end = (found.rank.length - 2).min(*lengths.end());
                    *lengths = *lengths.start()..=end;
                }
            }
            open.retain(|(_, lengths)| !lengths.is_empty());
            if open.is_empty() {
                return;
            }
        }
    }

    /// The hint of a rank, with its nodes if they are wanted.
    pub(super) fn hint(&self, rank: Rank, mode: Mode, cycle: Option<Cycle>, nodes: bool) -> Brief {
        let to_on = rank.sort == PLACE;
        let mut rows = Rows::none();
        let (strikes, way) = match cycle {
            Some(cycle) => (cycle_strikes(&self.links, &cycle), Way::Cycle(cycle)),
            None => {
                let levels = Levels::of(&self.links, mode, (rank.from, to_on), &mut rows);
                let way = Way::Chain(levels.expect("the way is there"));
                (self.struck_by_chain(rank.from, to_on), way)
            }
        };
        let ranked = Ranked {
            rank,
            mode,
            strikes,
            way,
        };
        self.brief(&ranked, &rows, nodes)
    }

    /// A hint that is found, with its nodes if they are wanted.
    fn brief(&self, found: &Ranked<W>, rows: &Rows<W>, nodes: bool) -> Brief {
        let Ranked { rank, mode, .. } = *found;
        let is_placed = rank.sort == PLACE;
        let chain = || match &found.way {
            Way::Cycle(list) => self.chain(rank.from, true, list, true),
            Way::Chain(levels) => {
                let list = levels.first(&self.links, mode, rows);
                self.chain(rank.from, !is_placed, &list, false)
            }
        };
        let strikes = members(found.strikes).map(|number| self.candidate(number));
        Brief {
            search: Search::Forcing,
            kind: kind(mode, rank.sort),
            rating: Rating::from_tenths(base(mode, rank.sort) + length::tenths(rank.length)),
            length: rank.length,
            chains: if nodes { vec![chain()] } else { Vec::new() },
            strikes: strikes.collect(),
            place: is_placed.then(|| self.candidate(rank.from)),
        }
    }

    fn candidate(&self, number: u16) -> Candidate {
        self.links.candidates[usize::from(number)]
    }

    /// The strikes of a chain: the candidate from which it starts, or all others of the cell where it places that.
    fn struck_by_chain(&self, from: u16, is_placed: bool) -> Row<W> {
        let mut struck = [0; W];
        if is_placed {
            struck = *self.links.same_cell(from);
            unset(&mut struck, from);
        } else {
            set(&mut struck, from);
        }
        struck
    }

    /// The nodes of a list of links from a candidate, the last first. A cycle ends at its
    /// start.
    fn chain(&self, from: u16, on: bool, list: &[Link], closed: bool) -> Chain {
        let mut chain = Chain::with_capacity(list.len() + 1);
        for (n, link) in list.iter().enumerate().rev() {
            let reason = match link.side {
                CELL => Reason::Cell,
                side => Reason::House(SIDES[usize::from(side)]),
            };
            let number = chain.items.len() as u16;
            let parent = if closed && n == 0 { 0 } else { number + 1 };
            chain.push((self.candidate(link.to), on == (n % 2 == 1)), reason, None);
            chain.add_parent(number, parent);
        }
        if !closed {
            chain.push((self.candidate(from), on), Reason::Assumption, None);
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
    /// The most sets of a list that are asked for.
    most: usize,
    /// For each candidate, the number of its lists, or [`Self::NONE`] before it is asked for.
    number: Vec<u16>,
    /// For each of these: what is off after 1, 3, 5, ... links where it is on, and what is on after as many where it is off.
    ways: Vec<[Range<usize>; 2]>,
    sets: Rows<W>,
}

impl<'a, const W: usize> Rings<'a, W> {
    const NONE: u16 = u16::MAX;

    /// Rings of up to a number of links.
    #[inline(always)]
    fn of(links: &'a Links<'_, W>, mode: Mode, most: u32) -> Self {
        Self {
            links,
            sees: links.sees_rows(mode),
            strong: links.strong_rows(mode),
            most: Self::depth(most) + 1,
            number: vec![Self::NONE; links.count()],
            ways: Vec::new(),
            sets: Rows::none(),
        }
    }

    const fn depth(most: u32) -> usize {
        (most / 2).saturating_sub(1) as usize
    }

    /// Returns true if a closed way of up to this number of links may strike a candidate.
    #[inline(always)]
    fn may_strike(&mut self, strike: u16, most: u32) -> bool {
        let peers = self.links.same_digit[usize::from(strike)];
        let depth = Self::depth(most);
        let (sees, strong) = (self.sees, self.strong);
        members(peers).any(|x| {
            let x = usize::from(x);
            if strong[x] == [0; W] {
                return false;
            }
            if self.number[x] == Self::NONE {
                self.number[x] = self.ways.len() as u16;
                let ways = [(sees, strong), (strong, sees)].map(|links| self.add_after(links, x));
                self.ways.push(ways);
            }
            let ways = &self.ways[usize::from(self.number[x])];
            let [off, on] = ways.each_ref().map(|of| &self.sets[of.clone()]);
            // The last sets of both hold for all greater numbers of links.
            (0..off.len().min(depth + 1)).any(|n| {
                let on = &on[(depth - n).min(on.len() - 1)];
                meet(&and(&off[n], on), &peers)
            })
        })
    }

    /// Adds the ends of one link of the first kind, then of one of the second and one of the first more, and so on.
    #[inline(always)]
    fn add_after(&mut self, (odd, even): (&[Row<W>], &[Row<W>]), from: usize) -> Range<usize> {
        let first = self.sets.len();
        let mut all = odd[from];
        let (mut fresh, mut between) = (all, [0; W]);
        self.sets.append(&[all]);
        for _ in 1..self.most {
            let mut next = [0; W];
            each(&fresh, |n| add(&mut next, &even[n]));
            let new = and_not(&next, &between);
            add(&mut between, &new);
            let mut after = [0; W];
            each(&new, |n| add(&mut after, &odd[n]));
            fresh = and_not(&after, &all);
            if fresh == [0; W] {
                break;
            }
            add(&mut all, &fresh);
            self.sets.append(&[all]);
        }
        first..self.sets.len()
    }
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
///
/// Links lead both ways. So what leads to the opposite by n links is the opposite of what n links lead to, and a half of the
/// levels is enough: a shortest way is found where two levels that follow each other have a candidate in common.
struct Levels {
    from: u16,
    to_on: bool,
    /// The rows of the candidates that are reached first at each level, from the candidate itself on, up to the middle. The
    /// last row has those that are on a shortest way.
    rows: Range<usize>,
}

impl Levels {
    /// Adds the rows to others.
    #[inline(always)]
    fn of<const W: usize>(
        links: &Links<'_, W>,
        mode: Mode,
        (from, to_on): (u16, bool),
        rows: &mut Rows<W>,
    ) -> Option<Self> {
        let first = rows.len();
        let (sees, strong) = (links.sees_rows(mode), links.strong_rows(mode));
        let mut level = [0; W];
        set(&mut level, from);
        let mut met = [[0; W]; 2];
        let mut on = !to_on;
        loop {
            add(&mut met[usize::from(on)], &level);
            let links = if on { sees } else { strong };
            let mut next = [0; W];
            each(&level, |n| add(&mut next, &links[n]));
            on = !on;
            let next = and_not(&next, &met[usize::from(on)]);
            let both = and(&next, &level);
            if both != [0; W] {
                rows.append(&[both]);
                let rows = first..rows.len();
                return Some(Self { from, to_on, rows });
            }
            if next == [0; W] {
                rows.truncate(first);
                return None;
            }
            rows.append(&[level]);
            level = next;
        }
    }

    /// The number of nodes of a shortest way.
    fn length(&self) -> u32 {
        2 * self.rows.len() as u32
    }

    /// The first shortest way in the order of Sudoku Explainer: breadth first, each node once.
    ///
    /// Nodes that are on no shortest way do not change it: the node before one that is on a shortest way is on one too.
    fn first<const W: usize>(&self, links: &Links<'_, W>, mode: Mode, rows: &Rows<W>) -> Vec<Link> {
        let (sees, strong) = (links.sees_rows(mode), links.strong_rows(mode));
        let mut levels = Rows::copy(&rows[self.rows.clone()]);
        let (middle, last) = (levels.len() - 1, 2 * levels.len() - 1);
        for n in (1..middle).rev() {
            let is_on = (n % 2 == 1) == self.to_on;
            let back = if is_on { sees } else { strong };
            let mut before = [0; W];
            each(&levels[n + 1], |to| add(&mut before, &back[to]));
            levels[n] = and(&levels[n], &before);
        }
        // The nodes of all levels: the link to each, and the node before.
        let none = Link {
            to: self.from,
            side: CELL,
        };
        let mut nodes: Vec<(Link, u16)> = Vec::with_capacity(4 * last);
        nodes.push((none, 0));
        let mut level = 0..1;
        for n in 0..last {
            let is_on = (n % 2 == 1) == self.to_on;
            let mut left = levels[(n + 1).min(last - n - 1)];
            let begin = nodes.len();
            if let Some(to) = only(&left) {
                let links_of = if is_on { sees } else { strong };
                let mut before = level.map(|at| (at, nodes[at].0.to));
                let linked = before.find(|&(_, from)| has(&links_of[usize::from(from)], to));
                let (at, from) = linked.expect("a shortest way leads here");
                let side = links.side_of(from, to, !is_on);
                nodes.push((Link { to, side }, at as u16));
                level = begin..nodes.len();
                continue;
            }
            for at in level {
                let from = nodes[at].0.to;
                let within = left;
                let mut see = |link: Link| {
                    if has(&left, link.to) {
                        unset(&mut left, link.to);
                        nodes.push((link, at as u16));
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
                if left == [0; W] {
                    break;
                }
            }
            level = begin..nodes.len();
        }
        let mut at = nodes.len() - 1;
        let mut path = Vec::with_capacity(last);
        while at != 0 {
            let (link, before) = nodes[at];
            path.push(link);
            at = before.into();
        }
        path.reverse();
        path
    }
}
