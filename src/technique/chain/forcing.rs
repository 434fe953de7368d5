//! Cycles and forcing chains: 6.5 to 7.x.
//!
//! A *forcing chain* leads from a candidate that is on to the same candidate off, which
//! strikes it, or from off to on, which places it. Links alternate: a weak one from on to
//! off, a strong one from off to on.
//!
//! ```text
//!     r1c1 is 5 -> r1c7 is not 5 -> r8c7 is 5 -> r8c2 is not 5 -> r3c2 is 5 -> r1c1 is not 5
//!          on           off             on           off            on            off
//! ```
//!
//! Three searches find all of them: with links of one digit (X: cycles 6.5, chains 6.6),
//! with strong links in cells only (Y: cycles 6.5), and with all (XY: 7.0). The length
//! adds to these. Among all hints of a position, the first by difficulty, length, search
//! and candidate is taken.
//!
//! For forcing chains only the length counts, so [`reach`](super::reach) finds the shortest
//! of all candidates at once. The nodes are searched for the one that is taken.

use super::{
    Hint, Kind, Search,
    cycles::{Cycle, Tree},
    length,
    links::{
        CELL, Link, Links, Mode, Row, add, and, and_not, each, has, lowest, meet, members, set,
    },
    others,
    proof::{Node, Reason, SIDES, cell, digit},
    reach::{Net, Shortest},
    state::{Candidate, State, cell_of},
    to_strikes,
};
use crate::{
    simd::{self, Isa, Kernel, Level},
    technique::{Placement, Rating},
};
use std::collections::HashSet;

/// What a hint is, before its nodes are searched.
#[derive(Clone, Debug)]
pub(super) enum Outline {
    /// A chain from a candidate (by number) to its opposite: to on, or to off.
    Chain {
        from: u16,
        to_on: bool,
    },
    Cycle(Cycle),
}

/// The order in which hints come: difficulty, length, key, candidate, and then cycles,
/// strikes and placements.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(super) struct Rank {
    difficulty: f64,
    length: u32,
    key: u8,
    from: u16,
    sort: u8,
}

const CYCLE: u8 = 0;
const STRIKE: u8 = 1;
const PLACE: u8 = 2;

impl Rank {
    fn new(mode: Mode, length: u32, from: u16, sort: u8) -> Self {
        let base = match (mode, sort) {
            (Mode::Xy, _) => 70,
            (_, CYCLE) => 65,
            _ => 66,
        };
        let key = kind(mode, sort).key();
        Self {
            difficulty: length::difficulty(base, length),
            length,
            key,
            from,
            sort,
        }
    }
}

fn kind(mode: Mode, sort: u8) -> Kind {
    match (mode, sort) {
        (Mode::X, CYCLE) => Kind::XCycle,
        (Mode::Y, _) => Kind::YCycle,
        (Mode::Xy, CYCLE) => Kind::XyCycle,
        (Mode::X, _) => Kind::XChain,
        (Mode::Xy, _) => Kind::XyChain,
    }
}

/// The first hint of a position, with its nodes or without.
pub(super) fn best(state: &State, nodes: bool) -> Option<Hint> {
    // Rows of more words are rare, and one build of them is enough.
    if state.count() > 256 {
        return Forcing::<12>::of(state).best(nodes);
    }
    let level = Level::detect();
    let best = match state.count() {
        ..=128 => level.with(Best::<2> { state, nodes }),
        _ => level.with(Best::<4> { state, nodes }),
    };
    best.expect("the level was found")
}

/// The first hint of a position whose candidates are bits of `W` words.
struct Best<'a, const W: usize> {
    state: &'a State,
    nodes: bool,
}

impl<const W: usize> Kernel for Best<'_, W> {
    type Output = Option<Hint>;
    fn call<I: Isa>(self, isa: I) -> Self::Output {
        simd::run!(isa, || Forcing::<W>::of(self.state).best(self.nodes))
    }
}

/// The hints of a position in order. Of those that strike the same, only the first is
/// there. `take` gets what a hint strikes, and a way to list its nodes.
pub(super) fn all(state: &State, take: impl FnMut(&[Candidate], &dyn Fn() -> Hint)) {
    if state.count() <= 256 {
        Forcing::<4>::of(state).all(take)
    } else {
        Forcing::<12>::of(state).all(take)
    }
}

struct Forcing<'a, const W: usize> {
    state: &'a State,
    links: Links<'a, W>,
    /// The candidates from which chains and cycles start.
    starts: Row<W>,
}

/// The first hint so far, and how long a cycle may be to come before it.
struct First {
    hint: Option<(Rank, Mode, Outline)>,
    most: u32,
}

impl First {
    /// Keeps a hint if it comes first.
    fn offer(&mut self, rank: Rank, mode: Mode, outline: impl FnOnce() -> Outline) {
        if self.hint.as_ref().is_none_or(|(first, ..)| rank < *first) {
            self.hint = Some((rank, mode, outline()));
        }
    }

    /// Whether a cycle from a candidate comes before the first hint if both are alike.
    fn is_before(&self, from: u16) -> bool {
        match &self.hint {
            Some((first, ..)) => (from, CYCLE) < (first.from, first.sort),
            None => true,
        }
    }

    /// Whether hints of the search with all links may still come first.
    fn is_open(&self) -> bool {
        let easiest = length::difficulty(70, 4);
        let hint = self.hint.as_ref();
        hint.is_none_or(|(first, ..)| first.difficulty >= easiest)
    }

    /// How many links a cycle of a search may have to come first: from a candidate before
    /// that of the first hint, and from one after it.
    fn bounds(&self, mode: Mode) -> [u32; 2] {
        let Some((first, ..)) = &self.hint else {
            return [self.most; 2];
        };
        [0, u16::MAX].map(|from| {
            let before = |&length: &u32| Rank::new(mode, length, from, CYCLE) < *first;
            (4..).step_by(2).take_while(before).last().unwrap_or(0)
        })
    }
}

impl<'a, const W: usize> Forcing<'a, W> {
    #[inline(always)]
    fn of(state: &'a State) -> Self {
        let links = Links::of(state);
        // Chains start in cells with two candidates or more.
        let mut starts = [0; W];
        for (n, &candidate) in links.candidates.iter().enumerate() {
            let digits = state.cells[cell_of(candidate)];
            if digits & (digits - 1) != 0 {
                set(&mut starts, n as u16);
            }
        }
        Self {
            state,
            links,
            starts,
        }
    }

    #[inline(always)]
    fn best(&self, nodes: bool) -> Option<Hint> {
        let mut first = First {
            hint: None,
            most: 2 * self.links.count() as u32,
        };
        let mut tree = Tree::new();
        self.first_of(Mode::X, &mut tree, &mut first);
        self.first_of(Mode::Y, &mut tree, &mut first);
        if first.is_open() {
            self.first_of(Mode::Xy, &mut tree, &mut first);
        }
        let (rank, mode, outline) = first.hint?;
        Some(self.hint(rank, mode, &outline, nodes))
    }

    /// The first hint of one mode, if it comes before the first so far.
    #[inline(always)]
    fn first_of(&self, mode: Mode, tree: &mut Tree<W>, first: &mut First) {
        let net = Net::of(&self.links, mode);
        if net.list.is_empty() {
            return;
        }
        let mut shortest = Shortest::new(&net);
        while shortest.advance(&net) {
            let strike = lowest(&and(&shortest.strikes, &self.starts));
            let place = lowest(&and(&shortest.places, &self.starts));
            if mode != Mode::Y {
                let length = shortest.length.into();
                for (sort, from) in [(STRIKE, strike), (PLACE, place)] {
                    let Some(from) = from else { continue };
                    let rank = Rank::new(mode, length, from, sort);
                    let to_on = sort == PLACE;
                    first.offer(rank, mode, || Outline::Chain { from, to_on });
                }
            }
            let any = strike.is_some() || mode != Mode::Y && place.is_some();
            if any || shortest.strikes != [0; W] {
                self.first_cycle(&net, &mut shortest, tree, first);
                if !any {
                    continue;
                }
                return;
            }
        }
    }

    /// Looks for cycles that come before the first hint so far, where no chain strikes
    /// anything that is shorter than those of `shortest`.
    ///
    /// A cycle that strikes s has a node that is on and one that is off, both of the digit of
    /// s and seen by s. From one to the other, a part of the cycle is a chain that strikes s,
    /// with two nodes more than the cycle at most. So without such chains there are no
    /// cycles, and few states have two nodes that fit.
    #[inline(always)]
    fn first_cycle(
        &self,
        net: &Net<'_, W>,
        shortest: &mut Shortest<W>,
        tree: &mut Tree<W>,
        first: &mut First,
    ) {
        let [before, after] = first.bounds(net.mode);
        // No chain that strikes is shorter than this.
        let chain = u32::from(shortest.length) + if shortest.strikes == [0; W] { 2 } else { 0 };
        // The chain comes before longer cycles, also where it is offered only later.
        let easy = length::difficulty(70, chain);
        let lengths = (4..=before.max(after)).step_by(2);
        let is_easy = |&length: &u32| length::difficulty(65, length) <= easy;
        let most = lengths.take_while(is_easy).last().unwrap_or(0);
        while u32::from(shortest.length) < most && shortest.advance(net) {}
        if most < 4.max(chain - 2) || !self.may_strike(net, shortest, most, chain) {
            return;
        }
        tree.prepare(net);
        let mut closed = vec![0; net.list.len()];
        for length in (4.max(chain - 2)..=most).step_by(2) {
            let mut found = false;
            for (&from, closed) in net.list.iter().zip(&mut closed) {
                let bound = if first.is_before(from) { before } else { after };
                if *closed == 0 {
                    *closed = tree.closed(net, from, most);
                }
                let closes = *closed >> (length / 2).min(63) & 1 != 0;
                if length > bound || !closes || !has(&self.starts, from) {
                    continue;
                }
                tree.cycles(&self.links, net, from, length, |links, path| {
                    if links < length || path.strikes(&self.links) == [0; W] {
                        return length;
                    }
                    let rank = Rank::new(net.mode, length, from, CYCLE);
                    first.offer(rank, net.mode, || Outline::Cycle(path.cycle()));
                    found = true;
                    0
                });
                if found {
                    return;
                }
            }
        }
    }

    /// Whether a cycle of up to this length may strike anything: whether two nodes of a closed
    /// way are of one digit, one on and one off, and see a third. The part of the way that is
    /// a chain is as long as `chain` or longer.
    #[inline(always)]
    fn may_strike(
        &self,
        net: &Net<'_, W>,
        shortest: &Shortest<W>,
        length: u32,
        chain: u32,
    ) -> bool {
        let back = (length / 2 + 1 - chain / 2) as usize;
        let table = back.checked_sub(1).map(|depth| shortest.off_at(depth));
        for &from in &net.list {
            let n = usize::from(from);
            let own = &self.links.same_digit[n];
            let on = and(&shortest.reach.on[n], self.links.digit_row(from));
            let mut fit = [0; W];
            each(&on, |to| {
                if meet(own, &self.links.same_digit[to]) {
                    set(&mut fit, to as u16);
                }
            });
            if fit == [0; W] {
                continue;
            }
            let mut off = net.sees[n];
            if let Some(table) = table {
                let sees = and(&net.sees[n], &net.ends);
                each(&sees, |to| add(&mut off, &table[to]));
            }
            if meet(&fit, &off) {
                return true;
            }
        }
        false
    }

    fn all(&self, mut take: impl FnMut(&[Candidate], &dyn Fn() -> Hint)) {
        let mut found: Vec<(Rank, Mode, Vec<Candidate>, Outline)> = Vec::new();
        let mut tree = Tree::new();
        for mode in [Mode::X, Mode::Y, Mode::Xy] {
            let net = Net::of(&self.links, mode);
            let (mut struck, mut placed) = ([0; W], [0; W]);
            let mut shortest = Shortest::new(&net);
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
                        let target = self.links.candidates[usize::from(from)];
                        let rank = Rank::new(mode, shortest.length.into(), from, sort);
                        let to_on = sort == PLACE;
                        let strikes = match to_on {
                            true => others(self.state, target),
                            false => vec![target],
                        };
                        found.push((rank, mode, strikes, Outline::Chain { from, to_on }));
                    }
                }
            }
            // A cycle strikes nothing that no chain strikes.
            if any == [0; W] {
                continue;
            }
            tree.prepare(&net);
            for from in members(and(&net.ends, &self.starts)) {
                tree.cycles(&self.links, &net, from, u32::MAX, |length, path| {
                    let strikes = path.strikes(&self.links);
                    if strikes != [0; W] {
                        let strikes =
                            members(strikes).map(|n| self.links.candidates[usize::from(n)]);
                        let rank = Rank::new(mode, length, from, CYCLE);
                        let outline = Outline::Cycle(path.cycle());
                        found.push((rank, mode, strikes.collect(), outline));
                    }
                    u32::MAX
                });
            }
        }
        found.sort_by(|a, b| a.0.partial_cmp(&b.0).expect("difficulties are numbers"));
        let mut met = HashSet::new();
        for (rank, mode, strikes, outline) in &found {
            if met.insert(strikes) {
                take(strikes, &|| self.hint(*rank, *mode, outline, true));
            }
        }
    }

    /// A hint, with its nodes if they are wanted.
    fn hint(&self, rank: Rank, mode: Mode, outline: &Outline, nodes: bool) -> Hint {
        let kind = kind(mode, rank.sort);
        let base = match kind {
            Kind::XChain => 66,
            Kind::XyChain | Kind::XyCycle => 70,
            _ => 65,
        };
        let (chains, strikes, place) = match outline {
            Outline::Chain { from, to_on } => {
                let from = *from;
                let target = self.links.candidates[usize::from(from)];
                let place = to_on.then(|| Placement {
                    cell: cell(target),
                    digit: digit(target),
                });
                let strikes = if *to_on {
                    others(self.state, target)
                } else {
                    vec![target]
                };
                let chain = || {
                    let list = shortest_path(&self.links, mode, from, *to_on);
                    vec![self.chain(from, !to_on, &list, false)]
                };
                let chains = nodes.then(chain).unwrap_or_default();
                (chains, strikes, place)
            }
            Outline::Cycle(list) => {
                let from = rank.from;
                let strikes = cycle_strikes(&self.links, list);
                let strikes = members(strikes).map(|n| self.links.candidates[usize::from(n)]);
                let chain = || vec![self.chain(from, true, list, true)];
                let chains = nodes.then(chain).unwrap_or_default();
                (chains, strikes.collect(), None)
            }
        };
        Hint {
            search: Search::Forcing,
            kind,
            rating: Rating::from_tenths(base + length::tenths(rank.length)),
            length: rank.length,
            chains,
            strikes: to_strikes(&strikes),
            place,
        }
    }

    /// The nodes of a list of links from a candidate, the last first. A cycle ends at its
    /// start.
    fn chain(&self, from: u16, on: bool, list: &[Link], closed: bool) -> Vec<Node> {
        let node = |number: u16, on, reason, parents| {
            let candidate = self.links.candidates[usize::from(number)];
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
