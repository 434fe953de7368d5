#!/usr/bin/env bash
# Runs what `.ci/run` runs in part, as a whole: the tests with ten times the cases and every fault, debug assertions
# and overflow checks, each benchmark once, the WebAssembly that is shipped, all systems, the wheel as a user builds it,
# licences and vulnerabilities of all crates. It takes hours.
#
#     scripts/nightly.sh
set -euo pipefail
cd "$(dirname "$0")/.."

cases=${SUDOKU_BATCH_CASES:-10}
SUDOKU_BATCH_CASES=$cases SUDOKU_BATCH_FAULTS=all cargo test --release --no-fail-fast
scripts/checked.sh
cargo bench --profile release --package sudoku-batch-benches --bench '*' -- --test
scripts/targets.sh
scripts/neon.sh
SUDOKU_BATCH_CASES=$cases scripts/check_python.sh whole
scripts/check_capi.sh
scripts/web.sh check
scripts/supply_chain.sh
