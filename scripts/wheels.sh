#!/usr/bin/env bash
# Makes wheels of the Python package for any Linux since 2014 (glibc 2.17), x86-64 and
# aarch64, into target/wheels/. Zig is the linker, as it knows the old glibc; it comes from
# PyPI. rustup gets the standard library of the other architecture, where it is missing.
#
#     scripts/wheels.sh [FOLDER]
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-target/wheels}

venv=$(mktemp -d)
trap 'rm -r "$venv"' EXIT
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet 'maturin[zig]>=1.16,<2' 'auditwheel>=6,<7'
# maturin finds zig as a module of its own Python.
PATH=$venv/bin:$PATH

for target in x86_64-unknown-linux-gnu aarch64-unknown-linux-gnu; do
    libraries=$(rustc --print target-libdir --target "$target")
    compgen -G "$libraries/libstd-*" >/dev/null || rustup target add "$target"
    maturin build --manifest-path python/Cargo.toml --target "$target" --zig \
        --compatibility manylinux2014 --out "$folder"
done

# maturin has checked the symbols. So does the tool of those who define what manylinux is.
for wheel in "$folder"/sudoku_batch-*manylinux*.whl; do
    told=$(auditwheel show "$wheel" | tr '\n' ' ')
    [[ $told == *'"manylinux_2_17_'* ]] || { echo "$wheel: $told"; exit 1; }
    ls -l "$wheel"
done
