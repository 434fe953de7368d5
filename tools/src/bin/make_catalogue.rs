//! Makes the base grids of the generator, `src/generate/catalogue.txt`:
//!
//! ```text
//! cargo run --release --package sudoku-batch-tools --bin make_catalogue > src/generate/catalogue.txt
//! ```
//!
//! Random grids are found by a backtracking search that tries the digits of
//! each cell in a random order. Each is brought into its canonical form, the
//! smallest image under all symmetries, and is kept when only the identity
//! maps it to itself and no grid of its class was kept before. The first 256
//! that pass, sorted, are the catalogue. The random numbers are SplitMix64
//! from seed 0, so everyone gets the same.

use std::collections::BTreeSet;
use sudoku_batch::{Grid, generate::BASE_GRIDS, symmetry::CanonicalGrid};

#[allow(dead_code, reason = "the tests take this file in as a module")]
fn main() {
    for base in base_grids() {
        println!("{base}");
    }
}

/// The search described above.
pub(crate) fn base_grids() -> BTreeSet<Grid> {
    let mut random = SplitMix64(0);
    let mut bases = BTreeSet::new();
    while bases.len() < BASE_GRIDS {
        let canonical = CanonicalGrid::new(&random_grid(&mut random));
        if canonical.automorphisms() == 1 {
            bases.insert(canonical.grid());
        }
    }
    bases
}

fn random_grid(random: &mut SplitMix64) -> Grid {
    let mut cells = [0; 81];
    let mut used = [[0u16; 9]; 3];
    assert!(fill(&mut cells, 0, &mut used, random));
    Grid::from_ascii(&cells).expect("every cell is filled")
}

/// Fills the cells from `cell` on in reading order; `used` has the digits used
/// in each row, column and box.
fn fill(
    cells: &mut [u8; 81],
    cell: usize,
    used: &mut [[u16; 9]; 3],
    random: &mut SplitMix64,
) -> bool {
    if cell == 81 {
        return true;
    }
    let (row, column) = (cell / 9, cell % 9);
    let houses = [row, column, row / 3 * 3 + column / 3];
    let mut digits: [u8; 9] = std::array::from_fn(|i| i as u8);
    for i in (1..9).rev() {
        digits.swap(i, (random.next() % (i as u64 + 1)) as usize);
    }
    for digit in digits {
        let bit = 1 << digit;
        if (0..3).all(|kind| used[kind][houses[kind]] & bit == 0) {
            let flip =
                |used: &mut [[u16; 9]; 3]| (0..3).for_each(|kind| used[kind][houses[kind]] ^= bit);
            flip(used);
            cells[cell] = b'1' + digit;
            if fill(cells, cell + 1, used, random) {
                return true;
            }
            flip(used);
        }
    }
    false
}

/// S. Vigna's generator of 64-bit random numbers.
struct SplitMix64(u64);

impl SplitMix64 {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
