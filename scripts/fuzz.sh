#!/usr/bin/env bash
# Fuzzes: scripts/fuzz.sh [SECONDS [TARGET…]]
#
# Builds all targets of fuzz/ with the address sanitizer and with overflow checks, runs each for
# so many seconds (600) from the kept corpus in fuzz/corpus, and prints what it did. What is found
# lies in fuzz/artifacts/TARGET, and the inputs that reached new code in fuzz/target/corpus/TARGET.
# Status 1 if something is found.
#
# Needs cargo-fuzz (cargo install cargo-fuzz) and a C++ compiler. A stable toolchain will do.
set -uo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}
shift || true
mapfile -t all < <(cd fuzz/fuzz_targets && ls -- *.rs | sed 's/\.rs$//')
targets=("${@:-${all[@]}}")
command -v cargo-fuzz >/dev/null || { echo "cargo-fuzz is missing: cargo install cargo-fuzz"; exit 2; }

# The sanitizer is a flag of unstable compilers, and this tells a stable one to take it. Watching
# comparisons too makes the engines three times slower, and the texts have their own alphabet.
export RUSTC_BOOTSTRAP=1
cargo fuzz build --no-trace-compares || exit 2
host=$(rustc -vV | sed -n 's/^host: //p')

found=0
printf '%-10s %8s %12s %8s %8s %8s\n' target seconds executions features corpus found
for target in "${targets[@]}"; do
    work=fuzz/target/corpus/$target artifacts=fuzz/artifacts/$target log=fuzz/target/$target.log
    mkdir -p "$work" "$artifacts"
    start=$(date +%s)
    ASAN_OPTIONS=detect_odr_violation=0 "fuzz/target/$host/release/$target" \
        -max_total_time="$seconds" -max_len=4096 -timeout=60 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$artifacts/" \
        "$work" "fuzz/corpus/$target" >"$log" 2>&1
    status=$?
    last() { sed -nE "$1" "$log" | tail -n 1; }
    printf '%-10s %8d %12s %8s %8s %8s\n' "$target" $(($(date +%s) - start)) \
        "$(last 's/^stat::number_of_executed_units: *//p')" \
        "$(last 's/.* ft: ([0-9]+) .*/\1/p')" "$(last 's/.* corp: ([0-9]+).*/\1/p')" \
        "$([[ $status -eq 0 ]] && echo no || echo yes)"
    if [[ $status -ne 0 ]]; then
        found=1
        grep -m 1 -A 3 -E 'panicked|ERROR' "$log"
    fi
done
exit $found
