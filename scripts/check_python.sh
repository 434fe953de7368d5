#!/usr/bin/env bash
# Builds the Python package in a fresh virtual environment and runs its tests, those of
# Spark included. Needs the command (`cargo build --release`), Python 3.11 or newer with venv, and
# Java 17 or newer.
#
#     scripts/check_python.sh [OPTIONS OF PYTEST]          with the library of the release build
#     scripts/check_python.sh whole [OPTIONS OF PYTEST]    with the wheel that a user builds, which takes minutes more
#     scripts/check_python.sh prepare FOLDER               makes the environment, and checks nothing
#
# SUDOKU_BATCH_VENV=FOLDER uses the environment that was made there, and not one of its own.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh

export PIP_DISABLE_PIP_VERSION_CHECK=1

step() { printf '\n-- %s\n' "$*"; "$@"; }

# A virtual environment with what the tests need. The first run of pyright downloads it, and needs Node or downloads
# that too.
prepare() {
    step python3 -m venv "$1"
    step "$1/bin/pip" install --quiet --requirement python/tests/requirements.txt
    step "$1/bin/pyright" --version
}
if [[ ${1:-} == prepare ]]; then
    prepare "$2"
    exit
fi

whole=false
if [[ ${1:-} == whole ]]; then
    whole=true
    shift
fi

version=$({ java -version 2>&1 || true; } | sed -n 's/.* version "\([0-9]*\).*/\1/p')
[[ ${version:-0} -ge 17 ]] || { echo 'Java 17 or newer is missing: without it Spark is not tested'; exit 1; }

# `unsafe` has one file, as it has two modules in src/.
[[ $(grep -lw unsafe python/src/*.rs | grep -v '^python/src/lib.rs$') == python/src/capsules.rs ]] ||
    { echo 'python/src: `unsafe` outside capsules.rs'; exit 1; }

venv=${SUDOKU_BATCH_VENV:-}
if [[ ! $venv ]]; then
    venv=$(mktemp -d)
    trap 'rm -r "$venv"' EXIT
    prepare "$venv"
fi
PATH=$venv/bin:$PATH
if $whole; then
    # A user builds it like this. The build goes to target/, so that it is quick the second time.
    step pip install --quiet ./python
else
    # maturin builds no other package than its own, so it would build the library a second time.
    step env "${for_python[@]}" cargo build --release --quiet "${together[@]}" --package sudoku-batch-python --lib
    installed=$("$venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("platlib"))')/sudoku_batch
    rm -rf "$installed"
    cp -r python/sudoku_batch "$installed"
    cp "${CARGO_TARGET_DIR:-target}/release/lib_engine.so" "$installed/_engine.abi3.so"
fi

# The types of the Python half, those that it tells of the native half, and programs that use them.
step mypy --config-file python/pyproject.toml --cache-dir "$venv/mypy" \
    --python-executable "$venv/bin/python" python/sudoku_batch python/examples
step pyright --pythonpath "$venv/bin/python" python/examples
step env -C "$venv" stubtest --concise sudoku_batch._engine
step pytest -q -p no:cacheprovider --durations=5 python/tests "$@"
