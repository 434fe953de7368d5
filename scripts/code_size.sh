#!/usr/bin/env bash
# Prints the kilobytes of code in a program by module, and by level of instructions. Code of the standard library and of
# other crates, generic code that they compile for this project among it, is one line. Needs nm.
#
#     scripts/code_size.sh [PROGRAM]     target/release/sudoku-batch, if none is named
set -euo pipefail
cd "$(dirname "$0")/.."
nm --print-size --radix=d --demangle "${1:-target/release/sudoku-batch}" |
    awk '
    function kilobytes(sums, name) { for (name in sums) printf "%6d  %s\n", sums[name] / 1024, name | "sort -rn"; close("sort -rn") }
    $3 !~ /^[tTwW]$/ { next }
    {
        size = $2
        module = "other crates"
        if (match($0, /sudoku_batch(_cli|_driver)?::[a-z_0-9]+/)) {
            module = substr($0, RSTART, RLENGTH)
            sub(/sudoku_batch_(cli|driver)::/, "command ", module)
            sub(/sudoku_batch::/, "library ", module)
        }
        modules[module] += size
        level = "all machines"
        if (/x86::avx512|Avx512/) level = "avx512"
        else if (/x86::avx2|Avx2/) level = "avx2"
        else if (/sudoku_batch/ && /run_with_words|[Pp]ortable|<[IVW]>|<_>/) level = "portable"
        levels[level] += size
        all += size
    }
    END {
        kilobytes(modules); print ""; kilobytes(levels); printf "\n%6d  in all\n", all / 1024
    }'
