//! A vector of 128 bits in a register of SSE2.

use crate::simd::{Lanes, Vector, portable::Portable};
use std::{arch::x86_64::*, mem::transmute};

#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub(crate) struct Words(__m128i);

impl Words {
    #[inline(always)]
    pub(in crate::simd) fn words(self) -> [u64; 2] {
        // SAFETY: the types have one size, and any bits are words.
        unsafe { transmute::<__m128i, [u64; 2]>(self.0) }
    }
}

impl Portable {
    #[inline(always)]
    pub(in crate::simd) fn vector_of(self, words: [u64; 2]) -> Words {
        // SAFETY: the types have one size, and any bits are a vector.
        Words(unsafe { transmute::<[u64; 2], __m128i>(words) })
    }
}

// Every CPU of x86-64 has SSE2, so any value is a witness.
impl Vector for Words {
    methods! { Words:
        and(b) = _mm_and_si128;
        or(b) = _mm_or_si128;
        xor(b) = _mm_xor_si128;
        and_not(b) = |a, b| _mm_andnot_si128(b, a);
        not() = |a| _mm_xor_si128(a, _mm_set1_epi64x(-1));
    }

    #[inline(always)]
    fn turn_words(self, by: Self) -> Self {
        let ([a, b], [by_a, by_b]) = (self.words(), by.words());
        Portable.vector_of([a.rotate_left(by_a as u32), b.rotate_left(by_b as u32)])
    }

    #[inline(always)]
    fn permute_words(self, from: Self) -> Self {
        let (words, [a, b]) = (self.words(), from.words());
        Portable.vector_of([words[a as usize % 2], words[b as usize % 2]])
    }

    seen_as_words!(2);

    #[inline(always)]
    fn any(self) -> bool {
        // SAFETY: the intrinsics work on registers alone and need SSE2, which every CPU of x86-64 has.
        unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(self.0, _mm_setzero_si128())) != 0xffff }
    }

    // By lanes, because a reference to a vector puts it into memory.
    #[inline(always)]
    fn lanes(self) -> Lanes {
        let [low, high] = self.words();
        Lanes([low, high, 0, 0, 0, 0, 0, 0])
    }
}
