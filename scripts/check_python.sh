#!/usr/bin/env bash
# Builds the Python package in a fresh virtual environment and runs its tests, those of
# Spark included. Needs the command (`cargo build --release`), Python 3.11 or newer with venv, and
# Java 17 or newer.
#
#     scripts/check_python.sh [OPTIONS OF PYTEST]          with the library of the release build
#     scripts/check_python.sh whole [OPTIONS OF PYTEST]    with the wheel that a user builds, which takes minutes more
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

whole=false
if [[ ${1:-} == whole ]]; then
    whole=true
    shift
fi

version=$({ java -version 2>&1 || true; } | sed -n 's/.* version "\([0-9]*\).*/\1/p')
[[ ${version:-0} -ge 17 ]] || { echo 'Java 17 or newer is missing: without it Spark is not tested'; exit 1; }

step() { printf '\n-- %s\n' "$*"; "$@"; }

# `unsafe` has one file, as it has two rooms in src/.
[[ $(grep -lw unsafe python/src/*.rs | grep -v '^python/src/lib.rs$') == python/src/capsules.rs ]] ||
    { echo 'python/src: `unsafe` outside capsules.rs'; exit 1; }

venv=$(mktemp -d)
trap 'rm -r "$venv"' EXIT
step python3 -m venv "$venv"
PATH=$venv/bin:$PATH
export PIP_DISABLE_PIP_VERSION_CHECK=1
step pip install --quiet --requirement python/tests/requirements.txt
export PYO3_BUILD_EXTENSION_MODULE=1
if $whole; then
    # As a user does it. The build goes to target/, so that it is quick the second time.
    step pip install --quiet ./python
else
    # maturin builds no other package beside its own, so it would build the library a second time.
    step cargo build --release --quiet "${together[@]}" --package sudoku-batch-python --lib
    installed=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')/sudoku_batch
    cp -r python/sudoku_batch "$installed"
    cp "${CARGO_TARGET_DIR:-target}/release/lib_engine.so" "$installed/_engine.abi3.so"
fi

step cargo fmt --package sudoku-batch-python --check
step cargo clippy --release "${together[@]}" --package sudoku-batch-python -- -D warnings
# The types of the Python half, those that it tells of the native half, and programs that use them.
step mypy --config-file python/pyproject.toml --cache-dir "$venv/mypy" \
    --python-executable "$venv/bin/python" python/sudoku_batch python/examples
# Its first run downloads it, and needs Node or downloads that too.
step pyright --pythonpath "$venv/bin/python" python/examples
step env -C "$venv" stubtest --concise sudoku_batch._engine sudoku_batch._questions
step pytest -q -p no:cacheprovider --durations=5 python/tests "$@"
