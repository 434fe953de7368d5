//! Makes the puzzles of `data/`: `cargo run --release --package sudoku-batch-tools --bin make_data`.
//!
//! Takes a few minutes and gives the same files each time, as long as the
//! scalar engine guesses as it did (the hard puzzles are those where it has to
//! guess most).
//!
//! With a folder, `cargo run --release --package sudoku-batch-tools --bin make_data -- FOLDER`, it writes three large
//! corpora there in place of that, of the kinds that the README measures: `easy-100k.txt`,
//! `minimal-50k.txt` and `several-20k.txt`.

use rayon::prelude::*;
use std::{cmp::Reverse, collections::BTreeSet, fmt::Write, fs, io, path::Path};
use sudoku_batch::{
    Cell, Engine, Grid, Puzzle, Solver, generate::Grids, grid::PEERS, solve::scalar_effort,
};

const EASY: u64 = 2000;
const MINIMAL: u64 = 2000;
const HARD: usize = 600;

/// The hard puzzles are found in rounds: so many climbs of so many steps each,
/// from the best places of the round before.
const ROUNDS: [(usize, usize); 4] = [(2000, 150), (200, 1000), (60, 3000), (60, 3000)];

/// At most so many of the hard puzzles are from one climb: they are related.
const RELATED: usize = 15;

fn main() -> io::Result<()> {
    if let Some(folder) = std::env::args_os().nth(1) {
        return corpora(Path::new(&folder));
    }
    let easy: Vec<_> = (0..EASY).into_par_iter().map(easy).collect();
    let minimal: Vec<_> = (0..MINIMAL)
        .into_par_iter()
        .map(|i| minimal(EASY + i))
        .collect();
    let hard = hard(EASY + MINIMAL);
    let effort: Vec<_> = hard.iter().map(guesses).collect();
    println!(
        "guesses of the hard: {:?}",
        [0, 60, 300, 540, 599].map(|i| effort[i])
    );
    write("easy", &lines(&easy), &easy)?;
    write("minimal", &lines(&minimal), &minimal)?;
    write("hard", &lines(&hard), &hard)?;
    sample(&easy, &minimal, &hard)
}

fn lines(puzzles: &[Puzzle]) -> String {
    puzzles
        .iter()
        .fold(String::new(), |text, puzzle| text + puzzle.as_str() + "\n")
}

/// Writes the large corpora. Their puzzles are others than those of `data/`.
fn corpora(folder: &Path) -> io::Result<()> {
    const FIRST: u64 = 1 << 40;
    type Kind = (&'static str, u64, fn(u64) -> Puzzle);
    const KINDS: [Kind; 3] = [
        ("easy-100k.txt", 100_000, easy),
        ("minimal-50k.txt", 50_000, minimal),
        ("several-20k.txt", 20_000, several),
    ];
    let mut seed = FIRST;
    for (name, count, make) in KINDS {
        let puzzles: Vec<_> = (seed..seed + count).into_par_iter().map(make).collect();
        fs::write(folder.join(name), lines(&puzzles))?;
        seed += count;
    }
    Ok(())
}

/// Writes the file of a class and that of its solutions.
fn write(name: &str, text: &str, puzzles: &[Puzzle]) -> io::Result<()> {
    let outcomes = Solver::new().solve_unique_batch(puzzles);
    let solutions = outcomes.iter().fold(String::new(), |text, outcome| {
        text + outcome.expect("made with one").as_str() + "\n"
    });
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    fs::write(folder.join(format!("{name}.txt")), text)?;
    fs::write(folder.join(format!("{name}.solved.txt")), solutions)
}

/// A few of each class, written in the ways that a file may have.
fn sample(easy: &[Puzzle], minimal: &[Puzzle], hard: &[Puzzle]) -> io::Result<()> {
    let mut text = String::from("# Thirty puzzles. Lines like this one are no records.\n");
    let mut puzzles = Vec::new();
    for (name, class) in [("easy", easy), ("minimal", minimal), ("hard", hard)] {
        writeln!(text, "\n# {name}").expect("to a string");
        for (i, puzzle) in class.iter().step_by(class.len() / 10).take(10).enumerate() {
            let record = match i {
                3 => puzzle.as_str().replace('.', "0"),
                7 => format!("{puzzle} # {} clues", puzzle.clue_count()),
                _ => puzzle.to_string(),
            };
            writeln!(text, "{record}").expect("to a string");
            puzzles.push(*puzzle);
        }
    }
    write("sample", &text, &puzzles)
}

/// A puzzle with about 33 clues that naked singles solve.
fn easy(seed: u64) -> Puzzle {
    let mut random = Random(seed);
    let mut puzzle = random.grid();
    let least = 31 + random.below(5);
    for cell in random.cells() {
        if puzzle.clue_count() > least {
            remove_if(&mut puzzle, cell, naked_singles_solve);
        }
    }
    puzzle
}

/// A random minimal puzzle.
fn minimal(seed: u64) -> Puzzle {
    let mut random = Random(seed);
    let grid = random.grid();
    minimize(grid, &mut random)
}

/// A random minimal puzzle less one to three of its clues: it has several solutions.
fn several(seed: u64) -> Puzzle {
    let mut puzzle = minimal(seed);
    // Other numbers than those that made the puzzle.
    let mut random = Random(!seed);
    let cells = random.cells().into_iter();
    let clues: Vec<_> = cells.filter(|&cell| puzzle.get(cell).is_some()).collect();
    for cell in clues.into_iter().take(1 + random.below(3)) {
        puzzle.set(cell, None);
    }
    puzzle
}

/// Removes clues in random order while the solution stays the only one.
fn minimize(mut puzzle: Puzzle, random: &mut Random) -> Puzzle {
    for cell in random.cells() {
        remove_if(&mut puzzle, cell, is_unique);
    }
    puzzle
}

/// The hardest puzzles, by the guesses of the scalar engine.
fn hard(seed: u64) -> Vec<Puzzle> {
    let starts = ROUNDS[0].0 as u64;
    let mut places: Vec<_> = (0..starts).map(|i| minimal(seed + i)).collect();
    let mut found = BTreeSet::new();
    for (round, (climbs, steps)) in (1..).zip(ROUNDS) {
        let climb =
            |(i, place): (usize, Puzzle)| climb(place, steps, Random(round << 32 | i as u64));
        let seen: Vec<_> = places.into_par_iter().enumerate().map(climb).collect();
        places = seen.iter().map(|seen| seen[0].1).collect();
        places.sort_by_key(|puzzle| (Reverse(guesses(puzzle)), *puzzle));
        let next = ROUNDS.get(round as usize).map_or(0, |next| next.0);
        places.truncate(next);
        found.extend(seen.into_iter().flatten());
        println!(
            "round {round}, {climbs} climbs: {} guesses",
            found.first().expect("some").0.0
        );
    }
    found
        .into_iter()
        .map(|(_, puzzle)| puzzle)
        .take(HARD)
        .collect()
}

/// The hardest minimal puzzles of a climb, the hardest first. In a step some clues go,
/// others of the same solution come until it is the only one again, and the
/// redundant go. A step down is taken when it is small.
fn climb(start: Puzzle, steps: usize, mut random: Random) -> Vec<(Reverse<u64>, Puzzle)> {
    let solution = Solver::new().solve_unique(&start).expect("made with one");
    let (mut here, mut height) = (start, guesses(&start));
    let mut seen = BTreeSet::from([(Reverse(height), here)]);
    for _ in 0..steps {
        let mut next = here;
        let clues = random
            .cells()
            .into_iter()
            .filter(|&cell| here.get(cell).is_some());
        let gone: Vec<_> = clues.take(1 + random.below(3)).collect();
        for &cell in &gone {
            next.set(cell, None);
        }
        for cell in random.cells() {
            if is_unique(&next) {
                break;
            }
            if !gone.contains(&cell) {
                next.set(cell, Some(solution.get(cell)));
            }
        }
        if !is_unique(&next) {
            continue;
        }
        next = minimize(next, &mut random);
        let effort = guesses(&next);
        if effort + random.below(2 + height as usize / 6) as u64 > height {
            (here, height) = (next, effort);
            seen.insert((Reverse(effort), next));
            if seen.len() > RELATED {
                seen.pop_last();
            }
        }
    }
    seen.into_iter().collect()
}

fn remove_if(puzzle: &mut Puzzle, cell: Cell, holds: impl Fn(&Puzzle) -> bool) {
    let clue = puzzle.get(cell);
    puzzle.set(cell, None);
    if clue.is_some() && !holds(puzzle) {
        puzzle.set(cell, clue);
    }
}

fn guesses(puzzle: &Puzzle) -> u64 {
    scalar_effort(puzzle, u64::MAX).expect("no limit").1
}

fn is_unique(puzzle: &Puzzle) -> bool {
    let mut solver = Solver::new().with_engine(Engine::Scalar);
    solver.solve_unique(puzzle).is_ok()
}

/// Whether cells that have one candidate left, by the digits of their peers,
/// lead to the solution.
fn naked_singles_solve(puzzle: &Puzzle) -> bool {
    let mut cells = puzzle.as_ascii().map(|c| u16::from(c != b'.') << (c & 15));
    loop {
        let before = cells;
        for (cell, peers) in PEERS.iter().enumerate() {
            let taken = peers
                .iter()
                .fold(0, |taken, &peer| taken | cells[usize::from(peer)]);
            let free: u16 = 0x3FE & !taken;
            if cells[cell] == 0 && free.is_power_of_two() {
                cells[cell] = free;
            }
        }
        if cells == before {
            return cells.iter().all(|&digit| digit != 0);
        }
    }
}

/// SplitMix64, by Steele, Lea and Flood.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }

    fn cells(&mut self) -> Vec<Cell> {
        let mut cells: Vec<_> = Cell::all().collect();
        for i in (1..cells.len()).rev() {
            cells.swap(i, self.below(i + 1));
        }
        cells
    }

    /// All clues of a random grid.
    fn grid(&mut self) -> Puzzle {
        let sequence = Grids::in_order();
        let position = self.below(sequence.count() as usize) as u64;
        let grid: Grid = sequence.grid(position).expect("below the capacity");
        grid.into()
    }
}
