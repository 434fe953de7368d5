//! Symmetries: the operations that keep a valid grid valid.
//!
//! ```text
//!     digits renamed                                     9!
//!     bands, and the rows in each, in another order      6 * 6^3     rows
//!     stacks, and the columns in each, likewise          6 * 6^3     columns
//!     rows and columns exchanged                         2           transposition
//! ```
//!
//! That makes 9! * 1296 * 1296 * 2 = 1,218,998,108,160 *images* of a grid, itself
//! among them. A [`Transformation`] is one of these operations. Grids that are images of
//! each other are *equivalent*. [`CanonicalGrid`] finds the smallest image, which equivalent
//! grids share. [`CanonicalPuzzle`] does the same for puzzles with one solution, and finds the
//! smallest and the largest image of any puzzle.

mod band;
mod canonical;
mod line_order;
mod mask;
mod minlex;
mod transformation;

// For the tests. A user asks `CLASSES`.
#[doc(hidden)]
pub use band::BandClass;
pub use canonical::{CanonicalGrid, CanonicalPuzzle};
pub(crate) use line_order::{LINE_ORDER, LINE_ORDERS, PLACES, THREE, line_order_number};
pub(crate) use mask::{automorphisms_of_cells, cells_of_clues, last_copy_of_cells};
pub use transformation::Transformation;
