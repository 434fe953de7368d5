//! Vectors of sixteen bytes, and the shuffle of their bytes: `pshufb` where the
//! CPU has SSSE3, which is looked for at run time, and a loop elsewhere.

#[cfg(target_arch = "x86_64")]
use super::x86::Ssse3;

/// Sixteen bytes.
pub(crate) trait Bytes: Copy {
    /// Byte `i` becomes byte `from[i]`, which is under 16.
    fn shuffle(self, from: Self) -> Self;
    /// Writes the bytes.
    fn store(self, place: &mut [u8; 16]);
}

/// A witness that the CPU can shuffle bytes in some way: vectors are made only
/// through it.
pub(crate) trait ByteShuffle: Copy {
    /// The vector.
    type V: Bytes;

    /// Calls `f` where the instructions may be used. It is only compiled to them
    /// when all that it calls is `inline(always)`.
    fn run<R>(self, f: impl FnOnce() -> R) -> R;

    /// These bytes.
    fn load(self, bytes: &[u8; 16]) -> Self::V;
}

/// Something that shuffles bytes, in any way.
pub(crate) trait ByteKernel {
    /// What it returns.
    type Output;
    /// Runs it.
    fn call<S: ByteShuffle>(self, shuffle: S) -> Self::Output;
}

/// Calls `kernel` with the witness of the fastest shuffle that the CPU has.
#[inline]
pub(crate) fn with_byte_shuffle<K: ByteKernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    if let Some(ssse3) = Ssse3::detect() {
        return kernel.call(ssse3);
    }
    kernel.call(PlainBytes)
}

/// The witness of the loop over bytes: any CPU has it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlainBytes;

impl Bytes for [u8; 16] {
    #[inline(always)]
    fn shuffle(self, from: Self) -> Self {
        from.map(
            #[inline(always)]
            |i| self[usize::from(i & 15)],
        )
    }

    #[inline(always)]
    fn store(self, place: &mut [u8; 16]) {
        *place = self;
    }
}

impl ByteShuffle for PlainBytes {
    type V = [u8; 16];

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        f()
    }

    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> [u8; 16] {
        *bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
            let expected = from.map(|i| bytes[usize::from(i)]);
            prop_assert_eq!(with_byte_shuffle(ShuffleOnce(bytes, from)), expected);
            prop_assert_eq!(ShuffleOnce(bytes, from).call(PlainBytes), expected);
        }
    }
}
