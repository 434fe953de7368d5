# shellcheck shell=bash disable=SC2034
# The packages that `cargo run` and `cargo test` build. To be sourced.
#
# Cargo chooses the features of a crate for all packages of one call. So a script that names these with its own
# package finds the library and the command built, and one that does not builds them a second time, for minutes.
together=(--package sudoku-batch --package sudoku-batch-cli --package sudoku-batch-cli-tests --package sudoku-batch-driver --package sudoku-batch-tests)

# How pyo3 is built for them all: for any Python, and without asking the one that is here, whose path changes.
for_python=(PYO3_BUILD_EXTENSION_MODULE=1 PYO3_NO_PYTHON=1)
