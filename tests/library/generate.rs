//! Distinct grids by index: the catalogue proved, the index checked against
//! its definition, no grid twice.

#[path = "../../tools/src/bin/make_catalogue.rs"]
mod make_catalogue;

use crate::support::{
    brute_force::{Rows, canonical_form, line_order, permutation, rows, transposed},
    cases,
    puzzles::{MOST_AUTOMORPHISMS, SOLUTIONS},
};
use proptest::prelude::*;
use std::collections::BTreeSet;
use sudoku_batch::{
    Digit, Grid,
    generate::{self, CAPACITY, Grids, IMAGES, shard},
    symmetry::CanonicalGrid,
};

fn grid(rows: &Rows) -> Grid {
    Grid::from_ascii(rows.as_flattened().first_chunk().unwrap()).unwrap()
}

fn parse(text: &str) -> Grid {
    text.parse().unwrap()
}

/// The image of `base` under a transposition, orders of rows and columns, and
/// the renaming that gives the first row.
fn image(
    base: &Rows,
    transpose: bool,
    row_order: &[u8],
    column_order: &[u8],
    first_row: &[u8],
) -> Rows {
    let side = if transpose { transposed(base) } else { *base };
    let moved: Rows = std::array::from_fn(|r| {
        std::array::from_fn(|c| side[row_order[r] as usize][column_order[c] as usize])
    });
    let name = |digit: u8| first_row[moved[0].iter().position(|&d| d == digit).unwrap()];
    moved.map(|row| row.map(name))
}

/// The definition of the index, step by step.
fn grid_of_index(index: u64) -> Grid {
    let (block, row) = (index / 362_880, index % 362_880);
    let (block, columns) = (block / 1296, block % 1296);
    let (block, row_order) = (block / 1296, block % 1296);
    let base = generate::base_grids().nth((block / 2) as usize).unwrap();
    grid(&image(
        &rows(&base),
        block % 2 == 1,
        &line_order(row_order),
        &line_order(columns),
        &permutation(row, (b'1'..=b'9').collect()),
    ))
}

/// The definition of the seeded order, step by step: the index that stands at
/// a position.
fn seeded_index(position: u64, size: u64, seed: u64) -> u64 {
    let keys = (1..=6u64).map(|i| {
        let z = seed.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    });
    let significant = (0..64).find(|&bits| size >> bits == 0).unwrap();
    let low_range = 1u128 << (significant / 2);
    let high_range = u128::from(size).div_ceil(low_range);
    let mut high = u128::from(position) / low_range;
    let mut low = u128::from(position) % low_range;
    for (i, key) in keys.enumerate() {
        let part = if i % 2 == 0 { low } else { high };
        let product = (u128::from(key) ^ part) * 0x243f_6a88_85a3_08d3;
        let hash = (product >> 64) ^ (product % (1 << 64));
        if i % 2 == 0 {
            high = (high + ((hash * high_range) >> 64)) % high_range;
        } else {
            low = (low + hash) % low_range;
        }
    }
    let index = (high * low_range + low) as u64;
    if index < size {
        index
    } else {
        seeded_index(index, size, seed)
    }
}

#[test]
fn the_catalogue_is_proved() {
    let bases: Vec<Grid> = generate::base_grids().collect();
    assert!(bases.is_sorted_by(|a, b| a < b), "no two are equivalent");
    for base in &bases {
        assert!(base.is_valid());
        assert_eq!(canonical_form(base), (rows(base), 1));
    }
}

#[test]
fn the_catalogue_is_what_the_search_finds() {
    let found = make_catalogue::base_grids();
    assert!(generate::base_grids().eq(found));
}

#[test]
fn the_capacity_is_that_of_the_catalogue() {
    let factorial: u64 = (1..=9).product();
    assert_eq!(IMAGES, 2 * 6u64.pow(8) * factorial);
    assert_eq!(CAPACITY, 256 * IMAGES);
    assert_eq!(CAPACITY, 312_063_515_688_960);
    let five = Digit::new(5).unwrap();
    for sequence in [Grids::in_order(), Grids::seeded(3)] {
        assert_eq!(sequence.count(), CAPACITY);
        assert_eq!(sequence.grid(CAPACITY), None);
        assert_eq!(sequence.with_first_digit(five).count(), CAPACITY / 9);
    }
}

/// Grids with symmetries of their own, from the most (648 automorphisms) down.
#[test]
fn automorphisms_are_counted() {
    let cyclic: Rows = std::array::from_fn(|r| {
        std::array::from_fn(|c| b'1' + ((3 * (r % 3) + r / 3 + c) % 9) as u8)
    });
    // The most canonical grid: boxes turn by minirows along a band, by rows
    // and columns along a stack.
    let most = parse(MOST_AUTOMORPHISMS);
    for grid in [grid(&cyclic), most] {
        let canonical = CanonicalGrid::new(&grid);
        let (form, ways) = canonical_form(&grid);
        assert_eq!(
            (rows(&canonical.grid()), canonical.automorphisms()),
            (form, ways)
        );
        assert!(ways > 1);
        assert_eq!(Grids::in_order().position(&grid), None);
    }
    assert_eq!(CanonicalGrid::new(&most).automorphisms(), 648);
}

/// Positions where a digit of the index turns over, and both ends.
fn borders() -> impl Iterator<Item = u64> {
    let mut radix = vec![6, 720, 40_320, 362_880];
    for factor in [6, 6, 6, 6, 6, 6, 6, 6, 2, 2, 128] {
        radix.push(radix[radix.len() - 1] * factor);
    }
    assert_eq!(radix.last(), Some(&CAPACITY));
    let around = |radix: u64| [0, 1, 7, 100].map(|n| radix.saturating_mul(n)).into_iter();
    let borders = radix.into_iter().flat_map(around).chain([CAPACITY]);
    let near = |border: u64| border.saturating_sub(2)..border.saturating_add(2);
    borders.flat_map(near).filter(|&index| index < CAPACITY)
}

fn check_rank(position: u64) {
    let in_order = Grids::in_order();
    let grid = in_order.grid(position).unwrap();
    assert_eq!(grid, grid_of_index(position));
    assert!(grid.is_valid());
    assert_eq!(in_order.position(&grid), Some(position));
    for seed in [0, 99] {
        let seeded = Grids::seeded(seed);
        let grid = seeded.grid(position).unwrap();
        assert_eq!(grid, grid_of_index(seeded_index(position, CAPACITY, seed)));
        assert!(grid.is_valid());
        assert_eq!(seeded.position(&grid), Some(position));
        let digit = Digit::all().nth((position % 9) as usize).unwrap();
        for fixed in [&in_order, &seeded].map(|s| s.clone().with_first_digit(digit)) {
            let grid = fixed.grid(position / 9).unwrap();
            assert!(grid.is_valid());
            assert_eq!(grid.as_ascii()[0], digit.to_ascii());
            assert_eq!(fixed.position(&grid), Some(position / 9));
        }
    }
}

#[test]
fn rank_undoes_unrank_at_borders() {
    borders().for_each(check_rank);
}

proptest! {
    #[test]
    fn rank_undoes_unrank(position in 0..CAPACITY) {
        check_rank(position);
    }

    /// In order, a fixed first digit leaves out the other grids and keeps the
    /// order of its own.
    #[test]
    fn a_fixed_digit_picks_a_subsequence(position in 0..CAPACITY / 9 - 1, digit in 1..10u8) {
        let all = Grids::in_order();
        let fixed = all.clone().with_first_digit(Digit::new(digit).unwrap());
        let [a, b] = [position, position + 1].map(|p| all.position(&fixed.grid(p).unwrap()).unwrap());
        let between = if position % 40_320 == 40_319 { 8 * 40_320 + 1 } else { 1 };
        prop_assert_eq!(b - a, between);
        let other = Grids::in_order().with_first_digit(Digit::new(digit % 9 + 1).unwrap());
        prop_assert_eq!(other.position(&fixed.grid(position).unwrap()), None);
    }

    /// However a stretch is cut, the lines are those of single grids.
    #[test]
    fn lines_are_grids(start in 0..CAPACITY - 100, near in 0..50u64, length in 0..100usize, border in any::<bool>()) {
        let start = if border { (start / 40_320 * 40_320).saturating_sub(near) } else { start };
        let three = Digit::new(3).unwrap();
        for sequence in [Grids::in_order(), Grids::seeded(start)] {
            for (sequence, start) in [(sequence.clone(), start), (sequence.with_first_digit(three), start / 9)] {
                let mut lines = vec![[0; 82]; length];
                sequence.write_lines(start, &mut lines);
                for (position, line) in (start..).zip(&lines) {
                    let expected = format!("{}\n", sequence.grid(position).unwrap());
                    prop_assert_eq!(str::from_utf8(line).unwrap(), expected);
                }
            }
        }
    }

    #[test]
    fn canonical_forms_do_not_see_symmetries(
        seed: u64, position in 0..CAPACITY, transpose: bool,
        row_order in 0..1296u64, column_order in 0..1296u64, first_row in 0..362_880u64,
    ) {
        let grid_in = Grids::seeded(seed).grid(position).unwrap();
        let names = permutation(first_row, (b'1'..=b'9').collect());
        let image = image(&rows(&grid_in), transpose, &line_order(row_order), &line_order(column_order), &names);
        prop_assert_eq!(CanonicalGrid::new(&grid(&image)).grid(), CanonicalGrid::new(&grid_in).grid());
    }

    #[test]
    fn shards_partition(start in 0..CAPACITY, length in 0..CAPACITY, count in 1..50u64) {
        let mut end = start;
        for number in 1..=count {
            let part = shard(start..start + length, number, count);
            prop_assert_eq!(part.start, end);
            prop_assert!((part.end - part.start).abs_diff(length / count) <= 1);
            end = part.end;
        }
        prop_assert_eq!(end, start + length);
    }
}

#[test]
fn grids_are_all_different() {
    // Across the borders of several arrangements, and of a base grid.
    let count = cases(200_000);
    let starts = [
        (Grids::in_order(), IMAGES - count as u64 / 2),
        (Grids::seeded(0), 0),
    ];
    for (sequence, start) in starts {
        let mut lines = vec![[0; 82]; count];
        sequence.write_lines(start, &mut lines);
        let valid = |line: &[u8; 82]| {
            let grid = Grid::from_ascii(line.first_chunk().unwrap());
            grid.is_ok_and(|grid| grid.is_valid()) && line[81] == b'\n'
        };
        assert!(lines.iter().all(valid));
        lines.sort_unstable();
        assert!(lines.is_sorted_by(|a, b| a < b));
    }
}

/// The seeded order spreads over the catalogue: base grids and digits come as
/// often as chance has it.
#[test]
fn shuffled_grids_are_spread_out() {
    let mut lines = vec![[0; 82]; 256_000];
    let sequence = Grids::seeded(1);
    sequence.write_lines(0, &mut lines);
    let chi_square = |counts: &[u32], expected: f64| -> f64 {
        counts
            .iter()
            .map(|&n| (f64::from(n) - expected).powi(2) / expected)
            .sum()
    };
    for cell in [0, 40, 80] {
        let mut counts = [0; 9];
        lines
            .iter()
            .for_each(|line| counts[usize::from(line[cell] - b'1')] += 1);
        // Eight degrees of freedom: 26.1 in a thousand.
        let chi = chi_square(&counts, 256_000.0 / 9.0);
        assert!(chi < 26.1, "cell {cell}: {chi}");
    }
    let mut bases = vec![0; 256];
    for line in &lines[..25_600] {
        let index =
            Grids::in_order().position(&Grid::from_ascii(line.first_chunk().unwrap()).unwrap());
        bases[(index.unwrap() / IMAGES) as usize] += 1;
    }
    // 255 degrees of freedom: 330 in a thousand.
    let chi = chi_square(&bases, 100.0);
    assert!(chi < 330.0, "base grids: {chi}");
}

#[test]
fn what_is_outside_has_no_position() {
    let outside = parse(SOLUTIONS[0]);
    let bases: BTreeSet<Grid> = generate::base_grids().collect();
    assert!(!bases.contains(&CanonicalGrid::new(&outside).grid()));
    let not_a_solution = parse(&"123456789".repeat(9));
    for grid in [outside, not_a_solution] {
        assert_eq!(Grids::in_order().position(&grid), None);
        assert_eq!(Grids::seeded(5).position(&grid), None);
    }
}

/// Sequences never change by accident: not the catalogue, the index, nor the
/// seeded order.
#[test]
fn golden_grids() {
    let nine = Digit::new(9).unwrap();
    let sequences = [
        ("in order", Grids::in_order()),
        ("seed 0", Grids::seeded(0)),
        ("seed 2026", Grids::seeded(2026)),
        ("seed 0, first 9", Grids::seeded(0).with_first_digit(nine)),
    ];
    let mut text = String::new();
    for (name, sequence) in sequences {
        for position in [0, 1, 362_880, sequence.count() - 1] {
            text += &format!(
                "{} {position} of {name}\n",
                sequence.grid(position).unwrap()
            );
        }
    }
    assert_eq!(text, include_str!("generate.golden"), "{text}");
}
