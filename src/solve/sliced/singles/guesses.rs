//! The [reference search](crate::solve::guesses) of a batch.
//!
//! A puzzle with one solution or none takes as many guesses as its tree has, in any order, because the
//! search ends with the tree. So lanes hold nodes of many trees. Where singles end, a lane takes the cell
//! of the rule, if it has two candidates. The lane goes on with the smaller one. The node with the other
//! one waits as text for a free lane:
//!
//! ```text
//!     the lane       . . 3 7 . 4 ...   the cell is r1c2, with 2 and 5
//!     goes on        . 2 3 7 . 4 ...
//!     waits          . 5 3 7 . 4 ...
//! ```
//!
//! Digits suffice, because singles leave each cell the candidates that its peers do not have.
//!
//! The search of one puzzle decides the others: those with several solutions, where the order counts;
//! those that take more guesses than they may; those with three candidates or more in each open cell.

use super::{Houses, SinglesPlanes, take_next};
use crate::{
    grid::{CELLS, GridLine},
    simd::{Isa, Lanes, Vector, array, ones, run},
    solve::{
        NO_SOLUTION,
        sliced::{NOBODY, ROWS, fresh::digit_of},
    },
    stop,
};

/// Lanes branch when at least this many of a hundred that hold a node have no single left.
const IDLE_PERCENT: usize = 50;

/// The facts about a puzzle.
#[derive(Clone, Copy, Default)]
struct Tally {
    guesses: u64,
    solutions: u32,
    /// True if the search of one puzzle decides it.
    is_left: bool,
}

/// The fate of lanes without singles.
struct Ends<V> {
    solved: V,
    branched: V,
    /// Each open cell has three candidates or more.
    wide: V,
    /// The number of the cell that a lane branches on, in bits.
    cell: [V; 7],
    /// The larger candidate of that cell, 1 to 9, in bits.
    digit: [V; 4],
}

impl<V: Vector> SinglesPlanes<V> {
    /// Sets how many guesses each puzzle needs, at most `most`, or `None` where the search of one puzzle
    /// is to decide.
    pub(in super::super) fn guesses<I: Isa<V = V>>(
        &mut self,
        isa: I,
        cells: &[[u8; CELLS]],
        most: u64,
        guesses: &mut [Option<u64>],
    ) {
        let mut tallies = vec![Tally::default(); cells.len()];
        let (mut nodes, mut node_of) = (Vec::<GridLine>::new(), Vec::<u32>::new());
        let (mut next, mut upwards) = (0, true);
        let mut held = Lanes::default();
        loop {
            stop::check();
            let free = run!(isa, || isa.vector(&held).not().lanes());
            let mut waiting = nodes.len();
            let entered = self.start(isa, &free, || {
                while waiting > 0 {
                    waiting -= 1;
                    let puzzle = node_of[waiting];
                    if !tallies[puzzle as usize].is_left {
                        return Some((puzzle, nodes[waiting].first_chunk()?));
                    }
                }
                take_next(cells, &mut next)
            });
            nodes.truncate(waiting);
            node_of.truncate(waiting);
            for (held, entered) in held.0.iter_mut().zip(entered.0) {
                *held |= entered;
            }
            if !held.any() {
                break;
            }
            let most_busy = held.count() * (100 - IDLE_PERCENT) / 100;
            let mut idle;
            loop {
                let changed = self.pass(isa, upwards, true);
                upwards = !upwards;
                idle = run!(isa, || isa.vector(&held).and_not(changed).lanes());
                if held.count() - idle.count() <= most_busy {
                    break;
                }
            }
            let ends = run!(isa, || self.branch(isa, isa.vector(&idle)));
            for lane in run!(isa, || ends.solved.lanes()).iter() {
                let tally = &mut tallies[self.puzzle_of[lane] as usize];
                tally.solutions += 1;
                tally.is_left |= tally.solutions > 1;
            }
            for lane in run!(isa, || ends.wide.lanes()).iter() {
                tallies[self.puzzle_of[lane] as usize].is_left = true;
            }
            let mut branched = run!(isa, || ends.branched.lanes());
            for lane in branched.iter() {
                let tally = &mut tallies[self.puzzle_of[lane] as usize];
                tally.guesses += 2;
                tally.is_left |= tally.guesses > most;
                if tally.is_left {
                    branched.unset(lane);
                }
            }
            self.leave(isa, &ends, &branched, &mut nodes, &mut node_of);
            for (g, held) in held.0.iter_mut().enumerate() {
                *held &= !idle.0[g] | branched.0[g];
            }
        }
        for (guesses, tally) in guesses.iter_mut().zip(tallies) {
            *guesses = (!tally.is_left).then_some(tally.guesses);
        }
    }

    /// Ends or branches these lanes, and puts the digits of those that branch into `text`.
    #[inline(always)]
    fn branch<I: Isa<V = V>>(&mut self, isa: I, idle: V) -> Ends<V> {
        let (mut alive, mut open) = (self.whole(isa).and(idle), isa.zeros());
        for digit in self.open.as_chunks::<CELLS>().0 {
            let placed = array!(|cell| digit[cell].and_not(self.two[cell]));
            let twice = Houses::crowded(&placed);
            for house in 0..9 {
                let twice = twice.rows[house].or3(twice.columns[house], twice.boxes[house]);
                alive = alive.and_not(twice);
            }
        }
        for &two in &*self.two {
            open = open.or(two);
        }
        let undecided = alive.and(open);
        let lanes = undecided.lanes();
        let mut wide = undecided;
        let (mut number, mut larger) = ([isa.zeros(); 7], [isa.zeros(); 9]);
        for cell in 0..CELLS {
            let candidates: [V; 9] = array!(|digit| self.open[CELLS * digit + cell]);
            let two = self.two[cell];
            let text = digit_of(candidates);
            let text = array!(|bit| text[bit].and_not(two));
            isa.set_column(&mut self.text, cell, &lanes, text);

            let [mut a, mut b, mut three] = [isa.zeros(); 3];
            for candidate in candidates {
                three = three.or_and(b, candidate);
                b = b.or_and(a, candidate);
                a = a.or(candidate);
            }
            let here = wide.and(two).and_not(three);
            wide = wide.and_not(here);
            self.two[cell] = two.and_not(here);
            let mut removes = here;
            for digit in (0..9).rev() {
                let removed = removes.and(candidates[digit]);
                removes = removes.and_not(removed);
                larger[digit] = larger[digit].or(removed);
                self.open[CELLS * digit + cell] = candidates[digit].and_not(removed);
            }
            for (bit, number) in number.iter_mut().enumerate() {
                if cell >> bit & 1 != 0 {
                    *number = number.or(here);
                }
            }
        }
        Ends {
            solved: alive.and_not(open),
            branched: undecided.and_not(wide),
            wide,
            cell: number,
            digit: digit_of(larger),
        }
    }

    /// Adds the nodes that these lanes leave to be searched.
    fn leave<I: Isa<V = V>>(
        &mut self,
        isa: I,
        ends: &Ends<V>,
        lanes: &Lanes,
        nodes: &mut Vec<GridLine>,
        node_of: &mut Vec<u32>,
    ) {
        let (cells, digits) = run!(isa, || {
            let none = Lanes::default();
            let [a, b, c, d, e, f, g] = ends.cell.map(V::lanes);
            let [i, j, k, l] = ends.digit.map(V::lanes);
            (
                [a, b, c, d, e, f, g, none],
                [i, j, k, l, none, none, none, none],
            )
        });
        for (g, &lanes) in lanes.0.iter().enumerate().take(I::LANES / ROWS) {
            if lanes == 0 {
                continue;
            }
            let mut rows = [NOBODY; ROWS];
            for bit in ones(lanes) {
                rows[bit] = nodes.len() as u32;
                nodes.push(NO_SOLUTION);
                node_of.push(self.puzzle_of[ROWS * g + bit]);
            }
            let (cells, digits) = run!(isa, || {
                isa.rows_of_planes(&self.text[g], &rows, nodes);
                (
                    isa.bytes_of_planes(&cells, g),
                    isa.bytes_of_planes(&digits, g),
                )
            });
            for bit in ones(lanes) {
                nodes[rows[bit] as usize][usize::from(cells[bit])] = b'0' + digits[bit];
            }
        }
    }
}
