#!/usr/bin/env bash
# The tests of the library and of the pipeline with the address sanitizer: reads and writes
# beyond an end, memory that is used after it was given back, memory that leaks. It sees all
# the vector code at every level of this CPU, and the C of zstd only where Rust meets it.
#
#     scripts/sanitize.sh         everything: ten minutes on two cores
#     scripts/sanitize.sh quick   the tests inside of the library: two minutes
#
# The stable toolchain has the runtime of this sanitizer, but not the option: RUSTC_BOOTSTRAP
# allows it. The thread sanitizer would need a standard library that is compiled with it
# (-Zbuild-std and the component rust-src). Without one it does not see the locks and channels of
# the standard library, and reports races where there are none, even between threads of the
# test harness: 435 for tests/library/pipeline.rs, whose tests all pass. So it is not run.
set -euo pipefail
cd "$(dirname "$0")/.."
target=x86_64-unknown-linux-gnu

runtime=$(rustc --print sysroot)/lib/rustlib/$target/lib/librustc-stable_rt.asan.a
[[ $(uname -m) == x86_64 && -f $runtime ]] || {
    echo "address sanitizer: NOT RUN: the toolchain has no runtime for it"
    exit 0
}

# Only what is compiled for the target is instrumented, not build scripts and macros.
export RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address ${RUSTFLAGS:-}"
run() { cargo test --quiet --target "$target" --target-dir target/asan "$@"; }
case ${1:-all} in
quick) run --package sudoku-batch --lib ;;
all)
    run --lib
    run --test parts -- pipeline:: streams::
    run --test library -- sliced:: engines::
    ;;
*) echo "usage: scripts/sanitize.sh [quick]" && exit 2 ;;
esac
echo "address sanitizer: nothing wrong, as far as that runs"
