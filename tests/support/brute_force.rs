//! Searches that try everything. They stand here because they run long, and this crate is optimised.

use std::{
    collections::{BTreeSet, HashSet},
    iter,
    sync::LazyLock,
};
use sudoku_batch::{
    Candidates, Cell, Digit, Engine, Grid, Puzzle, Solver,
    grid::{Digits, HOUSE_CELLS, PEERS},
    symmetry::Transformation,
};

/// The solutions by brute force, at most `limit`: the cell with the fewest candidates is tried, or the
/// digit with the fewest cells in a house, and only peers lose a digit. It shares nothing with the
/// library but the houses.
pub fn solutions_of(candidates: &Candidates, limit: usize) -> Vec<[u8; 81]> {
    /// A cell has a bit for each digit, and the places of a digit have a bit for each cell of a house.
    fn search(cells: &[u16; 81], open: u128, limit: usize, found: &mut Vec<[u8; 81]>) {
        let is_open = |cell: &usize| open >> cell & 1 == 1;
        let of_cells = (0..81)
            .filter(is_open)
            .map(|cell| (cells[cell], None, cell));
        let Some(mut fewest) = of_cells.min_by_key(|(ways, ..)| ways.count_ones()) else {
            found.push(cells.map(|digits| b'1' + digits.trailing_zeros() as u8));
            return;
        };
        // The houses take most of the time, and no digit of them has fewer ways than one.
        if fewest.0.count_ones() > 1 {
            let of_houses = HOUSE_CELLS
                .iter()
                .flat_map(|house| (0..9).map(move |digit| (house, digit)));
            let of_houses = of_houses.map(|(house, digit)| {
                let bits = house
                    .iter()
                    .map(|&cell| cells[usize::from(cell)] >> digit & 1);
                let places = bits.rev().fold(0, |places, bit| places << 1 | bit);
                (places, Some(house), digit)
            });
            let of_houses = of_houses.filter(|&(places, house, _)| {
                let cell = |place| usize::from(house.expect("given above")[place as usize]);
                places.count_ones() != 1 || is_open(&cell(places.trailing_zeros()))
            });
            let ways = iter::once(fewest).chain(of_houses);
            fewest = ways
                .min_by_key(|(ways, ..)| ways.count_ones())
                .expect("that of the cell");
        }
        let (ways, house, of) = fewest;
        for way in (0..9).filter(|way| ways >> way & 1 == 1) {
            if found.len() == limit {
                return;
            }
            let (cell, digit) = house.map_or((of, way), |house| (house[way].into(), of));
            let mut next = *cells;
            next[cell] = 1 << digit;
            for &peer in &PEERS[cell] {
                next[usize::from(peer)] &= !(1 << digit);
            }
            if !next.contains(&0) {
                search(&next, open & !(1 << cell), limit, found);
            }
        }
    }
    let digits = |cell| candidates.get(Cell::new(cell).unwrap()).iter();
    let bits = |cell| digits(cell).fold(0, |bits, digit| bits | 1 << (digit.get() - 1));
    let mut found = Vec::new();
    search(&std::array::from_fn(bits), (1 << 81) - 1, limit, &mut found);
    found
}

/// The images of a puzzle by brute force, over a list of symmetries.
pub fn all_images(puzzle: &Puzzle, symmetries: &[Transformation]) -> HashSet<Puzzle> {
    symmetries.iter().map(|by| by.puzzle(puzzle)).collect()
}

/// Whether these are images of a list, each of them once.
pub fn are_distinct_images(found: &[Puzzle], images: &HashSet<Puzzle>) -> bool {
    let distinct: HashSet<_> = found.iter().collect();
    distinct.len() == found.len() && found.iter().all(|image| images.contains(image))
}

/// All minimal puzzles inside a puzzle with one solution, by its subsets: from the whole puzzle on, each
/// that has one solution loses each clue in turn. Those from which no clue can go are minimal.
pub fn minimals_by_subsets(puzzle: &Puzzle, solver: &mut Solver) -> BTreeSet<Puzzle> {
    let mut level = BTreeSet::from([*puzzle]);
    let mut minimal = BTreeSet::new();
    while !level.is_empty() {
        let parents: Vec<_> = level.into_iter().collect();
        let (mut fewer, mut of_parent) = (Vec::new(), Vec::new());
        for (number, parent) in parents.iter().enumerate() {
            for cell in Cell::all().filter(|&cell| parent.get(cell).is_some()) {
                let mut child = *parent;
                child.set(cell, None);
                fewer.push(child);
                of_parent.push(number);
            }
        }
        let counts = solver.count_batch(&fewer, 2);
        let mut has_child = vec![false; parents.len()];
        level = BTreeSet::new();
        for ((child, parent), count) in fewer.into_iter().zip(of_parent).zip(counts) {
            if count == 1 {
                has_child[parent] = true;
                level.insert(child);
            }
        }
        let ends = parents.into_iter().zip(has_child);
        minimal.extend(
            ends.filter(|(_, has_child)| !has_child)
                .map(|(parent, _)| parent),
        );
    }
    minimal
}

/// The minimal sets that meet all of these sets (C. Berge's way: set by set).
pub fn minimal_hitting_sets(sets: &[u64]) -> Vec<u64> {
    let mut hitting = vec![0u64];
    for &set in sets {
        let (met, missed): (Vec<_>, Vec<_>) = hitting.iter().partition(|&&have| have & set != 0);
        let mut all: Vec<u64> = met;
        let old = all.len();
        for have in missed {
            for place in (0..64).filter(|place| set >> place & 1 != 0) {
                let more = have | 1 << place;
                if all[..old].iter().all(|&other| other & !more != 0) {
                    all.push(more);
                }
            }
        }
        hitting = all;
    }
    hitting
}

/// The neighbours from the first sets of clues, by trying all other clues.
pub fn neighbours_by_trying(
    seed: &Puzzle,
    (drop, add): (usize, usize),
    is_minimal: bool,
    most_sets: usize,
) -> Vec<Puzzle> {
    let mut solver = Solver::new().with_engine(Engine::Scalar);
    let clues: Vec<_> = Cell::all()
        .filter(|&cell| seed.get(cell).is_some())
        .collect();
    let mut found = Vec::new();
    for gone in sets(&clues, drop).into_iter().take(most_sets) {
        let mut rest = *seed;
        gone.iter().for_each(|&cell| rest.set(cell, None));
        let blank = Cell::all().filter(|&cell| rest.get(cell).is_none());
        let others = blank.flat_map(|cell| Digit::all().map(move |digit| (cell, digit)));
        // Two clues of a house are no puzzle with a solution.
        let fits = |(cell, digit): &(Cell, Digit)| {
            let mut puzzle = rest;
            puzzle.set(*cell, Some(*digit));
            seed.get(*cell) != Some(*digit) && puzzle.conflict().is_none()
        };
        let others: Vec<_> = others.filter(fits).collect();
        let mut puzzles = Vec::new();
        for set in sets(&others, add) {
            let mut puzzle = rest;
            for &(cell, digit) in &set {
                puzzle.set(cell, Some(digit));
            }
            if puzzle.clue_count() + drop == seed.clue_count() + add && puzzle.conflict().is_none()
            {
                puzzles.push(puzzle);
            }
        }
        let counts = solver.count_batch(&puzzles, 2);
        let unique = puzzles
            .into_iter()
            .zip(counts)
            .filter(|(_, count)| *count == 1);
        for (puzzle, _) in unique {
            let mut cells = Cell::all().filter(|&cell| puzzle.get(cell).is_some());
            let is_redundant = |cell| {
                let mut fewer = puzzle;
                fewer.set(cell, None);
                solver.count(&fewer, 2) == 1
            };
            if !is_minimal || !cells.any(is_redundant) {
                found.push(puzzle);
            }
        }
    }
    found
}

/// All sets of so many items, in the order of the items.
fn sets<T: Copy>(items: &[T], number: usize) -> Vec<Vec<T>> {
    if number == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (place, &item) in items.iter().enumerate() {
        for mut set in sets(&items[place + 1..], number - 1) {
            set.insert(0, item);
            all.push(set);
        }
    }
    all
}

/// The digits of a grid as bytes of ASCII.
pub type Rows = [[u8; 9]; 9];

/// The rows of a grid.
pub fn rows(grid: &Grid) -> Rows {
    std::array::from_fn(|r| std::array::from_fn(|c| grid.as_ascii()[9 * r + c]))
}

/// Rows and columns exchanged.
pub fn transposed(rows: &Rows) -> Rows {
    std::array::from_fn(|r| std::array::from_fn(|c| rows[c][r]))
}

/// Permutation `number` of `things` in lexicographic order.
pub fn permutation(mut number: u64, mut things: Vec<u8>) -> Vec<u8> {
    let mut permutation = Vec::new();
    while !things.is_empty() {
        let rest: u64 = (1..things.len() as u64).product();
        permutation.push(things.remove((number / rest) as usize));
        number %= rest;
    }
    permutation
}

/// Line order `number`: bands first, then the lines of each.
pub fn line_order(number: u64) -> Vec<u8> {
    let within = [number / 36 % 6, number / 6 % 6, number % 6];
    let bands = permutation(number / 216, vec![0, 1, 2]);
    let lines =
        |(band, number): (u8, u64)| permutation(number, vec![3 * band, 3 * band + 1, 3 * band + 2]);
    bands.into_iter().zip(within).flat_map(lines).collect()
}

/// All 1296 line orders.
pub fn line_orders() -> &'static [[usize; 9]] {
    static ALL: LazyLock<Vec<[usize; 9]>> = LazyLock::new(|| {
        let lines = |number| line_order(number).into_iter().map(usize::from);
        let order = |number| {
            Vec::from_iter(lines(number))
                .try_into()
                .expect("nine lines")
        };
        (0..1296).map(order).collect()
    });
    &ALL
}

/// The smallest image of a grid and in how many ways it is reached, by trying
/// each first row with each order of the columns.
pub fn canonical_form(grid: &Grid) -> (Rows, u32) {
    let (mut best, mut ways) = ([[b'9'; 9]; 9], 0);
    for side in [rows(grid), transposed(&rows(grid))] {
        for (row, first) in side.iter().enumerate() {
            for order in line_orders() {
                let mut names = [0; 256];
                for (name, &column) in (b'1'..).zip(order) {
                    names[first[column] as usize] = name;
                }
                let named = |row: [u8; 9]| order.map(|column| names[row[column] as usize]);
                // The first row becomes 123456789, so its band comes first.
                let (bands, _) = side.as_chunks::<3>();
                let mut top = bands[row / 3].map(named);
                top.sort_unstable();
                if top[..] > best[..3] {
                    continue;
                }
                let mut image = side.map(named);
                image.chunks_mut(3).for_each(<[_]>::sort_unstable);
                let (bands, _) = image.as_chunks_mut::<3>();
                bands.sort_unstable();
                if image < best {
                    (best, ways) = (image, 0);
                }
                ways += u32::from(image == best);
            }
        }
    }
    (best, ways)
}

/// The sets of so many blank cells whose digits in the solution leave a puzzle that something solves, in the order of their
/// cells.
pub fn backdoors(
    puzzle: &Puzzle,
    solution: &Grid,
    size: usize,
    solves: &mut impl FnMut(&Puzzle) -> bool,
) -> Vec<Vec<usize>> {
    fn add(
        (puzzle, solution): (Puzzle, &Grid),
        set: &mut Vec<usize>,
        size: usize,
        found: &mut Vec<Vec<usize>>,
        solves: &mut impl FnMut(&Puzzle) -> bool,
    ) {
        if set.len() == size {
            found.extend(solves(&puzzle).then(|| set.clone()));
            return;
        }
        let first = set.last().map_or(0, |last| last + 1);
        for cell in Cell::all()
            .skip(first)
            .filter(|&cell| puzzle.get(cell).is_none())
        {
            let mut more = puzzle;
            more.set(cell, Some(solution.get(cell)));
            set.push(cell.index());
            add((more, solution), set, size, found, solves);
            set.pop();
        }
    }
    let mut found = Vec::new();
    add(
        (*puzzle, solution),
        &mut Vec::new(),
        size,
        &mut found,
        solves,
    );
    found
}

/// The numbers of solutions that have each candidate, nine for each cell. They are exact if there are not more than
/// some hundred solutions, which are listed then. Otherwise each is at most `limit`, and the solutions with each
/// candidate are listed up to it: the second value is false.
pub fn candidate_counts(candidates: &Candidates, limit: usize) -> (Vec<usize>, bool) {
    const LISTED: usize = 500;
    let mut counts = vec![0; 729];
    let all = solutions_of(candidates, LISTED);
    for solution in &all {
        for (cell, digit) in solution.iter().enumerate() {
            counts[9 * cell + usize::from(digit - b'1')] += 1;
        }
    }
    if all.len() < LISTED {
        return (counts, true);
    }
    let places = Cell::all().flat_map(|cell| Digit::all().map(move |digit| (cell, digit)));
    for (count, (cell, digit)) in counts.iter_mut().zip(places) {
        if *count < limit && candidates.contains(cell, digit) {
            let mut with_it = *candidates;
            with_it.set(cell, Digits::from_bits(1 << digit.index()));
            *count = solutions_of(&with_it, limit).len();
        }
        *count = limit.min(*count);
    }
    (counts, false)
}

/// The number of orders of rows and columns, perhaps with a transposition, that map some cells to themselves: all
/// 2 · 1296 · 1296 are tried.
pub fn automorphisms_of_cells(cells: &[bool; 81]) -> u64 {
    let mut count = 0;
    for is_transposed in [false, true] {
        let has = |row: usize, column: usize| match is_transposed {
            true => cells[9 * column + row],
            false => cells[9 * row + column],
        };
        for rows in line_orders() {
            for columns in line_orders() {
                let mut places = (0..81).map(|cell| (cell / 9, cell % 9));
                let is_same = places.all(|(r, c)| has(rows[r], columns[c]) == cells[9 * r + c]);
                count += u64::from(is_same);
            }
        }
    }
    count
}
