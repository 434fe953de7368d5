//! The instruction sets of x86-64, and how their witnesses are made.
//!
//! One list of CPU features makes each witness, see `witness!`: what is looked
//! for is what is enabled. The vectors of a set are types with a private field,
//! in a file of their own, that only a witness can make; a function runs an
//! intrinsic only when it has been given the witness or such a vector. So each
//! `unsafe` is shown to be sound by the types in its own file.

/// Declares the witness of a list of CPU features.
macro_rules! witness {
    ($(#[$doc:meta])* $name:ident: $($feature:tt)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name(());

        impl $name {
            /// The witness, when this CPU has all features of the list.
            #[inline]
            pub(crate) fn detect() -> Option<Self> {
                let has = true $(&& is_x86_feature_detected!($feature))+;
                has.then_some(Self(()))
            }

            /// Calls `f` with all features of the list enabled.
            #[inline(always)]
            fn enable<R>(self, f: impl FnOnce() -> R) -> R {
                $(#[target_feature(enable = $feature)])+
                #[inline(never)]
                fn enabled<R>(f: impl FnOnce() -> R) -> R {
                    f()
                }
                // SAFETY: `enabled` asks for the features of the list and no
                // others; `self` exists, so `detect` has found each of them.
                unsafe { enabled(f) }
            }
        }
    };
}

/// Methods of one expression of intrinsics, each on vectors that only a witness
/// can have made.
macro_rules! methods {
    ($vector:ident: $($(#[$doc:meta])* $name:ident($($arg:ident),*) = $body:expr;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        fn $name(self $(, $arg: Self)*) -> Self {
            let a = self.0;
            $(let $arg = $arg.0;)*
            // SAFETY: the intrinsics work on registers alone. They need features
            // of the vector's witness, which has made `self`: the CPU has them.
            $vector(unsafe { $body(a $(, $arg)*) })
        }
    )*};
}

/// A vector as arrays of integers, and its witness as the maker of vectors of such arrays.
macro_rules! casts {
    ($witness:ident, $vector:ident($register:ty): $($see:ident, $make:ident: $array:ty;)*) => {
        impl $vector {$(
            #[inline(always)]
            fn $see(self) -> $array {
                // SAFETY: the types have one size, or this would not compile, and any bits are
                // integers. (No intrinsic, so that it is a store outside of `run` too.)
                unsafe { std::mem::transmute::<$register, $array>(self.0) }
            }
        )*}

        impl $witness {$(
            #[inline(always)]
            fn $make(self, array: $array) -> $vector {
                // SAFETY: the types have one size, and any bits are a vector.
                $vector(unsafe { std::mem::transmute::<$array, $register>(array) })
            }
        )*}
    };
}

// After the macros, which are known from where they stand on.
mod avx2;
mod avx512;
mod sse2;
mod ssse3;

pub(crate) use {avx2::Avx2, avx512::Avx512, sse2::Words, ssse3::Ssse3};
