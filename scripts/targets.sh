#!/usr/bin/env bash
# Checks the library, and where it is to run the command, for other systems:
# `cargo clippy` with warnings as errors, for all whose standard library can be
# had. Names those that it could not check. Needs rustup to get what is missing.
#
# A system without a C compiler is compiled without the C of zstd: nothing is linked
# here.
#
#     scripts/targets.sh          all of them
#     scripts/targets.sh quick    the command for Windows with GNU's tools, and the library for WebAssembly
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/toolchain.sh

# A target, and whether the command is for it.
targets=(
    'x86_64-pc-windows-gnu command'
    'x86_64-pc-windows-msvc command'
    'aarch64-apple-darwin command'
    'aarch64-unknown-linux-gnu command'
    'wasm32-unknown-unknown library'
)
[[ ${1:-} != quick ]] || targets=("${targets[0]}" "${targets[-1]}")

check() {
    local target=$1 what=$2
    shift 2
    if cargo clippy --release --locked --quiet --target "$target" "$@" -- -D warnings; then
        echo "$target: $what checked"
    else
        echo "$target: $what FAILED"
        failed=true
    fi
}

# Sets what the crate `cc` asks for, if it would find no C compiler for a target.
without_c() {
    local target=$1 compiler=none
    case $target in
    "$(rustc -vV | sed -n 's/^host: //p')") return ;;
    *-windows-gnu) compiler=${target%%-*}-w64-mingw32-gcc ;;
    *-linux-gnu) compiler=${target%%-*}-linux-gnu-gcc ;;
    esac
    command -v "$compiler" >/dev/null && return
    export "CC_${target//-/_}=true" "AR_${target//-/_}=$archiver"
}

# Makes an archive of nothing.
archiver=$(mktemp)
trap 'rm -f "$archiver"' EXIT
cat >"$archiver" <<'END'
#!/bin/sh
for argument; do
    case $argument in
    [-/]out:*) : >"${argument#?out:}" ;;
    *.a) : >"$argument" ;;
    esac
done
END
chmod +x "$archiver"

failed=false
unchecked=()
for line in "${targets[@]}"; do
    read -r target most <<<"$line"
    if ! have_target "$target"; then
        unchecked+=("$target")
        continue
    fi
    # The command has the library in it.
    [[ ${1:-} == quick && $most == command ]] || check "$target" library --package sudoku-batch --lib
    without_c "$target"
    [[ $most == library ]] || check "$target" command --package sudoku-batch-cli --package sudoku-batch-driver --lib --bins
done
[[ ${#unchecked[@]} -eq 0 ]] || echo "NOT CHECKED, their standard library cannot be had: ${unchecked[*]}"
! $failed
