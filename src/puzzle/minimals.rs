//! All minimal puzzles inside a puzzle: the subsets of its clues that keep its only solution, and lose it when
//! any clue more goes.
//!
//! The search decides clue after clue, in reading order: the clue goes, or it stays.
//!
//! ```text
//!     1 . 2 3 . 4        first the puzzles without the 1, then those with it
//!     '-- goes?          among these first those without the 2, then those with it
//! ```
//!
//! So the puzzles come in the order of their texts, where a blank comes before any digit. This order does not
//! depend on how the search cuts.
//!
//! A set of clues is *unavoidable* if another grid has the same digits everywhere else. A puzzle has one
//! solution exactly if it has a clue of each unavoidable set. (G. McGuire, B. Tugemann and G. Civario, *There
//! is no 16-clue Sudoku*, 2012.) A minimal puzzle has for each of its clues a *private* set: one in which it has
//! no other clue. The search asks the solver only where no set that is known decides, and each other
//! solution that the solver finds is another set.
//!
//! - A clue cannot go if it is the last one of some set: it is *needed* from there on.
//! - A clue that stays must have a private set. If even the clues that stay for certain leave it none, no
//!   minimal puzzle has all of them.
//!
//! When every clue that is left is needed, these are a minimal puzzle. (Minimal hitting sets by branching with
//! private sets: K. Murakami and T. Uno, *Efficient algorithms for dualizing large-scale hypergraphs*, 2014.)

use crate::{
    grid::{BLANK, CELLS, Candidate, Cell, Digit, Grid, HOUSE_CELLS, Puzzle},
    solve::solution_without,
    stop,
};

/// A set of cells, a bit for each.
type Set = u128;

/// The most unavoidable sets that are kept. They save questions, and nothing depends on them.
const MOST_SETS: usize = 4096;

/// The minimal puzzles inside a puzzle whose only solution is this grid, in the order of their texts, each once.
///
/// ```
/// use sudoku_batch::{Outcome, Puzzle, Solver, puzzle::minimal_puzzles};
/// let minimal: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let Outcome::Unique(solution) = Solver::new().solve(&minimal) else { panic!() };
/// assert_eq!(minimal_puzzles(&minimal, &solution).collect::<Vec<_>>(), [minimal]);
/// let more: Puzzle =
///     "49.52.7.3.....3...13...7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let puzzles: Vec<_> = minimal_puzzles(&more, &solution).collect();
/// assert!(puzzles.contains(&minimal) && puzzles.is_sorted_by_key(|puzzle| *puzzle.as_ascii()));
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
pub fn minimal_puzzles(
    puzzle: &Puzzle,
    solution: &Grid,
) -> impl Iterator<Item = Puzzle> + Clone + use<> {
    Minimals::new(puzzle, solution)
}

/// The search for [`minimal_puzzles`].
#[derive(Clone, Debug)]
pub(crate) struct Minimals {
    solution: [u8; CELLS],
    /// The clues of the puzzle in reading order.
    clues: Vec<u8>,
    /// Unavoidable sets of the solution: the clues in them.
    sets: Vec<Set>,
    /// The next of `sets` that a new one takes the place of, when they are as many as may be.
    oldest: usize,
    /// The work that is left, last things first.
    open: Vec<Node>,
}

/// A node of the search.
#[derive(Clone, Copy, Debug)]
struct Node {
    /// The clues that have not gone. They have one solution.
    left: Set,
    /// The clues among them that stay.
    kept: Set,
    /// The place among all clues of the first one that is not decided.
    next: usize,
}

impl Minimals {
    /// The sets of a puzzle whose only solution is this grid.
    pub(crate) fn new(puzzle: &Puzzle, solution: &Grid) -> Self {
        let clues = Cell::all().filter(|&cell| puzzle.get(cell).is_some());
        let clues: Vec<_> = clues.map(|cell| cell.index() as u8).collect();
        let all = clues.iter().fold(0, |all, &clue| all | 1 << clue);
        let mut sets: Vec<_> = sets_of_two_digits(solution.as_ascii())
            .map(|set| set & all)
            .collect();
        sets.sort_unstable();
        sets.dedup();
        Self {
            solution: *solution.as_ascii(),
            clues,
            sets,
            oldest: 0,
            open: vec![Node {
                left: all,
                kept: 0,
                next: 0,
            }],
        }
    }

    /// The clues that are needed: each is the last one of a known set.
    fn needed(&self, left: Set) -> Set {
        let lasts = self.sets.iter().map(|set| set & left);
        let lasts = lasts.filter(|last| last.is_power_of_two());
        lasts.fold(0, |needed, last| needed | last)
    }

    /// Returns true if a clue has a set in which it is the only one of some clues.
    fn has_private_set(&mut self, clue: Set, among: Set) -> bool {
        self.sets.iter().any(|set| set & (among | clue) == clue) || self.ask(clue, among)
    }

    /// Asks the solver for a set with a clue and none of the others among these. It is kept.
    fn ask(&mut self, clue: Set, among: Set) -> bool {
        let mut cells = [BLANK; CELLS];
        for &cell in &self.clues {
            if (among & !clue) >> cell & 1 != 0 {
                cells[usize::from(cell)] = self.solution[usize::from(cell)];
            }
        }
        let cell = clue.trailing_zeros() as usize;
        let strike = Candidate {
            cell: Cell::new(cell).expect("81 cells"),
            digit: Digit::from_ascii(self.solution[cell]).expect("a digit"),
        };
        let Some(other) = solution_without(&cells, strike) else {
            return false;
        };
        let clues = self.clues.iter();
        let differs = |&&cell: &&u8| other[usize::from(cell)] != self.solution[usize::from(cell)];
        let set = clues.filter(differs).fold(0, |set, &cell| set | 1 << cell);
        if self.sets.len() < MOST_SETS {
            self.sets.push(set);
        } else {
            self.sets[self.oldest] = set;
            self.oldest = (self.oldest + 1) % MOST_SETS;
        }
        true
    }

    /// Returns true if some clue that stays has no private set among those that stay for certain.
    fn is_hopeless(&mut self, kept: Set, needed: Set) -> bool {
        let certain = kept | needed;
        let mut doubtful = kept & !needed;
        while doubtful != 0 {
            let clue = 1 << doubtful.trailing_zeros();
            if !self.has_private_set(clue, certain) {
                return true;
            }
            doubtful ^= clue;
        }
        false
    }

    fn puzzle(&self, left: Set) -> Puzzle {
        let mut puzzle = Puzzle::EMPTY;
        for cell in Cell::all().filter(|cell| left >> cell.index() & 1 != 0) {
            puzzle.set(cell, Digit::from_ascii(self.solution[cell.index()]));
        }
        puzzle
    }
}

impl Iterator for Minimals {
    type Item = Puzzle;

    fn next(&mut self) -> Option<Puzzle> {
        'nodes: while let Some(mut node) = self.open.pop() {
            stop::check();
            loop {
                let mut needed = self.needed(node.left);
                if self.is_hopeless(node.kept, needed) {
                    continue 'nodes;
                }
                // The first clue that may go.
                let may_go = loop {
                    let Some(&cell) = self.clues.get(node.next) else {
                        break None;
                    };
                    let clue = 1 << cell;
                    if needed & clue == 0 && !self.ask(clue, node.left) {
                        break Some(clue);
                    }
                    needed |= clue;
                    node.next += 1;
                };
                let Some(clue) = may_go else {
                    // Clues that stay and are not known to be needed may have private sets that others rule out.
                    let mut doubtful = node.left & !needed;
                    while doubtful != 0 {
                        let clue = 1 << doubtful.trailing_zeros();
                        if !self.has_private_set(clue, node.left) {
                            continue 'nodes;
                        }
                        doubtful ^= clue;
                    }
                    return Some(self.puzzle(node.left));
                };
                node.next += 1;
                let kept = node.kept | clue;
                self.open.push(Node { kept, ..node });
                node.left &= !clue;
            }
        }
        None
    }
}

/// The unavoidable sets of two digits: the cells of both fall into parts that share no house, and in each part
/// the digits can change places.
pub(super) fn sets_of_two_digits(grid: &[u8; CELLS]) -> impl Iterator<Item = Set> {
    let cells_of = |digit: u8| {
        let cells = (0..CELLS).filter(|&cell| grid[cell] == digit);
        cells.fold(0, |cells, cell| cells | 1 << cell)
    };
    let houses: Vec<Set> = HOUSE_CELLS
        .iter()
        .map(|house| house.iter().fold(0, |cells, &cell| cells | 1 << cell))
        .collect();
    let digits = [b'1', b'2', b'3', b'4', b'5', b'6', b'7', b'8', b'9'].map(cells_of);
    let mut sets = Vec::new();
    for (n, one) in digits.iter().enumerate() {
        for other in &digits[n + 1..] {
            let mut rest: Set = one | other;
            while rest != 0 {
                let mut part = 1 << rest.trailing_zeros();
                loop {
                    let met = houses.iter().filter(|&&house| house & part != 0);
                    let grown = met.fold(part, |part, house| part | house & rest);
                    if grown == part {
                        break;
                    }
                    part = grown;
                }
                sets.push(part);
                rest &= !part;
            }
        }
    }
    sets.into_iter()
}
