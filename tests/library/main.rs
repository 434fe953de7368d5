//! The library as its users see it: the rules, the engines, what is made, the forms of files,
//! and the shape of the sources themselves.

use sudoku_batch_test_support as support;

mod architecture;
mod backdoors;
mod blocks;
mod candidate_counts;
mod candidates;
mod classes;
mod climbing;
mod data;
mod dataset;
mod diagnostics;
mod draw;
mod drills;
mod engines;
mod features;
mod forms;
mod free_forms;
mod generate;
mod grid;
mod guide;
mod header;
mod javascript;
mod minimals;
mod names;
mod near;
mod npy;
mod pages;
mod philox;
mod prose;
mod puzzle;
mod python;
mod questions;
mod quotas;
mod read_csv;
mod records;
mod regions;
#[cfg(unix)]
mod release;
mod sliced;
mod stop;
mod symmetry;
mod technique;
mod technique_chain;
mod technique_corpora;
mod technique_rater;
mod technique_trial;
mod threads;
mod trace;
mod true_candidates;
mod unavoidable;
mod uniform;
mod verify;
mod worst;
mod writer;
mod written;
