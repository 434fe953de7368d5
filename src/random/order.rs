//! The seeded order: a one-to-one function of `0..size` onto itself.
//!
//! This is a Feistel network. A number under `high * 2^bits` is cut into a low part of
//! `bits` bits and a high part under `high`. Six times, a hash of one part is added to the
//! other part, modulo its range:
//!
//! ```text
//!     high += hash(key 0, low)    mod high range
//!     low  += hash(key 1, high)   mod 2^bits
//!     ...                         six keys
//! ```
//!
//! Subtracting the same hash undoes each step, so the function is one to one for any hash.
//! Both ranges are near the square root of `size`, and their product is at least `size`.
//! Fewer than 2^bits numbers lie between `size` and the product. They go through the
//! network again until they fall below `size` (cycle walking). So the function is one to
//! one on `0..size`.
//!
//! Sources: J. Black and P. Rogaway, *Ciphers with arbitrary finite domains*
//! (2002), for the two ranges and the walk; S. Vigna's SplitMix64 for the
//! keys; the folded 128-bit product as a hash is that of W. Yi's wyhash.
//!
//! The bytes of every seeded sequence depend on this file. A change here needs a new major
//! version.

use super::GOLDEN;

/// The multiplier of the hash: the first 64 bits of the fraction of pi, made odd. It is a
/// well-known number, so nobody chose it for a hidden property.
const PI: u64 = 0x243f_6a88_85a3_08d3;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Order {
    size: u64,
    high: u64,
    bits: u32,
    keys: [u64; 6],
}

impl Order {
    /// The order that `seed` picks. `size` is at least 1 and under 2^62.
    pub(crate) fn new(size: u64, seed: u64) -> Self {
        assert!((1..1 << 62).contains(&size));
        let bits = (64 - size.leading_zeros()) / 2;
        let mut state = seed;
        let keys = std::array::from_fn(|_| {
            state = state.wrapping_add(GOLDEN);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        });
        Self {
            size,
            high: size.div_ceil(1 << bits),
            bits,
            keys,
        }
    }

    /// The index at `position`. Both are under `size`.
    #[inline]
    pub(crate) fn index(&self, position: u64) -> u64 {
        let mut x = position;
        loop {
            let (mut high, mut low) = self.cut(x);
            for keys in self.keys.as_chunks::<2>().0 {
                high += below(hash(keys[0], low), self.high);
                high -= if high >= self.high { self.high } else { 0 };
                low = low.wrapping_add(hash(keys[1], high)) & self.low_mask();
            }
            x = high << self.bits | low;
            if x < self.size {
                return x;
            }
        }
    }

    /// The position of `index`: the inverse of [`index`](Self::index).
    pub(crate) fn position(&self, index: u64) -> u64 {
        let mut x = index;
        loop {
            let (mut high, mut low) = self.cut(x);
            for keys in self.keys.as_chunks::<2>().0.iter().rev() {
                low = low.wrapping_sub(hash(keys[1], high)) & self.low_mask();
                let step = below(hash(keys[0], low), self.high);
                high = if high >= step { high } else { high + self.high } - step;
            }
            x = high << self.bits | low;
            if x < self.size {
                return x;
            }
        }
    }

    #[inline]
    fn low_mask(&self) -> u64 {
        (1 << self.bits) - 1
    }

    #[inline]
    fn cut(&self, x: u64) -> (u64, u64) {
        (x >> self.bits, x & self.low_mask())
    }
}

#[inline]
fn hash(key: u64, part: u64) -> u64 {
    let product = u128::from(key ^ part) * u128::from(PI);
    (product >> 64) as u64 ^ product as u64
}

/// A hash scaled to a number under `range`, by a multiplication in place of a division.
#[inline]
fn below(hash: u64, range: u64) -> u64 {
    ((u128::from(hash) * u128::from(range)) >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_to_one_on_every_small_range() {
        for size in (1..200).chain([255, 256, 257, 1000, 4095, 4096, 4097, 40_320]) {
            for seed in [0, 1, u64::MAX] {
                let order = Order::new(size, seed);
                let mut seen = vec![false; size as usize];
                for position in 0..size {
                    let index = order.index(position);
                    assert!(!std::mem::replace(&mut seen[index as usize], true));
                    assert_eq!(order.position(index), position);
                }
            }
        }
    }
}
