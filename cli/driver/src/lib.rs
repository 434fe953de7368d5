//! Reads records, has them answered and writes the answers: the part of the command `sudoku-batch` that works on each
//! record.
//!
//! It is a package of its own because it is optimised in `release`, and the command around it is not: see
//! "profile.release" in `Cargo.toml`. Its interface may change with any version. For your own programs take
//! [`sudoku_batch`].

#[doc(hidden)]
pub mod driver;
#[doc(hidden)]
pub mod pipeline;
#[cfg(feature = "book")]
#[doc(hidden)]
pub mod print;
#[doc(hidden)]
pub mod sets;

use crate::pipeline::memory::Memory;

#[global_allocator]
static MEMORY: Memory = Memory;
