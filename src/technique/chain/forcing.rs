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
    links::{CELL, Link, Links, Mode, Row, members},
    others,
    proof::{Node, Reason, SIDES, cell, digit},
    reach::{Jumps, shortest},
    state::{Candidate, State, cell_of},
    to_strikes,
};
use crate::technique::{Placement, Rating};
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

/// The first hint of a position.
pub(super) fn best(state: &State) -> Option<Hint> {
    let count: u32 = state.cells.iter().map(|digits| digits.count_ones()).sum();
    if count <= 256 {
        Forcing::<4>::of(state).best()
    } else {
        Forcing::<12>::of(state).best()
    }
}

/// The hints of a position in order. Of those that strike the same, only the first is
/// there. `take` gets what a hint strikes, and a way to list its nodes.
pub(super) fn all(state: &State, take: impl FnMut(&[Candidate], &dyn Fn() -> Hint)) {
    let count: u32 = state.cells.iter().map(|digits| digits.count_ones()).sum();
    if count <= 256 {
        Forcing::<4>::of(state).all(take)
    } else {
        Forcing::<12>::of(state).all(take)
    }
}

struct Forcing<'a, const W: usize> {
    state: &'a State,
    links: Links<W>,
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
    fn of(state: &'a State) -> Self {
        Self {
            state,
            links: Links::of(state),
        }
    }

    /// Chains start in cells with two candidates or more.
    fn starts(&self) -> impl Iterator<Item = u16> {
        let alone = |n: &u16| {
            let digits = self.state.cells[cell_of(self.links.candidates[usize::from(*n)])];
            digits & (digits - 1) == 0
        };
        (0..self.links.count() as u16).filter(move |n| !alone(n))
    }

    fn best(&self) -> Option<Hint> {
        let mut first = First {
            hint: None,
            most: 2 * self.links.count() as u32,
        };
        let mut tree = Tree::new();
        let x = Jumps::of(&self.links, Mode::X);
        self.first_chain(&x, &mut first);
        self.first_cycle(&x, &mut tree, &mut first);
        self.first_cycle(&Jumps::of(&self.links, Mode::Y), &mut tree, &mut first);
        if first.is_open() {
            let xy = Jumps::of(&self.links, Mode::Xy);
            self.first_chain(&xy, &mut first);
            self.first_cycle(&xy, &mut tree, &mut first);
        }
        let (rank, mode, outline) = first.hint?;
        Some(self.hint(rank, mode, &outline))
    }

    fn first_chain(&self, jumps: &Jumps<W>, first: &mut First) {
        let found = shortest(jumps, true);
        for from in self.starts() {
            let n = usize::from(from);
            for (sort, length) in [(STRIKE, found.to_off[n]), (PLACE, found.to_on[n])] {
                if length != 0 {
                    let rank = Rank::new(jumps.mode, length.into(), from, sort);
                    let to_on = sort == PLACE;
                    first.offer(rank, jumps.mode, || Outline::Chain { from, to_on });
                }
            }
        }
    }

    fn first_cycle(&self, jumps: &Jumps<W>, tree: &mut Tree, first: &mut First) {
        let mut bounds = first.bounds(jumps.mode);
        for from in self.starts() {
            let is_before = match &first.hint {
                Some((first, ..)) => (from, CYCLE) < (first.from, first.sort),
                None => true,
            };
            let bound = bounds[usize::from(!is_before)];
            if bound == 0 {
                continue;
            }
            tree.cycles(&self.links, jumps, from, bound, |length, path| {
                if path.strikes(&self.links) == [0; W] {
                    return bound;
                }
                let rank = Rank::new(jumps.mode, length, from, CYCLE);
                first.offer(rank, jumps.mode, || Outline::Cycle(path.cycle()));
                bounds = first.bounds(jumps.mode);
                0
            });
        }
    }

    fn all(&self, mut take: impl FnMut(&[Candidate], &dyn Fn() -> Hint)) {
        let mut found: Vec<(Rank, Mode, Vec<Candidate>, Outline)> = Vec::new();
        let [x, y, xy] = [Mode::X, Mode::Y, Mode::Xy].map(|mode| Jumps::of(&self.links, mode));
        for jumps in [&x, &xy] {
            let (mode, shortest) = (jumps.mode, shortest(jumps, false));
            for from in self.starts() {
                let n = usize::from(from);
                let target = self.links.candidates[n];
                if shortest.to_off[n] != 0 {
                    let rank = Rank::new(mode, shortest.to_off[n].into(), from, STRIKE);
                    found.push((
                        rank,
                        mode,
                        vec![target],
                        Outline::Chain { from, to_on: false },
                    ));
                }
                if shortest.to_on[n] != 0 {
                    let rank = Rank::new(mode, shortest.to_on[n].into(), from, PLACE);
                    let strikes = others(self.state, target);
                    found.push((rank, mode, strikes, Outline::Chain { from, to_on: true }));
                }
            }
        }
        let mut tree = Tree::new();
        for jumps in [&x, &y, &xy] {
            for from in self.starts() {
                tree.cycles(&self.links, jumps, from, u32::MAX, |length, path| {
                    let strikes = path.strikes(&self.links);
                    if strikes != [0; W] {
                        let strikes =
                            members(strikes).map(|n| self.links.candidates[usize::from(n)]);
                        let rank = Rank::new(jumps.mode, length, from, CYCLE);
                        let outline = Outline::Cycle(path.cycle());
                        found.push((rank, jumps.mode, strikes.collect(), outline));
                    }
                    u32::MAX
                });
            }
        }
        found.sort_by(|a, b| a.0.partial_cmp(&b.0).expect("difficulties are numbers"));
        let mut met = HashSet::new();
        for (rank, mode, strikes, outline) in &found {
            if met.insert(strikes) {
                take(strikes, &|| self.hint(*rank, *mode, outline));
            }
        }
    }

    /// A hint with its nodes.
    fn hint(&self, rank: Rank, mode: Mode, outline: &Outline) -> Hint {
        let kind = kind(mode, rank.sort);
        let base = match kind {
            Kind::XChain => 66,
            Kind::XyChain | Kind::XyCycle => 70,
            _ => 65,
        };
        let (chain, strikes, place) = match outline {
            Outline::Chain { from, to_on } => {
                let from = *from;
                let target = self.links.candidates[usize::from(from)];
                let list = shortest_path(&self.links, mode, from, *to_on);
                let place = to_on.then(|| Placement {
                    cell: cell(target),
                    digit: digit(target),
                });
                let strikes = if *to_on {
                    others(self.state, target)
                } else {
                    vec![target]
                };
                (self.chain(from, !to_on, &list, false), strikes, place)
            }
            Outline::Cycle(list) => {
                let from = rank.from;
                let strikes = cycle_strikes(&self.links, list);
                let strikes = members(strikes).map(|n| self.links.candidates[usize::from(n)]);
                (self.chain(from, true, list, true), strikes.collect(), None)
            }
        };
        Hint {
            search: Search::Forcing,
            kind,
            rating: Rating::from_tenths(base + length::tenths(rank.length)),
            length: rank.length,
            chains: vec![chain],
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
fn cycle_strikes<const W: usize>(links: &Links<W>, list: &[Link]) -> Row<W> {
    let (mut on, mut off, mut own) = ([0; W], [0; W], [0; W]);
    for (n, link) in list.iter().enumerate() {
        let side = if n % 2 == 0 { &mut off } else { &mut on };
        super::links::add(side, &links.same_digit[usize::from(link.to)]);
        super::links::add(&mut own, &links.same_cell[usize::from(link.to)]);
    }
    std::array::from_fn(|w| on[w] & off[w] & !own[w])
}

/// The shortest way from a candidate to its opposite, in the order of Sudoku Explainer:
/// breadth first, each node once.
fn shortest_path<const W: usize>(
    links: &Links<W>,
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
        let steps = if on {
            links.weak(mode, here.to)
        } else {
            links.strong(mode, here.to)
        };
        for &step in steps {
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
