//! The branch of a stalled lane: which triad it takes in or leaves out.
//!
//! A digit's triads in a band or stack leave one to six permutations. The choice takes four steps:
//!
//! 1. the band or stack with the fewest open choices (but not a decided one): see [`Weights`],
//! 2. its digit with the fewest permutations (two or more),
//! 3. the first row of that matrix with two triads or more,
//! 4. the first triad of that row; in lanes that are *turned*, the last.
//!
//! (Counting permutations of a band: T. Dillon, tdoku.)

use super::{
    moves::Moves,
    state::{Removal, add},
};
use crate::simd::{Isa, Lanes, Vector, array};

impl<V: Vector> Removal<V> {
    /// Copies the decisions of lanes to other lanes. The copies go out: they remove
    /// `outside`.
    #[inline(always)]
    pub(super) fn copy_out(&mut self, moves: &Moves<V>, outside: &[V; 9]) {
        for plane in self.band.iter_mut().chain(&mut self.digit) {
            *plane = moves.apply(*plane, *plane);
        }
        for (triad, outside) in self.triads.iter_mut().zip(outside) {
            *triad = moves.apply(*outside, *triad);
        }
    }
}

pub(super) struct Choice<V> {
    pub(super) lanes: V,
    /// Going in removes the other triads of the row.
    pub(super) inside: Removal<V>,
    /// Going out removes the triad itself.
    pub(super) outside: [V; 9],
}

impl<V: Vector> Choice<V> {
    /// The numbers of triad, digit and band or stack as bit planes: four planes for the
    /// triad and four for the digit, then three for the band or stack.
    #[inline(always)]
    pub(super) fn numbers(&self) -> [[Lanes; 8]; 2] {
        let [t0, t1, t2, t3] = number(&self.outside);
        let [d0, d1, d2, d3] = number(&self.inside.digit);
        let mut band = [Lanes::default(); 8];
        band[..4].copy_from_slice(&number(&self.inside.band));
        [[t0, t1, t2, t3, d0, d1, d2, d3], band]
    }
}

/// The number of the one plane that is set in each lane, as bit planes.
#[inline(always)]
fn number<V: Vector, const N: usize>(planes: &[V; N]) -> [Lanes; 4] {
    array!(|bit| {
        let mut any: Option<V> = None;
        for (n, &plane) in planes.iter().enumerate() {
            if n >> bit & 1 != 0 {
                any = Some(any.map_or(
                    plane,
                    #[inline(always)]
                    |any| any.or(plane),
                ));
            }
        }
        any.map_or(Lanes::default(), V::lanes)
    })
}

/// The choices that a digit adds to those of a band or stack. Both are at most three.
///
/// ```text
///     permutations           1  2  3  4  6
///     Weights::OfCells       0  1  1  2  2    the logarithm to base two, rounded down
///     Weights::OfCandidates  0  1  2  2  3
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Weights {
    /// For puzzles of 81 cells. The sum of the permutations themselves takes 8 % more passes and
    /// services on the hardest of them.
    OfCells,
    /// For puzzles that are given by candidates. Minimal ones take 2,960 branches, and 3,780 with the
    /// other weights, and 3,250 with the permutations themselves (80 puzzles, full propagation).
    OfCandidates,
}

/// The number of permutations that each digit has in each band or stack: numbers of three bits,
/// `[band or 3 + stack][digit][bit]`.
type Counts<V> = [[[V; 3]; 9]; 6];

/// Chooses a branch for every lane of `want` that has an undecided band or stack.
#[inline(always)]
pub(super) fn choose<I: Isa>(
    isa: I,
    triads: &[[[I::V; 9]; 9]; 6],
    want: I::V,
    weights: Weights,
    turned: Option<I::V>,
) -> Choice<I::V> {
    let counts = count_permutations(isa, triads);
    let band = tightest_band(isa, &counts, want, weights);
    let digit = tightest_digit(isa, &counts, &band);
    let matrix = closed_matrix(isa, triads, &band, &digit);
    let (first, others) = first_triad(isa, &matrix, turned);
    // A lane branches if it has a first triad.
    let lanes = first[0].or3(first[1], first[2]);
    let lanes = lanes.or3(
        first[3].or3(first[4], first[5]),
        first[6].or3(first[7], first[8]),
    );
    Choice {
        lanes,
        inside: Removal {
            band,
            digit,
            triads: others,
        },
        outside: first,
    }
}

#[inline(always)]
fn count_permutations<I: Isa>(isa: I, triads: &[[[I::V; 9]; 9]; 6]) -> Counts<I::V> {
    let mut counts = [[[isa.zeros(); 3]; 9]; 6];
    for (counts, triads) in counts
        .as_flattened_mut()
        .iter_mut()
        .zip(triads.as_flattened())
    {
        *counts = count(permutations(triads));
    }
    counts
}

/// For each lane of `want` the first band or stack with the fewest open choices. A band
/// without any is decided; it is not taken.
#[inline(always)]
fn tightest_band<I: Isa>(isa: I, counts: &Counts<I::V>, want: I::V, weights: Weights) -> [I::V; 6] {
    let mut fewest = Fewest::new(isa);
    for (o, counts) in counts.iter().enumerate() {
        // Not by `map` of arrays: with a second caller of this function it was called and not inlined.
        let choices: [_; 9] = match weights {
            Weights::OfCells => array!(|d| {
                let [_, two, four] = counts[d];
                [two.and_not(four), four]
            }),
            Weights::OfCandidates => array!(|d| {
                let [one, two, four] = counts[d];
                [two.and_not(one), four.or_and(two, one)]
            }),
        };
        let sum = sum_of_nine(&choices);
        let undecided = sum[0].or3(sum[1], sum[2]).or3(sum[3], sum[4]);
        fewest.offer(isa, o, sum, undecided.and(want));
    }
    fewest.chosen
}

/// The first digit with the fewest permutations in the chosen band, but two or more.
#[inline(always)]
fn tightest_digit<I: Isa>(isa: I, counts: &Counts<I::V>, band: &[I::V; 6]) -> [I::V; 9] {
    let mut fewest = Fewest::new(isa);
    for d in 0..9 {
        let mut count = [isa.zeros(); 3];
        for (counts, &band) in counts.iter().zip(band) {
            for (count, &bit) in count.iter_mut().zip(&counts[d]) {
                *count = count.or_and(band, bit);
            }
        }
        fewest.offer(isa, d, count, count[1].or(count[2]));
    }
    fewest.chosen
}

/// The smallest of `N` numbers in bit planes, and which one it is, one-hot.
struct Fewest<V, const N: usize, const BITS: usize> {
    chosen: [V; N],
    number: [V; BITS],
}

impl<V: Vector, const N: usize, const BITS: usize> Fewest<V, N, BITS> {
    #[inline(always)]
    fn new<I: Isa<V = V>>(isa: I) -> Self {
        Self {
            chosen: [isa.zeros(); N],
            number: [isa.ones(); BITS],
        }
    }

    /// Offers number `n`. The lanes of `may` choose it if it is smaller than all before it.
    #[inline(always)]
    fn offer<I: Isa<V = V>>(&mut self, isa: I, n: usize, number: [V; BITS], may: V) {
        let mut less = isa.zeros();
        for (number, fewest) in number.into_iter().zip(self.number) {
            less = number.less(fewest, less);
        }
        less = less.and(may);
        for (fewest, number) in self.number.iter_mut().zip(number) {
            *fewest = less.select(number, *fewest);
        }
        for earlier in &mut self.chosen[..n] {
            *earlier = earlier.and_not(less);
        }
        self.chosen[n] = less;
    }
}

/// The triads of the chosen digit in the chosen band through which a permutation goes.
#[inline(always)]
fn closed_matrix<I: Isa>(
    isa: I,
    triads: &[[[I::V; 9]; 9]; 6],
    band: &[I::V; 6],
    digit: &[I::V; 9],
) -> [I::V; 9] {
    let mut open = [isa.zeros(); 9];
    for (triads, &band) in triads.iter().zip(band) {
        for (triads, &digit) in triads.iter().zip(digit) {
            let here = band.and(digit);
            for (open, &triad) in open.iter_mut().zip(triads) {
                *open = open.or_and(here, triad);
            }
        }
    }
    let p = permutations(&open);
    [
        p[0].or(p[1]),
        p[2].or(p[3]),
        p[4].or(p[5]),
        p[2].or(p[4]),
        p[0].or(p[5]),
        p[1].or(p[3]),
        p[3].or(p[5]),
        p[1].or(p[4]),
        p[0].or(p[2]),
    ]
}

/// The first triad of the first row with two triads or more, and the other two triads of
/// that row. Turned lanes take the last triad for the first.
#[inline(always)]
fn first_triad<I: Isa>(isa: I, matrix: &[I::V; 9], turned: Option<I::V>) -> ([I::V; 9], [I::V; 9]) {
    let mut left = isa.ones();
    let (mut first, mut others) = ([isa.zeros(); 9], [isa.zeros(); 9]);
    for i in [0, 3, 6] {
        let row = left.and(matrix[i].majority(matrix[i + 1], matrix[i + 2]));
        left = left.and_not(row);
        let [a, b, c] = turn([matrix[i], matrix[i + 1], matrix[i + 2]], turned);
        let (b, c) = (b.and_not(a), c.and_not(a.or(b)));
        let chosen = turn([a, b, c], turned);
        for (n, chosen) in chosen.into_iter().enumerate() {
            first[i + n] = row.and(chosen);
            others[i + n] = row.and_not(chosen);
        }
    }
    (first, others)
}

/// A row of three triads, the other way round in turned lanes.
#[inline(always)]
fn turn<V: Vector>([a, b, c]: [V; 3], turned: Option<V>) -> [V; 3] {
    match turned {
        Some(turned) => [turned.select(c, a), b, turned.select(a, c)],
        None => [a, b, c],
    }
}

/// In which lanes the open entries of a 3×3 matrix leave each of the six permutations.
///
/// ```text
///     number    0      1      2      3      4      5
///             x . .  x . .  . x .  . x .  . . x  . . x
///             . x .  . . x  x . .  . . x  x . .  . x .
///             . . x  . x .  . . x  x . .  . x .  x . .
/// ```
#[inline(always)]
fn permutations<V: Vector>(t: &[V; 9]) -> [V; 6] {
    [
        t[0].and3(t[4], t[8]),
        t[0].and3(t[5], t[7]),
        t[1].and3(t[3], t[8]),
        t[1].and3(t[5], t[6]),
        t[2].and3(t[3], t[7]),
        t[2].and3(t[4], t[6]),
    ]
}

/// How many of six are set: three bits.
#[inline(always)]
fn count<V: Vector>(p: [V; 6]) -> [V; 3] {
    let (s0, c0) = add(p[0], p[1], p[2]);
    let (s1, c1) = add(p[3], p[4], p[5]);
    let (n1, n2) = add(c0, c1, s0.and(s1));
    [s0.xor(s1), n1, n2]
}

/// The sum of nine numbers of two bits: five bits.
#[inline(always)]
fn sum_of_nine<V: Vector>(n: &[[V; 2]; 9]) -> [V; 5] {
    let bit = |b: usize| [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|d: usize| n[d][b]);
    // weight 1: nine
    let a = bit(0);
    let (s0, x0) = add(a[0], a[1], a[2]);
    let (s1, x1) = add(a[3], a[4], a[5]);
    let (s2, x2) = add(a[6], a[7], a[8]);
    let (sum0, x3) = add(s0, s1, s2);
    // weight 2: nine and four carries
    let a = bit(1);
    let (s0, y0) = add(a[0], a[1], a[2]);
    let (s1, y1) = add(a[3], a[4], a[5]);
    let (s2, y2) = add(a[6], a[7], a[8]);
    let (s3, y3) = add(x0, x1, x2);
    let (s4, y4) = add(s0, s1, s2);
    let (sum1, y5) = add(s3, s4, x3);
    // weight 4: six carries
    let (s0, z0) = add(y0, y1, y2);
    let (s1, z1) = add(y3, y4, y5);
    let (sum2, z2) = (s0.xor(s1), s0.and(s1));
    // weight 8: three carries
    let (sum3, sum4) = add(z0, z1, z2);
    [sum0, sum1, sum2, sum3, sum4]
}

#[cfg(test)]
mod tests {
    use super::{super::pass::tests::PERMUTATIONS, *};
    use crate::simd::tests::{Random, at_every_level, lanes_where};
    use std::array::from_fn;
    use sudoku_batch_test_support::cases;

    /// A digit's triads in a band or stack, in one lane.
    type Matrix = [bool; 9];

    /// The permutations that a matrix leaves.
    fn permutations(matrix: &Matrix) -> Vec<[usize; 3]> {
        let inside = |p: &[usize; 3]| (0..3).all(|row| matrix[3 * row + p[row]]);
        PERMUTATIONS.into_iter().filter(inside).collect()
    }

    /// A matrix with one permutation and a few more entries.
    fn random_matrix(random: &mut Random, entries_beside: u64) -> Matrix {
        let mut matrix = [false; 9];
        let taken = PERMUTATIONS[(random.word() % 6) as usize];
        (0..3).for_each(|row| matrix[3 * row + taken[row]] = true);
        for _ in 0..entries_beside {
            matrix[(random.word() % 9) as usize] = true;
        }
        matrix
    }

    /// The choice of the rule: band or stack, digit, row and triad.
    #[derive(Debug)]
    struct Ruled {
        band: usize,
        digit: usize,
        row: usize,
        column: usize,
    }

    /// How often what can be chosen was.
    #[derive(Debug, Default)]
    struct Seen {
        unwanted: usize,
        decided: usize,
        bands: [usize; 6],
        digits: [usize; 9],
        triads: [[usize; 3]; 2],
        equal_bands: usize,
        equal_digits: usize,
        closed_triads: usize,
    }

    /// The rule in words: of the bands and stacks that are not decided the one
    /// with the fewest choices by the [`Weights`]; of its digits with two permutations or more
    /// the one with the fewest; of its closed matrix the first row with two triads or
    /// more; of that row the first triad, or the last in a turned lane. The first of equals.
    fn rule(
        triads: &[[Matrix; 9]; 6],
        weights: Weights,
        turned: bool,
        seen: &mut Seen,
    ) -> Option<Ruled> {
        let counts = triads.map(|digits| digits.map(|matrix| permutations(&matrix).len()));
        let undecided = (0..6).filter(|&o| counts[o].iter().any(|&count| count > 1));
        let choices = |count: &usize| match count {
            0 | 1 => 0,
            2 => 1,
            3 | 4 if weights == Weights::OfCandidates => 2,
            6 if weights == Weights::OfCandidates => 3,
            3 => 1,
            4 | 6 => 2,
            _ => panic!("no matrix has {count} permutations"),
        };
        let sum = |o: usize| counts[o].iter().map(choices).sum::<usize>();
        let sums: Vec<(usize, usize)> = undecided.map(|o| (sum(o), o)).collect();
        let &(fewest, band) = sums.iter().min()?;
        seen.equal_bands += usize::from(sums.iter().filter(|sum| sum.0 == fewest).count() > 1);

        let several: Vec<(usize, usize)> = (0..9)
            .map(|d| (counts[band][d], d))
            .filter(|&(count, _)| count > 1)
            .collect();
        let &(fewest, digit) = several.iter().min()?;
        seen.equal_digits += usize::from(several.iter().filter(|d| d.0 == fewest).count() > 1);

        let matrix = triads[band][digit];
        let left = permutations(&matrix);
        let is_closed = |row: usize, column: usize| left.iter().all(|p| p[row] != column);
        for row in 0..3 {
            let open: Vec<usize> = (0..3).filter(|&column| !is_closed(row, column)).collect();
            if open.len() > 1 {
                let before = (0..3 * row + open[0]).filter(|&t| matrix[t]);
                seen.closed_triads += before.filter(|t| is_closed(t / 3, t % 3)).count();
                let column = if turned {
                    open[open.len() - 1]
                } else {
                    open[0]
                };
                return Some(Ruled {
                    band,
                    digit,
                    row,
                    column,
                });
            }
        }
        None
    }

    at_every_level! {
        /// Lanes of random triads, some bands or all of them decided; then
        /// [`choose`].
        fn a_branch_is_what_the_rule_chooses<I>(isa) {
            let mut random = Random(1);
            // 12 rounds have each kind of branch, at each level. More of them have rarer ones.
            let mut seen = Seen::default();
            // 12 rounds have each kind of branch at each level. More of them have rarer ones.
            for round in 0..if cfg!(miri) { 1 } else { cases(12) } {
                let lanes: Vec<[[Matrix; 9]; 6]> = (0..I::LANES)
                    .map(|_| {
                        let lane_is_decided = random.word().is_multiple_of(8);
                        from_fn(|_| {
                            let decided = lane_is_decided || random.word().is_multiple_of(4);
                            let most = 1 + random.word() % 8;
                            from_fn(|_| {
                                let beside = if decided { 0 } else { random.word() % most };
                                random_matrix(&mut random, beside)
                            })
                        })
                    })
                    .collect();
                let triads = from_fn(|o| {
                    from_fn(|d| {
                        from_fn(|t| isa.vector(&lanes_where(I::LANES, |lane| lanes[lane][o][d][t])))
                    })
                });
                let want = isa.vector(&Lanes(from_fn(|_| random.word() | random.word())));
                let weights = [Weights::OfCells, Weights::OfCandidates][round % 2];
                let turned = match round % 4 {
                    0 | 1 => Lanes::default(),
                    _ => Lanes(from_fn(|_| random.word())),
                };
                let choice = match turned.any() {
                    true => choose(isa, &triads, want, weights, Some(isa.vector(&turned))),
                    false => choose(isa, &triads, want, weights, None),
                };
                let lanes = (&lanes[..], &want.lanes(), &turned);
                assert_is_ruled::<I>(lanes, &choice, weights, &mut seen);
            }
            let kinds = [
                &seen.bands[..],
                &seen.digits,
                seen.triads.as_flattened(),
                &[seen.unwanted, seen.decided],
                &[seen.equal_bands, seen.equal_digits, seen.closed_triads],
            ];
            assert!(cfg!(miri) || !kinds.concat().contains(&0), "{seen:?}");
        }
    }

    fn assert_is_ruled<I: Isa>(
        (lanes, want, turned): (&[[[Matrix; 9]; 6]], &Lanes, &Lanes),
        choice: &Choice<I::V>,
        weights: Weights,
        seen: &mut Seen,
    ) {
        let set = |planes: &[I::V], lane: usize| -> Vec<usize> {
            let is_set = |&n: &usize| planes[n].lanes().has(lane);
            (0..planes.len()).filter(is_set).collect()
        };
        for (lane, triads) in lanes.iter().enumerate() {
            let chosen = choice.lanes.lanes().has(lane);
            let inside = set(&choice.inside.triads, lane);
            let outside = set(&choice.outside, lane);
            let wanted = want.has(lane);
            let ruled = wanted.then(|| rule(triads, weights, turned.has(lane), seen));
            let Some(ruled) = ruled.flatten() else {
                *(if wanted {
                    &mut seen.decided
                } else {
                    &mut seen.unwanted
                }) += 1;
                assert!(!chosen, "lane {lane} has nothing to choose");
                assert_eq!((inside, outside), (vec![], vec![]), "lane {lane}");
                continue;
            };
            assert!(chosen, "lane {lane}: {ruled:?}");
            assert_eq!(set(&choice.inside.band, lane), [ruled.band], "lane {lane}");
            assert_eq!(
                set(&choice.inside.digit, lane),
                [ruled.digit],
                "lane {lane}"
            );
            assert_eq!(
                outside,
                [3 * ruled.row + ruled.column],
                "lane {lane}: {ruled:?}"
            );
            let others = (0..3).filter(|&column| column != ruled.column);
            let others: Vec<usize> = others.map(|column| 3 * ruled.row + column).collect();
            assert_eq!(inside, others, "lane {lane}: {ruled:?}");
            seen.bands[ruled.band] += 1;
            seen.digits[ruled.digit] += 1;
            seen.triads[ruled.row][ruled.column] += 1;
        }
        for lane in I::LANES..512 {
            assert!(
                !choice.lanes.lanes().has(lane),
                "lane {lane} is beyond the vector"
            );
        }
    }
}
