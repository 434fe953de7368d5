//! The hardest puzzles, which come in families.
//!
//! A puzzle of 9.5 or more has far more of them nearby than anywhere else. So a family of [`FAMILY`] puzzles shares a
//! climb, and each takes a part of a second of its own:
//!
//! ```text
//!     512 minimal puzzles --> 12 that resist most --> one that holds out --> its family
//!                                  |        ^
//!                                  +-{-2+2}-+
//! ```
//!
//! 1. *Climb.* Each of the twelve goes to a neighbour with two other clues, which chance chooses, if that resists at least as
//!    much, or a little less. All neighbours are looked at in 10 µs each, and those that hold out to the end are never
//!    missed. The others have their [resistance](Suppositions::resistances) measured.
//! 2. *Spread.* Neighbours with two other clues that hold out are rated, and go on in turn: those that are nearest to
//!    what is wanted first. Each that is wanted is a member of the family, if none before it is a symmetric copy.
//!
//! Families depend on the seed, the recipe and their numbers alone.

use super::{Judge, Nearest, Order, Solved, Suppositions, distance, draw, suppositions::Held};
use crate::{
    generate::Grids,
    grid::{AnyPuzzle, Cell, Puzzle},
    order,
    puzzle::{
        Made, Recipe,
        digging::{Digging, Numbers},
        pattern::beginning_with,
        vicinity::Vicinity,
    },
    random::Words,
    solve::Solver,
    stop,
    symmetry::CanonicalPuzzle,
    technique::Rating,
};
use std::{cmp::Reverse, collections::HashSet};

/// The rating from which on puzzles come in families.
pub(super) const LEAST: Rating = Rating::from_tenths(95);

/// The number of puzzles in a family.
pub(in crate::puzzle) const FAMILY: u64 = 8;

/// The climbs without a new member after which a family ends. So one that has members hardly ever ends short.
const MOST_CLIMBS: u32 = 10;

/// The streams of random words of climbs. The other climbs have those before.
const STREAMS: u32 = super::CLIMBS + (1 << 16);

/// The minimal puzzles that a climb begins with, those that go on, and the steps after which it begins anew.
const STARTS: usize = 512;
const CLIMBERS: usize = 12;
const STEPS: u64 = 80;

/// The resistance that a step may lose: from the first to the last step.
const SLACK: [u64; 2] = [20, 5];

/// After this many steps the climbers that resist most take the places of those that resist least.
const ROUND: u64 = 20;

/// The neighbours of a climber whose resistance is measured: half of them held out longest, and chance chooses the others.
const MEASURED: usize = 16;

/// The sets of two clues that go from a puzzle at a time, and the neighbours that are rated then.
const SETS: usize = 24;
const RATED: usize = 8;

/// The puzzles that may go on: those that are nearest to what is wanted.
const PARENTS: usize = 16;

/// The rounds without a new member or a nearer puzzle after which a family begins anew, and the most rounds of it.
const PATIENCE: u32 = 16;
const MOST_ROUNDS: u32 = 100;

/// The tools that make families.
pub(super) struct Tools<'t> {
    pub(super) start: &'t Recipe,
    pub(super) judge: &'t mut Judge,
    pub(super) suppositions: &'t mut Suppositions,
    pub(super) solver: &'t mut Solver,
}

/// Makes families, one at a time. It keeps the last one, which grows as its members are asked for.
pub(super) struct Families {
    vicinity: Vicinity,
    family: Option<Family>,
}

impl Default for Families {
    fn default() -> Self {
        Self {
            vicinity: Vicinity::new(0, 2, true),
            family: None,
        }
    }
}

/// A family.
struct Family {
    number: u64,
    climbs: u32,
    /// The number of climbs since it had a new member.
    in_vain: u32,
    spread: Option<Spread>,
    members: Vec<Made>,
    /// The canonical forms of the members.
    forms: HashSet<AnyPuzzle>,
    nearest: Option<Nearest>,
}

/// A family that grows.
struct Spread {
    words: Words,
    /// The rated puzzles, in the order in which they go on.
    parents: Vec<Parent>,
    seen: HashSet<Puzzle>,
    rounds: u32,
    /// The rounds since something was new.
    since: u32,
}

/// A puzzle that may go on.
#[derive(Clone, Copy)]
struct Parent {
    /// How far its rating is from those that are wanted, in tenths.
    distance: u8,
    /// The number of false candidates that hold out.
    left: u32,
    solved: Solved,
}

impl Families {
    /// The puzzle of a number.
    pub(super) fn member(
        &mut self,
        tools: &mut Tools<'_>,
        order: &Order<'_>,
        number: u64,
        nearest: &mut Option<Nearest>,
    ) -> Option<Made> {
        let (number, member) = (number / FAMILY, (number % FAMILY) as usize);
        let mut family = self
            .family
            .take()
            .filter(|family| family.number == number)
            .unwrap_or_else(|| Family::new(number));
        while family.members.len() <= member && family.grow(tools, &mut self.vicinity, order) {}
        let made = family.members.get(member).copied();
        nearest.clone_from(&family.nearest);
        self.family = Some(family);
        made
    }
}

impl Family {
    fn new(number: u64) -> Self {
        Self {
            number,
            climbs: 0,
            in_vain: 0,
            spread: None,
            members: Vec::new(),
            forms: HashSet::new(),
            nearest: None,
        }
    }

    /// Climbs, or looks for more members. Returns false if there is no further attempt.
    fn grow(&mut self, tools: &mut Tools<'_>, vicinity: &mut Vicinity, order: &Order<'_>) -> bool {
        if let Some(spread) = self.spread.take() {
            self.spread = self.spread(spread, tools, vicinity, order);
            return true;
        }
        if self.in_vain == MOST_CLIMBS {
            return false;
        }
        self.in_vain += 1;
        let mut words = Words::of_stream(order.seed, self.number, STREAMS + self.climbs);
        self.climbs += 1;
        if let Some(found) = climb(&mut words, tools, vicinity, order) {
            let mut spread = Spread {
                words,
                parents: Vec::new(),
                seen: HashSet::from([found.0]),
                rounds: 0,
                since: 0,
            };
            self.rate(&mut spread, tools, order, &[(found, 0)]);
            self.spread = Some(spread);
        }
        true
    }

    /// Rates some neighbours of one of the parents that hold out. Returns the family if it may go on.
    fn spread(
        &mut self,
        mut spread: Spread,
        tools: &mut Tools<'_>,
        vicinity: &mut Vicinity,
        order: &Order<'_>,
    ) -> Option<Spread> {
        let words = &mut spread.words;
        let among = spread.parents.len().min(PARENTS);
        if among == 0 {
            return None;
        }
        // The nearer a parent is, the more often it goes on.
        let parent = spread.parents[draw(words, among).min(draw(words, among))];
        let rests: Vec<_> = (0..SETS)
            .map(|_| (0, rest(words, &parent.solved.0)))
            .collect();
        let near = neighbours(vicinity, order, rests);
        let near: Vec<_> = near
            .into_iter()
            .map(|(_, solved)| solved)
            .filter(|solved| !spread.seen.contains(&solved.0))
            .collect();
        let held = tools.suppositions.held(&near, false);
        let mut found = holding_out(tools.suppositions, &near, &held);
        found.retain(|(solved, _)| spread.seen.insert(solved.0));
        order::sort_by_key(&mut found, |(_, held)| Reverse((held.left, held.count)));
        found.truncate(RATED);
        let found: Vec<_> = found
            .into_iter()
            .map(|(solved, held)| (solved, held.left))
            .collect();
        let is_new = self.rate(&mut spread, tools, order, &found);
        spread.rounds += 1;
        spread.since = if is_new { 0 } else { spread.since + 1 };
        (spread.since < PATIENCE && spread.rounds < MOST_ROUNDS).then_some(spread)
    }

    /// Rates puzzles, each with the number of false candidates that hold out. Returns true if one is a new member, or is
    /// nearer to what is wanted than all before.
    fn rate(
        &mut self,
        spread: &mut Spread,
        tools: &mut Tools<'_>,
        order: &Order<'_>,
        found: &[(Solved, u32)],
    ) -> bool {
        let puzzles: Vec<_> = found.iter().map(|((puzzle, _), _)| *puzzle).collect();
        let ratings = tools.judge.rater.rate_batch(&puzzles);
        let mut is_new = false;
        for (&(solved, left), ratings) in found.iter().zip(ratings) {
            let hardest = ratings
                .ok()
                .filter(|ratings| !ratings.gave_up)
                .and_then(|ratings| ratings.er.zip(ratings.technique));
            let Some((er, technique)) = hardest else {
                continue;
            };
            let (puzzle, solution) = solved;
            let made = Made {
                puzzle,
                solution,
                hardest: Some((er, technique)),
                weight: None,
            };
            let distance = distance(order.recipe.ratings.as_ref(), er);
            is_new |= (spread.parents.iter()).all(|parent| distance < parent.distance);
            spread.parents.push(Parent {
                distance,
                left,
                solved,
            });
            if tools.judge.is_wanted(order, &made) {
                let form = CanonicalPuzzle::new(puzzle, &solution).puzzle();
                if self.forms.insert(form) {
                    is_new = true;
                    self.members.push(made);
                    self.in_vain = 0;
                }
                continue;
            }
            let next = Nearest {
                distance,
                number: self.number * FAMILY,
                puzzle,
                er,
            };
            next.note_in(&mut self.nearest);
        }
        let parents = &mut spread.parents;
        order::sort_by_key(parents, |parent| (parent.distance, Reverse(parent.left)));
        is_new
    }
}

/// Climbs to a puzzle that holds out to the end.
fn climb(
    words: &mut Words,
    tools: &mut Tools<'_>,
    vicinity: &mut Vicinity,
    order: &Order<'_>,
) -> Option<Solved> {
    let mut climbers = starts(words, tools, order);
    for step in 0..STEPS {
        let rests: Vec<_> = climbers
            .iter()
            .enumerate()
            .map(|(at, (climber, _))| (at, rest(words, &climber.0)))
            .collect();
        let mut near = neighbours(vicinity, order, rests);
        near.retain(|(at, solved)| solved.0 != climbers[*at].0.0);
        let puzzles: Vec<_> = near.iter().map(|(_, solved)| *solved).collect();
        let held = tools.suppositions.held(&puzzles, false);
        let out = holding_out(tools.suppositions, &puzzles, &held);
        if let Some((found, _)) = out.first() {
            return Some(*found);
        }
        let mut chosen = Vec::new();
        for climber in 0..climbers.len() {
            let mut own: Vec<_> = (0..near.len())
                .filter(|&at| near[at].0 == climber)
                .collect();
            order::sort_by_key(&mut own, |&at| Reverse(held[at].count));
            for at in MEASURED / 2..own.len().min(MEASURED) {
                let other = at + draw(words, own.len() - at);
                own.swap(at, other);
            }
            chosen.extend(own.into_iter().take(MEASURED));
        }
        let puzzles: Vec<_> = chosen.iter().map(|&at| near[at].1).collect();
        let resistances = tools.suppositions.resistances(&puzzles);
        let slack = SLACK[0] - (SLACK[0] - SLACK[1]) * step / STEPS;
        for (at, climber) in climbers.iter_mut().enumerate() {
            let own = (chosen.iter().zip(&resistances)).filter(|(place, _)| near[**place].0 == at);
            let least = i64::from(climber.1) - loss(words, slack);
            if let Some((&place, &resistance)) = own.max_by_key(|(_, resistance)| **resistance)
                && i64::from(resistance) >= least
            {
                *climber = (near[place].1, resistance);
            }
        }
        if (step + 1) % ROUND == 0 {
            order::sort_by_key(&mut climbers, |(_, resistance)| Reverse(*resistance));
            let count = climbers.len();
            for at in 0..count / 4 {
                climbers[count - 1 - at] = climbers[at];
            }
        }
    }
    None
}

/// The minimal puzzles that resist most, with their resistances.
fn starts(words: &mut Words, tools: &mut Tools<'_>, order: &Order<'_>) -> Vec<(Solved, i32)> {
    let grids = Grids::uniform(words.next());
    let grids = match order.grids.first_digit() {
        Some(digit) => grids.with_first_digit(digit),
        None => grids,
    };
    let starts = (&grids, words.next());
    let mut made = [None; STARTS];
    let wanted = (tools.start, None);
    Digging::new(tools.start).run(tools.solver, starts, wanted, Numbers::From(0), &mut made);
    let puzzles: Vec<_> = (made.iter().flatten())
        .map(|made| (made.puzzle, made.solution))
        .collect();
    let resistances = tools.suppositions.resistances(&puzzles);
    let mut all: Vec<_> = puzzles.into_iter().zip(resistances).collect();
    order::sort_by_key(&mut all, |(_, resistance)| Reverse(*resistance));
    all.truncate(CLIMBERS);
    all
}

/// The puzzles among these that hold out to the end, also after simple techniques. `held` is for them without these.
fn holding_out(
    suppositions: &mut Suppositions,
    puzzles: &[Solved],
    held: &[Held],
) -> Vec<(Solved, Held)> {
    let some: Vec<_> = (puzzles.iter().zip(held))
        .filter(|(_, held)| held.left > 0)
        .map(|(solved, _)| *solved)
        .collect();
    let held = suppositions.held(&some, true);
    (some.into_iter().zip(held))
        .filter(|(_, held)| held.left > 0)
        .collect()
}

/// A puzzle without two clues that chance chooses.
fn rest(words: &mut Words, puzzle: &Puzzle) -> Puzzle {
    let mut clues: Vec<_> = Cell::all()
        .filter(|&cell| puzzle.get(cell).is_some())
        .collect();
    let mut rest = *puzzle;
    for _ in 0..2 {
        let at = draw(words, clues.len());
        rest.set(clues.swap_remove(at), None);
    }
    rest
}

/// The minimal puzzles with two clues more than each of these rests, each with the place of its rest.
fn neighbours(
    vicinity: &mut Vicinity,
    order: &Order<'_>,
    rests: Vec<(usize, Puzzle)>,
) -> Vec<(usize, Solved)> {
    stop::check();
    vicinity.begin(
        rests
            .into_iter()
            .map(|(place, rest)| (place, rest, u64::MAX)),
    );
    let first_digit = order.grids.first_digit();
    let near = vicinity.by_ref().map(|near| {
        let solved = match first_digit {
            Some(digit) => beginning_with(digit, &near.puzzle, &near.solution),
            None => (near.puzzle, near.solution),
        };
        (near.seed, solved)
    });
    near.collect()
}

/// The resistance that a step may lose. It is about `slack` in the mean, and falls off as in annealing; it is made of whole
/// numbers alone, so it is the same on every machine.
fn loss(words: &mut Words, slack: u64) -> i64 {
    let word = words.next();
    let halvings = u64::from(word.leading_zeros()) << 8 | word & 0xff;
    // The natural logarithm of 2 is 177 / 256.
    ((slack * halvings * 177) >> 16) as i64
}
