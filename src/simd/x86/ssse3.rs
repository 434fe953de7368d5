//! SSSE3: sixteen bytes, for the byte shuffle.

use crate::simd::bytes::{ByteShuffle, Bytes};
use std::arch::x86_64::{__m128i, _mm_shuffle_epi8};

witness! {
    Ssse3: "ssse3"
}

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct V128(__m128i);

casts! { Ssse3, V128(__m128i):
    bytes, bytes: [u8; 16];
}

impl Bytes for V128 {
    #[inline(always)]
    fn shuffle(self, from: Self) -> Self {
        // SAFETY: the intrinsic works on registers alone and needs SSSE3, whose
        // witness has made `self`.
        Self(unsafe { _mm_shuffle_epi8(self.0, from.0) })
    }

    #[inline(always)]
    fn store(self, place: &mut [u8; 16]) {
        *place = self.bytes();
    }
}

impl ByteShuffle for Ssse3 {
    type V = V128;

    #[inline(always)]
    fn run<R>(self, f: impl FnOnce() -> R) -> R {
        self.enable(f)
    }

    #[inline(always)]
    fn load(self, bytes: &[u8; 16]) -> V128 {
        self.bytes(*bytes)
    }
}
