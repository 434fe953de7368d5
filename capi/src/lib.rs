//! The library for C, and for each language that calls C: `libsudoku_batch`.
//!
//! ```text
//!     border     functions, pointers, Arrow's structs: all that is `unsafe`
//!     engine     what a caller opens
//!     asking     a question about records, slice by slice     making    grids and puzzles by number
//!     workers    the threads of a call                        table     typed columns, as Arrow lays them out
//! ```
//!
//! Nothing here knows a question by name but the calls of the border that have one for a name. The header
//! `include/sudoku_batch.h` is made from the border by cbindgen (`scripts/capi.sh header`), and docs/c.md is
//! the page for its users.

#[cfg(not(panic = "unwind"))]
compile_error!("a panic must not end the program of the caller: build with panic = \"unwind\"");

mod asking;
pub mod border;
pub mod engine;
pub mod failure;
pub mod listing;
mod making;
mod table;
pub mod workers;
