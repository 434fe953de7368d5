#!/usr/bin/env bash
# The portable level under Miri: a small batch through the sliced engine. Finds
# what is undefined: reads beyond an end, bad alignment, uninitialised bytes. Needs nightly Rust with its
# components miri and rust-src; says so and does nothing where they are missing.
set -euo pipefail
cd "$(dirname "$0")/.."

have=$(rustup component list --toolchain nightly --installed 2>/dev/null || true)
for component in miri rust-src; do
    grep -q "^$component" <<<"$have" || {
        echo "miri: NOT RUN: no nightly with $component (rustup component add --toolchain nightly miri rust-src)"
        exit 0
    }
done

# Miri reports no AVX, so that only the portable level is there.
export MIRIFLAGS="-Zmiri-disable-isolation ${MIRIFLAGS:-}"
cargo +nightly miri test --target-dir target/miri --test sliced a_small_batch
echo "miri: nothing undefined in the portable level, as far as that runs"
