//! Whether a chain is true: each node follows from its parents, and what it strikes from its ends.
//! Nothing is shared with the library but the names.

use std::collections::{HashMap, HashSet};
use sudoku_batch::{
    Cell, Digit, Grid,
    grid::{Candidate, Digits, House, HouseKind},
    technique::chain::{Hint, Kind, Node, Reason, Rule},
};

/// Nothing is struck that the solution needs.
pub fn check_solution(hint: &Hint, solution: &Grid) {
    assert!(!hint.strikes.is_empty());
    for strike in &hint.strikes {
        assert_ne!(solution.get(strike.cell), strike.digit);
    }
    if let Some(place) = hint.place {
        assert_eq!(solution.get(place.cell), place.digit);
    }
}

/// The candidates of a position as plain pairs.
#[derive(Clone)]
pub struct Candidates(HashSet<(Cell, Digit)>);

const HOUSE_KINDS: [HouseKind; 3] = [HouseKind::Box, HouseKind::Row, HouseKind::Column];

impl Candidates {
    /// The candidates of a position, by cell.
    pub fn of(candidates: impl Fn(Cell) -> Digits) -> Self {
        let of = |cell: Cell| {
            candidates(cell)
                .iter()
                .map(move |digit| (cell, digit))
                .collect::<Vec<_>>()
        };
        Self(Cell::all().flat_map(of).collect())
    }

    fn in_cell(&self, cell: Cell) -> impl Iterator<Item = (Cell, Digit)> {
        self.0
            .iter()
            .copied()
            .filter(move |candidate| candidate.0 == cell)
    }

    fn in_house(&self, house: House, digit: Digit) -> impl Iterator<Item = (Cell, Digit)> {
        let inside =
            move |candidate: &(Cell, Digit)| candidate.1 == digit && house.contains(candidate.0);
        self.0.iter().copied().filter(inside)
    }

    /// Checks a hint in this position.
    pub fn check(&self, hint: &Hint) {
        assert_eq!(hint.length, length(hint));
        for chain in &hint.chains {
            for node in chain {
                self.check_node(chain, node);
            }
            if !matches!(hint.kind, Kind::XCycle | Kind::YCycle | Kind::XyCycle) {
                check_order(chain);
            }
        }
        let starts: Vec<&Node> = hint.chains.iter().map(|chain| start(chain)).collect();
        let ends: Vec<&Node> = hint.chains.iter().map(|chain| &chain[0]).collect();
        let says = |node: &Node| (node.cell, node.digit, node.on);
        match hint.kind {
            Kind::XCycle | Kind::YCycle | Kind::XyCycle => return self.check_cycle(hint),
            Kind::XChain | Kind::XyChain => {
                assert_eq!(
                    (starts[0].cell, starts[0].digit),
                    (ends[0].cell, ends[0].digit)
                );
                assert_ne!(starts[0].on, ends[0].on);
            }
            Kind::Contradiction => {
                assert_eq!(says(starts[0]), says(starts[1]));
                assert_eq!((ends[0].cell, ends[0].digit), (ends[1].cell, ends[1].digit));
                assert!(ends[0].on && !ends[1].on);
                return check_effect(hint, (starts[0].cell, starts[0].digit), !starts[0].on, self);
            }
            Kind::Double => {
                assert_eq!(
                    (starts[0].cell, starts[0].digit),
                    (starts[1].cell, starts[1].digit)
                );
                assert_ne!(starts[0].on, starts[1].on);
            }
            Kind::Cell(cell) => self.check_all(&starts, self.in_cell(cell)),
            Kind::Region(house, digit) => self.check_all(&starts, self.in_house(house, digit)),
        }
        assert!(ends.iter().all(|end| says(end) == says(ends[0])));
        check_effect(hint, (ends[0].cell, ends[0].digit), ends[0].on, self);
    }

    /// The starts are all candidates of a cell or house, on.
    fn check_all(&self, starts: &[&Node], all: impl Iterator<Item = (Cell, Digit)>) {
        assert!(starts.iter().all(|start| start.on));
        let starts: HashSet<_> = starts
            .iter()
            .map(|start| (start.cell, start.digit))
            .collect();
        assert_eq!(starts, all.collect());
    }

    /// Checks that a node follows from its parents.
    fn check_node(&self, chain: &[Node], node: &Node) {
        let parents: Vec<&Node> = node.parents.iter().map(|&parent| &chain[parent]).collect();
        let this = (node.cell, node.digit);
        let struck: HashSet<_> = parents
            .iter()
            .map(|parent| (parent.cell, parent.digit))
            .collect();
        match node.reason {
            Reason::Assumption => assert!(parents.is_empty() && self.0.contains(&this)),
            Reason::Rule(rule) => {
                assert!(!node.on && parents.iter().all(|parent| !parent.on));
                let mut left = self.clone();
                left.0.retain(|candidate| !struck.contains(candidate));
                match (rule, node.inner.as_deref()) {
                    (Rule::Chain, Some(inner)) => {
                        left.check(inner);
                        let strikes = &inner.strikes;
                        assert!(strikes.contains(&Candidate {
                            cell: node.cell,
                            digit: node.digit
                        }));
                    }
                    (_, inner) => {
                        assert!(inner.is_none());
                        assert!(left.0.contains(&this), "{this:?} is off already");
                        assert!(left.has_rule(rule, this), "no {rule:?} strikes {this:?}");
                        // By singles, without any pattern.
                        assert!(left.contradicts(this), "{rule:?} strikes {this:?}");
                    }
                }
            }
            Reason::Cell | Reason::House(_) if !node.on => {
                // The parent is another digit of the cell, or the digit elsewhere in the house.
                assert!(self.0.contains(&this) && parents.len() == 1 && parents[0].on);
                let other = (parents[0].cell, parents[0].digit);
                assert_ne!(other, this);
                match node.reason {
                    Reason::House(kind) => {
                        assert!(
                            other.1 == this.1 && House::containing(this.0, kind).contains(other.0)
                        );
                    }
                    _ => assert_eq!(other.0, this.0),
                }
            }
            Reason::Cell => self.check_last(this, &struck, self.in_cell(node.cell).collect()),
            Reason::House(kind) => {
                let house = House::containing(node.cell, kind);
                self.check_last(this, &struck, self.in_house(house, node.digit).collect());
            }
        }
        if node.on {
            assert!(parents.iter().all(|parent| !parent.on));
        }
    }

    /// Whether a technique strikes a candidate, by its definition.
    fn has_rule(&self, rule: Rule, (cell, digit): (Cell, Digit)) -> bool {
        let places = |house: House, digit: Digit| -> HashSet<Cell> {
            self.in_house(house, digit).map(|(cell, _)| cell).collect()
        };
        let digits =
            |cell: Cell| -> HashSet<Digit> { self.in_cell(cell).map(|(_, digit)| digit).collect() };
        let around = || {
            HOUSE_KINDS
                .map(|kind| House::containing(cell, kind))
                .into_iter()
        };
        let others = |house: House| {
            house
                .cells()
                .into_iter()
                .filter(move |&other| other != cell)
        };
        match rule {
            // All places of a house are in a second house, and the candidate is there outside of the first.
            Rule::Locking => House::all()
                .filter(|first| !first.contains(cell))
                .any(|first| {
                    let places = places(first, digit);
                    let locked = |second: House| places.iter().all(|&place| second.contains(place));
                    places.len() > 1 && around().any(locked)
                }),
            // The cell and another are the two places of two other digits.
            Rule::HiddenPair => around().any(|house| {
                let pair = |other: Cell| {
                    let both = HashSet::from([cell, other]);
                    let own = Digit::all().filter(|&n| n != digit && places(house, n) == both);
                    own.count() >= 2
                };
                others(house).any(pair)
            }),
            // Two other cells of a house have the same two candidates, this digit among them.
            Rule::NakedPair => around().any(|house| {
                let pair = |other: Cell| {
                    let same = others(house).filter(|&third| digits(third) == digits(other));
                    digits(other).len() == 2 && digits(other).contains(&digit) && same.count() == 2
                };
                others(house).any(pair)
            }),
            // Two lines have the digit in the same two crossing lines, one of which is that of the candidate.
            Rule::XWing => [HouseKind::Row, HouseKind::Column].into_iter().any(|kind| {
                let crossing = match kind {
                    HouseKind::Row => HouseKind::Column,
                    _ => HouseKind::Row,
                };
                let covers = |line: House| -> HashSet<House> {
                    let places = places(line, digit).into_iter();
                    places
                        .map(|place| House::containing(place, crossing))
                        .collect()
                };
                let lines = House::all().filter(|line| line.kind() == kind && !line.contains(cell));
                let fit = lines.map(covers).filter(|covers| {
                    covers.len() == 2 && covers.contains(&House::containing(cell, crossing))
                });
                let fit: Vec<_> = fit.collect();
                (0..fit.len()).any(|n| fit[..n].contains(&fit[n]))
            }),
            Rule::Chain => false,
        }
    }

    /// All candidates of a cell or house but one are off.
    fn check_last(
        &self,
        last: (Cell, Digit),
        off: &HashSet<(Cell, Digit)>,
        all: HashSet<(Cell, Digit)>,
    ) {
        let left: Vec<_> = all.difference(off).collect();
        assert_eq!(left, [&last]);
    }

    /// Each strike of a cycle sees a node that is on and one that is off.
    fn check_cycle(&self, hint: &Hint) {
        assert_eq!(hint.chains.len(), 1);
        let cycle = &hint.chains[0];
        assert!(cycle.len() >= 4 && hint.length as usize == cycle.len() && hint.place.is_none());
        // It is closed: each node has one parent, the last one the first node.
        for (n, node) in cycle.iter().enumerate() {
            assert_eq!(node.parents, [(n + 1) % cycle.len()]);
            assert_eq!(node.on, n % 2 == 0);
        }
        for strike in &hint.strikes {
            let this = (strike.cell, strike.digit);
            assert!(self.0.contains(&this));
            for on in [true, false] {
                let sees = |node: &&Node| node.on == on && sees(this, (node.cell, node.digit));
                assert!(cycle.iter().any(|node| sees(&node)));
            }
        }
    }

    /// Whether a candidate that is on leads to a contradiction by singles.
    fn contradicts(&self, on: (Cell, Digit)) -> bool {
        let mut left = self.clone();
        let mut place = vec![on];
        while let Some(on) = place.pop() {
            left.0
                .retain(|&other| other == on || !(other.0 == on.0 || sees(other, on)));
            let mut units: Vec<Vec<_>> = Cell::all()
                .filter(|&cell| self.in_cell(cell).next().is_some())
                .map(|cell| left.in_cell(cell).collect())
                .collect();
            for digit in Digit::all() {
                let houses =
                    House::all().filter(|&house| self.in_house(house, digit).next().is_some());
                units.extend(houses.map(|house| left.in_house(house, digit).collect()));
            }
            if units.iter().any(Vec::is_empty) {
                return true;
            }
            let singles = units
                .iter()
                .filter(|unit| unit.len() == 1)
                .map(|unit| unit[0]);
            let blocked = |single: &(Cell, Digit)| {
                left.0
                    .iter()
                    .any(|&other| other != *single && (other.0 == single.0 || sees(other, *single)))
            };
            place.extend(singles.filter(blocked));
        }
        false
    }
}

/// The length by which a hint is rated: the nodes of its chains, and the lengths of the different
/// chains inside.
fn length(hint: &Hint) -> u32 {
    let says = |inner: &Hint| -> Vec<Vec<_>> {
        let chains = inner.chains.iter();
        let of = |chain: &Vec<Node>| {
            let nodes = chain.iter();
            nodes.map(|node| (node.cell, node.digit, node.on)).collect()
        };
        chains.map(of).collect()
    };
    let nodes = hint.chains.iter().flatten();
    let inner = nodes.filter_map(|node| node.inner.as_deref());
    let inner: HashMap<_, _> = inner.map(|inner| (says(inner), length(inner))).collect();
    let nodes: usize = hint.chains.iter().map(Vec::len).sum();
    nodes as u32 + inner.values().sum::<u32>()
}

/// No node follows from itself.
fn check_order(chain: &[Node]) {
    let mut known = vec![false; chain.len()];
    loop {
        let follows = |n: &usize| !known[*n] && chain[*n].parents.iter().all(|&p| known[p]);
        let next: Vec<_> = (0..chain.len()).filter(follows).collect();
        if next.is_empty() {
            break;
        }
        next.into_iter().for_each(|n| known[n] = true);
    }
    assert!(known.iter().all(|&known| known), "a circle: {chain:?}");
}

/// The node without parents.
fn start(chain: &[Node]) -> &Node {
    let mut starts = chain.iter().filter(|node| node.parents.is_empty());
    let start = starts.next().unwrap_or(&chain[0]);
    assert!(starts.next().is_none());
    start
}

/// Whether two candidates of one digit share a house.
fn sees(a: (Cell, Digit), b: (Cell, Digit)) -> bool {
    let shares = |&kind: &HouseKind| House::containing(a.0, kind).contains(b.0);
    a.1 == b.1 && a.0 != b.0 && HOUSE_KINDS.iter().any(shares)
}

/// A hint strikes and places what its end says.
fn check_effect(hint: &Hint, (cell, digit): (Cell, Digit), on: bool, candidates: &Candidates) {
    let strikes: HashSet<_> = hint
        .strikes
        .iter()
        .map(|strike| (strike.cell, strike.digit))
        .collect();
    if on {
        let place = hint.place.unwrap();
        assert_eq!((place.cell, place.digit), (cell, digit));
        let others = candidates.in_cell(cell).filter(|other| other.1 != digit);
        // A chain inside knows that some of them are off already.
        assert!(strikes.is_subset(&others.collect()));
    } else {
        assert!(hint.place.is_none());
        assert_eq!(strikes, HashSet::from([(cell, digit)]));
    }
}
