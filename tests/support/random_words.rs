//! Random words for tests (SplitMix64, by S. Vigna): nothing shared with the library.

/// A source of random words.
pub struct Words(u64);

impl Words {
    /// The words of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next word.
    #[allow(clippy::should_implement_trait, reason = "words never end")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number under `range`.
    pub fn below(&mut self, range: usize) -> usize {
        ((u128::from(self.next()) * range as u128) >> 64) as usize
    }
}

/// Philox2x64-10 as its authors define it, to compare with the words of the library.
pub fn philox([mut left, mut right]: [u64; 2], key: u64) -> [u64; 2] {
    for round in 0..10 {
        let key = key.wrapping_add(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(round));
        let product = 0xd2b7_4407_b1ce_6e93 * u128::from(left);
        (left, right) = ((product >> 64) as u64 ^ key ^ right, product as u64);
    }
    [left, right]
}
