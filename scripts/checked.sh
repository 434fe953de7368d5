#!/usr/bin/env bash
# Runs all tests on a library and a command with debug assertions and overflow checks: plain `cargo test`. The
# command of that build panics on F12 in a game, which has a test in a real terminal. Needs tmux.
#
#     scripts/checked.sh [OPTIONS OF cargo test]
set -euo pipefail
cd "$(dirname "$0")/.."

cargo test --no-fail-fast "$@"
cargo build --bin sudoku-batch
scripts/play.sh target/debug/sudoku-batch
