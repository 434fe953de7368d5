//! One puzzle in the making.

use super::{
    super::{Goal, Made, Recipe},
    unavoidable::UnavoidableSets,
};
use crate::{
    grid::{BLANK, CELLS, Cell, Grid, GridLine, Puzzle},
    random::{Words, below, several_below},
    solve::guesses,
};

/// What is the same for all sites of a recipe.
#[derive(Debug)]
pub(super) struct Plan {
    /// The cells that go together.
    pub(super) orbits: Vec<Vec<Cell>>,
    /// The numbers of blanks to draw from, or none to take away what can go.
    blanks: Vec<u8>,
    /// Whether unavoidable sets are of use.
    with_sets: bool,
    /// How many orbits to ask about together, by how many cells are blank already.
    groups: [u8; CELLS + 1],
}

impl Plan {
    pub(super) fn new(recipe: &Recipe) -> Self {
        let orbits = recipe.symmetry.orbits();
        let (blanks, with_sets, sizes) = match &recipe.goal {
            Goal::Blanks(blanks) => {
                let most = blanks.iter().max().copied().unwrap_or(0);
                let few = usize::from(most) <= BLANKS_WITHOUT_SETS;
                let groups = if few {
                    &GROUPS_WITHOUT_SETS[..]
                } else {
                    &GROUPS
                };
                (blanks.clone(), recipe.unique && !few, groups)
            }
            Goal::NakedSingles(blanks) => (blanks.clone(), false, &NAKED_GROUPS[..]),
            Goal::Minimal(_) | Goal::Guesses(_) => (Vec::new(), true, &GROUPS[..]),
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
        }
    }
}

/// For so many blanks, finding unavoidable sets costs more than it saves: a puzzle with 45
/// blanks takes 3.3 µs with them and 2.7 without.
const BLANKS_WITHOUT_SETS: usize = 48;

/// How many clues to ask about together while fewer cells than this are blank: `(blanks,
/// clues)`. Larger and smaller groups are 1 to 3 % slower, for minimal puzzles and for 45
/// blanks.
const GROUPS: [(usize, usize); 6] = [(16, 34), (34, 12), (42, 8), (46, 5), (50, 3), (53, 2)];

/// The same without unavoidable sets.
const GROUPS_WITHOUT_SETS: [(usize, usize); 4] = [(16, 26), (28, 10), (36, 8), (46, 6)];

/// The same for naked singles.
const NAKED_GROUPS: [(usize, usize); 4] = [(16, 24), (28, 6), (34, 3), (42, 2)];

/// One puzzle in the making.
///
/// ```text
///     order of the orbits     40 7 23 61 ... 12 | 55 3 18 70 | 9 ...
///                             behind            | group      | end
/// ```
#[derive(Debug)]
pub(super) struct Site {
    /// Its place in what is made.
    pub(super) place: usize,
    /// How many tries were made before.
    pub(super) tries: u32,
    grid: [u8; CELLS],
    /// The puzzle without the clues of the group.
    pub(super) cells: [u8; CELLS],
    /// The orbits in the order in which they are asked about.
    order: [u8; CELLS],
    /// How many of them are behind.
    behind: usize,
    /// The orbits that are asked about.
    group: [u8; CELLS],
    group_length: usize,
    /// The place in the order after the first of the group, and after the last.
    first_end: usize,
    end: usize,
    /// If not 0: of the next orbits that are not known to be needed, so many cannot all go.
    doubtful: usize,
    /// Orbits that are known to be needed, by the solver's answers: a bit for each.
    needed: u128,
    /// How many of these to ask about next.
    next_length: usize,
    /// How many cells are blank besides those of the group.
    blanks: usize,
    /// The blanks that are wanted; more than there are cells for as many as can be.
    wanted: usize,
    sets: UnavoidableSets,
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
            [] => CELLS + 1,
            [blanks] => usize::from(*blanks),
            blanks => {
                usize::from(blanks[draw(&mut Words::of_stream(seed, number, 1), blanks.len())])
            }
        };
        let mut words = Words::of_stream(seed, number, 2 + tries);
        let order = random_order(&plan.orbits, wanted, &mut words);
        let sets = if plan.with_sets {
            UnavoidableSets::of(grid)
        } else {
            UnavoidableSets::NONE
        };
        Self {
            place,
            tries,
            grid: *grid,
            cells: *grid,
            order,
            behind: 0,
            group: [0; CELLS],
            group_length: 0,
            first_end: 0,
            end: 0,
            doubtful: 0,
            needed: 0,
            next_length: 0,
            blanks: 0,
            wanted,
            sets,
        }
    }

    /// Blanks the next group. Returns whether there is one; otherwise the site is done.
    pub(super) fn next_group(&mut self, plan: &Plan) -> bool {
        loop {
            self.group_length = 0;
            let most = match self.doubtful {
                0 => usize::from(plan.groups[self.blanks]),
                doubtful => self.next_length.min(doubtful),
            };
            let mut at = self.behind;
            let mut left = self.wanted - self.blanks;
            while at < plan.orbits.len() && left > 0 && self.group_length < most {
                let orbit = self.order[at];
                at += 1;
                let cells = &plan.orbits[usize::from(orbit)][..];
                if cells.len() <= left
                    && self.needed >> orbit & 1 == 0
                    && (!plan.with_sets || self.sets.take(cells))
                {
                    left -= cells.len();
                    for cell in cells {
                        self.cells[cell.index()] = BLANK;
                    }
                    self.group[self.group_length] = orbit;
                    self.group_length += 1;
                }
                if self.group_length == 0 {
                    // It stays.
                    self.behind = at;
                } else if self.group_length == 1 && self.group[0] == orbit {
                    self.first_end = at;
                }
            }
            self.end = at;
            if self.group_length == 0 {
                return false;
            }
            if self.doubtful == 1 {
                self.keep_group(plan, None);
                continue;
            }
            return true;
        }
    }

    /// The cell of the group, when it has but one.
    pub(super) fn only_cell(&self, plan: &Plan) -> Option<Cell> {
        match (&self.group[..self.group_length], plan.orbits.len()) {
            ([orbit], _) => match plan.orbits[usize::from(*orbit)][..] {
                [cell] => Some(cell),
                _ => None,
            },
            _ => None,
        }
    }

    /// The digit that a cell has in the grid, in ASCII.
    pub(super) fn digit(&self, cell: Cell) -> u8 {
        self.grid[cell.index()]
    }

    /// Whether a line is a solution other than the grid.
    pub(super) fn differs(&self, line: &GridLine) -> bool {
        line[0] != BLANK && line[..CELLS] != self.grid
    }

    /// Goes on without the clues of the group.
    pub(super) fn drop_group(&mut self, plan: &Plan) {
        let group = &self.group[..self.group_length];
        let sizes = group
            .iter()
            .map(|&orbit| plan.orbits[usize::from(orbit)].len());
        self.blanks += sizes.sum::<usize>();
        self.behind = self.end;
        self.doubtful = self.doubtful.saturating_sub(self.group_length);
        self.next_length = self.doubtful.div_ceil(2);
    }

    /// Goes on with the clues of the group, which cannot all go. `other` is another
    /// solution of the puzzle without them, if one is known: where it differs from the
    /// grid there is no clue, except for those of the group.
    pub(super) fn keep_group(&mut self, plan: &Plan, other: Option<&[u8; CELLS]>) {
        let (mut differ, mut last) = (0, 0);
        for (i, &orbit) in self.group[..self.group_length].iter().enumerate() {
            let cells = &plan.orbits[usize::from(orbit)][..];
            let mut differs = false;
            for cell in cells {
                let cell = cell.index();
                self.cells[cell] = self.grid[cell];
                differs |= other.is_some_and(|other| other[cell] != self.grid[cell]);
            }
            if differs {
                (differ, last) = (differ + 1, i);
            }
            if plan.with_sets {
                self.sets.put_back(cells);
            }
        }
        (self.doubtful, self.next_length) = match (self.group_length, differ) {
            (1, _) => {
                // Those after it may have been passed over because it would be gone.
                self.behind = self.first_end;
                (0, 0)
            }
            (length, 0) => (length, length.div_ceil(2)),
            (_, 1) => {
                self.needed |= 1 << self.group[last];
                (0, 0)
            }
            // If all before the last can go, the last is needed.
            _ => (last + 1, last),
        };
    }

    #[cfg(test)]
    pub(super) fn order(&self, orbits: usize) -> Vec<u8> {
        self.order[..orbits].to_vec()
    }

    #[cfg(test)]
    pub(super) fn wanted(&self) -> usize {
        self.wanted
    }

    /// Whether a puzzle that is done is what the recipe asks for.
    pub(super) fn is_wanted(&self, recipe: &Recipe) -> bool {
        match &recipe.goal {
            Goal::Blanks(_) | Goal::NakedSingles(_) => self.blanks == self.wanted,
            Goal::Minimal(clues) => clues.contains(&(CELLS - self.blanks)),
            Goal::Guesses(0) => true,
            Goal::Guesses(least) => guesses(&self.made().puzzle, least - 1).is_none(),
        }
    }

    /// The puzzle and its solution.
    pub(super) fn made(&self) -> Made {
        Made {
            puzzle: Puzzle::from_ascii(&self.cells).expect("clues and blanks"),
            solution: Grid::from_ascii(&self.grid).expect("digits"),
        }
    }
}

/// The orbits in a random order. Where one cell is an orbit by itself and all others are in
/// larger ones, the number of blanks tells whether it must go: then it is the first, and
/// otherwise it is the last.
fn random_order(orbits: &[Vec<Cell>], wanted: usize, words: &mut Words) -> [u8; CELLS] {
    let mut order = [0; CELLS];
    for (orbit, place) in (0..).zip(&mut order[..orbits.len()]) {
        *place = orbit;
    }
    shuffle(&mut order[..orbits.len()], words);
    let alone = |&orbit: &u8| orbits[usize::from(orbit)].len() == 1;
    let order_of = &mut order[..orbits.len()];
    if wanted <= CELLS
        && orbits[0].len() > 1
        && order_of.iter().filter(|orbit| alone(orbit)).count() == 1
    {
        let at = order_of.iter().position(alone).expect("there is one");
        let size = orbits[0].len();
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
