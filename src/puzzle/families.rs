//! Families of puzzles to order: one that is dug, and its relatives, which have all that is wanted too.
//!
//! ```text
//!     numbers 0 to 20   dug: puzzle 0   its relatives: 1 to 13   dug: puzzle 14   its relatives: 15 to 20
//!     numbers 21 to 41  dug: puzzle 21  its relatives: 22 to 41
//! ```
//!
//! A puzzle that is dug is that of its number without relatives. One minimal puzzle in 125 has a swordfish before any harder
//! step. Of the minimal neighbours {-1+1} of one that has it, with other solutions, one in seven has it too:
//!
//! ```text
//!     puzzle, or a relative --> rest without a clue --> its solutions --> each with one clue that no other one has
//!               ^                                                                        |
//!               +------- all that is wanted, with a new solution <-----------------------+
//! ```
//!
//! A rest with more than some solutions is left out: its solutions take several times as long. Neighbours with the solution of
//! the puzzle mostly have the same position before the step too, so they do not count. With all neighbours of all rests
//! ([`Vicinity`](super::vicinity::Vicinity)) this part took three times as long, and with the minimal ones alone ten times; the
//! few that have what is wanted are asked about last.
//!
//! All families of a batch go on together, so that lanes are full. What happens to one depends on its numbers, the seed and
//! the recipe alone.

use super::{
    Made, PathReader, Recipe,
    climbing::{Order, has_depth},
    digging::{Digging, Fit, Misses, Numbers, are_minimal, judge},
    pattern::beginning_with,
    relatives::{Rest, Solutions, Walk},
};
use crate::{
    grid::{BLANK, CELLS, Candidate, Cell, Grid, GridLine, Puzzle},
    random::Words,
    solve::{self, NO_SOLUTION, Solver},
    stop,
    technique::{Rater, Rating},
};
use std::ops::RangeInclusive;

/// The rests of a family that are looked at in a round: this number, and as many more as tries have led to its puzzle, by
/// [`PATIENCE`]. A rest takes about as long as a try, so no more is lost with a puzzle that has no relatives than it took to dig.
const RESTS: usize = 16;

/// The most tries that count so.
const MOST_TRIES: usize = 1000;

/// The rounds without a new relative after which the next puzzle of a family is dug.
const PATIENCE: usize = 6;

/// Rests with more solutions are left out.
const MOST_SOLUTIONS: usize = 32;

/// The rests that are solved together.
const SOLVED: usize = 2048;

/// The stream of random words of walks. No grid and no order takes words of it.
const WALKS: u32 = 1 << 21;

/// Makes families by one recipe, with its memory.
#[derive(Debug)]
pub(super) struct Families {
    ratings: RangeInclusive<Rating>,
    rater: Rater,
    paths: PathReader,
    trials: Option<Rater>,
    /// The rated puzzles of the last run that were dug and did not fit.
    pub(super) misses: Misses,
}

/// A family in the making.
#[derive(Debug)]
struct Family {
    /// The number of its first puzzle.
    first: u64,
    /// The puzzles that are wanted of it.
    most: usize,
    /// Its puzzles so far, in order. `None` could not be made.
    members: Vec<Option<Made>>,
    solutions: Solutions,
    /// The search for relatives of the puzzle that was dug last.
    walk: Option<Walk>,
    /// The rounds without a new one.
    since: usize,
    /// The rests of a round.
    rests: usize,
}

/// A neighbour of a family.
struct Near {
    family: usize,
    puzzle: Puzzle,
    solution: Grid,
}

impl Families {
    /// A maker of families by a recipe that asks for relatives.
    pub(super) fn of(recipe: &Recipe) -> Option<Self> {
        let ratings = recipe.ratings.clone().filter(|_| recipe.relatives > 0)?;
        Some(Self {
            rater: Rater::new().with_max_rating(*ratings.end()),
            ratings,
            paths: PathReader::default(),
            trials: recipe.depths.as_ref().map(|_| Rater::new()),
            misses: Misses::default(),
        })
    }

    /// Makes the puzzles from number `start` on. If their first family begins before, its first puzzles are made too.
    pub(super) fn run(
        &mut self,
        (solver, digging): (&mut Solver, &mut Digging),
        order: &Order<'_>,
        start: u64,
        made: &mut [Option<Made>],
    ) {
        made.fill(None);
        self.misses = Misses::default();
        let (end, size) = (start + made.len() as u64, order.recipe.family());
        let numbers = start / size..end.div_ceil(size);
        let mut families: Vec<_> = numbers
            .map(|family| Family {
                first: family * size,
                most: (end - family * size).min(size) as usize,
                members: Vec::new(),
                solutions: Solutions::default(),
                walk: None,
                since: 0,
                rests: 0,
            })
            .collect();
        while self.dig(solver, digging, order, &mut families) {
            while let Some(near) = neighbours(solver, order, &mut families) {
                let fitting = self.fitting(solver, order, near);
                self.add(order, &mut families, fitting);
            }
        }
        for family in families {
            for (number, member) in (family.first..).zip(family.members) {
                if let Some(place) = number.checked_sub(start) {
                    made[place as usize] = member;
                }
            }
        }
    }

    /// Digs the next puzzle of each family that is not complete. Returns false if there is none.
    fn dig(
        &mut self,
        solver: &mut Solver,
        digging: &mut Digging,
        order: &Order<'_>,
        families: &mut [Family],
    ) -> bool {
        let mut open: Vec<_> = families
            .iter_mut()
            .filter(|family| !family.is_complete())
            .collect();
        if open.is_empty() {
            return false;
        }
        let numbers: Vec<_> = open
            .iter()
            .map(|family| family.first + family.members.len() as u64)
            .collect();
        let mut dug = vec![None; numbers.len()];
        let (from, wanted) = ((order.grids, order.seed), (order.recipe, order.refusal));
        digging.run(solver, from, wanted, Numbers::These(&numbers), &mut dug);
        self.misses.add(digging.misses);
        let dug = dug.into_iter().zip(&digging.tries).zip(&numbers);
        for (family, ((made, &tries), &number)) in open.iter_mut().zip(dug) {
            family.members.push(made);
            family.since = 0;
            family.rests = RESTS + (tries as usize).min(MOST_TRIES) / PATIENCE;
            family.walk = made.map(|made| {
                family.solutions.add(&made.solution);
                Walk::new(
                    Words::of_stream(order.seed, number, WALKS),
                    (made.puzzle, made.solution),
                )
            });
        }
        true
    }

    /// The neighbours that have all that is wanted, but for what is known after the others of the family.
    fn fitting(
        &mut self,
        solver: &mut Solver,
        order: &Order<'_>,
        near: Vec<Near>,
    ) -> Vec<(usize, Made)> {
        let recipe = order.recipe;
        let cells: Vec<_> = near.iter().map(|near| *near.puzzle.as_ascii()).collect();
        let fits = judge(
            &mut self.rater,
            &mut self.paths,
            (recipe, &self.ratings),
            &cells,
        );
        let fitting = near.into_iter().zip(fits).filter_map(|(near, fit)| {
            let Fit::Fits(hardest) = fit else {
                return None;
            };
            let Near {
                family,
                puzzle,
                solution,
            } = near;
            Some((
                family,
                Made {
                    puzzle,
                    solution,
                    hardest,
                    weight: None,
                },
            ))
        });
        let mut fitting: Vec<_> = fitting.collect();
        if recipe.is_minimal() {
            let made = fitting.iter().map(|(_, made)| made);
            let mut are_minimal = are_minimal(solver, made).into_iter();
            fitting.retain(|_| are_minimal.next().unwrap_or(false));
        }
        fitting
    }

    /// Adds those with new solutions to their families.
    fn add(&mut self, order: &Order<'_>, families: &mut [Family], fitting: Vec<(usize, Made)>) {
        let recipe = order.recipe;
        for (place, made) in fitting {
            let family = &mut families[place];
            let depths = recipe.depths.as_ref().zip(self.trials.as_mut());
            if !family.is_complete()
                && !family.solutions.has(&made.solution)
                && recipe.has_guesses(&made.puzzle)
                && depths.is_none_or(|(range, trials)| has_depth(trials, range, &made))
                && order.refusal.is_none_or(|refusal| !refusal.refuses(&made))
                && family.solutions.add(&made.solution)
                && let Some(walk) = &mut family.walk
            {
                walk.add(made.puzzle, made.solution);
                family.members.push(Some(made));
                family.since = 0;
            }
        }
    }
}

impl Family {
    fn is_complete(&self) -> bool {
        self.members.len() == self.most
    }
}

/// Neighbours with solutions that their families do not have, or none if no family looks for relatives.
fn neighbours(
    solver: &mut Solver,
    order: &Order<'_>,
    families: &mut [Family],
) -> Option<Vec<Near>> {
    stop::check();
    let mut rests = Vec::new();
    for (place, family) in families.iter_mut().enumerate() {
        if family.is_complete() || family.since == PATIENCE {
            family.walk = None;
        }
        if let Some(walk) = &mut family.walk {
            rests.extend((0..family.rests).map(|_| (place, walk.rest())));
            family.since += 1;
        }
    }
    if rests.is_empty() {
        return None;
    }
    let first_digit = order.grids.first_digit();
    let mut near = Vec::new();
    for rests in rests.chunks(SOLVED) {
        for ((place, rest), solutions) in rests.iter().zip(all_solutions(solver, rests)) {
            let family = &mut families[*place];
            let walk = family.walk.as_mut().expect("it has rests");
            for (cells, solution) in with_one_clue(rest, &solutions) {
                let cell = cells[walk.draw(cells.len())];
                let mut puzzle = rest.puzzle;
                puzzle.set(cell, Some(solution.get(cell)));
                let (puzzle, solution) = match first_digit {
                    Some(digit) => beginning_with(digit, &puzzle, &solution),
                    None => (puzzle, solution),
                };
                if !family.solutions.has(&solution)
                    && walk.is_new(&puzzle)
                    && order.recipe.has_clues_for(&puzzle)
                {
                    near.push(Near {
                        family: *place,
                        puzzle,
                        solution,
                    });
                }
            }
        }
    }
    Some(near)
}

/// All solutions of rests but the known ones, in order, or none of a rest with more than [`MOST_SOLUTIONS`].
fn all_solutions(solver: &mut Solver, rests: &[(usize, Rest)]) -> Vec<Vec<Grid>> {
    let cells: Vec<_> = rests
        .iter()
        .map(|(_, rest)| *rest.puzzle.as_ascii())
        .collect();
    let strikes = rests.iter().map(|(_, rest)| {
        let digit = rest.solution.get(rest.gone);
        Some(Candidate {
            cell: rest.gone,
            digit,
        })
    });
    let strikes: Vec<_> = strikes.collect();
    let mut lines: Vec<GridLine> = vec![NO_SOLUTION; MOST_SOLUTIONS * rests.len()];
    let mut counts = vec![0; rests.len()];
    solver.solutions_of(
        &cells,
        &strikes,
        MOST_SOLUTIONS as u64 + 1,
        &mut lines,
        &mut counts,
    );
    let all = rests.iter().zip(lines.chunks(MOST_SOLUTIONS)).zip(counts);
    let all = all.map(|(((_, rest), lines), count)| {
        if count > MOST_SOLUTIONS as u64 {
            return Vec::new();
        }
        let solutions = lines.iter().filter(|line| line[0] != BLANK);
        let solutions =
            solutions.flat_map(|line| Grid::from_ascii(line.first_chunk().expect("81 of 82")));
        let mut solutions: Vec<_> = solutions.collect();
        solutions.sort_unstable();
        solutions.dedup();
        // One may be missing.
        if solutions.len() as u64 != count {
            let all = solve::Solutions::new(&rest.puzzle);
            return all.filter(|one| *one != rest.solution).collect();
        }
        solutions
    });
    all.collect()
}

/// The solutions of a rest that one clue more leaves alone, each with the cells of such clues.
fn with_one_clue(rest: &Rest, solutions: &[Grid]) -> Vec<(Vec<Cell>, Grid)> {
    let bit = |grid: &Grid, cell: Cell| 1_u16 << grid.get(cell).get();
    let (mut once, mut twice) = ([0; CELLS], [0; CELLS]);
    for solution in [&rest.solution].into_iter().chain(solutions) {
        for cell in Cell::all() {
            let digit = bit(solution, cell);
            twice[cell.index()] |= once[cell.index()] & digit;
            once[cell.index()] |= digit;
        }
    }
    let alone = solutions.iter().map(|solution| {
        let cells = Cell::all().filter(|&cell| bit(solution, cell) & !twice[cell.index()] != 0);
        (cells.collect::<Vec<_>>(), *solution)
    });
    alone.filter(|(cells, _)| !cells.is_empty()).collect()
}
