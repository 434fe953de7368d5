#!/usr/bin/env bash
# Runs tests for 64-bit ARM in an emulator. They fail if the level `neon` is left out. Needs
# qemu-aarch64, aarch64-linux-gnu-gcc, and rustup to get the standard library.
#
#     scripts/neon.sh        those of the modules `simd` and `solve`
#     scripts/neon.sh all    all tests but those of documents; needs to be root, and qemu-aarch64-static
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
. scripts/toolchain.sh
target=aarch64-unknown-linux-gnu

have_target "$target" ||
    { echo "neon: NOT CHECKED, the standard library for $target cannot be had"; exit 0; }

export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export SUDOKU_BATCH_REQUIRE_LEVEL=neon
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER='qemu-aarch64 -cpu max -L /usr/aarch64-linux-gnu'
case ${1:-} in
all)
    # Tests that run the command need the kernel's help, and the emulator a C library for it.
    emulate_arm
    export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
    cargo test --release --locked --no-fail-fast --target "$target" --tests
    ;;
*)
    # The units are the library once more. Unoptimised they run for 13 s in the emulator and compile in a third of the time
    # of level 2, at which they run for 1 s. The oracles stay as in the release build, and so do macros and build scripts.
    cargo test --release --quiet --locked --target "$target" "${together[@]}" --test units \
        --config 'profile.release.opt-level=0' \
        --config 'profile.release.package.sudoku-batch-tests.opt-level=0' -- simd:: solve::
    ;;
esac
