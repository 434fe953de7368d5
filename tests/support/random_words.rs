//! Random words for tests (SplitMix64, by S. Vigna): nothing shared with the library.

pub(crate) struct Words(u64);

impl Words {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number under `range`.
    pub(crate) fn below(&mut self, range: usize) -> usize {
        ((u128::from(self.next()) * range as u128) >> 64) as usize
    }
}

/// Philox2x64-10 as its authors define it, to compare with the words of the library.
pub(crate) fn philox([mut left, mut right]: [u64; 2], key: u64) -> [u64; 2] {
    for round in 0..10 {
        let key = key.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(round));
        let product = 0xd2b7_4407_b1ce_6e93 * u128::from(left);
        (left, right) = ((product >> 64) as u64 ^ key ^ right, product as u64);
    }
    [left, right]
}

/// The known answers that the authors publish with their code (Random123, file `kat_vectors`):
/// counters and keys of zeros, ones, and digits of pi.
#[test]
fn known_answers() {
    let pi = [
        0x243f_6a88_85a3_08d3,
        0x1319_8a2e_0370_7344,
        0xa409_3822_299f_31d0,
    ];
    for ([left, right, key], words) in [
        ([0; 3], [0xca00_a045_9843_d731, 0x66c2_4222_c9a8_45b5]),
        (
            [u64::MAX; 3],
            [0x65b0_21d6_0cd8_310f, 0x4d02_f322_2f86_df20],
        ),
        (pi, [0x0a5e_742c_2997_341c, 0xb0f8_83d3_8000_de5d]),
    ] {
        assert_eq!(philox([left, right], key), words);
    }
}
