//! Minimal puzzles with weights that undo the bias of digging.
//!
//! Digging takes one of the clues that can go, each as likely as the others, until none can. Let `n(j)` be the
//! number of clues that can go when j are gone. A puzzle with k clues comes by any of the (81 - k)! orders in
//! which its blanks can go, and an order comes with the probability 1 / n(0) / n(1) / ... / n(80 - k). So the
//! weight n(0) · n(1) ⋯ n(80 - k) / (81 - k)! has the mean 1 for each minimal puzzle of the grid. These weights
//! differ by factors of a thousand, nearly all of it from the last steps. So the last steps are not drawn:
//!
//! ```text
//!     81 clues --- drawn ---> the first C with at most 14 clues that can go --- all ends at once
//! ```
//!
//! The clues that can go together from C are the *faces* of a simplicial complex on at most 14 points, and its
//! largest faces, the *facets*, are the ways to a minimal puzzle. A table with a bit for each of the 2^14 sets
//! finds them all:
//!
//! ```text
//!     bit F of `not_faces`     sets that leave several solutions, closed upwards
//!     bit F of the facets      a face to which no point can be added
//! ```
//!
//! The sets that are known not to be faces come from unavoidable sets. They give too many faces at first. The
//! solver is asked about each facet; where it has several solutions, another solution gives one more set. When
//! all facets of the table are true ones, all faces are, because subsets of a face are faces.
//!
//! docs/internals/unbiased.md has the proof, and the method of D. Berthier (*Unbiased statistics of a CSP - a
//! controlled-bias generator*, 2009) beside it.

use super::{Made, digging::order_of, minimals::sets_of_two_digits};
use crate::{
    grid::{BLANK, CELLS, GridLine, Puzzle},
    random::Words,
    solve::{NO_SOLUTION, Solver},
    stop,
};

/// The most clues that can go where the ends are counted. Samples of 20,000 puzzles did not tell 10, 12, 13 and 14
/// apart: 349, 249, 229 and 326 effective puzzles a second, where the noise is as large.
const MOST_POINTS: usize = 14;

/// The number of puzzles in work at a time: enough questions for all lanes, in memory that stays in the cache.
const SITES: usize = 768;

/// The most facets that are asked about at a time. Each that is none makes many others disappear.
const MOST_ASKED: usize = 16;

/// The number of solved grids (B. Felgenhauer and F. Jarvis 2005).
const ALL_GRIDS: f64 = 6_670_903_752_021_072_936_960.0;

/// A set of cells, a bit for each.
type Set = u128;

/// Takes minimal puzzles that were dug in random order, and replaces each by an end that is drawn from all ends
/// of the way to it, with its weight. `start` is the number of the first.
pub(super) fn weigh(solver: &mut Solver, seed: u64, start: u64, made: &mut [Option<Made>]) {
    for (part, made) in made.chunks_mut(SITES).enumerate() {
        let start = start + (part * SITES) as u64;
        let mut sites: Vec<Site> = (start..)
            .zip(&*made)
            .filter_map(|(number, made)| Some(Site::new(made.as_ref()?, seed, number)))
            .collect();
        find_when_needed(solver, &mut sites);
        sites.iter_mut().for_each(Site::stop);
        find_facets(solver, &mut sites);
        for (made, site) in made.iter_mut().flatten().zip(&sites) {
            (made.puzzle, made.weight) = site.end(seed);
        }
    }
}

/// A clue of the dug puzzle.
#[derive(Clone, Copy, Debug)]
struct Clue {
    cell: u8,
    /// The fewest clues gone of which it is known that this one cannot go.
    needed_at: u8,
    /// Whether it can go one clue before.
    is_known: bool,
}

/// A puzzle in work.
#[derive(Debug)]
struct Site {
    number: u64,
    grid: [u8; CELLS],
    /// The cells in the order in which they went.
    gone: Vec<u8>,
    /// For each cell that went how many went before it.
    went_at: [u8; CELLS],
    clues: Vec<Clue>,
    /// Unavoidable sets of the grid.
    sets: Vec<Set>,
    /// The number of clues that went before the ends are counted.
    stopped_at: usize,
    /// The weight of the way there.
    weight: f64,
    /// The clues that can go from there, in reading order.
    points: Vec<u8>,
    /// The cells there.
    cells: [u8; CELLS],
    complex: Complex,
}

impl Site {
    fn new(made: &Made, seed: u64, number: u64) -> Self {
        let (grid, cells) = (*made.solution.as_ascii(), made.puzzle.as_ascii());
        let is_blank = |&cell: &u8| cells[usize::from(cell)] == BLANK;
        let gone: Vec<u8> = order_of(seed, number)
            .into_iter()
            .filter(is_blank)
            .collect();
        let mut went_at = [0; CELLS];
        for (at, &cell) in (0..).zip(&gone) {
            went_at[usize::from(cell)] = at;
        }
        let clues = (0..CELLS as u8).filter(|cell| !is_blank(cell));
        let clues: Vec<_> = clues
            .map(|cell| Clue {
                cell,
                needed_at: gone.len() as u8,
                is_known: false,
            })
            .collect();
        let left = clues.iter().fold(0, |left, clue| left | set_of(clue.cell));
        let sets: Vec<Set> = sets_of_two_digits(&grid).collect();
        let mut site = Self {
            number,
            grid,
            gone,
            went_at,
            clues,
            stopped_at: 0,
            weight: 0.0,
            points: Vec::new(),
            cells: grid,
            complex: Complex::default(),
            sets: Vec::new(),
        };
        for set in &sets {
            // A clue is needed when all others of a set are gone.
            if (set & left).is_power_of_two() {
                let cell = (set & left).trailing_zeros() as u8;
                let clue = site.clues.iter().position(|clue| clue.cell == cell);
                site.need(clue.expect("a clue"), *set);
            }
        }
        Self { sets, ..site }
    }

    /// Notes when a clue is needed because all other cells of an unavoidable set are gone.
    fn need(&mut self, clue: usize, set: Set) {
        let clue = &mut self.clues[clue];
        let others = cells_of(set & !set_of(clue.cell));
        if let Some(last) = others.map(|cell| self.went_at[usize::from(cell)]).max() {
            clue.needed_at = clue.needed_at.min(last + 1);
        }
    }

    /// The cells in which another solution differs from the grid.
    fn difference(&self, solution: &GridLine) -> Set {
        let pairs = self.grid.iter().zip(solution).rev();
        pairs.fold(0, |set, (digit, other)| {
            set << 1 | Set::from(digit != other)
        })
    }

    /// The cells when this number of clues is gone.
    fn cells_at(&self, gone: usize) -> [u8; CELLS] {
        let mut cells = self.grid;
        for &cell in &self.gone[..gone] {
            cells[usize::from(cell)] = BLANK;
        }
        cells
    }

    /// Finds the place where few enough clues can go, when it is known of each since when it is needed.
    fn stop(&mut self) {
        let mut weight = ALL_GRIDS;
        for gone in 0..=self.gone.len() {
            let needed = |clue: &&Clue| usize::from(clue.needed_at) <= gone;
            let can_go = CELLS - gone - self.clues.iter().filter(needed).count();
            if can_go <= MOST_POINTS {
                (self.stopped_at, self.weight) = (gone, weight);
                break;
            }
            weight *= can_go as f64;
        }
        let later = self.gone[self.stopped_at..].iter().copied();
        let can_go = |clue: &&Clue| usize::from(clue.needed_at) > self.stopped_at;
        let clues = self.clues.iter().filter(can_go).map(|clue| clue.cell);
        self.points = later.clone().chain(clues).collect();
        self.points.sort_unstable();
        let way = later.fold(0, |way, cell| way | set_of(cell));
        let gone = self.gone[..self.stopped_at].iter();
        let gone = gone.fold(0, |gone, &cell| gone | set_of(cell));
        let points = self.points.iter().fold(0, |set, &cell| set | set_of(cell));
        self.cells = self.cells_at(self.stopped_at);
        self.complex = Complex::new(self.points.len());
        self.complex.verify(self.bits(way));
        for set in &self.sets {
            let left = set & !gone;
            if left & !points == 0 {
                self.complex.exclude(self.bits(left));
            }
        }
    }

    /// A set of points as bits of their numbers.
    fn bits(&self, set: Set) -> usize {
        let points = (0..).zip(&self.points);
        points.fold(0, |bits, (number, &cell)| {
            bits | ((set >> cell & 1) as usize) << number
        })
    }

    /// The cells without some points.
    fn cells_without(&self, face: usize) -> [u8; CELLS] {
        let mut cells = self.cells;
        for (number, &cell) in self.points.iter().enumerate() {
            if face >> number & 1 != 0 {
                cells[usize::from(cell)] = BLANK;
            }
        }
        cells
    }

    /// Learns from solutions of the puzzle without a set of points that it is no face, and perhaps that a
    /// smaller set is none.
    fn learn(&mut self, face: usize, solutions: &[GridLine]) {
        for solution in solutions.iter().filter(|line| line[0] != BLANK) {
            let points = (0..).zip(&self.points);
            let bits = points.fold(0, |bits, (number, &cell)| {
                let cell = usize::from(cell);
                bits | usize::from(solution[cell] != self.grid[cell]) << number
            });
            debug_assert_eq!(bits & !face, 0, "a solution of the puzzle");
            if bits != 0 {
                self.complex.exclude(bits);
            }
        }
        self.complex.exclude(face);
    }

    /// Draws an end, with its weight.
    fn end(&self, seed: u64) -> (Puzzle, Option<f64>) {
        // Stream 0 makes the grid, and stream 2 the order.
        let mut words = Words::of_stream(seed, self.number, 1);
        let sizes = self.complex.facet_sizes();
        let first = sizes.iter().position(|&count| count > 0).expect("a facet");
        let last = sizes.iter().rposition(|&count| count > 0).expect("a facet");
        // A facet of s points stands for s! of (gone + s)! orders. Times (gone + last)! / first! that is a whole
        // number: (first + 1) ⋯ s · (gone + s + 1) ⋯ (gone + last). It is under 2^78, and all under 2^90.
        let gone = self.stopped_at;
        let shares = (first..=last).map(|size| {
            let orders = (first + 1..=size).chain(gone + size + 1..=gone + last);
            orders.fold(u128::from(sizes[size]), |share, n| share * n as u128)
        });
        let shares: Vec<u128> = shares.collect();
        let all: u128 = shares.iter().sum();
        let mut drawn = draw(&mut words, all);
        let mut size = first;
        for share in &shares {
            if drawn < *share {
                break;
            }
            drawn -= share;
            size += 1;
        }
        let of_one = shares[size - first] / u128::from(sizes[size]);
        let face = self.complex.facet(size, (drawn / of_one) as u32);
        let mut weight = self.weight * all as f64;
        for n in first + 1..=gone + last {
            weight /= n as f64;
        }
        let cells = self.cells_without(face);
        (
            Puzzle::from_ascii(&cells).expect("clues and blanks"),
            Some(weight),
        )
    }
}

/// A number below `range`, which is under 2^127, each as likely as the others.
fn draw(words: &mut Words, range: u128) -> u128 {
    let mask = range.next_power_of_two() - 1;
    loop {
        let word = u128::from(words.next()) << 64 | u128::from(words.next());
        if word & mask < range {
            return word & mask;
        }
    }
}

fn set_of(cell: u8) -> Set {
    1 << cell
}

fn cells_of(mut set: Set) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = set.trailing_zeros() as u8;
        (set != 0).then(|| {
            set &= set - 1;
            cell
        })
    })
}

/// Finds for each clue of each site how many clues are gone when it is needed first.
fn find_when_needed(solver: &mut Solver, sites: &mut [Site]) {
    let (mut cells, mut asked, mut lines, mut counts) = (vec![], vec![], vec![], vec![]);
    loop {
        stop::check();
        cells.clear();
        asked.clear();
        for (at, site) in sites.iter().enumerate() {
            let open = site
                .clues
                .iter()
                .enumerate()
                .filter(|(_, clue)| !clue.is_known);
            for (number, clue) in open {
                // With one clue less gone: can it go there?
                let mut left = site.cells_at(usize::from(clue.needed_at - 1));
                left[usize::from(clue.cell)] = BLANK;
                asked.push((at, number));
                cells.push(left);
            }
        }
        if cells.is_empty() {
            return;
        }
        count_two(solver, &cells, &mut lines, &mut counts);
        for ((&(at, number), &count), solutions) in asked.iter().zip(&counts).zip(lines.chunks(2)) {
            let site = &mut sites[at];
            if count == 1 {
                site.clues[number].is_known = true;
                continue;
            }
            site.clues[number].needed_at -= 1;
            for solution in solutions.iter().filter(|line| line[0] != BLANK) {
                let set = site.difference(solution);
                if set != 0 {
                    site.need(number, set);
                    site.sets.push(set);
                }
            }
        }
    }
}

/// Counts the solutions of puzzles up to two, with two lines for each. One of them may be missing, or come twice.
fn count_two(
    solver: &mut Solver,
    cells: &[[u8; CELLS]],
    lines: &mut Vec<GridLine>,
    counts: &mut Vec<u64>,
) {
    lines.clear();
    lines.resize(2 * cells.len(), NO_SOLUTION);
    counts.clear();
    counts.resize(cells.len(), 0);
    solver.solutions_of(cells, &[], 2, lines, counts);
}

/// Finds the facets of each site.
fn find_facets(solver: &mut Solver, sites: &mut [Site]) {
    let (mut cells, mut asked, mut lines, mut counts) = (vec![], vec![], vec![], vec![]);
    let mut open: Vec<usize> = (0..sites.len()).collect();
    while !open.is_empty() {
        stop::check();
        cells.clear();
        asked.clear();
        open.retain(|&at| {
            let (site, before) = (&mut sites[at], asked.len());
            site.complex.close();
            let doubtful = site.complex.doubtful().take(MOST_ASKED);
            asked.extend(doubtful.map(|face| (at, face)));
            let faces = &asked[before..];
            cells.extend(faces.iter().map(|&(_, face)| site.cells_without(face)));
            !faces.is_empty()
        });
        count_two(solver, &cells, &mut lines, &mut counts);
        for ((&(at, face), &count), solutions) in asked.iter().zip(&counts).zip(lines.chunks(2)) {
            if count == 1 {
                sites[at].complex.verify(face);
            } else {
                sites[at].learn(face, solutions);
            }
        }
    }
}

/// The sets of points that can go together. Bit F of a table stands for the set with the bits of F.
#[derive(Clone, Debug, Default)]
struct Complex {
    points: usize,
    /// Sets that are no faces. Between calls of [`close`](Self::close) some of their supersets are missing.
    not_faces: Vec<u64>,
    /// The facets of the table, when it is closed.
    facets: Vec<u64>,
    /// Sets that are true faces.
    verified: Vec<u64>,
}

/// The places in a word whose numbers have bit i.
const WITH_BIT: [u64; 6] = [
    0xaaaa_aaaa_aaaa_aaaa,
    0xcccc_cccc_cccc_cccc,
    0xf0f0_f0f0_f0f0_f0f0,
    0xff00_ff00_ff00_ff00,
    0xffff_0000_ffff_0000,
    0xffff_ffff_0000_0000,
];

/// The places in a word whose numbers have this many bits.
const WITH_BITS: [u64; 7] = {
    let mut places = [0; 7];
    let mut place = 0_u32;
    while place < 64 {
        places[place.count_ones() as usize] |= 1 << place;
        place += 1;
    }
    places
};

impl Complex {
    fn new(points: usize) -> Self {
        assert!(points <= MOST_POINTS);
        let words = vec![0; (1_usize << points).div_ceil(64)];
        Self {
            points,
            not_faces: words.clone(),
            facets: words.clone(),
            verified: words,
        }
    }

    fn exclude(&mut self, set: usize) {
        self.not_faces[set / 64] |= 1 << (set % 64);
    }

    fn verify(&mut self, face: usize) {
        self.verified[face / 64] |= 1 << (face % 64);
    }

    /// Adds all supersets to the sets that are no faces, and finds the facets.
    fn close(&mut self) {
        let (not_faces, facets) = (&mut self.not_faces[..], &mut self.facets[..]);
        for (point, &with) in WITH_BIT.iter().enumerate().take(self.points) {
            for word in &mut *not_faces {
                *word |= (*word & !with) << (1 << point);
            }
        }
        for point in 6..self.points {
            let step = 1 << (point - 6);
            for block in not_faces.chunks_exact_mut(2 * step) {
                let (without, with) = block.split_at_mut(step);
                for (with, without) in with.iter_mut().zip(without) {
                    *with |= *without;
                }
            }
        }
        // Of fewer than six points, the places beyond are none.
        let places = u64::MAX >> (64 - (1 << self.points.min(6)));
        for (facets, not_faces) in facets.iter_mut().zip(&*not_faces) {
            *facets = !not_faces & places;
        }
        for (point, &with) in WITH_BIT.iter().enumerate().take(self.points) {
            for (facets, not_faces) in facets.iter_mut().zip(&*not_faces) {
                *facets &= with | (not_faces & with) >> (1 << point);
            }
        }
        for point in 6..self.points {
            let step = 1 << (point - 6);
            let blocks = facets.chunks_exact_mut(2 * step);
            for (facets, not_faces) in blocks.zip(not_faces.chunks_exact(2 * step)) {
                for (facets, not_faces) in facets.iter_mut().zip(&not_faces[step..]) {
                    *facets &= not_faces;
                }
            }
        }
    }

    /// The facets of the table that are not known to be faces.
    fn doubtful(&self) -> impl Iterator<Item = usize> {
        let words = self.facets.iter().zip(&self.verified).enumerate();
        words.flat_map(|(number, (facets, verified))| {
            let mut doubtful = facets & !verified;
            std::iter::from_fn(move || {
                let face = 64 * number + doubtful.trailing_zeros() as usize;
                (doubtful != 0).then(|| {
                    doubtful &= doubtful - 1;
                    face
                })
            })
        })
    }

    /// The facets of a size in a word of the table.
    fn of_size(&self, word: usize, size: usize) -> u64 {
        let low = size.checked_sub(word.count_ones() as usize);
        let places = low.and_then(|low| WITH_BITS.get(low));
        self.facets[word] & places.unwrap_or(&0)
    }

    /// The number of facets of each size.
    fn facet_sizes(&self) -> [u32; MOST_POINTS + 1] {
        let mut sizes = [0; MOST_POINTS + 1];
        let words = (0..self.facets.len()).filter(|&word| self.facets[word] != 0);
        for word in words {
            let high = word.count_ones() as usize;
            for (low, places) in WITH_BITS.iter().enumerate() {
                let count = (self.facets[word] & places).count_ones();
                if count > 0 {
                    sizes[high + low] += count;
                }
            }
        }
        sizes
    }

    /// The facet of a size with this number among those of its size, counted from 0.
    fn facet(&self, size: usize, mut number: u32) -> usize {
        for word in 0..self.facets.len() {
            let mut facets = self.of_size(word, size);
            if number < facets.count_ones() {
                while number > 0 {
                    facets &= facets - 1;
                    number -= 1;
                }
                return 64 * word + facets.trailing_zeros() as usize;
            }
            number -= facets.count_ones();
        }
        unreachable!("fewer facets than their number")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        generate::Grids,
        puzzle::{Maker, Minimals, Recipe},
        solve::Engine,
    };
    use std::collections::{BTreeMap, BTreeSet};
    use sudoku_batch_test_support::cases;

    fn sites(seed: u64, count: usize) -> Vec<Site> {
        sites_from(0, seed, count)
    }

    fn sites_from(first: u64, seed: u64, count: usize) -> Vec<Site> {
        let grids = Grids::uniform(seed);
        let mut maker = Maker::new(Solver::new(), grids, seed, Recipe::minimal()).unwrap();
        let mut made = vec![None; count];
        maker.make_batch(first, &mut made);
        let sites = (first..).zip(&made).map(|(number, made)| {
            let site = Site::new(made.as_ref().unwrap(), seed, number);
            assert_eq!(
                site.cells_at(site.gone.len()),
                *made.unwrap().puzzle.as_ascii()
            );
            site
        });
        let mut sites: Vec<_> = sites.collect();
        find_when_needed(&mut Solver::new(), &mut sites);
        sites.iter_mut().for_each(Site::stop);
        find_facets(&mut Solver::new(), &mut sites);
        sites
    }

    fn factorial(n: usize) -> f64 {
        (1..=n).map(|n| n as f64).product()
    }

    /// The weight of the way by its definition: the scalar engine is asked about each clue at each step. And
    /// the ends are the minimal puzzles that another search finds, with their weights as the proof has them.
    #[test]
    fn ways_and_ends_are_those_of_the_proof() {
        let mut scalar = Solver::new().with_engine(Engine::Scalar);
        // Each is compared in all its steps and ends. More of them have other numbers of clues.
        for site in sites(11, cases(2)) {
            let mut weight = ALL_GRIDS;
            for gone in 0..=site.stopped_at {
                let cells = site.cells_at(gone);
                let can_go = (0..CELLS).filter(|&cell| {
                    let mut fewer = cells;
                    fewer[cell] = BLANK;
                    let fewer = Puzzle::from_ascii(&fewer).unwrap();
                    cells[cell] != BLANK && scalar.count(&fewer, 2) == 1
                });
                let can_go: Vec<_> = can_go.map(|cell| cell as u8).collect();
                if gone == site.stopped_at {
                    assert_eq!(can_go, site.points);
                } else {
                    assert!(can_go.len() > MOST_POINTS);
                    weight *= can_go.len() as f64;
                }
            }
            assert_eq!(weight, site.weight);

            let grid = crate::grid::Grid::from_ascii(&site.grid).unwrap();
            let all: BTreeSet<_> =
                Minimals::new(&Puzzle::from_ascii(&site.cells).unwrap(), &grid).collect();
            let sizes = site.complex.facet_sizes();
            let mut found = BTreeSet::new();
            let mut ends = 0.0;
            for (size, &count) in sizes.iter().enumerate() {
                for number in 0..count {
                    let cells = site.cells_without(site.complex.facet(size, number));
                    let puzzle = Puzzle::from_ascii(&cells).unwrap();
                    assert_eq!(puzzle.clue_count() + site.stopped_at + size, CELLS);
                    assert!(found.insert(puzzle));
                    ends += factorial(size) / factorial(site.stopped_at + size);
                }
            }
            assert_eq!(found, all);
            let (end, of_end) = site.end(11);
            assert!(all.contains(&end));
            assert!((of_end.unwrap() / (weight * ends) - 1.0).abs() < 1e-12);
        }
    }

    /// An end comes as often as its share of all orders, by a chi-squared.
    #[test]
    fn ends_are_drawn_by_their_shares() {
        // Every second number of clues that comes a quarter too often is seen in 5000 draws (tried), and half as much in four
        // times as many.
        let draws = cases(5000) as u64;
        for site in sites(12, 3) {
            let mut counts = BTreeMap::<usize, u64>::new();
            for seed in 0..draws {
                *counts.entry(site.end(seed).0.clue_count()).or_default() += 1;
            }
            let sizes = site.complex.facet_sizes();
            let share = |size: usize| {
                f64::from(sizes[size]) * factorial(size) / factorial(site.stopped_at + size)
            };
            let all: f64 = (0..=MOST_POINTS).map(share).sum();
            let (mut chi_squared, mut classes) = (0.0, 0);
            for size in 0..=MOST_POINTS {
                let expected = share(size) / all * draws as f64;
                let count = counts.get(&(CELLS - site.stopped_at - size));
                if expected > 5.0 {
                    let count = *count.unwrap_or(&0) as f64;
                    chi_squared += (count - expected).powi(2) / expected;
                    classes += 1;
                }
            }
            // Six degrees of freedom have 38 or more once in a million.
            assert!(
                classes > 1 && classes <= 7 && chi_squared < 38.0,
                "{chi_squared}"
            );
        }
    }

    /// The weights are exact in a small universe: all minimal puzzles of some puzzle with 12 clues that can go,
    /// with the ends counted from 4 such clues on. All ways to there, each with its probability, give each puzzle
    /// the mean weight 1.
    #[test]
    fn weights_are_exact_in_a_small_universe() {
        // To look for one takes more time than to check it: the search begins where one is.
        let site = (8..200)
            .step_by(8)
            .flat_map(|first| sites_from(first, 13, 8))
            .find(|site| site.points.len() == 12)
            .expect("one of 200");
        let all = site.complex.facet_sizes();
        let facets: Vec<_> = (0..all.len())
            .flat_map(|size| (0..all[size]).map(move |number| (size, number)))
            .map(|(size, number)| site.complex.facet(size, number))
            .collect();
        let is_face = |set: usize| facets.iter().any(|facet| set & !facet == 0);
        // The mean weights of the facets, when these points are gone by a way of this probability and weight.
        fn go(
            gone: usize,
            (probability, weight): (f64, f64),
            is_face: &dyn Fn(usize) -> bool,
            facets: &[usize],
            means: &mut [f64],
        ) {
            let can_go: Vec<_> = (0..12)
                .map(|point| 1 << point)
                .filter(|point| gone & point == 0 && is_face(gone | point))
                .collect();
            if can_go.len() > 4 {
                let n = can_go.len() as f64;
                for point in can_go {
                    go(
                        gone | point,
                        (probability / n, weight * n),
                        is_face,
                        facets,
                        means,
                    );
                }
                return;
            }
            let ends = facets.iter().map(|facet| {
                let share = factorial((facet & !gone).count_ones() as usize);
                let orders = factorial(facet.count_ones() as usize);
                if gone & !facet == 0 {
                    share / orders
                } else {
                    0.0
                }
            });
            let ends: Vec<f64> = ends.collect();
            let sum: f64 = ends.iter().sum();
            for (mean, end) in means.iter_mut().zip(ends) {
                *mean += probability * (end / sum) * (weight * sum);
            }
        }
        let mut means = vec![0.0; facets.len()];
        go(0, (1.0, 1.0), &is_face, &facets, &mut means);
        assert!(
            means.len() > 10 && means.iter().all(|mean| (mean - 1.0).abs() < 1e-9),
            "{means:?}"
        );
    }
}
