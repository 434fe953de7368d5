//! The engine of the npm package: what JavaScript calls.
//!
//! ```text
//!     solve(text)            one of many workers            the coordinator of a batch
//!         |                          |                                |
//!     puzzles, way, make         batch::Reading              batch::Reading, Unpacker
//! ```
//!
//! The features `solving` and `rating` are two WebAssembly modules in the package. Both have `Reading`.
//!
//! Options come as JSON, and so do answers about single puzzles. The bytes of batches come and go
//! as they are. An error is the JSON of a [`failure::Failure`], from which the package makes a
//! `SudokuError`.
//!
//! | file | what |
//! |---|---|
//! | `puzzles` | questions about a few puzzles |
//! | `way` | steps and hints |
//! | `make` | puzzles and grids by number |
//! | `draw` | pictures and sheets |
//! | `batch`, `questions` | the records of a file: pieces in, bytes of the command out |
//! | `unpack` | gzip and zstd |

#![allow(unreachable_pub, reason = "wasm-bindgen exports what is `pub`")]
#![cfg_attr(
    not(all(feature = "solving", feature = "rating")),
    allow(unused, reason = "both modules read all options")
)]

mod batch;
#[cfg(feature = "solving")]
mod draw;
mod failure;
#[cfg(feature = "rating")]
mod make;
mod puzzles;
mod questions;
#[cfg(feature = "solving")]
mod unpack;
#[cfg(feature = "rating")]
mod way;

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(message: &str);
}

/// A panic is a bug: the console gets its place, the caller an error with the code `internal`.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| error(&panic.to_string())));
}
