#!/usr/bin/env bash
# Makes wheels of the Python package and its source distribution: for any Linux since 2014
# (glibc 2.17) and any with musl 1.2, x86-64 and aarch64, and for Windows on x86-64. Zig is the
# linker, as it knows the old glibc; it comes from PyPI.
#
#     scripts/wheels.sh [FOLDER]    into target/wheels/ unless a folder is named
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/toolchain.sh
folder=${1:-target/wheels}
# maturin packs what is next to the package.
cp LICENSE-* python/
# maturin finds zig as a module of its own Python.
PATH=$(python_tools):$PATH

# For Windows, `maturin --zig` 1.16 asks the linker for `PyInit_sudoku_batch._engine`, with the name of the
# package, which no extension has. So zig is the linker without its knowledge, and cargo-zigbuild is the
# tool for import libraries, which it is under this name. (github.com/PyO3/maturin/issues/3274 is the
# same for another kind of library.)
zig_for_windows() {
    local as=$PWD/target/zig-for-windows zigbuild
    zigbuild=$(python_tools)/cargo-zigbuild
    mkdir -p "$as"
    ln -sf "$zigbuild" "$as/x86_64-w64-mingw32-dlltool"
    printf '#!/bin/sh\nexec "%s" zig cc -- -target x86_64-windows-gnu "$@"\n' "$zigbuild" >"$as/linker"
    chmod +x "$as/linker"
    export PATH=$as:$PATH CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=$as/linker
}

# A target, and the oldest system that its wheel is for.
targets=(
    'x86_64-unknown-linux-gnu manylinux2014'
    'aarch64-unknown-linux-gnu manylinux2014'
    'x86_64-unknown-linux-musl musllinux_1_2'
    'aarch64-unknown-linux-musl musllinux_1_2'
    'x86_64-pc-windows-gnu off'
)
failed=()
for line in "${targets[@]}"; do
    read -r target oldest <<<"$line"
    have_target "$target" || { echo "NOT MADE, its standard library cannot be had: a wheel for $target"; continue; }
    zig=--zig
    if [[ $target == *-windows-* ]]; then
        zig_for_windows
        zig=
    fi
    # shellcheck disable=SC2086 # No option is no word.
    maturin build --quiet --manifest-path python/Cargo.toml --target "$target" $zig \
        --compatibility "$oldest" --out "$folder" || failed+=("the wheel for $target")
done
maturin sdist --manifest-path python/Cargo.toml --out "$folder" || failed+=('the source distribution')

# Whether a wheel keeps what its name promises. maturin has checked the symbols. For manylinux, so does the
# tool of those who define it. It cannot for musllinux: it looks for `libc.so`, the name of musl's library,
# in the folders of this system, where the file of that name is a script for the linker of glibc.
is_as_named() {
    local told
    case $1 in
    *manylinux*)
        told=$(auditwheel show "$1" | tr '\n' ' ')
        [[ $told == *'"manylinux_2_17_'* ]] || { echo "$told"; return 1; }
        ;;
    *) python3 scripts/inspect_wheel.py "$1" ;;
    esac
}
for wheel in "$folder"/sudoku_batch-*.whl; do
    is_as_named "$wheel" || { failed+=("the check of $wheel, which is removed"); rm -f "$wheel"; }
done
[[ ${#failed[@]} -eq 0 ]] || { printf 'FAILED: %s\n' "${failed[@]}"; exit 1; }
