#!/usr/bin/env bash
# Prints the best level of this CPU, as the kernel tells its features, so not by
# the library's own detection: for SUDOKU_BATCH_REQUIRE_LEVEL, with which a test
# fails that would leave the level out. (`abm` is what Linux calls LZCNT.)
set -euo pipefail

flags=" $(sed -n 's/^flags[^:]*: //p;T;q' /proc/cpuinfo) "
has() {
    local flag
    for flag; do [[ $flags == *" $flag "* ]] || return 1; done
}

if [[ $(uname -m) == aarch64 ]]; then
    echo neon
elif ! has avx2 bmi1 bmi2 abm popcnt; then
    echo portable
elif has avx512f avx512bw avx512vl avx512vbmi avx512_vpopcntdq gfni; then
    echo avx512
else
    echo avx2
fi
