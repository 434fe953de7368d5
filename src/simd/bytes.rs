//! Vectors of sixteen bytes, and the instruction that shuffles their bytes: `pshufb` of
//! SSSE3. Whether the CPU has it is found out at run time.
//!
//! There is no portable version. It was tried: with a loop over sixteen bytes for each shuffle,
//! the generator takes 160 ns a line on a CPU without SSSE3. A loop of its own that writes
//! the 81 cells takes 57 ns.

#![cfg_attr(
    not(target_arch = "x86_64"),
    expect(dead_code, reason = "only x86-64 has a shuffle of bytes here")
)]

#[cfg(target_arch = "x86_64")]
use super::x86::Ssse3;

pub(crate) trait Bytes: Copy {
    /// Byte `i` becomes byte `from[i]`, which is under 16.
    fn shuffle(self, from: Self) -> Self;
    fn store(self, place: &mut [u8; 16]);

    /// Stores sixteen bytes at the start of a place, or as many as it has. Where rows of nine bytes are
    /// stored one after the other, the next row takes the place of the last seven.
    #[inline(always)]
    fn store_within(self, place: &mut [u8]) {
        match place.first_chunk_mut() {
            Some(place) => self.store(place),
            None => {
                let mut last = [0; 16];
                self.store(&mut last);
                place.copy_from_slice(&last[..place.len()]);
            }
        }
    }
}

/// A witness that the CPU can shuffle bytes: vectors are made only through it.
pub(crate) trait ByteShuffle: Copy {
    type V: Bytes;

    /// Calls `f` in a function that may use the instructions. All that `f` calls must be
    /// `inline(always)`, or it is compiled without them.
    fn run<R>(self, f: impl FnOnce() -> R) -> R;

    fn load(self, bytes: &[u8; 16]) -> Self::V;
}

pub(crate) trait ByteKernel {
    type Output;
    fn call<S: ByteShuffle>(self, shuffle: S) -> Self::Output;
}

/// Calls `kernel` with the witness of the instruction. On a CPU without it, gives `kernel`
/// back.
#[inline]
pub(crate) fn with_byte_shuffle<K: ByteKernel>(kernel: K) -> Result<K::Output, K> {
    #[cfg(target_arch = "x86_64")]
    if let Some(ssse3) = Ssse3::detect() {
        return Ok(kernel.call(ssse3));
    }
    Err(kernel)
}

#[cfg(test)]
mod tests {
    use super::{super::Level, *};
    use proptest::prelude::*;

    struct ShuffleOnce([u8; 16], [u8; 16]);

    impl ByteKernel for ShuffleOnce {
        type Output = [u8; 16];

        fn call<S: ByteShuffle>(self, shuffle: S) -> [u8; 16] {
            let mut place = [0; 16];
            shuffle.run(|| {
                let [bytes, from] = [self.0, self.1].map(|bytes| shuffle.load(&bytes));
                bytes.shuffle(from).store(&mut place);
            });
            place
        }
    }

    proptest! {
        #[test]
        fn a_shuffle_takes_each_byte_from_where_it_is_told(
            bytes: [u8; 16], from in prop::array::uniform16(0..16u8),
        ) {
            let found = with_byte_shuffle(ShuffleOnce(bytes, from)).ok();
            let expected = from.map(|i| bytes[usize::from(i)]);
            // Whatever has AVX2 has SSSE3.
            prop_assert!(found.is_some() || !Level::Avx2.is_available());
            prop_assert_eq!(found.unwrap_or(expected), expected);
        }
    }
}
