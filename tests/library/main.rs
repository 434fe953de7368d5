//! The library as its users see it: the rules, the engines, what is made, the forms of files,
//! the pipeline, and the shape of the sources themselves.

#[path = "../support/mod.rs"]
mod support;

mod architecture;
mod blocks;
mod candidates;
#[cfg(feature = "pipeline")]
mod compression;
mod data;
mod dataset;
mod draw;
mod engines;
#[cfg(feature = "cli")]
mod forms;
#[cfg(feature = "tui")]
mod fuzz_corpus;
mod game;
mod generate;
mod grid;
mod guide;
#[cfg(feature = "pipeline")]
mod pipeline;
mod puzzle;
mod questions;
#[cfg(feature = "formats")]
mod read_csv;
mod records;
#[cfg(unix)]
mod release;
mod sliced;
mod stop;
#[cfg(feature = "pipeline")]
mod streams;
mod symmetry;
mod technique;
mod technique_chain;
mod technique_corpora;
mod technique_rater;
mod trace;
mod uniform;
mod verify;
mod worst;
#[cfg(feature = "formats")]
mod writer;
