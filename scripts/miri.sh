#!/usr/bin/env bash
# The vector operations at `avx2` and `portable`, and a small batch through the
# sliced engine at `avx2`, under Miri: reads beyond an end, bad alignment,
# uninitialised bytes. It knows no AVX-512. Takes five minutes. Needs
# nightly Rust with its components miri and rust-src; says so and does nothing
# where they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

have=$(rustup component list --toolchain nightly --installed 2>/dev/null || true)
for component in miri rust-src; do
    grep -q "^$component" <<<"$have" || {
        echo "miri: NOT RUN: no nightly with $component (rustup component add --toolchain nightly miri rust-src)"
        exit 0
    }
done

# Miri says that the CPU has what the program is compiled for. Without borrows
# tracked it is several times faster.
if [[ $(uname -m) == x86_64 ]]; then
    export RUSTFLAGS="-C target-feature=+avx2,+bmi1,+bmi2,+popcnt,+lzcnt ${RUSTFLAGS:-}"
fi
export MIRIFLAGS="-Zmiri-disable-isolation -Zmiri-disable-stacked-borrows ${MIRIFLAGS:-}"
miri() { cargo +nightly miri test --package sudoku-batch --features formats,rayon --target-dir target/miri "$@"; }
miri --lib simd::tests
miri --test library sliced::a_small_batch
echo "miri: nothing undefined, as far as that runs"
