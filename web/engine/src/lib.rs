//! The engine of the npm package: what JavaScript calls.
//!
//! ```text
//!     solve(text)            one of many workers            the coordinator of a batch
//!         |                          |                                |
//!     puzzles, way, make          batch::Asker              batch::Reading, Unpacker, Sieve
//! ```
//!
//! Options come as JSON, and so do answers about single puzzles. The bytes of batches come and go
//! as they are. An error is the JSON of a [`failure::Failure`], from which the package makes a
//! `SudokuError`.
//!
//! | file | what |
//! |---|---|
//! | `puzzles` | questions about a few puzzles |
//! | `way` | steps and hints |
//! | `make` | puzzles and grids by number, pictures, sheets |
//! | `batch`, `questions` | the records of a file: pieces in, bytes of the command out |
//! | `unpack` | gzip and zstd |

#![allow(unreachable_pub, reason = "wasm-bindgen exports what is `pub`")]

mod batch;
mod failure;
mod make;
mod puzzles;
mod questions;
mod unpack;
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
