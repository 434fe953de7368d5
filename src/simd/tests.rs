//! Every operation of every level against its rule in words, on random lanes.

use super::*;
use std::collections::BTreeSet;
use sudoku_batch_test_support::one_of;

/// How often a test draws random lanes; once where Miri interprets it.
const ROUNDS: usize = if cfg!(miri) { 1 } else { 20 };

/// Numbers from a fixed seed (splitmix64, by S. Vigna).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.word() as u8).collect()
    }

    fn lanes(&mut self) -> Lanes {
        Lanes(std::array::from_fn(|_| self.word()))
    }

    pub(crate) fn vector<I: Isa>(&mut self, isa: I) -> I::V {
        isa.vector(&self.lanes())
    }

    /// None, all, one, about an eighth, a half and seven eighths of `n` lanes.
    fn selections(&mut self, n: usize) -> [Lanes; 6] {
        let (a, b, c) = (self.lanes(), self.lanes(), self.lanes());
        let one = self.word() as usize % n;
        let choose = |f: &dyn Fn(usize) -> bool| lanes_where(n, f);
        [
            choose(&|_| false),
            choose(&|_| true),
            choose(&|l| l == one),
            choose(&|l| a.has(l) && b.has(l) && c.has(l)),
            choose(&|l| a.has(l)),
            choose(&|l| a.has(l) || b.has(l) || c.has(l)),
        ]
    }
}

/// The lanes, of `n`, for which a rule holds.
pub(crate) fn lanes_where(n: usize, rule: impl Fn(usize) -> bool) -> Lanes {
    let mut lanes = Lanes::default();
    (0..n).filter(|&l| rule(l)).for_each(|l| lanes.set(l));
    lanes
}

/// The levels of this machine, among them the one that
/// `SUDOKU_BATCH_REQUIRE_LEVEL` names: tests run over these, so that they fail
/// where they would leave that one out.
pub(crate) fn levels() -> Vec<Level> {
    if let Ok(name) = std::env::var("SUDOKU_BATCH_REQUIRE_LEVEL") {
        let required = name.parse().and_then(Level::check);
        required.expect("SUDOKU_BATCH_REQUIRE_LEVEL names a level of this machine");
    }
    Level::available().collect()
}

/// Tests that are kernels, each run at every level.
macro_rules! at_every_level {
    ($($(#[$attribute:meta])* fn $name:ident<$I:ident>($isa:ident) $body:block)*) => {$(
        $(#[$attribute])*
        #[test]
        fn $name() {
            struct Test;
            impl $crate::simd::Kernel for Test {
                type Output = ();
                fn call<$I: $crate::simd::Isa>(self, $isa: $I) $body
            }
            for level in $crate::simd::tests::levels() {
                println!("level {level}");
                level.with(Test).unwrap();
            }
        }
    )*};
}
pub(crate) use at_every_level;

/// The lanes of a vector are those that a rule says, and no more.
fn assert_lanes<I: Isa>(what: &str, v: I::V, rule: impl Fn(usize) -> bool) {
    let lanes = v.lanes();
    for l in 0..512 {
        assert_eq!(lanes.has(l), l < I::LANES && rule(l), "{what}, lane {l}");
    }
}

/// The effect of an operation on vectors, and on a lane of each.
type Logic<V> = (&'static str, fn(V, V, V) -> V, fn(bool, bool, bool) -> bool);

at_every_level! {
    fn bytes_are_compared_one_by_one<I>(isa) {
        let mut random = Random(1);
        for _ in 0..200 {
            let bytes: [u8; 64] = std::array::from_fn(|_| random.word() as u8);
            let keep = random.word();
            let other = std::array::from_fn(|i| match keep >> i & 1 {
                1 => bytes[i],
                _ => bytes[i] ^ 1 << (random.word() % 8),
            });
            assert_eq!(isa.run(|| isa.equal_bytes(&bytes, &other)), keep);
        }
    }

    fn logic_is_that_of_its_lanes<I>(isa) {
        let rules: [Logic<I::V>; 19] = [
            ("and", |a, b, _| a.and(b), |a, b, _| a && b),
            ("or", |a, b, _| a.or(b), |a, b, _| a || b),
            ("xor", |a, b, _| a.xor(b), |a, b, _| a != b),
            ("and_not", |a, b, _| a.and_not(b), |a, b, _| a && !b),
            ("not", |a, _, _| a.not(), |a, _, _| !a),
            ("and3", Vector::and3, |a, b, c| a && b && c),
            ("or3", Vector::or3, |a, b, c| a || b || c),
            ("xor3", Vector::xor3, |a, b, c| (u8::from(a) + u8::from(b) + u8::from(c)) % 2 == 1),
            ("majority", Vector::majority, |a, b, c| u8::from(a) + u8::from(b) + u8::from(c) >= 2),
            ("or_and", Vector::or_and, |a, b, c| a || b && c),
            ("or_and_not", Vector::or_and_not, |a, b, c| a || b && !c),
            ("and_nand", Vector::and_nand, |a, b, c| a && !(b && c)),
            ("and_implies", Vector::and_implies, |a, b, c| a && (!b || c)),
            ("nor", |a, b, _| a.nor(b), |a, b, _| !(a || b)),
            ("or_nor", Vector::or_nor, |a, b, c| a || !(b || c)),
            ("or_nand", Vector::or_nand, |a, b, c| a || !(b && c)),
            ("or_xor", Vector::or_xor, |a, b, c| a || (b != c)),
            ("select", Vector::select, |a, b, c| if a { b } else { c }),
            ("less", Vector::less, |a, b, c| if a == b { c } else { b }),
        ];
        let mut random = Random(1);
        for _ in 0..ROUNDS {
            let [a, b, c] = std::array::from_fn(|_| random.vector(isa));
            let (la, lb, lc) = (a.lanes(), b.lanes(), c.lanes());
            for (name, of_vectors, of_lanes) in rules {
                let rule = |l| of_lanes(la.has(l), lb.has(l), lc.has(l));
                assert_lanes::<I>(name, of_vectors(a, b, c), rule);
            }
        }
    }

    fn words_turn_and_change_places<I>(isa) {
        let mut random = Random(2);
        for _ in 0..ROUNDS {
            let v = random.vector(isa);
            let lanes = v.lanes();
            let by = Lanes(std::array::from_fn(|_| random.word() % 64));
            let source = |l: usize| l / 64 * 64 + (l + 64 - by.0[l / 64] as usize) % 64;
            assert_lanes::<I>("turn", v.turn_words(isa.vector(&by)), |l| lanes.has(source(l)));
            assert_lanes::<I>("none", v.turn_words(isa.zeros()), |l| lanes.has(l));
            let from = Lanes(std::array::from_fn(|_| random.word() % (I::LANES as u64 / 64)));
            let source = |l: usize| 64 * from.0[l / 64] as usize + l % 64;
            assert_lanes::<I>("permute", v.permute_words(isa.vector(&from)), |l| lanes.has(source(l)));
        }
    }

    fn vectors_are_made_of_lanes_and_words<I>(isa) {
        assert_eq!((I::LANES % 64, I::LANES <= 512), (0, true));
        assert_lanes::<I>("zeros", isa.zeros(), |_| false);
        assert_lanes::<I>("ones", isa.ones(), |_| true);
        assert!(!isa.zeros().any() && isa.ones().any());
        let mut random = Random(3);
        for _ in 0..ROUNDS {
            let (lanes, word) = (random.lanes(), random.word());
            assert_lanes::<I>("vector", isa.vector(&lanes), |l| lanes.has(l));
            assert_lanes::<I>("splat", isa.splat(word), |l| word >> (l % 64) & 1 != 0);
        }
        for l in (0..I::LANES).step_by(if cfg!(miri) { 51 } else { 1 }) {
            let mut v = isa.ones();
            v.unset(l);
            assert_lanes::<I>("unset", v, |k| k != l);
        }
        for g in 0..I::LANES / 64 {
            let (lanes, word) = (random.lanes(), random.word());
            let mut v = isa.vector(&lanes);
            assert_eq!(v.as_words()[g], lanes.0[g], "word {g}");
            v.as_words_mut()[g] = word;
            assert_lanes::<I>("set_word", v, |l| {
                if l / 64 == g { word >> (l % 64) & 1 != 0 } else { lanes.has(l) }
            });
        }
        for l in 0..512 {
            let mut lanes = Lanes::default();
            lanes.set(l);
            assert_eq!(isa.vector(&lanes).any(), l < I::LANES, "lane {l}");
        }
    }

    fn lanes_become_bytes<I>(isa) {
        let mut random = Random(7);
        for _ in 0..ROUNDS {
            let word = random.word();
            let bytes = isa.run(|| isa.bytes_of_lanes(word));
            for (i, byte) in bytes.into_iter().enumerate() {
                assert_eq!(byte, if word >> i & 1 != 0 { 0xff } else { 0 }, "bit {i}");
            }
        }
    }

    fn numbers_of_some_lanes_are_copied<I>(isa) {
        let mut random = Random(9);
        for _ in 0..ROUNDS {
            let lanes = random.word();
            let [from, before]: [[u32; 64]; 2] =
                std::array::from_fn(|_| std::array::from_fn(|_| random.word() as u32));
            let mut after = before;
            isa.run(|| isa.copy_numbers(lanes, &from, &mut after));
            for i in 0..64 {
                let ruled = if lanes >> i & 1 != 0 { from[i] } else { before[i] };
                assert_eq!(after[i], ruled, "lane {i}");
            }
        }
    }

    fn planes_become_bytes<I>(isa) {
        let mut random = Random(6);
        for g in 0..8 {
            let planes = std::array::from_fn(|_| random.lanes());
            let bytes = isa.run(|| isa.bytes_of_planes(&planes, g));
            for (l, byte) in bytes.into_iter().enumerate() {
                let ruled = (0..8).map(|b| u8::from(planes[b].has(64 * g + l)) << b).sum::<u8>();
                assert_eq!(byte, ruled, "lane {l} of word {g}");
            }
        }
    }

    fn text_becomes_planes<I>(isa) {
        let mut random = Random(4);
        for _ in 0..ROUNDS {
            let text: Vec<Row> =
                (0..64).map(|_| random.bytes(COLUMNS).try_into().unwrap()).collect();
            let rows = std::array::from_fn(|r| &text[r]);
            let mut planes = row_planes(&mut random);
            isa.run(|| isa.planes_of_rows(&rows, &mut planes));
            for (c, b) in (0..COLUMNS).flat_map(|c| (0..4).map(move |b| (c, b))) {
                let bits = text.iter().enumerate().map(|(r, row)| u64::from(row[c] >> b & 1) << r);
                assert_eq!(planes.column(c)[b], bits.sum::<u64>(), "column {c}, bit {b}");
            }
        }
    }

    /// Lines are met in any order; rows beyond them, and what a line has beyond
    /// the columns, are left alone.
    fn planes_become_text<I>(isa) {
        let mut random = Random(5);
        for _ in 0..ROUNDS {
            let planes = row_planes(&mut random);
            let mut order: Vec<u32> = (0..64).collect();
            order.sort_by_cached_key(|_| random.word());
            order[3] = u32::MAX;
            let rows: [u32; 64] = order.try_into().unwrap();
            for count in [0, 1, 40, 64] {
                let before: Vec<[u8; COLUMNS + 1]> =
                    (0..count).map(|_| random.bytes(COLUMNS + 1).try_into().unwrap()).collect();
                let mut ruled = before.clone();
                for (r, &row) in rows.iter().enumerate() {
                    if let Some(line) = ruled.get_mut(row as usize) {
                        for (c, byte) in line[..COLUMNS].iter_mut().enumerate() {
                            let bit = |b: usize| (planes.column(c)[b] >> r & 1) as u8;
                            *byte = b'0' + bit(0) + 2 * bit(1) + 4 * bit(2) + 8 * bit(3);
                        }
                    }
                }
                let mut after = before;
                isa.run(|| isa.rows_of_planes(&planes, &rows, &mut after));
                assert_eq!(after, ruled, "{count} lines");
            }
        }
    }

    /// Groups of 64 lanes side by side; those beyond the vector are left alone.
    fn columns_are_taken_and_put<I>(isa) {
        let mut random = Random(11);
        let mut groups: Box<[RowPlanes; 8]> =
            Box::new(std::array::from_fn(|_| row_planes(&mut random)));
        for c in (0..COLUMNS).step_by(if cfg!(miri) { 40 } else { 1 }) {
            let taken = isa.run(|| isa.column(&groups, c));
            for (b, plane) in taken.into_iter().enumerate() {
                let rule = |l: usize| groups[l / 64].column(c)[b] >> (l % 64) & 1 != 0;
                assert_lanes::<I>("taken", plane, rule);
            }
            let before = groups.clone();
            let planes: [I::V; 4] = std::array::from_fn(|_| random.vector(isa));
            let lanes = random.lanes();
            let within = isa.vector(&lanes).lanes();
            isa.run(|| isa.set_column(&mut groups, c, &within, planes));
            for (g, (before, after)) in before.iter().zip(&*groups).enumerate() {
                for other in 0..COLUMNS {
                    let mut ruled = *before.column(other);
                    if other == c {
                        for (word, plane) in ruled.iter_mut().zip(planes) {
                            let (new, mask) = (plane.lanes().0[g], within.0[g]);
                            *word = *word & !mask | new & mask;
                        }
                    }
                    assert_eq!(*after.column(other), ruled, "put {c}, column {other}, group {g}");
                }
            }
        }
    }
}

/// Random planes of 64 rows.
fn row_planes(random: &mut Random) -> RowPlanes {
    let mut planes = RowPlanes::ZEROS;
    for c in 0..COLUMNS {
        *planes.column_mut(c) = std::array::from_fn(|_| random.word());
    }
    planes
}

#[test]
fn lanes_are_a_set() {
    let mut random = Random(8);
    // The first lane that is unset.
    let mut first = 0;
    for _ in 0..ROUNDS {
        for lanes in random.selections(512) {
            let set: BTreeSet<usize> = (0..512)
                .filter(|l| lanes.0[l / 64] >> (l % 64) & 1 != 0)
                .collect();
            assert_eq!(lanes.count(), set.len());
            assert!((0..512).all(|l| lanes.has(l) == set.contains(&l)));
            assert!(lanes.iter().eq(set.iter().copied()));
            let mut again = Lanes::default();
            set.iter().for_each(|&l| again.set(l));
            assert_eq!(again, lanes);
            let step = one_of(if cfg!(miri) { 171 } else { 10 });
            first += 1;
            for l in (first % step..512).step_by(step) {
                let mut without = lanes;
                without.unset(l);
                assert!(without.iter().eq(set.iter().copied().filter(|&k| k != l)));
            }
        }
    }
}

#[test]
fn bits_are_transposed() {
    let mut random = Random(10);
    for _ in 0..5 * ROUNDS {
        let x = random.word();
        let ruled = (0..64)
            .map(|i| (x >> i & 1) << (i % 8 * 8 + i / 8))
            .sum::<u64>();
        assert_eq!(transpose_bits(x), ruled, "{x:x}");
    }
}

#[test]
fn a_level_that_is_not_there_is_an_error() {
    struct Lanes;
    impl Kernel for Lanes {
        type Output = usize;
        fn call<I: Isa>(self, _: I) -> usize {
            I::LANES
        }
    }
    for (level, lanes) in [
        (Level::Avx512, 512),
        (Level::Avx2, 256),
        (Level::Portable, 128),
    ] {
        let ran = level.with(Lanes);
        assert_eq!(ran.is_ok(), level.is_available());
        match ran {
            Ok(found) => assert_eq!(found, lanes, "{level}"),
            Err(error) => assert_eq!(error.name, level.name()),
        }
    }
}
