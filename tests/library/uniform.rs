//! Uniform samples: their distribution against counts that know nothing of the
//! code that draws them, and their bytes.
//!
//! Seeds are fixed, so a test passes always or never. Where chance decides,
//! a correct sampler would fail with one seed in a million, by chi-squared (five
//! standard errors or so). Figures of a run with twenty times as many grids:
//!
//! ```text
//! SUDOKU_BATCH_CASES=20 cargo test --release --test library uniform:: -- --nocapture
//! ```

use proptest::prelude::*;
use std::{collections::BTreeMap, sync::LazyLock};
use sudoku_batch::{Digit, generate::Grids};

use crate::support::cases;
use crate::support::samples::{CLASSES, Class, Figures, sorted_hashes};

/// How likely a correct sampler fails, for each chi-squared.
const ERROR: f64 = 1e-6;

const SEED: u64 = 12;

/// How many grids the figures are drawn from, and how many are compared with each other. Four times as many figures
/// find half the bias.
const FIGURES: usize = 1_500_000;
const COMPARED: usize = 1_000_000;

static SAMPLE: LazyLock<Figures> =
    LazyLock::new(|| Figures::of(&Grids::uniform(SEED), 0..cases(FIGURES) as u64));

/// The probability that chi-squared with so many degrees of freedom is as
/// large as this by chance: 1 - P(a, x), with a half the degrees and x half of
/// chi-squared. P is the incomplete gamma function, by its series
/// x^a e^-x / gamma(a + 1) * (1 + x / (a + 1) + x^2 / (a + 1)(a + 2) + ...)
/// (NIST Digital Library of Mathematical Functions, 8.11.4).
fn p_value(chi_squared: f64, degrees: usize) -> f64 {
    let (a, x) = (degrees as f64 / 2.0, chi_squared / 2.0);
    // gamma(a + 1) = a gamma(a), down to gamma(1) = 1 or gamma(1/2) = root of pi.
    let mut log_gamma = if degrees.is_multiple_of(2) {
        0.0
    } else {
        std::f64::consts::PI.ln() / 2.0
    };
    let mut factor = a;
    while factor > 0.0 {
        log_gamma += factor.ln();
        factor -= 1.0;
    }
    let (mut sum, mut term, mut n) = (1.0, 1.0, 1.0);
    while term > 1e-17 * sum {
        term *= x / (a + n);
        sum += term;
        n += 1.0;
    }
    1.0 - (a * x.ln() - x - log_gamma).exp() * sum
}

/// From the tables of critical values in the NIST/SEMATECH e-Handbook of
/// Statistical Methods, 1.3.6.7.4; and exp(-x / 2), which it is for 2 degrees.
#[test]
fn the_probability_of_chi_squared() {
    for (chi_squared, degrees, p) in [
        (3.841, 1, 0.05),
        (10.828, 1, 0.001),
        (26.124, 8, 0.001),
        (18.307, 10, 0.05),
        (66.619, 43, 0.012),
        (124.342, 100, 0.05),
        (149.449, 100, 0.001),
    ] {
        let found = p_value(chi_squared, degrees);
        assert!(
            (found / p - 1.0).abs() < 0.005,
            "{chi_squared}, {degrees}: {found}"
        );
    }
    for x in [0.5f64, 3.0, 20.0, 27.6] {
        assert!((p_value(x, 2) - (-x / 2.0).exp()).abs() < 1e-12);
    }
}

/// Fails if counts are further from what is expected than chance has it.
fn check(name: &str, counts: &[u64], expected: &[f64]) {
    // Rare kinds are put together, so that at least ten are expected of each.
    let mut kinds: Vec<(f64, u64)> = expected
        .iter()
        .copied()
        .zip(counts.iter().copied())
        .collect();
    kinds.sort_by(|a, b| b.0.total_cmp(&a.0));
    while kinds.len() > 1 && kinds.last().is_some_and(|kind| kind.0 < 10.0) {
        let rare = kinds.pop().unwrap();
        let last = kinds.last_mut().unwrap();
        *last = (last.0 + rare.0, last.1 + rare.1);
    }
    let chi_squared = kinds
        .iter()
        .map(|&(expected, count)| (count as f64 - expected).powi(2) / expected)
        .sum();
    check_chi_squared(name, chi_squared, kinds.len() - 1);
}

/// Fails if a table of pairs is not symmetric but for chance: of a pair and its
/// mirror image each comes up as often (A. Bowker, *A test for symmetry in
/// contingency tables*, 1948).
fn check_symmetry(name: &str, pairs: &[Vec<u64>]) {
    let (mut chi_squared, mut degrees) = (0.0, 0);
    for (i, row) in pairs.iter().enumerate() {
        for (j, &count) in row[..i].iter().enumerate() {
            let [a, b] = [count, pairs[j][i]].map(|count| count as f64);
            if a + b >= 20.0 {
                chi_squared += (a - b).powi(2) / (a + b);
                degrees += 1;
            }
        }
    }
    assert!(degrees > 0);
    check_chi_squared(name, chi_squared, degrees);
}

fn check_chi_squared(name: &str, chi_squared: f64, degrees: usize) {
    let p = p_value(chi_squared, degrees);
    println!("{name}: chi-squared {chi_squared:.1}, {degrees} degrees of freedom, p = {p:.4}");
    assert!(p > ERROR, "{name}: chi-squared {chi_squared}, p = {p}");
}

/// The classes are those of the literature, and lead to the number of all
/// grids.
#[test]
fn classes_add_up_to_all_grids() {
    assert_eq!(CLASSES.classes.len(), 44);
    let bands: u64 = CLASSES.classes.iter().map(|class| class.bands).sum();
    assert_eq!(bands, 362_880 * 2_612_736);
    assert_eq!(CLASSES.grids(), 6_670_903_752_021_072_936_960);
}

#[test]
fn bands_and_stacks_are_of_each_class_as_often_as_they_should() {
    let all = CLASSES.grids() as f64;
    let shares = CLASSES
        .classes
        .iter()
        .map(|class| class.bands as f64 * class.completions as f64 / all);
    let expected: Vec<f64> = shares.map(|share| share * SAMPLE.grids as f64).collect();
    let names = [
        "top band",
        "middle band",
        "bottom band",
        "left stack",
        "middle stack",
        "right stack",
    ];
    for (name, counts) in names.iter().zip(&SAMPLE.classes) {
        check(name, counts, &expected);
    }
}

/// The test above sees the trap: who chooses again only what failed takes
/// every top band as often, whatever can follow.
#[test]
fn classes_tell_bands_of_grids_from_bands() {
    let grids = CLASSES.grids() as f64;
    let bands: u64 = CLASSES.classes.iter().map(|class| class.bands).sum();
    let part = |class: &Class| {
        let right = class.bands as f64 * class.completions as f64 / grids;
        let wrong = class.bands as f64 / bands as f64;
        FIGURES as f64 * (wrong - right).powi(2) / right
    };
    let chi_squared = CLASSES.classes.iter().map(part).sum();
    println!("all bands as often: chi-squared {chi_squared:.1}");
    assert!(p_value(chi_squared, CLASSES.classes.len() - 1) < ERROR);
}

#[test]
fn digits_are_in_each_cell_as_often() {
    let expected = [SAMPLE.grids as f64 / 9.0; 9];
    for (cell, counts) in SAMPLE.digits.iter().enumerate() {
        check(&format!("cell {cell}"), counts, &expected);
    }
}

#[test]
fn grids_and_their_transposes_come_as_often() {
    check_symmetry("classes of top band and left stack", &SAMPLE.class_pairs);
    check_symmetry("first digit in row 4 and column 4", &SAMPLE.place_pairs);
}

#[test]
fn every_grid_is_valid() {
    assert_eq!(SAMPLE.grids, cases(FIGURES) as u64);
    assert_eq!(SAMPLE.valid, SAMPLE.grids);
}

/// Different hashes are of different grids. Two of these hashes are equal by
/// chance with a probability of 3 in a hundred million (of a run ten times as long, 3 in
/// a million).
#[test]
fn a_million_grids_are_all_different() {
    let count = cases(COMPARED) as u64;
    let hashes = sorted_hashes(&Grids::uniform(3), 0..count);
    assert_eq!(hashes.len() as u64, count);
    assert!(hashes.is_sorted_by(|a, b| a < b));
}

proptest! {
    /// However a stretch is cut, the lines are those of single grids; and
    /// another first digit exchanges two names.
    #[test]
    fn lines_are_grids(seed: u64, start in 0..=u64::MAX - 20, length in 0..20usize, digit in 1..10u8) {
        let grids = Grids::uniform(seed);
        let mut lines = vec![[0; 82]; length];
        grids.write_lines(start, &mut lines);
        let digit = Digit::new(digit).unwrap();
        let mut named = vec![[0; 82]; length];
        grids.clone().with_first_digit(digit).write_lines(start, &mut named);
        for ((index, line), named) in (start..).zip(&lines).zip(&named) {
            let grid = grids.grid(index).unwrap();
            prop_assert!(grid.is_valid());
            prop_assert_eq!(str::from_utf8(line).unwrap(), format!("{grid}\n"));
            let (old, new) = (line[0], digit.to_ascii());
            let exchanged = line.map(|c| if c == old { new } else if c == new { old } else { c });
            prop_assert_eq!(named, &exchanged);
        }
    }
}

#[test]
fn numbers_end_at_the_largest() {
    let grids = Grids::uniform(SEED);
    grids.write_lines(u64::MAX, &mut []);
    let mut lines = [[0; 82]; 2];
    grids.write_lines(u64::MAX - 1, &mut lines);
    assert_eq!(&lines[1][..81], grids.grid(u64::MAX).unwrap().as_ascii());
    let beyond = std::panic::catch_unwind(|| grids.write_lines(u64::MAX, &mut [[0; 82]; 2]));
    assert!(beyond.is_err());
}

/// Seeds and numbers pick different grids, however close they are.
#[test]
fn neighbours_differ() {
    let mut seen = BTreeMap::new();
    for seed in [0, 1, 1 << 32, 1 << 63, u64::MAX] {
        for index in [0, 1, 1 << 32, 1 << 63, u64::MAX] {
            let other = seen.insert(Grids::uniform(seed).grid(index).unwrap(), (seed, index));
            assert_eq!(other, None);
        }
    }
}

/// Samples never change by accident.
#[test]
fn golden_grids() {
    let nine = Digit::new(9).unwrap();
    let samples = [
        ("seed 0", Grids::uniform(0)),
        ("seed 2026", Grids::uniform(2026)),
        ("the last seed", Grids::uniform(u64::MAX)),
        ("seed 0, first 9", Grids::uniform(0).with_first_digit(nine)),
    ];
    let mut text = String::new();
    for (name, grids) in samples {
        for index in [0, 1, 1 << 40, u64::MAX] {
            text += &format!("{} {index} of {name}\n", grids.grid(index).unwrap());
        }
    }
    assert_eq!(text, include_str!("uniform.golden"), "{text}");
}
