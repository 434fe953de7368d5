//! One puzzle in the making.

use super::{
    super::{
        Goal, Made, Recipe,
        quotas::{Quotas, Tally},
    },
    unavoidable::UnavoidableSets,
};
use crate::{
    grid::{BLANK, CELLS, Cell, Digit, Grid, Puzzle},
    order,
    random::{Words, below, several_below},
};

#[derive(Clone, Copy, Debug)]
pub(super) struct Orbit {
    cells: [Cell; 4],
    length: u8,
}

impl Orbit {
    fn new(cells: &[Cell]) -> Self {
        let mut orbit = Self {
            cells: [cells[0]; 4],
            length: cells.len() as u8,
        };
        orbit.cells[..cells.len()].copy_from_slice(cells);
        orbit
    }

    #[inline(always)]
    fn cells(&self) -> &[Cell] {
        &self.cells[..usize::from(self.length)]
    }
}

/// The data that all sites of a recipe share.
#[derive(Debug)]
pub(super) struct Plan {
    orbits: Vec<Orbit>,
    /// The numbers of blanks to draw from, or none to take away what can go.
    blanks: Vec<u8>,
    /// True if unavoidable sets are of use.
    with_sets: bool,
    /// The number of orbits to ask about together, by how many cells are blank already.
    groups: [u8; CELLS + 1],
    /// The numbers of clues that lines may have, if there are limits.
    quotas: Option<Quotas>,
    /// True if a clue that stays for a quota must be needed too.
    is_minimal: bool,
}

impl Plan {
    pub(super) fn new(recipe: &Recipe) -> Self {
        let orbits: Vec<_> = recipe.symmetry.orbits();
        let orbits: Vec<_> = orbits.iter().map(|cells| Orbit::new(cells)).collect();
        let (blanks, with_sets, sizes): (_, _, &[_]) = match &recipe.goal {
            Goal::Blanks(blanks) if recipe.naked_singles => (blanks.clone(), false, &NAKED_GROUPS),
            Goal::Blanks(blanks) => (blanks.clone(), recipe.unique, &GROUPS),
            Goal::Minimal(_) | Goal::Restored(_) => (Vec::new(), true, &GROUPS),
        };
        let mut groups = [1; CELLS + 1];
        for (blanks, group) in groups.iter_mut().enumerate() {
            let size = sizes
                .iter()
                .find(|size| blanks < size.0)
                .map_or(1, |size| size.1);
            // All clues are asked about in one question at most.
            *group = if recipe.unique {
                (size * orbits.len()).div_ceil(CELLS) as u8
            } else {
                CELLS as u8
            };
        }
        Self {
            orbits,
            blanks,
            with_sets,
            groups,
            quotas: (!recipe.quotas.are_open()).then(|| recipe.quotas.clone()),
            is_minimal: matches!(recipe.goal, Goal::Minimal(_)),
        }
    }

    /// Puts the orbits of a grid into an order that suits the quotas.
    #[cold]
    fn reorder(&self, quotas: &Quotas, order: &mut [u8], grid: &[u8; CELLS], tries: u32) {
        let orbits: Vec<_> = self.orbits.iter().map(Orbit::cells).collect();
        // A number of blanks is mostly reached in any order. Every second try is for quotas that leave no choice.
        if self.blanks.is_empty() || tries % 2 == 1 {
            quotas.even_order(order, &orbits, grid);
        }
        quotas.missing_first(order, &orbits, grid);
    }
}

/// The number of clues to ask about together while fewer cells than this are blank: `(blanks,
/// clues)`. From 46 blanks on, three of four clues stay. Then a learned set mostly has a clue
/// that stays for another reason, and says nothing. Groups of 3 and 2 up to 53 blanks take 8 %
/// fewer questions about minimal puzzles, but 10 % more time.
const GROUPS: [(usize, usize); 3] = [(34, 34), (42, 8), (46, 4)];

const NAKED_GROUPS: [(usize, usize); 4] = [(16, 24), (28, 6), (34, 3), (42, 2)];

/// A set of orbits: a bit for each.
type Orbits = u128;

/// One puzzle in the making.
///
/// ```text
///     order of the orbits     40 7 23 61 ... 12 55 3 18 70 | 9 ...
///                             passed                       | not passed yet
///     gone                    40 7    61
///     group                                  12 55   18
/// ```
///
/// A passed orbit is gone, or in the group that the next question is about, or it stays. Those
/// between two orbits of the group stay if all of the group before them goes.
#[derive(Debug)]
pub(super) struct Site {
    gone: Orbits,
    group: Orbits,
    passed: Orbits,
    /// If not empty: orbits that cannot all go. Nobody knows which of them stay.
    doubtful: Orbits,
    /// The orbits that stay for a quota, and may be redundant.
    held: Orbits,
    /// True once those that stayed for a quota are asked about.
    is_last_round: bool,
    tally: Tally,
    learned: LearnedSets,
    /// The facts that the solutions of the puzzle without the group have shown so far.
    others: [Orbits; MOST_OTHERS],
    others_found: u8,
    /// Its place in what is made.
    pub(super) place: usize,
    /// The number of tries that were made before.
    pub(super) tries: u32,
    /// The number of cells that are blank, without those of the group.
    blanks: u8,
    group_cells: u8,
    /// The blanks that are wanted; more than there are cells for as many as can be.
    wanted: u8,
    at: u8,
    /// If not 0: how many orbits the next question is about.
    next_length: u8,
    grid: [u8; CELLS],
    /// The orbits in the order in which they are asked about.
    order: [u8; CELLS],
    sets: UnavoidableSets,
}

/// Sets of orbits that cannot all go, which the answers to failed questions taught.
///
/// Any other solution of a puzzle differs from the grid in an unavoidable set of cells. All its
/// clues are in the group that was asked about.
#[derive(Debug, Default)]
struct LearnedSets {
    sets: [Orbits; MOST_LEARNED],
    length: usize,
}

const MOST_LEARNED: usize = 8;

/// The number of solutions that a question about several clues looks for. The grid may be one of them. Each
/// other one shows a set of clues that cannot all go. A third takes longer than it saves.
pub(super) const MOST_OTHERS: usize = 2;

impl LearnedSets {
    /// Adds a set, if there is room.
    fn push(&mut self, set: Orbits) -> bool {
        let has_room = self.length < MOST_LEARNED;
        if has_room {
            self.sets[self.length] = set;
            self.length += 1;
        }
        has_room
    }

    /// Returns true if some of each set is left when some orbits are out.
    #[inline(always)]
    fn are_hit_without(&self, out: Orbits) -> bool {
        let mut hit = true;
        for set in &self.sets[..self.length] {
            hit &= set & !out != 0;
        }
        hit
    }

    /// Forgets the sets that have an orbit that stays.
    fn forget(&mut self, stay: Orbits) {
        let mut kept = 0;
        for i in 0..self.length {
            let set = self.sets[i];
            self.sets[kept] = set;
            kept += usize::from(set & stay == 0);
        }
        self.length = kept;
    }
}

impl Site {
    pub(super) fn new(
        plan: &Plan,
        grid: &[u8; CELLS],
        seed: u64,
        place: usize,
        number: u64,
        tries: u32,
    ) -> Self {
        // Stream 0 makes the grid. All tries of a puzzle are for the same number of blanks.
        let wanted = match &plan.blanks[..] {
            [] => CELLS as u8 + 1,
            [blanks] => *blanks,
            blanks => blanks[draw(&mut Words::of_stream(seed, number, 1), blanks.len())],
        };
        let mut words = Words::of_stream(seed, number, 2 + tries);
        let mut order = random_order(&plan.orbits, usize::from(wanted), &mut words);
        if let Some(quotas) = &plan.quotas {
            plan.reorder(quotas, &mut order[..plan.orbits.len()], grid, tries);
        }
        let sets = if plan.with_sets {
            UnavoidableSets::of(grid)
        } else {
            UnavoidableSets::NONE
        };
        Self {
            gone: 0,
            group: 0,
            passed: 0,
            doubtful: 0,
            held: 0,
            is_last_round: false,
            tally: Tally::of_grid(plan.quotas.as_ref()),
            learned: LearnedSets::default(),
            others: [0; MOST_OTHERS],
            others_found: 0,
            place,
            tries,
            blanks: 0,
            group_cells: 0,
            wanted,
            at: 0,
            next_length: 0,
            grid: *grid,
            order,
            sets,
        }
    }

    /// The cells before any clue is gone.
    pub(super) fn grid(&self) -> &[u8; CELLS] {
        &self.grid
    }

    /// Completes the group and blanks its cells. Returns whether there is one. Otherwise the
    /// site is done.
    #[inline(always)]
    pub(super) fn next_group(&mut self, plan: &Plan, cells: &mut [u8; CELLS]) -> bool {
        if self.group == 0 {
            let stay = self.passed & !self.gone;
            self.learned.forget(stay);
            if self.doubtful & stay != 0 {
                self.doubtful = 0;
            }
        }
        let most = self.most(plan);
        let mut length = self.group.count_ones();
        let mut left = self.wanted - self.blanks - self.group_cells;
        let mut at = usize::from(self.at);
        while at < plan.orbits.len() && left > 0 && length < most {
            let number = self.order[at];
            at += 1;
            let bit = 1 << number;
            self.passed |= bit;
            let orbit = &plan.orbits[usize::from(number)];
            if orbit.length <= left
                && self.learned.are_hit_without(self.gone | self.group | bit)
                && plan
                    .quotas
                    .as_ref()
                    .is_none_or(|quotas| self.may_go(quotas, number, orbit, left))
                && (!plan.with_sets || self.sets.take(orbit.cells()))
            {
                if let Some(quotas) = &plan.quotas {
                    self.tally.take(quotas, orbit.cells(), &self.grid);
                }
                left -= orbit.length;
                self.group_cells += orbit.length;
                for cell in orbit.cells() {
                    cells[cell.index()] = BLANK;
                }
                self.group |= bit;
                length += 1;
            }
        }
        self.at = at as u8;
        if self.held != 0 && self.group == 0 && at == plan.orbits.len() && plan.is_minimal {
            self.begin_last_round(plan);
            return self.next_group(plan, cells);
        }
        self.group != 0
    }

    /// Returns true if the quotas allow that an orbit goes. Notes one that stays for them.
    #[cold]
    fn may_go(&mut self, quotas: &Quotas, number: u8, orbit: &Orbit, left: u8) -> bool {
        // A minimal puzzle has no number of clues, and in the last round nothing holds what is redundant.
        let left = match self.wanted as usize > CELLS {
            true => CELLS,
            false => usize::from(left - orbit.length),
        };
        let may_go =
            self.is_last_round || self.tally.may_go(quotas, orbit.cells(), &self.grid, left);
        self.held |= Orbits::from(!may_go) << number;
        may_go
    }

    /// Puts the orbits that stay for a quota to the end of the order, to be asked about again.
    #[cold]
    fn begin_last_round(&mut self, plan: &Plan) {
        let held = std::mem::take(&mut self.held);
        let order = &mut self.order[..plan.orbits.len()];
        order::sort_by_key(order, |&number| held >> number & 1);
        self.at = plan.orbits.len() as u8 - held.count_ones() as u8;
        self.passed &= !held;
        self.is_last_round = true;
    }

    /// The number of orbits that the next question is about, at most.
    #[inline(always)]
    fn most(&mut self, plan: &Plan) -> u32 {
        let doubtful = (self.doubtful & !self.gone).count_ones();
        match std::mem::take(&mut self.next_length) {
            0 if doubtful > 1 => doubtful.div_ceil(2),
            0 => u32::from(plan.groups[usize::from(self.blanks)]),
            length => u32::from(length),
        }
    }

    /// The cell of the group, when it has but one.
    pub(super) fn only_cell(&self, plan: &Plan) -> Option<Cell> {
        if !self.group.is_power_of_two() {
            return None;
        }
        match plan.orbits[self.group.trailing_zeros() as usize].cells() {
            [cell] => Some(*cell),
            _ => None,
        }
    }

    /// The digit that a cell has in the grid.
    pub(super) fn digit(&self, cell: Cell) -> Digit {
        Digit::from_ascii(self.grid[cell.index()]).expect("a digit")
    }

    #[inline(always)]
    pub(super) fn drop_group(&mut self) {
        self.others_found = 0;
        self.gone |= self.group;
        self.group = 0;
        self.blanks += self.group_cells;
        self.group_cells = 0;
    }

    /// Learns that the clues of the group cannot all go, and goes back to the last orbit of
    /// which that is certain.
    pub(super) fn keep_group(&mut self, plan: &Plan, cells: &mut [u8; CELLS]) {
        let others = std::mem::take(&mut self.others_found);
        if self.group.is_power_of_two() {
            // It stays.
            self.go_back(plan, cells, |site| site.group == 0);
            return;
        }
        let (mut learned, mut has_room) = (false, true);
        for &set in &self.others[..usize::from(others)] {
            learned = true;
            has_room &= self.learned.push(set);
        }
        if !has_room {
            // Questions about one orbit need no sets.
            self.ask_again(plan, cells, 0);
            self.next_length = 1;
        } else if learned {
            self.go_back(plan, cells, |site| {
                site.learned.are_hit_without(site.gone | site.group)
            });
        } else {
            self.doubtful = self.group;
            let half = self.group.count_ones().div_ceil(2);
            self.learned.push(self.group);
            self.ask_again(plan, cells, half);
            self.next_length = half.max(1) as u8;
        }
    }

    /// Notes the orbits of the group in which a solution of the puzzle without it differs from the
    /// grid.
    pub(super) fn found(&mut self, plan: &Plan, holds: &dyn Fn(Cell, Digit) -> bool) {
        let mut set = 0;
        let mut group = self.group;
        while group != 0 {
            let number = group.trailing_zeros();
            group &= group - 1;
            let orbit = &plan.orbits[number as usize];
            let mut differs = false;
            for &cell in orbit.cells() {
                differs |= !holds(cell, self.digit(cell));
            }
            set |= Orbits::from(differs) << number;
        }
        if set != 0
            && let Some(other) = self.others.get_mut(usize::from(self.others_found))
        {
            *other = set;
            self.others_found += 1;
        }
    }

    /// Puts orbits of the group back, the last one first, until `enough`. The orbit that was
    /// put back last stays, and those after it are yet to be passed.
    #[inline(always)]
    fn go_back(&mut self, plan: &Plan, cells: &mut [u8; CELLS], enough: impl Fn(&Self) -> bool) {
        while !(self.pull(plan, cells) && enough(self)) {}
        self.passed |= 1 << self.order[usize::from(self.at)];
        self.at += 1;
    }

    /// Puts orbits of the group back, the last one first, until this number is left. Those that
    /// were put back are yet to be passed.
    fn ask_again(&mut self, plan: &Plan, cells: &mut [u8; CELLS], length: u32) {
        while self.group.count_ones() > length {
            self.pull(plan, cells);
        }
    }

    /// Goes one orbit back, which is yet to be passed then. Returns true if it was in the group, and is put
    /// back.
    #[inline(always)]
    fn pull(&mut self, plan: &Plan, cells: &mut [u8; CELLS]) -> bool {
        self.at -= 1;
        let number = self.order[usize::from(self.at)];
        self.passed &= !(1 << number);
        self.held &= !(1 << number);
        let is_out = self.group >> number & 1 != 0;
        if is_out {
            self.put_back(plan, cells, number);
        }
        is_out
    }

    #[inline(always)]
    fn put_back(&mut self, plan: &Plan, cells: &mut [u8; CELLS], number: u8) {
        let orbit = &plan.orbits[usize::from(number)];
        self.group &= !(1 << number);
        self.group_cells -= orbit.length;
        for cell in orbit.cells() {
            cells[cell.index()] = self.grid[cell.index()];
        }
        if plan.with_sets {
            self.sets.put_back(orbit.cells());
        }
        if let Some(quotas) = &plan.quotas {
            self.tally.put_back(quotas, orbit.cells(), &self.grid);
        }
    }

    #[cfg(test)]
    pub(super) fn order(&self, orbits: usize) -> Vec<u8> {
        self.order[..orbits].to_vec()
    }

    #[cfg(test)]
    pub(super) fn wanted(&self) -> usize {
        usize::from(self.wanted)
    }

    /// Whether a puzzle that is done is what the recipe asks for, apart from its rating.
    pub(super) fn is_wanted(&self, recipe: &Recipe, cells: &[u8; CELLS]) -> bool {
        let has_clues = match &recipe.goal {
            Goal::Blanks(_) => self.blanks == self.wanted,
            Goal::Minimal(clues) | Goal::Restored(clues) => {
                clues.contains(&(CELLS - usize::from(self.blanks)))
            }
        };
        let meets_quotas = recipe.quotas.are_open() || self.tally.meets(&recipe.quotas);
        has_clues && meets_quotas && recipe.has_guesses(&self.made(cells).puzzle)
    }

    /// Returns true if clues can be given back to a puzzle that is done: no line has too many already.
    pub(super) fn is_open(&self) -> bool {
        self.tally.has_none_over()
    }

    /// Goes on after the rating of a minimal puzzle: gives the next orbit back, from the last in its
    /// order to the first. The orbit before it goes again if the puzzle has become too easy by it.
    /// `most` is how many clues there may be. Returns `false` if there is no orbit to give back.
    pub(super) fn give_back(
        &mut self,
        plan: &Plan,
        cells: &mut [u8; CELLS],
        too_easy: bool,
        most: usize,
    ) -> bool {
        if too_easy {
            if usize::from(self.at) == plan.orbits.len() {
                return false;
            }
            let number = self.order[usize::from(self.at)];
            let orbit = &plan.orbits[usize::from(number)];
            self.gone |= 1 << number;
            self.blanks += orbit.length;
            orbit.cells().iter().for_each(|c| cells[c.index()] = BLANK);
            if let Some(quotas) = &plan.quotas {
                self.tally.take(quotas, orbit.cells(), &self.grid);
            }
        }
        while self.at > 0 {
            self.at -= 1;
            let number = self.order[usize::from(self.at)];
            let orbit = &plan.orbits[usize::from(number)];
            let clues = CELLS - usize::from(self.blanks - orbit.length);
            let may_come = |quotas: &Quotas| self.tally.may_come(quotas, orbit.cells(), &self.grid);
            if self.gone >> number & 1 != 0
                && clues <= most
                && plan.quotas.as_ref().is_none_or(may_come)
            {
                self.gone ^= 1 << number;
                if let Some(quotas) = &plan.quotas {
                    self.tally.put_back(quotas, orbit.cells(), &self.grid);
                }
                self.blanks -= orbit.length;
                for cell in orbit.cells() {
                    cells[cell.index()] = self.grid[cell.index()];
                }
                return true;
            }
        }
        false
    }

    pub(super) fn made(&self, cells: &[u8; CELLS]) -> Made {
        Made {
            puzzle: Puzzle::from_ascii(cells).expect("clues and blanks"),
            solution: Grid::from_ascii(&self.grid).expect("digits"),
            hardest: None,
            weight: None,
        }
    }
}

/// The order in which cells are asked about in the first try for a minimal puzzle.
pub(in super::super) fn order_of(seed: u64, number: u64) -> [u8; CELLS] {
    let mut order = std::array::from_fn(|cell| cell as u8);
    shuffle(&mut order, &mut Words::of_stream(seed, number, 2));
    order
}

/// The orbits in a random order. Where one cell is an orbit by itself and all others are in
/// larger ones, the number of blanks decides whether it must go: then it is the first, and
/// otherwise it is the last.
fn random_order(orbits: &[Orbit], wanted: usize, words: &mut Words) -> [u8; CELLS] {
    let mut order = [0; CELLS];
    for (orbit, place) in (0..).zip(&mut order[..orbits.len()]) {
        *place = orbit;
    }
    shuffle(&mut order[..orbits.len()], words);
    let alone = |&orbit: &u8| orbits[usize::from(orbit)].length == 1;
    let order_of = &mut order[..orbits.len()];
    if wanted <= CELLS
        && orbits[0].length > 1
        && order_of.iter().filter(|orbit| alone(orbit)).count() == 1
    {
        let at = order_of.iter().position(alone).expect("there is one");
        let size = usize::from(orbits[0].length);
        let end = if wanted % size == 1 {
            0
        } else {
            orbits.len() - 1
        };
        order_of.swap(at, end);
    }
    order
}

/// Puts items into a random order. (Fisher and Yates: from the last place down, each gets
/// one of those that are left.)
fn shuffle(items: &mut [u8], words: &mut Words) {
    let mut left = items.len();
    while left > 1 {
        let (mut ranges, mut numbers, mut count, mut product) = ([0; 60], [0; 60], 0, 1);
        while left - count > 1 && product <= (1 << 60) / (left - count) as u64 {
            ranges[count] = (left - count) as u64;
            product *= ranges[count];
            count += 1;
        }
        while !several_below(&ranges[..count], words.next(), &mut numbers) {}
        for &number in &numbers[..count] {
            left -= 1;
            items.swap(left, number as usize);
        }
    }
}

/// A number under `range`, each as likely as the others.
fn draw(words: &mut Words, range: usize) -> usize {
    loop {
        if let Some(number) = below(range as u64, words.next()) {
            return number as usize;
        }
    }
}
