//! The passes of the hard planes, each compiled as one function for a level.
//!
//! They are functions of their own, or the kernel would become so large that the compiler
//! leaves parts of it out of line, and intrinsics become calls.

use super::{
    fish, hidden_set, locking, naked_set,
    planes::{Planes, Signs, Singles},
    xy_wing, xyz_wing,
};
use crate::simd::Isa;

/// Places hidden singles in all lanes, and naked ones in some.
#[inline(never)]
pub(super) fn place_singles<I: Isa>(isa: I, planes: &mut Planes<I::V>, naked: I::V) -> Signs<I::V> {
    isa.run(
        #[inline(always)]
        || {
            let (boxes, lines) = (isa.ones(), isa.ones());
            let singles = Singles {
                boxes,
                lines,
                naked,
            };
            planes.place_singles::<I, false>(isa, &singles)
        },
    )
}

#[inline(never)]
pub(super) fn locking<I: Isa>(
    isa: I,
    planes: &mut Planes<I::V>,
    lanes: &locking::Lanes<I::V>,
) -> I::V {
    isa.run(
        #[inline(always)]
        || locking::strike_planes(isa, planes, lanes),
    )
}

#[inline(never)]
pub(super) fn hidden_sets<I: Isa, const N: u32>(
    isa: I,
    planes: &mut Planes<I::V>,
    lanes: &hidden_set::Lanes<I::V>,
) -> I::V {
    isa.run(
        #[inline(always)]
        || hidden_set::strike_planes::<I, N>(isa, planes, lanes),
    )
}

#[inline(never)]
pub(super) fn naked_sets<I: Isa, const N: u32>(
    isa: I,
    planes: &mut Planes<I::V>,
    lanes: I::V,
) -> I::V {
    isa.run(
        #[inline(always)]
        || naked_set::strike_planes::<I, N>(isa, planes, lanes),
    )
}

#[inline(never)]
pub(super) fn fish<I: Isa, const N: u32>(isa: I, planes: &mut Planes<I::V>, lanes: I::V) -> I::V {
    isa.run(
        #[inline(always)]
        || fish::strike_planes::<I, N>(isa, planes, lanes),
    )
}

#[inline(never)]
pub(super) fn xy_wings<I: Isa>(isa: I, planes: &mut Planes<I::V>, lanes: I::V) -> I::V {
    isa.run(
        #[inline(always)]
        || xy_wing::strike_planes(isa, planes, lanes),
    )
}

#[inline(never)]
pub(super) fn xyz_wings<I: Isa>(isa: I, planes: &mut Planes<I::V>, lanes: I::V) -> I::V {
    isa.run(
        #[inline(always)]
        || xyz_wing::strike_planes(isa, planes, lanes),
    )
}
