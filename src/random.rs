//! Random words by number: Philox2x64-10, a generator without state. It
//! scrambles a counter with a key, so any word is made without those before it.
//!
//! ```text
//!     counter = (left, right), key: 64 bits each
//!     ten times:
//!         high, low   = the two halves of MULTIPLIER * left
//!         left, right = high ^ key ^ right, low
//!         key         = key + GOLDEN
//!     words = left, right
//! ```
//!
//! Each round can be undone, because MULTIPLIER is odd: for one key, different
//! counters give different pairs of words.
//!
//! Source: J. Salmon, M. Moraes, R. Dror and D. Shaw, *Parallel random numbers:
//! as easy as 1, 2, 3* (2011). It passes the tests of TestU01 (BigCrush) with six
//! rounds; the authors advise ten. Philox4x32 is better known, but takes two
//! multiplications for 64 bits where this takes one for 128.

pub(crate) mod order;

const MULTIPLIER: u64 = 0xd2b7_4407_b1ce_6e93;

/// The golden ratio in 64 bits, the increment of the keys here and of SplitMix64.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

const ROUNDS: usize = 10;

#[inline]
fn philox(counter: [u64; 2], mut key: u64) -> [u64; 2] {
    let [mut left, mut right] = counter;
    for _ in 0..ROUNDS {
        let product = u128::from(MULTIPLIER) * u128::from(left);
        (left, right) = ((product >> 64) as u64 ^ key ^ right, product as u64);
        key = key.wrapping_add(GOLDEN);
    }
    [left, right]
}

/// The random words that make one grid or puzzle, number i of a seed. Word j of stream s is
/// half j mod 2 of philox((i, s · 2^40 + j / 2), seed).
#[derive(Clone, Debug)]
pub(crate) struct Words {
    seed: u64,
    index: u64,
    /// The number of words that were taken, with those of the streams before.
    taken: u64,
    /// The block that the next word is in, if it is the second of its block.
    block: [u64; 2],
}

impl Words {
    /// Stream 0, which makes grids.
    #[inline]
    pub(crate) fn new(seed: u64, index: u64) -> Self {
        Self::of_stream(seed, index, 0)
    }

    /// Another stream, which is independent of it.
    #[inline]
    pub(crate) fn of_stream(seed: u64, index: u64, stream: u32) -> Self {
        Self {
            seed,
            index,
            taken: u64::from(stream) << 41,
            block: [0; 2],
        }
    }

    /// The words from number `word` of the stream on.
    #[inline]
    pub(crate) fn from(self, word: u64) -> Self {
        let taken = self.taken + word;
        let block = match taken % 2 {
            0 => self.block,
            _ => philox([self.index, taken / 2], self.seed),
        };
        Self {
            taken,
            block,
            ..self
        }
    }

    #[inline]
    pub(crate) fn next(&mut self) -> u64 {
        let half = self.taken % 2;
        if half == 0 {
            self.block = philox([self.index, self.taken / 2], self.seed);
        }
        self.taken += 1;
        self.block[half as usize]
    }
}

/// Makes a number below `range` of a random word. All numbers are equally likely. A few words
/// would make some numbers likelier; for those the result is `None`.
///
/// D. Lemire, *Fast random integer generation in an interval* (2019). The
/// product word * range falls into one of `range` stretches of length 2^64, and the number
/// of the stretch is the result. Products in the first 2^64 mod range places of a stretch are
/// left out. Then each stretch has the same count of products, the floor of 2^64 / range.
#[inline]
pub(crate) fn below(range: u64, word: u64) -> Option<u64> {
    let product = u128::from(word) * u128::from(range);
    let left_out = range.wrapping_neg() % range;
    (product as u64 >= left_out).then_some((product >> 64) as u64)
}

/// Several independent numbers made of one word: `numbers[i]` is under `ranges[i]`, and
/// all lists of numbers are equally likely. Returns `false` for the few words that would
/// make some lists likelier. The product of the ranges is at most 2^60.
///
/// The low half of the product word * range serves as a fresh word for the next range. The
/// low half of the last product decides whether the word is left out, as in [`below`]. N. Brackett-Rozinsky and D. Lemire, *Batched ranged random integer
/// generation* (2024).
#[inline]
pub(crate) fn several_below(ranges: &[u64], word: u64, numbers: &mut [u64]) -> bool {
    let (mut rest, mut product) = (word, 1);
    for (&range, number) in ranges.iter().zip(numbers) {
        let scaled = u128::from(rest) * u128::from(range);
        (*number, rest) = ((scaled >> 64) as u64, scaled as u64);
        product *= range;
    }
    debug_assert!(product <= 1 << 60);
    // The remainder is under the product, so most words need no division.
    rest >= product || rest >= product.wrapping_neg() % product
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers of a list are the digits, in mixed radix, of the number that [`below`]
    /// gives for the product of the ranges.
    #[test]
    fn several_numbers_are_the_digits_of_one() {
        let mut words = Words::new(3, 4);
        for ranges in [
            &[81, 80, 79][..],
            &[2; 60],
            &[5],
            &[1, 7, 1],
            &[1 << 30, 1 << 30],
            &[3; 30],
        ] {
            let product: u64 = ranges.iter().product();
            let left_out = product.wrapping_neg() % product;
            let borders = [0, 1, left_out, left_out.wrapping_sub(1), u64::MAX];
            // The first words of some stretches, where words are left out.
            let firsts = [1, product / 2, product - 1]
                .map(|number: u64| (u128::from(number) << 64).div_ceil(u128::from(product)) as u64);
            let words: Vec<u64> = (0..1000).map(|_| words.next()).collect();
            let mut kept = 0;
            for &word in borders.iter().chain(&firsts).chain(&words) {
                let mut numbers = vec![0; ranges.len()];
                let good = several_below(ranges, word, &mut numbers);
                assert_eq!(good, below(product, word).is_some(), "{ranges:?} {word}");
                let digits = ranges.iter().zip(&numbers);
                assert!(digits.clone().all(|(range, number)| number < range));
                let number = digits.fold(0, |number, (range, digit)| number * range + digit);
                assert_eq!(
                    number,
                    ((u128::from(word) * u128::from(product)) >> 64) as u64
                );
                kept += usize::from(good);
            }
            assert!(kept >= 990);
        }
    }

    /// The rule in small: with words of eight bits, for every range, each
    /// number comes from the same count of words. And the real function agrees
    /// with the rule at the borders of its stretches.
    #[test]
    fn no_number_is_likelier() {
        for range in 1..256u32 {
            let left_out = 256 % range;
            let mut counts = vec![0; range as usize];
            for word in 0..256 {
                let product = word * range;
                if product % 256 >= left_out {
                    counts[(product / 256) as usize] += 1;
                }
            }
            assert!(counts.iter().all(|&count| count == 256 / range));
        }
        for range in [3, 10, 470_292_480, 1 << 47, (1 << 63) + 1] {
            let left_out = (1u128 << 64) % u128::from(range);
            for number in [0, 1, range / 2, range - 1] {
                // The first word whose product reaches this number's stretch.
                let first = (u128::from(number) << 64).div_ceil(u128::from(range));
                for word in first.saturating_sub(2)..(first + 3).min(1 << 64) {
                    let product = word * u128::from(range);
                    let kept = product % (1 << 64) >= left_out;
                    let expected = kept.then_some((product >> 64) as u64);
                    assert_eq!(below(range, word as u64), expected);
                }
            }
        }
    }
}
