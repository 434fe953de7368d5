//! Minimal unavoidable sets, against a plain search and the solver.

use crate::support::{cases, one_of};
use std::collections::BTreeSet;
use sudoku_batch::{
    Cell, Grid, Puzzle, Solver,
    format::{Records, line},
    generate::Grids,
    questions::{Data, UNAVOIDABLE},
};

/// The sets, the bound and the count of a grid.
fn found(grid: &Grid, most: u32, list: bool) -> (Vec<Vec<usize>>, u64, u64) {
    let mut records = Records::default();
    line::read(grid.as_str().as_bytes(), &mut records);
    let most = most.to_string();
    let list = list.to_string();
    let mut question = UNAVOIDABLE
        .with([("most", most.as_str()), ("list", &list)])
        .unwrap();
    let answer = question.ask(&records);
    let [
        Data::Numbers(counts),
        Data::Numbers(bounds),
        Data::Texts(texts),
    ] = [0, 1, 2].map(|column| answer.column(column))
    else {
        unreachable!("the kinds of the columns");
    };
    let text = String::from_utf8(texts.get(0).to_vec()).unwrap();
    let cell = |name: &str| {
        let of = |place: usize| usize::from(name.as_bytes()[place] - b'1');
        9 * of(1) + of(3)
    };
    let sets = text
        .split_whitespace()
        .map(|set| set.split('+').map(cell).collect());
    (sets.collect(), bounds[0].unwrap(), counts[0].unwrap())
}

/// All grids that differ from a grid in few cells, cell by cell in reading order. A cell keeps its digit or takes
/// another, and later cells that see it and hold this one have to change too.
struct Plain {
    grid: [u8; 81],
    other: [u8; 81],
    most: usize,
    sets: BTreeSet<Vec<usize>>,
}

fn see_each_other(a: usize, b: usize) -> bool {
    let of_box = |cell: usize| (cell / 27, cell % 9 / 3);
    a != b && (a / 9 == b / 9 || a % 9 == b % 9 || of_box(a) == of_box(b))
}

impl Plain {
    fn fill(&mut self, cell: usize, changed: &mut Vec<usize>, must_change: &[bool; 81]) {
        let later = must_change[cell..].iter().filter(|must| **must).count();
        if changed.len() + later > self.most {
            return;
        }
        if cell == 81 {
            if !changed.is_empty() {
                self.sets.insert(changed.clone());
            }
            return;
        }
        for digit in b'1'..=b'9' {
            let keeps = digit == self.grid[cell];
            if keeps && must_change[cell] {
                continue;
            }
            let clashes = (0..cell).any(|c| self.other[c] == digit && see_each_other(c, cell));
            if clashes {
                continue;
            }
            self.other[cell] = digit;
            if keeps {
                self.fill(cell + 1, changed, must_change);
            } else {
                let mut must_change = *must_change;
                for (later, must) in must_change.iter_mut().enumerate().skip(cell + 1) {
                    *must |= self.grid[later] == digit && see_each_other(cell, later);
                }
                changed.push(cell);
                self.fill(cell + 1, changed, &must_change);
                changed.pop();
            }
        }
    }
}

/// The minimal of the sets in which another grid differs: the smallest first, then in the order of their cells.
fn plain(grid: &Grid, most: u32) -> Vec<Vec<usize>> {
    let mut search = Plain {
        grid: *grid.as_ascii(),
        other: [0; 81],
        most: most as usize,
        sets: BTreeSet::new(),
    };
    search.fill(0, &mut Vec::new(), &[false; 81]);
    let mut sets: Vec<_> = search.sets.into_iter().collect();
    sets.sort_by_key(|set| (set.len(), set.clone()));
    let mut minimal: Vec<Vec<usize>> = Vec::new();
    for set in sets {
        let has = |part: &Vec<usize>| part.iter().all(|cell| set.contains(cell));
        if !minimal.iter().any(has) {
            minimal.push(set);
        }
    }
    minimal
}

/// With `SUDOKU_BATCH_CASES=20` twenty grids and sets of up to 12 cells.
#[test]
fn sets_are_those_of_a_plain_search() {
    let most = if cases(1) > 1 { 12 } else { 8 };
    let uniform = Grids::uniform(12);
    for number in 0..cases(1) as u64 {
        let grid = uniform.grid(number).unwrap();
        let (sets, _, count) = found(&grid, most, true);
        assert_eq!(sets, plain(&grid, most));
        assert_eq!(count as usize, sets.len());
    }
}

/// A grid with 648 automorphisms. It has no set of four cells.
const CYCLIC: &str =
    "123456789456789123789123456231564897564897231897231564312645978645978312978312645";

/// Without the cells of a set there are several solutions. With any of its digits there is one again.
#[test]
fn sets_are_unavoidable_and_minimal() {
    let mut solver = Solver::new();
    for grid in [Grids::uniform(13).grid(0).unwrap(), CYCLIC.parse().unwrap()] {
        let (sets, _, _) = found(&grid, 12, true);
        assert!(sets.len() > 100);
        for set in sets.iter().step_by(one_of(4)) {
            let mut puzzle = Puzzle::from(grid);
            let cells = set.iter().map(|&index| Cell::all().nth(index).unwrap());
            cells.clone().for_each(|cell| puzzle.set(cell, None));
            assert!(solver.count(&puzzle, 2) == 2);
            for cell in cells {
                let mut more = puzzle;
                more.set(cell, Some(grid.get(cell)));
                assert_eq!(solver.count(&more, 2), 1);
            }
        }
    }
}

/// The largest number of sets without a common cell: the first set is chosen or not.
fn bound(sets: &[Vec<usize>]) -> u64 {
    let Some((first, rest)) = sets.split_first() else {
        return 0;
    };
    let apart = |set: &&Vec<usize>| !set.iter().any(|cell| first.contains(cell));
    let without: Vec<_> = rest.iter().filter(apart).cloned().collect();
    let chosen = 1 + bound(&without);
    // No better without it, if it meets no other.
    if without.len() == rest.len() {
        chosen
    } else {
        chosen.max(bound(rest))
    }
}

#[test]
fn the_bound_is_the_best_of_all_choices() {
    let uniform = Grids::uniform(14);
    for number in 0..cases(10) as u64 {
        let grid = uniform.grid(number).unwrap();
        let (sets, clues, _) = found(&grid, 6, true);
        assert_eq!(clues, bound(&sets));
        for most in [6, 12] {
            let (shown, clues, _) = found(&grid, most, false);
            let cells: BTreeSet<_> = shown.iter().flatten().collect();
            assert_eq!(cells.len(), shown.iter().map(Vec::len).sum::<usize>());
            assert_eq!(shown.len() as u64, clues);
        }
    }
}

#[test]
fn a_grid_may_have_no_set() {
    let grid: Grid = CYCLIC.parse().unwrap();
    let (sets, clues, count) = found(&grid, 4, true);
    assert!(sets.is_empty() && clues == 0 && count == 0);
    assert!(UNAVOIDABLE.with([("most", "3")]).is_err());
}
