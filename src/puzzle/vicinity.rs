//! The vicinity {-n+m} of puzzles: all puzzles with one solution that have n clues less and m clues more.
//!
//! A *neighbour* comes from a seed when exactly n of its clues go, and exactly m others come. A clue that comes is
//! another clue: it stands in a blank cell, or has another digit in the cell of a clue that went. So a neighbour
//! says which clues went and which came, and no two ways lead to the same one. (The notation is that of the New
//! Sudoku Players' Forum.)
//!
//! ```text
//!     set        the n clues that go; what is left is the rest: it has up to millions of solutions
//!     base       the rest, and all clues that come but the last two
//!     pair       the last two clues that come (or the last one, if one comes)
//! ```
//!
//! A pair makes a neighbour if exactly one solution of the base has both of its clues. No list of these solutions
//! is made: the rest of a 17-clue puzzle without a clue has 30,000 in the median, and without two many millions.
//! The search asks about pairs in place of that, thousands side by side:
//!
//! - A question is the base with a pair. It looks for a few solutions, and each that is found marks all pairs in
//!   it: 65 candidates are 2,080 pairs. A pair that two different solutions have is done.
//! - The pairs that are left are asked about themselves. So there are at most as many questions as pairs, whatever
//!   the number of solutions, and mostly some hundreds for 40,000 pairs.
//! - Before pairs come their candidates alone: those without a solution are part of no pair.
//!
//! *Minimal neighbours.* A clue of the base is needed if the base without it, with its digit struck from its cell,
//! has a solution with the pair: a *witness*. A witness for one pair serves all pairs in it. A candidate that makes
//! a clue of the base redundant is part of no minimal neighbour, so these go before pairs are formed. A
//! candidate that alone leaves one solution is part of no minimal pair.
//!
//! If one clue goes and one comes, the solutions of a rest are witnesses for all others of the seed: a solution
//! of the seed without the clue *c* has all its other clues.

use crate::{
    grid::{BLANK, CELLS, Candidate, Cell, Digit, Grid, GridLine, PEERS, Puzzle},
    simd::ones,
    solve::{NO_SOLUTION, Solver},
};
use std::{
    collections::{HashSet, VecDeque},
    hash::{BuildHasherDefault, Hasher},
};

/// The neighbours of a puzzle with this number of clues less and this number more, each once, with its solution:
/// all of them, or the minimal ones.
///
/// They come in the order of the sets of clues that go, and then of the clues that come, each in reading order. The
/// puzzle may have any number of solutions.
///
/// ```
/// use sudoku_batch::{Puzzle, puzzle::neighbours};
/// let puzzle: Puzzle =
///     "4..52.7.3.....3...1....7....14.....67...5...15.....42....4....5...8.....2.1.76..8".parse()?;
/// let mut minimal = 0;
/// for (neighbour, solution) in neighbours(&puzzle, 1, 1, true) {
///     assert_eq!(neighbour.clue_count(), puzzle.clue_count());
///     assert!(solution.is_solution_of(&neighbour));
///     minimal += 1;
/// }
/// assert_eq!((minimal, neighbours(&puzzle, 1, 1, false).count()), (58, 143));
/// # Ok::<(), sudoku_batch::ParseError>(())
/// ```
pub fn neighbours(
    seed: &Puzzle,
    drop: usize,
    add: usize,
    minimal: bool,
) -> impl Iterator<Item = (Puzzle, Grid)> + use<> {
    let mut vicinity = Vicinity::new(drop, add, minimal);
    vicinity.begin([(0, *seed, u64::MAX)]);
    std::iter::from_fn(move || vicinity.next())
        .map(|neighbour| (neighbour.puzzle, neighbour.solution))
}

/// Finds the neighbours of many puzzles, those of several side by side.
#[derive(Debug)]
pub struct Vicinity {
    drop: usize,
    add: usize,
    is_minimal: bool,
    solver: Solver,
    /// The seeds that are not begun.
    seeds: VecDeque<Start>,
    /// The seed whose bases are being made.
    open: Option<Seed>,
    /// The neighbours that are found and not taken.
    found: VecDeque<Neighbour>,
    asked: Asked,
}

/// A neighbour of a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neighbour {
    /// The place of the seed.
    pub seed: usize,
    /// The neighbour.
    pub puzzle: Puzzle,
    /// Its only solution.
    pub solution: Grid,
}

/// The number of bases that are looked at together, where so many clues come last. Few of them leave lanes empty;
/// the marks of pairs of many do not fit into the second-level cache.
const BASES: [usize; 3] = [2048, 1024, 48];

/// The number of questions that are asked together. More fill lanes better, and learn less from each other.
const QUESTIONS: usize = 3072;

/// The number of solutions that a question looks for. Three and four mark more, and took a tenth more time in all
/// ({-1+1} and {-2+2} of 17 and of 24 clues).
const SOLUTIONS: usize = 2;

/// The number of candidates.
const CANDIDATES: usize = 9 * CELLS;

/// Stands for the clues of a neighbour in which one is redundant.
const REDUNDANT: usize = usize::MAX;

/// The place of candidates that cannot come.
const NOWHERE: u16 = 64 * (WORDS as u16 - 1);

/// A seed that is not begun: its place, the most sets of clues that go, and the grid whose digits do not come.
#[derive(Debug)]
struct Start {
    place: usize,
    puzzle: Puzzle,
    most_sets: u64,
    known: Option<Grid>,
}

/// The sets and the bases of a seed that are left.
#[derive(Debug)]
struct Seed {
    place: usize,
    known: Option<Grid>,
    cells: [u8; CELLS],
    /// The cells with clues.
    clues: Vec<u8>,
    /// The places in `clues` of the next set to go; none when all are done.
    set: Option<Vec<usize>>,
    /// The number of sets that may still be looked at.
    sets_left: u64,
    /// The bases of the set that are being made, the first clue to come first: the base, the candidates that may
    /// come, and the place of the next.
    nodes: Vec<(Base, Vec<u16>, usize)>,
}

/// A puzzle to which the last one or two clues come.
#[derive(Clone, Debug)]
struct Base {
    seed: usize,
    cells: [u8; CELLS],
    /// The cells whose clues went, and these clues.
    gone: Vec<u16>,
    /// Only candidates from this one on may come.
    from: u16,
    /// No digit of this grid may come.
    known: Option<Grid>,
}

/// A set of candidates of a base, by their places.
type Words = Vec<u64>;

/// The words of the largest set, and one for those that cannot come.
const WORDS: usize = CANDIDATES.div_ceil(64) + 1;

/// The cell of a candidate.
fn cell_of(number: u16) -> Cell {
    Cell::new(usize::from(number / 9)).expect("81 cells")
}

/// The digit of a candidate.
fn digit_of(number: u16) -> Digit {
    Digit::new((number % 9) as u8 + 1).expect("nine digits")
}

/// Hashes the cells of solutions, eight at a time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct HashOfCells(u64);

impl Hasher for HashOfCells {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            // The odd number is 2^64 over the golden ratio.
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(*word))
                .wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
        for &byte in rest {
            self.0 = (self.0.rotate_left(5) ^ u64::from(byte)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        }
    }

    fn finish(&self) -> u64 {
        self.0.rotate_left(26)
    }
}

#[inline(always)]
fn has(words: &[u64], place: usize) -> bool {
    words[place / 64] >> (place % 64) & 1 != 0
}

#[inline(always)]
fn insert(words: &mut [u64], place: usize) {
    words[place / 64] |= 1 << (place % 64);
}

#[inline(always)]
fn remove(words: &mut [u64], place: usize) {
    words[place / 64] &= !(1 << (place % 64));
}

fn places(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    words
        .iter()
        .enumerate()
        .flat_map(|(word, &bits)| ones(bits).map(move |bit| 64 * word + bit))
}

impl Base {
    /// The candidates that may come: those that no clue rules out.
    fn candidates(&self) -> Vec<u16> {
        let mut candidates = Vec::new();
        for (cell, peers) in PEERS.iter().enumerate() {
            if self.cells[cell] != BLANK {
                continue;
            }
            let mut digits = 0x1FF_u16;
            for &peer in peers {
                // A blank rules out digit 14, which there is not.
                digits &= !(1 << (self.cells[usize::from(peer)] & 15) >> 1);
            }
            if let Some(known) = &self.known {
                digits &= !(1 << (known.as_ascii()[cell] - b'1'));
            }
            let numbers = (0..9).filter(|digit| digits >> digit & 1 != 0);
            let numbers = numbers.map(|digit| 9 * cell as u16 + digit);
            candidates.extend(
                numbers.filter(|number| *number >= self.from && !self.gone.contains(number)),
            );
        }
        candidates
    }

    fn with(&self, candidates: &[u16]) -> [u8; CELLS] {
        let mut cells = self.cells;
        for number in candidates {
            cells[usize::from(number / 9)] = b'1' + (number % 9) as u8;
        }
        cells
    }
}

impl Seed {
    fn new(start: Start, drop: usize, add: usize) -> Self {
        let cells = *start.puzzle.as_ascii();
        let clues: Vec<_> = (0..CELLS as u8)
            .filter(|&cell| cells[usize::from(cell)] != BLANK)
            .collect();
        // More clues than there are blanks cannot come.
        let has_room = clues.len() >= drop && add <= CELLS - clues.len() + drop;
        let set = has_room.then(|| (0..drop).collect());
        Self {
            place: start.place,
            known: start.known,
            cells,
            clues,
            set,
            sets_left: start.most_sets,
            nodes: Vec::new(),
        }
    }

    /// The rest without the next set of clues.
    fn next_rest(&mut self) -> Option<Base> {
        let set = self.set.as_mut().filter(|_| self.sets_left > 0)?;
        let mut base = Base {
            seed: self.place,
            cells: self.cells,
            gone: Vec::new(),
            from: 0,
            known: self.known,
        };
        for &clue in &*set {
            let cell = usize::from(self.clues[clue]);
            base.gone
                .push(9 * cell as u16 + u16::from(self.cells[cell] - b'1'));
            base.cells[cell] = BLANK;
        }
        self.sets_left -= 1;
        // The next set in order: the last clue that can move on does, and those behind follow it.
        let (drop, clues) = (set.len(), self.clues.len());
        match (0..drop).rev().find(|&n| set[n] < clues - drop + n) {
            None => self.set = None,
            Some(n) => {
                let first = set[n] + 1;
                for (clue, number) in set[n..].iter_mut().zip(first..) {
                    *clue = number;
                }
            }
        }
        Some(base)
    }

    /// The next base, to which all clues but this number have come.
    fn next_base(&mut self, add: usize, solver: &mut Solver) -> Option<Base> {
        loop {
            let base = match self.nodes.last_mut() {
                None => self.next_rest()?,
                Some((base, candidates, next)) => {
                    let Some(&number) = candidates.get(*next) else {
                        self.nodes.pop();
                        continue;
                    };
                    *next += 1;
                    Base {
                        cells: base.with(&[number]),
                        from: number + 1,
                        ..base.clone()
                    }
                }
            };
            if self.nodes.len() + 2 >= add {
                return Some(base);
            }
            let occurring =
                solver.true_candidates_batch(&[Puzzle::with_blanks_for_others(&base.cells)])[0];
            let mut candidates = base.candidates();
            candidates.retain(|&number| occurring.contains(cell_of(number), digit_of(number)));
            self.nodes.push((base, candidates, 0));
        }
    }
}

impl Vicinity {
    /// Finds neighbours with this number of clues less and this number more, or the minimal ones among them.
    pub fn new(drop: usize, add: usize, is_minimal: bool) -> Self {
        Self {
            drop,
            add,
            is_minimal,
            solver: Solver::new(),
            seeds: VecDeque::new(),
            open: None,
            found: VecDeque::new(),
            asked: Asked::default(),
        }
    }

    /// Begins with other seeds, each with its place, which ascend, and the most sets of clues that go from it.
    pub fn begin(&mut self, seeds: impl IntoIterator<Item = (usize, Puzzle, u64)>) {
        let seeds = seeds.into_iter();
        self.start(seeds.map(|(place, puzzle, most_sets)| Start {
            place,
            puzzle,
            most_sets,
            known: None,
        }));
    }

    /// Begins with other seeds from which no clue goes, each with its place, which ascend, and with one of its solutions. The
    /// neighbours with this solution, which are most of them, are left out.
    pub(super) fn begin_with_other_solutions(
        &mut self,
        seeds: impl IntoIterator<Item = (usize, Puzzle, Grid)>,
    ) {
        let seeds = seeds.into_iter();
        self.start(seeds.map(|(place, puzzle, known)| Start {
            place,
            puzzle,
            most_sets: u64::MAX,
            known: Some(known),
        }));
    }

    fn start(&mut self, seeds: impl Iterator<Item = Start>) {
        self.seeds = seeds.collect();
        (self.open, self.found) = (None, VecDeque::new());
    }

    /// The number of sets of clues that can go from a puzzle with this number of clues.
    pub fn sets(clues: usize, drop: usize) -> u64 {
        if drop > clues {
            return 0;
        }
        let few = drop.min(clues - drop) as u128;
        let all = (0..few).try_fold(1_u128, |all, n| {
            Some(all.checked_mul(clues as u128 - n)? / (n + 1))
        });
        all.and_then(|all| u64::try_from(all).ok())
            .unwrap_or(u64::MAX)
    }

    /// Leaves out what is left of the seeds before this one.
    pub fn leave_before(&mut self, seed: usize) {
        self.seeds.retain(|start| start.place >= seed);
        self.open = self.open.take().filter(|open| open.place >= seed);
        self.found.retain(|neighbour| neighbour.seed >= seed);
    }

    /// The place of the seed of the next neighbour, if there is one.
    pub fn next_seed(&mut self) -> Option<usize> {
        Some(self.peek()?.seed)
    }

    /// The next neighbour, which stays.
    fn peek(&mut self) -> Option<&Neighbour> {
        while self.found.is_empty() && self.search() {}
        self.found.front()
    }

    /// Finds the neighbours from the next bases. Returns false if there is no base left.
    fn search(&mut self) -> bool {
        let mut bases = Vec::new();
        while bases.len() < BASES[self.add.min(2)] {
            if self.open.is_none() {
                let Some(seed) = self.seeds.pop_front() else {
                    break;
                };
                self.open = Some(Seed::new(seed, self.drop, self.add));
            }
            let open = self.open.as_mut().expect("it was just opened");
            match open.next_base(self.add, &mut self.solver) {
                Some(base) => bases.push(base),
                None => self.open = None,
            }
        }
        let is_left = !bases.is_empty();
        let found = self
            .asked
            .ask(&mut self.solver, bases, self.add.min(2), self.is_minimal);
        self.found.extend(found);
        is_left
    }
}

/// The neighbours in the order of the seeds.
impl Iterator for Vicinity {
    type Item = Neighbour;

    fn next(&mut self) -> Option<Neighbour> {
        self.peek()?;
        self.found.pop_front()
    }
}

/// The memory of questions.
#[derive(Debug, Default)]
struct Asked {
    cells: Vec<[u8; CELLS]>,
    strikes: Vec<Option<Candidate>>,
    /// Room for the answers of the largest round.
    lines: Vec<GridLine>,
    counts: Vec<u64>,
    /// The base of each question, and what it is about.
    about: Vec<(u32, About)>,
}

/// The subject of a question.
#[derive(Clone, Copy, Debug)]
enum About {
    /// A pair of candidates, or one candidate twice.
    Pair(u16, u16),
    /// A clue of the base, and a candidate with which it may be redundant.
    Candidate(u8, u16),
    /// A clue of the base, and a neighbour in which it may be redundant.
    Neighbour(u8, u32),
}

/// A base that is looked at.
#[derive(Debug)]
struct Site {
    base: Base,
    /// The number of clues that come: two at most.
    add: usize,
    /// The candidates that may come.
    candidates: Vec<u16>,
    place_of: Box<[u16; CANDIDATES]>,
    /// The number of words of a set.
    width: usize,
    /// True while pairs are looked for, and not candidates alone.
    forms_pairs: bool,
    /// The candidates that are still of use.
    alive: Words,
    /// The solutions that were found, and of those that marked candidates alone the ones that marked any first.
    solutions: HashSet<[u8; CELLS], BuildHasherDefault<HashOfCells>>,
    firsts: Vec<[u8; CELLS]>,
    /// The solution among those that marked a candidate first.
    first_of: Vec<u16>,
    /// The rows with open pairs.
    rows_left: Words,
    /// The candidates of those that differ from the seed in the only clue that went.
    others: Words,
    /// A set for each row: its pairs that are in a solution, and those that are to be asked about.
    once: Words,
    open: Words,
    /// The row that was asked about last.
    row: usize,
    /// The neighbours: a pair, and the solution.
    neighbours: Vec<([u16; 2], GridLine)>,
    /// The cells of the clues of the base.
    clues: Vec<u8>,
    /// The sets of solutions without a clue of the base, for each of these.
    witnesses: Vec<Words>,
    /// All candidates in the witnesses of each clue.
    covered: Vec<Words>,
    /// For each neighbour the first clue that is not known to be needed.
    checked: Vec<usize>,
    /// The neighbours with such clues.
    unchecked: Vec<u32>,
}

impl Asked {
    /// The neighbours from these bases, when this number of clues come: two at most.
    fn ask(
        &mut self,
        solver: &mut Solver,
        bases: Vec<Base>,
        add: usize,
        is_minimal: bool,
    ) -> Vec<Neighbour> {
        let mut sites: Vec<_> = bases.into_iter().map(|base| Site::new(base, add)).collect();
        self.settle(solver, &mut sites, Site::begin_row);
        if is_minimal && add > 0 {
            for site in &mut sites {
                // If not all candidates may come, solutions may differ in others alone.
                let base = Puzzle::with_blanks_for_others(&site.base.cells);
                if site.firsts.len() < 2 && solver.count(base, 2) < 2 {
                    site.leave_all();
                }
            }
        }
        if add == 2 {
            sites
                .iter_mut()
                .for_each(|site| site.leave_unique(is_minimal));
            if is_minimal {
                self.ask_in_rounds(solver, &mut sites, Site::ask_about_candidates);
            }
            self.settle(solver, &mut sites, Site::begin_pairs);
        }
        if is_minimal {
            if add == 1 {
                share_witnesses(&mut sites);
            }
            sites.iter_mut().for_each(Site::begin_checks);
            self.ask_in_rounds(solver, &mut sites, Site::ask_about_neighbours);
        }
        sites.into_iter().flat_map(Site::into_neighbours).collect()
    }

    /// Finds the pairs with one solution.
    fn settle(&mut self, solver: &mut Solver, sites: &mut [Site], begin: fn(&mut Site)) {
        sites.iter_mut().for_each(begin);
        self.ask_in_rounds(solver, sites, Site::ask_about_pairs);
    }

    /// Asks questions about the bases until there are none. `ask` adds up to a number of questions about a base.
    fn ask_in_rounds(
        &mut self,
        solver: &mut Solver,
        sites: &mut [Site],
        ask: fn(&mut Site, &mut Self, u32, usize),
    ) {
        let mut left: Vec<_> = (0..sites.len() as u32).collect();
        while !left.is_empty() {
            self.cells.clear();
            self.strikes.clear();
            self.about.clear();
            let of_each = QUESTIONS.div_ceil(left.len());
            left.retain(|&site| {
                let before = self.about.len();
                ask(&mut sites[site as usize], self, site, of_each);
                self.about.len() > before
            });
            let asked = self.cells.len();
            if self.lines.len() < SOLUTIONS * asked {
                self.lines.resize(SOLUTIONS * asked, NO_SOLUTION);
                self.counts.resize(asked, 0);
            }
            let (lines, counts) = (
                &mut self.lines[..SOLUTIONS * asked],
                &mut self.counts[..asked],
            );
            if self.strikes.iter().all(Option::is_none) {
                self.strikes.clear();
            }
            solver.solutions_of(&self.cells, &self.strikes, SOLUTIONS as u64, lines, counts);
            let answers = counts.iter().zip(lines.as_chunks::<SOLUTIONS>().0);
            for (question, (&(site, about), (&count, lines))) in
                self.about.iter().zip(answers).enumerate()
            {
                sites[site as usize].answer(about, count, lines, &self.cells[question]);
            }
        }
    }
}

impl Site {
    fn new(base: Base, add: usize) -> Self {
        let candidates = if add == 0 {
            Vec::new()
        } else {
            base.candidates()
        };
        let mut place_of = Box::new([NOWHERE; CANDIDATES]);
        for (place, &number) in candidates.iter().enumerate() {
            place_of[usize::from(number)] = place as u16;
        }
        let width = candidates.len().div_ceil(64).max(1);
        let mut alive = vec![0; width];
        // The base itself takes the place of a candidate.
        (0..candidates.len().max(usize::from(add == 0)))
            .for_each(|place| insert(&mut alive, place));
        let clues = (0..CELLS as u8).filter(|&cell| base.cells[usize::from(cell)] != BLANK);
        let clues: Vec<_> = clues.collect();
        Self {
            add,
            candidates,
            place_of,
            width,
            alive,
            solutions: HashSet::default(),
            firsts: Vec::new(),
            first_of: vec![0; 64 * width],
            rows_left: Vec::new(),
            others: vec![0; width],
            forms_pairs: false,
            once: Vec::new(),
            open: Vec::new(),
            row: 0,
            neighbours: Vec::new(),
            witnesses: vec![Vec::new(); clues.len()],
            covered: vec![vec![0; width]; clues.len()],
            clues,
            checked: Vec::new(),
            unchecked: Vec::new(),
            base,
        }
    }

    /// Begins to ask about candidates alone, or about the base itself if no clue comes. There is one row, and all
    /// solutions have it.
    fn begin_row(&mut self) {
        self.open = self.alive.clone();
        self.once = vec![0; self.width];
    }

    /// Begins to ask about pairs: those that break no rule.
    fn begin_pairs(&mut self) {
        let (count, width) = (self.candidates.len(), self.width);
        self.forms_pairs = true;
        self.once = vec![0; count * width];
        self.open = vec![0; count * width];
        for (place, row) in self.open.chunks_mut(width).enumerate().take(count) {
            if !has(&self.alive, place) {
                continue;
            }
            row.copy_from_slice(&self.alive);
            row[..place / 64].fill(0);
            row[place / 64] &= !0 << (place % 64);
            remove(row, place);
            let (cell, digit) = (self.candidates[place] / 9, self.candidates[place] % 9);
            let of_cell = (9 * cell..9 * cell + 9).chain(
                PEERS[usize::from(cell)]
                    .iter()
                    .map(|&peer| 9 * u16::from(peer) + digit),
            );
            for number in of_cell {
                let other = self.place_of[usize::from(number)];
                if other != NOWHERE {
                    remove(row, usize::from(other));
                }
            }
        }
        self.rows_left = self.alive.clone();
        for solution in std::mem::take(&mut self.firsts) {
            self.mark_pairs(&solution);
        }
    }

    /// Leaves out all candidates: the base has one solution without them.
    fn leave_all(&mut self) {
        self.neighbours.clear();
        self.alive.fill(0);
    }

    /// Ends the search for candidates alone. Those that make a base with one solution make all others with them
    /// redundant.
    fn leave_unique(&mut self, is_minimal: bool) {
        for ([place, _], _) in self.neighbours.drain(..) {
            if is_minimal {
                remove(&mut self.alive, usize::from(place));
            }
        }
    }

    /// The candidates of the base in a solution.
    #[inline(always)]
    fn set_of(&self, solution: &[u8; CELLS]) -> [u64; WORDS] {
        // The places of neighbouring cells are mostly in one word, and each insertion waits for the one before: four
        // sets take turns.
        let mut sets = [[0; WORDS]; 4];
        let cells = solution.iter().zip(self.place_of.as_chunks::<9>().0);
        for (cell, (digit, place_of)) in cells.enumerate() {
            let place = place_of[usize::from(digit.wrapping_sub(b'1')).min(8)];
            insert(&mut sets[cell % 4], usize::from(place.min(NOWHERE)));
        }
        let [mut set, others @ ..] = sets;
        for other in others {
            set.iter_mut()
                .zip(other)
                .for_each(|(set, other)| *set |= other);
        }
        set
    }

    /// Marks the candidates in a solution. If another solution has them too, they are done.
    fn mark(&mut self, solution: &[u8; CELLS]) {
        let set = self.set_of(solution);
        if let [gone] = self.base.gone[..]
            && solution[usize::from(gone / 9)] != digit_of(gone).to_ascii()
        {
            self.others
                .iter_mut()
                .zip(&set)
                .for_each(|(others, set)| *others |= set);
        }
        let mut is_first = false;
        for (word, &set) in set.iter().enumerate().take(self.width) {
            let (once, open) = (&mut self.once[word], &mut self.open[word]);
            for bit in ones(*once & set & *open) {
                let first = usize::from(self.first_of[64 * word + bit]);
                *open &= !(u64::from(self.firsts[first] != *solution) << bit);
            }
            for bit in ones(set & !*once) {
                self.first_of[64 * word + bit] = self.firsts.len() as u16;
                is_first = true;
            }
            *once |= set;
        }
        // A base has at most 729 candidates, so there are fewer of these.
        if is_first {
            self.firsts.push(*solution);
        }
    }

    /// Marks the pairs in a solution. If another solution has them too, they are done.
    fn mark_pairs(&mut self, solution: &[u8; CELLS]) {
        if !self.solutions.insert(*solution) {
            return;
        }
        let (set, width) = (self.set_of(solution), self.width);
        let set = &set[..width];
        for word in 0..width {
            for bit in ones(set[word] & self.rows_left[word]) {
                let row = (64 * word + bit) * width..(64 * word + bit + 1) * width;
                let (open, once) = (&mut self.open[row.clone()], &mut self.once[row]);
                for ((open, once), set) in open.iter_mut().zip(once).zip(set) {
                    *open &= !(*once & set);
                    *once |= set;
                }
            }
        }
    }

    /// Adds questions about open pairs, in different rows as far as there are any.
    fn ask_about_pairs(&mut self, asked: &mut Asked, site: u32, most: usize) {
        if self.open.is_empty() {
            return;
        }
        let width = self.width;
        let rows = self.open.len() / width;
        let (mut left, mut empty) = (most, 0);
        while left > 0 && empty < rows {
            self.row = if self.row + 1 < rows { self.row + 1 } else { 0 };
            if self.forms_pairs && !has(&self.rows_left, self.row) {
                empty += 1;
                continue;
            }
            let row = &mut self.open[self.row * width..][..width];
            // Another place in each row, so that solutions differ.
            let turn = (self.row + left) % width;
            let once = &self.once[self.row * width..][..width];
            // Candidates that no solution has yet are asked about first: nothing else is as rare.
            let words = || (turn..width).chain(0..turn);
            let new = words().map(|word| (word, row[word] & !once[word]));
            let all = words().map(|word| (word, row[word]));
            let Some((word, bits)) = new.chain(all).find(|(_, bits)| *bits != 0) else {
                if self.forms_pairs {
                    remove(&mut self.rows_left, self.row);
                }
                empty += 1;
                continue;
            };
            empty = 0;
            left -= 1;
            let other = 64 * word + bits.trailing_zeros() as usize;
            remove(row, other);
            let first = if self.forms_pairs { self.row } else { other };
            let cells = match self.candidates[..] {
                [] => self.base.cells,
                _ => self
                    .base
                    .with(&[self.candidates[first], self.candidates[other]]),
            };
            asked.cells.push(cells);
            asked.strikes.push(None);
            asked
                .about
                .push((site, About::Pair(first as u16, other as u16)));
        }
    }

    /// Adds questions whether a clue of the base is redundant with a candidate.
    fn ask_about_candidates(&mut self, asked: &mut Asked, site: u32, most: usize) {
        let mut left = most;
        for turn in 0..self.clues.len() {
            let clue = (self.row + turn) % self.clues.len();
            let words = self.alive.iter().zip(&self.covered[clue]);
            let words: Words = words.map(|(alive, covered)| alive & !covered).collect();
            let Some(place) = places(&words).next() else {
                continue;
            };
            if left == 0 {
                self.row = clue;
                return;
            }
            left -= 1;
            self.ask_without(asked, clue, &[self.candidates[place]]);
            asked
                .about
                .push((site, About::Candidate(clue as u8, place as u16)));
        }
    }

    /// Asks for a solution of the base without a clue and its digit there, with some candidates.
    fn ask_without(&self, asked: &mut Asked, clue: usize, candidates: &[u16]) {
        let cell = usize::from(self.clues[clue]);
        let mut cells = self.base.with(candidates);
        cells[cell] = BLANK;
        asked.cells.push(cells);
        asked.strikes.push(Some(Candidate {
            cell: Cell::new(cell).expect("81 cells"),
            digit: Digit::from_ascii(self.base.cells[cell]).expect("a clue"),
        }));
    }

    fn begin_checks(&mut self) {
        self.checked = vec![0; self.neighbours.len()];
        self.unchecked = (0..self.neighbours.len() as u32).rev().collect();
    }

    /// Adds questions whether a clue of the base is redundant in a neighbour.
    fn ask_about_neighbours(&mut self, asked: &mut Asked, site: u32, most: usize) {
        let end = asked.about.len() + most;
        let mut unchecked = std::mem::take(&mut self.unchecked);
        unchecked.retain(|&neighbour| {
            if asked.about.len() == end {
                return true;
            }
            let number = neighbour as usize;
            let [first, other] = self.neighbours[number].0.map(usize::from);
            let is_needed = |clue: usize| {
                if self.forms_pairs {
                    let mut witnesses = self.witnesses[clue].chunks(self.width);
                    witnesses.any(|set| has(set, first) && has(set, other))
                } else {
                    has(&self.covered[clue], first)
                }
            };
            let clues = self.checked[number]..self.clues.len();
            let Some(clue) = clues.into_iter().find(|&clue| !is_needed(clue)) else {
                return false;
            };
            let candidates = match self.candidates[..] {
                [] => &[][..],
                _ => &[self.candidates[first], self.candidates[other]],
            };
            self.ask_without(asked, clue, candidates);
            asked
                .about
                .push((site, About::Neighbour(clue as u8, neighbour)));
            true
        });
        self.unchecked = unchecked;
    }

    /// Takes the answer to a question: the number of solutions up to its limit, and some of them.
    fn answer(&mut self, about: About, count: u64, lines: &[GridLine], cells: &[u8; CELLS]) {
        // Of several solutions some may be missing.
        let solutions = lines.iter().filter(|line| line[0] != BLANK);
        let solutions = solutions.map(|line| line.first_chunk().expect("81 of 82"));
        match about {
            About::Pair(first, other) => {
                match count {
                    0 if !self.forms_pairs => remove(&mut self.alive, usize::from(first)),
                    1 => self.neighbours.push(([first, other], lines[0])),
                    _ => {}
                }
                for solution in solutions {
                    debug_assert!(is_solution(solution, cells));
                    if self.forms_pairs {
                        self.mark_pairs(solution);
                    } else {
                        self.mark(solution);
                    }
                }
            }
            About::Candidate(clue, place) => {
                if count == 0 {
                    remove(&mut self.alive, usize::from(place));
                } else {
                    insert(&mut self.covered[usize::from(clue)], usize::from(place));
                }
                solutions.for_each(|solution| self.add_witness(clue, solution));
            }
            About::Neighbour(clue, neighbour) => {
                self.checked[neighbour as usize] = match count {
                    0 => REDUNDANT,
                    _ => usize::from(clue) + 1,
                };
                solutions.for_each(|solution| self.add_witness(clue, solution));
            }
        }
    }

    fn add_witness(&mut self, clue: u8, solution: &[u8; CELLS]) {
        let set = self.set_of(solution);
        let covered = self.covered[usize::from(clue)].iter_mut();
        covered.zip(&set).for_each(|(covered, set)| *covered |= set);
        if self.add == 2 {
            self.witnesses[usize::from(clue)].extend_from_slice(&set[..self.width]);
        }
    }

    /// The neighbours in order, without those that are not minimal.
    fn into_neighbours(mut self) -> impl Iterator<Item = Neighbour> {
        let checked = std::mem::take(&mut self.checked);
        let mut neighbours: Vec<_> = std::mem::take(&mut self.neighbours)
            .into_iter()
            .enumerate()
            .filter(|(place, _)| checked.get(*place) != Some(&REDUNDANT))
            .map(|(_, neighbour)| neighbour)
            .collect();
        neighbours.sort_unstable_by_key(|(pair, _)| *pair);
        neighbours.into_iter().map(move |(pair, line)| {
            let numbers = pair.map(|place| self.candidates.get(usize::from(place)).copied());
            let cells = match numbers {
                [Some(first), Some(other)] => self.base.with(&[first, other]),
                _ => self.base.cells,
            };
            let solution = Grid::from_ascii(line.first_chunk().expect("81 of 82"));
            Neighbour {
                seed: self.base.seed,
                puzzle: Puzzle::from_ascii(&cells).expect("clues and blanks"),
                solution: solution.expect("the only solution"),
            }
        })
    }
}

/// Makes the solutions of each rest witnesses for the other rests of its seed, where one clue went.
fn share_witnesses(sites: &mut [Site]) {
    for sites in sites.chunk_by_mut(|one, next| one.base.seed == next.base.seed) {
        let others = sites.iter().filter_map(|site| {
            let [gone] = site.base.gone[..] else {
                return None;
            };
            let mut numbers = vec![0; CANDIDATES.div_ceil(64)];
            for place in places(&site.others) {
                insert(&mut numbers, usize::from(site.candidates[place]));
            }
            Some(((gone / 9) as u8, numbers))
        });
        for (cell, numbers) in others.collect::<Vec<_>>() {
            for site in &mut *sites {
                let Some(clue) = site.clues.iter().position(|&clue| clue == cell) else {
                    continue;
                };
                for &([place, _], _) in &site.neighbours {
                    if has(&numbers, usize::from(site.candidates[usize::from(place)])) {
                        insert(&mut site.covered[clue], usize::from(place));
                    }
                }
            }
        }
    }
}

/// Returns true if a line is a solution of a puzzle.
fn is_solution(line: &[u8; CELLS], cells: &[u8; CELLS]) -> bool {
    let fits = cells
        .iter()
        .zip(line)
        .all(|(clue, digit)| *clue == BLANK || clue == digit);
    fits && Grid::from_ascii(line).is_ok_and(|grid| grid.is_valid())
}
